#include "api/key_file.h"

#include "base/alloc.h"
#include "base/file.h"
#include "hash/blake2b.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The verifying key in the file. */
static const uint8_t *vk_of(const weir_key_file *k, uint64_t *bytes)
{
    if (k->native) return weir_native_key_vk(k->native, bytes);
    *bytes = k->params->vk_bytes;
    return k->params->data;
}

/* The bytes of a .vk file must be those in the key. */
static weir_err compare_vk(const weir_key_file *k, const char *path, weir_isa isa, weir_errinfo *ei)
{
    weir_vk *vk = NULL;
    weir_mapfile file;
    uint64_t bytes, at = 0;
    const uint8_t *own = vk_of(k, &bytes);
    WEIR_TRY(weir_vk_open(&vk, path, isa, ei)); /* a message about the file itself comes first */
    weir_vk_free(vk);
    WEIR_TRY(weir_mapfile_open(&file, path, ei));
    uint64_t n = file.size_bytes < bytes ? file.size_bytes : bytes;
    while (at < n && file.data[at] == own[at]) at++;
    bool same = file.size_bytes == bytes && at == n;
    weir_mapfile_close(&file);
    if (same) return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "%s is not the verifying key of %s: they differ from byte %" PRIu64
                     " on; take the files of one key",
                     path, weir_key_file_name(k), at);
}

weir_err weir_key_file_is_native(bool *native, const char *path, weir_errinfo *ei)
{
    uint8_t begin[16] = {0};
    weir_readfile file;
    WEIR_TRY(weir_readfile_open(&file, path, ei));
    size_t n = file.size_bytes < sizeof begin ? (size_t)file.size_bytes : sizeof begin;
    weir_err err = weir_readfile_at(&file, 0, begin, n, ei);
    *native = err == WEIR_OK && weir_native_key_begins(begin, n);
    weir_readfile_close(&file);
    return err;
}

static weir_err open_points(weir_key_file *k, const char *path, weir_isa isa, weir_errinfo *ei)
{
    bool native;
    WEIR_TRY(weir_key_file_is_native(&native, path, ei));
    if (native) {
        WEIR_TRY(weir_native_key_open(&k->native, path, ei));
        weir_native_key_points(&k->pkey.points, k->native);
        return weir_native_key_read_vk(&k->vk, k->native, isa, ei);
    }
    WEIR_TRY(weir_params_open(&k->params, path, ei));
    weir_params_points(&k->pkey.points, k->params);
    return weir_params_read_vk(&k->vk, k->params, isa, ei);
}

weir_err weir_key_file_open(weir_key_file *out, const char *path, const char *vk_path, weir_isa isa,
                            weir_errinfo *ei)
{
    *out = (weir_key_file){0};
    WEIR_TRY(open_points(out, path, isa, ei));
    if (weir_vk_is_insecure(out->vk))
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: anyone can forge proofs for this key (gamma equals delta, or delta "
                         "is the generator): its "
                         "set-up was not finished",
                         path);
    if (vk_path) WEIR_TRY(compare_vk(out, vk_path, isa, ei));
    out->pkey.vk = out->vk;
    return WEIR_OK;
}

void weir_key_file_close(weir_key_file *k)
{
    weir_vk_free(k->vk);
    weir_params_close(k->params);
    weir_native_key_close(k->native);
    *k = (weir_key_file){0};
}

const char *weir_key_file_name(const weir_key_file *k)
{
    return k->native ? weir_native_key_name(k->native) : k->params->name;
}

uint64_t weir_key_file_size(const weir_key_file *k)
{
    return k->native ? weir_native_key_bytes(weir_native_key_header(k->native))
                     : k->params->size_bytes;
}

uint64_t weir_key_file_held(const weir_key_file *k)
{
    return k->native ? weir_native_key_held(k->native) : 0;
}

weir_err weir_key_file_fit(weir_key_file *k, const weir_relation *rel, weir_errinfo *ei)
{
    WEIR_TRY(weir_pkey_fits(&k->pkey, rel, ei));
    return k->native ? weir_native_key_fit(k->native, rel, ei) : WEIR_OK;
}

void weir_key_file_counts(uint64_t count[WEIR_CIRCUIT_COUNTS], const weir_key_file *k)
{
    const weir_native_header *h = k->native ? weir_native_key_header(k->native) : NULL;
    count[0] = h ? h->inputs : k->params->n_ic;
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++)
        count[s + 1] = h ? weir_native_points(h, s) : k->params->section[s].count;
}

weir_err weir_key_file_is_porep(const weir_key_file *k, const weir_porep_shape *shape,
                                weir_errinfo *ei)
{
    static const char *const names[WEIR_CIRCUIT_COUNTS] = {"ic", "h", "l", "a", "b_g1", "b_g2"};
    const weir_circuit_size *c = weir_circuit_porep(shape);
    uint64_t want[WEIR_CIRCUIT_COUNTS], have[WEIR_CIRCUIT_COUNTS];
    if (!c)
        return weir_fail(ei, WEIR_E_INTERNAL, "the PoRep circuit of %s sectors is in no table",
                         shape->name);
    weir_circuit_counts(want, c);
    weir_key_file_counts(have, k);
    int i = 0;
    while (i < WEIR_CIRCUIT_COUNTS && want[i] == have[i]) i++;
    if (i == WEIR_CIRCUIT_COUNTS) return WEIR_OK;
    const weir_circuit_size *other = weir_circuit_by_counts(have);
    char name[WEIR_CACHE_NAME_SIZE];
    weir_porep_cache_name(name, shape);
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "%s is a key of %s, not of %s: it has %" PRIu64 " %s points, not %" PRIu64
                     "; Filecoin's name for the right file is %s.params",
                     weir_key_file_name(k), other ? other->name : "no Filecoin circuit", c->name,
                     have[i], names[i], want[i], name);
}

weir_err weir_key_file_digest(uint8_t out[WEIR_KEY_DIGEST_BYTES], const uint8_t *data, uint64_t n,
                              const weir_exec *x, weir_errinfo *ei)
{
    enum { STEP = 1 << 24, FULL = 64 };
    uint8_t full[FULL];
    weir_blake2b_stream s;
    weir_blake2b_init(&s, FULL);
    for (uint64_t at = 0; at < n; at += STEP) {
        if (weir_exec_cancelled(x))
            return weir_fail(ei, WEIR_E_CANCELLED, "stopped while the digest was computed");
        uint64_t step = n - at < STEP ? n - at : STEP;
        weir_blake2b_update(&s, data + at, step);
        weir_exec_progress(x, "digest", at + step, n);
    }
    weir_blake2b_final(&s, full, FULL);
    memcpy(out, full, WEIR_KEY_DIGEST_BYTES);
    return WEIR_OK;
}
