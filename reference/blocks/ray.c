/* SPDX-License-Identifier: MIT */
/* A ray through blocks, from each to the next: J. Amanatides and A. Woo, "A fast voxel traversal algorithm for ray
 * tracing", 1987. The times of planes are computed anew each time, so that errors do not add up. Each point is in at
 * most one block, the one whose low side it may lie on. So upwards a ray is in the next block from the plane on,
 * downwards only after it. */
#include "src/blocks/look.h"
#include "src/blocks/meet.h"

typedef struct block_walk {
    double start[3], move[3];
    int32_t low[3], high[3]; /* blocks of the view */
    int32_t block[3];        /* the current block */
} block_walk;

/* The time when the ray enters the view. Above 1 = never. */
static double time_of_entry(const block_walk *w)
{
    double first = 0;
    for (int a = 0; a < 3; a++) {
        const double enters = w->move[a] > 0                                         ? vp_block_time(w->low[a], w->start[a], w->move[a])
                              : w->move[a] < 0                                       ? vp_block_time(w->high[a], w->start[a], w->move[a])
                              : w->start[a] >= w->low[a] && w->start[a] < w->high[a] ? 0
                                                                                     : HUGE_VAL;
        first = enters > first ? enters : first;
    }
    return first;
}

/* The block on an axis at a time, clamped to at most one outside the view. */
static int32_t block_at(const block_walk *w, int a, double t)
{
    const double from = w->start[a], move = w->move[a], guess = floor(from + move * t);
    int32_t block = guess < w->low[a] ? w->low[a] - 1 : guess > w->high[a] ? w->high[a] : (int32_t)guess;
    if (move > 0) {
        while (block < w->high[a] && vp_block_time((double)block + 1, from, move) <= t)
            block++;
        while (block >= w->low[a] && vp_block_time(block, from, move) > t)
            block--;
    } else if (move < 0) {
        while (block >= w->low[a] && vp_block_time(block, from, move) < t)
            block--;
        while (block < w->high[a] && vp_block_time((double)block + 1, from, move) >= t)
            block++;
    }
    return block;
}

static double time_of_exit(const block_walk *w, int a)
{
    if (w->move[a] == 0)
        return HUGE_VAL;
    return vp_block_time(w->move[a] > 0 ? (double)w->block[a] + 1 : w->block[a], w->start[a], w->move[a]);
}

/* Steps into the next block. @return false if that is outside the view, or after the ray's end */
static bool step_to_next_block(block_walk *w)
{
    double leaves[3], t = HUGE_VAL;
    bool upwards = false;
    for (int a = 0; a < 3; a++) {
        leaves[a] = time_of_exit(w, a);
        if (leaves[a] < t)
            t = leaves[a];
    }
    for (int a = 0; a < 3; a++)
        upwards = upwards || (leaves[a] == t && w->move[a] > 0);
    if (t > 1 || (t == 1 && !upwards))
        return false;
    for (int a = 0; a < 3; a++) { /* upwards at t, downwards only after it */
        if (leaves[a] != t || (w->move[a] > 0) != upwards)
            continue;
        w->block[a] += upwards ? 1 : -1;
        if (upwards ? w->block[a] >= w->high[a] : w->block[a] < w->low[a])
            return false;
    }
    return true;
}

void vp_block_ray_scalar(const vp_block_view *view, const vp_block_line *line, vp_block_hit *out)
{
    block_walk w;
    *out = (vp_block_hit){.t = 1, .fluid_t = 1, .end = VP_BLOCK_PASSES, .side = VP_SIDE_COUNT};
    vp_block_view_bounds(view, w.low, w.high);
    for (uint32_t a = 0; a < 3; a++) {
        w.start[a] = vp_coordinate(line->origin, a);
        w.move[a] = vp_coordinate(line->move, a);
    }
    const double first = time_of_entry(&w);
    if (first > 1)
        return;
    for (int a = 0; a < 3; a++) {
        w.block[a] = block_at(&w, a, first);
        if (w.move[a] > 0 ? w.block[a] >= w.high[a] : w.block[a] < w.low[a])
            return; /* past the view */
    }
    do {
        const vp_block type = vp_block_of_view(view, w.block);
        const uint32_t is = vp_block_flags_of(view->type, view->type_count, type);
        if (type == 0 || (line->stops != 0 && (is & line->stops) == 0))
            continue;
        out->block = (vp_ivec3){w.block[0], w.block[1], w.block[2]};
        out->type = type;
        uint32_t axis;
        const double t = vp_block_line_enters(line, w.block, &axis);
        const bool begins = floor(w.start[0]) == w.block[0] && floor(w.start[1]) == w.block[1] && floor(w.start[2]) == w.block[2];
        out->end = begins ? VP_BLOCK_INSIDE : VP_BLOCK_MEETS;
        out->t = begins ? 0 : t;
        if (!begins)
            out->side = vp_block_side_met(w.move[axis], axis);
        return;
    } while (step_to_next_block(&w));
}
