/* SPDX-License-Identifier: MIT */
/* Bodies on terrains, for tests of manifolds. */
#ifndef VP_TESTS_MANIFOLD_SCENE_H
#define VP_TESTS_MANIFOLD_SCENE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/support/check.h"

enum { POSES = IS_THIN ? 12 : 200 };
enum { ROOM = 2048, MANIFOLDS = 256, SIDE = 40 };

static const float margin = 0.02f;
static vp_body_shape bodies[VP_BODIES];
static vp_manifold_scratch scratch = {NULL, ROOM, 0};

static inline int begin(void **state)
{
    (void)state;
    for (int b = 0; b < VP_BODIES; b++)
        assert_ok(vp_body_shape_create((vp_body_kind)b, 1.0f, NULL, &bodies[b], &error));
    scratch.memory = malloc(vp_manifold_scratch_bytes(ROOM));
    assert_non_null(scratch.memory);
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    for (int b = 0; b < VP_BODIES; b++)
        vp_body_shape_destroy(&bodies[b]);
    free(scratch.memory);
    return 0;
}

/* ---- terrains ---- */

/* The height of the ground at a place, in a world that is not shifted. */
typedef double height_fn(double x, double z);

static inline double flat(double x, double z)
{
    (void)x, (void)z;
    return 8.5;
}

static inline double hills(double x, double z)
{
    return 9.0 + 2.0 * sin(0.55 * x + 0.3 * z) + 1.5 * sin(0.9 * z - 0.2 * x) + (sin(2.1 * x) * sin(1.7 * z) > 0.6 ? 2.0 : 0.0);
}

typedef struct manifold_world {
    vp_world *world;
    vp_terrain *terrain;
    vp_terrain_reader reader;
} manifold_world;

static inline void open_scene(manifold_world *s, height_fn *height, vp_ivec3 shift, const vp_allocator *allocator)
{
    *s = (manifold_world){0};
    assert_ok(vp_world_create(&(vp_world_def){.size = {SIDE + 8, 32, SIDE + 8}}, &s->world, &error));
    for (int32_t z = 0; z < SIDE; z++)
        for (int32_t x = 0; x < SIDE; x++)
            for (int32_t y = 0; y < 20; y++) {
                const double fill = height(x + 0.5, z + 0.5) - y;
                if (fill <= 0.0)
                    continue;
                const vp_voxel v = {(uint8_t)(2 + (x + z) % 5), (uint8_t)(fill >= 1.0 ? 255 : (int)(fill * 255.0))};
                assert_ok(vp_world_set_voxel(s->world, (vp_ivec3){x + shift.x, y + shift.y, z + shift.z}, v, NULL, &error));
            }
    const vp_terrain_def def = {.world = s->world, .budget = VP_TERRAIN_NO_LIMIT, .allocator = allocator};
    assert_ok(vp_terrain_create(&def, &s->terrain, &error));
    assert_ok(vp_terrain_prepare(s->terrain, &error));
    vp_terrain_acquire_reader(s->terrain, &s->reader);
}

static inline void close_scene(manifold_world *s)
{
    vp_terrain_release_reader(&s->reader);
    vp_terrain_destroy(s->terrain);
    vp_world_destroy(s->world);
}

/* The height at which a ray from above meets the surface. */
static inline float surface_at(const manifold_world *s, float x, float z, vp_vec3 *normal)
{
    const vp_ray ray = {.origin = {x, 30.0f, z}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = 40.0f};
    vp_terrain_point hit;
    assert_ok(vp_terrain_reader_raycast_point(&s->reader, VP_SURFACE_SOLID, &ray, &hit, &error));
    assert_true(hit.hit.in_chunk.t < 40.0f);
    *normal = hit.triangle.normal;
    return hit.point.y;
}

static inline float random_sign(vp_random *r)
{
    return vp_random_between(r, -1.0f, 1.0f);
}

/* A body on the ground, in equal shares deep, shallow and slightly apart. Coordinates are small fractions, so that moving them by
   voxels rounds nothing. */
static inline vp_manifold_body some_body(vp_random *r, const manifold_world *s, vp_body_kind body)
{
    vp_manifold_body b = {&bodies[body].shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    float square;
    do {
        square = 0.0f;
        for (int k = 0; k < 4; k++) {
            b.pose.rotation[k] = random_sign(r);
            square += b.pose.rotation[k] * b.pose.rotation[k];
        }
    } while (square < 0.1f);
    vp_pose_place place = {.scale = 1.0f, .centred = false};
    memcpy(place.rotation, b.pose.rotation, sizeof place.rotation);
    place.point.x = vp_random_between(r, 6.0f, SIDE - 6.0f);
    place.point.z = vp_random_between(r, 6.0f, SIDE - 6.0f);
    place.point.y = surface_at(s, place.point.x, place.point.z, &place.normal);
    const uint32_t third = vp_random_below(r, 3);
    place.gap = third == 0 ? vp_random_between(r, -0.2f, 0.0f) : third == 1 ? 0.002f * random_sign(r) : vp_random_between(r, 0.0f, 0.018f);
    b.pose = vp_pose_of(b.shape, &place);
    float *at[3] = {&b.pose.position.x, &b.pose.position.y, &b.pose.position.z};
    for (int k = 0; k < 3; k++)
        *at[k] = floorf(*at[k] * 4096.0f) / 4096.0f;
    return b;
}

static inline uint32_t ask(const manifold_world *s, const vp_manifold_body *body, bool whole, vp_manifold *out)
{
    const vp_manifold_def def = {.margin = margin, .by_chunk = !whole};
    uint32_t made;
    assert_ok(vp_manifold_terrain(&def, body, &s->reader, &scratch, out, MANIFOLDS, &made, &error));
    assert_true(made <= MANIFOLDS);
    return made;
}

/* The terrain's triangles around a body, not connected. @param out  [SCENE_TRIANGLES] */
enum { SCENE_TRIANGLES = 8192 };
static inline uint32_t scene_triangles(const manifold_world *s, const vp_manifold_body *body, float grown, vp_collide_triangle *out)
{
    static vp_terrain_triangle_id id[SCENE_TRIANGLES];
    static vp_terrain_triangle found[SCENE_TRIANGLES];
    vp_aabb box;
    uint32_t count;
    assert_ok(vp_collide_bounds(body->shape, &body->pose, grown, &box, &error));
    assert_ok(vp_terrain_reader_gather_triangles(&s->reader, VP_SURFACE_SOLID, &box, id, found, SCENE_TRIANGLES, &count, &error));
    assert_true(count <= SCENE_TRIANGLES);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = vp_collide_triangle_of(found[i].corner, i);
        out[i].id = id[i];
        out[i].material = found[i].material;
    }
    return count;
}

/* The least distance of the triangles around a body, by the kernels alone. INFINITY if none is within the margin. */
static inline float least_distance_of(const manifold_world *s, const vp_manifold_body *body, float within)
{
    static vp_collide_triangle near[SCENE_TRIANGLES];
    static vp_collide_result answer[SCENE_TRIANGLES];
    const uint32_t count = scene_triangles(s, body, within, near);
    float least = INFINITY;
    assert_ok(vp_collide_triangles(NULL, body->shape, &body->pose, within, near, count, answer, &error));
    for (uint32_t i = 0; i < count; i++)
        least = answer[i].triangle_feature != VP_COLLIDE_NONE && answer[i].distance < least ? answer[i].distance : least;
    return least;
}

#endif
