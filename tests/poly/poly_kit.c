#include "poly_kit.h"

#include "field/fr.h"

#include <stdlib.h>
#include <string.h>

weir_fr *pk_alloc(size_t n)
{
    weir_fr *a = malloc(n * sizeof *a);
    assert_non_null(a);
    return a;
}

pk_plan pk_plan_new(unsigned log2_n, unsigned threads, weir_isa isa)
{
    weir_errinfo ei = {0};
    pk_plan p = {.x = {.pool = threads ? tk_pool(threads) : NULL, .isa = isa},
                 .n = (size_t)1 << log2_n};
    assert_int_equal(weir_ntt_plan_new(&p.plan, log2_n, &p.x, &ei), WEIR_OK);
    p.scratch = malloc(weir_ntt_scratch_bytes(p.plan) + 1);
    assert_non_null(p.scratch);
    return p;
}

void pk_plan_free(pk_plan *p)
{
    weir_ntt_plan_free(p->plan);
    free(p->scratch);
}

weir_fr *pk_copy(const weir_fr *a, size_t n)
{
    weir_fr *b = pk_alloc(n);
    memcpy(b, a, n * sizeof *a);
    return b;
}

void pk_random(tk_rng *g, weir_fr *a, size_t n)
{
    weir_fr special[64];
    const size_t specials = tk_fr_specials(special, 64);
    for (size_t i = 0; i < n; i++) {
        if (tk_below(g, 8) == 0)
            a[i] = special[tk_below(g, specials)];
        else
            tk_fr(g, &a[i]);
    }
}

void pk_from_json(weir_fr *a, size_t n, json_t *list)
{
    assert_true(json_array_size(list) <= n);
    memset(a, 0, n * sizeof *a);
    for (size_t i = 0; i < json_array_size(list); i++)
        tk_hex_fr(json_string_value(json_array_get(list, i)), &a[i]);
}

void pk_eval(weir_fr *r, const weir_fr *a, size_t n, const weir_fr *x)
{
    weir_fr acc = {{0}};
    for (size_t j = n; j-- > 0;) {
        fr_mul(&acc, &acc, x);
        fr_add(&acc, &acc, &a[j]);
    }
    *r = acc;
}

void pk_point(weir_fr *r, const weir_fr *shift, unsigned log2_n, uint64_t i)
{
    weir_fr w;
    fr_root_of_unity(&w, log2_n);
    fr_pow_u64(&w, &w, i);
    fr_mul(r, shift, &w);
}

bool pk_equal(const weir_fr *a, const weir_fr *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}
