/* SPDX-License-Identifier: MIT */
/* The vertices of a convex hull as CGAL finds them, whose predicates are exact. */
#ifndef VP_TESTS_SUPPORT_CGAL_VERTICES_H
#define VP_TESTS_SUPPORT_CGAL_VERTICES_H

#include <stdint.h>

#include <voxphys/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The places of the points that are in the hull of no others, of a set with a volume, each once and in no order. CGAL's surface has points
   in the middle of faces and of edges as well; these are told by how many planes meet at them, and left out.
   @param out  room for `count`
   @return how many; 0 if CGAL gives up */
uint32_t cgal_vertices(const vp_vec3 *point, uint32_t count, vp_vec3 *out);

#ifdef __cplusplus
}
#endif

#endif
