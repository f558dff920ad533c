/* SPDX-License-Identifier: MIT */
/* ray-triangle: does a ray meet a triangle, and where? */
#include <string.h>

#include "conformance/shared/shared.h"

/* One triangle is asked of a tree, which also refuses what is no ray or no triangle, and tried by brute force. */
static vp_hit try_alone(const vp_query_mesh *q, const vp_ray *ray, const vp_kernels *kernels)
{
    float corner[3][3][1 + VP_TRIANGLE_SOA_SLACK] = {0};
    vp_triangle_soa soup = {.count = 1};
    for (int c = 0; c < 3; c++) {
        const float at[3] = {q->point[c].x, q->point[c].y, q->point[c].z};
        for (int axis = 0; axis < 3; axis++) {
            corner[c][axis][0] = at[axis];
            soup.corner[c][axis] = corner[c][axis];
        }
    }
    return kernels->brute_ray(&soup, ray);
}

static vp_status answer(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_triangles triangles = vp_mesh_triangles(q->part[0]);
    vp_hit hit;
    const vp_status status = vp_ray_cast(&triangles, q->part[1], kernels, &hit, error);
    if (status != VP_OK)
        return status;
    const vp_hit alone = try_alone(q->part[0], q->part[1], kernels);
    if (alone.triangle != hit.triangle ||
        memcmp(&alone.t, &hit.t, sizeof hit.t) != 0) /* No answer, and not meant as one: two kernels disagree. */
        fprintf(to, "disagree %d %s %d %s", hit.triangle, vp_bits_of(hit.t).text, alone.triangle, vp_bits_of(alone.t).text);
    else if (hit.triangle == VP_NO_HIT)
        fputs("none", to);
    else
        fprintf(to, "hit %s", vp_bits_of(hit.t).text);
    return VP_OK;
}

static const vp_member expected[] = {{.name = "hit", .is = &vp_is_true}, {.name = "t", .is = &vp_is_range}, {.name = NULL}};

const vp_family vp_family_ray_triangle = {VP_FAMILY_OF_RAYS("ray-triangle"), .part = {&vp_part_triangle, &vp_part_ray}};
