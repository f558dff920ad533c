/* SPDX-License-Identifier: MIT */
/* One ray in the wide form of the loose kD tree, included after a header of optimized/simd.
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

#include <voxphys/kernel/kd.h>

#include "src/kd/sphere_triangle.h"
#include "optimized/kd/layout.h"

/* ---- prefetch ---- */

enum { MAX_ITEMS_OF_SMALL = 512 };

static inline bool is_small(const vp_kd_view *tree)
{
    return vp_kd_item_count(&tree->triangles) <= MAX_ITEMS_OF_SMALL;
}

static inline void ask_for_line(uintptr_t address)
{
    __builtin_prefetch((const void *)address);
}

/* Prefetches four lines at a time. A prefetch past the end does no harm. */
static inline void ask_for(const void *memory, size_t bytes)
{
    const uintptr_t end = (uintptr_t)memory + bytes;
    for (uintptr_t at = (uintptr_t)memory; at < end; at += 256) {
        ask_for_line(at);
        ask_for_line(at + 64);
        ask_for_line(at + 128);
        ask_for_line(at + 192);
    }
}

/* Prefetches a small tree's nodes, items and vertices. Successive rays or boxes often belong to different chunks. Each
   goes from the root to a node, to its items, to their vertices, and waits for memory each time. Nodes take about 22
   bytes an item. */
static inline void ask_for_tree(const vp_kd_view *tree)
{
    const size_t items = vp_kd_item_count(&tree->triangles);
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

/* A ray, ready for the faces of one tree. For each axis it has the place, in floats, of the faces that it reaches first
   in a node, the coordinate they are measured from, and both for the faces that it reaches last. */
typedef struct ray_units {
    float against[4], from_near[4], from_far[4]; /* against is -1/direction */
} ray_units;

typedef struct wide_ray {
    vp_ray_frame frame;
    ray_units world;
    uint32_t near_face[4], far_face[4];
} wide_ray;

enum { TO_HIGH = 3 * VP_KD_WIDTH };

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
    const float pad = pad_of(tree, &out->frame, radius);
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

/* ---- nodes ---- */

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

/* ---- leaves ----
 *
 * A fast test finds the candidate triangles, and an exact test decides them.
 *
 * A leaf has up to four quads. Their first and third corners are eight lanes, their second and fourth eight more. Each
 * is put in the ray's order of axes as it is read, then moved and sheared. A quad's two triangles share the edge from
 * its first to its third corner, so five edge functions serve both. They take three operations of eight lanes: (a x b,
 * c x d), (b x c, d x a), (c x a, a x c). In floats the sign of such a difference of products is right or zero, because
 * rounding keeps order. So a triangle whose three signs are mixed is certainly missed. The others, half a triangle a
 * ray, go one by one, sheared as they are, to the exact test of src/kd/ray_triangle.h. Triangles that are not quads
 * have their third corner as the fourth too.
 *
 * Cost: 16 indices, 16 vertices, 30 shuffles, 42 arithmetic. */

/* Eight corners from the ray's origin, sheared as by vp_shear. */
typedef struct shadow {
    f32x8 x, y, z;
} shadow;

static inline shadow shadow_of(const vp_ray_frame *f, const points8 *p)
{
    const f32x8 z = p->axis[2];
    return (shadow){f32x8_sub(p->axis[0], f32x8_mul(f32x8_set1(f->shear_x), z)),
                    f32x8_sub(p->axis[1], f32x8_mul(f32x8_set1(f->shear_y), z)), z};
}

static inline f32x8 cross(shadow a, shadow b)
{
    return f32x8_sub(f32x8_mul(a.x, b.y), f32x8_mul(a.y, b.x));
}

/* Bit i is set if one of a[i], b[i] and c[i] is below zero and one above. No lane is NaN. */
static inline uint32_t mixed_signs(f32x8 a, f32x8 b, f32x8 c)
{
    const f32x8 zero = f32x8_set1(0.0f);
    const f32x8 least = f32x8_min_fast(f32x8_min_fast(a, b), c), most = f32x8_max_fast(f32x8_max_fast(a, b), c);
    return m32x8_movemask(m32x8_and(f32x8_cmp_lt(least, zero), f32x8_cmp_gt(most, zero)));
}

/* The same, corner by corner. */
typedef struct eight_sheared {
    float x[8], y[8], z[8];
} eight_sheared;

static inline void store_shadow(eight_sheared *to, const shadow *from)
{
    f32x8_store(to->x, from->x);
    f32x8_store(to->y, from->y);
    f32x8_store(to->z, from->z);
}

static inline vp_sheared lane_of(const eight_sheared *of, uint32_t lane)
{
    return (vp_sheared){of->x[lane], of->y[lane], of->z[lane]};
}

/* A leaf's corners. Lane i is the first corner of item i and lane i + 4 the third, likewise for the second
 * and the fourth. */
typedef struct leaf_sheared {
    eight_sheared ac, bd;
} leaf_sheared;

/* Finds the triangles of a leaf's items that the ray may meet. Bits 0 to 3 are the first triangles, 4 to 7 the second.
   Always reads four items, because a tree has room for three past its last one. */
VP_INLINE uint32_t may_meet(layout l, const vp_kd_view *tree, const vp_ray_frame *f, uint32_t first, uint32_t count, leaf_sheared *out)
{
    points8 ac, bd;
    const ray_eye eye = ray_eye_of(f);
    leaf_corners(l, tree, first, &eye, &ac, &bd);
    const shadow p = shadow_of(f, &ac), q = shadow_of(f, &bd), swapped = {f32x8_swap_halves(p.x), f32x8_swap_halves(p.y), p.z};
    const uint32_t missed = mixed_signs(cross(p, q), cross(q, swapped), cross(swapped, p)), there = (1u << count) - 1u;
    const uint32_t maybe = ~missed & (tree->triangles.quads ? there * 0x11u : there);
    if (maybe == 0)
        return 0;
    store_shadow(&out->ac, &p);
    store_shadow(&out->bd, &q);
    return maybe;
}

/* The same for a sphere that moves along the ray. Finds triangles whose boxes, grown by the radius, the ray meets. */
VP_INLINE uint32_t may_touch(layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t first, uint32_t count, float s_most)
{
    points8 ac, bd;
    leaf_corners(l, tree, first, NULL, &ac, &bd);
    f32x8 near = f32x8_set1(0.0f), far = f32x8_set1(s_most);
    for (int k = 0; k < 3; k++) {
        const f32x8 ca = f32x8_swap_halves(ac.axis[k]);
        const f32x8 low = f32x8_min(f32x8_min(ac.axis[k], ca), bd.axis[k]);
        const f32x8 high = f32x8_max(f32x8_max(ac.axis[k], ca), bd.axis[k]);
        const bool back = r->near_face[k] >= TO_HIGH;
        near = f32x8_max(reach8(back ? high : low, f32x8_set1(r->world.from_near[k]), f32x8_set1(r->world.against[k])), near);
        far = f32x8_min(reach8(back ? low : high, f32x8_set1(r->world.from_far[k]), f32x8_set1(r->world.against[k])), far);
    }
    return m32x8_movemask(f32x8_cmp_le(near, far)) & ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
}

/* The query of a ray. Constant wherever it is passed, so each query has its own traversal. */
typedef enum question { CLOSEST, ANY, ALL, SWEEP } question;

typedef struct answer {
    vp_meeting meeting; /* the nearest hit */
    float s;            /* of the hit, or the limit of the search */
    uint32_t triangle;
    uint32_t found; /* number of hits; for the nearest 0 or 1 */
    float radius;   /* of a sphere */
    vp_hit *list;   /* ALL: the first `capacity` hits, ascending */
    uint32_t capacity;
} answer;

/* The order of two hits at the same s. */
VP_INLINE bool is_first_of_equal(question q, const answer *a, const vp_meeting *m, uint32_t triangle)
{
    if (q == SWEEP && m->distance != a->meeting.distance)
        return m->distance < a->meeting.distance;
    return triangle < a->triangle;
}

VP_INLINE void take_if_nearer(question q, answer *a, const vp_meeting *m, uint32_t triangle)
{
    if (m->s < a->s || (m->s == a->s && (a->found == 0 || is_first_of_equal(q, a, m, triangle)))) {
        a->meeting = *m;
        a->s = m->s;
        a->triangle = triangle;
        a->found = 1;
    }
}

static inline void insert(answer *a, const vp_meeting *m, uint32_t triangle)
{
    uint32_t at = a->found < a->capacity ? a->found : a->capacity;
    a->found++;
    for (; at > 0; at--) {
        const vp_hit *before = &a->list[at - 1];
        if (m->t > before->t || (m->t == before->t && triangle > (uint32_t)before->triangle))
            break;
        if (at < a->capacity)
            a->list[at] = *before;
    }
    if (at < a->capacity)
        a->list[at] = (vp_hit){m->t, (int32_t)triangle, m->u, m->v};
}

/* Adds a hit to the answer. */
VP_INLINE void take(question q, const vp_meeting *m, uint32_t triangle, answer *to)
{
    if (q == ALL)
        insert(to, m, triangle);
    else
        take_if_nearer(q, to, m, triangle);
}

/* The exact test of one triangle. */
VP_INLINE void test(question q, const vp_ray_frame *f, const float a[3], const float b[3], const float c[3], uint32_t triangle, answer *to)
{
    vp_meeting m;
    if (q == SWEEP ? vp_sphere_meets(f, to->radius, a, b, c, &m) : vp_ray_meets(f, a, b, c, &m))
        take(q, &m, triangle, to);
}

static inline vp_hit hit_of(const answer *best, const vp_ray *ray)
{
    if (best->found == 0)
        return (vp_hit){ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    return (vp_hit){best->meeting.t, (int32_t)best->triangle, best->meeting.u, best->meeting.v};
}

/* The three floats of a vertex. */
static inline const float *corner_at(const vp_kd_view *tree, uint32_t vertex)
{
    return (const float *)(const void *)&tree->triangles.vertex[vertex];
}

/* The sphere's test of one triangle, on its original corners. */
VP_INLINE bool touches(layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t item, uint32_t second, float radius, vp_meeting *m)
{
    if (l == WIDE) {
        const uint32_t *v = tree->item[item].vertex;
        return vp_sphere_meets(&r->frame, radius, corner_at(tree, v[0]), corner_at(tree, v[1 + second]), corner_at(tree, v[2 + second]), m);
    }
    float at[3][3];
    for (uint32_t c = 0; c < 3; c++)
        vp_kd_packed_corner(tree, item, c == 0 ? 0 : c + second, at[c]);
    return vp_sphere_meets(&r->frame, radius, at[0], at[1], at[2], m);
}

VP_INLINE void test_leaf(question q, layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)
{
    const uint32_t first = first_item(l, leaf), count = items_in(l, leaf);
    leaf_sheared seen;
    if (l != WIDE && count == 0)
        return;
    if (l == WIDE)
        ask_for_line((uintptr_t)&tree->item_id[first]); /* needed late, but then without delay */
    uint32_t maybe = q == SWEEP ? may_touch(l, tree, r, first, count, to->s) : may_meet(l, tree, &r->frame, first, count, &seen);
    for (; maybe != 0; maybe &= maybe - 1u) {
        const uint32_t bit = (uint32_t)__builtin_ctz(maybe), second = bit >> 2, item = bit & 3u;
        const uint32_t id = id_of(l, tree, first + item), triangle = tree->triangles.quads ? 2 * id + second : id;
        vp_meeting m;
        if (q == SWEEP) {
            if (touches(l, tree, r, first + item, second, to->radius, &m))
                take(q, &m, triangle, to);
        } else { /* corners 0, 1, 2 or 0, 2, 3 */
            const vp_sheared c = lane_of(&seen.ac, item + 4), other = lane_of(&seen.bd, bit);
            if (vp_ray_meets_sheared(&r->frame, lane_of(&seen.ac, item), second ? c : other, second ? other : c, &m))
                take(q, &m, triangle, to);
        }
    }
}

/* A separate function, so that the registers of a node's test are not spilled, only reloaded after a leaf. */
#define LEAF_TEST(name, q, l)                                                                                                              \
    static __attribute__((noinline)) void name(const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)                       \
    {                                                                                                                                      \
        test_leaf(q, l, tree, r, leaf, to);                                                                                                \
    }
LEAF_TEST(wide_closest, CLOSEST, WIDE)
LEAF_TEST(wide_any, ANY, WIDE)
LEAF_TEST(wide_all, ALL, WIDE)
LEAF_TEST(wide_sweep, SWEEP, WIDE)
LEAF_TEST(packed_closest, CLOSEST, PACKED)
LEAF_TEST(packed_any, ANY, PACKED)
LEAF_TEST(packed_all, ALL, PACKED)
LEAF_TEST(packed_sweep, SWEEP, PACKED)
LEAF_TEST(implied_closest, CLOSEST, IMPLIED)
LEAF_TEST(implied_any, ANY, IMPLIED)
LEAF_TEST(implied_all, ALL, IMPLIED)
LEAF_TEST(implied_sweep, SWEEP, IMPLIED)
#undef LEAF_TEST

VP_INLINE void ask_leaf(question q, layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)
{
    if (l == WIDE)
        (q == CLOSEST ? wide_closest : q == ANY ? wide_any : q == ALL ? wide_all : wide_sweep)(tree, r, leaf, to);
    else if (l == PACKED)
        (q == CLOSEST ? packed_closest : q == ANY ? packed_any : q == ALL ? packed_all : packed_sweep)(tree, r, leaf, to);
    else
        (q == CLOSEST ? implied_closest : q == ANY ? implied_any : q == ALL ? implied_all : implied_sweep)(tree, r, leaf, to);
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
