/* SPDX-License-Identifier: MIT */
/* One ray among the nodes of the wide form of the loose kD tree. Included after a header of optimized/simd.
 *
 * Idea. A node's eight boxes are six arrays, so some twenty vector operations without a branch test a ray against all
 * of them. They are six differences, six products, the maximum of three entries, the minimum of three exits, and one
 * comparison, whose bits are the children to visit. The nearest of these is next. The others wait on a stack, with the
 * farther deeper. With two children a branch decides which is nearer. With more, a count says for each how many are
 * farther. The loop over nodes keeps the ray in registers. A leaf's test is a function, after which they are
 * reloaded.
 *
 * Predicting the child. The loop waits longer than it computes. Some 40 cycles pass from a node's address, through
 * loads, arithmetic and the comparison's bits, to its child's address, and each node waits for the last. A load whose
 * address comes from those bits has to wait. A jump that depends on them is predicted, and the processor goes on. So
 * the code switches on the child's number, 0 to 7, and each case loads its own constant place. Where rays are similar
 * to the rays before them, nodes then follow each other at the four cycles of a load. This saves an eighth of the time
 * of camera rays in a world of 230 thousand triangles, and nothing for rays in all directions. It loses a twelfth in
 * trees of a hundred triangles, whose few nodes are mispredicted too often, so small trees load. A compiler would merge
 * the cases into one load again. The empty asm in each keeps them apart.
 *
 * Shares of time, here and below, are from trials on one machine, for orientation only.
 *
 * Cost on AVX2 of a coherent ray in a world of 230 thousand triangles: some 800 instructions. 140 of them come before
 * the first node and after the last, 31 for each of 5.7 nodes, and 200 for each of 1.2 leaves with half an exact test.
 * Order and stack take the rest. A node takes 6 differences and 6 products, 6 minima and maxima, and 1 comparison. Rays
 * in all directions visit 7.3 nodes and 1.5 leaves, and spend half of the time waiting for memory: a tenth each for
 * nodes and for triangles' numbers, if these are not prefetched before the leaf's test begins, and a fifth for leaves'
 * items. Branch mispredictions take the rest.
 *
 * Tried without gain:
 * - One rounding instead of two in a node's test (1 %).
 * - Faces of 16 bits, which makes a node two lines. All directions are as fast, coherent rays 5 % slower.
 * - Leaves with copies of their corners. All directions gain 5 %, for three times the memory.
 * - Prefetching all children that are met. All directions are 5 to 8 % faster, coherent rays 3 % slower.
 * - Huge pages.
 * - A tree split by the surface heuristic throughout (4 %).
 * - Not reading a leaf's absent items.
 *
 * A small tree is prefetched as a whole first. That saves a quarter to a third of the time of a ray whose tree is not
 * in the cache. */
#ifndef VP_OPTIMIZED_KD_WIDE_H
#define VP_OPTIMIZED_KD_WIDE_H

#include <stddef.h>

#include "optimized/kd/leaf.h"

/* ---- prefetch ---- */

enum { MAX_ITEMS_OF_SMALL = 512 };

static inline size_t items_of(const vp_kd_view *tree)
{
    return tree->triangles.triangle_count >> tree->triangles.quads;
}

static inline bool is_small(const vp_kd_view *tree)
{
    return items_of(tree) <= MAX_ITEMS_OF_SMALL;
}

/* Prefetches four lines at a time. A prefetch past the end does no harm. The empty statement keeps gcc from seeing a function without
 * effect, whose calls it would remove. */
static inline void ask_for(const void *memory, size_t bytes)
{
    __asm__ volatile("");
    const char *const end = (const char *)memory + bytes;
    for (const char *at = memory; at < end; at += 256) {
        __builtin_prefetch(at);
        __builtin_prefetch(at + 64);
        __builtin_prefetch(at + 128);
        __builtin_prefetch(at + 192);
    }
}

/* Prefetches a small tree's nodes, items and vertices. Successive rays or boxes often belong to different chunks. Each
   goes from the root to a node, to its items, to their vertices, and waits for memory each time. Nodes take about 22
   bytes an item. */
static inline void ask_for_tree(const vp_kd_view *tree)
{
    const size_t items = items_of(tree);
    if (!is_small(tree))
        return;
    if (tree->form != VP_KD_WIDE) { /* mostly one contiguous piece, with the vertices at the end, about 1.25 an item */
        const size_t before = (uintptr_t)tree->within - (uintptr_t)tree->line, most = items * 32 + 1024;
        if (before <= most)
            ask_for(tree->line, before + items * (tree->form == VP_KD_PACKED ? 8 : 4));
        return;
    }
    ask_for(tree->wide, items * 22);
    ask_for(tree->item, items * sizeof *tree->item);
    ask_for(tree->triangles.vertex, tree->triangles.vertex_count <= 2 * items ? tree->triangles.vertex_count * sizeof(vp_vec3) : 0);
}

/* ---- a ray ---- */

/* For a sphere, faces are moved by its radius too. The rounding of both is below the pad's allowance, if the pad
   includes the radius. */
static inline float pad_of(const vp_kd_view *tree, const vp_ray_frame *frame, float radius)
{
    const float pad = vp_ray_pad(frame, &tree->box);
    return radius > 0.0f ? (pad + radius * 0x1p-19f) + radius : pad;
}

static inline bool plain_wide_ray(const vp_kd_view *tree, const vp_ray *ray, float radius, wide_ray *out)
{
    if (!vp_ray_frame_of(ray, &out->frame))
        return false;
    const float pad = out->pad = pad_of(tree, &out->frame, radius);
    for (uint32_t k = 0; k < 3; k++) {
        const float low = out->frame.origin[k] + pad, high = out->frame.origin[k] - pad;
        const bool back = signbit(out->frame.direction[k]) != 0;
        out->world.against[k] = -1.0f / out->frame.direction[k];
        out->world.from_near[k] = back ? high : low;
        out->world.from_far[k] = back ? low : high;
        out->near_face[k] = VP_KD_WIDTH * k + (back ? TO_HIGH : 0);
        out->far_face[k] = VP_KD_WIDTH * k + (back ? 0 : TO_HIGH);
#ifdef VP_KD_FUSED
        out->world.from_near[k] *= out->world.against[k];
        out->world.from_far[k] *= out->world.against[k];
#endif
    }
    return true;
}

_Static_assert(offsetof(vp_ray, direction) == 12 && offsetof(vp_ray, t_max) == 24, "vp_ray is seven floats");
_Static_assert(offsetof(vp_aabb, max) == 12, "vp_aabb is six floats");

/* plain_wide_ray in vectors of four, for a radius of 0. The chain of steps is as short as possible, because the first
   node waits for it. The longest component is found without a branch, because successive rays would make it
   unpredictable. The power of two is masked out of that component. 1/direction does not wait for the power, and is
   multiplied by it afterwards. The frame is stored, for leaves to read. Two kinds of directions use plain_wide_ray
   instead: those so long that the reciprocal is not a normal float, and those so short that a component with an infinite
   reciprocal would matter. On the fast path such a component is below 2^-64 of the longest, and the pad allows for the
   ray's movement along it. */
VP_INLINE bool wide_ray_of(const vp_kd_view *tree, const vp_ray *ray, float radius, wide_ray *out)
{
    static const int32_t lower[4] = {0, VP_KD_WIDTH, 2 * VP_KD_WIDTH, 0};
    static const int32_t upper[4] = {TO_HIGH, TO_HIGH + VP_KD_WIDTH, TO_HIGH + 2 * VP_KD_WIDTH, 0};
    static const int32_t next[3][8] = {{1, 2, 0, 0, 0, 0, 0, 0}, {2, 0, 1, 0, 1, 1, 1, 1}, {0, 1, 2, 0, 2, 2, 2, 2}}; /* x, y, z by z */
    const f32x4 origin = f32x4_load_xyz(&ray->origin.x), direction = f32x4_load_xyz(&ray->direction.x);
    const f32x4 far = f32x4_abs(origin), length = f32x4_abs(direction), longest = f32x4_max_across(length);
    /* "At most" is false for NaN. SIMDe's "not at most" is "more", which is false for NaN too. */
    const m32x4 right = m32x4_and(f32x4_cmp_le(far, f32x4_set1(VP_KD_MAX)), f32x4_cmp_le(length, f32x4_set1(FLT_MAX)));
    const uint32_t exponent = (uint32_t)i32x4_first(f32x4_as_i32(longest)) >> 23;
    const float t_max = ray->t_max;
    if (m32x4_movemask(right) != 15 || !(t_max >= 0.0f) || exponent < 64 || exponent > 252)
        return plain_wide_ray(tree, ray, radius, out);
    const int z = __builtin_ctz(m32x4_movemask(f32x4_cmp_eq(length, longest)));
    const i32x4 power = i32x4_and(f32x4_as_i32(longest), i32x4_set1(255 << 23));
    const f32x4 scale = i32x4_as_f32(power), unscale = i32x4_as_f32(i32x4_sub(i32x4_set1(254 << 23), power));
    const f32x4 scaled = f32x4_mul(direction, unscale);

    const f32x4 box_low = f32x4_abs(f32x4_load(&tree->box.min.x)), box_high = f32x4_abs(f32x4_load(&tree->box.min.z));
    const f32x4 most = f32x4_max(f32x4_max(box_low, box_high), f32x4_max(far, f32x4_set1(0x1p-80f)));
    const f32x4 pad = f32x4_mul(f32x4_max_across(most), f32x4_set1(0x1p-19f));
    const f32x4 low = f32x4_add(origin, pad), high = f32x4_sub(origin, pad);
    const f32x4 against = f32x4_mul(f32x4_div(f32x4_set1(-1.0f), direction), scale);
    const m32x4 back = i32x4_cmp_gt(i32x4_set1(0), f32x4_as_i32(scaled));
    f32x4 from_near = f32x4_select(back, high, low), from_far = f32x4_select(back, low, high);
#ifdef VP_KD_FUSED
    from_near = f32x4_mul(from_near, against);
    from_far = f32x4_mul(from_far, against);
#endif
    f32x4_store(out->world.against, against);
    f32x4_store(out->world.from_near, from_near);
    f32x4_store(out->world.from_far, from_far);
    const i32x4 to_other = i32x4_maskz(back, i32x4_set1(TO_HIGH));
    i32x4_store(out->near_face, i32x4_add(i32x4_load(lower), to_other));
    i32x4_store(out->far_face, i32x4_sub(i32x4_load(upper), to_other));

    const i32x4 order = i32x4_load(next[z]);
    vp_ray_frame *frame = &out->frame;
    f32x4_store(frame->origin, origin); /* these write up to two floats too many, which later stores overwrite */
    f32x4_store(frame->direction, scaled);
    i32x4_store(&frame->x, order);
    f32x4_store(&frame->shear_x, f32x4_div(f32x4_permute(scaled, order), f32x4_permute(scaled, i32x4_load(next[z] + 4))));
    out->pad = f32x4_first(pad);
    frame->unscale = f32x4_first(unscale);
    frame->t_max = t_max;
    frame->s_max = t_max * f32x4_first(scale);
    return true;
}

/* A ray among the faces of a packed or an implied tree. These faces are integer multiples of a step, counted from the
   lowest corner of the tree's box, so the ray is moved there and measured in steps. Scaling by a power of two rounds
   nothing. New are one rounding where the ray is moved, and one where faces were put into bytes, 2 u M each. 24 u M of
   the 32 u M of vp_ray_pad were needed, and 28 u M are now. -step/direction may be infinite where -1/direction is not,
   for directions below 2^-94 of the longest. Along that axis such a ray moves by less than u M in total. A face of a
   box that holds a hit lies on the right side of the place it is measured from, by some u M at least. So the infinite
   parameter has the right sign, and cuts nothing. */
VP_INLINE ray_units units_of(const vp_kd_view *tree, const wide_ray *r)
{
    /* the operations of vp_kd_step, and reciprocals by their exponents */
    const f32x4 low = f32x4_load(&tree->box.min.x), high = f32x4_load_xyz(&tree->box.max.x);
    const f32x4 most = f32x4_mul(f32x4_sub(high, low), f32x4_set1(1.00001f / 127.0f));
    const i32x4 power = i32x4_and(f32x4_as_i32(most), i32x4_set1(255 << 23));
    const i32x4 bits = i32x4_max(power, i32x4_set1((127 - 60) << 23));
    const f32x4 step = i32x4_as_f32(bits), inverse = i32x4_as_f32(i32x4_sub(i32x4_set1(254 << 23), bits));
    ray_units u;
    f32x4_store(u.against, f32x4_mul(f32x4_load(r->world.against), step));
    f32x4_store(u.from_near, f32x4_mul(f32x4_sub(f32x4_load(r->world.from_near), low), inverse));
    f32x4_store(u.from_far, f32x4_mul(f32x4_sub(f32x4_load(r->world.from_far), low), inverse));
    return u;
}

/* The parameters at which a ray reaches eight faces. Fused to one operation where one rounding instead of two is
   allowed, which is in no kernel of the registry. `from` is then the origin of the measurement times `against`. */
#ifdef VP_KD_FUSED
static inline f32x8 reach8(f32x8 face, f32x8 from, f32x8 against)
{
    return f32x8_fnmadd(from, face, against);
}
#else
static inline f32x8 reach8(f32x8 face, f32x8 from, f32x8 against)
{
    return f32x8_mul(f32x8_sub(from, face), against);
}
#endif

/* ---- nodes, vp_kd_wide or vp_kd_packed_node ---- */

VP_INLINE const void *nodes_of(layout l, const vp_kd_view *tree)
{
    return l == WIDE ? (const void *)tree->wide : (const void *)tree->line;
}

VP_INLINE const void *node_of(layout l, const void *nodes, uint32_t at)
{
    return l == WIDE ? (const void *)((const vp_kd_wide *)nodes + at) : (const void *)((const vp_kd_packed_node *)nodes + at);
}

VP_INLINE const void *node_at(layout l, const vp_kd_view *tree, uint32_t at)
{
    return node_of(l, nodes_of(l, tree), at);
}

VP_INLINE uint32_t child_at(layout l, const void *node, uint32_t number)
{
    return l == WIDE ? ((const vp_kd_wide *)node)->child[number] : ((const vp_kd_packed_node *)node)->child[number];
}

VP_INLINE i32x8 children_at(layout l, const void *node)
{
    return l == WIDE ? i32x8_load(((const vp_kd_wide *)node)->child) : i32x8_load_u16(((const vp_kd_packed_node *)node)->child);
}

/* Eight faces by their place in a node, which is axis * 8, plus TO_HIGH for upper ones. Bytes are in steps. */
VP_INLINE f32x8 faces_at(layout l, const void *node, size_t place)
{
    return l == WIDE ? f32x8_load(&((const vp_kd_wide *)node)->low[0][0] + place)
                     : f32x8_load_u8(&((const vp_kd_packed_node *)node)->low[0][0] + place);
}

VP_INLINE bool is_leaf(layout l, uint32_t child)
{
    return (child & (l == WIDE ? VP_KD_LEAF : 0x8000u)) != 0;
}

/* Bits of the children that are leaves. In lines, absent children look like leaves. */
VP_INLINE uint32_t leaves_at(layout l, const void *node)
{
    return i32x8_sign_bits(l == WIDE ? children_at(l, node) : i32x8_shl(children_at(l, node), 16));
}

/* A ray in vectors. */
typedef struct ray_lanes {
    f32x8 against[3], from_near[3], from_far[3];
    size_t near_face[3], far_face[3];
} ray_lanes;

VP_INLINE ray_lanes lanes_of(const wide_ray *r, const ray_units *u)
{
    ray_lanes out;
    for (int k = 0; k < 3; k++) {
        out.against[k] = f32x8_set1(u->against[k]);
        out.from_near[k] = f32x8_set1(u->from_near[k]);
        out.from_far[k] = f32x8_set1(u->from_far[k]);
        out.near_face[k] = r->near_face[k];
        out.far_face[k] = r->far_face[k];
    }
    return out;
}

/* Finds the children of a node that the ray meets up to s_most, and the parameters of entry. */
VP_INLINE uint32_t meet_children(layout l, const ray_lanes *r, const void *node, f32x8 s_most, float enter[VP_KD_WIDTH])
{
    f32x8 in[3], out[3];
    for (int k = 0; k < 3; k++) {
        in[k] = reach8(faces_at(l, node, r->near_face[k]), r->from_near[k], r->against[k]);
        out[k] = reach8(faces_at(l, node, r->far_face[k]), r->from_far[k], r->against[k]);
    }
    const f32x8 near = f32x8_max(f32x8_max(in[0], in[1]), f32x8_max(in[2], f32x8_set1(0.0f)));
    const f32x8 far = f32x8_min(f32x8_min(out[0], out[1]), f32x8_min(out[2], s_most));
    f32x8_store(enter, near);
    return m32x8_movemask(f32x8_cmp_le(near, far));
}

typedef struct wide_waiting {
    uint32_t child;
    float near;
} wide_waiting;

/* Pushes all children that were met except the nearest, the nearer the higher, and returns the nearest. No branch on
   the order: for each child it counts how many are farther. */
VP_INLINE uint32_t push_farther(layout l, wide_waiting *top, const void *node, uint32_t met, const float enter[VP_KD_WIDTH])
{
    /* Distinct numbers in the order of the parameters, which are not negative. The last three bits are the lane. */
    const i32x8 key = i32x8_add(i32x8_and(f32x8_as_i32(f32x8_load(enter)), i32x8_set1(~7)), i32x8_iota());
    int32_t number[VP_KD_WIDTH];
    i32x8_store(number, key);
    const uint32_t last = (uint32_t)__builtin_popcount(met) - 1;
    uint32_t nearest = 0;
    for (uint32_t rest = met; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        const uint32_t farther = (uint32_t)__builtin_popcount(met & m32x8_movemask(i32x8_cmp_gt(key, i32x8_set1(number[i]))));
        top[farther] = (wide_waiting){child_at(l, node, i), enter[i]};
        nearest = farther == last ? i : nearest;
    }
    return nearest;
}

/* A node's child, whose number the processor may predict. */
VP_INLINE uint32_t guessed_child(const vp_kd_wide *node, uint32_t number)
{
    uint32_t child;
    switch (number) {
#define CASE(i)                                                                                                                            \
    case i:                                                                                                                                \
        child = node->child[i];                                                                                                            \
        __asm__ volatile("" : "+r"(child));                                                                                                \
        return child
        CASE(0);
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
#undef CASE
    default:
        child = node->child[7];
        return child;
    }
}

VP_INLINE uint32_t child_of(layout l, const void *node, uint32_t number, bool guess)
{
    return guess ? guessed_child(node, number) : child_at(l, node, number);
}

/* Takes the nearest waiting node up to `most`. @return false if there is none */
VP_INLINE bool pop_node(const wide_waiting *stack, wide_waiting **top, float most, uint32_t *at)
{
    do {
        if (*top == stack)
            return false;
        --*top;
    } while ((*top)->near > most);
    *at = (*top)->child;
    return true;
}

/* Descends from a node to the next leaf that the ray meets up to `most`. @param guess a constant, see above; true only
   for the wide form @return false if there is none */
VP_INLINE bool find_leaf(layout l, bool guess, const void *nodes, const wide_ray *r, const ray_units *u, float most,
                         const wide_waiting *stack, wide_waiting **top, uint32_t *at)
{
    const ray_lanes lanes = lanes_of(r, u);
    const f32x8 s_most = f32x8_set1(most);
    while (!is_leaf(l, *at)) {
        const void *node = node_of(l, nodes, *at);
        float enter[VP_KD_WIDTH];
        const uint32_t met = meet_children(l, &lanes, node, s_most, enter), others = met & (met - 1u);
        if (met == 0) {
            if (!pop_node(stack, top, most, at))
                return false;
            continue;
        }
        const uint32_t i = (uint32_t)__builtin_ctz(met);
        if (others == 0) { /* only one, so no need to wait */
            *at = child_of(l, node, i, guess);
        } else if ((others & (others - 1u)) == 0) { /* two */
            const uint32_t j = (uint32_t)__builtin_ctz(others), nearer = enter[j] < enter[i] ? j : i;
            const uint32_t farther = i ^ j ^ nearer;
            *(*top)++ = (wide_waiting){child_at(l, node, farther), enter[farther]};
            *at = child_of(l, node, nearer, guess);
        } else {
            *at = child_of(l, node, push_farther(l, *top, node, met, enter), guess);
            *top += (uint32_t)__builtin_popcount(met) - 1;
        }
    }
    return true;
}

/* ---- a tree ---- */

/* @param guess see find_leaf */
VP_INLINE void visit_wide(question q, layout l, bool guess, const vp_kd_view *tree, const wide_ray *r, const ray_units *u, answer *best)
{
    wide_waiting stack[VP_KD_STACK * VP_KD_WIDTH], *top = stack;
    uint32_t at = 0;
    do {
        if (!find_leaf(l, guess, nodes_of(l, tree), r, u, best->s, stack, &top, &at))
            return;
        ask_leaf(q, l, tree, r, at, best);
    } while (!(q == ANY && best->found != 0) && pop_node(stack, &top, best->s, &at));
}

#endif
