/* SPDX-License-Identifier: MIT */
#include "src/spheretree/wide.h"

#include <math.h>
#include <string.h>

#include "src/core/memory.h"

enum { MAX_NODES = 1 << 27 };

/* ---- memory ---- */

void vp_wide_reset(vp_wide_tree *w)
{
    vp_wide_empty(w);
    w->leaf_free = VP_SPHERETREE_NONE;
    w->view.common_mask = UINT32_MAX;
    w->view.meshes = w->leaf_used = w->rebuilt = w->inserted = w->next_part = 0;
    w->credit = 0;
}

void vp_wide_empty(vp_wide_tree *w)
{
    w->view.root = w->node_free = w->box_free = w->pending = VP_SPHERETREE_NONE;
    w->node_used = w->node_spare = w->box_used = w->box_spare = 0;
    for (int level = 0; level < VP_SPHERETREE_MAX_LEVELS; level++)
        w->dirty[level] = VP_SPHERETREE_NONE;
}

void vp_wide_release(vp_wide_tree *w)
{
    vp_wide_release_nodes(w, &(vp_wide_nodes){w->view.node, w->view.info, w->view.box, w->node_room, w->box_room});
    vp_release(w->allocator, w->view.leaf, w->leaf_room, sizeof *w->view.leaf);
}

uint32_t vp_wide_spare_nodes(const vp_wide_tree *w)
{
    return w->node_room - w->node_used + w->node_spare;
}

uint32_t vp_wide_spare_boxes(const vp_wide_tree *w)
{
    return w->box_room - w->box_used + w->box_spare;
}

uint32_t vp_wide_levels(const vp_wide_tree *w)
{
    return w->view.root == VP_SPHERETREE_NONE ? 0 : w->view.info[w->view.root].level + 1u;
}

/* Boxes follow the nodes. */
static uint64_t bytes_of_nodes(const vp_wide_nodes *nodes)
{
    return nodes->room * (uint64_t)sizeof *nodes->node + nodes->boxes * (uint64_t)sizeof *nodes->box;
}

bool vp_wide_allocate_nodes(const vp_wide_tree *w, uint64_t room, uint64_t boxes, vp_wide_nodes *out)
{
    if (room > MAX_NODES || boxes > MAX_NODES)
        return false;
    out->room = (uint32_t)room;
    out->boxes = (uint32_t)boxes;
    const uint64_t bytes = bytes_of_nodes(out);
    if ((size_t)bytes != bytes)
        return false;
    out->node = vp_allocate(w->allocator, (size_t)bytes, 1);
    out->info = vp_allocate(w->allocator, out->room, sizeof *out->info);
    if (out->node != NULL && out->info != NULL) {
        out->box = (vp_spheretree_wide_box *)(void *)(out->node + out->room);
        return true;
    }
    vp_wide_release_nodes(w, out);
    return false;
}

void vp_wide_release_nodes(const vp_wide_tree *w, const vp_wide_nodes *nodes)
{
    vp_release(w->allocator, nodes->node, (size_t)bytes_of_nodes(nodes), 1);
    vp_release(w->allocator, nodes->info, nodes->room, sizeof *nodes->info);
}

void vp_wide_replace_nodes(vp_wide_tree *w, const vp_wide_nodes *nodes)
{
    vp_wide_release_nodes(w, &(vp_wide_nodes){w->view.node, w->view.info, w->view.box, w->node_room, w->box_room});
    w->view.node = nodes->node;
    w->view.info = nodes->info;
    w->view.box = nodes->box;
    w->node_room = nodes->room;
    w->box_room = nodes->boxes;
}

/* Makes room for as many spare nodes and boxes. */
static bool grow_nodes(vp_wide_tree *w, uint64_t nodes_more, uint64_t boxes_more)
{
    const uint32_t spare = vp_wide_spare_nodes(w), spare_boxes = vp_wide_spare_boxes(w);
    vp_wide_nodes nodes;
    if (!vp_wide_allocate_nodes(w, w->node_room + (nodes_more > spare ? nodes_more - spare : 0),
                                w->box_room + (boxes_more > spare_boxes ? boxes_more - spare_boxes : 0), &nodes))
        return false;
    if (w->node_used > 0) {
        memcpy(nodes.node, w->view.node, w->node_used * sizeof *nodes.node);
        memcpy(nodes.info, w->view.info, w->node_used * sizeof *nodes.info);
    }
    if (w->box_used > 0)
        memcpy(nodes.box, w->view.box, w->box_used * sizeof *nodes.box);
    vp_wide_replace_nodes(w, &nodes);
    return true;
}

/* Each insertion can split a node on each level, and add a root. Nodes that come from splits have at least VP_WIDE / 2 children. Those from
 * bytes can have one, so that every inner node can be full with few leaves below it. */
bool vp_wide_reserve(vp_wide_tree *w, uint32_t leaves, uint32_t count)
{
    enum { FEWEST = VP_WIDE / 2 };
    const uint64_t levels = vp_wide_levels(w) + 2, single = count * levels, lowest = ((uint64_t)leaves + count) / FEWEST + 1,
                   inner = w->box_used - w->box_spare + lowest / (FEWEST - 1) + levels;
    const uint64_t more = single < lowest + inner ? single : lowest + inner, boxes = single < inner ? single : inner;
    return (more <= vp_wide_spare_nodes(w) && boxes <= vp_wide_spare_boxes(w)) ||
           grow_nodes(w, more + w->node_room / 8u, boxes + w->box_room / 8u);
}

bool vp_wide_has_spare(vp_wide_tree *w)
{
    const uint32_t inner = vp_wide_levels(w), nodes = inner + 1; /* a split on each level, and a root */
    return (vp_wide_spare_nodes(w) >= nodes && vp_wide_spare_boxes(w) >= inner) ||
           grow_nodes(w, nodes + w->node_room / 128u, inner + w->box_room / 128u);
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

static void write_box(vp_wide_tree *w, uint32_t at, uint32_t lane, vp_vec3 half)
{
    vp_spheretree_wide_box *b = &w->view.box[w->view.info[at].box];
    b->x[lane] = half.x;
    b->y[lane] = half.y;
    b->z[lane] = half.z;
}

void vp_wide_write_bound(vp_wide_tree *w, uint32_t slot, const vp_sphere *bound, vp_vec3 half)
{
    vp_wide_write(&w->view.node[slot / VP_WIDE], slot % VP_WIDE, bound);
    write_box(w, slot / VP_WIDE, slot % VP_WIDE, half);
}

/* The bounds of a child as an item. One that waits for vp_wide_refit to free it can be empty, and keeps its sphere. */
static vp_sphere bound_of_item(const vp_wide_tree *w, const vp_wide_item *item, vp_vec3 *half)
{
    const vp_sphere *s = &item->bound;
    if (w->view.info[item->child].count != 0)
        return vp_wide_bound_of(w, item->child, half);
    *half = (vp_vec3){s->radius, s->radius, s->radius};
    return *s;
}

void vp_wide_grow_box(vp_wide_tree *w, uint32_t at, uint32_t lane, const vp_wide_item *item, uint32_t level)
{
    const vp_spheretree_wide_box *b = &w->view.box[w->view.info[at].box];
    const vp_sphere *s = &item->bound;
    const vp_vec3 from = vp_vec3_sub(s->centre, vp_wide_sphere(&w->view, at * VP_WIDE + lane).centre);
    vp_vec3 half = {s->radius, s->radius, s->radius};
    if (level > 0)
        bound_of_item(w, item, &half);
    half = (vp_vec3){(fabsf(from.x) + half.x) * VP_WIDE_PAD + VP_WIDE_LEAST, (fabsf(from.y) + half.y) * VP_WIDE_PAD + VP_WIDE_LEAST,
                     (fabsf(from.z) + half.z) * VP_WIDE_PAD + VP_WIDE_LEAST};
    write_box(w, at, lane, vp_vec3_max((vp_vec3){b->x[lane], b->y[lane], b->z[lane]}, half));
}

void vp_wide_clear_lane(vp_wide_tree *w, uint32_t at, uint32_t lane)
{
    vp_spheretree_wide_node *n = &w->view.node[at];
    n->x[lane] = n->y[lane] = n->z[lane] = 0;
    n->radius[lane] = NAN;
    n->child[lane] = VP_SPHERETREE_NONE;
    if (w->view.info[at].box != VP_SPHERETREE_NONE)
        write_box(w, at, lane, (vp_vec3){NAN, NAN, NAN});
}

/* Free boxes are a list, too. */
static uint32_t allocate_box(vp_wide_tree *w)
{
    const uint32_t at = w->box_free;
    if (at == VP_SPHERETREE_NONE)
        return w->box_used++;
    memcpy(&w->box_free, &w->view.box[at], sizeof at);
    w->box_spare--;
    return at;
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
    w->view.info[at] = (vp_spheretree_wide_info){.parent = VP_SPHERETREE_NONE,
                                                 .next = VP_SPHERETREE_NONE,
                                                 .box = level > 0 ? allocate_box(w) : VP_SPHERETREE_NONE,
                                                 .level = (uint8_t)level};
    for (uint32_t lane = 0; lane < VP_WIDE; lane++)
        vp_wide_clear_lane(w, at, lane);
    return at;
}

void vp_wide_free_node(vp_wide_tree *w, uint32_t at)
{
    const uint32_t box = w->view.info[at].box;
    if (box != VP_SPHERETREE_NONE) {
        memcpy(&w->view.box[box], &w->box_free, sizeof box);
        w->box_free = box;
        w->box_spare++;
    }
    w->view.info[at].count = 0;
    w->view.info[at].next = w->node_free;
    w->node_free = at;
    w->node_spare++;
}

/* Writes a lane, and the place of its child. */
void vp_wide_set_lane(vp_wide_tree *w, uint32_t at, uint32_t lane, const vp_wide_item *item)
{
    const uint32_t slot = at * VP_WIDE + lane, child = item->child;
    vp_vec3 half;
    w->view.node[at].child[lane] = child;
    if (w->view.info[at].level > 0) {
        w->view.info[child].parent = slot;
        const vp_sphere bound = bound_of_item(w, item, &half);
        vp_wide_write_bound(w, slot, &bound, half);
        return;
    }
    vp_wide_write(&w->view.node[at], lane, &item->bound);
    if ((child & VP_SPHERETREE_LEAF) != 0) {
        w->view.leaf[child & ~VP_SPHERETREE_LEAF].slot = slot;
    } else {
        (*w->object)[child].leaf = slot;
    }
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

vp_sphere vp_wide_bound_of(const vp_wide_tree *w, uint32_t at, vp_vec3 *half)
{
    const uint32_t box = w->view.info[at].box;
    vp_sphere bound;
    w->kernels->scene_bound(&w->view.node[at], box != VP_SPHERETREE_NONE ? &w->view.box[box] : NULL, 1, &bound, half);
    return bound;
}

vp_wide_item vp_wide_finish_node(vp_wide_tree *w, uint32_t at)
{
    vp_vec3 half;
    const vp_sphere bound = vp_wide_bound_of(w, at, &half);
    w->view.info[at].size = bound.radius;
    return (vp_wide_item){bound, at, w->view.info[at].mask};
}

vp_wide_extent vp_wide_extent_of(const vp_wide_item *item, uint32_t count)
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
    return (vp_wide_extent){axis, low[axis], high[axis]};
}

void vp_wide_fill_node(vp_wide_tree *w, uint32_t at, const vp_wide_item *item, uint32_t count)
{
    vp_spheretree_wide_info *info = &w->view.info[at];
    info->mask = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        vp_wide_set_lane(w, at, lane, &item[lane]);
        info->mask |= item[lane].mask;
    }
    for (uint32_t lane = count; lane < VP_WIDE; lane++)
        vp_wide_clear_lane(w, at, lane);
    info->count = (uint8_t)count;
}
