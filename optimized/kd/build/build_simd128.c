/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction on WebAssembly's 128 bits. The idea is in kd/build/build.h. */
#include "optimized/simd/simd128.h"

#include "optimized/kd/build/build.h"
