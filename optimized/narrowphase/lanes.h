/* SPDX-License-Identifier: MIT */
/* Eight triangles against one shape, a lane each. The steps of src/narrowphase/local.h and points.h, and the loop of all kernels.
 *
 * Idea. All triangles of a job go through the same directions, so a vector has one number of eight triangles, and each operation of the
 * reference is one instruction for all. Most triangles are farther than the margin. Their result is complete after the directions. The
 * others are moved together by a compression until eight are there, and only these get features and points. A job of nine triangles, with
 * three near, so takes two vectors of directions and one of points.
 *
 * Layout. A triangle is read as three groups of four floats, and each group of eight triangles is transposed. Results are transposed back,
 * four floats of a result at a time. `pairs` has all that the second part needs, as vectors, so that a loop can compress it.
 *
 * The instructions that make it work: a division, a square root and a blend of eight lanes (vdivps, vsqrtps, vblendvps), and a permutation
 * that compresses (vpermps with a table, vpcompressps). NEON and SIMD128 have them for four lanes, and a table lookup of bytes compresses.
 *
 * Bits. Operations and their sequence are the reference's. Exceptions, which only change the sign of a zero that no result shows: S along
 * -u uses the dot products of u, and points on an edge or at a corner omit corners of weight 0. Lanes whose results may show it, and those
 * below, call the reference:
 * - Triangles without area, or with coordinates or lengths that overflow if squared.
 * - Pairs whose points do not touch after the move, so that another direction has to be tried.
 *
 * Tried without gain: sixteen lanes, because a body rarely has more than ten candidates. Stopping at the first direction beyond the
 * margin, because moving the rest together costs as much as the other directions. The eight
 * directions of one triangle in lanes, for single spheres: 6 % faster, and twice the code. One corner first for each face of a hull. */
#ifndef VP_OPTIMIZED_NARROWPHASE_LANES_H
#define VP_OPTIMIZED_NARROWPHASE_LANES_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/narrowphase/local.h"

/* In plain C a step is a function, because compilers take minutes for one in which all are inlined. */
#ifdef VP_OPTIMIZED_SIMD_PLAIN_H
#define VP_STEP static __attribute__((noinline))
#else
#define VP_STEP VP_INLINE
#endif

/* ---- vectors of eight points ---- */

typedef struct vec3x8 {
    f32x8 x, y, z;
} vec3x8;

VP_STEP vec3x8 vec3x8_set1(vp_vec3 a)
{
    return (vec3x8){f32x8_set1(a.x), f32x8_set1(a.y), f32x8_set1(a.z)};
}

VP_STEP vec3x8 vec3x8_add(vec3x8 a, vec3x8 b)
{
    return (vec3x8){f32x8_add(a.x, b.x), f32x8_add(a.y, b.y), f32x8_add(a.z, b.z)};
}

VP_STEP vec3x8 vec3x8_sub(vec3x8 a, vec3x8 b)
{
    return (vec3x8){f32x8_sub(a.x, b.x), f32x8_sub(a.y, b.y), f32x8_sub(a.z, b.z)};
}

VP_STEP vec3x8 vec3x8_scale(vec3x8 a, f32x8 s)
{
    return (vec3x8){f32x8_mul(a.x, s), f32x8_mul(a.y, s), f32x8_mul(a.z, s)};
}

/* As a scale by -1. */
VP_STEP vec3x8 vec3x8_neg(vec3x8 a)
{
    return (vec3x8){f32x8_neg(a.x), f32x8_neg(a.y), f32x8_neg(a.z)};
}

VP_STEP vec3x8 vec3x8_select(m32x8 m, vec3x8 a, vec3x8 b)
{
    return (vec3x8){f32x8_select(m, a.x, b.x), f32x8_select(m, a.y, b.y), f32x8_select(m, a.z, b.z)};
}

VP_STEP f32x8 vec3x8_dot(vec3x8 a, vec3x8 b)
{
    return f32x8_add(f32x8_add(f32x8_mul(a.x, b.x), f32x8_mul(a.y, b.y)), f32x8_mul(a.z, b.z));
}

VP_STEP vec3x8 vec3x8_cross(vec3x8 a, vec3x8 b)
{
    return (vec3x8){f32x8_sub(f32x8_mul(a.y, b.z), f32x8_mul(a.z, b.y)), f32x8_sub(f32x8_mul(a.z, b.x), f32x8_mul(a.x, b.z)),
                    f32x8_sub(f32x8_mul(a.x, b.y), f32x8_mul(a.y, b.x))};
}

VP_STEP f32x8 vec3x8_length(vec3x8 a)
{
    return f32x8_sqrt(vec3x8_dot(a, a));
}

VP_STEP vec3x8 vec3x8_square_to(vec3x8 a, vec3x8 f)
{
    return vec3x8_sub(a, vec3x8_scale(f, vec3x8_dot(a, f)));
}

/* vp_make_unit. @return lanes that are longer than `nothing` */
VP_STEP m32x8 vec3x8_make_unit(vec3x8 *a, f32x8 nothing)
{
    const f32x8 length = vec3x8_length(*a);
    const m32x8 some = f32x8_cmp_gt(length, nothing);
    *a = vec3x8_scale(*a, f32x8_maskz(some, f32x8_div(f32x8_set1(1.0f), length)));
    return some;
}

/* vp_make_unit_square, whose failing lanes are unspecified */
VP_STEP m32x8 vec3x8_make_unit_square(vec3x8 *a, vec3x8 f, f32x8 nothing)
{
    *a = vec3x8_square_to(*a, f);
    const m32x8 some = vec3x8_make_unit(a, nothing);
    *a = vec3x8_square_to(*a, f);
    return m32x8_and(some, vec3x8_make_unit(a, f32x8_set1(0.0f)));
}

VP_STEP f32x8 max_of_three(f32x8 a, f32x8 b, f32x8 c)
{
    return f32x8_max(f32x8_max(a, b), c);
}

VP_STEP f32x8 min_of_three(f32x8 a, f32x8 b, f32x8 c)
{
    return f32x8_min(f32x8_min(a, b), c);
}

VP_STEP m32x8 all_lanes(void)
{
    return m32x8_of_bits(0xff);
}

VP_STEP f32x8 clamp8(f32x8 a, f32x8 low, f32x8 high)
{
    return f32x8_min(f32x8_max(a, low), high);
}

/* ---- eight triangles ---- */

/* vp_local of eight triangles. */
typedef struct local8 {
    vec3x8 corner[3], along[3];
    f32x8 length[3], size;
} local8;

/* vp_axis of eight pairs. */
typedef struct axis8 {
    f32x8 s;
    vec3x8 u;
} axis8;

/* Eight triangles, their best directions and their numbers in the job. */
typedef struct pair8 {
    local8 t;
    vec3x8 normal;
    axis8 axis;
    f32x8 number;   /* bits of an integer */
    vec3x8 from[3]; /* corners relative to the shape along world axes, not stored if the shape's axes are the world's */
} pair8;

enum { PAIR_VECTORS = sizeof(pair8) / sizeof(f32x8), STILL_PAIR_VECTORS = offsetof(pair8, from) / sizeof(f32x8) };

typedef union pairs_as_vectors {
    pair8 pair;
    f32x8 vector[PAIR_VECTORS];
} pairs_as_vectors;

/* The shape of a job, with numbers that its kernel computes once. */
typedef struct shape8 {
    const vp_collide_shape *shape;
    float reach; /* radius of local8 */
    float less;  /* the distance is S less this */
    float margin;
    bool is_turned;
    bool may_be_thin;
} shape8;

/* Results of points: those on the shape in its frame, weights and features. */
typedef struct touch8 {
    f32x8 apart;
    vec3x8 on_shape;
    f32x8 weight[3];
    i32x8 feature; /* or a kernel's own number for it */
} touch8;

VP_STEP vec3x8 to_shape8(const vp_collide_frame *f, vec3x8 p)
{
    return (vec3x8){vec3x8_dot(vec3x8_set1(f->row[0]), p), vec3x8_dot(vec3x8_set1(f->row[1]), p), vec3x8_dot(vec3x8_set1(f->row[2]), p)};
}

VP_STEP vec3x8 to_world8(const vp_collide_frame *f, vec3x8 p)
{
    return vec3x8_add(vec3x8_add(vec3x8_scale(vec3x8_set1(f->row[0]), p.x), vec3x8_scale(vec3x8_set1(f->row[1]), p.y)),
                      vec3x8_scale(vec3x8_set1(f->row[2]), p.z));
}

/* Corners of triangles. Lanes after the last one repeat it. */
VP_STEP void load_corners(const vp_collide_triangle *triangle, uint32_t count, vec3x8 corner[3])
{
    const float *p[8];
    f32x8 column[12];
    for (uint32_t k = 0; k < 8; k++)
        p[k] = &triangle[k < count ? k : count - 1].corner[0].x;
    for (int part = 0; part < 3; part++) { /* the last three floats are the normal's */
        f32x8 row[4];
        for (int k = 0; k < 4; k++)
            row[k] = f32x8_of_halves(f32x4_load(p[k] + 4 * part), f32x4_load(p[k + 4] + 4 * part));
        f32x8_transpose4(row, column + 4 * part);
    }
    for (int k = 0; k < 3; k++)
        corner[k] = (vec3x8){column[3 * k], column[3 * k + 1], column[3 * k + 2]};
}

/* vp_local_of. @return lanes without a number that may overflow */
VP_STEP m32x8 local_of8(const vp_collide_frame *frame, const vec3x8 corner[3], float radius, bool is_turned, pair8 *out)
{
    const vec3x8 position = vec3x8_set1(frame->position);
    const f32x8 nothing = f32x8_set1(radius * VP_LOCAL_NOTHING);
    local8 *t = &out->t;
    t->size = f32x8_set1(radius);
    for (int k = 0; k < 3; k++) {
        const vec3x8 from = vec3x8_sub(corner[k], position), edge = vec3x8_sub(corner[(k + 1) % 3], corner[k]);
        out->from[k] = from;
        t->corner[k] = is_turned ? to_shape8(frame, from) : from;
        t->along[k] = is_turned ? to_shape8(frame, edge) : edge;
        const f32x8 length = vec3x8_length(t->along[k]);
        const m32x8 some = f32x8_cmp_gt(length, nothing);
        t->along[k] = vec3x8_scale(t->along[k], f32x8_maskz(some, f32x8_div(f32x8_set1(1.0f), length)));
        t->length[k] = f32x8_maskz(some, length);
        t->size = f32x8_max(t->size, max_of_three(f32x8_abs(t->corner[k].x), f32x8_abs(t->corner[k].y), f32x8_abs(t->corner[k].z)));
    }
    return f32x8_cmp_lt(t->size, f32x8_set1(0x1p50f));
}

/* Which edge is the longest: edge 2 where `two`, otherwise edge 1 where `one`, otherwise edge 0. */
typedef struct longest8 {
    m32x8 one, two;
} longest8;

VP_STEP longest8 longest_edge8(const local8 *t)
{
    const m32x8 one = f32x8_cmp_gt(t->length[1], t->length[0]);
    return (longest8){one, f32x8_cmp_gt(t->length[2], f32x8_select(one, t->length[1], t->length[0]))};
}

/* The one of edge 0, 1 or 2. */
VP_STEP f32x8 of_longest(longest8 l, f32x8 a, f32x8 b, f32x8 c)
{
    return f32x8_select(l.two, c, f32x8_select(l.one, b, a));
}

VP_STEP vec3x8 vec3x8_of_longest(longest8 l, vec3x8 a, vec3x8 b, vec3x8 c)
{
    return (vec3x8){of_longest(l, a.x, b.x, c.x), of_longest(l, a.y, b.y, c.y), of_longest(l, a.z, b.z, c.z)};
}

/* vp_local_normal. @return lanes with an area */
VP_STEP m32x8 local_normal8(const local8 *t, vec3x8 *n)
{
    const longest8 l = longest_edge8(t);
    f32x8 most = f32x8_set1(-1.0f);
    for (int k = 0; k < 3; k++) {
        const vec3x8 c = vec3x8_cross(t->along[k], t->along[(k + 1) % 3]);
        const f32x8 square = vec3x8_dot(c, c);
        *n = k == 0 ? c : vec3x8_select(f32x8_cmp_gt(square, most), c, *n);
        most = f32x8_max(most, square);
    }
    return vec3x8_make_unit_square(n, vec3x8_of_longest(l, t->along[0], t->along[1], t->along[2]), f32x8_set1(0.0f));
}

VP_STEP f32x8 local_reach8(const local8 *t, vec3x8 u)
{
    return max_of_three(vec3x8_dot(u, t->corner[0]), vec3x8_dot(u, t->corner[1]), vec3x8_dot(u, t->corner[2]));
}

/* Minus the reach of the triangle along u, and along -u. */
VP_STEP void minus_reach_both(const local8 *t, vec3x8 u, f32x8 *along, f32x8 *back)
{
    const f32x8 a = vec3x8_dot(u, t->corner[0]), b = vec3x8_dot(u, t->corner[1]), c = vec3x8_dot(u, t->corner[2]);
    *along = f32x8_neg(max_of_three(a, b, c));
    *back = min_of_three(a, b, c);
}

VP_STEP void axis_take8(axis8 *best, f32x8 s, vec3x8 u)
{
    const m32x8 better = f32x8_cmp_gt(s, best->s);
    best->s = f32x8_select(better, s, best->s);
    best->u = vec3x8_select(better, u, best->u);
}

VP_STEP void axis_take_where(axis8 *best, m32x8 where, f32x8 s, vec3x8 u)
{
    const m32x8 better = m32x8_and(where, f32x8_cmp_gt(s, best->s));
    best->s = f32x8_select(better, s, best->s);
    best->u = vec3x8_select(better, u, best->u);
}

/* Tries u and -u, where the shape's reach along both is -minus_shape. */
VP_STEP void axis_take_both(axis8 *best, m32x8 where, const local8 *t, f32x8 minus_shape, vec3x8 u)
{
    f32x8 along, back;
    minus_reach_both(t, u, &along, &back);
    axis_take_where(best, where, f32x8_add(minus_shape, along), u);
    axis_take_where(best, where, f32x8_add(minus_shape, back), vec3x8_neg(u));
}

/* ---- points ---- */

VP_STEP f32x8 unit_clamp8(f32x8 a)
{
    return clamp8(a, f32x8_set1(0.0f), f32x8_set1(1.0f));
}

VP_STEP vec3x8 weighted8(const vec3x8 corner[3], const f32x8 w[3])
{
    return vec3x8_add(vec3x8_add(vec3x8_scale(corner[0], w[0]), vec3x8_scale(corner[1], w[1])), vec3x8_scale(corner[2], w[2]));
}

VP_STEP f32x8 along_edge8(const local8 *t, int k, vec3x8 p)
{
    const f32x8 far = vec3x8_dot(vec3x8_sub(p, t->corner[k]), t->along[k]);
    return f32x8_maskz(f32x8_cmp_gt(t->length[k], f32x8_set1(0.0f)), unit_clamp8(f32x8_div(far, t->length[k])));
}

VP_STEP void weights_on_edge8(int k, f32x8 part, f32x8 w[3])
{
    w[k] = f32x8_sub(f32x8_set1(1.0f), part);
    w[(k + 1) % 3] = part;
    w[(k + 2) % 3] = f32x8_set1(0.0f);
}

/* weighted8 for weights on edge k. */
VP_STEP vec3x8 weighted_on_edge(const local8 *t, int k, const f32x8 w[3])
{
    return vec3x8_add(vec3x8_scale(t->corner[k], w[k]), vec3x8_scale(t->corner[(k + 1) % 3], w[(k + 1) % 3]));
}

/* The part of vp_weights_on_face that depends on the triangle alone. */
typedef struct face8 {
    longest8 longest;
    vec3x8 corner, along, up;
    f32x8 height, third_along, length;
} face8;

VP_STEP face8 face_of8(const pair8 *p)
{
    const local8 *t = &p->t;
    const longest8 l = longest_edge8(t);
    face8 f = {.longest = l};
    f.corner = vec3x8_of_longest(l, t->corner[0], t->corner[1], t->corner[2]);
    f.along = vec3x8_of_longest(l, t->along[0], t->along[1], t->along[2]);
    f.length = of_longest(l, t->length[0], t->length[1], t->length[2]);
    const vec3x8 third =
        vec3x8_scale(vec3x8_of_longest(l, t->along[2], t->along[0], t->along[1]), of_longest(l, t->length[2], t->length[0], t->length[1]));
    f.up = vec3x8_cross(p->normal, f.along);
    f.height = vec3x8_dot(third, f.up);
    f.third_along = vec3x8_dot(third, f.along);
    return f;
}

/* vp_nearest_on_triangle, of triangles with an area. Other lanes than `where` are unspecified. */
VP_STEP f32x8 nearest_on_triangle8(const local8 *t, const face8 *f, uint32_t where, vec3x8 p, f32x8 w[3])
{
    const f32x8 zero = f32x8_set1(0.0f);
    const vec3x8 from = vec3x8_sub(p, f->corner);
    const f32x8 c = f32x8_div(f32x8_neg(vec3x8_dot(from, f->up)), f->height);
    const f32x8 b = f32x8_div(f32x8_add(vec3x8_dot(from, f->along), f32x8_mul(c, f->third_along)), f->length);
    const f32x8 a = f32x8_sub(f32x8_sub(f32x8_set1(1.0f), b), c);
    w[0] = of_longest(f->longest, a, c, b);
    w[1] = of_longest(f->longest, b, a, c);
    w[2] = of_longest(f->longest, c, b, a);
    const m32x8 positive = m32x8_and(m32x8_and(f32x8_cmp_le(zero, a), f32x8_cmp_le(zero, b)), f32x8_cmp_le(zero, c));
    const m32x8 inside = m32x8_andnot(positive, f32x8_cmp_eq(f->height, zero));
    f32x8 apart = vec3x8_length(vec3x8_sub(p, weighted8(t->corner, w)));
    if ((where & ~m32x8_movemask(inside)) == 0)
        return apart;
    f32x8 best = f32x8_set1(INFINITY), on[3] = {zero, zero, zero};
    for (int k = 0; k < 3; k++) {
        f32x8 edge[3];
        weights_on_edge8(k, along_edge8(t, k, p), edge);
        const f32x8 far = vec3x8_length(vec3x8_sub(p, weighted_on_edge(t, k, edge)));
        const m32x8 nearer = f32x8_cmp_lt(far, best);
        best = f32x8_select(nearer, far, best);
        for (int i = 0; i < 3; i++)
            on[i] = f32x8_select(nearer, edge[i], on[i]);
    }
    for (int i = 0; i < 3; i++)
        w[i] = f32x8_select(inside, w[i], on[i]);
    return f32x8_select(inside, apart, best);
}

VP_STEP touch8 touch_begin8(void)
{
    const f32x8 zero = f32x8_set1(0.0f);
    return (touch8){f32x8_set1(INFINITY), {zero, zero, zero}, {zero, zero, zero}, i32x8_set1(0)};
}

/* vp_touch_take, where a place exists. */
VP_STEP void touch_take8(touch8 *best, m32x8 where, const local8 *t, f32x8 apart, vec3x8 on_shape, const f32x8 w[3], i32x8 feature)
{
    const f32x8 slack = f32x8_mul(t->size, f32x8_set1(0x1p-22f));
    const m32x8 nearer = m32x8_and(where, f32x8_cmp_lt(apart, f32x8_sub(best->apart, slack)));
    best->apart = f32x8_select(nearer, apart, best->apart);
    best->on_shape = vec3x8_select(nearer, on_shape, best->on_shape);
    for (int i = 0; i < 3; i++)
        best->weight[i] = f32x8_select(nearer, w[i], best->weight[i]);
    best->feature = i32x8_select(nearer, feature, best->feature);
}

/* Lanes in which touch_take8 can still find a nearer point. */
VP_STEP m32x8 can_be_nearer(const local8 *t, const touch8 *best)
{
    return f32x8_cmp_gt(best->apart, f32x8_mul(t->size, f32x8_set1(0x1p-22f)));
}

VP_STEP void touch_point8(touch8 *best, m32x8 where, const local8 *t, const face8 *f, vec3x8 by, vec3x8 p, i32x8 feature)
{
    f32x8 w[3];
    const f32x8 apart = nearest_on_triangle8(t, f, m32x8_movemask(where), vec3x8_add(p, by), w);
    touch_take8(best, where, t, apart, p, w, feature);
}

/* vp_touch_edges. @param feature  of the segment, its start and its end */
VP_STEP void touch_edges8(touch8 *best, m32x8 where, const local8 *t, int k, vec3x8 by, vec3x8 from, vec3x8 along, f32x8 length,
                          const i32x8 feature[3])
{
    const f32x8 zero = f32x8_set1(0.0f), near = f32x8_mul(t->size, f32x8_set1(VP_LOCAL_ROUNDING * 0.5f)), far_end = f32x8_sub(length, near);
    const vec3x8 begin = vec3x8_add(from, by), e = t->along[k], g = vec3x8_cross(along, e);
    const f32x8 square = vec3x8_dot(g, g);
    for (int i = 0; i < 2; i++) {
        f32x8 w[3] = {zero, zero, zero};
        vec3x8 q = t->corner[k];
        if (i == 0) {
            const f32x8 far = f32x8_div(vec3x8_dot(vec3x8_cross(vec3x8_sub(t->corner[k], begin), e), g), square);
            const vec3x8 at = vec3x8_add(begin, vec3x8_scale(along, clamp8(far, zero, length)));
            weights_on_edge8(k, along_edge8(t, k, at), w);
            q = weighted_on_edge(t, k, w);
        } else
            w[k] = f32x8_set1(1.0f);
        const f32x8 far = clamp8(vec3x8_dot(vec3x8_sub(q, begin), along), zero, length);
        const vec3x8 to = vec3x8_scale(along, far);
        const m32x8 starts = f32x8_cmp_le(far, near), inside = m32x8_andnot(f32x8_cmp_lt(far, far_end), starts);
        const i32x8 on = i32x8_select(inside, feature[0], i32x8_select(starts, feature[1], feature[2]));
        touch_take8(best, i == 0 ? m32x8_and(where, f32x8_cmp_gt(square, zero)) : where, t,
                    vec3x8_length(vec3x8_sub(vec3x8_add(begin, to), q)), vec3x8_add(from, to), w, on);
    }
}

/* ---- results ---- */

VP_STEP void snap_weights8(f32x8 w[3])
{
    const f32x8 least = f32x8_set1(VP_LOCAL_ROUNDING * 0.5f), one = f32x8_set1(1.0f);
    const m32x8 second = f32x8_cmp_gt(w[1], w[0]), third = f32x8_cmp_gt(w[2], f32x8_select(second, w[1], w[0]));
    f32x8 rest[3];
    for (int k = 0; k < 3; k++)
        w[k] = f32x8_maskz(f32x8_cmp_gt(w[k], least), w[k]);
    for (int k = 0; k < 3; k++)
        rest[k] = f32x8_sub(f32x8_sub(one, w[(k + 1) % 3]), w[(k + 2) % 3]);
    w[0] = f32x8_select(m32x8_or(second, third), w[0], rest[0]);
    w[1] = f32x8_select(m32x8_andnot(second, third), rest[1], w[1]);
    w[2] = f32x8_select(third, rest[2], w[2]);
}

VP_STEP i32x8 feature_of_weights8(const f32x8 w[3])
{
    const f32x8 zero = f32x8_set1(0.0f);
    const m32x8 a = f32x8_cmp_eq(w[0], zero), b = f32x8_cmp_eq(w[1], zero), c = f32x8_cmp_eq(w[2], zero);
    i32x8 on = i32x8_set1(VP_TRIANGLE_FACE);
    on = i32x8_select(b, i32x8_set1(VP_TRIANGLE_EDGE + 2), on);
    on = i32x8_select(a, i32x8_set1(VP_TRIANGLE_EDGE + 1), on);
    on = i32x8_select(c, i32x8_set1(VP_TRIANGLE_EDGE), on);
    on = i32x8_select(m32x8_and(b, c), i32x8_set1(VP_TRIANGLE_CORNER), on);
    on = i32x8_select(m32x8_and(a, c), i32x8_set1(VP_TRIANGLE_CORNER + 1), on);
    return i32x8_select(m32x8_and(a, b), i32x8_set1(VP_TRIANGLE_CORNER + 2), on);
}

/* Writes results that have the vectors of `first`, beginning with the distance, and zeros. Stores overlap. */
VP_STEP void store_far(vp_collide_result *result, uint32_t count, const f32x8 first[4])
{
    static const uint32_t last[4] = {0, 0, VP_COLLIDE_NONE, VP_COLLIDE_NONE};
    const f32x4 zero = f32x4_set1(0.0f);
    f32x8 row[4];
    f32x8_transpose4(first, row);
    for (uint32_t k = 0; k < count; k++) {
        float *const to = &result[k].distance;
        f32x4_store(to, k < 4 ? f32x8_low(row[k & 3]) : f32x8_high(row[k & 3]));
        f32x4_store(to + 4, zero);
        f32x4_store(to + 8, zero);
        memcpy(to + 11, last, sizeof last);
    }
}

/* Writes the results of the lanes of `set`, at `number` in the job. Loads and stores of the buffer match, so that they do not wait. */
VP_STEP void store_near(vp_collide_result *result, const uint32_t number[8], uint32_t set, const f32x8 column[16])
{
    float buffer[8][16];
    for (int part = 0; part < 4; part++) {
        f32x8 row[4];
        f32x8_transpose4(column + 4 * part, row);
        for (int k = 0; k < 4; k++) {
            f32x4_store(buffer[k] + 4 * part, f32x8_low(row[k]));
            f32x4_store(buffer[k + 4] + 4 * part, f32x8_high(row[k]));
        }
    }
    for (; set != 0; set &= set - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(set);
        float *const to = &result[number[k]].distance;
        for (int part = 0; part < 3; part++)
            f32x4_store(to + 4 * part, f32x4_load(buffer[k] + 4 * part));
        memcpy(to + 12, buffer[k] + 12, 2 * sizeof *to);
        memcpy(to + 14, buffer[k] + 14, sizeof *to);
    }
}
static_assert(sizeof(vp_collide_result) == 15 * sizeof(float), "a result has 15 words");

/* ---- the loop ---- */

/* Tries the directions of all pairs. */
typedef void find_axis8_fn(const shape8 *shape, pair8 *pair);
/* Improves the directions of pairs that are near (`set`), if features are closer, and finds the points. */
typedef touch8 find_touch8_fn(const shape8 *shape, pair8 *pair, uint32_t set);

VP_STEP void collide_by_reference(const vp_collide_job *job, vp_collide_sphere_fn *reference, uint32_t number)
{
    vp_collide_job one = *job;
    one.triangle += number;
    one.result += number;
    one.count = 1;
    reference(&one);
}

/* Whether the sign of a distance of 0 depends on how S was computed. The origin of a hull is then on its surface, or nearly. */
VP_NOINLINE bool is_thin(const vp_collide_shape *s)
{
    bool is = s->kind == VP_COLLIDE_BOX && vp_min(vp_min(s->half.x, s->half.y), s->half.z) == 0.0f;
    is = is || (s->kind == VP_COLLIDE_CYLINDER && vp_min(s->radius, s->half_height) == 0.0f);
    for (uint32_t f = 0; s->kind == VP_COLLIDE_HULL && f < s->hull->face_count && !is; f++)
        is = !(s->hull->plane[f].offset > s->hull->radius * 0x1p-16f);
    return is;
}

/* Finishes the pairs of the lanes of `set`. */
VP_STEP void finish_pairs(const vp_collide_job *job, const shape8 *shape, pair8 *p, uint32_t set, find_touch8_fn *find_touch,
                          vp_collide_sphere_fn *reference)
{
    const vp_collide_frame *frame = &job->frame;
    uint32_t number[8];
    i32x8_store(number, f32x8_as_i32(p->number));
    touch8 touch = find_touch(shape, p, set);
    const f32x8 distance = f32x8_sub(p->axis.s, f32x8_set1(shape->less));
    const m32x8 near = f32x8_cmp_le(distance, f32x8_set1(shape->margin));
    const m32x8 touches = f32x8_cmp_le(touch.apart, f32x8_mul(p->t.size, f32x8_set1(VP_LOCAL_ROUNDING)));
    uint32_t done = m32x8_movemask(m32x8_or(m32x8_andnot(all_lanes(), near), touches)) & set;
    const uint32_t touching = m32x8_movemask(f32x8_cmp_eq(distance, f32x8_set1(0.0f)));
    if (shape->may_be_thin && (done & touching) != 0 && is_thin(shape->shape))
        done &= ~touching;

    snap_weights8(touch.weight);
    const i32x8 none = i32x8_set1(-1);
    const vec3x8 normal = shape->is_turned ? to_world8(frame, p->axis.u) : p->axis.u;
    const vec3x8 on_shape = shape->is_turned ? to_world8(frame, touch.on_shape) : touch.on_shape;
    const vec3x8 on_triangle = weighted8(shape->is_turned ? p->from : p->t.corner, touch.weight);
    const f32x8 column[16] = {distance,
                              normal.x,
                              normal.y,
                              normal.z,
                              f32x8_maskz(near, on_shape.x),
                              f32x8_maskz(near, on_shape.y),
                              f32x8_maskz(near, on_shape.z),
                              f32x8_maskz(near, on_triangle.x),
                              f32x8_maskz(near, on_triangle.y),
                              f32x8_maskz(near, on_triangle.z),
                              f32x8_maskz(near, touch.weight[0]),
                              f32x8_maskz(near, touch.weight[1]),
                              f32x8_maskz(near, touch.weight[2]),
                              i32x8_as_f32(i32x8_select(near, feature_of_weights8(touch.weight), none)),
                              i32x8_as_f32(i32x8_select(near, touch.feature, none)),
                              distance};
    store_near(job->result, number, done, column);
    for (uint32_t rest = set & ~done; rest != 0; rest &= rest - 1)
        collide_by_reference(job, reference, number[__builtin_ctz(rest)]);
}

/* Collides all triangles of a job. The functions are constants, so that they are inlined. */
VP_STEP void collide_in_lanes(const vp_collide_job *job, const shape8 *shape, find_axis8_fn *find_axis, find_touch8_fn *find_touch,
                              vp_collide_sphere_fn *reference)
{
    const int vectors = shape->is_turned ? PAIR_VECTORS : STILL_PAIR_VECTORS;
    float kept[PAIR_VECTORS][16];
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < job->count; i += 8) {
        const uint32_t count = job->count - i < 8 ? job->count - i : 8, set = (1u << count) - 1;
        pairs_as_vectors p;
        vec3x8 corner[3];
        load_corners(job->triangle + i, count, corner);
        const m32x8 finite = local_of8(&job->frame, corner, shape->reach, shape->is_turned, &p.pair);
        const m32x8 regular = m32x8_and(finite, local_normal8(&p.pair.t, &p.pair.normal));
        const uint32_t special = set & ~m32x8_movemask(regular);
        p.pair.number = i32x8_as_f32(i32x8_add(i32x8_set1((int32_t)i), i32x8_iota()));
        find_axis(shape, &p.pair);

        const f32x8 distance = f32x8_sub(p.pair.axis.s, f32x8_set1(shape->less));
        const vec3x8 normal = shape->is_turned ? to_world8(&job->frame, p.pair.axis.u) : p.pair.axis.u;
        const f32x8 first[4] = {distance, normal.x, normal.y, normal.z};
        const uint32_t near = m32x8_movemask(f32x8_cmp_le(distance, f32x8_set1(shape->margin))) & set & ~special;
        if (near != set)
            store_far(job->result + i, count, first);
        for (uint32_t rest = special; rest != 0; rest &= rest - 1)
            collide_by_reference(job, reference, i + (uint32_t)__builtin_ctz(rest));
        if (near != 0 && job->count > 8) {
            const c32x8 moved = c32x8_of_bits(near);
            for (int v = 0; v < vectors; v++)
                f32x8_store_compressed(kept[v] + kept_count, moved, p.vector[v]);
        }
        kept_count += (uint32_t)__builtin_popcount(near);
        while (kept_count >= 8 || (kept_count > 0 && i + 8 >= job->count)) {
            uint32_t now = near; /* all triangles are in this vector */
            if (job->count > 8) {
                now = kept_count < 8 ? (1u << kept_count) - 1 : 0xff;
                for (int v = 0; v < vectors; v++) {
                    p.vector[v] = f32x8_load(kept[v]);
                    if (kept_count > 8)
                        f32x8_store(kept[v], f32x8_maskz(m32x8_of_bits((1u << (kept_count - 8)) - 1), f32x8_load(kept[v] + 8)));
                }
            }
            finish_pairs(job, shape, &p.pair, now, find_touch, reference);
            kept_count -= (uint32_t)__builtin_popcount(now);
        }
    }
}

#endif
