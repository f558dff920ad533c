/* SPDX-License-Identifier: MIT */
/* Insertion, removal and movement in the wide form, and bounds afterwards. */
#include <math.h>

#include "src/core/memory.h"
#include "src/spheretree/wide.h"

typedef vp_spheretree_wide_node wide_node;
typedef vp_spheretree_wide_info wide_info;

/* At least the radius of a sphere around a centre that contains another sphere. */
static float reach_of(const wide_node *n, uint32_t lane, const vp_sphere *s)
{
    const float x = n->x[lane] - s->centre.x, y = n->y[lane] - s->centre.y, z = n->z[lane] - s->centre.z;
    return (sqrtf((x * x + y * y) + z * z) + s->radius) * VP_WIDE_PAD + VP_WIDE_LEAST;
}

/* Part of a node's size at its last building, splitting or insertion in which its children are at home. */
#define HOME 1.15f

/* Whether a child at a place is still in its node's neighbourhood. */
static bool is_at_home(const vp_wide_tree *w, uint32_t at, const vp_sphere *s)
{
    const wide_info *info = &w->view.info[at];
    if (info->parent == VP_SPHERETREE_NONE)
        return true;
    const wide_node *above = &w->view.node[info->parent / VP_WIDE];
    const uint32_t lane = info->parent % VP_WIDE;
    const float x = above->x[lane] - s->centre.x, y = above->y[lane] - s->centre.y, z = above->z[lane] - s->centre.z,
                home = HOME * info->size + s->radius;
    return (x * x + y * y) + z * z <= home * home;
}

/* ---- insertion ---- */

static void add_item(vp_wide_tree *w, uint32_t at, const vp_wide_item *item, bool is_new);

/* Sorts by one coordinate, equal ones in their order. */
static void sort_items(vp_wide_item *item, uint32_t count, int axis)
{
    for (uint32_t i = 1; i < count; i++) {
        const vp_wide_item one = item[i];
        const float key = vp_wide_coordinate(&one, axis);
        uint32_t at = i;
        for (; at > 0 && vp_wide_coordinate(&item[at - 1], axis) > key; at--)
            item[at] = item[at - 1];
        item[at] = one;
    }
}

/* Makes two nodes of a full one and another item. */
static void split_node(vp_wide_tree *w, uint32_t at, const vp_wide_item *more, bool is_new)
{
    enum { ALL = VP_WIDE + 1, FIRST = ALL / 2 };
    vp_wide_item item[ALL];
    for (uint32_t lane = 0; lane < VP_WIDE; lane++)
        item[lane] = vp_wide_item_of(w, at, lane);
    item[VP_WIDE] = *more;
    sort_items(item, ALL, vp_wide_extent_of(item, ALL).axis);
    const uint32_t level = w->view.info[at].level, other = vp_wide_allocate_node(w, level);
    vp_wide_fill_node(w, at, item, FIRST);
    vp_wide_fill_node(w, other, item + FIRST, ALL - FIRST);
    const vp_wide_item both[2] = {vp_wide_finish_node(w, at), vp_wide_finish_node(w, other)};
    vp_wide_mark_dirty(w, at);
    vp_wide_mark_dirty(w, other);
    const uint32_t parent = w->view.info[at].parent;
    if (parent != VP_SPHERETREE_NONE) {
        vp_wide_set_lane(w, parent / VP_WIDE, parent % VP_WIDE, &both[0]);
        add_item(w, parent / VP_WIDE, &both[1], is_new);
        return;
    }
    const uint32_t root = vp_wide_allocate_node(w, level + 1);
    vp_wide_fill_node(w, root, both, 2);
    w->view.root = vp_wide_finish_node(w, root).child;
}

/* How much the boxes of a node's children would grow, along all axes. If boxes contain the sphere, the one in which it is deepest has the
 * least. So boxes that overlap shrink again. NaN without a child. */
static void measure_growth(const vp_wide_tree *w, uint32_t at, const vp_sphere *s, float cost[VP_WIDE])
{
    const wide_node *n = &w->view.node[at];
    const vp_spheretree_wide_box *b = &w->view.box[w->view.info[at].box];
    for (int k = 0; k < VP_WIDE; k++) { /* the compiler makes lanes of it */
        const float more_x = (fabsf(n->x[k] - s->centre.x) + s->radius) - b->x[k],
                    more_y = (fabsf(n->y[k] - s->centre.y) + s->radius) - b->y[k],
                    more_z = (fabsf(n->z[k] - s->centre.z) + s->radius) - b->z[k], more_xy = more_x > more_y ? more_x : more_y;
        cost[k] = ((more_x < 0 ? 0 : more_x) + (more_y < 0 ? 0 : more_y)) +
                  ((more_z < 0 ? 0 : more_z) + (more_xy > more_z ? more_xy : more_z) * 0x1p-4f);
    }
}

/* Makes the bounds of a child contain an item of a level below it. @return the child */
static uint32_t grow_lane(vp_wide_tree *w, uint32_t at, uint32_t lane, const vp_wide_item *item, uint32_t level)
{
    wide_node *n = &w->view.node[at];
    const float reach = reach_of(n, lane, &item->bound);
    wide_info *info = &w->view.info[n->child[lane]];
    w->view.info[at].mask |= item->mask;
    n->radius[lane] = reach > n->radius[lane] ? reach : n->radius[lane];
    vp_wide_grow_box(w, at, lane, item, level);
    info->size = reach > info->size ? reach : info->size;
    return n->child[lane];
}

/* The child with a free lane, other than one, whose box grows least, and by at most `most`. @return its lane, VP_WIDE = none */
static uint32_t find_free_child(const vp_wide_tree *w, uint32_t at, uint32_t except, const vp_sphere *s, float most)
{
    const uint32_t *child = w->view.node[at].child;
    float cost[VP_WIDE];
    uint32_t best = VP_WIDE;
    measure_growth(w, at, s, cost);
    for (uint32_t k = 0; k < VP_WIDE; k++)
        if (cost[k] <= most && k != except && w->view.info[child[k]].count < VP_WIDE) {
            most = cost[k];
            best = k;
        }
    return best;
}

/* The most that a sibling's box may grow, to take an item of a node. Larger parts of the size make trees that get worse and worse. */
static float spill_of(const vp_wide_tree *w, uint32_t at)
{
    const wide_info *info = &w->view.info[at];
    return (info->level > 0 ? 0.375f : 0.625f) * info->size;
}

/* Adds an item to a full node. The one that is farthest from the centre goes to a sibling. @return false if none is near */
static bool spill_item(vp_wide_tree *w, uint32_t at, const vp_wide_item *more, bool is_new)
{
    const uint32_t slot = w->view.info[at].parent, level = w->view.info[at].level;
    if (slot == VP_SPHERETREE_NONE)
        return false;
    const wide_node *n = &w->view.node[at];
    const vp_vec3 centre = vp_wide_sphere(&w->view, slot).centre, from = vp_vec3_sub(more->bound.centre, centre);
    float far[VP_WIDE], farthest = (from.x * from.x + from.y * from.y) + from.z * from.z;
    uint32_t lane = VP_WIDE; /* the new item */
    for (int k = 0; k < VP_WIDE; k++) {
        const float x = n->x[k] - centre.x, y = n->y[k] - centre.y, z = n->z[k] - centre.z;
        far[k] = (x * x + y * y) + z * z;
    }
    for (uint32_t k = 0; k < VP_WIDE; k++)
        if (far[k] > farthest) {
            farthest = far[k];
            lane = k;
        }
    const vp_wide_item item = lane == VP_WIDE ? *more : vp_wide_item_of(w, at, lane);
    const uint32_t to = find_free_child(w, slot / VP_WIDE, slot % VP_WIDE, &item.bound, is_new ? 0 : spill_of(w, at));
    if (to == VP_WIDE)
        return false;
    if (lane < VP_WIDE) {
        w->view.info[at].mask |= more->mask;
        vp_wide_set_lane(w, at, lane, more);
    }
    vp_wide_mark_dirty(w, at);
    add_item(w, grow_lane(w, slot / VP_WIDE, to, &item, level), &item, false);
    return true;
}

static void add_item(vp_wide_tree *w, uint32_t at, const vp_wide_item *item, bool is_new)
{
    wide_info *info = &w->view.info[at];
    if (info->count == VP_WIDE) {
        if (!spill_item(w, at, item, is_new))
            split_node(w, at, item, is_new);
        return;
    }
    info->mask |= item->mask;
    vp_wide_set_lane(w, at, info->count++, item);
}

static void insert_item(vp_wide_tree *w, uint32_t level, const vp_wide_item *item, bool is_new)
{
    uint32_t at = w->view.root;
    while (w->view.info[at].level > level) {
        float cost[VP_WIDE];
        measure_growth(w, at, &item->bound, cost);
        uint32_t best = 0;
        for (uint32_t k = 1; k < VP_WIDE; k++)
            if (cost[k] < cost[best]) /* false without a child */
                best = k;
        at = grow_lane(w, at, best, item, level);
    }
    add_item(w, at, item, is_new);
    w->last = at;
    w->credit += level == 0 ? VP_WIDE_NEW_CREDIT : 0;
}

void vp_wide_insert(vp_wide_tree *w, const vp_wide_item *leaf)
{
    w->view.common_mask &= leaf->mask;
    if (w->view.root == VP_SPHERETREE_NONE) {
        w->view.root = vp_wide_allocate_node(w, 0);
        w->view.info[w->view.root].size = leaf->bound.radius;
    }
    insert_item(w, 0, leaf, true);
    w->inserted++;
}

/* ---- removal ---- */

/* Nodes with fewer children are dissolved, if siblings with free lanes are near. Those with fewer than FEWEST need not be near. */
enum { MIN_LEAVES = 10, MIN_NODES = 4, FEWEST = 4 };

/* Empties a node without a parent. vp_wide_refit frees it, because it may be in a list until then. */
static void retire_node(vp_wide_tree *w, uint32_t at)
{
    w->view.info[at].count = 0;
    w->view.info[at].parent = VP_SPHERETREE_NONE;
    vp_wide_mark_dirty(w, at);
}

static void take_lane(vp_wide_tree *w, uint32_t at, uint32_t lane)
{
    const uint32_t last = --w->view.info[at].count;
    if (lane != last) {
        const vp_wide_item item = vp_wide_item_of(w, at, last);
        vp_wide_set_lane(w, at, lane, &item);
    }
    vp_wide_clear_lane(w, at, last);
}

/* After lanes were taken from a node: moves the others to siblings with free lanes if they are few, so that no new node is needed. */
static void settle_node(vp_wide_tree *w, uint32_t at)
{
    const uint32_t left = w->view.info[at].count, slot = w->view.info[at].parent, parent = slot / VP_WIDE, level = w->view.info[at].level;
    vp_wide_mark_dirty(w, at);
    if (slot == VP_SPHERETREE_NONE) {
        if (left == 0) {
            w->view.root = VP_SPHERETREE_NONE;
            retire_node(w, at);
        } else if (left == 1 && level > 0) {
            w->view.root = w->view.node[at].child[0];
            w->view.info[w->view.root].parent = VP_SPHERETREE_NONE;
            retire_node(w, at);
        }
        return;
    }
    if (left >= (level > 0 ? MIN_NODES : MIN_LEAVES))
        return;
    const float most = left < FEWEST ? INFINITY : spill_of(w, at);
    for (uint32_t lane = left; lane-- > 0;) {
        const vp_wide_item item = vp_wide_item_of(w, at, lane);
        const uint32_t to = find_free_child(w, parent, slot % VP_WIDE, &item.bound, most);
        if (to == VP_WIDE)
            return;
        take_lane(w, at, lane);
        add_item(w, grow_lane(w, parent, to, &item, level), &item, false);
    }
    retire_node(w, at);
    take_lane(w, parent, slot % VP_WIDE);
    settle_node(w, parent);
}

static void remove_lane(vp_wide_tree *w, uint32_t at, uint32_t lane)
{
    take_lane(w, at, lane);
    settle_node(w, at);
}

void vp_wide_remove(vp_wide_tree *w, uint32_t slot)
{
    remove_lane(w, slot / VP_WIDE, slot % VP_WIDE);
}

/* ---- bounds, again ---- */

/* Moves a node to another parent if it has left the neighbourhood of its own. */
static void send_home(vp_wide_tree *w, uint32_t at, const vp_sphere *bound)
{
    const uint32_t parent = w->view.info[at].parent;
    if (is_at_home(w, parent / VP_WIDE, bound) || !vp_wide_has_spare(w))
        return;
    const vp_wide_item item = {*bound, at, w->view.info[at].mask};
    const uint32_t level = w->view.info[at].level + 1u;
    remove_lane(w, parent / VP_WIDE, parent % VP_WIDE);
    insert_item(w, level, &item, false);
}

static void set_bound(vp_wide_tree *w, uint32_t at, const vp_sphere *bound, vp_vec3 half)
{
    const wide_info *info = &w->view.info[at];
    const uint32_t slot = info->parent;
    const float large = HOME * info->size, before = w->view.node[slot / VP_WIDE].radius[slot % VP_WIDE];
    if (info->level == 0 && bound->radius > large && before <= large)
        w->credit += (int32_t)info->count * VP_WIDE_GROWN_CREDIT;
    vp_wide_write_bound(w, slot, bound, half);
    vp_wide_mark_dirty(w, slot / VP_WIDE);
    send_home(w, at, bound);
}

/* The number of leaves that have left their node's neighbourhood, as is_at_home decides. */
static uint32_t count_strays(const vp_wide_tree *w, uint32_t at, const vp_sphere *bound)
{
    const wide_info *info = &w->view.info[at];
    const wide_node *n = &w->view.node[at];
    if (info->level > 0)
        return 0;
    const vp_sphere home = vp_wide_sphere(&w->view, info->parent);
    const float size = HOME * info->size, x = home.centre.x - bound->centre.x, y = home.centre.y - bound->centre.y,
                z = home.centre.z - bound->centre.z;
    if (sqrtf((x * x + y * y) + z * z) + bound->radius <= size) /* none */
        return 0;
    int32_t count = 0;
    for (int k = 0; k < VP_WIDE; k++) { /* the compiler makes lanes of it */
        const float lx = home.centre.x - n->x[k], ly = home.centre.y - n->y[k], lz = home.centre.z - n->z[k], reach = size + n->radius[k];
        count += (lx * lx + ly * ly) + lz * lz > reach * reach; /* false without a leaf */
    }
    return (uint32_t)count;
}

/* Adds a leaf to a listed node with a free lane. */
static void add_anywhere(vp_wide_tree *w, uint32_t at, const vp_wide_item *leaf)
{
    while (w->view.info[at].count == VP_WIDE)
        at = w->view.info[at].next;
    add_item(w, at, leaf, false);
    for (uint32_t above = w->view.info[at].parent; above != VP_SPHERETREE_NONE; above = w->view.info[above / VP_WIDE].parent)
        w->view.info[above / VP_WIDE].mask |= leaf->mask;
}

/* Inserts the leaves of listed nodes again that have left their node's neighbourhood. All are taken from their nodes first, because a node
 * that splits with a stray would be as large as its way. Without memory for a split, a leaf goes to any free lane of the list, because
 * each one taken has left a lane. @return false without memory. They stay then */
static bool send_strays(vp_wide_tree *w, uint32_t first, uint32_t count)
{
    vp_wide_item few[VP_WIDE], *item = few;
    uint32_t taken = 0;
    if (count > VP_WIDE)
        item = vp_allocate(w->allocator, count, sizeof *item);
    if (item == NULL)
        return false;
    for (uint32_t at = first; at != VP_SPHERETREE_NONE; at = w->view.info[at].next)
        for (uint32_t lane = w->view.info[at].count; lane-- > 0;) {
            const vp_sphere leaf = vp_wide_sphere(&w->view, at * VP_WIDE + lane);
            if (taken == count || is_at_home(w, at, &leaf))
                continue;
            item[taken++] = vp_wide_item_of(w, at, lane);
            take_lane(w, at, lane);
        }
    for (uint32_t i = 0; i < taken; i++)
        if (vp_wide_has_spare(w))
            insert_item(w, 0, &item[i], false);
        else
            add_anywhere(w, first, &item[i]);
    w->credit += (int32_t)taken * (VP_WIDE_MOVED_CREDIT - VP_WIDE_NEW_CREDIT);
    if (item != few)
        vp_release(w->allocator, item, count, sizeof *item);
    return true;
}

/* Refits nodes of a level, except for those with strays, which are listed. */
static uint32_t refit_level(vp_wide_tree *w, uint32_t level, uint32_t *first)
{
    uint32_t strays = 0;
    *first = VP_SPHERETREE_NONE;
    while (w->dirty[level] != VP_SPHERETREE_NONE) {
        const uint32_t at = w->dirty[level];
        wide_info *info = &w->view.info[at];
        w->dirty[level] = info->next;
        info->dirty = false;
        if (info->count == 0) {
            vp_wide_free_node(w, at);
            continue;
        }
        if (info->parent == VP_SPHERETREE_NONE)
            continue;
        vp_vec3 half;
        const vp_sphere bound = vp_wide_bound_of(w, at, &half);
        const uint32_t count = count_strays(w, at, &bound);
        if (count == 0) {
            set_bound(w, at, &bound, half);
            continue;
        }
        strays += count;
        info->dirty = true;
        info->next = *first;
        *first = at;
    }
    return strays;
}

static void refit_dirty(vp_wide_tree *w, uint32_t leaves)
{
    for (uint32_t level = 0; level < VP_SPHERETREE_MAX_LEVELS && (level < vp_wide_levels(w) || w->dirty[level] != VP_SPHERETREE_NONE);
         level++)
        while (w->dirty[level] != VP_SPHERETREE_NONE) {
            uint32_t at;
            const uint32_t strays = refit_level(w, level, &at);
            if (strays >= leaves / 4 && leaves > VP_WIDE && strays > 0 && vp_wide_rebuild(w, leaves))
                return;
            const bool sent = strays > 0 && send_strays(w, at, strays);
            while (at != VP_SPHERETREE_NONE) {
                const uint32_t next = w->view.info[at].next;
                w->view.info[at].dirty = false;
                if (sent)
                    settle_node(w, at);
                if (w->view.info[at].count > 0 && w->view.info[at].parent != VP_SPHERETREE_NONE) {
                    vp_vec3 half;
                    const vp_sphere bound = vp_wide_bound_of(w, at, &half);
                    set_bound(w, at, &bound, half);
                }
                at = next;
            }
        }
}

/* Frees roots with one child. A root loses one level at most when it loses a lane, because nodes of that level can be on their way. Inner
 * nodes with one child come from bytes. */
static void lower_root(vp_wide_tree *w)
{
    for (uint32_t at; (at = w->view.root) != VP_SPHERETREE_NONE && w->view.info[at].level > 0 && w->view.info[at].count == 1;) {
        w->view.root = w->view.node[at].child[0];
        w->view.info[w->view.root].parent = VP_SPHERETREE_NONE;
        vp_wide_free_node(w, at);
    }
}

void vp_wide_refit(vp_wide_tree *w, uint32_t leaves)
{
    refit_dirty(w, leaves);
    if (w->inserted > leaves / 4)
        vp_wide_rebuild_top(w);
    bool is_next = false; /* the first part of a call may be a pending one, without credits */
    while (w->view.root != VP_SPHERETREE_NONE && (w->credit >= VP_WIDE_PART_CREDIT || (w->pending != VP_SPHERETREE_NONE && !is_next))) {
        vp_wide_rebuild_part(w, is_next);
        refit_dirty(w, leaves);
        is_next = true;
    }
    lower_root(w);
}
