#include "base/alloc.h"
#include "compute/cpu_stages.h"
#include "curve/curve.h"
#include "msm/msm.h"

enum {
    /* Points of a piece for each thread: two tasks of a sum over bits, so that no thread waits long for the last. */
    PIECE_POINTS_A_THREAD = 1 << 17,
    PIECE_POINTS_MAX = 1 << 22
};

static size_t min_size(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

/* ---- h */

static weir_err sum_h_pieces(weir_g1 *out, weir_key_reader *reader, const weir_scalar *h,
                             size_t piece, weir_g1_affine *points, weir_errinfo *ei)
{
    const weir_exec *x = reader->x;
    uint64_t count = reader->key->count[WEIR_KEY_H];
    *out = (weir_g1){0};
    for (uint64_t first = 0; first < count; first += piece) {
        size_t n = min_size(count - first, piece);
        weir_g1 part;
        WEIR_TRY(weir_key_reader_g1(reader, WEIR_KEY_H, first, n, points, ei));
        WEIR_TRY(weir_msm_g1(&part, points, h + first, n, x, ei));
        weir_curve_ops_get(x->isa)->g1_add(out, out, &part);
        weir_exec_progress(x, weir_key_section_names[WEIR_KEY_H], first + n, count);
    }
    return WEIR_OK;
}

weir_err weir_cpu_sum_h(weir_g1 *out, weir_key_reader *reader, const weir_scalar *h, size_t piece,
                        weir_errinfo *ei)
{
    const weir_exec *x = reader->x;
    size_t n = min_size(reader->key->count[WEIR_KEY_H], piece);
    weir_g1_affine *points = weir_slab_take(x->slabs, n, sizeof *points);
    if (!points)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu points of the key's section h", n);
    weir_err err = sum_h_pieces(out, reader, h, piece, points, ei);
    weir_slab_give(x->slabs, points, n, sizeof *points);
    return err;
}

uint64_t weir_cpu_sum_h_bytes(const weir_relation *rel, size_t piece, const weir_exec *x)
{
    uint64_t n = (uint64_t)1 << rel->domain_log2;
    size_t m = min_size(n - 1, piece);
    return n * sizeof(weir_scalar) + m * sizeof(weir_g1_affine) + weir_msm_g1_scratch_bytes(m, x);
}

/* ---- queries */

weir_err weir_cpu_query_init(weir_cpu_query *q, const weir_witness *w, weir_query query,
                             const weir_exec *x, weir_errinfo *ei)
{
    *q = (weir_cpu_query){.len = weir_query_len(w->rel, query)};
    q->_words = (q->len + 63) / 64;
    q->_dense_cap = w->rel->inputs + w->rel->dense;
    q->bits = weir_slab_take(x->slabs, q->_words, sizeof *q->bits);
    q->dense_point = weir_slab_take(x->slabs, q->_dense_cap, sizeof *q->dense_point);
    q->dense_value = weir_slab_take(x->slabs, q->_dense_cap, sizeof *q->dense_value);
    if (!q->bits || !q->dense_point || !q->dense_value) {
        weir_cpu_query_clear(q, x);
        return weir_fail(ei, WEIR_E_NOMEM,
                         "no memory for the witness in the order of the key's points");
    }
    weir_query_gather(w, query, q->bits, q->dense_point, q->dense_value, &q->dense, x->isa);
    return WEIR_OK;
}

void weir_cpu_query_clear(weir_cpu_query *q, const weir_exec *x)
{
    if (q->bits) weir_wipe(q->bits, q->_words * sizeof *q->bits);
    if (q->dense_value) weir_wipe(q->dense_value, q->dense * sizeof *q->dense_value);
    weir_slab_give(x->slabs, q->bits, q->_words, sizeof *q->bits);
    weir_slab_give(x->slabs, q->dense_point, q->_dense_cap, sizeof *q->dense_point);
    weir_slab_give(x->slabs, q->dense_value, q->_dense_cap, sizeof *q->dense_value);
    *q = (weir_cpu_query){0};
}

/* ---- sums over a section; a multiple of 64, so that pieces start at whole words of bits */

static size_t piece_points(uint64_t len, const weir_exec *x)
{
    uint64_t piece = (uint64_t)PIECE_POINTS_A_THREAD * weir_pool_threads(x->pool);
    if (piece > PIECE_POINTS_MAX) piece = PIECE_POINTS_MAX;
    uint64_t whole = (len + 63) / 64 * 64;
    return (size_t)(whole < piece ? whole : piece);
}

/* In G2 a sum takes the most time for what it reads, and everybody waits for it: it has the memory to itself. */
static weir_err dense_sum_g1(weir_g1 *out, const weir_g1_affine *points, const weir_scalar *values,
                             size_t n, const weir_exec *x, weir_errinfo *ei)
{
    return weir_msm_g1(out, points, values, n, x, ei);
}

static weir_err dense_sum_g2(weir_g2 *out, const weir_g2_affine *points, const weir_scalar *values,
                             size_t n, const weir_exec *x, weir_errinfo *ei)
{
    weir_exec inside;
    weir_exec_gate_close(x, &inside);
    weir_err err = weir_msm_g2(out, points, values, n, &inside, ei);
    weir_exec_gate_open(x);
    return err;
}

#define S_(name)   name##_g1
#define S_AFFINE   weir_g1_affine
#define S_JACOBIAN weir_g1
#define S_ADD      g1_add
#include "compute/cpu_sum.inc.h"

#define S_(name)   name##_g2
#define S_AFFINE   weir_g2_affine
#define S_JACOBIAN weir_g2
#define S_ADD      g2_add
#include "compute/cpu_sum.inc.h"

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* What the parts of one section take, in G1 or G2. */
static uint64_t section_bytes(const weir_relation *rel, weir_query query, bool g2, unsigned parts,
                              const weir_exec *x)
{
    uint64_t len = weir_query_len(rel, query), cap = rel->inputs + rel->dense;
    uint64_t points = 0, scratch = 0;
    if (!parts) return 0;
    if (parts & WEIR_CPU_BITS) {
        points += piece_points(len, x);
        scratch = g2 ? weir_sum_bits_g2_scratch_bytes(x) : weir_sum_bits_g1_scratch_bytes(x);
    }
    if (parts & WEIR_CPU_DENSE) {
        points += cap;
        scratch = most_of(scratch, g2 ? weir_msm_g2_scratch_bytes(cap, x)
                                      : weir_msm_g1_scratch_bytes(cap, x));
    }
    return points * (g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine)) + scratch +
           (len + 63) / 64 * sizeof(uint64_t) + cap * (sizeof(uint32_t) + sizeof(weir_scalar));
}

uint64_t weir_cpu_sections_bytes(const weir_relation *rel, uint32_t terms, const weir_exec *x)
{
    static const struct {
        weir_query query;
        bool g2;
        weir_term bits, dense;
    } sections[4] = {{WEIR_QUERY_L, false, WEIR_TERM_L_BITS, WEIR_TERM_L_DENSE},
                     {WEIR_QUERY_A, false, WEIR_TERM_A_BITS, WEIR_TERM_A_DENSE},
                     {WEIR_QUERY_B, false, WEIR_TERM_B1_BITS, WEIR_TERM_B1_DENSE},
                     {WEIR_QUERY_B, true, WEIR_TERM_B2_BITS, WEIR_TERM_B2_DENSE}};
    uint64_t most = 0;
    for (int i = 0; i < 4; i++) {
        unsigned parts = weir_cpu_parts_of(terms, sections[i].bits, sections[i].dense);
        most = most_of(most, section_bytes(rel, sections[i].query, sections[i].g2, parts, x));
    }
    return most;
}
