/* SPDX-License-Identifier: MIT */
/* Splits sets of items. See kd/build/build.h. Included after lanes_<isa>.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_SPLIT_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_SPLIT_H

#include <string.h>

#include <voxphys/kernel/kd.h>

#include "src/core/inline.h"

/* Items are seven arrays, `stride` floats apart: the lower faces along x, y and z, the upper ones negated, and
   numbers. A set is a range of them. A box is eight floats: the lower faces with z twice, then the negated upper ones
   with z twice. */
enum { ARRAYS = FACES + 1, SHORT = 8 };

VP_INLINE uint32_t id_at(const float *at, size_t stride, uint32_t lane)
{
    uint32_t id;
    memcpy(&id, at + FACES * stride + lane, sizeof id);
    return id;
}

/* ---- short sets, as bits of eight items ---- */

/* Returns the bits of the first `half` of the items by their middles. Equal ones are in the order of their numbers,
   which is their order here. */
static inline uint32_t median_of_short(f8 middle, uint32_t bits, uint32_t half)
{
    float at[8];
    uint32_t left = 0;
    f8_store(at, middle);
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        const uint32_t below = m8_bits(f8_before(middle, f8_set(at[i]))), same = m8_bits(f8_same(middle, f8_set(at[i])));
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
    const f8 middle = f8_sub(f8_load(low), f8_load(back));
    const int count = __builtin_popcount(bits);
    const m8 all = m8_of(bits);
    const float mean = f8_sum_in_order(middle, bits, all) / (float)count;
    const uint32_t left = m8_bits(m8_and(f8_before(middle, f8_set(mean)), all));
    if (__builtin_expect((balanced[count] >> __builtin_popcount(left) & 1u) == 0, 0))
        return median_of_short(middle, bits, (uint32_t)count / 2);
    return left;
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
    return count < WIDTH ? (1u << count) - 1u : (1u << WIDTH) - 1u;
}

VP_INLINE fw middles(const float *low, const float *back)
{
    return fw_sub(fw_load(low), fw_load(back));
}

/* The sum of the middles in the reference's order, which has sixteen lanes whose upper half is added to the lower one
   at the end. */
VP_INLINE float sum_of_middles(const float *low, const float *back, uint32_t count)
{
    fw sum[16 / WIDTH], zero = fw_set(0.0f);
    uint32_t i = 0;
    for (uint32_t k = 0; k < 16 / WIDTH; k++)
        sum[k] = zero;
    for (; i + 16 <= count; i += 16)
        for (uint32_t k = 0; k < 16 / WIDTH; k++)
            sum[k] = fw_add(sum[k], middles(low + i + k * WIDTH, back + i + k * WIDTH));
    for (uint32_t k = 0; k < 16 / WIDTH && i < count; k++, i += WIDTH)
        sum[k] = fw_add(sum[k], fw_choose(zero, middles(low + i, back + i), mw_of(first_lanes(count - i))));
    return f8_folded(sixteen_to_eight(sum));
}

VP_INLINE uint32_t count_before(const float *low, const float *back, uint32_t count, float mean)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i += WIDTH) {
        const uint32_t bits = mw_bits(fw_before(middles(low + i, back + i), fw_set(mean)));
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
   range, counted in floats, so at most 64 rounds are needed. Each array of keys has room for all and WIDTH more. */
static pivot pivot_of_rank(const float *at, size_t stride, uint32_t count, uint32_t axis, uint32_t rank, float *keys, float *others)
{
    const float *low = at + axis * stride, *back = low + 3 * stride;
    int64_t first = place_of_float(-4.0f * VP_KD_MAX), last = place_of_float(4.0f * VP_KD_MAX);
    uint32_t left = count;
    float found;
    for (uint32_t i = 0; i < count; i += WIDTH)
        fw_store(keys + i, middles(low + i, back + i));
    for (bool halve = false;; halve = !halve) {
        float *above = others;
        uint32_t below_count = 0, same_count = 0;
        found = halve ? float_at_place((int32_t)(first + (last - first) / 2)) : middle_of_three(keys[0], keys[left / 2], keys[left - 1]);
        for (uint32_t i = 0; i < left; i += WIDTH) {
            const fw key = fw_load(keys + i), by = fw_set(found);
            const mw there = mw_of(first_lanes(left - i)), same = mw_and(fw_same(key, by), there);
            const mw before = mw_and(fw_before(key, by), there);
            const one_side below = side_of(before), over = side_of(mw_without(mw_without(there, before), same));
            side_store(keys + below_count, key, &below);
            side_store(above, key, &over);
            below_count += below.count;
            above += over.count;
            same_count += (uint32_t)__builtin_popcount(mw_bits(same));
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

/* Copies the items that go left to `left` and the others to `right`, and computes both boxes. Overwrites up to WIDTH -
   1 floats past the end of either. `left` may be the set itself. */
VP_INLINE void part_long(const float *at, size_t stride, uint32_t count, uint32_t axis, pivot p, float *left, float *right, f8 box[2])
{
    const size_t low = axis * stride, back = low + 3 * stride;
    const fw middle_of_pivot = fw_set(p.middle);
    fw least[2][FACES];
    for (int k = 0; k < FACES; k++)
        least[0][k] = least[1][k] = fw_set(INFINITY);
    for (uint32_t i = 0; i < count; i += WIDTH) {
        const float *from = at + i;
        const fw middle = middles(from + low, from + back);
        const mw tied = mw_and(fw_same(middle, middle_of_pivot), fw_ids_below(fw_load(from + FACES * stride), p.id));
        const mw before = mw_or(fw_before(middle, middle_of_pivot), tied), there = mw_of(first_lanes(count - i));
        const one_side l = side_of(mw_and(before, there)), r = side_of(mw_without(there, before));
        for (size_t k = 0; k < ARRAYS; k++) {
            const fw v = fw_load(from + k * stride);
            if (k < FACES) {
                least[0][k] = side_least(least[0][k], v, &l);
                least[1][k] = side_least(least[1][k], v, &r);
            }
            side_store(left + k * stride, v, &l);
            side_store(right + k * stride, v, &r);
        }
        left += l.count;
        right += r.count;
    }
    box[0] = fw_box(least[0]);
    box[1] = fw_box(least[1]);
}

/* ---- items of triangles ---- */

/* Reads the items of all triangles, and computes their box. Overwrites up to seven floats past the end
   of each array. */
VP_INLINE void read_items(const vp_triangles *t, uint32_t count, uint32_t corners, float *at, size_t stride, float box[8])
{
    f8 least[FACES];
    for (int k = 0; k < FACES; k++)
        least[k] = f8_set(INFINITY);
    for (uint32_t i = 0; i < count; i += 8) {
        const uint32_t *index = t->index + (size_t)i * corners;
        uint32_t last[8 * 4];
        if (count - i < 8) { /* repeats the last one until there are eight */
            for (uint32_t j = 0; j < 8; j++)
                memcpy(last + j * corners, t->index + (size_t)(i + j < count ? i + j : count - 1) * corners, corners * sizeof *last);
            index = last;
        }
        f8 face[FACES];
        faces_of_eight(t->vertex, index, corners, face);
        for (size_t k = 0; k < FACES; k++) {
            f8_store(at + k * stride + i, face[k]);
            least[k] = f8_least(least[k], face[k]);
        }
        uint32_t id[8];
        for (uint32_t j = 0; j < 8; j++)
            id[j] = i + j;
        memcpy(at + FACES * stride + i, id, sizeof id);
    }
    f8_store(box, f8_box(least));
}

#endif
