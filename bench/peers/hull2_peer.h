/* SPDX-License-Identifier: MIT */
/* A library that makes convex hulls in the plane, as a contender: it gets the same shadow of the same points; its corners are compared
 * with the reference's before it is timed, and what differs is told. */
#ifndef VP_BENCH_HULL2_PEER_H
#define VP_BENCH_HULL2_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Corners in the plane's coordinates, counterclockwise. */
typedef struct vp_hull2_polygon {
    double (*corner)[2];
    uint32_t corners;
} vp_hull2_polygon;

/* None of the functions throws. */
typedef struct vp_hull2_peer {
    const char *name; /* "qhull" */
    const char *version;
    const char *note; /* settings, and whom the comparison favours */
    bool exact;       /* it claims to have no corner wrong: what differs is an error, and no result */
    /* The points' shadow in the peer's form, of which point.axis[0] is x and point.axis[1] is y; NULL without memory. */
    void *(*make)(const vp_vec3 *point, uint32_t count, const uint32_t axis[2]);
    /* Makes the hull; timed. The hull of the run before is dropped first. @return false if it refuses */
    bool (*run)(void *work);
    /* The hull of the last run that did not refuse; the array by malloc. @return false without memory */
    bool (*corners)(const void *work, vp_hull2_polygon *out);
    void (*drop)(void *work); /* accepts NULL */
} vp_hull2_peer;

extern const vp_hull2_peer vp_hull2_peer_qhull, vp_hull2_peer_cgal;

#ifdef __cplusplus
}
#endif

#endif
