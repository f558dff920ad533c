/* SPDX-License-Identifier: MIT */
/* Checks whether triangles are the convex hull of points. The triangles may come from anywhere, so nothing is assumed
 * about them.
 *
 * A closed surface of triangles is convex if it is convex at every edge and encloses a single interior. Points are
 * tested plane by plane. The farthest point along a normal is found in a tree of boxes, so a million points and ten
 * thousand planes do not need 10^10 comparisons. A box also stores a direction in which its points may be flat,
 * like those of src/hull/contain.c. Otherwise all boxes of a shallow, tilted dome reach beyond the planes of most
 * of its triangles. */
#include <voxphys/hull.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/exact.h"
#include "src/core/memory.h"
#include "src/hull/check.h"
#include "src/hull/outline.h"

/* ---- a tree of boxes ---- */

/* Points are sorted along a space-filling curve, in leaves of 32. Box i of a level is the parent of boxes 2i and 2i + 1
 * of the level below. */
enum { LEAF = 32, KEY_BITS = 10, KEYS = 1 << KEY_BITS, LEVELS = 28 };

typedef struct box_node {
    vp_aabb box;
    vp_vec3 across;   /* direction in which the points are flat, nearly of length 1, or 0 */
    double low, high; /* range of the points along `across`, or a larger one */
} box_node;

typedef struct box_tree {
    const vp_vec3 *point;
    uint32_t count;
    uint32_t *order;
    double slack;          /* upper bound of the rounding in a reach along `across` */
    box_node *box[LEVELS]; /* level 0 holds the leaves */
    uint32_t boxes[LEVELS];
    uint32_t levels;
} box_tree;

static double coordinate(vp_vec3 p, int axis)
{
    return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

/* The ten highest bits of a coordinate's place in a range. */
static uint32_t key_of_coordinate(float x, float low, double scale)
{
    const double at = ((double)x - (double)low) * scale;
    return at < (double)(KEYS - 1) ? (uint32_t)at : KEYS - 1;
}

/* Spreads bits 0 to 9 of a number, with two zeros between them. */
static uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static size_t boxes_of(size_t count)
{
    size_t all = 0, level = (count + LEAF - 1) / LEAF;
    for (; level > 1; level = (level + 1) / 2)
        all += level;
    return all + 1;
}

static void sort_points(box_tree *t, const vp_aabb *all, uint32_t *code, uint32_t *key, uint32_t *start, uint32_t *spare)
{
    double scale[3];
    const double side[3] = {(double)all->max.x - (double)all->min.x, (double)all->max.y - (double)all->min.y,
                            (double)all->max.z - (double)all->min.z};
    for (int k = 0; k < 3; k++)
        scale[k] = side[k] > 0.0 ? (double)KEYS / side[k] : 0.0;
    for (uint32_t i = 0; i < t->count; i++) {
        const vp_vec3 p = t->point[i];
        code[i] = spread_bits(key_of_coordinate(p.x, all->min.x, scale[0])) |
                  spread_bits(key_of_coordinate(p.y, all->min.y, scale[1])) << 1 |
                  spread_bits(key_of_coordinate(p.z, all->min.z, scale[2])) << 2;
        spare[i] = i;
    }
    for (int pass = 0; pass < 3; pass++) {
        uint32_t *from = pass % 2 == 0 ? spare : t->order, *to = pass % 2 == 0 ? t->order : spare;
        for (uint32_t i = 0; i < t->count; i++)
            key[i] = code[i] >> KEY_BITS * pass & (KEYS - 1);
        vp_sort_by_key(key, KEYS, from, t->count, start, to);
    }
}

/* Reach of a point or a box along a normal, from a place. */
static double reach_of_point(const double n[3], vp_vec3 from, vp_vec3 to)
{
    return (n[0] * ((double)to.x - (double)from.x) + n[1] * ((double)to.y - (double)from.y)) + n[2] * ((double)to.z - (double)from.z);
}

static double reach_of_box(const double n[3], vp_vec3 from, const vp_aabb *box)
{
    const vp_vec3 corner = {n[0] > 0.0 ? box->max.x : box->min.x, n[1] > 0.0 ? box->max.y : box->min.y,
                            n[2] > 0.0 ? box->max.z : box->min.z};
    return reach_of_point(n, from, corner);
}

/* Upper bound of the reach of the points in a node: the lower of two bounds. One is the reach of the box along the
 * normal. The other is the range along `across` plus the reach of the box along the rest, with normal = part * across
 * + rest. */
static double reach_of_node(const box_tree *t, const double n[3], vp_vec3 from, const box_node *b)
{
    const double across[3] = {(double)b->across.x, (double)b->across.y, (double)b->across.z};
    const double part = (n[0] * across[0] + n[1] * across[1]) + n[2] * across[2], sides = reach_of_box(n, from, &b->box);
    const double rest[3] = {n[0] - part * across[0], n[1] - part * across[1], n[2] - part * across[2]};
    const double far = (part > 0.0 ? b->high : b->low) - reach_of_point(across, (vp_vec3){0.0f, 0.0f, 0.0f}, from);
    const double flat = (part * far + reach_of_box(rest, from, &b->box)) + t->slack;
    return flat < sides ? flat : sides;
}

/* Normal of a large triangle of every step-th point of a range of the order. 0 if they are on a line. */
static vp_vec3 find_normal_across(const box_tree *t, uint32_t begin, uint32_t end, uint32_t step)
{
    const vp_vec3 first = t->point[t->order[begin]];
    double along[4] = {0.0, 0.0, 0.0, 0.0}, normal[4] = {0.0, 0.0, 0.0, 0.0}; /* and squares of their lengths */
    for (uint32_t i = begin; i < end; i += step) {
        const vp_vec3 p = t->point[t->order[i]];
        const double x = (double)p.x - (double)first.x, y = (double)p.y - (double)first.y, z = (double)p.z - (double)first.z;
        const double square = (x * x + y * y) + z * z;
        if (square > along[3])
            memcpy(along, (double[4]){x, y, z, square}, sizeof along);
    }
    for (uint32_t i = begin; i < end; i += step) {
        const vp_vec3 p = t->point[t->order[i]];
        const double x = (double)p.x - (double)first.x, y = (double)p.y - (double)first.y, z = (double)p.z - (double)first.z;
        const double nx = along[1] * z - along[2] * y, ny = along[2] * x - along[0] * z, nz = along[0] * y - along[1] * x;
        const double square = (nx * nx + ny * ny) + nz * nz;
        if (square > normal[3])
            memcpy(normal, (double[4]){nx, ny, nz, square}, sizeof normal);
    }
    const double length = sqrt(normal[3]);
    if (!(length > 0.0))
        return (vp_vec3){0.0f, 0.0f, 0.0f};
    return (vp_vec3){(float)(normal[0] / length), (float)(normal[1] / length), (float)(normal[2] / length)};
}

static box_node leaf_of(const box_tree *t, uint32_t begin, uint32_t end)
{
    const vp_vec3 first = t->point[t->order[begin]], origin = {0.0f, 0.0f, 0.0f};
    box_node b = {{first, first}, find_normal_across(t, begin, end, 1), 0.0, 0.0};
    const double across[3] = {(double)b.across.x, (double)b.across.y, (double)b.across.z};
    b.low = b.high = reach_of_point(across, origin, first);
    for (uint32_t i = begin + 1; i < end; i++) {
        const vp_vec3 p = t->point[t->order[i]];
        const double at = reach_of_point(across, origin, p);
        b.low = at < b.low ? at : b.low;
        b.high = at > b.high ? at : b.high;
        b.box.min = vp_vec3_min(b.box.min, p);
        b.box.max = vp_vec3_max(b.box.max, p);
    }
    return b;
}

/* The parent of one or two nodes. */
static box_node node_of(const box_tree *t, const box_node *below, uint32_t count, vp_vec3 direction)
{
    const vp_vec3 origin = {0.0f, 0.0f, 0.0f};
    const double up[3] = {(double)direction.x, (double)direction.y, (double)direction.z}, down[3] = {-up[0], -up[1], -up[2]};
    box_node b = {below[0].box, direction, -reach_of_node(t, down, origin, &below[0]), reach_of_node(t, up, origin, &below[0])};
    if (count > 1) {
        b.box = vp_aabb_union(&below[0].box, &below[1].box);
        const double low = -reach_of_node(t, down, origin, &below[1]), high = reach_of_node(t, up, origin, &below[1]);
        b.low = low < b.low ? low : b.low;
        b.high = high > b.high ? high : b.high;
    }
    return b;
}

static void make_boxes(box_tree *t, box_node *room)
{
    uint32_t count = (t->count + LEAF - 1) / LEAF;
    for (t->levels = 0;; count = (count + 1) / 2) {
        t->box[t->levels] = room;
        t->boxes[t->levels++] = count;
        room += count;
        if (count == 1)
            break;
    }
    for (uint32_t b = 0; b < t->boxes[0]; b++)
        t->box[0][b] = leaf_of(t, b * LEAF, t->count - b * LEAF < LEAF ? t->count : (b + 1) * LEAF);
    for (uint32_t l = 1; l < t->levels; l++)
        for (uint32_t b = 0; b < t->boxes[l]; b++) {
            const uint32_t points = (uint32_t)LEAF << l, begin = b * points, end = t->count - begin < points ? t->count : begin + points;
            t->box[l][b] =
                node_of(t, &t->box[l - 1][2 * b], 2 * b + 1 < t->boxes[l - 1] ? 2 : 1, find_normal_across(t, begin, end, 1u << l));
        }
}

/* The point with the farthest reach along a normal, and its reach. */
static double find_furthest(const box_tree *t, const double n[3], vp_vec3 from, uint32_t *which)
{
    struct {
        uint32_t level, box;
    } stack[LEVELS + 1];
    uint32_t depth = 0;
    double most = -INFINITY;
    stack[depth].level = t->levels - 1;
    stack[depth++].box = 0;
    while (depth > 0) {
        const uint32_t level = stack[--depth].level, box = stack[depth].box;
        if (!(reach_of_node(t, n, from, &t->box[level][box]) > most))
            continue;
        if (level == 0) {
            for (uint32_t i = box * LEAF; i < t->count && i < (box + 1) * LEAF; i++) {
                const double r = reach_of_point(n, from, t->point[t->order[i]]);
                if (r > most) {
                    most = r;
                    *which = t->order[i];
                }
            }
            continue;
        }
        const uint32_t first = 2 * box, second = first + 1; /* the box that reaches farther is visited first */
        if (second >= t->boxes[level - 1]) {
            stack[depth].level = level - 1;
            stack[depth++].box = first;
            continue;
        }
        const bool turn = reach_of_box(n, from, &t->box[level - 1][first].box) > reach_of_box(n, from, &t->box[level - 1][second].box);
        stack[depth].level = level - 1;
        stack[depth++].box = turn ? second : first;
        stack[depth].level = level - 1;
        stack[depth++].box = turn ? first : second;
    }
    return most;
}

/* ---- edges ---- */

typedef struct edges {
    uint32_t count;
    uint32_t *from, *to, *order; /* half-edges 3 * triangle + k, with `order` sorted by `from`, then by `to` */
} edges;

/* The first place in the order that is not before (from, to). */
static uint32_t find_edge(const edges *e, uint32_t from, uint32_t to)
{
    uint32_t low = 0, high = e->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2, at = e->order[middle];
        if (e->from[at] < from || (e->from[at] == from && e->to[at] < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_edge(const edges *e, uint32_t place, uint32_t from, uint32_t to)
{
    return place < e->count && e->from[e->order[place]] == from && e->to[e->order[place]] == to;
}

/* The only half-edge from one point to another. UINT32_MAX if there is none or several. */
static uint32_t find_only_edge(const edges *e, uint32_t from, uint32_t to)
{
    const uint32_t place = find_edge(e, from, to);
    return is_edge(e, place, from, to) && !is_edge(e, place + 1, from, to) ? e->order[place] : UINT32_MAX;
}

/* ---- planes ---- */

/* Distances are accurate to 2^-45 of the largest coordinate C, so 2^-44 suffices for an exact hull. Let u = 2^-53 and d
 * = to - from, so |d| <= 2 sqrt(3) C < 3.47 C.
 *   - The normal N is off by e, |e| <= 2^-47 |N| (vp_normal3_within), so the exact distance N.d / |N| changes by at
 *     most 2^-47 |d|.
 *   - Scaling N to length 1 changes its length by 2.5 u, and rounds each component by u.
 *   - reach_of_point() rounds each component's summand four times. By Cauchy and Schwarz, these and the last are below 9 u |d|.
 * Together that is (2^-47 + 9 u) |d| < 1.15 * 2^-47 * 3.47 C < 2^-45 C. An exact hull has no exact distance above 0. */

/* A triangle's normal, of length 1. @return false if it is a sliver */
static bool find_normal(const vp_hull_validate_def *s, uint32_t triangle, double n[3])
{
    const vp_vec3 p[3] = {s->point[s->triangle[triangle][0]], s->point[s->triangle[triangle][1]], s->point[s->triangle[triangle][2]]};
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        const vp_vec3 a = p[k], b = p[(k + 1) % 3];
        const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, z = (double)b.z - (double)a.z;
        longest = fmax(longest, (x * x + y * y) + z * z);
    }
    vp_normal3_within(0x1p-47, p[0], p[1], p[2], n);
    const double length = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    if (!(length > s->sliver * longest)) /* twice the area over the square of the longest side is the height over that side */
        return false;
    for (int k = 0; k < 3; k++)
        n[k] /= length;
    return true;
}

static void check_planes(const vp_hull_validate_def *s, const box_tree *t, const edges *e, vp_hull_report *v)
{
    v->outside = v->concave = -INFINITY;
    v->outside_point = v->outside_triangle = v->concave_triangle = VP_HULL_NONE;
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        double n[3];
        uint32_t which = 0;
        const vp_vec3 from = s->point[s->triangle[i][0]];
        if (!find_normal(s, i, n)) {
            v->slivers++;
            continue;
        }
        const double out = find_furthest(t, n, from, &which);
        if (out > v->outside) {
            v->outside = out + 0.0; /* not -0 */
            v->outside_point = which;
            v->outside_triangle = i;
        }
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t twin = find_only_edge(e, s->triangle[i][(k + 1) % 3], s->triangle[i][k]);
            double ignored[3];
            if (twin == UINT32_MAX || !find_normal(s, twin / 3, ignored))
                continue;
            const double above = reach_of_point(n, from, s->point[s->triangle[twin / 3][(twin % 3 + 2) % 3]]);
            if (above > v->concave) {
                v->concave = above;
                v->concave_triangle = i;
            }
        }
    }
}

/* ---- the public functions ---- */

static vp_status check_def(const vp_hull_validate_def *s, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_hull_check_count(s->point, s->count, error));
    if (s->triangle == NULL && s->triangle_count != 0)
        return vp_fail(error, VP_E_ARGUMENT, "triangle is NULL, triangle_count is %u", s->triangle_count);
    if (s->triangle_count == 0 || s->triangle_count > 1u << 29)
        return vp_fail(error, VP_E_ARGUMENT, "triangle_count is %u; must be 1 to %u", s->triangle_count, 1u << 29);
    if (!(s->allowed >= 0.0))
        return vp_fail(error, VP_E_ARGUMENT, "allowed is %g; must be >= 0", s->allowed);
    if (!(s->sliver >= 0.0))
        return vp_fail(error, VP_E_ARGUMENT, "sliver is %g; must be >= 0", s->sliver);
    for (uint32_t i = 0; i < s->count; i++)
        if (!isfinite(s->point[i].x) || !isfinite(s->point[i].y) || !isfinite(s->point[i].z))
            return vp_hull_name_bad(s->point, i, error);
    return VP_OK;
}

/* Sorts the half-edges and checks them. `seen` has one word per point, all 0. */
static void check_edges(const vp_hull_validate_def *s, edges *e, uint32_t *seen, uint32_t *start, uint32_t *spare, vp_hull_report *v)
{
    for (uint32_t h = 0; h < e->count; h++) {
        e->from[h] = s->triangle[h / 3][h % 3];
        e->to[h] = s->triangle[h / 3][(h % 3 + 1) % 3];
        v->vertices += seen[e->from[h]] == 0 ? 1 : 0;
        seen[e->from[h]] = 1;
        e->order[h] = h;
    }
    vp_sort_by_key(e->to, s->count, e->order, e->count, start, spare);
    vp_sort_by_key(e->from, s->count, spare, e->count, start, e->order);
    for (uint32_t h = 0; h < e->count; h++)
        if (find_only_edge(e, e->from[h], e->to[h]) == UINT32_MAX || find_only_edge(e, e->to[h], e->from[h]) == UINT32_MAX)
            v->open_edges++;
    v->euler = (int64_t)v->vertices - (int64_t)e->count / 2 + (int64_t)s->triangle_count;
    v->faults |= v->open_edges > 0 ? VP_HULL_OPEN : 0;
    v->faults |= v->euler != 2 ? VP_HULL_EULER : 0;
}

vp_status vp_hull_validate(const vp_hull_validate_def *s, vp_hull_report *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "subject, out", s, out);
    vp_hull_report v = {0};
    VP_RETURN_IF_FAILED(check_def(s, error));
    for (uint32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (s->triangle[t][k] >= s->count)
                v.faults = VP_HULL_INDEX;
    if (v.faults != 0) {
        v.outside_point = v.outside_triangle = v.concave_triangle = VP_HULL_NONE;
        *out = v;
        return vp_succeed(error);
    }

    const vp_allocator allocator = vp_allocator_or_default(s->allocator);
    const size_t half_edges = 3 * (size_t)s->triangle_count, points = s->count, keys = points > KEYS ? points : KEYS;
    const size_t max = half_edges > points ? half_edges : points;
    const size_t words = 3 * half_edges + points + max + keys + 1 + 3 * points, boxes = boxes_of(points);
    uint32_t *block = vp_allocate(&allocator, words, sizeof *block);
    box_node *box = vp_allocate(&allocator, boxes, sizeof *box);
    if (block == NULL || box == NULL) {
        vp_release(&allocator, block, words, sizeof *block);
        vp_release(&allocator, box, boxes, sizeof *box);
        return vp_fail(error, VP_E_MEMORY, "no memory to look at %u points and %u triangles", s->count, s->triangle_count);
    }
    edges e = {(uint32_t)half_edges, block, block + half_edges, block + 2 * half_edges};
    uint32_t *seen = block + 3 * half_edges, *spare = seen + points, *start = spare + max, *order = start + keys + 1;
    box_tree t = {.point = s->point, .count = s->count, .order = order};
    memset(seen, 0, points * sizeof *seen);
    check_edges(s, &e, seen, start, spare, &v);

    vp_aabb all = {s->point[0], s->point[0]};
    for (uint32_t i = 1; i < s->count; i++) {
        all.min = vp_vec3_min(all.min, s->point[i]);
        all.max = vp_vec3_max(all.max, s->point[i]);
    }
    for (int k = 0; k < 3; k++)
        t.slack = fmax(t.slack, fmax(fabs(coordinate(all.min, k)), fabs(coordinate(all.max, k))) * 0x1p-44); /* 512 roundings */
    sort_points(&t, &all, order + points, order + 2 * points, start, spare);
    make_boxes(&t, box);
    check_planes(s, &t, &e, &v);
    v.faults |= v.outside > s->allowed ? VP_HULL_OUTSIDE : 0;
    v.faults |= v.concave > s->allowed ? VP_HULL_CONCAVE : 0;
    vp_release(&allocator, block, words, sizeof *block);
    vp_release(&allocator, box, boxes, sizeof *box);
    *out = v;
    return vp_succeed(error);
}
