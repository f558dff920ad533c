/* SPDX-License-Identifier: MIT */
/* Scenes for the sphere tree. A scene has spheres as objects and at most one large object of triangles. Scripts move a scene's objects. A
 * scene's name is its family, possibly with the number of objects: "uniform/1000". */
#ifndef VP_SCENE_SETS_H
#define VP_SCENE_SETS_H

#include <voxphys/kernel/spheretree.h>
#include <voxphys/status.h>

typedef struct vp_scene_set {
    uint32_t count; /* spheres, in the order in which they are inserted */
    vp_sphere *sphere;
    uint32_t *mask;    /* masks of the spheres and of the mesh */
    vp_triangles mesh; /* comes after the spheres; triangle_count 0: no mesh */
} vp_scene_set;

/* Objects are numbered from 0 in the order of insertion. Numbers are not reused. */
typedef enum vp_motion_kind { VP_MOTION_MOVE, VP_MOTION_REMOVE, VP_MOTION_INSERT } vp_motion_kind;

typedef struct vp_motion {
    vp_motion_kind kind;
    uint32_t object;  /* for an insertion the next number */
    vp_sphere sphere; /* destination; zero for a removal */
} vp_motion;

typedef struct vp_motion_set {
    vp_scene_set scene;
    uint32_t steps;
    uint32_t *first; /* index of each step's first motion, and the end */
    vp_motion *motion;
} vp_motion_set;

enum { VP_SCENE_SETS_MAX = 1 << 20 };

/* Parses "1000" to 1000. Returns 0 if it is no whole number from 1 to VP_SCENE_SETS_MAX. */
uint32_t vp_scene_count_of(const char *text);
/* Returns the number of objects of a set: that in its name, or the manifest's. */
struct vp_making;
vp_status vp_scene_count(const struct vp_making *from, uint32_t *count, vp_error *error);

/* Spheres of radius 1 anywhere in a cube. A failure leaves nothing to drop. */
vp_status vp_scene_uniform(uint32_t count, uint64_t seed, vp_scene_set *out, vp_error *error);
void vp_scene_set_drop(vp_scene_set *set);

#endif
