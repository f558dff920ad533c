/* SPDX-License-Identifier: MIT */
/* Reads and writes whole files. */
#ifndef VP_CORE_FILE_H
#define VP_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/memory.h>
#include <voxphys/status.h>

/* Reads a regular file. *bytes is NULL for an empty file.
   limit  the largest size that is read; VP_E_FORMAT for a larger file
   bytes  receives memory from the allocator; release it with vp_release(allocator, *bytes, *size, 1) */
vp_status vp_file_read(const char *path, uint64_t limit, const vp_allocator *allocator, uint8_t **bytes, size_t *size, vp_error *error);

/* Decides from the first bytes of a file and its size whether the rest is worth reading. The message need not name it.
   size  of start; less than requested if the file is shorter */
typedef vp_status vp_file_check(const uint8_t *start, size_t size, uint64_t file_size, vp_error *error);

/* Like vp_file_read, but allocates memory only after `check` has accepted the first bytes, at most VP_FILE_START_BYTES.
   A failure of `check` is returned unchanged. */
enum { VP_FILE_START_BYTES = 64 };
vp_status vp_file_read_checked(const char *path, size_t start_bytes, vp_file_check *check, const vp_allocator *allocator, uint8_t **bytes,
                               size_t *size, vp_error *error);

/* Reads the first bytes of a regular file, at most `capacity`. */
vp_status vp_file_read_start(const char *path, uint8_t *bytes, size_t capacity, size_t *size, vp_error *error);

/* The size of a regular file. Call it before code that opens files by itself, which could wait for ever at a pipe. This
   function rejects pipes. */
vp_status vp_file_size(const char *path, uint64_t *size, vp_error *error);

/* Whether no file of that name exists. False if that cannot be determined. */
bool vp_file_is_missing(const char *path);

/* Replaces the file at `path`. It may be absent. If it exists, it must be a regular file, or a symbolic link to one.
   The bytes are written to a temporary file in the same folder, synchronised, and renamed. On failure the old file is
   unchanged and no new one is left. Its permissions are kept. On file systems with unnamed files, like Linux' common
   ones, the new one gets its name when it is complete. A program that is killed before that leaves nothing. */
vp_status vp_file_replace(const char *path, const uint8_t *bytes, size_t size, vp_error *error);

/* The same for at most VP_NEW_FILES that belong together, with different paths. None is replaced before
   all are written. */
enum { VP_NEW_FILES = 2 };
typedef struct vp_new_file {
    const char *path;
    const uint8_t *bytes;
    size_t size;
} vp_new_file;
vp_status vp_file_replace_all(const vp_new_file *files, size_t count, vp_error *error);

#endif
