/* Comparing a relation and its witness with the reference dumps (formats: R1CS file, witness file, layout file as the
 * vectors' makers wrote them). Each function fails the test at the first difference and names it. */
#ifndef WEIR_TEST_DUMP_H
#define WEIR_TEST_DUMP_H

#include "relation/relation.h"
#include "testkit.h"

/* All row bytes and the coefficient table equal to PATH.r1cs. */
void dump_compare_rows(const weir_relation *rel, const char *path);
/* Counts, densities and the digest at every checkpoint equal to PATH.layout.json. */
void dump_compare_layout(const weir_relation *rel, const char *path);
/* Counts and densities equal to one "stats" object of a layout or of circuit-info. */
void dump_compare_stats(const weir_relation *rel, json_t *stats);
/* PATH.wtns into a new witness of the relation. */
weir_witness *dump_load_witness(const weir_relation *rel, const char *path);
/* Every input and auxiliary equal to PATH.wtns. */
void dump_compare_witness(const weir_witness *w, const char *path);
/* Every input and auxiliary of two witnesses equal. */
void dump_compare_witnesses(const weir_witness *a, const weir_witness *b);

#endif
