/* The native checker: everything that the circuit would enforce, and the choice of nodes,
 * computed again.
 *
 * The 15 columns and the replica path of a challenge all go through trees of one shape, so their
 * hashes are taken 16 at a time, level by level.
 */
#include "circuit/porep_native.h"

#include "base/alloc.h"
#include "base/fault.h"

#include <string.h>

enum { COLUMNS = WEIR_POREP_PARENTS + 1, PATHS = COLUMNS + 1 };

/* One challenge under check. */
typedef struct check {
    const weir_porep_input *in;
    const weir_porep_hashes *h;
    unsigned partition, challenge;
    const weir_porep_challenge *c;
} check;

static bool node_eq(const weir_node *a, const weir_node *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static weir_err fail_check(const check *k, weir_errinfo *ei, const char *what)
{
    return weir_fail(ei, WEIR_E_MISMATCH, "partition %u, challenge %u (node %llu): %s",
                     k->partition, k->challenge, (unsigned long long)k->c->node, what);
}

static weir_err fail_parent(const check *k, unsigned parent, weir_errinfo *ei, const char *what)
{
    bool drg = parent < WEIR_POREP_DRG_PARENTS;
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "partition %u, challenge %u (node %llu), %s parent %u: %s", k->partition,
                     k->challenge, (unsigned long long)k->c->node, drg ? "DRG" : "expander",
                     drg ? parent : parent - WEIR_POREP_DRG_PARENTS, what);
}

/* The nodes that the registered proof asks for. */
static weir_err check_graph(const check *k, weir_errinfo *ei)
{
    const weir_porep_input *in = k->in;
    uint64_t parents[WEIR_POREP_PARENTS];
    uint64_t node =
        weir_porep_challenge_of(in->registered, &in->replica_id, &in->comm_r, in->seed.b,
                                k->partition * in->shape->challenges + k->challenge);
    if (node != k->c->node)
        return weir_fail(
            ei, WEIR_E_MISMATCH,
            "partition %u, challenge %u: %s challenges node %llu here, the file has %llu",
            k->partition, k->challenge, in->registered->name, (unsigned long long)node,
            (unsigned long long)k->c->node);
    weir_porep_parents(in->registered, node, parents);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++)
        if (k->c->parents[i].node != parents[i])
            return fail_parent(k, i, ei,
                               "the column is not that of the node's parent in the graph");
    return WEIR_OK;
}

/* The parents of the challenged node's label in one layer; gives their number. */
static unsigned label_parents(const weir_node *parents[WEIR_POREP_PARENTS],
                              const weir_porep_challenge *c, unsigned layer)
{
    unsigned n = layer == 1 ? WEIR_POREP_DRG_PARENTS : WEIR_POREP_PARENTS;
    for (unsigned i = 0; i < n; i++) {
        unsigned of = i < WEIR_POREP_DRG_PARENTS ? layer : layer - 1;
        parents[i] = &c->parents[i].rows[of - 1];
    }
    return n;
}

static weir_err check_label(const check *k, const weir_node *label, unsigned layer,
                            weir_errinfo *ei)
{
    const weir_porep_challenge *c = k->c;
    if (node_eq(label, &c->c_x.rows[layer - 1])) return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "partition %u, challenge %u (node %llu), layer %u: the label does not follow "
                     "from the parents' labels",
                     k->partition, k->challenge, (unsigned long long)c->node, layer);
}

/* Labels of the challenged node from its parents' columns, against the node's own column, and
 * the replica's value. A label needs those of the parents only, so two layers go together. */
static weir_err check_labels(const check *k, weir_errinfo *ei)
{
    const weir_porep_challenge *c = k->c;
    unsigned layers = k->in->shape->layers, layer = 1;
    weir_node pair[2], label = {{0}}, encoded;
    const weir_node *parents[2][WEIR_POREP_PARENTS];
    for (; layer + 1 <= layers; layer += 2) {
        const unsigned n[2] = {label_parents(parents[0], c, layer),
                               label_parents(parents[1], c, layer + 1)};
        weir_porep_label_pair(pair, &k->in->replica_id, layer, c->node,
                              (const weir_node *const *const[]){parents[0], parents[1]}, n);
        WEIR_TRY(check_label(k, &pair[0], layer, ei));
        WEIR_TRY(check_label(k, &pair[1], layer + 1, ei));
        label = pair[1];
    }
    if (layer == layers) {
        unsigned n = label_parents(parents[0], c, layer);
        weir_porep_label(&label, &k->in->replica_id, layer, c->node, parents[0], n);
        WEIR_TRY(check_label(k, &label, layer, ei));
    }
    weir_porep_encode(&encoded, &label, &c->d.leaf);
    if (!node_eq(&encoded, &c->r_last.leaf))
        return fail_check(k, ei, "the replica's node is not the last label plus the data");
    return WEIR_OK;
}

static const weir_column_proof *column(const check *k, unsigned i)
{
    return i < WEIR_POREP_PARENTS ? &k->c->parents[i] : &k->c->c_x;
}

static weir_err check_columns(const check *k, weir_errinfo *ei)
{
    unsigned layers = k->in->shape->layers;
    weir_node rows[COLUMNS * WEIR_POREP_MAX_LAYERS], hash[COLUMNS];
    for (unsigned i = 0; i < COLUMNS; i++)
        memcpy(rows + i * layers, column(k, i)->rows, layers * sizeof *rows);
    weir_porep_hash(k->h->arity[layers], hash, rows, COLUMNS);
    for (unsigned i = 0; i < COLUMNS; i++) {
        static const char what[] = "the leaf of tree C is not the hash of the column";
        if (node_eq(&hash[i], &column(k, i)->path.leaf)) continue;
        return i < WEIR_POREP_PARENTS ? fail_parent(k, i, ei, what) : fail_check(k, ei, what);
    }
    return WEIR_OK;
}

static weir_err check_tree_d(const check *k, weir_errinfo *ei)
{
    const weir_path *p = &k->c->d;
    weir_node node = p->leaf;
    for (unsigned i = 0; i < k->in->shape->nodes_log2; i++) {
        const weir_node *other = &p->siblings[i];
        if (p->index[i])
            weir_porep_hash_d(&node, other, &node);
        else
            weir_porep_hash_d(&node, &node, other);
    }
    return node_eq(&node, &p->root) ? WEIR_OK
                                    : fail_check(k, ei, "the path does not lead to comm_d");
}

/* The siblings of a level and, between them, the path's own node. */
static void family_of(weir_node *out, const weir_node *own, const weir_node *siblings,
                      unsigned arity, unsigned index)
{
    memcpy(out, siblings, index * sizeof *out);
    out[index] = *own;
    memcpy(out + index + 1, siblings + index, (arity - 1 - index) * sizeof *out);
}

static weir_err check_trees(const check *k, weir_errinfo *ei)
{
    const weir_porep_shape *s = k->in->shape;
    const weir_path *path[PATHS];
    weir_node node[PATHS], family[PATHS * 8];
    for (unsigned i = 0; i < COLUMNS; i++) path[i] = &column(k, i)->path;
    path[COLUMNS] = &k->c->r_last;
    for (unsigned i = 0; i < PATHS; i++) node[i] = path[i]->leaf;

    size_t done = 0;
    for (unsigned level = 0; level < weir_porep_tree_levels(s); level++) {
        unsigned arity = weir_porep_tree_arity(s, level);
        for (unsigned i = 0; i < PATHS; i++)
            family_of(family + i * arity, &node[i], path[i]->siblings + done, arity,
                      path[i]->index[level]);
        weir_porep_hash(k->h->arity[arity], node, family, PATHS);
        done += arity - 1;
    }
    for (unsigned i = 0; i < PATHS; i++) {
        if (node_eq(&node[i], &path[i]->root)) continue;
        if (i < WEIR_POREP_PARENTS)
            return fail_parent(k, i, ei, "the path does not lead to comm_c");
        return fail_check(k, ei,
                          i == COLUMNS ? "the replica's path does not lead to comm_r_last"
                                       : "the column's path does not lead to comm_c");
    }
    return WEIR_OK;
}

static weir_err check_challenge(const check *k, weir_errinfo *ei)
{
    if (k->in->registered) WEIR_TRY(check_graph(k, ei));
    WEIR_TRY(check_labels(k, ei));
    WEIR_TRY(check_columns(k, ei));
    WEIR_TRY(check_tree_d(k, ei));
    return check_trees(k, ei);
}

/* input_check has seen that the two roots are the same everywhere. */
static weir_err check_comm_r(const weir_porep_input *in, const weir_porep_hashes *h,
                             weir_errinfo *ei)
{
    weir_node pair[2] = {in->challenge[0].c_x.path.root, in->challenge[0].r_last.root}, comm_r;
    weir_porep_hash(h->arity[2], &comm_r, pair, 1);
    if (node_eq(&comm_r, &in->comm_r)) return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH, "comm_r is not the hash of comm_c and comm_r_last");
}

/* ---- all of them, side by side */

typedef struct all_checks {
    const weir_porep_input *in;
    const weir_porep_hashes *h;
    const weir_exec *x;
    weir_fault *fault; /* of each thread */
} all_checks;

static void check_task(void *ctx, size_t task, unsigned worker)
{
    const all_checks *a = ctx;
    weir_fault *f = &a->fault[worker];
    unsigned partition = (unsigned)(task / a->in->challenges),
             challenge = (unsigned)(task % a->in->challenges);
    const check k = {a->in, a->h, partition, challenge, &a->in->challenge[task]};
    if (f->err != WEIR_OK || weir_exec_cancelled(a->x)) return;
    f->err = check_challenge(&k, &f->info);
    f->task = task;
}

static weir_err check_all(const all_checks *a, weir_errinfo *ei)
{
    weir_pool_run(a->x->pool, (size_t)a->in->partitions * a->in->challenges, check_task,
                  (void *)(uintptr_t)a);
    WEIR_TRY(weir_fault_first(a->fault, weir_pool_threads(a->x->pool), ei));
    if (weir_exec_cancelled(a->x)) return weir_fail(ei, WEIR_E_CANCELLED, "stopped");
    return WEIR_OK;
}

weir_err weir_porep_native_check(const weir_porep_input *in, const weir_exec *x, weir_errinfo *ei)
{
    WEIR_TRY(weir_porep_input_check(in, ei));
    if (in->registered && in->partitions > in->registered->partitions)
        return weir_fail(ei, WEIR_E_MISMATCH, "%s has %u partitions, the file has %u",
                         in->registered->name, in->registered->partitions, in->partitions);
    weir_porep_hashes h;
    all_checks a = {.in = in, .h = &h, .x = x};
    weir_err err = WEIR_OK;
    WEIR_TRY(weir_porep_hashes_init(&h, in->shape, ei));
    WEIR_TRY_GOTO(check_comm_r(in, &h, ei));
    a.fault = weir_calloc(weir_pool_threads(x->pool), sizeof *a.fault);
    err = a.fault ? check_all(&a, ei) : weir_fail(ei, WEIR_E_NOMEM, "no memory for a check");
    weir_free(a.fault);
out:
    weir_porep_hashes_clear(&h);
    return err;
}
