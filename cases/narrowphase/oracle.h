/* SPDX-License-Identifier: MIT */
/* The relation of a shape and a triangle in binary64 by brute force, over all pairs of features and all axes of the shape's core. The core
 * is the centre of a sphere, the segment of a capsule, or all of a box or hull. The radius surrounds it. It shares nothing with the
 * kernels, neither the choice of candidates nor the frame. It uses the hull's exact triangles instead of its faces and edges. A cylinder's
 * core is its axis with a disc around it, see oracle.c. */
#ifndef VP_COLLIDE_ORACLE_H
#define VP_COLLIDE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/narrowphase.h>

typedef struct vp_oracle_shape {
    double (*vertex)[3];
    uint32_t (*edge)[2];
    uint32_t (*triangle)[3]; /* counterclockwise from outside, none for a point or a segment */
    uint32_t vertices, edges, triangles;
    double radius; /* around the core */
    double disc;   /* of a cylinder, otherwise 0 */
    bool is_cylinder;
    double reach;  /* about the origin, including the radius */
    double coarse; /* minimum tolerance for overlaps, 0 unless the judge sets it */
} vp_oracle_shape;

/* @return VP_E_MEMORY, or VP_E_ARGUMENT for an unknown kind */
vp_status vp_oracle_shape_create(const vp_collide_shape *shape, vp_oracle_shape *out, vp_error *error);
void vp_oracle_shape_destroy(vp_oracle_shape *shape);

typedef struct vp_oracle_truth {
    double distance;  /* signed */
    double normal[3]; /* unit vector in world space, from the triangle to the shape. One of several equally good ones */
    double size;      /* unit of errors, see kernel/narrowphase.h */
} vp_oracle_truth;

void vp_oracle_truth_of(const vp_oracle_shape *shape, const vp_pose *pose, const vp_vec3 corner[3], vp_oracle_truth *out);

struct vp_real3;
/* The point of a triangle that is nearest to p. The triangle may have no area. */
void vp_oracle_on_triangle(const struct vp_real3 *corner, const struct vp_real3 *p, struct vp_real3 *out);
/* Whether a shape has a feature. */
bool vp_oracle_is_feature(const vp_collide_shape *shape, uint32_t feature);

/* Faults of an answer. */
typedef enum vp_collide_fault {
    VP_FAULT_NONE,
    VP_FAULT_NUMBER,   /* NaN, infinite, or a normal whose length is not 1 */
    VP_FAULT_MISSED,   /* no contact within the margin */
    VP_FAULT_INVENTED, /* a contact beyond the margin */
    VP_FAULT_SIGN,     /* of the distance, outside the tolerance around touching */
    VP_FAULT_DEPTH,    /* off by more than the tolerance */
    VP_FAULT_NORMAL,   /* separation along it is less than the distance, or the shapes are apart and it is off by 5 degrees */
    VP_FAULT_POINTS,   /* not on shape and triangle, or not the distance apart */
    VP_FAULT_FEATURE,  /* does not match the weights, or does not exist */
    VP_FAULTS
} vp_collide_fault;

/* "depth". */
const char *vp_collide_fault_name(vp_collide_fault fault);

/* @param band   tolerance of signs and depths as part of the size: 1e-6
 * @param error  out, error of the distance as part of the size, 0 beyond the margin */
vp_collide_fault vp_oracle_judge(const vp_oracle_shape *shape, const vp_collide_shape *of, const vp_pose *pose, const vp_vec3 corner[3],
                                 float margin, double band, const vp_collide_result *answer, double *error);

#endif
