/* Points of a native key in the order of a .params file: those of a section's two arrays put together again. */
#include "formats/native_state.h"
#include "formats/params_internal.h"

#include <inttypes.h>
#include <string.h>

/* Dense points below `point`. */
static uint64_t rank(const weir_native_list *l, uint64_t point)
{
    uint64_t lo = 0, hi = l->n;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (l->point[mid] < point)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static weir_err check_range(const weir_native_key *k, weir_key_section s, uint64_t first, size_t n,
                            weir_errinfo *ei)
{
    uint64_t count = weir_native_points(&k->header, s);
    if (!k->list[0].point)
        return weir_fail(ei, WEIR_E_USAGE, "%s: points in order before the circuit is known",
                         k->name);
    if (first <= count && n <= count - first) return WEIR_OK;
    return weir_fail(ei, WEIR_E_RANGE,
                     "%s: points %" PRIu64 " and the %zu from there of section %s are wanted, but "
                     "it has %" PRIu64,
                     k->name, first, n, weir_params_section_name[s], count);
}

/* Points first .. first + n - 1, of which the first dense one is number d of the list. */
static void merge(const weir_native_key *k, weir_key_section s, uint64_t first, size_t n,
                  uint64_t d, uint8_t *out)
{
    const weir_native_list *l = &k->list[weir_native_query(s)];
    size_t each = weir_native_point_bytes(weir_native_dense(s));
    const uint8_t *bits = weir_native_mapped(k, weir_native_bits(s)) + (first - d) * each;
    const uint8_t *dense = weir_native_mapped(k, weir_native_dense(s)) + d * each;
    for (uint64_t at = first, end = first + n, to; at < end; at = to) {
        uint64_t next = d < l->n ? l->point[d] : UINT64_MAX;
        const uint8_t **from = next == at ? &dense : &bits;
        if (next == at)
            for (to = at; to < end && d < l->n && l->point[d] == to; to++) d++;
        else
            to = next < end ? next : end;
        memcpy(out, *from, (to - at) * each);
        *from += (to - at) * each;
        out += (to - at) * each;
    }
}

static weir_err read_points(const weir_native_key *k, weir_key_section s, uint64_t first, size_t n,
                            void *out, weir_errinfo *ei)
{
    WEIR_TRY(check_range(k, s, first, n, ei));
    if (!weir_native_has_bits(s)) {
        size_t each = weir_native_point_bytes(weir_native_dense(s));
        WEIR_TRY(weir_native_touch(k, weir_native_dense(s), first, n, ei));
        memcpy(out, weir_native_mapped(k, weir_native_dense(s)) + first * each, n * each);
        return WEIR_OK;
    }
    const weir_native_list *l = &k->list[weir_native_query(s)];
    uint64_t d = rank(l, first), dense = rank(l, first + n) - d;
    WEIR_TRY(weir_native_touch(k, weir_native_dense(s), d, dense, ei));
    WEIR_TRY(weir_native_touch(k, weir_native_bits(s), first - d, n - dense, ei));
    merge(k, s, first, n, d, out);
    return WEIR_OK;
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)isa;
    if (section >= WEIR_KEY_B_G2) return weir_fail(ei, WEIR_E_USAGE, "not a section of G1 points");
    return read_points(ctx, section, first, n, out, ei);
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)isa;
    if (section != WEIR_KEY_B_G2) return weir_fail(ei, WEIR_E_USAGE, "not a section of G2 points");
    return read_points(ctx, section, first, n, out, ei);
}

static weir_err read_array(void *ctx, weir_key_array array, uint64_t first, size_t n, void *out,
                           weir_errinfo *ei)
{
    return weir_native_key_read(ctx, array, first, n, out, ei);
}

void weir_native_key_points(weir_key_points *out, const weir_native_key *k)
{
    *out = (weir_key_points){.ctx = (void *)(uintptr_t)k,
                             .read_g1 = read_g1,
                             .read_g2 = read_g2,
                             .read_array = read_array};
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++)
        out->count[s] = weir_native_points(&k->header, s);
}
