/* SPDX-License-Identifier: MIT */
/* Builds the loose kD tree, with the same bits as the reference. Include after the header of an ISA.
 *
 * Idea. All three forms use the same splits, and no split depends on how nodes are numbered. So the splits are done
 * first, for up to 192 items at a time. The result is called a plan. A plan is made level by level, all sets of a level
 * together. A single split is a chain of some hundred cycles (longest axis, sum, division, comparison, boxes). The
 * processor has room for two or three such chains, and the same steps of many sets fill it. Nodes are then written from
 * the plan, again without waiting for each other. The number of nodes below a left side is counted first, because it
 * says where the right side's nodes begin. Almost every branch is predictable. A set is written to every list, and only
 * the end of the right list moves.
 *
 * Layout. Items are seven arrays: lower faces, upper faces negated, numbers. So a box is six minima, and an item's
 * middle is a difference. The reference avoids negative zero among the lower faces and positive zero among the negated
 * upper ones, so minima have the same bits in any order.
 *
 * Long sets have more than 8 items. The first pass adds the middles in the reference's sixteen lanes. The second counts
 * the middles below the mean. The third copies each side to its own place and takes the minima of its faces. One
 * permutation, made from the bits of the comparison, moves the lanes of one side together in each of the seven arrays.
 * The vector is stored whole, and the next store overwrites its unused lanes. Sides go to areas where nothing follows
 * them yet, so that loads of a set never wait for stores of its neighbour.
 *
 * Short sets are eight items that stay where they are, plus a bit for each item of the set. A split is a comparison and
 * the boxes of the chosen lanes. For both sides together, twelve vectors are selected and folded into each other until
 * each lane holds one minimum. That takes 14 minima instead of 36. AVX-512 has both sides in one vector and needs 7.
 * Sets of two, nearly half of all sets of quads, need no mean: the smaller middle goes left. The mean gives the same
 * result, or the median if the middles are equal.
 *
 * The median is rare, one split in two hundred on terrain. A short set counts for each item how many precede it. A long
 * set selects (pivot_of_rank) and never sorts.
 *
 * Wide nodes. A wide node opens the largest of its parts until there are eight. With a plan this only looks up splits.
 * One instruction finds the largest part (vphminposuw, uminv).
 *
 * More items than a plan holds are split one set at a time, like long sets but in place. Left sides stay where
 * they are, right ones go to the other array. Each set of up to 192 items then becomes a plan while it is in
 * the first-level cache.
 *
 * Small meshes finish before the hardware prefetcher starts, so their memory is prefetched at the beginning.
 *
 * Other ISAs. The permutation, from a table of 256 orders, is vpermps with a load on AVX2 and a table lookup over two
 * registers on NEON. AVX-512 makes it by one vpcompressd of the lanes' numbers. Compressing all seven arrays is slower,
 * because it does one a cycle and takes two permutations. Selected minima are one masked vminps, or else a selection
 * and a minimum.
 *
 * Cost. n items have log2(n/6) levels of long sets. Each level does 7 loads, 14 permutations, 14 stores and 12 minima
 * per 8 or 16 items, and the stores are the bottleneck. A split of a short set takes about 180 instructions, of a pair
 * 50, and writing the nodes of a split 70. For chunks, about 75 quads, AVX2 executes 173 instructions a triangle for
 * the published form, 292 for the slab form and 122 for the wide one. The reference executes 526, 624 and 286. About
 * four execute per cycle.
 *
 * Tried without gain. Depth first, one set at a time, is a third slower because it waits. Both sides of a long set one
 * after the other in the set's own place is a fifteenth slower, because a load waits for the stores of the neighbouring
 * set. vpcompressps of all seven arrays is slower too. Not tried: items as records of 32 bytes, whose boxes are one
 * minimum an item, but whose loops end unpredictably. Also not tried: sets of up to 16 items as bits on AVX-512, which
 * would fold four times as much for sets that mostly are smaller. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_H

#include "optimized/kd/build/build_nodes.h"
#include "optimized/kd/build/build_wide.h"

/* Prefetches the memory that a small mesh will read and write. */
VP_INLINE void ask_for_memory(const vp_kd_build_job *to, uint32_t count)
{
    const vp_triangles *t = &to->triangles;
    const size_t vertices = t->vertex_count < 4 * count ? t->vertex_count : 4 * count;
    for (size_t i = 0; i < vertices * sizeof *t->vertex; i += 64)
        __builtin_prefetch((const char *)t->vertex + i);
    for (size_t i = 0; i < (size_t)count * (t->quads ? 16 : 12); i += 64)
        __builtin_prefetch((const char *)t->index + i);
    if (to->form == VP_KD_WIDE) {
        for (size_t i = 0; i < (size_t)count * 28; i += 64)
            __builtin_prefetch((const char *)to->wide + i, 1);
        for (size_t i = 0; i < (size_t)count * 16; i += 64)
            __builtin_prefetch((const char *)to->item + i, 1);
        for (size_t i = 0; i < (size_t)count * 4; i += 64)
            __builtin_prefetch((const char *)to->item_id + i, 1);
    } else
        for (size_t i = 0; i < (size_t)count * (to->form == VP_KD_SLAB ? 36 : 24); i += 64)
            __builtin_prefetch((const char *)to->node + i, 1);
}

/* Lanes past the last item of a set are read and not used. MemorySanitizer follows lanes through few of the
   instructions that select and move them, so it would report those lanes. Hence the scratch is cleared for it. */
static inline void satisfy_sanitizer(void *scratch, uint32_t count)
{
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
    memset(scratch, 0, vp_kd_scratch_bytes(count));
#endif
#endif
    (void)scratch;
    (void)count;
}

_Static_assert(sizeof(plan) <= VP_KD_PLAN_BYTES, "a plan has its room at the beginning of the scratch");

static inline vp_kd_build_result build_tree(const vp_kd_build_job *to)
{
    const vp_triangles *t = &to->triangles;
    const uint32_t count = vp_kd_item_count(t);
    const bool small = count <= PLAN_ITEMS;
    plan *p = to->scratch;
    big_items items = big_items_of((char *)to->scratch + VP_KD_PLAN_BYTES, count);
    float *at = small ? p->item : items.array[0];
    const size_t stride = small ? STRIDE : items.stride;
    float box[8];
    satisfy_sanitizer(to->scratch, count);
    if (small)
        ask_for_memory(to, count);
    if (t->quads)
        read_items(t, count, 4, at, stride, box);
    else
        read_items(t, count, 3, at, stride, box);
    vp_kd_build_result made = {.box = {{box[0], box[1], box[2]}, {-box[4], -box[5], -box[6]}}};
    if (count != 0)
        made.node_count = to->form == VP_KD_WIDE ? make_wide(&items, p, to, count, box) : make_nodes(&items, p, to, count, box);
    return made;
}

#endif
