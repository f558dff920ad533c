/* SPDX-License-Identifier: MIT */
/* Writes step records (include/voxphys/record.h) into a file. Blocks go out as they are full: what a program that is ended leaves can
 * be read up to its last whole block. */
#ifndef VP_HOST_RECORD_WRITE_H
#define VP_HOST_RECORD_WRITE_H

#include "host/record/format.h"

/* @param path  NULL: into memory; else the file is made with the first frame, and without one what is there stays
   @return VP_E_ARGUMENT for a text that is too long or isn't UTF-8; VP_E_IO, VP_E_MEMORY */
vp_status vp_record_writer_create(const char *path, const vp_record_about *about, vp_record_writer **out, vp_error *error);

/* Who listens; it lasts as long as the writer. */
const vp_recorder *vp_record_writer_recorder(vp_record_writer *writer);

/* Ends the file after the last whole frame, and frees the writer, whatever is returned.
   @param written  may be NULL @param bytes  receives what was written into memory; free bytes->at; NULL for a file
   @return the first failure since it was created */
vp_status vp_record_writer_close(vp_record_writer *writer, vp_record_written *written, vp_bytes *bytes, vp_error *error);

/* Frees the writer without ending the file: it stays as a crash would leave it. NULL is left alone. */
void vp_record_writer_drop(vp_record_writer *writer);

/* Adds a shape as it stands in another recording. @return as vp_recorder.shape */
uint32_t vp_record_writer_copy_shape(vp_record_writer *writer, const uint8_t *bytes, size_t size);

#endif
