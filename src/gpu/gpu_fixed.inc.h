/* dfixed (gpu_points.h), a kernel in phases and an include-template; parameters as in gpu_ec.inc.h.
 *
 * A thread adds up one point of each window, then the block's sums become affine with one inversion a lane of one warp. Scalars below
 * the order meet no special case but the first addition; the additions handle all.
 * Cost: 8M + 2S a window, about 10M for the affine coordinates; an affine point read from the table for each window.
 */

typedef struct G_(fixed_shared) {
    G_FIELD tree[2 * DPOINTS_THREADS];
} G_(fixed_shared);

typedef struct G_(fixed_own) {
    G_XYZZ sum;
    G_FIELD inverse;
} G_(fixed_own);

typedef dfixed_args G_(fixed_args);

WEIR_HD int G_(fixed_phases)(const dfixed_args *a, uint32_t threads)
{
    (void)a;
    return F_(block_inv_phases)(threads);
}

WEIR_HD bool G_(fixed_warp_only)(int k, const dfixed_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

WEIR_HD void G_(fixed_sum)(G_XYZZ *sum, const dfixed_args *a, const weir_dfr *k)
{
    const G_AFF *entry = (const G_AFF *)a->table - 1; /* of digit 1 comes first */
    uint32_t multiples = ((uint32_t)1 << a->window) - 1;
    G_(set_infinity)(sum);
    WEIR_NO_UNROLL
    for (uint32_t w = 0; w < a->windows; w++, entry += multiples) {
        uint32_t digit = dfixed_digit(k, w, a->window);
        if (digit == 0) continue;
        G_AFF q = entry[digit];
        G_(madd)(sum, sum, &q);
    }
}

WEIR_HD void G_(fixed_phase)(int k, const dfixed_args *a, G_(fixed_shared) * s, G_(fixed_own) * own,
                             const weir_dpos *at)
{
    uint64_t i = dpos_global(at);
    if (k == 0) {
        G_XYZZ sum;
        G_(set_infinity)(&sum);
        if (i < a->n) G_(fixed_sum)(&sum, a, &a->scalars[i]);
        F_(set_one)(&own->inverse);
        if (!G_(is_infinity)(&sum)) own->inverse = sum.zzz;
        own->sum = sum;
    }
    F_(block_inv_phase)(k, s->tree, &own->inverse, at);
    if (k + 1 < F_(block_inv_phases)(at->threads) || i >= a->n) return;
    uint32_t place = a->place != 0 ? a->place[i] : (uint32_t)i;
    G_AFF *out = (G_AFF *)a->out[place / DFIXED_SECOND];
    G_(to_affine_by)(&out[place % DFIXED_SECOND], &own->sum, &own->inverse);
}
