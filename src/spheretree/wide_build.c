/* SPDX-License-Identifier: MIT */
/* Building the wide form, whole or in parts. */
#include "src/core/memory.h"
#include "src/spheretree/wide.h"

enum {
    FILL = 14,      /* lanes used in a new tree */
    FAN = 10,       /* of inner nodes other than the root, or more */
    FAN_MOST = 13,  /* larger trees would soon have a level more */
    PART_LEVEL = 2, /* of the root of a part */
    PART_LEAST = 4 * VP_WIDE,
    LARGE_MOST = 1 << 17 /* leaves */
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

/* Puts the items that are smaller along an axis before item `middle`, in O(count) expected. */
static void select_median(vp_wide_item *item, uint32_t count, uint32_t middle, int axis)
{
    uint32_t low = 0, high = count - 1, random = count;
    while (low < high) {
        random = random * 1664525u + 1013904223u;
        const float pivot = vp_wide_coordinate(&item[low + (uint32_t)((uint64_t)random * (high - low + 1) >> 32)], axis);
        uint32_t i = low, k = high;
        for (;;) {
            while (vp_wide_coordinate(&item[i], axis) < pivot)
                i++;
            while (vp_wide_coordinate(&item[k], axis) > pivot)
                k--;
            if (i >= k)
                break;
            const vp_wide_item swapped = item[i];
            item[i++] = item[k];
            item[k--] = swapped;
        }
        /* items to i - 1 are at most the pivot, and from k + 1 on at least */
        if (i == k) {
            if (middle == i)
                return;
            if (middle < i)
                high = i - 1;
            else
                low = i + 1;
        } else if (middle <= k) {
            high = k;
        } else {
            low = i;
        }
    }
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
    select_median(item, count, middle, vp_wide_widest_axis(item, count));
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

/* Frees the nodes of a subtree. @return the number of its leaves, which are added to the list unless that is NULL */
static uint32_t take_leaves(vp_wide_tree *w, uint32_t at, vp_wide_item *out, uint32_t *nodes, uint32_t *inner)
{
    const uint32_t children = w->view.info[at].count;
    uint32_t count = 0;
    (*nodes)++;
    *inner += w->view.info[at].level > 0;
    for (uint32_t lane = 0; lane < children; lane++)
        if (w->view.info[at].level > 0)
            count += take_leaves(w, w->view.node[at].child[lane], out == NULL ? NULL : out + count, nodes, inner);
        else if (out == NULL)
            count++;
        else
            out[count++] = vp_wide_item_of(w, at, lane);
    if (out != NULL)
        vp_wide_free_node(w, at);
    return count;
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

static uint32_t count_leaves(vp_wide_tree *w, uint32_t at)
{
    uint32_t nodes = 0, inner = 0;
    return take_leaves(w, at, NULL, &nodes, &inner);
}

/* The root of the large part around a part, if enough leaves were rebuilt since the last one. */
static uint32_t find_large_part(vp_wide_tree *w, uint32_t at)
{
    uint32_t large = at, leaves = 0;
    for (uint32_t slot = w->view.info[at].parent; slot != VP_SPHERETREE_NONE; slot = w->view.info[large].parent) {
        const uint32_t more = count_leaves(w, slot / VP_WIDE);
        if (more > LARGE_MOST)
            break;
        large = slot / VP_WIDE;
        leaves = more;
    }
    if (w->rebuilt < leaves + leaves / 2)
        return at;
    w->rebuilt = 0;
    return large;
}

/* Builds a part of the tree anew, if there is memory. */
void vp_wide_rebuild_part(vp_wide_tree *w, bool is_next)
{
    uint32_t at = find_part(w, is_next), nodes = 0, inner = 0;
    at = find_large_part(w, at);
    const uint32_t level = w->view.info[at].level, slot = w->view.info[at].parent, count = take_leaves(w, at, NULL, &nodes, &inner);
    w->rebuilt += count;
    w->credit -= (int32_t)(count < PART_LEAST ? VP_WIDE_PART_CREDIT : count * VP_WIDE_LEAF_CREDIT);
    split_plan plan = plan_of(count, 0);
    if (count < PART_LEAST || (slot != VP_SPHERETREE_NONE && !plan_levels(count, 0, level, &plan)) ||
        count_nodes(&plan, count, 1, plan.top, 0) > vp_wide_spare_nodes(w) + nodes ||
        count_nodes(&plan, count, 1, plan.top, 1) > vp_wide_spare_boxes(w) + inner)
        return;
    vp_wide_item *leaf = vp_allocate(w->allocator, count, sizeof *leaf);
    if (leaf == NULL)
        return;
    take_leaves(w, at, leaf, &nodes, &inner);
    const vp_wide_item part = vp_wide_finish_node(w, build_node(w, &plan, leaf, count, plan.top));
    vp_release(w->allocator, leaf, count, sizeof *leaf);
    if (slot == VP_SPHERETREE_NONE) {
        w->view.root = part.child;
        return;
    }
    vp_wide_set_lane(w, slot / VP_WIDE, slot % VP_WIDE, &part);
    vp_wide_mark_dirty(w, slot / VP_WIDE);
}

/* Builds all above level 0 anew, if there is memory. */
void vp_wide_rebuild_top(vp_wide_tree *w)
{
    uint32_t count = 0, nodes = 0;
    w->inserted = 0;
    for (uint32_t at = 0; at < w->node_used; at++)
        if (w->view.info[at].level > 0)
            nodes += w->view.info[at].count > 0;
        else
            count += w->view.info[at].count > 0;
    const split_plan plan = plan_of(count, 1);
    const uint64_t all = count_nodes(&plan, count, 1, plan.top, 1);
    if (nodes == 0 || all > vp_wide_spare_nodes(w) + nodes || all > vp_wide_spare_boxes(w) + nodes)
        return;
    vp_wide_item *item = vp_allocate(w->allocator, count, sizeof *item);
    if (item == NULL)
        return;
    for (uint32_t at = w->node_used, i = count; at-- > 0;) {
        const vp_spheretree_wide_info *info = &w->view.info[at];
        if (info->count > 0 && info->level == 0)
            item[--i] = (vp_wide_item){vp_wide_sphere(&w->view, info->parent), at, info->mask};
    }
    for (uint32_t at = w->node_used; at-- > 0;)
        if (w->view.info[at].count > 0 && w->view.info[at].level > 0)
            vp_wide_free_node(w, at);
    w->view.root = vp_wide_finish_node(w, build_node(w, &plan, item, count, plan.top)).child;
    vp_release(w->allocator, item, count, sizeof *item);
}
