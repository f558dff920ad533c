/* SPDX-License-Identifier: MIT */
/* Constructs the loose kD tree: voxel terrain article, "Loose kD tree: construction".
 *
 * A set of triangles is split along the longest axis of its box, at the mean of the triangles' middles. Each triangle
 * goes to the side that contains its middle. Each side remembers where its triangles really end, which makes the two
 * planes. If that leaves a side less than a quarter, the set is halved at the median instead. Sets of at most two
 * triangles are leaves. Each split leaves both sides at least a quarter of the set or a half of it rounded down. So a
 * set of n triangles is no deeper than log(n)/log(4/3) branches, which is 63 for VP_KD_MAX_TRIANGLES. A traversal's
 * stack needs that many entries.
 *
 * The slab form puts a slab node above a set whose box covers less than half of its known box on an axis. The known box
 * is the part of the tree's box that the planes above have left. Terrain is a thin sheet, which is cut in x and z and
 * hardly ever in height. Without slabs a ray that passes high above a leaf would have to visit it.
 *
 * The wide form splits in the same way and keeps eight parts a node, each with its box. The largest part is split next,
 * until there are eight or none has more than four items.
 *
 * The tree is the same on every machine. Sums are in a stated order. Sides keep the order of their triangles, which is
 * that of their numbers, and these also order equal middles. No box has a negative zero. */
#include <voxphys/kernel/kd.h>

#include <math.h>
#include <string.h>

/* The unit of sorting, a triangle or a quad of two. */
typedef struct item {
    float low[3], high[3];
    uint32_t id;
} item;

typedef struct region {
    float low[3], high[3];
} region;

typedef struct kd_builder {
    const vp_kd_build_job *job;
    item *items; /* at the end in the order of leaves */
    item *spare; /* room for as many more */
    vp_kd_build_result result;
} kd_builder;

enum { SUM_LANES = 16 };

static const region nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void grow_region(region *of, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        of->low[k] = vp_min(low[k], of->low[k]);
        of->high[k] = vp_max(high[k], of->high[k]);
    }
}

static region bounds_of(const item *items, uint32_t count)
{
    region box = nothing;
    for (uint32_t i = 0; i < count; i++)
        grow_region(&box, items[i].low, items[i].high);
    return box;
}

/* Twice the middle of an item's box. */
static float doubled_middle_of(const item *i, int axis)
{
    return i->low[axis] + i->high[axis];
}

/* The mean of the items' middles, doubled. Item i is added to lane i%16. Then the upper half of the lanes is added to
   the lower one until one lane is left. Vectors of 4, 8 or 16 lanes can add in this order too. */
static float find_mean_middle(const item *items, uint32_t count, int axis)
{
    float lane[SUM_LANES] = {0};
    for (uint32_t i = 0; i < count; i++)
        lane[i % SUM_LANES] += doubled_middle_of(&items[i], axis);
    for (int half = SUM_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0] / (float)count;
}

static int longest_axis_of(const region *box)
{
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (box->high[k] - box->low[k] > box->high[longest] - box->low[longest])
            longest = k;
    return longest;
}

/* Items are ordered by their middles, and equal ones by their numbers. */
typedef struct key {
    float middle;
    uint32_t id;
} key;

static bool is_before(key a, key b)
{
    return a.middle < b.middle || (a.middle == b.middle && a.id < b.id);
}

static key key_of(const item *i, int axis)
{
    return (key){doubled_middle_of(i, axis), i->id};
}

static uint32_t count_before(const item *items, uint32_t count, int axis, key pivot)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++)
        before += is_before(key_of(&items[i], axis), pivot);
    return before;
}

/* Moves the items that are before `pivot` to the front. Both sides keep their order. @return the number of items moved
 * to the front */
static uint32_t partition_items(kd_builder *b, item *items, uint32_t count, int axis, key pivot)
{
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_before(key_of(&items[i], axis), pivot))
            items[left++] = items[i];
        else
            b->spare[right++] = items[i];
    memcpy(items + left, b->spare, right * sizeof *items);
    return left;
}

/* The key that `rank` others precede, by Hoare's FIND, on a copy. */
static key find_key_of_rank(kd_builder *b, const item *items, uint32_t count, int axis, uint32_t rank)
{
    key *keys = (key *)(void *)b->spare;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = key_of(&items[i], axis);
    uint32_t first = 0, last = count - 1;
    while (first < last) {
        key pivot = keys[first + (last - first) / 2];
        uint32_t i = first, j = last;
        for (;;) {
            while (is_before(keys[i], pivot))
                i++;
            while (is_before(pivot, keys[j]))
                j--;
            if (i >= j)
                break;
            key swapped = keys[i];
            keys[i++] = keys[j];
            keys[j--] = swapped;
        }
        /* keys[first..j] are at most the pivot, keys[j+1..last] at least */
        if (rank <= j)
            last = j;
        else
            first = j + 1;
    }
    return keys[rank];
}

/* Splits a set of at least two. @return the number of items that go left, at least one and not all */
static uint32_t split_items(kd_builder *b, item *items, uint32_t count, int axis)
{
    key pivot = {find_mean_middle(items, count, axis), 0};
    uint64_t left = count_before(items, count, axis, pivot);
    if (left * 4 < count || (count - left) * 4 < count)
        pivot = find_key_of_rank(b, items, count, axis, count / 2);
    return partition_items(b, items, count, axis, pivot);
}

/* ---- published and slab form ---- */

static uint32_t reserve_nodes(kd_builder *b, uint32_t count)
{
    uint32_t first = b->result.node_count;
    b->result.node_count += count;
    return first;
}

static void make_leaf(kd_builder *b, uint32_t node, const item *items, uint32_t count)
{
    vp_kd_node *leaf = &b->job->node[node];
    bool quads = b->job->triangles.quads;
    uint32_t first = items[0].id, last = items[count - 1].id;
    leaf->u.triangle[0] = quads ? 2 * first : first;
    leaf->u.triangle[1] = quads ? 2 * first + 1 : last;
    leaf->link = 3u | (quads ? 2u : count) << 2;
}

static void make_node(kd_builder *b, uint32_t node, item *items, uint32_t count, region known);

/* Makes a slab node where it cuts off most, with the set below it. @return false if it does not pay on any axis */
static bool make_slab(kd_builder *b, uint32_t node, item *items, uint32_t count, const region *box, region known)
{
    int axis = -1;
    float min = 0.5f;
    for (int k = 0; k < 3; k++) {
        float share = (box->high[k] - box->low[k]) / (known.high[k] - known.low[k]); /* NaN of 0/0 is not less */
        if (share < min) {
            min = share;
            axis = k;
        }
    }
    if (axis < 0)
        return false;
    uint32_t child = reserve_nodes(b, 1);
    b->job->node[node] = (vp_kd_node){{{box->low[axis], box->high[axis]}}, (uint32_t)axis | child << 2 | 1u << 31};
    known.low[axis] = box->low[axis];
    known.high[axis] = box->high[axis];
    make_node(b, child, items, count, known);
    return true;
}

static void make_node(kd_builder *b, uint32_t node, item *items, uint32_t count, region known)
{
    const region box = bounds_of(items, count);
    if (b->job->form == VP_KD_SLAB && make_slab(b, node, items, count, &box, known))
        return;
    if (count <= (b->job->triangles.quads ? 1u : 2u)) {
        make_leaf(b, node, items, count);
        return;
    }
    int axis = longest_axis_of(&box);
    uint32_t left = split_items(b, items, count, axis);
    float left_ends = bounds_of(items, left).high[axis], right_begins = bounds_of(items + left, count - left).low[axis];
    uint32_t child = reserve_nodes(b, 2);
    b->job->node[node] = (vp_kd_node){{{left_ends, right_begins}}, (uint32_t)axis | child << 2};
    region known_left = known, known_right = known;
    known_left.high[axis] = left_ends;
    known_right.low[axis] = right_begins;
    make_node(b, child, items, left, known_left);
    make_node(b, child + 1, items + left, count - left, known_right);
}

/* ---- wide form ---- */

typedef struct build_part {
    item *items;
    uint32_t count;
    region box;
} build_part;

static build_part part_of(item *items, uint32_t count)
{
    return (build_part){items, count, bounds_of(items, count)};
}

/* Splits the largest part, the first of equal ones, and appends its right side as a new part. @return false if no part
   has more than four items */
static bool split_largest(kd_builder *b, build_part parts[VP_KD_WIDTH], int count)
{
    int largest = 0;
    for (int i = 1; i < count; i++)
        if (parts[i].count > parts[largest].count)
            largest = i;
    build_part *p = &parts[largest];
    if (p->count <= VP_KD_WIDE_ITEMS)
        return false;
    uint32_t left = split_items(b, p->items, p->count, longest_axis_of(&p->box));
    parts[count] = part_of(p->items + left, p->count - left);
    *p = part_of(p->items, left);
    return true;
}

static void make_wide(kd_builder *b, uint32_t node, build_part whole)
{
    build_part parts[VP_KD_WIDTH] = {whole};
    int count = 1;
    while (count < VP_KD_WIDTH && split_largest(b, parts, count))
        count++;
    vp_kd_wide *wide = &b->job->wide[node];
    for (int i = 0; i < VP_KD_WIDTH; i++) {
        const region *box = i < count ? &parts[i].box : &nothing;
        for (int k = 0; k < 3; k++) {
            wide->low[k][i] = box->low[k];
            wide->high[k][i] = box->high[k];
        }
        wide->child[i] = 0;
        if (i < count && parts[i].count <= VP_KD_WIDE_ITEMS)
            wide->child[i] = VP_KD_LEAF | (uint32_t)(parts[i].items - b->items) << 3 | parts[i].count;
        else if (i < count)
            wide->child[i] = b->result.node_count++;
    }
    for (int i = 0; i < count; i++)
        if (parts[i].count > VP_KD_WIDE_ITEMS)
            make_wide(b, wide->child[i], parts[i]);
}

/* Writes items in the form that leaves test. */
static void write_items(const kd_builder *b, uint32_t count)
{
    const vp_triangles *t = &b->job->triangles;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = b->items[i].id;
        const uint32_t *corner = t->index + (size_t)id * (t->quads ? 4 : 3);
        b->job->item[i] = (vp_kd_item){{corner[0], corner[1], corner[2], corner[t->quads ? 3 : 2]}};
        b->job->item_id[i] = id;
    }
}

/* ---- all ---- */

/* The box of an item's three or four corners. It has no negative zero (-0 + 0 is 0), so that minima and maxima have the
   same bits in any order. */
static item item_of(const vp_triangles *t, uint32_t id)
{
    uint32_t corners = t->quads ? 4 : 3;
    region box = nothing;
    for (uint32_t i = 0; i < corners; i++) {
        vp_vec3 v = t->vertex[t->index[(size_t)id * corners + i]];
        const float at[3] = {v.x, v.y, v.z};
        grow_region(&box, at, at);
    }
    item made = {.id = id};
    for (int k = 0; k < 3; k++) {
        made.low[k] = box.low[k] + 0.0f;
        made.high[k] = box.high[k] + 0.0f;
    }
    return made;
}

vp_kd_build_result vp_kd_build_scalar(const vp_kd_build_job *build)
{
    uint32_t count = vp_kd_item_count(&build->triangles);
    kd_builder b = {.job = build, .items = build->scratch};
    b.spare = b.items + count;
    for (uint32_t i = 0; i < count; i++)
        b.items[i] = item_of(&build->triangles, i);
    region box = bounds_of(b.items, count);
    b.result.box = (vp_aabb){{box.low[0], box.low[1], box.low[2]}, {box.high[0], box.high[1], box.high[2]}};
    if (count == 0)
        return b.result;
    b.result.node_count = 1;
    if (build->form == VP_KD_WIDE) {
        make_wide(&b, 0, part_of(b.items, count));
        write_items(&b, count);
    } else {
        make_node(&b, 0, b.items, count, box);
    }
    return b.result;
}
