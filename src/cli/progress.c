#include "cli/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DRAW_EVERY_NS = 100000000, ESTIMATE_AFTER_NS = 1000000000 };

void weir_progress_init(weir_progress *p, bool quiet)
{
    *p = (weir_progress){.on = !quiet && isatty(STDERR_FILENO)};
}

void weir_progress_line(char *out, size_t size, const weir_progress *p, uint64_t done,
                        uint64_t total, uint64_t left_ns)
{
    int n = snprintf(out, size, "%s", p->label);
    if (n < 0 || (size_t)n >= size || total == 0) return;
    if (done > total) done = total;
    unsigned percent = (unsigned)((double)done / (double)total * 100);
    n += snprintf(out + n, size - (size_t)n, "%s%s %3u %%", p->stage[0] ? ": " : "", p->stage,
                  percent);
    if ((size_t)n >= size || left_ns == UINT64_MAX) return;
    uint64_t s = left_ns / 1000000000;
    snprintf(out + n, size - (size_t)n, ", %u:%02u left", (unsigned)(s / 60), (unsigned)(s % 60));
}

/* Never wider than the terminal: a wrapped line could not be taken back. */
static void draw(weir_progress *p, const char *line)
{
    struct winsize ws;
    int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 1 ? ws.ws_col - 1 : 79;
    fprintf(stderr, "\r%.*s\033[K", width, line);
    fflush(stderr);
    p->drawn = true;
}

void weir_progress_label(weir_progress *p, const char *label)
{
    snprintf(p->label, sizeof p->label, "%s", label);
    p->stage[0] = '\0';
    p->stage_began_ns = weir_now_ns();
    if (p->on) draw(p, p->label);
}

void weir_progress_update(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    weir_progress *p = ctx;
    if (!p->on || !stage) return;
    uint64_t now = weir_now_ns();
    if (strncmp(p->stage, stage, sizeof p->stage - 1) != 0) {
        snprintf(p->stage, sizeof p->stage, "%s", stage);
        p->stage_began_ns = now;
    } else if (now - p->drawn_ns < DRAW_EVERY_NS && done < total) {
        return;
    }
    uint64_t spent = now - p->stage_began_ns, left = UINT64_MAX;
    if (spent > ESTIMATE_AFTER_NS && done > 0 && done <= total)
        left = (uint64_t)((double)spent / (double)done * (double)(total - done));
    char line[256];
    weir_progress_line(line, sizeof line, p, done, total, left);
    draw(p, line);
    p->drawn_ns = now;
}

void weir_progress_clear(weir_progress *p)
{
    if (!p->drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    p->drawn = false;
}
