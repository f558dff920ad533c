/* SPDX-License-Identifier: MIT */
/* What writer and reader of step records share (docs/FORMATS.md, "Step records"). */
#ifndef VP_HOST_RECORD_FORMAT_H
#define VP_HOST_RECORD_FORMAT_H

#include <voxphys/record.h>

#include "host/bytes.h"

#define VP_RECORD_MAGIC  "\x89VPR\r\n\x1a\n"
#define VP_RECORD_ENDING "VPR\n"
#define VP_RECORD_FORMAT "voxphys-record"

enum {
    VP_RECORD_MAGIC_BYTES = 8,
    VP_RECORD_HEAD_BYTES = 24,  /* of a block: kind, first, count, raw bytes, stored bytes, CRC-32 */
    VP_RECORD_ENTRY_BYTES = 28, /* of the index: the first 20 bytes of a head, and the block's place */
    VP_RECORD_END_BYTES = 12,
    VP_RECORD_VERSION = 1,
    VP_RECORD_MOST_RAW = 1 << 30, /* bytes of a block before compression */
    VP_RECORD_MOST_RATIO = 1032,  /* deflate can't do better */
    VP_RECORD_TURN = 32767        /* steps of 1 in a quaternion */
};

/* Kinds of blocks. Readers pass over others. */
enum { VP_RECORD_BLOCK_HEADER = 'H', VP_RECORD_BLOCK_SHAPES = 'S', VP_RECORD_BLOCK_FRAMES = 'F', VP_RECORD_BLOCK_INDEX = 'I' };

/* Whether blocks can be compressed and compressed ones be read: this build has zlib. */
bool vp_record_zlib_here(void);

/* Appends the raw deflate form of some bytes, if there is zlib and it is shorter; else the bytes. @return false without memory */
bool vp_record_pack(const uint8_t *raw, size_t size, vp_bytes *out);

/* The bytes that a block had. @param raw  room for `size` of them
   @return VP_E_FORMAT, VP_E_UNSUPPORTED without zlib, VP_E_MEMORY; the message doesn't name the file */
vp_status vp_record_unpack(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error);

/* What is said of a recording as a whole. */
typedef struct vp_record_about {
    const char *type;    /* what was recorded: "decompose", "grow": the page may have a panel for it */
    const char *title;   /* a line for people */
    const char *command; /* how it was made, or NULL */
    double seconds;      /* a frame, of what is simulated; 0: steps alone */
    uint32_t first;      /* number of the first frame */
} vp_record_about;

/* ---- written ---- */

typedef struct vp_record_writer vp_record_writer;

/* What was written. */
typedef struct vp_record_written {
    uint32_t frames, shapes;
    uint64_t bytes;       /* of the file */
    uint64_t shape_bytes; /* of its blocks of shapes */
    uint64_t frame_bytes; /* of its blocks of frames */
} vp_record_written;

/* ---- read ---- */

typedef struct vp_record vp_record;

/* A recording as a whole. */
typedef struct vp_record_info {
    vp_record_about about; /* lives as long as the recording, as all that is pointed to here */
    const vp_record_layer *layers;
    uint32_t layer_count, shapes, frames, blocks;
    uint64_t bytes; /* of the file, up to the last whole block */
    bool cut;       /* it was not ended: what is whole was read */
} vp_record_info;

/* What a layer has in a frame. */
typedef struct vp_record_now {
    uint32_t count;
    const vp_record_item *items; /* by ascending id */
    const double *rows;
    const vp_record_text *texts;
    const double *scalars;
    const vp_record_voxel *voxels; /* cells that are not 0, ascending */
} vp_record_now;

#endif
