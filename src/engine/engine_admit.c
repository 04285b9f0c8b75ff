/* Memory that a job holds while its partitions come and go: its input. It is reserved as a whole when the job is submitted, or the job
 * is refused, so no stage waits for it. Partitions do wait for theirs; so inputs may take no more than leaves room, once all partitions
 * have ended, for the largest partition of any job that is there. */
#include "engine/engine_state.h"

/* What jobs that have not ended hold, and the largest of their partitions. */
static weir_job_need all_jobs(const weir_engine *e)
{
    weir_job_need all = {0};
    for (const engine_job *j = e->first; j; j = j->next) {
        if (weir_job_has_ended(j->report.state)) continue;
        all.input_bytes += j->need.input_bytes;
        if (j->need.part_bytes > all.part_bytes) all.part_bytes = j->need.part_bytes;
    }
    return all;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static weir_err no_room_now(const weir_engine *e, uint64_t bytes, weir_errinfo *ei)
{
    weir_bytes left;
    weir_budget_left(e->budget, &left);
    return weir_fail(ei, WEIR_E_NOMEM,
                     "there is no room for the %llu bytes that this job's input takes, beside the "
                     "jobs that are there and a partition: of the memory that may be used %llu "
                     "bytes are left; submit it later",
                     (unsigned long long)bytes, (unsigned long long)left.host);
}

weir_err engine_admit(weir_engine *e, engine_job *j, weir_errinfo *ei)
{
    const weir_job_need *need = &j->need, all = all_jobs(e);
    const uint64_t grow = need->scratch_bytes > e->scratch_bytes
                              ? FRONT_WORKERS * (need->scratch_bytes - e->scratch_bytes)
                              : 0;
    const weir_bytes input = {.host = need->input_bytes}, scratch = {.host = grow};
    const weir_bytes alone = {.host = need->input_bytes + grow + need->part_bytes};
    const weir_bytes beside = {.host = all.input_bytes + need->input_bytes + grow +
                                       larger(all.part_bytes, need->part_bytes)};
    if (input.host == 0 && grow == 0) return WEIR_OK;
    WEIR_TRY(weir_budget_fits(e->budget, &alone, "this job's input with one partition", ei));
    if (weir_budget_fits(e->budget, &beside, "all jobs", NULL) != WEIR_OK ||
        !weir_budget_reserve_lasting(e->budget, &scratch))
        return no_room_now(e, input.host + grow, ei);
    if (!weir_budget_reserve(e->budget, &input)) {
        weir_budget_give_back_lasting(e->budget, &scratch);
        return no_room_now(e, input.host, ei);
    }
    e->scratch_bytes += grow / FRONT_WORKERS;
    return WEIR_OK;
}

void engine_give_back_input(weir_engine *e, engine_job *j)
{
    const weir_bytes input = {.host = j->need.input_bytes};
    weir_budget_give_back(e->budget, &input);
    j->need = (weir_job_need){0};
}

void engine_give_back_scratch(weir_engine *e)
{
    const weir_bytes scratch = {.host = FRONT_WORKERS * e->scratch_bytes};
    if (e->budget) weir_budget_give_back_lasting(e->budget, &scratch);
}
