#include "compute/key_reader.h"

#include "base/alloc.h"

#include <string.h>

/* Points one task decodes: 400 KB of file in G1, about half a millisecond. */
enum { READ_POINTS = 4096 };
/* Tasks of a thread between two looks at the gate: some 10 ms. */
enum { READ_TASKS = 16 };

typedef struct read_job {
    weir_key_reader *reader;
    weir_key_section section;
    const uint32_t *point; /* the n points; NULL: those from `first` on */
    uint64_t first;
    size_t n;
    weir_g1_affine *g1; /* one of the three is set */
    weir_g2_affine *g2;
    unsigned char *array; /* the points of one of these, in blocks */
    weir_key_array which;
} read_job;

weir_err weir_key_reader_init(weir_key_reader *r, const weir_key_points *key, const weir_exec *x,
                              weir_errinfo *ei)
{
    *r = (weir_key_reader){.key = key, .x = x};
    r->_faults = weir_calloc(weir_pool_threads(x->pool), sizeof *r->_faults);
    if (!r->_faults) return weir_fail(ei, WEIR_E_NOMEM, "no memory to read the key");
    return WEIR_OK;
}

void weir_key_reader_clear(weir_key_reader *r)
{
    weir_free(r->_faults);
    r->_faults = NULL;
}

uint64_t weir_key_reader_bytes(const weir_exec *x)
{
    return (uint64_t)weir_pool_threads(x->pool) * sizeof(weir_fault);
}

static weir_err read_run(const read_job *job, uint64_t first, size_t n, size_t to, weir_errinfo *ei)
{
    const weir_key_points *key = job->reader->key;
    weir_isa isa = job->reader->x->isa;
    return job->g1 ? key->read_g1(key->ctx, job->section, first, n, job->g1 + to, isa, ei)
                   : key->read_g2(key->ctx, job->section, first, n, job->g2 + to, isa, ei);
}

/* Points lo .. lo + n - 1 of a list, run by run. */
static weir_err read_picked(const read_job *job, size_t lo, size_t n, weir_errinfo *ei)
{
    const uint32_t *point = job->point + lo;
    for (size_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && point[i + run] == point[i] + run;) run++;
        WEIR_TRY(read_run(job, point[i], run, lo + i, ei));
    }
    return WEIR_OK;
}

static size_t task_points(const read_job *job)
{
    return job->array ? WEIR_KEY_BLOCK_POINTS : READ_POINTS;
}

static weir_err read_block(const read_job *job, size_t lo, size_t n, weir_errinfo *ei)
{
    const weir_key_points *key = job->reader->key;
    size_t each = weir_key_array_point_bytes(job->which);
    return key->read_array(key->ctx, job->which, job->first + lo, n, job->array + lo * each, ei);
}

static weir_err read_part(const read_job *job, size_t lo, size_t n, weir_errinfo *ei)
{
    if (job->array) return read_block(job, lo, n, ei);
    if (job->point) return read_picked(job, lo, n, ei);
    return read_run(job, job->first + lo, n, lo, ei);
}

static void read_task(void *ctx, size_t task, unsigned worker)
{
    const read_job *job = ctx;
    weir_fault *fault = &job->reader->_faults[worker];
    if (fault->err != WEIR_OK || weir_exec_cancelled(job->reader->x)) return;
    size_t most = task_points(job), lo = task * most;
    fault->err = read_part(job, lo, job->n - lo < most ? job->n - lo : most, &fault->info);
    fault->task = task;
}

static weir_err read_points(read_job *job, weir_errinfo *ei)
{
    weir_key_reader *r = job->reader;
    unsigned threads = weir_pool_threads(r->x->pool);
    memset(r->_faults, 0, threads * sizeof *r->_faults);
    weir_exec_run(r->x, (job->n + task_points(job) - 1) / task_points(job), READ_TASKS, read_task,
                  job);
    WEIR_TRY(weir_fault_first(r->_faults, threads, ei));
    if (weir_exec_cancelled(r->x))
        return weir_fail(ei, WEIR_E_CANCELLED, "cancelled while the key was being read");
    return WEIR_OK;
}

weir_err weir_key_reader_g1(weir_key_reader *r, weir_key_section section, uint64_t first, size_t n,
                            weir_g1_affine *out, weir_errinfo *ei)
{
    read_job job = {.reader = r, .section = section, .first = first, .n = n, .g1 = out};
    return read_points(&job, ei);
}

weir_err weir_key_reader_g2(weir_key_reader *r, weir_key_section section, uint64_t first, size_t n,
                            weir_g2_affine *out, weir_errinfo *ei)
{
    read_job job = {.reader = r, .section = section, .first = first, .n = n, .g2 = out};
    return read_points(&job, ei);
}

weir_err weir_key_reader_picked_g1(weir_key_reader *r, weir_key_section section,
                                   const uint32_t *point, size_t n, weir_g1_affine *out,
                                   weir_errinfo *ei)
{
    read_job job = {.reader = r, .section = section, .point = point, .n = n, .g1 = out};
    return read_points(&job, ei);
}

weir_err weir_key_reader_picked_g2(weir_key_reader *r, weir_key_section section,
                                   const uint32_t *point, size_t n, weir_g2_affine *out,
                                   weir_errinfo *ei)
{
    read_job job = {.reader = r, .section = section, .point = point, .n = n, .g2 = out};
    return read_points(&job, ei);
}

weir_err weir_key_reader_array(weir_key_reader *r, weir_key_array array, uint64_t first, size_t n,
                               void *out, weir_errinfo *ei)
{
    read_job job = {.reader = r, .first = first, .n = n, .array = out, .which = array};
    return read_points(&job, ei);
}
