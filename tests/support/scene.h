/* SPDX-License-Identifier: MIT */
/* A world, its broadphase and contacts on it, from one counting allocator. */
#ifndef VP_TESTS_SUPPORT_SCENE_H
#define VP_TESTS_SUPPORT_SCENE_H

#include <voxphys/voxphys.h>

#include "tests/support/memory.h"

typedef struct scene {
    test_memory memory;
    vp_world *world;
    vp_broadphase *broadphase;
    vp_contacts *contacts;
    vp_chunk_set stale; /* what the edits since the last scene_edited made stale */
} scene;

/* Takes the world over; NULL: makes one of air. kernels NULL: the default ones. margin: of the contacts. */
scene *scene_begin(vp_world *world_or_null, vp_dims chunks, const vp_kernels *kernels, float margin);
/* Fails the test if anything was not given back. */
void scene_end(scene *s);
/* Passes the edits in s->stale on to the broadphase and the contacts, and clears it. */
void scene_edited(scene *s);

#endif
