/* Large buffers that are used again and again.
 *
 * Fresh pages cost more than much of the work that is done in them: the system clears each one and takes a fault for it, and
 * unmapping makes every thread of the process drop its translations. So buffers of a proof come from regions that stay mapped,
 * and the next proof finds them warm. A region is cut into blocks, the smallest free one that suffices is taken, and
 * neighbours that are free become one again.
 */
#ifndef WEIR_BASE_SLABS_H
#define WEIR_BASE_SLABS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

typedef struct weir_slabs weir_slabs;

/* One region of `reserve` bytes at once, so that all that fits in it is never mapped or unmapped again; 0: regions as they
 * are asked for. Thread: any for all functions here. Errors: WEIR_E_NOMEM. */
weir_err weir_slabs_new(weir_slabs **out, size_t reserve, weir_errinfo *ei);
/* In: all blocks were given back. NULL is allowed. */
void weir_slabs_free(weir_slabs *s);

/* n * size bytes, not initialized, on a cache line of their own (of a huge page, where the system has them, from
 * WEIR_SCRATCH_HEAP_BYTES on; below that they come from the heap); NULL: there is no memory. s NULL: fresh memory each time. Where no free block suffices, regions that
 * nobody uses are unmapped before a new one is mapped, so what is held stays close to the most that was in use at once.
 * Cost: some hundred nanoseconds. */
void *weir_slab_take(weir_slabs *s, size_t n, size_t size);
/* n and size as they were taken; p may be NULL. */
void weir_slab_give(weir_slabs *s, void *p, size_t n, size_t size);

/* mapped: bytes in regions; used: of these taken; maps, unmaps: regions mapped and unmapped since the start. */
typedef struct weir_slabs_stats {
    uint64_t mapped, used, maps, unmaps;
} weir_slabs_stats;
void weir_slabs_count(const weir_slabs *s, weir_slabs_stats *out);

#endif
