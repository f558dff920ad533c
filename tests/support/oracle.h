/* SPDX-License-Identifier: MIT */
/* What worlds and the broadphase must answer, computed voxel by voxel from the definitions in the headers. Slow, plain,
   and made without any of the code under test except vp_world_voxel, whose own test has expectations typed by hand. */
#ifndef VP_TESTS_SUPPORT_ORACLE_H
#define VP_TESTS_SUPPORT_ORACLE_H

#include <voxphys/kernels.h>
#include <voxphys/world.h>

/* Voxels in rows: element (y*size.z + z)*size.x + x. */
typedef struct oracle {
    vp_dims size, chunks;
    vp_voxel *voxel;
    uint8_t *near; /* VP_TOUCH_ bits: whether any of the 27 voxels around this one is solid, is water */
} oracle;

/* Takes a copy of a world; with near = true also looks at all neighbourhoods. */
oracle oracle_make(const vp_world *world, bool near);
void oracle_free(oracle *o);

/* Number of a chunk, and the chunk of a number: x fastest, then z, then y. */
uint32_t oracle_chunk_number(const oracle *o, int cx, int cy, int cz);
vp_ivec3 oracle_chunk_at(const oracle *o, uint32_t number);
uint32_t oracle_chunk_count(const oracle *o);

/* Tag and masks of a chunk; masks as they are returned for chunks of any tag. */
vp_chunk_class oracle_tag(const oracle *o, vp_ivec3 chunk);
vp_chunk_masks oracle_masks(const oracle *o, vp_ivec3 chunk);

/* What a box, grown by one voxel, touches; VP_TOUCH_INVALID for an invalid one. If `chunk` is not NULL, it receives
   what the box touches in each chunk. */
uint32_t oracle_overlap(const oracle *o, const vp_aabb *box, uint8_t *chunk);

/* stale[c] = whether the 10^3 neighbourhood of chunk c holds a voxel that is not the same in both. */
void oracle_stale(const oracle *before, const oracle *after, bool *stale);

/* Adds to changed[c] the layers of chunk c with voxels that are not the same in both: bits x, 8 + y and 16 + z. */
void oracle_layers(const oracle *before, const oracle *after, uint32_t *changed);
/* Whether a chunk has such layers on all three axes among the voxels within `margin` + 2 of a box: vp_contacts' rule. */
bool oracle_meets(const oracle *o, const vp_aabb *box, float margin, const uint32_t *changed);

#endif
