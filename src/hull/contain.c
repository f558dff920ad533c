/* SPDX-License-Identifier: MIT */
/* Moves planes until they contain all points: see hull/limit.h.
 *
 * The farthest point along a normal is found in a tree of boxes. A box is skipped if its farthest corner is no
 * farther than the farthest point so far. A corner's reach is computed with the same roundings in the same order as
 * a point's. Each rounding is monotone, so a corner's reach is never below that of a point in the box. The result is
 * therefore the same as testing every point. Around the farthest point of a round surface with n points, some 2
 * sqrt(n) points have boxes that reach as far.
 *
 * On a shallow, tilted dome all boxes reach beyond the planes of most faces. So a node also stores a direction in
 * which its points are flat, and their range along it. For any number t, normal = t direction + rest. So a point
 * reaches no farther than t times the range plus the reach of the box along the rest. For a piece of a surface the
 * rest is small. */
#include "src/hull/limit.h"

#include <math.h>
#include <stdbool.h>

#include <voxphys/geometry.h>

#include "src/hull/vector.h"

enum {
    FEW = 32,   /* up to this many planes, a tree does not pay */
    LEAF = 8,   /* maximum number of points in a leaf */
    DEPTH = 32, /* more levels than any tree has */
};

typedef struct box {
    vp_vec3 min, max;
    vp_vec3 across;   /* direction in which the points are flat, nearly of length 1, or 0 */
    double low, high; /* range of the points along `across` */
} box;

/* A node on the stack. */
typedef struct node_visit {
    uint32_t node;
    double reach; /* reach of its box */
} node_visit;

/* Node i has the children 2i + 1 and 2i + 2, and all leaves are on one level. A child has half of its parent's points. */
typedef struct point_tree {
    vp_vec3 *point;
    box *node;
    uint32_t count;
    uint32_t first_leaf;
    double slack; /* upper bound of the rounding in a reach along `across` */
} point_tree;

static double coordinate(vp_vec3 p, int axis)
{
    return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

static double reach_of(const double normal[3], double x, double y, double z)
{
    return (normal[0] * x + normal[1] * y) + normal[2] * z;
}

static double reach_of_point(const double normal[3], vp_vec3 p)
{
    return reach_of(normal, (double)p.x, (double)p.y, (double)p.z);
}

static double reach_of_sides(const double normal[3], const box *b)
{
    return reach_of(normal, (double)(normal[0] > 0.0 ? b->max.x : b->min.x), (double)(normal[1] > 0.0 ? b->max.y : b->min.y),
                    (double)(normal[2] > 0.0 ? b->max.z : b->min.z));
}

/* Upper bound of the reach of the points in a box: the lower of two bounds. */
static double reach_of_box(const point_tree *t, const double normal[3], const box *b)
{
    const double sides = reach_of_sides(normal, b), part = reach_of_point(normal, b->across);
    double rest[3];
    for (int k = 0; k < 3; k++)
        rest[k] = normal[k] - part * coordinate(b->across, k);
    const double flat = (part * (part > 0.0 ? b->high : b->low) + reach_of_sides(rest, b)) + t->slack;
    return flat < sides ? flat : sides;
}

/* ---- the tree ---- */

/* Normal of a large triangle of some points. 0 if they are on a line. */
static vp_vec3 find_normal_across(const vp_vec3 *point, uint32_t begin, uint32_t end)
{
    double along[3] = {0.0, 0.0, 0.0}, normal[3] = {0.0, 0.0, 0.0}, away[3];
    for (uint32_t i = begin + 1; i < end; i++) {
        vp_from_to(point[begin], point[i], away);
        if (vp_dot(away, away) > vp_dot(along, along))
            for (int k = 0; k < 3; k++)
                along[k] = away[k];
    }
    for (uint32_t i = begin + 1; i < end; i++) {
        vp_from_to(point[begin], point[i], away);
        double n[3];
        vp_cross(along, away, n);
        if (vp_dot(n, n) > vp_dot(normal, normal))
            for (int k = 0; k < 3; k++)
                normal[k] = n[k];
    }
    const double length = sqrt(vp_dot(normal, normal));
    if (!(length > 0.0))
        return (vp_vec3){0.0f, 0.0f, 0.0f};
    return (vp_vec3){(float)(normal[0] / length), (float)(normal[1] / length), (float)(normal[2] / length)};
}

static box box_of(const vp_vec3 *point, uint32_t begin, uint32_t end)
{
    box b = {point[begin], point[begin], find_normal_across(point, begin, end), 0.0, 0.0};
    const double across[3] = {(double)b.across.x, (double)b.across.y, (double)b.across.z};
    b.low = b.high = reach_of_point(across, point[begin]);
    for (uint32_t i = begin + 1; i < end; i++) {
        const double reach = reach_of_point(across, point[i]);
        b.low = reach < b.low ? reach : b.low;
        b.high = reach > b.high ? reach : b.high;
        b.min = vp_vec3_min(b.min, point[i]);
        b.max = vp_vec3_max(b.max, point[i]);
    }
    return b;
}

/* Partitions points at a place by their coordinate on an axis (C. A. R. Hoare, "Algorithm 65: Find"). */
static void partition_points(vp_vec3 *point, uint32_t begin, uint32_t end, uint32_t middle, int axis)
{
    int64_t low = begin, high = (int64_t)end - 1;
    while (low < high) {
        const double pivot = coordinate(point[low + (high - low) / 2], axis);
        int64_t i = low, j = high;
        while (i <= j) {
            while (coordinate(point[i], axis) < pivot)
                i++;
            while (coordinate(point[j], axis) > pivot)
                j--;
            if (i <= j) {
                const vp_vec3 p = point[i];
                point[i++] = point[j];
                point[j--] = p;
            }
        }
        if (j < middle)
            low = i;
        if (i > middle)
            high = j;
    }
}

/* Range of a node's points, which follows from halving the whole range from the root down. */
static void points_of(const point_tree *t, uint32_t node, uint32_t *begin, uint32_t *end)
{
    uint32_t bits = 0;
    for (uint32_t at = node + 1; at > 1; at /= 2)
        bits++;
    *begin = 0;
    *end = t->count;
    while (bits-- > 0) {
        const uint32_t middle = *begin + (*end - *begin) / 2;
        *((node + 1) >> bits & 1 ? begin : end) = middle;
    }
}

static void build_tree(point_tree *t)
{
    for (uint32_t n = 0; n < 2 * t->first_leaf + 1; n++) {
        uint32_t begin, end;
        points_of(t, n, &begin, &end);
        t->node[n] = box_of(t->point, begin, end);
        const vp_vec3 min = t->node[n].min, max = t->node[n].max;
        const double x = (double)max.x - (double)min.x, y = (double)max.y - (double)min.y, z = (double)max.z - (double)min.z;
        if (n < t->first_leaf)
            partition_points(t->point, begin, end, begin + (end - begin) / 2, x >= y && x >= z ? 0 : y >= z ? 1 : 2);
    }
}

/* The farthest reach of the points along a normal, or `most` if that is more. */
static double find_furthest(const point_tree *t, const double normal[3], double most, uint64_t *work)
{
    node_visit stack[DEPTH];
    uint32_t depth = 0;
    stack[depth++] = (node_visit){0, reach_of_box(t, normal, &t->node[0])};
    while (depth > 0) {
        const node_visit at = stack[--depth];
        ++*work;
        if (!(at.reach > most))
            continue;
        if (at.node < t->first_leaf) {
            const node_visit left = {2 * at.node + 1, reach_of_box(t, normal, &t->node[2 * at.node + 1])};
            const node_visit right = {2 * at.node + 2, reach_of_box(t, normal, &t->node[2 * at.node + 2])};
            const bool left_first = left.reach >= right.reach;
            stack[depth++] = left_first ? right : left;
            stack[depth++] = left_first ? left : right;
            continue;
        }
        uint32_t begin, end;
        points_of(t, at.node, &begin, &end);
        *work += end - begin;
        for (uint32_t i = begin; i < end; i++) {
            const double reach = reach_of_point(normal, t->point[i]);
            most = reach > most ? reach : most;
        }
    }
    return most;
}

/* ---- planes ---- */

/* Number of inner nodes: one less than a power of 2. */
static uint32_t count_inner_nodes(uint32_t count)
{
    uint32_t leaves = 1;
    while (count / leaves >= LEAF) /* the larger of two halves has one more */
        leaves *= 2;
    return leaves - 1;
}

size_t vp_hull_contain_bytes(uint32_t count)
{
    return (2 * (size_t)count_inner_nodes(count) + 1) * sizeof(box) + (size_t)count * sizeof(vp_vec3);
}

double vp_hull_contain(double (*plane)[4], uint32_t planes, const vp_vec3 *point, uint32_t count, void *scratch, uint64_t max_work,
                       uint64_t *work)
{
    point_tree t = {.count = count, .node = scratch, .first_leaf = count_inner_nodes(count)};
    double moved = 0.0, size = 0.0;
    t.point = (vp_vec3 *)(void *)(t.node + 2 * (size_t)t.first_leaf + 1);
    for (uint32_t i = 0; i < count; i++) {
        t.point[i] = point[i];
        for (int k = 0; k < 3; k++)
            size = fabs(coordinate(point[i], k)) > size ? fabs(coordinate(point[i], k)) : size;
    }
    t.slack = size * 0x1p-45; /* 256 roundings, where a reach has some 60 */
    if (planes <= FEW)        /* the tree is one node */
        t.first_leaf = 0;
    build_tree(&t);
    *work = 0;
    for (uint32_t f = 0; f < planes && *work <= max_work; f++) {
        /* 16 roundings of the largest coordinate. A reach may be off by six, and so may the reach that a caller computes. */
        const double most = find_furthest(&t, plane[f], plane[f][3], work) + size * 0x1p-49;
        moved = most - plane[f][3] > moved ? most - plane[f][3] : moved;
        plane[f][3] = most;
    }
    return moved;
}
