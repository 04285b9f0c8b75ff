/* The parsed Commit Phase 1 output: its memory and its cheap checks.
 *
 * One arena holds, in this order, the challenge structs, all nodes and all indices. The sizes
 * follow from the shape and the two counts alone.
 */
#include "base/alloc.h"
#include "circuit/porep.h"
#include "field/fr.h"

#include <stdio.h>
#include <string.h>

/* The most partitions that a registered proof has (non-interactive, 32 and 64 GiB). */
enum { MAX_PARTITIONS = 126 };

/* Hands out the arena. */
typedef struct cursor {
    weir_node *node;
    uint8_t *index;
} cursor;

static weir_node *take_nodes(cursor *c, size_t n)
{
    weir_node *p = c->node;
    c->node += n;
    return p;
}

static uint8_t *take_index(cursor *c, size_t n)
{
    uint8_t *p = c->index;
    c->index += n;
    return p;
}

static void place_path(weir_path *p, cursor *c, unsigned siblings, unsigned levels)
{
    p->siblings = take_nodes(c, siblings);
    p->index = take_index(c, levels);
}

static void place_column(weir_column_proof *p, cursor *c, const weir_porep_shape *s)
{
    p->rows = take_nodes(c, s->layers);
    place_path(&p->path, c, weir_porep_tree_siblings(s), weir_porep_tree_levels(s));
}

static void place_challenge(weir_porep_challenge *p, cursor *c, const weir_porep_shape *s)
{
    place_path(&p->d, c, s->nodes_log2, s->nodes_log2);
    place_path(&p->r_last, c, weir_porep_tree_siblings(s), weir_porep_tree_levels(s));
    place_column(&p->c_x, c, s);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) place_column(&p->parents[i], c, s);
}

/* What the arena holds. At most 126 * 18 challenges of under 64 KiB: no overflow below. */
typedef struct counts {
    size_t challenges, nodes, indices, bytes;
} counts;

static counts count_all(const weir_porep_shape *shape, unsigned partitions, unsigned challenges)
{
    size_t n = (size_t)partitions * challenges;
    size_t columns = WEIR_POREP_PARENTS + 1;
    size_t siblings = weir_porep_tree_siblings(shape), levels = weir_porep_tree_levels(shape);
    counts c = {.challenges = n,
                .nodes =
                    n * (shape->nodes_log2 + (columns + 1) * siblings + columns * shape->layers),
                .indices = n * (shape->nodes_log2 + (columns + 1) * levels)};
    c.bytes = n * sizeof(weir_porep_challenge) + c.nodes * sizeof(weir_node) + c.indices;
    return c;
}

uint64_t weir_porep_input_bytes(const weir_porep_shape *shape, unsigned partitions,
                                unsigned challenges)
{
    return count_all(shape, partitions, challenges).bytes + sizeof(weir_porep_input);
}

weir_err weir_porep_input_new(weir_porep_input **out, const weir_porep_shape *shape,
                              unsigned partitions, unsigned challenges, weir_slabs *slabs,
                              weir_errinfo *ei)
{
    *out = NULL;
    if (partitions == 0 || partitions > MAX_PARTITIONS)
        return weir_fail(ei, WEIR_E_RANGE, "a PoRep has 1 to %d partitions, not %u", MAX_PARTITIONS,
                         partitions);
    if (challenges == 0 || challenges > shape->challenges)
        return weir_fail(ei, WEIR_E_RANGE, "a partition of a %s sector has %u challenges, not %u",
                         shape->name, shape->challenges, challenges);
    const counts all = count_all(shape, partitions, challenges);
    weir_porep_input *in = weir_calloc(1, sizeof *in);
    uint8_t *arena = weir_slab_take(slabs, all.bytes, 1);
    if (!in || !arena) {
        weir_slab_give(slabs, arena, all.bytes, 1);
        weir_free(in);
        return weir_fail(ei, WEIR_E_NOMEM,
                         "no memory for the Merkle paths of %u partitions: %zu bytes", partitions,
                         all.bytes);
    }
    memset(arena, 0, all.bytes);
    in->shape = shape;
    in->partitions = partitions;
    in->challenges = challenges;
    in->_arena = arena;
    in->_arena_bytes = all.bytes;
    in->_slabs = slabs;
    in->challenge = (weir_porep_challenge *)(void *)arena;
    cursor c = {(weir_node *)(void *)(in->challenge + all.challenges), NULL};
    c.index = (uint8_t *)(c.node + all.nodes);
    for (size_t i = 0; i < all.challenges; i++) place_challenge(&in->challenge[i], &c, shape);
    *out = in;
    return WEIR_OK;
}

void weir_porep_input_free(weir_porep_input *in)
{
    if (!in) return;
    weir_slab_give(in->_slabs, in->_arena, in->_arena_bytes, 1);
    weir_free(in);
}

/* ---- checks */

/* Where a check stands, for the message. */
typedef struct place {
    const weir_porep_input *in;
    unsigned partition, challenge;
    char field[48];
} place;

static bool node_is_zero(const weir_node *a)
{
    static const weir_node zero = {{0}};
    return memcmp(a, &zero, sizeof zero) == 0;
}

static bool node_is_field(const weir_node *a)
{
    weir_scalar s;
    scalar_from_le(&s, a->b);
    return scalar_is_reduced(&s);
}

static bool node_eq(const weir_node *a, const weir_node *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static weir_err fail_at(const place *at, weir_errinfo *ei, weir_err err, const char *what)
{
    return weir_fail(ei, err, "partition %u, challenge %u, %s: %s", at->partition, at->challenge,
                     at->field, what);
}

static weir_err check_nodes(const place *at, const weir_node *a, size_t n, const char *what,
                            weir_errinfo *ei)
{
    for (size_t i = 0; i < n; i++) {
        if (node_is_field(&a[i])) continue;
        return weir_fail(ei, WEIR_E_RANGE,
                         "partition %u, challenge %u, %s: %s %zu is not below the field's modulus",
                         at->partition, at->challenge, at->field, what, i);
    }
    return WEIR_OK;
}

/* The D tree is binary; the others have the arities of the shape. */
static unsigned arity_of(const weir_porep_shape *s, bool binary, unsigned level)
{
    return binary ? 2 : weir_porep_tree_arity(s, level);
}

/* Nodes below r, the root the expected one, positions below the arity and together the leaf's
 * number. */
static weir_err check_path(const place *at, const weir_path *p, bool binary, uint64_t node,
                           const weir_node *root, weir_errinfo *ei)
{
    const weir_porep_shape *s = at->in->shape;
    unsigned levels = binary ? s->nodes_log2 : weir_porep_tree_levels(s);
    unsigned siblings = binary ? s->nodes_log2 : weir_porep_tree_siblings(s);
    WEIR_TRY(check_nodes(at, &p->leaf, 1, "leaf", ei));
    WEIR_TRY(check_nodes(at, &p->root, 1, "root", ei));
    WEIR_TRY(check_nodes(at, p->siblings, siblings, "path element", ei));
    if (!node_eq(&p->root, root))
        return fail_at(at, ei, WEIR_E_MISMATCH, "the root is not the one of the other proofs");
    uint64_t leaf = 0, weight = 1;
    for (unsigned i = 0; i < levels; i++) {
        unsigned arity = arity_of(s, binary, i);
        if (p->index[i] >= arity)
            return weir_fail(ei, WEIR_E_RANGE,
                             "partition %u, challenge %u, %s: position %u at level %u of arity %u",
                             at->partition, at->challenge, at->field, p->index[i], i, arity);
        leaf += p->index[i] * weight;
        weight *= arity;
    }
    if (leaf != node)
        return weir_fail(
            ei, WEIR_E_MISMATCH,
            "partition %u, challenge %u, %s: the path is that of leaf %llu, not of %llu",
            at->partition, at->challenge, at->field, (unsigned long long)leaf,
            (unsigned long long)node);
    return WEIR_OK;
}

static weir_err check_column(const place *at, const weir_column_proof *p, const weir_node *comm_c,
                             weir_errinfo *ei)
{
    if (p->node >> at->in->shape->nodes_log2)
        return fail_at(at, ei, WEIR_E_RANGE, "the node is outside of the sector");
    WEIR_TRY(check_nodes(at, p->rows, at->in->shape->layers, "label", ei));
    return check_path(at, &p->path, false, p->node, comm_c, ei);
}

static weir_err check_challenge(place *at, const weir_porep_challenge *p, weir_errinfo *ei)
{
    const weir_porep_challenge *first = &at->in->challenge[0];
    strcpy(at->field, "challenge");
    if (p->node == 0 || p->node >> at->in->shape->nodes_log2)
        return fail_at(at, ei, WEIR_E_RANGE, "the challenged node is 0 or outside of the sector");
    strcpy(at->field, "comm_d proof");
    WEIR_TRY(check_path(at, &p->d, true, p->node, &at->in->comm_d, ei));
    strcpy(at->field, "comm_r_last proof");
    WEIR_TRY(check_path(at, &p->r_last, false, p->node, &first->r_last.root, ei));
    strcpy(at->field, "column of the challenge");
    WEIR_TRY(check_column(at, &p->c_x, &first->c_x.path.root, ei));
    if (p->c_x.node != p->node)
        return fail_at(at, ei, WEIR_E_MISMATCH, "the column is that of another node");
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) {
        bool drg = i < WEIR_POREP_DRG_PARENTS;
        snprintf(at->field, sizeof at->field, "column of %s parent %u", drg ? "DRG" : "expander",
                 drg ? i : i - WEIR_POREP_DRG_PARENTS);
        WEIR_TRY(check_column(at, &p->parents[i], &first->c_x.path.root, ei));
    }
    return WEIR_OK;
}

static weir_err check_commitment(const weir_node *a, bool may_be_zero, const char *name,
                                 weir_errinfo *ei)
{
    if (!node_is_field(a))
        return weir_fail(ei, WEIR_E_RANGE, "%s is not below the field's modulus", name);
    if (!may_be_zero && node_is_zero(a))
        return weir_fail(ei, WEIR_E_MISMATCH, "%s is zero: the sector is not ready to be proved",
                         name);
    return WEIR_OK;
}

weir_err weir_porep_input_check(const weir_porep_input *in, weir_errinfo *ei)
{
    WEIR_TRY(check_commitment(&in->comm_r, false, "comm_r", ei));
    WEIR_TRY(check_commitment(&in->comm_d, false, "comm_d", ei));
    WEIR_TRY(check_commitment(&in->replica_id, true, "replica_id", ei));
    /* Non-interactive PoRep has no seed. */
    bool seedless = in->registered && in->registered->feature == WEIR_POREP_NONINTERACTIVE;
    if (!seedless && node_is_zero(&in->seed))
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "the interactive seed is zero: it comes from the chain after PreCommit");
    if (in->registered && in->registered->shape != in->shape)
        return weir_fail(ei, WEIR_E_MISMATCH, "%s is not a proof of a %s sector",
                         in->registered->name, in->shape->name);
    place at = {.in = in};
    for (unsigned k = 0; k < in->partitions; k++) {
        for (unsigned i = 0; i < in->challenges; i++) {
            at.partition = k;
            at.challenge = i;
            WEIR_TRY(check_challenge(&at, &in->challenge[(size_t)k * in->challenges + i], ei));
        }
    }
    return WEIR_OK;
}

void weir_porep_stated_inputs(weir_fr *out, const weir_porep_input *in, unsigned partition)
{
    (void)fr_from_le(out++, in->replica_id.b);
    (void)fr_from_le(out++, in->comm_d.b);
    (void)fr_from_le(out++, in->comm_r.b);
    for (unsigned i = 0; i < in->challenges; i++) {
        const weir_porep_challenge *c = &in->challenge[(size_t)partition * in->challenges + i];
        fr_from_u64(out++, c->node); /* path in tree D */
        for (int k = 0; k < WEIR_POREP_PARENTS; k++) fr_from_u64(out++, c->parents[k].node);
        for (int k = 0; k < 3; k++)
            fr_from_u64(out++, c->node); /* its bits, path in R-last, path in C */
    }
}
