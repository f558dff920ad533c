/* SPDX-License-Identifier: MIT */
/* What is asked of a terrain: each question is a kernel's, asked inside the gate, with the cache behind it. */
#include "reference/terrain_inside.h"

#include "core/error.h"
#include "reference/kd_answers.h"
#include "reference/world_data.h"

#include <math.h>

typedef vp_terrain_query query;

void vp_terrain_begin_part(vp_terrain *t, vp_surface surface, vp_terrain_query *q)
{
    const uint32_t which = (uint32_t)t->which[surface];
    q->view = t->view[which];
    q->view.user = &q->user;
    vp_cache_enter(&t->cache, which, &q->user);
}

/* The surface is one of the terrain's. */
static void begin(vp_terrain *t, vp_surface surface, query *q)
{
    vp_gate_enter_read(&t->gate);
    vp_terrain_begin_part(t, surface, q);
}

vp_status vp_terrain_no_memory(uint32_t chunk, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to make the mesh and the tree of chunk %u", chunk);
}

static vp_status end(vp_terrain *t, query *q, vp_error *error)
{
    vp_cache_leave(&q->user);
    vp_gate_leave_read(&t->gate);
    vp_terrain_learn_news(t);
    return q->user.failed ? vp_terrain_no_memory(q->user.failed_chunk, error) : vp_succeed(error);
}

/* ---- rays ---- */

vp_status vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_world_hit *out, vp_error *error)
{
    query q;
    vp_status status = vp_terrain_check_surface(terrain, surface, error);
    if (status != VP_OK)
        return status;
    begin(terrain, surface, &q);
    const vp_world_hit hit = terrain->kernels.world_ray(&q.view, ray);
    status = end(terrain, &q, error);
    if (status == VP_OK && hit.hit.triangle == VP_RAY_INVALID)
        status = vp_refuse_ray("the ray", ray, error);
    if (status == VP_OK)
        *out = hit;
    return status;
}

vp_status vp_terrain_raycast_any(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error)
{
    query q;
    vp_status status = vp_terrain_check_surface(terrain, surface, error);
    if (status != VP_OK)
        return status;
    begin(terrain, surface, &q);
    const int32_t any = terrain->kernels.world_ray_any(&q.view, ray);
    status = end(terrain, &q, error);
    if (status == VP_OK && any == VP_RAY_INVALID)
        status = vp_refuse_ray("the ray", ray, error);
    if (status == VP_OK)
        *out = any != 0;
    return status;
}

vp_status vp_terrain_raycast_all(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_world_hit *out, uint32_t capacity,
                                 uint32_t *count, vp_error *error)
{
    query q;
    vp_status status = vp_terrain_check_surface(terrain, surface, error);
    if (status != VP_OK)
        return status;
    begin(terrain, surface, &q);
    const uint32_t found = terrain->kernels.world_ray_all(&q.view, ray, out, capacity);
    status = end(terrain, &q, error);
    if (status == VP_OK && found == VP_RAY_ALL_INVALID)
        status = vp_refuse_ray("the ray", ray, error);
    if (status == VP_OK)
        *count = found;
    return status;
}

vp_status vp_terrain_sphere_sweep(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, float radius, vp_world_hit *out,
                                  vp_error *error)
{
    query q;
    vp_status status = vp_terrain_check_surface(terrain, surface, error);
    if (status == VP_OK && !(radius >= 0.0f && radius <= VP_KD_MOST))
        status = vp_refuse_radius(radius, error);
    if (status != VP_OK)
        return status;
    begin(terrain, surface, &q);
    const vp_world_hit hit = terrain->kernels.world_sweep(&q.view, ray, radius);
    status = end(terrain, &q, error);
    if (status == VP_OK && hit.hit.triangle == VP_RAY_INVALID)
        status = vp_refuse_ray("the ray", ray, error);
    if (status == VP_OK)
        *out = hit;
    return status;
}

/* ---- boxes ---- */

vp_status vp_terrain_gather(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_world_triangle *out, uint32_t capacity,
                            uint32_t *count, vp_error *error)
{
    query q;
    vp_status status = vp_terrain_check_surface(terrain, surface, error);
    if (status == VP_OK && !vp_aabb_valid(box))
        status = vp_refuse_box(box, error);
    if (status != VP_OK)
        return status;
    begin(terrain, surface, &q);
    const uint32_t found = terrain->kernels.world_box(&q.view, box, out, capacity);
    status = end(terrain, &q, error);
    if (status == VP_OK)
        *count = found;
    return status;
}

/* ---- triangles ---- */

/* What is read of one triangle. */
typedef struct look {
    vp_vec3 corner[3];
    uint8_t material;
} look;

static int32_t cell_of(float vertex)
{
    return (int32_t)floorf(vertex - 0.5f); /* cells begin at the centres of voxels, and no vertex lies on a face of its own */
}

/* Whether a voxel is inside a surface: its field is above 128 (mesh_data.h). */
static bool is_inside(vp_voxel v, vp_surface surface)
{
    const bool is_of = surface == VP_SURFACE_SOLID ? v.material >= VP_FIRST_SOLID : v.material == VP_WATER;
    return is_of && v.occupancy + 1 > 128;
}

/* The material of a quad: that of the voxel inside. Its edge goes from the voxel that has its highest cell's number up along
   the axis on which all its cells are the same. */
static uint8_t material_of(const vp_world *world, vp_surface surface, const vp_vec3 diagonal[2])
{
    const vp_ivec3 low = {cell_of(diagonal[0].x), cell_of(diagonal[0].y), cell_of(diagonal[0].z)};
    const vp_ivec3 high = {cell_of(diagonal[1].x), cell_of(diagonal[1].y), cell_of(diagonal[1].z)};
    const vp_voxel lower = vp_world_voxel(world, high);
    if (is_inside(lower, surface))
        return lower.material;
    const vp_ivec3 upper = {high.x + (low.x == high.x), high.y + (low.y == high.y), high.z + (low.z == high.z)};
    return vp_world_voxel(world, upper).material;
}

static vp_status look_at(vp_terrain *t, vp_surface surface, uint32_t chunk, int64_t triangle, look *out, vp_error *error)
{
    vp_status status = vp_terrain_check_surface(t, surface, error);
    if (status != VP_OK)
        return status;
    const vp_dims n = t->world->chunks;
    const vp_ivec3 in = {(int32_t)(chunk % n.x) - t->first.x, (int32_t)(chunk / n.x / n.z) - t->first.y,
                         (int32_t)(chunk / n.x % n.z) - t->first.z};
    if (chunk >= t->cache.chunks || !vp_voxel_inside(t->chunks, in))
        return vp_fail(error, VP_E_ARGUMENT, "chunk %u is none of this terrain's", chunk);
    query q;
    begin(t, surface, &q);
    const vp_kd_view *tree = vp_cache_find(&q.user, chunk);
    if (tree == NULL)
        tree = vp_cache_make(&q.user, chunk);
    const uint32_t count = tree != NULL ? tree->triangles.triangle_count : 0;
    if (triangle >= 0 && triangle < count) {
        vp_vec3 diagonal[2];
        vp_chunk_tree_corners(tree, (uint32_t)triangle, out->corner);
        vp_chunk_tree_diagonal(tree, (uint32_t)triangle, diagonal);
        out->material = material_of(t->world, surface, diagonal);
    }
    status = end(t, &q, error);
    if (status == VP_OK && !(triangle >= 0 && triangle < count))
        status = vp_fail(error, VP_E_ARGUMENT, "triangle %lld of chunk %u, which has %u", (long long)triangle, chunk, count);
    return status;
}

vp_status vp_terrain_corners(vp_terrain *terrain, vp_surface surface, vp_world_triangle triangle, vp_vec3 out[3], vp_error *error)
{
    look l;
    vp_status status = look_at(terrain, surface, triangle.chunk, triangle.triangle, &l, error);
    for (int k = 0; status == VP_OK && k < 3; k++)
        out[k] = l.corner[k];
    return status;
}

vp_status vp_terrain_surface(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, const vp_world_hit *hit,
                             vp_surface_point *out, vp_error *error)
{
    look l;
    vp_status status = look_at(terrain, surface, hit->chunk, hit->hit.triangle, &l, error);
    if (status != VP_OK)
        return status;
    *out = vp_point_on_triangle(l.corner, ray, hit->hit.t);
    out->material = l.material;
    return status;
}

/* ---- boxes against the broadphase ---- */

vp_status vp_terrain_overlap(vp_terrain *terrain, const vp_aabb *box, uint32_t *touch, vp_error *error)
{
    vp_gate_enter_read(&terrain->gate);
    const vp_status status = vp_broadphase_overlap(terrain->broadphase, box, touch, error);
    vp_gate_leave_read(&terrain->gate);
    return status;
}

vp_status vp_terrain_overlap_many(vp_terrain *terrain, const vp_boxes *boxes, uint8_t *touch, vp_error *error)
{
    vp_gate_enter_read(&terrain->gate);
    const vp_status status = vp_broadphase_overlap_batch(terrain->broadphase, boxes, touch, error);
    vp_gate_leave_read(&terrain->gate);
    return status;
}
