#include "gpu/gpu_ntt_plan.h"

#include "field/fr.h"

#include <string.h>

/* ---- plan */

/* The last pass takes its levels, those above are shared out evenly. A tile's columns never reach over a row, since the
 * last pass has 9 levels at least and a pass above it either 2 or all of those there are. */
void weir_gpu_ntt_plan_init(weir_gpu_ntt_plan *plan, unsigned log2_n, unsigned last_levels,
                            unsigned lo_log2)
{
    unsigned last = last_levels ? last_levels : DNTT_TILE_LOG2;
    if (last > log2_n || log2_n <= DNTT_TILE_LOG2) last = log2_n;
    unsigned above = log2_n - last, level = 0;
    unsigned strided = (above + DNTT_STRIDED_LEVELS - 1) / DNTT_STRIDED_LEVELS;
    assert(log2_n >= 1 && log2_n <= DNTT_LOG2_MAX && strided < WEIR_GPU_NTT_PASSES);
    memset(plan, 0, sizeof *plan);
    plan->log2_n = log2_n;
    plan->lo_log2 = lo_log2 ? lo_log2 : WEIR_GPU_NTT_LO_LOG2;
    if (plan->lo_log2 > log2_n) plan->lo_log2 = log2_n;
    if (plan->lo_log2 < DNTT_LO_LOG2_MIN) plan->lo_log2 = DNTT_LO_LOG2_MIN;
    for (unsigned p = 0; p < strided; p++) {
        plan->pass[p].first = level;
        plan->pass[p].levels = (above - level) / (strided - p);
        level += plan->pass[p].levels;
    }
    plan->pass[strided].first = level;
    plan->pass[strided].levels = last;
    plan->passes = strided + 1;
}

/* Twiddle numbers of n elements and of their coset are below n. */
uint64_t weir_gpu_ntt_table_hi_len(const weir_gpu_ntt_plan *plan)
{
    return plan->log2_n > plan->lo_log2 ? (uint64_t)1 << (plan->log2_n - plan->lo_log2) : 0;
}

uint64_t weir_gpu_ntt_table_len(const weir_gpu_ntt_plan *plan)
{
    return ((uint64_t)1 << plan->lo_log2) + weir_gpu_ntt_table_hi_len(plan);
}

/* table[m] = root for half a turn times 0.b0 b1 ..., divided by 2^shift: bit t of m stands for a root of order
 * 2^(t + shift + 2). */
static void fill_part(weir_dfr *table, uint64_t n, unsigned shift)
{
    weir_fr root, x, y;
    if (n == 0) return;
    memcpy(&table[0], &fr_ONE, sizeof table[0]);
    for (unsigned t = 0; (uint64_t)1 << t < n; t++) {
        fr_root_of_unity(&root, t + shift + 2);
        for (uint64_t m = 0; m < (uint64_t)1 << t; m++) {
            memcpy(&x, &table[m], sizeof x);
            fr_mul(&y, &x, &root);
            memcpy(&table[m + ((uint64_t)1 << t)], &y, sizeof y);
        }
    }
}

void weir_gpu_ntt_table_fill(const weir_gpu_ntt_plan *plan, weir_dfr *table)
{
    fill_part(table, (uint64_t)1 << plan->lo_log2, 0);
    weir_gpu_ntt_table_fill_hi(plan, table + ((uint64_t)1 << plan->lo_log2));
}

void weir_gpu_ntt_table_fill_hi(const weir_gpu_ntt_plan *plan, weir_dfr *hi)
{
    fill_part(hi, weir_gpu_ntt_table_hi_len(plan), plan->lo_log2);
}

void weir_gpu_ntt_table_at(weir_gpu_ntt_plan *plan, const weir_dfr *table)
{
    plan->lo = table;
    plan->hi = table + ((uint64_t)1 << plan->lo_log2);
}

/* ---- launches */

static dntt_args *new_pass(weir_gpu_ntt_launch *l, const weir_gpu_ntt_plan *plan, unsigned p,
                           weir_dfr *x)
{
    const weir_gpu_ntt_pass *pass = &plan->pass[p];
    dntt_args *a = &l->a;
    memset(l, 0, sizeof *l);
    a->in = a->out = x;
    a->lo = plan->lo;
    a->hi = plan->hi;
    a->lo_log2 = plan->lo_log2;
    a->n = a->coset = 1u << plan->log2_n;
    if (p + 1 == plan->passes) {
        a->col_log2 = a->below_log2 = DNTT_TILE_LOG2;
        a->bit_to = pass->levels;
    } else {
        a->col_log2 = DNTT_TILE_LOG2 - pass->levels;
        a->below_log2 = plan->log2_n - pass->first - pass->levels;
        a->bit_from = a->col_log2;
        a->bit_to = DNTT_TILE_LOG2;
        assert(a->below_log2 >= a->col_log2);
    }
    l->blocks = plan->log2_n > DNTT_TILE_LOG2 ? a->n >> DNTT_TILE_LOG2 : 1;
    return a;
}

static void set_scale(dntt_args *a, const weir_fr *k)
{
    memcpy(&a->scale, k, sizeof a->scale);
    a->scaled = 1;
}

unsigned weir_gpu_ntt_forward(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *x,
                              dntt_side side)
{
    for (unsigned p = 0; p < plan->passes; p++) new_pass(&list[p], plan, p, x)->forward = side;
    return plan->passes;
}

/* The inverse without its division by n. */
static unsigned inverse_plain(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *x,
                              dntt_side side)
{
    for (unsigned i = 0; i < plan->passes; i++)
        new_pass(&list[i], plan, plan->passes - 1 - i, x)->inverse = side;
    return plan->passes;
}

static void inverse_of_n(weir_fr *r, unsigned log2_n)
{
    fr_from_u64(r, UINT64_C(1) << log2_n);
    weir_fr_inv(r, r);
}

unsigned weir_gpu_ntt_inverse(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *x,
                              dntt_side side)
{
    weir_fr k;
    unsigned n = inverse_plain(list, plan, x, side);
    inverse_of_n(&k, plan->log2_n);
    set_scale(&list[n - 1].a, &k);
    return n;
}

/* Back from the domain and on to the coset. */
static unsigned to_coset(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *x)
{
    unsigned n = inverse_plain(list, plan, x, DNTT_PLAIN);
    list[n - 1].a.forward = DNTT_COSET;
    for (unsigned p = 1; p < plan->passes; p++)
        new_pass(&list[n++], plan, p, x)->forward = DNTT_COSET;
    return n;
}

/* The same as an integer, so that the product leaves Montgomery form. */
static void set_scale_out(dntt_args *a, const weir_fr *k)
{
    weir_scalar s;
    weir_fr raw;
    fr_to_scalar(&s, k);
    memcpy(&raw, &s, sizeof raw);
    set_scale(a, &raw);
}

/* out = k times the inverse of a o b, as integers. */
static unsigned product_back(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan,
                             const weir_dfr *a, const weir_dfr *b, weir_dfr *out, dntt_side side,
                             const weir_fr *k)
{
    unsigned n = inverse_plain(list, plan, out, side);
    list[0].a.in = a;
    list[0].a.factor = b;
    set_scale_out(&list[n - 1].a, k);
    return n;
}

/* The inverses of a and b leave out their division by n: D comes as n^3 D, C as n C. */
static void quotient_scales(weir_fr *scale_c, weir_fr *scale_d, unsigned log2_n)
{
    weir_fr half, n_inv;
    fr_from_u64(&half, 2);
    weir_fr_inv(&half, &half);
    inverse_of_n(&n_inv, log2_n);
    fr_mul(scale_c, &half, &n_inv);
    fr_mul(scale_d, scale_c, &n_inv);
    fr_mul(scale_d, scale_d, &n_inv);
}

unsigned weir_gpu_quotient(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *a,
                           weir_dfr *b, weir_dfr *tmp)
{
    weir_fr scale_c, scale_d;
    quotient_scales(&scale_c, &scale_d, plan->log2_n);
    unsigned n = product_back(list, plan, a, b, tmp, DNTT_PLAIN, &scale_c);
    n += to_coset(list + n, plan, a);
    n += to_coset(list + n, plan, b);
    n += product_back(list + n, plan, a, b, a, DNTT_COSET, &scale_d);
    list[n - 1].a.minuend = tmp;
    return n;
}

/* ---- the quotient in pieces */

void weir_gpu_ntt_cut_init(weir_gpu_ntt_cut *cut, const weir_gpu_ntt_plan *whole,
                           unsigned piece_log2)
{
    cut->whole = whole;
    cut->pieces_log2 = whole->log2_n - piece_log2;
    assert(cut->pieces_log2 <= DNTT_STRIDED_LEVELS && piece_log2 >= WEIR_GPU_NTT_PIECE_LOG2_MIN);
    weir_gpu_ntt_plan_init(&cut->piece, piece_log2, 0, 0);
    cut->piece.lo = whole->lo;
    cut->piece.hi = whole->hi;
    cut->piece.lo_log2 = whole->lo_log2;
}

/* Launches that work on a piece number their twiddles as the whole does. */
static unsigned at_piece(weir_gpu_ntt_launch *list, unsigned n, const weir_gpu_ntt_cut *cut,
                         uint32_t piece)
{
    for (unsigned i = 0; i < n; i++) {
        list[i].a.origin = piece << cut->piece.log2_n;
        list[i].a.coset = 1u << cut->whole->log2_n;
    }
    return n;
}

unsigned weir_gpu_quotient_pieces_back(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                       uint32_t piece, weir_dfr *a, weir_dfr *b, weir_dfr *tmp)
{
    unsigned n = inverse_plain(list, &cut->piece, tmp, DNTT_PLAIN);
    list[0].a.in = a;
    list[0].a.factor = b;
    n += inverse_plain(list + n, &cut->piece, a, DNTT_PLAIN);
    n += inverse_plain(list + n, &cut->piece, b, DNTT_PLAIN);
    return at_piece(list, n, cut, piece);
}

unsigned weir_gpu_quotient_pieces_coset(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                        uint32_t piece, weir_dfr *a, weir_dfr *b)
{
    unsigned n = weir_gpu_ntt_forward(list, &cut->piece, a, DNTT_COSET);
    n += weir_gpu_ntt_forward(list + n, &cut->piece, b, DNTT_COSET);
    unsigned back = inverse_plain(list + n, &cut->piece, a, DNTT_COSET);
    list[n].a.factor = b;
    return at_piece(list, n + back, cut, piece);
}

/* The top levels on columns of the whole, which lie as rows of 2^(piece_log2 - pieces_log2) elements one after another: these are
 * the top levels of a transform of as many elements as there are, with the same numbers of twiddles. */
static dntt_args *new_slab(weir_gpu_ntt_launch *l, const weir_gpu_ntt_cut *cut, weir_dfr *x)
{
    dntt_args *a = new_pass(l, &cut->piece, 0, x);
    a->col_log2 = DNTT_TILE_LOG2 - cut->pieces_log2;
    a->below_log2 = cut->piece.log2_n - cut->pieces_log2;
    a->bit_from = a->col_log2;
    a->bit_to = DNTT_TILE_LOG2;
    assert(a->below_log2 >= a->col_log2);
    return a;
}

unsigned weir_gpu_quotient_slabs_turn(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                      weir_dfr *a, weir_dfr *b, weir_dfr *tmp)
{
    weir_fr scale_c, scale_d;
    quotient_scales(&scale_c, &scale_d, cut->whole->log2_n);
    dntt_args *t = new_slab(&list[0], cut, tmp);
    t->inverse = DNTT_PLAIN;
    set_scale_out(t, &scale_c);
    for (int i = 1; i < 3; i++) {
        dntt_args *x = new_slab(&list[i], cut, i == 1 ? a : b);
        x->inverse = DNTT_PLAIN;
        x->forward = DNTT_COSET;
    }
    return 3;
}

unsigned weir_gpu_quotient_slabs_end(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                     weir_dfr *a, weir_dfr *tmp)
{
    weir_fr scale_c, scale_d;
    quotient_scales(&scale_c, &scale_d, cut->whole->log2_n);
    dntt_args *x = new_slab(&list[0], cut, a);
    x->inverse = DNTT_COSET;
    x->minuend = tmp;
    set_scale_out(x, &scale_d);
    return 1;
}
