/* SPDX-License-Identifier: MIT */
/* A step. Rules are called and their outputs are stored. Then each output claims its cell, and the best one of each cell wins. A claim does
 * not depend on the order of claims. Effective outputs mark their cells in a bitmap, whose order is that of the list of living voxels, and
 * are merged with this list. Only vp_automaton_apply, at the end, writes the grid. */
#include <stdatomic.h>
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/core/error.h"
#include "src/core/executor.h"

enum { VP_PREFETCHED = 16 }; /* living voxels ahead */

/* ---- rules ---- */

/* Living voxels and places of a grid that are called at once. */
typedef struct step_batch {
    vp_automaton *automaton;
    uint32_t first_living, end_living;
    uint32_t first_place, end_place;
    uint32_t first_output[VP_RULES_AT_ONCE]; /* by living voxel */
    atomic_bool has_fault;
} step_batch;

/* `self` is the number of the cell in the list of living voxels, if it lives. */
static void fill_window(const vp_automaton *a, uint32_t place, uint32_t self, vp_automaton_window *out)
{
    int k = 0;
    memset(out->cell, 0, sizeof out->cell);
    for (uint32_t layer = place - a->layer; k < 27; layer += a->layer)
        for (uint32_t row = layer - a->row; row <= layer + a->row; row += a->row)
            for (uint32_t p = row - 1; p <= row + 1; p++, k++) {
                const uint8_t byte = a->grid[p];
                out->cell[k].type = byte & 127;
                if (byte >= VP_CELL_LIVING) {
                    out->cell[k].living = true;
                    out->cell[k].memory = a->living.memory[p == place ? self : a->slot[p]];
                }
            }
    out->seed = a->seed;
    out->step = a->step;
    out->position = vp_cell_number(a, place);
}

/* Fetches the cells around a living voxel that will be called soon. */
static void prefetch_window(const vp_automaton *a, uint32_t place)
{
    for (uint32_t layer = place - a->layer, k = 0; k < 3; layer += a->layer, k++) {
        __builtin_prefetch(a->grid + layer - a->row);
        __builtin_prefetch(a->grid + layer);
        __builtin_prefetch(a->grid + layer + a->row);
    }
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
        if (i + VP_PREFETCHED < b->automaton->living.count)
            prefetch_window(b->automaton, b->automaton->living.place[i + VP_PREFETCHED]);
        act->written = 0;
        if (is_waiting(s, &b->automaton->living.memory[i]))
            continue;
        fill_window(b->automaton, place, i, &in);
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
        const uint32_t self = a->grid[place] >= VP_CELL_LIVING ? a->slot[place] : 0;
        vp_automaton_action *own = a->grid[place] >= VP_CELL_LIVING ? &a->act[self - b->first_living] : &none;
        own->written = 0;
        fill_window(a, place, self, &in);
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

/* Stores a rule's outputs, for which there is room. An output to a place outside the grid never wins.
 * @return whether one is invalid */
static bool keep_act(vp_automaton *a, const vp_automaton_action *act, uint32_t self, uint32_t first)
{
    const uint32_t source = a->living.place[self];
    const uint8_t strength = a->of_type[a->grid[source] & 127]->strength;
    uint32_t number = first;
    bool has_fault = false;
    for (uint32_t left = act->written; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left), need = act->need[k];
        const bool is_linked = need >= 0 && need <= 26 && (act->written >> need & 1u) != 0;
        has_fault |= vp_cell_fault(a, &act->out[k]) != NULL || (need != VP_RULE_NO_LINK && !is_linked);
        const uint32_t place = source + ((uint32_t)(k / 9) - 1) * a->layer + ((uint32_t)(k / 3 % 3) - 1) * a->row + (uint32_t)(k % 3) - 1;
        const uint32_t before = is_linked ? act->written & ((UINT32_C(1) << need) - 1) : 0;
        a->output[number++] = (vp_output){.place = place,
                                          .source = self,
                                          .need = is_linked ? first + (uint32_t)__builtin_popcount(before) : VP_NO_OUTPUT,
                                          .cell = act->out[k],
                                          .strength = strength};
    }
    return has_fault;
}

static void keep_acts(void *argument, uint32_t task)
{
    step_batch *b = argument;
    const uint32_t first = b->first_living + task * VP_RULES_A_TASK, left = b->end_living - first,
                   end = first + (left < VP_RULES_A_TASK ? left : VP_RULES_A_TASK);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t k = i - b->first_living;
        if (keep_act(b->automaton, &b->automaton->act[k], i, b->first_output[k]))
            atomic_store_explicit(&b->has_fault, true, memory_order_relaxed);
    }
}

/* The error of the first invalid output. */
static vp_status report_fault(const vp_automaton *a, const step_batch *b, uint32_t end, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = b->first_living; i < end && status == VP_OK; i++) {
        const vp_automaton_action *act = &a->act[i - b->first_living];
        for (int k = 0; k < 27 && status == VP_OK; k++)
            if ((act->written >> k & 1u) != 0)
                status = check_output(a, act, k, a->living.place[i], error);
    }
    return status;
}

/* Stores the outputs of all called rules, in the order of their voxels. */
static vp_status keep_all_acts(vp_automaton *a, step_batch *b, const vp_executor *by, vp_error *error)
{
    const uint32_t end = b->end_living, tasks = (end - b->first_living + VP_RULES_A_TASK - 1) / VP_RULES_A_TASK;
    vp_status status = VP_OK;
    for (uint32_t i = b->first_living; i < end && status == VP_OK; i++) {
        const vp_automaton_action *act = &a->act[i - b->first_living];
        b->first_output[i - b->first_living] = a->outputs;
        a->outputs += (uint32_t)__builtin_popcount(act->written & 0x7ffffff);
        a->stats.acts += act->written != 0;
        if (act->written >> 27 != 0) {
            status = report_fault(a, b, i, error); /* of voxels before */
            if (status == VP_OK)
                status = refuse_place(a, act, a->living.place[i], error);
        }
    }
    if (status != VP_OK)
        return status;
    by->parallel_for(by->user, tasks, keep_acts, b);
    return atomic_load_explicit(&b->has_fault, memory_order_relaxed) ? report_fault(a, b, end, error) : VP_OK;
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
static void select_batch(const vp_automaton *a, uint64_t budget, step_batch *b)
{
    const vp_living *l = &a->living;
    const uint32_t left = l->count - a->next_living;
    b->first_living = a->next_living;
    b->end_living = a->next_living + (left < VP_RULES_AT_ONCE ? left : VP_RULES_AT_ONCE);
    b->first_place = a->next_place;
    b->end_place = a->places;
    if (a->form == VP_AUTOMATON_LIST) {
        if (b->end_living - b->first_living > budget)
            b->end_living = b->first_living + (uint32_t)(budget > 0 ? budget : 1);
        return;
    }
    if (b->end_living < l->count)
        b->end_place = l->place[b->end_living];
    const uint64_t allowed = a->rules > 0 ? budget / a->rules : a->places, cells = allowed > 0 ? allowed : 1;
    if (b->end_place - b->first_place > cells) {
        uint32_t end = b->first_place;
        while (end < b->end_place && a->grid[end] == VP_CELL_OUTSIDE) /* no rule is called there, so it costs nothing */
            end++;
        b->end_place = b->end_place - end > cells ? end + (uint32_t)cells : b->end_place;
    }
    while (b->end_living > b->first_living && l->place[b->end_living - 1] >= b->end_place)
        b->end_living--;
}

static bool is_all_called(const vp_automaton *a)
{
    return a->form == VP_AUTOMATON_LIST ? a->next_living == a->living.count : a->next_place == a->places;
}

static vp_status call_batch(vp_automaton *a, const vp_executor *executor, uint64_t budget, vp_error *error)
{
    const uint64_t before = count_calls(a);
    step_batch b;
    b.automaton = a;
    atomic_init(&b.has_fault, false);
    select_batch(a, budget, &b);
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
    const vp_status status = keep_all_acts(a, &b, &by, error);
    a->next_living = b.end_living;
    a->next_place = b.end_place;
    a->stats.calls += count_calls(a) - before;
    if (status != VP_OK)
        a->phase = VP_SPOILT;
    return status;
}

/* ---- winning outputs ---- */

/* Outputs that are compared at once. */
typedef struct output_batch {
    vp_automaton *automaton;
    bool is_alone; /* one thread does all tasks */
    _Atomic uint32_t winners, effects;
} output_batch;

static uint32_t end_of_task(const vp_automaton *a, uint32_t first)
{
    const uint32_t left = a->outputs - first;
    return first + (left < VP_OUTPUTS_A_TASK ? left : VP_OUTPUTS_A_TASK);
}

/* Whether output i is stronger, or equally strong and of a voxel with a lower number. */
static bool is_better(const vp_automaton *a, uint32_t i, uint32_t than)
{
    const uint8_t is = a->output[i].strength, other = a->output[than].strength;
    return is != other ? is > other : i < than;
}

/* Claims the cells of a task's outputs. The best output keeps a cell, whatever the order of the claims. */
static void claim_cells(void *argument, uint32_t task)
{
    const output_batch *b = argument;
    vp_automaton *a = b->automaton;
    const uint32_t first = task * VP_OUTPUTS_A_TASK, end = end_of_task(a, first);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t place = a->output[i].place;
        if (i + VP_PREFETCHED < end)
            __builtin_prefetch(&a->claim[a->output[i + VP_PREFETCHED].place], 1);
        if (a->grid[place] == VP_CELL_OUTSIDE)
            continue;
        uint32_t best = atomic_load_explicit(&a->claim[place], memory_order_relaxed);
        if (b->is_alone) {
            if (best == 0 || is_better(a, i, best - 1))
                atomic_store_explicit(&a->claim[place], i + 1, memory_order_relaxed);
            continue;
        }
        while ((best == 0 || is_better(a, i, best - 1)) &&
               !atomic_compare_exchange_weak_explicit(&a->claim[place], &best, i + 1, memory_order_relaxed, memory_order_relaxed))
            ;
    }
}

static bool has_won(const vp_automaton *a, uint32_t i)
{
    return atomic_load_explicit(&a->claim[a->output[i].place], memory_order_relaxed) == i + 1;
}

/* Whether all outputs that it needs have won, as it has. There are at most 27, and links may be cyclic. */
static bool is_effective(const vp_automaton *a, uint32_t i)
{
    for (int links = 0; links < 27; links++) {
        i = a->output[i].need;
        if (i == VP_NO_OUTPUT)
            return true;
        if (!has_won(a, i))
            return false;
    }
    return true;
}

static void mark_bit(_Atomic uint64_t *word, uint32_t bit, bool is_alone)
{
    const uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
    if (is_alone)
        atomic_store_explicit(word, bits | UINT64_C(1) << bit, memory_order_relaxed);
    else if ((bits >> bit & 1u) == 0)
        atomic_fetch_or_explicit(word, UINT64_C(1) << bit, memory_order_relaxed);
}

/* Marks the cells of a task's effective outputs. */
static void mark_effects(void *argument, uint32_t task)
{
    output_batch *b = argument;
    vp_automaton *a = b->automaton;
    const uint32_t first = task * VP_OUTPUTS_A_TASK, end = end_of_task(a, first);
    uint32_t winners = 0, effects = 0;
    for (uint32_t i = first; i < end; i++) {
        if (!has_won(a, i))
            continue;
        winners++;
        if (!is_effective(a, i))
            continue;
        const uint32_t place = a->output[i].place, word = place / 64;
        effects++;
        mark_bit(&a->marked[0][word], place % 64, b->is_alone);
        mark_bit(&a->marked[1][word / 64], word % 64, b->is_alone);
        atomic_store_explicit(&a->acted[a->output[i].source], 1, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&b->winners, winners, memory_order_relaxed);
    atomic_fetch_add_explicit(&b->effects, effects, memory_order_relaxed);
}

static void clear_claims(void *argument, uint32_t task)
{
    const output_batch *b = argument;
    vp_automaton *a = b->automaton;
    const uint32_t first = task * VP_OUTPUTS_A_TASK, end = end_of_task(a, first);
    for (uint32_t i = first; i < end; i++)
        atomic_store_explicit(&a->claim[a->output[i].place], 0, memory_order_relaxed);
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

/* Merges an effective output. `i` is the first living voxel at its place or after it. @return the first one after it */
static uint32_t merge_output(vp_automaton *a, const vp_output *o, uint32_t i)
{
    const vp_living *now = &a->living;
    while (i < now->count && now->place[i] < o->place)
        grow_older(a, i++);
    i += i < now->count && now->place[i] == o->place; /* it is overwritten */
    add_change(a, o->place, a->grid[o->place], vp_cell_byte(&o->cell));
    if (o->cell.living)
        append_living(&a->living_after, o->place, o->cell.memory);
    return i;
}

/* Takes the bits of a word, and clears it. */
static uint64_t take_bits(_Atomic uint64_t *word)
{
    const uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, 0, memory_order_relaxed);
    return bits;
}

/* Lists the marked places in ascending order, and clears the marks. @return their number */
static uint32_t list_marked(vp_automaton *a, uint64_t *place)
{
    uint32_t count = 0;
    for (size_t w = 0; w < a->words[1]; w++)
        for (uint64_t words = take_bits(&a->marked[1][w]); words != 0; words &= words - 1) {
            const uint32_t word = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(words);
            for (uint64_t bits = take_bits(&a->marked[0][word]); bits != 0; bits &= bits - 1)
                place[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
        }
    return count;
}

static const vp_output *find_winner(const vp_automaton *a, uint64_t place)
{
    return &a->output[atomic_load_explicit(&a->claim[place], memory_order_relaxed) - 1];
}

static void merge_living(vp_automaton *a)
{
    const uint64_t *place = a->key[0];
    const uint32_t effects = a->outputs > 0 ? list_marked(a, a->key[0]) : 0;
    uint32_t i = 0;
    for (uint32_t e = 0; e < effects; e++) {
        if (e + 2 * VP_PREFETCHED < effects) {
            __builtin_prefetch(&a->claim[place[e + 2 * VP_PREFETCHED]]);
            __builtin_prefetch(&a->grid[place[e + 2 * VP_PREFETCHED]]);
            __builtin_prefetch(find_winner(a, place[e + VP_PREFETCHED]));
        }
        i = merge_output(a, find_winner(a, place[e]), i);
    }
    while (i < a->living.count)
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

static vp_status end_step(vp_automaton *a, const vp_executor *executor, vp_error *error)
{
    if (!reserve_end(a))
        return vp_fail(error, VP_E_MEMORY, "no memory for the end of a step with %u outputs", a->outputs);
    const vp_executor by = vp_executor_or_serial(executor);
    const uint32_t tasks = a->outputs / VP_OUTPUTS_A_TASK + (a->outputs % VP_OUTPUTS_A_TASK != 0);
    output_batch b = {.automaton = a, .is_alone = executor == NULL || by.thread_count == 1};
    for (uint32_t i = 0; i < a->living.count; i++)
        atomic_init(&a->acted[i], 0);
    by.parallel_for(by.user, tasks, claim_cells, &b);
    by.parallel_for(by.user, tasks, mark_effects, &b);
    a->living_after.count = 0;
    merge_living(a);
    by.parallel_for(by.user, tasks, clear_claims, &b);
    const uint32_t winners = atomic_load(&b.winners);
    a->stats.outputs += a->outputs;
    a->stats.lost += a->outputs - winners;
    a->stats.unmet += winners - atomic_load(&b.effects);
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
        status = end_step(a, executor, error);
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
        if (i + VP_PREFETCHED < a->living.count)
            __builtin_prefetch(&a->slot[a->living.place[i + VP_PREFETCHED]], 1);
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
