#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *weir_err_name(weir_err err)
{
    switch (err) {
#define WEIR_ERR_NAME(name, value, exit_code, text)                                                \
    case name:                                                                                     \
        return #name;
        WEIR_ERR_LIST(WEIR_ERR_NAME)
#undef WEIR_ERR_NAME
    }
    return "WEIR_E_UNKNOWN";
}

const char *weir_err_text(weir_err err)
{
    switch (err) {
#define WEIR_ERR_TEXT(name, value, exit_code, text)                                                \
    case name:                                                                                     \
        return text;
        WEIR_ERR_LIST(WEIR_ERR_TEXT)
#undef WEIR_ERR_TEXT
    }
    return "unknown error";
}

int weir_err_exit_code(weir_err err)
{
    switch (err) {
#define WEIR_ERR_EXIT(name, value, exit_code, text)                                                \
    case name:                                                                                     \
        return exit_code;
        WEIR_ERR_LIST(WEIR_ERR_EXIT)
#undef WEIR_ERR_EXIT
    }
    return WEIR_EXIT_INTERNAL;
}

weir_err weir_fail(weir_errinfo *ei, weir_err err, const char *fmt, ...)
{
    if (!ei) return err;
    /* not straight into ei: an argument may be the text that is there */
    char text[sizeof ei->text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    memcpy(ei->text, text, sizeof text);
    ei->code = err;
    return err;
}

void weir_errinfo_prefix(weir_errinfo *ei, const char *fmt, ...)
{
    if (!ei) return;
    char text[sizeof ei->text];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, "%s", ei->text);
    memcpy(ei->text, text, sizeof text);
}
