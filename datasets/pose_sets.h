/* SPDX-License-Identifier: MIT */
/* Places at which shapes nearly touch triangles, the data of the narrowphase. A place does not depend on the shape. It defines the
 * contact point, the rotation and the distance, from which each shape gets its pose (vp_pose_of in cases/narrowphase/shapes.h). */
#ifndef VP_POSE_SETS_H
#define VP_POSE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/status.h>

/* Inputs at which narrowphases fail. */
typedef enum vp_pose_family {
    VP_POSES_PARALLEL, /* the shape's faces, sides and axes are parallel to the triangle, or to its edges */
    VP_POSES_EDGES,    /* an edge touches an edge */
    VP_POSES_TOUCHING, /* they touch exactly, all numbers are small fractions */
    VP_POSES_TINY,     /* triangles of a thousandth and a ten-thousandth of the shape */
    VP_POSES_NEEDLES,  /* ten thousand times as long as wide */
    VP_POSES_DEEP,     /* the shape's centre is near the triangle, or past it */
    VP_POSES_FAR,      /* ten thousand voxels from the origin */
    VP_POSES_SMALL,    /* everything a thousandth as large */
    VP_POSES_LARGE,    /* a thousand times */
    VP_POSES_FLAT,     /* triangles without area: segments and points */
    VP_POSES_CENTRED,  /* the shape's centre is exactly on a face, an edge or a corner */
    VP_POSES_RANDOM,
    VP_POSES_FAMILIES
} vp_pose_family;

/* A place. */
typedef struct vp_pose_place {
    vp_vec3 point;     /* contact point */
    vp_vec3 normal;    /* direction from the place to the shape, length about 1 */
    float gap;         /* distance that the shape is moved along it; negative: into the triangle */
    bool centred;      /* the contact point is the shape's position */
    float rotation[4]; /* a quaternion x, y, z, w of any length */
    float scale;       /* scale of the shape: 1 is about one voxel across */
    vp_pose_family family;
    uint32_t first, count; /* its triangles */
} vp_pose_place;

typedef struct vp_pose_set {
    uint32_t count, triangle_count;
    vp_pose_place *place;
    vp_vec3 (*corner)[3]; /* corners of each triangle */
    size_t triangle_room;
} vp_pose_set;

/* Returns "parallel" and so on, or "unknown" for any other number. */
const char *vp_pose_family_name(vp_pose_family family);

/* Makes places of one family with one triangle each. VP_POSES_FAMILIES: of all families in turn. */
vp_status vp_pose_set_hard(vp_pose_family family, uint32_t count, uint64_t seed, vp_pose_set *out, vp_error *error);
/* Makes places on a mesh. A third are up to 0.02 apart, a third touch within 0.002, and a third are up to 0.2 deep, each times the scale.
 * Each place has all triangles that a shape could touch there. */
vp_status vp_pose_set_on(const vp_triangles *mesh, float scale, uint32_t count, uint64_t seed, vp_pose_set *out, vp_error *error);
void vp_pose_set_destroy(vp_pose_set *set); /* an all-zero set is a no-op */

#endif
