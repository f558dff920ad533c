/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_WORLD_FILE_H
#define VOXPHYS_WORLD_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/world.h>

/** @file world_file.h
 *  Worlds as files: the format VPW, described byte by byte in docs/FORMATS.md. Versioned, checksummed, the same bytes on
 *  every machine. A file that is damaged, truncated or made to do harm is refused with a message, whatever it says. */

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes in memory from an allocator. */
typedef struct vp_blob {
    uint8_t *bytes;         /**< The content. */
    size_t size;            /**< Bytes of content. */
    size_t capacity;        /**< Bytes allocated. */
    vp_allocator allocator; /**< Where they come from. */
} vp_blob;

/** Frees a blob; one that is all zero bytes is left alone. */
VP_API void vp_blob_destroy(vp_blob *blob);

/** Writes a world into memory. The same world and note give the same bytes, always. O(voxels).
 *  @param note       UTF-8 text kept with the world: where it comes from, what its materials are called. NULL: none;
 *                    "" is the same as none.
 *  @param allocator  NULL: C's own.
 *  @return VP_E_ARGUMENT for a note of 1 MiB or more or one that is not UTF-8, VP_E_MEMORY. */
VP_API vp_status vp_world_encode(const vp_world *world, const char *note, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Reads a world from memory. Everything is checked before memory is asked for, so bytes that are refused cost none;
 *  others cost two bytes a voxel, of at most 26,215 voxels for each byte of the file, and the note if it is asked for.
 *  @param note  if not NULL, receives the note ("" if there is none), with a terminating zero that is not counted in
 *               its size
 *  @return VP_E_FORMAT with a message that says what is wrong and at which byte, VP_E_MEMORY. */
VP_API vp_status vp_world_decode(const void *bytes, size_t size, const vp_allocator *allocator, vp_world **out, vp_blob *note,
                                 vp_error *error);

/** Writes a world to a file: first to a new file beside it, synchronised to the disk and then renamed, so that at
 *  every moment the path holds the whole old file or the whole new one. An old file's permissions stay; one that the
 *  caller may not write is not replaced; a link is followed, to a file that must be there. Needs POSIX or Windows, where
 *  the path is UTF-8 and a file that somebody has open may be one that cannot be replaced. Allocates by C's own functions.
 *  @return as vp_world_encode; VP_E_IO, also for an empty path, one at which there is something else than a regular
 *          file or a file that is protected, and a link that leads to nothing. */
VP_API vp_status vp_world_save(const vp_world *world, const char *note, const char *path, vp_error *error);

/** Reads a world from a file of at most 4 GiB. Its header is read and checked first, and that the file has the size that
 *  the header says: up to here a refusal costs no memory. Then the whole file is read into memory, which is given back
 *  at the end, and decoded as by vp_world_decode: a file with a sound header and damaged content costs the memory of its
 *  bytes, one that is accepted those and the world.
 *  @return as vp_world_decode, with a message that does not name the file; VP_E_IO, with one that does. */
VP_API vp_status vp_world_load(const char *path, const vp_allocator *allocator, vp_world **out, vp_blob *note, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
