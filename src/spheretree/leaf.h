/* SPDX-License-Identifier: MIT */
/* The exact tests at leaves, and lists of results. All forms and versions use them. */
#ifndef VP_SPHERETREE_LEAF_H
#define VP_SPHERETREE_LEAF_H

#include "src/spheretree/ray_sphere.h"
#include "src/spheretree/shape.h"
#include "src/spheretree/touch.h"

#include <voxphys/spheretree.h>

vp_touch_query vp_touch_by_sphere(const vp_sphere *sphere);
vp_touch_query vp_touch_by_box(const vp_aabb *box);
vp_touch_query vp_touch_by_triangle(const vp_vec3 *corner);

/* Results. Those beyond the capacity are only counted. A query ends at the limit. */
typedef struct vp_touch_list {
    vp_spheretree_item *out;
    uint32_t capacity, limit, count;
} vp_touch_list;

static inline void vp_touch_add(vp_touch_list *list, vp_spheretree_item item)
{
    if (list->count < list->capacity)
        list->out[list->count] = item;
    list->count += list->count < list->limit;
}

typedef struct vp_pair_list {
    vp_spheretree_pair *out;
    uint32_t capacity, limit, count;
} vp_pair_list;

/* The count saturates at the limit. */
static inline void vp_pair_add(vp_pair_list *list, vp_spheretree_pair pair)
{
    if (list->count < list->capacity)
        list->out[list->count] = pair;
    list->count += list->count < list->limit;
}

/* Adds the items of a leaf that are touched. @return the number of items */
uint32_t vp_touch_leaf(const vp_spheretree_view *tree, const vp_touch_query *by, const vp_spheretree_query *query,
                       const vp_spheretree_node *leaf, vp_touch_list *list);
/* Adds the pairs of two leaves' items that touch, the first leaf's as `a`. @return the number of pairs */
uint32_t vp_pair_leaves(const vp_spheretree_view *tree, const vp_spheretree_node *a, const vp_spheretree_node *b, vp_pair_list *list);

/* How a query handles the hits of a ray, in any order. */
typedef struct vp_scene_ray_query {
    float (*keep)(struct vp_scene_ray_query *by, float s, const vp_spheretree_hit *hit); /* @return the next s_most */
    vp_spheretree_hit *hit; /* closest: the best hit; all: the list, in order */
    float s;                /* of the best hit */
    float s_most;           /* the largest s that the query still needs; negative to end */
    uint32_t count, capacity;
} vp_scene_ray_query;

vp_scene_ray_query vp_ray_closest(vp_spheretree_hit *hit);
vp_scene_ray_query vp_ray_any(void);
vp_scene_ray_query vp_ray_all(vp_spheretree_hit *out, uint32_t capacity);

/* Keeps the hits of a leaf's items. @return the number of items */
uint32_t vp_ray_leaf(const vp_spheretree_view *tree, const vp_ray_frame *ray, const vp_spheretree_query *query,
                     const vp_spheretree_node *leaf, vp_scene_ray_query *by);

#endif
