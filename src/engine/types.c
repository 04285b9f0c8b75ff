#include "engine/types.h"

const char *const weir_job_class_names[WEIR_CLASSES] = {"low", "normal", "high", "critical"};
const char *const weir_job_state_names[WEIR_JOB_STATES] = {"new",  "parsed", "running",
                                                           "done", "failed", "cancelled"};
const char *const weir_part_state_names[WEIR_PART_STATES] = {"wait",   "fill", "ready",  "device",
                                                             "finish", "done", "dropped"};

bool weir_job_may_move(weir_job_state from, weir_job_state to)
{
    if (weir_job_has_ended(from)) return false;
    if (to == WEIR_JOB_FAILED || to == WEIR_JOB_CANCELLED) return true;
    return to == from + 1;
}

bool weir_part_may_move(weir_part_state from, weir_part_state to)
{
    if (weir_part_has_ended(from)) return false;
    if (to == WEIR_PART_DROPPED) return true;
    if (to == WEIR_PART_READY && (from == WEIR_PART_DEVICE || from == WEIR_PART_FINISH))
        return true;
    return to == from + 1;
}
