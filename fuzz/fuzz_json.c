/* The JSON pull reader: a walk through every value agrees with skipping over it. */
#include "formats/json_pull.h"
#include "fuzz_common.h"

static weir_err walk(weir_json *j);

static weir_err walk_object(weir_json *j)
{
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        const char *key;
        WEIR_TRY(weir_json_key(j, &key));
        if (!key) return WEIR_OK;
        must(strlen(key) <= WEIR_JSON_MAX_KEY, "a key fits");
        WEIR_TRY(walk(j));
    }
}

static weir_err walk_array(weir_json *j)
{
    weir_json bytes = *j;
    uint8_t value[32];
    (void)!weir_json_bytes32(&bytes, value);
    WEIR_TRY(weir_json_array(j));
    for (;;) {
        bool more;
        WEIR_TRY(weir_json_item(j, &more));
        if (!more) return WEIR_OK;
        WEIR_TRY(walk(j));
    }
}

static weir_err walk_string(weir_json *j)
{
    char small[40];
    weir_json copy = *j;
    weir_json_raw raw;
    weir_err short_err = weir_json_string(&copy, small, sizeof small);
    WEIR_TRY(weir_json_raw_string(j, &raw));
    uint8_t *plain = malloc(raw.n ? raw.n : 1);
    must(plain != NULL, "memory");
    size_t n = weir_json_unescape(plain, &raw);
    must(n <= raw.n, "unescaping does not lengthen");
    bool fits = n < sizeof small && !memchr(plain, 0, n);
    must(fits == (short_err == WEIR_OK), "a short string is read");
    must(!fits || memcmp(small, plain, n) == 0, "both ways give the same text");
    free(plain);
    return WEIR_OK;
}

static weir_err walk(weir_json *j)
{
    weir_json_kind kind;
    WEIR_TRY(weir_json_peek(j, &kind));
    if (kind == WEIR_JSON_OBJECT) return walk_object(j);
    if (kind == WEIR_JSON_ARRAY) return walk_array(j);
    if (kind == WEIR_JSON_STRING) return walk_string(j);
    if (kind == WEIR_JSON_NUMBER) {
        weir_json copy = *j;
        uint64_t v;
        if (weir_json_u64(&copy, &v) == WEIR_OK) {
            char text[24];
            int n = snprintf(text, sizeof text, "%llu", (unsigned long long)v);
            must(memcmp(copy._p - n, text, (size_t)n) == 0, "a whole number is written in one way");
        }
    }
    return weir_json_skip(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_errinfo ei = {0};
    weir_json a, b;
    weir_json_init(&a, data, size, &ei);
    weir_err skipped = weir_json_skip(&a);
    if (skipped == WEIR_OK) skipped = weir_json_end(&a);
    (void)answered(skipped, &ei);
    weir_json_init(&b, data, size, NULL);
    weir_err walked = walk(&b);
    if (walked == WEIR_OK) walked = weir_json_end(&b);
    must(skipped == walked, "walking and skipping agree");
    return 0;
}
