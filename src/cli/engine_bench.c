/* One way of working, measured alone and under load; critical jobs. */
#include "cli/engine_bench.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "bench/engine_urgent.h"
#include "cli/memory.h"
#include "engine/trace_file.h"
#include "engine/trace_picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* GPU_STEPS: more than a GPU's partition has, whose steps are single launches where the domain is large. */
enum {
    GPU_STEPS = 2048,
    OTHER_SPANS = 4,
    MIN_SPANS = 1 << 12,
    MAX_SPANS = 1 << 22,
    GAP_NS = 1000 /* shorter ones are no gaps */
};

double engine_bench_median(const double *sorted, unsigned n)
{
    return n ? (sorted[(n - 1) / 2] + sorted[n / 2]) / 2 : 0;
}

/* ---- measuring one way */

typedef struct run_state {
    engine_bench *b;
    const engine_way *way;
    weir_trace *trace;
    weir_load *load;
    engine_figures *out;
    weir_load_result alone, loaded;
} run_state;

static bool on_progress(void *ctx, uint32_t done, uint32_t of)
{
    run_state *s = ctx;
    weir_progress_update(&s->b->cli->progress, "jobs", done, of);
    return !weir_exec_cancelled(&s->b->x);
}

static uint32_t cpu_terms_of(const engine_way *w)
{
    return (w->g2_cpu ? WEIR_TERMS_G2 : 0) | (w->tails_cpu ? WEIR_TERMS_TAILS : 0);
}

static weir_load_setup setup_of(const run_state *s)
{
    const engine_bench *b = s->b;
    const engine_way *w = s->way;
    uint32_t few = w->msm_threads < 4 ? w->msm_threads : 4;
    bool is_cpu = !b->is_fake && !b->is_gpu;
    weir_load_setup l = {.circuit = &b->circuit,
                         .devices = is_cpu ? w->workers : 1,
                         .fill_workers = is_cpu ? 1 : w->workers,
                         .ahead = is_cpu ? 0 : 2,
                         .fill_threads = w->fill_threads,
                         .device_threads = is_cpu ? w->msm_threads : few,
                         .cpu_terms = cpu_terms_of(w),
                         .cpu_threads = w->msm_threads,
                         .attempts = b->is_fake ? 100 : 2,
                         .strikes = b->is_fake ? 1000 : 3,
                         .check = !b->is_fake,
                         .reclaim = w->reclaim,
                         .gate = w->gate,
                         .gate_credits = b->cpus,
                         .isa = b->x.isa,
                         .limit = {.host = UINT64_MAX, .pinned = UINT64_MAX},
                         .trace = s->trace,
                         .topology = b->topology,
                         .cpu_devices = is_cpu ? UINT32_MAX : 0};
    for (uint32_t d = 0; d < l.devices; d++) {
        l.device[d] = b->is_fake ? &b->fake_backend : b->device.open.backend;
        l.budget_bytes[d] = b->is_fake ? UINT64_MAX : b->device.budget_bytes;
        l.limit.device[d] = UINT64_MAX;
    }
    return l;
}

static uint32_t warm_jobs(const engine_bench *b, const weir_load_setup *setup)
{
    return b->whole ? 1 : 2 * setup->devices + 1;
}

/* All that one lane may come to have in a run: every partition on one device, each with its steps; damaged ones again, with the chance of
 * that. What is not written takes no memory. */
static uint32_t spans_a_lane(const engine_bench *b, const engine_way *way)
{
    const run_state s = {.b = (engine_bench *)(uintptr_t)b, .way = way};
    const weir_load_setup setup = setup_of(&s);
    const uint64_t steps = b->is_gpu ? GPU_STEPS : b->is_fake ? ENGINE_BENCH_FAKE_STEPS : 1;
    const uint64_t parts =
        ((uint64_t)warm_jobs(b, &setup) + b->alone_jobs + way->jobs) * b->circuit.partitions;
    const uint64_t good = b->is_fake ? 1000 - b->fake.damaged_per_mille : 1000;
    const uint64_t spans = parts * (steps + OTHER_SPANS) * 1250 / good;
    return (uint32_t)(spans < MIN_SPANS ? MIN_SPANS : spans > MAX_SPANS ? MAX_SPANS : spans);
}

static weir_err run_jobs(run_state *s, weir_load_result *out, uint32_t jobs, uint32_t concurrency)
{
    uint64_t seed = s->b->seed;
    s->b->seed += jobs;
    return weir_load_run(s->load, out, jobs, concurrency, seed, on_progress, s, &s->b->cli->ei);
}

static void keep_stages(run_state *s, unsigned which, unsigned run, const weir_load_result *r)
{
    double(*to)[ENGINE_BENCH_MAX_RUNS] = s->out->_runs[which];
    for (int i = 0; i < WEIR_LOAD_STAGES; i++)
        to[i][run] = engine_bench_median(r->stage_ns[i], r->partitions);
    to[WEIR_LOAD_STAGES][run] = engine_bench_median(r->job_ns, r->jobs);
}

static void keep_counts(run_state *s, const weir_load_result *r)
{
    engine_figures *o = s->out;
    const double all = (double)r->jobs * s->b->runs;
    o->cpu += (double)r->proc.cpu_ns / all;
    o->faults += (double)r->proc.minor_faults / all;
    o->switches += (double)r->proc.switches / all;
    o->preempted += (double)r->proc.preempted / all;
    o->tlb = r->proc.tlb_shootdowns == WEIR_PROC_UNKNOWN
                 ? -1
                 : o->tlb + (double)r->proc.tlb_shootdowns / all;
    o->maps += (double)r->slabs.maps / all;
    o->unmaps += (double)r->slabs.unmaps / all;
    o->threads += (double)r->slabs.threads / all;
    o->gate_waits += (double)r->gate.waited / all;
    o->gate_wait_ns += (double)r->gate.waited_ns / all;
    if (r->up_bytes > o->up_bytes) o->up_bytes = r->up_bytes;
    if (r->down_bytes > o->down_bytes) o->down_bytes = r->down_bytes;
    o->repaired += r->repaired;
    if (r->slabs.mapped > o->mapped_bytes) o->mapped_bytes = r->slabs.mapped;
}

static weir_err write_file(weir_cli *cli, const char *path, const weir_spans *spans,
                           const weir_trace_sum *sum, const char *title)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for %s", path);
    weir_err err = weir_trace_write_svg(f, spans, sum, title, &cli->ei);
    if (fclose(f) != 0 && err == WEIR_OK)
        err = weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for %s", path);
    if (err == WEIR_OK) err = weir_file_write(path, text, size, &cli->ei);
    free(text); /* open_memstream's */
    return err;
}

/* The picture, and the trace itself for weir trace. */
static weir_err write_picture(run_state *s, const weir_spans *spans, const weir_trace_sum *sum)
{
    weir_cli *cli = s->b->cli;
    char path[600], title[140], name[sizeof s->way->name];
    snprintf(name, sizeof name, "%s", s->way->name);
    for (char *c = name; *c; c++)
        if (strchr(" /:,", *c)) *c = '-';
    snprintf(title, sizeof title, "%s: %u jobs, %u at once", s->way->name, s->way->jobs,
             s->way->concurrency);
    snprintf(path, sizeof path, "%s/%s.svg", s->b->folder, name);
    WEIR_TRY(write_file(cli, path, spans, sum, title));
    snprintf(path, sizeof path, "%s/%s.trace", s->b->folder, name);
    return weir_spans_save(spans, path, &cli->ei);
}

/* From the first partition on a device to the last, of the run under load. */
static weir_trace_view loaded_view(const run_state *s, const weir_spans *spans)
{
    weir_trace_view v = weir_spans_view(spans);
    v.from_ns = s->loaded.end_ns;
    v.to_ns = s->loaded.begin_ns;
    for (uint64_t i = 0; i < spans->n; i++) {
        const weir_span *p = &spans->span[i];
        if (p->kind != WEIR_TRACE_DEVICE || p->begin_ns < s->loaded.begin_ns ||
            p->end_ns > s->loaded.end_ns)
            continue;
        if (p->begin_ns < v.from_ns) v.from_ns = p->begin_ns;
        if (p->end_ns > v.to_ns) v.to_ns = p->end_ns;
    }
    v.origin_ns = v.from_ns;
    return v;
}

static weir_err look_at_trace(run_state *s, bool last)
{
    weir_errinfo *ei = &s->b->cli->ei;
    weir_spans spans;
    weir_trace_sum sum = {.devices = 0};
    WEIR_TRY(weir_trace_read(&spans, s->trace, ei));
    if (spans.lost > 0)
        weir_cli_say(s->b->cli,
                     "the trace has room for a part of so many jobs: %" PRIu64
                     " of its first spans are lost, and busy times are those of the rest",
                     spans.lost);
    const weir_trace_view v = loaded_view(s, &spans);
    weir_err err = v.from_ns < v.to_ns
                       ? weir_trace_sum_make(&sum, &spans, &v, GAP_NS, ei)
                       : weir_fail(ei, WEIR_E_INTERNAL, "the trace has no partition on a device");
    for (uint64_t i = 0; i < sum.gaps; i++) {
        uint64_t gap = sum.gap[i].end_ns - sum.gap[i].begin_ns;
        if (gap > s->out->longest_gap_ns) s->out->longest_gap_ns = gap;
    }
    for (uint32_t d = 0; d < sum.devices; d++) {
        double busy = 1 - (double)sum.device[d].gap_ns / (double)(v.to_ns - v.from_ns);
        if (busy < s->out->busy) s->out->busy = busy;
    }
    if (err == WEIR_OK && last && s->b->folder) err = write_picture(s, &spans, &sum);
    weir_trace_sum_clear(&sum);
    weir_spans_clear(&spans);
    return err;
}

static void keep_memory(run_state *s, uint64_t before)
{
    weir_bytes most;
    uint64_t peak = weir_memory_read().peak_bytes;
    weir_budget_used(weir_engine_budget(weir_load_engine(s->load)), NULL, &most);
    if (peak > s->out->resident_bytes) s->out->resident_bytes = peak;
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES; d++)
        if (most.device[d] > s->out->device_bytes) s->out->device_bytes = most.device[d];
    peak = peak > before ? peak - before : 0;
    if (peak > s->out->peak_bytes) s->out->peak_bytes = peak;
    if (most.host > s->out->plan_bytes) s->out->plan_bytes = most.host;
}

/* Once the key is where it is to be, what it was made of goes, if nothing will be made of it again. */
static void settle_key(run_state *s, unsigned run)
{
    const engine_bench *b = s->b;
    if (!b->circuit.maker || b->keeps_key || run + 1 < b->runs || !b->whole) return;
    weir_bench_circuit_drop_exponents(&s->b->circuit);
}

static void keep_spread(run_state *s)
{
    const weir_load_result *r = &s->loaded;
    s->out->partitions = r->partitions;
    for (int i = 0; i < WEIR_LOAD_STAGES; i++) {
        s->out->spread[i][0] = r->stage_ns[i][0];
        s->out->spread[i][1] = engine_bench_median(r->stage_ns[i], r->partitions);
        s->out->spread[i][2] = r->stage_ns[i][r->partitions - 1];
    }
}

/* Half before the load and half behind it, so that what changes on the machine meanwhile is in both figures. */
static weir_err run_alone(run_state *s, uint32_t jobs)
{
    weir_load_result part;
    if (jobs == 0) return WEIR_OK;
    if (!s->alone.job_ns) return run_jobs(s, &s->alone, jobs, 1);
    weir_err err = run_jobs(s, &part, jobs, 1);
    if (err == WEIR_OK) err = weir_load_result_add(&s->alone, &part, &s->b->cli->ei);
    weir_load_result_clear(&part);
    return err;
}

static weir_err run_loaded(run_state *s)
{
    const engine_bench *b = s->b;
    uint64_t before = 0, after = 0;
    bool known = b->is_gpu && weir_device_energy_mj(&before, &b->device.open);
    WEIR_TRY(run_jobs(s, &s->loaded, s->way->jobs, s->way->concurrency));
    known = known && weir_device_energy_mj(&after, &b->device.open);
    if (!known)
        s->out->energy_j = -1;
    else if (s->out->energy_j >= 0)
        s->out->energy_j += (double)(after - before) / 1e3 / ((double)s->way->jobs * b->runs);
    return WEIR_OK;
}

/* The first jobs, which find nothing warm, are not counted. */
static weir_err one_run(run_state *s, unsigned run)
{
    engine_bench *b = s->b;
    weir_errinfo *ei = &b->cli->ei;
    const weir_load_setup setup = setup_of(s);
    weir_load_result warm = {0};
    uint32_t warm_up = warm_jobs(b, &setup);
    weir_memory_reset_peak();
    uint64_t before = weir_memory_read().now_bytes;
    uint64_t t0 = weir_now_ns();
    WEIR_TRY(weir_load_open(&s->load, &setup, ei));
    s->out->open_ns = weir_now_ns() - t0;
    settle_key(s, run);
    if (b->whole) weir_memory_reset_peak();
    weir_err err = run_jobs(s, &warm, warm_up, warm_up);
    weir_load_result_clear(&warm);
    if (err == WEIR_OK) err = run_alone(s, b->alone_jobs - b->alone_jobs / 2);
    if (err == WEIR_OK) err = run_loaded(s);
    if (err == WEIR_OK) err = run_alone(s, b->alone_jobs / 2);
    if (err == WEIR_OK) keep_memory(s, before);
    weir_load_close(s->load);
    if (err != WEIR_OK) return err;
    s->out->alone[run] = (double)s->alone.wall_ns / s->alone.jobs;
    s->out->loaded[run] = (double)s->loaded.wall_ns / s->loaded.jobs;
    keep_stages(s, 0, run, &s->alone);
    keep_stages(s, 1, run, &s->loaded);
    keep_counts(s, &s->loaded);
    keep_spread(s);
    return look_at_trace(s, run + 1 == b->runs);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void finish_figures(engine_figures *f)
{
    qsort(f->alone, f->runs, sizeof *f->alone, by_value);
    qsort(f->loaded, f->runs, sizeof *f->loaded, by_value);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i <= WEIR_LOAD_STAGES; i++) {
            qsort(f->_runs[k][i], f->runs, sizeof f->_runs[k][i][0], by_value);
            *(i < WEIR_LOAD_STAGES ? &f->stage[k][i] : &f->latency[k]) =
                engine_bench_median(f->_runs[k][i], f->runs);
        }
}

weir_err engine_bench_measure(engine_bench *b, const engine_way *way, engine_figures *out)
{
    weir_cli *cli = b->cli;
    char label[140];
    uint64_t damaged = b->fake.damaged;
    *out = (engine_figures){.runs = b->runs, .busy = 1};
    for (unsigned i = 0; i < b->runs; i++) {
        run_state s = {.b = b, .way = way, .out = out};
        snprintf(label, sizeof label, "%s, run %u of %u", way->name, i + 1, b->runs);
        WEIR_TRY(weir_cli_stage(cli, "measure", label));
        WEIR_TRY(weir_trace_new(&s.trace, spans_a_lane(b, way), &cli->ei));
        weir_err err = one_run(&s, i);
        weir_load_result_clear(&s.alone);
        weir_load_result_clear(&s.loaded);
        weir_trace_free(s.trace);
        if (err != WEIR_OK) return err;
    }
    out->damaged = b->fake.damaged - damaged;
    finish_figures(out);
    return WEIR_OK;
}

weir_err engine_bench_measure_all(engine_bench *b, const engine_way *ways, engine_figures *figures,
                                  unsigned n)
{
    weir_err err = WEIR_OK;
    unsigned done = 0;
    for (; done < n; done++) {
        b->keeps_key = done + 1 < n;
        err = engine_bench_measure(b, &ways[done], &figures[done]);
        if (err != WEIR_OK) break;
    }
    if (err != WEIR_OK && done > 0)
        weir_cli_say(b->cli, "%u of %u ways were measured:", done, n);
    if (done > 0) engine_bench_print(b, ways, figures, done);
    return err;
}

/* ---- critical jobs */

static void tell_urgent(engine_bench *b, const weir_urgent_result *r, uint32_t within)
{
    weir_cli *cli = b->cli;
    double median = engine_bench_median(r->start_ns, r->jobs) / 1e6,
           most = r->start_ns[r->jobs - 1] / 1e6;
    weir_cli_say(cli,
                 "\ncritical jobs: %u of %u on a device within %d ms of their submission: median "
                 "%.1f ms, most %.1f ms; %" PRIu64 " partitions paused, %" PRIu64
                 " other jobs ended meanwhile",
                 within, r->jobs, WEIR_URGENT_LIMIT_MS, median, most, r->pauses, r->load_ended);
    if (!cli->want_json) return;
    weir_json_out_object(&cli->json, "critical");
    weir_json_out_u64(&cli->json, "jobs", r->jobs);
    weir_json_out_u64(&cli->json, "within_500_ms", within);
    weir_json_out_number(&cli->json, "start_ms_median", median);
    weir_json_out_number(&cli->json, "start_ms_most", most);
    weir_json_out_u64(&cli->json, "pauses", r->pauses);
    weir_json_out_end_object(&cli->json);
}

static weir_err urgent_circuit(engine_bench *b, weir_bench_circuit *c)
{
    WEIR_TRY(weir_bench_circuit_mixed(c, b->is_fake ? 4 : WEIR_URGENT_LOG2, &b->cli->ei));
    return weir_bench_circuit_key(c, !b->is_fake, &b->x, &b->cli->ei);
}

weir_err engine_bench_urgent(engine_bench *b, const engine_way *way, uint32_t jobs,
                             uint32_t *within)
{
    weir_cli *cli = b->cli;
    weir_bench_circuit circuit = {.rel = NULL};
    weir_fake_device fake = b->fake;
    weir_backend fake_backend;
    weir_urgent_result r = {.jobs = 0};
    engine_figures unused = {.runs = 0};
    run_state s = {.b = b, .way = way, .out = &unused};
    const weir_load_setup setup = setup_of(&s);
    weir_urgent_setup u = {.circuit = &circuit,
                           .jobs = jobs,
                           .load_jobs = way->concurrency,
                           .pause_ms = 40,
                           .seed = b->seed};
    weir_err err;
    *within = 0;
    WEIR_TRY(weir_cli_stage(cli, "critical jobs", NULL));
    WEIR_TRY_GOTO(urgent_circuit(b, &circuit));
    fake.vk = &circuit.known;
    weir_fake_backend_init(&fake_backend, &fake);
    for (uint32_t d = 0; d < setup.devices; d++) {
        u.device[d] = b->is_fake ? &fake_backend : setup.device[d];
        u.budget_bytes[d] = setup.budget_bytes[d];
    }
    WEIR_TRY_GOTO(weir_load_open(&s.load, &setup, &cli->ei));
    WEIR_TRY_GOTO(weir_urgent_run(s.load, &r, &u, on_progress, &s, &cli->ei));
    while (*within < r.jobs && r.start_ns[*within] <= WEIR_URGENT_LIMIT_MS * 1e6) ++*within;
    tell_urgent(b, &r, *within);
out:
    weir_urgent_result_clear(&r);
    weir_load_close(s.load);
    weir_bench_circuit_clear(&circuit);
    return err;
}
