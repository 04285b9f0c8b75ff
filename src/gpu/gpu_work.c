#include "gpu/gpu_work.h"

/* A step is a launch where each takes milliseconds, else some of them. So many steps the host may be ahead: one that waits is
 * enough to keep the device busy, and little stands before the work of another session. */
enum { LARGE_DOMAIN_LOG2 = 22, STEP_LAUNCHES = 8, STEPS_AHEAD = 3 };

/* The host waits until the step before the last ones is done. */
static weir_err end_step(weir_gpu_work *r)
{
    int mark = WEIR_GPU_MARK_STEP + (int)(r->step % STEPS_AHEAD);
    r->launches = 0;
    WEIR_TRY(r->d->mark(r->d->ctx, WEIR_GPU_WORK, mark, r->ei));
    r->step++;
    if (r->step >= STEPS_AHEAD)
        WEIR_TRY(r->d->wait(r->d->ctx, WEIR_GPU_MARK_STEP + (int)(r->step % STEPS_AHEAD), r->ei));
    if (weir_exec_cancelled(r->x))
        return weir_fail(r->ei, WEIR_E_CANCELLED, "cancelled while the GPU worked");
    if (!weir_exec_pause_wanted(r->x)) return WEIR_OK;
    WEIR_TRY(r->d->drain(r->d->ctx, r->ei));
    r->paused = r->drained = true;
    weir_exec_pause(r->x);
    if (weir_exec_cancelled(r->x))
        return weir_fail(r->ei, WEIR_E_CANCELLED, "cancelled while the GPU worked for others");
    r->drained = false;
    return WEIR_OK;
}

weir_err weir_gpu_work_launch(weir_gpu_work *r, unsigned kernel, uint32_t blocks, uint32_t threads,
                              const void *args)
{
    WEIR_TRY(r->d->launch(r->d->ctx, WEIR_GPU_WORK, (weir_gpu_kernel)kernel, blocks, threads, args,
                          r->ei));
    bool large = r->s->l.ntt.log2_n > LARGE_DOMAIN_LOG2;
    return ++r->launches < (large ? 1 : STEP_LAUNCHES) ? WEIR_OK : end_step(r);
}
