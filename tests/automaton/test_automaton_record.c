/* SPDX-License-Identifier: MIT */
/* What is recorded of an automaton is what can be seen of it, after each step. */
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

#include <voxphys/automaton.h>

#include "src/core/error.h"

enum { X = 14, Y = 20, Z = 11, CELLS = X * Y * Z };

/* Keeps what it is told. */
typedef struct listener {
    uint32_t layers, frames, reported;
    uint8_t cell[CELLS];
    double figures[4];
    char text[64];
    bool fails;
} listener;

static uint32_t on_layer(void *user, const vp_record_layer *layer)
{
    listener *l = user;
    static const char *const names[] = {"cells", "figures", "state"};
    assert_int_equal(l->frames, 0);
    assert_string_equal(layer->name, names[l->layers]);
    if (l->layers == 0) {
        assert_true(layer->size.x == X && layer->size.y == Y && layer->size.z == Z);
        assert_string_equal(layer->materials[VP_AUTOMATON_CHERRY].name, "cherry");
        assert_int_equal(layer->material_count, VP_AUTOMATON_BUILTIN_TYPES);
    }
    return l->layers++;
}

static void on_voxels(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count)
{
    listener *l = user;
    assert_int_equal(layer, 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(changes[i].cell < CELLS);
        l->cell[changes[i].cell] = changes[i].material;
    }
    l->reported += count;
}

static void on_scalars(void *user, uint32_t layer, const double *values)
{
    assert_int_equal(layer, 1);
    memcpy(((listener *)user)->figures, values, 4 * sizeof *values);
}

static void on_texts(void *user, uint32_t layer, const vp_record_text *texts, uint32_t count)
{
    listener *l = user;
    assert_int_equal(layer, 2);
    assert_int_equal(count, 1);
    snprintf(l->text, sizeof l->text, "%s", texts->text);
}

static vp_status on_frame(void *user, vp_error *error)
{
    listener *l = user;
    l->frames++;
    return l->fails ? vp_fail(error, VP_E_IO, "no more room") : vp_succeed(error);
}

static vp_recorder recorder_of(listener *l)
{
    return (vp_recorder){.user = l, .layer = on_layer, .voxels = on_voxels, .scalars = on_scalars, .texts = on_texts, .frame = on_frame};
}

static uint8_t type_at(const vp_automaton *a, int x, int y, int z)
{
    return vp_automaton_cell_at(a, (vp_ivec3){x, y, z}).type;
}

static bool can_be_seen(const vp_automaton *a, int x, int y, int z)
{
    static const int side[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int s = 0; s < 6; s++) {
        const uint8_t t = type_at(a, x + side[s][0], y + side[s][1], z + side[s][2]);
        if (t == VP_CELL_EMPTY || t == VP_CELL_OUTSIDE)
            return true;
    }
    return false;
}

static void compare(const vp_automaton *a, const listener *l)
{
    uint32_t n = 0, hidden = 0;
    for (int y = 0; y < Y; y++)
        for (int z = 0; z < Z; z++)
            for (int x = 0; x < X; x++, n++) {
                const uint8_t type = type_at(a, x, y, z);
                hidden += l->cell[n] != type;
                if (l->cell[n] != type) /* only what nobody sees is left out */
                    assert_true(l->cell[n] == 0 && type == VP_AUTOMATON_GROUND && !can_be_seen(a, x, y, z));
            }
    assert_true(hidden > 0);
    const vp_automaton_stats s = vp_automaton_stats_of(a);
    char text[64];
    snprintf(text, sizeof text, "step %llu, digest %016llx", (unsigned long long)s.step, (unsigned long long)vp_automaton_digest(a));
    assert_string_equal(l->text, text);
    assert_true(l->figures[0] == s.living);
}

/* Ground in the lower layers, a tree and a beetle on it. */
static vp_automaton *garden(void)
{
    vp_automaton *a;
    assert_ok(vp_automaton_create(&(vp_automaton_def){.size = {X, Y, Z}, .seed = 4}, &a, &error));
    for (int y = 0; y < 4; y++)
        for (int z = 0; z < Z; z++)
            for (int x = 0; x < X; x++)
                assert_ok(vp_automaton_set_cells(a, &(vp_ivec3){x, y, z}, &(vp_automaton_cell){.type = VP_AUTOMATON_GROUND}, 1, &error));
    assert_ok(vp_automaton_plant(a, VP_AUTOMATON_CHERRY, (vp_ivec3){6, 4, 5}, false, &error));
    assert_ok(vp_automaton_plant(a, VP_AUTOMATON_BEETLE, (vp_ivec3){1, 10, 1}, false, &error));
    return a;
}

static void each_step_is_told(void **state)
{
    (void)state;
    static listener l;
    vp_automaton *a = garden();
    vp_automaton_recording recording;
    const vp_recorder to = recorder_of(&l);
    double calls = 0;
    assert_ok(vp_automaton_record_begin(a, &to, &recording, &error));
    assert_int_equal(l.layers, 3);
    compare(a, &l);
    for (int step = 0; step < 60; step++) {
        uint32_t changes;
        assert_ok(vp_automaton_step(a, NULL, &error));
        vp_automaton_changes(a, &changes);
        assert_ok(vp_automaton_apply(a, &error));
        l.reported = 0;
        assert_ok(vp_automaton_record_step(a, &recording, &error));
        compare(a, &l);
        assert_true(l.reported <= 7 * changes && l.figures[1] == changes);
        calls += l.figures[2];
    }
    assert_int_equal(l.frames, 61);
    assert_true(calls == (double)vp_automaton_stats_of(a).calls);
    vp_automaton_destroy(a);
}

/* Eats the ground under it. */
static void digger(const vp_automaton_window *in, vp_automaton_action *out)
{
    if (vp_automaton_window_mine(in) && in->cell[4].type == VP_AUTOMATON_GROUND)
        vp_automaton_action_write(out, 4, (vp_automaton_cell){.type = VP_CELL_EMPTY}, VP_RULE_NO_LINK);
}

static void what_is_dug_free_is_told(void **state)
{
    (void)state;
    static listener l;
    static vp_automaton_species species[VP_AUTOMATON_BUILTIN_TYPES];
    uint32_t count;
    vp_automaton *a;
    const vp_automaton_species *builtin = vp_automaton_species_builtin(&count);
    memcpy(species, builtin, count * sizeof *builtin);
    for (uint32_t i = 0; i < count; i++)
        if (species[i].type == VP_AUTOMATON_ANT) {
            species[i].rule = digger;
            species[i].interval = 0;
        }
    assert_ok(vp_automaton_create(&(vp_automaton_def){.size = {X, Y, Z}, .species = species, .species_count = count}, &a, &error));
    for (int y = 0; y < 6; y++)
        for (int z = 0; z < Z; z++)
            for (int x = 0; x < X; x++)
                assert_ok(vp_automaton_set_cells(a, &(vp_ivec3){x, y, z}, &(vp_automaton_cell){.type = VP_AUTOMATON_GROUND}, 1, &error));
    assert_ok(vp_automaton_plant(a, VP_AUTOMATON_ANT, (vp_ivec3){5, 6, 5}, false, &error));
    vp_automaton_recording recording;
    const vp_recorder to = recorder_of(&l);
    assert_ok(vp_automaton_record_begin(a, &to, &recording, &error));
    const uint32_t before = l.reported;
    assert_ok(vp_automaton_run(a, 1, NULL, &error));
    assert_int_equal(type_at(a, 5, 5, 5), VP_CELL_EMPTY);
    assert_ok(vp_automaton_record_step(a, &recording, &error));
    compare(a, &l);
    assert_int_equal(l.reported, before + 7); /* itself, and the six around it */
    vp_automaton_destroy(a);
}

static void failures_come_out(void **state)
{
    (void)state;
    static listener l;
    vp_automaton *a = garden();
    vp_automaton_recording recording;
    const vp_recorder to = recorder_of(&l);
    assert_ok(vp_automaton_record_begin(a, &to, &recording, &error));
    bool done = true;
    assert_ok(vp_automaton_advance(a, 1, NULL, &done, &error));
    assert_refused(vp_automaton_record_step(a, &recording, &error), VP_E_ARGUMENT, "recorded while step 0 is under way");
    assert_refused(vp_automaton_record_begin(a, &to, &recording, &error), VP_E_ARGUMENT, "recorded while step 0 is under way");
    vp_automaton_cancel_step(a);
    assert_ok(vp_automaton_run(a, 1, NULL, &error));
    l.fails = true;
    assert_refused(vp_automaton_record_step(a, &recording, &error), VP_E_IO, "no more room");
    vp_automaton_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_is_told),
        cmocka_unit_test(what_is_dug_free_is_told),
        cmocka_unit_test(failures_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
