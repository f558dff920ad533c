/* SPDX-License-Identifier: MIT */
/* Shape against shape in cases that other libraries fail at, moved pairs, and bad input. The case collide_shapes and the corpus judge
 * every pair of shapes. docs/CONTRACT.md: SHP-1, SHP-2, SHP-3 */
#include "tests/support/check.h"

#include "cases/bodies/shape_oracle.h"

enum { TIMES = 2000 };

static uint64_t state = 1;

static double uniform(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 40) / 16777216.0;
}

/* The pair in the other order has the mirrored result. */
static void expect_mirrored(const vp_manifold_body *a, const vp_manifold_body *b)
{
    vp_shape_contact c, m;
    assert_ok(vp_shapes_collide(a, b, INFINITY, &c, &error));
    assert_ok(vp_shapes_collide(b, a, INFINITY, &m, &error));
    const posed p = pose_shape(b->shape, &b->pose, a->pose.position);
    const double size = fmax(fmax((double)vp_collide_radius(a->shape), (double)vp_collide_radius(b->shape)), vp_real3_length(p.at));
    assert_true(fabs((double)c.distance - (double)m.distance) <= 1e-6 * size);
}

static vp_manifold_body at(const vp_collide_shape *shape, float x, float y, float z)
{
    return (vp_manifold_body){shape, vp_pose_at((vp_vec3){x, y, z})};
}

static void expect_known(vp_manifold_body a, vp_manifold_body b, double distance, double off, vp_real3 normal)
{
    vp_shape_contact c;
    double error_of;
    assert_ok(vp_shapes_collide(&a, &b, INFINITY, &c, &error));
    assert_int_equal(judge(&a, &b, INFINITY, &c, 1e-6, true, &error_of), RIGHT);
    if (!(fabs((double)c.distance - distance) <= off))
        fail_msg("the distance %.9g is not within %g of %.9g", (double)c.distance, off, distance);
    expect_mirrored(&a, &b);
    assert_true(vp_real3_length(normal) == 0.0 || vp_real3_length(vp_real3_plus(vp_real3_of(c.normal), normal, -1.0)) <= 2e-6);
}

/* ---- single cases ---- */

/* docs/CONTRACT.md: SHP-4. Degenerate cores have a normal. The cases with a number are failures of other libraries, from their reports. */
TEST(test_known)
{
    static const vp_collide_shape ball = {.kind = VP_COLLIDE_SPHERE, .radius = 0.5f},
                                  stick = {.kind = VP_COLLIDE_CAPSULE, .radius = 0.25f, .half_height = 1.0f},
                                  thick = {.kind = VP_COLLIDE_CAPSULE, .radius = 0.5f, .half_height = 1.0f},
                                  disc = {.kind = VP_COLLIDE_CYLINDER, .radius = 1.0f},
                                  rod = {.kind = VP_COLLIDE_CYLINDER, .half_height = 1.0f},
                                  drum = {.kind = VP_COLLIDE_CYLINDER, .radius = 0.5f, .half_height = 1.0f},
                                  box = {.kind = VP_COLLIDE_BOX, .half = {1, 2, 3}},
                                  cube = {.kind = VP_COLLIDE_BOX, .half = {0.5f, 0.5f, 0.5f}},
                                  wall = {.kind = VP_COLLIDE_BOX, .half = {2, 4, 2}}, ground = {.kind = VP_COLLIDE_BOX, .half = {4, 1, 4}};
    static const double right = 0.70710678118654752;
    const float eighth = 0.41421356f; /* the tangent of 22.5 degrees, for a turn by 45 */
    const struct {
        const vp_collide_shape *a;
        vp_pose of_a;
        const vp_collide_shape *b;
        vp_pose of_b;
        double distance, off;
        vp_real3 normal; /* 0 = any */
    } known[] = {
        {&ball, {{3, 4, 5}, {0, 0, 0, 1}}, &ball, {{3, 4, 5}, {0, 0, 0, 1}}, -1.0, 0, {0, 1, 0}},
        {&ball, {{0, 0.5f, 0}, {0, 0, 0, 1}}, &stick, {{0, 0, 0}, {0, 0, 0, 1}}, -0.75, 0, {0, 0, 0}},
        {&stick, {{0, 0, 0}, {0, 0, 0, 1}}, &stick, {{0, 0, 0}, {0, 0, 0, 1}}, -0.5, 0, {0, 0, 0}},
        {&stick, {{0, 0, 0}, {0, 0, 0, 1}}, &stick, {{0, 0, 0}, {1, 0, 0, 1}}, -0.5, 0, {0, 0, 0}}, /* along y and z */
        {&ball, {{0, 0, 0}, {0, 0, 0, 1}}, &box, {{0, 0, 0}, {0, 0, 0, 1}}, -1.5, 0, {0, 0, 0}},
        {&ball, {{1, 0, 0}, {0, 0, 0, 1}}, &box, {{0, 0, 0}, {0, 0, 0, 1}}, -0.5, 0, {0, 0, 0}}, /* its centre on a face, */
        {&ball, {{1, 2, 0}, {0, 0, 0, 1}}, &box, {{0, 0, 0}, {0, 0, 0, 1}}, -0.5, 0, {0, 0, 0}}, /* an edge, */
        {&ball, {{1, 2, 3}, {0, 0, 0, 1}}, &box, {{0, 0, 0}, {0, 0, 0, 1}}, -0.5, 0, {0, 0, 0}}, /* a corner */
        {&ball, {{0, 0, 0}, {0, 0, 0, 1}}, &disc, {{0, 0, 0}, {0, 0, 0, 1}}, -0.5, 0, {0, 0, 0}},
        {&disc, {{0, 0, 0}, {0, 0, 0, 1}}, &disc, {{0, 0, 0}, {0, 0, 0, 1}}, 0.0, 0, {0, 0, 0}},
        {&rod, {{0, 0, 0}, {0, 0, 0, 1}}, &rod, {{0, 0, 0}, {0, 0, 0, 1}}, 0.0, 0, {0, 0, 0}},
        {&disc, {{0, 0, 0}, {0, 0, 0, 1}}, &rod, {{0, 0, 0}, {0, 0, 0, 1}}, -1.0, 0, {0, 0, 0}},
        /* reactphysics3d#347: along a box's edge, with its centre outside both faces */
        {&thick, {{2.3f, 0, 2.3f}, {0, 0, 0, 1}}, &wall, {{0, 0, 0}, {0, 0, 0, 1}}, 0.6 * right - 0.5, 1e-6, {right, 0, right}},
        /* fcl#293, fcl#493, coal#604: turned boxes, far apart or touching with an edge or a corner */
        {&cube, {{5, 0, 0}, {0, 0, eighth, 1}}, &cube, {{0, 0, 0}, {0, 0, 0, 1}}, 4.5 - right, 1e-6, {0, 0, 0}},
        {&cube, {{5, 0, 0}, {0, 0, eighth, 1}}, &cube, {{0, 0, 0}, {0, eighth, 0, 1}}, 5.0 - 2.0 * right, 1e-6, {0, 0, 0}},
        {&cube, {{1.2f, 0, 0}, {0, 0, eighth, 1}}, &cube, {{0, 0, 0}, {0, 0, 0, 1}}, (double)1.2f - 0.5 - right, 1e-6, {0, 0, 0}},
        {&cube, {{1, 1, 1}, {0, 0, 0, 1}}, &cube, {{0, 0, 0}, {0, 0, 0, 1}}, 0.0, 0, {0, 0, 0}},
        {&cube, {{1, 1, 0}, {0, 0, 0, 1}}, &cube, {{0, 0, 0}, {0, 0, 0, 1}}, 0.0, 0, {0, 0, 0}},
        {&cube, {{10000, 10000, 1}, {0, 0, 0, 1}}, &cube, {{9998, 9998, 1}, {0, 0, 0, 1}}, 2.0 * right, 1e-6, {0, 0, 0}},
        /* PhysX#600 and others: cylinders lying on a box, standing on another, and crossed */
        {&drum, {{0, 1.48f, 0}, {0, 0, 1, 1}}, &ground, {{0, 0, 0}, {0, 0, 0, 1}}, (double)1.48f - 1.5, 1e-6, {0, 1, 0}},
        {&drum, {{0.3f, 1.98f, 0}, {0, 0, 0, 1}}, &drum, {{0, 0, 0}, {0, 0, 0, 1}}, (double)1.98f - 2.0, 1e-6, {0, 1, 0}},
        {&drum, {{0, 0, 0.9f}, {0, 0, 1, 1}}, &drum, {{0, 0, 0}, {0, 0, 0, 1}}, (double)0.9f - 1.0, 1e-6, {0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        expect_known((vp_manifold_body){known[i].a, known[i].of_a}, (vp_manifold_body){known[i].b, known[i].of_b}, known[i].distance,
                     known[i].off, known[i].normal);
    for (int k = 0; k < 9; k++) { /* bepuphysics2#101: a capsule that stands on a face and leans less and less */
        const double lean = k == 0 ? 0.0 : pow(10.0, -k), cosine = (1.0 - lean * lean) / (1.0 + lean * lean);
        const vp_manifold_body standing = {&thick, {{0, 2.4f, 0}, {(float)lean, 0, 0, 1}}};
        expect_known(standing, at(&ground, 0, 0, 0), (double)2.4f - cosine - 1.5, 1e-6, (vp_real3){0, 1, 0});
    }
}

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

/* docs/CONTRACT.md: SHP-3. Moving a pair does not change its result, and all compilers compute the same bits. */
TEST(test_bits)
{
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

/* docs/CONTRACT.md: SHP-5 */
TEST(test_bad_input)
{
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
