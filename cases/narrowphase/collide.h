/* SPDX-License-Identifier: MIT */
/* One shape at the places of a set, each with the triangles that its box meets. Also counts the faults in the answers of a kernel
 * or another library. */
#ifndef VP_CASES_NARROWPHASE_COLLIDE_H
#define VP_CASES_NARROWPHASE_COLLIDE_H

#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/shapes.h"
#include "datasets/pose_sets.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { VP_ASKED_SCALES = 4 };

/* Margin at scale 1. */
#define VP_ASKED_MARGIN 0.02f

typedef struct vp_collide_samples {
    vp_body_kind body;
    uint32_t places, pairs, scales;
    float scale[VP_ASKED_SCALES];
    vp_body_shape shape[VP_ASKED_SCALES];
    vp_oracle_shape oracle[VP_ASKED_SCALES];
    uint32_t *scale_of; /* of each place */
    uint32_t *first;    /* first pair of each place [places + 1] */
    vp_pose *pose;
    vp_collide_job *job; /* of each place, with room for its answers */
    vp_collide_triangle *triangle;
    vp_collide_result *answer;
} vp_collide_samples;

/* @return VP_E_MEMORY, or VP_E_ARGUMENT for a set with too many scales */
vp_status vp_collide_samples_create(vp_body_kind body, const vp_pose_set *set, vp_collide_samples *out, vp_error *error);
void vp_collide_samples_destroy(vp_collide_samples *asked);
/* Fills in invalid answers, so that missing ones are detected. */
void vp_collide_samples_spoil(vp_collide_samples *asked);

/* Pairs by the fault of their answers. */
typedef struct vp_collide_tally {
    uint64_t pairs, near; /* all pairs, and those reported within the margin */
    uint64_t fault[VP_FAULTS];
    double worst; /* largest error of the distance, as part of the size */
} vp_collide_tally;

/* Adds the pairs of a place.
 * @param band  tolerance as part of the size
 * @param overlaps_alone  pairs that are apart need no answer
 * @return the first fault, with *pair set, or VP_FAULT_NONE */
vp_collide_fault vp_collide_samples_judge(const vp_collide_samples *asked, uint32_t place, double band, bool overlaps_alone,
                                          vp_collide_tally *tally, uint32_t *pair);

#ifdef __cplusplus
}
#endif

/* Statistics of the narrowphase cases. */

/* Counts right and wrong answers of a case's work. It takes as long as the judge. */
vp_collide_tally vp_collide_case_tally(const void *work);

#endif
