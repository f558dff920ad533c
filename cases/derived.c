/* SPDX-License-Identifier: MIT */
/* Rows, broadphase and surfaces of a world, and trees over meshes. The terrain is in derived_terrain.c. */
#include "cases/derived.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/grow.h"
#include "src/core/error.h"

/* ---- rows, broadphase ---- */

static vp_status make_rows(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_dims size = vp_world_size(from->set);
    uint8_t *rows = *out = malloc((size_t)size.x * size.y * size.z);
    if (rows == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the rows of %s", from->name);
    return vp_world_read_rows(from->set, (vp_ivec3){0, 0, 0}, size, rows, NULL, error);
}

vp_status vp_derive_rows(const vp_data *world, const uint8_t **out, vp_error *error)
{
    static const vp_derivation rows = {"rows", make_rows, free};
    const void *made = NULL;
    const vp_status status = vp_data_derive(world, &rows, 0, &made, error);
    *out = made;
    return status;
}

static vp_status make_broadphase(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    vp_broadphase *broadphase = NULL;
    const vp_kernels scalar = vp_scalar_kernels();
    const vp_broadphase_def def = {.world = from->set, .kernels = &scalar};
    const vp_status status = vp_broadphase_create(&def, &broadphase, error);
    *out = broadphase;
    return status;
}

static void drop_broadphase(void *made)
{
    vp_broadphase_destroy(made);
}

vp_status vp_derive_broadphase(const vp_data *world, const vp_broadphase **out, vp_error *error)
{
    static const vp_derivation broadphase = {"broadphase", make_broadphase, drop_broadphase};
    const void *made = NULL;
    const vp_status status = vp_data_derive(world, &broadphase, 0, &made, error);
    *out = made;
    return status;
}

/* ---- surfaces ---- */

/* Grows the arrays for another chunk's meshes and the slack. */
static bool reserve(vp_surface_set *set)
{
    const size_t vertices = set->vertices + VP_SURFACE_COUNT * VP_CHUNK_MESH_VERTICES + VP_CHUNK_MESH_SLACK;
    const size_t quads = set->quads + VP_SURFACE_COUNT * VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK;
    vp_surface_chunk *chunk = vp_with_room(set->chunk, set->count + 1u, &set->chunks_room, sizeof *chunk);
    set->chunk = chunk != NULL ? chunk : set->chunk;
    vp_vec3 *vertex = vp_with_room(set->vertex, vertices, &set->vertices_room, sizeof *vertex);
    set->vertex = vertex != NULL ? vertex : set->vertex;
    uint16_t(*quad)[4] = vp_with_room(set->quad, quads, &set->quads_room, sizeof *quad);
    set->quad = quad != NULL ? quad : set->quad;
    return chunk != NULL && vertex != NULL && quad != NULL;
}

/* Meshes a chunk and keeps it if it is not empty. There must be room. */
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
    return vp_nth_cell((vp_ivec3){0, 0, 0}, n, c);
}

/* Chunks that the broadphase marks EMPTY have no surface. */
static bool may_have_surface(const vp_broadphase *broadphase, vp_ivec3 at)
{
    return vp_broadphase_chunk_class(broadphase, at) != VP_CHUNK_EMPTY;
}

/* Selects one of this many chunks that may have a surface. */
static uint32_t step_of(const vp_broadphase *broadphase, uint32_t most, vp_dims n)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++)
        count += may_have_surface(broadphase, chunk_at(n, c));
    return most == 0 ? 1 : 1 + count / most;
}

static bool fill(vp_surface_set *set, const vp_world *world, const vp_broadphase *broadphase, uint32_t most)
{
    const vp_voxels voxels = vp_world_voxels(world);
    const vp_dims n = voxels.chunks;
    const uint32_t step = step_of(broadphase, most, n);
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    bool done = room != NULL && reserve(set);
    for (uint32_t c = 0, met = 0; done && c < n.x * n.y * n.z; c++) {
        const vp_ivec3 at = chunk_at(n, c);
        if (!may_have_surface(broadphase, at) || met++ % step != 0)
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

static void drop_surfaces(void *made)
{
    vp_surface_set *set = made;
    if (set == NULL)
        return;
    free(set->chunk);
    free(set->vertex);
    free(set->quad);
    free(set);
}

static vp_status make_surfaces(const vp_data *from, uint32_t most, void **out, vp_error *error)
{
    const vp_broadphase *broadphase;
    vp_surface_set *set = *out = calloc(1, sizeof *set);
    const vp_status status = vp_derive_broadphase(from, &broadphase, error);
    if (status != VP_OK)
        return status;
    if (set == NULL || !fill(set, from->set, broadphase, most))
        return vp_fail(error, VP_E_MEMORY, "no memory for the surfaces of %s", from->name);
    return VP_OK;
}

vp_status vp_derive_surfaces(const vp_data *world, uint32_t most, const vp_surface_set **out, vp_error *error)
{
    static const vp_derivation surfaces = {"surfaces", make_surfaces, drop_surfaces};
    const void *made = NULL;
    const vp_status status = vp_data_derive(world, &surfaces, most, &made, error);
    *out = made;
    return status;
}

/* ---- trees ---- */

const char *const vp_tree_names[VP_TREE_KINDS + 1] = {"wide", "slab", "published", "packed", "implied", "triangles"};
const vp_tree_kind vp_tree_kinds[VP_TREE_KINDS] = {{VP_KD_WIDE, false},   {VP_KD_SLAB, false},    {VP_KD_PUBLISHED, false},
                                                   {VP_KD_PACKED, false}, {VP_KD_IMPLIED, false}, {VP_KD_WIDE, true}};

bool vp_has_trees(const vp_mesh_set *meshes, uint32_t kind)
{
    const vp_tree_kind *k = &vp_tree_kinds[kind];
    bool quads = true;
    for (uint32_t m = 0; m < meshes->count; m++)
        quads = quads && meshes->mesh[m].quads;
    if (k->form == VP_KD_PACKED || k->form == VP_KD_IMPLIED)
        return meshes->chunks && meshes->world == NULL && (quads || k->form == VP_KD_PACKED);
    return quads || !k->plain;
}

vp_status vp_trees_begin(vp_trees *t, uint32_t kind, uint32_t meshes, uint64_t triangles, vp_error *error)
{
    const vp_tree_kind *k = &vp_tree_kinds[kind];
    *t = (vp_trees){.kind = k};
    t->tree = calloc(meshes + 1u, sizeof *t->tree);
    t->plain = k->plain ? malloc(((size_t)triangles + 1) * 3 * sizeof *t->plain) : NULL;
    t->next = t->plain;
    return t->tree == NULL || (k->plain && t->plain == NULL) ? vp_fail(error, VP_E_MEMORY, "no memory for %u trees", meshes) : VP_OK;
}

vp_status vp_trees_add(vp_trees *t, const vp_triangles *mesh, vp_error *error)
{
    const vp_kernels scalar = vp_scalar_kernels();
    vp_kd_def def = {.triangles = *mesh, .form = t->kind->form, .kernels = &scalar};
    if (t->kind->plain && mesh->quads) {
        def.triangles.quads = false;
        def.triangles.index = t->next;
        for (uint32_t i = 0; i < mesh->triangle_count; i++, t->next += 3)
            vp_triangle_corners(mesh, i, t->next);
    }
    return vp_kd_create(&def, &t->tree[t->count++], error);
}

void vp_trees_drop(vp_trees *t)
{
    for (uint32_t m = 0; m < t->count; m++)
        vp_kd_destroy(t->tree[m]);
    free(t->tree);
    free(t->plain);
}

static void drop_trees(void *made)
{
    if (made != NULL)
        vp_trees_drop(made);
    free(made);
}

static vp_status make_trees(const vp_data *from, uint32_t kind, void **out, vp_error *error)
{
    const vp_mesh_set *meshes = from->set;
    vp_trees *t = *out = calloc(1, sizeof *t);
    if (t == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for trees of %s", from->name);
    vp_status status = vp_trees_begin(t, kind, meshes->count, meshes->triangle_count, error);
    for (uint32_t m = 0; status == VP_OK && m < meshes->count; m++)
        status = vp_trees_add(t, &meshes->mesh[m], error);
    return status;
}

vp_status vp_derive_trees(const vp_data *meshes, uint32_t kind, vp_kd *const **out, vp_error *error)
{
    static const vp_derivation derivation = {"trees", make_trees, drop_trees};
    const void *made = NULL;
    const vp_status status = vp_data_derive(meshes, &derivation, kind, &made, error);
    if (status == VP_OK)
        *out = ((const vp_trees *)made)->tree;
    return status;
}
