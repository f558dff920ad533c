/* SPDX-License-Identifier: MIT */
/* GJK and EPA in the families that narrowphases fail at, judged by brute force in binary64.
 *
 *   test_gjk [POSES]   poses per shape, 4,000 by default. Prints the worst of each family. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/narrowphase/sampled_poses.h"
#include "datasets/random.h"
#include "tests/support/check.h"

#ifdef TEST_THIN
static uint32_t poses = 4000 / TEST_THIN;
#else
static uint32_t poses = 4000;
#endif
static bool reported;

enum { SEED = 7 };

static double size_of(const vp_collide_job *job)
{
    double size = (double)vp_collide_radius(job->shape);
    for (int k = 0; k < 3; k++) {
        const vp_vec3 c = vp_vec3_sub(job->triangle->corner[k], job->frame.position);
        size = fmax(size, (double)fmaxf(fmaxf(fabsf(c.x), fabsf(c.y)), fabsf(c.z)));
    }
    return size;
}

/* The distance of a point of a box or a hull from the reported feature. */
static float off_part(const vp_collide_job *job, const vp_collide_answer *a)
{
    const vp_collide_shape *s = job->shape;
    const vp_vec3 *row = job->frame.row, w = a->on_shape;
    const vp_vec3 p = {vp_vec3_dot(row[0], w), vp_vec3_dot(row[1], w), vp_vec3_dot(row[2], w)};
    const float at[3] = {p.x, p.y, p.z}, half[3] = {s->half.x, s->half.y, s->half.z};
    const uint32_t part = a->shape_feature & 0xc0000000u, n = a->shape_feature & 0x3fffffffu;
    if (s->kind == VP_COLLIDE_BOX) {
        float most = 0.0f;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t axis = n / 4;
            bool held = part == VP_SHAPE_CORNER || (part == VP_SHAPE_FACE && k == n / 2), positive = (n & 1) != 0;
            if (part == VP_SHAPE_CORNER)
                positive = (n >> k & 1) != 0;
            else if (part == VP_SHAPE_EDGE) {
                held = k != axis;
                positive = k == (axis + 1) % 3 ? (n & 1) != 0 : (n & 2) != 0;
            }
            most = held ? fmaxf(most, fabsf(at[k] - (positive ? half[k] : -half[k]))) : most;
        }
        return most;
    }
    if (s->kind != VP_COLLIDE_HULL)
        return 0.0f;
    const vp_collide_hull *h = s->hull;
    if (part == VP_SHAPE_FACE)
        return fabsf(vp_vec3_dot(h->plane[n].normal, p) - h->plane[n].offset);
    const vp_vec3 b = h->vertex[part == VP_SHAPE_CORNER ? n : h->edge[n].vertex[0]], from = vp_vec3_sub(p, b);
    if (part == VP_SHAPE_CORNER)
        return sqrtf(vp_vec3_dot(from, from));
    const vp_vec3 e = vp_vec3_sub(h->vertex[h->edge[n].vertex[1]], b), c = vp_vec3_cross(from, e);
    return sqrtf(vp_vec3_dot(c, c) / vp_vec3_dot(e, e));
}

/* docs/CONTRACT.md: NAR-1, NAR-2, NAR-3, NAR-4, NAR-5, NAR-6. Distances, signs and normals have the kernels' tolerances. Points may be
 * off where only roundings separate directions. */
static void judge_shape(vp_body body)
{
    for (int f = 0; f < VP_POSES_FAMILIES; f++) {
        vp_pose_set set;
        vp_collide_samples asked;
        vp_collide_tally t = {0};
        assert_ok(vp_pose_set_hard((vp_pose_family)f, poses / VP_POSES_FAMILIES + 1, SEED + (uint64_t)f, &set, &error));
        assert_ok(vp_collide_samples_create(body, &set, &asked, &error));
        vp_collide_samples_spoil(&asked);
        for (uint32_t k = 0; k < asked.scales; k++)
            asked.oracle[k].coarse = body == VP_BODY_CYLINDER ? 1e-3 : 0.0;
        for (uint32_t i = 0; i < asked.places; i++) {
            uint32_t pair = 0;
            asked.job[i].margin = i % 2 == 0 ? asked.job[i].margin : INFINITY;
            vp_collide_gjk_scalar(&asked.job[i]);
            const vp_collide_fault fault = vp_collide_samples_judge(&asked, i, 1e-6, false, &t, &pair);
            if (asked.job[i].answer->shape_feature != VP_COLLIDE_NONE && fault != VP_FAULT_POINTS)
                assert_true((double)off_part(&asked.job[i], asked.job[i].answer) <= 1e-5 * size_of(&asked.job[i]));
            if (reported && fault != VP_FAULT_NONE && t.pairs - t.fault[VP_FAULT_NONE] < 4)
                printf("%s %s, place %u: %s; distance %.9g\n", vp_body_name(body), vp_pose_family_name((vp_pose_family)f), i,
                       vp_collide_fault_name(fault), (double)asked.job[i].answer[pair].distance);
        }
        if (reported) {
            printf("%-8s %-9s %7u pairs, worst %.2e, faults:", vp_body_name(body), vp_pose_family_name((vp_pose_family)f),
                   (unsigned)t.pairs, t.worst);
            for (int k = VP_FAULT_NONE + 1; k < VP_FAULTS; k++)
                printf(" %s %u", vp_collide_fault_name((vp_collide_fault)k), (unsigned)t.fault[k]);
            printf("\n");
        }
        assert_true(t.near > 0);
        assert_true(t.fault[VP_FAULT_POINTS] <= 2 + t.pairs / 1000);
        assert_int_equal(t.fault[VP_FAULT_NONE] + t.fault[VP_FAULT_POINTS], t.pairs);
        vp_collide_samples_destroy(&asked);
        vp_pose_set_destroy(&set);
    }
}

static void spheres(void **state)
{
    (void)state;
    judge_shape(VP_BODY_SPHERE);
}

static void capsules(void **state)
{
    (void)state;
    judge_shape(VP_BODY_CAPSULE);
}

static void boxes(void **state)
{
    (void)state;
    judge_shape(VP_BODY_BOX);
}

static void hulls(void **state)
{
    (void)state;
    judge_shape(VP_BODY_HULL16);
    judge_shape(VP_BODY_HULL64);
}

/* In an overlap, EPA misses the part of the round side that 64 steps do not reach. */
static void cylinders(void **state)
{
    (void)state;
    judge_shape(VP_BODY_CYLINDER);
}

/* ---- any input ---- */

/* Corners and shapes of any finite size have an answer, with finite numbers. */
static void anything(void **state)
{
    vp_random random = {5};
    (void)state;
    for (uint32_t i = 0; i < poses; i++) {
        float v[20];
        for (int k = 0; k < 20; k++) {
            const float by = powf(10.0f, floorf(vp_random_between(&random, -6.0f, 6.9f)));
            v[k] = vp_random_between(&random, -1.0f, 1.0f) < -0.5f ? 0.0f : by * vp_random_between(&random, -1.0f, 1.0f);
        }
        const float r = fabsf(v[0]) + VP_COLLIDE_MIN_LENGTH, h = fabsf(v[1]);
        const vp_collide_shape shape[] = {vp_collide_sphere(r), vp_collide_capsule(r, h), vp_collide_box((vp_vec3){r, h, fabsf(v[2])}),
                                          vp_collide_cylinder(r, h)};
        const vp_vec3 corner[3] = {{v[3], v[4], v[5]}, {v[6], v[7], v[8]}, {v[9], v[10], v[11]}};
        const vp_pose pose = {{v[12], v[13], v[14]}, {v[15], v[16], v[17], v[18] + 1e-3f}};
        const vp_collide_triangle triangle = vp_collide_triangle_of(corner, 0);
        for (int s = 0; s < 4; s++) {
            vp_collide_answer a;
            vp_collide_job job = {.shape = &shape[s], .margin = INFINITY, .triangle = &triangle, .count = 1, .answer = &a};
            assert_ok(vp_collide_frame_of(&pose, &job.frame, &error));
            memset(&a, 0xff, sizeof a);
            vp_collide_gjk_scalar(&job);
            assert_true(isfinite(a.distance) && fabsf(vp_vec3_dot(a.normal, a.normal) - 1.0f) < 1e-5f);
            assert_true(isfinite(vp_vec3_dot(a.on_shape, a.on_triangle)));
            assert_true(a.weight[0] >= 0.0f && a.weight[1] >= 0.0f && a.weight[2] >= 0.0f);
            assert_true(fabsf((a.weight[0] + a.weight[1] + a.weight[2]) - 1.0f) < 1e-5f && a.triangle_feature < 7);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spheres), cmocka_unit_test(capsules),  cmocka_unit_test(boxes),
                                       cmocka_unit_test(hulls),   cmocka_unit_test(cylinders), cmocka_unit_test(anything)};
    reported = argc > 1;
    if (argc > 1)
        poses = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
