/* The reference backend: everything on the threads of the pool, stage after stage, so that the stages' memory need
 * not stand side by side. Order: rows and transforms; h, which then leaves; l, a, b in G1 and in G2. */
#include "base/alloc.h"
#include "base/clock.h"
#include "compute/cpu_stages.h"
#include "field/types.h"

struct weir_session {
    const weir_relation *rel;
    const weir_key_points *key;
    uint32_t terms;
    weir_ntt_plan *plan; /* NULL: no h */
};

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* *plan: what stays; *stage: the larger of the quotient and h's sum. */
static weir_err h_need(uint64_t *plan, uint64_t *stage, const weir_relation *rel,
                       const weir_exec *x, weir_errinfo *ei)
{
    uint64_t quotient = weir_cpu_quotient_bytes(rel, x);
    if (quotient == UINT64_MAX)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory to plan a proof on the CPU");
    *plan = weir_ntt_plan_bytes(rel->domain_log2);
    *stage = max_u64(quotient, weir_cpu_sum_h_bytes(rel, WEIR_CPU_H_POINTS, x));
    return WEIR_OK;
}

static weir_err cpu_need(weir_need *out, const weir_relation *rel, uint32_t terms,
                         const weir_exec *x, weir_errinfo *ei)
{
    uint64_t plan = 0, stage = 0;
    *out = (weir_need){.plan = "cpu"};
    if (terms & ~WEIR_TERMS_ALL)
        return weir_fail(ei, WEIR_E_USAGE, "terms %#x: there are none beyond %#x", (unsigned)terms,
                         (unsigned)WEIR_TERMS_ALL);
    if (terms & WEIR_TERM_H) WEIR_TRY(h_need(&plan, &stage, rel, x, ei));
    stage = max_u64(stage, weir_cpu_sections_bytes(rel, terms, x));
    out->host_bytes = out->device_bytes =
        sizeof(weir_session) + weir_key_reader_bytes(x) + plan + stage;
    return WEIR_OK;
}

static weir_err cpu_bytes(const weir_backend *b, weir_need *out, const weir_relation *rel,
                          uint32_t terms, uint64_t budget_bytes, const weir_exec *x,
                          weir_errinfo *ei)
{
    (void)b;
    WEIR_TRY(cpu_need(out, rel, terms, x, ei));
    if (out->host_bytes <= budget_bytes) return WEIR_OK;
    return weir_fail(ei, WEIR_E_NOMEM,
                     "a proof of this circuit takes %llu bytes on the CPU, the budget is %llu",
                     (unsigned long long)out->host_bytes, (unsigned long long)budget_bytes);
}

static weir_err cpu_can(const weir_backend *b, const weir_relation *rel, const weir_key_points *key,
                        uint32_t terms, uint64_t budget_bytes, const weir_exec *x, weir_errinfo *ei)
{
    weir_need need;
    WEIR_TRY(weir_key_points_fit(key, rel, ei));
    return cpu_bytes(b, &need, rel, terms, budget_bytes, x, ei);
}

static void cpu_end(weir_session *session)
{
    if (!session) return;
    weir_ntt_plan_free(session->plan);
    weir_free(session);
}

static weir_err cpu_begin(const weir_backend *b, weir_session **out, const weir_relation *rel,
                          const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                          const weir_exec *x, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    *out = NULL;
    WEIR_TRY(cpu_can(b, rel, key, terms, budget_bytes, x, ei));
    weir_session *session = weir_calloc(1, sizeof *session);
    if (!session) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a session on the CPU");
    session->rel = rel;
    session->key = key;
    session->terms = terms;
    if (terms & WEIR_TERM_H) err = weir_ntt_plan_new(&session->plan, rel->domain_log2, x, ei);
    if (err == WEIR_OK)
        *out = session;
    else
        cpu_end(session);
    return err;
}

static weir_err run_h(weir_sums *out, weir_session *s, weir_key_reader *reader,
                      const weir_witness *w, weir_sums_stats *stats, weir_errinfo *ei)
{
    size_t n = (size_t)1 << s->rel->domain_log2;
    weir_h_buffer h;
    WEIR_TRY(weir_cpu_quotient(&h, s->plan, w, stats, reader->x, ei));
    uint64_t t0 = weir_now_ns();
    weir_err err = weir_cpu_sum_h(&out->h, reader, h.scalar, WEIR_CPU_H_POINTS, ei);
    stats->h_ns = weir_now_ns() - t0;
    weir_wipe(h.fr, n * sizeof *h.fr);
    weir_slab_give(reader->x->slabs, h.fr, n, sizeof *h.fr);
    return err;
}

static void count_points(weir_sums_stats *stats, const weir_cpu_query *q, unsigned parts)
{
    if (parts & WEIR_CPU_DENSE) stats->dense_points += q->dense;
    if (parts & WEIR_CPU_BITS) stats->bit_points += q->len - q->dense;
}

/* l or a: one section. */
static weir_err run_one(weir_g1 *out, weir_key_reader *reader, weir_key_section section,
                        unsigned parts, const weir_witness *w, weir_query query, uint64_t *ns,
                        weir_sums_stats *stats, weir_errinfo *ei)
{
    weir_cpu_query q;
    uint64_t t0 = weir_now_ns();
    if (!parts) return WEIR_OK;
    WEIR_TRY(weir_cpu_query_init(&q, w, query, reader->x, ei));
    weir_err err = weir_cpu_sum_g1(out, reader, section, &q, parts, ei);
    count_points(stats, &q, parts);
    weir_cpu_query_clear(&q, reader->x);
    *ns = weir_now_ns() - t0;
    return err;
}

/* b: the same values in both groups. */
static weir_err run_b(weir_sums *out, weir_key_reader *reader, uint32_t terms,
                      const weir_witness *w, weir_sums_stats *stats, weir_errinfo *ei)
{
    unsigned parts1 = weir_cpu_parts_of(terms, WEIR_TERM_B1_BITS, WEIR_TERM_B1_DENSE);
    unsigned parts2 = weir_cpu_parts_of(terms, WEIR_TERM_B2_BITS, WEIR_TERM_B2_DENSE);
    weir_cpu_query q;
    weir_err err = WEIR_OK;
    uint64_t t0 = weir_now_ns(), t1 = t0;
    if (!parts1 && !parts2) return WEIR_OK;
    WEIR_TRY(weir_cpu_query_init(&q, w, WEIR_QUERY_B, reader->x, ei));
    if (parts1) {
        err = weir_cpu_sum_g1(&out->b1, reader, WEIR_KEY_B_G1, &q, parts1, ei);
        t1 = weir_now_ns();
    }
    if (err == WEIR_OK && parts2)
        err = weir_cpu_sum_g2(&out->b2, reader, WEIR_KEY_B_G2, &q, parts2, ei);
    count_points(stats, &q, parts1);
    count_points(stats, &q, parts2);
    weir_cpu_query_clear(&q, reader->x);
    stats->b1_ns = t1 - t0;
    stats->b2_ns = parts2 ? weir_now_ns() - t1 : 0;
    return err;
}

static weir_err run_all(weir_session *s, weir_sums *out, weir_key_reader *reader,
                        const weir_witness *w, weir_sums_stats *t, weir_errinfo *ei)
{
    unsigned l = weir_cpu_parts_of(s->terms, WEIR_TERM_L_BITS, WEIR_TERM_L_DENSE);
    unsigned a = weir_cpu_parts_of(s->terms, WEIR_TERM_A_BITS, WEIR_TERM_A_DENSE);
    if (s->terms & WEIR_TERM_H) WEIR_TRY(run_h(out, s, reader, w, t, ei));
    WEIR_TRY(run_one(&out->l, reader, WEIR_KEY_L, l, w, WEIR_QUERY_L, &t->l_ns, t, ei));
    WEIR_TRY(run_one(&out->a, reader, WEIR_KEY_A, a, w, WEIR_QUERY_A, &t->a_ns, t, ei));
    return run_b(out, reader, s->terms, w, t, ei);
}

static weir_err cpu_run(weir_session *session, weir_sums *out, const weir_witness *w,
                        weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    weir_sums_stats t = {0};
    weir_key_reader reader;
    *out = (weir_sums){0};
    if (w->rel != session->rel)
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "the witness belongs to another circuit than the session");
    WEIR_TRY(weir_key_reader_init(&reader, session->key, x, ei));
    weir_err err = run_all(session, out, &reader, w, &t, ei);
    if (err == WEIR_OK && stats) *stats = t;
    weir_key_reader_clear(&reader);
    return err;
}

weir_err weir_backend_clip(const weir_backend *b, uint64_t *budget_bytes, weir_errinfo *ei)
{
    uint64_t free_bytes;
    if (!b->free_bytes) return WEIR_OK;
    WEIR_TRY(b->free_bytes(b, &free_bytes, ei));
    if (free_bytes < *budget_bytes) *budget_bytes = free_bytes;
    return WEIR_OK;
}

const weir_backend *weir_cpu_backend(void)
{
    static const weir_backend cpu = {.name = "cpu",
                                     .can = cpu_can,
                                     .bytes = cpu_bytes,
                                     .begin = cpu_begin,
                                     .run = cpu_run,
                                     .end = cpu_end};
    return &cpu;
}
