/* What the kernel says of memory. Figures that it does not give are 0. */
#ifndef WEIR_CLI_MEMORY_H
#define WEIR_CLI_MEMORY_H

#include "base/err.h"

#include <stdint.h>

typedef struct weir_memory {
    uint64_t peak_bytes; /* most resident since the last reset, mapped files included */
    uint64_t now_bytes;  /* resident now, mapped files included */
    uint64_t own_bytes;  /* resident now, without mapped files */
} weir_memory;

weir_memory weir_memory_read(void);
/* Lets the peak start again from what is resident now. Where the kernel does not allow it, peaks
 * go on from the start of the process. */
void weir_memory_reset_peak(void);

/* Refuses work that does not fit, before it begins. Errors: WEIR_E_NOMEM with both figures. */
weir_err weir_memory_fits(uint64_t bytes, const char *what, weir_errinfo *ei) WEIR_MUST_USE;

#endif
