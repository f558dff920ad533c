/* SPDX-License-Identifier: MIT */
/* When a path meets a block. This depends on the two only, not on the search for blocks. */
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

#endif
