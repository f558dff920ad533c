/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_AUTOMATON_H
#define VOXPHYS_KERNEL_AUTOMATON_H

#include <voxphys/geometry.h>
#include <voxphys/kernel/sets.h>

/** @file kernel/automaton.h
 *  Kernels of the voxel automaton (second article, "Voxel Seeds"): layouts, signatures, rows. */

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/** Its kernels: see sets.h for what a row says. */
#define VP_AUTOMATON_KERNELS(K)
/** Its whole operations. */
#define VP_AUTOMATON_OPERATIONS(O)
/* clang-format on */

VP_AUTOMATON_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
