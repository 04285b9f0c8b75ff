/* Samples: a sector's Commit Phase 1 output from a seed, consistent in everything that the
 * circuit and the native checker look at, without sealing the sector.
 *
 * Tree D: leaf i is one of two values, by the parity of the ones in i (the Thue-Morse sequence).
 * Then node i of every level is one of two values by the parity of the ones in i, and siblings
 * always differ, so a path with a wrong order is noticed. Two hashes a level give the whole
 * tree.
 *
 * Labels: the set of nodes is the challenged ones and their parents. A challenged node's labels
 * are computed, the others' are drawn; one that is both is computed (porep_label.c).
 *
 * Trees C and R-last: sparse, over the set and over the challenged nodes; all else is drawn.
 *
 * Up to SEALED_LOG2 the set is the whole sector and every node is labelled: a true seal, whose
 * comm_r is known before the challenges, as the synthetic and non-interactive ones need it.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "circuit/porep_native.h"
#include "hash/sha256.h"

#include <stdlib.h>
#include <string.h>

/* 32 KiB: 1,024 nodes of 2 layers label in a few milliseconds. The published sizes above start
 * at 2^18 nodes. */
enum { SEALED_LOG2 = 10 };

/* What a drawn value is for; word 15 of the ChaCha state. */
enum { DRAW_HEADER = 1, DRAW_DATA, DRAW_LABEL, DRAW_TREE_C, DRAW_TREE_R };
enum { HEADER_PROVER, HEADER_SECTOR, HEADER_TICKET, HEADER_SEED };

typedef struct sample {
    const weir_registered_porep *reg;
    const weir_porep_shape *shape;
    weir_slabs *slabs; /* of the input */
    unsigned partitions, challenges;
    uint8_t key[32];
    weir_sample_sector sector;
    weir_node ticket, seed, replica_id, comm_d, comm_r;
    weir_node tree_d[WEIR_POREP_MAX_LEVELS][2]; /* by level and parity; the root is comm_d */
    uint64_t *challenge;                        /* partitions * challenges */
    weir_label_set set;
    weir_porep_hashes h;
    weir_sparse_tree c, r_last;
} sample;

/* A value below 2^254, so below r: each (purpose, a, b) has its own ChaCha20 block. */
static void draw(const sample *s, weir_node *out, uint32_t purpose, uint32_t a, uint64_t b)
{
    uint8_t block[64];
    const uint32_t last[4] = {(uint32_t)b, (uint32_t)(b >> 32), a, purpose};
    weir_porep_chacha(block, s->key, last, 20);
    memcpy(out->b, block, 32);
    out->b[31] &= 0x3f;
}

static void fill_c(weir_node *out, void *ctx, unsigned level, uint64_t number)
{
    draw(ctx, out, DRAW_TREE_C, level, number);
}

static void fill_r(weir_node *out, void *ctx, unsigned level, uint64_t number)
{
    draw(ctx, out, DRAW_TREE_R, level, number);
}

static unsigned parity(uint64_t v)
{
    return (unsigned)__builtin_parityll(v);
}

static void make_header(sample *s, uint64_t seed)
{
    uint8_t msg[8];
    weir_node sector, prover;
    weir_store_le64(msg, seed);
    weir_sha256_hash(s->key, msg, sizeof msg);
    draw(s, &prover, DRAW_HEADER, HEADER_PROVER, 0);
    draw(s, &sector, DRAW_HEADER, HEADER_SECTOR, 0);
    draw(s, &s->ticket, DRAW_HEADER, HEADER_TICKET, 0);
    draw(s, &s->seed, DRAW_HEADER, HEADER_SEED, 0);
    memcpy(s->sector.prover_id, prover.b, 32);
    s->sector.sector = weir_load_le64(sector.b);

    for (unsigned p = 0; p < 2; p++) draw(s, &s->tree_d[0][p], DRAW_DATA, 0, p);
    unsigned levels = s->shape->nodes_log2;
    for (unsigned i = 0; i + 1 < levels; i++)
        for (unsigned p = 0; p < 2; p++)
            weir_porep_hash_d(&s->tree_d[i + 1][p], &s->tree_d[i][p], &s->tree_d[i][1 - p]);
    weir_porep_hash_d(&s->comm_d, &s->tree_d[levels - 1][0], &s->tree_d[levels - 1][1]);
    weir_porep_replica_id(&s->replica_id, s->reg, s->sector.prover_id, s->sector.sector,
                          s->ticket.b, &s->comm_d);
}

static void make_challenges(sample *s)
{
    for (unsigned k = 0; k < s->partitions; k++)
        for (unsigned i = 0; i < s->challenges; i++)
            s->challenge[(size_t)k * s->challenges + i] = weir_porep_challenge_of(
                s->reg, &s->replica_id, &s->comm_r, s->seed.b, k * s->shape->challenges + i);
}

/* ---- the set of nodes */

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static weir_err no_memory(weir_errinfo *ei)
{
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for a sample sector");
}

static weir_err set_alloc(sample *s, size_t n, weir_errinfo *ei)
{
    s->set.number = weir_malloc(n, sizeof *s->set.number);
    s->set.labelled = weir_calloc(n, sizeof *s->set.labelled);
    s->set.rows = weir_calloc(n * s->shape->layers, sizeof *s->set.rows);
    return s->set.number && s->set.labelled && s->set.rows ? WEIR_OK : no_memory(ei);
}

static weir_err set_whole_sector(sample *s, weir_errinfo *ei)
{
    size_t n = (size_t)1 << s->shape->nodes_log2;
    WEIR_TRY(set_alloc(s, n, ei));
    s->set.n = n;
    for (size_t i = 0; i < n; i++) {
        s->set.number[i] = i;
        s->set.labelled[i] = true;
    }
    return WEIR_OK;
}

static weir_err set_challenged(sample *s, weir_errinfo *ei)
{
    size_t challenges = (size_t)s->partitions * s->challenges, n = 0;
    WEIR_TRY(set_alloc(s, challenges * (WEIR_POREP_PARENTS + 1), ei));
    uint64_t *number = s->set.number;
    for (size_t i = 0; i < challenges; i++) {
        number[n++] = s->challenge[i];
        weir_porep_parents(s->reg, s->challenge[i], number + n);
        n += WEIR_POREP_PARENTS;
    }
    qsort(number, n, sizeof *number, compare_u64);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || number[i] != number[i - 1]) number[s->set.n++] = number[i];
    for (size_t i = 0; i < challenges; i++)
        s->set.labelled[weir_label_set_find(&s->set, s->challenge[i])] = true;
    for (size_t i = 0; i < s->set.n; i++)
        for (unsigned k = 0; k < s->shape->layers; k++)
            draw(s, &s->set.rows[i * s->shape->layers + k], DRAW_LABEL, k + 1, number[i]);
    return WEIR_OK;
}

/* ---- trees */

static weir_err build_c(sample *s, weir_node *value, weir_errinfo *ei)
{
    weir_porep_hash(s->h.arity[s->shape->layers], value, s->set.rows, s->set.n);
    weir_sparse_leaves leaves = {s->set.number, value, s->set.n};
    return weir_sparse_tree_init(&s->c, s->shape, &s->h, &leaves, fill_c, s, ei);
}

/* Over the labelled nodes: replica = last label + data. number, value: room for the set. */
static weir_err build_r_last(sample *s, uint64_t *number, weir_node *value, weir_errinfo *ei)
{
    unsigned layers = s->shape->layers;
    size_t n = 0;
    for (size_t i = 0; i < s->set.n; i++) {
        if (!s->set.labelled[i]) continue;
        number[n] = s->set.number[i];
        weir_porep_encode(&value[n], &s->set.rows[i * layers + layers - 1],
                          &s->tree_d[0][parity(number[n])]);
        n++;
    }
    weir_sparse_leaves leaves = {number, value, n};
    return weir_sparse_tree_init(&s->r_last, s->shape, &s->h, &leaves, fill_r, s, ei);
}

static weir_err build_trees(sample *s, weir_errinfo *ei)
{
    weir_err err;
    uint64_t *number = weir_malloc(s->set.n, sizeof *number);
    weir_node *value = weir_malloc(s->set.n, sizeof *value);
    if (!number || !value) {
        err = no_memory(ei);
        goto out;
    }
    WEIR_TRY_GOTO(build_c(s, value, ei));
    WEIR_TRY_GOTO(build_r_last(s, number, value, ei));
    weir_node pair[2] = {s->c.root, s->r_last.root};
    weir_porep_hash(s->h.arity[2], &s->comm_r, pair, 1);
out:
    weir_free(number);
    weir_free(value);
    return err;
}

/* ---- writing the input */

static void write_column(const sample *s, weir_column_proof *p, uint64_t node)
{
    size_t at = weir_label_set_find(&s->set, node);
    p->node = (uint32_t)node;
    memcpy(p->rows, &s->set.rows[at * s->shape->layers], s->shape->layers * sizeof *p->rows);
    weir_sparse_tree_path(&s->c, &p->path, node);
}

static void write_tree_d(const sample *s, weir_path *p, uint64_t node)
{
    p->leaf = s->tree_d[0][parity(node)];
    p->root = s->comm_d;
    for (unsigned i = 0; i < s->shape->nodes_log2; i++) {
        p->index[i] = (node >> i) & 1;
        p->siblings[i] = s->tree_d[i][1 - parity(node >> i)];
    }
}

static void write_challenge(const sample *s, weir_porep_challenge *p, uint64_t node)
{
    uint64_t parents[WEIR_POREP_PARENTS];
    p->node = node;
    write_tree_d(s, &p->d, node);
    weir_sparse_tree_path(&s->r_last, &p->r_last, node);
    write_column(s, &p->c_x, node);
    weir_porep_parents(s->reg, node, parents);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) write_column(s, &p->parents[i], parents[i]);
}

static weir_err write_input(const sample *s, weir_porep_input **out, weir_errinfo *ei)
{
    WEIR_TRY(weir_porep_input_new(out, s->shape, s->partitions, s->challenges, s->slabs, ei));
    weir_porep_input *in = *out;
    in->registered = s->reg;
    in->comm_r = s->comm_r;
    in->comm_d = s->comm_d;
    in->replica_id = s->replica_id;
    in->seed = s->seed;
    in->ticket = s->ticket;
    for (size_t i = 0; i < (size_t)s->partitions * s->challenges; i++)
        write_challenge(s, &in->challenge[i], s->challenge[i]);
    return WEIR_OK;
}

/* ---- all together */

static weir_err check_opts(sample *s, const weir_sample_opts *o, weir_errinfo *ei)
{
    s->reg = o->registered;
    s->slabs = o->slabs;
    s->shape = o->registered->shape;
    s->partitions = o->partitions ? o->partitions : s->reg->partitions;
    s->challenges = o->challenges ? o->challenges : s->shape->challenges;
    if (s->partitions > s->reg->partitions)
        return weir_fail(ei, WEIR_E_RANGE, "%s has %u partitions, %u were asked for", s->reg->name,
                         s->reg->partitions, s->partitions);
    if (s->challenges > s->shape->challenges)
        return weir_fail(ei, WEIR_E_RANGE, "a partition of %s has %u challenges, %u were asked for",
                         s->reg->name, s->shape->challenges, s->challenges);
    if (s->reg->feature != WEIR_POREP_PLAIN && s->shape->nodes_log2 > SEALED_LOG2)
        return weir_fail(
            ei, WEIR_E_UNSUPPORTED,
            "no sample of %s: its challenges depend on comm_r, so the whole %s sector would "
            "have to be sealed; use the V1_1 proof of this size or a 2KiB sector",
            s->reg->name, s->shape->name);
    return WEIR_OK;
}

static weir_err make(sample *s, weir_porep_input **out, weir_errinfo *ei)
{
    bool sealed = s->shape->nodes_log2 <= SEALED_LOG2;
    s->challenge = weir_malloc((size_t)s->partitions * s->challenges, sizeof *s->challenge);
    if (!s->challenge) return no_memory(ei);
    WEIR_TRY(weir_porep_hashes_init(&s->h, s->shape, ei));
    if (!sealed) make_challenges(s);
    WEIR_TRY(sealed ? set_whole_sector(s, ei) : set_challenged(s, ei));
    WEIR_TRY(weir_label_set_compute(&s->set, s->reg, &s->replica_id, ei));
    WEIR_TRY(build_trees(s, ei));
    if (sealed) make_challenges(s);
    return write_input(s, out, ei);
}

weir_err weir_porep_sample(weir_porep_input **out, weir_sample_sector *sector,
                           const weir_sample_opts *opts, weir_errinfo *ei)
{
    *out = NULL;
    sample s = {0};
    WEIR_TRY(check_opts(&s, opts, ei));
    make_header(&s, opts->seed);
    weir_err err = make(&s, out, ei);
    if (err == WEIR_OK && sector) *sector = s.sector;
    weir_sparse_tree_clear(&s.r_last);
    weir_sparse_tree_clear(&s.c);
    weir_porep_hashes_clear(&s.h);
    weir_free(s.set.rows);
    weir_free(s.set.labelled);
    weir_free(s.set.number);
    weir_free(s.challenge);
    return err;
}
