/* SPDX-License-Identifier: MIT */
/* The case of the mesher. An item is a chunk that has a surface by the reference, of solid or of water or of both,
 * and both are asked for: a chunk's usual fate is to be meshed for the one and to turn out to have none of the other.
 * Chunks without a surface are left to the tests. The meshes of all items are kept, one behind the other as in a
 * game's memory. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "datasets/cases/records.h"
#include "datasets/hash.h"

/* u32 chunk; for solid, then water: u32 vertices, u32 quads, u64 hash of the mesh */
enum { MESH_RECORD_BYTES = 4 + VP_SURFACE_COUNT * 16 };

typedef struct item {
    vp_ivec3 chunk;
    vp_chunk_mesh mesh[VP_SURFACE_COUNT];
} item;

typedef struct work {
    vp_voxels voxels;
    item *items;
    uint32_t count;
    vp_vec3 *vertex;
    uint16_t (*quad)[4];
    uint8_t *material;
    size_t vertices, quads; /* allocated */
} work;

static void drop(void *argument)
{
    work *w = argument;
    vp_allocator a = vp_allocator_default();
    if (w == NULL)
        return;
    free(w->items);
    vp_release(&a, w->vertex, w->vertices, sizeof *w->vertex);
    vp_release(&a, w->quad, w->quads, sizeof *w->quad);
    vp_release(&a, w->material, w->quads, 1);
    free(w);
}

/* Each mesh's place among the outputs, by the sizes that the reference gives them. Behind the last one there is room for a whole
   one, so that the slack of each, and whatever a wrong version writes, lies within the arrays. */
static bool lay_out(const vp_surface_set *surfaces, work *w)
{
    vp_allocator a = vp_allocator_default();
    w->vertices = surfaces->vertices + VP_CHUNK_MESH_VERTICES + VP_CHUNK_MESH_SLACK;
    w->quads = surfaces->quads + VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK;
    w->items = calloc(surfaces->count + 1u, sizeof *w->items);
    w->vertex = vp_allocate(&a, w->vertices, sizeof *w->vertex);
    w->quad = vp_allocate(&a, w->quads, sizeof *w->quad);
    w->material = vp_allocate(&a, w->quads, 1);
    if (w->items == NULL || w->vertex == NULL || w->quad == NULL || w->material == NULL)
        return false;
    memset(w->vertex, 0xa5, w->vertices * sizeof *w->vertex);
    memset(w->quad, 0xa5, w->quads * sizeof *w->quad);
    memset(w->material, 0xa5, w->quads);
    size_t vertices = 0, quads = 0;
    for (w->count = 0; w->count < surfaces->count; w->count++) {
        const vp_surface_chunk *from = &surfaces->chunk[w->count];
        item *to = &w->items[w->count];
        to->chunk = from->at;
        for (int s = 0; s < VP_SURFACE_COUNT; s++) {
            to->mesh[s] = (vp_chunk_mesh){w->vertex + vertices, w->quad + quads, w->material + quads, 0, 0};
            vertices += from->vertex_count[s];
            quads += from->quad_count[s];
        }
    }
    return true;
}

static vp_status make(const vp_workload *workload, void **out, vp_error *error)
{
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    w->voxels = vp_world_voxels(workload->world);
    const vp_surface_set *surfaces;
    vp_status status = vp_workload_surfaces(workload, &surfaces, error);
    if (status == VP_OK && !lay_out(surfaces, w))
        status = vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    return status;
}

static uint64_t run(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i++) {
        item *at = &w->items[i];
        for (uint32_t s = 0; s < VP_SURFACE_COUNT; s++)
            table->mesh_chunk(&w->voxels, (uint32_t)at->chunk.x, (uint32_t)at->chunk.y, (uint32_t)at->chunk.z, s,
                              &at->mesh[s]);
    }
    return w->count;
}

/* A mesh as bytes: the vertices' bits, the quads, the materials. @return the hash */
static uint64_t mesh_hash(const vp_chunk_mesh *m, uint8_t *bytes)
{
    uint8_t *at = bytes;
    for (uint32_t v = 0; v < m->vertex_count; v++, at += 12) {
        uint32_t bits[3];
        memcpy(bits, &m->vertex[v], sizeof bits);
        for (int i = 0; i < 3; i++)
            vp_put_u32(at + 4 * i, bits[i]);
    }
    for (uint32_t q = 0; q < m->quad_count; q++)
        for (int i = 0; i < 4; i++, at += 2)
            vp_put_u16(at, m->quad[q][i]);
    if (m->quad_count != 0)
        memcpy(at, m->material, m->quad_count);
    return vp_hash64(bytes, (size_t)(at - bytes) + m->quad_count);
}

/* Counts above the most become a record that no right answer can be. */
static vp_status records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    uint8_t *bytes = malloc(VP_CHUNK_MESH_VERTICES * 12 + VP_CHUNK_MESH_QUADS * 9);
    vp_status status = bytes != NULL ? vp_records_create(MESH_RECORD_BYTES, w->count, out, error)
                                     : vp_fail(error, VP_E_MEMORY, "no memory for the bytes of a mesh");
    vp_dims n = w->voxels.chunks;
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++) {
        const item *from = &w->items[i];
        uint8_t *at = out->bytes + (size_t)i * MESH_RECORD_BYTES;
        vp_put_u32(at, ((uint32_t)from->chunk.y * n.z + (uint32_t)from->chunk.z) * n.x + (uint32_t)from->chunk.x);
        at += 4;
        for (int s = 0; s < VP_SURFACE_COUNT; s++, at += 16) {
            const vp_chunk_mesh *m = &from->mesh[s];
            bool possible = m->vertex_count <= VP_CHUNK_MESH_VERTICES && m->quad_count <= VP_CHUNK_MESH_QUADS;
            vp_put_u32(at, m->vertex_count);
            vp_put_u32(at + 4, m->quad_count);
            vp_put_u64(at + 8, possible ? mesh_hash(m, bytes) : UINT64_MAX);
        }
    }
    free(bytes);
    return status;
}

const vp_case vp_case_mesh_chunk = {"chunks", VP_FOOD_WORLD, make, run, records, drop};
