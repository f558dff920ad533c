/* SPDX-License-Identifier: MIT */
/* The shape of a region as a body: its surface in a world of its own, and the convex hull or hulls of that. */
#include <voxphys/regions.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/narrowphase/regions_internal.h"

/* Copies the region into a world with one voxel of air around it. */
static vp_status isolate_region(const vp_region *region, vp_ivec3 origin, const vp_allocator *allocator, vp_world **out, vp_error *error)
{
    const int64_t side[3] = {(int64_t)region->high.x - region->low.x, (int64_t)region->high.y - region->low.y,
                             (int64_t)region->high.z - region->low.z};
    if (side[0] > VP_WORLD_MAX_XZ - 2 || side[1] > VP_WORLD_MAX_Y - 2 || side[2] > VP_WORLD_MAX_XZ - 2)
        return vp_fail(error, VP_E_LIMIT, "a region of %lld x %lld x %lld voxels: must be at most %d x %d x %d", (long long)side[0],
                       (long long)side[1], (long long)side[2], VP_WORLD_MAX_XZ - 2, VP_WORLD_MAX_Y - 2, VP_WORLD_MAX_XZ - 2);
    const vp_world_def def = {.size = {(uint32_t)(side[0] + 9) / 8 * 8, (uint32_t)(side[1] + 9) / 8 * 8, (uint32_t)(side[2] + 9) / 8 * 8},
                              .allocator = allocator};
    VP_RETURN_IF_FAILED(vp_world_create(&def, out, error));
    for (uint32_t i = 0; i < region->count; i++) {
        const vp_ivec3 v = region->at[i];
        VP_RETURN_IF_FAILED(
            vp_world_set_voxel(*out, (vp_ivec3){v.x - origin.x, v.y - origin.y, v.z - origin.z}, region->voxel[i], NULL, error));
    }
    return VP_OK;
}

static vp_status decompose_region(const vp_region_shape_def *def, const vp_kernels *kernels, const vp_allocator *a, vp_region_shape *shape,
                                  vp_error *error)
{
    const vp_mesh *mesh = &shape->mesh;
    const size_t triangles = 2 * (size_t)mesh->quad_count;
    if (triangles > VP_DECOMPOSE_MAX_TRIANGLES)
        return vp_fail(error, VP_E_LIMIT, "the surface of a region has %zu triangles; must be at most %u", triangles,
                       VP_DECOMPOSE_MAX_TRIANGLES);
    uint32_t(*triangle)[3] = vp_allocate(a, triangles, sizeof *triangle);
    if (triangle == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the %zu triangles of a region", triangles);
    for (size_t i = 0; i < triangles; i++)
        vp_mesh_triangle(mesh, i, triangle[i]);
    vp_decomposition_def how = def->decompose;
    how.point = mesh->vertex;
    how.point_count = mesh->vertex_count;
    how.triangle = (const uint32_t(*)[3])triangle;
    how.triangle_count = (uint32_t)triangles;
    how.kernels = kernels;
    how.executor = def->executor;
    how.allocator = a;
    const vp_status status = vp_decomposition_create(&how, &shape->parts, error);
    vp_release(a, triangle, triangles, sizeof *triangle);
    return status;
}

vp_status vp_region_shape_create(const vp_region_shape_def *def, const vp_region *region, vp_region_shape *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, region, out);
    const vp_allocator a = vp_allocator_or_default(def->allocator);
    vp_kernels kernels;
    vp_region_shape shape = {.origin = {region->low.x - 1, region->low.y - 1, region->low.z - 1}};
    vp_world *world = NULL;
    vp_status status = VP_OK;
    if (def->kernels != NULL)
        kernels = *def->kernels;
    else
        status = vp_kernels_default(&kernels, error);
    if (status == VP_OK)
        status = isolate_region(region, shape.origin, &a, &world, error);
    if (status == VP_OK)
        status = vp_mesh_create(
            &(vp_mesh_def){.world = world, .surface = VP_SURFACE_SOLID, .kernels = &kernels, .executor = def->executor, .allocator = &a},
            &shape.mesh, error);
    vp_world_destroy(world);
    if (status == VP_OK && shape.mesh.quad_count != 0 && def->parts) {
        status = decompose_region(def, &kernels, &a, &shape, error);
    } else if (status == VP_OK && shape.mesh.quad_count != 0) {
        vp_hull_def how = def->hull;
        how.point = shape.mesh.vertex;
        how.count = shape.mesh.vertex_count;
        how.kernels = &kernels;
        how.allocator = &a;
        status = vp_hull_create(&how, &shape.hull, error);
    }
    if (status == VP_OK)
        *out = shape;
    else
        vp_region_shape_destroy(&shape);
    return status;
}

void vp_region_shape_destroy(vp_region_shape *shape)
{
    if (shape == NULL)
        return;
    vp_mesh_destroy(&shape->mesh);
    vp_hull_destroy(&shape->hull);
    vp_decomposition_destroy(&shape->parts);
    *shape = (vp_region_shape){0};
}
