/* SPDX-License-Identifier: MIT */
/* Makes random meshes that packed or implied trees can hold, and trees of all forms. */
#ifndef TEST_FORMS_H
#define TEST_FORMS_H

#include <voxphys/kernel/kd.h>

#include "datasets/random.h"
#include "tests/support/triangles.h"

/* Makes a tree of each form that can hold the mesh, for each instruction set that runs here. Packed and implied trees cannot hold
   every mesh. Each tree has the set's kernels where they exist.
   @return the number of trees */
enum { TEST_MAX_TREES = VP_ISA_COUNT * VP_KD_FORM_COUNT };
int test_trees(const vp_triangles *t, vp_kd *tree[TEST_MAX_TREES]);
void test_trees_free(vp_kd *tree[TEST_MAX_TREES], int trees);

/* Triangles with vertices on a lattice, whose pitch and place differ each time. */
void test_lattice_soup(vp_random *r, uint32_t count, test_triangles *out);

/* A chunk's mesh by vp_mesh_chunk, of noise, a checkerboard, a sheet or a slope, never empty. The chunk's place in its
   world differs each time. */
void test_chunk(vp_random *r, test_triangles *out);

#endif
