/* SPDX-License-Identifier: MIT */
/* When a path meets a block, and which of several counts. This depends on path and blocks only, not on the search for
   blocks. */
#ifndef VP_BLOCKS_MEET_H
#define VP_BLOCKS_MEET_H

#include <math.h>

#include <voxphys/kernel/blocks.h>

static inline double vp_coordinate(vp_vec3 p, uint32_t axis)
{
    return axis == 0 ? (double)p.x : axis == 1 ? (double)p.y : (double)p.z;
}

/* When something at `from`, which moves by `move`, is at a plane. 0 is never -0. */
static inline double vp_block_time(double plane, double from, double move)
{
    return (plane - from) / move + 0.0;
}

/* When a moving box begins to share more than its surface with a block. */
typedef struct vp_block_meeting {
    double t;      /* negative at the start */
    uint32_t axis; /* the lowest axis on which they are apart until then; 3 if none moves */
    uint32_t axes; /* their number: 1 over a face, 2 over an edge, 3 over a corner */
} vp_block_meeting;

/* Whether a moving box meets a block before t = 1. The meeting is also filled in if they do not meet, but overlap on
   each axis without a move. */
static inline bool vp_block_path_meets(const vp_block_path *path, const int32_t block[3], vp_block_meeting *out)
{
    double last = HUGE_VAL;
    *out = (vp_block_meeting){-HUGE_VAL, 3, 0};
    for (uint32_t a = 0; a < 3; a++) {
        const double low = vp_coordinate(path->box.min, a), high = vp_coordinate(path->box.max, a), move = vp_coordinate(path->move, a);
        const double block_low = block[a], block_high = block_low + 1;
        if (move == 0) {
            if (high <= block_low || low >= block_high)
                return false;
            continue;
        }
        const double enters = move > 0 ? vp_block_time(block_low, high, move) : vp_block_time(block_high, low, move);
        const double leaves = move > 0 ? vp_block_time(block_high, low, move) : vp_block_time(block_low, high, move);
        if (enters > out->t)
            *out = (vp_block_meeting){enters, a, 1};
        else if (enters == out->t)
            out->axes++;
        last = leaves < last ? leaves : last;
    }
    return out->t < last && out->t < 1 && last > 0;
}

/* A block that a box meets. */
typedef struct vp_met_block {
    vp_block_meeting meeting; /* t = -1, axes = 0 if the box begins in the block */
    int32_t block[3];
    vp_block type;
} vp_met_block;

/* The first block that stops a box, and the first fluid. Type 0 = none. */
typedef struct vp_met_blocks {
    vp_met_block stop, fluid;
} vp_met_blocks;

#define VP_MET_NOTHING                                                                                                                     \
    {                                                                                                                                      \
        .stop = {.meeting.t = 1}, .fluid = {.meeting.t = 1 }                                                                               \
    }

/* Whether `a` is preferred to `b`. The earlier one is. At the same time a face comes before an edge before a corner,
   then the lowest y, z, x. A box that slides on a flat floor, with a side over a border of blocks, also meets the
   next block of the floor, over an edge. The face stops the box on the blocked axis, while the edge might stop it on
   the other axis. */
static inline bool vp_is_met_before(const vp_met_block *a, const vp_met_block *b)
{
    const int32_t *p = a->block, *q = b->block;
    if (a->meeting.t != b->meeting.t)
        return a->meeting.t < b->meeting.t;
    if (a->meeting.axes != b->meeting.axes)
        return a->meeting.axes < b->meeting.axes;
    return p[1] != q[1] ? p[1] < q[1] : p[2] != q[2] ? p[2] < q[2] : p[0] < q[0];
}

/* Adds a block to those that a box meets, if it does. @param flags  of the type */
static inline void vp_meet_block(const vp_block_path *path, const int32_t block[3], vp_block type, uint32_t flags, vp_met_blocks *met)
{
    vp_met_block now = {.block = {block[0], block[1], block[2]}, .type = type};
    if ((flags & (VP_BLOCK_COLLIDES | VP_BLOCK_FLUID)) == 0 || !vp_block_path_meets(path, block, &now.meeting))
        return;
    if (now.meeting.t < 0) /* all blocks that the box begins in are equal, and come before those it touches */
        now.meeting = (vp_block_meeting){-1, 3, 0};
    vp_met_block *best = (flags & VP_BLOCK_COLLIDES) != 0 ? &met->stop : &met->fluid;
    if (vp_is_met_before(&now, best))
        *best = now;
}

/* The time when a ray enters a block that it gets into, and the axis. -infinity and 3 if the ray does not move. */
static inline double vp_block_line_enters(const vp_block_line *line, const int32_t block[3], uint32_t *axis)
{
    double first = -HUGE_VAL;
    *axis = 3;
    for (uint32_t a = 0; a < 3; a++) {
        const double from = vp_coordinate(line->origin, a), move = vp_coordinate(line->move, a);
        if (move == 0)
            continue;
        const double enters = vp_block_time(move > 0 ? block[a] : (double)block[a] + 1, from, move);
        if (enters > first) {
            first = enters;
            *axis = a;
        }
    }
    return first;
}

/* The side of the block that a path meets if it moves by `move` on the axis. */
static inline uint32_t vp_block_side_met(double move, uint32_t axis)
{
    return 2 * axis + (move < 0);
}

static inline void vp_write_block_hit(const vp_block_path *path, const vp_met_blocks *met, vp_block_hit *out)
{
    const vp_met_block *stop = &met->stop;
    *out = (vp_block_hit){.t = stop->meeting.t < 0 ? 0 : stop->meeting.t, .fluid_t = 1, .end = VP_BLOCK_PASSES, .side = VP_SIDE_COUNT};
    if (stop->type != 0) {
        out->block = (vp_ivec3){stop->block[0], stop->block[1], stop->block[2]};
        out->type = stop->type;
        out->end = stop->meeting.t < 0 ? VP_BLOCK_INSIDE : VP_BLOCK_MEETS;
        if (stop->meeting.t >= 0)
            out->side = vp_block_side_met(vp_coordinate(path->move, stop->meeting.axis), stop->meeting.axis);
    }
    if (met->fluid.type != 0 && met->fluid.meeting.t <= stop->meeting.t) {
        out->fluid = met->fluid.type;
        out->fluid_t = met->fluid.meeting.t < 0 ? 0 : met->fluid.meeting.t;
    }
}

#endif
