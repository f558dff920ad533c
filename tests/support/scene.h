/* SPDX-License-Identifier: MIT */
/* A world with its broadphase and contacts, all from one counting allocator. */
#ifndef VP_TESTS_SUPPORT_SCENE_H
#define VP_TESTS_SUPPORT_SCENE_H

#include <voxphys/voxphys.h>

#include "tests/support/memory.h"

typedef struct scene {
    test_memory memory;
    vp_world *world;
    vp_broadphase *broadphase;
    vp_contacts *contacts;
    vp_chunk_set stale; /* stale chunks of the edits since the last scene_edited */
} scene;

/* Takes the world. world_or_null NULL = a world of air, kernels NULL = the defaults. `margin` is
   the contacts' margin. */
scene *scene_begin(vp_world *world_or_null, vp_dims chunks, const vp_kernels *kernels, float margin);
/* Fails the test if memory leaks. */
void scene_end(scene *s);
/* Passes the edits in s->stale to the broadphase and the contacts, and clears it. */
void scene_edited(scene *s);

#endif
