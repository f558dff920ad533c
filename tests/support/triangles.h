/* SPDX-License-Identifier: MIT */
/* Triangles for tests of trees, and their queries by brute force. */
#ifndef VP_TESTS_SUPPORT_TRIANGLES_H
#define VP_TESTS_SUPPORT_TRIANGLES_H

#include <stdbool.h>

#include <voxphys/kd.h>

#include "datasets/random.h"

/* Separate arrays, with `view` over them. */
typedef struct test_triangles {
    vp_triangles view;
    vp_vec3 *vertex;
    uint32_t *index;
} test_triangles;

/* Random triangles of very different sizes in a cube of 64. Some are degenerate, with equal vertices, with corners on a line, or
   twice the same. */
void test_soup(vp_random *r, uint32_t count, test_triangles *out);
/* The same triangles without sharing. */
void test_unpaired(const test_triangles *quads, test_triangles *out);
void test_triangles_free(test_triangles *t);

void test_corners(const vp_triangles *t, uint32_t triangle, vp_vec3 corner[3]);

/* A ray near some triangles, and often a special one. Such rays go along an axis, have components of zero and minus zero, or pass through
   corners or along edges. They start at a corner or far away, or have a direction nearly as short or as long as a float allows. */
vp_ray test_ray(vp_random *r, const vp_triangles *t);

/* ---- brute force ---- */

vp_hit test_closest(const vp_triangles *t, const vp_ray *ray);
/* Ascending by t, then by number. @return their number */
uint32_t test_all(const vp_triangles *t, const vp_ray *ray, vp_hit *out, uint32_t capacity);
vp_hit test_first_touched(const vp_triangles *t, const vp_ray *ray, float radius);
/* Ascending numbers. @return their number */
uint32_t test_overlapping(const vp_triangles *t, const vp_aabb *box, uint32_t *out);

#endif
