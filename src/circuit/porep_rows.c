#include "circuit/porep_rows.h"

#include <inttypes.h>
#include <stdio.h>

/* Rows of the label gadget: conversion of one parent to bits, and one label (20 compressions and
 * the packing). Counted in the circuit of filecoin-proofs. */
enum { ROWS_PARENT_BITS = 256, ROWS_LABEL = 522269 };

/* Local inputs in order: D path, 14 parents, node bits, R path, C path. The last three: */
enum { IN_NODE = WEIR_POREP_PARENTS + 1, IN_R = IN_NODE + 1, IN_C = IN_NODE + 2 };

/* row[i] = the row of a challenge where its public input i is bound. */
static void find_input_rows(uint32_t row[WEIR_POREP_INPUTS_PER_CHALLENGE],
                            const weir_segment *period)
{
    for (int m = 0; m < 3; m++) {
        const weir_matrix *mat = &period->m[m];
        for (uint32_t r = 0; r < period->rows; r++) {
            for (uint32_t t = mat->start[r]; t < mat->start[r + 1]; t++) {
                uint32_t i = weir_col_index(mat->col[t]);
                if (weir_col_class(mat->col[t]) == WEIR_COL_LOCAL_INPUT &&
                    i < WEIR_POREP_INPUTS_PER_CHALLENGE)
                    row[i] = r;
            }
        }
    }
}

static void describe_label(char *out, size_t size, const weir_porep_shape *s, uint64_t row)
{
    for (unsigned layer = 1; layer <= s->layers; layer++) {
        unsigned parents = layer == 1 ? WEIR_POREP_DRG_PARENTS : WEIR_POREP_PARENTS;
        uint64_t n = (uint64_t)parents * ROWS_PARENT_BITS + ROWS_LABEL;
        if (row < n) {
            snprintf(out, size, "label of layer %u", layer);
            return;
        }
        row -= n;
    }
    if (row == 0)
        snprintf(out, size, "encoding of the replica node");
    else
        snprintf(out, size, "inclusion of the replica node in tree R-last");
}

/* In: the row's number within its challenge. */
static void describe_in_challenge(char *out, size_t size, const weir_segment *period,
                                  const weir_porep_shape *s, uint32_t row)
{
    uint32_t in[WEIR_POREP_INPUTS_PER_CHALLENGE] = {0};
    find_input_rows(in, period);
    /* An inclusion ends with the row that binds the leaf's number and the one that compares the
     * root. */
    for (unsigned i = 0; i < IN_NODE; i++) {
        if (row > in[i] + 1) continue;
        if (i == 0)
            snprintf(out, size, "inclusion of the data in tree D");
        else if (i <= WEIR_POREP_DRG_PARENTS)
            snprintf(out, size, "column of DRG parent %u and its inclusion in tree C", i - 1);
        else
            snprintf(out, size, "column of expander parent %u and its inclusion in tree C",
                     i - 1 - WEIR_POREP_DRG_PARENTS);
        return;
    }
    if (row <= in[IN_NODE])
        snprintf(out, size, "bits of the challenged node's number");
    else if (row <= in[IN_R] + 1)
        describe_label(out, size, s, row - in[IN_NODE] - 1);
    else
        snprintf(out, size, "column of the challenged node and its inclusion in tree C");
}

void weir_porep_row_describe(char *out, size_t size, const weir_relation *rel,
                             const weir_porep_shape *shape, uint64_t row)
{
    char part[96] = "a public input";
    int n = snprintf(out, size, "row %" PRIu64 " of %" PRIu64 ": ", row, rel->rows);
    for (unsigned i = 0; i < rel->segments; i++) {
        const weir_segment *seg = &rel->segment[i];
        if (row < seg->row_base || row - seg->row_base >= seg->rows * seg->count) continue;
        uint64_t at = row - seg->row_base;
        if (seg->inputs == WEIR_POREP_INPUTS_PER_CHALLENGE) {
            describe_in_challenge(part, sizeof part, seg, shape, (uint32_t)(at % seg->rows));
            if (n >= 0 && (size_t)n < size)
                n += snprintf(out + n, size - (size_t)n, "challenge %" PRIu64 ", ", at / seg->rows);
        } else {
            snprintf(part, sizeof part, "replica id, comm_d, comm_r");
        }
    }
    if (n >= 0 && (size_t)n < size) snprintf(out + n, size - (size_t)n, "%s", part);
}
