/* A C1 file as the commands take it: mapped, parsed, checked. */
#ifndef WEIR_CLI_C1_FILE_H
#define WEIR_CLI_C1_FILE_H

#include "cli/cli.h"
#include "formats/c1.h"

/* Parses and runs the cheap checks of weir_porep_input_check. info: may be NULL. Errors name the
 * file. */
weir_err weir_c1_open(weir_porep_input **out, weir_c1_info *info, const char *path,
                      weir_errinfo *ei) WEIR_MUST_USE;
/* "JSON of filecoin-proofs", and so on. */
const char *weir_c1_kind_text(weir_c1_kind kind);
/* "PoRep of a 2KiB sector, StackedDrg2KiBV1_1, 1 partition", for people. */
void weir_c1_describe(char *out, size_t size, const weir_porep_input *in);

#endif
