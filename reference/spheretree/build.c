/* SPDX-License-Identifier: MIT */
/* Offline construction: article "Scene Collision Detection", "Construction".
 *
 * "One could wait for all objects and build the tree in one big step (offline approach). A good idea would be to search
 * for the two objects where their bounding sphere is the smallest over all pairs." This repeats until one node is left.
 *
 * Nodes without a parent are ranked. Each one manages its pairs with nodes of lower rank, and keeps a lower bound of
 * the smallest of these. A new node gets the highest rank, so the partners of a node only become fewer, and the bound
 * stays valid. A node searches its best partner only when its bound is below the smallest pair found.
 *
 * If a node that is the best partner of many gets a parent, all of them search again. When nodes have examined 4 n^2
 * partners, n being the number of nodes left, ranks are assigned anew, as a chain in which the best partner of each
 * node is the next one. Then a node is the best partner of one other, and of those that were made or have searched
 * since. So there are at least about sqrt(n) merges between two chains, and O(n^2.5) is the worst case. */
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

/* Nodes without a parent, by ascending number. */
typedef struct candidates {
    const vp_spheretree_node *node;
    uint32_t *number, *rank;
    uint32_t *size;    /* lower bound, a radius' bits, which compare like the radius; UINT32_MAX = no partner */
    uint32_t *partner; /* lower bound of the partner's number in a pair of that size */
    uint32_t count;
    uint64_t look_count; /* since ranks were assigned */
} candidates;

static void forget_partner(candidates *c, uint32_t i)
{
    c->size[i] = bits_of(c->node[c->number[i]].bound.radius);
    c->partner[i] = 0;
}

static uint32_t find_first_from(const candidates *c, uint32_t number)
{
    uint32_t low = 0, high = c->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the common sphere is certainly larger than a size, without the cost of melding. Its diameter is at least the
   distance and both radii, and all rounding errors are less than 2^-40 of it. False for UINT32_MAX, which are the bits
   of a NaN. */
static bool is_larger(const vp_sphere *a, const vp_sphere *b, uint32_t size)
{
    float radius;
    memcpy(&radius, &size, sizeof radius);
    const double left = (2 * (1 + 0x1p-40) * (double)radius - (double)a->radius) - (double)b->radius;
    return left < 0 || vp_scene_distance2(a->centre, b->centre) > left * left * (1 + 0x1p-40);
}

/* Finds the best partner of a node, beginning at its lower bound. @return the partner's place */
static uint32_t find_partner(candidates *c, uint32_t i)
{
    const uint32_t min = c->size[i], first = find_first_from(c, c->partner[i]), a = c->number[i];
    uint32_t place = 0;
    c->size[i] = UINT32_MAX;
    c->partner[i] = VP_SPHERETREE_NONE;
    for (uint32_t n = 0; n < c->count; n++) {
        const uint32_t k = first + n < c->count ? first + n : first + n - c->count, b = c->number[k];
        if (c->rank[k] >= c->rank[i])
            continue;
        const vp_sphere *low = &c->node[a < b ? a : b].bound, *high = &c->node[a < b ? b : a].bound;
        c->look_count++;
        if (is_larger(low, high, c->size[i]))
            continue;
        const uint32_t size = bits_of(vp_scene_melded(low, high).radius);
        if (size < c->size[i] || (size == c->size[i] && b < c->partner[i])) {
            c->size[i] = size;
            c->partner[i] = b;
            place = k;
        }
        if (size == min)
            break;
    }
    return place;
}

static void rank_as_chain(candidates *c)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->rank[i] = 0;
        forget_partner(c, i);
    }
    for (uint32_t rank = c->count - 1; rank > 0; rank--) {
        c->rank[at] = rank;
        at = find_partner(c, at);
    }
    c->look_count = 0;
}

/* Whether the pair of one node is smaller than that of another. Equal sizes compare by the lower number, then by
 * the higher one. */
static bool is_smaller(const candidates *c, uint32_t i, uint32_t j)
{
    const uint32_t a = c->number[i], b = c->partner[i], p = c->number[j], q = c->partner[j];
    const uint32_t low = a < b ? a : b, other_low = p < q ? p : q;
    if (c->size[i] != c->size[j])
        return c->size[i] < c->size[j];
    return low != other_low ? low < other_low : (a < b ? b : a) < (p < q ? q : p);
}

static uint32_t find_smallest(candidates *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->count; i++)
        best = is_smaller(c, i, best) ? i : best;
    (void)find_partner(c, best);
    for (uint32_t i = 0; i < c->count; i++)
        if (i != best && is_smaller(c, i, best)) {
            (void)find_partner(c, i);
            best = is_smaller(c, i, best) ? i : best;
        }
    return best;
}

/* Replaces two nodes by their parent. */
static void replace_pair(candidates *c, uint32_t a, uint32_t b, uint32_t parent)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->number[i] != a && c->number[i] != b) {
            c->number[kept] = c->number[i];
            c->rank[kept] = c->rank[i];
            c->partner[kept] = c->partner[i];
            c->size[kept++] = c->size[i];
        }
    c->number[kept] = c->rank[kept] = parent;
    forget_partner(c, kept);
    c->count = kept + 1;
    for (uint32_t i = 0; i < c->count; i++)
        c->partner[i] = c->partner[i] < c->number[0] ? c->number[0] : c->partner[i];
}

void vp_scene_build_scalar(vp_spheretree_node *node, uint32_t count, uint32_t *scratch)
{
    candidates c = {.node = node,
                    .number = scratch,
                    .rank = scratch + count,
                    .size = scratch + 2 * (size_t)count,
                    .partner = scratch + 3 * (size_t)count,
                    .count = count};
    for (uint32_t i = 0; i < count; i++) {
        c.number[i] = i;
        c.rank[i] = count - 1 - i;
        forget_partner(&c, i);
    }
    node[0].parent = VP_SPHERETREE_NONE;
    for (uint32_t made = count; c.count > 1; made++) {
        const uint32_t best = find_smallest(&c), one = c.number[best], other = c.partner[best];
        const uint32_t a = one < other ? one : other, b = one < other ? other : one;
        node[made] =
            (vp_spheretree_node){vp_scene_melded(&node[a].bound, &node[b].bound), VP_SPHERETREE_NONE, {a, b}, node[a].mask | node[b].mask};
        node[a].parent = node[b].parent = made;
        replace_pair(&c, a, b, made);
        if (c.look_count > 4 * (uint64_t)c.count * c.count)
            rank_as_chain(&c);
    }
}
