/* The butterflies eight at a time, two levels in one pass over the data; included by ntt_path.c on the ifma path.
 *
 * Bounds (multiples of r, see field/mont52.inc.h; R is 35.3): loaded values <= 16, twiddles < 1.5 after shrink.
 *   forward, level by level: t = v s < 18 * 1.5/35.3 + 1 < 2; u + t < 18, u - t + 2 < 18; after two levels < 20
 *   inverse: u + v <= 32, brought below 16 by one conditional subtraction before the second level; (u - v + 16) s < 3
 * all of it within what store takes (47) and a vector holds (35.3).
 */

enum { LANES = 8 };

static inline void twiddle_x8(weir_fr_x8 *r, const weir_fr *s)
{
    fr_x8_broadcast(r, s);
    fr_x8_shrink(r);
}

/* (u, v) <- (u + s v, u - s v) */
V8_INLINE void butterfly_x8(weir_fr_x8 *u, weir_fr_x8 *v, const weir_fr_x8 *s)
{
    weir_fr_x8 t;
    fr_x8_mul(&t, v, s);
    fr_x8_sub(v, u, &t, 1);
    fr_x8_add(u, u, &t);
}

/* (u, v) <- (u + v, (u - v) s), or (v - u) s */
V8_INLINE void butterfly_back_x8(weir_fr_x8 *u, weir_fr_x8 *v, const weir_fr_x8 *s, bool negated)
{
    weir_fr_x8 d;
    if (negated)
        fr_x8_sub(&d, v, u, 4);
    else
        fr_x8_sub(&d, u, v, 4);
    fr_x8_add(u, u, v);
    fr_x8_mul(v, &d, s);
}

static void forward_run_x8(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s)
{
    weir_fr_x8 k, x, y;
    twiddle_x8(&k, s);
    for (size_t j = 0; j < n; j += LANES) {
        fr_x8_load_run(&x, u + j);
        fr_x8_load_run(&y, v + j);
        butterfly_x8(&x, &y, &k);
        fr_x8_store_run(u + j, &x);
        fr_x8_store_run(v + j, &y);
    }
}

/* Four quarters of n: level i joins 0 with 2 and 1 with 3 by s[0], level i + 1 joins 0 with 1 by s[1], 2 with 3 by s[2]. */
static void forward_two_x8(weir_fr *a, size_t n, const weir_fr s[3])
{
    weir_fr_x8 k[3], x[4];
    for (int i = 0; i < 3; i++) twiddle_x8(&k[i], &s[i]);
    for (size_t j = 0; j < n; j += LANES) {
        for (size_t q = 0; q < 4; q++) fr_x8_load_run(&x[q], a + q * n + j);
        butterfly_x8(&x[0], &x[2], &k[0]);
        butterfly_x8(&x[1], &x[3], &k[0]);
        butterfly_x8(&x[0], &x[1], &k[1]);
        butterfly_x8(&x[2], &x[3], &k[2]);
        for (size_t q = 0; q < 4; q++) fr_x8_store_run(a + q * n + j, &x[q]);
    }
}

static void inverse_run_x8(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s, bool negated)
{
    weir_fr_x8 k, x, y;
    twiddle_x8(&k, s);
    for (size_t j = 0; j < n; j += LANES) {
        fr_x8_load_run(&x, u + j);
        fr_x8_load_run(&y, v + j);
        butterfly_back_x8(&x, &y, &k, negated);
        fr_x8_store_run(u + j, &x);
        fr_x8_store_run(v + j, &y);
    }
}

/* The reverse of forward_two_x8; first: the block is the level's first, whose twiddles are not negated. */
static void inverse_two_x8(weir_fr *a, size_t n, const weir_fr s[3], bool first)
{
    weir_fr_x8 k[3], x[4];
    for (int i = 0; i < 3; i++) twiddle_x8(&k[i], &s[i]);
    for (size_t j = 0; j < n; j += LANES) {
        for (size_t q = 0; q < 4; q++) fr_x8_load_run(&x[q], a + q * n + j);
        butterfly_back_x8(&x[0], &x[1], &k[1], !first);
        butterfly_back_x8(&x[2], &x[3], &k[2], true);
        fr_x8_reduce_by(&x[0], 4);
        fr_x8_reduce_by(&x[2], 4);
        butterfly_back_x8(&x[0], &x[2], &k[0], !first);
        butterfly_back_x8(&x[1], &x[3], &k[0], !first);
        for (size_t q = 0; q < 4; q++) fr_x8_store_run(a + q * n + j, &x[q]);
    }
}

static void mul_x8(weir_fr *r, const weir_fr *a, const weir_fr *b, size_t n)
{
    weir_fr_x8 x, y;
    for (size_t j = 0; j < n; j += LANES) {
        fr_x8_load_run(&x, a + j);
        fr_x8_load_run(&y, b + j);
        fr_x8_mul(&x, &x, &y);
        fr_x8_store_run(r + j, &x);
    }
}

static void scale_x8(weir_fr *a, size_t n, const weir_fr *s)
{
    weir_fr_x8 k, x;
    twiddle_x8(&k, s);
    for (size_t j = 0; j < n; j += LANES) {
        fr_x8_load_run(&x, a + j);
        fr_x8_mul(&x, &x, &k);
        fr_x8_store_run(a + j, &x);
    }
}

static weir_fr twiddle(const weir_fr *base, const weir_fr *table, unsigned level, size_t block)
{
    weir_fr s = table[block];
    if (base) fr_mul(&s, &s, &base[level]);
    return s;
}

/* Levels i and i + 1 together from level 0 on, as often as whole vectors fit; gives the first level that is left. */
static unsigned forward_pairs(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base,
                              const weir_fr *table)
{
    unsigned i = 0;
    for (; i + 2 <= levels && (width << (levels - 2 - i)) % LANES == 0; i += 2) {
        const size_t blocks = (size_t)1 << i, quarter = width << (levels - 2 - i);
        for (size_t m = 0; m < blocks; m++) {
            weir_fr s[3] = {twiddle(base, table, i, m), twiddle(base, table, i + 1, 2 * m),
                            twiddle(base, table, i + 1, 2 * m + 1)};
            forward_two_x8(tile + 4 * m * quarter, quarter, s);
        }
    }
    return i;
}

/* Levels level - 1 and level - 2 together, downwards, while both are at least `last` and whole vectors fit. Gives the
 * level below which something is left. */
static unsigned inverse_pairs(weir_fr *tile, unsigned levels, unsigned level, unsigned last,
                              size_t width, const weir_fr *base_inv, const weir_fr *table)
{
    for (; level >= last + 2 && (width << (levels - level)) % LANES == 0; level -= 2) {
        const size_t blocks = (size_t)1 << (level - 2), quarter = width << (levels - level);
        for (size_t m = 0; m < blocks; m++) {
            const size_t block[3] = {m, 2 * m, 2 * m + 1};
            weir_fr s[3];
            for (unsigned k = 0; k < 3; k++)
                s[k] =
                    twiddle(base_inv, table, level - (k ? 1 : 2), block[k] ? mirror(block[k]) : 0);
            inverse_two_x8(tile + 4 * m * quarter, quarter, s, m == 0);
        }
    }
    return level;
}
