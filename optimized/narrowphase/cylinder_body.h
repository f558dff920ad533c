/* SPDX-License-Identifier: MIT */
/* A cylinder against eight triangles in lanes (lanes.h). Directions and points as in reference/narrowphase/cylinder.c, whose conditions are
 * selections here. The steps to the normal of an ellipse are a fixed number, so all lanes take the same. Rims on the far side are tried if
 * a lane overlaps. */
#include "optimized/narrowphase/lanes.h"

enum { RIM_STEPS = 5 }; /* STEPS of the reference */

typedef struct cylinder8 {
    f32x8 radius, half, nothing;
} cylinder8;

VP_STEP cylinder8 cylinder_of8(const shape8 *shape)
{
    return (cylinder8){f32x8_set1(shape->shape->radius), f32x8_set1(shape->shape->half_height),
                       f32x8_set1(shape->reach * VP_LOCAL_NOTHING)};
}

VP_STEP f32x8 flat_length8(f32x8 x, f32x8 y)
{
    return f32x8_sqrt(f32x8_add(f32x8_mul(x, x), f32x8_mul(y, y)));
}

VP_STEP f32x8 minus_cylinder_reach(const cylinder8 *c, vec3x8 u)
{
    return f32x8_neg(f32x8_add(f32x8_mul(c->half, f32x8_abs(u.y)), f32x8_mul(c->radius, flat_length8(u.x, u.z))));
}

VP_STEP void try_cylinder_axis(axis8 *best, m32x8 where, const local8 *t, const cylinder8 *c, vec3x8 u)
{
    axis_take_where(best, where, f32x8_sub(minus_cylinder_reach(c, u), local_reach8(t, u)), u);
}

VP_STEP void try_cylinder_corner(axis8 *best, const local8 *t, const cylinder8 *c, vec3x8 corner)
{
    const f32x8 zero = f32x8_set1(0.0f), one = f32x8_set1(1.0f);
    const f32x8 from_axis = flat_length8(corner.x, corner.z), out = f32x8_sub(from_axis, c->radius),
                up = f32x8_sub(f32x8_abs(corner.y), c->half);
    const m32x8 some = f32x8_cmp_gt(from_axis, c->nothing);
    const f32x8 scale = f32x8_div(one, from_axis);
    const vec3x8 m = {f32x8_select(some, f32x8_mul(corner.x, scale), one), zero, f32x8_maskz(some, f32x8_mul(corner.z, scale))};
    try_cylinder_axis(best, all_lanes(), t, c, vec3x8_neg(m));
    vec3x8 u = {f32x8_neg(f32x8_mul(m.x, out)), f32x8_select(f32x8_cmp_lt(corner.y, zero), up, f32x8_neg(up)),
                f32x8_neg(f32x8_mul(m.z, out))};
    const m32x8 beyond = m32x8_and(f32x8_cmp_gt(out, zero), f32x8_cmp_gt(up, zero));
    const m32x8 is_unit = vec3x8_make_unit(&u, c->nothing);
    try_cylinder_axis(best, m32x8_and(beyond, is_unit), t, c, u);
}

/* ---- an edge and a rim ---- */

typedef struct flat8 {
    f32x8 x, y;
} flat8;

/* `view` of the reference. */
typedef struct view8 {
    vec3x8 x, y;
    flat8 p;
    f32x8 b, height, sine;
} view8;

VP_STEP view8 view_along8(const local8 *t, const cylinder8 *c, int k)
{
    const vec3x8 e = t->along[k], corner = t->corner[k];
    view8 v;
    v.sine = flat_length8(e.x, e.z);
    const m32x8 leans = f32x8_cmp_gt(v.sine, f32x8_set1(VP_LOCAL_NOTHING));
    const f32x8 gx = f32x8_maskz(leans, f32x8_div(e.x, v.sine)), gz = f32x8_select(leans, f32x8_div(e.z, v.sine), f32x8_set1(1.0f));
    v.x = (vec3x8){gz, f32x8_set1(0.0f), f32x8_neg(gx)};
    v.y = (vec3x8){f32x8_neg(f32x8_mul(gx, e.y)), v.sine, f32x8_neg(f32x8_mul(gz, e.y))};
    v.p = (flat8){vec3x8_dot(corner, v.x), vec3x8_dot(corner, v.y)};
    v.b = f32x8_mul(c->radius, f32x8_abs(e.y));
    v.height = f32x8_mul(c->half, v.sine);
    return v;
}

VP_STEP flat8 find_normal_through8(f32x8 r, f32x8 b, f32x8 sine, f32x8 x, f32x8 y)
{
    const f32x8 zero = f32x8_set1(0.0f), one = f32x8_set1(1.0f), limit = f32x8_set1(0.75f);
    const f32x8 rs = f32x8_mul(r, sine), e = f32x8_mul(rs, rs), p = f32x8_mul(r, x), q = f32x8_mul(b, y);
    flat8 to = {p, f32x8_add(q, e)}, on;
    const m32x8 beyond = m32x8_and(f32x8_cmp_le(zero, q), f32x8_cmp_gt(f32x8_mul(f32x8_sub(p, e), to.y), f32x8_mul(to.x, q)));
    to.x = f32x8_select(beyond, f32x8_sub(p, e), to.x);
    to.y = f32x8_select(beyond, q, to.y);
    for (int step = 0;; step++) {
        to.y = f32x8_max(to.y, zero);
        const f32x8 length = flat_length8(to.x, to.y);
        const m32x8 some = f32x8_cmp_gt(length, zero);
        on.x = f32x8_maskz(some, f32x8_div(to.x, length));
        on.y = f32x8_select(some, f32x8_div(to.y, length), one);
        if (step == RIM_STEPS)
            return on;
        const f32x8 c = on.x, s = on.y, sss = f32x8_mul(f32x8_mul(s, s), s), ec = f32x8_mul(e, c);
        const f32x8 slope = f32x8_add(q, f32x8_mul(e, sss)), square = f32x8_mul(slope, slope);
        const f32x8 rest = f32x8_sub(f32x8_mul(p, s), f32x8_mul(c, f32x8_add(q, f32x8_mul(e, s))));
        const f32x8 top = f32x8_mul(f32x8_mul(f32x8_mul(f32x8_set1(1.5f), e), f32x8_mul(c, sss)), rest);
        const f32x8 turn = f32x8_maskz(f32x8_cmp_gt(square, zero), f32x8_div(top, square)), held = clamp8(turn, f32x8_neg(limit), limit);
        to.x = f32x8_max(f32x8_sub(f32x8_mul(s, f32x8_sub(p, f32x8_mul(ec, f32x8_mul(c, c)))), f32x8_mul(f32x8_mul(c, held), slope)), zero);
        to.y = f32x8_mul(f32x8_mul(s, slope), f32x8_sub(one, held));
    }
}

VP_STEP vec3x8 unfold_normal8(const view8 *v, m32x8 left, m32x8 down, flat8 m)
{
    return vec3x8_add(vec3x8_scale(v->x, f32x8_select(left, m.x, f32x8_neg(m.x))),
                      vec3x8_scale(v->y, f32x8_select(down, m.y, f32x8_neg(m.y))));
}

/* make_flat_unit of a vector with a length. */
VP_STEP flat8 make_flat_unit8(flat8 m, f32x8 length, f32x8 nothing)
{
    const m32x8 some = f32x8_cmp_gt(length, nothing);
    return (flat8){f32x8_select(some, f32x8_div(m.x, length), f32x8_set1(1.0f)), f32x8_maskz(some, f32x8_div(m.y, length))};
}

VP_STEP void try_rim8(axis8 *best, m32x8 where, const local8 *t, const cylinder8 *c, int k, bool other)
{
    const f32x8 zero = f32x8_set1(0.0f);
    const view8 v = view_along8(t, c, k);
    if (!other)
        axis_take_both(best, where, t, minus_cylinder_reach(c, v.x), v.x);
    const m32x8 left = f32x8_cmp_lt(v.p.x, zero), below = f32x8_cmp_lt(v.p.y, zero),
                down = other ? m32x8_andnot(all_lanes(), below) : below;
    const f32x8 x = f32x8_abs(v.p.x), up = other ? f32x8_neg(f32x8_abs(v.p.y)) : f32x8_abs(v.p.y), y = f32x8_sub(up, v.height);
    const flat8 on = find_normal_through8(c->radius, v.b, v.sine, x, y);
    const flat8 m = {f32x8_mul(v.b, on.x), f32x8_mul(c->radius, on.y)};
    try_cylinder_axis(best, where, t, c, unfold_normal8(&v, left, down, make_flat_unit8(m, flat_length8(m.x, m.y), c->nothing)));
    if (other)
        return;
    const flat8 way = {f32x8_sub(x, f32x8_mul(c->radius, on.x)), f32x8_sub(y, f32x8_mul(v.b, on.y))};
    const f32x8 length = flat_length8(way.x, way.y);
    const m32x8 outward = m32x8_and(f32x8_cmp_le(zero, way.x), f32x8_cmp_le(zero, way.y));
    try_cylinder_axis(best, m32x8_and(where, m32x8_and(outward, f32x8_cmp_gt(length, c->nothing))), t, c,
                      unfold_normal8(&v, left, down, make_flat_unit8(way, length, c->nothing)));
}

VP_STEP void find_cylinder_axis(const shape8 *shape, pair8 *p)
{
    const local8 *t = &p->t;
    const f32x8 zero = f32x8_set1(0.0f);
    const cylinder8 c = cylinder_of8(shape);
    const vec3x8 axis = {zero, f32x8_set1(1.0f), zero};
    axis8 best = {f32x8_set1(-INFINITY), axis};
    axis_take_both(&best, all_lanes(), t, minus_cylinder_reach(&c, axis), axis);
    axis_take_both(&best, all_lanes(), t, minus_cylinder_reach(&c, p->normal), p->normal);
    for (int k = 0; k < 3; k++)
        try_cylinder_corner(&best, t, &c, t->corner[k]);
    for (int k = 0; k < 3; k++)
        try_rim8(&best, f32x8_cmp_gt(t->length[k], zero), t, &c, k, false);
    for (int k = 0; k < 3; k++) {
        const m32x8 overlaps = m32x8_and(f32x8_cmp_gt(t->length[k], zero), f32x8_cmp_lt(best.s, zero));
        if (m32x8_movemask(overlaps) != 0)
            try_rim8(&best, overlaps, t, &c, k, true);
    }
    p->axis = best;
}

/* ---- points ---- */

/* place_on, of a point p. @return its feature */
VP_STEP i32x8 place_on8(f32x8 near, const cylinder8 *c, m32x8 top, vec3x8 *p)
{
    const f32x8 zero = f32x8_set1(0.0f), from_axis = flat_length8(p->x, p->z), in = f32x8_sub(c->radius, from_axis);
    const f32x8 below = f32x8_sub(c->half, f32x8_abs(p->y));
    const m32x8 upper = m32x8_or(f32x8_cmp_gt(p->y, zero), m32x8_and(f32x8_cmp_eq(p->y, zero), top));
    const m32x8 on_cap = m32x8_or(f32x8_cmp_le(below, near), f32x8_cmp_lt(below, in));
    const m32x8 on_side = m32x8_or(f32x8_cmp_le(in, near), f32x8_cmp_le(in, below)), some = f32x8_cmp_gt(from_axis, zero);
    const f32x8 scale = f32x8_maskz(some, f32x8_div(c->radius, from_axis));
    p->y = f32x8_select(on_cap, f32x8_select(upper, c->half, f32x8_neg(c->half)), p->y);
    p->x = f32x8_select(on_side, f32x8_select(some, f32x8_mul(p->x, scale), c->radius), p->x);
    p->z = f32x8_select(on_side, f32x8_mul(p->z, scale), p->z);
    const i32x8 cap = i32x8_maskz(upper, i32x8_set1(1)), rim = i32x8_or(cap, i32x8_set1(VP_SHAPE_EDGE));
    return i32x8_select(on_cap, i32x8_select(on_side, rim, cap), i32x8_set1(VP_SHAPE_FACE + 2));
}

/* touch_at */
VP_STEP void touch_cylinder_at(touch8 *best, m32x8 where, const local8 *t, const cylinder8 *c, m32x8 top, vec3x8 q, const f32x8 w[3])
{
    const f32x8 from_axis = flat_length8(q.x, q.z);
    const f32x8 held = f32x8_select(f32x8_cmp_gt(from_axis, c->radius), f32x8_div(c->radius, from_axis), f32x8_set1(1.0f));
    vec3x8 p = {f32x8_mul(q.x, held), clamp8(q.y, f32x8_neg(c->half), c->half), f32x8_mul(q.z, held)};
    const i32x8 feature = place_on8(f32x8_mul(t->size, f32x8_set1(VP_LOCAL_ROUNDING * 0.5f)), c, top, &p);
    touch_take8(best, where, t, vec3x8_length(vec3x8_sub(p, q)), p, w, feature);
}

VP_STEP void touch_cylinder_edge(touch8 *best, m32x8 where, const local8 *t, const cylinder8 *c, m32x8 top, vec3x8 by, int k)
{
    const f32x8 zero = f32x8_set1(0.0f), nothing = f32x8_set1(VP_LOCAL_NOTHING);
    const vec3x8 e = t->along[k], from = vec3x8_sub(t->corner[k], by), to = vec3x8_sub(t->corner[(k + 1) % 3], by);
    const f32x8 sine = flat_length8(e.x, e.z), gx = f32x8_div(e.x, sine), gz = f32x8_div(e.z, sine);
    const f32x8 across = f32x8_sub(f32x8_mul(from.x, gz), f32x8_mul(from.z, gx));
    const f32x8 middle = f32x8_neg(f32x8_add(f32x8_mul(from.x, gx), f32x8_mul(from.z, gz)));
    const f32x8 chord = f32x8_sub(f32x8_mul(c->radius, c->radius), f32x8_mul(across, across));
    const f32x8 side = f32x8_maskz(f32x8_cmp_gt(chord, zero), f32x8_sqrt(f32x8_max(chord, zero)));
    const f32x8 at[5] = {f32x8_div(middle, sine), f32x8_div(f32x8_sub(middle, side), sine), f32x8_div(f32x8_add(middle, side), sine),
                         f32x8_div(f32x8_sub(f32x8_neg(c->half), from.y), e.y), f32x8_div(f32x8_sub(c->half, from.y), e.y)};
    const m32x8 leans = m32x8_and(where, f32x8_cmp_gt(sine, nothing)), rises = m32x8_and(where, f32x8_cmp_gt(f32x8_abs(e.y), nothing));
    for (int i = 0; i < 5; i++) {
        f32x8 w[3];
        const f32x8 part = unit_clamp8(f32x8_div(at[i], t->length[k])), rest = f32x8_sub(f32x8_set1(1.0f), part);
        weights_on_edge8(k, part, w);
        touch_cylinder_at(best, i < 3 ? leans : rises, t, c, top, vec3x8_add(vec3x8_scale(from, rest), vec3x8_scale(to, part)), w);
    }
}

VP_STEP touch8 find_cylinder_touch(const shape8 *shape, pair8 *p, uint32_t set)
{
    const local8 *t = &p->t;
    const f32x8 zero = f32x8_set1(0.0f), one = f32x8_set1(1.0f);
    const cylinder8 c = cylinder_of8(shape);
    const vec3x8 u = p->axis.u, by = vec3x8_scale(u, f32x8_neg(p->axis.s));
    const m32x8 top = f32x8_cmp_lt(u.y, zero), where = m32x8_of_bits(set);
    const face8 face = face_of8(p);
    vec3x8 m = {f32x8_neg(u.x), zero, f32x8_neg(u.z)};
    const m32x8 some = vec3x8_make_unit(&m, f32x8_set1(VP_LOCAL_NOTHING));
    m.x = f32x8_select(some, m.x, one);
    m.z = f32x8_maskz(some, m.z);
    const vec3x8 low = {f32x8_mul(c.radius, m.x), f32x8_neg(c.half), f32x8_mul(c.radius, m.z)}, high = {low.x, c.half, low.z};
    const vec3x8 cap = {zero, f32x8_select(top, c.half, f32x8_neg(c.half)), zero};
    touch8 touch = touch_begin8();
    touch_point8(&touch, where, t, &face, by, cap, i32x8_maskz(top, i32x8_set1(1)));
    touch_point8(&touch, where, t, &face, by, low, i32x8_set1(VP_SHAPE_EDGE));
    touch_point8(&touch, where, t, &face, by, high, i32x8_set1(VP_SHAPE_EDGE + 1));
    for (int k = 0; k < 3; k++) {
        f32x8 w[3] = {zero, zero, zero};
        w[k] = one;
        touch_cylinder_at(&touch, where, t, &c, top, vec3x8_sub(t->corner[k], by), w);
    }
    for (int k = 0; k < 3; k++) {
        const m32x8 open = m32x8_and(m32x8_and(where, can_be_nearer(t, &touch)), f32x8_cmp_gt(t->length[k], zero));
        if (m32x8_movemask(open) != 0)
            touch_cylinder_edge(&touch, open, t, &c, top, by, k);
    }
    return touch;
}

static void collide_cylinder(const vp_collide_job *job)
{
    const float radius = job->shape->radius, half = job->shape->half_height;
    const shape8 shape = {
        .shape = job->shape, .reach = sqrtf(radius * radius + half * half), .margin = job->margin, .is_turned = true, .may_be_thin = true};
    collide_in_lanes(job, &shape, find_cylinder_axis, find_cylinder_touch, vp_collide_cylinder_scalar);
}
