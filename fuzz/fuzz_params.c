/* A proving key in memory: structure, then the verifying key and the first and last point of each
 * section. */
#include "formats/params.h"
#include "fuzz_common.h"

static void read_point(const weir_params *p, weir_key_section s, uint64_t i)
{
    weir_errinfo ei = {0};
    weir_g1_affine g1;
    weir_g2_affine g2;
    unsigned checks = WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP;
    weir_err err = s == WEIR_KEY_B_G2
                       ? weir_params_decode_g2(&g2, p, s, i, 1, checks, weir_isa_best(), &ei)
                       : weir_params_decode_g1(&g1, p, s, i, 1, checks, weir_isa_best(), &ei);
    must(answered(err, &ei) || i >= p->section[s].count || err != WEIR_E_RANGE,
         "a point of the section is in range");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_errinfo ei = {0};
    weir_params *p;
    if (!answered(weir_params_open_memory(&p, data, size, "input", &ei), &ei)) {
        must(p == NULL, "no key together with an error");
        return 0;
    }
    uint64_t end = p->vk_bytes;
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        must(p->section[s].offset == end + 4, "sections follow one another");
        end = p->section[s].offset + p->section[s].count * (s == WEIR_KEY_B_G2 ? 192 : 96);
        read_point(p, s, 0);
        read_point(p, s, p->section[s].count - 1); /* also -1 */
    }
    must(end == size, "nothing is left over");
    weir_vk *vk;
    if (answered(weir_params_read_vk(&vk, p, weir_isa_best(), &ei), &ei))
        must(vk->n_ic == p->n_ic, "one count of ic");
    weir_vk_free(vk);
    weir_params_close(p);
    return 0;
}
