/* SPDX-License-Identifier: MIT */
/* Shapes of the data sets, as meshes. */
#ifndef VP_TESTS_DECOMPOSE_SHAPES_H
#define VP_TESTS_DECOMPOSE_SHAPES_H

#include "datasets/generate/shapes.h"
#include "tests/decompose/meshes.h"

/* A shape of the data sets. @return its optimal number of hulls */
static inline uint32_t make_shape(const char *name, double grain, double scale, small_mesh *out)
{
    const vp_shape *shape = vp_shape_find(name);
    vp_model model = {0};
    vp_random random = {7};
    assert_non_null(shape);
    shape->make(&model, grain, &random);
    assert_false(model.failed);
    out->points = out->triangles = 0;
    for (uint32_t i = 0; i < model.points; i++)
        add_point(out, (float)(model.point[i][0] * scale), (float)(model.point[i][1] * scale), (float)(model.point[i][2] * scale));
    for (uint32_t t = 0; t < model.triangles; t++)
        add_triangle(out, model.triangle[t][0], model.triangle[t][1], model.triangle[t][2]);
    vp_model_drop(&model);
    return shape->optimum;
}

#endif
