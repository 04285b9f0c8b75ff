/* weir bench hash: SHA-256, BLAKE2b, Poseidon. */
#include "base/alloc.h"
#include "bench/rand.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "field/fr.h"
#include "hash/blake2b.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"

#include <string.h>

static const weir_opt opts[] = {
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

enum { BYTES = 1 << 16, BLOCKS = BYTES / 64, BATCH = 128, MAX_TRACE = 800 };

static const unsigned arities[] = {2, 4, 8, 11, 16};

/* ---- hashes of bytes */

typedef struct bytes_job {
    uint8_t data[BYTES];
    weir_sha256_compress_fn compress;
    weir_sha256_compress2_fn compress2;
    uint32_t state[8], pair[2][8];
    uint8_t digest[64];
} bytes_job;

static weir_err run_sha256(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    bytes_job *j = ctx;
    memcpy(j->state, weir_sha256_iv, sizeof j->state);
    j->compress(j->state, j->data, BLOCKS);
    return WEIR_OK;
}

/* "abc" in one padded block: FIPS 180-2, appendix B.1. Then the long message against the portable body. */
static weir_err check_sha256(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    static const uint32_t abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                    0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    bytes_job *j = ctx;
    uint8_t block[64] = {'a', 'b', 'c', 0x80, [63] = 24};
    uint32_t state[8], want[8];
    memcpy(state, weir_sha256_iv, sizeof state);
    j->compress(state, block, 1);
    memcpy(want, weir_sha256_iv, sizeof want);
    weir_sha256_compress_portable(want, j->data, BLOCKS);
    *right = memcmp(state, abc, sizeof abc) == 0 && memcmp(j->state, want, sizeof want) == 0;
    return WEIR_OK;
}

/* The halves of the data as two messages. */
static const uint8_t *half(const bytes_job *j, int i)
{
    return j->data + i * (BYTES / 2);
}

static weir_err run_sha256_pair(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    bytes_job *j = ctx;
    for (int i = 0; i < 2; i++) memcpy(j->pair[i], weir_sha256_iv, sizeof j->pair[i]);
    j->compress2(j->pair, (const uint8_t *const[]){half(j, 0), half(j, 1)}, BLOCKS / 2);
    return WEIR_OK;
}

static weir_err check_sha256_pair(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    bytes_job *j = ctx;
    *right = true;
    for (int i = 0; i < 2; i++) {
        uint32_t want[8];
        memcpy(want, weir_sha256_iv, sizeof want);
        weir_sha256_compress_portable(want, half(j, i), BLOCKS / 2);
        *right = *right && memcmp(j->pair[i], want, sizeof want) == 0;
    }
    return WEIR_OK;
}

static weir_err run_blake2b(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    bytes_job *j = ctx;
    weir_blake2b(j->digest, sizeof j->digest, j->data, BYTES, NULL, 0);
    return WEIR_OK;
}

/* "abc": RFC 7693, appendix A; its first 16 bytes. Then the long message in pieces. */
static weir_err check_blake2b(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    static const uint8_t abc[16] = {0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d, 0x0d,
                                    0x6a, 0x27, 0x97, 0xb6, 0x9f, 0x12, 0xf6, 0xe9};
    bytes_job *j = ctx;
    uint8_t digest[64], pieces[64];
    weir_blake2b_stream s;
    weir_blake2b(digest, sizeof digest, "abc", 3, NULL, 0);
    weir_blake2b_init(&s, sizeof pieces);
    weir_blake2b_update(&s, j->data, 1000);
    weir_blake2b_update(&s, j->data + 1000, BYTES - 1000);
    weir_blake2b_final(&s, pieces, sizeof pieces);
    *right = memcmp(digest, abc, sizeof abc) == 0 && memcmp(pieces, j->digest, sizeof pieces) == 0;
    return WEIR_OK;
}

static weir_err time_bytes(weir_bench_run *b)
{
    bytes_job *j = weir_malloc(1, sizeof *j);
    if (!j) return weir_fail(&b->cli->ei, WEIR_E_NOMEM, "no memory");
    weir_bench_rand g = {1};
    weir_err err;
    weir_bench_row sha = {.what = "SHA-256 compression, one message",
                          .size = "64 bytes",
                          .path = "portable",
                          .ops = BLOCKS,
                          .run = run_sha256,
                          .check = check_sha256};
    weir_bench_row pair = sha;
    pair.what = "SHA-256 compression, two messages";
    pair.run = run_sha256_pair;
    pair.check = check_sha256_pair;
    const weir_bench_row blake = {.what = "BLAKE2b, one message",
                                  .size = "65536 bytes",
                                  .path = "any",
                                  .each = "byte",
                                  .count = BYTES,
                                  .run = run_blake2b,
                                  .check = check_blake2b};
    for (size_t i = 0; i < BYTES; i++) j->data[i] = (uint8_t)weir_bench_rand_u64(&g);
    j->compress = weir_sha256_compress_portable;
    WEIR_TRY_GOTO(weir_bench_time(b, &sha, j));
    j->compress = weir_sha256_compress_shani();
    sha.path = "sha-ni";
    if (j->compress) WEIR_TRY_GOTO(weir_bench_time(b, &sha, j));
    j->compress2 = weir_sha256_compress2_shani();
    pair.path = "sha-ni";
    if (j->compress2) WEIR_TRY_GOTO(weir_bench_time(b, &pair, j));
    err = weir_bench_time(b, &blake, j);
out:
    weir_free(j);
    return err;
}

/* ---- Poseidon */

typedef struct poseidon_job {
    const weir_poseidon_ops *ops;
    weir_poseidon *p;
    unsigned arity;
    weir_fr *pre; /* BATCH * arity */
    weir_fr out[BATCH], trace[MAX_TRACE];
} poseidon_job;

static weir_err run_constants(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x;
    poseidon_job *j = ctx;
    weir_poseidon_free(j->p);
    return weir_poseidon_new(&j->p, j->arity, NULL, ei);
}

static weir_err run_batch(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    poseidon_job *j = ctx;
    j->ops->hash(j->p, j->out, j->pre, BATCH);
    return WEIR_OK;
}

static weir_err run_single(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    poseidon_job *j = ctx;
    for (unsigned i = 0; i < BATCH; i++) j->ops->hash(j->p, &j->out[i], j->pre + i * j->arity, 1);
    return WEIR_OK;
}

static weir_err run_trace(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    poseidon_job *j = ctx;
    for (unsigned i = 0; i < BATCH; i++) j->ops->trace(j->p, j->trace, j->pre + i * j->arity);
    return WEIR_OK;
}

/* Every hash against the portable path's. */
static weir_err check_hashes(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    poseidon_job *j = ctx;
    const weir_poseidon_ops *portable = weir_poseidon_ops_get(WEIR_ISA_PORTABLE);
    const unsigned last = weir_poseidon_trace_len(j->p) - 1;
    for (unsigned i = 0; i < BATCH; i++) {
        portable->trace(j->p, j->trace, j->pre + i * j->arity);
        *right = *right && fr_eq(&j->trace[last], &j->out[i]);
    }
    return WEIR_OK;
}

/* The last trace, value by value. */
static weir_err check_trace(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    poseidon_job *j = ctx;
    weir_fr want[MAX_TRACE];
    weir_poseidon_ops_get(WEIR_ISA_PORTABLE)->trace(j->p, want, j->pre + (BATCH - 1) * j->arity);
    *right = memcmp(want, j->trace, weir_poseidon_trace_len(j->p) * sizeof want[0]) == 0;
    return WEIR_OK;
}

static weir_err time_arity(weir_bench_run *b, poseidon_job *j)
{
    static const weir_bench_row rows[] = {
        {.what = "Poseidon, constants", .path = "any", .run = run_constants},
        {.what = "Poseidon, one by one", .ops = BATCH, .run = run_single, .check = check_hashes},
        {.what = "Poseidon, 128 at a time", .ops = BATCH, .run = run_batch, .check = check_hashes},
        {.what = "Poseidon, trace", .ops = BATCH, .run = run_trace, .check = check_trace},
    };
    weir_bench_rand g = {j->arity};
    char size[24];
    snprintf(size, sizeof size, "arity %u", j->arity);
    j->pre = weir_malloc((size_t)BATCH * j->arity, sizeof *j->pre);
    if (!j->pre) return weir_fail(&b->cli->ei, WEIR_E_NOMEM, "no memory");
    weir_bench_rand_frs(&g, j->pre, (size_t)BATCH * j->arity);
    j->ops = weir_poseidon_ops_get(b->exec.isa);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        weir_bench_row row = rows[i];
        row.size = size;
        memset(j->out, 0, sizeof j->out);
        WEIR_TRY(weir_bench_time(b, &row, j));
    }
    return WEIR_OK;
}

static weir_err time_poseidon(weir_bench_run *b)
{
    poseidon_job *j = weir_calloc(1, sizeof *j);
    if (!j) return weir_fail(&b->cli->ei, WEIR_E_NOMEM, "no memory");
    weir_err err = WEIR_OK;
    for (size_t i = 0; err == WEIR_OK && i < sizeof arities / sizeof arities[0]; i++) {
        j->arity = arities[i];
        err = time_arity(b, j);
        weir_poseidon_free(j->p);
        weir_free(j->pre);
        j->p = NULL;
        j->pre = NULL;
    }
    weir_free(j);
    return err;
}

static weir_err run(weir_cli *cli)
{
    weir_bench_run b;
    WEIR_TRY(weir_bench_one_thread(cli));
    WEIR_TRY(weir_bench_begin(&b, cli));
    WEIR_TRY(time_bytes(&b));
    WEIR_TRY(time_poseidon(&b));
    weir_bench_end(&b);
    return WEIR_OK;
}

const weir_command weir_cmd_bench_hash = {
    .verb = "bench",
    .noun = "hash",
    .summary = "time of SHA-256, BLAKE2b and Poseidon",
    .opts = opts,
    .details = "SHA-256 is timed in plain C and, where the processor has them, with the SHA "
               "instructions, whatever --path says;\n"
               "--path is that of Poseidon. A trace is a hash with every value that the circuit "
               "has a column for.\n",
    .examples = "weir bench hash\n"
                "weir bench hash --path portable --runs 1\n"
                "weir bench hash --json",
    .run = run,
};
