/* Entries of a group of windows, sorted by bucket: a counting sort that knows nothing of the curve. */
#ifndef WEIR_MSM_SORT_H
#define WEIR_MSM_SORT_H

#include "msm/msm_digits.h"
#include "msm/msm_ops.h"
#include "msm/msm_plan.h"

#include <stddef.h>
#include <stdint.h>

/* Sorts windows first .. first + count - 1 into the scratch: index[] holds point number | sign << 31 in bucket
 * order; bucket id = (window - first) * buckets + magnitude - 1 has the entries starts[id] .. starts[id + 1] - 1.
 * Returns the number of entries; after a stop (ask weir_msm_stopped) the scratch holds nothing of use.
 * Cost: about 8 ns a point and window. */
size_t weir_msm_sort(const weir_msm_plan *p, unsigned char *scratch, const weir_msm_recode *recode,
                     const weir_scalar *scalars, unsigned first, unsigned count,
                     weir_msm_stop *stop);

#endif
