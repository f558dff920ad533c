/* SPDX-License-Identifier: MIT */
/* Kernels that answer nonsense. They are run before those that are timed, so that right answers of an earlier run are not
 * taken for theirs: a timed run that wrote none would be seen. */
#include "bench/spoil.h"

#include <string.h>

enum { NONSENSE = 0xa5 };

static uint32_t spoil_dilate_chunk_rows(const uint8_t *material, vp_chunk_masks *out)
{
    (void)material;
    memset(out, NONSENSE, sizeof *out);
    return NONSENSE;
}

static uint32_t spoil_dilate_chunk(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    (void)cx, (void)cy, (void)cz;
    return spoil_dilate_chunk_rows(world->material, out);
}

static uint32_t spoil_dilate_world(const vp_dilate_job *build)
{
    vp_dims n = build->chunks;
    for (uint32_t cy = build->y_begin; cy < build->y_end; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            memset(build->slot + (size_t)cy * (size_t)build->slot_stride_y + (size_t)cz * (size_t)build->slot_stride_z,
                   NONSENSE, n.x * sizeof *build->slot);
    memset(build->pool, NONSENSE, (size_t)(build->y_end - build->y_begin) * n.z * n.x * sizeof *build->pool);
    return 0;
}

static uint32_t spoil_overlap_box(const vp_broadphase_view *bits, const vp_aabb *box)
{
    (void)bits, (void)box;
    return NONSENSE;
}

static void spoil_overlap_boxes(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    (void)bits;
    memset(touch, NONSENSE, boxes->count);
}

static uint32_t spoil_overlap_chunks(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    (void)bits, (void)box;
    memset(out, NONSENSE, capacity * sizeof *out);
    return 1;
}

/* Over what the run before left, whose sizes are still there. */
static void spoil_mesh_chunk(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface,
                             vp_chunk_mesh *out)
{
    (void)world, (void)cx, (void)cy, (void)cz, (void)surface;
    if (out->vertex_count <= VP_CHUNK_MESH_VERTICES && out->quad_count <= VP_CHUNK_MESH_QUADS) {
        memset(out->vertex, NONSENSE, out->vertex_count * sizeof *out->vertex);
        memset(out->quad, NONSENSE, out->quad_count * sizeof *out->quad);
        memset(out->material, NONSENSE, out->quad_count);
    }
    out->vertex_count = out->quad_count = UINT32_MAX;
}

static void spoil_edge_flags(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface,
                             const vp_chunk_mesh *mesh, uint8_t *flags)
{
    (void)world, (void)cx, (void)cy, (void)cz, (void)surface;
    memset(flags, NONSENSE, (size_t)mesh->quad_count * 2);
}

static vp_hit spoil_brute_ray(const vp_triangle_soa *soup, const vp_ray *ray)
{
    (void)soup, (void)ray;
    return (vp_hit){.t = -1.0f, .triangle = -NONSENSE};
}

static vp_kd_build_result spoil_kd_build(const vp_kd_build_job *build)
{
    uint32_t items = vp_kd_item_count(&build->triangles);
    if (build->form == VP_KD_WIDE) {
        memset(build->item, NONSENSE, items * sizeof *build->item);
        memset(build->item_id, NONSENSE, items * sizeof *build->item_id);
        memset(build->wide, NONSENSE, vp_kd_most_nodes(build->form, items) * sizeof *build->wide);
    } else {
        memset(build->node, NONSENSE, vp_kd_most_nodes(build->form, items) * sizeof *build->node);
    }
    return (vp_kd_build_result){.node_count = UINT32_MAX};
}

static vp_hit spoil_kd_ray(const vp_kd_view *tree, const vp_ray *ray)
{
    (void)tree, (void)ray;
    return (vp_hit){.t = -1.0f, .triangle = -NONSENSE};
}

static void spoil_kd_ray16(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    (void)tree, (void)ray;
    memset(hit, NONSENSE, count * sizeof *hit);
}

static int32_t spoil_kd_ray_any(const vp_kd_view *tree, const vp_ray *ray)
{
    (void)tree, (void)ray;
    return NONSENSE;
}

static uint32_t spoil_kd_ray_all(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    (void)tree, (void)ray;
    memset(out, NONSENSE, capacity * sizeof *out);
    return capacity;
}

static vp_hit spoil_kd_sphere_sweep(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    (void)radius;
    return spoil_kd_ray(tree, ray);
}

static uint32_t spoil_kd_gather(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    (void)tree, (void)box;
    memset(out, NONSENSE, capacity * sizeof *out);
    return 1;
}

static vp_terrain_hit spoil_terrain_ray(const vp_terrain_view *terrain, const vp_ray *ray)
{
    (void)terrain, (void)ray;
    return (vp_terrain_hit){{.t = -1.0f, .triangle = -NONSENSE}, NONSENSE};
}

static void spoil_terrain_ray16(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit)
{
    (void)terrain, (void)ray;
    memset(hit, NONSENSE, count * sizeof *hit);
}

static int32_t spoil_terrain_ray_any(const vp_terrain_view *terrain, const vp_ray *ray)
{
    (void)terrain, (void)ray;
    return NONSENSE;
}

static uint32_t spoil_terrain_ray_all(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity)
{
    (void)terrain, (void)ray;
    memset(out, NONSENSE, capacity * sizeof *out);
    return capacity;
}

static vp_terrain_hit spoil_terrain_sphere_sweep(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    (void)radius;
    return spoil_terrain_ray(terrain, ray);
}

static uint32_t spoil_terrain_gather(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity)
{
    (void)terrain, (void)box;
    memset(out, NONSENSE, capacity * sizeof *out);
    return 1;
}

static void spoil_hull_bounds(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out)
{
    (void)point, (void)count;
    memset(out, NONSENSE, sizeof *out);
}

/* A point of all. */
static uint32_t spoil_hull_filter(const vp_hull_filtering *filtering)
{
    filtering->kept[0] = filtering->point[0];
    filtering->from[0] = 0;
    return 1;
}

/* A point. */
static vp_hull3_result spoil_hull3(const vp_hull3_job *build)
{
    (void)build;
    return (vp_hull3_result){.dimension = 0};
}

static vp_hull2_result spoil_hull2(const vp_hull2_job *build)
{
    memset(build->corner, NONSENSE, build->count * sizeof *build->corner);
    return (vp_hull2_result){.corners = 1};
}

#define spoil_kd_ray8           spoil_kd_ray16
#define spoil_kd_gather_leaves     spoil_kd_gather
#define spoil_dilate_world_rows spoil_dilate_world /* which reads nothing */
#define SPOIL(k, ...)                .k = spoil_##k,
const vp_kernels vp_spoiling = {VP_KERNELS(SPOIL)};
