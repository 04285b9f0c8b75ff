#include "base/fault.h"

weir_err weir_fault_first(const weir_fault *fault, unsigned n, weir_errinfo *ei)
{
    const weir_fault *first = NULL;
    for (unsigned i = 0; i < n; i++)
        if (fault[i].err != WEIR_OK && (!first || fault[i].task < first->task)) first = &fault[i];
    return first ? weir_fail(ei, first->err, "%s", first->info.text) : WEIR_OK;
}
