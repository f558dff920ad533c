/* SPDX-License-Identifier: MIT */
/* Worlds, edits and boxes for tests, and the kernel tables to test. All random data depends only on the generator's state. */
#ifndef VP_TESTS_SUPPORT_SAMPLES_H
#define VP_TESTS_SUPPORT_SAMPLES_H

#include <voxphys/kernels.h>
#include <voxphys/world.h>

#include "datasets/random.h"

enum { TEST_SHAPES = 12 };

/* Extents of worlds in chunks, odd ones and ones near the widths of SIMD kernels. */
extern const vp_dims test_shapes[TEST_SHAPES];

/* A world of air. */
vp_world *test_world(uint32_t chunks_x, uint32_t chunks_y, uint32_t chunks_z, const vp_allocator *allocator);
/* A world of thick solid, water and air regions with scattered single voxels. With enough chunks it has all classes. */
vp_world *test_random_world(vp_random *r, vp_dims chunks, const vp_allocator *allocator);
/* A random edit of a voxel, a box or a sphere, to air, water or solid, also across the world's border. Some change nothing,
   some change everything. */
void test_random_edit(vp_random *r, vp_world *world, vp_chunk_set *stale);
vp_voxel test_random_voxel(vp_random *r);

/* A valid box of any kind: a point, integer faces, outside, thin, huge, infinite. */
vp_aabb test_random_box(vp_random *r, vp_dims size);
/* Also invalid boxes, with NaN or min > max. */
vp_aabb test_hostile_box(vp_random *r, vp_dims size);

/* A named set of kernels. */
typedef struct test_table {
    const char *name;
    vp_kernels kernels;
} test_table;

enum { TEST_TABLES_MAX = 9 };

/* Whether this machine can run a set, so that its answers are compared. Under an emulator, which is slow, only native sets are. SIMDe
 * sets there have other tests, for digests and for the memory they access. */
bool test_isa(vp_isa isa);
/* Fills `out` with those sets, scalar first. Prints "not run" for sets that this machine cannot run. @return their number */
size_t test_tables(test_table out[TEST_TABLES_MAX]);

#endif
