/* Filling against the reference: every column of the 2 KiB witness, truly sealed sectors of the other tree shapes, and
 * made-up sectors of the production sizes. */
#include "base/clock.h"
#include "circuit/porep_circuit.h"
#include "dump.h"
#include "field/fr.h"
#include "formats/c1.h"
#include "hash/sha256.h"

#include <stdlib.h>
#include <string.h>

typedef struct porep {
    weir_porep_input *in;
    weir_relation *rel;
    weir_porep_filler *filler;
    weir_witness *w;
} porep;

#define MUST(x)                                                                                    \
    do {                                                                                           \
        weir_errinfo ei = {0};                                                                     \
        if ((x) != WEIR_OK) fail_msg("%s", ei.text);                                               \
    } while (0)

static void set_up(porep *p, weir_porep_input *in)
{
    *p = (porep){.in = in};
    MUST(weir_porep_relation(&p->rel, in->shape, in->challenges, &ei));
    MUST(weir_porep_filler_new(&p->filler, in->shape, &ei));
    MUST(weir_witness_new(&p->w, p->rel, NULL, &ei));
}

static void tear_down(porep *p)
{
    weir_witness_free(p->w);
    weir_porep_filler_free(p->filler);
    weir_relation_free(p->rel);
    weir_porep_input_free(p->in);
}

static weir_porep_input *read_c1(const char *path)
{
    size_t n;
    weir_porep_input *in;
    uint8_t *bytes = tk_vector(path, &n);
    MUST(weir_c1_read(&in, bytes, n, NULL, &ei));
    free(bytes);
    return in;
}

static weir_porep_input *sample(const char *registered, uint64_t seed)
{
    weir_porep_input *in;
    weir_sample_sector sector;
    weir_sample_opts opts = {.registered = weir_registered_porep_by_name(registered),
                             .seed = seed,
                             .partitions = 1,
                             .challenges = 1};
    assert_non_null(opts.registered);
    MUST(weir_porep_sample(&in, &sector, &opts, &ei));
    return in;
}

static uint64_t first_bad(const weir_witness *w)
{
    weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    return weir_relation_check(w, &x);
}

static void every_column_at_2kib(void **state)
{
    (void)state;
    porep p;
    set_up(&p, read_c1("porep-2k-5/c1.json"));
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        for (unsigned threads = 1; threads <= 3; threads++) {
            weir_exec x = {.pool = tk_pool(threads), .isa = isa};
            weir_fill_stats stats;
            weir_witness_reset(p.w);
            MUST(weir_porep_fill(p.w, p.filler, p.in, 0, &stats, &x, &ei));
            dump_compare_witness(p.w, "porep-2k-5/circuit-0");
            /* 6 levels of 2 blocks and 2 labels of 20 for each challenge */
            assert_int_equal(stats.sha256_compressions, 2 * (6 * 2 + 2 * 20));
        }
    }
    tear_down(&p);
}

static void other_tree_shapes(void **state)
{
    (void)state;
    static const char *const sectors[] = {"porep-4k-5", "porep-16k-5", "porep-32k-5"};
    for (unsigned i = 0; i < 3; i++) {
        char path[60];
        porep p;
        snprintf(path, sizeof path, "%s/c1.json", sectors[i]);
        set_up(&p, read_c1(path));
        weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
        MUST(weir_porep_fill(p.w, p.filler, p.in, 0, NULL, &x, &ei));
        assert_int_equal(first_bad(p.w), p.rel->rows);
        snprintf(path, sizeof path, "%s/sector.json", sectors[i]);
        json_t *sector = tk_json(path);
        json_t *want = json_array_get(tk_get(sector, "public_inputs_of_partition"), 0);
        assert_int_equal(json_array_size(want), p.rel->inputs - 1);
        for (size_t k = 0; k + 1 < p.rel->inputs; k++) {
            weir_fr v;
            tk_hex_fr(json_string_value(json_array_get(want, k)), &v);
            assert_true(fr_eq(&v, &p.w->inputs[k + 1]));
        }
        json_decref(sector);
        tear_down(&p);
    }
}

/* One wrong bit anywhere in the input ends in a row that does not hold. */
static void a_flipped_bit_is_noticed(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    porep p;
    set_up(&p, read_c1("porep-2k-5/c1.json"));
    weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    weir_porep_challenge *c = &p.in->challenge[1];
    weir_node *nodes[] = {
        &p.in->comm_d,
        &p.in->comm_r,
        &p.in->replica_id,
        &c->d.leaf,
        &c->d.siblings[3],
        &c->r_last.siblings[9],
        &c->c_x.path.root,
        &c->r_last.root,
        &c->c_x.path.siblings[0],
        &c->parents[0].rows[0],
        &c->parents[13].rows[1],
        &c->parents[7].path.siblings[13],
    };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        /* the roots are taken from the partition's first challenge */
        weir_node *n = nodes[i] == &c->c_x.path.root ? &p.in->challenge[0].c_x.path.root
                       : nodes[i] == &c->r_last.root ? &p.in->challenge[0].r_last.root
                                                     : nodes[i];
        unsigned bit = (unsigned)tk_below(&g, 250);
        n->b[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        weir_witness_reset(p.w);
        MUST(weir_porep_fill(p.w, p.filler, p.in, 0, NULL, &x, &ei));
        if (first_bad(p.w) == p.rel->rows) fail_msg("nothing notices node %zu", i);
        n->b[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
    weir_witness_reset(p.w);
    MUST(weir_porep_fill(p.w, p.filler, p.in, 0, NULL, &x, &ei));
    assert_int_equal(first_bad(p.w), p.rel->rows);
    tear_down(&p);
}

/* SHA-256 over all auxiliaries, 32 bytes each, little-endian: equal to that of an independent program's witness for the
 * same input (tests/vectors/porep-large/README says how it was made). */
static void columns_digest(const weir_witness *w, uint8_t out[32])
{
    weir_sha256 s;
    weir_sha256_init(&s);
    for (uint64_t i = 0; i < w->rel->aux; i++) {
        weir_fr v;
        uint8_t b[32];
        weir_witness_get(w, i, &v);
        fr_to_le(b, &v);
        weir_sha256_update(&s, b, 32);
    }
    weir_sha256_final(&s, out);
}

static void production_sizes(void **state)
{
    (void)state;
    json_t *cases = tk_json("porep-large/columns.json"), *c;
    size_t i;
    assert_true(json_array_size(cases) >= 2);
    json_array_foreach(cases, i, c)
    {
        porep p;
        uint8_t got[32], want[32];
        set_up(&p, sample(tk_str(c, "registered_proof"),
                          (uint64_t)json_integer_value(tk_get(c, "seed"))));
        for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
            weir_exec x = {.pool = tk_pool(2), .isa = isa};
            weir_witness_reset(p.w);
            MUST(weir_porep_fill(p.w, p.filler, p.in, 0, NULL, &x, &ei));
            assert_int_equal(first_bad(p.w), p.rel->rows);
        }
        assert_int_equal(json_integer_value(tk_get(c, "aux")), p.rel->aux);
        columns_digest(p.w, got);
        tk_hex_bytes(tk_str(c, "sha256"), want, 32);
        assert_memory_equal(got, want, 32);
        tear_down(&p);
    }
    json_decref(cases);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    porep p;
    weir_errinfo ei = {0};
    weir_exec x = {.isa = weir_isa_best()};
    volatile int cancel = 1;
    weir_watch watch = {.cancel = &cancel};
    set_up(&p, read_c1("porep-2k-5/c1.json"));
    assert_int_equal(weir_porep_fill(p.w, p.filler, p.in, 1, NULL, &x, &ei), WEIR_E_USAGE);
    x.watch = &watch;
    assert_int_equal(weir_porep_fill(p.w, p.filler, p.in, 0, NULL, &x, &ei), WEIR_E_CANCELLED);
    x.watch = NULL;
    weir_porep_input *other = read_c1("porep-4k-5/c1.json");
    assert_int_equal(weir_porep_fill(p.w, p.filler, other, 0, NULL, &x, &ei), WEIR_E_MISMATCH);
    weir_porep_input_free(other);
    tear_down(&p);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_at_2kib),     cmocka_unit_test(other_tree_shapes),
        cmocka_unit_test(a_flipped_bit_is_noticed), cmocka_unit_test(production_sizes),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
