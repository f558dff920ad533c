/* SPDX-License-Identifier: MIT */
/* Shapes against triangles, by the families that narrowphases fail at: every answer is judged by brute force in binary64.
 *
 *   test_collide [POSES]   poses a shape: 10,000; 1,000,000 for a long look. It tells the worst of each family. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/shapes.h"
#include "tests/support/check.h"

#ifdef TEST_THIN
static uint32_t poses = 10000 / TEST_THIN;
#else
static uint32_t poses = 10000;
#endif
static bool told;

enum { SCALES = 3, SEED = 2 };
static const float scales[SCALES] = {1.0f, 1e-3f, 1e3f};

typedef struct sized {
    vp_body_shape shape;
    vp_oracle_shape oracle;
} sized;

typedef struct tally {
    uint32_t pairs, near, fault[VP_FAULTS];
    double worst;
} tally;

static const sized *sized_for(const sized *of, float scale)
{
    int s = 0;
    while (scales[s] != scale)
        s++;
    return &of[s];
}

static void judge_place(const sized *of, const vp_kernels *kernels, const vp_pose_set *set, uint32_t i, float margin, tally *t)
{
    const vp_pose_place *p = &set->place[i];
    const sized *s = sized_for(of, p->scale);
    const vp_pose pose = vp_pose_of(&s->shape.shape, p);
    const vp_collide_triangle triangle = vp_collide_triangle_of(set->corner[i], i);
    vp_collide_answer answer;
    double off;
    assert_ok(vp_collide_triangles(kernels, &s->shape.shape, &pose, margin, &triangle, 1, &answer, &error));
    const vp_collide_fault fault = vp_oracle_judge(&s->oracle, &s->shape.shape, &pose, set->corner[i], margin, 1e-6, &answer, &off);
    t->pairs++;
    t->near += answer.triangle_feature != VP_COLLIDE_NONE;
    t->fault[fault]++;
    t->worst = off > t->worst ? off : t->worst;
    if (fault != VP_FAULT_NONE && t->pairs - t->fault[VP_FAULT_NONE] == 1)
        printf("%s, place %u, margin %g: %s; distance %.9g, off by %.3g of the size\n", vp_pose_family_name(p->family), i, (double)margin,
               vp_collide_fault_name(fault), (double)answer.distance, off);
}

/* Every other pose with a margin, every other one as far as it may be. */
static void judge_shape(vp_body body)
{
    sized of[SCALES];
    vp_kernels kernels;
    uint32_t faults = 0;
    assert_ok(vp_kernels_named("scalar", &kernels, &error));
    for (int s = 0; s < SCALES; s++) {
        assert_ok(vp_body_shape_create(body, scales[s], NULL, &of[s].shape, &error));
        assert_ok(vp_oracle_shape_create(&of[s].shape.shape, &of[s].oracle, &error));
    }
    for (int f = 0; f < VP_POSES_FAMILIES; f++) {
        vp_pose_set set;
        tally t = {0};
        assert_ok(vp_pose_set_hard((vp_pose_family)f, poses / VP_POSES_FAMILIES + 1, SEED + (uint64_t)f, &set, &error));
        for (uint32_t i = 0; i < set.count; i++)
            judge_place(of, &kernels, &set, i, i % 2 == 0 ? 0.02f * set.place[i].scale : INFINITY, &t);
        vp_pose_set_destroy(&set);
        assert_true(t.near > 0);
        faults += t.pairs - t.fault[VP_FAULT_NONE];
        if (told || t.fault[VP_FAULT_NONE] < t.pairs) {
            printf("%-8s %-9s %7u poses, %7u near, worst %.2e, faults:", vp_body_name(body), vp_pose_family_name((vp_pose_family)f),
                   t.pairs, t.near, t.worst);
            for (int k = VP_FAULT_NONE + 1; k < VP_FAULTS; k++)
                printf(" %s %u", vp_collide_fault_name((vp_collide_fault)k), t.fault[k]);
            printf("\n");
        }
    }
    for (int s = 0; s < SCALES; s++) {
        vp_body_shape_destroy(&of[s].shape);
        vp_oracle_shape_destroy(&of[s].oracle);
    }
    assert_int_equal(faults, 0);
}

/* docs/CONTRACT.md: NAR-1, NAR-2, NAR-3, NAR-4, NAR-5, NAR-6 */
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

static void cylinders(void **state)
{
    (void)state;
    judge_shape(VP_BODY_CYLINDER);
}

static void hulls_of_16(void **state)
{
    (void)state;
    judge_shape(VP_BODY_HULL16);
}

static void hulls_of_64(void **state)
{
    (void)state;
    judge_shape(VP_BODY_HULL64);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),     cmocka_unit_test(capsules),    cmocka_unit_test(boxes), cmocka_unit_test(cylinders),
        cmocka_unit_test(hulls_of_16), cmocka_unit_test(hulls_of_64),
    };
    told = argc > 1;
    if (argc > 1)
        poses = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
