/* The butterflies eight at a time, up to six levels in one pass over the data; included by ntt_path.c on the ifma path.
 *
 * A group of k levels works on blocks of 2^k rows; a row is a run of elements. In a wide group a vector is eight elements
 * of one run and all its lanes have the same twiddle. In a narrow group, where runs are shorter, lanes are eight
 * neighbouring blocks. The vectors of a step stay in the first-level cache, in limbs, through all k levels. Between the
 * groups of a tile the words of eight elements lie in vectors, word by word, and need not be reduced.
 *
 * A transform is linear, so the data keep the scalar form's factor, x 2^256, and no shift is needed: only twiddles are in
 * the vector form, s 2^260.
 *
 * Twiddle numbering within a group: level j, block b has place 2^j - 1 + b.
 *
 * Bounds (multiples of r, see field/mont52.inc.h; R is 35.3). Twiddles are below 1.06, values between groups below 2.
 *   forward: v is lifted by 16, and t = s v < 35 * 1.06/35.3 + 1 < 2.1; six levels end within -12.6 and 14.6. Settling
 *   sees at most 14.6 + 17 = 31.6 < 0.9 R.
 *   inverse: sums double to 16 in three levels, then they are settled; v - u + 16 < 32, and its products are below 2.
 * Limbs: those of a product are below 2^57, sums of six levels below 2^60.
 */

enum { LANES = 8, GROUP = 6, NARROW = 4, ROWS = 1 << GROUP, SETTLED_LEVELS = 3 };

/* One group of levels: what a tile, its twiddles and its place among the levels are. */
typedef struct group_x8 {
    weir_fr *tile;
    unsigned level, k; /* levels level .. level + k - 1 */
    size_t run;        /* elements of a row */
    const weir_fr *table;
    const weir_fr_x8 *scale; /* what level 0 leaves is multiplied by it; NULL: one */
    bool back;
    bool first, last;       /* of the tile's groups: reads, writes the scalar form */
    weir_fr_x8 base[GROUP]; /* of level + j, base 2^264 */
} group_x8;

/* ---- butterflies */

/* A twiddle of one block of eight for all lanes, or of each lane's block. */
V8_INLINE void pick(weir_fr_x8 *r, const weir_fr_x8 *s, const size_t *lane)
{
#pragma GCC unroll 8
    for (int j = 0; j < 5; j++) r->l[j] = lane ? v8_set(s->l[j][*lane]) : s->l[j];
}

/* (u, v) <- (u + s v, u - s v), twice */
V8_INLINE void butterflies(weir_fr_x8 *const u[2], weir_fr_x8 *const v[2], const weir_fr_x8 s[2])
{
    weir_fr_x8 t[2], y[2] = {*v[0], *v[1]};
    fr_x8_lift(&y[0], 4);
    fr_x8_lift(&y[1], 4);
    fr_x8_lazy_mul2((weir_fr_x8 *const[]){&t[0], &t[1]}, (const weir_fr_x8 *const[]){&s[0], &s[1]},
                    (const weir_fr_x8 *const[]){&y[0], &y[1]});
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        const weir_fr_x8 x = *u[i];
        fr_x8_lazy_sub(v[i], &x, &t[i]);
        fr_x8_lazy_add(u[i], &x, &t[i]);
    }
}

/* (u, v) <- (u + v, (v - u) s), twice */
V8_INLINE void butterflies_back(weir_fr_x8 *const u[2], weir_fr_x8 *const v[2],
                                const weir_fr_x8 s[2], bool settle)
{
    weir_fr_x8 d[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        const weir_fr_x8 x = *u[i], y = *v[i];
        fr_x8_lazy_sub(&d[i], &y, &x);
        fr_x8_lift(&d[i], 4);
        fr_x8_lazy_add(u[i], &x, &y);
        if (settle) fr_x8_settle(u[i], 0);
    }
    fr_x8_lazy_mul2(v, (const weir_fr_x8 *const[]){&s[0], &s[1]},
                    (const weir_fr_x8 *const[]){&d[0], &d[1]});
}

/* One level on `pairs` pairs of vectors, an even number, blocks of 2^log2_half pairs. */
V8_INLINE void level_x8(weir_fr_x8 *x, size_t pairs, unsigned log2_half, const weir_fr_x8 *s,
                        const size_t *lane, bool back, bool settle)
{
    const size_t half = (size_t)1 << log2_half;
    for (size_t p = 0; p < pairs; p += 2) {
        const size_t b[2] = {p >> log2_half, (p + 1) >> log2_half};
        weir_fr_x8 *const u[2] = {&x[p + (b[0] << log2_half)], &x[p + 1 + (b[1] << log2_half)]};
        weir_fr_x8 *const v[2] = {u[0] + half, u[1] + half};
        weir_fr_x8 t[2];
        pick(&t[0], &s[b[0]], lane);
        pick(&t[1], &s[b[1]], lane);
        if (back)
            butterflies_back(u, v, t, settle);
        else
            butterflies(u, v, t);
    }
}

static __attribute__((noinline)) void forward_wide(weir_fr_x8 *x, size_t pairs, unsigned log2_half,
                                                   const weir_fr_x8 *s, size_t lane)
{
    level_x8(x, pairs, log2_half, s, &lane, false, false);
}

static __attribute__((noinline)) void forward_narrow(weir_fr_x8 *x, size_t pairs,
                                                     unsigned log2_half, const weir_fr_x8 *s)
{
    level_x8(x, pairs, log2_half, s, NULL, false, false);
}

static __attribute__((noinline)) void back_wide(weir_fr_x8 *x, size_t pairs, unsigned log2_half,
                                                const weir_fr_x8 *s, size_t lane, bool settle)
{
    level_x8(x, pairs, log2_half, s, &lane, true, settle);
}

static __attribute__((noinline)) void back_narrow(weir_fr_x8 *x, size_t pairs, unsigned log2_half,
                                                  const weir_fr_x8 *s, bool settle)
{
    level_x8(x, pairs, log2_half, s, NULL, true, settle);
}

/* The levels of a group on n vectors, rows of n / 2^k. lane: NULL in a narrow group. */
static void levels_x8(const group_x8 *g, weir_fr_x8 *x, size_t n, const weir_fr_x8 *s,
                      const size_t *lane)
{
    const unsigned log2_n = (unsigned)__builtin_ctzll(n);
    for (unsigned i = 0; i < g->k; i++) {
        const unsigned j = g->back ? g->k - 1 - i : i, log2_half = log2_n - 1 - j;
        const weir_fr_x8 *t = &s[((size_t)1 << j) - 1];
        const bool settle = (i + 1) % SETTLED_LEVELS == 0 && i + 1 < g->k;
        if (g->back && lane)
            back_wide(x, n / 2, log2_half, t, *lane, settle);
        else if (g->back)
            back_narrow(x, n / 2, log2_half, t, settle);
        else if (lane)
            forward_wide(x, n / 2, log2_half, t, *lane);
        else
            forward_narrow(x, n / 2, log2_half, t);
    }
}

/* ---- twiddles */

/* The table's part of the twiddle of block b. The inverse transform's are negated but for block 0; its butterfly takes
 * v - u, so here block 0 is the one with a sign. */
static weir_fr table_twiddle(const group_x8 *g, size_t b)
{
    weir_fr s = g->table[g->back && b ? mirror(b) : b];
    if (g->back && !b) fr_neg(&s, &s);
    return s;
}

/* base of a level, or one, times 2^264; below 1.7 */
static void base_x8(weir_fr_x8 *r, const weir_fr *base)
{
    fr_x8_broadcast(r, base ? base : &fr_ONE);
    fr_x8_shrink(r);
    for (int i = 0; i < 4; i++) fr_x8_add(r, r, r);
    fr_x8_shrink(r);
}

/* The table's part of the twiddles of place (j, b) of blocks m to m + 7, of those that there are, and in words 4 to 7 of
 * place (j, b + 1) if j > 0. */
static void first_words(weir_v8 w[LANES], const group_x8 *g, unsigned j, size_t b)
{
    const size_t blocks = (size_t)1 << g->level;
    weir_fr lane[LANES][2];
    const uint64_t *p[LANES];
    for (size_t l = 0; l < LANES; l++) {
        const size_t at = ((l < blocks ? l : 0) << j) + b;
        lane[l][0] = table_twiddle(g, at);
        lane[l][1] = table_twiddle(g, j ? at + 1 : at);
        p[l] = lane[l][0].l;
    }
    v8_gather_rows(w, p, LANES);
}

/* The same for m > 0, where all lanes have their top bit, and so what mirror flips, in common. A pair that is flipped
 * stands the other way round. */
static void next_words(weir_v8 w[LANES], const group_x8 *g, unsigned j, size_t b, size_t m)
{
    const size_t at = (m << j) + b, flip = g->back ? at ^ mirror(at) : 0;
    const size_t pair = j ? 1 : 0;
    const uint64_t *p[LANES];
    for (size_t l = 0; l < LANES; l++) p[l] = g->table[((at + (l << j)) ^ flip) & ~pair].l;
    v8_gather_rows(w, p, pair ? LANES : 4);
    if (flip && pair) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            const weir_v8 t = w[i];
            w[i] = w[4 + i];
            w[4 + i] = t;
        }
    }
}

/* All twiddles of blocks m to m + 7. */
static __attribute__((noinline)) void twiddles_x8(weir_fr_x8 *s, const group_x8 *g, size_t m)
{
    for (unsigned j = 0; j < g->k; j++) {
        const weir_fr_x8 *base = &g->base[j];
        for (size_t b = 0; b < (size_t)1 << j; b += 2) {
            weir_fr_x8 *to = &s[((size_t)1 << j) - 1 + b], t[2], spare;
            weir_v8 w[LANES];
            if (m)
                next_words(w, g, j, b, m);
            else
                first_words(w, g, j, b);
            fr_x8_spread(&t[0], w, 0);
            fr_x8_spread(&t[1], w + 4, 0);
            fr_x8_mul2((weir_fr_x8 *const[]){to, j ? to + 1 : &spare},
                       (const weir_fr_x8 *const[]){base, base},
                       (const weir_fr_x8 *const[]){&t[0], &t[1]});
        }
    }
}

/* ---- moves */

/* Eight elements in a tile: words between groups, the scalar form before the first group and after the last. */
V8_INLINE void load_words(weir_v8 w[4], const weir_fr *a, bool scalar)
{
    if (scalar)
        fr_x8_run_words(w, a);
    else
        memcpy(w, a, 4 * sizeof *w);
}

V8_INLINE void store_words(weir_fr *a, const weir_v8 w[4], bool scalar)
{
    if (scalar)
        fr_x8_words_run(a, w);
    else
        memcpy(a, w, 4 * sizeof *w);
}

/* The words of what a group leaves: below 2, or reduced. */
V8_INLINE void settled_words(weir_v8 w[4], const weir_fr_x8 *x, bool back, bool reduced)
{
    weir_fr_x8 y = *x;
    fr_x8_settle(&y, back ? 0 : 4);
    if (reduced) fr_x8_reduce_by(&y, 0);
    fr_x8_pack(w, &y);
}

/* ---- groups */

/* Where a step works: x[i] is vector i % cols of row i / cols, at `at + i / cols * run`. */
typedef struct step_x8 {
    weir_fr *at;
    size_t n, cols, run;
} step_x8;

static inline weir_fr *vector_at(const step_x8 *p, size_t i)
{
    return p->cols == 1 ? p->at + i * p->run : p->at + i / 2 * p->run + i % 2 * LANES;
}

V8_INLINE void wide_load(weir_fr_x8 *x, const step_x8 *p, bool first)
{
    for (size_t i = 0; i < p->n; i++) {
        weir_v8 w[4];
        load_words(w, vector_at(p, i), first);
        fr_x8_spread(&x[i], w, 0);
    }
}

V8_INLINE void wide_store(const step_x8 *p, const weir_fr_x8 *x, bool back, bool last)
{
    for (size_t i = 0; i < p->n; i++) {
        weir_v8 w[4];
        settled_words(w, &x[i], back, last);
        store_words(vector_at(p, i), w, last);
    }
}

static __attribute__((noinline)) void scale_x8(weir_fr_x8 *x, size_t n, const weir_fr_x8 *scale)
{
    for (size_t i = 0; i < n; i++) {
        fr_x8_settle(&x[i], 0);
        fr_x8_mul(&x[i], &x[i], scale);
    }
}

static void wide_step(const group_x8 *g, const step_x8 *p, const weir_fr_x8 *s, size_t lane)
{
    weir_fr_x8 x[ROWS];
    if (g->first)
        wide_load(x, p, true);
    else
        wide_load(x, p, false);
    levels_x8(g, x, p->n, s, &lane);
    if (g->scale) scale_x8(x, p->n / 2, g->scale);
    if (g->back && g->last)
        wide_store(p, x, true, true);
    else if (g->back)
        wide_store(p, x, true, false);
    else if (g->last)
        wide_store(p, x, false, true);
    else
        wide_store(p, x, false, false);
}

/* A group whose runs hold whole vectors. */
static void wide_group_x8(const group_x8 *g)
{
    const size_t rows = (size_t)1 << g->k, blocks = (size_t)1 << g->level;
    const size_t cols = g->k == 1 ? 2 : 1;
    step_x8 p = {.n = rows * cols, .cols = cols, .run = g->run};
    weir_fr_x8 s[ROWS];
    for (size_t m = 0; m < blocks; m++) {
        if (m % LANES == 0) twiddles_x8(s, g, m);
        if (g->scale) fr_x8_mul(&s[0], &s[0], g->scale);
        for (size_t c = 0; c < g->run; c += cols * LANES) {
            p.at = g->tile + m * rows * g->run + c;
            wide_step(g, &p, s, m % LANES);
        }
    }
}

/* Which element of a run each lane of fr_x8_run_words holds. */
static const unsigned char run_order[LANES] = {0, 2, 1, 3, 4, 6, 5, 7};

/* Eight vectors of eight blocks, one each, to eight vectors with a lane for each block. */
static void narrow_load(const group_x8 *g, weir_fr_x8 *x, const weir_fr *at, size_t block)
{
    weir_v8 w[4][LANES], v[4];
    for (size_t l = 0; l < LANES; l++) {
        load_words(v, at + l * block, g->first);
        for (int i = 0; i < 4; i++) w[i][l] = v[i];
    }
    for (int i = 0; i < 4; i++) v8_transpose(w[i]);
    for (size_t e = 0; e < LANES; e++) {
        for (int i = 0; i < 4; i++) v[i] = w[i][e];
        fr_x8_spread(&x[run_order[e]], v, 0);
    }
}

static void narrow_store(const group_x8 *g, weir_fr *at, size_t block, const weir_fr_x8 *x)
{
    weir_v8 w[4][LANES], v[4];
    for (size_t e = 0; e < LANES; e++) {
        settled_words(v, &x[run_order[e]], g->back, g->last);
        for (int i = 0; i < 4; i++) w[i][e] = v[i];
    }
    for (int i = 0; i < 4; i++) v8_transpose(w[i]);
    for (size_t l = 0; l < LANES; l++) {
        for (int i = 0; i < 4; i++) v[i] = w[i][l];
        store_words(at + l * block, v, g->last);
    }
}

/* A group whose runs are shorter: of at least eight blocks, each of whole vectors. */
static void narrow_group_x8(const group_x8 *g)
{
    const size_t blocks = (size_t)1 << g->level, block = g->run << g->k;
    weir_fr_x8 s[1 << NARROW], x[ROWS];
    for (size_t m = 0; m < blocks; m += LANES) {
        weir_fr *at = g->tile + m * block;
        twiddles_x8(s, g, m);
        for (size_t h = 0; h < block; h += LANES) narrow_load(g, x + h, at + h, block);
        levels_x8(g, x, block, s, NULL);
        for (size_t h = 0; h < block; h += LANES) narrow_store(g, at + h, block, x + h);
    }
}

/* ---- tiles */

/* Levels for each group: wide ones as even as they come, and a narrow one at the end if the last runs are shorter than a
 * vector. Gives the number of groups, 0 if a tile is too small. */
static unsigned split_levels(unsigned *k, unsigned levels, size_t width)
{
    unsigned groups = 0, wide = levels;
    if (levels == 0) return 0;
    if (width % LANES) {
        if (levels < 6) return 0;
        wide -= levels == 6 ? NARROW - 1 : NARROW;
    } else if (width == LANES && levels == 1) {
        return 0;
    }
    while (wide) {
        const unsigned left = (wide + GROUP - 1) / GROUP;
        k[groups] = (wide + left - 1) / left;
        wide -= k[groups++];
    }
    if (width % LANES) k[groups++] = levels == 6 ? NARROW - 1 : NARROW;
    return groups;
}

static void group_run_x8(group_x8 *g, const weir_fr *base)
{
    for (unsigned j = 0; j < g->k; j++) base_x8(&g->base[j], base ? &base[g->level + j] : NULL);
    if (g->run % LANES == 0)
        wide_group_x8(g);
    else
        narrow_group_x8(g);
}

/* All levels of a tile, or false and nothing if it is too small. scale: as of the inverse, else NULL. */
static bool tile_x8(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base,
                    const weir_fr *table, const weir_fr *scale, bool back)
{
    unsigned k[8];
    const unsigned groups = split_levels(k, levels, width);
    unsigned level = back ? levels : 0;
    weir_fr_x8 factor;
    if (scale) {
        fr_x8_broadcast(&factor, scale);
        fr_x8_shrink(&factor);
    }
    for (unsigned i = 0; i < groups; i++) {
        group_x8 g = {.tile = tile, .table = table, .back = back};
        g.k = k[back ? groups - 1 - i : i];
        if (back) level -= g.k;
        g.level = level;
        g.run = width << (levels - level - g.k);
        g.first = i == 0;
        g.last = i + 1 == groups;
        g.scale = scale && level == 0 ? &factor : NULL;
        group_run_x8(&g, base);
        if (!back) level += g.k;
    }
    return groups != 0;
}

/* ---- vectors */

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
