#include "cli/trace_say.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PLAIN_WIDTH = 80, MOST_WIDTH = 200, NAME = 18, MOST_JOBS = 40 };

typedef struct screen {
    int width;
    bool blocks; /* a terminal that shows UTF-8 */
} screen;

/* As the C library finds it out: LC_ALL before LC_CTYPE before LANG. */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL;
    for (int i = 0; i < 3 && !(value && *value); i++) value = getenv(names[i]);
    return value && (strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") ||
                     strstr(value, "utf-8"));
}

static screen look(void)
{
    struct winsize ws;
    screen c = {PLAIN_WIDTH, false};
    if (!isatty(STDOUT_FILENO)) return c;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col >= 40)
        c.width = ws.ws_col < MOST_WIDTH ? ws.ws_col : MOST_WIDTH;
    c.blocks = is_utf8();
    return c;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

/* Of `room` columns the share that is filled, to an eighth of one where there are blocks for it. */
static void bar(char *out, size_t size, double share, int room, bool blocks)
{
    static const char *const eighth[] = {"",       "\u258f", "\u258e", "\u258d",
                                         "\u258c", "\u258b", "\u258a", "\u2589"};
    int full = (int)(share * room * 8 + 0.5);
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < (blocks ? full / 8 : (full + 4) / 8) && n + 4 < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s", blocks ? "\u2588" : "#");
    if (blocks && n + 4 < size) snprintf(out + n, size - n, "%s", eighth[full % 8]);
}

static void say_lanes(weir_cli *cli, const weir_spans *s, const weir_trace_sum *sum)
{
    screen c = look();
    uint64_t whole = sum->view.to_ns - sum->view.from_ns;
    char text[4 * MOST_WIDTH];
    weir_cli_say(cli, "\n%-*s %7s", NAME, "Lane", "busy");
    for (uint32_t l = 0; l < s->lanes; l++) {
        double p = percent(sum->lane[l].work_ns, whole);
        bar(text, sizeof text, p / 100, c.width - NAME - 12, c.blocks);
        weir_cli_say(cli, "%-*.*s %5.1f %%%s%s", NAME, NAME, s->lane[l], p, text[0] ? "  " : "",
                     text);
    }
}

static void say_kind(weir_cli *cli, const char *name, uint64_t ns, uint64_t all_ns,
                     const char *spans)
{
    char text[32];
    weir_duration_text(text, ns);
    weir_cli_say(cli, "%-*s %5.1f %%  %12s%s", NAME, name, percent(ns, all_ns), text, spans);
}

static void say_kinds(weir_cli *cli, const weir_spans *s, const weir_trace_sum *sum)
{
    uint64_t all = (sum->view.to_ns - sum->view.from_ns) * s->lanes;
    weir_cli_say(cli, "\nTime of all lanes by kind; what lies within a span counts for itself");
    for (int k = 0; k < WEIR_TRACE_KINDS; k++) {
        char spans[40];
        uint64_t n = sum->kind[k].spans;
        if (n == 0) continue;
        snprintf(spans, sizeof spans, "%10" PRIu64 " span%s%s", n, plural(n),
                 weir_trace_is_wait((weir_trace_kind)k) ? ", waiting" : "");
        say_kind(cli, weir_trace_kind_names[k], sum->kind[k].ns, all, spans);
    }
    say_kind(cli, "nothing", sum->idle_ns, all, "");
}

static void say_gaps(weir_cli *cli, const weir_spans *s, const weir_trace_sum *sum)
{
    char least[32], all[32], longest[32];
    weir_duration_text(least, sum->gap_ns);
    weir_cli_say(cli, "\nGaps of devices above %s, between their first and last work", least);
    if (sum->devices == 0) weir_cli_say(cli, "no lane is a device's");
    for (uint32_t i = 0; i < sum->devices; i++) {
        const weir_device_sum *d = &sum->device[i];
        const char *name = s->lane[d->lane];
        if (d->gaps == 0) {
            weir_cli_say(cli, "%-*.*s none", NAME, NAME, name);
            continue;
        }
        const weir_trace_gap *g = &sum->gap[d->longest];
        weir_duration_text(all, d->gap_ns);
        weir_duration_text(longest, g->end_ns - g->begin_ns);
        weir_cli_say(cli, "%-*.*s %" PRIu64 ", together %s; the longest %s from %.3f s", NAME, NAME,
                     name, d->gaps, all, longest,
                     (double)(g->begin_ns - sum->view.origin_ns) / 1e9);
    }
}

static void say_waits(weir_cli *cli, const weir_spans *s, const weir_trace_sum *sum)
{
    weir_cli_say(cli, "\nLongest waits");
    if (sum->waits == 0) weir_cli_say(cli, "none");
    for (unsigned i = 0; i < sum->waits; i++) {
        const weir_span *p = sum->wait[i];
        char length[32], who[64] = "";
        weir_duration_text(length, p->end_ns - p->begin_ns);
        if (p->job != UINT32_MAX && p->part != UINT32_MAX)
            snprintf(who, sizeof who, ", job %" PRIu32 ", partition %" PRIu32, p->job, p->part);
        else if (p->job != UINT32_MAX)
            snprintf(who, sizeof who, ", job %" PRIu32, p->job);
        weir_cli_say(cli, "%u. %s, %s%s: %s from %.3f s", i + 1, weir_trace_kind_names[p->kind],
                     s->lane[p->lane], who, length,
                     (double)(p->begin_ns - sum->view.origin_ns) / 1e9);
    }
}

static void say_jobs(weir_cli *cli, const weir_trace_sum *sum)
{
    weir_cli_say(cli, "\n%10s %10s %11s %11s %10s %10s", "Job", "partitions", "begin", "end",
                 "work", "waits");
    for (uint64_t i = 0; i < sum->jobs && i < MOST_JOBS; i++) {
        const weir_job_sum *j = &sum->job[i];
        char work[32], wait[32];
        weir_duration_text(work, j->work_ns);
        weir_duration_text(wait, j->wait_ns);
        weir_cli_say(cli, "%10" PRIu32 " %10" PRIu32 " %9.3f s %9.3f s %10s %10s", j->job,
                     j->partitions, (double)(j->begin_ns - sum->view.origin_ns) / 1e9,
                     (double)(j->end_ns - sum->view.origin_ns) / 1e9, work, wait);
    }
    if (sum->jobs > MOST_JOBS)
        weir_cli_say(cli, "and %" PRIu64 " more; --json has them all", sum->jobs - MOST_JOBS);
}

void weir_trace_say(weir_cli *cli, const weir_spans *s, const weir_trace_sum *sum)
{
    char length[32];
    weir_duration_text(length, sum->view.to_ns - sum->view.from_ns);
    weir_cli_say(cli,
                 "%" PRIu64 " job%s, %" PRIu64 " partition%s, %" PRIu32 " lane%s, %" PRIu64
                 " span%s, %s from %.3f s",
                 sum->jobs, plural(sum->jobs), sum->partitions, plural(sum->partitions), s->lanes,
                 plural(s->lanes), sum->spans, plural(sum->spans), length,
                 (double)(sum->view.from_ns - sum->view.origin_ns) / 1e9);
    if (s->lost)
        weir_cli_say(cli, "The oldest %" PRIu64 " span%s had been overwritten.", s->lost,
                     plural(s->lost));
    say_lanes(cli, s, sum);
    say_kinds(cli, s, sum);
    say_gaps(cli, s, sum);
    say_waits(cli, s, sum);
    if (sum->jobs) say_jobs(cli, sum);
    weir_cli_say(cli,
                 "\nPictures: --html OUT.html (to zoom into), --svg OUT.svg, --chrome OUT.json");
}
