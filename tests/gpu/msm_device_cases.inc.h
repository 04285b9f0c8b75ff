/* Dense sums and sums over bits by the kernels' own source on the host, against src/msm on the portable path: an
 * include-template. Before including, define
 *   T_(name)   the prefix of what is made here
 *   T_JAC, T_AFF, T_COORD   the group's types; T_IS_G2
 *   T_MSM, T_SUM_BITS, T_FIXED, T_FIXED_NEW, T_FIXED_MUL, T_FIXED_FREE
 *   T_TO_AFFINE   a member of weir_curve_ops; T_GENERATOR; T_SIZES; T_JOIN
 */

static weir_exec T_(exec)(void)
{
    return (weir_exec){.isa = WEIR_ISA_PORTABLE};
}

static T_AFF T_(affine)(const T_JAC *p)
{
    T_AFF a;
    T_COORD scratch;
    weir_curve_ops_get(WEIR_ISA_PORTABLE)->T_TO_AFFINE(&a, p, 1, &scratch);
    return a;
}

static void T_(check_against)(const T_AFF *points, const weir_scalar *k, uint32_t n, uint32_t c,
                              uint32_t group, twin_order order, const T_AFF *want)
{
    weir_dmsm_plan plan;
    weir_dmsm_plan_make(&plan, &T_SIZES, n, c, group);
    T_JAC *sums = calloc(plan.windows + 1, sizeof *sums);
    assert_non_null(sums);
    assert_true(twin_dmsm(&plan, T_IS_G2, points, k, sums, order));
    T_JAC sum;
    T_JOIN(&sum, sums, plan.windows, plan.c, weir_curve_ops_get(WEIR_ISA_PORTABLE));
    T_AFF got = T_(affine)(&sum);
    free(sums);
    if (memcmp(&got, want, sizeof got) != 0)
        fail_msg("n %u, c %u, %u windows at once: another point", n, plan.c, plan.group);
}

static void T_(check)(tk_rng *g, const T_AFF *points, const weir_scalar *k, uint32_t n, uint32_t c,
                      uint32_t group)
{
    weir_exec x = T_(exec)();
    weir_errinfo ei = {0};
    T_JAC sum;
    assert_int_equal(T_MSM(&sum, points, k, n, &x, &ei), WEIR_OK);
    T_AFF want = T_(affine)(&sum);
    twin_order order = {(int)tk_below(g, 3), tk_u64(g)};
    T_(check_against)(points, k, n, c, group, order, &want);
}

/* n random points, one in 50 of them infinity, one in 50 equal to the one before, one in 50 opposite to it. */
static T_AFF *T_(points)(tk_rng *g, uint32_t n)
{
    weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    T_FIXED *t;
    static const uint64_t r[4] = WEIR_FR_MODULUS;
    T_AFF *out = calloc(n + 1, sizeof *out);
    weir_scalar *s = calloc(n + 1, sizeof *s);
    assert_true(out && s);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t kind = tk_below(g, 50);
        tk_scalar(g, &s[i]);
        if (kind == 0) s[i] = (weir_scalar){{0}};
        if ((kind == 1 || kind == 2) && i > 0) s[i] = s[i - 1];
        if (kind == 2 && i > 0) {
            uint64_t borrow = 0;
            for (int j = 0; j < 4; j++) {
                unsigned __int128 d = (unsigned __int128)r[j] - s[i].l[j] - borrow;
                s[i].l[j] = (uint64_t)d;
                borrow = (uint64_t)(d >> 64) & 1;
            }
            if (memcmp(s[i].l, r, sizeof r) == 0) s[i] = (weir_scalar){{0}};
        }
    }
    assert_int_equal(T_FIXED_NEW(&t, T_GENERATOR(), n, &x, &ei), WEIR_OK);
    assert_int_equal(T_FIXED_MUL(t, out, s, n, &x, &ei), WEIR_OK);
    T_FIXED_FREE(t);
    free(s);
    return out;
}

/* kind: 0 random; 1 all equal; 2 of 0, 1, r - 1; 3 nearly all zero; 4 all one, small */
static void T_(fill)(tk_rng *g, weir_scalar *k, uint32_t n, int kind)
{
    static const weir_scalar minus_one = {
        {0xffffffff00000000u, 0x53bda402fffe5bfeu, 0x3339d80809a1d805u, 0x73eda753299d7d48u}};
    weir_scalar one;
    tk_scalar(g, &one);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t j = tk_below(g, 3);
        tk_scalar(g, &k[i]);
        if (kind == 1) k[i] = one;
        if (kind == 2) k[i] = j == 2 ? minus_one : (weir_scalar){{j}};
        if (kind == 3 && tk_below(g, 30)) k[i] = (weir_scalar){{0}};
        if (kind == 4) k[i] = (weir_scalar){{12345}};
    }
}

/* Every n up to 300; in G2 every seventh. */
static void T_(test_every_n)(void **state)
{
    (void)state;
    enum { N = 300 };
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, N);
    weir_scalar *k = calloc(N, sizeof *k);
    assert_non_null(k);
    T_(fill)(&g, k, N, 0);
    for (uint32_t n = 0; n <= N; n += T_IS_G2 && n > 3 ? 7 : 1)
        T_(check)(&g, points, k, n, 0, (uint32_t)tk_below(&g, 4));
    free(k);
    free(points);
}

/* Special scalars under every window up to 13 bits, groups of one, of some, of all windows. */
static void T_(test_every_window)(void **state)
{
    (void)state;
    enum { N = 120 };
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, N);
    weir_scalar *k = calloc(N, sizeof *k);
    assert_non_null(k);
    for (uint32_t c = WEIR_DMSM_MIN_WINDOW; c <= 13; c++)
        for (int kind = 0; kind < 5; kind++) {
            if (T_IS_G2 && kind != (int)(c % 5) && kind != 2) continue;
            T_(fill)(&g, k, N, kind);
            T_(check)(&g, points, k, N, c, kind == 0 ? 0 : 1 + (uint32_t)tk_below(&g, 12));
        }
    free(k);
    free(points);
}

static void T_(test_sizes)(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, c, group;
    } cases[] = {{1 << 10, 4, 0}, {1 << 10, 14, 7}, {1 << 12, 7, 20}, {1 << 12, 12, 0}};
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, 1 << 12);
    weir_scalar *k = calloc(1 << 12, sizeof *k);
    assert_non_null(k);
    T_(fill)(&g, k, 1 << 12, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] - T_IS_G2; i++)
        T_(check)(&g, points, k, cases[i].n, cases[i].c, cases[i].group);
    free(k);
    free(points);
}

/* Buckets of many pieces, whose sums are joined over three levels; equal points meet in the tree as well. */
static void T_(test_skewed)(void **state)
{
    (void)state;
    enum { N = 10007 };
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, N), first = points[0];
    weir_scalar *k = calloc(N, sizeof *k);
    assert_non_null(k);
    T_(fill)(&g, k, N, 4);
    T_(check)(&g, points, k, N, 12, 0);
    for (uint32_t i = 0; i < N; i++) k[i] = (weir_scalar){{tk_below(&g, 10) < 3 ? 4097 : i % 3}};
    T_(check)(&g, points, k, N, 12, 22);
    for (uint32_t i = 0; i < N; i++) points[i] = first;
    T_(check)(&g, points, k, N, 12, 5);
    free(k);
    free(points);
}

/* ---- sums over bits */

static void T_(check_bits)(tk_rng *g, const T_AFF *points, const uint64_t *bits, uint32_t n,
                           uint32_t blocks, uint32_t chunk)
{
    weir_dsum_plan plan;
    weir_exec x = T_(exec)();
    weir_errinfo ei = {0};
    T_JAC sum, got;
    assert_int_equal(T_SUM_BITS(&sum, points, bits, n, &x, &ei), WEIR_OK);
    twin_order order = {(int)tk_below(g, 3), tk_u64(g)};
    weir_dsum_plan_make(&plan, &T_SIZES, n, blocks, chunk);
    assert_true(twin_dsum(&plan, T_IS_G2, points, bits, &got, order));
    T_AFF want = T_(affine)(&sum), have = T_(affine)(&got);
    if (memcmp(&want, &have, sizeof want) != 0)
        fail_msg("n %u, %u blocks, %u chunks: another point", n, blocks, plan.chunks);
}

static void T_(test_bits)(void **state)
{
    (void)state;
    enum { N = 20011, WORDS = N / 64 + 1 };
    static const uint32_t sizes[] = {0, 1, 2, 63, 64, 65, 300, 4096, N};
    static const uint32_t percent[] = {0, 1, 50, 99, 100};
    tk_rng g = tk_rng_new();
    T_AFF *points = T_(points)(&g, N);
    uint64_t *bits = calloc(WORDS, sizeof *bits);
    assert_non_null(bits);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < sizeof percent / sizeof percent[0]; j++) {
            for (uint32_t w = 0; w < WORDS; w++)
                for (int b = 0; b < 64; b++) {
                    uint64_t bit = tk_below(&g, 100) < percent[j];
                    bits[w] = bits[w] << 1 | bit; /* bits above n too */
                }
            if (T_IS_G2 && sizes[i] == N && percent[j] > 1 && percent[j] < 99) continue;
            T_(check_bits)
            (&g, points, bits, sizes[i], 1 + (uint32_t)tk_below(&g, 3),
             (uint32_t)tk_below(&g, 5) * 2048);
        }
    /* dense runs and nothing between */
    for (uint32_t w = 0; w < WORDS; w++) bits[w] = w / 40 % 2 ? 0 : ~(uint64_t)0;
    T_(check_bits)(&g, points, bits, N, 2, 0);
    /* the last bit of a row, of a chunk, of all */
    for (uint32_t w = 0; w < WORDS; w++) bits[w] = 0;
    bits[31] = bits[32 * 8 - 1] = (uint64_t)1 << 63;
    bits[N / 64] = (uint64_t)1 << (N - 1) % 64;
    T_(check_bits)(&g, points, bits, N, 200, 2048);
    free(bits);
    free(points);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T_(test_every_n)), cmocka_unit_test(T_(test_every_window)),
        cmocka_unit_test(T_(test_sizes)),   cmocka_unit_test(T_(test_skewed)),
        cmocka_unit_test(T_(test_bits)),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
