/* SPDX-License-Identifier: MIT */
/* A hull with fewer vertices, and planes around all points. */
#ifndef VP_HULL_LIMIT_H
#define VP_HULL_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernel/hull.h>

/* Where a choice of vertices ends: whichever comes first. */
typedef struct vp_hull_limits {
    uint32_t most;     /* vertices, at least 4 */
    double error;      /* no vertex is further than this from the hull of those that are chosen; 0: none is given */
    uint64_t max_work; /* how often a vertex may be compared with a plane or an edge, looked at once a vertex */
} vp_hull_limits;

/* Chooses vertices of a hull of three dimensions, and makes theirs: four that are far apart, then always the one that is furthest from
   the hull so far, until a limit is reached.
     place     of each vertex: extreme points, not all in one plane
     scratch   aligned for doubles, vp_hull_limit_bytes
     triangle  out: a closed surface around the chosen ones, their exact hull; room for vp_hull3_most_triangles(vertices)
     error     out: how far the furthest of the others is from it, rounded up; 0 if there are none
     work      out: how often a vertex was compared with a plane; if it is more than `max_work`, nothing else is of use
   O(V log V) for V vertices, as a rule. @return how many triangles: two for each that was chosen, but four. */
uint32_t vp_hull_limit(const vp_vec3 *place, uint32_t vertices, const vp_hull_limits *limits, void *scratch, vp_hull_triangle *triangle,
                       double *error, uint64_t *work);
size_t vp_hull_limit_bytes(uint32_t vertices);

/* The same for a polygon, of three corners at least: the others are taken out of `corner`, points in their order around it from the
   lowest on. O(V log V) for V corners, as a rule. @return how many are left */
uint32_t vp_hull_limit_polygon(const vp_vec3 *point, uint32_t *corner, uint32_t corners, const vp_hull_limits *limits, void *scratch,
                               double *error, uint64_t *work);
size_t vp_hull_limit_polygon_bytes(uint32_t corners);

/* Moves planes outwards until no point is above any, by rounding neither: as far as the furthest point along each normal. Scratch is
   aligned for doubles. `work` is how often a point or a box of points was compared with a plane; once it is more than `max_work`, the rest
   is left as it is. O(n log n + p sqrt(n)) for n points and p planes, as a rule. @return by how much at most */
double vp_hull_contain(double (*plane)[4], uint32_t planes, const vp_vec3 *point, uint32_t count, void *scratch, uint64_t max_work,
                       uint64_t *work);
size_t vp_hull_contain_bytes(uint32_t count);

#endif
