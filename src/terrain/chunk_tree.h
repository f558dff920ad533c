/* SPDX-License-Identifier: MIT */
/* Mesh and tree of one chunk of terrain. They are built in scratch, where they can be queried at once, and copied into
 * memory of their own if they are kept. No other file of the terrain depends on how a form of trees is stored. */
#ifndef VP_TERRAIN_CHUNK_TREE_H
#define VP_TERRAIN_CHUNK_TREE_H

#include <stdatomic.h>

#include <voxphys/kernels.h>

#include "src/kd/corners.h"

/* Numbers of a chunk's quads by the edges between voxels that they cross. Row z + 8*y has the edges whose lower voxels have these
 * coordinates: bits 0 to 7 are those along x, by the voxel's x, bits 8 to 15 those along y and bits 16 to 23 those along z. This is
 * also the order of the mesher. */
typedef struct vp_quad_table {
    uint32_t row[64];        /* bits 24 to 31 are the number of quads in earlier rows of the same four */
    uint16_t first_quad[16]; /* number of quads before each four rows */
} vp_quad_table;

/* A tree with its table, which the first query that needs it fills in. Every view of a terrain's tree that has triangles is the first
 * member of one. */
typedef struct vp_chunk_view {
    vp_kd_view view; /* triangle_count 0: the chunk has no surface, and the other members are undefined */
    atomic_uint table_state;
    vp_quad_table table; /* valid in state VP_TABLE_READY */
} vp_chunk_view;

/* States of a table. One thread claims it and fills it in. No thread waits for it. */
enum { VP_TABLE_NONE = 0, VP_TABLE_CLAIMED, VP_TABLE_READY };

/* The table of a tree with triangles. @param own  memory for the table, if the tree's is not ready  */
const vp_quad_table *vp_chunk_quads(const vp_kd_view *tree, vp_quad_table *own);

/* Number of the quad across an edge, which must have one. Counts bits without an instruction for it, which old processors lack. */
static inline uint32_t vp_quad_number(const vp_quad_table *table, uint32_t row, uint32_t bit)
{
    uint32_t below = table->row[row] & ((UINT32_C(1) << bit) - 1);
    below -= below >> 1 & 0x55555555u;
    below = (below & 0x33333333u) + (below >> 2 & 0x33333333u);
    return table->first_quad[row / 4] + (table->row[row] >> 24) + (((below + (below >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

/* Cell of a vertex on one axis, from -1 on. Cells begin at voxel centres, and no vertex lies on a face of its own cell. */
static inline int32_t vp_vertex_cell(float vertex)
{
    return (int32_t)(vertex + 0.5f) - 1;
}

/* A tree whose arrays lie in scratch. */
typedef struct vp_chunk_tree {
    vp_chunk_view head;
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

/* Copies the arrays to `memory`, which is 64-byte aligned and has vp_chunk_tree_bytes. `head` receives the tree over the copies. */
void vp_chunk_tree_place(const vp_chunk_tree *tree, void *memory, vp_chunk_view *head);

/* Tree of any chunk without triangles: constant, one per form, 64-byte aligned. */
const vp_kd_view *vp_chunk_tree_empty(vp_kd_form form);

#endif
