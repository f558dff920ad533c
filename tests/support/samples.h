/* SPDX-License-Identifier: MIT */
/* Worlds, edits and boxes to test with, and the kernel tables to test. All random data is a function of the generator's
   state. */
#ifndef VP_TESTS_SUPPORT_SAMPLES_H
#define VP_TESTS_SUPPORT_SAMPLES_H

#include <voxphys/kernels.h>
#include <voxphys/world.h>

#include "datasets/random.h"

enum { TEST_SHAPES = 12 };

/* Extents of worlds, in chunks: odd ones, and ones about the widths that SIMD kernels work in. */
extern const vp_dims test_shapes[TEST_SHAPES];

/* A world of air. */
vp_world *test_world(uint32_t chunks_x, uint32_t chunks_y, uint32_t chunks_z, const vp_allocator *allocator);
/* A world of thick solid, water and air regions with single voxels strewn over it: given enough chunks, all tags. */
vp_world *test_random_world(vp_random *r, vp_dims chunks, const vp_allocator *allocator);
/* One random edit: a voxel, a box or a sphere, of air, water or solid, also across the world's border; now and then one
   that changes nothing, and one of everything. */
void test_random_edit(vp_random *r, vp_world *world, vp_chunk_set *stale);
vp_voxel test_random_voxel(vp_random *r);

/* A box of any kind that is valid: points, whole-number faces, outside, thin, huge, infinite. */
vp_aabb test_random_box(vp_random *r, vp_dims size);
/* Also invalid ones: NaN, min > max. */
vp_aabb test_hostile_box(vp_random *r, vp_dims size);

/* A set of kernels by name. */
typedef struct test_table {
    const char *name;
    vp_kernels kernels;
} test_table;

enum { TEST_TABLES_MAX = 8 };

/* Whether a set is one of those whose answers are compared: this machine can run it. Under an emulator, where everything takes long,
 * only native ones are; of what runs through SIMDe there the digests of answers are looked at, and the memory that it touches. */
bool test_isa(vp_isa isa);
/* Those sets, scalar first; prints "not run" for the ones that this machine cannot run. @return how many */
size_t test_tables(test_table out[TEST_TABLES_MAX]);

#endif
