/* SPDX-License-Identifier: MIT */
/* The sphere tree as an object. */
#ifndef VP_SPHERETREE_TREE_H
#define VP_SPHERETREE_TREE_H

#include <voxphys/spheretree.h>

#include "src/spheretree/wide.h"

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

struct vp_spheretree {
    vp_spheretree_view view;
    vp_kernels kernels;
    vp_allocator allocator;
    vp_spheretree_entry *object;                          /* view.object */
    vp_spheretree_mesh *mesh;                             /* view.mesh */
    uint32_t node_room, node_used, node_free, node_spare; /* node_spare nodes follow node_free in a list by child[0] */
    uint32_t object_room, object_used, object_free;       /* by data */
    uint32_t mesh_room, mesh_used, mesh_free;             /* by leaf_count */
    uint32_t objects, leaves;
    vp_wide_tree wide;   /* view.wide, if that is the form */
    vp_wide_item *list;  /* leaves of a wide tree to build */
    vp_wide_nodes nodes; /* and its memory */
    vp_scene_events events;
};

/* Whether a sphere is valid. */
vp_status vp_scene_check_sphere(const vp_sphere *sphere, vp_error *error);

#endif
