/* SPDX-License-Identifier: MIT */
/* The triangles of an answer as a surface: which vertices they have, which of these are one, and what hangs
 * together. */
#ifndef VP_CONFORMANCE_SHAPES_CLOSED_H
#define VP_CONFORMANCE_SHAPES_CLOSED_H

#include "src/core/error.h"
#include "conformance/shapes/shapes.h"

typedef struct vp_shell {
    vp_vec3 *place;   /* of the vertices that triangles have; others do not matter */
    uint32_t *number; /* and what the answer calls them */
    uint32_t places;
    uint32_t (*corner)[3]; /* places */
    uint32_t *part;        /* of each triangle: what hangs together by edges, from 0. Of vp_shell_close */
    uint32_t triangles, parts;
} vp_shell;

/* An edge of a triangle: its lower end and its higher one, and which way it is gone along. */
typedef struct vp_half_edge {
    uint32_t low, high;
    int32_t way;
    uint32_t triangle;
} vp_half_edge;

/* The first vertex of a triangle that is not finite, in words, if there is one. */
void vp_check_finite(const vp_vec3 *vertex, const uint32_t *number, uint32_t triangles, char reason[VP_REASON_BYTES]);

/* Triangles whose corners are so many of these vertices, all finite. Where they are welded, vertices in one
   place are one, and triangles that have a place twice are left out: they have no area, and no edge that is
   not gone along both ways. Drop it, also after a failure. */
vp_status vp_shell_make(const vp_vec3 *vertex, uint32_t vertices, const uint32_t *number, uint32_t triangles, bool weld, vp_shell *out,
                        vp_error *error);
void vp_shell_drop(vp_shell *s);

/* The edges of triangles, sorted by their ends. Free them; NULL without memory. */
vp_half_edge *vp_shell_edges(const vp_shell *s);

/* Whether each edge is gone along as often one way as the other, and which part each triangle is of: `part`
 * is filled, if there is nothing wrong. */
vp_status vp_shell_close(vp_shell *s, char reason[VP_REASON_BYTES], vp_error *error);

/* Triangles of points by number are the hull of points in a plane: one side of the polygon, or both, each
   without an overlap, a gap or a triangle that has no area. */
vp_status vp_check_flat(const vp_asked_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES],
                        vp_error *error);

#endif
