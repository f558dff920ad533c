/* SPDX-License-Identifier: MIT */
/* The data sets of hulls: points of a family ("ball") with 16, 64, 256, ... points up to the manifest's count. They have the scales 1e-5,
 * 1 and 1e6, and are around the origin or a thousand times their extent away. A single count at scale 1 has a name like "ball/1000". */
#ifndef VP_POINT_SETS_H
#define VP_POINT_SETS_H

#include <stdint.h>

#include <voxphys/geometry.h>

#include "datasets/datasets.h"

/* Several sets of points in one array. */
typedef struct vp_point_sets {
    uint32_t count;
    uint32_t *first; /* index of each set's first point, and the end */
    vp_vec3 *point;
} vp_point_sets;

/* The maximum number of points of a set named by its count. */
enum { VP_POINT_SETS_MAX = 1 << 24 };

/* The number of scales and of places. Place 0 is the origin, place 1 is far away. Set number (n * SCALES + s) * PLACES + p of a family
 * has the n-th count (16 is the first), scale s and place p. */
enum { VP_POINT_SETS_SCALES = 3, VP_POINT_SETS_PLACES = 2 };
extern const float vp_point_sets_scale[VP_POINT_SETS_SCALES], vp_point_sets_place[VP_POINT_SETS_PLACES];
uint32_t vp_point_sets_size(uint32_t n);

/* Frees sets. All-zero sets are a no-op. */
void vp_point_sets_destroy(vp_point_sets *sets);

#endif
