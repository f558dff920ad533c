/* SPDX-License-Identifier: MIT */
/* Begin and end of contacts. Each object has a list of its pairs. Only changed objects are searched again, or all if many have changed. */
#ifndef VP_SPHERETREE_EVENTS_H
#define VP_SPHERETREE_EVENTS_H

#include <voxphys/spheretree.h>

/* Makes room for objects. */
bool vp_scene_events_reserve(vp_spheretree *t, uint32_t objects);
void vp_scene_events_release(vp_spheretree *t);
/* Records a new, a moved and a removed object. */
void vp_scene_note_new(vp_spheretree *t, uint32_t id, uint32_t with);
void vp_scene_note_move(vp_spheretree *t, uint32_t id);
void vp_scene_note_removal(vp_spheretree *t, uint32_t id);

#endif
