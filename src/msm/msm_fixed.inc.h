/* Multiples of one fixed point, an include-template; parameters as in msm_batch.inc.h, which comes first, and
 * K_FIXED, the table's type, with K_FREE
 *
 * Window w of the table holds 1, 2, ... 2^(c-1) times 2^(cw) B. A scalar is W signed digits (msm_digits.h), so its
 * multiple is a sum of at most W points of the table; a chunk of scalars adds its points of one window in one
 * batch. Equal and opposite points meet only for rare scalars, but they are handled like all others.
 */

enum { K_(FIXED_CHUNK) = 1024 }; /* scalars of a task: an inversion is 60 products among 6,000 */

#define K_TABLE_JOB K_(table_job)
typedef struct K_TABLE_JOB {
    K_FIXED *t;
    weir_msm_worker_layout layout;
    unsigned char *workers;
} K_TABLE_JOB;

/* From 1, ... k times the base to 2k times: entry k + i is entry i plus entry k. Entry 0 is the base. */
static void K_(table_task)(void *ctx, size_t window, unsigned worker)
{
    const K_TABLE_JOB *j = ctx;
    K_BATCH t;
    K_(batch_init)(&t, j->workers + worker * j->layout.bytes, &j->layout);
    K_AFF *entry = j->t->table + window * j->t->multiples;
    for (size_t k = 1; k < j->t->multiples; k *= 2) {
        memcpy(entry + k, entry, k * sizeof *entry);
        for (size_t i = 0; i < k; i++) K_(push)(&t, &entry[k + i], &entry[k - 1]);
        K_(flush)(&t);
    }
}

/* The first entry of each window: 2^(cw) B. */
static void K_(table_bases)(K_FIXED *t, const K_AFF *base)
{
    K_JAC p;
    E_(from_affine)(&p, base);
    for (unsigned w = 0; w < t->windows; w++) {
        E_(to_affine)(&t->table[w * t->multiples], &p);
        for (unsigned i = 0; i < t->window; i++) E_(dbl)(&p, &p);
    }
}

static weir_err K_(fixed_new)(K_FIXED **out, const K_AFF *base, unsigned window, const weir_exec *x,
                              weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    unsigned threads = weir_pool_threads(x->pool);
    K_TABLE_JOB j = {0};
    K_FIXED *t = weir_calloc(1, sizeof *t);
    *out = NULL;
    if (!t) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a table of multiples");
    t->window = window;
    t->windows = weir_msm_windows(window);
    t->multiples = (size_t)1 << (window - 1);
    weir_msm_worker_layout_make(&j.layout, K_SIZES.chunk_max, &K_SIZES);
    t->table = weir_big_alloc(t->windows * t->multiples, sizeof *t->table);
    j.t = t;
    j.workers = weir_slab_take(x->slabs, threads * j.layout.bytes, 1);
    if (!t->table || !j.workers) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for a table of %u windows of %zu multiples",
                        t->windows, t->multiples);
        goto out;
    }
    K_(table_bases)(t, base);
    weir_pool_run(x->pool, t->windows, K_(table_task), &j);
    *out = t;
    t = NULL;
out:
    weir_slab_give(x->slabs, j.workers, threads * j.layout.bytes, 1);
    K_FREE(t);
    return err;
}

#define K_FIXED_JOB K_(fixed_job)
typedef struct K_FIXED_JOB {
    const K_FIXED *t;
    K_AFF *out;
    const weir_scalar *k;
    size_t n, chunk;
    weir_msm_recode recode;
    weir_msm_stop stop;
    weir_msm_worker_layout layout;
    size_t recoded,
        worker_bytes; /* offset of the recoded scalars in a worker's memory; all of it */
    unsigned char *workers;
} K_FIXED_JOB;

/* acc[i] += digit w of scalar i times the window's base. */
static void K_(fixed_window)(K_BATCH *t, const K_FIXED_JOB *j, const weir_msm_recoded *s, size_t m,
                             unsigned w)
{
    const K_AFF *table = j->t->table + w * j->t->multiples;
    K_AFF *acc = t->points, *term = acc + m;
    for (size_t i = 0; i < m; i++) {
        if (i + K_(PREFETCH_AHEAD) < m) {
            uint32_t ahead = weir_msm_digit(&s[i + K_(PREFETCH_AHEAD)], &j->recode, w);
            if (ahead) K_(prefetch)(&table[(ahead >> 1) - 1]);
        }
        uint32_t digit = weir_msm_digit(&s[i], &j->recode, w);
        if (!digit) continue;
        K_(copy_signed)(&term[i], &table[(digit >> 1) - 1], digit & 1);
        K_(push)(t, &acc[i], &term[i]);
    }
    K_(flush)(t);
}

static void K_(fixed_task)(void *ctx, size_t task, unsigned worker)
{
    K_FIXED_JOB *j = ctx;
    if (weir_msm_stop_task(&j->stop)) return;
    unsigned char *memory = j->workers + worker * j->worker_bytes;
    weir_msm_recoded *s = (weir_msm_recoded *)(void *)(memory + j->recoded);
    size_t lo = task * j->chunk, m = j->n - lo < j->chunk ? j->n - lo : j->chunk;
    K_BATCH t;
    K_(batch_init)(&t, memory, &j->layout);
    for (size_t i = 0; i < m; i++) weir_msm_recode_scalar(&s[i], &j->recode, &j->k[lo + i]);
    memset(t.points, 0, m * sizeof *t.points);
    for (unsigned w = 0; w < j->t->windows; w++) K_(fixed_window)(&t, j, s, m, w);
    memcpy(&j->out[lo], t.points, m * sizeof *t.points);
}

static weir_err K_(fixed_mul)(const K_FIXED *t, K_AFF *out, const weir_scalar *k, size_t n,
                              const weir_exec *x, weir_errinfo *ei)
{
    unsigned threads = weir_pool_threads(x->pool);
    K_FIXED_JOB j = {.t = t, .out = out, .k = k, .n = n, .stop = {.x = x}};
    if (n == 0) return WEIR_OK;
    j.chunk = (n + threads - 1) / threads;
    if (j.chunk > K_(FIXED_CHUNK)) j.chunk = K_(FIXED_CHUNK);
    weir_msm_recode_init(&j.recode, t->window);
    weir_msm_worker_layout_make(&j.layout, 2 * j.chunk, &K_SIZES);
    j.recoded = j.layout.bytes;
    j.worker_bytes = (j.recoded + j.chunk * sizeof(weir_msm_recoded) + 63) / 64 * 64;
    j.workers = weir_slab_take(x->slabs, threads * j.worker_bytes, 1);
    if (!j.workers)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu multiples of a fixed point", n);
    weir_exec_progress(x, "fixed base", 0, n);
    weir_pool_run(x->pool, (n + j.chunk - 1) / j.chunk, K_(fixed_task), &j);
    weir_slab_give(x->slabs, j.workers, threads * j.worker_bytes, 1);
    if (weir_msm_stopped(&j.stop))
        return weir_fail(ei, WEIR_E_CANCELLED, "%zu multiples were cancelled", n);
    weir_exec_progress(x, "fixed base", n, n);
    return WEIR_OK;
}
