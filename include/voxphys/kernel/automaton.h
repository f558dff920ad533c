/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_AUTOMATON_H
#define VOXPHYS_KERNEL_AUTOMATON_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file kernel/automaton.h
 *  Kernels of the voxel automaton (second article, "Voxel Seeds"): layouts, signatures, rows. The automaton itself, whose rules are C
 *  functions of living voxels, is in automaton.h. */

#ifdef __cplusplus
extern "C" {
#endif

/** The most species of a count rule. */
#define VP_COUNT_RULE_MAX 126u

/** What one species does, by how many of the 26 cells around are of it: bit n of a set is n of them. */
typedef struct vp_count_sets {
    uint32_t survive; /**< A cell of it stays if its count is in here, else it becomes empty. Bits 0 to 26. */
    uint32_t born;    /**< An empty cell becomes of it if its count is in here. */
} vp_count_sets;

/** One step of a count rule: the classic form of an automaton, in which every cell decides for itself, empty ones too. Cells are bytes
 *  in rows: (y*size.z + z)*size.x + x. 0 is empty, 1 to `species` are species, all higher ones are walls: they stay, and nobody counts
 *  them. Outside is nothing. */
typedef struct vp_count_job {
    vp_dims size;               /**< Any, not 0. */
    const uint8_t *cell;        /**< Before. */
    uint8_t *out;               /**< Out: after; not the same array. */
    uint32_t species;           /**< At most VP_COUNT_RULE_MAX. */
    const vp_count_sets *rules; /**< Of species 1 on. Of those that an empty cell could become, it becomes the lowest. */
} vp_count_job;

static_assert(sizeof(vp_count_sets) == 8, "as documented");

/** Makes one step: see vp_count_job. O(cells). */
typedef void vp_count_rule_fn(const vp_count_job *job);

/* clang-format off */
/** Its kernels: see versions.h for what a row says. */
#define VP_AUTOMATON_KERNELS(K)                                                                   \
    K(count_rule, count, NONE, "Voxel automaton", "cells",                                        \
      "Makes a step of a count rule: every cell counts its neighbours, empty ones too.")
/** Its whole operations. */
#define VP_AUTOMATON_OPERATIONS(O)                                                                \
    O(grow_step, "Voxel automaton", "living voxels",                                              \
      "Makes steps of an automaton: rules of living voxels, conflicts, one update.")
/* clang-format on */

VP_AUTOMATON_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
