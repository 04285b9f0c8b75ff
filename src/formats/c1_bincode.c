/* Commit Phase 1 output in bincode: fixed-width little-endian integers, u64 lengths, u32 enum tags.
 */
#include "formats/c1_layout.h"
#include "formats/reader.h"

#include <inttypes.h>
#include <string.h>

typedef struct source {
    weir_reader r;
    const weir_c1_layout *l;
} source;

static weir_err read_node(source *s, weir_node *out, const char *what)
{
    const uint8_t *p;
    WEIR_TRY(weir_reader_bytes(&s->r, &p, 32, what));
    memcpy(out->b, p, 32);
    if (weir_c1_node_in_range(out)) return WEIR_OK;
    return weir_reader_fail(&s->r, s->r.pos - 32, WEIR_E_RANGE,
                            "%s is not below the modulus r, so it is no field element", what);
}

/* A length that must be exactly `want`. */
static weir_err read_length(source *s, uint64_t want, const char *what)
{
    uint64_t n;
    WEIR_TRY(weir_reader_u64le(&s->r, &n, what));
    if (n == want) return WEIR_OK;
    return weir_reader_fail(&s->r, s->r.pos - 8, WEIR_E_MISMATCH,
                            "%s is %" PRIu64 ", but must be %" PRIu64 " for a sector of %s", what,
                            n, want, s->l->shape->name);
}

static weir_err read_path(source *s, weir_path *out, const weir_c1_tree *t)
{
    uint32_t tag;
    WEIR_TRY(weir_reader_u32le(&s->r, &tag, "kind of Merkle proof"));
    if (tag != t->tag) {
        return weir_reader_fail(&s->r, s->r.pos - 4, WEIR_E_MISMATCH,
                                "kind of Merkle proof is %" PRIu32 ", but must be %" PRIu32
                                " (%s) for a sector of %s",
                                tag, t->tag, t->kind, s->l->shape->name);
    }
    /* Single: root, leaf, path. The compound kinds have the parts first. */
    bool single = t->parts == 1;
    if (single) {
        WEIR_TRY(read_node(s, &out->root, "root"));
        WEIR_TRY(read_node(s, &out->leaf, "leaf"));
    }
    for (unsigned part = 0; part < t->parts; part++) {
        unsigned lo = t->first_level[part], hi = t->first_level[part + 1];
        WEIR_TRY(read_length(s, hi - lo, "number of levels"));
        for (unsigned level = lo; level < hi; level++) {
            unsigned first = t->first_sibling[level], end = t->first_sibling[level + 1];
            WEIR_TRY(read_length(s, end - first, "number of siblings"));
            for (unsigned i = first; i < end; i++)
                WEIR_TRY(read_node(s, &out->siblings[i], "sibling"));
            uint64_t index;
            WEIR_TRY(weir_reader_u64le(&s->r, &index, "position in the group"));
            if (index >= t->arity[level]) {
                return weir_reader_fail(&s->r, s->r.pos - 8, WEIR_E_RANGE,
                                        "position in the group is %" PRIu64
                                        ", but must be below %u",
                                        index, t->arity[level]);
            }
            out->index[level] = (uint8_t)index;
        }
    }
    if (!single) {
        WEIR_TRY(read_node(s, &out->root, "root"));
        WEIR_TRY(read_node(s, &out->leaf, "leaf"));
    }
    return WEIR_OK;
}

static weir_err read_column(source *s, weir_column_proof *out)
{
    WEIR_TRY(weir_reader_u32le(&s->r, &out->node, "node of a column"));
    if (out->node >= s->l->nodes) {
        return weir_reader_fail(&s->r, s->r.pos - 4, WEIR_E_RANGE,
                                "node of a column is %" PRIu32 ", but the sector has %" PRIu64
                                " nodes",
                                out->node, s->l->nodes);
    }
    unsigned layers = s->l->shape->layers;
    WEIR_TRY(read_length(s, layers, "number of rows of a column"));
    for (unsigned i = 0; i < layers; i++) WEIR_TRY(read_node(s, &out->rows[i], "row of a column"));
    return read_path(s, &out->path, &s->l->r);
}

/* The labels of the parents repeat what the columns say: counted and checked for range, not kept.
 */
static weir_err read_labelling(source *s, unsigned layer, uint64_t *node)
{
    WEIR_TRY(read_length(s, WEIR_POREP_LABEL_PARENTS, "number of parents of a label"));
    weir_node parent;
    for (unsigned i = 0; i < WEIR_POREP_LABEL_PARENTS; i++)
        WEIR_TRY(read_node(s, &parent, "parent of a label"));
    uint32_t found;
    WEIR_TRY(weir_reader_u32le(&s->r, &found, "layer of a label"));
    if (found != layer) {
        return weir_reader_fail(&s->r, s->r.pos - 4, WEIR_E_MISMATCH,
                                "layer of a label is %" PRIu32 ", but must be %u", found, layer);
    }
    return weir_reader_u64le(&s->r, node, "challenge");
}

static weir_err read_labels(source *s, uint64_t *challenge)
{
    unsigned layers = s->l->shape->layers;
    WEIR_TRY(read_length(s, layers, "number of labelling proofs"));
    for (unsigned layer = 1; layer <= layers + 1; layer++) {
        /* The encoding proof follows: it has the form of a labelling proof of the last layer. */
        uint64_t node;
        WEIR_TRY(read_labelling(s, layer <= layers ? layer : layers, &node));
        if (layer == 1) *challenge = node;
        if (node >= s->l->nodes) {
            return weir_reader_fail(&s->r, s->r.pos - 8, WEIR_E_RANGE,
                                    "challenge is %" PRIu64 ", but the sector has %" PRIu64
                                    " nodes",
                                    node, s->l->nodes);
        }
        if (node != *challenge) {
            return weir_reader_fail(&s->r, s->r.pos - 8, WEIR_E_MISMATCH,
                                    "challenge is %" PRIu64 ", but %" PRIu64 " in the first layer",
                                    node, *challenge);
        }
    }
    return WEIR_OK;
}

#define FIELD(name, call)                                                                          \
    do {                                                                                           \
        weir_err field_err_ = (call);                                                              \
        if (field_err_ != WEIR_OK) {                                                               \
            weir_errinfo_prefix(s->r.ei, "%s, ", name);                                            \
            return field_err_;                                                                     \
        }                                                                                          \
    } while (0)

static weir_err read_challenge(source *s, weir_porep_challenge *c)
{
    FIELD("comm_d_proofs", read_path(s, &c->d, &s->l->d));
    FIELD("comm_r_last_proof", read_path(s, &c->r_last, &s->l->r));
    FIELD("c_x", read_column(s, &c->c_x));
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) {
        bool drg = i < WEIR_POREP_DRG_PARENTS;
        const char *name = drg ? "drg_parents" : "exp_parents";
        if (i == 0) FIELD(name, read_length(s, WEIR_POREP_DRG_PARENTS, "number of parents"));
        if (i == WEIR_POREP_DRG_PARENTS)
            FIELD(name, read_length(s, WEIR_POREP_EXP_PARENTS, "number of parents"));
        FIELD(name, read_column(s, &c->parents[i]));
    }
    FIELD("labeling_proofs and encoding_proof", read_labels(s, &c->node));
    return WEIR_OK;
}

static weir_err read_body(source *s, weir_porep_input *in)
{
    WEIR_TRY(read_length(s, in->partitions, "number of partitions"));
    for (unsigned p = 0; p < in->partitions; p++) {
        WEIR_TRY(read_length(s, in->challenges, "number of challenges"));
        for (unsigned i = 0; i < in->challenges; i++) {
            weir_err err = read_challenge(s, &in->challenge[p * in->challenges + i]);
            if (err != WEIR_OK) {
                weir_errinfo_prefix(s->r.ei, "partition %u, challenge %u, ", p, i);
                return err;
            }
        }
    }
    const uint8_t *plain;
    WEIR_TRY(read_node(s, &in->comm_r, "comm_r"));
    WEIR_TRY(read_node(s, &in->comm_d, "comm_d"));
    WEIR_TRY(read_node(s, &in->replica_id, "replica_id"));
    WEIR_TRY(weir_reader_bytes(&s->r, &plain, 64, "seed and ticket"));
    memcpy(in->seed.b, plain, 32);
    memcpy(in->ticket.b, plain + 32, 32);
    return weir_reader_end(&s->r, "the Commit Phase 1 output");
}

/* Reads the first counts and the length of the first path, which tells the sector size. */
static weir_err survey(weir_c1_layout *l, uint64_t *partitions, uint64_t *challenges,
                       const uint8_t *data, size_t n, const weir_c1_opts *opts, weir_errinfo *ei)
{
    weir_reader r;
    weir_reader_init(&r, data, n, ei);
    WEIR_TRY(weir_reader_u64le(&r, partitions, "number of partitions"));
    WEIR_TRY(weir_reader_u64le(&r, challenges, "number of challenges"));
    const uint8_t *skipped;
    uint32_t tag;
    uint64_t levels;
    WEIR_TRY(weir_reader_u32le(&r, &tag, "kind of Merkle proof"));
    WEIR_TRY(weir_reader_bytes(&r, &skipped, 64, "root and leaf of tree D"));
    WEIR_TRY(weir_reader_u64le(&r, &levels, "levels of tree D"));
    const weir_porep_shape *shape = weir_c1_shape_of_levels(levels);
    if (tag != 0 || !shape) {
        return weir_reader_fail(&r, tag ? 16 : r.pos - 8, WEIR_E_FORMAT,
                                "the first path has kind %" PRIu32 " and %" PRIu64
                                " levels: no sector size has such a "
                                "tree D; is this bincode of a Commit Phase 1 output?",
                                tag, levels);
    }
    weir_err err = weir_c1_check_counts(shape, NULL, *partitions, *challenges, opts, ei);
    if (err != WEIR_OK) {
        weir_errinfo_prefix(ei, "byte 0: ");
        return err;
    }
    weir_c1_layout_init(l, shape);
    return WEIR_OK;
}

weir_err weir_c1_read_bincode(weir_porep_input **out, const uint8_t *data, size_t n,
                              const weir_c1_opts *opts, weir_c1_info *info, weir_errinfo *ei)
{
    weir_c1_layout layout;
    uint64_t partitions, challenges;
    WEIR_TRY(survey(&layout, &partitions, &challenges, data, n, opts, ei));
    uint64_t need = weir_c1_bincode_bytes(&layout, (unsigned)partitions, (unsigned)challenges);
    if (n < need) {
        return weir_fail(ei, WEIR_E_TRUNCATED,
                         "byte %zu: the data ends here, but a %s output with %" PRIu64 " x %" PRIu64
                         " challenges takes %" PRIu64 " bytes; fetch it again",
                         n, layout.shape->name, partitions, challenges, need);
    }
    weir_porep_input *in;
    WEIR_TRY(weir_porep_input_new(&in, layout.shape, (unsigned)partitions, (unsigned)challenges,
                                  opts->slabs, ei));
    source s = {.l = &layout};
    weir_reader_init(&s.r, data, n, ei);
    weir_err err = read_body(&s, in);
    if (err != WEIR_OK) {
        weir_porep_input_free(in);
        return err;
    }
    *info = (weir_c1_info){.kind = WEIR_C1_BINCODE,
                           .inner = WEIR_C1_BINCODE,
                           .sector_bytes = layout.shape->sector_bytes};
    *out = in;
    return WEIR_OK;
}
