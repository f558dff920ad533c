/* SPDX-License-Identifier: MIT */
/* Public functions around the kernels, with checks. */
#include <voxphys/narrowphase.h>

#include <math.h>

#include "src/core/error.h"
#include "src/core/exact.h"
#include "src/narrowphase/run.h"

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
    vp_status status = vp_collide_shape_check(shape, error);
    if (status == VP_OK)
        status = vp_collide_frame_of(pose, frame, error);
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
