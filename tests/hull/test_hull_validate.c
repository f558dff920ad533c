/* SPDX-License-Identifier: MIT */
/* The validator reports no fault in valid hulls. Each fault made on purpose is reported alone, with its size. */
#include "tests/support/check.h"
#include "tests/support/exact_oracle.h"
#include "tests/support/memory.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <voxphys/hull.h>

#include "src/core/exact.h"
#include "src/core/real3.h"
#include "datasets/random.h"

enum { POINTS = 900, TRIANGLES = 2 * POINTS };

typedef struct case_of {
    vp_vec3 point[POINTS];
    uint32_t triangle[TRIANGLES][3];
    uint32_t count, triangles;
} case_of;

static vp_hull_report look(const case_of *c, double allowed)
{
    vp_hull_report v;
    const vp_hull_validate_def s = {.point = c->point,
                                    .count = c->count,
                                    .triangle = (const uint32_t(*)[3])c->triangle,
                                    .triangle_count = c->triangles,
                                    .allowed = allowed};
    assert_ok(vp_hull_validate(&s, &v, &error));
    return v;
}

/* An octahedron with points inside. */
static void octahedron(case_of *c)
{
    static const float at[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const uint32_t triangle[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    vp_random r = {3};
    c->count = 0;
    for (int i = 0; i < 6; i++)
        c->point[c->count++] = (vp_vec3){at[i][0], at[i][1], at[i][2]};
    while (c->count < 100)
        c->point[c->count++] =
            (vp_vec3){vp_random_between(&r, -0.3f, 0.3f), vp_random_between(&r, -0.3f, 0.3f), vp_random_between(&r, -0.3f, 0.3f)};
    memcpy(c->triangle, triangle, sizeof triangle);
    c->triangles = 8;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12))
        fail_msg("%.17g, expected %.17g", got, want);
}

static void a_hull_has_no_faults(void **state)
{
    (void)state;
    static case_of c;
    octahedron(&c);
    const vp_hull_report v = look(&c, 1e-15);
    assert_int_equal(v.faults, 0);
    assert_int_equal(v.vertices, 6);
    assert_int_equal(v.euler, 2);
    assert_int_equal(v.open_edges, 0);
    assert_int_equal(v.slivers, 0);
    near(v.outside, 0.0);
    near(v.concave, -2.0 / sqrt(3.0));
}

static void surfaces_that_are_not_closed(void **state)
{
    (void)state;
    static case_of c;
    octahedron(&c);
    c.triangles = 7; /* without its last triangle */
    vp_hull_report v = look(&c, 0.1);
    assert_int_equal(v.faults, VP_HULL_OPEN | VP_HULL_EULER);
    assert_int_equal(v.open_edges, 3);
    octahedron(&c);
    const uint32_t swap = c.triangle[3][0]; /* reversed: its half-edges occur twice, and its neighbours' have no twin */
    c.triangle[3][0] = c.triangle[3][1];
    c.triangle[3][1] = swap;
    v = look(&c, 0.1);
    assert_true((v.faults & VP_HULL_OPEN) != 0);
    octahedron(&c);
    memcpy(c.triangle[8], c.triangle[2], sizeof c.triangle[8]); /* listed twice */
    c.triangles = 9;
    v = look(&c, 0.1);
    assert_true((v.faults & VP_HULL_OPEN) != 0);
    octahedron(&c); /* two triangles */
    for (uint32_t i = 0; i < 6; i++)
        c.point[c.count + i] = vp_vec3_scale(c.point[i], 0.5f);
    for (uint32_t t = 0; t < 8; t++)
        for (uint32_t k = 0; k < 3; k++)
            c.triangle[8 + t][k] = c.triangle[t][k] + c.count;
    c.count += 6;
    c.triangles = 16;
    v = look(&c, 1.0);
    assert_int_equal(v.faults, VP_HULL_EULER);
    assert_int_equal(v.euler, 4);
}

static void points_outside(void **state)
{
    (void)state;
    static case_of c;
    octahedron(&c);
    c.point[50] = (vp_vec3){0.5f, 0.5f, 0.5f}; /* above the middle of triangle 0 */
    vp_hull_report v = look(&c, 0.1);
    assert_int_equal(v.faults, VP_HULL_OUTSIDE);
    assert_int_equal(v.outside_point, 50);
    assert_int_equal(v.outside_triangle, 0);
    near(v.outside, 0.5 / sqrt(3.0));
    v = look(&c, 0.3);
    assert_int_equal(v.faults, 0);
}

static void valleys(void **state)
{
    (void)state;
    static case_of c;
    octahedron(&c);
    c.point[4].z = -0.25f; /* pushed in, so that its four edges are valleys */
    const vp_hull_report v = look(&c, 0.01);
    assert_int_equal(v.faults, VP_HULL_CONCAVE | VP_HULL_OUTSIDE);
    assert_true(v.concave > 0.2 && v.outside > 0.2);
    octahedron(&c);
    c.triangle[5][1] = c.count;
    assert_int_equal(look(&c, 0.0).faults, VP_HULL_INDEX);
}

typedef void triangle_normal_fn(vp_vec3 a, vp_vec3 b, vp_vec3 c, double out[3]);

static void plain_normal(vp_vec3 a, vp_vec3 b, vp_vec3 c, double out[3])
{
    const double p[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    const double q[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    for (int k = 0; k < 3; k++)
        out[k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
}

/* Equal to the validator's normal, to the last bit. unit.exact compares that with exact numbers. */
static void same_normal(vp_vec3 a, vp_vec3 b, vp_vec3 c, double out[3])
{
    vp_normal3_within(0x1p-47, a, b, c, out);
}

/* The largest signed distance of a point from a triangle's plane, by brute force. -INFINITY if no triangle has a normal. */
static double most_outside(const case_of *c, triangle_normal_fn *normal)
{
    double most = -INFINITY;
    for (uint32_t t = 0; t < c->triangles; t++) {
        double m[3];
        const vp_vec3 o = c->point[c->triangle[t][0]];
        normal(o, c->point[c->triangle[t][1]], c->point[c->triangle[t][2]], m);
        const double length = sqrt((m[0] * m[0] + m[1] * m[1]) + m[2] * m[2]);
        for (int k = 0; k < 3; k++)
            m[k] /= length;
        for (uint32_t i = 0; i < c->count && length > 0.0; i++)
            most = vp_double_max(most, (m[0] * ((double)c->point[i].x - (double)o.x) + m[1] * ((double)c->point[i].y - (double)o.y)) +
                                           m[2] * ((double)c->point[i].z - (double)o.z));
    }
    return most;
}

/* The point farthest outside any plane, for random triangles and points, against brute force. */
static void furthest_points(void **state)
{
    (void)state;
    static case_of c;
    vp_random r = {9};
    for (int n = 0; n < 200; n++) {
        c.count = 3 + vp_random_below(&r, POINTS - 3);
        c.triangles = 1 + vp_random_below(&r, 20);
        for (uint32_t i = 0; i < c.count; i++)
            c.point[i] = (vp_vec3){vp_random_between(&r, -1, 1) * 1000.0f, vp_random_between(&r, -1, 1), vp_random_between(&r, 5, 6)};
        for (uint32_t i = 0; i < c.count && n % 2 != 0; i++) { /* a shallow, tilted dome */
            const float x = vp_random_between(&r, -1, 1), y = vp_random_between(&r, -1, 1), w = (x * x + y * y) * ldexpf(1.0f, -n / 10);
            c.point[i] = (vp_vec3){x * 0.6f - w, y * 0.7f - x * 0.3f - w, x * 0.4f + y * 0.5f + w + (n % 4 == 1 ? 50.0f : 0.0f)};
            c.point[i].y += n % 8 == 7 ? 125000.0f : 0.0f; /* far away, where roundings are large */
        }
        for (uint32_t t = 0; t < c.triangles; t++)
            for (int k = 0; k < 3; k++)
                c.triangle[t][k] = vp_random_below(&r, c.count);
        const double most = most_outside(&c, plain_normal);
        const vp_hull_report v = look(&c, 0.0);
        if (most == -INFINITY)
            assert_int_equal(v.slivers, c.triangles);
        else if (!(fabs(v.outside - most) <= 1e-9 * vp_double_max(1.0, fabs(most))))
            fail_msg("%.17g outside, expected %.17g", v.outside, most);
    }
}

/* For hulls far from the origin the reported distance is only rounding. It still has the same bits as brute force. */
static void far_away(void **state)
{
    (void)state;
    static case_of c;
    vp_random r = {10};
    for (int n = 0; n < 300; n++) {
        const uint32_t places = 2 + vp_random_below(&r, 12);
        const float small = ldexpf(1.0f, -(int)vp_random_below(&r, 12)), away = ldexpf(1.5f, (int)vp_random_below(&r, 18));
        c.count = 100 + vp_random_below(&r, POINTS - 100);
        for (uint32_t i = 0; i < c.count; i++) {
            const double w = 1.7 * vp_random_below(&r, places);
            const float dx = small * (float)vp_random_below(&r, 3), dy = small * (float)vp_random_below(&r, 3);
            c.point[i] =
                (vp_vec3){(float)cos(w) + dx, (float)sin(w) + dy + away, (float)cos(3.0 * w) + small * (float)vp_random_below(&r, 3)};
        }
        vp_hull h;
        const vp_hull_def def = {.point = c.point, .count = c.count, .separate = true, .tolerance = FLT_TRUE_MIN};
        assert_ok(vp_hull_create(&def, &h, &error));
        c.triangles = h.triangle_count;
        for (uint32_t t = 0; t < h.triangle_count; t++)
            for (int k = 0; k < 3; k++)
                c.triangle[t][k] = h.vertex[h.triangle[t][k]];
        if (h.dimension == 3) {
            const vp_hull_report v = look(&c, 1e-6);
            if (v.faults != 0 || v.outside != most_outside(&c, same_normal))
                fail_msg("set %d: faults %u, %a outside, expected %a", n, v.faults, v.outside, most_outside(&c, same_normal));
        }
        vp_hull_destroy(&h);
    }
}

/* A number of magnitude 2^(e-1) to 2^e, with either sign. */
static float scaled(vp_random *r, int e)
{
    const float m = vp_random_between(r, 0.5f, 1.0f);
    return ldexpf(vp_random_below(r, 2) != 0 ? m : -m, e);
}

/* A tetrahedron whose faces look outwards by exact signs, so that it is the exact hull of its corners. @return false if it
   has no volume */
static bool tetrahedron(exact_oracle *o, vp_vec3 p[4], uint32_t first, case_of *c)
{
    static const uint32_t face[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const int side = exact_oracle_side(o, p[0], p[1], p[2], p[3]);
    c->count = c->triangles = 4;
    for (uint32_t i = 0; i < 4; i++) {
        c->point[i] = p[side > 0 && i < 2 ? 1 - i : i];
        for (uint32_t k = 0; k < 3; k++)
            c->triangle[i][k] = face[i][(k + first) % 3];
    }
    return side != 0;
}

static double largest(const case_of *c)
{
    double most = 0.0;
    for (uint32_t i = 0; i < c->count; i++)
        most = vp_double_max(
            most, vp_double_max(fabs((double)c->point[i].x), vp_double_max(fabs((double)c->point[i].y), fabs((double)c->point[i].z))));
    return most;
}

/* Exact hulls are valid within the tolerance that hull.h recommends. Thin faces with a far corner have planes that miss the fourth point
   by less than a 40-bit normal resolves. A fourth point that is really outside such a face is found, with its distance. */
static void thin_faces_of_several_scales(void **state)
{
    (void)state;
    static case_of c;
#ifdef TEST_THIN
    enum { SETS = 4000 };
#else
    enum { SETS = 60000 };
#endif
    static exact_oracle o;
    vp_random r = {11};
    double worst = 0.0;
    uint32_t outside = 0;
    exact_oracle_begin(&o);
    vp_vec3 known[4] = {{0x1p+35f, -0x1.7cb9ep+34f, 0x1p+35f}, {0.0f, 0.0f, 0x1.7d8p+25f}, {0x1p+33f, 0.0f, 0.0f}, {1.0f, 1.0f, 0.0f}};
    assert_true(tetrahedron(&o, known, 0, &c));
    assert_int_equal(look(&c, largest(&c) * 0x1p-44).faults, 0);
    for (uint32_t n = 0; n < SETS; n++) {
        const int thin = -6 - (int)vp_random_below(&r, 8), near = -44 - (int)vp_random_below(&r, 12);
        const vp_vec3 b = {scaled(&r, thin), scaled(&r, thin), scaled(&r, thin)};
        vp_vec3 p[4] = {{scaled(&r, 1), scaled(&r, 1), scaled(&r, 1)},
                        b,
                        vp_vec3_scale(b, -ldexpf(1.0f, -(int)vp_random_below(&r, 3))),
                        {scaled(&r, near), scaled(&r, near), scaled(&r, near)}}; /* three corners in a plane through 0 */
        if (!tetrahedron(&o, p, vp_random_below(&r, 3), &c))
            continue;
        const double size = largest(&c), allowed = size * 0x1p-44;
        const vp_hull_report v = look(&c, allowed);
        worst = vp_double_max(worst, vp_double_max(v.outside, v.concave) / allowed);
        if (v.faults != 0 || v.slivers != 0)
            fail_msg("tetrahedron %u: faults %u, %u slivers, %g outside, a valley of %g, more than %g", n, v.faults, v.slivers, v.outside,
                     v.concave, allowed);
        const vp_vec3 *q = c.point; /* the reversed first face alone: the fourth point, moved away, is above it */
        c.point[3] = vp_vec3_scale(c.point[3], 0x1p10f);
        c.triangles = 1;
        memcpy(c.triangle[0], (uint32_t[3]){0, 2, 1}, sizeof c.triangle[0]);
        const double want = exact_oracle_distance(&o, q[0], q[1], q[2], q[3]), got = look(&c, allowed).outside;
        if (!(fabs(got - want) <= size * 0x1p-45))
            fail_msg("tetrahedron %u: %.17g outside, expected %.17g", n, got, want);
        outside += want > allowed;
    }
    exact_oracle_end(&o);
    print_message("the worst excess is %.3g of what is allowed; %u of %u points were outside by more than that\n", worst, outside,
                  (uint32_t)SETS);
    assert_true(worst <= 0.5 && outside > SETS / 10 && outside < SETS);
}

static void refusals(void **state)
{
    (void)state;
    static case_of c;
    vp_hull_report v;
    octahedron(&c);
    vp_hull_validate_def s = {.point = c.point, .count = c.count, .triangle = (const uint32_t(*)[3])c.triangle, .triangle_count = 8};
    vp_hull_validate_def bad = s;
    bad.count = 0;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "count is 0 points");
    bad = s;
    bad.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "134217729");
    bad = s;
    bad.triangle_count = 0;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "triangle_count is 0");
    bad.triangle_count = (1u << 29) + 1;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "536870913");
    bad = s;
    bad.allowed = -1.0;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "allowed is -1");
    bad = s;
    bad.sliver = NAN;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "sliver is nan");
    c.point[77].y = -INFINITY;
    assert_refused(vp_hull_validate(&s, &v, &error), VP_E_ARGUMENT, "point[77].y is -inf");
    c.point[77].y = 0.0f;

    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    s.allocator = &allocator;
    for (uint64_t n = 1; n <= 2; n++) {
        test_memory_fail_at(&memory, n);
        assert_refused(vp_hull_validate(&s, &v, &error), VP_E_MEMORY, "100 points");
    }
    test_memory_fail_at(&memory, 0);
    assert_ok(vp_hull_validate(&s, &v, &error));
    test_memory_end(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_hull_has_no_faults),
                                       cmocka_unit_test(surfaces_that_are_not_closed),
                                       cmocka_unit_test(points_outside),
                                       cmocka_unit_test(valleys),
                                       cmocka_unit_test(furthest_points),
                                       cmocka_unit_test(far_away),
                                       cmocka_unit_test(thin_faces_of_several_scales),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
