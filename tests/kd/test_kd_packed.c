/* SPDX-License-Identifier: MIT */
/* The packed and the implied form hold the mesh bit for bit. The cases show that their nodes lose no hit. Also refused meshes, and
 * vertices moved to a lattice (docs/CONTRACT.md: TRE-3). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/memory.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { THIN = IS_THIN ? 3 * THIN_BY : 1 }; /* one in this many */

static vp_status make_tree(const vp_triangles *t, vp_kd_form form, vp_kd **out, vp_error *error)
{
    return vp_kd_create(&(vp_kd_def){.triangles = *t, .form = form}, out, error);
}

/* ---- contents of a tree ---- */

static void expect_held(const vp_triangles *t, vp_kd_form form)
{
    test_memory memory;
    vp_kd *tree;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    assert_ok(vp_kd_create(&(vp_kd_def){.triangles = *t, .form = form, .allocator = &allocator}, &tree, &error));
    const vp_kd_view *view = vp_kd_view_of(tree);
    const vp_kd_memory m = vp_kd_memory_of(tree);
    assert_null(view->triangles.vertex);
    assert_null(view->triangles.index);
    assert_int_equal(view->triangles.triangle_count, t->triangle_count);
    assert_int_equal(view->triangles.quads, t->quads);
    assert_int_equal(m.bytes, memory.live_bytes); /* in full */
    assert_int_equal(m.node_bytes, m.nodes * 64);
    assert_int_equal(m.item_bytes, (t->quads ? t->triangle_count / 2 : t->triangle_count) * (form == VP_KD_PACKED ? 10u : 4u));
    assert_true(m.bytes >= m.node_bytes + m.item_bytes + m.mesh_bytes);
    assert_true(m.bytes <= m.node_bytes + m.item_bytes + m.mesh_bytes + 192 + 40);
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vp_vec3 want[3], got[3];
        test_corners(t, i, want);
        vp_kd_corners(view, i, got);
        assert_memory_equal(got, want, sizeof want);
    }
    vp_kd_destroy(tree);
    test_memory_end(&memory);
}

TEST(meshes_are_held_bit_for_bit)
{
    for (uint64_t seed = 1; seed <= 24 / THIN; seed++) {
        vp_random r = {seed};
        test_triangles lattice, chunk, unpaired;
        test_lattice_soup(&r, vp_random_below(&r, 300), &lattice);
        test_chunk(&r, &chunk);
        test_unpaired(&chunk, &unpaired);
        expect_held(&lattice.view, VP_KD_PACKED);
        expect_held(&chunk.view, VP_KD_PACKED);
        expect_held(&chunk.view, VP_KD_IMPLIED);
        expect_held(&unpaired.view, VP_KD_PACKED);
        test_triangles_free(&lattice);
        test_triangles_free(&chunk);
        test_triangles_free(&unpaired);
    }
    expect_held(&(vp_triangles){.quads = true}, VP_KD_IMPLIED);
}

/* ---- refused meshes ---- */

TEST(what_does_not_fit_is_refused)
{
    vp_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0.25f, 0}, {1, 1, 1}};
    uint32_t index[4] = {0, 1, 2, 3};
    vp_kd *tree = NULL;
    vp_triangles t = {v, index, 4, 1, false};
    assert_ok(make_tree(&t, VP_KD_PACKED, &tree, &error));
    vp_kd_destroy(tree);
    v[1].y = 0.1f;
    assert_refused(make_tree(&t, VP_KD_PACKED, &tree, &error), VP_E_ARGUMENT, "vertex 1 has y = 0.100000001: must be a multiple of");
    v[1].y = -0.0f;
    assert_refused(make_tree(&t, VP_KD_PACKED, &tree, &error), VP_E_ARGUMENT, "vertex 1 has y = -0");
    v[1].y = 0;
    v[2].x = 65536; /* 65536 and a quarter is too far for a pitch of 1/4 */
    assert_refused(make_tree(&t, VP_KD_PACKED, &tree, &error), VP_E_ARGUMENT, "vertex 1 has x = 1: must be a multiple of 2 from 0");
    v[2].x = 0;
    t.vertex_count = 65536;
    vp_vec3 *many = calloc(65536, sizeof *many);
    assert_non_null(many);
    t.vertex = many;
    assert_refused(make_tree(&t, VP_KD_PACKED, &tree, &error), VP_E_ARGUMENT, "65536 vertices");
    assert_refused(make_tree(&t, VP_KD_IMPLIED, &tree, &error), VP_E_ARGUMENT, "65536 vertices");
    t.vertex_count = 65535;
    assert_ok(make_tree(&t, VP_KD_PACKED, &tree, &error));
    vp_kd_destroy(tree);
    assert_refused(make_tree(&t, VP_KD_IMPLIED, &tree, &error), VP_E_ARGUMENT, "only the quads");
    uint32_t *zeros = calloc(8193 * 3, sizeof *zeros);
    assert_non_null(zeros);
    t = (vp_triangles){many, zeros, 1, 8192, false};
    assert_ok(make_tree(&t, VP_KD_PACKED, &tree, &error));
    vp_kd_destroy(tree);
    t.triangle_count = 8193;
    assert_refused(make_tree(&t, VP_KD_PACKED, &tree, &error), VP_E_ARGUMENT, "8193 triangles");
    free(zeros);
    free(many);
}

TEST(other_nets_are_refused)
{
    const float in = 0.5f + 1.0f / 512;
    vp_vec3 v[6] = {{in, in, in}, {1 + in, in, in}, {1 + in, in, 1 + in}, {in, in, 1 + in}, {in, in, in}, {16 + in, in, in}};
    uint32_t index[8] = {0, 1, 2, 3, 0, 1, 2, 3};
    vp_kd *tree = NULL;
    vp_triangles t = {v, index, 6, 4, true};
    assert_ok(make_tree(&t, VP_KD_IMPLIED, &tree, &error)); /* the same quad twice counts as two quads */
    vp_kd_destroy(tree);
    index[4] = 1, index[5] = 2, index[6] = 3, index[7] = 0; /* rotated */
    assert_refused(make_tree(&t, VP_KD_IMPLIED, &tree, &error), VP_E_ARGUMENT, "quad 1, of vertices 1, 2, 3 and 0,");
    index[4] = 4, index[5] = 1, index[6] = 2, index[7] = 3; /* in the cell of vertex 0 */
    assert_refused(make_tree(&t, VP_KD_IMPLIED, &tree, &error), VP_E_ARGUMENT, "vertices 0 and 4 are in one cell");
    index[4] = 0, index[5] = 5; /* 17 cells */
    assert_refused(make_tree(&t, VP_KD_IMPLIED, &tree, &error), VP_E_ARGUMENT, "vertex 5 has x = 16.5019531");
    index[5] = 1;
    v[3].y += 1.0f / 1024;
    assert_refused(make_tree(&t, VP_KD_IMPLIED, &tree, &error), VP_E_ARGUMENT, "vertex 3 has y = 0.502929688: must be in one of");
    v[3].y = in + 255.0f / 256;
    v[0].z = in;
    assert_ok(make_tree(&t, VP_KD_IMPLIED, &tree, &error));
    vp_kd_destroy(tree);
}

/* ---- a lattice ---- */

TEST(vertices_are_moved_to_a_lattice)
{
    for (uint64_t seed = 1; seed <= 30 / THIN; seed++) {
        vp_random r = {seed};
        test_triangles t;
        test_soup(&r, 1 + vp_random_below(&r, 200), &t);
        const uint32_t count = t.view.vertex_count;
        vp_vec3 *moved = malloc(count * sizeof *moved);
        const float wanted = seed % 2 == 0 ? 0.0f : ldexpf(1.0f, -(int)(seed % 9));
        float largest, pitch, most = 0;
        vp_kd *tree;
        assert_non_null(moved);
        assert_ok(vp_kd_quantize(t.vertex, count, wanted, moved, &largest, &pitch, &error));
        assert_true(wanted == 0.0f || pitch == wanted);
        if (wanted == 0.0f) { /* half of it would not be enough */
            float half;
            assert_int_equal(vp_kd_quantize(t.vertex, count, pitch / 2, moved, NULL, &half, NULL), VP_E_ARGUMENT);
        }
        for (uint32_t i = 0; i < count; i++) {
            const float from[3] = {t.vertex[i].x, t.vertex[i].y, t.vertex[i].z}, to[3] = {moved[i].x, moved[i].y, moved[i].z};
            for (int k = 0; k < 3; k++) {
                assert_true(fmodf(to[k], pitch) == 0);
                assert_true(fabs((double)to[k] - (double)from[k]) <= (double)pitch / 2);
                most = fmaxf(most, fabsf(to[k] - from[k]));
            }
        }
        assert_true(fabsf(most - largest) <= 1e-6f * largest);
        const vp_triangles on = {moved, t.index, count, t.view.triangle_count, false};
        assert_ok(make_tree(&on, VP_KD_PACKED, &tree, &error));
        vp_kd_destroy(tree);
        free(moved);
        test_triangles_free(&t);
    }
    const vp_vec3 v[2] = {{0.5f, -0.4f, -1.5f}, {100, NAN, 0}};
    vp_vec3 out[2];
    float largest;
    assert_ok(vp_kd_quantize(v, 1, 1.0f, out, &largest, NULL, &error));
    assert_true(out[0].x == 1 && out[0].y == 0 && !signbit(out[0].y) && out[0].z == -1 && largest == 0.5f);
    assert_refused(vp_kd_quantize(v, 2, 1.0f, out, NULL, NULL, &error), VP_E_ARGUMENT, "vertex 1 has y = ");
    assert_refused(vp_kd_quantize(v, 1, 0.3f, out, NULL, NULL, &error), VP_E_ARGUMENT, "pitch is 0.3; must be");
    assert_refused(vp_kd_quantize(v, 1, -1.0f, out, NULL, NULL, &error), VP_E_ARGUMENT, "pitch is -1; must be");
    assert_refused(vp_kd_quantize(v, 1, NAN, out, NULL, NULL, &error), VP_E_ARGUMENT, "pitch is ");
    const vp_vec3 wide[2] = {{0, 0, 0}, {65536, 0, 0}};
    assert_refused(vp_kd_quantize(wide, 2, 1.0f, out, NULL, NULL, &error), VP_E_ARGUMENT, "65536 times that apart");
}
