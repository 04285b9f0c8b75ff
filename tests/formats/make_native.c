/* Imports groth16-small/mini.params for other tests: make_native MINI.params OUT.weirkey */
#include "curve/point_check.h"
#include "formats/key_import.h"
#include "r1cs_dump.h"
#include "testkit.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    const weir_exec x = {.isa = weir_isa_best()};
    weir_params *params = NULL;
    weir_relation *rel = NULL;
    weir_point_check check;
    weir_errinfo ei = {0};
    uint8_t source[WEIR_SOURCE_DIGEST_BYTES];
    if (argc != 3) return 2;
    tk_r1cs *dump = tk_r1cs_load("groth16-small/mini", TK_COLUMNS_BITS);
    weir_err err = weir_relation_build(&rel, tk_r1cs_shape, dump, &ei);
    if (err == WEIR_OK) err = weir_params_open(&params, argv[1], &ei);
    weir_point_check_cpu(&check, &x);
    const weir_key_import job = {
        .params = params, .rel = rel, .circuit = "mini", .out_path = argv[2], .check = &check};
    if (err == WEIR_OK) err = weir_key_import_run(source, &job, &x, &ei);
    if (err != WEIR_OK) fprintf(stderr, "%s\n", ei.text);
    weir_params_close(params);
    weir_relation_free(rel);
    tk_r1cs_free(dump);
    return err == WEIR_OK ? 0 : 1;
}
