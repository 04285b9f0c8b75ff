/* Samples of sectors: accepted by the checkers as they are, refused with any one thing changed. */
#include "base/alloc.h"
#include "circuit/porep_native.h"
#include "testkit.h"

#include <stdio.h>
#include <string.h>

static weir_porep_input *make(int number, uint64_t seed, unsigned partitions, unsigned challenges)
{
    weir_errinfo ei = {0};
    weir_porep_input *in;
    weir_sample_sector sector;
    weir_sample_opts o = {weir_registered_porep_by_number(number), seed, partitions, challenges,
                          NULL};
    weir_err err = weir_porep_sample(&in, &sector, &o, &ei);
    if (err != WEIR_OK) fail_msg("%s", ei.text);
    weir_node id;
    weir_porep_replica_id(&id, o.registered, sector.prover_id, sector.sector, in->ticket.b,
                          &in->comm_d);
    assert_memory_equal(&id, &in->replica_id, sizeof id);
    return in;
}

static void expect_ok(const weir_porep_input *in)
{
    weir_errinfo ei = {0};
    if (weir_porep_input_check(in, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    const weir_exec x = {.isa = WEIR_ISA_PORTABLE, .pool = tk_pool(3)};
    if (weir_porep_native_check(in, &x, &ei) != WEIR_OK) fail_msg("%s", ei.text);
}

/* Refused by the native check, with these words. */
static void expect_refused(const weir_porep_input *in, weir_err want, const char *words)
{
    weir_errinfo ei = {0};
    const weir_exec x = {.isa = WEIR_ISA_PORTABLE, .pool = tk_pool(3)};
    weir_err err = weir_porep_native_check(in, &x, &ei);
    if (err != want || !strstr(ei.text, words))
        fail_msg("wanted %s \"%s\", got %s \"%s\"", weir_err_name(want), words, weir_err_name(err),
                 ei.text);
}

static void test_all_registered(void **state)
{
    (void)state;
    static const struct {
        int number;
        unsigned partitions, challenges;
    } cases[] = {
        {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 1, 2}, {4, 1, 2},  {5, 0, 0},
        {6, 0, 0}, {7, 0, 0}, {8, 2, 0}, {9, 1, 0}, {10, 0, 0}, {15, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_porep_input *in =
            make(cases[i].number, 7 + i, cases[i].partitions, cases[i].challenges);
        const weir_registered_porep *r = weir_registered_porep_by_number(cases[i].number);
        assert_ptr_equal(in->registered, r);
        assert_int_equal(in->partitions, cases[i].partitions ? cases[i].partitions : r->partitions);
        assert_int_equal(in->challenges,
                         cases[i].challenges ? cases[i].challenges : r->shape->challenges);
        expect_ok(in);
        weir_porep_input_free(in);
    }
}

/* The shapes without a registered proof. */
static void test_other_shapes(void **state)
{
    (void)state;
    static const char *const sizes[] = {"4KiB", "16KiB", "32KiB", "16MiB", "1GiB"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        weir_registered_porep r = *weir_registered_porep_by_number(5);
        r.shape = weir_porep_shape_by_name(sizes[i]);
        weir_errinfo ei = {0};
        weir_porep_input *in;
        weir_sample_opts o = {&r, i, 0, 0, NULL};
        assert_int_equal(weir_porep_sample(&in, NULL, &o, &ei), WEIR_OK);
        expect_ok(in);
        weir_porep_input_free(in);
    }
}

/* Challenges often are parents of one another, or repeated, in 13 partitions of a 64-node
 * sector. */
static void test_overlaps(void **state)
{
    (void)state;
    unsigned repeated = 0, parent = 0;
    weir_porep_input *in = make(15, 3, 0, 0);
    size_t n = (size_t)in->partitions * in->challenges;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (j != i) repeated += in->challenge[i].node == in->challenge[j].node;
            for (unsigned k = 0; k < WEIR_POREP_PARENTS; k++) {
                const weir_column_proof *p = &in->challenge[j].parents[k];
                if (p->node != in->challenge[i].node) continue;
                parent++;
                assert_memory_equal(p->rows, in->challenge[i].c_x.rows, 2 * sizeof(weir_node));
            }
        }
    }
    assert_true(repeated > 0 && parent > 0);
    weir_porep_input_free(in);
}

static void test_determinism(void **state)
{
    (void)state;
    static const int numbers[] = {5, 6, 8, 15};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        weir_porep_input *a = make(numbers[i], 42, 1, 0), *b = make(numbers[i], 42, 1, 0);
        weir_porep_input *c = make(numbers[i], 43, 1, 0);
        const weir_porep_shape *s = a->shape;
        assert_memory_equal(&a->comm_r, &b->comm_r, sizeof a->comm_r);
        assert_memory_not_equal(&a->comm_r, &c->comm_r, sizeof a->comm_r);
        assert_memory_not_equal(&a->comm_d, &c->comm_d, sizeof a->comm_d);
        /* nodes and indices stand between the first sibling and the end of the arena */
        size_t head = (size_t)((uint8_t *)a->challenge[0].d.siblings - (uint8_t *)a->_arena);
        assert_memory_equal((uint8_t *)a->_arena + head, (uint8_t *)b->_arena + head,
                            a->_arena_bytes - head);
        assert_int_equal(a->_arena_bytes, b->_arena_bytes);
        assert_int_equal(head, s->challenges * sizeof(weir_porep_challenge));
        weir_porep_input_free(a);
        weir_porep_input_free(b);
        weir_porep_input_free(c);
    }
}

/* A reduced sample is the beginning of each partition of the full one. */
static void test_reduced(void **state)
{
    (void)state;
    weir_porep_input *full = make(8, 5, 2, 3), *less = make(8, 5, 2, 1);
    assert_int_equal(full->challenge[0].node, less->challenge[0].node);
    assert_int_equal(full->challenge[3].node, less->challenge[1].node);
    weir_porep_input_free(full);
    weir_porep_input_free(less);
}

static void test_unsupported(void **state)
{
    (void)state;
    static const int numbers[] = {11, 13, 16, 19};
    for (size_t i = 0; i < 4; i++) {
        weir_errinfo ei = {0};
        weir_porep_input *in;
        weir_sample_opts o = {weir_registered_porep_by_number(numbers[i]), 1, 1, 1, NULL};
        assert_int_equal(weir_porep_sample(&in, NULL, &o, &ei), WEIR_E_UNSUPPORTED);
        assert_null(in);
        assert_non_null(strstr(ei.text, "comm_r"));
    }
    weir_errinfo ei = {0};
    weir_porep_input *in;
    weir_sample_opts o = {weir_registered_porep_by_number(5), 1, 2, 0, NULL};
    assert_int_equal(weir_porep_sample(&in, NULL, &o, &ei), WEIR_E_RANGE);
    o.partitions = 1;
    o.challenges = 3;
    assert_int_equal(weir_porep_sample(&in, NULL, &o, &ei), WEIR_E_RANGE);
}

static void test_no_memory(void **state)
{
    (void)state;
    weir_sample_opts o = {weir_registered_porep_by_number(6), 1, 1, 1, NULL};
    weir_err err;
    unsigned nth = 1;
    do {
        weir_errinfo ei = {0};
        weir_porep_input *in;
        weir_alloc_fail_nth(nth, 0);
        err = weir_porep_sample(&in, NULL, &o, &ei);
        weir_alloc_fail_nth(0, 0);
        if (err == WEIR_OK)
            weir_porep_input_free(in);
        else
            assert_int_equal(err, WEIR_E_NOMEM);
        nth++;
    } while (err != WEIR_OK);
    assert_true(nth > 20);
}

/* ---- one thing changed */

/* Changes one bit, expects the refusal, and puts the bit back. */
static void flip(const weir_porep_input *in, void *p, uint8_t mask, weir_err want,
                 const char *words)
{
    uint8_t *b = p;
    *b ^= mask;
    expect_refused(in, want, words);
    *b ^= mask;
}

static void flip_path(const weir_porep_input *in, weir_path *p, const char *where,
                      unsigned siblings, unsigned levels, const char *not_root)
{
    flip(in, &p->siblings[0], 1, WEIR_E_MISMATCH, not_root);
    flip(in, &p->siblings[siblings - 1], 1, WEIR_E_MISMATCH, not_root);
    for (unsigned i = 0; i < levels; i++) {
        flip(in, &p->index[i], 1, WEIR_E_MISMATCH, "the path is that of leaf");
        flip(in, &p->index[i], 8, WEIR_E_RANGE, "at level");
    }
    flip(in, &p->root, 1, WEIR_E_MISMATCH, where);
    flip(in, &p->root.b[31], 0x80, WEIR_E_RANGE, where);
    flip(in, &p->leaf.b[31], 0x80, WEIR_E_RANGE, where);
    flip(in, &p->siblings[siblings - 1].b[31], 0x80, WEIR_E_RANGE, where);
}

static void flip_column(const weir_porep_input *in, weir_column_proof *p, const char *where,
                        const char *not_label, const char *not_leaf, const char *not_root)
{
    const weir_porep_shape *s = in->shape;
    for (unsigned i = 0; i < s->layers; i++) flip(in, &p->rows[i], 4, WEIR_E_MISMATCH, not_label);
    flip(in, &p->rows[0].b[31], 0x80, WEIR_E_RANGE, where);
    flip(in, &p->node, 1, WEIR_E_MISMATCH, "the path is that of leaf");
    flip(in, (uint8_t *)&p->node + 3, 0x80, WEIR_E_RANGE, "outside of the sector");
    flip(in, &p->path.leaf, 2, WEIR_E_MISMATCH, not_leaf);
    flip_path(in, &p->path, where, weir_porep_tree_siblings(s), weir_porep_tree_levels(s),
              not_root);
}

/* step 1 does all parents, a larger one every step-th. */
static void flip_challenge(weir_porep_input *in, unsigned partition, unsigned challenge,
                           unsigned step)
{
    weir_porep_challenge *c = &in->challenge[partition * in->challenges + challenge];
    unsigned log2 = in->shape->nodes_log2;
    char at[80], parent[120];
    snprintf(at, sizeof at, "partition %u, challenge %u", partition, challenge);
    flip(in, &c->node, 1, WEIR_E_MISMATCH, at);
    flip(in, (uint8_t *)&c->node + 7, 1, WEIR_E_RANGE, at);
    flip(in, &c->d.leaf, 1, WEIR_E_MISMATCH, "last label plus the data");
    flip_path(in, &c->d, "comm_d proof", log2, log2, "does not lead to comm_d");
    flip(in, &c->r_last.leaf, 1, WEIR_E_MISMATCH, "last label plus the data");
    flip_path(in, &c->r_last, "comm_r_last", weir_porep_tree_siblings(in->shape),
              weir_porep_tree_levels(in->shape), "does not lead to comm_r_last");
    flip_column(in, &c->c_x, at, "does not follow from", "is not the hash of the column",
                "the column's path does not lead to comm_c");
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i += step) {
        bool drg = i < WEIR_POREP_DRG_PARENTS;
        snprintf(parent, sizeof parent, "%s parent %u", drg ? "DRG" : "expander", drg ? i : i - 6);
        flip_column(in, &c->parents[i], at, at, parent, parent);
    }
}

static void test_flips_small(void **state)
{
    (void)state;
    weir_porep_input *in = make(5, 11, 0, 0);
    expect_ok(in);
    flip(in, &in->comm_r, 1, WEIR_E_MISMATCH, "comm_r is not the hash");
    flip(in, &in->comm_r.b[31], 0x80, WEIR_E_RANGE, "comm_r");
    flip(in, &in->comm_d, 1, WEIR_E_MISMATCH, "comm_d proof");
    flip(in, &in->comm_d.b[31], 0x80, WEIR_E_RANGE, "comm_d");
    flip(in, &in->replica_id, 1, WEIR_E_MISMATCH, "partition 0, challenge 0");
    flip(in, &in->replica_id.b[31], 0x80, WEIR_E_RANGE, "replica_id");
    flip(in, &in->seed, 1, WEIR_E_MISMATCH, "the file has");
    flip_challenge(in, 0, 0, 1);
    flip_challenge(in, 0, 1, 5);
    expect_ok(in);
    weir_porep_input_free(in);
}

/* Levels of arity 8 and 2, 11 layers; one challenge, as each flip is a whole check. */
static void test_flips_large(void **state)
{
    (void)state;
    weir_porep_input *in = make(9, 12, 1, 1);
    weir_porep_challenge *c = &in->challenge[0];
    flip(in, &c->parents[13].rows[10], 1, WEIR_E_MISMATCH, "expander parent 7");
    flip(in, &c->parents[13].rows[9], 1, WEIR_E_MISMATCH, "layer 11");
    flip(in, &c->parents[5].rows[10], 1, WEIR_E_MISMATCH, "layer 11");
    flip(in, &c->parents[3].path.siblings[70], 1, WEIR_E_MISMATCH, "DRG parent 3");
    flip(in, &c->parents[3].path.siblings[69], 1, WEIR_E_MISMATCH, "DRG parent 3");
    flip(in, &c->r_last.siblings[70], 1, WEIR_E_MISMATCH, "comm_r_last");
    flip(in, &c->r_last.index[10], 2, WEIR_E_RANGE, "at level 10");
    flip(in, &c->d.siblings[30], 1, WEIR_E_MISMATCH, "comm_d");
    expect_ok(in);
    weir_porep_input_free(in);
}

/* A true column with a true path, of the wrong node: only the graph tells. */
static void test_wrong_parent(void **state)
{
    (void)state;
    weir_porep_input *in = make(6, 15, 0, 0);
    for (unsigned i = 0; i < in->challenges; i++) {
        weir_porep_challenge *c = &in->challenge[i];
        for (unsigned k = 0; k < WEIR_POREP_PARENTS; k++) {
            weir_column_proof kept = c->parents[k];
            char words[80];
            bool drg = k < WEIR_POREP_DRG_PARENTS;
            c->parents[k] = c->c_x;
            snprintf(words, sizeof words,
                     "challenge %u (node %llu), %s parent %u: the column is not", i,
                     (unsigned long long)c->node, drg ? "DRG" : "expander",
                     drg ? k : k - WEIR_POREP_DRG_PARENTS);
            expect_refused(in, WEIR_E_MISMATCH, words);
            c->parents[k] = kept;
        }
    }
    weir_porep_input_free(in);
}

/* Zero is not a commitment. The seed matters where there is one. */
static void test_zeros(void **state)
{
    (void)state;
    weir_porep_input *in = make(5, 13, 0, 0);
    static const char *const names[] = {"comm_r", "comm_d", "seed"};
    weir_node *fields[] = {&in->comm_r, &in->comm_d, &in->seed};
    for (unsigned i = 0; i < 3; i++) {
        weir_errinfo ei = {0};
        weir_node kept = *fields[i];
        memset(fields[i], 0, sizeof kept);
        assert_int_equal(weir_porep_input_check(in, &ei), WEIR_E_MISMATCH);
        assert_non_null(strstr(ei.text, names[i]));
        *fields[i] = kept;
    }
    weir_porep_input_free(in);
    in = make(15, 13, 0, 0);
    memset(&in->seed, 0, sizeof in->seed);
    expect_ok(in);
    weir_porep_input_free(in);
}

/* Without a registered proof the nodes are taken as they are; with another one they are wrong. */
static void test_registered_matters(void **state)
{
    (void)state;
    weir_porep_input *in = make(6, 14, 0, 0);
    in->registered = NULL;
    expect_ok(in);
    weir_column_proof kept = in->challenge[1].c_x;
    in->challenge[1].c_x = in->challenge[1].parents[0];
    expect_refused(
        in, WEIR_E_MISMATCH,
        "partition 0, challenge 1, column of the challenge: the column is that of another node");
    in->challenge[1].c_x = kept;
    uint64_t node = in->challenge[1].node;
    in->challenge[1].node = 0;
    expect_refused(in, WEIR_E_RANGE, "the challenged node is 0");
    in->challenge[1].node = node;
    /* No comparison with the graph, but the replica id is in every label. */
    flip(in, &in->replica_id, 1, WEIR_E_MISMATCH, "layer 1");
    in->registered = weir_registered_porep_by_number(5);
    expect_refused(in, WEIR_E_MISMATCH, "is not a proof of a 8MiB sector");
    in->registered = weir_registered_porep_by_number(1);
    expect_refused(in, WEIR_E_MISMATCH, "parent in the graph");
    in->registered = weir_registered_porep_by_number(11);
    expect_refused(in, WEIR_E_MISMATCH, "challenges node");
    weir_porep_input_free(in);

    in = make(15, 14, 0, 0);
    flip(in, &in->challenge[25].d.siblings[5], 1, WEIR_E_MISMATCH, "partition 12, challenge 1");
    flip(in, &in->challenge[25].d.root, 1, WEIR_E_MISMATCH,
         "partition 12, challenge 1, comm_d proof");
    in->registered = weir_registered_porep_by_number(5);
    expect_refused(in, WEIR_E_MISMATCH, "the file has 13");
    weir_porep_input_free(in);
}

/* Of several bad challenges the first is told, whatever the number of threads. Stopped, it says so. */
static void test_threads(void **state)
{
    (void)state;
    weir_porep_input *in = make(15, 15, 0, 0);
    volatile int stop = 1;
    const weir_watch watch = {.cancel = &stop};
    const size_t bad[] = {25, 3, 11, 4}; /* two of each partition */
    weir_errinfo ei = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        in->challenge[bad[i]].d.siblings[5].b[0] ^= 1;
    for (unsigned threads = 1; threads <= 4; threads++)
        for (int again = 0; again < 5; again++) {
            const weir_exec x = {.isa = WEIR_ISA_PORTABLE, .pool = tk_pool(threads)};
            assert_int_equal(weir_porep_native_check(in, &x, &ei), WEIR_E_MISMATCH);
            assert_non_null(strstr(ei.text, "partition 1, challenge 1 "));
        }
    const weir_exec stopped = {.isa = WEIR_ISA_PORTABLE, .pool = tk_pool(2), .watch = &watch};
    assert_int_equal(weir_porep_native_check(in, &stopped, &ei), WEIR_E_CANCELLED);
    weir_porep_input_free(in);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_registered), cmocka_unit_test(test_other_shapes),
        cmocka_unit_test(test_overlaps),       cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_reduced),        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_no_memory),      cmocka_unit_test(test_flips_small),
        cmocka_unit_test(test_flips_large),    cmocka_unit_test(test_wrong_parent),
        cmocka_unit_test(test_zeros),          cmocka_unit_test(test_registered_matters),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
