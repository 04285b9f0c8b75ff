/* What a process may use of a machine's memory. Sources: proc(5); the kernel's documents of control groups, v1 and v2. */
#include "engine/budget.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, TEXT_BYTES = 8192 };
#define LEAST_MARGIN ((uint64_t)512 << 20)

/* The first bytes of a small file, NUL-terminated; false if it cannot be read. */
static bool read_text(char text[TEXT_BYTES], const char *root, const char *path)
{
    char full[PATH_BYTES];
    int n = snprintf(full, sizeof full, "%s/%s", strcmp(root, "/") == 0 ? "" : root, path);
    if (n < 0 || n >= (int)sizeof full) return false;
    int fd = open(full, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, TEXT_BYTES - 1);
    if (fd >= 0) close(fd);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* A number at the start of a file; false for "max" and where there is none. */
static bool read_number(uint64_t *out, const char *root, const char *path)
{
    char text[TEXT_BYTES], *end;
    if (!read_text(text, root, path)) return false;
    *out = strtoull(text, &end, 10);
    return end != text;
}

static uint64_t available(const char *root)
{
    char text[TEXT_BYTES];
    if (!read_text(text, root, "proc/meminfo")) return UINT64_MAX;
    const char *at = strstr(text, "MemAvailable:");
    return at ? strtoull(at + strlen("MemAvailable:"), NULL, 10) * 1024 : UINT64_MAX;
}

/* Of what a group uses so much is files that nobody has looked at lately, which the kernel lets go when memory is wanted. */
static uint64_t file_cache(const char *root, const char *folder)
{
    static const char *const keys[] = {"total_inactive_file ", "inactive_file "};
    char path[PATH_BYTES], text[TEXT_BYTES];
    if (snprintf(path, sizeof path, "%s/memory.stat", folder) >= (int)sizeof path) return 0;
    if (!read_text(text, root, path)) return 0;
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(text, keys[i]);
        if (at) return strtoull(at + strlen(keys[i]), NULL, 10);
    }
    return 0;
}

/* What one group leaves; UINT64_MAX: it sets no limit. */
static uint64_t group_leaves(const char *root, const char *folder, const char *max,
                             const char *used)
{
    char path[PATH_BYTES];
    uint64_t limit, current;
    if (snprintf(path, sizeof path, "%s/%s", folder, max) >= (int)sizeof path) return UINT64_MAX;
    if (!read_number(&limit, root, path)) return UINT64_MAX;
    if (snprintf(path, sizeof path, "%s/%s", folder, used) >= (int)sizeof path) return UINT64_MAX;
    if (!read_number(&current, root, path)) return limit;
    uint64_t cache = file_cache(root, folder);
    current -= cache < current ? cache : current;
    return limit > current ? limit - current : 0;
}

/* A group and all above it, of the hierarchy that is mounted at `mount`. */
static uint64_t groups_leave(const char *root, const char *mount, const char *group,
                             const char *max, const char *used)
{
    char folder[PATH_BYTES];
    uint64_t least = UINT64_MAX;
    size_t base = strlen(mount);
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder) return least;
    for (;;) {
        uint64_t leaves = group_leaves(root, folder, max, used);
        if (leaves < least) least = leaves;
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= base || !slash) return least;
        *slash = '\0';
    }
}

/* The lines of /proc/self/cgroup: "0::/path" for v2, "7:memory:/path" for v1's memory. */
static uint64_t all_groups_leave(const char *root)
{
    char text[TEXT_BYTES], *rest = NULL;
    uint64_t least = UINT64_MAX;
    if (!read_text(text, root, "proc/self/cgroup")) return least;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *controllers = strchr(line, ':'),
             *path = controllers ? strchr(controllers + 1, ':') : NULL;
        uint64_t leaves = UINT64_MAX;
        if (!path) continue;
        *path++ = '\0';
        if (strcmp(path, "/") == 0) path++; /* the mount itself */
        if (strcmp(controllers, ":") == 0)
            leaves = groups_leave(root, "sys/fs/cgroup", path, "memory.max", "memory.current");
        else if (strstr(controllers, "memory"))
            leaves = groups_leave(root, "sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                                  "memory.usage_in_bytes");
        if (leaves < least) least = leaves;
    }
    return least;
}

uint64_t weir_budget_auto(const char *root)
{
    uint64_t machine = available(root), groups = all_groups_leave(root);
    uint64_t least = machine < groups ? machine : groups;
    if (least == UINT64_MAX) return least;
    uint64_t margin = least / 10 > LEAST_MARGIN ? least / 10 : LEAST_MARGIN;
    return least > margin ? least - margin : 0;
}
