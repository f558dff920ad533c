/* SPDX-License-Identifier: MIT */
/* A capsule against eight triangles in lanes (lanes.h). Directions and points as in reference/narrowphase/capsule.c. */
#include "optimized/narrowphase/lanes.h"

VP_STEP void try_capsule_axis(axis8 *best, m32x8 where, const local8 *t, f32x8 half, vec3x8 u)
{
    axis_take_where(best, where, f32x8_sub(f32x8_neg(f32x8_mul(half, f32x8_abs(u.y))), local_reach8(t, u)), u);
}

VP_STEP void find_capsule_axis(const shape8 *shape, pair8 *p)
{
    const local8 *t = &p->t;
    const f32x8 zero = f32x8_set1(0.0f), half = f32x8_set1(shape->shape->half_height),
                nothing = f32x8_set1(shape->reach * VP_LOCAL_NOTHING);
    axis8 best;
    f32x8 back;
    const f32x8 minus_segment = f32x8_neg(f32x8_mul(half, f32x8_abs(p->normal.y)));
    minus_reach_both(t, p->normal, &best.s, &back);
    best.s = f32x8_add(minus_segment, best.s);
    best.u = p->normal;
    axis_take8(&best, f32x8_add(minus_segment, back), vec3x8_neg(p->normal));
    for (int k = 0; k < 3; k++) {
        vec3x8 u = {f32x8_neg(t->along[k].z), zero, t->along[k].x};
        const m32x8 some = vec3x8_make_unit(&u, f32x8_set1(VP_LOCAL_NOTHING));
        axis_take_both(&best, some, t, f32x8_neg(f32x8_mul(half, f32x8_abs(u.y))), u);
    }
    for (int k = 0; k < 3; k++)
        for (int end = 0; end < 2; end++) {
            vec3x8 u = vec3x8_sub((vec3x8){zero, end == 0 ? f32x8_neg(half) : half, zero}, t->corner[k]);
            const m32x8 some = vec3x8_make_unit_square(&u, t->along[k], nothing);
            try_capsule_axis(&best, some, t, half, u);
        }
    for (int k = 0; k < 3; k++) {
        vec3x8 u = vec3x8_sub((vec3x8){zero, clamp8(t->corner[k].y, f32x8_neg(half), half), zero}, t->corner[k]);
        const m32x8 some = vec3x8_make_unit(&u, nothing);
        try_capsule_axis(&best, some, t, half, u);
    }
    p->axis = best;
}

VP_STEP touch8 find_capsule_touch(const shape8 *shape, pair8 *p, uint32_t set)
{
    const float half = shape->shape->half_height;
    const i32x8 feature[3] = {i32x8_set1(VP_SHAPE_FACE), i32x8_set1((int32_t)VP_SHAPE_CORNER), i32x8_set1((int32_t)(VP_SHAPE_CORNER + 1))};
    const vec3x8 low = vec3x8_set1((vp_vec3){0.0f, -half, 0.0f}), high = vec3x8_set1((vp_vec3){0.0f, half, 0.0f});
    const vec3x8 along = vec3x8_set1((vp_vec3){0.0f, 1.0f, 0.0f}), by = vec3x8_scale(p->axis.u, f32x8_neg(p->axis.s));
    const m32x8 where = m32x8_of_bits(set);
    const face8 face = face_of8(p);
    touch8 touch = touch_begin8();
    touch_point8(&touch, where, &p->t, &face, by, low, feature[1]);
    touch_point8(&touch, where, &p->t, &face, by, high, feature[2]);
    for (int k = 0; k < 3; k++) {
        const m32x8 open = m32x8_and(where, can_be_nearer(&p->t, &touch));
        if (m32x8_movemask(open) != 0)
            touch_edges8(&touch, open, &p->t, k, by, low, along, f32x8_set1(half + half), feature);
    }
    touch.on_shape = vec3x8_sub(touch.on_shape, vec3x8_scale(p->axis.u, f32x8_set1(shape->less)));
    return touch;
}

static void collide_capsule(const vp_collide_job *job)
{
    const float radius = job->shape->radius;
    const shape8 shape = {
        .shape = job->shape, .reach = job->shape->half_height + radius, .less = radius, .margin = job->margin, .is_turned = true};
    collide_in_lanes(job, &shape, find_capsule_axis, find_capsule_touch, vp_collide_capsule_scalar);
}
