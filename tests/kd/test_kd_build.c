/* SPDX-License-Identifier: MIT */
/* Building trees: the axis, the partition, the planes, the slabs and the numbering of nodes are checked against src/kernel/kd.h, from the
 * triangles alone. Every version must build the same bytes in the caller's scratch, at sizes where it keeps items in vectors, lists and
 * arrays (docs/CONTRACT.md: TRE-1, ALL-5). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

/* ---- difficult triangles ---- */

#ifdef TEST_THIN /* one in this many */
enum { THIN = 3 * TEST_THIN };
#else
enum { THIN = 1 };
#endif

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

typedef struct triangle_extent {
    float low[3], high[3];
} triangle_extent;

/* Walks a tree and checks its construction. */
typedef struct check {
    const vp_kd_view *tree;
    triangle_extent *item;
    uint32_t *seen; /* items of the leaves so far */
    uint32_t count, next;
} check;

static void widen(triangle_extent *e, const triangle_extent *by)
{
    for (int k = 0; k < 3; k++) {
        e->low[k] = fminf(e->low[k], by->low[k]);
        e->high[k] = fmaxf(e->high[k], by->high[k]);
    }
}

static triangle_extent extent_of(const check *c, const uint32_t *ids, uint32_t count)
{
    triangle_extent e = c->item[ids[0]];
    for (uint32_t i = 1; i < count; i++)
        widen(&e, &c->item[ids[i]]);
    return e;
}

static check check_of(const vp_kd_view *tree)
{
    const vp_triangles *t = &tree->triangles;
    const uint32_t items = vp_kd_item_count(t), corners = t->quads ? 4 : 3;
    check c = {tree, malloc((items + 1u) * sizeof(triangle_extent)), malloc((items + 1u) * sizeof(uint32_t)), 0, 1};
    assert_true(c.item != NULL && c.seen != NULL);
    for (uint32_t i = 0; i < items * corners; i++) {
        const vp_vec3 v = t->vertex[t->index[i]];
        const triangle_extent e = {{v.x, v.y, v.z}, {v.x, v.y, v.z}};
        if (i % corners == 0)
            c.item[i / corners] = e;
        widen(&c.item[i / corners], &e);
    }
    return c;
}

static float middle_of(const check *c, uint32_t id, int axis)
{
    return c->item[id].low[axis] + c->item[id].high[axis];
}

static bool is_before(const check *c, uint32_t a, uint32_t b, int axis)
{
    const float of_a = middle_of(c, a, axis), of_b = middle_of(c, b, axis);
    return of_a < of_b || (of_a == of_b && a < b);
}

/* Number of the set's centres below a value. */
static uint32_t below(const check *c, const uint32_t *ids, uint32_t count, int axis, double than)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        n += (double)middle_of(c, ids[i], axis) < than;
    return n;
}

static bool balanced(uint32_t left, uint32_t count)
{
    return 4 * left >= count && 4 * (count - left) >= count;
}

/* Partition of a set. The left items come first, and their number follows from the mean, unless rounding could change it. */
static void expect_split(const check *c, const uint32_t *ids, uint32_t left, uint32_t count, int axis)
{
    uint32_t last = ids[0], first = ids[left];
    double sum = 0.0, size = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double m = (double)middle_of(c, ids[i], axis);
        sum += m / count;
        size = fmax(size, fabs(m));
        if (i < left && is_before(c, last, ids[i], axis))
            last = ids[i];
        if (i >= left && is_before(c, ids[i], first, axis))
            first = ids[i];
    }
    assert_true(is_before(c, last, first, axis));
    assert_true(balanced(left, count) || left == count / 2);
    const double unsure = size * count * 0x1p-23;
    const uint32_t least = below(c, ids, count, axis, sum - unsure), most = below(c, ids, count, axis, sum + unsure);
    if (least == most)
        assert_int_equal(left, balanced(least, count) ? least : count / 2);
}

static int longest(const triangle_extent *e)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (e->high[k] - e->low[k] > e->high[axis] - e->low[axis])
            axis = k;
    return axis;
}

/* The axis of the slab that a set must have inside its known bounds, or -1. */
static int slab_axis(const triangle_extent *e, const triangle_extent *known)
{
    int axis = -1;
    float least = 0.5f;
    for (int k = 0; k < 3; k++)
        if ((e->high[k] - e->low[k]) / (known->high[k] - known->low[k]) < least) {
            least = (e->high[k] - e->low[k]) / (known->high[k] - known->low[k]);
            axis = k;
        }
    return axis;
}

static void expect_leaf(check *c, const vp_kd_node *node)
{
    const bool quads = c->tree->triangles.quads;
    const uint32_t *triangle = node->u.triangle, count = vp_kd_child(node);
    if (quads) {
        assert_int_equal(count, 2);
        assert_int_equal(triangle[0] % 2, 0);
        assert_int_equal(triangle[1], triangle[0] + 1);
        c->seen[c->count++] = triangle[0] / 2;
        return;
    }
    assert_in_range(count, 1, 2);
    assert_true(count == 1 ? triangle[1] == triangle[0] : triangle[1] > triangle[0]);
    for (uint32_t i = 0; i < count; i++)
        c->seen[c->count++] = triangle[i];
}

static void expect_no_minus(const float plane[2])
{
    assert_false((plane[0] == 0.0f && signbit(plane[0])) || (plane[1] == 0.0f && signbit(plane[1])));
}

/* Walks a node's set. Its items are then the last ones visited. Slabs are kept until the set's leaves have been visited, because only then
 * is the set known. They are then checked one by one, and each reduces `known`. */
static void expect_node(check *c, uint32_t at, triangle_extent known)
{
    const vp_kd_node *slab[3] = {NULL, NULL, NULL}, *node = &c->tree->node[at];
    const uint32_t first = c->count;
    triangle_extent around = known;
    int slabs = 0;
    for (; vp_kd_axis(node) != 3 && vp_kd_is_slab(node); slabs++) {
        assert_true(slabs < 3);
        assert_int_equal(vp_kd_child(node), c->next);
        slab[slabs] = node;
        around.low[vp_kd_axis(node)] = node->u.plane[0];
        around.high[vp_kd_axis(node)] = node->u.plane[1];
        node = &c->tree->node[c->next++];
    }
    if (vp_kd_axis(node) == 3) {
        expect_leaf(c, node);
    } else {
        const int axis = (int)vp_kd_axis(node);
        const uint32_t child = vp_kd_child(node);
        triangle_extent left = around, right = around;
        assert_int_equal(child, c->next);
        c->next += 2;
        left.high[axis] = fminf(around.high[axis], node->u.plane[0]);
        right.low[axis] = fmaxf(around.low[axis], node->u.plane[1]);
        expect_node(c, child, left);
        const uint32_t lefts = c->count - first;
        expect_node(c, child + 1, right);
        const uint32_t *ids = c->seen + first, count = c->count - first;
        const triangle_extent all = extent_of(c, ids, count), of_left = extent_of(c, ids, lefts);
        const triangle_extent of_right = extent_of(c, ids + lefts, count - lefts);
        assert_int_equal(axis, longest(&all));
        assert_true(node->u.plane[0] == of_left.high[axis] && node->u.plane[1] == of_right.low[axis]);
        expect_no_minus(node->u.plane);
        expect_split(c, ids, lefts, count, axis);
    }
    const triangle_extent all = extent_of(c, c->seen + first, c->count - first);
    for (int i = 0; c->tree->form == VP_KD_SLAB && i <= slabs; i++) {
        const int axis = slab_axis(&all, &known);
        assert_int_equal(axis, i < slabs ? (int)vp_kd_axis(slab[i]) : -1);
        if (i == slabs)
            break;
        assert_true(slab[i]->u.plane[0] == all.low[axis] && slab[i]->u.plane[1] == all.high[axis]);
        expect_no_minus(slab[i]->u.plane);
        known.low[axis] = all.low[axis];
        known.high[axis] = all.high[axis];
    }
}

static void expect_tree(const vp_kd *of)
{
    const vp_kd_view *tree = vp_kd_view_of(of);
    const uint32_t items = vp_kd_item_count(&tree->triangles), nodes = (uint32_t)vp_kd_memory_of(of).nodes;
    const vp_aabb *box = &tree->box;
    check c = check_of(tree);
    const triangle_extent root = {{box->min.x, box->min.y, box->min.z}, {box->max.x, box->max.y, box->max.z}};
    if (items == 0) {
        assert_int_equal(nodes, 0);
        assert_true(root.low[0] == INFINITY && root.high[2] == -INFINITY);
    } else {
        expect_node(&c, 0, root);
        assert_int_equal(c.next, nodes);
        assert_int_equal(c.count, items);
        const triangle_extent all = extent_of(&c, c.seen, items);
        for (int k = 0; k < 3; k++)
            assert_true(root.low[k] == all.low[k] && root.high[k] == all.high[k]);
        for (uint32_t i = 0; i < items; i++) { /* each item once, marked in memory that is no longer needed */
            assert_true(c.seen[i] < items);
            assert_true(c.item[c.seen[i]].low[0] <= c.item[c.seen[i]].high[0]);
            c.item[c.seen[i]].low[0] = INFINITY;
        }
    }
    free(c.item);
    free(c.seen);
}

/* ---- tests ---- */

static void build_every_way(vp_random *r, int kind, uint32_t items, bool quads)
{
    test_triangles in = make_input(r, kind, items, quads);
    static const vp_kd_form forms[] = {VP_KD_WIDE, VP_KD_PUBLISHED, VP_KD_SLAB};
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        vp_kd *tree = build_by_all(&in.view, forms[f]);
        if (forms[f] != VP_KD_WIDE) /* its nodes are unspecified */
            expect_tree(tree);
        vp_kd_destroy(tree);
    }
    test_triangles_free(&in);
}

/* Every number of items up to 300, and random numbers, often with repeated items. */
static void small_sets_are_built_alike(void **state)
{
    (void)state;
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
static void uneven_sets_are_built_alike(void **state)
{
    (void)state;
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
static void scratch_is_the_callers(void **state)
{
    (void)state;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sets_are_built_alike),
        cmocka_unit_test(uneven_sets_are_built_alike),
        cmocka_unit_test(scratch_is_the_callers),
    };
    tables = test_tables(table);
    scratch = aligned_alloc(64, SCRATCH);
    const int failed = scratch == NULL ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
    free(scratch);
    return failed;
}
