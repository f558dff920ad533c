/* SPDX-License-Identifier: MIT */
/* An update of the broadphase in two halves. The first allocates room for the masks of an edit before anything is
 * written. The second is the update itself, which then cannot fail. */
#ifndef VP_BROADPHASE_ROOM_H
#define VP_BROADPHASE_ROOM_H

#include <stdbool.h>

#include <voxphys/broadphase.h>

/* Makes room so that the masks of `more` chunks that have none can be stored without allocating. @return
 * false without memory */
bool vp_broadphase_reserve(vp_broadphase *broadphase, uint32_t more);

/* vp_broadphase_update for a world and a set of the right size, with room for all new masks. All of the set's chunks
   are from `first` to `last`. */
void vp_broadphase_rederive(vp_broadphase *broadphase, const vp_world *world, const vp_chunk_set *stale, uint32_t first, uint32_t last);

#endif
