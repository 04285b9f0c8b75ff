#include "cli/native_check.h"

#include "base/alloc.h"
#include "circuit/porep_circuit.h"
#include "cli/device.h"

#include <inttypes.h>
#include <string.h>

weir_err weir_native_check_order(weir_cli *cli, weir_key_file *key)
{
    uint64_t count[WEIR_CIRCUIT_COUNTS];
    weir_relation *rel = NULL;
    weir_key_file_counts(count, key);
    const weir_circuit_size *c = weir_circuit_by_counts(count);
    const weir_porep_shape *shape = c ? weir_circuit_shape(c) : NULL;
    if (!shape) return WEIR_OK;
    WEIR_TRY(weir_cli_stage(cli, "build relation", NULL));
    weir_err err = weir_porep_relation(&rel, shape, 0, &cli->ei);
    if (err == WEIR_OK) err = weir_key_file_fit(key, rel, &cli->ei);
    weir_relation_free(rel);
    return err;
}

/* Points first .. first + n - 1 of an array, which lie in the block. */
static weir_err check_block(weir_cli *cli, const weir_point_check *check, const weir_native_key *k,
                            weir_key_array a, uint64_t first, size_t n, void *block)
{
    bool g2 = a >= WEIR_KEY_ARRAY_B2_BITS;
    size_t bad = 0;
    WEIR_TRY(weir_native_key_read(k, a, first, n, block, &cli->ei));
    weir_err err = g2 ? check->g2(check->ctx, block, n, &bad, &cli->ei)
                      : check->g1(check->ctx, block, n, &bad, &cli->ei);
    if (!weir_point_check_found(err)) return err;
    return weir_fail(&cli->ei, err,
                     "%s: byte %" PRIu64 ", section %s, point %" PRIu64
                     ": %s; the file was not made by an import, make it again",
                     weir_native_key_name(k), weir_native_key_offset(k, a, first + bad),
                     weir_native_array_names[a], first + bad, weir_err_text(err));
}

static weir_err check_array(weir_cli *cli, const weir_point_check *check, const weir_native_key *k,
                            weir_key_array a, void *block)
{
    uint64_t count = weir_native_key_header(k)->count[a];
    for (uint64_t first = 0; first < count; first += WEIR_KEY_BLOCK_POINTS) {
        uint64_t left = count - first;
        size_t n = left < WEIR_KEY_BLOCK_POINTS ? (size_t)left : WEIR_KEY_BLOCK_POINTS;
        WEIR_TRY(check_block(cli, check, k, a, first, n, block));
        weir_exec_progress(&cli->exec, weir_native_array_names[a], first + n, count);
    }
    return WEIR_OK;
}

weir_err weir_native_check_points(weir_cli *cli, const weir_native_key *k)
{
    weir_cli_device device = {.budget_bytes = 0};
    weir_device_keys keys;
    uint64_t points = 0;
    void *block = weir_malloc(WEIR_KEY_BLOCK_POINTS, sizeof(weir_g2_affine));
    if (!block) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for a block of points");
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) points += weir_native_key_header(k)->count[a];
    weir_err err = weir_cli_device_open_keys(&device, &keys, cli, points);
    for (int a = 0; err == WEIR_OK && a < WEIR_KEY_ARRAYS; a++)
        err = check_array(cli, &keys.check, k, (weir_key_array)a, block);
    weir_device_keys_close(&keys);
    weir_cli_device_close(&device);
    weir_free(block);
    return err;
}
