/* SPDX-License-Identifier: MIT */
/* A terrain as kernels see it, put together chunk by chunk: broadphase, top level, and trees that are there, or are made when they
 * are asked for, or go when the next one is asked for; with the surface of all chunks as one mesh beside it. */
#ifndef VP_TESTS_SUPPORT_CHUNK_TERRAIN_H
#define VP_TESTS_SUPPORT_CHUNK_TERRAIN_H

#include <voxphys/voxphys.h>

#include "src/terrain/top.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/triangles.h"

typedef enum test_trees_there {
    TEST_ALL_THERE,  /* the table has every tree */
    TEST_SOME_THERE, /* it has some; others are made, and then it has them */
    TEST_LAST_ONLY   /* no table: a tree goes when the next is found or made */
} test_trees_there;

typedef struct test_chunk_data {
    vp_vec3 *vertex;
    uint32_t *index;
    vp_kd *tree;
    uint32_t vertices, quads;
    uint32_t first_triangle; /* in the whole mesh */
} test_chunk_data;

typedef struct test_terrain {
    vp_world *world;
    vp_surface surface;
    vp_ivec3 first;
    vp_dims chunks;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    terrain_oracle oracle;  /* of the box of chunks */
    vp_triangles triangles; /* its */
    uint32_t chunk_count;   /* of the world */
    test_chunk_data *chunk;
    const vp_kd_view **table, **now;
    /* the last query */
    test_trees_there mode;
    bool *asked, *known;
    vp_kd *last; /* a copy of what was given last */
    vp_kernels kernels;
} test_terrain;

/* Of a box of chunks of a world, which it takes over. */
void test_terrain_begin(test_terrain *t, vp_world *world, vp_surface surface, vp_ivec3 first, vp_dims chunks, vp_kd_form form);
void test_terrain_end(test_terrain *t);

/* For one query; `asked` is empty then. It fails the test if it is asked for what is there, or is outside. */
vp_terrain_view test_terrain_view(test_terrain *t, test_trees_there how, vp_random *r);

vp_ivec3 test_terrain_chunk_at(const test_terrain *t, uint32_t chunk);
/* What a hit of the whole mesh is in its chunk. */
vp_terrain_hit test_terrain_of_mesh(const test_terrain *t, const vp_hit *hit);
void test_expect_hit(const vp_terrain_hit *got, const vp_terrain_hit *want);

/* Whether some voxel of a chunk whose bit is set is within `slack` of the ray; those at its borders are half a voxel larger. */
bool test_near_set_bits(const test_terrain *t, uint32_t chunk, const vp_ray *ray, double slack);

/* Rays of one kind. */
typedef vp_ray test_ray_fn(const test_terrain *t, vp_random *r);
/* Near triangles, as test_ray, or from and to anywhere; valid. */
test_ray_fn test_terrain_ray;
/* Up to sixteen, half of the time that many; often alike, and then from one place or from places of their own. @return how many */
uint32_t test_terrain_packet(const test_terrain *t, vp_random *r, test_ray_fn *one, vp_ray ray[16]);

/* Ground with noise on it, and holes under it: thin sheets, overhangs, occupancies of all kinds. */
vp_world *test_noisy_world(vp_random *r, vp_dims chunks);

#endif
