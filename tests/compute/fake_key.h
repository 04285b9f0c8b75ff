/* A circuit of many small repetitions and a key for it whose points are cheap: point i of a section is one of a few
 * multiples of the generator. Sums over them can be worked out in Fr. */
#ifndef WEIR_TEST_FAKE_KEY_H
#define WEIR_TEST_FAKE_KEY_H

#include "compute/compute.h"
#include "testkit.h"

enum { FAKE_MULTIPLES = 251 };

typedef struct fake_key {
    weir_relation *rel;
    weir_witness *w;
    weir_key_points points;
    weir_g1_affine g1[FAKE_MULTIPLES]; /* 1, 2, ... times the generator */
    weir_g2_affine g2[FAKE_MULTIPLES];
    weir_key_section bad_section; /* WEIR_KEY_SECTIONS: none */
    uint64_t bad_point[2];
} fake_key;

/* `count` repetitions of: a bit, a column x (dense or a bit too), and their product, dense. */
void fake_key_init(fake_key *k, tk_rng *g, uint64_t count, bool dense_x);
void fake_key_clear(fake_key *k);

/* Which multiple point i of a section is. */
unsigned fake_multiple(weir_key_section section, uint64_t i);

#endif
