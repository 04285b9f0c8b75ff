/* The loops of one prime field, an include-template. Before including, define
 *   L_(name)  the prefix of what is made here; P_(name), X_(name) the prefixes of the routines of one and of eight elements
 *   L_T, L_X8 the types
 */

/* operation: a constant of weir_bench_op, so that the choice is made when compiling */
static inline __attribute__((always_inline)) void L_(one)(L_T *r, const L_T *a, const L_T *b,
                                                          weir_bench_op op)
{
    if (op == WEIR_BENCH_mul) P_(mul)(r, a, b);
    if (op == WEIR_BENCH_sqr) P_(sqr)(r, a);
    if (op == WEIR_BENCH_add) P_(add)(r, a, b);
}

static inline __attribute__((always_inline)) void L_(eight)(L_X8 *r, const L_X8 *a, const L_X8 *b,
                                                            weir_bench_op op)
{
    if (op == WEIR_BENCH_mul) X_(mul)(r, a, b);
    if (op == WEIR_BENCH_sqr) X_(sqr)(r, a);
    if (op == WEIR_BENCH_add) X_(add)(r, a, b);
}

/* Two at once, as hot loops do them. */
static inline __attribute__((always_inline)) void L_(pair)(L_X8 *r, const L_X8 *a, const L_X8 *b,
                                                           weir_bench_op op)
{
    L_X8 *const to[2] = {&r[0], &r[1]};
    const L_X8 *const x[2] = {&a[0], &a[1]}, *const y[2] = {&b[0], &b[1]};
    if (op == WEIR_BENCH_mul) X_(mul2)(to, x, y);
    if (op == WEIR_BENCH_sqr) X_(sqr2)(to, x);
    if (op == WEIR_BENCH_add)
        for (int i = 0; i < 2; i++) X_(add)(&r[i], &a[i], &b[i]);
}

static inline __attribute__((always_inline)) void
L_(scalar_loop)(L_T *r, const L_T *a, const L_T *b, size_t rounds, weir_bench_op op, int chains)
{
    if (chains == 0) {
        for (size_t k = 0; k < rounds; k++) {
            for (size_t i = 0; i < WEIR_BENCH_ELEMENTS; i++) L_(one)(&r[i], &a[i], &b[i], op);
            KEEP(r);
        }
        return;
    }
    L_T acc = a[0], other = b[0];
    for (size_t k = 0; k < rounds * WEIR_BENCH_ELEMENTS; k++) L_(one)(&acc, &acc, &other, op);
    r[0] = acc;
}

static void L_(load)(L_X8 *x, const L_T *a, size_t vectors)
{
    for (size_t v = 0; v < vectors; v++) {
        const uint64_t *p[8];
        for (size_t k = 0; k < 8; k++) p[k] = a[8 * v + k].l;
        X_(load)(&x[v], p);
    }
}

static void L_(store)(L_T *a, const L_X8 *x, size_t vectors)
{
    for (size_t v = 0; v < vectors; v++) {
        uint64_t *p[8];
        for (size_t k = 0; k < 8; k++) p[k] = a[8 * v + k].l;
        X_(store)(p, &x[v]);
    }
}

/* Bounds: loaded values are below 2^SHIFT, products of two below 2^(2 SHIFT) modulus/R + 1, sums below 2 2^SHIFT: store
 * takes them all. A chain of products with a loaded value, and one of squares, falls at every step until it is below 3. */
static inline __attribute__((always_inline)) void
L_(x8_loop)(L_T *r, const L_T *a, const L_T *b, size_t rounds, weir_bench_op op, int chains)
{
    L_X8 x[VECTORS], y[VECTORS], z[VECTORS];
    L_(load)(x, a, VECTORS);
    L_(load)(y, b, VECTORS);
    if (chains == 0) {
        for (size_t k = 0; k < rounds; k++) {
            for (size_t v = 0; v < VECTORS; v += 2) L_(pair)(&z[v], &x[v], &y[v], op);
            KEEP(z);
        }
        L_(store)(r, z, VECTORS);
        return;
    }
    const size_t steps = rounds * VECTORS / (size_t)chains;
    for (size_t k = 0; k < steps; k++) {
        if (chains == 2)
            L_(pair)(x, x, y, op);
        else
            L_(eight)(x, x, y, op);
    }
    L_(store)(r, x, (size_t)chains);
}

#define LOOP_1(op, chains)                                                                         \
    static void L_(op##_1_##chains)(L_T * r, const L_T *a, const L_T *b, size_t rounds)            \
    {                                                                                              \
        L_(scalar_loop)(r, a, b, rounds, WEIR_BENCH_##op, chains);                                 \
    }
#define LOOP_8(op, chains)                                                                         \
    static void L_(op##_8_##chains)(L_T * r, const L_T *a, const L_T *b, size_t rounds)            \
    {                                                                                              \
        L_(x8_loop)(r, a, b, rounds, WEIR_BENCH_##op, chains);                                     \
    }
#define LOOP(op, lanes, chains) LOOP_##lanes(op, chains)
WEIR_BENCH_LOOP_LIST(LOOP)
#undef LOOP
#undef LOOP_1
#undef LOOP_8
