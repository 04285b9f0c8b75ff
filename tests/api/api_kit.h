/* An engine of the public interface on small circuits, and jobs that wait until they are let go. */
#ifndef WEIR_TEST_API_KIT_H
#define WEIR_TEST_API_KIT_H

#include "api/api_state.h"
#include "bench/engine_circuit.h"
#include "testkit.h"
#include "weir/weir.h"

#include <stdatomic.h>

typedef struct kit {
    weir_bench_circuit c;
    weir_porep_filler *filler; /* of 2 KiB, for PoReps that are refused when they are read */
    weir_exec x;
    libweir_engine *e;
    libweir_key key;
    atomic_bool go;     /* held jobs fill only then */
    atomic_uint filled; /* held jobs, in the order of their numbers in `order` */
    unsigned order[64];
} kit;

/* A circuit of 2^6 rows and its key, an engine on the CPU with it; log: may be NULL. */
void kit_open(kit *k, uint64_t memory_bytes);
/* The circuit alone; then an engine that the test opens, and its key. */
void kit_circuit(kit *k);
void kit_add_key(kit *k, libweir_key *out);
/* Forgets nothing: libweir_close has to give all back. */
void kit_close(kit *k);

typedef struct kit_job {
    kit *k;
    weir_bench_request *request;
    unsigned number;
    libweir_job id;
} kit_job;

/* held: its fill waits for k->go, or until it is cancelled. */
void kit_submit(kit *k, kit_job *j, uint64_t seed, bool held, const libweir_job_options *options);
libweir_report kit_end(kit *k, libweir_job id);
/* Until it is read. */
void kit_read(kit *k, libweir_job id);
/* Does the key accept what libweir_proof gives? */
bool kit_accepted(kit *k, kit_job *j);
void kit_job_clear(kit_job *j);

void kit_ok(libweir_code code, const libweir_error *error);
/* The code, and a part of the text. */
void kit_fails(libweir_code code, const libweir_error *error, libweir_code want, const char *part);
/* Host bytes in use. */
uint64_t kit_used(kit *k);

#endif
