/* Keys that come and go: the order in which they go, what is never dropped, errors, and many threads at once. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/key_cache.h"

#include "testkit.h"

enum { KEYS = 6, PLACES = 3 }; /* two devices and the host */
static const uint32_t places[PLACES] = {0, 1, WEIR_PLACE_HOST};

/* What a key's functions see. */
typedef struct fake_key {
    uint64_t size; /* at each place */
    int there[PLACES];
    unsigned brought, dropped;
    unsigned users[PLACES];
    unsigned fail_bring; /* the next so many */
    struct rig *rig;
} fake_key;

typedef struct rig {
    pthread_mutex_t lock;
    weir_key_cache *cache;
    fake_key key[KEYS];
    uint64_t id[KEYS];
    uint64_t held[PLACES], limit[PLACES], most[PLACES];
    unsigned last_dropped; /* key's number + 1 */
    bool dropped_in_use, over;
} rig;

static int index_of(uint32_t place)
{
    return place == WEIR_PLACE_HOST ? 2 : (int)place;
}

static weir_err fake_bytes(void *ctx, uint32_t place, weir_bytes *out, const weir_exec *x,
                           weir_errinfo *ei)
{
    const fake_key *k = ctx;
    (void)x, (void)ei;
    if (place == WEIR_PLACE_HOST)
        out->host = k->size;
    else
        out->device[place] = k->size;
    return WEIR_OK;
}

static weir_err fake_bring(void *ctx, uint32_t place, const weir_exec *x, weir_errinfo *ei)
{
    fake_key *k = ctx;
    rig *r = k->rig;
    int p = index_of(place);
    (void)x;
    pthread_mutex_lock(&r->lock);
    bool fails = k->fail_bring > 0;
    if (fails) {
        k->fail_bring--;
    } else {
        k->there[p]++;
        k->brought++;
        r->held[p] += k->size;
        if (r->held[p] > r->most[p]) r->most[p] = r->held[p];
        if (r->held[p] > r->limit[p] || k->there[p] != 1) r->over = true;
    }
    pthread_mutex_unlock(&r->lock);
    return fails ? weir_fail(ei, WEIR_E_IO, "the disk fails") : WEIR_OK;
}

static void fake_drop(void *ctx, uint32_t place)
{
    fake_key *k = ctx;
    rig *r = k->rig;
    int p = index_of(place);
    pthread_mutex_lock(&r->lock);
    k->there[p]--;
    k->dropped++;
    r->held[p] -= k->size;
    r->last_dropped = (unsigned)(k - r->key) + 1;
    if (k->users[p] > 0 || k->there[p] != 0) r->dropped_in_use = true;
    pthread_mutex_unlock(&r->lock);
}

static const weir_key_ops ops = {fake_bytes, fake_bring, fake_drop};
static const weir_exec nobody = {.isa = WEIR_ISA_PORTABLE};

static void rig_open(rig *r, uint64_t each)
{
    weir_bytes limit = {.host = each, .pinned = UINT64_MAX};
    weir_errinfo ei = {0};
    *r = (rig){.limit = {each, each, each}};
    pthread_mutex_init(&r->lock, NULL);
    limit.device[0] = limit.device[1] = each;
    assert_int_equal(weir_key_cache_new(&r->cache, &limit, &ei), WEIR_OK);
    for (int i = 0; i < KEYS; i++) {
        r->key[i] = (fake_key){.size = 10, .rig = r};
        assert_int_equal(weir_key_cache_add(r->cache, &r->id[i], &ops, &r->key[i], &ei), WEIR_OK);
    }
}

static void rig_close(rig *r)
{
    weir_key_cache_free(r->cache);
    for (int p = 0; p < PLACES; p++) assert_int_equal(r->held[p], 0);
    assert_false(r->dropped_in_use);
    assert_false(r->over);
    pthread_mutex_destroy(&r->lock);
}

static void touch(rig *r, int key, uint32_t place)
{
    weir_errinfo ei = {0};
    if (weir_key_cache_take(r->cache, r->id[key], place, &nobody, &ei) != WEIR_OK)
        fail_msg("%s", ei.text);
    weir_key_cache_give(r->cache, r->id[key], place);
}

static void the_oldest_goes_first(void **state)
{
    (void)state;
    rig r;
    weir_key_cache_stats s;
    rig_open(&r, 30);
    for (int i = 0; i < 3; i++) touch(&r, i, 0);
    touch(&r, 0, 0);
    assert_int_equal(r.key[0].brought, 1);
    touch(&r, 3, 0); /* 1 was used longest ago */
    assert_int_equal(r.last_dropped, 2);
    touch(&r, 4, 0);
    assert_int_equal(r.last_dropped, 3);
    assert_true(weir_key_cache_is_at(r.cache, r.id[0], 0));
    assert_false(weir_key_cache_is_at(r.cache, r.id[1], 0));
    assert_false(weir_key_cache_is_at(r.cache, r.id[0], 1)); /* places are apart */
    touch(&r, 1, 1);
    assert_int_equal(r.last_dropped, 3);
    weir_key_cache_count(r.cache, &s);
    assert_int_equal(s.hits, 1);
    assert_int_equal(s.brought, 6);
    assert_int_equal(s.dropped, 2);
    assert_int_equal(s.used.device[0], 30);
    assert_int_equal(s.used.device[1], 10);
    assert_int_equal(s.most.device[0], 30);
    rig_close(&r);
}

static void large_keys_cost_several(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, 30);
    for (int i = 0; i < 3; i++) touch(&r, i, WEIR_PLACE_HOST);
    r.key[5].size = 20;
    touch(&r, 5, WEIR_PLACE_HOST);
    assert_false(weir_key_cache_is_at(r.cache, r.id[0], WEIR_PLACE_HOST));
    assert_false(weir_key_cache_is_at(r.cache, r.id[1], WEIR_PLACE_HOST));
    assert_true(weir_key_cache_is_at(r.cache, r.id[2], WEIR_PLACE_HOST));
    rig_close(&r);
}

static void what_is_used_stays(void **state)
{
    (void)state;
    rig r;
    weir_errinfo ei = {0};
    rig_open(&r, 20);
    assert_int_equal(weir_key_cache_take(r.cache, r.id[0], 0, &nobody, &ei), WEIR_OK);
    assert_int_equal(weir_key_cache_take(r.cache, r.id[0], 0, &nobody, &ei), WEIR_OK);
    r.key[0].users[0] = 1;
    touch(&r, 1, 0);
    touch(&r, 2, 0);
    assert_int_equal(r.last_dropped, 2);
    weir_key_cache_give(r.cache, r.id[0], 0);
    touch(&r, 1, 0); /* taken twice: still in use */
    assert_true(weir_key_cache_is_at(r.cache, r.id[0], 0));
    assert_int_equal(weir_key_cache_take(r.cache, r.id[1], 0, &nobody, &ei), WEIR_OK);
    assert_int_equal(weir_key_cache_take(r.cache, r.id[2], 0, &nobody, &ei), WEIR_E_NOMEM);
    assert_non_null(strstr(ei.text, "needs 10 bytes on device 0"));
    assert_non_null(strstr(ei.text, " 0 are left"));
    weir_key_cache_give(r.cache, r.id[1], 0);
    r.key[0].users[0] = 0;
    weir_key_cache_give(r.cache, r.id[0], 0);
    r.key[3].size = 21; /* never fits: nothing goes for it */
    unsigned dropped = r.key[0].dropped + r.key[1].dropped;
    assert_int_equal(weir_key_cache_take(r.cache, r.id[3], 0, &nobody, &ei), WEIR_E_NOMEM);
    assert_int_equal(r.key[0].dropped + r.key[1].dropped, dropped);
    rig_close(&r);
}

static void errors_leave_nothing(void **state)
{
    (void)state;
    rig r;
    weir_errinfo ei = {0};
    weir_key_cache_stats s;
    rig_open(&r, 10);
    r.key[0].fail_bring = 1;
    assert_int_equal(weir_key_cache_take(r.cache, r.id[0], 1, &nobody, &ei), WEIR_E_IO);
    assert_string_equal(ei.text, "the disk fails");
    assert_false(weir_key_cache_is_at(r.cache, r.id[0], 1));
    weir_key_cache_count(r.cache, &s);
    assert_int_equal(s.used.device[1], 0);
    touch(&r, 0, 1);
    weir_key_cache_remove(r.cache, r.id[0]);
    assert_int_equal(r.held[1], 0);
    rig_close(&r);
}

/* ---- many threads */

enum { THREADS = 4, TAKES = 3000 };

typedef struct user {
    rig *r;
    uint64_t seed;
    unsigned done, refused;
} user;

static void *use_keys(void *ctx)
{
    user *u = ctx;
    rig *r = u->r;
    for (int i = 0; i < TAKES; i++) {
        u->seed = u->seed * 6364136223846793005u + 1442695040888963407u;
        unsigned key = (unsigned)(u->seed >> 33) % KEYS, p = (unsigned)(u->seed >> 50) % PLACES;
        weir_errinfo ei = {0};
        weir_err err = weir_key_cache_take(r->cache, r->id[key], places[p], &nobody, &ei);
        if (err != WEIR_OK) {
            u->refused += err == WEIR_E_NOMEM || err == WEIR_E_IO;
            continue;
        }
        pthread_mutex_lock(&r->lock);
        r->key[key].users[p]++;
        if (r->key[key].there[p] != 1) r->over = true;
        pthread_mutex_unlock(&r->lock);
        (void)weir_key_cache_is_at(r->cache, r->id[(key + 1) % KEYS], places[p]);
        pthread_mutex_lock(&r->lock);
        r->key[key].users[p]--;
        if (u->seed >> 60 == 0) r->key[key].fail_bring++;
        pthread_mutex_unlock(&r->lock);
        weir_key_cache_give(r->cache, r->id[key], places[p]);
        u->done++;
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    rig r;
    user u[THREADS];
    pthread_t t[THREADS];
    rig_open(&r, 30);
    for (int i = 0; i < THREADS; i++) {
        u[i] = (user){.r = &r, .seed = tk_u64(&g)};
        assert_int_equal(pthread_create(&t[i], NULL, use_keys, &u[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        assert_int_equal(u[i].done + u[i].refused, TAKES);
        assert_true(u[i].done > TAKES / 4);
    }
    rig_close(&r);
}

/* Asked for before it is needed: it comes if there is room beside what is in use, at the cost of what is not. */
static void before_it_is_needed(void **state)
{
    (void)state;
    rig r;
    weir_errinfo ei = {0};
    rig_open(&r, 20);
    for (int k = 0; k < 2; k++)
        assert_int_equal(weir_key_cache_take(r.cache, r.id[k], 0, &nobody, &ei), WEIR_OK);
    assert_int_equal(weir_key_cache_prefetch(r.cache, r.id[2], 0, &nobody, &ei), WEIR_OK);
    assert_false(weir_key_cache_is_at(r.cache, r.id[2], 0));
    weir_key_cache_give(r.cache, r.id[1], 0);
    assert_int_equal(weir_key_cache_prefetch(r.cache, r.id[2], 0, &nobody, &ei), WEIR_OK);
    assert_true(weir_key_cache_is_at(r.cache, r.id[2], 0));
    assert_false(weir_key_cache_is_at(r.cache, r.id[1], 0));
    touch(&r, 1, 0); /* what was brought so is not in use */
    assert_false(weir_key_cache_is_at(r.cache, r.id[2], 0));
    r.key[2].size = 21;
    assert_int_equal(weir_key_cache_prefetch(r.cache, r.id[2], 0, &nobody, &ei), WEIR_E_NOMEM);
    assert_non_null(strstr(ei.text, "21"));
    r.key[3].fail_bring = 1;
    assert_int_equal(weir_key_cache_prefetch(r.cache, r.id[3], 1, &nobody, &ei), WEIR_E_IO);
    weir_key_cache_give(r.cache, r.id[0], 0);
    rig_close(&r);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_goes_first),
        cmocka_unit_test(large_keys_cost_several),
        cmocka_unit_test(what_is_used_stays),
        cmocka_unit_test(errors_leave_nothing),
        cmocka_unit_test(before_it_is_needed),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
