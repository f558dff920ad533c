/* SPDX-License-Identifier: MIT */
/* A beam treats the rays of a packet as one, for the nodes of the wide form.
 *
 * Idea. Rays of similar direction share the axis z along which all of them are longest. Their depth w is the distance
 * along that axis, so x = origin.x + slope*w, and the packet has a minimum and a maximum of origins and of slopes. One
 * end of each interval bounds when the first ray may enter a slab between two faces and when the last may leave it. A
 * face ahead is reached first by the steepest slope from the foremost origin. For a face behind all origins any slope
 * gives the right sign. So a node's eight boxes cost the same as for a single ray: six differences, six products,
 * minima, maxima and a comparison. Only the numbers for entry and exit differ.
 *
 * An axis along which some rays go up and others down is entered through the lower or the upper face, by the steepest
 * ray of each kind, and may never be left. That is one more product.
 *
 * Gain over testing every ray at every node: in terrain the intervals let through one node in ten more than the rays
 * themselves do, and a packet's visit costs as much as a single ray's. Two nodes are visited at a time if the second is
 * about as near as the first. It takes some 35 cycles of waiting from a node's address to its child's, and two such
 * waits next to each other take hardly longer. */
#ifndef VP_OPTIMIZED_KD_BEAM_H
#define VP_OPTIMIZED_KD_BEAM_H

#include "optimized/kd/wide.h"

/* Faces are moved outwards by this fraction of M, the largest coordinate of box and origins. It is twice vp_ray_pad,
   which allows for the 16 u M that a hit's point may lie outside its triangle's box (u = 2^-24) and for three roundings
   on the way to a face's parameter. Here slopes are rounded too, before a packet's are compared, which adds 2 u M at
   the relevant depths, below 2 M. Limits (kd/packet.h) are depths of corners rounded twice, 4 u M. */
#define BEAM_PAD 0x1p-18f

/* Packed and implied trees have two more roundings, see units_of. Twice a ray's pad suffices. */

/* Intervals, by axis as in the world. */
typedef struct beam_ends {
    float low[3], high[3];             /* of origins, with the pad */
    float slope_low[3], slope_high[3]; /* along the way; for z both are 1 or -1 */
    float pad;
    uint32_t x, y, z; /* z is the axis of depth; x, y are the next two */
    bool backwards;   /* along z */
} beam_ends;

typedef struct beam {
    /* depth of a face is (from - face) * inverse */
    f32x8 near_from[3], near_inverse[3], far_from[3], far_inverse[3];
    uint32_t near_face[3], far_face[3];
    bool either; /* some axes are entered through either face: */
    f32x8 also_from[3], also_inverse[3];
} beam;

static inline void beam_of(const beam_ends *e, beam *out)
{
    out->either = false;
    for (uint32_t k = 0; k < 3; k++) {
        const float least = e->slope_low[k], most = e->slope_high[k];
        const uint32_t lower = VP_KD_WIDTH * k, upper = lower + TO_HIGH;
        if (least >= 0.0f) { /* fabsf removes -0 */
            out->near_face[k] = lower;
            out->near_from[k] = f32x8_set1(e->high[k]);
            out->near_inverse[k] = f32x8_set1(-1.0f / fabsf(most));
            out->far_face[k] = upper;
            out->far_from[k] = f32x8_set1(e->low[k]);
            out->far_inverse[k] = f32x8_set1(-1.0f / fabsf(least));
        } else if (most <= 0.0f) {
            out->near_face[k] = upper;
            out->near_from[k] = f32x8_set1(e->low[k]);
            out->near_inverse[k] = f32x8_set1(1.0f / fabsf(least));
            out->far_face[k] = lower;
            out->far_from[k] = f32x8_set1(e->high[k]);
            out->far_inverse[k] = f32x8_set1(1.0f / fabsf(most));
        } else {
            out->near_face[k] = lower;
            out->near_from[k] = f32x8_set1(e->high[k]);
            out->near_inverse[k] = f32x8_set1(-1.0f / most);
            out->far_face[k] = upper;
            out->far_from[k] = out->far_inverse[k] = f32x8_set1(NAN); /* cuts nothing */
            out->either = true;
        }
    }
    if (!out->either)
        return;
    for (uint32_t k = 0; k < 3; k++) {
        const bool either = e->slope_low[k] < 0.0f && e->slope_high[k] > 0.0f;
        out->also_from[k] = f32x8_set1(e->low[k]);
        out->also_inverse[k] = f32x8_set1(either ? -1.0f / e->slope_low[k] : NAN);
    }
}

/* The beam among the faces of a packed or an implied tree, in their steps, like units_of for a ray. */
static inline void beam_in_steps(const vp_kd_view *tree, beam *b)
{
    const vp_kd_faces faces = vp_kd_faces_of(&tree->box);
    for (int k = 0; k < 3; k++) {
        const f32x8 low = f32x8_set1(faces.origin[k]), step = f32x8_set1(faces.step[k]), inverse = f32x8_set1(faces.inverse[k]);
        b->near_from[k] = f32x8_mul(f32x8_sub(b->near_from[k], low), inverse);
        b->near_inverse[k] = f32x8_mul(b->near_inverse[k], step);
        b->far_from[k] = f32x8_mul(f32x8_sub(b->far_from[k], low), inverse);
        b->far_inverse[k] = f32x8_mul(b->far_inverse[k], step);
        if (b->either) {
            b->also_from[k] = f32x8_mul(f32x8_sub(b->also_from[k], low), inverse);
            b->also_inverse[k] = f32x8_mul(b->also_inverse[k], step);
        }
    }
}

static inline f32x8 depth_of(f32x8 face, f32x8 from, f32x8 inverse)
{
    return f32x8_mul(f32x8_sub(from, face), inverse);
}

/* Finds the children of a node that the beam meets up to a depth, and the depths of entry. */
VP_INLINE uint32_t beam_meets(layout l, const beam *b, const void *node, float most, f32x8 *enter)
{
    f32x8 near = f32x8_set1(0.0f), far = f32x8_set1(most);
    for (int k = 0; k < 3; k++) {
        near = f32x8_max(depth_of(faces_at(l, node, b->near_face[k]), b->near_from[k], b->near_inverse[k]), near);
        far = f32x8_min(depth_of(faces_at(l, node, b->far_face[k]), b->far_from[k], b->far_inverse[k]), far);
    }
    if (b->either)
        for (uint32_t k = 0; k < 3; k++)
            near = f32x8_max(depth_of(faces_at(l, node, VP_KD_WIDTH * k + TO_HIGH), b->also_from[k], b->also_inverse[k]), near);
    *enter = near;
    return m32x8_movemask(f32x8_cmp_le(near, far));
}

/* The node on top of the stack is visited together with the current one, if its depth times this is at most
   the current one's. */
#define ABOUT_AS_NEAR 0.75f

/* Pushes three or more children, the nearest on top. */
VP_INLINE wide_waiting *push_in_order(layout l, wide_waiting *top, const void *node, uint32_t met, const float enter[VP_KD_WIDTH])
{
    for (wide_waiting *base = top; met != 0; met &= met - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(met);
        wide_waiting *to = top++;
        for (; to > base && to[-1].near < enter[i]; to--)
            to[0] = to[-1];
        *to = (wide_waiting){child_at(l, node, i), enter[i]};
    }
    return top;
}

/* Pushes the nodes that were met, with the nearest on top. No branch for up to two. */
VP_INLINE wide_waiting *push_met(layout l, wide_waiting *top, const void *node, uint32_t met, f32x8 enter)
{
    float near[VP_KD_WIDTH];
    f32x8_store(near, enter);
    const uint32_t others = met & (met - 1u);
    if ((others & (others - 1u)) != 0)
        return push_in_order(l, top, node, met, near);
    const uint32_t i = (uint32_t)__builtin_ctz(met | 0x80u), j = others != 0 ? (uint32_t)__builtin_ctz(others) : i;
    const wide_waiting one = {child_at(l, node, i), near[i]}, other = {child_at(l, node, j), near[j]};
    const bool swapped = near[j] > near[i];
    top[0] = swapped ? other : one;
    top[1] = swapped ? one : other;
    return top + (met != 0) + (others != 0);
}

#endif
