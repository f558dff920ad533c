/* SPDX-License-Identifier: MIT */
/* Submerged parts of shapes: against many points, which know neither lines nor chords; against closed forms; and by what must
 * hold of any: no jumps, and parts that add up. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#ifndef TEST_THIN
#define TEST_THIN 1
#endif

enum { SHAPES = 6, HULL_POINTS = 64 };
#define PI 3.14159265358979323846

/* ---- shapes ---- */

static vp_collide_hull hulls[2];

static double unit(vp_random *r)
{
    return (double)vp_random_unit(r);
}

/* Points on a sphere, and their hull as shapes have it. */
static void make_hull(uint32_t count, vp_collide_hull *out)
{
    vp_vec3 point[HULL_POINTS];
    vp_random r = {count};
    for (uint32_t i = 0; i < count; i++) {
        double p[3], square;
        do {
            for (int k = 0; k < 3; k++)
                p[k] = 2.0 * unit(&r) - 1.0;
            square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        } while (square > 1.0 || square < 0.01);
        point[i] = (vp_vec3){(float)(p[0] / sqrt(square)), (float)(p[1] / sqrt(square)), (float)(p[2] / sqrt(square))};
    }
    vp_hull hull;
    assert_ok(vp_hull_create(&(vp_hull_def){.point = point, .count = count}, &hull, &error));
    assert_int_equal(hull.dimension, 3);
    vp_vec3 *vertex = malloc(hull.vertex_count * sizeof *vertex);
    vp_collide_plane *plane = malloc(hull.face_count * sizeof *plane);
    uint32_t *first = malloc((hull.face_count + 1) * sizeof *first), *corner = malloc(hull.corner_count * sizeof *corner);
    vp_collide_edge *edge = malloc(hull.corner_count * sizeof *edge);
    assert_true(vertex && plane && first && corner && edge);
    uint32_t edges = 0;
    for (uint32_t v = 0; v < hull.vertex_count; v++)
        vertex[v] = point[hull.vertex[v]];
    for (uint32_t f = 0; f < hull.face_count; f++) {
        const double *p = hull.plane[f];
        plane[f] = (vp_collide_plane){{(float)p[0], (float)p[1], (float)p[2]}, (float)p[3]};
        for (uint32_t c = hull.first_corner[f]; c < hull.first_corner[f + 1]; c++) {
            const uint32_t next = hull.corner[c + 1 < hull.first_corner[f + 1] ? c + 1 : hull.first_corner[f]];
            corner[c] = hull.corner[c];
            if (corner[c] < next)
                edge[edges++] = (vp_collide_edge){{corner[c], next}};
        }
    }
    memcpy(first, hull.first_corner, (hull.face_count + 1) * sizeof *first);
    *out = (vp_collide_hull){.vertex = vertex,
                             .plane = plane,
                             .first_corner = first,
                             .corner = corner,
                             .edge = edge,
                             .vertex_count = hull.vertex_count,
                             .face_count = hull.face_count,
                             .edge_count = edges,
                             .radius = 1.0f};
    vp_hull_destroy(&hull);
}

static void free_hull(vp_collide_hull *hull)
{
    free((void *)(uintptr_t)hull->vertex);
    free((void *)(uintptr_t)hull->plane);
    free((void *)(uintptr_t)hull->first_corner);
    free((void *)(uintptr_t)hull->corner);
    free((void *)(uintptr_t)hull->edge);
}

static int make_hulls(void **state)
{
    (void)state;
    make_hull(16, &hulls[0]);
    make_hull(64, &hulls[1]);
    return 0;
}

static int free_hulls(void **state)
{
    (void)state;
    free_hull(&hulls[0]);
    free_hull(&hulls[1]);
    return 0;
}

/* Hulls are of radius 1 whatever the size. */
static vp_collide_shape shape_of(int kind, float size)
{
    vp_collide_shape shape = {.kind = VP_COLLIDE_HULL, .hull = &hulls[kind == 5]};
    switch (kind) {
    case 0:
        return (vp_collide_shape){.kind = VP_COLLIDE_SPHERE, .radius = size};
    case 1:
        return (vp_collide_shape){.kind = VP_COLLIDE_CAPSULE, .radius = 0.6f * size, .half_height = size};
    case 2:
        return (vp_collide_shape){.kind = VP_COLLIDE_BOX, .half = {0.8f * size, 0.6f * size, size}};
    case 3:
        return (vp_collide_shape){.kind = VP_COLLIDE_CYLINDER, .radius = 0.8f * size, .half_height = 0.7f * size};
    default:
        return shape;
    }
}

/* Any rotation, or one of those for which a root or a quotient is 0. */
static vp_pose random_pose(vp_random *r, float low, float high)
{
    static const float right[][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 1, 1, 1}, {0, 0.3826834f, 0, 0.9238795f}};
    vp_pose pose = {{vp_random_between(r, low, high), vp_random_between(r, low, high), vp_random_between(r, low, high)}, {0, 0, 0, 0}};
    if (vp_random_below(r, 3) == 0) {
        memcpy(pose.rotation, right[vp_random_below(r, 6)], sizeof pose.rotation);
    } else {
        do {
            for (int i = 0; i < 4; i++)
                pose.rotation[i] = vp_random_between(r, -1.0f, 1.0f);
        } while (fabsf(pose.rotation[0]) + fabsf(pose.rotation[3]) < 0.1f);
    }
    return pose;
}

/* ---- points ---- */

/* v turned back by a quaternion: w*w*v + 2w(v x u) + 2u(u.v) - u.u*v, over the square of its length. */
static void turn_back(const float q[4], const double v[3], double out[3])
{
    const double u[3] = {(double)q[0], (double)q[1], (double)q[2]}, w = (double)q[3];
    const double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = ((w * w - uu) * v[i] + 2.0 * w * (v[j] * u[k] - v[k] * u[j]) + 2.0 * u[i] * uv) / (uu + w * w);
    }
}

static bool has(const vp_collide_shape *s, const double p[3])
{
    const double r = (double)s->radius, h = (double)s->half_height;
    switch (s->kind) {
    case VP_COLLIDE_CYLINDER:
        return fabs(p[1]) <= h && p[0] * p[0] + p[2] * p[2] <= r * r;
    case VP_COLLIDE_BOX:
        return fabs(p[0]) <= (double)s->half.x && fabs(p[1]) <= (double)s->half.y && fabs(p[2]) <= (double)s->half.z;
    case VP_COLLIDE_HULL:
        for (uint32_t f = 0; f < s->hull->face_count; f++) {
            const vp_collide_plane *plane = &s->hull->plane[f];
            if ((double)plane->normal.x * p[0] + (double)plane->normal.y * p[1] + (double)plane->normal.z * p[2] > (double)plane->offset)
                return false;
        }
        return true;
    default: {
        const double d = p[1] - (s->kind == VP_COLLIDE_SPHERE ? 0.0 : fmax(-h, fmin(h, p[1])));
        return p[0] * p[0] + d * d + p[2] * p[2] <= r * r;
    }
    }
}

static bool is_wet(const vp_world *world, const double p[3])
{
    const vp_ivec3 at = {(int32_t)floor(p[0]), (int32_t)floor(p[1]), (int32_t)floor(p[2])};
    const vp_voxel voxel = vp_world_voxel(world, at), above = vp_world_voxel(world, (vp_ivec3){at.x, at.y + 1, at.z});
    return voxel.material == VP_WATER && (above.material == VP_WATER || (p[1] - at.y) * 256.0 <= voxel.occupancy + 1.0);
}

/* Points spread evenly over the box (Roberts' sequence in three dimensions); the share of those in the shape that is wet, and their middle. */
static double by_points(const vp_submerged_body *body, const vp_pose *pose, const vp_world *world, int count, double centre[3])
{
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    double inside = 0.0, wet = 0.0, sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) {
        double p[3], own[3];
        for (int k = 0; k < 3; k++) {
            const double far = 0.5 + step[k] * i;
            p[k] = body->low[k] + (body->high[k] - body->low[k]) * (far - floor(far));
        }
        turn_back(pose->rotation, p, own);
        if (!has(body->shape, own))
            continue;
        inside += 1.0;
        const double at[3] = {p[0] + body->position[0], p[1] + body->position[1], p[2] + body->position[2]};
        if (!is_wet(world, at))
            continue;
        wet += 1.0;
        for (int k = 0; k < 3; k++)
            sum[k] += p[k];
    }
    for (int k = 0; k < 3; k++)
        centre[k] = wet > 0.0 ? sum[k] / wet : 0.0;
    return wet / inside;
}

static double reach_of(const vp_submerged_body *body)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, body->high[k] - body->low[k]);
    return most;
}

/* A world of 4^3 chunks: a lake of one level; or levels, caves and falls. */
static vp_world *lake(int32_t level, uint8_t occupancy)
{
    vp_world *world = test_world(4, 4, 4, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, level, 32}, (vp_voxel){VP_WATER, 255}, NULL, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, level, 0}, (vp_ivec3){32, level + 1, 32}, (vp_voxel){VP_WATER, occupancy}, NULL, &error));
    return world;
}

static vp_world *wild(vp_random *r)
{
    vp_world *world = test_random_world(r, (vp_dims){4, 4, 4}, NULL);
    for (int32_t x = 0; x < 32; x++)
        for (int32_t z = 0; z < 32; z++) {
            const int32_t low = (int32_t)vp_random_below(r, 24), high = low + (int32_t)vp_random_below(r, 8);
            const vp_voxel water = {VP_WATER, (uint8_t)vp_random_below(r, 256)};
            assert_ok(vp_world_fill_box(world, (vp_ivec3){x, low, z}, (vp_ivec3){x + 1, high, z + 1}, water, NULL, &error));
        }
    return world;
}

static vp_broadphase *bits_of(const vp_world *world)
{
    vp_broadphase *broadphase = NULL;
    assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &broadphase, &error));
    return broadphase;
}

/* BUO-1, BUO-2: within 1 % of the volume and of the size, of any water. */
static void test_against_points(void **state)
{
    (void)state;
    vp_random r = {1};
    double worst[2] = {0.0, 0.0};
    for (int t = 0; t < (TEST_THIN > 1 ? 6 : 60); t++) {
        vp_world *world = t % 2 == 0 ? wild(&r) : lake(12 + (int32_t)vp_random_below(&r, 4), (uint8_t)vp_random_below(&r, 256));
        vp_broadphase *broadphase = bits_of(world);
        const vp_collide_shape shape = shape_of(t % SHAPES, vp_random_between(&r, 0.2f, 3.0f));
        vp_pose pose = random_pose(&r, 10.0f, 20.0f);
        pose.position.y = vp_random_between(&r, 13.0f, 16.0f);
        vp_submerged_body body;
        vp_submerged part, without;
        double centre[3];
        assert_ok(vp_submerged_body_of(&shape, &pose, &body, &error));
        assert_ok(vp_submerged_in_world(&body, world, broadphase, &part, &error));
        assert_ok(vp_submerged_in_world(&body, world, NULL, &without, &error));
        assert_true(fabs(part.volume - without.volume) <= 1e-12 * body.whole.volume);
        const double share = by_points(&body, &pose, world, 200000, centre);
        const double off = fabs(part.volume / body.whole.volume - share);
        worst[0] = fmax(worst[0], off);
        if (getenv("SHOW")) printf("%d kind %d size %.2f share %.5f ours %.5f  off %.5f\n", t, t % SHAPES, reach_of(&body), share, part.volume / body.whole.volume, off);
        assert_true(off <= 0.01);
        for (int k = 0; k < 3 && share > 0.02; k++) {
            const double away = fabs(part.centre[k] - centre[k]) / reach_of(&body);
            worst[1] = fmax(worst[1], away);
            assert_true(away <= 0.01);
        }
        vp_broadphase_destroy(broadphase);
        vp_world_destroy(world);
    }
    print_message("volume within %.4f of the shape's, centre within %.4f of its size\n", worst[0], worst[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_points)};
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
