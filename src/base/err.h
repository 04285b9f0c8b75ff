/* Errors: one list of codes, one text buffer for details.
 *
 * A function that can fail returns weir_err; a function that asks a question returns bool; all others
 * return void. Details (what, where, what to do) go to the caller's weir_errinfo; there is no global
 * error state. A verification result is an output, not an error.
 */
#ifndef WEIR_BASE_ERR_H
#define WEIR_BASE_ERR_H

#include <stddef.h>
#include <stdint.h>

/* Exit codes of the command, by family of error. 1 is kept for the answer "no" (proof not valid). */
enum {
    WEIR_EXIT_OK = 0,
    WEIR_EXIT_NO = 1,
    WEIR_EXIT_USAGE = 2,
    WEIR_EXIT_DATA = 3,
    WEIR_EXIT_RESOURCE = 4,
    WEIR_EXIT_DEVICE = 5,
    WEIR_EXIT_IO = 6,
    WEIR_EXIT_INTERNAL = 7,
    WEIR_EXIT_CANCELLED = 130
};

/* X(name, value, exit code, text) */
#define WEIR_ERR_LIST(X)                                                                           \
    X(WEIR_OK, 0, WEIR_EXIT_OK, "ok")                                                              \
    X(WEIR_E_USAGE, -1, WEIR_EXIT_USAGE, "wrong use")                                              \
    X(WEIR_E_UNSUPPORTED, -2, WEIR_EXIT_USAGE, "not supported")                                    \
    X(WEIR_E_TRUNCATED, -10, WEIR_EXIT_DATA, "data ends too early")                                \
    X(WEIR_E_FORMAT, -11, WEIR_EXIT_DATA, "malformed data")                                        \
    X(WEIR_E_RANGE, -12, WEIR_EXIT_DATA, "number out of range")                                    \
    X(WEIR_E_ENCODING, -13, WEIR_EXIT_DATA, "bad point or scalar encoding")                        \
    X(WEIR_E_NOT_ON_CURVE, -14, WEIR_EXIT_DATA, "point is not on the curve")                       \
    X(WEIR_E_NOT_IN_SUBGROUP, -15, WEIR_EXIT_DATA, "point is not in the subgroup")                 \
    X(WEIR_E_INFINITY, -16, WEIR_EXIT_DATA, "point at infinity where none may be")                 \
    X(WEIR_E_MISMATCH, -17, WEIR_EXIT_DATA, "parts do not belong together")                        \
    X(WEIR_E_UNSATISFIED, -18, WEIR_EXIT_DATA, "input does not satisfy the circuit")               \
    X(WEIR_E_NOMEM, -30, WEIR_EXIT_RESOURCE, "not enough memory")                                  \
    X(WEIR_E_DEVICE, -40, WEIR_EXIT_DEVICE, "device failed")                                       \
    X(WEIR_E_IO, -50, WEIR_EXIT_IO, "input or output failed")                                      \
    X(WEIR_E_CANCELLED, -60, WEIR_EXIT_CANCELLED, "cancelled")                                     \
    X(WEIR_E_BAD_PROOF, -70, WEIR_EXIT_INTERNAL, "the proof made does not verify")                 \
    X(WEIR_E_INTERNAL, -71, WEIR_EXIT_INTERNAL, "internal error")

typedef enum weir_err {
#define WEIR_ERR_ENUM(name, value, exit_code, text) name = value,
    WEIR_ERR_LIST(WEIR_ERR_ENUM)
#undef WEIR_ERR_ENUM
} weir_err;

#define WEIR_MUST_USE           __attribute__((warn_unused_result))
#define WEIR_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* What went wrong, in words. Zero-initialise it (= {0}) before the first use. */
typedef struct weir_errinfo {
    weir_err code;
    char text[700]; /* a whole sentence without a final newline; always NUL-terminated */
} weir_errinfo;

const char *weir_err_name(weir_err err);
const char *weir_err_text(weir_err err);
int weir_err_exit_code(weir_err err);

/* Writes the message and returns err, so that `return weir_fail(ei, WEIR_E_RANGE, "...")` reads well.
 * ei may be NULL. Too long a text is cut. Alias: an argument may be ei->text. Thread: any. */
weir_err weir_fail(weir_errinfo *ei, weir_err err, const char *fmt, ...) WEIR_PRINTF(3, 4);

/* Puts context (a file name, a partition) in front of the message that is there. */
void weir_errinfo_prefix(weir_errinfo *ei, const char *fmt, ...) WEIR_PRINTF(2, 3);

/* WEIR_TRY returns at once and may stand only before the first resource is held. */
#define WEIR_TRY(x)                                                                                \
    do {                                                                                           \
        weir_err weir_try_err_ = (x);                                                              \
        if (weir_try_err_ != WEIR_OK) return weir_try_err_;                                        \
    } while (0)

/* WEIR_TRY_GOTO sets `err` and jumps to the one label `out`, where everything is given back. */
#define WEIR_TRY_GOTO(x)                                                                           \
    do {                                                                                           \
        err = (x);                                                                                 \
        if (err != WEIR_OK) goto out;                                                              \
    } while (0)

#endif
