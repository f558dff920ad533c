/* SPDX-License-Identifier: MIT */
/* Shape against shape: closed forms, failures reported for other libraries, and bad input.
 * docs/CONTRACT.md: SHP-1, SHP-3, SHP-4, SHP-5 */
#include "tests/support/check.h"

#include "cases/bodies/shape_oracle.h"

enum { TIMES = 2000 };

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

static vp_manifold_body turned_at(const vp_collide_shape *shape, float x, float y, float z, float qx, float qy, float qz, float qw)
{
    return (vp_manifold_body){shape, {{x, y, z}, {qx, qy, qz, qw}}};
}

/* @param all also search for a smaller depth */
static vp_shape_contact collide_and_judge(vp_manifold_body a, vp_manifold_body b, bool all)
{
    vp_shape_contact c;
    double off;
    assert_ok(vp_shapes_collide(&a, &b, INFINITY, &c, &error));
    const fault f = judge(&a, &b, INFINITY, &c, 1e-6, all, &off);
    if (f != RIGHT)
        fail_msg("%s, off by %g", fault_name[f], off);
    return c;
}

static vp_shape_contact collide(vp_manifold_body a, vp_manifold_body b)
{
    return collide_and_judge(a, b, true);
}

static void expect_near(double got, double right, double off)
{
    if (!(fabs(got - right) <= off))
        fail_msg("%.9g is not within %g of %.9g", got, off, right);
}

static void expect_direction(vp_vec3 got, double x, double y, double z)
{
    expect_near((double)got.x, x, 1e-6);
    expect_near((double)got.y, y, 1e-6);
    expect_near((double)got.z, z, 1e-6);
}

/* ---- closed forms. docs/CONTRACT.md: SHP-1 ---- */

static double clamp(double v, double low, double high)
{
    return fmin(fmax(v, low), high);
}

/* The distance of two segments p + s d and q + t e, with s and t in -1 to 1. Searches over s, because the distance from a
 * segment is convex. */
static double segments_apart(v3 p, v3 d, v3 q, v3 e)
{
    double low = -1.0, high = 1.0, best = INFINITY;
    for (int i = 0; i < 100; i++) {
        double distance[2];
        const double s[2] = {low + (high - low) * 0.382, low + (high - low) * 0.618};
        for (int k = 0; k < 2; k++) {
            const v3 on = add(p, d, s[k]);
            const double t = clamp(dot3(add(on, q, -1.0), e) / dot3(e, e), -1.0, 1.0);
            distance[k] = norm(add(on, add(q, e, t), -1.0));
            best = fmin(best, distance[k]);
        }
        if (distance[0] < distance[1])
            high = s[1];
        else
            low = s[0];
    }
    return best;
}

static void test_round_shapes(void **unused)
{
    (void)unused;
    const vp_collide_shape ball = vp_collide_sphere(0.5f), small = vp_collide_sphere(0.25f), stick = vp_collide_capsule(0.25f, 1.0f);
    for (int i = 0; i < TIMES; i++) {
        vp_pose a = vp_pose_at((vp_vec3){(float)uniform(-1, 1), (float)uniform(-1, 1), (float)uniform(-1, 1)}), b = a;
        b.position = (vp_vec3){(float)uniform(-1, 1), (float)uniform(-1, 1), (float)uniform(-1, 1)};
        for (int k = 0; k < 4; k++) {
            a.rotation[k] = (float)uniform(-1, 1);
            b.rotation[k] = (float)uniform(-1, 1);
        }
        const posed pa = pose_shape(&stick, &a, a.position), pb = pose_shape(&stick, &b, a.position);
        const v3 along_a = turned(pa.q, (v3){0, 1, 0}, false), along_b = turned(pb.q, (v3){0, 1, 0}, false), none = {0, 0, 0};
        const double t = clamp(dot3(along_b, add(none, pb.at, -1.0)), -1.0, 1.0);
        expect_near((double)collide((vp_manifold_body){&ball, a}, (vp_manifold_body){&small, b}).distance, norm(pb.at) - 0.75, 2e-7);
        expect_near((double)collide((vp_manifold_body){&ball, a}, (vp_manifold_body){&stick, b}).distance,
                    norm(add(pb.at, along_b, t)) - 0.75, 2e-7);
        expect_near((double)collide((vp_manifold_body){&stick, a}, (vp_manifold_body){&stick, b}).distance,
                    segments_apart(none, along_a, pb.at, along_b) - 0.5, 1e-6);
    }
}

static void test_aligned_boxes(void **unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        const vp_vec3 half_a = {(float)uniform(0.1, 2), (float)uniform(0.1, 2), (float)uniform(0.1, 2)};
        const vp_vec3 half_b = {(float)uniform(0.1, 2), (float)uniform(0.1, 2), (float)uniform(0.1, 2)};
        const vp_collide_shape a = vp_collide_box(half_a), b = vp_collide_box(half_b);
        const vp_vec3 to = {(float)uniform(-4, 4), (float)uniform(-4, 4), (float)uniform(-4, 4)};
        const double gap[3] = {fabs((double)to.x) - (double)half_a.x - (double)half_b.x,
                               fabs((double)to.y) - (double)half_a.y - (double)half_b.y,
                               fabs((double)to.z) - (double)half_a.z - (double)half_b.z};
        const double greatest = fmax(fmax(gap[0], gap[1]), gap[2]);
        const double apart = norm((v3){fmax(gap[0], 0.0), fmax(gap[1], 0.0), fmax(gap[2], 0.0)});
        expect_near((double)collide(at(&a, 0, 0, 0), at(&b, to.x, to.y, to.z)).distance, greatest < 0.0 ? greatest : apart, 1e-6);
    }
}

/* ---- degenerate cores have a normal. docs/CONTRACT.md: SHP-4 ---- */

static void test_one_place(void **unused)
{
    (void)unused;
    const vp_collide_shape ball = vp_collide_sphere(0.5f), stick = vp_collide_capsule(0.25f, 1.0f), disc = vp_collide_cylinder(1.0f, 0.0f);
    const vp_collide_shape box = vp_collide_box((vp_vec3){1, 2, 3}), rod = vp_collide_cylinder(0.0f, 1.0f);
    const vp_shape_contact same = collide(at(&ball, 3, 4, 5), at(&ball, 3, 4, 5));
    expect_near((double)same.distance, -1.0, 0.0);
    expect_direction(same.normal, 0, 1, 0);
    expect_near((double)collide(at(&ball, 0, 0.5f, 0), at(&stick, 0, 0, 0)).distance, -0.75, 0.0);
    expect_near((double)collide(at(&stick, 0, 0, 0), at(&stick, 0, 0, 0)).distance, -0.5, 0.0);
    const vp_shape_contact crossing = collide(at(&stick, 0, 0, 0), turned_at(&stick, 0, 0, 0, 1, 0, 0, 1)); /* along y and z */
    expect_near((double)crossing.distance, -0.5, 0.0);
    expect_near(fabs((double)crossing.normal.x), 1.0, 0.0);
    expect_near((double)collide(at(&ball, 0, 0, 0), at(&box, 0, 0, 0)).distance, -1.5, 0.0);
    expect_near((double)collide(at(&ball, 1, 0, 0), at(&box, 0, 0, 0)).distance, -0.5, 0.0); /* its centre on a face, */
    expect_near((double)collide(at(&ball, 1, 2, 0), at(&box, 0, 0, 0)).distance, -0.5, 0.0); /* an edge, */
    expect_near((double)collide(at(&ball, 1, 2, 3), at(&box, 0, 0, 0)).distance, -0.5, 0.0); /* a corner */
    expect_near((double)collide(at(&ball, 0, 0, 0), at(&disc, 0, 0, 0)).distance, -0.5, 0.0);
    expect_near((double)collide(at(&disc, 0, 0, 0), at(&disc, 0, 0, 0)).distance, 0.0, 0.0);
    expect_near((double)collide(at(&rod, 0, 0, 0), at(&rod, 0, 0, 0)).distance, 0.0, 0.0);
    expect_near((double)collide(at(&disc, 0, 0, 0), at(&rod, 0, 0, 0)).distance, -1.0, 0.0);
}

/* ---- failures of other libraries, from their public reports ---- */

/* reactphysics3d#347: a capsule along a box's edge, with its centre outside both faces. */
static void test_capsule_along_edge(void **unused)
{
    (void)unused;
    const vp_collide_shape stick = vp_collide_capsule(0.5f, 1.0f), box = vp_collide_box((vp_vec3){2, 4, 2});
    const vp_shape_contact c = collide(at(&stick, 2.3f, 0, 2.3f), at(&box, 0, 0, 0));
    expect_near((double)c.distance, 0.3 * sqrt(2.0) - 0.5, 1e-6);
    expect_direction(c.normal, sqrt(0.5), 0, sqrt(0.5));
}

/* bepuphysics2#101: a capsule that stands on a face and leans less and less. Its distance is its lower end's. */
static void test_standing_capsule(void **unused)
{
    (void)unused;
    const vp_collide_shape stick = vp_collide_capsule(0.5f, 1.0f), box = vp_collide_box((vp_vec3){4, 1, 4});
    for (int k = 0; k < 9; k++) {
        const double lean = k == 0 ? 0.0 : pow(10.0, -k);
        const vp_shape_contact c = collide(turned_at(&stick, 0, 2.4f, 0, (float)lean, 0, 0, 1), at(&box, 0, 0, 0));
        const double cosine = (1.0 - lean * lean) / (1.0 + lean * lean);
        expect_near((double)c.distance, (double)2.4f - cosine - 1.5, 1e-6);
        expect_direction(c.normal, 0, 1, 0);
    }
}

/* fcl#293, fcl#493, coal#604: distances of turned boxes, far apart or touching with an edge or a corner. */
static void test_turned_boxes(void **unused)
{
    (void)unused;
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const float tenth = 0.41421356f; /* tangent of 22.5 degrees, for a turn by 45 degrees */
    expect_near((double)collide(turned_at(&box, 5, 0, 0, 0, 0, tenth, 1), at(&box, 0, 0, 0)).distance, 4.5 - sqrt(0.5), 1e-6);
    expect_near((double)collide(turned_at(&box, 5, 0, 0, 0, 0, tenth, 1), turned_at(&box, 0, 0, 0, 0, tenth, 0, 1)).distance,
                5.0 - 2.0 * sqrt(0.5), 1e-6);
    expect_near((double)collide(turned_at(&box, 1.2f, 0, 0, 0, 0, tenth, 1), at(&box, 0, 0, 0)).distance, (double)1.2f - 0.5 - sqrt(0.5),
                1e-6);
    expect_near((double)collide(at(&box, 1, 1, 1), at(&box, 0, 0, 0)).distance, 0.0, 0.0);
    expect_near((double)collide(at(&box, 1, 1, 0), at(&box, 0, 0, 0)).distance, 0.0, 0.0);
    expect_near((double)collide(at(&box, 10000, 10000, 1), at(&box, 9998, 9998, 1)).distance, sqrt(2.0), 1e-6);
}

/* PhysX#600 and others: a cylinder on its side on a box, and one that stands on another. */
static void test_cylinders(void **unused)
{
    (void)unused;
    const vp_collide_shape drum = vp_collide_cylinder(0.5f, 1.0f), box = vp_collide_box((vp_vec3){4, 1, 4});
    const vp_shape_contact lying = collide(turned_at(&drum, 0, 1.48f, 0, 0, 0, 1, 1), at(&box, 0, 0, 0));
    expect_near((double)lying.distance, (double)1.48f - 1.5, 1e-6);
    expect_direction(lying.normal, 0, 1, 0);
    const vp_shape_contact standing = collide(at(&drum, 0.3f, 1.98f, 0), at(&drum, 0, 0, 0));
    expect_near((double)standing.distance, (double)1.98f - 2.0, 1e-6);
    expect_direction(standing.normal, 0, 1, 0);
    const vp_shape_contact crossed = collide(turned_at(&drum, 0, 0, 0.9f, 0, 0, 1, 1), at(&drum, 0, 0, 0)); /* along x and y */
    expect_near((double)crossed.distance, (double)0.9f - 1.0, 1e-6);
    expect_direction(crossed.normal, 0, 0, 1);
}

/* Drums that stand on each other and lean a little. The best direction may be between the two axes, where their rims cross. */
static void test_leaning_drums(void **unused)
{
    (void)unused;
    const vp_collide_shape drum = vp_collide_cylinder(0.5f, 1.0f), lid = vp_collide_cylinder(0.75f, 0.0f);
    for (int i = 0; i < 2 * TIMES; i++) {
        const double lean = pow(10.0, uniform(-7, 0)), out = uniform(0.2, 1.2), angle = uniform(0, 6.28), way = uniform(0, 6.28);
        const vp_manifold_body a = turned_at(&drum, (float)(out * cos(angle)), (float)(1.0 + uniform(-0.05, 0.01)),
                                             (float)(out * sin(angle)), (float)(lean * cos(way)), 0, (float)(lean * sin(way)), 1);
        collide_and_judge(a, at(&lid, 0, 0, 0), false);
        collide_and_judge(a, at(&drum, 0, -1, 0), false);
    }
}

/* ---- equal bits ---- */

/* A random body of any kind except a hull, by exact operations. */
static vp_manifold_body any_body(vp_collide_shape *shape)
{
    const vp_collide_shape kind[4] = {vp_collide_sphere(0.5f), vp_collide_capsule(0.25f, 0.5f),
                                      vp_collide_box((vp_vec3){0.5f, 0.25f, 0.75f}), vp_collide_cylinder(0.5f, 0.5f)};
    float place[3];
    *shape = kind[(int)uniform(0, 4)];
    for (int k = 0; k < 3; k++)
        place[k] = (float)floor(uniform(-1024, 1024)) / 1024.0f;
    vp_manifold_body body = at(shape, place[0], place[1], place[2]);
    for (int k = 0; k < 4; k++)
        body.pose.rotation[k] = (float)uniform(-1, 1);
    return body;
}

/* docs/CONTRACT.md: SHP-3. Moving a pair does not change its result, and all compilers compute the same bits. */
static void test_bits(void **unused)
{
    (void)unused;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    state = 7;
    for (int i = 0; i < TIMES; i++) {
        vp_collide_shape shape[2];
        vp_manifold_body a = any_body(&shape[0]), b = any_body(&shape[1]);
        vp_manifold m, moved;
        vp_shape_contact c;
        unsigned char bytes[sizeof m + sizeof c];
        assert_ok(vp_manifold_shapes(&a, &b, 0.125f, &m, &error));
        assert_ok(vp_shapes_collide(&a, &b, INFINITY, &c, &error));
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

/* ---- bad input. docs/CONTRACT.md: SHP-5 ---- */

static void test_bad_input(void **unused)
{
    (void)unused;
    const vp_collide_shape ball = vp_collide_sphere(0.5f), bad = vp_collide_sphere(-2.5f);
    const vp_manifold_body good = at(&ball, 0, 0, 0), worse = at(&bad, 0, 0, 0), lost = at(&ball, 0, NAN, 0);
    vp_shape_contact c = {.distance = 7.0f};
    bool overlap = true;
    assert_refused(vp_shapes_collide(&good, &worse, 0.0f, &c, &error), VP_E_ARGUMENT, "-2.5");
    assert_refused(vp_shapes_collide(&worse, &good, 0.0f, &c, &error), VP_E_ARGUMENT, "-2.5");
    assert_refused(vp_shapes_collide(&good, &lost, 0.0f, &c, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_shapes_collide(&good, &good, -0.5f, &c, &error), VP_E_ARGUMENT, "-0.5");
    assert_refused(vp_shapes_overlap(&good, &worse, &overlap, &error), VP_E_ARGUMENT, "-2.5");
    assert_true(c.distance == 7.0f && overlap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_shapes),       cmocka_unit_test(test_aligned_boxes),    cmocka_unit_test(test_one_place),
        cmocka_unit_test(test_capsule_along_edge), cmocka_unit_test(test_standing_capsule), cmocka_unit_test(test_turned_boxes),
        cmocka_unit_test(test_cylinders),          cmocka_unit_test(test_leaning_drums),    cmocka_unit_test(test_bits),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
