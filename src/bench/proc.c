#include "bench/proc.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A line has a column for each processor: a few KiB for some hundred of them. */
enum { INTERRUPTS_BYTES = 1 << 20 };

uint64_t weir_proc_tlb_of(const char *interrupts)
{
    const char *at = strstr(interrupts, "TLB:");
    uint64_t sum = 0;
    if (!at) return WEIR_PROC_UNKNOWN;
    for (at += 4;;) {
        while (*at == ' ') at++;
        if (!isdigit((unsigned char)*at)) return sum;
        char *end;
        sum += strtoull(at, &end, 10);
        at = end;
    }
}

static uint64_t read_tlb(void)
{
    uint64_t sum = WEIR_PROC_UNKNOWN;
    char *text = weir_malloc(INTERRUPTS_BYTES, 1);
    int fd = open("/proc/interrupts", O_RDONLY | O_CLOEXEC);
    size_t n = 0;
    ssize_t got = 1;
    while (text && fd >= 0 && got > 0 && n < INTERRUPTS_BYTES - 1) {
        got = read(fd, text + n, INTERRUPTS_BYTES - 1 - n);
        if (got > 0) n += (size_t)got;
    }
    if (text && n > 0) {
        text[n] = '\0';
        sum = weir_proc_tlb_of(text);
    }
    if (fd >= 0) close(fd);
    weir_free(text);
    return sum;
}

void weir_proc_read(weir_proc *out)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    *out = (weir_proc){.cpu_ns = weir_cpu_ns(),
                       .minor_faults = (uint64_t)u.ru_minflt,
                       .major_faults = (uint64_t)u.ru_majflt,
                       .switches = (uint64_t)(u.ru_nvcsw + u.ru_nivcsw),
                       .preempted = (uint64_t)u.ru_nivcsw,
                       .tlb_shootdowns = read_tlb()};
}

weir_proc weir_proc_since(const weir_proc *before, const weir_proc *after)
{
    weir_proc d = {.cpu_ns = after->cpu_ns - before->cpu_ns,
                   .minor_faults = after->minor_faults - before->minor_faults,
                   .major_faults = after->major_faults - before->major_faults,
                   .switches = after->switches - before->switches,
                   .preempted = after->preempted - before->preempted,
                   .tlb_shootdowns = WEIR_PROC_UNKNOWN};
    if (before->tlb_shootdowns != WEIR_PROC_UNKNOWN && after->tlb_shootdowns != WEIR_PROC_UNKNOWN)
        d.tlb_shootdowns = after->tlb_shootdowns - before->tlb_shootdowns;
    return d;
}
