/* SPDX-License-Identifier: MIT */
/* The case of edge flags. An item is a chunk that has a surface by the reference, with its meshes of solid and of water, as in
 * the mesher's case; the meshes are the reference's and lie one behind the other, and so do the flags. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "datasets/cases/records.h"
#include "datasets/hash.h"

/* u32 chunk; for solid, then water: u32 triangles, u64 hash of their flags */
enum { EDGE_RECORD_BYTES = 4 + VP_SURFACE_COUNT * 12 };

typedef struct work {
    vp_voxels voxels;
    const vp_surface_set *surfaces;
    uint8_t *flags;
    size_t quads; /* of flags two a quad */
} work;

static void drop(void *argument)
{
    work *w = argument;
    vp_allocator a = vp_allocator_default();
    if (w == NULL)
        return;
    vp_release(&a, w->flags, w->quads, 2);
    free(w);
}

/* Behind the last flags there is room for a whole chunk's: the slack of each lies within the array. It is filled with nonsense. */
static vp_status make(const vp_workload *workload, void **out, vp_error *error)
{
    vp_allocator a = vp_allocator_default();
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    w->voxels = vp_world_voxels(workload->world);
    vp_status status = vp_workload_surfaces(workload, &w->surfaces, error);
    if (status != VP_OK)
        return status;
    w->quads = w->surfaces->quads + VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK;
    w->flags = vp_allocate(&a, w->quads, 2);
    if (w->flags == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    memset(w->flags, 0xa5, w->quads * 2);
    return VP_OK;
}

/* In the order of memory: the slack of one is overwritten by the next. */
static uint64_t run(const vp_kernels *table, void *argument)
{
    const work *w = argument;
    const vp_surface_set *of = w->surfaces;
    size_t vertices = 0, quads = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        const vp_surface_chunk *c = &of->chunk[i];
        for (uint32_t s = 0; s < VP_SURFACE_COUNT; s++) {
            const vp_chunk_mesh mesh = {of->vertex + vertices, of->quad + quads, NULL, c->vertex_count[s], c->quad_count[s]};
            table->edge_flags(&w->voxels, (uint32_t)c->at.x, (uint32_t)c->at.y, (uint32_t)c->at.z, s, &mesh, w->flags + 2 * quads);
            vertices += mesh.vertex_count;
            quads += mesh.quad_count;
        }
    }
    return of->count;
}

static vp_status records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    const vp_dims n = w->voxels.chunks;
    const uint8_t *flags = w->flags;
    vp_status status = vp_records_create(EDGE_RECORD_BYTES, w->surfaces->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->surfaces->count; i++) {
        const vp_surface_chunk *from = &w->surfaces->chunk[i];
        uint8_t *at = out->bytes + (size_t)i * EDGE_RECORD_BYTES;
        vp_put_u32(at, ((uint32_t)from->at.y * n.z + (uint32_t)from->at.z) * n.x + (uint32_t)from->at.x);
        at += 4;
        for (int s = 0; s < VP_SURFACE_COUNT; s++, at += 12) {
            vp_put_u32(at, from->quad_count[s] * 2);
            vp_put_u64(at + 4, vp_hash64(flags, (size_t)from->quad_count[s] * 2));
            flags += (size_t)from->quad_count[s] * 2;
        }
    }
    return status;
}

const vp_case vp_case_edge_flags = {"chunks", VP_FOOD_WORLD, make, run, records, drop};
