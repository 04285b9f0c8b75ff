/* The native side of PoRep: tables, graph, challenges, public inputs, labels and trees, against
 * sealed sectors of the reference code and against numbers computed from the definitions by an
 * independent program. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "circuit/porep_native.h"
#include "field/fr.h"
#include "testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables */

static void test_shapes(void **state)
{
    (void)state;
    unsigned n = 0;
    uint64_t before = 0;
    for (const weir_porep_shape *s = weir_porep_shapes(); s->name; s++, n++) {
        uint64_t leaves = 1;
        unsigned siblings = 0, levels = weir_porep_tree_levels(s);
        for (unsigned i = 0; i < levels; i++) {
            unsigned arity = weir_porep_tree_arity(s, i);
            assert_true(arity == 2 || arity == 8);
            leaves *= arity;
            siblings += arity - 1;
        }
        assert_int_equal(leaves, UINT64_C(1) << s->nodes_log2);
        assert_int_equal(leaves * 32, s->sector_bytes);
        assert_int_equal(siblings, weir_porep_tree_siblings(s));
        assert_true(levels <= WEIR_SPARSE_MAX_LEVELS);
        assert_true(s->nodes_log2 <= WEIR_POREP_MAX_LEVELS && s->layers <= WEIR_POREP_MAX_LAYERS);
        assert_true(s->sector_bytes > before);
        before = s->sector_bytes;
        assert_ptr_equal(weir_porep_shape_by_size(s->sector_bytes), s);
        assert_ptr_equal(weir_porep_shape_by_name(s->name), s);
    }
    assert_int_equal(n, 10);
    assert_ptr_equal(weir_porep_shape_by_name("32gib"),
                     weir_porep_shape_by_size(UINT64_C(1) << 35));
    assert_null(weir_porep_shape_by_name("1TiB"));
    assert_null(weir_porep_shape_by_size(8192));
    const weir_porep_shape *full = weir_porep_shape_by_name("64GiB");
    assert_int_equal(weir_porep_tree_levels(full), 11);
    assert_int_equal(weir_porep_tree_arity(full, 9), 8);
    assert_int_equal(weir_porep_tree_arity(full, 10), 2);
    assert_int_equal(weir_porep_tree_siblings(full), 71);
    assert_int_equal(full->challenges * full->partitions, 180);
    assert_int_equal(full->layers, 11);
}

static void test_registered(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *name, *size;
        unsigned partitions;
        weir_porep_feature feature;
        bool legacy;
    } some[] = {
        {0, "StackedDrg2KiBV1", "2KiB", 1, WEIR_POREP_PLAIN, true},
        {4, "StackedDrg64GiBV1", "64GiB", 10, WEIR_POREP_PLAIN, true},
        {5, "StackedDrg2KiBV1_1", "2KiB", 1, WEIR_POREP_PLAIN, false},
        {8, "StackedDrg32GiBV1_1", "32GiB", 10, WEIR_POREP_PLAIN, false},
        {11, "StackedDrg8MiBV1_1_Feat_SyntheticPoRep", "8MiB", 1, WEIR_POREP_SYNTHETIC, false},
        {13, "StackedDrg32GiBV1_1_Feat_SyntheticPoRep", "32GiB", 10, WEIR_POREP_SYNTHETIC, false},
        {17, "StackedDrg512MiBV1_2_Feat_NonInteractivePoRep", "512MiB", 13,
         WEIR_POREP_NONINTERACTIVE, false},
        {19, "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep", "64GiB", 126,
         WEIR_POREP_NONINTERACTIVE, false},
    };
    for (int i = 0; i < 20; i++) {
        const weir_registered_porep *r = weir_registered_porep_by_number(i);
        assert_non_null(r);
        assert_int_equal(r->number, i);
        assert_int_equal(r->legacy, i <= 4);
        assert_ptr_equal(weir_registered_porep_by_name(r->name), r);
        uint8_t id[32], want[32] = {(uint8_t)i};
        weir_porep_id(id, r);
        assert_memory_equal(id, want, 32);
    }
    assert_null(weir_registered_porep_by_number(-1));
    assert_null(weir_registered_porep_by_number(20));
    assert_null(weir_registered_porep_by_name("StackedDrg2KiB"));
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        const weir_registered_porep *r = weir_registered_porep_by_name(some[i].name);
        assert_non_null(r);
        assert_int_equal(r->number, some[i].number);
        assert_string_equal(r->shape->name, some[i].size);
        assert_int_equal(r->partitions, some[i].partitions);
        assert_int_equal(r->feature, some[i].feature);
        assert_int_equal(r->legacy, some[i].legacy);
    }
}

/* ---- ChaCha and reduction */

static void test_chacha(void **state)
{
    (void)state;
    /* RFC 8439, 2.3.2 */
    uint8_t key[32], out[64], want[64];
    for (unsigned i = 0; i < 32; i++) key[i] = (uint8_t)i;
    weir_porep_chacha(out, key, (const uint32_t[4]){1, 0x09000000, 0x4a000000, 0}, 20);
    tk_hex_bytes("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
                 "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
                 want, 64);
    assert_memory_equal(out, want, 64);
}

static void test_mod(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned i = 0; i < 200; i++) {
        uint8_t bytes[32];
        uint64_t m = tk_below(&g, i % 2 ? UINT64_C(1) << 31 : UINT64_MAX) + 1, rest = 0;
        tk_bytes(&g, bytes, 32);
        for (unsigned bit = 256; bit-- > 0;) {
            unsigned __int128 twice =
                2 * (unsigned __int128)rest + ((bytes[bit / 8] >> bit % 8) & 1);
            rest = (uint64_t)(twice >= m ? twice - m : twice);
        }
        /* the loop above keeps rest < m only if m > 1 */
        assert_int_equal(weir_porep_mod(bytes, 32, m), m == 1 ? 0 : rest);
    }
}

/* ---- graph and challenges at sizes that no fixture has */

static void test_parents_known(void **state)
{
    (void)state;
    static const struct {
        int number;
        uint64_t node, parents[WEIR_POREP_PARENTS];
    } cases[] = {
        {0, 1, {0, 0, 0, 0, 0, 0, 57, 30, 21, 11, 22, 15, 1, 32}},
        {0, 2, {0, 1, 1, 1, 1, 1, 32, 49, 26, 57, 3, 4, 47, 63}},
        {0, 63, {62, 61, 56, 62, 37, 62, 49, 37, 35, 41, 52, 50, 54, 5}},
        {2,
         16777215,
         {13926596, 16715569, 16777214, 16777092, 16777077, 16777214, 4641468, 9501621, 3863873,
          15581136, 13860790, 16039890, 5030486, 7513958}},
        {3,
         1073741823,
         {1073717791, 1073729651, 356271464, 1073741667, 1073518238, 1073741822, 195269793,
          55928625, 117716005, 370196974, 457529501, 256849605, 282938428, 400621728}},
        {4,
         2147483647,
         {2141235863, 2147212826, 2147482039, 772148166, 2147483452, 2147483646, 410488621,
          225034157, 275186360, 7928278, 248739608, 415470629, 20246382, 24229879}},
        {8,
         357913941,
         {357913940, 352709264, 357909936, 357913902, 357913940, 357913074, 930061081, 446582797,
          386036236, 1031772705, 590381994, 823801686, 941848738, 477923553}},
        {9,
         715827882,
         {715827881, 715827863, 715827869, 715827187, 705266171, 561670980, 1226747540, 100365543,
          587857035, 1994484042, 765491636, 498418989, 1835903001, 2103976429}},
        {9,
         2147483647,
         {2147483646, 2147483645, 2147473607, 2147483646, 2147483609, 1322413322, 319537050,
          259923117, 180788485, 1838730986, 786079656, 319786570, 1561782586, 1183784015}},
        {11,
         87381,
         {87380, 87380, 73496, 87380, 87380, 86984, 188341, 65403, 61407, 56278, 162627, 167117,
          183988, 228608}},
        {19,
         715827882,
         {715827881, 715729195, 714439245, 715792083, 715820697, 715304795, 1221674730, 1357688189,
          1645537315, 1448582678, 254235026, 1513647125, 1340161976, 2116140364}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t got[WEIR_POREP_PARENTS];
        weir_porep_parents(weir_registered_porep_by_number(cases[i].number), cases[i].node, got);
        assert_memory_equal(got, cases[i].parents, sizeof got);
    }
}

/* What the order of labelling rests on. */
static void test_parents_properties(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int number = 0; number < 20; number++) {
        const weir_registered_porep *r = weir_registered_porep_by_number(number);
        uint64_t nodes = UINT64_C(1) << r->shape->nodes_log2;
        for (unsigned i = 0; i < 50; i++) {
            uint64_t p[WEIR_POREP_PARENTS], node = 1 + tk_below(&g, nodes - 1);
            weir_porep_parents(r, node, p);
            for (unsigned k = 0; k < WEIR_POREP_PARENTS; k++)
                assert_true(p[k] < (k < WEIR_POREP_DRG_PARENTS ? node : nodes));
            assert_int_equal(p[r->legacy ? 5 : 0], node - 1);
        }
    }
}

/* replica_id = 01 02 .. 1f 20, seed byte i = 3 i + 1, comm_r byte i = 7 i + 5, its last byte
 * 0x31. */
static void test_challenges_known(void **state)
{
    (void)state;
    static const struct {
        int number;
        uint32_t j;
        uint64_t node;
    } cases[] = {
        {10, 0, 57},          {10, 1, 36},          {11, 0, 52541},        {11, 1, 97269},
        {13, 0, 843473987},   {13, 1, 645758691},   {13, 2, 947741690},    {13, 17, 222867829},
        {13, 18, 855910595},  {13, 179, 670108334}, {14, 0, 367629188},    {14, 17, 900379275},
        {14, 18, 1360061321}, {14, 179, 229278665}, {8, 0, 182997987},     {8, 17, 879573481},
        {8, 179, 1069034375}, {4, 0, 2020948904},   {4, 100, 925239661},   {4, 179, 1123126627},
        {18, 0, 738201150},   {18, 179, 147060978}, {18, 2267, 973952860}, {15, 0, 36},
        {15, 17, 43},         {15, 18, 18},
    };
    weir_node replica_id, seed, comm_r;
    for (unsigned i = 0; i < 32; i++) {
        replica_id.b[i] = (uint8_t)(i + 1);
        seed.b[i] = (uint8_t)(3 * i + 1);
        comm_r.b[i] = (uint8_t)(7 * i + 5);
    }
    comm_r.b[31] = 0x31;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(weir_porep_challenge_of(weir_registered_porep_by_number(cases[i].number),
                                                 &replica_id, &comm_r, seed.b, cases[i].j),
                         cases[i].node);
}

/* ---- sealed sectors */

typedef struct sector {
    json_t *json;
    weir_registered_porep reg; /* 4, 16 and 32 KiB have the number of another size */
    weir_porep_public pub;
    uint8_t prover_id[32], ticket[32];
    uint64_t number;
} sector;

static void hex32(json_t *j, const char *key, void *out)
{
    tk_hex_bytes(tk_str(j, key), out, 32);
}

static void load_sector(sector *s, const char *folder)
{
    char path[64];
    uint8_t id[32];
    snprintf(path, sizeof path, "%s/sector.json", folder);
    s->json = tk_json(path);
    hex32(s->json, "porep_id", id);
    s->reg = *weir_registered_porep_by_number((int)weir_load_le64(id));
    s->reg.shape =
        weir_porep_shape_by_size((uint64_t)json_integer_value(tk_get(s->json, "sector_size")));
    assert_non_null(s->reg.shape);
    s->pub.registered = &s->reg;
    hex32(s->json, "replica_id", s->pub.replica_id.b);
    hex32(s->json, "comm_d", s->pub.comm_d.b);
    hex32(s->json, "comm_r", s->pub.comm_r.b);
    hex32(s->json, "seed", s->pub.seed);
    hex32(s->json, "prover_id", s->prover_id);
    hex32(s->json, "ticket", s->ticket);
    s->number = (uint64_t)json_integer_value(tk_get(s->json, "sector_id"));
}

static void check_parents(const sector *s, const char *folder)
{
    char path[64];
    snprintf(path, sizeof path, "%s/parents.json", folder);
    json_t *j = tk_json(path), *all = tk_get(j, "drg_then_expander_parents_of_node");
    assert_int_equal(json_array_size(all), 1u << s->reg.shape->nodes_log2);
    for (size_t v = 0; v < json_array_size(all); v++) {
        uint64_t p[WEIR_POREP_PARENTS];
        weir_porep_parents(&s->reg, v, p);
        for (size_t i = 0; i < WEIR_POREP_PARENTS; i++)
            assert_int_equal(p[i], json_integer_value(json_array_get(json_array_get(all, v), i)));
    }
    json_decref(j);
}

static void check_partition(const sector *s, unsigned k, json_t *challenges, json_t *inputs)
{
    weir_errinfo ei = {0};
    weir_fr got[3 + WEIR_POREP_INPUTS_PER_CHALLENGE * 18], want;
    size_t per = s->reg.shape->challenges;
    assert_int_equal(json_array_size(challenges), per);
    for (size_t i = 0; i < per; i++)
        assert_int_equal(weir_porep_challenge_of(&s->reg, &s->pub.replica_id, &s->pub.comm_r,
                                                 s->pub.seed, (uint32_t)(k * per + i)),
                         json_integer_value(json_array_get(challenges, i)));
    assert_int_equal(json_array_size(inputs), 3 + WEIR_POREP_INPUTS_PER_CHALLENGE * per);
    assert_int_equal(weir_porep_public_inputs(got, &s->pub, k, &ei), WEIR_OK);
    for (size_t i = 0; i < json_array_size(inputs); i++) {
        tk_hex_fr(json_string_value(json_array_get(inputs, i)), &want);
        assert_true(fr_eq(&got[i], &want));
    }
}

static void test_sectors(void **state)
{
    (void)state;
    static const char *const folders[] = {"porep-2k-5", "porep-2k-15", "porep-4k-5", "porep-16k-5",
                                          "porep-32k-5"};
    for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
        sector s;
        weir_node id;
        load_sector(&s, folders[f]);
        weir_porep_replica_id(&id, &s.reg, s.prover_id, s.number, s.ticket, &s.pub.comm_d);
        assert_memory_equal(id.b, s.pub.replica_id.b, 32);
        check_parents(&s, folders[f]);
        json_t *challenges = tk_get(s.json, "challenges_of_partition");
        json_t *inputs = tk_get(s.json, "public_inputs_of_partition");
        assert_int_equal(json_array_size(challenges), s.reg.partitions);
        for (unsigned k = 0; k < s.reg.partitions; k++)
            check_partition(&s, k, json_array_get(challenges, k), json_array_get(inputs, k));
        json_decref(s.json);
    }
}

static void test_public_refused(void **state)
{
    (void)state;
    sector s;
    weir_fr out[3 + 2 * WEIR_POREP_INPUTS_PER_CHALLENGE];
    load_sector(&s, "porep-2k-5");
    static const char *const names[] = {"replica_id", "comm_d", "comm_r"};
    weir_node *fields[] = {&s.pub.replica_id, &s.pub.comm_d, &s.pub.comm_r};
    for (unsigned i = 0; i < 3; i++) {
        weir_errinfo ei = {0};
        weir_node kept = *fields[i];
        memset(fields[i], 0xff, sizeof *fields[i]);
        assert_int_equal(weir_porep_public_inputs(out, &s.pub, 0, &ei), WEIR_E_RANGE);
        assert_non_null(strstr(ei.text, names[i]));
        *fields[i] = kept;
    }
    weir_errinfo ei = {0};
    assert_int_equal(weir_porep_public_inputs(out, &s.pub, 1, &ei), WEIR_E_RANGE);
    json_decref(s.json);
}

/* ---- sealing: labels, replica, trees of a whole sector */

static weir_node *load_nodes(const char *folder, const char *name, size_t at_least)
{
    char path[96];
    size_t n;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    uint8_t *p = tk_vector(path, &n);
    assert_true(n >= at_least * sizeof(weir_node));
    return (weir_node *)(void *)p;
}

static void no_fill(weir_node *out, void *ctx, unsigned level, uint64_t number)
{
    (void)out;
    (void)ctx;
    fail_msg("node %llu of level %u is known", (unsigned long long)number, level);
}

static void label_sector(weir_label_set *set, const sector *s)
{
    weir_errinfo ei = {0};
    unsigned layers = s->reg.shape->layers;
    set->n = (size_t)1 << s->reg.shape->nodes_log2;
    set->number = weir_malloc(set->n, sizeof *set->number);
    set->labelled = weir_malloc(set->n, sizeof *set->labelled);
    set->rows = weir_calloc(set->n * layers, sizeof *set->rows);
    assert_true(set->number && set->labelled && set->rows);
    for (size_t i = 0; i < set->n; i++) {
        set->number[i] = i;
        set->labelled[i] = true;
    }
    assert_int_equal(weir_label_set_compute(set, &s->reg, &s->pub.replica_id, &ei), WEIR_OK);
}

static void check_layers(const weir_label_set *set, const char *folder, unsigned layers)
{
    for (unsigned layer = 1; layer <= layers; layer++) {
        char name[64];
        snprintf(name, sizeof name, "cache-sc-02-data-layer-%u.dat", layer);
        weir_node *want = load_nodes(folder, name, set->n);
        for (size_t i = 0; i < set->n; i++)
            assert_memory_equal(set->rows[i * layers + layer - 1].b, want[i].b, 32);
        free(want);
    }
}

static void check_replica(weir_node *replica, const weir_label_set *set, const char *folder,
                          unsigned layers)
{
    weir_node *data = load_nodes(folder, "staged.bin", set->n);
    weir_node *want = load_nodes(folder, "sealed.bin", set->n);
    for (size_t i = 0; i < set->n; i++)
        weir_porep_encode(&replica[i], &set->rows[i * layers + layers - 1], &data[i]);
    assert_memory_equal(replica, want, set->n * sizeof *replica);
    free(data);
    free(want);
}

static void check_roots(const sector *s, const char *folder, const weir_label_set *set,
                        const weir_node *replica)
{
    weir_errinfo ei = {0};
    weir_porep_hashes h;
    weir_sparse_tree c, r;
    weir_node *column = weir_malloc(set->n, sizeof *column), comm_r;
    assert_non_null(column);
    assert_int_equal(weir_porep_hashes_init(&h, s->reg.shape, &ei), WEIR_OK);
    weir_porep_hash(h.arity[s->reg.shape->layers], column, set->rows, set->n);
    weir_sparse_leaves of_c = {set->number, column, set->n}, of_r = {set->number, replica, set->n};
    assert_int_equal(weir_sparse_tree_init(&c, s->reg.shape, &h, &of_c, no_fill, NULL, &ei),
                     WEIR_OK);
    assert_int_equal(weir_sparse_tree_init(&r, s->reg.shape, &h, &of_r, no_fill, NULL, &ei),
                     WEIR_OK);
    weir_node *p_aux = load_nodes(folder, "cache-p_aux", 2);
    assert_memory_equal(c.root.b, p_aux[0].b, 32);
    assert_memory_equal(r.root.b, p_aux[1].b, 32);
    weir_porep_hash(h.arity[2], &comm_r, p_aux, 1);
    assert_memory_equal(comm_r.b, s->pub.comm_r.b, 32);
    free(p_aux);
    weir_sparse_tree_clear(&c);
    weir_sparse_tree_clear(&r);
    weir_porep_hashes_clear(&h);
    weir_free(column);
}

static void test_seal(void **state)
{
    (void)state;
    static const char *const folders[] = {"porep-2k-5", "porep-2k-15"};
    for (unsigned f = 0; f < 2; f++) {
        sector s;
        weir_label_set set;
        weir_node replica[64];
        load_sector(&s, folders[f]);
        label_sector(&set, &s);
        assert_int_equal(set.n, 64);
        check_layers(&set, folders[f], s.reg.shape->layers);
        check_replica(replica, &set, folders[f], s.reg.shape->layers);
        check_roots(&s, folders[f], &set, replica);
        weir_free(set.rows);
        weir_free(set.labelled);
        weir_free(set.number);
        json_decref(s.json);
    }
}

/* A set without a parent of a labelled node is refused, not read past its end. */
static void test_label_set_incomplete(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    uint64_t number[] = {20, 30};
    bool labelled[] = {false, true};
    weir_node rows[4] = {{{0}}}, replica_id = {{1}};
    weir_label_set set = {number, labelled, rows, 2};
    assert_int_equal(weir_label_set_find(&set, 20), 0);
    assert_int_equal(weir_label_set_find(&set, 30), 1);
    assert_int_equal(weir_label_set_find(&set, 25), 2);
    assert_int_equal(
        weir_label_set_compute(&set, weir_registered_porep_by_number(5), &replica_id, &ei),
        WEIR_E_INTERNAL);
}

static void test_tree_d(void **state)
{
    (void)state;
    weir_node *data = load_nodes("porep-2k-5", "staged.bin", 64), node[64];
    weir_node *tree = load_nodes("porep-2k-5", "cache-sc-02-data-tree-d.dat", 127);
    size_t at = 64;
    memcpy(node, data, sizeof node);
    for (size_t n = 32; n > 0; n /= 2) {
        for (size_t i = 0; i < n; i++) weir_porep_hash_d(&node[i], &node[2 * i], &node[2 * i + 1]);
        assert_memory_equal(node, tree + at, n * sizeof *node);
        at += n;
    }
    free(tree);
    free(data);
}

/* ---- Commit Phase 1 outputs of the sealed sectors, read here with a plain JSON tree */

static void json_node(weir_node *out, json_t *bytes)
{
    assert_int_equal(json_array_size(bytes), 32);
    for (size_t i = 0; i < 32; i++)
        out->b[i] = (uint8_t)json_integer_value(json_array_get(bytes, i));
}

static void json_path(weir_path *p, json_t *proof)
{
    static const char *const parts[] = {"path", "base_proof", "sub_proof", "top_proof"};
    json_t *data = json_object_iter_value(json_object_iter(tk_get(proof, "data")));
    weir_node *sibling = p->siblings;
    uint8_t *index = p->index;
    json_node(&p->leaf, tk_get(data, "leaf"));
    json_node(&p->root, tk_get(data, "root"));
    for (unsigned i = 0; i < 4; i++) {
        json_t *part = json_object_get(data, parts[i]), *level, *hash;
        size_t k, m;
        if (!part) continue;
        json_array_foreach(tk_get(part, "path"), k, level)
        {
            json_array_foreach(tk_get(level, "hashes"), m, hash) json_node(sibling++, hash);
            *index++ = (uint8_t)json_integer_value(tk_get(level, "index"));
        }
    }
}

static void json_column(weir_column_proof *p, json_t *proof)
{
    json_t *column = tk_get(proof, "column"), *rows = tk_get(column, "rows");
    p->node = (uint32_t)json_integer_value(tk_get(column, "index"));
    for (size_t i = 0; i < json_array_size(rows); i++)
        json_node(&p->rows[i], json_array_get(rows, i));
    json_path(&p->path, tk_get(proof, "inclusion_proof"));
}

static void json_challenge(weir_porep_challenge *c, json_t *proof)
{
    json_t *columns = tk_get(proof, "replica_column_proofs");
    json_t *labels = tk_get(proof, "labeling_proofs");
    c->node = (uint64_t)json_integer_value(tk_get(json_array_get(labels, 0), "node"));
    json_path(&c->d, tk_get(proof, "comm_d_proofs"));
    json_path(&c->r_last, tk_get(proof, "comm_r_last_proof"));
    json_column(&c->c_x, tk_get(columns, "c_x"));
    for (size_t i = 0; i < WEIR_POREP_PARENTS; i++)
        json_column(&c->parents[i], i < WEIR_POREP_DRG_PARENTS
                                        ? json_array_get(tk_get(columns, "drg_parents"), i)
                                        : json_array_get(tk_get(columns, "exp_parents"),
                                                         i - WEIR_POREP_DRG_PARENTS));
}

static weir_porep_input *json_input(const sector *s, const char *folder)
{
    char path[64];
    weir_errinfo ei = {0};
    weir_porep_input *in;
    snprintf(path, sizeof path, "%s/c1.json", folder);
    json_t *j = tk_json(path), *partitions = tk_get(j, "vanilla_proofs");
    assert_int_equal(json_array_size(partitions), s->reg.partitions);
    assert_int_equal(weir_porep_input_new(&in, s->reg.shape, s->reg.partitions,
                                          s->reg.shape->challenges, NULL, &ei),
                     WEIR_OK);
    in->registered = &s->reg;
    json_node(&in->comm_r, tk_get(j, "comm_r"));
    json_node(&in->comm_d, tk_get(j, "comm_d"));
    json_node(&in->replica_id, tk_get(j, "replica_id"));
    json_node(&in->seed, tk_get(j, "seed"));
    json_node(&in->ticket, tk_get(j, "ticket"));
    for (unsigned k = 0; k < in->partitions; k++)
        for (unsigned i = 0; i < in->challenges; i++)
            json_challenge(&in->challenge[k * in->challenges + i],
                           json_array_get(json_array_get(partitions, k), i));
    json_decref(j);
    return in;
}

static void test_sealed_c1(void **state)
{
    (void)state;
    static const char *const folders[] = {"porep-2k-5", "porep-2k-15", "porep-4k-5", "porep-16k-5",
                                          "porep-32k-5"};
    for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
        sector s;
        weir_errinfo ei = {0};
        load_sector(&s, folders[f]);
        weir_porep_input *in = json_input(&s, folders[f]);
        const weir_exec x = {.isa = WEIR_ISA_PORTABLE};
        if (weir_porep_native_check(in, &x, &ei) != WEIR_OK)
            fail_msg("%s: %s", folders[f], ei.text);
        weir_porep_input_free(in);
        json_decref(s.json);
    }
}

/* ---- memory of an input */

static void test_input_new(void **state)
{
    (void)state;
    const weir_porep_shape *s = weir_porep_shape_by_name("64GiB");
    weir_porep_input *in;
    weir_errinfo ei = {0};
    assert_int_equal(weir_porep_input_new(&in, s, 0, 1, NULL, &ei), WEIR_E_RANGE);
    assert_int_equal(weir_porep_input_new(&in, s, 127, 1, NULL, &ei), WEIR_E_RANGE);
    assert_int_equal(weir_porep_input_new(&in, s, 1, 0, NULL, &ei), WEIR_E_RANGE);
    assert_int_equal(weir_porep_input_new(&in, s, 1, 19, NULL, &ei), WEIR_E_RANGE);
    assert_null(in);
    for (unsigned nth = 1; nth <= 2; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_porep_input_new(&in, s, 1, 1, NULL, &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
    }
    assert_int_equal(weir_porep_input_new(&in, s, 2, 3, NULL, &ei), WEIR_OK);
    /* The last places of the arena: within it, zero, and writable without touching another. */
    weir_porep_challenge *last = &in->challenge[5];
    weir_path *p = &last->parents[WEIR_POREP_PARENTS - 1].path;
    assert_ptr_equal(p->index + weir_porep_tree_levels(s),
                     (uint8_t *)in->_arena + in->_arena_bytes);
    assert_ptr_equal(p->siblings + weir_porep_tree_siblings(s), in->challenge[0].d.index);
    assert_true(in->_arena_bytes / 6 < 64 * 1024);
    assert_int_equal(p->siblings[70].b[31], 0);
    weir_porep_input_free(in);
    weir_porep_input_free(NULL);
}

/* From slabs: mapped once for inputs one after another, and zero each time. */
static void test_input_slabs(void **state)
{
    (void)state;
    const weir_porep_shape *s = weir_porep_shape_by_name("32GiB");
    weir_slabs *slabs;
    weir_slabs_stats stats;
    weir_errinfo ei = {0};
    assert_int_equal(weir_slabs_new(&slabs, NULL, &ei), WEIR_OK);
    for (int i = 0; i < 3; i++) {
        weir_porep_input *in;
        assert_int_equal(weir_porep_input_new(&in, s, 10, 18, slabs, &ei), WEIR_OK);
        weir_slabs_count(slabs, &stats);
        assert_true(stats.used >= in->_arena_bytes);
        assert_int_equal(weir_porep_input_bytes(s, 10, 18), in->_arena_bytes + sizeof *in);
        weir_node *leaf = &in->challenge[179].c_x.path.leaf;
        assert_int_equal(leaf->b[5], 0);
        memset(leaf, 7, sizeof *leaf);
        weir_porep_input_free(in);
    }
    weir_slabs_count(slabs, &stats);
    assert_true(stats.maps == 1 && stats.unmaps == 0 && stats.used == 0);
    weir_slabs_free(slabs);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_registered),
        cmocka_unit_test(test_chacha),
        cmocka_unit_test(test_mod),
        cmocka_unit_test(test_parents_known),
        cmocka_unit_test(test_parents_properties),
        cmocka_unit_test(test_challenges_known),
        cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_public_refused),
        cmocka_unit_test(test_seal),
        cmocka_unit_test(test_label_set_incomplete),
        cmocka_unit_test(test_tree_d),
        cmocka_unit_test(test_sealed_c1),
        cmocka_unit_test(test_input_new),
        cmocka_unit_test(test_input_slabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
