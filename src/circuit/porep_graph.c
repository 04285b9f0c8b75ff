/* The graph of StackedDrg: which nodes a node depends on.
 *
 * DRG parents: DRSample (Alwen, Blocki, Harsha 2017/443) drawn from ChaCha8 in the layout of
 * rand_chacha; expander parents: a Feistel permutation (Chung's construction). Source: filecoin
 * spec "Stacked DRG PoRep", storage-proofs-core drgraph and storage-proofs-porep
 * stacked/vanilla/graph. The ceil(log2) of floating-point numbers there is the bit length of M -
 * 1: M is at most 5 * 2^31, far below 2^53.
 */
#include "base/bytes.h"
#include "circuit/porep_native.h"
#include "hash/blake2b.h"
#include "hash/sha256.h"

#include <string.h>

static inline uint32_t rotl32(uint32_t v, unsigned n)
{
    return (v << n) | (v >> (32 - n));
}

static inline void quarter_round(uint32_t x[16], unsigned a, unsigned b, unsigned c, unsigned d)
{
    x[a] += x[b];
    x[d] = rotl32(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotl32(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotl32(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotl32(x[b] ^ x[c], 7);
}

void weir_porep_chacha(uint8_t out[64], const uint8_t key[32], const uint32_t last[4],
                       unsigned rounds)
{
    /* "expand 32-byte k" */
    uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
    for (unsigned i = 0; i < 8; i++) s[4 + i] = weir_load_le32(key + 4 * i);
    for (unsigned i = 0; i < 4; i++) s[12 + i] = last[i];
    memcpy(x, s, sizeof x);
    for (unsigned i = 0; i < rounds / 2; i++) {
        for (unsigned k = 0; k < 4; k++) quarter_round(x, k, 4 + k, 8 + k, 12 + k);
        for (unsigned k = 0; k < 4; k++)
            quarter_round(x, k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4);
    }
    for (unsigned i = 0; i < 16; i++) weir_store_le32(out + 4 * i, x[i] + s[i]);
}

uint64_t weir_porep_mod(const uint8_t *bytes, size_t n, uint64_t m)
{
    unsigned __int128 rest = 0;
    for (size_t i = n / 8; i-- > 0;) rest = ((rest << 64) | weir_load_le64(bytes + 8 * i)) % m;
    return (uint64_t)rest;
}

/* SHA256(tag || porep id) */
static void derive_seed(uint8_t out[32], const char *tag, const weir_registered_porep *r)
{
    uint8_t id[32];
    weir_sha256 h;
    weir_porep_id(id, r);
    weir_sha256_init(&h);
    weir_sha256_update(&h, tag, strlen(tag));
    weir_sha256_update(&h, id, sizeof id);
    weir_sha256_final(&h, out);
}

/* rand_chacha's ChaCha8Rng: a block gives eight u64, low word first. */
typedef struct chacha8 {
    uint8_t key[32], block[64];
    uint32_t counter; /* blocks taken; ten numbers a node never come near 2^32 */
    unsigned at;      /* next byte of the block */
} chacha8;

static uint64_t next_u64(chacha8 *g)
{
    if (g->at == sizeof g->block) {
        weir_porep_chacha(g->block, g->key, (const uint32_t[4]){g->counter++}, 8);
        g->at = 0;
    }
    uint64_t v = weir_load_le64(g->block + g->at);
    g->at += 8;
    return v;
}

static unsigned bit_length(uint64_t v)
{
    return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* One parent of node v >= 2 in the graph with `draws` edges a node. */
static uint64_t draw_parent(chacha8 *g, uint64_t v, uint64_t draws)
{
    uint64_t m = draws * v; /* v < 2^31 */
    uint64_t bucket = next_u64(g) % bit_length(m - 1) + 1;
    uint64_t largest = UINT64_C(1) << bucket; /* bucket <= 34 */
    if (largest > m) largest = m;
    uint64_t smallest = largest >> 1 > 2 ? largest >> 1 : 2;
    uint64_t distance = smallest + next_u64(g) % (largest - smallest + 1);
    return (m - distance) / draws; /* distance >= 2, so below v */
}

static void drg_parents(const weir_registered_porep *r, uint64_t node, uint64_t *parents)
{
    enum { DRAWS = WEIR_POREP_DRG_PARENTS - 1 };
    if (node < 2) {
        for (unsigned i = 0; i < WEIR_POREP_DRG_PARENTS; i++) parents[i] = 0;
        return;
    }
    chacha8 g = {.at = sizeof g.block};
    derive_seed(g.key, "Filecoin_DRSample", r);
    weir_store_le32(g.key + 28, (uint32_t)node);
    /* API 1.0.0 has the predecessor last, later ones have it first. */
    parents[r->legacy ? DRAWS : 0] = node - 1;
    uint64_t *drawn = r->legacy ? parents : parents + 1;
    for (unsigned i = 0; i < DRAWS; i++) drawn[i] = draw_parent(&g, node, DRAWS);
}

/* ---- expander */

typedef struct feistel {
    uint64_t key[3];
    unsigned half_bits;
    uint64_t mask;
} feistel;

static uint64_t feistel_apply(const feistel *f, uint64_t index)
{
    uint64_t left = index >> f->half_bits, right = index & f->mask;
    for (unsigned i = 0; i < 3; i++) {
        uint8_t msg[16], digest[64];
        weir_store_be64(msg, right);
        weir_store_be64(msg + 8, f->key[i]);
        weir_blake2b(digest, sizeof digest, msg, sizeof msg, NULL, 0);
        uint64_t next = left ^ (weir_load_be64(digest) & f->mask);
        left = right;
        right = next;
    }
    return left << f->half_bits | right;
}

static void expander_parents(const weir_registered_porep *r, uint64_t node, uint64_t *parents)
{
    uint64_t domain = (uint64_t)WEIR_POREP_EXP_PARENTS << r->shape->nodes_log2;
    uint8_t seed[32];
    derive_seed(seed, "Filecoin_Feistel", r);
    feistel f = {.half_bits = 1};
    for (unsigned i = 0; i < 3; i++) f.key[i] = weir_load_le64(seed + 8 * i);
    while (UINT64_C(1) << (2 * f.half_bits) < domain) f.half_bits++;
    f.mask = (UINT64_C(1) << f.half_bits) - 1;
    for (unsigned i = 0; i < WEIR_POREP_EXP_PARENTS; i++) {
        /* Cycle walking: the permutation's domain is up to four times too large. */
        uint64_t x = feistel_apply(&f, WEIR_POREP_EXP_PARENTS * node + i);
        while (x >= domain) x = feistel_apply(&f, x);
        if (r->legacy) x = (uint32_t)x; /* API 1.0.0 cut the index to 32 bits before the division */
        parents[i] = x / WEIR_POREP_EXP_PARENTS;
    }
}

void weir_porep_parents(const weir_registered_porep *r, uint64_t node,
                        uint64_t parents[WEIR_POREP_PARENTS])
{
    drg_parents(r, node, parents);
    expander_parents(r, node, parents + WEIR_POREP_DRG_PARENTS);
}
