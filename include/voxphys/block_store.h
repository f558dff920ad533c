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

/** @file block_store.h
 *  Block worlds larger than memory: chunks near given points are loaded or generated, others saved and forgotten (third article, "Diviser
 *  pour mieux régner"). On the disk 8 x 8 x 8 chunks are a file, the format VPB of docs/FORMATS.md. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_REGION_EDGE = 8,     /**< Chunks along a region's edge. Chunk (x, y, z) is of region (floor(x/8), floor(y/8), floor(z/8)). */
    VP_REGION_CHUNKS = 512, /**< Chunks of a region. */
    VP_CODEC_NAME_BYTES = 8,
    VP_RESIDENT_POINTS = 1024,        /**< Points of one call. */
    VP_RESIDENT_RADIUS = 64,          /**< The largest radius, in chunks. */
    VP_RESIDENT_MAX_CHUNKS = 1 << 22, /**< Chunks that a call may look at. */
    VP_RESIDENT_CHUNK_BYTES = 64      /**< What a chunk counts besides its blocks. */
};

/* ---- region files ---- */

/** How blocks of a chunk are made smaller. The core has none: NULL is "raw". */
typedef struct vp_block_codec {
    char name[VP_CODEC_NAME_BYTES]; /**< As files have it: 1 to 7 letters or digits, then zeros. */
    void *user;                     /**< Passed back. */
    /** @return how many bytes were written to `out`, at most `room`; 0 if it does not fit: then the chunk is stored as it is */
    size_t (*encode)(void *user, const uint8_t *raw, size_t bytes, uint8_t *out, size_t room);
    /** Writes exactly `raw_bytes`. @return false if the coded bytes are not that */
    bool (*decode)(void *user, const uint8_t *coded, size_t bytes, uint8_t *raw, size_t raw_bytes);
} vp_block_codec;

/** A chunk to be saved. */
typedef struct vp_block_saved {
    vp_ivec3 chunk;       /**< Its index. */
    vp_block_cells cells; /**< Its blocks. */
} vp_block_saved;

/** Makes a region's file: of an old one in which some chunks are replaced, or of these alone. Chunks that stay are copied as they are,
 *  after their checksums. The same chunks give the same bytes. O(blocks of these chunks + bytes).
 *  @param old        of `old_size` bytes; NULL: there is none
 *  @param chunk      `count`, all of that region; of several alike the last counts
 *  @param codec      NULL: "raw"
 *  @param allocator  NULL: C's own
 *  @return VP_E_ARGUMENT for a region beyond VP_BLOCKS_REACH, a chunk of another one or of a width that vp_blocks_set_chunk refuses, a
 * codec without a proper name; VP_E_FORMAT for an old file that is damaged, of another region or by another codec; VP_E_MEMORY */
VP_API vp_status vp_block_region_write(const void *old, size_t old_size, vp_ivec3 region, const vp_block_saved *chunk, size_t count,
                                       const vp_block_codec *codec, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Reads a chunk of a region's file. The whole head is checked, and of chunks this one. O(blocks of a chunk).
 *  @param codec  NULL: "raw"
 *  @param cell   VP_BLOCK_CELLS of them; what they are if nothing is found, or after a failure, is not said
 *  @param found  whether the file has it
 *  @return VP_E_ARGUMENT for a chunk of another region than the file; VP_E_FORMAT, with the byte, for what is damaged, cut or made to do
 *          harm; for another codec; VP_E_MEMORY */
VP_API vp_status vp_block_region_read(const void *bytes, size_t size, vp_ivec3 chunk, const vp_block_codec *codec,
                                      const vp_allocator *allocator, vp_block *cell, bool *found, vp_error *error);

/* ---- a folder of regions ---- */

/** Where a store's files are. */
typedef struct vp_block_files {
    void *user; /**< Passed back. */
    /** Reads a whole file, by the allocator; `out` stays all zero bytes if there is none of that name. */
    vp_status (*read)(void *user, const char *name, const vp_allocator *allocator, vp_blob *out, vp_error *error);
    /** Puts a file in place of what is there: after it there is the old one or the new one, whatever happens. */
    vp_status (*replace)(void *user, const char *name, const uint8_t *bytes, size_t size, vp_error *error);
} vp_block_files;

/** Regions, and the one that was used last in memory: nobody else may write these files meanwhile. For one thread at a time. */
typedef struct vp_block_store vp_block_store;

/** What a store is to be. */
typedef struct vp_block_store_def {
    const char *folder; /**< It must be there when files are asked for. Files are called x.y.z.vpb, after their regions, and are replaced as
                           by vp_world_save. Copied. */
    const vp_block_files *files;   /**< Instead of a folder; then `folder` may be NULL. */
    const vp_block_codec *codec;   /**< NULL: "raw". */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_block_store_def;

/** Makes a store; no file is looked at. @return VP_E_ARGUMENT without a folder or files, or for one of more than 4000 bytes; VP_E_MEMORY */
VP_API vp_status vp_block_store_create(const vp_block_store_def *def, vp_block_store **out, vp_error *error);
/** Frees it; NULL is left alone. */
VP_API void vp_block_store_destroy(vp_block_store *store);
/** Reads a chunk: see vp_block_region_read. @return what that returns, and what reading the file does */
VP_API vp_status vp_block_store_load(vp_block_store *store, vp_ivec3 chunk, vp_block *cell, bool *found, vp_error *error);
/** Writes chunks, a file after the other. O(bytes of the files).
 *  @return after a failure each file is the old one or the new one; VP_E_ARGUMENT for a chunk beyond VP_BLOCKS_REACH; what
 *          vp_block_region_write and the files return: one that is damaged is not replaced */
VP_API vp_status vp_block_store_save(vp_block_store *store, const vp_block_saved *chunk, size_t count, vp_error *error);

/* ---- residency ---- */

/** Where chunks come from, and where they go. */
typedef struct vp_block_source {
    void *user; /**< Passed back to `load` and `save`. */
    /** NULL: there are none. As vp_block_store_load, whose first argument is `user`. */
    vp_status (*load)(void *user, vp_ivec3 chunk, vp_block *cell, bool *found, vp_error *error);
    /** NULL: edited chunks are never forgotten. As vp_block_store_save. */
    vp_status (*save)(void *user, const vp_block_saved *chunk, size_t count, vp_error *error);
    vp_block_fill_fn *fill; /**< Makes those that aren't found; NULL: they are nothing. */
    const void *maker;      /**< Its first argument. */
} vp_block_source;

/** A source of a store: `fill` and `maker` are the caller's. */
VP_API vp_block_source vp_block_store_source(vp_block_store *store, vp_block_fill_fn *fill, const void *maker);

/** Which chunks are to be there. */
typedef struct vp_block_residency {
    const vp_vec3 *point; /**< Places of players, in blocks. */
    uint32_t point_count; /**< At most VP_RESIDENT_POINTS. */
    uint32_t radius;      /**< Chunks whose index is at most so far from that of a point's chunk, by Euclid, are wanted. */
    uint32_t most;        /**< How many are loaded or made in one call; 0: all. */
    uint64_t budget;      /**< Bytes: of blocks, and VP_RESIDENT_CHUNK_BYTES a chunk. */
} vp_block_residency;

/** What became of it. */
typedef struct vp_block_residency_result {
    uint32_t loaded;    /**< Chunks that were found. */
    uint32_t made;      /**< That were not. */
    uint32_t saved;     /**< That had been edited. */
    uint32_t forgotten; /**< That were idle. */
    uint32_t missing;   /**< That are wanted, and are not there: for `most`, or for the budget. */
    uint64_t bytes;     /**< Of all that are there, as the budget counts. */
} vp_block_residency_result;

/** Brings chunks in, the nearest first, then those of lower index. If there are more bytes than the budget, idle chunks go, those that are
 *  farthest from all points first: what was edited since it came is saved before. What is wanted does not go: if there is no room for
 *  all of it, the farthest do not come. An edit of an absent chunk makes it of nothing, and then it
 *  counts as there: edit what is. For one thread at a time; others may read and edit meanwhile, and what they edit stays.
 *  @param changes  if not NULL, receives the chunks that came and went, all seen by all 26
 *  @return VP_E_ARGUMENT for too many points, a radius above VP_RESIDENT_RADIUS, a point that is not finite or beyond VP_BLOCKS_REACH, more
 *          chunks than VP_RESIDENT_MAX_CHUNKS; VP_E_MEMORY; what the source returns. After a failure `out` and `changes` tell what has been
 * done, which may be nothing; no edited chunk is forgotten that was not saved. */
VP_API vp_status vp_blocks_update_residency(vp_blocks *blocks, const vp_block_residency *residency, const vp_block_source *source,
                                            vp_block_residency_result *out, vp_block_changes *changes, vp_error *error);

/** Saves all chunks that were edited since they came or were saved, and forgets none: before a program ends.
 *  @param saved  receives how many; may be NULL
 *  @return VP_E_ARGUMENT for a source without `save`; VP_E_MEMORY; what it returns: then all of them count as edited still */
VP_API vp_status vp_blocks_save(vp_blocks *blocks, const vp_block_source *source, uint32_t *saved, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
