/* SPDX-License-Identifier: MIT */
#include "host/camera.h"

#include <float.h>
#include <math.h>

#include "src/core/error.h"

/* The sine of an angle in degrees. Reduces to a quarter turn around 0, then sums the series until terms are below 2^-53. */
static double sine(double degrees)
{
    double turns = degrees / 360;
    turns -= floor(turns + 0.5); /* -0.5 to 0.5 */
    if (turns > 0.25)
        turns = 0.5 - turns;
    else if (turns < -0.25)
        turns = -0.5 - turns;
    const double x = turns * 6.283185307179586, square = x * x;
    double sum = 1;
    for (int n = 22; n >= 2; n -= 2)
        sum = 1 - square / (n * (n + 1)) * sum;
    return x * sum;
}

static double cosine(double degrees)
{
    return sine(degrees + 90);
}

vp_vec3 vp_unit(vp_vec3 v)
{
    const double x = v.x, y = v.y, z = v.z, length = sqrt((x * x + y * y) + z * z);
    return length > 0 ? (vp_vec3){(float)(x / length), (float)(y / length), (float)(z / length)} : v;
}

vp_vec3 vp_direction_of(float yaw, float pitch)
{
    const double c = cosine(pitch);
    return (vp_vec3){(float)(sine(yaw) * c), (float)sine(pitch), (float)(cosine(yaw) * c)};
}

vp_view vp_view_default(void)
{
    return (vp_view){.yaw = 35, .pitch = 30, .fov = 35, .aspect = 16.0f / 9};
}

static vp_vec3 corner_of(const vp_aabb *box, int i)
{
    return (vp_vec3){i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y, i & 4 ? box->max.z : box->min.z};
}

/* Smallest distance of an eye from the target at which the whole box is in view, with a small border. */
static float fitting_distance(const vp_camera *c, const vp_aabb *box, vp_vec3 target, float reach_x, float reach_y)
{
    const float room = 1.05f;
    float distance = 0;
    for (int i = 0; i < 8; i++) {
        const vp_vec3 d = vp_vec3_sub(corner_of(box, i), target);
        const float ahead = vp_vec3_dot(d, c->forward);
        distance = vp_max(distance, fabsf(vp_vec3_dot(d, c->right)) * room / reach_x - ahead);
        distance = vp_max(distance, fabsf(vp_vec3_dot(d, c->up)) * room / reach_y - ahead);
    }
    return distance;
}

/* Moves a target so that the box is in the middle of the view from this distance. */
static vp_vec3 middle_of_view(const vp_camera *c, const vp_aabb *box, vp_vec3 target, float distance)
{
    float low[2] = {FLT_MAX, FLT_MAX}, high[2] = {-FLT_MAX, -FLT_MAX};
    for (int i = 0; i < 8; i++) {
        const vp_vec3 d = vp_vec3_sub(corner_of(box, i), target);
        const float ahead = vp_max(distance + vp_vec3_dot(d, c->forward), distance * 0.01f);
        const float at[2] = {vp_vec3_dot(d, c->right) / ahead, vp_vec3_dot(d, c->up) / ahead};
        for (int k = 0; k < 2; k++) {
            low[k] = vp_min(low[k], at[k]);
            high[k] = vp_max(high[k], at[k]);
        }
    }
    return vp_vec3_add(target, vp_vec3_add(vp_vec3_scale(c->right, (low[0] + high[0]) * 0.5f * distance),
                                           vp_vec3_scale(c->up, (low[1] + high[1]) * 0.5f * distance)));
}

static vp_status check_point(const char *name, vp_vec3 p, vp_error *error)
{
    const float at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(at[k]) <= VP_KD_MAX))
            return vp_fail(error, VP_E_ARGUMENT, "the %s has %c = %g; the absolute value must be at most 2^40", name, "xyz"[k],
                           (double)at[k]);
    return VP_OK;
}

vp_status vp_camera_make(const vp_view *view, const vp_aabb *box, vp_camera *out, vp_error *error)
{
    const vp_vec3 middle = vp_vec3_scale(vp_vec3_add(box->min, box->max), 0.5f);
    vp_vec3 target = view->has_target ? view->target : middle;
    const vp_vec3 away = vp_direction_of(view->yaw, view->pitch);
    vp_camera c = {.forward = view->has_eye ? vp_unit(vp_vec3_sub(target, view->eye)) : vp_vec3_scale(away, -1)};
    if (view->has_eye && c.forward.x == 0 && c.forward.y == 0 && c.forward.z == 0)
        return vp_fail(error, VP_E_ARGUMENT, "the eye is at its target, (%g, %g, %g)", (double)target.x, (double)target.y,
                       (double)target.z);
    /* Looking straight up or down, `yaw` gives the direction of the picture's upper edge. */
    const bool upright = fabsf(c.forward.y) > 0.999999f;
    const vp_vec3 level = vp_direction_of(view->yaw, 0), up = upright ? vp_vec3_scale(level, c.forward.y) : (vp_vec3){0, 1, 0};
    c.right = vp_unit(vp_vec3_cross(c.forward, up));
    c.up = vp_vec3_cross(c.right, c.forward);
    const float reach_y = (float)(sine(view->fov / 2) / cosine(view->fov / 2)), reach_x = reach_y * view->aspect;
    float distance = view->distance > 0 ? view->distance : fitting_distance(&c, box, target, reach_x, reach_y);
    /* Steps shrink, so this converges. With a given distance it may not, because corners may lie behind the eye. */
    const bool fits = !view->has_eye && !view->has_target && view->distance <= 0;
    for (int i = 0; i < 8 && fits && distance > 0; i++) {
        target = middle_of_view(&c, box, target, distance);
        distance = fitting_distance(&c, box, target, reach_x, reach_y);
    }
    if (distance == 0) /* the box is a point */
        distance = 1;
    c.eye = view->has_eye ? view->eye : vp_vec3_add(target, vp_vec3_scale(away, distance));
    vp_status status = check_point("target", target, error);
    if (status == VP_OK)
        status = check_point("eye", c.eye, error);
    if (status != VP_OK)
        return status;
    c.right = vp_vec3_scale(c.right, reach_x);
    c.up = vp_vec3_scale(c.up, reach_y);
    *out = c;
    return VP_OK;
}

vp_ray vp_camera_ray(const vp_camera *camera, float across, float up)
{
    const vp_vec3 beside = vp_vec3_add(vp_vec3_scale(camera->right, across), vp_vec3_scale(camera->up, up));
    return (vp_ray){camera->eye, vp_unit(vp_vec3_add(camera->forward, beside)), INFINITY};
}
