/* SPDX-License-Identifier: MIT */
/* Creates and reads automata, and plants in them. */
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/core/error.h"
#include "src/core/memory.h"

/* ---- species ---- */

static bool is_sound_name(const char *name)
{
    const size_t length = name != NULL ? strlen(name) : 0;
    return length > 0 && length < VP_SPECIES_NAME_BYTES && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

vp_status vp_check_species(const vp_automaton_species *species, uint32_t count, vp_error *error)
{
    if (count > VP_CELL_TYPE_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "%u species; at most %d", count, VP_CELL_TYPE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const vp_automaton_species *s = &species[i];
        if (!is_sound_name(s->name))
            return vp_fail(error, VP_E_ARGUMENT, "species %u: its name \"%.40s\" must be 1 to %d lower-case letters, digits and hyphens", i,
                           s->name != NULL ? s->name : "", VP_SPECIES_NAME_BYTES - 1);
        if (s->type == VP_CELL_EMPTY || s->type > VP_CELL_TYPE_MAX)
            return vp_fail(error, VP_E_ARGUMENT, "species \"%s\": type %u is not 1 to %d", s->name, s->type, VP_CELL_TYPE_MAX);
        for (uint32_t k = 0; k < i; k++)
            if (species[k].type == s->type || strcmp(species[k].name, s->name) == 0)
                return vp_fail(error, VP_E_ARGUMENT, "species \"%s\" of type %u and \"%s\" of type %u: names and types must differ",
                               species[k].name, species[k].type, s->name, s->type);
    }
    return VP_OK;
}

const vp_automaton_species *vp_automaton_species_named(const vp_automaton_species *species, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(species[i].name, name) == 0)
            return &species[i];
    return NULL;
}

/* ---- making ---- */

static vp_status check_def(const vp_automaton_def *def, vp_error *error)
{
    const vp_dims s = def->size;
    if (s.x == 0 || s.x > VP_AUTOMATON_MAX_EDGE || s.y == 0 || s.y > VP_AUTOMATON_MAX_EDGE || s.z == 0 || s.z > VP_AUTOMATON_MAX_EDGE ||
        (uint64_t)s.x * s.y * s.z > VP_AUTOMATON_MAX_CELLS)
        return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u cells: each must be 1 to %d, and all at most %d", s.x, s.y, s.z,
                       VP_AUTOMATON_MAX_EDGE, VP_AUTOMATON_MAX_CELLS);
    if (def->form != VP_AUTOMATON_LIST && def->form != VP_AUTOMATON_SCAN)
        return vp_fail(error, VP_E_ARGUMENT, "vp_automaton_def.form is %d; must be a vp_automaton_form", (int)def->form);
    return VP_OK;
}

/* The grid, empty and with its border. */
static vp_status make_grid(vp_automaton *a, vp_error *error)
{
    a->grid = vp_allocate(&a->allocator, a->places + 1, sizeof *a->grid); /* windows are read by four bytes a row */
    a->claim = vp_allocate_zero(&a->allocator, a->places, sizeof *a->claim);
    for (int i = 0; i < 2; i++) {
        a->words[i] = ((i == 0 ? a->places : a->words[0]) + 63) / 64;
        a->marked[i] = vp_allocate_zero(&a->allocator, a->words[i], sizeof *a->marked[i]);
    }
    if (a->grid == NULL || a->claim == NULL || a->marked[0] == NULL || a->marked[1] == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u x %u x %u cells", a->size.x, a->size.y, a->size.z);
    memset(a->grid, VP_CELL_OUTSIDE, a->places + 1);
    for (uint32_t y = 0; y < a->size.y; y++)
        for (uint32_t z = 0; z < a->size.z; z++)
            memset(a->grid + vp_place(a, 0, y, z), VP_CELL_EMPTY, a->size.x);
    return VP_OK;
}

vp_status vp_automaton_create(const vp_automaton_def *def, vp_automaton **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    uint32_t count = def->species_count;
    const vp_automaton_species *species = def->species != NULL ? def->species : vp_automaton_species_builtin(&count);
    VP_RETURN_IF_FAILED(check_def(def, error));
    VP_RETURN_IF_FAILED(vp_check_species(species, count, error));
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_automaton *a = vp_allocate_zero(&allocator, 1, sizeof *a);
    if (a == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for an automaton");
    a->allocator = allocator;
    a->size = def->size;
    a->row = def->size.x + 2;
    a->layer = a->row * (def->size.z + 2);
    a->places = a->layer * (def->size.y + 2);
    for (uint32_t k = 0; k < 27; k++)
        a->offset[k] = (k / 9 - 1) * a->layer + (k / 3 % 3 - 1) * a->row + k % 3 - 1;
    a->seed = def->seed;
    a->end_claim = 1;
    a->form = def->form;
    a->species_count = count;
    a->species = count > 0 ? vp_allocate(&allocator, count, sizeof *a->species) : NULL;
    vp_status status =
        count > 0 && a->species == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %u species", count) : make_grid(a, error);
    if (status != VP_OK) {
        vp_automaton_destroy(a);
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        a->species[i] = species[i];
        a->of_type[species[i].type] = &a->species[i];
        a->rules += species[i].rule != NULL;
    }
    *out = a;
    return vp_succeed(error);
}

static void release_living(const vp_allocator *allocator, const vp_living *living)
{
    vp_release(allocator, living->place, living->place_room, sizeof *living->place);
    vp_release(allocator, living->memory, living->memory_room, sizeof *living->memory);
}

void vp_automaton_destroy(vp_automaton *a)
{
    if (a == NULL)
        return;
    const vp_allocator allocator = a->allocator;
    vp_release(&allocator, a->grid, a->places + 1, sizeof *a->grid);
    vp_release(&allocator, a->claim, a->places, sizeof *a->claim);
    for (int i = 0; i < 2; i++)
        vp_release(&allocator, a->marked[i], a->words[i], sizeof *a->marked[i]);
    vp_release(&allocator, a->species, a->species_count, sizeof *a->species);
    release_living(&allocator, &a->living);
    release_living(&allocator, &a->living_after);
    vp_release(&allocator, a->output, a->output_room, sizeof *a->output);
    vp_release(&allocator, a->key[0], a->key_room[0], sizeof *a->key[0]);
    vp_release(&allocator, a->key[1], a->key_room[1], sizeof *a->key[1]);
    vp_release(&allocator, a->acted, a->acted_room, sizeof *a->acted);
    vp_release(&allocator, a->change, a->change_room, sizeof *a->change);
    vp_release(&allocator, a, 1, sizeof *a);
}

/* ---- reading ---- */

vp_dims vp_automaton_size(const vp_automaton *a)
{
    return a->size;
}

const vp_automaton_species *vp_automaton_species_of(const vp_automaton *a, uint32_t *count)
{
    *count = a->species_count;
    return a->species;
}

static vp_automaton_cell cell_of_living(const vp_automaton *a, uint32_t i)
{
    return (vp_automaton_cell){.type = a->grid[a->living.place[i]] & 127, .living = true, .memory = a->living.memory[i]};
}

vp_automaton_cell vp_automaton_cell_at(const vp_automaton *a, vp_ivec3 at)
{
    if (!vp_cell_inside(a, at))
        return (vp_automaton_cell){.type = VP_CELL_OUTSIDE};
    const uint32_t place = vp_place(a, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z);
    const uint8_t byte = a->grid[place];
    if (byte < VP_CELL_LIVING)
        return (vp_automaton_cell){.type = byte};
    return cell_of_living(a, vp_seek_living(&a->living, 0, place));
}

vp_status vp_check_cell_box(vp_dims s, vp_ivec3 low, vp_dims size, vp_error *error)
{
    if (low.x < 0 || low.y < 0 || low.z < 0 || size.x > s.x || size.y > s.y || size.z > s.z || (uint32_t)low.x > s.x - size.x ||
        (uint32_t)low.y > s.y - size.y || (uint32_t)low.z > s.z - size.z)
        return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u cells from (%d, %d, %d) on are not all inside of %u x %u x %u", size.x, size.y,
                       size.z, (int)low.x, (int)low.y, (int)low.z, s.x, s.y, s.z);
    return VP_OK;
}

vp_status vp_automaton_read(const vp_automaton *a, vp_ivec3 low, vp_dims size, uint8_t *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, out", a, out);
    VP_RETURN_IF_FAILED(vp_check_cell_box(a->size, low, size, error));
    for (uint32_t y = 0; y < size.y; y++)
        for (uint32_t z = 0; z < size.z; z++, out += size.x)
            if (size.x > 0)
                memcpy(out, a->grid + vp_place(a, (uint32_t)low.x, (uint32_t)low.y + y, (uint32_t)low.z + z), size.x);
    return vp_succeed(error);
}

uint32_t vp_automaton_living_count(const vp_automaton *a)
{
    return a->living.count;
}

vp_automaton_cell vp_automaton_living_cell(const vp_automaton *a, uint32_t i, vp_ivec3 *at)
{
    *at = vp_place_at(a, a->living.place[i]);
    return cell_of_living(a, i);
}

vp_automaton_stats vp_automaton_stats_of(const vp_automaton *a)
{
    vp_automaton_stats stats = a->stats;
    const size_t lists = (size_t)a->living.place_room + a->living_after.place_room,
                 memories = (size_t)a->living.memory_room + a->living_after.memory_room;
    stats.step = a->step;
    stats.living = a->living.count;
    stats.living_bytes = lists * sizeof *a->living.place + memories * sizeof *a->living.memory + a->output_room * sizeof *a->output +
                         ((size_t)a->key_room[0] + a->key_room[1]) * sizeof *a->key[0] + a->acted_room * sizeof *a->acted +
                         a->change_room * sizeof *a->change;
    stats.bytes = stats.living_bytes + a->places * (sizeof *a->grid + sizeof *a->claim) +
                  (a->words[0] + a->words[1]) * sizeof *a->marked[0] + a->species_count * sizeof *a->species + sizeof *a;
    return stats;
}

uint64_t vp_cell_digest(const vp_automaton *a, uint32_t place, uint8_t byte, vp_automaton_cell_memory memory)
{
    const uint64_t what = ((uint64_t)vp_cell_number(a, place) + 1) << 8 | byte;
    return vp_mix64(vp_mix64(what) + ((uint64_t)memory.resource << 32 | (uint32_t)memory.generation << 16 | memory.tick));
}

uint64_t vp_automaton_digest(const vp_automaton *a)
{
    uint64_t sum = a->dead_sum;
    for (uint32_t i = 0; i < a->living.count; i++)
        sum += vp_cell_digest(a, a->living.place[i], a->grid[a->living.place[i]], a->living.memory[i]);
    return vp_mix64(sum + vp_mix64(a->seed) + a->step * UINT64_C(0x9e3779b97f4a7c15));
}

/* ---- planting ---- */

vp_status vp_check_rest(const vp_automaton *a, const char *what, vp_error *error)
{
    if (a->phase == VP_AT_REST)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "%s while step %llu is under way", what, (unsigned long long)a->step);
}

const char *vp_cell_fault(const vp_automaton *a, const vp_automaton_cell *cell)
{
    const vp_automaton_cell_memory *m = &cell->memory;
    if (cell->type != VP_CELL_EMPTY && (cell->type > VP_CELL_TYPE_MAX || a->of_type[cell->type] == NULL))
        return "that no species has";
    if (cell->living && (cell->type == VP_CELL_EMPTY || a->of_type[cell->type]->rule == NULL))
        return "that lives, and has no rule";
    if (!cell->living && (m->tick != 0 || m->generation != 0 || m->resource != 0))
        return "that does not live, and remembers something";
    return NULL;
}

static vp_status check_cells(const vp_automaton *a, const vp_ivec3 *at, const vp_automaton_cell *cell, size_t count, vp_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const char *fault = vp_cell_fault(a, &cell[i]);
        if (!vp_cell_inside(a, at[i]))
            return vp_fail(error, VP_E_ARGUMENT, "cell %zu, at (%d, %d, %d), is outside of %u x %u x %u", i, (int)at[i].x, (int)at[i].y,
                           (int)at[i].z, a->size.x, a->size.y, a->size.z);
        if (fault != NULL)
            return vp_fail(error, VP_E_ARGUMENT, "cell %zu, at (%d, %d, %d), is of type %u %s", i, (int)at[i].x, (int)at[i].y, (int)at[i].z,
                           cell[i].type, fault);
    }
    return VP_OK;
}

/* Replaces the list of living voxels by that of the keys, the last one of each place. Their lower halves are ascending numbers in the old
   list. The list has room. */
static void rebuild_living(vp_automaton *a, uint32_t count)
{
    const uint64_t *key = a->key[vp_sort_keys(a->key, count, a->places)];
    uint32_t living = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && key[i] >> 32 == key[i + 1] >> 32)
            continue;
        a->living_after.place[living] = (uint32_t)(key[i] >> 32);
        a->living_after.memory[living++] = a->living.memory[(uint32_t)key[i]];
    }
    const vp_living old = a->living;
    a->living = a->living_after;
    a->living_after = old;
    a->living.count = living;
}

/* Writes one cell. A living one is appended to the list. One that no longer lives stays in it. */
static void put_cell(vp_automaton *a, uint32_t place, const vp_automaton_cell *cell)
{
    const uint8_t before = a->grid[place];
    if (before < VP_CELL_LIVING && before != VP_CELL_EMPTY)
        a->dead_sum -= vp_cell_digest(a, place, before, (vp_automaton_cell_memory){0});
    const uint8_t after = a->grid[place] = vp_cell_byte(cell);
    if (after >= VP_CELL_LIVING) {
        a->living.place[a->living.count] = place;
        a->living.memory[a->living.count++] = cell->memory;
    } else if (after != VP_CELL_EMPTY) {
        a->dead_sum += vp_cell_digest(a, place, after, (vp_automaton_cell_memory){0});
    }
}

vp_status vp_automaton_set_cells(vp_automaton *a, const vp_ivec3 *at, const vp_automaton_cell *cell, size_t count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton", a);
    VP_RETURN_IF_ARRAY_NULL(error, at, count);
    VP_RETURN_IF_ARRAY_NULL(error, cell, count);
    VP_RETURN_IF_FAILED(vp_check_rest(a, "cells are put", error));
    VP_RETURN_IF_FAILED(check_cells(a, at, cell, count, error));
    uint64_t max = a->living.count;
    for (size_t i = 0; i < count; i++)
        max += cell[i].living;
    if (max > UINT32_MAX || !vp_reserve_living(&a->allocator, &a->living, (uint32_t)max) ||
        !vp_reserve_living(&a->allocator, &a->living_after, (uint32_t)max) || !vp_reserve_keys(a, (uint32_t)max))
        return vp_fail(error, VP_E_MEMORY, "no memory for %llu living cells", (unsigned long long)max);
    for (size_t i = 0; i < count; i++)
        put_cell(a, vp_place(a, (uint32_t)at[i].x, (uint32_t)at[i].y, (uint32_t)at[i].z), &cell[i]);
    uint32_t living = 0;
    for (uint32_t i = 0; i < a->living.count; i++) {
        const uint32_t place = a->living.place[i];
        if (a->grid[place] >= VP_CELL_LIVING)
            a->key[0][living++] = (uint64_t)place << 32 | i;
    }
    rebuild_living(a, living);
    return vp_succeed(error);
}

vp_status vp_automaton_plant(vp_automaton *a, uint8_t type, vp_ivec3 at, bool wait, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton", a);
    const vp_automaton_species *s = type <= VP_CELL_TYPE_MAX ? a->of_type[type] : NULL;
    if (s == NULL || s->rule == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "type %u can't be planted: it has no rule", type);
    vp_automaton_cell cell = {.type = type, .living = true};
    if (s->plant != NULL && vp_cell_inside(a, at)) {
        vp_automaton_window in = {.seed = a->seed, .step = a->step, .type = type, .parameters = s->parameters};
        in.position = vp_cell_number(a, vp_place(a, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z));
        cell.memory = s->plant(&in, wait);
    }
    return vp_automaton_set_cells(a, &at, &cell, 1, error);
}

vp_status vp_automaton_find_top(const vp_automaton *a, int32_t x, int32_t z, int32_t *y, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, y", a, y);
    if (!vp_cell_inside(a, (vp_ivec3){x, 0, z}))
        return vp_fail(error, VP_E_ARGUMENT, "column (%d, %d) is outside of %u x %u", (int)x, (int)z, a->size.x, a->size.z);
    uint32_t top = a->size.y;
    while (top > 0 && a->grid[vp_place(a, (uint32_t)x, top - 1, (uint32_t)z)] == VP_CELL_EMPTY)
        top--;
    *y = (int32_t)top;
    return vp_succeed(error);
}
