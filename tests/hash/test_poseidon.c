/* Poseidon against the constants, hashes and circuit witnesses that Filecoin's code gives
 * (tests/vectors/poseidon), and against the plain definition: no sparse matrices, no compressed
 * keys. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "field/fr.h"
#include "hash/poseidon.h"
#include "testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 8 + 59, TRACE_MAX = 761, WIDTH_MAX = WEIR_POSEIDON_MAX_WIDTH };

typedef struct variant {
    const char *name;
    unsigned arity;
    bool custom_tag; /* 2^40, the update proof's randomness */
    unsigned trace_len;
} variant;

/* Lengths of the circuits: filecoin-circuits.md 2.9, measured with bellperson. */
static const variant variants[] = {
    {"1", 1, false, 280},
    {"2", 2, false, 311},
    {"4", 4, false, 377},
    {"8", 8, false, 505},
    {"11", 11, false, 598},
    {"16", 16, false, 761},
    {"2-gen-randomness", 2, true, 311},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static weir_poseidon *instance(const variant *v)
{
    weir_poseidon *p;
    weir_errinfo ei = {0};
    weir_fr tag;
    fr_from_u64(&tag, UINT64_C(1) << 40);
    assert_int_equal(weir_poseidon_new(&p, v->arity, v->custom_tag ? &tag : NULL, &ei), WEIR_OK);
    return p;
}

static void assert_fr(const weir_fr *got, const weir_fr *want)
{
    assert_memory_equal(got, want, sizeof *got);
}

/* list: numbers, or lists of numbers, compared with got[0..n) */
static const weir_fr *check_list(json_t *list, const weir_fr *got)
{
    if (json_is_string(list)) {
        weir_fr want;
        tk_hex_fr(json_string_value(list), &want);
        assert_fr(got, &want);
        return got + 1;
    }
    assert_true(json_is_array(list));
    for (size_t i = 0; i < json_array_size(list); i++)
        got = check_list(json_array_get(list, i), got);
    return got;
}

static json_t *constants_of(const variant *v)
{
    char path[100];
    snprintf(path, sizeof path, "poseidon/constants-%s.json", v->name);
    return tk_json(path);
}

static void constants(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        const variant *v = &variants[i];
        weir_poseidon *p = instance(v);
        json_t *j = constants_of(v);
        const unsigned w = p->width;
        assert_int_equal(w, json_integer_value(tk_get(j, "width")));
        assert_int_equal(p->partial_rounds, json_integer_value(tk_get(j, "partial_rounds")));
        assert_int_equal(WEIR_POSEIDON_FULL_ROUNDS, json_integer_value(tk_get(j, "full_rounds")));
        check_list(tk_get(j, "domain_tag"), &p->tag);
        const weir_fr *end = check_list(tk_get(j, "compressed_round_constants"), p->round_keys);
        assert_int_equal(end - p->round_keys, 8 * w + p->partial_rounds);
        assert_int_equal(check_list(tk_get(j, "mds"), p->mds) - p->mds, w * w);
        assert_int_equal(check_list(tk_get(j, "pre_sparse_matrix"), p->pre_sparse) - p->pre_sparse,
                         w * w);
        json_t *sparse = tk_get(j, "sparse_matrixes");
        assert_int_equal(json_array_size(sparse), p->partial_rounds);
        for (unsigned r = 0; r < p->partial_rounds; r++) {
            json_t *m = json_array_get(sparse, r);
            const weir_fr *w_hat = p->sparse_w_hat + r * w,
                          *v_rest = p->sparse_v_rest + r * (w - 1);
            assert_int_equal(check_list(tk_get(m, "w_hat"), w_hat) - w_hat, w);
            assert_int_equal(check_list(tk_get(m, "v_rest"), v_rest) - v_rest, w - 1);
        }
        json_decref(j);
        weir_poseidon_free(p);
    }
}

static void check_hashes(const weir_poseidon *p, json_t *hashes)
{
    const size_t n = json_array_size(hashes);
    assert_true(n > 0);
    weir_fr *pre = malloc(n * p->arity * sizeof *pre), *want = malloc(n * sizeof *want);
    weir_fr *got = malloc(n * sizeof *got);
    assert_true(pre && want && got);
    for (size_t i = 0; i < n; i++) {
        json_t *h = json_array_get(hashes, i), *list = tk_get(h, "preimage");
        assert_int_equal(json_array_size(list), p->arity);
        for (unsigned k = 0; k < p->arity; k++)
            tk_hex_fr(json_string_value(json_array_get(list, k)), &pre[i * p->arity + k]);
        tk_hex_fr(tk_str(h, "hash"), &want[i]);
    }
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        memset(got, 0, n * sizeof *got);
        weir_poseidon_ops_get(isa)->hash(p, got, pre, n);
        assert_memory_equal(got, want, n * sizeof *got);
    }
    free(pre);
    free(want);
    free(got);
}

static void hashes(void **state)
{
    (void)state;
    json_t *all = tk_json("poseidon/hashes.json");
    unsigned seen = 0;
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *entry = json_array_get(all, i);
        unsigned arity = (unsigned)json_integer_value(tk_get(entry, "arity"));
        if (arity > WIDTH_MAX - 1) continue;
        weir_fr tag;
        tk_hex_fr(tk_str(entry, "domain_tag"), &tag);
        weir_poseidon *p;
        weir_errinfo ei = {0};
        assert_int_equal(weir_poseidon_new(&p, arity, &tag, &ei), WEIR_OK);
        check_hashes(p, tk_get(entry, "hashes"));
        weir_poseidon_free(p);
        seen++;
    }
    assert_true(seen >= 6);
    json_decref(all);
}

/* The auxiliary values of a .wtns file (format: README of the vectors); returns their number. */
static size_t read_aux(const char *name, weir_fr *aux, size_t max)
{
    char path[100];
    size_t bytes;
    snprintf(path, sizeof path, "poseidon/poseidon-%s.wtns", name);
    uint8_t *file = tk_vector(path, &bytes);
    assert_memory_equal(file, "FILWTNS1", 8);
    size_t inputs = weir_load_le64(file + 8), n = weir_load_le64(file + 16);
    assert_true(n <= max && bytes >= 24 + 32 * inputs + n);
    const uint8_t *kind = file + 24 + 32 * inputs, *value = kind + n;
    for (size_t i = 0; i < n; i++) {
        if (kind[i] == 2) {
            assert_true(value + 32 <= file + bytes);
            assert_true(fr_from_le(&aux[i], value));
            value += 32;
        } else {
            fr_from_u64(&aux[i], kind[i]);
        }
    }
    assert_ptr_equal(value, file + bytes);
    free(file);
    return n;
}

static void traces(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        const variant *v = &variants[i];
        weir_fr aux[WIDTH_MAX + TRACE_MAX], got[TRACE_MAX + 1], guard = {{1, 2, 3, 4}};
        weir_poseidon *p = instance(v);
        assert_int_equal(weir_poseidon_trace_len(p), v->trace_len);
        assert_int_equal(read_aux(v->name, aux, sizeof aux / sizeof *aux), v->arity + v->trace_len);
        for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
            memset(got, 0, sizeof got);
            got[v->trace_len] = guard;
            weir_poseidon_ops_get(isa)->trace(p, got, aux);
            assert_memory_equal(got, aux + v->arity, v->trace_len * sizeof *got);
            assert_fr(&got[v->trace_len], &guard);
        }
        weir_poseidon_free(p);
    }
}

/* ---- the plain permutation: add the round's constants, S-boxes, multiply by the MDS matrix */

static void plain_sbox(weir_fr *x)
{
    weir_fr t;
    fr_sqr(&t, x);
    fr_sqr(&t, &t);
    fr_mul(x, x, &t);
}

static void plain_hash(const weir_poseidon *p, const weir_fr *constants_plain, weir_fr *out,
                       const weir_fr *preimage)
{
    const unsigned w = p->width, rounds = 8 + p->partial_rounds;
    weir_fr s[WIDTH_MAX], next[WIDTH_MAX], t;
    s[0] = p->tag;
    memcpy(s + 1, preimage, p->arity * sizeof *s);
    for (unsigned r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < w; i++) fr_add(&s[i], &s[i], &constants_plain[r * w + i]);
        for (unsigned i = 0; i < (r < 4 || r >= rounds - 4 ? w : 1); i++) plain_sbox(&s[i]);
        for (unsigned j = 0; j < w; j++) {
            fr_set_zero(&next[j]);
            for (unsigned i = 0; i < w; i++) {
                fr_mul(&t, &s[i], &p->mds[i * w + j]);
                fr_add(&next[j], &next[j], &t);
            }
        }
        memcpy(s, next, sizeof s);
    }
    *out = s[1];
}

/* Random preimages and those with the largest elements, where the delayed reduction is nearest to
 * its bound. */
static void equals_plain_form(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    enum { N = 20 };
    static weir_fr raw[ROUNDS_MAX * WIDTH_MAX];
    for (size_t i = 0; i < VARIANTS; i++) {
        const variant *v = &variants[i];
        weir_poseidon *p = instance(v);
        json_t *j = constants_of(v), *list = tk_get(j, "round_constants");
        assert_int_equal(json_array_size(list), (8 + p->partial_rounds) * p->width);
        for (size_t k = 0; k < json_array_size(list); k++)
            tk_hex_fr(json_string_value(json_array_get(list, k)), &raw[k]);
        json_decref(j);

        weir_fr pre[N * (WIDTH_MAX - 1)], want[N], got[N], values[TRACE_MAX], special[8];
        size_t specials = tk_fr_specials(special, 8);
        for (size_t k = 0; k < (size_t)N * v->arity; k++) {
            if (k < (size_t)N / 2 * v->arity)
                tk_fr(&g, &pre[k]);
            else
                pre[k] = special[tk_below(&g, specials)];
        }
        for (unsigned k = 0; k < N; k++) plain_hash(p, raw, &want[k], pre + k * v->arity);
        for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
            const weir_poseidon_ops *ops = weir_poseidon_ops_get(isa);
            ops->hash(p, got, pre, N);
            assert_memory_equal(got, want, sizeof got);
            for (unsigned k = 0; k < N; k++) {
                ops->trace(p, values, pre + k * v->arity);
                assert_fr(&values[v->trace_len - 1], &want[k]);
            }
        }
        weir_poseidon_free(p);
    }
}

static void errors(void **state)
{
    (void)state;
    const unsigned bad[] = {0, 3, 5, 9, 10, 12, 17, 24, 36, 64, 1000};
    weir_poseidon *p;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weir_errinfo ei = {0};
        assert_int_equal(weir_poseidon_new(&p, bad[i], NULL, &ei), WEIR_E_UNSUPPORTED);
        assert_null(p);
        assert_int_equal(ei.code, WEIR_E_UNSUPPORTED);
    }
    for (unsigned nth = 1;; nth++) {
        weir_errinfo ei = {0};
        weir_alloc_fail_nth(nth, 0);
        weir_err err = weir_poseidon_new(&p, 2, NULL, &ei);
        weir_alloc_fail_nth(0, 0);
        if (err == WEIR_OK) {
            assert_int_equal(nth, 3); /* two requests */
            break;
        }
        assert_int_equal(err, WEIR_E_NOMEM);
        assert_null(p);
    }
    weir_poseidon_free(p);
    weir_poseidon_free(NULL);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants),         cmocka_unit_test(hashes), cmocka_unit_test(traces),
        cmocka_unit_test(equals_plain_form), cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
