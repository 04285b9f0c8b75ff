/* How busy a device was, from a trace. */
#ifndef WEIR_ENGINE_TRACE_BUSY_H
#define WEIR_ENGINE_TRACE_BUSY_H

#include "engine/trace.h"

typedef struct weir_busy {
    uint64_t begin_ns,
        end_ns; /* of its first and last partition within the time asked for; both 0: it had none */
    uint64_t
        busy_ns; /* between them: partitions at work, paused ones not counted, each moment once */
    uint64_t longest_gap_ns; /* in which none was at work */
} weir_busy;

/* Both lanes of the device, over partitions that lie between from_ns and to_ns. Errors: WEIR_E_NOMEM. */
weir_err weir_spans_device_busy(weir_busy *out, const weir_spans *s, uint32_t device,
                                uint64_t from_ns, uint64_t to_ns, weir_errinfo *ei) WEIR_MUST_USE;

#endif
