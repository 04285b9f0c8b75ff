#!/bin/bash
# usage: test_cuda_deps.sh SOURCE_FOLDER BUILD_FOLDER NVCC
# An edited header rebuilds the kernels that include it: tried in a small project of its own with the build files of this
# one; and the real build knows all headers of its kernels.
set -euo pipefail
source=$1 build=$2 nvcc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/src/src" "$work/src/tools"
cp "$source/tools/nvcc_log" "$work/src/tools"
cat >"$work/src/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.23)
project(deps LANGUAGES C)
include($source/cmake/cuda.cmake)
weir_cuda_library(kernels SOURCES kernel.cu)
END
printf '#include "outer.cuh"\n__global__ void k(int *x) { *x = OUTER + INNER; }\n' >"$work/src/kernel.cu"
printf '#include "inner.h"\n#define OUTER 1\n' >"$work/src/src/outer.cuh"
printf '#define INNER 1\n' >"$work/src/src/inner.h"
cmake -G Ninja -S "$work/src" -B "$work/build" -DWEIR_CUDA=ON -DCMAKE_CUDA_COMPILER="$nvcc" >"$work/log" || { cat "$work/log"; exit 1; }
ninja -C "$work/build" >"$work/log" || { cat "$work/log"; exit 1; }

fail() {
    echo "$1"
    exit 1
}
# Not in a pipe: grep -q leaves at the first match, and ninja would fail on the closed pipe.
plan() {
    ninja -n -C "$work/build"
}
grep -q 'no work to do' <<<"$(plan)" || fail "a second build has work to do"
for edited in src/inner.h src/outer.cuh kernel.cu; do
    sleep 1.1 # file times of some systems are whole seconds
    echo '/* edited */' >>"$work/src/$edited"
    grep -q 'kernel.cu.o' <<<"$(plan)" || fail "an edited $edited rebuilds nothing"
    ninja -C "$work/build" >"$work/log" || { cat "$work/log"; exit 1; }
done

deps=$(ninja -C "$build" -t deps src/gpu/CMakeFiles/weir_gpu.dir/bench_kernels.cu.o)
for header in gpu_limbs.h gpu_params.h gpu_mont.inc.h gpu_wide.inc.h gpu_divsteps.inc.h gpu_ec.inc.h gpu_block_inv.inc.h \
    gpu_phase.h bench_ops.h; do
    grep -q "src/gpu/$header" <<<"$deps" || fail "the build does not know that bench_kernels.cu includes $header"
done
echo "edited headers rebuild their kernels"
