/* The kernels of bench_kernels.h. A form is an operation with a bound on registers: __launch_bounds__(threads, blocks). */
#include "gpu/bench_kernels.h"

#include "gpu/bench_ops.h"
#include "gpu/bench_phases.h"
#include "gpu/gpu_batch_inv.h"

/* X(operation, threads, blocks). Each form costs compile time; those kept tell something: the bounds around what an
 * MSM or NTT kernel will have. */
#define FORMS(X)                                                                                   \
    X(fp_mul, 128, 8)                                                                              \
    X(fp_mul, 128, 4)                                                                              \
    X(fp_sqr, 128, 8)                                                                              \
    X(fp_add, 128, 8)                                                                              \
    X(fr_mul, 128, 8)                                                                              \
    X(fr_mul, 128, 12)                                                                             \
    X(fp2_mul, 128, 3)                                                                             \
    X(fp2_call, 128, 3)                                                                            \
    X(g1_madd, 128, 3)                                                                             \
    X(g1_madd, 128, 4)                                                                             \
    X(g2_madd, 128, 2)                                                                             \
    X(g2_madd, 128, 3)                                                                             \
    X(g1_pair, 128, 3)                                                                             \
    X(g1_pair, 128, 4)                                                                             \
    X(g2_pair, 128, 2)                                                                             \
    X(g2_pair, 128, 3)

#define INPUT(name, IN, OUT, per, text) typedef IN in_##name;
WEIR_BENCH_OPS(INPUT)
#define OUTPUT(name, IN, OUT, per, text) typedef OUT out_##name;
WEIR_BENCH_OPS(OUTPUT)

#define KERNEL(name, threads, blocks)                                                              \
    extern "C" __global__ void __launch_bounds__(threads, blocks)                                  \
        bench_##name##_##threads##x##blocks(void *out, const void *in, uint32_t rounds)            \
    {                                                                                              \
        size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                                  \
        bench_##name((out_##name *)out + i, (const in_##name *)in + i, rounds);                    \
    }
FORMS(KERNEL)

extern "C" const weir_bench_kernel *weir_bench_kernels(size_t *n)
{
#define ROW(name, threads, blocks)                                                                 \
    {#name, (const void *)bench_##name##_##threads##x##blocks, threads, blocks},
    static const weir_bench_kernel table[] = {FORMS(ROW)};
    *n = sizeof table / sizeof table[0];
    return table;
}

/* Elements of a batch inversion: registers for one running product, the tree in shared memory. */
#define BATCH_INV(field)                                                                           \
    extern "C" __global__ void __launch_bounds__(BATCH_INV_THREADS_MAX, 2)                         \
        kernel_##field##_batch_inv(field##_batch_inv_args a)                                       \
    {                                                                                              \
        __shared__ field##_batch_inv_shared s;                                                     \
        WEIR_DEVICE_RUN(field##_batch_inv, &a, &s);                                                \
    }                                                                                              \
    extern "C" const void *weir_kernel_##field##_batch_inv(void)                                   \
    {                                                                                              \
        return (const void *)kernel_##field##_batch_inv;                                           \
    }
BATCH_INV(dfp)
BATCH_INV(dfr)

extern "C" __global__ void __launch_bounds__(WEIR_BLOCK_MAX) kernel_block_scan(bench_scan_args a)
{
    __shared__ bench_scan_shared s;
    WEIR_DEVICE_RUN(bench_scan, &a, &s);
}
extern "C" const void *weir_kernel_block_scan(void)
{
    return (const void *)kernel_block_scan;
}
