/* SPDX-License-Identifier: MIT */
/* Dilation in plain C. The algorithms of dilation_pass.h and dilation_rows10.h. */
#include "optimized/broadphase/slices_plain.h"

#include "optimized/broadphase/dilation_kernels.h"
