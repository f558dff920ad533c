/* SPDX-License-Identifier: MIT */
/* Merges a chunk's faces: article "Les bases d'un voxel engine", "Fusionner les triangles", which leaves it for later.
 * The method is that of its boxes ("Les collisions"), a plane at a time. */
#include "src/blocks/face.h"

/* A face of a plane: its type and light. 0 = no face, or already in a quad. */
typedef struct quad_plane {
    uint32_t face[VP_BLOCK_EDGE][VP_BLOCK_EDGE]; /* [v][u] */
    uint32_t edge;
} quad_plane;

static uint32_t face_of(const vp_block_quad *quad)
{
    return (uint32_t)quad->occlusion << 16 | quad->type;
}

/* Whether the light is the same at all four corners, so that the quad can be any size. */
static bool is_uniform(uint8_t light)
{
    return light == (light & 3u) * 0x55u;
}

static void find_faces(const vp_faces_job *job, uint32_t side, uint32_t depth, quad_plane *p)
{
    const vp_block_window *w = &job->window;
    ptrdiff_t stride[3];
    uint32_t axis, u, v;
    vp_block_window_strides(w, stride);
    vp_side_axes(side, &axis, &u, &v);
    const ptrdiff_t towards = side % 2 == 1 ? stride[axis] : -stride[axis];
    const vp_block *first = w->cell + vp_block_window_at(w->edge, 0, 0, 0) + (ptrdiff_t)depth * stride[axis];
    for (uint32_t j = 0; j < w->edge; j++)
        for (uint32_t i = 0; i < w->edge; i++) {
            const vp_block *cell = first + (ptrdiff_t)j * stride[v] + (ptrdiff_t)i * stride[u];
            vp_block_quad face = {.type = *cell, .occlusion = (uint8_t)VP_BLOCK_LIGHT};
            const bool shows = vp_block_shows(w, *cell, cell[towards]);
            if (shows && job->occlusion)
                face.occlusion = vp_block_occlusion(w, cell + towards, stride[u], stride[v]);
            p->face[j][i] = shows ? face_of(&face) : 0;
        }
    p->edge = w->edge;
}

/* Removes a quad from a plane, as large as possible, beginning at its first face. */
static void remove_quad(quad_plane *p, uint32_t i, uint32_t j, vp_block_quad *quad)
{
    const uint32_t face = p->face[j][i];
    uint32_t u = 1, v = 1;
    quad->type = (vp_block)face;
    quad->occlusion = (uint8_t)(face >> 16);
    if (is_uniform(quad->occlusion)) {
        while (i + u < p->edge && p->face[j][i + u] == face)
            u++;
        for (bool fits = true; fits && j + v < p->edge; v += fits)
            for (uint32_t k = 0; k < u; k++)
                fits = fits && p->face[j + v][i + k] == face;
    }
    for (uint32_t l = 0; l < v; l++)
        for (uint32_t k = 0; k < u; k++)
            p->face[j + l][i + k] = 0;
    quad->u = (uint8_t)u;
    quad->v = (uint8_t)v;
}

void vp_greedy_quads_scalar(const vp_faces_job *job)
{
    const uint32_t edge = job->window.edge;
    uint32_t count = 0;
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
        uint32_t axis, u, v;
        vp_side_axes(side, &axis, &u, &v);
        job->first[side] = count;
        for (uint32_t depth = 0; depth < edge; depth++) {
            quad_plane p;
            find_faces(job, side, depth, &p);
            for (uint32_t j = 0; j < edge; j++)
                for (uint32_t i = 0; i < edge; i++) {
                    if (p.face[j][i] == 0)
                        continue;
                    uint8_t at[3] = {0, 0, 0};
                    at[axis] = (uint8_t)depth, at[u] = (uint8_t)i, at[v] = (uint8_t)j;
                    vp_block_quad *quad = &job->quad[count++];
                    quad->x = at[0], quad->y = at[1], quad->z = at[2];
                    remove_quad(&p, i, j, quad);
                }
        }
    }
    job->first[VP_SIDE_COUNT] = count;
}
