/* JSON of Commit Phase 1 that must be refused: what is wrong, which code, and where the message
 * says it is. */
#include "formats_common.h"

/* r and r - 1, least significant byte first. */
static const uint8_t r_le[32] = {0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xfe, 0x5b, 0xfe,
                                 0xff, 0x02, 0xa4, 0xbd, 0x53, 0x05, 0xd8, 0xa1, 0x09, 0x08, 0xd8,
                                 0x39, 0x33, 0x48, 0x7d, 0x9d, 0x29, 0x53, 0xa7, 0xed, 0x73};

static json_t *bytes_json(const uint8_t b[32])
{
    json_t *a = json_array();
    for (int i = 0; i < 32; i++) json_array_append_new(a, json_integer(b[i]));
    return a;
}

/* The container and last step of a path like "vanilla_proofs.0.1.c_x". */
static json_t *container(json_t *root, const char *path, char last[64])
{
    json_t *v = root;
    for (;;) {
        size_t n = strcspn(path, ".");
        assert_true(n < 64);
        memcpy(last, path, n);
        last[n] = 0;
        if (!path[n]) return v;
        v = json_is_array(v) ? json_array_get(v, (size_t)atoi(last)) : json_object_get(v, last);
        if (!v) fail_msg("no %s", last);
        path += n + 1;
    }
}

static json_t *value_at(json_t *root, const char *path)
{
    char last[64];
    json_t *c = container(root, path, last);
    return json_is_array(c) ? json_array_get(c, (size_t)atoi(last)) : json_object_get(c, last);
}

/* Puts a new value (taken over) there; NULL removes it. */
static void put_at(json_t *root, const char *path, json_t *v)
{
    char last[64];
    json_t *c = container(root, path, last);
    if (json_is_array(c))
        assert_int_equal(v ? json_array_set_new(c, (size_t)atoi(last), v)
                           : json_array_remove(c, (size_t)atoi(last)),
                         0);
    else
        assert_int_equal(v ? json_object_set_new(c, last, v) : json_object_del(c, last), 0);
}

typedef struct edit {
    const char *path;
    const char
        *value; /* JSON text; "" removes; "+" appends a copy of the last item; "r": the modulus */
    weir_err err;
    const char *says;
} edit;

static void apply(json_t *root, const edit *e)
{
    if (!e->value[0]) {
        put_at(root, e->path, NULL);
    } else if (strcmp(e->value, "+") == 0) {
        json_t *a = value_at(root, e->path);
        json_array_append_new(a, json_deep_copy(json_array_get(a, json_array_size(a) - 1)));
    } else if (strcmp(e->value, "r") == 0) {
        put_at(root, e->path, bytes_json(r_le));
    } else {
        json_t *v = json_loads(e->value, JSON_DECODE_ANY, NULL);
        assert_non_null(v);
        put_at(root, e->path, v);
    }
}

static void refuse_edits(const char *file, const edit *edits, size_t n)
{
    json_t *good = tk_json(file);
    for (size_t i = 0; i < n; i++) {
        json_t *bad = json_deep_copy(good);
        apply(bad, &edits[i]);
        char *text = json_dumps(bad, JSON_COMPACT);
        refuse_c1(text, strlen(text), edits[i].err, edits[i].says);
        free(text);
        json_decref(bad);
    }
    json_decref(good);
}

#define P      "vanilla_proofs.0.1."
#define Q      "vanilla_proofs[0][1]."
#define SINGLE "data.Single."

static void damaged_filecoin_proofs_form(void **state)
{
    (void)state;
    static const edit edits[] = {
        /* fields that are not there */
        {"vanilla_proofs", "", WEIR_E_FORMAT, "without \"vanilla_proofs\""},
        {"comm_r", "", WEIR_E_FORMAT, "without \"comm_r\""},
        {"comm_d", "", WEIR_E_FORMAT, "without \"comm_d\""},
        {"replica_id", "", WEIR_E_FORMAT, "without \"replica_id\""},
        {"seed", "", WEIR_E_FORMAT, "without \"seed\""},
        {"ticket", "", WEIR_E_FORMAT, "without \"ticket\""},
        {P "comm_d_proofs", "", WEIR_E_FORMAT, "without \"comm_d_proofs\""},
        {P "comm_r_last_proof", "", WEIR_E_FORMAT, "vanilla_proofs[0][1]"},
        {P "replica_column_proofs", "", WEIR_E_FORMAT, "without \"replica_column_proofs\""},
        {P "labeling_proofs", "", WEIR_E_FORMAT, "without \"labeling_proofs\""},
        {P "encoding_proof", "", WEIR_E_FORMAT, "without \"encoding_proof\""},
        {P "comm_d_proofs." SINGLE "root", "", WEIR_E_FORMAT, "without \"root\""},
        {P "comm_d_proofs." SINGLE "leaf", "", WEIR_E_FORMAT, Q "comm_d_proofs.data.Single"},
        {P "comm_d_proofs." SINGLE "path", "", WEIR_E_FORMAT, "without \"path\""},
        {P "comm_d_proofs." SINGLE "path.path", "", WEIR_E_FORMAT, "without \"path\""},
        {P "comm_d_proofs." SINGLE "path.path.2.index", "", WEIR_E_FORMAT, "without \"index\""},
        {P "comm_d_proofs." SINGLE "path.path.2.hashes", "", WEIR_E_FORMAT, "path.path[2]"},
        {P "replica_column_proofs.c_x", "", WEIR_E_FORMAT, "without \"c_x\""},
        {P "replica_column_proofs.exp_parents", "", WEIR_E_FORMAT, "without \"exp_parents\""},
        {P "replica_column_proofs.c_x.column", "", WEIR_E_FORMAT, "without \"column\""},
        {P "replica_column_proofs.c_x.column.rows", "", WEIR_E_FORMAT, "without \"rows\""},
        {P "replica_column_proofs.c_x.inclusion_proof", "", WEIR_E_FORMAT,
         "without \"inclusion_proof\""},
        {P "labeling_proofs.1.node", "", WEIR_E_FORMAT, Q "labeling_proofs[1]"},
        {P "labeling_proofs.1.parents", "", WEIR_E_FORMAT, "without \"parents\""},
        {P "encoding_proof.layer_index", "", WEIR_E_FORMAT, Q "encoding_proof"},
        /* one too many, one too few */
        {"vanilla_proofs", "+", WEIR_E_MISMATCH, "2 partitions"},
        {"vanilla_proofs.0", "+", WEIR_E_MISMATCH, "3 challenges"},
        {"vanilla_proofs.0.1", "", WEIR_E_MISMATCH, "1 challenges"},
        {"vanilla_proofs", "[]", WEIR_E_MISMATCH, "no proof in it"},
        {"vanilla_proofs", "[[]]", WEIR_E_MISMATCH, "no proof in it"},
        {"vanilla_proofs", "[[],[]]", WEIR_E_MISMATCH, "no proof in it"},
        {"vanilla_proofs", "[{}]", WEIR_E_FORMAT, "an array is expected"},
        {"vanilla_proofs", "[[0]]", WEIR_E_FORMAT, "vanilla_proofs[0][0]: an object is expected"},
        {"vanilla_proofs", "[[{}]]", WEIR_E_FORMAT, "without \"comm_d_proofs\""},
        {"vanilla_proofs", "null", WEIR_E_FORMAT, "an array is expected"},
        {"vanilla_proofs", "{}", WEIR_E_FORMAT, "the object is empty"},
        {P "comm_d_proofs." SINGLE "path.path", "+", WEIR_E_MISMATCH, "more than 6 levels"},
        {P "comm_d_proofs." SINGLE "path.path.5", "", WEIR_E_MISMATCH,
         "5 levels, but there must be 6"},
        {P "comm_d_proofs." SINGLE "path.path.0.hashes", "+", WEIR_E_MISMATCH,
         "more than 1 siblings"},
        {P "comm_d_proofs." SINGLE "path.path.0.hashes", "[]", WEIR_E_MISMATCH,
         "0 siblings, but there must be 1"},
        {P "comm_r_last_proof." SINGLE "path.path", "+", WEIR_E_MISMATCH, "more than 2 levels"},
        {P "comm_r_last_proof." SINGLE "path.path.1.hashes.6", "", WEIR_E_MISMATCH,
         "6 siblings, but there must be 7"},
        {P "replica_column_proofs.drg_parents", "+", WEIR_E_MISMATCH, "more than 6 parents"},
        {P "replica_column_proofs.drg_parents.5", "", WEIR_E_MISMATCH,
         "5 parents, but there must be 6"},
        {P "replica_column_proofs.exp_parents", "+", WEIR_E_MISMATCH, "more than 8 parents"},
        {P "replica_column_proofs.exp_parents.0", "", WEIR_E_MISMATCH,
         "7 parents, but there must be 8"},
        {P "replica_column_proofs.exp_parents.3.column.rows", "+", WEIR_E_MISMATCH,
         "more than 2 rows"},
        {P "replica_column_proofs.exp_parents.3.column.rows.0", "", WEIR_E_MISMATCH, "1 rows"},
        {P "labeling_proofs", "+", WEIR_E_MISMATCH, "more than 2 labelling proofs"},
        {P "labeling_proofs.1", "", WEIR_E_MISMATCH, "1 labelling proofs, but there must be 2"},
        {P "labeling_proofs.0.parents", "+", WEIR_E_MISMATCH, "more than 37 parents"},
        {P "encoding_proof.parents.7", "", WEIR_E_MISMATCH, "36 parents of a label"},
        /* numbers */
        {P "comm_d_proofs." SINGLE "path.path.0.index", "2", WEIR_E_RANGE, "must be below 2"},
        {P "comm_d_proofs." SINGLE "path.path.0.index", "-1", WEIR_E_RANGE,
         "path.path[0].index: a whole number"},
        {P "comm_d_proofs." SINGLE "path.path.0.index", "0.5", WEIR_E_RANGE, "a whole number"},
        {P "comm_r_last_proof." SINGLE "path.path.1.index", "8", WEIR_E_RANGE, "must be below 8"},
        {P "comm_r_last_proof." SINGLE "path.path.1.index", "256", WEIR_E_RANGE, "must be below 8"},
        {P "comm_r_last_proof." SINGLE "path.path.1.index", "4294967296", WEIR_E_RANGE,
         "must be below 8"},
        {P "comm_r_last_proof." SINGLE "path.path.1.index", "\"0\"", WEIR_E_FORMAT,
         "a number is expected"},
        {P "replica_column_proofs.c_x.column.index", "64", WEIR_E_RANGE,
         "node 64, but the sector has 64 nodes"},
        {P "replica_column_proofs.c_x.column.index", "4294967298", WEIR_E_RANGE,
         "c_x.column.index"},
        {P "labeling_proofs.0.node", "64", WEIR_E_RANGE, "labeling_proofs[0].node: node 64"},
        {P "labeling_proofs.1.node", "5", WEIR_E_MISMATCH,
         "labeling_proofs[1]: the label of node 5"},
        {P "encoding_proof.node", "5", WEIR_E_MISMATCH, "node 5"},
        {P "labeling_proofs.0.layer_index", "2", WEIR_E_MISMATCH, "layer 2, but must be 1"},
        {P "encoding_proof.layer_index", "1", WEIR_E_MISMATCH, "layer 1, but must be 2"},
        /* nodes */
        {"comm_r", "r", WEIR_E_RANGE, "comm_r: the value is not below the modulus"},
        {"comm_d", "r", WEIR_E_RANGE, "comm_d"},
        {"replica_id", "r", WEIR_E_RANGE, "replica_id"},
        {P "comm_d_proofs." SINGLE "root", "r", WEIR_E_RANGE, Q "comm_d_proofs.data.Single.root"},
        {P "comm_d_proofs." SINGLE "path.path.3.hashes.0", "r", WEIR_E_RANGE,
         "path.path[3].hashes[0]"},
        {P "replica_column_proofs.drg_parents.2.column.rows.1", "r", WEIR_E_RANGE,
         "drg_parents[2].column.rows[1]"},
        {P "labeling_proofs.1.parents.36", "r", WEIR_E_RANGE, "labeling_proofs[1].parents[36]"},
        {P "encoding_proof.parents.0", "r", WEIR_E_RANGE, "encoding_proof.parents[0]"},
        {"comm_r.31", "256", WEIR_E_FORMAT, "byte 31 of a 32-byte value"},
        {"comm_r.31", "", WEIR_E_FORMAT, "fewer bytes"},
        {"comm_r", "+", WEIR_E_FORMAT, "more bytes"},
        {"seed", "\"00\"", WEIR_E_FORMAT, "seed: an array of 32 bytes is expected"},
        /* kinds */
        {P "comm_d_proofs.data", "{\"Sub\":{}}", WEIR_E_MISMATCH, "kind Single is expected"},
        {P "comm_r_last_proof.data", "{\"Sub\":{}}", WEIR_E_MISMATCH, "comm_r_last_proof.data.Sub"},
        {P "comm_r_last_proof.data", "{}", WEIR_E_MISMATCH, "kind Single is expected"},
        {P "comm_r_last_proof.data.Top", "{}", WEIR_E_FORMAT, "this is a second"},
        {"vanilla_proofs.0.0.comm_d_proofs." SINGLE "path.path.5", "", WEIR_E_MISMATCH,
         "5 levels: no sector size"},
        {"vanilla_proofs.0.0.comm_d_proofs." SINGLE "path.path", "+", WEIR_E_MISMATCH,
         "kind Sub is expected"},
        {"vanilla_proofs.0.0.comm_d_proofs." SINGLE "path.path",
         "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", WEIR_E_MISMATCH,
         "cannot hold 1 x 2 proofs of a 8MiB"},
        /* forms mixed up */
        {"registered_proof", "\"StackedDrg2KiBV1_1\"", WEIR_E_FORMAT,
         "do not stand under the name"},
        {"registered_proof", "\"StackedDrg3KiBV1\"", WEIR_E_UNSUPPORTED,
         "registered_proof: \"StackedDrg3KiBV1\""},
        {"Phase1Out", "\"\"", WEIR_E_FORMAT, "both \"Phase1Out\" and \"vanilla_proofs\""},
    };
    refuse_edits("porep-2k-5/c1.json", edits, sizeof edits / sizeof edits[0]);
}

static void damaged_compound_trees(void **state)
{
    (void)state;
    static const edit sub[] = {
        {P "comm_r_last_proof.data.Sub.sub_proof", "", WEIR_E_FORMAT, "without \"sub_proof\""},
        {P "comm_r_last_proof.data.Sub.sub_proof.path.0.index", "2", WEIR_E_RANGE,
         "sub_proof.path[0].index"},
        {P "comm_r_last_proof.data.Sub.base_proof.path", "+", WEIR_E_MISMATCH,
         "more than 2 levels"},
        {P "comm_r_last_proof.data.Sub.sub_proof.path", "[]", WEIR_E_MISMATCH,
         "0 levels, but there must be 1"},
        {P "comm_r_last_proof.data", "{\"Single\":{}}", WEIR_E_MISMATCH, "kind Sub is expected"},
        {P "replica_column_proofs.c_x.inclusion_proof.data", "{\"Top\":{}}", WEIR_E_MISMATCH,
         "kind Sub is expected"},
    };
    static const edit top[] = {
        {P "comm_r_last_proof.data.Top.top_proof", "", WEIR_E_FORMAT, "without \"top_proof\""},
        {P "comm_r_last_proof.data.Top.top_proof.path.0.index", "2", WEIR_E_RANGE,
         "must be below 2"},
        {P "comm_r_last_proof.data.Top.sub_proof.path.0.index", "8", WEIR_E_RANGE,
         "must be below 8"},
        {P "comm_r_last_proof.data", "{\"Sub\":{}}", WEIR_E_MISMATCH, "kind Top is expected"},
    };
    refuse_edits("porep-4k-5/c1.json", sub, sizeof sub / sizeof sub[0]);
    refuse_edits("porep-32k-5/c1.json", top, sizeof top / sizeof top[0]);
}

static void damaged_api_form(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"registered_proof", "", WEIR_E_FORMAT, "there is no \"registered_proof\""},
        {"registered_proof", "5", WEIR_E_FORMAT, "registered_proof: a string is expected"},
        {"registered_proof", "\"\"", WEIR_E_UNSUPPORTED, "no registered seal proof"},
        {"registered_proof", "\"StackedDrg8MiBV1_1\"", WEIR_E_MISMATCH,
         "paths are those of a 2KiB sector"},
        {"registered_proof", "\"StackedDrg2KiBV1_2_Feat_NonInteractivePoRep\"", WEIR_E_MISMATCH,
         "has 13"},
        {"registered_proof",
         "\"StackedDrg2KiBV1_1 and a name that is so long that it can be no seal proof at all\"",
         WEIR_E_FORMAT, "longer than"},
        {"vanilla_proofs.second", "[[]]", WEIR_E_FORMAT, "vanilla_proofs.second: a second key"},
    };
    refuse_edits("porep-2k-5/c1-api.json", edits, sizeof edits / sizeof edits[0]);
    json_t *api = tk_json("porep-2k-5/c1-api.json");
    json_t *proofs = json_deep_copy(value_at(api, "vanilla_proofs.StackedDrg2KiBV1"));
    json_t *wrapped = json_object();
    json_object_set_new(wrapped, "StackedDrg2KiBV1_1", proofs);
    put_at(api, "vanilla_proofs", wrapped);
    char *text = json_dumps(api, 0);
    refuse_c1(text, strlen(text), WEIR_E_MISMATCH, "under the name \"StackedDrg2KiBV1\"");
    free(text);
    json_decref(api);
}

static void damaged_outer_form(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"SectorNum", "", WEIR_E_FORMAT, "without \"SectorNum\""},
        {"SectorSize", "", WEIR_E_FORMAT, "without \"SectorSize\""},
        {"Phase1Out", "", WEIR_E_FORMAT, "without \"vanilla_proofs\""},
        {"SectorSize", "4096", WEIR_E_MISMATCH, "SectorSize is 4096"},
        {"SectorSize", "\"2048\"", WEIR_E_FORMAT, "SectorSize: a number"},
        {"SectorNum", "-1", WEIR_E_RANGE, "SectorNum"},
        {"Phase1Out", "{}", WEIR_E_FORMAT, "Phase1Out: a string is expected"},
        {"Phase1Out", "\"\"", WEIR_E_TRUNCATED, "Phase1Out, decoded: byte 0"},
        {"Phase1Out", "\"e30\"", WEIR_E_FORMAT, "multiple of 4"},
        {"Phase1Out", "\"e 30\"", WEIR_E_FORMAT,
         "Phase1Out: base64 character 1 (0x20): white space"},
        {"Phase1Out", "\"e30=\"", WEIR_E_FORMAT,
         "Phase1Out, decoded: byte 1: the object ends here without"},
        {"Phase1Out", "\"eyJhIjpdfQ==\"", WEIR_E_FORMAT, "Phase1Out, decoded: byte 5, a: a value"},
        {"Phase1Out", "\"eyJQaGFzZTFPdXQiOiIiLCJTZWN0b3JOdW0iOjAsIlNlY3RvclNpemUiOjB9\"",
         WEIR_E_FORMAT, "a second \"Phase1Out\" inside"},
        {"comm_r", "[]", WEIR_E_FORMAT, "comm_r"},
        {"seed", "r", WEIR_E_FORMAT, "both \"Phase1Out\" and \"seed\""},
    };
    refuse_edits("porep-2k-5/c1-outer.json", edits, sizeof edits / sizeof edits[0]);
}

static void what_the_caller_expects(void **state)
{
    (void)state;
    static const char *const files[] = {"porep-2k-5/c1.json", "porep-2k-5/c1-api.json",
                                        "porep-2k-5/c1.bincode"};
    for (int i = 0; i < 3; i++) {
        size_t n;
        uint8_t *data = tk_vector(files[i], &n);
        refuse_c1_opts(data, n, &(weir_c1_opts){.shape = weir_porep_shape_by_name("8MiB")},
                       WEIR_E_MISMATCH, "8MiB is expected");
        refuse_c1_opts(data, n, &(weir_c1_opts){.challenges = 1}, WEIR_E_MISMATCH, "2 challenges");
        refuse_c1_opts(data, n, &(weir_c1_opts){.partitions = 2}, WEIR_E_MISMATCH, "1 partitions");
        weir_c1_opts fit = {
            .shape = weir_porep_shape_by_size(2048), .challenges = 2, .partitions = 1};
        weir_porep_input_free(read_c1(data, n, &fit));
        free(data);
    }
}

static void nonsense(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    refuse_c1("", 0, WEIR_E_TRUNCATED, "empty");
    refuse_c1(NULL, 0, WEIR_E_TRUNCATED, "empty");
    refuse_c1("hello", 5, WEIR_E_FORMAT, "neither a JSON object nor bincode");
    refuse_c1("   ", 3, WEIR_E_FORMAT, "neither");
    refuse_c1("[]", 2, WEIR_E_FORMAT, "neither");
    refuse_c1("\0\0\0", 3, WEIR_E_FORMAT, "neither");
    refuse_c1("{}", 2, WEIR_E_FORMAT,
              "without \"vanilla_proofs\"; is this a Commit Phase 1 output?");
    refuse_c1("{", 1, WEIR_E_TRUNCATED, "byte 1");
    refuse_c1("{}{}", 4, WEIR_E_FORMAT, "without");
    refuse_c1("{\"vanilla_proofs\":", 18, WEIR_E_TRUNCATED, "vanilla_proofs");
    char deep[4000];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"x\":", 5);
    refuse_c1(deep, sizeof deep, WEIR_E_FORMAT, "nested more than");
    for (int i = 0; i < 2000; i++) {
        uint8_t noise[300];
        size_t n = 1 + tk_below(&g, sizeof noise);
        tk_bytes(&g, noise, n);
        if (i % 2) noise[0] = '{';
        weir_porep_input *in;
        assert_int_not_equal(weir_c1_read(&in, noise, n, NULL, NULL), WEIR_OK);
        assert_null(in);
    }
}

/* Bytes of the JSON value at p, in text without strings that hold brackets or commas. */
static size_t value_length(const char *p)
{
    int depth = 0;
    for (size_t n = 0;; n++) {
        if (depth == 0 && n && (p[n] == ',' || p[n] == '}' || p[n] == ']')) return n;
        if (p[n] == '{' || p[n] == '[') depth++;
        if (p[n] == '}' || p[n] == ']') depth--;
    }
}

/* Each key once more with the same value; jansson cannot make such a text, so it is edited. */
static void keys_that_stand_twice(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "\"comm_r\":",
        "\"seed\":",
        "\"vanilla_proofs\":",
        "\"comm_d_proofs\":",
        "\"comm_r_last_proof\":",
        "\"encoding_proof\":",
        "\"labeling_proofs\":",
        "\"c_x\":",
        "\"drg_parents\":",
        "\"column\":",
        "\"inclusion_proof\":",
        "\"rows\":",
        "\"index\":",
        "\"root\":",
        "\"leaf\":",
        "\"path\":",
        "\"hashes\":",
        "\"node\":",
        "\"layer_index\":",
        "\"parents\":",
        "\"data\":",
    };
    size_t n;
    char *text = (char *)tk_vector("porep-2k-5/c1.json", &n);
    char *bad = malloc(2 * n + 2);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        unsigned place = 0;
        char *at = text;
        while (place < 5 && (at = memmem(at, n - (size_t)(at - text), keys[i], strlen(keys[i])))) {
            size_t before = (size_t)(at - text),
                   member = strlen(keys[i]) + value_length(at + strlen(keys[i]));
            memcpy(bad, text, before);
            memcpy(bad + before, at, member);
            bad[before + member] = ',';
            memcpy(bad + before + member + 1, at, n - before);
            refuse_c1(bad, n + member + 1, WEIR_E_FORMAT, "the key stands twice in one object");
            place++;
            at++;
        }
        assert_true(place > 0);
    }
    free(bad);
    free(text);
}

/* Cut behind every structural character of the first 3000 bytes, and at 500 random places. */
static void cut_anywhere(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    size_t n;
    uint8_t *text = tk_vector("porep-2k-5/c1.json", &n);
    size_t end = n - 1; /* without the last line feed it is whole */
    for (size_t i = 0; i < 3000; i++)
        if (memchr("{}[]:,\"", text[i], 7))
            refuse_c1(text, i + 1, WEIR_E_TRUNCATED, "the data ends");
    for (int i = 0; i < 500; i++) {
        size_t cut = 1 + tk_below(&g, end - 1);
        refuse_c1(text, cut, WEIR_E_TRUNCATED, "the data ends");
    }
    refuse_c1(text, end - 1, WEIR_E_TRUNCATED, "the data ends");
    weir_porep_input_free(read_c1(text, end, NULL));
    text[end] = '}';
    refuse_c1(text, n, WEIR_E_FORMAT, "1 bytes follow the end of the JSON document");
    free(text);
}

/* One byte in 97 is replaced by something else: never a crash, and never an input together with an
 * error. */
static void one_byte_changed(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    size_t n;
    uint8_t *text = tk_vector("porep-2k-5/c1.json", &n);
    static const uint8_t others[] = "{}[]:,\"0 x\\-.e\x80";
    unsigned accepted = 0;
    for (size_t i = tk_below(&g, 97); i < n; i += 97) {
        uint8_t old = text[i];
        text[i] = others[tk_below(&g, sizeof others - 1)];
        weir_porep_input *in;
        weir_errinfo ei = {0};
        weir_err err = weir_c1_read(&in, text, n, NULL, &ei);
        if (err == WEIR_OK)
            accepted++;
        else
            assert_null(in);
        weir_porep_input_free(in);
        text[i] = old;
    }
    assert_true(accepted > 0); /* a digit became another digit */
    free(text);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_filecoin_proofs_form),
        cmocka_unit_test(damaged_compound_trees),
        cmocka_unit_test(damaged_api_form),
        cmocka_unit_test(damaged_outer_form),
        cmocka_unit_test(what_the_caller_expects),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(keys_that_stand_twice),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(one_byte_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
