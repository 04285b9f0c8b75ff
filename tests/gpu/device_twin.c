#include "device_twin.h"

#include "gpu/bench_ops.h"
#include "gpu/bench_phases.h"
#include "gpu/gpu_batch_inv.h"

#include <stdlib.h>
#include <string.h>

/* splitmix64, as in the test kit, which needs more libraries than a device machine may have. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* ---- inputs: every operation's input is an array of elements of Fp or of Fr. */

/* Below 2p; if special sometimes one of 0, 1, p - 1, p, 2p - 1. */
static void random_fp(weir_dfp *r, uint64_t *g, bool special)
{
    const uint32_t p[WEIR_DFP_N] = WEIR_FP_MODULUS_32, p2[WEIR_DFP_N] = WEIR_FP_TWICE_32;
    for (int i = 0; i < WEIR_DFP_N; i++) r->l[i] = (uint32_t)next(g);
    r->l[WEIR_DFP_N - 1] %= p2[WEIR_DFP_N - 1];
    uint64_t kind = next(g) % 64;
    if (!special) return;
    if (kind < 2) {
        dfp_set_zero(r);
        r->l[0] = (uint32_t)kind;
    } else if (kind < 5) {
        memcpy(r, kind < 4 ? p : p2, sizeof *r);
        r->l[0] -= kind != 3;
    }
}

/* Below r; if special sometimes 0, 1 or r - 1. */
static void random_fr(weir_dfr *r, uint64_t *g, bool special)
{
    const uint32_t p[WEIR_DFR_N] = WEIR_FR_MODULUS_32;
    for (int i = 0; i < WEIR_DFR_N; i++) r->l[i] = (uint32_t)next(g);
    r->l[WEIR_DFR_N - 1] %= p[WEIR_DFR_N - 1];
    uint64_t kind = next(g) % 64;
    if (!special) return;
    if (kind < 2) {
        dfr_set_zero(r);
        r->l[0] = (uint32_t)kind;
    } else if (kind == 2) {
        memcpy(r, p, sizeof *r);
        r->l[0]--;
    }
}

static void fill_fp(void *in, size_t bytes, uint64_t seed, bool special)
{
    weir_dfp *e = in;
    for (size_t i = 0; i < bytes / sizeof *e; i++) random_fp(&e[i], &seed, special);
}

static void fill_fr(void *in, size_t bytes, uint64_t seed, bool special)
{
    weir_dfr *e = in;
    for (size_t i = 0; i < bytes / sizeof *e; i++) random_fr(&e[i], &seed, special);
}

void twin_fill_fp(void *out, size_t n, uint64_t seed)
{
    weir_dfp *e = out;
    fill_fp(out, n * sizeof *e, seed, true);
    for (size_t i = 0; i < n; i += 97) dfp_set_zero(&e[i]);
}

void twin_fill_fr(void *out, size_t n, uint64_t seed)
{
    weir_dfr *e = out;
    fill_fr(out, n * sizeof *e, seed, true);
    for (size_t i = 0; i < n; i += 97) dfr_set_zero(&e[i]);
}

/* Of 16 threads one each: accumulator infinite, point infinite, equal, opposite. */
#define SPECIAL_MADD(g)                                                                            \
    static void special_##g##_madd(bench_##g##_madd_in *in, size_t i)                              \
    {                                                                                              \
        if (i % 16 == 1) d##g##_set_infinity(&in->p);                                              \
        if (i % 16 == 2) d##g##_affine_set_infinity(&in->q[0]);                                    \
        if (i % 16 == 3 || i % 16 == 4) {                                                          \
            d##g##_from_affine(&in->p, &in->q[0]);                                                 \
            d##g##_affine_neg_if(&in->q[0], &in->q[0], i % 16 == 4);                               \
        }                                                                                          \
    }
SPECIAL_MADD(g1)
SPECIAL_MADD(g2)

#define SPECIAL_PAIR(g)                                                                            \
    static void special_##g##_pair(bench_##g##_pair_in *in, size_t i)                              \
    {                                                                                              \
        if (i % 16 == 1) d##g##_affine_set_infinity(&in->p);                                       \
        if (i % 16 == 2) d##g##_affine_set_infinity(&in->q[0]);                                    \
        if (i % 16 == 3 || i % 16 == 4) d##g##_affine_neg_if(&in->p, &in->q[0], i % 16 == 4);      \
    }
SPECIAL_PAIR(g1)
SPECIAL_PAIR(g2)

#define NO_SPECIAL(name, IN)                                                                       \
    static void special_##name(IN *in, size_t i)                                                   \
    {                                                                                              \
        (void)in;                                                                                  \
        (void)i;                                                                                   \
    }
NO_SPECIAL(fp_mul, bench_fp_pair)
NO_SPECIAL(fp_sqr, weir_dfp)
NO_SPECIAL(fp_add, bench_fp_pair)
NO_SPECIAL(fr_mul, bench_fr_pair)
NO_SPECIAL(fp2_mul, bench_fp2_pair)
NO_SPECIAL(fp2_call, bench_fp2_pair)

/* ---- the table */

#define OP(name, IN, OUT, per, text)                                                               \
    static void fill_##name(void *in, size_t threads, uint64_t seed, bool special)                 \
    {                                                                                              \
        IN *e = in;                                                                                \
        if (strncmp(#name, "fr", 2) == 0)                                                          \
            fill_fr(in, threads * sizeof *e, seed, special);                                       \
        else                                                                                       \
            fill_fp(in, threads * sizeof *e, seed, special);                                       \
        for (size_t i = 0; special && i < threads; i++) special_##name(&e[i], i);                  \
    }                                                                                              \
    static void run_##name(void *out, const void *in, size_t threads, uint32_t rounds)             \
    {                                                                                              \
        for (size_t i = 0; i < threads; i++)                                                       \
            bench_##name((OUT *)out + i, (const IN *)in + i, rounds);                              \
    }
WEIR_BENCH_OPS(OP)

#define ROW(name, IN, OUT, per, text)                                                              \
    {#name, text, sizeof(IN), sizeof(OUT), per, fill_##name, run_##name},
static const twin_op table[] = {WEIR_BENCH_OPS(ROW)};

const twin_op *twin_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

/* ---- kernels in phases */

WEIR_HOST_RUN(run_dfp_batch_inv, dfp_batch_inv)
WEIR_HOST_RUN(run_dfr_batch_inv, dfr_batch_inv)
WEIR_HOST_RUN(run_bench_scan, bench_scan)

#define RUN(NAME, a, blocks, threads)                                                              \
    do {                                                                                           \
        NAME##_shared *s = calloc(1, sizeof *s);                                                   \
        NAME##_own *own = calloc(threads, sizeof *own);                                            \
        uint32_t *order = calloc(threads, sizeof *order);                                          \
        bool ok = s && own && order;                                                               \
        for (uint32_t i = 0; ok && i < threads; i++) order[i] = threads - 1 - i;                   \
        if (ok) run_##NAME(a, s, own, blocks, threads, order);                                     \
        free(order);                                                                               \
        free(own);                                                                                 \
        free(s);                                                                                   \
        return ok;                                                                                 \
    } while (0)

bool twin_fp_batch_inv(void *out, const void *in, uint64_t n, uint32_t blocks, uint32_t threads)
{
    const dfp_batch_inv_args a = {out, in, n};
    RUN(dfp_batch_inv, &a, blocks, threads);
}

bool twin_fr_batch_inv(void *out, const void *in, uint64_t n, uint32_t blocks, uint32_t threads)
{
    const dfr_batch_inv_args a = {out, in, n};
    RUN(dfr_batch_inv, &a, blocks, threads);
}

bool twin_scan(uint32_t *before, uint32_t *total, const uint32_t *in, uint32_t blocks,
               uint32_t threads)
{
    const bench_scan_args a = {in, before, total};
    RUN(bench_scan, &a, blocks, threads);
}
