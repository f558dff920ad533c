/* SPDX-License-Identifier: MIT */
/* Two shapes. Manifolds of stacks have closed forms, and those of every pair at random poses have the documented properties. Exchanged and
 * moved pairs, parallel disks, and bad input. The case collide_shapes and the corpus judge distances, also in cases that other libraries
 * fail at. */
#include "tests/support/check.h"

#include "cases/bodies/shape_oracle.h"

enum { TIMES = 2000 };
enum { POSES = IS_THIN ? 100 / THIN_BY : IS_DEEP ? 10000 : 100 };

static uint64_t state = 1;

static double uniform(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 40) / 16777216.0;
}

static vp_manifold_body at(const vp_collide_shape *shape, float x, float y, float z)
{
    return (vp_manifold_body){shape, vp_pose_at((vp_vec3){x, y, z})};
}

/* Turned about one axis, by the angle with this tangent of its half. */
static vp_manifold_body turned_at(const vp_collide_shape *shape, float x, float y, float z, int axis, float tangent)
{
    vp_manifold_body body = {shape, {{x, y, z}, {0, 0, 0, 1}}};
    body.pose.rotation[axis] = tangent;
    return body;
}

/* Computes a manifold and checks the properties of all. It has one normal, ordered points within the margin, and unique names. No point
   is deeper than the shapes, and one is as deep within a 256th of the radius. Points are on both shapes and their distance apart. `lean`
   is the error of lines on b. */
static vp_manifold manifold_of(vp_manifold_body a, vp_manifold_body b, float margin, double lean)
{
    vp_manifold m;
    vp_shape_contact c;
    assert_ok(vp_manifold_shapes(&a, &b, margin, &m, &error));
    assert_ok(vp_shapes_collide(&a, &b, margin, &c, &error));
    assert_int_equal(m.chunk, VP_COLLIDE_NO_CHUNK);
    assert_true(m.count <= VP_MANIFOLD_POINTS && (m.count > 0) == (c.feature_a != VP_COLLIDE_NONE));
    const posed pa = pose_shape(a.shape, &a.pose, a.pose.position), pb = pose_shape(b.shape, &b.pose, a.pose.position);
    const double radius = fmin((double)vp_collide_radius(a.shape), (double)vp_collide_radius(b.shape));
    const double size = fmax(fmax((double)vp_collide_radius(a.shape), (double)vp_collide_radius(b.shape)), vp_real3_length(pb.at)),
                 off = 3e-6 * size;
    for (uint32_t i = 0; i < m.count; i++) {
        const vp_manifold_point *p = &m.point[i];
        const double d = (double)p->distance;
        const vp_real3 on_a = vp_real3_of(p->on_shape), on_b = vp_real3_of(p->on_triangle);
        assert_memory_equal(&p->normal, &c.normal, sizeof c.normal);
        assert_true(p->distance <= margin && p->distance >= (i == 0 ? -INFINITY : m.point[i - 1].distance));
        assert_true(d >= (double)c.distance - off && (i > 0 || d <= (double)c.distance + radius / 256.0 + off));
        assert_true(vp_real3_length(vp_real3_plus(vp_real3_plus(on_a, on_b, -1.0), vp_real3_of(p->normal), -d)) <= off);
        assert_true(excess(&pa, on_a) <= off && excess(&pb, on_b) <= off + lean);
        assert_true(p->at.chunk == VP_COLLIDE_NO_CHUNK && p->at.triangle == 0);
        for (uint32_t k = 0; k < i; k++)
            assert_true(p->feature != m.point[k].feature);
    }
    return m;
}

/* ---- stacks ---- */

/* All points have the same depth, and the same distance `out` from the middle of a, in any order. */
static void expect_level(const vp_manifold *m, uint32_t count, double depth, double out)
{
    assert_int_equal(m->count, count);
    for (uint32_t i = 0; i < count; i++) {
        const vp_manifold_point *p = &m->point[i];
        assert_true(fabs((double)p->distance + depth) <= 1e-6);
        assert_true(fabs(hypot((double)p->on_shape.x, (double)p->on_shape.z) - out) <= 1e-5);
        for (uint32_t k = 0; k < i; k++) /* far from each other */
            assert_true(vp_real3_length(vp_real3_plus(vp_real3_of(p->on_shape), vp_real3_of(m->point[k].on_shape), -1.0)) > 0.5 * out);
    }
}

TEST(test_stacks)
{
    const vp_collide_shape crate = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f}), table = vp_collide_box((vp_vec3){4, 0.5f, 4});
    const vp_collide_shape stick = vp_collide_capsule(0.25f, 0.5f), drum = vp_collide_cylinder(0.5f, 0.75f), ball = vp_collide_sphere(0.5f);
    vp_manifold m = manifold_of(at(&crate, 0, 0.995f, 0), at(&crate, 0, 0, 0), 0.02f, 0); /* their sides are flush */
    expect_level(&m, 4, 0.005, sqrt(0.5));
    m = manifold_of(turned_at(&crate, 0, 0.995f, 0, 1, 0.2f), at(&table, 0, 0, 0), 0.02f, 0);
    expect_level(&m, 4, 0.005, sqrt(0.5));
    m = manifold_of(at(&table, 0, 0.995f, 0), at(&crate, 0, 0, 0), 0.02f, 0);
    expect_level(&m, 4, 0.005, sqrt(0.5));
    m = manifold_of(turned_at(&stick, 0, 0.745f, 0, 2, 1), at(&table, 0, 0, 0), 0.02f, 0); /* lying on its side */
    expect_level(&m, 2, 0.005, 0.5);
    m = manifold_of(turned_at(&stick, 0, 0.495f, 0, 2, 1), turned_at(&stick, 0, 0, 0, 2, 1), 0.02f, 0);
    expect_level(&m, 2, 0.005, 0.5);
    m = manifold_of(at(&stick, 0, 1.245f, 0), at(&table, 0, 0, 0), 0.02f, 0); /* standing */
    expect_level(&m, 1, 0.005, 0);
    m = manifold_of(at(&drum, 0, 1.245f, 0), at(&table, 0, 0, 0), 0.02f, 0);
    expect_level(&m, 4, 0.005, 0.5);
    m = manifold_of(at(&drum, 0, 1.495f, 0), at(&drum, 0, 0, 0), 0.02f, 0);
    expect_level(&m, 4, 0.005, 0.5);
    m = manifold_of(turned_at(&drum, 0, 0.995f, 0, 2, 1), at(&table, 0, 0, 0), 0.02f, 0);
    expect_level(&m, 2, 0.005, 0.75);
    m = manifold_of(turned_at(&drum, 0, 0.995f, 0, 2, 1), turned_at(&drum, 0, 0, 0, 2, 1), 0.02f, 0);
    expect_level(&m, 2, 0.005, 0.75);
    m = manifold_of(at(&ball, 0, 0.995f, 0), at(&table, 0, 0, 0), 0.02f, 0);
    expect_level(&m, 1, 0.005, 0);
}

/* ---- every pair ---- */

typedef enum manifold_kind { SPHERE, CAPSULE, BOX, CYLINDER, HULL, KINDS } manifold_kind;

static void make_shapes(vp_collide_shape shape[KINDS], vp_collide_owned_hull *solid)
{
    vp_vec3 point[12];
    for (uint32_t i = 0; i < 12; i++) {
        const vp_real3 p = unit3((vp_real3){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
        point[i] = (vp_vec3){(float)(0.6 * p.x), (float)(0.6 * p.y), (float)(0.6 * p.z)};
    }
    assert_ok(vp_collide_hull_create(&(vp_collide_hull_def){.point = point, .count = 12}, solid, &error));
    shape[SPHERE] = vp_collide_sphere(0.5f);
    shape[CAPSULE] = vp_collide_capsule(0.25f, 0.5f);
    shape[BOX] = vp_collide_box((vp_vec3){0.4f, 0.5f, 0.6f});
    shape[CYLINDER] = vp_collide_cylinder(0.5f, 0.5f);
    shape[HULL] = vp_collide_hull_shape(&solid->hull);
}

static void turn_pair(float a[4], float b[4])
{
    static const float right[3][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}};
    const bool random = uniform(0, 1) < 0.3, close = uniform(0, 1) < 0.7;
    memcpy(a, right[(int)uniform(0, 3)], sizeof right[0]);
    memcpy(b, right[(int)uniform(0, 3)], sizeof right[0]);
    for (int k = 0; k < 4; k++) {
        a[k] += (float)(random ? uniform(-1, 1) : close ? uniform(-0.01, 0.01) : 0.0);
        b[k] += (float)(random ? uniform(-1, 1) : 0.0);
    }
}

/* docs/CONTRACT.md: SHP-6 */
TEST(test_pairs)
{
    vp_collide_shape shape[KINDS];
    vp_collide_owned_hull solid;
    uint32_t kept = 0, points = 0;
    make_shapes(shape, &solid);
    for (int i = 0; i < POSES * KINDS * KINDS; i++) {
        const vp_collide_shape *sa = &shape[i % KINDS], *sb = &shape[i / KINDS % KINDS];
        vp_manifold_body a = {.shape = sa}, b = {.shape = sb};
        turn_pair(a.pose.rotation, b.pose.rotation);
        const vp_real3 u = unit3(uniform(0, 1) < 0.5 ? (vp_real3){0, 1, 0} : (vp_real3){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
        const posed pa = pose_shape(sa, &a.pose, a.pose.position), pb = pose_shape(sb, &b.pose, a.pose.position);
        const double by = uniform(-0.03, 0.03) - separation(&pa, &pb, u);
        a.pose.position = (vp_vec3){(float)(by * u.x + uniform(-0.2, 0.2)), (float)(by * u.y), (float)(by * u.z + uniform(-0.2, 0.2))};
        const vp_manifold m = manifold_of(a, b, 0.05f, 0.01);
        a.pose.position.x += (float)uniform(-1e-5, 1e-5);
        a.pose.position.z += (float)uniform(-1e-5, 1e-5);
        const vp_manifold moved = manifold_of(a, b, 0.05f, 0.01);
        for (uint32_t k = 0; k < m.count; k++)
            for (uint32_t n = 0; n < moved.count; n++)
                kept += m.point[k].feature == moved.point[n].feature;
        points += m.count;
    }
    if (IS_DEEP)
        print_message("%u of %u names kept\n", kept, points);
    assert_true(points > 0 && kept >= 0.995 * points);
    vp_collide_hull_destroy(&solid);
}

/* The margin does not change touching points. */
TEST(test_touching_first)
{
    const vp_collide_shape crate = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f}), table = vp_collide_box((vp_vec3){4, 0.5f, 4});
    for (int i = 0; i < POSES; i++) {
        vp_manifold_body a = at(&crate, 0, (float)uniform(0.97, 1.0), 0), b = at(&table, 0, 0, 0);
        a.pose.rotation[0] = (float)uniform(-0.02, 0.02);
        a.pose.rotation[2] = (float)uniform(-0.02, 0.02);
        const vp_manifold near = manifold_of(a, b, 0.0f, 0), far = manifold_of(a, b, 0.1f, 0);
        assert_true(far.count >= near.count);
        for (uint32_t k = 0; k < near.count; k++)
            assert_memory_equal(&near.point[k], &far.point[k], sizeof near.point[k]);
    }
}

/* ---- distances ---- */

/* A random body of any kind except a hull, by exact operations. */
static vp_manifold_body any_body(vp_collide_shape *shape)
{
    const vp_collide_shape all[4] = {vp_collide_sphere(0.5f), vp_collide_capsule(0.25f, 0.5f),
                                     vp_collide_box((vp_vec3){0.5f, 0.25f, 0.75f}), vp_collide_cylinder(0.5f, 0.5f)};
    float place[3];
    *shape = all[(int)uniform(0, 4)];
    for (int k = 0; k < 3; k++)
        place[k] = (float)floor(uniform(-1024, 1024)) / 1024.0f;
    vp_manifold_body body = at(shape, place[0], place[1], place[2]);
    for (int k = 0; k < 4; k++)
        body.pose.rotation[k] = (float)uniform(-1, 1);
    return body;
}

/* docs/CONTRACT.md: SHP-3. Moving a pair does not change its result, exchanging it mirrors the result, and all compilers compute the same
 * bits. */
TEST(test_bits)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    state = 7;
    for (int i = 0; i < TIMES; i++) {
        vp_collide_shape shape[2];
        vp_manifold_body a = any_body(&shape[0]), b = any_body(&shape[1]);
        vp_manifold m, moved;
        vp_shape_contact c, mirrored;
        unsigned char bytes[sizeof m + sizeof c];
        assert_ok(vp_manifold_shapes(&a, &b, 0.125f, &m, &error));
        assert_ok(vp_shapes_collide(&a, &b, INFINITY, &c, &error));
        assert_ok(vp_shapes_collide(&b, &a, INFINITY, &mirrored, &error));
        assert_true(fabsf(c.distance - mirrored.distance) <= 2e-6f);
        memcpy(bytes, &m, sizeof m);
        memcpy(bytes + sizeof m, &c, sizeof c);
        for (size_t k = 0; k < sizeof bytes; k++)
            hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
        a.pose.position = vp_vec3_add(a.pose.position, (vp_vec3){4096, -2048, 1024});
        b.pose.position = vp_vec3_add(b.pose.position, (vp_vec3){4096, -2048, 1024});
        assert_ok(vp_manifold_shapes(&a, &b, 0.125f, &moved, &error));
        assert_memory_equal(&m, &moved, sizeof m);
    }
    if (hash != UINT64_C(0x04c35a56a042e014))
        fail_msg("the digest is %#llx", (unsigned long long)hash);
}

/* Two parallel disks, whose best direction is near their axis. */
TEST(test_parallel_disks)
{
    const double radius = 0.1875;
    const vp_collide_shape disk = vp_collide_cylinder((float)radius, 0.0f);
    for (int i = 0; i < TIMES; i++) {
        vp_manifold_body a = at(&disk, 0, 0, 0), b = a;
        float *q = a.pose.rotation;
        for (int k = 0; k < 4; k++)
            q[k] = b.pose.rotation[k] = (float)uniform(-1, 1);
        const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3], scale = 2.0 / (x * x + y * y + z * z + w * w);
        const vp_real3 axis = {scale * (x * y - z * w), 1.0 - scale * (x * x + z * z), scale * (y * z + x * w)};
        const vp_real3 aside = {uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-0.5, 0.5)};
        a.pose.position = vp_real3_rounded(vp_real3_plus(aside, axis, uniform(-3, 3)));
        const vp_real3 way = vp_real3_of(a.pose.position);
        const double height = vp_real3_dot(way, axis), across = vp_real3_length(vp_real3_plus(way, axis, -height));
        const double distance = hypot(height, fmax(across - 2.0 * radius, 0.0));
        vp_shape_contact c;
        assert_ok(vp_shapes_collide(&a, &b, INFINITY, &c, &error));
        assert_true(fabs((double)c.distance - distance) <= 1e-6 * fmax(radius, vp_real3_length(way)));
    }
}

/* ---- bad input ---- */

/* docs/CONTRACT.md: SHP-5 */
TEST(test_bad_input)
{
    const vp_collide_shape ball = vp_collide_sphere(0.5f), bad = vp_collide_sphere(-2.5f);
    const vp_manifold_body good = at(&ball, 0, 0, 0), worse = at(&bad, 0, 0, 0), lost = at(&ball, 0, NAN, 0);
    vp_shape_contact c = {.distance = 7.0f};
    vp_manifold m = {.count = 77};
    bool overlap = true;
    assert_refused(vp_shapes_collide(&good, &worse, 0.0f, &c, &error), VP_E_ARGUMENT, "-2.5");
    assert_refused(vp_shapes_collide(&worse, &good, 0.0f, &c, &error), VP_E_ARGUMENT, "-2.5");
    assert_refused(vp_shapes_collide(&good, &lost, 0.0f, &c, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_shapes_collide(&good, &good, -0.5f, &c, &error), VP_E_ARGUMENT, "-0.5");
    assert_refused(vp_shapes_overlap(&good, &worse, &overlap, &error), VP_E_ARGUMENT, "-2.5");
    assert_refused(vp_manifold_shapes(&good, &worse, 0.0f, &m, &error), VP_E_ARGUMENT, "-2.5");
    assert_refused(vp_manifold_shapes(&good, &good, -1.0f, &m, &error), VP_E_ARGUMENT, "-1");
    assert_true(c.distance == 7.0f && overlap && m.count == 77);
}
