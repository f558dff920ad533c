/* SPDX-License-Identifier: MIT */
/* Sets of meshes: memory for them, and the meshes of worlds, a chunk each or many chunks as one. The scalar mesher makes
 * them, so they depend on no other version.
 *
 * Among the triangles of one set some are made degenerate, which the mesher never makes them: two corners the same
 * vertex, all three the same, the third corner in the middle between the others, or a triangle twice. The middle of two
 * vertices is exact in binary32, so such corners are exactly on one line. */
#include "datasets/mesh_sets.h"

#include "src/core/error.h"
#include "datasets/manifest_data.h"
#include "datasets/random.h"

#include <voxphys/mesh.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static void *array(uint64_t count, size_t bytes)
{
    return calloc(count == 0 ? 1 : (size_t)count, bytes);
}

/* An empty set with room for as much as `of` counts. */
static vp_status create(const char *name, const vp_mesh_set *of, vp_mesh_set *out, vp_error *error)
{
    vp_mesh_set set = {.chunks = of->chunks};
    set.mesh = array(of->count, sizeof *set.mesh);
    set.material = array(of->count, sizeof *set.material);
    set.box = array(of->count, sizeof *set.box);
    set.vertex = array(of->vertex_count, sizeof *set.vertex);
    set.index = array(of->index_count, sizeof *set.index);
    set.material_of = array(of->material_count, 1);
    if (set.mesh == NULL || set.material == NULL || set.box == NULL || set.vertex == NULL || set.index == NULL ||
        set.material_of == NULL) {
        vp_mesh_set_destroy(&set);
        return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u meshes of %llu triangles", name, of->count,
                       (unsigned long long)of->triangle_count);
    }
    *out = set;
    return VP_OK;
}

void vp_mesh_set_destroy(vp_mesh_set *set)
{
    vp_world_destroy(set->world);
    free(set->mesh);
    free(set->material);
    free(set->box);
    free(set->vertex);
    free(set->index);
    free(set->material_of);
    *set = (vp_mesh_set){0};
}

/* Takes what was written behind the arrays' ends as one more mesh. */
static void append(vp_mesh_set *set, uint32_t vertices, uint32_t triangles, bool quads)
{
    vp_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    vp_triangles *mesh = &set->mesh[set->count];
    *mesh = (vp_triangles){set->vertex + set->vertex_count, set->index + set->index_count, vertices, triangles, quads};
    for (uint32_t i = 0; i < vertices; i++) {
        const vp_vec3 v = mesh->vertex[i];
        box.min = (vp_vec3){v.x < box.min.x ? v.x : box.min.x, v.y < box.min.y ? v.y : box.min.y,
                            v.z < box.min.z ? v.z : box.min.z};
        box.max = (vp_vec3){v.x > box.max.x ? v.x : box.max.x, v.y > box.max.y ? v.y : box.max.y,
                            v.z > box.max.z ? v.z : box.max.z};
    }
    set->material[set->count] = set->material_of + set->material_count;
    set->box[set->count++] = box;
    set->triangle_count += triangles;
    set->vertex_count += vertices;
    set->index_count += quads ? (uint64_t)triangles * 2 : (uint64_t)triangles * 3;
    set->material_count += quads ? triangles / 2 : triangles;
}

/* ---- chunks ---- */

/* What the functions below are given with each chunk that has a surface. */
typedef struct chunk_taker {
    vp_mesh_set *set;
    vp_random random;
    float share; /* of triangles that are made degenerate */
    void (*take)(struct chunk_taker *to, const vp_chunk_mesh *mesh);
} chunk_taker;

static void count_quads(chunk_taker *to, const vp_chunk_mesh *mesh)
{
    to->set->count++;
    to->set->vertex_count += mesh->vertex_count;
    to->set->index_count += (uint64_t)mesh->quad_count * 4;
    to->set->material_count += mesh->quad_count;
    to->set->triangle_count += (uint64_t)mesh->quad_count * 2;
}

static void take_quads(chunk_taker *to, const vp_chunk_mesh *mesh)
{
    vp_mesh_set *set = to->set;
    memcpy(set->vertex + set->vertex_count, mesh->vertex, mesh->vertex_count * sizeof *mesh->vertex);
    memcpy(set->material_of + set->material_count, mesh->material, mesh->quad_count);
    for (uint32_t i = 0; i < mesh->quad_count * 4; i++)
        set->index[set->index_count + i] = mesh->quad[i / 4][i % 4];
    append(set, mesh->vertex_count, mesh->quad_count * 2, true);
}

/* At most a vertex a triangle comes on top. */
static void count_degenerate(chunk_taker *to, const vp_chunk_mesh *mesh)
{
    to->set->count++;
    to->set->vertex_count += mesh->vertex_count + (uint64_t)mesh->quad_count * 2;
    to->set->index_count += (uint64_t)mesh->quad_count * 6;
    to->set->material_count += (uint64_t)mesh->quad_count * 2;
    to->set->triangle_count += (uint64_t)mesh->quad_count * 2;
}

/* Spoils triangle t in one of four ways. @return the new number of vertices */
static uint32_t spoil(vp_random *random, vp_vec3 *vertex, uint32_t vertices, uint32_t *index, uint32_t t)
{
    uint32_t *corner = index + (size_t)t * 3;
    const uint32_t way = vp_random_below(random, 4), kept = vp_random_below(random, 3);
    const uint32_t twin = t == 0 ? 0 : vp_random_below(random, t);
    if (way == 0) {
        corner[(kept + 1) % 3] = corner[kept];
    } else if (way == 1) {
        corner[(kept + 1) % 3] = corner[(kept + 2) % 3] = corner[kept];
    } else if (way == 2 || t == 0) {
        const vp_vec3 a = vertex[corner[(kept + 1) % 3]], b = vertex[corner[(kept + 2) % 3]];
        vertex[vertices] = (vp_vec3){(a.x + b.x) * 0.5f, (a.y + b.y) * 0.5f, (a.z + b.z) * 0.5f};
        corner[kept] = vertices++;
    } else {
        memcpy(corner, index + (size_t)twin * 3, 3 * sizeof *corner);
    }
    return vertices;
}

static void take_degenerate(chunk_taker *to, const vp_chunk_mesh *mesh)
{
    static const uint8_t of_quad[6] = {0, 1, 2, 0, 2, 3};
    vp_mesh_set *set = to->set;
    vp_vec3 *vertex = set->vertex + set->vertex_count;
    uint32_t *index = set->index + set->index_count;
    uint32_t vertices = mesh->vertex_count;
    memcpy(vertex, mesh->vertex, vertices * sizeof *vertex);
    for (uint32_t i = 0; i < mesh->quad_count * 6; i++)
        index[i] = mesh->quad[i / 6][of_quad[i % 6]];
    for (uint32_t t = 0; t < mesh->quad_count * 2; t++) {
        set->material_of[set->material_count + t] = mesh->material[t / 2];
        if (vp_random_unit(&to->random) < to->share)
            vertices = spoil(&to->random, vertex, vertices, index, t);
    }
    append(set, vertices, mesh->quad_count * 2, false);
}

/* Gives away the chunks' meshes in the order of their numbers, but for empty ones. */
static vp_status visit(const vp_world *world, vp_surface surface, vp_chunk_mesh_room *room, chunk_taker *to,
                       vp_error *error)
{
    const vp_dims n = vp_world_chunks(world);
    vp_kernels kernels;
    vp_status status = vp_kernels_named("scalar", &kernels, error);
    for (uint32_t c = 0; status == VP_OK && c < n.x * n.y * n.z; c++) {
        const vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
        status = vp_mesh_chunk(world, &kernels, chunk, surface, &mesh, error);
        if (status == VP_OK && mesh.quad_count > 0)
            to->take(to, &mesh);
    }
    return status;
}

static vp_status make_chunks(const vp_entry *entry, const vp_world *world, vp_mesh_set *out, vp_error *error)
{
    const char *name = entry->dataset.name;
    const bool spoilt = entry->generator == VP_GENERATOR_DEGENERATE;
    const vp_surface surface = (vp_surface)entry->params.meshes.surface;
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    if (room == NULL)
        return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for a chunk's mesh", name);
    vp_mesh_set most = {.chunks = true};
    chunk_taker to = {&most, {entry->dataset.seed}, entry->params.meshes.share,
                      spoilt ? count_degenerate : count_quads};
    vp_status status = visit(world, surface, room, &to, error);
    if (status == VP_OK && most.count == 0)
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": the world \"%.60s\" has no surface", name,
                         entry->dataset.world);
    if (status == VP_OK)
        status = create(name, &most, out, error);
    if (status == VP_OK) {
        to.set = out;
        to.take = spoilt ? take_degenerate : take_quads;
        status = visit(world, surface, room, &to, error);
    }
    free(room);
    return status;
}

/* ---- many chunks as one ---- */

static vp_status make_one(const vp_entry *entry, const vp_world *world, vp_mesh_set *out, vp_error *error)
{
    const vp_meshes_params *p = &entry->params.meshes;
    vp_kernels kernels;
    vp_mesh mesh = {0};
    vp_status status = vp_kernels_named("scalar", &kernels, error);
    if (status == VP_OK) {
        const vp_mesh_def def = {.world = world,
                                 .surface = (vp_surface)p->surface,
                                 .first = {(int32_t)p->first_x, (int32_t)p->first_y, (int32_t)p->first_z},
                                 .chunks = {(uint32_t)p->chunks_x, (uint32_t)p->chunks_y, (uint32_t)p->chunks_z},
                                 .kernels = &kernels};
        status = vp_mesh_create(&def, &mesh, error);
    }
    if (status == VP_OK && mesh.quad_count == 0)
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": the world \"%.60s\" has no surface there",
                         entry->dataset.name, entry->dataset.world);
    const vp_mesh_set most = {.count = 1,
                              .triangle_count = (uint64_t)mesh.quad_count * 2,
                              .vertex_count = mesh.vertex_count,
                              .index_count = (uint64_t)mesh.quad_count * 4,
                              .material_count = mesh.quad_count};
    if (status == VP_OK)
        status = create(entry->dataset.name, &most, out, error);
    if (status == VP_OK) {
        memcpy(out->vertex, mesh.vertex, mesh.vertex_count * sizeof *mesh.vertex);
        memcpy(out->index, mesh.quad, mesh.quad_count * sizeof *mesh.quad);
        memcpy(out->material_of, mesh.material, mesh.quad_count);
        append(out, mesh.vertex_count, mesh.quad_count * 2, true);
    }
    vp_mesh_destroy(&mesh);
    return status;
}

static void keep_world(const vp_entry *entry, vp_world *world, vp_mesh_set *out)
{
    const vp_meshes_params *p = &entry->params.meshes;
    out->world = world;
    out->surface = (vp_surface)p->surface;
    out->first = (vp_ivec3){(int32_t)p->first_x, (int32_t)p->first_y, (int32_t)p->first_z};
    out->chunk_box = (vp_dims){(uint32_t)p->chunks_x, (uint32_t)p->chunks_y, (uint32_t)p->chunks_z};
    if (out->chunk_box.x == 0) /* and so all of it: as in vp_mesh_def */
        out->chunk_box = vp_world_chunks(world);
}

/* ---- a set ---- */

vp_status vp_dataset_meshes_watched(const vp_manifest *manifest, const char *name,
                                    const vp_generate_progress *progress, vp_mesh_set *out, vp_error *error)
{
    const vp_entry *entry;
    vp_world *world = NULL;
    vp_mesh_set set = {0};
    vp_status status = vp_manifest_entry_of(manifest, name, VP_DATASET_MESHES, &entry, error);
    if (status == VP_OK)
        status = vp_dataset_world_watched(manifest, entry->dataset.world, progress, &world, error);
    if (status == VP_OK && entry->generator == VP_GENERATOR_MESH)
        status = make_one(entry, world, &set, error);
    else if (status == VP_OK)
        status = make_chunks(entry, world, &set, error);
    if (status == VP_OK && entry->generator == VP_GENERATOR_MESH)
        keep_world(entry, world, &set);
    else
        vp_world_destroy(world);
    if (status == VP_OK && set.count != entry->dataset.count)
        status = vp_fail(error, VP_E_FORMAT, "data set \"%s\" has %u meshes, but the manifest says %u", name, set.count,
                         entry->dataset.count);
    if (status == VP_OK)
        status = vp_manifest_check(manifest, name, vp_mesh_set_hash(&set), error);
    if (status == VP_OK)
        *out = set;
    else
        vp_mesh_set_destroy(&set);
    return status;
}

vp_status vp_dataset_meshes(const vp_manifest *manifest, const char *name, vp_mesh_set *out, vp_error *error)
{
    return vp_dataset_meshes_watched(manifest, name, NULL, out, error);
}
