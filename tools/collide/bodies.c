/* SPDX-License-Identifier: MIT */
/* The given bodies, and a random batch of bodies on the surface.
 * The digest is the XXH3-64, little-endian, of all bodies. Each has its number of manifolds (u32). Each manifold has
 * its chunk and number of points (2 u32), and its direction (3 f32). Each point has distance, normal, on_shape,
 * on_triangle (10 f32), chunk, triangle, low and high half of the feature, material (5 u32). */
#include <math.h>
#include <stdlib.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "host/program.h"
#include "host/bytes.h"
#include "tools/collide/collide.h"

enum { TRIANGLES_AT_FIRST = 1024, PUSHED = 64 };

/* ---- one body ---- */

static vp_status larger_scratch(vp_manifold_scratch *s, uint32_t wanted, vp_error *error)
{
    const uint32_t twice = 2 * s->capacity > wanted ? 2 * s->capacity : wanted;
    const uint32_t capacity = twice < TRIANGLES_AT_FIRST          ? TRIANGLES_AT_FIRST
                              : twice > VP_MANIFOLD_MAX_TRIANGLES ? VP_MANIFOLD_MAX_TRIANGLES
                                                                  : twice;
    free(s->memory);
    *s = (vp_manifold_scratch){.memory = malloc(vp_manifold_scratch_bytes(capacity)), .capacity = capacity};
    return s->memory != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for manifolds of %u triangles", capacity);
}

/* Grows memory as needed. A terrain gathers its triangles itself. For other grounds they are gathered here. */
static vp_status manifolds(vp_colliding *r, const vp_aabb *box, vp_collided *b, vp_error *error)
{
    const vp_manifold_body body = {&r->shape.shape, b->pose};
    vp_status status = r->scratch.memory == NULL ? larger_scratch(&r->scratch, 0, error) : VP_OK;
    if (status == VP_OK && r->ground.kind != VP_GROUND_WORLD)
        status = vp_ground_near(&r->ground, box, &r->near, error);
    b->truncated = false;
    while (status == VP_OK) {
        status =
            r->ground.kind == VP_GROUND_WORLD
                ? vp_manifold_terrain(&r->def, &body, &r->ground.reader, &r->scratch, b->manifold, b->room, &b->count, error)
                : vp_manifold_mesh(&r->def, &body, r->near.triangle, r->near.count, &r->scratch, b->manifold, b->room, &b->count, error);
        if (status == VP_E_LIMIT && r->scratch.capacity < VP_MANIFOLD_MAX_TRIANGLES) {
            status = larger_scratch(&r->scratch, r->scratch.needed, error);
            continue;
        }
        b->truncated = status == VP_E_LIMIT;
        status = b->truncated ? VP_OK : status;
        if (status != VP_OK || b->count <= b->room)
            break;
        size_t room = b->room;
        status = vp_grow_array(&b->manifold, &room, b->count, sizeof *b->manifold, "manifolds", error);
        b->room = (uint32_t)room;
    }
    return status;
}

/* Finds the contact of the body with each triangle. */
static vp_status tell_triangles(vp_colliding *r, vp_collided *b, vp_error *error)
{
    const vp_collide_shape *shape = &r->shape.shape;
    const vp_near *near = &r->near;
    vp_collide_result *raw = calloc((size_t)near->count + 1, 2 * sizeof *raw), *corrected = raw + near->count;
    b->reported = calloc((size_t)near->count + 1, sizeof *b->reported);
    vp_status status = raw != NULL && b->reported != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u answers", near->count);
    if (status == VP_OK)
        status = vp_collide_triangles(&r->ground.kernels, shape, &b->pose, r->def.margin, near->triangle, near->count, raw, error);
    for (uint32_t i = 0; status == VP_OK && i < near->count; i++)
        corrected[i] = raw[i];
    if (status == VP_OK)
        status = vp_collide_correct(&r->ground.kernels, shape, &b->pose, r->def.margin, near->triangle, near->count, corrected, error);
    for (uint32_t i = 0; status == VP_OK && i < near->count; i++)
        if (raw[i].triangle_feature != VP_COLLIDE_NONE)
            b->reported[b->reported_count++] = (vp_reported_contact){near->triangle[i], raw[i], corrected[i]};
    free(raw);
    return status;
}

static vp_status push_out(const vp_colliding *r, vp_collided *b, vp_error *error)
{
    if (r->ground.kind != VP_GROUND_WORLD)
        return VP_OK;
    return vp_push_out_of_world(vp_terrain_reader_world(&r->ground.reader), b->pose.position, PUSHED, 0, &b->push, error);
}

static void hash(vp_hasher *h, const vp_collided *b)
{
    vp_hash_u32(h, b->count);
    for (uint32_t m = 0; m < b->count; m++) {
        vp_hash_u32(h, b->manifold[m].chunk);
        vp_hash_u32(h, b->manifold[m].count);
        vp_hash_vec3(h, b->manifold[m].normal);
        for (uint32_t i = 0; i < b->manifold[m].count; i++) {
            const vp_manifold_point *p = &b->manifold[m].point[i];
            const uint32_t words[5] = {p->at.chunk, p->at.triangle, (uint32_t)p->feature, (uint32_t)(p->feature >> 32), p->material};
            vp_hash_float(h, p->distance);
            vp_hash_vec3(h, p->normal);
            vp_hash_vec3(h, p->on_shape);
            vp_hash_vec3(h, p->on_triangle);
            vp_hash_words(h, words, 5);
        }
    }
}

static void sum_up(vp_colliding *r, const vp_collided *b)
{
    uint32_t points = 0;
    for (uint32_t m = 0; m < b->count; m++) {
        const vp_manifold *all = &b->manifold[m];
        points += all->count;
        r->by_points[all->count <= VP_MANIFOLD_POINTS ? all->count : 0]++;
        for (uint32_t i = 0; i < all->count; i++) {
            const double depth = -(double)all->point[i].distance;
            r->deepest = depth > r->deepest ? depth : r->deepest;
            r->inwards += r->ground.kind == VP_GROUND_BLOCKS && vp_ground_pushes_inwards(&r->ground, b->pose.position, &all->point[i]);
        }
    }
    r->near_sum += b->near;
    r->manifolds += b->count;
    r->points += points;
    r->touching += points != 0;
    r->truncated += b->truncated;
}

static vp_status collide(vp_colliding *r, vp_collided *b, vp_hasher *h, vp_error *error)
{
    vp_aabb box;
    vp_status status = vp_collide_bounds(&r->shape.shape, &b->pose, r->def.margin, &box, error);
    const double begin = vp_seconds();
    if (status == VP_OK)
        status = manifolds(r, &box, b, error);
    r->seconds += vp_seconds() - begin;
    if (status == VP_OK && r->ground.kind == VP_GROUND_WORLD) /* other grounds have gathered it already */
        status = vp_ground_near(&r->ground, &box, &r->near, error);
    if (status != VP_OK)
        return status;
    b->near = r->near.count;
    hash(h, b);
    sum_up(r, b);
    return VP_OK;
}

/* ---- a batch ---- */

/* A random pose on a triangle, up to a fifth of the radius deep. */
static vp_pose any_pose(const vp_colliding *r, const vp_vec3 *corner, uint32_t triangles, vp_random *random)
{
    const vp_vec3 *c = corner + 3 * (size_t)vp_random_below(random, triangles);
    const vp_vec3 u = vp_vec3_sub(c[1], c[0]), v = vp_vec3_sub(c[2], c[0]), n = vp_vec3_cross(u, v);
    float s = vp_random_unit(random);
    float t = vp_random_unit(random);
    const float square = vp_vec3_dot(n, n), radius = vp_collide_radius(&r->shape.shape);
    if (s + t > 1.0f) {
        s = 1.0f - s;
        t = 1.0f - t;
    }
    vp_pose_place place = {.point = vp_vec3_add(c[0], vp_vec3_add(vp_vec3_scale(u, s), vp_vec3_scale(v, t)))};
    place.normal = square > 0.0f ? vp_vec3_scale(n, 1.0f / sqrtf(square)) : (vp_vec3){0.0f, 1.0f, 0.0f};
    place.gap = -radius * vp_random_between(random, 0.02f, 0.2f);
    vp_random_turn(random, 0.01f, 1.0f, place.rotation);
    return vp_pose_of(&r->shape.shape, &place);
}

static vp_status collide_batch(vp_colliding *r, vp_hasher *h, vp_error *error)
{
    vp_vec3 *corner = NULL;
    uint32_t triangles = 0;
    vp_random random = {r->seed};
    vp_collided body = {.count = 0};
    vp_status status = vp_ground_corners(&r->ground, &corner, &triangles, error);
    for (uint32_t i = 0; status == VP_OK && i < r->random; i++) {
        body.pose = any_pose(r, corner, triangles, &random);
        status = collide(r, &body, h, error);
        if (i % 1024 == 0)
            vp_progress("bodies", i, r->random);
    }
    vp_progress("", 1, 1);
    vp_collided_drop(&body);
    free(corner);
    return status;
}

/* ---- all bodies ---- */

vp_status vp_collide_bodies(vp_colliding *r, vp_error *error)
{
    vp_hasher h;
    vp_status status = VP_OK;
    r->def.kernels = &r->ground.kernels;
    r->def.by_chunk = !r->whole;
    vp_hash_begin(&h);
    for (uint32_t i = 0; status == VP_OK && i < r->bodies; i++) {
        status = collide(r, &r->body[i], &h, error);
        if (status == VP_OK && r->triangles)
            status = tell_triangles(r, &r->body[i], error);
        if (status == VP_OK)
            status = push_out(r, &r->body[i], error);
    }
    if (status == VP_OK && r->random != 0)
        status = collide_batch(r, &h, error);
    r->digest = vp_hash_end(&h);
    return status;
}

void vp_collided_drop(vp_collided *b)
{
    free(b->manifold);
    free(b->reported);
    *b = (vp_collided){.count = 0};
}
