/* Secrets of keys and of proofs. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "field/fr.h"
#include "groth16/groth16.h"
#include "hash/sha256.h"

#include <string.h>

static void from_seed(weir_scalar *out, const char *name, uint64_t seed)
{
    static const char label[] = "weir insecure key";
    uint8_t bytes[32];
    weir_sha256 h;
    weir_store_le64(bytes, seed);
    weir_sha256_init(&h);
    weir_sha256_update(&h, label, sizeof label - 1);
    weir_sha256_update(&h, name, strlen(name));
    weir_sha256_update(&h, bytes, 8);
    weir_sha256_final(&h, bytes);
    bytes[31] &= 0x3f; /* below 2^254 < r */
    scalar_from_le(out, bytes);
}

void weir_secrets_from_seed(weir_secrets *out, uint64_t seed)
{
    from_seed(&out->alpha, "alpha", seed);
    from_seed(&out->beta, "beta", seed);
    from_seed(&out->gamma, "gamma", seed);
    from_seed(&out->delta, "delta", seed);
    from_seed(&out->tau, "tau", seed);
}

/* 255 random bits until they are below r: under 1.2 tries on average. */
static weir_err random_scalar(weir_scalar *out, weir_errinfo *ei)
{
    uint8_t bytes[32];
    do {
        WEIR_TRY(weir_rng_bytes(bytes, sizeof bytes, ei));
        bytes[31] &= 0x7f;
        scalar_from_le(out, bytes);
    } while (!scalar_is_reduced(out));
    weir_wipe(bytes, sizeof bytes);
    return WEIR_OK;
}

weir_err weir_blinding_fresh(weir_blinding *out, weir_errinfo *ei)
{
    WEIR_TRY(random_scalar(&out->r, ei));
    return random_scalar(&out->s, ei);
}
