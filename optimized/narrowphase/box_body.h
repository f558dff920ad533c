/* SPDX-License-Identifier: MIT */
/* A box against eight triangles in lanes (lanes.h). Directions, features and points as in reference/narrowphase/box.c.
 *
 * Each lane has its own part of the box that points to the triangle. Its corners are subsets of the free axes, which each lane counts
 * through in the sequence of the reference: next = (last - free) & free. A point's place on the box is a number from 0 to 63, the axes on
 * whose side it is and the signs. A table of the features of these places is read once, for the final points. */
#include "optimized/narrowphase/lanes.h"

VP_STEP f32x8 minus_box_reach(vec3x8 half, vec3x8 u)
{
    return f32x8_neg(
        f32x8_add(f32x8_add(f32x8_mul(half.x, f32x8_abs(u.x)), f32x8_mul(half.y, f32x8_abs(u.y))), f32x8_mul(half.z, f32x8_abs(u.z))));
}

VP_STEP void find_box_axis(const shape8 *shape, pair8 *p)
{
    const local8 *t = &p->t;
    const f32x8 zero = f32x8_set1(0.0f), one = f32x8_set1(1.0f), nothing = f32x8_set1(VP_LOCAL_NOTHING);
    const vec3x8 half = vec3x8_set1(shape->shape->half);
    const m32x8 always = all_lanes();
    axis8 best = {f32x8_set1(-INFINITY), {zero, one, zero}};
    axis_take_both(&best, always, t, minus_box_reach(half, p->normal), p->normal);
    const vec3x8 axis[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    for (int a = 0; a < 3; a++)
        axis_take_both(&best, always, t, minus_box_reach(half, axis[a]), axis[a]);
    for (int k = 0; k < 3; k++) {
        const vec3x8 e = t->along[k];
        const vec3x8 across[3] = {{zero, f32x8_neg(e.z), e.y}, {e.z, zero, f32x8_neg(e.x)}, {f32x8_neg(e.y), e.x, zero}};
        for (int j = 0; j < 3; j++) {
            vec3x8 u = across[j];
            const m32x8 some = vec3x8_make_unit(&u, nothing);
            axis_take_both(&best, some, t, minus_box_reach(half, u), u);
        }
    }
    p->axis = best;
}

VP_STEP void try_box_axis(axis8 *best, m32x8 where, const local8 *t, vec3x8 half, vec3x8 u)
{
    axis_take_where(best, where, f32x8_sub(minus_box_reach(half, u), local_reach8(t, u)), u);
}

/* A number with the sign of each lane. */
VP_STEP f32x8 with_sign(i32x8 corner, unsigned axis, f32x8 half)
{
    return f32x8_select(i32x8_test_bit(corner, axis), half, f32x8_neg(half));
}

VP_STEP vec3x8 box_corner8(vec3x8 half, i32x8 corner)
{
    return (vec3x8){with_sign(corner, 0, half.x), with_sign(corner, 1, half.y), with_sign(corner, 2, half.z)};
}

VP_STEP void try_box_features(axis8 *best, m32x8 where, const local8 *t, vec3x8 half, f32x8 nothing)
{
    for (int k = 0; k < 3; k++) {
        const vec3x8 c = t->corner[k];
        vec3x8 u = {f32x8_sub(f32x8_max(f32x8_min(c.x, half.x), f32x8_neg(half.x)), c.x),
                    f32x8_sub(f32x8_max(f32x8_min(c.y, half.y), f32x8_neg(half.y)), c.y),
                    f32x8_sub(f32x8_max(f32x8_min(c.z, half.z), f32x8_neg(half.z)), c.z)};
        const m32x8 some = vec3x8_make_unit(&u, nothing);
        try_box_axis(best, m32x8_and(where, some), t, half, u);
    }
    for (int32_t i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            vec3x8 u = vec3x8_sub(box_corner8(half, i32x8_set1(i)), t->corner[k]);
            const m32x8 some = vec3x8_make_unit_square(&u, t->along[k], nothing);
            try_box_axis(best, m32x8_and(where, some), t, half, u);
        }
}

/* ---- points ---- */

/* Features of places: 8 * (axes on whose side the point is) + (axes with a positive coordinate). */
#define EDGE(n)   (int32_t)(VP_SHAPE_EDGE + (n))
#define CORNER(n) (int32_t)(VP_SHAPE_CORNER + (n))
#define CORNERS   CORNER(0), CORNER(1), CORNER(2), CORNER(3), CORNER(4), CORNER(5), CORNER(6), CORNER(7)
static const int32_t box_features[64] = {
    CORNERS, 0,       1,        0,        1,       0,       1,        0,        1, /* x */
    2,       2,       3,        3,        2,       2,       3,        3,           /* y */
    EDGE(8), EDGE(9), EDGE(10), EDGE(11), EDGE(8), EDGE(9), EDGE(10), EDGE(11),    /* along z */
    4,       4,       4,        4,        5,       5,       5,        5,           /* z */
    EDGE(4), EDGE(6), EDGE(4),  EDGE(6),  EDGE(5), EDGE(7), EDGE(5),  EDGE(7),     /* along y */
    EDGE(0), EDGE(0), EDGE(1),  EDGE(1),  EDGE(2), EDGE(2), EDGE(3),  EDGE(3),     /* along x */
    CORNERS,
};
#undef EDGE
#undef CORNER
#undef CORNERS

/* Number of a place: the first axes' sides, and the signs. */
VP_STEP i32x8 box_place(i32x8 sides, i32x8 positive)
{
    return i32x8_or(i32x8_shl(sides, 3), positive);
}

VP_STEP i32x8 bit_where(m32x8 m, int axis)
{
    return i32x8_maskz(m, i32x8_set1(1 << axis));
}

VP_STEP f32x8 component(vec3x8 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* Lanes in which no corner of the box can become the point, because all are farther from the triangle than each of its corners is from the
 * face. Along a free axis, the triangle is between both sides. */
VP_STEP m32x8 box_corners_are_farther(const local8 *t, vec3x8 half, const m32x8 is_free[3], const vec3x8 corner[3], const f32x8 apart[3])
{
    f32x8 away = f32x8_set1(0.0f);
    for (int a = 0; a < 3; a++) {
        const f32x8 reach =
            max_of_three(f32x8_abs(component(corner[0], a)), f32x8_abs(component(corner[1], a)), f32x8_abs(component(corner[2], a)));
        away = f32x8_max(away, f32x8_maskz(is_free[a], f32x8_sub(component(half, a), reach)));
    }
    const f32x8 slack = f32x8_mul(t->size, f32x8_set1(VP_LOCAL_ROUNDING));
    return f32x8_cmp_gt(away, f32x8_add(max_of_three(apart[0], apart[1], apart[2]), slack));
}

VP_STEP touch8 find_box_points(const local8 *t, const face8 *face, uint32_t set, vec3x8 half, f32x8 reach, const axis8 *axis)
{
    const f32x8 zero = f32x8_set1(0.0f), one = f32x8_set1(1.0f), near = f32x8_mul(t->size, f32x8_set1(VP_LOCAL_ROUNDING * 0.5f));
    const f32x8 max = max_of_three(f32x8_abs(axis->u.x), f32x8_abs(axis->u.y), f32x8_abs(axis->u.z));
    const f32x8 points_near = f32x8_add(f32x8_mul(reach, f32x8_set1(0x1p-12f)), f32x8_mul(t->size, f32x8_set1(VP_LOCAL_ROUNDING)));
    const vec3x8 by = vec3x8_scale(axis->u, f32x8_neg(axis->s));
    m32x8 is_free[3], is_positive[3];
    i32x8 corner = i32x8_set1(0), free = i32x8_set1(0);
    for (int a = 0; a < 3; a++) {
        const f32x8 u = component(axis->u, a), size = f32x8_abs(u), side = component(half, a);
        is_free[a] = m32x8_and(f32x8_cmp_lt(size, max), f32x8_cmp_le(f32x8_mul(f32x8_mul(f32x8_set1(2.0f), side), size), points_near));
        is_positive[a] = f32x8_cmp_lt(u, zero);
        corner = i32x8_or(corner, bit_where(is_positive[a], a));
        free = i32x8_or(free, bit_where(is_free[a], a));
    }
    const i32x8 fixed = i32x8_and(corner, i32x8_xor(free, i32x8_set1(7))), none = i32x8_set1(0);
    const m32x8 where = m32x8_of_bits(set);
    vec3x8 place[3], along_face[3];
    f32x8 apart[3];
    for (int k = 0; k < 3; k++) { /* where corners of the triangle are on its face */
        f32x8 on[3];
        along_face[k] = vec3x8_sub(t->corner[k], by);
        for (int a = 0; a < 3; a++) {
            const f32x8 side = component(half, a), inside = f32x8_min(f32x8_max(component(along_face[k], a), f32x8_neg(side)), side);
            on[a] = f32x8_select(is_free[a], inside, f32x8_select(is_positive[a], side, f32x8_neg(side)));
        }
        place[k] = (vec3x8){on[0], on[1], on[2]};
        apart[k] = vec3x8_length(vec3x8_sub(place[k], along_face[k]));
    }
    touch8 touch = touch_begin8();
    i32x8 part = none;
    const m32x8 farther = box_corners_are_farther(t, half, is_free, along_face, apart);
    for (m32x8 more = m32x8_andnot(where, farther); m32x8_movemask(more) != 0;) { /* the box's corners */
        const i32x8 i = i32x8_or(fixed, part);
        touch_point8(&touch, more, t, face, by, box_corner8(half, i), box_place(i32x8_set1(7), i));
        part = i32x8_and(i32x8_sub(part, free), free);
        more = m32x8_andnot(more, i32x8_cmp_eq(part, none));
    }
    for (int k = 0; k < 3; k++) { /* corners of the triangle on its face */
        f32x8 w[3] = {zero, zero, zero};
        i32x8 at = none, positive = none;
        for (int a = 0; a < 3; a++) {
            const f32x8 on = component(place[k], a);
            at = i32x8_or(at, bit_where(f32x8_cmp_le(f32x8_sub(component(half, a), near), f32x8_abs(on)), a));
            positive = i32x8_or(positive, bit_where(f32x8_cmp_gt(on, zero), a));
        }
        w[k] = one;
        touch_take8(&touch, where, t, apart[k], place[k], w, box_place(at, positive));
    }
    const m32x8 open = m32x8_and(where, can_be_nearer(t, &touch));
    for (int a = 0; a < 3; a++) { /* the box's edges */
        m32x8 more = m32x8_and(open, is_free[a]);
        if (m32x8_movemask(more) == 0)
            continue;
        const vec3x8 along = {a == 0 ? one : zero, a == 1 ? one : zero, a == 2 ? one : zero};
        const f32x8 length = f32x8_mul(f32x8_set1(2.0f), component(half, a));
        const i32x8 bit = i32x8_set1(1 << a), others = i32x8_and(free, i32x8_set1(7 ^ 1 << a));
        part = none;
        while (m32x8_movemask(more) != 0) {
            const i32x8 i = i32x8_and(i32x8_or(fixed, part), i32x8_set1(7 ^ 1 << a));
            const i32x8 feature[3] = {box_place(i32x8_set1(7 ^ 1 << a), i), box_place(i32x8_set1(7), i),
                                      box_place(i32x8_set1(7), i32x8_or(i, bit))};
            for (int k = 0; k < 3; k++)
                touch_edges8(&touch, more, t, k, by, box_corner8(half, i), along, length, feature);
            part = i32x8_and(i32x8_sub(part, others), others);
            more = m32x8_andnot(more, i32x8_cmp_eq(part, none));
        }
    }
    touch.feature = i32x8_gather(box_features, touch.feature);
    return touch;
}

VP_STEP touch8 find_box_touch(const shape8 *shape, pair8 *p, uint32_t set)
{
    const vec3x8 half = vec3x8_set1(shape->shape->half);
    const m32x8 apart = f32x8_cmp_gt(p->axis.s, f32x8_neg(f32x8_mul(p->t.size, f32x8_set1(VP_LOCAL_ROUNDING))));
    if ((m32x8_movemask(apart) & set) != 0)
        try_box_features(&p->axis, apart, &p->t, half, f32x8_set1(shape->reach * VP_LOCAL_NOTHING));
    const face8 face = face_of8(p);
    return find_box_points(&p->t, &face, set, half, f32x8_set1(shape->reach), &p->axis);
}

static void collide_box(const vp_collide_job *job)
{
    const vp_vec3 half = job->shape->half;
    const shape8 shape = {.shape = job->shape, .reach = vp_length(half), .margin = job->margin, .is_turned = true, .may_be_thin = true};
    collide_in_lanes(job, &shape, find_box_axis, find_box_touch, vp_collide_box_scalar);
}
