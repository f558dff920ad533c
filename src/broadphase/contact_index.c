/* SPDX-License-Identifier: MIT */
/* The objects over each chunk, so that an edit finds the affected objects without examining the others.
 *
 * Each chunk has a list of nodes, one for each object whose reach covers it. An object over more chunks than
 * WIDE_CHUNKS has a single node, in one list of wide objects that every edit scans. So neither a move nor the memory of
 * a huge box costs its volume. */
#include "src/broadphase/contacts_internal.h"

#include "src/core/memory.h"
#include "src/world/world_internal.h"

enum { WIDE_CHUNKS = 64 };

/* The chunks under a cover of voxels. Both ends of a cover that is not empty are at least 0. */
static vp_cover find_chunks_under(const vp_cover *voxels)
{
    vp_cover c = *voxels;
    for (int axis = 0; axis < 3 && voxels->first[0] <= voxels->last[0]; axis++) {
        c.first[axis] = voxels->first[axis] / VP_CHUNK_EDGE;
        c.last[axis] = voxels->last[axis] / VP_CHUNK_EDGE;
    }
    return c;
}

static uint64_t count_chunks(const vp_cover *chunks)
{
    uint64_t total = 1;
    for (int axis = 0; axis < 3; axis++)
        total *= (uint64_t)(chunks->last[axis] - chunks->first[axis] + 1);
    return chunks->first[0] <= chunks->last[0] ? total : 0;
}

static uint32_t count_nodes_for(const vp_cover *voxels)
{
    vp_cover chunks = find_chunks_under(voxels);
    uint64_t total = count_chunks(&chunks);
    return total <= WIDE_CHUNKS ? (uint32_t)total : 1;
}

bool vp_contact_index_same(const vp_cover *a, const vp_cover *b)
{
    vp_cover ca = find_chunks_under(a), cb = find_chunks_under(b);
    for (int axis = 0; axis < 3; axis++)
        if (ca.first[axis] != cb.first[axis] || ca.last[axis] != cb.last[axis])
            return false;
    return true;
}

bool vp_contact_index_reserve(vp_contacts *c, const vp_cover *from, const vp_cover *to)
{
    uint64_t at_hand = (uint64_t)count_nodes_for(from) + c->free_node_count + (c->node_capacity - c->node_end);
    uint64_t wanted = count_nodes_for(to);
    if (wanted <= at_hand)
        return true;
    uint32_t capacity;
    vp_node *node = vp_contacts_grow(&c->allocator, c->node, c->node_end, c->node_capacity + (wanted - at_hand), sizeof *node, &capacity);
    if (node == NULL)
        return false;
    vp_release(&c->allocator, c->node, c->node_capacity, sizeof *node);
    c->node = node;
    c->node_capacity = capacity;
    return true;
}

static uint32_t allocate_node(vp_contacts *c)
{
    if (c->free_node == VP_NONE)
        return c->node_end++;
    uint32_t n = c->free_node;
    c->free_node = c->node[n].next;
    c->free_node_count--;
    return n;
}

static void link_node(vp_contacts *c, uint32_t object, uint32_t list)
{
    uint32_t n = allocate_node(c);
    c->node[n] = (vp_node){
        .object = object, .list = list, .previous = VP_NONE, .next = c->head[list], .next_of_object = c->object[object].first_node};
    if (c->head[list] != VP_NONE)
        c->node[c->head[list]].previous = n;
    c->head[list] = n;
    c->object[object].first_node = n;
}

static void unlink_node(vp_contacts *c, uint32_t n)
{
    vp_node node = c->node[n];
    if (node.previous != VP_NONE)
        c->node[node.previous].next = node.next;
    else
        c->head[node.list] = node.next;
    if (node.next != VP_NONE)
        c->node[node.next].previous = node.previous;
    c->node[n].next = c->free_node;
    c->free_node = n;
    c->free_node_count++;
}

static uint32_t find_wide_list(const vp_contacts *c)
{
    return (uint32_t)vp_chunk_count(c->chunks);
}

void vp_contact_index_enter(vp_contacts *c, uint32_t object)
{
    vp_cover chunks = find_chunks_under(&c->object[object].reach);
    uint64_t total = count_chunks(&chunks);
    if (total == 0)
        return;
    if (total > WIDE_CHUNKS) {
        link_node(c, object, find_wide_list(c));
        return;
    }
    for (int32_t cy = chunks.first[1]; cy <= chunks.last[1]; cy++)
        for (int32_t cz = chunks.first[2]; cz <= chunks.last[2]; cz++)
            for (int32_t cx = chunks.first[0]; cx <= chunks.last[0]; cx++)
                link_node(c, object, vp_chunk_number(c->chunks, (uint32_t)cx, (uint32_t)cy, (uint32_t)cz));
}

void vp_contact_index_leave(vp_contacts *c, uint32_t object)
{
    uint32_t n = c->object[object].first_node;
    while (n != VP_NONE) {
        uint32_t next = c->node[n].next_of_object;
        unlink_node(c, n);
        n = next;
    }
    c->object[object].first_node = VP_NONE;
}

/* ---- objects affected by an edit ---- */

/* Whether a cover has voxels in a chunk, in layers with changed voxels. 0 = all layers, as in vp_chunk_set.changed. */
static bool is_chunk_met(const vp_cover *voxels, vp_ivec3 chunk, uint32_t changed)
{
    static const int shift[3] = {VP_CHANGED_X, VP_CHANGED_Y, VP_CHANGED_Z};
    const int32_t low[3] = {chunk.x * VP_CHUNK_EDGE, chunk.y * VP_CHUNK_EDGE, chunk.z * VP_CHUNK_EDGE};
    for (int axis = 0; axis < 3; axis++) {
        const int32_t first = voxels->first[axis] - low[axis], last = voxels->last[axis] - low[axis];
        if (first > 7 || last < 0 || first > last)
            return false;
        const uint32_t layers = (0xffu << (first < 0 ? 0 : first)) & (0xffu >> (last > 7 ? 0 : 7 - last));
        if (changed != 0 && (changed >> shift[axis] & layers) == 0)
            return false;
    }
    return true;
}

static void mark_object(vp_contacts *c, uint32_t object, vp_ivec3 chunk, uint32_t changed)
{
    const vp_object *o = &c->object[object];
    const uint64_t bit = UINT64_C(1) << object % 64;
    if (is_chunk_met(&o->voxels, chunk, 0))
        c->marked[object / 64] |= bit;
    if (is_chunk_met(&o->reach, chunk, changed))
        c->met[object / 64] |= bit;
}

/* Marks an object in the list of wide ones, by the chunks of a set in its reach. */
static void mark_wide(vp_contacts *c, uint32_t object, const vp_chunk_set *set)
{
    const vp_cover chunks = find_chunks_under(&c->object[object].reach);
    const int32_t *first = chunks.first, *last = chunks.last;
    uint32_t from = vp_chunk_number(set->chunks, (uint32_t)first[0], (uint32_t)first[1], (uint32_t)first[2]);
    uint32_t to = vp_chunk_number(set->chunks, (uint32_t)last[0], (uint32_t)last[1], (uint32_t)last[2]);
    for (uint32_t k = vp_chunk_set_next(set, from); k <= to; k = vp_chunk_set_next(set, k + 1))
        mark_object(c, object, vp_chunk_at(set->chunks, k), set->changed[k]);
}

void vp_contact_index_mark(vp_contacts *c, const vp_chunk_set *stale)
{
    for (uint32_t k = vp_chunk_set_next(stale, 0); k != VP_NONE; k = vp_chunk_set_next(stale, k + 1))
        for (uint32_t n = c->head[k]; n != VP_NONE; n = c->node[n].next)
            mark_object(c, c->node[n].object, vp_chunk_at(stale->chunks, k), stale->changed[k]);
    for (uint32_t n = c->head[find_wide_list(c)]; n != VP_NONE; n = c->node[n].next)
        mark_wide(c, c->node[n].object, stale);
}
