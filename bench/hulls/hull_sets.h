/* SPDX-License-Identifier: MIT */
/* The sets of points that hulls are made of, by our kernels and by other libraries. */
#ifndef VP_BENCH_HULL_SETS_H
#define VP_BENCH_HULL_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/suite.h"

/* Who makes hulls of a set beside the reference and the best of our versions that this machine has. */
enum { VP_HULL_BY_OURS = 1, VP_HULL_BY_PEERS = 2 };

typedef struct vp_hull_set {
    const char *family, *count;
    int by; /* all of our versions, other libraries, both */
} vp_hull_set;

/* What targets are about, and every family from 100 points to a million, to see how time grows. NULL: there are no more. */
const vp_hull_set *vp_hull_set_at(size_t i);

/* Whether a kernel that looks at points once, or in the plane, is measured on a set. */
bool vp_hull_set_is_of_kernel(const vp_hull_set *set, vp_kernel_id kernel);

/* Whether a set can be had: of a real mesh, that its file is there. */
bool vp_hull_set_is_there(const vp_hull_set *set);

/* What a label says of the hash of points that the manifest does not know: " data=0123456789abcdef"; else nothing. */
typedef struct vp_hull_set_text {
    char text[24];
} vp_hull_set_text;
vp_hull_set_text vp_hull_set_hash(const vp_hull_set *set, const vp_suite_set *workload);

/* The points. They are the suite's. */
vp_status vp_hull_set_open(vp_suite *suite, const vp_hull_set *set, vp_suite_set *out, vp_error *error);

/* Hulls of the sets of all families, of no more than about `most` points each, at all scales and places, by
   ours and by every library. Written to stdout as JSON. @param seconds  that each has for each set */
vp_status vp_hull_survey(uint32_t most, unsigned seconds, vp_error *error);

#endif
