/* SPDX-License-Identifier: MIT */
/* Which parts of a hull's surface are one face. */
#ifndef VP_HULL_FACES_H
#define VP_HULL_FACES_H

#include <stdbool.h>
#include <stddef.h>

#include "src/hull/outline.h"
#include "src/hull/surface.h"

/* The faces of an exact hull, here called facets: each is one triangle, or a fan of them, one behind the other in the surface. */
typedef struct vp_facets {
    const vp_hull_surface *surface;
    uint32_t count;
    bool triangles;     /* each is a triangle */
    vp_outline outline; /* of them; where each is a triangle only when it is asked for */
    double (*plane)[4]; /* the normal by the polygon's area, of length 1, and the most that its corners reach along it */
    double *size;       /* twice the area */
    uint8_t *fold;      /* VP_FOLD_NEAR or not */
} vp_facets;

/* The first of a facet's triangles: its fan begins with its polygon's first three corners. */
static inline uint32_t vp_facet_triangle(const vp_facets *facets, uint32_t facet)
{
    return facets->triangles ? facet : facets->outline.first[facet] - 2 * facet;
}

/* Sets planes and sizes. */
void vp_hull_find_planes(const vp_facets *facets);

/* Labels for triangles: those in exactly one plane that touch have the same. `fold` is of each triangle, `stack` has a word a
   triangle. @return how many labels. O(triangles). */
uint32_t vp_hull_label_coplanar(const vp_hull_surface *surface, const uint8_t *fold, uint32_t *label, uint32_t *stack);

/* The same for facets, by a tolerance: the largest takes in those around it as long as all their corners are within the tolerance of
   its plane; then the largest of those that are left, and so on. (Areas are compared to one part in 256; of equal ones the facet with
   the lower number is first.) What is taken in stays without holes; a group that ends with fewer than three corners is taken apart
   again. The outline must be there. @return how many labels. O(facets + edges), as a rule. */
uint32_t vp_hull_label_near(const vp_facets *facets, double tolerance, uint32_t *label, void *scratch);

/* Bytes of scratch for that, and for vp_hull_find_flat. Aligned for words. */
size_t vp_hull_label_near_bytes(size_t facets, size_t vertices);

/* Whether the hull lies between the plane of one of its larger facets and a parallel one within a distance. O(vertices).
   @return that facet; UINT32_MAX: none of them */
uint32_t vp_hull_find_flat(const vp_facets *facets, double distance, void *scratch);

/* The plane of a face that is made of several: the normal by its polygon's area, of length 1 or 0, and the most that its corners reach
   along it. */
void vp_hull_plane(const vp_outline *faces, uint32_t face, const vp_vec3 *place, double plane[4]);

/* How far a point is along a normal. */
static inline double vp_hull_along(const double normal[3], vp_vec3 p)
{
    return (normal[0] * (double)p.x + normal[1] * (double)p.y) + normal[2] * (double)p.z;
}

#endif
