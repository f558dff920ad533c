/* SPDX-License-Identifier: MIT */
/* Edits of a terrain. An edit is alone inside the gate. It writes the voxels first, then updates everything derived
 * from them.
 *
 * Only the broadphase's masks may need memory, so they are reserved before anything is written, and nothing fails after
 * that. An edit can make chunks stale. Each of these that has no masks may get some, with exceptions: the edit fills
 * the chunk whole, does not touch it, or writes the material class that it is full of. For a list of voxels only
 * untouched chunks are excepted. */
#include "src/terrain/terrain_internal.h"

#include "src/core/error.h"
#include "src/broadphase/room.h"
#include "src/world/world_internal.h"

#include <math.h>

/* ---- which voxels ---- */

/* Voxels [low, high) on one axis. */
typedef struct edit_range {
    int64_t low, high;
} edit_range;

typedef enum shape { BOX, SPHERE, ROWS, LIST } shape;

/* Voxels that an edit may write, clamped to the world. Empty if any range is empty. */
typedef struct edit_extent {
    shape shape;
    edit_range x, y, z;
    vp_chunk_class fill_class; /* box and sphere: class of a chunk filled with the written material */
    vp_vec3 centre;            /* sphere */
    float radius;
    vp_ivec3 low; /* rows, as passed by the caller */
    vp_dims size;
    const uint8_t *material;
    const vp_ivec3 *list; /* list */
    const vp_voxel *voxel;
    size_t count;
    uint32_t first, last; /* range of the chunks that the edit may make stale */
} edit_extent;

static edit_range clip_range(double low, double high, uint32_t size)
{
    edit_range r;
    r.low = low <= 0 ? 0 : low >= size ? size : (int64_t)low;
    r.high = high <= 0 ? 0 : high >= size ? size : (int64_t)high;
    return r;
}

/* Class of a chunk filled with a material. */
static vp_chunk_class tag_of(uint8_t material)
{
    return material >= VP_FIRST_SOLID ? VP_CHUNK_FULL_SOLID : material == VP_WATER ? VP_CHUNK_FULL_WATER : VP_CHUNK_EMPTY;
}

static edit_extent box_of(const vp_world *world, vp_ivec3 low, double to_x, double to_y, double to_z, vp_chunk_class all)
{
    return (edit_extent){.shape = BOX,
                         .x = clip_range(low.x, to_x, world->size.x),
                         .y = clip_range(low.y, to_y, world->size.y),
                         .z = clip_range(low.z, to_z, world->size.z),
                         .fill_class = all};
}

/* Extent of vp_world_write_rows. */
static edit_extent rows_of(const vp_world *world, vp_ivec3 low, vp_dims size, const uint8_t *material)
{
    edit_extent e = box_of(world, low, (double)low.x + size.x, (double)low.y + size.y, (double)low.z + size.z, VP_CHUNK_MIXED);
    e.shape = ROWS;
    e.low = low;
    e.size = size;
    e.material = material;
    return e;
}

static void widen_range(edit_range *r, int32_t at)
{
    r->low = at < r->low ? at : r->low;
    r->high = at >= r->high ? at + INT64_C(1) : r->high;
}

/* Extent of vp_world_set_voxels. */
static edit_extent list_of(const vp_ivec3 *at, const vp_voxel *voxel, size_t count)
{
    const edit_range none = {INT64_MAX, 0};
    edit_extent e = {.shape = LIST, .x = none, .y = none, .z = none, .list = at, .voxel = voxel, .count = count};
    for (size_t i = 0; i < count; i++) {
        widen_range(&e.x, at[i].x);
        widen_range(&e.y, at[i].y);
        widen_range(&e.z, at[i].z);
    }
    return e;
}

/* Extent of vp_world_fill_sphere. Empty for a sphere that it refuses. */
static edit_extent sphere_of(const vp_world *world, vp_vec3 c, float radius, vp_chunk_class all)
{
    const double r = radius;
    if (!isfinite(c.x) || !isfinite(c.y) || !isfinite(c.z) || !isfinite(radius) || radius < 0)
        return (edit_extent){.shape = SPHERE};
    return (edit_extent){.shape = SPHERE,
                         .x = clip_range(floor(c.x - r) - 1, ceil(c.x + r) + 1, world->size.x),
                         .y = clip_range(floor(c.y - r) - 1, ceil(c.y + r) + 1, world->size.y),
                         .z = clip_range(floor(c.z - r) - 1, ceil(c.z + r) + 1, world->size.z),
                         .fill_class = all,
                         .centre = c,
                         .radius = radius};
}

/* ---- which chunks ---- */

/* Voxels around a chunk on one axis that its masks depend on. */
static edit_range range_around(uint32_t chunk)
{
    return (edit_range){(int64_t)chunk * VP_CHUNK_EDGE - 1, (int64_t)chunk * VP_CHUNK_EDGE + VP_CHUNK_EDGE + 1};
}

static bool is_within(edit_range a, edit_range b)
{
    return b.low <= a.low && a.high <= b.high;
}

static edit_range intersect_ranges(edit_range a, edit_range b)
{
    return (edit_range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

/* Class of a chunk filled with the rows' voxels in a box. VP_CHUNK_MIXED if they differ in class. */
static vp_chunk_class tag_of_rows(const edit_extent *e, edit_range x, edit_range y, edit_range z)
{
    vp_chunk_class all = VP_CHUNK_MIXED;
    for (int64_t at_y = y.low; at_y < y.high; at_y++)
        for (int64_t at_z = z.low; at_z < z.high; at_z++) {
            const size_t row = (size_t)(at_y - e->low.y) * e->size.z + (size_t)(at_z - e->low.z);
            for (int64_t at_x = x.low; at_x < x.high; at_x++) {
                const vp_chunk_class tag = tag_of(e->material[row * e->size.x + (size_t)(at_x - e->low.x)]);
                if (all != VP_CHUNK_MIXED && all != tag)
                    return VP_CHUNK_MIXED;
                all = tag;
            }
        }
    return all;
}

/* Smallest and largest squared distance between voxel centres and a sphere's centre on one axis. */
static void find_distances(edit_range voxels, float centre, float *min, float *max)
{
    *min = INFINITY;
    *max = 0;
    for (int64_t v = voxels.low; v < voxels.high; v++) {
        const float d = (float)v + 0.5f - centre, d2 = d * d;
        *min = d2 < *min ? d2 : *min;
        *max = d2 > *max ? d2 : *max;
    }
}

/* Whether an edit may give masks to a chunk that is full of one class. Rounding is monotone, so a sum of three
 * squares is smallest and largest where each square is. Testing the nearest and the farthest voxel therefore decides
 * for all. */
static bool may_need_masks(const edit_extent *e, vp_chunk_class tag, uint32_t cx, uint32_t cy, uint32_t cz)
{
    if (tag == VP_CHUNK_MIXED)
        return false;
    const bool covered = is_within(range_around(cx), e->x) && is_within(range_around(cy), e->y) && is_within(range_around(cz), e->z);
    const edit_range x = intersect_ranges(range_around(cx), e->x), y = intersect_ranges(range_around(cy), e->y),
                     z = intersect_ranges(range_around(cz), e->z);
    const vp_chunk_class all = e->shape == ROWS ? tag_of_rows(e, x, y, z) : e->fill_class;
    if (tag == all)
        return false;
    if (e->shape != SPHERE)
        return !covered || all == VP_CHUNK_MIXED;
    float min[3], max[3];
    find_distances(x, e->centre.x, &min[0], &max[0]);
    find_distances(y, e->centre.y, &min[1], &max[1]);
    find_distances(z, e->centre.z, &min[2], &max[2]);
    const float radius2 = e->radius * e->radius;
    const bool touched = (min[0] + min[1]) + min[2] <= radius2;
    return touched && !(covered && (max[0] + max[1]) + max[2] <= radius2);
}

/* Range of the chunks whose neighbourhoods contain voxels of a range. */
static void find_chunks_around(edit_range voxels, uint32_t chunks, uint32_t *first, uint32_t *last)
{
    const int64_t low = voxels.low - 1, high = voxels.high / VP_CHUNK_EDGE;
    *first = low <= 0 ? 0 : (uint32_t)(low / VP_CHUNK_EDGE);
    *last = high >= chunks ? chunks - 1 : (uint32_t)high;
}

/* make_room for a list, whose chunks may be scattered. They are marked in the terrain's set and counted there. */
static bool make_room_for_list(vp_terrain *t, const edit_extent *e)
{
    uint32_t more = 0;
    vp_mark_voxels(t->world, e->list, e->voxel, e->count, &t->stale);
    for (uint32_t c = vp_chunk_set_next_until(&t->stale, e->first, e->last); c != UINT32_MAX;
         c = vp_chunk_set_next_until(&t->stale, c + 1, e->last))
        more += vp_broadphase_chunk_class(t->broadphase, vp_chunk_at(t->world->chunks, c)) != VP_CHUNK_MIXED;
    if (vp_broadphase_reserve(t->broadphase, more))
        return true;
    vp_chunk_set_move(&t->stale, e->first, e->last, NULL);
    return false;
}

/* Reserves the masks that an edit may need, and computes the range of chunks that it can make stale.
 * @return false without memory */
static bool make_room(vp_terrain *t, edit_extent *e)
{
    const vp_dims n = t->world->chunks;
    uint32_t x0, x1, y0, y1, z0, z1, more = 0;
    e->first = e->last = 0;
    if (e->x.low >= e->x.high || e->y.low >= e->y.high || e->z.low >= e->z.high)
        return true;
    find_chunks_around(e->x, n.x, &x0, &x1);
    find_chunks_around(e->y, n.y, &y0, &y1);
    find_chunks_around(e->z, n.z, &z0, &z1);
    e->first = vp_chunk_number(n, x0, y0, z0);
    e->last = vp_chunk_number(n, x1, y1, z1);
    if (e->shape == LIST)
        return make_room_for_list(t, e);
    for (uint32_t y = y0; y <= y1; y++)
        for (uint32_t z = z0; z <= z1; z++)
            for (uint32_t x = x0; x <= x1; x++) {
                const vp_chunk_class tag = vp_broadphase_chunk_class(t->broadphase, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z});
                more += may_need_masks(e, tag, x, y, z);
            }
    return vp_broadphase_reserve(t->broadphase, more);
}

/* ---- edits ---- */

/* Checks the arguments of an edit and reserves its memory. Inside the gate. */
static vp_status reserve_memory(vp_terrain *t, edit_extent *e, const vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_check_chunk_set(t->world, stale, error));
    if (!make_room(t, e))
        return vp_fail(error, VP_E_MEMORY, "no memory for the masks of chunks that the edit may need");
    return VP_OK;
}

/* Enters the gate for an edit. Leaves it again on failure. */
static vp_status begin_edit(vp_terrain *t, edit_extent *e, const vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_terrain_enter_write(t, error));
    vp_status status = reserve_memory(t, e, stale, error);
    if (status != VP_OK)
        vp_gate_leave_write(&t->gate);
    return status;
}

/* Updates everything that depends on the written voxels. */
static void update_stale(vp_terrain *t, const edit_extent *e, vp_chunk_set *stale)
{
    if (vp_chunk_set_next_until(&t->stale, e->first, e->last) == UINT32_MAX)
        return;
    vp_broadphase_rederive(t->broadphase, t->world, &t->stale, e->first, e->last);
    const vp_top_source source = {vp_broadphase_bits(t->broadphase), vp_world_voxels(t->world)};
    for (uint32_t i = 0; i < t->surface_count; i++)
        vp_terrain_top_update(&t->top[i], &source, &t->stale, e->first, e->last);
    for (uint32_t c = vp_chunk_set_next_until(&t->stale, e->first, e->last); c != UINT32_MAX;
         c = vp_chunk_set_next_until(&t->stale, c + 1, e->last))
        vp_cache_drop(&t->cache, c);
    vp_chunk_set_move(&t->stale, e->first, e->last, stale);
}

/* Runs after the voxels were written. Inside the gate. */
static vp_status update_after_write(vp_terrain *t, const edit_extent *e, vp_chunk_set *stale, vp_status status)
{
    if (status == VP_OK)
        update_stale(t, e, stale);
    vp_terrain_take_pending(t);
    vp_terrain_renew_views(t); /* masks may have moved even if nothing was written */
    return status;
}

static vp_status end_edit(vp_terrain *t, const edit_extent *e, vp_chunk_set *stale, vp_status status)
{
    update_after_write(t, e, stale, status);
    vp_gate_leave_write(&t->gate);
    return status;
}

vp_status vp_terrain_set_voxel(vp_terrain *terrain, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    edit_extent e = box_of(terrain->world, at, at.x + 1.0, at.y + 1.0, at.z + 1.0, tag_of(voxel.material));
    VP_RETURN_IF_FAILED(begin_edit(terrain, &e, stale, error));
    return end_edit(terrain, &e, stale, vp_world_set_voxel(terrain->world, at, voxel, &terrain->stale, error));
}

vp_status vp_terrain_write_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                  vp_error *error)
{
    edit_extent e = list_of(at, voxel, count);
    VP_RETURN_IF_FAILED(reserve_memory(terrain, &e, stale, error));
    /* reserve_memory has marked the stale chunks already */
    return update_after_write(terrain, &e, stale, vp_world_set_voxels(terrain->world, at, voxel, count, NULL, error));
}

vp_status vp_terrain_set_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    VP_RETURN_IF_ARRAY_NULL(error, at, count);
    VP_RETURN_IF_ARRAY_NULL(error, voxel, count);
    VP_RETURN_IF_FAILED(vp_check_voxels(terrain->world, at, count, error));
    VP_RETURN_IF_FAILED(vp_terrain_enter_write(terrain, error));
    vp_status status = vp_terrain_write_voxels(terrain, at, voxel, count, stale, error);
    vp_gate_leave_write(&terrain->gate);
    return status;
}

vp_status vp_terrain_fill_box(vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    edit_extent e = box_of(terrain->world, low, high.x, high.y, high.z, tag_of(voxel.material));
    VP_RETURN_IF_FAILED(begin_edit(terrain, &e, stale, error));
    return end_edit(terrain, &e, stale, vp_world_fill_box(terrain->world, low, high, voxel, &terrain->stale, error));
}

vp_status vp_terrain_fill_sphere(vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    edit_extent e = sphere_of(terrain->world, centre, radius, tag_of(voxel.material));
    VP_RETURN_IF_FAILED(begin_edit(terrain, &e, stale, error));
    return end_edit(terrain, &e, stale, vp_world_fill_sphere(terrain->world, centre, radius, voxel, &terrain->stale, error));
}

vp_status vp_terrain_write_rows(vp_terrain *terrain, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    VP_RETURN_IF_FAILED(vp_check_write_rows(low, size, material, error));
    edit_extent e = rows_of(terrain->world, low, size, material);
    VP_RETURN_IF_FAILED(begin_edit(terrain, &e, stale, error));
    return end_edit(terrain, &e, stale, vp_world_write_rows(terrain->world, low, size, material, occupancy, &terrain->stale, error));
}
