/* SPDX-License-Identifier: MIT */
/* Compounds: checks, poses of parts, bounds, mass. */
#include "src/bodies/compound.h"

#include <math.h>

#include "src/core/error.h"
#include "src/core/real3.h"

vp_status vp_compound_fail(uint32_t part, vp_status status, const vp_error *why, vp_error *error)
{
    return vp_fail(error, status, "part %u: %s", part, why->message);
}

vp_status vp_compound_check(const vp_compound *compound, vp_error *error)
{
    VP_RETURN_IF_NULL(error, compound);
    vp_collide_frame frame;
    vp_error why;
    if (compound->count == 0 || compound->count > VP_COMPOUND_MAX_PARTS)
        return vp_fail(error, VP_E_ARGUMENT, "vp_compound.count is %u; must be 1 to %d", compound->count, (int)VP_COMPOUND_MAX_PARTS);
    if (compound->part == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_compound.part is NULL, count is %u", compound->count);
    for (uint32_t i = 0; i < compound->count; i++) {
        const vp_compound_part *p = &compound->part[i];
        if (p->shape == NULL)
            return vp_fail(error, VP_E_ARGUMENT, "part %u: shape is NULL", i);
        vp_status status = vp_collide_shape_check(p->shape, &why);
        if (status == VP_OK)
            status = vp_collide_frame_of(&p->pose, &frame, &why);
        if (status != VP_OK)
            return vp_compound_fail(i, status, &why, error);
    }
    return vp_succeed(error);
}

vp_status vp_compound_check_body(const vp_compound_body *body, vp_error *error)
{
    vp_collide_frame frame;
    VP_RETURN_IF_FAILED(vp_compound_check(body->compound, error));
    return vp_collide_frame_of(&body->pose, &frame, error);
}

/* ---- poses ---- */

static bool is_turned(const vp_pose *pose)
{
    const float *q = pose->rotation;
    return !(q[0] == 0.0f && q[1] == 0.0f && q[2] == 0.0f && q[3] == 1.0f);
}

static bool is_moved(const vp_pose *pose)
{
    return !(pose->position.x == 0.0f && pose->position.y == 0.0f && pose->position.z == 0.0f);
}

static float radius_of_part(const vp_compound_part *part)
{
    const float own = vp_collide_radius(part->shape);
    return is_moved(&part->pose) ? ((float)vp_real3_length(vp_real3_of(part->pose.position)) + own) * (1.0f + 0x1p-20f) : own;
}

float vp_compound_radius(const vp_compound *compound)
{
    float max = 0.0f;
    for (uint32_t i = 0; i < compound->count; i++)
        max = fmaxf(max, radius_of_part(&compound->part[i]));
    return max;
}

/* Rotates a vector. The quaternion is divided by its length. */
static vp_real3 rotate_vector(const float q[4], vp_real3 v)
{
    const vp_real3 u = {(double)q[0], (double)q[1], (double)q[2]};
    const double w = (double)q[3], twice = 2.0 / (vp_real3_dot(u, u) + w * w);
    const vp_real3 across = vp_real3_cross(u, v);
    return vp_real3_plus(v, vp_real3_plus(vp_real3_cross(u, across), across, w), twice);
}

static void multiply_quaternions(const float a[4], const float b[4], float out[4])
{
    const vp_real3 u = {(double)a[0], (double)a[1], (double)a[2]}, v = {(double)b[0], (double)b[1], (double)b[2]};
    const double w = (double)a[3], x = (double)b[3], length = sqrt(vp_real3_dot(v, v) + x * x);
    const vp_real3 product = vp_real3_plus(vp_real3_plus(vp_real3_cross(u, v), u, x), v, w);
    out[0] = (float)(product.x / length);
    out[1] = (float)(product.y / length);
    out[2] = (float)(product.z / length);
    out[3] = (float)((w * x - vp_real3_dot(u, v)) / length);
}

vp_pose vp_compound_part_pose(const vp_compound_part *part, const vp_pose *pose)
{
    vp_pose out = *pose; /* exactly the body's pose if the part has the body's frame */
    if (is_moved(&part->pose))
        out.position = vp_real3_rounded(
            vp_real3_plus(vp_real3_of(pose->position), rotate_vector(pose->rotation, vp_real3_of(part->pose.position)), 1.0));
    if (is_turned(&part->pose))
        multiply_quaternions(pose->rotation, part->pose.rotation, out.rotation);
    return out;
}

vp_status vp_compound_bounds(const vp_compound_body *body, float margin, vp_aabb *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, body, out);
    vp_aabb all = {0};
    vp_error why;
    VP_RETURN_IF_FAILED(vp_compound_check_body(body, error));
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < body->compound->count; i++) {
        const vp_compound_part *part = &body->compound->part[i];
        const vp_pose pose = vp_compound_part_pose(part, &body->pose);
        vp_aabb box;
        status = vp_collide_bounds(part->shape, &pose, margin, &box, &why);
        if (status != VP_OK)
            return vp_compound_fail(i, status, &why, error);
        all = i == 0 ? box : vp_aabb_union(&all, &box);
    }
    *out = all;
    return vp_succeed(error);
}

/* ---- mass ---- */

vp_status vp_mass_of_compound(const vp_compound *compound, vp_mass *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, compound, out);
    vp_mass sum[2]; /* the parts so far, and the next one */
    vp_error why;
    VP_RETURN_IF_FAILED(vp_compound_check(compound, error));
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < compound->count; i++) {
        const vp_compound_part *part = &compound->part[i];
        status = vp_mass_of_shape(part->shape, part->density, &sum[1], &why);
        if (status == VP_OK)
            status = vp_mass_at_pose(&sum[1], &part->pose, &sum[1], &why);
        if (status != VP_OK)
            return vp_compound_fail(i, status, &why, error);
        sum[0] = i == 0 ? sum[1] : vp_mass_sum(sum, 2);
    }
    *out = sum[0];
    return vp_succeed(error);
}
