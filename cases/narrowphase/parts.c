/* SPDX-License-Identifier: MIT */
#include "cases/narrowphase/parts.h"

#include <voxphys/decompose.h>

#include "datasets/generate/shapes.h"
#include "datasets/kinds/kind.h"
#include "src/core/error.h"

enum { CORNERS = 32, MODEL_POINTS = 512 };

/* Adds a part, whose shape is in out->shape. */
static void add_part(vp_body_parts *out, vp_vec3 position)
{
    const uint32_t i = out->compound.count++;
    out->part[i] = (vp_compound_part){&out->shape[i].shape, vp_pose_at(position), 1.0};
}

/* Makes a plate on four legs, which reach into it. Its convex hull is a box. */
static void make_table(vp_body_parts *out)
{
    out->whole.shape = vp_collide_box((vp_vec3){1.0f, 0.5f, 0.75f});
    out->shape[0].shape = vp_collide_box((vp_vec3){1.0f, 0.125f, 0.75f});
    add_part(out, (vp_vec3){0.0f, 0.375f, 0.0f});
    for (int i = 1; i <= 4; i++) {
        out->shape[i].shape = vp_collide_box((vp_vec3){0.125f, 0.4375f, 0.125f});
        add_part(out, (vp_vec3){i & 1 ? 0.875f : -0.875f, -0.0625f, i & 2 ? 0.625f : -0.625f});
    }
}

static vp_status make_hull(const vp_collide_hull_def *def, vp_body_shape *out, vp_error *error)
{
    const vp_status status = vp_collide_hull_create(def, &out->solid, error);
    out->shape = vp_collide_hull_shape(&out->solid.hull);
    return status;
}

/* Makes the hulls of a decomposed model, whose unit is a 500th of a voxel. */
static vp_status decompose(const vp_model *model, vp_body_parts *out, vp_error *error)
{
    const vp_kernels scalar = vp_scalar_kernels();
    vp_vec3 point[MODEL_POINTS];
    if (model->failed || model->points > MODEL_POINTS)
        return vp_fail(error, VP_E_MEMORY, "no memory for a model of %u points", model->points);
    for (uint32_t i = 0; i < model->points; i++) {
        const double *p = model->point[i];
        point[i] = (vp_vec3){(float)(p[0] / 500.0 - 1.0), (float)(p[1] / 500.0 - 1.0), (float)(p[2] / 500.0 - 0.1)};
    }
    vp_decomposition d;
    const vp_decomposition_def def = {.point = point,
                                      .point_count = model->points,
                                      .triangle = (const uint32_t(*)[3])model->triangle,
                                      .triangle_count = model->triangles,
                                      .max_hulls = VP_BODY_PARTS,
                                      .max_vertices = CORNERS,
                                      .kernels = &scalar};
    vp_status status = make_hull(&(vp_collide_hull_def){.point = point, .count = model->points, .kernels = &scalar}, &out->whole, error);
    if (status != VP_OK)
        return status;
    status = vp_decomposition_create(&def, &d, error);
    for (uint32_t i = 0; status == VP_OK && i < d.hull_count; i++) {
        const vp_decomposition_hull *h = &d.hull[i];
        const double *c = h->hull.centroid;
        const vp_vec3 origin = {(float)c[0], (float)c[1], (float)c[2]};
        const vp_collide_hull_def part = {.point = h->point, .count = h->point_count, .hull = &h->hull, .origin = origin};
        status = make_hull(&part, &out->shape[i], error);
        add_part(out, origin);
    }
    vp_decomposition_destroy(&d);
    return status;
}

vp_status vp_body_parts_create(vp_body_kind body, vp_body_parts *out, vp_error *error)
{
    *out = (vp_body_parts){.compound = {.part = out->part}};
    vp_status status = VP_OK;
    if (body == VP_BODY_TABLE) {
        make_table(out);
    } else if (body == VP_BODY_ANCHOR) {
        vp_model model = {0};
        vp_shape_find("solid-anchor")->make(&model, 250.0, NULL);
        status = decompose(&model, out, error);
        vp_model_drop(&model);
    } else {
        status = vp_body_shape_create(body, 1.0f, NULL, &out->whole, error);
        out->shape[0].shape = out->whole.shape;
        add_part(out, (vp_vec3){0.0f, 0.0f, 0.0f});
    }
    return status;
}

void vp_body_parts_destroy(vp_body_parts *parts)
{
    vp_body_shape_destroy(&parts->whole);
    for (uint32_t i = 0; i < parts->compound.count; i++)
        vp_body_shape_destroy(&parts->shape[i]);
}
