/* Jobs through one engine, for test_steady to count the system calls of: so many rounds of so many jobs, with a mark for count_calls
 * before each round and behind the last. In the first two, which warm it up, more jobs are in the engine at a time, so that the others find
 * all the memory they need.
 *
 *     steady_load cpu|gpu|fake|sample|c1|gpu-c1 pool|serial|detached LOG2_ROWS ROUNDS JOBS
 *
 * cpu, gpu: true proofs on the CPU or the first GPU; without a GPU the exit code is 77. fake: the device of scripted times, so that only the
 * engine and its witnesses work. sample, c1: the same device with PoReps of 2 KiB, each with an input of its own, that is given to the engine
 * or read by it from what Commit Phase 1 writes. gpu-c1: these on the GPU. */
#include "api/device_open.h"
#include "base/alloc.h"
#include "bench/engine_load.h"
#include "formats/c1.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WARM = 2, RESERVE = 512 << 20, SKIPPED = 77 };
static const char *const kinds[] = {"cpu", "gpu", "fake", "sample", "c1", "gpu-c1"};
enum { CPU, GPU, FAKE, SAMPLE, C1, GPU_C1, KINDS };

typedef struct steady {
    weir_bench_circuit circuit;
    weir_fake_device fake;
    weir_backend fake_backend;
    weir_device device;
    const weir_backend *backend;
    weir_load *load;
    uint32_t rounds, jobs;
    weir_errinfo ei;
} steady;

/* Read and not mapped, since maps are counted. */
static weir_err read_back(uint8_t **out, size_t *n, const char *path, size_t bytes,
                          weir_errinfo *ei)
{
    FILE *f = fopen(path, "rb");
    *out = weir_malloc(bytes, 1);
    *n = f && *out ? fread(*out, 1, bytes, f) : 0;
    if (f) fclose(f);
    return *n == bytes ? WEIR_OK : weir_fail(ei, WEIR_E_IO, "%s cannot be read back", path);
}

/* As a client sends it: wrapped, so that it is decoded first. */
static weir_err write_c1(uint8_t **out, size_t *n, const weir_porep_input *in, weir_errinfo *ei)
{
    char path[] = "steady_c1_XXXXXX";
    weir_outfile file;
    const weir_c1_info info = {.sector_number = 1};
    int fd = mkstemp(path);
    if (fd < 0) return weir_fail(ei, WEIR_E_IO, "no file for a document");
    close(fd);
    weir_err err = weir_outfile_open(&file, path, ei);
    if (err == WEIR_OK) err = weir_c1_write_json(&file, in, WEIR_C1_OUTER, &info, ei);
    if (err == WEIR_OK) err = weir_outfile_commit(&file, ei);
    if (err == WEIR_OK) err = read_back(out, n, path, file.written_bytes, ei);
    unlink(path);
    return err;
}

static bool is_gpu(int kind)
{
    return kind == GPU || kind == GPU_C1;
}

static weir_err open_device(steady *s, int kind)
{
    const weir_exec x = {.isa = weir_isa_best()};
    s->fake = (weir_fake_device){.vk = &s->circuit.known, .steps = 1, .step_us = 1000, .seed = 1};
    weir_fake_backend_init(&s->fake_backend, &s->fake);
    s->backend = &s->fake_backend;
    if (is_gpu(kind)) WEIR_TRY(weir_device_use_gpu(&s->device, 0, "gpu", &x, &s->ei));
    if (is_gpu(kind)) s->backend = s->device.backend;
    if (kind == CPU) s->backend = weir_cpu_backend();
    return WEIR_OK;
}

static weir_err make_circuit(steady *s, int kind, unsigned log2)
{
    weir_exec x = {.isa = weir_isa_best()};
    weir_err err;
    if (kind < SAMPLE)
        WEIR_TRY(weir_bench_circuit_mixed(&s->circuit, log2, &s->ei));
    else
        WEIR_TRY(weir_bench_circuit_porep(
            &s->circuit, weir_registered_porep_by_name("StackedDrg2KiBV1_1"), 0, 1, &s->ei));
    if (kind >= C1) s->circuit.document = write_c1;
    WEIR_TRY(weir_pool_new(&x.pool, 2, &s->ei));
    err = is_gpu(kind) ? weir_bench_circuit_exponents(&s->circuit, &x, &s->ei)
                       : weir_bench_circuit_key(&s->circuit, kind == CPU, &x, &s->ei);
    weir_pool_free(x.pool);
    return err;
}

static void mark(void)
{
    (void)munmap(NULL, 0);
}

static weir_err run(steady *s, int kind, weir_reclaim reclaim, unsigned log2)
{
    weir_load_result r;
    WEIR_TRY(make_circuit(s, kind, log2));
    WEIR_TRY(open_device(s, kind));
    const weir_load_setup setup = {
        .ahead = 2,
        .circuit = &s->circuit,
        .device = {s->backend},
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
        .limit = {.host = UINT64_MAX, .pinned = UINT64_MAX, .device = {UINT64_MAX}}};
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
    fprintf(stderr,
            "usage: steady_load cpu|gpu|fake|sample|c1|gpu-c1 pool|serial|detached LOG2_ROWS "
            "ROUNDS JOBS\n");
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"pool", "serial", "detached"};
    static steady s;
    int mode = 0, kind = 0;
    if (argc != 6) return usage();
    while (kind < KINDS && strcmp(argv[1], kinds[kind]) != 0) kind++;
    while (mode < 3 && strcmp(argv[2], modes[mode]) != 0) mode++;
    unsigned log2 = (unsigned)strtoul(argv[3], NULL, 10);
    s.rounds = (uint32_t)strtoul(argv[4], NULL, 10);
    s.jobs = (uint32_t)strtoul(argv[5], NULL, 10);
    if (mode == 3 || kind == KINDS || s.rounds == 0 || s.jobs == 0 ||
        log2 < WEIR_BENCH_MIXED_MIN_LOG2 || log2 > WEIR_BENCH_MIXED_MAX_LOG2)
        return usage();
    if (is_gpu(kind) && weir_device_gpus(&s.ei) == 0) return SKIPPED;
    weir_err err = run(&s, kind, (weir_reclaim)mode, log2);
    if (err != WEIR_OK) fprintf(stderr, "steady_load: %s\n", s.ei.text);
    weir_load_close(s.load);
    weir_device_close(&s.device);
    weir_bench_circuit_clear(&s.circuit);
    return err == WEIR_OK ? 0 : 1;
}
