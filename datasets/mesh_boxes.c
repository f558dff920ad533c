/* SPDX-License-Identifier: MIT */
/* Boxes to ask triangle trees with: cubes around random points near the surface. Middles and edges are whole multiples of
   1/512, so the corners are exact in binary32. */
#include "datasets/mesh_pick.h"

#include "src/core/error.h"

#include <stdlib.h>

vp_status vp_dataset_mesh_boxes(const vp_manifest *manifest, const char *name, const vp_mesh_set *meshes,
                                vp_mesh_box_set *out, vp_error *error)
{
    const vp_entry *entry;
    vp_status status = vp_manifest_entry_on(manifest, name, VP_DATASET_MESH_BOXES, &entry, error);
    if (status != VP_OK)
        return status;
    const vp_mesh_boxes_params *p = &entry->params.mesh_boxes;
    vp_mesh_box_set set = {.count = entry->dataset.count};
    set.box = malloc(set.count * sizeof *set.box);
    set.mesh = malloc(set.count * sizeof *set.mesh);
    if (set.box == NULL || set.mesh == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u boxes", name, set.count);
    } else {
        const vp_vec3 half = {p->edge * 0.5f, p->edge * 0.5f, p->edge * 0.5f};
        vp_random random = {entry->dataset.seed};
        for (uint32_t i = 0; i < set.count; i++) {
            set.mesh[i] = vp_random_below(&random, meshes->count);
            const vp_vec3 middle = vp_pick_near(&random, &meshes->mesh[set.mesh[i]], p->near);
            set.box[i] = (vp_aabb){vp_pick_difference(middle, half), vp_pick_sum(middle, half)};
        }
        status = vp_manifest_check(manifest, name, vp_mesh_box_set_hash(&set), error);
    }
    if (status == VP_OK)
        *out = set;
    else
        vp_mesh_box_set_destroy(&set);
    return status;
}

void vp_mesh_box_set_destroy(vp_mesh_box_set *set)
{
    free(set->box);
    free(set->mesh);
    *set = (vp_mesh_box_set){0};
}
