/* SPDX-License-Identifier: MIT */
/* Helpers for every walk through a terrain: bounds of a chunk's triangles, a test of a ray against a chunk's bits, access
 * to its tree, and the chunks of a box.
 *
 * A chunk's quads lie in its cells -1 to 7 on each axis. So its triangles lie from 0.5 below its lowest voxel to 0.5
 * above its highest (kernel/surface.h). All voxels that a triangle reaches have their bits set. If it reaches beyond
 * the chunk, the voxel at the chunk's border is set and stands for that part. So for rays a border voxel is larger by
 * half a voxel. */
#ifndef VP_TERRAIN_WALK_H
#define VP_TERRAIN_WALK_H

#include <voxphys/kernel/terrain.h>

#include "src/core/inline.h"
#include "src/kd/ray_boxes.h"

/* Bounds on one axis of the space that voxels [low, high) of a chunk stand for. `at` is the chunk's coordinate. */
static inline void vp_chunk_faces(int32_t at, int low, int high, float *lower, float *upper)
{
    *lower = (float)(at * VP_CHUNK_EDGE + low) - (low == 0 ? 0.5f : 0.0f);
    *upper = (float)(at * VP_CHUNK_EDGE + high) + (high == VP_CHUNK_EDGE ? 0.5f : 0.0f);
}

/* Bounds on one axis of the triangles of a box of chunks. */
static inline void vp_chunk_row_faces(int32_t first, uint32_t chunks, float *lower, float *upper)
{
    *lower = (float)(first * VP_CHUNK_EDGE) - 0.5f;
    *upper = (float)((first + (int32_t)chunks) * VP_CHUNK_EDGE) + 0.5f;
}

/* Bounds of the triangles of a box of chunks. */
static inline vp_aabb vp_chunks_box(vp_ivec3 first, vp_dims chunks)
{
    vp_aabb box;
    vp_chunk_row_faces(first.x, chunks.x, &box.min.x, &box.max.x);
    vp_chunk_row_faces(first.y, chunks.y, &box.min.y, &box.max.y);
    vp_chunk_row_faces(first.z, chunks.z, &box.min.z, &box.max.z);
    return box;
}

/* Number of a chunk in its world. */
static inline uint32_t vp_terrain_chunk(const vp_terrain_view *t, vp_ivec3 at)
{
    const vp_dims n = t->bits.chunks;
    return ((uint32_t)at.y * n.z + (uint32_t)at.z) * n.x + (uint32_t)at.x;
}

/* Chunk with a number. */
static inline vp_ivec3 vp_terrain_chunk_at(const vp_terrain_view *t, uint32_t chunk)
{
    const vp_dims n = t->bits.chunks;
    return (vp_ivec3){(int32_t)(chunk % n.x), (int32_t)(chunk / n.x / n.z), (int32_t)(chunk / n.x % n.z)};
}

/* Bits of a chunk for the view's surface. */
static inline const uint64_t *vp_chunk_bits(const vp_terrain_view *t, vp_ivec3 at)
{
    const vp_broadphase_view *b = &t->bits;
    const vp_chunk_masks *m = &b->pool[b->slot[(ptrdiff_t)at.y * b->slot_stride_y + (ptrdiff_t)at.z * b->slot_stride_z + at.x]];
    return t->surface == VP_SURFACE_SOLID ? m->solid : m->water;
}

/* A box of voxels of a chunk: [low, high) on each axis. */
typedef struct vp_voxel_box {
    int low[3], high[3];
} vp_voxel_box;

/* Whether any bit in a box of voxels is set. */
static inline bool vp_any_bit(const uint64_t bits[8], const vp_voxel_box *b)
{
    const uint64_t row = ((1u << b->high[0]) - (1u << b->low[0])) & 0xffu;
    uint64_t slice = 0, any = 0;
    for (int z = b->low[2]; z < b->high[2]; z++)
        slice |= row << (z * 8);
    for (int y = b->low[1]; y < b->high[1]; y++)
        any |= bits[y] & slice;
    return any != 0;
}

/* Whether a ray crosses set bits of a chunk up to s_most. Boxes of voxels are halved until they have no set bit, the
 * ray misses them, or they are one voxel. At most eight boxes wait. */
static inline bool vp_crosses_bits(const vp_box_ray *r, const uint64_t bits[8], vp_ivec3 at, float s_most)
{
    const int32_t chunk[3] = {at.x, at.y, at.z};
    vp_voxel_box waiting[16] = {{{0, 0, 0}, {8, 8, 8}}};
    int waits = 1;
    while (waits > 0) {
        const vp_voxel_box b = waiting[--waits];
        float low[3], high[3];
        int longest = 0;
        for (int k = 0; k < 3; k++) {
            vp_chunk_faces(chunk[k], b.low[k], b.high[k], &low[k], &high[k]);
            if (b.high[k] - b.low[k] > b.high[longest] - b.low[longest])
                longest = k;
        }
        const vp_ray_part in = vp_part_inside(r, low, high, (vp_ray_part){0.0f, s_most});
        if (!(in.near <= in.far) || !vp_any_bit(bits, &b))
            continue;
        if (b.high[longest] - b.low[longest] == 1)
            return true;
        vp_voxel_box lower = b, upper = b;
        lower.high[longest] = upper.low[longest] = (b.low[longest] + b.high[longest]) / 2;
        waiting[waits++] = upper;
        waiting[waits++] = lower;
    }
    return false;
}

/* Reads the pointer to a chunk's tree, which another thread may publish. */
static inline const vp_kd_view *vp_published_tree(const vp_terrain_view *t, uint32_t chunk)
{
#if defined(__GNUC__)
    return __atomic_load_n(&t->tree[chunk], __ATOMIC_ACQUIRE);
#else
#error "vp_published_tree: say here how this compiler reads a pointer with acquire"
#endif
}

/* A chunk's tree if it exists, NULL otherwise. */
static inline const vp_kd_view *vp_made_tree(const vp_terrain_view *t, uint32_t chunk)
{
    return t->tree != NULL ? vp_published_tree(t, chunk) : t->find(t->user, chunk);
}

/* A chunk's tree for a ray, built if it does not exist and the ray crosses set bits. NULL: not needed. */
static inline const vp_kd_view *vp_tree_for_ray(const vp_terrain_view *t, const vp_box_ray *r, vp_ivec3 at, float s_most)
{
    const uint32_t chunk = vp_terrain_chunk(t, at);
    const vp_kd_view *tree = vp_made_tree(t, chunk);
    if (tree == NULL && vp_crosses_bits(r, vp_chunk_bits(t, at), at, s_most))
        tree = t->make(t->user, chunk);
    return tree;
}

/* ---- boxes ----
 *
 * Finds the chunks of a terrain that may have triangles in a box: chunks with set bits under the box grown by one
 * voxel. A triangle's own box lies in voxels whose bits are set (kernel/surface.h). If a triangle reaches beyond its
 * chunk, the chunk's voxel next to that part is also set, and the grown box contains this voxel. */

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
