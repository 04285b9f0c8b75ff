/* Tree hashes on nodes, and sparse Merkle trees.
 *
 * A sparse tree knows some leaves; the rest of every family that a path meets is filled from
 * outside. It is built level by level: the known nodes of a level, in ascending order, fall into
 * families (same parent), and the families' parents are the known nodes of the level above,
 * again in ascending order. So all paths end in one root.
 */
#include "base/alloc.h"
#include "circuit/porep_native.h"
#include "field/fr.h"
#include "hash/sha256.h"

#include <string.h>

/* Elements converted at once: 12 KiB of stack for 32 preimages of arity 11. */
enum { HASH_CHUNK = 32, MAX_ARITY = 11 };

void weir_porep_hash_d(weir_node *out, const weir_node *left, const weir_node *right)
{
    weir_node both[2] = {*left, *right};
    weir_sha256_hash(out->b, both, sizeof both);
    out->b[31] &= 0x3f;
}

static void node_to_fr(weir_fr *r, const weir_node *a)
{
    weir_scalar s;
    scalar_from_le(&s, a->b);
    fr_from_scalar(r, &s);
}

void weir_porep_hash(const weir_poseidon *p, weir_node *out, const weir_node *preimages, size_t n)
{
    const weir_poseidon_ops *ops = weir_poseidon_ops_get(weir_isa_best());
    weir_fr in[HASH_CHUNK * MAX_ARITY], res[HASH_CHUNK];
    for (size_t at = 0; at < n; at += HASH_CHUNK) {
        size_t count = n - at < HASH_CHUNK ? n - at : HASH_CHUNK;
        for (size_t i = 0; i < count * p->arity; i++)
            node_to_fr(&in[i], &preimages[at * p->arity + i]);
        ops->hash(p, res, in, count);
        for (size_t i = 0; i < count; i++) fr_to_le(out[at + i].b, &res[i]);
    }
}

void weir_porep_encode(weir_node *out, const weir_node *label, const weir_node *data)
{
    weir_fr a, b;
    node_to_fr(&a, label);
    node_to_fr(&b, data);
    fr_add(&a, &a, &b);
    fr_to_le(out->b, &a);
}

/* ---- sparse trees */

static weir_err no_memory(weir_errinfo *ei, const char *what)
{
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for %s", what);
}

/* One level from its known nodes (ascending): the families, and in place of the known nodes
 * their parents. *n becomes the number of families. */
static weir_err build_level(weir_sparse_level *l, unsigned level, uint64_t *number,
                            weir_node *value, size_t *n, weir_sparse_fill_fn fill, void *ctx,
                            weir_errinfo *ei)
{
    size_t families = 0;
    for (size_t i = 0; i < *n; i++)
        families += i == 0 || number[i] / l->arity != number[i - 1] / l->arity;
    l->parent = weir_malloc(families, sizeof *l->parent);
    l->child = weir_malloc(families * l->arity, sizeof *l->child);
    if (!l->parent || !l->child) return no_memory(ei, "a sparse tree");
    l->families = families;

    size_t next = 0;
    for (size_t f = 0; f < families; f++) {
        uint64_t parent = number[next] / l->arity;
        weir_node *child = l->child + f * l->arity;
        l->parent[f] = parent;
        for (unsigned k = 0; k < l->arity; k++) {
            uint64_t own = parent * l->arity + k;
            if (next < *n && number[next] == own)
                child[k] = value[next++];
            else
                fill(&child[k], ctx, level, own);
        }
    }
    memcpy(number, l->parent, families * sizeof *number);
    *n = families;
    return WEIR_OK;
}

weir_err weir_sparse_tree_init(weir_sparse_tree *t, const weir_porep_shape *s,
                               const weir_porep_hashes *h, const weir_sparse_leaves *leaves,
                               weir_sparse_fill_fn fill, void *ctx, weir_errinfo *ei)
{
    memset(t, 0, sizeof *t);
    t->levels = weir_porep_tree_levels(s);
    size_t n = leaves->n;
    weir_err err = WEIR_OK;
    uint64_t *number = weir_malloc(n, sizeof *number);
    weir_node *value = weir_malloc(n, sizeof *value);
    if (!number || !value) {
        err = no_memory(ei, "a sparse tree");
        goto out;
    }
    memcpy(number, leaves->number, n * sizeof *number);
    memcpy(value, leaves->value, n * sizeof *value);
    for (unsigned i = 0; i < t->levels; i++) {
        weir_sparse_level *l = &t->level[i];
        l->arity = weir_porep_tree_arity(s, i);
        WEIR_TRY_GOTO(build_level(l, i, number, value, &n, fill, ctx, ei));
        weir_porep_hash(h->arity[l->arity], value, l->child, n);
    }
    t->root = value[0];
out:
    weir_free(number);
    weir_free(value);
    return err;
}

void weir_sparse_tree_clear(weir_sparse_tree *t)
{
    for (unsigned i = 0; i < t->levels; i++) {
        weir_free(t->level[i].parent);
        weir_free(t->level[i].child);
    }
    memset(t, 0, sizeof *t);
}

static size_t find_family(const weir_sparse_level *l, uint64_t parent)
{
    size_t lo = 0, hi = l->families;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->parent[mid] <= parent)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

void weir_sparse_tree_path(const weir_sparse_tree *t, weir_path *p, uint64_t leaf)
{
    weir_node *sibling = p->siblings;
    uint64_t number = leaf;
    for (unsigned i = 0; i < t->levels; i++) {
        const weir_sparse_level *l = &t->level[i];
        unsigned own = (unsigned)(number % l->arity);
        number /= l->arity;
        const weir_node *child = l->child + find_family(l, number) * l->arity;
        if (i == 0) p->leaf = child[own];
        p->index[i] = (uint8_t)own;
        for (unsigned k = 0; k < l->arity; k++)
            if (k != own) *sibling++ = child[k];
    }
    p->root = t->root;
}
