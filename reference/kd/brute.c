/* SPDX-License-Identifier: MIT */
/* A ray against every triangle. It shows the gain of a tree, and each result of a tree must equal it. With 16 triangles
 * it takes vectors 1.0 to 1.6 times as long as following a tree (docs/kernels/brute-ray.md). */
#include <voxphys/kernel/kd.h>

#include "src/kd/ray_triangle.h"

vp_hit vp_brute_ray_scalar(const vp_triangle_soa *soup, const vp_ray *ray)
{
    vp_hit best = {ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    vp_ray_frame frame;
    if (!vp_ray_frame_of(ray, &frame)) {
        best.triangle = VP_RAY_INVALID;
        return best;
    }
    float nearest = INFINITY;
    for (uint32_t i = 0; i < soup->count; i++) {
        float at[3][3];
        vp_meeting meeting;
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                at[k][axis] = soup->corner[k][axis][i];
        if (vp_ray_meets(&frame, at[0], at[1], at[2], &meeting) && meeting.s < nearest) {
            nearest = meeting.s;
            best = (vp_hit){meeting.t, (int32_t)i, meeting.u, meeting.v};
        }
    }
    return best;
}
