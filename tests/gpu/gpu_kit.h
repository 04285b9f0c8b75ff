/* What tests of src/gpu share: values of the host's types as kernels hold them, and random representations. */
#ifndef WEIR_TEST_GPU_KIT_H
#define WEIR_TEST_GPU_KIT_H

#include "gpu/gpu_ec.h"
#include "gpu/gpu_fr.h"
#include "testkit.h"

#include "curve/types.h"
#include "field/types.h"

#include <string.h>

enum { KIT_CASES = 10000 };

static inline void kit_fp_in(weir_dfp *r, const weir_fp *a)
{
    memcpy(r, a, sizeof *a);
}
static inline void kit_fr_in(weir_dfr *r, const weir_fr *a)
{
    memcpy(r, a, sizeof *a);
}

/* True if a < k p, k = 1 or 2. */
static inline bool kit_fp_below(const weir_dfp *a, int k)
{
    const uint32_t p[2][WEIR_DFP_N] = {WEIR_FP_MODULUS_32, WEIR_FP_TWICE_32};
    for (int i = WEIR_DFP_N - 1; i >= 0; i--)
        if (a->l[i] != p[k - 1][i]) return a->l[i] < p[k - 1][i];
    return false;
}

/* The element that a stands for; a must be below 2p. */
static inline void kit_fp_out(weir_fp *r, const weir_dfp *a)
{
    weir_dfp t;
    assert_true(kit_fp_below(a, 2));
    dfp_reduce(&t, a);
    assert_true(kit_fp_below(&t, 1));
    memcpy(r, &t, sizeof *r);
}
static inline void kit_fr_out(weir_fr *r, const weir_dfr *a)
{
    memcpy(r, a, sizeof *r);
}

/* a + p at random: another representation of the same element. In: a < p. */
static inline void kit_fp_lift(tk_rng *g, weir_dfp *a)
{
    const uint32_t p[WEIR_DFP_N] = WEIR_FP_MODULUS_32;
    weir_dfp k;
    memcpy(&k, p, sizeof k);
    if (tk_below(g, 2)) dfp_add_plain(a, a, &k);
}

/* Half special values, half random ones; *d is *h in one of its two representations. */
static inline void kit_fp(tk_rng *g, weir_fp *h, weir_dfp *d)
{
    weir_fp s[64];
    size_t n = tk_fp_specials(s, 64);
    if (tk_below(g, 2))
        *h = s[tk_below(g, n)];
    else
        tk_fp(g, h);
    kit_fp_in(d, h);
    kit_fp_lift(g, d);
}
static inline void kit_fr(tk_rng *g, weir_fr *h, weir_dfr *d)
{
    weir_fr s[64];
    size_t n = tk_fr_specials(s, 64);
    if (tk_below(g, 2))
        *h = s[tk_below(g, n)];
    else
        tk_fr(g, h);
    kit_fr_in(d, h);
}
static inline void kit_fp2(tk_rng *g, weir_fp2 *h, weir_dfp2 *d)
{
    kit_fp(g, &h->c0, &d->c0);
    kit_fp(g, &h->c1, &d->c1);
}

/* The same limbs. An expression. */
#define kit_same(a, b) assert_true(sizeof *(a) == sizeof *(b) && memcmp(a, b, sizeof *(a)) == 0)

static inline void kit_fp_is(const weir_dfp *got, const weir_fp *want)
{
    weir_fp t;
    kit_fp_out(&t, got);
    kit_same(&t, want);
}
static inline void kit_fp2_is(const weir_dfp2 *got, const weir_fp2 *want)
{
    kit_fp_is(&got->c0, &want->c0);
    kit_fp_is(&got->c1, &want->c1);
}

#endif
