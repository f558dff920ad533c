/* SPDX-License-Identifier: MIT */
#include "src/spheretree/wide.h"

#include <math.h>
#include <string.h>

#include "src/core/memory.h"

enum { MAX_NODES = 1 << 27 };

/* ---- memory ---- */

void vp_wide_reset(vp_wide_tree *w)
{
    w->view.root = w->node_free = w->leaf_free = VP_SPHERETREE_NONE;
    w->view.common_mask = UINT32_MAX;
    w->view.meshes = w->node_used = w->node_spare = w->leaf_used = w->credit = w->inserted = w->next_part = 0;
    for (int level = 0; level < VP_SPHERETREE_MAX_LEVELS; level++)
        w->dirty[level] = VP_SPHERETREE_NONE;
}

void vp_wide_release(vp_wide_tree *w)
{
    vp_release(w->allocator, w->view.node, w->node_room, sizeof *w->view.node);
    vp_release(w->allocator, w->view.info, w->node_room, sizeof *w->view.info);
    vp_release(w->allocator, w->view.leaf, w->leaf_room, sizeof *w->view.leaf);
}

uint32_t vp_wide_spare_nodes(const vp_wide_tree *w)
{
    return w->node_room - w->node_used + w->node_spare;
}

uint32_t vp_wide_levels(const vp_wide_tree *w)
{
    return w->view.root == VP_SPHERETREE_NONE ? 0 : w->view.info[w->view.root].level + 1u;
}

bool vp_wide_allocate_nodes(const vp_wide_tree *w, uint64_t room, vp_wide_nodes *out)
{
    if (room > MAX_NODES)
        return false;
    out->room = (uint32_t)room;
    out->node = vp_allocate(w->allocator, out->room, sizeof *out->node);
    out->info = vp_allocate(w->allocator, out->room, sizeof *out->info);
    if (out->node != NULL && out->info != NULL)
        return true;
    vp_wide_release_nodes(w, out);
    return false;
}

void vp_wide_release_nodes(const vp_wide_tree *w, const vp_wide_nodes *nodes)
{
    vp_release(w->allocator, nodes->node, nodes->room, sizeof *nodes->node);
    vp_release(w->allocator, nodes->info, nodes->room, sizeof *nodes->info);
}

void vp_wide_replace_nodes(vp_wide_tree *w, const vp_wide_nodes *nodes)
{
    vp_wide_release_nodes(w, &(vp_wide_nodes){w->view.node, w->view.info, w->node_room});
    w->view.node = nodes->node;
    w->view.info = nodes->info;
    w->node_room = nodes->room;
}

static bool grow_nodes(vp_wide_tree *w, uint64_t room)
{
    vp_wide_nodes nodes;
    if (!vp_wide_allocate_nodes(w, room, &nodes))
        return false;
    if (w->node_used > 0) {
        memcpy(nodes.node, w->view.node, w->node_used * sizeof *nodes.node);
        memcpy(nodes.info, w->view.info, w->node_used * sizeof *nodes.info);
    }
    vp_wide_replace_nodes(w, &nodes);
    return true;
}

/* Each insertion can split a node on each level, and add a root. Nodes that come from splits have at least VP_WIDE / 2 children. */
bool vp_wide_reserve(vp_wide_tree *w, uint32_t leaves, uint32_t count)
{
    const uint64_t levels = vp_wide_levels(w) + 2, single = count * levels, all = ((uint64_t)leaves + count) / (VP_WIDE / 2 - 1) + levels;
    const uint64_t more = (single < all ? single : all) + VP_WIDE_MIN_FILL * levels, spare = vp_wide_spare_nodes(w);
    if (more <= spare)
        return true;
    const uint64_t least = w->node_room + (more - spare), room = w->node_room + w->node_room / 8u;
    return grow_nodes(w, least > room ? least : room);
}

/* Whether one item can be removed and inserted again. Without memory for that, items stay where they are. */
bool vp_wide_has_spare(vp_wide_tree *w)
{
    return vp_wide_spare_nodes(w) >= VP_WIDE_MIN_FILL * (vp_wide_levels(w) + 2) ||
           grow_nodes(w, w->node_room + w->node_room / 32u + VP_WIDE_MIN_FILL * (vp_wide_levels(w) + 2));
}

bool vp_wide_reserve_leaves(vp_wide_tree *w, uint32_t count)
{
    const uint32_t wanted = w->leaf_used + count; /* free ones are not counted */
    if (wanted <= w->leaf_room)
        return true;
    const uint32_t room = wanted + wanted / 8;
    vp_spheretree_wide_leaf *leaf = vp_allocate(w->allocator, room, sizeof *leaf);
    if (leaf == NULL)
        return false;
    if (w->leaf_used > 0)
        memcpy(leaf, w->view.leaf, w->leaf_used * sizeof *leaf);
    vp_release(w->allocator, w->view.leaf, w->leaf_room, sizeof *leaf);
    w->view.leaf = leaf;
    w->leaf_room = room;
    return true;
}

uint32_t vp_wide_add_leaf(vp_wide_tree *w, uint32_t object, uint32_t triangles)
{
    uint32_t leaf = w->leaf_free;
    if (leaf == VP_SPHERETREE_NONE)
        leaf = w->leaf_used++;
    else
        w->leaf_free = w->view.leaf[leaf].slot;
    w->view.leaf[leaf] = (vp_spheretree_wide_leaf){object, triangles, VP_SPHERETREE_NONE};
    return VP_SPHERETREE_LEAF | leaf;
}

void vp_wide_free_leaf(vp_wide_tree *w, uint32_t leaf)
{
    w->view.leaf[leaf] = (vp_spheretree_wide_leaf){VP_SPHERETREE_NONE, 0, w->leaf_free};
    w->leaf_free = leaf;
}

/* ---- lanes ---- */

void vp_wide_clear_lane(vp_spheretree_wide_node *n, uint32_t lane)
{
    n->x[lane] = n->y[lane] = n->z[lane] = 0;
    n->radius[lane] = NAN;
    n->child[lane] = VP_SPHERETREE_NONE;
}

uint32_t vp_wide_allocate_node(vp_wide_tree *w, uint32_t level)
{
    uint32_t at = w->node_free;
    if (at == VP_SPHERETREE_NONE) {
        at = w->node_used++;
    } else {
        w->node_free = w->view.info[at].next;
        w->node_spare--;
    }
    w->view.info[at] = (vp_spheretree_wide_info){.parent = VP_SPHERETREE_NONE, .next = VP_SPHERETREE_NONE, .level = (uint8_t)level};
    for (uint32_t lane = 0; lane < VP_WIDE; lane++)
        vp_wide_clear_lane(&w->view.node[at], lane);
    return at;
}

void vp_wide_free_node(vp_wide_tree *w, uint32_t at)
{
    w->view.info[at].count = 0;
    w->view.info[at].next = w->node_free;
    w->node_free = at;
    w->node_spare++;
}

/* Writes a lane, and the place of its child. */
void vp_wide_set_lane(vp_wide_tree *w, uint32_t at, uint32_t lane, const vp_sphere *bound, uint32_t child)
{
    vp_spheretree_wide_node *n = &w->view.node[at];
    const uint32_t slot = at * VP_WIDE + lane;
    vp_wide_write(n, lane, bound);
    n->child[lane] = child;
    if (w->view.info[at].level > 0)
        w->view.info[child].parent = slot;
    else if ((child & VP_SPHERETREE_LEAF) != 0)
        w->view.leaf[child & ~VP_SPHERETREE_LEAF].slot = slot;
    else
        (*w->object)[child].leaf = slot;
}

static uint32_t mask_of(const vp_wide_tree *w, uint32_t level, uint32_t child)
{
    if (level > 0)
        return w->view.info[child].mask;
    if ((child & VP_SPHERETREE_LEAF) != 0)
        child = w->view.leaf[child & ~VP_SPHERETREE_LEAF].object;
    return (*w->object)[child].mask;
}

vp_wide_item vp_wide_item_of(const vp_wide_tree *w, uint32_t at, uint32_t lane)
{
    const uint32_t child = w->view.node[at].child[lane];
    return (vp_wide_item){vp_wide_sphere(&w->view, at * VP_WIDE + lane), child, mask_of(w, w->view.info[at].level, child)};
}

/* ---- bounds ---- */

vp_sphere vp_wide_bound_of(const vp_wide_tree *w, uint32_t at)
{
    vp_sphere bound;
    w->kernels->scene_bound(&w->view.node[at], 1, &bound);
    return bound;
}

int vp_wide_widest_axis(const vp_wide_item *item, uint32_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++) {
        const float c[3] = {item[i].bound.centre.x, item[i].bound.centre.y, item[i].bound.centre.z};
        for (int k = 0; k < 3; k++) {
            low[k] = c[k] < low[k] ? c[k] : low[k];
            high[k] = c[k] > high[k] ? c[k] : high[k];
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis])
            axis = k;
    return axis;
}

void vp_wide_fill_node(vp_wide_tree *w, uint32_t at, const vp_wide_item *item, uint32_t count)
{
    vp_spheretree_wide_info *info = &w->view.info[at];
    info->mask = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        vp_wide_set_lane(w, at, lane, &item[lane].bound, item[lane].child);
        info->mask |= item[lane].mask;
    }
    for (uint32_t lane = count; lane < VP_WIDE; lane++)
        vp_wide_clear_lane(&w->view.node[at], lane);
    info->count = (uint8_t)count;
}
