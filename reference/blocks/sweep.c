/* SPDX-License-Identifier: MIT */
/* A box that moves through blocks: article "Les bases d'un voxel engine", "Les collisions", which looks blocks up by
 * their place, as games of this kind do.
 *
 * The blocks that it overlaps at the start come first. From then on it meets a block only when one of its three leading
 * faces gets to a plane between blocks. Planes are processed in the order of their times, and for each the blocks after
 * it that the box faces then. The box's position at that time is rounded, so a few more blocks are examined.
 * src/blocks/meet.h decides whether and when a block is met.
 *
 * Long sweeps skip the planes of the next WINDOW blocks if all blocks around that part of the way are 0. */
#include "src/blocks/look.h"
#include "src/blocks/meet.h"

enum { WINDOW = 6 }; /* length of the parts of long sweeps, blocks on the longest axis */

typedef struct met_block {
    vp_block_meeting meeting; /* t = -1, axes = 0 if the box begins in the block */
    int32_t block[3];
    vp_block type;
} met_block;

typedef struct block_sweep {
    const vp_block_view *view;
    const vp_block_path *path;
    double min[3], max[3], move[3]; /* of the path */
    int32_t low[3], high[3];        /* blocks of the view */
    int32_t layer[3];               /* the next one on each axis */
    double time[3];                 /* when the leading face gets there */
    met_block stop, fluid;          /* so far */
} block_sweep;

/* Whether `a` is preferred to `b`. The earlier one is. At the same time a face comes before an edge before a corner,
 * then the lowest y, z, x. A box that slides on a flat floor, with a side over a border of blocks, also meets the
 * next block of the floor, over an edge. The face stops the box on the blocked axis, while the edge might stop it on
 * the other axis. */
static bool is_before(const met_block *a, const met_block *b)
{
    const int32_t *p = a->block, *q = b->block;
    if (a->meeting.t != b->meeting.t)
        return a->meeting.t < b->meeting.t;
    if (a->meeting.axes != b->meeting.axes)
        return a->meeting.axes < b->meeting.axes;
    return p[1] != q[1] ? p[1] < q[1] : p[2] != q[2] ? p[2] < q[2] : p[0] < q[0];
}

static void meet_block(block_sweep *s, const int32_t block[3])
{
    met_block now = {.block = {block[0], block[1], block[2]}, .type = vp_block_of_view(s->view, block)};
    const uint32_t is = vp_block_flags_of(s->view->type, s->view->type_count, now.type);
    if ((is & (VP_BLOCK_COLLIDES | VP_BLOCK_FLUID)) == 0 || !vp_block_path_meets(s->path, block, &now.meeting))
        return;
    if (now.meeting.t < 0) /* all blocks that the box begins in are equal, and come before those it touches */
        now.meeting = (vp_block_meeting){-1, 3, 0};
    met_block *best = (is & VP_BLOCK_COLLIDES) != 0 ? &s->stop : &s->fluid;
    if (is_before(&now, best))
        *best = now;
}

/* The number of the block at a coordinate, at least `low` and at most `high`. */
static int32_t block_at(double coordinate, int32_t low, int32_t high)
{
    if (coordinate < low || coordinate >= high)
        return coordinate < low ? low : high;
    const int32_t block = (int32_t)coordinate; /* rounded towards 0 */
    return block - (coordinate < block);
}

/* The blocks of the view around the box at a time. */
static void find_blocks_around(const block_sweep *s, double t, uint32_t a, int32_t *from, int32_t *to)
{
    const double way = s->move[a] * t;
    const double more = 0x1p-40 * (fabs(s->min[a]) + fabs(s->max[a]) + fabs(way)); /* far more than the rounding errors */
    *from = block_at(s->min[a] + way - more, s->low[a], s->high[a]);
    *to = block_at(s->max[a] + way + more, s->low[a] - 1, s->high[a] - 1);
}

/* Examines the blocks around the box at a time, either all, or only those of one layer on an axis. */
static void meet_blocks_around(block_sweep *s, double t, uint32_t axis, int32_t layer)
{
    int32_t from[3], to[3], at[3];
    for (uint32_t a = 0; a < 3; a++)
        if (a == axis)
            from[a] = to[a] = layer;
        else
            find_blocks_around(s, t, a, &from[a], &to[a]);
    for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
        for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++)
                meet_block(s, at);
}

/* Sets the layer that the leading face of an axis gets to next, and its time. Outside the view there is none. */
static void set_layer(block_sweep *s, uint32_t a, int32_t layer)
{
    const double move = s->move[a];
    s->layer[a] = layer;
    if (move == 0 || layer < s->low[a] || layer >= s->high[a])
        s->time[a] = HUGE_VAL;
    else
        s->time[a] = move > 0 ? vp_block_time(layer, s->max[a], move) : vp_block_time((double)layer + 1, s->min[a], move);
}

/* The first layer whose plane the leading face, at a coordinate, is not past. */
static int32_t find_layer(const block_sweep *s, uint32_t a, double face)
{
    return s->move[a] > 0 ? -block_at(-face, -s->high[a], -s->low[a]) : block_at(face, s->low[a], s->high[a]) - 1;
}

/* The time when the box has left the view on an axis, so that it meets no block any more. */
static double time_of_exit(const block_sweep *s, uint32_t a)
{
    const double move = s->move[a];
    if (move == 0)
        return s->max[a] <= s->low[a] || s->min[a] >= s->high[a] ? 0 : HUGE_VAL;
    return move > 0 ? vp_block_time(s->high[a], s->min[a], move) : vp_block_time(s->low[a], s->max[a], move);
}

/* Skips the layers between two times if all blocks around the box's way are 0. @return whether there were any */
static bool skip_empty_blocks(block_sweep *s, double t, double end)
{
    int32_t from[3], to[3];
    for (uint32_t a = 0; a < 3; a++) {
        int32_t other_from, other_to;
        find_blocks_around(s, t, a, &from[a], &to[a]);
        find_blocks_around(s, end, a, &other_from, &other_to);
        from[a] = other_from < from[a] ? other_from : from[a];
        to[a] = other_to > to[a] ? other_to : to[a];
    }
    if (!vp_blocks_of_view_are_empty(s->view, from, to))
        return false;
    bool skips = false;
    for (uint32_t a = 0; a < 3; a++) {
        const double way = s->move[a] * end, face = s->move[a] > 0 ? s->max[a] : s->min[a];
        const double less = 0x1p-40 * (fabs(face) + fabs(way)); /* no layer after the end is skipped */
        const int32_t layer = find_layer(s, a, s->move[a] > 0 ? face + way - less : face + way + less);
        if (s->move[a] > 0 ? layer > s->layer[a] : layer < s->layer[a]) {
            set_layer(s, a, layer);
            skips = true;
        }
    }
    return skips;
}

static void write_hit(const block_sweep *s, vp_block_hit *out)
{
    const met_block *stop = &s->stop;
    *out = (vp_block_hit){.t = stop->meeting.t < 0 ? 0 : stop->meeting.t, .fluid_t = 1, .end = VP_BLOCK_PASSES, .side = VP_SIDE_COUNT};
    if (stop->type != 0) {
        out->block = (vp_ivec3){stop->block[0], stop->block[1], stop->block[2]};
        out->type = stop->type;
        out->end = stop->meeting.t < 0 ? VP_BLOCK_INSIDE : VP_BLOCK_MEETS;
        if (stop->meeting.t >= 0)
            out->side = vp_block_side_met(vp_coordinate(s->path->move, stop->meeting.axis), stop->meeting.axis);
    }
    if (s->fluid.type != 0 && s->fluid.meeting.t <= stop->meeting.t) {
        out->fluid = s->fluid.type;
        out->fluid_t = s->fluid.meeting.t < 0 ? 0 : s->fluid.meeting.t;
    }
}

void vp_block_sweep_scalar(const vp_block_view *view, const vp_block_path *path, vp_block_hit *out)
{
    block_sweep s = {.view = view, .path = path, .stop = {.meeting.t = 1}, .fluid = {.meeting.t = 1}};
    double end = 1, largest = 0, farthest = 0;
    vp_block_view_bounds(view, s.low, s.high);
    for (uint32_t a = 0; a < 3; a++) {
        s.min[a] = vp_coordinate(path->box.min, a);
        s.max[a] = vp_coordinate(path->box.max, a);
        s.move[a] = vp_coordinate(path->move, a);
        set_layer(&s, a, find_layer(&s, a, s.move[a] > 0 ? s.max[a] : s.min[a]));
        const double leaves = time_of_exit(&s, a);
        end = leaves < end ? leaves : end;
        const double size = s.max[a] - s.min[a], way = fabs(s.move[a]);
        largest = size > largest ? size : largest;
        farthest = way > farthest ? way : farthest;
    }
    const bool is_long = largest <= WINDOW && farthest > WINDOW; /* otherwise there is more to examine than to skip */
    const double window = is_long ? WINDOW / farthest : 0;
    double check = is_long ? window / 4 : 1;
    meet_blocks_around(&s, 0, 3, 0);
    for (;;) {
        const uint32_t least = s.time[1] < s.time[0] ? 1 : 0, next = s.time[2] < s.time[least] ? 2 : least;
        const double t = s.time[next];
        if (t >= end || t > s.stop.meeting.t)
            break;
        if (t >= check) {
            if (skip_empty_blocks(&s, t, t + window)) {
                check = 0;
                continue;
            }
            check = t + window;
        }
        meet_blocks_around(&s, t, next, s.layer[next]);
        set_layer(&s, next, s.layer[next] + (s.move[next] > 0 ? 1 : -1));
    }
    write_hit(&s, out);
}
