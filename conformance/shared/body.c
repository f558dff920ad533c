/* SPDX-License-Identifier: MIT */
/* A convex shape, its pose, and in some families a margin. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

static const char *const kind_name[] = {"sphere", "capsule", "box", "cylinder", "hull", NULL}, *const target_name[] = {
                                                                                                   "sphere", "capsule", "box", "cylinder",
                                                                                                   "hull",   "none",    NULL};
static const size_t kind_numbers[VP_COLLIDE_KINDS + 1] = {1, 2, VP_BODY_NUMBERS, 2, 0, 0}; /* a hull's points are another part */
static const vp_choice kinds = {kind_name, kind_numbers}, targets = {target_name, kind_numbers};

static void move(void *part, vp_vec3 by)
{
    vp_query_body *q = part;
    q->pose.position = vp_vec3_add(q->pose.position, by);
}

static const vp_value rotation_value = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 4},
                      shape_value = {.type = JSON_ARRAY, .part = &vp_is_words, .choice = &kinds},
                      target_value = {.type = JSON_ARRAY, .part = &vp_is_words, .choice = &targets};
#define POSITION    VP_AT(vp_query_body, pose.position, "the bits of the position"), .is = &vp_is_place
#define ROTATION    VP_AT(vp_query_body, pose.rotation, "the bits of the rotation"), .is = &rotation_value
#define TRANSLATION VP_AT(vp_query_body, translation, "the bits of the translation"), .is = &vp_is_place
#define MARGIN      VP_AT(vp_query_body, margin, "the bits of the margin"), .is = &vp_is_bits
#define SHAPE       VP_AT(vp_query_body, kind, "the bits of a length")
#define PLACED                                                                                                                             \
    {POSITION, .name = "position"},                                                                                                        \
    {                                                                                                                                      \
        ROTATION, .name = "rotation"                                                                                                       \
    }
#define OTHER                                                                                                                              \
    {POSITION, .name = "other_position"},                                                                                                  \
    {                                                                                                                                      \
        ROTATION, .name = "other_rotation"                                                                                                 \
    }
#define SHAPED                                                                                                                             \
    {SHAPE, .is = &shape_value, .name = "shape"},                                                                                          \
    {                                                                                                                                      \
        .name = NULL                                                                                                                       \
    }
static const vp_member members[] = {PLACED, SHAPED}, margin_members[] = {PLACED, {MARGIN, .name = "margin"}, SHAPED},
                       way_members[] = {PLACED, {TRANSLATION, .name = "translation"}, SHAPED},
                       other_members[] = {OTHER, {SHAPE, .is = &shape_value, .name = "other_shape"}, {.name = NULL}},
                       target_members[] = {OTHER, {SHAPE, .is = &target_value, .name = "other_shape"}, {.name = NULL}};

#define BODY .size = sizeof(vp_query_body), .number = vp_part_number, .move = move
const vp_part vp_part_body = {BODY, .members = members}, vp_part_body_margin = {BODY, .members = margin_members},
              vp_part_body_way = {BODY, .members = way_members}, vp_part_other_body = {BODY, .members = other_members},
              vp_part_target_body = {BODY, .members = target_members};

/* ---- parts ---- */

vp_status vp_body_shape(const vp_query_body *q, const vp_query_mesh *points, const vp_kernels *kernels, vp_collide_owned_hull *solid,
                        vp_collide_shape *out, vp_error *error)
{
    const float *n = q->number;
    vp_status status = VP_OK;
    memset(solid, 0, sizeof *solid);
    memset(out, 0, sizeof *out);
    if (q->kind != VP_COLLIDE_HULL && points->points > 0)
        return vp_fail(error, VP_E_ARGUMENT, "a %s has no points", kind_name[q->kind]);
    switch (q->kind) {
    case VP_COLLIDE_SPHERE:
        *out = vp_collide_sphere(n[0]);
        break;
    case VP_COLLIDE_CAPSULE:
        *out = vp_collide_capsule(n[0], n[1]);
        break;
    case VP_COLLIDE_BOX:
        *out = vp_collide_box((vp_vec3){n[0], n[1], n[2]});
        break;
    case VP_COLLIDE_CYLINDER:
        *out = vp_collide_cylinder(n[0], n[1]);
        break;
    default: {
        const vp_collide_hull_def def = {.point = points->point, .count = points->points, .kernels = kernels};
        status = vp_collide_hull_create(&def, solid, error);
        *out = vp_collide_hull_shape(&solid->hull);
    }
    }
    return status;
}

bool vp_body_is_sound(const vp_part *of, const vp_query_body *body, const vp_query_mesh *points)
{
    vp_query_body q = *body;
    const float *r = q.pose.rotation;
    bool sound = (r[0] != 0.0f || r[1] != 0.0f || r[2] != 0.0f || r[3] != 0.0f) && q.margin >= 0.0f;
    for (size_t i = 0; vp_part_number(of, &q, i) != NULL; i++)
        sound = sound && isfinite(*vp_part_number(of, &q, i));
    for (size_t i = 0; i < kind_numbers[q.kind]; i++)
        sound = sound && q.number[i] >= 0.0f;
    return sound && (q.kind == VP_COLLIDE_HULL ? points->points > 0 && vp_mesh_is_finite(points) : points->points == 0);
}

enum { MOST_POINTS = 64 };

bool vp_hulls_are_small(const vp_question *q, int first, int other)
{
    return ((const vp_query_mesh *)q->part[first])->points <= MOST_POINTS &&
           (other == 0 || ((const vp_query_mesh *)q->part[other])->points <= MOST_POINTS);
}

vp_status vp_hulls_sound(const vp_question *q, int first, int other, vp_error *error)
{
    return vp_hulls_are_small(q, first, other) ? VP_OK
                                               : vp_fail(error, VP_E_FORMAT, "\"input\": a hull has more than %d points", MOST_POINTS);
}

vp_collide_triangle *vp_mesh_collided(const vp_query_mesh *q, size_t more)
{
    vp_collide_triangle *out = calloc((size_t)q->triangles + more, sizeof *out);
    for (uint32_t t = 0; out != NULL && t < q->triangles; t++) {
        const uint32_t *k = q->triangle[t];
        out[t] = vp_collide_triangle_of((vp_vec3[3]){q->point[k[0]], q->point[k[1]], q->point[k[2]]}, t);
    }
    return out;
}
