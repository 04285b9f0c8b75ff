/* The first half of key making: from a relation and secrets to scalars. Private to groth16/keymake.c. */
#ifndef WEIR_GROTH16_KEYMAKE_COLUMNS_H
#define WEIR_GROTH16_KEYMAKE_COLUMNS_H

#include "base/exec.h"
#include "groth16/groth16.h"
#include "groth16/keymake_path.h"

/* u, v, w: the polynomials of A, B, C of every column at tau; inputs first, then auxiliary columns. */
typedef struct weir_key_columns {
    weir_key_scales scales;
    weir_fr *u, *v, *w;
    uint64_t n;
} weir_key_columns;

/* Errors: WEIR_E_RANGE (a secret that is zero, not below r, or tau in the domain), WEIR_E_NOMEM, WEIR_E_CANCELLED. Peak
 * memory: rows + 3 (inputs + aux) elements. */
weir_err weir_key_columns_init(weir_key_columns *c, const weir_relation *rel,
                               const weir_secrets *secrets, const weir_exec *x,
                               weir_errinfo *ei) WEIR_MUST_USE;
/* Wipes. A zeroed struct is allowed. */
void weir_key_columns_clear(weir_key_columns *c);

#endif
