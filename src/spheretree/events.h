/* SPDX-License-Identifier: MIT */
/* Begin and end of contacts. Each object has a list of its pairs. Only changed objects are searched again, or all if many have changed. */
#ifndef VP_SPHERETREE_EVENTS_H
#define VP_SPHERETREE_EVENTS_H

#include <voxphys/spheretree.h>

/* A pair a < b that touches. Lists of both objects are linked in both directions. */
typedef struct vp_scene_contact {
    uint32_t object[2];
    uint32_t next[2], previous[2]; /* in the lists of object[0] and object[1] */
} vp_scene_contact;

/* An object's contacts and state. */
typedef struct vp_scene_tracked {
    uint32_t with;
    uint32_t first;   /* contact */
    uint32_t changed; /* id; element of a list that has changed_count */
    uint8_t mark;     /* 0 between comparisons */
    uint8_t state;    /* bits */
} vp_scene_tracked;

typedef struct vp_scene_events {
    bool on;
    bool is_partial;          /* the last call ran out of memory, and its events are still to be reported */
    vp_scene_tracked *object; /* by id */
    uint32_t object_room;
    uint32_t changed_count, custom; /* custom: objects with a `with` of their own */
    vp_scene_contact *contact;
    uint32_t contact_room, contact_used, contact_free, contact_spare; /* free ones are linked by next[0] */
    vp_spheretree_event *event;
    uint32_t event_room, event_count;
    vp_spheretree_item *item;
    uint32_t item_room;
} vp_scene_events;

/* Makes room for objects. */
bool vp_scene_events_reserve(vp_spheretree *t, uint32_t objects);
void vp_scene_events_release(vp_spheretree *t);
/* Records a new, a moved and a removed object. */
void vp_scene_note_new(vp_spheretree *t, uint32_t id, uint32_t with);
void vp_scene_note_move(vp_spheretree *t, uint32_t id);
void vp_scene_note_removal(vp_spheretree *t, uint32_t id);

#endif
