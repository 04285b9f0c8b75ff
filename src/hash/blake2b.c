#include "hash/blake2b.h"

#include <assert.h>
#include <sodium.h>

/* libsodium fails only on lengths outside of the header's ranges: a mistake of the caller. */
#define MUST(call)                                                                                 \
    do {                                                                                           \
        int must_rc_ = (call);                                                                     \
        assert(must_rc_ == 0);                                                                     \
        (void)must_rc_;                                                                            \
    } while (0)

_Static_assert(sizeof(weir_blake2b_stream) >= sizeof(crypto_generichash_blake2b_state),
               "room for libsodium's state");
_Static_assert(_Alignof(weir_blake2b_stream) >= _Alignof(crypto_generichash_blake2b_state),
               "alignment of libsodium's state");

static crypto_generichash_blake2b_state *state_of(weir_blake2b_stream *s)
{
    return (crypto_generichash_blake2b_state *)(void *)s->_state;
}

/* sodium_init may be called any number of times from any thread; the first call picks the fastest
 * body. */
static void choose_body(void)
{
    int rc = sodium_init();
    assert(rc >= 0);
    (void)rc;
}

void weir_blake2b(uint8_t *out, size_t out_bytes, const void *data, size_t n, const void *key,
                  size_t key_bytes)
{
    choose_body();
    MUST(crypto_generichash_blake2b(out, out_bytes, data, n, key, key_bytes));
}

void weir_blake2b_init(weir_blake2b_stream *s, size_t out_bytes)
{
    choose_body();
    MUST(crypto_generichash_blake2b_init(state_of(s), NULL, 0, out_bytes));
}

void weir_blake2b_update(weir_blake2b_stream *s, const void *data, size_t n)
{
    MUST(crypto_generichash_blake2b_update(state_of(s), data, n));
}

void weir_blake2b_final(weir_blake2b_stream *s, uint8_t *out, size_t out_bytes)
{
    MUST(crypto_generichash_blake2b_final(state_of(s), out, out_bytes));
}
