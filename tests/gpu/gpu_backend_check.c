/* The GPU backend on the first CUDA device against the CPU backend: random circuits of many sizes, all plans by forced budgets, all sums and
 * those that a hybrid leaves to the device, memory before and after, every call of the driver failing in turn.
 *
 * usage: gpu_backend_check [--check | --tiny] [--rows N] [--seed N] [--log N] [--proofs N]
 *   --check: small cases only; --tiny: two, with every kernel (for compute-sanitizer), of 4100 rows or those of --rows; --log N: circuits of at most 2^N + 1 rows, 20 unless given
 *   --proofs N: runs after which memory is compared, 200 unless given
 * Exit: 0 all right; 1 a difference or an error; 77 no device, which CTest takes for "skipped".
 */
#include "backend_cases.h"

#include "base/clock.h"
#include "base/pool.h"
#include "compute/hybrid_backend.h"
#include "compute/known_answer.h"
#include "gpu/gpu_backend.h"
#include "gpu/gpu_cuda.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, EVERY_SIZE = 300 };

typedef struct check {
    weir_gpu_driver *driver;
    weir_backend b;
    weir_pool *pool;
    uint64_t seed;
    bool small;
    unsigned log_max, proofs;
    bool tiny;
    uint64_t tiny_rows, cases, runs;
    uint64_t shared_ns; /* of it for sums that are shared with the CPU */
} check;

/* What a GPU may leave to the CPU. */
static const uint32_t sets[] = {WEIR_TERMS_G2, WEIR_TERMS_TAILS, WEIR_TERMS_G2 | WEIR_TERMS_TAILS};
enum { SETS = sizeof sets / sizeof sets[0] };

static uint64_t draw(check *c)
{
    c->seed = c->seed * 6364136223846793005u + 1442695040888963407u;
    return c->seed >> 20;
}

static backend_case random_case(check *c, uint64_t rows)
{
    return (backend_case){.seed = draw(c),
                          .rows = rows,
                          .inputs = 1 + draw(c) % (rows < 5 ? rows : 5),
                          .repeat = draw(c) % 4,
                          .percent_bits = (unsigned)(draw(c) % 101),
                          .percent_ones = (unsigned)(draw(c) % 101)};
}

/* A case under each plan, the smallest circuits having but one: at the most that it takes, and at the least. */
static weir_err compare_plans(check *c, const backend_kit *k, uint32_t terms, weir_errinfo *ei)
{
    weir_need need, last = {.plan = ""};
    uint64_t budget = UINT64_MAX;
    while (c->b.bytes(&c->b, &need, k->rel, terms, budget, &k->x, NULL) == WEIR_OK) {
        if (strcmp(need.plan, last.plan) != 0) {
            WEIR_TRY(backend_compare_terms(k, &c->b, terms, need.device_bytes, 1, ei));
            c->runs++;
        }
        last = need;
        budget = need.device_bytes - 1;
    }
    c->runs++;
    return backend_compare_terms(k, &c->b, terms, last.device_bytes, 1, ei);
}

/* The sets in turn, one a case. */
static weir_err compare_shared(check *c, const backend_kit *k, weir_errinfo *ei)
{
    uint64_t t0 = weir_now_ns();
    weir_err err = compare_plans(c, k, WEIR_TERMS_ALL & ~sets[c->cases % SETS], ei);
    c->shared_ns += weir_now_ns() - t0;
    return err;
}

/* Keys come as points, as arrays, and as exponents, in turn. */
static weir_err compare(check *c, const backend_case *points, weir_errinfo *ei)
{
    backend_kit k;
    backend_case with_key = *points;
    const backend_case *a = &with_key;
    with_key.made = c->cases % 3 == 1;
    with_key.arrays = c->cases % 3 == 2;
    weir_err err = backend_kit_init(&k, a, c->pool, ei);
    if (err == WEIR_OK) err = compare_plans(c, &k, WEIR_TERMS_ALL, ei);
    if (err == WEIR_OK && !c->tiny) err = compare_shared(c, &k, ei);
    c->cases++;
    backend_kit_clear(&k);
    if (err != WEIR_OK)
        weir_errinfo_prefix(ei,
                            "rows %llu, inputs %llu, repeated %llu, bits %u %%, ones %u %%, dense "
                            "%d, seed %llu: ",
                            (unsigned long long)a->rows, (unsigned long long)a->inputs,
                            (unsigned long long)a->repeat, a->percent_bits, a->percent_ones,
                            (int)a->dense, (unsigned long long)a->seed);
    return err;
}

/* ---- the cases */

static weir_err check_sizes(check *c, weir_errinfo *ei)
{
    for (uint64_t rows = 1; rows <= EVERY_SIZE; rows += c->small ? 37 : 1) {
        backend_case a = random_case(c, rows);
        WEIR_TRY(compare(c, &a, ei));
    }
    for (unsigned log2 = 9; log2 <= (c->small ? 10 : c->log_max); log2++)
        for (int d = -1; d <= 1; d++) {
            backend_case a = random_case(c, (uint64_t)(((int64_t)1 << log2) + d));
            if (d != 1 || log2 < c->log_max) WEIR_TRY(compare(c, &a, ei));
        }
    printf("%llu circuits of up to 2^%u rows, %llu runs under all plans: the CPU's sums\n",
           (unsigned long long)c->cases, c->small ? 10 : c->log_max, (unsigned long long)c->runs);
    return WEIR_OK;
}

static weir_err check_kinds(check *c, weir_errinfo *ei)
{
    static const unsigned percent[] = {0, 1, 50, 99, 100};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j += c->small ? 4 : 1) {
            backend_case a = random_case(c, c->small ? 200 : 5000);
            a.percent_bits = percent[i];
            a.percent_ones = percent[j];
            WEIR_TRY(compare(c, &a, ei));
        }
    for (int kind = BACKEND_ZERO; kind <= BACKEND_MIXED; kind++)
        for (unsigned bits = 0; bits <= 40; bits += 40) {
            backend_case a = random_case(c, c->small ? 200 : 5000);
            a.dense = (backend_dense)kind;
            a.percent_bits = bits; /* 0: kinds are found on the device */
            WEIR_TRY(compare(c, &a, ei));
        }
    printf("shares of bits and of ones 0, 1, 50, 99, 100 %%; dense columns all 0, 1, r - 1 and "
           "mixed: the "
           "CPU's sums\n");
    return WEIR_OK;
}

/* Every kernel at least once, for tools that take long for each. */
static weir_err check_tiny(check *c, weir_errinfo *ei)
{
    for (unsigned bits = 0; bits <= 60; bits += 60) {
        backend_case a = random_case(c, c->tiny_rows);
        a.percent_bits = bits;
        a.dense = BACKEND_MIXED;
        WEIR_TRY(compare(c, &a, ei));
    }
    printf("2 circuits, %llu runs under all plans: the CPU's sums\n", (unsigned long long)c->runs);
    return WEIR_OK;
}

/* ---- the device and the CPU at the same time */

static weir_err compare_hybrid(check *c, const backend_kit *k, uint32_t cpu_terms, weir_errinfo *ei)
{
    weir_exec cpu = {.isa = weir_isa_best()};
    weir_backend both;
    weir_hybrid h = {0};
    weir_err err = weir_pool_new(&cpu.pool, 0, ei);
    if (err == WEIR_OK) err = weir_hybrid_init(&both, &h, &c->b, &cpu, cpu_terms, ei);
    if (err == WEIR_OK) err = backend_compare(k, &both, UINT64_MAX, 3, ei);
    weir_hybrid_clear(&h);
    weir_pool_free(cpu.pool);
    return err;
}

static weir_err check_hybrid(check *c, weir_errinfo *ei)
{
    uint64_t t0 = weir_now_ns();
    backend_case a = random_case(c, (uint64_t)1 << (c->small ? 10 : 16));
    backend_kit k;
    a.percent_bits = 80;
    weir_err err = backend_kit_init(&k, &a, c->pool, ei);
    for (int i = 0; i < SETS && err == WEIR_OK; i++) err = compare_hybrid(c, &k, sets[i], ei);
    backend_kit_clear(&k);
    c->shared_ns += weir_now_ns() - t0;
    if (err != WEIR_OK) return err;
    printf("b in G2, tails, and both on the CPU, apart and at the same time: the CPU's sums, in "
           "%.1f s "
           "of all\n",
           (double)c->shared_ns / 1e9);
    return WEIR_OK;
}

/* ---- memory */

static weir_err free_now(check *c, uint64_t *bytes, weir_errinfo *ei)
{
    return c->driver->free_bytes(c->driver->ctx, bytes, ei);
}

/* Bytes in use while a session lives stay within its budget, and those before and after are equal. */
static weir_err check_budget(check *c, const backend_kit *k, uint64_t budget, unsigned runs,
                             weir_errinfo *ei)
{
    uint64_t before, during, after;
    weir_session *s;
    weir_sums got;
    weir_err err = WEIR_OK;
    weir_need need;
    WEIR_TRY(c->b.bytes(&c->b, &need, k->rel, WEIR_TERMS_ALL, budget, &k->x, ei));
    WEIR_TRY(free_now(c, &before, ei));
    WEIR_TRY(c->b.begin(&c->b, &s, k->rel, &k->key, WEIR_TERMS_ALL, budget, &k->x, ei));
    for (unsigned i = 0; i < runs && err == WEIR_OK; i++)
        err = c->b.run(s, &got, k->w, NULL, &k->x, ei);
    if (err == WEIR_OK) err = free_now(c, &during, ei);
    c->b.end(s);
    WEIR_TRY(err);
    WEIR_TRY(backend_same_sums(k, &got, ei));
    WEIR_TRY(free_now(c, &after, ei));
    printf("  %s: budget %.1f MiB, plan %.1f, in use %.1f, after %u proofs and the end %.1f\n",
           need.plan, (double)budget / (1 << 20), (double)need.device_bytes / (1 << 20),
           (double)(before - during) / (1 << 20), runs,
           (double)before / (1 << 20) - (double)after / (1 << 20));
    if (before - during > budget)
        return weir_fail(ei, WEIR_E_INTERNAL, "%llu bytes are in use, the budget is %llu",
                         (unsigned long long)(before - during), (unsigned long long)budget);
    if (before != after)
        return weir_fail(ei, WEIR_E_INTERNAL, "%lld bytes were not given back",
                         (long long)(before - after));
    return WEIR_OK;
}

/* Budgets are multiples of 2 MiB, which is what the driver deals in. */
static uint64_t whole(uint64_t bytes)
{
    return (bytes + (1 << 21) - 1) >> 21 << 21;
}

static weir_err check_memory(check *c, weir_errinfo *ei)
{
    backend_case a = random_case(c, (uint64_t)1 << (c->small ? 12 : 16));
    backend_kit k;
    weir_need need;
    weir_err err = backend_kit_init(&k, &a, c->pool, ei);
    WEIR_TRY_GOTO(err);
    /* kernels that are launched for the first time make the driver take memory for their stacks, for good */
    WEIR_TRY_GOTO(backend_compare(&k, &c->b, UINT64_MAX, 1, ei));
    WEIR_TRY_GOTO(c->b.bytes(&c->b, &need, k.rel, WEIR_TERMS_ALL, UINT64_MAX, &k.x, ei));
    WEIR_TRY_GOTO(check_budget(c, &k, whole(need.device_bytes), c->proofs, ei));
    uint64_t budget = whole(need.device_bytes) - (1 << 21);
    while (c->b.bytes(&c->b, &need, k.rel, WEIR_TERMS_ALL, budget, &k.x, NULL) == WEIR_OK) {
        WEIR_TRY_GOTO(check_budget(c, &k, budget, 3, ei));
        budget = need.device_bytes / (1 << 21) * (1 << 21);
        budget -= budget / 10 / (1 << 21) * (1 << 21) + (1 << 21);
    }
    printf("memory: within its budget, all given back\n");
out:
    backend_kit_clear(&k);
    return err;
}

/* ---- failing calls: a table in front of the device's */

typedef struct failing {
    const weir_gpu_driver *to;
    uint64_t calls, fail_at;
} failing;

static weir_err call(failing *f, weir_errinfo *ei)
{
    if (++f->calls != f->fail_at) return WEIR_OK;
    return weir_fail(ei, WEIR_E_NOMEM, "call %llu fails", (unsigned long long)f->calls);
}

#define PASS(name, parameters, arguments)                                                          \
    static weir_err failing_##name parameters                                                      \
    {                                                                                              \
        failing *f = ctx;                                                                          \
        ctx = f->to->ctx;                                                                          \
        WEIR_TRY(call(f, ei));                                                                     \
        return f->to->name arguments;                                                              \
    }
PASS(free_bytes, (void *ctx, uint64_t *bytes, weir_errinfo *ei), (ctx, bytes, ei))
PASS(alloc, (void *ctx, void **out, uint64_t bytes, weir_errinfo *ei), (ctx, out, bytes, ei))
PASS(pin, (void *ctx, void **out, uint64_t bytes, weir_errinfo *ei), (ctx, out, bytes, ei))
PASS(upload, (void *ctx, int queue, void *to, const void *host, uint64_t bytes, weir_errinfo *ei),
     (ctx, queue, to, host, bytes, ei))
PASS(download,
     (void *ctx, int queue, void *host, const void *from, uint64_t bytes, weir_errinfo *ei),
     (ctx, queue, host, from, bytes, ei))
PASS(clear, (void *ctx, int queue, void *p, uint64_t bytes, weir_errinfo *ei),
     (ctx, queue, p, bytes, ei))
PASS(launch,
     (void *ctx, int queue, weir_gpu_kernel kernel, uint32_t blocks, uint32_t threads,
      const void *args, weir_errinfo *ei),
     (ctx, queue, kernel, blocks, threads, args, ei))
PASS(mark, (void *ctx, int queue, int mark, weir_errinfo *ei), (ctx, queue, mark, ei))
PASS(follow, (void *ctx, int queue, int mark, weir_errinfo *ei), (ctx, queue, mark, ei))
PASS(wait, (void *ctx, int mark, weir_errinfo *ei), (ctx, mark, ei))
PASS(drain, (void *ctx, weir_errinfo *ei), (ctx, ei))
PASS(elapsed, (void *ctx, uint64_t *ns, int from, int to, weir_errinfo *ei),
     (ctx, ns, from, to, ei))

static void failing_release(void *ctx, void *p)
{
    failing *f = ctx;
    f->to->release(f->to->ctx, p);
}

static void failing_unpin(void *ctx, void *p)
{
    failing *f = ctx;
    f->to->unpin(f->to->ctx, p);
}

static weir_gpu_driver failing_driver(failing *f)
{
    weir_gpu_driver d = *f->to;
    d.ctx = f;
    d.free_bytes = failing_free_bytes;
    d.alloc = failing_alloc;
    d.release = failing_release;
    d.pin = failing_pin;
    d.unpin = failing_unpin;
    d.upload = failing_upload;
    d.download = failing_download;
    d.clear = failing_clear;
    d.launch = failing_launch;
    d.mark = failing_mark;
    d.follow = failing_follow;
    d.wait = failing_wait;
    d.drain = failing_drain;
    d.elapsed = failing_elapsed;
    return d;
}

/* *made: that many calls are made. An error of a run leaves a session that can be used again; memory that is not given for a plan
 * may be enough for a smaller one. */
static weir_err fail_once(check *c, const backend_kit *k, uint64_t nth, bool *made,
                          weir_errinfo *ei)
{
    failing f = {.to = c->driver, .fail_at = nth};
    weir_gpu_driver d = failing_driver(&f);
    weir_backend b;
    weir_session *s;
    weir_sums got;
    weir_errinfo why;
    weir_gpu_backend_init(&b, &d);
    weir_err err = b.begin(&b, &s, k->rel, &k->key, WEIR_TERMS_ALL, UINT64_MAX, &k->x, &why);
    if (err == WEIR_OK) {
        err = b.run(s, &got, k->w, NULL, &k->x, &why);
        weir_err again = err == WEIR_OK ? WEIR_OK : b.run(s, &got, k->w, NULL, &k->x, ei);
        b.end(s);
        WEIR_TRY(again);
        WEIR_TRY(backend_same_sums(k, &got, ei));
    }
    *made = f.calls >= nth;
    if (err == WEIR_OK || (*made && err == WEIR_E_NOMEM)) return WEIR_OK;
    return weir_fail(ei, WEIR_E_INTERNAL, "call %llu failed, and the backend gave %s",
                     (unsigned long long)nth, weir_err_name(err));
}

static weir_err check_failing(check *c, weir_errinfo *ei)
{
    backend_case a = random_case(c, 100);
    backend_kit k;
    uint64_t before, after, nth = 1;
    bool made = true;
    a.percent_bits = 50;
    weir_err err = backend_kit_init(&k, &a, c->pool, ei);
    WEIR_TRY_GOTO(err);
    WEIR_TRY_GOTO(free_now(c, &before, ei));
    for (; made; nth++) WEIR_TRY_GOTO(fail_once(c, &k, nth, &made, ei));
    WEIR_TRY_GOTO(free_now(c, &after, ei));
    if (before != after)
        err = weir_fail(ei, WEIR_E_INTERNAL, "memory was lost after failing calls");
    printf("each of %llu calls failing: an error or the CPU's sums, all memory given back\n",
           (unsigned long long)nth - 2);
out:
    backend_kit_clear(&k);
    return err;
}

/* ---- */

static weir_err check_all(check *c, weir_errinfo *ei)
{
    const weir_exec x = {.pool = c->pool, .isa = weir_isa_best()};
    uint64_t t0 = weir_now_ns();
    WEIR_TRY(weir_gpu_open(&c->driver, 0, ei));
    uint64_t t1 = weir_now_ns();
    weir_gpu_backend_init(&c->b, c->driver);
    WEIR_TRY(weir_backend_known_answer(&c->b, &x, ei));
    printf("%s: opened in %.2f s, known answer in %.2f s\n", c->driver->name,
           (double)(t1 - t0) / 1e9, (double)(weir_now_ns() - t1) / 1e9);
    if (c->tiny) return check_tiny(c, ei);
    WEIR_TRY(check_sizes(c, ei));
    WEIR_TRY(check_kinds(c, ei));
    WEIR_TRY(check_hybrid(c, ei));
    WEIR_TRY(check_memory(c, ei));
    return check_failing(c, ei);
}

static bool read_args(check *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--tiny") == 0) {
            c->tiny = true;
            continue;
        }
        if (strcmp(argv[i], "--check") == 0) {
            c->small = true;
            c->proofs = 3;
            continue;
        }
        if (i + 1 == argc) return false;
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--rows") == 0)
            c->tiny_rows = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            c->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--log") == 0)
            c->log_max = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--proofs") == 0)
            c->proofs = (unsigned)strtoul(value, NULL, 10);
        else
            return false;
        i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    check c = {.seed = weir_now_ns(), .log_max = 20, .proofs = 200, .tiny_rows = 4100};
    weir_errinfo ei = {0};
    if (!read_args(&c, argc, argv)) {
        fprintf(stderr,
                "usage: gpu_backend_check [--check | --tiny] [--rows N] [--seed N] [--log N] "
                "[--proofs N]\n");
        return 2;
    }
    if (weir_gpu_count(&ei) == 0) {
        printf("skipped: no GPU (%s)\n", ei.text);
        return SKIPPED;
    }
    printf("seed %llu\n", (unsigned long long)c.seed);
    weir_err err = weir_pool_new(&c.pool, 0, &ei);
    if (err == WEIR_OK) err = check_all(&c, &ei);
    weir_gpu_close(c.driver);
    weir_pool_free(c.pool);
    if (err != WEIR_OK) fprintf(stderr, "gpu_backend_check: %s\n", ei.text);
    return err == WEIR_OK ? 0 : 1;
}
