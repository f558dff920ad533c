/* SPDX-License-Identifier: MIT */
/* Dilation on NEON. The algorithms of dilation_pass.h and dilation_rows10.h. */
#include "optimized/broadphase/slices_neon.h"

#include "optimized/broadphase/dilation_kernels.h"
