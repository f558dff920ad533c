/* SPDX-License-Identifier: MIT */
/* Room for an edit's masks before the edit is made: an update that finds room enough cannot fail. */
#ifndef VP_REFERENCE_BROADPHASE_ROOM_H
#define VP_REFERENCE_BROADPHASE_ROOM_H

#include <stdbool.h>

#include <voxphys/broadphase.h>

/* Makes sure that the masks of `more` chunks that have none can be stored without allocating. @return false without memory */
bool vp_broadphase_reserve(vp_broadphase *broadphase, uint32_t more);

#endif
