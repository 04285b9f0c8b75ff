/* Proving keys. */
#include "api/api_state.h"
#include "base/alloc.h"

#include <stdio.h>

static void files_clear(api_key_files *f)
{
    weir_porep_filler_free(f->filler);
    weir_relation_free(f->rel);
    weir_pvk_free(f->pvk);
    weir_key_file_close(&f->file);
}

void api_key_free(libweir_engine *e, api_key *k)
{
    weir_proof_kind_free(k->kind);
    weir_budget_give_back_lasting(weir_engine_budget(e->engine), &k->lasting);
    files_clear(&k->files);
    weir_free(k);
}

/* ---- files */

static weir_err find_shape(const weir_porep_shape **out, uint64_t sector_bytes, weir_errinfo *ei)
{
    char list[200] = "";
    *out = weir_porep_shape_by_size(sector_bytes);
    if (*out) return WEIR_OK;
    for (const weir_porep_shape *s = weir_porep_shapes(); s->name; s++) {
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", s->name);
    }
    return weir_fail(ei, WEIR_E_USAGE,
                     "sector_bytes: Filecoin has no sectors of %llu bytes; it has %s",
                     (unsigned long long)sector_bytes, list);
}

static weir_err files_open(api_key_files *f, const libweir_key_options *o, weir_isa isa,
                           weir_errinfo *ei)
{
    WEIR_TRY(find_shape(&f->shape, o->sector_bytes, ei));
    if (!o->params_path || !o->params_path[0])
        return weir_fail(ei, WEIR_E_USAGE, "params_path: the key's file is missing");
    WEIR_TRY(weir_key_file_open(&f->file, o->params_path, o->vk_path, isa, ei));
    WEIR_TRY(weir_key_file_is_porep(&f->file, f->shape, ei));
    WEIR_TRY(weir_pvk_new(&f->pvk, f->file.vk, isa, ei));
    WEIR_TRY(weir_porep_relation(&f->rel, f->shape, 0, ei));
    WEIR_TRY(weir_key_file_fit(&f->file, f->rel, ei));
    return weir_porep_filler_new(&f->filler, f->shape, ei);
}

/* ---- what an engine makes of it */

static weir_err reserve_parts(libweir_engine *e, api_key *k, weir_errinfo *ei)
{
    weir_budget *b = weir_engine_budget(e->engine);
    weir_bytes need = {.host = k->parts.rel->bytes + weir_key_file_held(&k->files.file)}, left;
    if (weir_budget_reserve_lasting(b, &need)) {
        k->lasting = need;
        return WEIR_OK;
    }
    weir_budget_left(b, &left);
    return weir_fail(ei, WEIR_E_NOMEM,
                     "the circuit of this key needs %llu bytes of memory, and of those that may be "
                     "used %llu are left",
                     (unsigned long long)need.host, (unsigned long long)left.host);
}

static weir_err open_kind(libweir_engine *e, api_key *k, weir_errinfo *ei)
{
    weir_proof_kind_config c = {.rel = k->parts.rel,
                                .key = k->parts.pkey,
                                .pvk = k->parts.pvk,
                                .aside = e->aside,
                                .group = (uint32_t)k->id, /* ids are its own, and not 0 */
                                .engine = e->engine,
                                .cache = e->cache,
                                .load_threads = e->load_threads,
                                .exec = e->x};
    for (uint32_t d = 0; d < e->devices; d++) {
        c.backend[d] = e->backend[d];
        c.budget_bytes[d] = e->key_bytes.device[d];
    }
    return weir_proof_kind_new(&k->kind, &c, ei);
}

static uint64_t draw_id(libweir_engine *e)
{
    pthread_mutex_lock(&e->lock);
    uint64_t id = e->next_key++;
    pthread_mutex_unlock(&e->lock);
    return id;
}

libweir_code api_key_add(libweir_engine *e, libweir_key *out, const api_key_parts *parts,
                         api_key_files *files, libweir_error *error)
{
    weir_errinfo ei = {0};
    api_key *k = weir_calloc(1, sizeof *k);
    *out = 0;
    if (!k) {
        if (files) files_clear(files);
        return api_fail(error, LIBWEIR_E_NOMEM, "no memory for a key");
    }
    k->id = draw_id(e);
    if (files) k->files = *files;
    k->parts = parts ? *parts
                     : (api_key_parts){k->files.rel, &k->files.file.pkey, k->files.pvk,
                                       k->files.shape, k->files.filler};
    weir_err err = reserve_parts(e, k, &ei);
    if (err == WEIR_OK) err = open_kind(e, k, &ei);
    if (err != WEIR_OK) {
        api_key_free(e, k);
        return api_pass(error, err, &ei);
    }
    *out = k->id;
    pthread_mutex_lock(&e->lock);
    k->next = e->keys;
    e->keys = k;
    pthread_mutex_unlock(&e->lock);
    return api_ok(error);
}

libweir_code libweir_key_load(libweir_engine *e, libweir_key *out,
                              const libweir_key_options *options, libweir_error *error)
{
    libweir_key_options o;
    api_key_files files = {.shape = NULL};
    weir_errinfo ei = {0};
    *out = 0;
    libweir_code code = api_read_struct(&o, sizeof o, options, "libweir_key_options", error);
    if (code != LIBWEIR_OK) return code;
    weir_err err = files_open(&files, &o, e->x.isa, &ei);
    if (err != WEIR_OK) {
        files_clear(&files);
        return api_pass(error, err, &ei);
    }
    code = api_key_add(e, out, NULL, &files, error);
    if (code == LIBWEIR_OK)
        api_log(e, LIBWEIR_LOG_NOTE, "key %llu: PoRep of %s sectors, %s", (unsigned long long)*out,
                files.shape->name, o.params_path);
    return code;
}

libweir_code libweir_key_unload(libweir_engine *e, libweir_key key, libweir_error *error)
{
    pthread_mutex_lock(&e->lock);
    api_key **at = &e->keys, *k;
    while ((k = *at) && k->id != key) at = &k->next;
    uint32_t running = 0;
    if (k) {
        pthread_mutex_lock(&e->events);
        running = k->running;
        pthread_mutex_unlock(&e->events);
        if (running == 0) *at = k->next; /* no job can be made of it any more */
    }
    pthread_mutex_unlock(&e->lock);
    if (!k)
        return api_fail(error, LIBWEIR_E_USAGE, "there is no key %llu", (unsigned long long)key);
    if (running > 0)
        return api_fail(error, LIBWEIR_E_BUSY, "key %llu has %u job%s that did not end",
                        (unsigned long long)key, running, running == 1 ? "" : "s");
    api_key_free(e, k);
    return api_ok(error);
}
