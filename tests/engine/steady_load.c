/* Jobs through one engine, for test_steady to count the system calls of: so many rounds of so many jobs, with a mark for count_calls
 * before each round and behind the last. In the first two, which warm it up, more jobs are in the engine at a time, so that the others find
 * all the memory they need.
 *
 *     steady_load cpu|fake pool|serial|detached LOG2_ROWS ROUNDS JOBS
 *
 * cpu: true proofs on the CPU. fake: the device of scripted times, so that only the engine and its witnesses work. */
#include "bench/engine_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WARM = 2, RESERVE = 512 << 20 };

typedef struct steady {
    weir_bench_circuit circuit;
    weir_fake_device fake;
    weir_backend backend;
    weir_load *load;
    uint32_t rounds, jobs;
    weir_errinfo ei;
} steady;

static weir_err make_circuit(steady *s, bool fake, unsigned log2)
{
    weir_exec x = {.isa = weir_isa_best()};
    weir_err err;
    WEIR_TRY(weir_bench_circuit_mixed(&s->circuit, log2, &s->ei));
    WEIR_TRY(weir_pool_new(&x.pool, 2, &s->ei));
    err = weir_bench_circuit_key(&s->circuit, !fake, &x, &s->ei);
    weir_pool_free(x.pool);
    return err;
}

static void mark(void)
{
    (void)munmap(NULL, 0);
}

static weir_err run(steady *s, bool fake, weir_reclaim reclaim, unsigned log2)
{
    weir_load_result r;
    WEIR_TRY(make_circuit(s, fake, log2));
    s->fake = (weir_fake_device){.vk = &s->circuit.known, .steps = 1, .step_us = 1000, .seed = 1};
    weir_fake_backend_init(&s->backend, &s->fake);
    const weir_load_setup setup = {.ahead = 2,
                                   .circuit = &s->circuit,
                                   .device = {fake ? &s->backend : weir_cpu_backend()},
                                   .budget_bytes = {UINT64_MAX},
                                   .devices = 1,
                                   .fill_workers = 2,
                                   .fill_threads = 1,
                                   .device_threads = 2,
                                   .attempts = 2,
                                   .strikes = 3,
                                   .reclaim = reclaim,
                                   .slabs_reserve = reclaim == WEIR_RECLAIM_POOL ? RESERVE : 0,
                                   .gate_credits = 2,
                                   .isa = weir_isa_best(),
                                   .limit = {.host = UINT64_MAX, .pinned = UINT64_MAX}};
    WEIR_TRY(weir_load_open(&s->load, &setup, &s->ei));
    mark();
    for (uint32_t i = 0; i < s->rounds; i++) {
        weir_err err = weir_load_run(s->load, &r, s->jobs, i < WARM ? 8 : 4, i, NULL, NULL, &s->ei);
        weir_load_result_clear(&r);
        if (err != WEIR_OK) return err;
        mark();
    }
    return WEIR_OK;
}

static int usage(void)
{
    fprintf(stderr, "usage: steady_load cpu|fake pool|serial|detached LOG2_ROWS ROUNDS JOBS\n");
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"pool", "serial", "detached"};
    static steady s;
    int mode = 0;
    if (argc != 6) return usage();
    while (mode < 3 && strcmp(argv[2], modes[mode]) != 0) mode++;
    unsigned log2 = (unsigned)strtoul(argv[3], NULL, 10);
    s.rounds = (uint32_t)strtoul(argv[4], NULL, 10);
    s.jobs = (uint32_t)strtoul(argv[5], NULL, 10);
    if (mode == 3 || s.rounds == 0 || s.jobs == 0 || log2 < WEIR_BENCH_MIXED_MIN_LOG2 ||
        log2 > WEIR_BENCH_MIXED_MAX_LOG2)
        return usage();
    weir_err err = run(&s, strcmp(argv[1], "fake") == 0, (weir_reclaim)mode, log2);
    if (err != WEIR_OK) fprintf(stderr, "steady_load: %s\n", s.ei.text);
    weir_load_close(s.load);
    weir_bench_circuit_clear(&s.circuit);
    return err == WEIR_OK ? 0 : 1;
}
