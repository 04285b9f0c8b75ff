/* A PoRep proof by the C interface: prove KEY.params SECTOR-BYTES C1-FILE PROOF-FILE [DEVICE]
 *
 * cc prove.c $(pkg-config --cflags --libs weir) -o prove          with libweir.so
 * cc prove.c $(pkg-config --cflags --libs weir-static) -o prove   without
 */
#include <weir/weir.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

/* Says what went wrong; true if anything did. */
static int failed(libweir_code code, const libweir_error *error)
{
    if (code != LIBWEIR_OK) fprintf(stderr, "%s: %s\n", libweir_error_name(code), error->text);
    return code != LIBWEIR_OK;
}

static void say(void *ctx, libweir_log_level level, const char *text)
{
    (void)ctx;
    fprintf(stderr, "%s%s\n", level == LIBWEIR_LOG_WARNING ? "warning: " : "", text);
}

/* A whole file; NULL if it cannot be read. */
static void *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    void *data = NULL;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        long size = ftell(f);
        rewind(f);
        data = size > 0 ? malloc((size_t)size) : NULL;
        *n = data ? fread(data, 1, (size_t)size, f) : 0;
    }
    if (f) fclose(f);
    return data;
}

/* An event loop would watch the descriptor beside its own. */
static libweir_code follow(libweir_engine *e, libweir_report *r, libweir_job job,
                           libweir_error *error)
{
    struct pollfd p = {.fd = libweir_event_fd(e), .events = POLLIN};
    libweir_job changed;
    libweir_report_init(r);
    do {
        poll(&p, 1, -1);
        while (libweir_next_event(e, &changed)) continue; /* there is but one job */
        libweir_code code = libweir_poll(e, r, job, error);
        if (code != LIBWEIR_OK) return code;
        fprintf(stderr, "%.1f s: %u of %u partitions\n", r->total_s, r->done, r->partitions);
    } while (r->state < LIBWEIR_DONE);
    return LIBWEIR_OK;
}

static int write_proof(libweir_engine *e, libweir_job job, uint32_t partitions, const char *path)
{
    libweir_error error;
    size_t n, room = (size_t)partitions * LIBWEIR_PROOF_BYTES;
    void *proof = malloc(room + 1);
    int bad = !proof || failed(libweir_proof(e, proof, &n, room, job, &error), &error);
    FILE *f = bad ? NULL : fopen(path, "wb");
    if (!bad && (!f || fwrite(proof, 1, n, f) != n)) bad = 1;
    if (f && fclose(f) != 0) bad = 1;
    if (bad) fprintf(stderr, "%s was not written\n", path);
    free(proof);
    return bad;
}

static int prove(libweir_engine *e, char **argv)
{
    libweir_error error;
    libweir_key_options k;
    libweir_key key;
    libweir_job job;
    libweir_report r;
    size_t n;
    libweir_key_options_init(&k);
    k.params_path = argv[1];
    k.sector_bytes = strtoull(argv[2], NULL, 10);
    if (failed(libweir_key_load(e, &key, &k, &error), &error)) return 1;
    void *c1 = read_file(argv[3], &n);
    if (!c1) fprintf(stderr, "%s cannot be read\n", argv[3]);
    if (!c1) return 1;
    libweir_code code = libweir_submit_porep(e, &job, key, c1, n, NULL, &error);
    free(c1); /* it was copied */
    if (failed(code, &error) || failed(follow(e, &r, job, &error), &error)) return 1;
    if (r.state != LIBWEIR_DONE) fprintf(stderr, "%s: %s\n", libweir_error_name(r.code), r.text);
    return r.state != LIBWEIR_DONE || write_proof(e, job, r.partitions, argv[4]);
}

int main(int argc, char **argv)
{
    libweir_error error;
    libweir_engine *e;
    libweir_options o;
    if (argc < 5) {
        fprintf(stderr, "usage: prove KEY.params SECTOR-BYTES C1-FILE PROOF-FILE [DEVICE]\n");
        return 2;
    }
    libweir_options_init(&o);
    o.device = argc > 5 ? argv[5] : "auto";
    o.log = say;
    if (failed(libweir_open(&e, &o, &error), &error)) return 1;
    int bad = prove(e, argv);
    libweir_close(e);
    return bad;
}
