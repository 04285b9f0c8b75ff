/* The whole 32 GiB partition: every row digest of the reference, 130 million rows. Slow (a minute or two). */
#include "circuit/porep_circuit.h"
#include "dump.h"

static void every_row_of_a_partition(void **state)
{
    (void)state;
    weir_relation *rel;
    weir_errinfo ei = {0};
    if (weir_porep_relation(&rel, weir_porep_shape_by_name("32GiB"), 0, &ei) != WEIR_OK)
        fail_msg("%s", ei.text);
    dump_compare_layout(rel, "blank/porep-32gib");
    weir_relation_free(rel);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_of_a_partition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
