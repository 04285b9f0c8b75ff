/* The bounded cursor. */
#include "formats/reader.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

static void integers_of_all_widths(void **state)
{
    (void)state;
    static const uint8_t data[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x01, 0x02, 0x03, 0x04,
                                   0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x01,
                                   0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
    weir_errinfo ei = {0};
    weir_reader r;
    uint8_t a;
    uint32_t b, c;
    uint64_t d, e;
    weir_reader_init(&r, data, sizeof data, &ei);
    assert_int_equal(weir_reader_u8(&r, &a, "a"), WEIR_OK);
    assert_int_equal(weir_reader_u32le(&r, &b, "b"), WEIR_OK);
    assert_int_equal(weir_reader_u32be(&r, &c, "c"), WEIR_OK);
    assert_int_equal(weir_reader_u64le(&r, &d, "d"), WEIR_OK);
    assert_int_equal(weir_reader_u64be(&r, &e, "e"), WEIR_OK);
    assert_int_equal(a, 1);
    assert_int_equal(b, 0x05040302);
    assert_int_equal(c, 0x01020304);
    assert_true(d == UINT64_C(0x0807060504030201));
    assert_true(e == UINT64_C(0x0102030405060708));
    assert_int_equal(weir_reader_end(&r, "data"), WEIR_OK);
}

/* Every read fails at every length that is too short, says where, and does not move. */
static void short_data(void **state)
{
    (void)state;
    static const uint8_t data[8];
    for (size_t n = 0; n < 8; n++) {
        weir_errinfo ei = {0};
        weir_reader r;
        uint64_t v64;
        uint32_t v32;
        const uint8_t *p;
        weir_reader_init(&r, data, n, &ei);
        assert_int_equal(weir_reader_u64le(&r, &v64, "thing"), WEIR_E_TRUNCATED);
        assert_non_null(strstr(ei.text, "byte 0: thing takes 8 bytes"));
        assert_int_equal(weir_reader_u64be(&r, &v64, "thing"), WEIR_E_TRUNCATED);
        assert_int_equal(weir_reader_bytes(&r, &p, n + 1, "thing"), WEIR_E_TRUNCATED);
        assert_int_equal(weir_reader_bytes(&r, &p, UINT64_MAX, "thing"), WEIR_E_TRUNCATED);
        assert_int_equal(r.pos, 0);
        assert_int_equal(weir_reader_u32le(&r, &v32, "thing"), n < 4 ? WEIR_E_TRUNCATED : WEIR_OK);
        assert_int_equal(r.pos, n < 4 ? 0 : 4);
    }
}

static void counts_near_overflow(void **state)
{
    (void)state;
    static const uint8_t data[100];
    static const uint64_t counts[] = {
        4, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 59, UINT64_MAX / 32 + 1, UINT64_MAX};
    weir_errinfo ei = {0};
    weir_reader r;
    weir_reader_init(&r, data, sizeof data, &ei);
    assert_int_equal(weir_reader_check_count(&r, 3, 32, "nodes"), WEIR_OK);
    assert_int_equal(weir_reader_check_count(&r, 0, 32, "nodes"), WEIR_OK);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        assert_int_equal(weir_reader_check_count(&r, counts[i], 32, "nodes"), WEIR_E_TRUNCATED);
    assert_int_equal(weir_reader_end(&r, "data"), WEIR_E_FORMAT);
    assert_non_null(strstr(ei.text, "byte 0: 100 bytes follow the end of data"));
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_all_widths),
        cmocka_unit_test(short_data),
        cmocka_unit_test(counts_near_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
