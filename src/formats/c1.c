#include "formats/c1.h"

#include "base/bytes.h"
#include "formats/base64.h"
#include "formats/c1_layout.h"

#include <string.h>

/* A bincode file begins with the number of partitions as 8 bytes, 1 to 126: then bytes 1..7 are
 * zero, which no JSON text has. (A first byte of 10 or 13 would be white space in JSON, so the
 * first byte alone decides nothing.) */
static bool looks_like_bincode(const uint8_t *data, size_t n)
{
    if (n < 8) return false;
    for (int i = 1; i < 8; i++)
        if (data[i]) return false;
    return true;
}

static bool looks_like_json(const uint8_t *data, size_t n)
{
    size_t i = 0;
    while (i < n && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t')) i++;
    return i < n && data[i] == '{';
}

weir_err weir_c1_read(weir_porep_input **out, const uint8_t *data, size_t n,
                      const weir_c1_opts *opts, weir_errinfo *ei)
{
    static const weir_c1_opts any;
    weir_c1_info info = {0};
    *out = NULL;
    if (!opts) opts = &any;
    if (n == 0)
        return weir_fail(ei, WEIR_E_TRUNCATED, "byte 0: the Commit Phase 1 output is empty");
    weir_err err;
    if (looks_like_bincode(data, n)) {
        err = weir_c1_read_bincode(out, data, n, opts, &info, ei);
    } else if (looks_like_json(data, n)) {
        err = weir_c1_read_json(out, data, n, opts, &info, ei);
    } else {
        err = weir_fail(ei, WEIR_E_FORMAT,
                        "byte 0: not a Commit Phase 1 output: neither a JSON object nor bincode "
                        "(first byte 0x%02x); "
                        "give the file that Commit Phase 1 wrote",
                        data[0]);
    }
    if (err == WEIR_OK && opts->info) *opts->info = info;
    return err;
}

/* A document that is wrapped says so in a word; or in an escape, as its text may have, and nothing else has. */
static uint64_t most_decoded(const uint8_t *data, size_t n)
{
    static const char word[] = "\"Phase1Out\"";
    if (memchr(data, '\\', n)) return n;
    return memmem(data, n, word, sizeof word - 1) ? weir_base64_max_bytes(n) : 0;
}

void weir_c1_most(weir_c1_need *out, const uint8_t *data, size_t n, const weir_c1_opts *opts)
{
    weir_c1_layout l;
    const bool bincode = looks_like_bincode(data, n);
    *out = (weir_c1_need){.scratch_bytes = bincode ? 0 : most_decoded(data, n)};
    weir_c1_layout_init(&l, opts->shape);
    unsigned partitions = weir_c1_most_partitions(&l, n, bincode, opts);
    unsigned challenges = opts->challenges ? opts->challenges : opts->shape->challenges;
    if (partitions > 0)
        out->input_bytes = weir_porep_input_bytes(opts->shape, partitions, challenges);
}
