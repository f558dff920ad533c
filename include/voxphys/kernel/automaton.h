/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_AUTOMATON_H
#define VOXPHYS_KERNEL_AUTOMATON_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file
 *  Kernel of count rules: the number of equal neighbours among 26 decides birth and survival. Details:
 *  docs/kernels/automaton.md, docs/CONTRACT.md, AUT-7, AUT-8. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum species. */
#define VP_COUNT_RULE_MAX 126u

/** Rule of a species. Bit n = n of the 26 neighbours are of the species. */
typedef struct vp_count_sets {
    uint32_t survive; /**< A cell stays. At other counts it becomes empty. Bits 0 to 26. */
    uint32_t born;    /**< An empty cell becomes this species. */
} vp_count_sets;

/** Job of count_rule. Cell (x, y, z) is byte (y*size.z + z)*size.x + x. 0 = empty, 1 to `species` = species, higher = wall
 *  (AUT-8). */
typedef struct vp_count_job {
    vp_dims size; /**< > 0. */
    const uint8_t *cell;
    uint8_t *out;                         /**< Another array. */
    uint32_t species;                     /**< Up to VP_COUNT_RULE_MAX. */
    const vp_count_sets *rules;           /**< By species, from 1 on. The lowest born species wins. [species] */
    uint32_t first_layer;                 /**< Lowest y to compute. */
    uint32_t layer_count;                 /**< 0 = up to the highest. */
    const struct vp_count_planes *planes; /**< NULL. For the library. */
} vp_count_job;

static_assert(sizeof(vp_count_sets) == 8, "size");

/** Computes one step of a count rule. */
typedef void vp_count_rule_fn(const vp_count_job *job);

/* clang-format off */
/** Kernels. */
#define VP_AUTOMATON_KERNELS(K)                                                                   \
    K(count_rule, count, ALL, "Voxel automaton", "cells",                                         \
      "Computes a step of a count rule: every cell counts its neighbours.")
/** Operations. */
#define VP_AUTOMATON_OPERATIONS(O)                                                                \
    O(grow_step, "Voxel automaton", "living voxels",                                              \
      "Computes steps of an automaton: rules of living voxels, conflicts, one update.")
/* clang-format on */

VP_AUTOMATON_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
