/* SPDX-License-Identifier: MIT */
/* The older names on WebAssembly's 128 bits. */
#ifndef VP_OPTIMIZED_KD_LANES_SIMD128_H
#define VP_OPTIMIZED_KD_LANES_SIMD128_H

#include "optimized/simd/simd128.h"

#include "optimized/kd/lanes.h"

/* Bit i is the top bit of lane i. */
static inline uint32_t lanes_bits(v128_t low, v128_t high)
{
    return m32x8_movemask((m32x8){low, high});
}

#endif
