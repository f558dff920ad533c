/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_SPHERETREE_H
#define VOXPHYS_KERNEL_SPHERETREE_H

#include <voxphys/geometry.h>
#include <voxphys/kernel/sets.h>

/** @file kernel/spheretree.h
 *  Kernels of the sphere tree (second article, "Scene Collision Detection"): layouts, signatures, rows. */

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/** Its kernels: see sets.h for what a row says. */
#define VP_SPHERETREE_KERNELS(K)
/** Its whole operations. */
#define VP_SPHERETREE_OPERATIONS(O)
/* clang-format on */

VP_SPHERETREE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
