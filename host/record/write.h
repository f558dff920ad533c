/* SPDX-License-Identifier: MIT */
/* The writer of step records (include/voxphys/record.h). Complete blocks are written at once, so that the recording of
 * a program that was killed can be read up to the last one. */
#ifndef VP_HOST_RECORD_WRITE_H
#define VP_HOST_RECORD_WRITE_H

#include "host/record/format.h"

/* @param path  NULL = write into memory. The file is created with the first frame. Without a frame an old file stays
   @return VP_E_ARGUMENT for a text that is too long or isn't UTF-8, VP_E_IO, VP_E_MEMORY */
vp_status vp_record_writer_create(const char *path, const vp_record_about *about, vp_record_writer **out, vp_error *error);

/* Begins the recording of a command: its type is `command`, its title "voxphys COMMAND SOURCE". about: seconds and first frame. */
vp_status vp_record_of_command(const char *path, const char *command, const char *source, vp_record_about about, vp_record_writer **out,
                               vp_error *error);

/* The writer's recorder. It lives as long as the writer. */
const vp_recorder *vp_record_writer_recorder(vp_record_writer *writer);

/* Ends the file after the last complete frame. Always frees the writer.
   @param written  may be NULL
   @param bytes  out: the recording, if written into memory. Free bytes->at. NULL for a file
   @return the first failure since the writer was created */
vp_status vp_record_writer_close(vp_record_writer *writer, vp_record_written *written, vp_bytes *bytes, vp_error *error);

/* Frees the writer without ending the file, as after a crash. NULL is a no-op. */
void vp_record_writer_drop(vp_record_writer *writer);

/* Copies a shape's bytes from another recording. @return as vp_recorder.shape */
uint32_t vp_record_writer_copy_shape(vp_record_writer *writer, const uint8_t *bytes, size_t size);

#endif
