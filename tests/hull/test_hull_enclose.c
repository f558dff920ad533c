/* SPDX-License-Identifier: MIT */
/* The polytope that a hull's moved planes enclose. Exact signs show that every point is inside. Vertices are near the planes and in the
 * set's box, within the bounds of hull.h, and so is their number. All kernels return the same bits. */
#include "tests/support/check.h"
#include "datasets/generate/points.h"
#include "tests/support/hull_distance.h"
#include "tests/support/hull_families.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/samples.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

#include "src/core/exact.h"
#include "src/core/real3.h"

#ifdef TEST_THIN
enum { ROUNDS = 1, MAX_POINTS = 60 };
#else
enum { ROUNDS = 3, MAX_POINTS = 140 };
#endif

static test_table table[TEST_TABLES_MAX];
static size_t tables;

static void destroy(vp_hull *h, vp_hull_enclosure *e)
{
    vp_hull_enclosure_destroy(e);
    vp_hull_destroy(h);
}

/* Every kernel set returns the same bits. */
static void enclose(const char *what, vp_hull_def def, vp_hull *h, vp_hull_enclosure *e)
{
    def.contain = true;
    *h = hull_by_all(what, def);
    for (size_t t = 0; t < tables; t++) {
        vp_hull_enclosure got;
        def.kernels = &table[t].kernels;
        assert_ok(vp_hull_enclose(&def, h, t == 0 ? e : &got, &error));
        if (t == 0)
            continue;
        expect_same_hull(what, &got.hull, &e->hull);
        assert_memory_equal(got.point, e->point, got.hull.vertex_count * sizeof *got.point);
        vp_hull_enclosure_destroy(&got);
    }
}

/* Checks the promises of hull.h. @return whether the polytope is the box, because the coordinates are too large */
static bool check(const char *what, const vp_vec3 *point, uint32_t count, const vp_hull *h, const vp_hull_enclosure *e)
{
    const vp_hull *q = &e->hull;
    for (uint32_t v = 0; v < q->vertex_count; v++)
        assert_int_equal(q->vertex[v], v);
    oracle_check_hull(what, e->point, q->vertex_count, q); /* every point is a vertex of their hull */
    for (uint32_t t = 0; t < q->triangle_count; t++)
        for (uint32_t i = 0; i < count; i++)
            if (vp_orient3d(e->point[q->triangle[t][0]], e->point[q->triangle[t][1]], e->point[q->triangle[t][2]], point[i]) > 0)
                fail_msg("%s: point %u is outside of triangle %u", what, i, t);

    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0.0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double at = (double)hull_coordinate(point[i], k);
            low[k] = -vp_double_max(-low[k], -at);
            high[k] = vp_double_max(high[k], at);
            size = vp_double_max(size, fabs(at));
        }
    /* a flat hull does not report how far its rim moved: at most the error, or the tolerance */
    const double moved = h->dimension == 3 ? h->moved : vp_double_max(h->moved, h->error) + 4.0 * (double)h->tolerance;
    const double within = size + 4.0 * moved;
    if (within * 1.0001 > (double)FLT_MAX * 0.5 && q->vertex_count == 8 && q->face_count == 6)
        return true;
    const double more = within * 0x1p-20 + 0x1p-144, out = 4.0 * moved + within * 0x1p-16 + 0x1p-144;
    for (uint32_t v = 0; v < q->vertex_count; v++) {
        const vp_vec3 p = e->point[v];
        for (uint32_t f = 0; f < h->face_count; f++) {
            const double *n = h->plane[f], above = (n[0] * (double)p.x + n[1] * (double)p.y + n[2] * (double)p.z) - n[3];
            if (!(above < more))
                fail_msg("%s: vertex %u is %g above plane %u, more than %g", what, v, above, f, more);
        }
        for (int k = 0; k < 3; k++)
            if (!((double)hull_coordinate(p, k) <= high[k] + out) || !((double)hull_coordinate(p, k) >= low[k] - out))
                fail_msg("%s: vertex %u is out of the box by more than %g", what, v, out);
    }
    const uint32_t planes = h->dimension == 3 ? h->face_count : h->dimension == 2 ? 2 + h->first_corner[1] : 6;
    if (q->vertex_count > 2 * planes + 8)
        fail_msg("%s: %u vertices of %u planes", what, q->vertex_count, planes);
    return false;
}

/* docs/CONTRACT.md: HUL-11 */
TEST(families)
{
    static point_set s;
    static const uint32_t limit[] = {0, 4, 5, 8, 20};
    vp_random r = {21};
    for (uint32_t n = 0; n < ROUNDS; n++)
        for (uint32_t family = 0; family < FAMILIES; family++) {
            point_set_make(&s, &r, family, 30 + vp_random_below(&r, MAX_POINTS - 30));
            for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++) {
                char what[128];
                vp_hull h;
                vp_hull_enclosure e;
                const vp_hull_def def = {.point = s.point, .count = s.count, .tolerance = s.tolerance, .max_vertices = limit[i]};
                enclose(s.name, def, &h, &e);
                snprintf(what, sizeof what, "%s, %u vertices", s.name, h.vertex_count);
                check(what, s.point, s.count, &h, &e);
                if (limit[i] != 0 && e.hull.vertex_count > 4 * limit[i] + 4)
                    fail_msg("%s: %u vertices around", what, e.hull.vertex_count);
                destroy(&h, &e);
            }
        }
}

static void expect_counts(const vp_vec3 *point, uint32_t count, uint32_t vertices, uint32_t faces)
{
    vp_hull h;
    vp_hull_enclosure e;
    char what[64];
    snprintf(what, sizeof what, "%u points", count);
    enclose(what, (vp_hull_def){.point = point, .count = count}, &h, &e);
    check(what, point, count, &h, &e);
    if (e.hull.vertex_count != vertices || e.hull.face_count != faces)
        fail_msg("%s: %u vertices and %u faces, expected %u and %u", what, e.hull.vertex_count, e.hull.face_count, vertices, faces);
    destroy(&h, &e);
}

/* The planes of a whole hull move only by roundings. Planes that met in one vertex still do, and no new face is cut. */
TEST(solids_keep_their_corners)
{
    vp_vec3 point[64];
    uint32_t count = 0;
    for (int i = 0; i < 27; i++)
        point[i] = (vp_vec3){(float)(i % 3), (float)(i / 3 % 3), (float)(i / 9)};
    expect_counts(point, 27, 8, 6);
    for (int i = 0; i < 8; i++) { /* turned to stand on a corner */
        const float x = (float)(i & 1), y = (float)(i >> 1 & 1), z = (float)(i >> 2);
        point[i] = (vp_vec3){x * 0.7f - y * 0.5f, x * 0.4f + y * 0.6f - z * 0.7f, x * 0.5f + y * 0.6f + z * 0.7f};
    }
    expect_counts(point, 8, 8, 6);
    for (int i = 0; i < 6; i++) /* four planes at each vertex */
        point[i] = (vp_vec3){i / 2 == 0 ? (float)(i % 2 * 2 - 1) : 0.0f, i / 2 == 1 ? (float)(i % 2 * 2 - 1) : 0.0f,
                             i / 2 == 2 ? (float)(i % 2 * 2 - 1) : 0.0f};
    expect_counts(point, 6, 6, 8);
    for (int i = 0; i < 32; i++) /* 32 planes at the tip of a pyramid */
        point[count++] = (vp_vec3){(float)cos(i * 0.19634954), (float)sin(i * 0.19634954), 0.0f};
    point[count++] = (vp_vec3){0.0f, 0.0f, 1.0f};
    expect_counts(point, count, 33, 33);
}

TEST(refusals)
{
    vp_vec3 point[9] = {{0.5f, 0.25f, 0.75f}}, away[9];
    for (int i = 0; i < 8; i++)
        point[i + 1] = (vp_vec3){(float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2)};
    for (int i = 0; i < 9; i++)
        away[i] = (vp_vec3){point[i].x + 100.0f, point[i].y, point[i].z};
    const vp_hull_enclosure none = {0};
    vp_hull plain, hull;
    vp_hull_enclosure e = {0};
    vp_hull_def def = {.point = point, .count = 9};
    assert_ok(vp_hull_create(&def, &plain, &error));
    def.contain = true;
    assert_ok(vp_hull_create(&def, &hull, &error));
    assert_refused(vp_hull_enclose(&def, &plain, &e, &error), VP_E_ARGUMENT, "made without contain");
    vp_hull_def bad = def;
    bad.count = 0;
    assert_refused(vp_hull_enclose(&bad, &hull, &e, &error), VP_E_ARGUMENT, "count is 0 points");
    bad.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_enclose(&bad, &hull, &e, &error), VP_E_ARGUMENT, "134217729");
    bad.count = 5;
    assert_refused(vp_hull_enclose(&bad, &hull, &e, &error), VP_E_ARGUMENT, "the hull has vertex 8, def has 5 points");
    bad = def;
    bad.point = away;
    assert_refused(vp_hull_enclose(&bad, &hull, &e, &error), VP_E_ARGUMENT, "not around these 9 points");
    bad = def;
    bad.max_work = 1;
    assert_refused(vp_hull_enclose(&bad, &hull, &e, &error), VP_E_LIMIT, "1 comparisons");
    vp_hull empty = {0};
    assert_refused(vp_hull_enclose(&def, &empty, &e, &error), VP_E_ARGUMENT, "no vertices");
    point[0].y = NAN;
    assert_refused(vp_hull_enclose(&def, &hull, &e, &error), VP_E_ARGUMENT, "point[0].y is nan");
    assert_memory_equal(&e, &none, sizeof e);
    vp_hull_enclosure_destroy(&e);
    vp_hull_destroy(&hull);
    vp_hull_destroy(&plain);
}

int main(void)
{
    tables = test_tables(table);
    return test_run_all(NULL, NULL);
}
