/* Every gadget against its reference dump: same rows, same columns, same coefficients, same witness. */
#include "gadget_run.h"
#include "hash/sha256.h"

#include <stdlib.h>
#include <string.h>

static json_t *the_cases;

static json_t *case_of(const char *name)
{
    size_t i;
    json_t *c;
    json_array_foreach(the_cases, i, c) if (strcmp(tk_str(c, "name"), name) == 0) return c;
    fail_msg("no case %s", name);
    return NULL;
}

static void hex32(json_t *c, const char *key, uint8_t out[32])
{
    tk_hex_bytes(tk_str(c, key), out, 32);
}

/* ---- booleans */

static weir_bool boolean(weir_cs *cs, unsigned kind)
{
    if (kind < 2) return weir_bool_const(kind);
    weir_bool b = weir_gad_bit(cs);
    return kind == 2 ? b : weir_bool_not(b);
}

static void booleans_shape(const void *ctx, weir_cs *cs)
{
    (void)ctx;
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < 4; b++) {
            weir_bool x = boolean(cs, a), y = boolean(cs, b);
            weir_gad_xor(cs, x, y);
            weir_gad_and(cs, x, y);
        }
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < 4; b++)
            for (unsigned c = 0; c < 4; c++) {
                weir_bool x = boolean(cs, a), y = boolean(cs, b), z = boolean(cs, c);
                weir_gad_ch(cs, x, y, z);
                weir_gad_maj(cs, x, y, z);
            }
}

static void booleans(void **state)
{
    (void)state;
    gadget_run(&(gadget){.shape = booleans_shape}, "gadgets/booleans");
}

/* ---- numbers */

static void numbers_shape(const void *ctx, weir_cs *cs)
{
    (void)ctx;
    weir_bool bits[255], wide[64], x[32], y[32];
    weir_col a = weir_cs_alloc(cs), b = weir_cs_alloc(cs);
    weir_gad_inputize(cs, a);
    weir_gad_bits255(cs, bits, a);
    weir_gad_mul(cs, a, b);
    weir_gad_mul(cs, b, b);
    weir_gad_add(cs, a, b);
    weir_gad_sub(cs, a, b);
    weir_gad_add(cs, a, b);
    weir_gad_pack(cs, bits, 254);
    weir_gad_pack_inputs(cs, bits, 255);
    weir_gad_bits(cs, wide, 64);
    weir_gad_pack_inputs(cs, wide, 64);
    weir_gad_bits(cs, x, 32);
    for (unsigned i = 0; i < 32; i++) y[i] = weir_gad_xor(cs, x[i], weir_bool_const(true));
    for (unsigned i = 0; i < 32; i++)
        weir_gad_xor(cs, y[(i + 7) % 32], i + 3 < 32 ? y[i + 3] : weir_bool_const(false));
}

static void numbers(void **state)
{
    (void)state;
    gadget_run(&(gadget){.shape = numbers_shape}, "gadgets/numbers");
}

/* ---- SHA-256 of messages of allocated bits; "mixed" has some constants among them */

typedef struct message {
    uint8_t bytes[128];
    unsigned n;
    bool mixed;
} message;

static bool is_const(const message *m, unsigned i, unsigned bit_from_top)
{
    return m->mixed && ((i >= 32 && i < 36) || i >= 44 || (i == 31 && bit_from_top == 0));
}

static void sha_shape(const void *ctx, weir_cs *cs)
{
    const message *m = ctx;
    weir_bool bits[1024], digest[256];
    for (unsigned i = 0; i < 8 * m->n; i++) {
        unsigned v = m->bytes[i / 8] >> (7 - i % 8) & 1;
        bits[i] = is_const(m, i / 8, i % 8) ? weir_bool_const(v) : weir_gad_bit(cs);
    }
    weir_gad_sha256(cs, digest, bits, 8 * m->n);
    weir_gad_pack_inputs(cs, digest, 256);
}

static void sha_fill(const void *ctx, weir_filler *f)
{
    const message *m = ctx;
    weir_fill_word w[32] = {{0}};
    uint8_t digest[32], reversed[32];
    for (unsigned i = 0; i < 8 * m->n; i++) {
        unsigned v = m->bytes[i / 8] >> (7 - i % 8) & 1, at = 31 - i % 32;
        w[i / 32].v |= v << at;
        if (is_const(m, i / 8, i % 8))
            w[i / 32].konst |= 1u << at;
        else
            pack_bits(&f->p, v, 1);
    }
    weir_fill_sha256(f, digest, w, m->n / 4);
    /* the first input packs the digest's first 254 bits, most significant of each byte first; the second the rest */
    for (unsigned i = 0; i < 32; i++) {
        uint8_t r = 0;
        for (unsigned b = 0; b < 8; b++) r |= (uint8_t)((digest[i] >> b & 1) << (7 - b));
        reversed[i] = r;
    }
    unsigned last = reversed[31] >> 6;
    reversed[31] &= 0x3f;
    weir_fr v;
    assert_true(fr_from_le(&v, reversed));
    weir_fill_inputize(f, &v);
    weir_fill_input_u64(f, last);
}

static void sha256_messages(void **state)
{
    (void)state;
    static const char *const names[] = {"sha256-0",   "sha256-3",   "sha256-55",      "sha256-64",
                                        "sha256-119", "sha256-128", "sha256-64-mixed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *hex = tk_str(case_of(names[i]), "message");
        message m = {.n = (unsigned)strlen(hex) / 2, .mixed = strstr(names[i], "mixed") != NULL};
        tk_hex_bytes(hex, m.bytes, m.n);
        char path[100];
        snprintf(path, sizeof path, "gadgets/%s", names[i]);
        /* filling works on whole words, as all of Filecoin's messages are */
        gadget_run(&(gadget){sha_shape, m.n % 4 ? NULL : sha_fill, &m}, path);
    }
}

typedef struct pair {
    uint8_t left[32], right[32];
} pair;

static void hash2_shape(const void *ctx, weir_cs *cs)
{
    (void)ctx;
    weir_col l = weir_cs_alloc(cs), r = weir_cs_alloc(cs);
    weir_gad_sha_hash2(cs, l, r);
}

static void hash2_fill(const void *ctx, weir_filler *f)
{
    const pair *p = ctx;
    weir_num l, r, out;
    weir_num_from_node(&l, p->left);
    weir_num_from_node(&r, p->right);
    weir_fill_alloc(f, &l.m);
    weir_fill_alloc(f, &r.m);
    weir_fill_sha_hash2(f, &out, &l, &r);
}

static void sha_hash2(void **state)
{
    (void)state;
    pair p;
    hex32(case_of("sha-hash2"), "left", p.left);
    hex32(case_of("sha-hash2"), "right", p.right);
    gadget g = {hash2_shape, hash2_fill, &p};
    gadget_run(&g, "gadgets/sha-hash2");
    weir_relation *rel = gadget_relation(&g);
    weir_witness *w = gadget_witness(&g, rel, WEIR_ISA_PORTABLE);
    gadget_every_value_matters(w, 997);
    weir_witness_free(w);
    weir_relation_free(rel);
}

/* ---- insertion and selection */

typedef struct insertion {
    unsigned arity, index;
    weir_fr element, siblings[15];
} insertion;

static void insert_shape(const void *ctx, weir_cs *cs)
{
    const insertion *in = ctx;
    weir_col s[15], out[16], e = weir_cs_alloc(cs);
    weir_bool bits[4];
    for (unsigned i = 0; i + 1 < in->arity; i++) s[i] = weir_cs_alloc(cs);
    weir_gad_bits(cs, bits, (unsigned)__builtin_ctz(in->arity));
    weir_gad_insert(cs, out, e, bits, s, in->arity);
}

static void insert_fill(const void *ctx, weir_filler *f)
{
    const insertion *in = ctx;
    weir_fr out[16];
    weir_fill_alloc(f, &in->element);
    for (unsigned i = 0; i + 1 < in->arity; i++) weir_fill_alloc(f, &in->siblings[i]);
    pack_bits(&f->p, in->index, (unsigned)__builtin_ctz(in->arity));
    weir_fill_insert(f, out, &in->element, in->index, in->siblings, in->arity);
    for (unsigned i = 0; i < in->arity; i++) {
        const weir_fr *want =
            i == in->index ? &in->element : &in->siblings[i < in->index ? i : i - 1];
        assert_true(fr_eq(&out[i], want));
    }
}

static size_t stream_fr(const uint8_t *bytes, size_t at, weir_fr *out)
{
    for (;; at += 32) {
        uint8_t b[32];
        memcpy(b, bytes + at, 32);
        b[31] &= 0x7f;
        if (fr_from_le(out, b)) return at + 32;
    }
}

static void insertions(void **state)
{
    (void)state;
    for (unsigned arity = 2; arity <= 16; arity *= 2) {
        for (unsigned index = arity == 16 ? 5 : 0; index < (arity == 16 ? 6 : arity); index++) {
            insertion in = {.arity = arity, .index = index};
            char text[100];
            uint8_t bytes[4096];
            snprintf(text, sizeof text, "gadget/insert/%u", arity);
            gadget_stream(text, bytes, sizeof bytes);
            size_t at = stream_fr(bytes, 0, &in.element);
            for (unsigned i = 0; i + 1 < arity; i++) at = stream_fr(bytes, at, &in.siblings[i]);
            snprintf(text, sizeof text, "gadgets/insert-%u-at-%u", arity, index);
            gadget g = {insert_shape, insert_fill, &in};
            gadget_run(&g, text);
        }
    }
}

static void select_shape(const void *ctx, weir_cs *cs)
{
    (void)ctx;
    weir_col v[8];
    weir_bool bits[3];
    for (unsigned i = 0; i < 8; i++) v[i] = weir_cs_alloc(cs);
    weir_gad_bits(cs, bits, 3);
    weir_gad_select(cs, v, bits, 3);
}

static void select_fill(const void *ctx, weir_filler *f)
{
    (void)ctx;
    uint8_t bytes[4096];
    weir_fr v[8], out;
    gadget_stream("gadget/select/8", bytes, sizeof bytes);
    for (size_t at = 0, i = 0; i < 8; i++) {
        at = stream_fr(bytes, at, &v[i]);
        weir_fill_alloc(f, &v[i]);
    }
    pack_bits(&f->p, 5, 3);
    weir_fill_select(f, &out, v, 5, 3);
    assert_true(fr_eq(&out, &v[5]));
}

static void selection(void **state)
{
    (void)state;
    gadget_run(&(gadget){select_shape, select_fill, NULL}, "gadgets/select-8-at-5");
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    the_cases = tk_json("gadgets/cases.json");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(booleans),        cmocka_unit_test(numbers),
        cmocka_unit_test(sha256_messages), cmocka_unit_test(sha_hash2),
        cmocka_unit_test(insertions),      cmocka_unit_test(selection),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(the_cases);
    return failed;
}
