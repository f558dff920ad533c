/* SPDX-License-Identifier: MIT */
/* The mesh that hulls are judged by: distance to its surface, and winding numbers. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_SPACE_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernel/kd.h>

#include "src/core/error.h"

/* A node of a box tree over triangles, with two children or some triangles. */
typedef struct vp_space_node {
    double low[3], high[3];
    uint32_t first; /* first triangle in the tree's order. An inner node has its second child here, because the first is the next node */
    uint32_t count; /* number of triangles, 0 = inner node */
} vp_space_node;

typedef struct vp_space {
    double middle[3], extent; /* of the box of all corners. Positions are relative to the middle */
    double (*corner)[3][3];   /* corners of each triangle, in the tree's order */
    uint32_t *number;         /* index of each triangle in the mesh */
    bool *again;              /* whether the triangle is a duplicate, which winding numbers ignore */
    vp_space_node *node;
    uint32_t triangles, nodes;
    bool closed;
    uint32_t open_edges, open_edge[2];
} vp_space;

/* Makes the space of a mesh in O(T log^2 T). Drop it, also after a failure.
 * @return VP_E_ARGUMENT for a mesh without triangles, an index out of range or a corner that is not finite, VP_E_MEMORY */
vp_status vp_space_make(const vp_triangles *mesh, vp_space *out, vp_error *error);
void vp_space_drop(vp_space *s);

/* The distance from the surface, and the nearest triangle in the tree's order. `near` is a triangle that may be near, or 0. */
double vp_space_distance(const vp_space *s, const double p[3], uint32_t near, uint32_t *triangle);

/* The winding number of a closed mesh around a point, which is `distance` away from it. @return false if rounding hides it */
bool vp_space_winding(const vp_space *s, const double p[3], double distance, int32_t *winding);

/* Lists the triangles whose boxes touch a closed box, in the tree's order. @return their number, which may exceed `room` */
uint32_t vp_space_gather(const vp_space *s, const double low[3], const double high[3], uint32_t *out, uint32_t room);

/* The squared distance from a point to a triangle, which may have no area. */
double vp_triangle_distance2(const double corner[3][3], const double p[3]);

#endif
