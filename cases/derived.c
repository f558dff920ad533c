/* SPDX-License-Identifier: MIT */
/* Rows, broadphase and surfaces of a world, and trees over meshes. */
#include "cases/derived.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>
#include <voxphys/mesh.h>

#include "datasets/fuzz.h"
#include "datasets/grow.h"
#include "src/core/error.h"
#include "src/terrain/top.h"
#include "src/terrain/walk.h"

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

/* @param triangles  in all meshes. Drop the trees, also after a failure */
static vp_status trees_begin(vp_trees *t, uint32_t kind, uint32_t meshes, uint64_t triangles, vp_error *error)
{
    const vp_tree_kind *k = &vp_tree_kinds[kind];
    *t = (vp_trees){.kind = k};
    t->tree = calloc(meshes + 1u, sizeof *t->tree);
    t->plain = k->plain ? malloc(((size_t)triangles + 1) * 3 * sizeof *t->plain) : NULL;
    t->next = t->plain;
    return t->tree == NULL || (k->plain && t->plain == NULL) ? vp_fail(error, VP_E_MEMORY, "no memory for %u trees", meshes) : VP_OK;
}

static vp_status trees_add(vp_trees *t, const vp_triangles *mesh, vp_error *error)
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

static void trees_drop(vp_trees *t)
{
    for (uint32_t m = 0; m < t->count; m++)
        vp_kd_destroy(t->tree[m]);
    free(t->tree);
    free(t->plain);
}

static void drop_trees(void *made)
{
    if (made != NULL)
        trees_drop(made);
    free(made);
}

static vp_status make_trees(const vp_data *from, uint32_t kind, void **out, vp_error *error)
{
    const vp_mesh_set *meshes = from->set;
    vp_trees *t = *out = calloc(1, sizeof *t);
    if (t == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for trees of %s", from->name);
    vp_status status = trees_begin(t, kind, meshes->count, meshes->triangle_count, error);
    for (uint32_t m = 0; status == VP_OK && m < meshes->count; m++)
        status = trees_add(t, &meshes->mesh[m], error);
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

/* The terrain for rays and boxes: the mesh of every chunk of a world, and a tree over each, made by the reference in the requested forms.
 * All trees exist. */

/* A chunk with triangles. */
typedef struct chunk_mesh {
    uint32_t chunk; /* in its world */
    vp_triangles triangles;
    vp_vec3 *vertex;
    uint32_t *index;
} chunk_mesh;

/* Shared by all kinds of trees. */
typedef struct tree_ground {
    const vp_world *world;
    vp_surface surface;
    vp_ivec3 first;
    vp_dims chunks;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    chunk_mesh *mesh;
    uint32_t mesh_count;
    uint64_t triangles;
    vp_kd *empty; /* the tree of chunks without triangles */
} tree_ground;

/* Trees of one kind. */
typedef struct terrain_trees {
    tree_ground *ground;
    vp_trees trees;          /* of each mesh */
    const vp_kd_view **view; /* of each chunk of the world */
} terrain_trees;

bool vp_has_terrain(const vp_mesh_set *meshes)
{
    return meshes->world != NULL;
}

static void drop_ground(void *made)
{
    tree_ground *g = made;
    if (g == NULL)
        return;
    for (uint32_t m = 0; m < g->mesh_count; m++) {
        free(g->mesh[m].vertex);
        free(g->mesh[m].index);
    }
    free(g->mesh);
    if (g->top.node != NULL)
        vp_terrain_top_destroy(&g->top);
    vp_kd_destroy(g->empty);
    vp_broadphase_destroy(g->broadphase);
    free(g);
}

static void drop_terrain(void *made)
{
    terrain_trees *t = made;
    if (t == NULL)
        return;
    trees_drop(&t->trees);
    free(t->view);
    free(t);
}

static vp_status no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for a terrain's trees");
}

/* ---- meshes and the top level ---- */

static uint32_t chunk_number(vp_dims n, vp_ivec3 at)
{
    return ((uint32_t)at.y * n.z + (uint32_t)at.z) * n.x + (uint32_t)at.x;
}

static bool keep_mesh(tree_ground *set, uint32_t chunk, const vp_chunk_mesh *mesh)
{
    chunk_mesh *to = &set->mesh[set->mesh_count];
    to->vertex = malloc(mesh->vertex_count * sizeof *to->vertex);
    to->index = malloc(mesh->quad_count * 4 * sizeof *to->index);
    set->mesh_count++;
    if (to->vertex == NULL || to->index == NULL)
        return false;
    memcpy(to->vertex, mesh->vertex, mesh->vertex_count * sizeof *to->vertex);
    for (uint32_t i = 0; i < mesh->quad_count * 4; i++)
        to->index[i] = mesh->quad[i / 4][i % 4];
    to->chunk = chunk;
    to->triangles = (vp_triangles){.vertex = to->vertex,
                                   .index = to->index,
                                   .vertex_count = mesh->vertex_count,
                                   .triangle_count = mesh->quad_count * 2,
                                   .quads = true};
    set->triangles += mesh->quad_count * 2;
    return true;
}

static vp_status make_meshes(tree_ground *set, const vp_kernels *scalar, vp_error *error)
{
    const vp_dims n = set->chunks;
    const size_t chunks = (size_t)n.x * n.y * n.z;
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    set->mesh = calloc(chunks, sizeof *set->mesh);
    vp_status status = room != NULL && set->mesh != NULL ? VP_OK : no_memory(error);
    for (size_t i = 0; status == VP_OK && i < chunks; i++) {
        const vp_ivec3 at = vp_nth_cell(set->first, n, i);
        vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
        status = vp_mesh_chunk(set->world, scalar, at, set->surface, &mesh, error);
        if (status == VP_OK && mesh.quad_count != 0 && !keep_mesh(set, chunk_number(vp_world_chunks(set->world), at), &mesh))
            status = no_memory(error);
    }
    free(room);
    return status;
}

static vp_status make_top(tree_ground *set, const vp_kernels *scalar, vp_error *error)
{
    const vp_broadphase_def def = {.world = set->world, .kernels = scalar};
    const vp_allocator allocator = vp_allocator_default();
    vp_status status = vp_broadphase_create(&def, &set->broadphase, error);
    if (status != VP_OK)
        return status;
    const vp_kd_def nothing = {.form = VP_KD_WIDE, .kernels = scalar};
    status = vp_kd_create(&nothing, &set->empty, error);
    if (status != VP_OK)
        return status;
    if (!vp_terrain_top_create(set->surface, set->first, set->chunks, &allocator, &set->top))
        return no_memory(error);
    const vp_top_source source = {vp_broadphase_bits(set->broadphase), vp_world_voxels(set->world)};
    vp_terrain_top_derive(&set->top, &source);
    return VP_OK;
}

static vp_status make_ground(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_kernels scalar = vp_scalar_kernels();
    tree_ground *g = *out = calloc(1, sizeof *g);
    if (g == NULL)
        return no_memory(error);
    if (from->kind == &vp_kind_world) {
        g->world = from->set;
        g->chunks = vp_world_chunks(g->world); /* its whole solid surface */
    } else {
        const vp_mesh_set *of = from->set;
        g->world = of->world;
        g->surface = of->surface;
        g->first = of->first;
        g->chunks = of->chunk_box;
    }
    const vp_status status = make_top(g, &scalar, error);
    return status == VP_OK ? make_meshes(g, &scalar, error) : status;
}

/* ---- trees ---- */

/* Sets the top level as in a terrain in use, which knows where its chunks' triangles are. */
static void learn(tree_ground *g, const vp_kd_view *const *view)
{
    const vp_dims n = vp_world_chunks(g->world);
    const vp_top_source source = {vp_broadphase_bits(g->broadphase), vp_world_voxels(g->world)};
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++)
        vp_terrain_top_learn(&g->top, &source, c, view[c]->triangles.triangle_count != 0 ? &view[c]->box : NULL);
}

static vp_status make_terrain(const vp_data *from, uint32_t kind, void **out, vp_error *error)
{
    static const vp_derivation derivation = {"ground", make_ground, drop_ground};
    const void *made = NULL;
    const vp_status grounded = vp_data_derive(from, &derivation, 0, &made, error);
    if (grounded != VP_OK)
        return grounded;
    terrain_trees *t = *out = calloc(1, sizeof *t);
    if (t == NULL)
        return no_memory(error);
    tree_ground *g = t->ground = (tree_ground *)(uintptr_t)made;
    const vp_dims n = vp_world_chunks(g->world);
    const size_t chunks = (size_t)n.x * n.y * n.z;
    t->view = malloc(chunks * sizeof *t->view);
    vp_status status = t->view != NULL ? trees_begin(&t->trees, kind, g->mesh_count, g->triangles, error) : no_memory(error);
    for (size_t c = 0; status == VP_OK && c < chunks; c++)
        t->view[c] = vp_kd_view_of(g->empty);
    for (uint32_t m = 0; status == VP_OK && m < g->mesh_count; m++) {
        status = trees_add(&t->trees, &g->mesh[m].triangles, error);
        if (status == VP_OK)
            t->view[g->mesh[m].chunk] = vp_kd_view_of(t->trees.tree[m]);
    }
    if (status != VP_OK)
        return status;
    learn(g, t->view);
    return VP_OK;
}

/* No requested tree is missing, because chunks without a tree have no triangles. */
static const vp_kd_view *none(void *user, uint32_t chunk)
{
    return NULL;
}

static vp_status derive(const vp_data *of, uint32_t kind, const terrain_trees **out, vp_error *error)
{
    static const vp_derivation derivation = {"terrain", make_terrain, drop_terrain};
    const void *made = NULL;
    if (of->kind != &vp_kind_world && (of->kind != &vp_kind_meshes || !vp_has_terrain(of->set)))
        return vp_fail(error, VP_E_ARGUMENT, "%s has no terrain", of->name);
    const vp_status status = vp_data_derive(of, &derivation, kind, &made, error);
    *out = made;
    return status;
}

vp_status vp_derive_terrain(const vp_data *of, uint32_t kind, vp_terrain_view *out, vp_error *error)
{
    const terrain_trees *t = NULL;
    const vp_status status = derive(of, kind, &t, error);
    if (status != VP_OK)
        return status;
    const tree_ground *g = t->ground;
    *out = (vp_terrain_view){.bits = vp_broadphase_bits(g->broadphase),
                             .surface = g->surface,
                             .first = g->first,
                             .chunks = g->chunks,
                             .box = vp_chunks_box(g->first, g->chunks),
                             .top = vp_terrain_top_view(&g->top),
                             .tree = t->view,
                             .find = none,
                             .make = none};
    return VP_OK;
}

vp_status vp_terrain_bytes(const vp_data *of, uint32_t kind, double *bytes, uint64_t *triangles, vp_error *error)
{
    const terrain_trees *t = NULL;
    uint64_t sum = 0;
    const vp_status status = derive(of, kind, &t, error);
    if (status != VP_OK)
        return status;
    for (uint32_t m = 0; m < t->ground->mesh_count; m++) {
        const vp_triangles *mesh = &vp_kd_view_of(t->trees.tree[m])->triangles;
        sum += vp_kd_memory_of(t->trees.tree[m]).bytes;
        if (mesh->vertex != NULL)
            sum += mesh->vertex_count * sizeof *mesh->vertex + (uint64_t)mesh->triangle_count * (mesh->quads ? 2 : 3) * sizeof *mesh->index;
    }
    *triangles = t->ground->triangles;
    *bytes = *triangles != 0 ? (double)sum / (double)*triangles : 0.0;
    return VP_OK;
}

/* ---- questions ---- */

vp_status vp_terrain_rays(const vp_data *rays, const vp_ray_set **out, vp_error *error)
{
    uint64_t number;
    *out = rays->set;
    return vp_is_fuzz(rays->name, &number) ? vp_fuzz_terrain_rays(rays->store, rays->name, out, error) : VP_OK;
}

vp_status vp_terrain_boxes(const vp_data *mesh_boxes, const vp_aabb **box, uint32_t *count, vp_error *error)
{
    const vp_mesh_box_set *set = mesh_boxes->set;
    const vp_data *boxes;
    uint64_t number;
    *box = set->box;
    *count = set->count;
    if (!vp_is_fuzz(mesh_boxes->name, &number))
        return VP_OK;
    const vp_status status = vp_store_open(mesh_boxes->store, &vp_kind_boxes, mesh_boxes->name, &boxes, error);
    if (status == VP_OK) {
        const vp_box_set *of_world = boxes->set;
        *box = of_world->box;
        *count = of_world->count;
    }
    return status;
}
