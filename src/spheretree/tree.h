/* SPDX-License-Identifier: MIT */
/* The sphere tree as an object. */
#ifndef VP_SPHERETREE_TREE_H
#define VP_SPHERETREE_TREE_H

#include <voxphys/spheretree.h>

#include "src/spheretree/events.h"
#include "src/spheretree/wide.h"

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
