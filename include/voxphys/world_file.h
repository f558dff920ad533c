/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_WORLD_FILE_H
#define VOXPHYS_WORLD_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/world.h>

/** @file
 *  Worlds as files or bytes, with checksums. Format VPW: docs/FORMATS.md.
 *
 *      vp_world_save(world, "materials: 2 rock", "hills.vpw", &error);
 *      vp_world_load("hills.vpw", NULL, &world, NULL, &error);
 *
 *  Damaged files are refused (VP_E_FORMAT). */

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes in memory. */
typedef struct vp_blob {
    uint8_t *bytes; /**< [capacity] */
    size_t size;
    size_t capacity;
    vp_allocator allocator;
} vp_blob;

/** Frees a blob. */
VP_API void vp_blob_destroy(vp_blob *blob);

/** Encodes a world. Equal worlds and notes give equal bytes. `note` is UTF-8, or NULL.
 *  @return VP_E_ARGUMENT for a note of 1 MiB or more, or not in UTF-8 */
VP_API vp_status vp_world_encode(const vp_world *world, const char *note, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Decodes a world. Checks everything before it allocates two bytes a voxel. Check the size first, because
 *  a small file can decode to a world of the maximum size.
 *  @param note  with a zero that its size does not count. Can be NULL */
VP_API vp_status vp_world_decode(const void *bytes, size_t size, const vp_allocator *allocator, vp_world **out, vp_blob *note,
                                 vp_error *error);

/** Saves a world. At every moment the path holds the whole old or new file (docs/kernels/terrain.md).
 *  @return errors of vp_world_encode
 *          VP_E_IO, also for a protected or special file, or a dangling link */
VP_API vp_status vp_world_save(const vp_world *world, const char *note, const char *path, vp_error *error);

/** Loads a world from a file of at most 4 GiB. Checks its header before it allocates.
 *  @return errors of vp_world_decode
 *          VP_E_IO */
VP_API vp_status vp_world_load(const char *path, const vp_allocator *allocator, vp_world **out, vp_blob *note, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
