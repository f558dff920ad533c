/* SPDX-License-Identifier: MIT */
/* The judge of decompositions, with results calculated by hand. */
#include "conformance/judge_decompose/check.h"
#include "conformance/judge_decompose/verdict.h"
#include "tests/decompose/meshes.h"

enum { POINTS = 256, HULLS = 16 };

static small_mesh m; /* of the test */
static struct {
    vp_vec3 point[POINTS];
    vp_judged_hull hull[HULLS];
    uint32_t points, hulls;
} s;
static uint32_t owner[MESH_TRIANGLES];
static vp_decomposition_verdict v;

/* The mesh of a prism over a polygon in x and z, counterclockwise seen from above, with caps that are fans from corner 0. */
static void add_prism(const float (*corner)[2], uint32_t corners, float low, float high)
{
    const uint32_t base = m.points;
    for (uint32_t i = 0; i < 2 * corners; i++)
        add_point(&m, corner[i / 2][0], i % 2 == 0 ? low : high, corner[i / 2][1]);
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t a = base + 2 * i, b = base + 2 * ((i + 1) % corners), p = a + 2, q = a + 4;
        add_triangle(&m, a, a + 1, b);
        add_triangle(&m, b, a + 1, b + 1);
        if (i + 2 < corners) {
            add_triangle(&m, base, p, q);
            add_triangle(&m, base + 1, q + 1, p + 1);
        }
    }
}

static void turn_inwards(uint32_t first)
{
    for (uint32_t t = first; t < m.triangles; t++) {
        const uint32_t other = m.triangle[t][0];
        m.triangle[t][0] = m.triangle[t][1];
        m.triangle[t][1] = other;
    }
}

static void add_hull(const vp_vec3 *point, uint32_t points)
{
    memcpy(s.point + s.points, point, points * sizeof *point);
    s.hull[s.hulls++] = (vp_judged_hull){.point = s.point + s.points, .points = points};
    s.points += points;
}

static void add_box_hull(vp_vec3 low, vp_vec3 high)
{
    vp_vec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = (vp_vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
    add_hull(p, 8);
}

static vp_decomposition_question asked_of(void)
{
    return (vp_decomposition_question){
        .mesh = {.vertex = m.point, .index = m.triangle[0], .vertex_count = m.points, .triangle_count = m.triangles},
        .hull = s.hull,
        .hulls = s.hulls};
}

static void judge(const vp_decomposition_question *asked)
{
    vp_decomposition_drop(&v);
    assert_ok(vp_decomposition_judge(asked, &v, &error));
}

static void near(double got, double want, double by)
{
    if (!(fabs(got - want) <= by))
        fail_msg("%.17g, expected %.17g", got, want);
}

/* The interval must contain `right` and be at most `width` wide. */
static void holds(vp_between b, double right, double width)
{
    const double rounding = 1e-9 * (1.0 + fabs(right));
    if (!(b.low <= right + rounding && right - rounding <= b.high && b.high - b.low <= width + rounding))
        fail_msg("[%.17g, %.17g] for %.17g, of width %g", b.low, b.high, right, width);
}

static const vp_vec3 zero = {0, 0, 0}, one = {1, 1, 1};

TEST(a_cube_by_itself)
{
    add_box(&m, zero, one, false);
    add_box_hull(zero, one);
    vp_decomposition_question asked = asked_of();
    asked.owner = owner;
    judge(&asked);
    assert_true(v.closed);
    assert_int_equal(v.winding[0], 0);
    assert_int_equal(v.winding[1], 1);
    assert_int_equal(v.invalid, 0);
    assert_int_equal(v.flat, 0);
    assert_int_equal(v.vertices, 8);
    holds(v.reach, 0.0, asked.tolerance);
    holds(v.covered_surface, 1.0, 0.0);
    holds(v.away, 0.0, 0.0);
    holds(v.covered_solid, 1.0, 0.0);
    holds(v.union_volume, 1.0, 0.0);
    holds(v.overlap, 0.0, 0.0);
    holds(v.excess, 0.0, 0.0);
    near(v.area, 6.0, 1e-12);
    near(v.volume, 1.0, 1e-12);
    assert_int_equal(v.owned, 12);
    assert_int_equal(v.lost, 0);
    assert_int_equal(v.largest_triangle, VP_JUDGED_NONE);
    turn_inwards(0); /* the same solid */
    judge(&asked);
    assert_int_equal(v.winding[0], -1);
    near(v.volume, 1.0, 1e-12);
    holds(v.reach, 0.0, 0.0);
    holds(v.covered_solid, 1.0, 0.0);
}

/* L: arms of 1 by 3, 1 high. The hull's slope runs from (1, 3) to (3, 1). A point (x, z) in the notch is min(x, z) - 1 away, so the slope's
 * middle (2, 2) is farthest, at distance 1. The notch's corner triangle has area 2. */
TEST(an_l_in_its_hull)
{
    static const float fan[6][2] = {{1, 1}, {1, 3}, {0, 3}, {0, 0}, {3, 0}, {3, 1}};
    add_prism(fan, 6, 0, 1);
    add_hull(m.point, m.points);
    const vp_decomposition_question asked = asked_of();
    judge(&asked);
    assert_true(v.closed);
    holds(v.reach, 1.0, 3.0 / 1024);
    near(v.witness[0], 2.0, 0.01);
    near(v.witness[2], 2.0, 0.01);
    near(v.volume, 5.0, 1e-12);
    holds(v.union_volume, 7.0, 0.0);
    holds(v.excess, 2.0, 0.0);
    holds(v.covered_solid, 1.0, 0.0);
    near(v.reach_ratio, 1.0 / 3.0, 0.001);
    s.hulls = s.points = 0; /* two arms: the second is too short and too low */
    add_box_hull(zero, (vp_vec3){3, 1, 1});
    add_box_hull((vp_vec3){0, -0.25f, 0.5f}, (vp_vec3){1, 1, 2});
    const vp_decomposition_question arms = asked_of();
    judge(&arms);
    holds(v.hull[0].reach, 0.0, 3.0 / 1024);
    holds(v.reach, 0.25, 3.0 / 1024);
    assert_int_equal(v.reach_hull, 1);
    holds(v.overlap, 0.5, 0.0);
    holds(v.union_volume, 3 + 1.875 - 0.5, 0.0);
    holds(v.excess, 0.375, 0.0);
    holds(v.covered, 4.0, 0.0);
    holds(v.covered_solid, 0.8, 0.0);
    near(v.uncovered_area, 5.0, 1e-9); /* the end of the arm: 1 above, 1 below, 1 on each side, and the end itself */
}

TEST(a_hull_without_a_corner)
{
    vp_vec3 p[7];
    add_box(&m, zero, one, false);
    for (int i = 0; i < 7; i++) /* every corner except (1, 1, 1) */
        p[i] = (vp_vec3){i & 1 ? 1.0f : 0.0f, i & 2 ? 1.0f : 0.0f, i & 4 ? 1.0f : 0.0f};
    add_hull(p, 7);
    vp_decomposition_question asked = asked_of();
    asked.owner = owner;
    judge(&asked);
    holds(v.reach, 0.0, 1.0 / 1024);
    near(v.uncovered_area, 1.5, 1e-9);
    holds(v.covered_surface, 0.75, 0.0);
    near(v.largest_piece, 0.25, 1e-9); /* half of a face, halved by the diagonal through the corner */
    holds(v.away, 1.0 / sqrt(3.0), 1.0 / 1024);
    near(v.away_at[0] + v.away_at[1] + v.away_at[2], 3.0, 1e-9);
    near(v.lost_by, 1.0 / sqrt(3.0), 1e-12);
    holds(v.covered_solid, 5.0 / 6.0, 0.0);
    assert_true(v.lost >= 3);
    asked.s = 0.58; /* distance of the missing corner */
    judge(&asked);
    holds(v.covered_surface, 1.0, 0.0);
    assert_int_equal(v.lost, 0);
}

TEST(voids_and_sheets)
{
    add_box(&m, zero, (vp_vec3){4, 4, 4}, false);
    add_box(&m, one, (vp_vec3){3, 3, 3}, false);
    add_box_hull(zero, (vp_vec3){4, 4, 4});
    vp_decomposition_question asked = asked_of();
    judge(&asked); /* an outward shell inside another changes nothing */
    assert_int_equal(v.winding[1], 2);
    holds(v.reach, 0.0, 4.0 / 1024);
    turn_inwards(12);
    judge(&asked); /* and an inward shell is a void */
    assert_int_equal(v.winding[0], 0);
    assert_int_equal(v.winding[1], 1);
    holds(v.reach, 1.0, 4.0 / 1024);
    holds(v.excess, 8.0, 0.0);
    near(v.volume, 56.0, 1e-9);
    m.triangles = 12; /* a duplicate triangle changes nothing */
    memcpy(m.triangle[12], m.triangle[0], sizeof *m.triangle);
    m.triangles = 13;
    asked = asked_of();
    judge(&asked);
    assert_true(v.closed);
    near(v.volume, 64.0, 1e-9);
    holds(v.excess, 0.0, 0.0);
    m.triangles = 11; /* without one triangle it is a sheet */
    asked = asked_of();
    judge(&asked);
    assert_false(v.closed);
    assert_int_equal(v.open_edges, 3);
    assert_true(v.open_edge[0] < 8 && v.open_edge[1] < 8);
    holds(v.reach, 2.0, 4.0 / 1024);
    assert_true(isnan(v.volume) && isnan(v.excess.low) && isnan(v.covered_solid.high));
    holds(v.union_volume, 64.0, 0.0);
    holds(v.covered_surface, 1.0, 0.0);
}

TEST(flat_hulls)
{
    static const vp_vec3 sheet[4] = {{0, 1, 0}, {3, 1, 0}, {3, 1, 1}, {0, 1, 1}}, line[2] = {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 3}};
    add_box(&m, zero, one, false);
    add_hull(sheet, 4); /* a face, and 2 beyond it */
    add_hull(line, 2);
    add_hull(line, 1);
    const vp_decomposition_question asked = asked_of();
    judge(&asked);
    assert_int_equal(v.flat, 3);
    assert_int_equal(v.hull[0].dimension, 2);
    assert_int_equal(v.hull[1].dimension, 1);
    assert_int_equal(v.hull[2].dimension, 0);
    holds(v.hull[0].reach, 2.0, 1.0 / 1024);
    holds(v.hull[1].reach, 2.0, 1.0 / 1024);
    holds(v.hull[2].reach, 0.0, 1.0 / 1024);
    holds(v.covered_surface, 1.0 / 6.0, 1e-6);
    holds(v.covered_solid, 0.0, 0.0);
    holds(v.away, sqrt(0.75), 1.0 / 1024); /* the lower corners, from the segment's end */
}

TEST(bad_input)
{
    memset(&v, 0xff, sizeof v);
    add_box(&m, zero, one, false);
    add_box_hull(zero, one);
    vp_decomposition_question asked = asked_of();
    asked.s = -2;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "s is -2");
    asked.s = 0;
    asked.tolerance = (double)NAN;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "tolerance is nan");
    asked.tolerance = 0;
    owner[3] = 7;
    asked.owner = owner;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "triangle 3 is owned by hull 7 of 1");
    asked.owner = NULL;
    const uint32_t corner = m.triangle[1][2];
    m.triangle[1][2] = 8;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "triangle 1 of the mesh has vertex 8 of 8");
    m.triangle[1][2] = corner;
    s.hull[0].points = 0;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "hull 0 has 0 points");
    s.hull[0].points = 8;
    s.point[6].y = INFINITY;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "point 6 of hull 0 at 0 inf 1 is not finite");
    m.point[2].x = NAN;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "vertex 2 of the mesh at nan");
    asked.mesh.triangle_count = 0;
    assert_refused(vp_decomposition_judge(&asked, &v, &error), VP_E_ARGUMENT, "0 triangles");
    assert_null(v.hull);
}

/* Four points off a plane by less than s, as a polygon of two sides. No hull of these points has these triangles, but it is flat. */
TEST(a_flat_hull_may_be_bent)
{
    static const uint32_t sides[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    add_box(&m, zero, one, false);
    add_hull((const vp_vec3[]){{0, 0.01f, 0}, {1, 0, 0}, {1, 0.01f, 1}, {0, 0, 1}}, 4);
    s.hull[0].triangle = sides;
    s.hull[0].triangles = 4;
    vp_decomposition_question asked = asked_of();
    asked.s = 0.02;
    judge(&asked);
    assert_int_equal(v.invalid, 0);
    assert_int_equal(v.flat, 1);

    asked.s = 0.001;
    judge(&asked);
    assert_int_equal(v.invalid, 1);
    assert_int_equal(v.flat, 0);

    asked.s = 0.02;
    s.hull[0].triangles = 3;
    judge(&asked);
    assert_true((v.hull[0].faults & VP_HULL_OPEN) != 0);
}

static int begin(void **state)
{
    (void)state;
    m.points = m.triangles = s.points = s.hulls = 0;
    memset(owner, 0, sizeof owner);
    return 0;
}

static int end(void **state)
{
    (void)state;
    vp_decomposition_drop(&v);
    return 0;
}

int main(void)
{
    return test_run_each(begin, end);
}
