/* SPDX-License-Identifier: MIT */
/* The faces of the exact hull of few points, by gift wrapping. */
#ifndef VP_HULL_WRAP_H
#define VP_HULL_WRAP_H

#include "src/hull/outline.h"

enum {
    VP_WRAP_POINTS = 32, /* most points */
    VP_WRAP_FACES = 2 * VP_WRAP_POINTS - 4,
    VP_WRAP_EDGES = 3 * VP_WRAP_FACES /* most half-edges */
};

/* Faces in the order in which they were found. */
typedef struct vp_wrapped {
    uint32_t faces, edges, used; /* `used` is the set of vertices */
    uint64_t work;               /* at most as many tests of a point with a plane */
    uint32_t on[VP_WRAP_FACES];  /* points in the plane of each face, perhaps without some within an edge */
    uint8_t first[VP_WRAP_FACES + 1];
    uint8_t from[VP_WRAP_EDGES]; /* point where each half-edge starts */
    uint8_t face[VP_WRAP_EDGES];
    uint8_t edge[VP_WRAP_POINTS * VP_WRAP_POINTS]; /* half-edge from i to j at i * VP_WRAP_POINTS + j, undefined if none */
} vp_wrapped;

/* Wraps up to VP_WRAP_POINTS finite points that are not exactly in one plane. O(faces * points). */
void vp_hull_wrap(const vp_vec3 *point, uint32_t count, const vp_hull_bounds *bounds, vp_wrapped *out);

/* Writes the faces in the order of vp_outline_merge, and the vertices, into an outline and a surface that are laid out for them. */
void vp_wrapped_write(const vp_wrapped *w, const vp_vec3 *point, vp_outline *o, vp_hull_surface *s);

#endif
