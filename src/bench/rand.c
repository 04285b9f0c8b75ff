#include "bench/rand.h"

#include "field/fp.h"
#include "field/fr.h"

uint64_t weir_bench_rand_u64(weir_bench_rand *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* n limbs of which the top one has `bits` bits */
static void limbs(weir_bench_rand *g, uint64_t *l, int n, int bits)
{
    for (int i = 0; i < n; i++) l[i] = weir_bench_rand_u64(g);
    l[n - 1] >>= 64 - bits;
}

/* Any residue is the Montgomery form of one element. */
void weir_bench_rand_fps(weir_bench_rand *g, weir_fp *out, size_t n)
{
    for (size_t i = 0; i < n; i++) do
            limbs(g, out[i].l, 6, WEIR_FP_BITS - 320);
        while (!fp_is_reduced(&out[i]));
}

void weir_bench_rand_frs(weir_bench_rand *g, weir_fr *out, size_t n)
{
    for (size_t i = 0; i < n; i++) do
            limbs(g, out[i].l, 4, WEIR_FR_BITS - 192);
        while (!fr_is_reduced(&out[i]));
}

void weir_bench_rand_scalars(weir_bench_rand *g, weir_scalar *out, size_t n)
{
    for (size_t i = 0; i < n; i++) do
            limbs(g, out[i].l, 4, WEIR_FR_BITS - 192);
        while (!scalar_is_reduced(&out[i]));
}
