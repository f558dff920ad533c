/* SPDX-License-Identifier: MIT */
/* Reduces the vertices of a hull, and moves planes until they contain all points. */
#ifndef VP_HULL_LIMIT_H
#define VP_HULL_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernel/hull.h>

/* Limits of a choice of vertices. The first limit that is reached ends it. */
typedef struct vp_hull_limits {
    uint32_t max_vertices; /* maximum number of vertices, at least 4 */
    double error;          /* ends when no vertex is farther than this from the hull of the chosen ones, 0 = no limit */
    uint64_t max_work;     /* maximum number of comparisons of a vertex with a plane or an edge, checked once per vertex */
} vp_hull_limits;

/* Chooses vertices of a hull of three dimensions, and builds the hull of those. It starts with four that are far apart.
 * Then it adds the vertex farthest from the hull so far, until a limit is reached. O(V log V) for V vertices normally.
 * @param place  the vertices' positions: extreme points, not all in one plane
 * @param scratch  vp_hull_limit_bytes, aligned for doubles
 * @param triangle  receives a closed surface, the exact hull of the chosen vertices. Capacity
 *                  vp_hull3_max_triangles(vertices).
 * @param error  receives the distance of the farthest other vertex from the hull, rounded up. 0 if there is none.
 * @param work  receives the number of vertex-plane comparisons. If it exceeds `max_work`, the other results
 *              are invalid.
 * @return number of triangles: 2 * chosen vertices - 4 */
uint32_t vp_hull_limit(const vp_vec3 *place, uint32_t vertices, const vp_hull_limits *limits, void *scratch, vp_hull_triangle *triangle,
                       double *error, uint64_t *work);
size_t vp_hull_limit_bytes(uint32_t vertices);

/* The same for a polygon of at least three corners. `corner` lists points in order around it and receives the corners
 * kept, from the lowest on. O(V log V) for V corners normally.
 * @return number of corners kept */
uint32_t vp_hull_limit_polygon(const vp_vec3 *point, uint32_t *corner, uint32_t corners, const vp_hull_limits *limits, void *scratch,
                               double *error, uint64_t *work);
size_t vp_hull_limit_polygon_bytes(uint32_t corners);

/* Moves planes outwards until no point is above any. Each plane goes to the farthest point along its normal, plus a
 * margin for rounding. Scratch is aligned for doubles. `work` receives the number of comparisons of a point or box with
 * a plane. Once it exceeds `max_work`, the remaining planes are unchanged. O(n log n + p sqrt(n)) for n points and p
 * planes normally.
 * @return the largest movement */
double vp_hull_contain(double (*plane)[4], uint32_t planes, const vp_vec3 *point, uint32_t count, void *scratch, uint64_t max_work,
                       uint64_t *work);
size_t vp_hull_contain_bytes(uint32_t count);

#endif
