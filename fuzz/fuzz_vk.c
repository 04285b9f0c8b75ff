/* A verifying key. What is accepted has one encoding: the one that was read. */
#include "formats/params.h"
#include "fuzz_common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_errinfo ei = {0};
    weir_vk *vk;
    if (!answered(weir_vk_read(&vk, data, size, weir_isa_best(), &ei), &ei)) {
        must(vk == NULL, "no key together with an error");
        return 0;
    }
    must(weir_vk_bytes(vk->n_ic) == size, "the count gives the size");
    uint8_t *again = malloc(size);
    must(again != NULL, "memory");
    weir_vk_encode(again, vk, WEIR_ISA_PORTABLE);
    must(memcmp(again, data, size) == 0, "the key has one encoding");
    free(again);
    weir_vk_free(vk);
    return 0;
}
