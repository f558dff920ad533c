/* SPDX-License-Identifier: MIT */
/* The result depends on the shape alone (docs/CONTRACT.md: DEC-3, DEC-4), not on shared vertices, scale or position. Every epsilon is a
 * length, so a scaled shape has the same hulls, scaled. test_decompose_soups.c covers the order and threads. */
#include "datasets/generate/shapes.h"
#include "tests/decompose/shapes.h"

static const struct {
    const char *name;
    double grain;
} shapes[] = {{"solid-l", 500}, {"solid-ring", 250}, {"solid-t", 1000}, {"solid-cross", 1000}, {"solid-steps", 1000}};
#ifdef TEST_THIN
enum { SHAPES = 2, EVERY = 3 };
#else
enum { SHAPES = sizeof shapes / sizeof *shapes, EVERY = 1 };
#endif

/* ---- scale ---- */

/* The hulls have the same triangles and vertices in the same order. With `exactly`, all lengths are scaled bit for bit. */
static void expect_scaled(const char *what, const vp_decomposition *a, const vp_decomposition *b, double scale, bool exactly)
{
    if (a->hull_count != b->hull_count)
        fail_msg("%s, scaled by %g: %u hulls, not %u", what, scale, b->hull_count, a->hull_count);
    for (uint32_t i = 0; i < a->hull_count; i++) {
        const vp_decomposition_hull *p = &a->hull[i], *q = &b->hull[i];
        assert_int_equal(p->triangle_count, q->triangle_count);
        assert_memory_equal(p->triangle, q->triangle, p->triangle_count * sizeof *p->triangle);
        assert_int_equal(p->point_count, q->point_count);
        assert_int_equal(p->hull.dimension, q->hull.dimension);
        assert_int_equal(p->node, q->node);
        for (uint32_t k = 0; k < p->point_count; k++)
            assert_true(!exactly ||
                        ((double)p->point[k].x * scale == (double)q->point[k].x && (double)p->point[k].y * scale == (double)q->point[k].y &&
                         (double)p->point[k].z * scale == (double)q->point[k].z));
        assert_true(exactly ? p->error * scale == q->error : fabs(p->error * scale - q->error) <= 1e-3 * a->lengths.quantization * scale);
    }
    if (exactly) {
        assert_true(a->lengths.quantization * scale == b->lengths.quantization);
        assert_int_equal(a->counts.predictions, b->counts.predictions);
        assert_int_equal(a->counts.samples, b->counts.samples);
    }
}

TEST(scaled)
{
    static small_mesh m, other;
    const double scales[] = {0x1p-30, 0x1p-1, 0x1p20, 0x1p60, 0.001, 3.0, 1e6};
    for (int i = 0; i < SHAPES; i++) {
        make_shape(shapes[i].name, shapes[i].grain, 1.0, &m);
        const vp_decomposition_def def = def_of(&m);
        vp_decomposition want;
        assert_ok(vp_decomposition_create(&def, &want, &error));
        for (size_t k = 0; k < sizeof scales / sizeof *scales; k += EVERY)
            for (int world = 0; world < 2; world++) {
                other = m;
                for (uint32_t p = 0; p < m.points; p++)
                    other.point[p] = (vp_vec3){(float)((double)m.point[p].x * scales[k]), (float)((double)m.point[p].y * scales[k]),
                                               (float)((double)m.point[p].z * scales[k])};
                vp_decomposition_def scaled_def = def_of(&other);
                if (world == 1) {
                    scaled_def.unit = VP_DECOMPOSITION_WORLD;
                    scaled_def.quantization = (float)(want.lengths.quantization * scales[k]);
                    scaled_def.concavity = (float)(want.lengths.concavity * scales[k]);
                    scaled_def.spacing = (float)(want.lengths.spacing * scales[k]);
                }
                vp_decomposition got;
                assert_ok(vp_decomposition_create(&scaled_def, &got, &error));
                expect_scaled(shapes[i].name, &want, &got, scales[k], k < 4 && world == 0);
                vp_decomposition_destroy(&got);
            }
        vp_decomposition_destroy(&want);
    }
}

/* Far from the origin the hulls are the same if the points are. */
TEST(moved)
{
    static small_mesh m;
    for (int i = 0; i < SHAPES; i++) {
        make_shape(shapes[i].name, shapes[i].grain, 1.0, &m);
        for (uint32_t k = 0; k < m.points; k++) /* to 1/8, so that moving is exact */
            m.point[k] = (vp_vec3){roundf(m.point[k].x * 8) / 8, roundf(m.point[k].y * 8) / 8, roundf(m.point[k].z * 8) / 8};
        vp_decomposition_def def = def_of(&m);
        vp_decomposition want, got;
        assert_ok(vp_decomposition_create(&def, &want, &error));
        for (uint32_t k = 0; k < m.points; k++)
            m.point[k] = vp_vec3_add(m.point[k], (vp_vec3){500000.0f, -700000.0f, 300000.0f});
        assert_ok(vp_decomposition_create(&def, &got, &error));
        expect_scaled(shapes[i].name, &want, &got, 1.0, false);
        vp_decomposition_destroy(&got);
        vp_decomposition_destroy(&want);
    }
}
