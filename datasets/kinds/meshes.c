/* SPDX-License-Identifier: MIT */
/* Sets of meshes: their memory, and the meshes of worlds, one per chunk or one of many chunks. The scalar mesher makes
 * them, so they depend on no other version.
 *
 * Some triangles of one set are made degenerate, because the mesher never makes degenerate ones. Two corners are the
 * same vertex, or all three are, or the third corner is the midpoint of the others, or a triangle is repeated. The
 * midpoint of two vertices is exact in binary32, so such corners are exactly collinear. */

#include "src/core/error.h"
#include "datasets/fuzz.h"
#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/kinds/mesh_pick.h"

#include <jansson.h>
#include <stdlib.h>

enum { CHUNKS_MAX = 256 };

/* Meshes of a world's surface. */
typedef struct vp_meshes_params {
    float surface;                      /* a vp_surface */
    float share;                        /* share of triangles made degenerate */
    float first_x, first_y, first_z;    /* a box of chunks ... */
    float chunks_x, chunks_y, chunks_z; /* ... and its extents; all 0: the whole world */
} vp_meshes_params;

/* ---- memory ---- */

static void *array(uint64_t count, size_t bytes)
{
    return calloc(count == 0 ? 1 : (size_t)count, bytes);
}

/* Creates an empty set with the capacity of `of`'s counts. */
static vp_status create(const char *name, const vp_mesh_set *of, vp_mesh_set *out, vp_error *error)
{
    vp_mesh_set set = {.chunks = of->chunks};
    set.mesh = array(of->count, sizeof *set.mesh);
    set.material = array(of->count, sizeof *set.material);
    set.box = array(of->count, sizeof *set.box);
    set.vertex = array(of->vertex_count, sizeof *set.vertex);
    set.index = array(of->index_count, sizeof *set.index);
    set.material_of = array(of->material_count, 1);
    if (set.mesh == NULL || set.material == NULL || set.box == NULL || set.vertex == NULL || set.index == NULL || set.material_of == NULL) {
        vp_mesh_set_destroy(&set);
        return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u meshes of %llu triangles", name, of->count,
                       (unsigned long long)of->triangle_count);
    }
    *out = set;
    return VP_OK;
}

/* Appends the data written after the arrays' ends as one more mesh. */
static void append(vp_mesh_set *set, uint32_t vertices, uint32_t triangles, bool quads)
{
    vp_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    vp_triangles *mesh = &set->mesh[set->count];
    *mesh = (vp_triangles){set->vertex + set->vertex_count, set->index + set->index_count, vertices, triangles, quads};
    for (uint32_t i = 0; i < vertices; i++) {
        const vp_vec3 v = mesh->vertex[i];
        box.min = (vp_vec3){v.x < box.min.x ? v.x : box.min.x, v.y < box.min.y ? v.y : box.min.y, v.z < box.min.z ? v.z : box.min.z};
        box.max = (vp_vec3){v.x > box.max.x ? v.x : box.max.x, v.y > box.max.y ? v.y : box.max.y, v.z > box.max.z ? v.z : box.max.z};
    }
    set->material[set->count] = set->material_of + set->material_count;
    set->box[set->count++] = box;
    set->triangle_count += triangles;
    set->vertex_count += vertices;
    set->index_count += quads ? (uint64_t)triangles * 2 : (uint64_t)triangles * 3;
    set->material_count += quads ? triangles / 2 : triangles;
}

/* ---- chunks ---- */

/* The functions below are called with this for each chunk that has a surface. */
typedef struct chunk_taker {
    vp_mesh_set *set;
    vp_random random;
    float share; /* share of triangles made degenerate */
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

/* Adds at most one vertex per triangle. */
static void count_degenerate(chunk_taker *to, const vp_chunk_mesh *mesh)
{
    to->set->count++;
    to->set->vertex_count += mesh->vertex_count + (uint64_t)mesh->quad_count * 2;
    to->set->index_count += (uint64_t)mesh->quad_count * 6;
    to->set->material_count += (uint64_t)mesh->quad_count * 2;
    to->set->triangle_count += (uint64_t)mesh->quad_count * 2;
}

/* Makes triangle t degenerate in one of four ways. @return the new number of vertices */
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

/* Passes on the chunks' meshes in the order of their numbers, without empty ones. */
static vp_status visit(const vp_world *world, vp_surface surface, vp_chunk_mesh_room *room, chunk_taker *to, vp_error *error)
{
    const vp_dims n = vp_world_chunks(world);
    const vp_kernels scalar = vp_scalar_kernels();
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++) {
        const vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
        VP_RETURN_IF_FAILED(vp_mesh_chunk(world, &scalar, chunk, surface, &mesh, error));
        if (mesh.quad_count > 0)
            to->take(to, &mesh);
    }
    return VP_OK;
}

static vp_status make_chunks(const vp_making *from, const vp_world *world, bool spoilt, vp_mesh_set *out, vp_error *error)
{
    const char *name = from->dataset->name;
    const vp_meshes_params *p = from->params;
    const vp_surface surface = (vp_surface)p->surface;
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    if (room == NULL)
        return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for a chunk's mesh", name);
    vp_mesh_set most = {.chunks = true};
    chunk_taker to = {&most, {from->seed}, p->share, spoilt ? count_degenerate : count_quads};
    vp_status status = visit(world, surface, room, &to, error);
    if (status == VP_OK && most.count == 0)
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": the world \"%.60s\" has no surface", name, from->dataset->world);
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

static vp_status make_one(const vp_making *from, const vp_world *world, vp_mesh_set *out, vp_error *error)
{
    const vp_meshes_params *p = from->params;
    const vp_kernels scalar = vp_scalar_kernels();
    vp_mesh mesh = {0};
    const vp_mesh_def def = {.world = world,
                             .surface = (vp_surface)p->surface,
                             .first = {(int32_t)p->first_x, (int32_t)p->first_y, (int32_t)p->first_z},
                             .chunks = {(uint32_t)p->chunks_x, (uint32_t)p->chunks_y, (uint32_t)p->chunks_z},
                             .kernels = &scalar};
    vp_status status = vp_mesh_create(&def, &mesh, error);
    if (status == VP_OK && mesh.quad_count == 0)
        status =
            vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": the world \"%.60s\" has no surface there", from->dataset->name, from->dataset->world);
    const vp_mesh_set most = {.count = 1,
                              .triangle_count = (uint64_t)mesh.quad_count * 2,
                              .vertex_count = mesh.vertex_count,
                              .index_count = (uint64_t)mesh.quad_count * 4,
                              .material_count = mesh.quad_count};
    if (status == VP_OK)
        status = create(from->dataset->name, &most, out, error);
    if (status == VP_OK) {
        memcpy(out->vertex, mesh.vertex, mesh.vertex_count * sizeof *mesh.vertex);
        memcpy(out->index, mesh.quad, mesh.quad_count * sizeof *mesh.quad);
        memcpy(out->material_of, mesh.material, mesh.quad_count);
        append(out, mesh.vertex_count, mesh.quad_count * 2, true);
    }
    vp_mesh_destroy(&mesh);
    return status;
}

static void name_world(const vp_making *from, const vp_world *world, vp_mesh_set *out)
{
    const vp_meshes_params *p = from->params;
    out->world = world;
    out->surface = (vp_surface)p->surface;
    out->first = (vp_ivec3){(int32_t)p->first_x, (int32_t)p->first_y, (int32_t)p->first_z};
    out->chunk_box = (vp_dims){(uint32_t)p->chunks_x, (uint32_t)p->chunks_y, (uint32_t)p->chunks_z};
    if (out->chunk_box.x == 0) /* all 0 means all chunks, like in vp_mesh_def */
        out->chunk_box = vp_world_chunks(world);
}

/* ---- a set ---- */

/* Opens the world and makes its meshes: one per chunk, with or without degenerate triangles, or a single one. */
static vp_status make_of(const vp_making *from, bool one, bool spoilt, void **set, vp_error *error)
{
    const vp_data *world;
    const vp_dataset *d = from->dataset;
    vp_mesh_set *meshes = *set;
    VP_RETURN_IF_FAILED(vp_store_open(from->store, &vp_kind_world, d->world, &world, error));
    VP_RETURN_IF_FAILED(one ? make_one(from, world->set, meshes, error) : make_chunks(from, world->set, spoilt, meshes, error));
    if (one)
        name_world(from, world->set, meshes);
    if (meshes->count != d->count)
        return vp_fail(error, VP_E_FORMAT, "data set \"%s\" has %u meshes, but the manifest says %u", from->name, meshes->count, d->count);
    return VP_OK;
}

static vp_status make_chunk_meshes(const vp_making *from, void **set, vp_error *error)
{
    return make_of(from, false, false, set, error);
}

static vp_status make_degenerate(const vp_making *from, void **set, vp_error *error)
{
    return make_of(from, false, true, set, error);
}

static vp_status make_mesh(const vp_making *from, void **set, vp_error *error)
{
    return make_of(from, true, false, set, error);
}

/* ---- the kind ---- */

/* Hashes the number of meshes. For each mesh it hashes the numbers of vertices and triangles, the quads flag, the
 * vertices, indices and materials. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_mesh_set *meshes = set;
    vp_hash_u32(h, meshes->count);
    for (uint32_t i = 0; i < meshes->count; i++) {
        const vp_triangles *m = &meshes->mesh[i];
        const size_t half = m->triangle_count / 2;
        vp_hash_u32(h, m->vertex_count);
        vp_hash_u32(h, m->triangle_count);
        vp_hash_u32(h, m->quads);
        vp_hash_words(h, m->vertex, (size_t)m->vertex_count * 3);
        vp_hash_words(h, m->index, m->quads ? half * 4 : (size_t)m->triangle_count * 3);
        vp_hash_bytes(h, meshes->material[i], m->quads ? half : m->triangle_count);
    }
}

static void add_mesh(vp_text *to, const vp_triangles *mesh, const uint8_t *material)
{
    const uint32_t corners = mesh->quads ? 4 : 3;
    const uint32_t faces = mesh->quads ? mesh->triangle_count / 2 : mesh->triangle_count;
    vp_text_add_points(to, "{\"vertices\": [", mesh->vertex, mesh->vertex_count);
    vp_text_add(to, "], \"%s\": [", mesh->quads ? "quads" : "triangles");
    for (uint32_t i = 0; i < faces; i++) {
        const uint32_t *at = mesh->index + (size_t)i * corners;
        vp_text_add(to, "%s[%u, %u, %u", i == 0 ? "" : ", ", at[0], at[1], at[2]);
        if (mesh->quads)
            vp_text_add(to, ", %u", at[3]);
        vp_text_add(to, "]");
    }
    vp_text_add(to, "], \"materials\": [");
    for (uint32_t i = 0; i < faces; i++)
        vp_text_add(to, "%s%u", i == 0 ? "" : ", ", (unsigned)material[i]);
    vp_text_add(to, "]}\n");
}

static void lines(const void *set, vp_text *to)
{
    const vp_mesh_set *meshes = set;
    for (uint32_t i = 0; i < meshes->count; i++)
        add_mesh(to, &meshes->mesh[i], meshes->material[i]);
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_mesh_set *m = data->set;
    const uint64_t bytes = m->vertex_count * sizeof *m->vertex + m->index_count * sizeof *m->index + m->material_count;
    (void)error;
    *out = json_pack("{s:i, s:b, s:I, s:I, s:I}", "meshes", (int)m->count, "chunks", m->chunks, "triangles", (json_int_t)m->triangle_count,
                     "vertices", (json_int_t)m->vertex_count, "bytes", (json_int_t)bytes);
    return VP_OK;
}

vp_status vp_count_meshes(const vp_data *data, const char *what, const uint32_t *mesh, uint32_t count, size_t bytes, json_t **out,
                          vp_error *error)
{
    const vp_mesh_set *meshes = data->owner->set;
    json_int_t distinct = 0;
    uint8_t *seen = calloc(meshes->count, 1);
    if (seen == NULL)
        return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory to count its meshes", data->name);
    for (uint32_t i = 0; i < count; i++) {
        distinct += seen[mesh[i]] == 0;
        seen[mesh[i]] = 1;
    }
    free(seen);
    *out = json_pack("{s:i, s:I, s:I}", what, (int)count, "meshes", distinct, "bytes", (json_int_t)(count * (sizeof *mesh + bytes)));
    return VP_OK;
}

VP_KIND_DROP(vp_mesh_set_destroy)

static const vp_param chunk_meshes_params[] = {VP_PARAM_WHOLE(vp_meshes_params, surface, 0, 1), {0}};
static const vp_param degenerate_params[] = {VP_PARAM_WHOLE(vp_meshes_params, surface, 0, 1), VP_PARAM(vp_meshes_params, share, 0, 1), {0}};
static const vp_param mesh_params[] = {
    VP_PARAM_WHOLE(vp_meshes_params, surface, 0, 1),           VP_PARAM_WHOLE(vp_meshes_params, first_x, 0, CHUNKS_MAX),
    VP_PARAM_WHOLE(vp_meshes_params, first_y, 0, CHUNKS_MAX),  VP_PARAM_WHOLE(vp_meshes_params, first_z, 0, CHUNKS_MAX),
    VP_PARAM_WHOLE(vp_meshes_params, chunks_x, 0, CHUNKS_MAX), VP_PARAM_WHOLE(vp_meshes_params, chunks_y, 0, CHUNKS_MAX),
    VP_PARAM_WHOLE(vp_meshes_params, chunks_z, 0, CHUNKS_MAX), {0},
};
static const vp_generator generators[] = {{.name = "chunk-meshes", .param = chunk_meshes_params, .make = make_chunk_meshes},
                                          {.name = "degenerate", .param = degenerate_params, .make = make_degenerate},
                                          {.name = "mesh", .param = mesh_params, .make = make_mesh},
                                          {0}};

const vp_kind vp_kind_meshes = {
    .name = "meshes",
    .words = "meshes",
    .bytes = sizeof(vp_mesh_set),
    .one = "set of meshes",
    .alone = "meshes stand alone; after the slash comes a set of rays or of their boxes, as in "
             "chunks/coherent",
    .member = (const char *const[]){"world", "count", "params", "hash", NULL},
    .generator = generators,
    .fuzz = vp_fuzz_of_stream,
    .count = vp_set_count,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
