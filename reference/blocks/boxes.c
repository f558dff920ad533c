/* SPDX-License-Identifier: MIT */
/* Merges a chunk's blocks that collide into boxes: article "Les bases d'un voxel engine", "Les collisions". Boxes grow
 * along x, then z, then y, and a block is in one box only. The article does not classify their sides, nor mark
 * T-edges. */
#include <voxphys/kernel/blocks.h>

/* Marks of blocks that are in no box: FREE collides, NOT does not. Other blocks have their box's number. */
enum { FREE = 0xffff, NOT = 0xfffe };

static bool is_colliding(const vp_block_window *w, const uint32_t at[3], int32_t dx, int32_t dy, int32_t dz)
{
    const size_t i = vp_block_window_at(w->edge, (int32_t)at[0] + dx, (int32_t)at[1] + dy, (int32_t)at[2] + dz);
    return (vp_block_flags_of(w->type, w->type_count, w->cell[i]) & VP_BLOCK_COLLIDES) != 0;
}

static size_t number_of_block(const vp_block_window *w, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)y * w->edge + z) * w->edge + x;
}

/* Whether all blocks of a box are free. */
static bool are_free(const vp_boxes_job *job, const uint32_t low[3], const uint32_t high[3])
{
    for (uint32_t y = low[1]; y < high[1]; y++)
        for (uint32_t z = low[2]; z < high[2]; z++)
            for (uint32_t x = low[0]; x < high[0]; x++)
                if (job->scratch[number_of_block(&job->window, x, y, z)] != FREE)
                    return false;
    return true;
}

/* Grows the box that begins at a block as far as possible along x, then z, then y. */
static void grow_box(const vp_boxes_job *job, const uint32_t low[3], uint32_t high[3])
{
    static const uint32_t order[3] = {0, 2, 1};
    for (int a = 0; a < 3; a++)
        high[a] = low[a] + 1;
    for (int i = 0; i < 3; i++) {
        const uint32_t a = order[i];
        for (;;) { /* the next row, or layer, of the box so far */
            uint32_t from[3] = {low[0], low[1], low[2]}, to[3] = {high[0], high[1], high[2]};
            from[a] = high[a], to[a] = high[a] + 1;
            if (high[a] == job->window.edge || !are_free(job, from, to))
                break;
            high[a]++;
        }
    }
}

static uint32_t merge_boxes(const vp_boxes_job *job)
{
    const uint32_t edge = job->window.edge;
    uint32_t count = 0, low[3];
    for (low[1] = 0; low[1] < edge; low[1]++)
        for (low[2] = 0; low[2] < edge; low[2]++)
            for (low[0] = 0; low[0] < edge; low[0]++) {
                uint32_t high[3];
                if (job->scratch[number_of_block(&job->window, low[0], low[1], low[2])] != FREE)
                    continue;
                grow_box(job, low, high);
                for (uint32_t y = low[1]; y < high[1]; y++)
                    for (uint32_t z = low[2]; z < high[2]; z++)
                        for (uint32_t x = low[0]; x < high[0]; x++)
                            job->scratch[number_of_block(&job->window, x, y, z)] = (uint16_t)count;
                vp_block_box *box = &job->box[count++];
                for (int a = 0; a < 3; a++) {
                    box->low[a] = (uint8_t)low[a];
                    box->size[a] = (uint8_t)(high[a] - low[a]);
                }
                box->beyond = box->edges = 0;
            }
    return count;
}

/* Marks the T-edges of the rectangle that two boxes share. It is on side `side` of the first and the opposite side
 * of the second. */
static void mark_box(vp_block_box *a, vp_block_box *b, uint32_t side)
{
    for (uint32_t r = 0; r < VP_SIDE_COUNT; r++) {
        const uint32_t axis = r / 2;
        if (axis == side / 2)
            continue;
        const int32_t of_a = r % 2 == 0 ? -a->low[axis] : a->low[axis] + a->size[axis]; /* its extent towards that side */
        const int32_t of_b = r % 2 == 0 ? -b->low[axis] : b->low[axis] + b->size[axis];
        if (of_a < of_b) /* the rectangle's edge is a's, inside b's face */
            a->edges |= (uint16_t)(1u << vp_block_box_edge(side, r));
        else if (of_b < of_a)
            b->edges |= (uint16_t)(1u << vp_block_box_edge(side ^ 1u, r));
    }
}

/* Classifies a side by the blocks beyond it, and marks its T-edges. */
static void classify_side(const vp_boxes_job *job, vp_block_box *box, uint32_t side)
{
    const vp_block_window *w = &job->window;
    uint32_t axis, u, v;
    vp_side_axes(side, &axis, &u, &v);
    const bool at_border = side % 2 == 0 ? box->low[axis] == 0 : box->low[axis] + box->size[axis] == (int)w->edge;
    int32_t step[3] = {0, 0, 0};
    step[axis] = side % 2 == 0 ? -1 : 1;
    uint32_t what = 0;
    for (uint32_t j = 0; j < box->size[v]; j++)
        for (uint32_t i = 0; i < box->size[u]; i++) {
            uint32_t at[3] = {box->low[0], box->low[1], box->low[2]};
            at[axis] += side % 2 == 0 ? 0 : box->size[axis] - 1u;
            at[u] += i, at[v] += j;
            const bool is_there = is_colliding(w, at, step[0], step[1], step[2]);
            what |= is_there ? VP_BOX_COVERED : VP_BOX_EXPOSED;
            if (is_there && !at_border && side % 2 == 1) { /* the other box has the same rectangle */
                const uint32_t x = at[0] + (uint32_t)step[0], y = at[1] + (uint32_t)step[1], z = at[2] + (uint32_t)step[2];
                mark_box(box, &job->box[job->scratch[number_of_block(w, x, y, z)]], side);
            }
        }
    box->beyond |= (uint16_t)(what << 2 * side);
    if (at_border && what != VP_BOX_EXPOSED)
        for (uint32_t r = 0; r < VP_SIDE_COUNT; r++)
            if (r / 2 != axis)
                box->edges |= (uint16_t)(1u << vp_block_box_edge(side, r));
}

uint32_t vp_greedy_boxes_scalar(const vp_boxes_job *job)
{
    const uint32_t edge = job->window.edge;
    uint32_t at[3];
    for (at[1] = 0; at[1] < edge; at[1]++)
        for (at[2] = 0; at[2] < edge; at[2]++)
            for (at[0] = 0; at[0] < edge; at[0]++)
                job->scratch[number_of_block(&job->window, at[0], at[1], at[2])] = is_colliding(&job->window, at, 0, 0, 0) ? FREE : NOT;
    const uint32_t count = merge_boxes(job);
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
            classify_side(job, &job->box[b], side);
    return count;
}
