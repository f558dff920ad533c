/* SPDX-License-Identifier: MIT */
/* The cases of automata. Steps of gardens are judged by a second, naive automaton. It keeps all cells in an array, looks at each in
 * every step, and stores the best claim so far for each. Digests are computed anew from all cells. The rules are the species' own. Their
 * use in a step is judged here, and other tests check what they do. Count rules are judged by going from each counting cell to the cells
 * that it counts for. */
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

/* ---- the naive automaton ---- */

typedef struct claim {
    size_t from; /* the claiming cell */
    int place;   /* of its act */
    uint8_t strength;
} claim;
enum { NOBODY = -1 };

typedef struct judge_world {
    vp_dims size;
    uint64_t seed, step;
    vp_automaton_cell *now, *later;
    claim *best;               /* best claim on each cell */
    vp_automaton_action **act; /* act of each cell, NULL = none */
    uint8_t *effect;           /* whether an output of the cell itself took effect */
} judge_world;

static const vp_automaton_species *species_of(uint8_t type)
{
    uint32_t count;
    const vp_automaton_species *s = vp_automaton_species_builtin(&count);
    while (s->type != type)
        s++;
    return s;
}

static vp_ivec3 beside(vp_ivec3 at, int k)
{
    return (vp_ivec3){at.x + k % 3 - 1, at.y + k / 9 - 1, at.z + k / 3 % 3 - 1};
}

/* The act of a cell, or NULL. The caller frees it. */
static vp_automaton_action *act_of(const judge_world *w, size_t i)
{
    const vp_automaton_cell *self = &w->now[i];
    if (!self->living)
        return NULL;
    const vp_automaton_species *s = species_of(self->type);
    const vp_ivec3 at = cell_at(w->size, i);
    const uint32_t interval = s->varying != NULL ? s->varying(&self->memory, s->parameters) : s->interval;
    if (self->memory.tick < interval)
        return NULL;
    vp_automaton_window in = {.seed = w->seed, .step = w->step, .position = (uint32_t)i, .type = s->type, .parameters = s->parameters};
    for (int k = 0; k < 27; k++) {
        const vp_ivec3 there = beside(at, k);
        in.cell[k] = is_inside(w->size, there) ? w->now[number_of(w->size, there)] : (vp_automaton_cell){.type = VP_CELL_OUTSIDE};
    }
    vp_automaton_action *act = vp_must(calloc(1, sizeof *act), sizeof *act);
    s->rule(&in, act);
    return act;
}

static bool has_won(const judge_world *w, size_t from, int place)
{
    const vp_ivec3 there = beside(cell_at(w->size, from), place);
    if (!is_inside(w->size, there))
        return false;
    const claim *c = &w->best[number_of(w->size, there)];
    return c->place == place && c->from == from;
}

/* Whether an output and all outputs it needs have won. Follows links until one was seen before. */
static bool has_effect(const judge_world *w, size_t from, int place)
{
    uint32_t seen = 0;
    while (place != VP_RULE_NO_LINK && (seen >> place & 1u) == 0) {
        if (!has_won(w, from, place))
            return false;
        seen |= 1u << place;
        place = w->act[from]->need[place];
    }
    return true;
}

static void claim_cells(judge_world *w, size_t from)
{
    const uint8_t strength = species_of(w->now[from].type)->strength;
    for (int k = 0; k < 27; k++) {
        const vp_ivec3 there = beside(cell_at(w->size, from), k);
        if ((w->act[from]->written >> k & 1u) == 0 || !is_inside(w->size, there))
            continue;
        claim *c = &w->best[number_of(w->size, there)];
        if (c->place == NOBODY || strength > c->strength)
            *c = (claim){from, k, strength};
    }
}

static void step_world(judge_world *w)
{
    const size_t cells = cells_of(w->size);
    for (size_t i = 0; i < cells; i++) {
        w->best[i].place = NOBODY;
        w->effect[i] = 0;
        w->act[i] = act_of(w, i);
    }
    for (size_t i = 0; i < cells; i++)
        if (w->act[i] != NULL)
            claim_cells(w, i);
    for (size_t i = 0; i < cells; i++)
        for (int k = 0; w->act[i] != NULL && k < 27 && w->effect[i] == 0; k++)
            w->effect[i] = (w->act[i]->written >> k & 1u) != 0 && has_effect(w, i, k);
    for (size_t i = 0; i < cells; i++) {
        const claim *c = &w->best[i];
        vp_automaton_cell *cell = &w->later[i];
        *cell = w->now[i];
        if (c->place != NOBODY && has_effect(w, c->from, c->place))
            *cell = w->act[c->from]->out[c->place];
        else if (cell->living)
            cell->memory.tick = w->effect[i] != 0 ? 0 : cell->memory.tick == UINT16_MAX ? UINT16_MAX : (uint16_t)(cell->memory.tick + 1);
    }
    for (size_t i = 0; i < cells; i++)
        free(w->act[i]);
    vp_automaton_cell *old = w->now;
    w->now = w->later;
    w->later = old; /* the previous cells, to compare changes with */
    w->step++;
}

static uint64_t digest_world(const judge_world *w)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < cells_of(w->size); i++) {
        const vp_automaton_cell *c = &w->now[i];
        const uint64_t what = ((uint64_t)i + 1) << 8 | c->type | (c->living ? VP_CELL_LIVING : 0u);
        const uint64_t memory = (uint64_t)c->memory.resource << 32 | (uint64_t)c->memory.generation << 16 | c->memory.tick;
        sum += c->type == VP_CELL_EMPTY ? 0 : vp_mix64(vp_mix64(what) + memory);
    }
    return vp_mix64(sum + vp_mix64(w->seed) + w->step * UINT64_C(0x9e3779b97f4a7c15));
}

static void begin_world(judge_world *w, const vp_garden *g)
{
    const size_t cells = cells_of(g->size);
    uint32_t living = 0;
    *w = (judge_world){.size = g->size, .seed = g->seed};
    w->now = vp_must(calloc(cells, sizeof *w->now), cells * sizeof *w->now);
    w->later = vp_must(calloc(cells, sizeof *w->later), cells * sizeof *w->later);
    w->best = vp_must(calloc(cells, sizeof *w->best), cells * sizeof *w->best);
    w->act = vp_must(calloc(cells, sizeof *w->act), cells * sizeof *w->act);
    w->effect = vp_must(calloc(cells, 1), cells);
    for (size_t i = 0; i < cells; i++) {
        w->now[i] = (vp_automaton_cell){.type = g->cell[i] & 127, .living = g->cell[i] >= VP_CELL_LIVING};
        if (w->now[i].living)
            w->now[i].memory = g->memory[living++];
    }
}

static void end_world(judge_world *w)
{
    free(w->now);
    free(w->later);
    free(w->best);
    free(w->act);
    free(w->effect);
    *w = (judge_world){.step = 0};
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
    judge_world *judge;
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
    w->judge = vp_arena_keep(arena, 1, sizeof *w->judge, alignof(judge_world));
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
    if (w->judge != NULL)
        end_world(w->judge);
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

static vp_status judge_changes(const automaton_work *w, uint32_t step, vp_error *error)
{
    const judge_world *j = w->judge;
    uint32_t count, next = 0;
    const vp_automaton_change *change = vp_automaton_changes(w->automaton, &count);
    for (size_t i = 0; i < cells_of(j->size); i++) {
        const vp_automaton_cell *a = &j->later[i], *b = &j->now[i];
        if (a->type == b->type && a->living == b->living)
            continue;
        const vp_ivec3 at = cell_at(j->size, i);
        const uint8_t before = (uint8_t)(a->type | (a->living ? VP_CELL_LIVING : 0)),
                      after = (uint8_t)(b->type | (b->living ? VP_CELL_LIVING : 0));
        const vp_automaton_change *c = &change[next];
        if (next == count || memcmp(&c->at, &at, sizeof at) != 0 || c->before != before || c->after != after)
            return vp_fail(error, VP_E_FORMAT, "step %u: change %u is not that of (%d, %d, %d) from 0x%02x to 0x%02x", step, next,
                           (int)at.x, (int)at.y, (int)at.z, before, after);
        next++;
    }
    return next == count ? VP_OK : vp_fail(error, VP_E_FORMAT, "step %u: %u changes, not %u", step, count, next);
}

static vp_status judge_grow(const void *argument, uint32_t step, vp_error *error)
{
    const automaton_work *w = argument;
    judge_world *j = w->judge;
    if (step == 0) {
        end_world(j);
        begin_world(j, w->garden);
    }
    if (j->step != step)
        return vp_fail(error, VP_E_FORMAT, "step %u is judged behind step %u", step, (unsigned)j->step);
    step_world(j);
    for (size_t i = 0; i < cells_of(j->size); i++) {
        const vp_ivec3 at = cell_at(j->size, i);
        const vp_automaton_cell is = vp_automaton_cell_at(w->automaton, at), *want = &j->now[i];
        if (is.type != want->type || is.living != want->living || is.memory.tick != want->memory.tick ||
            is.memory.generation != want->memory.generation || is.memory.resource != want->memory.resource)
            return vp_fail(error, VP_E_FORMAT, "step %u: cell (%d, %d, %d) is of type %u, living %d, tick %u, not %u, %d, %u", step,
                           (int)at.x, (int)at.y, (int)at.z, is.type, is.living, is.memory.tick, want->type, want->living,
                           want->memory.tick);
    }
    if (vp_automaton_digest(w->automaton) != digest_world(j))
        return vp_fail(error, VP_E_FORMAT, "step %u: the digest is not that of the cells", step);
    return judge_changes(w, step, error);
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
