#include "x8_path.h"

#include "field/fp2_x8.h"
#include "field/fr_x8.h"

/* CHAIN keeps everything in vector form at the top of the stated bounds: shrink(a b + a) b - a. */
#define PRIME(pfx, T, X)                                                                           \
    static void pfx##_op(int op, T r[8], const T a[8], const T b[8])                               \
    {                                                                                              \
        const uint64_t *pa[8], *pb[8];                                                             \
        uint64_t *pr[8];                                                                           \
        X x, y, z;                                                                                 \
        for (int k = 0; k < 8; k++) {                                                              \
            pa[k] = a[k].l;                                                                        \
            pb[k] = b[k].l;                                                                        \
            pr[k] = r[k].l;                                                                        \
        }                                                                                          \
        pfx##_x8_load(&x, pa);                                                                     \
        pfx##_x8_load(&y, pb);                                                                     \
        z = x;                                                                                     \
        if (op == X8_MUL) pfx##_x8_mul(&z, &x, &y);                                                \
        if (op == X8_SQR) pfx##_x8_sqr(&z, &x);                                                    \
        if (op == X8_ADD) pfx##_x8_add(&z, &x, &y);                                                \
        if (op == X8_SUB) pfx##_x8_sub(&z, &x, &y, pfx##_x8_SHIFT);                                \
        if (op == X8_NEG) pfx##_x8_neg(&z, &x, pfx##_x8_SHIFT);                                    \
        if (op == X8_CHAIN) {                                                                      \
            pfx##_x8_mul(&z, &x, &y);                                                              \
            pfx##_x8_add(&z, &z, &x);                                                              \
            pfx##_x8_shrink(&z);                                                                   \
            pfx##_x8_mul(&z, &z, &y);                                                              \
            pfx##_x8_sub(&z, &z, &x, pfx##_x8_SHIFT);                                              \
        }                                                                                          \
        if (op == X8_LAZY) {                                                                       \
            pfx##_x8_settle(&x, 0);                                                                \
            pfx##_x8_settle(&y, 0);                                                                \
            pfx##_x8_lazy_sub(&z, &x, &y);                                                         \
            pfx##_x8_lazy_sub(&z, &z, &y);                                                         \
            pfx##_x8_settle(&z, 2);                                                                \
        }                                                                                          \
        if (op == X8_PAIR) {                                                                       \
            X u, v, w;                                                                             \
            pfx##_x8_settle(&x, 0);                                                                \
            pfx##_x8_settle(&y, 0);                                                                \
            pfx##_x8_mul2((X *const[]){&z, &u}, (const X *const[]){&x, &y},                        \
                          (const X *const[]){&y, &y});                                             \
            pfx##_x8_sqr2((X *const[]){&v, &w}, (const X *const[]){&x, &y});                       \
            pfx##_x8_lazy_mul2((X *const[]){&x, &y}, (const X *const[]){&y, &y},                   \
                               (const X *const[]){&x, &y});                                        \
            pfx##_x8_lazy_sub(&x, &z, &x); /* zero */                                              \
            pfx##_x8_lazy_add(&z, &z, &x);                                                         \
            pfx##_x8_lazy_sub(&y, &y, &u); /* zero */                                              \
            pfx##_x8_lazy_add(&z, &z, &y);                                                         \
            pfx##_x8_lazy_sub(&z, &z, &u);                                                         \
            pfx##_x8_lazy_add(&z, &z, &v);                                                         \
            pfx##_x8_lazy_sub(&z, &z, &w);                                                         \
            pfx##_x8_settle(&z, 4);                                                                \
        }                                                                                          \
        pfx##_x8_store(pr, &z);                                                                    \
    }
PRIME(fp, weir_fp, weir_fp_x8)
PRIME(fr, weir_fr, weir_fr_x8)

static void fp2_op(int op, weir_fp2 r[8], const weir_fp2 a[8], const weir_fp2 b[8])
{
    const uint64_t *pa[8], *pb[8];
    uint64_t *pr[8];
    weir_fp2_x8 x, y, z;
    for (int k = 0; k < 8; k++) {
        pa[k] = a[k].c0.l;
        pb[k] = b[k].c0.l;
        pr[k] = r[k].c0.l;
    }
    fp2_x8_load(&x, pa);
    fp2_x8_load(&y, pb);
    z = x;
    /* one factor of a product is small, as everywhere */
    if (op == X8_MUL || op == X8_CHAIN || op == X8_SQR) fp2_x8_shrink(&z);
    if (op == X8_MUL) fp2_x8_mul(&z, &z, &y, 32);
    if (op == X8_SQR) fp2_x8_sqr(&z, &z, 1);
    if (op == X8_ADD) fp2_x8_add(&z, &x, &y);
    if (op == X8_SUB) fp2_x8_sub(&z, &x, &y, 32);
    if (op == X8_NEG) {
        fp2_x8_sub(&z, &x, &x, 32);
        fp2_x8_sub(&z, &z, &x, 32);
        fp2_x8_shrink(&z);
    }
    if (op == X8_CHAIN) {
        fp2_x8_mul(&z, &z, &y, 32);
        fp2_x8_add(&z, &z, &x);
        fp2_x8_shrink(&z);
        fp2_x8_mul(&z, &z, &y, 32);
        fp2_x8_sub(&z, &z, &x, 32);
    }
    if (op == X8_LAZY) {
        fp2_x8_lazy_sub(&z, &x, &y);
        fp2_x8_lazy_sub(&z, &z, &y);
        fp2_x8_settle(&z, 33);
    }
    if (op == X8_PAIR) {
        fp2_x8_settle(&x, 1);
        fp2_x8_settle(&y, 1);
        fp2_x8_sqr(&z, &x, 1);
        fp2_x8_sqr(&y, &y, 1);
        fp2_x8_lazy_sub(&z, &z, &y);
        fp2_x8_lift(&z, 2);
    }
    fp2_x8_store(pr, &z);
}

const x8_path WEIR_ISA_NAME(x8_path) = {.fp = fp_op, .fp2 = fp2_op, .fr = fr_op};
