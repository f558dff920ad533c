/* SPDX-License-Identifier: MIT */
/* The writer's state, and functions shared by its files. */
#ifndef VP_HOST_RECORD_WRITER_H
#define VP_HOST_RECORD_WRITER_H

#include <stdio.h>

#include "host/record/format.h"

struct json_t;

/* An item. now_*: its current state. The others: its state in the previous frame, which the reader knows. */
typedef struct vp_written_item {
    int32_t position[3], step[3];
    int16_t turn[4], turn_step[4];
    uint32_t id, shape, state;
    int32_t now_position[3];
    int16_t now_turn[4];
    uint32_t now_shape, now_state;
    bool there, now_there; /* in the previous frame, and now */
    bool touched, values_changed;
} vp_written_item;

/* A growing array of numbers. */
typedef struct vp_numbers {
    uint32_t *at;
    uint32_t count;
    size_t room;
} vp_numbers;

typedef struct vp_written_layer {
    char name[VP_RECORD_NAME_BYTES];
    vp_record_kind kind;
    vp_record_draw draw;
    bool hold, placed;
    double scale;
    uint32_t columns, numbers, states, materials; /* numbers: count per row, before its columns */
    double column_scale[VP_RECORD_COLUMNS];
    /* items */
    uint32_t *slot; /* for each id its slot plus 1, 0 = none */
    uint32_t item_count;
    size_t slot_room, item_room, value_room;
    vp_written_item *item;
    double *values;            /* current values of each item */
    vp_numbers touched, moved; /* slots touched in this frame, and slots that moved in the previous one */
    /* arrays and texts, encoded */
    vp_bytes content;
    bool fresh;
    /* scalars */
    double scalar[VP_RECORD_COLUMNS];
    /* voxels: bricks of 4096 cells, by number */
    uint8_t **brick;
    uint32_t cells, bricks;
    vp_record_voxel *change;
    uint32_t change_count;
    size_t change_room;
} vp_written_layer;

struct vp_record_writer {
    vp_recorder recorder;
    vp_error failure;
    FILE *file; /* NULL = `memory` */
    vp_bytes memory;
    char *path;
    struct json_t *head, *layers; /* NULL after the first frame */
    bool begun;
    vp_written_layer layer[VP_RECORD_LAYERS];
    uint32_t layer_count;
    vp_bytes shapes, frames, frame, payload, index;
    uint32_t shape_count, shape_first, frame_count, block_first, first;
    size_t key_bytes; /* size of the block's first frame */
    vp_record_written written;
};

/* Sets the failure, unless there is one already. */
void vp_writer_fail(vp_record_writer *w, vp_status status, const char *format, ...) VP_PRINTF(3, 4);
bool vp_writer_sound(const vp_record_writer *w);

/* LEB128, zigzag LEB128, and 8 bytes. */
void vp_put_u(vp_bytes *to, uint64_t value);
void vp_put_s(vp_bytes *to, int64_t value);
void vp_put_f64(vp_bytes *to, double value);

/* Converts a number to whole steps. A failure names layer, `what` and value. */
int32_t vp_writer_steps(vp_record_writer *w, const vp_written_layer *l, const char *what, double value, double scale);

/* Checks that a number is finite. Fails otherwise. */
bool vp_writer_finite(vp_record_writer *w, const vp_written_layer *l, const char *what, double value);

/* Writes the next number of a column, as steps from the last one, or as an exact value if `scale` is 0. */
void vp_writer_next(vp_record_writer *w, const vp_written_layer *l, const char *what, double value, double scale, int64_t *last,
                    vp_bytes *to);

/* The layer with a number, if it has this kind. Otherwise fails and returns NULL. */
vp_written_layer *vp_writer_layer(vp_record_writer *w, uint32_t layer, vp_record_kind kind);

/* Callbacks of items and voxels, and the encoding of a layer's frame. `key` = all of its content. */
void vp_writer_item(void *user, uint32_t layer, const vp_record_item *item);
void vp_writer_remove(void *user, uint32_t layer, uint32_t id);
void vp_writer_voxels(void *user, uint32_t layer, const vp_record_voxel *changes, uint32_t count);
void vp_writer_put_items(vp_record_writer *w, vp_written_layer *l, bool key, vp_bytes *to);
void vp_writer_put_voxels(vp_record_writer *w, vp_written_layer *l, bool key, vp_bytes *to);
void vp_writer_drop_layer(vp_written_layer *l);

/* Checks a layer and makes its JSON for the header. @return NULL after a failure */
struct json_t *vp_writer_layer_json(vp_record_writer *w, const vp_record_layer *layer);

#endif
