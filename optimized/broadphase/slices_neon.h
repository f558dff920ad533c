/* SPDX-License-Identifier: MIT */
/* NEON's own step of dilation. It shifts bytes, so rows of 8 need no masks, and shift-and-insert brings in the neighbour's bit for free.
 * The step of slices.h takes 8 instructions instead of 6. */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_NEON_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_NEON_H

#include "optimized/simd/neon.h"

#define VP_OWN_DILATE_X

VP_INLINE u64x2 dilate_x2(u64x2 left, u64x2 mid, u64x2 right)
{
    const uint8x16_t l = vreinterpretq_u8_u64(left), m = vreinterpretq_u8_u64(mid), r = vreinterpretq_u8_u64(right);
    const uint8x16_t up = vsliq_n_u8(vshrq_n_u8(l, 7), m, 1), down = vsriq_n_u8(vshlq_n_u8(r, 7), m, 1);
    return vreinterpretq_u64_u8(vorrq_u8(m, vorrq_u8(up, down)));
}

VP_INLINE u64x4 dilate_x4(u64x4 left, u64x4 mid, u64x4 right)
{
    return (u64x4){dilate_x2(left.low, mid.low, right.low), dilate_x2(left.high, mid.high, right.high)};
}

VP_INLINE u64x8 slices_dilate_x(u64x8 left, u64x8 mid, u64x8 right)
{
    return (u64x8){dilate_x4(left.low, mid.low, right.low), dilate_x4(left.high, mid.high, right.high)};
}

#endif
