/* StackedDrg PoRep: sector shapes, registered proofs, the parsed Commit Phase 1 output, and the native side of the
 * proof (replica id, challenges, parents, public inputs). The circuit itself is in circuit/porep_circuit.h.
 *
 * Source: filecoin spec "Stacked DRG PoRep"; rust-fil-proofs storage-proofs-porep.
 */
#ifndef WEIR_CIRCUIT_POREP_H
#define WEIR_CIRCUIT_POREP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/exec.h"
#include "base/slabs.h"
#include "field/types.h"

enum {
    WEIR_POREP_DRG_PARENTS = 6,
    WEIR_POREP_EXP_PARENTS = 8,
    WEIR_POREP_PARENTS = 14,
    WEIR_POREP_LABEL_PARENTS = 37, /* parents hashed into one label, with repetition */
    WEIR_POREP_MAX_LAYERS = 11,
    WEIR_POREP_MAX_LEVELS = 31,
    WEIR_POREP_INPUTS_PER_CHALLENGE = 18 /* D path, 14 parents, node bits, R path, C path */
};

/* What depends on the sector size alone (one circuit and one key for every registered proof of that size). */
typedef struct weir_porep_shape {
    const char *name;      /* "32GiB" */
    uint64_t sector_bytes;
    unsigned nodes_log2;   /* nodes of 32 bytes; also the levels of tree D */
    unsigned layers;
    unsigned challenges;   /* per partition */
    unsigned partitions;   /* interactive */
    unsigned base_levels;  /* arity-8 levels of trees C and R-last */
    unsigned sub_arity;    /* 0, 2 or 8: the level above the base levels */
    unsigned top_arity;    /* 0 or 2: the level above that */
} weir_porep_shape;

/* NULL if Filecoin has no such sector size. */
const weir_porep_shape *weir_porep_shape_by_size(uint64_t sector_bytes);
/* By name: "2KiB", "8MiB", "32GiB", upper or lower case. */
const weir_porep_shape *weir_porep_shape_by_name(const char *name);
/* The table, smallest first; ends with name == NULL. */
const weir_porep_shape *weir_porep_shapes(void);
/* Levels of trees C and R-last, and the arity of level i (0 = the leaves'). */
unsigned weir_porep_tree_levels(const weir_porep_shape *s);
unsigned weir_porep_tree_arity(const weir_porep_shape *s, unsigned level);
/* Siblings on one path of trees C and R-last, all levels together. */
unsigned weir_porep_tree_siblings(const weir_porep_shape *s);

typedef enum weir_porep_feature {
    WEIR_POREP_PLAIN,          /* interactive, V1 and V1_1 */
    WEIR_POREP_SYNTHETIC,
    WEIR_POREP_NONINTERACTIVE
} weir_porep_feature;

/* Registered seal proofs 0..19. */
typedef struct weir_registered_porep {
    int number;
    const char *name; /* "StackedDrg32GiBV1_1" */
    const weir_porep_shape *shape;
    bool legacy; /* API 1.0.0: numbers 0..4 */
    weir_porep_feature feature;
    unsigned partitions; /* non-interactive: 13 or 126 */
} weir_registered_porep;

const weir_registered_porep *weir_registered_porep_by_name(const char *name);
const weir_registered_porep *weir_registered_porep_by_number(int number);
/* The PoRep id: the number as 8 bytes little-endian, then 24 zero bytes. */
void weir_porep_id(uint8_t out[32], const weir_registered_porep *r);

/* A 32-byte node: a field element, little-endian; a reader has checked that it is below r. */
typedef struct weir_node {
    uint8_t b[32];
} weir_node;

/* A Merkle path from a leaf. Level i has arity - 1 siblings in tree order (own position left out) and the own
 * position. Siblings of all levels stand one after another. */
typedef struct weir_path {
    weir_node leaf, root;
    weir_node *siblings;
    uint8_t *index; /* one a level, below the arity */
} weir_path;

typedef struct weir_column_proof {
    uint32_t node;
    weir_node *rows; /* one label a layer, layer 1 first */
    weir_path path;  /* tree C; the leaf is the column hash */
} weir_column_proof;

typedef struct weir_porep_challenge {
    uint64_t node;    /* the challenge */
    weir_path d;      /* tree D, binary SHA-256 */
    weir_path r_last; /* tree R-last */
    weir_column_proof c_x;
    weir_column_proof parents[WEIR_POREP_PARENTS]; /* 6 DRG, then 8 expander */
} weir_porep_challenge;

/* The output of Commit Phase 1, parsed and checked; read only afterwards, shared by the partitions. */
typedef struct weir_porep_input {
    const weir_porep_shape *shape;
    const weir_registered_porep *registered; /* NULL: the file does not say */
    unsigned partitions;
    unsigned challenges; /* per partition: the shape's, fewer only in tests */
    weir_node comm_r, comm_d, replica_id, seed, ticket;
    weir_porep_challenge *challenge; /* partitions * challenges */
    void *_arena; /* nodes and indices of all paths */
    size_t _arena_bytes;
    weir_slabs *_slabs; /* where the arena is from */
} weir_porep_input;

/* Takes memory for all paths of `partitions` partitions and points the structs into it, zeroed.
 * Size: 43 KiB a challenge at 32 and 64 GiB, 7.5 MiB for 10 partitions of 18. In: 1 to 126 partitions, 1 to the
 * shape's challenges. slabs: where they come from and go back to, kept until the input is freed; NULL: fresh memory. Errors:
 * WEIR_E_RANGE, WEIR_E_NOMEM. */
weir_err weir_porep_input_new(weir_porep_input **out, const weir_porep_shape *shape, unsigned partitions,
                              unsigned challenges, weir_slabs *slabs, weir_errinfo *ei) WEIR_MUST_USE;
void weir_porep_input_free(weir_porep_input *in);
/* Bytes that it takes. In: as above. */
uint64_t weir_porep_input_bytes(const weir_porep_shape *shape, unsigned partitions, unsigned challenges);

/* Consistency that costs nothing next to proving: seed, comm_d, comm_r not zero, all nodes below r, one comm_c and
 * comm_r_last everywhere, the leaf indices of the paths equal to the node numbers, comm_d the D root. A zero seed
 * passes where `registered` says that the proof is non-interactive. Cost: 0.6 ms for 180 challenges at 32 GiB. Errors:
 * WEIR_E_MISMATCH or WEIR_E_RANGE with partition, challenge and field. */
weir_err weir_porep_input_check(const weir_porep_input *in, weir_errinfo *ei) WEIR_MUST_USE;

/* ---- the native side */

/* SHA256(prover_id || BE64(sector) || ticket || comm_d || porep_id), two top bits cleared. */
void weir_porep_replica_id(weir_node *out, const weir_registered_porep *r, const uint8_t prover_id[32],
                           uint64_t sector, const uint8_t ticket[32], const weir_node *comm_d);

/* Challenge j of the seal, j = partition * shape->challenges + i, also where an input has fewer. comm_r is used by
 * synthetic and non-interactive PoRep, seed by all but the latter. */
uint64_t weir_porep_challenge_of(const weir_registered_porep *r, const weir_node *replica_id,
                                 const weir_node *comm_r, const uint8_t seed[32], uint32_t j);

/* The 6 DRG and 8 expander parents of a node, in the order of the circuit. */
void weir_porep_parents(const weir_registered_porep *r, uint64_t node, uint64_t parents[WEIR_POREP_PARENTS]);

/* Everything that a verifier needs to know of a seal. */
typedef struct weir_porep_public {
    const weir_registered_porep *registered;
    weir_node replica_id, comm_d, comm_r;
    uint8_t seed[32];
} weir_porep_public;

/* Inputs of one partition without the leading one: 3 + 18 * challenges elements, Montgomery form. */
weir_err weir_porep_public_inputs(weir_fr *out, const weir_porep_public *pub, unsigned partition,
                                  weir_errinfo *ei) WEIR_MUST_USE;

/* The same as an input states them, node by node: 3 + 18 * in->challenges elements. In: nodes below r, as readers check. */
void weir_porep_stated_inputs(weir_fr *out, const weir_porep_input *in, unsigned partition);

/* Recomputes every challenge (where the registered proof is known), parent, label, column hash and path of the input
 * natively, without the circuit; weir_porep_input_check comes first. Cost: 0.14 s CPU for 180 challenges at 32 GiB on the ifma path, on
 * the threads of x's pool. Errors: WEIR_E_MISMATCH or WEIR_E_RANGE with partition, challenge and what differs, of several the first;
 * WEIR_E_NOMEM; WEIR_E_CANCELLED. */
weir_err weir_porep_native_check(const weir_porep_input *in, const weir_exec *x,
                                 weir_errinfo *ei) WEIR_MUST_USE;

/* ---- samples: consistent inputs from a seed, nothing is sealed */

typedef struct weir_sample_opts {
    const weir_registered_porep *registered;
    uint64_t seed;
    unsigned partitions; /* 0: all */
    unsigned challenges; /* 0: the shape's */
    weir_slabs *slabs;   /* as for weir_porep_input_new */
} weir_sample_opts;

/* A sector's C1 output: a tree D of two values a level; then challenged nodes, their parents' columns, sparse trees C
 * and R-last with random siblings; a node that is both challenge and parent carries its computed labels. prover_id and
 * sector are made from the seed too. Up to 32 KiB the sector is truly sealed, so that synthetic and non-interactive
 * challenges, which depend on comm_r, can be made; above it they are refused (WEIR_E_UNSUPPORTED). With fewer
 * challenges the ones kept are the first of each partition. The same options give the same bytes.
 * Keeps: opts->registered, in the input. sector: may be NULL.
 * Cost: 0.6 s CPU for 180 challenges at 32 GiB. Errors: WEIR_E_RANGE (more partitions or challenges than the proof
 * has), WEIR_E_UNSUPPORTED, WEIR_E_NOMEM. */
typedef struct weir_sample_sector {
    uint8_t prover_id[32];
    uint64_t sector;
} weir_sample_sector;
weir_err weir_porep_sample(weir_porep_input **out, weir_sample_sector *sector, const weir_sample_opts *opts,
                           weir_errinfo *ei) WEIR_MUST_USE;

#endif
