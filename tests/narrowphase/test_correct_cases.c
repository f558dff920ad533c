/* SPDX-License-Identifier: MIT */
/* Corrected answers in single cases: from below the surface, sheets, valleys, triangles without area, long lists, and refusals. */
#include <math.h>
#include <string.h>

#include <voxphys/narrowphase.h>

#include "datasets/random.h"
#include "tests/support/check.h"

#define MARGIN 0.02f

static bool is_kept(const vp_collide_answer *a)
{
    return a->triangle_feature != VP_COLLIDE_NONE;
}

/* docs/CONTRACT.md: COR-4. Thousands of answers, most with new normals, in two orders. */
static void many(void **state)
{
    enum { SIDE = 32, COUNT = SIDE * SIDE * 2 };
    static vp_vec3 point[SIDE + 1][SIDE + 1];
    static vp_collide_triangle list[2][COUNT];
    static vp_collide_answer raw[COUNT], answer[2][COUNT];
    static uint32_t words[VP_COLLIDE_CONNECT_WORDS(COUNT)];
    const vp_collide_shape plate = vp_collide_box((vp_vec3){6.0f, 0.5f, 6.0f});
    const vp_pose pose = {{6.0f, 0.6f, 6.0f}, {0.01f, 0.1f, 0.02f, 1.0f}};
    vp_random r = {31};
    uint32_t kept = 0, dropped = 0;
    (void)state;
    for (int i = 0; i <= SIDE; i++)
        for (int j = 0; j <= SIDE; j++)
            point[i][j] = (vp_vec3){(float)i * 0.375f, vp_random_between(&r, 0.0f, 0.4f), (float)j * 0.375f};
    for (int i = 0; i < COUNT; i++) {
        const int x = i / 2 / SIDE, z = i / 2 % SIDE;
        const vp_vec3 corner[3] = {point[x][z], i % 2 == 0 ? point[x][z + 1] : point[x + 1][z + 1],
                                   i % 2 == 0 ? point[x + 1][z + 1] : point[x + 1][z]};
        list[0][i] = vp_collide_triangle_of(corner, (uint32_t)i);
    }
    assert_ok(vp_collide_connect(list[0], COUNT, words, &error));
    for (int i = 0; i < COUNT; i++)
        list[1][COUNT - 1 - i] = list[0][i];
    for (int k = 0; k < 2; k++) {
        assert_ok(vp_collide_triangles(NULL, &plate, &pose, 0.0f, list[k], COUNT, answer[k], &error));
        memcpy(raw, answer[k], sizeof raw);
        assert_ok(vp_collide_correct(NULL, &plate, &pose, 0.0f, list[k], COUNT, answer[k], &error));
    }
    for (int i = 0; i < COUNT; i++) {
        assert_memory_equal(&answer[0][i], &answer[1][COUNT - 1 - i], sizeof **answer);
        kept += is_kept(&answer[0][i]);
        dropped += is_kept(&raw[COUNT - 1 - i]) && !is_kept(&answer[0][i]);
    }
    assert_true(kept + dropped > 1024 && dropped > 100);
}

static const vp_vec3 ground[3] = {{-4.0f, 0.0f, -4.0f}, {0.0f, 0.0f, 8.0f}, {4.0f, 0.0f, -4.0f}};

static vp_collide_answer answer_at(float height, vp_vec3 *normal)
{
    const vp_collide_shape sphere = vp_collide_sphere(0.5f);
    const vp_pose pose = vp_pose_at((vp_vec3){0.0f, height, 0.0f});
    const vp_collide_triangle t = vp_collide_triangle_of(ground, 0);
    vp_collide_answer answer;
    assert_ok(vp_collide_triangles(NULL, &sphere, &pose, 0.25f, &t, 1, &answer, &error));
    assert_ok(vp_collide_correct(NULL, &sphere, &pose, 0.25f, &t, 1, &answer, &error));
    *normal = t.normal;
    return answer;
}

/* A shape below the surface is pushed forwards, until it is wholly out. A shape wholly below has no contact. */
static void from_behind(void **state)
{
    vp_vec3 n;
    vp_collide_answer a = answer_at(0.25f, &n);
    (void)state;
    assert_true(n.y == 1.0f && a.normal.y == 1.0f && a.distance == -0.25f);
    a = answer_at(-0.25f, &n);
    assert_true(a.normal.y == 1.0f && a.distance == -0.75f);
    assert_true(a.triangle_feature == VP_TRIANGLE_FACE && a.on_shape.y == -0.5f && a.on_triangle.y == 0.25f);
    a = answer_at(-0.625f, &n);
    assert_true(a.triangle_feature == VP_COLLIDE_NONE);
    a = answer_at(0.625f, &n);
    assert_true(a.triangle_feature == VP_TRIANGLE_FACE && a.distance == 0.125f);
}

/* A sphere that just touches a corner, straight above the triangle's edge and off its plane. It is not deep along
 * the triangle's normal. */
static void grazed(void **state)
{
    const vp_collide_shape sphere = vp_collide_sphere(0.5f);
    const vp_vec3 corner[3] = {{0.0f, 0.0f, 0.5f}, {0.0f, -3.0f, 4.0f}, {0.0f, 1.0f, 6.0f}};
    vp_collide_triangle t = vp_collide_triangle_of(corner, 0);
    vp_collide_answer raw, answer;
    (void)state;
    t.flags = 0; /* continues flat */
    for (int k = 0; k < 3; k++)
        t.beside[k] = t.normal;
    assert_ok(vp_collide_triangles(NULL, &sphere, &(vp_pose){{0, 0, 0}, {0, 0, 0, 1}}, MARGIN, &t, 1, &raw, &error));
    assert_true(raw.distance == 0.0f && raw.normal.z == -1.0f);
    answer = raw;
    assert_ok(vp_collide_correct(NULL, &sphere, &(vp_pose){{0, 0, 0}, {0, 0, 0, 1}}, MARGIN, &t, 1, &answer, &error));
    assert_true(fabsf(answer.normal.x) == 1.0f && answer.distance == 0.0f);
    assert_memory_equal(&raw.on_shape, &answer.on_shape, sizeof raw.on_shape);
}

/* Connects the triangles, and collides them with a ball of radius 0.4. */
static void touch_ball(vp_vec3 at, float margin, vp_collide_triangle *triangle, uint32_t count, vp_collide_answer *answer)
{
    const vp_collide_shape ball = vp_collide_sphere(0.4f);
    const vp_pose pose = vp_pose_at(at);
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(4)];
    assert_true(count <= 4);
    assert_ok(vp_collide_connect(triangle, count, words, &error));
    assert_ok(vp_collide_triangles(NULL, &ball, &pose, margin, triangle, count, answer, &error));
    assert_ok(vp_collide_correct(NULL, &ball, &pose, margin, triangle, count, answer, &error));
}

/* A valley and a pit steeper than a right angle have no normal towards a ball below and apart from them. */
static void below_steep_valleys(void **state)
{
    static const vp_vec3 side[4] = {{1.0f, 3.0f, 1.0f}, {1.0f, 3.0f, -1.0f}, {-1.0f, 3.0f, -1.0f}, {-1.0f, 3.0f, 1.0f}};
    const vp_vec3 end[2] = {{0.0f, 0.0f, -2.0f}, {0.0f, 0.0f, 2.0f}}, tip = {0.0f, 0.0f, 0.0f};
    vp_collide_triangle valley[2] = {{.corner = {end[0], end[1], {1.0f, 3.0f, 0.0f}}}, {.corner = {end[1], end[0], {-1.0f, 3.0f, 0.0f}}}};
    vp_collide_triangle pit[4];
    vp_collide_answer a[4];
    (void)state;
    for (int k = 0; k < 4; k++)
        pit[k] = (vp_collide_triangle){.corner = {tip, side[k], side[(k + 1) % 4]}};
    for (int k = -2; k <= 2; k++) {
        const vp_vec3 below = {0.02f * (float)k, -0.5f, 0.0f};
        touch_ball(below, 0.5f, valley, 2, a);
        assert_true(valley[0].normal.y > 0.0f && vp_edge_of(valley[0].flags, 0) == VP_EDGE_CONCAVE);
        assert_true(a[0].triangle_feature == VP_COLLIDE_NONE && a[1].triangle_feature == VP_COLLIDE_NONE);
        touch_ball(below, 0.5f, pit, 4, a);
        for (int i = 0; i < 4; i++)
            assert_true(pit[i].normal.y > 0.0f && a[i].triangle_feature == VP_COLLIDE_NONE);
    }
}

/* Two triangles back to back are a sheet. The direction straight out of its edge is a normal of both. */
static void at_a_sheet(void **state)
{
    const vp_vec3 end[2] = {{0.0f, 0.0f, -2.0f}, {0.0f, 0.0f, 2.0f}}, far = {-3.0f, 0.0f, 0.0f}, at = {0.25f, 0.0f, 0.0f};
    vp_collide_triangle sheet[2] = {{.corner = {end[0], end[1], far}}, {.corner = {end[1], end[0], far}}};
    vp_collide_answer a[2];
    (void)state;
    touch_ball(at, 0.0f, sheet, 2, a);
    for (int i = 0; i < 2; i++) {
        assert_float_equal(a[i].normal.x, 1.0f, 1e-6f);
        assert_float_equal(a[i].distance, -0.15f, 1e-6f);
    }
}

/* At a corner where a surface ends, nothing is pushed to the surface's back. */
static void behind_an_open_corner(void **state)
{
    vp_collide_triangle alone = {.corner = {{0.0f, 0.0f, 0.0f}, {-2.0f, 0.0f, -2.0f}, {-2.0f, 0.0f, 2.0f}}};
    vp_collide_answer a;
    (void)state;
    for (int k = -2; k <= 2; k++) {
        touch_ball((vp_vec3){0.1f, -0.2f, 0.05f * (float)k}, 0.0f, &alone, 1, &a);
        assert_float_equal(fabsf(alone.normal.y), 1.0f, 1e-6f);
        touch_ball((vp_vec3){0.1f, -0.2f * alone.normal.y, 0.05f * (float)k}, 0.0f, &alone, 1, &a);
        assert_true(a.triangle_feature != VP_COLLIDE_NONE && a.normal.y * alone.normal.y >= 0.0f);
    }
}

/* The answer of a triangle without area stays as it is. */
static void no_area(void **state)
{
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const vp_pose pose = vp_pose_at((vp_vec3){0.1f, 0.4f, 0.2f});
    const vp_vec3 line[3] = {ground[0], ground[1], ground[1]};
    const vp_collide_triangle t = vp_collide_triangle_of(line, 0);
    vp_collide_answer raw, answer;
    (void)state;
    assert_ok(vp_collide_triangles(NULL, &box, &pose, INFINITY, &t, 1, &raw, &error));
    answer = raw;
    assert_ok(vp_collide_correct(NULL, &box, &pose, INFINITY, &t, 1, &answer, &error));
    assert_memory_equal(&raw, &answer, sizeof raw);
}

static void refusals(void **state)
{
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f}), nothing = vp_collide_sphere(0.0f);
    const vp_pose pose = vp_pose_at((vp_vec3){0.1f, 0.4f, 0.2f});
    const vp_collide_triangle good = vp_collide_triangle_of(ground, 0);
    vp_collide_triangle t[2] = {good, good};
    vp_collide_answer raw[2], answer[2];
    (void)state;
    assert_ok(vp_collide_triangles(NULL, &box, &pose, 0.0f, t, 2, raw, &error));
    memcpy(answer, raw, sizeof raw);
    assert_refused(vp_collide_correct(NULL, &nothing, &pose, 0.0f, t, 2, answer, &error), VP_E_ARGUMENT, "radius");
    assert_refused(vp_collide_correct(NULL, &box, &pose, -1.0f, t, 2, answer, &error), VP_E_ARGUMENT, "-1");
    t[1].corner[2].y = NAN;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, answer, &error), VP_E_ARGUMENT, "triangle 1");
    t[1] = good;
    t[1].normal.y = 2.0f;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, answer, &error), VP_E_ARGUMENT, "triangle 1: the normal is 0, 2, 0");
    t[1] = good;
    t[0].beside[1].z = 0.5f;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, answer, &error), VP_E_ARGUMENT, "0, 0, 0.5");
    t[0] = good;
    assert_memory_equal(answer, raw, sizeof raw);
    answer[1].distance = NAN;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, answer, &error), VP_E_ARGUMENT, "answer 1: the distance is");
    answer[1] = raw[1];
    answer[1].normal.x = INFINITY;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, answer, &error), VP_E_ARGUMENT, "answer 1: the normal is inf");
    assert_ok(vp_collide_correct(NULL, &box, &pose, 0.0f, NULL, 0, NULL, &error));
}

/* docs/CONTRACT.md: COR-2, COR-3. Thin bodies with their top a little below the rim of a block, and sticking out of its side. The way out
 * is up. The block's top, which is above them, has no contact. */
static void plates_below_a_rim(void **state)
{
    enum { PLACES = 200 };
    static const vp_aabb block = {{-8.0f, -8.0f, -8.0f}, {8.0f, 1.0f, 1.0f}};
    vp_collide_triangle side[VP_COLLIDE_BOX_TRIANGLES];
    const uint32_t count = vp_collide_box_triangles(&block, VP_SIDES_ALL, 0, side);
    vp_random r = {32};
    (void)state;
    for (int i = 0; i < 3 * PLACES; i++) {
        const float half = vp_random_between(&r, 0.02f, 0.1f), below = vp_random_between(&r, 0.001f, 0.03f),
                    out = vp_random_between(&r, 0.01f, 0.3f);
        const vp_collide_shape shape = i % 3 == 0   ? vp_collide_box((vp_vec3){0.5f, half, 0.5f})
                                       : i % 3 == 1 ? vp_collide_cylinder(0.5f, half)
                                                    : vp_collide_capsule(half, 0.5f - half);
        vp_pose pose = vp_pose_at((vp_vec3){vp_random_between(&r, -4.0f, 4.0f), 1.0f - below - half, 1.0f - 0.5f + out});
        if (i % 3 == 2) { /* along z */
            pose.rotation[0] = 0.70710678f;
            pose.rotation[3] = 0.70710678f;
        }
        vp_collide_answer answer[VP_COLLIDE_BOX_TRIANGLES];
        float deepest = 0.0f;
        assert_ok(vp_collide_triangles(NULL, &shape, &pose, 0.0f, side, count, answer, &error));
        assert_ok(vp_collide_correct(NULL, &shape, &pose, 0.0f, side, count, answer, &error));
        for (uint32_t t = 0; t < count; t++)
            deepest = is_kept(&answer[t]) && answer[t].distance < deepest ? answer[t].distance : deepest;
        const float way = below + 2.0f * half; /* a capsule's end is round at the side */
        assert_true(-deepest < way + 1e-4f && -deepest > (i % 3 == 2 ? below + half : way) - 1e-4f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many),
        cmocka_unit_test(from_behind),
        cmocka_unit_test(below_steep_valleys),
        cmocka_unit_test(at_a_sheet),
        cmocka_unit_test(behind_an_open_corner),
        cmocka_unit_test(grazed),
        cmocka_unit_test(plates_below_a_rim),
        cmocka_unit_test(no_area),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
