/* SPDX-License-Identifier: MIT */
/* Answers of worlds and the broadphase, computed voxel by voxel from the definitions in the headers. The oracle is slow and simple. The
   only tested function it uses is vp_world_voxel, whose own test has literals. */
#ifndef VP_TESTS_SUPPORT_ORACLE_H
#define VP_TESTS_SUPPORT_ORACLE_H

#include <voxphys/kernels.h>
#include <voxphys/world.h>

/* Voxels in rows, with element (y*size.z + z)*size.x + x. */
typedef struct oracle {
    vp_dims size, chunks;
    vp_voxel *voxel;
    uint8_t *near; /* VP_TOUCH_ bits: whether any of the 27 voxels around this one is solid or water */
} oracle;

/* Copies a world. With near = true also computes all neighbourhoods. */
oracle oracle_make(const vp_world *world, bool near);
void oracle_free(oracle *o);

/* The chunk of a number. x is fastest, then z, then y. */
vp_ivec3 oracle_chunk_at(const oracle *o, uint32_t number);
uint32_t oracle_chunk_count(const oracle *o);

/* Class and masks of a chunk. The masks are those returned for chunks of any class. */
vp_chunk_class oracle_tag(const oracle *o, vp_ivec3 chunk);
vp_chunk_masks oracle_masks(const oracle *o, vp_ivec3 chunk);

/* Returns the touch bits of a box grown by one voxel, VP_TOUCH_INVALID for an invalid one. If `chunk` is not NULL, it receives the bits
   for each chunk. */
uint32_t oracle_overlap(const oracle *o, const vp_aabb *box, uint8_t *chunk);

/* Sets stale[c] if a voxel in the 10^3 neighbourhood of chunk c differs. */
void oracle_stale(const oracle *before, const oracle *after, bool *stale);

/* Adds to changed[c] the layers of chunk c whose voxels differ. Bits are x, 8 + y and 16 + z. */
void oracle_layers(const oracle *before, const oracle *after, uint32_t *changed);
/* Whether such layers of a chunk, on all three axes, are among the voxels within `margin` + 2 of a box. This is the
   rule of vp_contacts. */
bool oracle_meets(const oracle *o, const vp_aabb *box, float margin, const uint32_t *changed);

#endif
