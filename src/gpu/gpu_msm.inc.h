/* The kernels of a dense sum that add points, in phases of which each has one, an include-template over the names of
 * gpu_ec.inc.h. Words in gpu_msm_plan.h.
 *
 * A thread adds the entries of one piece; threads stand in order of length, so that the lanes of a warp end together. The
 * first point of a piece is copied, so a window takes n - (buckets not empty) mixed additions. The other kernels add
 * XYZZ points by calls; they are a tenth of the work.
 */

typedef struct G_(msm_pair) {
    G_XYZZ plain, weighted; /* of a run of buckets: the sum, and that with weights 1, 2, 3 ... */
} G_(msm_pair);

/* ---- ACCUMULATE */

WEIR_HD void G_(msm_load)(G_AFF *q, const weir_dmsm *a, uint32_t entry)
{
    uint32_t i = entry & 0x7fffffffu;
    G_AFF p = ((const G_AFF *)a->points)[a->index ? a->index[i] : i];
    G_(affine_neg_if)(q, &p, (entry >> 31) != 0);
}

WEIR_HD void G_(msm_accumulate_thread)(const weir_dmsm *a, uint64_t i)
{
    if (i >= a->counters->pieces) return;
    const weir_dpiece p = a->pieces[i];
    const uint32_t *entries = a->entries + p.start;
    G_XYZZ sum;
    G_(set_infinity)(&sum);
    WEIR_NO_UNROLL
    for (uint32_t j = 0; j < p.length; j++) {
        G_AFF q;
        G_(msm_load)(&q, a, entries[j]);
        G_(madd)(&sum, &sum, &q);
    }
    /* read again: better than a register kept through the loop */
    ((G_XYZZ *)a->sums)[a->pieces[i].target] = sum;
}
DMSM_STEP(msm_accumulate)

/* ---- JOIN: sums of extras. At distance d = level_in, the sums of a bucket stand at its first extra and at the multiples
 * of d beyond it. A thread takes the multiples in its 16 d neighbours and leaves one sum for each bucket, at the first
 * place that it has there: at the bucket's first extra or at the thread's first multiple. */

WEIR_HD void G_(msm_join_run)(const weir_dmsm *a, uint32_t first, uint32_t end)
{
    G_XYZZ *sums = (G_XYZZ *)a->sums + a->group * a->buckets;
    G_XYZZ sum;
    uint32_t head = 0, bucket = UINT32_MAX;
    bool changed = false;
    WEIR_NO_UNROLL
    for (uint32_t i = first; i < end; i += a->level_in) {
        const weir_dextra e = a->extra[i];
        if (e.bucket != bucket) {
            if (changed) sums[head] = sum;
            bucket = e.bucket;
            head = i - e.number > first ? i - e.number : first;
            sum = sums[head];
            changed = head != i;
            if (!changed) continue;
        }
        G_(add_call)(&sum, &sum, &sums[i]);
        changed = true;
    }
    if (changed) sums[head] = sum;
}

WEIR_HD void G_(msm_join_thread)(const weir_dmsm *a, uint64_t i)
{
    uint64_t width = (uint64_t)a->level_in * WEIR_DMSM_JOIN, first = i * width;
    uint32_t all = a->counters->extras;
    if (first >= all) return;
    G_(msm_join_run)(a, (uint32_t)first, first + width < all ? (uint32_t)(first + width) : all);
}
DMSM_STEP(msm_join)

/* JOIN_END: the sum of a bucket's extras to that of its first piece. */
WEIR_HD void G_(msm_join_end_thread)(const weir_dmsm *a, uint64_t i)
{
    if (i >= a->counters->extras || a->extra[i].number != 0) return;
    G_XYZZ *sums = (G_XYZZ *)a->sums, *to = sums + a->extra[i].bucket;
    G_(add_call)(to, to, &sums[a->group * a->buckets + i]);
}
DMSM_STEP(msm_join_end)

/* ---- SEGMENTS: running sums from the last bucket of a segment down. A bucket without entries has no piece, and nothing
 * was written to its sum. */

WEIR_HD void G_(msm_segments_thread)(const weir_dmsm *a, uint64_t i)
{
    if (i >= (uint64_t)a->group * a->segments) return;
    const G_XYZZ *sums = (const G_XYZZ *)a->sums + i * a->segment;
    const uint32_t *starts = a->bucket_start + i * a->segment + i / a->segments;
    G_XYZZ plain, weighted;
    G_(set_infinity)(&plain);
    G_(set_infinity)(&weighted);
    WEIR_NO_UNROLL
    for (uint32_t j = a->segment; j-- > 0;) {
        if (starts[j] != starts[j + 1]) G_(add_call)(&plain, &plain, &sums[j]);
        G_(add_call)(&weighted, &weighted, &plain);
    }
    G_(msm_pair) *to = (G_(msm_pair) *)a->pairs[0] + i;
    to->plain = plain;
    to->weighted = weighted;
}
DMSM_STEP(msm_segments)

/* ---- FOLD: neighbouring runs of 2^shift buckets to one. With plain sums P_j and weighted ones V_j the weighted sum is
 * that of V_j + 2^shift j P_j, and the sum of j P_j is made of running sums. */

WEIR_HD void G_(msm_fold_pairs)(G_(msm_pair) * to, const G_(msm_pair) * from, uint32_t n,
                                uint32_t shift)
{
    G_XYZZ plain = from[n - 1].plain, weighted = from[n - 1].weighted, steps;
    G_(set_infinity)(&steps);
    WEIR_NO_UNROLL
    for (uint32_t j = n - 1; j-- > 0;) {
        G_(add_call)(&steps, &steps, &plain);
        G_(add_call)(&plain, &plain, &from[j].plain);
        G_(add_call)(&weighted, &weighted, &from[j].weighted);
    }
    WEIR_NO_UNROLL
    for (uint32_t j = 0; j < shift; j++) {
        G_XYZZ copy = steps;
        G_(dbl)(&steps, &copy);
    }
    G_(add_call)(&to->weighted, &weighted, &steps);
    to->plain = plain;
}

WEIR_HD void G_(msm_fold_thread)(const weir_dmsm *a, uint64_t i)
{
    if (i >= (uint64_t)a->group * a->level_out) return;
    uint32_t w = (uint32_t)(i / a->level_out),
             first = (uint32_t)(i % a->level_out) * WEIR_DMSM_FOLD;
    uint32_t n = a->level_in - first;
    if (n > WEIR_DMSM_FOLD) n = WEIR_DMSM_FOLD;
    G_(msm_pair) *to = (G_(msm_pair) *)a->pairs[1 - a->side] + i;
    G_(msm_fold_pairs)
    (to, (const G_(msm_pair) *)a->pairs[a->side] + (size_t)w * a->level_in + first, n, a->shift);
}
DMSM_STEP(msm_fold)

/* ---- FINISH: the windows' sums as Jacobian points */

WEIR_HD void G_(msm_finish_thread)(const weir_dmsm *a, uint64_t i)
{
    if (i >= a->group) return;
    G_FIELD *to = (G_FIELD *)a->out + 3 * (a->first + i);
    G_XYZZ sum = ((const G_(msm_pair) *)a->pairs[a->side])[i].weighted;
    G_(to_jacobian)(&to[0], &to[1], &to[2], &sum);
}
DMSM_STEP(msm_finish)
