/* SPDX-License-Identifier: MIT */
/* Building trees. Every version must build the same bytes in the caller's scratch, at sizes where it keeps items in vectors, lists and
 * arrays, and no -0 (docs/CONTRACT.md: TRE-1, ALL-5). Golden digests keep the nodes, and rays and boxes show that nothing is lost. */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

/* ---- difficult triangles ---- */

enum { THIN = IS_THIN ? 3 * THIN_BY : 1 }; /* one in this many */

enum { SCATTERED, LATTICE, ALL_THE_SAME, CONCENTRIC, HUGE_ONES, CROWDED, SHEET, ONE_FAR, KINDS };

static float coordinate(vp_random *r, int kind, uint32_t item, int axis)
{
    static const float lattice[] = {-0.0f, 0.0f, 1.0f, 1.0f, 2.0f, -1.0f, 0.5f, -0.0f};
    static const float huge[] = {1099511627776.0f, -1099511627776.0f, 1e-40f, -0.0f, 0.0f, 1.0f, 16777216.0f, -3.0f};
    const float some = vp_random_between(r, -1.0f, 1.0f);
    switch (kind) {
    case SCATTERED:
        return some * 50.0f;
    case LATTICE:
        return lattice[vp_random_below(r, 8)];
    case ALL_THE_SAME:
        return (float)axis;
    case CONCENTRIC:
        return (vp_random_below(r, 2) == 0 ? 1.0f : -1.0f) * (float)(1 + item % 7);
    case HUGE_ONES:
        return huge[vp_random_below(r, 8)];
    case CROWDED:
        return ldexpf(1.0f + 0.1f * some, 30 - (int)(item % 150));
    case SHEET:
        return axis == 1 ? some : (float)(axis == 0 ? item % 12 : item / 12) + 0.5f * some;
    default:
        return item == 0 ? 1e9f : (float)item * 1e-3f + 1e-4f * some;
    }
}

/* `items` quads or triangles. Concentric ones have the same centre on each axis. Some corners are shared. */
static test_triangles make_input(vp_random *r, int kind, uint32_t items, bool quads)
{
    const uint32_t corners = quads ? 4 : 3, vertices = items * corners;
    test_triangles in = {.vertex = malloc((vertices + 1u) * sizeof *in.vertex), .index = malloc((vertices + 1u) * sizeof *in.index)};
    assert_true(in.vertex != NULL && in.index != NULL);
    in.view = (vp_triangles){in.vertex, in.index, vertices, quads ? 2 * items : items, quads};
    for (uint32_t i = 0; i < vertices; i++) {
        float *at = &in.vertex[i].x;
        for (int axis = 0; axis < 3; axis++)
            at[axis] = coordinate(r, kind, i / corners, axis);
        if (kind == CONCENTRIC && i % corners == 1)
            in.vertex[i] = vp_vec3_scale(in.vertex[i - 1], -1.0f);
        if (kind == CONCENTRIC && i % corners > 1)
            in.vertex[i] = in.vertex[i - 1];
        in.index[i] = kind != CONCENTRIC && i >= corners && vp_random_below(r, 4) == 0 ? vp_random_below(r, i) : i;
    }
    return in;
}

/* ---- building ---- */

static test_table table[TEST_TABLES_MAX];
static size_t tables;
static unsigned char *scratch; /* SCRATCH bytes */
enum { SCRATCH = 1 << 21 };

static vp_kd *build(vp_kd_def def)
{
    vp_kd *tree;
    assert_ok(vp_kd_create(&def, &tree, &error));
    return tree;
}

static void expect_same_tree(const vp_kd *a, const vp_kd *b)
{
    const vp_kd_view *x = vp_kd_view_of(a), *y = vp_kd_view_of(b);
    const vp_kd_memory m = vp_kd_memory_of(a), n = vp_kd_memory_of(b);
    assert_memory_equal(&x->box, &y->box, sizeof x->box);
    assert_true(m.nodes == n.nodes && m.item_bytes == n.item_bytes && m.mesh_bytes == n.mesh_bytes && m.bytes == n.bytes);
    assert_true(memcmp(&x->pitch, &y->pitch, sizeof x->pitch) == 0);
    if (m.nodes == 0)
        return;
    if (x->form == VP_KD_PACKED || x->form == VP_KD_IMPLIED) { /* all of the block */
        assert_memory_equal(x->line, y->line, m.bytes - (size_t)((const char *)x->line - (const char *)a));
        return;
    }
    assert_memory_equal(x->node, y->node, m.node_bytes);
    for (uint32_t i = 0; x->form == VP_KD_WIDE && i < vp_kd_item_count(&x->triangles); i++) {
        assert_memory_equal(&x->item[i], &y->item[i], sizeof *x->item);
        assert_int_equal(x->item_id[i], y->item_id[i]);
    }
}

/* Every version's tree, built in scratch of exactly the documented size, equals the reference's. The scratch is filled with garbage before
 * and after. Versions that run through SIMDe are slow, so they are tested every fifth time. @return that tree */
static vp_kd *build_by_all(const vp_triangles *t, vp_kd_form form)
{
    static uint32_t turn;
    const size_t needed = vp_kd_create_scratch_bytes(form, vp_kd_item_count(t));
    vp_kd_def def = {.triangles = *t, .form = form, .kernels = &table[0].kernels};
    vp_kd *reference = build(def);
    assert_true(needed + 64 <= SCRATCH);
    def.scratch = scratch;
    def.scratch_bytes = needed;
    turn++;
    for (size_t k = 0; k < tables; k++) {
        const vp_isa isa = vp_kernels_isa(&table[k].kernels, VP_KERNEL_kd_build);
        if (vp_isa_via(isa) != VP_VIA_NATIVE && (turn / 3 + k) % 5 != 0)
            continue;
        memset(scratch, k % 2 == 0 ? 0xa5 : 0xff, needed + 64);
        def.kernels = &table[k].kernels;
        vp_kd *tree = build(def);
        for (size_t b = needed; b < needed + 64; b++)
            assert_int_equal(scratch[b], k % 2 == 0 ? 0xa5 : 0xff);
        memset(scratch, 0x5a, needed);
        expect_same_tree(tree, reference);
        vp_kd_destroy(tree);
    }
    return reference;
}

/* ---- invariants of a tree ---- */

/* No plane of a published or slab tree is -0. */
static void expect_no_minus(const vp_kd *tree)
{
    const vp_kd_view *view = vp_kd_view_of(tree);
    const uint64_t nodes = view->form == VP_KD_PUBLISHED || view->form == VP_KD_SLAB ? vp_kd_memory_of(tree).nodes : 0;
    for (uint64_t i = 0; i < nodes; i++)
        for (int k = 0; k < 2 && vp_kd_axis(&view->node[i]) != 3; k++)
            assert_false(view->node[i].u.plane[k] == 0.0f && signbit(view->node[i].u.plane[k]));
}

/* ---- tests ---- */

static void build_every_way(vp_random *r, int kind, uint32_t items, bool quads)
{
    test_triangles in = make_input(r, kind, items, quads);
    static const vp_kd_form forms[] = {VP_KD_WIDE, VP_KD_PUBLISHED, VP_KD_SLAB};
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        vp_kd *tree = build_by_all(&in.view, forms[f]);
        expect_no_minus(tree);
        vp_kd_destroy(tree);
    }
    test_triangles_free(&in);
}

/* Every number of items up to 300, and random numbers, often with repeated items. */
TEST(small_sets_are_built_alike)
{
    for (uint32_t items = 0; items <= 300; items++)
        for (uint32_t k = 0; k < 2; k++) {
            vp_random r = {items * 3 + k};
            build_every_way(&r, (int)((items + k * 3) % KINDS), items, (items + k) % 2 == 0);
        }
    for (uint64_t seed = 1; seed <= 120 / THIN; seed++) {
        vp_random r = {seed * 7919};
        const uint32_t most = vp_random_below(&r, 10) == 0 ? 700 : 40, items = vp_random_below(&r, most);
        const int kind = (int)vp_random_below(&r, KINDS);
        build_every_way(&r, kind, items, vp_random_below(&r, 2) == 0);
    }
}

/* Points that are denser towards one end, so that a mean leaves a quarter to a half of them on the other side. The last parts of a big
 * set's wide node are then a few dozen items, whose sides are shorter than the writes past their ends. Only about one in two hundred of
 * these sets has such a part next to a part that is still to be read, so the test needs many sets. */
TEST(uneven_sets_are_built_alike)
{
    for (uint32_t k = 0; k < 600 / THIN; k++) {
        vp_random r = {k + 1};
        const uint32_t items = 193 + vp_random_below(&r, 900);
        const float power = vp_random_between(&r, 1.0f, 6.0f);
        test_triangles in = make_input(&r, ALL_THE_SAME, items, false);
        for (uint32_t i = 0; i < 3 * items; i += 3) {
            in.vertex[i].x = 100.0f * powf(vp_random_unit(&r), power);
            in.vertex[i].y = 100.0f * powf(vp_random_unit(&r), power);
            in.vertex[i].z = 100.0f * powf(vp_random_unit(&r), power);
            in.vertex[i + 1] = in.vertex[i + 2] = in.vertex[i];
        }
        for (uint32_t i = 0; i < 3 * items; i++)
            in.index[i] = i;
        vp_kd_destroy(build_by_all(&in.view, VP_KD_WIDE));
        test_triangles_free(&in);
    }
}

/* Packed and implied trees are built from wide ones in the same scratch. Also tests the errors. */
TEST(scratch_is_the_callers)
{
    for (int form = VP_KD_PACKED; form <= VP_KD_IMPLIED; form++) {
        vp_random r = {11};
        test_triangles t;
        vp_kd *tree;
        test_chunk(&r, &t);
        vp_kd_destroy(build_by_all(&t.view, (vp_kd_form)form));
        const size_t needed = vp_kd_create_scratch_bytes((vp_kd_form)form, vp_kd_item_count(&t.view));
        vp_kd_def def = {.triangles = t.view, .form = (vp_kd_form)form, .scratch = scratch, .scratch_bytes = needed - 1};
        char named[64];
        snprintf(named, sizeof named, "scratch of %zu bytes: %zu are needed", needed - 1, needed);
        assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, named);
        def.scratch = scratch + 8;
        def.scratch_bytes = needed;
        assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "not at a multiple of 64");
        test_triangles_free(&t);
    }
}

int main(void)
{
    tables = test_tables(table);
    scratch = aligned_alloc(64, SCRATCH);
    const int failed = scratch == NULL ? 1 : test_run_all(NULL, NULL);
    free(scratch);
    return failed;
}
