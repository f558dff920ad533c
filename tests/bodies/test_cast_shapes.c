/* SPDX-License-Identifier: MIT */
/* Rays and points against one shape. The oracle's distance from a triangle reduced to a point is the expected distance. The least
 * distance along a ray decides whether it hits. docs/CONTRACT.md: CAS-1 */
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "tests/bodies/cast_oracle.h"
#include "tests/support/check.h"

#ifdef TEST_THIN
static uint32_t rounds = 60 / TEST_THIN + 4;
#else
static uint32_t rounds = 60;
#endif

#define OFF 1e-6 /* part of the size */

static vp_pose any_pose(vp_random *r, float far)
{
    vp_pose pose = vp_pose_at(vp_vec3_scale(random_unit(r), far));
    vp_random_rotation(r, pose.rotation);
    return pose;
}

/* A point near the shape: outside, inside, on an axis, or at the origin of its frame. */
static vp_vec3 any_point(vp_random *r, const vp_pose *pose, float radius)
{
    vp_collide_frame f;
    assert_ok(vp_collide_frame_of(pose, &f, &error));
    vp_vec3 p = vp_vec3_scale(random_unit(r), radius * vp_random_between(r, 0.0f, 2.0f));
    const uint32_t zeros = vp_random_below(r, 6);
    p.x = zeros == 0 || zeros == 3 ? 0.0f : p.x;
    p.y = zeros == 1 || zeros == 3 ? 0.0f : p.y;
    p.z = zeros == 2 || zeros == 3 ? 0.0f : p.z;
    vp_vec3 out = f.position;
    out = vp_vec3_add(out, vp_vec3_scale(f.row[0], p.x));
    out = vp_vec3_add(out, vp_vec3_scale(f.row[1], p.y));
    return vp_vec3_add(out, vp_vec3_scale(f.row[2], p.z));
}

static void judge_point(const vp_oracle_shape *oracle, const vp_collide_shape *s, const vp_pose *pose, vp_vec3 p)
{
    const vp_vec3 corner[3] = {p, p, p};
    vp_oracle_truth truth;
    vp_shape_point got, again;
    double surface[3], from[3], n[3];
    assert_ok(vp_point_shape(s, pose, p, &got, &error));
    vp_oracle_truth_of(oracle, pose, corner, &truth);
    const double band = OFF * (truth.size + fabs((double)p.x) + fabs((double)p.y) + fabs((double)p.z));
    if (!(fabs((double)got.distance - truth.distance) <= band))
        fail_msg("kind %d: distance %.9g, oracle %.9g", (int)s->kind, (double)got.distance, truth.distance);
    wide(got.point, surface), wide(p, from), wide(got.normal, n);
    for (int k = 0; k < 3; k++) /* point = p - distance * normal */
        assert_true(fabs(surface[k] + (double)got.distance * n[k] - from[k]) <= band);
    assert_true(fabs(dot3(n, n) - 1.0) <= 1e-6);
    assert_ok(vp_point_shape(s, pose, got.point, &again, &error));
    assert_true(fabs((double)again.distance) <= band);
}

static void judge_ray(const vp_oracle_shape *oracle, const vp_collide_shape *s, const vp_pose *pose, const vp_ray *ray, uint32_t *hits)
{
    /* Moves the shape the other way past the origin. */
    const vp_vec3 corner[3] = {ray->origin, ray->origin, ray->origin};
    cast_line line = {.oracle = oracle, .pose = pose, .corner = corner, .way = vp_vec3_scale(ray->direction, -1.0f)};
    vp_cast_hit hit;
    assert_ok(vp_ray_shape(s, pose, ray, &hit, &error));
    const double most = (double)ray->t_max, least = distance_on(&line, least_on(&line, most)), start = distance_on(&line, 0.0);
    const double band = OFF * (line.size + fabs((double)ray->origin.x) + fabs((double)ray->origin.y) + fabs((double)ray->origin.z));
    assert_true(least <= band || !hit.found);
    assert_true(least >= -band || hit.found);
    assert_true(!hit.started_inside || (hit.found && hit.t == 0.0f && start <= band));
    assert_true(hit.started_inside || start >= -band);
    if (!hit.found) {
        assert_true(hit.t == 0.0f && hit.normal.x == 0.0f && hit.at.triangle == VP_CAST_NO_TRIANGLE);
        return;
    }
    *hits += 1;
    double n[3], d[3], length;
    wide(hit.normal, n), wide(ray->direction, d);
    length = sqrt(dot3(d, d));
    assert_true(fabs(dot3(n, n) - 1.0) <= 1e-6);
    if (hit.started_inside) {
        assert_true(fabs((double)hit.depth + fmin(start, 0.0)) <= band);
        return;
    }
    assert_true(hit.t >= 0.0f && hit.t <= ray->t_max && hit.depth == 0.0f);
    assert_true(fabs(distance_on(&line, (double)hit.t)) <= band + 1e-7 * length * (double)hit.t);
    assert_true(dot3(n, d) <= 1e-6 * length);
    const double before = distance_on(&line, (double)hit.t * 0.999 - 1e-3 * band / length);
    assert_true(before >= -band); /* the distance is convex, so nothing was hit before */
    vp_shape_point on;
    assert_ok(vp_point_shape(s, pose, hit.point, &on, &error));
    assert_true(fabs((double)on.distance) <= 2.0 * band);
}

static void judge_shape(const vp_collide_shape *s, uint64_t seed)
{
    vp_oracle_shape oracle;
    vp_random random = {seed};
    const float radius = vp_collide_radius(s);
    uint32_t hits = 0;
    assert_ok(vp_oracle_shape_create(s, &oracle, &error));
    for (uint32_t i = 0; i < rounds; i++) {
        const vp_pose pose = any_pose(&random, i % 3 == 0 ? 0.0f : i % 3 == 1 ? 5.0f * radius : 100.0f * radius);
        judge_point(&oracle, s, &pose, any_point(&random, &pose, radius));
        const vp_vec3 to = any_point(&random, &pose, radius * 0.6f);
        vp_vec3 way = vp_vec3_scale(random_unit(&random), radius * vp_random_between(&random, 0.0f, 6.0f));
        vp_ray ray = {.origin = vp_vec3_sub(to, way), .direction = way, .t_max = vp_random_between(&random, 0.5f, 3.0f)};
        if (i % 4 == 0)
            ray.direction = vp_vec3_scale(ray.direction, -1.0f);
        if (i % 4 == 1) { /* along an axis of the shape */
            vp_collide_frame f;
            assert_ok(vp_collide_frame_of(&pose, &f, &error));
            ray.direction = vp_vec3_scale(f.row[i / 4 % 3], radius);
            ray.origin = vp_vec3_sub(to, vp_vec3_scale(ray.direction, 2.0f));
        }
        judge_ray(&oracle, s, &pose, &ray, &hits);
    }
    assert_true(hits > 2);
    vp_oracle_shape_destroy(&oracle);
}

static void shapes(void **state)
{
    (void)state;
    static const float scale[3] = {1.0f, 1e-3f, 1e3f};
    for (int body = 0; body < VP_BODIES; body++)
        for (int k = 0; k < 3; k++) {
            vp_body_shape b;
            assert_ok(vp_body_shape_create((vp_body)body, scale[k], NULL, &b, &error));
            judge_shape(&b.shape, 10 * (uint64_t)body + (uint64_t)k);
            vp_body_shape_destroy(&b);
        }
}

/* Flat shapes, and a polygon. */
static void flat_shapes(void **state)
{
    (void)state;
    const vp_vec3 point[4] = {{-1, 0, -1}, {1, 0, -1}, {1.5f, 0, 1}, {-1, 0, 0.5f}};
    const vp_collide_shape box = vp_collide_box((vp_vec3){1.0f, 0.0f, 0.5f}), disc = vp_collide_cylinder(1.0f, 0.0f),
                           ball = vp_collide_capsule(0.5f, 0.0f);
    vp_collide_owned_hull solid;
    assert_ok(vp_collide_hull_create(&(vp_collide_hull_def){.point = point, .count = 4}, &solid, &error));
    const vp_collide_shape polygon = vp_collide_hull_shape(&solid.hull);
    judge_shape(&ball, 3);
    for (int i = 0; i < 3; i++) { /* straight through, past it, and from a point on it */
        const vp_collide_shape *s = i == 0 ? &box : i == 1 ? &disc : &polygon;
        const vp_pose pose = vp_pose_at((vp_vec3){1.0f, 2.0f, 3.0f});
        const vp_ray through = {.origin = {1.25f, 5.0f, 3.25f}, .direction = {0.0f, -2.0f, 0.0f}, .t_max = 3.0f};
        const vp_ray beside = {.origin = {3.0f, 5.0f, 3.25f}, .direction = {0.0f, -2.0f, 0.0f}, .t_max = 3.0f};
        const vp_ray on = {.origin = {1.25f, 2.0f, 3.25f}, .direction = {0.0f, 1.0f, 0.0f}, .t_max = 3.0f};
        vp_cast_hit hit;
        vp_shape_point p;
        assert_ok(vp_ray_shape(s, &pose, &through, &hit, &error));
        assert_true(hit.found && !hit.started_inside && fabsf(hit.t - 1.5f) < 1e-6f && hit.normal.y > 0.999f);
        assert_ok(vp_ray_shape(s, &pose, &beside, &hit, &error));
        assert_false(hit.found);
        assert_ok(vp_ray_shape(s, &pose, &on, &hit, &error));
        assert_true(hit.found && hit.started_inside && hit.t == 0.0f && hit.depth == 0.0f);
        assert_ok(vp_point_shape(s, &pose, (vp_vec3){1.25f, 1.5f, 3.25f}, &p, &error));
        assert_true(fabsf(p.distance - 0.5f) < 1e-6f && p.normal.y < -0.999f && fabsf(p.point.y - 2.0f) < 1e-6f);
    }
    vp_collide_hull_destroy(&solid);
}

static void refusals(void **state)
{
    (void)state;
    const vp_collide_shape ball = vp_collide_sphere(1.0f), bad = vp_collide_sphere(-2.0f);
    const vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f}), nowhere = vp_pose_at((vp_vec3){NAN, 0.0f, 0.0f});
    const vp_ray ray = {.origin = {3.0f, 0.0f, 0.0f}, .direction = {1.0f, 0.0f, 0.0f}, .t_max = 1.0f};
    vp_ray still = ray, before = ray;
    still.direction.x = 0.0f;
    before.t_max = -3.0f;
    vp_shape_point p = {.distance = 7.0f};
    vp_cast_hit hit = {.t = 7.0f};
    assert_refused(vp_point_shape(&bad, &pose, ray.origin, &p, &error), VP_E_ARGUMENT, "-2");
    assert_refused(vp_point_shape(&ball, &nowhere, ray.origin, &p, &error), VP_E_ARGUMENT, "position.x");
    assert_refused(vp_point_shape(&ball, NULL, ray.origin, &p, &error), VP_E_ARGUMENT, "NULL");
    assert_refused(vp_point_shape(&ball, &pose, (vp_vec3){0.0f, INFINITY, 0.0f}, &p, &error), VP_E_ARGUMENT, "point.y");
    assert_refused(vp_point_shape(&ball, &pose, ray.origin, NULL, &error), VP_E_ARGUMENT, "NULL");
    assert_refused(vp_ray_shape(NULL, &pose, &ray, &hit, &error), VP_E_ARGUMENT, "NULL");
    assert_refused(vp_ray_shape(&ball, &pose, NULL, &hit, &error), VP_E_ARGUMENT, "NULL");
    assert_refused(vp_ray_shape(&ball, &pose, &still, &hit, &error), VP_E_ARGUMENT, "direction");
    assert_refused(vp_ray_shape(&ball, &pose, &before, &hit, &error), VP_E_ARGUMENT, "-3");
    assert_true(p.distance == 7.0f && hit.t == 7.0f);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(flat_shapes), cmocka_unit_test(refusals)};
    if (argc > 1)
        rounds = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
