/* SPDX-License-Identifier: MIT */
#include "cases/narrowphase/shapes.h"

#include <math.h>
#include <string.h>

#include "datasets/kinds/kind.h"
#include "datasets/random.h"
#include "src/core/error.h"

static const char *const names[VP_BODIES] = {"sphere", "capsule", "box", "cylinder", "hull16", "hull64"};

const char *vp_body_name(vp_body_kind body)
{
    return (unsigned)body < VP_BODIES ? names[body] : "unknown";
}

enum { HULL_POINTS = 64 };

/* On a sphere of radius 1/2 at scale 1. */
static void hull_points(uint32_t count, float scale, vp_vec3 *point)
{
    vp_random random = {count};
    for (uint32_t i = 0; i < count; i++) {
        float square;
        do {
            point[i].x = vp_random_between(&random, -1.0f, 1.0f);
            point[i].y = vp_random_between(&random, -1.0f, 1.0f);
            point[i].z = vp_random_between(&random, -1.0f, 1.0f);
            square = vp_vec3_dot(point[i], point[i]);
        } while (square < 0.1f || square > 1.0f);
        point[i] = vp_vec3_scale(point[i], 0.5f / sqrtf(square));
    }
    for (uint32_t k = 0; k < 3; k++) { /* lowest first */
        uint32_t lowest = k;
        for (uint32_t i = k; i < count; i++)
            lowest = point[i].y < point[lowest].y ? i : lowest;
        const vp_vec3 p = point[lowest];
        point[lowest] = point[k];
        point[k] = p;
    }
    point[1].y = point[2].y = point[0].y;
    for (uint32_t i = 0; i < count; i++)
        point[i] = vp_vec3_scale(point[i], scale);
}

vp_status vp_body_shape_create(vp_body_kind body, float scale, const vp_allocator *allocator, vp_body_shape *out, vp_error *error)
{
    *out = (vp_body_shape){0};
    switch (body) {
    case VP_BODY_SPHERE:
        out->shape = vp_collide_sphere(0.5f * scale);
        return VP_OK;
    case VP_BODY_CAPSULE:
        out->shape = vp_collide_capsule(0.3125f * scale, 0.5f * scale);
        return VP_OK;
    case VP_BODY_BOX:
        out->shape = vp_collide_box((vp_vec3){0.40625f * scale, 0.3125f * scale, 0.5f * scale});
        return VP_OK;
    case VP_BODY_CYLINDER:
        out->shape = vp_collide_cylinder(0.40625f * scale, 0.40625f * scale);
        return VP_OK;
    default: {
        vp_vec3 point[HULL_POINTS];
        const vp_kernels scalar = vp_scalar_kernels();
        const uint32_t count = body == VP_BODY_HULL16 ? 16 : HULL_POINTS;
        hull_points(count, scale, point);
        const vp_collide_hull_def def = {.point = point, .count = count, .kernels = &scalar, .allocator = allocator};
        const vp_status status = vp_collide_hull_create(&def, &out->solid, error);
        out->shape = vp_collide_hull_shape(&out->solid.hull);
        return status;
    }
    }
}

void vp_body_shape_destroy(vp_body_shape *shape)
{
    vp_collide_hull_destroy(&shape->solid);
}

/* The extent of a shape along d, a direction in its frame. */
static double reach_of(const vp_collide_shape *s, const double d[3])
{
    const double r = (double)s->radius, h = (double)s->half_height;
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return r;
    case VP_COLLIDE_CAPSULE:
        return r + h * fabs(d[1]);
    case VP_COLLIDE_BOX:
        return (double)s->half.x * fabs(d[0]) + (double)s->half.y * fabs(d[1]) + (double)s->half.z * fabs(d[2]);
    case VP_COLLIDE_CYLINDER:
        return h * fabs(d[1]) + r * sqrt(d[0] * d[0] + d[2] * d[2]);
    default:
        for (uint32_t i = 0; i < s->hull->vertex_count; i++) {
            const vp_vec3 v = s->hull->vertex[i];
            const double reach = (double)v.x * d[0] + (double)v.y * d[1] + (double)v.z * d[2];
            most = reach > most ? reach : most;
        }
        return most;
    }
}

vp_pose vp_pose_of(const vp_collide_shape *shape, const vp_pose_place *place)
{
    vp_pose pose = vp_pose_at(place->point);
    vp_collide_frame f;
    memcpy(pose.rotation, place->rotation, sizeof pose.rotation);
    if (place->centred || vp_collide_frame_of(&pose, &f, NULL) != VP_OK)
        return pose;
    const vp_vec3 n = place->normal;
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = -((double)f.row[k].x * (double)n.x + (double)f.row[k].y * (double)n.y + (double)f.row[k].z * (double)n.z);
    const double by = reach_of(shape, d) + (double)place->gap;
    pose.position = (vp_vec3){(float)((double)place->point.x + by * (double)n.x), (float)((double)place->point.y + by * (double)n.y),
                              (float)((double)place->point.z + by * (double)n.z)};
    return pose;
}
