/* Fills a prime_path: an include-template. Before including, define P_(name) (the functions' prefix), P_T (the
 * element type) and P_W(name) (the prefix of the wrappers made here). */

static bool P_W(is_reduced)(const uint64_t *a)
{
    return P_(is_reduced)((const P_T *)a);
}
static bool P_W(is_zero)(const uint64_t *a)
{
    return P_(is_zero)((const P_T *)a);
}
static bool P_W(eq)(const uint64_t *a, const uint64_t *b)
{
    return P_(eq)((const P_T *)a, (const P_T *)b);
}
static void P_W(set_zero)(uint64_t *r)
{
    P_(set_zero)((P_T *)r);
}
static void P_W(set_one)(uint64_t *r)
{
    P_(set_one)((P_T *)r);
}
static void P_W(cmov)(uint64_t *r, const uint64_t *a, bool take)
{
    P_(cmov)((P_T *)r, (const P_T *)a, take);
}
static void P_W(add)(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    P_(add)((P_T *)r, (const P_T *)a, (const P_T *)b);
}
static void P_W(sub)(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    P_(sub)((P_T *)r, (const P_T *)a, (const P_T *)b);
}
static void P_W(mul)(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    P_(mul)((P_T *)r, (const P_T *)a, (const P_T *)b);
}
static void P_W(dbl)(uint64_t *r, const uint64_t *a)
{
    P_(dbl)((P_T *)r, (const P_T *)a);
}
static void P_W(neg)(uint64_t *r, const uint64_t *a)
{
    P_(neg)((P_T *)r, (const P_T *)a);
}
static void P_W(sqr)(uint64_t *r, const uint64_t *a)
{
    P_(sqr)((P_T *)r, (const P_T *)a);
}
static void P_W(pow)(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t n)
{
    P_(pow)((P_T *)r, (const P_T *)a, e, n);
}

#define P_COMMON                                                                                   \
    .modulus = P_(MODULUS).l, .one = P_(ONE).l, .is_reduced = P_W(is_reduced),                     \
    .is_zero = P_W(is_zero), .eq = P_W(eq), .set_zero = P_W(set_zero), .set_one = P_W(set_one),    \
    .cmov = P_W(cmov), .add = P_W(add), .sub = P_W(sub), .mul = P_W(mul), .dbl = P_W(dbl),         \
    .neg = P_W(neg), .sqr = P_W(sqr), .pow = P_W(pow)
