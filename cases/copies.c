/* SPDX-License-Identifier: MIT */
#include "cases/copies.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "src/kd/corners.h"

vp_triangles vp_copy_triangles(vp_arena *arena, const vp_triangles *from)
{
    vp_triangles t = *from;
    if (t.vertex != NULL) {
        const size_t indices = (size_t)vp_kd_item_count(from) * (from->quads ? 4 : 3);
        t.vertex = vp_arena_input(arena, from->vertex, from->vertex_count, sizeof *t.vertex, alignof(vp_vec3), 0);
        t.index = vp_arena_input(arena, from->index, indices, sizeof *t.index, alignof(uint32_t), 0);
    }
    return t;
}

vp_broadphase_view vp_copy_broadphase(vp_arena *arena, const vp_broadphase_view *from)
{
    const ptrdiff_t before = (ptrdiff_t)from->slot_stride_y + from->slot_stride_z + 1;
    const size_t slots = (size_t)from->slot_stride_y * (from->chunks.y + 2) + (size_t)before + 1;
    vp_broadphase_view view = *from;
    uint32_t most = VP_CHUNK_MIXED - 1;
    if (!vp_arena_copies(arena))
        return view;
    for (size_t i = 0; i < slots; i++)
        most = from->slot[(ptrdiff_t)i - before] > most ? from->slot[(ptrdiff_t)i - before] : most;
    const uint32_t *slot = vp_arena_input(arena, from->slot - before, slots, sizeof *slot, alignof(uint32_t), 0);
    view.slot = slot + before;
    view.pool = vp_arena_input(arena, from->pool, (size_t)most + 1, sizeof *view.pool, 64, 0);
    return view;
}

/* The number of vertices that the items of a packed or implied tree use. */
static uint32_t vertices_of(const vp_kd_view *view, uint32_t items)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < items; i++)
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t vertex;
            if (view->form == VP_KD_PACKED) {
                vertex = view->corner[i][c];
            } else {
                const uint32_t cell = view->edge[i].cell & 0xfffu, kind = view->edge[i].cell >> 12;
                vertex = vp_kd_rank(view->cells, vp_kd_cell_number(view->cells, cell + vp_kd_around(kind, c)));
            }
            most = vertex >= most ? vertex + 1 : most;
        }
    return most;
}

/* The number of nodes of a tree. Children follow their parents. */
static size_t nodes_of(const vp_kd_view *tree)
{
    size_t count = 1;
    for (size_t i = 0; i < count; i++) {
        size_t last = 0;
        if (tree->form == VP_KD_WIDE) {
            for (int k = 0; k < VP_KD_WIDTH; k++)
                if (tree->wide[i].low[0][k] < INFINITY && !vp_kd_is_leaf(tree->wide[i].child[k]) && tree->wide[i].child[k] > last)
                    last = tree->wide[i].child[k];
        } else if (tree->form == VP_KD_PACKED || tree->form == VP_KD_IMPLIED) {
            for (int k = 0; k < VP_KD_WIDTH; k++)
                if (!vp_kd_packed_is_leaf(tree->line[i].child[k]) && tree->line[i].child[k] > last)
                    last = tree->line[i].child[k];
        } else if (vp_kd_axis(&tree->node[i]) != 3) {
            last = vp_kd_child(&tree->node[i]) + !vp_kd_is_slab(&tree->node[i]);
        }
        count = last >= count ? last + 1 : count;
    }
    return count;
}

/* The cells of an implied tree are not moved, because their numbers precede them and their words follow them. */
const vp_kd_view *vp_copy_tree(vp_arena *arena, const vp_kd_view *from)
{
    const uint32_t items = vp_kd_item_count(&from->triangles), more = items + VP_KD_ITEM_SLACK;
    if (!vp_arena_copies(arena) || items == 0)
        return from;
    vp_kd_view *view = vp_arena_keep(arena, 1, sizeof *view, alignof(vp_kd_view));
    const size_t nodes = nodes_of(from);
    *view = *from;
    view->triangles = vp_copy_triangles(arena, &from->triangles);
    switch (from->form) {
    case VP_KD_PUBLISHED:
    case VP_KD_SLAB:
        view->node = vp_arena_input(arena, from->node, nodes, sizeof *view->node, alignof(vp_kd_node), 0);
        break;
    case VP_KD_WIDE:
        view->wide = vp_arena_input(arena, from->wide, nodes, sizeof *view->wide, 64, 0);
        view->item = vp_arena_input(arena, from->item, more, sizeof *view->item, alignof(vp_kd_item), 0);
        view->item_id = vp_arena_input(arena, from->item_id, more, sizeof *view->item_id, alignof(uint32_t), 0);
        break;
    case VP_KD_PACKED:
        view->line = vp_arena_input(arena, from->line, nodes, sizeof *view->line, 64, 0);
        view->corner = vp_unconst(vp_arena_input(arena, from->corner, more, sizeof *view->corner, alignof(uint16_t), 0));
        view->corner_id = vp_arena_input(arena, from->corner_id, more, sizeof *view->corner_id, alignof(uint16_t), 0);
        view->lattice = vp_unconst(vp_arena_input(arena, from->lattice, (size_t)vertices_of(from, items) * 6 + 2, 1, alignof(uint16_t), 0));
        break;
    default:
        view->line = vp_arena_input(arena, from->line, nodes, sizeof *view->line, 64, 0);
        view->edge = vp_arena_input(arena, from->edge, more, sizeof *view->edge, alignof(uint16_t), 0);
        view->within = vp_unconst(vp_arena_input(arena, from->within, (size_t)vertices_of(from, items) * 3 + 1, 1, 1, 0));
        break;
    }
    return view;
}

const vp_kd_view *const *vp_copy_trees(vp_arena *arena, const vp_kd_view *const *from, size_t count)
{
    if (!vp_arena_copies(arena))
        return from;
    const vp_kd_view **to = vp_arena_keep(arena, count, sizeof *to, alignof(const vp_kd_view *));
    for (size_t i = 0; i < count; i++)
        to[i] = vp_copy_tree(arena, from[i]);
    return to;
}

uint32_t *vp_lists_found(vp_arena *arena, size_t lists)
{
    return vp_arena_copies(arena) ? vp_arena_keep(arena, lists, sizeof(uint32_t), alignof(uint32_t)) : NULL;
}

void vp_lists_make(vp_arena *arena, size_t lists, uint32_t capacity, size_t size, size_t alignment, bool compared, const uint32_t *found,
                   vp_lists *out)
{
    *out = (vp_lists){.capacity = capacity};
    if (found == NULL) {
        out->data = vp_arena_lists(arena, lists, capacity, size, alignment, compared, &out->stride);
        return;
    }
    out->own = vp_arena_keep(arena, lists, sizeof *out->own, alignof(void *));
    out->room = vp_arena_keep(arena, lists, sizeof *out->room, alignof(uint32_t));
    for (size_t i = 0; i < lists; i++) {
        out->room[i] = capacity;
        out->room[i] = vp_list_kept(out, i, found[i]);
        out->own[i] =
            compared ? vp_arena_output(arena, out->room[i], size, alignment, 0) : vp_arena_scratch(arena, out->room[i], size, alignment);
    }
}
