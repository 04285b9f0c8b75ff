#include "circuit/label.h"

#include <string.h>

weir_col weir_gad_label(weir_cs *cs, weir_bool *m, const weir_bool replica_id[256], unsigned layer,
                        const weir_bool node[64], const weir_bool (*parents)[256],
                        unsigned n_parents)
{
    weir_bool digest[256], value[256];
    for (unsigned i = 0; i < 256; i++) m[i] = replica_id[i];
    for (unsigned i = 0; i < 32; i++) m[256 + i] = weir_bool_const((layer >> (31 - i)) & 1);
    for (unsigned i = 0; i < 64; i++) m[288 + i] = node[63 - i];
    for (unsigned i = 352; i < WEIR_LABEL_HEAD_BITS; i++) m[i] = weir_bool_const(false);
    for (unsigned k = 0; k < WEIR_POREP_LABEL_PARENTS; k++)
        for (unsigned i = 0; i < 256; i++)
            m[WEIR_LABEL_HEAD_BITS + 256 * k + i] = parents[k % n_parents][i];
    weir_gad_sha256(cs, digest, m, WEIR_LABEL_BITS);
    weir_gad_reverse_bytes(value, digest, 256);
    return weir_gad_pack(cs, value, 254);
}

void weir_fill_label(weir_filler *f, weir_num *out, const weir_fill_word replica_id[8],
                     unsigned layer, uint64_t node, const weir_num *const *parents,
                     unsigned n_parents)
{
    weir_fill_word words[WEIR_LABEL_BITS / 32];
    uint8_t digest[32];
    memcpy(words, replica_id, 8 * sizeof *words);
    words[8] = weir_fill_word_const(layer);
    words[9] = weir_fill_word_of((uint32_t)(node >> 32));
    words[10] = weir_fill_word_of((uint32_t)node);
    for (unsigned i = 11; i < 16; i++) words[i] = weir_fill_word_const(0);
    for (unsigned k = 0; k < WEIR_POREP_LABEL_PARENTS; k++) {
        weir_fill_word *at = words + 16 + 8 * k;
        if (k < n_parents)
            weir_fill_words_of_number(at, &parents[k]->s);
        else
            memcpy(at, at - 8 * n_parents, 8 * sizeof *words);
    }
    weir_fill_sha256(f, digest, words, WEIR_LABEL_BITS / 32);
    weir_fill_pack254(f, out, digest);
}
