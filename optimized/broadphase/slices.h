/* SPDX-License-Identifier: MIT */
/* Steps of the dilation kernels on the eight Y-slices of a chunk, one class: a u64x8 whose word y is slice y, bit z*8 + x. Include after
 * the header of an ISA (optimized/simd), and after the ISA's own steps, if it has any (slices_neon.h, slices_plain.h). */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "src/core/inline.h"

static const uint64_t column0 = UINT64_C(0x0101010101010101), column7 = UINT64_C(0x8080808080808080);

VP_INLINE u64x8 or3(u64x8 a, u64x8 b, u64x8 c)
{
    return u64x8_or(u64x8_or(a, b), c);
}

#ifndef VP_OWN_DILATE_X
/* Bits x-1, x, x+1 of each row. Column 7 of `left` and column 0 of `right`, the neighbouring chunks along x, enter. A shift moves bits over
 * the ends of rows too, and the neighbour's bits replace them. */
VP_INLINE u64x8 slices_dilate_x(u64x8 left, u64x8 mid, u64x8 right)
{
    const u64x8 up = u64x8_bitselect(u64x8_set1(column0), u64x8_shr(left, 7), u64x8_shl(mid, 1));
    const u64x8 down = u64x8_bitselect(u64x8_set1(column7), u64x8_shl(right, 7), u64x8_shr(mid, 1));
    return or3(mid, up, down);
}
#endif

/* `mid` with column 7 of `left` and column 0 of `right`, the neighbouring chunks along x, in their own places. */
VP_INLINE u64x8 slices_beside(u64x8 left, u64x8 mid, u64x8 right)
{
    return or3(mid, u64x8_and(left, u64x8_set1(column7)), u64x8_and(right, u64x8_set1(column0)));
}

/* Rows z-1, z, z+1. Row 7 of `back` and row 0 of `front`, the neighbouring chunks along z, enter. */
VP_INLINE u64x8 slices_dilate_z(u64x8 back, u64x8 mid, u64x8 front)
{
    const u64x8 own = or3(mid, u64x8_shl(mid, 8), u64x8_shr(mid, 8));
    return or3(own, u64x8_shr(back, 56), u64x8_shl(front, 56));
}

/* Words y-1, y, y+1. `below` enters at the lower end, and word 0 of `above`, the next chunk, at the upper one. */
VP_INLINE u64x8 slices_dilate_y(uint64_t below, u64x8 mid, u64x8 above)
{
    return or3(mid, u64x8_ext_last(u64x8_set1(below), mid), u64x8_ext_second(mid, above));
}

/* Bit y is set where word y has none of the bits. */
VP_INLINE uint32_t slices_zero_in(u64x8 s, uint64_t bits)
{
    return m64x8_movemask(u64x8_testn(s, u64x8_set1(bits)));
}

/* Bit y is set where word y is 0. */
VP_INLINE uint32_t slices_zero_words(u64x8 s)
{
    return m64x8_movemask(u64x8_testn(s, s));
}

#ifndef VP_OWN_WORDS
/* 64 voxels to a word of solid, materials 2.., and a word of water, material 1. */
VP_INLINE void words_from_bytes(u8x64 material, uint64_t *solid, uint64_t *water)
{
    *solid = m8x64_movemask(u8x64_cmp_ge(material, 2));
    *water = m8x64_movemask(u8x64_cmp_eq(material, u8x64_set1(1)));
}

/* The same for the 64 bytes of a slice. */
VP_INLINE void words_from_slice(const uint8_t *slice, uint64_t *solid, uint64_t *water)
{
    words_from_bytes(u8x64_load(slice), solid, water);
}

/* The same for eight rows of 8 bytes. */
VP_INLINE void words_from_rows(const uint8_t *row, size_t z_stride, uint64_t *solid, uint64_t *water)
{
    words_from_bytes(u8x64_load_rows(row, z_stride), solid, water);
}
#endif

#endif
