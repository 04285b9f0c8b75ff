#include "compute/key_points.h"

#include <inttypes.h>

const char *const weir_key_section_names[WEIR_KEY_SECTIONS] = {"h", "l", "a", "b_g1", "b_g2"};

void weir_key_points_expected(uint64_t count[WEIR_KEY_SECTIONS], const weir_relation *rel)
{
    count[WEIR_KEY_H] = ((uint64_t)1 << rel->domain_log2) - 1;
    count[WEIR_KEY_L] = weir_query_len(rel, WEIR_QUERY_L);
    count[WEIR_KEY_A] = weir_query_len(rel, WEIR_QUERY_A);
    count[WEIR_KEY_B_G1] = weir_query_len(rel, WEIR_QUERY_B);
    count[WEIR_KEY_B_G2] = count[WEIR_KEY_B_G1];
}

weir_err weir_key_points_fit(const weir_key_points *key, const weir_relation *rel, weir_errinfo *ei)
{
    uint64_t want[WEIR_KEY_SECTIONS];
    weir_key_points_expected(want, rel);
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++)
        if (key->count[s] != want[s])
            return weir_fail(ei, WEIR_E_MISMATCH,
                             "the key has %" PRIu64
                             " points in section %s, the circuit needs %" PRIu64
                             "; the key was made for another circuit",
                             key->count[s], weir_key_section_names[s], want[s]);
    return WEIR_OK;
}
