/* Rows are named after the part of the circuit that the reference dump has there. */
#include <stdio.h>
#include <string.h>

#include "testkit.h"

#include "circuit/porep_rows.h"

/* What weir says of a row in a span of the dump; false: spans that are only a part or a whole of
 * others. */
static bool expected(char *out, size_t size, const char *path)
{
    unsigned c, k;
    int n = 0;
    if (strcmp(path, "replica_id_bits") == 0 || strcmp(path, "H_comm_c_comm_r_last") == 0) {
        snprintf(out, size, "replica id, comm_d, comm_r");
        return true;
    }
    if (sscanf(path, "challenge_%u/%n", &c, &n) != 1 || n == 0) return false;
    const char *rest = path + n;
    if (strchr(rest, '/')) return false;
    if (strcmp(rest, "comm_d_inclusion") == 0)
        snprintf(out, size, "challenge %u, inclusion of the data in tree D", c);
    else if (sscanf(rest, "drg_parent_%u_constraint%n", &k, &n) == 1 ||
             sscanf(rest, "drg_parent_%u_inclusion%n", &k, &n) == 1)
        snprintf(out, size, "challenge %u, column of DRG parent %u and its", c, k);
    else if (sscanf(rest, "exp_parent_%u_constraint%n", &k, &n) == 1 ||
             sscanf(rest, "exp_parent_%u_inclusion%n", &k, &n) == 1)
        snprintf(out, size, "challenge %u, column of expander parent %u and its", c, k);
    else if (strcmp(rest, "challenge") == 0)
        snprintf(out, size, "challenge %u, bits of the challenged node's number", c);
    else if (sscanf(rest, "labeling_%u%n", &k, &n) == 1 && rest[n] == '\0')
        snprintf(out, size, "challenge %u, label of layer %u", c, k);
    else if (strcmp(rest, "encode_node") == 0)
        snprintf(out, size, "challenge %u, encoding of the replica node", c);
    else if (strcmp(rest, "comm_r_last_data_inclusion") == 0)
        snprintf(out, size, "challenge %u, inclusion of the replica node in tree R-last", c);
    else if (strcmp(rest, "c_x_column_hash") == 0 || strcmp(rest, "c_x_inclusion") == 0)
        snprintf(out, size, "challenge %u, column of the challenged node and its", c);
    else
        return false;
    return true;
}

static void check_row(const weir_relation *rel, const weir_porep_shape *s, uint64_t row,
                      const char *want, const char *path)
{
    char text[200], start[64];
    weir_porep_row_describe(text, sizeof text, rel, s, row);
    snprintf(start, sizeof start, "row %llu of 2687961: ", (unsigned long long)row);
    if (strncmp(text, start, strlen(start)) != 0 ||
        strncmp(text + strlen(start), want, strlen(want)) != 0)
        fail_msg("row %llu of %s: '%s' does not say '%s'", (unsigned long long)row, path, text,
                 want);
}

static void rows_named(void **state)
{
    (void)state;
    const weir_porep_shape *s = weir_porep_shape_by_name("2KiB");
    weir_relation *rel = NULL;
    weir_errinfo ei = {0};
    assert_int_equal(weir_porep_relation(&rel, s, 0, &ei), WEIR_OK);
    json_t *layout = tk_json("porep-2k-5/circuit-0.layout.json");
    size_t i;
    json_t *span;
    unsigned seen = 0;
    json_array_foreach(tk_get(layout, "spans"), i, span)
    {
        char want[120];
        const char *path = tk_str(span, "path");
        json_t *rows = tk_get(span, "constraints");
        uint64_t lo = (uint64_t)json_integer_value(json_array_get(rows, 0));
        uint64_t hi = (uint64_t)json_integer_value(json_array_get(rows, 1));
        if (hi <= lo || !expected(want, sizeof want, path)) continue;
        check_row(rel, s, lo, want, path);
        check_row(rel, s, hi - 1, want, path);
        check_row(rel, s, lo + (hi - lo) / 2, want, path);
        seen++;
    }
    /* the prologue's two, and 36 spans of each of the two challenges */
    assert_int_equal(seen, 2 + 2 * 36);
    check_row(rel, s, rel->rows - 1, "a public input", "input rows");
    check_row(rel, s, rel->rows - 40, "a public input", "input rows");
    json_decref(layout);
    weir_relation_free(rel);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
