/* The PoRep circuit against the reference: all rows at 2 KiB, row digests of other sizes, counts of every size. */
#include "circuit/porep_circuit.h"
#include "dump.h"

#include <stdlib.h>
#include <string.h>

static weir_relation *relation_of(const char *size, unsigned challenges)
{
    weir_relation *rel;
    weir_errinfo ei = {0};
    const weir_porep_shape *shape = weir_porep_shape_by_name(size);
    assert_non_null(shape);
    if (weir_porep_relation(&rel, shape, challenges, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return rel;
}

static void every_row_at_2kib(void **state)
{
    (void)state;
    weir_relation *rel = relation_of("2KiB", 0);
    dump_compare_rows(rel, "porep-2k-5/circuit-0");
    dump_compare_layout(rel, "porep-2k-5/circuit-0");
    weir_witness *w = dump_load_witness(rel, "porep-2k-5/circuit-0");
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        weir_exec x = {.pool = tk_pool(2), .isa = isa};
        assert_int_equal(weir_relation_check(w, &x), rel->rows);
    }
    weir_witness_free(w);
    weir_relation_free(rel);
}

static void digests_of_other_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *size, *path;
        unsigned challenges;
    } blanks[] = {
        {"2KiB", "blank/porep-2kib", 0},
        {"4KiB", "blank/porep-4kib", 0},
        {"16KiB", "blank/porep-16kib", 0},
        {"32KiB", "blank/porep-32kib", 0},
        {"32GiB", "blank/porep-32gib-1-challenge", 1},
        {"64GiB", "blank/porep-64gib-1-challenge", 1},
    };
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        weir_relation *rel = relation_of(blanks[i].size, blanks[i].challenges);
        dump_compare_layout(rel, blanks[i].path);
        weir_relation_free(rel);
    }
}

static void counts_of_every_size(void **state)
{
    (void)state;
    uint64_t seen = 0; /* bit n: a sector of 2^n nodes */
    static const char *const files[] = {"circuit-info/circuit-info.json",
                                        "circuit-info/circuit-info-32-64GiB.json"};
    for (unsigned f = 0; f < 2; f++) {
        json_t *all = tk_json(files[f]), *e;
        size_t i;
        json_array_foreach(all, i, e)
        {
            if (!strstr(tk_str(e, "kind"), "porep")) continue;
            uint64_t bytes = (uint64_t)json_integer_value(tk_get(e, "sector_size"));
            const weir_porep_shape *shape = weir_porep_shape_by_size(bytes);
            assert_non_null(shape);
            if (seen >> shape->nodes_log2 & 1) continue;
            weir_relation *rel = relation_of(shape->name, 0);
            dump_compare_stats(rel, tk_get(e, "stats"));
            weir_relation_free(rel);
            seen |= (uint64_t)1 << shape->nodes_log2;
        }
        json_decref(all);
    }
    for (const weir_porep_shape *s = weir_porep_shapes(); s->name; s++)
        if (s->nodes_log2 < 31) assert_true(seen >> s->nodes_log2 & 1);
}

/* The dumped counts end at 32 GiB; these are from the published table of the circuits. */
static void counts_of_64gib(void **state)
{
    (void)state;
    weir_relation *rel = relation_of("64GiB", 0);
    assert_int_equal(rel->rows, 131186177);
    assert_int_equal(rel->inputs, 328);
    assert_int_equal(rel->aux, 131076643);
    assert_int_equal(rel->aux_in[0], 130637542);
    assert_int_equal(rel->aux_in[1], 33386943);
    assert_int_equal(rel->aux - rel->dense, 129287037);
    assert_int_equal(rel->domain_log2, 27);
    weir_relation_free(rel);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_at_2kib),
        cmocka_unit_test(digests_of_other_sizes),
        cmocka_unit_test(counts_of_every_size),
        cmocka_unit_test(counts_of_64gib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
