/* SPDX-License-Identifier: MIT */
/* Triangles for tests of trees, and what is asked of them, by testing every one. */
#ifndef VP_TESTS_SUPPORT_TRIANGLES_H
#define VP_TESTS_SUPPORT_TRIANGLES_H

#include <stdbool.h>

#include <voxphys/kd.h>

#include "datasets/random.h"

/* Arrays of their own; `view` is over them. */
typedef struct test_triangles {
    vp_triangles view;
    vp_vec3 *vertex;
    uint32_t *index;
} test_triangles;

/* Random triangles of very different sizes in a cube of 64, some of them degenerate: corners that are one vertex, that
   lie on a line, the same triangle twice. */
void test_soup(vp_random *r, uint32_t count, test_triangles *out);
/* The closed surface of a heap of `voxels` random voxels with random occupancies, as quads. */
void test_heap(vp_random *r, uint32_t voxels, test_triangles *out);
/* The same triangles, each by itself. */
void test_unpaired(const test_triangles *quads, test_triangles *out);
void test_triangles_free(test_triangles *t);

void test_corners(const vp_triangles *t, uint32_t triangle, vp_vec3 corner[3]);

/* A ray near some triangles, and often in a special way: along axes, with components of zero and minus zero, through
   corners and along edges, from corners, from far away, of directions so short or long that they are near a float's ends. */
vp_ray test_ray(vp_random *r, const vp_triangles *t);

/* The same triangles for brute force. */
void test_soup_of(const vp_triangles *t, vp_triangle_soa *out);
void test_soup_free(vp_triangle_soa *soup);

/* ---- every triangle, one after the other ---- */

vp_hit test_closest(const vp_triangles *t, const vp_ray *ray);
/* Ascending by t, then by number. @return how many */
uint32_t test_all(const vp_triangles *t, const vp_ray *ray, vp_hit *out, uint32_t capacity);
vp_hit test_first_touched(const vp_triangles *t, const vp_ray *ray, float radius);
/* Ascending numbers. @return how many */
uint32_t test_overlapping(const vp_triangles *t, const vp_aabb *box, uint32_t *out);

#endif
