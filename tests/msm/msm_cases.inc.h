/* The cases for one group, an include-template. Before including, define
 *   T_(name)   the prefix of what is made here
 *   T_JAC, T_AFF, T_COORD   the group's types
 *   T_MSM, T_MSM_WINDOW, T_SUM_BITS, T_FIXED, T_FIXED_NEW, T_FIXED_NEW_WINDOW, T_FIXED_MUL, T_FIXED_FREE
 *   T_SHIFTED and T_SHIFTED_NEW, _MSM, _FREE, where the group has tables of shifted points
 *   T_ADD, T_MUL, T_TO_AFFINE, T_DECODE   members of weir_curve_ops
 *   T_GENERATOR, T_BYTES, T_NAME ("g1", "g2"), T_BIG_WINDOW the largest window that is forced
 *
 * Expected sums come from the curve module alone: double-and-add, or one product with a sum made in Fr.
 */

enum { T_(MAX_THREADS) = 3 };

static const T_AFF T_(infinity);

static const weir_curve_ops *T_(curve)(void)
{
    return weir_curve_ops_get(WEIR_ISA_PORTABLE);
}

static T_AFF T_(affine)(const T_JAC *p)
{
    T_AFF a;
    T_COORD scratch;
    T_(curve)()->T_TO_AFFINE(&a, p, 1, &scratch);
    return a;
}

static void T_(assert_sum)(const T_JAC *got, const T_AFF *want, const char *what, size_t n,
                           const weir_exec *x)
{
    T_AFF a = T_(affine)(got);
    if (memcmp(&a, want, sizeof a) == 0) return;
    fail_msg("%s %s: n %zu, path %s, %u threads: another point", T_NAME, what, n,
             weir_isa_name(x->isa), weir_pool_threads(x->pool));
}

/* k P with k = sum s_i k_i for points k_i G: one product. */
static T_AFF T_(times_generator)(const weir_fr *k)
{
    weir_scalar s;
    T_JAC p;
    fr_to_scalar(&s, k);
    T_(curve)()->T_MUL(&p, T_GENERATOR(), &s);
    return T_(affine)(&p);
}

static T_AFF T_(times_generator_u64)(uint64_t k)
{
    weir_fr f;
    fr_from_u64(&f, k);
    return T_(times_generator)(&f);
}

static T_AFF T_(negated)(const T_AFF *p)
{
    const weir_scalar minus_one = {
        {0xffffffff00000000u, 0x53bda402fffe5bfeu, 0x3339d80809a1d805u, 0x73eda753299d7d48u}};
    T_JAC m;
    T_(curve)()->T_MUL(&m, p, &minus_one);
    return T_(affine)(&m);
}

/* Double-and-add from the top bit, by additions alone. */
static T_AFF T_(naive)(const T_AFF *points, const weir_scalar *k, size_t n)
{
    const weir_curve_ops *c = T_(curve)();
    T_JAC sum, one;
    memset(&sum, 0, sizeof sum);
    for (int bit = 254; bit >= 0; bit--) {
        c->T_ADD(&sum, &sum, &sum);
        for (size_t i = 0; i < n; i++) {
            static const weir_scalar unit = {{1}};
            if (!((k[i].l[bit / 64] >> (bit % 64)) & 1)) continue;
            c->T_MUL(&one, &points[i], &unit);
            c->T_ADD(&sum, &sum, &one);
        }
    }
    return T_(affine)(&sum);
}

/* Runs the sum on every path with 1 to 3 threads. */
static void T_(check)(const T_AFF *points, const weir_scalar *k, size_t n, const T_AFF *want,
                      const char *what)
{
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = 1; threads <= T_(MAX_THREADS); threads++) {
            weir_exec x = {.pool = threads == 1 ? NULL : tk_pool(threads), .isa = isa};
            weir_errinfo ei = {0};
            T_JAC got;
            assert_int_equal(T_MSM(&got, points, k, n, &x, &ei), WEIR_OK);
            T_(assert_sum)(&got, want, what, n, &x);
        }
}

/* n random multiples k_i G. k may be NULL. */
static T_AFF *T_(points)(tk_rng *g, size_t n, weir_scalar *k)
{
    weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    weir_errinfo ei = {0};
    T_FIXED *t;
    T_AFF *out = malloc((n + 1) * sizeof *out);
    weir_scalar *s = k ? k : malloc((n + 1) * sizeof *s);
    assert_non_null(out);
    assert_non_null(s);
    for (size_t i = 0; i < n; i++) tk_scalar(g, &s[i]);
    assert_int_equal(T_FIXED_NEW(&t, T_GENERATOR(), n, &x, &ei), WEIR_OK);
    assert_int_equal(T_FIXED_MUL(t, out, s, n, &x, &ei), WEIR_OK);
    T_FIXED_FREE(t);
    if (!k) free(s);
    return out;
}

static weir_scalar *T_(scalars)(tk_rng *g, size_t n)
{
    weir_scalar *k = malloc((n + 1) * sizeof *k);
    assert_non_null(k);
    for (size_t i = 0; i < n; i++) tk_scalar(g, &k[i]);
    return k;
}

/* The sum of k_i s_i times the generator. */
static T_AFF T_(dot)(const weir_scalar *k, const weir_scalar *s, size_t n)
{
    weir_fr sum, a, b;
    fr_set_zero(&sum);
    for (size_t i = 0; i < n; i++) {
        fr_from_scalar(&a, &k[i]);
        fr_from_scalar(&b, &s[i]);
        fr_mul(&a, &a, &b);
        fr_add(&sum, &sum, &a);
    }
    return T_(times_generator)(&sum);
}

/* ---- dense sums */

static void T_(test_vectors)(void **state)
{
    (void)state;
    json_t *root = tk_json("curve/msm.json"), *one;
    size_t which;
    json_array_foreach(tk_get(root, "cases"), which, one)
    {
        size_t n = json_array_size(tk_get(one, "scalars")), bad;
        T_AFF *points = malloc(n * sizeof *points), want;
        weir_scalar *k = malloc(n * sizeof *k);
        uint8_t bytes[T_BYTES];
        for (size_t i = 0; i < n; i++) {
            tk_hex_scalar(json_string_value(json_array_get(tk_get(one, "scalars"), i)), &k[i]);
            tk_hex_bytes(json_string_value(json_array_get(tk_get(one, T_NAME), i)), bytes, T_BYTES);
            assert_int_equal(T_(curve)()->T_DECODE(&points[i], bytes, 1, WEIR_CHECK_CURVE, &bad),
                             WEIR_OK);
        }
        tk_hex_bytes(tk_str(tk_get(one, "sum_" T_NAME), "uncompressed"), bytes, T_BYTES);
        assert_int_equal(T_(curve)()->T_DECODE(&want, bytes, 1, WEIR_CHECK_CURVE, &bad), WEIR_OK);
        T_(check)(points, k, n, &want, "vectors");
        free(points);
        free(k);
    }
    assert_true(which >= 8);
    json_decref(root);
}

static void T_(test_equals_naive)(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 15, 16, 31, 64, 100, 300};
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, 300, NULL);
    weir_scalar *k = T_(scalars)(&g, 300);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        T_AFF want = T_(naive)(points, k, sizes[i]);
        T_(check)(points, k, sizes[i], &want, "random");
    }
    free(points);
    free(k);
}

static void T_(test_no_points)(void **state)
{
    (void)state;
    T_AFF infinity = T_(infinity);
    T_(check)(NULL, NULL, 0, &infinity, "no points");
}

/* Special scalars on special points, many times over; gives the number, and the expected sum. */
static size_t T_(specials)(T_AFF *points, weir_scalar *k, T_AFF *want)
{
    static const uint64_t r[4] = WEIR_FR_MODULUS;
    const weir_scalar half = {
        {r[0] >> 1 | r[1] << 63, r[1] >> 1 | r[2] << 63, r[2] >> 1 | r[3] << 63, r[3] >> 1}};
    const weir_scalar s[] = {{{0}},
                             {{1}},
                             {{2}},
                             {{3}},
                             {{r[0] - 1, r[1], r[2], r[3]}},
                             {{r[0] - 2, r[1], r[2], r[3]}},
                             half,
                             {{half.l[0] + 1, half.l[1], half.l[2], half.l[3]}},
                             {{half.l[0] - 1, half.l[1], half.l[2], half.l[3]}},
                             {{0x8000}},
                             {{0x7fff}},
                             {{0, 0, 0, 0x4000000000000000u}}};
    T_AFF p[5] = {T_(times_generator_u64)(1), T_(times_generator_u64)(2), T_(infinity)};
    p[3] = T_(negated)(&p[0]);
    p[4] = T_(negated)(&p[1]);
    size_t n = 0;
    for (size_t i = 0; i < sizeof s / sizeof *s; i++)
        for (size_t j = 0; j < 5; j++)
            for (size_t times = 0; times < 1 + (i + j) % 3; times++) {
                points[n] = p[j];
                k[n++] = s[i];
            }
    *want = T_(naive)(points, k, n);
    return n;
}

static void T_(test_specials)(void **state)
{
    (void)state;
    T_AFF points[200], want;
    weir_scalar k[200];
    size_t n = T_(specials)(points, k, &want);
    assert_true(n > 100 && n <= 200);
    T_(check)(points, k, n, &want, "special scalars and points");
}

static void T_(test_every_window)(void **state)
{
    (void)state;
    T_AFF points[200], want;
    weir_scalar k[200];
    size_t n = T_(specials)(points, k, &want);
    for (unsigned c = WEIR_MSM_MIN_WINDOW; c <= T_BIG_WINDOW; c++)
        for (weir_isa isa = 0; tk_next_path(&isa); isa++)
            for (unsigned threads = 1; threads <= T_(MAX_THREADS); threads++) {
                if (c > 10 && (threads != 2 || isa != weir_isa_best())) continue;
                weir_exec x = {.pool = threads == 1 ? NULL : tk_pool(threads), .isa = isa};
                weir_errinfo ei = {0};
                T_JAC got;
                assert_int_equal(T_MSM_WINDOW(&got, points, k, n, c, &x, &ei), WEIR_OK);
                T_(assert_sum)(&got, &want, "forced window", c, &x);
                assert_int_equal(T_MSM_WINDOW(&got, points, k, 1, c, &x, &ei), WEIR_OK);
                T_AFF first = T_(naive)(points, k, 1);
                T_(assert_sum)(&got, &first, "forced window, one point", c, &x);
            }
    weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    T_JAC got;
    assert_int_equal(T_MSM_WINDOW(&got, points, k, n, WEIR_MSM_MIN_WINDOW - 1, &x, &ei),
                     WEIR_E_RANGE);
    assert_int_equal(T_MSM_WINDOW(&got, points, k, n, WEIR_MSM_MAX_WINDOW + 1, &x, &ei),
                     WEIR_E_RANGE);
}

/* One bucket takes all: chunks are cut inside it. */
static void T_(test_all_equal)(void **state)
{
    (void)state;
    enum { N = 5001 };
    tk_rng g = tk_rng_new();
    T_AFF *points = malloc(N * sizeof *points), p = T_(times_generator_u64)(77),
          minus = T_(negated)(&p), want;
    weir_scalar *k = malloc(N * sizeof *k), s;
    weir_fr f, count;
    tk_scalar(&g, &s);
    for (size_t i = 0; i < N; i++) {
        points[i] = p;
        k[i] = s;
    }
    fr_from_scalar(&f, &s);
    fr_from_u64(&count, 77 * N);
    fr_mul(&count, &count, &f);
    want = T_(times_generator)(&count);
    T_(check)(points, k, N, &want, "equal points, equal scalars");
    for (size_t i = 1; i < N; i += 2) points[i] = minus;
    fr_from_u64(&count, 77);
    fr_mul(&count, &count, &f);
    want = T_(times_generator)(&count);
    T_(check)(points, k, N, &want, "P and -P in turn, equal scalars");
    want = T_(infinity);
    T_(check)(points, k, N - 1, &want, "P and -P in turn, sum zero");
    free(points);
    free(k);
}

static void T_(test_infinity)(void **state)
{
    (void)state;
    enum { N = 1500 };
    tk_rng g = tk_rng_new();
    weir_scalar *s = malloc(N * sizeof *s), *k = T_(scalars)(&g, N), zero = {{0}};
    T_AFF *points = T_(points)(&g, N, s), want;
    points[N / 3] = T_(infinity);
    s[N / 3] = zero;
    want = T_(dot)(s, k, N);
    T_(check)(points, k, N, &want, "infinity once");
    for (size_t i = 0; i < N; i += 2) {
        points[i] = T_(infinity);
        s[i] = zero;
    }
    want = T_(dot)(s, k, N);
    T_(check)(points, k, N, &want, "infinity every second");
    memset(points, 0, N * sizeof *points);
    want = T_(infinity);
    T_(check)(points, k, N, &want, "infinity everywhere");
    free(points);
    free(s);
    free(k);
}

static void T_(test_skewed)(void **state)
{
    (void)state;
    enum { N = 3000 };
    tk_rng g = tk_rng_new();
    weir_scalar *s = malloc(N * sizeof *s), *k = malloc(N * sizeof *k);
    T_AFF *points = T_(points)(&g, N, s), want;
    for (size_t i = 0; i < N; i++) k[i] = (weir_scalar){{tk_below(&g, 3)}};
    want = T_(dot)(s, k, N);
    T_(check)(points, k, N, &want, "scalars 0, 1, 2");
    for (size_t i = 0; i < N; i++) k[i] = (weir_scalar){{0, 0, tk_below(&g, 200) << 8, 0}};
    want = T_(dot)(s, k, N);
    T_(check)(points, k, N, &want, "one window only");
    for (size_t i = 0; i < N; i++)
        if (i % 10)
            k[i] = (weir_scalar){{5}};
        else
            tk_scalar(&g, &k[i]);
    want = T_(dot)(s, k, N);
    T_(check)(points, k, N, &want, "most scalars equal");
    memset(k, 0, N * sizeof *k);
    want = T_(infinity);
    T_(check)(points, k, N, &want, "zero scalars");
    k[N - 1].l[3] = 1;
    want = T_(dot)(s, k, N);
    T_(check)(points, k, N, &want, "one scalar not zero");
    free(points);
    free(s);
    free(k);
}

static void T_(test_union)(void **state)
{
    (void)state;
    enum { N = 3001, CUT = 1234 };
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, N, NULL), want;
    weir_scalar *k = T_(scalars)(&g, N);
    weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    T_JAC a, b, both;
    assert_int_equal(T_MSM(&a, points, k, CUT, &x, &ei), WEIR_OK);
    assert_int_equal(T_MSM(&b, points + CUT, k + CUT, N - CUT, &x, &ei), WEIR_OK);
    T_(curve)()->T_ADD(&both, &a, &b);
    want = T_(affine)(&both);
    T_(check)(points, k, N, &want, "a union");
    /* the order of terms does not matter */
    for (size_t i = 0; i < N / 2; i++) {
        T_AFF p = points[i];
        weir_scalar s = k[i];
        points[i] = points[N - 1 - i];
        k[i] = k[N - 1 - i];
        points[N - 1 - i] = p;
        k[N - 1 - i] = s;
    }
    T_(check)(points, k, N, &want, "a union turned round");
    free(points);
    free(k);
}

static void T_(test_large)(void **state)
{
    (void)state;
    enum { N = 1 << 14 };
    tk_rng g = tk_rng_new();
    weir_scalar *s = malloc(N * sizeof *s), *k = T_(scalars)(&g, N);
    T_AFF *points = T_(points)(&g, N, s), want = T_(dot)(s, k, N);
    T_(check)(points, k, N, &want, "2^14 points");
    free(points);
    free(s);
    free(k);
}

/* ---- sums over bits */

static void T_(check_bits)(const T_AFF *points, const weir_scalar *s, const uint64_t *bits,
                           size_t n, const char *what)
{
    weir_fr sum, a;
    fr_set_zero(&sum);
    for (size_t i = 0; i < n; i++) {
        if (!((bits[i / 64] >> (i % 64)) & 1)) continue;
        fr_from_scalar(&a, &s[i]);
        fr_add(&sum, &sum, &a);
    }
    T_AFF want = T_(times_generator)(&sum);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = 1; threads <= T_(MAX_THREADS); threads++) {
            weir_exec x = {.pool = threads == 1 ? NULL : tk_pool(threads), .isa = isa};
            weir_errinfo ei = {0};
            T_JAC got;
            assert_int_equal(T_SUM_BITS(&got, points, bits, n, &x, &ei), WEIR_OK);
            T_(assert_sum)(&got, &want, what, n, &x);
        }
}

static void T_(test_bits)(void **state)
{
    (void)state;
    enum { N = 9001, WORDS = N / 64 + 1 };
    static const size_t sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 1000, 4096, 4224, N};
    tk_rng g = tk_rng_new();
    weir_scalar *s = malloc(N * sizeof *s);
    T_AFF *points = T_(points)(&g, N, s);
    uint64_t *bits = malloc(WORDS * sizeof *bits);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(bits, 0xff, WORDS * sizeof *bits); /* bits above n are set too */
        T_(check_bits)(points, s, bits, sizes[i], "all bits");
    }
    for (size_t w = 0; w < WORDS; w++) bits[w] = 0;
    T_(check_bits)(points, s, bits, N, "no bits");
    bits[WORDS / 2] = 1;
    T_(check_bits)(points, s, bits, N, "one bit");
    for (size_t w = 0; w < WORDS; w++) bits[w] = 0x5555555555555555u;
    T_(check_bits)(points, s, bits, N, "every second bit");
    for (size_t w = 0; w < WORDS; w++) bits[w] = tk_u64(&g);
    T_(check_bits)(points, s, bits, N, "random bits");
    for (size_t i = 0; i < N; i += 3) {
        points[i] = T_(infinity);
        s[i] = (weir_scalar){{0}};
    }
    T_(check_bits)(points, s, bits, N, "infinity inside");
    T_AFF p = T_(times_generator_u64)(5), minus = T_(negated)(&p);
    for (size_t i = 0; i < N; i++) {
        points[i] = i % 7 == 3 ? minus : p;
        s[i] = (weir_scalar){{5}};
        if (i % 7 == 3)
            s[i] = (weir_scalar){{0xfffffffefffffffcu, 0x53bda402fffe5bfeu, 0x3339d80809a1d805u,
                                  0x73eda753299d7d48u}};
    }
    T_(check_bits)(points, s, bits, N, "equal and opposite points");
    free(points);
    free(s);
    free(bits);
}

/* A sum long enough for several tasks a thread. */
static void T_(test_bits_long)(void **state)
{
    (void)state;
    enum { N = 3 << 16, WORDS = N / 64 };
    tk_rng g = tk_rng_new();
    weir_scalar *s = malloc(N * sizeof *s);
    T_AFF *points = malloc(N * sizeof *points), *some = T_(points)(&g, 1 << 10, s);
    uint64_t *bits = calloc(WORDS, sizeof *bits);
    for (size_t i = 0; i < N; i++) {
        points[i] = some[i % (1 << 10)];
        s[i] = s[i % (1 << 10)];
    }
    for (int i = 0; i < 10000; i++) {
        uint64_t at = tk_below(&g, N);
        bits[at / 64] |= (uint64_t)1 << (at % 64);
    }
    T_(check_bits)(points, s, bits, N, "few bits of many");
    /* later tasks find nothing in arrays that earlier ones have used */
    memset(bits + WORDS / 3, 0, (WORDS - WORDS / 3) * sizeof *bits);
    T_(check_bits)(points, s, bits, N, "bits at the front only");
    free(points);
    free(some);
    free(s);
    free(bits);
}

/* ---- collisions: a few special pairs among many ordinary ones, at every height of the trees */

static void T_(copy)(T_AFF *points, weir_scalar *s, size_t to, size_t from, bool negate)
{
    weir_fr f;
    points[to] = negate ? T_(negated)(&points[from]) : points[from];
    fr_from_scalar(&f, &s[from]);
    if (negate) fr_neg(&f, &f);
    fr_to_scalar(&s[to], &f);
}

/* Ranges of 2, 4, 8 ... points followed by the same points in the other order, or by their negatives, so that the sums of
 * both halves are equal or opposite; and infinity here and there. */
static void T_(collide)(tk_rng *g, T_AFF *points, weir_scalar *s, size_t n)
{
    for (size_t half = 1; half <= 32; half *= 2)
        for (int k = 0; k < 6; k++) {
            size_t at = tk_below(g, n - 2 * half);
            if (k % 2 == 0) at -= at % (2 * half);
            for (size_t i = 0; i < half; i++)
                T_(copy)(points, s, at + 2 * half - 1 - i, at + i, k % 3 == 2);
        }
    for (int k = 0; k < 20; k++) {
        size_t at = tk_below(g, n);
        points[at] = T_(infinity);
        s[at] = (weir_scalar){{0}};
    }
}

static void T_(test_collisions)(void **state)
{
    (void)state;
    enum { N = 5000, WORDS = N / 64 + 1 };
    tk_rng g = tk_rng_new();
    weir_scalar *s = malloc(N * sizeof *s), *k = T_(scalars)(&g, N);
    uint64_t bits[WORDS];
    memset(bits, 0xff, sizeof bits);
    for (int round = 0; round < 4; round++) {
        T_AFF *points = T_(points)(&g, N, s);
        T_(collide)(&g, points, s, N);
        T_(check_bits)(points, s, bits, N, "all bits, collisions");
        /* few buckets: long runs, in the order of the points */
        for (size_t i = 0; i < N; i++)
            k[i] = (weir_scalar){{round == 0 ? 1 : 1 + tk_below(&g, 1u << (3 * round))}};
        T_AFF want = T_(dot)(s, k, N);
        T_(check)(points, k, N, &want, "collisions");
        free(points);
    }
    free(s);
    free(k);
}

#ifdef T_SHIFTED
/* ---- few points that stay the same */

static void T_(check_shifted)(const T_AFF *points, const weir_scalar *k, size_t n,
                              const T_AFF *want, const char *what)
{
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        weir_exec x = {.isa = isa};
        weir_errinfo ei = {0};
        T_SHIFTED *t;
        T_JAC got;
        assert_int_equal(T_SHIFTED_NEW(&t, points, n, isa, &ei), WEIR_OK);
        assert_int_equal(T_SHIFTED_MSM(&got, t, k, isa, &ei), WEIR_OK);
        T_(assert_sum)(&got, want, what, n, &x);
        T_SHIFTED_FREE(t);
    }
}

static void T_(test_shifted)(void **state)
{
    (void)state;
    enum { N = 400 };
    static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 127, 128, 129, N};
    tk_rng g = tk_rng_new();
    weir_scalar *s = malloc(N * sizeof *s), *k = malloc(N * sizeof *k);
    T_AFF *points = T_(points)(&g, N, s);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < N; j++) tk_scalar(&g, &k[j]);
        T_AFF want = T_(dot)(s, k, sizes[i]);
        T_(check_shifted)(points, k, sizes[i], &want, "shifted, random scalars");
    }
    for (size_t j = 0; j < N; j++) k[j] = (weir_scalar){{tk_below(&g, 1u << 30)}};
    T_AFF want = T_(dot)(s, k, N);
    T_(check_shifted)(points, k, N, &want, "shifted, short scalars");
    for (size_t j = 0; j < N; j++) k[j] = (weir_scalar){{j % 2}};
    want = T_(dot)(s, k, N);
    T_(check_shifted)(points, k, N, &want, "shifted, 0 and 1");
    /* equal points, opposite points and infinity, the scalars 0, 1, r - 1 among others */
    weir_fr minus_one;
    fr_set_one(&minus_one);
    fr_neg(&minus_one, &minus_one);
    for (size_t j = 0; j < N; j++) {
        if (j % 5 == 1) T_(copy)(points, s, j, 0, j % 2);
        if (j % 11 == 3) {
            points[j] = T_(infinity);
            s[j] = (weir_scalar){{0}};
        }
        tk_scalar(&g, &k[j]);
        if (j % 3 == 0) k[j] = k[0];
        if (j % 7 == 0) fr_to_scalar(&k[j], &minus_one);
        if (j % 7 == 1) k[j] = (weir_scalar){{j % 2}};
    }
    want = T_(dot)(s, k, N);
    T_(check_shifted)(points, k, N, &want, "shifted, special points and scalars");
    free(points);
    free(s);
    free(k);
}

static void T_(test_shifted_no_memory)(void **state)
{
    (void)state;
    const T_AFF *points = T_GENERATOR();
    weir_scalar k = {{7}};
    T_SHIFTED *t = NULL;
    T_JAC got;
    weir_errinfo ei = {0};
    uint64_t nth = 1;
    for (;; nth++) {
        weir_alloc_fail_nth(nth, 0);
        weir_err err = T_SHIFTED_NEW(&t, points, 1, weir_isa_best(), &ei);
        if (err == WEIR_OK) break;
        assert_int_equal(err, WEIR_E_NOMEM);
        assert_null(t);
    }
    assert_true(nth > 2);
    for (nth = 1;; nth++) {
        weir_alloc_fail_nth(nth, 0);
        weir_err err = T_SHIFTED_MSM(&got, t, &k, weir_isa_best(), &ei);
        if (err == WEIR_OK) break;
        assert_int_equal(err, WEIR_E_NOMEM);
    }
    weir_alloc_fail_nth(0, 0);
    assert_true(nth > 2);
    T_SHIFTED_FREE(t);
}
#endif

/* ---- multiples of one point */

static void T_(check_fixed)(T_FIXED *t, const T_AFF *base, const weir_scalar *k, size_t n,
                            size_t looked_at)
{
    T_AFF *out = malloc((n + 1) * sizeof *out), *first = malloc((n + 1) * sizeof *first);
    bool have_first = false;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = 1; threads <= T_(MAX_THREADS); threads++) {
            weir_exec x = {.pool = threads == 1 ? NULL : tk_pool(threads), .isa = isa};
            weir_errinfo ei = {0};
            memset(out, 0x55, (n + 1) * sizeof *out);
            assert_int_equal(T_FIXED_MUL(t, out, k, n, &x, &ei), WEIR_OK);
            if (!have_first) memcpy(first, out, (n + 1) * sizeof *out);
            have_first = true;
            assert_memory_equal(out, first, (n + 1) * sizeof *out); /* and nothing written behind */
        }
    for (size_t i = 0; i < n && i < looked_at; i++) {
        T_JAC p;
        T_(curve)()->T_MUL(&p, base, &k[i]);
        T_AFF want = T_(affine)(&p);
        assert_memory_equal(&first[i], &want, sizeof want);
    }
    free(out);
    free(first);
}

static void T_(test_fixed)(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 1023, 1025, 2500};
    tk_rng g = tk_rng_new();
    weir_errinfo ei = {0};
    T_AFF base = T_(times_generator_u64)(1234567), points[200], want;
    weir_scalar *k = T_(scalars)(&g, 2500), special[200];
    size_t n = T_(specials)(points, special, &want);
    memcpy(k, special, n * sizeof *k);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        weir_exec x = {.pool = i % 2 ? tk_pool(3) : NULL,
                       .isa = i % 3 ? weir_isa_best() : WEIR_ISA_PORTABLE};
        T_FIXED *t;
        assert_int_equal(T_FIXED_NEW(&t, &base, sizes[i], &x, &ei), WEIR_OK);
        T_(check_fixed)(t, &base, k, sizes[i], 300);
        T_FIXED_FREE(t);
    }
    free(k);
}

static void T_(test_fixed_every_window)(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    T_AFF base = T_(times_generator_u64)(99), points[200], want;
    weir_scalar k[200];
    size_t n = T_(specials)(points, k, &want);
    for (unsigned c = WEIR_MSM_MIN_WINDOW; c <= 13; c++) {
        weir_exec x = {.pool = c % 2 ? tk_pool(3) : NULL, .isa = weir_isa_best()};
        T_FIXED *t;
        assert_int_equal(T_FIXED_NEW_WINDOW(&t, &base, c, &x, &ei), WEIR_OK);
        T_(check_fixed)(t, &base, k, n, n);
        T_FIXED_FREE(t);
    }
}

static void T_(test_fixed_infinity)(void **state)
{
    (void)state;
    weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    tk_rng g = tk_rng_new();
    T_AFF base = T_(infinity);
    weir_scalar *k = T_(scalars)(&g, 100);
    T_FIXED *t;
    assert_int_equal(T_FIXED_NEW(&t, &base, 100, &x, &ei), WEIR_OK);
    T_(check_fixed)(t, &base, k, 100, 100);
    T_FIXED_FREE(t);
    T_FIXED_FREE(NULL);
    free(k);
}

/* ---- the caller stops */

#define T_WATCHER T_(watcher)
typedef struct T_WATCHER {
    volatile int cancel;
    uint64_t calls, cancel_at, done, total;
} T_WATCHER;

static void T_(on_progress)(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    T_WATCHER *w = ctx;
    assert_non_null(stage);
    assert_true(done <= total && (w->calls == 0 || done >= w->done));
    w->done = done;
    w->total = total;
    if (++w->calls == w->cancel_at) w->cancel = 1;
}

static void T_(test_cancel)(void **state)
{
    (void)state;
    enum { N = 3000 };
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, N, NULL), *out = malloc(N * sizeof *out);
    weir_scalar *k = T_(scalars)(&g, N);
    for (unsigned threads = 1; threads <= T_(MAX_THREADS); threads++)
        for (uint64_t at = 0; at < 2; at++) {
            T_WATCHER w = {.cancel_at = at};
            weir_watch watch = {.progress = T_(on_progress), .ctx = &w, .cancel = &w.cancel};
            weir_exec x = {.pool = threads == 1 ? NULL : tk_pool(threads),
                           .isa = weir_isa_best(),
                           .watch = &watch};
            weir_exec quiet = {.isa = weir_isa_best()};
            weir_err want = at ? WEIR_E_CANCELLED : WEIR_OK;
            weir_errinfo ei = {0};
            T_JAC sum;
            T_FIXED *t;
            assert_int_equal(T_MSM(&sum, points, k, N, &x, &ei), want);
            assert_true(at || w.done == w.total);
            w = (T_WATCHER){.cancel_at = at};
            assert_int_equal(T_SUM_BITS(&sum, points, k->l, N, &x, &ei), want);
            assert_true(at || w.done == N);
            w = (T_WATCHER){.cancel_at = at};
            assert_int_equal(T_FIXED_NEW(&t, T_GENERATOR(), N, &quiet, &ei), WEIR_OK);
            assert_int_equal(T_FIXED_MUL(t, out, k, N, &x, &ei), want);
            assert_true(at || w.done == N);
            T_FIXED_FREE(t);
        }
    free(points);
    free(out);
    free(k);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T_(test_vectors)),
        cmocka_unit_test(T_(test_no_points)),
        cmocka_unit_test(T_(test_equals_naive)),
        cmocka_unit_test(T_(test_specials)),
        cmocka_unit_test(T_(test_every_window)),
        cmocka_unit_test(T_(test_all_equal)),
        cmocka_unit_test(T_(test_infinity)),
        cmocka_unit_test(T_(test_skewed)),
        cmocka_unit_test(T_(test_union)),
        cmocka_unit_test(T_(test_large)),
        cmocka_unit_test(T_(test_bits)),
        cmocka_unit_test(T_(test_bits_long)),
#ifdef T_SHIFTED
        cmocka_unit_test(T_(test_shifted)),
        cmocka_unit_test(T_(test_shifted_no_memory)),
#endif
        cmocka_unit_test(T_(test_collisions)),
        cmocka_unit_test(T_(test_fixed)),
        cmocka_unit_test(T_(test_fixed_every_window)),
        cmocka_unit_test(T_(test_fixed_infinity)),
        cmocka_unit_test(T_(test_cancel)),
    };
    tk_init(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
