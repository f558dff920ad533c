/* SPDX-License-Identifier: MIT */
/* The older names on AVX2 and AVX-512. */
#ifndef VP_OPTIMIZED_KD_LANES_AVX2_H
#define VP_OPTIMIZED_KD_LANES_AVX2_H

#if defined(__AVX512VL__)
#include "optimized/simd/avx512.h"
#else
#include "optimized/simd/avx2.h"
#endif

#include "optimized/kd/lanes.h"

#endif
