#include "api_kit.h"

#include <string.h>
#include <unistd.h>

void kit_ok(libweir_code code, const libweir_error *error)
{
    if (code != LIBWEIR_OK) fail_msg("%s: %s", libweir_error_name(code), error->text);
    assert_int_equal(error->code, LIBWEIR_OK);
    assert_string_equal(error->text, "");
}

void kit_fails(libweir_code code, const libweir_error *error, libweir_code want, const char *part)
{
    if (code != want || error->code != want || !strstr(error->text, part))
        fail_msg("%s instead of %s with '%s': %s", libweir_error_name(code),
                 libweir_error_name(want), part, error->text);
}

void kit_circuit(kit *k)
{
    weir_errinfo ei = {0};
    memset(k, 0, sizeof *k);
    k->x = (weir_exec){.isa = weir_isa_best(), .pool = tk_pool(2)};
    assert_int_equal(weir_bench_circuit_mixed(&k->c, 6, &ei), WEIR_OK);
    assert_int_equal(weir_bench_circuit_key(&k->c, true, &k->x, &ei), WEIR_OK);
    assert_int_equal(weir_porep_filler_new(&k->filler, weir_porep_shape_by_size(2048), &ei),
                     WEIR_OK);
}

void kit_add_key(kit *k, libweir_key *out)
{
    libweir_error error;
    const api_key_parts parts = {k->c.rel, &k->c.key, k->c.pvk, weir_porep_shape_by_size(2048),
                                 k->filler};
    kit_ok(api_key_add(k->e, out, &parts, NULL, &error), &error);
}

void kit_open(kit *k, uint64_t memory_bytes)
{
    libweir_error error;
    libweir_options o;
    kit_circuit(k);
    libweir_options_init(&o);
    o.device = "cpu";
    o.memory_bytes = memory_bytes;
    o.fill_threads = 1;
    o.device_threads = 2;
    kit_ok(libweir_open(&k->e, &o, &error), &error);
    kit_add_key(k, &k->key);
}

void kit_close(kit *k)
{
    libweir_close(k->e);
    weir_porep_filler_free(k->filler);
    weir_bench_circuit_clear(&k->c);
}

/* ---- jobs */

static weir_err parse(void *ctx, uint32_t *partitions, const weir_exec *x, weir_errinfo *ei)
{
    kit_job *j = ctx;
    weir_proof_source s = weir_bench_request_source(j->request);
    return s.parse(s.ctx, partitions, x, ei);
}

static weir_err fill(void *ctx, uint32_t part, weir_witness *w, const weir_exec *x,
                     weir_errinfo *ei)
{
    kit_job *j = ctx;
    weir_proof_source s = weir_bench_request_source(j->request);
    j->k->order[atomic_fetch_add(&j->k->filled, 1)] = j->number;
    while (!atomic_load(&j->k->go)) {
        if (weir_exec_cancelled(x)) return weir_fail(ei, WEIR_E_CANCELLED, "stopped");
        usleep(500);
    }
    return s.fill(s.ctx, part, w, x, ei);
}

static void inputs(void *ctx, uint32_t part, weir_fr *out)
{
    kit_job *j = ctx;
    weir_proof_source s = weir_bench_request_source(j->request);
    s.inputs(s.ctx, part, out);
}

void kit_submit(kit *k, kit_job *j, uint64_t seed, bool held, const libweir_job_options *options)
{
    weir_errinfo ei = {0};
    libweir_error error;
    *j = (kit_job){.k = k, .number = (unsigned)seed};
    assert_int_equal(weir_bench_request_new(&j->request, &k->c, seed, &ei), WEIR_OK);
    const weir_proof_source holding = {.ctx = j, .parse = parse, .fill = fill, .inputs = inputs};
    const weir_proof_source plain = weir_bench_request_source(j->request);
    kit_ok(api_submit(k->e, &j->id, k->key, held ? &holding : &plain, options, &error), &error);
}

libweir_report kit_end(kit *k, libweir_job id)
{
    libweir_report r;
    libweir_error error;
    libweir_report_init(&r);
    kit_ok(libweir_wait(k->e, &r, id, 120, &error), &error);
    return r;
}

void kit_read(kit *k, libweir_job id)
{
    libweir_report r;
    libweir_error error;
    libweir_report_init(&r);
    for (;;) {
        kit_ok(libweir_poll(k->e, &r, id, &error), &error);
        if (r.state != LIBWEIR_WAITING) return;
        usleep(500);
    }
}

bool kit_accepted(kit *k, kit_job *j)
{
    uint8_t bytes[LIBWEIR_PROOF_BYTES];
    size_t n;
    bool valid;
    weir_errinfo ei = {0};
    libweir_error error;
    kit_ok(libweir_proof(k->e, bytes, &n, sizeof bytes, j->id, &error), &error);
    assert_int_equal(n, sizeof bytes);
    assert_int_equal(weir_bench_request_accepts(&valid, j->request, bytes, n, &k->x, &ei), WEIR_OK);
    return valid;
}

void kit_job_clear(kit_job *j)
{
    weir_bench_request_free(j->request);
}

uint64_t kit_used(kit *k)
{
    libweir_memory_report m;
    libweir_error error;
    libweir_memory_report_init(&m);
    kit_ok(libweir_memory(k->e, &m, &error), &error);
    return m.used_bytes;
}
