/* SPDX-License-Identifier: MIT */
/* Sphere sweeps that start in contact. The triangle is the nearest one, by distances in long double to every triangle. Contact point,
 * contact normal and penetration depth are those of that triangle. */
#include "tests/support/check.h"
#include "tests/support/contact_oracle.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/triangles.h"

#include <math.h>

#include <voxphys/voxphys.h>

#ifdef TEST_DEEP
enum { PLACES = 100000 };
#elif defined TEST_THIN
enum { PLACES = 800 };
#else
enum { PLACES = 2500 };
#endif

/* ---- brute force ---- */

/* The least distance, and the error of a computed distance. */
typedef struct nearest {
    long double distance, slack;
    uint32_t lowest; /* number of the first triangle in contact */
    uint32_t count;  /* triangles in contact */
} nearest;

static bool is_beyond(float a, float b, float c, double low, double high)
{
    return (a < low && b < low && c < low) || (a > high && b > high && c > high);
}

static bool is_far(vp_vec3 p, double radius, const vp_vec3 c[3])
{
    return is_beyond(c[0].x, c[1].x, c[2].x, p.x - radius, p.x + radius) || is_beyond(c[0].y, c[1].y, c[2].y, p.y - radius, p.y + radius) ||
           is_beyond(c[0].z, c[1].z, c[2].z, p.z - radius, p.z + radius);
}

static long double length3(vp_vec3 v)
{
    return sqrtl((long double)v.x * v.x + (long double)v.y * v.y + (long double)v.z * v.z);
}

/* Extra error for a needle. Its weights are lost in binary64, but its edges are not. */
static long double needle_slack(const vp_vec3 c[3])
{
    const vp_vec3 ab = vp_vec3_sub(c[1], c[0]), ac = vp_vec3_sub(c[2], c[0]), bc = vp_vec3_sub(c[2], c[1]);
    const long double x = (long double)ab.y * ac.z - (long double)ab.z * ac.y, y = (long double)ab.z * ac.x - (long double)ab.x * ac.z,
                      z = (long double)ab.x * ac.y - (long double)ab.y * ac.x;
    const long double area = sqrtl(x * x + y * y + z * z), length = fmaxl(fmaxl(length3(ab), length3(ac)), length3(bc));
    const long double height = length > 0 ? area / length : 0, thinness = length / height;
    return height > 0 ? fminl(height, 0x1p-50L * length * thinness * thinness) : 0;
}

static nearest find_nearest(const vp_triangles *t, vp_vec3 centre, float radius)
{
    nearest n = {INFINITY, 0, 0, 0};
    long double needles = 0;
    long double most = fmaxl(fmaxl(fabsf(centre.x), fabsf(centre.y)), fmaxl(fabsf(centre.z), radius));
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vp_vec3 corner[3];
        test_corners(t, i, corner);
        if (is_far(centre, radius * 1.0000001, corner))
            continue;
        for (int c = 0; c < 3; c++)
            most = fmaxl(most, fmaxl(fmaxl(fabsf(corner[c].x), fabsf(corner[c].y)), fabsf(corner[c].z)));
        const long double distance = contact_distance(centre, corner);
        needles = fmaxl(needles, needle_slack(corner));
        if (distance <= radius && n.count++ == 0)
            n.lowest = i;
        n.distance = fminl(n.distance, distance);
    }
    n.slack = most * 0x1p-30L + needles;
    return n;
}

/* ---- places ---- */

static vp_vec3 random_vector(vp_random *r, float most)
{
    vp_vec3 v;
    v.x = vp_random_between(r, -most, most);
    v.y = vp_random_between(r, -most, most);
    v.z = vp_random_between(r, -most, most);
    return v;
}

static float length_of(vp_vec3 v)
{
    return sqrtf(vp_vec3_dot(v, v));
}

/* A centre near a point of a triangle, and a radius that usually reaches it. */
static vp_ray random_start(vp_random *r, const vp_triangles *t, float *radius)
{
    vp_vec3 c[3];
    test_corners(t, vp_random_below(r, t->triangle_count), c);
    const float u = vp_random_unit(r), v = vp_random_unit(r) * (1 - u);
    const float size = fmaxf(length_of(vp_vec3_sub(c[1], c[0])), length_of(vp_vec3_sub(c[2], c[0]))) + 0x1p-10f;
    const vp_vec3 on = vp_vec3_add(vp_vec3_add(vp_vec3_scale(c[0], 1 - u - v), vp_vec3_scale(c[1], u)), vp_vec3_scale(c[2], v));
    const vp_vec3 off = random_vector(r, vp_random_below(r, 8) == 0 ? 0 : size / 2);
    vp_ray ray = {vp_vec3_add(on, off), random_vector(r, 1), vp_random_below(r, 3) == 0 ? 0 : INFINITY};
    ray.direction.z += ray.direction.z == 0;
    *radius = length_of(off) * vp_random_between(r, 0.9f, 1.5f) + size * 0x1p-8f;
    return ray;
}

/* ---- one answer ---- */

/* @return whether the sphere clearly starts in contact */
static bool expect_nearest(const vp_triangles *t, const vp_ray *ray, float radius, const nearest *n, int32_t triangle, const vp_hit *hit,
                           const vp_sphere_contact *contact)
{
    if (!(n->distance < radius - n->slack))
        return false;
    vp_vec3 corner[3];
    assert_in_range(triangle, 0, t->triangle_count - 1);
    test_corners(t, (uint32_t)triangle, corner);
    const long double distance = contact_distance(ray->origin, corner);
    if (hit->t != 0 || distance > n->distance * (1 + 0x1p-23L) + n->slack)
        fail_msg("from (%a, %a, %a), radius %a: triangle %d, t %g, is %.9Lg away; the nearest is %.9Lg away", (double)ray->origin.x,
                 (double)ray->origin.y, (double)ray->origin.z, (double)radius, triangle, (double)hit->t, distance, n->distance);
    contact_expect(corner, ray, radius, hit->t, contact); /* centre, point and normal */
    assert_true(fabsl(contact->depth - (radius - distance)) <= n->slack + radius * 0x1p-23L);
    assert_int_equal(contact->started_inside, contact->depth > 0);
    assert_true(contact->started_inside || radius - n->distance <= n->slack + radius * 0x1p-24L);
    return true;
}

/* ---- trees ---- */

static void trees_return_the_nearest(void **state)
{
    (void)state; /* docs/CONTRACT.md: SWP-2, SWP-5, SWP-6, SWP-7 */
    uint32_t starts = 0, several = 0, not_lowest = 0;
    vp_random r = {31};
    for (uint64_t seed = 1; starts < PLACES; seed++) {
        test_triangles set[TEST_MESHES];
        test_meshes(seed, set);
        for (int s = 0; s < TEST_MESHES; s++) {
            const vp_triangles *t = &set[s].view;
            vp_kd *tree[TEST_MAX_TREES];
            const int trees = test_trees(t, tree);
            for (int i = 0; i < 64; i++) {
                float radius;
                const vp_ray ray = random_start(&r, t, &radius);
                const nearest n = find_nearest(t, ray.origin, radius);
                vp_hit first, hit;
                assert_ok(vp_kd_sphere_sweep(tree[i % trees], &ray, radius, &first, &error));
                for (int f = 0; f < trees && i % 16 == 0; f++) {
                    assert_ok(vp_kd_sphere_sweep(tree[f], &ray, radius, &hit, &error));
                    assert_memory_equal(&hit, &first, sizeof hit);
                }
                const vp_sphere_contact contact = vp_kd_sphere_contact(tree[i % trees], &ray, radius, &first);
                if (!expect_nearest(t, &ray, radius, &n, first.triangle, &first, &contact))
                    continue;
                starts++;
                several += n.count > 1;
                not_lowest += first.triangle != (int32_t)n.lowest;
            }
            test_trees_free(tree, trees);
        }
        test_meshes_free(set);
    }
    assert_in_range(several, starts / 2, starts);
    assert_in_range(not_lowest, starts / 8, starts);
}

/* ---- terrains ---- */

/* Above each inner vertex of flat ground, where distances are exact and all triangles around it are equally near. */
static void equal_ones_of_several_chunks(void **state)
{
    (void)state; /* docs/CONTRACT.md: SWP-2 */
    test_table tables[TEST_TABLES_MAX];
    const size_t kinds = test_tables(tables);
    uint32_t chunks_differ = 0;
    vp_world *world = test_world(2, 1, 3, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){15, 3, 23}, (vp_voxel){VP_FIRST_SOLID, 255}, NULL, &error));
    vp_terrain *terrain[TEST_TABLES_MAX];
    for (size_t k = 0; k < kinds; k++)
        assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world, .kernels = &tables[k].kernels}, &terrain[k], &error));
    terrain_oracle t;
    terrain_oracle_make(world, VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0}, (vp_dims){0, 0, 0}, &t);
    for (uint32_t v = 0; v < t.triangles.vertex_count; v++) {
        vp_ray ray = {t.triangles.vertex[v], {0, -1, 0}, 1};
        if (!(ray.origin.y > 2 && ray.origin.x > 3 && ray.origin.x < 13 && ray.origin.z > 3 && ray.origin.z < 21))
            continue;
        ray.origin.y += 0.5f;
        int32_t want = -1;
        bool differ = false;
        for (uint32_t i = t.triangles.triangle_count; i-- > 0;) {
            vp_vec3 c[3];
            test_corners(&t.triangles, i, c);
            if (contact_distance(ray.origin, c) != 0.5L)
                continue;
            differ = differ || (want >= 0 && t.of[want].chunk != t.of[i].chunk);
            want = (int32_t)i;
        }
        chunks_differ += differ;
        for (size_t k = 0; k < kinds; k++) {
            vp_terrain_contact got;
            assert_ok(vp_terrain_sphere_sweep(terrain[k], VP_SURFACE_SOLID, &ray, 0.75f, &got, &error));
            const vp_terrain_hit right = terrain_oracle_hit(&t, (vp_hit){got.hit.in_chunk.t, want, got.hit.in_chunk.u, got.hit.in_chunk.v});
            assert_true(terrain_same_hit(&got.hit, &right));
        }
    }
    assert_true(chunks_differ > 16);
    for (size_t k = 0; k < kinds; k++)
        vp_terrain_destroy(terrain[k]);
    terrain_oracle_free(&t);
    vp_world_destroy(world);
}

/* ---- by hand ---- */

/* Three squares in a corner (x = 0, y = 0 and z = 0) from 0 to 8, as two triangles each. A square at y = 3. A line and a point. */
static const vp_vec3 at[] = {{0, 0, 0}, {0, 8, 0}, {0, 8, 8}, {0, 0, 8}, {8, 0, 0}, {8, 0, 8}, {8, 8, 0},
                             {0, 3, 0}, {0, 3, 8}, {8, 3, 8}, {8, 3, 0}, {2, 1, 2}, {6, 1, 2}, {4, 1, 6}};
#define X_WALL 0, 1, 2, 0, 2, 3
#define FLOOR  0, 3, 5, 0, 5, 4
#define Z_WALL 0, 4, 6, 0, 6, 1
#define ROOF   7, 8, 9, 7, 9, 10
#define LINE   11, 12, 12
#define POINT  13, 13, 13
static const uint32_t corner_xyz[] = {X_WALL, FLOOR, Z_WALL}, corner_zyx[] = {Z_WALL, FLOOR, X_WALL}, roof_last[] = {FLOOR, ROOF},
                      roof_first[] = {ROOF, FLOOR}, line_last[] = {FLOOR, LINE}, point_last[] = {FLOOR, POINT};

typedef struct start {
    const uint32_t *index;
    uint32_t triangles;
    vp_ray ray;
    float radius;
    int32_t triangle;
    float t, depth;
    vp_vec3 normal;
} start;

static void starts_by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: SWP-2, SWP-6, SWP-7 */
    const float above = nextafterf(1.5f, 2);
    const start cases[] = {
        /* Deep in a corner, the nearest wall counts, whatever its number. */
        {corner_xyz, 6, {{0.5f, 2, 1}, {1, 0, 0}, INFINITY}, 3, 0, 0, 2.5f, {1, 0, 0}},
        {corner_zyx, 6, {{0.5f, 2, 1}, {1, 0, 0}, INFINITY}, 3, 4, 0, 2.5f, {1, 0, 0}},
        {corner_xyz, 6, {{1, 2, 0.5f}, {1, 0, 0}, 0}, 3, 5, 0, 2.5f, {0, 0, 1}},
        {corner_xyz, 6, {{2, 0.5f, 1}, {-1, -1, -1}, 1}, 3, 3, 0, 2.5f, {0, 1, 0}},
        {corner_xyz, 6, {{-0.5f, 2, 1}, {1, 0, 0}, 1}, 3, 0, 0, 2.5f, {-1, 0, 0}}, /* on its other side, still away from the surface */
        /* Among equal distances the lowest number counts. */
        {corner_xyz, 6, {{1, 2, 1}, {0, 1, 0}, 1}, 2, 0, 0, 1, {1, 0, 0}},
        {corner_zyx, 6, {{1, 2, 1}, {0, 1, 0}, 1}, 2, 1, 0, 1, {0, 0, 1}},
        {corner_xyz, 6, {{1, 1, 1}, {0, 1, 0}, 1}, 2, 0, 0, 1, {1, 0, 0}},
        {roof_last, 4, {{4, 1.5f, 4}, {1, 0, 0}, 1}, 2, 0, 0, 0.5f, {0, 1, 0}},
        {roof_first, 4, {{4, 1.5f, 4}, {1, 0, 0}, 1}, 2, 0, 0, 0.5f, {0, -1, 0}},
        {roof_last, 4, {{4, above, 4}, {1, 0, 0}, 1}, 2, 2, 0, 2 - 1.5f + 0x1p-23f, {0, -1, 0}},
        {corner_xyz, 6, {{-3, 0, 4}, {0, 0, 1}, 0}, 5, 1, 0, 2, {-1, 0, 0}}, /* an edge of both */
        /* Touches one and overlaps another. */
        {roof_last, 4, {{2, 2, 4}, {1, 0, 0}, 1}, 2, 2, 0, 1, {0, -1, 0}},
        {roof_last, 4, {{2, 1.5f, 4}, {1, 0, 0}, 1}, 1.5f, 0, 0, 0, {0, 1, 0}}, /* just touches both */
        {roof_last, 4, {{6, 1.5f, 4}, {1, 0, 0}, 1}, 1.5f, 1, 0, 0, {0, 1, 0}},
        /* A large sphere, whose depths are almost equal. */
        {roof_last, 4, {{4, 1.5f + 0x1p-20f, 3}, {1, 0, 0}, 1}, 0x1p30f, 3, 0, 0x1p30f, {0, -1, 0}},
        /* With the centre on a triangle, the normal is the triangle's, against the direction. */
        {roof_last, 4, {{2, 3, 4}, {1, -1, 0}, 1}, 4, 2, 0, 4, {0, 1, 0}},
        {roof_last, 4, {{2, 3, 4}, {1, 1, 0}, 1}, 4, 2, 0, 4, {0, -1, 0}},
        {corner_zyx, 6, {{0, 0, 0}, {0, 0, -4}, 1}, 1, 0, 0, 1, {0, 0, 1}},
        /* Triangles without area. */
        {line_last, 3, {{4, 0.75f, 2}, {1, 0, 0}, 1}, 2, 2, 0, 1.75f, {0, -1, 0}},
        {line_last, 3, {{4, 1, 2}, {0, 2, 0}, 1}, 2, 2, 0, 2, {0, -1, 0}}, /* on the line, the normal is against the direction */
        {line_last, 3, {{4, 1, 2}, {0, -3, 4}, 1}, 2, 2, 0, 2, {0, 0.6f, -0.8f}},
        {point_last, 3, {{4, 1.25f, 6}, {1, 0, 0}, 1}, 2, 2, 0, 1.75f, {0, 1, 0}},
        {point_last, 3, {{4, 1, 6}, {-1, 0, 0}, 1}, 2, 2, 0, 2, {1, 0, 0}},
        /* Radius 0. */
        {corner_xyz, 6, {{0, 0, 4}, {-1, 0, 0}, 1}, 0, 1, 0, 0, {1, 0, 0}},
        {corner_zyx, 6, {{0, 0, 4}, {0, 1, 0}, 1}, 0, 2, 0, 0, {0, -1, 0}},
        {roof_last, 4, {{2, 2, 4}, {0, -1, 0}, 9}, 0, 0, 2, 0, {0, 1, 0}},
        /* Two are touched later at the same time, and the lowest number counts. */
        {corner_zyx, 6, {{5, 4, 5}, {-1, 0, -1}, 9}, 1, 1, 4, 0, {0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const start *s = &cases[i];
        const vp_triangles t = {at, s->index, sizeof at / sizeof at[0], s->triangles, false};
        vp_kd *tree[TEST_MAX_TREES];
        const int trees = test_trees(&t, tree);
        for (int f = 0; f < trees; f++) {
            vp_hit hit;
            assert_ok(vp_kd_sphere_sweep(tree[f], &s->ray, s->radius, &hit, &error));
            const vp_sphere_contact c = vp_kd_sphere_contact(tree[f], &s->ray, s->radius, &hit);
            if (hit.triangle != s->triangle || hit.t != s->t || c.depth != s->depth || c.started_inside != (s->depth > 0))
                fail_msg("case %zu, tree %d: triangle %d, t %.9g, depth %.9g, started inside %d", i, f, hit.triangle, (double)hit.t,
                         (double)c.depth, c.started_inside);
            if (c.normal.x != s->normal.x || c.normal.y != s->normal.y || c.normal.z != s->normal.z)
                fail_msg("case %zu, tree %d: normal (%g, %g, %g)", i, f, (double)c.normal.x, (double)c.normal.y, (double)c.normal.z);
        }
        const vp_ray still = {s->ray.origin, {0, 0, 0}, 1};
        vp_hit hit;
        assert_refused(vp_kd_sphere_sweep(tree[0], &still, s->radius, &hit, &error), VP_E_ARGUMENT, "direction is (0, 0, 0)");
        const vp_sphere_contact none = vp_kd_sphere_contact(tree[0], &s->ray, s->radius, &(vp_hit){.triangle = VP_NO_HIT});
        assert_true(none.centre.y == 0 && none.point.x == 0 && none.normal.y == 0 && none.depth == 0 && !none.started_inside);
        test_trees_free(tree, trees);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_by_hand),
        cmocka_unit_test(trees_return_the_nearest),
        cmocka_unit_test(equal_ones_of_several_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
