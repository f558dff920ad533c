/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction, written once over a small vocabulary of vectors (build_<isa>.h): the reference's
 * tree, bit for bit.
 *
 * Idea. All three forms are made of the same splits, of which none depends on how nodes are numbered. So the splits
 * are done first, of up to 192 items at a time: a plan. They are done level by level, all sets of a level at once, for
 * a single split is a chain of some hundred cycles (longest axis, sum, division, comparison, boxes), and the processor
 * has room for two or three of them, while the same steps of many sets fill it. Afterwards nodes are written from the
 * plan, again without waiting for each other: how many nodes are below a left side, and so where the right one's
 * begin, is counted first. There is next to no branch that cannot be foreseen: a set is written to every list, and the
 * end of the right one is moved.
 *
 * Layout. Items are seven arrays: lower faces, upper faces negated, numbers. A box is then six minima, and the middle
 * of an item a difference. There is no negative zero among the faces and nothing else among the negated ones, so
 * minima have the same bits in any order: that is why the reference makes its items so.
 *
 * Long sets, of more than 8 items. One pass adds the middles, in the reference's sixteen lanes, one counts those
 * before the mean, one copies each side to a place of its own and takes the least of its faces. Lanes of one side are
 * moved together by one permutation, made from the bits of the comparison, of each of the seven arrays, and stored
 * whole; what is behind them is overwritten by the next store. Sides go to areas where nothing is behind them yet, so
 * that loads of a set never wait for stores of the one next to it.
 *
 * Short sets are eight items that stay where they are, and bits that say which of them. A split is a comparison and
 * the boxes of the chosen lanes: for both sides, twelve vectors are selected and folded into each other until each
 * lane has the least of one, in 14 minima instead of 36. (AVX-512 has both sides in one vector: 7.) Sets of two,
 * nearly half of all of quads, need no mean: the smaller middle goes left, which is what the mean, or the median where
 * they are equal, comes to.
 *
 * The median is rarely asked for, one split in two hundred of terrain. A short set counts for each item how many are
 * before it; a long one selects (pivot_of_rank), never sorts.
 *
 * Wide nodes. A wide node opens the largest of its parts until there are eight: of a plan, no more than looking up
 * what was split. Which is largest is one instruction (vphminposuw, umaxv).
 *
 * More items than a plan holds are split one set at a time, as long sets in place, left sides where they are, right
 * ones beside, and each set of up to 192 then is a plan, while it is in the first-level cache.
 *
 * Small meshes are over before the processor's own prefetching has begun, so what will be read and written is asked
 * for at once.
 *
 * What replaces what: a permutation by a table of 256 orders is vpermps with a load on AVX2, and a table lookup over
 * two registers on NEON; AVX-512 makes it by one vpcompressd of the lanes' numbers (compressing all seven arrays is
 * slower: one a cycle, and two permutations). Selected minima are one masked vminps, else a selection and a minimum.
 *
 * Cost. Of n items there are log2(n/6) levels of long sets: 7 loads, 14 permutations, 14 stores and 12 minima each 8
 * or 16 items, of which the stores bind; then a split of a short set takes some 180 instructions, of a pair 50, and
 * writing the nodes of a split 70. Of chunks, some 75 quads, AVX2 executes 173 instructions a triangle for the published
 * form, 292 for the slab form and 122 for the wide one; the reference 526, 624 and 286. About four are executed a
 * cycle.
 *
 * Tried, and left: depth first, one set at a time (a third slower: it waits); both sides of a long set behind each
 * other in its own place (a fifteenth slower, for a load waits for the stores of the set beside it); vpcompressps of
 * all seven arrays. Considered, and left: items as records of 32 bytes, whose boxes are one minimum an item, but whose
 * loops end where nobody foresees; sets of up to 16 items as bits on AVX-512, which folds four times as much for sets
 * that mostly are smaller. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_H

#include "optimized/kd/build/build_nodes.h"
#include "optimized/kd/build/build_wide.h"

/* Of a small mesh, what will be read and written is asked for at once. */
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

/* Lanes behind the last item of a set are read, and not used. MemorySanitizer cannot tell: it follows lanes through few of
   the instructions that select and move them. So it is shown memory that has been written. */
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
