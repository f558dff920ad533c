/* SPDX-License-Identifier: MIT */
/* ray-mesh: the first triangle that a ray meets. */
#include "conformance/shared/shared.h"

static vp_status answer(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_triangles triangles = vp_mesh_triangles(q->part[0]);
    vp_hit hit;
    const vp_status status = vp_ray_cast(&triangles, q->part[1], kernels, &hit, error);
    if (status == VP_OK && hit.triangle == VP_NO_HIT)
        fputs("none", to);
    else if (status == VP_OK)
        fprintf(to, "hit %d %s", hit.triangle, vp_bits_of(hit.t).text);
    return status;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    const vp_query_mesh *mesh = q->part[0];
    return json_integer_value(json_object_get(alternative, "triangle")) < (json_int_t)mesh->triangles
               ? VP_OK
               : vp_expected_wrong(alternative, "triangle", error);
}

static const vp_member expected[] = {{.name = "triangle", .is = &vp_is_whole}, {.name = "t", .is = &vp_is_range}, {.name = NULL}};

const vp_family vp_family_ray_mesh = {VP_FAMILY_OF_RAYS("ray-mesh"), .part = {&vp_part_mesh, &vp_part_ray}, .sound = sound};
