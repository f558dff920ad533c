/* SPDX-License-Identifier: MIT */
/* A lock between many readers and one writer at a time, for terrain that is edited while it is queried.
 *
 * A reader that finds no writer pays one atomic addition to come in and one to go. A writer that waits keeps new readers
 * out; when it goes, all readers that came meanwhile go in before the next writer does, and writers go in the order in which
 * they came: so neither kind can starve the other. Who has to wait sleeps.
 *
 * A thread that is inside as a *holder* may come in to read again, whoever waits: the writer waits for it anyway. It must not come in
 * to write: vp_gate_is_held tells. A reader that is no holder is not known to the gate, and must not come again. */
#ifndef VP_CORE_GATE_H
#define VP_CORE_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/executor.h>

#include "src/core/locks.h"

/* Set in vp_gate.state while a writer is inside or waits for the readers that are; below it is the number of readers who are
   inside, or have looked in and not gone yet. */
#define VP_GATE_CLOSED UINT32_C(0x80000000)

typedef struct vp_gate {
    atomic_uint_least32_t state;
    pthread_mutex_t lock;            /* over all that follows, and over changes of VP_GATE_CLOSED */
    pthread_cond_t opened;           /* for readers: round has changed */
    pthread_cond_t emptied;          /* for the writer whose turn it is: no reader is left */
    pthread_cond_t next;             /* for writers: turn has changed */
    uint32_t waiting_readers, round; /* readers who wait for the end of this round */
    uint64_t turn, last_turn;        /* of the writer who may go in; of the one who comes next */
    vp_holder *holders;              /* in no order */
} vp_gate;

/* @return false if the system has no memory for it */
bool vp_gate_begin(vp_gate *gate);
/* Nobody may be inside, or come any more. */
void vp_gate_end(vp_gate *gate);

/* The slow halves of what follows. */
void vp_gate_read_slowly(vp_gate *gate);
void vp_gate_wake_writer(vp_gate *gate);

/* Comes in to read. */
static inline void vp_gate_enter_read(vp_gate *gate)
{
    if ((atomic_fetch_add_explicit(&gate->state, 1, memory_order_acquire) & VP_GATE_CLOSED) != 0)
        vp_gate_read_slowly(gate);
}

static inline void vp_gate_leave_read(vp_gate *gate)
{
    if (atomic_fetch_sub_explicit(&gate->state, 1, memory_order_acq_rel) == (VP_GATE_CLOSED | 1))
        vp_gate_wake_writer(gate);
}

/* Comes in to read as a holder, whose memory stays where it is until it lets go; any thread may do that for it. */
void vp_gate_hold(vp_gate *gate, vp_holder *holder);
/* Of one that is not inside, nothing. */
void vp_gate_let_go(vp_gate *gate, vp_holder *holder);
/* Whether the calling thread has a holder inside: then it would wait for itself to come in to write. O(holders). */
bool vp_gate_is_held(vp_gate *gate);

/* Comes in to write: nobody else is inside. */
void vp_gate_enter_write(vp_gate *gate);
void vp_gate_leave_write(vp_gate *gate);
/* Comes in to write if nobody is inside and nobody waits; it never waits for a reader. @return whether it did */
bool vp_gate_try_enter_write(vp_gate *gate);

#endif
