/* SPDX-License-Identifier: MIT */
/* A library that makes convex hulls, as a contender: it gets the same points; what it makes is looked at by our validator before it is
 * timed, and what is wrong with it is told. */
#ifndef VP_BENCH_HULL_PEER_H
#define VP_BENCH_HULL_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A hull as triangles of places, for those who make new points too. */
typedef struct vp_hull_peer_mesh {
    vp_vec3 *place;
    uint32_t (*triangle)[3]; /* counterclockwise seen from outside */
    uint32_t places, triangles;
} vp_hull_peer_mesh;

/* None of the functions throws. */
typedef struct vp_hull_peer {
    const char *name; /* "qhull" */
    const char *version;
    const char *note; /* settings, and whom the comparison favours */
    /* The points in the peer's form; NULL without memory. */
    void *(*make)(const vp_vec3 *point, uint32_t count);
    /* Makes the hull; timed. The hull of the run before is dropped first. @return false if it refuses */
    bool (*run)(void *work);
    /* The hull of the last run; arrays by malloc. @return false without memory */
    bool (*mesh)(const void *work, vp_hull_peer_mesh *out);
    void (*drop)(void *work); /* accepts NULL */
} vp_hull_peer;

extern const vp_hull_peer vp_hull_peer_qhull, vp_hull_peer_cgal, vp_hull_peer_bullet;

#ifdef __cplusplus
}
#endif

#endif
