/* SPDX-License-Identifier: MIT */
/* The convex hull of a small set of points by definition, in whole numbers: every plane through three of the points is tried. Sets of
 * points are bits, so that vertices and edges are told by what sets have in common, without any more geometry. */
#ifndef VP_TESTS_SUPPORT_POLYTOPE_H
#define VP_TESTS_SUPPORT_POLYTOPE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>

#include "tests/support/exact_oracle.h"

enum { POLYTOPE_MAX = 48, POLYTOPE_MAX_FACETS = 2 * POLYTOPE_MAX };

typedef struct polytope {
    const vp_vec3 *point;
    uint32_t count;
    bool wide;                   /* `at` does not hold the points; `numbers` is used */
    int64_t at[POLYTOPE_MAX][3]; /* from the lowest of each axis, in a unit of each axis; below 2^30 */
    exact_oracle *numbers;
    uint64_t same[POLYTOPE_MAX];              /* the points in the place of each */
    uint32_t rank;                            /* 0: all in one place; 1: on a line; 2: in a plane; 3 */
    uint64_t first;                           /* points that are the first in their places */
    uint64_t vertices;                        /* of those, the ones that are not in the hull of the others */
    uint32_t facets;                          /* of rank 3 */
    uint64_t facet[POLYTOPE_MAX_FACETS];      /* all points of each */
    uint32_t through[POLYTOPE_MAX_FACETS][3]; /* three of them that face outwards, counterclockwise */
} polytope;

/* Whether coordinates do not fit into 30 bits, of any unit and from any place, so that `numbers` is needed, which is slow. */
bool polytope_is_wide(const vp_vec3 *point, uint32_t count);

/* Finds it all. O(n^4), mostly O(n^3).
   @param numbers  begun by exact_oracle_begin */
void polytope_make(polytope *p, const vp_vec3 *point, uint32_t count, exact_oracle *numbers);

/* The side of the plane through three points on which a point lies, as exact_oracle_side tells it. */
int polytope_side(const polytope *p, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* The polygon around the points' shadows on the plane across an axis, counterclockwise seen from the axis' positive end: its corners,
   of points with one shadow the first, begun at the first point of all. @return how many; 1 or 2 if shadows are in one place, or on a line
 */
uint32_t polytope_shadow(const polytope *p, int axis, uint32_t corner[POLYTOPE_MAX]);

#endif
