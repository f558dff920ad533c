/* SPDX-License-Identifier: MIT */
/* Building trees. Every version must build the same bytes in the caller's scratch from uneven sets, which are rare among those of the cases
 * (docs/CONTRACT.md: TRE-1). Golden digests keep the nodes, and rays and boxes show that nothing is lost. */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { THIN = IS_THIN ? 3 * THIN_BY : 1 }; /* one in this many */

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

/* Points that are denser towards one end, so that a mean leaves a quarter to a half of them on the other side. The last parts of a big
 * set's wide node are then a few dozen items, whose sides are shorter than the writes past their ends. Only about one in two hundred of
 * these sets has such a part next to a part that is still to be read, so the test needs many sets. Also every number of items up to 199, in
 * every form. */
TEST(uneven_sets_are_built_alike)
{
    enum { MOST = 1093 };
    static vp_vec3 vertex[3 * MOST];
    static uint32_t index[3 * MOST];
    for (uint32_t k = 0; k < 800 / THIN; k++) {
        vp_random r = {k + 1};
        const bool small = k % 4 == 0;
        const uint32_t items = small ? k / 4 : 193 + vp_random_below(&r, MOST - 193);
        const float power = vp_random_between(&r, 1.0f, 6.0f);
        for (uint32_t i = 0; i < 3 * items; i++)
            index[i] = i;
        for (uint32_t i = 0; i < 3 * items; i += 3) {
            vertex[i].x = 100.0f * powf(vp_random_unit(&r), power);
            vertex[i].y = 100.0f * powf(vp_random_unit(&r), power);
            vertex[i].z = 100.0f * powf(vp_random_unit(&r), power);
            vertex[i + 1] = vertex[i + 2] = vertex[i];
        }
        const vp_triangles t = {vertex, index, 3 * items, items, false};
        vp_kd_destroy(build_by_all(&t, VP_KD_WIDE));
        if (small) {
            vp_kd_destroy(build_by_all(&t, VP_KD_PUBLISHED));
            vp_kd_destroy(build_by_all(&t, VP_KD_SLAB));
        }
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
