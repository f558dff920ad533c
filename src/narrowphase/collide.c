/* SPDX-License-Identifier: MIT */
/* Shapes, poses and triangles: constructors, checks and bounds. Runs the kernels. */
#include "src/narrowphase/run.h"

#include <math.h>

#include "src/core/error.h"
#include "src/core/exact.h"

/* ---- shapes ---- */

/* Rounds up, by a little more than the rounding error. */
static float round_up(double length)
{
    return (float)(length * (1.0 + 0x1p-22));
}

vp_collide_shape vp_collide_sphere(float radius)
{
    return (vp_collide_shape){.kind = VP_COLLIDE_SPHERE, .radius = radius};
}

vp_collide_shape vp_collide_capsule(float radius, float half_height)
{
    return (vp_collide_shape){.kind = VP_COLLIDE_CAPSULE, .radius = radius, .half_height = half_height};
}

vp_collide_shape vp_collide_box(vp_vec3 half)
{
    return (vp_collide_shape){.kind = VP_COLLIDE_BOX, .half = half};
}

vp_collide_shape vp_collide_cylinder(float radius, float half_height)
{
    return (vp_collide_shape){.kind = VP_COLLIDE_CYLINDER, .radius = radius, .half_height = half_height};
}

vp_collide_shape vp_collide_hull_shape(const vp_collide_hull *hull)
{
    return (vp_collide_shape){.kind = VP_COLLIDE_HULL, .hull = hull};
}

float vp_collide_radius(const vp_collide_shape *shape)
{
    const double r = (double)shape->radius, h = (double)shape->half_height;
    const double x = (double)shape->half.x, y = (double)shape->half.y, z = (double)shape->half.z;
    switch (shape->kind) {
    case VP_COLLIDE_SPHERE:
        return shape->radius;
    case VP_COLLIDE_CAPSULE:
        return round_up(h + r);
    case VP_COLLIDE_BOX:
        return round_up(sqrt((x * x + y * y) + z * z));
    case VP_COLLIDE_CYLINDER:
        return round_up(sqrt(r * r + h * h));
    case VP_COLLIDE_HULL:
        return shape->hull->radius;
    default:
        return 0.0f;
    }
}

static vp_status check_length(float length, const char *name, vp_error *error)
{
    if (length >= 0.0f && length <= VP_COLLIDE_MAX_LENGTH)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "vp_collide_shape.%s is %g; must be 0 to 2^20", name, (double)length);
}

static vp_status check_lengths(const vp_collide_shape *shape, vp_error *error)
{
    vp_status status = VP_OK;
    if (shape->kind == VP_COLLIDE_BOX) {
        const float half[3] = {shape->half.x, shape->half.y, shape->half.z};
        const char *const name[3] = {"half.x", "half.y", "half.z"};
        for (int k = 0; k < 3 && status == VP_OK; k++)
            status = check_length(half[k], name[k], error);
        return status;
    }
    status = check_length(shape->radius, "radius", error);
    if (status == VP_OK && shape->kind != VP_COLLIDE_SPHERE)
        status = check_length(shape->half_height, "half_height", error);
    return status;
}

/* Whether all lengths are so far within the limits that the radius is too. Most shapes' are, and need no root. */
static bool has_usual_lengths(const vp_collide_shape *s)
{
    const float low = VP_COLLIDE_MIN_LENGTH, high = 0.25f * VP_COLLIDE_MAX_LENGTH;
    const float a = s->kind == VP_COLLIDE_BOX ? s->half.x : s->radius, c = s->kind == VP_COLLIDE_BOX ? s->half.z : a;
    const float b = s->kind == VP_COLLIDE_BOX ? s->half.y : s->kind == VP_COLLIDE_SPHERE ? a : s->half_height;
    return a >= low && a <= high && b >= low && b <= high && c >= low && c <= high;
}

vp_status vp_collide_shape_check(const vp_collide_shape *shape, vp_error *error)
{
    static const char *const name[VP_COLLIDE_KINDS] = {[VP_COLLIDE_SPHERE] = "sphere",
                                                       [VP_COLLIDE_CAPSULE] = "capsule",
                                                       [VP_COLLIDE_BOX] = "box",
                                                       [VP_COLLIDE_CYLINDER] = "cylinder",
                                                       [VP_COLLIDE_HULL] = "hull"};
    if (shape == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "shape is NULL");
    if ((unsigned)shape->kind >= VP_COLLIDE_KINDS)
        return vp_fail(error, VP_E_ARGUMENT, "vp_collide_shape.kind is %d; must be 0 to %d", (int)shape->kind, VP_COLLIDE_KINDS - 1);
    if (shape->kind == VP_COLLIDE_HULL) {
        const vp_collide_hull *h = shape->hull;
        if (h == NULL)
            return vp_fail(error, VP_E_ARGUMENT, "vp_collide_shape.hull is NULL");
        if (h->vertex_count < 3 || h->face_count < 2 || h->edge_count < 3)
            return vp_fail(error, VP_E_ARGUMENT,
                           "vp_collide_shape.hull has %u vertices, %u faces and %u edges; must have at least 3, 2 and 3", h->vertex_count,
                           h->face_count, h->edge_count);
    } else if (has_usual_lengths(shape)) {
        return vp_succeed(error);
    } else {
        const vp_status status = check_lengths(shape, error);
        if (status != VP_OK)
            return status;
    }
    const float radius = vp_collide_radius(shape);
    if (!(radius >= VP_COLLIDE_MIN_LENGTH && radius <= VP_COLLIDE_MAX_LENGTH))
        return vp_fail(error, VP_E_ARGUMENT, "the radius of the %s about its origin is %g; must be 2^-20 to 2^20", name[shape->kind],
                       (double)radius);
    return vp_succeed(error);
}

/* ---- poses ---- */

static vp_status check_position(vp_vec3 p, vp_error *error)
{
    const float value[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(value[k]) <= VP_COLLIDE_REACH))
            return vp_fail(error, VP_E_ARGUMENT, "position.%c is %g; must be finite and -2^40 to 2^40", "xyz"[k], (double)value[k]);
    return VP_OK;
}

/* Checks a pose. @param square  receives the squared length of its rotation */
static vp_status check_pose(const vp_pose *pose, double *square, vp_error *error)
{
    const double x = (double)pose->rotation[0], y = (double)pose->rotation[1], z = (double)pose->rotation[2], w = (double)pose->rotation[3];
    const vp_status status = check_position(pose->position, error);
    *square = ((x * x + y * y) + z * z) + w * w;
    if (status != VP_OK)
        return status;
    if (!(*square >= 0x1p-60 && *square <= 0x1p60))
        return vp_fail(error, VP_E_ARGUMENT,
                       "rotation (%g, %g, %g, %g) has the squared length %g; must be 2^-60 to 2^60; vp_pose_at makes a pose", x, y, z, w,
                       *square);
    return VP_OK;
}

vp_status vp_collide_frame_of(const vp_pose *pose, vp_collide_frame *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, pose, out);
    double square;
    VP_RETURN_IF_FAILED(check_pose(pose, &square, error));
    const float *q = pose->rotation;
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3], s = 2.0 / square;
    out->position = pose->position;
    out->row[0] = (vp_vec3){(float)(1.0 - s * (y * y + z * z)), (float)(s * (x * y + z * w)), (float)(s * (x * z - y * w))};
    out->row[1] = (vp_vec3){(float)(s * (x * y - z * w)), (float)(1.0 - s * (x * x + z * z)), (float)(s * (y * z + x * w))};
    out->row[2] = (vp_vec3){(float)(s * (x * z + y * w)), (float)(s * (y * z - x * w)), (float)(1.0 - s * (x * x + y * y))};
    return vp_succeed(error);
}

/* Reach of a shape along a direction of its frame, [0] along -a and [1] along a. */
static void find_reach_along(const vp_collide_shape *s, const double a[3], double reach[2])
{
    const double r = (double)s->radius, h = (double)s->half_height;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        reach[1] = r;
        break;
    case VP_COLLIDE_CAPSULE:
        reach[1] = h * fabs(a[1]) + r;
        break;
    case VP_COLLIDE_BOX:
        reach[1] = ((double)s->half.x * fabs(a[0]) + (double)s->half.y * fabs(a[1])) + (double)s->half.z * fabs(a[2]);
        break;
    case VP_COLLIDE_CYLINDER:
        reach[1] = h * fabs(a[1]) + r * sqrt(a[0] * a[0] + a[2] * a[2]);
        break;
    default: {
        double min = INFINITY, max = -INFINITY;
        for (uint32_t i = 0; i < s->hull->vertex_count; i++) {
            const vp_vec3 v = s->hull->vertex[i];
            const double at = ((double)v.x * a[0] + (double)v.y * a[1]) + (double)v.z * a[2];
            min = at < min ? at : min;
            max = at > max ? at : max;
        }
        reach[0] = -min;
        reach[1] = max;
        return;
    }
    }
    reach[0] = reach[1];
}

vp_status vp_collide_frame_and_bounds(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_collide_frame *frame,
                                      vp_aabb *out, vp_error *error)
{
    vp_status status = vp_collide_shape_check(shape, error);
    if (status == VP_OK)
        status = vp_collide_frame_of(pose, frame, error);
    if (status != VP_OK)
        return status;
    if (!(margin >= 0.0f && margin < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "margin is %g; must be finite and >= 0", (double)margin);
    const vp_vec3 *row = frame->row;
    const float position[3] = {frame->position.x, frame->position.y, frame->position.z};
    const double axis[3][3] = {{(double)row[0].x, (double)row[1].x, (double)row[2].x},
                               {(double)row[0].y, (double)row[1].y, (double)row[2].y},
                               {(double)row[0].z, (double)row[1].z, (double)row[2].z}};
    const double radius = (double)vp_collide_radius(shape);
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double *a = axis[k], p = (double)position[k];
        const double pad = (radius + (double)margin + fabs(p)) * 0x1p-22 + (double)margin;
        double reach[2];
        find_reach_along(shape, a, reach);
        low[k] = (float)(p - reach[0] - pad);
        high[k] = (float)(p + reach[1] + pad);
    }
    *out = (vp_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return vp_succeed(error);
}

vp_status vp_collide_bounds(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_aabb *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, pose, out);
    vp_collide_frame frame;
    return vp_collide_frame_and_bounds(shape, pose, margin, &frame, out, error);
}

/* ---- triangles ---- */

vp_collide_triangle vp_collide_triangle_of(const vp_vec3 corner[3], uint32_t number)
{
    vp_collide_triangle t = {.corner = {corner[0], corner[1], corner[2]},
                             .id = {VP_COLLIDE_NO_CHUNK, number},
                             .flags = VP_EDGE_OPEN | VP_EDGE_OPEN << 2 | VP_EDGE_OPEN << 4};
    double n[3];
    vp_normal3(corner[0], corner[1], corner[2], n);
    const double length = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    if (length > 0.0)
        t.normal = (vp_vec3){(float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length)};
    return t;
}

vp_status vp_collide_check_corners(const vp_collide_triangle *triangle, uint32_t count, vp_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const vp_vec3 c = triangle[i].corner[k];
            const float value[3] = {c.x, c.y, c.z};
            for (int a = 0; a < 3; a++)
                if (!(fabsf(value[a]) <= VP_COLLIDE_REACH))
                    return vp_fail(error, VP_E_ARGUMENT, "triangle %u: corner[%d].%c is %g; must be finite and -2^40 to 2^40", i, k,
                                   "xyz"[a], (double)value[a]);
        }
    return VP_OK;
}

vp_status vp_collide_check(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_collide_frame *frame, vp_error *error)
{
    double square;
    vp_status status = vp_collide_shape_check(shape, error);
    if (status == VP_OK)
        status = frame != NULL ? vp_collide_frame_of(pose, frame, error) : check_pose(pose, &square, error);
    if (status == VP_OK && !(margin >= 0.0f))
        status = vp_fail(error, VP_E_ARGUMENT, "margin is %g; must be >= 0", (double)margin);
    return status;
}

void vp_collide_run(const vp_kernels *kernels, const vp_collide_job *job)
{
    switch (job->shape->kind) {
    case VP_COLLIDE_SPHERE:
        kernels->collide_sphere(job);
        break;
    case VP_COLLIDE_CAPSULE:
        kernels->collide_capsule(job);
        break;
    case VP_COLLIDE_BOX:
        kernels->collide_box(job);
        break;
    case VP_COLLIDE_CYLINDER:
        kernels->collide_cylinder(job);
        break;
    default: /* a hull, because the kind was checked */
        kernels->collide_hull(job);
        break;
    }
}

vp_status vp_collide_triangles(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                               const vp_collide_triangle *triangle, uint32_t count, vp_collide_result *result, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, pose);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    VP_RETURN_IF_ARRAY_NULL(error, result, count);
    vp_kernels default_kernels;
    vp_collide_job job = {.shape = shape, .margin = margin, .triangle = triangle, .count = count, .result = result};
    vp_status status = vp_collide_check(shape, pose, margin, &job.frame, error);
    if (status == VP_OK)
        status = vp_collide_check_corners(triangle, count, error);
    if (status == VP_OK && kernels == NULL) {
        status = vp_kernels_default(&default_kernels, error);
        kernels = &default_kernels;
    }
    if (status != VP_OK)
        return status;
    vp_collide_run(kernels, &job);
    return vp_succeed(error);
}
