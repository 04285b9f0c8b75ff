#include "base/rng.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

weir_err weir_rng_bytes(void *out, size_t n, weir_errinfo *ei)
{
    uint8_t *p = out;
    while (n) {
        ssize_t got = getrandom(p, n > 256 ? 256 : n, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return weir_fail(ei, WEIR_E_IO, "the system gives no random numbers: %s",
                             strerror(errno));
        p += got;
        n -= (size_t)got;
    }
    return WEIR_OK;
}
