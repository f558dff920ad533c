/* SPDX-License-Identifier: MIT */
/* The wide form of the sphere tree: nodes of 16 children, whose bounds are in lanes of floats, for SIMD kernels.
 *
 * All leaves are on level 0. A full node gives a child to a sibling or splits in two, and siblings take the children of a node with
 * few, so the depth is logarithmic for any objects, also equal ones. A moved object stays in its node unless it leaves the node's
 * neighbourhood. Then it is inserted again, as are nodes that leave that of their parent.
 *
 * Why a tree loses nothing. A lane's sphere (C, R) contains all leaves (c, r) below it in exact arithmetic: |C - c| + r
 * <= R. R is max(|C - c| + r) (1 + 2^-20) + 2^-70 in floats. The squared distance has at most 5 roundings of 2^-24, its
 * root and the other steps 4 more, and squares that underflow lose at most 2^-74 of the distance. 2^-20 is 16 roundings.
 *
 * Boxes. An inner node's lane also has half the size of a box around C. On each axis, (|C - c| + r) (1 + 2^-21) <= h for all leaves (c, r)
 * below it. h is max(|C - c| + h') (1 + 2^-20) + 2^-70, with (c, h') the child's lanes, or h' = r on level 0. Queries use boxes because
 * they visit up to half as many nodes with them, and insertion compares them. Spheres serve rays and nearest items. */
#ifndef VP_SPHERETREE_WIDE_H
#define VP_SPHERETREE_WIDE_H

#include <voxphys/kernels.h>
#include <voxphys/memory.h>

enum { VP_WIDE = VP_SPHERETREE_WIDTH };

/* Factor and addend of a bound's radius. */
#define VP_WIDE_PAD   (1.0f + 0x1p-20f)
#define VP_WIDE_LEAST 0x1p-70f

/* A leaf or a node as it is in a lane. */
typedef struct vp_wide_item {
    vp_sphere bound;
    uint32_t child;
    uint32_t mask;
} vp_wide_item;

typedef struct vp_wide_nodes {
    vp_spheretree_wide_node *node;
    vp_spheretree_wide_info *info;
    vp_spheretree_wide_box *box;
    uint32_t room, boxes;
} vp_wide_nodes;

typedef struct vp_wide_tree {
    vp_spheretree_wide view;
    const vp_allocator *allocator;
    const vp_kernels *kernels;
    vp_spheretree_entry **object; /* slots of spheres are kept there */
    uint32_t node_room, node_used, node_free, node_spare;
    uint32_t box_room, box_used, box_free, box_spare; /* inner nodes have one */
    uint32_t leaf_room, leaf_used, leaf_free;
    uint32_t dirty[VP_SPHERETREE_MAX_LEVELS]; /* by level, lists by info.next */
    int32_t credit;                           /* for rebuilding parts; negative after a large one */
    uint32_t last, rebuilt;                   /* node of the last insertion; leaves, also of a large part, since one was due */
    uint32_t inserted;                        /* leaves since the top was rebuilt */
    uint32_t next_part;                       /* node of the part that was rebuilt last in order */
    uint32_t pending, pending_lane;           /* node whose children are rebuilt next, from a lane on */
} vp_wide_tree;

/* A tree without nodes. */
void vp_wide_reset(vp_wide_tree *w);
/* Frees all memory. */
void vp_wide_release(vp_wide_tree *w);
/* Makes room for the nodes that `count` insertions into a tree of `leaves` can need. */
bool vp_wide_reserve(vp_wide_tree *w, uint32_t leaves, uint32_t count);
/* Makes room for `count` leaves with triangles. */
bool vp_wide_reserve_leaves(vp_wide_tree *w, uint32_t count);

/* Allocates a leaf with triangles, for which there is room. @return the child of its lane */
uint32_t vp_wide_add_leaf(vp_wide_tree *w, uint32_t object, uint32_t triangles);
void vp_wide_free_leaf(vp_wide_tree *w, uint32_t leaf);

/* Inserts a leaf. There is room. */
void vp_wide_insert(vp_wide_tree *w, const vp_wide_item *leaf);
/* Removes the leaf in a slot. */
void vp_wide_remove(vp_wide_tree *w, uint32_t slot);

static inline void vp_wide_mark_dirty(vp_wide_tree *w, uint32_t at)
{
    vp_spheretree_wide_info *info = &w->view.info[at];
    if (info->dirty)
        return;
    info->dirty = true;
    info->next = w->dirty[info->level];
    w->dirty[info->level] = at;
}

static inline void vp_wide_write(vp_spheretree_wide_node *n, uint32_t lane, const vp_sphere *sphere)
{
    n->x[lane] = sphere->centre.x;
    n->y[lane] = sphere->centre.y;
    n->z[lane] = sphere->centre.z;
    n->radius[lane] = sphere->radius;
}

/* Moves the leaf in a slot. Its node's bound is wrong until vp_wide_refit. */
static inline void vp_wide_move(vp_wide_tree *w, uint32_t slot, const vp_sphere *sphere)
{
    vp_wide_write(&w->view.node[slot / VP_WIDE], slot % VP_WIDE, sphere);
    vp_wide_mark_dirty(w, slot / VP_WIDE);
}

/* Recomputes bounds after one or many of these. Moved leaves that have left their node's neighbourhood are inserted again. If they are a
 * quarter of all, the tree is built anew instead, if there is memory. */
void vp_wide_refit(vp_wide_tree *w, uint32_t leaves);

/* Lists all leaves, in order of memory. @return their number */
uint32_t vp_wide_list(const vp_wide_tree *w, vp_wide_item *out);
/* Allocates the nodes of a tree of `count` leaves, count > 0. */
bool vp_wide_prepare(const vp_wide_tree *w, uint32_t count, vp_wide_nodes *out);
void vp_wide_release_nodes(const vp_wide_tree *w, const vp_wide_nodes *nodes);
/* Makes a new tree of a list of leaves by median splits, and reorders the list. */
void vp_wide_build(vp_wide_tree *w, const vp_wide_nodes *nodes, vp_wide_item *leaf, uint32_t count);

/* Builds the tree anew. @return false without memory, with the tree as it was */
bool vp_wide_rebuild(vp_wide_tree *w, uint32_t leaves);
/* Rebuilds a part of the tree: all below a node of level 2, or a small tree. Higher nodes overlap more and more, so a large part follows
 * after 1.4 times its leaves. It is a subtree with up to 65,536 leaves. If that is not the whole tree, all above the leaf nodes of a
 * subtree with up to 16,384 of them is rebuilt, and then its children one by one. So no part is larger than that. Keeps the quality after
 * insertions and motions. Building a leaf costs 4 credits, or 3 in a part that is the whole tree, and an object that moves to another node
 * earns 16. Objects of a node that has grown earn less, and so do new ones, because each would take twice the time otherwise. vp_wide_refit
 * rebuilds parts until the credits are spent, so a batch can rebuild many. */
enum {
    VP_WIDE_MOVED_CREDIT = 16,
    VP_WIDE_GROWN_CREDIT = 3,
    VP_WIDE_NEW_CREDIT = 1,
    VP_WIDE_LEAF_CREDIT = 4,
    VP_WIDE_WHOLE_CREDIT = 3,
    VP_WIDE_PART_CREDIT = 4800
};
void vp_wide_rebuild_part(vp_wide_tree *w, bool is_next);
/* Rebuilds all above level 0, where single insertions leave nodes that overlap. */
void vp_wide_rebuild_top(vp_wide_tree *w);

/* For building and changes. Whether there is room to insert an item. Without memory for that, items stay where they are. */
bool vp_wide_has_spare(vp_wide_tree *w);
void vp_wide_clear_lane(vp_wide_tree *w, uint32_t at, uint32_t lane);
uint32_t vp_wide_spare_nodes(const vp_wide_tree *w);
uint32_t vp_wide_spare_boxes(const vp_wide_tree *w);
uint32_t vp_wide_levels(const vp_wide_tree *w);
bool vp_wide_allocate_nodes(const vp_wide_tree *w, uint64_t room, uint64_t boxes, vp_wide_nodes *out);
/* Forgets all nodes. */
void vp_wide_empty(vp_wide_tree *w);
void vp_wide_replace_nodes(vp_wide_tree *w, const vp_wide_nodes *nodes);
uint32_t vp_wide_allocate_node(vp_wide_tree *w, uint32_t level);
void vp_wide_free_node(vp_wide_tree *w, uint32_t at);
/* Writes an item into a lane. The bounds of a node are computed. */
void vp_wide_set_lane(vp_wide_tree *w, uint32_t at, uint32_t lane, const vp_wide_item *item);
void vp_wide_write_bound(vp_wide_tree *w, uint32_t slot, const vp_sphere *bound, vp_vec3 half);
/* Makes the box of a lane contain an item of a level, too. */
void vp_wide_grow_box(vp_wide_tree *w, uint32_t at, uint32_t lane, const vp_wide_item *item, uint32_t level);
void vp_wide_fill_node(vp_wide_tree *w, uint32_t at, const vp_wide_item *item, uint32_t count);
vp_wide_item vp_wide_item_of(const vp_wide_tree *w, uint32_t at, uint32_t lane);
/* A node's sphere, and half the size of the box around its centre. */
vp_sphere vp_wide_bound_of(const vp_wide_tree *w, uint32_t at, vp_vec3 *half);
/* Sets the size of a node that has all its children. @return it as an item */
vp_wide_item vp_wide_finish_node(vp_wide_tree *w, uint32_t at);
/* The axis along which centres differ most, and their smallest and largest coordinate. */
typedef struct vp_wide_extent {
    int axis;
    float low, high;
} vp_wide_extent;
vp_wide_extent vp_wide_extent_of(const vp_wide_item *item, uint32_t count);

static inline float vp_wide_coordinate(const vp_wide_item *item, int axis)
{
    const vp_vec3 *c = &item->bound.centre;
    return axis == 0 ? c->x : axis == 1 ? c->y : c->z;
}

/* The sphere in a slot. */
static inline vp_sphere vp_wide_sphere(const vp_spheretree_wide *wide, uint32_t slot)
{
    const vp_spheretree_wide_node *n = &wide->node[slot / VP_WIDE];
    const uint32_t lane = slot % VP_WIDE;
    return (vp_sphere){{n->x[lane], n->y[lane], n->z[lane]}, n->radius[lane]};
}

/* A leaf of the wide form as one of the published form, without links. */
static inline vp_spheretree_node vp_wide_leaf_of(const vp_spheretree_view *tree, const vp_spheretree_wide_node *node, uint32_t lane)
{
    const uint32_t child = node->child[lane];
    vp_spheretree_node leaf = {
        {{node->x[lane], node->y[lane], node->z[lane]}, node->radius[lane]}, VP_SPHERETREE_NONE, {child, VP_SPHERETREE_NONE}, 0};
    if ((child & VP_SPHERETREE_LEAF) != 0) {
        const vp_spheretree_wide_leaf *triangles = &tree->wide->leaf[child & ~VP_SPHERETREE_LEAF];
        leaf.child[0] = triangles->object;
        leaf.child[1] = triangles->triangles;
    }
    leaf.mask = tree->object[leaf.child[0]].mask;
    leaf.child[0] |= VP_SPHERETREE_LEAF;
    return leaf;
}

/* A walk over the wide form. Each level waits with at most its lanes. */
enum { VP_WIDE_STACK = VP_SPHERETREE_WIDTH * VP_SPHERETREE_MAX_LEVELS };

#endif
