#include "base/alloc.h"
#include "field/fr.h"
#include "relation/relation.h"

#include <string.h>

/* Zeroed; so fresh pages need no second pass. */
static void *take(weir_slabs *slabs, uint64_t n, size_t size)
{
    if (!slabs) return weir_big_alloc(n, size);
    void *p = weir_slab_take(slabs, n, size);
    if (p) memset(p, 0, n * size);
    return p;
}

static void give(weir_slabs *slabs, void *p, uint64_t n, size_t size)
{
    if (slabs)
        weir_slab_give(slabs, p, n, size);
    else
        weir_big_free(p, n, size);
}

weir_err weir_witness_new(weir_witness **out, const weir_relation *rel, weir_slabs *slabs,
                          weir_errinfo *ei)
{
    *out = NULL;
    weir_witness *w = weir_calloc(1, sizeof *w);
    if (w) {
        w->rel = rel;
        w->_slabs = slabs;
        w->inputs = weir_calloc(rel->inputs, sizeof *w->inputs);
        w->bits = take(slabs, rel->words, sizeof *w->bits);
        w->dense = take(slabs, rel->dense, sizeof *w->dense);
    }
    if (!w || !w->inputs || !w->bits || !w->dense) {
        weir_witness_free(w);
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a packed witness of %llu bytes",
                         (unsigned long long)weir_witness_bytes(rel));
    }
    w->inputs[0] = fr_ONE;
    *out = w;
    return WEIR_OK;
}

uint64_t weir_witness_bytes(const weir_relation *rel)
{
    return rel->inputs * sizeof(weir_fr) + (rel->words) * 8 + rel->dense * sizeof(weir_fr);
}

void weir_witness_reset(weir_witness *w)
{
    weir_wipe(w->inputs, w->rel->inputs * sizeof *w->inputs);
    weir_wipe(w->bits, (w->rel->words) * 8);
    weir_wipe(w->dense, w->rel->dense * sizeof *w->dense);
    w->inputs[0] = fr_ONE;
}

void weir_witness_free(weir_witness *w)
{
    if (!w) return;
    if (w->inputs && w->bits && w->dense) weir_witness_reset(w);
    weir_free(w->inputs);
    give(w->_slabs, w->bits, w->rel->words, sizeof *w->bits);
    give(w->_slabs, w->dense, w->rel->dense, sizeof *w->dense);
    weir_free(w);
}

weir_packer weir_witness_packer(weir_witness *w, unsigned segment, uint64_t rep)
{
    const weir_segment *s = &w->rel->segment[segment];
    return (weir_packer){
        .bits = (uint8_t *)(w->bits + s->word_base + rep * s->words),
        .pos = 0,
        .dense = w->dense + s->dense_base + rep * s->dense,
        .inputs = w->inputs + s->input_base + rep * s->inputs,
    };
}

bool weir_witness_packer_done(const weir_witness *w, unsigned segment, uint64_t rep,
                              const weir_packer *p)
{
    const weir_segment *s = &w->rel->segment[segment];
    return p->pos == s->aux && p->dense == w->dense + s->dense_base + (rep + 1) * s->dense &&
           p->inputs == w->inputs + s->input_base + (rep + 1) * s->inputs;
}

/* Where one auxiliary column lives. */
typedef struct place {
    bool dense;
    uint64_t word;
    unsigned bit;
    uint64_t element;
} place;

/* Number of dense columns below `col`; *hit tells whether col is dense itself. */
static uint32_t dense_rank(const weir_segment *s, uint32_t col, bool *hit)
{
    uint32_t lo = 0, hi = s->dense;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->dense_col[mid] < col)
            lo = mid + 1;
        else
            hi = mid;
    }
    *hit = lo < s->dense && s->dense_col[lo] == col;
    return lo;
}

static place find(const weir_relation *rel, uint64_t aux)
{
    unsigned k = rel->segments - 1;
    while (k > 0 && aux < rel->segment[k].aux_base) k--;
    const weir_segment *s = &rel->segment[k];
    uint64_t rep = (aux - s->aux_base) / s->aux;
    uint32_t col = (uint32_t)((aux - s->aux_base) % s->aux);
    place p = {.word = s->word_base + rep * s->words + col / 64, .bit = col % 64};
    p.element = s->dense_base + rep * s->dense + dense_rank(s, col, &p.dense);
    return p;
}

void weir_witness_get(const weir_witness *w, uint64_t aux, weir_fr *out)
{
    place p = find(w->rel, aux);
    if (p.dense)
        *out = w->dense[p.element];
    else if ((w->bits[p.word] >> p.bit) & 1)
        *out = fr_ONE;
    else
        fr_set_zero(out);
}

bool weir_witness_set(weir_witness *w, uint64_t aux, const weir_fr *v)
{
    place p = find(w->rel, aux);
    if (p.dense) {
        w->dense[p.element] = *v;
        return true;
    }
    bool one = fr_eq(v, &fr_ONE);
    if (!one && !fr_is_zero(v)) return false;
    uint64_t m = (uint64_t)1 << p.bit;
    w->bits[p.word] = one ? w->bits[p.word] | m : w->bits[p.word] & ~m;
    return true;
}

bool weir_relation_in(const weir_relation *rel, unsigned which, uint64_t aux)
{
    unsigned k = rel->segments - 1;
    while (k > 0 && aux < rel->segment[k].aux_base) k--;
    const weir_segment *s = &rel->segment[k];
    uint64_t col = (aux - s->aux_base) % s->aux;
    return (s->density[which][col / 64] >> (col % 64)) & 1;
}
