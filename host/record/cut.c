/* SPDX-License-Identifier: MIT */
/* Cuts a part of a recording into a recording of its own. Frames go through a writer, which finds the differences. */
#include "host/record/read.h"
#include "host/record/write.h"

#include <stdlib.h>

/* Ids or cells of a layer in the previous frame. */
typedef struct before {
    uint32_t *at;
    uint32_t count;
} before;

typedef struct cutting {
    vp_record *record;
    vp_record_info info;
    vp_record_writer *writer;
    const vp_recorder *to;
    bool keep[VP_RECORD_LAYERS];
    uint32_t number[VP_RECORD_LAYERS]; /* new number of a layer that is kept */
    uint32_t *shape;                   /* new number of a shape, plus 1. 0 = not copied yet */
    before before[VP_RECORD_LAYERS];
} cutting;

/* A column that refers to a layer that is left out becomes a plain number. */
static vp_status name_layer(cutting *c, uint32_t i, vp_error *error)
{
    vp_record_layer layer = c->info.layers[i];
    vp_record_column *columns = malloc(((size_t)layer.column_count + 1) * sizeof *columns);
    if (columns == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for layer \"%s\"", layer.name);
    for (uint32_t k = 0; k < layer.column_count; k++) {
        columns[k] = layer.columns[k];
        if (columns[k].meaning == VP_RECORD_ITEM && c->keep[columns[k].of])
            columns[k].of = c->number[columns[k].of];
        else if (columns[k].meaning == VP_RECORD_ITEM)
            columns[k].meaning = VP_RECORD_NUMBER;
    }
    layer.columns = columns;
    c->number[i] = c->to->layer(c->to->user, &layer);
    free(columns);
    return VP_OK;
}

static uint32_t shape_of(cutting *c, uint32_t shape)
{
    size_t size;
    const uint8_t *bytes = vp_record_shape_bytes(c->record, shape, &size);
    if (c->shape[shape] == 0)
        c->shape[shape] = 1 + vp_record_writer_copy_shape(c->writer, bytes, size);
    return c->shape[shape] - 1;
}

/* Removes entries that are gone, and stores the ascending ids or cells of `now` for the next frame. */
static vp_status tell_gone(cutting *c, uint32_t i, const vp_record_now *now, vp_error *error)
{
    before *b = &c->before[i];
    const bool items = c->info.layers[i].kind == VP_RECORD_ITEMS;
    uint32_t *at = malloc(((size_t)now->count + 1) * sizeof *at);
    if (at == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for layer \"%s\"", c->info.layers[i].name);
    for (uint32_t k = 0; k < now->count; k++)
        at[k] = items ? now->items[k].id : now->voxels[k].cell;
    for (uint32_t k = 0, n = 0; k < b->count; k++) {
        while (n < now->count && at[n] < b->at[k])
            n++;
        if (n < now->count && at[n] == b->at[k])
            continue;
        if (items)
            c->to->remove(c->to->user, c->number[i], b->at[k]);
        else
            c->to->voxels(c->to->user, c->number[i], &(vp_record_voxel){b->at[k], 0}, 1);
    }
    free(b->at);
    *b = (before){at, now->count};
    return VP_OK;
}

static vp_status tell_layer(cutting *c, uint32_t i, vp_error *error)
{
    const vp_recorder *to = c->to;
    const uint32_t layer = c->number[i];
    vp_record_now now;
    VP_RETURN_IF_FAILED(vp_record_layer_now(c->record, i, &now, error));
    vp_status status = VP_OK;
    switch (c->info.layers[i].kind) {
    case VP_RECORD_ITEMS:
        status = tell_gone(c, i, &now, error);
        for (uint32_t k = 0; k < now.count && status == VP_OK; k++) {
            vp_record_item item = now.items[k];
            item.shape = shape_of(c, item.shape);
            to->item(to->user, layer, &item);
        }
        break;
    case VP_RECORD_VOXELS:
        status = tell_gone(c, i, &now, error);
        if (status == VP_OK)
            to->voxels(to->user, layer, now.voxels, now.count);
        break;
    case VP_RECORD_ARRAY:
        to->rows(to->user, layer, now.rows, now.count);
        break;
    case VP_RECORD_TEXTS:
        to->texts(to->user, layer, now.texts, now.count);
        break;
    case VP_RECORD_SCALARS:
        if (now.count > 0)
            to->scalars(to->user, layer, now.scalars);
        break;
    }
    return status;
}

static vp_status tell_all(cutting *c, uint32_t low, uint32_t high, vp_error *error)
{
    for (uint32_t i = 0; i < c->info.layer_count; i++)
        if (c->keep[i])
            VP_RETURN_IF_FAILED(name_layer(c, i, error));
    for (uint32_t f = low; f <= high; f++) {
        VP_RETURN_IF_FAILED(vp_record_seek(c->record, f, error));
        for (uint32_t i = 0; i < c->info.layer_count; i++)
            if (c->keep[i])
                VP_RETURN_IF_FAILED(tell_layer(c, i, error));
        VP_RETURN_IF_FAILED(c->to->frame(c->to->user, error));
    }
    return VP_OK;
}

vp_status vp_record_cut(vp_record *record, uint32_t low, uint32_t high, const bool *keep, vp_bytes *out, vp_error *error)
{
    cutting *c = calloc(1, sizeof *c);
    if (c == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a recording");
    c->record = record;
    c->info = vp_record_info_of(record);
    c->shape = calloc((size_t)c->info.shapes + 1, sizeof *c->shape);
    for (uint32_t i = 0; i < c->info.layer_count; i++)
        c->keep[i] = keep == NULL || keep[i];
    vp_record_about about = c->info.about;
    about.first = low;
    vp_status status = c->shape != NULL ? vp_record_writer_create(NULL, &about, &c->writer, error)
                                        : vp_fail(error, VP_E_MEMORY, "no memory for %u shapes", c->info.shapes);
    if (status == VP_OK) {
        c->to = vp_record_writer_recorder(c->writer);
        status = tell_all(c, low, high, error);
        if (status == VP_OK)
            status = vp_record_writer_close(c->writer, NULL, out, error);
        else
            vp_record_writer_drop(c->writer);
    }
    for (uint32_t i = 0; i < VP_RECORD_LAYERS; i++)
        free(c->before[i].at);
    free(c->shape);
    free(c);
    return status;
}
