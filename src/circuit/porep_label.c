/* Labels: one node from its parents, and all chosen nodes of a sector in the order of their
 * dependence.
 *
 * Source: filecoin spec "Stacked DRG PoRep"; storage-proofs-porep create_label.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "circuit/porep_native.h"
#include "hash/sha256.h"

#include <string.h>

enum { LABEL_PREFIX = 64, LABEL_MAX = LABEL_PREFIX + WEIR_POREP_LABEL_PARENTS * 32 };

/* Gives the message's length. */
static size_t label_message(uint8_t msg[LABEL_MAX], const weir_node *replica_id, unsigned layer,
                            uint64_t node, const weir_node *const *parents, unsigned n)
{
    memset(msg, 0, LABEL_PREFIX);
    memcpy(msg, replica_id->b, 32);
    weir_store_be32(msg + 32, layer);
    weir_store_be64(msg + 36, node);
    if (n == 0) return LABEL_PREFIX;
    for (unsigned i = 0; i < WEIR_POREP_LABEL_PARENTS; i++)
        memcpy(msg + LABEL_PREFIX + 32 * i, parents[i % n]->b, 32);
    return LABEL_MAX;
}

void weir_porep_label(weir_node *out, const weir_node *replica_id, unsigned layer, uint64_t node,
                      const weir_node *const *parents, unsigned n)
{
    uint8_t msg[LABEL_MAX];
    size_t bytes = label_message(msg, replica_id, layer, node, parents, n);
    weir_sha256_hash(out->b, msg, bytes);
    out->b[31] &= 0x3f;
}

void weir_porep_label_pair(weir_node out[2], const weir_node *replica_id, unsigned layer,
                           uint64_t node, const weir_node *const *const parents[2],
                           const unsigned n[2])
{
    uint8_t msg[2][LABEL_MAX];
    size_t bytes = 0;
    for (unsigned i = 0; i < 2; i++)
        bytes = label_message(msg[i], replica_id, layer + i, node, parents[i], n[i]);
    weir_sha256_hash2((uint8_t *const[]){out[0].b, out[1].b}, (const void *const[]){msg[0], msg[1]},
                      bytes);
    for (int i = 0; i < 2; i++) out[i].b[31] &= 0x3f;
}

size_t weir_label_set_find(const weir_label_set *set, uint64_t node)
{
    size_t lo = 0, hi = set->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (set->number[mid] == node) return mid;
        if (set->number[mid] < node)
            lo = mid + 1;
        else
            hi = mid;
    }
    return set->n;
}

/* Positions of the parents of every labelled node; 14 a node. */
static weir_err find_parents(size_t *position, const weir_label_set *set,
                             const weir_registered_porep *r, weir_errinfo *ei)
{
    for (size_t i = 0; i < set->n; i++) {
        uint64_t parents[WEIR_POREP_PARENTS];
        if (!set->labelled[i]) continue;
        weir_porep_parents(r, set->number[i], parents);
        for (unsigned k = 0; k < WEIR_POREP_PARENTS; k++) {
            size_t at = weir_label_set_find(set, parents[k]);
            if (at == set->n)
                return weir_fail(
                    ei, WEIR_E_INTERNAL, "node %llu is labelled without its parent %llu",
                    (unsigned long long)set->number[i], (unsigned long long)parents[k]);
            position[i * WEIR_POREP_PARENTS + k] = at;
        }
    }
    return WEIR_OK;
}

weir_err weir_label_set_compute(weir_label_set *set, const weir_registered_porep *r,
                                const weir_node *replica_id, weir_errinfo *ei)
{
    unsigned layers = r->shape->layers;
    weir_err err = WEIR_OK;
    size_t *position = weir_malloc(set->n * WEIR_POREP_PARENTS, sizeof *position);
    if (!position)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for the parents of %zu nodes", set->n);
    WEIR_TRY_GOTO(find_parents(position, set, r, ei));
    for (unsigned layer = 1; layer <= layers; layer++) {
        for (size_t i = 0; i < set->n; i++) {
            if (!set->labelled[i]) continue;
            const weir_node *parents[WEIR_POREP_PARENTS];
            unsigned n = layer == 1 ? WEIR_POREP_DRG_PARENTS : WEIR_POREP_PARENTS;
            for (unsigned k = 0; k < n; k++) {
                unsigned of = k < WEIR_POREP_DRG_PARENTS ? layer : layer - 1;
                parents[k] = &set->rows[position[i * WEIR_POREP_PARENTS + k] * layers + of - 1];
            }
            weir_porep_label(&set->rows[i * layers + layer - 1], replica_id, layer, set->number[i],
                             parents, set->number[i] == 0 ? 0 : n);
        }
    }
out:
    weir_free(position);
    return err;
}
