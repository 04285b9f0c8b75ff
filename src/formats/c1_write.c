/* Writes Commit Phase 1 output. The order of the keys is that of the programs that write these
 * forms today: that of the structs in JSON of filecoin-proofs, alphabetical in that of
 * filecoin-proofs-api. */
#include "base/bytes.h"
#include "formats/base64.h"
#include "formats/c1_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes are gathered and given on in blocks; in base64 a block is a whole number of groups of
 * three. */
enum { SINK_BLOCK = 3 * 4096 };

typedef struct sink {
    weir_outfile *out;
    weir_errinfo *ei;
    weir_err err; /* the first; then nothing more is written */
    bool base64;
    bool sorted; /* keys in alphabetical order */
    const weir_c1_layout *l;
    size_t n;
    uint8_t block[SINK_BLOCK];
} sink;

static void flush(sink *s)
{
    char text[SINK_BLOCK / 3 * 4];
    if (s->err == WEIR_OK && s->base64) {
        weir_base64_encode(text, s->block, s->n);
        s->err = weir_outfile_write(s->out, text, weir_base64_chars(s->n), s->ei);
    } else if (s->err == WEIR_OK) {
        s->err = weir_outfile_write(s->out, s->block, s->n, s->ei);
    }
    s->n = 0;
}

static void put(sink *s, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    while (n) {
        size_t m = SINK_BLOCK - s->n < n ? SINK_BLOCK - s->n : n;
        memcpy(s->block + s->n, p, m);
        s->n += m;
        p += m;
        n -= m;
        if (s->n == SINK_BLOCK) flush(s);
    }
}

static void put_text(sink *s, const char *text)
{
    put(s, text, strlen(text));
}

static void put_number(sink *s, uint64_t v)
{
    char text[24];
    put(s, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, v));
}

static void put_node(sink *s, const uint8_t b[32])
{
    char text[32 * 4 + 2], *p = text;
    for (int i = 0; i < 32; i++) {
        unsigned v = b[i];
        *p++ = i ? ',' : '[';
        if (v >= 100) *p++ = (char)('0' + v / 100);
        if (v >= 10) *p++ = (char)('0' + v / 10 % 10);
        *p++ = (char)('0' + v % 10);
    }
    *p++ = ']';
    put(s, text, (size_t)(p - text));
}

static void put_named_node(sink *s, const char *name, const weir_node *n)
{
    put_text(s, name);
    put_node(s, n->b);
}

/* ---- JSON */

static void json_part(sink *s, const weir_path *p, const weir_c1_tree *t, unsigned part)
{
    put_text(s, "{\"path\":[");
    for (unsigned level = t->first_level[part]; level < t->first_level[part + 1]; level++) {
        put_text(s, level > t->first_level[part] ? ",{\"hashes\":[" : "{\"hashes\":[");
        for (unsigned i = t->first_sibling[level]; i < t->first_sibling[level + 1]; i++) {
            if (i > t->first_sibling[level]) put_text(s, ",");
            put_node(s, p->siblings[i].b);
        }
        put_text(s, "],\"index\":");
        put_number(s, p->index[level]);
        put_text(s, "}");
    }
    put_text(s, "]}");
}

static void json_named_part(sink *s, const char *before, const weir_path *p, const weir_c1_tree *t,
                            unsigned part)
{
    put_text(s, before);
    put_text(s, weir_c1_part_name(t, part));
    put_text(s, "\":");
    json_part(s, p, t, part);
}

static void json_path(sink *s, const weir_path *p, const weir_c1_tree *t)
{
    put_text(s, "{\"data\":{\"");
    put_text(s, t->kind);
    put_text(s, "\":{");
    bool single = t->parts == 1;
    if (s->sorted) { /* base_proof, leaf, path, root, sub_proof, top_proof */
        if (!single) json_named_part(s, "\"", p, t, 0);
        put_named_node(s, single ? "\"leaf\":" : ",\"leaf\":", &p->leaf);
        if (single) json_named_part(s, ",\"", p, t, 0);
        put_named_node(s, ",\"root\":", &p->root);
        for (unsigned i = 1; i < t->parts; i++) json_named_part(s, ",\"", p, t, i);
    } else if (single) {
        put_named_node(s, "\"root\":", &p->root);
        put_named_node(s, ",\"leaf\":", &p->leaf);
        json_named_part(s, ",\"", p, t, 0);
    } else {
        for (unsigned i = 0; i < t->parts; i++) json_named_part(s, i ? ",\"" : "\"", p, t, i);
        put_named_node(s, ",\"root\":", &p->root);
        put_named_node(s, ",\"leaf\":", &p->leaf);
    }
    put_text(s, "}}}");
}

static void json_column(sink *s, const weir_column_proof *c)
{
    put_text(s, s->sorted ? "{\"column\":{\"_h\":null,\"index\":" : "{\"column\":{\"index\":");
    put_number(s, c->node);
    put_text(s, ",\"rows\":[");
    for (unsigned i = 0; i < s->l->shape->layers; i++) {
        if (i) put_text(s, ",");
        put_node(s, c->rows[i].b);
    }
    put_text(s, s->sorted ? "]},\"inclusion_proof\":" : "],\"_h\":null},\"inclusion_proof\":");
    json_path(s, &c->path, &s->l->r);
    put_text(s, "}");
}

static void json_labelling(sink *s, const weir_porep_challenge *c, unsigned layer)
{
    const weir_node *parents[WEIR_POREP_LABEL_PARENTS];
    weir_c1_label_parents(parents, c, layer);
    char numbers[80];
    snprintf(numbers, sizeof numbers, "\"layer_index\":%u,\"node\":%" PRIu64, layer, c->node);
    put_text(s, "{");
    if (s->sorted) {
        put_text(s, numbers);
        put_text(s, ",");
    }
    put_text(s, "\"parents\":[");
    for (unsigned i = 0; i < WEIR_POREP_LABEL_PARENTS; i++) {
        if (i) put_text(s, ",");
        put_node(s, parents[i]->b);
    }
    put_text(s, "]");
    if (!s->sorted) {
        put_text(s, ",");
        put_text(s, numbers);
    }
    put_text(s, "}");
}

static void json_columns(sink *s, const weir_porep_challenge *c)
{
    put_text(s, ",\"replica_column_proofs\":{\"c_x\":");
    json_column(s, &c->c_x);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) {
        put_text(s, i == 0                        ? ",\"drg_parents\":["
                    : i == WEIR_POREP_DRG_PARENTS ? "],\"exp_parents\":["
                                                  : ",");
        json_column(s, &c->parents[i]);
    }
    put_text(s, "]}");
}

static void json_labels(sink *s, const weir_porep_challenge *c)
{
    put_text(s, ",\"labeling_proofs\":[");
    for (unsigned layer = 1; layer <= s->l->shape->layers; layer++) {
        if (layer > 1) put_text(s, ",");
        json_labelling(s, c, layer);
    }
    put_text(s, "]");
}

static void json_encoding(sink *s, const weir_porep_challenge *c)
{
    put_text(s, ",\"encoding_proof\":");
    json_labelling(s, c, s->l->shape->layers);
}

static void json_proof(sink *s, const weir_porep_challenge *c)
{
    put_text(s, "{\"comm_d_proofs\":");
    json_path(s, &c->d, &s->l->d);
    put_text(s, ",\"comm_r_last_proof\":");
    json_path(s, &c->r_last, &s->l->r);
    if (s->sorted) {
        json_encoding(s, c);
        json_labels(s, c);
        json_columns(s, c);
    } else {
        json_columns(s, c);
        json_labels(s, c);
        json_encoding(s, c);
    }
    put_text(s, "}");
}

static void json_partitions(sink *s, const weir_porep_input *in)
{
    put_text(s, "[");
    for (unsigned p = 0; p < in->partitions; p++) {
        put_text(s, p ? ",[" : "[");
        for (unsigned i = 0; i < in->challenges; i++) {
            if (i) put_text(s, ",");
            json_proof(s, &in->challenge[p * in->challenges + i]);
        }
        put_text(s, "]");
    }
    put_text(s, "]");
}

static void json_filecoin_proofs(sink *s, const weir_porep_input *in)
{
    put_text(s, "{\"vanilla_proofs\":");
    json_partitions(s, in);
    put_named_node(s, ",\"comm_r\":", &in->comm_r);
    put_named_node(s, ",\"comm_d\":", &in->comm_d);
    put_named_node(s, ",\"replica_id\":", &in->replica_id);
    put_named_node(s, ",\"seed\":", &in->seed);
    put_named_node(s, ",\"ticket\":", &in->ticket);
    put_text(s, "}\n");
}

static void json_api(sink *s, const weir_porep_input *in)
{
    s->sorted = true;
    put_named_node(s, "{\"comm_d\":", &in->comm_d);
    put_named_node(s, ",\"comm_r\":", &in->comm_r);
    put_text(s, ",\"registered_proof\":\"");
    put_text(s, in->registered->name);
    put_named_node(s, "\",\"replica_id\":", &in->replica_id);
    put_named_node(s, ",\"seed\":", &in->seed);
    put_named_node(s, ",\"ticket\":", &in->ticket);
    put_text(s, ",\"vanilla_proofs\":{\"");
    put_text(s, weir_registered_porep_by_number(in->registered->number % 5)->name);
    put_text(s, "\":");
    json_partitions(s, in);
    put_text(s, "}}\n");
}

static void json_outer(sink *s, const weir_porep_input *in, uint64_t sector_number)
{
    put_text(s, "{\"SectorNum\":");
    put_number(s, sector_number);
    put_text(s, ",\"Phase1Out\":\"");
    flush(s);
    s->base64 = true;
    json_api(s, in);
    flush(s);
    s->base64 = false;
    put_text(s, "\",\"SectorSize\":");
    put_number(s, in->shape->sector_bytes);
    put_text(s, "}\n");
}

weir_err weir_c1_write_json(weir_outfile *out, const weir_porep_input *in, weir_c1_kind kind,
                            const weir_c1_info *info, weir_errinfo *ei)
{
    if (kind == WEIR_C1_BINCODE)
        return weir_fail(ei, WEIR_E_USAGE, "bincode is not one of the JSON forms");
    if (kind != WEIR_C1_JSON && !in->registered) {
        return weir_fail(ei, WEIR_E_USAGE,
                         "this form names the registered seal proof, and the input has none; write "
                         "the filecoin-proofs form");
    }
    weir_c1_layout layout;
    weir_c1_layout_init(&layout, in->shape);
    sink s = {.out = out, .ei = ei, .l = &layout};
    if (kind == WEIR_C1_JSON)
        json_filecoin_proofs(&s, in);
    else if (kind == WEIR_C1_API)
        json_api(&s, in);
    else
        json_outer(&s, in, info ? info->sector_number : 0);
    flush(&s);
    return s.err;
}

/* ---- bincode */

static void put_u32(sink *s, uint32_t v)
{
    uint8_t b[4];
    weir_store_le32(b, v);
    put(s, b, 4);
}

static void put_u64(sink *s, uint64_t v)
{
    uint8_t b[8];
    weir_store_le64(b, v);
    put(s, b, 8);
}

static void bin_path(sink *s, const weir_path *p, const weir_c1_tree *t)
{
    put_u32(s, t->tag);
    if (t->parts == 1) {
        put(s, p->root.b, 32);
        put(s, p->leaf.b, 32);
    }
    for (unsigned part = 0; part < t->parts; part++) {
        put_u64(s, t->first_level[part + 1] - t->first_level[part]);
        for (unsigned level = t->first_level[part]; level < t->first_level[part + 1]; level++) {
            unsigned first = t->first_sibling[level], n = t->first_sibling[level + 1] - first;
            put_u64(s, n);
            put(s, p->siblings + first, 32 * n);
            put_u64(s, p->index[level]);
        }
    }
    if (t->parts > 1) {
        put(s, p->root.b, 32);
        put(s, p->leaf.b, 32);
    }
}

static void bin_column(sink *s, const weir_column_proof *c)
{
    put_u32(s, c->node);
    put_u64(s, s->l->shape->layers);
    put(s, c->rows, 32 * s->l->shape->layers);
    bin_path(s, &c->path, &s->l->r);
}

static void bin_labelling(sink *s, const weir_porep_challenge *c, unsigned layer)
{
    const weir_node *parents[WEIR_POREP_LABEL_PARENTS];
    weir_c1_label_parents(parents, c, layer);
    put_u64(s, WEIR_POREP_LABEL_PARENTS);
    for (unsigned i = 0; i < WEIR_POREP_LABEL_PARENTS; i++) put(s, parents[i]->b, 32);
    put_u32(s, layer);
    put_u64(s, c->node);
}

static void bin_proof(sink *s, const weir_porep_challenge *c)
{
    unsigned layers = s->l->shape->layers;
    bin_path(s, &c->d, &s->l->d);
    bin_path(s, &c->r_last, &s->l->r);
    bin_column(s, &c->c_x);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) {
        if (i == 0) put_u64(s, WEIR_POREP_DRG_PARENTS);
        if (i == WEIR_POREP_DRG_PARENTS) put_u64(s, WEIR_POREP_EXP_PARENTS);
        bin_column(s, &c->parents[i]);
    }
    put_u64(s, layers);
    for (unsigned layer = 1; layer <= layers; layer++) bin_labelling(s, c, layer);
    bin_labelling(s, c, layers);
}

weir_err weir_c1_write_bincode(weir_outfile *out, const weir_porep_input *in, weir_errinfo *ei)
{
    weir_c1_layout layout;
    weir_c1_layout_init(&layout, in->shape);
    sink s = {.out = out, .ei = ei, .l = &layout};
    put_u64(&s, in->partitions);
    for (unsigned p = 0; p < in->partitions; p++) {
        put_u64(&s, in->challenges);
        for (unsigned i = 0; i < in->challenges; i++)
            bin_proof(&s, &in->challenge[p * in->challenges + i]);
    }
    put(&s, in->comm_r.b, 32);
    put(&s, in->comm_d.b, 32);
    put(&s, in->replica_id.b, 32);
    put(&s, in->seed.b, 32);
    put(&s, in->ticket.b, 32);
    flush(&s);
    return s.err;
}
