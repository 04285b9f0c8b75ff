#include "cli/native_check.h"

#include "base/alloc.h"
#include "circuit/porep_circuit.h"
#include "cli/device.h"
#include "compute/key_reader.h"

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

/* Blocks that are read by all threads, and then checked: as many points as a device takes at once. */
enum { PIECE_POINTS = 16 * WEIR_KEY_BLOCK_POINTS };

typedef struct native_check {
    weir_cli *cli;
    const weir_native_key *k;
    const weir_point_check *check;
    weir_key_points points;
    weir_key_reader reader;
    void *piece;
} native_check;

/* Points first .. first + n - 1 of an array. */
static weir_err check_piece(native_check *c, weir_key_array a, uint64_t first, size_t n)
{
    weir_errinfo *ei = &c->cli->ei;
    bool g2 = a >= WEIR_KEY_ARRAY_B2_BITS;
    size_t bad = 0;
    WEIR_TRY(weir_key_reader_array(&c->reader, a, first, n, c->piece, ei));
    weir_err err = g2 ? c->check->g2(c->check->ctx, c->piece, n, &bad, ei)
                      : c->check->g1(c->check->ctx, c->piece, n, &bad, ei);
    if (!weir_point_check_found(err)) return err;
    return weir_fail(ei, err,
                     "%s: byte %" PRIu64 ", section %s, point %" PRIu64
                     ": %s; the file was not made by an import, make it again",
                     weir_native_key_name(c->k), weir_native_key_offset(c->k, a, first + bad),
                     weir_native_array_names[a], first + bad, weir_err_text(err));
}

static weir_err check_array(native_check *c, weir_key_array a)
{
    uint64_t count = weir_native_key_header(c->k)->count[a];
    for (uint64_t first = 0; first < count; first += PIECE_POINTS) {
        size_t n = count - first < PIECE_POINTS ? (size_t)(count - first) : PIECE_POINTS;
        WEIR_TRY(check_piece(c, a, first, n));
        weir_exec_progress(&c->cli->exec, weir_native_array_names[a], first + n, count);
    }
    return WEIR_OK;
}

static weir_err check_all(native_check *c)
{
    weir_native_key_points(&c->points, c->k);
    c->piece = weir_big_alloc(PIECE_POINTS, sizeof(weir_g2_affine));
    if (!c->piece) return weir_fail(&c->cli->ei, WEIR_E_NOMEM, "no memory for a piece of a key");
    WEIR_TRY(weir_key_reader_init(&c->reader, &c->points, &c->cli->exec, &c->cli->ei));
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) WEIR_TRY(check_array(c, (weir_key_array)a));
    return WEIR_OK;
}

weir_err weir_native_check_points(weir_cli *cli, const weir_native_key *k)
{
    weir_cli_device device = {.budget_bytes = 0};
    weir_device_keys keys;
    native_check c = {.cli = cli, .k = k, .check = &keys.check};
    uint64_t points = 0;
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) points += weir_native_key_header(k)->count[a];
    weir_err err = weir_cli_device_open_keys(&device, &keys, cli, points);
    if (err == WEIR_OK) err = check_all(&c);
    weir_key_reader_clear(&c.reader);
    weir_big_free(c.piece, PIECE_POINTS, sizeof(weir_g2_affine));
    weir_device_keys_close(&keys);
    weir_cli_device_close(&device);
    return err;
}
