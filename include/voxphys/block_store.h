/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BLOCK_STORE_H
#define VOXPHYS_BLOCK_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/blocks.h>
#include <voxphys/geometry.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/world_file.h>

/** @file
 *  Block worlds larger than memory: loads or generates chunks near given points, and saves and forgets others. Files:
 *  docs/FORMATS.md, VPB. Guarantees: docs/CONTRACT.md, BLK-8 to BLK-10.
 *
 *      vp_block_store_create(&(vp_block_store_def){.folder = "world"}, &store, &error);
 *      vp_block_source source = vp_block_store_source(store, vp_block_planet_fill, &planet);
 *      vp_block_residency near = {.point = &player, .point_count = 1, .radius = 8, .budget = 256 << 20};
 *      vp_blocks_update_residency(blocks, &near, &source, &result, NULL, &error);
 *      vp_blocks_save(blocks, &source, NULL, &error);
 *      vp_block_store_destroy(store); */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_REGION_EDGE = 8, /**< In chunks. Chunk x is in region floor(x/8). */
    VP_REGION_CHUNKS = 512,
    VP_CODEC_NAME_BYTES = 8,
    VP_RESIDENT_POINTS = 1024,
    VP_RESIDENT_RADIUS = 64,          /**< In chunks. */
    VP_RESIDENT_MAX_CHUNKS = 1 << 22, /**< Maximum chunks that a call considers. */
    VP_RESIDENT_CHUNK_BYTES = 64      /**< Charged besides its blocks. */
};

/** Compression of chunks. NULL = "raw", without compression. */
typedef struct vp_block_codec {
    char name[VP_CODEC_NAME_BYTES]; /**< 1 to 7 letters or digits, then zeros. */
    void *user;
    /** Compresses a chunk. @return bytes written, at most `capacity`. 0 = does not fit, the chunk is then stored raw */
    size_t (*encode)(void *user, const uint8_t *raw, size_t bytes, uint8_t *out, size_t capacity);
    /** Decompresses exactly `raw_bytes`. @return false if the coded bytes are invalid */
    bool (*decode)(void *user, const uint8_t *coded, size_t bytes, uint8_t *raw, size_t raw_bytes);
} vp_block_codec;

/** Chunk to save. */
typedef struct vp_block_saved {
    vp_ivec3 chunk;
    vp_block_cells cells;
} vp_block_saved;

/** Writes a region file of chunks, or replaces chunks of an old file. Other chunks are copied.
 *  @param old    [old_size]. NULL = none
 *  @param chunk  chunks of this region [count]. The last of equal ones counts
 *  @return VP_E_ARGUMENT for a region beyond VP_BLOCKS_REACH or a chunk outside the region
 *          VP_E_FORMAT for an old file that is damaged, or of another region or codec */
VP_API vp_status vp_block_region_write(const void *old, size_t old_size, vp_ivec3 region, const vp_block_saved *chunk, size_t count,
                                       const vp_block_codec *codec, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Reads one chunk of a region file. Checks the header and this chunk.
 *  @param cell  [VP_BLOCK_CELLS]. Unspecified if not found or after an error
 *  @return VP_E_ARGUMENT for a chunk of another region
 *          VP_E_FORMAT for another codec or a damaged file */
VP_API vp_status vp_block_region_read(const void *bytes, size_t size, vp_ivec3 chunk, const vp_block_codec *codec,
                                      const vp_allocator *allocator, vp_block *cell, bool *found, vp_error *error);

/** File access of a store. */
typedef struct vp_block_files {
    void *user;
    /** Reads a whole file into memory of the allocator. `out` stays all zero if there is no such file. */
    vp_status (*read)(void *user, const char *name, const vp_allocator *allocator, vp_blob *out, vp_error *error);
    /** Replaces a file. After any failure the old or the new file exists. */
    vp_status (*replace)(void *user, const char *name, const uint8_t *bytes, size_t size, vp_error *error);
} vp_block_files;

/** Store of regions, for one thread at a time. Keeps the last region in memory, so nothing else may write its files. */
typedef struct vp_block_store vp_block_store;

/** Store settings. */
typedef struct vp_block_store_def {
    const char *folder;          /**< Existing folder of files x.y.z.vpb, copied. At most 4000 bytes. */
    const vp_block_files *files; /**< Replaces `folder`, which can then be NULL. */
    const vp_block_codec *codec;
    const vp_allocator *allocator;
} vp_block_store_def;

/** Opens a store. Reads no file.
 *  @return VP_E_ARGUMENT without a folder or files */
VP_API vp_status vp_block_store_create(const vp_block_store_def *def, vp_block_store **out, vp_error *error);
/** Closes a store. */
VP_API void vp_block_store_destroy(vp_block_store *store);
/** Reads a chunk. Errors of vp_block_region_read and of the file. */
VP_API vp_status vp_block_store_load(vp_block_store *store, vp_ivec3 chunk, vp_block *cell, bool *found, vp_error *error);
/** Writes chunks, file by file. Damaged files are not replaced.
 *  @return VP_E_ARGUMENT for a chunk beyond VP_BLOCKS_REACH
 *          Errors of vp_block_region_write and of the files. Each file is then old or new */
VP_API vp_status vp_block_store_save(vp_block_store *store, const vp_block_saved *chunk, size_t count, vp_error *error);

/** Origin and destination of chunks. */
typedef struct vp_block_source {
    void *user;
    /** Loads a chunk, like vp_block_store_load. NULL = none is found. */
    vp_status (*load)(void *user, vp_ivec3 chunk, vp_block *cell, bool *found, vp_error *error);
    /** Saves chunks, like vp_block_store_save. NULL = edited chunks are never forgotten. */
    vp_status (*save)(void *user, const vp_block_saved *chunk, size_t count, vp_error *error);
    vp_block_fill_fn *fill; /**< For chunks that are not found. NULL = empty. */
    const void *maker;      /**< First argument of `fill`. */
} vp_block_source;

/** Returns a source of a store. */
VP_API vp_block_source vp_block_store_source(vp_block_store *store, vp_block_fill_fn *fill, const void *maker);

/** Wanted chunks. */
typedef struct vp_block_residency {
    const vp_vec3 *point; /**< Such as players, in blocks. [point_count] */
    uint32_t point_count; /**< At most VP_RESIDENT_POINTS. */
    uint32_t radius;      /**< Maximum Euclidean distance of a wanted chunk from a point's chunk, in chunks. */
    uint32_t max_chunks;  /**< Maximum chunks to load or generate in a call. 0 = unlimited. */
    uint64_t budget;      /**< Bytes of blocks, and VP_RESIDENT_CHUNK_BYTES a chunk. */
} vp_block_residency;

/** Result of vp_blocks_update_residency. */
typedef struct vp_block_residency_result {
    uint32_t loaded;
    uint32_t generated;
    uint32_t saved;
    uint32_t forgotten;
    uint32_t missing; /**< Wanted chunks that are absent because of `max_chunks` or the budget. */
    uint64_t bytes;   /**< As in the budget. */
} vp_block_residency_result;

/** Loads or generates wanted chunks, nearest first, and forgets unwanted ones beyond the budget, farthest first (BLK-10). For one thread at
 *  a time, while others read and edit. Edit only loaded chunks: an edit of an absent one creates it with all other blocks empty, so it is
 *  never loaded or generated.
 *  @param changes  receives the chunks that came and went, with VP_BLOCK_STALE_ALL, if not NULL
 *  @return VP_E_ARGUMENT for too many chunks, or a point beyond VP_BLOCKS_REACH
 *          Errors of the source. `out` and `changes` report the work done, also after an error */
VP_API vp_status vp_blocks_update_residency(vp_blocks *blocks, const vp_block_residency *residency, const vp_block_source *source,
                                            vp_block_residency_result *out, vp_block_changes *changes, vp_error *error);

/** Saves all chunks edited since they were loaded or saved. `saved` can be NULL.
 *  @return VP_E_ARGUMENT for a source without `save`
 *          Errors of `save`. All chunks then still count as edited */
VP_API vp_status vp_blocks_save(vp_blocks *blocks, const vp_block_source *source, uint32_t *saved, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
