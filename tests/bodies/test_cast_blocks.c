/* SPDX-License-Identifier: MIT */
/* Casts, overlap and closest points on blocks. Upright boxes against unit cubes in closed form, all shapes against all triangles.
 * Coordinates of boxes are multiples of 1/64, so that they touch exactly. docs/CONTRACT.md: CAS-3, CAS-5, CAS-6, CAS-7 */
#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/support/check.h"

#ifdef TEST_THIN
enum { CASTS = 200, SHAPES_EACH = 4 };
#else
enum { CASTS = 1500, SHAPES_EACH = 20 };
#endif
enum { SIZE = 2, REACH = 6, WORLDS = 4, ROOM = 16384 };

static uint8_t cells[SIZE * SIZE * SIZE][VP_BLOCK_CELLS];
static vp_block_cells chunks[SIZE * SIZE * SIZE];
static const vp_block_type types[] = {{0, 0}, {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, 0}, {VP_BLOCK_COLLIDES, 0}, {VP_BLOCK_FLUID, 0}};
static const vp_block_view view = {
    .chunk = chunks, .low = {-1, -1, -1}, .size = {SIZE, SIZE, SIZE}, .type = types, .type_count = sizeof types / sizeof types[0]};
static vp_collide_triangle all[ROOM];
static uint32_t all_count;

static uint8_t *cell_at(int x, int y, int z)
{
    const int chunk = ((y >= 0) * SIZE + (z >= 0)) * SIZE + (x >= 0);
    return &cells[chunk][((y & 31) * 32 + (z & 31)) * 32 + (x & 31)];
}

/* A floor, stairs, pillars, and single blocks in the air. */
static void fill(int kind)
{
    vp_random r = {(uint64_t)kind};
    memset(cells, 0, sizeof cells);
    for (int y = -REACH; y < REACH; y++)
        for (int z = -REACH; z < REACH; z++)
            for (int x = -REACH; x < REACH; x++) {
                const bool solid[WORLDS] = {y < 0, y < x, y < 0 || (y < 3 && (x + 30) % 3 == 0 && (z + 30) % 3 == 0),
                                            vp_random_below(&r, 8) == 0};
                *cell_at(x, y, z) = solid[kind] ? 1 + (uint8_t)vp_random_below(&r, 2) : vp_random_below(&r, 9) == 0 ? 3 : 0;
            }
    const vp_aabb box = {{-30, -30, -30}, {30, 30, 30}};
    assert_ok(vp_collide_blocks(&view, &box, all, ROOM, &all_count, &error));
    assert_true(all_count > 100 && all_count < ROOM);
}

static bool is_solid(int x, int y, int z)
{
    return x >= -REACH && x < REACH && y >= -REACH && y < REACH && z >= -REACH && z < REACH &&
           (*cell_at(x, y, z) == 1 || *cell_at(x, y, z) == 2);
}

static float sixty_fourths(vp_random *r, int low, int high)
{
    return (float)(low + (int)vp_random_below(r, (uint32_t)(high - low + 1))) / 64.0f;
}

/* ---- boxes against cubes ---- */

typedef struct meeting {
    double t; /* 2 = none */
    bool inside, touching;
    unsigned axes; /* axes on which the box reaches the cube last */
} meeting;

/* The first time at which a box that moves by `way` enters the interior of a cube. */
static void meet_cube(const double centre[3], const double half[3], const double way[3], const int cube[3], meeting *m)
{
    double enter[3], latest = -INFINITY, leave = INFINITY;
    bool inside = true, touching = true;
    for (int k = 0; k < 3; k++) {
        const double low = cube[k] - half[k], high = cube[k] + 1 + half[k];
        inside = inside && centre[k] > low && centre[k] < high;
        touching = touching && centre[k] >= low && centre[k] <= high;
        enter[k] = -INFINITY;
        double until = INFINITY;
        if (way[k] != 0.0) {
            enter[k] = ((way[k] > 0.0 ? low : high) - centre[k]) / way[k];
            until = ((way[k] > 0.0 ? high : low) - centre[k]) / way[k];
        } else if (!(centre[k] > low && centre[k] < high))
            until = -INFINITY;
        latest = fmax(latest, enter[k]);
        leave = fmin(leave, until);
    }
    m->inside = m->inside || inside;
    m->touching = m->touching || touching;
    if (!(latest < leave) || latest < 0.0 || latest >= 1.0 || latest > m->t)
        return;
    m->axes = latest < m->t ? 0 : m->axes;
    m->t = latest;
    for (int k = 0; k < 3; k++)
        m->axes |= enter[k] == latest ? 1u << k : 0u;
}

static meeting meet_cubes(const double centre[3], const double half[3], const double way[3])
{
    meeting m = {.t = 2.0};
    for (int y = -REACH; y < REACH; y++)
        for (int z = -REACH; z < REACH; z++)
            for (int x = -REACH; x < REACH; x++)
                if (is_solid(x, y, z))
                    meet_cube(centre, half, way, (const int[3]){x, y, z}, &m);
    return m;
}

static void boxes(void **state)
{
    (void)state;
    vp_random r = {17};
    uint32_t hits = 0, inside = 0, wholly = 0, slides = 0;
    for (uint32_t i = 0; i < CASTS; i++) {
        if (i % (CASTS / WORLDS) == 0)
            fill((int)(i / (CASTS / WORLDS)) % WORLDS);
        double centre[3], half[3], way[3];
        for (int k = 0; k < 3; k++) {
            half[k] = (double)sixty_fourths(&r, 8, 80);
            centre[k] = (double)sixty_fourths(&r, -400, 400);
            way[k] = vp_random_below(&r, 4) == 0 ? 0.0 : (double)sixty_fourths(&r, -640, 640);
            if (vp_random_below(&r, 3) == 0) /* a side in the plane of block sides */
                centre[k] = floor(centre[k]) + half[k];
            if (vp_random_below(&r, 3) == 0) /* the way ends at a block */
                way[k] = floor(centre[k] + way[k]) - half[k] - centre[k];
        }
        const vp_collide_shape box = vp_collide_box((vp_vec3){(float)half[0], (float)half[1], (float)half[2]});
        const vp_cast_def def = {.shape = &box,
                                 .pose = vp_pose_at((vp_vec3){(float)centre[0], (float)centre[1], (float)centre[2]}),
                                 .translation = {(float)way[0], (float)way[1], (float)way[2]}};
        const meeting right = meet_cubes(centre, half, way);
        vp_cast_hit hit;
        bool overlap;
        assert_ok(vp_cast_blocks(&view, &def, &hit, &error));
        assert_ok(vp_overlap_blocks(&view, &def, &overlap, &error));
        assert_true(overlap ? right.touching : !right.inside);
        assert_true(hit.started_inside == right.inside);
        inside += right.inside;
        slides += right.touching && !right.inside && !hit.found;
        if (right.inside) {
            wholly += hit.at.triangle == VP_CAST_NO_TRIANGLE;
            assert_true(hit.found && hit.t == 0.0f && (hit.depth > 0.0f) == (hit.at.triangle != VP_CAST_NO_TRIANGLE));
            continue;
        }
        if (hit.found != (right.t < 1.0) || (hit.found && fabs((double)hit.t - right.t) > 1e-6))
            fail_msg("cast %u: hit %d at %.9g, cubes %.9g", i, hit.found, (double)hit.t, right.t);
        if (!hit.found)
            continue;
        hits++;
        const float n[3] = {hit.normal.x, hit.normal.y, hit.normal.z};
        int axis = 0;
        for (int k = 1; k < 3; k++)
            axis = fabsf(n[k]) > fabsf(n[axis]) ? k : axis;
        if (right.axes == 1 || right.axes == 2 || right.axes == 4)
            assert_true(right.axes >> axis == 1 && fabsf(n[axis]) > 0.99999f && (double)n[axis] * way[axis] < 0.0);
        const uint32_t number = hit.at.triangle / 12, chunk = hit.at.chunk;
        assert_true(chunk < SIZE * SIZE * SIZE && number < VP_BLOCK_CELLS && cells[chunk][number] == hit.material);
    }
    assert_true(hits > CASTS / 8 && inside > CASTS / 50 && wholly > 0 && slides > 0);
}

/* ---- all shapes ---- */

static void shapes(void **state)
{
    (void)state;
    vp_random r = {23};
    uint32_t hits = 0;
    for (int body = 0; body < VP_BODIES; body++) {
        vp_body_shape b;
        assert_ok(vp_body_shape_create((vp_body)body, 1.0f, NULL, &b, &error));
        for (uint32_t i = 0; i < SHAPES_EACH; i++) {
            fill((int)(i % WORLDS));
            vp_cast_def def = {
                .shape = &b.shape,
                .pose = vp_pose_at((vp_vec3){sixty_fourths(&r, -400, 400), sixty_fourths(&r, -200, 500), sixty_fourths(&r, -400, 400)}),
                .translation = {sixty_fourths(&r, -640, 640), sixty_fourths(&r, -640, 320), sixty_fourths(&r, -640, 640)}};
            vp_random_rotation(&r, def.pose.rotation);
            vp_cast_hit hit, right;
            bool overlap, any;
            const vp_vec3 p = def.pose.position;
            const bool centre = is_solid((int)floorf(p.x), (int)floorf(p.y), (int)floorf(p.z));
            assert_ok(vp_cast_blocks(&view, &def, &hit, &error));
            assert_ok(vp_cast_mesh(all, all_count, &def, &right, &error));
            assert_ok(vp_overlap_blocks(&view, &def, &overlap, &error));
            assert_ok(vp_overlap_mesh(all, all_count, &def, &any, &error));
            assert_true(overlap == (any || centre));
            hits += hit.found;
            if (hit.started_inside && hit.at.triangle == VP_CAST_NO_TRIANGLE) {
                assert_true(centre && !right.started_inside);
                continue;
            }
            assert_true(hit.found == right.found && hit.t == right.t && hit.depth == right.depth && hit.material == right.material);
            assert_true(hit.at.chunk == right.at.chunk && hit.at.triangle == right.at.triangle);
            assert_memory_equal(&hit.normal, &right.normal, sizeof hit.normal);
        }
        vp_body_shape_destroy(&b);
    }
    assert_true(hits > SHAPES_EACH);
}

/* The distance of a point from the uncovered sides of cubes. */
static double distance_of(const double p[3])
{
    double least = INFINITY;
    for (int y = -REACH; y < REACH; y++)
        for (int z = -REACH; z < REACH; z++)
            for (int x = -REACH; x < REACH; x++)
                for (int side = 0; side < 6 && is_solid(x, y, z); side++) {
                    const int cube[3] = {x, y, z}, axis = side / 2, step = side % 2 == 0 ? -1 : 1;
                    if (is_solid(x + (axis == 0 ? step : 0), y + (axis == 1 ? step : 0), z + (axis == 2 ? step : 0)))
                        continue;
                    double square = 0.0;
                    for (int k = 0; k < 3; k++) {
                        const double low = cube[k] + (k == axis && step > 0), high = cube[k] + (k == axis && step < 0 ? 0 : 1);
                        const double off = p[k] < low ? low - p[k] : p[k] > high ? p[k] - high : 0.0;
                        square += off * off;
                    }
                    least = fmin(least, sqrt(square));
                }
    return least;
}

static void closest(void **state)
{
    (void)state;
    vp_random r = {29};
    uint32_t some = 0, none = 0;
    for (uint32_t i = 0; i < CASTS / 8; i++) {
        if (i % 20 == 0)
            fill((int)(i / 20) % WORLDS);
        const vp_vec3 p = {vp_random_between(&r, -9, 9), vp_random_between(&r, -9, 9), vp_random_between(&r, -9, 9)};
        const float most = i % 3 == 0 ? INFINITY : vp_random_between(&r, 0.0f, 3.0f);
        const double right = distance_of((const double[3]){(double)p.x, (double)p.y, (double)p.z});
        vp_closest got, mesh;
        assert_ok(vp_closest_blocks(&view, p, most, &got, &error));
        assert_ok(vp_closest_mesh(all, all_count, p, most, &mesh, &error));
        assert_true(got.found == (right <= (double)most) && got.found == mesh.found && got.distance == mesh.distance);
        assert_true(got.at.chunk == mesh.at.chunk && got.at.triangle == mesh.at.triangle);
        assert_true(!got.found || fabs((double)got.distance - right) <= 1e-6);
        some += got.found, none += !got.found;
    }
    assert_true(some > 10 && none > 10);
}

/* The first box of the search contains a block that is not the closest. */
static void search_goes_on(void **state)
{
    (void)state;
    vp_closest got;
    memset(cells, 0, sizeof cells);
    *cell_at(0, 0, 0) = 1;    /* 1.5 away, but within 0.875 on each axis */
    *cell_at(-1, -1, -3) = 2; /* 1.125 away on one axis */
    assert_ok(vp_closest_blocks(&view, (vp_vec3){-0.875f, -0.875f, -0.875f}, 9.0f, &got, &error));
    assert_true(got.found && got.material == 2 && got.distance == 1.125f && got.point.z == -2.0f);
}

/* docs/CONTRACT.md: CAS-7. A ball straight above a cube's corner is equally near to all triangles there. */
static void ties(void **state)
{
    (void)state;
    vp_closest got;
    fill(0);
    assert_ok(vp_closest_blocks(&view, (vp_vec3){2.0f, 0.5f, 3.0f}, 1.0f, &got, &error));
    vp_terrain_triangle_id lowest = {UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < all_count; i++)
        for (int k = 0; k < 3; k++) {
            const vp_vec3 c = all[i].corner[k];
            const vp_terrain_triangle_id at = all[i].id;
            if (c.x == 2.0f && c.y == 0.0f && c.z == 3.0f &&
                (at.chunk < lowest.chunk || (at.chunk == lowest.chunk && at.triangle < lowest.triangle)))
                lowest = at;
        }
    assert_true(got.found && got.distance == 0.5f && got.at.chunk == lowest.chunk && got.at.triangle == lowest.triangle);
}

static void refusals(void **state)
{
    (void)state;
    const vp_collide_shape ball = vp_collide_sphere(1.0f);
    vp_cast_def def = {.shape = &ball, .pose = vp_pose_at((vp_vec3){0, 20, 0}), .translation = {0, -16777300.0f, 0}}, bad = def;
    vp_cast_hit hit = {.t = 7.0f};
    vp_closest near = {.distance = 7.0f};
    bool any = true;
    assert_refused(vp_cast_blocks(NULL, &def, &hit, &error), VP_E_ARGUMENT, "the view is NULL");
    assert_refused(vp_cast_blocks(&view, &def, &hit, &error), VP_E_ARGUMENT, "along y");
    assert_refused(vp_cast_blocks(&view, &def, NULL, &error), VP_E_ARGUMENT, "NULL");
    bad.pose.position.x = 16777216.0f;
    assert_refused(vp_overlap_blocks(&view, &bad, &any, &error), VP_E_ARGUMENT, "along x");
    assert_refused(vp_overlap_blocks(NULL, &def, &any, &error), VP_E_ARGUMENT, "the view is NULL");
    assert_refused(vp_closest_blocks(NULL, def.pose.position, 1.0f, &near, &error), VP_E_ARGUMENT, "the view is NULL");
    assert_refused(vp_closest_blocks(&view, def.pose.position, -2.0f, &near, &error), VP_E_ARGUMENT, "-2");
    assert_true(hit.t == 7.0f && near.distance == 7.0f && any);
}

int main(void)
{
    for (int c = 0; c < SIZE * SIZE * SIZE; c++)
        chunks[c] = (vp_block_cells){.cell = cells[c], .width = 1};
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes),          cmocka_unit_test(shapes), cmocka_unit_test(closest),
                                       cmocka_unit_test(search_goes_on), cmocka_unit_test(ties),   cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
