#include "dump.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "field/fr.h"
#include "hash/sha256.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows as bytes */

typedef struct out {
    uint8_t *p;
    size_t n, cap;
} out;

static void put(out *o, uint8_t b)
{
    if (o->n == o->cap) {
        o->cap = o->cap ? 2 * o->cap : 1 << 16;
        o->p = realloc(o->p, o->cap);
        assert_non_null(o->p);
    }
    o->p[o->n++] = b;
}

static void put_varint(out *o, uint64_t v)
{
    for (; v >= 0x80; v >>= 7) put(o, (uint8_t)(v | 0x80));
    put(o, (uint8_t)v);
}

typedef struct term {
    uint64_t key, code; /* key: inputs by index, then auxiliaries by index */
    uint16_t coef;
} term;

typedef struct writer {
    const weir_relation *rel;
    uint32_t *number; /* of each dictionary entry by first use, +1; 0 = not yet used */
    uint16_t *used;   /* dictionary entries in order of first use */
    uint32_t n_used;
    term *t;
    uint32_t cap;
    out o;
} writer;

static void writer_init(writer *w, const weir_relation *rel)
{
    *w = (writer){.rel = rel};
    w->number = calloc(rel->coefs, sizeof *w->number);
    w->used = calloc(rel->coefs, sizeof *w->used);
    w->cap = 1 << 16;
    w->t = calloc(w->cap, sizeof *w->t);
}

static void writer_free(writer *w)
{
    free(w->number);
    free(w->used);
    free(w->t);
    free(w->o.p);
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const term *)a)->key, y = ((const term *)b)->key;
    return x < y ? -1 : x > y;
}

static void set_code(term *t, bool aux, uint64_t index)
{
    t->code = index << 1 | aux;
    t->key = (uint64_t)aux << 63 | index;
}

static void globalize(const weir_relation *rel, const weir_segment *s, uint64_t rep, weir_col col,
                      term *t)
{
    uint32_t i = weir_col_index(col);
    uint64_t aux = s->aux_base + rep * s->aux;
    switch (weir_col_class(col)) {
    case WEIR_COL_INPUT:
        set_code(t, false, i);
        break;
    case WEIR_COL_LOCAL_INPUT:
        set_code(t, false, s->input_base + rep * s->inputs + i);
        break;
    case WEIR_COL_PROLOGUE_BIT:
        set_code(t, true, i);
        break;
    case WEIR_COL_PROLOGUE_DENSE:
        set_code(t, true, rel->segment[0].dense_col[i]);
        break;
    case WEIR_COL_LOCAL_BIT:
        set_code(t, true, aux + i);
        break;
    default:
        set_code(t, true, aux + s->dense_col[i]);
        break;
    }
}

static void write_sum(writer *w, const weir_segment *s, uint64_t rep, unsigned m, uint32_t row)
{
    const weir_matrix *mat = &s->m[m];
    uint32_t n = mat->start[row + 1] - mat->start[row];
    assert_true(n <= w->cap);
    bool sorted = true;
    for (uint32_t i = 0; i < n; i++) {
        globalize(w->rel, s, rep, mat->col[mat->start[row] + i], &w->t[i]);
        w->t[i].coef = mat->coef[mat->start[row] + i];
        if (i && w->t[i].key < w->t[i - 1].key) sorted = false;
    }
    if (!sorted) qsort(w->t, n, sizeof *w->t, by_key);
    put_varint(&w->o, n);
    uint64_t prev = 0;
    for (uint32_t i = 0; i < n; i++) {
        const term *t = &w->t[i];
        int64_t d = (int64_t)(t->code - prev);
        put_varint(&w->o, d >= 0 ? (uint64_t)d << 1 : ((uint64_t)-d << 1) - 1);
        if (!w->number[t->coef]) {
            w->used[w->n_used] = t->coef;
            w->number[t->coef] = ++w->n_used;
        }
        put_varint(&w->o, w->number[t->coef] - 1);
        prev = t->code;
    }
}

static void write_input_row(writer *w, uint64_t input)
{
    put_varint(&w->o, 1);
    put_varint(&w->o, input << 2);
    if (!w->number[0]) {
        w->used[w->n_used] = 0;
        w->number[0] = ++w->n_used;
    }
    put_varint(&w->o, w->number[0] - 1);
    put_varint(&w->o, 0);
    put_varint(&w->o, 0);
}

typedef void (*row_fn)(void *ctx, writer *w, uint64_t rows_done);

static void write_rows(writer *w, row_fn after_row, void *ctx)
{
    uint64_t done = 0;
    for (unsigned k = 0; k < w->rel->segments; k++) {
        const weir_segment *s = &w->rel->segment[k];
        for (uint64_t rep = 0; rep < s->count; rep++) {
            for (uint32_t row = 0; row < s->rows; row++) {
                for (unsigned m = 0; m < 3; m++) write_sum(w, s, rep, m, row);
                after_row(ctx, w, ++done);
            }
        }
    }
    for (uint64_t i = 0; i < w->rel->inputs; i++) {
        write_input_row(w, i);
        after_row(ctx, w, ++done);
    }
}

/* ---- against a whole dump */

typedef struct against {
    const char *path;
    const uint8_t *body;
    size_t n, at;
} against;

static void check_bytes(void *ctx, writer *w, uint64_t rows_done)
{
    against *a = ctx;
    if (a->at + w->o.n > a->n || memcmp(a->body + a->at, w->o.p, w->o.n) != 0)
        fail_msg("%s: row %llu differs", a->path, (unsigned long long)rows_done - 1);
    a->at += w->o.n;
    w->o.n = 0;
}

void dump_compare_rows(const weir_relation *rel, const char *path)
{
    char name[300];
    size_t n;
    snprintf(name, sizeof name, "%s.r1cs", path);
    uint8_t *b = tk_vector(name, &n);
    assert_memory_equal(b, "FILR1CS1", 8);
    assert_int_equal(weir_load_le64(b + 48), rel->inputs);
    assert_int_equal(weir_load_le64(b + 56), rel->aux);
    assert_int_equal(weir_load_le64(b + 64), rel->rows);
    uint64_t table = weir_load_le64(b + 80), entries = weir_load_le64(b + 88);
    for (unsigned m = 0; m < 3; m++)
        assert_int_equal(weir_load_le64(b + 96 + 8 * m), rel->terms[m]);
    writer w;
    writer_init(&w, rel);
    against a = {.path = path, .body = b + 120, .n = table - 120};
    write_rows(&w, check_bytes, &a);
    assert_int_equal(a.at, a.n);
    assert_int_equal(w.n_used, entries);
    for (uint32_t i = 0; i < w.n_used; i++) {
        uint8_t le[32];
        fr_to_le(le, &rel->coef[w.used[i]]);
        if (memcmp(le, b + table + 32 * i, 32) != 0)
            fail_msg("%s: coefficient %u differs", path, i);
    }
    writer_free(&w);
    free(b);
}

/* ---- against digests */

typedef struct digests {
    const char *path;
    json_t *checkpoints;
    size_t next;
    weir_sha256 sha;
} digests;

static void check_digest(void *ctx, writer *w, uint64_t rows_done)
{
    digests *d = ctx;
    json_t *c = json_array_get(d->checkpoints, d->next);
    bool at = c && (uint64_t)json_integer_value(tk_get(c, "constraints")) == rows_done;
    if (at || w->o.n > 1 << 20) {
        weir_sha256_update(&d->sha, w->o.p, w->o.n);
        w->o.n = 0;
    }
    if (!at) return;
    weir_sha256 copy = d->sha;
    uint8_t digest[32], want[16];
    weir_sha256_final(&copy, digest);
    tk_hex_bytes(tk_str(c, "sha256_16"), want, 16);
    if (memcmp(digest, want, 16) != 0)
        fail_msg("%s: a row below %llu differs", d->path, (unsigned long long)rows_done);
    d->next++;
}

static uint64_t num(json_t *obj, const char *key)
{
    return (uint64_t)json_integer_value(tk_get(obj, key));
}

void dump_compare_stats(const weir_relation *rel, json_t *st)
{
    assert_int_equal(num(st, "inputs"), rel->inputs);
    assert_int_equal(num(st, "aux"), rel->aux);
    assert_int_equal(num(st, "constraints"), rel->rows);
    assert_int_equal(num(st, "aux_in_a"), rel->aux_in[0]);
    assert_int_equal(num(st, "aux_in_b"), rel->aux_in[1]);
    assert_int_equal(num(st, "inputs_in_b"), rel->inputs_in_b);
    assert_int_equal(num(st, "domain_log2"), rel->domain_log2);
    assert_int_equal(num(st, "aux_bits_by_name"), rel->aux - rel->dense);
    json_t *nnz = json_object_get(st, "nnz");
    for (unsigned m = 0; nnz && m < 3; m++)
        assert_int_equal(json_integer_value(json_array_get(nnz, m)), rel->terms[m]);
}

void dump_compare_layout(const weir_relation *rel, const char *path)
{
    char name[300];
    snprintf(name, sizeof name, "%s.layout.json", path);
    json_t *j = tk_json(name);
    dump_compare_stats(rel, tk_get(j, "stats"));
    digests d = {.path = path, .checkpoints = tk_get(j, "checkpoints")};
    weir_sha256_init(&d.sha);
    writer w;
    writer_init(&w, rel);
    write_rows(&w, check_digest, &d);
    assert_int_equal(d.next, json_array_size(d.checkpoints));
    writer_free(&w);
    json_decref(j);
}

/* ---- witnesses */

typedef void (*value_fn)(void *ctx, bool input, uint64_t index, const weir_fr *v);

static void read_witness(const weir_relation *rel, const char *path, value_fn fn, void *ctx)
{
    char name[300];
    size_t n;
    snprintf(name, sizeof name, "%s.wtns", path);
    uint8_t *b = tk_vector(name, &n);
    assert_memory_equal(b, "FILWTNS1", 8);
    uint64_t inputs = weir_load_le64(b + 8), aux = weir_load_le64(b + 16);
    assert_int_equal(inputs, rel->inputs);
    assert_int_equal(aux, rel->aux);
    const uint8_t *p = b + 24, *cls = p + 32 * inputs, *full = cls + aux;
    weir_fr v;
    for (uint64_t i = 0; i < inputs; i++) {
        assert_true(fr_from_le(&v, p + 32 * i));
        fn(ctx, true, i, &v);
    }
    for (uint64_t i = 0; i < aux; i++) {
        fr_from_u64(&v, cls[i] & 1);
        if (cls[i] == 2) {
            assert_true(fr_from_le(&v, full));
            full += 32;
        }
        fn(ctx, false, i, &v);
    }
    assert_ptr_equal(full, b + n);
    free(b);
}

static void set_value(void *ctx, bool input, uint64_t index, const weir_fr *v)
{
    weir_witness *w = ctx;
    if (input)
        w->inputs[index] = *v;
    else if (!weir_witness_set(w, index, v))
        fail_msg("auxiliary %llu is a bit column but its value is not 0 or 1",
                 (unsigned long long)index);
}

weir_witness *dump_load_witness(const weir_relation *rel, const char *path)
{
    weir_witness *w;
    weir_errinfo ei = {0};
    if (weir_witness_new(&w, rel, NULL, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    read_witness(rel, path, set_value, w);
    return w;
}

typedef struct same {
    const weir_witness *w;
    const char *path;
} same;

static void check_value(void *ctx, bool input, uint64_t index, const weir_fr *v)
{
    same *s = ctx;
    weir_fr got;
    if (input)
        got = s->w->inputs[index];
    else
        weir_witness_get(s->w, index, &got);
    if (!fr_eq(&got, v))
        fail_msg("%s: %s %llu differs", s->path, input ? "input" : "auxiliary",
                 (unsigned long long)index);
}

void dump_compare_witness(const weir_witness *w, const char *path)
{
    same s = {.w = w, .path = path};
    read_witness(w->rel, path, check_value, &s);
}

void dump_compare_witnesses(const weir_witness *a, const weir_witness *b)
{
    const weir_relation *rel = a->rel;
    assert_memory_equal(a->inputs, b->inputs, rel->inputs * sizeof *a->inputs);
    assert_memory_equal(a->bits, b->bits, rel->words * 8);
    assert_memory_equal(a->dense, b->dense, rel->dense * sizeof *a->dense);
}
