/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_AUTOMATON_H
#define VOXPHYS_KERNEL_AUTOMATON_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file kernel/automaton.h
 *  Kernel of count rules.  Games use automaton.h and leave the tables NULL.
 *  Details: docs/kernels/automaton.md, docs/CONTRACT.md, AUT-7 and AUT-8. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of species of a count rule. */
#define VP_COUNT_RULE_MAX 126u

/** Rule of one species. Bit n stands for n cells of the species among the 26 neighbours. */
typedef struct vp_count_sets {
    uint32_t survive; /**< Counts at which a cell stays. At others it becomes empty. Bits 0 to 26. */
    uint32_t born;    /**< Counts at which an empty cell becomes this species. */
} vp_count_sets;

/** Job of count_rule. Cell (x, y, z) is byte (y*size.z + z)*size.x + x. 0 = empty, 1 to `species` = species, higher = wall. Walls stay,
 *  and are not counted. Cells outside count as empty. */
typedef struct vp_count_job {
    vp_dims size;               /**< Size of the grid, in cells, > 0. */
    const uint8_t *cell;        /**< Cells before the step. */
    uint8_t *out;               /**< Cells after the step, another array. */
    uint32_t species;           /**< Number of species, up to VP_COUNT_RULE_MAX. */
    const vp_count_sets *rules; /**< Rules of species 1 on. If several can be born in a cell, the lowest is. [species] */
} vp_count_job;

static_assert(sizeof(vp_count_sets) == 8, "as documented");

/** Computes one step of a count rule. Cost: O(cells). */
typedef void vp_count_rule_fn(const vp_count_job *job);

/* clang-format off */
/** Kernel rows. */
#define VP_AUTOMATON_KERNELS(K)                                                                   \
    K(count_rule, count, NONE, "Voxel automaton", "cells",                                        \
      "Makes a step of a count rule: every cell counts its neighbours, empty ones too.")
/** Operation rows. */
#define VP_AUTOMATON_OPERATIONS(O)                                                                \
    O(grow_step, "Voxel automaton", "living voxels",                                              \
      "Makes steps of an automaton: rules of living voxels, conflicts, one update.")
/* clang-format on */

VP_AUTOMATON_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
