/* SPDX-License-Identifier: MIT */
/* Checks by exact signs (test_exact.c) that a hull is the hull of its points. */
#ifndef VP_TESTS_SUPPORT_HULL_ORACLE_H
#define VP_TESTS_SUPPORT_HULL_ORACLE_H

#include <voxphys/hull.h>

/* Fails the test, and prints `what`, unless a hull of dimension 3 is the hull of the points. These checks and the counts
   determine the hull:

   - the surface is closed, with one inside
   - no point is outside a triangle's plane, and no triangle is without area
   - vertices are the first points in their places, and at least three planes meet at each corner
   - the polygons of faces belong to them

   With many points and triangles only some pairs are checked, and all neighbours, which is enough for the surface. */
void oracle_check_hull(const char *what, const vp_vec3 *point, uint32_t count, const vp_hull *hull);

/* Fails the test if a vertex is farther than some tolerances from all faces' polygons, whether it is a face's corner or not.
   @return the largest distance in tolerances. O(vertices * corners). */
double oracle_check_corners(const char *what, const vp_vec3 *point, const vp_hull *hull);

/* Fails the test if two hulls differ in any bit. */
void expect_same_hull(const char *what, const vp_hull *got, const vp_hull *want);

/* The hull of a def. Every kernel set that runs here must return the same bits. */
vp_hull hull_by_all(const char *what, vp_hull_def def);

#endif
