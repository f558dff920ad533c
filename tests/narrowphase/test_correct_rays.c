/* SPDX-License-Identifier: MIT */
/* The distance along a direction after which a shape touches a triangle for the last time, for all shapes.
 *
 *   test_correct_rays [POSES]   poses per shape, 300 by default. More for a long run. Prints the largest error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "src/narrowphase/ray.h"
#include "tests/narrowphase/moved.h"
#include "tests/support/check.h"

#ifdef TEST_THIN
static uint32_t poses = 300 / TEST_THIN + 20;
#else
static uint32_t poses = 300;
#endif
static bool reported;

#define OFF 1e-6 /* part of the size */

/* ---- distance of a shape from a triangle ---- */

/* From a point in the shape's frame, for spheres, capsules, boxes and cylinders. */
static double from_point(const vp_collide_shape *s, const double p[3])
{
    const double r = (double)s->radius, h = (double)s->half_height, y = fmax(fabs(p[1]) - h, 0.0);
    if (s->kind == VP_COLLIDE_CYLINDER)
        return hypot(y, fmax(hypot(p[0], p[2]) - r, 0.0));
    assert_int_equal(s->kind, VP_COLLIDE_CAPSULE);
    return fmax(sqrt(p[0] * p[0] + y * y + p[2] * p[2]) - r, 0.0);
}

typedef double on_line_fn(const void *with, double at);

/* The minimum of a convex function on [0, 1]. */
static double least_of(on_line_fn *f, const void *with)
{
    double low = 0.0, high = 1.0, a = 0.381966011250105, b = 1.0 - a, fa = f(with, a), fb = f(with, b),
           best = fmin(f(with, 0.0), f(with, 1.0));
    for (int i = 0; i < 45; i++) {
        if (fa < fb) {
            high = b, b = a, fb = fa;
            a = low + 0.381966011250105 * (high - low);
            fa = f(with, a);
        } else {
            low = a, a = b, fa = fb;
            b = high - 0.381966011250105 * (high - low);
            fb = f(with, b);
        }
    }
    best = fmin(best, fmin(fa, fb));
    return best;
}

typedef struct place {
    const vp_collide_shape *shape;
    const double (*corner)[3];
    double row; /* weight of corner 1. The minimum over the other weights is convex in it */
} place;

static double at_point(const void *with, double at)
{
    const place *p = with;
    double q[3];
    for (int k = 0; k < 3; k++) {
        const double from = p->corner[0][k];
        q[k] = from + (p->corner[1][k] - from) * p->row + (p->corner[2][k] - from) * ((1.0 - p->row) * at);
    }
    return from_point(p->shape, q);
}

static double at_row(const void *with, double at)
{
    place p = *(const place *)with;
    p.row = at;
    return least_of(at_point, &p);
}

/* The distance of the shape, moved by t w, from the triangle, by a search for its nearest point. 0
 * where they overlap. */
static double searched(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double t)
{
    double c[3][3];
    for (int k = 0; k < 3; k++)
        c[k][0] = corner[k].x - t * w.x, c[k][1] = corner[k].y - t * w.y, c[k][2] = corner[k].z - t * w.z;
    const place p = {shape, (const double(*)[3])c, 0.0};
    return least_of(at_row, &p);
}

/* The least t after which the two stay apart, by bisection. */
static double bisected(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double low, double high)
{
    for (int i = 0; i < 40; i++) {
        const double t = (low + high) * 0.5;
        *(searched(shape, corner, w, t) > 1e-9 ? &high : &low) = t;
    }
    return high;
}

/* ---- rays ---- */

static void local_of(const vp_pose *pose, const vp_vec3 corner[3], vp_vec3 w, vp_real3 out[3], vp_real3 *along)
{
    vp_collide_frame f;
    assert_ok(vp_collide_frame_of(pose, &f, &error));
    const vp_real3 row[3] = {vp_real3_of(f.row[0]), vp_real3_of(f.row[1]), vp_real3_of(f.row[2])}, d = vp_real3_of(w);
    for (int k = 0; k < 3; k++) {
        const vp_real3 p = vp_real3_sub(vp_real3_of(corner[k]), vp_real3_of(f.position));
        out[k] = (vp_real3){vp_real3_dot(row[0], p), vp_real3_dot(row[1], p), vp_real3_dot(row[2], p)};
    }
    *along = (vp_real3){vp_real3_dot(row[0], d), vp_real3_dot(row[1], d), vp_real3_dot(row[2], d)};
}

/* Overlapping pairs and any direction. Moved by t they touch, and before that they overlap. */
static void judge_rays(vp_body body)
{
    vp_random random = {11};
    uint32_t judged = 0, wrong = 0;
    double worst = 0.0;
    static const float scale[3] = {1.0f, 1e-3f, 1e3f};
    vp_body_shape of[3];
    vp_oracle_shape oracles[3];
    for (int k = 0; k < 3; k++) {
        assert_ok(vp_body_shape_create(body, scale[k], NULL, &of[k], &error));
        assert_ok(vp_oracle_shape_create(&of[k].shape, &oracles[k], &error));
    }
    for (int f = 0; f < VP_POSES_FAMILIES; f++) {
        vp_pose_set set;
        if (f == VP_POSES_FLAT)
            continue;
        assert_ok(vp_pose_set_hard((vp_pose_family)f, poses / 8 + 1, 40 + (uint64_t)f, &set, &error));
        for (uint32_t i = 0; i < set.count; i++) {
            const vp_pose_place *p = &set.place[i];
            const int at = p->scale == scale[0] ? 0 : p->scale == scale[1] ? 1 : 2;
            const vp_collide_shape *s = &of[at].shape;
            const vp_oracle_shape *oracle = &oracles[at];
            const vp_pose pose = vp_pose_of(s, p);
            const vp_collide_triangle t = vp_collide_triangle_of(set.corner[i], i);
            double size;
            const double raw = distance_at(oracle, &pose, t.corner, t.normal, 0.0, &size);
            if (raw < -1e-4 * size) {
                const vp_vec3 w = i % 3 == 0 ? t.normal : random_unit(&random);
                vp_real3 local[3], along;
                local_of(&pose, t.corner, w, local, &along);
                const double depth = vp_ray_depth(s, local, along), off = distance_at(oracle, &pose, t.corner, w, depth, &size);
                judged++;
                wrong += !(depth >= -raw - OFF * size && fabs(off) <= OFF * size);
                worst = fmax(worst, fabs(off) / size);
            }
        }
        vp_pose_set_destroy(&set);
    }
    for (int k = 0; k < 3; k++) {
        vp_oracle_shape_destroy(&oracles[k]);
        vp_body_shape_destroy(&of[k]);
    }
    if (wrong > 0 || reported)
        printf("%s: %u rays, %u wrong, worst %.3g\n", vp_body_name(body), judged, wrong, worst);
    assert_true(judged > 10);
    assert_int_equal(wrong, 0);
}

static void rays(void **state)
{
    (void)state;
    for (int body = 0; body < VP_BODIES; body++)
        judge_rays((vp_body)body);
}

/* Flat and long cylinders with long and short triangles, to the roundings of binary64. */
static void rays_of_cylinders(void **state)
{
    static const float half[4] = {0.5f, 0.02f, 2.0f, 0.5f};
    vp_random random = {5};
    double worst = 0.0;
    uint32_t judged = 0;
    (void)state;
    for (uint32_t i = 0; i < poses / 2; i++) {
        const vp_collide_shape s = i % 4 == 3 ? vp_collide_capsule(0.5f, 0.5f) : vp_collide_cylinder(0.5f, half[i % 4]);
        const float most = i / 4 % 3 == 0 ? 0.2f : 1.5f;
        vp_real3 c[3];
        for (int k = 0; k < 3; k++) {
            const vp_vec3 at = vp_vec3_scale(random_unit(&random), most * vp_random_unit(&random));
            c[k] = vp_real3_of(at);
            c[k].y = i / 4 % 5 == 0 && k > 0 ? c[0].y : c[k].y; /* parallel to the caps */
        }
        vp_real3 w = vp_real3_of(random_unit(&random));
        const double length = sqrt(vp_real3_dot(w, w));
        w = vp_real3_scale(w, 1.0 / length);
        if (searched(&s, c, w, 0.0) > 1e-9)
            continue;
        const double t = vp_ray_depth(&s, c, w), far = bisected(&s, c, w, 0.0, 10.0);
        judged++;
        worst = fmax(worst, fabs(t - far));
        worst = fmax(worst, searched(&s, c, w, t));
    }
    if (worst > OFF || reported)
        printf("%u cylinders, worst %.3g\n", judged, worst);
    assert_true(judged > 5);
    assert_true(worst <= OFF);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rays), cmocka_unit_test(rays_of_cylinders)};
    reported = argc > 1;
    if (argc > 1)
        poses = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
