/* SPDX-License-Identifier: MIT */
/* What the hull of a set of points must be: that it is, and nothing else, by exact signs (test_exact.c). */
#ifndef VP_TESTS_SUPPORT_HULL_ORACLE_H
#define VP_TESTS_SUPPORT_HULL_ORACLE_H

#include <voxphys/hull.h>

/* Fails the test, by name, if a hull of dimension 3 is not that of the points: a closed surface with one inside; no point outside
   of a triangle's plane; no triangle without area; vertices that are the first points in their places, and corners where at least three
   planes meet; faces whose polygons are theirs. With the counts, that is the hull, and no other is. Of many points and triangles
   some pairs; and all of neighbours, which is enough for the surface. */
void oracle_check_hull(const char *what, const vp_vec3 *point, uint32_t count, const vp_hull *hull);

/* Fails the test if a vertex, corner of a face or not, is further than some tolerances from all faces' polygons.
   @return how many tolerances the furthest one is. O(vertices * corners). */
double oracle_check_corners(const char *what, const vp_vec3 *point, const vp_hull *hull);

/* Fails the test if two hulls are not the same, bit for bit. */
void expect_same_hull(const char *what, const vp_hull *got, const vp_hull *want);

/* The hull of a def, by every set of kernels that runs here: the same bits. */
vp_hull hull_by_all(const char *what, vp_hull_def def);

#endif
