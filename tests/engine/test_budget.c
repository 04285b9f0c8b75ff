/* The memory budget: all or nothing, the figures of a refusal, what the machine and its control groups leave. */
#include "base/alloc.h"
#include "base/pool.h"
#include "engine/budget.h"
#include "testkit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static weir_budget *new_budget(uint64_t host, uint64_t pinned, uint64_t device)
{
    weir_bytes limit = {.host = host, .pinned = pinned};
    weir_budget *b;
    weir_errinfo ei = {0};
    limit.device[1] = device;
    assert_int_equal(weir_budget_new(&b, &limit, &ei), WEIR_OK);
    return b;
}

static void test_all_or_nothing(void **state)
{
    (void)state;
    weir_budget *b = new_budget(100, 50, 30);
    weir_bytes need = {.host = 40, .pinned = 20}, now, most, left;
    weir_errinfo ei = {0};
    need.device[1] = 30;
    assert_true(weir_budget_reserve(b, &need));
    assert_false(weir_budget_reserve(b, &need)); /* the device is full; nothing of it was taken */
    weir_budget_used(b, &now, &most);
    assert_int_equal(now.host, 40);
    assert_int_equal(most.device[1], 30);
    need.device[1] = 0;
    assert_true(weir_budget_reserve(b, &need));
    weir_budget_left(b, &left);
    assert_int_equal(left.host, 20);
    assert_int_equal(left.device[0], 0);
    weir_budget_give_back(b, &need);
    need.device[1] = 30;
    weir_budget_give_back(b, &need);
    weir_budget_used(b, &now, &most);
    assert_int_equal(now.host + now.pinned + now.device[1], 0);
    assert_int_equal(most.host, 80);
    assert_int_equal(weir_budget_fits(b, &need, "this job", &ei), WEIR_OK);
    need.device[1] = 31;
    assert_int_equal(weir_budget_fits(b, &need, "this job", &ei), WEIR_E_NOMEM);
    assert_string_equal(ei.text,
                        "this job needs 31 bytes of memory of device 1, and 30 may be used");
    need.host = 101;
    assert_int_equal(weir_budget_fits(b, &need, "this job", &ei), WEIR_E_NOMEM);
    assert_string_equal(ei.text, "this job needs 101 bytes of host memory, and 100 may be used");
    weir_budget_free(b);
    weir_budget_free(NULL);
}

static void test_no_limit(void **state)
{
    (void)state;
    weir_budget *b = new_budget(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    weir_bytes much = {.host = UINT64_MAX / 2};
    assert_true(weir_budget_reserve(b, &much));
    assert_true(weir_budget_reserve(b, &much));
    assert_false(weir_budget_reserve(b, &much));
    weir_budget_give_back(b, &much);
    weir_budget_give_back(b, &much);
    weir_budget_free(b);
    weir_alloc_fail_nth(1, 0);
    weir_errinfo ei = {0};
    assert_int_equal(weir_budget_new(&b, &much, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(0, 0);
    assert_null(b);
}

typedef struct hammer {
    weir_budget *b;
    atomic_ullong held;
    atomic_uint over;
} hammer;

static void hammer_task(void *ctx, size_t task, unsigned worker)
{
    hammer *h = ctx;
    weir_bytes need = {.host = 1 + task % 40};
    (void)worker;
    if (!weir_budget_reserve(h->b, &need)) return;
    if (atomic_fetch_add(&h->held, need.host) + need.host > 100) atomic_fetch_add(&h->over, 1);
    atomic_fetch_sub(&h->held, need.host);
    weir_budget_give_back(h->b, &need);
}

static void test_threads(void **state)
{
    (void)state;
    hammer h = {.b = new_budget(100, 0, 0)};
    weir_bytes now;
    weir_pool_run(tk_pool(4), 20000, hammer_task, &h);
    weir_budget_used(h.b, &now, NULL);
    assert_int_equal(now.host, 0);
    assert_int_equal(h.over, 0);
    weir_budget_free(h.b);
}

/* ---- what the machine leaves */

/* A file with its folders, under root. */
static void put_file(const char *root, const char *path, const char *text)
{
    char full[600];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(full, 0700);
        *p = '/';
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

#define GIB ((uint64_t)1 << 30)

static uint64_t less_margin(uint64_t bytes)
{
    return bytes - (bytes / 10 > GIB / 2 ? bytes / 10 : GIB / 2);
}

static void test_auto(void **state)
{
    (void)state;
    char root[] = "/tmp/weir-budget.XXXXXX", command[100];
    assert_non_null(mkdtemp(root));
    assert_true(weir_budget_auto(root) == UINT64_MAX);
    put_file(root, "proc/meminfo", "MemTotal: 99 kB\nMemAvailable:   33554432 kB\nX: 1 kB\n");
    assert_int_equal(weir_budget_auto(root), less_margin(32 * GIB));
    /* v2: the group's own limit, then one above it */
    put_file(root, "proc/self/cgroup", "0::/user/weir\n");
    put_file(root, "sys/fs/cgroup/user/weir/memory.max", "max\n");
    assert_int_equal(weir_budget_auto(root), less_margin(32 * GIB));
    put_file(root, "sys/fs/cgroup/user/weir/memory.max", "17179869184\n");
    put_file(root, "sys/fs/cgroup/user/weir/memory.current", "1073741824\n");
    assert_int_equal(weir_budget_auto(root), less_margin(15 * GIB));
    put_file(root, "sys/fs/cgroup/user/memory.max", "4294967296\n");
    put_file(root, "sys/fs/cgroup/user/memory.current", "1073741824\n");
    assert_int_equal(weir_budget_auto(root), less_margin(3 * GIB));
    put_file(root, "sys/fs/cgroup/user/memory.current", "5000000000\n");
    assert_int_equal(weir_budget_auto(root), 0);
    put_file(root, "sys/fs/cgroup/user/memory.stat",
             "anon 1\ninactive_file 3926258176\nactive_file 5\n");
    assert_int_equal(weir_budget_auto(root), less_margin(3 * GIB));
    /* v1 beside it */
    put_file(root, "proc/self/cgroup", "5:cpu:/x\n7:memory:/docker/1\n0::/\n");
    put_file(root, "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "8589934592\n");
    put_file(root, "sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "0\n");
    assert_int_equal(weir_budget_auto(root), less_margin(8 * GIB));
    /* a namespace hides the path: the root's own files count */
    put_file(root, "sys/fs/cgroup/memory.max", "2147483648\n");
    put_file(root, "sys/fs/cgroup/memory.current", "0\n");
    assert_int_equal(weir_budget_auto(root), less_margin(2 * GIB));
    snprintf(command, sizeof command, "rm -rf %s", root);
    assert_int_equal(system(command), 0);
    assert_true(weir_budget_auto("/") > 0 && weir_budget_auto("/") < UINT64_MAX);
}

/* What lasts makes the most that could be reserved smaller. */
static void test_lasting(void **state)
{
    (void)state;
    weir_budget *b;
    weir_errinfo ei = {0};
    const weir_bytes limit = {.host = 100}, session = {.host = 60}, part = {.host = 41};
    weir_bytes now, most;
    assert_int_equal(weir_budget_new(&b, &limit, &ei), WEIR_OK);
    assert_int_equal(weir_budget_fits(b, &part, "a partition", &ei), WEIR_OK);
    assert_true(weir_budget_reserve_lasting(b, &session));
    assert_int_equal(weir_budget_fits(b, &part, "a partition", &ei), WEIR_E_NOMEM);
    assert_non_null(strstr(ei.text, "needs 41"));
    assert_non_null(strstr(ei.text, "40 may be used"));
    assert_false(weir_budget_reserve(b, &part));
    weir_budget_give_back_lasting(b, &session);
    assert_int_equal(weir_budget_fits(b, &part, "a partition", &ei), WEIR_OK);
    assert_true(weir_budget_reserve(b, &part));
    weir_budget_give_back(b, &part);
    weir_budget_used(b, &now, &most);
    assert_int_equal(now.host, 0);
    assert_int_equal(most.host, 60);
    weir_budget_free(b);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lasting),  cmocka_unit_test(test_all_or_nothing),
        cmocka_unit_test(test_no_limit), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_auto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
