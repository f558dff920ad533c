/* SPDX-License-Identifier: MIT */
/* The kernels of the loose kD tree's queries, by form. Included after a header of optimized/simd. */
#ifndef VP_OPTIMIZED_KD_QUERY_H
#define VP_OPTIMIZED_KD_QUERY_H

#include "optimized/kd/nodes.h"
#include "optimized/kd/wide.h"
#include "optimized/kd/wide_box.h"

/* Sets the answer's s, found and meeting. The caller sets the other inputs of the query. @return false for
   an invalid ray */
VP_INLINE bool ask(question q, const vp_kd_view *tree, const vp_ray *ray, answer *to)
{
    const float radius = q == SWEEP ? to->radius : 0.0f;
    to->found = 0;
    if (vp_kd_has_eight_children(tree->form)) {
        wide_ray r;
        ask_for_tree(tree);
        if (!(radius > 0.0f ? plain_wide_ray(tree, ray, radius, &r) : wide_ray_of(tree, ray, radius, &r)))
            return false;
        to->s = r.frame.s_max;
        if (tree->triangles.triangle_count == 0)
            return true;
        if (tree->form == VP_KD_WIDE) {
            if (is_small(tree))
                visit_wide(q, WIDE, false, tree, &r, &r.world, to);
            else
                visit_wide(q, WIDE, true, tree, &r, &r.world, to);
            return true;
        }
#ifndef VP_KD_FUSED /* only in the wide form */
        const ray_units u = units_of(tree, &r);
        if (tree->form == VP_KD_PACKED)
            visit_wide(q, PACKED, false, tree, &r, &u, to);
        else
            visit_wide(q, IMPLIED, false, tree, &r, &u, to);
#endif
        return true;
    }
    node_ray r;
    if (!node_ray_of(tree, ray, radius, &r))
        return false;
    to->s = r.frame.s_max;
    float near = 0.0f, far = to->s;
    if (tree->triangles.triangle_count != 0 && enter_tree(tree, &r, &near, &far))
        visit_nodes(q, tree, &r, near, far, to);
    return true;
}

static inline vp_hit closest(const vp_kd_view *tree, const vp_ray *ray)
{
    answer best;
    return ask(CLOSEST, tree, ray, &best) ? hit_of(&best, ray) : (vp_hit){ray->t_max, VP_RAY_INVALID, 0.0f, 0.0f};
}

static inline int32_t meets_any(const vp_kd_view *tree, const vp_ray *ray)
{
    answer any;
    return ask(ANY, tree, ray, &any) ? (int32_t)any.found : VP_RAY_INVALID;
}

static inline uint32_t list_all(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    answer all;
    all.list = out;
    all.capacity = capacity;
    return ask(ALL, tree, ray, &all) ? all.found : VP_RAY_ALL_INVALID;
}

static inline vp_hit sweep(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    answer best;
    best.radius = radius;
    return radius >= 0.0f && radius <= VP_KD_MAX && ask(SWEEP, tree, ray, &best) ? hit_of(&best, ray)
                                                                                 : (vp_hit){ray->t_max, VP_RAY_INVALID, 0.0f, 0.0f};
}

/* Cuts the box to the tree's first. The result is finite, so absent children overlap nothing. */
static inline uint32_t gather(const vp_kd_view *tree, bool exact, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    const float *box_low = &box->min.x, *box_high = &box->max.x;
    const float *tree_low = &tree->box.min.x, *tree_high = &tree->box.max.x;
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = vp_max(box_low[k], tree_low[k]);
        high[k] = vp_min(box_high[k], tree_high[k]);
        if (!(box_low[k] <= box_high[k] && low[k] <= high[k]))
            return 0;
    }
    switch (tree->form) {
    case VP_KD_WIDE:
        return gather_wide(WIDE, tree, exact, low, high, out, capacity);
    case VP_KD_PACKED:
        return gather_wide(PACKED, tree, exact, low, high, out, capacity);
    case VP_KD_IMPLIED:
        return gather_wide(IMPLIED, tree, exact, low, high, out, capacity);
    default:
        return gather_nodes(tree, exact, low, high, out, capacity);
    }
}

#endif
