/* SPDX-License-Identifier: MIT */
/* Boxes against a world in one plain array, and components against a second algorithm. */
#include "tests/blocks/worlds.h"

#include "tests/support/memory.h"

#ifdef TEST_THIN
enum { ROUNDS = 1, GRIDS = 200 / TEST_THIN };
#else
enum { ROUNDS = 3, GRIDS = 600 };
#endif

static vp_block cells[VP_BLOCK_WINDOW_CELLS];
static uint16_t owner[VP_BLOCK_CELLS]; /* box + 1 */

static size_t number(const int32_t at[3])
{
    return (size_t)((at[1] * 32 + at[2]) * 32 + at[0]);
}

/* The definition of the merging. It takes the boxes with this first block and only free blocks, and picks the longest along x, then along
   z, then along y. */
static bool are_free(const bool *free_block, const int32_t low[3], const int32_t size[3])
{
    for (int32_t y = 0; y < size[1]; y++)
        for (int32_t z = 0; z < size[2]; z++)
            for (int32_t x = 0; x < size[0]; x++) {
                const int32_t at[3] = {low[0] + x, low[1] + y, low[2] + z};
                if (at[0] > 31 || at[1] > 31 || at[2] > 31 || !free_block[number(at)])
                    return false;
            }
    return true;
}

static void expect_merged(const bool *collides, const vp_block_boxes *b)
{
    static bool free_block[VP_BLOCK_CELLS];
    uint32_t next = 0;
    memcpy(free_block, collides, sizeof free_block);
    memset(owner, 0, sizeof owner);
    for (int32_t i = 0; i < VP_BLOCK_CELLS; i++) {
        const int32_t low[3] = {i % 32, i / 1024, i / 32 % 32};
        int32_t size[3] = {1, 1, 1};
        if (!free_block[i])
            continue;
        static const int order[3] = {0, 2, 1};
        for (int k = 0; k < 3; k++) {
            size[order[k]] = 32;
            while (!are_free(free_block, low, size))
                size[order[k]]--;
        }
        assert_true(next < b->count);
        const vp_block_box *box = &b->box[next++];
        for (int a = 0; a < 3; a++)
            assert_true(box->low[a] == low[a] && box->size[a] == size[a]);
        for (int32_t y = 0; y < size[1]; y++)
            for (int32_t z = 0; z < size[2]; z++)
                for (int32_t x = 0; x < size[0]; x++) {
                    const int32_t at[3] = {low[0] + x, low[1] + y, low[2] + z};
                    free_block[number(at)] = false;
                    owner[number(at)] = (uint16_t)next;
                }
    }
    assert_int_equal(next, b->count);
}

/* Checks the neighbours of each side, block by block in the world. */
static void expect_sides(const world *w, const int32_t first[3], bool alone, const vp_block_box *box)
{
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
        bool some = false, all = true;
        int32_t low[3], high[3], at[3];
        for (uint32_t a = 0; a < 3; a++) {
            low[a] = first[a] + box->low[a], high[a] = low[a] + box->size[a];
            if (a == side / 2) {
                low[a] = side % 2 == 1 ? high[a] : low[a] - 1;
                high[a] = low[a] + 1;
            }
        }
        for (at[1] = low[1]; at[1] < high[1]; at[1]++)
            for (at[2] = low[2]; at[2] < high[2]; at[2]++)
                for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                    bool outside = false;
                    for (int a = 0; a < 3; a++)
                        outside = outside || at[a] < first[a] || at[a] > first[a] + 31;
                    const bool there = !(outside && alone) && has(block_at(w, at[0], at[1], at[2]), VP_BLOCK_COLLIDES);
                    some = some || there;
                    all = all && there;
                }
        assert_int_equal(vp_block_box_side(box, side), all ? VP_BOX_COVERED : some ? VP_BOX_MIXED : VP_BOX_EXPOSED);
    }
}

/* Whether a part of edge `e` lies inside the touching face of another box, tried at every block along it. At a chunk's border, whether
   one of the edge's two sides has a colliding block beyond it. */
static bool is_t_edge(const world *w, const int32_t first[3], bool alone, const vp_block_boxes *b, const vp_block_box *box, int e)
{
    const int along = e / 4, one = along == 0 ? 1 : 0, two = along == 2 ? 1 : 2;
    const int high[2] = {e & 1, e >> 1 & 1}, axis[2] = {one, two};
    for (int k = 0; k < 2; k++) { /* the other box touches the face on axis[k], and the edge is the face's end on the other axis */
        const int face = axis[k], end = axis[1 - k];
        const int32_t line = box->low[end] + (high[1 - k] ? box->size[end] : 0);
        const int32_t beyond = high[k] ? box->low[face] + box->size[face] : box->low[face] - 1;
        if (beyond < 0 || beyond > 31) {
            for (int32_t i = 0; i < box->size[along]; i++)
                for (int32_t j = 0; j < box->size[end]; j++) {
                    int32_t at[3];
                    at[along] = first[along] + box->low[along] + i;
                    at[end] = first[end] + box->low[end] + j;
                    at[face] = first[face] + beyond;
                    if (!alone && has(block_at(w, at[0], at[1], at[2]), VP_BLOCK_COLLIDES))
                        return true;
                }
            continue;
        }
        for (int32_t i = 0; i < box->size[along]; i++) {
            int32_t at[3];
            at[along] = box->low[along] + i;
            at[face] = beyond;
            at[end] = high[1 - k] ? line - 1 : line; /* the block beyond the face, next to the edge */
            const uint16_t other = owner[number(at)];
            if (other == 0)
                continue;
            const vp_block_box *o = &b->box[other - 1];
            if (line > o->low[end] && line < o->low[end] + o->size[end])
                return true;
        }
    }
    return false;
}

static void boxes_are_right(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-4, BSH-5 */
    vp_random r = {23};
    uint32_t marked = 0, plain = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < WORLD_KINDS; k++) {
            world w;
            vp_block_boxes b;
            static bool collides[VP_BLOCK_CELLS];
            const vp_ivec3 low = {-1, 1, -round}, chunk = {-1 + (round + k) % 2, 1, -round};
            const int32_t first[3] = {chunk.x * 32, chunk.y * 32, chunk.z * 32};
            const bool alone = (round + k) % 3 == 2;
            world_begin(&w, &r, (world_kind)k, low, (vp_dims){2, 1, 2});
            const vp_block_window window = {cells, 32, types, TYPES};
            assert_ok(vp_block_window_fill(&w.view, chunk, 32, alone ? 0 : VP_SIDES_ALL, cells, &error));
            assert_ok(vp_block_boxes_create(&window, NULL, NULL, &b, &error));
            for (int32_t i = 0; i < VP_BLOCK_CELLS; i++)
                collides[i] = has(block_at(&w, first[0] + i % 32, first[1] + i / 1024, first[2] + i / 32 % 32), VP_BLOCK_COLLIDES);
            expect_merged(collides, &b);
            for (uint32_t i = 0; i < b.count; i++) {
                expect_sides(&w, first, alone, &b.box[i]);
                for (int e = 0; e < 12; e++) {
                    const bool mark = (b.box[i].edges >> e & 1) != 0;
                    assert_int_equal(mark, is_t_edge(&w, first, alone, &b, &b.box[i], e));
                    marked += mark;
                    plain += !mark;
                }
                assert_int_equal(b.box[i].edges >> 12, 0);
                assert_int_equal(b.box[i].beyond >> 12, 0);
            }
            if (k == FULL) {
                assert_int_equal(b.count, 1);
                assert_true(b.box[0].size[0] == 32 && b.box[0].size[1] == 32 && b.box[0].size[2] == 32);
            }
            if (k == EMPTY)
                assert_int_equal(b.count, 0);
            if (k == CHECKERED)
                assert_int_equal(b.count, VP_BLOCK_CELLS / 2);
            vp_block_boxes_destroy(&b);
            world_end(&w);
        }
    assert_true(marked > 1000 && plain > 1000);
}

static void by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-5 */
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(boxes_are_right), cmocka_unit_test(components_are_right),
                                       cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
