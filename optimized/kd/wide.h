/* SPDX-License-Identifier: MIT */
/* One ray in the wide form of the loose kD tree, over the words of lanes_<isa>.h.
 *
 * Idea. A node's eight boxes are six arrays, so some twenty vector operations without a branch test a ray against all
 * of them. They are six differences, six products, the maximum of three entries, the minimum of three exits, and one
 * comparison, whose bits are the children to visit. The nearest of these is next. The others wait on a stack, with the
 * farther deeper. With two children a branch decides which is nearer. With more, a count says for each how many are
 * farther. The loop over nodes keeps the ray in registers. A leaf's test (optimized/kd/leaf.h) is a function, after
 * which they are reloaded.
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

#include "optimized/kd/leaf.h"
#include "optimized/kd/wide_ray.h"

/* A ray in vectors. */
typedef struct ray_lanes {
    f8 against[3], from_near[3], from_far[3];
    size_t near_face[3], far_face[3];
} ray_lanes;

VP_INLINE ray_lanes lanes_of(const wide_ray *r, const ray_units *u)
{
    ray_lanes out;
    for (int k = 0; k < 3; k++) {
        out.against[k] = f8_set(u->against[k]);
        out.from_near[k] = f8_set(u->from_near[k]);
        out.from_far[k] = f8_set(u->from_far[k]);
        out.near_face[k] = r->near_face[k];
        out.far_face[k] = r->far_face[k];
    }
    return out;
}

/* Finds the children of a node that the ray meets up to s_most, and the parameters of entry. */
VP_INLINE uint32_t meet_children(layout l, const ray_lanes *r, const void *node, f8 s_most, float enter[VP_KD_WIDTH])
{
    f8 in[3], out[3];
    for (int k = 0; k < 3; k++) {
        in[k] = reach8(faces_at(l, node, r->near_face[k]), r->from_near[k], r->against[k]);
        out[k] = reach8(faces_at(l, node, r->far_face[k]), r->from_far[k], r->against[k]);
    }
    const f8 near = f8_later(f8_later(in[0], in[1]), f8_later(in[2], f8_set(0.0f)));
    const f8 far = f8_earlier(f8_earlier(out[0], out[1]), f8_earlier(out[2], s_most));
    f8_store(enter, near);
    return f8_le(near, far);
}

typedef struct wide_waiting {
    uint32_t child;
    float near;
} wide_waiting;

/* Pushes all children that were met except the nearest, the nearer the higher, and returns the nearest. No branch on
   the order: for each child it counts how many are farther. */
VP_INLINE uint32_t push_farther(layout l, wide_waiting *top, const void *node, uint32_t met, const float enter[VP_KD_WIDTH])
{
    const n8 key = n8_numbered(f8_load(enter));
    const uint32_t last = (uint32_t)__builtin_popcount(met) - 1;
    uint32_t nearest = 0;
    for (uint32_t rest = met; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        const uint32_t farther = (uint32_t)__builtin_popcount(met & n8_more(key, enter[i], i));
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
        return child;
        CASE(0)
        CASE(1)
        CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#undef CASE
            default : child = node->child[7];
        return child;
    }
}

VP_INLINE uint32_t child_of(layout l, const void *node, uint32_t number, bool guess)
{
    return guess ? guessed_child(node, number) : child_at(l, node, number);
}

/* @param guess a constant, see above; true only for the wide form */
VP_INLINE void visit_wide(question q, layout l, bool guess, const vp_kd_view *tree, const wide_ray *r, const ray_units *u, answer *best)
{
    wide_waiting stack[VP_KD_STACK * VP_KD_WIDTH], *top = stack;
    uint32_t at = 0;
    for (;;) {
        const ray_lanes lanes = lanes_of(r, u);
        const float most = best->s;
        const f8 s_most = f8_set(most);
        while (!is_leaf(l, at)) {
            const void *node = node_at(l, tree, at);
            float enter[VP_KD_WIDTH];
            const uint32_t met = meet_children(l, &lanes, node, s_most, enter), others = met & (met - 1u);
            if (met != 0) {
                const uint32_t i = (uint32_t)__builtin_ctz(met);
                if (others == 0) { /* only one, so no need to wait */
                    at = child_of(l, node, i, guess);
                    continue;
                }
                if ((others & (others - 1u)) == 0) { /* two */
                    const uint32_t j = (uint32_t)__builtin_ctz(others), nearer = enter[j] < enter[i] ? j : i;
                    const uint32_t farther = i ^ j ^ nearer;
                    *top++ = (wide_waiting){child_at(l, node, farther), enter[farther]};
                    at = child_of(l, node, nearer, guess);
                    continue;
                }
                at = child_of(l, node, push_farther(l, top, node, met, enter), guess);
                top += (uint32_t)__builtin_popcount(met) - 1;
                continue;
            }
            do {
                if (top == stack)
                    return;
                top--;
            } while (top->near > most);
            at = top->child;
        }
        ask_leaf(q, l, tree, r, at, best);
        if (q == ANY && best->found != 0)
            return;
        do {
            if (top == stack)
                return;
            top--;
        } while (top->near > best->s);
        at = top->child;
    }
}

#endif
