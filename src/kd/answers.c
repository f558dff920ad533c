/* SPDX-License-Identifier: MIT */
#include "src/kd/answers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/error.h"
#include "src/kd/sphere_triangle.h"

vp_status vp_refuse_ray(const char *name, const vp_ray *ray, vp_error *error)
{
    const float o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(o[k]) <= VP_KD_MAX))
            return vp_fail(error, VP_E_ARGUMENT, "%s's origin has %c = %g; the absolute value must be at most 2^40", name, "xyz"[k],
                           (double)o[k]);
    for (int k = 0; k < 3; k++)
        if (!isfinite(d[k]))
            return vp_fail(error, VP_E_ARGUMENT, "%s's direction has %c = %g; must be finite", name, "xyz"[k], (double)d[k]);
    if (d[0] == 0.0f && d[1] == 0.0f && d[2] == 0.0f)
        return vp_fail(error, VP_E_ARGUMENT, "%s's direction is (0, 0, 0); must not be 0", name);
    return vp_fail(error, VP_E_ARGUMENT, "%s's t_max is %g; must be >= 0", name, (double)ray->t_max);
}

vp_status vp_refuse_ray_number(size_t number, const vp_ray *ray, vp_error *error)
{
    char name[32];
    snprintf(name, sizeof name, "ray %zu", number);
    return vp_refuse_ray(name, ray, error);
}

vp_status vp_refuse_radius(float radius, vp_error *error)
{
    return vp_fail(error, VP_E_ARGUMENT, "radius is %g; must be 0 to 2^40", (double)radius);
}

vp_status vp_refuse_box(const vp_aabb *box, vp_error *error)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    int k = 0;
    while (k < 2 && low[k] <= high[k])
        k++;
    return vp_fail(error, VP_E_ARGUMENT, "the box goes from %.9g to %.9g along %c; must be min <= max", (double)low[k], (double)high[k],
                   "xyz"[k]);
}

/* In double, because a float cross product of two long sides that nearly coincide has no correct digit. */
vp_vec3 vp_triangle_normal(const vp_vec3 corner[3])
{
    const vp_vec3 a = corner[0], b = corner[1], c = corner[2];
    const vp_real3 ab = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    const vp_real3 ac = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
    const vp_real3 n = vp_real3_cross(ab, ac);
    const double length = sqrt(vp_real3_dot(n, n));
    return length > 0 ? (vp_vec3){(float)(n.x / length), (float)(n.y / length), (float)(n.z / length)} : (vp_vec3){0, 0, 0};
}

vp_vec3 vp_ray_point(const vp_ray *ray, float t)
{
    return vp_vec3_add(ray->origin, vp_vec3_scale(ray->direction, t));
}

/* ---- spheres ---- */

static double largest_coordinate_of(vp_real3 v)
{
    return fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z));
}

/* + 0 removes -0. */
static vp_vec3 round_to_float(vp_real3 v)
{
    return (vp_vec3){(float)v.x + 0.0f, (float)v.y + 0.0f, (float)v.z + 0.0f};
}

/* The direction if the centre lies on the triangle: the side that it comes from. */
static vp_vec3 side_of(const vp_vec3 corner[3], vp_real3 d)
{
    const vp_vec3 n = vp_triangle_normal(corner);
    const double along = vp_real3_dot((vp_real3){n.x, n.y, n.z}, d), length = sqrt(vp_real3_dot(d, d));
    if (n.x == 0 && n.y == 0 && n.z == 0)
        return round_to_float((vp_real3){-d.x / length, -d.y / length, -d.z / length});
    const double sign = along > 0 ? -1 : 1;
    return round_to_float((vp_real3){sign * n.x, sign * n.y, sign * n.z});
}

/* Computes the contact again, for its parameter without the rounding to a float. */
vp_sphere_contact vp_contact_with_triangle(const vp_vec3 corner[3], const vp_ray *ray, float radius, float t)
{
    vp_ray_frame frame;
    vp_contact_point first, weights;
    vp_real3 p[3];
    float at[3][3];
    vp_sphere_contact contact = {.started_inside = false};
    if (!vp_ray_frame_of(ray, &frame))
        return contact;
    for (int i = 0; i < 3; i++)
        memcpy(at[i], &corner[i], sizeof at[i]);
    vp_from_origin(&frame, at[0], at[1], at[2], p);
    double s = t / frame.unscale;
    if (vp_sphere_first(&frame, radius, p, &first)) {
        s = first.s;
        contact.started_inside = (float)first.distance < radius;
        contact.depth = contact.started_inside ? (float)(radius - first.distance) : 0;
    }
    const vp_real3 origin = {frame.origin[0], frame.origin[1], frame.origin[2]};
    const vp_real3 d = {frame.direction[0], frame.direction[1], frame.direction[2]}, centre = {s * d.x, s * d.y, s * d.z};
    double max = largest_coordinate_of(centre);
    for (int i = 0; i < 3; i++) {
        max = fmax(max, largest_coordinate_of(p[i]));
        p[i] = vp_real3_sub(p[i], centre);
    }
    const vp_real3 to = vp_nearest_point(p, &weights);
    const double distance = sqrt(vp_real3_dot(to, to));
    contact.centre = round_to_float(vp_real3_plus(origin, centre, 1));
    contact.point = round_to_float(vp_real3_plus(vp_real3_plus(origin, centre, 1), to, 1));
    contact.normal =
        distance > max * 0x1p-40 ? round_to_float((vp_real3){-to.x / distance, -to.y / distance, -to.z / distance}) : side_of(corner, d);
    return contact;
}
