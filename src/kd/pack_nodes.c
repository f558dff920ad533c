/* SPDX-License-Identifier: MIT */
/* Nodes of the packed and the implied form, from those of the wide form.
 *
 * A wide node has eight children as long as it has enough items. So the nodes above the leaves, most of all, are
 * half empty, as ten items are three or four leaves. Here a node is filled in three ways. Leaves that follow each
 * other in the order of items and have at most four items together become one. Children that follow each other and
 * have at most eight children together become one. A child whose children fit into its parent is replaced by them.
 * The order of items is that of the splits, so neighbours in it are near. Half as many nodes are left, and rays meet
 * fewer of them. */
#include "src/kd/pack_nodes.h"

#include <string.h>

#include "src/kd/corners.h"

typedef struct entry {
    uint8_t low[3], high[3];
    uint16_t child; /* as in vp_kd_packed_node */
    uint16_t first; /* item */
} entry;

/* A leaf, or the children of a node that is not written yet. */
typedef struct group {
    entry entry[VP_KD_WIDTH];
    int count;
    bool leaf;
    bool up; /* they move up into the parent */
} group;

typedef struct packer {
    const vp_pack *pack;
    vp_kd_faces faces;
    uint32_t nodes;
} packer;

static entry leaf_of(const packer *p, const vp_kd_wide *node, int child)
{
    const uint32_t leaf = node->child[child], first = vp_kd_first_item(leaf);
    entry e;
    for (int k = 0; k < 3; k++) {
        e.low[k] = (uint8_t)vp_kd_byte_below(&p->faces, k, node->low[k][child]);
        e.high[k] = (uint8_t)vp_kd_byte_above(&p->faces, k, node->high[k][child]);
    }
    e.first = (uint16_t)first;
    e.child = (uint16_t)(0x8000u | first << 2 | (vp_kd_items_in(leaf) - 1));
    return e;
}

static void grow_entry(entry *e, const entry *by)
{
    for (int k = 0; k < 3; k++) {
        e->low[k] = by->low[k] < e->low[k] ? by->low[k] : e->low[k];
        e->high[k] = by->high[k] > e->high[k] ? by->high[k] : e->high[k];
    }
}

/* Writes a node. */
static void write_node(const packer *p, uint32_t node, const entry *of, int count)
{
    vp_kd_packed_node *line = &p->pack->line[node];
    memset(line->low, 255, sizeof line->low);
    memset(line->high, 0, sizeof line->high);
    for (int i = 0; i < VP_KD_WIDTH; i++)
        line->child[i] = VP_KD_NO_CHILD;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            line->low[k][i] = of[i].low[k];
            line->high[k][i] = of[i].high[k];
        }
        line->child[i] = of[i].child;
    }
}

/* Makes a node for a group's children, and returns it as a child. */
static entry node_of(packer *p, const group *g)
{
    entry e = g->entry[0];
    for (int i = 1; i < g->count; i++)
        grow_entry(&e, &g->entry[i]);
    e.child = (uint16_t)p->nodes;
    write_node(p, p->nodes++, g->entry, g->count);
    return e;
}

/* Joins two groups into the first, if they are of the same kind and fit. */
static bool join_groups(group *a, const group *b)
{
    if (a->leaf != b->leaf)
        return false;
    if (a->leaf) {
        const uint32_t items = vp_kd_packed_items_in(a->entry[0].child), more = vp_kd_packed_items_in(b->entry[0].child);
        if (items + more > VP_KD_WIDE_ITEMS || a->entry[0].first + items != b->entry[0].first)
            return false;
        grow_entry(&a->entry[0], &b->entry[0]);
        a->entry[0].child = (uint16_t)(a->entry[0].child + more);
        return true;
    }
    if (a->count + b->count > VP_KD_WIDTH)
        return false;
    memcpy(&a->entry[a->count], b->entry, (size_t)b->count * sizeof *b->entry);
    a->count += b->count;
    return true;
}

/* The smallest group whose children can replace it in a node with room for `room` more. -1 = none. */
static int smallest_of(group *const *g, int count, int room)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (!g[i]->leaf && !g[i]->up && g[i]->count - 1 <= room && (best < 0 || g[i]->count < g[best]->count))
            best = i;
    return best;
}

/* Converts a wide node to its children, in the order of items. All nodes below them are written. @return the
 * number of children */
static int children_of(packer *p, uint32_t at, entry out[VP_KD_WIDTH])
{
    const vp_kd_wide *node = &p->pack->wide[at];
    group room[VP_KD_WIDTH], *g[VP_KD_WIDTH];
    int count = 0;
    for (int i = 0; i < VP_KD_WIDTH; i++) {
        if (!(node->low[0][i] <= node->high[0][i]))
            continue;
        group *made = &room[i];
        made->leaf = vp_kd_is_leaf(node->child[i]);
        made->count = 1;
        made->up = false;
        if (made->leaf)
            made->entry[0] = leaf_of(p, node, i);
        else
            made->count = children_of(p, node->child[i], made->entry);
        int to = count++;
        for (; to > 0 && g[to - 1]->entry[0].first > made->entry[0].first; to--)
            g[to] = g[to - 1];
        g[to] = made;
    }
    int kept = 0;
    for (int i = 1; i < count; i++)
        if (!join_groups(g[kept], g[i]))
            g[++kept] = g[i];
    count = count != 0 ? kept + 1 : 0;
    int entries = count;
    for (int up; (up = smallest_of(g, count, VP_KD_WIDTH - entries)) >= 0;) {
        entries += g[up]->count - 1;
        g[up]->up = true;
    }
    entries = 0;
    for (int i = 0; i < count; i++)
        if (g[i]->leaf || g[i]->up) {
            memcpy(&out[entries], g[i]->entry, (size_t)g[i]->count * sizeof *out);
            entries += g[i]->count;
        } else {
            out[entries++] = node_of(p, g[i]);
        }
    return entries;
}

uint32_t vp_pack_nodes(const vp_pack *pack)
{
    packer p = {pack, vp_kd_faces_of(&pack->box), 1};
    entry of[VP_KD_WIDTH];
    const int count = children_of(&p, 0, of);
    write_node(&p, 0, of, count);
    return p.nodes;
}
