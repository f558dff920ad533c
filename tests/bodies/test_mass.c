/* SPDX-License-Identifier: MIT */
/* Mass properties. Round shapes against integrals over slices, hulls against vp_hull's sums. Moving and
 * adding bodies follows its laws. docs/CONTRACT.md: MAS-1, MAS-2 */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { SLICES = 20000, HULL_POINTS = 24, ROUNDS = 20 };

static const double pi = 3.14159265358979323846;
static uint64_t state = 1;

static double uniform(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 40) / 16777216.0;
}

static vp_pose any_pose(void)
{
    vp_pose pose = {{(float)uniform(-5, 5), (float)uniform(-5, 5), (float)uniform(-5, 5)}, {0}};
    for (int k = 0; k < 4; k++)
        pose.rotation[k] = (float)uniform(-1, 1);
    return pose;
}

static vp_mass mass_of(vp_collide_shape shape, double density)
{
    vp_mass m;
    assert_ok(vp_mass_of_shape(&shape, density, &m, &error));
    return m;
}

static void expect_near(double got, double right, double off)
{
    if (!(fabs(got - right) <= off))
        fail_msg("%.17g is not within %g of %.17g", got, off, right);
}

/* Two bodies agree within a part of their size. */
static void expect_same(const vp_mass *a, const vp_mass *b, double part)
{
    const double moment = b->inertia[0] + b->inertia[1] + b->inertia[2];
    expect_near(a->mass, b->mass, part * b->mass);
    for (int k = 0; k < 3; k++)
        expect_near(a->centre[k], b->centre[k], part * (sqrt(moment / b->mass) + fabs(b->centre[k])));
    for (int k = 0; k < 6; k++)
        expect_near(a->inertia[k], b->inertia[k], part * moment);
}

/* Integrates the discs of a body of revolution about y, by the midpoint rule. */
static vp_mass by_slices(double (*square_of)(const vp_collide_shape *, double), const vp_collide_shape *s, double reach, double density)
{
    vp_mass m = {0};
    const double thick = 2.0 * reach / SLICES;
    for (int i = 0; i < SLICES; i++) {
        const double y = -reach + (i + 0.5) * thick, square = square_of(s, y), mass = density * pi * square * thick;
        m.mass += mass;
        m.inertia[1] += mass * square / 2.0;
        m.inertia[0] += mass * (square / 4.0 + y * y);
    }
    m.inertia[2] = m.inertia[0];
    return m;
}

static double ball_square(const vp_collide_shape *s, double y)
{
    const double r = (double)s->radius, beyond = fmax(fabs(y) - (double)s->half_height, 0.0);
    return fmax(r * r - beyond * beyond, 0.0);
}

static double disc_square(const vp_collide_shape *s, double y)
{
    (void)y;
    return (double)s->radius * (double)s->radius;
}

/* docs/CONTRACT.md: MAS-1 */
TEST(test_round_shapes)
{
    for (int i = 0; i < ROUNDS; i++) {
        const float r = (float)uniform(0.1, 3.0), h = (float)uniform(0.0, 3.0);
        const double density = uniform(0.1, 9.0);
        const vp_collide_shape sphere = vp_collide_sphere(r), capsule = vp_collide_capsule(r, h),
                               cylinder = vp_collide_cylinder(r, h + 0.1f);
        const vp_mass got[3] = {mass_of(sphere, density), mass_of(capsule, density), mass_of(cylinder, density)};
        const vp_mass right[3] = {by_slices(ball_square, &sphere, (double)r, density),
                                  by_slices(ball_square, &capsule, (double)r + (double)h, density),
                                  by_slices(disc_square, &cylinder, (double)(h + 0.1f), density)};
        for (int k = 0; k < 3; k++)
            expect_same(&got[k], &right[k], 1e-6);
    }
}

/* ---- hulls ---- */

typedef struct mass_solid {
    vp_hull hull;
    vp_collide_owned_hull collide;
} mass_solid;

static mass_solid make_solid(const vp_vec3 *point, uint32_t count)
{
    mass_solid s = {0};
    assert_ok(vp_hull_create(&(vp_hull_def){.point = point, .count = count}, &s.hull, &error));
    assert_ok(vp_collide_hull_create(&(vp_collide_hull_def){.point = point, .count = count, .hull = &s.hull}, &s.collide, &error));
    return s;
}

static void free_solid(mass_solid *s)
{
    vp_collide_hull_destroy(&s->collide);
    vp_hull_destroy(&s->hull);
}

/* docs/CONTRACT.md: MAS-1 */
TEST(test_hulls)
{
    for (int i = 0; i < ROUNDS; i++) {
        vp_vec3 point[HULL_POINTS];
        for (int k = 0; k < HULL_POINTS; k++) /* a slanted slab, so that no product is zero */
            point[k] = (vp_vec3){(float)uniform(-1, 1), (float)uniform(-1, 1), (float)uniform(-0.4, 0.4)};
        for (int k = 0; k < HULL_POINTS; k++)
            point[k].z += 0.5f * point[k].x - 0.1f * point[k].y;
        mass_solid s = make_solid(point, HULL_POINTS);
        const vp_mass shape = mass_of(vp_collide_hull_shape(&s.collide.hull), 1.0), hull = vp_mass_of_hull(&s.hull, 1.0);
        expect_same(&shape, &hull, 1e-6);
        free_solid(&s);
    }
}

static mass_solid box_hull(vp_vec3 low, vp_vec3 high)
{
    vp_vec3 corner[8];
    for (int k = 0; k < 8; k++)
        corner[k] = (vp_vec3){(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z};
    return make_solid(corner, 8);
}

/* docs/CONTRACT.md: MAS-1, MAS-2. A box, its hull, and its two halves as one body. */
TEST(test_boxes)
{
    for (int i = 0; i < ROUNDS; i++) {
        const vp_vec3 half = {(float)uniform(0.1, 2), (float)uniform(0.1, 2), (float)uniform(0.1, 2)};
        const vp_mass right = {.mass = 8.0 * 3.0 * (double)half.x * (double)half.y * (double)half.z};
        const vp_mass box = mass_of(vp_collide_box(half), 3.0);
        expect_near(box.mass, right.mass, 1e-12 * right.mass);
        expect_near(box.inertia[0], right.mass / 3.0 * ((double)half.y * (double)half.y + (double)half.z * (double)half.z),
                    1e-12 * box.inertia[0]);
        const float cut = (float)uniform(-0.9, 0.9) * half.x;
        mass_solid all = box_hull(vp_vec3_scale(half, -1.0f), half);
        mass_solid low = box_hull(vp_vec3_scale(half, -1.0f), (vp_vec3){cut, half.y, half.z});
        mass_solid high = box_hull((vp_vec3){cut, -half.y, -half.z}, half);
        const vp_mass part[2] = {vp_mass_of_hull(&low.hull, 3.0), mass_of(vp_collide_hull_shape(&high.collide.hull), 3.0)};
        const vp_mass sum = vp_mass_sum(part, 2), hull = vp_mass_of_hull(&all.hull, 3.0);
        expect_same(&hull, &box, 1e-12);
        expect_same(&sum, &box, 1e-7);
        const vp_pose pose = any_pose(); /* so that no product is zero */
        vp_mass moved[3];
        for (int k = 0; k < 3; k++)
            assert_ok(vp_mass_at_pose(k < 2 ? &part[k] : &box, &pose, &moved[k], &error));
        const vp_mass moved_sum = vp_mass_sum(moved, 2);
        expect_same(&moved_sum, &moved[2], 1e-7);
        free_solid(&all);
        free_solid(&low);
        free_solid(&high);
    }
}

/* docs/CONTRACT.md: MAS-2. Tensor and centre turn with the body, and equal those of a hull with turned points. */
TEST(test_poses)
{
    for (int i = 0; i < ROUNDS; i++) {
        const vp_pose pose = any_pose();
        vp_collide_frame f;
        assert_ok(vp_collide_frame_of(&pose, &f, &error));
        vp_vec3 point[HULL_POINTS], turned[HULL_POINTS];
        for (int k = 0; k < HULL_POINTS; k++) {
            point[k] = (vp_vec3){(float)uniform(-1, 2), (float)uniform(-1, 1), (float)uniform(0, 1)};
            turned[k] = f.position;
            turned[k] = vp_vec3_add(turned[k], vp_vec3_scale(f.row[0], point[k].x));
            turned[k] = vp_vec3_add(turned[k], vp_vec3_scale(f.row[1], point[k].y));
            turned[k] = vp_vec3_add(turned[k], vp_vec3_scale(f.row[2], point[k].z));
        }
        mass_solid a = make_solid(point, HULL_POINTS), b = make_solid(turned, HULL_POINTS);
        const vp_mass here = vp_mass_of_hull(&a.hull, 1.0), right = vp_mass_of_hull(&b.hull, 1.0);
        vp_mass moved;
        assert_ok(vp_mass_at_pose(&here, &pose, &moved, &error));
        expect_same(&moved, &right, 1e-5);
        free_solid(&a);
        free_solid(&b);
    }
}

/* docs/CONTRACT.md: MAS-1. Without volume the mass is 0. Bad input changes nothing and is named. */
TEST(test_refusals)
{
    const vp_collide_shape flat = vp_collide_box((vp_vec3){1.0f, 0.0f, 1.0f}), ball = vp_collide_sphere(1.0f),
                           bad = vp_collide_sphere(-2.0f);
    const vp_vec3 triangle[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mass_solid s = make_solid(triangle, 3);
    assert_true(mass_of(flat, 1.0).mass == 0.0);
    const vp_mass none = mass_of(vp_collide_hull_shape(&s.collide.hull), 1.0), same = vp_mass_of_hull(&s.hull, 1.0),
                  empty = vp_mass_sum(NULL, 0);
    assert_true(none.mass == 0.0 && none.inertia[0] == 0.0 && same.mass == 0.0 && same.centre[0] == 0.0 && empty.mass == 0.0);
    free_solid(&s);
    vp_mass m = {.mass = 7.0};
    assert_refused(vp_mass_of_shape(&bad, 1.0, &m, &error), VP_E_ARGUMENT, "-2");
    assert_refused(vp_mass_of_shape(&ball, 0.0, &m, &error), VP_E_ARGUMENT, "density is 0");
    assert_refused(vp_mass_of_shape(&ball, -1.5, &m, &error), VP_E_ARGUMENT, "-1.5");
    assert_refused(vp_mass_of_shape(&ball, (double)INFINITY, &m, &error), VP_E_ARGUMENT, "inf");
    assert_refused(vp_mass_of_shape(&ball, (double)NAN, &m, &error), VP_E_ARGUMENT, "nan");
    vp_pose nowhere = vp_pose_at((vp_vec3){NAN, 0.0f, 0.0f});
    assert_refused(vp_mass_at_pose(&m, &nowhere, &m, &error), VP_E_ARGUMENT, "position.x");
    assert_true(m.mass == 7.0);
}
