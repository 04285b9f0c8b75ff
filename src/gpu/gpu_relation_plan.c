#include "gpu/gpu_relation_plan.h"

#include <assert.h>
#include <string.h>

enum { DOMAIN_LOG2_MAX = 28, RUNS_LOG2 = 2 };

_Static_assert((int)WEIR_COL_INPUT == DREL_INPUT && (int)WEIR_COL_LOCAL_INPUT == DREL_LOCAL_INPUT &&
                   (int)WEIR_COL_PROLOGUE_BIT == DREL_PROLOGUE_BIT &&
                   (int)WEIR_COL_PROLOGUE_DENSE == DREL_PROLOGUE_DENSE &&
                   (int)WEIR_COL_LOCAL_BIT == DREL_LOCAL_BIT &&
                   (int)WEIR_COL_LOCAL_DENSE == DREL_LOCAL_DENSE &&
                   (int)WEIR_COL_INDEX_BITS == DREL_INDEX_BITS,
               "classes of columns");

bool weir_gpu_relation_fits(const weir_relation *rel)
{
    const uint64_t most = (uint64_t)1 << DOMAIN_LOG2_MAX;
    return rel->domain_log2 <= DOMAIN_LOG2_MAX && rel->aux <= most &&
           rel->inputs + rel->dense <= most && 2 * rel->words <= UINT32_MAX;
}

/* A stretch that is laid out piece by piece; at is NULL where only its size is asked for. pool: who copies; NULL: this thread. */
typedef struct layout {
    unsigned char *at;
    uint64_t bytes;
    weir_pool *pool;
} layout;

/* Bytes that a task copies: some ten microseconds. */
enum { COPY_BYTES = 1 << 18 };

typedef struct copy_job {
    unsigned char *to;
    const unsigned char *from;
    uint64_t bytes;
} copy_job;

static void copy_task(void *ctx, size_t task, unsigned worker)
{
    const copy_job *j = ctx;
    uint64_t at = (uint64_t)task * COPY_BYTES, left = j->bytes - at;
    (void)worker;
    memcpy(j->to + at, j->from + at, left < COPY_BYTES ? left : COPY_BYTES);
}

static void copy(weir_pool *pool, unsigned char *to, const void *from, uint64_t bytes)
{
    copy_job j = {to, from, bytes};
    weir_pool_run(pool, (bytes + COPY_BYTES - 1) / COPY_BYTES, copy_task, &j);
}

/* Where the next piece lies, which starts at a multiple of 16; from: its content, NULL to leave it. */
static void *piece(layout *l, const void *from, uint64_t bytes)
{
    unsigned char *to = l->at ? l->at + l->bytes : NULL;
    if (to && from && bytes) copy(l->pool, to, from, bytes);
    l->bytes += (bytes + 15) / 16 * 16;
    return to;
}

/* Copies if copy is set; a: gets the pieces' places, may be NULL. */
static void lay_relation(layout *l, const weir_relation *rel, bool copy, drel_args *a)
{
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        for (unsigned m = WEIR_A; m <= WEIR_B; m++) {
            const weir_matrix *mat = &s->m[m];
            void *start = piece(l, copy ? mat->start : NULL, ((uint64_t)s->rows + 1) * 4);
            void *col = piece(l, copy ? mat->col : NULL, (uint64_t)mat->terms * 4);
            void *coef = piece(l, copy ? mat->coef : NULL, (uint64_t)mat->terms * 2);
            if (!a) continue;
            a->segment[k].m[m].start = start;
            a->segment[k].m[m].col = col;
            a->segment[k].m[m].coef = coef;
        }
    }
    void *coef = piece(l, copy ? rel->coef : NULL, (uint64_t)rel->coefs * sizeof *rel->coef);
    if (a) a->coef = coef;
}

static void lay_witness(layout *l, const weir_relation *rel, const weir_witness *w, drel_args *a)
{
    const void *inputs = piece(l, w ? w->inputs : NULL, rel->inputs * sizeof(weir_fr));
    const void *dense = piece(l, w ? w->dense : NULL, rel->dense * sizeof(weir_fr));
    const void *bits = piece(l, w ? w->bits : NULL, rel->words * sizeof(uint64_t));
    if (!a) return;
    a->inputs = inputs;
    a->dense = dense;
    a->bits = bits;
}

uint64_t weir_gpu_relation_bytes(const weir_relation *rel)
{
    layout l = {.at = NULL};
    lay_relation(&l, rel, false, NULL);
    return l.bytes;
}

void weir_gpu_relation_pack(void *out, const weir_relation *rel)
{
    layout l = {.at = out};
    lay_relation(&l, rel, true, NULL);
}

uint64_t weir_gpu_witness_bytes(const weir_relation *rel)
{
    layout l = {.at = NULL};
    lay_witness(&l, rel, NULL, NULL);
    return l.bytes;
}

void weir_gpu_witness_pack(void *out, const weir_witness *w, const weir_exec *x)
{
    layout l = {.at = out, .pool = x->pool};
    lay_witness(&l, w->rel, w, NULL);
}

void weir_gpu_relation_at(drel_args *a, const weir_relation *rel, const void *relation,
                          const void *witness)
{
    layout r = {.at = (unsigned char *)(uintptr_t)relation},
           w = {.at = (unsigned char *)(uintptr_t)witness};
    memset(a, 0, sizeof *a);
    lay_relation(&r, rel, false, a);
    lay_witness(&w, rel, NULL, a);
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        drel_segment *d = &a->segment[k];
        d->rows = s->rows;
        d->inputs = s->inputs;
        d->dense = s->dense;
        d->words = 2 * s->words;
        d->row_base = (uint32_t)s->row_base;
        d->input_base = (uint32_t)s->input_base;
        d->dense_base = (uint32_t)s->dense_base;
        d->word_base = (uint32_t)(2 * s->word_base);
    }
    a->segments = rel->segments;
    a->rows = (uint32_t)rel->rows;
    a->input_rows = (uint32_t)rel->inputs;
}

static uint32_t blocks(const drel_args *a)
{
    uint32_t each = DREL_ROWS >> a->runs_log2;
    return 2 * ((a->hi - a->lo + each - 1) / each);
}

uint32_t weir_gpu_relation_rows(drel_args *a, uint32_t lo, uint32_t hi, weir_dfr *out_a,
                                weir_dfr *out_b)
{
    a->lo = lo;
    a->hi = hi;
    a->runs_log2 = a->log2_n = a->stride_log2 = a->offset = 0;
    a->out[0] = out_a;
    a->out[1] = out_b;
    return blocks(a);
}

uint32_t weir_gpu_relation_domain(drel_args *a, unsigned log2_n, uint32_t part, uint32_t parts,
                                  weir_dfr *out_a, weir_dfr *out_b)
{
    a->stride_log2 = a->offset = 0;
    a->log2_n = log2_n;
    a->runs_log2 = log2_n < RUNS_LOG2 ? log2_n : RUNS_LOG2;
    uint64_t items = (uint64_t)1 << (log2_n - a->runs_log2);
    a->lo = (uint32_t)(items * part / parts);
    a->hi = (uint32_t)(items * (part + 1) / parts);
    a->out[0] = out_a;
    a->out[1] = out_b;
    return blocks(a);
}

/* Piece p of the bit-reversed order: the rows whose lowest bits are those of p, reversed. */
uint32_t weir_gpu_relation_piece(drel_args *a, unsigned log2_n, unsigned pieces_log2,
                                 uint32_t piece, weir_dfr *out_a, weir_dfr *out_b)
{
    uint32_t n = weir_gpu_relation_domain(a, log2_n - pieces_log2, 0, 1, out_a, out_b);
    a->stride_log2 = pieces_log2;
    a->offset = drel_reversed(piece, pieces_log2);
    return n;
}
