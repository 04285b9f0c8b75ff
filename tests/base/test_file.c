/* Mapped files, and output files that appear whole or not at all. Works in a folder of its own, which must be empty
 * at the end of every test: nothing may stay behind after an error. */
#include "base/alloc.h"
#include "base/file.h"
#include "testkit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char folder[PATH_MAX];

/* A name inside the folder. The last few calls' results stay valid. */
static const char *in_folder(const char *name)
{
    static char path[4][PATH_MAX + 64];
    static unsigned turn;
    char *p = path[turn++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static int make_folder(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s/weir-test-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(name) && realpath(name, folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if anything is left */
}

static size_t entries(void)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void assert_content(const char *path, const void *want, size_t n)
{
    weir_mapfile m;
    weir_errinfo ei = {0};
    assert_int_equal(weir_mapfile_open(&m, path, &ei), WEIR_OK);
    assert_int_equal(m.size_bytes, n);
    if (n) assert_memory_equal(m.data, want, n);
    weir_mapfile_close(&m);
}

/* ---- weir_mapfile */

static void assert_map_refused(const char *path, const char *reason)
{
    weir_mapfile m = {(const uint8_t *)"x", 1};
    weir_errinfo ei = {0};
    assert_int_equal(weir_mapfile_open(&m, path, &ei), WEIR_E_IO);
    assert_int_equal(ei.code, WEIR_E_IO);
    assert_non_null(strstr(ei.text, path));
    assert_non_null(strstr(ei.text, reason));
    assert_null(m.data);
    assert_int_equal(m.size_bytes, 0);
    weir_mapfile_close(&m);
}

static void test_map_refusals(void **state)
{
    (void)state;
    assert_map_refused(in_folder("missing"), strerror(ENOENT));
    assert_map_refused(folder, "not a regular file");
    assert_map_refused("/dev/null", "not a regular file");
    /* a pipe that nobody writes to: refused, not waited for */
    const char *pipe = in_folder("pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_map_refused(pipe, "not a regular file");
    unlink(pipe);
    weir_mapfile m;
    assert_int_equal(weir_mapfile_open(&m, in_folder("missing"), NULL), WEIR_E_IO);
}

static void test_map_empty(void **state)
{
    (void)state;
    const char *path = in_folder("empty");
    weir_errinfo ei = {0};
    assert_int_equal(weir_file_write(path, NULL, 0, &ei), WEIR_OK);
    weir_mapfile m = {(const uint8_t *)"x", 1};
    assert_int_equal(weir_mapfile_open(&m, path, &ei), WEIR_OK);
    assert_null(m.data);
    assert_int_equal(m.size_bytes, 0);
    weir_mapfile_done(&m, 0, 0);
    weir_mapfile_close(&m);
    unlink(path);
}

static void test_map_content(void **state)
{
    (void)state;
    const char *path = in_folder("data");
    tk_rng g = tk_rng_new();
    size_t n = 300001;
    uint8_t *data = malloc(n);
    tk_bytes(&g, data, n);
    weir_errinfo ei = {0};
    assert_int_equal(weir_file_write(path, data, n, &ei), WEIR_OK);
    weir_mapfile m;
    assert_int_equal(weir_mapfile_open(&m, path, &ei), WEIR_OK);
    assert_int_equal(m.size_bytes, n);
    assert_memory_equal(m.data, data, n);
    /* given back to the system, and still there */
    weir_mapfile_done(&m, 0, n);
    weir_mapfile_done(&m, 5, 6);
    weir_mapfile_done(&m, 4097, 200000);
    assert_memory_equal(m.data, data, n);
    weir_mapfile_close(&m);
    assert_null(m.data);
    weir_mapfile_close(&m);
    unlink(path);
    free(data);
}

/* ---- weir_outfile */

static void test_commit(void **state)
{
    (void)state;
    const char *path = in_folder("out");
    weir_outfile out;
    weir_errinfo ei = {0};
    assert_int_equal(weir_outfile_open(&out, path, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write(&out, "abc", 3, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write(&out, NULL, 0, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write(&out, "defg", 4, &ei), WEIR_OK);
    assert_int_equal(access(path, F_OK), -1); /* not there before commit */
    assert_int_equal(weir_outfile_commit(&out, &ei), WEIR_OK);
    assert_int_equal(out.written_bytes, 7);
    assert_int_equal(entries(), 1);
    assert_content(path, "abcdefg", 7);
    weir_outfile_discard(&out); /* does nothing now */
    assert_content(path, "abcdefg", 7);
    unlink(path);
}

static void test_discard(void **state)
{
    (void)state;
    const char *path = in_folder("out");
    weir_outfile out;
    weir_errinfo ei = {0};
    assert_int_equal(weir_file_write(path, "old", 3, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_open(&out, path, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write(&out, "new content", 11, &ei), WEIR_OK);
    assert_content(path, "old", 3);
    weir_outfile_discard(&out);
    assert_content(path, "old", 3);
    assert_int_equal(entries(), 1);
    weir_outfile_discard(&out);
    unlink(path);
}

/* Written by position, in any order, and read by position. */
static void test_places(void **state)
{
    (void)state;
    const char *path = in_folder("out");
    weir_outfile out;
    weir_readfile in;
    weir_mapfile m;
    weir_errinfo ei = {0};
    char got[8];
    assert_int_equal(weir_outfile_open(&out, path, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write_at(&out, 5, "fg", 2, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write_at(&out, 0, "abc", 3, &ei), WEIR_OK);
    assert_int_equal(out.written_bytes, 7);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(weir_outfile_commit(&out, &ei), WEIR_OK);
    assert_content(path, "abc\0\0fg", 7);
    assert_int_equal(weir_readfile_open(&in, path, &ei), WEIR_OK);
    assert_int_equal(in.size_bytes, 7);
    assert_int_equal(weir_readfile_at(&in, 2, got, 5, &ei), WEIR_OK);
    assert_memory_equal(got, "c\0\0fg", 5);
    assert_int_equal(weir_readfile_at(&in, 7, got, 0, &ei), WEIR_OK);
    assert_int_equal(weir_readfile_at(&in, 3, got, 5, &ei), WEIR_E_TRUNCATED);
    assert_non_null(strstr(ei.text, "ends at byte 7"));
    /* its bytes stay those of the file that was opened */
    assert_int_equal(weir_file_write(path, "other", 5, &ei), WEIR_OK);
    assert_int_equal(weir_readfile_map(&m, &in, &ei), WEIR_OK);
    assert_int_equal(m.size_bytes, 7);
    assert_memory_equal(m.data, "abc\0\0fg", 7);
    weir_mapfile_close(&m);
    weir_readfile_close(&in);
    weir_readfile_close(&in);
    unlink(path);
    assert_int_equal(weir_readfile_open(&in, path, &ei), WEIR_E_IO);
    assert_int_equal(weir_readfile_open(&in, folder, &ei), WEIR_E_IO);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_readfile_open(&in, folder, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(0, 0);
}

static void test_replace(void **state)
{
    (void)state;
    const char *path = in_folder("out"), *link = in_folder("link");
    weir_errinfo ei = {0};
    struct stat st;
    assert_int_equal(weir_file_write(path, "old", 3, &ei), WEIR_OK);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(weir_file_write(path, "newer", 5, &ei), WEIR_OK);
    assert_content(path, "newer", 5);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    /* through a symbolic link: the target is replaced, the link stays */
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(weir_file_write(link, "newest", 6, &ei), WEIR_OK);
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_content(path, "newest", 6);
    unlink(link);
    unlink(path);
}

/* Two writers of one name, and a rest of a killed process: neither is in the way, neither is touched. */
static void test_names_beside(void **state)
{
    (void)state;
    const char *path = in_folder("out");
    char rest[2 * PATH_MAX];
    weir_errinfo ei = {0};
    snprintf(rest, sizeof rest, "%s.tmp.%ld.0", path, (long)getpid());
    int fd = open(rest, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
    weir_outfile a, b;
    assert_int_equal(weir_outfile_open(&a, path, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_open(&b, path, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write(&a, "a", 1, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write(&b, "bb", 2, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_commit(&b, &ei), WEIR_OK);
    assert_content(path, "bb", 2);
    assert_int_equal(weir_outfile_commit(&a, &ei), WEIR_OK);
    assert_content(path, "a", 1);
    assert_int_equal(entries(), 2);
    assert_int_equal(unlink(rest), 0);
    unlink(path);
}

static void test_open_refusals(void **state)
{
    (void)state;
    weir_outfile out;
    weir_errinfo ei = {0};
    const char *path = in_folder("no/such/folder");
    assert_int_equal(weir_outfile_open(&out, path, &ei), WEIR_E_IO);
    assert_non_null(strstr(ei.text, path));
    assert_non_null(strstr(ei.text, strerror(ENOENT)));
    weir_outfile_discard(&out);
    assert_int_equal(weir_outfile_open(&out, folder, &ei), WEIR_E_IO);
    assert_non_null(strstr(ei.text, strerror(EISDIR)));
    weir_outfile_discard(&out);
    assert_int_equal(entries(), 0);
}

/* The file system refuses: a limit on file sizes stands for a full disk. */
static void check_write_fails(size_t n, bool at_commit, bool placed)
{
    const char *path = in_folder("out");
    static uint8_t zeros[4 << 20];
    weir_outfile out;
    weir_errinfo ei = {0};
    assert_int_equal(weir_file_write(path, "old", 3, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_open(&out, path, &ei), WEIR_OK);
    weir_err err = placed ? weir_outfile_write_at(&out, 10, zeros, n, &ei)
                          : weir_outfile_write(&out, zeros, n, &ei);
    if (at_commit) {
        assert_int_equal(err, WEIR_OK);
        err = weir_outfile_commit(&out, &ei);
    }
    assert_int_equal(err, WEIR_E_IO);
    assert_non_null(strstr(ei.text, path));
    assert_non_null(strstr(ei.text, "cannot write"));
    assert_non_null(strstr(ei.text, strerror(EFBIG)));
    assert_null(out._file);
    weir_outfile_discard(&out);
    assert_content(path, "old", 3);
    assert_int_equal(entries(), 1);
    unlink(path);
}

static void test_write_errors(void **state)
{
    (void)state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    check_write_fails(4 << 20, false, false); /* more than stdio buffers: seen at once */
    check_write_fails(3000, true, false);     /* in the buffer: seen when it is flushed */
    check_write_fails(3000, false, true);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, old);
}

static void test_rename_fails(void **state)
{
    (void)state;
    const char *path = in_folder("out"), *inside = in_folder("out/x");
    weir_outfile out;
    weir_errinfo ei = {0};
    assert_int_equal(weir_outfile_open(&out, path, &ei), WEIR_OK);
    assert_int_equal(weir_outfile_write(&out, "abc", 3, &ei), WEIR_OK);
    /* meanwhile somebody makes a folder of that name */
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(mkdir(inside, 0700), 0);
    assert_int_equal(weir_outfile_commit(&out, &ei), WEIR_E_IO);
    assert_non_null(strstr(ei.text, path));
    assert_int_equal(entries(), 1);
    rmdir(inside);
    rmdir(path);
}

/* A device node inside the folder. The real /dev is left alone: a wrong outfile, run by root, would replace its nodes.
 * False where this process may not make or use one. */
static bool make_device(const char *path, unsigned minor_number)
{
    if (mknod(path, S_IFCHR | 0600, makedev(1, minor_number)) != 0) return false;
    int fd = open(path, O_WRONLY);
    if (fd >= 0) close(fd);
    if (fd < 0) unlink(path);
    return fd >= 0;
}

static void assert_kept(const char *path, mode_t type)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    assert_int_equal(st.st_mode & S_IFMT, type);
    assert_int_equal(entries(), 1);
    unlink(path);
}

/* Devices and pipes are written directly and stay what they are. Minor 3 of the memory devices is null, 7 is full. */
static void test_not_regular(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    const char *path = in_folder("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(weir_file_write(path, "abc", 3, &ei), WEIR_OK);
    char got[4] = {0};
    assert_int_equal(read(reader, got, sizeof got), 3);
    assert_string_equal(got, "abc");
    close(reader);
    assert_kept(path, S_IFIFO);
    path = in_folder("null");
    if (make_device(path, 3)) {
        assert_int_equal(weir_file_write(path, "abc", 3, &ei), WEIR_OK);
        assert_kept(path, S_IFCHR);
    }
    path = in_folder("full");
    if (make_device(path, 7)) {
        assert_int_equal(weir_file_write(path, "abc", 3, &ei), WEIR_E_IO);
        assert_non_null(strstr(ei.text, path));
        assert_non_null(strstr(ei.text, strerror(ENOSPC)));
        assert_kept(path, S_IFCHR);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    const char *path = in_folder("out");
    for (uint64_t nth = 1; nth <= 2; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_file_write(path, "abc", 3, &ei), WEIR_E_NOMEM);
        assert_non_null(strstr(ei.text, path));
        assert_int_equal(entries(), 0);
    }
    /* the third request is for the sync of the folder, which is a courtesy */
    weir_alloc_fail_nth(3, 1);
    assert_int_equal(weir_file_write(path, "abc", 3, &ei), WEIR_OK);
    weir_alloc_fail_nth(0, 0);
    assert_content(path, "abc", 3);
    unlink(path);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_map_refusals), IN_FOLDER(test_map_empty),    IN_FOLDER(test_map_content),
        IN_FOLDER(test_commit),       IN_FOLDER(test_discard),      IN_FOLDER(test_places),
        IN_FOLDER(test_replace),      IN_FOLDER(test_names_beside), IN_FOLDER(test_open_refusals),
        IN_FOLDER(test_write_errors), IN_FOLDER(test_rename_fails), IN_FOLDER(test_not_regular),
        IN_FOLDER(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
