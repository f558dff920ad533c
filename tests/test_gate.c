/* SPDX-License-Identifier: MIT */
/* The gate between readers and writers: nobody is inside with a writer, and who waits gets in before who comes later.
 * Under the thread sanitizer this is also the proof that it orders memory. */
#include "tests/support/check.h"

#include <pthread.h>
#include <sched.h>

#include "core/gate.h"

typedef struct place {
    vp_gate gate;
    uint64_t left, right; /* plain, and equal whenever no writer is inside */
    atomic_uint inside;
    char log[8];
    atomic_uint logged;
    atomic_bool wrong;
} place;

static place *begin(void)
{
    static place p;
    memset(&p, 0, sizeof p);
    assert_true(vp_gate_begin(&p.gate));
    return &p;
}

static void tell(place *p, char who)
{
    p->log[atomic_fetch_add(&p->logged, 1)] = who;
}

static void *one_reader(void *user)
{
    place *p = user;
    vp_gate_enter_read(&p->gate);
    tell(p, 'r');
    vp_gate_leave_read(&p->gate);
    return NULL;
}

static void *one_writer(void *user)
{
    place *p = user;
    vp_gate_enter_write(&p->gate);
    tell(p, 'w');
    vp_gate_leave_write(&p->gate);
    return NULL;
}

static void until(place *p, uint32_t readers, uint64_t writers)
{
    for (bool there = false; !there; sched_yield()) {
        pthread_mutex_lock(&p->gate.lock);
        there = p->gate.waiting_readers == readers && p->gate.last_turn == writers;
        pthread_mutex_unlock(&p->gate.lock);
    }
}

/* A writer waits for the reader who is inside, and who comes to read then waits for the writer. */
static void readers_do_not_pass_a_writer(void **state)
{
    (void)state;
    place *p = begin();
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

/* Readers who have waited for one writer do not wait for the next; writers come in their order. */
static void writers_do_not_pass_readers(void **state)
{
    (void)state;
    place *p = begin();
    pthread_t writer[2], reader[2];
    vp_gate_enter_write(&p->gate);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&writer[i], NULL, one_writer, p), 0);
        until(p, i, i + 2);
        assert_int_equal(pthread_create(&reader[i], NULL, one_reader, p), 0);
        until(p, i + 1, i + 2);
    }
    assert_int_equal(atomic_load(&p->logged), 0);
    vp_gate_leave_write(&p->gate);
    for (int i = 0; i < 2; i++) {
        pthread_join(writer[i], NULL);
        pthread_join(reader[i], NULL);
    }
    assert_string_equal(p->log, "rrww");
    assert_int_equal(atomic_load(&p->gate.state), 0);
    vp_gate_end(&p->gate);
}

enum { THREADS = 4, ROUNDS = 3000 };

static void *mixed(void *user)
{
    place *p = user;
    for (uint32_t i = 0; i < ROUNDS; i++)
        if (i % 8 == 3) {
            vp_gate_enter_write(&p->gate);
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
    place *p = begin();
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, mixed, p), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_false(atomic_load(&p->wrong));
    assert_int_equal(p->left, THREADS * ROUNDS / 8);
    assert_int_equal(atomic_load(&p->gate.state), 0);
    vp_gate_end(&p->gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers_do_not_pass_a_writer),
                                       cmocka_unit_test(writers_do_not_pass_readers), cmocka_unit_test(many_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
