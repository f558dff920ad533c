/* SPDX-License-Identifier: MIT */
/* A moving shape against another shape, by conservative advancement (B. Mirtich, "Impulse-based Dynamic Simulation of
 * Rigid Body Systems", 1996). The distance is a convex function of the way. The contact normal defines a plane that
 * separates the shapes. So a step to where the moving shape would reach this plane, which is Newton's step, never
 * passes the first contact. Each step is better than the one before. */
#include "src/bodies/cast.h"

#include <voxphys/shapes.h>

#include "src/core/error.h"

enum { STEPS = 100 }; /* a grazing contact needs one step per bit */

typedef struct pair {
    const vp_manifold_body *other;
    vp_manifold_body moving;
    vp_real3 start; /* position of the moving shape relative to the other, world axes */
    vp_real3 along; /* direction, length 1, world axes */
    double exact;   /* shapes closer than this touch */
} pair;

/* The contact after `at` of the way. The other shape is at the origin, so that positions are small. */
static vp_status collide_at(pair *p, double at, vp_shape_contact *out, vp_error *error)
{
    vp_manifold_body other = *p->other;
    other.pose.position = (vp_vec3){0.0f, 0.0f, 0.0f};
    p->moving.pose.position = vp_real3_rounded(vp_real3_plus(p->start, p->along, at));
    return vp_shapes_collide(&p->moving, &other, INFINITY, out, error);
}

/* Finds the first contact, if any. @param at  receives the way to it */
static vp_status find_contact(pair *p, const vp_shape_cast *c, double *at, bool *found, vp_shape_contact *contact, vp_error *error)
{
    *at = 0.0;
    *found = false;
    for (int i = 0; i < STEPS; i++) {
        VP_RETURN_IF_FAILED(collide_at(p, *at, contact, error));
        const double distance = (double)contact->distance, closing = -vp_real3_dot(vp_real3_of(contact->normal), p->along);
        const double rest = closing * (c->length - *at);
        if (i == 0 && distance < -4.0 * c->tolerance) {
            *found = true;
            return VP_OK;
        }
        if (rest - (distance > 0.0 ? distance : 0.0) <= c->tolerance)
            return VP_OK; /* the separating plane is not reached, or not pressed */
        *at += distance > 0.0 ? distance / closing : 0.0;
        if (distance <= p->exact || i == STEPS - 1) {
            const vp_vec3 normal = contact->normal; /* kept, because a thin shape that touches has two opposite normals */
            *found = true;
            const vp_status last = collide_at(p, *at, contact, error);
            contact->normal = normal;
            return last;
        }
    }
    return VP_OK;
}

vp_status vp_cast_shape(const vp_cast_def *def, const vp_manifold_body *other, vp_cast_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, other, out);
    vp_shape_cast cast;
    vp_kernels default_kernels;
    vp_collide_frame frame;
    vp_shape_contact contact;
    double at;
    bool found;
    VP_RETURN_IF_NULL_NAMED(error, "vp_manifold_body.shape of other", other->shape);
    VP_RETURN_IF_FAILED(vp_cast_begin(def, &default_kernels, &cast, error));
    VP_RETURN_IF_FAILED(vp_collide_shape_check(other->shape, error));
    VP_RETURN_IF_FAILED(vp_collide_frame_of(&other->pose, &frame, error));
    const vp_real3 start = vp_real3_sub(vp_real3_of(cast.frame.position), vp_real3_of(frame.position));
    const double size = (double)vp_collide_radius(def->shape) + (double)vp_collide_radius(other->shape);
    const vp_real3 way = vp_cast_to_world(&cast.frame, cast.along);
    pair p = {other, {def->shape, def->pose}, start, vp_real3_scale(way, 1.0 / vp_real3_length(way)), size * 0x1p-21};
    VP_RETURN_IF_FAILED(find_contact(&p, &cast, &at, &found, &contact, error));
    vp_cast_hit hit = vp_cast_miss();
    if (found) {
        hit.found = true;
        hit.started_inside = at == 0.0 && (double)contact.distance < -4.0 * cast.tolerance;
        hit.t = vp_cast_part(&cast, at);
        hit.depth = hit.started_inside ? -contact.distance : 0.0f;
        const vp_real3 moved = vp_real3_plus(vp_real3_of(cast.frame.position), p.along, at);
        hit.point = vp_real3_rounded(vp_real3_plus(moved, vp_real3_of(contact.on_a), 1.0));
        hit.normal = contact.normal;
    }
    *out = hit;
    return vp_succeed(error);
}
