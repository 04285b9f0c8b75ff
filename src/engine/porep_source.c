#include "engine/porep_source.h"

#include "base/alloc.h"
#include "circuit/porep_rows.h"
#include "formats/c1.h"

struct weir_porep_source {
    weir_porep_request request;
    weir_porep_input *in;
};

weir_err weir_porep_source_new(weir_porep_source **out, const weir_porep_request *request,
                               weir_errinfo *ei)
{
    weir_porep_source *s = weir_calloc(1, sizeof *s);
    *out = s;
    if (!s) {
        weir_porep_input_free(request->input);
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a PoRep");
    }
    s->request = *request;
    s->in = request->input;
    return WEIR_OK;
}

void weir_porep_source_free(weir_porep_source *s)
{
    if (!s) return;
    weir_porep_input_free(s->in);
    weir_free(s);
}

static weir_c1_opts opts_of(const weir_porep_source *s, weir_slabs *scratch)
{
    const weir_porep_request *r = &s->request;
    return (weir_c1_opts){.shape = r->shape,
                          .partitions = r->partitions,
                          .challenges = r->challenges,
                          .slabs = r->slabs,
                          .scratch = scratch};
}

static void need(void *ctx, weir_job_need *out)
{
    const weir_porep_source *s = ctx;
    weir_c1_need c1;
    if (s->in) {
        out->input_bytes =
            weir_porep_input_bytes(s->in->shape, s->in->partitions, s->in->challenges);
        return;
    }
    const weir_c1_opts opts = opts_of(s, NULL);
    weir_c1_most(&c1, s->request.c1, s->request.c1_bytes, &opts);
    out->input_bytes = c1.input_bytes;
    out->scratch_bytes = c1.scratch_bytes;
}

/* One that was given stays until the source is freed. */
static void end(void *ctx)
{
    weir_porep_source *s = ctx;
    if (s->request.input) return;
    weir_porep_input_free(s->in);
    s->in = NULL;
}

static weir_err parse(void *ctx, uint32_t *partitions, const weir_exec *x, weir_errinfo *ei)
{
    weir_porep_source *s = ctx;
    const weir_porep_request *r = &s->request;
    if (!s->in) {
        const weir_c1_opts opts = opts_of(s, x->slabs);
        WEIR_TRY(weir_c1_read(&s->in, r->c1, r->c1_bytes, &opts, ei));
    }
    WEIR_TRY(weir_porep_input_check(s->in, ei));
    weir_err err = weir_porep_native_check(s->in, x, ei);
    if (err == WEIR_E_MISMATCH) {
        weir_errinfo_prefix(ei, "no proof can come of this Commit Phase 1 output: ");
        return WEIR_E_UNSATISFIED;
    }
    *partitions = s->in->partitions;
    return err;
}

static weir_err fill(void *ctx, uint32_t part, weir_witness *w, const weir_exec *x,
                     weir_errinfo *ei)
{
    weir_porep_source *s = ctx;
    weir_fill_stats stats;
    return weir_porep_fill(w, s->request.filler, s->in, part, &stats, x, ei);
}

static void inputs(void *ctx, uint32_t part, weir_fr *out)
{
    const weir_porep_source *s = ctx;
    weir_porep_stated_inputs(out, s->in, part);
}

static void describe_row(void *ctx, uint64_t row, char *text, size_t size)
{
    const weir_porep_source *s = ctx;
    weir_porep_row_describe(text, size, s->request.rel, s->request.shape, row);
}

weir_proof_source weir_porep_source_table(weir_porep_source *s)
{
    return (weir_proof_source){.ctx = s,
                               .parse = parse,
                               .fill = fill,
                               .inputs = inputs,
                               .describe_row = describe_row,
                               .need = need,
                               .end = end};
}
