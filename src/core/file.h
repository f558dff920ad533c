/* SPDX-License-Identifier: MIT */
/* Whole files in and out. */
#ifndef VP_CORE_FILE_H
#define VP_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/memory.h>
#include <voxphys/status.h>

/* Reads a regular file. An empty one gives *bytes NULL.
   limit  the largest size that is read; VP_E_FORMAT for a larger file
   bytes  receives memory from the allocator: give it back with vp_release(allocator, *bytes, *size, 1) */
vp_status vp_file_read(const char *path, uint64_t limit, const vp_allocator *allocator, uint8_t **bytes, size_t *size, vp_error *error);

/* Says from the first bytes of a file and its size whether the rest is worth reading; the message need not name it.
   size  of start: all of the file if that is shorter than what was asked for */
typedef vp_status vp_file_check(const uint8_t *start, size_t size, uint64_t file_size, vp_error *error);

/* As vp_file_read, but memory is asked for only when `check` has agreed to the first bytes, of which there are at most
   VP_FILE_START_BYTES; its failure is returned as it is. */
enum { VP_FILE_START_BYTES = 64 };
vp_status vp_file_read_checked(const char *path, size_t start_bytes, vp_file_check *check, const vp_allocator *allocator, uint8_t **bytes,
                               size_t *size, vp_error *error);

/* Reads the first bytes of a regular file, at most `capacity`. */
vp_status vp_file_read_start(const char *path, uint8_t *bytes, size_t capacity, size_t *size, vp_error *error);

/* The size of a regular file. For what opens files by itself: it may wait for ever at a pipe, which this refuses. */
vp_status vp_file_size(const char *path, uint64_t *size, vp_error *error);

/* Whether nothing of that name is there: of what can't be told it is false. */
bool vp_file_is_missing(const char *path);

/* Puts a new file in the place of `path`, which may exist and then must be a regular file, or a symbolic link to one:
   the bytes are written beside it, synchronised, and renamed. On failure the old file is as it was and nothing new is
   left. Its permissions stay. Where the file system has files without a name, as Linux' common ones, the new one gets its
   own when it is whole: a program that is ended meanwhile leaves nothing. */
vp_status vp_file_replace(const char *path, const uint8_t *bytes, size_t size, vp_error *error);

/* The same for at most VP_NEW_FILES that belong together, of different paths: none takes its place before all are
   written. */
enum { VP_NEW_FILES = 2 };
typedef struct vp_new_file {
    const char *path;
    const uint8_t *bytes;
    size_t size;
} vp_new_file;
vp_status vp_file_replace_all(const vp_new_file *files, size_t count, vp_error *error);

#endif
