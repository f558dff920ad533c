/* SPDX-License-Identifier: MIT */
/* A moving shape against another one. A hit is proved by a separating plane. The plane has the hit's normal and its point, and earlier
 * the shapes were farther apart along it. For a miss, the distance along the way is checked. docs/CONTRACT.md: CAS-8 */
#include "tests/support/check.h"

#include "cases/narrowphase/shapes.h"
#include "cases/bodies/shape_oracle.h"
#include "tests/narrowphase/moved.h"

static const uint32_t casts = IS_THIN ? 4 : 12;

enum { FLAT = VP_BODIES, DISC, SHAPES };

/* The signed distance after part t of the way. Coordinates are small. */
static double distance_after(const vp_cast_def *def, const vp_manifold_body *other, double t, vp_shape_contact *contact)
{
    vp_manifold_body a = {def->shape, def->pose}, b = *other;
    const vp_real3 p = vp_real3_plus(vp_real3_plus(vp_real3_of(def->pose.position), vp_real3_of(def->translation), t),
                                     vp_real3_of(other->pose.position), -1.0);
    a.pose.position = (vp_vec3){(float)p.x, (float)p.y, (float)p.z};
    b.pose.position = (vp_vec3){0.0f, 0.0f, 0.0f};
    assert_ok(vp_shapes_collide(&a, &b, INFINITY, contact, &error));
    return (double)contact->distance;
}

static double least_distance(const vp_cast_def *def, const vp_manifold_body *other)
{
    double low = 0.0, high = 1.0;
    vp_shape_contact c;
    for (int i = 0; i < 60; i++) { /* the distance is convex, so ternary search finds its minimum */
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (distance_after(def, other, a, &c) < distance_after(def, other, b, &c))
            high = b;
        else
            low = a;
    }
    return fmin(fmin(distance_after(def, other, 0.0, &c), distance_after(def, other, 1.0, &c)), distance_after(def, other, low, &c));
}

/* @return whether it hits */
static bool judge_cast(const vp_cast_def *def, const vp_manifold_body *other)
{
    const vp_vec3 from = def->pose.position;
    const double radius = (double)vp_collide_radius(def->shape), size = radius + (double)vp_collide_radius(other->shape);
    const double far = fmax(fmax(fabs((double)from.x), fabs((double)from.y)), fabs((double)from.z));
    const double slack = 6.0 * (far + radius) * 0x1p-21 + 1e-6 * size, length = vp_real3_length(vp_real3_of(def->translation));
    vp_cast_hit hit;
    vp_shape_contact c;
    assert_ok(vp_cast_shape(def, other, &hit, &error));
    const double start = distance_after(def, other, 0.0, &c);
    if (hit.started_inside || start < -slack) {
        assert_true(hit.started_inside && hit.t == 0.0f && fabs((double)hit.depth + start) <= slack);
        return true;
    }
    if (!hit.found) {
        assert_true(least_distance(def, other) >= -slack);
        return false;
    }
    posed a = pose_shape(def->shape, &def->pose, from), b = pose_shape(other->shape, &other->pose, from);
    a.at = vp_real3_plus(a.at, vp_real3_of(def->translation), (double)hit.t);
    const double band = 1e-6 * size + 2e-7 * length + slack * (hit.t == 0.0f);
    const vp_real3 n = vp_real3_of(hit.normal), point = vp_real3_plus(vp_real3_of(hit.point), vp_real3_of(from), -1.0);
    const double gap = separation(&a, &b, n), rounding = 2e-7 * (far + vp_real3_length(vp_real3_of(hit.point)));
    assert_true(fabs(gap) <= band && fabs(vp_real3_length(n) - 1.0) <= 1e-6 && vp_real3_dot(n, vp_real3_of(def->translation)) < 0.0);
    assert_true(excess(&a, point) <= band + rounding && excess(&b, point) <= band + rounding);
    return true;
}

static vp_body_shape made[SHAPES];

static int open_shapes(void **state)
{
    (void)state;
    for (int k = 0; k < VP_BODIES; k++)
        assert_ok(vp_body_shape_create((vp_body_kind)k, 1.0f, NULL, &made[k], &error));
    made[FLAT].shape = vp_collide_box((vp_vec3){0.5f, 0.0f, 0.25f});
    made[DISC].shape = vp_collide_cylinder(0.5f, 0.0f);
    return 0;
}

static int close_shapes(void **state)
{
    (void)state;
    for (int k = 0; k < VP_BODIES; k++)
        vp_body_shape_destroy(&made[k]);
    return 0;
}

TEST(pairs)
{
    for (int i = 0; i < SHAPES; i++)
        for (int k = 0; k < SHAPES; k++) {
            vp_random r = {(uint64_t)(i * SHAPES + k)};
            uint32_t hits = 0;
            for (uint32_t n = 0; n < casts; n++) {
                vp_manifold_body other = {&made[k].shape, vp_pose_at(vp_vec3_scale(random_unit(&r), n % 5 == 0 ? 500.0f : 3.0f))};
                vp_cast_def def = {.shape = &made[i].shape, .pose = vp_pose_at(other.pose.position)};
                if (n % 4 != 0) {
                    vp_random_rotation(&r, other.pose.rotation);
                    vp_random_rotation(&r, def.pose.rotation);
                }
                def.translation = vp_vec3_scale(random_unit(&r), vp_random_between(&r, 0.1f, n % 7 == 0 ? 50.0f : 4.0f));
                const vp_vec3 aim = vp_vec3_scale(random_unit(&r), vp_random_between(&r, 0.0f, 1.2f)); /* past it, or at it */
                def.pose.position =
                    vp_vec3_add(def.pose.position, vp_vec3_sub(aim, vp_vec3_scale(def.translation, vp_random_between(&r, 0, 1))));
                hits += judge_cast(&def, &other);
            }
            assert_true(hits > 0);
        }
}

TEST(refusals)
{
    const vp_collide_shape ball = vp_collide_sphere(1.0f), bad = vp_collide_sphere(-2.0f);
    const vp_cast_def def = {.shape = &ball, .pose = vp_pose_at((vp_vec3){0, 9, 0})};
    vp_manifold_body other = {&bad, vp_pose_at((vp_vec3){0, 0, 0})};
    vp_cast_hit hit = {.t = 7.0f};
    assert_refused(vp_cast_shape(&def, &other, &hit, &error), VP_E_ARGUMENT, "-2");
    other.shape = &ball;
    other.pose.position.z = NAN;
    assert_refused(vp_cast_shape(&def, &other, &hit, &error), VP_E_ARGUMENT, "position.z");
    assert_true(hit.t == 7.0f);
    other.pose.position.z = 0.0f;
    assert_ok(vp_cast_shape(&def, &other, &hit, &error)); /* no motion */
    assert_false(hit.found);
}

int main(void)
{
    return test_run_all(open_shapes, close_shapes);
}
