/* SPDX-License-Identifier: MIT */
/* Constants and types of step records, shared by writer and reader (docs/FORMATS.md, "Step records"). */
#ifndef VP_HOST_RECORD_FORMAT_H
#define VP_HOST_RECORD_FORMAT_H

#include <voxphys/record.h>

#include "host/bytes.h"

#define VP_RECORD_MAGIC  "\x89VPR\r\n\x1a\n"
#define VP_RECORD_ENDING "VPR\n"
#define VP_RECORD_FORMAT "voxphys-record"

enum {
    VP_RECORD_MAGIC_BYTES = 8,
    VP_RECORD_HEAD_BYTES = 24,  /* a block's kind, first, count, raw bytes, stored bytes, CRC-32 */
    VP_RECORD_ENTRY_BYTES = 28, /* an entry of the index: the first 20 bytes of a head, and the block's offset */
    VP_RECORD_END_BYTES = 12,
    VP_RECORD_VERSION = 1,
    VP_RECORD_MOST_RAW = 1 << 30, /* bytes of a block before compression */
    VP_RECORD_MOST_RATIO = 1032,  /* deflate's limit */
    VP_RECORD_TURN = 32767        /* steps per unit of a quaternion */
};

/* Kinds of blocks. Readers skip other kinds. */
enum { VP_RECORD_BLOCK_HEADER = 'H', VP_RECORD_BLOCK_SHAPES = 'S', VP_RECORD_BLOCK_FRAMES = 'F', VP_RECORD_BLOCK_INDEX = 'I' };

/* Whether this build has zlib, to write and read compressed blocks. */
bool vp_record_zlib_here(void);

/* Appends the raw deflate form of bytes. Without zlib, or if that is not shorter, appends the bytes. @return false if out of memory */
bool vp_record_pack(const uint8_t *raw, size_t size, vp_bytes *out);

/* Unpacks a block. @param raw  out: [size]
   @return VP_E_FORMAT, VP_E_UNSUPPORTED without zlib, VP_E_MEMORY. The message doesn't name the file */
vp_status vp_record_unpack(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error);

/* Description of a recording. */
typedef struct vp_record_about {
    const char *type;    /* kind of recording, for example "decompose" or "grow". The page may have a panel for it */
    const char *title;   /* one line for display */
    const char *command; /* command that made it, or NULL */
    double seconds;      /* simulated seconds per frame. 0 = frames are steps */
    uint32_t first;      /* number of the first frame */
} vp_record_about;

/* ---- written ---- */

typedef struct vp_record_writer vp_record_writer;

/* Counts of a finished recording. */
typedef struct vp_record_written {
    uint32_t frames, shapes;
    uint64_t bytes;       /* file */
    uint64_t shape_bytes; /* blocks of shapes */
    uint64_t frame_bytes; /* blocks of frames */
} vp_record_written;

/* ---- read ---- */

typedef struct vp_record vp_record;

/* Counts and layers of an open recording. */
typedef struct vp_record_info {
    vp_record_about about; /* it and all pointers here live as long as the recording */
    const vp_record_layer *layers;
    uint32_t layer_count, shapes, frames, blocks;
    uint64_t bytes; /* file, up to the last complete block */
    bool cut;       /* the file has no end, only its complete blocks were read */
} vp_record_info;

/* Content of a layer in a frame. */
typedef struct vp_record_now {
    uint32_t count;
    const vp_record_item *items; /* ascending by id */
    const double *rows;
    const vp_record_text *texts;
    const double *scalars;
    const vp_record_voxel *voxels; /* cells other than 0, ascending */
} vp_record_now;

#endif
