/* SPDX-License-Identifier: MIT */
/* Records the steps of an automaton. */
#include "src/automaton/automaton_internal.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/core/error.h"

enum { BATCH = 256, SIDES = 6, WOOD_COLOUR = 0x7b5433, LEAF_COLOUR = 0x4f8a3c };

/* Colours by built-in type, as voxphys render has them. */
static const uint32_t colours[VP_AUTOMATON_BUILTIN_TYPES] = {
    VP_RECORD_ANY_COLOUR, 0x8f8a80, 0x282420, 0x5c2018, 0xf8e860, 0x265032, 0x567c2c, 0xe8a8bc, 0x803e2a, 0x70543e, 0x705c48, 0x684840};

/* A batch of cells to report. */
typedef struct record_batch {
    const vp_automaton_recording *recording;
    vp_record_voxel voxel[BATCH];
    uint32_t count;
} record_batch;

static void flush_batch(record_batch *b)
{
    b->recording->to->voxels(b->recording->to->user, b->recording->cells, b->voxel, b->count);
    b->count = 0;
}

static void record_cell(record_batch *b, const vp_automaton *a, uint32_t place)
{
    b->voxel[b->count++] = (vp_record_voxel){vp_cell_number(a, place), a->grid[place] & 127};
    if (b->count == BATCH)
        flush_batch(b);
}

/* Step s of the six from a place to its neighbours. */
static uint32_t neighbour_place(const vp_automaton *a, uint32_t place, int s)
{
    const uint32_t step[SIDES] = {1, 0u - 1, a->row, 0u - a->row, a->layer, 0u - a->layer};
    return place + step[s];
}

static bool can_be_seen(const vp_automaton *a, uint32_t place)
{
    bool seen = false;
    for (int s = 0; s < SIDES; s++) {
        const uint8_t type = a->grid[neighbour_place(a, place, s)] & 127;
        seen = seen || type == VP_CELL_EMPTY || type == VP_CELL_OUTSIDE;
    }
    return seen;
}

static uint32_t colour_of(const vp_automaton_species *s)
{
    if (s->type < VP_AUTOMATON_BUILTIN_TYPES)
        return colours[s->type];
    if (s->rule == vp_automaton_rule_leaf)
        return LEAF_COLOUR;
    return s->rule == vp_automaton_rule_redwood || s->rule == vp_automaton_rule_oak ? WOOD_COLOUR : VP_RECORD_ANY_COLOUR;
}

static void name_layers(const vp_automaton *a, vp_automaton_recording *r)
{
    static const vp_record_column figures[] = {{.name = "living"}, {.name = "changes"}, {.name = "rule calls"}, {.name = "outputs lost"}};
    vp_record_name types[VP_CELL_TYPE_MAX + 1];
    uint32_t count = 1;
    types[0] = (vp_record_name){"empty", VP_RECORD_ANY_COLOUR};
    for (uint32_t t = 1; t <= VP_CELL_TYPE_MAX; t++) {
        const vp_automaton_species *s = a->of_type[t];
        types[t] = (vp_record_name){s != NULL ? s->name : "no species", s != NULL ? colour_of(s) : VP_RECORD_ANY_COLOUR};
        count = s != NULL ? t + 1 : count;
    }
    const vp_record_layer layers[] = {
        {.name = "cells", .kind = VP_RECORD_VOXELS, .materials = types, .material_count = count, .size = a->size},
        {.name = "figures", .kind = VP_RECORD_SCALARS, .columns = figures, .column_count = 4},
        {.name = "state", .kind = VP_RECORD_TEXTS},
    };
    r->cells = r->to->layer(r->to->user, &layers[0]);
    r->figures = r->to->layer(r->to->user, &layers[1]);
    r->state = r->to->layer(r->to->user, &layers[2]);
}

/* Ends a frame with its values other than cells. */
static vp_status end_frame(const vp_automaton *a, vp_automaton_recording *r, uint32_t changes, vp_error *error)
{
    const vp_automaton_stats s = vp_automaton_stats_of(a);
    const double figures[] = {s.living, changes, (double)(s.calls - r->before.calls), (double)(s.lost - r->before.lost)};
    char line[64];
    snprintf(line, sizeof line, "step %" PRIu64 ", digest %016" PRIx64, s.step, vp_automaton_digest(a));
    r->to->scalars(r->to->user, r->figures, figures);
    r->to->texts(r->to->user, r->state, &(vp_record_text){.text = line}, 1);
    r->before = s;
    return r->to->frame(r->to->user, error);
}

vp_status vp_automaton_record_begin(const vp_automaton *a, const vp_recorder *to, vp_automaton_recording *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, to, out", a, to, out);
    VP_RETURN_IF_FAILED(vp_check_rest(a, "recorded", error));
    *out = (vp_automaton_recording){.to = to, .before = vp_automaton_stats_of(a)};
    record_batch b = {.recording = out};
    name_layers(a, out);
    for (uint32_t y = 0; y < a->size.y; y++)
        for (uint32_t z = 0; z < a->size.z; z++)
            for (uint32_t x = 0; x < a->size.x; x++) {
                const uint32_t place = vp_place(a, x, y, z);
                if ((a->grid[place] & 127) != VP_CELL_EMPTY && can_be_seen(a, place))
                    record_cell(&b, a, place);
            }
    flush_batch(&b);
    return end_frame(a, out, 0, error);
}

vp_status vp_automaton_record_step(const vp_automaton *a, vp_automaton_recording *r, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, recording", a, r);
    record_batch b = {.recording = r};
    uint32_t count;
    const vp_automaton_change *change = vp_automaton_changes(a, &count);
    VP_RETURN_IF_FAILED(vp_check_rest(a, "recorded", error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = vp_place(a, (uint32_t)change[i].at.x, (uint32_t)change[i].at.y, (uint32_t)change[i].at.z);
        if (((change[i].before ^ change[i].after) & 127) == 0)
            continue;
        record_cell(&b, a, place);
        for (int s = 0; s < SIDES && (change[i].after & 127) == VP_CELL_EMPTY; s++) /* its neighbours become visible */
            if ((a->grid[neighbour_place(a, place, s)] & 127) != VP_CELL_OUTSIDE)
                record_cell(&b, a, neighbour_place(a, place, s));
    }
    flush_batch(&b);
    return end_frame(a, r, count, error);
}
