/* Replica id, challenges and public inputs: what a verifier computes of a seal.
 *
 * Source: filecoin spec "Stacked DRG PoRep"; FIP-0059 (synthetic PoRep), FIP-0092
 * (non-interactive PoRep); storage-proofs-porep stacked/vanilla/challenges.
 */
#include "base/bytes.h"
#include "circuit/porep_native.h"
#include "field/fr.h"
#include "hash/blake2b.h"
#include "hash/sha256.h"

#include <string.h>

/* Synthetic challenges of a sector, unless it has fewer nodes. */
enum { SYNTHETIC_LOG2 = 18 };

void weir_porep_replica_id(weir_node *out, const weir_registered_porep *r,
                           const uint8_t prover_id[32], uint64_t sector, const uint8_t ticket[32],
                           const weir_node *comm_d)
{
    uint8_t id[32], be[8];
    weir_sha256 h;
    weir_porep_id(id, r);
    weir_store_be64(be, sector);
    weir_sha256_init(&h);
    weir_sha256_update(&h, prover_id, 32);
    weir_sha256_update(&h, be, sizeof be);
    weir_sha256_update(&h, ticket, 32);
    weir_sha256_update(&h, comm_d->b, 32);
    weir_sha256_update(&h, id, sizeof id);
    weir_sha256_final(&h, out->b);
    out->b[31] &= 0x3f;
}

/* `bytes` bytes at byte `at` of a synthetic keystream: ChaCha20 (RFC 8439) from block 0, the key
 * a BLAKE2b-256 keyed with the tag. In: a multiple of `bytes`, which divides 64, so that a
 * number never spans two blocks. */
static void keystream(uint8_t *out, size_t bytes, const char *tag, const weir_node *replica_id,
                      const uint8_t extra[32], uint64_t at)
{
    static const uint8_t nonce[12] = "synth-porep"; /* with its final zero byte */
    uint8_t msg[64], key[32], block[64];
    memcpy(msg, replica_id->b, 32);
    memcpy(msg + 32, extra, 32);
    weir_blake2b(key, sizeof key, msg, sizeof msg, tag, strlen(tag));
    uint32_t last[4] = {(uint32_t)(at / 64), weir_load_le32(nonce), weir_load_le32(nonce + 4),
                        weir_load_le32(nonce + 8)};
    weir_porep_chacha(block, key, last, 20);
    memcpy(out, block + at % 64, bytes);
}

static void interactive_digest(uint8_t out[32], const weir_node *replica_id, const uint8_t seed[32],
                               uint32_t j)
{
    uint8_t msg[68];
    memcpy(msg, replica_id->b, 32);
    memcpy(msg + 32, seed, 32);
    weir_store_le32(msg + 64, j);
    weir_sha256_hash(out, msg, sizeof msg);
}

static void noninteractive_digest(uint8_t out[32], const weir_node *replica_id,
                                  const weir_node *comm_r, uint32_t j)
{
    static const char tag[] = "filecoin.io|PoRep|1|NonInteractive|1";
    uint8_t le[4];
    weir_sha256 h;
    weir_store_le32(le, j);
    weir_sha256_init(&h);
    weir_sha256_update(&h, tag, sizeof tag - 1);
    weir_sha256_update(&h, replica_id->b, 32);
    weir_sha256_update(&h, comm_r->b, 32);
    weir_sha256_update(&h, le, sizeof le);
    weir_sha256_final(&h, out);
}

static void synthetic_digest(uint8_t out[32], const weir_porep_shape *s,
                             const weir_node *replica_id, const weir_node *comm_r,
                             const uint8_t seed[32], uint32_t j)
{
    unsigned log2 = s->nodes_log2 < SYNTHETIC_LOG2 ? s->nodes_log2 : SYNTHETIC_LOG2;
    uint8_t le[4];
    keystream(le, sizeof le, "filecoin.io|PoRep|1|Synthetic|1|Selection", replica_id, seed,
              UINT64_C(4) * j);
    uint64_t number = weir_load_le32(le) & ((UINT64_C(1) << log2) - 1);
    keystream(out, 32, "filecoin.io|PoRep|1|Synthetic|1|Generation", replica_id, comm_r->b,
              32 * number);
}

uint64_t weir_porep_challenge_of(const weir_registered_porep *r, const weir_node *replica_id,
                                 const weir_node *comm_r, const uint8_t seed[32], uint32_t j)
{
    uint8_t digest[32];
    switch (r->feature) {
    case WEIR_POREP_SYNTHETIC:
        synthetic_digest(digest, r->shape, replica_id, comm_r, seed, j);
        break;
    case WEIR_POREP_NONINTERACTIVE:
        noninteractive_digest(digest, replica_id, comm_r, j);
        break;
    case WEIR_POREP_PLAIN:
    default:
        interactive_digest(digest, replica_id, seed, j);
        break;
    }
    /* Node 0 has no parents and is never challenged. */
    return weir_porep_mod(digest, sizeof digest, (UINT64_C(1) << r->shape->nodes_log2) - 1) + 1;
}

weir_err weir_porep_public_inputs(weir_fr *out, const weir_porep_public *pub, unsigned partition,
                                  weir_errinfo *ei)
{
    const weir_registered_porep *r = pub->registered;
    unsigned challenges = r->shape->challenges;
    if (partition >= r->partitions)
        return weir_fail(ei, WEIR_E_RANGE, "%s has partitions 0 to %u, not %u", r->name,
                         r->partitions - 1, partition);
    if (!fr_from_le(&out[0], pub->replica_id.b))
        return weir_fail(ei, WEIR_E_RANGE, "replica_id is not below the field's modulus");
    if (!fr_from_le(&out[1], pub->comm_d.b))
        return weir_fail(ei, WEIR_E_RANGE, "comm_d is not below the field's modulus");
    if (!fr_from_le(&out[2], pub->comm_r.b))
        return weir_fail(ei, WEIR_E_RANGE, "comm_r is not below the field's modulus");
    out += 3;
    for (unsigned i = 0; i < challenges; i++) {
        uint64_t parents[WEIR_POREP_PARENTS];
        uint64_t node = weir_porep_challenge_of(r, &pub->replica_id, &pub->comm_r, pub->seed,
                                                partition * challenges + i);
        weir_porep_parents(r, node, parents);
        fr_from_u64(out++, node); /* D path */
        for (unsigned k = 0; k < WEIR_POREP_PARENTS; k++) fr_from_u64(out++, parents[k]);
        for (unsigned k = 0; k < 3; k++) fr_from_u64(out++, node); /* node bits, R path, C path */
    }
    return WEIR_OK;
}
