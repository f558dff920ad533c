/* SPDX-License-Identifier: MIT */
/* Hulls of many small sets that are as degenerate as they can be, by every kernel, against trying every plane through three points.
 * test_hull_small [COUNT [FIRST]]: sets are numbered, and each is made from its number alone, so that a long run can be cut into several,
 * and a set that fails can be looked at alone: "test_hull_small 1 NUMBER". */
#include "tests/support/check.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/polytope.h"
#include "tests/support/samples.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { SETS = 600 };
#else
enum { SETS = 25000 };
#endif

enum { MAX = 40, MAX_WIDE = 10, KINDS = 12 }; /* MAX_WIDE: of numbers that differ much, which take long */

static exact_oracle numbers;
static test_table table[TEST_TABLES_MAX];
static size_t tables;
static uint64_t sets = SETS, first_set, now; /* the set that is looked at */

typedef struct set {
    vp_vec3 point[MAX];
    uint32_t count;
} set;

/* What sets were like: each must have been there. */
static double furthest; /* from the faces that a vertex is, in tolerances */
static uint64_t of_dimension[4], of_kind[KINDS], wide, thin, polygons, inner, twice;

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

static uint32_t bits_of(uint64_t x)
{
    uint32_t n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

/* In place of fmax, over which one compiler for AArch64 stumbles where it makes vectors of a loop. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- sets ---- */

static void put(set *s, float x, float y, float z)
{
    s->point[s->count++] = (vp_vec3){x, y, z};
}

static float whole(vp_random *r, uint32_t most)
{
    return (float)vp_random_below(r, most + 1);
}

/* Whole numbers whose squares sum up to one of a few numbers: a ball's surface on a grid. */
static void put_on_ball(vp_random *r, set *s, uint32_t count)
{
    static const int square[] = {9, 14, 26, 41, 50, 81, 101, 125};
    const int want = square[vp_random_below(r, 8)];
    while (s->count < count) {
        const int x = (int)vp_random_below(r, 23) - 11, y = (int)vp_random_below(r, 23) - 11, left = want - x * x - y * y;
        int z = 0;
        while (z * z < left)
            z++;
        if (left >= 0 && z * z == left)
            put(s, (float)x, (float)y, (float)(vp_random_below(r, 2) == 0 ? z : -z));
    }
}

/* Points around a circle, of a tangent's fractions, on two heights or one and a tip. */
static void put_around(vp_random *r, set *s, uint32_t count)
{
    const uint32_t sides = 3 + vp_random_below(r, 10);
    const bool cone = vp_random_below(r, 2) == 0;
    while (s->count < count) {
        const double t = 4.0 * (double)vp_random_below(r, sides) / (double)sides, u = (t < 2.0 ? t : t - 2.0) - 1.0, q = 1.0 + u * u;
        const double sign = t < 2.0 ? 3.0 : -3.0;
        const float up = whole(r, 3);
        if (cone && s->count == 0)
            put(s, 4.25f, 4.5f, 8.0f);
        else
            put(s, (float)(4.0 + sign * (1.0 - u * u) / q), (float)(4.0 + sign * 2.0 * u / q), cone ? 1.0f : up == 0.0f ? 5.0f : 1.0f);
    }
}

static void put_points(vp_random *r, set *s, uint32_t kind, uint32_t count)
{
    const uint32_t most = 1 + vp_random_below(r, 4), axis = vp_random_below(r, 3);
    const float slope = whole(r, 3);
    float few[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            few[i][k] = whole(r, 6);
    if (kind == 4)
        put_on_ball(r, s, count);
    if (kind == 7)
        put_around(r, s, count);
    while (s->count < count) {
        float p[3] = {whole(r, most), whole(r, most), whole(r, most)};
        const uint32_t which = vp_random_below(r, slope > 1.0f ? 8 : 5), face = vp_random_below(r, 3);
        switch (kind) {
        case 1:
            p[axis] = whole(r, 9) == 0.0f ? 1.0f : 2.0f;
            break; /* two plates */
        case 2:
            p[1] = slope * p[0];
            p[2] = s->count == 1 ? p[2] : 3.0f - p[0];
            break; /* a line, and one point maybe beside it */
        case 3:
            p[2] = p[0] + slope * p[1];
            break; /* a tilted plane */
        case 5:
            for (int k = 0; k < 3; k++)
                p[k] = few[which][k];
            break; /* few places */
        case 6:
            p[0] += 0.25f * p[1];
            p[2] -= 0.5f * p[0];
            break; /* a sheared lattice */
        case 8:
            for (int k = 0; k < 3; k++)
                p[k] = whole(r, 1023);
            break; /* anything */
        case 9:
            p[face] = whole(r, 1) * (float)most;
            break; /* on the faces of a cube */
        case 10:
            for (int k = 0; k < 3; k++)
                p[k] = 1.0f + p[k] / 3.0f;
            break; /* thirds, which are rounded */
        case 11:
            p[axis] *= 0x1p-12f;
            break; /* a thin plate */
        default:
            break;
        }
        put(s, p[0], p[1], p[2]);
    }
}

/* By angles whose sines and cosines have one digit or two: grids that are grids no more after rounding. */
static void turn(set *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const vp_vec3 p = s->point[i];
        const vp_vec3 q = {0.8f * p.x - 0.6f * p.y, 0.6f * p.x + 0.8f * p.y, p.z};
        s->point[i] = (vp_vec3){q.x, 0.28f * q.y - 0.96f * q.z, 0.96f * q.y + 0.28f * q.z};
    }
}

static float *component(vp_vec3 *p, uint32_t axis)
{
    return axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z;
}

/* Some coordinates move to one of their neighbours among the numbers of binary32, or by as much as the largest coordinate's last bit. */
static void shake(vp_random *r, set *s)
{
    const uint32_t how = vp_random_below(r, 16), seldom = 1 + vp_random_below(r, 6);
    float most = 0.0f;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            most = fabsf(*component(&s->point[i], k)) > most ? fabsf(*component(&s->point[i], k)) : most;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            float *x = component(&s->point[i], k);
            const uint32_t up = vp_random_below(r, 5);
            if (vp_random_below(r, seldom) != 0)
                continue;
            if (how < 12) {
                *x += ((float)up - 2.0f) * most * 0x1p-24f;
            } else if (how < 15 || s->count > 14) {
                if (*x != 0.0f)
                    *x = nextafterf(*x, up < 3 ? INFINITY : -INFINITY);
            } else { /* and from 0 to the smallest numbers of all */
                *x = nextafterf(*x, up < 3 ? INFINITY : -INFINITY);
            }
        }
}

static void make_set(uint64_t number, set *s)
{
    static const float scale[] = {1.0f, 1.0f, 1e-5f, 1e6f, 0x1p-140f, 1e30f, 0.1f, 0x1p-149f};
    vp_random r = {number * UINT64_C(0xd1342543de82ef95) + 1};
    const uint32_t kind = vp_random_below(&r, KINDS), count = 4 + vp_random_below(&r, vp_random_below(&r, 2) == 0 ? MAX - 3 : 12);
    const float by = scale[vp_random_below(&r, 8)], away = vp_random_below(&r, 3) == 0   ? 1000.0f
                                                           : vp_random_below(&r, 2) == 0 ? 1.0f
                                                                                         : 0.0f;
    s->count = 0;
    put_points(&r, s, kind, count);
    if (vp_random_below(&r, 3) == 0)
        turn(s);
    for (uint32_t i = 0; i < s->count; i++)
        s->point[i] = vp_vec3_scale(s->point[i], by);
    if (away > 0.0f)
        for (uint32_t k = 0; k < 3; k++) {
            const float move = away * (1.0f + whole(&r, 2)) * by;
            for (uint32_t i = 0; i < s->count; i++)
                *component(&s->point[i], k) += move;
        }
    if (vp_random_below(&r, 3) != 0)
        shake(&r, s);
    if (s->count > MAX_WIDE && polytope_is_wide(s->point, s->count))
        s->count = MAX_WIDE;
    of_kind[kind]++;
}

/* ---- against trying every plane ---- */

static void expect_vertices(const polytope *p, const vp_hull *h)
{
    uint32_t v = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if ((p->vertices & bit(i)) != 0) {
            if (v >= h->vertex_count || h->vertex[v] != i)
                fail_msg("point %u is a vertex, and is not said to be one", i);
            v++;
        }
    if (v != h->vertex_count)
        fail_msg("%u vertices, expected %u", h->vertex_count, v);
}

/* The facet that a face is; fails if it is none. */
static uint32_t facet_of(const polytope *p, const vp_hull *h, uint32_t face)
{
    uint64_t corners = 0;
    for (uint32_t c = h->first_corner[face]; c < h->first_corner[face + 1]; c++)
        corners |= bit(h->vertex[h->corner[c]]);
    for (uint32_t f = 0; f < p->facets; f++)
        if ((p->facet[f] & p->vertices) == corners && bits_of(corners) == h->first_corner[face + 1] - h->first_corner[face])
            return f;
    fail_msg("face %u is none", face);
    return 0;
}

/* Each face's corners are a facet's vertices; one and the next are what it has in common with the facet across; they turn as they must. */
static void expect_faces(const polytope *p, const vp_hull *h)
{
    uint32_t facet[POLYTOPE_MAX_FACETS];
    if (h->face_count != p->facets)
        fail_msg("%u faces, expected %u", h->face_count, p->facets);
    for (uint32_t f = 0; f < h->face_count; f++) {
        facet[f] = facet_of(p, h, f);
        for (uint32_t g = 0; g < f; g++)
            if (facet[g] == facet[f])
                fail_msg("faces %u and %u are the same", g, f);
    }
    for (uint32_t f = 0; f < h->face_count; f++) {
        const uint32_t first = h->first_corner[f], end = h->first_corner[f + 1], *corner = h->corner;
        polygons += end > first + 3;
        for (uint32_t c = first; c < end; c++) {
            const uint32_t next = c + 1 < end ? c + 1 : first;
            const uint64_t ends = bit(h->vertex[corner[c]]) | bit(h->vertex[corner[next]]);
            if (h->across[c] >= h->face_count || (p->facet[facet[f]] & p->facet[facet[h->across[c]]] & p->vertices) != ends)
                fail_msg("corner %u of face %u and the next are no edge with face %u", c - first, f, h->across[c]);
            if (corner[c] < corner[first])
                fail_msg("face %u does not begin with its lowest vertex", f);
        }
        uint32_t below = 0;
        while ((p->facet[facet[f]] & bit(below)) != 0)
            below++;
        if (polytope_side(p, h->vertex[corner[first]], h->vertex[corner[first + 1]], h->vertex[corner[first + 2]], below) >= 0)
            fail_msg("face %u is the wrong way round", f);
        if (f > 0 && (corner[h->first_corner[f - 1]] > corner[first] ||
                      (corner[h->first_corner[f - 1]] == corner[first] && corner[h->first_corner[f - 1] + 1] >= corner[first + 1])))
            fail_msg("face %u is not in order", f);
    }
}

/* Each face's triangles are the fan from its first corner. */
static void expect_fans(const vp_hull *h)
{
    uint64_t had[POLYTOPE_MAX_FACETS] = {0};
    if (h->triangle_count != 2 * h->vertex_count - 4)
        fail_msg("%u triangles of %u vertices", h->triangle_count, h->vertex_count);
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        const uint32_t f = h->face_of[t], *v = h->triangle[t], *corner = h->corner + h->first_corner[f];
        uint32_t k = 1;
        while (k + 1 < h->first_corner[f + 1] - h->first_corner[f] && corner[k] != v[1])
            k++;
        if (k + 1 >= h->first_corner[f + 1] - h->first_corner[f] || v[0] != corner[0] || v[2] != corner[k + 1] || (had[f] & bit(k)) != 0)
            fail_msg("triangle %u is none of face %u's fan", t, f);
        had[f] |= bit(k);
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t *w = h->triangle[h->beside[t][i]];
            bool back = false;
            for (uint32_t j = 0; j < 3; j++)
                back = back || (w[j] == v[(i + 1) % 3] && w[(j + 1) % 3] == v[i] && h->beside[h->beside[t][i]][j] == t);
            if (!back)
                fail_msg("triangle %u is not beside triangle %u", h->beside[t][i], t);
        }
    }
}

/* ---- sets that are flat, or nearly so ---- */

/* Whether a hull is the polygon of the points' shadows on a plane across an axis. */
static bool is_shadow(const polytope *p, const vp_hull *h, int axis)
{
    uint32_t ring[POLYTOPE_MAX];
    const uint32_t corners = polytope_shadow(p, axis, ring);
    if (h->vertex_count != corners || h->face_count != 2 || h->corner_count != 2 * corners)
        return false;
    for (uint32_t f = 0; f < 2; f++)
        for (uint32_t c = 0; c < corners; c++) {
            /* the first from its lowest corner on, the second from the one that is behind that on the ring */
            const uint32_t back = (corners - c) % corners, on = (c + 1) % corners, off = (1 + back) % corners;
            const bool up = h->plane[f][axis] > 0.0, turned = f == 1;
            const uint32_t at = up ? (turned ? on : c) : turned ? off : back;
            if (h->vertex[h->corner[h->first_corner[f] + c]] != ring[at])
                return false;
        }
    return h->plane[0][axis] * h->plane[1][axis] < 0.0 && h->corner[1] < h->corner[corners - 1]; /* the lower way round is first */
}

static void from_to(vp_vec3 a, vp_vec3 b, double out[3])
{
    out[0] = (double)b.x - (double)a.x;
    out[1] = (double)b.y - (double)a.y;
    out[2] = (double)b.z - (double)a.z;
}

static double cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

/* How high the points lie above the lowest of a hull's facets to lie on. */
static double thickness(const polytope *p)
{
    double least = INFINITY;
    for (uint32_t f = 0; f < p->facets; f++) {
        const uint32_t *through = p->through[f];
        double most = 0.0;
        for (uint32_t i = 0; i < p->count; i++)
            most = larger(most,
                          exact_oracle_distance(&numbers, p->point[through[0]], p->point[through[1]], p->point[through[2]], p->point[i]));
        least = most < least ? most : least;
    }
    return least;
}

/* How far the points are from the line through two. */
static double width(const polytope *p, vp_vec3 a, vp_vec3 b)
{
    double u[3], v[3], n[3], most = 0.0;
    from_to(a, b, u);
    for (uint32_t i = 0; i < p->count; i++) {
        from_to(a, p->point[i], v);
        most = larger(most, cross(u, v, n));
    }
    return most / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

static double extent(const polytope *p)
{
    double most = 0.0;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            double u[3];
            from_to(p->point[i], p->point[k], u);
            most = larger(most, larger(fabs(u[0]), larger(fabs(u[1]), fabs(u[2]))));
        }
    return most;
}

/* A hull of as many dimensions as the points have, or of fewer if they lie within the tolerance of those. Distances here are of other
   planes than the one that was asked for, but those are no more than some times as far. */
static void expect_dimension(const polytope *p, const vp_hull *h)
{
    enum { TIMES = 4 };
    const double tolerance = larger((double)h->tolerance, extent(p) * 0x1p-40) * TIMES;
    if (h->dimension > p->rank)
        fail_msg("dimension %u, expected %u", h->dimension, p->rank);
    if (h->dimension == 2 && p->rank == 3 && !(thickness(p) <= tolerance))
        fail_msg("flat, and %g thick (tolerance %g)", thickness(p), tolerance / TIMES);
    if (h->dimension == 2 && !is_shadow(p, h, 0) && !is_shadow(p, h, 1) && !is_shadow(p, h, 2))
        fail_msg("no polygon of the points");
    if (h->dimension == 1 && p->rank > 1 && !(width(p, p->point[h->vertex[0]], p->point[h->vertex[1]]) <= tolerance))
        fail_msg("a line, and %g wide", width(p, p->point[h->vertex[0]], p->point[h->vertex[1]]));
    if (h->dimension == 0 && !(extent(p) <= tolerance / TIMES))
        fail_msg("a point, and %g wide", extent(p));
    if (h->dimension == p->rank)
        expect_vertices(p, h);
}

/* ---- all of it ---- */

static vp_hull hull_of(const set *s, const vp_kernels *kernels, bool separate, float tolerance)
{
    vp_hull h = {0};
    const vp_hull_def def = {.point = s->point, .count = s->count, .kernels = kernels, .separate = separate, .tolerance = tolerance};
    assert_ok(vp_hull_create(&def, &h, &error));
    return h;
}

static void expect_same_by_all(const set *s, bool separate, float tolerance, const vp_hull *want)
{
    for (size_t t = 1; t < tables; t++) {
        vp_hull got = hull_of(s, &table[t].kernels, separate, tolerance);
        expect_same_hull(table[t].name, &got, want);
        vp_hull_destroy(&got);
    }
}

static void check(const set *s)
{
    polytope p;
    polytope_make(&p, s->point, s->count, &numbers);
    vp_hull exact = hull_of(s, &table[0].kernels, true, FLT_TRUE_MIN);
    expect_dimension(&p, &exact);
    if (exact.dimension == 3) {
        expect_faces(&p, &exact);
        expect_fans(&exact);
    }
    expect_same_by_all(s, true, FLT_TRUE_MIN, &exact);

    /* with a tolerance: fewer dimensions, or the same surface and fewer faces */
    const float tolerance = now % 4 != 0 ? 0.0f : (float)extent(&p) * (now % 8 == 0 ? 0x1p-3f : 0x1p-12f);
    vp_hull joined = hull_of(s, &table[0].kernels, false, tolerance);
    expect_dimension(&p, &joined);
    if (joined.tolerance >= exact.tolerance) /* it is 0 of the smallest numbers of all */
        assert_true(joined.dimension <= exact.dimension);
    if (joined.dimension == 3 && exact.dimension == 3) {
        expect_vertices(&p, &joined);
        assert_memory_equal(joined.triangle, exact.triangle, exact.triangle_count * sizeof *exact.triangle);
        assert_memory_equal(joined.beside, exact.beside, exact.triangle_count * sizeof *exact.beside);
    }
    if (joined.dimension == 3)
        furthest = larger(furthest, oracle_check_corners("a small set", s->point, &joined));
    expect_same_by_all(s, false, tolerance, &joined);

    of_dimension[exact.dimension]++;
    wide += p.wide;
    thin += exact.dimension > joined.dimension;
    inner += bits_of(p.first) > exact.vertex_count;
    twice += bits_of(p.first) < s->count;
    vp_hull_destroy(&joined);
    vp_hull_destroy(&exact);
}

/* Sets that something was once wrong with: faces that were joined by way of a third one depended on the kernel; and this test's own idea of
   how thick a set is. */
static const uint64_t found[] = {10663468, 11592621, 17944868};

static void small_sets(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-1, HUL-2, HUL-3, HUL-8, HUL-9 */
    set s;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        now = found[i];
        make_set(now, &s);
        check(&s);
    }
    for (now = first_set; now < first_set + sets; now++) {
        make_set(now, &s);
        check(&s);
    }
    print_message(
        "%llu sets: %llu of dimension 0, %llu of 1, %llu of 2, %llu of 3; %llu flat by the tolerance, %llu of numbers that differ much; "
        "%llu faces of more than three corners; vertices are %.2f tolerances from the faces at most\n",
        (unsigned long long)sets, (unsigned long long)of_dimension[0], (unsigned long long)of_dimension[1],
        (unsigned long long)of_dimension[2], (unsigned long long)of_dimension[3], (unsigned long long)thin, (unsigned long long)wide,
        (unsigned long long)polygons, furthest);
    if (sets < SETS)
        return;
    for (int d = 1; d < 4; d++)
        assert_true(of_dimension[d] > 0);
    for (int k = 0; k < KINDS; k++)
        assert_true(of_kind[k] > 0);
    assert_true(wide > 0 && thin > 0 && polygons > 0 && inner > 0 && twice > 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        sets = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        first_set = strtoull(argv[2], NULL, 10);
    if (argc > 3 || sets == 0) {
        fprintf(stderr, "usage: test_hull_small [COUNT [FIRST]]\n");
        return 2;
    }
    tables = test_tables(table);
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_sets)};
    exact_oracle_begin(&numbers);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    exact_oracle_end(&numbers);
    if (failed != 0)
        fprintf(stderr, "set %llu failed: test_hull_small 1 %llu\n", (unsigned long long)now, (unsigned long long)now);
    return failed;
}
