/* Witnesses of a PoRep, from the output of Commit Phase 1. */
#ifndef WEIR_ENGINE_POREP_SOURCE_H
#define WEIR_ENGINE_POREP_SOURCE_H

#include "circuit/porep_circuit.h"
#include "engine/proof_job.h"

typedef struct weir_porep_source weir_porep_source;

/* What is asked for. The circuit is that of filler's shape and of rel, both kept until the source is freed. */
typedef struct weir_porep_request {
    const weir_porep_filler *filler;
    const weir_porep_shape *shape;
    const weir_relation *rel;
    const uint8_t
        *c1; /* a document in any form of formats/c1.h, until the job's first stage is over; or */
    size_t c1_bytes;
    weir_slabs
        *slabs; /* where what is read from c1 lies, until the job has ended; NULL: fresh memory */
    weir_porep_input
        *input; /* one that is read already: the source's own from here on; NULL: c1 is read */
    unsigned partitions,
        challenges; /* of a c1 that has fewer than Filecoin's numbers (tests); 0: those */
} weir_porep_request;

/* Nothing is read yet: the first stage reads and checks (weir_c1_read, weir_porep_input_check, weir_porep_native_check), so that a bad
 * document ends the job with what is wrong in it. After an error request->input is freed. Errors: WEIR_E_NOMEM. */
weir_err weir_porep_source_new(weir_porep_source **out, const weir_porep_request *request,
                               weir_errinfo *ei) WEIR_MUST_USE;
void weir_porep_source_free(weir_porep_source *s); /* NULL is allowed */

/* The table for weir_proof_job_new. */
weir_proof_source weir_porep_source_table(weir_porep_source *s);

#endif
