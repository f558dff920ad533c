/* SPDX-License-Identifier: MIT */
/* A step. Rules are called and their outputs are stored. Then each output claims its cell, and the best one of each cell wins. A claim does
 * not depend on the order of claims. Effective outputs mark their cells in a bitmap, whose order is that of the list of living voxels, and
 * are merged with this list. Only vp_automaton_apply, at the end, writes the grid. */
#include <stdatomic.h>
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/core/bytes.h"
#include "src/core/error.h"
#include "src/core/executor.h"

enum {
    VP_PREFETCHED = 16, /* living voxels or outputs ahead */
    VP_MERGES = 64      /* parts of a grid that several threads merge */
};

/* ---- rules ---- */

/* Living voxels and places of a grid that are called at once. */
typedef struct step_batch {
    vp_automaton *automaton;
    uint32_t first_living, end_living;
    uint32_t first_place, end_place;
    bool is_ordered;        /* voxels are called one after the other, in order */
    uint32_t a_task;        /* voxels of a task */
    _Atomic uint32_t fault; /* number of the first voxel with an invalid output, or UINT32_MAX */
    uint32_t first_output;
    uint8_t count[VP_RULES_AT_ONCE]; /* outputs by voxel, if not in order. Those of voxel i begin at first_output + 27*i */
} step_batch;

/* Window that is filled again for each voxel. */
typedef struct step_window {
    vp_automaton_window in;
    uint32_t living;  /* bit k = cell k lives */
    uint32_t near[9]; /* for each row, the number of a living voxel that is not after it. Rows are filled in ascending order */
} step_window;

static step_window empty_window(const vp_automaton *a)
{
    return (step_window){.in = {.seed = a->seed, .step = a->step}};
}

/* `self` is the number of the first living voxel that is not before the cell. */
static void fill_window(const vp_automaton *a, uint32_t place, uint32_t self, step_window *w)
{
    for (; w->living != 0; w->living &= w->living - 1)
        w->in.cell[__builtin_ctz(w->living)] = (vp_automaton_cell){.type = 0};
    const uint8_t *grid = a->grid; /* not read again after each write of a byte */
    uint32_t living = 0;
    for (int row = 0; row < 27; row += 3) { /* few branches, because neighbours are unpredictable */
        const uint32_t bytes = vp_get_le32(grid + (uint32_t)(place + a->offset[row])); /* the fourth does not matter */
        w->in.cell[row].type = bytes & 127;
        w->in.cell[row + 1].type = bytes >> 8 & 127;
        w->in.cell[row + 2].type = bytes >> 16 & 127;
        living |= ((bytes >> 7 & 0x10101) * 0x10204 >> 16 & 7) << row;
    }
    for (uint32_t left = living & ~(UINT32_C(1) << VP_WINDOW_CENTRE); left != 0; left &= left - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(left), row = k / 3;
        uint32_t *near = &w->near[row]; /* neighbours in a row are neighbours in the list */
        *near = row == 4 ? self - (living >> 12 & 1u) : vp_seek_living(&a->living, *near, place + a->offset[3 * row]);
        w->in.cell[k].living = true;
        const uint32_t before = living >> 3 * row & ((1u << k % 3) - 1); /* living cells before it in the row, at most two */
        w->in.cell[k].memory = a->living.memory[*near + (before & 1u) + (before >> 1)];
    }
    if ((living >> VP_WINDOW_CENTRE & 1u) != 0) {
        w->in.cell[VP_WINDOW_CENTRE].living = true;
        w->in.cell[VP_WINDOW_CENTRE].memory = a->living.memory[self];
    }
    w->living = living;
    w->in.position = vp_cell_number(a, place);
}

/* Fetches the cells around a living voxel that will be called soon. */
static void prefetch_window(const vp_automaton *a, uint32_t place)
{
    for (int row = 0; row < 27; row += 3)
        __builtin_prefetch(a->grid + (uint32_t)(place + a->offset[row]));
}

/* Whether a voxel of a species waits. */
static bool is_waiting(const vp_automaton_species *s, const vp_automaton_cell_memory *self)
{
    return self->tick < (s->varying != NULL ? s->varying(self, s->parameters) : s->interval);
}

static void call_rule(const vp_automaton_species *s, vp_automaton_window *in, vp_automaton_action *out)
{
    out->written = 0;
    in->type = s->type;
    in->parameters = s->parameters;
    s->rule(in, out);
}

/* Whether an output may need another one, or none. */
static bool is_link(const vp_automaton_action *act, int need)
{
    return need >= 0 && need <= 26 && (act->written >> need & 1u) != 0;
}

/* Stores a rule's outputs, for which there is room. Those outside the grid get place 0, which is in its border. */
static void keep_act(step_batch *b, const vp_automaton_window *in, const vp_automaton_action *act, uint32_t self)
{
    vp_automaton *a = b->automaton;
    const uint32_t source = a->living.place[self], i = self - b->first_living, written = act->written & 0x7ffffff;
    const uint8_t strength = a->of_type[a->grid[source] & 127]->strength;
    vp_output *first = a->output + (b->is_ordered ? a->outputs : b->first_output + 27 * i), *to = first;
    int8_t number[27]; /* by written place */
    bool has_fault = act->written >> 27 != 0, has_links = false;
    for (uint32_t left = written; left != 0; left &= left - 1, to++) {
        const int k = __builtin_ctz(left);
        const vp_automaton_cell *cell = &act->out[k];
        number[k] = (int8_t)(to - first);
        has_fault |= vp_cell_fault(a, cell) != NULL;
        has_links |= act->need[k] != VP_RULE_NO_LINK;
        *to = (vp_output){.place = in->cell[k].type == VP_CELL_OUTSIDE ? 0 : source + a->offset[k],
                          .source = self,
                          .memory = cell->memory,
                          .byte = vp_cell_byte(cell),
                          .strength = strength};
    }
    for (uint32_t left = has_links ? written : 0; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left), need = act->need[k];
        if (is_link(act, need))
            first[number[k]].link = (int8_t)(number[need] - number[k]);
        else
            has_fault |= need != VP_RULE_NO_LINK;
    }
    const uint8_t count = (uint8_t)(to - first);
    if (b->is_ordered) {
        a->outputs += count;
        a->stats.acts += count != 0;
    } else {
        b->count[i] = count;
    }
    uint32_t lowest = atomic_load_explicit(&b->fault, memory_order_relaxed);
    while (has_fault && self < lowest &&
           !atomic_compare_exchange_weak_explicit(&b->fault, &lowest, self, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void call_living(void *argument, uint32_t task)
{
    step_batch *b = argument;
    const vp_automaton *a = b->automaton;
    const uint32_t first = b->first_living + task * b->a_task, left = b->end_living - first,
                   end = first + (left < b->a_task ? left : b->a_task);
    step_window window = empty_window(a);
    vp_automaton_action act = {.written = 0};
    for (uint32_t i = first; i < end; i++) {
        const uint32_t place = a->living.place[i];
        const vp_automaton_species *s = a->of_type[a->grid[place] & 127];
        if (i + VP_PREFETCHED < a->living.count)
            prefetch_window(a, a->living.place[i + VP_PREFETCHED]);
        b->count[i - b->first_living] = 0;
        if (is_waiting(s, &a->living.memory[i]))
            continue;
        fill_window(a, place, i, &window);
        call_rule(s, &window.in, &act);
        keep_act(b, &window.in, &act, i);
    }
}

static void call_places(void *argument, uint32_t task)
{
    step_batch *b = argument;
    const vp_automaton *a = b->automaton;
    const uint32_t first = b->first_place + task * VP_CELLS_A_TASK, left = b->end_place - first,
                   end = first + (left < VP_CELLS_A_TASK ? left : VP_CELLS_A_TASK);
    step_window window = empty_window(a);
    vp_automaton_action own, none = {.written = 0}; /* outputs for other cells have no effect */
    uint32_t next = vp_seek_living(&a->living, 0, first);
    for (uint32_t place = first; place < end; place++) {
        if (a->grid[place] == VP_CELL_OUTSIDE)
            continue;
        const bool is_living = a->grid[place] >= VP_CELL_LIVING;
        const uint32_t self = next;
        next += is_living;
        own.written = 0;
        fill_window(a, place, self, &window);
        for (uint32_t i = 0; i < a->species_count; i++) {
            const vp_automaton_species *s = &a->species[i];
            const bool mine = is_living && s->type == (a->grid[place] & 127);
            if (s->rule != NULL && !(mine && is_waiting(s, &window.in.cell[VP_WINDOW_CENTRE].memory)))
                call_rule(s, &window.in, mine ? &own : &none);
        }
        if (is_living)
            keep_act(b, &window.in, &own, self);
    }
}

/* ---- outputs ---- */

static vp_status check_output(const vp_automaton *a, const vp_automaton_action *act, int k, uint32_t source, vp_error *error)
{
    const char *fault = vp_cell_fault(a, &act->out[k]);
    if (act->need[k] != VP_RULE_NO_LINK && !is_link(act, act->need[k]))
        fault = "that needs a missing output";
    if (fault == NULL)
        return VP_OK;
    const vp_ivec3 at = vp_place_at(a, source);
    return vp_fail(error, VP_E_ARGUMENT, "the rule of \"%s\" at (%d, %d, %d) writes type %u in place %d %s",
                   a->of_type[a->grid[source] & 127]->name, (int)at.x, (int)at.y, (int)at.z, act->out[k].type, k, fault);
}

/* The error of a voxel with an invalid output. Calls its rule again. */
static vp_status report_fault(const vp_automaton *a, uint32_t self, vp_error *error)
{
    const uint32_t source = a->living.place[self];
    const vp_ivec3 at = vp_place_at(a, source);
    const vp_automaton_species *s = a->of_type[a->grid[source] & 127];
    step_window window = empty_window(a);
    vp_automaton_action act = {.written = 0};
    fill_window(a, source, self, &window);
    call_rule(s, &window.in, &act);
    for (int k = 0; k < 27 && act.written >> 27 == 0; k++)
        if ((act.written >> k & 1u) != 0)
            VP_RETURN_IF_FAILED(check_output(a, &act, k, source, error));
    return vp_fail(error, VP_E_ARGUMENT, "the rule of \"%s\" at (%d, %d, %d) writes places 0x%08x; must be bits 0 to 26, each time",
                   s->name, (int)at.x, (int)at.y, (int)at.z, act.written);
}

/* Moves the outputs of all called rules together, in the order of their voxels. */
static void pack_outputs(step_batch *b)
{
    vp_automaton *a = b->automaton;
    for (uint32_t i = 0; i < b->end_living - b->first_living; i++) {
        memmove(a->output + a->outputs, a->output + b->first_output + 27 * i, b->count[i] * sizeof *a->output);
        a->outputs += b->count[i];
        a->stats.acts += b->count[i] != 0;
    }
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
    b.is_ordered = executor == NULL;
    b.a_task = b.is_ordered ? VP_RULES_AT_ONCE : VP_RULES_A_TASK;
    b.first_output = a->outputs;
    atomic_init(&b.fault, UINT32_MAX);
    select_batch(a, budget, &b);
    const uint64_t max = (uint64_t)a->outputs + 27 * (uint64_t)(b.end_living - b.first_living);
    void *output = a->output;
    const bool room = max < UINT32_MAX && vp_reserve(&a->allocator, &output, &a->output_room, (uint32_t)max, sizeof *a->output);
    a->output = output;
    if (!room)
        return vp_fail(error, VP_E_MEMORY, "no memory for %llu outputs of rules", (unsigned long long)max);
    const vp_executor by = vp_executor_or_serial(executor);
    if (a->form == VP_AUTOMATON_LIST)
        by.parallel_for(by.user, (b.end_living - b.first_living + b.a_task - 1) / b.a_task, call_living, &b);
    else
        by.parallel_for(by.user, (b.end_place - b.first_place + VP_CELLS_A_TASK - 1) / VP_CELLS_A_TASK, call_places, &b);
    if (!b.is_ordered)
        pack_outputs(&b);
    const uint32_t fault = atomic_load_explicit(&b.fault, memory_order_relaxed);
    a->next_living = b.end_living;
    a->next_place = b.end_place;
    a->stats.calls += count_calls(a) - before;
    if (fault == UINT32_MAX)
        return VP_OK;
    a->phase = VP_SPOILT;
    return report_fault(a, fault, error);
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
        if (place == 0)
            continue;
        uint32_t best = atomic_load_explicit(&a->claim[place], memory_order_relaxed);
        if (b->is_alone) {
            if (best < a->first_claim || is_better(a, i, best - a->first_claim))
                atomic_store_explicit(&a->claim[place], a->first_claim + i, memory_order_relaxed);
            continue;
        }
        while (
            (best < a->first_claim || is_better(a, i, best - a->first_claim)) &&
            !atomic_compare_exchange_weak_explicit(&a->claim[place], &best, a->first_claim + i, memory_order_relaxed, memory_order_relaxed))
            ;
    }
}

static bool has_won(const vp_automaton *a, uint32_t i)
{
    return atomic_load_explicit(&a->claim[a->output[i].place], memory_order_relaxed) == a->first_claim + i;
}

/* Whether all outputs that it needs have won, as it has. There are at most 27, and links may be cyclic. */
static bool is_effective(const vp_automaton *a, uint32_t i)
{
    for (int links = 0; links < 27; links++) {
        const int64_t link = a->output[i].link;
        if (link == 0)
            return true;
        i = (uint32_t)(i + link);
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
        if (i + VP_PREFETCHED < end) {
            __builtin_prefetch(&a->claim[a->output[i + VP_PREFETCHED].place]);
            __builtin_prefetch(&a->marked[0][a->output[i + VP_PREFETCHED].place / 64], 1);
        }
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

/* Makes the step's claims larger than all before. */
static void begin_claims(vp_automaton *a)
{
    if (a->outputs < UINT32_MAX - a->end_claim) {
        a->first_claim = a->end_claim;
    } else {
        for (uint32_t i = 0; i < a->places; i++)
            atomic_store_explicit(&a->claim[i], 0, memory_order_relaxed);
        a->first_claim = 1;
    }
    a->end_claim = a->first_claim + a->outputs;
}

/* ---- living voxels after the step ---- */

/* Part of the grid that is merged at once. Numbers are counts at first, then the first numbers. */
typedef struct merge_part {
    uint32_t effects, end_effects, changes, living;
} merge_part;

typedef struct merge_batch {
    vp_automaton *automaton;
    uint32_t parts;
    merge_part part[VP_MERGES];
} merge_batch;

/* The first word of a part in marked[1]. */
static size_t first_word(const merge_batch *b, uint32_t part)
{
    return b->automaton->words[1] * part / b->parts;
}

/* The number of living voxels before a part. */
static uint32_t count_living_before(const merge_batch *b, uint32_t part)
{
    const uint64_t place = (uint64_t)first_word(b, part) * 4096;
    return place > UINT32_MAX ? b->automaton->living.count : vp_seek_living(&b->automaton->living, 0, (uint32_t)place);
}

static const vp_output *find_winner(const vp_automaton *a, uint64_t place)
{
    return &a->output[atomic_load_explicit(&a->claim[place], memory_order_relaxed) - a->first_claim];
}

static void count_effects(void *argument, uint32_t task)
{
    merge_batch *b = argument;
    const vp_automaton *a = b->automaton;
    uint32_t count = 0;
    for (size_t w = first_word(b, task); w < first_word(b, task + 1); w++)
        for (uint64_t left = atomic_load_explicit(&a->marked[1][w], memory_order_relaxed); left != 0; left &= left - 1)
            count += (uint32_t)__builtin_popcountll(
                atomic_load_explicit(&a->marked[0][w * 64 + (uint32_t)__builtin_ctzll(left)], memory_order_relaxed));
    b->part[task].effects = count;
}

/* Takes the bits of a word, and clears it. */
static uint64_t take_bits(_Atomic uint64_t *word)
{
    const uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, 0, memory_order_relaxed);
    return bits;
}

/* Lists a part's marked places in ascending order, and clears the marks. Counts the changes, and the living voxels after the step. */
static void list_effects(void *argument, uint32_t task)
{
    merge_batch *b = argument;
    const vp_automaton *a = b->automaton;
    merge_part *part = &b->part[task];
    uint64_t *place = a->key[0] + part->effects, *end = place;
    for (size_t w = first_word(b, task); w < first_word(b, task + 1); w++)
        for (uint64_t words = take_bits(&a->marked[1][w]); words != 0; words &= words - 1) {
            const uint32_t word = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(words);
            for (uint64_t bits = take_bits(&a->marked[0][word]); bits != 0; bits &= bits - 1)
                *end++ = word * 64 + (uint32_t)__builtin_ctzll(bits);
        }
    part->end_effects = (uint32_t)(end - a->key[0]);
    part->changes = 0;
    part->living = count_living_before(b, task + 1) - count_living_before(b, task);
    for (; b->parts > 1 && place < end; place++) {
        const uint8_t before = a->grid[*place], after = find_winner(a, *place)->byte;
        part->changes += before != after;
        part->living += (after >= VP_CELL_LIVING) - (uint32_t)(before >= VP_CELL_LIVING);
    }
}

static void append_living(vp_living *later, uint32_t i, uint32_t place, vp_automaton_cell_memory memory)
{
    later->place[i] = place;
    later->memory[i] = memory;
}

/* Copies living voxels that no output affected, up to a place. @return the number of the first one that is left */
static uint32_t copy_living(vp_automaton *a, uint32_t i, uint32_t end, uint64_t place, uint32_t *to)
{
    for (; i < end && a->living.place[i] < place; i++) {
        vp_automaton_cell_memory memory = a->living.memory[i];
        memory.tick = (uint16_t)(a->acted[i] != 0 ? 0 : memory.tick < UINT16_MAX ? memory.tick + 1 : UINT16_MAX);
        append_living(&a->living_after, (*to)++, a->living.place[i], memory);
    }
    return i;
}

/* Merges the effective outputs of a part with its living voxels. */
static void merge_effects(void *argument, uint32_t task)
{
    merge_batch *b = argument;
    vp_automaton *a = b->automaton;
    merge_part part = b->part[task]; /* other threads write the parts beside it */
    const uint64_t *place = a->key[0] + part.effects;
    const uint32_t effects = part.end_effects - part.effects, end = count_living_before(b, task + 1);
    uint32_t i = count_living_before(b, task);
    for (uint32_t e = 0; e < effects; e++) {
        if (e + 2 * VP_PREFETCHED < effects) {
            __builtin_prefetch(&a->claim[place[e + 2 * VP_PREFETCHED]]);
            __builtin_prefetch(&a->grid[place[e + 2 * VP_PREFETCHED]]);
            __builtin_prefetch(find_winner(a, place[e + VP_PREFETCHED]));
        }
        const vp_output *o = find_winner(a, place[e]);
        const uint8_t before = a->grid[o->place], after = o->byte;
        i = copy_living(a, i, end, o->place, &part.living);
        i += i < end && a->living.place[i] == o->place; /* it is overwritten */
        if (before != after)
            a->change[part.changes++] = (vp_automaton_change){vp_place_at(a, o->place), before, after};
        if (after >= VP_CELL_LIVING)
            append_living(&a->living_after, part.living++, o->place, o->memory);
    }
    copy_living(a, i, end, UINT64_MAX, &part.living);
    b->part[task] = part;
}

/* Lists the changes, and the living voxels after the step. */
static void merge_living(vp_automaton *a, const vp_executor *by, uint32_t parts)
{
    merge_batch b;
    uint32_t effects = 0, changes = 0, living = 0;
    b.automaton = a;
    b.parts = parts;
    b.part[0].effects = 0;
    if (parts > 1)
        by->parallel_for(by->user, parts, count_effects, &b);
    for (uint32_t i = 0; i < parts; i++) {
        const uint32_t count = b.part[i].effects;
        b.part[i].effects = effects;
        effects += count;
    }
    by->parallel_for(by->user, parts, list_effects, &b);
    for (uint32_t i = 0; i < parts; i++) {
        const merge_part count = b.part[i];
        b.part[i].changes = changes;
        b.part[i].living = living;
        changes += count.changes;
        living += count.living;
    }
    by->parallel_for(by->user, parts, merge_effects, &b);
    a->changes = b.part[parts - 1].changes;
    a->living_after.count = b.part[parts - 1].living;
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
    /* One more, so that the list of effects is never NULL. */
    return more && vp_reserve_keys(a, a->outputs + 1) && vp_reserve_living(&a->allocator, &a->living_after, (uint32_t)max);
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
    begin_claims(a);
    by.parallel_for(by.user, tasks, claim_cells, &b);
    by.parallel_for(by.user, tasks, mark_effects, &b);
    merge_living(a, &by, b.is_alone ? 1 : VP_MERGES);
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
    for (uint64_t i = 0; i < steps; i++) {
        VP_RETURN_IF_FAILED(vp_automaton_step(a, executor, error));
        VP_RETURN_IF_FAILED(vp_automaton_apply(a, error));
    }
    return vp_succeed(error);
}

const vp_automaton_change *vp_automaton_changes(const vp_automaton *a, uint32_t *count)
{
    *count = a->changes;
    return a->change;
}
