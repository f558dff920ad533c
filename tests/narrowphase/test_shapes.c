/* SPDX-License-Identifier: MIT */
/* Refusals of shapes, poses, hulls and the checked call, the contents of a hull, and the bounds of shapes. */
#include <math.h>
#include <stdlib.h>

#include <voxphys/narrowphase.h>

#include "datasets/random.h"
#include "tests/support/check.h"
#include "tests/support/memory.h"

static const vp_vec3 corner[3] = {{-1.0f, 0.0f, -1.0f}, {0.0f, 0.0f, 2.0f}, {1.0f, 0.0f, -1.0f}};

static vp_collide_result ask(const vp_collide_shape *shape, vp_pose pose, const vp_vec3 at[3], float margin)
{
    const vp_collide_triangle triangle = vp_collide_triangle_of(at, 7);
    vp_collide_result answer;
    assert_ok(vp_collide_triangles(NULL, shape, &pose, margin, &triangle, 1, &answer, &error));
    return answer;
}

/* docs/CONTRACT.md: NAR-1. A segment through the middle of a round shape. The way out is across the segment, whatever its direction. */
TEST(through_the_middle)
{
    const vp_collide_shape round[3] = {vp_collide_sphere(0.5f), vp_collide_capsule(0.5f, 0.0f), vp_collide_capsule(0.5f, 0.25f)};
    static const vp_vec3 way[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {3, -2, 1}, {-0.25f, 0.5f, 4}};
    for (int i = 0; i < 3 * 6; i++) {
        const vp_vec3 d = way[i / 3], at[3] = {d, vp_vec3_scale(d, -2.0f), d}, point[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        vp_collide_result a = ask(&round[i % 3], vp_pose_at((vp_vec3){0, 0, 0}), at, 0.0f);
        const bool along = i % 3 == 2; /* the capsule's segment is also perpendicular */
        assert_true(along ? a.distance <= -0.4999995f && a.distance >= -0.75f : fabsf(a.distance + 0.5f) < 1e-6f);
        assert_true(fabsf(vp_vec3_dot(a.normal, d)) < 1e-6f || along);
        a = ask(&round[i % 3], vp_pose_at((vp_vec3){0, 0, 0}), point, 0.0f);
        assert_true(fabsf(a.distance + 0.5f) < 1e-6f);
    }
}

/* A rectangle, a cube, and invalid hulls. */
TEST(hulls)
{
    const vp_vec3 flat[5] = {{0, 0, 0}, {2, 0, 0}, {2, 0, 4}, {0, 0, 4}, {1, 0, 1}}, line[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    vp_vec3 cube[8];
    vp_collide_owned_hull solid = {0};
    for (int i = 0; i < 8; i++)
        cube[i] = (vp_vec3){(float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2)};
    vp_collide_hull_def def = {.point = cube, .count = 8, .origin = {0.5f, 0.5f, 0.5f}};
    assert_ok(vp_collide_hull_create(&def, &solid, &error));
    assert_int_equal(solid.hull.vertex_count, 8);
    assert_int_equal(solid.hull.face_count, 6);
    assert_int_equal(solid.hull.edge_count, 12);
    assert_int_equal(solid.hull.arc_count, 12);
    assert_true(solid.hull.radius >= 0.8660254f && solid.hull.radius < 0.866026f);
    const vp_collide_shape shape = vp_collide_hull_shape(&solid.hull);
    const vp_collide_result a = ask(&shape, vp_pose_at((vp_vec3){0.0f, 0.25f, 0.0f}), corner, 0.0f);
    assert_true(a.distance == -0.25f && a.normal.y == 1.0f);
    vp_collide_hull_destroy(&solid);
    vp_collide_hull_destroy(&solid); /* all bytes are 0 now */

    def = (vp_collide_hull_def){.point = flat, .count = 5, .origin = {1.0f, 0.0f, 2.0f}};
    assert_ok(vp_collide_hull_create(&def, &solid, &error));
    assert_int_equal(solid.hull.face_count, 2);
    assert_int_equal(solid.hull.edge_count, 4);
    assert_int_equal(solid.hull.arc_count, 8); /* each rim is half of a circle */
    const vp_collide_shape plate = vp_collide_hull_shape(&solid.hull);
    const vp_pose upright = {{0.0f, 0.75f, 0.0f}, {0.0f, 0.0f, 1.0f, 1.0f}}; /* stands on an edge, a quarter deep */
    const vp_collide_result b = ask(&plate, upright, corner, 0.0f);
    assert_true(fabsf(b.distance + 0.25f) < 1e-6f && fabsf(b.normal.y - 1.0f) < 1e-6f);
    vp_collide_hull_destroy(&solid);

    def = (vp_collide_hull_def){.point = line, .count = 3};
    assert_refused(vp_collide_hull_create(&def, &solid, &error), VP_E_ARGUMENT, "segment");
    def = (vp_collide_hull_def){.point = cube, .count = 8, .origin = {0.0f, NAN, 0.0f}};
    assert_refused(vp_collide_hull_create(&def, &solid, &error), VP_E_ARGUMENT, "nan");
    def = (vp_collide_hull_def){.point = cube, .count = 8, .origin = {1e7f, 0.0f, 0.0f}};
    assert_refused(vp_collide_hull_create(&def, &solid, &error), VP_E_ARGUMENT, "1e+07");
    vp_hull hull;
    assert_ok(vp_hull_create(&(vp_hull_def){.point = cube, .count = 8}, &hull, &error));
    def = (vp_collide_hull_def){.point = cube, .count = 5, .hull = &hull};
    assert_refused(vp_collide_hull_create(&def, &solid, &error), VP_E_ARGUMENT, "point 5 of 5");
    vp_hull_destroy(&hull);
    assert_null(solid.block);
}

/* Points on a sphere, around a cone and near a cube's corners, moved, with several tolerances. */
static vp_vec3 point_of_solid(vp_random *r, int kind, uint32_t i)
{
    const float u = vp_random_between(r, -1.0f, 1.0f), angle = vp_random_between(r, 0.0f, 6.2831853f), w = sqrtf(1.0f - u * u);
    if (kind == 0)
        return (vp_vec3){w * cosf(angle), u, w * sinf(angle)};
    if (kind == 1)
        return i == 0 ? (vp_vec3){0.0f, 1.0f, 0.0f} : (vp_vec3){cosf(angle), 0.0f, sinf(angle)};
    return (vp_vec3){(float)(i & 1) + 1e-5f * u, (float)(i >> 1 & 1) + 1e-5f * w, (float)(i >> 2 & 1) + 1e-5f * cosf(angle)};
}

/* Each plane of a hull reaches exactly as far as the farthest vertex. */
TEST(planes_of_hulls)
{
    enum { POINTS = 500 };
    static const float tolerance[4] = {0.0f, 1e-6f, 1e-3f, 0.05f}, away[3] = {0.0f, 100.0f, 10000.0f};
    static vp_vec3 point[POINTS];
    vp_random r = {11};
    for (int kind = 0; kind < 3 * 4 * 3 * 2; kind++) {
        const float x = away[kind / 12 % 3];
        vp_hull hull;
        vp_collide_owned_hull solid;
        for (uint32_t i = 0; i < POINTS; i++) {
            point[i] = point_of_solid(&r, kind % 3, i);
            point[i].x += x;
        }
        const vp_hull_def def = {.point = point, .count = POINTS, .tolerance = tolerance[kind / 3 % 4], .separate = kind >= 36};
        assert_ok(vp_hull_create(&def, &hull, &error));
        const vp_collide_hull_def of = {.point = point, .count = POINTS, .hull = &hull, .origin = {x, 0.0f, 0.0f}};
        assert_ok(vp_collide_hull_create(&of, &solid, &error));
        for (uint32_t f = 0; f < solid.hull.face_count; f++) {
            const vp_vec3 n = solid.hull.plane[f].normal;
            double most = -INFINITY;
            for (uint32_t i = 0; i < solid.hull.vertex_count; i++) {
                const vp_vec3 v = solid.hull.vertex[i];
                most = fmax(most, (double)n.x * (double)v.x + (double)n.y * (double)v.y + (double)n.z * (double)v.z);
            }
            assert_true(solid.hull.plane[f].offset == (float)most);
        }
        vp_collide_hull_destroy(&solid);
        vp_hull_destroy(&hull);
    }
}

TEST(refusals)
{
    const vp_collide_triangle triangle = vp_collide_triangle_of(corner, 0);
    const vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    vp_collide_result answer;
    vp_collide_frame frame;
    vp_aabb box;
    const vp_collide_shape shape = vp_collide_sphere(1.0f);
    const struct {
        vp_collide_shape shape;
        const char *value;
    } bad[] = {{vp_collide_sphere(-1.0f), "-1"},
               {vp_collide_sphere(NAN), "nan"},
               {vp_collide_sphere(1e-7f), "1e-07"},
               {vp_collide_capsule(1.0f, INFINITY), "half_height"},
               {vp_collide_box((vp_vec3){1.0f, 1.0f, -2.0f}), "half.z"},
               {vp_collide_hull_shape(NULL), "NULL"},
               {{.kind = (vp_collide_kind)9}, "9"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(vp_collide_shape_check(&bad[i].shape, &error), VP_E_ARGUMENT, bad[i].value);
    assert_ok(vp_collide_shape_check(&shape, &error));
    const vp_pose lost = vp_pose_at((vp_vec3){0.0f, INFINITY, 0.0f}), still = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
    assert_refused(vp_collide_frame_of(&lost, &frame, &error), VP_E_ARGUMENT, "position.y");
    assert_refused(vp_collide_frame_of(&still, &frame, &error), VP_E_ARGUMENT, "length 0");
    assert_refused(vp_collide_triangles(NULL, &shape, &pose, NAN, &triangle, 1, &answer, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_collide_triangles(NULL, &shape, &pose, -1.0f, &triangle, 1, &answer, &error), VP_E_ARGUMENT, "-1");
    assert_refused(vp_collide_triangles(NULL, &shape, &lost, 0.0f, &triangle, 1, &answer, &error), VP_E_ARGUMENT, "inf");
    assert_refused(vp_collide_bounds(&shape, &pose, INFINITY, &box, &error), VP_E_ARGUMENT, "inf");
    vp_collide_triangle odd = triangle;
    odd.corner[2].z = NAN;
    assert_refused(vp_collide_triangles(NULL, &shape, &pose, 0.0f, &odd, 1, &answer, &error), VP_E_ARGUMENT, "triangle 0: corner[2].z");
    assert_ok(vp_collide_triangles(NULL, &shape, &pose, 0.0f, NULL, 0, NULL, &error));
}

TEST(no_memory)
{
    const vp_vec3 point[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    vp_status status = VP_E_MEMORY;
    for (uint64_t refused = 1; status != VP_OK; refused++) {
        test_memory memory;
        test_memory_begin(&memory);
        test_memory_fail_at(&memory, refused);
        const vp_allocator allocator = test_memory_allocator(&memory);
        const vp_collide_hull_def def = {.point = point, .count = 5, .allocator = &allocator};
        vp_collide_owned_hull solid = {0};
        vp_error error;
        status = vp_collide_hull_create(&def, &solid, &error);
        vp_collide_hull_destroy(&solid);
        test_memory_end(&memory);
        assert_true(status == VP_E_MEMORY || (status == VP_OK && refused > 2));
    }
}

/* Bounds by hand, with a margin, of shapes that are turned by a quarter so that their y is -x. */
TEST(bounds)
{
    const struct {
        vp_collide_shape shape;
        vp_vec3 half;
    } known[] = {{vp_collide_sphere(0.5f), {0.5f, 0.5f, 0.5f}},
                 {vp_collide_capsule(0.25f, 0.5f), {0.75f, 0.25f, 0.25f}},
                 {vp_collide_box((vp_vec3){0.5f, 0.25f, 0.375f}), {0.25f, 0.5f, 0.375f}},
                 {vp_collide_cylinder(0.5f, 0.25f), {0.25f, 0.5f, 0.5f}}};
    const vp_pose pose = {{10.0f, -3.0f, 7.0f}, {0.0f, 0.0f, 1.0f, 1.0f}};
    const vp_vec3 margin = {0.125f, 0.125f, 0.125f};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        vp_aabb box;
        assert_ok(vp_collide_bounds(&known[i].shape, &pose, margin.x, &box, &error));
        const vp_vec3 reach = vp_vec3_add(known[i].half, margin);
        const vp_vec3 below = vp_vec3_sub(vp_vec3_sub(pose.position, reach), box.min),
                      above = vp_vec3_sub(box.max, vp_vec3_add(pose.position, reach));
        const float beyond[6] = {below.x, below.y, below.z, above.x, above.y, above.z};
        for (int k = 0; k < 6; k++)
            assert_true(beyond[k] >= 0.0f && beyond[k] <= 1e-4f);
    }
}
