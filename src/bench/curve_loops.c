#include "bench/curve_loops.h"

const weir_bench_curve_ops *weir_bench_curve_ops_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, weir_bench_curve_ops);
}
