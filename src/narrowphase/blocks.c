/* SPDX-License-Identifier: MIT */
/* Boxes and blocks as triangles: two for each side that no block covers, with the flags of its edges. */
#include <voxphys/block_shapes.h>
#include <voxphys/narrowphase.h>

#include <math.h>

#include "src/blocks/look.h"
#include "src/core/error.h"

/* ---- a side ---- */

static vp_vec3 normal_of(uint32_t side)
{
    const float to = side & 1u ? 1.0f : -1.0f;
    return (vp_vec3){side / 2 == 0 ? to : 0.0f, side / 2 == 1 ? to : 0.0f, side / 2 == 2 ? to : 0.0f};
}

/* The sides across a side's four edges, in the order of the edges. Edge k goes from corner k to the next. */
static void find_adjacent_sides(uint32_t side, uint32_t adjacent[4])
{
    const uint32_t u = (side / 2 + 1) % 3, v = (side / 2 + 2) % 3;
    const bool high = side & 1u;
    adjacent[0] = 2 * (high ? v : u);
    adjacent[1] = 2 * (high ? u : v) + 1;
    adjacent[2] = 2 * (high ? v : u) + 1;
    adjacent[3] = 2 * (high ? u : v);
}

/* Corners of a side, counterclockwise from outside. low and high are the box's. */
static void corners_of(uint32_t side, const float low[3], const float high[3], vp_vec3 corner[4])
{
    const uint32_t axis = side / 2, first = (axis + ((side & 1u) ? 1 : 2)) % 3, second = 3 - axis - first;
    for (uint32_t k = 0; k < 4; k++) {
        float c[3];
        c[axis] = (side & 1u) ? high[axis] : low[axis];
        c[first] = k == 1 || k == 2 ? high[first] : low[first];
        c[second] = k >= 2 ? high[second] : low[second];
        corner[k] = (vp_vec3){c[0], c[1], c[2]};
    }
}

/* Properties of a side, for its two triangles. */
typedef struct reported {
    vp_vec3 normal;
    vp_edge edge[4];
    vp_vec3 beside[4];
    vp_terrain_triangle_id id;
    uint8_t material;
} reported;

static vp_collide_triangle half_of(const reported *t, const vp_vec3 corner[4], uint32_t half)
{
    /* Corners 0, 1, 2 with the diagonal last, and corners 0, 2, 3 with the diagonal first. */
    const uint32_t a = half == 0 ? 1 : 2, edge[3] = {half == 0 ? 0 : 4, half == 0 ? 1 : 2, half == 0 ? 4 : 3};
    vp_collide_triangle out = {.corner = {corner[0], corner[a], corner[a + 1]},
                               .normal = t->normal,
                               .id = {t->id.chunk, t->id.triangle + half},
                               .material = t->material};
    for (uint32_t k = 0; k < 3; k++) {
        const bool diagonal = edge[k] == 4;
        out.flags = (uint8_t)(out.flags | (diagonal ? VP_EDGE_FLAT : t->edge[edge[k]]) << 2 * k);
        out.neighbour_normal[k] = diagonal ? t->normal : t->beside[edge[k]];
    }
    return out;
}

/* ---- a box ---- */

uint32_t vp_collide_box_triangles(const vp_aabb *box, uint32_t sides, uint32_t number, vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES])
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    vp_vec3 normal[VP_SIDE_COUNT];
    uint32_t count = 0;
    for (uint32_t a = 0; a < 3; a++)
        if (!(low[a] <= high[a]) || !isfinite(low[a]) || !isfinite(high[a]))
            return 0;
    for (uint32_t s = 0; s < VP_SIDE_COUNT; s++) { /* 0 for a side without area */
        const uint32_t u = (s / 2 + 1) % 3, v = (s / 2 + 2) % 3;
        normal[s] = low[u] < high[u] && low[v] < high[v] ? normal_of(s) : (vp_vec3){0.0f, 0.0f, 0.0f};
    }
    for (uint32_t s = 0; s < VP_SIDE_COUNT; s++) {
        uint32_t adjacent[4];
        vp_vec3 corner[4];
        reported t = {.normal = normal[s], .id = {VP_COLLIDE_NO_CHUNK, number + count}};
        if (!(sides >> s & 1u))
            continue;
        find_adjacent_sides(s, adjacent);
        for (uint32_t k = 0; k < 4; k++) {
            const bool there = sides >> adjacent[k] & 1u;
            t.edge[k] = there ? VP_EDGE_CONVEX : VP_EDGE_FLAT;
            t.beside[k] = normal[there ? adjacent[k] : s];
        }
        corners_of(s, low, high, corner);
        out[count++] = half_of(&t, corner, 0);
        out[count++] = half_of(&t, corner, 1);
    }
    return count;
}

/* ---- blocks ---- */

typedef struct gathering {
    const vp_block_view *view;
    vp_collide_triangle *out;
    uint32_t capacity;
    uint64_t count;
} gathering;

static bool is_colliding(const vp_block_view *view, const int32_t at[3])
{
    return vp_block_flags_of(view->type, view->type_count, vp_block_of_view(view, at)) & VP_BLOCK_COLLIDES;
}

static void step_across(const int32_t at[3], uint32_t side, int32_t out[3])
{
    for (uint32_t a = 0; a < 3; a++)
        out[a] = at[a] + (a != side / 2 ? 0 : (side & 1u) ? 1 : -1);
}

static void gather_side(gathering *g, const int32_t at[3], uint32_t side, reported *t)
{
    int32_t before[3], beyond[3], across[3];
    uint32_t adjacent[4];
    vp_vec3 corner[4];
    const float low[3] = {(float)at[0], (float)at[1], (float)at[2]}, high[3] = {low[0] + 1.0f, low[1] + 1.0f, low[2] + 1.0f};
    step_across(at, side, before);
    if (is_colliding(g->view, before))
        return;
    if (g->count < g->capacity) {
        t->normal = normal_of(side);
        find_adjacent_sides(side, adjacent);
        for (uint32_t k = 0; k < 4; k++) {
            step_across(at, adjacent[k], beyond);
            step_across(before, adjacent[k], across);
            const bool rises = is_colliding(g->view, across), goes_on = is_colliding(g->view, beyond);
            t->edge[k] = rises ? VP_EDGE_CONCAVE : goes_on ? VP_EDGE_FLAT : VP_EDGE_CONVEX;
            t->beside[k] = normal_of(rises ? adjacent[k] ^ 1u : goes_on ? side : adjacent[k]);
        }
        corners_of(side, low, high, corner);
        g->out[g->count] = half_of(t, corner, 0);
        if (g->count + 1 < g->capacity)
            g->out[g->count + 1] = half_of(t, corner, 1);
    }
    g->count += 2;
}

/* Gathers the blocks of a chunk in [low, high). */
static void gather_chunk(gathering *g, uint32_t chunk, const int32_t low[3], const int32_t high[3])
{
    const vp_block_cells *cells = &g->view->chunk[chunk];
    if (cells->cell == NULL && !(vp_block_flags_of(g->view->type, g->view->type_count, cells->all) & VP_BLOCK_COLLIDES))
        return;
    for (int32_t y = low[1]; y < high[1]; y++)
        for (int32_t z = low[2]; z < high[2]; z++)
            for (int32_t x = low[0]; x < high[0]; x++) {
                const int32_t at[3] = {x, y, z};
                const uint32_t last = VP_BLOCK_EDGE - 1, in[3] = {(uint32_t)x & last, (uint32_t)y & last, (uint32_t)z & last};
                const vp_block type = vp_block_at(cells, in[0], in[1], in[2]);
                reported t = {.id = {chunk, 0}, .material = (uint8_t)(type & 0xffu)};
                if (!(vp_block_flags_of(g->view->type, g->view->type_count, type) & VP_BLOCK_COLLIDES))
                    continue;
                for (uint32_t s = 0; s < VP_SIDE_COUNT; s++) {
                    t.id.triangle = (((in[1] * VP_BLOCK_EDGE + in[2]) * VP_BLOCK_EDGE + in[0]) * 6 + s) * 2;
                    gather_side(g, at, s, &t);
                }
            }
}

static vp_status check_arguments(const vp_block_view *view, const vp_aabb *box, vp_error *error)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    for (int a = 0; a < 3; a++) {
        if (!(low[a] <= high[a]))
            return vp_fail(error, VP_E_ARGUMENT, "box.min.%c is %g and box.max.%c is %g; must be min <= max", "xyz"[a], (double)low[a],
                           "xyz"[a], (double)high[a]);
        if (!(low[a] > -VP_COLLIDE_BLOCK_REACH && high[a] < VP_COLLIDE_BLOCK_REACH)) /* block coordinates are inexact there */
            return vp_fail(error, VP_E_ARGUMENT, "box goes from %.9g to %.9g along %c; must be between -2^24 and 2^24", (double)low[a],
                           (double)high[a], "xyz"[a]);
    }
    const vp_status status = vp_block_view_check(view, error);
    if (status == VP_OK && (uint64_t)view->size.x * view->size.y * view->size.z > UINT32_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "the view has %u x %u x %u chunks; must be at most %u", view->size.x, view->size.y,
                       view->size.z, UINT32_MAX);
    return status;
}

vp_status vp_collide_blocks(const vp_block_view *view, const vp_aabb *box, vp_collide_triangle *out, uint32_t capacity, uint32_t *count,
                            vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, box, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    gathering g = {.view = view, .out = out, .capacity = capacity};
    VP_RETURN_IF_FAILED(check_arguments(view, box, error));
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    int32_t from[3], to[3]; /* blocks of the view that touch the box */
    vp_block_view_bounds(view, from, to);
    for (int a = 0; a < 3; a++) {
        const int32_t min = (int32_t)ceilf(low[a]) - 1, max = (int32_t)floorf(high[a]) + 1;
        from[a] = from[a] > min ? from[a] : min;
        to[a] = to[a] < max ? to[a] : max;
        if (from[a] >= to[a]) {
            *count = 0;
            return vp_succeed(error);
        }
    }
    const int32_t e = VP_BLOCK_EDGE, first[3] = {view->low.x * e, view->low.y * e, view->low.z * e};
    for (int32_t y = (from[1] - first[1]) / e; first[1] + y * e < to[1]; y++)
        for (int32_t z = (from[2] - first[2]) / e; first[2] + z * e < to[2]; z++)
            for (int32_t x = (from[0] - first[0]) / e; first[0] + x * e < to[0]; x++) {
                const int32_t place[3] = {x, y, z};
                int32_t begin[3], end[3];
                for (int a = 0; a < 3; a++) {
                    begin[a] = first[a] + place[a] * e;
                    end[a] = begin[a] + e < to[a] ? begin[a] + e : to[a];
                    begin[a] = begin[a] > from[a] ? begin[a] : from[a];
                }
                gather_chunk(&g, ((uint32_t)y * view->size.z + (uint32_t)z) * view->size.x + (uint32_t)x, begin, end);
            }
    if (g.count > UINT32_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "%llu triangles are near the box; must be at most %u", (unsigned long long)g.count,
                       UINT32_MAX);
    *count = (uint32_t)g.count;
    return vp_succeed(error);
}
