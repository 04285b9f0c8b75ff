#include "api/circuits.h"

#include "hash/sha256.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Counted by synthesis of the circuits of filecoin-proofs 19.1, but for three of 64 GiB: window
 * PoSt and update by arithmetic, PoRep by weir's own relation. */
static const weir_circuit_size circuits[] = {
    {"porep-2KiB", 22, 40, 2685673, 2674908, 685521},
    {"porep-4KiB", 22, 40, 2786423, 2773158, 716039},
    {"porep-16KiB", 22, 40, 2974867, 2959930, 766963},
    {"porep-32KiB", 22, 40, 3075617, 3058180, 797481},
    {"porep-8MiB", 22, 40, 3842449, 3814996, 1011289},
    {"porep-16MiB", 22, 40, 3943199, 3913246, 1041807},
    {"porep-512MiB", 23, 40, 4420837, 4385040, 1174173},
    {"porep-1GiB", 23, 40, 4521587, 4483290, 1204691},
    {"porep-32GiB", 27, 328, 130169893, 129753292, 33112281},
    {"porep-64GiB", 27, 328, 131076643, 130637542, 33386943},
    {"winning-post-2KiB", 17, 133, 91674, 69300, 66792},
    {"winning-post-4KiB", 17, 133, 112464, 84942, 82302},
    {"winning-post-16KiB", 17, 133, 127116, 96162, 92466},
    {"winning-post-32KiB", 18, 133, 147906, 111804, 107976},
    {"winning-post-8MiB", 18, 133, 233442, 176748, 169488},
    {"winning-post-16MiB", 18, 133, 254232, 192390, 184998},
    {"winning-post-512MiB", 19, 133, 304326, 230472, 220836},
    {"winning-post-1GiB", 19, 133, 325116, 246114, 236346},
    {"winning-post-32GiB", 19, 133, 375210, 284196, 272184},
    {"winning-post-64GiB", 19, 133, 396000, 299838, 287694},
    {"window-post-2KiB", 15, 23, 22128, 16770, 16028},
    {"window-post-4KiB", 15, 23, 28428, 21510, 20728},
    {"window-post-16KiB", 15, 23, 32868, 24910, 23808},
    {"window-post-32KiB", 16, 23, 39168, 29650, 28508},
    {"window-post-8MiB", 16, 23, 65088, 49330, 47148},
    {"window-post-16MiB", 17, 23, 71388, 54070, 51848},
    {"window-post-512MiB", 17, 23, 86568, 65610, 62708},
    {"window-post-1GiB", 17, 23, 92868, 70350, 67408},
    {"window-post-32GiB", 27, 25840, 126902376, 96179805, 91925766},
    {"window-post-64GiB", 27, 25301, 131500200, 99624500, 95413200},
    {"update-2KiB", 21, 5, 1703569, 1697189, 444403},
    {"update-4KiB", 22, 5, 2163189, 2155229, 564063},
    {"update-16KiB", 23, 5, 6293944, 6284882, 1613422},
    {"update-32KiB", 23, 5, 6753564, 6742922, 1733082},
    {"update-8MiB", 24, 5, 9998039, 9981015, 2567921},
    {"update-16MiB", 24, 5, 10457659, 10439055, 2687581},
    {"update-512MiB", 26, 5, 57401314, 57212317, 14916879},
    {"update-32GiB", 27, 5, 80978488, 80743581, 20983607},
    {"update-64GiB", 27, 5, 84931220, 84682725, 22012683},
};
enum { CIRCUITS = sizeof circuits / sizeof circuits[0] };

void weir_circuit_counts(uint64_t count[WEIR_CIRCUIT_COUNTS], const weir_circuit_size *c)
{
    count[0] = c->inputs;
    count[1] = (UINT64_C(1) << c->domain_log2) - 1;
    count[2] = c->aux;
    count[3] = (uint64_t)c->inputs + c->aux_in_a; /* every input has a row of its own in A */
    count[4] = (uint64_t)1 + c->aux_in_b;         /* ONE is the only input in B */
    count[5] = count[4];
}

const weir_circuit_size *weir_circuit_by_counts(const uint64_t count[WEIR_CIRCUIT_COUNTS])
{
    for (int i = 0; i < CIRCUITS; i++) {
        uint64_t c[WEIR_CIRCUIT_COUNTS];
        weir_circuit_counts(c, &circuits[i]);
        if (memcmp(c, count, sizeof c) == 0) return &circuits[i];
    }
    return NULL;
}

const weir_circuit_size *weir_circuit_by_ic(uint64_t n_ic, const weir_circuit_size *after)
{
    for (const weir_circuit_size *c = after ? after + 1 : circuits; c < circuits + CIRCUITS; c++)
        if (c->inputs == n_ic) return c;
    return NULL;
}

const weir_circuit_size *weir_circuit_by_name(const char *name)
{
    for (int i = 0; i < CIRCUITS; i++)
        if (strcasecmp(circuits[i].name, name) == 0) return &circuits[i];
    return NULL;
}

const weir_circuit_size *weir_circuit_porep(const weir_porep_shape *shape)
{
    char name[32];
    snprintf(name, sizeof name, "porep-%s", shape->name);
    return weir_circuit_by_name(name);
}

const weir_porep_shape *weir_circuit_shape(const weir_circuit_size *c)
{
    static const char porep[] = "porep-";
    size_t n = strlen(porep);
    return strncmp(c->name, porep, n) == 0 ? weir_porep_shape_by_name(c->name + n) : NULL;
}

void weir_porep_cache_name(char out[WEIR_CACHE_NAME_SIZE], const weir_porep_shape *s)
{
    char tree[64], text[400], hex[65];
    uint8_t digest[32];
    snprintf(tree, sizeof tree, "merkletree-poseidon_hasher-8-%u-%u", s->sub_arity, s->top_arity);
    int n = snprintf(
        text, sizeof text,
        "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: %d "
        "base_graph: drgraph::BucketGraph{size: %llu; degree: %d; hasher: poseidon_hasher} }, "
        "challenges: LayerChallenges { layers: %u, max_count: %u }, tree: %s }",
        WEIR_POREP_EXP_PARENTS, 1ull << s->nodes_log2, WEIR_POREP_DRG_PARENTS, s->layers,
        s->challenges, tree);
    weir_sha256_hash(digest, text, (size_t)n);
    for (int i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    snprintf(out, WEIR_CACHE_NAME_SIZE, "v28-stacked-proof-of-replication-%s-sha256_hasher-%s",
             tree, hex);
}
