#include "msm_host.h"

#include "msm_input.h"

#include "curve/curve.h"
#include "field/fr.h"
#include "gpu/gpu_msm_join.h"
#include "msm/msm.h"

#include <stdlib.h>
#include <string.h>

static weir_exec exec(void)
{
    return (weir_exec){.isa = weir_isa_best()};
}

static const weir_curve_ops *curve(void)
{
    return weir_curve_ops_get(weir_isa_best());
}

static void random_fr(weir_fr *r, uint64_t *state)
{
    weir_scalar s;
    msm_input_scalar((uint32_t *)(void *)s.l, MSM_INPUT_RANDOM, (*state)++ << 20, 0);
    fr_from_scalar(r, &s);
}

/* ---- multiples of the generator */

static weir_err multiples(bool g2, void *points, const weir_scalar *k, size_t n, weir_pool *pool,
                          weir_errinfo *ei)
{
    weir_exec x = exec();
    x.pool = pool;
    weir_err err;
    if (g2) {
        weir_fixed_g2 *t;
        WEIR_TRY(weir_fixed_g2_new(&t, weir_g2_generator(), n, &x, ei));
        err = weir_fixed_g2_mul(t, points, k, n, &x, ei);
        weir_fixed_g2_free(t);
    } else {
        weir_fixed_g1 *t;
        WEIR_TRY(weir_fixed_g1_new(&t, weir_g1_generator(), n, &x, ei));
        err = weir_fixed_g1_mul(t, points, k, n, &x, ei);
        weir_fixed_g1_free(t);
    }
    return err;
}

weir_err host_points(bool g2, void *points, size_t n, uint64_t seed, weir_pool *pool,
                     weir_errinfo *ei)
{
    weir_scalar *k = malloc((n + 1) * sizeof *k);
    weir_fr f;
    if (!k) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    fr_set_zero(&f);
    for (size_t i = 0; i < n; i++) {
        uint64_t kind = msm_input_hash(seed, ~i) % 50;
        if (kind == 1) fr_neg(&f, &f);
        if (kind > 2) random_fr(&f, &seed);
        fr_to_scalar(&k[i], &f);
        if (kind == 0) k[i] = (weir_scalar){{0}};
    }
    weir_err err = multiples(g2, points, k, n, pool, ei);
    free(k);
    return err;
}

int host_percent(uint64_t seed, uint64_t i)
{
    return (int)(msm_input_hash(seed, i) % 100);
}

void host_scalars(weir_scalar *k, size_t n, int kind, uint64_t seed)
{
    static const int kinds[HOST_SCALAR_KINDS] = {MSM_INPUT_RANDOM, MSM_INPUT_EQUAL, MSM_INPUT_SMALL,
                                                 MSM_INPUT_RANDOM, MSM_INPUT_RANDOM};
    for (size_t i = 0; i < n; i++) {
        msm_input_scalar((uint32_t *)(void *)k[i].l, kinds[kind], seed, i);
        if (kind == 3 && k[i].l[0] % 30) k[i] = (weir_scalar){{0}};
        if (kind == 4) k[i] = (weir_scalar){{12345}};
    }
}

/* ---- the CPU's sums */

static void to_affine(bool g2, void *affine, const void *jacobian)
{
    weir_fp2 scratch;
    if (g2)
        curve()->g2s_to_affine(affine, jacobian, 1, &scratch);
    else
        curve()->g1s_to_affine(affine, jacobian, 1, &scratch.c0);
}

weir_err host_msm(bool g2, void *affine, const void *points, const weir_scalar *k, size_t n,
                  weir_errinfo *ei)
{
    weir_exec x = exec();
    weir_g1 p;
    weir_g2 q;
    if (g2)
        WEIR_TRY(weir_msm_g2(&q, points, k, n, &x, ei));
    else
        WEIR_TRY(weir_msm_g1(&p, points, k, n, &x, ei));
    to_affine(g2, affine, g2 ? (const void *)&q : &p);
    return WEIR_OK;
}

weir_err host_sum_bits(bool g2, void *affine, const void *points, const uint64_t *bits, size_t n,
                       weir_errinfo *ei)
{
    weir_exec x = exec();
    weir_g1 p;
    weir_g2 q;
    if (g2)
        WEIR_TRY(weir_sum_bits_g2(&q, points, bits, n, &x, ei));
    else
        WEIR_TRY(weir_sum_bits_g1(&p, points, bits, n, &x, ei));
    to_affine(g2, affine, g2 ? (const void *)&q : &p);
    return WEIR_OK;
}

void host_join(bool g2, void *affine, const void *jacobian, uint32_t windows, uint32_t c)
{
    weir_g1 p;
    weir_g2 q;
    if (g2)
        weir_dmsm_join_g2(&q, jacobian, windows, c, curve());
    else
        weir_dmsm_join_g1(&p, jacobian, windows, c, curve());
    to_affine(g2, affine, g2 ? (const void *)&q : &p);
}

/* ---- points of a closed form */

void host_form_init(host_form *f, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        weir_fr t;
        random_fr(&t, &seed);
        fr_to_scalar(&f->r[i], &t);
    }
}

weir_err host_form_table(const host_form *f, bool g2, bool low, void *points, size_t n,
                         weir_errinfo *ei)
{
    weir_scalar *k = malloc((n + 1) * sizeof *k);
    weir_fr first, step;
    if (!k) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    fr_from_scalar(&first, &f->r[low ? 0 : 2]);
    fr_from_scalar(&step, &f->r[low ? 1 : 3]);
    for (size_t i = 0; i < n; i++) {
        fr_to_scalar(&k[i], &first);
        fr_add(&first, &first, &step);
    }
    weir_err err = multiples(g2, points, k, n, NULL, ei);
    free(k);
    return err;
}

/* r += x of n words, times b */
static void add_wide(weir_fr *r, const uint64_t *x, int n, uint64_t b)
{
    weir_fr t, word, base, two64;
    fr_set_zero(&t);
    fr_from_u64(&base, (uint64_t)1 << 32);
    fr_mul(&two64, &base, &base);
    for (int i = n; i-- > 0;) {
        fr_mul(&t, &t, &two64);
        fr_from_u64(&word, x[i]);
        fr_add(&t, &t, &word);
    }
    fr_from_u64(&word, b);
    fr_mul(&t, &t, &word);
    fr_add(r, r, &t);
}

/* x += k m, of six and of four words */
static void add_product(uint64_t x[6], const uint64_t k[4], uint64_t m)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < 6; i++) {
        carry += (unsigned __int128)x[i] + (i < 4 ? (unsigned __int128)k[i] * m : 0);
        x[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* Numbers of one b from i on, below end. */
static uint64_t sums_row(host_sums *s, int kind, uint64_t seed, uint64_t i, uint64_t end)
{
    uint64_t b = i >> MSM_INPUT_LOG, k[4], plain[6] = {0}, by_a[6] = {0};
    for (; i < end && i >> MSM_INPUT_LOG == b; i++) {
        msm_input_scalar((uint32_t *)(void *)k, kind, seed, i);
        add_product(plain, k, 1);
        add_product(by_a, k, i & ((1u << MSM_INPUT_LOG) - 1));
    }
    add_wide(&s->k, plain, 6, 1);
    add_wide(&s->ak, by_a, 6, 1);
    add_wide(&s->bk, plain, 6, b);
    return i;
}

void host_sums_scalars(host_sums *s, int kind, uint64_t seed, uint64_t n)
{
    while (s->done < n) s->done = sums_row(s, kind, seed, s->done, n);
}

void host_sums_bits(host_sums *s, uint64_t seed, uint64_t n)
{
    uint64_t count = 0, a = 0, b = 0;
    for (uint64_t i = s->done; i < n; i++) {
        uint64_t bit = msm_input_hash(seed, i / 64) >> (i % 64) & 1;
        count += bit;
        a += bit * (i & ((1u << MSM_INPUT_LOG) - 1));
        b += bit * (i >> MSM_INPUT_LOG);
    }
    s->done = n;
    add_wide(&s->k, &count, 1, 1);
    add_wide(&s->ak, &a, 1, 1);
    add_wide(&s->bk, &b, 1, 1);
}

void host_form_sum(const host_form *f, bool g2, void *affine, const host_sums *s)
{
    weir_fr sum, t, r[4];
    weir_scalar k;
    weir_g1 p;
    weir_g2 q;
    for (int i = 0; i < 4; i++) fr_from_scalar(&r[i], &f->r[i]);
    fr_add(&sum, &r[0], &r[2]);
    fr_mul(&sum, &sum, &s->k);
    fr_mul(&t, &r[1], &s->ak);
    fr_add(&sum, &sum, &t);
    fr_mul(&t, &r[3], &s->bk);
    fr_add(&sum, &sum, &t);
    fr_to_scalar(&k, &sum);
    if (g2)
        curve()->g2_mul(&q, weir_g2_generator(), &k);
    else
        curve()->g1_mul(&p, weir_g1_generator(), &k);
    to_affine(g2, affine, g2 ? (const void *)&q : &p);
}
