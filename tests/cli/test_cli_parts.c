/* The command's parts: options, values, JSON, progress, names of keys. */
#include <stdlib.h>
#include <string.h>

#include "testkit.h"

#include "api/circuits.h"
#include "cli/args.h"
#include "cli/json_out.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/values.h"

static const weir_opt opts[] = {
    {"key", "FILE", "a file", true},
    {"json", NULL, "a switch", false},
    {"threads", "N", "a number", false},
    {NULL, NULL, NULL, false},
};
static const weir_command command = {.verb = "try",
                                     .noun = "this",
                                     .summary = "nothing",
                                     .operand = "FILE",
                                     .opts = opts,
                                     .examples = "weir try this"};

static weir_err parse(weir_args *a, weir_errinfo *ei, const char *const *words)
{
    int n = 0;
    while (words[n]) n++;
    return weir_args_parse(a, &command, n, (char **)(uintptr_t)words, ei);
}

static void args_good(void **state)
{
    (void)state;
    weir_args a;
    weir_errinfo ei = {0};
    assert_int_equal(parse(&a, &ei, (const char *[]){"in", "--key", "k.params", "--json", NULL}),
                     WEIR_OK);
    assert_string_equal(a.operand, "in");
    assert_string_equal(weir_args_get(&a, "key"), "k.params");
    assert_true(weir_args_has(&a, "json"));
    assert_false(weir_args_has(&a, "threads"));
    assert_int_equal(parse(&a, &ei, (const char *[]){"--key=-", "in", "--threads=3", NULL}),
                     WEIR_OK);
    assert_string_equal(weir_args_get(&a, "key"), "-");
    assert_string_equal(weir_args_get(&a, "threads"), "3");
    /* help asks for nothing else */
    assert_int_equal(parse(&a, &ei, (const char *[]){"--nonsense", "--help", NULL}), WEIR_OK);
    assert_true(a.help);
}

static void args_bad(void **state)
{
    (void)state;
    static const struct {
        const char *words[6];
        const char *text;
    } bad[] = {
        {{"in", NULL}, "needs --key"},
        {{"--key", "k", NULL}, "needs FILE"},
        {{"in", "--key", NULL}, "wants a value"},
        {{"in", "--key", "--json", NULL}, "wants a value"},
        {{"in", "--key=", NULL}, "empty"},
        {{"in", "--key", "a", "--key", "b", NULL}, "twice"},
        {{"in", "--json=1", "--key", "k", NULL}, "takes no value"},
        {{"in", "--kye", "k", NULL}, "did you mean --key"},
        {{"in", "--zzzzzzzz", "k", NULL}, "has no option --zzzzzzzz"},
        {{"in", "more", "--key", "k", NULL}, "'more' is too much"},
        {{"-k", "k", NULL}, "two dashes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        weir_args a;
        weir_errinfo ei = {0};
        assert_int_equal(parse(&a, &ei, bad[i].words), WEIR_E_USAGE);
        if (!strstr(ei.text, bad[i].text)) fail_msg("'%s' does not say '%s'", ei.text, bad[i].text);
    }
}

static void nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"threads", "json", "out", "c1"};
    assert_string_equal(weir_args_nearest("thraeds", names, 4), "threads");
    assert_string_equal(weir_args_nearest("jsn", names, 4), "json");
    assert_null(weir_args_nearest("circuit", names, 4));
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(weir_args_nearest(longest, names, 4));
}

static void values(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    uint64_t v;
    uint8_t bytes[4];
    const weir_porep_shape *s;
    const weir_registered_porep *r;
    assert_int_equal(weir_value_u64(&v, "x", "18446744073709551615", 0, UINT64_MAX, &ei), WEIR_OK);
    assert_true(v == UINT64_MAX);
    static const char *const bad_numbers[] = {
        "18446744073709551616", "-1", "+1", " 1", "1x", "0x1", "", "11"};
    for (size_t i = 0; i < sizeof bad_numbers / sizeof bad_numbers[0]; i++)
        assert_int_equal(weir_value_u64(&v, "x", bad_numbers[i], 0, i == 7 ? 10 : UINT64_MAX, &ei),
                         WEIR_E_USAGE);
    assert_int_equal(weir_value_hex(bytes, 4, "x", "0x00fF10aB", &ei), WEIR_OK);
    assert_memory_equal(bytes, "\x00\xff\x10\xab", 4);
    static const char *const bad_hex[] = {"00ff10", "00ff10abc", "00ff10ag",
                                          "",       "0x",        "00ff10ab00"};
    for (size_t i = 0; i < sizeof bad_hex / sizeof bad_hex[0]; i++)
        assert_int_equal(weir_value_hex(bytes, 4, "x", bad_hex[i], &ei), WEIR_E_USAGE);
    assert_int_equal(weir_value_sector_size(&s, "x", "32gib", &ei), WEIR_OK);
    assert_true(s->sector_bytes == UINT64_C(1) << 35);
    assert_int_equal(weir_value_sector_size(&s, "x", "2048", &ei), WEIR_OK);
    assert_string_equal(s->name, "2KiB");
    assert_int_equal(weir_value_sector_size(&s, "x", "33GiB", &ei), WEIR_E_USAGE);
    assert_non_null(strstr(ei.text, "32GiB, 64GiB"));
    assert_int_equal(weir_value_registered(&r, "x", "8", &ei), WEIR_OK);
    assert_string_equal(r->name, "StackedDrg32GiBV1_1");
    assert_int_equal(weir_value_registered(&r, "x", "StackedDrg32GiBV1-1", &ei), WEIR_E_USAGE);
    assert_non_null(strstr(ei.text, "did you mean StackedDrg32GiBV1_1"));
    assert_int_equal(weir_value_registered(&r, "x", "20", &ei), WEIR_E_USAGE);
}

/* What was written is read back by another reader. */
static void json(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    weir_json_out j;
    weir_json_out_init(&j, f);
    weir_json_out_object(&j, NULL);
    weir_json_out_string(&j, "plain", "a\"b\\c\n\x01\x7f");
    weir_json_out_string(&j, "utf8", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    weir_json_out_string(&j, "broken", "x\xff\xc3(\xed\xa0\x80\xc0\x80\xe2\x82");
    weir_json_out_string(&j, "none", NULL);
    weir_json_out_u64(&j, "big", INT64_MAX);
    weir_json_out_seconds(&j, "s", 1999500000);
    weir_json_out_array(&j, "empty");
    weir_json_out_end_array(&j);
    weir_json_out_array(&j, "list");
    weir_json_out_bool(&j, NULL, true);
    weir_json_out_hex(&j, NULL, (const uint8_t *)"\x00\xa5", 2);
    weir_json_out_end_array(&j);
    weir_json_out_object(&j, "inner");
    weir_json_out_end_object(&j);
    weir_json_out_end_object(&j);
    fclose(f);
    json_error_t why;
    json_t *o = json_loads(text, 0, &why);
    if (!o) fail_msg("%s in %s", why.text, text);
    assert_string_equal(tk_str(o, "plain"), "a\"b\\c\n\x01\x7f");
    assert_string_equal(tk_str(o, "utf8"), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    assert_int_equal(tk_str(o, "broken")[0], 'x');
    assert_true(json_is_null(tk_get(o, "none")));
    assert_true(json_integer_value(tk_get(o, "big")) == INT64_MAX);
    assert_float_equal(json_real_value(tk_get(o, "s")), 2.0, 1e-9);
    assert_int_equal(json_array_size(tk_get(o, "empty")), 0);
    assert_string_equal(json_string_value(json_array_get(tk_get(o, "list"), 1)), "00a5");
    assert_int_equal(json_object_size(tk_get(o, "inner")), 0);
    json_decref(o);
    free(text);
}

static void progress_line(void **state)
{
    (void)state;
    weir_progress p = {.label = "partition 1 of 10", .stage = "h"};
    char line[256];
    weir_progress_line(line, sizeof line, &p, 1, 4, UINT64_C(125000000000));
    assert_string_equal(line, "partition 1 of 10: h  25 %, 2:05 left");
    weir_progress_line(line, sizeof line, &p, 9, 4, UINT64_MAX);
    assert_string_equal(line, "partition 1 of 10: h 100 %");
    p.stage[0] = '\0';
    weir_progress_line(line, sizeof line, &p, 0, 0, UINT64_MAX);
    assert_string_equal(line, "partition 1 of 10");
    for (size_t size = 1; size < 40; size++) {
        char small[40];
        memset(small, 'x', sizeof small);
        weir_progress_line(small, size, &p, 1, 2, 0);
        assert_true(memchr(small, '\0', size) != NULL);
        if (size < sizeof small) assert_int_equal(small[size], 'x');
    }
}

static void report(void **state)
{
    (void)state;
    weir_report r;
    weir_report_init(&r);
    weir_report_begin(&r, "one");
    weir_report_begin(&r, "two");
    weir_report_begin(&r, "one");
    weir_report_end(&r);
    weir_report_end(&r);
    assert_int_equal(r.n, 2);
    assert_true(r.stage[0].peak_bytes >= r.stage[0].own_bytes && r.stage[0].own_bytes > 0);
    static char names[WEIR_REPORT_MAX + 5][16];
    for (int i = 0; i < WEIR_REPORT_MAX + 5; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        weir_report_begin(&r, names[i]);
    }
    assert_int_equal(r.n, WEIR_REPORT_MAX);
}

/* Every published PoRep name, and only those, comes out of the shapes. */
static void cache_names(void **state)
{
    (void)state;
    json_t *all = tk_json("parameters.json");
    unsigned found = 0;
    for (const weir_porep_shape *s = weir_porep_shapes(); s->name; s++) {
        char name[WEIR_CACHE_NAME_SIZE + 8];
        weir_porep_cache_name(name, s);
        strcat(name, ".params");
        json_t *entry = json_object_get(all, name);
        if (!entry) continue;
        assert_true((uint64_t)json_integer_value(tk_get(entry, "sector_size")) == s->sector_bytes);
        found++;
    }
    unsigned published = 0;
    const char *key;
    json_t *entry;
    json_object_foreach(all, key, entry) if (strstr(key, "proof-of-replication") &&
                                             strstr(key, ".params")) published++;
    assert_int_equal(found, published);
    assert_int_equal(found, 5);
    json_decref(all);
}

/* Circuits of the list that the table has; the list also has cut ones, for tests. */
static unsigned counts_of(json_t *list, char seen[][24], unsigned n_seen)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        json_t *st = tk_get(item, "stats");
        uint64_t inputs = (uint64_t)json_integer_value(tk_get(st, "inputs"));
        uint64_t b = (uint64_t)json_integer_value(tk_get(st, "aux_in_b")) +
                     (uint64_t)json_integer_value(tk_get(st, "inputs_in_b"));
        uint64_t count[WEIR_CIRCUIT_COUNTS] = {
            inputs,
            (UINT64_C(1) << json_integer_value(tk_get(st, "domain_log2"))) - 1,
            (uint64_t)json_integer_value(tk_get(st, "aux")),
            inputs + (uint64_t)json_integer_value(tk_get(st, "aux_in_a")),
            b,
            b,
        };
        const weir_circuit_size *c = weir_circuit_by_counts(count);
        if (!c) continue;
        const char *kind = tk_str(item, "kind"), *size = strrchr(c->name, '-') + 1;
        const char *start = strcmp(kind, "empty-sector-update") == 0 ? "update-" : kind;
        if (strncmp(c->name, start, strlen(start)) != 0) fail_msg("%s is not %s", c->name, kind);
        const weir_porep_shape *s = weir_porep_shape_by_name(size);
        assert_non_null(s);
        assert_true(s->sector_bytes == (uint64_t)json_integer_value(tk_get(item, "sector_size")));
        if (strcmp(kind, "porep") == 0) assert_ptr_equal(weir_circuit_porep(s), c);
        unsigned k = 0;
        while (k < n_seen && strcmp(seen[k], c->name) != 0) k++;
        if (k == n_seen) snprintf(seen[n_seen++], sizeof seen[0], "%s", c->name);
        count[2]++;
        assert_null(weir_circuit_by_counts(count));
    }
    return n_seen;
}

static void circuit_counts(void **state)
{
    (void)state;
    json_t *small = tk_json("circuit-info/circuit-info.json"),
           *big = tk_json("circuit-info/circuit-info-32-64GiB.json");
    char seen[64][24];
    unsigned found = counts_of(big, seen, counts_of(small, seen, 0));
    /* all but three of 64 GiB, which were counted by arithmetic */
    assert_int_equal(found, 36);
    json_decref(small);
    json_decref(big);
    unsigned n = 0;
    for (const weir_circuit_size *c = NULL; (c = weir_circuit_by_ic(328, c));) n++;
    assert_int_equal(n, 2);
}

static void circuit_names(void **state)
{
    (void)state;
    const weir_porep_shape *s;
    weir_errinfo ei = {0};
    assert_int_equal(weir_value_circuit(&s, "circuit", "PoRep-8mib", &ei), WEIR_OK);
    assert_string_equal(s->name, "8MiB");
    assert_int_equal(weir_value_circuit(&s, "circuit", "window-post-32GiB", &ei),
                     WEIR_E_UNSUPPORTED);
    assert_int_equal(weir_value_circuit(&s, "circuit", "porep-3KiB", &ei), WEIR_E_USAGE);
    assert_int_equal(weir_value_circuit(&s, "circuit", "poreq", &ei), WEIR_E_USAGE);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(args_good),      cmocka_unit_test(args_bad),
        cmocka_unit_test(nearest),        cmocka_unit_test(values),
        cmocka_unit_test(json),           cmocka_unit_test(progress_line),
        cmocka_unit_test(report),         cmocka_unit_test(cache_names),
        cmocka_unit_test(circuit_counts), cmocka_unit_test(circuit_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
