/* SPDX-License-Identifier: MIT */
/* A lock between many readers and one writer at a time, for terrain that is edited while it is queried.
 *
 * A reader that finds no writer pays one atomic addition to enter and one to leave. A waiting writer keeps new readers
 * out. When it leaves, all readers that arrived meanwhile enter before the next writer does. Writers enter in the order
 * of their arrival. So neither kind can starve the other. Waiting threads sleep.
 *
 * A thread that is inside as a *holder* may enter to read again even if writers wait, because they wait for it anyway.
 * It must not enter to write. vp_gate_is_held checks that. The gate does not know readers that are not holders, and
 * these must not enter again. */
#ifndef VP_CORE_GATE_H
#define VP_CORE_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/executor.h>

#include "src/core/locks.h"

/* Set in vp_gate.state while a writer is inside or waits for the readers that are. The bits below it are the number of
   readers who are inside, or have tried to enter and not left yet. */
#define VP_GATE_CLOSED UINT32_C(0x80000000)

typedef struct vp_gate {
    atomic_uint_least32_t state;
    pthread_mutex_t lock;            /* guards all of the following, and changes of VP_GATE_CLOSED */
    pthread_cond_t opened;           /* for readers, signals that round has changed */
    pthread_cond_t emptied;          /* for the writer whose turn it is, signals that no reader is left */
    pthread_cond_t next;             /* for writers, signals that turn has changed */
    uint32_t waiting_readers, round; /* readers that wait for the end of this round */
    uint64_t turn, last_turn;        /* turn of the writer who may enter, turn of the next to arrive */
    vp_holder *holders;              /* in no order */
} vp_gate;

/* @return false if the system has no memory for it */
bool vp_gate_begin(vp_gate *gate);
/* Nobody may be inside, or enter any more. */
void vp_gate_end(vp_gate *gate);

/* The slow halves of the following functions. */
void vp_gate_read_slowly(vp_gate *gate);
void vp_gate_wake_writer(vp_gate *gate);

/* Enters to read. */
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

/* Enters to read as a holder. Its memory must stay in place until vp_gate_let_go, which any thread may call for it. */
void vp_gate_hold(vp_gate *gate, vp_holder *holder);
/* No-op for a holder that is not inside. */
void vp_gate_let_go(vp_gate *gate, vp_holder *holder);
/* Whether the calling thread has a holder inside. If so, entering to write would wait for itself. O(holders). */
bool vp_gate_is_held(vp_gate *gate);

/* Enters to write, when nobody else is inside. */
void vp_gate_enter_write(vp_gate *gate);
void vp_gate_leave_write(vp_gate *gate);
/* Enters to write if nobody is inside and nobody waits. Never waits for a reader. @return whether it entered */
bool vp_gate_try_enter_write(vp_gate *gate);

#endif
