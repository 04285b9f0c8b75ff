/* The file is cut into pieces that follow one another: the verifying key, then points of one section, a section's first piece with
 * its count in front. Three threads work on three pieces: while one is decoded and checked, the next is read and hashed and the one before
 * is written. So the bytes that are hashed are the bytes that are used, whatever happens to the file meanwhile. */
#include "formats/key_import.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/side.h"
#include "formats/params_internal.h"
#include "hash/blake2b.h"

#include <inttypes.h>
#include <string.h>

enum {
    PIECE_BYTES = 12 << 20, /* of points: 131,072 in G1 */
    COUNT_BYTES = 4,        /* in front of a section */
    TASK_POINTS = 1024,     /* decoded by one task */
    MAX_TASKS = PIECE_BYTES / WEIR_G1_BYTES / TASK_POINTS
};

typedef struct piece {
    uint64_t at, bytes;
    bool vk;
    weir_key_section section;
    uint64_t first; /* point */
    size_t n, skip; /* points, and bytes in front of them */
} piece;

/* What the side thread does with a piece. */
typedef struct fetch {
    weir_side_job job;
    const weir_readfile *file;
    weir_blake2b_stream *hash;
    piece p;
    uint8_t *bytes;
    weir_err err;
    weir_errinfo ei;
} fetch;

/* Points of a piece, decoded, and the side thread that writes them. */
typedef struct put {
    weir_side_job job;
    weir_native_writer *writer;
    weir_key_section section;
    size_t n;
    void *points;
    bool begun; /* not waited for yet */
    weir_err err;
    weir_errinfo ei;
} put;

typedef struct import {
    const weir_key_import *job;
    const weir_exec *x;
    weir_readfile file;
    weir_blake2b_stream hash;
    weir_side *reader, *scribe;
    weir_native_writer *writer;
    fetch fetch[2];
    put put[2];
    uint64_t room; /* of a fetch */
} import;

/* ---- pieces */

/* The piece behind p; false: there is none. */
static bool next_piece(piece *p, const weir_params *params)
{
    weir_key_section s = p->section;
    uint64_t first = p->first + p->n, at = p->at + p->bytes;
    if (p->vk) {
        s = WEIR_KEY_H;
        first = 0;
    } else if (first == params->section[s].count) {
        if (s + 1 == WEIR_KEY_SECTIONS) return false;
        s++;
        first = 0;
    }
    uint64_t each = weir_params_point_bytes(s), left = params->section[s].count - first;
    uint64_t n = left < PIECE_BYTES / each ? left : PIECE_BYTES / each;
    bool begins = p->vk || s != p->section;
    *p = (piece){.at = at, .section = s, .first = first, .n = n, .skip = begins ? COUNT_BYTES : 0};
    p->bytes = p->skip + n * each;
    return true;
}

static void fetch_run(void *ctx)
{
    fetch *f = ctx;
    f->err = weir_readfile_at(f->file, f->p.at, f->bytes, f->p.bytes, &f->ei);
    if (f->err == WEIR_OK) weir_blake2b_update(f->hash, f->bytes, f->p.bytes);
}

static void fetch_begin(import *im, fetch *f, const piece *p)
{
    f->p = *p;
    weir_side_put(im->reader, &f->job);
}

/* ---- writing */

static void put_run(void *ctx)
{
    put *p = ctx;
    p->err = p->section == WEIR_KEY_B_G2
                 ? weir_native_writer_g2(p->writer, p->section, p->points, p->n, &p->ei)
                 : weir_native_writer_g1(p->writer, p->section, p->points, p->n, &p->ei);
}

static void put_begin(import *im, put *p, const piece *from)
{
    p->section = from->section;
    p->n = from->n;
    p->begun = true;
    weir_side_put(im->scribe, &p->job);
}

/* Its points may be written over then. */
static weir_err put_end(import *im, put *p, weir_errinfo *ei)
{
    if (!p->begun) return WEIR_OK;
    weir_side_wait(im->scribe, &p->job);
    p->begun = false;
    return p->err == WEIR_OK ? WEIR_OK : weir_fail(ei, p->err, "%s", p->ei.text);
}

/* ---- decoding */

typedef struct decode_job {
    const import *im;
    const fetch *f;
    void *points;
    weir_err err[MAX_TASKS];
    size_t bad[MAX_TASKS];
} decode_job;

/* Only what the bytes say: the rest is for the check. */
static void decode_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    decode_job *d = ctx;
    const piece *p = &d->f->p;
    size_t lo = task * TASK_POINTS, n = p->n - lo < TASK_POINTS ? p->n - lo : TASK_POINTS;
    const uint8_t *from = d->f->bytes + p->skip + lo * weir_params_point_bytes(p->section);
    weir_isa isa = d->im->x->isa;
    if (p->section == WEIR_KEY_B_G2)
        d->err[task] = weir_params_g2s((weir_g2_affine *)d->points + lo, from, n,
                                       WEIR_CHECK_NOT_INFINITY, isa, &d->bad[task]);
    else
        d->err[task] = weir_params_g1s((weir_g1_affine *)d->points + lo, from, n,
                                       WEIR_CHECK_NOT_INFINITY, isa, &d->bad[task]);
}

static weir_err decode(import *im, const fetch *f, void *points, size_t *bad)
{
    enum { RANGE_TASKS = 16 };
    decode_job d = {.im = im, .f = f, .points = points};
    size_t tasks = (f->p.n + TASK_POINTS - 1) / TASK_POINTS;
    weir_exec_run(im->x, tasks, RANGE_TASKS, decode_task, &d);
    for (size_t i = 0; i < tasks; i++) {
        if (d.err[i] == WEIR_OK) continue;
        *bad = i * TASK_POINTS + d.bad[i];
        return d.err[i];
    }
    return WEIR_OK;
}

/* ---- one piece */

static weir_err changed(const import *im, uint64_t at, weir_errinfo *ei)
{
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "%s: byte %" PRIu64
                     ": the file was changed while it was read; import it again",
                     im->job->params->name, at);
}

static weir_err use_vk(import *im, const fetch *f, weir_errinfo *ei)
{
    const weir_params *p = im->job->params;
    uint64_t count[WEIR_KEY_SECTIONS];
    weir_vk *vk = NULL;
    if (memcmp(f->bytes, p->data, p->vk_bytes) != 0) return changed(im, 0, ei);
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++) count[s] = p->section[s].count;
    weir_err err = weir_vk_read(&vk, f->bytes, p->vk_bytes, im->x->isa, ei);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "%s: ", p->name);
    if (err == WEIR_OK) err = weir_native_writer_begin(im->writer, vk, count, ei);
    weir_vk_free(vk);
    return err;
}

static weir_err bad_point(const import *im, const piece *p, size_t bad, weir_err err,
                          weir_errinfo *ei)
{
    uint64_t at = p->at + p->skip + bad * weir_params_point_bytes(p->section);
    return weir_fail(ei, err,
                     "%s: byte %" PRIu64 ", section %s, point %" PRIu64
                     ": %s; the key is damaged, fetch it again",
                     im->job->params->name, at, weir_params_section_name[p->section],
                     p->first + bad, weir_err_text(err));
}

static weir_err use_points(import *im, const fetch *f, put *to, weir_errinfo *ei)
{
    const piece *p = &f->p;
    const weir_point_check *check = im->job->check;
    bool g2 = p->section == WEIR_KEY_B_G2;
    size_t bad = 0;
    if (p->skip && weir_load_be32(f->bytes) != im->job->params->section[p->section].count)
        return changed(im, p->at, ei);
    WEIR_TRY(put_end(im, to, ei));
    weir_err err = decode(im, f, to->points, &bad);
    if (err == WEIR_OK)
        err = g2 ? check->g2(check->ctx, to->points, p->n, &bad, ei)
                 : check->g1(check->ctx, to->points, p->n, &bad, ei);
    if (weir_point_check_found(err)) return bad_point(im, p, bad, err, ei);
    if (err == WEIR_OK) put_begin(im, to, p);
    return err;
}

static weir_err use_piece(import *im, fetch *f, put *to, weir_errinfo *ei)
{
    if (weir_exec_cancelled(im->x))
        return weir_fail(ei, WEIR_E_CANCELLED, "stopped; nothing was written");
    if (f->err != WEIR_OK) return weir_fail(ei, f->err, "%s", f->ei.text);
    weir_err err = f->p.vk ? use_vk(im, f, ei) : use_points(im, f, to, ei);
    weir_exec_progress(im->x, "points", f->p.at + f->p.bytes, im->job->params->size_bytes);
    return err;
}

/* The older one first. */
static weir_err end_puts(import *im, unsigned older, weir_err err, weir_errinfo *ei)
{
    for (unsigned i = 0; i < 2; i++) {
        weir_errinfo none;
        weir_err e = put_end(im, &im->put[older ^ i], err == WEIR_OK ? ei : &none);
        if (err == WEIR_OK) err = e;
    }
    return err;
}

static weir_err run_pieces(import *im, weir_errinfo *ei)
{
    piece p = {.vk = true, .bytes = im->job->params->vk_bytes};
    weir_err err = WEIR_OK;
    bool more = true;
    fetch_begin(im, &im->fetch[0], &p);
    unsigned turn = 0;
    for (; more; turn ^= 1) {
        weir_side_wait(im->reader, &im->fetch[turn].job);
        more = err == WEIR_OK && next_piece(&p, im->job->params);
        if (more) fetch_begin(im, &im->fetch[turn ^ 1], &p);
        if (err == WEIR_OK) err = use_piece(im, &im->fetch[turn], &im->put[turn], ei);
    }
    return end_puts(im, turn, err, ei);
}

/* ---- the whole */

static weir_err check_counts(const weir_key_import *job, weir_errinfo *ei)
{
    static const char after[] = "; it is a key of another circuit";
    weir_native_header h;
    WEIR_TRY(weir_native_header_of(&h, job->rel, job->circuit, ei));
    const weir_params *p = job->params;
    if (p->n_ic != h.inputs)
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: byte %d: %" PRIu32 " points of ic, and the circuit has %" PRIu64
                         " inputs%s",
                         p->name, WEIR_VK_FIXED_BYTES, p->n_ic, h.inputs, after);
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        uint64_t want = weir_native_points(&h, s), have = p->section[s].count;
        if (have != want)
            return weir_fail(ei, WEIR_E_MISMATCH,
                             "%s: byte %" PRIu64 ": section %s has %" PRIu64
                             " points, and the circuit needs %" PRIu64 "%s",
                             p->name, p->section[s].offset - COUNT_BYTES,
                             weir_params_section_name[s], have, want, after);
    }
    return WEIR_OK;
}

static weir_err set_up(import *im, weir_errinfo *ei)
{
    const weir_key_import *job = im->job;
    WEIR_TRY(weir_readfile_open(&im->file, job->params->name, ei));
    if (im->file.size_bytes != job->params->size_bytes) return changed(im, 0, ei);
    im->room = PIECE_BYTES + COUNT_BYTES;
    if (im->room < job->params->vk_bytes) im->room = job->params->vk_bytes;
    weir_blake2b_init(&im->hash, WEIR_SOURCE_DIGEST_BYTES);
    for (int i = 0; i < 2; i++) {
        fetch *f = &im->fetch[i];
        *f = (fetch){.file = &im->file, .hash = &im->hash, .job = {.fn = fetch_run, .ctx = f}};
        f->bytes = weir_malloc(im->room, 1);
        im->put[i].points = weir_big_alloc(PIECE_BYTES, 1);
        if (!f->bytes || !im->put[i].points)
            return weir_fail(ei, WEIR_E_NOMEM, "no memory to import %s", job->params->name);
    }
    WEIR_TRY(weir_side_new(&im->reader, ei));
    WEIR_TRY(weir_side_new(&im->scribe, ei));
    WEIR_TRY(weir_native_writer_open(&im->writer, job->out_path, job->rel, job->circuit, im->x->isa,
                                     ei));
    for (int i = 0; i < 2; i++) {
        im->put[i].job = (weir_side_job){.fn = put_run, .ctx = &im->put[i]};
        im->put[i].writer = im->writer;
    }
    return WEIR_OK;
}

static void clear(import *im)
{
    weir_side_free(im->reader);
    weir_side_free(im->scribe);
    weir_native_writer_close(im->writer);
    for (int i = 0; i < 2; i++) {
        weir_free(im->fetch[i].bytes);
        weir_big_free(im->put[i].points, PIECE_BYTES, 1);
    }
    weir_readfile_close(&im->file);
}

static void print_hex(char *out, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static weir_err check_digest(const weir_key_import *job, const uint8_t *source, weir_errinfo *ei)
{
    char have[2 * WEIR_SOURCE_DIGEST_BYTES + 1], want[2 * WEIR_SOURCE_DIGEST_BYTES + 1];
    size_t n = job->digest_bytes;
    if (!job->digest || memcmp(job->digest, source, n) == 0) return WEIR_OK;
    print_hex(have, source, n);
    print_hex(want, job->digest, n);
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "%s: its digest is %s, and should be %s: it is another key; nothing was "
                     "written",
                     job->params->name, have, want);
}

weir_err weir_key_import_run(uint8_t source[WEIR_SOURCE_DIGEST_BYTES], const weir_key_import *job,
                             const weir_exec *x, weir_errinfo *ei)
{
import im = {.job = job, .x = x };
    memset(source, 0, WEIR_SOURCE_DIGEST_BYTES);
    WEIR_TRY(check_counts(job, ei));
    weir_err err = set_up(&im, ei);
    if (err == WEIR_OK) err = run_pieces(&im, ei);
    if (err == WEIR_OK) {
        weir_blake2b_final(&im.hash, source, WEIR_SOURCE_DIGEST_BYTES);
        weir_native_writer_source(im.writer, job->params->size_bytes, source);
        err = check_digest(job, source, ei);
    }
    if (err == WEIR_OK) err = weir_native_writer_commit(im.writer, ei);
    clear(&im);
    return err;
}
