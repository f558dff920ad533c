/* SPDX-License-Identifier: MIT */
/* The sets of points for the hulls of our kernels and of other libraries. */
#ifndef VP_BENCH_HULL_SETS_H
#define VP_BENCH_HULL_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/suite.h"

/* The makers of a set's hulls besides the reference and our fastest version that this machine supports. */
enum { VP_HULL_BY_OURS = 1, VP_HULL_BY_PEERS = 2 };

typedef struct vp_hull_set {
    const char *family, *count;
    int by; /* our versions, other libraries, or both */
} vp_hull_set;

/* Returns a set of the performance targets, or a family at a size between 100 points and a million. Returns NULL after the last one. */
const vp_hull_set *vp_hull_set_at(size_t i);

/* Returns whether a kernel that processes points once, or in the plane, is measured on a set. */
bool vp_hull_set_is_of_kernel(const vp_hull_set *set, vp_kernel_id kernel);

/* Returns whether a set is available. The set of a real mesh needs the mesh's file. */
bool vp_hull_set_is_there(const vp_hull_set *set);

/* The part of a label with the hash of points that are not in the manifest (" data=0123456789abcdef"). Empty for points of the manifest. */
typedef struct vp_hull_set_text {
    char text[24];
} vp_hull_set_text;
vp_hull_set_text vp_hull_set_hash(const vp_hull_set *set, const vp_suite_set *workload);

/* Opens the points, which the suite owns. */
vp_status vp_hull_set_open(vp_suite *suite, const vp_hull_set *set, vp_suite_set *out, vp_error *error);

/* Makes hulls of sets of all families, up to about `most` points each, at all scales and positions, with our code and with every library.
 * Writes JSON to stdout. @param seconds limit per library and set */
vp_status vp_hull_survey(uint32_t most, unsigned seconds, vp_error *error);

#endif
