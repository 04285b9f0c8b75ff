/* Blocks that are mapped when they are taken and unmapped by another thread after they were given back: the modes SERIAL and
 * DETACHED of base/slabs.h, which says what they do. Private to base. Thread: any. */
#ifndef WEIR_BASE_RECLAIM_H
#define WEIR_BASE_RECLAIM_H

#include "base/slabs.h"

typedef struct weir_reclaimer weir_reclaimer;

/* c->reclaim is not POOL. Errors: WEIR_E_NOMEM. */
weir_err weir_reclaimer_new(weir_reclaimer **out, const weir_slabs_config *c,
                            weir_errinfo *ei) WEIR_MUST_USE;
/* In: all blocks were given back. Blocks: until all are unmapped and all threads have ended. NULL is allowed. */
void weir_reclaimer_free(weir_reclaimer *r);

/* Zeroed; NULL: there is no memory. In: at least 64 bytes. */
void *weir_reclaimer_take(weir_reclaimer *r, size_t bytes);
void weir_reclaimer_give(weir_reclaimer *r, void *p, size_t bytes);

void weir_reclaimer_count(weir_reclaimer *r, weir_slabs_stats *out);

#endif
