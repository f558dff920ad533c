/* SPDX-License-Identifier: MIT */
/* Edge flags correct contacts. A sphere rolls on a plane and along a ridge, and each flag counts in its place on a triangle. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>

#include <voxphys/voxphys.h>

/* Extremes of a sphere's contacts with a mesh. */
typedef struct rolling {
    uint32_t contacts;
    float most_along_z, least_up, own_most_along_z, own_least_up; /* corrected normals, and raw normals */
    vp_vec3 deepest;                                              /* corrected normal of the deepest contact */
} rolling;

enum { TRIANGLES = 16384 };

static rolling touch(const vp_collide_triangle *triangle, uint32_t count, const uint8_t *flags, vp_vec3 centre, float radius)
{
    static vp_collide_answer answer[TRIANGLES];
    rolling result = {0, 0, 1, 0, 1, {0, 0, 0}};
    const vp_collide_shape sphere = {.kind = VP_COLLIDE_SPHERE, .radius = radius};
    const vp_pose pose = vp_pose_at(centre);
    float best = 0;
    assert_ok(vp_collide_triangles(NULL, &sphere, &pose, 0, triangle, count, answer, &error));
    for (uint32_t t = 0; t < count; t++) {
        const vp_collide_answer *a = &answer[t];
        if (a->triangle_feature == VP_COLLIDE_NONE)
            continue;
        const vp_vec3 normal =
            vp_edge_correct_normal(triangle[t].corner, triangle[t].normal, flags[t], a->weight[1], a->weight[2], a->normal);
        result.contacts++;
        result.most_along_z = fmaxf(result.most_along_z, fabsf(normal.z));
        result.own_most_along_z = fmaxf(result.own_most_along_z, fabsf(a->normal.z));
        result.least_up = fminf(result.least_up, normal.y);
        result.own_least_up = fminf(result.own_least_up, a->normal.y);
        if (a->distance < best)
            result.deepest = normal;
        best = fminf(best, a->distance);
    }
    return result;
}

/* Checks a sphere that touches a block, after each step. */
typedef void judge(const rolling *is);

static void roll(vp_ivec3 block, float radius, vp_vec3 (*place)(vp_random *r, int i), judge *is_right)
{
    vp_random r = {4006};
    vp_world *world = test_world(3, 1, 3, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, block, (vp_voxel){9, 255}, NULL, &error));
    vp_mesh mesh = {0};
    const vp_mesh_def def = {.world = world, .surface = VP_SURFACE_SOLID};
    assert_ok(vp_mesh_create(&def, &mesh, &error));
    static vp_collide_triangle triangle[TRIANGLES];
    static uint8_t flags[TRIANGLES];
    const uint32_t count = 2 * mesh.quad_count;
    assert_true(count <= TRIANGLES);
    assert_ok(vp_mesh_edge_flags(&mesh, flags, &error));
    for (uint32_t t = 0; t < count; t++) {
        uint32_t index[3];
        vp_mesh_triangle(&mesh, t, index);
        const vp_vec3 corner[3] = {mesh.vertex[index[0]], mesh.vertex[index[1]], mesh.vertex[index[2]]};
        triangle[t] = vp_collide_triangle_of(corner, t);
    }
    rolling worst = {0, 0, 1, 0, 1, {0, 0, 0}};
    for (int i = 0; i < 200; i++) {
        const rolling is = touch(triangle, count, flags, place(&r, i), radius);
        assert_true(is.contacts >= 2);
        is_right(&is);
        worst.own_least_up = fminf(worst.own_least_up, is.own_least_up);
        worst.own_most_along_z = fmaxf(worst.own_most_along_z, is.own_most_along_z);
    }
    assert_true(worst.own_least_up < 0.95f && worst.own_most_along_z > 0.3f); /* or nothing was corrected */
    vp_mesh_destroy(&mesh);
    vp_world_destroy(world);
}

static vp_vec3 on_the_plane(vp_random *r, int i)
{
    (void)i;
    const float x = vp_random_between(r, 6, 18), z = vp_random_between(r, 6, 18);
    return (vp_vec3){x, 4.9f, z};
}

static void is_up(const rolling *is)
{
    assert_true(is->least_up == 1.0f && is->most_along_z == 0.0f);
}

/* A sphere pressed into a plane of many triangles, across chunk borders. Every corrected normal is up, though many raw ones are not. */
static void over_a_plane(void **state)
{
    (void)state;
    roll((vp_ivec3){24, 4, 24}, 1.0f, on_the_plane, is_up);
}

static vp_vec3 on_the_ridge(vp_random *r, int i)
{
    (void)r;
    const float ridge = 3.75f + 1.0f / 512.0f; /* plus 8 in x: the middle of two crossings, at (11.5, 4) and (12, 3.5) */
    return (vp_vec3){8.0f + ridge + 0.5f, ridge + 0.5f, 4.0f + 0.0787f * (float)i};
}

static void is_away(const rolling *is)
{
    assert_true(is->most_along_z < 1e-6f);
    assert_true(fabsf(is->deepest.x - 0.70710678f) < 1e-5f && fabsf(is->deepest.y - 0.70710678f) < 1e-5f);
}

/* A sphere along the edge of a block, except near its ends. Nothing pushes it back or on. The ridge pushes it along the ridge's normal,
   not along the top's or the side's. */
static void along_a_ridge(void **state)
{
    (void)state;
    roll((vp_ivec3){12, 4, 24}, 0.9f, on_the_ridge, is_away);
}

static void expect_normal(vp_vec3 got, vp_vec3 want)
{
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("(%g, %g, %g), expected (%g, %g, %g)", (double)got.x, (double)got.y, (double)got.z, (double)want.x, (double)want.y,
                 (double)want.z);
}

/* The place on a triangle decides which flags count. */
static void corrections(void **state)
{
    (void)state;
    const vp_vec3 corner[3] = {{0, 0, 0}, {4, 0, 0}, {0, 0, -4}}, up = {0, 1, 0}, own = {0.6f, 0, 0.8f};
    const vp_vec3 across = {0, 0, 1}, along = {1, 0, 0};
    enum { SHARP_01 = VP_EDGE_CONVEX, SHARP_12 = VP_EDGE_CONVEX << 2, SHARP_20 = VP_EDGE_CONVEX << 4 };
    const uint8_t all = SHARP_01 | SHARP_12 | SHARP_20, none = VP_EDGE_CONCAVE | VP_EDGE_FLAT << 2 | VP_EDGE_CONCAVE << 4;
    static const float on[7][2] = {{0.3f, 0.3f}, {0.5f, 0}, {0.5f, 0.5f}, {0, 0.5f}, {0, 0}, {1, 0}, {0, 1}};
    static const uint8_t edges[7] = {0, SHARP_01, SHARP_12, SHARP_20, SHARP_01 | SHARP_20, SHARP_01 | SHARP_12, SHARP_12 | SHARP_20};
    for (int i = 0; i < 7; i++) {
        float u = on[i][0], v = on[i][1];
        expect_normal(vp_edge_correct_normal(corner, up, none, u, v, own), up);
        expect_normal(vp_edge_correct_normal(corner, up, all, u, v, own), i == 0 ? up : own);
        expect_normal(vp_edge_correct_normal(corner, up, edges[i], u, v, own), i == 0 ? up : own);
        expect_normal(vp_edge_correct_normal(corner, up, (uint8_t)(all & ~edges[i]), u, v, own), up);
        expect_normal(vp_edge_correct_normal(corner, up, (uint8_t)(edges[i] / 2 * 3), u, v, own), i == 0 ? up : own); /* open */
        expect_normal(vp_edge_correct_normal(corner, up, (uint8_t)(edges[i] / 2), u, v, own), up);                    /* concave */
        expect_normal(vp_edge_correct_normal(corner, up, all, NAN, v, own), up);
        expect_normal(vp_edge_correct_normal(corner, up, all, u, NAN, own), up);
    }
    expect_normal(vp_edge_correct_normal(corner, up, SHARP_01, 0.5f, VP_EDGE_NEAR, own), own);
    expect_normal(vp_edge_correct_normal(corner, up, SHARP_01, 0.5f, VP_EDGE_NEAR * 1.001f, own), up);
    /* At a corner of one sharp edge the part along the edge is removed. If nothing remains, the triangle's normal is used. */
    expect_normal(vp_edge_correct_normal(corner, up, SHARP_01, 0, 0, own), across);
    expect_normal(vp_edge_correct_normal(corner, up, SHARP_20, 0, 0, own), along);
    expect_normal(vp_edge_correct_normal(corner, up, SHARP_01, 1, 0, own), across);
    expect_normal(vp_edge_correct_normal(corner, up, SHARP_01, 1, 0, along), up);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_a_plane),
        cmocka_unit_test(along_a_ridge),
        cmocka_unit_test(corrections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
