/* SPDX-License-Identifier: MIT */
/* (idea) */
#ifndef VP_OPTIMIZED_KD_BUILD_H
#define VP_OPTIMIZED_KD_BUILD_H

#include "optimized/kd_build_nodes.h"
#include "optimized/kd_build_wide.h"

/* Of a small mesh, what will be read and written is asked for at once. */
VP_INLINE void ask_for_memory(const vp_kd_build *to, uint32_t count)
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

static inline vp_kd_built build_tree(const vp_kd_build *to)
{
    const vp_triangles *t = &to->triangles;
    const uint32_t count = vp_kd_item_count(t);
    const bool small = count <= PLAN_ITEMS;
    plan *p = to->scratch;
    big_items items = big_items_of((char *)to->scratch + sizeof *p, count);
    float *at = small ? p->item : items.array[0];
    const size_t stride = small ? STRIDE : items.stride;
    float box[8];
    if (small)
        ask_for_memory(to, count);
    if (t->quads)
        read_items(t, count, 4, at, stride, box);
    else
        read_items(t, count, 3, at, stride, box);
    vp_kd_built made = {.box = {{box[0], box[1], box[2]}, {-box[4], -box[5], -box[6]}}};
    if (count != 0)
        made.node_count = to->form == VP_KD_WIDE ? make_wide(&items, p, to, count, box) : make_nodes(&items, p, to, count, box);
    return made;
}

#endif
