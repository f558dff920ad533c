/* SPDX-License-Identifier: MIT */
/* Offline construction: second article, "Construction".
 *
 * "One could wait for all objects and build the tree in one big step (offline approach). A good idea would be to search for the two objects
 * where their bounding sphere is the smallest over all pairs." Again and again, until one node is left.
 *
 * Each node that has no parent yet remembers the best partner among those with higher numbers. After two have become one, only nodes whose
 * partner was one of them look again, and the others look at the new node alone. */
#include <voxphys/kernel/spheretree.h>

#include <string.h>

#include "src/spheretree/meld.h"

static uint32_t bits_of(float f)
{
    uint32_t bits;
    f += 0.0f; /* no -0 */
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Nodes without a parent, by ascending number; of each the best partner behind it, and how large their common sphere is: a radius' bits,
   which are in its order. */
typedef struct candidates {
    uint32_t *number, *partner, *size;
    uint32_t count;
} candidates;

static void look_at(const vp_scene_node *node, candidates *c, uint32_t i, uint32_t other)
{
    const uint32_t size = bits_of(vp_scene_melded(&node[c->number[i]].bound, &node[other].bound).radius);
    if (size < c->size[i]) {
        c->size[i] = size;
        c->partner[i] = other;
    }
}

static void look_at_all(const vp_scene_node *node, candidates *c, uint32_t i)
{
    c->size[i] = UINT32_MAX;
    c->partner[i] = VP_SCENE_NONE;
    for (uint32_t k = i + 1; k < c->count; k++)
        look_at(node, c, i, c->number[k]);
}

void vp_scene_build_scalar(vp_scene_node *node, uint32_t count, uint32_t *scratch)
{
    candidates c = {scratch, scratch + count, scratch + 2 * (size_t)count, count};
    for (uint32_t i = 0; i < count; i++)
        c.number[i] = i;
    for (uint32_t i = 0; i < count; i++)
        look_at_all(node, &c, i);
    node[0].parent = VP_SCENE_NONE;

    for (uint32_t made = count; c.count > 1; made++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < c.count; i++)
            best = c.size[i] < c.size[best] ? i : best;
        const uint32_t a = c.number[best], b = c.partner[best];
        node[made] = (vp_scene_node){vp_scene_melded(&node[a].bound, &node[b].bound), VP_SCENE_NONE, {a, b}, node[a].mask | node[b].mask};
        node[a].parent = node[b].parent = made;

        uint32_t kept = 0;
        for (uint32_t i = 0; i < c.count; i++)
            if (c.number[i] != a && c.number[i] != b) {
                c.number[kept] = c.number[i];
                c.partner[kept] = c.partner[i];
                c.size[kept++] = c.size[i];
            }
        c.number[kept] = made;
        c.count = kept + 1;
        for (uint32_t i = 0; i < kept; i++)
            if (c.partner[i] == a || c.partner[i] == b)
                look_at_all(node, &c, i);
            else
                look_at(node, &c, i, made);
        look_at_all(node, &c, kept);
    }
}
