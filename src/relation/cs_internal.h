/* What the files of the builder share. */
#ifndef WEIR_RELATION_CS_INTERNAL_H
#define WEIR_RELATION_CS_INTERNAL_H

#include "base/err.h"
#include "relation/cs.h"

/* Remembers the first failure. cs may be NULL (sums outside a builder cannot report and stay as they are). */
void weir_cs_fail(weir_cs *cs, weir_err err, const char *fmt, ...) WEIR_PRINTF(3, 4);

#endif
