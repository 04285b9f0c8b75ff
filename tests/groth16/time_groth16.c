/* CPU time and memory of key making and proving for one of the reference's circuits, from its dump; says whether key and
 * proof are the reference's. Not a test: the largest takes a minute and 3 GB.
 *
 *     time_groth16 THREADS DUMP PARAMS PROOF
 *     time_groth16 2 groth16-small/sha-block groth16-small/sha-block.json groth16-small/sha-block.json
 *     time_groth16 2 porep-2k-5/circuit-0 porep-2k-5/params.json porep-2k-5/proof.json
 *
 * PARAMS: JSON with the secrets; PROOF: JSON with r, s and the proof. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "hash/sha256.h"
#include "mem_key.h"
#include "proof_vector.h"
#include "r1cs_dump.h"

static const char *first_str(json_t *obj, const char *key)
{
    json_t *v = tk_get(obj, key);
    return json_string_value(json_is_array(v) ? json_array_get(v, 0) : v);
}

static double mb(uint64_t bytes)
{
    return (double)bytes / 1e6;
}
static double seconds(uint64_t ns)
{
    return (double)ns * 1e-9;
}

static void prove_once(const weir_witness *w, const weir_pkey *key, json_t *proof,
                       const weir_exec *x)
{
    weir_blinding b;
    weir_errinfo ei = {0};
    weir_prove_stats t;
    weir_proof p;
    uint8_t want[WEIR_PROOF_BYTES], got[WEIR_PROOF_BYTES];
    tk_hex_scalar(first_str(proof, "r"), &b.r);
    tk_hex_scalar(first_str(proof, "s"), &b.s);
    uint64_t rss = weir_peak_rss_bytes(), cpu = weir_cpu_ns(), wall = weir_now_ns();
    if (weir_prove(&p, w, key, &b, &t, x, &ei) != WEIR_OK) {
        printf("%s\n", ei.text);
        exit(1);
    }
    cpu = weir_cpu_ns() - cpu;
    wall = weir_now_ns() - wall;
    printf("proof: %.3f CPU s, %.3f s; %.0f MB (plan %.0f)\n", seconds(cpu), seconds(wall),
           mb(weir_peak_rss_bytes() - rss), mb(weir_prove_bytes(w->rel, x)));
    printf("  wall s: rows %.3f transforms %.3f h %.3f l %.3f a %.3f b_g1 %.3f b_g2 %.3f finish "
           "%.4f\n",
           seconds(t.eval_ns), seconds(t.ntt_ns), seconds(t.h_ns), seconds(t.l_ns), seconds(t.a_ns),
           seconds(t.b1_ns), seconds(t.b2_ns), seconds(t.finish_ns));
    printf("  %llu points by bit, %llu by scalar\n", (unsigned long long)t.bit_points,
           (unsigned long long)t.dense_points);
    tk_hex_bytes(first_str(proof, "proof"), want, sizeof want);
    tk_proof_bytes(&p, got);
    printf("  the reference's proof: %s\n", memcmp(want, got, sizeof got) == 0 ? "yes" : "NO");
}

/* In a child, so that its peak is its own. */
static void prove_in_child(const weir_witness *w, const weir_pkey *key, json_t *proof,
                           unsigned threads)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        weir_exec x = {.isa = weir_isa_best()};
        if (weir_pool_new(&x.pool, threads, NULL) != WEIR_OK)
            _exit(1); /* the parent's threads are not here */
        prove_once(w, key, proof, &x);
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void key_digest(const tk_mem_key *key)
{
    size_t n, vk_n;
    uint8_t digest[32];
    uint8_t *bytes = tk_mem_key_params(key, &n, &vk_n);
    weir_sha256_hash(digest, bytes, n);
    printf("  %zu bytes, SHA-256 ", n);
    for (int i = 0; i < 32; i++) printf("%02x", digest[i]);
    printf("\n");
    free(bytes);
}

int main(int argc, char **argv)
{
    if (argc != 5) return fprintf(stderr, "time_groth16 THREADS DUMP PARAMS PROOF\n"), 2;
    unsigned threads = (unsigned)strtoul(argv[1], NULL, 10);
    weir_errinfo ei = {0};
    weir_relation *rel;
    weir_witness *w;
    tk_mem_key key;
    weir_secrets secrets;
    const weir_exec x = {.pool = tk_pool(threads), .isa = weir_isa_best()};
    tk_r1cs *dump = tk_r1cs_load(argv[2], TK_COLUMNS_BITS);
    json_t *params = tk_json(argv[3]), *proof = tk_json(argv[4]);
    tk_secrets(params, &secrets);
    if (weir_relation_build(&rel, tk_r1cs_shape, dump, &ei) != WEIR_OK ||
        weir_witness_new(&w, rel, NULL, &ei) != WEIR_OK)
        return printf("%s\n", ei.text), 1;
    tk_r1cs_fill(dump, w);
    tk_r1cs_free(dump);
    printf("%llu rows, %llu columns, domain 2^%u, relation %.0f MB\n",
           (unsigned long long)rel->rows, (unsigned long long)rel->aux, rel->domain_log2,
           mb(rel->bytes));
    uint64_t rss = weir_peak_rss_bytes(), cpu = weir_cpu_ns(), wall = weir_now_ns();
    tk_mem_key_make(&key, rel, &secrets, &x);
    printf("key: %.3f CPU s, %.3f s; %.0f MB with the key itself\n", seconds(weir_cpu_ns() - cpu),
           seconds(weir_now_ns() - wall), mb(weir_peak_rss_bytes() - rss));
    weir_pkey pkey = tk_mem_key_pkey(&key);
    prove_in_child(w, &pkey, proof, threads);
    key_digest(&key);
    tk_mem_key_clear(&key);
    weir_witness_free(w);
    weir_relation_free(rel);
    json_decref(params);
    json_decref(proof);
    return 0;
}
