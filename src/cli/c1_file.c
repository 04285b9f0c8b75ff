#include "cli/c1_file.h"

#include "base/file.h"

weir_err weir_c1_open(weir_porep_input **out, weir_c1_info *info, const char *path,
                      weir_errinfo *ei)
{
    *out = NULL;
    weir_mapfile file;
    weir_porep_input *in = NULL;
    weir_c1_opts opts = {.info = info};
    WEIR_TRY(weir_mapfile_open(&file, path, ei));
    weir_err err;
    if (file.size_bytes == 0)
        err = weir_fail(ei, WEIR_E_TRUNCATED, "the file is empty");
    else
        err = weir_c1_read(&in, file.data, file.size_bytes, &opts, ei);
    if (err == WEIR_OK) err = weir_porep_input_check(in, ei);
    weir_mapfile_close(&file);
    if (err != WEIR_OK) {
        weir_errinfo_prefix(ei, "%s: ", path);
        weir_porep_input_free(in);
        return err;
    }
    *out = in;
    return WEIR_OK;
}

const char *weir_c1_kind_text(weir_c1_kind kind)
{
    switch (kind) {
    case WEIR_C1_JSON:
        return "JSON of filecoin-proofs";
    case WEIR_C1_API:
        return "JSON of filecoin-proofs-api";
    case WEIR_C1_OUTER:
        return "sector object with base64";
    case WEIR_C1_BINCODE:
        return "bincode";
    }
    return "unknown";
}

void weir_c1_describe(char *out, size_t size, const weir_porep_input *in)
{
    snprintf(out, size, "PoRep of a %s sector, %s, %u partition%s of %u challenges",
             in->shape->name, in->registered ? in->registered->name : "registered proof not named",
             in->partitions, in->partitions == 1 ? "" : "s", in->challenges);
}
