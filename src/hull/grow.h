/* SPDX-License-Identifier: MIT */
/* A closed surface of triangles around points, to which points can be added. */
#ifndef VP_HULL_GROW_H
#define VP_HULL_GROW_H

#include <stdbool.h>

#include <voxphys/hull.h>

/* A triangle of the surface, or a free slot. */
typedef struct vp_hull_growing_face {
    uint32_t vertex[3];    /* points, counterclockwise from outside, with VP_HULL_NONE first in a free slot */
    uint32_t neighbour[3]; /* the face beyond the edge from vertex[i] to vertex[(i + 1) % 3] */
    uint32_t link;         /* next visible face, or next free slot */
    uint32_t look;         /* 2 * turn of the last point that it was tested for, plus 1 if that point sees it */
} vp_hull_growing_face;

/* The points and the surface so far. The owner allocates the arrays: with capacity for n points, `face` has 2 n
 * elements and `horizon` has n. */
typedef struct vp_hull_growing {
    vp_vec3 *point;
    uint32_t corners;           /* number of corners found */
    uint32_t corner[4];         /* points: two at different places, a third not on their line, a fourth not in their plane */
    vp_hull_growing_face *face; /* used from the fourth corner on */
    uint32_t used;              /* slots ever used */
    uint32_t free;              /* first free slot, or VP_HULL_NONE */
    uint32_t live;              /* number of faces */
    uint32_t last;              /* face where walks start */
    uint32_t turn;              /* number of points added */
    uint32_t *horizon;          /* indexed by the first point of each horizon edge: 4 * face + edge, of the face that is not visible */
    uint64_t walked, seen, beside, made, work;
} vp_hull_growing;

/* Resets to no points. Arrays and capacity stay. */
void vp_hull_grow_anew(vp_hull_growing *g);

/* Adds a point. All points with lower numbers must have been added. */
void vp_hull_grow(vp_hull_growing *g, uint32_t point);

/* Starts from an existing surface instead, whose vertices are `g->point`. @return false if they are all in one plane */
bool vp_hull_grow_on(vp_hull_growing *g, uint32_t points, const uint32_t (*triangle)[3], const uint32_t (*beside)[3], uint32_t triangles);

/* Writes the triangles. @return their number */
uint32_t vp_hull_grow_write(const vp_hull_growing *g, uint32_t *number, vp_hull_triangle *out);

/* A finished surface, for vp_hull_create_grown. */
typedef struct vp_hull_grown {
    const vp_hull_triangle *triangle;
    uint32_t triangles; /* 0 if all points are exactly in one plane */
    uint64_t work;
    vp_hull_cost cost;
} vp_hull_grown;

/* vp_hull_create for points whose bounds and triangles are known. The def's kernels must not be NULL. */
vp_status vp_hull_create_grown(const vp_hull_def *def, const vp_hull_bounds *bounds, const vp_hull_grown *grown, vp_hull *out,
                               vp_error *error);

#endif
