/* Kernels on key points against the CPU: multiples of the generators through the whole machinery (table, chunks, places), and
 * membership. */
#include <stdlib.h>
#include <string.h>

#include "curve/curve.h"
#include "field/fp2.h"
#include "field/fr.h"
#include "gpu/gpu_key_work.h"
#include "gpu/gpu_multiples.h"
#include "gpu/gpu_points.h"

#include "fake_device.h"
#include "testkit.h"

enum { MEMORY = 256 << 20 };

typedef struct kit {
    fake_device fake;
    const weir_gpu_driver *d;
    void *region, *pinned;
} kit;

static void device_init(kit *v, int lazy)
{
    fake_device_init(&v->fake, MEMORY, lazy);
    v->d = &v->fake.driver;
}

static void device_clear(kit *v)
{
    if (v->region) v->d->release(v->d->ctx, v->region);
    if (v->pinned) v->d->unpin(v->d->ctx, v->pinned);
    assert_int_equal(fake_device_held(&v->fake), 0);
    fake_device_clear(&v->fake);
}

/* Scalars of all sizes: 1, r - 1, powers of two and their neighbours, random ones. */
static void some_scalar(tk_rng *g, weir_scalar *k, uint64_t i)
{
    weir_fr v;
    *k = (weir_scalar){{0}};
    if (i == 0) {
        k->l[0] = 1;
        return;
    }
    if (i == 1) {
        fr_neg(&v, &fr_ONE);
        fr_to_scalar(k, &v);
        return;
    }
    if (i % 3 == 0) {
        unsigned bit = (unsigned)tk_below(g, 254);
        k->l[bit / 64] = (uint64_t)1 << bit % 64;
        if (tk_below(g, 2)) k->l[0] |= 1;
        return;
    }
    do {
        tk_fr(g, &v);
    } while (fr_is_zero(&v));
    fr_to_scalar(k, &v);
}

static void expect_g1(const weir_g1_affine *got, const weir_scalar *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(weir_isa_best());
    weir_g1 p;
    weir_g1_affine want;
    weir_fp tmp;
    ops->g1_mul(&p, weir_g1_generator(), k);
    ops->g1s_to_affine(&want, &p, 1, &tmp);
    assert_memory_equal(got, &want, sizeof want);
}

static void expect_g2(const weir_g2_affine *got, const weir_scalar *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(weir_isa_best());
    weir_g2 p;
    weir_g2_affine want;
    weir_fp2 tmp;
    ops->g2_mul(&p, weir_g2_generator(), k);
    ops->g2s_to_affine(&want, &p, 1, &tmp);
    assert_memory_equal(got, &want, sizeof want);
}

/* n multiples in chunks to two arrays, every fifth to the second one; all back, all compared. */
static void multiples_case(tk_rng *g, bool g2, uint64_t n, uint64_t room, int lazy)
{
    const weir_exec x = {.isa = weir_isa_best()};
    const size_t each = g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
    weir_gpu_multiples m;
    weir_errinfo ei = {0};
    kit v = {0};
    device_init(&v, lazy);
    assert_true(weir_gpu_multiples_plan(&m, v.d, g2, n, room, 4));
    assert_true(m.device_bytes <= room);
    uint64_t out_bytes = n * each, at = (m.device_bytes + 255) / 256 * 256;
    assert_int_equal(v.d->alloc(v.d->ctx, &v.region, at + 2 * out_bytes, &ei), WEIR_OK);
    assert_int_equal(v.d->pin(v.d->ctx, &v.pinned, m.pinned_bytes + 4096 + 2 * out_bytes, &ei),
                     WEIR_OK);
    unsigned char *device = v.region;
    void *const out[2] = {device + at, device + at + out_bytes};
    weir_scalar *all = calloc(n, sizeof *all);
    assert_int_equal(weir_gpu_multiples_begin(&m, device, v.pinned, &x, &ei), WEIR_OK);
    for (uint64_t first = 0; first < n; first += m.chunk) {
        uint32_t part = n - first < m.chunk ? (uint32_t)(n - first) : m.chunk, *place;
        weir_scalar *k;
        assert_int_equal(weir_gpu_multiples_room(&m, &k, &place, &ei), WEIR_OK);
        for (uint32_t i = 0; i < part; i++) {
            uint64_t j = first + i;
            some_scalar(g, &k[i], j);
            all[j] = k[i];
            place[i] = j % 5 == 0 ? DFIXED_SECOND + (uint32_t)(j / 5) : (uint32_t)(j - j / 5 - 1);
        }
        assert_int_equal(weir_gpu_multiples_put(&m, part, true, out, &ei), WEIR_OK);
    }
    unsigned char *host = (unsigned char *)v.pinned + (m.pinned_bytes + 4095) / 4096 * 4096;
    assert_int_equal(v.d->download(v.d->ctx, WEIR_GPU_WORK, host, out[0], 2 * out_bytes, &ei),
                     WEIR_OK);
    assert_int_equal(v.d->drain(v.d->ctx, &ei), WEIR_OK);
    for (uint64_t j = 0; j < n; j++) {
        const unsigned char *p =
            j % 5 == 0 ? host + out_bytes + j / 5 * each : host + (j - j / 5 - 1) * each;
        if (g2)
            expect_g2((const weir_g2_affine *)(const void *)p, &all[j]);
        else
            expect_g1((const weir_g1_affine *)(const void *)p, &all[j]);
    }
    free(all);
    device_clear(&v);
}

static void multiples(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    multiples_case(&g, false, 40, MEMORY / 2, -1);
    multiples_case(&g, false, 2500, 1 << 18, WEIR_GPU_WORK); /* a narrow window, three chunks */
    multiples_case(&g, true, 300, 1 << 20, -1);
}

static void plans(void **state)
{
    (void)state;
    weir_gpu_multiples m;
    kit v = {0};
    device_init(&v, -1);
    assert_false(weir_gpu_multiples_plan(&m, v.d, false, 1000, 50000, 4));
    assert_true(weir_gpu_multiples_plan(&m, v.d, false, (uint64_t)1 << 28, UINT64_MAX, 4));
    assert_int_equal(m.window, DFIXED_WINDOW_MAX);
    assert_int_equal(m.chunk, 1 << 18);
    assert_true(weir_gpu_multiples_plan(&m, v.d, true, 10, UINT64_MAX, 4));
    assert_true(m.window < 4);
    fake_device_clear(&v.fake);
}

/* ---- membership */

enum { POINTS = 200 };

/* A random point of the curve, hardly ever in the group. */
static void some_point_g1(tk_rng *g, weir_g1_affine *p)
{
    const weir_curve_ops *ops = weir_curve_ops_get(weir_isa_best());
    uint8_t bytes[48];
    do {
        for (int i = 0; i < 48; i++) bytes[i] = (uint8_t)tk_below(g, 256);
        bytes[0] = (bytes[0] & 0x1f) | 0x80;
    } while (ops->g1_decompress(p, bytes, WEIR_CHECK_CURVE) != WEIR_OK);
}

static void some_point_g2(tk_rng *g, weir_g2_affine *p)
{
    const weir_curve_ops *ops = weir_curve_ops_get(weir_isa_best());
    uint8_t bytes[96];
    do {
        for (int i = 0; i < 96; i++) bytes[i] = (uint8_t)tk_below(g, 256);
        bytes[0] = (bytes[0] & 0x1f) | 0x80;
        bytes[48] &= 0x1f;
    } while (ops->g2_decompress(p, bytes, WEIR_CHECK_CURVE) != WEIR_OK);
}

static void ask(bool *good, const void *points, size_t each, weir_gpu_kernel kernel)
{
    weir_errinfo ei = {0};
    kit v = {0};
    device_init(&v, -1);
    uint64_t bytes = POINTS * each, at = (bytes + 255) / 256 * 256, words = (POINTS + 31) / 32;
    assert_int_equal(v.d->alloc(v.d->ctx, &v.region, at + words * 4, &ei), WEIR_OK);
    assert_int_equal(v.d->pin(v.d->ctx, &v.pinned, at + words * 4, &ei), WEIR_OK);
    unsigned char *device = v.region, *host = v.pinned;
    dmember_args a = {.points = device, .bad = (uint32_t *)(void *)(device + at), .n = POINTS};
    memcpy(host, points, bytes);
    assert_int_equal(v.d->upload(v.d->ctx, WEIR_GPU_WORK, device, host, bytes, &ei), WEIR_OK);
    assert_int_equal(v.d->clear(v.d->ctx, WEIR_GPU_WORK, a.bad, words * 4, &ei), WEIR_OK);
    assert_int_equal(v.d->launch(v.d->ctx, WEIR_GPU_WORK, kernel, dpoints_blocks(POINTS),
                                 DPOINTS_THREADS, &a, &ei),
                     WEIR_OK);
    assert_int_equal(v.d->download(v.d->ctx, WEIR_GPU_WORK, host + at, device + at, words * 4, &ei),
                     WEIR_OK);
    assert_int_equal(v.d->drain(v.d->ctx, &ei), WEIR_OK);
    const uint32_t *bad = (const uint32_t *)(void *)(host + at);
    for (int i = 0; i < POINTS; i++) good[i] = !(bad[i / 32] >> i % 32 & 1);
    device_clear(&v);
}

/* Of five points one is no point of the curve, one is on it but not in the group; infinity, and the points of order three. */
static void members_g1(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_curve_ops *ops = weir_curve_ops_get(weir_isa_best());
    weir_g1_affine p[POINTS];
    bool good[POINTS];
    weir_fp tmp;
    for (int i = 0; i < POINTS; i++) {
        weir_scalar k;
        weir_g1 q;
        some_scalar(&g, &k, (uint64_t)i);
        ops->g1_mul(&q, weir_g1_generator(), &k);
        ops->g1s_to_affine(&p[i], &q, 1, &tmp);
        if (i % 5 == 1) some_point_g1(&g, &p[i]);
        if (i % 5 == 2) fp_add(&p[i].x, &p[i].x, &fp_ONE);
    }
    memset(&p[13], 0, sizeof p[13]);
    memset(&p[18], 0, sizeof p[18]);
    fp_add(&p[18].y, &fp_ONE, &fp_ONE); /* (0, 2) */
    for (int i = 0; i < POINTS; i++)
        assert_int_equal(dg1_on_curve((const weir_dg1_affine *)(const void *)&p[i]),
                         i % 5 != 2 && i != 13);
    ask(good, p, sizeof *p, WEIR_GPU_MEMBER_G1);
    for (int i = 0; i < POINTS; i++)
        assert_int_equal(good[i], i % 5 != 1 && i % 5 != 2 && i != 13 && i != 18);
}

static void members_g2(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_curve_ops *ops = weir_curve_ops_get(weir_isa_best());
    weir_g2_affine p[POINTS];
    bool good[POINTS];
    weir_fp2 tmp;
    for (int i = 0; i < POINTS; i++) {
        weir_scalar k;
        weir_g2 q;
        some_scalar(&g, &k, (uint64_t)i);
        ops->g2_mul(&q, weir_g2_generator(), &k);
        ops->g2s_to_affine(&p[i], &q, 1, &tmp);
        if (i % 5 == 1) some_point_g2(&g, &p[i]);
        if (i % 5 == 2) fp_add(&p[i].y.c1, &p[i].y.c1, &fp_ONE);
    }
    memset(&p[13], 0, sizeof p[13]);
    for (int i = 0; i < POINTS; i++)
        assert_int_equal(dg2_on_curve((const weir_dg2_affine *)(const void *)&p[i]),
                         i % 5 != 2 && i != 13);
    ask(good, p, sizeof *p, WEIR_GPU_MEMBER_G2);
    for (int i = 0; i < POINTS; i++) assert_int_equal(good[i], i % 5 != 1 && i % 5 != 2 && i != 13);
}

/* ---- the work of commands on keys */

static void key_work(void **state)
{
    (void)state;
    enum { N = 70 };
    tk_rng g = tk_rng_new();
    const weir_exec x = {.isa = weir_isa_best()};
    weir_gpu_key_work *w;
    weir_errinfo ei = {0};
    weir_scalar k[N];
    weir_g1_affine g1[N];
    weir_g2_affine g2[N];
    size_t bad = 0;
    kit v = {0};
    device_init(&v, WEIR_GPU_WORK);
    if (weir_gpu_key_work_new(&w, v.d, N, &x, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    const weir_key_multiplier m = weir_gpu_key_multiplier(w);
    const weir_point_check c = weir_gpu_point_check(w);
    for (uint64_t i = 0; i < N; i++) some_scalar(&g, &k[i], i);
    assert_int_equal(m.g1(m.ctx, g1, k, N, &ei), WEIR_OK);
    assert_int_equal(m.g2(m.ctx, g2, k, N, &ei), WEIR_OK);
    for (int i = 0; i < N; i++) {
        expect_g1(&g1[i], &k[i]);
        expect_g2(&g2[i], &k[i]);
    }
    assert_int_equal(c.g1(c.ctx, g1, N, &bad, &ei), WEIR_OK);
    assert_int_equal(c.g2(c.ctx, g2, N, &bad, &ei), WEIR_OK);
    some_point_g1(&g, &g1[61]);
    some_point_g2(&g, &g2[9]);
    assert_int_equal(c.g1(c.ctx, g1, N, &bad, &ei), WEIR_E_NOT_IN_SUBGROUP);
    assert_int_equal(bad, 61);
    assert_int_equal(c.g2(c.ctx, g2, N, &bad, &ei), WEIR_E_NOT_IN_SUBGROUP);
    assert_int_equal(bad, 9);
    g1[33].y.l[5] = UINT64_MAX; /* no number below p */
    assert_int_equal(c.g1(c.ctx, g1, N, &bad, &ei), WEIR_E_ENCODING);
    assert_int_equal(bad, 33);
    memset(&g2[3], 0, sizeof g2[3]);
    assert_int_equal(c.g2(c.ctx, g2, N, &bad, &ei), WEIR_E_INFINITY);
    assert_int_equal(bad, 3);
    weir_gpu_key_work_free(w);
    device_clear(&v);
}

/* Every call of the device fails in turn. */
static void key_work_fails(void **state)
{
    (void)state;
    const weir_exec x = {.isa = weir_isa_best()};
    weir_err err = WEIR_E_DEVICE;
    for (uint64_t nth = 1; err != WEIR_OK; nth++) {
        weir_gpu_key_work *w;
        weir_errinfo ei = {0};
        kit v = {0};
        device_init(&v, WEIR_GPU_WORK);
        v.fake.fail_at = nth;
        err = weir_gpu_key_work_new(&w, v.d, 1, &x, &ei);
        assert_true(err == WEIR_OK || (err == WEIR_E_DEVICE && w == NULL && ei.text[0]));
        weir_gpu_key_work_free(w);
        assert_int_equal(fake_device_held(&v.fake), 0);
        fake_device_clear(&v.fake);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiples),  cmocka_unit_test(plans),    cmocka_unit_test(members_g1),
        cmocka_unit_test(members_g2), cmocka_unit_test(key_work), cmocka_unit_test(key_work_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
