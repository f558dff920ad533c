/* SPDX-License-Identifier: MIT */
/* Casts, overlap and closest points on blocks, against all triangles. Coordinates are multiples of 1/64, so that shapes touch exactly.
 * docs/CONTRACT.md: CAS-5, CAS-6, CAS-7 */
#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/narrowphase/block_scene.h"
#include "tests/support/check.h"

enum { POINTS = IS_THIN ? 25 : 187, SHAPES_EACH = IS_THIN ? 8 : 48 };
enum { REACH = 6, WORLDS = 4, ROOM = 16384 };

static vp_collide_triangle all[ROOM];
static uint32_t all_count;

/* A floor, stairs, pillars, and single blocks in the air. */
static void fill(int kind)
{
    vp_random r = {(uint64_t)kind};
    clear_blocks();
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

static float sixty_fourths(vp_random *r, int low, int high)
{
    return (float)(low + (int)vp_random_below(r, (uint32_t)(high - low + 1))) / 64.0f;
}

TEST(shapes)
{
    vp_random r = {23};
    uint32_t hits = 0, inside = 0, wholly = 0;
    for (int body = 0; body < VP_BODIES; body++) {
        vp_body_shape b;
        assert_ok(vp_body_shape_create((vp_body_kind)body, 1.0f, NULL, &b, &error));
        for (uint32_t i = 0; i < SHAPES_EACH; i++) {
            if (i % (SHAPES_EACH / WORLDS) == 0)
                fill((int)(i / (SHAPES_EACH / WORLDS)));
            vp_cast_def def = {
                .shape = &b.shape,
                .pose = vp_pose_at((vp_vec3){sixty_fourths(&r, -400, 400), sixty_fourths(&r, -200, 500), sixty_fourths(&r, -400, 400)}),
                .translation = {sixty_fourths(&r, -640, 640), sixty_fourths(&r, -640, 320), sixty_fourths(&r, -640, 640)}};
            if (i % 2 == 0)
                vp_random_rotation(&r, def.pose.rotation);
            for (int k = 0; k < 3 && i % 4 == 1; k++) { /* flush with blocks, along an axis or two */
                float *at = &(&def.pose.position.x)[k];
                *at = floorf(*at) + (k == 1 ? b.shape.half.y : 0.5f);
                (&def.translation.x)[k] = vp_random_below(&r, 2) == 0 ? 0.0f : (&def.translation.x)[k];
            }
            vp_cast_hit hit, right;
            bool overlap, any;
            const vp_vec3 p = def.pose.position;
            const bool centre = is_solid((int)floorf(p.x), (int)floorf(p.y), (int)floorf(p.z));
            assert_ok(vp_cast_blocks(&view, &def, &hit, &error));
            assert_ok(vp_cast_mesh(all, all_count, &def, &right, &error));
            assert_ok(vp_overlap_blocks(&view, &def, &overlap, &error));
            assert_ok(vp_overlap_mesh(all, all_count, &def, &any, &error));
            assert_true(overlap == (any || centre));
            hits += hit.found, inside += hit.started_inside;
            if (hit.started_inside && hit.at.triangle == VP_CAST_NO_TRIANGLE) {
                assert_true(centre && !right.started_inside);
                wholly++;
                continue;
            }
            assert_true(hit.found == right.found && hit.t == right.t && hit.depth == right.depth && hit.material == right.material);
            assert_true(hit.at.chunk == right.at.chunk && hit.at.triangle == right.at.triangle);
            assert_memory_equal(&hit.normal, &right.normal, sizeof hit.normal);
        }
        vp_body_shape_destroy(&b);
    }
    assert_true(hits > SHAPES_EACH && inside > SHAPES_EACH / 4 && wholly > 0);
}

TEST(closest)
{
    vp_random r = {29};
    uint32_t some = 0, none = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        if (i % 20 == 0)
            fill((int)(i / 20) % WORLDS);
        const vp_vec3 p = {vp_random_between(&r, -9, 9), vp_random_between(&r, -9, 9), vp_random_between(&r, -9, 9)};
        const float most = i % 3 == 0 ? INFINITY : vp_random_between(&r, 0.0f, 3.0f);
        vp_closest got, mesh;
        assert_ok(vp_closest_blocks(&view, p, most, &got, &error));
        assert_ok(vp_closest_mesh(all, all_count, p, most, &mesh, &error));
        assert_true(got.found == mesh.found && got.distance == mesh.distance);
        assert_true(got.at.chunk == mesh.at.chunk && got.at.triangle == mesh.at.triangle);
        some += got.found, none += !got.found;
    }
    assert_true(some > 10 && none > 10);
}

/* The first box of the search contains a block that is not the closest. */
TEST(search_goes_on)
{
    vp_closest got;
    clear_blocks();
    *cell_at(0, 0, 0) = 1;    /* 1.5 away, but within 0.875 on each axis */
    *cell_at(-1, -1, -3) = 2; /* 1.125 away on one axis */
    assert_ok(vp_closest_blocks(&view, (vp_vec3){-0.875f, -0.875f, -0.875f}, 9.0f, &got, &error));
    assert_true(got.found && got.material == 2 && got.distance == 1.125f && got.point.z == -2.0f);
}

/* Beyond 2^23 boxes have whole sides, so a chequered chunk has more triangles in each than fit. */
TEST(far_blocks)
{
    clear_blocks();
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        cells[0][i] = (i ^ i >> 5 ^ i >> 10) & 1;
    const vp_collide_shape ball = vp_collide_sphere(2.0f);
    const char *full = "a cast has room for 128";
    for (int32_t low = 131072; low <= 262144; low *= 2) {
        const vp_block_view far = {
            .chunk = chunks, .low = {low, low, low}, .size = {1, 1, 1}, .type = types, .type_count = view.type_count};
        const float middle = (float)low * VP_BLOCK_EDGE + 16.0f;
        const vp_cast_def def = {.shape = &ball, .pose = vp_pose_at((vp_vec3){middle, middle, middle}), .translation = {0, -4, 0}};
        vp_cast_hit hit = {.t = 7.0f};
        vp_closest near = {.distance = 7.0f};
        bool any = false;
        if (low == 131072) {
            assert_ok(vp_cast_blocks(&far, &def, &hit, &error));
            assert_ok(vp_overlap_blocks(&far, &def, &any, &error));
            assert_ok(vp_closest_blocks(&far, def.pose.position, 3.0f, &near, &error));
            assert_true(hit.found && any && near.found);
        } else {
            assert_refused(vp_cast_blocks(&far, &def, &hit, &error), VP_E_LIMIT, full);
            assert_refused(vp_overlap_blocks(&far, &def, &any, &error), VP_E_LIMIT, full);
            assert_refused(vp_closest_blocks(&far, def.pose.position, 3.0f, &near, &error), VP_E_LIMIT, full);
            assert_true(hit.t == 7.0f && near.distance == 7.0f && !any);
        }
    }
}

TEST(refusals)
{
    const vp_collide_shape ball = vp_collide_sphere(1.0f);
    vp_cast_def def = {.shape = &ball, .pose = vp_pose_at((vp_vec3){0, 20, 0}), .translation = {0, -16777300.0f, 0}}, bad = def;
    vp_cast_hit hit = {.t = 7.0f};
    vp_closest near = {.distance = 7.0f};
    bool any = true;
    assert_refused(vp_cast_blocks(&view, &def, &hit, &error), VP_E_ARGUMENT, "along y");
    bad.pose.position.x = 16777216.0f;
    assert_refused(vp_overlap_blocks(&view, &bad, &any, &error), VP_E_ARGUMENT, "along x");
    assert_refused(vp_closest_blocks(&view, def.pose.position, -2.0f, &near, &error), VP_E_ARGUMENT, "-2");
    assert_true(hit.t == 7.0f && near.distance == 7.0f && any);
}
