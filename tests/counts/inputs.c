#include "base/alloc.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "routines.h"

#include <stdio.h>
#include <stdlib.h>

void must(bool ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "core_routines: %s\n", what);
    exit(1);
}

void must_ok(weir_err err, const weir_errinfo *ei)
{
    must(err == WEIR_OK, ei->text);
}

void *pages(size_t n, size_t size)
{
    void *p = weir_big_alloc(n, size);
    must(p != NULL, "no memory");
    return p;
}

void pages_free(void *p, size_t n, size_t size)
{
    weir_big_free(p, n, size);
}

uint64_t stream_u64(stream *s)
{
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The moduli have 381 and 255 bits, both with the top limb above what is kept here. */
void stream_fp(stream *s, weir_fp *r)
{
    for (int i = 0; i < 6; i++) r->l[i] = stream_u64(s);
    r->l[5] >>= 4;
}

void stream_fr(stream *s, weir_fr *r)
{
    for (int i = 0; i < 4; i++) r->l[i] = stream_u64(s);
    r->l[3] >>= 2;
}

void stream_scalar(stream *s, weir_scalar *r)
{
    weir_fr t;
    stream_fr(s, &t);
    fr_to_scalar(r, &t);
}

void powers_g1(weir_g1_affine *out, size_t n, weir_isa isa)
{
    const weir_curve_ops *c = weir_curve_ops_get(isa);
    weir_g1 *p = pages(n, sizeof *p);
    weir_fp *scratch = pages(n, sizeof *scratch);
    const weir_scalar one = {{1}};
    c->g1_mul(&p[0], weir_g1_generator(), &one);
    for (size_t i = 1; i < n; i++) c->g1_add(&p[i], &p[i - 1], &p[i - 1]);
    c->g1s_to_affine(out, p, n, scratch);
    pages_free(scratch, n, sizeof *scratch);
    pages_free(p, n, sizeof *p);
}

void powers_g2(weir_g2_affine *out, size_t n, weir_isa isa)
{
    const weir_curve_ops *c = weir_curve_ops_get(isa);
    weir_g2 *p = pages(n, sizeof *p);
    weir_fp2 *scratch = pages(n, sizeof *scratch);
    const weir_scalar one = {{1}};
    c->g2_mul(&p[0], weir_g2_generator(), &one);
    for (size_t i = 1; i < n; i++) c->g2_add(&p[i], &p[i - 1], &p[i - 1]);
    c->g2s_to_affine(out, p, n, scratch);
    pages_free(scratch, n, sizeof *scratch);
    pages_free(p, n, sizeof *p);
}
