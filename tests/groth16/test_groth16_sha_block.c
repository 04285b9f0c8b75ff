/* One block of SHA-256, 26 thousand rows: the key's digest and the proof's bytes are the reference's. */
#include "base/clock.h"
#include "field/fr.h"
#include "hash/sha256.h"
#include "mem_key.h"
#include "proof_vector.h"
#include "r1cs_dump.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

static const char BASE[] = "groth16-small/sha-block";

typedef struct fixture {
    tk_r1cs *dump;
    json_t *json;
    weir_relation *rel;
    weir_witness *w;
    weir_blinding blinding;
    tk_mem_key key;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    weir_errinfo ei = {0};
    weir_secrets secrets;
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    f->dump = tk_r1cs_load(BASE, TK_COLUMNS_BITS);
    f->json = tk_json("groth16-small/sha-block.json");
    tk_secrets(f->json, &secrets);
    tk_blinding(f->json, &f->blinding);
    assert_int_equal(weir_relation_build(&f->rel, tk_r1cs_shape, f->dump, &ei), WEIR_OK);
    assert_int_equal(weir_witness_new(&f->w, f->rel, NULL, &ei), WEIR_OK);
    tk_r1cs_fill(f->dump, f->w);
    assert_int_equal(weir_relation_check(f->w, &x), f->rel->rows);
    uint64_t t0 = weir_cpu_ns();
    tk_mem_key_make(&f->key, f->rel, &secrets, &x);
    print_message("key: %.3f CPU s\n", (double)(weir_cpu_ns() - t0) * 1e-9);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    tk_mem_key_clear(&f->key);
    weir_witness_free(f->w);
    weir_relation_free(f->rel);
    json_decref(f->json);
    tk_r1cs_free(f->dump);
    free(f);
    return 0;
}

/* The digest and size of an uncompressed file of the folder. */
static void manifest(const char *name, uint8_t digest[32], size_t *bytes)
{
    json_t *m = tk_json("groth16-small/MANIFEST.json"), *files = tk_get(m, "files");
    *bytes = 0;
    for (size_t i = 0; i < json_array_size(files); i++) {
        json_t *file = json_array_get(files, i);
        if (strcmp(tk_str(file, "name"), name) != 0) continue;
        *bytes = (size_t)json_integer_value(tk_get(file, "bytes"));
        tk_hex_bytes(tk_str(file, "sha256"), digest, 32);
    }
    assert_true(*bytes > 0);
    json_decref(m);
}

static void key_digest(void **state)
{
    fixture *f = *state;
    uint8_t want[32], got[32];
    size_t n, vk_n, want_n;
    uint8_t *bytes = tk_mem_key_params(&f->key, &n, &vk_n);
    weir_sha256_hash(got, bytes, n);
    manifest("sha-block.params", want, &want_n);
    assert_int_equal(n, want_n);
    assert_memory_equal(got, want, 32);
    weir_sha256_hash(got, bytes, vk_n);
    manifest("sha-block.vk", want, &want_n);
    assert_int_equal(vk_n, want_n);
    assert_memory_equal(got, want, 32);
    free(bytes);
}

static void proof_bytes(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    weir_pkey key = tk_mem_key_pkey(&f->key);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = 1; threads <= 3; threads++) {
            const weir_exec x = {.pool = tk_pool(threads), .isa = isa};
            weir_proof p;
            weir_prove_stats t;
            uint64_t t0 = weir_cpu_ns();
            assert_int_equal(weir_prove(&p, f->w, &key, &f->blinding, &t, &x, &ei), WEIR_OK);
            tk_assert_proof(&p, tk_str(f->json, "proof"));
            print_message("%s, %u threads: %.0f CPU ms; wall ms: rows %.1f transforms %.1f h %.1f "
                          "l %.1f a %.1f b %.1f %.1f "
                          "finish %.1f; %llu bits, %llu dense; plan %llu bytes\n",
                          weir_isa_name(isa), threads, (double)(weir_cpu_ns() - t0) * 1e-6,
                          (double)t.eval_ns * 1e-6, (double)t.ntt_ns * 1e-6, (double)t.h_ns * 1e-6,
                          (double)t.l_ns * 1e-6, (double)t.a_ns * 1e-6, (double)t.b1_ns * 1e-6,
                          (double)t.b2_ns * 1e-6, (double)t.finish_ns * 1e-6,
                          (unsigned long long)t.bit_points, (unsigned long long)t.dense_points,
                          (unsigned long long)weir_prove_bytes(f->rel, &x));
        }
}

static void verifies(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    size_t n;
    weir_fr *in = tk_inputs(tk_get(f->json, "inputs"), &n);
    assert_int_equal(n, f->rel->inputs - 1);
    assert_memory_equal(in, f->dump->input_value + 1, n * sizeof *in);
    weir_pvk *pvk;
    weir_proof p;
    bool valid;
    tk_proof_from_hex(tk_str(f->json, "proof"), &p);
    assert_int_equal(weir_pvk_new(&pvk, &f->key.vk, x.isa, &ei), WEIR_OK);
    uint64_t t0 = weir_cpu_ns();
    assert_int_equal(weir_verify(&valid, pvk, &p, in, n, &x, &ei), WEIR_OK);
    print_message("verification: %.2f CPU ms\n", (double)(weir_cpu_ns() - t0) * 1e-6);
    assert_true(valid);
    in[0] = in[1];
    assert_int_equal(weir_verify(&valid, pvk, &p, in, n, &x, &ei), WEIR_OK);
    assert_false(valid);
    weir_pvk_free(pvk);
    free(in);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_digest),
        cmocka_unit_test(proof_bytes),
        cmocka_unit_test(verifies),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
