/* SPDX-License-Identifier: MIT */
/* Normals of the surface that a triangle's answer can get (correct.c). */
#ifndef VP_NARROWPHASE_CONNECT_H
#define VP_NARROWPHASE_CONNECT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kernel/narrowphase.h>

#include "src/core/real3.h"

struct vp_terrain_edges;

/* A corner that reaches less far than the farthest by at most this part of the longest edge counts as equally far. */
#define VP_AS_FAR 1e-3

/* Directions that differ by at most 2^-21 are equal. */
#define VP_SAME_NORMAL 0x1p-21
#define VP_SAME_SQUARE 0x1.0000000000001p-42 /* the largest number whose root is VP_SAME_NORMAL */

static inline bool vp_is_none(vp_vec3 a)
{
    return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f;
}

/* Whether two directions differ by at most VP_SAME_NORMAL. */
static inline bool vp_is_same_normal(vp_vec3 a, vp_vec3 b)
{
    const vp_real3 d = vp_real3_sub(vp_real3_of(a), vp_real3_of(b));
    return vp_real3_dot(d, d) <= VP_SAME_SQUARE;
}

/* All listed triangles. If there are many, corners are put into buckets by a hash of their place. */
typedef struct vp_triangles_around {
    const vp_collide_triangle *triangle;
    uint32_t count;
    bool has_buckets;
    uint32_t
        *first; /* [3 * count], 1 + first corner of each bucket, 0 = empty. A corner's number is 3*triangle + corner. NULL = no memory */
    uint32_t *next;                       /* [3 * count], 1 + next corner of the same bucket */
    const struct vp_terrain_edges *edges; /* of a terrain, whose triangles are not listed. NULL = other triangles */
} vp_triangles_around;

/* The part of a triangle that reaches farthest along a direction. */
typedef struct vp_triangle_part {
    int edge, corner; /* edge or corner, both -1 = the face */
} vp_triangle_part;

/* From a corner to another. */
static inline vp_real3 vp_real_edge(const vp_vec3 corner[3], int from, int to)
{
    return vp_real3_sub(vp_real3_of(corner[to]), vp_real3_of(corner[from]));
}

static inline vp_triangle_part vp_find_furthest(const vp_collide_triangle *t, vp_vec3 u)
{
    double reach[3], max = -INFINITY, square = 0.0;
    for (int k = 0; k < 3; k++) {
        const vp_real3 edge = vp_real_edge(t->corner, k, (k + 1) % 3);
        const double length = vp_real3_dot(edge, edge);
        reach[k] = vp_real3_dot(vp_real3_of(u), vp_real_edge(t->corner, 0, k));
        max = reach[k] > max ? reach[k] : max;
        square = length > square ? length : square;
    }
    const double min = max - VP_AS_FAR * sqrt(square);
    vp_triangle_part found = {-1, -1};
    for (int k = 0; k < 3; k++) {
        const bool here = reach[k] >= min, next = reach[(k + 1) % 3] >= min, last = reach[(k + 2) % 3] >= min;
        if (here && next && !last)
            found.edge = k;
        if (here && !next && !last)
            found.corner = k;
    }
    return found;
}

/* Bits of the edges that determine the normal of a part. */
unsigned vp_edges_of_part(vp_triangle_part p);
/* The normal of the surface for the kernel's normal u, whose part is p. */
vp_vec3 vp_correct_normal(const vp_collide_triangle *t, vp_triangle_part p, vp_vec3 u, vp_triangles_around *around);
/* The normals of the triangle and of the triangles across the convex edges of its part. @return their number */
int vp_list_side_normals(const vp_collide_triangle *t, vp_triangle_part p, vp_vec3 out[4]);
/* Whether u is a normal of the surface at the triangle's nearest feature. Then no other triangle is nearer. */
bool vp_is_of_surface(const vp_collide_triangle *t, uint32_t feature, vp_vec3 u, vp_triangles_around *around);

#endif
