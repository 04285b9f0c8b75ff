/* What a verifier is told of a seal: seven values, from a JSON file
 * (formats/porep_public_json.h) or from options. */
#ifndef WEIR_CLI_SEAL_H
#define WEIR_CLI_SEAL_H

#include "cli/args.h"
#include "formats/porep_public_json.h"

/* Errors name the file. */
weir_err weir_seal_open(weir_porep_public_values *out, const char *path,
                        weir_errinfo *ei) WEIR_MUST_USE;
/* Errors: WEIR_E_USAGE; it names every option that is missing. */
weir_err weir_seal_from_args(weir_porep_public_values *out, const weir_args *args,
                             weir_errinfo *ei) WEIR_MUST_USE;
/* True if any of the options of weir_seal_from_args is there. */
bool weir_seal_in_args(const weir_args *args);
/* Whole or not at all. */
weir_err weir_seal_save(const weir_porep_public_values *seal, const char *path,
                        weir_errinfo *ei) WEIR_MUST_USE;

#endif
