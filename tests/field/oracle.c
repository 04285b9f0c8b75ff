#include "oracle.h"

#include <string.h>

int big_cmp(const uint64_t *a, const uint64_t *b, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

bool big_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    bool carry = false;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = a[i], s = x + b[i], t = s + carry;
        carry = s < x || t < s;
        r[i] = t;
    }
    return carry;
}

bool big_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    bool borrow = false;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = a[i], y = b[i];
        r[i] = x - y - borrow;
        borrow = x < y || (x == y && borrow);
    }
    return borrow;
}

static uint32_t digit(const uint64_t *a, size_t i)
{
    return (uint32_t)(a[i / 2] >> (32 * (i % 2)));
}

void big_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    uint32_t t[4 * ORACLE_MAX] = {0};
    for (size_t i = 0; i < 2 * n; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < 2 * n; j++) {
            carry += (uint64_t)digit(a, i) * digit(b, j) + t[i + j];
            t[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        t[i + 2 * n] = (uint32_t)carry;
    }
    for (size_t i = 0; i < 2 * n; i++) r[i] = t[2 * i] | (uint64_t)t[2 * i + 1] << 32;
}

void big_mod(uint64_t *r, const uint64_t *x, size_t xn, const uint64_t *m, size_t n)
{
    uint64_t rem[ORACLE_MAX] = {0};
    for (size_t bit = 64 * xn; bit-- > 0;) {
        big_add(rem, rem, rem, n);
        rem[0] |= (x[bit / 64] >> (bit % 64)) & 1;
        if (big_cmp(rem, m, n) >= 0) big_sub(rem, rem, m, n);
    }
    memcpy(r, rem, 8 * n);
}

void big_add_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n)
{
    uint64_t t[ORACLE_MAX];
    big_add(t, a, b, n);
    big_mod(r, t, n, m, n);
}

void big_sub_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n)
{
    uint64_t t[ORACLE_MAX];
    big_sub(t, m, b, n);
    big_add_mod(r, a, t, m, n);
}

void big_mul_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n)
{
    uint64_t t[2 * ORACLE_MAX];
    big_mul(t, a, b, n);
    big_mod(r, t, 2 * n, m, n);
}

void big_mont(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n)
{
    uint64_t t[2 * ORACLE_MAX] = {0};
    memcpy(t + n, a, 8 * n);
    big_mod(r, t, 2 * n, m, n);
}
