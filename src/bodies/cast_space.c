/* SPDX-License-Identifier: MIT */
/* Triangles of terrains and blocks for casts: gathered into a small buffer, box by box. */
#include "src/bodies/cast.h"

#include <voxphys/block_shapes.h>

#include "src/blocks/look.h"
#include "src/core/error.h"
#include "src/terrain/terrain_internal.h"

/* Longer boxes, in voxels, are cut before gathering because they hold too many triangles. */
#define LARGEST 8.0f

enum {
    ROOM = 128,   /* capacity of the buffer: more than boxes of side 0.5 meet. Beyond 2^23 boxes of side 1 can meet 168 */
    WAITING = 160 /* boxes on the stack: halving the longest axis makes every extent 0 after 3 x 50 cuts */
};

vp_status vp_cast_space_check(const vp_cast_space *space, vp_error *error)
{
    if (space->reader == NULL)
        return vp_block_view_check(space->view, error);
    return vp_terrain_check_surface(space->reader->terrain, space->surface, error);
}

const vp_kernels *vp_cast_space_kernels(const vp_cast_space *space)
{
    return &space->reader->terrain->kernels;
}

vp_aabb vp_cast_space_bounds(const vp_cast_space *space)
{
    if (space->reader != NULL) {
        const vp_dims size = vp_world_size(vp_terrain_reader_world(space->reader));
        return (vp_aabb){{-0.5f, -0.5f, -0.5f}, {(float)size.x + 0.5f, (float)size.y + 0.5f, (float)size.z + 0.5f}};
    }
    const float max = VP_COLLIDE_BLOCK_REACH - 2.0f;
    const vp_vec3 far = {max, max, max};
    int32_t low[3], high[3];
    vp_block_view_bounds(space->view, low, high);
    return (vp_aabb){vp_vec3_max((vp_vec3){(float)low[0], (float)low[1], (float)low[2]}, vp_vec3_scale(far, -1.0f)),
                     vp_vec3_min((vp_vec3){(float)high[0], (float)high[1], (float)high[2]}, far)};
}

vp_status vp_cast_space_inside(const vp_cast_space *space, vp_vec3 point, bool *out, vp_error *error)
{
    if (space->reader != NULL)
        return vp_terrain_reader_inside(space->reader, space->surface, point, out, error);
    const vp_aabb all = vp_cast_space_bounds(space);
    *out = false;
    if (vp_aabb_contains(&all, point)) {
        const int32_t at[3] = {(int32_t)floorf(point.x), (int32_t)floorf(point.y), (int32_t)floorf(point.z)};
        const vp_block_view *view = space->view;
        *out = (vp_block_flags_of(view->type, view->type_count, vp_block_of_view(view, at)) & VP_BLOCK_COLLIDES) != 0;
    }
    return VP_OK;
}

/* ---- gathering ---- */

/* Gathers triangles of a terrain, without normals and materials. */
static vp_status gather_terrain(const vp_cast_space *space, const vp_aabb *box, vp_collide_triangle out[ROOM], uint32_t *count,
                                vp_error *error)
{
    vp_terrain_triangle_id id[ROOM];
    return vp_terrain_gather_corners(space->reader, space->surface, box, id, out, ROOM, count, error);
}

vp_status vp_cast_space_describe(const vp_cast_space *space, vp_collide_triangle *triangle, vp_error *error)
{
    vp_terrain_triangle is;
    if (space->reader == NULL)
        return VP_OK;
    VP_RETURN_IF_FAILED(vp_terrain_reader_triangle(space->reader, space->surface, triangle->id, &is, error));
    triangle->normal = is.normal;
    triangle->material = is.material;
    return VP_OK;
}

static float coordinate(vp_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void set_coordinate(vp_vec3 *v, int axis, float to)
{
    *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = to;
}

/* Cuts a box across its longest axis, the half nearer to `from` first. @return false if it is too small to cut in binary32 */
static bool cut_box(const vp_aabb *box, vp_vec3 from, vp_aabb *near, vp_aabb *far)
{
    const vp_vec3 size = vp_vec3_sub(box->max, box->min);
    const int xy = size.y > size.x ? 1 : 0, axis = size.z > coordinate(size, xy) ? 2 : xy;
    const float low = coordinate(box->min, axis), high = coordinate(box->max, axis), middle = low + (high - low) * 0.5f;
    if (!(low < middle && middle < high))
        return false;
    vp_aabb lower = *box, upper = *box;
    set_coordinate(&lower.max, axis, middle);
    set_coordinate(&upper.min, axis, middle);
    const bool is_low = coordinate(from, axis) < middle;
    *near = is_low ? lower : upper;
    *far = is_low ? upper : lower;
    return true;
}

vp_status vp_cast_space_visit(const vp_cast_space *space, const vp_aabb *box, const vp_cast_visitor *visitor, vp_error *error)
{
    vp_collide_triangle found[ROOM];
    vp_aabb waiting[WAITING] = {*box};
    uint32_t waits = 1;
    while (waits > 0) {
        const vp_aabb next = waiting[--waits];
        uint32_t count = 0;
        if (!visitor->is_wanted(visitor->user, &next))
            continue;
        const vp_vec3 size = vp_vec3_sub(next.max, next.min);
        bool fits = vp_max(vp_max(size.x, size.y), size.z) <= LARGEST;
        if (fits) {
            VP_RETURN_IF_FAILED(space->reader != NULL ? gather_terrain(space, &next, found, &count, error)
                                                      : vp_collide_blocks(space->view, &next, found, ROOM, &count, error));
            fits = count <= ROOM;
            if (fits && !visitor->visit(visitor->user, found, count))
                return VP_OK;
        }
        if (fits)
            continue;
        if (waits + 2 > WAITING || !cut_box(&next, visitor->from, &waiting[waits + 1], &waiting[waits]))
            return vp_fail(error, VP_E_LIMIT, "%u triangles meet one point; a cast has room for %d", count, (int)ROOM);
        waits += 2;
    }
    return VP_OK;
}
