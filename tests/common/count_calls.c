/* Runs a program and counts those of its system calls that change its address space or start threads, over all its threads and
 * children.
 *
 *     count_calls [-o FILE] PROGRAM ARGS...
 *
 * At the end one line of JSON goes to standard error or FILE: {"munmap": 3, ...}. A program may have its work counted piece by piece:
 * munmap of no bytes at address 0, which does nothing, is a mark, writes a line and starts anew. The exit code is the program's, 128 and the signal
 * if one ended it. Where it cannot be done: "skipped: ..." and 77.
 *
 * A filter (seccomp) stops the program at these calls alone, so all others cost nothing; each stop tells which call it is. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED = 77 };

static int skip(const char *why)
{
    fprintf(stderr, "skipped: %s\n", why);
    return SKIPPED;
}

#ifdef __x86_64__

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

typedef struct counted_call {
    const char *name;
    uint32_t number;
} counted_call;

static const counted_call calls[] = {{"munmap", SYS_munmap}, {"mmap", SYS_mmap},
                                     {"mremap", SYS_mremap}, {"madvise", SYS_madvise},
                                     {"clone", SYS_clone},   {"clone3", 435}};

enum { MUNMAP = 0 }; /* its place in the list */
enum { CALLS = sizeof calls / sizeof calls[0], FILTER = 3 + 2 * CALLS + 1 };

/* ---- the child */

/* The place of a call in the list goes with its stop. */
static bool set_filter(void)
{
    struct sock_filter f[FILTER];
    size_t n = 0;
    f[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    f[n++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, FILTER - 3);
    f[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (uint32_t i = 0; i < CALLS; i++) {
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1);
        f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | i);
    }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {(unsigned short)n, f};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Waits until it is watched. */
static _Noreturn void be_child(int go, char **argv)
{
    char c;
    if (read(go, &c, 1) != 1) _exit(SKIPPED);
    close(go);
    if (!set_filter()) _exit(skip("the system lets no program filter its calls (seccomp)"));
    execvp(argv[0], argv);
    fprintf(stderr, "count_calls: %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* ---- the parent */

static void print_counts(FILE *out, uint64_t count[CALLS])
{
    for (uint32_t i = 0; i < CALLS; i++)
        fprintf(out, "%s\"%s\": %llu", i ? ", " : "{", calls[i].name, (unsigned long long)count[i]);
    fprintf(out, "}\n");
    memset(count, 0, CALLS * sizeof *count);
}

static bool is_mark(pid_t pid)
{
    struct user_regs_struct r;
    return ptrace(PTRACE_GETREGS, pid, NULL, &r) == 0 && r.rdi == 0 && r.rsi == 0;
}

static void on_call(pid_t pid, uint64_t count[CALLS], FILE *out)
{
    unsigned long which;
    if (ptrace(PTRACE_GETEVENTMSG, pid, NULL, &which) != 0 || which >= CALLS) return;
    if (which == MUNMAP && is_mark(pid))
        print_counts(out, count);
    else
        count[which]++;
}

/* Until all threads and children are gone; the exit code of the first. */
static int watch(pid_t program, uint64_t count[CALLS], FILE *out)
{
    int code = 1;
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) return code;
        if (WIFSTOPPED(status)) {
            int event = status >> 16, signal = event ? 0 : WSTOPSIG(status);
            if (event == PTRACE_EVENT_SECCOMP) on_call(pid, count, out);
            (void)ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)signal);
        } else if (pid == program) {
            code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
}

/* Starts the program, which waits, and watches it. False: it could not be; the program is gone. */
static bool start(pid_t *child, int go[2], char **argv)
{
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    *child = fork();
    if (*child < 0) return false;
    if (*child == 0) {
        close(go[1]);
        be_child(go[0], argv);
    }
    if (ptrace(PTRACE_SEIZE, *child, NULL, (void *)options) == 0) return true;
    close(go[1]);
    (void)waitpid(*child, NULL, 0);
    return false;
}

static int count_calls(FILE *out, char **argv)
{
    uint64_t count[CALLS] = {0};
    pid_t child;
    int go[2];
    if (pipe(go) != 0) return skip("no pipe");
    if (!start(&child, go, argv)) return skip("the system lets no program watch another (ptrace)");
    close(go[0]);
    if (write(go[1], "", 1) != 1) return 1;
    close(go[1]);
    int code = watch(child, count, out);
    if (code != SKIPPED) print_counts(out, count);
    return code;
}

#else

static int count_calls(FILE *out, char **argv)
{
    (void)out, (void)argv;
    return skip("only on x86-64");
}

#endif

int main(int argc, char **argv)
{
    const bool to_file = argc > 2 && strcmp(argv[1], "-o") == 0;
    char **program = argv + (to_file ? 3 : 1);
    if (argc < (to_file ? 4 : 2)) {
        fprintf(stderr, "usage: count_calls [-o FILE] PROGRAM ARGS...\n");
        return 2;
    }
    FILE *out = to_file ? fopen(argv[2], "w") : stderr;
    int code = out ? count_calls(out, program) : 1;
    if (out && (!to_file || fclose(out) == 0)) return code;
    fprintf(stderr, "count_calls: cannot write %s\n", argv[2]);
    return 1;
}
