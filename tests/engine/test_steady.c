/* Once an engine is warm, a proof starts no thread, maps nothing and unmaps nothing. With threads that unmap each buffer it does, so the counting
 * counts.
 *
 * test_steady [--gpu] --count COUNT_CALLS --load STEADY_LOAD
 *
 * --gpu: the same of a GPU, and nothing else. */
#include "testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARM = 2, ROUNDS = 6, JOBS = 10, SKIPPED = 77 };

static const char *count_calls = "count_calls", *steady_load = "steady_load";

/* The exit code. */
static int run(const char *file, const char *program)
{
    char command[2000];
    int n = snprintf(command, sizeof command, "'%s' -o '%s' %s", count_calls, file, program);
    if (n < 0 || (size_t)n >= sizeof command) fail_msg("the paths are too long");
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Of each piece of a run: opening, the rounds, closing. */
typedef struct counts {
    long mmap[ROUNDS + 2], munmap[ROUNDS + 2], threads[ROUNDS + 2];
} counts;

static long get(json_t *all, const char *name)
{
    return (long)json_integer_value(tk_get(all, name));
}

static void read_counts(counts *c, const char *file)
{
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    for (int i = 0; i < ROUNDS + 2; i++) {
        json_error_t e;
        json_t *line = json_loadf(f, JSON_DISABLE_EOF_CHECK, &e);
        if (!line) fail_msg("line %d of what was counted: %s", i + 1, e.text);
        c->mmap[i] = get(line, "mmap");
        c->munmap[i] = get(line, "munmap");
        c->threads[i] = get(line, "clone") + get(line, "clone3");
        json_decref(line);
    }
    fclose(f);
}

static counts count(const char *what)
{
    char file[] = "steady_XXXXXX", program[1500];
    counts c;
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    snprintf(program, sizeof program, "'%s' %s %d %d", steady_load, what, ROUNDS, JOBS);
    int code = run(file, program);
    if (code == 0) read_counts(&c, file);
    unlink(file);
    if (code == SKIPPED) {
        printf("skipped: no GPU\n");
        exit(SKIPPED);
    }
    assert_int_equal(code, 0);
    printf("%s, munmap and threads of %d jobs:", what, JOBS);
    for (int i = 1; i <= ROUNDS; i++) printf(" %ld, %ld;", c.munmap[i], c.threads[i]);
    printf("\n");
    return c;
}

static void check_steady(const char *what)
{
    counts c = count(what);
    assert_true(c.threads[0] > 5 && c.munmap[ROUNDS + 1] > 0); /* they are seen at all */
    for (int i = 1; i <= ROUNDS; i++) {
        assert_int_equal(c.threads[i], 0);
        if (i <= WARM) continue;
        assert_int_equal(c.munmap[i], 0);
        assert_int_equal(c.mmap[i], 0);
    }
}

/* True proofs; at this size their buffers are the heap's. */
static void test_proofs(void **state)
{
    (void)state;
    check_steady("cpu pool 14");
}

/* Witnesses so large that they come from slabs. */
static void test_slabs(void **state)
{
    (void)state;
    check_steady("fake pool 21");
}

/* PoReps: the input of each is made for it, or read from a document in the first stage. */
static void test_samples(void **state)
{
    (void)state;
    check_steady("sample pool 14");
}

static void test_documents(void **state)
{
    (void)state;
    check_steady("c1 pool 14");
}

/* On a GPU; its session has its memory, of the device and of the host, before the first job. */
static void test_gpu(void **state)
{
    (void)state;
    check_steady("gpu pool 18");
}

static void test_gpu_documents(void **state)
{
    (void)state;
    check_steady("gpu-c1 pool 14");
}

static void test_detached(void **state)
{
    (void)state;
    counts c = count("fake detached 21");
    for (int i = 1; i <= ROUNDS; i++) {
        assert_true(c.munmap[i] >= JOBS);
        assert_int_equal(c.threads[i], JOBS);
    }
}

int main(int argc, char **argv)
{
    bool gpu = false;
    tk_init(argc, argv);
    for (int i = 1; i < argc; i++) gpu = gpu || strcmp(argv[i], "--gpu") == 0;
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--count") == 0) count_calls = argv[i + 1];
        if (strcmp(argv[i], "--load") == 0) steady_load = argv[i + 1];
    }
    if (run("/dev/null", "true") == SKIPPED) return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs),   cmocka_unit_test(test_slabs),
        cmocka_unit_test(test_samples),  cmocka_unit_test(test_documents),
        cmocka_unit_test(test_detached),
    };
    const struct CMUnitTest on_gpu[] = {
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_gpu_documents),
    };
    return gpu ? cmocka_run_group_tests(on_gpu, NULL, NULL)
               : cmocka_run_group_tests(tests, NULL, NULL);
}
