/* SPDX-License-Identifier: MIT */
/* Shape against shape: exchanged and moved pairs, parallel disks, and bad input. The case collide_shapes and the corpus judge every pair of
 * shapes, also in cases that other libraries fail at. */
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
