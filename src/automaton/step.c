/* SPDX-License-Identifier: MIT */
/* A step. Rules are called and their outputs are stored. Then the outputs are sorted by cell, and the best output of
 * each cell wins. Effective outputs are merged with the list of living voxels. Only vp_automaton_apply, at the end,
 * writes the grid. */
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/core/error.h"
#include "src/core/executor.h"

/* ---- rules ---- */

/* Living voxels and places of a grid that are called at once. */
typedef struct step_batch {
    vp_automaton *automaton;
    uint32_t first_living, end_living;
    uint32_t first_place, end_place;
} step_batch;

static void fill_window(const vp_automaton *a, uint32_t place, vp_automaton_window *out)
{
    int k = 0;
    for (uint32_t layer = place - a->layer; k < 27; layer += a->layer)
        for (uint32_t row = layer - a->row; row <= layer + a->row; row += a->row)
            for (uint32_t p = row - 1; p <= row + 1; p++)
                out->cell[k++] = vp_cell_of(a, p);
    out->seed = a->seed;
    out->step = a->step;
    out->position = vp_cell_number(a, place);
}

/* Whether a voxel of a species waits. */
static bool is_waiting(const vp_automaton_species *s, const vp_automaton_cell_memory *self)
{
    return self->tick < (s->varying != NULL ? s->varying(self, s->parameters) : s->interval);
}

static void call_rule(const vp_automaton_species *s, vp_automaton_window *in, vp_automaton_action *out)
{
    in->type = s->type;
    in->parameters = s->parameters;
    s->rule(in, out);
}

static void call_living(void *argument, uint32_t task)
{
    const step_batch *b = argument;
    const uint32_t first = b->first_living + task * VP_RULES_A_TASK, left = b->end_living - first,
                   end = first + (left < VP_RULES_A_TASK ? left : VP_RULES_A_TASK);
    for (uint32_t i = first; i < end; i++) {
        vp_automaton_action *act = &b->automaton->act[i - b->first_living];
        const uint32_t place = b->automaton->living.place[i];
        const vp_automaton_species *s = b->automaton->of_type[b->automaton->grid[place] & 127];
        vp_automaton_window in;
        act->written = 0;
        if (is_waiting(s, &b->automaton->living.memory[i]))
            continue;
        fill_window(b->automaton, place, &in);
        call_rule(s, &in, act);
    }
}

static void call_places(void *argument, uint32_t task)
{
    const step_batch *b = argument;
    const vp_automaton *a = b->automaton;
    const uint32_t first = b->first_place + task * VP_CELLS_A_TASK, left = b->end_place - first,
                   end = first + (left < VP_CELLS_A_TASK ? left : VP_CELLS_A_TASK);
    for (uint32_t place = first; place < end; place++) {
        if (a->grid[place] == VP_CELL_OUTSIDE)
            continue;
        vp_automaton_window in;
        vp_automaton_action none; /* for rules of other species, whose outputs have no effect */
        vp_automaton_action *own = a->grid[place] >= VP_CELL_LIVING ? &a->act[a->slot[place] - b->first_living] : &none;
        own->written = 0;
        fill_window(a, place, &in);
        for (uint32_t i = 0; i < a->species_count; i++) {
            const vp_automaton_species *s = &a->species[i];
            const bool mine = own != &none && s->type == (a->grid[place] & 127);
            vp_automaton_action *act = mine ? own : &none;
            act->written = 0;
            if (s->rule != NULL && !(mine && is_waiting(s, &in.cell[VP_WINDOW_CENTRE].memory)))
                call_rule(s, &in, act);
        }
    }
}

/* ---- outputs ---- */

static vp_status check_output(const vp_automaton *a, const vp_automaton_action *act, int k, uint32_t source, vp_error *error)
{
    const char *fault = vp_cell_fault(a, &act->out[k]);
    const int need = act->need[k];
    if (need != VP_RULE_NO_LINK && (need < 0 || need > 26 || (act->written >> need & 1u) == 0))
        fault = "that needs a missing output";
    if (fault == NULL)
        return VP_OK;
    const vp_ivec3 at = vp_place_at(a, source);
    return vp_fail(error, VP_E_ARGUMENT, "the rule of \"%s\" at (%d, %d, %d) writes type %u in place %d %s",
                   a->of_type[a->grid[source] & 127]->name, (int)at.x, (int)at.y, (int)at.z, act->out[k].type, k, fault);
}

static vp_status refuse_place(const vp_automaton *a, const vp_automaton_action *act, uint32_t source, vp_error *error)
{
    const vp_ivec3 at = vp_place_at(a, source);
    return vp_fail(error, VP_E_ARGUMENT, "the rule of \"%s\" at (%d, %d, %d) writes places 0x%08x; must be bits 0 to 26",
                   a->of_type[a->grid[source] & 127]->name, (int)at.x, (int)at.y, (int)at.z, act->written);
}

/* Appends a rule's outputs, for which there is room. An output to a place outside the grid has lost from the start. */
static vp_status keep_act(vp_automaton *a, const vp_automaton_action *act, uint32_t source, vp_error *error)
{
    uint32_t number[27], count = a->outputs;
    vp_status status = act->written >> 27 == 0 ? VP_OK : refuse_place(a, act, source, error);
    for (int k = 0; k < 27; k++)
        if ((act->written >> k & 1u) != 0)
            number[k] = count++;
    for (int k = 0; k < 27 && status == VP_OK; k++) {
        if ((act->written >> k & 1u) == 0)
            continue;
        status = check_output(a, act, k, source, error);
        const uint32_t place = source + ((uint32_t)(k / 9) - 1) * a->layer + ((uint32_t)(k / 3 % 3) - 1) * a->row + (uint32_t)(k % 3) - 1;
        if (status == VP_OK)
            a->output[number[k]] = (vp_output){.place = place,
                                               .source = source,
                                               .need = act->need[k] == VP_RULE_NO_LINK ? VP_NO_OUTPUT : number[act->need[k]],
                                               .cell = act->out[k],
                                               .strength = a->of_type[a->grid[source] & 127]->strength};
    }
    a->outputs = count;
    a->stats.acts += act->written != 0;
    return status;
}

/* The number of cells of the grid below a place. */
static uint64_t count_cells_below(const vp_automaton *a, uint32_t place)
{
    const vp_ivec3 at = vp_place_at(a, place);
    const int64_t sx = a->size.x, sy = a->size.y, sz = a->size.z, x = at.x < 0 ? 0 : at.x < sx ? at.x : sx;
    if (at.y < 0 || at.z < 0)
        return at.y < 0 ? 0 : (uint64_t)((at.y < sy ? at.y : sy) * sz * sx);
    if (at.y >= sy)
        return (uint64_t)(sy * sz * sx);
    return (uint64_t)(at.z < sz ? (at.y * sz + at.z) * sx + x : (at.y + 1) * sz * sx);
}

static uint64_t count_calls(const vp_automaton *a)
{
    return a->form == VP_AUTOMATON_LIST ? a->next_living : count_cells_below(a, a->next_place) * a->rules;
}

/* The next living voxels, limited by the number of stored acts and the budget. In the scan form also the places before
 * the next living voxel. */
static step_batch select_batch(vp_automaton *a, uint64_t budget)
{
    const vp_living *l = &a->living;
    const uint32_t left = l->count - a->next_living;
    step_batch b = {a, a->next_living, a->next_living + (left < VP_RULES_AT_ONCE ? left : VP_RULES_AT_ONCE), a->next_place, a->places};
    if (a->form == VP_AUTOMATON_LIST) {
        if (b.end_living - b.first_living > budget)
            b.end_living = b.first_living + (uint32_t)(budget > 0 ? budget : 1);
        return b;
    }
    if (b.end_living < l->count)
        b.end_place = l->place[b.end_living];
    const uint64_t allowed = a->rules > 0 ? budget / a->rules : a->places, cells = allowed > 0 ? allowed : 1;
    if (b.end_place - b.first_place > cells) {
        uint32_t end = b.first_place;
        while (end < b.end_place && a->grid[end] == VP_CELL_OUTSIDE) /* no rule is called there, so it costs nothing */
            end++;
        b.end_place = b.end_place - end > cells ? end + (uint32_t)cells : b.end_place;
    }
    while (b.end_living > b.first_living && l->place[b.end_living - 1] >= b.end_place)
        b.end_living--;
    return b;
}

static bool is_all_called(const vp_automaton *a)
{
    return a->form == VP_AUTOMATON_LIST ? a->next_living == a->living.count : a->next_place == a->places;
}

static vp_status call_batch(vp_automaton *a, const vp_executor *executor, uint64_t budget, vp_error *error)
{
    const uint64_t before = count_calls(a);
    step_batch b = select_batch(a, budget);
    const uint64_t max = (uint64_t)a->outputs + 27 * (uint64_t)(b.end_living - b.first_living);
    void *output = a->output;
    const bool room = max < VP_NO_OUTPUT && vp_reserve(&a->allocator, &output, &a->output_room, (uint32_t)max, sizeof *a->output);
    a->output = output;
    if (!room)
        return vp_fail(error, VP_E_MEMORY, "no memory for %llu outputs of rules", (unsigned long long)max);
    const vp_executor by = vp_executor_or_serial(executor);
    if (a->form == VP_AUTOMATON_LIST)
        by.parallel_for(by.user, (b.end_living - b.first_living + VP_RULES_A_TASK - 1) / VP_RULES_A_TASK, call_living, &b);
    else
        by.parallel_for(by.user, (b.end_place - b.first_place + VP_CELLS_A_TASK - 1) / VP_CELLS_A_TASK, call_places, &b);
    vp_status status = VP_OK;
    for (uint32_t i = b.first_living; i < b.end_living && status == VP_OK; i++)
        status = keep_act(a, &a->act[i - b.first_living], a->living.place[i], error);
    a->next_living = b.end_living;
    a->next_place = b.end_place;
    a->stats.calls += count_calls(a) - before;
    if (status != VP_OK)
        a->phase = VP_SPOILT;
    return status;
}

/* ---- winning outputs ---- */

/* Marks the best output of each cell, and puts the winners, by place, into the other array of keys.
 * @return their number */
static uint32_t find_winners(vp_automaton *a, uint64_t **winners)
{
    for (uint32_t i = 0; i < a->outputs; i++) {
        a->output[i].won = false;
        a->key[0][i] = (uint64_t)a->output[i].place << 32 | i;
    }
    const uint32_t in = vp_sort_keys(a->key, a->outputs, a->places); /* outputs to one place are in the order of their sources */
    const uint64_t *key = a->key[in];
    uint32_t count = 0;
    *winners = a->key[in ^ 1];
    for (uint32_t i = 0, end; i < a->outputs; i = end) {
        uint32_t best = (uint32_t)key[i];
        const uint32_t place = a->output[best].place;
        for (end = i + 1; end < a->outputs && key[end] >> 32 == place; end++)
            if (a->output[(uint32_t)key[end]].strength > a->output[best].strength)
                best = (uint32_t)key[end];
        if (a->grid[place] == VP_CELL_OUTSIDE)
            continue;
        a->output[best].won = true;
        (*winners)[count++] = (uint64_t)place << 32 | best;
    }
    return count;
}

/* Whether all outputs that it needs have won. There are at most 27, and links may be cyclic. */
static bool is_effective(const vp_automaton *a, const vp_output *o)
{
    for (int links = 0; links < 27 && o->won && o->need != VP_NO_OUTPUT; links++)
        o = &a->output[o->need];
    return o->won;
}

/* ---- living voxels after the step ---- */

static void add_change(vp_automaton *a, uint32_t place, uint8_t before, uint8_t after)
{
    if (before != after)
        a->change[a->changes++] = (vp_automaton_change){vp_place_at(a, place), before, after};
}

static void append_living(vp_living *later, uint32_t place, vp_automaton_cell_memory memory)
{
    later->place[later->count] = place;
    later->memory[later->count++] = memory;
}

/* A voxel that no output affected. */
static void grow_older(vp_automaton *a, uint32_t i)
{
    vp_automaton_cell_memory memory = a->living.memory[i];
    memory.tick = (uint16_t)(a->acted[i] != 0 ? 0 : memory.tick < UINT16_MAX ? memory.tick + 1 : UINT16_MAX);
    append_living(&a->living_after, a->living.place[i], memory);
}

static void merge_living(vp_automaton *a, const uint64_t *effect, uint32_t effects)
{
    const vp_living *now = &a->living;
    uint32_t i = 0;
    for (uint32_t e = 0; e < effects; e++) {
        const vp_output *o = &a->output[(uint32_t)effect[e]];
        while (i < now->count && now->place[i] < o->place)
            grow_older(a, i++);
        i += i < now->count && now->place[i] == o->place; /* it is overwritten */
        add_change(a, o->place, a->grid[o->place], vp_cell_byte(&o->cell));
        if (o->cell.living)
            append_living(&a->living_after, o->place, o->cell.memory);
    }
    while (i < now->count)
        grow_older(a, i++);
}

/* Makes room for the end of a step. Nothing fails after it. */
static bool reserve_end(vp_automaton *a)
{
    const uint64_t max = (uint64_t)a->living.count + a->outputs;
    void *acted = a->acted, *change = a->change;
    const bool some = max < UINT32_MAX && vp_reserve(&a->allocator, &acted, &a->acted_room, a->living.count, sizeof *a->acted);
    a->acted = acted;
    const bool more = some && vp_reserve(&a->allocator, &change, &a->change_room, a->outputs, sizeof *a->change);
    a->change = change;
    return more && vp_reserve_keys(a, a->outputs) && vp_reserve_living(&a->allocator, &a->living_after, (uint32_t)max);
}

static vp_status end_step(vp_automaton *a, vp_error *error)
{
    if (!reserve_end(a))
        return vp_fail(error, VP_E_MEMORY, "no memory for the end of a step with %u outputs", a->outputs);
    uint64_t *winner = NULL;
    const uint32_t winners = a->outputs > 0 ? find_winners(a, &winner) : 0;
    uint32_t effects = 0;
    if (a->living.count > 0)
        memset(a->acted, 0, a->living.count);
    for (uint32_t i = 0; i < winners; i++) {
        const vp_output *o = &a->output[(uint32_t)winner[i]];
        if (!is_effective(a, o))
            continue;
        a->acted[a->slot[o->source]] = 1;
        winner[effects++] = winner[i];
    }
    a->living_after.count = 0;
    merge_living(a, winner, effects);
    a->stats.outputs += a->outputs;
    a->stats.lost += a->outputs - winners;
    a->stats.unmet += winners - effects;
    a->phase = VP_COMPUTED;
    return VP_OK;
}

/* ---- public functions ---- */

vp_status vp_automaton_advance(vp_automaton *a, uint64_t budget, const vp_executor *executor, bool *done, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, done", a, done);
    if (a->phase == VP_SPOILT)
        return vp_fail(error, VP_E_ARGUMENT, "step %llu can't be finished: one of its rules wrote an invalid output",
                       (unsigned long long)a->step);
    if (a->phase == VP_AT_REST) {
        a->phase = VP_UNDER_WAY;
        a->next_living = a->next_place = a->outputs = a->changes = 0;
    }
    vp_status status = VP_OK;
    const uint64_t min = a->form == VP_AUTOMATON_LIST ? 1 : a->rules; /* calls for a cell */
    for (uint64_t made = 0; status == VP_OK && a->phase == VP_UNDER_WAY && !is_all_called(a) && (made == 0 || budget - made >= min);) {
        const uint64_t before = count_calls(a);
        status = call_batch(a, executor, budget - made, error);
        made += count_calls(a) - before;
        if (made > budget) /* the budget was less than one cell needs */
            break;
    }
    if (status == VP_OK && a->phase == VP_UNDER_WAY && is_all_called(a))
        status = end_step(a, error);
    if (status != VP_OK)
        return status;
    *done = a->phase == VP_COMPUTED;
    return vp_succeed(error);
}

vp_status vp_automaton_step(vp_automaton *a, const vp_executor *executor, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton", a);
    bool done;
    return vp_automaton_advance(a, UINT64_MAX, executor, &done, error);
}

vp_status vp_automaton_apply(vp_automaton *a, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton", a);
    if (a->phase != VP_COMPUTED)
        return vp_fail(error, VP_E_ARGUMENT, "step %llu is not computed", (unsigned long long)a->step);
    const vp_automaton_cell_memory nothing = {0};
    for (uint32_t i = 0; i < a->changes; i++) {
        const vp_automaton_change *c = &a->change[i];
        const uint32_t place = vp_place(a, (uint32_t)c->at.x, (uint32_t)c->at.y, (uint32_t)c->at.z);
        if (c->before < VP_CELL_LIVING && c->before != VP_CELL_EMPTY)
            a->dead_sum -= vp_cell_digest(a, place, c->before, nothing);
        if (c->after < VP_CELL_LIVING && c->after != VP_CELL_EMPTY)
            a->dead_sum += vp_cell_digest(a, place, c->after, nothing);
        a->grid[place] = c->after;
    }
    const vp_living old = a->living;
    a->living = a->living_after;
    a->living_after = old;
    a->living_sum = 0;
    for (uint32_t i = 0; i < a->living.count; i++) {
        const uint32_t place = a->living.place[i];
        a->slot[place] = i;
        a->living_sum += vp_cell_digest(a, place, a->grid[place], a->living.memory[i]);
    }
    a->step++;
    a->phase = VP_AT_REST;
    return vp_succeed(error);
}

void vp_automaton_cancel_step(vp_automaton *a)
{
    if (a->phase != VP_AT_REST)
        a->changes = 0;
    a->phase = VP_AT_REST;
}

vp_status vp_automaton_run(vp_automaton *a, uint64_t steps, const vp_executor *executor, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton", a);
    vp_status status = VP_OK;
    for (uint64_t i = 0; i < steps && status == VP_OK; i++) {
        status = vp_automaton_step(a, executor, error);
        if (status == VP_OK)
            status = vp_automaton_apply(a, error);
    }
    return status == VP_OK ? vp_succeed(error) : status;
}

const vp_automaton_change *vp_automaton_changes(const vp_automaton *a, uint32_t *count)
{
    *count = a->changes;
    return a->change;
}
