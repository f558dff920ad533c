/* SPDX-License-Identifier: MIT */
/* Prototypes of every version of every kernel, for the files that define them and the registry that lists them. Programs reach them
   through tables: the library does not export them. */
#ifndef VP_CORE_KERNEL_FUNCTIONS_H
#define VP_CORE_KERNEL_FUNCTIONS_H

#include <voxphys/kernels.h>

#define VP_DECLARE(k, i)  vp_##k##_fn vp_##k##_##i;
#define VP_DECLARE_REF(k) VP_DECLARE(k, scalar)
VP_KERNELS(VP_DECLARE_REF, VP_DECLARE)

#endif
