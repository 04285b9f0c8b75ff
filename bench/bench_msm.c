/* CPU time of sums of points.
 *
 *   bench_msm WHAT SIZE_LOG2[:WINDOW] ... [--path NAME] [--threads N] [--runs N]
 *   WHAT: msm_g1 msm_g2 bits_g1 bits_g2 fixed_g1 fixed_g2
 *
 * Prints the least, the median and the most CPU time of all threads over the runs, after one that is not counted.
 * Points are random multiples of the generator, scalars and bits uniform.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/exec.h"
#include "curve/curve.h"
#include "msm/msm.h"
#include "msm/msm_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 101, MAX_LOG2 = 26 };

typedef struct bench {
    weir_exec x;
    int runs;
    size_t n;
    unsigned window;
    weir_g1_affine *g1;
    weir_g2_affine *g2;
    weir_scalar *scalars;
    uint64_t *bits;
    weir_fixed_g1 *t1;
    weir_fixed_g2 *t2;
} bench;

static void die(const char *what, const char *text)
{
    fprintf(stderr, "bench_msm: %s: %s\n", what, text);
    exit(2);
}

static void must(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_OK) die(weir_err_name(err), ei->text);
}

static void *must_have(void *p)
{
    if (!p) die("memory", "not enough");
    return p;
}

/* splitmix64: Steele, Lea, Flood 2014 */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static weir_err once(const bench *b, const char *what, weir_errinfo *ei)
{
    weir_g1 s1;
    weir_g2 s2;
    bool forced = b->window != 0;
    if (!strcmp(what, "msm_g1"))
        return forced ? weir_msm_g1_window(&s1, b->g1, b->scalars, b->n, b->window, &b->x, ei)
                      : weir_msm_g1(&s1, b->g1, b->scalars, b->n, &b->x, ei);
    if (!strcmp(what, "msm_g2"))
        return forced ? weir_msm_g2_window(&s2, b->g2, b->scalars, b->n, b->window, &b->x, ei)
                      : weir_msm_g2(&s2, b->g2, b->scalars, b->n, &b->x, ei);
    if (!strcmp(what, "bits_g1")) return weir_sum_bits_g1(&s1, b->g1, b->bits, b->n, &b->x, ei);
    if (!strcmp(what, "bits_g2")) return weir_sum_bits_g2(&s2, b->g2, b->bits, b->n, &b->x, ei);
    if (!strcmp(what, "fixed_g1"))
        return weir_fixed_g1_mul(b->t1, b->g1, b->scalars, b->n, &b->x, ei);
    if (!strcmp(what, "fixed_g2"))
        return weir_fixed_g2_mul(b->t2, b->g2, b->scalars, b->n, &b->x, ei);
    return weir_fail(ei, WEIR_E_USAGE, "unknown");
}

static void prepare(bench *b, const char *what)
{
    weir_errinfo ei = {0};
    uint64_t state = 1;
    bool g2 = strstr(what, "g2") != NULL, fixed = strstr(what, "fixed") != NULL;
    unsigned window = fixed ? b->window : 0;
    b->scalars = must_have(weir_big_alloc(b->n, sizeof *b->scalars));
    b->bits = must_have(weir_big_alloc(b->n / 64 + 1, 8));
    for (size_t i = 0; i < b->n; i++) {
        for (int k = 0; k < 4; k++) b->scalars[i].l[k] = next(&state);
        b->scalars[i].l[3] &= UINT64_MAX >> 2;
    }
    for (size_t i = 0; i < b->n / 64 + 1; i++) b->bits[i] = next(&state);
    uint64_t t = weir_cpu_ns();
    if (g2) {
        b->g2 = must_have(weir_big_alloc(b->n, sizeof *b->g2));
        must(window ? weir_fixed_g2_new_window(&b->t2, weir_g2_generator(), window, &b->x, &ei)
                    : weir_fixed_g2_new(&b->t2, weir_g2_generator(), b->n, &b->x, &ei),
             &ei);
    } else {
        b->g1 = must_have(weir_big_alloc(b->n, sizeof *b->g1));
        must(window ? weir_fixed_g1_new_window(&b->t1, weir_g1_generator(), window, &b->x, &ei)
                    : weir_fixed_g1_new(&b->t1, weir_g1_generator(), b->n, &b->x, &ei),
             &ei);
    }
    if (fixed) printf("%-9s table in %.2f ms\n", what, (double)(weir_cpu_ns() - t) * 1e-6);
    must(once(b, g2 ? "fixed_g2" : "fixed_g1", &ei), &ei);
    for (size_t i = 0; i < b->n; i++) b->scalars[i].l[0] ^= next(&state);
}

static void release(bench *b)
{
    weir_big_free(b->g1, b->n, sizeof *b->g1);
    weir_big_free(b->g2, b->n, sizeof *b->g2);
    weir_big_free(b->scalars, b->n, sizeof *b->scalars);
    weir_big_free(b->bits, b->n / 64 + 1, 8);
    weir_fixed_g1_free(b->t1);
    weir_fixed_g2_free(b->t2);
    b->g1 = NULL;
    b->g2 = NULL;
    b->t1 = NULL;
    b->t2 = NULL;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void measure(bench *b, const char *what)
{
    uint64_t ns[MAX_RUNS];
    weir_errinfo ei = {0};
    prepare(b, what);
    must(once(b, what, &ei), &ei);
    for (int i = 0; i < b->runs; i++) {
        uint64_t t = weir_cpu_ns();
        must(once(b, what, &ei), &ei);
        ns[i] = weir_cpu_ns() - t;
    }
    qsort(ns, (size_t)b->runs, sizeof *ns, by_value);
    double median = (double)ns[b->runs / 2];
    printf("%-9s n %9zu window %2u %-9s threads %u  min %10.3f  median %10.3f  max %10.3f ms  "
           "%9.1f ns a point\n",
           what, b->n, b->window, weir_isa_name(b->x.isa), weir_pool_threads(b->x.pool),
           (double)ns[0] * 1e-6, median * 1e-6, (double)ns[b->runs - 1] * 1e-6,
           median / (double)b->n);
    fflush(stdout);
    release(b);
}

static void option(bench *b, const char *name, const char *value)
{
    weir_errinfo ei = {0};
    if (!strcmp(name, "--runs")) {
        b->runs = atoi(value);
        if (b->runs < 1 || b->runs > MAX_RUNS) die(name, "1 to 101");
    } else if (!strcmp(name, "--threads")) {
        must(weir_pool_new(&b->x.pool, (unsigned)atoi(value), &ei), &ei);
    } else if (!strcmp(name, "--path")) {
        weir_isa isa = 0;
        while (isa < WEIR_ISA_COUNT && strcmp(weir_isa_name(isa), value) != 0) isa++;
        if (isa == WEIR_ISA_COUNT || !weir_isa_supported(isa)) die(value, "no such path here");
        b->x.isa = isa;
    } else {
        die(name, "unknown option");
    }
}

int main(int argc, char **argv)
{
    bench b = {.x = {.isa = weir_isa_best()}, .runs = 5};
    char brand[49];
    if (argc < 3)
        die("use", "bench_msm WHAT SIZE_LOG2[:WINDOW] ... [--path NAME] [--threads N] [--runs N]");
    for (int i = 2; i + 1 < argc; i++)
        if (argv[i][0] == '-') option(&b, argv[i], argv[i + 1]);
    weir_cpu_brand(brand);
    printf("%s\n", brand);
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == '-') {
            i++;
            continue;
        }
        unsigned long log2 = strtoul(argv[i], NULL, 10);
        const char *colon = strchr(argv[i], ':');
        if (log2 > MAX_LOG2) die(argv[i], "at most 26");
        b.n = (size_t)1 << log2;
        b.window = colon ? (unsigned)atoi(colon + 1) : 0;
        measure(&b, argv[1]);
    }
    weir_pool_free(b.x.pool);
    return 0;
}
