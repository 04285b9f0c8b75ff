/* CPU time of the hashes, best of several rounds: time_hash */
#include "base/clock.h"
#include "base/isa.h"
#include "field/fr.h"
#include "hash/blake2b.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7 };

static double best(double now, double before)
{
    return now < before ? now : before;
}

static void time_poseidon(unsigned arity, weir_isa isa)
{
    enum { N = 200 };
    weir_errinfo ei = {0};
    weir_poseidon *p;
    uint64_t t0 = weir_thread_cpu_ns();
    if (weir_poseidon_new(&p, arity, NULL, &ei) != WEIR_OK) return;
    double setup = 1e-6 * (double)(weir_thread_cpu_ns() - t0), hash = 1e30, trace = 1e30,
           traces = 1e30;
    const weir_poseidon_ops *ops = weir_poseidon_ops_get(isa);
    weir_fr *pre = calloc((size_t)N * arity, sizeof *pre), out[N], values[800];
    weir_fr *each = calloc((size_t)N * 800, sizeof *each), *to[N];
    const weir_fr *from[N];
    if (!pre || !each) return;
    for (unsigned i = 0; i < N; i++) {
        to[i] = each + i * 800;
        from[i] = pre + i * arity;
    }
    for (unsigned i = 0; i < N * arity; i++) fr_from_u64(&pre[i], 1000003u * i);
    for (int round = 0; round < ROUNDS; round++) {
        t0 = weir_thread_cpu_ns();
        ops->hash(p, out, pre, N);
        hash = best(1e-3 * (double)(weir_thread_cpu_ns() - t0) / N, hash);
        t0 = weir_thread_cpu_ns();
        for (unsigned i = 0; i < N; i++) ops->trace(p, values, pre + i * arity);
        trace = best(1e-3 * (double)(weir_thread_cpu_ns() - t0) / N, trace);
        t0 = weir_thread_cpu_ns();
        ops->traces(p, to, from, N);
        traces = best(1e-3 * (double)(weir_thread_cpu_ns() - t0) / N, traces);
    }
    printf("poseidon arity %2u %-8s  hash %6.2f us  trace %6.2f us, of many %6.2f us  constants "
           "%6.2f ms\n",
           arity, weir_isa_name(isa), hash, trace, traces, setup);
    free(pre);
    free(each);
    weir_poseidon_free(p);
}

static void time_bytes(void)
{
    enum { BYTES = 1 << 20 };
    uint8_t *data = calloc(1, BYTES), out[64];
    if (!data) return;
    uint32_t state[8] = {0};
    double portable = 1e30, shani = 1e30, blake = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t t0 = weir_thread_cpu_ns();
        weir_sha256_compress_portable(state, data, BYTES / 64);
        portable = best((double)(weir_thread_cpu_ns() - t0) / (BYTES / 64), portable);
        if (weir_sha256_compress_shani()) {
            t0 = weir_thread_cpu_ns();
            weir_sha256_compress_shani()(state, data, BYTES / 64);
            shani = best((double)(weir_thread_cpu_ns() - t0) / (BYTES / 64), shani);
        }
        t0 = weir_thread_cpu_ns();
        weir_blake2b(out, 64, data, BYTES, NULL, 0);
        blake = best((double)(weir_thread_cpu_ns() - t0) / BYTES, blake);
    }
    printf("sha256 portable %.0f ns a block", portable);
    if (weir_sha256_compress_shani()) printf(", SHA-NI %.0f ns", shani);
    printf("; blake2b %.2f ns a byte\n", blake);
    free(data);
}

int main(void)
{
    const unsigned arities[] = {2, 4, 8, 11, 16};
    for (weir_isa isa = 0; isa < WEIR_ISA_COUNT; isa++)
        for (size_t i = 0; i < sizeof arities / sizeof *arities; i++)
            if (weir_isa_supported(isa)) time_poseidon(arities[i], isa);
    time_bytes();
    return 0;
}
