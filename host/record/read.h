/* SPDX-License-Identifier: MIT */
/* The reader of step records (docs/FORMATS.md). A file that ends within a block is read up to its last complete block.
 * Counts are compared with the remaining bytes before memory is allocated. */
#ifndef VP_HOST_RECORD_READ_H
#define VP_HOST_RECORD_READ_H

#include "host/record/format.h"

/* Checks blocks, checksums and header, and finds the shapes.
   @param bytes  the whole file, owned by the caller. It must outlive the record
   @return VP_E_FORMAT with a message that doesn't name the file, VP_E_UNSUPPORTED for a compressed file without zlib, VP_E_MEMORY */
vp_status vp_record_open(const uint8_t *bytes, size_t size, vp_record **out, vp_error *error);
void vp_record_close(vp_record *record); /* NULL is a no-op */

vp_record_info vp_record_info_of(const vp_record *record);

/* Goes to a frame, about.first to about.first + frames - 1.
 * @return VP_E_FORMAT, VP_E_MEMORY. Other frames can still be read then */
vp_status vp_record_seek(vp_record *record, uint32_t frame, vp_error *error);

/* A layer in the current frame. Valid until the next vp_record_seek. @return VP_E_MEMORY */
vp_status vp_record_layer_now(vp_record *record, uint32_t layer, vp_record_now *out, vp_error *error);

const uint8_t *vp_record_shape_bytes(const vp_record *record, uint32_t shape, size_t *size);

/* Decodes a shape. Free it with vp_record_shape_drop. @return VP_E_FORMAT, VP_E_MEMORY */
vp_status vp_record_shape_read(const vp_record *record, uint32_t shape, vp_record_shape *out, vp_error *error);
void vp_record_shape_drop(vp_record_shape *shape);

/* Reads every shape and every frame. */
vp_status vp_record_check(vp_record *record, vp_error *error);

/* Writes frames low to high as a recording of their own. @param keep  whether to keep each layer, NULL = all
   @return errors of the reader and the writer */
vp_status vp_record_cut(vp_record *record, uint32_t low, uint32_t high, const bool *keep, vp_bytes *out, vp_error *error);

#endif
