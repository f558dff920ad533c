/* SPDX-License-Identifier: MIT */
/* The terrain that rays and boxes are asked of: the mesh of every chunk of a world, and a tree over each, by the reference, in the
 * forms that are asked for. All trees are there. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>
#include <voxphys/mesh.h>

#include "src/core/error.h"
#include "src/terrain/walk.h"
#include "src/terrain/top.h"

/* A chunk with triangles. */
typedef struct chunk_mesh {
    uint32_t chunk; /* in its world */
    vp_triangles triangles;
    vp_vec3 *vertex;
    uint32_t *index, *plain; /* of quads; of their triangles, if these were asked for */
} chunk_mesh;

struct vp_terrain_set {
    const vp_world *world;
    vp_surface surface;
    vp_ivec3 first;
    vp_dims chunks;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    chunk_mesh *mesh;
    uint32_t mesh_count;
    uint64_t triangles;
    vp_kd **tree[VP_TREE_KINDS];            /* of each mesh */
    const vp_kd_view **view[VP_TREE_KINDS]; /* of each chunk of the world */
    vp_kd *empty; /* the tree of chunks without triangles */
    bool failed;  /* something could not be made, and is not tried again */
};

vp_terrain_set *vp_terrain_set_create(const vp_world *world, vp_surface surface, vp_ivec3 first, vp_dims chunks)
{
    vp_terrain_set *set = calloc(1, sizeof *set);
    if (set != NULL) {
        set->world = world;
        set->surface = surface;
        set->first = first;
        set->chunks = chunks;
    }
    return set;
}

void vp_terrain_set_destroy(vp_terrain_set *set)
{
    if (set == NULL)
        return;
    for (int f = 0; f < VP_TREE_KINDS; f++) {
        for (uint32_t m = 0; set->tree[f] != NULL && m < set->mesh_count; m++)
            vp_kd_destroy(set->tree[f][m]);
        free(set->tree[f]);
        free(set->view[f]);
    }
    for (uint32_t m = 0; m < set->mesh_count; m++) {
        free(set->mesh[m].vertex);
        free(set->mesh[m].index);
        free(set->mesh[m].plain);
    }
    free(set->mesh);
    if (set->top.node != NULL)
        vp_terrain_top_destroy(&set->top);
    vp_kd_destroy(set->empty);
    vp_broadphase_destroy(set->broadphase);
    free(set);
}

uint64_t vp_terrain_set_triangles(const vp_terrain_set *set)
{
    return set->triangles;
}

double vp_workload_terrain_bytes(const vp_workload *workload)
{
    const vp_terrain_set *set = workload->terrain;
    vp_kd *const *tree = set->tree[vp_workload_kind(workload) - vp_tree_kinds];
    uint64_t bytes = 0;
    for (uint32_t m = 0; m < set->mesh_count; m++) {
        const vp_triangles *t = &vp_kd_view_of(tree[m])->triangles;
        bytes += vp_kd_memory_of(tree[m]).bytes;
        if (t->vertex != NULL)
            bytes += t->vertex_count * sizeof *t->vertex + (uint64_t)t->triangle_count * (t->quads ? 2 : 3) * sizeof *t->index;
    }
    return set->triangles != 0 ? (double)bytes / (double)set->triangles : 0.0;
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

static bool keep_mesh(vp_terrain_set *set, uint32_t chunk, const vp_chunk_mesh *mesh)
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

static vp_status make_meshes(vp_terrain_set *set, const vp_kernels *scalar, vp_error *error)
{
    const size_t chunks = (size_t)set->chunks.x * set->chunks.y * set->chunks.z;
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    set->mesh = calloc(chunks, sizeof *set->mesh);
    vp_status status = room != NULL && set->mesh != NULL ? VP_OK : no_memory(error);
    for (size_t i = 0; status == VP_OK && i < chunks; i++) {
        const vp_ivec3 at = {set->first.x + (int32_t)(i % set->chunks.x),
                             set->first.y + (int32_t)(i / set->chunks.x / set->chunks.z),
                             set->first.z + (int32_t)(i / set->chunks.x % set->chunks.z)};
        vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
        status = vp_mesh_chunk(set->world, scalar, at, set->surface, &mesh, error);
        if (status == VP_OK && mesh.quad_count != 0 && !keep_mesh(set, chunk_number(vp_world_chunks(set->world), at), &mesh))
            status = no_memory(error);
    }
    free(room);
    return status;
}

static vp_status make_top(vp_terrain_set *set, const vp_kernels *scalar, vp_error *error)
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

/* ---- trees ---- */

/* The top level of a terrain that has been in use knows where its chunks' triangles are. */
static void learn(vp_terrain_set *set, const vp_kd_view *const *view)
{
    const vp_dims n = vp_world_chunks(set->world);
    const vp_top_source source = {vp_broadphase_bits(set->broadphase), vp_world_voxels(set->world)};
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++)
        vp_terrain_top_learn(&set->top, &source, c, view[c]->triangles.triangle_count != 0 ? &view[c]->box : NULL);
}

/* Quads as two triangles each, of the numbers that they have. */
static bool unpair(chunk_mesh *mesh, vp_triangles *out)
{
    if (mesh->plain == NULL)
        mesh->plain = malloc(mesh->triangles.triangle_count * 3 * sizeof *mesh->plain);
    if (mesh->plain == NULL)
        return false;
    for (uint32_t i = 0; i < mesh->triangles.triangle_count; i++)
        vp_triangle_corners(&mesh->triangles, i, mesh->plain + (size_t)i * 3);
    *out = mesh->triangles;
    out->index = mesh->plain;
    out->quads = false;
    return true;
}

static vp_status make_trees(vp_terrain_set *set, const vp_tree_kind *kind, const vp_kernels *scalar, vp_error *error)
{
    const vp_dims n = vp_world_chunks(set->world);
    const size_t chunks = (size_t)n.x * n.y * n.z;
    const ptrdiff_t k = kind - vp_tree_kinds;
    vp_kd **tree = set->tree[k] = calloc(set->mesh_count + 1u, sizeof *tree);
    const vp_kd_view **view = set->view[k] = malloc(chunks * sizeof *view);
    if (tree == NULL || view == NULL)
        return no_memory(error);
    for (size_t c = 0; c < chunks; c++)
        view[c] = vp_kd_view_of(set->empty);
    for (uint32_t m = 0; m < set->mesh_count; m++) {
        vp_kd_def def = {.triangles = set->mesh[m].triangles, .form = kind->form, .kernels = scalar};
        if (kind->plain && !unpair(&set->mesh[m], &def.triangles))
            return no_memory(error);
        vp_status status = vp_kd_create(&def, &tree[m], error);
        if (status != VP_OK)
            return status;
        view[set->mesh[m].chunk] = vp_kd_view_of(tree[m]);
    }
    learn(set, view);
    return VP_OK;
}

/* Nothing that is asked for is missing: chunks without a tree have no triangles. */
static const vp_kd_view *none(void *user, uint32_t chunk)
{
    (void)user, (void)chunk;
    return NULL;
}

vp_status vp_workload_terrain(const vp_workload *workload, vp_terrain_view *out, vp_error *error)
{
    vp_terrain_set *set = workload->terrain;
    const vp_tree_kind *kind = vp_workload_kind(workload);
    const ptrdiff_t k = kind - vp_tree_kinds;
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    if (set->failed)
        return no_memory(error);
    vp_status status = VP_OK;
    if (set->broadphase == NULL)
        status = make_top(set, &scalar, error);
    if (status == VP_OK && set->mesh == NULL)
        status = make_meshes(set, &scalar, error);
    if (status == VP_OK && set->view[k] == NULL)
        status = make_trees(set, kind, &scalar, error);
    set->failed = status != VP_OK;
    if (status == VP_OK)
        *out = (vp_terrain_view){.bits = vp_broadphase_bits(set->broadphase),
                                 .surface = set->surface,
                                 .first = set->first,
                                 .chunks = set->chunks,
                                 .box = vp_chunks_box(set->first, set->chunks),
                                 .top = vp_terrain_top_view(&set->top),
                                 .tree = set->view[k],
                                 .find = none,
                                 .make = none};
    return status;
}
