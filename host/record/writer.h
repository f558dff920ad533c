/* SPDX-License-Identifier: MIT */
/* What the files of the writer share. */
#ifndef VP_HOST_RECORD_WRITER_H
#define VP_HOST_RECORD_WRITER_H

#include <stdio.h>

#include "host/record/format.h"

struct json_t;

/* An item: as it is, and as the reader has it after the last frame. */
typedef struct vp_written_item {
    int32_t position[3], step[3];
    int16_t turn[4], turn_step[4];
    uint32_t id, shape, state;
    int32_t now_position[3];
    int16_t now_turn[4];
    uint32_t now_shape, now_state;
    bool there, now_there; /* after the last frame; now */
    bool touched, values_changed;
} vp_written_item;

/* Numbers that grow. */
typedef struct vp_numbers {
    uint32_t *at;
    uint32_t count, capacity;
} vp_numbers;

typedef struct vp_written_layer {
    char name[VP_RECORD_NAME_BYTES];
    vp_record_kind kind;
    vp_record_draw draw;
    bool hold, placed;
    double scale;
    uint32_t columns, numbers, states, materials; /* numbers: of a row, before its columns */
    double column_scale[VP_RECORD_COLUMNS];
    /* items */
    uint32_t *slot; /* of an id; 0: none, else one more */
    uint32_t slot_room, item_count, item_room;
    vp_written_item *item;
    double *values;            /* of each item, as it is */
    vp_numbers touched, moved; /* slots: told of in this frame; that moved in the last one */
    /* arrays, texts: encoded */
    vp_bytes content;
    bool fresh;
    /* scalars */
    double scalar[VP_RECORD_COLUMNS];
    /* voxels: bricks of 4096 cells by number */
    uint8_t **brick;
    uint32_t cells, bricks;
    vp_record_voxel *change;
    uint32_t change_count, change_room;
} vp_written_layer;

struct vp_record_writer {
    vp_recorder recorder;
    vp_error failure;
    FILE *file; /* or: */
    vp_bytes memory;
    char *path;
    struct json_t *head, *layers; /* until the first frame */
    bool begun;
    vp_written_layer layer[VP_RECORD_LAYERS];
    uint32_t layer_count;
    vp_bytes shapes, frames, frame, payload, index;
    uint32_t shape_count, shape_first, frame_count, block_first, first;
    size_t key_bytes; /* of the block's first frame */
    vp_record_written written;
};

/* Keeps the first failure. */
void vp_writer_fail(vp_record_writer *w, vp_status status, const char *format, ...) VP_PRINTF(3, 4);
bool vp_writer_sound(const vp_record_writer *w);

/* LEB128, zigzag of it, and 8 bytes. */
void vp_put_u(vp_bytes *to, uint64_t value);
void vp_put_s(vp_bytes *to, int64_t value);
void vp_put_f64(vp_bytes *to, double value);

/* The whole steps of a number; a failure that names layer, what and value. */
int32_t vp_writer_steps(vp_record_writer *w, const vp_written_layer *l, const char *what, double value, double scale);

/* Whether a number is; if not, a failure. */
bool vp_writer_finite(vp_record_writer *w, const vp_written_layer *l, const char *what, double value);

/* Columns of `count` rows, each `stride` numbers after the last: deltas of steps, or exact. */
void vp_writer_column(vp_record_writer *w, const vp_written_layer *l, const char *what, const double *first, size_t stride, uint32_t count,
                      double scale, vp_bytes *to);

/* The layer of a number, if it is of this kind; else a failure and NULL. */
vp_written_layer *vp_writer_layer(vp_record_writer *w, uint32_t layer, vp_record_kind kind);

/* Kinds: what the callbacks do, and what a frame holds of a layer. `key`: all of it. */
void vp_writer_item(void *user, uint32_t layer, const vp_record_item *item);
void vp_writer_remove(void *user, uint32_t layer, uint32_t id);
void vp_writer_voxels(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count);
void vp_writer_put_items(vp_record_writer *w, vp_written_layer *l, bool key, vp_bytes *to);
void vp_writer_put_voxels(vp_record_writer *w, vp_written_layer *l, bool key, vp_bytes *to);
void vp_writer_drop_layer(vp_written_layer *l);

/* A layer of the header, checked. @return NULL after a failure */
struct json_t *vp_writer_layer_json(vp_record_writer *w, const vp_record_layer *layer);

#endif
