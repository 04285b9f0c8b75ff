#include "cli/cli.h"

#include "base/alloc.h"
#include "cli/values.h"

#include <errno.h>
#include <libgen.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

weir_err weir_cli_stage(weir_cli *cli, const char *name, const char *label)
{
    weir_report_begin(&cli->report, name);
    weir_progress_label(&cli->progress, label ? label : name);
    if (weir_exec_cancelled(&cli->exec))
        return weir_fail(&cli->ei, WEIR_E_CANCELLED, "stopped before: %s", name);
    return WEIR_OK;
}

weir_err weir_cli_output_ready(const char *path, weir_errinfo *ei)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return weir_fail(ei, WEIR_E_IO, "%s: is there and is no regular file; choose another name",
                         path);
    char *copy = weir_strdup(path);
    if (!copy) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the name %s", path);
    weir_err err = WEIR_OK;
    if (access(dirname(copy), W_OK | X_OK) != 0)
        err = weir_fail(ei, WEIR_E_IO, "%s: no file can be made there: %s", path, strerror(errno));
    weir_free(copy);
    return err;
}

weir_err weir_cli_room(const char *path, uint64_t bytes, weir_errinfo *ei)
{
    struct stat st;
    struct statvfs fs;
    char *copy = weir_strdup(path), want[24], have[24];
    if (!copy) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the name %s", path);
    const char *folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? copy : dirname(copy);
    weir_err err = WEIR_OK;
    if (statvfs(folder, &fs) != 0)
        err = weir_fail(ei, WEIR_E_IO, "%s: cannot be read: %s", folder, strerror(errno));
    uint64_t room = err == WEIR_OK ? (uint64_t)fs.f_bavail * fs.f_frsize : 0;
    if (err == WEIR_OK && room < bytes) {
        weir_bytes_print(want, bytes);
        weir_bytes_print(have, room);
        err = weir_fail(ei, WEIR_E_IO, "%s: the key needs %s, and %s are free", folder, want, have);
    }
    weir_free(copy);
    return err;
}

void weir_cli_report(weir_cli *cli)
{
    weir_report_end(&cli->report);
    weir_progress_clear(&cli->progress);
    if (cli->want_json) {
        weir_report_json(&cli->report, &cli->json);
        return;
    }
    fflush(stdout);
    weir_report_print(&cli->report, stderr);
}

void weir_cli_say(weir_cli *cli, const char *fmt, ...)
{
    if (cli->want_json) return;
    weir_progress_clear(&cli->progress);
    va_list ap;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
}

void weir_cli_note(weir_cli *cli, const char *fmt, ...)
{
    weir_progress_clear(&cli->progress);
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void weir_cli_fact(weir_cli *cli, const char *key, const char *name, const char *value)
{
    if (cli->want_json && key) weir_json_out_string(&cli->json, key, value);
    weir_cli_say(cli, "%-18s %s", name, value);
}
