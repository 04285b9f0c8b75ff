/* Once an engine is warm, a proof starts no thread and unmaps nothing: a run of many jobs makes as many such system calls as one of
 * few. With threads that unmap each buffer it makes more, so the counting counts.
 *
 * test_steady --count COUNT_CALLS --load STEADY_LOAD */
#include "testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FEW = 10, MANY = 30, TRIES = 5, SKIPPED = 77 };

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

typedef struct counts {
    long munmap, threads;
} counts;

static long get(json_t *all, const char *name)
{
    return (long)json_integer_value(tk_get(all, name));
}

static counts count(const char *what, int jobs)
{
    char file[] = "steady_XXXXXX", program[1500];
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    snprintf(program, sizeof program, "'%s' %s %d", steady_load, what, jobs);
    assert_int_equal(run(file, program), 0);
    json_error_t e;
    json_t *all = json_load_file(file, 0, &e);
    if (!all) fail_msg("%s: %s", file, e.text);
    unlink(file);
    const counts c = {get(all, "munmap"), get(all, "clone") + get(all, "clone3")};
    json_decref(all);
    printf("%s, %d jobs: %ld munmap, %ld threads\n", what, jobs, c.munmap, c.threads);
    return c;
}

/* How many buffers are there at once is a matter of chance, and with it what the first proofs map and unmap: by a few, however many
 * proofs there are. So the counts need not be equal each time; if proofs had any of their own they would never be. */
static void check_steady(const char *what)
{
    bool equal = false;
    for (int i = 0; i < TRIES && !equal; i++) {
        counts few = count(what, FEW), many = count(what, MANY);
        assert_int_equal(few.threads, many.threads);
        assert_true(labs(many.munmap - few.munmap) < (MANY - FEW) / 2);
        equal = few.munmap == many.munmap;
    }
    assert_true(equal);
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

static void test_detached(void **state)
{
    (void)state;
    counts few = count("fake detached 21", FEW), many = count("fake detached 21", MANY);
    assert_true(many.munmap - few.munmap >= MANY - FEW);
    assert_int_equal(many.threads - few.threads, MANY - FEW);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--count") == 0) count_calls = argv[i + 1];
        if (strcmp(argv[i], "--load") == 0) steady_load = argv[i + 1];
    }
    if (run("/dev/null", "true") == SKIPPED) return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_slabs),
        cmocka_unit_test(test_detached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
