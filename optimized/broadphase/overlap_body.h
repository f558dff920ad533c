/* SPDX-License-Identifier: MIT */
/* Overlap tests of one box, of a batch of boxes, and the list of a box's chunks. Include after the header of an ISA.
 *
 * The test has no branches on the data. The reference loses its time in mispredicted trip counts, for chunks and for slices. But a box of
 * extent up to 6 voxels spans at most two chunks an axis after it has grown by one on each side. So it is always treated as 2 x 2 x 2
 * chunks:
 * - A range of voxels on an axis is 16 bits, the low byte for the first chunk, the high byte for the second. The high
 *   byte is zero where the second chunk is not touched, so testing it does no harm.
 * - The slots have a border of EMPTY chunks, and EMPTY, FULL_SOLID and FULL_WATER are ordinary entries of the pool. So
 *   neither the world's border nor tags need a test.
 * - The XZ mask of a column of chunks is a strip along x AND a strip along z. The y range selects lanes.
 *
 * That leaves 8 slots, 16 loads of 64 bytes, and logic. Boxes that span more than two chunks on an axis take the loops below.
 *
 * The y range is a mask of lanes (m64x8_of_bits), a mask register on AVX-512, elsewhere a comparison with {1, 2, 4, ...}. AVX-512
 * zeroes the slices outside the range as they are loaded, and vpternlogq combines two chunks and the XZ mask in one instruction.
 *
 * Batches. A single query is a chain of dependent steps from the box to its slots to their masks. A batch does the
 * arithmetic before the slots (floor, cut, chunk, ranges) for F32N boxes at once, one box a lane, and stores it. Then the boxes are
 * tested one by one. No box waits for another, so the processor works on as many of them as it has room for. Gathering slots with
 * vpgatherdd was no faster than eight plain loads.
 *
 * Cost of a box in a batch: 8 slot loads, and
 *            share of the arithmetic   loads of masks   logic
 *   AVX2     13 instructions           32 of 32 bytes   86
 *   AVX-512  6                         16 of 64 bytes   24
 *   NEON     26                        64 of 16 bytes   150
 *   SIMD128  27                        64 of 16 bytes   140
 *
 * Large worlds. The processor has room for about four boxes, and masks that come from distant memory take as long as
 * ten. So if a world's masks may be larger than 4 MiB, the lines of the next F32N boxes are prefetched (fetch) before
 * these are tested. It costs 8 slot loads and 16 prefetches a box. That is a loss while the masks are in a level-2
 * cache, breaks even for a few MiB of them, and is a large gain where they come from a shared cache or from memory. */
#ifndef VP_OPTIMIZED_BROADPHASE_OVERLAP_BODY_H
#define VP_OPTIMIZED_BROADPHASE_OVERLAP_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

/* ---- one box, lanes x, y, z and an unused one ---- */

typedef struct grown_box {
    i32x4 first, last; /* voxels */
    bool valid;        /* min <= max */
} grown_box;

static inline grown_box grow(const vp_broadphase_view *bits, const vp_aabb *box)
{
    /* Both loads stay inside the box's 24 bytes: min.x .. max.x, and min.z .. max.z rotated by one. */
    const f32x4 min = f32x4_load(&box->min.x), rotated = f32x4_load(&box->min.z), max = f32x4_ext_second(rotated, rotated);
    const f32x4 below = f32x4_set1(-2.0f);
    const i32x4 one = i32x4_set1(1), size = i32x4_shl(i32x4_load(&bits->chunks), 3);
    const f32x4 limit = i32x4_to_f32(i32x4_add(size, one));
    return (grown_box){i32x4_sub(f32x4_floor_to_i32(f32x4_min_fast(f32x4_max(min, below), limit)), one),
                       i32x4_add(f32x4_floor_to_i32(f32x4_min_fast(f32x4_max(max, below), limit)), one),
                       (m32x4_movemask(f32x4_cmp_le(min, max)) & 7) == 7};
}

static inline voxel_range range_of(grown_box g)
{
    voxel_range r;
    i32x4_store(r.first, g.first);
    i32x4_store(r.last, g.last);
    return r;
}

static inline uint32_t overlap_box(const vp_broadphase_view *bits, const vp_aabb *box)
{
    const grown_box g = grow(bits, box);
    if (!g.valid)
        return VP_TOUCH_INVALID;
    const i32x4 chunk = i32x4_sra(g.first, 3), from = i32x4_and(g.first, i32x4_set1(7)); /* 0..7 */
    const i32x4 to = i32x4_sub(g.last, i32x4_shl(chunk, 3));                             /* 0..15 */
    if ((m32x4_movemask(i32x4_cmp_gt(to, i32x4_set1(15))) & 7) != 0)
        return touch_any_size(bits, range_of(g));
    const i32x4 range = i32x4_sub(i32x4_shlv(i32x4_set1(2), to), i32x4_shlv(i32x4_set1(1), from));
    const ptrdiff_t slot = (ptrdiff_t)i32x4_lane(chunk, 1) * bits->slot_stride_y + (ptrdiff_t)i32x4_lane(chunk, 2) * bits->slot_stride_z +
                           i32x4_lane(chunk, 0);
    uint64_t strip_z[2];
    strips_z((uint32_t)i32x4_lane(from, 2), (uint32_t)i32x4_lane(to, 2), strip_z);
    return touch_two(bits, bits->slot + slot, (uint32_t)i32x4_lane(range, 0), (uint32_t)i32x4_lane(range, 1), strip_z);
}

static inline uint32_t overlap_chunks(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    const grown_box g = grow(bits, box);
    return g.valid ? list_chunks(bits, range_of(g), out, capacity) : 0;
}

/* ---- F32N boxes, one a lane ---- */

/* F32N grown boxes. */
typedef struct projected {
    _Alignas(64) int32_t first[3][F32N]; /* voxels on x, y, z, as in voxel_range */
    int32_t last[3][F32N];
    int32_t slot[F32N];                /* of the chunk of the first voxel, from bits->slot */
    uint32_t x[F32N], y[F32N];         /* voxels from that chunk's first as bits, 16 of them */
    uint32_t z_from[F32N], z_to[F32N]; /* the same along z as numbers */
    uint32_t invalid, more;            /* a bit a lane: not min <= max; spans more than two chunks on an axis */
} projected;

/* One axis of F32N boxes. */
typedef struct axis {
    i32n first, last; /* voxels */
    i32n chunk;       /* of the first voxel */
    i32n from, to;    /* voxels relative to that chunk, 0..7 or 0..15 */
    m32n valid, more; /* valid means min <= max, more that the box spans more than two chunks */
} axis;

/* floor(v), cut to [-2, limit]. NaN becomes -2. */
static inline i32n floor_voxels(f32n v, f32n limit)
{
    return f32n_floor_to_i32(f32n_min_fast(f32n_max(v, f32n_set1(-2.0f)), limit));
}

static inline axis axis_of(const float *min, const float *max, uint32_t chunks)
{
    const f32n low = f32n_load(min), high = f32n_load(max), limit = f32n_set1((float)(chunks * 8 + 1));
    axis a;
    a.valid = f32n_cmp_le(low, high);
    a.first = i32n_sub(floor_voxels(low, limit), i32n_set1(1));
    a.last = i32n_add(floor_voxels(high, limit), i32n_set1(1));
    a.chunk = i32n_sra(a.first, 3);
    a.from = i32n_and(a.first, i32n_set1(7));
    a.to = i32n_sub(a.last, i32n_shl(a.chunk, 3));
    a.more = i32n_cmp_gt(a.to, i32n_set1(15));
    return a;
}

/* The voxels of an axis as bits. Those of a box that is invalid or spans more chunks are unspecified. */
static inline i32n range_bits(axis a)
{
    return i32n_sub(i32n_shlv(i32n_set1(2), a.to), i32n_shlv(i32n_set1(1), a.from));
}

/* Projects boxes i .. i + F32N - 1. */
static inline void project(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, projected *out)
{
    const axis x = axis_of(boxes->min_x + i, boxes->max_x + i, bits->chunks.x);
    const axis y = axis_of(boxes->min_y + i, boxes->max_y + i, bits->chunks.y);
    const axis z = axis_of(boxes->min_z + i, boxes->max_z + i, bits->chunks.z);
    const i32n row = i32n_add(i32n_mul(y.chunk, i32n_set1(bits->slot_stride_y)), i32n_mul(z.chunk, i32n_set1(bits->slot_stride_z)));
    i32n_store(out->first[0], x.first);
    i32n_store(out->first[1], y.first);
    i32n_store(out->first[2], z.first);
    i32n_store(out->last[0], x.last);
    i32n_store(out->last[1], y.last);
    i32n_store(out->last[2], z.last);
    i32n_store(out->slot, i32n_add(row, x.chunk));
    i32n_store(out->x, range_bits(x));
    i32n_store(out->y, range_bits(y));
    i32n_store(out->z_from, z.from);
    i32n_store(out->z_to, z.to);
    out->invalid = m32n_movemask(m32n_and(m32n_and(x.valid, y.valid), z.valid)) ^ ((1u << F32N) - 1);
    out->more = m32n_movemask(m32n_or(m32n_or(x.more, y.more), z.more));
}

static inline uint32_t test_lane(const vp_broadphase_view *bits, const projected *p, int lane)
{
    uint64_t strip_z[2];
    strips_z(p->z_from[lane], p->z_to[lane], strip_z);
    return touch_two(bits, bits->slot + p->slot[lane], p->x[lane], p->y[lane], strip_z);
}

/* For boxes that span more chunks, or are invalid. */
static inline void test_odd(const vp_broadphase_view *bits, const projected *p, uint8_t *touch)
{
    for (int lane = 0; lane < F32N; lane++) {
        if ((p->invalid >> lane & 1) != 0) {
            touch[lane] = VP_TOUCH_INVALID;
        } else if ((p->more >> lane & 1) != 0) {
            voxel_range r = {{p->first[0][lane], p->first[1][lane], p->first[2][lane], 0},
                             {p->last[0][lane], p->last[1][lane], p->last[2][lane], 0}};
            touch[lane] = (uint8_t)touch_any_size(bits, r);
        } else {
            touch[lane] = (uint8_t)test_lane(bits, p, lane);
        }
    }
}

static inline void test(const vp_broadphase_view *bits, const projected *p, uint8_t *touch)
{
    if (__builtin_expect((p->more | p->invalid) != 0, 0)) {
        test_odd(bits, p, touch);
        return;
    }
    for (int lane = 0; lane < F32N; lane++)
        touch[lane] = (uint8_t)test_lane(bits, p, lane);
}

/* Prefetches the masks that `test` will read. The empty statement keeps gcc from seeing a function without effect,
   whose calls it would remove. */
static inline void fetch(const vp_broadphase_view *bits, const projected *p)
{
    __asm__ volatile("");
    for (int lane = 0; lane < F32N; lane++) {
        const uint32_t *slot = bits->slot + p->slot[lane];
        const next_chunk next = next_chunks(bits, p->x[lane], p->y[lane], p->z_to[lane] > 7);
        for (int c = 0; c < 4; c++) {
            const uint32_t *at = slot + (c & 1) * next.x + (c >> 1) * next.z;
            const vp_chunk_masks *lower = &bits->pool[at[0]], *upper = &bits->pool[at[next.y]];
            __builtin_prefetch(lower->solid);
            __builtin_prefetch(lower->water);
            __builtin_prefetch(upper->solid);
            __builtin_prefetch(upper->water);
        }
    }
}

/* ---- all boxes ---- */

/* 32768 chunks have at most 4 MiB of masks. */
static inline bool may_be_far_away(const vp_broadphase_view *bits)
{
    return (uint64_t)bits->chunks.x * bits->chunks.y * bits->chunks.z > 32768;
}

/* A batch that fills all lanes. */
static inline void batch_near(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t count, uint8_t *touch)
{
    for (uint32_t i = 0; i < count; i += F32N) {
        projected p;
        project(bits, boxes, i, &p);
        test(bits, &p, touch + i);
    }
}

/* The same with fetches one step ahead. */
static inline void batch_far(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t count, uint8_t *touch)
{
    projected p[2];
    if (count != 0) {
        project(bits, boxes, 0, &p[0]);
        fetch(bits, &p[0]);
    }
    for (uint32_t i = 0; i < count; i += F32N) {
        projected *now = &p[i / F32N % 2], *next = &p[(i / F32N + 1) % 2];
        if (i + F32N < count) {
            project(bits, boxes, i + F32N, next);
            fetch(bits, next);
        }
        test(bits, now, touch + i);
    }
}

/* The last few boxes, completed with zeros. */
static inline void batch_rest(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, uint8_t *touch)
{
    const float *from[6] = {boxes->min_x, boxes->min_y, boxes->min_z, boxes->max_x, boxes->max_y, boxes->max_z};
    float copy[6][F32N] = {{0}};
    uint8_t all[F32N];
    uint32_t count = boxes->count - i;
    for (int c = 0; c < 6; c++)
        memcpy(copy[c], from[c] + i, count * sizeof(float));
    vp_boxes rest = {copy[0], copy[1], copy[2], copy[3], copy[4], copy[5], F32N};
    batch_near(bits, &rest, F32N, all);
    memcpy(touch + i, all, count);
}

static inline void overlap_boxes(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    uint32_t whole = boxes->count / F32N * F32N;
    if (may_be_far_away(bits))
        batch_far(bits, boxes, whole, touch);
    else
        batch_near(bits, boxes, whole, touch);
    if (whole < boxes->count)
        batch_rest(bits, boxes, whole, touch);
}

#endif
