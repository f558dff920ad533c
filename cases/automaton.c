/* SPDX-License-Identifier: MIT */
/* The cases of automata. Digests of steps are computed anew from all cells. Count rules are judged by going from each counting cell to the
 * cells that it counts for. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/automaton.h>

#include "cases/case.h"
#include "datasets/gardens.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

static size_t cells_of(vp_dims s)
{
    return (size_t)s.x * s.y * s.z;
}

static vp_ivec3 cell_at(vp_dims s, size_t i)
{
    return vp_nth_cell((vp_ivec3){0, 0, 0}, s, i);
}

static bool is_inside(vp_dims s, vp_ivec3 at)
{
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && (uint32_t)at.x < s.x && (uint32_t)at.y < s.y && (uint32_t)at.z < s.z;
}

static size_t number_of(vp_dims s, vp_ivec3 at)
{
    return ((size_t)at.y * s.z + (size_t)at.z) * s.x + (size_t)at.x;
}

static vp_ivec3 beside(vp_ivec3 at, int k)
{
    return (vp_ivec3){at.x + k % 3 - 1, at.y + k / 9 - 1, at.z + k / 3 % 3 - 1};
}

/* ---- grow_step ---- */

typedef struct automaton_work {
    const vp_garden *garden;
    vp_automaton_form form;
    const vp_allocator *allocator;
    vp_automaton *automaton;
    size_t count; /* number of cells that are not empty, and these cells */
    vp_ivec3 *at;
    vp_automaton_cell *cell;
    uint64_t calls, living; /* of all steps since it was created */
    uint32_t steps;
} automaton_work;

static vp_status make_grow(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    automaton_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(automaton_work));
    const vp_garden *g = w->garden = data->set;
    const size_t cells = cells_of(g->size);
    uint32_t living = 0;
    (void)error;
    w->form = variant == 0 ? VP_AUTOMATON_LIST : VP_AUTOMATON_SCAN;
    w->allocator = vp_arena_allocator(arena);
    for (size_t i = 0; i < cells; i++)
        w->count += g->cell[i] != VP_CELL_EMPTY;
    w->at = vp_arena_keep(arena, w->count, sizeof *w->at, alignof(vp_ivec3));
    w->cell = vp_arena_keep(arena, w->count, sizeof *w->cell, alignof(vp_automaton_cell));
    size_t n = 0;
    for (size_t i = 0; i < cells; i++) {
        if (g->cell[i] == VP_CELL_EMPTY)
            continue;
        w->at[n] = cell_at(g->size, i);
        w->cell[n] = (vp_automaton_cell){.type = g->cell[i] & 127, .living = g->cell[i] >= VP_CELL_LIVING};
        if (w->cell[n].living)
            w->cell[n].memory = g->memory[living++];
        n++;
    }
    return VP_OK;
}

static uint32_t steps_of(const void *argument)
{
    return ((const automaton_work *)argument)->garden->steps;
}

static void drop_grow(void *argument)
{
    automaton_work *w = argument;
    vp_automaton_destroy(w->automaton);
    w->automaton = NULL;
}

static vp_status rewind_grow(const vp_setting *how, void *argument, vp_error *error)
{
    automaton_work *w = argument;
    const vp_automaton_def def = {.size = w->garden->size, .seed = w->garden->seed, .form = w->form, .allocator = w->allocator};
    (void)how;
    drop_grow(w);
    w->calls = w->living = w->steps = 0;
    const vp_status status = vp_automaton_create(&def, &w->automaton, error);
    return status == VP_OK ? vp_automaton_set_cells(w->automaton, w->at, w->cell, w->count, error) : status;
}

static vp_status run_grow(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    automaton_work *w = argument;
    (void)step;
    *items = vp_automaton_living_count(w->automaton);
    w->living += *items;
    w->steps++;
    return vp_automaton_run(w->automaton, 1, how->executor, error);
}

static void record_grow(const void *argument, vp_records *out)
{
    const automaton_work *w = argument;
    const uint64_t digest = vp_automaton_digest(w->automaton);
    uint32_t count;
    const vp_automaton_change *change = vp_automaton_changes(w->automaton, &count);
    for (uint32_t i = 0; i < count; i++) {
        vp_records_put_words(out, &change[i].at, 3);
        vp_records_put(out, (const uint8_t[2]){change[i].before, change[i].after}, 2);
    }
    vp_records_put_longs(out, &digest, 1);
    vp_records_end(out);
}

/* The digest is that of the cells. The corpus judges steps, and the two forms are compared with each other. */
static vp_status judge_grow(const void *argument, uint32_t step, vp_error *error)
{
    const automaton_work *w = argument;
    const vp_garden *g = w->garden;
    uint64_t sum = 0;
    for (size_t i = 0; i < cells_of(g->size); i++) {
        const vp_automaton_cell c = vp_automaton_cell_at(w->automaton, cell_at(g->size, i));
        const uint64_t what = ((uint64_t)i + 1) << 8 | c.type | (c.living ? VP_CELL_LIVING : 0u);
        const uint64_t memory = (uint64_t)c.memory.resource << 32 | (uint64_t)c.memory.generation << 16 | c.memory.tick;
        sum += c.type == VP_CELL_EMPTY ? 0 : vp_mix64(vp_mix64(what) + memory);
    }
    if (vp_automaton_digest(w->automaton) != vp_mix64(sum + vp_mix64(g->seed) + (step + 1) * UINT64_C(0x9e3779b97f4a7c15)))
        return vp_fail(error, VP_E_FORMAT, "step %u: the digest is not that of the cells", step);
    return VP_OK;
}

static void count_grow(const void *argument, vp_counters *out)
{
    const automaton_work *w = argument;
    const vp_automaton_stats s = vp_automaton_stats_of(w->automaton);
    vp_count(out, "rule_calls_per_step", (double)s.calls / (double)s.step);
    vp_count(out, "living", (double)w->living / w->steps);
    vp_count(out, "bytes_per_living", (double)s.living_bytes * w->steps / (double)(w->living > 0 ? w->living : 1));
    vp_count(out, "bytes", (double)s.bytes);
}

static const char *const grow_variants[] = {"list", "scan", NULL};
static const char *const grow_notes[] = {", each step's; in it: rules, conflicts, the update, the change list and the digest",
                                         ", each step's; in it: every species' rule at every cell, conflicts, the update"};
static const vp_measured grow_measured[] = {VP_ON("garden", 3, VP_TIMED | VP_ENDS),     VP_ON("beetles", 3, VP_TIMED | VP_ENDS),
                                            VP_ON("garden-300", 3, VP_TIMED | VP_ENDS), VP_ON("garden", 1, VP_VERIFIED),
                                            VP_ON("beetles", 3, VP_VERIFIED),           {.data = NULL}};

const vp_case vp_case_grow_step = {.kind = &vp_kind_gardens,
                                   .variant = grow_variants,
                                   .make = make_grow,
                                   .steps = steps_of,
                                   .rewind = rewind_grow,
                                   .run = run_grow,
                                   .records = record_grow,
                                   .judge = judge_grow,
                                   .counters = count_grow,
                                   .drop = drop_grow,
                                   .same = true,
                                   .notes = grow_notes,
                                   .measured = grow_measured};

/* ---- count_rule ---- */

enum { SPECIES = VP_AUTOMATON_BUILTIN_TYPES - VP_AUTOMATON_BEETLE, WALL = 255 };

typedef struct count_work {
    vp_dims size;
    uint8_t *cell; /* ground is a wall, species are 1 to SPECIES */
    vp_count_sets *rules;
    vp_count_job job;
    uint8_t *out;
} count_work;

/* "Empty becomes s when 4 to 6 of 26 neighbours are s". Small sets hold few rules, so they use any rule. */
static vp_status make_count(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_garden *g = data->set;
    const size_t cells = cells_of(g->size);
    const bool any = strncmp(data->name, "fuzz-", 5) == 0;
    count_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(count_work));
    vp_random r = {g->seed};
    (void)variant, (void)error;
    w->size = g->size;
    w->cell = vp_arena_keep(arena, cells, 1, 1);
    w->rules = vp_arena_keep(arena, SPECIES, sizeof *w->rules, alignof(vp_count_sets));
    for (size_t i = 0; i < cells; i++) {
        const uint8_t type = g->cell[i] & 127;
        w->cell[i] = type == VP_AUTOMATON_GROUND ? WALL : type >= VP_AUTOMATON_BEETLE ? (uint8_t)(type - VP_AUTOMATON_BEETLE + 1) : 0;
    }
    for (int s = 0; s < SPECIES; s++) {
        const uint64_t bits = vp_random_next(&r);
        w->rules[s] = any ? (vp_count_sets){(uint32_t)bits & 0x7ffffff, (uint32_t)(bits >> 32) & 0x7fffffe} : (vp_count_sets){0xf0, 0x70};
    }
    w->job.size = g->size;
    w->job.species = SPECIES;
    w->job.cell = vp_arena_input(arena, w->cell, cells, 1, 1, 0);
    w->job.rules = vp_arena_input(arena, w->rules, SPECIES, sizeof *w->rules, alignof(vp_count_sets), 0);
    w->job.out = w->out = vp_arena_output(arena, cells, 1, 1, 0);
    return VP_OK;
}

static vp_status run_count(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    count_work *w = argument;
    (void)step, (void)error;
    how->kernels->count_rule(&w->job);
    *items = cells_of(w->size);
    return VP_OK;
}

static void record_count(const void *argument, vp_records *out)
{
    const count_work *w = argument;
    vp_records_put_hash(out, w->out, cells_of(w->size));
    vp_records_end(out);
}

/* Each cell is counted by the 26 cells around it, for one species after the other. */
static vp_status judge_count(const void *argument, uint32_t step, vp_error *error)
{
    const count_work *w = argument;
    const size_t cells = cells_of(w->size);
    uint8_t *count = vp_must(malloc(cells), cells), *want = vp_must(calloc(cells, 1), cells);
    vp_status status = VP_OK;
    (void)step;
    for (int s = SPECIES; s >= 1; s--) { /* in descending order, so that the lowest is written last */
        memset(count, 0, cells);
        for (size_t i = 0; i < cells; i++)
            for (int k = 0; w->cell[i] == s && k < 27; k++) {
                const vp_ivec3 there = beside(cell_at(w->size, i), k);
                if (k != VP_WINDOW_CENTRE && is_inside(w->size, there))
                    count[number_of(w->size, there)]++;
            }
        for (size_t i = 0; i < cells; i++)
            if (w->cell[i] == 0 || w->cell[i] == s) {
                const uint32_t set = w->cell[i] == 0 ? w->rules[s - 1].born : w->rules[s - 1].survive;
                want[i] = (set >> count[i] & 1u) != 0 ? (uint8_t)s : want[i];
            }
    }
    for (size_t i = 0; i < cells && status == VP_OK; i++) {
        const uint8_t right = w->cell[i] > SPECIES ? w->cell[i] : want[i];
        if (w->out[i] != right)
            status = vp_fail(error, VP_E_FORMAT, "cell %zu becomes %u, not %u", i, w->out[i], right);
    }
    free(count);
    free(want);
    return status;
}

static const vp_measured count_measured[] = {VP_ON("thicket", 1, VP_TIMED), VP_ON("thicket-300", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_count_rule = {.kind = &vp_kind_gardens,
                                    .make = make_count,
                                    .run = run_count,
                                    .records = record_count,
                                    .judge = judge_count,
                                    .measured = count_measured};
