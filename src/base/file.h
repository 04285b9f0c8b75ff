/* Files: mapped or read by position, and written whole or not at all. */
#ifndef WEIR_BASE_FILE_H
#define WEIR_BASE_FILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A regular file mapped read-only. An empty file has data = NULL, size = 0. */
typedef struct weir_mapfile {
    const uint8_t *data;
    uint64_t size_bytes;
} weir_mapfile;

/* Errors: WEIR_E_IO with path and reason (also for folders and devices); out is then as after close.
 * A file that another program cuts short while it is mapped ends this process (SIGBUS): keys and parameters are
 * replaced by renaming a new file into place, never by writing into the old one. */
weir_err weir_mapfile_open(weir_mapfile *out, const char *path, weir_errinfo *ei) WEIR_MUST_USE;
/* Does nothing for a zeroed struct. */
void weir_mapfile_close(weir_mapfile *file);
/* Tells the system that bytes lo..hi have been read and may leave memory again; they can still be read. */
void weir_mapfile_done(const weir_mapfile *file, uint64_t lo, uint64_t hi);

/* A regular file read by position. */
typedef struct weir_readfile {
    int _fd;
    char *_path;
    uint64_t size_bytes; /* when it was opened */
} weir_readfile;

/* Errors: as weir_mapfile_open; WEIR_E_NOMEM. out is then as after close. */
weir_err weir_readfile_open(weir_readfile *out, const char *path, weir_errinfo *ei) WEIR_MUST_USE;
/* Does nothing for a zeroed struct. */
void weir_readfile_close(weir_readfile *file);
/* Bytes at .. at + n - 1. Errors: WEIR_E_IO with path, byte and reason; WEIR_E_TRUNCATED if the file ends before. Thread: any number
 * of calls at once. */
weir_err weir_readfile_at(const weir_readfile *file, uint64_t at, void *out, size_t n,
                          weir_errinfo *ei) WEIR_MUST_USE;
/* Maps the same file, whatever stands under its name by now; to be closed by itself. Errors: as weir_mapfile_open. */
weir_err weir_readfile_map(weir_mapfile *out, const weir_readfile *file,
                           weir_errinfo *ei) WEIR_MUST_USE;

/* A file under construction: written beside its final name, then synced and renamed, so that the final name shows
 * the old file or the whole new one. A symbolic link is followed: its target is replaced. What exists and is no
 * regular file (a pipe, /dev/stdout, /dev/null) cannot be replaced and is written directly. */
typedef struct weir_outfile {
    FILE *_file;
    char *_path, *_tmp; /* _tmp: NULL when written directly */
    uint64_t written_bytes;
    char *_memory; /* of one that is no file */
    size_t _memory_bytes;
} weir_outfile;

/* Errors (of open, write and commit): WEIR_E_IO with path and reason, WEIR_E_NOMEM. After an error the outfile is
 * closed, what was written beside the final name is gone, and discard may be called but need not. */
weir_err weir_outfile_open(weir_outfile *out, const char *path, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_outfile_write(weir_outfile *out, const void *bytes, size_t n,
                            weir_errinfo *ei) WEIR_MUST_USE;
/* Writes at a place of a file that is written in no other way; places that are left out read as zeros. written_bytes becomes the
 * end of what was written last in the file. Errors: also for what is no regular file. */
weir_err weir_outfile_write_at(weir_outfile *out, uint64_t at, const void *bytes, size_t n,
                               weir_errinfo *ei) WEIR_MUST_USE;
/* Syncs and renames to the final name; then the outfile is closed. written_bytes stays.
 * Blocks: until the bytes are on the disk. */
weir_err weir_outfile_commit(weir_outfile *out, weir_errinfo *ei) WEIR_MUST_USE;
/* Drops what was written. Does nothing after commit or for a zeroed struct. */
void weir_outfile_discard(weir_outfile *out);

/* The same in memory: what was written is taken in place of a commit. The struct does not move meanwhile. *bytes: the caller's, of
 * weir_malloc. Errors: WEIR_E_NOMEM. */
weir_err weir_outfile_open_memory(weir_outfile *out, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_outfile_take(weir_outfile *out, uint8_t **bytes, size_t *n,
                           weir_errinfo *ei) WEIR_MUST_USE;

/* Writes a small file in one call, whole or not at all. */
weir_err weir_file_write(const char *path, const void *bytes, size_t n,
                         weir_errinfo *ei) WEIR_MUST_USE;

#endif
