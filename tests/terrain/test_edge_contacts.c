/* SPDX-License-Identifier: MIT */
/* Contacts that edge flags correct: a sphere on a plane and along a ridge, with contacts found by trying every triangle,
 * and where on a triangle which flag counts. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

static vp_mesh mesh_of(const vp_world *world, vp_surface surface)
{
    vp_mesh mesh = {0};
    vp_mesh_def def = {.world = world, .surface = surface};
    assert_ok(vp_mesh_create(&def, &mesh, &error));
    return mesh;
}

/* The point of a triangle that is nearest to p, by trying its inside, its sides and its corners; u and v are its weights. */
static vp_vec3 nearest_on(const vp_vec3 corner[3], vp_vec3 p, float *u, float *v)
{
    double best = INFINITY, weight[3] = {0};
    double c[3][3] = {{0}}, at[3] = {(double)p.x, (double)p.y, (double)p.z};
    for (int i = 0; i < 3; i++) {
        c[i][0] = (double)corner[i].x;
        c[i][1] = (double)corner[i].y;
        c[i][2] = (double)corner[i].z;
    }
    double e[2][3], d[3], ee[2][2] = {{0}}, de[2] = {0};
    for (int k = 0; k < 3; k++) {
        e[0][k] = c[1][k] - c[0][k];
        e[1][k] = c[2][k] - c[0][k];
        d[k] = at[k] - c[0][k];
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            de[i] += d[k] * e[i][k];
            for (int m = 0; m < 2; m++)
                ee[i][m] += e[i][k] * e[m][k];
        }
    double determinant = ee[0][0] * ee[1][1] - ee[0][1] * ee[1][0];
    double s = (de[0] * ee[1][1] - de[1] * ee[0][1]) / determinant, t = (de[1] * ee[0][0] - de[0] * ee[1][0]) / determinant;
    if (s >= 0 && t >= 0 && s + t <= 1) {
        weight[0] = 1 - s - t;
        weight[1] = s;
        weight[2] = t;
        best = 0;
    }
    for (int i = 0; i < 3 && best > 0; i++) {
        int j = (i + 1) % 3;
        double along = 0, length = 0, distance = 0;
        for (int k = 0; k < 3; k++) {
            along += (at[k] - c[i][k]) * (c[j][k] - c[i][k]);
            length += (c[j][k] - c[i][k]) * (c[j][k] - c[i][k]);
        }
        along = along <= 0 ? 0 : along >= length ? 1 : along / length;
        for (int k = 0; k < 3; k++) {
            double off = at[k] - c[i][k] - along * (c[j][k] - c[i][k]);
            distance += off * off;
        }
        if (distance < best) {
            best = distance;
            weight[(i + 2) % 3] = 0;
            weight[i] = 1 - along;
            weight[j] = along;
        }
    }
    *u = (float)weight[1];
    *v = (float)weight[2];
    double q[3];
    for (int k = 0; k < 3; k++)
        q[k] = weight[0] * c[0][k] + weight[1] * c[1][k] + weight[2] * c[2][k];
    return (vp_vec3){(float)q[0], (float)q[1], (float)q[2]};
}

static vp_vec3 unit(vp_vec3 v)
{
    return vp_vec3_scale(v, 1.0f / sqrtf(vp_vec3_dot(v, v)));
}

/* What is seen of a sphere's contacts with a mesh. */
typedef struct rolling {
    uint32_t contacts;
    float most_along_z, least_up, own_most_along_z, own_least_up; /* of corrected normals, and of the contacts' own */
    vp_vec3 deepest;                                              /* the corrected normal of the deepest contact */
} rolling;

static rolling touch(const vp_mesh *mesh, const uint8_t *flags, vp_vec3 centre, float radius)
{
    rolling result = {0, 0, 1, 0, 1, {0, 0, 0}};
    float best = radius;
    for (uint64_t t = 0; t < 2 * (uint64_t)mesh->quad_count; t++) {
        uint32_t index[3];
        vp_mesh_triangle(mesh, t, index);
        const vp_vec3 corner[3] = {mesh->vertex[index[0]], mesh->vertex[index[1]], mesh->vertex[index[2]]};
        float u, v;
        vp_vec3 off = vp_vec3_sub(centre, nearest_on(corner, centre, &u, &v));
        float distance = sqrtf(vp_vec3_dot(off, off));
        if (distance >= radius)
            continue;
        vp_vec3 face = unit(vp_vec3_cross(vp_vec3_sub(corner[1], corner[0]), vp_vec3_sub(corner[2], corner[0])));
        vp_vec3 own = unit(off), normal = vp_edge_correct_normal(corner, face, flags[t], u, v, own);
        result.contacts++;
        result.most_along_z = fmaxf(result.most_along_z, fabsf(normal.z));
        result.own_most_along_z = fmaxf(result.own_most_along_z, fabsf(own.z));
        result.least_up = fminf(result.least_up, normal.y);
        result.own_least_up = fminf(result.own_least_up, own.y);
        if (distance < best)
            result.deepest = normal;
        best = fminf(best, distance);
    }
    return result;
}

/* A sphere that is pressed into a plane of many triangles, across borders of chunks: every normal is up, though many contacts' own are
   not. */
static void over_a_plane(void **state)
{
    (void)state;
    vp_random r = {4006};
    vp_world *world = test_world(3, 1, 3, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){24, 4, 24}, (vp_voxel){9, 255}, NULL, &error));
    vp_mesh mesh = mesh_of(world, VP_SURFACE_SOLID);
    uint8_t *flags = malloc(2 * (size_t)mesh.quad_count);
    assert_non_null(flags);
    assert_ok(vp_mesh_edge_flags(&mesh, flags, &error));
    float least = 1;
    for (int i = 0; i < 200; i++) {
        vp_vec3 centre = {0, 4.9f, 0};
        centre.x = vp_random_between(&r, 6, 18);
        centre.z = vp_random_between(&r, 6, 18);
        rolling is = touch(&mesh, flags, centre, 1.0f);
        assert_true(is.contacts >= 2);
        assert_true(is.least_up == 1.0f && is.most_along_z == 0.0f);
        least = fminf(least, is.own_least_up);
    }
    assert_true(least < 0.95f);
    free(flags);
    vp_mesh_destroy(&mesh);
    vp_world_destroy(world);
}

/* A sphere along the edge of a block, from its first triangle to its last but some: nothing pushes it back or on, and at the ridge it is
   pushed away from the ridge, neither as the top nor as the side would. */
static void along_a_ridge(void **state)
{
    (void)state;
    vp_world *world = test_world(3, 1, 3, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){12, 4, 24}, (vp_voxel){9, 255}, NULL, &error));
    vp_mesh mesh = mesh_of(world, VP_SURFACE_SOLID);
    uint8_t *flags = malloc(2 * (size_t)mesh.quad_count);
    assert_non_null(flags);
    assert_ok(vp_mesh_edge_flags(&mesh, flags, &error));
    const float ridge = 3.75f + 1.0f / 512.0f; /* and 8 more in x: the middle of two crossings, at (11.5, 4) and (12, 3.5) */
    float most = 0;
    for (int i = 0; i < 200; i++) {
        vp_vec3 centre = {8.0f + ridge + 0.5f, ridge + 0.5f, 4.0f + 0.0787f * (float)i};
        rolling is = touch(&mesh, flags, centre, 0.9f);
        assert_true(is.contacts >= 2);
        assert_true(is.most_along_z < 1e-6f);
        assert_true(fabsf(is.deepest.x - 0.70710678f) < 1e-5f && fabsf(is.deepest.y - 0.70710678f) < 1e-5f);
        most = fmaxf(most, is.own_most_along_z);
    }
    assert_true(most > 0.3f);
    free(flags);
    vp_mesh_destroy(&mesh);
    vp_world_destroy(world);
}

static void expect_normal(vp_vec3 got, vp_vec3 want)
{
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("(%g, %g, %g), expected (%g, %g, %g)", (double)got.x, (double)got.y, (double)got.z, (double)want.x, (double)want.y,
                 (double)want.z);
}

/* Where on the triangle which flags count. */
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
    /* At a corner of one sharp edge the part along it goes; if all of it goes, the triangle's is left. */
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
