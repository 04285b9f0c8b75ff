/* Decoding in lanes against the scalar routines, an include-template over the names of curve/ec.inc.h and
 *   T_ANY_ORDER(g)     a random point of the curve
 *   T_ENCODE, T_COMPRESS, T_DECODE, T_DECOMPRESS, T_S_DECOMPRESS   members of weir_curve_ops and lanes_path
 *   T_RANDOM(c, g)     a random point of order r
 */

enum { E_(POINT_BYTES) = 2 * E_FIELD_BYTES };

/* What may be wrong with a point; the first is nothing. */
enum E_(kind) {
    E_(GOOD),
    E_(INFINITE),
    E_(ANY_ORDER),
    E_(OFF_CURVE),
    E_(X_TOO_LARGE),
    E_(Y_TOO_LARGE),
    E_(X_IS_P),
    E_(ZERO_BYTES),
    E_(X_ZERO),
    E_(FLAG_0x20),
    E_(FLAG_0x40),
    E_(FLAG_0x80),
    E_(NO_FLAGS),
    E_(KINDS)
};

static void E_(spoil)(uint8_t *b, size_t bytes, int kind, tk_rng *g)
{
    static const uint64_t p[6] = WEIR_FP_MODULUS;
    const size_t last = bytes - 1;
    switch (kind) {
    case E_(INFINITE):
        memset(b, 0, bytes);
        b[0] = bytes == E_FIELD_BYTES ? 0xc0 : 0x40;
        break;
    case E_(OFF_CURVE): /* compressed: in half of the cases another point */
        b[last] ^= (uint8_t)(1 + tk_below(g, 255));
        break;
    case E_(X_TOO_LARGE):
        b[0] |= 0x1f;
        b[1] = 0xff;
        break;
    case E_(Y_TOO_LARGE):
        b[bytes - 48] |= 0x1f;
        b[bytes - 47] = 0xff;
        break;
    case E_(X_IS_P):
        for (int i = 0; i < 48; i++) b[i] = (uint8_t)(p[5 - i / 8] >> (56 - 8 * (i % 8)));
        if (bytes == E_FIELD_BYTES) b[0] |= 0x80;
        break;
    case E_(ZERO_BYTES):
        memset(b, 0, bytes);
        break;
    case E_(X_ZERO): /* on the curve in G1 */
        memset(b, 0, bytes);
        b[last] = bytes == E_FIELD_BYTES ? 0 : 2;
        if (bytes == E_FIELD_BYTES) b[0] = 0x80;
        break;
    case E_(FLAG_0x20):
        b[0] ^= 0x20;
        break;
    case E_(FLAG_0x40):
        b[0] ^= 0x40;
        break;
    case E_(FLAG_0x80):
        b[0] ^= 0x80;
        break;
    case E_(NO_FLAGS):
        b[0] &= 0x1f;
        break;
    default:
        break;
    }
}

static E_AFF E_(point_of)(const weir_curve_ops *c, int kind, tk_rng *g)
{
    return kind == E_(ANY_ORDER) ? T_ANY_ORDER(g) : T_RANDOM(c, g);
}

/* One of the first three, and the last, are tried. */
static const unsigned E_(checks)[] = {0, WEIR_CHECK_CURVE, WEIR_CHECK_SUBGROUP,
                                      WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP |
                                          WEIR_CHECK_NOT_INFINITY};

static void E_(compare_decode)(const weir_curve_ops *c, const lanes_path *l, const uint8_t *bytes,
                               size_t n, tk_rng *g)
{
    E_AFF want[MOST], got[MOST];
    for (int pass = 0; pass < 2; pass++) {
        const unsigned checks = E_(checks)[pass ? 3 : tk_below(g, 3)];
        size_t bad_want = 99, bad_got = 99;
        memset(want, 0xaa, sizeof want);
        memset(got, 0xaa, sizeof got);
        weir_err e = c->T_DECODE(want, bytes, n, checks, &bad_want);
        assert_int_equal(l->T_DECODE(got, bytes, n, checks, &bad_got), e);
        assert_int_equal(bad_got, bad_want);
        assert_memory_equal(got, want, sizeof want);
    }
}

static void E_(compare_decompress)(const weir_curve_ops *c, const lanes_path *l,
                                   const uint8_t *bytes, size_t n, tk_rng *g)
{
    E_AFF want[MOST], got[MOST], *to[MOST];
    const uint8_t *from[MOST];
    weir_err err[MOST];
    for (int pass = 0; pass < 2; pass++) {
        const unsigned checks = E_(checks)[pass ? 3 : tk_below(g, 3)];
        memset(want, 0xaa, sizeof want);
        memset(got, 0xaa, sizeof got);
        for (size_t k = 0; k < n; k++) {
            to[k] = &got[k];
            from[k] = bytes + k * E_FIELD_BYTES;
        }
        l->T_S_DECOMPRESS(to, from, n, checks, err);
        for (size_t k = 0; k < n; k++)
            assert_int_equal(err[k], c->T_DECOMPRESS(&want[k], from[k], checks));
        assert_memory_equal(got, want, sizeof want);
    }
}

/* n points of which the one at `where` is of the kind; another from time to time. */
static void E_(one_case)(const weir_curve_ops *c, const lanes_path *l, size_t n, size_t where,
                         int kind, tk_rng *g)
{
    uint8_t full[MOST * E_(POINT_BYTES)], half[MOST * E_FIELD_BYTES];
    E_AFF p = T_RANDOM(c, g);
    for (size_t i = 0; i < n; i++) {
        int k = i == where ? kind : tk_below(g, 40) == 0 ? (int)tk_below(g, E_(KINDS)) : E_(GOOD);
        if (k == E_(ANY_ORDER) || tk_below(g, 4) == 0) p = E_(point_of)(c, k, g);
        c->T_ENCODE(full + i * E_(POINT_BYTES), &p, 1);
        c->T_COMPRESS(half + i * E_FIELD_BYTES, &p);
        E_(spoil)(full + i * E_(POINT_BYTES), E_(POINT_BYTES), k, g);
        E_(spoil)(half + i * E_FIELD_BYTES, E_FIELD_BYTES, k, g);
        if (k == E_(ANY_ORDER)) p = T_RANDOM(c, g);
    }
    E_(compare_decode)(c, l, full, n, g);
    E_(compare_decompress)(c, l, half, n, g);
}

static void E_(lanes_decode)(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_curve_ops *c = weir_curve_ops_get(weir_isa_best() ? WEIR_ISA_ADX : 0);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const lanes_path *l = lanes_path_get(isa);
        for (size_t n = 0; n <= MOST; n++) E_(one_case)(c, l, n, n, 0, &g);
        for (int kind = 1; kind < E_(KINDS); kind++)
            for (size_t where = 0; where < 8; where++)
                E_(one_case)(c, l, 8 + tk_below(&g, 3), where, kind, &g);
    }
}
