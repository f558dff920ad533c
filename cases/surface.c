/* SPDX-License-Identifier: MIT */
/* Cases of the mesher and of edge flags. An item is a chunk for which the reference finds a surface of solid, water or both. Both surfaces
 * are requested, because chunks usually have one and not the other. Tests cover chunks without a surface. The meshes of all items are kept
 * one after the other as in a game's memory, and so are flags. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/mesh.h>

#include "cases/case.h"
#include "src/core/bytes.h"
#include "cases/copies.h"
#include "cases/derived.h"
#include "datasets/datasets.h"
#include "datasets/hash.h"

enum { SURFACES_MAX = 2048 }; /* approximate number of chunks of a sample */

static vp_voxels copy_voxels(const vp_world *world, vp_arena *arena)
{
    vp_voxels v = vp_world_voxels(world);
    const size_t chunks = (size_t)v.chunks.x * v.chunks.y * v.chunks.z;
    v.material = vp_arena_input(arena, v.material, chunks, 512, 64, 0);
    v.occupancy = vp_arena_input(arena, v.occupancy, chunks, 512, 64, 0);
    return v;
}

/* Counts of a chunk and surface. */
typedef struct mesh_sizes {
    uint32_t vertices, quads;
} mesh_sizes;

typedef struct surface_work {
    vp_voxels voxels;
    const vp_surface_set *of;
    vp_chunk_mesh *mesh; /* VP_SURFACE_COUNT for each chunk */
    mesh_sizes *found;   /* mesh_chunk: of each mesh */
    uint8_t *flags;
} surface_work;

static vp_status begin(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_surface_set *of;
    const vp_status status = vp_derive_surfaces(data, variant == VP_SAMPLED ? SURFACES_MAX : 0, &of, error);
    if (status != VP_OK)
        return status;
    surface_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(surface_work));
    w->voxels = copy_voxels(data->set, arena);
    w->of = of;
    w->mesh = vp_arena_keep(arena, (size_t)of->count * VP_SURFACE_COUNT, sizeof *w->mesh, alignof(vp_chunk_mesh));
    return status;
}

static void put_chunk(const surface_work *w, uint32_t i, vp_records *out)
{
    const vp_dims n = w->voxels.chunks;
    const vp_ivec3 at = w->of->chunk[i].at;
    const uint32_t number = ((uint32_t)at.y * n.z + (uint32_t)at.z) * n.x + (uint32_t)at.x;
    vp_records_put_words(out, &number, 1);
}

/* ---- meshes ---- */

/* Places each mesh in the outputs by the sizes of the reference. The last one is followed by room for a whole mesh, so that the slack of
 * each, and anything a wrong version writes, lies within the arrays. */
static vp_status make_meshes(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, variant, arena, out, error);
    surface_work *w = *out;
    if (status != VP_OK)
        return status;
    const vp_surface_set *of = w->of;
    vp_vec3 *vertex = vp_arena_output(arena, of->vertices + VP_CHUNK_MESH_VERTICES, sizeof *vertex, alignof(vp_vec3), VP_CHUNK_MESH_SLACK);
    uint16_t(*quad)[4] = vp_arena_output(arena, of->quads + VP_CHUNK_MESH_QUADS, sizeof *quad, alignof(uint16_t), VP_CHUNK_MESH_SLACK);
    uint8_t *material = vp_arena_output(arena, of->quads + VP_CHUNK_MESH_QUADS, 1, 1, VP_CHUNK_MESH_SLACK);
    w->found = vp_arena_output(arena, (size_t)of->count * VP_SURFACE_COUNT, sizeof *w->found, alignof(mesh_sizes), 0);
    for (uint32_t i = 0; i < of->count * VP_SURFACE_COUNT; i++) {
        const vp_surface_chunk *from = &of->chunk[i / VP_SURFACE_COUNT];
        w->mesh[i] = (vp_chunk_mesh){vertex, quad, material, 0, 0};
        vertex += from->vertex_count[i % VP_SURFACE_COUNT];
        quad += from->quad_count[i % VP_SURFACE_COUNT];
        material += from->quad_count[i % VP_SURFACE_COUNT];
    }
    return VP_OK;
}

static vp_status run_meshes(const vp_setting *how, void *work_, uint32_t step, uint64_t *items, vp_error *error)
{
    surface_work *w = work_;
    for (uint32_t i = 0; i < w->of->count * VP_SURFACE_COUNT; i++) {
        const vp_ivec3 at = w->of->chunk[i / VP_SURFACE_COUNT].at;
        vp_chunk_mesh *mesh = &w->mesh[i];
        how->kernels->mesh_chunk(&w->voxels, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, i % VP_SURFACE_COUNT, mesh);
        w->found[i] = (mesh_sizes){mesh->vertex_count, mesh->quad_count};
    }
    *items = w->of->count;
    return VP_OK;
}

/* The vertices' bits, the quads, the materials. */
static uint64_t mesh_hash(const vp_chunk_mesh *m, mesh_sizes found)
{
    vp_hasher h;
    uint8_t bytes[8];
    vp_hash_begin(&h);
    vp_hash_words(&h, m->vertex, 3 * (size_t)found.vertices);
    for (uint32_t q = 0; q < found.quads; q++)
        vp_hash_bytes(&h, bytes, (size_t)(vp_put_halves(bytes, m->quad[q], 4) - bytes));
    vp_hash_bytes(&h, m->material, found.quads);
    return vp_hash_end(&h);
}

/* u32 chunk, then for solid and water: u32 vertices, u32 quads, u64 hash of the mesh. Counts out of range become an invalid record. */
static void record_meshes(const void *work_, vp_records *out)
{
    const surface_work *w = work_;
    for (uint32_t i = 0; i < w->of->count; i++) {
        put_chunk(w, i, out);
        for (uint32_t s = i * VP_SURFACE_COUNT; s < (i + 1) * VP_SURFACE_COUNT; s++) {
            const mesh_sizes found = w->found[s];
            const bool possible = found.vertices <= VP_CHUNK_MESH_VERTICES && found.quads <= VP_CHUNK_MESH_QUADS;
            const uint64_t hash = possible ? mesh_hash(&w->mesh[s], found) : UINT64_MAX;
            vp_records_put_words(out, &found, 2);
            vp_records_put_longs(out, &hash, 1);
        }
        vp_records_end(out);
    }
}

static const vp_measured worlds[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_SIMDE | VP_COUNTED),
                                     VP_ON("terrain-l3", 1, VP_TIMED | VP_SIMDE),
                                     VP_ON("terrain-dram", 1, VP_TIMED | VP_SIMDE),
                                     VP_ON("terrain-230k", 1, VP_TIMED | VP_SIMDE),
                                     VP_ON("luanti", 1, VP_TIMED | VP_SIMDE),
                                     VP_ON("random-50", 1, VP_TIMED | VP_SIMDE | VP_COUNTED),
                                     {.data = NULL}};

const vp_case vp_case_mesh_chunk = {
    .kind = &vp_kind_world, .sampled = true, .make = make_meshes, .run = run_meshes, .records = record_meshes, .measured = worlds};

/* ---- edge flags ---- */

/* Room for a whole chunk follows the last flags, so that the slack of each lies within the array. */
static vp_status make_flags(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, variant, arena, out, error);
    surface_work *w = *out;
    if (status != VP_OK)
        return status;
    const vp_surface_set *of = w->of;
    vp_vec3 *vertices =
        vp_unconst(vp_arena_input(arena, of->vertex, of->vertices, sizeof *vertices, alignof(vp_vec3), VP_CHUNK_MESH_SLACK));
    uint16_t(*quads)[4] = vp_unconst(vp_arena_input(arena, of->quad, of->quads, sizeof *quads, alignof(uint16_t), VP_CHUNK_MESH_SLACK));
    w->flags = vp_arena_output(arena, 2 * of->quads, 1, 1, VP_EDGE_FLAGS_SLACK);
    for (uint32_t i = 0; i < of->count * VP_SURFACE_COUNT; i++) {
        const vp_surface_chunk *from = &of->chunk[i / VP_SURFACE_COUNT];
        const uint32_t s = i % VP_SURFACE_COUNT;
        w->mesh[i] = (vp_chunk_mesh){vertices, quads, NULL, from->vertex_count[s], from->quad_count[s]};
        vertices += from->vertex_count[s];
        quads += from->quad_count[s];
    }
    return VP_OK;
}

/* In memory order, because each overwrites the slack of the previous one. */
static vp_status run_flags(const vp_setting *how, void *work_, uint32_t step, uint64_t *items, vp_error *error)
{
    const surface_work *w = work_;
    uint8_t *flags = w->flags;
    for (uint32_t i = 0; i < w->of->count * VP_SURFACE_COUNT; i++) {
        const vp_ivec3 at = w->of->chunk[i / VP_SURFACE_COUNT].at;
        const vp_chunk_mesh *mesh = &w->mesh[i];
        how->kernels->edge_flags(&w->voxels, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, i % VP_SURFACE_COUNT, mesh, flags);
        flags += 2 * (size_t)mesh->quad_count;
    }
    *items = w->of->count;
    return VP_OK;
}

/* u32 chunk, then for solid and water: u32 triangles, u64 hash of their flags */
static void record_flags(const void *work_, vp_records *out)
{
    const surface_work *w = work_;
    const uint8_t *flags = w->flags;
    for (uint32_t i = 0; i < w->of->count; i++) {
        put_chunk(w, i, out);
        for (uint32_t s = 0; s < VP_SURFACE_COUNT; s++) {
            const uint32_t triangles = 2 * w->of->chunk[i].quad_count[s];
            vp_records_put_words(out, &triangles, 1);
            vp_records_put_hash(out, flags, triangles);
            flags += triangles;
        }
        vp_records_end(out);
    }
}

const vp_case vp_case_edge_flags = {
    .kind = &vp_kind_world, .sampled = true, .make = make_flags, .run = run_flags, .records = record_flags, .measured = worlds};
