/* SPDX-License-Identifier: MIT */
#include "reference/kd_answers.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"

vp_status vp_refuse_ray(const char *name, const vp_ray *ray, vp_error *error)
{
    const float o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(o[k]) <= VP_KD_MOST))
            return vp_fail(error, VP_E_ARGUMENT, "%s's origin has %c = %g; %g is the most", name, "xyz"[k],
                           (double)o[k], (double)VP_KD_MOST);
    for (int k = 0; k < 3; k++)
        if (!isfinite(d[k]))
            return vp_fail(error, VP_E_ARGUMENT, "%s's direction has %c = %g", name, "xyz"[k], (double)d[k]);
    if (d[0] == 0.0f && d[1] == 0.0f && d[2] == 0.0f)
        return vp_fail(error, VP_E_ARGUMENT, "%s's direction is (0, 0, 0)", name);
    return vp_fail(error, VP_E_ARGUMENT, "%s's t_max is %g; it must be 0 or more", name, (double)ray->t_max);
}

vp_status vp_refuse_ray_number(size_t number, const vp_ray *ray, vp_error *error)
{
    char name[32];
    snprintf(name, sizeof name, "ray %zu", number);
    return vp_refuse_ray(name, ray, error);
}

vp_status vp_refuse_radius(float radius, vp_error *error)
{
    return vp_fail(error, VP_E_ARGUMENT, "the radius is %g; it must be from 0 to %g", (double)radius,
                   (double)VP_KD_MOST);
}

vp_status vp_refuse_box(const vp_aabb *box, vp_error *error)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    int k = 0;
    while (k < 2 && low[k] <= high[k])
        k++;
    return vp_fail(error, VP_E_ARGUMENT, "the box goes from %.9g to %.9g along %c", (double)low[k], (double)high[k],
                   "xyz"[k]);
}

vp_surface_point vp_point_on_triangle(const vp_vec3 corner[3], const vp_ray *ray, float t)
{
    /* In double: a float's cross product of two long sides that nearly coincide has no right digit left. */
    const vp_vec3 a = corner[0], b = corner[1], c = corner[2];
    const double ab[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    const double ac[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
    const double n[3] = {ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]};
    const double length = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    vp_surface_point p = {.point = vp_vec3_add(ray->origin, vp_vec3_scale(ray->direction, t))};
    if (length > 0)
        p.normal = (vp_vec3){(float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length)};
    return p;
}
