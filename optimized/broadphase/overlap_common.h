/* SPDX-License-Identifier: MIT */
/* The overlap test without branches on the data, as far as it is the same on every instruction set.
 *
 * Idea. The reference loses its time in mispredicted trip counts, for chunks and for slices. But a box of extent up to
 * 6 voxels spans at most two chunks an axis after it has grown by one on each side. So it is always treated as 2 x 2 x
 * 2 chunks:
 * - A range of voxels on an axis is 16 bits, the low byte for the first chunk, the high byte for the second. The high
 *   byte is zero where the second chunk is not touched, so testing it does no harm.
 * - The slots have a border of EMPTY chunks, and EMPTY, FULL_SOLID and FULL_WATER are ordinary entries of the pool. So
 *   neither the world's border nor tags need a test.
 * - The XZ mask of a column of chunks is a strip along x AND a strip along z. The y range selects lanes.
 *
 * That leaves 8 slots, 16 loads of 64 bytes, and logic.
 *
 * The y range is a mask of lanes (m64x8_of_bits), a mask register on AVX-512, elsewhere a comparison with {1, 2, 4, ...}.
 * Boxes that span more than two chunks on an axis take the loops below. Include after the header of an ISA. */
#ifndef VP_OPTIMIZED_BROADPHASE_OVERLAP_COMMON_H
#define VP_OPTIMIZED_BROADPHASE_OVERLAP_COMMON_H

#include <stdbool.h>
#include <stddef.h>

#include "optimized/simd/native.h"
#include "src/core/inline.h"

#include <voxphys/kernel/broadphase.h>

enum { TOUCH_ALL = VP_TOUCH_SOLID | VP_TOUCH_WATER };

/* A grown box in voxels. `first` is from -3 to the size, `last` from -1 to the size + 2. Larger distances outside the
   world are clamped. Element 3 is padding. */
typedef struct voxel_range {
    _Alignas(16) int32_t first[4], last[4];
} voxel_range;

/* Bits z*8 + x of the columns x whose bits are set in `bits` (8 bits). */
static inline uint64_t strip_x(uint32_t bits)
{
    return UINT64_C(0x0101010101010101) * bits;
}

/* Rows first..last (0..15) as 64-bit masks of two chunks. */
static inline void strips_z(uint32_t first, uint32_t last, uint64_t strip[2])
{
    uint32_t last_low = last < 7 ? last : 7;
    strip[0] = UINT64_MAX << (8 * first & 63) & UINT64_MAX >> (8 * (7 - last_low) & 63);
    strip[1] = -(uint64_t)(last > 7) & UINT64_MAX >> (8 * (15 - last) & 63);
}

/* Distance from the first chunk's slot to the second's on each axis. 0 where the range does not reach the second, so
   that unneeded chunks are not fetched. Small boxes reach 2.7 chunks of the 8. */
typedef struct next_chunk {
    ptrdiff_t x, y, z;
} next_chunk;

static inline next_chunk next_chunks(const vp_broadphase_view *bits, uint32_t range_x, uint32_t range_y, bool second_z)
{
    /* Arithmetic instead of ?:, which compilers turn into unpredictable branches. */
    ptrdiff_t two_x = (range_x & 0xff00) != 0, two_y = (range_y & 0xff00) != 0, two_z = second_z;
    return (next_chunk){two_x, -two_y & bits->slot_stride_y, -two_z & bits->slot_stride_z};
}

/* OR of a class's eight slices in the y lanes, in one register. */
VP_INLINE u64n in_lanes(const uint64_t *word, m64x8 y)
{
    return u64x8_fold_or(u64x8_maskz(y, u64x8_load(word)));
}

VP_INLINE u64n in_either(const uint64_t *lower, m64x8 y0, const uint64_t *upper, m64x8 y1)
{
    return u64x8_fold_or(u64x8_or(u64x8_maskz(y0, u64x8_load(lower)), u64x8_maskz(y1, u64x8_load(upper))));
}

VP_INLINE uint32_t touch_of(u64n solid, u64n water)
{
    const uint32_t any_solid = u64n_any(solid), any_water = u64n_any(water);
    return any_solid * VP_TOUCH_SOLID | any_water * VP_TOUCH_WATER;
}

/* Tests the masks of one chunk for a box. `xz` masks each slice, bit y of `slices_y` (8 bits) selects slice y. */
static inline uint32_t touch_masks(const vp_chunk_masks *masks, uint64_t xz, uint32_t slices_y)
{
    const u64n mask = u64n_set1(xz);
    const m64x8 y = m64x8_of_bits(slices_y);
    return touch_of(u64n_and(mask, in_lanes(masks->solid, y)), u64n_and(mask, in_lanes(masks->water, y)));
}

/* Tests 2 x 2 x 2 chunks, starting at the one with the given slot. Ranges are voxels in 16 bits along x and y,
   strips along z. */
static inline uint32_t touch_two(const vp_broadphase_view *bits, const uint32_t *slot, uint32_t range_x, uint32_t range_y,
                                 const uint64_t strip_z[2])
{
    const uint64_t x[2] = {strip_x(range_x & 0xff), strip_x(range_x >> 8 & 0xff)};
    const m64x8 y0 = m64x8_of_bits(range_y), y1 = m64x8_of_bits(range_y >> 8);
    u64n solid = u64n_set1(0), water = solid;
    const next_chunk next = next_chunks(bits, range_x, range_y, strip_z[1] != 0);
    for (int c = 0; c < 4; c++) {
        const uint32_t *at = slot + (c & 1) * next.x + (c >> 1) * next.z;
        const vp_chunk_masks *lower = &bits->pool[at[0]], *upper = &bits->pool[at[next.y]];
        const u64n xz = u64n_set1(x[c & 1] & strip_z[c >> 1]);
        solid = u64n_or(solid, u64n_and(xz, in_either(lower->solid, y0, upper->solid, y1)));
        water = u64n_or(water, u64n_and(xz, in_either(lower->water, y0, upper->water, y1)));
    }
    return touch_of(solid, water);
}

/* ---- boxes of any size ---- */

/* The bits of voxels first..last that lie in chunk c of the axis, 8 of them. */
static inline uint32_t bits_in_chunk(int32_t first, int32_t last, int32_t c)
{
    int32_t a = first - c * 8, b = last - c * 8;
    a = a < 0 ? 0 : a;
    b = b > 7 ? 7 : b;
    return (2u << b) - (1u << a);
}

static inline uint32_t touch_at(const vp_broadphase_view *bits, const voxel_range *r, int32_t cx, int32_t cy, int32_t cz)
{
    uint64_t z[2];
    int32_t first = r->first[2] - cz * 8, last = r->last[2] - cz * 8;
    strips_z(first < 0 ? 0 : (uint32_t)first, last > 7 ? 7 : (uint32_t)last, z);
    uint64_t xz = z[0] & strip_x(bits_in_chunk(r->first[0], r->last[0], cx));
    uint32_t slot = bits->slot[(int64_t)cy * bits->slot_stride_y + cz * bits->slot_stride_z + cx];
    return touch_masks(&bits->pool[slot], xz, bits_in_chunk(r->first[1], r->last[1], cy));
}

/* Cuts a range to the world. Returns false if the rest is empty. */
static inline int cut_to_world(const vp_broadphase_view *bits, voxel_range *r)
{
    const int32_t size[3] = {(int32_t)bits->chunks.x * 8, (int32_t)bits->chunks.y * 8, (int32_t)bits->chunks.z * 8};
    int inside = 1;
    for (int axis = 0; axis < 3; axis++) {
        r->first[axis] = r->first[axis] < 0 ? 0 : r->first[axis];
        r->last[axis] = r->last[axis] > size[axis] - 1 ? size[axis] - 1 : r->last[axis];
        inside &= r->first[axis] <= r->last[axis];
    }
    return inside;
}

static inline uint32_t touch_any_size(const vp_broadphase_view *bits, voxel_range r)
{
    uint32_t touch = 0;
    if (!cut_to_world(bits, &r))
        return 0;
    for (int32_t cy = r.first[1] >> 3; cy <= r.last[1] >> 3; cy++)
        for (int32_t cz = r.first[2] >> 3; cz <= r.last[2] >> 3; cz++)
            for (int32_t cx = r.first[0] >> 3; cx <= r.last[0] >> 3; cx++) {
                touch |= touch_at(bits, &r, cx, cy, cz);
                if (touch == TOUCH_ALL)
                    return touch;
            }
    return touch;
}

static inline uint32_t list_chunks(const vp_broadphase_view *bits, voxel_range r, vp_chunk_touch *out, uint32_t capacity)
{
    uint32_t count = 0;
    if (!cut_to_world(bits, &r))
        return 0;
    for (int32_t cy = r.first[1] >> 3; cy <= r.last[1] >> 3; cy++)
        for (int32_t cz = r.first[2] >> 3; cz <= r.last[2] >> 3; cz++)
            for (int32_t cx = r.first[0] >> 3; cx <= r.last[0] >> 3; cx++) {
                uint32_t touch = touch_at(bits, &r, cx, cy, cz);
                if (touch == 0)
                    continue;
                if (count < capacity) {
                    uint32_t row = (uint32_t)cy * bits->chunks.z + (uint32_t)cz;
                    out[count] = (vp_chunk_touch){row * bits->chunks.x + (uint32_t)cx, touch};
                }
                count++;
            }
    return count;
}

#endif
