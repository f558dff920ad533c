/* SPDX-License-Identifier: MIT */
/* Random blocks, and block by block rules for judges in the window of a chunk. Coordinates are -1 to 32 there. */
#ifndef VP_CASES_BLOCK_JUDGE_H
#define VP_CASES_BLOCK_JUDGE_H

#include <voxphys/block_shapes.h>

#include "cases/case.h"
#include "src/core/bytes.h"
#include "datasets/block_sets.h"
#include "datasets/random.h"

/* Writes a box as bytes. @return the end */
static inline uint8_t *vp_put_block_box(uint8_t *at, const vp_block_box *b)
{
    memcpy(at, b->low, 3);
    memcpy(at + 3, b->size, 3);
    return vp_put_halves(vp_put_halves(at + 6, &b->beyond, 1), &b->edges, 1);
}

/* Draws a block of the view. Half of the coordinates are at a chunk's border. */
static inline vp_ivec3 vp_draw_block(vp_random *r, const vp_block_view *v)
{
    const uint32_t size[3] = {v->size.x, v->size.y, v->size.z};
    const int32_t low[3] = {v->low.x, v->low.y, v->low.z};
    int32_t at[3];
    for (int a = 0; a < 3; a++) {
        const uint32_t chunk = vp_random_below(r, size[a]), inside = vp_random_below(r, 32), form = vp_random_below(r, 4);
        at[a] = (low[a] + (int32_t)chunk) * 32 + (int32_t)(form == 0 ? 0 : form == 1 ? 31 : inside);
    }
    return (vp_ivec3){at[0], at[1], at[2]};
}

static inline bool vp_judge_is(const vp_block_view *view, vp_block block, uint32_t bits)
{
    return block < view->type_count && (view->type[block].flags & bits) != 0;
}

static inline vp_block vp_judge_block(const vp_block *cell, const int at[3])
{
    return cell[((at[1] + 1) * 34 + at[2] + 1) * 34 + at[0] + 1];
}

/* Light at the corners of a face. Each corner depends on three blocks in the layer before the face. */
static inline uint32_t vp_judge_light(const vp_block_view *view, const vp_block *cell, const int before[3], uint32_t u, uint32_t v)
{
    uint32_t light = 0;
    for (uint32_t k = 0; k < 4; k++) {
        bool dark[3];
        for (int i = 0; i < 3; i++) {
            int at[3] = {before[0], before[1], before[2]};
            at[u] += i == 1 ? 0 : (k & 1u) != 0 ? 1 : -1;
            at[v] += i == 0 ? 0 : (k & 2u) != 0 ? 1 : -1;
            dark[i] = vp_judge_is(view, vp_judge_block(cell, at), VP_BLOCK_OPAQUE);
        }
        light |= (dark[0] && dark[1] ? 0 : 3u - dark[0] - dark[1] - dark[2]) << 2 * k;
    }
    return light;
}

/* The face of a block on a side, as light << 16 | type, or -1 for none. */
static inline int32_t vp_judge_face(const vp_block_view *view, const vp_block *cell, const int at[3], uint32_t side, bool occlusion)
{
    uint32_t axis, u, v;
    int before[3] = {at[0], at[1], at[2]};
    vp_side_axes(side, &axis, &u, &v);
    before[axis] += side % 2 == 1 ? 1 : -1;
    const vp_block type = vp_judge_block(cell, at), other = vp_judge_block(cell, before);
    if (type == 0 || other == type || vp_judge_is(view, other, VP_BLOCK_OPAQUE))
        return -1;
    return (int32_t)((occlusion ? vp_judge_light(view, cell, before, u, v) : 255u) << 16 | type);
}

#endif
