/* SPDX-License-Identifier: MIT */
/* A kernel's triangles in an order that does not depend on the kernel. */
#ifndef VP_HULL_SURFACE_H
#define VP_HULL_SURFACE_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernel/hull.h>

/* A closed surface of triangles. */
typedef struct vp_hull_surface {
    uint32_t vertices;
    uint32_t triangles;
    uint32_t *vertex;      /* point of each vertex, ascending */
    vp_vec3 *place;        /* position of each vertex */
    uint32_t (*corner)[3]; /* vertices, counterclockwise from outside */
    uint32_t (*beside)[3]; /* the triangle beyond the edge from corner[t][i] to corner[t][(i + 1) % 3] */
    double (*normal)[4];   /* (b - a) x (c - a), and its length, which is twice the area */
} vp_hull_surface;

/* Bits that describe how a triangle lies to its neighbours. */
enum {
    VP_FOLD_NONE = 7, /* bits 0 to 2: the neighbour across that edge is exactly in the same plane */
    VP_FOLD_NEAR = 8  /* another neighbour may lie near its plane, or it near the neighbour's */
};

/* vp_surface_bytes returns the bytes of a surface. vp_surface_lay places its arrays in that memory, 16-byte aligned. */
size_t vp_surface_bytes(size_t vertices, size_t triangles);
void vp_surface_lay(vp_hull_surface *s, uint32_t vertices, uint32_t triangles, void *memory);

/* Bytes of scratch for vp_surface_sort. */
size_t vp_surface_scratch_bytes(size_t points, size_t triangles);

/* Numbers the corners of triangles as vertices. Rotates each triangle so that its lowest vertex is first, and sorts
 * triangles by the first vertex, then the second. `out` is laid out for the triangles, and its vertices are counted.
 * O(points + triangles). */
void vp_surface_sort(const vp_hull_triangle *triangle, const vp_vec3 *point, uint32_t points, void *scratch, vp_hull_surface *out);

/* Computes the normals. */
void vp_surface_find_normals(vp_hull_surface *s);

/* Computes the fold bits of each triangle. A corner is near a plane up to a distance of `near`. `longest` is at least
 * the longest side of the vertices' box.
 * @return the union of all bits */
uint8_t vp_surface_find_folds(const vp_hull_surface *s, double near, double longest, uint8_t *fold);

#endif
