/* SPDX-License-Identifier: MIT */
/* Hulls against the oracle: of small sets that are as degenerate as they can be, of shapes, at all scales; literals; dimensions; what is
 * refused; memory that is not there. */
#include "tests/support/check.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { ROUNDS = 150, WITH_SHELL = 0, RIM = 40 };
#else
enum { ROUNDS = 3000, WITH_SHELL = 1, RIM = 120 };
#endif

typedef struct pair {
    float x, y;
} pair;

static exact_oracle oracle;
static test_table table[TEST_TABLES_MAX];
static size_t tables;

enum { MAX = 1200 };

typedef struct set {
    vp_vec3 point[MAX];
    uint32_t count;
} set;

static vp_hull hull_of(const set *s, const vp_kernels *kernels, bool separate, float tolerance)
{
    vp_hull h = {0};
    const vp_hull_def def = {.point = s->point, .count = s->count, .kernels = kernels, .separate = separate, .tolerance = tolerance};
    assert_ok(vp_hull_create(&def, &h, &error));
    return h;
}

/* By all kernels, with faces joined and not: the same bits, and what the oracle wants. @return how many dimensions it has */
static uint32_t check(const char *what, const set *s)
{
    uint32_t dimension = 0;
    for (int separate = 0; separate < 2; separate++) {
        vp_hull want = hull_of(s, &table[0].kernels, separate, 0.0f);
        if (want.dimension == 3)
            oracle_check_hull(&oracle, what, s->point, s->count, &want);
        for (size_t t = 1; t < tables; t++) {
            vp_hull got = hull_of(s, &table[t].kernels, separate, 0.0f);
            expect_same_hull(table[t].name, &got, &want);
            vp_hull_destroy(&got);
        }
        dimension = want.dimension;
        vp_hull_destroy(&want);
    }
    return dimension;
}

static void add(set *s, float x, float y, float z)
{
    assert_true(s->count < MAX);
    s->point[s->count++] = (vp_vec3){x, y, z};
}

static void scale_and_move(set *s, float scale, float by)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->point[i] = vp_vec3_add(vp_vec3_scale(s->point[i], scale), (vp_vec3){by, by, by});
}

/* By the angles of a rotation about two axes, roughly. */
static void turn(set *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const vp_vec3 p = s->point[i];
        const vp_vec3 q = {0.8f * p.x - 0.6f * p.y, 0.6f * p.x + 0.8f * p.y, p.z};
        s->point[i] = (vp_vec3){q.x, 0.28f * q.y - 0.96f * q.z, 0.96f * q.y + 0.28f * q.z};
    }
}

/* ---- what is known by heart ---- */

static void expect_near(double got, double want, double by)
{
    if (!(fabs(got - want) <= by))
        fail_msg("%.17g, expected %.17g", got, want);
}

/* A box with points inside, on its faces, on its edges, and each corner three times. */
static void a_box(void **state)
{
    (void)state;
    static set s;
    s.count = 0;
    for (int copy = 0; copy < 3; copy++)
        for (int z = 0; z <= 4; z++)
            for (int y = 0; y <= 3; y++)
                for (int x = 0; x <= 2; x++)
                    add(&s, 1.0f + (float)x, 2.0f + (float)y, 3.0f + (float)z);
    assert_int_equal(check("a box", &s), 3);
    vp_hull h = hull_of(&s, NULL, false, 0.0f);
    static const uint32_t vertex[] = {0, 2, 9, 11, 48, 50, 57, 59};
    static const uint32_t corner[] = {0, 1, 5, 4, 0, 2, 3, 1, 0, 4, 6, 2, 1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6};
    static const uint32_t across[] = {1, 3, 5, 2, 2, 4, 3, 0, 0, 5, 4, 1, 1, 4, 5, 0, 2, 5, 3, 1, 0, 3, 4, 2};
    assert_int_equal(h.vertex_count, 8);
    assert_int_equal(h.triangle_count, 12);
    assert_int_equal(h.face_count, 6);
    assert_int_equal(h.corner_count, 24);
    assert_memory_equal(h.vertex, vertex, sizeof vertex);
    assert_memory_equal(h.corner, corner, sizeof corner);
    assert_memory_equal(h.across, across, sizeof across);
    expect_near(h.volume, 24.0, 0.0);
    expect_near(h.area, 52.0, 0.0);
    expect_near(h.centroid[0], 2.0, 1e-15);
    expect_near(h.centroid[1], 3.5, 1e-15);
    expect_near(h.centroid[2], 5.0, 1e-15);
    expect_near(h.inertia[0], 24.0 / 12.0 * (9.0 + 16.0), 1e-12);
    expect_near(h.inertia[1], 24.0 / 12.0 * (16.0 + 4.0), 1e-12);
    expect_near(h.inertia[2], 24.0 / 12.0 * (4.0 + 9.0), 1e-12);
    for (int i = 3; i < 6; i++)
        expect_near(h.inertia[i], 0.0, 1e-12);
    vp_hull_destroy(&h);
}

static void a_corner_of_a_box(void **state)
{
    (void)state;
    static set s;
    s.count = 0;
    add(&s, 0, 0, 0);
    add(&s, 3, 0, 0);
    add(&s, 0, 3, 0);
    add(&s, 0, 0, 3);
    assert_int_equal(check("a corner", &s), 3);
    vp_hull h = hull_of(&s, NULL, false, 0.0f);
    static const uint32_t triangle[4][3] = {{0, 1, 3}, {0, 2, 1}, {0, 3, 2}, {1, 2, 3}};
    static const uint32_t beside[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {1, 2, 0}};
    assert_int_equal(h.triangle_count, 4);
    assert_memory_equal(h.triangle, triangle, sizeof triangle);
    assert_memory_equal(h.beside, beside, sizeof beside);
    expect_near(h.volume, 4.5, 0.0);
    expect_near(h.area, 13.5 + 9.0 * sqrt(3.0) / 2.0, 1e-14);
    expect_near(h.centroid[0], 0.75, 1e-15);
    expect_near(h.inertia[3], 4.5 * (3.0 * 3.0 / 20.0 - 0.75 * 0.75), 1e-14); /* of x*y: edge^2/20 a volume */
    expect_near(h.inertia[0], 4.5 * 2.0 * (9.0 / 10.0 - 0.75 * 0.75), 1e-13);
    expect_near(h.plane[3][3], 3.0 / sqrt(3.0), 1e-15);
    vp_hull_destroy(&h);
}

/* ---- against the oracle ---- */

static float shaken(vp_random *r, float x)
{
    const uint32_t how = vp_random_below(r, 6);
    for (uint32_t i = 0; i < how % 3; i++)
        x = nextafterf(x, how < 3 ? INFINITY : -INFINITY);
    return x;
}

/* Points of a small lattice, many of them in one place or plane; sheared; the last bits shaken; at all scales, far away. */
static void small_sets(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-1, HUL-2 */
    vp_random r = {7};
    uint32_t of_dimension[4] = {0, 0, 0, 0};
    static set s;
    for (int n = 0; n < ROUNDS; n++) {
        static const float scale[] = {1.0f, 1e-5f, 1e6f, 0x1p-140f, 1e30f, 0.1f};
        const uint32_t most = 1 + vp_random_below(&r, 5), count = 1 + vp_random_below(&r, 40), kind = vp_random_below(&r, 6);
        s.count = 0;
        for (uint32_t i = 0; i < count; i++) {
            float p[3];
            for (int k = 0; k < 3; k++)
                p[k] = (float)vp_random_below(&r, most + 1);
            if (kind == 1)
                p[2] = p[0] + p[1]; /* a tilted plane */
            if (kind == 3) {
                p[1] = 2.0f * p[0]; /* a line */
                p[2] = 3.0f - p[0];
            }
            if (kind == 2) {
                p[0] += 0.25f * p[1];
                p[2] -= 0.5f * p[0];
            }
            add(&s, p[0], p[1], p[2]);
        }
        scale_and_move(&s, scale[vp_random_below(&r, 6)], 0.0f);
        if (vp_random_below(&r, 3) == 0)
            scale_and_move(&s, 1.0f, 1000.0f * s.point[0].x);
        if (vp_random_below(&r, 2) == 0)
            turn(&s);
        if (vp_random_below(&r, 2) == 0)
            for (uint32_t i = 0; i < s.count; i++)
                s.point[i] = (vp_vec3){shaken(&r, s.point[i].x), shaken(&r, s.point[i].y), shaken(&r, s.point[i].z)};
        of_dimension[check("a small set", &s)]++;
    }
    for (int d = 0; d < 4; d++)
        if (of_dimension[d] < ROUNDS / 100)
            fail_msg("only %u of %d sets had dimension %d", of_dimension[d], ROUNDS, d);
}

/* ---- shapes ---- */

/* A point on a circle: of half the angle's tangent, from -1 to 1 a half of it. */
static pair on_circle(uint32_t i, uint32_t n)
{
    const double t = 4.0 * (double)i / (double)n, u = (t < 2.0 ? t : t - 2.0) - 1.0;
    const double x = (1.0 - u * u) / (1.0 + u * u), y = 2.0 * u / (1.0 + u * u);
    return t < 2.0 ? (pair){(float)x, (float)y} : (pair){(float)-x, (float)-y};
}

static void add_rim(set *s, uint32_t n, float y)
{
    for (uint32_t i = 0; i < n; i++) {
        const pair p = on_circle(i, n);
        add(s, p.x, y, p.y);
    }
}

/* All scales, and far away; turned and not. @return the faces of the last one */
static void check_everywhere(const char *what, const set *from, uint32_t vertices, uint32_t faces)
{
    static set s;
    static const float scale[] = {1.0f, 1e-5f, 1e6f, 0x1p-120f, 0x1p+120f};
    for (int turned = 0; turned < 2; turned++)
        for (int i = 0; i < 5; i++) {
            s = *from;
            if (turned)
                turn(&s);
            scale_and_move(&s, scale[i], 0.0f);
            check(what, &s);
            vp_hull h = hull_of(&s, NULL, false, 0.0f);
            if (h.face_count != faces || (!turned && h.vertex_count != vertices))
                fail_msg("%s, scaled by %g: %u vertices and %u faces, expected %u and %u", what, (double)scale[i], h.vertex_count,
                         h.face_count, vertices, faces);
            vp_hull_destroy(&h);
            if (scale[i] < 1e30f) {
                scale_and_move(&s, 1.0f, 1000.0f * scale[i]);
                check(what, &s);
            }
        }
}

static void shapes(void **state)
{
    (void)state;
    static set s;
    s.count = 0;
    add_rim(&s, RIM, -1.0f);
    add_rim(&s, RIM, 1.0f);
    check_everywhere("a cylinder", &s, 2 * RIM, RIM + 2);
    s.count = 0;
    add_rim(&s, RIM, 0.0f);
    add(&s, 0.125f, 1.0f, 0.25f);
    check_everywhere("a cone", &s, RIM + 1, RIM + 1);
    s.count = 0;
    for (int i = 0; i < 7 * 7 * 7; i++)
        add(&s, (float)(i % 7 - 3), (float)(i / 7 % 7 - 3), (float)(i / 49 - 3));
    check_everywhere("a lattice", &s, 8, 6);
    s.count = 0; /* an octahedron's */
    for (int i = 0; i < 9 * 9 * 9; i++)
        if (abs(i % 9 - 4) + abs(i / 9 % 9 - 4) + abs(i / 81 - 4) <= 4)
            add(&s, (float)(i % 9 - 4), (float)(i / 9 % 9 - 4), (float)(i / 81 - 4));
    check_everywhere("an octahedron", &s, 6, 8);
}

/* ---- sets without a volume ---- */

static void flat_sets(void **state)
{
    (void)state;
    vp_random r = {11};
    static set s;
    for (int n = 0; n < ROUNDS / 3; n++) {
        const uint32_t axis = vp_random_below(&r, 3), most = 1 + vp_random_below(&r, 9), count = 3 + vp_random_below(&r, 60);
        const float at = (float)vp_random_below(&r, 5) - 2.0f;
        s.count = 0;
        for (uint32_t i = 0; i < count; i++) {
            float p[3];
            for (uint32_t k = 0; k < 3; k++)
                p[k] = k == axis ? at : shaken(&r, (float)vp_random_below(&r, most + 1));
            add(&s, p[0], p[1], p[2]);
        }
        vp_hull h = hull_of(&s, NULL, false, 0.0f);
        if (h.dimension == 2)
            oracle_check_polygon(&oracle, "a flat set", s.point, s.count, (int)axis, &h);
        for (size_t t = 0; t < tables; t++) {
            vp_hull got = hull_of(&s, &table[t].kernels, false, 0.0f);
            expect_same_hull(table[t].name, &got, &h);
            vp_hull_destroy(&got);
        }
        vp_hull_destroy(&h);
    }
}

static void dimensions(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-6 */
    static set s;
    s.count = 0;
    add(&s, 1, 2, 3);
    for (int i = 0; i < 4; i++) {
        vp_hull h = hull_of(&s, NULL, false, 0.0f);
        assert_int_equal(h.dimension, 0);
        assert_int_equal(h.vertex_count, 1);
        assert_int_equal(h.vertex[0], 0);
        assert_int_equal(h.triangle_count + h.face_count + h.corner_count, 0);
        expect_near(h.centroid[2], 3.0, 0.0);
        vp_hull_destroy(&h);
        add(&s, 1, 2, 3);
    }
    add(&s, 3, 2, 1);
    add(&s, 2, 2, 2);
    add(&s, 3, 2, 1);
    vp_hull h = hull_of(&s, NULL, false, 0.0f);
    assert_int_equal(h.dimension, 1);
    assert_int_equal(h.vertex_count, 2);
    assert_int_equal(h.vertex[0], 0);
    assert_int_equal(h.vertex[1], 5);
    expect_near(h.centroid[0], 2.0, 0.0);
    vp_hull_destroy(&h);
    add(&s, 1, 2, 1);
    h = hull_of(&s, NULL, false, 0.0f);
    assert_int_equal(h.dimension, 2);
    assert_int_equal(h.vertex_count, 3);
    assert_int_equal(h.triangle_count, 2);
    expect_near(h.area, 4.0, 0.0); /* both sides */
    expect_near(h.centroid[0], 5.0 / 3.0, 1e-15);
    expect_near(h.volume, 0.0, 0.0);
    vp_hull_destroy(&h);

    /* a box as high as the tolerance is flat, a higher one is not */
    for (int high = 0; high < 2; high++) {
        s.count = 0;
        for (int i = 0; i < 8; i++)
            add(&s, (float)(i & 1), (float)(i >> 1 & 1) * (high ? 0.126f : 0.125f), (float)(i >> 2));
        h = hull_of(&s, NULL, false, 0.125f);
        assert_int_equal(h.dimension, high ? 3 : 2);
        assert_int_equal(h.vertex_count, high ? 8 : 4);
        vp_hull_destroy(&h);
    }
}

/* ---- the answer is the set's ---- */

/* The hull of the same points in another order has the same faces. */
static void any_order(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-1 */
    vp_random r = {5};
    static set s, shuffled;
    for (int n = 0; n < ROUNDS / 10; n++) {
        uint32_t at[MAX];
        const uint32_t count = 10 + vp_random_below(&r, 300), most = 2 + vp_random_below(&r, 12);
        s.count = shuffled.count = 0;
        while (s.count < count) { /* no two in one place, so a point is told by where it is */
            const vp_vec3 p = {(float)vp_random_below(&r, most * 8), (float)vp_random_below(&r, most * 8),
                               (float)vp_random_below(&r, most)};
            bool there = false;
            for (uint32_t i = 0; i < s.count; i++)
                there |= memcmp(&s.point[i], &p, sizeof p) == 0;
            if (!there)
                add(&s, p.x, p.y, p.z);
        }
        for (uint32_t i = 0; i < count; i++)
            at[i] = i;
        for (uint32_t i = count; i-- > 1;) {
            const uint32_t j = vp_random_below(&r, i + 1), t = at[i];
            at[i] = at[j];
            at[j] = t;
        }
        for (uint32_t i = 0; i < count; i++)
            add(&shuffled, s.point[at[i]].x, s.point[at[i]].y, s.point[at[i]].z);
        vp_hull a = hull_of(&s, NULL, true, 0.0f), b = hull_of(&shuffled, NULL, true, 0.0f);
        assert_int_equal(a.vertex_count, b.vertex_count);
        assert_int_equal(a.face_count, b.face_count);
        for (uint32_t f = 0; f < a.face_count; f++) { /* each face of b is one of a, from some corner on */
            const uint32_t first = b.first_corner[f], corners = b.first_corner[f + 1] - first;
            bool found = false;
            for (uint32_t g = 0; g < a.face_count && !found; g++)
                for (uint32_t from = 0; from < corners && a.first_corner[g + 1] - a.first_corner[g] == corners && !found; from++) {
                    found = true;
                    for (uint32_t k = 0; k < corners && found; k++)
                        found = at[b.vertex[b.corner[first + k]]] == a.vertex[a.corner[a.first_corner[g] + (from + k) % corners]];
                }
            if (!found)
                fail_msg("face %u of the shuffled set, of %u corners, is none of the set", f, corners);
        }
        expect_near(b.volume, a.volume, a.volume * 1e-13);
        vp_hull_destroy(&a);
        vp_hull_destroy(&b);
    }
}

/* ---- what is refused ---- */

static void refusals(void **state)
{
    (void)state;
    static set s;
    vp_hull h = {0};
    s.count = 0;
    for (int i = 0; i < 64; i++)
        add(&s, (float)(i % 4), (float)(i / 4 % 4), (float)(i / 16));
    vp_hull_def def = {.point = s.point, .count = 0};
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "no points");
    def.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "134217729");
    def.count = s.count;
    def.tolerance = -1.0f;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "tolerance -1");
    def.tolerance = NAN;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "nan");
    def.tolerance = INFINITY;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "inf");
    def.tolerance = 0.0f;
    def.most_work = 50;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_LIMIT, "50 comparisons");
    def.most_work = 0;
    for (uint32_t bad = 0; bad < s.count; bad += 7)
        for (int axis = 0; axis < 3; axis++)
            for (int kind = 0; kind < 3; kind++) {
                char name[32];
                const vp_vec3 was = s.point[bad];
                const float value = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
                *(axis == 0 ? &s.point[bad].x : axis == 1 ? &s.point[bad].y : &s.point[bad].z) = value;
                s.point[63].x = NAN; /* the first one is named */
                snprintf(name, sizeof name, "point %u: %c is %s", bad, "xyz"[axis], kind == 0 ? "nan" : kind == 1 ? "inf" : "-inf");
                assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, bad == 63 ? "point 63" : name);
                s.point[bad] = was;
                s.point[63].x = 3.0f;
            }
    assert_null(h.block);
    vp_hull_destroy(&h);
    assert_ok(vp_hull_create(&def, &h, &error));
    vp_hull_destroy(&h);
    vp_hull_destroy(&h);
}

/* ---- sets of which some points are left out at first ---- */

static uint32_t keep_all(const vp_hull_filtering *filtering)
{
    (void)filtering;
    return 0;
}

/* As much work as a hull took is enough, and less is not. */
static void expect_limit(const char *what, const vp_hull_def *whole, const vp_hull *right, uint64_t work)
{
    vp_hull h;
    vp_hull_def def = *whole;
    def.most_work = work;
    assert_ok(vp_hull_create(&def, &h, &error));
    expect_same_hull(what, right, &h);
    vp_hull_destroy(&h);
    def.most_work--;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_LIMIT, "comparisons");
}

/* Large sets, with and without the first step, by every version of it. */
static void many_points(void **state)
{
    (void)state;
    enum { BALL, SHELL, GRID, BOX, KINDS, COUNT = 40000 };
    vp_vec3 *point = malloc(COUNT * sizeof *point);
    assert_non_null(point);
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind == SHELL && !WITH_SHELL)
            continue;
        vp_random r = {(uint64_t)kind + 20};
        uint32_t count = 0;
        while (count < COUNT) {
            const float x = vp_random_unit(&r) * 2.0f - 1.0f, y = vp_random_unit(&r) * 2.0f - 1.0f, z = vp_random_unit(&r) * 2.0f - 1.0f;
            const float square = x * x + y * y + z * z;
            if (square > 1.0f && kind != BOX)
                continue;
            vp_vec3 p = {x, y, z};
            if (kind == SHELL && count % 16 != 0) /* most are vertices: nothing is left out */
                p = (vp_vec3){x / sqrtf(square), y / sqrtf(square), z / sqrtf(square)};
            else if (kind == GRID) /* many in one place, and in planes; far from the origin */
                p = (vp_vec3){1000.0f + floorf(x * 8.0f), floorf(y * 8.0f), floorf(z * 8.0f)};
            else if (kind == BOX) /* long */
                p = (vp_vec3){x * 100.0f, y, z * 3.0f};
            point[count++] = p;
        }
        vp_hull right;
        vp_kernels without = table[0].kernels;
        without.hull_filter = keep_all;
        vp_hull_def def = {.point = point, .count = COUNT, .kernels = &without};
        assert_ok(vp_hull_create(&def, &right, &error));
        for (size_t t = 0; t < tables; t++) {
            vp_hull h;
            char what[64];
            snprintf(what, sizeof what, "kind %d by %s", kind, table[t].name);
            def.kernels = &table[t].kernels;
            assert_ok(vp_hull_create(&def, &h, &error));
            expect_same_hull(what, &right, &h);
            if (kind != SHELL) /* else the first step did nothing, and this test nothing */
                assert_true(h.cost.looked < 4 * (uint64_t)COUNT && right.cost.looked > h.cost.looked);
            if (kind == BALL)
                expect_limit(what, &def, &right, h.work);
            vp_hull_destroy(&h);
        }
        vp_hull_destroy(&right);
    }
    free(point);
}

static void too_little_memory(void **state)
{
    (void)state;
    static set s;
    enum { THICK, FLAT, PRISM, KINDS };
    for (int kind = 0; kind < KINDS; kind++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        s.count = 0;
        for (int i = 0; i < 100; i++)
            if (kind == PRISM) /* all are vertices, of two large faces and many small ones: more than the kernel's memory is needed */
                add(&s, cosf((float)(i / 2)), sinf((float)(i / 2)), (float)(i % 2));
            else
                add(&s, (float)(i % 4), (float)(i * i % 7), kind == FLAT ? 1.0f : (float)(i / 16 * i % 9));
        const vp_hull_def def = {.point = s.point, .count = s.count, .allocator = &allocator};
        uint64_t n = 1;
        for (;; n++) {
            vp_hull h = {0};
            vp_error error;
            test_memory_fail_at(&memory, n);
            const vp_status status = vp_hull_create(&def, &h, &error);
            if (status == VP_OK) {
                vp_hull_destroy(&h);
                break;
            }
            assert_int_equal(status, VP_E_MEMORY);
            assert_null(h.block);
            assert_int_equal(memory.live_bytes, 0);
        }
        assert_true(n > (kind == PRISM ? 3 : 2));
        assert_true(memory.peak_bytes <= vp_hull_scratch_bytes(s.count) + 65536);
        test_memory_end(&memory);
    }
}

int main(void)
{
    tables = test_tables(table);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box),       cmocka_unit_test(a_corner_of_a_box), cmocka_unit_test(small_sets), cmocka_unit_test(shapes),
        cmocka_unit_test(flat_sets),   cmocka_unit_test(dimensions),        cmocka_unit_test(any_order),  cmocka_unit_test(refusals),
        cmocka_unit_test(many_points), cmocka_unit_test(too_little_memory)};
    exact_oracle_begin(&oracle);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    exact_oracle_end(&oracle);
    return failed;
}
