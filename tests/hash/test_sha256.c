/* SHA-256 against FIPS 180 examples, an independent implementation, and both bodies against each
 * other. */
#include "hash/sha256.h"
#include "testkit.h"

enum { MESSAGE = 700 };

#include <stdio.h>
#include <string.h>

static void to_hex(char out[65], const uint8_t digest[32])
{
    for (int i = 0; i < 32; i++) sprintf(out + 2 * i, "%02x", digest[i]);
}

static void check(const void *data, size_t n, const char *want)
{
    uint8_t digest[32];
    char hex[65];
    weir_sha256_hash(digest, data, n);
    to_hex(hex, digest);
    assert_string_equal(hex, want);
}

/* FIPS 180-2, appendix B, and the empty message. */
static void fips_examples(void **state)
{
    (void)state;
    check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void million_a(void **state)
{
    (void)state;
    weir_sha256 s;
    uint8_t block[1000], digest[32];
    char hex[65];
    memset(block, 'a', sizeof block);
    weir_sha256_init(&s);
    for (int i = 0; i < 1000; i++) weir_sha256_update(&s, block, sizeof block);
    weir_sha256_final(&s, digest);
    to_hex(hex, digest);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Message byte i = 7 i + 3 floor(i / 256) + 1 mod 256. The digests of its first 0, 1 ... 700 bytes,
 * one after another, are hashed again; Python's hashlib gives this value. */
static void every_length(void **state)
{
    (void)state;
    uint8_t message[MESSAGE];
    static uint8_t digests[32 * (MESSAGE + 1)];
    for (unsigned i = 0; i < MESSAGE; i++) message[i] = (uint8_t)(7 * i + 3 * (i >> 8) + 1);
    for (unsigned n = 0; n <= MESSAGE; n++) weir_sha256_hash(digests + 32 * n, message, n);
    check(digests, sizeof digests,
          "2edb50a1f257224d44e541ecaa4e23d72be630e308a43936a6cf99dae85c2a31");
}

static void pieces(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    uint8_t data[MESSAGE], got[32], want[32];
    tk_bytes(&g, data, sizeof data);
    for (int round = 0; round < 500; round++) {
        size_t n = tk_below(&g, sizeof data + 1), at = 0;
        weir_sha256 s;
        weir_sha256_init(&s);
        while (at < n) {
            size_t piece = tk_below(&g, 150);
            if (piece > n - at) piece = n - at;
            weir_sha256_update(&s, data + at, piece);
            at += piece;
        }
        weir_sha256_final(&s, got);
        weir_sha256_hash(want, data, n);
        assert_memory_equal(got, want, 32);
    }
}

static void bodies_agree(void **state)
{
    (void)state;
    weir_sha256_compress_fn shani = weir_sha256_compress_shani();
    assert_int_equal(weir_cpu_has_sha() && WEIR_TEST_HAVE_SHANI, shani != NULL);
    if (!shani) {
        print_message("this build or processor has no SHA extensions\n");
        skip();
    }
    tk_rng g = tk_rng_new();
    uint8_t blocks[1 + 64 * 9];
    for (int round = 0; round < 500; round++) {
        uint32_t a[8], b[8], c[8];
        size_t n = tk_below(&g, 10), shift = tk_below(&g, 2);
        tk_bytes(&g, blocks, sizeof blocks);
        tk_bytes(&g, a, sizeof a);
        memcpy(b, a, sizeof a);
        memcpy(c, a, sizeof a);
        weir_sha256_compress_portable(a, blocks + shift, n);
        shani(b, blocks + shift, n);
        weir_sha256_compress(c, blocks + shift, n);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(a, c, sizeof a);
    }
}

/* Two messages at once: each state as by itself, every length and body. */
static void two_at_once(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    uint8_t data[2][MESSAGE], got[2][32], want[32];
    for (size_t n = 0; n <= MESSAGE; n++) {
        tk_bytes(&g, data, sizeof data);
        weir_sha256_hash2((uint8_t *const[]){got[0], got[1]},
                          (const void *const[]){data[0], data[1]}, n);
        for (int i = 0; i < 2; i++) {
            weir_sha256_hash(want, data[i], n);
            assert_memory_equal(got[i], want, 32);
        }
    }
    weir_sha256_compress2_fn bodies[] = {weir_sha256_compress2_portable, weir_sha256_compress2,
                                         weir_sha256_compress2_shani()};
    for (int round = 0; round < 300; round++) {
        uint32_t start[2][8], one[8], both[2][8];
        const uint8_t *const blocks[2] = {data[0] + tk_below(&g, 2), data[1] + tk_below(&g, 2)};
        size_t n = tk_below(&g, 10);
        tk_bytes(&g, start, sizeof start);
        for (size_t body = 0; body < sizeof bodies / sizeof *bodies; body++) {
            if (!bodies[body]) continue;
            memcpy(both, start, sizeof both);
            bodies[body](both, blocks, n);
            for (int i = 0; i < 2; i++) {
                memcpy(one, start[i], sizeof one);
                weir_sha256_compress_portable(one, blocks[i], n);
                assert_memory_equal(both[i], one, sizeof one);
            }
        }
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fips_examples), cmocka_unit_test(million_a),
        cmocka_unit_test(every_length),  cmocka_unit_test(pieces),
        cmocka_unit_test(bodies_agree),  cmocka_unit_test(two_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
