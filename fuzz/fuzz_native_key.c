/* A native key, as it is, with the header's digest made right, and with all digests made right. What is accepted is whole: its size is
 * what its header gives, every block is what its digest says, and it can be read in blocks. */
#include <sys/mman.h>
#include <unistd.h>

#include "formats/native_layout.h"
#include "fuzz_common.h"
#include "hash/sha256.h"

static void read_arrays(const weir_native_key *k, weir_err verified)
{
    const weir_native_header *h = weir_native_key_header(k);
    bool all = true;
    for (weir_key_array a = 0; a < WEIR_KEY_ARRAYS; a++) {
        weir_errinfo ei = {0};
        uint64_t n = h->count[a];
        void *points = malloc(n * weir_native_point_bytes(a) + 1);
        must(points != NULL, "memory");
        all &= answered(weir_native_key_read(k, a, 0, n, points, &ei), &ei);
        must(weir_native_key_read(k, a, 0, n + 1, points, NULL) == WEIR_E_RANGE,
             "no point behind the last");
        free(points);
    }
    must(all == (verified == WEIR_OK), "both ways of reading find the same");
}

static void open_bytes(const uint8_t *data, size_t size)
{
    char path[40];
    weir_errinfo ei = {0};
    weir_native_key *k;
    int fd = memfd_create("native", 0);
    must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "a file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (answered(weir_native_key_open(&k, path, &ei), &ei)) {
        const weir_exec x = {.isa = weir_isa_best()};
        weir_vk *vk;
        must(weir_native_key_bytes(weir_native_key_header(k)) == size, "the header gives the size");
        weir_err err = weir_native_key_verify(k, &x, &ei);
        answered(err, &ei);
        read_arrays(k, err);
        if (answered(weir_native_key_read_vk(&vk, k, x.isa, &ei), &ei))
            must(vk->n_ic == weir_native_key_header(k)->inputs, "one count of ic");
        weir_vk_free(vk);
        weir_native_key_close(k);
    } else {
        must(k == NULL, "no key together with an error");
        must(strstr(ei.text, "byte") != NULL, "the place is named");
    }
    close(fd);
}

/* The digests of the small sections in the header, where the header's numbers let them be found. */
static void seal_sections(uint8_t *data, size_t size)
{
    weir_native_header h;
    weir_native_digests d;
    weir_native_layout l;
    uint64_t bytes;
    if (weir_native_header_decode(&h, &d, &bytes, data, NULL) != WEIR_OK) return;
    weir_native_layout_of(&l, &h);
    if (l.file_bytes != size) return;
    weir_sha256_hash(d.vk, data + l.vk, l.vk_bytes);
    weir_sha256_hash(d.table, data + l.table, l.table_bytes);
    weir_native_header_encode(data, &h, &d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    open_bytes(data, size);
    if (size < WEIR_NATIVE_PAGE) return 0;
    uint8_t *copy = malloc(size), *digest = copy + WEIR_NATIVE_PAGE - WEIR_NATIVE_DIGEST_BYTES;
    must(copy != NULL, "memory");
    memcpy(copy, data, size);
    weir_sha256_hash(digest, copy, (size_t)(digest - copy));
    open_bytes(copy, size);
    seal_sections(copy, size);
    open_bytes(copy, size);
    free(copy);
    return 0;
}
