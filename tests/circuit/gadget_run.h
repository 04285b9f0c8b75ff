/* Runs one gadget against its reference dump: rows, digests, and the witness that filling writes. */
#ifndef WEIR_TEST_GADGET_RUN_H
#define WEIR_TEST_GADGET_RUN_H

#include "circuit/fill.h"
#include "circuit/gadget.h"
#include "dump.h"

/* A gadget alone in a prologue. fill may be NULL: then the dump's own witness is checked. */
typedef struct gadget {
    void (*shape)(const void *ctx, weir_cs *cs);
    void (*fill)(const void *ctx, weir_filler *f);
    const void *ctx;
} gadget;

weir_relation *gadget_relation(const gadget *g);
weir_witness *gadget_witness(const gadget *g, const weir_relation *rel, weir_isa isa);
void gadget_run(const gadget *g, const char *path);
/* Changes every auxiliary in turn (every `step`th): some row must fail. */
void gadget_every_value_matters(const weir_witness *w, uint64_t step);
/* The stream of the reference data for a label, as the vectors' README says. */
void gadget_stream(const char *label, uint8_t *out, size_t n);

#endif
