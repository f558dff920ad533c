/* SPDX-License-Identifier: MIT */
/* Mesh and tree of one chunk of terrain: made in scratch, where they can be asked at once, and from there put into memory of
 * their own if they are to be kept. What a form of trees consists of is known here and nowhere else in the terrain. */
#ifndef VP_TERRAIN_CHUNK_TREE_H
#define VP_TERRAIN_CHUNK_TREE_H

#include <voxphys/kernels.h>

/* A tree whose arrays lie in scratch. */
typedef struct vp_chunk_tree {
    vp_kd_view view; /* triangle_count 0: the chunk has no surface, and nothing else of the view means anything */
    uint32_t node_count;
    const void *piece; /* packed and implied form: all arrays of the view, in one piece */
    size_t piece_bytes;
} vp_chunk_tree;

/* Bytes of scratch for any chunk; 64-byte aligned memory is needed. */
size_t vp_chunk_tree_scratch_bytes(vp_kd_form form);

/* Makes mesh and tree of a chunk in scratch. O(512 + n log n). */
void vp_chunk_tree_make(const vp_kernels *kernels, const vp_voxels *world, uint32_t chunk, vp_surface surface, vp_kd_form form,
                        void *scratch, vp_chunk_tree *out);

/* Bytes of all arrays of a tree that has triangles. */
size_t vp_chunk_tree_bytes(const vp_chunk_tree *tree);

/* Copies the arrays into so many bytes, 64-byte aligned. `out` is the tree over the copies. */
void vp_chunk_tree_place(const vp_chunk_tree *tree, void *memory, vp_kd_view *out);

/* The tree of all chunks without triangles: one for each form, constant, 64-byte aligned. */
const vp_kd_view *vp_chunk_tree_empty(vp_kd_form form);

/* Corners 0 and 2 of the quad that a triangle is a half of. */
void vp_chunk_tree_diagonal(const vp_kd_view *tree, uint32_t triangle, vp_vec3 diagonal[2]);

#endif
