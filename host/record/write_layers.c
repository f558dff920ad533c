/* SPDX-License-Identifier: MIT */
/* Items and voxels, encoded as changes since the previous frame. */
#include "host/record/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool add_number(vp_numbers *to, uint32_t number)
{
    const bool room = vp_grow_array(&to->at, &to->room, (size_t)to->count + 1, sizeof *to->at, "numbers", NULL) == VP_OK;
    if (room)
        to->at[to->count++] = number;
    return room;
}

/* ---- items ---- */

/* Finds or adds the item of an id. NULL if out of memory. */
static vp_written_item *place_of(vp_written_layer *l, uint32_t id)
{
    const size_t before = l->slot_room;
    if (vp_grow_array(&l->slot, &l->slot_room, (size_t)id + 1, sizeof *l->slot, "slots", NULL) != VP_OK)
        return NULL;
    if (l->slot_room > before)
        memset(l->slot + before, 0, (l->slot_room - before) * sizeof *l->slot);
    if (l->slot[id] != 0)
        return &l->item[l->slot[id] - 1];
    const size_t items = (size_t)l->item_count + 1;
    if (vp_grow_array(&l->item, &l->item_room, items, sizeof *l->item, "items", NULL) != VP_OK ||
        vp_grow_array(&l->values, &l->value_room, items * l->columns, sizeof *l->values, "values", NULL) != VP_OK)
        return NULL;
    vp_written_item *item = &l->item[l->item_count];
    memset(item, 0, sizeof *item);
    item->id = id;
    l->slot[id] = ++l->item_count;
    return item;
}

static uint32_t slot_of(const vp_written_layer *l, const vp_written_item *item)
{
    return (uint32_t)(item - l->item);
}

static void touch(vp_record_writer *w, vp_written_layer *l, vp_written_item *item)
{
    if (!item->touched && !add_number(&l->touched, slot_of(l, item)))
        vp_writer_fail(w, VP_E_MEMORY, "no memory for item %u of layer \"%s\"", item->id, l->name);
    item->touched = true;
}

/* Rounds a quaternion to whole steps. It picks the sign that is nearer to the last rotation. */
static void set_turn(vp_record_writer *w, const vp_written_layer *l, const double rotation[4], vp_written_item *to)
{
    double length = 0, same = 0, q[4];
    for (int k = 0; k < 4; k++)
        length += rotation[k] * rotation[k];
    for (int k = 0; k < 4; k++)
        q[k] = length > 0 ? rotation[k] : k == 3;
    if (length != 0 && !(fabs(length - 1) < 1e-3)) {
        vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\", frame %u: item %u is turned by %g %g %g %g, which has not length 1", l->name,
                       w->first + w->frame_count, to->id, rotation[0], rotation[1], rotation[2], rotation[3]);
        return;
    }
    for (int k = 0; k < 4 && to->there; k++)
        same += q[k] * to->turn[k];
    for (int k = 0; k < 4; k++) {
        const double steps = floor((same < 0 ? -q[k] : q[k]) * VP_RECORD_TURN + 0.5);
        to->now_turn[k] = (int16_t)(steps > VP_RECORD_TURN ? VP_RECORD_TURN : steps < -VP_RECORD_TURN ? -VP_RECORD_TURN : steps);
    }
}

void vp_writer_item(void *user, uint32_t layer, const vp_record_item *item)
{
    static const char *const axis[] = {"an item's x", "an item's y", "an item's z"};
    vp_record_writer *w = user;
    vp_written_layer *l = vp_writer_layer(w, layer, VP_RECORD_ITEMS);
    if (l == NULL)
        return;
    if (item->id >= VP_RECORD_IDS || item->shape >= w->shape_count || item->state >= (l->states > 0 ? l->states : 1)) {
        vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\", frame %u: item %u has shape %u of %u, state %u of %u", l->name,
                       w->first + w->frame_count, item->id, item->shape, w->shape_count, item->state, l->states);
        return;
    }
    vp_written_item *to = place_of(l, item->id);
    if (to == NULL) {
        vp_writer_fail(w, VP_E_MEMORY, "no memory for item %u of layer \"%s\"", item->id, l->name);
        return;
    }
    double *values = l->columns > 0 ? l->values + (size_t)slot_of(l, to) * l->columns : NULL;
    for (int k = 0; k < 3; k++)
        to->now_position[k] = vp_writer_steps(w, l, axis[k], item->position[k], l->scale);
    set_turn(w, l, item->rotation, to);
    to->now_shape = item->shape;
    to->now_state = item->state;
    if (values != NULL && (!to->there || memcmp(values, item->values, l->columns * sizeof *values) != 0)) {
        memcpy(values, item->values, l->columns * sizeof *values);
        to->values_changed = true;
    }
    to->now_there = true;
    touch(w, l, to);
}

void vp_writer_remove(void *user, uint32_t layer, uint32_t id)
{
    vp_record_writer *w = user;
    vp_written_layer *l = vp_writer_layer(w, layer, VP_RECORD_ITEMS);
    if (l == NULL)
        return;
    vp_written_item *item = id < l->slot_room && l->slot[id] != 0 ? &l->item[l->slot[id] - 1] : NULL;
    if (item == NULL || !item->now_there) {
        vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\", frame %u: item %u to remove does not exist", l->name, w->first + w->frame_count,
                       id);
        return;
    }
    item->now_there = false;
    touch(w, l, item);
}

static void put_ids(const vp_written_layer *l, const vp_numbers *of, vp_bytes *to)
{
    uint32_t last = 0;
    vp_put_u(to, of->count);
    for (uint32_t i = 0; i < of->count; i++) {
        vp_put_u(to, l->item[of->at[i]].id - last);
        last = l->item[of->at[i]].id;
    }
}

static void put_values(vp_record_writer *w, vp_written_layer *l, const vp_numbers *of, vp_bytes *to)
{
    for (uint32_t k = 0; k < l->columns; k++) {
        int64_t last = 0;
        char what[32];
        snprintf(what, sizeof what, "column %u of an item", k);
        for (uint32_t i = 0; i < of->count && vp_writer_sound(w); i++)
            vp_writer_next(w, l, what, l->values[(size_t)of->at[i] * l->columns + k], l->column_scale[k], &last, to);
    }
}

/* Writes items that are new or have another shape, in full. */
static void put_new(vp_record_writer *w, vp_written_layer *l, const vp_numbers *of, vp_bytes *to)
{
    int64_t last = 0;
    put_ids(l, of, to);
    for (uint32_t i = 0; i < of->count; i++) {
        vp_put_s(to, (int64_t)l->item[of->at[i]].now_shape - last);
        last = l->item[of->at[i]].now_shape;
    }
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < of->count; i++)
            vp_put_s(to, l->item[of->at[i]].now_position[k]);
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 0; i < of->count; i++)
            vp_put_s(to, l->item[of->at[i]].now_turn[k]);
    for (uint32_t i = 0; i < of->count; i++)
        vp_put_u(to, l->item[of->at[i]].now_state);
    put_values(w, l, of, to);
    for (uint32_t i = 0; i < of->count; i++) {
        vp_written_item *item = &l->item[of->at[i]];
        memset(item->step, 0, sizeof item->step);
        memset(item->turn_step, 0, sizeof item->turn_step);
    }
}

/* Writes moved items. Their deltas are relative to the movement of the previous frame. */
static void put_moved(vp_written_layer *l, const vp_numbers *of, vp_bytes *to)
{
    put_ids(l, of, to);
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < of->count; i++) {
            vp_written_item *item = &l->item[of->at[i]];
            const int64_t step = (int64_t)item->now_position[k] - item->position[k];
            vp_put_s(to, step - item->step[k]);
            item->step[k] = (int32_t)step;
        }
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 0; i < of->count; i++) {
            vp_written_item *item = &l->item[of->at[i]];
            const int step = item->now_turn[k] - item->turn[k];
            vp_put_s(to, step - item->turn_step[k]);
            item->turn_step[k] = (int16_t)step;
        }
}

static bool has_moved(const vp_written_item *i)
{
    bool small = true; /* all steps fit their type, otherwise the item is written in full */
    for (int k = 0; k < 3; k++)
        small = small && llabs((long long)i->now_position[k] - i->position[k]) <= INT32_MAX;
    return small && (memcmp(i->now_position, i->position, sizeof i->position) != 0 || memcmp(i->now_turn, i->turn, sizeof i->turn) != 0);
}

static bool is_new(const vp_written_item *i)
{
    bool far = false;
    for (int k = 0; k < 3; k++)
        far = far || llabs((long long)i->now_position[k] - i->position[k]) > INT32_MAX;
    for (int k = 0; k < 4; k++)
        far = far || abs(i->now_turn[k] - i->turn[k]) > INT16_MAX;
    return !i->there || i->now_shape != i->shape || far;
}

typedef struct vp_sorted {
    uint32_t id, slot;
} vp_sorted;

static int by_id(const void *a, const void *b)
{
    const vp_sorted *l = a, *r = b;
    return (l->id > r->id) - (l->id < r->id);
}

/* Sorts slots by id. */
static bool sort_slots(const vp_written_layer *l, vp_numbers *slots)
{
    vp_sorted *sorted = malloc(((size_t)slots->count + 1) * sizeof *sorted);
    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < slots->count; i++)
        sorted[i] = (vp_sorted){l->item[slots->at[i]].id, slots->at[i]};
    qsort(sorted, slots->count, sizeof *sorted, by_id);
    for (uint32_t i = 0; i < slots->count; i++)
        slots->at[i] = sorted[i].slot;
    free(sorted);
    return true;
}

/* Lists of slots by kind of change: removed, new, moved, changed. */
enum { REMOVED, NEW, MOVED, CHANGED, LISTS };

static bool choose(vp_written_layer *l, bool key, vp_numbers list[LISTS])
{
    bool room = sort_slots(l, &l->touched);
    for (uint32_t i = 0; i < l->touched.count && room && !key; i++) {
        const uint32_t slot = l->touched.at[i];
        const vp_written_item *item = &l->item[slot];
        if (item->there && !item->now_there)
            room = add_number(&list[REMOVED], slot);
        if (!item->now_there)
            continue;
        if (is_new(item))
            room = add_number(&list[NEW], slot);
        else if (has_moved(item))
            room = add_number(&list[MOVED], slot);
        if (room && !is_new(item) && (item->values_changed || item->now_state != item->state))
            room = add_number(&list[CHANGED], slot);
    }
    for (uint32_t id = 0; id < l->slot_room && room && key; id++)
        if (l->slot[id] != 0 && l->item[l->slot[id] - 1].now_there)
            room = add_number(&list[NEW], l->slot[id] - 1);
    return room;
}

static void settle(vp_written_layer *l, vp_numbers *moved)
{
    for (uint32_t i = 0; i < l->moved.count; i++) { /* items that were not touched rest */
        vp_written_item *item = &l->item[l->moved.at[i]];
        if (item->touched && has_moved(item) && !is_new(item) && item->now_there)
            continue;
        memset(item->step, 0, sizeof item->step);
        memset(item->turn_step, 0, sizeof item->turn_step);
    }
    for (uint32_t i = 0; i < l->touched.count; i++) {
        vp_written_item *item = &l->item[l->touched.at[i]];
        memcpy(item->position, item->now_position, sizeof item->position);
        memcpy(item->turn, item->now_turn, sizeof item->turn);
        item->shape = item->now_shape;
        item->state = item->now_state;
        item->there = item->now_there;
        item->touched = item->values_changed = false;
    }
    l->touched.count = 0;
    free(l->moved.at);
    l->moved = *moved;
    *moved = (vp_numbers){0};
}

void vp_writer_put_items(vp_record_writer *w, vp_written_layer *l, bool key, vp_bytes *to)
{
    vp_numbers list[LISTS] = {{0}};
    if (!choose(l, key, list)) {
        vp_writer_fail(w, VP_E_MEMORY, "no memory for layer \"%s\"", l->name);
    } else if (list[REMOVED].count + list[NEW].count + list[MOVED].count + list[CHANGED].count > 0) {
        put_ids(l, &list[REMOVED], to);
        put_new(w, l, &list[NEW], to);
        put_moved(l, &list[MOVED], to);
        put_ids(l, &list[CHANGED], to);
        for (uint32_t i = 0; i < list[CHANGED].count; i++)
            vp_put_u(to, l->item[list[CHANGED].at[i]].now_state);
        put_values(w, l, &list[CHANGED], to);
    }
    settle(l, &list[MOVED]);
    for (int k = 0; k < LISTS; k++)
        free(list[k].at);
}

/* ---- voxels ---- */

enum { BRICK = 4096 };

static uint8_t material_at(const vp_written_layer *l, uint32_t cell)
{
    const uint8_t *brick = l->brick != NULL ? l->brick[cell / BRICK] : NULL;
    return brick != NULL ? brick[cell % BRICK] : 0;
}

static bool set_material(vp_written_layer *l, uint32_t cell, uint8_t material)
{
    if (l->brick == NULL) {
        l->bricks = l->cells / BRICK + 1;
        l->brick = calloc(l->bricks, sizeof *l->brick);
    }
    if (l->brick != NULL && l->brick[cell / BRICK] == NULL)
        l->brick[cell / BRICK] = calloc(BRICK, 1);
    if (l->brick == NULL || l->brick[cell / BRICK] == NULL)
        return false;
    l->brick[cell / BRICK][cell % BRICK] = material;
    return true;
}

void vp_writer_voxels(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count)
{
    vp_record_writer *w = user;
    vp_written_layer *l = vp_writer_layer(w, layer, VP_RECORD_VOXELS);
    if (l == NULL)
        return;
    if (count > UINT32_MAX / 2 - l->change_count ||
        vp_grow_array(&l->change, &l->change_room, (size_t)l->change_count + count, sizeof *l->change, "cells", NULL) != VP_OK) {
        vp_writer_fail(w, VP_E_MEMORY, "no memory for %u cells of layer \"%s\"", count, l->name);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (changes[i].cell >= l->cells || changes[i].material >= (l->materials > 0 ? l->materials : 256)) {
            vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\", frame %u: cell %u of %u, material %u of %u", l->name, w->first + w->frame_count,
                           changes[i].cell, l->cells, changes[i].material, l->materials);
            return;
        }
        l->change[l->change_count++] = changes[i];
    }
}

/* Sorts by cell. Changes of one cell keep their order. */
static bool sort_changes(vp_record_voxel *change, uint32_t count)
{
    vp_record_voxel *other = malloc(((size_t)count + 1) * sizeof *other);
    if (other == NULL)
        return false;
    vp_record_voxel *from = change, *to = other;
    for (uint32_t run = 1; run < count; run *= 2) { /* length of sorted runs */
        for (uint32_t low = 0; low < count; low += 2 * run) {
            const uint32_t middle = count - low < run ? count : low + run, high = count - middle < run ? count : middle + run;
            for (uint32_t i = low, a = low, b = middle; i < high; i++)
                to[i] = b == high || (a < middle && from[a].cell <= from[b].cell) ? from[a++] : from[b++];
        }
        vp_record_voxel *swap = from;
        from = to;
        to = swap;
    }
    if (from != change)
        memcpy(change, from, (size_t)count * sizeof *change);
    free(other);
    return true;
}

/* Keeps the last change of each cell, if it changes something. */
static bool settle_changes(vp_written_layer *l)
{
    uint32_t kept = 0;
    bool room = sort_changes(l->change, l->change_count);
    for (uint32_t i = 0; i < l->change_count && room; i++) {
        const vp_record_voxel v = l->change[i];
        if ((i + 1 < l->change_count && l->change[i + 1].cell == v.cell) || material_at(l, v.cell) == v.material)
            continue;
        room = set_material(l, v.cell, v.material);
        l->change[kept++] = v;
    }
    l->change_count = kept;
    return room;
}

/* All non-zero cells, as changes. */
static bool all_cells(vp_written_layer *l)
{
    l->change_count = 0;
    for (uint32_t b = 0; b < l->bricks; b++)
        for (uint32_t i = 0; i < BRICK && l->brick[b] != NULL; i++) {
            if (l->brick[b][i] == 0)
                continue;
            if (vp_grow_array(&l->change, &l->change_room, (size_t)l->change_count + 1, sizeof *l->change, "cells", NULL) != VP_OK)
                return false;
            l->change[l->change_count++] = (vp_record_voxel){b * BRICK + i, l->brick[b][i]};
        }
    return true;
}

void vp_writer_put_voxels(vp_record_writer *w, vp_written_layer *l, bool key, vp_bytes *to)
{
    if ((l->change_count > 0 && !settle_changes(l)) || (key && !all_cells(l))) {
        vp_writer_fail(w, VP_E_MEMORY, "no memory for layer \"%s\"", l->name);
    } else if (l->change_count > 0) {
        uint32_t last = 0;
        vp_put_u(to, l->change_count);
        for (uint32_t i = 0; i < l->change_count; i++) {
            vp_put_u(to, l->change[i].cell - last);
            last = l->change[i].cell;
        }
        for (uint32_t i = 0; i < l->change_count; i++)
            vp_bytes_add(to, &l->change[i].material, 1);
    }
    l->change_count = 0;
}

void vp_writer_drop_layer(vp_written_layer *l)
{
    for (uint32_t b = 0; b < l->bricks && l->brick != NULL; b++)
        free(l->brick[b]);
    free(l->brick);
    free(l->change);
    free(l->slot);
    free(l->item);
    free(l->values);
    free(l->touched.at);
    free(l->moved.at);
    free(l->content.at);
}
