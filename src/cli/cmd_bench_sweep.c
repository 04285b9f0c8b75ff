/* weir bench sweep: every combination of what is listed, one line each. */
#include "base/alloc.h"
#include "cli/engine_bench.h"

#include <stdio.h>
#include <string.h>

static const weir_opt opts[] = {
    ENGINE_BENCH_OPTS,
    {"count", "LIST", "jobs of a run under load; default: 20", false},
    {"concurrency", "LIST", "jobs in the engine at one time; default: 1,5,15", false},
    {"workers", "LIST", "partitions at once: on the CPU, or filled for a GPU; default: 1", false},
    {"fill-threads", "LIST", "threads of a filling; default: all, 4 at most", false},
    {"msm-threads", "LIST", "threads of the CPU's part of a proof; default: all", false},
    {"reclaim", "LIST", "of pool, serial, detached; default: pool", false},
    {"gate", "LIST", "of on, off; default: on", false},
    {"g2", "LIST", "of device, cpu; default: device", false},
    {"tails", "LIST", "of device, cpu; default: device", false},
    {"budget-device", "SIZE", "most memory of the GPU to take; default: what is free", false},
    {NULL, NULL, NULL, false},
};

enum { MAX_WAYS = 64, MAX_WORD = 40 };

typedef struct sweep {
    engine_way way[MAX_WAYS];
    engine_figures *figures;
    unsigned n;
} sweep;

/* The next word of a list, or NULL at its end. */
static const char *next_word(char out[MAX_WORD], const char **at)
{
    if (!**at) return NULL;
    size_t n = strcspn(*at, ",");
    snprintf(out, MAX_WORD, "%.*s", (int)(n < MAX_WORD ? n : MAX_WORD - 1), *at);
    *at += n;
    if (**at == ',') (*at)++;
    return out;
}

static weir_err set_named(engine_way *w, int which, const char *text, bool one, weir_errinfo *ei)
{
    size_t n = strlen(w->name);
    if (!one)
        snprintf(w->name + n, sizeof w->name - n, "%s%s %s", n ? ", " : "",
                 engine_way_switches[which].option, text);
    return engine_way_set(w, which, text, ei);
}

/* Each way so far, once for each word of the list. */
static weir_err spread(sweep *s, int which, const char *list, weir_errinfo *ei)
{
    const unsigned before = s->n;
    char word[MAX_WORD];
    const bool one = !strchr(list, ',');
    sweep *old = weir_malloc(1, sizeof *old);
    weir_err err = WEIR_OK;
    if (!old) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a sweep");
    *old = *s;
    s->n = 0;
    for (unsigned i = 0; i < before; i++) {
        const char *at = list;
        for (const char *w; (w = next_word(word, &at));) {
            if (s->n == MAX_WAYS) {
                err = weir_fail(ei, WEIR_E_USAGE, "more than %d combinations", MAX_WAYS);
                goto out;
            }
            s->way[s->n] = old->way[i];
            WEIR_TRY_GOTO(set_named(&s->way[s->n++], which, w, one, ei));
        }
    }
    if (s->n == 0)
        err = weir_fail(ei, WEIR_E_USAGE, "--%s: the list is empty",
                        engine_way_switches[which].option);
out:
    weir_free(old);
    return err;
}

static weir_err make_ways(sweep *s, const engine_bench *b)
{
    weir_cli *cli = b->cli;
    engine_bench_default_way(&s->way[0], b);
    s->way[0].name[0] = '\0';
    s->n = 1;
    for (int i = 0; i < ENGINE_WAY_SWITCHES; i++) {
        const char *option = engine_way_switches[i].option;
        const char *list = weir_args_get(&cli->args, option);
        if (!list && strcmp(option, "concurrency") == 0) list = "1,5,15";
        if (list) WEIR_TRY(spread(s, i, list, &cli->ei));
    }
    if (s->n == 1) snprintf(s->way[0].name, sizeof s->way[0].name, "as given");
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    engine_bench b;
    sweep *s = weir_calloc(1, sizeof *s);
    weir_err err = engine_bench_open(&b, cli, false);
    if (err != WEIR_OK) goto out;
    if (s) s->figures = weir_calloc(MAX_WAYS, sizeof *s->figures);
    if (!s || !s->figures) {
        err = weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for a sweep");
        goto out;
    }
    WEIR_TRY_GOTO(make_ways(s, &b));
    WEIR_TRY_GOTO(engine_bench_measure_all(&b, s->way, s->figures, s->n));
out:
    engine_bench_close(&b);
    if (s) weir_free(s->figures);
    weir_free(s);
    return err;
}

const weir_command weir_cmd_bench_sweep = {
    .verb = "bench",
    .noun = "sweep",
    .summary = "many proofs at once, in every combination of what is listed",
    .opts = opts,
    .details = "Options with a LIST take values with commas between them; every combination is "
               "measured as weir bench engine does,\n"
               "64 at most.\n",
    .examples = "weir bench sweep --concurrency 1,4,16 --workers 1,2 --runs 1\n"
                "weir bench sweep --reclaim pool,serial,detached --gate on,off --workers 2\n"
                "weir bench sweep --device gpu --g2 device,cpu --msm-threads 4,8,16",
    .run = run,
};
