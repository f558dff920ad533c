/* SPDX-License-Identifier: MIT */
/* The top level of a terrain: which space the chunks' triangles can be in, as the broadphase's bits tell it, sorted so that a ray
 * passes over empty air in a few steps (vp_top in kernel/terrain.h). One surface of one box of chunks. */
#ifndef VP_TERRAIN_TOP_H
#define VP_TERRAIN_TOP_H

#include <voxphys/memory.h>
#include <voxphys/kernel/terrain.h>
#include <voxphys/world.h>

enum { VP_TOP_LEVELS = 8 /* more than a world of 256 x 256 columns, or of one row, needs */ };

/* The nodes of one level lie behind each other in rows along x; the root's level comes first. */
typedef struct vp_top_level {
    uint32_t first;        /* its first node */
    uint32_t width, depth; /* nodes along x and z */
} vp_top_level;

/* Where a chunk has triangles, as far as it is known. */
typedef struct vp_known_box {
    uint8_t state;           /* VP_BITS_ALONE ... */
    uint8_t low[3], high[3]; /* of KNOWN: in sixteenths of a voxel from half a voxel below the chunk's lowest corner */
} vp_known_box;

enum {
    VP_BITS_ALONE = 0, /* no more than its bits say */
    VP_KNOWN_BOX = 1,  /* within the box */
    VP_KNOWN_EMPTY = 2 /* nowhere */
};

typedef struct vp_terrain_top {
    vp_surface surface;
    vp_ivec3 first;  /* the box of chunks, in the world */
    vp_dims chunks;  /* its extents */
    uint32_t levels; /* the last one is of columns */
    vp_top_level level[VP_TOP_LEVELS];
    uint32_t node_count;
    vp_kd_wide *node;
    uint32_t *layers;
    vp_known_box *known; /* of each chunk of the box, x fastest, then z, then y */
    vp_allocator allocator;
} vp_terrain_top;

/* What the top level is derived from. */
typedef struct vp_top_source {
    vp_broadphase_view bits;
    vp_voxels voxels;
} vp_top_source;

/* Memory for the top level of a box of chunks, without anything in it. @return false without memory */
bool vp_terrain_top_create(vp_surface surface, vp_ivec3 first, vp_dims chunks, const vp_allocator *allocator, vp_terrain_top *out);
/* Frees it; one that is all zero bytes is left alone. */
void vp_terrain_top_destroy(vp_terrain_top *top);
size_t vp_terrain_top_bytes(const vp_terrain_top *top);

/* Derives all of it. O(chunks). */
void vp_terrain_top_derive(vp_terrain_top *top, const vp_top_source *from);
/* Derives what depends on some chunks anew: those whose bits, or whose voxels' occupancies, have changed. Chunks outside the
   box are passed over. What was learnt of them is forgotten. There is none in the set before first and behind last.
   O(chunks in the set * 8 * levels + (last - first) / 64). */
void vp_terrain_top_update(vp_terrain_top *top, const vp_top_source *from, const vp_chunk_set *stale, uint32_t first, uint32_t last);

/* Takes in what a chunk's mesh has shown: the box of its triangles, which is tighter than what its bits say; NULL: it has
   none. It holds until the chunk is updated. Queries must not be under way. O(layers + 8 * levels). */
void vp_terrain_top_learn(vp_terrain_top *top, const vp_top_source *from, uint32_t chunk, const vp_aabb *box);

/* As kernels read it. */
vp_top vp_terrain_top_view(const vp_terrain_top *top);

#endif
