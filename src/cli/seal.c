#include "cli/seal.h"

#include "base/file.h"
#include "cli/values.h"

#include <string.h>

weir_err weir_seal_open(weir_porep_public_values *out, const char *path, weir_errinfo *ei)
{
    weir_mapfile file;
    weir_err err;
    WEIR_TRY(weir_mapfile_open(&file, path, ei));
    if (file.size_bytes == 0)
        err = weir_fail(ei, WEIR_E_TRUNCATED, "the file is empty");
    else
        err = weir_porep_public_read(out, file.data, file.size_bytes, ei);
    weir_mapfile_close(&file);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "%s: ", path);
    return err;
}

enum { O_REGISTERED, O_PROVER, O_SECTOR, O_TICKET, O_SEED, O_COMM_D, O_COMM_R, OPTIONS };
static const char *const options[OPTIONS] = {
    "registered-proof", "prover-id", "sector", "ticket", "seed", "comm-d", "comm-r"};

static weir_err set_option(weir_porep_public_values *s, int option, const char *text,
                           weir_errinfo *ei)
{
    const char *name = options[option];
    switch (option) {
    case O_REGISTERED:
        return weir_value_registered(&s->registered, name, text, ei);
    case O_PROVER:
        return weir_value_hex(s->prover_id, 32, name, text, ei);
    case O_SECTOR:
        return weir_value_u64(&s->sector_id, name, text, 0, UINT64_MAX, ei);
    case O_TICKET:
        return weir_value_hex(s->ticket, 32, name, text, ei);
    case O_SEED:
        return weir_value_hex(s->seed, 32, name, text, ei);
    case O_COMM_D:
        return weir_value_hex(s->comm_d.b, 32, name, text, ei);
    default:
        return weir_value_hex(s->comm_r.b, 32, name, text, ei);
    }
}

weir_err weir_seal_from_args(weir_porep_public_values *out, const weir_args *args, weir_errinfo *ei)
{
    *out = (weir_porep_public_values){0};
    char missing[200] = "";
    for (int i = 0; i < OPTIONS; i++) {
        const char *text = weir_args_get(args, options[i]);
        size_t n = strlen(missing);
        if (text)
            WEIR_TRY(set_option(out, i, text, ei));
        else
            snprintf(missing + n, sizeof missing - n, "%s--%s", n ? ", " : "", options[i]);
    }
    if (missing[0])
        return weir_fail(
            ei, WEIR_E_USAGE,
            "the seal comes from --public FILE.json or from single options; missing: %s", missing);
    return WEIR_OK;
}

bool weir_seal_in_args(const weir_args *args)
{
    for (int i = 0; i < OPTIONS; i++)
        if (weir_args_has(args, options[i])) return true;
    return false;
}

weir_err weir_seal_save(const weir_porep_public_values *seal, const char *path, weir_errinfo *ei)
{
    weir_outfile out;
    WEIR_TRY(weir_outfile_open(&out, path, ei));
    weir_err err = weir_porep_public_write(&out, seal, ei);
    if (err == WEIR_OK) err = weir_outfile_commit(&out, ei);
    weir_outfile_discard(&out);
    return err;
}
