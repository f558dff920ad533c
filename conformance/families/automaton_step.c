/* SPDX-License-Identifier: MIT */
/* automaton-step: cells after some steps of rules that are data. Count rules are answered by their kernel. Living rules, which write fixed
 * outputs or fly like beetles, are answered by an automaton with that many species. */
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

enum { COUNT_RULE, ACT_RULE, BEETLE_RULE };
enum { OF, PLACE, TYPE, LIVING, NEED, OUTPUT_NUMBERS }; /* numbers of an output */
enum { MAX_STEPS = 1 << 16, NO_NEED = 27 };

typedef struct asked_rule {
    uint32_t rule;
    uint32_t steps, seed;
    uint32_t (*species)[2]; /* survive and born, or strength and interval */
    uint32_t species_count;
    uint32_t (*output)[OUTPUT_NUMBERS]; /* act rules only */
    uint32_t outputs;
} asked_rule;

static const char *const rules[] = {"count", "act", "beetle", NULL};
static const vp_value rule_value = {.type = JSON_STRING, .choice = &(const vp_choice){.names = rules}},
                      two = {.type = JSON_ARRAY, .part = &vp_is_whole, .count = 2}, twos = {.type = JSON_ARRAY, .part = &two},
                      output = {.type = JSON_ARRAY, .part = &vp_is_whole, .count = OUTPUT_NUMBERS},
                      outputs = {.type = JSON_ARRAY, .part = &output};
static const vp_member rule_members[] = {
    {VP_AT(asked_rule, rule, NULL), .name = "rule", .is = &rule_value},
    {VP_AT(asked_rule, steps, "how many steps there are"), .name = "steps", .is = &vp_is_whole, .most = MAX_STEPS},
    {VP_AT(asked_rule, seed, "the seed"), .name = "seed", .is = &vp_is_whole, .otherwise = " 0"},
    {VP_LISTED(asked_rule, species, "a number of a species", "species", species_count), .name = "species", .is = &twos, .letters = 4},
    {VP_LISTED(asked_rule, output, "a number of an output", "outputs", outputs), .name = "outputs", .is = &outputs, .otherwise = "",
     .letters = 10},
    {.name = NULL}};
static const vp_part part_rule = {.size = sizeof(asked_rule), .members = rule_members};

/* ---- validity ---- */

/* The output of a species for a place, NULL = none. */
static const uint32_t *output_of(const asked_rule *q, uint32_t species, uint32_t place)
{
    for (uint32_t i = 0; i < q->outputs; i++)
        if (q->output[i][OF] == species && q->output[i][PLACE] == place)
            return q->output[i];
    return NULL;
}

static const char *output_fault(const asked_rule *q, const uint32_t *o)
{
    const bool sound = o[OF] >= 1 && o[OF] <= q->species_count && o[PLACE] < 27 && o[TYPE] <= q->species_count &&
                       o[LIVING] <= (o[TYPE] > 0 ? 1u : 0u) && o[NEED] <= NO_NEED;
    return !sound                                                       ? "an output of an unknown species, place or type"
           : output_of(q, o[OF], o[PLACE]) != o                         ? "two outputs of a species in one place"
           : o[NEED] != NO_NEED && output_of(q, o[OF], o[NEED]) == NULL ? "an output that needs a missing one"
                                                                        : NULL;
}

static const char *fault_of(const vp_question *question)
{
    const vp_query_grid *grid = question->part[0];
    const asked_rule *q = question->part[1];
    const uint32_t most[2] = {q->rule == COUNT_RULE ? (1u << 27) - 1 : UINT8_MAX, q->rule == COUNT_RULE ? (1u << 27) - 1 : UINT16_MAX};
    if (q->species_count > VP_CELL_TYPE_MAX)
        return "too many species";
    for (uint32_t i = 0; i < q->species_count; i++)
        if (q->species[i][0] > most[0] || q->species[i][1] > most[1])
            return "a number of a species that is too large";
    if (q->rule != ACT_RULE && q->outputs > 0)
        return "outputs of what writes none";
    for (uint32_t i = 0; i < q->outputs; i++)
        if (output_fault(q, q->output[i]) != NULL)
            return output_fault(q, q->output[i]);
    for (size_t i = 0; q->rule != COUNT_RULE && i < vp_grid_cells(grid); i++)
        if ((grid->full[i] & 127u) > q->species_count || grid->full[i] == VP_CELL_LIVING)
            return "a cell of no species";
    return NULL;
}

static json_t *unsound(const vp_question *q)
{
    return fault_of(q) != NULL ? json_pack("{s:b}", "refused", 1) : NULL;
}

/* ---- answering ---- */

static void write_cells(const uint8_t *cell, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%02x", cell[i]);
}

static vp_status answer_count(const vp_query_grid *grid, const asked_rule *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const size_t cells = vp_grid_cells(grid);
    uint8_t *now = malloc(cells), *later = malloc(cells);
    vp_count_sets *sets = malloc(((size_t)q->species_count + 1) * sizeof *sets);
    vp_status status = now == NULL || later == NULL || sets == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %zu cells", cells) : VP_OK;
    if (status == VP_OK) {
        memcpy(now, grid->full, cells);
        for (uint32_t i = 0; i < q->species_count; i++)
            sets[i] = (vp_count_sets){q->species[i][0], q->species[i][1]};
    }
    for (uint32_t step = 0; status == VP_OK && step < q->steps; step++) {
        const vp_count_job job = {.size = grid->extents, .cell = now, .out = later, .species = q->species_count, .rules = sets};
        status = vp_count_rule_step(&job, kernels, NULL, error);
        memcpy(now, later, cells);
    }
    if (status == VP_OK)
        write_cells(now, cells, to);
    free(now);
    free(later);
    free(sets);
    return status;
}

static void write_outputs(const vp_automaton_window *in, vp_automaton_action *out)
{
    const asked_rule *q = in->parameters;
    if (!vp_automaton_window_mine(in))
        return;
    for (uint32_t i = 0; i < q->outputs; i++) {
        const uint32_t *o = q->output[i];
        if (o[OF] == in->type)
            vp_automaton_action_write(out, (int)o[PLACE], (vp_automaton_cell){.type = (uint8_t)o[TYPE], .living = o[LIVING] != 0},
                                      o[NEED] == NO_NEED ? VP_RULE_NO_LINK : (int)o[NEED]);
    }
}

static vp_status plant(vp_automaton *a, const vp_query_grid *grid, vp_error *error)
{
    const size_t cells = vp_grid_cells(grid);
    vp_ivec3 *at = malloc(cells * sizeof *at);
    vp_automaton_cell *cell = calloc(cells, sizeof *cell);
    vp_status status = at == NULL || cell == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %zu cells", cells) : VP_OK;
    for (size_t i = 0; status == VP_OK && i < cells; i++) {
        at[i] = vp_grid_place(grid, i);
        cell[i] = (vp_automaton_cell){.type = grid->full[i] & 127, .living = grid->full[i] >= VP_CELL_LIVING};
    }
    if (status == VP_OK)
        status = vp_automaton_set_cells(a, at, cell, cells, error);
    free(at);
    free(cell);
    return status;
}

static vp_status answer_act(const vp_query_grid *grid, const asked_rule *q, FILE *to, vp_error *error)
{
    const size_t cells = vp_grid_cells(grid);
    vp_automaton_species species[VP_CELL_TYPE_MAX + 1];
    char name[VP_CELL_TYPE_MAX][8];
    uint8_t *out = malloc(cells);
    vp_automaton *a = NULL;
    for (uint32_t i = 0; i < q->species_count; i++) {
        snprintf(name[i], sizeof name[i], "s%u", i + 1);
        species[i] = (vp_automaton_species){.name = name[i],
                                            .type = (uint8_t)(i + 1),
                                            .strength = (uint8_t)q->species[i][0],
                                            .interval = q->species[i][1],
                                            .rule = q->rule == BEETLE_RULE ? vp_automaton_rule_beetle : write_outputs,
                                            .parameters = q};
    }
    const vp_automaton_def def = {.size = grid->extents, .seed = q->seed, .species = species, .species_count = q->species_count};
    vp_status status = out == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %zu cells", cells) : vp_automaton_create(&def, &a, error);
    if (status == VP_OK)
        status = plant(a, grid, error);
    if (status == VP_OK)
        status = vp_automaton_run(a, q->steps, NULL, error);
    if (status == VP_OK)
        status = vp_automaton_read(a, (vp_ivec3){0, 0, 0}, grid->extents, out, error);
    if (status == VP_OK)
        write_cells(out, cells, to);
    vp_automaton_destroy(a);
    free(out);
    return status;
}

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const char *fault = fault_of(question);
    const asked_rule *q = question->part[1];
    return fault != NULL           ? vp_fail(error, VP_E_ARGUMENT, "%s", fault)
           : q->rule == COUNT_RULE ? answer_count(question->part[0], q, kernels, to, error)
                                   : answer_act(question->part[0], q, to, error);
}

static const vp_value types = {.type = JSON_STRING, .letters = "0123456789abcdef"};
static const vp_member expected[] = {{.name = "types", .is = &types}, {.name = NULL}};

const vp_family vp_family_automaton_step = {VP_FAMILY_OF_WORDS("automaton-step", VP_EXACT | VP_REFUSED, 2),
                                            .part = {&vp_part_typed_grid, &part_rule}, .unsound = unsound};
