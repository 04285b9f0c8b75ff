/* What tests share. Every randomized test prints its seed and takes one: TEST --seed N. */
#ifndef WEIR_TESTKIT_H
#define WEIR_TESTKIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/exec.h"
#include "field/types.h"

/* ---- seeded random numbers (splitmix64; not for secrets) */
typedef struct tk_rng {
    uint64_t state;
} tk_rng;
/* Reads --seed N from the arguments, else takes one from the clock; prints it. */
void tk_init(int argc, char **argv);
tk_rng tk_rng_new(void); /* from tk_init's seed: the same stream in every test of the program */
uint64_t tk_u64(tk_rng *g);
uint64_t tk_below(tk_rng *g, uint64_t n);
void tk_bytes(tk_rng *g, void *out, size_t n);
void tk_fr(tk_rng *g, weir_fr *r); /* uniform */
void tk_fp(tk_rng *g, weir_fp *r);
void tk_scalar(tk_rng *g, weir_scalar *s); /* uniform below r */
/* Special values: 0, 1, 2, -1, -2, R, R^2, single bits, all ones below the modulus ... */
size_t tk_fr_specials(weir_fr *out, size_t max);
size_t tk_fp_specials(weir_fp *out, size_t max);

/* ---- vectors: a path below tests/vectors; NAME.xz is unpacked when NAME is not there. Fails the test if neither
 * exists. Free with free(). */
uint8_t *tk_vector(const char *path, size_t *n);
bool tk_has_vector(const char *path);
json_t *tk_json(const char *path); /* json_decref() */
/* obj.key, failing the test when absent. */
json_t *tk_get(json_t *obj, const char *key);
const char *tk_str(json_t *obj, const char *key);

/* "0x..." big-endian number, or plain byte string */
void tk_hex_bytes(const char *hex, uint8_t *out, size_t n); /* exactly n bytes in order */
void tk_hex_fr(const char *hex, weir_fr *r);                /* number, must be below r */
void tk_hex_fp(const char *hex, weir_fp *r);
void tk_hex_scalar(const char *hex, weir_scalar *s);

/* ---- portable and adx, where this machine can run them: for (weir_isa isa = 0; tk_next_isa(&isa); isa++) */
bool tk_next_isa(weir_isa *isa);
/* The same with ifma, for what has bodies for it. */
bool tk_next_path(weir_isa *isa);
/* A pool of n threads, made once per program. */
weir_pool *tk_pool(unsigned threads);

#endif
