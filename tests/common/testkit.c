#include "testkit.h"

#include "base/bytes.h"
#include "field/fp.h"
#include "field/fr.h"

#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t the_seed;

void tk_init(int argc, char **argv)
{
    the_seed = (uint64_t)time(NULL) * 1000003u;
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--seed") == 0) the_seed = strtoull(argv[i + 1], NULL, 0);
    printf("seed %llu (repeat with --seed)\n", (unsigned long long)the_seed);
    fflush(stdout);
}

tk_rng tk_rng_new(void)
{
    return (tk_rng){the_seed};
}

/* Source: splitmix64, Steele, Lea, Flood 2014. */
uint64_t tk_u64(tk_rng *g)
{
    uint64_t z = (g->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t tk_below(tk_rng *g, uint64_t n)
{
    return n ? tk_u64(g) % n : 0;
}

void tk_bytes(tk_rng *g, void *out, size_t n)
{
    uint8_t *p = out;
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)tk_u64(g);
}

void tk_fr(tk_rng *g, weir_fr *r)
{
    do {
        tk_bytes(g, r, sizeof *r);
        r->l[3] &= 0x7fffffffffffffffu;
    } while (!fr_is_reduced(r));
}

void tk_fp(tk_rng *g, weir_fp *r)
{
    do {
        tk_bytes(g, r, sizeof *r);
        r->l[5] &= 0x1fffffffffffffffu;
    } while (!fp_is_reduced(r));
}

void tk_scalar(tk_rng *g, weir_scalar *s)
{
    weir_fr t;
    tk_fr(g, &t);
    memcpy(s->l, t.l, sizeof s->l);
}

/* The values are set as limbs, so they are special as stored, whatever they mean in Montgomery form. */
#define SPECIALS(name, type, pfx, limbs)                                                           \
    size_t name(type *out, size_t max)                                                             \
    {                                                                                              \
        size_t n = 0;                                                                              \
        type v[8 + 2 * 64 * limbs];                                                                \
        size_t k = 0;                                                                              \
        memset(v, 0, sizeof v);                                                                    \
        k++;                                                                                       \
        v[k++] = pfx##_ONE;                                                                        \
        pfx##_dbl(&v[k++], &pfx##_ONE);                                                            \
        pfx##_neg(&v[k++], &pfx##_ONE);                                                            \
        pfx##_neg(&v[k], &v[2]);                                                                   \
        k++;                                                                                       \
        v[k] = pfx##_MODULUS;                                                                      \
        v[k++].l[0] -= 1;                                                                          \
        v[k++].l[0] = 1;                                                                           \
        for (int b = 0; b < 64 * limbs; b += 21) v[k++].l[b / 64] = (uint64_t)1 << (b % 64);       \
        for (int b = 1; b < limbs; b++)                                                            \
            for (int j = 0; j < b; j++) v[k + (size_t)b - 1].l[j] = ~(uint64_t)0;                  \
        k += limbs - 1;                                                                            \
        for (size_t i = 0; i < k && n < max; i++)                                                  \
            if (pfx##_is_reduced(&v[i])) out[n++] = v[i];                                          \
        return n;                                                                                  \
    }
SPECIALS(tk_fr_specials, weir_fr, fr, 4)
SPECIALS(tk_fp_specials, weir_fp, fp, 6)

static uint8_t *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    uint8_t *p = malloc((size_t)size + 1);
    *n = fread(p, 1, (size_t)size, f);
    p[*n] = 0;
    fclose(f);
    return p;
}

static uint8_t *unxz(uint8_t *in, size_t n, size_t *out_n)
{
    lzma_stream s = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&s, UINT64_MAX, 0) != LZMA_OK) abort();
    size_t cap = n * 8 + 4096;
    uint8_t *out = malloc(cap + 1);
    s.next_in = in;
    s.avail_in = n;
    s.next_out = out;
    s.avail_out = cap;
    lzma_ret r;
    while ((r = lzma_code(&s, LZMA_FINISH)) == LZMA_OK || r == LZMA_BUF_ERROR) {
        if (s.avail_out) abort();
        out = realloc(out, 2 * cap + 1);
        s.next_out = out + cap;
        s.avail_out = cap;
        cap *= 2;
    }
    if (r != LZMA_STREAM_END) abort();
    *out_n = cap - s.avail_out;
    out[*out_n] = 0;
    lzma_end(&s);
    free(in);
    return out;
}

static uint8_t *try_vector(const char *path, size_t *n)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", WEIR_VECTORS, path);
    uint8_t *p = read_file(full, n);
    if (p) return p;
    snprintf(full, sizeof full, "%s/%s.xz", WEIR_VECTORS, path);
    p = read_file(full, n);
    return p ? unxz(p, *n, n) : NULL;
}

uint8_t *tk_vector(const char *path, size_t *n)
{
    uint8_t *p = try_vector(path, n);
    if (!p) fail_msg("no vector %s", path);
    return p;
}

bool tk_has_vector(const char *path)
{
    size_t n;
    uint8_t *p = try_vector(path, &n);
    free(p);
    return p != NULL;
}

json_t *tk_json(const char *path)
{
    size_t n;
    uint8_t *p = tk_vector(path, &n);
    json_error_t e;
    json_t *j = json_loadb((const char *)p, n, JSON_DECODE_ANY, &e);
    free(p);
    if (!j) fail_msg("%s: line %d: %s", path, e.line, e.text);
    return j;
}

json_t *tk_get(json_t *obj, const char *key)
{
    json_t *v = json_object_get(obj, key);
    if (!v) fail_msg("vector has no field %s", key);
    return v;
}

const char *tk_str(json_t *obj, const char *key)
{
    const char *s = json_string_value(tk_get(obj, key));
    if (!s) fail_msg("vector's field %s is not a string", key);
    return s;
}

static unsigned nibble(char c)
{
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A' + 10);
    fail_msg("not a hex digit: %c", c);
    return 0;
}

void tk_hex_bytes(const char *hex, uint8_t *out, size_t n)
{
    if (hex[0] == '0' && hex[1] == 'x') hex += 2;
    if (strlen(hex) != 2 * n) fail_msg("%zu hex digits in place of %zu", strlen(hex), 2 * n);
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
}

static void hex_limbs(const char *hex, uint64_t *l, size_t limbs)
{
    if (hex[0] == '0' && hex[1] == 'x') hex += 2;
    memset(l, 0, 8 * limbs);
    for (; *hex; hex++) {
        uint64_t c = nibble(*hex);
        for (size_t i = 0; i < limbs; i++) {
            uint64_t top = l[i] >> 60;
            l[i] = l[i] << 4 | c;
            c = top;
        }
        if (c) fail_msg("number is too long");
    }
}

void tk_hex_scalar(const char *hex, weir_scalar *s)
{
    hex_limbs(hex, s->l, 4);
    if (!scalar_is_reduced(s)) fail_msg("%s is not below r", hex);
}

void tk_hex_fr(const char *hex, weir_fr *r)
{
    weir_scalar s;
    tk_hex_scalar(hex, &s);
    fr_from_scalar(r, &s);
}

void tk_hex_fp(const char *hex, weir_fp *r)
{
    weir_fp t;
    hex_limbs(hex, t.l, 6);
    if (!fp_is_reduced(&t)) fail_msg("%s is not below p", hex);
    fp_from_limbs(r, t.l);
}

bool tk_next_path(weir_isa *isa)
{
    while (*isa < WEIR_ISA_COUNT && !weir_isa_supported(*isa)) (*isa)++;
    return *isa < WEIR_ISA_COUNT;
}

bool tk_next_isa(weir_isa *isa)
{
    return tk_next_path(isa) && *isa <= WEIR_ISA_ADX;
}

weir_pool *tk_pool(unsigned threads)
{
    static weir_pool *pools[65];
    if (threads > 64) fail_msg("at most 64 threads in tests");
    if (!pools[threads]) {
        weir_errinfo ei = {0};
        if (weir_pool_new(&pools[threads], threads, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    }
    return pools[threads];
}
