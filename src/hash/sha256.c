#include "hash/sha256.h"

#include "base/bytes.h"
#include "base/isa.h"
#include "hash/sha256_shani.h"

#include <stdatomic.h>
#include <string.h>

const uint32_t weir_sha256_iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* FIPS 180-4, 4.2.2: fractional parts of the cube roots of the first 64 primes. */
const uint32_t weir_sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotr(uint32_t x, unsigned k)
{
    return x >> k | x << (32 - k);
}

static void compress_one(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) w[i] = weir_load_be32(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t e = s[4], a = s[0];
        uint32_t t1 = s[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                      weir_sha256_k[i] + w[i];
        uint32_t t2 =
            (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

void weir_sha256_compress_portable(uint32_t state[8], const uint8_t *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++) compress_one(state, blocks + 64 * i);
}

void weir_sha256_compress2_portable(uint32_t state[2][8], const uint8_t *const blocks[2], size_t n)
{
    for (int i = 0; i < 2; i++) weir_sha256_compress_portable(state[i], blocks[i], n);
}

#ifdef WEIR_HAVE_SHANI
/* CPUID traps to the hypervisor in virtual machines (tens of microseconds), so its answer is kept:
 * 0 not asked yet, 1 no, 2 yes. Every thread would write the same value and nothing else depends on
 * it: relaxed is enough. */
static bool has_shani(void)
{
    static atomic_int answer;
    int a = atomic_load_explicit(&answer, memory_order_relaxed);
    if (a == 0) {
        a = weir_cpu_has_sha() ? 2 : 1;
        atomic_store_explicit(&answer, a, memory_order_relaxed);
    }
    return a == 2;
}

weir_sha256_compress_fn weir_sha256_compress_shani(void)
{
    return has_shani() ? weir_sha256_compress_shani_body : NULL;
}

void weir_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n)
{
    if (has_shani())
        weir_sha256_compress_shani_body(state, blocks, n);
    else
        weir_sha256_compress_portable(state, blocks, n);
}

weir_sha256_compress2_fn weir_sha256_compress2_shani(void)
{
    return has_shani() ? weir_sha256_compress2_shani_body : NULL;
}

void weir_sha256_compress2(uint32_t state[2][8], const uint8_t *const blocks[2], size_t n)
{
    if (has_shani())
        weir_sha256_compress2_shani_body(state, blocks, n);
    else
        weir_sha256_compress2_portable(state, blocks, n);
}
#else
weir_sha256_compress_fn weir_sha256_compress_shani(void)
{
    return NULL;
}

weir_sha256_compress2_fn weir_sha256_compress2_shani(void)
{
    return NULL;
}

void weir_sha256_compress2(uint32_t state[2][8], const uint8_t *const blocks[2], size_t n)
{
    weir_sha256_compress2_portable(state, blocks, n);
}

void weir_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n)
{
    weir_sha256_compress_portable(state, blocks, n);
}
#endif

void weir_sha256_init(weir_sha256 *s)
{
    memcpy(s->state, weir_sha256_iv, sizeof s->state);
    s->bytes = 0;
}

void weir_sha256_update(weir_sha256 *s, const void *data, size_t n)
{
    const uint8_t *p = data;
    size_t have = s->bytes % 64;
    s->bytes += n;
    if (have) {
        size_t take = n < 64 - have ? n : 64 - have;
        memcpy(s->block + have, p, take);
        if (have + take < 64) return;
        weir_sha256_compress(s->state, s->block, 1);
        p += take;
        n -= take;
    }
    if (n >= 64) weir_sha256_compress(s->state, p, n / 64);
    if (n % 64) memcpy(s->block, p + (n - n % 64), n % 64);
}

void weir_sha256_final(weir_sha256 *s, uint8_t out[32])
{
    size_t have = s->bytes % 64;
    uint64_t bits = 8 * s->bytes;
    s->block[have++] = 0x80;
    if (have > 56) {
        memset(s->block + have, 0, 64 - have);
        weir_sha256_compress(s->state, s->block, 1);
        have = 0;
    }
    memset(s->block + have, 0, 56 - have);
    weir_store_be64(s->block + 56, bits);
    weir_sha256_compress(s->state, s->block, 1);
    for (int i = 0; i < 8; i++) weir_store_be32(out + 4 * i, s->state[i]);
}

void weir_sha256_hash(uint8_t out[32], const void *data, size_t n)
{
    weir_sha256 s;
    weir_sha256_init(&s);
    weir_sha256_update(&s, data, n);
    weir_sha256_final(&s, out);
}

/* The end of a message of n bytes: what is left over by blocks, the padding, the length. Gives its blocks, 1 or 2. */
static size_t last_blocks(uint8_t out[128], const uint8_t *data, size_t n)
{
    size_t have = n % 64, blocks = have < 56 ? 1 : 2;
    memset(out, 0, 128);
    if (have) memcpy(out, data + (n - have), have);
    out[have] = 0x80;
    weir_store_be64(out + 64 * blocks - 8, 8 * (uint64_t)n);
    return blocks;
}

void weir_sha256_hash2(uint8_t *const out[2], const void *const data[2], size_t n)
{
    uint32_t state[2][8];
    uint8_t last[2][128];
    const uint8_t *const blocks[2] = {data[0], data[1]};
    const uint8_t *const end[2] = {last[0], last[1]};
    size_t m = 0;
    for (int i = 0; i < 2; i++) {
        memcpy(state[i], weir_sha256_iv, sizeof state[i]);
        m = last_blocks(last[i], data[i], n);
    }
    if (n >= 64) weir_sha256_compress2(state, blocks, n / 64);
    weir_sha256_compress2(state, end, m);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 8; k++) weir_store_be32(out[i] + 4 * k, state[i][k]);
}
