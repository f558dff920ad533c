/* SPDX-License-Identifier: MIT */
/* The data sets of hulls: points of a family ("ball"), of many counts, at three scales, and as many far from the origin. One count
 * alone, at scale 1, is named with its family: "ball/1000". */
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

/* Makes the sets of a family and checks their hash, as vp_dataset_world does: of 16, 64, 256, ... points up to the manifest's count, at
   scales 1e-5, 1 and 1e6, around the origin and a thousand times their extent away. Or the one set of a family and a count.
   @return VP_E_ARGUMENT also for a count that is no whole number from 4 to VP_POINT_SETS_MAX. */
vp_status vp_dataset_points(const vp_manifest *manifest, const char *name, vp_point_sets *out, vp_error *error);

struct vp_random;

/* Small sets that are as degenerate as they can be: on lattices, in planes and on lines, in few places, with the last bits shaken, of all
   scales. The next ones of a generator. VP_E_MEMORY. */
vp_status vp_fuzz_points(struct vp_random *random, vp_point_sets *out, vp_error *error);

/* Frees sets; ones that are all zero bytes are left alone. */
void vp_point_sets_destroy(vp_point_sets *sets);

/* XXH3-64 of the decoded content, little-endian: how many sets, and of each how many points, and these. */
uint64_t vp_point_sets_hash(const vp_point_sets *sets);

#endif
