/* The routines whose instructions are counted, in groups, with fixed inputs; see docs/counts.md.
 *
 * State lies on pages of its own and is zeroed, so that what a copy costs does not depend on where it lies.
 */
#ifndef WEIR_TESTS_COUNTS_ROUTINES_H
#define WEIR_TESTS_COUNTS_ROUTINES_H

#include "base/err.h"
#include "base/exec.h"
#include "curve/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a routine has bodies of its own. */
typedef enum routine_paths {
    ON_ONE, /* one body for all paths: counted as portable */
    ON_EACH /* portable and adx */
} routine_paths;

typedef struct routine {
    const char *name;
    routine_paths paths;
    size_t state_bytes;
    void (*prepare)(void *state, weir_isa isa); /* the inputs, always the same */
    void (*run)(void *state);                   /* what is counted; once */
    void (*release)(void *state);               /* NULL if prepare took no memory */
} routine;

typedef struct routine_group {
    const routine *routine;
    size_t n;
} routine_group;

routine_group field_routines(void);
routine_group curve_routines(void);
routine_group sum_routines(void);
routine_group hash_routines(void);
routine_group circuit_routines(void);

/* Ends the program with a message unless it is so. */
void must(bool ok, const char *what);
void must_ok(weir_err err, const weir_errinfo *ei);
/* n elements of `size` bytes, zeroed, on pages of their own. */
void *pages(size_t n, size_t size);
void pages_free(void *p, size_t n, size_t size);

/* ---- fixed inputs (splitmix64), below the modulus */
typedef struct stream {
    uint64_t state;
} stream;
uint64_t stream_u64(stream *s);
void stream_fp(stream *s, weir_fp *r);
void stream_fr(stream *s, weir_fr *r);
void stream_scalar(stream *s, weir_scalar *r);
/* 2^i times the generator, i < n. No sum of some of them is a sum of others. */
void powers_g1(weir_g1_affine *out, size_t n, weir_isa isa);
void powers_g2(weir_g2_affine *out, size_t n, weir_isa isa);

#endif
