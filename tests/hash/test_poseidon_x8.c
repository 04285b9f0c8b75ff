/* Poseidon eight at a time equals one at a time on the portable path, lane by lane: every arity, every count from 0 to 40,
 * random and special elements in lanes that all differ. */
#include "field/fr.h"
#include "hash/poseidon.h"
#include "poseidon_x8_path.h"
#include "testkit.h"

#include <string.h>

enum { N = 40, ARITY_MAX = 16, TRACE_MAX = 761 };

static const unsigned arities[] = {1, 2, 4, 8, 11, 16};
enum { ARITIES = sizeof arities / sizeof *arities };

/* Elements of both runs, and behind each array a guard. */
typedef struct lanes {
    weir_poseidon *p;
    unsigned len; /* of a trace */
    weir_fr pre[N * ARITY_MAX], want[N][TRACE_MAX], got[N][TRACE_MAX + 1], hash[N + 1];
} lanes;

static lanes state_of_test;
static const weir_fr guard = {{1, 2, 3, 4}};

/* The portable path that these lanes are compared with is compared with neptune's values by test_poseidon. Every third
 * hash has special elements only, where sums are nearest to their bounds; the last one has r - 1 everywhere. */
static lanes *set_up(tk_rng *g, unsigned arity)
{
    lanes *s = &state_of_test;
    weir_errinfo ei = {0};
    weir_fr special[64];
    const size_t specials = tk_fr_specials(special, 64);
    assert_int_equal(weir_poseidon_new(&s->p, arity, NULL, &ei), WEIR_OK);
    s->len = weir_poseidon_trace_len(s->p);
    for (size_t i = 0; i < (size_t)N * arity; i++) {
        if (i / arity % 3 == 2 || tk_below(g, 4) == 0)
            s->pre[i] = special[tk_below(g, specials)];
        else
            tk_fr(g, &s->pre[i]);
        if (i / arity == N - 1) fr_neg(&s->pre[i], &fr_ONE);
    }
    for (size_t i = 0; i < N; i++)
        weir_poseidon_ops_get(WEIR_ISA_PORTABLE)->trace(s->p, s->want[i], s->pre + i * arity);
    return s;
}

static size_t expected(size_t n)
{
    return n % 8 == 1 ? n - 1 : n;
}

static void check_traces(lanes *s, const poseidon_x8_path *x8, size_t first, size_t n)
{
    weir_fr *to[N] = {NULL};
    const weir_fr *from[N] = {NULL};
    for (size_t i = 0; i < n; i++) {
        memset(s->got[i], 0, sizeof s->got[i]);
        s->got[i][s->len] = guard;
        to[i] = s->got[i];
        from[i] = s->pre + (first + i) * s->p->arity;
    }
    assert_int_equal(x8->traces(s->p, to, from, n), expected(n));
    for (size_t i = 0; i < expected(n); i++) {
        for (unsigned k = 0; k < s->len; k++)
            if (!fr_eq(&s->got[i][k], &s->want[first + i][k]))
                fail_msg("arity %u, hash %zu of %zu, value %u", s->p->arity, i, n, k);
        assert_memory_equal(&s->got[i][s->len], &guard, sizeof guard);
    }
}

static void check_hash(lanes *s, const poseidon_x8_path *x8, size_t first, size_t n)
{
    weir_fr in_place[N * ARITY_MAX];
    s->hash[n] = guard;
    assert_int_equal(x8->hash(s->p, s->hash, s->pre + first * s->p->arity, n), expected(n));
    assert_memory_equal(&s->hash[n], &guard, sizeof guard);
    memcpy(in_place, s->pre + first * s->p->arity, n * s->p->arity * sizeof *in_place);
    x8->hash(s->p, in_place, in_place, n);
    for (size_t i = 0; i < expected(n); i++) {
        assert_memory_equal(&s->hash[i], &s->want[first + i][s->len - 1], sizeof guard);
        assert_memory_equal(&in_place[i], &s->hash[i], sizeof guard);
    }
}

static void lanes_equal_scalar(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (size_t a = 0; a < ARITIES; a++) {
        lanes *s = set_up(&g, arities[a]);
        for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
            if (isa == WEIR_ISA_ADX) continue; /* the same plain C as portable */
            const poseidon_x8_path *x8 = poseidon_x8_path_get(isa);
            for (size_t n = 0; n <= N; n++) {
                check_traces(s, x8, tk_below(&g, N - n + 1), n);
                if (n % 4 == 1) check_hash(s, x8, N - n, n);
            }
        }
        weir_poseidon_free(s->p);
    }
}

/* The library's own loops, which finish what the lanes leave. */
static void every_count(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    lanes *s = set_up(&g, 4);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_poseidon_ops *ops = weir_poseidon_ops_get(isa);
        for (size_t n = 0; n <= N; n++) {
            weir_fr *to[N] = {NULL};
            const weir_fr *from[N] = {NULL};
            for (size_t i = 0; i < n; i++) {
                memset(s->got[i], 0, sizeof s->got[i]);
                to[i] = s->got[i];
                from[i] = s->pre + i * 4;
            }
            s->hash[n] = guard;
            ops->hash(s->p, s->hash, s->pre, n);
            ops->traces(s->p, to, from, n);
            for (size_t i = 0; i < n; i++) {
                assert_memory_equal(s->got[i], s->want[i], s->len * sizeof guard);
                assert_memory_equal(&s->hash[i], &s->want[i][s->len - 1], sizeof guard);
            }
            assert_memory_equal(&s->hash[n], &guard, sizeof guard);
        }
    }
    weir_poseidon_free(s->p);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_equal_scalar),
        cmocka_unit_test(every_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
