/* SPDX-License-Identifier: MIT */
/* Building the wide form, whole or in parts. */
#include <math.h>
#include <string.h>

#include "src/core/inline.h"
#include "src/core/memory.h"
#include "src/spheretree/wide.h"

enum {
    FEW = 1024,     /* items whose coordinates fit the stack */
    FILL = 15,      /* lanes used in a new tree */
    FAN = 10,       /* of inner nodes other than the root, or more */
    FAN_MOST = 13,  /* larger trees would soon have a level more */
    PART_LEVEL = 2, /* of the root of a part */
    PART_LEAST = 4 * VP_WIDE,
    WHOLE_MOST = 1 << 12, /* leaf nodes of the largest part that is built anew at once */
    TOP_MOST = 1 << 14,   /* of the largest part that is built anew above them */
    LARGE_AFTER = 21      /* leaves that are rebuilt in parts before, for each of these nodes */
};

uint32_t vp_wide_list(const vp_wide_tree *w, vp_wide_item *out)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < w->node_used; at++)
        if (w->view.info[at].level == 0)
            for (uint32_t lane = 0; lane < w->view.info[at].count; lane++)
                out[count++] = vp_wide_item_of(w, at, lane);
    return count;
}

static inline void swap_items(vp_wide_item *a, vp_wide_item *b)
{
    const vp_wide_item swapped = *a;
    *a = *b;
    *b = swapped;
}

static inline bool is_below(const vp_wide_item *item, int axis, float pivot, bool is_equal_below)
{
    const float at = vp_wide_coordinate(item, axis);
    return (at < pivot) | (is_equal_below & (at == pivot));
}

/* Puts the items that are below a pivot along an axis before the others, or those at the pivot too. Blocks of items are compared without
 * branches that depend on them. @return the first of the others */
VP_INLINE uint32_t partition_along(vp_wide_item *item, uint32_t low, uint32_t high, int axis, float pivot, bool is_equal_below)
{
    enum { BLOCK = 64 };
    uint8_t above[BLOCK], below[BLOCK]; /* in the wrong block */
    uint32_t aboves = 0, belows = 0, first_above = 0, first_below = 0;
    while (high - low > 2 * BLOCK) {
        if (aboves == 0) {
            first_above = 0;
            for (uint32_t k = 0; k < BLOCK; k++) {
                above[aboves] = (uint8_t)k;
                aboves += !is_below(&item[low + k], axis, pivot, is_equal_below);
            }
        }
        if (belows == 0) {
            first_below = 0;
            for (uint32_t k = 0; k < BLOCK; k++) {
                below[belows] = (uint8_t)k;
                belows += is_below(&item[high - 1 - k], axis, pivot, is_equal_below);
            }
        }
        const uint32_t swaps = aboves < belows ? aboves : belows;
        for (uint32_t k = 0; k < swaps; k++)
            swap_items(&item[low + above[first_above + k]], &item[high - 1 - below[first_below + k]]);
        aboves -= swaps;
        belows -= swaps;
        first_above += swaps;
        first_below += swaps;
        low += aboves == 0 ? BLOCK : 0;
        high -= belows == 0 ? BLOCK : 0;
    }
    for (;;) {
        while (low < high && is_below(&item[low], axis, pivot, is_equal_below))
            low++;
        while (low < high && !is_below(&item[high - 1], axis, pivot, is_equal_below))
            high--;
        if (low == high)
            return low;
        swap_items(&item[low++], &item[--high]);
    }
}

static uint32_t partition_items(vp_wide_item *item, uint32_t low, uint32_t high, int axis, float pivot, bool is_equal_below)
{
    return axis == 0   ? partition_along(item, low, high, 0, pivot, is_equal_below)
           : axis == 1 ? partition_along(item, low, high, 1, pivot, is_equal_below)
                       : partition_along(item, low, high, 2, pivot, is_equal_below);
}

/* The coordinate of a sampled item that is probably near item `middle` of the sorted ones, on the side that leaves fewer to search. */
static float choose_pivot(const vp_wide_item *item, uint32_t low, uint32_t high, uint32_t middle, int axis, uint32_t *random)
{
    enum { SAMPLE = 31, SLACK = 2 };
    float key[SAMPLE];
    const uint32_t count = high - low;
    for (uint32_t i = 0; i < SAMPLE; i++) {
        *random = *random * 1664525u + 1013904223u;
        const float one = vp_wide_coordinate(&item[low + (uint32_t)((uint64_t)*random * count >> 32)], axis);
        uint32_t at = i;
        for (; at > 0 && key[at - 1] > one; at--)
            key[at] = key[at - 1];
        key[at] = one;
    }
    const uint32_t rank = (uint32_t)((uint64_t)(middle - low) * SAMPLE / count);
    return key[rank < SAMPLE / 2 ? rank + SLACK : rank - SLACK];
}

/* Integers in the order of numbers. */
static int32_t order_of(float number)
{
    int32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits < 0 ? bits ^ INT32_MAX : bits;
}

static float number_of(int64_t order)
{
    const int32_t bits = (int32_t)(order < 0 ? order ^ INT32_MAX : order);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* After 32 times no number is between. */
static float middle_of_numbers(float low, float high)
{
    const int64_t a = order_of(low), b = order_of(high);
    return number_of(a + (b - a) / 2);
}

static bool are_equal_between(const float *key, uint32_t count, float low, float high)
{
    float least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        least = key[i] >= low && key[i] < least ? key[i] : least;
        most = key[i] < high && key[i] > most ? key[i] : most;
    }
    return least == most;
}

/* Puts the items that are smaller along an axis before item `middle`. Counts the coordinates below a number, which approaches the median,
 * and then swaps items. So few branches depend on coordinates. */
static void select_few(vp_wide_item *item, uint32_t count, uint32_t middle, const vp_wide_extent *extent)
{
    enum { LANES = 16, PARTS = 8 };
    float key[FEW], low = extent->low, high = number_of((int64_t)order_of(extent->high) + 2); /* -0 and 0 are equal */
    uint32_t below_low = 0, below_high = count, froms = 0, tos = 0;
    const uint32_t padded = (count + LANES - 1) / LANES * LANES;
    uint16_t from[FEW], to[FEW]; /* items of the wrong part */
    for (uint32_t i = 0; i < count; i++)
        key[i] = vp_wide_coordinate(&item[i], extent->axis);
    for (uint32_t i = count; i < padded; i++)
        key[i] = INFINITY;
    for (uint32_t tries = 0; below_low < below_high && tries < PARTS + 32; tries++) {
        if (tries == PARTS && are_equal_between(key, count, low, high))
            break;
        const float part = tries % 2 != 0 ? 0.5f : (float)(middle - below_low) / (float)(below_high - below_low),
                    at = tries < PARTS ? low + (high - low) * part : middle_of_numbers(low, high);
        uint32_t below = 0;
        for (uint32_t i = 0; i < padded; i++) /* the compiler makes lanes of it */
            below += key[i] < at;
        if (below <= middle) {
            low = at;
            below_low = below;
        }
        if (below >= middle) {
            high = at;
            below_high = below;
        }
    }
    for (uint32_t i = 0; i < middle; i++) {
        from[froms] = (uint16_t)i;
        froms += key[i] >= high;
    }
    for (uint32_t i = middle; i < count; i++) {
        to[tos] = (uint16_t)i;
        tos += key[i] < low;
    }
    for (uint32_t i = 0; froms < tos; i++) /* equal ones fill the first part */
        if (key[i] >= low && key[i] < high)
            from[froms++] = (uint16_t)i;
    for (uint32_t i = middle; tos < froms; i++)
        if (key[i] >= low && key[i] < high)
            to[tos++] = (uint16_t)i;
    for (uint32_t i = 0; i < froms; i++)
        swap_items(&item[from[i]], &item[to[i]]);
}

/* The same in O(count) expected, for any number. */
static void select_median(vp_wide_item *item, uint32_t count, uint32_t middle)
{
    vp_wide_extent extent = vp_wide_extent_of(item, count);
    uint32_t low = 0, high = count, random = count;
    while (high - low > FEW) {
        const float pivot = choose_pivot(item, low, high, middle, extent.axis, &random);
        uint32_t end = partition_items(item, low, high, extent.axis, pivot, false);
        if (middle < end) {
            high = end;
            extent.high = pivot;
            continue;
        }
        if (end == low) { /* the pivot is the smallest one */
            end = partition_items(item, low, high, extent.axis, pivot, true);
            if (middle < end)
                return;
        }
        low = end;
        extent.low = pivot;
    }
    if (low < middle && middle < high)
        select_few(item + low, high - low, middle - low, &extent);
}

/* How a tree is built. */
typedef struct split_plan {
    uint32_t base;                           /* level whose nodes have the items */
    uint32_t top;                            /* level of the root */
    uint32_t unit[VP_SPHERETREE_MAX_LEVELS]; /* items below a node of each level */
} split_plan;

static uint32_t build_node(vp_wide_tree *w, const split_plan *plan, vp_wide_item *item, uint32_t count, uint32_t level);

/* Splits items into `parts`, and makes a child of each. */
static uint32_t split_items(vp_wide_tree *w, const split_plan *plan, vp_wide_item *item, uint32_t count, uint32_t parts, uint32_t level,
                            vp_wide_item *out)
{
    if (parts == 1) {
        *out = vp_wide_finish_node(w, build_node(w, plan, item, count, level));
        return 1;
    }
    const uint32_t first = parts / 2, middle = (uint32_t)((uint64_t)count * first / parts);
    select_median(item, count, middle);
    const uint32_t made = split_items(w, plan, item, middle, first, level, out);
    return made + split_items(w, plan, item + middle, count - middle, parts - first, level, out + made);
}

static uint32_t build_node(vp_wide_tree *w, const split_plan *plan, vp_wide_item *item, uint32_t count, uint32_t level)
{
    const uint32_t at = vp_wide_allocate_node(w, level);
    if (level == plan->base) {
        vp_wide_fill_node(w, at, item, count);
        return at;
    }
    vp_wide_item child[VP_WIDE];
    const uint32_t unit = plan->unit[level - 1];
    vp_wide_fill_node(w, at, child, split_items(w, plan, item, count, (count + unit - 1) / unit, level - 1, child));
    return at;
}

/* Plans inner nodes of `fan` children. @return the largest number of items */
static uint32_t plan_units(uint32_t base, uint32_t top, uint32_t fan, split_plan *out)
{
    *out = (split_plan){.base = base, .top = top};
    out->unit[base] = base == 0 ? FILL : fan;
    for (uint32_t level = base + 1; level <= top; level++) {
        const uint64_t unit = (uint64_t)out->unit[level - 1] * fan;
        out->unit[level] = unit < UINT32_MAX ? (uint32_t)unit : UINT32_MAX;
    }
    return out->unit[top];
}

/* Inner nodes have equally many children on all levels, and so room for more. If that is few, the root alone has few. @return false for too
 * many leaves */
static bool plan_levels(uint32_t count, uint32_t base, uint32_t top, split_plan *out)
{
    uint32_t fan = 2;
    while (fan <= FAN_MOST && plan_units(base, top, fan, out) < count)
        fan++;
    if (fan < FAN && top > base) {
        split_plan fuller;
        plan_units(base, top, FAN, &fuller);
        if (fuller.unit[top - 1] < count) /* the root has two */
            *out = fuller;
    }
    return fan <= FAN_MOST;
}

static split_plan plan_of(uint32_t count, uint32_t base)
{
    split_plan plan;
    uint32_t top = base;
    while (!plan_levels(count, base, top, &plan))
        top++;
    return plan;
}

/* The number of nodes that split_items makes on a level and above. */
static uint64_t count_nodes(const split_plan *plan, uint32_t count, uint32_t parts, uint32_t level, uint32_t lowest)
{
    if (parts > 1) {
        const uint32_t first = parts / 2, middle = (uint32_t)((uint64_t)count * first / parts);
        return count_nodes(plan, middle, first, level, lowest) + count_nodes(plan, count - middle, parts - first, level, lowest);
    }
    if (level <= plan->base || level <= lowest)
        return level >= lowest;
    const uint32_t unit = plan->unit[level - 1];
    return 1 + count_nodes(plan, count, (count + unit - 1) / unit, level - 1, lowest);
}

bool vp_wide_prepare(const vp_wide_tree *w, uint32_t count, vp_wide_nodes *out)
{
    const split_plan plan = plan_of(count, 0);
    const uint64_t nodes = count_nodes(&plan, count, 1, plan.top, 0), inner = count_nodes(&plan, count, 1, plan.top, 1);
    return vp_wide_allocate_nodes(w, nodes + nodes / 32 + 1, inner + inner / 32 + 1, out);
}

void vp_wide_build(vp_wide_tree *w, const vp_wide_nodes *nodes, vp_wide_item *leaf, uint32_t count)
{
    const split_plan plan = plan_of(count, 0);
    vp_wide_replace_nodes(w, nodes);
    vp_wide_empty(w);
    w->view.common_mask = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        w->view.common_mask &= leaf[i].mask;
    w->view.root = vp_wide_finish_node(w, build_node(w, &plan, leaf, count, plan.top)).child;
}

bool vp_wide_rebuild(vp_wide_tree *w, uint32_t leaves)
{
    vp_wide_nodes nodes;
    vp_wide_item *list = vp_allocate(w->allocator, leaves, sizeof *list);
    const bool all = list != NULL && vp_wide_prepare(w, leaves, &nodes);
    if (all) {
        vp_wide_list(w, list);
        vp_wide_build(w, &nodes, list, leaves);
    }
    vp_release(w->allocator, list, leaves, sizeof *list);
    return all;
}

/* ---- rebuilding parts ---- */

/* Frees the nodes of a subtree down to a level. @return the number of children that those have, which are listed unless `out` is NULL */
static uint32_t take_items(vp_wide_tree *w, uint32_t at, uint32_t base, vp_wide_item *out, uint32_t *nodes, uint32_t *inner)
{
    const uint32_t children = w->view.info[at].count, level = w->view.info[at].level;
    uint32_t count = 0;
    (*nodes)++;
    *inner += level > 0;
    for (uint32_t lane = 0; lane < children; lane++)
        if (level > base)
            count += take_items(w, w->view.node[at].child[lane], base, out == NULL ? NULL : out + count, nodes, inner);
        else if (out == NULL)
            count++;
        else
            out[count++] = vp_wide_item_of(w, at, lane);
    if (out != NULL)
        vp_wide_free_node(w, at);
    return count;
}

static uint32_t count_items(vp_wide_tree *w, uint32_t at, uint32_t base)
{
    uint32_t nodes = 0, inner = 0;
    return take_items(w, at, base, NULL, &nodes, &inner);
}

/* Builds a subtree anew down to a level, if there is memory. The whole tree gets new memory, without the spare nodes of the old one. */
static void rebuild_subtree(vp_wide_tree *w, uint32_t at, uint32_t base)
{
    uint32_t nodes = 0, inner = 0;
    const uint32_t level = w->view.info[at].level, slot = w->view.info[at].parent, count = take_items(w, at, base, NULL, &nodes, &inner);
    if (slot == VP_SPHERETREE_NONE && base == 0 && vp_wide_rebuild(w, count))
        return;
    split_plan plan = plan_of(count, base);
    if ((slot != VP_SPHERETREE_NONE && !plan_levels(count, base, level, &plan)) ||
        count_nodes(&plan, count, 1, plan.top, base) > vp_wide_spare_nodes(w) + nodes ||
        count_nodes(&plan, count, 1, plan.top, 1) > vp_wide_spare_boxes(w) + inner)
        return;
    vp_wide_item *item = vp_allocate(w->allocator, count, sizeof *item);
    if (item == NULL)
        return;
    take_items(w, at, base, item, &nodes, &inner);
    const vp_wide_item built = vp_wide_finish_node(w, build_node(w, &plan, item, count, plan.top));
    vp_release(w->allocator, item, count, sizeof *item);
    if (slot == VP_SPHERETREE_NONE) {
        w->view.root = built.child;
        return;
    }
    vp_wide_set_lane(w, slot / VP_WIDE, slot % VP_WIDE, &built);
    vp_wide_mark_dirty(w, slot / VP_WIDE);
}

/* The root of the part with the last insertion. If that inserted a node above all parts, or `is_next`: of the next part in order of memory.
 */
static uint32_t find_part(vp_wide_tree *w, bool is_next)
{
    uint32_t at = w->last;
    const uint32_t level = vp_wide_levels(w) <= PART_LEVEL ? vp_wide_levels(w) - 1 : PART_LEVEL;
    if (is_next || at >= w->node_used || w->view.info[at].count == 0 || w->view.info[at].level > level) {
        do
            at = w->next_part = w->next_part + 1 < w->node_used ? w->next_part + 1 : 0;
        while (w->view.info[at].count == 0 || w->view.info[at].level != level);
    }
    while (w->view.info[at].level < level)
        at = w->view.info[at].parent / VP_WIDE;
    return at;
}

/* The largest subtree around a node with up to that many leaf nodes. */
static uint32_t find_around(vp_wide_tree *w, uint32_t at, uint32_t most, uint32_t *nodes)
{
    *nodes = 0;
    for (uint32_t slot = w->view.info[at].parent; slot != VP_SPHERETREE_NONE; slot = w->view.info[at].parent) {
        const uint32_t more = count_items(w, slot / VP_WIDE, 1);
        if (more > most)
            break;
        at = slot / VP_WIDE;
        *nodes = more;
    }
    return at;
}

/* The next child of the subtree that was built anew last above its leaf nodes. Changes of the tree since then may repeat or skip one. */
static uint32_t find_pending(vp_wide_tree *w)
{
    const uint32_t at = w->pending;
    if (at < w->node_used && w->view.info[at].level > PART_LEVEL && w->pending_lane < w->view.info[at].count) {
        const uint32_t child = w->view.node[at].child[w->pending_lane++];
        if (w->pending_lane == w->view.info[at].count) /* so that the next call builds nothing without credits */
            w->pending = VP_SPHERETREE_NONE;
        if (count_items(w, child, 1) <= WHOLE_MOST)
            return child;
    }
    w->pending = VP_SPHERETREE_NONE;
    return VP_SPHERETREE_NONE;
}

void vp_wide_rebuild_part(vp_wide_tree *w, bool is_next)
{
    uint32_t at = find_pending(w), nodes, top_nodes;
    if (at == VP_SPHERETREE_NONE) {
        at = find_part(w, is_next);
        const uint32_t count = count_items(w, at, 0), whole = find_around(w, at, WHOLE_MOST, &nodes),
                       top = find_around(w, whole, TOP_MOST, &top_nodes);
        if (count < PART_LEAST) {
            w->credit -= VP_WIDE_PART_CREDIT;
            return;
        }
        if (top != at && w->rebuilt + count >= (top != whole ? top_nodes : nodes) * LARGE_AFTER) {
            w->rebuilt = 0;
            if (top != whole) {
                w->pending = top;
                w->pending_lane = 0;
                w->credit -= (int32_t)(top_nodes * VP_WIDE_LEAF_CREDIT);
                rebuild_subtree(w, top, 1);
                return;
            }
            at = whole;
        }
    }
    const uint32_t leaves = count_items(w, at, 0);
    w->rebuilt += leaves;
    w->credit -= (int32_t)(leaves * (w->view.info[at].parent == VP_SPHERETREE_NONE ? VP_WIDE_WHOLE_CREDIT : VP_WIDE_LEAF_CREDIT));
    rebuild_subtree(w, at, 0);
}

/* Builds all above level 0 anew, if there is memory. */
void vp_wide_rebuild_top(vp_wide_tree *w)
{
    w->inserted = 0;
    if (w->view.root != VP_SPHERETREE_NONE && w->view.info[w->view.root].level > 0)
        rebuild_subtree(w, w->view.root, 1);
}
