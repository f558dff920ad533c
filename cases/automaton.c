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
                                   .has_no_kernels = true,
                                   .notes = grow_notes,
                                   .measured = grow_measured};

/* ---- count_rule ---- */

enum { SPECIES = VP_AUTOMATON_BUILTIN_TYPES - VP_AUTOMATON_BEETLE, WALL = 255 };

enum { COUNT_ONCE, COUNT_LOOP, COUNT_GRID, COUNT_STEPS = 8 };

typedef struct count_work {
    vp_dims size;
    uint32_t variant, steps;
    const uint8_t *first; /* read by step 0. Ground is a wall, species are 1 to SPECIES */
    uint8_t *cell[2];     /* step k reads [k % 2], and writes the other one */
    vp_count_sets *rules;
    vp_count_job job;
    const vp_allocator *allocator;
    vp_count_grid *grid;
} count_work;

/* "Empty becomes s when 4 to 6 of 26 neighbours are s". Small sets hold few rules, so they use any rule. */
static vp_status make_count(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_garden *g = data->set;
    const size_t cells = cells_of(g->size);
    const bool any = strncmp(data->name, "fuzz-", 5) == 0;
    count_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(count_work));
    vp_random r = {g->seed};
    (void)error;
    w->size = g->size;
    w->variant = variant;
    w->allocator = vp_arena_allocator(arena);
    uint8_t *cell = vp_arena_keep(arena, cells, 1, 1);
    w->rules = vp_arena_keep(arena, SPECIES, sizeof *w->rules, alignof(vp_count_sets));
    for (size_t i = 0; i < cells; i++) {
        const uint8_t type = g->cell[i] & 127;
        cell[i] = type == VP_AUTOMATON_GROUND ? WALL : type >= VP_AUTOMATON_BEETLE ? (uint8_t)(type - VP_AUTOMATON_BEETLE + 1) : 0;
    }
    for (int s = 0; s < SPECIES; s++) {
        const uint64_t bits = vp_random_next(&r);
        w->rules[s] = any ? (vp_count_sets){(uint32_t)bits & 0x7ffffff, (uint32_t)(bits >> 32) & 0x7fffffe} : (vp_count_sets){0xf0, 0x70};
    }
    w->job.size = g->size;
    w->job.species = SPECIES;
    w->job.rules = vp_arena_input(arena, w->rules, SPECIES, sizeof *w->rules, alignof(vp_count_sets), 0);
    w->first = w->job.cell = vp_arena_input(arena, cell, cells, 1, 1, 0);
    for (int i = 0; i < 2; i++)
        w->cell[i] = variant == COUNT_ONCE && i == 1 ? vp_arena_output(arena, cells, 1, 1, 0) : vp_arena_keep(arena, cells, 1, 1);
    return VP_OK;
}

static bool takes_count(const vp_data *data, uint32_t variant)
{
    return variant == COUNT_ONCE || strcmp(data->name, "thicket") == 0;
}

static uint32_t count_steps(const void *argument)
{
    return ((const count_work *)argument)->variant == COUNT_ONCE ? 1 : COUNT_STEPS;
}

static const uint8_t *cells_before(const count_work *w)
{
    return w->steps == 1 ? w->first : w->cell[(w->steps - 1) % 2];
}

static void drop_count(void *argument)
{
    count_work *w = argument;
    vp_count_grid_destroy(w->grid);
    w->grid = NULL;
}

static vp_status rewind_count(const vp_setting *how, void *argument, vp_error *error)
{
    count_work *w = argument;
    (void)how;
    drop_count(w);
    w->job.cell = w->first;
    for (int i = 0; i < 2 && w->variant != COUNT_ONCE; i++) /* the right cells must not pass as those of the next run */
        memset(w->cell[i], 0, cells_of(w->size));
    return w->variant == COUNT_GRID ? vp_count_grid_create(&w->job, w->allocator, &w->grid, error) : VP_OK;
}

static vp_status run_count(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    count_work *w = argument;
    *items = cells_of(w->size);
    w->steps = step + 1;
    if (w->grid != NULL)
        return vp_count_grid_step(w->grid, how->kernels, how->executor, error);
    w->job.cell = cells_before(w);
    w->job.out = w->cell[w->steps % 2];
    how->kernels->count_rule(&w->job);
    return VP_OK;
}

/* Reads a grid's cells after each step. */
static const uint8_t *cells_after(const count_work *w)
{
    uint8_t *cell = w->cell[w->steps % 2];
    if (w->grid != NULL)
        vp_count_grid_read(w->grid, (vp_ivec3){0}, w->size, cell, NULL);
    return cell;
}

/* The cells, and of several steps the number of cells that have changed. */
static void record_count(const void *argument, vp_records *out)
{
    const count_work *w = argument;
    const uint8_t *after = cells_after(w), *before = cells_before(w);
    size_t pitch = 0;
    const uint64_t *bits = w->grid != NULL ? vp_count_grid_changes(w->grid, &pitch) : NULL;
    uint32_t changes = 0;
    for (size_t i = 0; i < pitch * w->size.y * w->size.z; i++)
        for (uint64_t left = bits[i]; left != 0; left &= left - 1)
            changes++;
    for (size_t i = 0; w->grid == NULL && i < cells_of(w->size); i++)
        changes += before[i] != after[i];
    vp_records_put_hash(out, after, cells_of(w->size));
    if (w->variant != COUNT_ONCE)
        vp_records_put_words(out, &changes, 1);
    vp_records_end(out);
}

/* Each cell is counted by the 26 cells around it, for one species after the other. */
static vp_status judge_count(const void *argument, uint32_t step, vp_error *error)
{
    const count_work *w = argument;
    const size_t cells = cells_of(w->size);
    const uint8_t *after = cells_after(w), *before = cells_before(w);
    uint8_t *count = vp_must(malloc(cells), cells), *want = vp_must(calloc(cells, 1), cells);
    vp_status status = VP_OK;
    (void)step;
    for (int s = SPECIES; s >= 1; s--) { /* in descending order, so that the lowest is written last */
        memset(count, 0, cells);
        for (size_t i = 0; i < cells; i++)
            for (int k = 0; before[i] == s && k < 27; k++) {
                const vp_ivec3 there = beside(cell_at(w->size, i), k);
                if (k != VP_WINDOW_CENTRE && is_inside(w->size, there))
                    count[number_of(w->size, there)]++;
            }
        for (size_t i = 0; i < cells; i++)
            if (before[i] == 0 || before[i] == s) {
                const uint32_t set = before[i] == 0 ? w->rules[s - 1].born : w->rules[s - 1].survive;
                want[i] = (set >> count[i] & 1u) != 0 ? (uint8_t)s : want[i];
            }
    }
    for (size_t i = 0; i < cells && status == VP_OK; i++) {
        const uint8_t right = before[i] > SPECIES ? before[i] : want[i];
        if (after[i] != right)
            status = vp_fail(error, VP_E_FORMAT, "cell %zu becomes %u, not %u", i, after[i], right);
    }
    free(count);
    free(want);
    return status;
}

static const char *const count_variants[] = {"", "loop", "grid", NULL};
static const char *const count_notes[] = {"", ", each step's", ", each step's, of a grid that keeps its planes"};
static const vp_measured count_measured[] = {VP_ON("thicket", 1, VP_TIMED),
                                             VP_ON("thicket-300", 1, VP_TIMED),
                                             VP_AS("thicket", 2, VP_TIMED, "", "steps"),
                                             VP_AS("thicket", 4, VP_TIMED | VP_NOT_SCALAR, "grid", "steps"),
                                             {.data = NULL}};

const vp_case vp_case_count_rule = {.kind = &vp_kind_gardens,
                                    .variant = count_variants,
                                    .takes = takes_count,
                                    .make = make_count,
                                    .steps = count_steps,
                                    .rewind = rewind_count,
                                    .run = run_count,
                                    .records = record_count,
                                    .judge = judge_count,
                                    .drop = drop_count,
                                    .notes = count_notes,
                                    .measured = count_measured};
