/* SPDX-License-Identifier: MIT */
/* Conditions for a face, and the light of its corners. Shared by faces and quads. */
#ifndef VP_BLOCKS_FACE_H
#define VP_BLOCKS_FACE_H

#include <voxphys/kernel/blocks.h>

/* The steps from a cell of a window to the next one along each axis. */
static inline void vp_block_window_strides(const vp_block_window *w, ptrdiff_t stride[3])
{
    const ptrdiff_t width = (ptrdiff_t)w->edge + 2;
    stride[0] = 1;
    stride[1] = width * width;
    stride[2] = width;
}

static inline bool vp_block_is_opaque(const vp_block_window *w, vp_block block)
{
    return (vp_block_flags_of(w->type, w->type_count, block) & VP_BLOCK_OPAQUE) != 0;
}

/* Whether a block, which may be 0, shows its face towards a neighbour. */
static inline bool vp_block_shows(const vp_block_window *w, vp_block block, vp_block neighbour)
{
    return block != 0 && neighbour != block && !vp_block_is_opaque(w, neighbour);
}

/* Light at the four corners of a face, from the cells around the one in front of it. */
static inline uint8_t vp_block_occlusion(const vp_block_window *w, const vp_block *before, ptrdiff_t u, ptrdiff_t v)
{
    uint32_t light = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const ptrdiff_t du = (k & 1u) != 0 ? u : -u, dv = (k & 2u) != 0 ? v : -v;
        const bool beside_u = vp_block_is_opaque(w, before[du]), beside_v = vp_block_is_opaque(w, before[dv]);
        const bool across = vp_block_is_opaque(w, before[du + dv]);
        const uint32_t level = beside_u && beside_v ? 0 : 3u - beside_u - beside_v - across;
        light |= level << 2 * k;
    }
    return (uint8_t)light;
}

#endif
