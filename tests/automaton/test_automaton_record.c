/* SPDX-License-Identifier: MIT */
/* Recordings of an automaton show exactly its visible cells after each step. */
#include "tests/support/check.h"

#include <stdio.h>

#include <voxphys/automaton.h>

#include "src/core/error.h"

enum { X = 14, Y = 20, Z = 11, CELLS = X * Y * Z, GROUND = 4 /* layers */ };

/* The recorded data. */
static struct {
    uint32_t layers, frames, reported;
    uint8_t cell[CELLS];
    double figures[4];
    char text[64];
    bool fails;
} l;

static uint32_t on_layer(void *user, const vp_record_layer *layer)
{
    static const char *const names[] = {"cells", "figures", "state"};
    (void)user;
    assert_string_equal(layer->name, names[l.layers]);
    if (l.layers == 0)
        assert_true(layer->size.x == X && layer->size.y == Y && layer->size.z == Z && layer->material_count == VP_AUTOMATON_BUILTIN_TYPES);
    return l.layers++;
}

static void on_voxels(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count)
{
    (void)user, (void)layer;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(changes[i].cell < CELLS);
        l.cell[changes[i].cell] = changes[i].material;
    }
    l.reported += count;
}

static void on_scalars(void *user, uint32_t layer, const double *values)
{
    (void)user, (void)layer;
    memcpy(l.figures, values, sizeof l.figures);
}

static void on_texts(void *user, uint32_t layer, const vp_record_text *texts, uint32_t count)
{
    (void)user, (void)layer, (void)count;
    snprintf(l.text, sizeof l.text, "%s", texts->text);
}

static vp_status on_frame(void *user, vp_error *error)
{
    (void)user;
    l.frames++;
    return l.fails ? vp_fail(error, VP_E_IO, "no more room") : vp_succeed(error);
}

static bool can_be_seen(const vp_automaton *a, int x, int y, int z)
{
    bool seen = false;
    for (int s = 0; s < 6; s++) {
        const int step = s % 2 == 0 ? 1 : -1;
        const vp_ivec3 at = {x + (s / 2 == 0 ? step : 0), y + (s / 2 == 1 ? step : 0), z + (s / 2 == 2 ? step : 0)};
        const uint8_t t = vp_automaton_cell_at(a, at).type;
        seen = seen || t == VP_CELL_EMPTY || t == VP_CELL_OUTSIDE;
    }
    return seen;
}

static void compare(const vp_automaton *a)
{
    const vp_automaton_stats s = vp_automaton_stats_of(a);
    uint32_t hidden = 0;
    char text[64];
    for (int n = 0; n < CELLS; n++) {
        const int x = n % X, y = n / X / Z, z = n / X % Z;
        const uint8_t type = vp_automaton_cell_at(a, (vp_ivec3){x, y, z}).type;
        hidden += l.cell[n] != type;
        if (l.cell[n] != type) /* only hidden cells may be missing */
            assert_true(l.cell[n] == 0 && type == VP_AUTOMATON_GROUND && !can_be_seen(a, x, y, z));
    }
    assert_true(hidden > 0);
    snprintf(text, sizeof text, "step %llu, digest %016llx", (unsigned long long)s.step, (unsigned long long)vp_automaton_digest(a));
    assert_string_equal(l.text, text);
    assert_true(l.figures[0] == s.living);
}

/* Eats the ground under it. */
static void digger(const vp_automaton_window *in, vp_automaton_action *out)
{
    if (vp_automaton_window_mine(in) && in->cell[4].type == VP_AUTOMATON_GROUND)
        vp_automaton_action_write(out, 4, (vp_automaton_cell){.type = VP_CELL_EMPTY}, VP_RULE_NO_LINK);
}

/* A tree and a beetle on the ground, and an ant that digs in the first step. */
TEST(each_step_is_told)
{
    static vp_automaton_species species[VP_AUTOMATON_BUILTIN_TYPES];
    const vp_recorder to = {.layer = on_layer, .voxels = on_voxels, .scalars = on_scalars, .texts = on_texts, .frame = on_frame};
    uint32_t count, changes;
    double calls = 0;
    vp_automaton *a;
    vp_automaton_recording recording;
    const vp_automaton_species *builtin = vp_automaton_species_builtin(&count);
    for (uint32_t i = 0; i < count; i++) {
        species[i] = builtin[i];
        if (species[i].type == VP_AUTOMATON_ANT) {
            species[i].rule = digger;
            species[i].interval = 0;
        }
    }
    assert_ok(
        vp_automaton_create(&(vp_automaton_def){.size = {X, Y, Z}, .seed = 4, .species = species, .species_count = count}, &a, &error));
    for (int n = 0; n < X * Z * GROUND; n++)
        assert_ok(vp_automaton_set_cells(a, &(vp_ivec3){n % X, n / X / Z, n / X % Z}, &(vp_automaton_cell){.type = VP_AUTOMATON_GROUND}, 1,
                                         &error));
    assert_ok(vp_automaton_plant(a, VP_AUTOMATON_CHERRY, (vp_ivec3){6, GROUND, 5}, false, &error));
    assert_ok(vp_automaton_plant(a, VP_AUTOMATON_BEETLE, (vp_ivec3){1, 10, 1}, false, &error));
    assert_ok(vp_automaton_plant(a, VP_AUTOMATON_ANT, (vp_ivec3){11, GROUND, 8}, false, &error));
    assert_ok(vp_automaton_record_begin(a, &to, &recording, &error));
    assert_int_equal(l.layers, 3);
    compare(a);
    for (int step = 0; step < 60; step++) {
        l.reported = 0;
        assert_ok(vp_automaton_step(a, NULL, &error));
        vp_automaton_changes(a, &changes);
        assert_ok(vp_automaton_apply(a, &error));
        assert_ok(vp_automaton_record_step(a, &recording, &error));
        compare(a);
        assert_true(l.reported <= 7 * changes && l.figures[1] == changes);
        calls += l.figures[2];
    }
    assert_int_equal(vp_automaton_cell_at(a, (vp_ivec3){11, GROUND - 1, 8}).type, VP_CELL_EMPTY);
    assert_int_equal(l.frames, 61);
    assert_true(calls == (double)vp_automaton_stats_of(a).calls);

    bool done = true;
    assert_ok(vp_automaton_advance(a, 1, NULL, &done, &error));
    assert_refused(vp_automaton_record_step(a, &recording, &error), VP_E_ARGUMENT, "recorded while step 60 is under way");
    assert_refused(vp_automaton_record_begin(a, &to, &recording, &error), VP_E_ARGUMENT, "recorded while step 60 is under way");
    vp_automaton_cancel_step(a);
    assert_ok(vp_automaton_run(a, 1, NULL, &error));
    l.fails = true;
    assert_refused(vp_automaton_record_step(a, &recording, &error), VP_E_IO, "no more room");
    vp_automaton_destroy(a);
}
