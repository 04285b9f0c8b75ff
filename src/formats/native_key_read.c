/* Blocks of a native key file: read or mapped, and compared with their digests. All reading of points is here. */
#include "base/alloc.h"
#include "formats/native_state.h"
#include "hash/sha256.h"

#include <inttypes.h>
#include <string.h>

static uint64_t array_blocks(const weir_native_key *k, weir_key_array a)
{
    return weir_native_blocks(k->header.count[a]);
}

uint32_t weir_native_block_points(const weir_native_key *k, weir_key_array a, uint64_t block)
{
    uint64_t left = k->header.count[a] - block * WEIR_KEY_BLOCK_POINTS;
    return left < WEIR_KEY_BLOCK_POINTS ? (uint32_t)left : WEIR_KEY_BLOCK_POINTS;
}

uint64_t weir_native_key_offset(const weir_native_key *k, weir_key_array a, uint64_t point)
{
    return k->layout.array[a] + point * weir_native_point_bytes(a);
}

static uint64_t block_offset(const weir_native_key *k, weir_key_array a, uint64_t block)
{
    return weir_native_key_offset(k, a, block * WEIR_KEY_BLOCK_POINTS);
}

weir_err weir_native_compare(const weir_native_key *k, weir_key_array a, uint64_t block,
                             const void *bytes, weir_errinfo *ei)
{
    uint8_t digest[WEIR_NATIVE_DIGEST_BYTES];
    uint64_t n = weir_native_block_points(k, a, block) * weir_native_point_bytes(a);
    uint64_t at = block_offset(k, a, block);
    weir_sha256_hash(digest, bytes, n);
    if (memcmp(digest, k->table + (k->layout.block[a] + block) * sizeof digest, sizeof digest) == 0)
        return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "%s: section %s, block %" PRIu64 ", bytes %" PRIu64 " to %" PRIu64
                     ": not what the block's SHA-256 says; the file is damaged, import the .params "
                     "file again",
                     k->name, weir_native_array_names[a], block, at, at + n - 1);
}

/* ---- read into the caller's memory */

static weir_err check_range(const weir_native_key *k, weir_key_array a, uint64_t first, uint64_t n,
                            weir_errinfo *ei)
{
    uint64_t count = k->header.count[a];
    if (first > count || n > count - first)
        return weir_fail(ei, WEIR_E_RANGE,
                         "%s: section %s: points %" PRIu64 " and the %" PRIu64
                         " from there are wanted, but it has %" PRIu64,
                         k->name, weir_native_array_names[a], first, n, count);
    if (first % WEIR_KEY_BLOCK_POINTS || (n % WEIR_KEY_BLOCK_POINTS && first + n != count))
        return weir_fail(ei, WEIR_E_USAGE, "%s: section %s: not whole blocks", k->name,
                         weir_native_array_names[a]);
    return WEIR_OK;
}

/* A block at a time, so that it is hashed while the caches have it. */
weir_err weir_native_key_read(const weir_native_key *k, weir_key_array a, uint64_t first, size_t n,
                              void *out, weir_errinfo *ei)
{
    uint8_t *to = out;
    if ((unsigned)a >= WEIR_KEY_ARRAYS)
        return weir_fail(ei, WEIR_E_USAGE, "%s: there is no such array", k->name);
    WEIR_TRY(check_range(k, a, first, n, ei));
    uint64_t block = first / WEIR_KEY_BLOCK_POINTS, end = weir_native_blocks(first + n);
    for (; block < end; block++) {
        size_t bytes = weir_native_block_points(k, a, block) * weir_native_point_bytes(a);
        WEIR_TRY(weir_readfile_at(&k->file, block_offset(k, a, block), to, bytes, ei));
        WEIR_TRY(weir_native_compare(k, a, block, to, ei));
        to += bytes;
    }
    return WEIR_OK;
}

/* ---- mapped */

const uint8_t *weir_native_mapped(const weir_native_key *k, weir_key_array a)
{
    return k->map.data + k->layout.array[a];
}

static weir_err compare_mapped(const weir_native_key *k, weir_key_array a, uint64_t block,
                               weir_errinfo *ei)
{
    uint64_t number = k->layout.block[a] + block, bit = (uint64_t)1 << (number % 64);
    WEIR_TRY(weir_native_compare(k, a, block, k->map.data + block_offset(k, a, block), ei));
    __atomic_fetch_or(&k->compared[number / 64], bit, __ATOMIC_RELAXED);
    return WEIR_OK;
}

static bool was_compared(const weir_native_key *k, weir_key_array a, uint64_t block)
{
    uint64_t number = k->layout.block[a] + block;
    return __atomic_load_n(&k->compared[number / 64], __ATOMIC_RELAXED) >> (number % 64) & 1;
}

weir_err weir_native_touch(const weir_native_key *k, weir_key_array a, uint64_t first, uint64_t n,
                           weir_errinfo *ei)
{
    uint64_t block = first / WEIR_KEY_BLOCK_POINTS;
    for (; block * WEIR_KEY_BLOCK_POINTS < first + n; block++)
        if (!was_compared(k, a, block)) WEIR_TRY(compare_mapped(k, a, block, ei));
    return WEIR_OK;
}

/* ---- all of them */

enum { BATCH_BLOCKS = 256 }; /* between two looks at progress and the wish to stop: 384 MiB in G1 */

typedef struct batch {
    const weir_native_key *k;
    weir_key_array array;
    uint64_t first;      /* block of task 0 */
    weir_errinfo *fault; /* one for each task */
} batch;

static void compare_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    batch *b = ctx;
    b->fault[task].code = compare_mapped(b->k, b->array, b->first + task, &b->fault[task]);
}

static weir_err run_batch(batch *b, size_t blocks, const weir_exec *x, weir_errinfo *ei)
{
    const weir_native_key *k = b->k;
    uint64_t begin = block_offset(k, b->array, b->first);
    uint64_t array_end = weir_native_key_offset(k, b->array, k->header.count[b->array]);
    uint64_t end = block_offset(k, b->array, b->first + blocks);
    if (end > array_end) end = array_end;
    if (weir_exec_cancelled(x))
        return weir_fail(ei, WEIR_E_CANCELLED, "stopped while digests were compared");
    weir_pool_run(x->pool, blocks, compare_task, b);
    for (size_t i = 0; i < blocks; i++)
        if (b->fault[i].code != WEIR_OK)
            return weir_fail(ei, b->fault[i].code, "%s", b->fault[i].text);
    weir_mapfile_done(&k->map, begin, end);
    weir_exec_progress(x, "digests", end, k->layout.file_bytes);
    return WEIR_OK;
}

weir_err weir_native_key_verify(const weir_native_key *k, const weir_exec *x, weir_errinfo *ei)
{
    batch b = {.k = k, .fault = weir_calloc(BATCH_BLOCKS, sizeof *b.fault)};
    weir_err err = WEIR_OK;
    if (!b.fault) return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory to check it", k->name);
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) {
        b.array = (weir_key_array)a;
        uint64_t blocks = array_blocks(k, b.array);
        for (b.first = 0; err == WEIR_OK && b.first < blocks; b.first += BATCH_BLOCKS) {
            uint64_t left = blocks - b.first;
            err = run_batch(&b, left < BATCH_BLOCKS ? left : BATCH_BLOCKS, x, ei);
        }
    }
    weir_free(b.fault);
    return err;
}
