/* SPDX-License-Identifier: MIT */
/* Edge flags correct contact normals: each flag counts in its place on a triangle. */
#include "tests/support/check.h"

#include <math.h>

#include <voxphys/voxphys.h>

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
        cmocka_unit_test(corrections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
