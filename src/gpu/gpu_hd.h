/* How one source serves device and host. C and C++ (CUDA) both include this header.
 *
 * WEIR_HD marks a function of src/gpu that nvcc compiles for the device and a C11 compiler for the host. The host
 * version is the twin that tests run without a device; it is the same text. Only gpu_limbs.h (carry chains) and gpu_phase.h
 * (barriers, lanes of a warp) hold two bodies; nothing else may ask which compiler it is.
 *
 * What the common text keeps to: no compound literals, no designated initialisers, casts from void *, results by
 * pointer. Pointers to locals cost nothing, since everything is inlined.
 */
#ifndef WEIR_GPU_HD_H
#define WEIR_GPU_HD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define WEIR_HD static __device__ __forceinline__
/* A call stays a call: for code that is rarely reached or needs few registers. */
#define WEIR_HD_CALL static __device__ __noinline__
/* On a loop whose indices must be constants, so that arrays live in registers. */
#define WEIR_UNROLL _Pragma("unroll")
/* On a loop whose body must stay small. */
#define WEIR_NO_UNROLL _Pragma("unroll 1")
#define WEIR_ALIGN(n)  __align__(n)
#else
#define WEIR_HD      static inline __attribute__((unused))
#define WEIR_HD_CALL static __attribute__((noinline, unused))
#define WEIR_UNROLL
#define WEIR_NO_UNROLL
#define WEIR_ALIGN(n) __attribute__((aligned(n)))
#endif

#endif
