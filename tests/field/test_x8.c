/* Eight at a time equals one at a time, lane by lane, on every path: random and special values, values at the bounds. */
#include <string.h>

#include "field/fp2.h"
#include "field/fr.h"

#include "testkit.h"
#include "x8_path.h"

#define EXPECT(pfx, T, PRODUCTS)                                                                   \
    static void pfx##_expect(int op, T *r, const T *a, const T *b)                                 \
    {                                                                                              \
        T t;                                                                                       \
        switch (op) {                                                                              \
        case X8_MUL:                                                                               \
            pfx##_mul(r, a, b);                                                                    \
            break;                                                                                 \
        case X8_SQR:                                                                               \
            pfx##_sqr(r, a);                                                                       \
            break;                                                                                 \
        case X8_ADD:                                                                               \
            pfx##_add(r, a, b);                                                                    \
            break;                                                                                 \
        case X8_SUB:                                                                               \
            pfx##_sub(r, a, b);                                                                    \
            break;                                                                                 \
        case X8_NEG:                                                                               \
            pfx##_neg(r, a);                                                                       \
            break;                                                                                 \
        case X8_CHAIN:                                                                             \
            pfx##_mul(&t, a, b);                                                                   \
            pfx##_add(&t, &t, a);                                                                  \
            pfx##_mul(&t, &t, b);                                                                  \
            pfx##_sub(r, &t, a);                                                                   \
            break;                                                                                 \
        case X8_LAZY:                                                                              \
            pfx##_sub(&t, a, b);                                                                   \
            pfx##_sub(r, &t, b);                                                                   \
            break;                                                                                 \
        case X8_PAIR: /* (a - b) (a + 2 b), or (a - b) (a + b) */                                  \
            pfx##_add(&t, a, b);                                                                   \
            if (PRODUCTS) pfx##_add(&t, &t, b);                                                    \
            pfx##_sub(r, a, b);                                                                    \
            pfx##_mul(r, r, &t);                                                                   \
            break;                                                                                 \
        default:                                                                                   \
            *r = *a;                                                                               \
        }                                                                                          \
    }
EXPECT(fp, weir_fp, true)
EXPECT(fp2, weir_fp2, false)
EXPECT(fr, weir_fr, true)

#define RUN(pfx, T, random_value)                                                                  \
    static void pfx##_lanes(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        tk_rng g = tk_rng_new();                                                                   \
        for (weir_isa isa = 0; tk_next_path(&isa); isa++) {                                        \
            for (unsigned i = 0; i < 400; i++) {                                                   \
                T a[8], b[8], got[8], want;                                                        \
                for (unsigned k = 0; k < 8; k++) {                                                 \
                    random_value(&g, &a[k]);                                                       \
                    random_value(&g, &b[k]);                                                       \
                    if (tk_below(&g, 6) == 0) b[k] = a[k];                                         \
                }                                                                                  \
                for (int op = 0; op < X8_OPS; op++) {                                              \
                    memset(got, 0xff, sizeof got);                                                 \
                    x8_path_get(isa)->pfx(op, got, a, b);                                          \
                    for (unsigned k = 0; k < 8; k++) {                                             \
                        pfx##_expect(op, &want, &a[k], &b[k]);                                     \
                        if (memcmp(&got[k], &want, sizeof want) != 0)                              \
                            fail_msg("%s: operation %d, lane %u", weir_isa_name(isa), op, k);      \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

static void any_fp(tk_rng *g, weir_fp *r)
{
    weir_fp special[64];
    size_t n = tk_fp_specials(special, 64);
    if (tk_below(g, 2))
        *r = special[tk_below(g, n)];
    else
        tk_fp(g, r);
}

static void any_fp2(tk_rng *g, weir_fp2 *r)
{
    any_fp(g, &r->c0);
    any_fp(g, &r->c1);
}

static void any_fr(tk_rng *g, weir_fr *r)
{
    weir_fr special[64];
    size_t n = tk_fr_specials(special, 64);
    if (tk_below(g, 2))
        *r = special[tk_below(g, n)];
    else
        tk_fr(g, r);
}

RUN(fp, weir_fp, any_fp)
RUN(fp2, weir_fp2, any_fp2)
RUN(fr, weir_fr, any_fr)

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fp_lanes),
        cmocka_unit_test(fp2_lanes),
        cmocka_unit_test(fr_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
