/* SPDX-License-Identifier: MIT */
/* Finds the triangles around the corners of others, without a search.
 *
 * A vertex of a surface net is the only one in its cell, and the quads around it cross the edges of this cell. So the cells of the
 * corners say which edges can have a quad, and the chunk's table (vp_quad_table) says which have one, and its number. */
#include "src/terrain/terrain_internal.h"

#include <string.h>

#include "src/core/error.h"
#include "src/kd/answers.h"
#include "src/terrain/walk.h"

/* Marks in one chunk. Cells are counted from -1 on, so that all are 0 to 8. */
typedef struct fan_marks {
    uint16_t cell[9][9]; /* [y][z], bit x: the cell has a corner of a listed triangle */
    uint32_t edge[64];   /* edges of these cells, in the places of vp_quad_table */
    uint64_t rows;       /* rows of `edge` that have some */
    uint64_t listed[2 * VP_CHUNK_MESH_QUADS / 64];
} fan_marks;

typedef struct fan_query {
    vp_terrain_query terrain;
    vp_collide_triangle *list;
    uint32_t listed, capacity, count;
    fan_marks marks;
    const vp_quad_table *table; /* of the chunk */
    vp_quad_table own;
} fan_query;

/* Marks a cell and its twelve edges, as far as their lower voxels are in the chunk. */
static void mark_cell(fan_marks *m, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t one = (1u << x >> 1) & 0xffu, both = (3u << x >> 1) & 0xffu;
    if ((m->cell[y][z] >> x & 1) != 0)
        return;
    m->cell[y][z] |= (uint16_t)(1u << x);
    for (uint32_t up_y = 0; up_y < 2; up_y++)
        for (uint32_t up_z = 0; up_z < 2; up_z++) {
            const uint32_t row_y = y + up_y - 1, row_z = z + up_z - 1, row = row_z + row_y * 8;
            if (row_y >= 8 || row_z >= 8)
                continue;
            m->edge[row] |= one | (up_y == 0 ? both << 8 : 0) | (up_z == 0 ? both << 16 : 0);
            m->rows |= UINT64_C(1) << row;
        }
}

/* Marks the corners of the listed triangles in a chunk, and the triangles that it owns. */
static void mark_listed(fan_query *f, vp_ivec3 at, uint32_t chunk)
{
    fan_marks *m = &f->marks;
    memset(m, 0, sizeof *m);
    for (uint32_t i = 0; i < f->listed; i++) {
        const vp_collide_triangle *t = &f->list[i];
        for (int k = 0; k < 3; k++) {
            const uint32_t x = (uint32_t)(vp_vertex_cell(t->corner[k].x) - at.x * VP_CHUNK_EDGE + 1);
            const uint32_t y = (uint32_t)(vp_vertex_cell(t->corner[k].y) - at.y * VP_CHUNK_EDGE + 1);
            const uint32_t z = (uint32_t)(vp_vertex_cell(t->corner[k].z) - at.z * VP_CHUNK_EDGE + 1);
            if (x <= VP_CHUNK_EDGE && y <= VP_CHUNK_EDGE && z <= VP_CHUNK_EDGE)
                mark_cell(m, x, y, z);
        }
        if (t->id.chunk == chunk)
            m->listed[t->id.triangle / 64] |= UINT64_C(1) << t->id.triangle % 64;
    }
}

static void append_triangle(fan_query *f, vp_terrain_triangle_id id, const vp_vec3 corner[3])
{
    if ((f->marks.listed[id.triangle / 64] >> id.triangle % 64 & 1) != 0)
        return;
    if (f->count < f->capacity)
        f->list[f->count] = (vp_collide_triangle){.corner = {corner[0], corner[1], corner[2]}, .id = id};
    f->count++;
}

/* Appends the triangles of a quad that have a corner in a marked cell. Corner 0 is in the lowest cell, corner 2 in the highest. */
static void append_quad(fan_query *f, const vp_kd_view *tree, uint32_t chunk, uint32_t row, uint32_t bit)
{
    const uint32_t axis = bit / 8, x = bit % 8 + 1, y = row / 8 + 1, z = row % 8 + 1;
    const uint32_t low_x = x - (axis != 0), low_y = y - (axis != 1), low_z = z - (axis != 2);
    const uint32_t quad = vp_quad_number(f->table, row, bit);
    uint16_t(*const cell)[9] = f->marks.cell;
    /* the other two cells: one step from the lowest along y for axis x, otherwise along x, or the other step */
    bool is_first = (axis == 0 ? cell[y][low_z] >> x : cell[low_y][low_z] >> x) & 1;
    bool is_second = (axis == 0 ? cell[low_y][z] >> x : cell[y][z] >> low_x) & 1;
    const bool is_diagonal = ((cell[low_y][low_z] >> low_x | cell[y][z] >> x) & 1) != 0;
    vp_vec3 corner[2][3];
    vp_kd_read_corners(tree, 2 * quad, corner[0]);
    vp_kd_read_corners(tree, 2 * quad + 1, corner[1]);
    const vp_vec3 a = corner[0][0], b = corner[0][1];
    if (axis == 0 ? vp_vertex_cell(b.y) == vp_vertex_cell(a.y) : vp_vertex_cell(b.x) == vp_vertex_cell(a.x)) {
        const bool first = is_first;
        is_first = is_second;
        is_second = first;
    }
    if (is_diagonal || is_first)
        append_triangle(f, (vp_terrain_triangle_id){chunk, 2 * quad}, corner[0]);
    if (is_diagonal || is_second)
        append_triangle(f, (vp_terrain_triangle_id){chunk, 2 * quad + 1}, corner[1]);
}

static uint32_t lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    return vp_bits_of(~word & (word - 1));
#endif
}

static void append_of_chunk(fan_query *f, vp_ivec3 at)
{
    const uint32_t chunk = vp_terrain_chunk(&f->terrain.view, at);
    static const vp_voxel_box whole = {{0, 0, 0}, {VP_CHUNK_EDGE, VP_CHUNK_EDGE, VP_CHUNK_EDGE}};
    if (!vp_any_bit(vp_chunk_bits(&f->terrain.view, at), &whole))
        return;
    mark_listed(f, at, chunk);
    if (f->marks.rows == 0)
        return;
    const vp_kd_view *tree = vp_terrain_find_tree(&f->terrain, chunk);
    if (tree == NULL || tree->triangles.triangle_count == 0)
        return;
    f->table = vp_chunk_quads(tree, &f->own);
    for (uint64_t rows = f->marks.rows; rows != 0; rows &= rows - 1) {
        const uint32_t row = lowest_bit(rows);
        for (uint32_t edges = f->marks.edge[row] & f->table->row[row]; edges != 0; edges &= edges - 1)
            append_quad(f, tree, chunk, row, lowest_bit(edges));
    }
}

/* Lower voxels, on one axis, of the edges of the cells from the lowest to the highest corner's. */
static vp_voxel_range lower_voxels(float min, float max, int32_t chunk, uint32_t chunks)
{
    const int32_t begin = chunk * VP_CHUNK_EDGE, end = begin + (int32_t)chunks * VP_CHUNK_EDGE;
    vp_voxel_range r = {vp_vertex_cell(min), vp_vertex_cell(max) + 1};
    r.first = r.first < begin ? begin : r.first;
    r.last = r.last >= end ? end - 1 : r.last;
    return r;
}

vp_status vp_terrain_gather_fans(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box, vp_collide_triangle *list,
                                 uint32_t listed, uint32_t capacity, uint32_t *count, vp_error *error)
{
    fan_query f;
    vp_terrain_begin_part(reader->terrain, surface, &f.terrain);
    f.list = list;
    f.listed = f.count = listed;
    f.capacity = capacity;
    const vp_terrain_view *t = &f.terrain.view;
    const vp_voxel_range x = lower_voxels(box->min.x, box->max.x, t->first.x, t->chunks.x);
    const vp_voxel_range y = lower_voxels(box->min.y, box->max.y, t->first.y, t->chunks.y);
    const vp_voxel_range z = lower_voxels(box->min.z, box->max.z, t->first.z, t->chunks.z);
    for (int32_t cy = y.first / VP_CHUNK_EDGE; cy <= y.last / VP_CHUNK_EDGE && !f.terrain.user.failed; cy++)
        for (int32_t cz = z.first / VP_CHUNK_EDGE; cz <= z.last / VP_CHUNK_EDGE; cz++)
            for (int32_t cx = x.first / VP_CHUNK_EDGE; cx <= x.last / VP_CHUNK_EDGE; cx++)
                append_of_chunk(&f, (vp_ivec3){cx, cy, cz});
    vp_cache_leave(&f.terrain.user);
    if (f.terrain.user.failed)
        return vp_terrain_no_memory(f.terrain.user.failed_chunk, error);
    *count = f.count;
    return VP_OK;
}
