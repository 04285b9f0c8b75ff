/* BLAKE2b against RFC 7693 and against values that Python's hashlib gives. */
#include "hash/blake2b.h"
#include "testkit.h"

#include <string.h>

typedef struct blake_case {
    size_t n, out_bytes, key_bytes;
    const char *hex;
} blake_case;

/* Message byte i = 7 i + 3 floor(i / 256) + 1 mod 256; key byte i = i. hashlib.blake2b(message[:n],
 * digest_size, key) */
static const blake_case cases[] = {
    {0, 64, 0,
     "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
     "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce"},
    {1, 64, 0,
     "9545ba37b230d8a2e716c4707586542780815b7c4088edcb9af6a9452d50f324"
     "74d5ba9aab52a67aca864ef2696981c2eadf49020416136afd838fb048d21653"},
    {64, 64, 0,
     "379355d84f743f09561bd671fcd37d1fab74442333f468b4cbd6ccb02a3e9c17"
     "15af17acc8f6a2f070ee4e14b0c6a1e6d1214400a4f9e3c3397cd61df92c7008"},
    {127, 64, 0,
     "d073fb3259c723b20a64ecf77083891a157c81c1882da42060222dfc7ebbda6d"
     "a1b8ed55197aabd0ab17cf935499d8e4f6d93a4bb83a1aa5670a1612c70df1bb"},
    {128, 64, 0,
     "c6d375fd4421510489194b8ccd9b1fc9e96dd25eab56f33bd698266fb38d8fbd"
     "e447b617cdb5779c5fbeafe53fae640c85c457f6449ce307a11d88d18788d7f0"},
    {129, 64, 0,
     "7cb95d837c7ccea0f9137c7bcdca4cd71152aa6ca7bf16d399d261191bd7f919"
     "c5c7699d0fd0c6ad98d98eae7ee3f0f0fa1e9fc35d84410886343ffc79624765"},
    {255, 64, 0,
     "a4905fba298210e6f4ea9be3817806d8bf8c7b279b812f6a1ba01f4481227a02"
     "aabbe523199fe346452a9ac9882215d22852af1b3041825d60f58d303e8be005"},
    {256, 64, 0,
     "add2f992dacfe7e31e9fc9f0a0b7b2740e95691ac93f9888ed292517a5d2db50"
     "1aa2383e8b1a3685a628a1f06456debac9dd0fd9a3603f12f285a238b2771f72"},
    {1000, 64, 0,
     "26189f6dc5c7fd24044d4abebf6a7c8a73783d9ecc58ccd6511534da4b5c8881"
     "b85f573aa97ad90799f57f280d44365c25789cbb07d19ba85a913c0d5fb8e44d"},
    {1000, 32, 0, "d6504b70f97e292e047d4ff7544b338c7ce6b22c285c8d174c3c08a0c63ce751"},
    {77, 20, 0, "f5b3df338c42d8b51a1858f44fc4137f1852aee0"},
    {0, 16, 0, "cae66941d9efbd404e4d88758ea67670"},
    {0, 32, 32, "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d"},
    {40, 32, 31, "f79e52524dc0cdb4b16e6c83673994369d76351db84863422f7232cc0741727b"},
    {128, 32, 17, "39e39e1f13e21525aed868991650292c873087ccbb60f8ff784549cd93e6846e"},
    {1000, 32, 64, "6ebcd49c1fa007369b66b9086cee7a1a17b7a7b26f6ee7066d26209705d471e5"},
    {129, 16, 1, "af6406f0ed49ba17d567f0291817404b"},
    {5, 64, 64,
     "4a24e63c77ce9de90c78efdd9fd563d59331d1aa6a277b37c4ce428f8740a7b2"
     "4587c1b427b2d1ea53a1d2aa6b3c6707a5397a721536e091e0786563396ef339"},
    {300, 48, 33,
     "cf0013710c11cc835c1c500b8cf02d82a1ef1c75c4cd8fdb91edbfc388d03b5e"
     "4ad2b126af42398ce1b0b178d53e0fa5"},
};

enum { CASES = sizeof cases / sizeof *cases, MESSAGE = 1000 };

static void fill(uint8_t *message, uint8_t *key)
{
    for (unsigned i = 0; i < MESSAGE; i++) message[i] = (uint8_t)(7 * i + 3 * (i >> 8) + 1);
    for (unsigned i = 0; i < 64; i++) key[i] = (uint8_t)i;
}

/* RFC 7693, appendix A. */
static void rfc_abc(void **state)
{
    (void)state;
    uint8_t want[64], got[64];
    tk_hex_bytes("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                 "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
                 want, 64);
    weir_blake2b(got, 64, "abc", 3, NULL, 0);
    assert_memory_equal(got, want, 64);
}

static void known_values(void **state)
{
    (void)state;
    uint8_t message[MESSAGE], key[64], want[64], got[65];
    fill(message, key);
    for (size_t i = 0; i < CASES; i++) {
        const blake_case *c = &cases[i];
        tk_hex_bytes(c->hex, want, c->out_bytes);
        got[c->out_bytes] = 0xa5;
        weir_blake2b(got, c->out_bytes, message, c->n, c->key_bytes ? key : NULL, c->key_bytes);
        assert_memory_equal(got, want, c->out_bytes);
        assert_int_equal(got[c->out_bytes], 0xa5);
    }
}

static void pieces(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    uint8_t message[MESSAGE], key[64], want[64], got[64];
    fill(message, key);
    for (int round = 0; round < 200; round++) {
        const blake_case *c = &cases[tk_below(&g, CASES)];
        if (c->key_bytes) continue;
        weir_blake2b_stream s;
        weir_blake2b_init(&s, c->out_bytes);
        for (size_t at = 0; at < c->n;) {
            size_t piece = tk_below(&g, 300);
            if (piece > c->n - at) piece = c->n - at;
            weir_blake2b_update(&s, message + at, piece);
            at += piece;
        }
        weir_blake2b_final(&s, got, c->out_bytes);
        tk_hex_bytes(c->hex, want, c->out_bytes);
        assert_memory_equal(got, want, c->out_bytes);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc_abc),
        cmocka_unit_test(known_values),
        cmocka_unit_test(pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
