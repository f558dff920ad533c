/* SPDX-License-Identifier: MIT */
/* The chunks of a world that have a surface, and their meshes, by the reference: what the mesher's versions are to make again, and
 * what edge flags are asked of. Made when first asked for, and kept as long as the workload. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include <voxphys/kernels.h>

/* Arrays with room for another chunk's meshes, and for the slack behind them. */
static bool reserve(vp_surface_set *set)
{
    const size_t vertices = set->vertices + VP_SURFACE_COUNT * VP_CHUNK_MESH_VERTICES + VP_CHUNK_MESH_SLACK;
    const size_t quads = set->quads + VP_SURFACE_COUNT * VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK;
    if (set->count == set->chunks_room) {
        const uint32_t room = set->chunks_room * 2 + 64;
        vp_surface_chunk *more = realloc(set->chunk, room * sizeof *more);
        if (more == NULL)
            return false;
        set->chunk = more;
        set->chunks_room = room;
    }
    if (vertices > set->vertices_room) {
        vp_vec3 *more = realloc(set->vertex, 2 * vertices * sizeof *more);
        if (more == NULL)
            return false;
        set->vertex = more;
        set->vertices_room = 2 * vertices;
    }
    if (quads > set->quads_room) {
        uint16_t(*more)[4] = realloc(set->quad, 2 * quads * sizeof *more);
        if (more == NULL)
            return false;
        set->quad = more;
        set->quads_room = 2 * quads;
    }
    return true;
}

/* Meshes a chunk, and keeps it if there is anything of it. There must be room. */
static void add(vp_surface_set *set, const vp_voxels *voxels, vp_ivec3 at, vp_chunk_mesh_room *room)
{
    vp_surface_chunk *to = &set->chunk[set->count];
    bool any = false;
    to->at = at;
    for (uint32_t s = 0; s < VP_SURFACE_COUNT; s++) {
        vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
        vp_mesh_chunk_scalar(voxels, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, s, &mesh);
        if (mesh.quad_count != 0) {
            memcpy(set->vertex + set->vertices, mesh.vertex, mesh.vertex_count * sizeof *mesh.vertex);
            memcpy(set->quad + set->quads, mesh.quad, mesh.quad_count * sizeof *mesh.quad);
        }
        to->vertex_count[s] = mesh.vertex_count;
        to->quad_count[s] = mesh.quad_count;
        set->vertices += mesh.vertex_count;
        set->quads += mesh.quad_count;
        any = any || mesh.quad_count != 0;
    }
    set->count += any;
}

static vp_ivec3 chunk_at(vp_dims n, uint32_t c)
{
    return (vp_ivec3){(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
}

/* Where the broadphase says EMPTY there is nothing to find. */
static bool may_have_surface(const vp_workload *workload, vp_ivec3 at)
{
    return vp_broadphase_chunk_class(workload->broadphase, at) != VP_CHUNK_EMPTY;
}

/* Of so many chunks that may have a surface one is looked at. */
static uint32_t step_of(const vp_workload *workload, vp_dims n)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++)
        count += may_have_surface(workload, chunk_at(n, c));
    return workload->most_surfaces == 0 ? 1 : 1 + count / workload->most_surfaces;
}

static bool fill(vp_surface_set *set, const vp_workload *workload)
{
    const vp_voxels voxels = vp_world_voxels(workload->world);
    const vp_dims n = voxels.chunks;
    const uint32_t step = step_of(workload, n);
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    bool done = room != NULL && reserve(set);
    for (uint32_t c = 0, met = 0; done && c < n.x * n.y * n.z; c++) {
        const vp_ivec3 at = chunk_at(n, c);
        if (!may_have_surface(workload, at) || met++ % step != 0)
            continue;
        add(set, &voxels, at, room);
        done = reserve(set);
    }
    if (done) { /* the slack */
        memset(set->vertex + set->vertices, 0, VP_CHUNK_MESH_SLACK * sizeof *set->vertex);
        memset(set->quad + set->quads, 0, VP_CHUNK_MESH_SLACK * sizeof *set->quad);
    }
    free(room);
    return done;
}

vp_surface_set *vp_surface_set_create(void)
{
    return calloc(1, sizeof(vp_surface_set));
}

void vp_surface_set_destroy(vp_surface_set *set)
{
    if (set == NULL)
        return;
    free(set->chunk);
    free(set->vertex);
    free(set->quad);
    free(set);
}

vp_status vp_workload_surfaces(const vp_workload *workload, const vp_surface_set **out, vp_error *error)
{
    vp_surface_set *set = workload->surfaces;
    *out = set;
    if (set->state == VP_SURFACES_UNKNOWN)
        set->state = fill(set, workload) ? VP_SURFACES_THERE : VP_SURFACES_FAILED;
    if (set->state == VP_SURFACES_FAILED)
        return vp_fail(error, VP_E_MEMORY, "no memory for the surfaces of %s", workload->name);
    return VP_OK;
}
