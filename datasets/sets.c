/* SPDX-License-Identifier: MIT */
/* Memory of sets, for the makers of named sets (kinds/) and of random sets (fuzz.c). */
#include "datasets/mesh_sets.h"
#include "datasets/point_sets.h"

#include <stdlib.h>

#include "src/core/error.h"
#include "src/core/memory.h"

void vp_count_materials(const vp_world *world, uint64_t count[256])
{
    const vp_bricks bricks = vp_world_bricks(world);
    const size_t voxels = (size_t)bricks.chunks.x * bricks.chunks.y * bricks.chunks.z * VP_CHUNK_VOXELS;
    memset(count, 0, 256 * sizeof *count);
    for (size_t i = 0; i < voxels; i++)
        count[bricks.material[i]]++;
}

vp_status vp_box_set_create(uint32_t count, vp_box_set *out, vp_error *error)
{
    vp_allocator allocator = vp_allocator_default();
    vp_box_set set = {.count = count};
    size_t room = count == 0 ? 1 : count;
    set.box = vp_allocate_zero(&allocator, room, sizeof *set.box);
    bool done = set.box != NULL;
    for (int c = 0; c < 6; c++) {
        set.component[c] = vp_allocate_zero(&allocator, room, sizeof(float));
        done = done && set.component[c] != NULL;
    }
    if (!done) {
        vp_box_set_destroy(&set);
        return vp_fail(error, VP_E_MEMORY, "no memory for %u boxes", count);
    }
    *out = set;
    return vp_succeed(error);
}

void vp_box_set_split(vp_box_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_aabb *b = &set->box[i];
        const float v[6] = {b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z};
        for (int c = 0; c < 6; c++)
            set->component[c][i] = v[c];
    }
}

vp_boxes vp_box_set_boxes(const vp_box_set *set)
{
    return (vp_boxes){set->component[0], set->component[1], set->component[2], set->component[3],
                      set->component[4], set->component[5], set->count};
}

void vp_box_set_destroy(vp_box_set *set)
{
    vp_allocator allocator = vp_allocator_default();
    size_t room = set->count == 0 ? 1 : set->count;
    vp_release(&allocator, set->box, room, sizeof *set->box);
    for (int c = 0; c < 6; c++)
        vp_release(&allocator, set->component[c], room, sizeof(float));
    *set = (vp_box_set){0};
}

void vp_edit_set_destroy(vp_edit_set *set)
{
    free(set->edit);
    *set = (vp_edit_set){0};
}

void vp_mesh_set_destroy(vp_mesh_set *set)
{
    free(set->mesh);
    free(set->material);
    free(set->box);
    free(set->vertex);
    free(set->index);
    free(set->material_of);
    *set = (vp_mesh_set){0};
}

void vp_ray_set_destroy(vp_ray_set *set)
{
    free(set->ray);
    free(set->mesh);
    *set = (vp_ray_set){0};
}

void vp_mesh_box_set_destroy(vp_mesh_box_set *set)
{
    free(set->box);
    free(set->mesh);
    *set = (vp_mesh_box_set){0};
}

void vp_point_sets_destroy(vp_point_sets *sets)
{
    free(sets->first);
    free(sets->point);
    *sets = (vp_point_sets){0};
}
