/* SPDX-License-Identifier: MIT */
/* Splits sets of more items than a plan holds. See kd/build/build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_BIG_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_BIG_H

#include "optimized/kd/build/build_plan.h"

/* All items, and room for as many more. A set is in one of the two arrays, at its place in the order of leaves. */
typedef struct big_items {
    float *array[2];
    size_t stride;
    float *keys[2];
} big_items;

typedef struct big_set {
    float box[8];
    float *at;
    uint32_t count;
    uint32_t side; /* the array that contains it */
} big_set;

/* Lays out the scratch. Each array has room past its last item for whole vectors that are stored there. */
static inline big_items big_items_of(void *scratch, uint32_t count)
{
    const size_t stride = ((size_t)count + 15) / 16 * 16 + 16;
    float *at = scratch;
    return (big_items){{at, at + ARRAYS * stride}, stride, {at + 2 * ARRAYS * stride, at + (2 * ARRAYS + 1) * stride}};
}

static inline big_set big_set_of_all(const big_items *items, uint32_t count, const float box[8])
{
    big_set all = {.at = items->array[0], .count = count};
    memcpy(all.box, box, sizeof all.box);
    return all;
}

/* Returns the number of items before the set. */
static inline uint32_t big_set_begins(const big_items *items, const big_set *s)
{
    return (uint32_t)(s->at - items->array[s->side]);
}

/* Left sides stay where they are, right ones go to the same place in the other array. The items of other sets that are
   overwritten past the end, in both arrays, are restored. The set's own array needs this too, because the eighth part
   of a wide node may have only a few dozen items, and then a right side can be shorter than the overwritten part past a
   left side. @return the axis of the split */
static uint32_t split_big(const big_items *items, const big_set *s, big_set out[2])
{
    const size_t stride = items->stride;
    const uint32_t axis = longest_axis(s->box), other = s->side ^ 1u;
    pivot p;
    const uint32_t left = pivot_of_long(s->at, stride, s->count, axis, items->keys[0], items->keys[1], &p);
    float *beside = items->array[other] + big_set_begins(items, s);
    float *behind = beside + s->count;
    float *end = s->at + s->count;
    f32w kept[ARRAYS], kept_here[ARRAYS];
    f32x8 box[2];
    for (size_t k = 0; k < ARRAYS; k++) {
        kept[k] = f32w_load(behind + k * stride);
        kept_here[k] = f32w_load(end + k * stride);
    }
    part_long(s->at, stride, s->count, axis, p, s->at, beside + left, box);
    for (size_t k = 0; k < ARRAYS; k++) {
        f32w_store(behind + k * stride, kept[k]);
        f32w_store(end + k * stride, kept_here[k]);
    }
    out[0] = (big_set){.at = s->at, .count = left, .side = s->side};
    out[1] = (big_set){.at = beside + left, .count = s->count - left, .side = other};
    f32x8_store(out[0].box, box[0]);
    f32x8_store(out[1].box, box[1]);
    return axis;
}

/* Copies a set's items to those of a plan. */
static inline void fetch_items(const big_items *items, const big_set *s, plan *p)
{
    for (size_t k = 0; k < ARRAYS; k++)
        memcpy(p->item + k * STRIDE, s->at + k * items->stride, s->count * sizeof(float));
}

#endif
