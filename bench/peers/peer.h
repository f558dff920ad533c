/* SPDX-License-Identifier: MIT */
/* A library that people use instead, as a contender: it gets the same world, its result is compared with ours before it
 * is timed, and a sentence says what makes the comparison easy for whom. */
#ifndef VP_BENCH_PEER_H
#define VP_BENCH_PEER_H

#include <stdbool.h>

#include <voxphys/broadphase.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A peer for dilate_world. None of the functions throws; make and prepare return false without memory. */
typedef struct vp_dilation_peer {
    const char *name; /* "openvdb" */
    const char *note; /* version, settings, and whom the comparison favours */
    void *(*make)(const vp_world *world);   /* the world in the peer's form; NULL without memory */
    bool (*prepare)(void *work);            /* what each run needs afresh, and no result of the last; not timed */
    void (*run)(void *work);                /* dilates solid and water; timed */
    /* How many chunks of the world have other masks than the broadphase's, after a run. */
    uint64_t (*differences)(const void *work, const vp_broadphase *broadphase);
    void (*drop)(void *work); /* accepts NULL */
} vp_dilation_peer;

extern const vp_dilation_peer vp_peer_openvdb, vp_peer_leptonica;

#ifdef __cplusplus
}
#endif

#endif
