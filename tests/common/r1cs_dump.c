#include "r1cs_dump.h"

#include "base/bytes.h"
#include "field/fr.h"
#include "relation/cs.h"
#include "testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cursor {
    const uint8_t *at, *end;
} cursor;

static const uint8_t *take(cursor *c, size_t n)
{
    if ((size_t)(c->end - c->at) < n) fail_msg("the dump ends too early");
    const uint8_t *p = c->at;
    c->at += n;
    return p;
}

static uint64_t take_u64(cursor *c)
{
    return weir_load_le64(take(c, 8));
}

static void take_fr(cursor *c, weir_fr *out)
{
    if (!fr_from_le(out, take(c, 32))) fail_msg("a scalar of the dump is not below r");
}

static uint64_t take_varint(cursor *c)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t b = *take(c, 1);
        v |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) return v;
    }
    fail_msg("a number of the dump is too long");
    return 0;
}

static int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static void read_row(tk_r1cs *d, cursor *c, uint64_t row, uint64_t *n_terms)
{
    for (unsigned m = 0; m < 3; m++) {
        uint64_t n = take_varint(c);
        int64_t code = 0;
        d->start[3 * row + m] = *n_terms;
        for (uint64_t i = 0; i < n; i++) {
            code += unzigzag(take_varint(c));
            uint64_t coef = take_varint(c);
            uint64_t index = (uint64_t)code / 2;
            if (code < 0 || index >= (code & 1 ? d->aux : d->inputs))
                fail_msg("row %llu names no column", (unsigned long long)row);
            if (coef >= d->coefs)
                fail_msg("row %llu names no coefficient", (unsigned long long)row);
            d->term[(*n_terms)++] = (tk_r1cs_term){(uint32_t)code, (uint32_t)coef};
        }
    }
}

/* Row i of the appended ones is input_i | 0 | 0. */
static void check_input_rows(const tk_r1cs *d)
{
    uint64_t first = d->rows - d->input_rows;
    assert_int_equal(d->input_rows, d->inputs);
    for (uint64_t i = 0; i < d->inputs; i++) {
        uint64_t at = d->start[3 * (first + i)];
        assert_int_equal(d->start[3 * (first + i) + 3] - at, 1);
        assert_int_equal(d->term[at].code, 2 * i);
        assert_true(fr_eq(&d->coef[d->term[at].coef], &fr_ONE));
    }
}

static void read_r1cs(tk_r1cs *d, const uint8_t *bytes, size_t size)
{
    cursor c = {bytes, bytes + size};
    assert_memory_equal(take(&c, 8), "FILR1CS1", 8);
    assert_int_equal(weir_load_le32(take(&c, 4)), 1);
    assert_int_equal(weir_load_le32(take(&c, 4)), 32);
    assert_memory_equal(take(&c, 32), &fr_MODULUS, 32);
    d->inputs = take_u64(&c);
    d->aux = take_u64(&c);
    d->rows = take_u64(&c);
    d->input_rows = take_u64(&c);
    uint64_t table = take_u64(&c), all = 0, n_terms = 0;
    d->coefs = take_u64(&c);
    for (unsigned m = 0; m < 3; m++) all += d->terms[m] = take_u64(&c);
    assert_int_equal(c.at - bytes, 120);
    if (table > size || d->coefs > size / 32 || all > size || d->rows > size || d->inputs > size ||
        d->aux > (uint64_t)1 << 31)
        fail_msg("the dump's header does not fit its size");
    d->coef = calloc(d->coefs + 1, sizeof *d->coef);
    d->term = calloc(all + 1, sizeof *d->term);
    d->start = calloc(3 * d->rows + 1, sizeof *d->start);
    cursor t = {bytes + table, bytes + size};
    for (uint64_t i = 0; i < d->coefs; i++) take_fr(&t, &d->coef[i]);
    assert_ptr_equal(t.at, t.end);
    c.end = bytes + table;
    for (uint64_t row = 0; row < d->rows; row++) read_row(d, &c, row, &n_terms);
    d->start[3 * d->rows] = n_terms;
    assert_int_equal(n_terms, all);
    assert_ptr_equal(c.at, c.end);
    check_input_rows(d);
}

static void read_wtns(tk_r1cs *d, const uint8_t *bytes, size_t size)
{
    cursor c = {bytes, bytes + size};
    assert_memory_equal(take(&c, 8), "FILWTNS1", 8);
    assert_int_equal(take_u64(&c), d->inputs);
    assert_int_equal(take_u64(&c), d->aux);
    d->input_value = calloc(d->inputs, sizeof *d->input_value);
    d->aux_value = calloc(d->aux + 1, sizeof *d->aux_value);
    d->aux_class = malloc(d->aux + 1);
    for (uint64_t i = 0; i < d->inputs; i++) take_fr(&c, &d->input_value[i]);
    assert_true(fr_eq(&d->input_value[0], &fr_ONE));
    memcpy(d->aux_class, take(&c, d->aux), d->aux);
    for (uint64_t i = 0; i < d->aux; i++) {
        assert_true(d->aux_class[i] <= 2);
        if (d->aux_class[i] == 1) d->aux_value[i] = fr_ONE;
        if (d->aux_class[i] == 2) take_fr(&c, &d->aux_value[i]);
    }
    assert_ptr_equal(c.at, c.end);
}

tk_r1cs *tk_r1cs_load(const char *base, tk_columns columns)
{
    char path[512];
    size_t size;
    tk_r1cs *d = calloc(1, sizeof *d);
    d->columns = columns;
    snprintf(path, sizeof path, "%s.r1cs", base);
    uint8_t *bytes = tk_vector(path, &size);
    read_r1cs(d, bytes, size);
    free(bytes);
    snprintf(path, sizeof path, "%s.wtns", base);
    bytes = tk_vector(path, &size);
    read_wtns(d, bytes, size);
    free(bytes);
    return d;
}

void tk_r1cs_free(tk_r1cs *d)
{
    if (!d) return;
    free(d->coef);
    free(d->term);
    free(d->start);
    free(d->input_value);
    free(d->aux_value);
    free(d->aux_class);
    free(d);
}

static bool is_bit(const tk_r1cs *d, uint64_t aux)
{
    return d->columns == TK_COLUMNS_BITS && d->aux_class[aux] < 2;
}

weir_err tk_r1cs_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const tk_r1cs *d = ctx;
    weir_col *input = calloc(d->inputs, sizeof *input), *aux = calloc(d->aux + 1, sizeof *aux);
    input[0] = WEIR_COL_ONE;
    for (uint64_t i = 1; i < d->inputs; i++) input[i] = weir_cs_input(cs);
    for (uint64_t i = 0; i < d->aux; i++)
        aux[i] = is_bit(d, i) ? weir_cs_alloc_bit(cs) : weir_cs_alloc(cs);
    for (uint64_t row = 0; row < d->rows - d->input_rows; row++) {
        weir_lc *lc[3] = {weir_cs_a(cs), weir_cs_b(cs), weir_cs_c(cs)};
        for (unsigned m = 0; m < 3; m++)
            for (uint64_t t = d->start[3 * row + m]; t < d->start[3 * row + m + 1]; t++) {
                uint32_t code = d->term[t].code;
                weir_lc_add(cs, lc[m], code & 1 ? aux[code / 2] : input[code / 2],
                            &d->coef[d->term[t].coef]);
            }
        weir_cs_end_row(cs);
    }
    free(input);
    free(aux);
    return WEIR_OK;
}

void tk_r1cs_fill(const tk_r1cs *d, weir_witness *w)
{
    weir_witness_reset(w);
    weir_packer p = weir_witness_packer(w, 0, 0);
    for (uint64_t i = 1; i < d->inputs; i++) pack_input(&p, &d->input_value[i]);
    for (uint64_t i = 0; i < d->aux; i++) {
        if (is_bit(d, i))
            pack_bits(&p, d->aux_class[i], 1);
        else
            pack_dense(&p, &d->aux_value[i]);
    }
    assert_true(weir_witness_packer_done(w, 0, 0, &p));
}
