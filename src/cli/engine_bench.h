/* What weir bench engine and weir bench sweep share: the circuit, the devices, and one way of working measured alone and under load. */
#ifndef WEIR_CLI_ENGINE_BENCH_H
#define WEIR_CLI_ENGINE_BENCH_H

#include "api/key_file.h"
#include "bench/engine_load.h"
#include "cli/cli.h"
#include "cli/device.h"
#include "cli/engine_way.h"

enum {
    ENGINE_BENCH_MAX_RUNS = 100,
    ENGINE_BENCH_ALONE = 5,     /* proofs alone */
    ENGINE_BENCH_FAKE_STEPS = 4 /* of the fake device */
};

/* Options of the two commands. */
#define ENGINE_BENCH_OPTS                                                                          \
    {"circuit", "NAME",                                                                            \
     "mixed: half of its columns bits; or porep: the true circuit;\ndefault: mixed", false},       \
        {"log-size", "N", "rows of the mixed circuit, logarithm, 3 to 26; default: 18", false},    \
        {"sector-size", "SIZE", "of the PoRep; default: 2KiB", false},                             \
        {"challenges", "N",                                                                        \
         "of the PoRep, for a smaller circuit: 1 and 2 make domains of\n2^23 and 2^24 of 32GiB",   \
         false},                                                                                   \
        {"partitions", "N", "of each PoRep; default: 1", false},                                   \
        {"device", "NAME",                                                                         \
         "cpu, gpu, gpu:N, or fake: a device of scripted times that makes\n"                       \
         "true proofs from a known key; default: a GPU if there is one",                           \
         false},                                                                                   \
        {"step", "MS", "of the fake device: time of each of its 4 steps; default: 10", false},     \
        {"damage", "PERCENT", "of the fake device's partitions that are bad; default: 0", false},  \
        {"runs", "N", "times each figure is taken, 1 to 100; default: 5", false},                  \
        {"waterfall", "FOLDER", "write a picture of each way of working there", false},            \
        WEIR_OPT_JSON

/* What came of it. Times in ns; counts for each proof under load. */
typedef struct engine_figures {
    unsigned runs;
    double alone[ENGINE_BENCH_MAX_RUNS], loaded[ENGINE_BENCH_MAX_RUNS]; /* a proof; sorted */
    double stage
        [2]
        [WEIR_LOAD_STAGES]; /* of a partition alone, under load: medians over runs of their medians */
    double latency[2];      /* of a job, the same */
    double _runs[2][WEIR_LOAD_STAGES + 1][ENGINE_BENCH_MAX_RUNS];
    double cpu, faults, switches, preempted, tlb; /* tlb below 0: not known */
    double maps, unmaps, threads, gate_waits, gate_wait_ns;
    double
        busy; /* share of a device's time between first and last partition, the least of all devices and runs */
    uint64_t longest_gap_ns;
    uint64_t repaired, damaged;
    uint64_t mapped_bytes; /* by slabs, at the end of a run, most of all runs */
    uint64_t peak_bytes,
        plan_bytes; /* most resident, and what was planned, both beside circuit and key */
    uint64_t
        resident_bytes; /* most resident of the whole process once the key was where it is to be */
    uint64_t open_ns;   /* of opening the sessions: the key goes to the devices, or is made there */
    uint64_t device_bytes;         /* of a device's memory, as planned, most of all devices */
    uint64_t up_bytes, down_bytes; /* to and from a device, of the partition that moved most */
    double energy_j; /* of all GPUs in the runs under load, a proof; below 0: not known */
    /* of the partitions of the last run under load: how many, and least, median, most */
    uint32_t partitions;
    double spread[WEIR_LOAD_STAGES][3];
} engine_figures;

typedef struct engine_bench {
    weir_cli *cli;
    weir_exec x; /* all threads */
    uint32_t cpus;
    bool whole;     /* proofs of whole sectors, from documents */
    bool keeps_key; /* what the key is made of is needed again after a way's last run */
    unsigned alone_jobs;
    uint64_t key_ns; /* of making the key; where a device makes its points, of their exponents */
    weir_bench_circuit circuit;
    weir_key_file key_file; /* in place of a made key */
    weir_cli_device device; /* CPU or GPU */
    bool is_fake, is_gpu;
    weir_topology *topology;
    weir_fake_device fake;
    weir_backend fake_backend;
    unsigned runs;
    const char *folder; /* NULL: no pictures */
    uint64_t seed;      /* of the next job: no two share one */
} engine_bench;

/* Reads the options, builds circuit and key, opens the device, tells what is measured. whole: the circuit is a PoRep with all its
 * partitions, each job begins with a C1 document, and little is run that is not measured. To be closed after an error too. */
weir_err engine_bench_open(engine_bench *b, weir_cli *cli, bool whole) WEIR_MUST_USE;
void engine_bench_close(engine_bench *b);

/* The defaults on this machine. */
void engine_bench_default_way(engine_way *w, const engine_bench *b);

/* b->runs times: b->alone_jobs jobs one after another, half of them before way->jobs jobs under load and half behind. The picture of the last run is written. Errors: those
 * of the jobs. */
weir_err engine_bench_measure(engine_bench *b, const engine_way *way,
                              engine_figures *out) WEIR_MUST_USE;

/* Each of n ways, and the table; where it is stopped or one fails, that of those before it. Errors: as above. */
weir_err engine_bench_measure_all(engine_bench *b, const engine_way *ways, engine_figures *figures,
                                  unsigned n) WEIR_MUST_USE;

/* Critical jobs of a circuit of WinningPoSt's size while so many PoReps (way->concurrency) are in the engine: how long each one waits for
 * a device. *within: how many of them at most WEIR_URGENT_LIMIT_MS. Tells the figures. */
enum { WEIR_URGENT_LIMIT_MS = 500, WEIR_URGENT_LOG2 = 18 };
weir_err engine_bench_urgent(engine_bench *b, const engine_way *way, uint32_t jobs,
                             uint32_t *within) WEIR_MUST_USE;

/* A table of n ways: times, inflation of stages, then counters. */
void engine_bench_print(engine_bench *b, const engine_way *ways, const engine_figures *figures,
                        unsigned n);

/* Four ways: threads for everything, each large buffer unmapped by a thread of its own, no gate; then with one more of the three interventions
 * each. given: all else. */
enum { ENGINE_ABLATION_WAYS = 4 };
void engine_ablation_make(engine_way ways[ENGINE_ABLATION_WAYS], const engine_bench *b,
                          const engine_way *given);
/* Has each switch moved what it is there to move? Else the table says nothing of it. Errors: WEIR_E_USAGE, WEIR_E_INTERNAL. */
weir_err engine_ablation_check(const engine_way *w, const engine_figures *f,
                               weir_errinfo *ei) WEIR_MUST_USE;

double engine_bench_median(const double *sorted, unsigned n);

#endif
