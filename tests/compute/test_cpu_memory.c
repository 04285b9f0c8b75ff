/* A run takes what the plan says: measured as the growth of a child process's peak resident set. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_key.h"
#include "test_cpu_backend.h"

#include "base/alloc.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MEMORY_IS_OURS = 0 }; /* the sanitizers' own memory would be measured */
#else
enum { MEMORY_IS_OURS = 1 };
#endif

/* The child's answer: the growth in KiB, or 0 after an error. */
static void child(fake_key *k, uint32_t terms, const weir_exec *x, int fd)
{
    const weir_backend *cpu = weir_cpu_backend();
    weir_session *session;
    weir_sums sums;
    uint64_t before = weir_peak_rss_bytes(), grown = 0;
    if (cpu->begin(cpu, &session, k->rel, &k->points, terms, UINT64_MAX, x, NULL) == WEIR_OK &&
        cpu->run(session, &sums, k->w, NULL, x, NULL) == WEIR_OK)
        grown = weir_peak_rss_bytes() - before;
    if (write(fd, &grown, sizeof grown) != sizeof grown) _exit(1);
    _exit(0);
}

static void check_peak(fake_key *k, uint32_t terms)
{
    const weir_exec x = {.isa = weir_isa_best()};
    const weir_backend *cpu = weir_cpu_backend();
    weir_need need;
    assert_int_equal(cpu->bytes(cpu, &need, k->rel, terms, UINT64_MAX, &x, NULL), WEIR_OK);
    uint64_t plan = need.host_bytes, grown = 0;
    int fd[2], status;
    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) child(k, terms, &x, fd[1]);
    assert_int_equal(read(fd[0], &grown, sizeof grown), sizeof grown);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(fd[0]);
    close(fd[1]);
    print_message("plan %llu bytes, grown by %llu\n", (unsigned long long)plan,
                  (unsigned long long)grown);
    /* 2 MB for stacks, code pages read in, and rounding to whole huge pages */
    assert_true(grown <= plan + plan / 50 + (2 << 20));
    /* b of this key has no dense points, which the plan cannot know */
    if (terms == WEIR_TERMS_ALL) assert_true(grown >= plan / 2);
}

void cpu_peak_memory(void **state)
{
    if (!MEMORY_IS_OURS) skip();
    check_peak(*state, WEIR_TERMS_ALL);
    check_peak(*state, WEIR_TERMS_G2);
}
