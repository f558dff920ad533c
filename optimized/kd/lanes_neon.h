/* SPDX-License-Identifier: MIT */
/* The older names on NEON. */
#ifndef VP_OPTIMIZED_KD_LANES_NEON_H
#define VP_OPTIMIZED_KD_LANES_NEON_H

#include "optimized/simd/neon.h"

#include "optimized/kd/lanes.h"

/* Bit i is the top bit of lane i. */
static inline uint32_t lanes_bits(uint32x4_t low, uint32x4_t high)
{
    return m32x8_movemask((m32x8){low, high});
}

#endif
