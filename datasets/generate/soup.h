/* SPDX-License-Identifier: MIT */
/* Random triangles that are as hostile as possible. */
#ifndef VP_GENERATE_SOUP_H
#define VP_GENERATE_SOUP_H

#include "datasets/generate/model.h"
#include "datasets/random.h"

/* Makes the kinds of soup in turn. Kinds 0 and 1 are triangles between few places of a small lattice. Many have no area, or lie in one
 * plane, on one line, or are repeated. Kind 2 is the closed surface of lattice cells. Kind 3 is similar, but cells may touch at edges,
 * some triangles are missing and others are flipped. All scales occur, also far from the origin and with slightly moved corners.
 * Coordinates are finite in binary32. */
void vp_soup_make(vp_model *model, uint32_t kind, vp_random *random);

#endif
