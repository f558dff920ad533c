/* SPDX-License-Identifier: MIT */
/* The triangles that a kernel makes, in an order that is theirs and not the kernel's. */
#ifndef VP_HULL_SURFACE_H
#define VP_HULL_SURFACE_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernel/hull.h>

/* A closed surface of triangles. */
typedef struct vp_hull_surface {
    uint32_t vertices;
    uint32_t triangles;
    uint32_t *vertex;      /* of each vertex, its point; ascending */
    vp_vec3 *place;        /* and where it is */
    uint32_t (*corner)[3]; /* vertices, counterclockwise seen from outside */
    uint32_t (*beside)[3]; /* the triangle beyond the edge from corner[t][i] to corner[t][(i + 1) % 3] */
    double (*normal)[4];   /* (b - a) x (c - a), and its length, which is twice the area */
} vp_hull_surface;

/* How a triangle lies to its neighbours, as bits. */
enum {
    VP_FOLD_NONE = 7, /* bits 0 to 2: beyond that edge the surface goes on in the same plane, exactly */
    VP_FOLD_NEAR = 8  /* one of the other neighbours may lie near its plane, or it near the neighbour's */
};

/* Bytes that a surface takes, and lays its arrays into these. 16-byte aligned. */
size_t vp_surface_bytes(size_t vertices, size_t triangles);
void vp_surface_lay(vp_hull_surface *s, uint32_t vertices, uint32_t triangles, void *memory);

/* Bytes of scratch for sorting. */
size_t vp_surface_scratch_bytes(size_t points, size_t triangles);

/* Numbers the points that are corners of triangles as vertices; lets each triangle begin with its lowest one; and sorts triangles by
   that, then by the second. `out` is laid out for as many triangles; its vertices are counted. O(points + triangles). */
void vp_surface_sort(const vp_hull_triangle *triangle, const vp_vec3 *point, uint32_t points, void *scratch, vp_hull_surface *out);

/* Sets the normals. */
void vp_surface_find_normals(vp_hull_surface *s);

/* How each triangle lies to its neighbours: a plane is near that is no further than `near` away. `longest` is the longest side of the
   vertices' box, or more. @return the bits of all triangles */
uint8_t vp_surface_find_folds(const vp_hull_surface *s, double near, double longest, uint8_t *fold);

#endif
