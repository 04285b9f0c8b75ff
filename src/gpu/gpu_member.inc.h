/* dmember (gpu_points.h), a kernel of one phase and an include-template after gpu_fixed.inc.h, whose parameters it takes, and
 * G_MUL_X_TIMES, how often a point is multiplied by |x|.
 *
 * A point of the curve is in the subgroup if an endomorphism that is cheap to apply multiplies it as it does there: in G1
 * phi(x, y) = (beta x, y) by -x^2, in G2 psi by x, x the curve's parameter, which is negative.
 * Source: Scott 2021/1130, sections 4 and 6.
 * Cost: 126 doublings in G1, 63 in G2.
 */

typedef dmember_args G_(member_args);
typedef dmember_nothing G_(member_shared), G_(member_own);

WEIR_HD int G_(member_phases)(const dmember_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return 1;
}

WEIR_HD bool G_(member_warp_only)(int k, const dmember_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

/* r = |x| p */
WEIR_HD_CALL void G_(mul_x)(G_XYZZ *r, const G_XYZZ *p)
{
    G_XYZZ sum = *p, base = *p;
    WEIR_NO_UNROLL
    for (int i = 62; i >= 0; i--) {
        G_(dbl)(&sum, &sum);
        if ((DMEMBER_X >> i & 1) != 0) G_(add_call)(&sum, &sum, &base);
    }
    *r = sum;
}

/* Are p and the affine q, which is not infinity, the same? */
WEIR_HD bool G_(same_point)(const G_XYZZ *p, const G_AFF *q)
{
    G_FIELD t;
    if (G_(is_infinity)(p)) return false;
    F_(mul)(&t, &q->x, &p->zz);
    if (!F_(eq)(&t, &p->x)) return false;
    F_(mul)(&t, &q->y, &p->zzz);
    return F_(eq)(&t, &p->y);
}

/* Coordinates below p have one representation. */
WEIR_HD bool G_(is_reduced)(const G_AFF *p)
{
    G_FIELD x, y;
    F_(reduce)(&x, &p->x);
    F_(reduce)(&y, &p->y);
    return F_(same_limbs)(&x, &p->x) && F_(same_limbs)(&y, &p->y);
}

WEIR_HD bool G_(is_member)(const G_AFF *p)
{
    G_XYZZ sum;
    G_AFF image;
    if (!G_(is_reduced)(p)) return false;
    if (G_(affine_is_infinity)(p) || !G_(on_curve)(p)) return false;
    G_(from_affine)(&sum, p);
    for (int i = 0; i < G_MUL_X_TIMES; i++) G_(mul_x)(&sum, &sum);
    G_(minus_image)(&image, p);
    return G_(same_point)(&sum, &image);
}

WEIR_HD void G_(member_phase)(int k, const dmember_args *a, G_(member_shared) * s,
                              G_(member_own) * own, const weir_dpos *at)
{
    uint64_t i = dpos_global(at);
    (void)k;
    (void)s;
    (void)own;
    if (i >= a->n) return;
    G_AFF p = ((const G_AFF *)a->points)[i];
    if (!G_(is_member)(&p)) atomic_or_u32(&a->bad[i / 32], (uint32_t)1 << i % 32);
}
