/* SPDX-License-Identifier: MIT */
#include "bench/trees/tree_meshes.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"

const vp_tree_peer *const vp_tree_peers[] = {
#ifdef VP_BENCH_EMBREE
    &vp_peer_embree_low, &vp_peer_embree_medium, &vp_peer_embree_high, &vp_peer_embree_low_quads,
    &vp_peer_embree_medium_quads, &vp_peer_embree_medium_quads_compact,
    &vp_peer_embree_low_quads_dynamic, &vp_peer_embree_medium_quads_dynamic,
#endif
#ifdef VP_BENCH_BULLET
    &vp_peer_bullet, &vp_peer_bullet_quantized,
#endif
    NULL};

vp_status vp_tree_meshes_create(const vp_mesh_set *set, const char *name, vp_tree_meshes *out, vp_error *error)
{
    vp_tree_mesh *mesh = malloc((set->count + 1u) * sizeof *mesh);
    float *vertex = malloc((set->vertex_count + 2) * 3 * sizeof *vertex);
    uint32_t *index = malloc((set->triangle_count + 1) * 3 * sizeof *index);
    if (mesh == NULL || vertex == NULL || index == NULL) {
        free(mesh);
        free(vertex);
        free(index);
        return vp_fail(error, VP_E_MEMORY, "no memory for the triangles of %s", name);
    }
    *out = (vp_tree_meshes){set->count, mesh, vertex, index};
    for (uint32_t m = 0; m < set->count; m++) {
        const vp_triangles *from = &set->mesh[m];
        mesh[m] = (vp_tree_mesh){vertex, index, from->vertex_count, from->triangle_count, from->quads, set->box[m]};
        for (uint32_t i = 0; i < from->vertex_count; i++, vertex += 3)
            vertex[0] = from->vertex[i].x, vertex[1] = from->vertex[i].y, vertex[2] = from->vertex[i].z;
        for (uint32_t i = 0; i < from->triangle_count; i++, index += 3)
            vp_triangle_corners(from, i, index);
    }
    memset(vertex, 0, 6 * sizeof *vertex);
    return VP_OK;
}

void vp_tree_meshes_destroy(vp_tree_meshes *meshes)
{
    free(meshes->mesh);
    free(meshes->vertex);
    free(meshes->index);
    *meshes = (vp_tree_meshes){0};
}
