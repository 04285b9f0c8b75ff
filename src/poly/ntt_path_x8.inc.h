/* The butterflies eight at a time, up to four levels in one pass over the data; included by ntt_path.c on the ifma path.
 *
 * A group of k levels works on blocks of 2^k rows. A row is a run of elements; a vector is eight elements of one run, or,
 * where runs are shorter than a vector, the same element of eight neighbouring blocks. The 2^k vectors of a step stay in
 * the first-level cache in vector form through all k levels.
 *
 * Twiddle numbering within a group: level j, block b has place 2^j - 1 + b.
 *
 * Bounds (multiples of r, see field/mont52.inc.h; R is 35.3): loaded values <= 16; twiddles, products with something
 * below 1.5, are below 16 * 1.5/35.3 + 1 < 1.7.
 *   forward: the j-th level sees v <= 16 + 4 j <= 28, so t = v s < 28 * 1.7/35.3 + 1 < 2.4, and pads of 4 are enough: u + t
 *   and u - t + 4 stay below 16 + 4 * 4 = 32
 *   inverse: u + v <= 32, brought below 16 by one conditional subtraction; (v - u + 16) s < 32 * 1.7/35.3 + 1 < 3
 * all of it within what store takes (47) and a vector holds (35.3).
 */

enum { LANES = 8, GROUP = 4, ROWS = 1 << GROUP };

/* (u, v) <- (u + s v, u - s v) */
static __attribute__((noinline)) void butterfly_x8(weir_fr_x8 *u, weir_fr_x8 *v,
                                                   const weir_fr_x8 *s)
{
    weir_fr_x8 t, x = *u;
    fr_x8_mul(&t, v, s);
    fr_x8_sub(v, &x, &t, 2);
    fr_x8_add(u, &x, &t);
}

/* (u, v) <- (u + v, (v - u) s) */
static __attribute__((noinline)) void butterfly_back_x8(weir_fr_x8 *u, weir_fr_x8 *v,
                                                        const weir_fr_x8 *s)
{
    weir_fr_x8 d, x = *u, y = *v;
    fr_x8_sub(&d, &y, &x, 4);
    fr_x8_add(&x, &x, &y);
    fr_x8_reduce_by(&x, 4);
    *u = x;
    fr_x8_mul(v, &d, s);
}

/* k levels on 2^k vectors */
static void levels_x8(weir_fr_x8 *x, unsigned k, const weir_fr_x8 *s)
{
    for (unsigned j = 0; j < k; j++) {
        const unsigned half = 1u << (k - 1 - j);
        for (unsigned b = 0; b < 1u << j; b++)
            for (unsigned r = 0; r < half; r++)
                butterfly_x8(&x[2 * b * half + r], &x[(2 * b + 1) * half + r],
                             &s[(1u << j) - 1 + b]);
    }
}

static void levels_back_x8(weir_fr_x8 *x, unsigned k, const weir_fr_x8 *s)
{
    for (unsigned j = k; j-- > 0;) {
        const unsigned half = 1u << (k - 1 - j);
        for (unsigned b = 0; b < 1u << j; b++)
            for (unsigned r = 0; r < half; r++)
                butterfly_back_x8(&x[2 * b * half + r], &x[(2 * b + 1) * half + r],
                                  &s[(1u << j) - 1 + b]);
    }
}

/* One group of levels: what a tile, its twiddles and its place among the levels are. */
typedef struct group_x8 {
    weir_fr *tile;
    unsigned level, k; /* levels level .. level + k - 1 */
    size_t run;        /* elements of a row */
    const weir_fr *base, *table;
    bool back;
} group_x8;

/* The table's part of the twiddle of block b. The inverse transform's are negated but for block 0; its butterfly takes
 * v - u, so here block 0 is the one with a sign. */
static weir_fr table_twiddle(const group_x8 *g, size_t b)
{
    weir_fr s = g->table[g->back && b ? mirror(b) : b];
    if (g->back && !b) fr_neg(&s, &s);
    return s;
}

/* base of a level, or one; below 1.5 */
static void base_x8(weir_fr_x8 *r, const group_x8 *g, unsigned level)
{
    fr_x8_broadcast(r, g->base ? &g->base[level] : &fr_ONE);
    fr_x8_shrink(r);
}

/* All twiddles of eight blocks m, m + step, ...: step 0 for one block, 1 for neighbours. */
static void twiddles_x8(weir_fr_x8 *s, const group_x8 *g, size_t m, size_t step)
{
    for (unsigned j = 0; j < g->k; j++) {
        weir_fr_x8 base;
        base_x8(&base, g, g->level + j);
        for (size_t b = 0; b < (size_t)1 << j; b++) {
            weir_fr lane[LANES];
            const uint64_t *p[LANES];
            for (size_t l = 0; l < LANES; l++) {
                if (l == 0 || step) lane[l] = table_twiddle(g, ((m + step * l) << j) + b);
                p[l] = step ? lane[l].l : lane[0].l;
            }
            weir_fr_x8 *to = &s[((size_t)1 << j) - 1 + b];
            fr_x8_load(to, p);
            fr_x8_mul(to, to, &base);
        }
    }
}

/* A group whose runs hold whole vectors. */
static void wide_group_x8(const group_x8 *g)
{
    const size_t rows = (size_t)1 << g->k, blocks = (size_t)1 << g->level;
    weir_fr_x8 s[ROWS], x[ROWS];
    for (size_t m = 0; m < blocks; m++) {
        weir_fr *at = g->tile + m * rows * g->run;
        twiddles_x8(s, g, m, 0);
        for (size_t c = 0; c < g->run; c += LANES) {
            for (size_t r = 0; r < rows; r++) fr_x8_load_run(&x[r], at + r * g->run + c);
            if (g->back)
                levels_back_x8(x, g->k, s);
            else
                levels_x8(x, g->k, s);
            for (size_t r = 0; r < rows; r++) fr_x8_store_run(at + r * g->run + c, &x[r]);
        }
    }
}

/* A group whose runs are shorter: lanes are neighbouring blocks, of which there are at least eight. */
static void narrow_group_x8(const group_x8 *g)
{
    const size_t rows = (size_t)1 << g->k, blocks = (size_t)1 << g->level, block = rows * g->run;
    weir_fr_x8 s[ROWS], x[ROWS];
    uint64_t *p[LANES];
    for (size_t m = 0; m < blocks; m += LANES) {
        twiddles_x8(s, g, m, 1);
        for (size_t c = 0; c < g->run; c++) {
            for (size_t r = 0; r < rows; r++) {
                for (size_t l = 0; l < LANES; l++)
                    p[l] = g->tile[(m + l) * block + r * g->run + c].l;
                fr_x8_load(&x[r], (const uint64_t *const *)p);
            }
            if (g->back)
                levels_back_x8(x, g->k, s);
            else
                levels_x8(x, g->k, s);
            for (size_t r = 0; r < rows; r++) {
                for (size_t l = 0; l < LANES; l++)
                    p[l] = g->tile[(m + l) * block + r * g->run + c].l;
                fr_x8_store(p, &x[r]);
            }
        }
    }
}

/* Does the group if it fits vectors. */
static bool group_run_x8(const group_x8 *g)
{
    if (g->run % LANES == 0)
        wide_group_x8(g);
    else if (g->level >= 3)
        narrow_group_x8(g);
    else
        return false;
    return true;
}

/* Levels first .. levels - 1 in groups as even as they come. Gives how many levels a group at `done` takes. */
static unsigned group_size(unsigned left)
{
    const unsigned groups = (left + GROUP - 1) / GROUP;
    return (left + groups - 1) / groups;
}

/* Levels from 0 on; gives the first level that is left. */
static unsigned forward_groups(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base,
                               const weir_fr *table)
{
    unsigned i = 0;
    while (i < levels) {
        unsigned k = group_size(levels - i);
        group_x8 g = {tile, i, k, width << (levels - i - k), base, table, false};
        if (!group_run_x8(&g)) break;
        i += k;
    }
    return i;
}

/* Levels from the last down to `last`; gives the level below which something is left. */
static unsigned inverse_groups(weir_fr *tile, unsigned levels, unsigned last, size_t width,
                               const weir_fr *base, const weir_fr *table)
{
    unsigned top = levels;
    while (top > last) {
        unsigned k = group_size(top - last);
        group_x8 g = {tile, top - k, k, width << (levels - top), base, table, true};
        if (!group_run_x8(&g)) break;
        top -= k;
    }
    return top;
}

static void run_x8(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s, bool back)
{
    weir_fr_x8 k, x, y;
    fr_x8_broadcast(&k, s);
    fr_x8_shrink(&k);
    for (size_t j = 0; j < n; j += LANES) {
        fr_x8_load_run(&x, u + j);
        fr_x8_load_run(&y, v + j);
        if (back)
            butterfly_back_x8(&x, &y, &k);
        else
            butterfly_x8(&x, &y, &k);
        fr_x8_store_run(u + j, &x);
        fr_x8_store_run(v + j, &y);
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
    fr_x8_broadcast(&k, s);
    fr_x8_shrink(&k);
    for (size_t j = 0; j < n; j += LANES) {
        fr_x8_load_run(&x, a + j);
        fr_x8_mul(&x, &x, &k);
        fr_x8_store_run(a + j, &x);
    }
}
