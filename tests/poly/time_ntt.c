/* CPU time of transforms on one thread, in nanoseconds for each of the n/2 log2 n butterflies, best
 * of several rounds: time_ntt [FROM [TO]] with sizes as logarithms, 10 to 22 if left out. */
#include "base/clock.h"
#include "field/fr.h"
#include "poly/ntt.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5 };

typedef struct timing {
    double forward, inverse, coset_forward, quotient;
} timing;

static double keep_best(double best, uint64_t t0)
{
    double t = (double)(weir_thread_cpu_ns() - t0);
    return t < best ? t : best;
}

static timing measure(const weir_ntt_plan *plan, weir_fr *a, weir_fr *b, weir_fr *tmp,
                      void *scratch, const weir_exec *x)
{
    timing t = {1e30, 1e30, 1e30, 1e30};
    weir_fr seven;
    fr_from_u64(&seven, 7);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t t0 = weir_thread_cpu_ns();
        weir_ntt_forward(plan, a, scratch, x);
        t.forward = keep_best(t.forward, t0);
        t0 = weir_thread_cpu_ns();
        weir_ntt_inverse(plan, a, scratch, x);
        t.inverse = keep_best(t.inverse, t0);
        t0 = weir_thread_cpu_ns();
        weir_ntt_coset_forward(plan, a, &seven, scratch, x);
        t.coset_forward = keep_best(t.coset_forward, t0);
    }
    for (int round = 0; round < 2; round++) {
        uint64_t t0 = weir_thread_cpu_ns();
        weir_quotient(plan, a, b, tmp, scratch, x);
        t.quotient = keep_best(t.quotient, t0);
    }
    return t;
}

static int time_size(unsigned log2_n, weir_isa isa)
{
    const size_t n = (size_t)1 << log2_n;
    const weir_exec x = {.isa = isa};
    weir_errinfo ei = {0};
    weir_ntt_plan *plan;
    if (weir_ntt_plan_new(&plan, log2_n, &x, &ei) != WEIR_OK) {
        fprintf(stderr, "%s\n", ei.text);
        return 1;
    }
    weir_fr *data = malloc(3 * n * sizeof *data);
    void *scratch = malloc(weir_ntt_scratch_bytes(plan) + 1);
    if (!data || !scratch) return 1;
    for (size_t i = 0; i < 3 * n; i++) fr_from_u64(&data[i], 0x9e3779b97f4a7c15u * (i + 1));
    const timing t = measure(plan, data, data + n, data + 2 * n, scratch, &x);
    const double butterflies = 0.5 * (double)n * (log2_n ? log2_n : 1);
    printf("2^%-2u %-8s  forward %6.2f  inverse %6.2f  coset forward %6.2f ns a butterfly; "
           "quotient %9.3f ms\n",
           log2_n, weir_isa_name(isa), t.forward / butterflies, t.inverse / butterflies,
           t.coset_forward / butterflies, 1e-6 * t.quotient);
    free(data);
    free(scratch);
    weir_ntt_plan_free(plan);
    return 0;
}

int main(int argc, char **argv)
{
    const unsigned from = argc > 1 ? (unsigned)atoi(argv[1]) : 10,
                   to = argc > 2 ? (unsigned)atoi(argv[2]) : 22;
    for (unsigned log2_n = from; log2_n <= to; log2_n += 2)
        if (time_size(log2_n, weir_isa_best())) return 1;
    return 0;
}
