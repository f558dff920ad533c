/* SPDX-License-Identifier: MIT */
/* Groups the triangles of a hull's surface into faces. */
#ifndef VP_HULL_FACES_H
#define VP_HULL_FACES_H

#include <stdbool.h>
#include <stddef.h>

#include "src/hull/outline.h"
#include "src/hull/surface.h"

/* The faces of an exact hull, here called facets. Each is one triangle, or a fan of triangles that follow each other in
 * the surface. */
typedef struct vp_facets {
    const vp_hull_surface *surface;
    uint32_t count;
    bool triangles;     /* every facet is a triangle */
    vp_outline outline; /* outline of the facets, built only when needed if all are triangles */
    double (*plane)[4]; /* normal by the polygon's area, of length 1, and the largest reach of its corners along it */
    double *size;       /* twice the area */
    uint8_t *fold;      /* VP_FOLD_NEAR or 0 */
} vp_facets;

/* The first of a facet's triangles. The fan begins with the polygon's first three corners. */
static inline uint32_t vp_facet_triangle(const vp_facets *facets, uint32_t facet)
{
    return facets->triangles ? facet : facets->outline.first[facet] - 2 * facet;
}

/* Computes planes and sizes. */
void vp_hull_find_planes(const vp_facets *facets);

/* Whether any facet may join a neighbour whose corners are all up to a distance from its plane. Tests one corner of each neighbour.
 * Planes and outline must exist. */
bool vp_hull_has_near(const vp_facets *facets, double near);

/* Labels triangles so that connected triangles in exactly one plane share a label. `fold` has one byte per triangle,
 * `stack` one word.
 * @return number of labels. O(triangles). */
uint32_t vp_hull_label_coplanar(const vp_hull_surface *surface, const uint8_t *fold, uint32_t *label, uint32_t *stack);

/* Labels facets by a tolerance. The largest facet takes in its neighbours, and their neighbours, as long as all their
 * corners are within the tolerance of its plane. Then the largest facet that is left starts the next group, and so on.
 * Areas are compared to one part in 256, and equal areas by facet number. A group stays without holes. A group that
 * ends with fewer than three corners is split again. The outline must exist.
 * @param meet  receives what vp_outline_merge needs of each vertex, if there are fewer labels than facets
 * @return number of labels. O(facets + edges) normally. */
uint32_t vp_hull_label_near(const vp_facets *facets, double tolerance, uint32_t *label, uint32_t *meet, void *scratch);

/* Bytes of scratch for vp_hull_label_near and vp_hull_find_flat, aligned for words. */
size_t vp_hull_label_near_bytes(size_t facets, size_t vertices);

/* Finds one of the larger facets such that the hull lies between its plane and a parallel one at
 * `distance`. O(vertices).
 * @return the facet, or UINT32_MAX if none of those tried fits */
uint32_t vp_hull_find_flat(const vp_facets *facets, double distance, void *scratch);

/* The plane of a face made of several facets: the normal by its polygon's area, of length 1 or 0, and the largest reach
 * of its corners along it. Takes the normals of two triangles from the surface if they are part of the polygon's fan. */
void vp_hull_plane(const vp_outline *faces, uint32_t face, const vp_hull_surface *surface, uint32_t some, uint32_t other, double plane[4]);

/* Coordinate of a point along a normal. */
static inline double vp_hull_along(const double normal[3], vp_vec3 p)
{
    return (normal[0] * (double)p.x + normal[1] * (double)p.y) + normal[2] * (double)p.z;
}

#endif
