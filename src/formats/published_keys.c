#include "formats/published_keys.h"

#include <string.h>

static const weir_published_key keys[] = {
#include "formats/published_table.inc.h"
};
enum { KEYS = sizeof keys / sizeof keys[0] };

const weir_published_key *weir_published_by_name(const char *name)
{
    for (int i = 0; i < KEYS; i++)
        if (strcmp(keys[i].name, name) == 0) return &keys[i];
    return NULL;
}

const weir_published_key *
weir_published_by_digest(const uint8_t digest[WEIR_PUBLISHED_DIGEST_BYTES])
{
    for (int i = 0; i < KEYS; i++)
        if (memcmp(keys[i].digest, digest, sizeof keys[i].digest) == 0) return &keys[i];
    return NULL;
}
