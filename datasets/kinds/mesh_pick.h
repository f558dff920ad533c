/* SPDX-License-Identifier: MIT */
/* Shared functions of rays.c, grazing.c and mesh_boxes.c: random places on meshes, and vectors by exactly rounded
 * operations. */
#ifndef VP_MESH_PICK_H
#define VP_MESH_PICK_H

#include <math.h>

#include "datasets/manifest_data.h"
#include "datasets/mesh_sets.h"
#include "datasets/random.h"

/* Rays along surfaces. */
typedef struct vp_grazing_params {
    float far; /* distance at which some of them start outside, and the length of some */
} vp_grazing_params;

/* Makes rays along surfaces and other difficult rays. See grazing.c. */
void vp_grazing_rays(const vp_grazing_params *params, uint64_t seed, const vp_mesh_set *meshes, vp_ray_set *set);

/* Counts how the items of a set are spread over its owner's meshes. Each item names one mesh and has a number of extra
 * bytes. */
vp_status vp_count_meshes(const vp_data *data, const char *what, const uint32_t *mesh, uint32_t count, size_t bytes, struct json_t **out,
                          vp_error *error);

/* Normalises v, which is not zero. */
static inline vp_vec3 vp_pick_unit(vp_vec3 v)
{
    const float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return (vp_vec3){v.x / length, v.y / length, v.z / length};
}

/* A direction, as a point of the unit ball without its centre. */
static inline vp_vec3 vp_pick_direction(vp_random *random)
{
    for (;;) {
        const vp_vec3 p = vp_random_vec3(random, (vp_vec3){-1, -1, -1}, (vp_vec3){1, 1, 1});
        const float square = p.x * p.x + p.y * p.y + p.z * p.z;
        if (square <= 1.0f && square >= 0.015625f)
            return vp_pick_unit(p);
    }
}

/* Returns the corners of a random triangle. */
static inline void vp_pick_triangle(vp_random *random, const vp_triangles *mesh, vp_vec3 corner[3])
{
    uint32_t number[3];
    vp_triangle_corners(mesh, vp_random_below(random, mesh->triangle_count), number);
    for (int i = 0; i < 3; i++)
        corner[i] = mesh->vertex[number[i]];
}

/* Returns a point at most `near` from a vertex on each axis, at whole multiples of 1/256. */
static inline vp_vec3 vp_pick_near(vp_random *random, const vp_triangles *mesh, float near)
{
    const uint32_t steps = (uint32_t)(near * 512.0f) + 1;
    vp_vec3 corner[3];
    vp_pick_triangle(random, mesh, corner);
    const float x = (float)vp_random_below(random, steps) / 256.0f - near;
    const float y = (float)vp_random_below(random, steps) / 256.0f - near;
    const float z = (float)vp_random_below(random, steps) / 256.0f - near;
    return vp_vec3_add(corner[0], (vp_vec3){x, y, z});
}

#endif
