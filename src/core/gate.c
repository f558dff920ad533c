/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "src/core/gate.h"

static uint32_t readers_of(uint_least32_t state)
{
    return (uint32_t)(state & (VP_GATE_CLOSED - 1));
}

bool vp_gate_begin(vp_gate *gate)
{
    atomic_init(&gate->state, 0);
    gate->waiting_readers = gate->round = 0;
    gate->turn = gate->last_turn = 0;
    gate->holders = NULL;
    if (pthread_mutex_init(&gate->lock, NULL) != 0)
        return false;
    pthread_cond_t *const all[3] = {&gate->opened, &gate->emptied, &gate->next};
    for (int i = 0; i < 3; i++)
        if (pthread_cond_init(all[i], NULL) != 0) {
            while (i-- > 0)
                pthread_cond_destroy(all[i]);
            pthread_mutex_destroy(&gate->lock);
            return false;
        }
    return true;
}

void vp_gate_end(vp_gate *gate)
{
    pthread_cond_destroy(&gate->next);
    pthread_cond_destroy(&gate->emptied);
    pthread_cond_destroy(&gate->opened);
    pthread_mutex_destroy(&gate->lock);
}

/* The writer looks at the state under the lock before it sleeps, so it either sees the last reader gone or is asleep
   when the lock is free. */
void vp_gate_wake_writer(vp_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    pthread_cond_signal(&gate->emptied);
    pthread_mutex_unlock(&gate->lock);
}

/* Under the lock. */
static bool is_held(const vp_gate *gate)
{
    const uintptr_t thread = vp_this_thread();
    const vp_holder *h = gate->holders;
    while (h != NULL && h->thread != thread)
        h = h->next;
    return h != NULL;
}

/* Beside a holder no writer is inside, and none comes in before it goes. */
void vp_gate_read_slowly(vp_gate *gate)
{
    vp_gate_leave_read(gate); /* it has only looked in */
    pthread_mutex_lock(&gate->lock);
    if ((atomic_load_explicit(&gate->state, memory_order_relaxed) & VP_GATE_CLOSED) == 0 || is_held(gate)) {
        atomic_fetch_add_explicit(&gate->state, 1, memory_order_acquire);
    } else {
        const uint32_t round = gate->round;
        gate->waiting_readers++;
        while (gate->round == round) /* the writer who ends it counts this reader in */
            pthread_cond_wait(&gate->opened, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
}

void vp_gate_hold(vp_gate *gate, vp_holder *holder)
{
    vp_gate_enter_read(gate);
    holder->thread = vp_this_thread();
    pthread_mutex_lock(&gate->lock);
    holder->next = gate->holders;
    gate->holders = holder;
    pthread_mutex_unlock(&gate->lock);
}

void vp_gate_let_go(vp_gate *gate, vp_holder *holder)
{
    pthread_mutex_lock(&gate->lock);
    vp_holder **at = &gate->holders;
    while (*at != NULL && *at != holder)
        at = &(*at)->next;
    const bool inside = *at != NULL;
    if (inside)
        *at = holder->next;
    pthread_mutex_unlock(&gate->lock);
    if (inside)
        vp_gate_leave_read(gate);
}

bool vp_gate_is_held(vp_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    const bool held = is_held(gate);
    pthread_mutex_unlock(&gate->lock);
    return held;
}

void vp_gate_enter_write(vp_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    const uint64_t mine = gate->last_turn++;
    while (gate->turn != mine)
        pthread_cond_wait(&gate->next, &gate->lock);
    atomic_fetch_or_explicit(&gate->state, VP_GATE_CLOSED, memory_order_acquire);
    while (readers_of(atomic_load_explicit(&gate->state, memory_order_acquire)) != 0)
        pthread_cond_wait(&gate->emptied, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

bool vp_gate_try_enter_write(vp_gate *gate)
{
    uint_least32_t nobody = 0;
    if (atomic_load_explicit(&gate->state, memory_order_relaxed) != 0)
        return false;
    pthread_mutex_lock(&gate->lock);
    const bool in = gate->turn == gate->last_turn && atomic_compare_exchange_strong_explicit(&gate->state, &nobody, VP_GATE_CLOSED,
                                                                                             memory_order_acquire, memory_order_relaxed);
    if (in)
        gate->last_turn++;
    pthread_mutex_unlock(&gate->lock);
    return in;
}

void vp_gate_leave_write(vp_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->turn++;
    if (gate->waiting_readers != 0) {
        atomic_fetch_add_explicit(&gate->state, gate->waiting_readers, memory_order_release);
        gate->waiting_readers = 0;
        gate->round++;
        pthread_cond_broadcast(&gate->opened);
    }
    if (gate->turn == gate->last_turn)
        atomic_fetch_and_explicit(&gate->state, ~VP_GATE_CLOSED, memory_order_release);
    else
        pthread_cond_broadcast(&gate->next); /* it stays closed for the next one */
    pthread_mutex_unlock(&gate->lock);
}
