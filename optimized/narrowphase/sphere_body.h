/* SPDX-License-Identifier: MIT */
/* A sphere against eight triangles in lanes (lanes.h). Directions and points as in reference/narrowphase/sphere.c. */
#include "optimized/narrowphase/lanes.h"

VP_STEP void find_sphere_axis(const shape8 *shape, pair8 *p)
{
    const local8 *t = &p->t;
    const f32x8 nothing = f32x8_set1(shape->reach * VP_LOCAL_NOTHING);
    axis8 best;
    f32x8 back;
    minus_reach_both(t, p->normal, &best.s, &back);
    best.u = p->normal;
    axis_take8(&best, back, vec3x8_neg(p->normal));
    for (int k = 0; k < 3; k++) {
        vec3x8 u = vec3x8_neg(t->corner[k]);
        const m32x8 some = vec3x8_make_unit_square(&u, t->along[k], nothing);
        axis_take_where(&best, some, f32x8_neg(local_reach8(t, u)), u);
    }
    for (int k = 0; k < 3; k++) {
        vec3x8 u = vec3x8_neg(t->corner[k]);
        const m32x8 some = vec3x8_make_unit(&u, nothing);
        axis_take_where(&best, some, f32x8_neg(local_reach8(t, u)), u);
    }
    p->axis = best;
}

VP_STEP touch8 find_sphere_touch(const shape8 *shape, pair8 *p, uint32_t set)
{
    const f32x8 zero = f32x8_set1(0.0f);
    const face8 face = face_of8(p);
    const vec3x8 by = vec3x8_scale(p->axis.u, f32x8_neg(p->axis.s)), centre = {zero, zero, zero};
    touch8 touch;
    touch.apart = nearest_on_triangle8(&p->t, &face, set, vec3x8_add(centre, by), touch.weight);
    touch.on_shape = vec3x8_scale(p->axis.u, f32x8_set1(-shape->less));
    touch.feature = i32x8_set1(VP_SHAPE_FACE);
    return touch;
}

static void collide_sphere(const vp_collide_job *job)
{
    const float radius = job->shape->radius;
    const shape8 shape = {.shape = job->shape, .reach = radius, .less = radius, .margin = job->margin};
    collide_in_lanes(job, &shape, find_sphere_axis, find_sphere_touch, vp_collide_sphere_scalar);
}
