/* weir bench device: what a GPU does, stage by stage. */
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "cli/device.h"
#include "cli/device_bench.h"
#include "cli/values.h"

#include <string.h>

static const weir_opt opts[] = {
    {"kind", "NAME",
     "fields, msm, bits, ntt, quotient or partition; default: the table of\n"
     "all, at the sizes of a 32 GiB sector",
     false},
    {"log-size", "LIST", "logarithms of sizes for that kind, 10 to 28: 20,24 or 20-24", false},
    {"group", "NAME", "of msm and bits, g1 or g2; default: g1", false},
    {"sector-size", "SIZE", "of partition; default: 32GiB", false},
    {"challenges", "N",
     "of partition, for a smaller circuit: 1 and 2 make domains of\n"
     "2^23 and 2^24 of 32 GiB; default: those of the sector size",
     false},
    {"device", "gpu:N", "which GPU, numbered from 0; default: the first", false},
    {"budget-device", "SIZE", "most of its memory that a partition may take; default: what is free",
     false},
    {"runs", "N", "times each figure is taken, 1 to 1000; default: 5", false},
    WEIR_OPT_THREADS,
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

enum { MIN_LOG2 = 10, MAX_LOG2 = 28 };

typedef enum kind { FIELDS, MSM, BITS, NTT, QUOTIENT, PARTITION, KINDS } kind;
static const char *const kind_names[KINDS] = {"fields", "msm",      "bits",
                                              "ntt",    "quotient", "partition"};

typedef struct plan {
    kind what;
    bool g2;
    unsigned sizes[WEIR_BENCH_MAX_SIZES], n;
    unsigned challenges;
} plan;

static weir_err read_kind(kind *out, const char *text, weir_errinfo *ei)
{
    for (int i = 0; i < KINDS; i++) {
        *out = (kind)i;
        if (strcmp(kind_names[i], text) == 0) return WEIR_OK;
    }
    return weir_fail(ei, WEIR_E_USAGE,
                     "--kind: there is no '%s'; take fields, msm, bits, ntt, quotient or partition",
                     text);
}

static weir_err read_options(plan *p, weir_cli *cli)
{
    const weir_args *a = &cli->args;
    const char *what = weir_args_get(a, "kind"), *sizes = weir_args_get(a, "log-size"),
               *group = weir_args_get(a, "group"), *challenges = weir_args_get(a, "challenges");
    uint64_t n = 0;
    if (!what && (sizes || group || challenges || weir_args_has(a, "sector-size")))
        return weir_fail(&cli->ei, WEIR_E_USAGE, "sizes and groups belong to a --kind");
    if (what) WEIR_TRY(read_kind(&p->what, what, &cli->ei));
    if (group && strcmp(group, "g1") != 0 && strcmp(group, "g2") != 0)
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--group: there is no '%s'; take g1 or g2", group);
    p->g2 = group && strcmp(group, "g2") == 0;
    if (challenges) WEIR_TRY(weir_value_u64(&n, "challenges", challenges, 1, 18, &cli->ei));
    p->challenges = (unsigned)n;
    return weir_bench_sizes(p->sizes, &p->n, "log-size", sizes ? sizes : "20", MIN_LOG2, MAX_LOG2,
                            &cli->ei);
}

static weir_err one(weir_device_bench *d, const plan *p, unsigned log2, weir_cli *cli)
{
    weir_errinfo *ei = &cli->ei;
    const weir_registered_porep *registered;
    switch (p->what) {
    case FIELDS:
        return weir_device_bench_fields(d, ei);
    case MSM:
        return weir_device_bench_dense(d, p->g2, log2, ei);
    case BITS:
        return weir_device_bench_bits(d, p->g2, log2, ei);
    case NTT:
        return weir_device_bench_ntt(d, log2, ei);
    case QUOTIENT:
        return weir_device_bench_quotient(d, log2, ei);
    default:
        WEIR_TRY(weir_bench_registered(&registered, cli));
        return weir_device_bench_partition(d, registered, p->challenges, ei);
    }
}

static weir_err rows(weir_bench_run *b, const weir_cli_device *device, const plan *own)
{
    static const plan usual[] = {
        {FIELDS, false, {0}, 1, 0},    {MSM, false, {24, 26, 27}, 3, 0},
        {MSM, true, {22}, 1, 0},       {BITS, false, {24}, 1, 0},
        {NTT, false, {24}, 1, 0},      {QUOTIENT, false, {27}, 1, 0},
        {PARTITION, false, {0}, 1, 0},
    };
    weir_device_bench d;
    const plan *p = own ? own : usual;
    const size_t n = own ? 1 : sizeof usual / sizeof usual[0];
    weir_err err = weir_device_bench_init(&d, b, device, &b->cli->ei);
    for (size_t i = 0; i < n && err == WEIR_OK; i++)
        for (unsigned k = 0; k < p[i].n && err == WEIR_OK; k++)
            err = one(&d, &p[i], p[i].sizes[k], b->cli);
    weir_device_bench_clear(&d);
    return err;
}

static weir_err run(weir_cli *cli)
{
    plan own = {.what = FIELDS};
    weir_cli_device device;
    weir_bench_run b;
    weir_err err;
    WEIR_TRY(read_options(&own, cli));
    WEIR_TRY_GOTO(weir_cli_device_open_gpu(&device, cli));
    WEIR_TRY_GOTO(weir_bench_begin(&b, cli));
    WEIR_TRY_GOTO(rows(&b, &device, weir_args_has(&cli->args, "kind") ? &own : NULL));
    weir_bench_end(&b);
out:
    weir_cli_device_close(&device);
    return err;
}

const weir_command weir_cmd_bench_device = {
    .verb = "bench",
    .noun = "device",
    .summary = "time of a GPU's stages, from the field to a partition",
    .opts = opts,
    .details = "Times are the device's own. Each row is run once and its result compared with the "
               "CPU's, or with a\n"
               "closed form, before it is timed; a wrong result ends the bench. Points are known "
               "multiples of the generator.\n"
               "The partition is a real circuit with a real witness; every run of it is checked. "
               "The whole table takes a\n"
               "few minutes, 75 GiB of device memory and 40 GiB of host memory.\n",
    .examples = "weir bench device\n"
                "weir bench device --kind msm --group g2 --log-size 18-22\n"
                "weir bench device --kind partition --challenges 2 --budget-device 8GiB\n"
                "weir bench device --kind quotient --log-size 27 --runs 10 --json",
    .run = run,
};
