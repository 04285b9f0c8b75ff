#include "fail_nth.h"

#include "base/alloc.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_ulong count[2], shall_fail[2];

void fail_nth(fail_what what, unsigned long nth)
{
    atomic_store(&count[what], 0);
    atomic_store(&shall_fail[what], nth);
}

unsigned long fail_nth_count(fail_what what)
{
    return atomic_load(&count[what]);
}

static bool fails(fail_what what)
{
    return atomic_fetch_add(&count[what], 1) + 1 == atomic_load(&shall_fail[what]);
}

/* The linker's --wrap=NAME sends calls of NAME to __wrap_NAME, and those of __real_NAME to NAME. */
#define WRAP(type, name, params, args)                                                             \
    type __real_##name params;                                                                     \
    type __wrap_##name params;                                                                     \
    type __wrap_##name params                                                                      \
    {                                                                                              \
        return fails(FAIL_MEMORY) ? NULL : __real_##name args;                                     \
    }

WRAP(void *, weir_malloc, (size_t n, size_t size), (n, size))
WRAP(void *, weir_calloc, (size_t n, size_t size), (n, size))
WRAP(void *, weir_realloc, (void *p, size_t n, size_t size), (p, n, size))
WRAP(void *, weir_big_alloc, (size_t n, size_t size), (n, size))
WRAP(void *, weir_scratch_alloc, (size_t bytes), (bytes))

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg)
{
    return fails(FAIL_THREADS) ? EAGAIN : __real_pthread_create(thread, attr, fn, arg);
}
