/* Base64: a byte string has one text. */
#include "formats/base64.h"
#include "fuzz_common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_errinfo ei = {0};
    size_t n, room = weir_base64_max_bytes(size);
    uint8_t *out = malloc(room ? room : 1);
    char *text = malloc(size ? size : 1);
    must(out && text, "memory");
    if (answered(weir_base64_decode(out, &n, data, size, &ei), &ei)) {
        must(n <= room, "the bytes fit");
        must(weir_base64_chars(n) == size, "the length of the text follows from the bytes");
        weir_base64_encode(text, out, n);
        must(size == 0 || memcmp(text, data, size) == 0, "one text for these bytes");
    }
    free(out);
    free(text);
    return 0;
}
