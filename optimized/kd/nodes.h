/* SPDX-License-Identifier: MIT */
/* One ray, or one box, in the published and the slab form.
 *
 * A node of 12 bytes has two planes, and its two products are all the arithmetic of a step, which cannot fill vectors.
 * Savings over the reference: a ray that meets only one child bypasses the stack. The direction's sign selects the
 * sides of a branch instead of a comparison. A leaf's two triangles are first tested in floats, as in
 * optimized/kd/leaf.h. Packets of rays, or the wide form, can use vectors. */
#ifndef VP_OPTIMIZED_KD_NODES_H
#define VP_OPTIMIZED_KD_NODES_H

#include "optimized/kd/wide.h"

typedef struct node_ray {
    vp_ray_frame frame;
    float inverse[3];
    float from[3][2]; /* origins for a branch's plane[0], an upper face, and plane[1], a lower one */
    uint32_t back[3]; /* 1 if the direction is negative */
} node_ray;

static inline bool node_ray_of(const vp_kd_view *tree, const vp_ray *ray, float radius, node_ray *out)
{
    if (!vp_ray_frame_of(ray, &out->frame))
        return false;
    const float pad = pad_of(tree, &out->frame, radius);
    for (int k = 0; k < 3; k++) {
        out->inverse[k] = 1.0f / out->frame.direction[k];
        out->from[k][0] = out->frame.origin[k] - pad;
        out->from[k][1] = out->frame.origin[k] + pad;
        out->back[k] = signbit(out->frame.direction[k]) != 0;
    }
    return true;
}

/* The parameter of a plane that is a lower (1) or an upper (0) face. */
static inline float reach(const node_ray *r, uint32_t axis, uint32_t lower, float plane)
{
    return (plane - r->from[axis][lower]) * r->inverse[axis];
}

static inline void test_triangle(question q, const vp_kd_view *tree, const vp_ray_frame *f, uint32_t triangle, answer *to)
{
    uint32_t corner[3];
    vp_triangle_corners(&tree->triangles, triangle, corner);
    test(q, f, corner_at(tree, corner[0]), corner_at(tree, corner[1]), corner_at(tree, corner[2]), triangle, to);
}

typedef struct node_waiting {
    uint32_t node;
    float near, far;
} node_waiting;

static inline void visit_nodes(question q, const vp_kd_view *tree, const node_ray *r, float near, float far, answer *best)
{
    node_waiting stack[VP_KD_STACK], *top = stack;
    uint32_t at = 0;
    for (;;) {
        const vp_kd_node *node = &tree->node[at];
        const uint32_t axis = vp_kd_axis(node), child = vp_kd_child(node);
        if (axis == 3) {
            for (uint32_t i = 0; i < child; i++)
                test_triangle(q, tree, &r->frame, node->u.triangle[i], best);
            if (q == ANY && best->found != 0)
                return;
        } else if (vp_kd_is_slab(node)) { /* plane[0] is its lower face */
            const float low = reach(r, axis, 1, node->u.plane[0]), high = reach(r, axis, 0, node->u.plane[1]);
            near = vp_max(r->back[axis] ? high : low, near);
            far = vp_min(r->back[axis] ? low : high, far);
            if (near <= far) {
                at = child;
                continue;
            }
        } else {
            const uint32_t back = r->back[axis];
            const float left = reach(r, axis, 0, node->u.plane[0]), right = reach(r, axis, 1, node->u.plane[1]);
            const float first_far = vp_min(back ? right : left, far), second_near = vp_max(back ? left : right, near);
            const bool first = near <= first_far, second = second_near <= far;
            if (first) {
                if (second)
                    *top++ = (node_waiting){child + (back ^ 1u), second_near, far};
                at = child + back;
                far = first_far;
                continue;
            }
            if (second) {
                at = child + (back ^ 1u);
                near = second_near;
                continue;
            }
        }
        do {
            if (top == stack)
                return;
            top--;
        } while (top->near > best->s);
        at = top->node;
        near = top->near;
        far = vp_min(best->s, top->far);
    }
}

/* The part of the ray inside the tree's box. */
static inline bool enter_tree(const vp_kd_view *tree, const node_ray *r, float *near, float *far)
{
    const float low[3] = {tree->box.min.x, tree->box.min.y, tree->box.min.z};
    const float high[3] = {tree->box.max.x, tree->box.max.y, tree->box.max.z};
    for (uint32_t k = 0; k < 3; k++) {
        const float to_low = reach(r, k, 1, low[k]), to_high = reach(r, k, 0, high[k]);
        *near = vp_max(r->back[k] ? to_high : to_low, *near);
        *far = vp_min(r->back[k] ? to_low : to_high, *far);
    }
    return *near <= *far;
}

/* ---- a box ---- */

static inline bool triangle_in(const vp_kd_view *tree, uint32_t triangle, const float low[3], const float high[3])
{
    uint32_t corner[3];
    vp_triangle_corners(&tree->triangles, triangle, corner);
    const float *a = corner_at(tree, corner[0]), *b = corner_at(tree, corner[1]), *c = corner_at(tree, corner[2]);
    bool in = true;
    for (int k = 0; k < 3; k++) {
        const float least = vp_min(vp_min(a[k], b[k]), c[k]), most = vp_max(vp_max(a[k], b[k]), c[k]);
        in = in & (least <= high[k]) & (most >= low[k]);
    }
    return in;
}

static inline uint32_t gather_nodes(const vp_kd_view *tree, bool exact, const float low[3], const float high[3], uint32_t *out,
                                    uint32_t capacity)
{
    uint32_t stack[VP_KD_STACK + 2], waits = 0, found = 0, at = 0;
    for (;;) {
        const vp_kd_node *node = &tree->node[at];
        const uint32_t axis = vp_kd_axis(node), child = vp_kd_child(node);
        if (axis == 3) {
            for (uint32_t i = 0; i < child; i++) {
                const uint32_t triangle = node->u.triangle[i];
                const bool in = !exact || triangle_in(tree, triangle, low, high);
                if (in && found < capacity)
                    out[found] = triangle;
                found += in;
            }
        } else if (vp_kd_is_slab(node)) {
            stack[waits] = child;
            waits += (node->u.plane[0] <= high[axis]) & (node->u.plane[1] >= low[axis]);
        } else { /* both are stored, and stay if they are needed */
            stack[waits] = child + 1;
            waits += node->u.plane[1] <= high[axis];
            stack[waits] = child;
            waits += node->u.plane[0] >= low[axis];
        }
        if (waits == 0)
            return found;
        at = stack[--waits];
    }
}

#endif
