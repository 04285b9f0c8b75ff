/* Carry chains over 32-bit limbs. C and C++ (CUDA) both include this header.
 *
 * A name says what an operation does with the carry: _cc leaves one, an operation that ends its first word with c
 * (addc, madc, subc) takes one. A chain is a row of operations that each take what the one before left:
 *
 *     add_cc, addc_cc, ..., addc
 *
 * On the device the carry is the processor's flag and `c` is not used; between two operations of a chain no other
 * chain may start. ptxas makes of a pair mad_lo_cc(a, b, x), madc_hi_cc(a, b, y) one 64-bit multiply-add
 * (IMAD.WIDE.U32). On the host the carry is *c; operations that take it assert that it is 0 or 1.
 * After a subtraction the carry is a borrow; a chain does not mix the two kinds.
 * Source: PTX ISA 9.0, "Extended-Precision Integer Arithmetic Instructions".
 */
#ifndef WEIR_GPU_LIMBS_H
#define WEIR_GPU_LIMBS_H

#include "gpu/gpu_hd.h"

#include <assert.h>

typedef uint32_t weir_carry;

#ifdef __CUDACC__

#define WEIR_LIMB2(name, ptx)                                                                      \
    WEIR_HD uint32_t limb_##name(uint32_t a, uint32_t b, weir_carry *c)                            \
    {                                                                                              \
        uint32_t r;                                                                                \
        (void)c;                                                                                   \
        asm volatile(ptx ".u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                           \
        return r;                                                                                  \
    }
#define WEIR_LIMB3(name, ptx)                                                                      \
    WEIR_HD uint32_t limb_##name(uint32_t a, uint32_t b, uint32_t d, weir_carry *c)                \
    {                                                                                              \
        uint32_t r;                                                                                \
        (void)c;                                                                                   \
        asm volatile(ptx ".u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(d));               \
        return r;                                                                                  \
    }
WEIR_LIMB2(add_cc, "add.cc")
WEIR_LIMB2(addc_cc, "addc.cc")
WEIR_LIMB2(addc, "addc")
WEIR_LIMB2(addc_wrap, "addc")
WEIR_LIMB2(sub_cc, "sub.cc")
WEIR_LIMB2(subc_cc, "subc.cc")
WEIR_LIMB2(subc, "subc")
WEIR_LIMB3(mad_lo_cc, "mad.lo.cc")
WEIR_LIMB3(madc_lo_cc, "madc.lo.cc")
WEIR_LIMB3(madc_hi_cc, "madc.hi.cc")
WEIR_LIMB3(madc_hi, "madc.hi")
#undef WEIR_LIMB2
#undef WEIR_LIMB3

/* r += k modulo 2^256 if r, in two's complement, is negative: eight words each, predicated additions and no branch. */
WEIR_HD void limbs_lift(uint32_t *r, const uint32_t *k)
{
    asm volatile("{\n\t.reg .pred q;\n\t"
                 "setp.lt.s32 q, %7, 0;\n\t"
                 "@q add.cc.u32 %0, %0, %8;\n\t"
                 "@q addc.cc.u32 %1, %1, %9;\n\t"
                 "@q addc.cc.u32 %2, %2, %10;\n\t"
                 "@q addc.cc.u32 %3, %3, %11;\n\t"
                 "@q addc.cc.u32 %4, %4, %12;\n\t"
                 "@q addc.cc.u32 %5, %5, %13;\n\t"
                 "@q addc.cc.u32 %6, %6, %14;\n\t"
                 "@q addc.cc.u32 %7, %7, %15;\n\t}"
                 : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]),
                   "+r"(r[6]), "+r"(r[7])
                 : "r"(k[0]), "r"(k[1]), "r"(k[2]), "r"(k[3]), "r"(k[4]), "r"(k[5]), "r"(k[6]),
                   "r"(k[7]));
}

#else

WEIR_HD uint32_t limb_host_sum(uint64_t a, uint64_t b, weir_carry in, weir_carry *out)
{
    uint64_t s = a + b + in;
    assert(in <= 1);
    *out = (weir_carry)(s >> 32);
    return (uint32_t)s;
}
WEIR_HD uint32_t limb_host_difference(uint64_t a, uint64_t b, weir_carry in, weir_carry *out)
{
    uint64_t d = a - b - in;
    assert(in <= 1);
    *out = (weir_carry)(d >> 63);
    return (uint32_t)d;
}
WEIR_HD uint64_t limb_host_product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

/* r = a + b */
WEIR_HD uint32_t limb_add_cc(uint32_t a, uint32_t b, weir_carry *c)
{
    return limb_host_sum(a, b, 0, c);
}
WEIR_HD uint32_t limb_addc_cc(uint32_t a, uint32_t b, weir_carry *c)
{
    return limb_host_sum(a, b, *c, c);
}
/* The top of a sum that is known to fit, which the host checks. */
WEIR_HD uint32_t limb_addc(uint32_t a, uint32_t b, weir_carry *c)
{
    uint32_t r = limb_host_sum(a, b, *c, c);
    assert(*c == 0);
    return r;
}
/* The top of a sum modulo 2^(32 n). */
WEIR_HD uint32_t limb_addc_wrap(uint32_t a, uint32_t b, weir_carry *c)
{
    weir_carry lost;
    return limb_host_sum(a, b, *c, &lost);
}
/* r = a - b; subc: the top of a difference modulo 2^(32 n) */
WEIR_HD uint32_t limb_sub_cc(uint32_t a, uint32_t b, weir_carry *c)
{
    return limb_host_difference(a, b, 0, c);
}
WEIR_HD uint32_t limb_subc_cc(uint32_t a, uint32_t b, weir_carry *c)
{
    return limb_host_difference(a, b, *c, c);
}
WEIR_HD uint32_t limb_subc(uint32_t a, uint32_t b, weir_carry *c)
{
    weir_carry lost;
    return limb_host_difference(a, b, *c, &lost);
}
/* r = low or high half of a * b, plus d */
WEIR_HD uint32_t limb_mad_lo_cc(uint32_t a, uint32_t b, uint32_t d, weir_carry *c)
{
    return limb_host_sum((uint32_t)limb_host_product(a, b), d, 0, c);
}
WEIR_HD uint32_t limb_madc_lo_cc(uint32_t a, uint32_t b, uint32_t d, weir_carry *c)
{
    return limb_host_sum((uint32_t)limb_host_product(a, b), d, *c, c);
}
WEIR_HD uint32_t limb_madc_hi_cc(uint32_t a, uint32_t b, uint32_t d, weir_carry *c)
{
    return limb_host_sum(limb_host_product(a, b) >> 32, d, *c, c);
}
/* The top of a row: the sum is known to fit, which the host checks. */
WEIR_HD uint32_t limb_madc_hi(uint32_t a, uint32_t b, uint32_t d, weir_carry *c)
{
    uint32_t r = limb_host_sum(limb_host_product(a, b) >> 32, d, *c, c);
    assert(*c == 0);
    return r;
}

WEIR_HD void limbs_lift(uint32_t *r, const uint32_t *k)
{
    weir_carry c = 0;
    uint32_t mask = 0u - (r[7] >> 31);
    for (int i = 0; i < 8; i++) r[i] = limb_addc_cc(r[i], k[i] & mask, &c);
}

#endif

/* 1 or 0: the carry that a chain of additions left. */
WEIR_HD uint32_t limb_carry(weir_carry *c)
{
    return limb_addc(0, 0, c);
}
/* All ones or 0: the borrow that a chain of subtractions left. */
WEIR_HD uint32_t limb_borrow_mask(weir_carry *c)
{
    return limb_subc(0, 0, c);
}

#endif
