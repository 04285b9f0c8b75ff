#include "base/file.h"

#include "base/alloc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A regular file, opened for reading; *fd is to be closed. */
static weir_err open_regular(int *fd, uint64_t *size_bytes, const char *path, weir_errinfo *ei)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) return weir_fail(ei, WEIR_E_IO, "%s: cannot open: %s", path, strerror(errno));
    struct stat st;
    weir_err err = WEIR_OK;
    if (fstat(*fd, &st) != 0)
        err = weir_fail(ei, WEIR_E_IO, "%s: cannot read its size: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        err = weir_fail(ei, WEIR_E_IO, "%s: not a regular file", path);
    else
        *size_bytes = (uint64_t)st.st_size;
    if (err != WEIR_OK) close(*fd);
    return err;
}

static weir_err map(weir_mapfile *out, int fd, uint64_t bytes, const char *path, weir_errinfo *ei)
{
    *out = (weir_mapfile){0};
    if (bytes == 0) return WEIR_OK;
    void *p = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return weir_fail(ei, WEIR_E_IO, "%s: cannot map: %s", path, strerror(errno));
    *out = (weir_mapfile){.data = p, .size_bytes = bytes};
    return WEIR_OK;
}

weir_err weir_mapfile_open(weir_mapfile *out, const char *path, weir_errinfo *ei)
{
    int fd;
    uint64_t bytes;
    *out = (weir_mapfile){0};
    WEIR_TRY(open_regular(&fd, &bytes, path, ei));
    weir_err err = map(out, fd, bytes, path, ei);
    close(fd);
    return err;
}

void weir_mapfile_close(weir_mapfile *file)
{
    if (file->data) munmap((void *)(uintptr_t)file->data, file->size_bytes);
    *file = (weir_mapfile){0};
}

void weir_mapfile_done(const weir_mapfile *file, uint64_t lo, uint64_t hi)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    lo = (lo + page - 1) / page * page;
    hi = hi / page * page;
    if (lo < hi) madvise((void *)(uintptr_t)(file->data + lo), hi - lo, MADV_DONTNEED);
}

/* ---- read by position */

weir_err weir_readfile_open(weir_readfile *out, const char *path, weir_errinfo *ei)
{
    *out = (weir_readfile){0};
    char *copy = weir_strdup(path);
    if (!copy) return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for its name", path);
    weir_err err = open_regular(&out->_fd, &out->size_bytes, path, ei);
    if (err == WEIR_OK) {
        out->_path = copy;
    } else {
        weir_free(copy);
        *out = (weir_readfile){0};
    }
    return err;
}

void weir_readfile_close(weir_readfile *file)
{
    if (file->_path) close(file->_fd);
    weir_free(file->_path);
    *file = (weir_readfile){0};
}

weir_err weir_readfile_at(const weir_readfile *file, uint64_t at, void *out, size_t n,
                          weir_errinfo *ei)
{
    unsigned char *to = out;
    while (n > 0) {
        ssize_t got = pread(file->_fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return weir_fail(ei, WEIR_E_IO, "%s: cannot read at byte %llu: %s", file->_path,
                             (unsigned long long)at, strerror(errno));
        if (got == 0)
            return weir_fail(ei, WEIR_E_TRUNCATED,
                             "%s: ends at byte %llu; it was cut, make or fetch it again",
                             file->_path, (unsigned long long)at);
        to += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return WEIR_OK;
}

weir_err weir_readfile_map(weir_mapfile *out, const weir_readfile *file, weir_errinfo *ei)
{
    return map(out, file->_fd, file->size_bytes, file->_path, ei);
}

/* ---- under construction */

/* The reason is errno's. */
static weir_err out_fail(weir_outfile *out, const char *what, weir_errinfo *ei)
{
    weir_err err = weir_fail(ei, WEIR_E_IO, "%s: %s: %s", out->_path, what, strerror(errno));
    weir_outfile_discard(out);
    return err;
}

/* Creates a file that was not there, beside the final name, and sets out->_tmp to its name. A name that is taken
 * belongs to another thread or is left from a process that was killed and had the same number; it stays. */
static int create_beside(weir_outfile *out, weir_errinfo *ei, weir_err *err)
{
    enum { TRIES = 1000 };
    size_t n = strlen(out->_path) + 48;
    char *name = weir_malloc(n, 1);
    if (!name) {
        *err = weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for its name", out->_path);
        return -1;
    }
    int fd = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && fd < 0 && errno == EEXIST; i++) {
        snprintf(name, n, "%s.tmp.%ld.%d", out->_path, (long)getpid(), i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (fd >= 0) {
        out->_tmp = name;
    } else {
        *err = weir_fail(ei, WEIR_E_IO, "%s: cannot create: %s", name, strerror(errno));
        weir_free(name);
    }
    return fd;
}

/* Sets _file for a new file or the replacement of a regular one, with that one's permissions. */
static weir_err open_beside(weir_outfile *out, const struct stat *old, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    int fd = create_beside(out, ei, &err);
    if (fd < 0) {
        weir_outfile_discard(out);
        return err;
    }
    if (!old || fchmod(fd, old->st_mode & 0777) == 0) out->_file = fdopen(fd, "wb");
    if (out->_file) return WEIR_OK;
    err = out_fail(out, "cannot open for writing", ei);
    close(fd);
    return err;
}

weir_err weir_outfile_open(weir_outfile *out, const char *path, weir_errinfo *ei)
{
    *out = (weir_outfile){0};
    char target[PATH_MAX];
    struct stat st;
    bool exists = stat(path, &st) == 0;
    bool regular = exists && S_ISREG(st.st_mode);
    out->_path = weir_strdup(regular && realpath(path, target) ? target : path);
    if (!out->_path) return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for its name", path);
    if (!exists || regular) {
        WEIR_TRY(open_beside(out, regular ? &st : NULL, ei));
    } else {
        out->_file = fopen(path, "wbe");
        if (!out->_file) return out_fail(out, "cannot open for writing", ei);
    }
    return WEIR_OK;
}

weir_err weir_outfile_write(weir_outfile *out, const void *bytes, size_t n, weir_errinfo *ei)
{
    assert(out->_file);
    if (n && fwrite(bytes, 1, n, out->_file) != n) return out_fail(out, "cannot write", ei);
    out->written_bytes += n;
    return WEIR_OK;
}

weir_err weir_outfile_write_at(weir_outfile *out, uint64_t at, const void *bytes, size_t n,
                               weir_errinfo *ei)
{
    assert(out->_file);
    const unsigned char *from = bytes;
    while (n > 0) {
        ssize_t put = pwrite(fileno(out->_file), from, n, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return out_fail(out, "cannot write", ei);
        from += put;
        at += (uint64_t)put;
        n -= (size_t)put;
    }
    if (at > out->written_bytes) out->written_bytes = at;
    return WEIR_OK;
}

static void sync_folder(const char *path)
{
    char *copy = weir_strdup(path);
    if (!copy) return;
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    weir_free(copy);
}

/* Pipes and devices have nothing to sync and say so. */
static bool sync_file(const weir_outfile *out)
{
    return fsync(fileno(out->_file)) == 0 || (!out->_tmp && (errno == EINVAL || errno == EROFS));
}

weir_err weir_outfile_commit(weir_outfile *out, weir_errinfo *ei)
{
    assert(out->_file);
    if (fflush(out->_file) != 0 || !sync_file(out)) return out_fail(out, "cannot write", ei);
    int closed = fclose(out->_file);
    out->_file = NULL;
    if (closed != 0) return out_fail(out, "cannot close", ei);
    if (out->_tmp) {
        if (rename(out->_tmp, out->_path) != 0)
            return out_fail(out, "cannot rename to its final name", ei);
        sync_folder(out->_path);
    }
    weir_free(out->_tmp);
    weir_free(out->_path);
    *out = (weir_outfile){.written_bytes = out->written_bytes};
    return WEIR_OK;
}

void weir_outfile_discard(weir_outfile *out)
{
    if (out->_file) fclose(out->_file);
    free(out->_memory); /* open_memstream's */
    if (out->_tmp) unlink(out->_tmp);
    weir_free(out->_tmp);
    weir_free(out->_path);
    *out = (weir_outfile){0};
}

static const char in_memory[] = "a document in memory";

weir_err weir_outfile_open_memory(weir_outfile *out, weir_errinfo *ei)
{
    *out = (weir_outfile){0};
    out->_path = weir_strdup(in_memory);
    if (out->_path) out->_file = open_memstream(&out->_memory, &out->_memory_bytes);
    if (out->_file) return WEIR_OK;
    weir_outfile_discard(out);
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for %s", in_memory);
}

weir_err weir_outfile_take(weir_outfile *out, uint8_t **bytes, size_t *n, weir_errinfo *ei)
{
    *bytes = NULL;
    int closed = fclose(out->_file);
    out->_file = NULL;
    if (closed == 0) *bytes = weir_malloc(out->_memory_bytes, 1);
    *n = out->_memory_bytes;
    if (*bytes) memcpy(*bytes, out->_memory, *n);
    weir_outfile_discard(out);
    return *bytes ? WEIR_OK : weir_fail(ei, WEIR_E_NOMEM, "no memory for %s", in_memory);
}

weir_err weir_file_write(const char *path, const void *bytes, size_t n, weir_errinfo *ei)
{
    weir_outfile out;
    WEIR_TRY(weir_outfile_open(&out, path, ei));
    weir_err err = weir_outfile_write(&out, bytes, n, ei);
    if (err == WEIR_OK) err = weir_outfile_commit(&out, ei);
    return err;
}
