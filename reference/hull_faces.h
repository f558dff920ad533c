/* SPDX-License-Identifier: MIT */
/* Which parts of a hull's surface are one face. */
#ifndef VP_REFERENCE_HULL_FACES_H
#define VP_REFERENCE_HULL_FACES_H

#include <stddef.h>

#include <voxphys/geometry.h>

#include "reference/hull_outline.h"

/* Labels for triangles: those in exactly one plane that touch have the same. `place` is of each vertex, `stack` has a word a
   triangle. @return how many labels. O(triangles). */
uint32_t vp_hull_label_coplanar(const vp_outline *triangles, const vp_vec3 *place, uint32_t *label, uint32_t *stack);

/* The same for the faces of a hull, by a tolerance: the largest face takes in the faces around it as long as all their corners are
   within the tolerance of its plane; then the largest of those that are left, and so on. (Areas are compared to one part in 256;
   of equal ones the face with the lower number is first.) What is taken in stays without holes; a group that ends with fewer
   than three corners is taken apart again. `place` is of each of `vertices`. @return how many labels.
   O(faces + edges), as a rule. */
uint32_t vp_hull_label_near(const vp_outline *faces, const vp_vec3 *place, uint32_t vertices, double tolerance, uint32_t *label,
                            void *scratch);

/* Bytes of scratch for that, which is aligned for doubles. */
size_t vp_hull_label_near_bytes(size_t faces, size_t vertices);

/* Whether the hull lies between the plane of one of its larger faces and a parallel one within a distance. O(vertices).
   @return that face; UINT32_MAX: none of them */
uint32_t vp_hull_find_flat(const vp_outline *faces, const vp_vec3 *place, uint32_t vertices, double distance, void *scratch);

/* A face's plane: the normal by its polygon's area, of length 1 or 0, and the most that its corners reach along it.
   @return twice the area */
double vp_hull_plane(const vp_outline *faces, uint32_t face, const vp_vec3 *place, double plane[4]);

#endif
