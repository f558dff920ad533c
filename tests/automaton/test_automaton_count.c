/* SPDX-License-Identifier: MIT */
/* Count rules, calculated by hand: survival, birth, conflicts, walls and borders. The case count_rule tests any rule on any cells. */
#include "tests/support/check.h"

#include <voxphys/automaton.h>

enum { X = 5, Y = 4, Z = 3, CELLS = X * Y * Z };

static size_t number(int x, int y, int z)
{
    return (size_t)((y * Z + z) * X + x);
}

static void step(const uint8_t cell[CELLS], uint8_t out[CELLS], uint32_t species, const vp_count_sets *rules)
{
    const vp_count_job job = {.size = {X, Y, Z}, .cell = cell, .out = out, .species = species, .rules = rules};
    memset(out, 0xa5, CELLS);
    assert_ok(vp_count_rule_step(&job, NULL, &error));
}

static void by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: AUT-7, AUT-8 */
    static const vp_count_sets rules[] = {{1u << 2, 1u << 3}, {1u << 0, 1u << 3 | 1u << 1}};
    uint8_t cell[CELLS] = {0}, out[CELLS];
    /* a row of three 1s at y = 1, z = 1, x = 0..2: the middle one has two neighbours, the cells next to it have three */
    for (int x = 0; x < 3; x++)
        cell[number(x, 1, 1)] = 1;
    step(cell, out, 1, rules);
    for (int y = 0; y < Y; y++)
        for (int z = 0; z < Z; z++)
            for (int x = 0; x < X; x++)
                assert_int_equal(out[number(x, y, z)], x == 1 && y <= 2); /* it survives, and the 8 around it are born */
    /* a lone 2 survives without neighbours, and its empty neighbours are born of 2, except where 1 is born too */
    memset(cell, 0, sizeof cell);
    cell[number(4, 3, 2)] = 2;
    cell[number(4, 2, 0)] = 200; /* a wall stays and counts for no species */
    cell[number(4, 1, 0)] = 3;   /* above the species: also a wall */
    for (int x = 0; x < 3; x++)
        cell[number(x + 2, 3, 0)] = 1; /* the three are neighbours of (3, 3, 1), (3, 2, 1) and (3, 2, 0) */
    step(cell, out, 2, rules);
    assert_int_equal(out[number(4, 3, 2)], 2);
    assert_int_equal(out[number(4, 2, 0)], 200);
    assert_int_equal(out[number(4, 1, 0)], 3);
    assert_int_equal(out[number(3, 3, 1)], 1); /* three 1s and one 2, so the lower species wins */
    assert_int_equal(out[number(4, 3, 1)], 2); /* one 1 */
    assert_int_equal(out[number(4, 2, 1)], 2);
    assert_int_equal(out[number(3, 2, 0)], 1);
    assert_int_equal(out[number(3, 3, 0)], 1); /* two neighbours */
    assert_int_equal(out[number(2, 3, 0)], 0); /* one neighbour */
    assert_int_equal(out[number(0, 0, 0)], 0);
}

static void what_is_refused(void **state)
{
    (void)state;
    static const vp_count_sets rules[] = {{0, 0}, {1u << 27, 0}}, born[] = {{0, 1u << 31}};
    uint8_t cell[CELLS] = {0}, out[CELLS];
    vp_count_job job = {.size = {X, 0, Z}, .cell = cell, .out = out, .species = 1, .rules = rules};
    assert_refused(vp_count_rule_step(&job, NULL, &error), VP_E_ARGUMENT, "5 x 0 x 3");
    job.size = (vp_dims){1u << 31, 4, 1};
    assert_refused(vp_count_rule_step(&job, NULL, &error), VP_E_ARGUMENT, "2147483648");
    job.size = (vp_dims){1024, 1024, 1025};
    assert_refused(vp_count_rule_step(&job, NULL, &error), VP_E_ARGUMENT, "1025");
    job.size = (vp_dims){X, Y, Z};
    job.species = 127;
    assert_refused(vp_count_rule_step(&job, NULL, &error), VP_E_ARGUMENT, "127");
    job.species = 2;
    assert_refused(vp_count_rule_step(&job, NULL, &error), VP_E_ARGUMENT, "species 2: sets 08000000");
    job.rules = born;
    job.species = 1;
    assert_refused(vp_count_rule_step(&job, NULL, &error), VP_E_ARGUMENT, "80000000");
    job.rules = rules;
    job.out = cell;
    assert_refused(vp_count_rule_step(&job, NULL, &error), VP_E_ARGUMENT, "can't write the cells");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
