/* What the bench commands share: sizes, the loop that times, and what it does with a wrong result. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testkit.h"

#include "cli/bench_run.h"

static void sizes(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    unsigned out[WEIR_BENCH_MAX_SIZES], n;
    assert_int_equal(weir_bench_sizes(out, &n, "o", "12-14,20,7", 1, 20, &ei), WEIR_OK);
    assert_int_equal(n, 5);
    const unsigned want[] = {12, 13, 14, 20, 7};
    assert_memory_equal(out, want, sizeof want);
    assert_int_equal(weir_bench_sizes(out, &n, "o", "3-3", 3, 3, &ei), WEIR_OK);
    assert_int_equal(n, 1);
    assert_int_equal(weir_bench_sizes(out, &n, "o", "0-39", 0, 50, &ei), WEIR_OK);
    assert_int_equal(n, WEIR_BENCH_MAX_SIZES);
    static const char *const bad[] = {"",    ",",   "1,",    ",1",    "1-",   "-1",          "1--2",
                                      "2-1", "0-1", "20-21", "1 2",   "1, 2", "+1",          "1-+2",
                                      "x",   "1x",  "1-2x",  "1-2-3", "0x10", "1-20,1-20,1", NULL};
    for (int i = 0; bad[i]; i++) {
        memset(&ei, 0, sizeof ei);
        assert_int_equal(weir_bench_sizes(out, &n, "option", bad[i], 1, 20, &ei), WEIR_E_USAGE);
        assert_non_null(strstr(ei.text, "--option"));
    }
}

/* ---- rows */

typedef struct counts {
    int prepared, run, checked;
    int fail_run; /* that run fails */
    bool right;
    volatile int cancel;
    int cancel_at;
} counts;

static weir_err count_prepare(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    ((counts *)ctx)->prepared++;
    return WEIR_OK;
}

static weir_err count_run(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x;
    counts *c = ctx;
    if (++c->run == c->cancel_at) c->cancel = 1;
    if (c->run == c->fail_run) return weir_fail(ei, WEIR_E_RANGE, "this run fails");
    return WEIR_OK;
}

static weir_err count_check(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    counts *c = ctx;
    c->checked++;
    *right = c->right;
    return WEIR_OK;
}

typedef struct fake {
    weir_cli cli;
    weir_bench_run b;
    char *text;
    size_t size;
    FILE *file;
} fake;

/* A command with --json, in an array of rows. */
static void fake_begin(fake *f, unsigned runs, counts *c)
{
    memset(f, 0, sizeof *f);
    f->file = open_memstream(&f->text, &f->size);
    f->cli.want_json = true;
    weir_json_out_init(&f->cli.json, f->file);
    weir_json_out_array(&f->cli.json, NULL);
    f->cli.watch.cancel = &c->cancel;
    f->b.cli = &f->cli;
    f->b.exec = (weir_exec){.isa = WEIR_ISA_PORTABLE, .watch = &f->cli.watch};
    f->b.runs = runs;
}

/* The rows; json_decref() */
static json_t *fake_end(fake *f)
{
    json_error_t error;
    weir_json_out_end_array(&f->cli.json);
    fclose(f->file);
    json_t *rows = json_loads(f->text, 0, &error);
    assert_non_null(rows);
    free(f->text);
    return rows;
}

static void row_right(void **state)
{
    (void)state;
    fake f;
    counts c = {.right = true};
    weir_bench_row row = {.what = "w",
                          .size = "s",
                          .ops = 4,
                          .each = "part",
                          .count = 2,
                          .once = true,
                          .run = count_run,
                          .check = count_check};
    fake_begin(&f, 3, &c);
    assert_int_equal(weir_bench_time(&f.b, &row, &c), WEIR_OK);
    assert_int_equal(c.run, 4); /* one to check, three that count */
    assert_int_equal(c.checked, 1);
    /* each run behind a preparation */
    row.once = false;
    row.prepare = count_prepare;
    assert_int_equal(weir_bench_time(&f.b, &row, &c), WEIR_OK);
    assert_int_equal(c.run, 8);
    assert_int_equal(c.prepared, 4);
    /* as many calls as make a run long enough */
    row.prepare = NULL;
    f.b.runs = 1;
    c.run = 0;
    assert_int_equal(weir_bench_time(&f.b, &row, &c), WEIR_OK);
    assert_true(c.run > 1000);
    json_t *rows = fake_end(&f);
    assert_int_equal(json_array_size(rows), 3);
    json_t *first = json_array_get(rows, 0);
    assert_string_equal(tk_str(first, "what"), "w");
    assert_string_equal(tk_str(first, "path"), "portable");
    assert_string_equal(tk_str(first, "each"), "part");
    json_decref(rows);
}

static void row_wrong(void **state)
{
    (void)state;
    fake f;
    counts c = {.right = false};
    const weir_bench_row row = {
        .what = "product", .size = "2^3", .run = count_run, .check = count_check};
    fake_begin(&f, 3, &c);
    assert_int_equal(weir_bench_time(&f.b, &row, &c), WEIR_E_INTERNAL);
    assert_int_equal(c.run, 1); /* nothing was timed */
    assert_non_null(strstr(f.cli.ei.text, "product, 2^3, path portable: the result is wrong"));
    json_t *rows = fake_end(&f);
    assert_int_equal(json_array_size(rows), 0);
    json_decref(rows);
}

static void row_stops(void **state)
{
    (void)state;
    for (int at = 1; at <= 4; at++) {
        fake f;
        counts c = {.right = true, .fail_run = at};
        const weir_bench_row row = {
            .what = "w", .size = "s", .once = true, .run = count_run, .check = count_check};
        fake_begin(&f, 3, &c);
        assert_int_equal(weir_bench_time(&f.b, &row, &c), WEIR_E_RANGE);
        assert_int_equal(c.run, at);
        json_decref(fake_end(&f));
        c = (counts){.right = true, .cancel_at = at};
        fake_begin(&f, 3, &c);
        assert_int_equal(weir_bench_time(&f.b, &row, &c), WEIR_E_CANCELLED);
        assert_int_equal(c.run, at);
        json_decref(fake_end(&f));
    }
}

/* Figures of known times. */
static void row_figures(void **state)
{
    (void)state;
    fake f;
    counts c = {.right = true};
    double cpu[4] = {800, 200, 600, 400}, wall[4] = {8, 2, 6, 4};
    const weir_bench_row row = {
        .what = "w", .size = "s", .path = "any", .ops = 2, .each = "part", .count = 10};
    fake_begin(&f, 4, &c);
    weir_bench_tell(&f.b, &row, cpu, wall, 4);
    weir_bench_tell(&f.b, &row, NULL, wall, 3);
    json_t *rows = fake_end(&f), *first = json_array_get(rows, 0),
           *second = json_array_get(rows, 1);
    json_t *t = tk_get(first, "cpu_ns");
    assert_true(json_number_value(tk_get(t, "min")) == 100);
    assert_true(json_number_value(tk_get(t, "median")) == 250);
    assert_true(json_number_value(tk_get(t, "max")) == 400);
    assert_true(json_number_value(tk_get(first, "each_ns")) == 25);
    assert_string_equal(tk_str(first, "path"), "any");
    assert_null(json_object_get(second, "cpu_ns"));
    assert_true(json_number_value(tk_get(tk_get(second, "wall_ns"), "median")) == 2);
    assert_true(json_number_value(tk_get(second, "each_ns")) == 0.2);
    json_decref(rows);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),     cmocka_unit_test(row_right),   cmocka_unit_test(row_wrong),
        cmocka_unit_test(row_stops), cmocka_unit_test(row_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
