/* SPDX-License-Identifier: MIT */
/* The rules move insects and grow trees with the right properties, which are checked on the grid (docs/CONTRACT.md: AUT-2). */
#include "tests/support/check.h"

#include <stdlib.h>

#include <voxphys/automaton.h>

#include "datasets/random.h"

static vp_automaton *make(vp_dims size, uint64_t seed, const vp_automaton_species *species, uint32_t count)
{
    const vp_automaton_def def = {.size = size, .seed = seed, .species = species, .species_count = count};
    vp_automaton *a = NULL;
    assert_ok(vp_automaton_create(&def, &a, &error));
    return a;
}

/* The caller frees it. */
static uint8_t *cells_of(const vp_automaton *a)
{
    const vp_dims s = vp_automaton_size(a);
    uint8_t *out = malloc((size_t)s.x * s.y * s.z);
    assert_non_null(out);
    assert_ok(vp_automaton_read(a, (vp_ivec3){0, 0, 0}, s, out, &error));
    return out;
}

static uint32_t count_type(const vp_automaton *a, uint8_t type)
{
    const vp_dims s = vp_automaton_size(a);
    uint8_t *cell = cells_of(a);
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)s.x * s.y * s.z; i++)
        count += (cell[i] & 127) == type;
    free(cell);
    return count;
}

/* @return number of steps */
static uint32_t grow(vp_automaton *a, uint32_t most)
{
    uint32_t steps = 0;
    for (; vp_automaton_living_count(a) > 0 && steps < most; steps++)
        assert_ok(vp_automaton_run(a, 1, NULL, &error));
    return steps;
}

#ifdef TEST_THIN
enum { BEETLE_STEPS = 50, TRUNKS = 4, TREES = 1, SPHERES = 4 };
#else
enum { BEETLE_STEPS = 300, TRUNKS = 40, TREES = 3, SPHERES = 20 };
#endif

/* A beetle moves to one of the empty cells around it, each with the same probability. A beetle without empty neighbours stays. */
TEST(a_beetle_goes_anywhere)
{
    vp_automaton_window in = {.type = VP_AUTOMATON_BEETLE};
    uint32_t times[27] = {0};
    for (int k = 0; k < 27; k++)
        in.cell[k].type = k % 2 == 0 ? VP_CELL_EMPTY : VP_AUTOMATON_GROUND; /* 14 empty cells, without the centre */
    in.cell[VP_WINDOW_CENTRE] = (vp_automaton_cell){.type = VP_AUTOMATON_BEETLE, .living = true};
    for (in.step = 0; in.step < 1400; in.step++) {
        vp_automaton_action act = {.written = 0};
        vp_automaton_rule_beetle(&in, &act);
        for (int k = 0; k < 27; k++)
            if ((act.written >> k & 1u) != 0 && k != VP_WINDOW_CENTRE) {
                times[k]++;
                assert_int_equal(act.out[k].type, VP_AUTOMATON_BEETLE);
                assert_int_equal(act.need[VP_WINDOW_CENTRE], k);
                assert_int_equal(act.out[VP_WINDOW_CENTRE].type, VP_CELL_EMPTY);
            }
    }
    for (int k = 0; k < 27; k++)
        if (k % 2 == 0)
            assert_in_range(times[k], 60, 140);
        else
            assert_int_equal(times[k], 0);
    vp_automaton_action none = {.written = 0};
    for (int k = 0; k < 27; k += 2)
        in.cell[k].type = VP_AUTOMATON_GROUND;
    vp_automaton_rule_beetle(&in, &none);
    assert_int_equal(none.written, 0);
}

/* Each tree stops growing, reaches its height, stands on a trunk and has leaves. Its wood is connected. */
TEST(trees_grow_and_end)
{
    static const struct {
        uint8_t type, leaf;
        uint32_t low, high, wood[2], leaves[2];
    } kind[] = {{VP_AUTOMATON_REDWOOD, VP_AUTOMATON_NEEDLE, 60, 82, {1000, 4000}, {2500, 9000}},
                {VP_AUTOMATON_PINE, VP_AUTOMATON_NEEDLE, 22, 40, {100, 600}, {300, 2000}},
                {VP_AUTOMATON_OAK, VP_AUTOMATON_LEAF, 22, 48, {1200, 4500}, {6000, 18000}},
                {VP_AUTOMATON_CHERRY, VP_AUTOMATON_BLOSSOM, 12, 32, {100, 800}, {500, 5000}}};
    for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++)
        for (uint64_t seed = 1; seed <= TREES; seed++) {
            const vp_dims s = {72, 88, 72};
            vp_automaton *a = make(s, seed, NULL, 0);
            assert_ok(vp_automaton_plant(a, kind[k].type, (vp_ivec3){36, 0, 36}, false, &error));
            assert_true(grow(a, 400) < 400);
            assert_in_range(count_type(a, kind[k].type), kind[k].wood[0], kind[k].wood[1]);
            assert_in_range(count_type(a, kind[k].leaf), kind[k].leaves[0], kind[k].leaves[1]);
            uint8_t *cell = cells_of(a);
            size_t highest = 0;
            for (size_t i = 0; i < (size_t)s.x * s.y * s.z; i++)
                if (cell[i] != 0) {
                    assert_true(cell[i] == kind[k].type || cell[i] == kind[k].leaf); /* and dead */
                    highest = i / s.x / s.z;
                }
            assert_in_range(highest, kind[k].low, kind[k].high);
            free(cell);
            vp_automaton_destroy(a);
        }
}

/* Under a roof, with a patience that no tick exceeds, the line ends in leaves when its tick cannot rise. */
TEST(patience_ends)
{
    const vp_automaton_tree_params tree = {
        .leaf = 2, .soft = {{1, 0}}, .height = {9, 9}, .germination = 1, .interval = {60000, 65535}, .patience = UINT16_MAX};
    const vp_automaton_species species[] = {
        {.name = "leaf", .type = 2, .interval = 1, .rule = vp_automaton_rule_leaf, .parameters = &(vp_automaton_leaf_params){0, 0}},
        {.name = "tree",
         .type = 3,
         .varying = vp_automaton_tree_interval,
         .rule = vp_automaton_rule_redwood,
         .plant = vp_automaton_plant_tree,
         .parameters = &tree}};
    vp_automaton *a = make((vp_dims){1, 1, 1}, 1, species, 2);
    assert_ok(vp_automaton_set_cells(
        a, &(vp_ivec3){0, 0, 0}, &(vp_automaton_cell){3, true, {.tick = UINT16_MAX - 2, .generation = 1, .resource = 9 << 10}}, 1, &error));
    assert_ok(vp_automaton_run(a, 2, NULL, &error)); /* it still waits */
    assert_int_equal(vp_automaton_cell_at(a, (vp_ivec3){0, 0, 0}).type, 3);
    assert_in_range(grow(a, 8), 1, 3);
    assert_int_equal(vp_automaton_cell_at(a, (vp_ivec3){0, 0, 0}).type, 2);
    vp_automaton_destroy(a);
}
