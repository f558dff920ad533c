/* SPDX-License-Identifier: MIT */
/* Shape against shape. shape_oracle.h judges every pair of shapes in hard families of poses. Also cases that other libraries fail at, and
 * bad input. docs/CONTRACT.md: SHP-1, SHP-2, SHP-3 */
#include "tests/support/check.h"

#include <stdio.h>

#include "cases/bodies/shape_oracle.h"

#ifndef POSES /* per family and ordered pair of shapes */
#ifdef TEST_DEEP
enum { POSES = 1000 };
#elif defined TEST_THIN
enum { POSES = 1 };
#else
enum { POSES = 4 };
#endif
#endif

/* Some kinds have flat shapes, with a side or radius of 0. */
enum { TIMES = 2000 };

typedef enum collide_kind { SPHERE, CAPSULE, BOX, CYLINDER, HULL, LARGE_HULL, FLAT_BOX, DISC, POLYGON, KINDS } collide_kind;
static const char *const kind_name[KINDS] = {"sphere", "capsule", "box", "cylinder", "hull8", "hull20", "flat box", "disc", "polygon"};

typedef enum pair_family {
    RANDOM,
    PARALLEL,
    NEARLY_PARALLEL,
    TOUCHING,
    DEEP,
    TINY,
    FAR,
    SMALL,
    LARGE,
    IDENTICAL,
    NESTED,
    FAMILIES
} pair_family;
static const char *const family_name[FAMILIES] = {"random", "parallel", "nearly parallel", "touching",  "deep",  "tiny",
                                                  "far",    "small",    "large",           "identical", "nested"};

static uint64_t state = 1;

static double uniform(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 40) / 16777216.0;
}

/* ---- shapes ---- */

typedef struct maker {
    vp_collide_shape shape;
    vp_collide_owned_hull solid;
} maker;

static void make_hull(maker *m, uint32_t count, double scale, bool flat)
{
    vp_vec3 point[20];
    for (uint32_t i = 0; i < count; i++) {
        const vp_real3 p = unit3((vp_real3){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
        point[i] = (vp_vec3){(float)(0.5 * scale * p.x), flat ? 0.0f : (float)(0.5 * scale * p.y), (float)(0.5 * scale * p.z)};
    }
    const vp_collide_hull_def def = {.point = point, .count = count};
    assert_ok(vp_collide_hull_create(&def, &m->solid, &error));
    m->shape = vp_collide_hull_shape(&m->solid.hull);
}

static void make_shape(collide_kind k, double scale, maker *m)
{
    const float s = (float)scale;
    const vp_collide_shape simple[KINDS] = {[SPHERE] = vp_collide_sphere(0.5f * s),
                                            [CAPSULE] = vp_collide_capsule(0.3125f * s, 0.5f * s),
                                            [BOX] = vp_collide_box((vp_vec3){0.40625f * s, 0.3125f * s, 0.5f * s}),
                                            [CYLINDER] = vp_collide_cylinder(0.40625f * s, 0.4375f * s),
                                            [FLAT_BOX] = vp_collide_box((vp_vec3){0.40625f * s, 0.0f, 0.5f * s}),
                                            [DISC] = vp_collide_cylinder(0.5f * s, 0.0f)};
    *m = (maker){.shape = simple[k]};
    if (k == HULL || k == LARGE_HULL || k == POLYGON)
        make_hull(m, k == HULL ? 8 : k == LARGE_HULL ? 20 : 6, scale, k == POLYGON);
}

/* ---- poses ---- */

static void any_rotation(float q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = (float)uniform(-1, 1);
}

/* A multiple of a right angle about each axis. */
static void right_rotation(float q[4])
{
    static const float rotation[4][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 1, 1}};
    memcpy(q, rotation[(int)uniform(0, 4)], sizeof rotation[0]);
}

static void rotate_pair(pair_family f, float a[4], float b[4])
{
    any_rotation(a);
    any_rotation(b);
    if (f == PARALLEL || f == NEARLY_PARALLEL) {
        right_rotation(a);
        if (uniform(0, 1) < 0.5)
            right_rotation(b);
        else
            memcpy(b, a, 4 * sizeof *a);
    }
    for (int k = 0; f == NEARLY_PARALLEL && k < 3; k++)
        a[k] += (float)(uniform(-1, 1) * pow(10.0, uniform(-8, -2)));
    if (f == IDENTICAL)
        memcpy(b, a, 4 * sizeof *a);
}

static vp_real3 any_direction(pair_family f)
{
    static const vp_real3 axis[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    if ((f == PARALLEL || f == NEARLY_PARALLEL) && uniform(0, 1) < 0.5)
        return axis[(int)uniform(0, 6)];
    return unit3((vp_real3){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
}

static double any_gap(pair_family f, double scale)
{
    const double sign = uniform(0, 1) < 0.5 ? -1.0 : 1.0;
    switch (f) {
    case TOUCHING:
        return sign * scale * pow(10.0, uniform(-9, -4));
    case DEEP:
        return -scale * uniform(0.3, 1.2);
    default:
        return uniform(0, 1) < 0.2 ? 0.0 : scale * uniform(-0.6, 0.3);
    }
}

static void place_pair(pair_family f, const vp_collide_shape *shape_a, const vp_collide_shape *shape_b, vp_pose *a, vp_pose *b)
{
    const double radius_a = (double)vp_collide_radius(shape_a), radius_b = (double)vp_collide_radius(shape_b);
    const double scale = fmin(radius_a, radius_b), far = f == FAR ? 1e4 : 0.0;
    rotate_pair(f, a->rotation, b->rotation);
    b->position = (vp_vec3){(float)uniform(-far, far), (float)uniform(-far, far), (float)uniform(-far, far)};
    a->position = b->position;
    if (f == IDENTICAL)
        return;
    const vp_real3 u = any_direction(f);
    if (f == NESTED) {
        const double off = uniform(0, 1) < 0.3 ? 0.0 : uniform(0, fmax(radius_a, radius_b));
        a->position = (vp_vec3){(float)(off * u.x), (float)(off * u.y), (float)(off * u.z)};
        return;
    }
    const posed pa = pose_shape(shape_a, a, a->position), pb = pose_shape(shape_b, b, b->position);
    const double by = any_gap(f, scale) - separation(&pa, &pb, u);
    const vp_real3 beside = vp_real3_plus((vp_real3){0, 0, 0}, unit3(vp_real3_cross(u, (vp_real3){0.3, 0.5, 0.7})),
                                          f == PARALLEL ? 0.0 : uniform(-0.3, 0.3) * scale);
    a->position = (vp_vec3){(float)((double)b->position.x + by * u.x + beside.x), (float)((double)b->position.y + by * u.y + beside.y),
                            (float)((double)b->position.z + by * u.z + beside.z)};
}

static double scale_of(pair_family f)
{
    return f == SMALL ? 1e-3 : f == LARGE ? 1e3 : 1.0;
}

/* @param all also check the depth, by a search */
static void expect_right(const vp_manifold_body *a, const vp_manifold_body *b, float margin, bool all, double *worst, const char *what)
{
    vp_shape_contact c;
    double off;
    bool overlap;
    assert_ok(vp_shapes_collide(a, b, margin, &c, &error));
    const contact_fault f = judge(a, b, margin, &c, 1e-6, all, &off);
    *worst = fmax(*worst, off);
    if (f != RIGHT)
        fail_msg("%s: %s, off by %g: distance %.9g, normal %.9g %.9g %.9g, features %x %x", what, fault_name[f], off, (double)c.distance,
                 (double)c.normal.x, (double)c.normal.y, (double)c.normal.z, c.feature_a, c.feature_b);
    assert_ok(vp_shapes_overlap(a, b, &overlap, &error));
    if (overlap != (c.distance <= 0.0f) && c.distance != 0.0f)
        fail_msg("%s: overlap is %d, the distance %g", what, overlap, (double)c.distance);
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

static void collide_pair(collide_kind ka, collide_kind kb, double *worst)
{
    for (int f = 0; f < FAMILIES; f++)
        for (int i = 0; i < POSES; i++) {
            char what[120];
            maker a, b;
            vp_pose pose_a, pose_b;
            const double ratio = f == TINY     ? pow(10.0, uniform(-3, 0))
                                 : f == NESTED ? uniform(0.05, 1)
                                               : 1.0,
                         scale = scale_of((pair_family)f);
            const bool first = uniform(0, 1) < 0.5;
            make_shape(ka, first ? scale * ratio : scale, &a);
            make_shape(kb, first ? scale : scale * ratio, &b);
            if (f == IDENTICAL && ka == kb && ka != HULL && ka != LARGE_HULL && ka != POLYGON)
                b.shape = a.shape;
            place_pair((pair_family)f, &a.shape, &b.shape, &pose_a, &pose_b);
            snprintf(what, sizeof what, "%s, %s, %s, pose %d", kind_name[ka], kind_name[kb], family_name[f], i);
            const vp_manifold_body body_a = {&a.shape, pose_a}, body_b = {&b.shape, pose_b};
            expect_right(&body_a, &body_b, INFINITY, true, worst, what);
            expect_right(&body_a, &body_b, (float)(0.05 * scale), false, worst, what);
            expect_mirrored(&body_a, &body_b);
            vp_collide_hull_destroy(&a.solid);
            vp_collide_hull_destroy(&b.solid);
        }
}

/* docs/CONTRACT.md: SHP-1, SHP-2, SHP-3 */
static void test_pairs(void **unused)
{
    (void)unused;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            double worst = 0.0;
            collide_pair((collide_kind)a, (collide_kind)b, &worst);
#ifdef TEST_DEEP
            print_message("%s, %s: worst error %.2g of the size\n", kind_name[a], kind_name[b], worst);
#endif
        }
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
    assert_true(vp_real3_length(normal) == 0.0 || vp_real3_length(vp_real3_plus(vp_real3_of(c.normal), normal, -1.0)) <= 2e-6);
}

/* ---- single cases ---- */

/* docs/CONTRACT.md: SHP-4. Degenerate cores have a normal. The cases with a number are failures of other libraries, from their reports. */
static void test_known(void **unused)
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
    (void)unused;
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

/* docs/CONTRACT.md: SHP-5 */
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_known), cmocka_unit_test(test_bits),
                                       cmocka_unit_test(test_bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
