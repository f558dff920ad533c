/* SPDX-License-Identifier: MIT */
/* The checked functions of edge flags. The kernel computes a chunk's flags, matching its edges those of a whole mesh.
 * Also finds the chunks whose flags an edit changes, and corrects a contact's normal.
 *
 * A mesh's edges are matched by their vertices, without the voxels. All sides of quads are put into lists, one for each
 * vertex, in the list of the side's vertex with the lower number. That list contains all sides between the same two
 * vertices. A vertex has at most 24 sides, so this is linear. A quad's inside voxel follows from its winding. */
#include <voxphys/edges.h>

#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/surface/edge_fold.h"
#include "src/world/world_internal.h"

/* ---- a chunk ---- */

static bool is_same_mesh(const vp_chunk_mesh *a, const vp_chunk_mesh *b)
{
    if (a->vertex_count != b->vertex_count || a->quad_count != b->quad_count)
        return false;
    return a->quad_count == 0 || (memcmp(a->vertex, b->vertex, a->vertex_count * sizeof *a->vertex) == 0 &&
                                  memcmp(a->quad, b->quad, a->quad_count * sizeof *a->quad) == 0);
}

vp_status vp_edge_flags(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk, vp_surface surface, const vp_chunk_mesh *mesh,
                        uint8_t *flags, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world, mesh);
    VP_RETURN_IF_ARRAY_NULL(error, flags, mesh->quad_count);
    vp_kernels table;
    vp_chunk_mesh_room room;
    vp_chunk_mesh now = vp_chunk_mesh_in(&room);
    VP_RETURN_IF_FAILED(kernels != NULL ? VP_OK : vp_kernels_default(&table, error));
    if (kernels != NULL)
        table = *kernels;
    VP_RETURN_IF_FAILED(vp_mesh_chunk(world, &table, chunk, surface, &now, error));
    if (!is_same_mesh(mesh, &now))
        return vp_fail(error, VP_E_ARGUMENT,
                       "a mesh of %u vertices and %u quads is not that of chunk (%d, %d, %d), which has %u and %u now", mesh->vertex_count,
                       mesh->quad_count, chunk.x, chunk.y, chunk.z, now.vertex_count, now.quad_count);
    vp_voxels voxels = vp_world_voxels(world);
    table.edge_flags(&voxels, (uint32_t)chunk.x, (uint32_t)chunk.y, (uint32_t)chunk.z, (uint32_t)surface, mesh, flags);
    return vp_succeed(error);
}

/* ---- a whole mesh ---- */

/* A quad's vertices in 1/256 of a voxel from the first place of cell (0, 0, 0), and its inside voxel. */
typedef struct quad_shape {
    vp_whole3 corner[4];
    int32_t inside[3]; /* the inside voxel */
} quad_shape;

/* Whether a coordinate is on the lattice of vertices, in cells from -1 on of a world of the largest extent. */
static bool is_on_lattice(float v, int32_t extent)
{
    if (!(v > -0.5f && v < (float)extent + 0.5f))
        return false;
    float scaled = v * 512.0f;
    return scaled == floorf(scaled) && ((int32_t)scaled & 1) != 0;
}

static vp_whole3 whole_of(vp_vec3 v)
{
    return (vp_whole3){{((int32_t)(v.x * 512.0f) - 257) / 2, ((int32_t)(v.y * 512.0f) - 257) / 2, ((int32_t)(v.z * 512.0f) - 257) / 2}};
}

/* Cells are at least -1. */
static int32_t cell_of(int32_t whole)
{
    return (whole + 256) / 256 - 1;
}

/* Returns false if the corners are not those of a quad around an edge of the grid. */
static bool shape_of(const vp_mesh *mesh, uint32_t quad, quad_shape *out)
{
    int32_t cell[4][3], axis = -1;
    for (int i = 0; i < 4; i++) {
        out->corner[i] = whole_of(mesh->vertex[mesh->quad[quad][i]]);
        for (int k = 0; k < 3; k++)
            cell[i][k] = cell_of(out->corner[i].at[k]);
    }
    for (int k = 0; k < 3; k++)
        if (cell[0][k] == cell[2][k]) {
            if (axis >= 0)
                return false;
            axis = k;
        } else if (cell[2][k] != cell[0][k] + 1) {
            return false;
        }
    if (axis < 0)
        return false;
    /* If the winding goes around the edge's direction, corner 1 is one step from corner 0 along the axis after the
       edge's in the circle x, y, z, and corner 3 along the one before. Otherwise they are swapped. */
    int after = (axis + 1) % 3, before = (axis + 2) % 3;
    bool outward = cell[1][after] != cell[0][after];
    for (int i = 1; i < 4; i += 2) {
        int along = (i == 1) == outward ? after : before;
        for (int k = 0; k < 3; k++)
            if (cell[i][k] != cell[0][k] + (k == along))
                return false;
    }
    for (int k = 0; k < 3; k++)
        out->inside[k] = cell[2][k] + (k == axis && !outward);
    return true;
}

/* Lists of sides by the lower number of their two vertices. A side's number is 4*quad + corner. */
typedef struct side_lists {
    uint32_t *end; /* end of each vertex's list, which begins at the end of the list before */
    uint32_t *side;
} side_lists;

static void find_side_ends(const vp_mesh *mesh, uint32_t side, uint32_t *from, uint32_t *to)
{
    const uint32_t *quad = mesh->quad[side / 4];
    *from = quad[side % 4];
    *to = quad[(side + 1) % 4];
}

static uint32_t list_of(const vp_mesh *mesh, uint32_t side)
{
    uint32_t from, to;
    find_side_ends(mesh, side, &from, &to);
    return from < to ? from : to;
}

/* A cell has six neighbours across faces, and up to four quads between it and each. */
enum { MAX_SIDES = 24 };

static vp_status fill_lists(const vp_mesh *mesh, side_lists *lists, vp_error *error)
{
    uint32_t sides = mesh->quad_count * 4, sum = 0;
    memset(lists->end, 0, mesh->vertex_count * sizeof *lists->end);
    for (uint32_t s = 0; s < sides; s++)
        lists->end[list_of(mesh, s)]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t count = lists->end[v];
        if (count > MAX_SIDES)
            return vp_fail(error, VP_E_ARGUMENT, "vertex %u has %u sides of quads; no vertex has more than %d", v, count, MAX_SIDES);
        lists->end[v] = sum;
        sum += count;
    }
    for (uint32_t s = 0; s < sides; s++)
        lists->side[lists->end[list_of(mesh, s)]++] = s;
    return VP_OK;
}

/* The side on the other side of a side. It goes the other way, and belongs to a quad with the same inside voxel if
   possible, otherwise to the only other quad. */
static bool find_other(const vp_mesh *mesh, const side_lists *lists, uint32_t side, const quad_shape *own, uint32_t *out)
{
    uint32_t from, to, list = list_of(mesh, side), sides = 0;
    bool found = false;
    find_side_ends(mesh, side, &from, &to);
    for (uint32_t i = list == 0 ? 0 : lists->end[list - 1]; i < lists->end[list]; i++) {
        uint32_t other = lists->side[i], other_from, other_to;
        find_side_ends(mesh, other, &other_from, &other_to);
        sides += (other_from == from && other_to == to) || (other_from == to && other_to == from);
        if (other_from != to || other_to != from)
            continue;
        quad_shape shape;
        *out = other;
        found = true;
        shape_of(mesh, other / 4, &shape);
        if (memcmp(shape.inside, own->inside, sizeof own->inside) == 0)
            return true;
    }
    return found && sides == 2;
}

static void flag_mesh(const vp_mesh *mesh, const side_lists *lists, uint8_t *flags)
{
    for (uint32_t q = 0; q < mesh->quad_count; q++) {
        quad_shape own, other;
        vp_edge side[4];
        shape_of(mesh, q, &own);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t across = 0;
            side[i] = VP_EDGE_OPEN;
            if (!find_other(mesh, lists, 4 * q + i, &own, &across))
                continue;
            shape_of(mesh, across / 4, &other);
            uint32_t far = across % 4 == 0 || across % 4 == 3 ? 2 : 0, third = i == 0 || i == 3 ? 2 : 0;
            side[i] = vp_edge_fold(own.corner[i], own.corner[(i + 1) % 4], own.corner[third], other.corner[far]);
        }
        vp_edge_put_quad(side, vp_edge_fold(own.corner[0], own.corner[2], own.corner[3], own.corner[1]), flags + 2 * (size_t)q);
    }
}

static vp_status check_mesh(const vp_mesh *mesh, vp_error *error)
{
    quad_shape shape;
    if (mesh->quad_count > UINT32_MAX / 4)
        return vp_fail(error, VP_E_ARGUMENT, "a mesh of %u quads; %u are too many already", mesh->quad_count, UINT32_MAX / 4 + 1);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vp_vec3 at = mesh->vertex[v];
        if (!is_on_lattice(at.x, VP_WORLD_MAX_XZ) || !is_on_lattice(at.y, VP_WORLD_MAX_Y) || !is_on_lattice(at.z, VP_WORLD_MAX_XZ))
            return vp_fail(error, VP_E_ARGUMENT, "vertex %u, (%.9g, %.9g, %.9g), is not on the lattice of a world's surface", v,
                           (double)at.x, (double)at.y, (double)at.z);
    }
    for (uint32_t q = 0; q < mesh->quad_count; q++) {
        for (int i = 0; i < 4; i++)
            if (mesh->quad[q][i] >= mesh->vertex_count)
                return vp_fail(error, VP_E_ARGUMENT, "quad %u has vertex %u of %u", q, mesh->quad[q][i], mesh->vertex_count);
        if (!shape_of(mesh, q, &shape))
            return vp_fail(error, VP_E_ARGUMENT, "quad %u is not around an edge of the grid", q);
    }
    return VP_OK;
}

vp_status vp_mesh_edge_flags(const vp_mesh *mesh, uint8_t *flags, vp_error *error)
{
    VP_RETURN_IF_NULL(error, mesh);
    VP_RETURN_IF_ARRAY_NULL(error, flags, mesh->quad_count);
    VP_RETURN_IF_FAILED(check_mesh(mesh, error));
    if (mesh->quad_count == 0)
        return vp_succeed(error);
    side_lists lists = {vp_allocate(&mesh->allocator, mesh->vertex_count, sizeof *lists.end),
                        vp_allocate(&mesh->allocator, mesh->quad_count, 4 * sizeof *lists.side)};
    vp_status status = lists.end != NULL && lists.side != NULL
                           ? fill_lists(mesh, &lists, error)
                           : vp_fail(error, VP_E_MEMORY, "no memory to match the edges of %u quads", mesh->quad_count);
    if (status == VP_OK)
        flag_mesh(mesh, &lists, flags);
    vp_release(&mesh->allocator, lists.end, mesh->vertex_count, sizeof *lists.end);
    vp_release(&mesh->allocator, lists.side, mesh->quad_count, 4 * sizeof *lists.side);
    return status == VP_OK ? vp_succeed(error) : status;
}

/* ---- edits ---- */

/* On one axis, the chunks [*first, *end) whose voxels -2 to 9 include one of the world's that is at least low
 * and below high. */
static void find_chunks_near(int64_t low, int64_t high, uint32_t count, uint32_t *first, uint32_t *end)
{
    int64_t size = (int64_t)count * 8;
    low = low < 0 ? 0 : low;
    high = high > size ? size : high;
    *first = low <= 9 ? 0 : (uint32_t)((low - 2) / 8);      /* the minimum c with 8*c + 9 >= low */
    *end = low < high ? (uint32_t)((high + 1) / 8 + 1) : 0; /* one more than the last c with 8*c - 2 < high */
    if (*end > count)
        *end = count;
}

vp_status vp_edge_flags_stale(vp_ivec3 low, vp_ivec3 high, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, stale);
    uint32_t first[3], end[3];
    if (low.x > high.x || low.y > high.y || low.z > high.z)
        return vp_fail(error, VP_E_ARGUMENT, "box from (%d, %d, %d) to (%d, %d, %d): low is above high", low.x, low.y, low.z, high.x,
                       high.y, high.z);
    if (stale->word == NULL || stale->changed == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_chunk_set.%s is NULL", stale->word == NULL ? "word" : "changed");
    vp_dims n = stale->chunks;
    find_chunks_near(low.x, high.x, n.x, &first[0], &end[0]);
    find_chunks_near(low.y, high.y, n.y, &first[1], &end[1]);
    find_chunks_near(low.z, high.z, n.z, &first[2], &end[2]);
    for (uint32_t y = first[1]; y < end[1]; y++)
        for (uint32_t z = first[2]; z < end[2]; z++)
            for (uint32_t x = first[0]; x < end[0]; x++)
                vp_chunk_set_add(stale, vp_chunk_number(n, x, y, z), VP_CHANGED_KNOWN);
    return vp_succeed(error);
}

/* ---- contacts ---- */

/* A normal less its part along a direction, of length 1. `otherwise` if nothing is left. */
static vp_vec3 remove_component(vp_vec3 normal, vp_vec3 along, vp_vec3 otherwise)
{
    float part = vp_vec3_dot(normal, along) / vp_vec3_dot(along, along);
    vp_vec3 left = vp_vec3_sub(normal, vp_vec3_scale(along, part));
    float length = sqrtf(vp_vec3_dot(left, left));
    return length > 1.0f / 4096.0f ? vp_vec3_scale(left, 1.0f / length) : otherwise;
}

vp_vec3 vp_edge_correct_normal(const vp_vec3 corner[3], vp_vec3 triangle_normal, uint8_t flags, float u, float v, vp_vec3 contact_normal)
{
    const float weight[3] = {(1.0f - u) - v, u, v};
    uint32_t touched = 0, sharp = 0, edge = 0; /* bits of edges, bits of those that are convex or open, and the last of them */
    for (uint32_t i = 0; i < 3; i++) {
        vp_edge across = vp_edge_of(flags, (i + 1) % 3);
        if (!(weight[i] <= VP_EDGE_NEAR))
            continue;
        touched++;
        if (across == VP_EDGE_FLAT || across == VP_EDGE_CONCAVE)
            continue;
        sharp++;
        edge = (i + 1) % 3;
    }
    if (sharp == 0 || isnan(u) || isnan(v))
        return triangle_normal;
    if (sharp == touched)
        return contact_normal;
    return remove_component(contact_normal, vp_vec3_sub(corner[(edge + 1) % 3], corner[edge]), triangle_normal);
}
