/* Memory. All of weir's heap memory is taken here, so that a test can make the Nth request fail. */
#ifndef WEIR_BASE_ALLOC_H
#define WEIR_BASE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* Like malloc and calloc; the product n * size is checked. NULL if there is no memory. Size 0 gives a
 * pointer that may be freed. */
void *weir_malloc(size_t n, size_t size);
void *weir_calloc(size_t n, size_t size);
void *weir_realloc(void *p, size_t n, size_t size);
char *weir_strdup(const char *s);
void weir_free(void *p);

/* Large buffers: zeroed and page-aligned; those of a huge page and more begin at one, and lie in huge pages where the system
 * gives them (docs/memory.md). n * size is checked. */
#define WEIR_HUGE_PAGE_BYTES ((size_t)2 << 20)
void *weir_big_alloc(size_t n, size_t size);
/* n and size as at allocation. p may be NULL. */
void weir_big_free(void *p, size_t n, size_t size);

/* Working memory of one call, not initialized, on a cache line of its own. Below WEIR_SCRATCH_HEAP_BYTES it comes from the heap,
 * which keeps it for the next call: fresh pages cost more than much of the work that is done in them. Above, base/slabs.h keeps it. */
#define WEIR_SCRATCH_HEAP_BYTES ((size_t)16 << 20)
void *weir_scratch_alloc(size_t bytes);
void weir_scratch_free(void *p, size_t bytes);

/* Overwrites secrets; the compiler cannot drop it. */
void weir_wipe(void *p, size_t bytes);

/* Peak resident set of this process, in bytes. */
uint64_t weir_peak_rss_bytes(void);

/* Tests only: let the nth request from now on this thread (1 = the next) fail, and all after it if
 * `keep` is set; 0 switches this off. */
void weir_alloc_fail_nth(uint64_t nth, int keep);

#endif
