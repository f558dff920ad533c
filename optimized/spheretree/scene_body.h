/* SPDX-License-Identifier: MIT */
/* Queries of the wide form of the sphere tree, 16 children at a time. Trees of the published form go to the reference. Included after a
 * header of optimized/simd.
 *
 * Layout. A node has five arrays of 16: x, y, z, radius, child. On AVX-512 each is a register, elsewhere two or four.
 *
 * Instructions. A comparison into a mask of 16 lanes, whose bits are then visited: AVX-512 has mask registers, other sets join the
 * movemask of each part (m32x16_movemask). Nodes of 8 children were slower on AVX-512 and on AVX2 (docs/kernels/scene.md).
 *
 * Idea. Float lanes decide which children a query may touch, with a padding. Leaves are then tested exactly, by the reference's functions
 * in double, so the results are the reference's. A second comparison finds the leaves that are surely touched, which need no exact test.
 *
 * Why a lane loses nothing. See src/spheretree/wide.h for bounds. A squared distance of two centres, or of a centre and a box, has at most
 * 5 roundings of 2^-24, the square of the summed radii 3. So (1 + 2^-20) of that, 16 roundings, covers both and the exact test's 2^-47.
 * Squares that underflow lose less than 2^-126, which is added. Unused lanes have the radius NaN, for which no comparison holds.
 *
 * Boxes. Half sizes h have the padding of src/spheretree/wide.h: (|C - c| + r) (1 + 2^-21) <= h for each leaf (c, r) on each axis. A box
 * that touches the leaf is within r (1 + 2^-50) of c on each axis, so it is within h (1 - 2^-22) of C. That covers the roundings of two
 * differences. A sphere (q, p) that touches the leaf has a point within p (1 + 2^-48) + 2^-49 r of q that is in the leaf's box. The padding
 * covers the second term, and (1 + 2^-20) of p^2 the first and all roundings. The same holds for two boxes, because each has its padding.
 * padded_triangle_box adds the errors that a triangle's size causes. Unused lanes have the half size NaN.
 *
 * Rays. Let m go from the origin to the centre (C, R), u be the unit direction, b = m.u, and l = m - b u. A point of the ray at distance t
 * that is within r of C has t >= b - sqrt(r^2 - l.l). Let n be |m.x| + |m.y| + |m.z|, and M the largest coordinate of origin and bound, at
 * most n + R + that of the origin. Hits of spheres are within R + 2^-48 M of C, and hits of triangles within R + 2^-19 M
 * (src/spheretree/ray_sphere.h). l and b have errors below 2^-21 n. So r is R + 2^-18 n, plus 2^-18 M if there are triangles, else 2^-40 M,
 * plus 2^-60 against underflow. Then r^2 - l.l, as computed, is more than the exact one for a hit.
 *
 * Shapes. A moving shape is a ray whose bounds are grown by the radius of the sphere around it. Other shapes are their box, and inner nodes
 * are tested exactly too. */
#ifndef VP_OPTIMIZED_SPHERETREE_SCENE_BODY_H
#define VP_OPTIMIZED_SPHERETREE_SCENE_BODY_H

#include <string.h>

#include "src/core/inline.h"
#include "src/spheretree/leaf.h"
#include "src/spheretree/walk.h"
#include "src/spheretree/wide.h"

#define WIDE_MORE     (1.0f + 0x1p-20f)
#define WIDE_LESS     (1.0f - 0x1p-20f)
#define WIDE_LEAST    0x1p-126f
#define WIDE_RAY      0x1p-18f
#define WIDE_RAY_BACK 0x1p-20f

static inline uint32_t lowest_bit(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

static inline uint32_t highest_bit(uint32_t bits)
{
    return 31u - (uint32_t)__builtin_clz(bits);
}

/* A node on a stack, with its level in the last bits. */
enum { LEVEL_BITS = 5 };
static inline uint32_t pending_node(uint32_t node, uint32_t level)
{
    return node << LEVEL_BITS | level;
}

static inline uint32_t mask_of_query(const vp_spheretree_query *query)
{
    return query == NULL ? UINT32_MAX : query->mask;
}

/* ---- bounds ---- */

VP_INLINE f32x16 square_of(f32x16 x, f32x16 y, f32x16 z)
{
    return f32x16_add(f32x16_add(f32x16_mul(x, x), f32x16_mul(y, y)), f32x16_mul(z, z));
}

typedef struct extent {
    float middle, half; /* padded */
    f32x16 from;        /* distances from the middle */
} extent;

/* The extent of a box around 16 boxes along an axis. */
VP_INLINE extent extent_of(const float *centre, const float *size)
{
    const f32x16 at = f32x16_load(centre), by = f32x16_max(f32x16_load(size), f32x16_set1(-INFINITY)); /* of NaN too */
    const float middle = (f32x16_reduce_max(f32x16_add(by, at)) - f32x16_reduce_max(f32x16_sub(by, at))) * 0.5f + 0.0f;
    const f32x16 from = f32x16_sub(at, f32x16_set1(middle));
    return (extent){middle, f32x16_reduce_max(f32x16_add(f32x16_abs(from), by)) * VP_WIDE_PAD + VP_WIDE_LEAST, from};
}

static void scene_bound(const vp_spheretree_wide_node *node, const vp_spheretree_wide_box *box, uint32_t count, vp_sphere *out,
                        vp_vec3 *half)
{
    for (uint32_t i = 0; i < count; i++) {
        const vp_spheretree_wide_node *n = &node[i];
        const f32x16 radius = f32x16_max(f32x16_load(n->radius), f32x16_set1(-INFINITY));
        const extent x = extent_of(n->x, box != NULL ? box[i].x : n->radius), y = extent_of(n->y, box != NULL ? box[i].y : n->radius),
                     z = extent_of(n->z, box != NULL ? box[i].z : n->radius);
        const f32x16 distance = f32x16_sqrt(square_of(x.from, y.from, z.from));
        out[i] = (vp_sphere){{x.middle, y.middle, z.middle}, f32x16_reduce_max(f32x16_add(distance, radius)) * VP_WIDE_PAD + VP_WIDE_LEAST};
        half[i] = (vp_vec3){x.half, y.half, z.half};
    }
}

/* ---- spheres, boxes and triangles ---- */

enum { ALL_LANES = (1 << VP_WIDE) - 1 };

typedef enum touch_shape { TOUCH_SPHERE, TOUCH_BOX, TOUCH_TRIANGLE } touch_shape;

/* The shape of a query in lanes: a sphere, or a box with a padding for triangles. */
typedef struct touch_lanes {
    f32x16 low[3], high[3]; /* the sphere's centre is `low` */
    f32x16 radius;          /* of the sphere */
    f32x16 near_square;     /* its padded square */
} touch_lanes;

/* The exact test finds points of a triangle with an error of up to 2^-47 of its furthest corner's distance. This adds the part that comes
 * from the triangle's size. The padding of boxes covers the rest. */
static vp_aabb padded_triangle_box(const vp_vec3 *corner)
{
    const vp_aabb box = vp_triangle_box(corner);
    const vp_vec3 size = vp_vec3_sub(box.max, box.min);
    const float pad = ((size.x + size.y) + size.z) * 0x1p-30f + WIDE_LEAST;
    const vp_vec3 low = box.min, high = box.max;
    return (vp_aabb){
        {low.x - (fabsf(low.x) * 0x1p-22f + pad), low.y - (fabsf(low.y) * 0x1p-22f + pad), low.z - (fabsf(low.z) * 0x1p-22f + pad)},
        {high.x + (fabsf(high.x) * 0x1p-22f + pad), high.y + (fabsf(high.y) * 0x1p-22f + pad), high.z + (fabsf(high.z) * 0x1p-22f + pad)}};
}

/* The lanes of a sphere, a box or a triangle's corners. */
VP_INLINE touch_lanes lanes_of_shape(touch_shape shape, const void *of)
{
    if (shape == TOUCH_SPHERE) {
        const vp_sphere *s = of;
        const f32x16 x = f32x16_set1(s->centre.x), y = f32x16_set1(s->centre.y), z = f32x16_set1(s->centre.z);
        return (touch_lanes){{x, y, z}, {x, y, z}, f32x16_set1(s->radius), f32x16_set1(s->radius * s->radius * WIDE_MORE + WIDE_LEAST)};
    }
    const vp_aabb padded = shape == TOUCH_TRIANGLE ? padded_triangle_box(of) : (vp_aabb){0}, *box = shape == TOUCH_TRIANGLE ? &padded : of;
    return (touch_lanes){{f32x16_set1(box->min.x), f32x16_set1(box->min.y), f32x16_set1(box->min.z)},
                         {f32x16_set1(box->max.x), f32x16_set1(box->max.y), f32x16_set1(box->max.z)},
                         f32x16_set1(0),
                         f32x16_set1(0)};
}

/* The distance from a box along an axis, with any sign. */
VP_INLINE f32x16 offset_from_box(const touch_lanes *by, int axis, f32x16 at)
{
    return f32x16_sub(at, f32x16_min_fast(f32x16_max_fast(at, by->low[axis]), by->high[axis]));
}

/* Squares of distances of 16 children, and of the distances at which they are touched. */
typedef struct touch_squares {
    f32x16 distance, reach;
} touch_squares;

VP_INLINE touch_squares squares_of_children(touch_shape shape, const touch_lanes *by, const vp_spheretree_wide_node *n)
{
    const f32x16 x = f32x16_load(n->x), y = f32x16_load(n->y), z = f32x16_load(n->z);
    f32x16 reach = f32x16_load(n->radius), square;
    if (shape == TOUCH_SPHERE) {
        square = square_of(f32x16_sub(x, by->low[0]), f32x16_sub(y, by->low[1]), f32x16_sub(z, by->low[2]));
        reach = f32x16_add(reach, by->radius);
    } else {
        square = square_of(offset_from_box(by, 0, x), offset_from_box(by, 1, y), offset_from_box(by, 2, z));
        if (shape == TOUCH_TRIANGLE) { /* as vp_triangle_nears, with more */
            f32x16 furthest = reach;
            for (int k = 0; k < 3; k++) {
                const f32x16 at = k == 0 ? x : k == 1 ? y : z;
                furthest =
                    f32x16_add(furthest, f32x16_max_fast(f32x16_abs(f32x16_sub(by->low[k], at)), f32x16_abs(f32x16_sub(by->high[k], at))));
            }
            reach = f32x16_add(reach, f32x16_mul(furthest, f32x16_set1(0x1p-38f)));
        }
    }
    return (touch_squares){square, f32x16_mul(reach, reach)};
}

/* The bits of children that may be touched. */
VP_INLINE uint32_t near_children(const touch_squares *square)
{
    return m32x16_movemask(
        f32x16_cmp_le(square->distance, f32x16_add(f32x16_mul(square->reach, f32x16_set1(WIDE_MORE)), f32x16_set1(WIDE_LEAST))));
}

/* The bits of those that surely are. */
VP_INLINE uint32_t sure_children(const touch_squares *square)
{
    return m32x16_movemask(
        f32x16_cmp_le(square->distance, f32x16_sub(f32x16_mul(square->reach, f32x16_set1(WIDE_LESS)), f32x16_set1(WIDE_LEAST))));
}

/* The bits of an inner node's children whose boxes may be touched. */
VP_INLINE uint32_t near_boxes(touch_shape shape, const touch_lanes *by, const vp_spheretree_wide *wide, uint32_t at)
{
    const vp_spheretree_wide_node *n = &wide->node[at];
    const vp_spheretree_wide_box *b = &wide->box[wide->info[at].box];
    const f32x16 x = f32x16_load(n->x), y = f32x16_load(n->y), z = f32x16_load(n->z), hx = f32x16_load(b->x), hy = f32x16_load(b->y),
                 hz = f32x16_load(b->z);
    if (shape == TOUCH_SPHERE) { /* NaN stays NaN */
        const f32x16 none = f32x16_set1(0);
        const f32x16 square = square_of(f32x16_max(none, f32x16_sub(f32x16_abs(f32x16_sub(x, by->low[0])), hx)),
                                        f32x16_max(none, f32x16_sub(f32x16_abs(f32x16_sub(y, by->low[1])), hy)),
                                        f32x16_max(none, f32x16_sub(f32x16_abs(f32x16_sub(z, by->low[2])), hz)));
        return m32x16_movemask(f32x16_cmp_le(square, by->near_square));
    }
    const m32x16 in_x = f32x16_cmp_le(f32x16_max_fast(f32x16_sub(x, by->high[0]), f32x16_sub(by->low[0], x)), hx),
                 in_y = f32x16_cmp_le(f32x16_max_fast(f32x16_sub(y, by->high[1]), f32x16_sub(by->low[1], y)), hy),
                 in_z = f32x16_cmp_le(f32x16_max_fast(f32x16_sub(z, by->high[2]), f32x16_sub(by->low[2], z)), hz);
    return m32x16_movemask(m32x16_and(m32x16_and(in_x, in_y), in_z));
}

/* The children that are near a shape too, and not only near its box. */
static uint32_t near_shape(const vp_touch_query *by, const vp_spheretree_wide_node *n, uint32_t near)
{
    uint32_t kept = 0;
    for (; near != 0; near &= near - 1) {
        const uint32_t lane = lowest_bit(near);
        const vp_sphere bound = {{n->x[lane], n->y[lane], n->z[lane]}, n->radius[lane]};
        kept |= (uint32_t)by->is_near(by, &bound) << lane;
    }
    return kept;
}

/* Lists the leaves of a node that are touched. */
static void list_leaves(const vp_spheretree_view *tree, const vp_spheretree_wide_node *n, uint32_t near, uint32_t sure, uint32_t mask,
                        const vp_touch_query *by, const vp_spheretree_query *query, vp_touch_list *list)
{
    for (; near != 0; near &= near - 1) {
        const uint32_t lane = lowest_bit(near), child = n->child[lane];
        if ((sure >> lane & 1) != 0 && (child & VP_SPHERETREE_LEAF) == 0 && (tree->object[child].mask & mask) != 0) {
            vp_touch_add(list, (vp_spheretree_item){child, VP_SPHERETREE_NONE});
            continue;
        }
        const vp_spheretree_node leaf = vp_wide_leaf_of(tree, n, lane);
        if (vp_scene_is_in_mask(query, &leaf))
            vp_touch_leaf(tree, by, query, &leaf, list);
        if (vp_scene_is_stopped(query))
            return;
    }
}

/* Fetches a node that will be visited soon. */
VP_INLINE void prefetch_node(const vp_spheretree_wide *wide, uint32_t at)
{
    for (int line = 0; line < 5; line++) /* x, y, z, radius and child */
        __builtin_prefetch((const char *)&wide->node[at] + 64 * line);
}

/* The exact test of a shape, a sphere, a box or a triangle's corners. */
static inline vp_touch_query exact_test(touch_shape shape, const void *of)
{
    return shape == TOUCH_SPHERE ? vp_touch_by_sphere(of) : shape == TOUCH_BOX ? vp_touch_by_box(of) : vp_touch_by_triangle(of);
}

/* The bits of leaves that are touched. Cold, so that its callers save no vector unless they call it. */
VP_COLD uint32_t touched_leaves(touch_shape shape, const void *of, const vp_spheretree_wide_node *n, uint32_t unsure)
{
    const vp_touch_query by = exact_test(shape, of);
    uint32_t touched = 0;
    for (; unsure != 0; unsure &= unsure - 1) {
        const uint32_t lane = lowest_bit(unsure);
        const vp_sphere leaf = {{n->x[lane], n->y[lane], n->z[lane]}, n->radius[lane]};
        touched |= (uint32_t)by.is_touching(&by, &leaf) << lane;
    }
    return touched;
}

/* Lists the items that a shape touches. A plain query reads no objects, and counts nothing. */
VP_INLINE uint32_t list_touched(const vp_spheretree_view *tree, touch_shape shape, const void *of, bool is_plain,
                                const vp_spheretree_query *query, vp_spheretree_item *out, uint32_t capacity)
{
    const vp_spheretree_wide *wide = tree->wide;
    const touch_lanes lanes = lanes_of_shape(shape, of);
    const vp_touch_query exact = is_plain ? (vp_touch_query){0} : exact_test(shape, of);
    const bool has_shape = !is_plain && shape == TOUCH_BOX && vp_scene_shape_of(query) != NULL;
    const vp_touch_query *by = has_shape ? &vp_scene_shape_of(query)->touch : &exact;
    const uint32_t mask = mask_of_query(query);
    const bool all = is_plain || (mask & wide->common_mask) != 0,
               can_skip_test = !has_shape && shape != TOUCH_TRIANGLE && (query == NULL || query->test == NULL);
    uint32_t stack[VP_WIDE_STACK], pending = 0, level = 1; /* of the node with the children */
    const uint32_t *child = &wide->root;
    uint32_t near = *child != VP_SPHERETREE_NONE && (is_plain || !vp_scene_is_stopped(query));
    if (near != 0)
        level += wide->info[*child].level;
    uint64_t nodes = 0, tests = 0;
    vp_touch_list list = {out, capacity, is_plain ? UINT32_MAX : vp_scene_limit(query), 0};
    for (;;) {
        uint32_t at;
        if (level > 1 && near != 0) { /* the last near child is visited at once */
            level--;
            for (; (near & (near - 1)) != 0; near &= near - 1) {
                prefetch_node(wide, child[lowest_bit(near)]);
                stack[pending++] = pending_node(child[lowest_bit(near)], level);
            }
            at = child[lowest_bit(near)];
        } else {
            while (near != 0) {
                const uint32_t lane = highest_bit(near);
                const vp_spheretree_wide_node *n = &wide->node[child[lane]];
                near ^= 1u << lane;
                nodes++;
                if (!all && (wide->info[child[lane]].mask & mask) == 0)
                    continue;
                const touch_squares square = squares_of_children(shape, &lanes, n);
                uint32_t touched = near_children(&square);
                if (touched == 0)
                    continue;
                const uint32_t sure = can_skip_test ? sure_children(&square) : 0;
                if (is_plain) {
                    if (touched != sure)
                        touched = sure | touched_leaves(shape, of, n, touched & ~sure);
                    for (; touched != 0; touched &= touched - 1, list.count++)
                        if (list.count < capacity)
                            out[list.count] = (vp_spheretree_item){n->child[lowest_bit(touched)], VP_SPHERETREE_NONE};
                    continue;
                }
                tests += (uint32_t)__builtin_popcount(touched);
                list_leaves(tree, n, touched, sure, mask, by, query, &list);
                if (list.count == list.limit || vp_scene_is_stopped(query))
                    near = pending = 0;
            }
            if (pending == 0)
                break;
            at = stack[--pending];
            level = at & ((1u << LEVEL_BITS) - 1);
            at >>= LEVEL_BITS;
        }
        nodes++;
        child = wide->node[at].child;
        near = all || (wide->info[at].mask & mask) != 0 ? near_boxes(shape, &lanes, wide, at) : 0;
        if (has_shape)
            near = near_shape(by, &wide->node[at], near);
    }
    if (!is_plain)
        vp_scene_add_cost(query, nodes, tests);
    return list.count;
}

/* Whether all objects are spheres and are in a query's mask, and the query has no test, shape, limit, end or counter. */
static bool is_plain_query(const vp_spheretree_wide *wide, const vp_spheretree_query *query)
{
    return wide->meshes == 0 && (mask_of_query(query) & wide->common_mask) != 0 &&
           (query == NULL ||
            (query->test == NULL && query->cost == NULL && query->limit == 0 && query->stop == NULL && query->shape == NULL));
}

VP_NOINLINE uint32_t list_sphere(const vp_spheretree_view *tree, const vp_sphere *sphere, vp_spheretree_item *out, uint32_t capacity)
{
    return list_touched(tree, TOUCH_SPHERE, sphere, true, NULL, out, capacity);
}

VP_NOINLINE uint32_t list_box(const vp_spheretree_view *tree, const vp_aabb *box, vp_spheretree_item *out, uint32_t capacity)
{
    return list_touched(tree, TOUCH_BOX, box, true, NULL, out, capacity);
}

VP_NOINLINE uint32_t list_any(const vp_spheretree_view *tree, touch_shape shape, const void *of, const vp_spheretree_query *query,
                              vp_spheretree_item *out, uint32_t capacity)
{
    return shape == TOUCH_SPHERE ? list_touched(tree, TOUCH_SPHERE, of, false, query, out, capacity)
           : shape == TOUCH_BOX  ? list_touched(tree, TOUCH_BOX, of, false, query, out, capacity)
                                 : list_touched(tree, TOUCH_TRIANGLE, of, false, query, out, capacity);
}

VP_INLINE uint32_t scene_sphere(const vp_spheretree_view *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                                vp_spheretree_item *out, uint32_t capacity)
{
    return tree->wide == NULL                  ? vp_scene_sphere_scalar(tree, sphere, query, out, capacity)
           : is_plain_query(tree->wide, query) ? list_sphere(tree, sphere, out, capacity)
                                               : list_any(tree, TOUCH_SPHERE, sphere, query, out, capacity);
}

VP_INLINE uint32_t scene_box(const vp_spheretree_view *tree, const vp_aabb *box, const vp_spheretree_query *query, vp_spheretree_item *out,
                             uint32_t capacity)
{
    return tree->wide == NULL                  ? vp_scene_box_scalar(tree, box, query, out, capacity)
           : is_plain_query(tree->wide, query) ? list_box(tree, box, out, capacity)
                                               : list_any(tree, TOUCH_BOX, box, query, out, capacity);
}

VP_INLINE uint32_t scene_triangle(const vp_spheretree_view *tree, const vp_vec3 *corner, const vp_spheretree_query *query,
                                  vp_spheretree_item *out, uint32_t capacity)
{
    return tree->wide == NULL ? vp_scene_triangle_scalar(tree, corner, query, out, capacity)
                              : list_any(tree, TOUCH_TRIANGLE, corner, query, out, capacity);
}

/* ---- rays ---- */

typedef struct sphere_ray_lanes {
    f32x16 origin[3], unit[3];
    f32x16 of_radius, of_distance, least; /* r = radius * of_radius + n * of_distance + least */
} sphere_ray_lanes;

/* The bits of children that a ray may enter up to a distance, and where at the earliest. */
VP_INLINE uint32_t entered_children(const sphere_ray_lanes *ray, const vp_spheretree_wide_node *node, float most, float *enter)
{
    const f32x16 x = f32x16_sub(f32x16_load(node->x), ray->origin[0]), y = f32x16_sub(f32x16_load(node->y), ray->origin[1]),
                 z = f32x16_sub(f32x16_load(node->z), ray->origin[2]), radius = f32x16_load(node->radius);
    const f32x16 n = f32x16_add(f32x16_add(f32x16_abs(x), f32x16_abs(y)), f32x16_abs(z));
    const f32x16 b = f32x16_add(f32x16_add(f32x16_mul(x, ray->unit[0]), f32x16_mul(y, ray->unit[1])), f32x16_mul(z, ray->unit[2]));
    const f32x16 square = square_of(f32x16_sub(x, f32x16_mul(b, ray->unit[0])), f32x16_sub(y, f32x16_mul(b, ray->unit[1])),
                                    f32x16_sub(z, f32x16_mul(b, ray->unit[2])));
    const f32x16 r = f32x16_add(f32x16_add(f32x16_mul(radius, ray->of_radius), f32x16_mul(n, ray->of_distance)), ray->least);
    const f32x16 half = f32x16_sqrt(f32x16_sub(f32x16_mul(r, r), square)); /* NaN if the line passes by */
    const f32x16 first = f32x16_sub(f32x16_sub(b, half), f32x16_mul(n, f32x16_set1(WIDE_RAY_BACK)));
    f32x16_store(enter, first);
    return m32x16_movemask(m32x16_and(f32x16_cmp_le(first, f32x16_set1(most)), f32x16_cmp_le(f32x16_set1(0), f32x16_add(b, r))));
}

typedef struct ray_stop {
    uint32_t node;
    float enter;
} ray_stop;

static void visit_leaves(const vp_spheretree_view *tree, const vp_ray *of, const vp_spheretree_query *query, vp_scene_ray_query *by)
{
    const vp_spheretree_wide *wide = tree->wide;
    const uint32_t mask = mask_of_query(query);
    const bool all = (mask & wide->common_mask) != 0;
    vp_ray_frame ray;
    if (!vp_ray_frame_of(of, &ray) || wide->root == VP_SPHERETREE_NONE)
        return;
    const double d[3] = {(double)ray.direction[0], (double)ray.direction[1], (double)ray.direction[2]},
                 length = sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
    const float origin = fmaxf(fmaxf(fabsf(ray.origin[0]), fabsf(ray.origin[1])), fabsf(ray.origin[2])),
                of_place = wide->meshes > 0 || vp_scene_shape_of(query) != NULL ? WIDE_RAY : 0x1p-40f,
                to_distance = (float)length * WIDE_MORE;
    sphere_ray_lanes lanes;
    for (int k = 0; k < 3; k++) {
        lanes.origin[k] = f32x16_set1(ray.origin[k]);
        lanes.unit[k] = f32x16_set1((float)(d[k] / length));
    }
    const vp_scene_shape *shape = vp_scene_shape_of(query);
    const float reach = shape != NULL ? (float)shape->reach * (1 + WIDE_RAY) : 0;
    lanes.of_radius = f32x16_set1(1 + fmaxf(of_place, 0x1p-22f));
    lanes.of_distance = f32x16_set1(WIDE_RAY + of_place);
    lanes.least = f32x16_set1(origin * of_place + reach + 0x1p-60f);
    ray_stop stack[VP_WIDE_STACK];
    uint32_t pending = 1;
    uint64_t nodes = 0, tests = 0;
    stack[0] = (ray_stop){pending_node(wide->root, wide->info[wide->root].level), -INFINITY};
    by->s_most = ray.s_max;
    float most = by->s_most * to_distance;
    while (pending > 0) {
        const ray_stop next = stack[--pending];
        const uint32_t at = next.node >> LEVEL_BITS, level = next.node & ((1u << LEVEL_BITS) - 1);
        if (next.enter > most || (!all && (wide->info[at].mask & mask) == 0))
            continue;
        const vp_spheretree_wide_node *n = &wide->node[at];
        float enter[VP_WIDE];
        uint32_t near = entered_children(&lanes, n, most, enter);
        nodes++;
        if (level > 0) {
            const uint32_t first = pending;
            for (; near != 0; near &= near - 1) { /* the nearest one comes last */
                const uint32_t lane = lowest_bit(near);
                uint32_t k = pending++;
                for (; k > first && stack[k - 1].enter < enter[lane]; k--)
                    stack[k] = stack[k - 1];
                prefetch_node(wide, n->child[lane]);
                stack[k] = (ray_stop){pending_node(n->child[lane], level - 1), enter[lane]};
            }
            continue;
        }
        for (; near != 0; near &= near - 1) {
            const uint32_t lane = lowest_bit(near);
            if (enter[lane] > most)
                continue;
            const vp_spheretree_node leaf = vp_wide_leaf_of(tree, n, lane);
            if (!vp_scene_is_in_mask(query, &leaf))
                continue;
            tests += vp_ray_leaf(tree, &ray, query, &leaf, by);
            if (by->s_most < 0) {
                pending = 0;
                break;
            }
            most = by->s_most * to_distance;
        }
    }
    vp_scene_add_cost(query, nodes, tests);
}

VP_INLINE vp_spheretree_hit scene_ray(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    if (tree->wide == NULL)
        return vp_scene_ray_scalar(tree, ray, query);
    vp_spheretree_hit hit = {ray->t_max, {VP_SPHERETREE_NONE, VP_SPHERETREE_NONE}, 0, 0};
    vp_scene_ray_query by = vp_ray_closest(&hit);
    visit_leaves(tree, ray, query, &by);
    return hit;
}

VP_INLINE bool scene_ray_any(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    if (tree->wide == NULL)
        return vp_scene_ray_any_scalar(tree, ray, query);
    vp_scene_ray_query by = vp_ray_any();
    visit_leaves(tree, ray, query, &by);
    return by.count > 0;
}

VP_INLINE uint32_t scene_ray_all(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query,
                                 vp_spheretree_hit *out, uint32_t capacity)
{
    if (tree->wide == NULL)
        return vp_scene_ray_all_scalar(tree, ray, query, out, capacity);
    vp_scene_ray_query by = vp_ray_all(out, capacity);
    visit_leaves(tree, ray, query, &by);
    return by.count;
}

#endif
