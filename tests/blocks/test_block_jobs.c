/* SPDX-License-Identifier: MIT */
/* Jobs that run between ticks. The judge keeps every version of every chunk's blocks. The last results name a version of each chunk.
 * After each tick, and for any order of tasks, their quads, meshes and boxes must equal a new build from these versions. */
#define _POSIX_C_SOURCE 200809L
#include "tests/blocks/job_judge.h"
#include "tests/support/memory.h"

#include <pthread.h>
#include <stdatomic.h>

#include "examples/thread_pool.h"

#ifndef TEST_THIN
#define TEST_THIN 0
#endif
enum {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    THREADS_ALONE = 1,
#else
    THREADS_ALONE = 0,
#endif
#else
    THREADS_ALONE = 0,
#endif
};
enum { MORE = TEST_THIN == 0 ? 4 : 1, TICKS = 200 }; /* fewer in slow builds */

/* ---- tests ---- */

/* Enumerates all sequences of choices, each below its bound. With `random`, a number of random sequences. */
typedef struct choices {
    uint32_t taken[32], of[32], at;
    vp_random *random; /* NULL = all */
    uint32_t runs;
} choices;

static void draw_edit(vp_random *r, vp_block_edit *e)
{
    int32_t at[3];
    for (int a = 0; a < 3; a++) {
        const uint32_t chunk = vp_random_below(r, a == 1 ? 2 : 3), inside = vp_random_below(r, EDGE), form = vp_random_below(r, 3);
        at[a] = ((int32_t)chunk - 1) * EDGE + (int32_t)(form == 0 ? 0 : form == 1 ? EDGE - 1 : inside);
    }
    *e = (vp_block_edit){.shape = vp_random_below(r, 3) == 0 ? VP_BLOCK_BOX : VP_BLOCK_ONE,
                         .block = (vp_block)(vp_random_below(r, 2) == 0 ? 0 : vp_random_below(r, TYPES)),
                         .low = {at[0], at[1], at[2]}};
    if (vp_random_below(r, 60) == 0) { /* clears a chunk */
        e->shape = VP_BLOCK_BOX;
        e->block = 0;
        e->low = (vp_ivec3){floor_chunk(at[0]) * EDGE, floor_chunk(at[1]) * EDGE, floor_chunk(at[2]) * EDGE};
        e->high = (vp_ivec3){e->low.x + EDGE, e->low.y + EDGE, e->low.z + EDGE};
        return;
    }
    e->high = (vp_ivec3){at[0] + 1 + (int32_t)vp_random_below(r, 4), at[1] + 1 + (int32_t)vp_random_below(r, 4),
                         at[2] + 1 + (int32_t)vp_random_below(r, 4)};
}

/* Random edits of 18 chunks, random orders, and an executor that is sometimes full. Some edits are noted late and out of order. */
static void test_random_orders(void **state)
{
    (void)state; /* docs/CONTRACT.md: BJB-1 */
    static task_script s;
    vp_random r = {77};
    for (int form = 0; form < (MORE == 1 ? 2 : 4); form++) {
        const vp_executor executor = scripted(&s);
        judge *g = begin(&executor, NULL, form % 2 == 0, form / 2 == 0);
        vp_block_change late[64];
        uint32_t late_count = 0, shown = 0;
        for (int t = 0; t < (MORE == 1 ? 25 : 120); t++) {
            vp_block_edit e[4];
            const uint32_t count = vp_random_below(&r, 5);
            for (uint32_t i = 0; i < count; i++)
                draw_edit(&r, &e[i]);
            const bool noted = late_count > 40 || vp_random_below(&r, 3) != 0;
            edit(g, e, count, noted);
            for (uint32_t i = 0; !noted && i < g->changes.count && late_count < 64; i++)
                late[late_count++] = g->changes.change[i];
            if (vp_random_below(&r, 4) == 0 || late_count == 64) {
                for (uint32_t i = late_count; i-- > 0;)
                    note(g, &(vp_block_changes){.change = &late[i], .count = 1});
                late_count = 0;
            }
            s.room = vp_random_below(&r, 3) == 0 ? s.count + 1 : TASKS_MOST;
            tick(g);
            shown += g->ticked.applied;
            for (uint32_t i = vp_random_below(&r, 24); i > 0 && s.count != 0; i--)
                run_one(&s, vp_random_below(&r, s.count));
        }
        assert_true(shown > 10);
        s.room = TASKS_MOST;
        vp_block_jobs_mark_all_changed(g->jobs);
        drain(g, &s);
        judge_end(g);
        if (form == 1) { /* destroyed with jobs in progress */
            set(g, 0, 0, 0, STONE);
            assert_ok(vp_block_jobs_tick(g->jobs, NULL, &error));
            s.ends = true;
        }
        end(g);
        assert_int_equal(s.count, 0);
    }
}

/* A chunk has one job for all edits of a tick, and none if it sees no changed block. */
static void test_one_job_a_tick(void **state)
{
    (void)state; /* docs/CONTRACT.md: BJB-2 */
    judge *g = begin(NULL, NULL, false, true);
    const struct {
        vp_ivec3 at[2];
        bool undone;
        uint32_t begun;
    } row[] = {
        {{{5, 5, 5}, {40, 5, 5}}, false, 2}, /* neither is at the border */
        {{{10, 5, 5}, {11, 5, 5}}, false, 1},
        {{{6, 6, 6}, {-5, 5, 5}}, true, 0},   /* in a chunk that is shown and in one that never existed */
        {{{5, 31, 5}, {6, 31, 5}}, false, 1}, /* next to nothing, so that no other chunk depends on it */
        {{{31, 5, 5}, {31, 6, 5}}, false, 2},
        {{{40, 40, 5}, {41, 40, 5}}, false, 1},
        {{{31, 31, 5}, {31, 31, 6}}, false, 2}, /* light alone would reach the chunk across the edge */
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int k = 0; k < 2; k++) {
            set(g, row[i].at[k].x, row[i].at[k].y, row[i].at[k].z, STONE);
            if (row[i].undone)
                set(g, row[i].at[k].x, row[i].at[k].y, row[i].at[k].z, 0);
        }
        tick(g);
        assert_int_equal(g->ticked.begun, row[i].begun);
    }
    judge_end(g);
    end(g);
}

/* A chunk that is edited in every tick, and whose tasks take more than a tick. It is still shown in time. */
static void test_patience(void **state)
{
    (void)state; /* docs/CONTRACT.md: BJB-2 */
    static task_script s;
    const vp_executor executor = scripted(&s);
    judge *g = begin(&executor, NULL, true, true);
    const judged_chunk *c = chunk_at(g, 0, 0, 0);
    uint32_t last = 0, shown_at = 0;
    for (uint32_t t = 0; t < 60; t++) {
        const uint32_t waiting = s.count; /* tasks of the last tick run after this tick's edit */
        turn(g, 31, (int32_t)t % EDGE, 7);
        set(g, 32, (int32_t)t % EDGE, 7, EARTH);
        tick(g);
        if (c->applied != last) {
            last = c->applied;
            shown_at = t;
        }
        assert_true(t - shown_at <= VP_BLOCK_JOBS_PATIENCE + 4);
        for (uint32_t i = 0; i < waiting; i++)
            run_one(&s, 0);
    }
    assert_true(last >= 4);
    drain(g, &s);
    judge_end(g);
    end(g);
}

/* Each allocation fails once, alone and with those that follow it for a while. The world has no hole, and nothing is lost. */
static void test_refused_memory(void **state)
{
    (void)state; /* docs/CONTRACT.md: BJB-3 */
    for (int only_one = 0; only_one < 2; only_one++)
        for (uint64_t n = 1;; n += MORE == 1 ? 47 : only_one == 0 ? 11 : 3) {
            test_memory memory;
            test_memory_begin(&memory);
            const vp_allocator allocator = test_memory_allocator(&memory);
            judge *g = begin(NULL, &allocator, true, n % 16 == 1);
            const vp_block_edit row = {.shape = VP_BLOCK_BOX, .block = STONE, .low = {28, 28, 4}, .high = {36, 36, 6}};
            edit(g, &row, 1, true);
            memory.only_one = only_one != 0;
            test_memory_fail_at(&memory, n);
            uint32_t refused = 0;
            for (int32_t t = 0; t < 4; t++) {
                refused += vp_block_jobs_tick(g->jobs, &g->ticked, NULL) == VP_E_MEMORY;
                judge_tick(g);
                set(g, 31 + t % 2, 31, 4 + t / 2, 0);
            }
            const bool happened = memory.requests >= n;
            assert_true(happened || refused == 0);
            memory.only_one = true; /* allocations succeed again */
            memory.fail_at = 0;
            do
                tick(g);
            while (g->ticked.pending != 0);
            judge_end(g);
            end(g);
            test_memory_end(&memory);
            if (!happened)
                break;
            assert_true(n < 2000);
        }
}

static void test_refusals(void **state)
{
    (void)state;
    vp_blocks *locks = NULL, *plain = NULL;
    vp_block_jobs *jobs = NULL;
    assert_ok(vp_blocks_create(&(vp_blocks_def){.type = NULL, .form = VP_BLOCKS_LOCKS}, &locks, &error));
    assert_ok(vp_blocks_create(&(vp_blocks_def){.type = NULL}, &plain, &error));
    assert_refused(vp_block_jobs_create(&(vp_block_jobs_def){.blocks = locks, .apply = apply}, &jobs, &error), VP_E_ARGUMENT, "form 1");
    assert_refused(vp_block_jobs_create(&(vp_block_jobs_def){.apply = apply}, &jobs, &error), VP_E_ARGUMENT, "blocks is NULL");
    assert_refused(vp_block_jobs_create(&(vp_block_jobs_def){.blocks = plain}, &jobs, &error), VP_E_ARGUMENT, "apply is NULL");
    const vp_block_rounding flat = {.radius = -2};
    assert_refused(vp_block_jobs_create(&(vp_block_jobs_def){.blocks = plain, .apply = apply, .rounding = &flat}, &jobs, &error),
                   VP_E_ARGUMENT, "-2");
    for (uint64_t n = 1; n < 3; n++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        test_memory_fail_at(&memory, n);
        const vp_block_jobs_def def = {.blocks = plain, .apply = apply, .allocator = &allocator};
        if (n == 1)
            assert_refused(vp_block_jobs_create(&def, &jobs, &error), VP_E_MEMORY, "jobs");
        else
            assert_ok(vp_block_jobs_create(&def, &jobs, &error));
        vp_block_jobs_destroy(jobs);
        test_memory_end(&memory);
    }
    vp_blocks_destroy(plain);
    vp_blocks_destroy(locks);
    /* A chunk out of reach for meshes is reported, and the others are completed. */
    judge *g = begin(NULL, NULL, false, false);
    set(g, 1, 2, 3, STONE);
    assert_ok(vp_blocks_set(g->world, (vp_ivec3){VP_BLOCK_JOBS_REACH * EDGE, 0, 0}, STONE, &g->changes, &error));
    note(g, &g->changes);
    assert_refused(vp_block_jobs_tick(g->jobs, &g->ticked, &error), VP_E_ARGUMENT, "262144");
    assert_int_equal(g->ticked.applied, 1);
    tick(g);
    end(g);
}

/* ---- threads ---- */

typedef struct party {
    judge *g;
    pthread_mutex_t lock; /* guards edits and checks of the versions */
    atomic_bool ends;
    atomic_uint edits, reads;
} party;

static void *edit_on(void *user)
{
    party *p = user;
    vp_random r = {5};
    while (!atomic_load(&p->ends)) {
        vp_block_edit e[3];
        const uint32_t count = 1 + vp_random_below(&r, 3);
        for (uint32_t i = 0; i < count; i++)
            draw_edit(&r, &e[i]);
        pthread_mutex_lock(&p->lock);
        edit(p->g, e, count, true);
        pthread_mutex_unlock(&p->lock);
        atomic_fetch_add(&p->edits, 1);
        struct timespec pause = {.tv_nsec = 4000000};
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static void *read_on(void *user)
{
    party *p = user;
    uint32_t sum = 0;
    while (!atomic_load(&p->ends)) {
        vp_block_around around;
        vp_blocks_acquire_around(p->g->world, (vp_ivec3){0, 0, 0}, &around);
        for (uint32_t k = 0; k < 27; k++)
            sum += vp_block_at(&around.cells[k], 31, 0, 31);
        vp_blocks_release_around(p->g->world, &around);
        atomic_fetch_add(&p->reads, 1);
    }
    return (void *)(uintptr_t)(sum & 1u);
}

/* Edits, readers, jobs and the tick, each on another thread. */
static void test_threads_together(void **state)
{
    (void)state;
    static thread_pool pool;
    assert_true(thread_pool_begin(&pool, 2));
    const vp_executor executor = thread_pool_executor(&pool);
    party p = {.g = begin(&executor, NULL, true, true)};
    pthread_t editor, reader;
    uint32_t applied = 0;
    pthread_mutex_init(&p.lock, NULL);
    assert_int_equal(pthread_create(&editor, NULL, edit_on, &p), 0);
    assert_int_equal(pthread_create(&reader, NULL, read_on, &p), 0);
    for (uint32_t t = 0; t < TICKS || (applied < 20 && t < 100 * TICKS); t++) {
        pthread_mutex_lock(&p.lock);
        assert_ok(vp_block_jobs_tick(p.g->jobs, &p.g->ticked, &error));
        if (TEST_THIN == 0 || t % 16 == 0) /* the judge reads only its own memory, which the thread sanitizer need not see */
            judge_tick(p.g);
        pthread_mutex_unlock(&p.lock);
        applied += p.g->ticked.applied;
        struct timespec pause = {.tv_nsec = 500000};
        nanosleep(&pause, NULL);
    }
    atomic_store(&p.ends, true);
    pthread_join(editor, NULL);
    pthread_join(reader, NULL);
    assert_true(applied >= 20);
    assert_true(atomic_load(&p.edits) > 10 && atomic_load(&p.reads) > 10);
    do
        tick(p.g);
    while (p.g->ticked.pending != 0);
    judge_end(p.g);
    set(p.g, 3, 3, 3, STONE); /* destroyed with jobs in progress */
    tick(p.g);
    end(p.g);
    pthread_mutex_destroy(&p.lock);
    thread_pool_end(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_together), /* the only one that starts threads */
        cmocka_unit_test(test_random_orders),    cmocka_unit_test(test_one_job_a_tick), cmocka_unit_test(test_patience),
        cmocka_unit_test(test_refused_memory),   cmocka_unit_test(test_refusals),
    };
    return _cmocka_run_group_tests("tests", tests, THREADS_ALONE ? 1 : sizeof tests / sizeof tests[0], NULL, NULL);
}
