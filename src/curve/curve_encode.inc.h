/* Encodings of points, an include-template over the names of ec.inc.h and
 *   E_FIELD_BYTES              bytes of a coordinate
 *   E_FROM_BE(r, bytes)        a coordinate, false if it is not below p
 *   E_TO_BE(bytes, a)
 *   E_RHS(r, x)                r = x^3 + b
 *
 * Answers are those of blst, which bellperson uses. Two of them deserve a word. A byte string of uncompressed
 * size whose compression flag is set is read as a compressed point, and what follows its first half is not looked
 * at. In G1 the two points with x = 0, which are on the curve and have order 3, are refused as outside the
 * subgroup wherever the curve equation is checked, though the subgroup is not.
 */

/* The infinity flag is set: everything else must be zero. n: bytes of the encoding. */
static weir_err E_(decode_infinity)(E_AFF *out, const uint8_t *bytes, size_t n, unsigned checks)
{
    uint8_t rest = bytes[0] & (uint8_t)~WEIR_POINT_INFINITY;
    if (n == E_FIELD_BYTES) rest &= (uint8_t)~WEIR_POINT_COMPRESSED;
    for (size_t i = 1; i < n; i++) rest |= bytes[i];
    if (rest != 0) return WEIR_E_ENCODING;
    if (checks & WEIR_CHECK_NOT_INFINITY) return WEIR_E_INFINITY;
    E_(affine_set_infinity)(out);
    return WEIR_OK;
}

/* p is on the curve and not infinity. */
static weir_err E_(check_order)(const E_AFF *p, unsigned checks)
{
    if (F_(is_zero)(&p->x)) return WEIR_E_NOT_IN_SUBGROUP;
    if ((checks & WEIR_CHECK_SUBGROUP) && !E_(in_subgroup)(p)) return WEIR_E_NOT_IN_SUBGROUP;
    return WEIR_OK;
}

static weir_err E_(decompress)(E_AFF *out, const uint8_t bytes[E_FIELD_BYTES], unsigned checks)
{
    uint8_t flags = bytes[0], x[E_FIELD_BYTES];
    if (!(flags & WEIR_POINT_COMPRESSED)) return WEIR_E_ENCODING;
    if (flags & WEIR_POINT_INFINITY) return E_(decode_infinity)(out, bytes, E_FIELD_BYTES, checks);
    memcpy(x, bytes, sizeof x);
    x[0] &= (uint8_t)~WEIR_POINT_FLAGS;
    E_AFF p;
    if (!E_FROM_BE(&p.x, x)) return WEIR_E_ENCODING;
    E_RHS(&p.y, &p.x);
    if (!F_(sqrt)(&p.y, &p.y)) return WEIR_E_NOT_ON_CURVE;
    if (F_(is_larger_half)(&p.y) != ((flags & WEIR_POINT_LARGER) != 0)) F_(neg)(&p.y, &p.y);
    WEIR_TRY(E_(check_order)(&p, checks));
    *out = p;
    return WEIR_OK;
}

static __attribute__((unused)) void E_(s_decompress)(E_AFF *const *out, const uint8_t *const *bytes,
                                                     size_t n, unsigned checks, weir_err *err)
{
    for (size_t i = 0; i < n; i++) err[i] = E_(decompress)(out[i], bytes[i], checks);
}

/* One uncompressed point. (0, 0) without the flag is no way to write infinity: it is not on the curve. */
static weir_err E_(decode)(E_AFF *out, const uint8_t bytes[2 * E_FIELD_BYTES], unsigned checks)
{
    if (bytes[0] & WEIR_POINT_FLAGS) {
        if (bytes[0] & WEIR_POINT_COMPRESSED) return E_(decompress)(out, bytes, checks);
        if (bytes[0] & WEIR_POINT_LARGER) return WEIR_E_ENCODING;
        return E_(decode_infinity)(out, bytes, 2 * E_FIELD_BYTES, checks);
    }
    E_AFF p;
    if (!E_FROM_BE(&p.x, bytes) || !E_FROM_BE(&p.y, bytes + E_FIELD_BYTES)) return WEIR_E_ENCODING;
    if (E_(affine_is_infinity)(&p)) return WEIR_E_NOT_ON_CURVE;
    if (checks & (WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP)) {
        if (!E_(on_curve)(&p)) return WEIR_E_NOT_ON_CURVE;
        WEIR_TRY(E_(check_order)(&p, checks));
    }
    *out = p;
    return WEIR_OK;
}

static __attribute__((unused)) weir_err E_(s_decode)(E_AFF *out, const uint8_t *bytes, size_t n,
                                                     unsigned checks, size_t *bad)
{
    for (size_t i = 0; i < n; i++) {
        weir_err err = E_(decode)(&out[i], bytes + i * 2 * E_FIELD_BYTES, checks);
        if (err != WEIR_OK) {
            *bad = i;
            return err;
        }
    }
    return WEIR_OK;
}

static void E_(s_encode)(uint8_t *bytes, const E_AFF *in, size_t n)
{
    for (size_t i = 0; i < n; i++, bytes += 2 * E_FIELD_BYTES) {
        E_TO_BE(bytes, &in[i].x);
        E_TO_BE(bytes + E_FIELD_BYTES, &in[i].y);
        if (E_(affine_is_infinity)(&in[i])) bytes[0] = WEIR_POINT_INFINITY;
    }
}

static void E_(compress)(uint8_t bytes[E_FIELD_BYTES], const E_AFF *in)
{
    E_TO_BE(bytes, &in->x);
    bytes[0] |= WEIR_POINT_COMPRESSED;
    if (E_(affine_is_infinity)(in))
        bytes[0] |= WEIR_POINT_INFINITY;
    else if (F_(is_larger_half)(&in->y))
        bytes[0] |= WEIR_POINT_LARGER;
}
