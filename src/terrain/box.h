/* SPDX-License-Identifier: MIT */
/* Finds the chunks of a terrain that may have triangles in a box: chunks with set bits under the box grown by one
 * voxel. A triangle's own box lies in voxels whose bits are set (kernel/surface.h). If a triangle reaches beyond its
 * chunk, the chunk's voxel next to that part is also set, and the grown box contains this voxel. */
#ifndef VP_TERRAIN_BOX_H
#define VP_TERRAIN_BOX_H

#include "src/core/inline.h"
#include "src/terrain/walk.h"

/* Voxels first to last on one axis, inclusive. */
typedef struct vp_voxel_range {
    int32_t first, last;
} vp_voxel_range;

/* floor(min) - 1 to floor(max) + 1, clamped to chunks [chunk, chunk + chunks). No NaN. */
static inline vp_voxel_range vp_grown_range(float min, float max, int32_t chunk, uint32_t chunks)
{
    const int32_t begin = chunk * VP_CHUNK_EDGE, end = begin + (int32_t)chunks * VP_CHUNK_EDGE;
    const float before = (float)(begin - 2), behind = (float)(end + 2); /* clamping farther outside changes nothing */
    const float low = vp_min(vp_max(min, before), behind), high = vp_min(vp_max(max, before), behind);
    vp_voxel_range r = {(int32_t)floorf(low) - 1, (int32_t)floorf(high) + 1};
    r.first = r.first < begin ? begin : r.first;
    r.last = r.last >= end ? end - 1 : r.last;
    return r;
}

/* Part of a range that lies in a chunk, as low and high of a vp_voxel_box. */
static inline void vp_range_in_chunk(vp_voxel_range r, int32_t chunk, int *low, int *high)
{
    const int32_t first = r.first - chunk * VP_CHUNK_EDGE, last = r.last - chunk * VP_CHUNK_EDGE;
    *low = first > 0 ? first : 0;
    *high = (last < VP_CHUNK_EDGE - 1 ? last : VP_CHUNK_EDGE - 1) + 1;
}

/* Gathers the triangles of one tree in a box, like vp_kd_gather_fn. */
typedef uint32_t vp_tree_box_fn(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity);

enum { VP_TERRAIN_BOX_ROOM = 2 * VP_CHUNK_MESH_QUADS /* maximum number of triangles in a chunk */ };

/* vp_terrain_gather_fn over a given function that gathers the triangles of one tree. */
VP_INLINE uint32_t vp_gather_terrain(const vp_terrain_view *t, const vp_aabb *box, vp_tree_box_fn *gather, vp_terrain_triangle_id *out,
                                     uint32_t capacity)
{
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z))
        return 0;
    const vp_voxel_range x = vp_grown_range(box->min.x, box->max.x, t->first.x, t->chunks.x);
    const vp_voxel_range y = vp_grown_range(box->min.y, box->max.y, t->first.y, t->chunks.y);
    const vp_voxel_range z = vp_grown_range(box->min.z, box->max.z, t->first.z, t->chunks.z);
    if (x.first > x.last || y.first > y.last || z.first > z.last)
        return 0;
    uint32_t count = 0, list[VP_TERRAIN_BOX_ROOM]; /* count saturates, for the largest worlds */
    for (int32_t cy = y.first / VP_CHUNK_EDGE; cy <= y.last / VP_CHUNK_EDGE; cy++)
        for (int32_t cz = z.first / VP_CHUNK_EDGE; cz <= z.last / VP_CHUNK_EDGE; cz++)
            for (int32_t cx = x.first / VP_CHUNK_EDGE; cx <= x.last / VP_CHUNK_EDGE; cx++) {
                const vp_ivec3 at = {cx, cy, cz};
                vp_voxel_box part;
                vp_range_in_chunk(x, cx, &part.low[0], &part.high[0]);
                vp_range_in_chunk(y, cy, &part.low[1], &part.high[1]);
                vp_range_in_chunk(z, cz, &part.low[2], &part.high[2]);
                if (!vp_any_bit(vp_chunk_bits(t, at), &part))
                    continue;
                const uint32_t chunk = vp_terrain_chunk(t, at);
                const vp_kd_view *tree = vp_made_tree(t, chunk);
                if (tree == NULL)
                    tree = t->make(t->user, chunk);
                if (tree == NULL || tree->triangles.triangle_count == 0)
                    continue;
                const uint32_t found = gather(tree, box, list, VP_TERRAIN_BOX_ROOM);
                const uint32_t room = count < capacity ? capacity - count : 0, kept = found < room ? found : room;
                for (uint32_t i = 0; i < kept; i++)
                    out[count + i] = (vp_terrain_triangle_id){chunk, list[i]};
                count = found <= UINT32_MAX - count ? count + found : UINT32_MAX;
            }
    return count;
}

#endif
