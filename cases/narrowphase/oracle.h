/* SPDX-License-Identifier: MIT */
/* How a shape and a triangle lie to each other, in binary64, by brute force: all pairs of features and all axes, of the shape's core. A
 * sphere's core is its centre, a capsule's its segment, a box's or hull's all of it; around it is the radius. Shares nothing with the
 * kernels: not the choice of candidates, not the frame, not the hull's faces and edges, which are those of its exact triangles. A
 * cylinder's core is its axis, with a disc around it: its truth is told by oracle_cylinder.c. */
#ifndef VP_COLLIDE_ORACLE_H
#define VP_COLLIDE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/narrowphase.h>

typedef struct vp_oracle_shape {
    double (*vertex)[3];
    uint32_t (*edge)[2];
    uint32_t (*triangle)[3]; /* counterclockwise from outside; none of a point or a segment */
    uint32_t vertices, edges, triangles;
    double radius; /* around the core */
    double disc;   /* a cylinder's radius; of others 0 */
    bool is_cylinder;
    double reach; /* about the origin, all told */
} vp_oracle_shape;

/* @return VP_E_MEMORY; VP_E_ARGUMENT of a kind that there is not */
vp_status vp_oracle_shape_create(const vp_collide_shape *shape, vp_oracle_shape *out, vp_error *error);
void vp_oracle_shape_destroy(vp_oracle_shape *shape);

typedef struct vp_oracle_truth {
    double distance;  /* signed */
    double normal[3]; /* in the world, of length 1, from the triangle to the shape; of several that are equally good one */
    double size;      /* by which errors are measured: kernel/narrowphase.h */
} vp_oracle_truth;

void vp_oracle_truth_of(const vp_oracle_shape *shape, const vp_pose *pose, const vp_vec3 corner[3], vp_oracle_truth *out);

/* What can be wrong with an answer. */
typedef enum vp_collide_fault {
    VP_FAULT_NONE,
    VP_FAULT_NUMBER,   /* NaN, infinite, a normal whose length is not 1 */
    VP_FAULT_MISSED,   /* they are nearer than the margin */
    VP_FAULT_INVENTED, /* they are not */
    VP_FAULT_SIGN,     /* outside of the band around touching */
    VP_FAULT_DEPTH,    /* off by more than the band */
    VP_FAULT_NORMAL,   /* along it the two are further together, or apart it is 5 degrees off */
    VP_FAULT_POINTS,   /* they are not where they should be: on shape and triangle, and the distance apart */
    VP_FAULT_FEATURE,  /* is not where the weights say; there is no such part */
    VP_FAULTS
} vp_collide_fault;

/* "depth". */
const char *vp_collide_fault_name(vp_collide_fault fault);

/* @param band   of the size, within which signs and depths are right: 1e-6
   @param error  how far the distance is off, as a part of the size; 0 beyond the margin */
vp_collide_fault vp_oracle_judge(const vp_oracle_shape *shape, const vp_collide_shape *of, const vp_pose *pose, const vp_vec3 corner[3],
                                 float margin, double band, const vp_collide_answer *answer, double *error);

#endif
