/* SPDX-License-Identifier: MIT */
/* Ties of casts, casts through the middle of a triangle, and rays and points against one shape. The cases cast_<shape> and the corpus
 * judge casts. The signed distance of a convex shape, moved along a line, from a point is a convex function of the way. Golden section
 * finds its minimum. cases/narrowphase/oracle.h computes the distances. */

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/moved.h"
#include "tests/support/check.h"

static const uint32_t rounds = IS_THIN ? 60 / THIN_BY + 4 : 60;

#define OFF 1e-6 /* part of the size */

/* ---- the oracle ---- */

typedef struct cast_line {
    const vp_oracle_shape *oracle;
    const vp_pose *pose;
    const vp_vec3 *corner;
    vp_vec3 way;
    double size; /* largest scale of errors */
} cast_line;

/* The signed distance after part t of the way. */
static double distance_on(cast_line *l, double t)
{
    double size;
    const double distance = distance_at(l->oracle, l->pose, l->corner, l->way, t, &size);
    l->size = size > l->size ? size : l->size;
    return distance;
}

/* The part from 0 to `most` at which the distance is least. */
static double least_on(cast_line *l, double most)
{
    const double golden = 0.6180339887498949;
    double low = 0.0, high = most, a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = distance_on(l, a), at_b = distance_on(l, b);
    for (int i = 0; i < 60; i++) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - golden * (high - low);
            at_a = distance_on(l, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + golden * (high - low);
            at_b = distance_on(l, b);
        }
    }
    const double middle = (low + high) / 2, at_ends[2] = {distance_on(l, 0.0), distance_on(l, most)}, at = distance_on(l, middle);
    return at_ends[0] <= at ? 0.0 : at_ends[1] < at ? most : middle;
}

/* ---- triangles ---- */

/* docs/CONTRACT.md: CAS-4. Among triangles that are hit at the same time the lowest number counts, in any order of the list. */
TEST(ties)
{
    const vp_vec3 corner[3] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 0}};
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    vp_collide_triangle t[4];
    for (uint32_t i = 0; i < 4; i++) {
        t[i] = vp_collide_triangle_of(corner, 3 + 7 * (i * 3 % 4));
        t[i].id.chunk = i == 2 ? 1 : 5;
        t[i].material = (uint8_t)(10 + i);
    }
    for (int inside = 0; inside < 2; inside++) {
        const vp_cast_def def = {.shape = &box, .pose = vp_pose_at((vp_vec3){1, inside ? 0.25f : 2.0f, 1}), .translation = {0, -3, 0}};
        vp_cast_hit hit;
        assert_ok(vp_cast_mesh(t, 4, &def, &hit, &error));
        assert_true(hit.found && hit.at.chunk == 1 && hit.material == 12 && hit.started_inside == (inside != 0));
        t[2].id.chunk = 5;
        assert_ok(vp_cast_mesh(t, 4, &def, &hit, &error));
        assert_true(hit.at.triangle == 3 && hit.material == 10);
        t[2].id.chunk = 1;
    }
}

static vp_vec3 any_lattice_point(vp_random *r, int32_t most)
{
    vp_vec3 p;
    for (int k = 0; k < 3; k++)
        (&p.x)[k] = (float)((int32_t)vp_random_below(r, (uint32_t)(2 * most + 1)) - most);
    return p;
}

/* docs/CONTRACT.md: CAS-2. A way through the middle of a triangle is a hit. The corners are whole numbers, so that the distance of the way
 * from the middle is only roundings. */
TEST(through_the_middle)
{
    vp_random r = {11};
    for (int b = 0; b < VP_BODIES; b++) {
        vp_body_shape shape;
        uint32_t judged = 0;
        assert_ok(vp_body_shape_create((vp_body_kind)b, 1.0f, NULL, &shape, &error));
        for (uint32_t i = 0; i < 50 * rounds; i++) {
            vp_pose pose = vp_pose_at(any_lattice_point(&r, 16));
            vp_cast_hit hit;
            vp_vec3 corner[3];
            for (int k = 0; k < 3; k++)
                corner[k] = any_lattice_point(&r, 8);
            if (i % 2 == 0)
                vp_random_rotation(&r, pose.rotation);
            const vp_vec3 sum = vp_vec3_add(vp_vec3_add(corner[0], corner[1]), corner[2]);
            const vp_vec3 way = vp_vec3_sub(sum, vp_vec3_scale(pose.position, 3.0f)); /* three times as long as to the middle */
            const vp_vec3 face = vp_vec3_cross(vp_vec3_sub(corner[1], corner[0]), vp_vec3_sub(corner[2], corner[0]));
            const vp_collide_triangle triangle = vp_collide_triangle_of(corner, i);
            const vp_cast_def def = {.shape = &shape.shape, .pose = pose, .translation = way};
            if (vp_vec3_dot(face, way) == 0.0f)
                continue;
            assert_ok(vp_cast_mesh(&triangle, 1, &def, &hit, &error));
            if (!(hit.found && hit.t < 0.334f))
                fail_msg("kind %d, cast %u: found %d, t %.9g", (int)shape.shape.kind, i, (int)hit.found, (double)hit.t);
            judged++;
        }
        assert_true(judged > 25 * rounds);
        vp_body_shape_destroy(&shape);
    }
}

/* ---- rays and points against one shape ---- */

static vp_pose any_pose(vp_random *r, float far)
{
    vp_pose pose = vp_pose_at(vp_vec3_scale(random_unit(r), far));
    vp_random_rotation(r, pose.rotation);
    return pose;
}

/* A point near the shape, outside, inside, on an axis, or at the origin of its frame. */
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

/* The distance from a triangle reduced to a point is the expected one. */
static void judge_point(const vp_oracle_shape *oracle, const vp_collide_shape *s, const vp_pose *pose, vp_vec3 p)
{
    const vp_vec3 corner[3] = {p, p, p};
    vp_oracle_truth truth;
    vp_shape_point got, again;
    double surface[3], from[3], n[3];
    assert_ok(vp_shape_closest_point(s, pose, p, &got, &error));
    vp_oracle_truth_of(oracle, pose, corner, &truth);
    const double band = OFF * (truth.size + fabs((double)p.x) + fabs((double)p.y) + fabs((double)p.z));
    if (!(fabs((double)got.distance - truth.distance) <= band))
        fail_msg("kind %d: distance %.9g, oracle %.9g", (int)s->kind, (double)got.distance, truth.distance);
    wide(got.point, surface), wide(p, from), wide(got.normal, n);
    for (int k = 0; k < 3; k++) /* point = p - distance * normal */
        assert_true(fabs(surface[k] + (double)got.distance * n[k] - from[k]) <= band);
    assert_true(fabs(dot3(n, n) - 1.0) <= 1e-6);
    assert_ok(vp_shape_closest_point(s, pose, got.point, &again, &error));
    assert_true(fabs((double)again.distance) <= band);
}

static void judge_ray(const vp_oracle_shape *oracle, const vp_collide_shape *s, const vp_pose *pose, const vp_ray *ray, uint32_t *hits)
{
    /* Moves the shape the other way past the origin. */
    const vp_vec3 corner[3] = {ray->origin, ray->origin, ray->origin};
    cast_line line = {.oracle = oracle, .pose = pose, .corner = corner, .way = vp_vec3_scale(ray->direction, -1.0f)};
    vp_cast_hit hit;
    assert_ok(vp_shape_raycast(s, pose, ray, &hit, &error));
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
    assert_ok(vp_shape_closest_point(s, pose, hit.point, &on, &error));
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

/* docs/CONTRACT.md: CAS-1 */
TEST(rays_and_points)
{
    static const float scale[3] = {1.0f, 1e-3f, 1e3f};
    for (int body = 0; body < VP_BODIES; body++)
        for (int k = 0; k < 3; k++) {
            vp_body_shape b;
            assert_ok(vp_body_shape_create((vp_body_kind)body, scale[k], NULL, &b, &error));
            judge_shape(&b.shape, 10 * (uint64_t)body + (uint64_t)k);
            vp_body_shape_destroy(&b);
        }
}

/* ---- refusals ---- */

TEST(refusals)
{
    const vp_collide_shape ball = vp_collide_sphere(1.0f), bad = vp_collide_sphere(-2.0f);
    const vp_vec3 corner[3] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 0}};
    vp_collide_triangle t = vp_collide_triangle_of(corner, 0);
    vp_cast_def def = {.shape = &ball, .pose = vp_pose_at((vp_vec3){0, 9, 0}), .translation = {0, -1, 0}}, other = def;
    vp_cast_hit hit = {.t = 7.0f};
    other.shape = &bad;
    assert_refused(vp_cast_mesh(&t, 1, &other, &hit, &error), VP_E_ARGUMENT, "-2");
    other = def, other.translation.z = NAN;
    assert_refused(vp_cast_mesh(&t, 1, &other, &hit, &error), VP_E_ARGUMENT, "translation.z");
    other = def, other.pose.position.x = other.translation.x = VP_COLLIDE_REACH;
    assert_refused(vp_cast_mesh(&t, 1, &other, &hit, &error), VP_E_ARGUMENT, "pose.position + translation.x is 2.19902e+12");
    t.corner[1].y = INFINITY;
    assert_refused(vp_cast_mesh(&t, 1, &def, &hit, &error), VP_E_ARGUMENT, "corner[1].y");
    assert_true(hit.t == 7.0f);
    assert_ok(vp_cast_mesh(NULL, 0, &def, &hit, &error));
    assert_true(!hit.found && hit.t == 0.0f && hit.at.triangle == VP_CAST_NO_TRIANGLE);

    vp_manifold_body target = {&bad, vp_pose_at((vp_vec3){0, 0, 0})};
    hit.t = 7.0f;
    assert_refused(vp_cast_shape(&def, &target, &hit, &error), VP_E_ARGUMENT, "-2");
    target.shape = &ball;
    target.pose.position.z = NAN;
    assert_refused(vp_cast_shape(&def, &target, &hit, &error), VP_E_ARGUMENT, "position.z");
    assert_true(hit.t == 7.0f);
}
