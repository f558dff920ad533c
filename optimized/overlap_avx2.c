/* SPDX-License-Identifier: MIT */
/* Overlap tests on AVX2. The idea is in overlap_common.h; eight slices of one class are two ymm, and the y range
 * becomes lane masks by comparing it with {1, 2, 4, ...}.
 *
 * In batches, the arithmetic of 8 boxes (floor, cut, chunk, ranges) is done first, one box a lane; then each box's
 * loads, with nothing to wait for but its slots. Cost a box: about 12 vector instructions of its share of the
 * arithmetic, 8 slot loads, 32 loads of 32 bytes, 70 of logic. */
#include "core/simd_avx2.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "optimized/overlap_x86.h"

typedef struct lanes8 {
    __m256i low, high;
} lanes8;

static inline lanes8 load8(const uint64_t *word)
{
    return (lanes8){_mm256_loadu_si256((const __m256i *)(const void *)word),
                    _mm256_loadu_si256((const __m256i *)(const void *)(word + 4))};
}

/* All ones in the lanes whose bits are set in the low 8 bits of `bits`. */
static inline lanes8 lanes_of_bits(uint32_t bits)
{
    const __m256i low = _mm256_setr_epi64x(1, 2, 4, 8), high = _mm256_setr_epi64x(16, 32, 64, 128);
    __m256i all = _mm256_set1_epi64x((long long)bits);
    return (lanes8){_mm256_cmpeq_epi64(_mm256_and_si256(all, low), low),
                    _mm256_cmpeq_epi64(_mm256_and_si256(all, high), high)};
}

/* Everything of a class's eight slices that lies in the y lanes, in one register; 0 where there is nothing. */
static inline __m256i in_lanes(const uint64_t *word, lanes8 y)
{
    lanes8 w = load8(word);
    return _mm256_or_si256(_mm256_and_si256(w.low, y.low), _mm256_and_si256(w.high, y.high));
}

static inline uint32_t touch_of(__m256i solid, __m256i water)
{
    uint32_t any_solid = _mm256_testz_si256(solid, solid) == 0, any_water = _mm256_testz_si256(water, water) == 0;
    return any_solid * VP_TOUCH_SOLID | any_water * VP_TOUCH_WATER;
}

static inline uint32_t touch_masks(const vp_masks *masks, uint64_t xz, uint32_t slices_y)
{
    const __m256i mask = _mm256_set1_epi64x((long long)xz);
    lanes8 y = lanes_of_bits(slices_y);
    return touch_of(_mm256_and_si256(mask, in_lanes(masks->solid, y)), _mm256_and_si256(mask, in_lanes(masks->water, y)));
}

static inline uint32_t touch_two(const vp_bits *bits, const uint32_t *slot, uint32_t range_x, uint32_t range_y,
                                 const uint64_t strip_z[2])
{
    const uint64_t x[2] = {strip_x(range_x & 0xff), strip_x(range_x >> 8 & 0xff)};
    lanes8 y0 = lanes_of_bits(range_y), y1 = lanes_of_bits(range_y >> 8);
    __m256i solid = _mm256_setzero_si256(), water = _mm256_setzero_si256();
    const next_chunk next = next_chunks(bits, range_x, range_y, strip_z);
    for (int c = 0; c < 4; c++) {
        const uint32_t *at = slot + (c & 1) * next.x + (c >> 1) * next.z;
        const vp_masks *lower = &bits->pool[at[0]], *upper = &bits->pool[at[next.y]];
        __m256i xz = _mm256_set1_epi64x((long long)(x[c & 1] & strip_z[c >> 1]));
        __m256i s = _mm256_or_si256(in_lanes(lower->solid, y0), in_lanes(upper->solid, y1));
        __m256i w = _mm256_or_si256(in_lanes(lower->water, y0), in_lanes(upper->water, y1));
        solid = _mm256_or_si256(solid, _mm256_and_si256(s, xz));
        water = _mm256_or_si256(water, _mm256_and_si256(w, xz));
    }
    return touch_of(solid, water);
}

uint32_t vp_overlap_one_avx2(const vp_bits *bits, const vp_aabb *box)
{
    return overlap_one_x86(bits, box);
}

uint32_t vp_overlap_chunks_avx2(const vp_bits *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    return overlap_chunks_x86(bits, box, out, capacity);
}

/* ---- batches ---- */

enum { LANES = 8 };

/* One axis of 8 boxes. */
typedef struct axis {
    __m256i first, last; /* voxels */
    __m256i chunk;       /* of the first voxel */
    __m256i from, to;    /* voxels relative to that chunk: 0..7, 0..15 */
    uint32_t valid, more; /* bits of lanes: min <= max; spans more than two chunks */
} axis;

static inline __m256i floor_voxels_8(__m256 v, __m256 size_plus_1)
{
    v = _mm256_min_ps(_mm256_max_ps(v, _mm256_set1_ps(-2.0f)), size_plus_1); /* NaN becomes -2 */
    return _mm256_cvttps_epi32(_mm256_floor_ps(v));
}

static inline axis axis_of(const float *min, const float *max, uint32_t chunks)
{
    __m256 low = _mm256_loadu_ps(min), high = _mm256_loadu_ps(max);
    const __m256 limit = _mm256_set1_ps((float)(chunks * 8 + 1));
    const __m256i one = _mm256_set1_epi32(1);
    axis a;
    a.valid = (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(low, high, _CMP_LE_OQ));
    a.first = _mm256_sub_epi32(floor_voxels_8(low, limit), one);
    a.last = _mm256_add_epi32(floor_voxels_8(high, limit), one);
    a.chunk = _mm256_srai_epi32(a.first, 3);
    a.from = _mm256_and_si256(a.first, _mm256_set1_epi32(7));
    a.to = _mm256_sub_epi32(a.last, _mm256_slli_epi32(a.chunk, 3));
    a.more = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a.to, _mm256_set1_epi32(15))));
    return a;
}

static inline __m256i range_8(axis a)
{
    return _mm256_sub_epi32(_mm256_sllv_epi32(_mm256_set1_epi32(2), a.to),
                            _mm256_sllv_epi32(_mm256_set1_epi32(1), a.from));
}

static inline void put(uint32_t *to, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)to, v);
}

static inline voxel_range range_lane(const axis a[3], int lane)
{
    voxel_range r = {{0}, {0}};
    for (int i = 0; i < 3; i++) {
        uint32_t first[LANES], last[LANES];
        put(first, a[i].first);
        put(last, a[i].last);
        r.first[i] = (int32_t)first[lane];
        r.last[i] = (int32_t)last[lane];
    }
    return r;
}

/* Boxes that span more chunks, and invalid ones: one by one. */
static inline void correct(const vp_bits *bits, const axis a[3], uint32_t more, uint32_t valid, uint8_t *touch)
{
    for (int lane = 0; lane < LANES; lane++) {
        if ((valid >> lane & 1) == 0)
            touch[lane] = VP_TOUCH_INVALID;
        else if ((more >> lane & 1) != 0)
            touch[lane] = (uint8_t)touch_any_size(bits, range_lane(a, lane));
    }
}

static inline void batch_8(const vp_bits *bits, const vp_boxes *boxes, uint32_t i, uint8_t *touch)
{
    const axis a[3] = {axis_of(boxes->min_x + i, boxes->max_x + i, bits->chunks.x),
                       axis_of(boxes->min_y + i, boxes->max_y + i, bits->chunks.y),
                       axis_of(boxes->min_z + i, boxes->max_z + i, bits->chunks.z)};
    __m256i at = _mm256_add_epi32(_mm256_mullo_epi32(a[1].chunk, _mm256_set1_epi32(bits->slot_stride_y)),
                                  _mm256_mullo_epi32(a[2].chunk, _mm256_set1_epi32(bits->slot_stride_z)));
    uint32_t slot[LANES], x[LANES], y[LANES], z_from[LANES], z_to[LANES];
    put(slot, _mm256_add_epi32(at, a[0].chunk));
    put(x, range_8(a[0]));
    put(y, range_8(a[1]));
    put(z_from, a[2].from);
    put(z_to, a[2].to);
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t strip_z[2];
        strips_z(z_from[lane], z_to[lane], strip_z);
        touch[lane] = (uint8_t)touch_two(bits, bits->slot + (int32_t)slot[lane], x[lane], y[lane], strip_z);
    }
    uint32_t valid = a[0].valid & a[1].valid & a[2].valid, more = a[0].more | a[1].more | a[2].more;
    if (__builtin_expect((more | (valid ^ 0xff)) != 0, 0))
        correct(bits, a, more, valid, touch);
}

/* The last few boxes, completed to eight with zeros. */
static inline void batch_rest(const vp_bits *bits, const vp_boxes *boxes, uint32_t i, uint8_t *touch)
{
    const float *from[6] = {boxes->min_x, boxes->min_y, boxes->min_z, boxes->max_x, boxes->max_y, boxes->max_z};
    float copy[6][LANES] = {{0}};
    uint8_t eight[LANES];
    uint32_t count = boxes->count - i;
    for (int c = 0; c < 6; c++)
        memcpy(copy[c], from[c] + i, count * sizeof(float));
    vp_boxes rest = {copy[0], copy[1], copy[2], copy[3], copy[4], copy[5], count};
    batch_8(bits, &rest, 0, eight);
    memcpy(touch + i, eight, count);
}

void vp_overlap_batch_avx2(const vp_bits *bits, const vp_boxes *boxes, uint8_t *touch)
{
    uint32_t i = 0;
    for (; i + LANES <= boxes->count; i += LANES)
        batch_8(bits, boxes, i, touch + i);
    if (i < boxes->count)
        batch_rest(bits, boxes, i, touch);
}
