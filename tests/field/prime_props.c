#include "prime_props.h"

#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(p) (8 * (p)->limbs)

void assert_limbs(const uint64_t *got, const uint64_t *want, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i])
            fail_msg("%s: limb %zu is %016llx, not %016llx", what, i, (unsigned long long)got[i],
                     (unsigned long long)want[i]);
}

size_t prime_specials(const prime_field *f, const prime_path *p, uint64_t *out)
{
    size_t n = f->specials(out, 100), k = p->limbs;
    memcpy(out + n++ * k, p->r2, BYTES(p));
    uint64_t *half = out + n++ * k, *above = out + n++ * k, one[PRIME_MAX] = {1};
    for (size_t i = 0; i < k; i++)
        half[i] = p->modulus[i] >> 1 | (i + 1 < k ? p->modulus[i + 1] << 63 : 0);
    big_add(above, half, one, k);
    for (unsigned pattern = 1; pattern < 1u << (k - 1); pattern++) {
        uint64_t *v = out + n++ * k;
        for (size_t i = 0; i < k; i++) v[i] = (pattern >> i) & 1 ? UINT64_MAX : 0;
        /* and the largest top limb that stays below the modulus */
        memcpy(out + n * k, v, BYTES(p));
        out[n * k + k - 1] = p->modulus[k - 1] - 1;
        n++;
    }
    assert_true(n <= PRIME_SPECIALS_MAX);
    for (size_t i = 0; i < n; i++) assert_true(big_cmp(out + i * k, p->modulus, k) < 0);
    return n;
}

void props_constants(void **state)
{
    const prime_field *f = *state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        const uint64_t one[PRIME_MAX] = {1};
        uint64_t t[PRIME_MAX], u[PRIME_MAX];
        big_mont(t, one, p->modulus, p->limbs);
        assert_limbs(p->one, t, p->limbs, "one = R mod m");
        big_mont(u, t, p->modulus, p->limbs);
        assert_limbs(p->r2, u, p->limbs, "r2 = R^2 mod m");
        p->set_one(t);
        assert_limbs(t, p->one, p->limbs, "set_one");
        p->from_u64(t, 1);
        assert_limbs(t, p->one, p->limbs, "from_u64(1)");
    }
}

/* c = a * b / R: c R = a b in integers modulo m. */
static void check_product(const prime_path *p, const uint64_t *c, const uint64_t *a,
                          const uint64_t *b)
{
    uint64_t want[PRIME_MAX], got[PRIME_MAX];
    assert_true(big_cmp(c, p->modulus, p->limbs) < 0);
    big_mul_mod(want, a, b, p->modulus, p->limbs);
    big_mont(got, c, p->modulus, p->limbs);
    assert_limbs(got, want, p->limbs, "mul, times R");
}

static void check_pair(const prime_path *p, const uint64_t *a, const uint64_t *b)
{
    uint64_t r[PRIME_MAX], want[PRIME_MAX];
    p->add(r, a, b);
    big_add_mod(want, a, b, p->modulus, p->limbs);
    assert_limbs(r, want, p->limbs, "add");
    p->sub(r, a, b);
    big_sub_mod(want, a, b, p->modulus, p->limbs);
    assert_limbs(r, want, p->limbs, "sub");
    p->mul(r, a, b);
    check_product(p, r, a, b);
}

static void check_single(const prime_path *p, const uint64_t *a)
{
    const uint64_t zero[PRIME_MAX] = {0};
    uint64_t r[PRIME_MAX], want[PRIME_MAX];
    p->dbl(r, a);
    big_add_mod(want, a, a, p->modulus, p->limbs);
    assert_limbs(r, want, p->limbs, "dbl");
    p->neg(r, a);
    big_sub_mod(want, zero, a, p->modulus, p->limbs);
    assert_limbs(r, want, p->limbs, "neg");
    p->sqr(r, a);
    check_product(p, r, a, a);
    /* a read as a number: into Montgomery form and back */
    p->from_limbs(r, a);
    big_mont(want, a, p->modulus, p->limbs);
    assert_limbs(r, want, p->limbs, "from_limbs");
    p->to_limbs(want, r);
    assert_limbs(want, a, p->limbs, "to_limbs of from_limbs");
    /* a read as an element: the number whose Montgomery form it is */
    p->to_limbs(r, a);
    assert_true(big_cmp(r, p->modulus, p->limbs) < 0);
    big_mont(want, r, p->modulus, p->limbs);
    assert_limbs(want, a, p->limbs, "to_limbs, times R");
}

void props_oracle(void **state)
{
    const prime_field *f = *state;
    static uint64_t s[PRIME_SPECIALS_MAX * PRIME_MAX];
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        size_t n = prime_specials(f, p, s), k = p->limbs;
        for (size_t i = 0; i < n; i++) {
            check_single(p, s + i * k);
            for (size_t j = 0; j < n; j++) check_pair(p, s + i * k, s + j * k);
        }
        tk_rng g = tk_rng_new();
        for (int i = 0; i < 1000; i++) {
            uint64_t a[PRIME_MAX], b[PRIME_MAX];
            f->random(&g, a);
            f->random(&g, b);
            check_single(p, a);
            check_pair(p, a, b);
            check_pair(p, a, s + tk_below(&g, n) * k);
        }
    }
}

typedef void (*binary_fn)(uint64_t *r, const uint64_t *a, const uint64_t *b);
typedef void (*unary_fn)(uint64_t *r, const uint64_t *a);

void props_paths_equal(void **state)
{
    const prime_field *f = *state;
    const prime_path *ref = f->path(WEIR_ISA_PORTABLE);
    const binary_fn ref2[] = {ref->mul, ref->add, ref->sub};
    const unary_fn ref1[] = {ref->sqr, ref->dbl, ref->neg};
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        const binary_fn op2[] = {p->mul, p->add, p->sub};
        const unary_fn op1[] = {p->sqr, p->dbl, p->neg};
        tk_rng g = tk_rng_new();
        uint64_t a[PRIME_MAX], b[PRIME_MAX], x[PRIME_MAX], y[PRIME_MAX];
        f->random(&g, a);
        f->random(&g, b);
        /* a walk: each result is a later input */
        for (int i = 0; i < 20000; i++) {
            ref2[i % 3](x, a, b);
            op2[i % 3](y, a, b);
            assert_limbs(y, x, p->limbs, "product, sum or difference against portable");
            ref1[i % 3](a, x);
            op1[i % 3](y, x);
            assert_limbs(y, a, p->limbs, "square, double or negative against portable");
            memcpy(b, x, BYTES(p));
        }
    }
}

static void alias_binary(const prime_path *p, binary_fn op, const uint64_t *a, const uint64_t *b)
{
    uint64_t ab[PRIME_MAX], aa[PRIME_MAX], x[PRIME_MAX], y[PRIME_MAX];
    memcpy(x, a, BYTES(p));
    memcpy(y, a, BYTES(p));
    op(ab, a, b);
    op(aa, x, y);
    op(x, x, b);
    assert_limbs(x, ab, p->limbs, "r = first input");
    memcpy(x, b, BYTES(p));
    op(x, a, x);
    assert_limbs(x, ab, p->limbs, "r = second input");
    memcpy(x, a, BYTES(p));
    op(y, x, x);
    assert_limbs(y, aa, p->limbs, "inputs the same");
    assert_limbs(x, a, p->limbs, "input kept");
    op(x, x, x);
    assert_limbs(x, aa, p->limbs, "all the same");
}

static void alias_unary(const prime_path *p, unary_fn op, const uint64_t *a)
{
    uint64_t want[PRIME_MAX], x[PRIME_MAX];
    op(want, a);
    memcpy(x, a, BYTES(p));
    op(x, x);
    assert_limbs(x, want, p->limbs, "r = input");
}

void props_alias(void **state)
{
    const prime_field *f = *state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        const binary_fn binary[] = {p->add, p->sub, p->mul};
        const unary_fn unary[] = {p->dbl, p->neg, p->sqr, p->inv, p->from_limbs, p->to_limbs};
        tk_rng g = tk_rng_new();
        for (int i = 0; i < 200; i++) {
            uint64_t a[PRIME_MAX], b[PRIME_MAX], x[PRIME_MAX], want[PRIME_MAX];
            f->random(&g, a);
            f->random(&g, b);
            for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
                alias_binary(p, binary[k], a, b);
            for (size_t k = 0; k < sizeof unary / sizeof *unary; k++) alias_unary(p, unary[k], a);
            const uint64_t e = tk_u64(&g);
            p->pow(want, a, &e, 1);
            memcpy(x, a, BYTES(p));
            p->pow(x, x, &e, 1);
            assert_limbs(x, want, p->limbs, "pow, r = input");
        }
    }
}

static void check_laws(const prime_path *p, const uint64_t *a, const uint64_t *b, const uint64_t *c)
{
    const uint64_t zero[PRIME_MAX] = {0};
    uint64_t x[PRIME_MAX], y[PRIME_MAX], z[PRIME_MAX];
    p->add(x, a, b);
    p->add(y, b, a);
    assert_limbs(x, y, p->limbs, "a + b = b + a");
    p->add(x, x, c);
    p->add(y, b, c);
    p->add(y, a, y);
    assert_limbs(x, y, p->limbs, "(a + b) + c = a + (b + c)");
    p->mul(x, a, b);
    p->mul(y, b, a);
    assert_limbs(x, y, p->limbs, "a b = b a");
    p->mul(x, x, c);
    p->mul(y, b, c);
    p->mul(y, a, y);
    assert_limbs(x, y, p->limbs, "(a b) c = a (b c)");
    p->add(x, a, b);
    p->mul(x, x, c);
    p->mul(y, a, c);
    p->mul(z, b, c);
    p->add(y, y, z);
    assert_limbs(x, y, p->limbs, "(a + b) c = a c + b c");
    p->sub(x, a, b);
    p->add(x, x, b);
    assert_limbs(x, a, p->limbs, "(a - b) + b = a");
    p->neg(x, a);
    p->add(x, x, a);
    assert_limbs(x, zero, p->limbs, "-a + a = 0");
    p->mul(x, a, p->one);
    assert_limbs(x, a, p->limbs, "a 1 = a");
    p->mul(x, a, zero);
    assert_limbs(x, zero, p->limbs, "a 0 = 0");
}

void props_laws(void **state)
{
    const prime_field *f = *state;
    static uint64_t s[PRIME_SPECIALS_MAX * PRIME_MAX];
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        size_t n = prime_specials(f, p, s), k = p->limbs;
        tk_rng g = tk_rng_new();
        for (int i = 0; i < 3000; i++) {
            uint64_t a[PRIME_MAX], b[PRIME_MAX], c[PRIME_MAX];
            f->random(&g, a);
            f->random(&g, b);
            f->random(&g, c);
            check_laws(p, a, b, c);
            check_laws(p, s + tk_below(&g, n) * k, b, s + tk_below(&g, n) * k);
        }
    }
}

void props_compare(void **state)
{
    const prime_field *f = *state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        uint64_t a[PRIME_MAX], b[PRIME_MAX], x[PRIME_MAX];
        tk_rng g = tk_rng_new();
        f->random(&g, a);
        p->set_zero(x);
        assert_true(p->is_zero(x));
        assert_true(p->is_reduced(x));
        assert_false(p->is_reduced(p->modulus));
        /* one changed bit anywhere is seen */
        for (size_t bit = 0; bit < 64 * p->limbs; bit++) {
            memset(x, 0, sizeof x);
            x[bit / 64] = (uint64_t)1 << (bit % 64);
            assert_false(p->is_zero(x));
            memcpy(b, a, BYTES(p));
            assert_true(p->eq(a, b));
            b[bit / 64] ^= (uint64_t)1 << (bit % 64);
            assert_false(p->eq(a, b));
            /* modulus +- 2^bit, as far as it fits in the limbs */
            if (!big_add(b, p->modulus, x, p->limbs)) assert_false(p->is_reduced(b));
            if (!big_sub(b, p->modulus, x, p->limbs)) assert_true(p->is_reduced(b));
        }
        f->random(&g, b);
        memcpy(x, a, BYTES(p));
        p->cmov(x, b, false);
        assert_limbs(x, a, p->limbs, "cmov, not taken");
        p->cmov(x, b, true);
        assert_limbs(x, b, p->limbs, "cmov, taken");
    }
}

static void check_inverse(const prime_path *p, const uint64_t *a)
{
    const uint64_t two[PRIME_MAX] = {2};
    uint64_t e[PRIME_MAX], fermat[PRIME_MAX], r[PRIME_MAX], x[PRIME_MAX];
    p->inv(r, a);
    big_sub(e, p->modulus, two, p->limbs);
    p->pow(fermat, a, e, p->limbs);
    assert_limbs(r, fermat, p->limbs, "inverse = a^(m-2)");
    p->mul(x, r, a);
    if (!p->is_zero(a)) assert_limbs(x, p->one, p->limbs, "a * 1/a");
    p->inv(x, r);
    assert_limbs(x, a, p->limbs, "inverse of the inverse");
}

void props_inverse(void **state)
{
    const prime_field *f = *state;
    static uint64_t s[PRIME_SPECIALS_MAX * PRIME_MAX];
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        size_t n = prime_specials(f, p, s), k = p->limbs;
        for (size_t i = 0; i < n; i++) check_inverse(p, s + i * k);
        /* every power of two, and its negative: long runs of halvings, and the longest f that only changes sign */
        for (size_t bit = 0; bit < 64 * k; bit++) {
            uint64_t a[PRIME_MAX] = {0};
            a[bit / 64] = (uint64_t)1 << (bit % 64);
            if (!p->is_reduced(a)) break;
            check_inverse(p, a);
            p->neg(a, a);
            check_inverse(p, a);
        }
        tk_rng g = tk_rng_new();
        for (int i = 0; i < 500; i++) {
            uint64_t a[PRIME_MAX];
            f->random(&g, a);
            for (size_t cut = k; cut > 1; cut--) {
                check_inverse(p, a);
                if (i > 50) break;
                a[cut - 1] = 0;
            }
        }
    }
}

/* Compares with one by one; zeros where `zeros` has its bit. */
static void check_batch(const prime_field *f, const prime_path *p, tk_rng *g, size_t n,
                        uint64_t zeros)
{
    uint64_t a[64 * PRIME_MAX], want[64 * PRIME_MAX], tmp[64 * PRIME_MAX + 1];
    for (size_t i = 0; i < n; i++) {
        f->random(g, a + i * p->limbs);
        if ((zeros >> i) & 1) memset(a + i * p->limbs, 0, BYTES(p));
        p->inv(want + i * p->limbs, a + i * p->limbs);
    }
    tmp[n * p->limbs] = 0x5ca1ab1e;
    p->invs(a, n, tmp);
    for (size_t i = 0; i < n; i++)
        assert_limbs(a + i * p->limbs, want + i * p->limbs, p->limbs, "batch inverse");
    assert_int_equal(tmp[n * p->limbs], 0x5ca1ab1e);
}

void props_batch_inverse(void **state)
{
    const prime_field *f = *state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        tk_rng g = tk_rng_new();
        for (size_t n = 0; n <= 5; n++)
            for (uint64_t zeros = 0; zeros < (uint64_t)1 << n; zeros++)
                check_batch(f, p, &g, n, zeros);
        for (int i = 0; i < 40; i++)
            check_batch(f, p, &g, 1 + tk_below(&g, 64), tk_u64(&g) & tk_u64(&g));
    }
}

void props_pow(void **state)
{
    const prime_field *f = *state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        tk_rng g = tk_rng_new();
        uint64_t a[PRIME_MAX], x[PRIME_MAX], y[PRIME_MAX], z[PRIME_MAX], e[PRIME_MAX], d[PRIME_MAX];
        const uint64_t zero[PRIME_MAX] = {0};
        f->random(&g, a);
        p->pow(x, a, zero, 1);
        assert_limbs(x, p->one, p->limbs, "a^0");
        p->pow(x, zero, zero, 1);
        assert_limbs(x, p->one, p->limbs, "0^0");
        p->pow(x, a, NULL, 0);
        assert_limbs(x, p->one, p->limbs, "a^() with no limbs");
        p->set_one(y);
        for (uint64_t i = 0; i < 40; i++) {
            p->pow(x, a, &i, 1);
            assert_limbs(x, y, p->limbs, "a^i by repeated products");
            p->mul(y, y, a);
        }
        for (int i = 0; i < 20; i++) {
            f->random(&g, a);
            f->random(&g, e);
            f->random(&g, d);
            p->pow(x, a, e, p->limbs);
            p->pow(y, a, d, p->limbs);
            p->mul(x, x, y);
            assert_false(big_add(e, e, d, p->limbs));
            p->pow(z, a, e, p->limbs);
            assert_limbs(x, z, p->limbs, "a^e a^d = a^(e + d)");
        }
        p->pow(x, a, p->modulus, p->limbs);
        assert_limbs(x, a, p->limbs, "a^m = a");
    }
}

static void put_bytes(const prime_path *p, uint8_t *out, const uint64_t *l)
{
    for (size_t i = 0; i < p->bytes; i++)
        out[p->big_endian ? p->bytes - 1 - i : i] = (uint8_t)(l[i / 8] >> (8 * (i % 8)));
}

static void check_refused(const prime_path *p, const uint64_t *number)
{
    uint8_t b[8 * PRIME_MAX];
    uint64_t r[PRIME_MAX], before[PRIME_MAX];
    memset(r, 0x5a, sizeof r);
    memcpy(before, r, sizeof r);
    put_bytes(p, b, number);
    assert_false(p->from_bytes(r, b));
    assert_limbs(r, before, PRIME_MAX, "untouched by a refusal");
}

void props_bytes(void **state)
{
    const prime_field *f = *state;
    static uint64_t s[PRIME_SPECIALS_MAX * PRIME_MAX];
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const prime_path *p = f->path(isa);
        size_t n = prime_specials(f, p, s), k = p->limbs;
        for (size_t i = 0; i < n; i++) {
            uint8_t b[8 * PRIME_MAX], c[8 * PRIME_MAX];
            uint64_t x[PRIME_MAX], want[PRIME_MAX];
            put_bytes(p, b, s + i * k);
            assert_true(p->from_bytes(x, b));
            big_mont(want, s + i * k, p->modulus, k);
            assert_limbs(x, want, k, "from bytes");
            p->to_bytes(c, x);
            assert_memory_equal(b, c, p->bytes);
        }
        uint64_t number[PRIME_MAX];
        for (size_t bit = 0; bit < 64 * k; bit++) {
            uint64_t x[PRIME_MAX] = {0};
            x[bit / 64] = (uint64_t)1 << (bit % 64);
            if (!big_add(number, p->modulus, x, k)) check_refused(p, number);
        }
        check_refused(p, p->modulus);
        memset(number, 0xff, sizeof number);
        check_refused(p, number);
    }
}
