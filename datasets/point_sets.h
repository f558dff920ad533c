/* SPDX-License-Identifier: MIT */
/* The data sets of hulls: points of a family ("ball"), of 16, 64, 256, ... points up to the manifest's count, at scales 1e-5, 1 and 1e6,
 * around the origin and a thousand times their extent away. One count alone, at scale 1, is named with its family: "ball/1000". */
#ifndef VP_POINT_SETS_H
#define VP_POINT_SETS_H

#include <stdint.h>

#include <voxphys/geometry.h>

#include "datasets/datasets.h"

/* Sets of points, one behind the other. */
typedef struct vp_point_sets {
    uint32_t count;
    uint32_t *first; /* of each set, where its points begin; one more for the end */
    vp_vec3 *point;
} vp_point_sets;

/* The most points of a set that is named by its count. */
enum { VP_POINT_SETS_MAX = 1 << 24 };

/* All scales and places, 0 or how many times the extent from the origin; and the n-th count, 16 being the first: of a family's sets, number
   (n * SCALES + s) * PLACES + p is of the n-th count at scale s in place p. */
enum { VP_POINT_SETS_SCALES = 3, VP_POINT_SETS_PLACES = 2 };
extern const float vp_point_sets_scale[VP_POINT_SETS_SCALES], vp_point_sets_place[VP_POINT_SETS_PLACES];
uint32_t vp_point_sets_size(uint32_t n);

/* "1000" -> 1000; 0 if it is no whole number from 4 to VP_POINT_SETS_MAX. */
uint32_t vp_point_count_of(const char *text);

/* Frees sets; ones that are all zero bytes are left alone. */
void vp_point_sets_destroy(vp_point_sets *sets);

#endif
