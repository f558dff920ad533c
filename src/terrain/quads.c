/* SPDX-License-Identifier: MIT */
/* Finds triangles of a terrain by the cells of their corners, without a search: those that meet a box, and those around the corners of
 * others.
 *
 * A vertex of a surface net is the only one in its cell, and the quads around it cross the edges of this cell. So cells say which
 * edges can have a quad, and the chunk's table (vp_quad_table) says which have one, and its number. */
#include "src/terrain/terrain_internal.h"

#include <assert.h>
#include <string.h>

#include "src/core/error.h"
#include "src/kd/answers.h"
#include "src/terrain/walk.h"
#include "src/world/world_internal.h"

/* ---- the table of a chunk ---- */

/* Corner 0 of a quad is in its lowest cell and corner 2 in its highest, which has the coordinates of the crossed edge's lower voxel. On
 * the edge's axis both are in the same cell. */
static void add_quad(vp_vec3 lowest, vp_vec3 highest, vp_quad_table *table)
{
    const int32_t x = vp_vertex_cell(highest.x), y = vp_vertex_cell(highest.y), z = vp_vertex_cell(highest.z);
    const uint32_t axis = vp_vertex_cell(lowest.x) == x ? 0 : vp_vertex_cell(lowest.y) == y ? 1 : 2;
    table->row[(z & 7) + (y & 7) * 8] |= UINT32_C(1) << (axis * 8 + ((uint32_t)x & 7u));
}

static void fill_table(const vp_kd_view *tree, vp_quad_table *table)
{
    const vp_triangles *t = &tree->triangles;
    const uint32_t count = t->triangle_count / 2;
    memset(table, 0, sizeof *table);
    if (vp_kd_keeps_all(tree->form)) {
        for (uint32_t item = 0; item < count; item++) {
            float low[3], high[3];
            vp_kd_packed_corner(tree, item, 0, low);
            vp_kd_packed_corner(tree, item, 2, high);
            add_quad((vp_vec3){low[0], low[1], low[2]}, (vp_vec3){high[0], high[1], high[2]}, table);
        }
    } else {
        for (const uint32_t *index = t->index; index < t->index + (size_t)4 * count; index += 4)
            add_quad(t->vertex[index[0]], t->vertex[index[2]], table);
    }
    uint32_t quads = 0;
    for (uint32_t row = 0; row < 64; row++) {
        const uint32_t crossed = table->row[row];
        if (row % 4 == 0)
            table->first_quad[row / 4] = (uint16_t)quads;
        table->row[row] |= (quads - table->first_quad[row / 4]) << 24;
        quads += vp_bits_of(crossed);
    }
    assert(quads == count);
}

const vp_quad_table *vp_chunk_quads(const vp_kd_view *tree, vp_quad_table *own)
{
    vp_chunk_view *head = (vp_chunk_view *)(uintptr_t)tree;
    unsigned state = atomic_load_explicit(&head->table_state, memory_order_acquire);
    if (state == VP_TABLE_READY)
        return &head->table;
    fill_table(tree, own);
    if (state == VP_TABLE_NONE &&
        atomic_compare_exchange_strong_explicit(&head->table_state, &state, VP_TABLE_CLAIMED, memory_order_relaxed, memory_order_relaxed)) {
        head->table = *own;
        atomic_store_explicit(&head->table_state, VP_TABLE_READY, memory_order_release);
    }
    return own;
}

/* ---- chunks ---- */

/* Marks in one chunk. Cells are counted from -1 on, so that all are 0 to 8. */
typedef struct fan_marks {
    uint16_t cell[9][9]; /* [y][z], bit x: the cell has a corner of a listed triangle */
    uint64_t listed[2 * VP_CHUNK_MESH_QUADS / 64];
} fan_marks;

typedef struct quad_query {
    vp_terrain_query terrain;
    const vp_aabb *box;
    vp_collide_triangle *list;
    uint32_t listed, capacity, count;
    uint32_t edge[64]; /* edges of the chunk whose quads are tried, in the places of vp_quad_table */
    uint64_t rows;     /* rows of `edge` that are valid and have some */
    fan_marks marks;   /* while neighbours are gathered */
    vp_quad_table own;
} quad_query;

/* Appends the triangles of a quad that belong to the result. */
typedef void append_quad(quad_query *q, uint32_t chunk, uint32_t row, uint32_t bit, uint32_t quad, const vp_vec3 corner[4]);

static void append_triangle(quad_query *q, vp_terrain_triangle_id id, const vp_vec3 corner[4])
{
    const uint32_t second = id.triangle % 2;
    if (q->count < q->capacity)
        q->list[q->count] = (vp_collide_triangle){.corner = {corner[0], corner[1 + second], corner[2 + second]}, .id = id};
    q->count += q->count != UINT32_MAX;
}

static void read_quad(const vp_kd_view *tree, uint32_t quad, vp_vec3 corner[4])
{
    if (vp_kd_keeps_all(tree->form)) {
        uint32_t item = 0;
        while (vp_kd_packed_id(tree, item) != quad)
            item++;
        for (uint32_t c = 0; c < 4; c++) {
            float at[3];
            vp_kd_packed_corner(tree, item, c, at);
            corner[c] = (vp_vec3){at[0], at[1], at[2]};
        }
        return;
    }
    for (uint32_t c = 0; c < 4; c++)
        corner[c] = tree->triangles.vertex[tree->triangles.index[(size_t)4 * quad + c]];
}

static uint32_t lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    return vp_bits_of(~word & (word - 1));
#endif
}

/* Tries the quads of the marked edges of a chunk. */
VP_INLINE void append_of_chunk(quad_query *q, uint32_t chunk, append_quad *append)
{
    const vp_kd_view *tree = q->rows != 0 ? vp_terrain_find_tree(&q->terrain, chunk) : NULL;
    if (tree == NULL || tree->triangles.triangle_count == 0)
        return;
    const vp_quad_table *table = vp_chunk_quads(tree, &q->own);
    for (uint64_t rows = q->rows; rows != 0; rows &= rows - 1) {
        const uint32_t row = lowest_bit(rows);
        for (uint32_t edges = q->edge[row] & table->row[row]; edges != 0; edges &= edges - 1) {
            const uint32_t bit = lowest_bit(edges), quad = vp_quad_number(table, row, bit);
            vp_vec3 corner[4];
            read_quad(tree, quad, corner);
            append(q, chunk, row, bit, quad, corner);
        }
    }
}

static vp_status end_query(quad_query *q, uint32_t *count, vp_error *error)
{
    vp_cache_leave(&q->terrain.user);
    if (q->terrain.user.failed)
        return vp_terrain_no_memory(q->terrain.user.failed_chunk, error);
    *count = q->count;
    return VP_OK;
}

/* ---- a box ---- */

/* Lower voxels, on one axis, of edges whose quads can meet a box. None: first > last_across. */
typedef struct edge_range {
    int32_t first;
    int32_t last_along; /* of edges along the axis, whose quads are in one cell */
    int32_t last_across;
} edge_range;

/* The quad of an edge has its corners in the cell of the lower voxel, and across the edge also in the one before it. So if
 * it meets the box, a voxel of the range has its bit set (walk.h). */
static edge_range edges_near(float min, float max, int32_t chunk, uint32_t chunks)
{
    const int32_t begin = chunk * VP_CHUNK_EDGE, end = begin + (int32_t)chunks * VP_CHUNK_EDGE;
    const float before = (float)begin, behind = (float)end + 1.0f;
    const int32_t low = vp_vertex_cell(vp_min(vp_max(min, before), behind)), high = vp_vertex_cell(vp_min(vp_max(max, before - 1.0f), behind));
    return (edge_range){low < begin ? begin : low, high < end ? high : end - 1, high + 1 < end ? high + 1 : end - 1};
}

/* The part of a range that lies in a chunk. */
static edge_range range_in_chunk(const edge_range *r, int32_t chunk)
{
    const int32_t first = r->first - chunk * VP_CHUNK_EDGE, along = r->last_along - chunk * VP_CHUNK_EDGE,
                  across = r->last_across - chunk * VP_CHUNK_EDGE;
    return (edge_range){first > 0 ? first : 0, along < VP_CHUNK_EDGE ? along : VP_CHUNK_EDGE - 1,
                        across < VP_CHUNK_EDGE ? across : VP_CHUNK_EDGE - 1};
}

/* Bits first to last, none if first > last. */
static uint32_t bits_from_to(int32_t first, int32_t last)
{
    return first > last ? 0 : (2u << last) - (1u << first);
}

/* Marks the edges of a chunk that have their lower voxels in the ranges. Does nothing if no voxel there has its bit set. */
static void mark_edges(quad_query *q, vp_ivec3 at, const edge_range axis[3])
{
    const edge_range x = range_in_chunk(&axis[0], at.x), y = range_in_chunk(&axis[1], at.y), z = range_in_chunk(&axis[2], at.z);
    const uint32_t along = bits_from_to(x.first, x.last_along), across = bits_from_to(x.first, x.last_across);
    q->rows = 0;
    if (!vp_any_bit(vp_chunk_bits(&q->terrain.view, at),
                    &(vp_voxel_box){{x.first, y.first, z.first}, {x.last_across + 1, y.last_across + 1, z.last_across + 1}}))
        return;
    for (int32_t row_y = y.first; row_y <= y.last_across; row_y++) {
        const uint32_t in_slice = along | (row_y <= y.last_along ? across << 8 : 0);
        for (int32_t row_z = z.first; row_z <= z.last_across; row_z++)
            q->edge[row_z + row_y * 8] = in_slice | (row_z <= z.last_along ? across << 16 : 0);
        q->rows |= (uint64_t)bits_from_to(z.first, z.last_across) << row_y * 8;
    }
}

/* Appends those triangles of a quad whose bounds meet the box. */
static void append_in_box(quad_query *q, uint32_t chunk, uint32_t row, uint32_t bit, uint32_t quad, const vp_vec3 corner[4])
{
    const vp_vec3 min = vp_vec3_min(corner[0], corner[2]), max = vp_vec3_max(corner[0], corner[2]);
    (void)row, (void)bit;
    for (uint32_t i = 0; i < 2; i++) {
        const vp_aabb bounds = {vp_vec3_min(min, corner[1 + 2 * i]), vp_vec3_max(max, corner[1 + 2 * i])};
        if (vp_aabb_overlaps(&bounds, q->box))
            append_triangle(q, (vp_terrain_triangle_id){chunk, 2 * quad + i}, corner);
    }
}

vp_status vp_terrain_gather_page(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box, vp_collide_triangle *out,
                                 uint32_t capacity, uint32_t *count, vp_error *error)
{
    const vp_status status = vp_terrain_check_surface(reader->terrain, surface, error);
    if (status != VP_OK)
        return status;
    quad_query q;
    vp_terrain_begin_part(reader->terrain, surface, &q.terrain);
    q.box = box;
    q.list = out;
    q.count = 0;
    q.capacity = capacity;
    const vp_terrain_view *t = &q.terrain.view;
    const edge_range axis[3] = {edges_near(box->min.x, box->max.x, t->first.x, t->chunks.x),
                                edges_near(box->min.y, box->max.y, t->first.y, t->chunks.y),
                                edges_near(box->min.z, box->max.z, t->first.z, t->chunks.z)};
    for (int32_t cy = axis[1].first >> 3; cy <= axis[1].last_across >> 3 && !q.terrain.user.failed; cy++)
        for (int32_t cz = axis[2].first >> 3; cz <= axis[2].last_across >> 3; cz++)
            for (int32_t cx = axis[0].first >> 3; cx <= axis[0].last_across >> 3; cx++) {
                const vp_ivec3 at = {cx, cy, cz};
                mark_edges(&q, at, axis);
                append_of_chunk(&q, vp_terrain_chunk(t, at), append_in_box);
            }
    return end_query(&q, count, error);
}

/* ---- neighbours ---- */

/* Marks a cell and its twelve edges, as far as their lower voxels are in the chunk. */
static void mark_cell(quad_query *q, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t one = (1u << x >> 1) & 0xffu, both = (3u << x >> 1) & 0xffu;
    if ((q->marks.cell[y][z] >> x & 1) != 0)
        return;
    q->marks.cell[y][z] |= (uint16_t)(1u << x);
    for (uint32_t up_y = 0; up_y < 2; up_y++)
        for (uint32_t up_z = 0; up_z < 2; up_z++) {
            const uint32_t row_y = y + up_y - 1, row_z = z + up_z - 1, row = row_z + row_y * 8;
            if (row_y >= 8 || row_z >= 8)
                continue;
            q->edge[row] |= one | (up_y == 0 ? both << 8 : 0) | (up_z == 0 ? both << 16 : 0);
            q->rows |= UINT64_C(1) << row;
        }
}

/* Marks the corners of the listed triangles in a chunk, and the triangles that it owns. */
static void mark_listed(quad_query *q, vp_ivec3 at, uint32_t chunk)
{
    memset(&q->marks, 0, sizeof q->marks);
    memset(q->edge, 0, sizeof q->edge);
    q->rows = 0;
    for (uint32_t i = 0; i < q->listed; i++) {
        const vp_collide_triangle *t = &q->list[i];
        for (int k = 0; k < 3; k++) {
            const uint32_t x = (uint32_t)(vp_vertex_cell(t->corner[k].x) - at.x * VP_CHUNK_EDGE + 1);
            const uint32_t y = (uint32_t)(vp_vertex_cell(t->corner[k].y) - at.y * VP_CHUNK_EDGE + 1);
            const uint32_t z = (uint32_t)(vp_vertex_cell(t->corner[k].z) - at.z * VP_CHUNK_EDGE + 1);
            if (x <= VP_CHUNK_EDGE && y <= VP_CHUNK_EDGE && z <= VP_CHUNK_EDGE)
                mark_cell(q, x, y, z);
        }
        if (t->id.chunk == chunk)
            q->marks.listed[t->id.triangle / 64] |= UINT64_C(1) << t->id.triangle % 64;
    }
}

static void append_unlisted(quad_query *q, vp_terrain_triangle_id id, const vp_vec3 corner[4])
{
    if ((q->marks.listed[id.triangle / 64] >> id.triangle % 64 & 1) == 0)
        append_triangle(q, id, corner);
}

/* Appends the triangles of a quad that have a corner in a marked cell. Corner 0 is in the lowest cell, corner 2 in the highest. */
static void append_around(quad_query *q, uint32_t chunk, uint32_t row, uint32_t bit, uint32_t quad, const vp_vec3 corner[4])
{
    const uint32_t axis = bit / 8, x = bit % 8 + 1, y = row / 8 + 1, z = row % 8 + 1;
    const uint32_t low_x = x - (axis != 0), low_y = y - (axis != 1), low_z = z - (axis != 2);
    uint16_t(*const cell)[9] = q->marks.cell;
    /* the other two cells: one step from the lowest along y for axis x, otherwise along x, or the other step */
    bool is_first = (axis == 0 ? cell[y][low_z] >> x : cell[low_y][low_z] >> x) & 1;
    bool is_second = (axis == 0 ? cell[low_y][z] >> x : cell[y][z] >> low_x) & 1;
    const bool is_diagonal = ((cell[low_y][low_z] >> low_x | cell[y][z] >> x) & 1) != 0;
    const vp_vec3 a = corner[0], b = corner[1];
    if (axis == 0 ? vp_vertex_cell(b.y) == vp_vertex_cell(a.y) : vp_vertex_cell(b.x) == vp_vertex_cell(a.x)) {
        const bool first = is_first;
        is_first = is_second;
        is_second = first;
    }
    if (is_diagonal || is_first)
        append_unlisted(q, (vp_terrain_triangle_id){chunk, 2 * quad}, corner);
    if (is_diagonal || is_second)
        append_unlisted(q, (vp_terrain_triangle_id){chunk, 2 * quad + 1}, corner);
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
    static const vp_voxel_box whole = {{0, 0, 0}, {VP_CHUNK_EDGE, VP_CHUNK_EDGE, VP_CHUNK_EDGE}};
    quad_query q;
    vp_terrain_begin_part(reader->terrain, surface, &q.terrain);
    q.list = list;
    q.listed = q.count = listed;
    q.capacity = capacity;
    const vp_terrain_view *t = &q.terrain.view;
    const vp_voxel_range x = lower_voxels(box->min.x, box->max.x, t->first.x, t->chunks.x);
    const vp_voxel_range y = lower_voxels(box->min.y, box->max.y, t->first.y, t->chunks.y);
    const vp_voxel_range z = lower_voxels(box->min.z, box->max.z, t->first.z, t->chunks.z);
    for (int32_t cy = y.first / VP_CHUNK_EDGE; cy <= y.last / VP_CHUNK_EDGE && !q.terrain.user.failed; cy++)
        for (int32_t cz = z.first / VP_CHUNK_EDGE; cz <= z.last / VP_CHUNK_EDGE; cz++)
            for (int32_t cx = x.first / VP_CHUNK_EDGE; cx <= x.last / VP_CHUNK_EDGE; cx++) {
                const vp_ivec3 at = {cx, cy, cz};
                const uint32_t chunk = vp_terrain_chunk(t, at);
                if (!vp_any_bit(vp_chunk_bits(t, at), &whole))
                    continue;
                mark_listed(&q, at, chunk);
                append_of_chunk(&q, chunk, append_around);
            }
    return end_query(&q, count, error);
}

/* ---- materials ---- */

/* Whether a voxel is inside a surface, that is, its field is above 128 (kernel/surface.h). */
static bool is_inside(vp_voxel v, vp_surface surface)
{
    const bool is_of = surface == VP_SURFACE_SOLID ? v.material >= VP_FIRST_SOLID : v.material == VP_WATER;
    return is_of && v.occupancy + 1 > 128;
}

/* The material is that of the voxel inside the surface. The triangle's quad crosses the edge between two voxels. `lower`
 * has the coordinates of the quad's highest cell, and `upper` is its neighbour along the axis on which all four cells
 * are equal. */
uint8_t vp_terrain_material(const vp_terrain *terrain, vp_surface surface, uint32_t triangle, const vp_vec3 corner[3])
{
    const vp_vec3 a = corner[0], b = corner[triangle % 2 == 0 ? 2 : 1]; /* corners 0 and 2 of the quad, from (0, 1, 2) or (0, 2, 3) */
    const vp_ivec3 low = {vp_vertex_cell(a.x), vp_vertex_cell(a.y), vp_vertex_cell(a.z)},
                   high = {vp_vertex_cell(b.x), vp_vertex_cell(b.y), vp_vertex_cell(b.z)};
    const vp_voxel lower = vp_world_read(terrain->world, high);
    if (is_inside(lower, surface))
        return lower.material;
    const vp_ivec3 upper = {high.x + (low.x == high.x), high.y + (low.y == high.y), high.z + (low.z == high.z)};
    return vp_world_read(terrain->world, upper).material;
}
