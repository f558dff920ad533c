/* SPDX-License-Identifier: MIT */
/* A margin adds points that are apart, and changes no touching point. The nearest point is as far away as the surface. */
#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/manifold_scene.h"

#ifdef TEST_DEEP
enum { TIMES = 50 };
#else
enum { TIMES = 1 };
#endif

/* ---- touching points ---- */

static uint32_t ask_with(const scene *s, const vp_manifold_body *body, float wide, bool whole, vp_manifold *out)
{
    const vp_manifold_def def = {.margin = wide, .whole = whole};
    uint32_t made;
    assert_ok(vp_manifold_terrain(&def, body, &s->reader, &scratch, out, MANIFOLDS, &made, &error));
    assert_true(made <= MANIFOLDS);
    return made;
}

/* Removes points that are apart, and manifolds without points. */
static uint32_t keep_touching(vp_manifold *m, uint32_t made)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < made; i++) {
        uint32_t count = 0;
        while (count < m[i].count && m[i].point[count].distance <= 0.0f)
            count++;
        memset(m[i].point + count, 0, (VP_MANIFOLD_POINTS - count) * sizeof *m[i].point);
        m[i].count = count;
        if (count > 0)
            m[kept++] = m[i];
    }
    return kept;
}

/* docs/CONTRACT.md: MAN-7 */
static void touching(void **state)
{
    (void)state;
    static const float wide[] = {0.005f, 0.02f, 0.1f, 1.0f};
    scene s;
    vp_random r = {43};
    uint32_t points = 0, more = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < TIMES * POSES * VP_BODIES; i++) {
        static vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        vp_manifold_body body = some_body(&r, &s, (vp_body)(i % VP_BODIES));
        const bool whole = i % 3 != 0;
        if (i % 2 == 0) /* with several points that barely touch */
            body.pose.position.y -= vp_random_between(&r, 0.0f, 0.05f);
        const uint32_t made = ask_with(&s, &body, 0.0f, whole, m);
        for (size_t k = 0; k < sizeof wide / sizeof wide[0]; k++) {
            const uint32_t all = ask_with(&s, &body, wide[k], whole, n), kept = keep_touching(n, all);
            if (kept != made || memcmp(m, n, made * sizeof *m) != 0)
                fail_msg("%s at %g, %g, %g: with margin %g other points touch", vp_body_name((vp_body)(i % VP_BODIES)),
                         (double)body.pose.position.x, (double)body.pose.position.y, (double)body.pose.position.z, (double)wide[k]);
            more += all > kept;
        }
        for (uint32_t k = 0; k < made; k++)
            points += m[k].count;
    }
    close_scene(&s);
    assert_true(points > POSES * VP_BODIES && more > POSES);
}

/* A crate on a bumpy slope has four touching points. The two farther points have directions of their own. */
static void crate(void **state)
{
    (void)state;
    const vp_vec3 p[6] = {{-2.0f, 0.05f, -2.0f}, {0.0f, 0.0f, -2.0f}, {2.0f, 0.25f, -2.0f},
                          {-2.0f, 0.05f, 2.0f},  {0.0f, 0.0f, 2.0f},  {2.0f, 0.25f, 2.0f}};
    static const int corner[4][3] = {{0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}};
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const vp_manifold_body body = {&box, vp_pose_at((vp_vec3){0.0f, 0.5f, 0.0f})};
    vp_collide_triangle t[4];
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(4)];
    for (uint32_t i = 0; i < 4; i++)
        t[i] = vp_collide_triangle_of((vp_vec3[3]){p[corner[i][0]], p[corner[i][1]], p[corner[i][2]]}, i);
    assert_ok(vp_collide_connect(t, 4, words, &error));
    for (int k = 0; k < 3; k++) {
        const vp_manifold_def def = {.margin = 0.1f * (float)k};
        vp_manifold m[VP_MANIFOLD_DIRECTIONS];
        uint32_t made, right = 0;
        assert_ok(vp_manifold_mesh(&def, &body, t, 4, &scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &error));
        for (uint32_t i = 0; i < made; i++)
            for (uint32_t j = 0; j < m[i].count; j++)
                right += m[i].point[j].distance < -0.06f && m[i].point[j].on_shape.x > 0.49f;
        assert_int_equal(right, 2);
    }
}

/* ---- the nearest point ---- */

/* The distance of the nearest triangle, by the oracle. */
static double distance_to(const vp_manifold_body *body, const vp_collide_triangle *t, uint32_t count)
{
    vp_oracle_shape oracle;
    double least = INFINITY;
    assert_ok(vp_oracle_shape_create(body->shape, &oracle, &error));
    for (uint32_t i = 0; i < count; i++) {
        vp_oracle_truth truth;
        vp_oracle_truth_of(&oracle, &body->pose, t[i].corner, &truth);
        least = truth.distance < least ? truth.distance : least;
    }
    vp_oracle_shape_destroy(&oracle);
    return least;
}

/* docs/CONTRACT.md: MAN-2. Bodies at any distance from a box, with any rotation. */
static void nearest(void **state)
{
    (void)state;
    vp_random r = {47};
    uint32_t far = 0, near = 0;
    for (int i = 0; i < TIMES * 4 * POSES; i++) {
        const vp_vec3 half = {vp_random_between(&r, 0.2f, 2.0f), vp_random_between(&r, 0.2f, 2.0f), vp_random_between(&r, 0.2f, 2.0f)};
        const vp_aabb box = {{-half.x, -half.y, -half.z}, half};
        const vp_manifold_def def = {.margin = 20.0f};
        vp_collide_triangle t[VP_COLLIDE_BOX_TRIANGLES];
        vp_manifold m[VP_MANIFOLD_DIRECTIONS];
        uint32_t made;
        const uint32_t count = vp_collide_box_triangles(&box, 63, 0, t);
        vp_manifold_body body = {&bodies[i % VP_BODIES].shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
        vp_random_rotation(&r, body.pose.rotation);
        const float reach = i % 2 == 0 ? 4.0f : 1.8f;
        body.pose.position = (vp_vec3){reach * random_sign(&r), reach * random_sign(&r), reach * random_sign(&r)};
        const double d = distance_to(&body, t, count);
        const vp_vec3 p = body.pose.position;
        if (d <= 0.0 || (fabsf(p.x) < half.x && fabsf(p.y) < half.y && fabsf(p.z) < half.z))
            continue;
        assert_ok(vp_manifold_mesh(&def, &body, t, count, &scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &error));
        assert_true(made > 0);
        const double radius = (double)vp_collide_radius(body.shape), least = (double)m[0].point[0].distance;
        const double most = d > radius / 256.0 ? d + radius * 0x1p-15 : radius / 256.0;
        if (!(least > d - 1e-4 && least <= most))
            fail_msg("%s is %.7g apart, and %.7g by its manifolds", vp_body_name((vp_body)(i % VP_BODIES)), d, least);
        far += d > radius / 256.0;
        near += d <= radius / 16.0;
    }
    assert_true(far > POSES && near > POSES / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(touching), cmocka_unit_test(crate), cmocka_unit_test(nearest)};
    return cmocka_run_group_tests(tests, begin, end);
}
