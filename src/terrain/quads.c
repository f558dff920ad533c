/* SPDX-License-Identifier: MIT */
/* Finds triangles of a terrain by the cells of their corners, without a search: those that meet a box, and those across an edge or around
 * a corner of another.
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

typedef struct quad_query {
    vp_terrain_query terrain;
    const vp_aabb *box;
    const vp_sphere *ball;
    vp_collide_triangle *list;
    uint32_t capacity, count;
    uint32_t edge[64]; /* edges of the chunk whose quads are tried, in the places of vp_quad_table */
    uint64_t rows;     /* rows of `edge` that are valid and have some */
    vp_quad_table own;
} quad_query;

static void append_triangle(quad_query *q, vp_terrain_triangle_id id, const vp_vec3 corner[4])
{
    const uint32_t second = id.triangle % 2;
    if (q->count < q->capacity) {
        vp_collide_triangle *t = &q->list[q->count];
        t->corner[0] = corner[0];
        t->corner[1] = corner[1 + second];
        t->corner[2] = corner[2 + second];
        t->id = id;
    }
    q->count += q->count != UINT32_MAX;
}

static void read_packed(const vp_kd_view *tree, uint32_t quad, vp_vec3 corner[4])
{
    uint32_t item = 0;
    while (vp_kd_packed_id(tree, item) != quad)
        item++;
    for (uint32_t c = 0; c < 4; c++) {
        float at[3];
        vp_kd_packed_corner(tree, item, c, at);
        corner[c] = (vp_vec3){at[0], at[1], at[2]};
    }
}

VP_INLINE void read_quad(const vp_kd_view *tree, uint32_t quad, vp_vec3 corner[4])
{
    if (vp_kd_keeps_all(tree->form)) {
        read_packed(tree, quad, corner);
        return;
    }
    const uint32_t *index = tree->triangles.index + (size_t)4 * quad;
    for (uint32_t c = 0; c < 4; c++)
        corner[c] = tree->triangles.vertex[index[c]];
}

static uint32_t lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    return vp_bits_of(~word & (word - 1));
#endif
}

static bool meets_ball(const vp_aabb *bounds, const vp_sphere *ball)
{
    const vp_vec3 p = ball->centre, nearest = vp_vec3_min(vp_vec3_max(p, bounds->min), bounds->max), way = vp_vec3_sub(nearest, p);
    return vp_vec3_dot(way, way) <= ball->radius * ball->radius;
}

/* Appends those triangles of a quad whose bounds meet the box and the ball. */
static void append_quad(quad_query *q, uint32_t chunk, uint32_t quad, const vp_vec3 corner[4])
{
    const vp_vec3 min = vp_vec3_min(corner[0], corner[2]), max = vp_vec3_max(corner[0], corner[2]);
    for (uint32_t i = 0; i < 2; i++) {
        const vp_aabb bounds = {vp_vec3_min(min, corner[1 + 2 * i]), vp_vec3_max(max, corner[1 + 2 * i])};
        if (vp_aabb_overlaps(&bounds, q->box) && meets_ball(&bounds, q->ball))
            append_triangle(q, (vp_terrain_triangle_id){chunk, 2 * quad + i}, corner);
    }
}

/* Tries the quads of the marked edges of a chunk. */
static void append_of_chunk(quad_query *q, uint32_t chunk)
{
    const vp_kd_view *tree = q->rows != 0 ? vp_terrain_find_tree(&q->terrain, chunk) : NULL;
    if (tree == NULL || tree->triangles.triangle_count == 0)
        return;
    const vp_quad_table *table = vp_chunk_quads(tree, &q->own);
    for (uint64_t rows = q->rows; rows != 0; rows &= rows - 1) {
        const uint32_t row = lowest_bit(rows);
        for (uint32_t edges = q->edge[row] & table->row[row]; edges != 0; edges &= edges - 1) {
            const uint32_t quad = vp_quad_number(table, row, lowest_bit(edges));
            vp_vec3 corner[4];
            read_quad(tree, quad, corner);
            append_quad(q, chunk, quad, corner);
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
    const int32_t low = vp_vertex_cell(vp_min(vp_max(min, before), behind)),
                  high = vp_vertex_cell(vp_min(vp_max(max, before - 1.0f), behind));
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

vp_status vp_terrain_gather_page(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box, const vp_sphere *ball,
                                 vp_collide_triangle *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_terrain_check_surface(reader->terrain, surface, error));
    quad_query q;
    vp_terrain_begin_part(reader->terrain, surface, &q.terrain);
    q.box = box;
    q.ball = ball;
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
                append_of_chunk(&q, vp_terrain_chunk(t, at));
            }
    return end_query(&q, count, error);
}

/* ---- neighbours ---- */

void vp_quads_begin(const vp_terrain_reader *reader, vp_surface surface, vp_quad_reader *out)
{
    vp_terrain_begin_part(reader->terrain, surface, &out->terrain);
    out->has_chunk = false;
}

vp_status vp_quads_end(vp_quad_reader *r, vp_error *error)
{
    vp_cache_leave(&r->terrain.user);
    return r->terrain.user.failed ? vp_terrain_no_memory(r->terrain.user.failed_chunk, error) : VP_OK;
}

/* Reads a chunk of the terrain. It has no table if it has no triangles. */
static void enter_chunk(vp_quad_reader *r, vp_ivec3 at)
{
    static const vp_voxel_box whole = {{0, 0, 0}, {VP_CHUNK_EDGE, VP_CHUNK_EDGE, VP_CHUNK_EDGE}};
    const vp_terrain_view *t = &r->terrain.view;
    r->has_chunk = true;
    r->at = at;
    r->chunk = vp_terrain_chunk(t, at);
    r->table = NULL;
    r->tree = vp_any_bit(vp_chunk_bits(t, at), &whole) ? vp_terrain_find_tree(&r->terrain, r->chunk) : NULL;
    if (r->tree != NULL && r->tree->triangles.triangle_count != 0)
        r->table = vp_chunk_quads(r->tree, &r->own);
}

/* The quad across the edge from a voxel along an axis, in the chunk that is then entered.  @return false if there is none */
static bool find_quad(vp_quad_reader *r, const int32_t voxel[3], uint32_t axis, uint32_t *quad)
{
    const vp_ivec3 at = {voxel[0] >> 3, voxel[1] >> 3, voxel[2] >> 3};
    if (!r->has_chunk || at.x != r->at.x || at.y != r->at.y || at.z != r->at.z) {
        const vp_terrain_view *t = &r->terrain.view;
        if ((uint32_t)(at.x - t->first.x) >= t->chunks.x || (uint32_t)(at.y - t->first.y) >= t->chunks.y ||
            (uint32_t)(at.z - t->first.z) >= t->chunks.z)
            return false;
        enter_chunk(r, at);
    }
    const uint32_t row = ((uint32_t)voxel[2] & 7u) + ((uint32_t)voxel[1] & 7u) * 8, bit = axis * 8 + ((uint32_t)voxel[0] & 7u);
    if (r->table == NULL || (r->table->row[row] >> bit & 1) == 0)
        return false;
    *quad = vp_quad_number(r->table, row, bit);
    return true;
}

static void add_triangle(const vp_quad_reader *r, const vp_vec3 corner[4], uint32_t quad, uint32_t second, vp_quad_triangle *out)
{
    *out = (vp_quad_triangle){{corner[0], corner[1 + second], corner[2 + second]}, {r->chunk, 2 * quad + second}};
}

static bool is_same_vertex(vp_vec3 a, vp_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void find_cell(vp_vec3 vertex, int32_t cell[3])
{
    cell[0] = vp_vertex_cell(vertex.x);
    cell[1] = vp_vertex_cell(vertex.y);
    cell[2] = vp_vertex_cell(vertex.z);
}

/* Reads the other triangle of a quad, across the diagonal. */
static void read_twin(vp_quad_reader *r, vp_terrain_triangle_id id, vp_quad_triangle *out)
{
    vp_vec3 corner[4];
    if (!r->has_chunk || r->chunk != id.chunk)
        enter_chunk(r, vp_terrain_chunk_at(&r->terrain.view, id.chunk));
    if (r->table == NULL)
        return;
    read_quad(r->tree, id.triangle / 2, corner);
    add_triangle(r, corner, id.triangle / 2, id.triangle % 2 ^ 1, out);
}

/* The side of a quad between two cells crosses a face between four voxels. The other quads with this side cross other edges of the face. */
uint32_t vp_quads_across(vp_quad_reader *r, const vp_vec3 corner[3], vp_terrain_triangle_id id, uint32_t k, vp_quad_triangle out[3])
{
    vp_vec3 low = corner[k], high = corner[(k + 1) % 3];
    int32_t cell[3], next[3];
    find_cell(low, cell);
    find_cell(high, next);
    const bool differs[3] = {cell[0] != next[0], cell[1] != next[1], cell[2] != next[2]};
    if (differs[0] + differs[1] + differs[2] > 1) {
        read_twin(r, id, out);
        return r->table != NULL;
    }
    const uint32_t across = differs[0] ? 0 : differs[1] ? 1 : 2;
    if (next[across] < cell[across]) {
        const vp_vec3 first = low;
        low = high;
        high = first;
        cell[across] = next[across];
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t axis = (across + 1 + i / 2) % 3, up = i % 2;
        int32_t voxel[3] = {cell[0], cell[1], cell[2]};
        uint32_t quad;
        voxel[across] += 1;
        voxel[3 - across - axis] += (int32_t)up;
        if (!find_quad(r, voxel, axis, &quad) || (r->chunk == id.chunk && quad == id.triangle / 2))
            continue;
        vp_vec3 of[4];
        read_quad(r->tree, quad, of);
        /* the side has corner 2 of the quad, in the highest cell, or corner 0, in the lowest */
        add_triangle(r, of, quad, is_same_vertex(of[1], up != 0 ? high : low) ? 0 : 1, &out[count++]);
    }
    return count;
}

uint32_t vp_quads_next_around(vp_quad_reader *r, vp_vec3 vertex, uint32_t *edge, vp_quad_triangle out[2])
{
    uint32_t count = 0;
    int32_t cell[3];
    find_cell(vertex, cell);
    while (*edge < 12 && count == 0) {
        const uint32_t axis = *edge / 4, steps = *edge % 4;
        ++*edge;
        int32_t voxel[3] = {cell[0], cell[1], cell[2]};
        uint32_t quad;
        voxel[(axis + 1) % 3] += (int32_t)(steps % 2);
        voxel[(axis + 2) % 3] += (int32_t)(steps / 2);
        if (!find_quad(r, voxel, axis, &quad))
            continue;
        vp_vec3 corner[4];
        read_quad(r->tree, quad, corner);
        for (uint32_t second = 0; second < 2; second++)
            if (steps == 0 || steps == 3 || is_same_vertex(corner[1 + 2 * second], vertex))
                add_triangle(r, corner, quad, second, &out[count++]);
    }
    return count;
}

uint32_t vp_quads_around(vp_quad_reader *r, vp_vec3 vertex, vp_quad_triangle out[VP_QUADS_AROUND])
{
    uint32_t count = 0, edge = 0;
    for (uint32_t more = 1; more > 0; count += more)
        more = vp_quads_next_around(r, vertex, &edge, out + count);
    return count;
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
