/* SPDX-License-Identifier: MIT */
/* The visible faces of a chunk: article "Les bases d'un voxel engine", "Voxel Engine" and "Diviser pour mieux régner",
 * with a list for each side as in "Un mesh par direction". The article mentions light at corners in a footnote. Here it
 * is computed by the method of M. Lysenko ("Ambient occlusion for Minecraft-like worlds", 2013). */
#include "src/blocks/face.h"

void vp_faces_scalar(const vp_faces_job *job)
{
    const vp_block_window *w = &job->window;
    const int32_t edge = (int32_t)w->edge;
    uint32_t count = 0;
    ptrdiff_t stride[3];
    vp_block_window_strides(w, stride);
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
        uint32_t axis, u, v;
        vp_side_axes(side, &axis, &u, &v);
        const ptrdiff_t towards = side % 2 == 1 ? stride[axis] : -stride[axis];
        job->first[side] = count;
        for (int32_t y = 0; y < edge; y++)
            for (int32_t z = 0; z < edge; z++)
                for (int32_t x = 0; x < edge; x++) {
                    const vp_block *cell = w->cell + vp_block_window_at(w->edge, x, y, z);
                    if (!vp_block_shows(w, *cell, cell[towards]))
                        continue;
                    const uint8_t light =
                        job->occlusion ? vp_block_occlusion(w, cell + towards, stride[u], stride[v]) : (uint8_t)VP_BLOCK_LIGHT;
                    job->quad[count++] = (vp_block_quad){(uint8_t)x, (uint8_t)y, (uint8_t)z, 1, 1, light, *cell};
                }
    }
    job->first[VP_SIDE_COUNT] = count;
}
