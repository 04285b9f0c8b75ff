#include "formats/secrets_json.h"

#include "base/alloc.h"
#include "field/fr.h"
#include "formats/hex_text.h"
#include "formats/json_pull.h"

#include <string.h>

enum { ALPHA, BETA, GAMMA, DELTA, TAU, TOXIC, FIVE = (1 << TOXIC) - 1 };

static const char *const inner_names[] = {"alpha", "beta", "gamma", "delta", "tau", NULL};
static const char *const top_names[] = {"alpha", "beta", "gamma", "delta", "tau", "toxic", NULL};

static weir_err read_number(weir_json *j, weir_scalar *out)
{
    char text[80];
    WEIR_TRY(weir_json_string(j, text, sizeof text));
    bool number = weir_hex_to_scalar(out, text);
    weir_wipe(text, sizeof text);
    if (!number)
        return weir_json_fail(j, WEIR_E_FORMAT, "0x and 1 to 64 hexadecimal digits are expected");
    if (!scalar_is_reduced(out))
        return weir_json_fail(j, WEIR_E_RANGE, "the number is not below the modulus r");
    if (!(out->l[0] | out->l[1] | out->l[2] | out->l[3]))
        return weir_json_fail(j, WEIR_E_RANGE, "the number is zero, which no secret may be");
    return WEIR_OK;
}

static weir_scalar *member(weir_secrets *s, int which)
{
    weir_scalar *const to[] = {&s->alpha, &s->beta, &s->gamma, &s->delta, &s->tau};
    return to[which];
}

static weir_err read_toxic(weir_json *j, weir_secrets *out)
{
    weir_json_fields f = {.names = inner_names, .required = FIVE};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) return WEIR_OK;
        WEIR_TRY(read_number(j, member(out, which)));
    }
}

static weir_err read_top(weir_json *j, weir_secrets *out)
{
    weir_json_fields f = {.names = top_names};
    WEIR_TRY(weir_json_object(j));
    for (;;) {
        int which;
        WEIR_TRY(weir_json_field(j, &f, &which));
        if (which < 0) break;
        if (f.seen >> TOXIC & 1 && f.seen & FIVE)
            return weir_json_fail(j, WEIR_E_FORMAT,
                                  "secrets both at the top level and in \"toxic\"; keep one");
        if (which == TOXIC)
            WEIR_TRY(read_toxic(j, out));
        else
            WEIR_TRY(read_number(j, member(out, which)));
    }
    uint32_t missing = f.seen >> TOXIC & 1 ? 0 : FIVE & ~f.seen;
    if (missing)
        return weir_json_fail(j, WEIR_E_FORMAT, "the object ends here without \"%s\"",
                              top_names[__builtin_ctz(missing)]);
    return weir_json_end(j);
}

weir_err weir_secrets_read(weir_secrets *out, const uint8_t *data, size_t n, weir_errinfo *ei)
{
    weir_json j;
    weir_json_init(&j, data, n, ei);
    weir_err err = read_top(&j, out);
    if (err != WEIR_OK) weir_wipe(out, sizeof *out);
    return err;
}
