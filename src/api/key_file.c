#include "api/key_file.h"

#include "base/alloc.h"
#include "base/file.h"
#include "hash/blake2b.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The bytes of a .vk file must be those in front of the .params. */
static weir_err compare_vk(const weir_params *p, const char *path, weir_isa isa, weir_errinfo *ei)
{
    weir_vk *vk = NULL;
    weir_mapfile file;
    WEIR_TRY(weir_vk_open(&vk, path, isa, ei)); /* a message about the file itself comes first */
    weir_vk_free(vk);
    WEIR_TRY(weir_mapfile_open(&file, path, ei));
    uint64_t n = file.size_bytes < p->vk_bytes ? file.size_bytes : p->vk_bytes, at = 0;
    while (at < n && file.data[at] == p->data[at]) at++;
    bool same = file.size_bytes == p->vk_bytes && at == n;
    weir_mapfile_close(&file);
    if (same) return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "%s is not the verifying key of %s: they differ from byte %" PRIu64
                     " on; take the files of one key",
                     path, p->name, at);
}

weir_err weir_key_file_open(weir_key_file *out, const char *path, const char *vk_path, weir_isa isa,
                            weir_errinfo *ei)
{
    *out = (weir_key_file){0};
    WEIR_TRY(weir_params_open(&out->params, path, ei));
    WEIR_TRY(weir_params_read_vk(&out->vk, out->params, isa, ei));
    if (weir_vk_is_insecure(out->vk))
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: anyone can forge proofs for this key (gamma equals delta, or delta "
                         "is the generator): its "
                         "set-up was not finished",
                         path);
    if (vk_path) WEIR_TRY(compare_vk(out->params, vk_path, isa, ei));
    out->pkey.vk = out->vk;
    weir_params_points(&out->pkey.points, out->params);
    return WEIR_OK;
}

void weir_key_file_close(weir_key_file *k)
{
    weir_vk_free(k->vk);
    weir_params_close(k->params);
    *k = (weir_key_file){0};
}

void weir_key_file_counts(uint64_t count[WEIR_CIRCUIT_COUNTS], const weir_params *p)
{
    count[0] = p->n_ic;
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) count[i + 1] = p->section[i].count;
}

weir_err weir_key_file_is_porep(const weir_params *p, const weir_porep_shape *shape,
                                weir_errinfo *ei)
{
    static const char *const names[WEIR_CIRCUIT_COUNTS] = {"ic", "h", "l", "a", "b_g1", "b_g2"};
    const weir_circuit_size *c = weir_circuit_porep(shape);
    uint64_t want[WEIR_CIRCUIT_COUNTS], have[WEIR_CIRCUIT_COUNTS];
    if (!c)
        return weir_fail(ei, WEIR_E_INTERNAL, "the PoRep circuit of %s sectors is in no table",
                         shape->name);
    weir_circuit_counts(want, c);
    weir_key_file_counts(have, p);
    int i = 0;
    while (i < WEIR_CIRCUIT_COUNTS && want[i] == have[i]) i++;
    if (i == WEIR_CIRCUIT_COUNTS) return WEIR_OK;
    const weir_circuit_size *other = weir_circuit_by_counts(have);
    char name[WEIR_CACHE_NAME_SIZE];
    weir_porep_cache_name(name, shape);
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "%s is a key of %s, not of %s: it has %" PRIu64 " %s points, not %" PRIu64
                     "; Filecoin's name for the right file is %s.params",
                     p->name, other ? other->name : "no Filecoin circuit", c->name, have[i],
                     names[i], want[i], name);
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
