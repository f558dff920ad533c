/* SPDX-License-Identifier: MIT */
/* A plan splits up to 192 items until every set is small enough. See kd/build/build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_PLAN_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_PLAN_H

#include "optimized/kd/build/build_split.h"

enum {
    PLAN_ITEMS = 192,
    PLAN_PLACES = 2 * PLAN_ITEMS,          /* sets, because each split makes two */
    PLAN_LONGS = PLAN_ITEMS / (SHORT + 1), /* long sets at a time */
    AREA = PLAN_ITEMS + 16,                /* lanes of one of the six areas for items, with room for whole vectors at the end */
    STRIDE = 6 * AREA
};

/* A set, four fields of 16 bits from bit 0 on: the place of its items, or of the eight that contain them; its place in
   the plan; its number of items; its bits among the eight. */
typedef uint64_t plan_set;

typedef struct plan {
    float item[ARRAYS * STRIDE];
    float box[PLAN_PLACES][8];
    float known[PLAN_PLACES][8]; /* slab form: known box of each set, with its slabs */
    plan_set set[PLAN_PLACES];   /* place 0 is the whole; split i has made 2i + 1 and 2i + 2 */
    plan_set longs[2][PLAN_LONGS + 1], shorts[2][PLAN_ITEMS + 1], pairs[PLAN_ITEMS + 1]; /* to be split */
    float keys[2][AREA];
    pivot pivot[PLAN_LONGS];
    uint16_t left[PLAN_ITEMS];   /* number, or bits, of the items that go left, for each set that is being split */
    uint16_t parent[PLAN_ITEMS]; /* the place that each split divided */
    uint8_t axis[PLAN_ITEMS];    /* for each split */
    uint32_t splits;
} plan;

VP_INLINE uint32_t set_at(plan_set s)
{
    return (uint32_t)s & 0xffffu;
}

VP_INLINE uint32_t set_place(plan_set s)
{
    return (uint32_t)s >> 16;
}

VP_INLINE uint32_t set_count(plan_set s)
{
    return (uint32_t)(s >> 32) & 0xffffu;
}

VP_INLINE uint32_t set_bits(plan_set s)
{
    return (uint32_t)(s >> 48);
}

VP_INLINE plan_set set_of(uint32_t at, uint32_t place, uint32_t count, uint32_t bits)
{
    return at | place << 16 | (uint64_t)count << 32 | (uint64_t)bits << 48;
}

/* State while a plan is made. */
typedef struct planner {
    plan *p;
    uint32_t most;                   /* items in a set that is not split */
    bool pairs;                      /* sets of two are split separately */
    uint32_t places;                 /* in use */
    plan_set *longs, *shorts, *twos; /* ends of the lists */
} planner;

/* Puts a set in the next place, and on the list of sets to split. No branch: the set is written to every list, and one
   list's end moves. */
VP_INLINE void add_set(planner *r, uint32_t at, uint32_t count, uint32_t bits, f32x8 box, bool may_be_long)
{
    const plan_set s = set_of(at, r->places, count, bits);
    const uint32_t most = r->pairs ? 2 : r->most;
    f32x8_store(r->p->box[r->places], box);
    r->p->set[r->places] = s;
    if (may_be_long) {
        *r->longs = s;
        r->longs += count > SHORT;
    }
    *r->shorts = s;
    r->shorts += count - most - 1u < SHORT - most;
    if (r->pairs) {
        *r->twos = s;
        r->twos += count == 2;
    }
    r->places++;
}

/* Returns the bits of all items of a short set. The result for a long set is unused. */
VP_INLINE uint32_t all_bits(uint32_t count)
{
    return ((1u << (count & 15u)) - 1u) & 0xffu;
}

/* Copies the sides of long sets to four areas, for left and right sides, long and short. A side is stored after the
   earlier ones of its area, so the lanes past its end fall into unused room. Long sets swap areas with each level. */
VP_INLINE void split_longs(planner *r)
{
    plan *p = r->p;
    uint32_t short_at[2] = {4 * AREA, 5 * AREA};
    for (uint32_t level = 0; r->longs != p->longs[level]; level ^= 1u) {
        const plan_set *now = p->longs[level];
        const uint32_t count = (uint32_t)(r->longs - now), next = level ^ 1u;
        uint32_t long_at[2] = {2 * next * AREA, (2 * next + 1) * AREA};
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t axis = longest_axis(p->box[set_place(now[i])]);
            p->axis[p->splits + i] = (uint8_t)axis;
            p->left[i] =
                (uint16_t)pivot_of_long(p->item + set_at(now[i]), STRIDE, set_count(now[i]), axis, p->keys[0], p->keys[1], &p->pivot[i]);
        }
        r->longs = p->longs[next];
        for (uint32_t i = 0; i < count; i++, p->splits++) {
            const plan_set s = now[i];
            const uint32_t counts[2] = {p->left[i], set_count(s) - p->left[i]};
            uint32_t at[2];
            f32x8 box[2];
            for (int k = 0; k < 2; k++) {
                at[k] = counts[k] > SHORT ? long_at[k] : short_at[k];
                long_at[k] += counts[k] > SHORT ? counts[k] : 0;
                short_at[k] += counts[k] > SHORT ? 0 : counts[k];
            }
            part_long(p->item + set_at(s), STRIDE, set_count(s), p->axis[p->splits], p->pivot[i], p->item + at[0], p->item + at[1], box);
            add_set(r, at[0], counts[0], all_bits(counts[0]), box[0], true);
            add_set(r, at[1], counts[1], all_bits(counts[1]), box[1], true);
            p->parent[p->splits] = (uint16_t)set_place(s);
        }
    }
}

VP_INLINE void split_shorts(planner *r)
{
    plan *p = r->p;
    for (uint32_t level = 0; r->shorts != p->shorts[level]; level ^= 1u) {
        const plan_set *now = p->shorts[level];
        const uint32_t count = (uint32_t)(r->shorts - now);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t axis = longest_axis(p->box[set_place(now[i])]);
            p->axis[p->splits + i] = (uint8_t)axis;
            p->left[i] = (uint16_t)split_short(p->item + set_at(now[i]), STRIDE, set_bits(now[i]), axis);
        }
        r->shorts = p->shorts[level ^ 1u];
        for (uint32_t i = 0; i < count; i++, p->splits++) {
            const plan_set s = now[i];
            const uint32_t at = set_at(s), left = p->left[i], right = set_bits(s) & ~left;
            f32x8 box[2];
            boxes_of_short(p->item + at, STRIDE, left, right, box);
            add_set(r, at, (uint32_t)__builtin_popcount(left), left, box[0], false);
            add_set(r, at, (uint32_t)__builtin_popcount(right), right, box[1], false);
            p->parent[p->splits] = (uint16_t)set_place(s);
        }
    }
}

/* Splits sets of two items. The item with the smaller middle goes left, and the first one if they are equal. Only the
   faces that the planes need are kept. */
VP_INLINE void split_pairs(planner *r)
{
    plan *p = r->p;
    for (const plan_set *w = p->pairs; w != r->twos; w++, p->splits++, r->places += 2) {
        const uint32_t at = set_at(*w), axis = longest_axis(p->box[set_place(*w)]);
        const uint32_t first = set_bits(*w) & (0u - set_bits(*w)), second = set_bits(*w) ^ first;
        const uint32_t one = (uint32_t)__builtin_ctz(first), two = (uint32_t)__builtin_ctz(second);
        const float *low = p->item + at + axis * STRIDE, *back = low + 3 * STRIDE;
        const bool swapped = low[two] - back[two] < low[one] - back[one];
        p->box[r->places][4 + axis] = back[swapped ? two : one];
        p->box[r->places + 1][axis] = low[swapped ? one : two];
        p->set[r->places] = set_of(at, r->places, 1, swapped ? second : first);
        p->set[r->places + 1] = set_of(at, r->places + 1, 1, swapped ? first : second);
        p->axis[p->splits] = (uint8_t)axis;
        p->parent[p->splits] = (uint16_t)set_place(*w);
    }
}

/* Makes the plan of the items in the first area. Sets of at most `most` items, which is at most half of SHORT, are not
   split. @param pairs most is 1, and boxes of single items are not needed */
VP_INLINE void make_plan(plan *p, uint32_t count, const float box[8], uint32_t most, bool pairs)
{
    planner r = {p, most, pairs, 0, p->longs[0], p->shorts[0], p->pairs};
    p->splits = 0;
    add_set(&r, 0, count, all_bits(count), f32x8_load(box), true);
    split_longs(&r);
    split_shorts(&r);
    if (pairs)
        split_pairs(&r);
}

#endif
