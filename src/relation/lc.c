#include "base/alloc.h"
#include "relation/cs_internal.h"

#include <stdlib.h>
#include <string.h>

void weir_lc_init(weir_lc *lc)
{
    *lc = (weir_lc){0};
}

void weir_lc_free(weir_lc *lc)
{
    weir_free(lc->term);
    weir_free(lc->_alt);
    weir_free(lc->_key);
    *lc = (weir_lc){0};
}

static bool lc_grow(weir_cs *cs, weir_lc *lc, uint32_t need)
{
    if (need <= lc->_cap) return true;
    uint32_t cap = lc->_cap ? lc->_cap : 16;
    while (cap < need) cap *= 2;
    weir_lc_term *term = weir_realloc(lc->term, cap, sizeof *term);
    if (term) lc->term = term;
    weir_lc_term *alt = weir_realloc(lc->_alt, cap, sizeof *alt);
    if (alt) lc->_alt = alt;
    uint64_t *key = weir_realloc(lc->_key, cap, sizeof *key);
    if (key) lc->_key = key;
    if (!term || !alt || !key) {
        weir_cs_fail(cs, WEIR_E_NOMEM, "no memory for a sum of %u terms", need);
        return false;
    }
    lc->_cap = cap;
    return true;
}

void weir_lc_add(weir_cs *cs, weir_lc *lc, weir_col col, const weir_fr *coef)
{
    if (lc->n == lc->_cap && !lc_grow(cs, lc, lc->n + 1)) return;
    lc->term[lc->n].col = col;
    lc->term[lc->n].coef = *coef;
    lc->n++;
}

void weir_lc_add_lc(weir_cs *cs, weir_lc *lc, const weir_lc *other, const weir_fr *k)
{
    if (!lc_grow(cs, lc, lc->n + other->n)) return;
    for (uint32_t i = 0; i < other->n; i++) {
        weir_lc_term *t = &lc->term[lc->n++];
        t->col = other->term[i].col;
        fr_mul(&t->coef, &other->term[i].coef, k);
    }
}

/* Most sums have one to three terms; those that pack bits or carry a Poseidon state have hundreds. */
enum { INSERTION_MAX = 12 };

static void sort_few(weir_lc *lc)
{
    for (uint32_t i = 1; i < lc->n; i++) {
        weir_lc_term t = lc->term[i];
        uint32_t j = i;
        for (; j > 0 && lc->term[j - 1].col > t.col; j--) lc->term[j] = lc->term[j - 1];
        lc->term[j] = t;
    }
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_many(weir_lc *lc)
{
    bool sorted = true;
    for (uint32_t i = 0; i < lc->n; i++) {
        lc->_key[i] = (uint64_t)lc->term[i].col << 32 | i;
        if (i && lc->_key[i] < lc->_key[i - 1]) sorted = false;
    }
    if (sorted) return;
    qsort(lc->_key, lc->n, sizeof lc->_key[0], compare_keys);
    for (uint32_t i = 0; i < lc->n; i++) lc->_alt[i] = lc->term[(uint32_t)lc->_key[i]];
    weir_lc_term *t = lc->term;
    lc->term = lc->_alt;
    lc->_alt = t;
}

void weir_lc_normalize(weir_lc *lc)
{
    if (lc->n <= INSERTION_MAX)
        sort_few(lc);
    else
        sort_many(lc);
    uint32_t n = 0;
    for (uint32_t i = 0; i < lc->n;) {
        weir_lc_term sum = lc->term[i];
        for (i++; i < lc->n && lc->term[i].col == sum.col; i++)
            fr_add(&sum.coef, &sum.coef, &lc->term[i].coef);
        if (!fr_is_zero(&sum.coef)) lc->term[n++] = sum;
    }
    lc->n = n;
}
