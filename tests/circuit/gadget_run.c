#include "gadget_run.h"

#include "base/bytes.h"
#include "hash/sha256.h"

#include <stdlib.h>
#include <string.h>

static weir_err call_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const gadget *g = ctx;
    g->shape(g->ctx, cs);
    return WEIR_OK;
}

weir_relation *gadget_relation(const gadget *g)
{
    weir_relation *rel;
    weir_errinfo ei = {0};
    gadget copy = *g;
    if (weir_relation_build(&rel, call_shape, &copy, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return rel;
}

weir_witness *gadget_witness(const gadget *g, const weir_relation *rel, weir_isa isa)
{
    weir_witness *w;
    weir_errinfo ei = {0};
    if (weir_witness_new(&w, rel, NULL, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    weir_filler f = {.p = weir_witness_packer(w, 0, 0), .poseidon = weir_poseidon_ops_get(isa)};
    g->fill(g->ctx, &f);
    assert_true(weir_witness_packer_done(w, 0, 0, &f.p));
    return w;
}

static uint64_t first_bad(const weir_witness *w)
{
    weir_exec x = {.isa = WEIR_ISA_PORTABLE};
    return weir_relation_check(w, &x);
}

void gadget_every_value_matters(const weir_witness *w0, uint64_t step)
{
    weir_witness *w = (weir_witness *)(uintptr_t)w0;
    for (uint64_t i = 0; i < w->rel->aux; i += step) {
        weir_fr old, v;
        weir_witness_get(w, i, &old);
        fr_add(&v, &old, &fr_ONE);
        if (!weir_witness_set(w, i, &v))
            fr_sub(&v, &fr_ONE, &old), assert_true(weir_witness_set(w, i, &v));
        if (first_bad(w) == w->rel->rows)
            fail_msg("no row notices a changed auxiliary %llu", (unsigned long long)i);
        assert_true(weir_witness_set(w, i, &old));
    }
}

void gadget_run(const gadget *g, const char *path)
{
    weir_relation *rel = gadget_relation(g);
    dump_compare_rows(rel, path);
    dump_compare_layout(rel, path);
    weir_witness *want = dump_load_witness(rel, path);
    if (first_bad(want) != rel->rows)
        fail_msg("%s: row %llu", path, (unsigned long long)first_bad(want));
    for (weir_isa isa = 0; g->fill && tk_next_path(&isa); isa++) {
        weir_witness *w = gadget_witness(g, rel, isa);
        dump_compare_witness(w, path);
        dump_compare_witnesses(w, want);
        weir_witness_free(w);
    }
    weir_witness_free(want);
    weir_relation_free(rel);
}

void gadget_stream(const char *label, uint8_t *out, size_t n)
{
    for (uint64_t i = 0; 32 * i < n; i++) {
        uint8_t digest[32], number[8];
        weir_sha256 s;
        weir_store_le64(number, i);
        weir_sha256_init(&s);
        weir_sha256_update(&s, "filfix/", 7);
        weir_sha256_update(&s, label, strlen(label));
        weir_sha256_update(&s, "/", 1);
        weir_sha256_update(&s, number, 8);
        weir_sha256_final(&s, digest);
        memcpy(out + 32 * i, digest, n - 32 * i < 32 ? n - 32 * i : 32);
    }
}
