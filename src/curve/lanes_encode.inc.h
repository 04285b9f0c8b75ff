/* Decoding eight points at a time, an include-template over the names of lanes_group.inc.h, which comes first, and
 *   E_X8_FROM_BE(r, below, bytes, keep)   a coordinate, as fp_lanes_from_be
 *   E_X8_ADD_B(r)                         r += b; bound + 4
 *   E_X8_ROOT(root, a, n)                 a square root of a[v] where there is one, v < n
 *   E_X8_IN_SUBGROUP(mask, p)
 *   E_DECODE, E_DECOMPRESS                members of weir_curve_ops: the scalar routines
 *
 * Here only ordinary points are decoded: finite, x not 0, all that is asked for true. Whatever is not goes through the
 * scalar routine, so that answers, their order and what is left untouched are its own.
 */

/* The points of one call: lanes from n on repeat the last. */
static void E_(x8_pad)(const uint8_t *in[8], E_AFF *out[8], E_AFF *spare, size_t n)
{
    for (size_t k = n; k < 8; k++) {
        in[k] = in[n - 1];
        out[k] = spare;
    }
}

/* Stores p in the lanes of `lanes`. */
static void E_(x8_store_points)(E_AFF *const out[8], const L_AFF *p, unsigned lanes)
{
    E_AFF spare;
    uint64_t *x[8], *y[8];
    for (int k = 0; k < 8; k++) {
        E_AFF *to = (lanes >> k) & 1 ? out[k] : &spare;
        x[k] = (uint64_t *)(void *)&to->x;
        y[k] = (uint64_t *)(void *)&to->y;
    }
    V_(store)(x, &p->x);
    V_(store)(y, &p->y);
}

/* r = x^3 + b, below 6. */
static void E_(x8_rhs)(V_FIELD *r, const V_FIELD *x)
{
    N_(sqr)(r, x);
    N_(mul)(r, r, x);
    E_X8_ADD_B(r);
}

/* What is asked of points with y^2 = rhs in the lanes of *good: they stay there if x is not 0 and, where asked for, the
 * order is r. */
static void E_(x8_check_order)(weir_v8 *good, const L_AFF *p, unsigned checks)
{
    weir_v8 mask;
    N_(zero)(&mask, &p->x);
    *good &= ~mask;
    if (!(checks & WEIR_CHECK_SUBGROUP) || lanes_of_mask(good) == 0) return;
    E_X8_IN_SUBGROUP(&mask, p);
    *good &= mask;
}

/* n <= 8 uncompressed points. False: not all are ordinary, and nothing is written. */
static bool E_(x8_decode)(E_AFF *out, const uint8_t *bytes, size_t n, unsigned checks)
{
    const uint8_t *in[8], *in_y[8];
    E_AFF *to[8], spare;
    L_AFF p;
    V_FIELD rhs, yy;
    weir_v8 good, mask;
    for (size_t k = 0; k < n; k++) {
        in[k] = bytes + k * 2 * E_FIELD_BYTES;
        to[k] = &out[k];
    }
    E_(x8_pad)(in, to, &spare, n);
    for (int k = 0; k < 8; k++) in_y[k] = in[k] + E_FIELD_BYTES;
    E_X8_FROM_BE(&p.x, &good, in, 0xff);
    E_X8_FROM_BE(&p.y, &mask, in_y, 0xff);
    good &= mask;
    E_(x8_rhs)(&rhs, &p.x);
    N_(sqr)(&yy, &p.y);
    V_(sub)(&yy, &yy, &rhs, 3);
    N_(zero)(&mask, &yy);
    good &= mask;
    if (lanes_of_mask(&good) == 0xff) E_(x8_check_order)(&good, &p, checks);
    if (lanes_of_mask(&good) != 0xff) return false;
    E_(x8_store_points)(to, &p, 0xff);
    return true;
}

static weir_err E_(s_x8_decode)(E_AFF *out, const uint8_t *bytes, size_t n, unsigned checks,
                                size_t *bad)
{
    const bool curve = checks & (WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP);
    for (size_t i = 0; i < n; i += 8) {
        size_t m = n - i < 8 ? n - i : 8, at;
        const uint8_t *in = bytes + i * 2 * E_FIELD_BYTES;
        if (curve && m > 1 && E_(x8_decode)(&out[i], in, m, checks)) continue;
        weir_err err = E_DECODE(&out[i], in, m, checks, &at);
        if (err != WEIR_OK) {
            *bad = i + at;
            return err;
        }
    }
    return WEIR_OK;
}

/* The lanes with flags of a finite compressed point, and those whose y is the larger. */
static void E_(x8_flags)(weir_v8 *finite, weir_v8 *larger, const uint8_t *const in[8])
{
    unsigned f = 0, l = 0;
    for (int k = 0; k < 8; k++) {
        f |= (unsigned)((in[k][0] & (WEIR_POINT_COMPRESSED | WEIR_POINT_INFINITY)) ==
                        WEIR_POINT_COMPRESSED)
             << k;
        l |= (unsigned)((in[k][0] & WEIR_POINT_LARGER) != 0) << k;
    }
    lanes_to_mask(finite, f);
    lanes_to_mask(larger, l);
}

/* p->y is a root of rhs or means nothing; it gets the sign of the flag. Lanes without a root leave *good. */
static void E_(x8_choose_root)(weir_v8 *good, L_AFF *p, const V_FIELD *rhs, const weir_v8 *larger)
{
    V_FIELD t, minus;
    weir_v8 mask;
    N_(sqr)(&t, &p->y);
    V_(sub)(&t, &t, rhs, 3);
    N_(zero)(&mask, &t);
    *good &= mask;
    N_(larger_half)(&mask, &p->y);
    mask ^= *larger;
    V_(neg)(&minus, &p->y, 1);
    V_(select)(&p->y, &mask, &minus, &p->y);
}

/* The points of at most two vectors: out[i] and bytes[i] of i < n <= 16. */
static void E_(x8_decompress)(E_AFF *const *out, const uint8_t *const *bytes, size_t n,
                              unsigned checks, weir_err *err)
{
    const int vectors = n > 8 ? 2 : 1;
    const uint8_t *in[2][8];
    E_AFF *to[2][8], spare;
    L_AFF p[2];
    V_FIELD rhs[2], root[2];
    weir_v8 good[2], larger[2], below;
    for (int v = 0; v < vectors; v++) {
        size_t m = n - 8 * (size_t)v < 8 ? n - 8 * (size_t)v : 8;
        memcpy(in[v], bytes + 8 * v, m * sizeof *bytes);
        memcpy(to[v], out + 8 * v, m * sizeof *out);
        E_(x8_pad)(in[v], to[v], &spare, m);
        E_(x8_flags)(&good[v], &larger[v], in[v]);
        E_X8_FROM_BE(&p[v].x, &below, in[v], (uint8_t)~WEIR_POINT_FLAGS);
        good[v] &= below;
        E_(x8_rhs)(&rhs[v], &p[v].x);
    }
    E_X8_ROOT(root, rhs, vectors);
    for (int v = 0; v < vectors; v++) {
        p[v].y = root[v];
        E_(x8_choose_root)(&good[v], &p[v], &rhs[v], &larger[v]);
        E_(x8_check_order)(&good[v], &p[v], checks);
        E_(x8_store_points)(to[v], &p[v], lanes_of_mask(&good[v]));
        for (size_t k = 0; k < 8 && 8 * (size_t)v + k < n; k++)
            err[8 * v + k] = good[v][k] ? WEIR_OK : E_DECOMPRESS(to[v][k], in[v][k], checks);
    }
}

static void E_(s_x8_decompress)(E_AFF *const *out, const uint8_t *const *bytes, size_t n,
                                unsigned checks, weir_err *err)
{
    for (size_t i = 0; i < n; i += 16) {
        size_t m = n - i < 16 ? n - i : 16;
        if (m == 1)
            err[i] = E_DECOMPRESS(out[i], bytes[i], checks);
        else
            E_(x8_decompress)(out + i, bytes + i, m, checks, err + i);
    }
}
