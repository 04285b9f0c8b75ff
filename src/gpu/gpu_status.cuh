/* CUDA statuses as weir_err. Every call of the CUDA runtime goes through WEIR_CUDA_TRY or WEIR_CUDA_TRY_GOTO.
 *
 * A failure names the call, the error, the file and line, and what to do. The runtime's last error is cleared, so
 * that it is not taken for the error of a later call; an error that the device keeps (a lost context) comes back by
 * itself. Memory that is not there is WEIR_E_NOMEM, anything else WEIR_E_DEVICE.
 */
#ifndef WEIR_GPU_STATUS_CUH
#define WEIR_GPU_STATUS_CUH

#include <cuda_runtime.h>

extern "C" {
#include "base/err.h"
}

static inline const char *gpu_status_advice(cudaError_t e)
{
    switch (e) {
    case cudaErrorMemoryAllocation:
        return "give it a smaller budget, or end other programs that use it (nvidia-smi lists "
               "them)";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorInitializationError:
        return "an NVIDIA driver for CUDA 13 or later must be installed and loaded (nvidia-smi "
               "shows it); without one, "
               "use the CPU";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
        return "this build has no code for this GPU: build with WEIR_CUDA_ARCHITECTURES naming its "
               "compute capability";
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
        return "the kernel does not fit this GPU: report it with the GPU's name";
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
        return "the GPU reports a fault of its own: see its row in nvidia-smi -q, and take it out "
               "of service";
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorMisalignedAddress:
    case cudaErrorAssert:
        return "the GPU is lost to this process: start it again, and report it with this line";
    default:
        return "see nvidia-smi and the kernel's log (dmesg, lines with NVRM)";
    }
}

static inline weir_err gpu_status(weir_errinfo *ei, cudaError_t e, const char *call,
                                  const char *file, int line)
{
    if (e == cudaSuccess) return WEIR_OK;
    (void)cudaGetLastError();
    return weir_fail(ei, e == cudaErrorMemoryAllocation ? WEIR_E_NOMEM : WEIR_E_DEVICE,
                     "%s:%d: %s: %s (%s): %s", file, line, call, cudaGetErrorName(e),
                     cudaGetErrorString(e), gpu_status_advice(e));
}

/* As WEIR_TRY and WEIR_TRY_GOTO, for calls of the CUDA runtime. */
#define WEIR_CUDA_TRY(ei, x)      WEIR_TRY(gpu_status(ei, x, #x, __FILE__, __LINE__))
#define WEIR_CUDA_TRY_GOTO(ei, x) WEIR_TRY_GOTO(gpu_status(ei, x, #x, __FILE__, __LINE__))

#endif
