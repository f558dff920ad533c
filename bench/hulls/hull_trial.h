/* SPDX-License-Identifier: MIT */
/* What becomes of a set of points that a library is given: in a process of its own, for libraries crash and do not come to an end. */
#ifndef VP_BENCH_HULL_TRIAL_H
#define VP_BENCH_HULL_TRIAL_H

#include <voxphys/hull.h>

#include "bench/peers/hull_peer.h"

/* How far outside of a hull a point may be and how deep a valley, of the points' extent; and of which triangles nobody looks at the
   planes: those whose height is no more than this part of their length have none to speak of. */
#define VP_HULL_ALLOWED 1e-6
#define VP_HULL_SLIVER  1e-5

/* The libraries that are in this build; NULL behind the last. */
extern const vp_hull_peer *const vp_hull_peers[];

/* What a library made, looked at: `places` and no triangles are a hull too, if all points are in that one place or on that segment. */
typedef struct vp_hull_found {
    uint32_t faults;   /* vp_hull_fault bits */
    uint32_t vertices; /* that triangles have */
    uint32_t triangles;
    double outside; /* the furthest that a point is outside, of the extent; 0: none */
} vp_hull_found;

/* Looks at a library's hull. Its triangles' corners are counted from `count` on afterwards.
   @param flat  of points that are in a plane, or on a line or in one place, their hull by us; otherwise NULL. Of a polygon with two sides
                triangles may lie on each other, if only each edge is gone along as often one way as the other; their planes say
                nothing, and a vertex is outside if it is far from all edges
   @return VP_E_UNSUPPORTED if it made nothing at all, VP_E_MEMORY */
vp_status vp_hull_look(const vp_vec3 *point, uint32_t count, const vp_hull *flat, vp_hull_peer_mesh *mesh, vp_hull_found *out, vp_error *error);

/* A hull of ours as a library's: its vertices and triangles. Arrays by malloc. @return false without memory */
bool vp_hull_mesh_of(const vp_hull *hull, const vp_vec3 *point, vp_hull_peer_mesh *out);

typedef enum vp_hull_outcome {
    VP_HULL_VALID,
    VP_HULL_FAULTY,
    VP_HULL_REFUSED, /* the library says so, or makes nothing */
    VP_HULL_CRASHED,
    VP_HULL_LATE /* it took longer than it may */
} vp_hull_outcome;

typedef struct vp_hull_trial {
    vp_hull_outcome outcome;
    int signal;          /* of a crash */
    vp_hull_found found; /* of valid and faulty hulls */
} vp_hull_trial;

/* Lets a library make a hull, in a process that may take so many seconds of the processor, and not much longer by the clock.
   @return VP_E_IO without a process, VP_E_MEMORY if there was none to look at what it made */
vp_status vp_hull_try(const vp_hull_peer *peer, const vp_vec3 *point, uint32_t count, const vp_hull *flat, unsigned seconds, vp_hull_trial *out,
                      vp_error *error);

/* The longest side of the points' box. */
double vp_hull_extent(const vp_vec3 *point, uint32_t count);

/* Hulls of the sets of all families, of no more than about `most` points each, at all scales and places, by ours and by every library.
   Written to stdout as JSON. @param seconds  that each has for each set */
vp_status vp_hull_survey(uint32_t most, unsigned seconds, vp_error *error);

#endif
