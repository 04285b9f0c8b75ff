#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Fault injection for tests, per thread so that a test does not disturb a pool's threads. */
static _Thread_local uint64_t fail_in;
static _Thread_local int fail_keep;

void weir_alloc_fail_nth(uint64_t nth, int keep)
{
    fail_in = nth;
    fail_keep = keep;
}

static bool refuse(size_t n, size_t size, size_t *bytes)
{
    if (__builtin_mul_overflow(n, size, bytes)) return true;
    if (fail_in == 0) return false;
    if (fail_in > 1) {
        fail_in--;
        return false;
    }
    if (!fail_keep) fail_in = 0;
    return true;
}

void *weir_malloc(size_t n, size_t size)
{
    size_t bytes;
    if (refuse(n, size, &bytes)) return NULL;
    return malloc(bytes ? bytes : 1);
}

void *weir_calloc(size_t n, size_t size)
{
    size_t bytes;
    if (refuse(n, size, &bytes)) return NULL;
    return calloc(1, bytes ? bytes : 1);
}

void *weir_realloc(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (refuse(n, size, &bytes)) return NULL;
    return realloc(p, bytes ? bytes : 1);
}

char *weir_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *d = weir_malloc(n, 1);
    if (d) memcpy(d, s, n);
    return d;
}

void weir_free(void *p)
{
    free(p);
}

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* From the boundary of a huge page on: kernels place mappings where they like, and one that begins elsewhere has small pages at
 * both ends. What is too much on either side goes back. */
static void *map_huge(size_t bytes)
{
    if (bytes > SIZE_MAX - 2 * WEIR_HUGE_PAGE_BYTES) return NULL;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (bytes + page - 1) / page * page;
    char *p = map(whole + WEIR_HUGE_PAGE_BYTES);
    if (!p) return NULL;
    const size_t head = -(uintptr_t)p % WEIR_HUGE_PAGE_BYTES;
    const size_t tail = WEIR_HUGE_PAGE_BYTES - head;
    if (head > 0) munmap(p, head);
    munmap(p + head + whole, tail);
    madvise(p + head, whole, MADV_HUGEPAGE);
    return p + head;
}

void *weir_big_alloc(size_t n, size_t size)
{
    size_t bytes;
    if (refuse(n, size, &bytes)) return NULL;
    if (bytes >= WEIR_HUGE_PAGE_BYTES) return map_huge(bytes);
    return map(bytes ? bytes : 1);
}

void weir_big_free(void *p, size_t n, size_t size)
{
    size_t bytes = n * size;
    if (p) munmap(p, bytes ? bytes : 1);
}

enum { LINE_BYTES = 64 };

/* malloc and not aligned_alloc, which leaves holes in the heap when it takes such blocks again and again. What malloc gave
 * stands in front of the block. */
void *weir_scratch_alloc(size_t bytes)
{
    if (bytes >= WEIR_SCRATCH_HEAP_BYTES) return weir_big_alloc(bytes, 1);
    if (refuse(bytes, 1, &bytes)) return NULL;
    char *base = malloc(bytes + 2 * LINE_BYTES);
    if (!base) return NULL;
    char *p = base + 2 * LINE_BYTES - (uintptr_t)base % LINE_BYTES;
    memcpy(p - sizeof base, &base, sizeof base);
    return p;
}

void weir_scratch_free(void *p, size_t bytes)
{
    char *base;
    if (bytes >= WEIR_SCRATCH_HEAP_BYTES) {
        weir_big_free(p, bytes, 1);
    } else if (p) {
        memcpy(&base, (char *)p - sizeof base, sizeof base);
        free(base);
    }
}

void weir_wipe(void *p, size_t bytes)
{
    memset(p, 0, bytes);
    __asm__ volatile("" : : "r"(p) : "memory");
}

uint64_t weir_peak_rss_bytes(void)
{
    struct rusage ru;
    if (getrusage(RUSAGE_SELF, &ru) != 0) return 0;
    return (uint64_t)ru.ru_maxrss * 1024;
}
