/* SPDX-License-Identifier: MIT */
/* What a library makes of the three shadows of a set of points, along x, y and z, beside the reference's polygons of them. */
#ifndef VP_BENCH_HULL2_TRIAL_H
#define VP_BENCH_HULL2_TRIAL_H

#include "bench/hulls/hull_trial.h"
#include "bench/peers/hull2_peer.h"

/* The libraries that are in this build; NULL behind the last. */
extern const vp_hull2_peer *const vp_hull2_peers[];

/* The reference's polygons. */
typedef struct vp_hull2_shadows {
    vp_hull2_polygon of[3];
} vp_hull2_shadows;

/* @return VP_E_MEMORY, with nothing to destroy */
vp_status vp_hull2_shadows_make(const vp_vec3 *point, uint32_t count, vp_hull2_shadows *out, vp_error *error);
void vp_hull2_shadows_destroy(vp_hull2_shadows *shadows);

/* A library at work. */
typedef struct vp_hull2_work {
    const vp_hull2_peer *peer;
    void *of[3];
    bool made[3]; /* by the last run */
} vp_hull2_work;

/* Gives the library its points. @return false without memory, with nothing to drop */
bool vp_hull2_work_make(const vp_hull2_peer *peer, const vp_vec3 *point, uint32_t count, vp_hull2_work *out);
void vp_hull2_work_run(vp_hull2_work *work); /* what is timed */
void vp_hull2_work_drop(vp_hull2_work *work);

/* Sums over the three. */
typedef struct vp_hull2_found {
    uint32_t refused; /* shadows that it makes nothing of; the others count those that it makes something of */
    uint32_t wanted;  /* corners that the reference has */
    uint32_t corners; /* that it has */
    uint32_t missing; /* of the reference's, those that it has not */
    uint32_t extra;   /* of its own, those that the reference has not, or that it has twice */
    uint32_t turned;  /* polygons whose corners go around in another order than the reference's */
} vp_hull2_found;

/* Adds what becomes of one polygon. Where it begins does not matter, nor which of points in one place it names. O(n^2) of corners. */
void vp_hull2_compare(const vp_hull2_polygon *reference, const vp_hull2_polygon *made, vp_hull2_found *found);

/* @return false without memory */
bool vp_hull2_look(const vp_hull2_work *work, const vp_hull2_shadows *reference, vp_hull2_found *out);

/* Whether there is nothing that differs. */
bool vp_hull2_is_equal(const vp_hull2_found *found);

typedef struct vp_hull2_trial {
    vp_hull_outcome outcome; /* valid: equal; refused: all three shadows */
    int signal;              /* of a crash */
    vp_hull2_found found;
} vp_hull2_trial;

/* Lets a library make the polygons, in a process of its own that may take so many seconds of the processor for all three.
   @return VP_E_IO without a process, VP_E_MEMORY */
vp_status vp_hull2_try(const vp_hull2_peer *peer, const vp_vec3 *point, uint32_t count, const vp_hull2_shadows *reference, unsigned seconds,
                       vp_hull2_trial *out, vp_error *error);

#endif
