/* What 'weir key check' does with a native key. */
#ifndef WEIR_CLI_NATIVE_CHECK_H
#define WEIR_CLI_NATIVE_CHECK_H

#include "api/key_file.h"
#include "cli/cli.h"

/* Do its points stand in the order of its circuit? Nothing is asked of a key that is none of weir's circuits'. Stage: "build
 * relation". Errors: WEIR_E_MISMATCH, WEIR_E_NOMEM. */
weir_err weir_native_check_order(weir_cli *cli, weir_key_file *key) WEIR_MUST_USE;

/* Every block against its digest, and every point: curve, subgroup, not infinity. Errors: the first that fails, with section, point
 * and byte offset; WEIR_E_CANCELLED, WEIR_E_NOMEM. */
weir_err weir_native_check_points(weir_cli *cli, const weir_native_key *k) WEIR_MUST_USE;

#endif
