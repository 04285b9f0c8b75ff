/* Large buffers that are used again and again.
 *
 * Fresh pages cost more than much of the work that is done in them: the system clears each one and takes a fault for it, and
 * unmapping makes every thread of the process drop its translations. So buffers of a proof come from regions that stay mapped,
 * and the next proof finds them warm. A region is cut into blocks, the smallest free one that suffices is taken, and
 * neighbours that are free become one again.
 *
 * That is the mode POOL. The other two are there so that its effect can be measured.
 */
#ifndef WEIR_BASE_SLABS_H
#define WEIR_BASE_SLABS_H

#include "base/err.h"
#include "base/gate.h"

#include <stddef.h>
#include <stdint.h>

typedef struct weir_slabs weir_slabs;

/* From here on blocks are cut from regions; smaller ones come from the heap. */
#define WEIR_SLAB_BYTES ((size_t)1 << 20)

/* What becomes of a block of at least WEIR_SLAB_BYTES that is given back. */
typedef enum weir_reclaim {
    WEIR_RECLAIM_POOL,    /* it stays mapped for the next taker */
    WEIR_RECLAIM_SERIAL,  /* freshly mapped for each taker; one thread unmaps block after block */
    WEIR_RECLAIM_DETACHED /* freshly mapped for each taker; a thread of its own unmaps each block */
} weir_reclaim;

typedef struct weir_slabs_config {
    weir_reclaim reclaim;
    /* POOL: one region of so many bytes at once, so that all that fits in it is never mapped or unmapped again; 0: regions as
     * they are asked for. */
    size_t reserve;
    /* SERIAL, DETACHED: bytes that may be given back and not yet unmapped (one block alone may be larger); above it the giver
     * waits. 0: no limit. */
    uint64_t waiting_max;
    /* SERIAL: asked for a credit before a block is unmapped, unless somebody waits for it; outlives the slabs. NULL: none. */
    weir_gate *gate;
} weir_slabs_config;

/* c NULL: POOL without a reserve. What a mode has no use for must be 0. Where a thread cannot be started, who gives a block back
 * unmaps it. Thread: any for all functions here. Errors: WEIR_E_NOMEM; WEIR_E_USAGE. */
weir_err weir_slabs_new(weir_slabs **out, const weir_slabs_config *c,
                        weir_errinfo *ei) WEIR_MUST_USE;
/* POOL: one region of at least so many bytes, which stays to the end; a smaller one that nobody uses goes. Does nothing in other modes.
 * Errors: WEIR_E_NOMEM. */
weir_err weir_slabs_reserve(weir_slabs *s, size_t bytes, weir_errinfo *ei) WEIR_MUST_USE;
/* In: all blocks were given back. Blocks: until all are unmapped. NULL is allowed. */
void weir_slabs_free(weir_slabs *s);

/* n * size bytes, not initialized, on a cache line of their own (regions begin at a huge page, where the system has them; below
 * WEIR_SLAB_BYTES from the heap); NULL: there is no memory. s NULL: fresh memory each time. Where no free block suffices, regions that
 * nobody uses are unmapped before a new one is mapped, so what is held stays close to the most that was in use at once.
 * Cost: some hundred nanoseconds. */
void *weir_slab_take(weir_slabs *s, size_t n, size_t size);
/* n and size as they were taken; p may be NULL. What is in the block may be overwritten at once. Blocks: only for waiting_max,
 * and never for the gate, so credits may be held. */
void weir_slab_give(weir_slabs *s, void *p, size_t n, size_t size);

/* mapped: bytes in regions; used: of these taken; maps, unmaps: regions mapped and unmapped since the start. A block of SERIAL or
 * DETACHED is a region: mapped until it is unmapped, used until it is given back. threads: started since the start; reclaimed:
 * blocks that these unmapped; queued_most: most blocks at once that were given back and not yet unmapped. All three 0 in POOL. */
typedef struct weir_slabs_stats {
    uint64_t mapped, used, maps, unmaps;
    uint64_t threads, reclaimed, queued_most;
} weir_slabs_stats;
void weir_slabs_count(const weir_slabs *s, weir_slabs_stats *out);

#endif
