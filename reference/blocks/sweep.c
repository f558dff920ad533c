/* SPDX-License-Identifier: MIT */
/* A box that moves through blocks: article "Les bases d'un voxel engine", "Les collisions", which looks blocks up by
 * their place, as games of this kind do.
 *
 * The blocks that it overlaps at the start come first. From then on it meets a block only when one of its three leading
 * faces gets to a plane between blocks. Planes are processed in the order of their times, and for each the blocks after
 * it that the box faces then. The box's position at that time is rounded, so a few more blocks are examined.
 * src/blocks/meet.h decides whether and when a block is met. */
#include "src/blocks/look.h"
#include "src/blocks/meet.h"

typedef struct block_sweep {
    const vp_block_view *view;
    const vp_block_path *path;
    int32_t low[3], high[3]; /* blocks of the view */
    vp_met_blocks met;       /* so far */
} block_sweep;

/* Examines a block. */
static void meet_block(block_sweep *s, const int32_t block[3])
{
    const vp_block type = vp_block_of_view(s->view, block);
    vp_meet_block(s->path, block, type, vp_block_flags_of(s->view->type, s->view->type_count, type), &s->met);
}

/* The number of the block at a coordinate, at least `low` and at most `high`. */
static int32_t block_at(double coordinate, int32_t low, int32_t high)
{
    const double block = floor(coordinate);
    return block <= low ? low : block >= high ? high : (int32_t)block;
}

/* Examines the blocks around the box at a time, either all, or only those of one layer on an axis. */
static void meet_blocks_around(block_sweep *s, double t, uint32_t axis, int32_t layer)
{
    int32_t from[3], to[3], at[3];
    for (uint32_t a = 0; a < 3; a++) {
        const double low = vp_coordinate(s->path->box.min, a), high = vp_coordinate(s->path->box.max, a);
        const double way = vp_coordinate(s->path->move, a) * t;
        const double more = 0x1p-40 * (fabs(low) + fabs(high) + fabs(way)); /* far more than the rounding errors */
        from[a] = a == axis ? layer : block_at(low + way - more, s->low[a], s->high[a]);
        to[a] = a == axis ? layer : block_at(high + way + more, s->low[a] - 1, s->high[a] - 1);
    }
    for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
        for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++)
                meet_block(s, at);
}

/* The layer that the leading face of an axis gets to next. If it is outside the view, it is clamped to just outside. */
static int32_t find_first_layer(const block_sweep *s, uint32_t a)
{
    if (vp_coordinate(s->path->move, a) > 0)
        return block_at(ceil(vp_coordinate(s->path->box.max, a)), s->low[a], s->high[a]);
    return block_at(floor(vp_coordinate(s->path->box.min, a)) - 1, s->low[a] - 1, s->high[a] - 1);
}

static double time_of_layer(const block_sweep *s, uint32_t a, int32_t layer)
{
    const double move = vp_coordinate(s->path->move, a);
    if (move == 0 || layer < s->low[a] || layer >= s->high[a])
        return HUGE_VAL;
    return move > 0 ? vp_block_time(layer, vp_coordinate(s->path->box.max, a), move)
                    : vp_block_time((double)layer + 1, vp_coordinate(s->path->box.min, a), move);
}

void vp_block_sweep_scalar(const vp_block_view *view, const vp_block_path *path, vp_block_hit *out)
{
    block_sweep s = {.view = view, .path = path, .met = VP_MET_NOTHING};
    int32_t layer[3];
    vp_block_view_bounds(view, s.low, s.high);
    meet_blocks_around(&s, 0, 3, 0);
    for (uint32_t a = 0; a < 3; a++)
        layer[a] = find_first_layer(&s, a);
    for (;;) {
        uint32_t next = 0;
        for (uint32_t a = 1; a < 3; a++)
            if (time_of_layer(&s, a, layer[a]) < time_of_layer(&s, next, layer[next]))
                next = a;
        const double t = time_of_layer(&s, next, layer[next]);
        if (t >= 1 || t > s.met.stop.meeting.t)
            break;
        meet_blocks_around(&s, t, next, layer[next]);
        layer[next] += vp_coordinate(path->move, next) > 0 ? 1 : -1;
    }
    vp_write_block_hit(path, &s.met, out);
}
