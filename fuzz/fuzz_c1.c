/* Commit Phase 1 output in any form. Read twice: with the counts that Filecoin has, and with one
 * challenge, so that a small input can be whole. */
#include "formats/c1.h"
#include "fuzz_common.h"

static void read_with(const uint8_t *data, size_t size, const weir_c1_opts *opts)
{
    weir_errinfo ei = {0}, check = {0};
    weir_porep_input *in;
    if (!answered(weir_c1_read(&in, data, size, opts, &ei), &ei)) {
        must(in == NULL, "no input together with an error");
        return;
    }
    must(in->shape && in->partitions && in->challenges, "an input has a shape and counts");
    must(opts->info->sector_bytes == in->shape->sector_bytes, "the size is that of the shape");
    for (unsigned i = 0; i < in->partitions * in->challenges; i++) {
        const weir_porep_challenge *c = &in->challenge[i];
        must(c->node >> in->shape->nodes_log2 == 0, "the challenge is a node");
        for (unsigned k = 0; k < WEIR_POREP_PARENTS; k++)
            must((uint64_t)c->parents[k].node >> in->shape->nodes_log2 == 0, "a parent is a node");
        for (unsigned k = 0; k < weir_porep_tree_levels(in->shape); k++)
            must(c->r_last.index[k] < weir_porep_tree_arity(in->shape, k),
                 "a position is below the arity");
    }
    (void)answered(weir_porep_input_check(in, &check), &check);
    weir_porep_input_free(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_c1_info info;
    read_with(data, size, &(weir_c1_opts){.info = &info});
    read_with(data, size, &(weir_c1_opts){.partitions = 1, .challenges = 1, .info = &info});
    return 0;
}
