/* A small circuit with a key, as a .params file and as a native one. */
#ifndef WEIR_TEST_NATIVE_KIT_H
#define WEIR_TEST_NATIVE_KIT_H

#include "formats/native_key.h"
#include "formats/params.h"
#include "mem_key.h"
#include "random_circuit.h"

typedef struct native_case {
    rc_circuit *circuit;
    weir_relation *rel;
    weir_witness *w;
    tk_mem_key mem;
    weir_pkey pkey; /* of mem */
} native_case;

/* segments: 1 to 3. */
void native_case_init(native_case *c, tk_rng *g, unsigned segments);
void native_case_clear(native_case *c);

/* Names of this process in the current folder; native_clean removes whatever begins with them. */
const char *native_name(void);
const char *native_params_name(void);
void native_clean(void);
/* Files whose name begins with native_name(), those under construction too. */
unsigned native_files(void);

/* Gives the key to a sink, in pieces of at most `piece` points. */
weir_err native_feed(const weir_key_sink *sink, const tk_mem_key *mem, size_t piece,
                     weir_errinfo *ei);
/* The whole file by the writer, from open to commit. */
weir_err native_write(const native_case *c, size_t piece, weir_errinfo *ei);
void native_write_params(const native_case *c);

/* Opens native_name(), fits it to the relation; fails the test if it cannot. */
weir_native_key *native_open(const weir_relation *rel);
/* Opening, fitting (rel NULL: not) and comparing all blocks must end with this code and a text with these words. */
void native_refuse(const weir_relation *rel, weir_err want, const char *says);
/* Whether all of it is well. */
weir_err native_try(const weir_relation *rel, weir_errinfo *ei);

/* Bytes of a file of this process, and a file of these bytes. */
uint8_t *native_bytes(const char *path, size_t *n);
void native_put(const char *path, const uint8_t *bytes, size_t n);

/* Points in the section's order, in ranges of all kinds, and array by array, are those of the key in memory. */
void native_compare(const weir_key_points *have, const weir_relation *rel, const tk_mem_key *mem,
                    tk_rng *g);

#endif
