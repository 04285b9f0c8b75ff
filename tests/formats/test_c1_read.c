/* Commit Phase 1 output: all forms of the reference data give the same input, and writing gives the
 * same bytes. */
#include "formats_common.h"

static void same_path(const weir_path *a, const weir_path *b, unsigned siblings, unsigned levels)
{
    assert_memory_equal(&a->leaf, &b->leaf, 32);
    assert_memory_equal(&a->root, &b->root, 32);
    assert_memory_equal(a->siblings, b->siblings, 32 * siblings);
    assert_memory_equal(a->index, b->index, levels);
}

static void same_column(const weir_column_proof *a, const weir_column_proof *b,
                        const weir_porep_shape *s)
{
    assert_int_equal(a->node, b->node);
    assert_memory_equal(a->rows, b->rows, 32 * s->layers);
    same_path(&a->path, &b->path, weir_porep_tree_siblings(s), weir_porep_tree_levels(s));
}

static void same_input(const weir_porep_input *a, const weir_porep_input *b)
{
    const weir_porep_shape *s = a->shape;
    assert_ptr_equal(s, b->shape);
    assert_int_equal(a->partitions, b->partitions);
    assert_int_equal(a->challenges, b->challenges);
    assert_memory_equal(&a->comm_r, &b->comm_r, 32);
    assert_memory_equal(&a->comm_d, &b->comm_d, 32);
    assert_memory_equal(&a->replica_id, &b->replica_id, 32);
    assert_memory_equal(&a->seed, &b->seed, 32);
    assert_memory_equal(&a->ticket, &b->ticket, 32);
    for (unsigned i = 0; i < a->partitions * a->challenges; i++) {
        const weir_porep_challenge *x = &a->challenge[i], *y = &b->challenge[i];
        assert_true(x->node == y->node);
        same_path(&x->d, &y->d, s->nodes_log2, s->nodes_log2);
        same_path(&x->r_last, &y->r_last, weir_porep_tree_siblings(s), weir_porep_tree_levels(s));
        same_column(&x->c_x, &y->c_x, s);
        for (int p = 0; p < WEIR_POREP_PARENTS; p++) same_column(&x->parents[p], &y->parents[p], s);
    }
}

/* What sector.json says about the challenges, their parents and the commitments. */
static void agrees_with_sector(const weir_porep_input *in, const char *path)
{
    json_t *sector = tk_json(path);
    uint8_t want[32];
    static const char *const names[] = {"comm_r", "comm_d", "replica_id", "seed", "ticket"};
    const weir_node *const nodes[] = {&in->comm_r, &in->comm_d, &in->replica_id, &in->seed,
                                      &in->ticket};
    for (int i = 0; i < 5; i++) {
        tk_hex_bytes(tk_str(sector, names[i]), want, 32);
        assert_memory_equal(nodes[i], want, 32);
    }
    json_t *challenges = tk_get(sector, "challenges_of_partition"),
           *inputs = tk_get(sector, "public_inputs_of_partition");
    assert_int_equal(json_array_size(challenges), in->partitions);
    for (unsigned p = 0; p < in->partitions; p++) {
        json_t *of_partition = json_array_get(challenges, p);
        assert_int_equal(json_array_size(of_partition), in->challenges);
        for (unsigned i = 0; i < in->challenges; i++) {
            const weir_porep_challenge *c = &in->challenge[p * in->challenges + i];
            assert_int_equal(json_integer_value(json_array_get(of_partition, i)), c->node);
            assert_int_equal(c->c_x.node, c->node);
            for (unsigned k = 0; k < WEIR_POREP_PARENTS; k++) {
                weir_scalar s;
                tk_hex_scalar(json_string_value(
                                  json_array_get(json_array_get(inputs, p), 3 + 18 * i + 1 + k)),
                              &s);
                assert_true(s.l[0] == c->parents[k].node);
            }
        }
    }
    json_decref(sector);
}

/* The file is read, agrees with `same` (or becomes it), and is written again byte for byte. */
static void one_file(const char *path, weir_c1_kind kind, weir_c1_kind inner,
                     uint64_t sector_number, weir_porep_input **same)
{
    size_t n, m;
    uint8_t *data = tk_vector(path, &n);
    weir_c1_info info;
    weir_porep_input *in = read_c1(data, n, &(weir_c1_opts){.info = &info});
    assert_int_equal(info.kind, kind);
    assert_int_equal(info.inner, inner);
    assert_true(info.sector_bytes == in->shape->sector_bytes);
    assert_true(info.sector_number == sector_number);
    weir_errinfo ei = {0};
    if (weir_porep_input_check(in, &ei) != WEIR_OK) fail_msg("%s: %s", path, ei.text);
    uint8_t *again = written_c1(in, kind, info.sector_number, &m);
    assert_int_equal(m, n);
    assert_memory_equal(again, data, n);
    free(again);
    free(data);
    if (!*same) {
        *same = in;
        return;
    }
    same_input(in, *same);
    weir_porep_input_free(in);
}

static void four_forms_of_2k(void **state)
{
    (void)state;
    weir_porep_input *in = NULL;
    one_file("porep-2k-5/c1-api.json", WEIR_C1_API, WEIR_C1_API, 0, &in);
    one_file("porep-2k-5/c1.json", WEIR_C1_JSON, WEIR_C1_JSON, 0, &in);
    one_file("porep-2k-5/c1.bincode", WEIR_C1_BINCODE, WEIR_C1_BINCODE, 0, &in);
    one_file("porep-2k-5/c1-outer.json", WEIR_C1_OUTER, WEIR_C1_API, UINT64_C(1090597546512377591),
             &in);
    assert_string_equal(in->registered->name, "StackedDrg2KiBV1_1");
    assert_int_equal(in->partitions, 1);
    assert_int_equal(in->challenges, 2);
    agrees_with_sector(in, "porep-2k-5/sector.json");
    weir_porep_input_free(in);
}

static void noninteractive_2k(void **state)
{
    (void)state;
    weir_porep_input *in = NULL;
    one_file("porep-2k-15/c1-api.json", WEIR_C1_API, WEIR_C1_API, 0, &in);
    one_file("porep-2k-15/c1.json", WEIR_C1_JSON, WEIR_C1_JSON, 0, &in);
    one_file("porep-2k-15/c1.bincode", WEIR_C1_BINCODE, WEIR_C1_BINCODE, 0, &in);
    assert_int_equal(in->registered->feature, WEIR_POREP_NONINTERACTIVE);
    assert_int_equal(in->partitions, 13);
    agrees_with_sector(in, "porep-2k-15/sector.json");
    weir_porep_input_free(in);
}

static void compound_trees(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *size;
        unsigned levels;
    } cases[] = {
        {"porep-4k-5", "4KiB", 3}, {"porep-16k-5", "16KiB", 3}, {"porep-32k-5", "32KiB", 4}};
    for (int i = 0; i < 3; i++) {
        char path[64];
        weir_porep_input *in = NULL;
        snprintf(path, sizeof path, "%s/c1.json", cases[i].folder);
        one_file(path, WEIR_C1_JSON, WEIR_C1_JSON, 0, &in);
        snprintf(path, sizeof path, "%s/c1.bincode", cases[i].folder);
        one_file(path, WEIR_C1_BINCODE, WEIR_C1_BINCODE, 0, &in);
        assert_string_equal(in->shape->name, cases[i].size);
        assert_int_equal(weir_porep_tree_levels(in->shape), cases[i].levels);
        assert_null(in->registered);
        snprintf(path, sizeof path, "%s/sector.json", cases[i].folder);
        agrees_with_sector(in, path);
        /* The own position in each group spells the node number, most significant group last. */
        const weir_porep_challenge *c = &in->challenge[0];
        uint64_t node = 0;
        for (unsigned level = cases[i].levels; level-- > 0;)
            node = node * weir_porep_tree_arity(in->shape, level) + c->r_last.index[level];
        assert_true(node == c->node);
        weir_porep_input_free(in);
    }
}

/* Sizes that no reference sector has: made inputs, through every form and back. */
static void made_inputs_of_other_sizes(void **state)
{
    (void)state;
    static const char *const names[] = {"StackedDrg8MiBV1_1", "StackedDrg512MiBV1",
                                        "StackedDrg32GiBV1_1_Feat_SyntheticPoRep",
                                        "StackedDrg32GiBV1_1", "StackedDrg64GiBV1_1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        weir_errinfo ei = {0};
        weir_porep_input *in;
        weir_sample_opts sample = {.registered = weir_registered_porep_by_name(names[i]),
                                   .seed = 77 + i,
                                   .partitions = 1,
                                   .challenges = 1};
        weir_err err = weir_porep_sample(&in, NULL, &sample, &ei);
        if (err == WEIR_E_UNSUPPORTED)
            continue; /* synthetic challenges of large sectors cannot be made up */
        if (err != WEIR_OK) fail_msg("%s", ei.text);
        for (weir_c1_kind kind = WEIR_C1_JSON; kind <= WEIR_C1_BINCODE; kind++) {
            size_t n;
            weir_c1_info info;
            uint8_t *data = written_c1(in, kind, UINT64_MAX, &n);
            weir_c1_opts opts = {
                .shape = in->shape, .partitions = 1, .challenges = 1, .info = &info};
            weir_porep_input *back = read_c1(data, n, &opts);
            same_input(in, back);
            assert_ptr_equal(back->registered,
                             kind == WEIR_C1_API || kind == WEIR_C1_OUTER ? in->registered : NULL);
            if (kind == WEIR_C1_OUTER) assert_true(info.sector_number == UINT64_MAX);
            weir_porep_input_free(back);
            /* Without the wish for one challenge, Filecoin's numbers are expected. */
            refuse_c1(data, n, WEIR_E_MISMATCH, in->shape->challenges > 1 ? "1 " : "");
            free(data);
        }
        weir_porep_input_free(in);
    }
}

/* ---- keys in any order, unknown keys, white space */

static json_t *junk(tk_rng *g)
{
    static const char *const texts[] = {"null", "[[[]],{}]",
                                        "{\"root\":[1],\"vanilla_proofs\":{\"a\":\"\\u00e9\\n\"}}",
                                        "-1.5e3", "\"x\""};
    return json_loads(texts[tk_below(g, 5)], JSON_DECODE_ANY, NULL);
}

/* A copy with the keys of every object in random order and unknown ones among them, where they are
 * skipped. */
static json_t *shuffled(json_t *v, tk_rng *g, bool add)
{
    if (json_is_array(v)) {
        json_t *copy = json_array();
        size_t i;
        json_t *item;
        json_array_foreach(v, i, item) json_array_append_new(copy, shuffled(item, g, true));
        return copy;
    }
    if (!json_is_object(v)) return json_deep_copy(v);
    const char *keys[16];
    size_t n = 0;
    const char *key;
    json_t *value;
    json_object_foreach(v, key, value) keys[n++] = key;
    for (size_t i = n; i > 1; i--) {
        size_t k = tk_below(g, i);
        const char *t = keys[i - 1];
        keys[i - 1] = keys[k];
        keys[k] = t;
    }
    json_t *copy = json_object();
    for (size_t i = 0; i < n; i++) {
        if (add && tk_below(g, 4) == 0) {
            char name[40];
            snprintf(name, sizeof name, "unknown_%u", (unsigned)i);
            json_object_set_new(copy, name, junk(g));
        }
        /* What a key holds that names the kind of a thing must be its only one. */
        bool single = strcmp(keys[i], "data") == 0 || (strcmp(keys[i], "vanilla_proofs") == 0);
        json_object_set_new(copy, keys[i], shuffled(json_object_get(v, keys[i]), g, !single));
    }
    return copy;
}

static void any_order_of_keys(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    static const char *const files[] = {"porep-2k-5/c1.json", "porep-2k-5/c1-api.json",
                                        "porep-32k-5/c1.json"};
    for (int i = 0; i < 3; i++) {
        size_t n;
        uint8_t *data = tk_vector(files[i], &n);
        weir_porep_input *in = read_c1(data, n, NULL);
        json_t *tree = json_loadb((char *)data, n, 0, NULL);
        for (int round = 0; round < 20; round++) {
            json_t *mixed = shuffled(tree, &g, true);
            char *text = json_dumps(mixed, round % 2 ? JSON_INDENT(3) : 0);
            weir_porep_input *back = read_c1(text, strlen(text), NULL);
            same_input(in, back);
            assert_ptr_equal(in->registered, back->registered);
            weir_porep_input_free(back);
            free(text);
            json_decref(mixed);
        }
        json_decref(tree);
        weir_porep_input_free(in);
        free(data);
    }
}

static void outer_in_any_order_and_escaped(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-2k-5/c1-outer.json", &n);
    weir_porep_input *in = read_c1(data, n, NULL);
    json_t *tree = json_loadb((char *)data, n, 0, NULL);
    const char *coded = tk_str(tree, "Phase1Out");
    /* Some writers put a backslash before a slash, or write every character as \u00XX. */
    char *text = malloc(6 * strlen(coded) + 200), *p = text;
    p += sprintf(p, "{\"SectorSize\":2048, \"Other\":[1], \"Phase1Out\":\"");
    for (const char *c = coded; *c; c++)
        p += *c == '/'   ? sprintf(p, "\\/")
             : *c == 'Q' ? sprintf(p, "\\u0051")
                         : sprintf(p, "%c", *c);
    sprintf(p, "\",\"SectorNum\":0}");
    weir_c1_info info;
    weir_porep_input *back = read_c1(text, strlen(text), &(weir_c1_opts){.info = &info});
    same_input(in, back);
    assert_int_equal(info.sector_number, 0);
    weir_porep_input_free(back);
    weir_porep_input_free(in);
    free(text);
    free(data);
    json_decref(tree);
}

/* What is told beforehand is what reading takes: of all forms the same input, and room for the text of the wrapped one. */
static void need_beforehand(void **state)
{
    (void)state;
    static const char *const files[] = {"porep-2k-5/c1.bincode", "porep-2k-5/c1.json",
                                        "porep-2k-5/c1-outer.json", "porep-2k-15/c1.bincode"};
    const weir_porep_shape *s = weir_porep_shape_by_size(2048);
    for (int i = 0; i < 4; i++) {
        size_t n;
        weir_c1_need need;
        weir_slabs_stats stats;
        weir_errinfo ei = {0};
        uint8_t *data = tk_vector(files[i], &n);
        weir_c1_opts o = {.shape = s};
        weir_c1_most(&need, data, n, &o);
        weir_porep_input *in = read_c1(data, n, &o);
        assert_int_equal(need.input_bytes, in->_arena_bytes + sizeof *in);
        assert_int_equal(need.scratch_bytes, i == 2 ? n / 4 * 3 : 0);
        weir_porep_input_free(in);
        weir_c1_most(&need, data, n / 2, &o); /* too few bytes for any number of partitions? */
        assert_true(need.input_bytes <= weir_porep_input_bytes(s, 13, s->challenges));
        weir_c1_most(&need, data, 40, &o);
        assert_int_equal(need.input_bytes, 0);
        /* and from slabs, with nothing left in them */
        assert_int_equal(weir_slabs_new(&o.slabs, NULL, &ei), WEIR_OK);
        o.scratch = o.slabs;
        weir_porep_input_free(read_c1(data, n, &o));
        weir_slabs_count(o.slabs, &stats);
        assert_int_equal(stats.used, 0);
        weir_slabs_free(o.slabs);
        free(data);
    }
    /* 32 GiB: by the bytes that are there it has 10 partitions and not the 126 of a non-interactive proof */
    static uint8_t blank[40 << 20];
    weir_c1_need need;
    const weir_c1_opts large = {.shape = weir_porep_shape_by_name("32GiB")};
    memset(blank, ' ', sizeof blank);
    weir_c1_most(&need, blank, sizeof blank, &large);
    assert_int_equal(need.input_bytes, weir_porep_input_bytes(large.shape, 10, 18));
    assert_int_equal(need.scratch_bytes, 0);
    memcpy(blank + 12345, "\"Phase1Out\"", 11);
    weir_c1_most(&need, blank, sizeof blank, &large);
    assert_int_equal(need.scratch_bytes, sizeof blank / 4 * 3);
    blank[777] = '\\';
    weir_c1_most(&need, blank, sizeof blank, &large);
    assert_int_equal(need.scratch_bytes, sizeof blank);
}

static void writing_refused(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-4k-5/c1.bincode", &n);
    weir_porep_input *in = read_c1(data, n, NULL);
    weir_outfile out = {0};
    weir_errinfo ei = {0};
    assert_int_equal(weir_c1_write_json(&out, in, WEIR_C1_API, NULL, &ei), WEIR_E_USAGE);
    assert_int_equal(weir_c1_write_json(&out, in, WEIR_C1_OUTER, NULL, &ei), WEIR_E_USAGE);
    assert_int_equal(weir_c1_write_json(&out, in, WEIR_C1_BINCODE, NULL, &ei), WEIR_E_USAGE);
    weir_porep_input_free(in);
    free(data);
}

/* A full device: the error comes up from wherever it happens. */
static void disk_full(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-2k-15/c1.bincode", &n);
    weir_porep_input *in = read_c1(data, n, NULL);
    weir_errinfo ei = {0};
    weir_outfile out;
    assert_int_equal(weir_outfile_open(&out, temp_name(), &ei), WEIR_OK);
    FILE *full = fopen("/dev/full", "wb");
    if (full) {
        fclose(out._file);
        out._file = full;
        assert_int_equal(weir_c1_write_json(&out, in, WEIR_C1_JSON, NULL, &ei), WEIR_E_IO);
    }
    weir_outfile_discard(&out);
    weir_porep_input_free(in);
    free(data);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_forms_of_2k),  cmocka_unit_test(noninteractive_2k),
        cmocka_unit_test(compound_trees),    cmocka_unit_test(made_inputs_of_other_sizes),
        cmocka_unit_test(any_order_of_keys), cmocka_unit_test(outer_in_any_order_and_escaped),
        cmocka_unit_test(need_beforehand),   cmocka_unit_test(writing_refused),
        cmocka_unit_test(disk_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
