/* The JSON pull reader: what is accepted (against jansson), what is refused and how it says where.
 */
#include "formats/json_pull.h"
#include "testkit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weir_err skip_document(const char *text, size_t n, weir_errinfo *ei)
{
    weir_json j;
    weir_json_init(&j, (const uint8_t *)text, n, ei);
    weir_err err = weir_json_skip(&j);
    return err == WEIR_OK ? weir_json_end(&j) : err;
}

static void accepted(void **state)
{
    (void)state;
    static const char *const good[] = {
        "0",
        "-0",
        " 12 ",
        "1.5",
        "-1.5e+10",
        "1E5",
        "0.0e-0",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\\u00e9\\n\\\\\"",
        "\"\\ud83d\\ude00\"",
        "\"\xf0\x9f\x98\x80\xed\x9f\xbf\"",
        "[]",
        "[ ]",
        "{}",
        "{ }",
        "[1,[2,[3]],{}]",
        "[0]",
        "[0,10,200]",
        "[[1,2],[3,4],{\"a\":[5,6],\"b\":[7]}]",
        "[1,2.5,-3,4e5]",
        "[1,20 ,3]",
        "{\"a\":1,\"b\":{\"c\":[]},\"\":null}",
        "\t\r\n[1 , 2]\n",
        "18446744073709551616",
        "\"\x7f\"",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        weir_errinfo ei = {0};
        if (skip_document(good[i], strlen(good[i]), &ei) != WEIR_OK)
            fail_msg("%s: %s", good[i], ei.text);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        weir_err err;
        const char *says;
    } bad[] = {
        {"", WEIR_E_TRUNCATED, "byte 0: the data ends where a value"},
        {"  ", WEIR_E_TRUNCATED, "byte 2:"},
        {"[1,", WEIR_E_TRUNCATED, "byte 3, [1]: the data ends"},
        {"[1", WEIR_E_TRUNCATED, "byte 2, [0]"},
        {"[1,]", WEIR_E_FORMAT, "byte 3, [1]: a value is expected, found ']'"},
        {"[,1]", WEIR_E_FORMAT, "byte 1, [0]: a value"},
        {"[1 2]", WEIR_E_FORMAT, "byte 3, [0]: ',' or ']' is expected, found '2'"},
        {"[1}", WEIR_E_FORMAT, "byte 2, [0]"},
        {"{\"a\" 1}", WEIR_E_FORMAT, "byte 5, a: ':' is expected"},
        {"{\"a\":1,}", WEIR_E_FORMAT, "byte 7, a: a key is expected"},
        {"{\"a\":1 \"b\":2}", WEIR_E_FORMAT, "byte 7, a: ',' or '}'"},
        {"{1:2}", WEIR_E_FORMAT, "byte 1: a key"},
        {"{\"a\":{\"b\":[0,x]}}", WEIR_E_FORMAT, "byte 13, a.b[1]: a value is expected, found 'x'"},
        {"[1,02]", WEIR_E_FORMAT, "byte 4, [1]: no digit after a leading zero"},
        {"[1,-]", WEIR_E_FORMAT, "byte 4, [1]: a digit"},
        {"[[1,2],[3,4}]", WEIR_E_FORMAT, "byte 11, [1][1]"},
        {"[[1,2]]]", WEIR_E_FORMAT, "byte 7: 1 bytes follow"},
        {"[[1,2][3]]", WEIR_E_FORMAT, "byte 6, [0]: ',' or ']'"},
        {"01", WEIR_E_FORMAT, "byte 1: no digit after a leading zero"},
        {"-", WEIR_E_TRUNCATED, "byte 1: the data ends where a digit"},
        {"-a", WEIR_E_FORMAT, "byte 1: a digit"},
        {"+1", WEIR_E_FORMAT, "byte 0"},
        {".5", WEIR_E_FORMAT, "byte 0"},
        {"1.", WEIR_E_TRUNCATED, "byte 2"},
        {"1.e5", WEIR_E_FORMAT, "byte 2: a digit"},
        {"1e", WEIR_E_TRUNCATED, "byte 2"},
        {"1e+x", WEIR_E_FORMAT, "byte 3: a digit"},
        {"1 2", WEIR_E_FORMAT, "byte 2: 1 bytes follow the end"},
        {"nul", WEIR_E_TRUNCATED, "byte 3"},
        {"nulL", WEIR_E_FORMAT, "byte 3: null is expected"},
        {"True", WEIR_E_FORMAT, "byte 0"},
        {"NaN", WEIR_E_FORMAT, "byte 0"},
        {"'a'", WEIR_E_FORMAT, "byte 0"},
        {"\"abc", WEIR_E_TRUNCATED, "byte 4: the data ends where the closing quote"},
        {"\"a\nb\"", WEIR_E_FORMAT, "byte 2: control character"},
        {"\"\\x\"", WEIR_E_FORMAT, "byte 1: wrong escape"},
        {"\"\\u12g4\"", WEIR_E_FORMAT, "byte 1: wrong escape"},
        {"\"\\ud800\"", WEIR_E_FORMAT, "byte 1: wrong escape"},
        {"\"\\ud800\\u0041\"", WEIR_E_FORMAT, "byte 1: wrong escape"},
        {"\"\\udc00\"", WEIR_E_FORMAT, "byte 1: wrong escape"},
        {"\"\x80\"", WEIR_E_FORMAT, "byte 1: wrong UTF-8"},
        {"\"\xc0\x80\"", WEIR_E_FORMAT, "byte 1: wrong UTF-8"},
        {"\"\xe0\x9f\xbf\"", WEIR_E_FORMAT, "byte 1: wrong UTF-8"},
        {"\"\xed\xa0\x80\"", WEIR_E_FORMAT, "byte 1: wrong UTF-8"},
        {"\"\xf4\x90\x80\x80\"", WEIR_E_FORMAT, "byte 1: wrong UTF-8"},
        {"\"\xf5\x80\x80\x80\"", WEIR_E_FORMAT, "byte 1: wrong UTF-8"},
        {"\"a\xe2\x82\"", WEIR_E_FORMAT, "byte 2: wrong UTF-8"},
        {"\xef\xbb\xbf{}", WEIR_E_FORMAT, "byte 0: a value is expected, found byte 0xef"},
        {"// x\n1", WEIR_E_FORMAT, "byte 0"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        weir_errinfo ei = {0};
        weir_err err = skip_document(bad[i].text, strlen(bad[i].text), &ei);
        if (err != bad[i].err || !strstr(ei.text, bad[i].says))
            fail_msg("%s: %s \"%s\", wanted \"%s\"", bad[i].text, weir_err_name(err), ei.text,
                     bad[i].says);
    }
    assert_int_equal(skip_document("\"a\0b\"", 5, NULL), WEIR_E_FORMAT);
}

static void depth_is_bounded(void **state)
{
    (void)state;
    enum { N = 100000 };
    char *text = malloc(2 * N);
    assert_non_null(text);
    for (size_t depth = WEIR_JSON_MAX_DEPTH - 1; depth <= WEIR_JSON_MAX_DEPTH + 1; depth++) {
        weir_errinfo ei = {0};
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        bool fits = depth <= WEIR_JSON_MAX_DEPTH;
        assert_int_equal(skip_document(text, 2 * depth, &ei), fits ? WEIR_OK : WEIR_E_FORMAT);
        if (!fits) assert_non_null(strstr(ei.text, "nested more than 64 deep"));
    }
    memset(text, '[', 2 * N);
    assert_int_equal(skip_document(text, 2 * N, NULL), WEIR_E_FORMAT);
    for (size_t i = 0; i + 5 <= 2 * N; i += 5) memcpy(text + i, "{\"a\":", 5);
    assert_int_equal(skip_document(text, 2 * N, NULL), WEIR_E_FORMAT);
    free(text);
}

static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        weir_err err;
        uint64_t v;
    } cases[] = {
        {"0", WEIR_OK, 0},
        {"18446744073709551615", WEIR_OK, UINT64_MAX},
        {"18446744073709551616", WEIR_E_RANGE, 0},
        {"184467440737095516150", WEIR_E_RANGE, 0},
        {"99999999999999999999999999", WEIR_E_RANGE, 0},
        {"-1", WEIR_E_RANGE, 0},
        {"-0", WEIR_E_RANGE, 0},
        {"1.0", WEIR_E_RANGE, 0},
        {"1e3", WEIR_E_RANGE, 0},
        {"\"1\"", WEIR_E_FORMAT, 0},
        {"[1]", WEIR_E_FORMAT, 0},
        {"", WEIR_E_TRUNCATED, 0},
        {"007", WEIR_E_FORMAT, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_json j;
        uint64_t v = 7;
        weir_json_init(&j, (const uint8_t *)cases[i].text, strlen(cases[i].text), NULL);
        assert_int_equal(weir_json_u64(&j, &v), cases[i].err);
        if (cases[i].err == WEIR_OK) assert_true(v == cases[i].v);
    }
}

static weir_err read_bytes32(const char *text, uint8_t out[32], weir_errinfo *ei)
{
    weir_json j;
    weir_json_init(&j, (const uint8_t *)text, strlen(text), ei);
    weir_err err = weir_json_bytes32(&j, out);
    return err == WEIR_OK ? weir_json_end(&j) : err;
}

static void byte_arrays(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int round = 0; round < 2000; round++) {
        uint8_t want[32], got[32];
        char text[400];
        size_t n = 0;
        tk_bytes(&g, want, 32);
        for (int i = 0; i < 32; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%d%s", i ? "," : "[",
                                  round % 3 ? "" : " \n", want[i], round % 5 ? "" : "\t");
        snprintf(text + n, sizeof text - n, "]");
        assert_int_equal(read_bytes32(text, got, NULL), WEIR_OK);
        assert_memory_equal(got, want, 32);
        for (size_t cut = 0; round < 5 && cut < strlen(text); cut++) {
            weir_json j;
            weir_json_init(&j, (const uint8_t *)text, cut, NULL);
            assert_int_equal(weir_json_bytes32(&j, got), WEIR_E_TRUNCATED);
        }
    }
    static const char *const wrong[] = {"256", "300",   "1000", "-1", "01",  "00",  "1.0",
                                        "1e1", "\"1\"", "",     "x",  "[1]", "null"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        weir_errinfo ei = {0};
        uint8_t got[32];
        char text[200] = "[";
        for (int k = 0; k < 32; k++) {
            if (k) strcat(text, ",");
            strcat(text, k == 9 ? wrong[i] : "9");
        }
        strcat(text, "]");
        weir_err err = read_bytes32(text, got, &ei);
        if (err != WEIR_E_FORMAT || !strstr(ei.text, "byte 9 of a 32-byte value"))
            if (!strstr(ei.text, "byte 20: ',' is expected")) fail_msg("%s: %s", text, ei.text);
    }
    weir_errinfo ei = {0};
    uint8_t got[32];
    assert_int_equal(read_bytes32("[1,2,3]", got, &ei), WEIR_E_FORMAT);
    assert_non_null(strstr(ei.text, "byte 0: a 32-byte value has fewer bytes"));
    assert_int_equal(
        read_bytes32("[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", got,
                     &ei),
        WEIR_E_FORMAT);
    assert_non_null(strstr(ei.text, "more bytes"));
}

static void strings_are_unescaped(void **state)
{
    (void)state;
    static const char text[] =
        "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00\xc3\xa9\"";
    static const char want[] = "a\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9";
    weir_json j;
    weir_json_raw raw;
    char out[sizeof want];
    weir_json_init(&j, (const uint8_t *)text, strlen(text), NULL);
    weir_json copy = j, small = j;
    assert_int_equal(weir_json_string(&j, out, sizeof out), WEIR_OK);
    assert_string_equal(out, want);
    assert_int_equal(weir_json_end(&j), WEIR_OK);
    assert_int_equal(weir_json_raw_string(&copy, &raw), WEIR_OK);
    uint8_t plain[sizeof text];
    assert_true(raw.escaped);
    assert_int_equal(weir_json_unescape(plain, &raw), strlen(want));
    assert_memory_equal(plain, want, strlen(want));
    assert_int_equal(weir_json_string(&small, out, sizeof out - 1), WEIR_E_FORMAT);
    weir_json_init(&j, (const uint8_t *)"\"a\\u0000b\"", 10, NULL);
    assert_int_equal(weir_json_string(&j, out, sizeof out), WEIR_E_FORMAT);
}

/* Reads {"one": number, "two": number} with the given demands. */
static weir_err read_fields(const char *text, weir_json_fields *f, uint64_t v[2], weir_errinfo *ei)
{
    weir_json j;
    weir_json_init(&j, (const uint8_t *)text, strlen(text), ei);
    WEIR_TRY(weir_json_object(&j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(&j, f, &which));
        if (which < 0) return weir_json_end(&j);
        WEIR_TRY(weir_json_u64(&j, &v[which]));
    }
}

static void fields_of_objects(void **state)
{
    (void)state;
    static const char *const names[] = {"one", "two", NULL};
    char longest[400];
    snprintf(longest, sizeof longest, "{\"%0200d\":0,\"two\":2,\"one\":1}", 0);
    const struct {
        const char *text;
        bool strict;
        weir_err err;
        const char *says;
    } cases[] = {
        {"{\"one\":1,\"two\":2}", true, WEIR_OK, ""},
        {"{\"two\":2,\"one\":1}", true, WEIR_OK, ""},
        {"{\"two\":2,\"x\":[1,{\"one\":5}],\"one\":1,\"\":{}}", false, WEIR_OK, ""},
        {"{\"tw\\u006f\":2,\"\\u006fne\":1}", true, WEIR_OK, ""},
        {"{\"one\\u0000\":7,\"two\":2,\"one\":1}", false, WEIR_OK, ""},
        {longest, false, WEIR_OK, ""},
        {"{\"two\":2,\"x\":3,\"one\":1}", true, WEIR_E_FORMAT, "byte 9, x: unknown field"},
        {longest, true, WEIR_E_FORMAT, "unknown field"},
        {"{\"one\":1,\"two\":2,\"one\":1}", false, WEIR_E_FORMAT,
         "byte 17, one: the key stands twice"},
        {"{\"one\":1,\"two\":2,\"o\\u006ee\":1}", false, WEIR_E_FORMAT, "the key stands twice"},
        {"{\"one\":1}", false, WEIR_E_FORMAT, "byte 8: the object ends here without \"two\""},
        {"{\"two\":1}", false, WEIR_E_FORMAT, "without \"one\""},
        {"{}", false, WEIR_E_FORMAT, "without \"one\""},
        {"[]", false, WEIR_E_FORMAT, "an object is expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_errinfo ei = {0};
        uint64_t v[2] = {0};
        weir_json_fields f = {.names = names, .required = 3, .strict = cases[i].strict};
        weir_err err = read_fields(cases[i].text, &f, v, &ei);
        if (err != cases[i].err || !strstr(ei.text, cases[i].says))
            fail_msg("%s: %s", cases[i].text, ei.text);
        if (err == WEIR_OK) assert_true(v[0] == 1 && v[1] == 2);
    }
}

/* A place with long and strange keys still makes a message of bounded size. */
static void long_paths_are_cut(void **state)
{
    (void)state;
    char text[8000];
    size_t n = 0;
    for (int i = 0; i < 50; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "{\"%0100d\xc3\xa9\":", i);
    weir_errinfo ei = {0};
    assert_int_equal(skip_document(text, n, &ei), WEIR_E_TRUNCATED);
    assert_true(strlen(ei.text) < sizeof ei.text);
    assert_non_null(strstr(ei.text, "the data ends where a value"));
}

/* Random damage to a document: we and jansson agree on what is JSON. */
static void same_as_jansson(void **state)
{
    (void)state;
    static const char good[] = "{\"k\\u00e9y\": [0, -1.5e+3, true, false, null, {\"a\": "
                               "\"\\ud83d\\ude00\xe2\x82\xac\", \"b\": []}],"
                               " \"x\": {\"y\": [[1, 2], \"\\\\ \\\" \\/\"]}, \"z\": 10.25}";
    static const char alphabet[] = "{}[]\",:\\ue0123456789.-+ tfn\n\x80\xc3\xa9\xed\xf4";
    tk_rng g = tk_rng_new();
    unsigned yes = 0, no = 0;
    for (int round = 0; round < 60000; round++) {
        char text[sizeof good + 8];
        size_t n = sizeof good - 1;
        memcpy(text, good, n);
        for (uint64_t edits = tk_below(&g, 3) + 1; edits; edits--) {
            size_t at = tk_below(&g, n);
            char c = alphabet[tk_below(&g, sizeof alphabet - 1)];
            switch (tk_below(&g, 3)) {
            case 0:
                text[at] = c;
                break;
            case 1:
                memmove(text + at, text + at + 1, --n - at);
                break;
            default:
                memmove(text + at + 1, text + at, n++ - at);
                text[at] = c;
            }
        }
        json_error_t je;
        json_t *tree =
            json_loadb(text, n, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &je);
        bool range = !tree && json_error_code(&je) == json_error_numeric_overflow;
        weir_errinfo ei = {0};
        weir_err err = skip_document(text, n, &ei);
        if (!range && (err == WEIR_OK) != (tree != NULL))
            fail_msg("%.*s\nweir: %s\njansson: %s", (int)n, text, ei.text,
                     tree ? "accepted" : je.text);
        if (tree)
            yes++;
        else
            no++;
        json_decref(tree);
    }
    assert_true(yes > 1000 && no > 1000);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted),          cmocka_unit_test(refused),
        cmocka_unit_test(depth_is_bounded),  cmocka_unit_test(whole_numbers),
        cmocka_unit_test(byte_arrays),       cmocka_unit_test(strings_are_unescaped),
        cmocka_unit_test(fields_of_objects), cmocka_unit_test(long_paths_are_cut),
        cmocka_unit_test(same_as_jansson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
