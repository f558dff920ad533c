/* SPDX-License-Identifier: MIT */
/* Rounded planets against the formula in long double, components of grids of any size against lowest cells that spread until nothing
 * changes, and bad input of boxes, components and paths. Judges of cases/ check the other answers. */
#include "tests/blocks/worlds.h"
#include "tests/support/memory.h"

#include <math.h>

enum { POINTS = IS_THIN ? 20000 / THIN_BY : 100000 };

static long double length_of(const long double v[3])
{
    return sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void minus(vp_vec3 a, vp_vec3 b, long double out[3])
{
    out[0] = (long double)a.x - b.x, out[1] = (long double)a.y - b.y, out[2] = (long double)a.z - b.z;
}

/* Returns the largest coordinate, and sets q to the nearest point of the inner cube. */
static long double inner_of(const long double p[3], long double radius, long double q[3])
{
    const long double d = fmaxl(fmaxl(fabsl(p[0]), fabsl(p[1])), fabsl(p[2])), half = fmaxl(d - radius, 0);
    for (int a = 0; a < 3; a++)
        q[a] = fmaxl(-half, fminl(half, p[a]));
    return d;
}

static vp_vec3 any_point(vp_random *r, vp_vec3 centre, float size)
{
    const vp_vec3 p = {vp_random_between(r, -size, size), vp_random_between(r, -size, size), vp_random_between(r, -size, size)};
    return vp_vec3_add(centre, p);
}

/* docs/CONTRACT.md: BSH-12 */
TEST(points_go_where_they_must)
{
    vp_random r = {41};
    for (int i = 0; i < POINTS; i++) {
        const vp_block_rounding by = {{(float)vp_random_below(&r, 3), vp_random_between(&r, -9, 9), -1.5f},
                                      vp_random_between(&r, 0.5f, 40)};
        const vp_vec3 p = any_point(&r, by.centre, 70), moved = vp_block_rounding_point(&by, p), up = vp_block_rounding_up(&by, p);
        long double from[3], to[3], q[3], out[3], after[3], direction[3] = {up.x, up.y, up.z};
        minus(p, by.centre, from);
        minus(moved, by.centre, to);
        const long double d = inner_of(from, by.radius, q), reach = fminl(by.radius, d);
        for (int a = 0; a < 3; a++)
            out[a] = from[a] - q[a];
        for (int a = 0; a < 3; a++) {
            const long double want = q[a] + reach * out[a] / length_of(out);
            assert_true(fabsl(to[a] - want) < 1e-5L); /* half an ulp of binary32 at 80 */
            after[a] = to[a] - q[a];
            assert_true(fabsl(direction[a] - out[a] / length_of(out)) < 1e-7L);
        }
        assert_true(fabsl(length_of(after) - reach) < 2e-5L); /* on the shell of that radius around the inner cube */
        assert_true(fabsl(length_of(direction) - 1) < 2e-7L);
        assert_true(length_of(to) <= length_of(from) + 2e-5L);                                  /* no point moves outwards */
        const vp_vec3 near = any_point(&r, p, 0.01f), its = vp_block_rounding_point(&by, near); /* neighbours stay neighbours */
        long double apart[3], before[3];
        minus(its, moved, apart);
        minus(near, p, before);
        assert_true(length_of(apart) <= 4 * length_of(before) + 1e-4L);
    }
}

/* ---- components ---- */

enum { GRIDS = IS_THIN ? 3000 / THIN_BY : 3000 };

static vp_dims any_size(vp_random *r)
{
    static const uint32_t whole[] = {1, 2, 3, 15, 16, 17, 31, 63, 64, 65, 66, 127, 128, 129, 160, 191, 192, 193};
    const uint32_t x = vp_random_below(r, 4) != 0 ? whole[vp_random_below(r, sizeof whole / sizeof whole[0])] : vp_random_below(r, 70);
    return (vp_dims){x, vp_random_below(r, 6), vp_random_below(r, 6)};
}

/* Labels with the lowest cell of each component, then with the numbers of those. */
static uint32_t label_by_spreading(vp_dims s, const uint8_t *cell, uint32_t *label)
{
    const uint32_t cells = s.x * s.y * s.z, stride[3] = {1, s.x, s.x * s.z}, size[3] = {s.x, s.z, s.y};
    uint32_t count = 0;
    for (uint32_t i = 0; i < cells; i++)
        label[i] = cell[i] != 0 ? i : VP_NO_COMPONENT;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < cells; i++)
            for (int a = 0; a < 3; a++) {
                const uint32_t next = i + stride[a];
                if (i / stride[a] % size[a] + 1 == size[a] || cell[i] == 0 || cell[next] == 0 || label[i] == label[next])
                    continue;
                label[i] = label[next] = label[i] < label[next] ? label[i] : label[next];
                changed = true;
            }
    }
    for (uint32_t i = 0; i < cells; i++)
        label[i] = label[i] == VP_NO_COMPONENT ? VP_NO_COMPONENT : label[i] == i ? count++ : label[label[i]];
    return count;
}

/* docs/CONTRACT.md: CMP-1, CMP-2. Arrays have no cell more than a job may use, which sanitizers check. */
TEST(components_of_any_size)
{
    vp_random r = {43};
    for (int i = 0; i < GRIDS; i++) {
        const vp_dims size = any_size(&r);
        const uint32_t cells = size.x * size.y * size.z, flips = 1 + vp_random_below(&r, 1u << vp_random_below(&r, 7));
        uint8_t *cell = malloc(cells + 1u);
        uint64_t *bits = calloc((cells + 63) / 64 + (cells == 0), sizeof *bits);
        uint32_t *label = malloc((cells + 1u) * sizeof *label), *scratch = malloc((cells + 1u) * sizeof *scratch);
        uint32_t *right = malloc((cells + 1u) * sizeof *right);
        if (cell == NULL || bits == NULL || label == NULL || scratch == NULL || right == NULL)
            skip();
        bool set = false;
        for (uint32_t c = 0; c < cells; c++) {
            set ^= vp_random_below(&r, flips) == 0;
            cell[1 + c] = (uint8_t)(set ? 1 + vp_random_below(&r, 255) : 0);
            bits[c / 64] |= (uint64_t)set << c % 64;
        }
        const uint32_t count = label_by_spreading(size, cell + 1, right);
        for (int isa = 0; isa < VP_ISA_COUNT; isa++) {
            vp_kernels kernels;
            if (vp_kernels_named(vp_isa_name((vp_isa)isa), &kernels, NULL) != VP_OK)
                continue;
            for (int from = 0; from < 2; from++) {
                const vp_components_job job = {size, from == 0 ? cell + 1 : NULL, bits, scratch + 1, label + 1};
                assert_int_equal(kernels.components(&job), count);
                assert_memory_equal(label + 1, right, cells * sizeof *right);
            }
        }
        free(cell), free(bits), free(label), free(scratch), free(right);
    }
}

/* ---- bad input ---- */

TEST(bad_boxes_and_components)
{
    uint32_t label[8], count = 9;
    const uint8_t cell[8] = {1, 0, 0, 1, 0, 1, 1, 0};
    vp_block_components_def def = {.size = {2, 2, 2}};
    assert_refused(vp_block_components_find(&def, label, &count, &error), VP_E_ARGUMENT, "2 x 2 x 2");
    def.cell = cell;
    def.size = (vp_dims){1u << 20, 1u << 20, 1};
    assert_refused(vp_block_components_find(&def, label, &count, &error), VP_E_ARGUMENT, "1048576 x 1048576 x 1");
    def.size = (vp_dims){UINT32_MAX, UINT32_MAX, UINT32_MAX};
    assert_refused(vp_block_components_find(&def, label, &count, &error), VP_E_ARGUMENT, "4294967295");
    assert_int_equal(count, 9);
    def.size = (vp_dims){7, 0, 9};
    assert_ok(vp_block_components_find(&def, label, &count, &error));
    assert_int_equal(count, 0);
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    def.size = (vp_dims){2, 2, 2};
    def.allocator = &allocator;
    test_memory_fail_at(&memory, 1);
    assert_refused(vp_block_components_find(&def, label, &count, &error), VP_E_MEMORY, "2 x 2 x 2");
    test_memory_fail_at(&memory, 0);
    assert_ok(vp_block_components_find(&def, label, &count, &error));
    assert_int_equal(count, 4); /* corners of a cube, none adjacent to another */
    vp_block_boxes b;
    static vp_block some[VP_BLOCK_WINDOW_CELLS];
    for (size_t i = 0; i < VP_BLOCK_WINDOW_CELLS; i++)
        some[i] = (vp_block)(i % 3 == 0);
    vp_block_window window = {some, 0, types, TYPES};
    assert_refused(vp_block_boxes_create(&window, NULL, &allocator, &b, &error), VP_E_ARGUMENT, "edge 0");
    window.edge = 32;
    for (uint64_t n = 1; n <= 3; n++) {
        test_memory_fail_at(&memory, n);
        assert_refused(vp_block_boxes_create(&window, NULL, &allocator, &b, &error), VP_E_MEMORY, "boxes");
    }
    test_memory_fail_at(&memory, 0);
    assert_ok(vp_block_boxes_create(&window, NULL, &allocator, &b, &error));
    vp_block_boxes_destroy(&b);
    vp_block_boxes_destroy(&b);
    test_memory_end(&memory);
}

TEST(bad_paths)
{
    vp_random r = {1};
    world w;
    vp_block_hit hit = {.t = 7};
    world_begin(&w, &r, SPARSE, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    const vp_block_path good = {{{1, 1, 1}, {2, 3, 2}}, {1, 0, 0}};
    vp_block_path path = good;
    path.move.y = NAN;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "move.y is nan");
    path = good, path.move.z = INFINITY;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "move.z is inf; must be finite");
    path = good, path.box.min.x = NAN;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "box.min.x is nan");
    path = good, path.box.max.x = 2e12f;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT,
                   "box.max.x is 2e+12; must be finite and -2^40 to 2^40");
    path = good, path.box.max.y = 1;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "no extent along y: 1 to 1");
    vp_block_line line = {{NAN, 0, 0}, {1, 0, 0}, 0};
    assert_refused(vp_block_ray(&w.view, NULL, &line, &hit, &error), VP_E_ARGUMENT, "origin.x is nan");
    line = (vp_block_line){{0, 0, 0}, {-INFINITY, 0, 0}, 0};
    assert_refused(vp_block_ray(&w.view, NULL, &line, &hit, &error), VP_E_ARGUMENT, "move.x is -inf");
    vp_block_view view = w.view;
    view.low.z = -VP_BLOCKS_REACH - 2;
    assert_refused(vp_block_sweep(&view, NULL, &good, &hit, &error), VP_E_ARGUMENT, "-33554434");
    view = w.view, view.size.y = UINT32_MAX;
    assert_refused(vp_block_sweep(&view, NULL, &good, &hit, &error), VP_E_ARGUMENT, "along y");
    view = w.view, view.type_count = 70000;
    assert_refused(vp_block_ray(&view, NULL, &(vp_block_line){{0, 0, 0}, {1, 0, 0}, 0}, &hit, &error), VP_E_ARGUMENT, "70000");
    assert_true(hit.t == 7);
    /* types past the end of the table have no flags */
    view = w.view, view.type_count = 1;
    assert_ok(vp_block_sweep(&view, NULL, &good, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    world_end(&w);
}

/* The longest view has more blocks in a row than int32_t can count. Boxes come from its high end, and start in its last chunk. */
TEST(sweeps_at_the_end_of_the_longest_view)
{
    static const vp_block_type solid[2] = {{0}, {VP_BLOCK_COLLIDES, 0}};
    const uint32_t size = 2 * VP_BLOCKS_REACH + 2, last = VP_BLOCKS_REACH * VP_BLOCK_EDGE + VP_BLOCK_EDGE - 1;
    vp_block_cells *chunk = calloc(size, sizeof *chunk);
    if (chunk == NULL)
        skip();
    chunk[size - 1].all = 1;
    const vp_block_view view = {chunk, {-VP_BLOCKS_REACH - 1, 0, 0}, {size, 1, 1}, solid, 2};
    const vp_block_path back = {{{0x1p30f + 128, 1, 1}, {0x1p30f + 256, 2, 2}}, {-384, 0, 0}};
    const vp_block_path inside = {{{0x1p30f - 128, 1, 1}, {0x1p30f + 128, 2, 2}}, {0, 1, 0}};
    for (int isa = 0; isa < VP_ISA_COUNT; isa++) {
        vp_kernels kernels;
        vp_block_hit hit;
        if (vp_kernels_named(vp_isa_name((vp_isa)isa), &kernels, NULL) != VP_OK)
            continue;
        assert_ok(vp_block_sweep(&view, &kernels, &back, &hit, &error));
        assert_true(hit.end == VP_BLOCK_MEETS && hit.block.x == (int32_t)last && hit.t == 0.25 && hit.side == VP_SIDE_X_HIGH);
        assert_ok(vp_block_sweep(&view, &kernels, &inside, &hit, &error));
        assert_true(hit.end == VP_BLOCK_INSIDE && hit.block.x == VP_BLOCKS_REACH * VP_BLOCK_EDGE);
    }
    free(chunk);
}
