#include "formats/c1_layout.h"

#include "field/fr.h"

#include <inttypes.h>

static void add_level(weir_c1_tree *t, unsigned arity)
{
    t->arity[t->levels] = (uint8_t)arity;
    t->first_sibling[t->levels + 1] = (uint16_t)(t->first_sibling[t->levels] + arity - 1);
    t->levels++;
}

/* Ends the part that has been added since the last call. */
static void end_part(weir_c1_tree *t)
{
    t->first_level[++t->parts] = t->levels;
}

void weir_c1_layout_init(weir_c1_layout *l, const weir_porep_shape *shape)
{
    *l = (weir_c1_layout){.shape = shape, .nodes = UINT64_C(1) << shape->nodes_log2};
    for (unsigned i = 0; i < shape->nodes_log2; i++) add_level(&l->d, 2);
    end_part(&l->d);
    for (unsigned i = 0; i < shape->base_levels; i++) add_level(&l->r, 8);
    end_part(&l->r);
    if (shape->sub_arity) {
        add_level(&l->r, shape->sub_arity);
        end_part(&l->r);
    }
    if (shape->top_arity) {
        add_level(&l->r, shape->top_arity);
        end_part(&l->r);
    }
    static const char *const kinds[WEIR_C1_MAX_PARTS] = {"Single", "Sub", "Top"};
    l->d.tag = l->d.parts - 1;
    l->r.tag = l->r.parts - 1;
    l->d.kind = kinds[l->d.tag];
    l->r.kind = kinds[l->r.tag];
}

const weir_porep_shape *weir_c1_shape_of_levels(uint64_t d_levels)
{
    for (const weir_porep_shape *s = weir_porep_shapes(); s->name; s++)
        if (s->nodes_log2 == d_levels) return s;
    return NULL;
}

const char *weir_c1_part_name(const weir_c1_tree *t, unsigned part)
{
    static const char *const names[WEIR_C1_MAX_PARTS] = {"base_proof", "sub_proof", "top_proof"};
    return t->parts == 1 ? "path" : names[part];
}

static uint64_t tree_nodes(const weir_c1_tree *t)
{
    return 2 + t->first_sibling[t->levels];
}

uint64_t weir_c1_nodes_per_challenge(const weir_c1_layout *l)
{
    uint64_t layers = l->shape->layers;
    uint64_t columns = 1 + WEIR_POREP_PARENTS;
    return tree_nodes(&l->d) + tree_nodes(&l->r) + columns * (layers + tree_nodes(&l->r)) +
           (layers + 1) * WEIR_POREP_LABEL_PARENTS;
}

/* Enum tag, root and leaf; a length for each part; for each level a length, the siblings and the
 * index. */
static uint64_t tree_bytes(const weir_c1_tree *t)
{
    return 4 + 8 * t->parts + 16 * t->levels + 32 * tree_nodes(t);
}

uint64_t weir_c1_bincode_bytes(const weir_c1_layout *l, unsigned partitions, unsigned challenges)
{
    uint64_t layers = l->shape->layers;
    uint64_t column = 4 + 8 + 32 * layers + tree_bytes(&l->r);
    uint64_t labelling = 8 + 32 * WEIR_POREP_LABEL_PARENTS + 4 + 8;
    uint64_t proof = tree_bytes(&l->d) + tree_bytes(&l->r) + (1 + WEIR_POREP_PARENTS) * column +
                     2 * 8 + 8 + (layers + 1) * labelling;
    return 8 + partitions * (8 + challenges * proof) + 5 * 32;
}

/* Non-interactive PoRep: 2253 challenges in 126 partitions for 32 and 64 GiB, 26 in 13 for the test
 * sizes. */
static unsigned noninteractive_partitions(const weir_porep_shape *shape)
{
    return shape->partitions > 1 ? 126 : 13;
}

weir_err weir_c1_check_counts(const weir_porep_shape *shape,
                              const weir_registered_porep *registered, uint64_t partitions,
                              uint64_t challenges, const weir_c1_opts *opts, weir_errinfo *ei)
{
    if (opts->shape && opts->shape != shape) {
        return weir_fail(
            ei, WEIR_E_MISMATCH,
            "the paths are those of a %s sector, but %s is expected; choose the right file or size",
            shape->name, opts->shape->name);
    }
    if (registered && registered->shape != shape) {
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "registered_proof is %s, but the paths are those of a %s sector",
                         registered->name, shape->name);
    }
    unsigned plain = shape->partitions, ni = noninteractive_partitions(shape);
    if (registered) plain = ni = registered->partitions;
    if (opts->partitions) plain = ni = opts->partitions;
    if ((partitions != plain && partitions != ni) || partitions > WEIR_C1_MAX_PARTITIONS) {
        char other[40] = "";
        if (ni != plain) snprintf(other, sizeof other, " (or %u, non-interactive)", ni);
        return weir_fail(ei, WEIR_E_MISMATCH, "%" PRIu64 " partitions, but %s%s has %u%s",
                         partitions, registered ? registered->name : "a sector of ",
                         registered ? "" : shape->name, plain, other);
    }
    unsigned want = opts->challenges ? opts->challenges : shape->challenges;
    if (challenges != want || challenges > WEIR_C1_MAX_CHALLENGES) {
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%" PRIu64 " challenges in a partition, but a sector of %s has %u",
                         challenges, shape->name, want);
    }
    return WEIR_OK;
}

unsigned weir_c1_most_partitions(const weir_c1_layout *l, uint64_t bytes, bool bincode,
                                 const weir_c1_opts *opts)
{
    const weir_porep_shape *s = l->shape;
    unsigned plain = s->partitions, ni = noninteractive_partitions(s), most = 0;
    unsigned challenges = opts->challenges ? opts->challenges : s->challenges;
    if (opts->partitions) plain = ni = opts->partitions;
    if (challenges > WEIR_C1_MAX_CHALLENGES) return 0;
    const unsigned allowed[] = {plain, ni};
    for (int i = 0; i < 2; i++) {
        unsigned n = allowed[i];
        if (n <= most || n > WEIR_C1_MAX_PARTITIONS) continue;
        uint64_t least = bincode ? weir_c1_bincode_bytes(l, n, challenges)
                                 : (uint64_t)n * challenges * weir_c1_nodes_per_challenge(l) *
                                       WEIR_C1_JSON_NODE_BYTES;
        if (least <= bytes) most = n;
    }
    return most;
}

bool weir_c1_node_in_range(const weir_node *n)
{
    weir_scalar s;
    scalar_from_le(&s, n->b);
    return scalar_is_reduced(&s);
}

void weir_c1_label_parents(const weir_node *parents[WEIR_POREP_LABEL_PARENTS],
                           const weir_porep_challenge *c, unsigned layer)
{
    unsigned period = layer == 1 ? WEIR_POREP_DRG_PARENTS : WEIR_POREP_PARENTS;
    for (unsigned i = 0; i < WEIR_POREP_LABEL_PARENTS; i++) {
        unsigned p = i % period;
        unsigned from = p < WEIR_POREP_DRG_PARENTS ? layer : layer - 1;
        parents[i] = &c->parents[p].rows[from - 1];
    }
}
