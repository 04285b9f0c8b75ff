/* Sum and difference by explicit carry chains, an include-template of mont.inc.h for x86-64. Any such processor
 * runs it; the portable bodies cost four times as much, because the compiler moves each carry through a register.
 * Same contract as the portable bodies, which tests compare it with. M_N is 4 or 6. CT: constant time.
 */

#if M_N == 6

/* Below 2 * modulus, so no carry leaves the top limb. */
static inline void M_(add_x86)(M_T *r, const M_T *a, const M_T *b)
{
    uint64_t t0 = a->l[0], t1 = a->l[1], t2 = a->l[2], t3 = a->l[3], t4 = a->l[4], t5 = a->l[5];
    __asm__("addq %6, %0\n\t"
            "adcq %7, %1\n\t"
            "adcq %8, %2\n\t"
            "adcq %9, %3\n\t"
            "adcq %10, %4\n\t"
            "adcq %11, %5\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3), "+&r"(t4), "+&r"(t5)
            : "m"(b->l[0]), "m"(b->l[1]), "m"(b->l[2]), "m"(b->l[3]), "m"(b->l[4]), "m"(b->l[5])
            : "cc");
    uint64_t s0 = t0, s1 = t1, s2 = t2, s3 = t3, s4 = t4, s5 = t5;
    __asm__("subq %12, %6\n\t"
            "sbbq %13, %7\n\t"
            "sbbq %14, %8\n\t"
            "sbbq %15, %9\n\t"
            "sbbq %16, %10\n\t"
            "sbbq %17, %11\n\t"
            "cmovncq %6, %0\n\t"
            "cmovncq %7, %1\n\t"
            "cmovncq %8, %2\n\t"
            "cmovncq %9, %3\n\t"
            "cmovncq %10, %4\n\t"
            "cmovncq %11, %5\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3), "+&r"(t4), "+&r"(t5), "+&r"(s0),
              "+&r"(s1), "+&r"(s2), "+&r"(s3), "+&r"(s4), "+&r"(s5)
            : "m"(M_(MODULUS).l[0]), "m"(M_(MODULUS).l[1]), "m"(M_(MODULUS).l[2]),
              "m"(M_(MODULUS).l[3]), "m"(M_(MODULUS).l[4]), "m"(M_(MODULUS).l[5])
            : "cc");
    r->l[0] = t0;
    r->l[1] = t1;
    r->l[2] = t2;
    r->l[3] = t3;
    r->l[4] = t4;
    r->l[5] = t5;
}

static inline void M_(sub_x86)(M_T *r, const M_T *a, const M_T *b)
{
    uint64_t t0 = a->l[0], t1 = a->l[1], t2 = a->l[2], t3 = a->l[3], t4 = a->l[4], t5 = a->l[5],
             borrow;
    __asm__("subq %7, %0\n\t"
            "sbbq %8, %1\n\t"
            "sbbq %9, %2\n\t"
            "sbbq %10, %3\n\t"
            "sbbq %11, %4\n\t"
            "sbbq %12, %5\n\t"
            "sbbq %6, %6\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3), "+&r"(t4), "+&r"(t5), "=&r"(borrow)
            : "m"(b->l[0]), "m"(b->l[1]), "m"(b->l[2]), "m"(b->l[3]), "m"(b->l[4]), "m"(b->l[5])
            : "cc");
    uint64_t p0 = M_(MODULUS).l[0] & borrow, p1 = M_(MODULUS).l[1] & borrow,
             p2 = M_(MODULUS).l[2] & borrow, p3 = M_(MODULUS).l[3] & borrow,
             p4 = M_(MODULUS).l[4] & borrow, p5 = M_(MODULUS).l[5] & borrow;
    __asm__("addq %6, %0\n\t"
            "adcq %7, %1\n\t"
            "adcq %8, %2\n\t"
            "adcq %9, %3\n\t"
            "adcq %10, %4\n\t"
            "adcq %11, %5\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3), "+&r"(t4), "+&r"(t5)
            : "rm"(p0), "rm"(p1), "rm"(p2), "rm"(p3), "rm"(p4), "rm"(p5)
            : "cc");
    r->l[0] = t0;
    r->l[1] = t1;
    r->l[2] = t2;
    r->l[3] = t3;
    r->l[4] = t4;
    r->l[5] = t5;
}

#elif M_N == 4

/* Below 2 * modulus, so no carry leaves the top limb. */
static inline void M_(add_x86)(M_T *r, const M_T *a, const M_T *b)
{
    uint64_t t0 = a->l[0], t1 = a->l[1], t2 = a->l[2], t3 = a->l[3];
    __asm__("addq %4, %0\n\t"
            "adcq %5, %1\n\t"
            "adcq %6, %2\n\t"
            "adcq %7, %3\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3)
            : "m"(b->l[0]), "m"(b->l[1]), "m"(b->l[2]), "m"(b->l[3])
            : "cc");
    uint64_t s0 = t0, s1 = t1, s2 = t2, s3 = t3;
    __asm__("subq %8, %4\n\t"
            "sbbq %9, %5\n\t"
            "sbbq %10, %6\n\t"
            "sbbq %11, %7\n\t"
            "cmovncq %4, %0\n\t"
            "cmovncq %5, %1\n\t"
            "cmovncq %6, %2\n\t"
            "cmovncq %7, %3\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3), "+&r"(s0), "+&r"(s1), "+&r"(s2), "+&r"(s3)
            : "m"(M_(MODULUS).l[0]), "m"(M_(MODULUS).l[1]), "m"(M_(MODULUS).l[2]),
              "m"(M_(MODULUS).l[3])
            : "cc");
    r->l[0] = t0;
    r->l[1] = t1;
    r->l[2] = t2;
    r->l[3] = t3;
}

static inline void M_(sub_x86)(M_T *r, const M_T *a, const M_T *b)
{
    uint64_t t0 = a->l[0], t1 = a->l[1], t2 = a->l[2], t3 = a->l[3], borrow;
    __asm__("subq %5, %0\n\t"
            "sbbq %6, %1\n\t"
            "sbbq %7, %2\n\t"
            "sbbq %8, %3\n\t"
            "sbbq %4, %4\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3), "=&r"(borrow)
            : "m"(b->l[0]), "m"(b->l[1]), "m"(b->l[2]), "m"(b->l[3])
            : "cc");
    uint64_t p0 = M_(MODULUS).l[0] & borrow, p1 = M_(MODULUS).l[1] & borrow,
             p2 = M_(MODULUS).l[2] & borrow, p3 = M_(MODULUS).l[3] & borrow;
    __asm__("addq %4, %0\n\t"
            "adcq %5, %1\n\t"
            "adcq %6, %2\n\t"
            "adcq %7, %3\n\t"
            : "+&r"(t0), "+&r"(t1), "+&r"(t2), "+&r"(t3)
            : "rm"(p0), "rm"(p1), "rm"(p2), "rm"(p3)
            : "cc");
    r->l[0] = t0;
    r->l[1] = t1;
    r->l[2] = t2;
    r->l[3] = t3;
}

#else
#error "4 or 6 limbs"
#endif
