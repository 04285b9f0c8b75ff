/* Rows of relations on the device, for gpu_ntt_check: random ones against the host twin, and the time of a 32 GiB partition's. */
#ifndef WEIR_TEST_NTT_CHECK_RELATION_CUH
#define WEIR_TEST_NTT_CHECK_RELATION_CUH

#include "ntt_check_device.cuh"
#include "relation_twin.h"

#include <time.h>

enum { POREP_LOG2 = 27 };

/* Device memory of a relation with its witness. */
typedef struct relation_memory {
    void *relation, *witness;
} relation_memory;

static weir_err relation_up(relation_memory *m, const twin_relation *r, weir_errinfo *ei)
{
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->relation, r->relation_bytes));
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->witness, r->witness_bytes));
    WEIR_CUDA_TRY(ei,
                  cudaMemcpy(m->relation, r->relation, r->relation_bytes, cudaMemcpyHostToDevice));
    WEIR_CUDA_TRY(ei, cudaMemcpy(m->witness, r->witness, r->witness_bytes, cudaMemcpyHostToDevice));
    return WEIR_OK;
}

static weir_err run_relation(const device *d, drel_args *a, uint32_t blocks, weir_errinfo *ei)
{
    void *args[] = {a};
    if (blocks == 0) return WEIR_OK;
    return launch(d, weir_kernel_drel(), blocks, DREL_ROWS, 0, args, ei);
}

/* On the domain, in v[0] and v[1], against the twin. */
static weir_err compare_relation(const device *d, const twin_relation *r, const relation_memory *m,
                                 weir_errinfo *ei)
{
    unsigned k = r->rel->domain_log2;
    uint64_t n = (uint64_t)1 << k, bytes = n * sizeof(weir_dfr);
    drel_args a, t;
    weir_dfr *want = (weir_dfr *)aligned_alloc(32, 4 * bytes), *got = want + 2 * n;
    weir_err err = WEIR_OK;
    if (!want) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    weir_gpu_relation_at(&t, r->rel, r->relation, r->witness);
    uint32_t blocks = weir_gpu_relation_domain(&t, k, 0, 1, want, want + n);
    if (!twin_relation_run(&t, blocks, d->seed)) err = WEIR_E_NOMEM;
    weir_gpu_relation_at(&a, r->rel, m->relation, m->witness);
    blocks = weir_gpu_relation_domain(&a, k, 0, 1, d->v[0], d->v[1]);
    if (err == WEIR_OK) err = run_relation(d, &a, blocks, ei);
    for (int i = 0; i < 2 && err == WEIR_OK; i++)
        err = gpu_status(ei, cudaMemcpy(got + i * n, d->v[i], bytes, cudaMemcpyDeviceToHost),
                         "copy", __FILE__, __LINE__);
    if (err == WEIR_OK && memcmp(want, got, 2 * bytes) != 0)
        err = weir_fail(ei, WEIR_E_INTERNAL, "rows of a relation: device and host differ");
    free(want);
    return err;
}

static weir_err check_relation(const device *d, weir_errinfo *ei)
{
    for (unsigned i = 0; i < 4; i++) {
        twin_shape s;
        memset(&s, 0, sizeof s);
        s.seed = d->seed + i;
        s.repeat = 5 * i;
        s.epilogue = i & 1;
        s.longest = i == 3 ? 900 : 60;
        for (unsigned j = 0; j < 3; j++) s.rows[j] = 50 + 100 * j;
        twin_relation r;
        relation_memory m = {NULL, NULL};
        weir_err err = twin_relation_random(&r, &s, ei);
        if (err == WEIR_OK) err = relation_up(&m, &r, ei);
        if (err == WEIR_OK) err = compare_relation(d, &r, &m, ei);
        (void)cudaFree(m.relation);
        (void)cudaFree(m.witness);
        twin_relation_free(&r);
        if (err != WEIR_OK) return err;
    }
    printf("rows of relations are the host twin's, bit by bit\n");
    return WEIR_OK;
}

/* The rows of a 32 GiB partition on its domain. */
static weir_err time_porep(const device *d, weir_errinfo *ei)
{
    twin_relation r;
    relation_memory m = {NULL, NULL};
    float ms[RUNS];
    time_t t0 = time(NULL);
    weir_err err = twin_relation_porep(&r, "32GiB", d->seed, ei);
    if (err == WEIR_OK) err = relation_up(&m, &r, ei);
    for (int i = -1; i < RUNS && err == WEIR_OK; i++) {
        drel_args a;
        weir_gpu_relation_at(&a, r.rel, m.relation, m.witness);
        uint32_t blocks = weir_gpu_relation_domain(&a, POREP_LOG2, 0, 1, d->v[0], d->v[1]);
        err = gpu_status(ei, cudaEventRecord(d->start, d->stream), "record", __FILE__, __LINE__);
        if (err == WEIR_OK) err = run_relation(d, &a, blocks, ei);
        if (err == WEIR_OK)
            err = gpu_status(ei, cudaEventRecord(d->stop, d->stream), "record", __FILE__, __LINE__);
        if (err == WEIR_OK)
            err = gpu_status(ei, cudaEventSynchronize(d->stop), "wait", __FILE__, __LINE__);
        if (err == WEIR_OK)
            err = gpu_status(ei, cudaEventElapsedTime(&ms[i < 0 ? 0 : i], d->start, d->stop),
                             "elapsed", __FILE__, __LINE__);
    }
    if (err == WEIR_OK) {
        qsort(ms, RUNS, sizeof *ms, by_value);
        printf("\nrows of A and B, 32 GiB PoRep, %llu rows, random witness: %.2f ms (built and "
               "packed in %ld s; "
               "relation %.1f MB, witness %.1f MB)\n",
               (unsigned long long)r.rel->rows, ms[RUNS / 2], (long)(time(NULL) - t0),
               r.relation_bytes * 1e-6, r.witness_bytes * 1e-6);
    }
    (void)cudaFree(m.relation);
    (void)cudaFree(m.witness);
    twin_relation_free(&r);
    return err;
}

#endif
