/* SPDX-License-Identifier: MIT */
/* Steps: conflicts for a cell, links, ticks. Forms, threads and budgets do not change the result. The case grow_step
 * and the corpus judge whole steps (docs/CONTRACT.md: AUT-1, AUT-2, AUT-3). */
#include "tests/support/check.h"

#include <voxphys/automaton.h>

#include "datasets/random.h"
#include "tests/support/threads.h"

static vp_automaton *make(vp_dims size, uint64_t seed, vp_automaton_form form, const vp_automaton_species *species, uint32_t count)
{
    const vp_automaton_def def = {.size = size, .seed = seed, .form = form, .species = species, .species_count = count};
    vp_automaton *a = NULL;
    assert_ok(vp_automaton_create(&def, &a, &error));
    return a;
}

/* ---- by hand ---- */

/* Outputs the act of its parameters. */
static void scripted(const vp_automaton_window *in, vp_automaton_action *out)
{
    if (vp_automaton_window_mine(in))
        *out = *(const vp_automaton_action *)in->parameters;
}

enum { EAST = 14, WEST = 12, UP = 22, CENTRE = VP_WINDOW_CENTRE };

static void write(vp_automaton_action *act, int place, uint8_t type, int need)
{
    vp_automaton_action_write(act, place, (vp_automaton_cell){.type = type}, need);
}

/* docs/CONTRACT.md: AUT-1, AUT-2
 * Along x: a of strength 1, an empty cell, b of strength 2. Both want the empty cell. The output that a needs is lost, so all linked
 * outputs have no effect. Outputs that lost to an output without effect stay lost. */
TEST(an_output_whose_link_lost_is_void)
{
    vp_automaton_action a = {.written = 0}, b = {.written = 0};
    write(&a, EAST, 3, VP_RULE_NO_LINK); /* loses to b */
    write(&a, UP, 3, EAST);
    write(&a, CENTRE, 3, UP); /* through its link to UP */
    write(&b, WEST, 4, VP_RULE_NO_LINK);
    write(&b, UP, 4, EAST); /* outside the grid, so without effect */
    write(&b, EAST, 4, VP_RULE_NO_LINK);
    write(&b, CENTRE, 4, WEST);
    const vp_automaton_species species[] = {{.name = "a", .type = 1, .strength = 1, .rule = scripted, .parameters = &a},
                                            {.name = "b", .type = 2, .strength = 2, .rule = scripted, .parameters = &b},
                                            {.name = "c", .type = 3},
                                            {.name = "d", .type = 4}};
    vp_automaton *w = make((vp_dims){3, 2, 1}, 0, VP_AUTOMATON_LIST, species, 4);
    const vp_ivec3 at[] = {{0, 0, 0}, {2, 0, 0}};
    const vp_automaton_cell cell[] = {{1, true, {.tick = 5}}, {2, true, {.tick = 5}}};
    assert_ok(vp_automaton_set_cells(w, at, cell, 2, &error));
    assert_ok(vp_automaton_step(w, NULL, &error));
    assert_int_equal(vp_automaton_cell_at(w, (vp_ivec3){1, 0, 0}).type, 0); /* the old state is visible until apply */
    assert_ok(vp_automaton_apply(w, &error));
    assert_int_equal(vp_automaton_cell_at(w, (vp_ivec3){1, 0, 0}).type, 4);
    assert_int_equal(vp_automaton_cell_at(w, (vp_ivec3){2, 0, 0}).type, 4);
    assert_int_equal(vp_automaton_cell_at(w, (vp_ivec3){0, 1, 0}).type, 0);
    assert_int_equal(vp_automaton_cell_at(w, (vp_ivec3){2, 1, 0}).type, 0);
    const vp_automaton_cell left = vp_automaton_cell_at(w, (vp_ivec3){0, 0, 0});
    assert_int_equal(left.type, 1);
    assert_int_equal(left.memory.tick, 6); /* none of its own outputs took effect */
    uint32_t count;
    const vp_automaton_change *change = vp_automaton_changes(w, &count);
    assert_int_equal(count, 2);
    assert_int_equal(change[0].at.x, 1);
    assert_int_equal(change[0].before, 0);
    assert_int_equal(change[0].after, 4);
    assert_int_equal(change[1].at.x, 2);
    assert_int_equal(change[1].before, 2 | VP_CELL_LIVING);
    const vp_automaton_stats s = vp_automaton_stats_of(w);
    assert_int_equal(s.calls, 2);
    assert_int_equal(s.outputs, 7);
    assert_int_equal(s.lost, 2);  /* a's EAST, b's EAST */
    assert_int_equal(s.unmet, 3); /* a's UP and CENTRE, b's UP */
    vp_automaton_destroy(w);
}

/* docs/CONTRACT.md: AUT-1 */
TEST(of_equals_the_lowest_wins)
{
    vp_automaton_action east = {.written = 0}, west = {.written = 0};
    write(&east, EAST, 3, VP_RULE_NO_LINK);
    write(&west, WEST, 4, VP_RULE_NO_LINK);
    for (int swapped = 0; swapped < 2; swapped++) {
        const vp_automaton_species species[] = {{.name = "a", .type = 1, .strength = 7, .rule = scripted, .parameters = &east},
                                                {.name = "b", .type = 2, .strength = 7, .rule = scripted, .parameters = &west},
                                                {.name = "c", .type = 3},
                                                {.name = "d", .type = 4}};
        vp_automaton *w = make((vp_dims){3, 1, 1}, 0, VP_AUTOMATON_LIST, species, 4);
        const vp_ivec3 at[] = {{swapped * 2, 0, 0}, {2 - swapped * 2, 0, 0}};
        const vp_automaton_cell cell[] = {{.type = swapped ? 2 : 1, .living = true}, {.type = swapped ? 1 : 2, .living = true}};
        assert_ok(vp_automaton_set_cells(w, at, cell, 2, &error));
        assert_ok(vp_automaton_run(w, 1, NULL, &error));
        assert_int_equal(vp_automaton_cell_at(w, (vp_ivec3){1, 0, 0}).type, 3); /* of the cell at 0, in any order of planting */
        vp_automaton_destroy(w);
    }
}

TEST(what_a_rule_may_not_write)
{
    static const struct {
        vp_automaton_cell cell;
        int need;
        const char *named;
    } odd[] = {{{.type = 9}, VP_RULE_NO_LINK, "type 9"},
               {{.type = 127}, VP_RULE_NO_LINK, "type 127"},
               {{.type = 3, .living = true}, VP_RULE_NO_LINK, "that lives"},
               {{.living = true}, VP_RULE_NO_LINK, "that lives"},
               {{.type = 3, .memory = {.resource = 1}}, VP_RULE_NO_LINK, "remembers"},
               {{.type = 3}, WEST, "needs"},
               {{.type = 3}, 27, "needs"},
               {{.type = 3}, -2, "needs"}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        vp_automaton_action act = {.written = 0};
        vp_automaton_action_write(&act, EAST, odd[i].cell, odd[i].need);
        const vp_automaton_species species[] = {{.name = "odd", .type = 1, .rule = scripted, .parameters = &act},
                                                {.name = "dead", .type = 3}};
        vp_automaton *w = make((vp_dims){3, 3, 3}, 0, VP_AUTOMATON_LIST, species, 2);
        const vp_ivec3 at = {1, 2, 0};
        assert_ok(vp_automaton_set_cells(w, &at, &(vp_automaton_cell){.type = 1, .living = true}, 1, &error));
        const uint64_t before = vp_automaton_digest(w);
        assert_refused(vp_automaton_run(w, 1, NULL, &error), VP_E_ARGUMENT, "\"odd\" at (1, 2, 0)");
        assert_refused(vp_automaton_step(w, NULL, &error), VP_E_ARGUMENT, "can't be finished");
        assert_refused(vp_automaton_apply(w, &error), VP_E_ARGUMENT, "not computed");
        vp_automaton_cancel_step(w);
        assert_refused(vp_automaton_step(w, NULL, &error), VP_E_ARGUMENT, odd[i].named);
        assert_true(vp_automaton_digest(w) == before);
        vp_automaton_destroy(w);
    }
}

/* There are 27 output places. More outputs are an error. */
TEST(places_behind_the_window_are_refused)
{
    for (int form = 0; form < 2; form++) {
        vp_automaton_action act = {.written = UINT32_C(1) << 27};
        const vp_automaton_species species[] = {{.name = "odd", .type = 1, .rule = scripted, .parameters = &act}};
        vp_automaton *w = make((vp_dims){3, 3, 3}, 0, form == 0 ? VP_AUTOMATON_LIST : VP_AUTOMATON_SCAN, species, 1);
        assert_ok(vp_automaton_set_cells(w, &(vp_ivec3){1, 2, 0}, &(vp_automaton_cell){.type = 1, .living = true}, 1, &error));
        assert_refused(vp_automaton_step(w, NULL, &error), VP_E_ARGUMENT, "\"odd\" at (1, 2, 0) writes places 0x08000000");
        vp_automaton_destroy(w);
    }
}

/* ---- forms, threads, budgets ---- */

/* A cube of all species, some of which start in the same step. */
static vp_automaton *garden(int32_t edge, vp_automaton_form form, const vp_allocator *allocator)
{
    const uint32_t side = (uint32_t)edge;
    const vp_automaton_def def = {.size = {side, side, side}, .seed = 11, .form = form, .allocator = allocator};
    vp_automaton *a = NULL;
    assert_ok(vp_automaton_create(&def, &a, &error));
    for (int i = 0; i < 60; i++) {
        const vp_ivec3 at = {i * 7 % edge, i < 40 ? 1 + i * 11 % (edge - 1) : 0, i * 13 % edge};
        const uint8_t type = (uint8_t)(i < 40 ? VP_AUTOMATON_BEETLE + i % 6 : VP_AUTOMATON_REDWOOD + i % 4);
        assert_ok(vp_automaton_plant(a, type, at, i % 4 == 1, &error));
    }
    return a;
}

#ifdef TEST_THIN
enum { GARDEN_EDGE = 16, GARDEN_STEPS = 20 };
#else
enum { GARDEN_EDGE = 32, GARDEN_STEPS = 50 };
#endif

/* docs/CONTRACT.md: AUT-3 */
TEST(forms_and_threads_agree)
{
    uint64_t want[GARDEN_STEPS];
    for (int run = 0; run < 6; run++) {
        vp_automaton *a = garden(GARDEN_EDGE, run % 2 == 0 ? VP_AUTOMATON_LIST : VP_AUTOMATON_SCAN, NULL);
        const vp_executor threads = test_threads(run / 2 == 1 ? 2 : 16);
        for (int step = 0; step < GARDEN_STEPS; step++) {
            assert_ok(vp_automaton_run(a, 1, run / 2 > 0 ? &threads : NULL, &error));
            if (run == 0)
                want[step] = vp_automaton_digest(a);
            assert_true(vp_automaton_digest(a) == want[step]);
        }
        if (run == 0)
            assert_true(vp_automaton_stats_of(a).lost > 0);
        vp_automaton_destroy(a);
    }
}

/* docs/CONTRACT.md: AUT-3 */
TEST(budgets_change_nothing)
{
    enum { SMALL = 12, STEPS = 12 };
    vp_random r = {77};
    for (int form = 0; form < 2; form++) {
        vp_automaton *a = garden(SMALL, VP_AUTOMATON_LIST, NULL),
                     *b = garden(SMALL, form == 0 ? VP_AUTOMATON_LIST : VP_AUTOMATON_SCAN, NULL);
        for (int step = 0; step < STEPS; step++) {
            bool done = false;
            assert_ok(vp_automaton_run(a, 1, NULL, &error));
            while (!done) {
                const uint64_t most = (uint64_t)(form == 0 ? 60 : SMALL * SMALL * SMALL * 10);
                const uint64_t budget = vp_random_below(&r, 5) == 0 ? 0 : vp_random_below(&r, (uint32_t)most);
                const uint64_t before = vp_automaton_stats_of(b).calls, digest = vp_automaton_digest(b);
                assert_ok(vp_automaton_advance(b, budget, NULL, &done, &error));
                const uint64_t made = vp_automaton_stats_of(b).calls - before, least = form == 0 ? 1 : 10;
                assert_true(made <= (budget > least ? budget : least));
                assert_true(vp_automaton_digest(b) == digest);
            }
            assert_ok(vp_automaton_apply(b, &error));
            assert_true(vp_automaton_digest(a) == vp_automaton_digest(b));
        }
        const uint64_t per_step = (uint64_t)SMALL * SMALL * SMALL * 10;
        if (form == 1)
            assert_int_equal(vp_automaton_stats_of(b).calls, STEPS * per_step);
        vp_automaton_destroy(a);
        vp_automaton_destroy(b);
    }
}

/* A batch that begins at the border, after the last cell, must not read places past the end. The grid with its border has 128 places, a
 * size that no allocator rounds up, so a sanitizer sees such a read. */
TEST(a_scan_ends_at_the_border)
{
    const vp_automaton_species species[] = {
        {.name = "idle", .type = 1, .rule = scripted, .parameters = &(vp_automaton_action){.written = 0}}};
    vp_automaton *a = make((vp_dims){6, 2, 2}, 0, VP_AUTOMATON_SCAN, species, 1);
    assert_ok(vp_automaton_set_cells(a, &(vp_ivec3){5, 1, 1}, &(vp_automaton_cell){1, true, {.tick = 0}}, 1, &error));
    int parts = 0;
    for (bool done = false; !done; parts++)
        assert_ok(vp_automaton_advance(a, 1, NULL, &done, &error));
    assert_in_range(parts, 24, 25);
    assert_ok(vp_automaton_apply(a, &error));
    assert_int_equal(vp_automaton_cell_at(a, (vp_ivec3){5, 1, 1}).memory.tick, 1);
    assert_int_equal(vp_automaton_stats_of(a).calls, 24);
    vp_automaton_destroy(a);
}
