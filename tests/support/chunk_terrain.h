/* SPDX-License-Identifier: MIT */
/* A terrain as kernels see it, built chunk by chunk, with broadphase, top level and trees. Trees exist, are made on request, or are freed
 * at the next request. The surface of all chunks is also one mesh. */
#ifndef VP_TESTS_SUPPORT_CHUNK_TERRAIN_H
#define VP_TESTS_SUPPORT_CHUNK_TERRAIN_H

#include <voxphys/voxphys.h>

#include "src/terrain/top.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/triangles.h"

typedef enum test_trees_there {
    TEST_ALL_THERE,  /* the table has every tree */
    TEST_SOME_THERE, /* the table has some trees, others are made and added */
    TEST_LAST_ONLY   /* no table, a tree is freed when the next one is found or made */
} test_trees_there;

typedef struct test_chunk_data {
    vp_vec3 *vertex;
    uint32_t *index;
    vp_kd *tree;
    uint32_t vertices, quads;
    uint32_t first_triangle; /* number in the whole mesh */
} test_chunk_data;

typedef struct test_terrain {
    vp_world *world;
    vp_surface surface;
    vp_ivec3 first;
    vp_dims chunks;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    terrain_oracle oracle;  /* the mesh of the box of chunks */
    vp_triangles triangles; /* view of the oracle's mesh */
    uint32_t chunk_count;   /* number of chunks in the world */
    test_chunk_data *chunk;
    const vp_kd_view **table, **now;
    /* state of the last query */
    test_trees_there mode;
    bool *asked, *known;
    vp_kd *last; /* copy of the last tree */
    vp_kernels kernels;
} test_terrain;

/* Takes the world, and builds a terrain of a box of its chunks. */
void test_terrain_begin(test_terrain *t, vp_world *world, vp_surface surface, vp_ivec3 first, vp_dims chunks, vp_kd_form form);
void test_terrain_end(test_terrain *t);

/* For one query, with `asked` cleared. The test fails if a query requests a tree that is in the table or outside the box. */
vp_terrain_view test_terrain_view(test_terrain *t, test_trees_there how, vp_random *r);

vp_ivec3 test_terrain_chunk_at(const test_terrain *t, uint32_t chunk);
/* Converts a hit of the whole mesh to its chunk. */
vp_terrain_hit test_terrain_of_mesh(const test_terrain *t, const vp_hit *hit);
void test_expect_hit(const vp_terrain_hit *got, const vp_terrain_hit *want);

/* Whether a voxel of a chunk with a set bit is within `slack` of the ray. Voxels at the chunk's border are half a voxel larger. */
bool test_near_set_bits(const test_terrain *t, uint32_t chunk, const vp_ray *ray, double slack);

/* Makes a ray of one kind. */
typedef vp_ray test_ray_fn(const test_terrain *t, vp_random *r);
/* A valid ray, near triangles as test_ray, or from and to anywhere. */
test_ray_fn test_terrain_ray;
/* At most 16 rays, and 16 half of the time. Often the rays are similar, from one place or from several. @return their number */
uint32_t test_terrain_packet(const test_terrain *t, vp_random *r, test_ray_fn *one, vp_ray ray[16]);

/* Noisy ground with holes under it, thin sheets, overhangs and all occupancies. */
vp_world *test_noisy_world(vp_random *r, vp_dims chunks);

#endif
