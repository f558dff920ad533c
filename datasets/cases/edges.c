/* SPDX-License-Identifier: MIT */
/* The case of edge flags. An item is a chunk that has a surface by the reference, with its meshes of solid and of water, as in
 * the mesher's case; the meshes are made beforehand by the reference and lie one behind the other, and so do the flags. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "datasets/cases/records.h"
#include "datasets/hash.h"

/* u32 chunk; for solid, then water: u32 triangles, u64 hash of their flags */
enum { EDGE_RECORD_BYTES = 4 + VP_SURFACE_COUNT * 12 };

typedef struct item {
    uint32_t chunk;
    vp_chunk_mesh mesh[VP_SURFACE_COUNT];
    uint8_t *flags[VP_SURFACE_COUNT];
} item;

typedef struct work {
    vp_voxels voxels;
    item *items;
    uint32_t count;
    vp_vec3 *vertex;
    uint16_t (*quad)[4];
    uint8_t *flags;
    size_t vertices, quads; /* allocated; of flags two a quad */
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
    vp_release(&a, w->flags, w->quads, 2);
    free(w);
}

static vp_ivec3 chunk_at(vp_dims n, uint32_t c)
{
    return (vp_ivec3){(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
}

static void mesh_item(const vp_voxels *voxels, uint32_t chunk, uint32_t surface, vp_chunk_mesh *out)
{
    vp_ivec3 at = chunk_at(voxels->chunks, chunk);
    vp_mesh_chunk_scalar(voxels, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, surface, out);
}

/* Finds the items and how many vertices and quads they have together. Where the broadphase says EMPTY there is nothing to find.
   (Counted here, and not in a loop over the items: GCC 12 for AArch64 makes such a loop lose every other item.) */
static bool find_items(const vp_workload *workload, work *w)
{
    vp_dims n = w->voxels.chunks;
    size_t capacity = 0;
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    bool done = room != NULL;
    for (uint32_t c = 0; done && c < n.x * n.y * n.z; c++) {
        item found = {.chunk = c};
        if (vp_broadphase_tag(workload->broadphase, chunk_at(n, c)) == VP_TAG_EMPTY)
            continue;
        for (uint32_t s = 0; s < VP_SURFACE_COUNT; s++) {
            found.mesh[s] = vp_chunk_mesh_in(room);
            mesh_item(&w->voxels, c, s, &found.mesh[s]);
            w->vertices += found.mesh[s].vertex_count;
            w->quads += found.mesh[s].quad_count;
        }
        if (found.mesh[0].quad_count + found.mesh[1].quad_count == 0)
            continue;
        if (w->count == capacity) {
            capacity = capacity * 2 + 64;
            item *more = realloc(w->items, capacity * sizeof *more);
            done = more != NULL;
            if (!done)
                break;
            w->items = more;
        }
        w->items[w->count++] = found;
    }
    free(room);
    return done;
}

/* Gives each mesh its place, makes it, and fills the flags with nonsense. Behind the last one there is room for a whole one: the
   slack of each lies within the arrays. */
static bool make_meshes(work *w)
{
    vp_allocator a = vp_allocator_default();
    size_t vertices = 0, quads = 0;
    w->vertices += VP_CHUNK_MESH_VERTICES + VP_CHUNK_MESH_SLACK;
    w->quads += VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK;
    w->vertex = vp_allocate(&a, w->vertices, sizeof *w->vertex);
    w->quad = vp_allocate(&a, w->quads, sizeof *w->quad);
    w->flags = vp_allocate(&a, w->quads, 2);
    uint8_t *material = malloc(VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK); /* not kept */
    bool done = w->vertex != NULL && w->quad != NULL && w->flags != NULL && material != NULL;
    if (done)
        memset(w->flags, 0xa5, w->quads * 2);
    for (uint32_t i = 0; done && i < w->count; i++)
        for (uint32_t s = 0; s < VP_SURFACE_COUNT; s++) {
            vp_chunk_mesh *m = &w->items[i].mesh[s];
            *m = (vp_chunk_mesh){w->vertex + vertices, w->quad + quads, material, 0, 0};
            mesh_item(&w->voxels, w->items[i].chunk, s, m);
            m->material = NULL;
            w->items[i].flags[s] = w->flags + 2 * quads;
            vertices += m->vertex_count;
            quads += m->quad_count;
        }
    free(material);
    return done;
}

static vp_status make(const vp_workload *workload, void **out, vp_error *error)
{
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (w != NULL)
        w->voxels = vp_world_voxels(workload->world);
    if (w == NULL || !find_items(workload, w) || !make_meshes(w))
        return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    return VP_OK;
}

/* In the order of memory: the slack of one is overwritten by the next. */
static uint64_t run(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i++) {
        const item *of = &w->items[i];
        vp_ivec3 at = chunk_at(w->voxels.chunks, of->chunk);
        for (uint32_t s = 0; s < VP_SURFACE_COUNT; s++)
            table->edge_flags(&w->voxels, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, s, &of->mesh[s],
                              of->flags[s]);
    }
    return w->count;
}

static vp_status records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_status status = vp_records_create(EDGE_RECORD_BYTES, w->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++) {
        const item *from = &w->items[i];
        uint8_t *at = out->bytes + (size_t)i * EDGE_RECORD_BYTES;
        vp_put_u32(at, from->chunk);
        at += 4;
        for (int s = 0; s < VP_SURFACE_COUNT; s++, at += 12) {
            vp_put_u32(at, from->mesh[s].quad_count * 2);
            vp_put_u64(at + 4, vp_hash64(from->flags[s], (size_t)from->mesh[s].quad_count * 2));
        }
    }
    return status;
}

const vp_case vp_case_edge_flags = {"chunks", VP_FOOD_WORLD, make, run, records, drop};
