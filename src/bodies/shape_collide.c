/* SPDX-License-Identifier: MIT */
/* Collision of two shapes: checks, direction and contact place of their cores, and the result. */
#include "src/bodies/shape_pair.h"

#include <math.h>

#include "src/core/error.h"
#include "src/narrowphase/run.h"

vp_status vp_pair_begin(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_shape_pair *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "vp_manifold_body.shape of a, vp_manifold_body.shape of b", a->shape, b->shape);
    VP_RETURN_IF_FAILED(vp_collide_check(a->shape, &a->pose, margin, NULL, error));
    VP_RETURN_IF_FAILED(vp_collide_check(b->shape, &b->pose, margin, NULL, error));
    vp_core_of(a->shape, &a->pose, a->pose.position, &out->a);
    vp_core_of(b->shape, &b->pose, a->pose.position, &out->b);
    out->s = -INFINITY;
    out->u = (vp_real3){0.0, 1.0, 0.0};
    out->on_a = (vp_real3){0.0, 0.0, 0.0};
    out->feature_a = out->feature_b = 0;
    out->margin = ((double)margin + out->a.radius) + out->b.radius;
    const vp_real3 at = out->b.position;
    const double radius = vp_double_max((double)vp_collide_radius(a->shape), (double)vp_collide_radius(b->shape));
    out->size = vp_double_max(radius, vp_double_max(vp_double_max(fabs(at.x), fabs(at.y)), fabs(at.z)));
    vp_real3 way = vp_real3_sub(out->a.position, at);
    vp_pair_try(out, vp_real3_make_unit(&way, out->size * VP_PAIR_NOTHING) ? way : out->u);
    return VP_OK;
}

/* Whether to swap the shapes. A cylinder and a polytope need the cylinder as shape a. */
static bool is_swapped(const vp_shape_pair *pair)
{
    return vp_core_is_cylinder(&pair->b) && !vp_core_is_cylinder(&pair->a);
}

void vp_pair_direction(vp_shape_pair *pair)
{
    const bool swapped = is_swapped(pair);
    if (vp_pair_is_beyond(pair)) /* the direction between the positions suffices */
        return;
    if (swapped)
        vp_pair_swap(pair);
    if (!vp_core_is_cylinder(&pair->a))
        vp_pair_polytopes_direction(pair);
    else if (!vp_core_is_cylinder(&pair->b))
        vp_pair_cylinder_polytope_direction(pair);
    else
        vp_pair_cylinders_direction(pair);
    if (swapped)
        vp_pair_swap(pair);
}

void vp_pair_place(vp_shape_pair *pair)
{
    const bool swapped = is_swapped(pair);
    if (swapped)
        vp_pair_swap(pair);
    if (!vp_core_is_cylinder(&pair->a))
        vp_pair_polytopes_place(pair);
    else if (!vp_core_is_cylinder(&pair->b))
        vp_pair_cylinder_polytope_place(pair);
    else
        vp_pair_cylinders_place(pair);
    if (swapped)
        vp_pair_swap(pair);
}

static double distance_of(const vp_shape_pair *pair)
{
    return (pair->s - pair->a.radius) - pair->b.radius;
}

vp_status vp_shapes_collide(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_shape_contact *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, a, b, out);
    vp_shape_pair pair;
    VP_RETURN_IF_FAILED(vp_pair_begin(a, b, margin, &pair, error));
    vp_pair_direction(&pair);
    const double distance = distance_of(&pair);
    *out = (vp_shape_contact){
        .distance = (float)distance, .normal = vp_real3_rounded(pair.u), .feature_a = VP_COLLIDE_NONE, .feature_b = VP_COLLIDE_NONE};
    if (!vp_pair_is_beyond(&pair)) {
        vp_pair_place(&pair);
        const vp_real3 on_a = vp_real3_plus(pair.on_a, pair.u, -pair.a.radius);
        out->on_a = vp_real3_rounded(on_a);
        out->on_b = vp_real3_rounded(vp_real3_plus(on_a, pair.u, -distance));
        out->feature_a = pair.feature_a;
        out->feature_b = pair.feature_b;
    }
    return vp_succeed(error);
}

vp_status vp_shapes_overlap(const vp_manifold_body *a, const vp_manifold_body *b, bool *overlap, vp_error *error)
{
    VP_RETURN_IF_NULL(error, a, b, overlap);
    vp_shape_pair pair;
    VP_RETURN_IF_FAILED(vp_pair_begin(a, b, 0.0f, &pair, error));
    vp_pair_direction(&pair);
    *overlap = !vp_pair_is_beyond(&pair);
    return vp_succeed(error);
}
