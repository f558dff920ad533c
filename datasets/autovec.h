/* SPDX-License-Identifier: MIT */
/* The reference kernels, compiled again from the same source and auto-vectorised (see cmake/autovec.cmake). */
#ifndef VP_DATASETS_AUTOVEC_H
#define VP_DATASETS_AUTOVEC_H

#include <voxphys/kernels.h>

/* Returns the best instruction set of this machine with an auto-vectorised reference, or VP_ISA_COUNT without one. */
vp_isa vp_autovec_isa(void);

/* Puts the vectorised version of one kernel into a table. Returns false if this set has none. */
bool vp_autovec_use(vp_kernels *table, vp_kernel_id kernel, vp_isa isa);

#endif
