/* weir trace: where every second of an engine's day went, as figures and as pictures. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/trace_say.h"
#include "cli/values.h"
#include "engine/trace_file.h"
#include "engine/trace_picture.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

static const weir_opt opts[] = {
    {"html", "OUT.html", "write a page to zoom into, with mouse or keyboard; needs no network",
     false},
    {"svg", "OUT.svg", "write a picture", false},
    {"chrome", "OUT.json", "write Chrome's trace format, for ui.perfetto.dev", false},
    {"from", "S", "begin so many seconds after the first moment of the trace", false},
    {"to", "S", "end there; default: the last moment", false},
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

typedef struct tracer {
    weir_spans spans;
    weir_trace_sum sum;
    char title[100];
} tracer;

static weir_err choose_view(weir_trace_view *v, weir_cli *cli, const weir_spans *s)
{
    const char *from = weir_args_get(&cli->args, "from"), *to = weir_args_get(&cli->args, "to");
    uint64_t from_ns = 0, to_ns;
    *v = weir_spans_view(s);
    to_ns = v->to_ns - v->origin_ns;
    if (from) WEIR_TRY(weir_value_seconds(&from_ns, "from", from, &cli->ei));
    if (to) WEIR_TRY(weir_value_seconds(&to_ns, "to", to, &cli->ei));
    if (to_ns > v->to_ns - v->origin_ns) to_ns = v->to_ns - v->origin_ns;
    if (from_ns >= to_ns)
        return weir_fail(&cli->ei, WEIR_E_USAGE,
                         "%s: nothing lies between second %s and second %s; it lasts %.3f s",
                         cli->args.operand, from ? from : "0", to ? to : "its last",
                         (double)(v->to_ns - v->origin_ns) / 1e9);
    v->from_ns = v->origin_ns + from_ns;
    v->to_ns = v->origin_ns + to_ns;
    return WEIR_OK;
}

/* ---- pictures */

typedef weir_err (*write_fn)(FILE *out, const tracer *t, weir_errinfo *ei);

static weir_err write_html(FILE *out, const tracer *t, weir_errinfo *ei)
{
    return weir_trace_write_html(out, &t->spans, &t->sum, t->title, ei);
}
static weir_err write_svg(FILE *out, const tracer *t, weir_errinfo *ei)
{
    return weir_trace_write_svg(out, &t->spans, &t->sum, t->title, ei);
}
static weir_err write_chrome(FILE *out, const tracer *t, weir_errinfo *ei)
{
    (void)ei;
    weir_spans_write_chrome(out, &t->spans, &t->sum.view);
    return WEIR_OK;
}

static const struct {
    const char *option;
    write_fn write;
} pictures[] = {{"html", write_html}, {"svg", write_svg}, {"chrome", write_chrome}};
enum { PICTURES = sizeof pictures / sizeof pictures[0] };

/* In memory first, so that the file is whole or not there. */
static weir_err write_picture(weir_cli *cli, const tracer *t, int i)
{
    const char *path = weir_args_get(&cli->args, pictures[i].option);
    char *text = NULL, size[24];
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) return weir_fail(&cli->ei, WEIR_E_NOMEM, "%s: no memory for it", path);
    weir_err err = pictures[i].write(f, t, &cli->ei);
    bool failed = ferror(f) != 0;
    if ((fclose(f) != 0 || failed) && err == WEIR_OK)
        err = weir_fail(&cli->ei, WEIR_E_NOMEM, "%s: no memory for it", path);
    if (err == WEIR_OK) err = weir_file_write(path, text, n, &cli->ei);
    free(text); /* open_memstream's */
    WEIR_TRY(err);
    weir_bytes_print(size, n);
    weir_cli_say(cli, "%s: %s", path, size);
    return WEIR_OK;
}

static weir_err write_pictures(weir_cli *cli, const tracer *t, bool *any)
{
    for (int i = 0; i < PICTURES; i++) {
        if (!weir_args_has(&cli->args, pictures[i].option)) continue;
        WEIR_TRY(write_picture(cli, t, i));
        *any = true;
    }
    return WEIR_OK;
}

/* ---- */

static void set_title(tracer *t, const char *path)
{
    char copy[400];
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(t->title, sizeof t->title, "%.80s", basename(copy));
}

static weir_err run(weir_cli *cli)
{
    tracer t = {.title = ""};
    weir_trace_view view;
    bool pictured = false;
    weir_err err;
    set_title(&t, cli->args.operand);
    WEIR_TRY_GOTO(weir_spans_load(&t.spans, cli->args.operand, &cli->ei));
    WEIR_TRY_GOTO(choose_view(&view, cli, &t.spans));
    WEIR_TRY_GOTO(weir_trace_sum_make(&t.sum, &t.spans, &view, WEIR_TRACE_GAP_NS, &cli->ei));
    WEIR_TRY_GOTO(write_pictures(cli, &t, &pictured));
    if (cli->want_json)
        weir_trace_json(&cli->json, &t.spans, &t.sum);
    else if (!pictured)
        weir_trace_say(cli, &t.spans, &t.sum);
out:
    weir_trace_sum_clear(&t.sum);
    weir_spans_clear(&t.spans);
    return err;
}

const weir_command weir_cmd_trace = {
    .verb = "trace",
    .summary = "where every second of the engine's time went",
    .operand = "FILE",
    .opts = opts,
    .details = "Without a file to write: how busy each lane was, what its time went to, gaps of "
               "devices, the longest\n"
               "waits, and the jobs. A lane is what does one thing at a time: a device, a worker, "
               "the gate.\n",
    .examples = "weir trace run.trace\n"
                "weir trace run.trace --html run.html --svg run.svg\n"
                "weir trace run.trace --from 30 --to 45.5 --json",
    .run = run,
};
