/* SPDX-License-Identifier: MIT */
/* The top level of a terrain, for one surface and one box of chunks. It is a tree over the space in which the
 * chunks' triangles can be, derived from the broadphase's bits. With it a ray crosses empty air in a few steps
 * (vp_top in kernel/terrain.h). */
#ifndef VP_TERRAIN_TOP_H
#define VP_TERRAIN_TOP_H

#include <voxphys/memory.h>
#include <voxphys/kernel/terrain.h>
#include <voxphys/world.h>

enum { VP_TOP_LEVELS = 8 /* enough for a world of 256 x 256 columns, or of one row */ };

/* One level. Its nodes are stored in rows along x. The root's level is first. */
typedef struct vp_top_level {
    uint32_t first;        /* index of its first node */
    uint32_t width, depth; /* number of nodes along x and z */
} vp_top_level;

/* Known bounds of a chunk's triangles. */
typedef struct vp_known_box {
    uint8_t state;           /* VP_BITS_ALONE ... */
    uint8_t low[3], high[3]; /* VP_KNOWN_BOX: sixteenths of a voxel from half a voxel below the chunk's lowest corner */
} vp_known_box;

enum {
    VP_BITS_ALONE = 0, /* only the bits are known */
    VP_KNOWN_BOX = 1,  /* all triangles are in the box */
    VP_KNOWN_EMPTY = 2 /* there are no triangles */
};

typedef struct vp_terrain_top {
    vp_surface surface;
    vp_ivec3 first;  /* first chunk of the box */
    vp_dims chunks;  /* number of chunks */
    uint32_t levels; /* the last level's children are columns */
    vp_top_level level[VP_TOP_LEVELS];
    uint32_t node_count;
    vp_kd_wide *node;
    uint32_t *layers;
    vp_known_box *known; /* bounds of each chunk of the box, x fastest, then z, then y */
    vp_allocator allocator;
} vp_terrain_top;

/* Data from which the top level is derived. */
typedef struct vp_top_source {
    vp_broadphase_view bits;
    vp_voxels voxels;
} vp_top_source;

/* Allocates the top level of a box of chunks, with no content. @return false without memory */
bool vp_terrain_top_create(vp_surface surface, vp_ivec3 first, vp_dims chunks, const vp_allocator *allocator, vp_terrain_top *out);
/* Destroys it. All zero bytes are a no-op. */
void vp_terrain_top_destroy(vp_terrain_top *top);
size_t vp_terrain_top_bytes(const vp_terrain_top *top);

/* Derives everything. O(chunks). */
void vp_terrain_top_derive(vp_terrain_top *top, const vp_top_source *from);
/* Updates the top level for chunks whose bits or occupancies have changed, and forgets their known boxes. Chunks
 * outside the box are skipped. All chunks of the set are within first to last.
 * O(chunks in the set * 8 * levels + (last - first) / 64). */
void vp_terrain_top_update(vp_terrain_top *top, const vp_top_source *from, const vp_chunk_set *stale, uint32_t first, uint32_t last);

/* Records the box of a chunk's triangles from its mesh, which is tighter than its bits. NULL: it has no triangles.
 * Valid until the chunk is updated. No query may be running. O(layers + 8 * levels). */
void vp_terrain_top_learn(vp_terrain_top *top, const vp_top_source *from, uint32_t chunk, const vp_aabb *box);

/* View for kernels. */
vp_top vp_terrain_top_view(const vp_terrain_top *top);

#endif
