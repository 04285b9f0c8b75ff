/* Commit Phase 1 output in JSON: two passes over the text.
 *
 * The keys of an object may stand in any order, so the size of the sector may be known only at the
 * end. The first pass (survey) checks the whole document as JSON, notes where vanilla_proofs
 * begins, counts partitions and challenges and follows the first path of tree D; then memory is
 * taken, and the second pass reads the proofs into it.
 */
#include "base/alloc.h"
#include "formats/base64.h"
#include "formats/c1_layout.h"
#include "formats/json_pull.h"

#include <inttypes.h>
#include <string.h>

enum {
    TOP_PROOFS,
    TOP_COMM_R,
    TOP_COMM_D,
    TOP_REPLICA,
    TOP_SEED,
    TOP_TICKET,
    TOP_REGISTERED,
    TOP_PHASE1,
    TOP_NUMBER,
    TOP_SIZE
};

static const char *const top_names[] = {
    "vanilla_proofs",   "comm_r",    "comm_d",    "replica_id", "seed", "ticket",
    "registered_proof", "Phase1Out", "SectorNum", "SectorSize", NULL};

enum {
    TOP_INNER_REQUIRED = 1 << TOP_PROOFS | 1 << TOP_COMM_R | 1 << TOP_COMM_D | 1 << TOP_REPLICA |
                         1 << TOP_SEED | 1 << TOP_TICKET,
    TOP_OUTER_REQUIRED = 1 << TOP_PHASE1 | 1 << TOP_NUMBER | 1 << TOP_SIZE
};

/* What the first pass finds. */
typedef struct document {
    weir_json proofs; /* the reader, where the value of vanilla_proofs begins */
    uint64_t proofs_bytes;
    char wrapper[WEIR_JSON_MAX_KEY + 1]; /* key around the partitions; "" if there is none */
    uint64_t partitions, challenges, d_levels;
    weir_node comm_r, comm_d, replica_id, seed, ticket;
    const weir_registered_porep *registered;
    weir_json phase1_at; /* the reader behind Phase1Out, for errors */
    weir_json_raw phase1;
    uint64_t sector_number, sector_bytes;
    uint32_t seen;
} document;

static weir_err read_node(weir_json *j, weir_node *out)
{
    WEIR_TRY(weir_json_bytes32(j, out->b));
    if (weir_c1_node_in_range(out)) return WEIR_OK;
    return weir_json_fail(j, WEIR_E_RANGE,
                          "the value is not below the modulus r, so it is no field element");
}

/* The next item of an array that must have exactly n; *more is false after the last. i: items read
 * so far. */
static weir_err next_of(weir_json *j, uint64_t i, uint64_t n, const char *what, bool *more)
{
    WEIR_TRY(weir_json_item(j, more));
    if (*more == (i < n)) return WEIR_OK;
    if (*more) return weir_json_fail(j, WEIR_E_MISMATCH, "more than %" PRIu64 " %s", n, what);
    return weir_json_fail(j, WEIR_E_MISMATCH, "%" PRIu64 " %s, but there must be %" PRIu64, i, what,
                          n);
}

/* ---- first pass */

static weir_err count_items(weir_json *j, uint64_t *n)
{
    WEIR_TRY(weir_json_array(j));
    for (*n = 0;; ++*n) {
        bool more;
        WEIR_TRY(weir_json_item(j, &more));
        if (!more) return WEIR_OK;
        WEIR_TRY(weir_json_skip(j));
    }
}

/* Follows comm_d_proofs.data.Single.path.path from the given step on and counts the levels. */
static weir_err count_levels(weir_json *j, unsigned step, uint64_t *levels)
{
    static const char *const names[][2] = {
        {"comm_d_proofs", NULL}, {"data", NULL}, {"Single", NULL}, {"path", NULL}, {"path", NULL}};
    if (step == sizeof names / sizeof names[0]) return count_items(j, levels);
    weir_json_fields f = {.names = names[step], .required = 1};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        WEIR_TRY(count_levels(j, step + 1, levels));
    }
}

static weir_err survey_partitions(weir_json *j, document *d)
{
    WEIR_TRY(weir_json_array(j));
    for (d->partitions = 0;; d->partitions++) {
        bool more;
        uint64_t challenges = 0;
        WEIR_TRY(weir_json_item(j, &more));
        if (!more) break;
        WEIR_TRY(weir_json_array(j));
        for (;; challenges++) {
            WEIR_TRY(weir_json_item(j, &more));
            if (!more) break;
            if (d->partitions + challenges == 0)
                WEIR_TRY(count_levels(j, 0, &d->d_levels));
            else
                WEIR_TRY(weir_json_skip(j));
        }
        if (d->partitions == 0) d->challenges = challenges;
        if (challenges != d->challenges) {
            return weir_json_fail(j, WEIR_E_MISMATCH,
                                  "%" PRIu64 " challenges, but %" PRIu64 " in the first partition",
                                  challenges, d->challenges);
        }
    }
    if (d->partitions == 0 || d->challenges == 0)
        return weir_json_fail(j, WEIR_E_MISMATCH, "there is no proof in it");
    return WEIR_OK;
}

static weir_err survey_proofs(weir_json *j, document *d)
{
    weir_json_kind kind;
    WEIR_TRY(weir_json_peek(j, &kind));
    d->proofs = *j;
    uint64_t begin = weir_json_offset(j);
    if (kind != WEIR_JSON_OBJECT) {
        WEIR_TRY(survey_partitions(j, d));
    } else {
        const char *key;
        WEIR_TRY(weir_json_object(j));
        WEIR_TRY(weir_json_key(j, &key));
        if (!key) return weir_json_fail(j, WEIR_E_FORMAT, "the object is empty");
        memcpy(d->wrapper, key, sizeof d->wrapper);
        if (!key[0]) memcpy(d->wrapper, "?", 2);
        WEIR_TRY(survey_partitions(j, d));
        WEIR_TRY(weir_json_key(j, &key));
        if (key)
            return weir_json_fail(j, WEIR_E_FORMAT,
                                  "a second key; one registered proof is expected");
    }
    d->proofs_bytes = weir_json_offset(j) - begin;
    return WEIR_OK;
}

static weir_err read_registered(weir_json *j, const weir_registered_porep **out)
{
    char name[WEIR_JSON_MAX_KEY + 1];
    WEIR_TRY(weir_json_string(j, name, sizeof name));
    *out = weir_registered_porep_by_name(name);
    if (*out) return WEIR_OK;
    for (char *c = name; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    return weir_json_fail(j, WEIR_E_UNSUPPORTED,
                          "\"%s\" is no registered seal proof; known are StackedDrg32GiBV1_1 "
                          "and the like",
                          name);
}

static weir_err survey_field(weir_json *j, int which, document *d)
{
    switch (which) {
    case TOP_PROOFS:
        return survey_proofs(j, d);
    case TOP_COMM_R:
        return read_node(j, &d->comm_r);
    case TOP_COMM_D:
        return read_node(j, &d->comm_d);
    case TOP_REPLICA:
        return read_node(j, &d->replica_id);
    case TOP_SEED:
        return weir_json_bytes32(j, d->seed.b); /* any bytes */
    case TOP_TICKET:
        return weir_json_bytes32(j, d->ticket.b); /* any bytes */
    case TOP_REGISTERED:
        return read_registered(j, &d->registered);
    case TOP_NUMBER:
        return weir_json_u64(j, &d->sector_number);
    case TOP_SIZE:
        return weir_json_u64(j, &d->sector_bytes);
    default:
        break;
    }
    WEIR_TRY(weir_json_raw_string(j, &d->phase1));
    d->phase1_at = *j;
    return WEIR_OK;
}

static weir_err survey(weir_json *j, document *d)
{
    weir_json_fields f = {.names = top_names};
    memset(d, 0, sizeof *d);
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) break;
        WEIR_TRY(survey_field(j, which, d));
    }
    d->seen = f.seen;
    bool outer = f.seen >> TOP_PHASE1 & 1;
    if (outer && f.seen & ~(uint32_t)TOP_OUTER_REQUIRED) {
        return weir_json_fail(j, WEIR_E_FORMAT,
                              "the object has both \"Phase1Out\" and \"%s\"; it must be one form",
                              top_names[__builtin_ctz(f.seen & ~(uint32_t)TOP_OUTER_REQUIRED)]);
    }
    uint32_t missing = (outer ? TOP_OUTER_REQUIRED : TOP_INNER_REQUIRED) & ~f.seen;
    if (missing) {
        return weir_json_fail(
            j, WEIR_E_FORMAT,
            "the object ends here without \"%s\"; is this a Commit Phase 1 output?",
            top_names[__builtin_ctz(missing)]);
    }
    return weir_json_end(j);
}

/* ---- second pass */

static weir_err read_level(weir_json *j, weir_path *out, const weir_c1_tree *t, unsigned level)
{
    static const char *const names[] = {"hashes", "index", NULL};
    weir_json_fields f = {.names = names, .required = 3};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        if (which == 0) {
            unsigned first = t->first_sibling[level], n = t->first_sibling[level + 1] - first;
            WEIR_TRY(weir_json_array(j));
            for (unsigned i = 0;; i++) {
                bool more;
                WEIR_TRY(next_of(j, i, n, "siblings", &more));
                if (!more) break;
                WEIR_TRY(read_node(j, &out->siblings[first + i]));
            }
        } else {
            uint64_t index;
            WEIR_TRY(weir_json_u64(j, &index));
            if (index >= t->arity[level]) {
                return weir_json_fail(j, WEIR_E_RANGE,
                                      "the position is %" PRIu64 ", but must be below %u", index,
                                      t->arity[level]);
            }
            out->index[level] = (uint8_t)index;
        }
    }
}

/* {"path": [levels]} */
static weir_err read_part(weir_json *j, weir_path *out, const weir_c1_tree *t, unsigned part)
{
    static const char *const names[] = {"path", NULL};
    weir_json_fields f = {.names = names, .required = 1};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        unsigned lo = t->first_level[part], n = t->first_level[part + 1] - lo;
        WEIR_TRY(weir_json_array(j));
        for (unsigned i = 0;; i++) {
            bool more;
            WEIR_TRY(next_of(j, i, n, "levels", &more));
            if (!more) break;
            WEIR_TRY(read_level(j, out, t, lo + i));
        }
    }
}

/* The parts, root and leaf of a Merkle proof of the right kind. */
static weir_err read_kind(weir_json *j, weir_path *out, const weir_c1_tree *t)
{
    const char *names[WEIR_C1_MAX_PARTS + 3] = {"root", "leaf"};
    for (unsigned i = 0; i < t->parts; i++) names[2 + i] = weir_c1_part_name(t, i);
    weir_json_fields f = {.names = names, .required = (UINT32_C(4) << t->parts) - 1};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        if (which < 2)
            WEIR_TRY(read_node(j, which ? &out->leaf : &out->root));
        else
            WEIR_TRY(read_part(j, out, t, (unsigned)which - 2));
    }
}

/* {"data": {KIND: {...}}} */
static weir_err read_path(weir_json *j, weir_path *out, const weir_c1_tree *t)
{
    static const char *const names[] = {"data", NULL};
    weir_json_fields f = {.names = names, .required = 1};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        const char *kind;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        WEIR_TRY(weir_json_object(j));
        WEIR_TRY(weir_json_key(j, &kind));
        if (!kind || strcmp(kind, t->kind) != 0) {
            return weir_json_fail(j, WEIR_E_MISMATCH,
                                  "a Merkle proof of kind %s is expected here for this sector size",
                                  t->kind);
        }
        WEIR_TRY(read_kind(j, out, t));
        WEIR_TRY(weir_json_key(j, &kind));
        if (kind)
            return weir_json_fail(j, WEIR_E_FORMAT,
                                  "a Merkle proof has one kind, this is a second");
    }
}

/* {"index", "rows", "_h"} */
static weir_err read_column(weir_json *j, weir_column_proof *out, const weir_c1_layout *l)
{
    static const char *const names[] = {"index", "rows", NULL};
    weir_json_fields f = {.names = names, .required = 3};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        if (which == 0) {
            uint64_t node;
            WEIR_TRY(weir_json_u64(j, &node));
            if (node >= l->nodes || node > UINT32_MAX) {
                return weir_json_fail(j, WEIR_E_RANGE,
                                      "node %" PRIu64 ", but the sector has %" PRIu64 " nodes",
                                      node, l->nodes);
            }
            out->node = (uint32_t)node;
            continue;
        }
        WEIR_TRY(weir_json_array(j));
        for (unsigned i = 0;; i++) {
            bool more;
            WEIR_TRY(next_of(j, i, l->shape->layers, "rows of a column", &more));
            if (!more) break;
            WEIR_TRY(read_node(j, &out->rows[i]));
        }
    }
}

static weir_err read_column_proof(weir_json *j, weir_column_proof *out, const weir_c1_layout *l)
{
    static const char *const names[] = {"column", "inclusion_proof", NULL};
    weir_json_fields f = {.names = names, .required = 3};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        if (which == 0)
            WEIR_TRY(read_column(j, out, l));
        else
            WEIR_TRY(read_path(j, &out->path, &l->r));
    }
}

static weir_err read_columns(weir_json *j, weir_porep_challenge *c, const weir_c1_layout *l)
{
    static const char *const names[] = {"c_x", "drg_parents", "exp_parents", NULL};
    weir_json_fields f = {.names = names, .required = 7};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        if (which == 0) {
            WEIR_TRY(read_column_proof(j, &c->c_x, l));
            continue;
        }
        bool drg = which == 1;
        weir_column_proof *first = drg ? c->parents : c->parents + WEIR_POREP_DRG_PARENTS;
        WEIR_TRY(weir_json_array(j));
        for (unsigned i = 0;; i++) {
            bool more;
            WEIR_TRY(next_of(j, i, drg ? WEIR_POREP_DRG_PARENTS : WEIR_POREP_EXP_PARENTS, "parents",
                             &more));
            if (!more) break;
            WEIR_TRY(read_column_proof(j, &first[i], l));
        }
    }
}

/* A labelling proof of the given layer. The labels of the parents repeat what the columns say:
 * counted and checked for range, not kept. */
static weir_err read_labelling(weir_json *j, unsigned layer, const weir_c1_layout *l,
                               uint64_t *node)
{
    static const char *const names[] = {"parents", "layer_index", "node", NULL};
    weir_json_fields f = {.names = names, .required = 7};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        uint64_t number;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        if (which == 0) {
            weir_node parent;
            WEIR_TRY(weir_json_array(j));
            for (unsigned i = 0;; i++) {
                bool more;
                WEIR_TRY(next_of(j, i, WEIR_POREP_LABEL_PARENTS, "parents of a label", &more));
                if (!more) break;
                WEIR_TRY(read_node(j, &parent));
            }
            continue;
        }
        WEIR_TRY(weir_json_u64(j, &number));
        if (which == 1 && number != layer)
            return weir_json_fail(j, WEIR_E_MISMATCH, "layer %" PRIu64 ", but must be %u", number,
                                  layer);
        if (which == 2 && number >= l->nodes) {
            return weir_json_fail(j, WEIR_E_RANGE,
                                  "node %" PRIu64 ", but the sector has %" PRIu64 " nodes", number,
                                  l->nodes);
        }
        if (which == 2) *node = number;
    }
}

/* A challenge number as it was found in several places. */
typedef struct challenge_number {
    uint64_t node;
    bool known;
} challenge_number;

static weir_err read_one_label(weir_json *j, unsigned layer, const weir_c1_layout *l,
                               challenge_number *n)
{
    uint64_t node = 0;
    WEIR_TRY(read_labelling(j, layer, l, &node));
    if (n->known && node != n->node) {
        return weir_json_fail(j, WEIR_E_MISMATCH,
                              "the label of node %" PRIu64 ", but another of this challenge is of "
                              "node %" PRIu64,
                              node, n->node);
    }
    *n = (challenge_number){.node = node, .known = true};
    return WEIR_OK;
}

static weir_err read_labels(weir_json *j, const weir_c1_layout *l, challenge_number *n)
{
    unsigned layers = l->shape->layers;
    WEIR_TRY(weir_json_array(j));
    for (unsigned i = 0;; i++) {
        bool more;
        WEIR_TRY(next_of(j, i, layers, "labelling proofs", &more));
        if (!more) return WEIR_OK;
        WEIR_TRY(read_one_label(j, i + 1, l, n));
    }
}

static weir_err read_proof(weir_json *j, weir_porep_challenge *c, const weir_c1_layout *l)
{
    static const char *const names[] = {"comm_d_proofs",         "comm_r_last_proof",
                                        "replica_column_proofs", "labeling_proofs",
                                        "encoding_proof",        NULL};
    weir_json_fields f = {.names = names, .required = 31};
    challenge_number n = {0};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        switch (which) {
        case 0:
            WEIR_TRY(read_path(j, &c->d, &l->d));
            break;
        case 1:
            WEIR_TRY(read_path(j, &c->r_last, &l->r));
            break;
        case 2:
            WEIR_TRY(read_columns(j, c, l));
            break;
        case 3:
            WEIR_TRY(read_labels(j, l, &n));
            break;
        case 4:
            WEIR_TRY(read_one_label(j, l->shape->layers, l, &n));
            break;
        default:
            c->node = n.node;
            return WEIR_OK;
        }
    }
}

/* The place behind d->proofs has been checked as JSON in the first pass; here the values are read.
 */
static weir_err read_proofs(const document *d, const weir_c1_layout *l, weir_porep_input *in)
{
    weir_json j = d->proofs;
    const char *wrapper;
    if (d->wrapper[0]) {
        WEIR_TRY(weir_json_object(&j));
        WEIR_TRY(weir_json_key(&j, &wrapper));
    }
    WEIR_TRY(weir_json_array(&j));
    for (unsigned p = 0;; p++) {
        bool more;
        WEIR_TRY(next_of(&j, p, in->partitions, "partitions", &more));
        if (!more) return WEIR_OK;
        WEIR_TRY(weir_json_array(&j));
        for (unsigned i = 0;; i++) {
            WEIR_TRY(next_of(&j, i, in->challenges, "challenges", &more));
            if (!more) break;
            WEIR_TRY(read_proof(&j, &in->challenge[p * in->challenges + i], l));
        }
    }
}

/* ---- both */

/* Sizes, counts and names against each other, before memory is taken. */
static weir_err check_document(weir_c1_layout *l, const document *d, const weir_c1_opts *opts,
                               weir_errinfo *ei)
{
    const weir_json *at = &d->proofs;
    const weir_porep_shape *shape = weir_c1_shape_of_levels(d->d_levels);
    if (!shape) {
        return weir_json_fail(at, WEIR_E_MISMATCH,
                              "the first path of tree D has %" PRIu64
                              " levels: no sector size has such a tree",
                              d->d_levels);
    }
    if (d->wrapper[0] && !d->registered)
        return weir_json_fail(
            at, WEIR_E_FORMAT,
            "the proofs stand under a name, but there is no \"registered_proof\"");
    if (!d->wrapper[0] && d->registered) {
        return weir_json_fail(at, WEIR_E_FORMAT,
                              "\"registered_proof\" is there, but the proofs do not stand under "
                              "the name of their size");
    }
    weir_err err =
        weir_c1_check_counts(shape, d->registered, d->partitions, d->challenges, opts, ei);
    if (err != WEIR_OK) {
        weir_errinfo_prefix(ei, "byte %" PRIu64 ", vanilla_proofs: ", weir_json_offset(at));
        return err;
    }
    if (d->registered) {
        /* Numbers 0..4 are the V1 proofs, and every later group of five has the sizes in the same
         * order. */
        const char *v1 = weir_registered_porep_by_number(d->registered->number % 5)->name;
        if (strcmp(d->wrapper, v1) != 0)
            return weir_json_fail(at, WEIR_E_MISMATCH,
                                  "the proofs must stand under the name \"%s\"", v1);
    }
    weir_c1_layout_init(l, shape);
    uint64_t least =
        d->partitions * d->challenges * weir_c1_nodes_per_challenge(l) * WEIR_C1_JSON_NODE_BYTES;
    if (d->proofs_bytes < least) {
        return weir_json_fail(at, WEIR_E_MISMATCH,
                              "%" PRIu64 " bytes cannot hold %" PRIu64 " x %" PRIu64
                              " proofs of a %s sector",
                              d->proofs_bytes, d->partitions, d->challenges, shape->name);
    }
    return WEIR_OK;
}

static weir_err read_inner(weir_porep_input **out, const document *d, const weir_c1_opts *opts,
                           weir_c1_info *info, weir_errinfo *ei)
{
    weir_c1_layout layout;
    weir_porep_input *in;
    WEIR_TRY(check_document(&layout, d, opts, ei));
    WEIR_TRY(weir_porep_input_new(&in, layout.shape, (unsigned)d->partitions,
                                  (unsigned)d->challenges, opts->slabs, ei));
    weir_err err = read_proofs(d, &layout, in);
    if (err != WEIR_OK) {
        weir_porep_input_free(in);
        return err;
    }
    in->registered = d->registered;
    in->comm_r = d->comm_r;
    in->comm_d = d->comm_d;
    in->replica_id = d->replica_id;
    in->seed = d->seed;
    in->ticket = d->ticket;
    info->kind = info->inner = d->registered ? WEIR_C1_API : WEIR_C1_JSON;
    info->sector_bytes = layout.shape->sector_bytes;
    *out = in;
    return WEIR_OK;
}

/* The document inside Phase1Out. */
static weir_err read_decoded(weir_porep_input **out, const uint8_t *text, size_t n,
                             uint64_t sector_bytes, const weir_c1_opts *opts, weir_c1_info *info,
                             weir_errinfo *ei)
{
    weir_json j;
    document d;
    weir_json_init(&j, text, n, ei);
    weir_err err = survey(&j, &d);
    if (err == WEIR_OK && d.seen >> TOP_PHASE1 & 1)
        err = weir_fail(ei, WEIR_E_FORMAT,
                        "there is a second \"Phase1Out\" inside; one wrapping is expected");
    if (err == WEIR_OK) err = read_inner(out, &d, opts, info, ei);
    if (err == WEIR_OK && info->sector_bytes != sector_bytes) {
        err = weir_fail(ei, WEIR_E_MISMATCH,
                        "the paths are those of a %s sector, but SectorSize is %" PRIu64,
                        (*out)->shape->name, sector_bytes);
        weir_porep_input_free(*out);
        *out = NULL;
    }
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "Phase1Out, decoded: ");
    return err;
}

static weir_err read_outer(weir_porep_input **out, const document *d, const weir_c1_opts *opts,
                           weir_c1_info *info, weir_errinfo *ei)
{
    /* Unescaping and decoding only shorten, so both work in one buffer of the text's size. */
    size_t bytes = d->phase1.escaped ? d->phase1.n : weir_base64_max_bytes(d->phase1.n), n = 0;
    uint8_t *text = weir_slab_take(opts->scratch, bytes, 1);
    if (!text)
        return weir_fail(ei, WEIR_E_NOMEM, "Phase1Out: no memory for %zu decoded bytes", bytes);
    const uint8_t *encoded = d->phase1.text;
    size_t encoded_n = d->phase1.n;
    if (d->phase1.escaped) {
        encoded_n = weir_json_unescape(text, &d->phase1);
        encoded = text;
    }
    weir_err err = weir_base64_decode(text, &n, encoded, encoded_n, ei);
    if (err != WEIR_OK) {
        weir_errinfo_prefix(
            ei, "byte %" PRIu64 ", Phase1Out: ", (uint64_t)(d->phase1.text - d->phase1_at._base));
    } else {
        err = read_decoded(out, text, n, d->sector_bytes, opts, info, ei);
    }
    weir_slab_give(opts->scratch, text, bytes, 1);
    if (err != WEIR_OK) return err;
    info->kind = WEIR_C1_OUTER;
    info->sector_number = d->sector_number;
    return WEIR_OK;
}

weir_err weir_c1_read_json(weir_porep_input **out, const uint8_t *data, size_t n,
                           const weir_c1_opts *opts, weir_c1_info *info, weir_errinfo *ei)
{
    weir_json j;
    document d;
    weir_json_init(&j, data, n, ei);
    WEIR_TRY(survey(&j, &d));
    if (d.seen >> TOP_PHASE1 & 1) return read_outer(out, &d, opts, info, ei);
    return read_inner(out, &d, opts, info, ei);
}
