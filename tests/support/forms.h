/* SPDX-License-Identifier: MIT */
/* Which meshes a packed or an implied tree can hold, told from what the headers say and without the code that makes
 * them; meshes that it can; and trees. */
#ifndef TEST_FORMS_H
#define TEST_FORMS_H

#include <stdbool.h>

#include <voxphys/kernel/kd.h>

#include "datasets/random.h"
#include "tests/support/triangles.h"

bool test_form_holds(vp_kd_form form, const vp_triangles *t);

/* A tree of each form that can hold the mesh (the others are refused) for each instruction set that runs here, its
   kernels as far as they are written for it.
   @return how many */
enum { TEST_MAX_TREES = VP_ISA_COUNT * VP_KD_FORM_COUNT };
int test_trees(const vp_triangles *t, vp_kd *tree[TEST_MAX_TREES]);
void test_trees_free(vp_kd *tree[TEST_MAX_TREES], int trees);

/* Triangles whose vertices are on a lattice, of another pitch and in another place each time. */
void test_lattice_soup(vp_random *r, uint32_t count, test_triangles *out);

/* A chunk's mesh as vp_mesh_chunk has it: of noise, a checkerboard, a sheet, a slope; never empty. Of a world with the
   chunk in another place each time. */
void test_chunk(vp_random *r, test_triangles *out);

/* One of each kind: a soup, a heap, its triangles each by itself, a soup on a lattice, a chunk. */
enum { TEST_MESHES = 5 };
void test_meshes(uint64_t seed, test_triangles out[TEST_MESHES]);
void test_meshes_free(test_triangles mesh[TEST_MESHES]);

#endif
