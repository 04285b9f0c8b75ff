/* Memory that may be used, in one place: what a partition takes is reserved as a whole before it is filled, or not at all, so no
 * partition waits for memory while it holds some.
 *
 * Kinds are counted apart: host memory, of that the pinned part, and each device's. Who reserves gives back the same bytes once.
 * Thread: any, for all functions; none waits.
 */
#ifndef WEIR_ENGINE_BUDGET_H
#define WEIR_ENGINE_BUDGET_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_BUDGET_DEVICES = 32 };

/* Bytes of each kind; pinned ones count as host bytes too. */
typedef struct weir_bytes {
    uint64_t host, pinned, device[WEIR_BUDGET_DEVICES];
} weir_bytes;

typedef struct weir_budget weir_budget;

/* limit: what may be reserved at one time; UINT64_MAX: no limit. Errors: WEIR_E_NOMEM. */
weir_err weir_budget_new(weir_budget **out, const weir_bytes *limit,
                         weir_errinfo *ei) WEIR_MUST_USE;
/* In: everything was given back. NULL is allowed. */
void weir_budget_free(weir_budget *b);

/* Could it ever be reserved, beside what lasts? Asked when a job is submitted. what: "this job". Errors: WEIR_E_NOMEM with what it needs, what may be
 * used, and of which memory. */
weir_err weir_budget_fits(const weir_budget *b, const weir_bytes *need, const char *what,
                          weir_errinfo *ei) WEIR_MUST_USE;
/* All of it, or false and nothing. */
bool weir_budget_reserve(weir_budget *b, const weir_bytes *need);
void weir_budget_give_back(weir_budget *b, const weir_bytes *bytes);
/* The same for what is held as long as there is work, so that no work can wait for it: what weir_budget_fits allows shrinks by it. */
bool weir_budget_reserve_lasting(weir_budget *b, const weir_bytes *need);
void weir_budget_give_back_lasting(weir_budget *b, const weir_bytes *bytes);

/* Now, and the most of each kind since the start. */
void weir_budget_used(const weir_budget *b, weir_bytes *now, weir_bytes *most);
/* What could be reserved now. */
void weir_budget_left(const weir_budget *b, weir_bytes *left);

/* What this process may use of the machine's memory: the least of what the kernel calls available and what its control groups (v1
 * and v2, and those above it) leave, files in the cache that nobody looks at not counted, less a tenth, 512 MiB at least, for what is not counted. root: "/" or, for tests, a
 * folder with proc/ and sys/ in it. UINT64_MAX: nothing could be read. */
uint64_t weir_budget_auto(const char *root);

#endif
