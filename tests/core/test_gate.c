/* SPDX-License-Identifier: MIT */
/* In the gate between readers and writers, a writer is inside alone, and waiting threads enter in the order of their arrival. Under the
 * thread sanitizer this also shows that the gate orders memory. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#endif
#include "tests/support/check.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "src/core/gate.h"

typedef struct gate_state {
    vp_gate gate;
    uint64_t left, right;      /* not atomic, and equal whenever no writer is inside */
    atomic_uint inside, tries; /* successful tries */
    char log[8];
    atomic_uint logged;
    atomic_bool wrong;
} gate_state;

static gate_state *begin(void)
{
    static gate_state p;
    memset(&p, 0, sizeof p);
    assert_true(vp_gate_begin(&p.gate));
    return &p;
}

static void tell(gate_state *p, char who)
{
    p->log[atomic_fetch_add(&p->logged, 1)] = who;
}

static void *one_reader(void *user)
{
    gate_state *p = user;
    vp_gate_enter_read(&p->gate);
    tell(p, 'r');
    vp_gate_leave_read(&p->gate);
    return NULL;
}

static void *one_writer(void *user)
{
    gate_state *p = user;
    vp_gate_enter_write(&p->gate);
    tell(p, 'w');
    vp_gate_leave_write(&p->gate);
    return NULL;
}

static void until(gate_state *p, uint32_t readers, uint64_t writers)
{
    for (bool there = false; !there; sched_yield()) {
        pthread_mutex_lock(&p->gate.lock);
        there = p->gate.waiting_readers == readers && p->gate.last_turn == writers;
        pthread_mutex_unlock(&p->gate.lock);
    }
}

/* A writer waits for the reader inside. A later reader waits for the writer. */
static void readers_do_not_pass_a_writer(void **state)
{
    (void)state;
    gate_state *p = begin();
    pthread_t writer, reader;
    vp_gate_enter_read(&p->gate);
    assert_int_equal(pthread_create(&writer, NULL, one_writer, p), 0);
    until(p, 0, 1);
    while ((atomic_load(&p->gate.state) & VP_GATE_CLOSED) == 0)
        sched_yield();
    assert_int_equal(pthread_create(&reader, NULL, one_reader, p), 0);
    until(p, 1, 1);
    assert_int_equal(atomic_load(&p->logged), 0);
    vp_gate_leave_read(&p->gate);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    assert_string_equal(p->log, "wr");
    assert_int_equal(atomic_load(&p->gate.state), 0);
    vp_gate_end(&p->gate);
}

/* ---- entering only an empty gate ---- */

static void wait_milliseconds(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* One try in a thread of its own. It must return without help. */
typedef struct entry_attempt {
    vp_gate *gate;
    pthread_t thread;
    atomic_bool begun, back;
    bool in;
} entry_attempt;

static void *one_try(void *user)
{
    entry_attempt *a = user;
    atomic_store(&a->begun, true);
    a->in = vp_gate_try_enter_write(a->gate);
    if (a->in)
        vp_gate_leave_write(a->gate);
    atomic_store(&a->back, true);
    return NULL;
}

static void begin_try(entry_attempt *a, vp_gate *gate)
{
    *a = (entry_attempt){.gate = gate};
    assert_int_equal(pthread_create(&a->thread, NULL, one_try, a), 0);
}

/* @return whether it returned within a minute */
static bool comes_back(entry_attempt *a)
{
    for (int i = 0; i < 6000 && !atomic_load(&a->back); i++)
        wait_milliseconds(10);
    return atomic_load(&a->back);
}

/* While a reader is inside, the try is refused at once and changes nothing. Other readers may still enter. */
static void a_try_does_not_wait_for_readers(void **state)
{
    (void)state;
    gate_state *p = begin();
    entry_attempt a;
    for (uint32_t readers = 1; readers <= 3; readers++) {
        vp_gate_enter_read(&p->gate);
        begin_try(&a, &p->gate);
        const bool back = comes_back(&a);
        const uint_least32_t inside = atomic_load(&p->gate.state);
        if (!back) /* it waits for this thread */
            while (readers-- > 0)
                vp_gate_leave_read(&p->gate);
        pthread_join(a.thread, NULL);
        assert_true(back);
        assert_false(a.in);
        assert_int_equal(inside, readers);
        assert_int_equal(p->gate.last_turn, 0);
    }
    for (uint32_t left = 3; left-- > 0;) {
        vp_gate_leave_read(&p->gate);
        assert_int_equal(atomic_load(&p->gate.state), left);
    }
    begin_try(&a, &p->gate);
    pthread_join(a.thread, NULL);
    assert_true(a.in);
    vp_gate_end(&p->gate);
}

/* A reader may enter between the try's first look and its entry. The test holds the gate's lock here to make that time long enough. */
static void a_try_sees_a_reader_who_comes_meanwhile(void **state)
{
    (void)state;
    gate_state *p = begin();
    for (int round = 0; round < 3; round++) {
        entry_attempt a;
        pthread_mutex_lock(&p->gate.lock);
        begin_try(&a, &p->gate);
        while (!atomic_load(&a.begun))
            sched_yield();
        wait_milliseconds(50); /* it has looked, and waits for the lock */
        vp_gate_enter_read(&p->gate);
        pthread_mutex_unlock(&p->gate.lock);
        const bool back = comes_back(&a);
        const uint_least32_t inside = atomic_load(&p->gate.state);
        vp_gate_leave_read(&p->gate);
        pthread_join(a.thread, NULL);
        assert_true(back);
        assert_false(a.in);
        assert_int_equal(inside, 1);
        assert_int_equal(atomic_load(&p->gate.state), 0);
    }
    vp_gate_end(&p->gate);
}

/* In an empty gate the try succeeds. It keeps out readers, writers and other tries. When it leaves, it lets them in like any writer.
 * Readers that waited for one writer do not wait for the next, and writers enter in their order. */
static void a_try_is_a_writer(void **state)
{
    (void)state;
    gate_state *p = begin();
    for (uint64_t round = 0; round < 4; round++) {
        const uint64_t turns = round * 3;
        pthread_t writer[2], reader[2];
        entry_attempt a;
        memset(p->log, 0, sizeof p->log);
        atomic_store(&p->logged, 0);
        if (round % 2 == 0)
            assert_true(vp_gate_try_enter_write(&p->gate));
        else
            vp_gate_enter_write(&p->gate);
        assert_int_equal(atomic_load(&p->gate.state), VP_GATE_CLOSED);
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(pthread_create(&writer[i], NULL, one_writer, p), 0);
            until(p, i, turns + i + 2);
            assert_int_equal(pthread_create(&reader[i], NULL, one_reader, p), 0);
            until(p, i + 1, turns + i + 2);
        }
        begin_try(&a, &p->gate); /* a writer is inside, others wait */
        const bool back = comes_back(&a);
        assert_int_equal(atomic_load(&p->logged), 0);
        vp_gate_leave_write(&p->gate);
        for (int i = 0; i < 2; i++) {
            pthread_join(writer[i], NULL);
            pthread_join(reader[i], NULL);
        }
        pthread_join(a.thread, NULL);
        assert_true(back);
        assert_false(a.in);
        assert_string_equal(p->log, "rrww");
        assert_int_equal(atomic_load(&p->gate.state), 0);
        assert_int_equal(p->gate.turn, p->gate.last_turn);
    }
    one_reader(p); /* from this thread: they need not wait */
    one_writer(p);
    assert_string_equal(p->log, "rrwwrw");
    vp_gate_end(&p->gate);
}

/* ---- all together ---- */

enum { THREADS = 4, ROUNDS = 3000 };

static void *mixed(void *user)
{
    gate_state *p = user;
    for (uint32_t i = 0; i < ROUNDS; i++)
        if (i % 8 == 3 || (i % 8 == 6 && vp_gate_try_enter_write(&p->gate))) {
            if (i % 8 == 3)
                vp_gate_enter_write(&p->gate);
            else
                atomic_fetch_add(&p->tries, 1);
            if (atomic_fetch_add(&p->inside, 1) != 0)
                atomic_store(&p->wrong, true);
            p->left++;
            p->right++;
            atomic_fetch_sub(&p->inside, 1);
            vp_gate_leave_write(&p->gate);
        } else {
            vp_gate_enter_read(&p->gate);
            if (p->left != p->right)
                atomic_store(&p->wrong, true);
            vp_gate_leave_read(&p->gate);
        }
    return NULL;
}

static void many_at_once(void **state)
{
    (void)state;
    gate_state *p = begin();
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, mixed, p), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_false(atomic_load(&p->wrong));
    assert_int_equal(p->left, THREADS * ROUNDS / 8 + atomic_load(&p->tries));
    assert_int_equal(p->right, p->left);
    assert_true(atomic_load(&p->tries) != 0);
    assert_int_equal(atomic_load(&p->gate.state), 0);
    vp_gate_end(&p->gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers_do_not_pass_a_writer), cmocka_unit_test(a_try_does_not_wait_for_readers),
                                       cmocka_unit_test(a_try_sees_a_reader_who_comes_meanwhile), cmocka_unit_test(a_try_is_a_writer),
                                       cmocka_unit_test(many_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
