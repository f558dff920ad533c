/* SPDX-License-Identifier: MIT */
/* Boxes by hand, and components against a second algorithm. The case greedy_boxes and the corpus judge boxes of any worlds. */
#include "tests/blocks/worlds.h"

#include "tests/support/memory.h"

#ifdef TEST_THIN
enum { ROUNDS = 1, GRIDS = 200 / TEST_THIN };
#else
enum { ROUNDS = 3, GRIDS = 600 };
#endif

static vp_block cells[VP_BLOCK_WINDOW_CELLS];

static void by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-4, BSH-5 */
    static const uint32_t edges[12][2] = {
        {VP_SIDE_Y_LOW, VP_SIDE_Z_LOW}, {VP_SIDE_Y_HIGH, VP_SIDE_Z_LOW}, {VP_SIDE_Y_LOW, VP_SIDE_Z_HIGH}, {VP_SIDE_Y_HIGH, VP_SIDE_Z_HIGH},
        {VP_SIDE_X_LOW, VP_SIDE_Z_LOW}, {VP_SIDE_X_HIGH, VP_SIDE_Z_LOW}, {VP_SIDE_X_LOW, VP_SIDE_Z_HIGH}, {VP_SIDE_X_HIGH, VP_SIDE_Z_HIGH},
        {VP_SIDE_X_LOW, VP_SIDE_Y_LOW}, {VP_SIDE_X_HIGH, VP_SIDE_Y_LOW}, {VP_SIDE_X_LOW, VP_SIDE_Y_HIGH}, {VP_SIDE_X_HIGH, VP_SIDE_Y_HIGH}};
    for (uint32_t e = 0; e < 12; e++)
        assert_true(vp_block_box_edge(edges[e][0], edges[e][1]) == e && vp_block_box_edge(edges[e][1], edges[e][0]) == e);
    vp_random r = {1};
    world w;
    vp_block_boxes b;
    const vp_block_window window = {cells, 32, types, TYPES};
    world_begin(&w, &r, EMPTY, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    for (int x = 5; x < 9; x++) /* four in a row, and one above the second */
        w.block[(3 * 32 + 5) * 32 + x] = STONE;
    w.block[(4 * 32 + 5) * 32 + 6] = GLASS;
    world_lay(&w);
    assert_ok(vp_block_window_fill(&w.view, (vp_ivec3){0, 0, 0}, 32, VP_SIDES_ALL, cells, &error));
    assert_ok(vp_block_boxes_create(&window, NULL, NULL, &b, &error));
    assert_int_equal(b.count, 2);
    assert_true(b.box[0].low[0] == 5 && b.box[0].size[0] == 4 && b.box[1].low[0] == 6 && b.box[1].low[1] == 4 && b.box[1].size[0] == 1);
    assert_int_equal(vp_block_box_side(&b.box[0], VP_SIDE_Y_HIGH), VP_BOX_MIXED);
    assert_int_equal(vp_block_box_side(&b.box[0], VP_SIDE_X_LOW), VP_BOX_EXPOSED);
    assert_int_equal(vp_block_box_side(&b.box[1], VP_SIDE_Y_LOW), VP_BOX_COVERED);
    assert_int_equal(b.box[0].edges, 0); /* only the upper box has the rectangle's edges at its ends along x, both have those along z */
    assert_int_equal(b.box[1].edges,
                     1u << vp_block_box_edge(VP_SIDE_Y_LOW, VP_SIDE_X_LOW) | 1u << vp_block_box_edge(VP_SIDE_Y_LOW, VP_SIDE_X_HIGH));
    vp_block_boxes_destroy(&b);
    world_end(&w);
}

/* ---- components ---- */

/* Replaces each cell's number by the lowest of its neighbours until nothing changes. */
static uint32_t spread(vp_dims s, const uint8_t *cell, uint32_t *lowest_cell)
{
    const uint32_t count = s.x * s.y * s.z;
    for (uint32_t i = 0; i < count; i++)
        lowest_cell[i] = cell[i] != 0 ? i : UINT32_MAX;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < 2 * count; n++) {
            const uint32_t i = n < count ? n : 2 * count - 1 - n; /* forwards, then backwards */
            const uint32_t x = i % s.x, z = i / s.x % s.z, y = i / s.x / s.z;
            const uint32_t at[6] = {x > 0 ? i - 1 : i,         x + 1 < s.x ? i + 1 : i,   z > 0 ? i - s.x : i,
                                    z + 1 < s.z ? i + s.x : i, y > 0 ? i - s.x * s.z : i, y + 1 < s.y ? i + s.x * s.z : i};
            for (int k = 0; k < 6 && cell[i] != 0; k++)
                if (cell[at[k]] != 0 && lowest_cell[at[k]] < lowest_cell[i]) {
                    lowest_cell[i] = lowest_cell[at[k]];
                    changed = true;
                }
        }
    }
    uint32_t components = 0;
    for (uint32_t i = 0; i < count; i++)
        components += lowest_cell[i] == i && cell[i] != 0;
    return components;
}

static void expect_components(vp_dims s, const uint8_t *cell)
{
    const uint32_t count = s.x * s.y * s.z, words = (count + 63) / 64;
    uint32_t *label = malloc((count + 1) * sizeof *label), *low = malloc((count + 1) * sizeof *low), got, next = 0;
    uint32_t *again = malloc((count + 1) * sizeof *again), *name = malloc((count + 1) * sizeof *name);
    uint64_t *bits = calloc(words + 1, sizeof *bits);
    assert_true(label != NULL && low != NULL && again != NULL && name != NULL && bits != NULL);
    for (uint32_t i = 0; i < count; i++)
        bits[i / 64] |= (uint64_t)(cell[i] != 0) << i % 64;
    label[count] = again[count] = 12345;
    vp_block_components_def def = {.size = s, .cell = cell};
    assert_ok(vp_block_components_find(&def, label, &got, &error));
    assert_int_equal(got, spread(s, cell, low));
    for (uint32_t i = 0; i < count; i++) {
        if (cell[i] == 0) {
            assert_true(label[i] == VP_NO_COMPONENT);
            continue;
        }
        if (low[i] == i)
            name[i] = next++;
        assert_int_equal(label[i], name[low[i]]);
    }
    def = (vp_block_components_def){.size = s, .bits = bits};
    assert_ok(vp_block_components_find(&def, again, &got, &error));
    assert_memory_equal(label, again, (count + 1) * sizeof *label);
    free(label);
    free(again);
    free(low);
    free(name);
    free(bits);
}

static void components_are_right(void **state)
{
    (void)state; /* docs/CONTRACT.md: CMP-1, CMP-2 */
    vp_random r = {29};
    for (int i = 0; i < GRIDS; i++) {
        const vp_dims s = {1 + vp_random_below(&r, 20), 1 + vp_random_below(&r, 12), 1 + vp_random_below(&r, 12)};
        const uint32_t count = s.x * s.y * s.z, part = vp_random_below(&r, 11); /* near 3 in 10 one component connects most cells */
        uint8_t *cell = malloc(count);
        assert_non_null(cell);
        for (uint32_t c = 0; c < count; c++)
            cell[c] = vp_random_below(&r, 10) < part ? (uint8_t)(1 + vp_random_below(&r, 255)) : 0;
        expect_components(s, cell);
        free(cell);
    }
    /* A snake through all layers connects its two ends. Long detours are found without a deep stack. */
    enum { WIDE = 65, HIGH = 9, DEEP = 33 };
    static uint8_t snake[HIGH][DEEP][WIDE];
    for (int y = 0; y < HIGH; y++)
        for (int z = 0; z < DEEP; z++)
            for (int x = 0; x < WIDE; x++)
                snake[y][z][x] = y % 2 == 1 ? (y % 4 == 1 ? x == WIDE - 1 && z == DEEP - 1 : x == 0 && z == 0)
                                            : z % 2 == 0 || x == (z % 4 == 1 ? WIDE - 1 : 0);
    uint32_t count, *label = malloc(sizeof snake * sizeof *label);
    assert_non_null(label);
    const vp_block_components_def def = {.size = {WIDE, HIGH, DEEP}, .cell = &snake[0][0][0]};
    assert_ok(vp_block_components_find(&def, label, &count, &error));
    assert_int_equal(count, 1);
    free(label);
}

static void bad_input(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(components_are_right), cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
