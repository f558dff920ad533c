/* SPDX-License-Identifier: MIT */
/* Decoding of layers of step records. */
#include "host/record/reader.h"

#include <math.h>
#include <stdlib.h>

#include "src/core/bytes.h"
#include "host/program.h"

/* ---- numbers ---- */

uint8_t vp_get_byte(vp_cursor *c)
{
    c->failed = c->failed || c->at == c->end;
    return c->failed ? 0 : *c->at++;
}

uint64_t vp_get_u(vp_cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = vp_get_byte(c);
        c->failed = c->failed || shift > 56; /* values have at most 53 bits */
        if (c->failed)
            return 0;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static int64_t get_s(vp_cursor *c)
{
    const uint64_t u = vp_get_u(c);
    return (u & 1) != 0 ? -(int64_t)(u >> 1) - 1 : (int64_t)(u >> 1);
}

double vp_get_f64(vp_cursor *c)
{
    double value = 0;
    c->failed = c->failed || c->end - c->at < 8;
    if (c->failed)
        return 0;
    const uint64_t bits = vp_get_le64(c->at);
    memcpy(&value, &bits, sizeof value);
    c->at += 8;
    c->failed = !isfinite(value);
    return value;
}

uint32_t vp_get_count(vp_cursor *c, size_t bytes_each)
{
    const uint64_t count = vp_get_u(c);
    c->failed = c->failed || count > (size_t)(c->end - c->at) / bytes_each;
    return c->failed ? 0 : (uint32_t)count;
}

int32_t vp_get_next(vp_cursor *c, int64_t *last)
{
    *last += get_s(c);
    c->failed = c->failed || *last < INT32_MIN || *last > INT32_MAX;
    return c->failed ? 0 : (int32_t)*last;
}

static int16_t next16(vp_cursor *c, int64_t from)
{
    from += get_s(c);
    c->failed = c->failed || from < INT16_MIN || from > INT16_MAX;
    return c->failed ? (int16_t)0 : (int16_t)from;
}

/* ---- columns ---- */

/* Reads a column of `count` rows of `stride` numbers at `to`. `place` has the index of each row, NULL = in order. */
static void read_column(vp_cursor *c, double scale, double *to, size_t stride, const uint32_t *place, uint32_t count)
{
    int64_t last = 0;
    for (uint32_t i = 0; i < count && !c->failed; i++)
        to[(place != NULL ? place[i] : i) * stride] = scale > 0 ? vp_get_next(c, &last) / scale : vp_get_f64(c);
}

/* Resizes an array to `count` elements and one more. @param array  address of the pointer to it @return false if out of memory */
static bool resize(void *array, size_t count, size_t size, bool *memory)
{
    void *at;
    memcpy(&at, array, sizeof at);
    void *more = realloc(at, (count + 1) * size);
    *memory = more != NULL;
    if (more != NULL)
        memcpy(array, &more, sizeof more);
    return *memory;
}

/* ---- items ---- */

/* Reads an ascending list of ids. @return NULL if out of memory or after a failure */
static uint32_t *read_ids(vp_cursor *c, uint32_t *count, bool *memory)
{
    uint32_t *id = NULL;
    uint64_t last = 0;
    *count = vp_get_count(c, 1);
    if (c->failed || !resize(&id, *count, sizeof *id, memory))
        return NULL;
    for (uint32_t i = 0; i < *count && !c->failed; i++) {
        const uint64_t delta = vp_get_u(c);
        last += delta;
        c->failed = c->failed || (i > 0 && delta == 0) || last >= VP_RECORD_IDS;
        id[i] = (uint32_t)last;
    }
    return id;
}

/* The index of an id among the items, or the index where it belongs. */
static uint32_t place_of(const vp_read_layer *n, uint32_t id)
{
    uint32_t low = 0, high = n->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (n->item[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_there(const vp_read_layer *n, uint32_t id, uint32_t *place)
{
    *place = place_of(n, id);
    return *place < n->count && n->item[*place].id == id;
}

static void remove_items(vp_read_layer *n, size_t columns, const uint32_t *id, uint32_t count, vp_cursor *c)
{
    uint32_t kept = 0, k = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        if (k < count && n->item[i].id == id[k]) {
            k++;
            continue;
        }
        if (kept != i) {
            n->item[kept] = n->item[i];
            memmove(n->values + kept * columns, n->values + i * columns, columns * sizeof *n->values);
        }
        kept++;
    }
    n->count = kept;
    c->failed = c->failed || k != count;
}

/* Inserts ids that are missing. */
static bool insert_items(vp_read_layer *n, size_t columns, const uint32_t *id, uint32_t count, bool *memory)
{
    uint32_t more = 0, place;
    for (uint32_t i = 0; i < count; i++)
        more += !is_there(n, id[i], &place);
    if (!resize(&n->item, (size_t)n->count + more, sizeof *n->item, memory) ||
        !resize(&n->values, ((size_t)n->count + more) * columns, sizeof *n->values, memory))
        return false;
    uint32_t from = n->count, to = n->count + more, k = count; /* moves items from the end on */
    while (k > 0) {
        if (from > 0 && n->item[from - 1].id >= id[k - 1]) {
            k -= n->item[from - 1].id == id[k - 1];
            from--, to--;
            n->item[to] = n->item[from];
            memmove(n->values + to * columns, n->values + from * columns, columns * sizeof *n->values);
        } else {
            n->item[--to] = (vp_read_item){.id = id[--k]};
            memset(n->values + to * columns, 0, columns * sizeof *n->values);
        }
    }
    n->count += more;
    return true;
}

/* Replaces each id by its item's index. False if one is missing. */
static bool find_items(const vp_read_layer *n, uint32_t *id, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_there(n, id[i], &id[i]))
            return false;
    return true;
}

static void read_values(vp_cursor *c, const vp_record_layer *l, vp_read_layer *n, const uint32_t *place, uint32_t count)
{
    for (uint32_t k = 0; k < l->column_count; k++)
        read_column(c, l->columns[k].scale, n->values + k, l->column_count, place, count);
}

static void read_states(vp_cursor *c, const vp_record_layer *l, vp_read_layer *n, const uint32_t *place, uint32_t count)
{
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        const uint64_t state = vp_get_u(c);
        c->failed = c->failed || state >= (l->state_count > 0 ? l->state_count : 1);
        n->item[place[i]].state = (uint32_t)state;
    }
}

static void read_new(vp_cursor *c, const vp_record *r, const vp_record_layer *l, vp_read_layer *n, const uint32_t *place, uint32_t count)
{
    int64_t shape = 0;
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        shape += get_s(c);
        c->failed = c->failed || shape < 0 || shape >= r->shape_count;
        n->item[place[i]].shape = (uint32_t)shape;
        n->item[place[i]].moved = 0;
    }
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < count && !c->failed; i++) {
            int64_t from = 0;
            n->item[place[i]].position[k] = vp_get_next(c, &from);
        }
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 0; i < count && !c->failed; i++)
            n->item[place[i]].turn[k] = next16(c, 0);
    read_states(c, l, n, place, count);
    read_values(c, l, n, place, count);
}

static void read_moved(vp_cursor *c, uint32_t frame, vp_read_layer *n, const uint32_t *place, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        vp_read_item *item = &n->item[place[i]];
        if (item->moved != frame) { /* the item did not move */
            memset(item->step, 0, sizeof item->step);
            memset(item->turn_step, 0, sizeof item->turn_step);
        }
        item->moved = frame + 1;
    }
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < count && !c->failed; i++) {
            vp_read_item *item = &n->item[place[i]];
            int64_t step = item->step[k], to = item->position[k];
            item->step[k] = vp_get_next(c, &step);
            to += item->step[k];
            c->failed = c->failed || to < INT32_MIN || to > INT32_MAX;
            item->position[k] = c->failed ? 0 : (int32_t)to;
        }
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 0; i < count && !c->failed; i++) {
            vp_read_item *item = &n->item[place[i]];
            item->turn_step[k] = next16(c, item->turn_step[k]);
            const int to = item->turn[k] + item->turn_step[k];
            c->failed = c->failed || to < INT16_MIN || to > INT16_MAX;
            item->turn[k] = c->failed ? (int16_t)0 : (int16_t)to;
        }
}

static void read_items(vp_record *r, uint32_t layer, vp_cursor *c, bool *memory)
{
    const vp_record_layer *l = &r->layers[layer];
    vp_read_layer *n = &r->now[layer];
    for (int part = 0; part < 4 && !c->failed && *memory; part++) { /* lists: removed, new, moved, changed */
        uint32_t count;
        uint32_t *ids = read_ids(c, &count, memory);
        if (ids == NULL || c->failed) {
            free(ids);
            return;
        }
        if (part == 0 && count > 0)
            remove_items(n, l->column_count, ids, count, c);
        if (part == 1 && count > 0)
            insert_items(n, l->column_count, ids, count, memory);
        if (part > 0 && *memory)
            c->failed = c->failed || !find_items(n, ids, count);
        if (part == 1 && *memory && !c->failed)
            read_new(c, r, l, n, ids, count);
        if (part == 2 && !c->failed)
            read_moved(c, r->next, n, ids, count);
        if (part == 3 && !c->failed) {
            read_states(c, l, n, ids, count);
            read_values(c, l, n, ids, count);
        }
        free(ids);
    }
}

/* ---- other layers ---- */

static void read_rows(vp_record *r, uint32_t layer, vp_cursor *c, bool *memory)
{
    const vp_record_layer *l = &r->layers[layer];
    vp_read_layer *n = &r->now[layer];
    const uint32_t numbers = vp_record_draw_numbers(l->draw), stride = numbers + l->column_count;
    size_t bytes = numbers;
    for (uint32_t k = 0; k < l->column_count; k++)
        bytes += l->columns[k].scale > 0 ? 1 : 8;
    const uint32_t count = vp_get_count(c, bytes);
    if (c->failed || !resize(&n->values, (size_t)count * stride, sizeof *n->values, memory))
        return;
    for (uint32_t k = 0; k < stride; k++)
        read_column(c, k < numbers ? l->scale : l->columns[k - numbers].scale, n->values + k, stride, NULL, count);
    n->count = count;
}

static void read_texts(vp_record *r, uint32_t layer, vp_cursor *c, bool *memory)
{
    const vp_record_layer *l = &r->layers[layer];
    vp_read_layer *n = &r->now[layer];
    const uint32_t count = vp_get_count(c, l->placed ? 4 : 1);
    if (c->failed || !resize(&n->texts, count, sizeof *n->texts, memory) ||
        !resize(&n->letters, (size_t)(c->end - c->at) + count, 1, memory))
        return;
    memset(n->texts, 0, count * sizeof *n->texts);
    for (int k = 0; k < 3 && l->placed; k++) {
        int64_t last = 0;
        for (uint32_t i = 0; i < count && !c->failed; i++)
            n->texts[i].at[k] = vp_get_next(c, &last) / l->scale;
    }
    char *to = n->letters;
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        const uint32_t size = vp_get_count(c, 1);
        c->failed = c->failed || size >= VP_RECORD_TEXT_BYTES || memchr(c->at, 0, size) != NULL;
        if (c->failed)
            return;
        memcpy(to, c->at, size);
        to[size] = '\0';
        c->failed = !vp_is_utf8(to);
        n->texts[i].text = to;
        to += size + 1;
        c->at += size;
    }
    n->count = count;
}

static void read_scalars(vp_record *r, uint32_t layer, vp_cursor *c, bool *memory)
{
    const uint32_t columns = r->layers[layer].column_count;
    vp_read_layer *n = &r->now[layer];
    if (!resize(&n->values, columns, sizeof *n->values, memory))
        return;
    for (uint32_t k = 0; k < columns; k++)
        n->values[k] = vp_get_f64(c);
    n->count = 1;
}

static void read_voxels(vp_record *r, uint32_t layer, vp_cursor *c, bool *memory)
{
    const vp_record_layer *l = &r->layers[layer];
    vp_read_layer *n = &r->now[layer];
    const uint32_t count = vp_get_count(c, 2), cells = l->size.x * l->size.y * l->size.z;
    vp_record_voxel *change = NULL, *merged = NULL;
    uint64_t last = 0;
    if (c->failed || !resize(&change, count, sizeof *change, memory))
        return;
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        const uint64_t delta = vp_get_u(c);
        last += delta;
        c->failed = c->failed || last >= cells || (i > 0 && delta == 0);
        change[i] = (vp_record_voxel){.cell = (uint32_t)last};
    }
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        change[i].material = vp_get_byte(c);
        c->failed = c->failed || change[i].material >= (l->material_count > 0 ? l->material_count : 256);
    }
    if (!c->failed && resize(&merged, (size_t)n->count + count, sizeof *merged, memory)) {
        uint32_t kept = 0;
        for (uint32_t i = 0, k = 0; i < n->count || k < count;) {
            const bool old = k == count || (i < n->count && n->voxels[i].cell < change[k].cell);
            i += !old && i < n->count && n->voxels[i].cell == change[k].cell;
            merged[kept] = old ? n->voxels[i++] : change[k++];
            kept += merged[kept].material != 0;
        }
        free(n->voxels);
        n->voxels = merged;
        n->count = kept;
    }
    free(change);
}

bool vp_read_layer_bytes(vp_record *r, uint32_t layer, vp_cursor *c, bool *memory)
{
    static void (*const readers[])(vp_record *, uint32_t, vp_cursor *, bool *) = {[VP_RECORD_ITEMS] = read_items,
                                                                                  [VP_RECORD_ARRAY] = read_rows,
                                                                                  [VP_RECORD_TEXTS] = read_texts,
                                                                                  [VP_RECORD_SCALARS] = read_scalars,
                                                                                  [VP_RECORD_VOXELS] = read_voxels};
    readers[r->layers[layer].kind](r, layer, c, memory);
    return *memory && !c->failed && c->at == c->end;
}

void vp_read_layers_clear(vp_record *r)
{
    for (uint32_t i = 0; i < r->info.layer_count; i++) {
        vp_read_layer *n = &r->now[i];
        free(n->item);
        free(n->values);
        free(n->texts);
        free(n->letters);
        free(n->voxels);
        free(n->shown);
        *n = (vp_read_layer){0};
    }
}
