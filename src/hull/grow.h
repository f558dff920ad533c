/* SPDX-License-Identifier: MIT */
/* A closed surface of triangles around points, to which points are added. */
#ifndef VP_HULL_GROW_H
#define VP_HULL_GROW_H

#include <stdbool.h>

#include <voxphys/hull.h>

/* A triangle of it, or a free place. */
typedef struct vp_hull_growing_face {
    uint32_t vertex[3]; /* points, counterclockwise from outside; of a free place the first is VP_HULL_NONE */
    uint32_t beside[3]; /* the face beyond the edge from vertex[i] to vertex[(i + 1) % 3] */
    uint32_t link;      /* the next one among those that a point sees, or among free places */
    uint32_t look;      /* twice the last point's turn for which it was looked at, and 1 more if that sees it */
} vp_hull_growing_face;

/* The points and the surface so far. Arrays are the owner's: `face` has room for twice as many as points, `horizon` for as many. */
typedef struct vp_hull_growing {
    vp_vec3 *point;
    uint32_t corners;   /* how many of the next are found */
    uint32_t corner[4]; /* points: two in different places, a third that is not on their line, a fourth that is not in their plane */
    vp_hull_growing_face *face; /* from the fourth corner on */
    uint32_t used;              /* places that have been used */
    uint32_t free;              /* the first free one of these; VP_HULL_NONE */
    uint32_t live;              /* faces */
    uint32_t last;              /* a face to begin walks at */
    uint32_t turn;              /* of points that were taken in */
    uint32_t *horizon;          /* by its first point, each edge of the horizon: 4*face + edge of the face that is not seen */
    uint64_t walked, seen, beside, made, work;
} vp_hull_growing;

/* Without points. Arrays and room stay. */
void vp_hull_grow_anew(vp_hull_growing *g);

/* Takes a point in; those with lower numbers have been. */
void vp_hull_grow(vp_hull_growing *g, uint32_t point);

/* Begins, instead, with a surface that is there: `g->point` are its vertices. @return false if they are all in one plane */
bool vp_hull_grow_on(vp_hull_growing *g, uint32_t points, const uint32_t (*triangle)[3], const uint32_t (*beside)[3], uint32_t triangles);

/* Writes the triangles. @return how many */
uint32_t vp_hull_grow_tell(const vp_hull_growing *g, uint32_t *number, vp_hull_triangle *out);

/* A surface that has grown, for vp_hull_create_grown. */
typedef struct vp_hull_grown {
    const vp_hull_triangle *triangle;
    uint32_t triangles; /* 0 if all points are exactly in one plane */
    uint64_t work;
    vp_hull_cost cost;
} vp_hull_grown;

/* The hull of a def's points, of which the bounds and the triangles are known: as vp_hull_create, which makes them. The def's kernels are
   not NULL. */
vp_status vp_hull_create_grown(const vp_hull_def *def, const vp_hull_bounds *bounds, const vp_hull_grown *grown, vp_hull *out,
                               vp_error *error);

#endif
