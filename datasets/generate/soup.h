/* SPDX-License-Identifier: MIT */
/* Triangles by chance, as hostile as they can be. */
#ifndef VP_GENERATE_SOUP_H
#define VP_GENERATE_SOUP_H

#include "datasets/generate/model.h"
#include "datasets/random.h"

/* Kinds in turn. 0, 1: triangles between few places of a small lattice, many without area, in one plane, on one line, or there twice.
   2: cells of a lattice, a closed surface. 3: the same, which may touch at edges, without some of its triangles, others turned over. Of all
   scales, also far away, and with corners moved by a hair. Coordinates are finite in binary32. */
void vp_soup_make(vp_model *model, uint32_t kind, vp_random *random);

#endif
