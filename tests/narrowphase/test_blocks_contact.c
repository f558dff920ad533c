/* SPDX-License-Identifier: MIT */
/* Blocks as triangles. The oracle looks only at the cells around a place, for the surface there. test_over_push.c judges contacts with
 * them. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/narrowphase.h>

#include "datasets/random.h"
#include "tests/narrowphase/block_scene.h"

enum { ROOM = 16384, WORLDS = 8 };

/* ---- worlds ---- */

/* A floor, a wall, a corner, stairs, pillars, diagonals, a pit, and random blocks. */
static vp_block block_of(int kind, int x, int y, int z, vp_random *r)
{
    const bool ground = y < 0;
    switch (kind) {
    case 1:
        return ground || x >= 2;
    case 2:
        return ground || x >= 1 || z < -1;
    case 3:
        return y < x;
    case 4:
        return ground || (y < 3 && (x + 30) % 3 == 0 && (z + 30) % 3 == 0);
    case 5: /* blocks that share only edges and corners */
        return (x + y + z) % 2 == 0 ? 2 : 3;
    case 6:
        return ground && !(x >= -1 && x < 1 && z >= -1 && z < 1 && y >= -2);
    case 7:
        return (vp_block)vp_random_below(r, 4);
    default:
        return ground;
    }
}

static void fill(int kind)
{
    vp_random r = {(uint64_t)kind};
    clear_blocks();
    for (int y = -6; y < 6; y++)
        for (int z = -6; z < 6; z++)
            for (int x = -6; x < 6; x++)
                *cell_at(x, y, z) = (uint8_t)block_of(kind, x, y, z, &r);
}

static bool is_solid_at(const int at[3])
{
    return is_solid(at[0], at[1], at[2]);
}

/* ---- the surface ---- */

static vp_collide_triangle triangles[ROOM];

static void get(vp_vec3 v, double out[3])
{
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

/* Checks an edge's flag against the cells around it. Its middle is moved a little along the triangle and off it, to both sides. */
static void check_edge(const vp_collide_triangle *t, int k)
{
    double a[3], b[3], c[3], n[3], inward[3], beside[3];
    int across[3], beyond[3], solid[2];
    get(t->corner[k], a), get(t->corner[(k + 1) % 3], b), get(t->corner[(k + 2) % 3], c), get(t->normal, n),
        get(t->neighbour_normal[k], beside);
    int axes = 0;
    for (int i = 0; i < 3; i++)
        axes += a[i] != b[i];
    if (axes == 2) { /* the diagonal */
        assert_int_equal(vp_edge_of(t->flags, (uint32_t)k), VP_EDGE_FLAT);
        assert_true(t->neighbour_normal[k].x == t->normal.x && t->neighbour_normal[k].y == t->normal.y &&
                    t->neighbour_normal[k].z == t->normal.z);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double middle = 0.5 * (a[i] + b[i]);
        inward[i] = a[i] == b[i] ? c[i] - a[i] : 0.0; /* unit length */
        across[i] = (int)floor(middle - 0.5 * inward[i] + 0.5 * n[i]);
        beyond[i] = (int)floor(middle - 0.5 * inward[i] - 0.5 * n[i]);
    }
    solid[0] = is_solid_at(across), solid[1] = is_solid_at(beyond);
    const vp_edge want = solid[0] ? VP_EDGE_CONCAVE : solid[1] ? VP_EDGE_FLAT : VP_EDGE_CONVEX;
    assert_int_equal(vp_edge_of(t->flags, (uint32_t)k), want);
    for (int i = 0; i < 3; i++)
        assert_true(beside[i] == (want == VP_EDGE_CONCAVE ? inward[i] : want == VP_EDGE_FLAT ? n[i] : -inward[i]));
}

static uint32_t check_surface(const vp_aabb *box)
{
    uint32_t count = 0, want = 0;
    const double low[3] = {(double)box->min.x, (double)box->min.y, (double)box->min.z},
                 high[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    assert_ok(vp_collide_blocks(&view, box, triangles, ROOM, &count, &error));
    assert_true(count <= ROOM);
    for (int y = -7; y < 7; y++)
        for (int z = -7; z < 7; z++)
            for (int x = -7; x < 7; x++) {
                const int at[3] = {x, y, z};
                if (!is_solid_at(at) || x > high[0] || y > high[1] || z > high[2] || x + 1 < low[0] || y + 1 < low[1] || z + 1 < low[2])
                    continue;
                for (int s = 0; s < 6; s++) {
                    int before[3] = {x, y, z};
                    before[s / 2] += s % 2 == 0 ? -1 : 1;
                    want += is_solid_at(before) ? 0 : 2;
                }
            }
    assert_int_equal(count, want);
    for (uint32_t i = 0; i < count; i++) {
        const vp_collide_triangle *t = &triangles[i];
        const vp_collide_triangle computed = vp_collide_triangle_of(t->corner, 0);
        double n[3], middle[3], corner[3][3];
        int inside[3], outside[3];
        assert_memory_equal(&computed.normal, &t->normal, sizeof t->normal);
        if (i > 0) /* no triangle twice */
            assert_true(t->id.chunk > t[-1].id.chunk || (t->id.chunk == t[-1].id.chunk && t->id.triangle > t[-1].id.triangle));
        get(t->normal, n);
        for (int k = 0; k < 3; k++)
            get(t->corner[k], corner[k]);
        for (int a = 0; a < 3; a++) {
            middle[a] = (corner[0][a] + corner[1][a] + corner[2][a]) / 3.0;
            inside[a] = (int)floor(middle[a] - 0.5 * n[a]);
            outside[a] = (int)floor(middle[a] + 0.5 * n[a]);
        }
        assert_true(is_solid_at(inside) && !is_solid_at(outside));
        const uint32_t cell = t->id.triangle / 12;
        for (int a = 0; a < 3; a++) /* the number names the block */
            assert_int_equal(cell >> (a == 0 ? 0 : a == 1 ? 10 : 5) & 31u, inside[a] & 31);
        assert_int_equal(t->id.chunk, chunk_of(inside[0], inside[1], inside[2]));
        assert_int_equal(t->material, cells[t->id.chunk][cell]);
        for (int k = 0; k < 3; k++)
            check_edge(t, k);
    }
    return count;
}

/* docs/CONTRACT.md: BTR-1 */
TEST(test_surface)
{
    static const vp_aabb boxes[] = {{{-40.0f, -40.0f, -40.0f}, {40.0f, 40.0f, 40.0f}},
                                    {{-3.0f, -2.5f, -2.0f}, {2.25f, 1.0f, 1.5f}},
                                    {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}},
                                    {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}},
                                    {{33.0f, 0.0f, 0.0f}, {1e7f, 1.0f, 1.0f}}};
    for (int w = 0; w < WORLDS; w++) {
        fill(w);
        assert_true(check_surface(&boxes[0]) > 0);
        for (int b = 1; b < 5; b++)
            check_surface(&boxes[b]);
    }
}

TEST(test_limits)
{
    static const vp_aabb all = {{-40.0f, -40.0f, -40.0f}, {40.0f, 40.0f, 40.0f}};
    static vp_collide_triangle few[ROOM];
    uint32_t count = 0, again = 7;
    fill(4);
    assert_ok(vp_collide_blocks(&view, &all, triangles, ROOM, &count, &error));
    for (uint32_t capacity = 0; capacity < 6; capacity++) {
        memset(few, 0xa5, sizeof few);
        assert_ok(vp_collide_blocks(&view, &all, few, capacity, &again, &error));
        assert_int_equal(again, count);
        assert_memory_equal(few, triangles, capacity * sizeof few[0]);
        for (size_t i = capacity * sizeof few[0]; i < sizeof few; i++)
            assert_int_equal(((const uint8_t *)few)[i], 0xa5);
    }
    assert_ok(vp_collide_blocks(&view, &all, NULL, 0, &again, &error));
    /* In binary32 a block that begins there has no other side. */
    const vp_aabb end = {{VP_COLLIDE_BLOCK_REACH - 2.0f, 0.0f, 0.0f}, {VP_COLLIDE_BLOCK_REACH, 1.0f, 1.0f}};
    const vp_aabb bad = {{0, 2, 0}, {1, 1, 1}}, nan = {{0, 0, NAN}, {1, 1, 1}}, far = {{0, 0, 0}, {1, 1, 16777218.0f}};
    assert_refused(vp_collide_blocks(&view, &bad, few, ROOM, &again, &error), VP_E_ARGUMENT, "box.min.y is 2 and box.max.y is 1");
    assert_refused(vp_collide_blocks(&view, &nan, few, ROOM, &again, &error), VP_E_ARGUMENT, "box.min.z is nan and box.max.z is 1");
    assert_refused(vp_collide_blocks(&view, &far, few, ROOM, &again, &error), VP_E_ARGUMENT, "box goes from 0 to 16777218 along z");
    assert_refused(vp_collide_blocks(&view, &end, few, ROOM, &again, &error), VP_E_ARGUMENT, "16777216 along x");
    assert_refused(vp_collide_blocks(&view, &all, NULL, 1, &again, &error), VP_E_ARGUMENT, "out is NULL, capacity is 1");
    assert_int_equal(again, count);
}

/* A single block with any of its neighbours. Its mask gives the same triangles as the cells. */
TEST(test_box)
{
    static const vp_aabb unit = {{0, 0, 0}, {1, 1, 1}};
    for (uint32_t sides = 0; sides < 64; sides++) {
        vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES];
        uint32_t count = 0, matched = 0;
        clear_blocks();
        *cell_at(0, 0, 0) = 1;
        for (int s = 0; s < 6; s++) {
            int at[3] = {0, 0, 0};
            at[s / 2] += s % 2 == 0 ? -1 : 1;
            if (!(sides >> s & 1u))
                *cell_at(at[0], at[1], at[2]) = 1;
        }
        assert_ok(vp_collide_blocks(&view, &(vp_aabb){{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}, triangles, ROOM, &count, &error));
        assert_int_equal(vp_collide_box_triangles(&unit, sides | 0xffffffc0u, 5, out), count);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(out[i].id.chunk, VP_COLLIDE_NO_CHUNK);
            assert_int_equal(out[i].id.triangle, 5 + i);
            assert_memory_equal(out[i].corner, triangles[i].corner, sizeof out[i].corner);
            assert_memory_equal(&out[i].normal, &triangles[i].normal, sizeof out[i].normal);
            assert_int_equal(out[i].flags, triangles[i].flags);
            assert_memory_equal(out[i].neighbour_normal, triangles[i].neighbour_normal, sizeof out[i].neighbour_normal);
            matched++;
        }
        assert_int_equal(matched, 2u * (uint32_t)((sides & 1) + (sides >> 1 & 1) + (sides >> 2 & 1) + (sides >> 3 & 1) + (sides >> 4 & 1) +
                                                  (sides >> 5 & 1)));
    }
    vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES];
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 0, 0}, {1, NAN, 1}}, 63, 0, out), 0);
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 0, 0}, {1, INFINITY, 1}}, 63, 0, out), 0);
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 2, 0}, {1, 1, 1}}, 63, 0, out), 0);
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 1, 0}, {1, 1, 1}}, 63, 0, out), 12); /* a flat box */
    for (int i = 0; i < 12; i++) {
        const vp_collide_triangle computed = vp_collide_triangle_of(out[i].corner, 0);
        assert_true(computed.normal.x == out[i].normal.x && computed.normal.y == out[i].normal.y && computed.normal.z == out[i].normal.z);
    }
}
