#include "cli/trace_say.h"

static void moment(weir_json_out *j, const char *key, const weir_trace_sum *sum, uint64_t ns)
{
    weir_json_out_number(j, key, (double)(ns - sum->view.origin_ns) / 1e9);
}

static void seconds(weir_json_out *j, const char *key, uint64_t ns)
{
    weir_json_out_number(j, key, (double)ns / 1e9);
}

static double share(uint64_t ns, const weir_trace_sum *sum)
{
    return (double)ns / (double)(sum->view.to_ns - sum->view.from_ns);
}

static void put_lanes(weir_json_out *j, const weir_spans *s, const weir_trace_sum *sum)
{
    weir_json_out_array(j, "lanes");
    for (uint32_t l = 0; l < s->lanes; l++) {
        weir_json_out_object(j, NULL);
        weir_json_out_string(j, "name", s->lane[l]);
        weir_json_out_u64(j, "spans", sum->lane[l].spans);
        weir_json_out_number(j, "busy", share(sum->lane[l].work_ns, sum));
        seconds(j, "work_s", sum->lane[l].work_ns);
        seconds(j, "wait_s", sum->lane[l].wait_ns);
        weir_json_out_end_object(j);
    }
    weir_json_out_end_array(j);
}

static void put_kinds(weir_json_out *j, const weir_trace_sum *sum)
{
    weir_json_out_array(j, "kinds");
    for (int k = 0; k < WEIR_TRACE_KINDS; k++) {
        if (sum->kind[k].spans == 0) continue;
        weir_json_out_object(j, NULL);
        weir_json_out_string(j, "name", weir_trace_kind_names[k]);
        weir_json_out_bool(j, "waits", weir_trace_is_wait((weir_trace_kind)k));
        weir_json_out_u64(j, "spans", sum->kind[k].spans);
        seconds(j, "own_s", sum->kind[k].ns);
        weir_json_out_end_object(j);
    }
    weir_json_out_end_array(j);
    seconds(j, "idle_s", sum->idle_ns);
}

static void put_devices(weir_json_out *j, const weir_spans *s, const weir_trace_sum *sum)
{
    seconds(j, "least_gap_s", sum->gap_ns);
    weir_json_out_array(j, "devices");
    for (uint32_t i = 0; i < sum->devices; i++) {
        const weir_device_sum *d = &sum->device[i];
        weir_json_out_object(j, NULL);
        weir_json_out_string(j, "lane", s->lane[d->lane]);
        weir_json_out_number(j, "busy", share(d->work_ns, sum));
        weir_json_out_u64(j, "gaps", d->gaps);
        seconds(j, "gaps_s", d->gap_ns);
        if (d->gaps) {
            const weir_trace_gap *g = &sum->gap[d->longest];
            seconds(j, "longest_s", g->end_ns - g->begin_ns);
            moment(j, "longest_begin_s", sum, g->begin_ns);
        }
        weir_json_out_end_object(j);
    }
    weir_json_out_end_array(j);
}

static void put_waits(weir_json_out *j, const weir_spans *s, const weir_trace_sum *sum)
{
    weir_json_out_array(j, "longest_waits");
    for (unsigned i = 0; i < sum->waits; i++) {
        const weir_span *p = sum->wait[i];
        weir_json_out_object(j, NULL);
        weir_json_out_string(j, "kind", weir_trace_kind_names[p->kind]);
        weir_json_out_string(j, "lane", s->lane[p->lane]);
        if (p->job != UINT32_MAX) weir_json_out_u64(j, "job", p->job);
        if (p->part != UINT32_MAX) weir_json_out_u64(j, "partition", p->part);
        moment(j, "begin_s", sum, p->begin_ns);
        seconds(j, "length_s", p->end_ns - p->begin_ns);
        weir_json_out_end_object(j);
    }
    weir_json_out_end_array(j);
}

static void put_jobs(weir_json_out *j, const weir_trace_sum *sum)
{
    weir_json_out_array(j, "jobs");
    for (uint64_t i = 0; i < sum->jobs; i++) {
        const weir_job_sum *job = &sum->job[i];
        weir_json_out_object(j, NULL);
        weir_json_out_u64(j, "job", job->job);
        weir_json_out_u64(j, "partitions", job->partitions);
        moment(j, "begin_s", sum, job->begin_ns);
        moment(j, "end_s", sum, job->end_ns);
        seconds(j, "work_s", job->work_ns);
        seconds(j, "wait_s", job->wait_ns);
        weir_json_out_end_object(j);
    }
    weir_json_out_end_array(j);
}

void weir_trace_json(weir_json_out *j, const weir_spans *s, const weir_trace_sum *sum)
{
    weir_json_out_u64(j, "spans", sum->spans);
    weir_json_out_u64(j, "lost", s->lost);
    moment(j, "from_s", sum, sum->view.from_ns);
    moment(j, "to_s", sum, sum->view.to_ns);
    put_lanes(j, s, sum);
    put_kinds(j, sum);
    put_devices(j, s, sum);
    put_waits(j, s, sum);
    put_jobs(j, sum);
}
