/* The kernels of ntt_kernels.h. */
#include "gpu/ntt_kernels.h"

#include "gpu/gpu_ntt_pass.h"
#include "gpu/gpu_relation.h"

/* Two blocks: the elements of a thread are 64 registers of 128. */
enum { NTT_BLOCKS = 2 };

extern "C" __global__ void __launch_bounds__(DNTT8_THREADS, NTT_BLOCKS) kernel_dntt8(dntt_args a)
{
    extern __shared__ dntt_half memory[];
    dntt_shared *s = (dntt_shared *)memory;
    WEIR_DEVICE_RUN(dntt8, &a, s);
}

extern "C" const weir_gpu_ntt_form *weir_gpu_ntt_forms(size_t *n)
{
    static const weir_gpu_ntt_form table[] = {
        {"dntt8", (const void *)kernel_dntt8, DNTT8_THREADS, NTT_BLOCKS, sizeof(dntt_shared)}};
    *n = sizeof table / sizeof table[0];
    return table;
}

extern "C" __global__ void __launch_bounds__(DREL_ROWS, 4) kernel_drel(drel_args a)
{
    __shared__ drel_shared s;
    WEIR_DEVICE_RUN(drel, &a, &s);
}
extern "C" const void *weir_kernel_drel(void)
{
    return (const void *)kernel_drel;
}

extern "C" __global__ void __launch_bounds__(256)
    kernel_dntt_table(weir_dfr *out, uint64_t n, const weir_dfr *lo, const weir_dfr *hi,
                      uint32_t lo_log2)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    weir_dfr a = lo[i & ((1u << lo_log2) - 1)], b = hi[i >> lo_log2];
    dfr_mul(&out[i], &a, &b);
}
extern "C" const void *weir_kernel_dntt_table(void)
{
    return (const void *)kernel_dntt_table;
}
