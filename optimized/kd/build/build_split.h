/* SPDX-License-Identifier: MIT */
/* Splits sets of items. See kd/build/build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_SPLIT_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_SPLIT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <voxphys/kernel/kd.h>

#include "optimized/simd/native.h"
#include "src/core/inline.h"

/* Items are seven arrays, `stride` floats apart: the lower faces along x, y and z, the upper ones negated, and
   numbers. A set is a range of them. A box is eight floats: the lower faces with z twice, then the negated upper ones
   with z twice. */
enum { FACES = 6, ARRAYS = FACES + 1, SHORT = 8 };

VP_INLINE uint32_t id_at(const float *at, size_t stride, uint32_t lane)
{
    uint32_t id;
    memcpy(&id, at + FACES * stride + lane, sizeof id);
    return id;
}

/* Returns the axis along which a box is longest, the first of equal ones. */
VP_INLINE uint32_t longest_axis(const float box[8])
{
    return f32x4_argmin(f32x4_add(f32x4_load(box), f32x4_load(box + 4))); /* negated lengths */
}

/* ---- short sets, as bits of eight items ---- */

/* Returns the bits of the first `half` of the items by their middles. Equal ones are in the order of their numbers,
   which is their order here. */
static inline uint32_t median_of_short(f32x8 middle, uint32_t bits, uint32_t half)
{
    float at[8];
    uint32_t left = 0;
    f32x8_store(at, middle);
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        const f32x8 by = f32x8_set1(at[i]);
        const uint32_t below = m32x8_movemask(f32x8_cmp_gt(by, middle)), same = m32x8_movemask(f32x8_cmp_eq(middle, by));
        const uint32_t before = (below | (same & ((1u << i) - 1u))) & bits;
        left |= (uint32_t)((uint32_t)__builtin_popcount(before) < half) << i;
    }
    return left;
}

/* Bit l of balanced[n] is set if l of n items may go left. */
#define BALANCED(n, l) ((uint32_t)((l) <= (n) && 4 * (l) >= (n) && 4 * ((n) - (l)) >= (n)) << (l))
#define BALANCED_OF(n) (BALANCED(n, 1) | BALANCED(n, 2) | BALANCED(n, 3) | BALANCED(n, 4) | BALANCED(n, 5) | BALANCED(n, 6))
static const uint8_t balanced[SHORT + 1] = {
    0, 0, BALANCED_OF(2), BALANCED_OF(3), BALANCED_OF(4), BALANCED_OF(5), BALANCED_OF(6), BALANCED_OF(7), BALANCED_OF(8)};

/* Returns the bits of the items of a short set that go left. */
VP_INLINE uint32_t split_short(const float *at, size_t stride, uint32_t bits, uint32_t axis)
{
    const float *low = at + axis * stride, *back = low + 3 * stride;
    const f32x8 middle = f32x8_sub(f32x8_load(low), f32x8_load(back));
    const int count = __builtin_popcount(bits);
    const float mean = f32x8_sum(f32x8_compress(bits, middle)) / (float)count; /* in the reference's order */
    const uint32_t left = m32x8_movemask(m32x8_and(f32x8_cmp_gt(f32x8_set1(mean), middle), m32x8_of_bits(bits)));
    if (__builtin_expect((balanced[count] >> __builtin_popcount(left) & 1u) == 0, 0))
        return median_of_short(middle, bits, (uint32_t)count / 2);
    return left;
}

/* Computes the boxes of two subsets of eight items. Not VP_INLINE, because gcc for AArch64 then computes an address for each load. */
static inline void boxes_of_short(const float *face, size_t stride, uint32_t left, uint32_t right, f32x8 box[2])
{
    const m32x16 sides = m32x16_of_halves(m32x8_of_bits(left), m32x8_of_bits(right));
    f32x16 v[FACES];
    for (size_t k = 0; k < FACES; k++)
        v[k] = f32x16_select(sides, f32x16_both(f32x8_load(face + k * stride)), f32x16_set1(INFINITY));
    const f32x16 both = f32x16_min_of_six(v);
    box[0] = f32x16_low(both);
    box[1] = f32x16_high(both);
}

/* ---- long sets, any number of items ---- */

/* Where a long set is split. Items with a smaller middle go left, and among equal middles those with
   smaller numbers. */
typedef struct pivot {
    float middle;
    uint32_t id;
} pivot;

VP_INLINE uint32_t first_lanes(uint32_t count)
{
    return count < F32W ? (1u << count) - 1u : (1u << F32W) - 1u;
}

VP_INLINE f32w middles(const float *low, const float *back)
{
    return f32w_sub(f32w_load(low), f32w_load(back));
}

/* The sum of the middles in the reference's order, which has sixteen lanes whose upper half is added to the lower one
   at the end. */
VP_INLINE float sum_of_middles(const float *low, const float *back, uint32_t count)
{
    f32x16 sum = f32x16_set1(0.0f);
    uint32_t i = 0;
    for (; i + 16 <= count; i += 16)
        sum = f32x16_add(sum, f32x16_sub(f32x16_load(low + i), f32x16_load(back + i)));
    if (i < count) {
        const f32x16 rest = f32x16_sub(f32x16_load(low + i), f32x16_load(back + i));
        sum = f32x16_add(sum, f32x16_maskz(m32x16_of_bits((1u << (count - i)) - 1u), rest));
    }
    return f32x16_sum(sum);
}

VP_INLINE uint32_t count_before(const float *low, const float *back, uint32_t count, float mean)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i += F32W) {
        const uint32_t bits = m32w_movemask(f32w_cmp_gt(f32w_set1(mean), middles(low + i, back + i)));
        before += (uint32_t)__builtin_popcount(bits & first_lanes(count - i));
    }
    return before;
}

/* Rank of a float among all floats, with -0 just before 0. */
static inline int32_t place_of_float(float f)
{
    int32_t i;
    memcpy(&i, &f, sizeof i);
    return i < 0 ? INT32_MIN - (i + 1) : i;
}

static inline float float_at_place(int32_t i)
{
    float f;
    i = i < 0 ? INT32_MIN - (i + 1) : i;
    memcpy(&f, &i, sizeof f);
    return f;
}

static inline float middle_of_three(float a, float b, float c)
{
    const float low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Selects the item that `rank` others precede. Keys below and above a pivot are moved apart, and the part that contains
   the rank is searched again. The pivot alternates between one of the remaining keys and the middle of their possible
   range, counted in floats, so at most 64 rounds are needed. Each array of keys has room for all and F32W more. */
static pivot pivot_of_rank(const float *at, size_t stride, uint32_t count, uint32_t axis, uint32_t rank, float *keys, float *others)
{
    const float *low = at + axis * stride, *back = low + 3 * stride;
    int64_t first = place_of_float(-4.0f * VP_KD_MAX), last = place_of_float(4.0f * VP_KD_MAX);
    uint32_t left = count;
    float found;
    for (uint32_t i = 0; i < count; i += F32W)
        f32w_store(keys + i, middles(low + i, back + i));
    for (bool halve = false;; halve = !halve) {
        float *above = others;
        uint32_t below_count = 0, same_count = 0;
        found = halve ? float_at_place((int32_t)(first + (last - first) / 2)) : middle_of_three(keys[0], keys[left / 2], keys[left - 1]);
        for (uint32_t i = 0; i < left; i += F32W) {
            const f32w key = f32w_load(keys + i), by = f32w_set1(found);
            const m32w there = m32w_of_bits(first_lanes(left - i)), same = m32w_and(f32w_cmp_eq(key, by), there);
            const m32w before = m32w_and(f32w_cmp_gt(by, key), there);
            const uint32_t below = m32w_movemask(before), over = m32w_movemask(m32w_andnot(m32w_andnot(there, before), same));
            f32w_store_compressed(keys + below_count, c32w_of_bits(below), key);
            f32w_store_compressed(above, c32w_of_bits(over), key);
            below_count += (uint32_t)__builtin_popcount(below);
            above += __builtin_popcount(over);
            same_count += (uint32_t)__builtin_popcount(m32w_movemask(same));
        }
        if (rank < below_count) {
            last = (int64_t)place_of_float(found) - 1;
            left = below_count;
        } else if (rank - below_count < same_count) {
            rank -= below_count;
            break;
        } else {
            float *swapped = keys;
            rank -= below_count + same_count;
            first = (int64_t)place_of_float(found) + 1;
            left = (uint32_t)(above - others);
            keys = others;
            others = swapped;
        }
    }
    uint32_t i = 0; /* among those with this middle, the one with the right number of predecessors */
    while (low[i] - back[i] != found || rank-- != 0)
        i++;
    return (pivot){found, id_at(at, stride, i)};
}

/* Finds where a long set is split along an axis. @return the number of items that go left */
VP_INLINE uint32_t pivot_of_long(const float *at, size_t stride, uint32_t count, uint32_t axis, float *keys, float *others, pivot *p)
{
    const float *low = at + axis * stride, *back = low + 3 * stride;
    *p = (pivot){sum_of_middles(low, back, count) / (float)count, 0};
    const uint64_t left = count_before(low, back, count, p->middle);
    if (__builtin_expect(left * 4 >= count && (count - left) * 4 >= count, 1))
        return (uint32_t)left;
    *p = pivot_of_rank(at, stride, count, axis, count / 2, keys, others);
    return count / 2;
}

/* Copies the items that go left to `left` and the others to `right`, and computes both boxes. Overwrites up to F32W -
   1 floats past the end of either. `left` may be the set itself. */
VP_INLINE void part_long(const float *at, size_t stride, uint32_t count, uint32_t axis, pivot p, float *left, float *right, f32x8 box[2])
{
    const size_t low = axis * stride, back = low + 3 * stride;
    const f32w middle_of_pivot = f32w_set1(p.middle);
    f32w least[2][FACES];
    for (int k = 0; k < FACES; k++)
        least[0][k] = least[1][k] = f32w_set1(INFINITY);
    for (uint32_t i = 0; i < count; i += F32W) {
        const float *from = at + i;
        const f32w middle = middles(from + low, from + back);
        const m32w smaller_id = i32w_cmp_gt(i32w_set1((int32_t)p.id), i32w_load(from + FACES * stride));
        const m32w tied = m32w_and(f32w_cmp_eq(middle, middle_of_pivot), smaller_id);
        const m32w before = m32w_or(f32w_cmp_gt(middle_of_pivot, middle), tied), there = m32w_of_bits(first_lanes(count - i));
        const m32w l = m32w_and(before, there), r = m32w_andnot(there, before);
        const uint32_t left_bits = m32w_movemask(l), right_bits = m32w_movemask(r);
        const c32w to_left = c32w_of_bits(left_bits), to_right = c32w_of_bits(right_bits);
        for (size_t k = 0; k < ARRAYS; k++) {
            const f32w v = f32w_load(from + k * stride);
            if (k < FACES) {
                least[0][k] = f32w_min_where(l, v, least[0][k]);
                least[1][k] = f32w_min_where(r, v, least[1][k]);
            }
            f32w_store_compressed(left + k * stride, to_left, v);
            f32w_store_compressed(right + k * stride, to_right, v);
        }
        left += __builtin_popcount(left_bits);
        right += __builtin_popcount(right_bits);
    }
    for (int side = 0; side < 2; side++) {
        f32x8 eight[FACES];
        for (int k = 0; k < FACES; k++)
            eight[k] = f32w_fold8_min(least[side][k]);
        box[side] = f32x8_min_of_six(eight);
    }
}

/* ---- items of triangles ---- */

VP_INLINE f32x8 two_vertices(const vp_vec3 *v, uint32_t a, uint32_t b)
{
    return f32x8_of_halves(f32x4_load_xyz_fast(&v[a].x), f32x4_load_xyz_fast(&v[b].x));
}

/* Computes the faces of eight items whose indices follow each other. They are the lower ones, and the upper ones negated. Adding zero
   makes zeros positive. */
VP_INLINE void faces_of_eight(const vp_vec3 *vertex, const uint32_t *index, uint32_t corners, f32x8 face[FACES])
{
    f32x8 low[4], high[4], back[3];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t *a = index + i * corners, *b = a + 4 * corners;
        low[i] = high[i] = two_vertices(vertex, a[0], b[0]);
        for (uint32_t k = 1; k < corners; k++) {
            const f32x8 v = two_vertices(vertex, a[k], b[k]);
            low[i] = f32x8_min_fast(v, low[i]);
            high[i] = f32x8_max_fast(v, high[i]);
        }
    }
    f32x8_transpose3(low, face);
    f32x8_transpose3(high, back);
    for (int k = 0; k < 3; k++) {
        face[k] = f32x8_add(face[k], f32x8_set1(0.0f));
        face[3 + k] = f32x8_neg(f32x8_add(back[k], f32x8_set1(0.0f)));
    }
}

/* Reads the items of all triangles, and computes their box. Overwrites up to seven floats past the end
   of each array. */
VP_INLINE void read_items(const vp_triangles *t, uint32_t count, uint32_t corners, float *at, size_t stride, float box[8])
{
    f32x8 least[FACES];
    for (int k = 0; k < FACES; k++)
        least[k] = f32x8_set1(INFINITY);
    for (uint32_t i = 0; i < count; i += 8) {
        const uint32_t *index = t->index + (size_t)i * corners;
        uint32_t last[8 * 4];
        if (count - i < 8) { /* repeats the last one until there are eight */
            for (uint32_t j = 0; j < 8; j++)
                memcpy(last + j * corners, t->index + (size_t)(i + j < count ? i + j : count - 1) * corners, corners * sizeof *last);
            index = last;
        }
        f32x8 face[FACES];
        faces_of_eight(t->vertex, index, corners, face);
        for (size_t k = 0; k < FACES; k++) {
            f32x8_store(at + k * stride + i, face[k]);
            least[k] = f32x8_min_fast(least[k], face[k]);
        }
        uint32_t id[8];
        for (uint32_t j = 0; j < 8; j++)
            id[j] = i + j;
        memcpy(at + FACES * stride + i, id, sizeof id);
    }
    f32x8_store(box, f32x8_min_of_six(least));
}

#endif
