/* Base64 against the examples of RFC 4648 and a slow reading of its definition. */
#include "formats/base64.h"
#include "testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void rfc_examples(void **state)
{
    (void)state;
    static const char *const plain[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
    static const char *const coded[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (int i = 0; i < 7; i++) {
        char text[16] = "";
        uint8_t back[16];
        size_t n = strlen(plain[i]), m;
        weir_base64_encode(text, (const uint8_t *)plain[i], n);
        assert_int_equal(weir_base64_chars(n), strlen(coded[i]));
        assert_memory_equal(text, coded[i], strlen(coded[i]) + 1);
        assert_int_equal(
            weir_base64_decode(back, &m, (const uint8_t *)coded[i], strlen(coded[i]), NULL),
            WEIR_OK);
        assert_int_equal(m, n);
        assert_memory_equal(back, plain[i], n);
    }
}

/* Bit by bit: character k holds bits 6k .. 6k + 5 of the bytes, most significant first. */
static void slow_encode(char *text, const uint8_t *in, size_t n)
{
    static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t chars = (n + 2) / 3 * 4;
    for (size_t k = 0; k < chars; k++) {
        unsigned v = 0;
        for (size_t b = 6 * k; b < 6 * k + 6; b++)
            v = v * 2 + (b / 8 < n ? in[b / 8] >> (7 - b % 8) & 1 : 0);
        text[k] = 6 * k < 8 * n ? set[v] : '=';
    }
}

static void all_lengths(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (size_t n = 0; n < 200; n++) {
        uint8_t in[200], back[204];
        char text[272], slow[272];
        size_t m;
        tk_bytes(&g, in, n);
        weir_base64_encode(text, in, n);
        slow_encode(slow, in, n);
        assert_memory_equal(text, slow, weir_base64_chars(n));
        assert_int_equal(weir_base64_decode(back, &m, (uint8_t *)text, weir_base64_chars(n), NULL),
                         WEIR_OK);
        assert_int_equal(m, n);
        assert_memory_equal(back, in, n);
        assert_int_equal(
            weir_base64_decode((uint8_t *)text, &m, (uint8_t *)text, weir_base64_chars(n), NULL),
            WEIR_OK);
        assert_memory_equal(text, in, n);
    }
}

/* A text is accepted only if encoding what came out gives it again: one text for each byte string.
 */
static void one_text_for_each_value(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    static const char set[] = "AQgwZz019+/==\n -_.\0";
    unsigned accepted = 0;
    for (int i = 0; i < 200000; i++) {
        uint8_t text[12], back[12];
        char again[16];
        size_t n = tk_below(&g, 13), m;
        for (size_t k = 0; k < n; k++) text[k] = (uint8_t)set[tk_below(&g, k + 3 > n ? 13 : 10)];
        if (tk_below(&g, 8) == 0 && n)
            text[tk_below(&g, n)] = (uint8_t)set[tk_below(&g, sizeof set)];
        weir_errinfo ei = {0};
        weir_err err = weir_base64_decode(back, &m, text, n, &ei);
        if (err == WEIR_OK) {
            accepted++;
            weir_base64_encode(again, back, m);
            assert_int_equal(weir_base64_chars(m), n);
            assert_memory_equal(again, text, n);
        } else {
            assert_int_equal(err, WEIR_E_FORMAT);
            assert_true(strlen(ei.text) > 0);
        }
    }
    assert_true(accepted > 1000);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"Zg=", "multiple of 4"},
        {"Zg", "multiple of 4"},
        {"Z", "multiple of 4"},
        {"Zm9vYg=\n", "character 6 (0x3d): padding"},
        {"Zm9v\nYg==", "character 4 (0x0a): white space"},
        {"Zm9v Yg=", "character 4 (0x20): white space"},
        {"Zm-v", "character 2 (0x2d): not in the standard alphabet"},
        {"Zm9_Zm9v", "character 3 (0x5f): not in the standard alphabet"},
        {"Zg==Zm9v", "character 2 (0x3d): padding"},
        {"Z===", "character 1 (0x3d): padding"},
        {"====", "character 0 (0x3d): padding"},
        {"Zh==", "character 1: bits are set"},
        {"Zm9=", "character 2: bits are set"},
        {"Zm9v\xc3\xa9==", "character 4 (0xc3)"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        weir_errinfo ei = {0};
        uint8_t out[16];
        size_t n;
        assert_int_equal(
            weir_base64_decode(out, &n, (const uint8_t *)bad[i].text, strlen(bad[i].text), &ei),
            WEIR_E_FORMAT);
        if (!strstr(ei.text, bad[i].says))
            fail_msg("%s: \"%s\" does not say \"%s\"", bad[i].text, ei.text, bad[i].says);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc_examples),
        cmocka_unit_test(all_lengths),
        cmocka_unit_test(one_text_for_each_value),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
