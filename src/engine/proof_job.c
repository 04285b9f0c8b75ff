/* The stages of a job that makes proofs. */
#include "engine/proof_job.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "engine/proof_state.h"
#include "formats/proof_bytes.h"

#include <stdio.h>

typedef struct proof_part {
    weir_witness *w; /* from fill to release */
    weir_sums sums;
    weir_proof proof;
    weir_proof_part_stats stats;
    uint32_t device, bad; /* the last one; bit d: device d gave a proof that does not verify */
} proof_part;

struct weir_proof_job {
    weir_proof_kind *kind;
    weir_proof_source source;
    uint32_t partitions;
    proof_part *part;
    uint8_t *bytes;
};

weir_err weir_proof_job_new(weir_proof_job **out, weir_proof_kind *kind,
                            const weir_proof_source *source, weir_errinfo *ei)
{
    weir_proof_job *j = weir_calloc(1, sizeof *j);
    *out = j;
    if (!j) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a job");
    j->kind = kind;
    j->source = *source;
    return WEIR_OK;
}

void weir_proof_job_free(weir_proof_job *j)
{
    if (!j) return;
    weir_free(j->part);
    weir_free(j->bytes);
    weir_free(j);
}

const uint8_t *weir_proof_job_bytes(const weir_proof_job *j, size_t *n)
{
    *n = (size_t)j->partitions * WEIR_PROOF_BYTES;
    return j->bytes;
}

const weir_proof_part_stats *weir_proof_job_stats(const weir_proof_job *j, uint32_t part)
{
    return &j->part[part].stats;
}

/* ---- stages */

static weir_err parse(void *job, weir_job_plan *out, const weir_exec *x, weir_errinfo *ei)
{
    weir_proof_job *j = job;
    WEIR_TRY(j->source.parse(j->source.ctx, &j->partitions, x, ei));
    j->part = weir_calloc(j->partitions, sizeof *j->part);
    j->bytes = weir_calloc(j->partitions, WEIR_PROOF_BYTES);
    if (!j->part || !j->bytes)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %u proofs", j->partitions);
    *out = (weir_job_plan){.partitions = j->partitions,
                           .devices = j->kind->devices,
                           .aside = j->kind->aside,
                           .group = j->kind->config.group,
                           .part_bytes.host = weir_proof_kind_part_bytes(j->kind)};
    return WEIR_OK;
}

static weir_err fill(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    weir_proof_job *j = job;
    proof_part *p = &j->part[part];
    uint64_t t0 = weir_now_ns();
    WEIR_TRY(weir_witness_new(&p->w, j->kind->config.rel, x->slabs, ei));
    weir_err err = j->source.fill(j->source.ctx, part, p->w, x, ei);
    p->stats.fill_ns = weir_now_ns() - t0;
    return err;
}

/* A device that stands aside has a session for this partition only. */
static weir_err run_aside(weir_proof_kind *k, proof_part *p, uint32_t device, const weir_exec *x,
                          weir_errinfo *ei)
{
    proof_session s;
    WEIR_TRY(proof_session_open(k, &s, device, x, ei));
    weir_err err = k->config.backend[device]->run(s.session, &p->sums, p->w, &p->stats.sums, x, ei);
    proof_session_close(k, &s, device);
    return err;
}

static weir_err run_there(weir_proof_kind *k, proof_part *p, uint32_t device, const weir_exec *x,
                          weir_errinfo *ei)
{
    weir_session *s;
    WEIR_TRY(proof_session_take(k, &s, device, x, ei));
    weir_err err = k->config.backend[device]->run(s, &p->sums, p->w, &p->stats.sums, x, ei);
    proof_session_give(k, device);
    return err;
}

static weir_err device(void *job, uint32_t part, uint32_t device, const weir_exec *x,
                       weir_errinfo *ei)
{
    weir_proof_job *j = job;
    weir_proof_kind *k = j->kind;
    proof_part *p = &j->part[part];
    uint64_t t0 = weir_now_ns();
    p->device = device;
    weir_err err =
        k->aside >> device & 1 ? run_aside(k, p, device, x, ei) : run_there(k, p, device, x, ei);
    p->stats.device_ns = weir_now_ns() - t0;
    return err;
}

static uint32_t cold(void *job)
{
    const weir_proof_job *j = job;
    return weir_proof_kind_cold(j->kind);
}

/* The proof is not valid: is it the input, or the machine or key? */
static weir_err explain(weir_proof_job *j, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    proof_part *p = &j->part[part];
    char text[200] = "";
    uint64_t row = weir_relation_check(p->w, x);
    if (weir_exec_cancelled(x)) return weir_fail(ei, WEIR_E_CANCELLED, "stopped");
    if (row < j->kind->config.rel->rows) {
        if (j->source.describe_row)
            j->source.describe_row(j->source.ctx, row, text, sizeof text);
        else
            snprintf(text, sizeof text, "row %llu", (unsigned long long)row);
        return weir_fail(ei, WEIR_E_UNSATISFIED,
                         "partition %u does not satisfy the circuit, first at %s", part, text);
    }
    p->bad |= (uint32_t)1 << p->device;
    if ((p->bad & (p->bad - 1)) == 0)
        return weir_fail(ei, WEIR_E_BAD_PROOF,
                         "the proof of partition %u that device %u gave does not verify although "
                         "its input satisfies the circuit: the device errs, or the key is damaged",
                         part, p->device);
    return weir_fail(ei, WEIR_E_BAD_PROOF,
                     "the proofs of partition %u do not verify, whichever device they come from, "
                     "although its input satisfies the circuit: the key is damaged or of another "
                     "circuit; check it with 'weir key check'",
                     part);
}

static weir_err blind(weir_proof_job *j, proof_part *p, const weir_exec *x, weir_errinfo *ei)
{
    weir_blinding b;
    if (j->source.test_blinding)
        b = *j->source.test_blinding;
    else
        WEIR_TRY(weir_blinding_fresh(&b, ei));
    weir_proof_assemble(&p->proof, j->kind->config.key->vk, &p->sums, &b, x->isa);
    weir_wipe(&b, sizeof b);
    weir_wipe(&p->sums, sizeof p->sums);
    return WEIR_OK;
}

static weir_err verify(weir_proof_job *j, uint32_t part, bool *valid, const weir_exec *x,
                       weir_errinfo *ei)
{
    size_t n = j->kind->config.rel->inputs - 1;
    weir_fr *inputs = weir_calloc(n + 1, sizeof *inputs);
    if (!inputs) return weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu public inputs", n);
    j->source.inputs(j->source.ctx, part, inputs);
    weir_err err = weir_verify(valid, j->kind->config.pvk, &j->part[part].proof, inputs, n, x, ei);
    weir_free(inputs);
    return err;
}

static weir_err finish(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    weir_proof_job *j = job;
    proof_part *p = &j->part[part];
    uint64_t t0 = weir_now_ns();
    bool valid = false;
    WEIR_TRY(blind(j, p, x, ei));
    WEIR_TRY(verify(j, part, &valid, x, ei));
    p->stats.finish_ns = weir_now_ns() - t0;
    return valid ? WEIR_OK : explain(j, part, x, ei);
}

static weir_err join(void *job, const weir_exec *x, weir_errinfo *ei)
{
    weir_proof_job *j = job;
    (void)ei;
    for (uint32_t i = 0; i < j->partitions; i++)
        weir_proofs_encode(j->bytes + (size_t)i * WEIR_PROOF_BYTES, &j->part[i].proof, 1, x->isa);
    return WEIR_OK;
}

static void release(void *job, uint32_t part)
{
    weir_proof_job *j = job;
    weir_witness_free(j->part[part].w);
    j->part[part].w = NULL;
    weir_wipe(&j->part[part].sums, sizeof j->part[part].sums);
}

static void need(void *job, weir_job_need *out)
{
    weir_proof_job *j = job;
    if (j->source.need) j->source.need(j->source.ctx, out);
    out->part_bytes = weir_proof_kind_part_bytes(j->kind);
}

static void end(void *job)
{
    weir_proof_job *j = job;
    if (j->source.end) j->source.end(j->source.ctx);
}

const weir_job_ops weir_proof_job_ops = {parse,   fill, device, finish, join,
                                         release, need, end,    cold};
