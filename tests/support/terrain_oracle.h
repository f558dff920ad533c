/* SPDX-License-Identifier: MIT */
/* Answers of a terrain, by brute force over one mesh of all its chunks. There is no tree, broadphase or top level. The mesh comes from
 * the scalar mesher. */
#ifndef VP_TESTS_SUPPORT_TERRAIN_ORACLE_H
#define VP_TESTS_SUPPORT_TERRAIN_ORACLE_H

#include <voxphys/mesh.h>
#include <voxphys/terrain.h>

#include "datasets/random.h"

typedef struct terrain_oracle {
    vp_mesh mesh;
    vp_triangles triangles;
    vp_terrain_triangle_id *of; /* chunk and triangle of each triangle in the mesh */
} terrain_oracle;

/* chunks all 0 = the whole world. */
void terrain_oracle_make(const vp_world *world, vp_surface surface, vp_ivec3 first, vp_dims chunks, terrain_oracle *out);
void terrain_oracle_free(terrain_oracle *o);

/* Converts a hit of the whole mesh to its chunk. */
vp_terrain_hit terrain_oracle_hit(const terrain_oracle *o, vp_hit hit);
vp_terrain_hit terrain_oracle_closest(const terrain_oracle *o, const vp_ray *ray);
/* Ascending by t, then by chunk, then by number. @return their number, at most `capacity` */
uint32_t terrain_oracle_all(const terrain_oracle *o, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity);
vp_terrain_hit terrain_oracle_touched(const terrain_oracle *o, const vp_ray *ray, float radius);
/* Ascending. @return their number */
uint32_t terrain_oracle_overlapping(const terrain_oracle *o, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity);

/* Whether `got` is the hit's triangle. Without a hit it is not checked. */
bool terrain_is_triangle(const terrain_oracle *o, const vp_terrain_hit *hit, const vp_terrain_triangle *got);

/* Whether two hits are equal, bit for bit. */
bool terrain_same_hit(const vp_terrain_hit *a, const vp_terrain_hit *b);
/* Sorts the result of a gather, to compare it with the above. */
void terrain_sort(vp_terrain_triangle_id *list, uint32_t count);

/* A ray near a world of `size` voxels, often along axes, between integers, from outside, or from a corner of the surface. */
vp_ray terrain_random_ray(vp_random *r, const terrain_oracle *o, vp_dims size);

/* Makes one random query of a terrain, and fails the test if the answer is not the oracle's. */
void terrain_expect(vp_terrain *terrain, vp_surface surface, const terrain_oracle *o, vp_random *r);

/* Makes one random edit of both worlds. `other` has its own functions. */
void terrain_random_edit(vp_random *r, vp_terrain *terrain, vp_dims size, vp_world *other);

#endif
