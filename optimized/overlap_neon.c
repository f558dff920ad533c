/* SPDX-License-Identifier: MIT */
/* Overlap tests on NEON. The idea is in overlap_common.h; eight slices of one class are four q registers, and the y
 * range becomes lane masks by testing it against {1, 2}, {4, 8}, ... .
 *
 * In batches, the arithmetic of 4 boxes (floor, cut, chunk, ranges) is done first, one box a lane; then each box's
 * loads. There is no gather and no need of one. Cost a box: about 20 vector instructions of its share of the
 * arithmetic, 8 slot loads, 64 loads of 16 bytes, 140 of logic; "any bit" is one vmaxvq a class. */
#include "core/simd_neon.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "optimized/overlap_common.h"

typedef struct lanes8 {
    uint64x2_t pair[4];
} lanes8;

/* All ones in the lanes whose bits are set in the low 8 bits of `bits`. */
static inline lanes8 lanes_of_bits(uint32_t bits)
{
    static const uint64_t place[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64x2_t all = vdupq_n_u64(bits);
    lanes8 r;
    for (int i = 0; i < 4; i++)
        r.pair[i] = vtstq_u64(all, vld1q_u64(place + 2 * i));
    return r;
}

/* Everything of a class's eight slices that lies in the y lanes, in one register; 0 where there is nothing. */
static inline uint64x2_t in_lanes(const uint64_t *word, const lanes8 *y)
{
    uint64x2_t r = vandq_u64(vld1q_u64(word), y->pair[0]);
    for (int i = 1; i < 4; i++)
        r = vorrq_u64(r, vandq_u64(vld1q_u64(word + 2 * i), y->pair[i]));
    return r;
}

static inline uint32_t touch_of(uint64x2_t solid, uint64x2_t water)
{
    uint32_t any_solid = vmaxvq_u32(vreinterpretq_u32_u64(solid)) != 0;
    uint32_t any_water = vmaxvq_u32(vreinterpretq_u32_u64(water)) != 0;
    return any_solid * VP_TOUCH_SOLID | any_water * VP_TOUCH_WATER;
}

static inline uint32_t touch_masks(const vp_masks *masks, uint64_t xz, uint32_t slices_y)
{
    const uint64x2_t mask = vdupq_n_u64(xz);
    lanes8 y = lanes_of_bits(slices_y);
    return touch_of(vandq_u64(mask, in_lanes(masks->solid, &y)), vandq_u64(mask, in_lanes(masks->water, &y)));
}

/* 2 x 2 x 2 chunks from the one whose slot is given: ranges of voxels in 16 bits along x and y, strips along z. */
static inline uint32_t touch_two(const vp_bits *bits, const uint32_t *slot, uint32_t range_x, uint32_t range_y,
                                 const uint64_t strip_z[2])
{
    const uint64_t x[2] = {strip_x(range_x & 0xff), strip_x(range_x >> 8 & 0xff)};
    lanes8 y0 = lanes_of_bits(range_y), y1 = lanes_of_bits(range_y >> 8);
    uint64x2_t solid = vdupq_n_u64(0), water = vdupq_n_u64(0);
    const next_chunk next = next_chunks(bits, range_x, range_y, strip_z);
    for (int c = 0; c < 4; c++) {
        const uint32_t *at = slot + (c & 1) * next.x + (c >> 1) * next.z;
        const vp_masks *lower = &bits->pool[at[0]], *upper = &bits->pool[at[next.y]];
        uint64x2_t xz = vdupq_n_u64(x[c & 1] & strip_z[c >> 1]);
        uint64x2_t s = vorrq_u64(in_lanes(lower->solid, &y0), in_lanes(upper->solid, &y1));
        uint64x2_t w = vorrq_u64(in_lanes(lower->water, &y0), in_lanes(upper->water, &y1));
        solid = vorrq_u64(solid, vandq_u64(s, xz));
        water = vorrq_u64(water, vandq_u64(w, xz));
    }
    return touch_of(solid, water);
}

/* ---- ranges, four numbers at a time: four boxes on one axis, or one box on three ---- */

/* floor(v), cut to [-2, limit]; lanes that are not `valid` become 0, whatever they hold. */
static inline int32x4_t floor_voxels(float32x4_t v, uint32x4_t valid, float32x4_t limit)
{
    v = vbslq_f32(valid, v, vdupq_n_f32(0.0f));
    v = vminq_f32(vmaxq_f32(v, vdupq_n_f32(-2.0f)), limit);
    int32x4_t toward_zero = vcvtq_s32_f32(v);
    uint32x4_t above = vcgtq_f32(vcvtq_f32_s32(toward_zero), v); /* -1 where it was rounded up */
    return vaddq_s32(toward_zero, vreinterpretq_s32_u32(above));
}

typedef struct axis {
    int32_t first[4], last[4]; /* voxels */
    int32_t chunk[4];          /* of the first voxel */
    uint32_t from[4], to[4];   /* voxels relative to that chunk: 0..7, 0..15 */
    uint32_t range[4];         /* the same as bits */
    uint32_t valid[4];         /* all ones: min <= max */
} axis;

static inline void axis_of(float32x4_t low, float32x4_t high, float32x4_t size_plus_1, axis *a)
{
    uint32x4_t valid = vcleq_f32(low, high);
    int32x4_t first = vsubq_s32(floor_voxels(low, valid, size_plus_1), vdupq_n_s32(1));
    int32x4_t last = vaddq_s32(floor_voxels(high, valid, size_plus_1), vdupq_n_s32(1));
    int32x4_t chunk = vshrq_n_s32(first, 3);
    int32x4_t from = vandq_s32(first, vdupq_n_s32(7)), to = vsubq_s32(last, vshlq_n_s32(chunk, 3));
    uint32x4_t upper = vshlq_u32(vdupq_n_u32(2), to), lower = vshlq_u32(vdupq_n_u32(1), from);
    vst1q_s32(a->first, first);
    vst1q_s32(a->last, last);
    vst1q_s32(a->chunk, chunk);
    vst1q_u32(a->from, vreinterpretq_u32_s32(from));
    vst1q_u32(a->to, vreinterpretq_u32_s32(to));
    vst1q_u32(a->range, vsubq_u32(upper, lower));
    vst1q_u32(a->valid, valid);
}

static inline const uint32_t *slot_at(const vp_bits *bits, int32_t cx, int32_t cy, int32_t cz)
{
    return bits->slot + ((ptrdiff_t)cy * bits->slot_stride_y + (ptrdiff_t)cz * bits->slot_stride_z + cx);
}

/* ---- one box: lanes are x, y, z ---- */

static inline void grow(const vp_bits *bits, const vp_aabb *box, axis *a)
{
    const float low[4] = {box->min.x, box->min.y, box->min.z, 0}, high[4] = {box->max.x, box->max.y, box->max.z, 0};
    const uint32_t chunks[4] = {bits->chunks.x, bits->chunks.y, bits->chunks.z, 1};
    uint32x4_t size_plus_1 = vaddq_u32(vshlq_n_u32(vld1q_u32(chunks), 3), vdupq_n_u32(1));
    axis_of(vld1q_f32(low), vld1q_f32(high), vcvtq_f32_u32(size_plus_1), a);
}

static inline voxel_range range_of(const axis *a)
{
    voxel_range r;
    memcpy(r.first, a->first, sizeof r.first);
    memcpy(r.last, a->last, sizeof r.last);
    return r;
}

static inline bool grown_valid(const axis *a)
{
    return (a->valid[0] & a->valid[1] & a->valid[2]) != 0;
}

uint32_t vp_overlap_one_neon(const vp_bits *bits, const vp_aabb *box)
{
    axis a;
    grow(bits, box, &a);
    if (!grown_valid(&a))
        return VP_TOUCH_INVALID;
    if (a.to[0] > 15 || a.to[1] > 15 || a.to[2] > 15)
        return touch_any_size(bits, range_of(&a));
    uint64_t strip_z[2];
    strips_z(a.from[2], a.to[2], strip_z);
    return touch_two(bits, slot_at(bits, a.chunk[0], a.chunk[1], a.chunk[2]), a.range[0], a.range[1], strip_z);
}

uint32_t vp_overlap_chunks_neon(const vp_bits *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    axis a;
    grow(bits, box, &a);
    return grown_valid(&a) ? list_chunks(bits, range_of(&a), out, capacity) : 0;
}

/* ---- batches: lanes are boxes ---- */

enum { LANES = 4 };

static inline void batch_axis(const float *min, const float *max, uint32_t chunks, axis *a)
{
    axis_of(vld1q_f32(min), vld1q_f32(max), vdupq_n_f32((float)(chunks * 8 + 1)), a);
}

static inline void batch_4(const vp_bits *bits, const vp_boxes *boxes, uint32_t i, uint8_t *touch)
{
    axis a[3];
    batch_axis(boxes->min_x + i, boxes->max_x + i, bits->chunks.x, &a[0]);
    batch_axis(boxes->min_y + i, boxes->max_y + i, bits->chunks.y, &a[1]);
    batch_axis(boxes->min_z + i, boxes->max_z + i, bits->chunks.z, &a[2]);
    for (int lane = 0; lane < LANES; lane++) {
        if ((a[0].valid[lane] & a[1].valid[lane] & a[2].valid[lane]) == 0) {
            touch[lane] = VP_TOUCH_INVALID;
            continue;
        }
        if (a[0].to[lane] > 15 || a[1].to[lane] > 15 || a[2].to[lane] > 15) {
            voxel_range r = {{a[0].first[lane], a[1].first[lane], a[2].first[lane], 0},
                             {a[0].last[lane], a[1].last[lane], a[2].last[lane], 0}};
            touch[lane] = (uint8_t)touch_any_size(bits, r);
            continue;
        }
        uint64_t strip_z[2];
        strips_z(a[2].from[lane], a[2].to[lane], strip_z);
        const uint32_t *slot = slot_at(bits, a[0].chunk[lane], a[1].chunk[lane], a[2].chunk[lane]);
        touch[lane] = (uint8_t)touch_two(bits, slot, a[0].range[lane], a[1].range[lane], strip_z);
    }
}

/* The last few boxes, completed to four with zeros. */
static inline void batch_rest(const vp_bits *bits, const vp_boxes *boxes, uint32_t i, uint8_t *touch)
{
    const float *from[6] = {boxes->min_x, boxes->min_y, boxes->min_z, boxes->max_x, boxes->max_y, boxes->max_z};
    float copy[6][LANES] = {{0}};
    uint8_t four[LANES];
    uint32_t count = boxes->count - i;
    for (int c = 0; c < 6; c++)
        memcpy(copy[c], from[c] + i, count * sizeof(float));
    vp_boxes rest = {copy[0], copy[1], copy[2], copy[3], copy[4], copy[5], count};
    batch_4(bits, &rest, 0, four);
    memcpy(touch + i, four, count);
}

void vp_overlap_batch_neon(const vp_bits *bits, const vp_boxes *boxes, uint8_t *touch)
{
    uint32_t i = 0;
    for (; i + LANES <= boxes->count; i += LANES)
        batch_4(bits, boxes, i, touch + i);
    if (i < boxes->count)
        batch_rest(bits, boxes, i, touch);
}
