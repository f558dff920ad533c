/* SPDX-License-Identifier: MIT */
/* Mesh and tree of one chunk of terrain. They are built in scratch, where they can be queried at once, and copied into
 * memory of their own if they are kept. No other file of the terrain depends on how a form of trees is stored. */
#ifndef VP_TERRAIN_CHUNK_TREE_H
#define VP_TERRAIN_CHUNK_TREE_H

#include <voxphys/kernels.h>

/* A tree whose arrays lie in scratch. */
typedef struct vp_chunk_tree {
    vp_kd_view view; /* triangle_count 0: the chunk has no surface, and the other members are undefined */
    uint32_t node_count;
    const void *piece; /* packed and implied form: one block with all arrays of the view */
    size_t piece_bytes;
} vp_chunk_tree;

/* Scratch bytes that suffice for any chunk. The scratch must be 64-byte aligned. */
size_t vp_chunk_tree_scratch_bytes(vp_kd_form form);

/* Builds mesh and tree of a chunk in scratch. O(512 + n log n). @return nanoseconds taken */
uint64_t vp_chunk_tree_make(const vp_kernels *kernels, const vp_voxels *world, uint32_t chunk, vp_surface surface, vp_kd_form form,
                            void *scratch, vp_chunk_tree *out);

/* Bytes of all arrays of a tree that has triangles. */
size_t vp_chunk_tree_bytes(const vp_chunk_tree *tree);

/* Copies the arrays to `memory`, which is 64-byte aligned and has vp_chunk_tree_bytes. `out` is the tree over the copies. */
void vp_chunk_tree_place(const vp_chunk_tree *tree, void *memory, vp_kd_view *out);

/* Tree of any chunk without triangles: constant, one per form, 64-byte aligned. */
const vp_kd_view *vp_chunk_tree_empty(vp_kd_form form);

#endif
