#include "gpu/gpu_multiples.h"

#include "base/alloc.h"
#include "curve/curve.h"
#include "gpu/gpu_points.h"

#include <string.h>

enum {
    CHUNK_MAX = 1 << 18,
    CHUNK_MIN = 1 << 7,
    ENTRY_COST = 200 /* an entry of the table, in additions: half of 255 bits, and its scalar */
};

static uint64_t entry_bytes(const weir_gpu_multiples *m)
{
    return m->g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
}

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* ---- sizes */

static unsigned windows_of(unsigned window)
{
    return (DFIXED_BITS + window - 1) / window;
}

static uint64_t entries(const weir_gpu_multiples *m)
{
    return windows_of(m->window) * (((uint64_t)1 << m->window) - 1);
}

static uint64_t table_bytes(const weir_gpu_multiples *m)
{
    return aligned(entries(m) * entry_bytes(m));
}

static uint64_t powers_bytes(const weir_gpu_multiples *m)
{
    return aligned(DFIXED_BITS * entry_bytes(m));
}

/* Scalars and places of one chunk. */
static uint64_t room_bytes(const weir_gpu_multiples *m)
{
    return aligned((uint64_t)m->chunk * sizeof(weir_scalar)) +
           aligned((uint64_t)m->chunk * sizeof(uint32_t));
}

static void size_regions(weir_gpu_multiples *m)
{
    uint64_t room = room_bytes(m) > powers_bytes(m) ? room_bytes(m) : powers_bytes(m);
    m->device_bytes = powers_bytes(m) + table_bytes(m) + 2 * room_bytes(m);
    m->pinned_bytes = 2 * room;
}

/* Chunks as large as fit beside the table of this window. */
static bool fits(weir_gpu_multiples *m, uint64_t device_bytes)
{
    for (m->chunk = CHUNK_MAX; m->chunk >= CHUNK_MIN; m->chunk /= 2) {
        size_regions(m);
        if (m->device_bytes <= device_bytes) return true;
    }
    return false;
}

bool weir_gpu_multiples_plan(weir_gpu_multiples *m, const weir_gpu_driver *driver, bool g2,
                             uint64_t multiples, uint64_t device_bytes, int mark)
{
    uint64_t least = UINT64_MAX;
    *m = (weir_gpu_multiples){.driver = driver, .g2 = g2, .mark = mark};
    for (unsigned window = 1; window <= DFIXED_WINDOW_MAX; window++) {
        weir_gpu_multiples t = *m;
        t.window = window;
        uint64_t cost = multiples * windows_of(window) + entries(&t) * ENTRY_COST;
        if (cost >= least || !fits(&t, device_bytes)) continue;
        least = cost;
        *m = t;
    }
    return least != UINT64_MAX;
}

/* ---- the table: first that of window 1, whose entries are 2^w times the generator, then the other by means of it */

static void powers_g1(weir_g1_affine *out, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    const weir_scalar one = {{1}};
    weir_g1 p[DFIXED_BITS];
    weir_fp tmp[DFIXED_BITS];
    ops->g1_mul(&p[0], weir_g1_generator(), &one);
    for (int i = 1; i < DFIXED_BITS; i++) ops->g1_add(&p[i], &p[i - 1], &p[i - 1]);
    ops->g1s_to_affine(out, p, DFIXED_BITS, tmp);
}

static void powers_g2(weir_g2_affine *out, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    const weir_scalar one = {{1}};
    weir_g2 p[DFIXED_BITS];
    weir_fp2 tmp[DFIXED_BITS];
    ops->g2_mul(&p[0], weir_g2_generator(), &one);
    for (int i = 1; i < DFIXED_BITS; i++) ops->g2_add(&p[i], &p[i - 1], &p[i - 1]);
    ops->g2s_to_affine(out, p, DFIXED_BITS, tmp);
}

static weir_err put_powers(weir_gpu_multiples *m, const weir_exec *x, weir_errinfo *ei)
{
    const weir_gpu_driver *d = m->driver;
    if (m->g2)
        powers_g2((weir_g2_affine *)(void *)m->pinned, x->isa);
    else
        powers_g1((weir_g1_affine *)(void *)m->pinned, x->isa);
    WEIR_TRY(
        d->upload(d->ctx, WEIR_GPU_WORK, m->device, m->pinned, DFIXED_BITS * entry_bytes(m), ei));
    m->marked[0] = true;
    return d->mark(d->ctx, WEIR_GPU_WORK, m->mark, ei);
}

/* Entries first .. first + n - 1 as multiples of the generator: digit d of window w is d 2^(w window). Bits beyond the scalars' 255 are
 * left out: such entries are never looked up. */
static void table_scalars(weir_scalar *k, const weir_gpu_multiples *m, uint64_t first, uint64_t n)
{
    uint64_t each = ((uint64_t)1 << m->window) - 1;
    memset(k, 0, n * sizeof *k);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t digit = (first + i) % each + 1, bit = (first + i) / each * m->window;
        unsigned shift = bit % 64;
        if (bit + m->window > DFIXED_BITS) digit &= ((uint64_t)1 << (DFIXED_BITS - bit)) - 1;
        k[i].l[bit / 64] = digit << shift;
        if (shift + m->window > 64 && bit / 64 < 3) k[i].l[bit / 64 + 1] = digit >> (64 - shift);
    }
}

/* The room's first n scalars, by a table. */
static weir_err multiply(weir_gpu_multiples *m, uint32_t n, const void *table, unsigned window,
                         bool with_place, void *const out[2], weir_errinfo *ei)
{
    const weir_gpu_driver *d = m->driver;
    unsigned turn = m->turn;
    uint64_t to_place = aligned((uint64_t)m->chunk * sizeof(weir_scalar));
    unsigned char *host = m->pinned + turn * (m->pinned_bytes / 2);
    unsigned char *device = m->device + powers_bytes(m) + table_bytes(m) + turn * room_bytes(m);
    dfixed_args a = {.table = table,
                     .scalars = (const weir_dfr *)(void *)device,
                     .place = with_place ? (const uint32_t *)(void *)(device + to_place) : NULL,
                     .out = {out[0], out[1]},
                     .n = n,
                     .window = window,
                     .windows = windows_of(window)};
    WEIR_TRY(d->upload(d->ctx, WEIR_GPU_WORK, device, host, n * sizeof(weir_scalar), ei));
    if (with_place)
        WEIR_TRY(d->upload(d->ctx, WEIR_GPU_WORK, device + to_place, host + to_place,
                           n * sizeof(uint32_t), ei));
    WEIR_TRY(d->launch(d->ctx, WEIR_GPU_WORK, m->g2 ? WEIR_GPU_FIXED_G2 : WEIR_GPU_FIXED_G1,
                       dpoints_blocks(n), DPOINTS_THREADS, &a, ei));
    m->turn ^= 1;
    m->marked[turn] = true;
    return d->mark(d->ctx, WEIR_GPU_WORK, m->mark + (int)turn, ei);
}

weir_err weir_gpu_multiples_begin(weir_gpu_multiples *m, void *device, void *pinned,
                                  const weir_exec *x, weir_errinfo *ei)
{
    uint64_t all = entries(m);
    m->device = device;
    m->pinned = pinned;
    m->table = m->device + powers_bytes(m);
    WEIR_TRY(put_powers(m, x, ei));
    for (uint64_t first = 0; first < all; first += m->chunk) {
        uint32_t *place, n = all - first < m->chunk ? (uint32_t)(all - first) : m->chunk;
        void *const out[2] = {m->table + first * entry_bytes(m), NULL};
        weir_scalar *k;
        WEIR_TRY(weir_gpu_multiples_room(m, &k, &place, ei));
        table_scalars(k, m, first, n);
        WEIR_TRY(multiply(m, n, m->device, 1, false, out, ei));
    }
    return WEIR_OK;
}

weir_err weir_gpu_multiples_room(weir_gpu_multiples *m, weir_scalar **scalars, uint32_t **place,
                                 weir_errinfo *ei)
{
    unsigned char *room = m->pinned + m->turn * (m->pinned_bytes / 2);
    if (m->marked[m->turn]) WEIR_TRY(m->driver->wait(m->driver->ctx, m->mark + (int)m->turn, ei));
    *scalars = (weir_scalar *)(void *)room;
    *place = (uint32_t *)(void *)(room + aligned((uint64_t)m->chunk * sizeof(weir_scalar)));
    return WEIR_OK;
}

weir_err weir_gpu_multiples_put(weir_gpu_multiples *m, uint32_t n, bool with_place,
                                void *const out[2], weir_errinfo *ei)
{
    return multiply(m, n, m->table, m->window, with_place, out, ei);
}
