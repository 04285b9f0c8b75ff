#include "gpu/gpu_layout.h"

#include "gpu/gpu_query.h"
#include "gpu/gpu_relation_plan.h"
#include "gpu/gpu_sum.h"

#include <string.h>

const char *const weir_gpu_plan_names[WEIR_GPU_PLANS] = {"resident", "streamed", "small"};

enum { ALIGN = 256 };

/* Bytes of a buffer for streamed points: above the largest, transfers cost no less a point. */
#define BUFFER_MIN ((uint64_t)1 << 16)
#define BUFFER_MAX ((uint64_t)1 << 31)

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Takes `bytes` from *at on. */
static uint64_t take(uint64_t *at, uint64_t bytes)
{
    uint64_t from = *at;
    *at += aligned(bytes);
    return from;
}

static uint64_t affine_bytes(bool g2)
{
    return g2 ? sizeof(weir_dg2_affine) : sizeof(weir_dg1_affine);
}

static uint64_t jacobian_bytes(bool g2)
{
    return g2 ? sizeof(weir_g2) : sizeof(weir_g1);
}

uint64_t weir_gpu_piece_points(const weir_gpu_points *a, uint32_t i)
{
    uint64_t first = i * a->piece;
    return a->points - first < a->piece ? a->points - first : a->piece;
}

void weir_gpu_dense_plan(weir_dmsm_plan *p, const weir_gpu_points *a, uint64_t points)
{
    weir_dmsm_plan_make(p, a->g2 ? &weir_dmsm_sizes_g2 : &weir_dmsm_sizes_g1, (uint32_t)points, 0,
                        0);
}

void weir_gpu_bits_plan(weir_dsum_plan *p, const weir_gpu_driver *driver, const weir_gpu_points *a,
                        uint64_t points)
{
    weir_dsum_plan_make(p, a->g2 ? &weir_dmsm_sizes_g2 : &weir_dmsm_sizes_g1, (uint32_t)points,
                        driver->sum_blocks[a->g2], 0);
}

/* ---- which points */

/* Arrays that no term needs lose their points, lists that no array needs their entries. h is there always. */
static void drop_points(weir_gpu_layout *l)
{
    static const weir_term term[WEIR_GPU_ARRAYS] = {
        WEIR_TERM_H,       WEIR_TERM_L_BITS,   WEIR_TERM_A_BITS,  WEIR_TERM_A_DENSE,
        WEIR_TERM_B1_BITS, WEIR_TERM_B1_DENSE, WEIR_TERM_B2_BITS, WEIR_TERM_B2_DENSE};
    static const uint32_t dense[3] = {WEIR_TERM_L_DENSE, WEIR_TERM_A_DENSE,
                                      WEIR_TERM_B1_DENSE | WEIR_TERM_B2_DENSE};
    for (int i = 0; i < WEIR_GPU_ARRAYS; i++)
        if (!(l->terms & (uint32_t)term[i])) l->array[i].points = 0;
    if (!(l->terms & WEIR_TERM_L_DENSE)) l->array[WEIR_GPU_H_L].points -= l->dense[WEIR_QUERY_L];
    for (int q = 0; q < 3; q++)
        if (!(l->terms & dense[q])) l->dense[q] = 0;
}

static void count_points(weir_gpu_layout *l, const weir_relation *rel)
{
    static const weir_gpu_array bits[3] = {WEIR_GPU_L_BITS, WEIR_GPU_A_BITS, WEIR_GPU_B1_BITS};
    static const weir_gpu_array dense[3] = {WEIR_GPU_H_L, WEIR_GPU_A_DENSE, WEIR_GPU_B1_DENSE};
    l->n = (uint64_t)1 << rel->domain_log2;
    for (unsigned q = 0; q < 3; q++) {
        uint64_t bit_points;
        weir_gpu_query_count(rel, (weir_query)q, &bit_points, &l->dense[q], &l->words[q]);
        l->array[bits[q]] = (weir_gpu_points){.query = (weir_query)q, .points = bit_points};
        l->array[dense[q]] =
            (weir_gpu_points){.query = (weir_query)q, .points = l->dense[q], .dense = true};
    }
    for (int i = WEIR_GPU_L_BITS; i < WEIR_GPU_ARRAYS; i++)
        l->array[i].mixed = l->array[i].dense && rel->dense == rel->aux;
    l->array[WEIR_GPU_H_L].points += l->n - 1;
    l->array[WEIR_GPU_B2_BITS] = l->array[WEIR_GPU_B1_BITS];
    l->array[WEIR_GPU_B2_DENSE] = l->array[WEIR_GPU_B1_DENSE];
    l->array[WEIR_GPU_B2_BITS].g2 = l->array[WEIR_GPU_B2_DENSE].g2 = true;
    drop_points(l);
    for (int i = 0; i < WEIR_GPU_ARRAYS; i++)
        l->array[i].bytes = l->array[i].points * affine_bytes(l->array[i].g2);
}

/* buffer_bytes 0: in one piece. */
static void cut_into_pieces(weir_gpu_layout *l)
{
    uint64_t out = 0;
    for (int i = 0; i < WEIR_GPU_ARRAYS; i++) {
        weir_gpu_points *a = &l->array[i];
        a->piece = l->buffer_bytes ? l->buffer_bytes / affine_bytes(a->g2) / 64 * 64 : a->points;
        if (a->piece > a->points) a->piece = a->points;
        a->pieces = a->points ? (uint32_t)((a->points + a->piece - 1) / a->piece) : 0;
        weir_dmsm_plan p;
        uint64_t windows = 1;
        for (uint32_t k = 0; a->dense && k<a->pieces; k += a->pieces> 1 ? a->pieces - 1 : 1) {
            weir_gpu_dense_plan(&p, a, weir_gpu_piece_points(a, k));
            windows = max_u64(windows, p.windows);
        }
        if (a->mixed) {
            windows = 1 + WEIR_GPU_WINDOWS_MAX;
            a->counts = l->counts;
            l->counts += a->pieces;
        }
        a->sums = out;
        a->sums_each = windows * jacobian_bytes(a->g2);
        out += a->pieces * a->sums_each;
    }
    l->out_bytes = out;
}

/* ---- where */

/* Scratch of an array's sums: of the whole pieces, and of the last one, which may have another shape. */
static uint64_t arena_bytes(const weir_gpu_points *a, const weir_gpu_driver *driver)
{
    weir_dmsm_plan whole, last;
    if (a->pieces == 0) return 0;
    weir_dsum_plan bits; /* the last piece takes no more than a whole one */
    weir_gpu_bits_plan(&bits, driver, a, a->piece);
    if (!a->dense) return bits.total_bytes;
    weir_gpu_dense_plan(&whole, a, a->piece);
    weir_gpu_dense_plan(&last, a, weir_gpu_piece_points(a, a->pieces - 1));
    uint64_t most = max_u64(whole.total_bytes, last.total_bytes);
    return a->mixed ? max_u64(most, bits.total_bytes) : most;
}

/* What each proof uses anew, from *at on. */
static void lay_run(weir_gpu_layout *l, const weir_relation *rel, const weir_gpu_driver *driver,
                    uint64_t *at)
{
    uint64_t bits = 0, scalars = 0, arena = 0, mixed = 0;
    l->out = take(at, l->out_bytes);
    l->witness_bytes = weir_gpu_witness_bytes(rel);
    l->witness = take(at, l->witness_bytes);
    uint64_t quotient = *at, sums = *at;
    bool small = l->plan == WEIR_GPU_SMALL;
    l->a = take(&quotient, (l->vector + (small ? 0 : l->dense[WEIR_QUERY_L])) * sizeof(weir_dfr));
    l->b = l->arena_h = quotient;
    take(&quotient, l->vector * sizeof(weir_dfr));
    l->tmp = take(&quotient, l->vector * sizeof(weir_dfr));
    uint64_t h = l->arena_h + aligned(arena_bytes(&l->array[WEIR_GPU_H_L], driver));
    if (small) h = 0; /* it is one of the arrays then */
    for (int i = small ? WEIR_GPU_H_L : WEIR_GPU_L_BITS; i < WEIR_GPU_ARRAYS; i++) {
        const weir_gpu_points *a = &l->array[i];
        if (a->dense) scalars = max_u64(scalars, a->piece * sizeof(weir_dfr));
        if (a->mixed) mixed = max_u64(mixed, a->piece);
        if (!a->dense || a->mixed) bits = max_u64(bits, weir_gpu_bits_bytes(a->points));
        arena = max_u64(arena, arena_bytes(a, driver));
    }
    l->bits = take(&sums, bits);
    l->scalars = take(&sums, scalars);
    l->count = take(&sums, mixed ? sizeof(uint32_t) : 0);
    l->general = take(&sums, mixed * sizeof(weir_dfr));
    l->index = take(&sums, mixed * sizeof(uint32_t));
    l->arena_bytes = arena;
    l->arena = take(&sums, arena);
    *at = max_u64(max_u64(quotient, h), sums);
}

static void lay_device(weir_gpu_layout *l, const weir_relation *rel, const weir_gpu_driver *driver)
{
    uint64_t at = 0;
    l->relation = take(&at, weir_gpu_relation_bytes(rel));
    l->table_bytes = weir_gpu_ntt_table_len(&l->ntt) * sizeof(weir_dfr);
    l->table = take(&at, l->table_bytes);
    for (int q = 0; q < 3; q++) {
        l->mask[q] = take(&at, l->words[q] * sizeof(uint64_t));
        l->rank[q] = take(&at, l->words[q] * sizeof(uint32_t));
        l->source[q] = take(&at, l->dense[q] * sizeof(uint32_t));
    }
    for (int i = 0; l->plan == WEIR_GPU_RESIDENT && i < WEIR_GPU_ARRAYS; i++)
        l->array[i].at = take(&at, l->array[i].bytes);
    for (int i = 0; i < 2; i++) l->buffer[i] = take(&at, l->buffer_bytes);
    lay_run(l, rel, driver, &at);
    l->device_bytes = at;
}

static void lay_pinned(weir_gpu_layout *l)
{
    uint64_t at = 0;
    for (int i = 0; l->plan != WEIR_GPU_RESIDENT && i < WEIR_GPU_ARRAYS; i++)
        l->array[i].at = take(&at, l->array[i].bytes);
    for (int i = 0; l->plan == WEIR_GPU_SMALL && i < 3; i++)
        l->pinned_vector[i] = take(&at, l->n * sizeof(weir_dfr));
    l->pinned_witness = take(&at, l->witness_bytes);
    l->pinned_out = take(&at, l->out_bytes);
    l->pinned_counts = take(&at, l->counts * sizeof(uint32_t));
    l->pinned_bytes = at;
}

/* piece_log2: of the vectors, for the small plan. */
static void lay(weir_gpu_layout *l, const weir_relation *rel, const weir_gpu_driver *driver,
                uint32_t terms, weir_gpu_plan plan, uint64_t buffer_bytes, unsigned piece_log2)
{
    memset(l, 0, sizeof *l);
    l->plan = plan;
    l->terms = terms;
    l->buffer_bytes = buffer_bytes;
    weir_gpu_ntt_plan_init(&l->ntt, rel->domain_log2 ? rel->domain_log2 : 1, 0, 0);
    count_points(l, rel);
    l->piece_log2 = plan == WEIR_GPU_SMALL ? piece_log2 : rel->domain_log2;
    l->vector = (uint64_t)1 << l->piece_log2;
    cut_into_pieces(l);
    lay_device(l, rel, driver);
    lay_pinned(l);
}

/* The largest buffers that fit, by halving. */
static bool lay_streamed(weir_gpu_layout *l, const weir_relation *rel,
                         const weir_gpu_driver *driver, uint32_t terms, uint64_t budget_bytes)
{
    for (uint64_t buffer = BUFFER_MAX; buffer >= BUFFER_MIN; buffer /= 2) {
        lay(l, rel, driver, terms, WEIR_GPU_STREAMED, buffer, 0);
        if (l->device_bytes <= budget_bytes) return true;
    }
    return false;
}

/* Buffers for points are as large as a piece of a vector. */
static bool lay_small(weir_gpu_layout *l, const weir_relation *rel, const weir_gpu_driver *driver,
                      uint32_t terms, uint64_t budget_bytes)
{
    for (unsigned log2 = rel->domain_log2; log2-- > WEIR_GPU_NTT_PIECE_LOG2_MIN;) {
        if (rel->domain_log2 - log2 > DNTT_STRIDED_LEVELS) break;
        lay(l, rel, driver, terms, WEIR_GPU_SMALL, max_u64(BUFFER_MIN, sizeof(weir_dfr) << log2),
            log2);
        if (l->device_bytes <= budget_bytes) return true;
    }
    return false;
}

/* The two sets are in or out as wholes. */
static weir_err check_terms(uint32_t terms, weir_errinfo *ei)
{
    uint32_t g2 = terms & WEIR_TERMS_G2, tails = terms & WEIR_TERMS_TAILS;
    if ((g2 == 0 || g2 == WEIR_TERMS_G2) && (tails == 0 || tails == WEIR_TERMS_TAILS) &&
        (terms | WEIR_TERMS_G2 | WEIR_TERMS_TAILS) == WEIR_TERMS_ALL)
        return WEIR_OK;
    return weir_fail(
        ei, WEIR_E_USAGE,
        "terms %#x: a GPU adds up all of a proof's sums (%#x), and leaves to others at "
        "most the whole sum in G2 (%#x) and the dense parts of l, a and b in G1 (%#x)",
        (unsigned)terms, (unsigned)WEIR_TERMS_ALL, (unsigned)WEIR_TERMS_G2,
        (unsigned)WEIR_TERMS_TAILS);
}

weir_err weir_gpu_layout_make(weir_gpu_layout *l, const weir_relation *rel,
                              const weir_gpu_driver *driver, uint32_t terms, uint64_t budget_bytes,
                              weir_errinfo *ei)
{
    WEIR_TRY(check_terms(terms, ei));
    if (!weir_gpu_relation_fits(rel))
        return weir_fail(ei, WEIR_E_RANGE,
                         "a circuit of %llu rows and %llu columns is too large for a GPU: it takes "
                         "up to 2^28 of each",
                         (unsigned long long)rel->rows,
                         (unsigned long long)(rel->inputs + rel->aux));
    lay(l, rel, driver, terms, WEIR_GPU_RESIDENT, 0, 0);
    if (l->device_bytes <= budget_bytes) return WEIR_OK;
    uint64_t resident = l->device_bytes;
    if (lay_streamed(l, rel, driver, terms, budget_bytes)) return WEIR_OK;
    if (lay_small(l, rel, driver, terms, budget_bytes)) return WEIR_OK;
    return weir_fail(
        ei, WEIR_E_NOMEM,
        "%s: a proof of this circuit takes %llu bytes of device memory with the key on the "
        "device and at least %llu with everything that can stay there on the host, the budget is "
        "%llu; give it more "
        "(--budget-device), or prove on the CPU (--device cpu)",
        driver->name, (unsigned long long)resident, (unsigned long long)l->device_bytes,
        (unsigned long long)budget_bytes);
}
