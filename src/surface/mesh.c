/* SPDX-License-Identifier: MIT */
/* Meshes of many chunks, from chunks' meshes (mesher.c). Each chunk is meshed by itself, then shared
 * vertices are merged.
 *
 * Only cells between two chunks are shared, at coordinate -1 or 7 of a chunk. Such a cell's vertex belongs to the
 * first chunk, in the order of their numbers, that has a quad at it. The others look it up there. A chunk's vertices
 * are in the order of their cells, and a vertex determines its cell, so a lookup is a binary search. All steps
 * except the sums of counts are independent for each chunk, so they are done in parallel, and the result does not
 * depend on the threads. */
#include <voxphys/mesh.h>

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"
#include "src/world/world_internal.h"

#include <math.h>
#include <string.h>

/* Data of a chunk, each array with one more entry at the end. */
typedef struct chunk_entry {
    uint32_t vertices; /* place of its first vertex among those of all chunks */
    uint32_t quads;    /* place of its first quad */
    uint32_t owned;    /* place in the mesh of the first vertex that belongs to it */
} chunk_entry;

typedef struct mesh_job {
    vp_voxels voxels;
    vp_surface surface;
    vp_ivec3 first;
    vp_dims chunks;
    vp_kernels kernels;
    uint32_t chunk_count, piece_count;
    chunk_entry *entry;
    vp_vec3 *vertex; /* of all chunks */
    uint32_t *rank;  /* for each of them, its number among those that belong to its chunk, or NOT_OWNED */
    vp_mesh *out;
} mesh_job;

#define NOT_OWNED UINT32_MAX

/* ---- chunks and cells ---- */

static vp_ivec3 chunk_at(const mesh_job *j, uint32_t number)
{
    vp_dims n = j->chunks;
    return (vp_ivec3){j->first.x + (int32_t)(number % n.x), j->first.y + (int32_t)(number / n.x / n.z),
                      j->first.z + (int32_t)(number / n.x % n.z)};
}

static vp_chunk_mesh fill_chunk_mesh(const mesh_job *j, uint32_t number, vp_chunk_mesh_room *room)
{
    vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
    vp_ivec3 c = chunk_at(j, number);
    j->kernels.mesh_chunk(&j->voxels, (uint32_t)c.x, (uint32_t)c.y, (uint32_t)c.z, (uint32_t)j->surface, &mesh);
    return mesh;
}

/* A vertex lies strictly inside its cell, which begins at the centre of a voxel. The difference is exact. */
static vp_ivec3 cell_of(vp_vec3 v)
{
    return (vp_ivec3){(int32_t)floorf(v.x - 0.5f), (int32_t)floorf(v.y - 0.5f), (int32_t)floorf(v.z - 0.5f)};
}

/* Compares in the order of a chunk's vertices. */
static bool is_cell_before(vp_ivec3 a, vp_ivec3 b)
{
    return a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : a.x < b.x;
}

/* Whether a chunk's cells on an axis, from its -1 to 7, include this one. */
static bool is_in_reach(int32_t chunk, int32_t cell)
{
    return cell >= chunk * 8 - 1 && cell <= chunk * 8 + 7;
}

/* The number, among those of all chunks, of a chunk's vertex in a cell. @return false if the cell has none there */
static bool find_cell(const mesh_job *j, uint32_t chunk, vp_ivec3 cell, uint32_t *at)
{
    vp_ivec3 c = chunk_at(j, chunk);
    if (!is_in_reach(c.x, cell.x) || !is_in_reach(c.y, cell.y) || !is_in_reach(c.z, cell.z))
        return false;
    uint32_t low = j->entry[chunk].vertices, end = j->entry[chunk + 1].vertices, high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_cell_before(cell_of(j->vertex[middle]), cell))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == end || is_cell_before(cell, cell_of(j->vertex[low])))
        return false;
    *at = low;
    return true;
}

/* The first chunk that has a vertex in the same cell as vertex `at` of `chunk`, and that vertex. */
static uint32_t owner_of(const mesh_job *j, uint32_t chunk, uint32_t at, uint32_t *owners_vertex)
{
    vp_dims n = j->chunks;
    vp_ivec3 cell = cell_of(j->vertex[at]), c = chunk_at(j, chunk);
    *owners_vertex = at;
    if (cell.x >= c.x * 8 && cell.y >= c.y * 8 && cell.z >= c.z * 8)
        return chunk; /* all other chunks come later */
    for (int32_t y = -1; y <= 0; y++)
        for (int32_t z = -1; z <= 1; z++)
            for (int32_t x = -1; x <= 1; x++) {
                vp_ivec3 other = {c.x + x - j->first.x, c.y + y - j->first.y, c.z + z - j->first.z};
                if (!vp_voxel_inside(n, other))
                    continue;
                uint32_t number = vp_chunk_number(n, (uint32_t)other.x, (uint32_t)other.y, (uint32_t)other.z);
                if (number >= chunk)
                    return chunk;
                if (find_cell(j, number, cell, owners_vertex))
                    return number;
            }
    return chunk;
}

/* ---- the steps ---- */

/* The chunks of a piece of work, [*begin, *end). */
static void chunks_of(const mesh_job *j, uint32_t piece, uint32_t *begin, uint32_t *end)
{
    *begin = (uint32_t)((uint64_t)j->chunk_count * piece / j->piece_count);
    *end = (uint32_t)((uint64_t)j->chunk_count * (piece + 1) / j->piece_count);
}

static void count_piece(void *argument, uint32_t piece)
{
    mesh_job *j = argument;
    vp_chunk_mesh_room room;
    uint32_t c, end;
    for (chunks_of(j, piece, &c, &end); c < end; c++) {
        vp_chunk_mesh mesh = fill_chunk_mesh(j, c, &room);
        j->entry[c] = (chunk_entry){mesh.vertex_count, mesh.quad_count, 0};
    }
}

/* Copies vertices to a temporary place, and quads to their final one, with their chunk's vertex numbers. */
static void fill_piece(void *argument, uint32_t piece)
{
    mesh_job *j = argument;
    vp_chunk_mesh_room room;
    uint32_t c, end;
    for (chunks_of(j, piece, &c, &end); c < end; c++) {
        const chunk_entry *e = &j->entry[c];
        if (e[1].quads == e[0].quads)
            continue;
        vp_chunk_mesh mesh = fill_chunk_mesh(j, c, &room);
        memcpy(j->vertex + e->vertices, mesh.vertex, mesh.vertex_count * sizeof *mesh.vertex);
        memcpy(j->out->material + e->quads, mesh.material, mesh.quad_count);
        for (uint32_t q = 0; q < mesh.quad_count; q++)
            for (int i = 0; i < 4; i++)
                j->out->quad[e->quads + q][i] = mesh.quad[q][i];
    }
}

static void rank_piece(void *argument, uint32_t piece)
{
    mesh_job *j = argument;
    uint32_t c, end, ignored;
    for (chunks_of(j, piece, &c, &end); c < end; c++) {
        uint32_t owned = 0;
        for (uint32_t v = j->entry[c].vertices; v < j->entry[c + 1].vertices; v++)
            j->rank[v] = owner_of(j, c, v, &ignored) == c ? owned++ : NOT_OWNED;
        j->entry[c].owned = owned;
    }
}

static void number_piece(void *argument, uint32_t piece)
{
    mesh_job *j = argument;
    uint32_t number[VP_CHUNK_MESH_VERTICES], c, end;
    for (chunks_of(j, piece, &c, &end); c < end; c++) {
        const chunk_entry *e = &j->entry[c];
        for (uint32_t v = e[0].vertices; v < e[1].vertices; v++) {
            uint32_t owners = v;
            uint32_t owner = j->rank[v] != NOT_OWNED ? c : owner_of(j, c, v, &owners);
            number[v - e->vertices] = j->entry[owner].owned + j->rank[owners];
            if (owner == c)
                j->out->vertex[number[v - e->vertices]] = j->vertex[v];
        }
        for (uint32_t q = e[0].quads; q < e[1].quads; q++)
            for (int i = 0; i < 4; i++)
                j->out->quad[q][i] = number[j->out->quad[q][i]];
    }
}

/* Turns counts into start places. */
static void sum_counts(mesh_job *j)
{
    chunk_entry sum = {0, 0, 0};
    for (uint32_t c = 0; c <= j->chunk_count; c++) {
        chunk_entry count = c < j->chunk_count ? j->entry[c] : (chunk_entry){0, 0, 0};
        j->entry[c] = sum;
        sum.vertices += count.vertices;
        sum.quads += count.quads;
    }
}

static void sum_owned_vertices(mesh_job *j)
{
    uint32_t sum = 0;
    for (uint32_t c = 0; c <= j->chunk_count; c++) {
        uint32_t count = c < j->chunk_count ? j->entry[c].owned : 0;
        j->entry[c].owned = sum;
        sum += count;
    }
}

static bool build_mesh(mesh_job *j, const vp_executor *executor)
{
    vp_mesh *out = j->out;
    executor->parallel_for(executor->user, j->piece_count, count_piece, j);
    sum_counts(j);
    uint32_t vertices = j->entry[j->chunk_count].vertices;
    out->quad_count = j->entry[j->chunk_count].quads;
    if (out->quad_count == 0)
        return true;
    j->vertex = vp_allocate(&out->allocator, vertices, sizeof *j->vertex);
    j->rank = vp_allocate(&out->allocator, vertices, sizeof *j->rank);
    out->quad = vp_allocate(&out->allocator, out->quad_count, sizeof *out->quad);
    out->material = vp_allocate(&out->allocator, out->quad_count, 1);
    bool done = j->vertex != NULL && j->rank != NULL && out->quad != NULL && out->material != NULL;
    if (done) {
        executor->parallel_for(executor->user, j->piece_count, fill_piece, j);
        executor->parallel_for(executor->user, j->piece_count, rank_piece, j);
        sum_owned_vertices(j);
        out->vertex_count = j->entry[j->chunk_count].owned;
        out->vertex = vp_allocate(&out->allocator, out->vertex_count, sizeof *out->vertex);
        done = out->vertex != NULL;
    }
    if (done)
        executor->parallel_for(executor->user, j->piece_count, number_piece, j);
    vp_release(&out->allocator, j->vertex, vertices, sizeof *j->vertex);
    vp_release(&out->allocator, j->rank, vertices, sizeof *j->rank);
    return done;
}

/* ---- checks ---- */

static vp_status check_surface(vp_surface surface, vp_error *error)
{
    if ((unsigned)surface >= VP_SURFACE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "surface is %d; must be 0 (solid) or 1 (water)", (int)surface);
    return VP_OK;
}

static vp_status choose_kernels(const vp_kernels *given, vp_kernels *out, vp_error *error)
{
    if (given == NULL)
        return vp_kernels_default(out, error);
    *out = *given;
    return VP_OK;
}

vp_status vp_mesh_chunk(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk, vp_surface surface, vp_chunk_mesh *out,
                        vp_error *error)
{
    VP_RETURN_IF_NULL(error, world, out);
    vp_kernels table;
    vp_dims n = world->chunks;
    VP_RETURN_IF_FAILED(check_surface(surface, error));
    if (!vp_voxel_inside(n, chunk))
        return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) is outside a world of %u x %u x %u chunks", chunk.x, chunk.y, chunk.z, n.x,
                       n.y, n.z);
    VP_RETURN_IF_FAILED(choose_kernels(kernels, &table, error));
    vp_voxels voxels = vp_world_voxels(world);
    table.mesh_chunk(&voxels, (uint32_t)chunk.x, (uint32_t)chunk.y, (uint32_t)chunk.z, (uint32_t)surface, out);
    return vp_succeed(error);
}

static bool is_in_size(int32_t first, uint32_t count, uint32_t size)
{
    return first >= 0 && count != 0 && (uint32_t)first < size && count <= size - (uint32_t)first;
}

vp_status vp_mesh_create(const vp_mesh_def *def, vp_mesh *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    if (def->world == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_mesh_def.world is NULL");
    vp_dims n = def->world->chunks, box = def->chunks;
    vp_ivec3 first = def->first;
    if (box.x == 0 && box.y == 0 && box.z == 0 && first.x == 0 && first.y == 0 && first.z == 0)
        box = n;
    if (!is_in_size(first.x, box.x, n.x) || !is_in_size(first.y, box.y, n.y) || !is_in_size(first.z, box.z, n.z))
        return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u chunks from (%d, %d, %d) on are not a box in a world of %u x %u x %u chunks",
                       box.x, box.y, box.z, first.x, first.y, first.z, n.x, n.y, n.z);
    mesh_job j = {.voxels = vp_world_voxels(def->world), .surface = def->surface, .first = first, .chunks = box};
    VP_RETURN_IF_FAILED(check_surface(def->surface, error));
    VP_RETURN_IF_FAILED(choose_kernels(def->kernels, &j.kernels, error));

    enum { PIECES_A_THREAD = 16 }; /* chunks at the ground are all the work, so small pieces spread them */
    vp_executor executor = vp_executor_or_serial(def->executor);
    vp_mesh mesh = {.allocator = vp_allocator_or_default(def->allocator)};
    j.chunk_count = (uint32_t)vp_chunk_count(box);
    j.piece_count = executor.thread_count > 1 ? PIECES_A_THREAD : 1;
    if (j.piece_count != 1 && executor.thread_count < j.chunk_count / PIECES_A_THREAD)
        j.piece_count *= executor.thread_count;
    if (j.piece_count > j.chunk_count)
        j.piece_count = j.chunk_count;
    j.out = &mesh;
    j.entry = vp_allocate(&mesh.allocator, (size_t)j.chunk_count + 1, sizeof *j.entry);
    bool done = j.entry != NULL && build_mesh(&j, &executor);
    vp_release(&mesh.allocator, j.entry, (size_t)j.chunk_count + 1, sizeof *j.entry);
    if (!done) {
        vp_mesh_destroy(&mesh);
        return vp_fail(error, VP_E_MEMORY, "no memory for the mesh of %u x %u x %u chunks", box.x, box.y, box.z);
    }
    *out = mesh;
    return vp_succeed(error);
}

void vp_mesh_destroy(vp_mesh *mesh)
{
    if (mesh == NULL)
        return;
    vp_release(&mesh->allocator, mesh->vertex, mesh->vertex_count, sizeof *mesh->vertex);
    vp_release(&mesh->allocator, mesh->quad, mesh->quad_count, sizeof *mesh->quad);
    vp_release(&mesh->allocator, mesh->material, mesh->quad_count, 1);
    *mesh = (vp_mesh){0};
}
