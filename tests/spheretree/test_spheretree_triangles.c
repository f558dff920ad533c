/* SPDX-License-Identifier: MIT */
/* Triangles against triangles and boxes, coplanar, degenerate or nearly touching (docs/CONTRACT.md: SPH-2 to SPH-5). The oracle solves
 * equations in rational numbers. Two convex hulls share a point if and only if nonnegative weights of both sets of corners give that point.
 * If such weights exist, then a subset of corners exists whose weights are the only solution. All subsets are tried. */
#include "tests/support/check.h"

#include <math.h>

#include <string.h>

#include <gmp.h>

#include <voxphys/spheretree.h>

#include "datasets/random.h"
#include "src/spheretree/ray_sphere.h"
#include "src/spheretree/touch.h"
#include "tests/spheretree/exact.h"

#ifdef TEST_THIN
enum { ROUNDS = 200 / TEST_THIN };
#else
enum { ROUNDS = 1000 };
#endif

enum { ROWS = 5, MOST = 11 };

typedef struct system {
    mpq_t row[ROWS][ROWS + 1], factor;
    mpz_t whole;
    mpq_t point[MOST][3];
} system_of;

static void begin(system_of *s)
{
    memset(s, 0, sizeof *s); /* for the memory sanitizer, which does not see GMP's writes */
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c <= ROWS; c++)
            mpq_init(s->row[r][c]);
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < 3; k++)
            mpq_init(s->point[i][k]);
    mpq_init(s->factor);
    mpz_init(s->whole);
}

static void end(system_of *s)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c <= ROWS; c++)
            mpq_clear(s->row[r][c]);
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < 3; k++)
            mpq_clear(s->point[i][k]);
    mpq_clear(s->factor);
    mpz_clear(s->whole);
}

/* Whether the system has exactly one solution with weights of these `columns` points, and no weight is negative. The first `of_a` points
 * belong to a. */
static bool solves(system_of *s, const int *column, int columns, int of_a)
{
    for (int c = 0; c < columns; c++) {
        const bool a = column[c] < of_a;
        mpq_set_si(s->row[3][c], a, 1);
        mpq_set_si(s->row[4][c], !a, 1);
        for (int k = 0; k < 3; k++) {
            mpq_set(s->row[k][c], s->point[column[c]][k]);
            if (!a)
                mpq_neg(s->row[k][c], s->row[k][c]);
        }
    }
    for (int k = 0; k < ROWS; k++)
        mpq_set_si(s->row[k][columns], k >= 3, 1);
    for (int c = 0; c < columns; c++) {
        int pivot = c;
        while (pivot < ROWS && mpq_sgn(s->row[pivot][c]) == 0)
            pivot++;
        if (pivot == ROWS)
            return false;
        for (int k = c; k <= columns && pivot != c; k++)
            mpq_swap(s->row[pivot][k], s->row[c][k]);
        for (int r = 0; r < ROWS; r++) {
            if (r == c || mpq_sgn(s->row[r][c]) == 0)
                continue;
            mpq_div(s->factor, s->row[r][c], s->row[c][c]);
            for (int k = columns; k >= c; k--) {
                mpq_t part;
                mpq_init(part);
                mpq_mul(part, s->factor, s->row[c][k]);
                mpq_sub(s->row[r][k], s->row[r][k], part);
                mpq_clear(part);
            }
        }
    }
    for (int r = columns; r < ROWS; r++)
        if (mpq_sgn(s->row[r][columns]) != 0)
            return false;
    for (int c = 0; c < columns; c++)
        if (mpq_sgn(s->row[c][columns]) * mpq_sgn(s->row[c][c]) < 0)
            return false;
    return true;
}

static bool hulls_meet(system_of *s, const vp_vec3 *a, int of_a, const vp_vec3 *b, int of_b)
{
    const int all = of_a + of_b;
    for (int i = 0; i < all; i++) {
        const vp_vec3 p = i < of_a ? a[i] : b[i - of_a];
        const float c[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++)
            mpq_set_d(s->point[i][k], (double)c[k]);
    }
    for (unsigned subset = 1; subset < 1u << all; subset++) {
        int column[MOST], columns = 0;
        for (int i = 0; i < all; i++)
            if ((subset >> i & 1u) != 0)
                column[columns++] = i;
        if (columns <= ROWS && solves(s, column, columns, of_a))
            return true;
    }
    return false;
}

/* On a coarse grid, so that much is coplanar, collinear or coincident. */
static vp_vec3 grid_point(vp_random *r, uint32_t edge, float scale)
{
    vp_vec3 p;
    p.x = (float)vp_random_below(r, edge) * scale;
    p.y = (float)vp_random_below(r, edge) * scale;
    p.z = (float)vp_random_below(r, edge > 3 && vp_random_below(r, 2) == 0 ? 1 : edge) * scale;
    return p;
}

static vp_vec3 point_between(vp_random *r, float low, float high)
{
    vp_vec3 p; /* one draw per statement, to fix their order */
    p.x = vp_random_between(r, low, high);
    p.y = vp_random_between(r, low, high);
    p.z = vp_random_between(r, low, high);
    return p;
}

/* A rounded point on an edge or inside is on the triangle, or misses it by very little. */
static vp_vec3 point_near(vp_random *r, const vp_vec3 t[3])
{
    const float u = vp_random_unit(r), v = vp_random_below(r, 2) == 0 ? 0 : vp_random_unit(r) * (1 - u), w = 1 - u - v;
    return (vp_vec3){t[0].x * w + t[1].x * u + t[2].x * v, t[0].y * w + t[1].y * u + t[2].y * v, t[0].z * w + t[1].z * u + t[2].z * v};
}

static void triangles_and_triangles(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-4 */
    system_of s;
    vp_random r = {21};
    uint32_t touching = 0;
    begin(&s);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        vp_vec3 a[3], b[3];
        const uint32_t edge = 2 + i % 6;
        const float scale = i % 5 == 0 ? 0x1p-130f : i % 5 == 1 ? 0x1p50f : 1;
        for (int k = 0; k < 3; k++) {
            a[k] = grid_point(&r, edge, scale);
            b[k] = grid_point(&r, edge, scale);
        }
        if (i % 4 == 3) {
            for (int k = 0; k < 3; k++)
                a[k] = point_between(&r, 0, 1);
            b[0] = point_near(&r, a);
            b[1] = point_between(&r, 0, 2);
            b[2] = i % 8 == 3 ? b[1] : point_between(&r, 0, 2);
        }
        const bool want = hulls_meet(&s, a, 3, b, 3);
        assert_int_equal(vp_triangles_touch(a, b), want);
        assert_int_equal(vp_triangles_touch(b, a), want);
        touching += want;
    }
    end(&s);
    assert_in_range(touching, ROUNDS / 8, ROUNDS - ROUNDS / 8);
}

static void triangles_and_boxes(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-4 */
    system_of s;
    vp_random r = {22};
    begin(&s);
    for (uint32_t i = 0; i < ROUNDS / 10; i++) {
        vp_vec3 t[3], corner[8];
        for (int k = 0; k < 3; k++)
            t[k] = grid_point(&r, 9, 1);
        const vp_vec3 p = grid_point(&r, 7, 1), q = grid_point(&r, 4, 1);
        const vp_aabb box = {p, vp_vec3_add(p, q)};
        for (int k = 0; k < 8; k++)
            corner[k] =
                (vp_vec3){(k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y, (k & 4) != 0 ? box.max.z : box.min.z};
        assert_int_equal(vp_triangle_touches_box(t, &box), hulls_meet(&s, t, 3, corner, 8));
    }
    end(&s);
    const vp_vec3 t[3] = {{-1, 5, 5}, {9, 5, 5}, {4, 9, 5}};
    const vp_aabb half = {{2, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                  behind = {{10, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                  through = {{3, 6, -INFINITY}, {3.5f, 6.5f, INFINITY}};
    assert_true(vp_triangle_touches_box(t, &half) && !vp_triangle_touches_box(t, &behind) && vp_triangle_touches_box(t, &through));
}

static void triangles_and_spheres(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-3 */
    const vp_vec3 t[3] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, segment[3] = {{0, 0, 0}, {8, 0, 0}, {4, 0, 0}},
                  point[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    const struct {
        const vp_vec3 *triangle;
        vp_sphere sphere;
        bool touches;
    } of[] = {{t, {{2, 2, 3}, 3}, true}, /* its face, barely */
              {t, {{2, 2, 3}, 2.99999f}, false},
              {t, {{4, -3, 4}, 5}, true}, /* an edge */
              {t, {{4, -3, 4}, 4.99999f}, false},
              {t, {{-2, -3, -6}, 7}, true}, /* a corner */
              {t, {{-2, -3, -6}, 6.99999f}, false},
              {t, {{1, 1, 0}, 0}, true},
              {t, {{5, 5, 0}, 0}, false},
              {segment, {{4, 3, 4}, 5}, true},
              {segment, {{11, 4, 0}, 5}, true},
              {segment, {{11, 4, 0}, 4.99999f}, false},
              {point, {{1, 4, 5}, 5}, true},
              {point, {{1, 4, 5}, 4.99999f}, false}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        assert_int_equal(vp_triangle_touches_sphere(of[i].triangle, &of[i].sphere), of[i].touches);
}

static bool meet(vp_ray ray, vp_sphere sphere, float *t)
{
    vp_ray_frame frame = {.unscale = 0};
    vp_meeting m = {0};
    assert_true(vp_ray_frame_of(&ray, &frame));
    const bool met = vp_ray_meets_sphere(&frame, &sphere, &m);
    *t = m.t;
    return met;
}

static void rays_and_spheres(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-5 */
    const vp_sphere unit = {{10, 0, 0}, 2};
    float t;
    assert_true(meet((vp_ray){{0, 0, 0}, {1, 0, 0}, INFINITY}, unit, &t) && t == 8);
    assert_true(meet((vp_ray){{0, 0, 0}, {4, 0, 0}, 2}, unit, &t) && t == 2);         /* at its very end */
    assert_false(meet((vp_ray){{0, 0, 0}, {4, 0, 0}, 1.9999f}, unit, &t));            /* in front */
    assert_false(meet((vp_ray){{0, 0, 0}, {-1, 0, 0}, INFINITY}, unit, &t));          /* past the end */
    assert_true(meet((vp_ray){{9, 0, 0}, {-1, 0, 0}, 0}, unit, &t) && t == 0);        /* from inside */
    assert_true(meet((vp_ray){{12, 0, 0}, {1, 0, 0}, INFINITY}, unit, &t) && t == 0); /* from the surface, outwards */
    assert_true(meet((vp_ray){{0, 2, 0}, {1, 0, 0}, INFINITY}, unit, &t) && t == 10); /* tangent */
    assert_false(meet((vp_ray){{0, 2.000001f, 0}, {1, 0, 0}, INFINITY}, unit, &t));
    assert_true(meet((vp_ray){{0, 0, 0}, {1, 0, 0}, INFINITY}, (vp_sphere){{3, 0, 0}, 0}, &t) && t == 3); /* a point */
    /* A million times its size away, it is still hit and missed correctly. */
    const vp_sphere far = {{1000000, 0, 0}, 1};
    assert_true(meet((vp_ray){{0, 0.999f, 0}, {1, 0, 0}, INFINITY}, far, &t));
    assert_false(meet((vp_ray){{0, 1.001f, 0}, {1, 0, 0}, INFINITY}, far, &t));

    /* The point at t is on the sphere except for rounding, and no earlier point of the ray is inside. */
    vp_random r = {23};
    uint32_t met = 0;
    for (uint32_t i = 0; i < 20 * ROUNDS; i++) {
        vp_sphere s;
        s.centre = point_between(&r, -9, 9);
        s.radius = vp_random_between(&r, 0, 4);
        const vp_ray ray = {{0, 0, 0}, point_between(&r, -1, 1), INFINITY};
        const double d[3] = {(double)ray.direction.x, (double)ray.direction.y, (double)ray.direction.z},
                     c[3] = {(double)s.centre.x, (double)s.centre.y, (double)s.centre.z};
        const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], cd = c[0] * d[0] + c[1] * d[1] + c[2] * d[2],
                     cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        const double gap = (cd > 0 ? sqrt(fmax(cc - cd * cd / dd, 0)) : sqrt(cc)) - (double)s.radius;
        if (dd < 1e-6 || fabs(gap) < 1e-9)
            continue;
        assert_int_equal(meet(ray, s, &t), gap < 0);
        if (gap > 0)
            continue;
        const double at[3] = {d[0] * (double)t - c[0], d[1] * (double)t - c[1], d[2] * (double)t - c[2]};
        const double reach = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        assert_true(t == 0 ? reach <= (double)s.radius : fabs(reach - (double)s.radius) < 1e-4 && (double)t <= cd / dd * (1 + 1e-6));
        met++;
    }
    assert_in_range(met, ROUNDS / 4, 20 * ROUNDS);
}

/* A tree returns every hit of its mesh, even if coordinates are so small that every operation rounds to a multiple of 2^-149. The bound of
 * the first triangle begins past the hit. */
static void rays_and_tiny_triangles(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-2 */
    static const int first[3][3] = {{0, 0, 7}, {1, 0, 7}, {-29, 11, -6}}, from[3] = {0, 0, 11}, along[3] = {7, 0, -19};
    static const uint32_t index[3] = {0, 1, 2};
    vp_random r = {29};
    uint32_t met = 0;
    for (uint32_t i = 0; i < 4 * ROUNDS; i++) {
        float n[5][3];
        for (int p = 0; p < 5; p++)
            for (int k = 0; k < 3; k++)
                n[p][k] = ldexpf((float)(i > 0    ? (int)vp_random_below(&r, 64) - 32
                                         : p < 3  ? first[p][k]
                                         : p == 3 ? from[k]
                                                  : along[k]),
                                 -149);
        vp_vec3 corner[3], at[2];
        for (int p = 0; p < 5; p++)
            *(p < 3 ? &corner[p] : &at[p - 3]) = (vp_vec3){n[p][0], n[p][1], n[p][2]};
        vp_ray ray = {at[0], i > 0 ? vp_vec3_sub(corner[i % 3], at[0]) : at[1], INFINITY};
        vp_ray_frame frame = {.unscale = 0};
        vp_meeting m;
        if (!vp_ray_frame_of(&ray, &frame) || !vp_ray_meets(&frame, n[0], n[1], n[2], &m))
            continue;
        const vp_triangles mesh = {.vertex = corner, .index = index, .vertex_count = 3, .triangle_count = 1};
        const vp_spheretree_def def = {.room = 1};
        vp_spheretree *tree;
        uint32_t id;
        vp_spheretree_hit hit;
        assert_ok(vp_spheretree_create(&def, &tree, &error));
        assert_ok(vp_spheretree_insert_mesh(tree, &mesh, 0, 1, &id, &error));
        ray.t_max = m.t; /* so the bound must be hit, and not later than the triangle */
        assert_ok(vp_spheretree_ray(tree, &ray, NULL, &hit, &error));
        assert_true(hit.item.object == id && hit.t == m.t);
        vp_spheretree_destroy(tree);
        met++;
    }
    assert_in_range(met, ROUNDS, 4 * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_and_triangles), cmocka_unit_test(triangles_and_boxes),
                                       cmocka_unit_test(triangles_and_spheres), cmocka_unit_test(rays_and_spheres),
                                       cmocka_unit_test(rays_and_tiny_triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
