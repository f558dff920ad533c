/* SPDX-License-Identifier: MIT */
/* Which meshes a packed or an implied tree can hold, told from what the headers say and without the code that makes
 * them; and meshes that it can. */
#ifndef TEST_FORMS_H
#define TEST_FORMS_H

#include <stdbool.h>

#include <voxphys/kernel/kd.h>

#include "datasets/random.h"
#include "tests/support/triangles.h"

bool test_form_holds(vp_kd_form form, const vp_triangles *t);

/* Triangles whose vertices are on a lattice, of another pitch and in another place each time. */
void test_lattice_soup(vp_random *r, uint32_t count, test_triangles *out);

/* A chunk's mesh as vp_mesh_chunk has it: of noise, a checkerboard, a sheet, a slope; never empty. Of a world with the
   chunk in another place each time. */
void test_chunk(vp_random *r, test_triangles *out);

#endif
