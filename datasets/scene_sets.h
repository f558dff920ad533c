/* SPDX-License-Identifier: MIT */
/* Scenes for the sphere tree: objects that are spheres, and at most one large object, of triangles; and scripts by which the objects of a
 * scene move. A scene is named by its family, or with how many objects: "uniform/1000". */
#ifndef VP_SCENE_SETS_H
#define VP_SCENE_SETS_H

#include <voxphys/kernel/spheretree.h>
#include <voxphys/status.h>

typedef struct vp_scene_set {
    uint32_t count; /* spheres, in the order in which they are inserted */
    vp_sphere *sphere;
    uint32_t *mask;    /* of each, and of the mesh */
    vp_triangles mesh; /* behind the spheres; triangle_count 0: there is none */
} vp_scene_set;

/* Objects are numbered from 0 in the order in which they come into the scene; no number is given twice. */
typedef enum vp_motion_kind { VP_MOTION_MOVE, VP_MOTION_REMOVE, VP_MOTION_INSERT } vp_motion_kind;

typedef struct vp_motion {
    vp_motion_kind kind;
    uint32_t object;  /* of an insertion the next number */
    vp_sphere sphere; /* where to; of a removal zero */
} vp_motion;

typedef struct vp_motion_set {
    vp_scene_set scene;
    uint32_t steps;
    uint32_t *first; /* of each step, its first motion; one more for the end */
    vp_motion *motion;
} vp_motion_set;

enum { VP_SCENE_SETS_MAX = 1 << 20 };

/* "1000" -> 1000; 0 if it is no whole number from 1 to VP_SCENE_SETS_MAX. */
uint32_t vp_scene_count_of(const char *text);

/* Spheres of radius 1 anywhere in a cube. A failure leaves nothing to drop. */
vp_status vp_scene_uniform(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error);
void vp_scene_set_drop(vp_scene_set *set);

#endif
