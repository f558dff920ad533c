/* SPDX-License-Identifier: MIT */
/* Changes voxels, and finds the chunks that a change makes stale.
 *
 * All data derived for a chunk depends on its 10^3 neighbourhood: the chunk and one voxel around it. A voxel therefore
 * affects its own chunk and, if it lies on the chunk's surface, the chunks on the other side: one across a face, three
 * across an edge, seven across a corner. */
#include "src/world/world_internal.h"

#include "src/core/error.h"

#include <math.h>

/* On one axis, the chunks before (-1) and after (+1) that a voxel at this coordinate affects, in addition
 * to its own. */
static int find_first_affected(uint32_t v)
{
    return v % VP_CHUNK_EDGE == 0 ? -1 : 0;
}

static int find_last_affected(uint32_t v)
{
    return v % VP_CHUNK_EDGE == VP_CHUNK_EDGE - 1 ? 1 : 0;
}

static void mark_stale(vp_chunk_set *stale, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t layers = 1u << (VP_CHANGED_X + x % 8) | 1u << (VP_CHANGED_Y + y % 8) | 1u << (VP_CHANGED_Z + z % 8);
    for (int dy = find_first_affected(y); dy <= find_last_affected(y); dy++)
        for (int dz = find_first_affected(z); dz <= find_last_affected(z); dz++)
            for (int dx = find_first_affected(x); dx <= find_last_affected(x); dx++) {
                vp_ivec3 chunk = {(int)(x / 8) + dx, (int)(y / 8) + dy, (int)(z / 8) + dz};
                if (!vp_voxel_inside(stale->chunks, chunk))
                    continue;
                const bool own = dx == 0 && dy == 0 && dz == 0;
                vp_chunk_set_add(stale, vp_chunk_number(stale->chunks, (uint32_t)chunk.x, (uint32_t)chunk.y, (uint32_t)chunk.z),
                                 VP_CHANGED_KNOWN | (own ? layers : 0));
            }
}

/* Writes a voxel inside the world. Marks the stale chunks if it changes. */
static void write_voxel(vp_world *world, uint32_t x, uint32_t y, uint32_t z, vp_voxel voxel, vp_chunk_set *stale)
{
    size_t i = vp_voxel_offset(world->chunks, x, y, z);
    if (world->material[i] == voxel.material && world->occupancy[i] == voxel.occupancy)
        return;
    world->material[i] = voxel.material;
    world->occupancy[i] = voxel.occupancy;
    if (stale != NULL)
        mark_stale(stale, x, y, z);
}

vp_status vp_check_chunk_set(const vp_world *world, const vp_chunk_set *stale, vp_error *error)
{
    if (stale == NULL)
        return VP_OK;
    const bool fits = stale->chunks.x == world->chunks.x && stale->chunks.y == world->chunks.y && stale->chunks.z == world->chunks.z;
    if (fits && stale->word != NULL && stale->changed != NULL)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "a set of %u x %u x %u chunks was given for a world of %u x %u x %u", stale->chunks.x,
                   stale->chunks.y, stale->chunks.z, world->chunks.x, world->chunks.y, world->chunks.z);
}

vp_status vp_world_set_voxel(vp_world *world, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world);
    VP_RETURN_IF_FAILED(vp_check_chunk_set(world, stale, error));
    if (!vp_voxel_inside(world->size, at))
        return vp_fail(error, VP_E_ARGUMENT, "voxel (%d, %d, %d) is outside a world of %u x %u x %u voxels", at.x, at.y, at.z,
                       world->size.x, world->size.y, world->size.z);
    write_voxel(world, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, voxel, stale);
    return vp_succeed(error);
}

vp_status vp_check_voxels(const vp_world *world, const vp_ivec3 *at, size_t count, vp_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!vp_voxel_inside(world->size, at[i]))
            return vp_fail(error, VP_E_ARGUMENT, "voxel %zu at (%d, %d, %d) is outside a world of %u x %u x %u voxels", i, at[i].x, at[i].y,
                           at[i].z, world->size.x, world->size.y, world->size.z);
    return VP_OK;
}

void vp_mark_voxels(const vp_world *world, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale)
{
    for (size_t i = 0; i < count; i++) {
        const vp_voxel old = vp_world_voxel(world, at[i]);
        if (old.material != voxel[i].material || old.occupancy != voxel[i].occupancy)
            mark_stale(stale, (uint32_t)at[i].x, (uint32_t)at[i].y, (uint32_t)at[i].z);
    }
}

vp_status vp_world_set_voxels(vp_world *world, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                              vp_error *error)
{
    VP_RETURN_IF_NULL(error, world);
    VP_RETURN_IF_ARRAY_NULL(error, at, count);
    VP_RETURN_IF_ARRAY_NULL(error, voxel, count);
    VP_RETURN_IF_FAILED(vp_check_chunk_set(world, stale, error));
    VP_RETURN_IF_FAILED(vp_check_voxels(world, at, count, error));
    for (size_t i = 0; i < count; i++)
        write_voxel(world, (uint32_t)at[i].x, (uint32_t)at[i].y, (uint32_t)at[i].z, voxel[i], stale);
    return vp_succeed(error);
}

/* [low, high) cut to [0, size). */
typedef struct voxel_span {
    uint32_t begin, end;
} voxel_span;

static voxel_span clip_span(int64_t low, int64_t high, uint32_t size)
{
    voxel_span s;
    s.begin = low <= 0 ? 0 : low >= size ? size : (uint32_t)low;
    s.end = high <= 0 ? 0 : high >= size ? size : (uint32_t)high;
    return s;
}

vp_status vp_check_fill_box(vp_ivec3 low, vp_ivec3 high, vp_error *error)
{
    if (low.x > high.x || low.y > high.y || low.z > high.z)
        return vp_fail(error, VP_E_ARGUMENT, "box from (%d, %d, %d) to (%d, %d, %d): low is above high", low.x, low.y, low.z, high.x,
                       high.y, high.z);
    return VP_OK;
}

vp_status vp_world_fill_box(vp_world *world, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world);
    VP_RETURN_IF_FAILED(vp_check_chunk_set(world, stale, error));
    VP_RETURN_IF_FAILED(vp_check_fill_box(low, high, error));
    voxel_span sx = clip_span(low.x, high.x, world->size.x);
    voxel_span sy = clip_span(low.y, high.y, world->size.y);
    voxel_span sz = clip_span(low.z, high.z, world->size.z);
    for (uint32_t y = sy.begin; y < sy.end; y++)
        for (uint32_t z = sz.begin; z < sz.end; z++)
            for (uint32_t x = sx.begin; x < sx.end; x++)
                write_voxel(world, x, y, z, voxel, stale);
    return vp_succeed(error);
}

/* The voxels whose centre can be within `radius` of `centre` on one axis, with one to spare on both sides. */
static voxel_span find_reach(float centre, float radius, uint32_t size)
{
    double low = floor((double)centre - radius) - 1, high = ceil((double)centre + radius) + 1;
    low = low < 0 ? 0 : low > size ? size : low;
    high = high < 0 ? 0 : high > size ? size : high;
    return (voxel_span){(uint32_t)low, (uint32_t)high};
}

vp_status vp_check_sphere(vp_vec3 centre, float radius, vp_error *error)
{
    if (!isfinite(centre.x) || !isfinite(centre.y) || !isfinite(centre.z))
        return vp_fail(error, VP_E_ARGUMENT, "sphere centre (%g, %g, %g) is not finite", (double)centre.x, (double)centre.y,
                       (double)centre.z);
    if (!isfinite(radius) || radius < 0)
        return vp_fail(error, VP_E_ARGUMENT, "sphere radius %g is negative or not finite", (double)radius);
    return VP_OK;
}

vp_sphere_voxels vp_sphere_voxels_of(vp_dims size, vp_vec3 centre, float radius)
{
    const voxel_span x = find_reach(centre.x, radius, size.x), y = find_reach(centre.y, radius, size.y),
                     z = find_reach(centre.z, radius, size.z);
    return (vp_sphere_voxels){{x.begin, y.begin, z.begin}, {x.end, y.end, z.end}, centre, radius * radius};
}

vp_status vp_world_fill_sphere(vp_world *world, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world);
    VP_RETURN_IF_FAILED(vp_check_chunk_set(world, stale, error));
    VP_RETURN_IF_FAILED(vp_check_sphere(centre, radius, error));
    const vp_sphere_voxels v = vp_sphere_voxels_of(world->size, centre, radius);
    for (uint32_t y = v.low.y; y < v.high.y; y++)
        for (uint32_t z = v.low.z; z < v.high.z; z++)
            for (uint32_t x = v.low.x; x < v.high.x; x++)
                if (vp_sphere_has_voxel(&v, x, y, z))
                    write_voxel(world, x, y, z, voxel, stale);
    return vp_succeed(error);
}

vp_status vp_check_write_rows(vp_ivec3 low, vp_dims size, const uint8_t *material, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_check_rows(low, size, error));
    if (material == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "material is NULL");
    return VP_OK;
}

vp_status vp_world_write_rows(vp_world *world, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                              vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world);
    VP_RETURN_IF_FAILED(vp_check_chunk_set(world, stale, error));
    VP_RETURN_IF_FAILED(vp_check_write_rows(low, size, material, error));
    voxel_span sx = clip_span(low.x, (int64_t)low.x + size.x, world->size.x);
    voxel_span sy = clip_span(low.y, (int64_t)low.y + size.y, world->size.y);
    voxel_span sz = clip_span(low.z, (int64_t)low.z + size.z, world->size.z);
    for (uint32_t y = sy.begin; y < sy.end; y++)
        for (uint32_t z = sz.begin; z < sz.end; z++)
            for (uint32_t x = sx.begin; x < sx.end; x++) {
                size_t row_y = (size_t)((int64_t)y - low.y), row_z = (size_t)((int64_t)z - low.z);
                size_t i = (row_y * size.z + row_z) * size.x + (size_t)((int64_t)x - low.x);
                uint8_t m = material[i];
                uint8_t o = occupancy != NULL ? occupancy[i] : m != VP_AIR ? 255 : 0;
                write_voxel(world, x, y, z, (vp_voxel){m, o}, stale);
            }
    return vp_succeed(error);
}
