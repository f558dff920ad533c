/* SPDX-License-Identifier: MIT */
/* A box that moves through blocks, with its axes in lanes of binary64. Include after the header of an ISA.
 *
 * Idea. As in the reference, the box meets blocks only when a leading face gets to a plane between blocks. A superset of
 * these blocks has the same answer, because src/blocks/meet.h decides about each. So places are counted from the view's low
 * corner, where truncation rounds down, and the blocks around the box are found on all axes at once.
 * 1. A sweep of more than WINDOW blocks on an axis tests the blocks around the next WINDOW blocks of its way together, eight
 *    bytes at a time or a whole uniform chunk. If all are 0, it skips the planes in between.
 * 2. A sweep ends where the box leaves the view.
 *
 * Layout. Lane a is axis a, and the fourth lane is 0. Where registers have two doubles, f64x4 is two of them.
 *
 * Tried without gain: clamping ranges into the view before they are tested, and meeting the first blocks before the set-up. */
#ifndef VP_BLOCKS_SWEEP_BODY_H
#define VP_BLOCKS_SWEEP_BODY_H

#include <string.h>

#include "src/blocks/look.h"
#include "src/blocks/meet.h"

enum { WINDOW = 6, EDGE = VP_BLOCK_EDGE };

typedef struct lane_sweep {
    const vp_block_view *view;
    const vp_block_path *path;
    f64x4 min, max, way, size; /* of box, path and view, from the view's low corner */
    f64x4 slack;               /* far more than the rounding errors at the start */
    double face[3], move[3];   /* leading faces */
    int32_t low[3], high[3];   /* blocks of the view */
    int32_t layer[3];          /* the next one on each axis */
    double time[3];            /* when the leading face gets there */
    vp_met_blocks met;
} lane_sweep;

/* Blocks from the view's low corner, excluding `to`. */
typedef struct cell_range {
    int32_t from[4], to[4];
} cell_range;

/* The blocks of the view around the box at a time, before they are rounded down. */
VP_INLINE f64x4 find_from(const lane_sweep *s, f64x4 way)
{
    const f64x4 more = f64x4_add(s->slack, f64x4_mul(f64x4_set1(0x1p-40), f64x4_abs(way)));
    const f64x4 low = f64x4_sub(f64x4_add(s->min, way), more);
    return f64x4_min_fast(f64x4_max_fast(low, f64x4_set1(0)), s->size);
}

VP_INLINE f64x4 find_to(const lane_sweep *s, f64x4 way)
{
    const f64x4 more = f64x4_add(s->slack, f64x4_mul(f64x4_set1(0x1p-40), f64x4_abs(way)));
    const f64x4 past = f64x4_add(f64x4_add(f64x4_add(s->max, way), more), f64x4_set1(1));
    return f64x4_min_fast(f64x4_max_fast(past, f64x4_set1(0)), s->size);
}

/* Examines the blocks around the box at a time, either all, or only those of one layer on an axis. */
static void meet_blocks_around(lane_sweep *s, double t, uint32_t axis)
{
    const vp_block_view *v = s->view;
    const f64x4 way = f64x4_mul(s->way, f64x4_set1(t));
    cell_range in;
    f64x4_store_i32(in.from, find_from(s, way));
    f64x4_store_i32(in.to, find_to(s, way));
    if (axis < 3)
        in.to[axis] = (in.from[axis] = s->layer[axis] - s->low[axis]) + 1;
    for (int32_t y = in.from[1]; y < in.to[1]; y++)
        for (int32_t z = in.from[2]; z < in.to[2]; z++)
            for (int32_t x = in.from[0]; x < in.to[0]; x++) {
                const uint32_t i = (uint32_t)x, j = (uint32_t)y, k = (uint32_t)z;
                const vp_block_cells *c = &v->chunk[((size_t)(j / EDGE) * v->size.z + k / EDGE) * v->size.x + i / EDGE];
                const vp_block type = vp_block_at(c, i % EDGE, j % EDGE, k % EDGE);
                const int32_t block[3] = {x + s->low[0], y + s->low[1], z + s->low[2]};
                vp_meet_block(s->path, block, type, vp_block_flags_of(v->type, v->type_count, type), &s->met);
            }
}

/* Whether the blocks of a chunk from `from` to `to` are 0. Others of the same rows may be tested too. */
static bool are_cells_empty(const vp_block_cells *c, const uint32_t from[3], const uint32_t to[3])
{
    if (c->cell == NULL)
        return c->all == 0;
    const uint32_t size = EDGE * c->width, first = from[0] * c->width, end = (to[0] + 1) * c->width;
    for (uint32_t y = from[1]; y <= to[1]; y++) {
        const uint8_t *row = (const uint8_t *)c->cell + (y * EDGE + from[2]) * size;
        uint64_t any = 0;
        for (uint32_t z = from[2]; z <= to[2]; z++, row += size)
            for (uint32_t i = first; i < end; i += sizeof any) {
                uint64_t eight;
                memcpy(&eight, &row[i < size - sizeof any ? i : size - sizeof any], sizeof eight);
                any |= eight;
            }
        if (any != 0)
            return false;
    }
    return true;
}

/* The same for blocks of a view. */
static bool are_blocks_empty(const vp_block_view *view, const cell_range *range)
{
    uint32_t low[3], high[3], in[3], first[3], last[3];
    for (uint32_t a = 0; a < 3; a++) {
        if (range->from[a] >= range->to[a])
            return true;
        low[a] = (uint32_t)range->from[a];
        high[a] = (uint32_t)range->to[a] - 1;
    }
    for (in[1] = low[1] / EDGE; in[1] <= high[1] / EDGE; in[1]++)
        for (in[2] = low[2] / EDGE; in[2] <= high[2] / EDGE; in[2]++)
            for (in[0] = low[0] / EDGE; in[0] <= high[0] / EDGE; in[0]++) {
                for (uint32_t a = 0; a < 3; a++) {
                    first[a] = in[a] == low[a] / EDGE ? low[a] % EDGE : 0;
                    last[a] = in[a] == high[a] / EDGE ? high[a] % EDGE : EDGE - 1;
                }
                if (!are_cells_empty(&view->chunk[((size_t)in[1] * view->size.z + in[2]) * view->size.x + in[0]], first, last))
                    return false;
            }
    return true;
}

/* Sets the layer that the leading face of an axis gets to next, and its time. Outside the view there is none. */
VP_INLINE void set_layer(lane_sweep *s, uint32_t a, int32_t layer)
{
    s->layer[a] = layer;
    if (s->move[a] == 0 || layer < s->low[a] || layer >= s->high[a])
        s->time[a] = HUGE_VAL;
    else
        s->time[a] = vp_block_time(s->move[a] > 0 ? layer : (double)layer + 1, s->face[a], s->move[a]);
}

/* The first layer whose plane the leading face, at a coordinate, is not past. */
VP_INLINE int32_t find_layer(const lane_sweep *s, uint32_t a, double face)
{
    const int32_t is_downward = s->move[a] <= 0, low = s->low[a] - is_downward, high = s->high[a] - is_downward;
    const double next = is_downward ? floor(face) - 1 : ceil(face);
    return next < low ? low : next > high ? high : (int32_t)next;
}

/* Skips the layers between two times if all blocks around the box's way are 0. @return whether there were any */
static bool skip_empty_blocks(lane_sweep *s, double t, double end)
{
    const f64x4 at = f64x4_mul(s->way, f64x4_set1(t)), later = f64x4_mul(s->way, f64x4_set1(end));
    cell_range range;
    bool skips = false;
    f64x4_store_i32(range.from, f64x4_min_fast(find_from(s, at), find_from(s, later)));
    f64x4_store_i32(range.to, f64x4_max_fast(find_to(s, at), find_to(s, later)));
    if (!are_blocks_empty(s->view, &range))
        return false;
    for (uint32_t a = 0; a < 3; a++) {
        const double way = s->move[a] * end, less = 0x1p-40 * (fabs(s->face[a]) + fabs(way)); /* skips no layer after the end */
        const int32_t layer = find_layer(s, a, s->face[a] + way + (s->move[a] > 0 ? -less : less));
        if (s->move[a] > 0 ? layer > s->layer[a] : layer < s->layer[a]) {
            set_layer(s, a, layer);
            skips = true;
        }
    }
    return skips;
}

/* A time from which on the box is outside the view on an axis, so that it meets no block any more. */
VP_INLINE double time_of_exit(const lane_sweep *s)
{
    double leaves[4];
    const f64x4 ahead = f64x4_select(f64x4_cmp_gt(f64x4_set1(0), s->way), s->max, f64x4_sub(s->size, s->min));
    f64x4_store(leaves, f64x4_div(f64x4_add(ahead, s->slack), f64x4_abs(s->way)));
    const double least = leaves[1] < leaves[0] ? leaves[1] : leaves[0];
    return leaves[2] < least ? leaves[2] : least;
}

static void sweep_blocks(const vp_block_view *view, const vp_block_path *path, vp_block_hit *out)
{
    if ((view->size.x | view->size.y | view->size.z) >= 2u * VP_BLOCKS_REACH) { /* not all places are within int32_t */
        vp_block_sweep_scalar(view, path, out);
        return;
    }
    lane_sweep s; /* not cleared as a whole, which takes as long as a short sweep's arithmetic */
    double largest = 0, farthest = 0, min[4] = {0}, max[4] = {0}, move[4] = {0}, size[4] = {0}, slack[4] = {0};
    s.view = view;
    s.path = path;
    s.met = (vp_met_blocks)VP_MET_NOTHING;
    vp_block_view_bounds(view, s.low, s.high);
    for (uint32_t a = 0; a < 3; a++) {
        const double low = vp_coordinate(path->box.min, a), high = vp_coordinate(path->box.max, a);
        s.move[a] = move[a] = vp_coordinate(path->move, a);
        s.face[a] = move[a] > 0 ? high : low;
        set_layer(&s, a, find_layer(&s, a, s.face[a]));
        const double way = fabs(move[a]);
        largest = high - low > largest ? high - low : largest;
        farthest = way > farthest ? way : farthest;
        min[a] = low - s.low[a];
        max[a] = high - s.low[a];
        size[a] = (double)s.high[a] - s.low[a];
        slack[a] = 0x1p-40 * (fabs(low) + fabs(high) + 2 * fabs((double)s.low[a]));
    }
    s.min = f64x4_load(min);
    s.max = f64x4_load(max);
    s.way = f64x4_load(move);
    s.size = f64x4_load(size);
    s.slack = f64x4_load(slack);
    const double leaves = time_of_exit(&s), end = leaves < 1 ? leaves : 1;
    const bool is_long = largest <= WINDOW && farthest > WINDOW; /* otherwise there is more to examine than to skip */
    const double window = is_long ? WINDOW / farthest : 0;
    double check = is_long ? window / 4 : 1;
    meet_blocks_around(&s, 0, 3);
    for (;;) {
        const uint32_t least = s.time[1] < s.time[0] ? 1 : 0, next = s.time[2] < s.time[least] ? 2 : least;
        const double t = s.time[next];
        if (t >= end || t > s.met.stop.meeting.t)
            break;
        if (t >= check) {
            if (skip_empty_blocks(&s, t, t + window)) {
                check = 0;
                continue;
            }
            check = t + window;
        }
        meet_blocks_around(&s, t, next);
        set_layer(&s, next, s.layer[next] + (s.move[next] > 0 ? 1 : -1));
    }
    vp_write_block_hit(path, &s.met, out);
}

#endif
