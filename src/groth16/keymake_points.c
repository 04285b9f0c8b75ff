#include "groth16/keymake_points.h"

#include "base/alloc.h"
#include "field/fr.h"

#include <string.h>

/* ---- which column */

static uint32_t words_of(const weir_segment *s)
{
    return (s->aux + 63) / 64;
}

static bool has_point(const weir_segment *s, unsigned which, uint32_t i)
{
    return which == 0 || (s->input_density_b[i / 64] >> (i % 64) & 1);
}

static void list_inputs(weir_key_query *q)
{
    const weir_relation *rel = q->rel;
    if (q->which == 0 || rel->one_in_b) q->input[q->inputs++] = 0;
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        for (uint64_t rep = 0; rep < s->count; rep++)
            for (uint32_t i = 0; i < s->inputs; i++)
                if (has_point(s, q->which, i))
                    q->input[q->inputs++] = (uint32_t)(s->input_base + rep * s->inputs + i);
    }
}

static weir_err rank_segment(weir_key_query *q, unsigned k, weir_errinfo *ei)
{
    const weir_segment *s = &q->rel->segment[k];
    uint32_t *rank = weir_malloc(words_of(s), sizeof *rank);
    if (!rank) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the order of the key's points");
    q->rank[k] = rank;
    for (uint32_t w = 0; w < words_of(s); w++) {
        rank[w] = (uint32_t)q->points[k];
        q->points[k] += (unsigned)__builtin_popcountll(s->density[q->which][w]);
    }
    return WEIR_OK;
}

weir_err weir_key_query_init(weir_key_query *q, const weir_relation *rel, unsigned which,
                             weir_errinfo *ei)
{
    *q = (weir_key_query){.rel = rel, .which = which};
    q->input = weir_malloc(rel->inputs, sizeof *q->input);
    if (!q->input)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for the order of the key's points");
    list_inputs(q);
    for (unsigned k = 0; k < rel->segments; k++) WEIR_TRY(rank_segment(q, k, ei));
    return WEIR_OK;
}

void weir_key_query_clear(weir_key_query *q)
{
    weir_free(q->input);
    for (int k = 0; k < 3; k++) weir_free(q->rank[k]);
    *q = (weir_key_query){0};
}

/* ---- the cursor */

static uint64_t density_at(const weir_key_cursor *c)
{
    return c->q->rel->segment[c->segment].density[c->q->which][c->word];
}

/* The last word before which there are at most `points` points. */
static uint32_t word_of(const uint32_t *rank, uint32_t words, uint64_t points)
{
    uint32_t lo = 0, hi = words;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (rank[mid] <= points)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

void weir_key_cursor_init(weir_key_cursor *c, const weir_key_query *q, uint64_t point)
{
    const weir_relation *rel = q->rel;
    *c = (weir_key_cursor){.q = q, .input = point < q->inputs ? point : q->inputs};
    uint64_t left = point - c->input;
    while (c->segment + 1 < rel->segments &&
           left >= rel->segment[c->segment].count * q->points[c->segment]) {
        left -= rel->segment[c->segment].count * q->points[c->segment];
        c->segment++;
    }
    uint64_t each = q->points[c->segment];
    if (each == 0) return; /* no points of auxiliary columns follow: left is 0 */
    c->rep = left / each;
    left %= each;
    c->word = word_of(q->rank[c->segment], words_of(&rel->segment[c->segment]), left);
    c->left = density_at(c);
    for (left -= q->rank[c->segment][c->word]; left > 0; left--) c->left &= c->left - 1;
}

/* To the next word that has points. */
static void next_word(weir_key_cursor *c)
{
    do {
        const weir_segment *s = &c->q->rel->segment[c->segment];
        if (++c->word >= words_of(s)) {
            c->word = 0;
            if (++c->rep == s->count) {
                c->rep = 0;
                c->segment++;
                s++;
            }
            if (s->aux == 0) continue;
        }
        c->left = density_at(c);
    } while (c->left == 0);
}

uint64_t weir_key_cursor_next(weir_key_cursor *c)
{
    if (c->input < c->q->inputs) return c->q->input[c->input++];
    if (c->left == 0) next_word(c);
    const weir_segment *s = &c->q->rel->segment[c->segment];
    unsigned bit = (unsigned)__builtin_ctzll(c->left);
    c->left &= c->left - 1;
    return c->q->rel->inputs + s->aux_base + c->rep * s->aux + 64 * (uint64_t)c->word + bit;
}

/* ---- which multiple */

static const char NO_POINT[] = "%s column %llu would have the point at infinity in section %s: %s";

static bool is_zero(const weir_scalar *k)
{
    return (k->l[0] | k->l[1] | k->l[2] | k->l[3]) == 0;
}

static weir_err no_point(const weir_relation *rel, uint64_t column, const char *section,
                         const char *why, weir_errinfo *ei)
{
    bool input = column < rel->inputs;
    return weir_fail(ei, WEIR_E_INFINITY, NO_POINT, input ? "input" : "auxiliary",
                     (unsigned long long)(input ? column : column - rel->inputs), section, why);
}

static weir_err query_scalars(weir_scalar *out, const weir_fr *value, const weir_key_query *q,
                              weir_key_section section, uint64_t first, size_t n, weir_errinfo *ei)
{
    weir_key_cursor at;
    weir_key_cursor_init(&at, q, first);
    for (size_t i = 0; i < n; i++) {
        uint64_t column = weir_key_cursor_next(&at);
        fr_to_scalar(&out[i], &value[column]);
        if (is_zero(&out[i]))
            return no_point(q->rel, column, weir_key_section_names[section],
                            "its polynomial is zero at tau; take another tau", ei);
    }
    return WEIR_OK;
}

static weir_err l_scalars(weir_scalar *out, const weir_key_columns *c, const weir_relation *rel,
                          uint64_t first, size_t n, weir_isa isa, weir_errinfo *ei)
{
    uint64_t at = rel->inputs + first;
    WEIR_ISA_PICK(isa, weir_keymake_ops)
        ->combine(out, &c->scales, c->u + at, c->v + at, c->w + at, &c->scales.inv_delta, n);
    for (size_t i = 0; i < n; i++)
        if (is_zero(&out[i]))
            return no_point(rel, at + i, weir_key_section_names[WEIR_KEY_L],
                            "no row holds it, or its polynomials cancel at tau", ei);
    return WEIR_OK;
}

weir_err weir_key_ic_scalars(weir_scalar *out, const weir_key_columns *c, const weir_relation *rel,
                             uint64_t first, size_t n, weir_isa isa, weir_errinfo *ei)
{
    WEIR_ISA_PICK(isa, weir_keymake_ops)
        ->combine(out, &c->scales, c->u + first, c->v + first, c->w + first, &c->scales.inv_gamma,
                  n);
    for (size_t i = 0; i < n; i++)
        if (is_zero(&out[i]))
            return no_point(rel, first + i, "ic", "its polynomials cancel at tau; take another tau",
                            ei);
    return WEIR_OK;
}

weir_err weir_key_scalars(weir_scalar *out, const weir_key_columns *c, const weir_relation *rel,
                          const weir_key_query query[2], weir_key_section section, uint64_t first,
                          size_t n, weir_isa isa, weir_errinfo *ei)
{
    switch (section) {
    case WEIR_KEY_H:
        WEIR_ISA_PICK(isa, weir_keymake_ops)->h_scalars(out, &c->scales, first, n);
        return WEIR_OK;
    case WEIR_KEY_L:
        return l_scalars(out, c, rel, first, n, isa, ei);
    case WEIR_KEY_A:
        return query_scalars(out, c->u, &query[0], section, first, n, ei);
    default:
        return query_scalars(out, c->v, &query[1], section, first, n, ei);
    }
}
