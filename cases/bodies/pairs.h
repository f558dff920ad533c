/* SPDX-License-Identifier: MIT */
/* Pairs of shapes at the places of a set: two shapes of one size, near each other, touching or overlapping. */
#ifndef VP_CASES_BODIES_PAIRS_H
#define VP_CASES_BODIES_PAIRS_H

#include <voxphys/shapes.h>

#include "cases/narrowphase/collide.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pairs of bodies: P(first, second, name). */
#define VP_PAIR_LIST(P)                                                                                                                    \
    P(SPHERE, SPHERE, "sphere-sphere")                                                                                                     \
    P(SPHERE, CAPSULE, "sphere-capsule")                                                                                                   \
    P(SPHERE, BOX, "sphere-box")                                                                                                           \
    P(SPHERE, CYLINDER, "sphere-cylinder")                                                                                                 \
    P(SPHERE, HULL16, "sphere-hull16")                                                                                                     \
    P(CAPSULE, CAPSULE, "capsule-capsule")                                                                                                 \
    P(CAPSULE, BOX, "capsule-box")                                                                                                         \
    P(CAPSULE, CYLINDER, "capsule-cylinder")                                                                                               \
    P(CAPSULE, HULL16, "capsule-hull16")                                                                                                   \
    P(BOX, BOX, "box-box")                                                                                                                 \
    P(BOX, CYLINDER, "box-cylinder")                                                                                                       \
    P(BOX, HULL16, "box-hull16")                                                                                                           \
    P(CYLINDER, CYLINDER, "cylinder-cylinder")                                                                                             \
    P(CYLINDER, HULL16, "cylinder-hull16")                                                                                                 \
    P(HULL16, HULL16, "hull16-hull16")                                                                                                     \
    P(HULL64, HULL64, "hull64-hull64")
enum { VP_PAIRS = 16 };

/* Their names, NULL past the end. */
extern const char *const vp_pair_names[VP_PAIRS + 1];

typedef struct vp_pairs {
    uint32_t count, scales;
    float scale[VP_ASKED_SCALES];
    vp_body_shape shape[2][VP_ASKED_SCALES];
    uint32_t *scale_of;          /* scale of each place [count] */
    vp_manifold_body (*body)[2]; /* both shapes of each place [count] */
    float *margin;               /* [count] */
} vp_pairs;

/* Returns the number of the pair that a name ends with, as "sphere-box" after a slash, VP_PAIRS = none. */
uint32_t vp_pair_of(const char *name);

/* Makes the pairs of a set. At each place both shapes touch a plane from either side, with the place's gap between them. The points that
 * touch it lie one above the other, so a gap that is not negative is the distance. Faces of the parallel family lie on each other.
 * @param pair  a number of vp_pair_names
 * @return VP_E_MEMORY, VP_E_ARGUMENT for a set with too many scales */
vp_status vp_pairs_create(uint32_t pair, const vp_pose_set *set, vp_pairs *out, vp_error *error);
void vp_pairs_destroy(vp_pairs *pairs);

/* Counts the faults in the answers of a case's work, by an oracle that shares no code with them. */
vp_collide_tally vp_pairs_case_tally(const void *work);

#ifdef __cplusplus
}
#endif

#endif
