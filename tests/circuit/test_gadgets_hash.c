/* Poseidon, Merkle paths and labels against their reference dumps. */
#include "circuit/label.h"
#include "gadget_run.h"

#include <stdlib.h>
#include <string.h>

static json_t *the_cases;

static json_t *case_of(const char *name)
{
    size_t i;
    json_t *c;
    json_array_foreach(the_cases, i, c) if (strcmp(tk_str(c, "name"), name) == 0) return c;
    fail_msg("no case %s", name);
    return NULL;
}

static weir_poseidon *poseidon_of(unsigned arity, const weir_fr *tag)
{
    weir_poseidon *p;
    weir_errinfo ei = {0};
    if (weir_poseidon_new(&p, arity, tag, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return p;
}

static void num_of_hex(weir_num *out, const char *hex)
{
    tk_hex_scalar(hex, &out->s);
    fr_from_scalar(&out->m, &out->s);
}

/* ---- Poseidon */

typedef struct hashing {
    weir_poseidon *p;
    weir_fr preimage[16];
} hashing;

static void poseidon_shape(const void *ctx, weir_cs *cs)
{
    const hashing *h = ctx;
    weir_col pre[16];
    for (unsigned i = 0; i < h->p->arity; i++) pre[i] = weir_cs_alloc(cs);
    weir_gad_poseidon(cs, h->p, pre);
}

static void poseidon_fill(const void *ctx, weir_filler *f)
{
    const hashing *h = ctx;
    weir_fr out;
    for (unsigned i = 0; i < h->p->arity; i++) weir_fill_alloc(f, &h->preimage[i]);
    weir_fill_poseidon(f, h->p, &out, h->preimage);
}

static void poseidon(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned arity;
    } kinds[] = {
        {"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"11", 11}, {"16", 16}, {"2-gen-randomness", 2}};
    json_t *all = tk_json("poseidon/hashes.json"), *e;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        weir_fr tag;
        fr_from_u64(&tag, (uint64_t)1 << 40);
        hashing h = {.p = poseidon_of(kinds[k].arity, strchr(kinds[k].name, '-') ? &tag : NULL)};
        size_t i;
        json_array_foreach(all, i, e)
        {
            if (strcmp(tk_str(e, "name"), kinds[k].name) != 0) continue;
            json_t *pre = tk_get(e, "circuit_of");
            for (unsigned j = 0; j < kinds[k].arity; j++)
                tk_hex_fr(json_string_value(json_array_get(pre, j)), &h.preimage[j]);
        }
        char path[60];
        snprintf(path, sizeof path, "poseidon/poseidon-%s", kinds[k].name);
        gadget g = {poseidon_shape, poseidon_fill, &h};
        gadget_run(&g, path);
        weir_relation *rel = gadget_relation(&g);
        weir_witness *w = gadget_witness(&g, rel, WEIR_ISA_PORTABLE);
        gadget_every_value_matters(w, 1);
        weir_witness_free(w);
        weir_relation_free(rel);
        weir_poseidon_free(h.p);
    }
    json_decref(all);
}

/* ---- Merkle paths */

enum { MAX_LEVELS = 4, MAX_SIBLINGS = 22 };

typedef struct path_case {
    weir_tree tree;
    weir_poseidon *by_arity[9];
    weir_num leaf, root, sibling[MAX_SIBLINGS];
    uint8_t sibling_bytes[MAX_SIBLINGS][32], index[MAX_LEVELS];
    unsigned siblings, packed;
    bool public_root;
} path_case;

static void load_path(path_case *p, json_t *c)
{
    memset(p, 0, sizeof *p);
    const char *name = tk_str(c, "name");
    p->tree.sha = strstr(name, "sha") != NULL;
    p->public_root = strstr(name, "public") != NULL;
    num_of_hex(&p->leaf, tk_str(c, "leaf"));
    num_of_hex(&p->root, tk_str(c, "root"));
    p->packed = (unsigned)json_integer_value(tk_get(c, "index"));
    size_t i, j;
    json_t *level, *hash;
    json_array_foreach(tk_get(c, "siblings"), i, level)
    {
        json_array_foreach(tk_get(level, "hashes"), j, hash)
        {
            weir_num *s = &p->sibling[p->siblings];
            num_of_hex(s, json_string_value(hash));
            scalar_to_le(p->sibling_bytes[p->siblings++], &s->s);
        }
        unsigned arity = (unsigned)j + 1;
        if (!p->tree.sha && !p->by_arity[arity]) p->by_arity[arity] = poseidon_of(arity, NULL);
        p->tree.arity[i] = (uint8_t)arity;
        p->tree.poseidon[i] = p->by_arity[arity];
        p->index[i] = (uint8_t)json_integer_value(tk_get(level, "index"));
        p->tree.levels++;
    }
}

static void path_shape(const void *ctx, weir_cs *cs)
{
    const path_case *p = ctx;
    weir_col leaf = weir_cs_alloc(cs);
    weir_col got = weir_gad_climb(cs, &p->tree, leaf);
    weir_col root = weir_cs_alloc(cs);
    weir_gad_equal(cs, got, root);
    if (p->public_root) weir_gad_inputize(cs, root);
}

static void path_fill(const void *ctx, weir_filler *f)
{
    const path_case *p = ctx;
    weir_fill_alloc(f, &p->leaf.m);
    const weir_fill_path path = {p->index, (const uint8_t(*)[32])p->sibling_bytes};
    weir_fill_inclusion(f, &p->tree, &p->leaf, &path);
    weir_fill_alloc(f, &p->root.m);
    if (p->public_root) weir_fill_inputize(f, &p->root.m);
}

static void given_shape(const void *ctx, weir_cs *cs)
{
    const path_case *p = ctx;
    weir_bool bits[32];
    weir_col s[MAX_SIBLINGS];
    weir_gad_bits(cs, bits, weir_tree_index_bits(&p->tree));
    weir_col leaf = weir_cs_alloc(cs), root = weir_cs_alloc(cs);
    for (unsigned i = 0; i < p->siblings; i++) s[i] = weir_cs_alloc(cs);
    weir_gad_inclusion_given(cs, &p->tree, leaf, bits, s, root);
}

static void given_fill(const void *ctx, weir_filler *f)
{
    const path_case *p = ctx;
    pack_bits(&f->p, p->packed, weir_tree_index_bits(&p->tree));
    weir_fill_alloc(f, &p->leaf.m);
    weir_fill_alloc(f, &p->root.m);
    for (unsigned i = 0; i < p->siblings; i++) weir_fill_alloc(f, &p->sibling[i].m);
    weir_fill_inclusion_given(f, &p->tree, &p->leaf, p->index, p->sibling);
}

static void merkle_paths(void **state)
{
    (void)state;
    size_t i;
    json_t *c;
    unsigned run = 0;
    json_array_foreach(the_cases, i, c)
    {
        const char *name = tk_str(c, "name");
        if (strncmp(name, "merkle-", 7) != 0) continue;
        path_case p;
        char path[100];
        load_path(&p, c);
        snprintf(path, sizeof path, "gadgets/%s", name);
        gadget_run(&(gadget){path_shape, path_fill, &p}, path);
        char *private = strstr(path, "private");
        if (private) {
            strcpy(private, "no-challenge-input");
            gadget_run(&(gadget){given_shape, given_fill, &p}, path);
        }
        for (unsigned a = 0; a < 9; a++) weir_poseidon_free(p.by_arity[a]);
        run++;
    }
    assert_int_equal(run, 12);
}

/* ---- paths side by side: the same columns as one after another, on every path and for every number of lanes */

enum {
    SIDE_LEVELS = 3,
    SIDE_SIBLINGS = 7 + 3 + 1,
    SIDE_DENSE = 1300,
    SIDE_WORDS = 21 * WEIR_FILL_LANES
};

typedef struct side_paths {
    weir_tree tree;
    weir_num leaf[WEIR_FILL_LANES];
    uint8_t index[WEIR_FILL_LANES][SIDE_LEVELS], siblings[WEIR_FILL_LANES][SIDE_SIBLINGS][32];
    weir_fill_path path[WEIR_FILL_LANES];
} side_paths;

typedef struct side_columns {
    uint64_t bits[SIDE_WORDS];
    weir_fr dense[SIDE_DENSE * WEIR_FILL_LANES], inputs[WEIR_FILL_LANES];
} side_columns;

static void random_node(tk_rng *g, uint8_t node[32])
{
    weir_fr v;
    tk_fr(g, &v);
    fr_to_le(node, &v);
}

static void draw_side_paths(tk_rng *g, side_paths *s)
{
    for (unsigned k = 0; k < WEIR_FILL_LANES; k++) {
        uint8_t leaf[32];
        random_node(g, leaf);
        weir_num_from_node(&s->leaf[k], leaf);
        for (unsigned i = 0; i < s->tree.levels; i++)
            s->index[k][i] = (uint8_t)tk_below(g, s->tree.arity[i]);
        for (unsigned i = 0; i < SIDE_SIBLINGS; i++) random_node(g, s->siblings[k][i]);
        s->path[k] = (weir_fill_path){s->index[k], (const uint8_t(*)[32])s->siblings[k]};
    }
}

static weir_filler side_filler(side_columns *c, weir_isa isa)
{
    memset(c, 0, sizeof *c);
    return (weir_filler){.p = {.bits = (uint8_t *)c->bits, .dense = c->dense, .inputs = c->inputs},
                         .poseidon = weir_poseidon_ops_get(isa)};
}

static void side_by_side(const side_paths *s, unsigned n, weir_isa isa)
{
    static side_columns want, got;
    const weir_stretch stretch = weir_fill_inclusion_stretch(&s->tree);
    weir_filler one = side_filler(&want, WEIR_ISA_PORTABLE), f = side_filler(&got, isa);
    weir_filler lane[WEIR_FILL_LANES];
    assert_true(n * stretch.dense <= sizeof want.dense / sizeof *want.dense);
    assert_true(n * stretch.columns + 64 <= 8 * sizeof want.bits);
    for (unsigned k = 0; k < n; k++) {
        lane[k] = f;
        pack_skip(&f.p, &stretch);
        weir_fill_inclusion(&one, &s->tree, &s->leaf[k], &s->path[k]);
    }
    weir_fill_inclusions(lane, n, &s->tree, s->leaf, s->path);
    for (unsigned k = 0; k + 1 < n; k++) {
        weir_filler next = f;
        next.p.pos = (k + 1) * stretch.columns;
        next.p.dense = got.dense + (k + 1) * stretch.dense;
        next.p.inputs = got.inputs + (k + 1) * stretch.inputs;
        assert_true(pack_meets(&lane[k].p, &next.p));
        assert_int_equal(lane[k].poseidon_hashes, s->tree.levels);
    }
    assert_true(pack_meets(&lane[n - 1].p, &f.p));
    assert_int_equal(one.p.pos, f.p.pos);
    assert_memory_equal(&got, &want, sizeof got);
}

static void paths_side_by_side(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    static side_paths s;
    const unsigned arity[] = {8, 4, 2};
    s.tree = (weir_tree){.levels = 3};
    for (unsigned i = 0; i < s.tree.levels; i++) {
        s.tree.arity[i] = (uint8_t)arity[i];
        s.tree.poseidon[i] = poseidon_of(arity[i], NULL);
    }
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        for (unsigned n = 1; n <= WEIR_FILL_LANES; n++) {
            draw_side_paths(&g, &s);
            side_by_side(&s, n, isa);
        }
    }
    for (unsigned i = 0; i < s.tree.levels; i++)
        weir_poseidon_free((weir_poseidon *)(uintptr_t)s.tree.poseidon[i]);
}

/* ---- a compression that starts at any bit writes the same columns, and leaves the bits before and behind it alone */

static unsigned bit_of(const uint64_t *bits, uint64_t i)
{
    return (bits[i / 64] >> (i % 64)) & 1;
}

static void sha_at_any_bit(void **state)
{
    (void)state;
    enum { WORDS = 1000 };
    static uint64_t first[WORDS], bits[WORDS];
    tk_rng g = tk_rng_new();
    weir_fill_word in[8], block[16];
    for (unsigned i = 0; i < 8; i++) in[i] = weir_fill_word_of((uint32_t)tk_below(&g, 1ull << 32));
    for (unsigned i = 0; i < 16; i++)
        block[i] = i % 4 ? weir_fill_word_of((uint32_t)tk_below(&g, 1ull << 32))
                         : weir_fill_word_const((uint32_t)tk_below(&g, 1ull << 32));
    block[7].konst = 0x80;
    block[7].v &= ~0x80u;
    weir_filler want = {.p = {.bits = (uint8_t *)first}};
    weir_fill_word out[8];
    memcpy(out, in, sizeof in);
    weir_fill_sha256_block(&want, out, block);
    assert_true(want.p.pos > 64 && want.p.pos + 128 <= 64 * WORDS);
    for (unsigned start = 0; start <= 64; start++) {
        weir_filler f = {.p = {.bits = (uint8_t *)bits, .pos = start}};
        const uint64_t end = start + want.p.pos;
        memset(bits, 0xff, sizeof bits);
        for (uint64_t i = start; i < end; i++) bits[i / 64] &= ~((uint64_t)1 << (i % 64));
        memcpy(out, in, sizeof in);
        weir_fill_sha256_block(&f, out, block);
        assert_int_equal(f.p.pos, end);
        for (uint64_t i = 0; i < 64 * WORDS; i++) {
            const unsigned expected = i < start || i >= end ? 1 : bit_of(first, i - start);
            if (bit_of(bits, i) != expected)
                fail_msg("start %u, bit %llu", start, (unsigned long long)i);
        }
    }
}

/* ---- labels */

typedef struct label_case {
    weir_num replica_id, parents[14];
    uint64_t node;
    unsigned layer, n_parents;
} label_case;

static void number_bits(weir_cs *cs, weir_bool out[256], weir_col x)
{
    weir_bool bits[255];
    weir_gad_bits255(cs, bits, x);
    weir_gad_reverse_bytes(out, bits, 255);
}

static void label_shape(const void *ctx, weir_cs *cs)
{
    const label_case *l = ctx;
    static weir_bool message[WEIR_LABEL_BITS];
    weir_bool id[256], node[64], parents[14][256];
    number_bits(cs, id, weir_cs_alloc(cs));
    weir_gad_bits(cs, node, 64);
    for (unsigned i = 0; i < l->n_parents; i++) number_bits(cs, parents[i], weir_cs_alloc(cs));
    weir_gad_label(cs, message, id, l->layer, node, (const weir_bool(*)[256])parents, l->n_parents);
}

static void label_fill(const void *ctx, weir_filler *f)
{
    const label_case *l = ctx;
    const weir_num *parents[14];
    weir_fill_word id[8];
    weir_num out;
    weir_fill_alloc(f, &l->replica_id.m);
    weir_fill_bits255(f, &l->replica_id.s);
    weir_fill_words_of_number(id, &l->replica_id.s);
    pack_u64(&f->p, l->node);
    for (unsigned i = 0; i < l->n_parents; i++) {
        parents[i] = &l->parents[i];
        weir_fill_alloc(f, &l->parents[i].m);
        weir_fill_bits255(f, &l->parents[i].s);
    }
    weir_fill_label(f, &out, id, l->layer, l->node, parents, l->n_parents);
}

static void labels(void **state)
{
    (void)state;
    for (unsigned layer = 1; layer <= 2; layer++) {
        char name[40], path[60];
        snprintf(name, sizeof name, "label-layer-%u", layer);
        json_t *c = case_of(name), *parent;
        label_case l = {.layer = layer, .node = (uint64_t)json_integer_value(tk_get(c, "node"))};
        uint8_t b[32];
        tk_hex_bytes(tk_str(c, "replica_id"), b, 32);
        weir_num_from_node(&l.replica_id, b);
        size_t i;
        json_array_foreach(tk_get(c, "parents"), i, parent)
        {
            tk_hex_bytes(json_string_value(parent), b, 32);
            weir_num_from_node(&l.parents[l.n_parents++], b);
        }
        snprintf(path, sizeof path, "gadgets/%s", name);
        gadget_run(&(gadget){label_shape, label_fill, &l}, path);
    }
}

/* The reference's own count test: a constant node, and parents of 256 allocated bits each. */
static void count_shape(const void *ctx, weir_cs *cs)
{
    const label_case *l = ctx;
    static weir_bool message[WEIR_LABEL_BITS], parents[WEIR_POREP_LABEL_PARENTS][256];
    weir_bool id[256], node[64];
    for (unsigned i = 0; i < WEIR_POREP_LABEL_PARENTS; i++) weir_gad_bits(cs, parents[i], 256);
    weir_gad_bits(cs, id, 256);
    for (unsigned i = 0; i < 64; i++) node[i] = weir_bool_const(l->node >> i & 1);
    weir_gad_label(cs, message, id, l->layer, node, (const weir_bool(*)[256])parents,
                   WEIR_POREP_LABEL_PARENTS);
}

static void label_count(void **state)
{
    (void)state;
    label_case l = {.layer = 3, .node = 22};
    gadget_run(&(gadget){.shape = count_shape, .ctx = &l}, "gadgets/label-test-count");
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    the_cases = tk_json("gadgets/cases.json");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poseidon),
        cmocka_unit_test(merkle_paths),
        cmocka_unit_test(paths_side_by_side),
        cmocka_unit_test(sha_at_any_bit),
        cmocka_unit_test(labels),
        cmocka_unit_test(label_count),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(the_cases);
    return failed;
}
