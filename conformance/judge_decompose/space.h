/* SPDX-License-Identifier: MIT */
/* The mesh that hulls are judged by: how far its surface is, and how often it winds around a place. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_SPACE_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernel/kd.h>

#include "src/core/error.h"

/* A node of a tree of boxes over triangles: two children, or some triangles. */
typedef struct vp_space_node {
    double low[3], high[3];
    uint32_t first; /* triangle, in the tree's order; or the second child, where the first is the next node */
    uint32_t count; /* of triangles; 0: it has children */
} vp_space_node;

typedef struct vp_space {
    double middle[3], extent; /* of the box of all corners; all places here are relative to the middle */
    double (*corner)[3][3];   /* of triangles, in the tree's order */
    uint32_t *number;         /* of each of those, the mesh's number */
    bool *again;              /* and whether it is there only once more: winding numbers are without it */
    vp_space_node *node;
    uint32_t triangles, nodes;
    bool closed;
    uint32_t open_edges, open_edge[2];
} vp_space;

/* @return VP_E_ARGUMENT for a mesh without triangles, with an index that is too high or a corner that is not finite; VP_E_MEMORY.
   Drop it, also after a failure. O(T log^2 T). */
vp_status vp_space_make(const vp_triangles *mesh, vp_space *out, vp_error *error);
void vp_space_drop(vp_space *s);

/* How far the surface is, and by which triangle, in the tree's order. `near` is one that may be near, 0 if none is known. */
double vp_space_distance(const vp_space *s, const double p[3], uint32_t near, uint32_t *triangle);

/* How often a closed mesh winds around a place that is `distance` away from it. @return false if roundings do not let it be told */
bool vp_space_winding(const vp_space *s, const double p[3], double distance, int32_t *winding);

/* The triangles whose boxes meet a closed box, in the tree's order. @return how many, which may be more than `room` */
uint32_t vp_space_gather(const vp_space *s, const double low[3], const double high[3], uint32_t *out, uint32_t room);

/* The square of how far a point is from a triangle, which may be without area. */
double vp_triangle_distance2(const double corner[3][3], const double p[3]);

#endif
