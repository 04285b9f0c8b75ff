/* Sums over few points that stay the same, an include-template; parameters as in msm_batch.inc.h, which comes first.
 *
 * The table holds 2^(8w) P_i for every window w, so all windows share one set of 128 buckets: a digit of window w puts
 * 2^(8w) P_i into the bucket of its magnitude. Windows are taken by groups that fill a worker's array; the runs of a group
 * are summed as in dense sums and added to the buckets. Zero digits cost nothing, so short scalars cost little.
 * K_DOUBLES, K_TO_AFFINE: members of weir_curve_ops, g1s_double and g1s_to_affine.
 */

enum {
    K_(SHIFT_WINDOW) = 8,
    K_(SHIFT_BUCKETS) = 1 << (K_(SHIFT_WINDOW) - 1),
    K_(SHIFT_CHUNK) =
        1 << 14 /* entries of a group, 5 MB: few groups, so few sums of their buckets */
};

static weir_err K_(shifted_new)(K_SHIFTED **out, const K_AFF *points, size_t n, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    K_SHIFTED *t = weir_calloc(1, sizeof *t);
    K_JAC *p = weir_malloc(n, sizeof *p);
    K_FIELD *scratch = weir_malloc(n, sizeof *scratch);
    *out = NULL;
    if (t) {
        t->n = n;
        t->windows = weir_msm_windows(K_(SHIFT_WINDOW));
        t->table = weir_malloc(n * t->windows, sizeof *t->table);
    }
    if (!t || !p || !scratch || !t->table) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for the multiples of %zu points", n);
        goto out;
    }
    if (n > 0) memcpy(t->table, points, n * sizeof *points);
    for (size_t i = 0; i < n; i++) E_(from_affine)(&p[i], &points[i]);
    for (unsigned w = 1; w < t->windows; w++) {
        K_DOUBLES(p, n, K_(SHIFT_WINDOW));
        K_TO_AFFINE(t->table + w * n, p, n, scratch);
    }
    *out = t;
    t = NULL;
out:
    weir_free(p);
    weir_free(scratch);
    K_SHIFTED_FREE(t);
    return err;
}

#define K_SHIFTED_JOB K_(shifted_job)
typedef struct K_SHIFTED_JOB {
    const K_SHIFTED *t;
    uint16_t *digit; /* as weir_msm_digit gives it, in the order of the table */
    uint32_t *index; /* entries in bucket order: number in the table, and the sign */
    K_BATCH batch;
    K_JAC bucket[K_(SHIFT_BUCKETS)];
    K_AFF affine[K_(SHIFT_BUCKETS)];
    K_FIELD scratch[K_(SHIFT_BUCKETS)];
} K_SHIFTED_JOB;

static void K_(shifted_digits)(K_SHIFTED_JOB *j, const weir_scalar *k)
{
    const K_SHIFTED *t = j->t;
    weir_msm_recode recode;
    weir_msm_recode_init(&recode, K_(SHIFT_WINDOW));
    for (size_t i = 0; i < t->n; i++) {
        weir_msm_recoded s;
        weir_msm_recode_scalar(&s, &recode, &k[i]);
        for (unsigned w = 0; w < t->windows; w++)
            j->digit[w * t->n + i] = (uint16_t)weir_msm_digit(&s, &recode, w);
    }
}

/* Entries first .. first + count - 1 of the table, sorted by bucket, without those of digit 0. Gives the number of runs;
 * run_id = bucket. */
static size_t K_(shifted_sort)(K_SHIFTED_JOB *j, size_t first, size_t count)
{
    uint32_t at[K_(SHIFT_BUCKETS) + 1] = {0}, sum = 0;
    size_t runs = 0;
    for (size_t e = first; e < first + count; e++) at[j->digit[e] >> 1]++;
    for (uint32_t b = 1; b <= K_(SHIFT_BUCKETS); b++) {
        uint32_t n = at[b];
        if (n) {
            j->batch.run_start[runs] = sum;
            j->batch.run_id[runs++] = b - 1;
        }
        at[b] = sum;
        sum += n;
    }
    j->batch.run_start[runs] = sum;
    for (size_t e = first; e < first + count; e++) {
        uint32_t d = j->digit[e];
        if (d) j->index[at[d >> 1]++] = (uint32_t)e | d << WEIR_MSM_SIGN_SHIFT;
    }
    return runs;
}

static void K_(shifted_group)(K_SHIFTED_JOB *j, size_t first, size_t count)
{
    size_t runs = K_(shifted_sort)(j, first, count);
    K_(run_sums)(&j->batch, j->t->table, j->index, j->batch.run_start[runs], runs);
    for (size_t r = 0; r < runs; r++) {
        K_JAC *b = &j->bucket[j->batch.run_id[r]];
        E_(madd)(b, b, &j->batch.points[j->batch.run_start[r]]);
    }
}

/* The runs of the buckets whose factor has a bit, into the batch: run_id = bit. */
static size_t K_(shifted_bits)(K_SHIFTED_JOB *j)
{
    uint32_t at = 0;
    size_t runs = 0;
    for (uint32_t bit = 0; bit < K_(SHIFT_WINDOW); bit++) {
        j->batch.run_start[runs] = at;
        for (uint32_t b = 0; b < K_(SHIFT_BUCKETS); b++)
            if ((b + 1) >> bit & 1) j->index[at++] = b;
        j->batch.run_id[runs++] = bit;
    }
    j->batch.run_start[runs] = at;
    return runs;
}

/* 1 B_0 + 2 B_1 + ..., by the bits of the factors: the sum of 2^i S_i, S_i of the buckets that have bit i. */
static void K_(shifted_weigh)(K_JAC *out, K_SHIFTED_JOB *j)
{
    K_AFF *bucket = j->affine;
    K_TO_AFFINE(bucket, j->bucket, K_(SHIFT_BUCKETS), j->scratch);
    size_t runs = K_(shifted_bits)(j);
    K_(run_sums)(&j->batch, bucket, j->index, j->batch.run_start[runs], runs);
    E_(set_infinity)(out);
    for (size_t r = runs; r-- > 0;) {
        E_(dbl)(out, out);
        E_(madd)(out, out, &j->batch.points[j->batch.run_start[r]]);
    }
}

static weir_err K_(shifted_msm)(K_JAC *out, const K_SHIFTED *t, const weir_scalar *k,
                                weir_errinfo *ei)
{
    weir_msm_worker_layout layout;
    const size_t entries = t->n * t->windows, bits = K_(SHIFT_WINDOW) * K_(SHIFT_BUCKETS);
    const size_t most = entries < K_(SHIFT_CHUNK) ? entries : K_(SHIFT_CHUNK);
    const size_t chunk = most > bits ? most : bits;
    weir_msm_worker_layout_make(&layout, chunk, &K_SIZES);
    const size_t index_at = layout.bytes, digit_at = index_at + chunk * sizeof(uint32_t);
    const size_t bytes = digit_at + entries * sizeof(uint16_t);
    K_SHIFTED_JOB *j = weir_malloc(1, sizeof *j);
    unsigned char *memory = weir_scratch_alloc(bytes);
    if (!j || !memory) {
        weir_free(j);
        weir_scratch_free(memory, bytes);
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a sum of %zu points: %zu bytes", t->n,
                         bytes);
    }
    j->t = t;
    j->index = (uint32_t *)(void *)(memory + index_at);
    j->digit = (uint16_t *)(void *)(memory + digit_at);
    K_(batch_init)(&j->batch, memory, &layout);
    K_(shifted_digits)(j, k);
    for (int b = 0; b < K_(SHIFT_BUCKETS); b++) E_(set_infinity)(&j->bucket[b]);
    for (size_t first = 0; first < entries; first += chunk)
        K_(shifted_group)(j, first, entries - first < chunk ? entries - first : chunk);
    K_(shifted_weigh)(out, j);
    weir_scratch_free(memory, bytes);
    weir_free(j);
    return WEIR_OK;
}
