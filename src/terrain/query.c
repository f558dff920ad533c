/* SPDX-License-Identifier: MIT */
/* Queries of a terrain. Each calls one kernel, inside the gate, with the cache as its source of trees. A reader is
 * inside the gate already. A query of the terrain itself enters it for the time of the call. docs/ARCHITECTURE.md shows
 * the way of a ray. */
#include "src/terrain/terrain_internal.h"

#include "src/core/error.h"
#include "src/kd/answers.h"
#include "src/surface/inside.h"
#include "src/world/world_internal.h"

#include <math.h>

typedef vp_terrain_query query;

/* How a query gets into the gate. */
typedef enum access { INSIDE /* with a reader */, ENTERS } access;

/* Starts a query. @return VP_E_ARGUMENT, outside the gate, for a surface that the terrain was not made for */
static vp_status begin_query(vp_terrain *t, access how, vp_surface surface, query *q, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_terrain_check_surface(t, surface, error));
    if (how == ENTERS)
        vp_gate_enter_read(&t->gate);
    vp_terrain_begin_part(t, surface, q);
    q->entered = how == ENTERS ? t : NULL;
    return VP_OK;
}

/* Only a query that built a tree may update the top level, so that others never try the write lock. */
static vp_status end_query(query *q, vp_error *error)
{
    vp_cache_leave(&q->user);
    if (q->entered != NULL) {
        vp_gate_leave_read(&q->entered->gate);
        if (q->user.misses != 0)
            vp_terrain_refresh_top_level(q->entered);
    }
    return q->user.failed ? vp_terrain_no_memory(q->user.failed_chunk, error) : vp_succeed(error);
}

/* Ends a query with a ray. @param valid  false if the kernel refused the ray */
static vp_status end_ray(query *q, const vp_ray *ray, bool valid, vp_error *error)
{
    VP_RETURN_IF_FAILED(end_query(q, error));
    return !valid ? vp_refuse_ray("the ray", ray, error) : VP_OK;
}

/* ---- triangles ---- */

/* Fills in corners, normal and material of a chunk's triangle. `count` receives the chunk's number of triangles.
 * @return false if there is no such triangle, or no memory (`user.failed`) */
static bool describe_triangle(const vp_terrain *t, query *q, uint32_t chunk, int64_t triangle, uint32_t *count, vp_terrain_triangle *out)
{
    const vp_kd_view *tree = vp_terrain_find_tree(q, chunk);
    *count = tree != NULL ? tree->triangles.triangle_count : 0;
    if (triangle < 0 || triangle >= *count)
        return false;
    vp_kd_read_corners(tree, (uint32_t)triangle, out->corner);
    out->normal = vp_triangle_normal(out->corner);
    out->material = vp_terrain_material(t, q->view.surface, (uint32_t)triangle, out->corner);
    return true;
}

/* Like describe_triangle, for a kernel's hit. On a miss `out` is zero. @return false without memory */
static bool describe_hit(const vp_terrain *t, query *q, const vp_terrain_hit *hit, vp_terrain_triangle *out)
{
    uint32_t count;
    *out = (vp_terrain_triangle){.material = 0};
    return hit->in_chunk.triangle < 0 || describe_triangle(t, q, hit->chunk, hit->in_chunk.triangle, &count, out);
}

vp_status vp_terrain_reader_triangle(const vp_terrain_reader *reader, vp_surface surface, vp_terrain_triangle_id triangle,
                                     vp_terrain_triangle *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader, out);
    const vp_terrain *t = reader->terrain;
    query q;
    uint32_t count = 0;
    vp_terrain_triangle is;
    VP_RETURN_IF_FAILED(begin_query(reader->terrain, INSIDE, surface, &q, error));
    vp_ivec3 in;
    const bool is_chunk = vp_terrain_has_chunk(t, triangle.chunk, &in);
    const bool found = is_chunk && describe_triangle(t, &q, triangle.chunk, triangle.triangle, &count, &is);
    VP_RETURN_IF_FAILED(end_query(&q, error));
    if (!is_chunk)
        return vp_fail(error, VP_E_ARGUMENT, "chunk %u is not in this terrain", triangle.chunk);
    if (!found)
        return vp_fail(error, VP_E_ARGUMENT, "triangle %u of chunk %u, which has %u", triangle.triangle, triangle.chunk, count);
    *out = is;
    return VP_OK;
}

/* ---- rays ---- */

static vp_status cast_ray(vp_terrain *t, access how, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, ray, out);
    query q;
    VP_RETURN_IF_FAILED(begin_query(t, how, surface, &q, error));
    const vp_terrain_hit hit = t->kernels.terrain_ray(&q.view, ray);
    VP_RETURN_IF_FAILED(end_ray(&q, ray, hit.in_chunk.triangle != VP_RAY_INVALID, error));
    *out = hit;
    return VP_OK;
}

static vp_status cast_ray_to_point(vp_terrain *t, access how, vp_surface surface, const vp_ray *ray, vp_terrain_point *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, ray, out);
    query q;
    vp_terrain_point p = {.point = {0, 0, 0}};
    VP_RETURN_IF_FAILED(begin_query(t, how, surface, &q, error));
    p.hit = t->kernels.terrain_ray(&q.view, ray);
    if (describe_hit(t, &q, &p.hit, &p.triangle) && p.hit.in_chunk.triangle >= 0)
        p.point = vp_ray_point(ray, p.hit.in_chunk.t);
    VP_RETURN_IF_FAILED(end_ray(&q, ray, p.hit.in_chunk.triangle != VP_RAY_INVALID, error));
    *out = p;
    return VP_OK;
}

static vp_status find_any(vp_terrain *t, access how, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, ray, out);
    query q;
    VP_RETURN_IF_FAILED(begin_query(t, how, surface, &q, error));
    const int32_t any = t->kernels.terrain_ray_any(&q.view, ray);
    VP_RETURN_IF_FAILED(end_ray(&q, ray, any != VP_RAY_INVALID, error));
    *out = any != 0;
    return VP_OK;
}

static vp_status list_all(vp_terrain *t, access how, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity,
                          uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, ray, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    query q;
    VP_RETURN_IF_FAILED(begin_query(t, how, surface, &q, error));
    const uint32_t found = t->kernels.terrain_ray_all(&q.view, ray, out, capacity);
    VP_RETURN_IF_FAILED(end_ray(&q, ray, found != VP_RAY_ALL_INVALID, error));
    *count = found;
    return VP_OK;
}

static vp_status sweep_sphere(vp_terrain *t, access how, vp_surface surface, const vp_ray *ray, float radius, vp_terrain_contact *out,
                              vp_error *error)
{
    VP_RETURN_IF_NULL(error, ray, out);
    query q;
    vp_terrain_contact c = {.at = {.started_inside = false}};
    if (!(radius >= 0.0f && radius <= VP_KD_MAX))
        return vp_refuse_radius(radius, error);
    VP_RETURN_IF_FAILED(begin_query(t, how, surface, &q, error));
    c.hit = t->kernels.terrain_sphere_sweep(&q.view, ray, radius);
    if (describe_hit(t, &q, &c.hit, &c.triangle) && c.hit.in_chunk.triangle >= 0)
        c.at = vp_contact_with_triangle(c.triangle.corner, ray, radius, c.hit.in_chunk.t);
    VP_RETURN_IF_FAILED(end_ray(&q, ray, c.hit.in_chunk.triangle != VP_RAY_INVALID, error));
    *out = c;
    return VP_OK;
}

/* ---- points ---- */

vp_status vp_terrain_reader_inside(const vp_terrain_reader *reader, vp_surface surface, vp_vec3 point, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader, out);
    const float at[3] = {point.x, point.y, point.z};
    VP_RETURN_IF_FAILED(vp_terrain_check_surface(reader->terrain, surface, error));
    for (int a = 0; a < 3; a++)
        if (!isfinite(at[a]))
            return vp_fail(error, VP_E_ARGUMENT, "point.%c is %g; must be finite", "xyz"[a], (double)at[a]);
    const vp_voxels voxels = vp_world_voxels(reader->terrain->world);
    *out = vp_surface_side(&voxels, surface, at) < 0;
    return vp_succeed(error);
}

/* ---- boxes ---- */

/* @param triangle  NULL: corners, normals and materials are not wanted */
static vp_status gather_triangles(vp_terrain *t, access how, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                  vp_terrain_triangle *triangle, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, box, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    query q;
    if (!vp_aabb_valid(box))
        return vp_refuse_box(box, error);
    VP_RETURN_IF_FAILED(begin_query(t, how, surface, &q, error));
    const uint32_t found = t->kernels.terrain_gather(&q.view, box, out, capacity);
    for (uint32_t i = 0, all; triangle != NULL && i < found && i < capacity && !q.user.failed; i++)
        describe_triangle(t, &q, out[i].chunk, out[i].triangle, &all, &triangle[i]);
    VP_RETURN_IF_FAILED(end_query(&q, error));
    *count = found;
    return VP_OK;
}

vp_status vp_terrain_gather_corners(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *id,
                                    vp_collide_triangle *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    query q;
    if (!vp_aabb_valid(box))
        return vp_refuse_box(box, error);
    VP_RETURN_IF_FAILED(begin_query(reader->terrain, INSIDE, surface, &q, error));
    *count = reader->terrain->kernels.terrain_gather(&q.view, box, id, capacity);
    for (uint32_t i = 0; i < *count && i < capacity && !q.user.failed; i++) {
        const vp_kd_view *tree = vp_terrain_find_tree(&q, id[i].chunk);
        out[i] = (vp_collide_triangle){.id = id[i]};
        if (tree != NULL)
            vp_kd_read_corners(tree, id[i].triangle, out[i].corner);
    }
    return end_query(&q, error);
}

/* ---- the same, public ---- */

vp_status vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    return cast_ray(terrain, ENTERS, surface, ray, out, error);
}

vp_status vp_terrain_reader_raycast(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                    vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    return cast_ray(reader->terrain, INSIDE, surface, ray, out, error);
}

vp_status vp_terrain_raycast_point(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_point *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    return cast_ray_to_point(terrain, ENTERS, surface, ray, out, error);
}

vp_status vp_terrain_reader_raycast_point(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_point *out,
                                          vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    return cast_ray_to_point(reader->terrain, INSIDE, surface, ray, out, error);
}

vp_status vp_terrain_raycast_any(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    return find_any(terrain, ENTERS, surface, ray, out, error);
}

vp_status vp_terrain_reader_raycast_any(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    return find_any(reader->terrain, INSIDE, surface, ray, out, error);
}

vp_status vp_terrain_raycast_all(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity,
                                 uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    return list_all(terrain, ENTERS, surface, ray, out, capacity, count, error);
}

vp_status vp_terrain_reader_raycast_all(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                        uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    return list_all(reader->terrain, INSIDE, surface, ray, out, capacity, count, error);
}

vp_status vp_terrain_sphere_sweep(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, float radius, vp_terrain_contact *out,
                                  vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    return sweep_sphere(terrain, ENTERS, surface, ray, radius, out, error);
}

vp_status vp_terrain_reader_sphere_sweep(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, float radius,
                                         vp_terrain_contact *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    return sweep_sphere(reader->terrain, INSIDE, surface, ray, radius, out, error);
}

vp_status vp_terrain_gather(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity,
                            uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    return gather_triangles(terrain, ENTERS, surface, box, out, NULL, capacity, count, error);
}

vp_status vp_terrain_reader_gather(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    return gather_triangles(reader->terrain, INSIDE, surface, box, out, NULL, capacity, count, error);
}

vp_status vp_terrain_gather_triangles(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                      vp_terrain_triangle *triangle, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, capacity);
    return gather_triangles(terrain, ENTERS, surface, box, out, triangle, capacity, count, error);
}

vp_status vp_terrain_reader_gather_triangles(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box,
                                             vp_terrain_triangle_id *out, vp_terrain_triangle *triangle, uint32_t capacity, uint32_t *count,
                                             vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, capacity);
    return gather_triangles(reader->terrain, INSIDE, surface, box, out, triangle, capacity, count, error);
}

/* ---- queries without trees ---- */

static vp_status leave_gate(vp_terrain *terrain, vp_status status)
{
    vp_gate_leave_read(&terrain->gate);
    return status;
}

vp_status vp_terrain_inside(vp_terrain *terrain, vp_surface surface, vp_vec3 point, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    vp_gate_enter_read(&terrain->gate);
    return leave_gate(terrain, vp_terrain_reader_inside(&(vp_terrain_reader){.terrain = terrain}, surface, point, out, error));
}

vp_status vp_terrain_overlap(vp_terrain *terrain, const vp_aabb *box, uint32_t *touch, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain, box, touch);
    vp_gate_enter_read(&terrain->gate);
    return leave_gate(terrain, vp_broadphase_overlap(terrain->broadphase, box, touch, error));
}

vp_status vp_terrain_overlap_many(vp_terrain *terrain, const vp_boxes *boxes, uint8_t *touch, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain, boxes);
    vp_gate_enter_read(&terrain->gate);
    return leave_gate(terrain, vp_broadphase_overlap_batch(terrain->broadphase, boxes, touch, error));
}
