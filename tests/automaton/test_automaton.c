/* SPDX-License-Identifier: MIT */
/* Creating, planting and reading automata, refused arguments, and allocation failures. Count rules, calculated by hand; the case count_rule
 * tests any rule on any cells (docs/CONTRACT.md: AUT-3, AUT-4, AUT-7, AUT-8). */
#include "tests/support/check.h"

#include <stdlib.h>

#include <voxphys/automaton.h>

#include "datasets/random.h"
#include "src/automaton/count_planes.h"
#include "tests/support/memory.h"
#include "tests/support/threads.h"

static vp_automaton *make(vp_dims size, uint64_t seed, const vp_allocator *allocator)
{
    const vp_automaton_def def = {.size = size, .seed = seed, .allocator = allocator};
    vp_automaton *a = NULL;
    assert_ok(vp_automaton_create(&def, &a, &error));
    return a;
}

static void put_one(vp_automaton *a, vp_ivec3 at, vp_automaton_cell cell)
{
    assert_ok(vp_automaton_set_cells(a, &at, &cell, 1, &error));
}

static const vp_automaton_cell beetle = {.type = VP_AUTOMATON_BEETLE, .living = true}, ground = {.type = VP_AUTOMATON_GROUND};

TEST(cells_are_read_as_they_were_put)
{
    vp_automaton *a = make((vp_dims){3, 5, 7}, 1, NULL);
    const vp_automaton_cell old = {VP_AUTOMATON_OAK, true, {65535, 1012, 0xfedcba98u}};
    const vp_ivec3 at[] = {{2, 4, 6}, {0, 0, 0}, {1, 2, 3}, {1, 2, 3}, {2, 4, 6}};
    const vp_automaton_cell cell[] = {old, ground, beetle, old, {.type = VP_AUTOMATON_NEEDLE}};
    assert_ok(vp_automaton_set_cells(a, at, cell, 5, &error));
    assert_int_equal(vp_automaton_living_count(a), 1);
    assert_int_equal(vp_automaton_cell_at(a, at[2]).memory.tick, 65535);
    assert_int_equal(vp_automaton_cell_at(a, at[2]).type, VP_AUTOMATON_OAK);
    assert_int_equal(vp_automaton_cell_at(a, at[2]).memory.generation, 1012);
    assert_true(vp_automaton_cell_at(a, at[2]).memory.resource == 0xfedcba98u);
    assert_int_equal(vp_automaton_cell_at(a, at[0]).type, VP_AUTOMATON_NEEDLE);
    assert_false(vp_automaton_cell_at(a, at[0]).living);
    assert_int_equal(vp_automaton_cell_at(a, at[1]).type, VP_AUTOMATON_GROUND);
    assert_int_equal(vp_automaton_cell_at(a, (vp_ivec3){0, 0, 1}).type, VP_CELL_EMPTY);
    for (int axis = 0; axis < 6; axis++) {
        const vp_ivec3 out[6] = {{-1, 0, 0}, {3, 0, 0}, {0, -1, 0}, {0, 5, 0}, {0, 0, -1}, {0, 0, 7}};
        assert_int_equal(vp_automaton_cell_at(a, out[axis]).type, VP_CELL_OUTSIDE);
    }
    vp_ivec3 where;
    assert_int_equal(vp_automaton_living_cell(a, 0, &where).type, VP_AUTOMATON_OAK);
    assert_memory_equal(&where, &at[2], sizeof where);
    uint8_t rows[2 * 2 * 2];
    assert_ok(vp_automaton_read(a, (vp_ivec3){0, 1, 2}, (vp_dims){2, 2, 2}, rows, &error));
    for (int i = 0; i < 8; i++)
        assert_int_equal(rows[i], i == 7 ? VP_AUTOMATON_OAK | VP_CELL_LIVING : 0);
    int32_t y;
    assert_ok(vp_automaton_find_top(a, 2, 6, &y, &error));
    assert_int_equal(y, 5);
    assert_ok(vp_automaton_find_top(a, 0, 0, &y, &error));
    assert_int_equal(y, 1);
    assert_ok(vp_automaton_find_top(a, 0, 1, &y, &error));
    assert_int_equal(y, 0);
    vp_automaton_destroy(a);
    vp_automaton_destroy(NULL);
}

/* docs/CONTRACT.md: AUT-3, AUT-4. Two cells, calculated by hand. Another program computed the numbers with the formula in automaton.h. */
TEST(digests_and_random_numbers_are_as_documented)
{
    vp_automaton *a = make((vp_dims){3, 2, 4}, 42, NULL);
    assert_true(vp_automaton_digest(a) == UINT64_C(0x97ea87f7e45c00a5));
    put_one(a, (vp_ivec3){1, 1, 2}, beetle); /* both are overwritten */
    put_one(a, (vp_ivec3){0, 0, 0}, (vp_automaton_cell){.type = VP_AUTOMATON_OAK});
    put_one(a, (vp_ivec3){1, 1, 2}, (vp_automaton_cell){VP_AUTOMATON_OAK, true, {3, 1009, 0x40000801u}});
    put_one(a, (vp_ivec3){0, 0, 0}, ground);
    assert_true(vp_automaton_digest(a) == UINT64_C(0xc09f396d90316a5c));
    const vp_automaton_window in = {.seed = 42, .step = 7, .position = 19, .type = VP_AUTOMATON_OAK};
    assert_true(vp_automaton_window_random(&in, 5) == UINT32_C(0x015cddc3));
    assert_true(vp_automaton_window_below(&in, 5, 100) == 0);
    vp_automaton_destroy(a);
}

static void nothing_rule(const vp_automaton_window *in, vp_automaton_action *out)
{
    (void)in, (void)out;
}

TEST(what_is_refused)
{
    vp_automaton *a = NULL;
#define REFUSED(def, value) assert_refused(vp_automaton_create(&(def), &a, &error), VP_E_ARGUMENT, value)
#define SIZED(X, Y, Z)                                                                                                                     \
    (vp_automaton_def)                                                                                                                     \
    {                                                                                                                                      \
        .size = { X, Y, Z }                                                                                                                \
    }
    REFUSED(SIZED(0, 1, 1), "0 x 1 x 1");
    REFUSED(SIZED(1, 2049, 1), "1 x 2049 x 1");
    REFUSED(SIZED(1, 1, 4294967295u), "4294967295");
    REFUSED(SIZED(2048, 2048, 257), "2048 x 2048 x 257");
    REFUSED(((vp_automaton_def){.size = {1, 1, 1}, .form = (vp_automaton_form)7}), "vp_automaton_def.form is 7");
    static const vp_automaton_species odd[][2] = {{{.name = "a", .type = 0}},
                                                  {{.name = "a", .type = 127}},
                                                  {{.name = "A", .type = 1}},
                                                  {{.name = "", .type = 1}},
                                                  {{.type = 1}},
                                                  {{.name = "a23456789012345678901234567890ab", .type = 1}},
                                                  {{.name = "a", .type = 3}, {.name = "b", .type = 3}},
                                                  {{.name = "a", .type = 3}, {.name = "a", .type = 4}}};
    static const char *const named[] = {"type 0", "type 127", "\"A\"", "\"\"", "\"\"", "a2345", "type 3", "\"a\" of type 4"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        REFUSED(((vp_automaton_def){.size = {1, 1, 1}, .species = odd[i], .species_count = i < 6 ? 1 : 2}), named[i]);
    assert_null(a);

    a = make((vp_dims){4, 4, 4}, 0, NULL);
    const vp_ivec3 inside = {1, 1, 1}, outside = {1, 4, 1};
    const vp_ivec3 both[2] = {inside, outside};
    const vp_automaton_cell two[2] = {ground, ground}, unknown = {.type = 99}, border = {.type = VP_CELL_OUTSIDE},
                            alive = {.type = VP_AUTOMATON_GROUND, .living = true}, nothing = {.living = true},
                            ghost = {.type = VP_AUTOMATON_OAK, .memory = {.tick = 1}};
    uint8_t rows[64];
    int32_t y;
    assert_refused(vp_automaton_set_cells(a, both, two, 2, &error), VP_E_ARGUMENT, "cell 1, at (1, 4, 1)");
    assert_int_equal(vp_automaton_cell_at(a, inside).type, VP_CELL_EMPTY);
    assert_refused(vp_automaton_set_cells(a, &inside, &unknown, 1, &error), VP_E_ARGUMENT, "type 99");
    assert_refused(vp_automaton_set_cells(a, &inside, &border, 1, &error), VP_E_ARGUMENT, "type 127");
    assert_refused(vp_automaton_set_cells(a, &inside, &alive, 1, &error), VP_E_ARGUMENT, "type 1 that lives");
    assert_refused(vp_automaton_set_cells(a, &inside, &nothing, 1, &error), VP_E_ARGUMENT, "type 0 that lives");
    assert_refused(vp_automaton_set_cells(a, &inside, &ghost, 1, &error), VP_E_ARGUMENT, "does not live");
    assert_refused(vp_automaton_plant(a, VP_AUTOMATON_GROUND, inside, false, &error), VP_E_ARGUMENT, "type 1");
    assert_refused(vp_automaton_plant(a, 200, inside, false, &error), VP_E_ARGUMENT, "type 200");
    assert_refused(vp_automaton_plant(a, VP_AUTOMATON_OAK, outside, false, &error), VP_E_ARGUMENT, "(1, 4, 1)");
    assert_refused(vp_automaton_read(a, (vp_ivec3){1, 0, 0}, (vp_dims){4, 1, 1}, rows, &error), VP_E_ARGUMENT, "(1, 0, 0)");
    assert_refused(vp_automaton_read(a, (vp_ivec3){0, 0, -1}, (vp_dims){1, 1, 1}, rows, &error), VP_E_ARGUMENT, "-1");
    assert_refused(vp_automaton_find_top(a, 4, 0, &y, &error), VP_E_ARGUMENT, "(4, 0)");
    assert_refused(vp_automaton_apply(a, &error), VP_E_ARGUMENT, "step 0 is not computed");

    put_one(a, inside, beetle);
    bool done;
    vp_blob blob;
    assert_ok(vp_automaton_step(a, NULL, &error));
    assert_ok(vp_automaton_advance(a, 1, NULL, &done, &error));
    assert_true(done);
    assert_refused(vp_automaton_set_cells(a, &inside, &ground, 1, &error), VP_E_ARGUMENT, "step 0 is under way");
    assert_refused(vp_automaton_encode(a, NULL, &blob, &error), VP_E_ARGUMENT, "step 0 is under way");
    const uint64_t before = vp_automaton_digest(a);
    vp_automaton_cancel_step(a);
    assert_ok(vp_automaton_set_cells(a, &inside, &beetle, 1, &error));
    assert_true(vp_automaton_digest(a) == before);
    vp_automaton_destroy(a);

    const vp_automaton_species none[] = {{.name = "still", .type = 5, .rule = nothing_rule}}; /* a custom table */
    assert_ok(vp_automaton_create(&(vp_automaton_def){.size = {2, 2, 2}, .species = none, .species_count = 1}, &a, &error));
    assert_refused(vp_automaton_set_cells(a, &inside, &beetle, 1, &error), VP_E_ARGUMENT, "type 2");
    put_one(a, inside, (vp_automaton_cell){.type = 5, .living = true, .memory = {.tick = 65534}});
    assert_ok(vp_automaton_run(a, 3, NULL, &error));
    assert_int_equal(vp_automaton_cell_at(a, inside).memory.tick, 65535);
    uint32_t count;
    assert_string_equal(vp_automaton_species_of(a, &count)->name, "still");
    assert_int_equal(count, 1);
    vp_automaton_destroy(a);
}

/* Each allocation fails in turn. The failure is reported, nothing changes, and the automaton goes on once memory is available. */
TEST(without_memory)
{
    uint64_t want = 0;
    for (uint64_t n = 0;; n++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        const vp_automaton_def def = {.size = {9, 9, 9}, .seed = 3, .allocator = &allocator};
        vp_automaton *a = NULL;
        vp_error why;
        test_memory_fail_at(&memory, n);
        memory.only_one = true;
        vp_status status = vp_automaton_create(&def, &a, &why);
        int refused = status != VP_OK;
        if (status == VP_E_MEMORY)
            assert_ok(vp_automaton_create(&def, &a, &error));
        for (int32_t i = 0; i < 9; i++) {
            const uint64_t before = vp_automaton_digest(a);
            const vp_ivec3 at = {i, 8 - i, 4};
            while ((status = vp_automaton_plant(a, (uint8_t)(VP_AUTOMATON_BEETLE + i), at, false, &why)) != VP_OK) {
                assert_int_equal(status, VP_E_MEMORY);
                assert_true(vp_automaton_digest(a) == before);
                refused++;
            }
        }
        for (int step = 0; step < 30; step++) {
            const uint64_t before = vp_automaton_digest(a);
            while ((status = vp_automaton_step(a, NULL, &why)) != VP_OK) {
                assert_int_equal(status, VP_E_MEMORY);
                assert_true(vp_automaton_digest(a) == before);
                refused++;
            }
            assert_ok(vp_automaton_apply(a, &error));
        }
        vp_blob blob = {0};
        while ((status = vp_automaton_encode(a, &allocator, &blob, &why)) != VP_OK)
            refused++;
        vp_automaton *again = NULL;
        while ((status = vp_automaton_decode(blob.bytes, blob.size, &def, &again, &why)) != VP_OK) {
            assert_int_equal(status, VP_E_MEMORY);
            refused++;
        }
        want = n == 0 ? vp_automaton_digest(a) : want;
        assert_true(vp_automaton_digest(a) == want);
        assert_true(vp_automaton_digest(again) == want);
        assert_true(vp_automaton_stats_of(a).bytes <= memory.live_bytes);
        const bool last = n > 0 && memory.requests < n;
        assert_int_equal(refused, n > 0 && !last);
        vp_automaton_destroy(a);
        vp_automaton_destroy(again);
        vp_blob_destroy(&blob);
        test_memory_end(&memory);
        if (last)
            break;
    }
}

/* ---- count rules: survival, birth, conflicts, walls and borders ---- */

enum { X = 5, Y = 4, Z = 3, CELLS = X * Y * Z };

static const char *const isas[] = {"scalar", "plain", "avx2", "avx512", "neon", "simd128", "neon-simde", "simd128-simde"};

static void check_grid(const vp_count_grid *g, vp_dims size, const uint8_t *cell, const bool *changed, uint8_t *read)
{
    size_t pitch, i = 0;
    const uint64_t *bits = vp_count_grid_changes(g, &pitch);
    assert_ok(vp_count_grid_read(g, (vp_ivec3){0}, size, read, &error));
    assert_memory_equal(read, cell, (size_t)size.x * size.y * size.z);
    for (size_t row = 0; row < (size_t)size.y * size.z; row++)
        for (size_t bit = 0; bit < 64 * pitch; bit++)
            assert_true((bits[row * pitch + bit / 64] >> bit % 64 & 1) == (bit < size.x && changed[i++]));
}

/* docs/CONTRACT.md: AUT-9
 * A grid has the cells of the reference after each step and edit, and reports the cells that have changed. Rules of odd grids come to rest,
 * so that only edits change cells. */
TEST(grids_keep_planes)
{
    enum { MOST = 20000, WALL = 255 };
    static const vp_dims sizes[] = {{1, 1, 1}, {5, 4, 3}, {64, 14, 9}, {65, 26, 8}, {128, 1, 140}, {1290, 1, 13}, {1344, 1, 14}};
    static const vp_count_sets lively[] = {{0x1c0u, 0xe1u}, {0x3c0u, 0x60u}}, still[] = {{0x7ffffffu, 0x8u}, {0x7ffffffu, 0x10u}};
    static uint8_t cell[MOST], next[MOST], read[MOST];
    static bool changed[MOST];
    const vp_executor threads = test_threads(3);
    vp_random r = {9};
    vp_kernels table;
    vp_count_grid *g;
    for (unsigned k = 0; k < sizeof isas / sizeof isas[0] * (sizeof sizes / sizeof sizes[0]); k++) {
        const vp_dims size = sizes[k % (sizeof sizes / sizeof sizes[0])];
        const int all = (int)(size.x * size.y * size.z);
        if (vp_kernels_named(isas[k / (sizeof sizes / sizeof sizes[0])], &table, NULL) != VP_OK)
            continue; /* not of this build or machine */
        for (int i = 0; i < all; i++) {
            cell[i] = (uint8_t)vp_random_below(&r, 4);
            cell[i] = cell[i] == 3 ? WALL : cell[i];
            changed[i] = true;
        }
        vp_count_job job = {.size = size, .cell = cell, .out = next, .species = 2, .rules = k % 2 == 0 ? lively : still};
        assert_ok(vp_count_grid_create(&job, NULL, &g, &error));
        check_grid(g, size, cell, changed, read);
        for (int step = 0; step < 9; step++) {
            assert_ok(vp_count_grid_step(g, &table, &threads, &error));
            vp_count_rule_scalar(&job);
            for (int i = 0; i < all; i++) {
                changed[i] = cell[i] != next[i];
                cell[i] = next[i];
            }
            check_grid(g, size, cell, changed, read);
            if (step < 4)
                continue;
            const vp_ivec3 low = {(int)vp_random_below(&r, size.x), (int)vp_random_below(&r, size.y), (int)vp_random_below(&r, size.z)};
            const vp_dims box = {step == 6 ? size.x - (uint32_t)low.x : 1, 1, 1 + vp_random_below(&r, size.z - (uint32_t)low.z)};
            for (uint32_t i = 0; i < box.x * box.z; i++)
                next[i] = (uint8_t)vp_random_below(&r, 4); /* 3 is a wall too */
            assert_ok(vp_count_grid_write(g, low, box, next, &error));
            for (uint32_t i = 0; i < box.x * box.z; i++) {
                const size_t at = ((uint32_t)low.y * size.z + (uint32_t)low.z + i / box.x) * size.x + (uint32_t)low.x + i % box.x;
                const uint8_t now = next[i] == 3 ? WALL : next[i];
                changed[at] = changed[at] || cell[at] != now;
                cell[at] = next[i] = now;
            }
            check_grid(g, size, cell, changed, read);
            assert_ok(vp_count_grid_read(g, low, box, read, &error));
            assert_memory_equal(read, next, box.x * box.z);
        }
        vp_count_grid_destroy(g);
    }
}

TEST(grids_without_memory)
{
    const vp_count_job job = {.size = {X, Y, Z}, .cell = (uint8_t[CELLS]){0}};
    vp_count_grid *g = NULL;
    for (uint32_t n = 1; g == NULL; n++) {
        test_memory memory;
        test_memory_begin(&memory);
        test_memory_fail_at(&memory, n);
        const vp_allocator allocator = test_memory_allocator(&memory);
        const vp_status status = vp_count_grid_create(&job, &allocator, &g, NULL);
        assert_int_equal(status, n < 6 ? VP_E_MEMORY : VP_OK);
        vp_count_grid_destroy(g);
        test_memory_end(&memory);
    }
}

TEST(count_rules_that_are_refused)
{
    static const vp_count_planes planes = {0};
    static const vp_count_sets rules[] = {{0, 0}, {1u << 27, 0}}, born[] = {{0, 1u << 31}};
    uint8_t cell[CELLS] = {0}, out[CELLS];
    vp_count_job job = {.size = {X, 0, Z}, .cell = cell, .out = out, .species = 1, .rules = rules};
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "5 x 0 x 3");
    job.size = (vp_dims){1u << 31, 4, 1};
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "2147483648");
    job.size = (vp_dims){1024, 1024, 1025};
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "1025");
    job.size = (vp_dims){X, Y, Z};
    job.species = 127;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "127");
    job.species = 2;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "species 2: sets 08000000");
    job.rules = born;
    job.species = 1;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "80000000");
    job.rules = rules;
    job.first_layer = Y;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "0 layers from layer 4 on are not all inside of 4");
    job.first_layer = 2;
    job.layer_count = 3;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "3 layers from layer 2 on");
    job.first_layer = job.layer_count = 0;
    job.out = cell;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "can't write the cells");
    job.out = out;
    job.planes = &planes;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "vp_count_job.planes must be NULL");
    job.cell = NULL;
    assert_refused(vp_count_rule_step(&job, NULL, NULL, &error), VP_E_ARGUMENT, "cell");
    vp_count_grid *g;
    assert_refused(vp_count_grid_create(&job, NULL, &g, &error), VP_E_ARGUMENT, "cell");
    job.cell = cell;
    job.species = 2;
    assert_refused(vp_count_grid_create(&job, NULL, &g, &error), VP_E_ARGUMENT, "species 2: sets 08000000");
    job.rules = NULL;
    assert_refused(vp_count_grid_create(&job, NULL, &g, &error), VP_E_ARGUMENT, "rules is NULL");
    job.species = 0;
    assert_ok(vp_count_grid_create(&job, NULL, &g, &error));
    assert_refused(vp_count_grid_read(g, (vp_ivec3){1, 0, 0}, job.size, out, &error), VP_E_ARGUMENT, "(1, 0, 0)");
    assert_refused(vp_count_grid_write(g, (vp_ivec3){0, 0, -1}, (vp_dims){1, 1, 1}, out, &error), VP_E_ARGUMENT, "-1");
    vp_count_grid_destroy(g);
}
