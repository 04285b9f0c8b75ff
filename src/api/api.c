/* Version, errors, and structs of callers that know another version. */
#include "api/api_state.h"

#include <stdarg.h>
#include <stdio.h>

/* The codes of the two lists are the same numbers, but for those that only callers see. */
#define SAME(name) _Static_assert((int)LIBWEIR_##name == (int)WEIR_##name, #name)
SAME(OK);
SAME(E_USAGE);
SAME(E_UNSUPPORTED);
SAME(E_TRUNCATED);
SAME(E_FORMAT);
SAME(E_RANGE);
SAME(E_ENCODING);
SAME(E_NOT_ON_CURVE);
SAME(E_NOT_IN_SUBGROUP);
SAME(E_INFINITY);
SAME(E_MISMATCH);
SAME(E_UNSATISFIED);
SAME(E_NOMEM);
SAME(E_DEVICE);
SAME(E_IO);
SAME(E_CANCELLED);
SAME(E_BAD_PROOF);
SAME(E_INTERNAL);
_Static_assert(sizeof(((weir_errinfo *)0)->text) <= sizeof(((libweir_error *)0)->text), "text");

uint32_t libweir_version(void)
{
    return LIBWEIR_VERSION;
}

const char *libweir_version_text(void)
{
    return WEIR_VERSION;
}

const char *libweir_error_name(libweir_code code)
{
#define NAME(name, value, exit_code, text)                                                         \
    if ((int)code == (int)(name)) return "LIB" #name;
    WEIR_ERR_LIST(NAME)
#undef NAME
    if (code == LIBWEIR_E_BUSY) return "LIBWEIR_E_BUSY";
    if (code == LIBWEIR_E_TIMEOUT) return "LIBWEIR_E_TIMEOUT";
    return "LIBWEIR_E_UNKNOWN";
}

libweir_code api_ok(libweir_error *error)
{
    if (error) {
        error->code = LIBWEIR_OK;
        error->text[0] = '\0';
    }
    return LIBWEIR_OK;
}

libweir_code api_fail(libweir_error *error, libweir_code code, const char *fmt, ...)
{
    va_list args;
    if (!error) return code;
    error->code = code;
    va_start(args, fmt);
    vsnprintf(error->text, sizeof error->text, fmt, args);
    va_end(args);
    return code;
}

libweir_code api_pass(libweir_error *error, weir_err err, const weir_errinfo *ei)
{
    if (err == WEIR_OK) return api_ok(error);
    return api_fail(error, (libweir_code)err, "%s", ei->text[0] ? ei->text : weir_err_text(err));
}

/* ---- structs that begin with their size */

static size_t size_of(const void *s)
{
    size_t size;
    memcpy(&size, s, sizeof size);
    return size;
}

static libweir_code check_size(const void *s, const char *what, libweir_error *error)
{
    enum { MOST = 1 << 16 };
    size_t size = size_of(s);
    if (size > sizeof size && size <= MOST) return LIBWEIR_OK;
    return api_fail(error, LIBWEIR_E_USAGE, "%s: its size says %zu: call %s_init first", what, size,
                    what);
}

libweir_code api_read_struct(void *to, size_t known, const void *from, const char *what,
                             libweir_error *error)
{
    memset(to, 0, known);
    if (from) {
        libweir_code code = check_size(from, what, error);
        if (code != LIBWEIR_OK) return code;
        size_t size = size_of(from);
        const unsigned char *bytes = from;
        for (size_t i = known; i < size; i++)
            if (bytes[i] != 0)
                return api_fail(error, LIBWEIR_E_UNSUPPORTED,
                                "%s: byte %zu is set, and libweir %s knows %zu of them: the "
                                "program was compiled for a newer one",
                                what, i, WEIR_VERSION, known);
        memcpy(to, from, size < known ? size : known);
    }
    memcpy(to, &known, sizeof known);
    return LIBWEIR_OK;
}

libweir_code api_write_struct(void *to, const void *from, size_t known, const char *what,
                              libweir_error *error)
{
    libweir_code code = check_size(to, what, error);
    if (code != LIBWEIR_OK) return code;
    size_t size = size_of(to);
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size,
           (size < known ? size : known) - sizeof size);
    return LIBWEIR_OK;
}

/* ---- */

void api_log(const libweir_engine *e, libweir_log_level level, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    if (!e->log) return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    e->log(e->log_ctx, level, text);
}

uint64_t api_ns(double seconds)
{
    const double most = 9e9; /* some centuries */
    if (!(seconds >= 0) || seconds > most) return UINT64_MAX;
    return (uint64_t)(seconds * 1e9);
}
