#include "cli/memory.h"

#include "base/alloc.h"
#include "cli/values.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void weir_memory_reset_peak(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t written = write(fd, "5", 1); /* proc(5): resets the peak resident set */
    (void)written;
    close(fd);
}

/* The first bytes of a small file, NUL-terminated; empty if it cannot be read. */
static void read_text(char *text, size_t size, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = '\0';
}

/* The figure of a line "Key:   1234 kB", in bytes. */
static uint64_t figure(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, 10) * 1024 : 0;
}

weir_memory weir_memory_read(void)
{
    char text[4096];
    read_text(text, sizeof text, "/proc/self/status");
    weir_memory m = {figure(text, "\nVmHWM:"), figure(text, "\nVmRSS:"),
                     figure(text, "\nRssAnon:")};
    if (m.peak_bytes == 0) m.peak_bytes = weir_peak_rss_bytes();
    return m;
}

weir_err weir_memory_fits(uint64_t bytes, const char *what, weir_errinfo *ei)
{
    char text[4096], want[24], have[24];
    read_text(text, sizeof text, "/proc/meminfo");
    uint64_t available = figure(text, "\nMemAvailable:");
    if (available == 0 || bytes <= available) return WEIR_OK;
    weir_bytes_print(want, bytes);
    weir_bytes_print(have, available);
    return weir_fail(ei, WEIR_E_NOMEM,
                     "%s needs %s of memory, and %s are available; nothing was started", what, want,
                     have);
}
