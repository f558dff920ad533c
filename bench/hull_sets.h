/* SPDX-License-Identifier: MIT */
/* The sets of points that hulls are made of, by our kernels and by other libraries. */
#ifndef VP_BENCH_HULL_SETS_H
#define VP_BENCH_HULL_SETS_H

#include <stddef.h>

typedef struct vp_hull_set {
    const char *family, *count;
} vp_hull_set;

/* Every family at 1,000 and 10,000 points, and some from 16 to a million, to see how time grows. */
extern const vp_hull_set vp_hull_sets[];
extern const size_t vp_hull_set_count;

#endif
