/* SPDX-License-Identifier: MIT */
/* Reads step records (docs/FORMATS.md). A file that ends within a block is read up to its last whole one. Whatever is counted is compared
 * with the bytes that are there before memory is asked for. */
#ifndef VP_HOST_RECORD_READ_H
#define VP_HOST_RECORD_READ_H

#include "host/record/format.h"

/* Checks blocks, checksums, header and where shapes are. @param bytes  the whole file; they stay the caller's and must stay there
   @return VP_E_FORMAT with a sentence that doesn't name the file; VP_E_UNSUPPORTED for a compressed one without zlib; VP_E_MEMORY */
vp_status vp_record_open(const uint8_t *bytes, size_t size, vp_record **out, vp_error *error);
void vp_record_close(vp_record *record); /* NULL is left alone */

vp_record_info vp_record_info_of(const vp_record *record);

/* Goes to a frame, about.first to about.first + frames - 1. @return VP_E_FORMAT, VP_E_MEMORY; then another one may be gone to */
vp_status vp_record_seek(vp_record *record, uint32_t frame, vp_error *error);

/* A layer in the frame gone to; valid until the next one. @return VP_E_MEMORY */
vp_status vp_record_layer_now(vp_record *record, uint32_t layer, vp_record_now *out, vp_error *error);

/* The bytes of a shape. */
const uint8_t *vp_record_shape_bytes(const vp_record *record, uint32_t shape, size_t *size);

/* A shape, decoded; drop it. @return VP_E_FORMAT, VP_E_MEMORY */
vp_status vp_record_shape_read(const vp_record *record, uint32_t shape, vp_record_shape *out, vp_error *error);
void vp_record_shape_drop(vp_record_shape *shape);

/* Reads every shape and every frame. */
vp_status vp_record_check(vp_record *record, vp_error *error);

/* Writes frames low to high, and the layers of which `keep` is true, as a recording of their own. NULL: all.
   @return as the reader and the writer */
vp_status vp_record_cut(vp_record *record, uint32_t low, uint32_t high, const bool *keep, vp_bytes *out, vp_error *error);

#endif
