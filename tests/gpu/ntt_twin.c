#include "ntt_twin.h"

#include "field/fr.h"
#include "gpu/gpu_ntt_pass.h"

#include <stdlib.h>
#include <string.h>

WEIR_HOST_RUN(run_dntt8, dntt8)
WEIR_HOST_RUN(run_drel, drel)

/* seed 0: ascending; 1: descending; else at random. */
static uint32_t *make_order(uint32_t threads, uint64_t seed)
{
    uint32_t *order = calloc(threads, sizeof *order);
    for (uint32_t i = 0; order && i < threads; i++) order[i] = seed == 1 ? threads - 1 - i : i;
    for (uint32_t i = threads; order && seed > 1 && i > 1; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t j = (uint32_t)((seed >> 33) % i), t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
    return order;
}

bool twin_ntt_run(const weir_gpu_ntt_launch *list, unsigned n, uint64_t seed)
{
    dntt8_shared *s = calloc(1, sizeof *s);
    dntt8_own *own = calloc(DNTT8_THREADS, sizeof *own);
    uint32_t *order = make_order(DNTT8_THREADS, seed);
    bool ok = s && own && order;
    for (unsigned i = 0; ok && i < n; i++)
        run_dntt8(&list[i].a, s, own, list[i].blocks, DNTT8_THREADS, order);
    free(order);
    free(own);
    free(s);
    return ok;
}

bool twin_relation_run(const drel_args *a, uint32_t blocks, uint64_t seed)
{
    drel_shared *s = calloc(1, sizeof *s);
    drel_own *own = calloc(DREL_ROWS, sizeof *own);
    uint32_t *order = make_order(DREL_ROWS, seed);
    bool ok = s && own && order;
    if (ok) run_drel(a, s, own, blocks, DREL_ROWS, order);
    free(order);
    free(own);
    free(s);
    return ok;
}

uint64_t twin_reversed(uint64_t i, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned k = 0; k < bits; k++) r |= (i >> k & 1) << (bits - 1 - k);
    return r;
}

/* ---- arithmetic */

static weir_fr in(const weir_dfr *a)
{
    weir_fr r;
    memcpy(&r, a, sizeof r);
    return r;
}

static void out(weir_dfr *r, const weir_fr *a)
{
    memcpy(r, a, sizeof *r);
}

void twin_fr_random(weir_dfr *r, uint64_t seed)
{
    for (int i = 0; i < WEIR_DFR_N; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        r->l[i] = (uint32_t)(seed >> 32);
    }
    r->l[WEIR_DFR_N - 1] >>= 2;
}

void twin_fr_point(weir_dfr *r, unsigned log2_n, uint64_t i, dntt_side side)
{
    weir_fr w;
    fr_root_of_unity(&w, log2_n + 1);
    fr_pow_u64(&w, &w, 2 * i + (side == DNTT_COSET));
    out(r, &w);
}

void twin_fr_join(weir_dfr *r, const weir_dfr *part, size_t n, const weir_dfr *x,
                  unsigned step_log2)
{
    weir_fr sum, step = in(x);
    for (unsigned i = 0; i < step_log2; i++) fr_sqr(&step, &step);
    fr_set_zero(&sum);
    while (n-- > 0) {
        weir_fr p = in(&part[n]);
        fr_mul(&sum, &sum, &step);
        fr_add(&sum, &sum, &p);
    }
    out(r, &sum);
}

bool twin_quotient_holds(const weir_dfr *x, unsigned log2_n, const weir_dfr *a, const weir_dfr *b,
                         const weir_dfr *c, const weir_dfr *h)
{
    weir_fr left = in(a), t = in(b), z = in(x), right = in(h);
    weir_scalar s;
    fr_mul(&left, &left, &t);
    t = in(c);
    fr_sub(&left, &left, &t);
    memcpy(&s, &right, sizeof s);
    fr_from_scalar(&right, &s);
    for (unsigned i = 0; i < log2_n; i++) fr_sqr(&z, &z);
    fr_sub(&z, &z, &fr_ONE);
    fr_mul(&right, &right, &z);
    return fr_eq(&left, &right);
}
