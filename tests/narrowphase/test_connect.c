/* SPDX-License-Identifier: MIT */
/* Triangles connected by their corners. Meshes of worlds against the flags of meshes and chunks. Heaps of random triangles, often several
 * at an edge, against brute force. Also other orders of the list, and refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/narrowphase.h>
#include <voxphys/voxphys.h>

#include "tests/support/check.h"
#include "tests/support/samples.h"

static uint32_t *scratch_for(uint32_t count)
{
    uint32_t *scratch = malloc((VP_COLLIDE_CONNECT_WORDS(count) + 1) * sizeof *scratch);
    assert_non_null(scratch);
    return scratch;
}

static void connect(vp_collide_triangle *triangle, uint32_t count)
{
    uint32_t *scratch = scratch_for(count);
    scratch[VP_COLLIDE_CONNECT_WORDS(count)] = 0xa5a5a5a5;
    assert_ok(vp_collide_connect(triangle, count, scratch, &error));
    assert_int_equal(scratch[VP_COLLIDE_CONNECT_WORDS(count)], 0xa5a5a5a5);
    free(scratch);
}

static bool same_point(vp_vec3 a, vp_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void shuffle(vp_random *r, vp_collide_triangle *triangle, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t k = vp_random_below(r, i);
        const vp_collide_triangle t = triangle[i - 1];
        triangle[i - 1] = triangle[k];
        triangle[k] = t;
    }
}

/* ---- worlds ---- */

/* The flags of all chunks, one after the other, are those of the whole mesh. */
static void check_chunks(const vp_world *world, vp_surface surface, const uint8_t *flags, uint32_t count)
{
    static vp_chunk_mesh_room room;
    static uint8_t of_chunk[2 * VP_CHUNK_MESH_QUADS + VP_EDGE_FLAGS_SLACK];
    const vp_dims n = vp_world_chunks(world);
    uint32_t first = 0;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++) {
        const vp_ivec3 at = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        vp_chunk_mesh chunk = vp_chunk_mesh_in(&room);
        assert_ok(vp_mesh_chunk(world, NULL, at, surface, &chunk, &error));
        assert_ok(vp_edge_flags(world, NULL, at, surface, &chunk, of_chunk, &error));
        assert_true(first + 2 * chunk.quad_count <= count);
        assert_memory_equal(of_chunk, flags + first, 2 * (size_t)chunk.quad_count);
        first += 2 * chunk.quad_count;
    }
    assert_int_equal(first, count);
}

/* docs/CONTRACT.md: EDG-1, EDG-2, EDG-4. Each triangle's normal, each flag, and that an edge's neighbour has a normal exactly if one with
   area exists. The list is shuffled, so that chunks are mixed. */
static void check_world(const vp_world *world, const char *what, uint64_t of[4])
{
    vp_random r = {77};
    for (int s = 0; s < VP_SURFACE_COUNT; s++) {
        vp_mesh mesh;
        const vp_mesh_def def = {.world = world, .surface = (vp_surface)s};
        assert_ok(vp_mesh_create(&def, &mesh, &error));
        const uint32_t count = 2 * mesh.quad_count;
        vp_collide_triangle *triangle = malloc(((size_t)count + 1) * sizeof *triangle);
        uint8_t *flags = malloc((size_t)count + 1);
        assert_non_null(triangle);
        assert_non_null(flags);
        assert_ok(vp_mesh_edge_flags(&mesh, flags, &error));
        check_chunks(world, (vp_surface)s, flags, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t c[3];
            vp_mesh_triangle(&mesh, i, c);
            triangle[i] = (vp_collide_triangle){.corner = {mesh.vertex[c[0]], mesh.vertex[c[1]], mesh.vertex[c[2]]}, .id = {0, i}};
        }
        shuffle(&r, triangle, count);
        connect(triangle, count);
        for (uint32_t i = 0; i < count; i++) {
            const vp_collide_triangle *t = &triangle[i], alone = vp_collide_triangle_of(t->corner, i);
            if (t->flags != flags[t->id.triangle])
                fail_msg("%s, surface %d, triangle %u: flags %#x, expected %#x", what, s, t->id.triangle, t->flags, flags[t->id.triangle]);
            assert_true(same_point(t->normal, alone.normal));
            for (uint32_t k = 0; k < 3; k++) {
                const vp_edge is = vp_edge_of(t->flags, k);
                const float square = vp_vec3_dot(t->neighbour_normal[k], t->neighbour_normal[k]),
                            cosine = vp_vec3_dot(t->neighbour_normal[k], t->normal);
                of[is]++;
                assert_true(is == VP_EDGE_OPEN ? square == 0.0f : fabsf(square - 1.0f) < 1e-6f || is == VP_EDGE_CONVEX);
                assert_true(is != VP_EDGE_FLAT || cosine > 0.9961f); /* the cosine of 5 degrees is 0.99619 */
                assert_true(is != VP_EDGE_CONCAVE || cosine < 0.9963f);
            }
        }
        free(triangle);
        free(flags);
        vp_mesh_destroy(&mesh);
    }
}

static void set(vp_world *world, int x, int y, int z, uint8_t material, uint8_t occupancy)
{
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, (vp_voxel){material, occupancy}, NULL, &error));
}

TEST(random_worlds)
{
    vp_random r = {4001};
    uint64_t of[4] = {0};
    for (uint32_t i = 0; i < 8; i++) {
        char what[40];
        vp_world *world = i < 3 ? test_random_world(&r, (vp_dims){1 + i, 2, 3 - i}, NULL) : test_world(2, 1, 2, NULL);
        for (uint32_t v = 0; i >= 3 && v < 16 * 8 * 16; v++)
            if (vp_random_below(&r, 100) < 20 * (i - 3) + 8)
                set(world, (int)(v % 16), (int)(v / 256), (int)(v / 16 % 16), vp_random_below(&r, 4) == 0 ? VP_WATER : 5,
                    i % 2 == 0 ? 255 : (uint8_t)vp_random_below(&r, 256));
        snprintf(what, sizeof what, "world %u", i);
        check_world(world, what, of);
        vp_world_destroy(world);
    }
    for (int i = 0; i < 4; i++)
        assert_true(of[i] > 300);
}

/* ---- brute force ---- */

enum { GRID = 4, HEAP = 12 };

typedef struct whole_point {
    int x, y, z;
} whole_point;

static whole_point minus(vp_vec3 a, vp_vec3 b)
{
    return (whole_point){(int)a.x - (int)b.x, (int)a.y - (int)b.y, (int)a.z - (int)b.z};
}

static whole_point cross(whole_point a, whole_point b)
{
    return (whole_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int dot(whole_point a, whole_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static const double pi = 3.14159265358979323846;

/* The angle from 0 to below 2 pi between a triangle and a point, turned around the triangle's edge k through the inside. */
static double inside_angle(const vp_collide_triangle *t, uint32_t k, vp_vec3 point)
{
    const vp_vec3 p = t->corner[k];
    const whole_point e = minus(t->corner[(k + 1) % 3], p), f = minus(t->corner[(k + 2) % 3], p), g = minus(point, p), n = cross(e, f);
    const int y = -dot(n, g), x = dot(cross(n, e), g); /* x has the length of e as an extra factor */
    double angle = atan2((double)y * sqrt((double)dot(e, e)), (double)x);
    if (y == 0)
        angle = x < 0 ? pi : 0.0;
    return angle < 0.0 ? angle + 2.0 * pi : angle;
}

static bool has_area(const vp_collide_triangle *t)
{
    const whole_point n = cross(minus(t->corner[1], t->corner[0]), minus(t->corner[2], t->corner[0]));
    return dot(n, n) != 0;
}

/* The edge of a triangle between two points: 0 to 2 from p to q, 3 to 5 from q to p, or -1. */
static int edge_between(const vp_collide_triangle *t, vp_vec3 p, vp_vec3 q)
{
    for (int k = 0; k < 3; k++) {
        if (same_point(t->corner[k], p) && same_point(t->corner[(k + 1) % 3], q))
            return k;
        if (same_point(t->corner[k], q) && same_point(t->corner[(k + 1) % 3], p))
            return 3 + k;
    }
    return -1;
}

/* The neighbour at edge k of a triangle, the first triangle that it lies on when it is turned through the inside. -1 if that one runs the
   same way. -2 if two different ones lie in one direction, because the answer is then ambiguous. */
static int beside_of(const vp_collide_triangle *triangle, int count, const bool *gone, int i, int k)
{
    const vp_collide_triangle *t = &triangle[i];
    const vp_vec3 p = t->corner[k], q = t->corner[(k + 1) % 3], own = t->corner[(k + 2) % 3];
    double best = 10.0, second = 10.0;
    int is = -1;
    for (int j = 0; j < count; j++) {
        const int edge = edge_between(&triangle[j], p, q);
        if (edge < 0 || gone[j])
            continue;
        const vp_vec3 third = triangle[j].corner[(edge + 2) % 3];
        if (edge < 3 && same_point(third, own))
            continue;
        double angle = inside_angle(t, (uint32_t)k, third);
        if (edge < 3 && angle == 0.0)
            return -2;
        bool again = false;
        for (int m = 0; m < j; m++) {
            const int other = edge_between(&triangle[m], p, q);
            again = again || (other >= 0 && other / 3 == edge / 3 && same_point(triangle[m].corner[(other + 2) % 3], third));
        }
        if (again)
            continue;
        if (angle < best) {
            second = best;
            best = angle;
            is = edge >= 3 ? j : -1;
        } else if (angle < second) {
            second = angle;
        }
    }
    return second - best < 1e-9 && best < 10.0 ? -2 : is;
}

static vp_edge fold_of(const vp_collide_triangle *t, int k, const vp_collide_triangle *other)
{
    const vp_vec3 p = t->corner[k];
    const int edge = edge_between(other, p, t->corner[(k + 1) % 3]);
    const whole_point n = cross(minus(t->corner[1], t->corner[0]), minus(t->corner[2], t->corner[0])),
                      m = cross(minus(other->corner[1], other->corner[0]), minus(other->corner[2], other->corner[0])), turn = cross(n, m);
    if (!has_area(t) || !has_area(other))
        return VP_EDGE_CONVEX;
    if (atan2(sqrt((double)dot(turn, turn)), (double)dot(n, m)) <= 5.0 * pi / 180.0)
        return VP_EDGE_FLAT;
    return dot(n, minus(other->corner[(edge + 2) % 3], p)) > 0 ? VP_EDGE_CONCAVE : VP_EDGE_CONVEX;
}

static bool has_equal_corners(const vp_collide_triangle *t)
{
    return same_point(t->corner[0], t->corner[1]) || same_point(t->corner[1], t->corner[2]) || same_point(t->corner[2], t->corner[0]);
}

static const bool none_gone[HEAP];

/* Whether every triangle at this edge has area, and no two lie in one direction unless they have the same corners, back to back. */
static bool is_judged(const vp_collide_triangle *triangle, int count, vp_vec3 p, vp_vec3 q)
{
    for (int j = 0; j < count; j++) {
        const int edge = edge_between(&triangle[j], p, q);
        if (edge >= 0 && (!has_area(&triangle[j]) || beside_of(triangle, count, none_gone, j, edge % 3) == -2))
            return false;
    }
    return true;
}

/* The neighbour, if both triangles name each other. Otherwise the neighbour after all such pairs are removed, and so on. */
static int partner_of(const vp_collide_triangle *triangle, int count, int i, int k)
{
    const vp_vec3 p = triangle[i].corner[k], q = triangle[i].corner[(k + 1) % 3];
    bool gone[HEAP] = {false}, more = true;
    int found = -1;
    while (more && found < 0) {
        int other[HEAP];
        for (int j = 0; j < count; j++) {
            const int edge = edge_between(&triangle[j], p, q);
            other[j] = edge < 0 || gone[j] ? -1 : beside_of(triangle, count, gone, j, edge % 3);
        }
        more = false;
        for (int j = 0; j < count; j++) {
            const int edge = edge_between(&triangle[j], p, q);
            if (other[j] < 0 || other[other[j]] < 0)
                continue;
            const int back = other[other[j]];
            if (edge_between(&triangle[back], p, q) / 3 != edge / 3 ||
                !same_point(triangle[back].corner[(edge_between(&triangle[back], p, q) + 2) % 3], triangle[j].corner[(edge + 2) % 3]))
                continue;
            gone[j] = true;
            more = true;
            if (j == i)
                found = other[j];
        }
    }
    return found;
}

/* Triangles with corners on a small grid. Many share edges. Some have no area, some are there twice or reversed. */
static int heap_of(vp_random *r, vp_collide_triangle triangle[HEAP])
{
    const int count = 2 + (int)vp_random_below(r, HEAP - 1);
    vp_vec3 pool[8];
    for (int k = 0; k < 8; k++) {
        pool[k].x = (float)vp_random_below(r, GRID);
        pool[k].y = (float)vp_random_below(r, GRID);
        pool[k].z = vp_random_below(r, 2) == 0 ? -0.0f : 1.0f;
    }
    for (int i = 0; i < count; i++) {
        triangle[i] = (vp_collide_triangle){.id = {0, (uint32_t)i}, .material = 3, .flags = 0x15};
        for (int k = 0; k < 3; k++) {
            triangle[i].corner[k] = pool[k == 0 ? 0 : k == 1 && vp_random_below(r, 2) == 0 ? 1 : 1 + vp_random_below(r, 7)];
            triangle[i].corner[k].z = triangle[i].corner[k].z != 0.0f ? 1.0f : vp_random_below(r, 2) == 0 ? 0.0f : -0.0f;
        }
        for (uint32_t turn = vp_random_below(r, 3); turn > 0; turn--) {
            const vp_vec3 first = triangle[i].corner[0];
            triangle[i].corner[0] = triangle[i].corner[1];
            triangle[i].corner[1] = triangle[i].corner[2];
            triangle[i].corner[2] = first;
        }
    }
    return count;
}

TEST(heaps)
{
    vp_random r = {11};
    uint32_t pairs = 0, alone = 0, of[4] = {0};
    for (int i = 0; i < 4000; i++) {
        vp_collide_triangle triangle[HEAP], again[HEAP];
        const int count = heap_of(&r, triangle);
        memcpy(again, triangle, sizeof again);
        shuffle(&r, again, (uint32_t)count);
        connect(triangle, (uint32_t)count);
        connect(again, (uint32_t)count);
        for (int a = 0; a < count; a++) {
            const vp_collide_triangle *t = &triangle[again[a].id.triangle];
            assert_int_equal(t->flags, again[a].flags);
            for (int k = 0; k < 3; k++)
                assert_true(same_point(t->neighbour_normal[k], again[a].neighbour_normal[k]));
        }
        for (int a = 0; a < count; a++)
            for (int k = 0; k < 3; k++) {
                const vp_collide_triangle *t = &triangle[a];
                const vp_vec3 p = t->corner[k], q = t->corner[(k + 1) % 3];
                const vp_edge is = vp_edge_of(t->flags, (uint32_t)k);
                const vp_vec3 none = {0.0f, 0.0f, 0.0f};
                vp_vec3 beside = none;
                vp_edge want = VP_EDGE_OPEN;
                of[is]++;
                if (has_equal_corners(t)) {
                    assert_true(is == VP_EDGE_OPEN && same_point(t->neighbour_normal[k], none));
                    continue;
                }
                if (!is_judged(triangle, count, p, q))
                    continue;
                const int b = partner_of(triangle, count, a, k);
                alone += b < 0;
                if (b >= 0) {
                    want = fold_of(t, k, &triangle[b]);
                    beside = triangle[b].normal;
                    pairs++;
                }
                assert_int_equal(is, want);
                assert_true(fabsf(t->neighbour_normal[k].x - beside.x) < 1e-6f && fabsf(t->neighbour_normal[k].y - beside.y) < 1e-6f &&
                            fabsf(t->neighbour_normal[k].z - beside.z) < 1e-6f);
            }
    }
    printf("%u pairs, %u alone; %u flat, %u concave, %u convex, %u open\n", pairs, alone, of[0], of[1], of[2], of[3]);
    assert_true(pairs > 5000 && alone > 1000);
}

/* ---- sizes and refusals ---- */

/* Two triangles that meet at 4.9 or 5.1 degrees, at any size, also of very different sizes, and needles. */
TEST(sizes)
{
    for (int e = -120; e <= 38; e += 2)
        for (int k = 0; k < 6; k++) {
            const float s = ldexpf(1.0f, e), wide = k >= 4 ? 0x1p-10f : 1.0f;
            const double angle = (k % 2 == 0 ? 4.9 : 5.1) * pi / 180.0 * (k / 2 % 2 == 0 ? 1.0 : -1.0);
            vp_collide_triangle t[2] = {
                {.corner = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, s}, {wide * s, 0.0f, 0.25f * s}}},
                {.corner = {{0.0f, 0.0f, s}, {0.0f, 0.0f, 0.0f}, {-wide * s * (float)cos(angle), wide * s * (float)sin(angle), 0.5f * s}}}};
            connect(t, 2);
            const vp_edge want = k % 2 == 0 ? VP_EDGE_FLAT : angle > 0.0 ? VP_EDGE_CONCAVE : VP_EDGE_CONVEX;
            assert_int_equal(vp_edge_of(t[0].flags, 0), want);
            assert_int_equal(vp_edge_of(t[1].flags, 0), want);
            assert_true(t[0].neighbour_normal[0].x == t[1].normal.x && t[1].neighbour_normal[0].y == t[0].normal.y &&
                        t[0].normal.y == 1.0f);
        }
}

TEST(refusals)
{
    vp_collide_triangle t[2];
    uint32_t scratch[VP_COLLIDE_CONNECT_WORDS(2)];
    memset(t, 0, sizeof t);
    t[1].corner[2].y = NAN;
    t[0].flags = 9;
    assert_refused(vp_collide_connect(t, 2, scratch, &error), VP_E_ARGUMENT, "triangle 1: corner[2].y is");
    t[1].corner[2].y = 2.0f * VP_COLLIDE_REACH;
    assert_refused(vp_collide_connect(t, 2, scratch, &error), VP_E_ARGUMENT, "triangle 1: corner[2].y is 2.19902e+12");
    assert_refused(vp_collide_connect(t, UINT32_MAX / 3 + 1, scratch, &error), VP_E_ARGUMENT, "1431655766 triangles");
    assert_int_equal(t[0].flags, 9);
    assert_ok(vp_collide_connect(NULL, 0, NULL, &error));
}
