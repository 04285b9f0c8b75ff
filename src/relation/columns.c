/* Columns summed for key making, in lanes that work side by side.
 *
 * What a repetition adds to columns of its own goes straight to the result. What it adds to the inputs and to the prologue, which all
 * repetitions share, goes to a vector of its lane; the first lane's is the result itself, where inputs and prologue stand in front.
 * There are as many lanes as repetitions, but these vectors take no more memory than the result. */
#include "base/alloc.h"
#include "relation/relation_ops.h"

typedef struct columns_job {
    const weir_relation *rel;
    const weir_relation_ops *ops;
    const weir_fr *weight;
    weir_fr *const *out; /* by matrix */
    weir_fr *shared;     /* of all lanes but the first: by matrix, then by lane */
    uint64_t shared_len, reps, lanes;
} columns_job;

static uint64_t all_reps(const weir_relation *rel)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < rel->segments; k++) n += rel->segment[k].count;
    return n;
}

static weir_fr *shared_of(const columns_job *j, unsigned m, uint64_t lane)
{
    if (lane == 0) return j->out[m];
    return j->shared + (m * (j->lanes - 1) + lane - 1) * j->shared_len;
}

static void one_rep(const columns_job *j, unsigned m, uint64_t rep, weir_fr *shared)
{
    unsigned k = 0;
    while (rep >= j->rel->segment[k].count) rep -= j->rel->segment[k++].count;
    j->ops->columns(j->rel, m, k, rep, j->weight, j->out[m], shared);
}

static void lane_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    const columns_job *j = ctx;
    unsigned m = (unsigned)(task % 3);
    for (uint64_t rep = task / 3; rep < j->reps; rep += j->lanes)
        one_rep(j, m, rep, shared_of(j, m, task / 3));
}

static void join_task(void *ctx, size_t m, unsigned worker)
{
    (void)worker;
    const columns_job *j = ctx;
    for (uint64_t lane = 1; lane < j->lanes; lane++)
        j->ops->add(j->out[m], shared_of(j, (unsigned)m, lane), j->shared_len);
}

weir_err weir_relation_columns(const weir_relation *rel, const weir_fr *weight,
                               weir_fr *const out[3], const weir_exec *x, weir_errinfo *ei)
{
    columns_job j = {.rel = rel,
                     .ops = WEIR_ISA_PICK(x->isa, weir_relation_ops),
                     .weight = weight,
                     .out = out,
                     .shared_len = rel->inputs + rel->segment[0].aux,
                     .reps = all_reps(rel)};
    uint64_t most = (rel->inputs + rel->aux) / j.shared_len;
    j.lanes = j.reps < most ? j.reps : most;
    size_t shared = (size_t)(3 * (j.lanes - 1) * j.shared_len);
    j.shared = weir_calloc(shared, sizeof *j.shared);
    if (!j.shared) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the columns of the key");
    weir_pool_run(x->pool, (size_t)(3 * j.lanes), lane_task, &j);
    weir_pool_run(x->pool, 3, join_task, &j);
    weir_wipe(j.shared, shared * sizeof *j.shared);
    weir_free(j.shared);
    j.ops->add(out[WEIR_A], weight + rel->rows - rel->inputs, rel->inputs);
    return WEIR_OK;
}
