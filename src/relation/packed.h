/* The packed witness: bits as bits, field elements as 32 bytes.
 *
 * Auxiliary columns are numbered as the circuit creates them: first the prologue's, then period after period, then
 * the epilogue's. Each of these segments has its own stretch of bits, aligned to 64, and its own stretch of dense
 * elements (the relation knows both starts). Within a segment column i owns bit i; a dense column's bit is zero and
 * its value is the next element of the dense stretch. So segments can be filled by different threads.
 */
#ifndef WEIR_RELATION_PACKED_H
#define WEIR_RELATION_PACKED_H

#include "field/types.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Writes the columns of one segment in order. Not shared between threads.
 * Invariant: bits below `pos` are written, those from `pos` on are zero, but for stretches that another packer fills. */
typedef struct weir_packer {
    uint8_t *bits; /* the segment's first byte, 64-bit aligned, zeroed; one word more than needed */
    uint64_t pos;  /* next column, from the segment's start */
    weir_fr *dense;  /* next dense element */
    weir_fr *inputs; /* next public input */
} weir_packer;

/* n <= 56 bit columns, bit 0 first. In: v < 2^n. */
static inline void pack_bits(weir_packer *p, uint64_t v, unsigned n)
{
    uint64_t w;
    uint8_t *at = p->bits + (p->pos >> 3);
    memcpy(&w, at, 8);
    w |= v << (p->pos & 7);
    memcpy(at, &w, 8);
    p->pos += n;
}

/* 64 bit columns. */
static inline void pack_u64(weir_packer *p, uint64_t v)
{
    pack_bits(p, v & 0xffffffffu, 32);
    pack_bits(p, v >> 32, 32);
}

static inline void pack_dense(weir_packer *p, const weir_fr *v)
{
    *p->dense++ = *v;
    p->pos++;
}

/* Room for n dense columns to be written by the caller. */
static inline weir_fr *pack_dense_n(weir_packer *p, unsigned n)
{
    weir_fr *at = p->dense;
    p->dense += n;
    p->pos += n;
    return at;
}

static inline void pack_input(weir_packer *p, const weir_fr *v)
{
    *p->inputs++ = *v;
}

/* A stretch of columns, and how many of them are dense. */
typedef struct weir_stretch {
    uint64_t columns;
    uint32_t dense, inputs;
} weir_stretch;

/* Leaves a stretch out, which a copy of the packer made before fills. One thread may fill stretches side by side: a
 * packer only adds to the bits of its neighbours' columns, and adds zeros. */
static inline void pack_skip(weir_packer *p, const weir_stretch *s)
{
    p->pos += s->columns;
    p->dense += s->dense;
    p->inputs += s->inputs;
}

/* Both would write the same column next. */
static inline bool pack_meets(const weir_packer *a, const weir_packer *b)
{
    return a->pos == b->pos && a->dense == b->dense && a->inputs == b->inputs;
}

#endif
