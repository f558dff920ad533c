/* SPDX-License-Identifier: MIT */
/* The reader's state, and functions shared by its files. */
#ifndef VP_HOST_RECORD_READER_H
#define VP_HOST_RECORD_READER_H

#include "host/record/header.h"

/* A cursor over bytes. `failed` is set if they end early or are invalid. */
typedef struct vp_cursor {
    const uint8_t *at, *end;
    bool failed;
} vp_cursor;

uint64_t vp_get_u(vp_cursor *c);
double vp_get_f64(vp_cursor *c);
uint8_t vp_get_byte(vp_cursor *c);
/* Reads a count of elements of at least `bytes_each` bytes. */
uint32_t vp_get_count(vp_cursor *c, size_t bytes_each);
/* Adds a delta to *last. Fails if the sum is not a signed 32-bit integer. */
int32_t vp_get_next(vp_cursor *c, int64_t *last);

typedef struct vp_read_item {
    uint32_t id, shape, state;
    uint32_t moved; /* frame after the last one with a movement. In that frame the item may repeat it */
    int32_t position[3], step[3];
    int16_t turn[4], turn_step[4];
} vp_read_item;

typedef struct vp_read_layer {
    vp_read_item *item;
    double *values; /* items, rows, or scalars */
    vp_record_text *texts;
    char *letters; /* letters of texts */
    vp_record_voxel *voxels;
    uint32_t count;
    vp_record_item *shown;
    size_t shown_room;
} vp_read_layer;

typedef struct vp_read_block {
    uint32_t kind, first, count, raw, stored;
    size_t at;      /* offset of the stored bytes */
    uint8_t *bytes; /* shapes only: unpacked bytes */
} vp_read_block;

typedef struct vp_read_shape {
    const uint8_t *at;
    size_t size;
} vp_read_shape;

struct vp_record {
    const uint8_t *bytes;
    size_t size;
    struct json_t *root;
    vp_record_info info;
    vp_record_layer layers[VP_RECORD_LAYERS];
    vp_read_layer now[VP_RECORD_LAYERS];
    vp_read_block *block;
    vp_read_shape *shape;
    uint32_t block_count, shape_count;
    size_t block_room, shape_room;
    /* position */
    uint8_t *open;             /* unpacked block of frames */
    uint32_t open_block, next; /* next: frame at `cursor` */
    vp_cursor cursor;
};

/* Reads a layer's bytes of a frame. @return false if they are invalid, or *memory if out of memory */
bool vp_read_layer_bytes(vp_record *r, uint32_t layer, vp_cursor *c, bool *memory);
/* Clears all layers, as before the first frame of a block, and frees their memory. */
void vp_read_layers_clear(vp_record *r);

#endif
