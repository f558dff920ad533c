/* SPDX-License-Identifier: MIT */
/* Corrected answers in single cases. test_over_push.c judges depths, test_connect.c the normals that they choose from. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/narrowphase.h>

#include "datasets/random.h"
#include "src/narrowphase/manifold_internal.h"
#include "src/narrowphase/run.h"
#include "tests/support/check.h"

#define MARGIN 0.02f

/* The kernel's answers, and the corrected ones. */
static void answer(const vp_collide_shape *shape, const vp_pose *pose, float margin, const vp_collide_triangle *t, uint32_t count,
                   vp_collide_result *raw, vp_collide_result *corrected)
{
    assert_ok(vp_collide_triangles(NULL, shape, pose, margin, t, count, raw, &error));
    memcpy(corrected, raw, count * sizeof *raw);
    assert_ok(vp_collide_correct(NULL, shape, pose, margin, t, count, corrected, &error));
}

static bool is_kept(const vp_collide_result *a)
{
    return a->triangle_feature != VP_COLLIDE_NONE;
}

/* ---- single cases ---- */

/* Compares corrected answers with those of a manifold, which has memory to sort contacts and measures few of them. Only those that become
 * contacts have points. */
static void correct_with_memory(const vp_collide_shape *shape, const vp_pose *pose, vp_collide_triangle *t, uint32_t count,
                                vp_collide_result *raw, uint32_t *words, const vp_collide_result *corrected)
{
    enum { MOST = 4096 };
    static vp_vec3 normal[MOST];
    static uint8_t marks[MOST];
    static uint32_t order[MOST];
    static vp_manifold_contact contact[MOST * VP_CONTACTS_A_TRIANGLE];
    vp_kernels kernels;
    const vp_manifold_body body = {shape, *pose};
    vp_manifold_work work = {.def = &(vp_manifold_def){.margin = 0.0f}, .body = &body, .triangle = t, .answer = raw, .raw = normal};
    vp_collide_job job = {.shape = shape, .triangle = t, .count = count, .result = raw};
    assert_true(count <= MOST);
    work.marks = marks;
    work.order = order;
    work.words = words;
    work.contact = contact;
    work.count = work.touched = count;
    assert_ok(vp_kernels_default(&kernels, &error));
    assert_ok(vp_collide_check(shape, pose, 0.0f, &job.frame, &error));
    assert_ok(vp_collide_triangles(&kernels, shape, pose, 0.0f, t, count, raw, &error));
    memset(marks, 0, sizeof marks);
    for (uint32_t i = 0; i < count; i++)
        normal[i] = raw[i].normal;
    vp_correct_answers(&kernels, &job, count, NULL, &work);
    assert_true(work.kept > 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(is_kept(&raw[i]) == is_kept(&corrected[i]));
        if (!is_kept(&raw[i]))
            continue;
        assert_true(raw[i].distance == corrected[i].distance);
        assert_memory_equal(&raw[i].normal, &corrected[i].normal, sizeof raw[i].normal);
        if ((marks[i] & VP_MANIFOLD_KEPT) != 0)
            assert_memory_equal(&raw[i], &corrected[i], sizeof *raw);
    }
}

/* docs/CONTRACT.md: COR-4. Thousands of answers, most with new normals, in two orders. */
TEST(many)
{
    enum { SIDE = 32, COUNT = SIDE * SIDE * 2 };
    static vp_vec3 point[SIDE + 1][SIDE + 1];
    static vp_collide_triangle list[2][COUNT];
    static vp_collide_result raw[COUNT], corrected[2][COUNT];
    static alignas(uint64_t) uint32_t words[VP_COLLIDE_CONNECT_WORDS(COUNT)];
    const vp_collide_shape plate = vp_collide_box((vp_vec3){6.0f, 0.5f, 6.0f});
    const vp_pose pose = {{6.0f, 0.6f, 6.0f}, {0.01f, 0.1f, 0.02f, 1.0f}};
    vp_random r = {31};
    uint32_t kept = 0, dropped = 0;
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
    for (int k = 0; k < 2; k++)
        answer(&plate, &pose, 0.0f, list[k], COUNT, raw, corrected[k]);
    for (int i = 0; i < COUNT; i++) {
        assert_memory_equal(&corrected[0][i], &corrected[1][COUNT - 1 - i], sizeof **corrected);
        kept += is_kept(&corrected[0][i]);
        dropped += is_kept(&raw[COUNT - 1 - i]) && !is_kept(&corrected[0][i]);
    }
    assert_true(kept + dropped > 1024 && dropped > 100);
    correct_with_memory(&plate, &pose, list[0], COUNT, raw, words, corrected[0]);
    const vp_collide_shape block = vp_collide_box((vp_vec3){5.0f, 4.0f, 5.0f});
    for (int i = 0; i < 4; i++) {
        const vp_pose deep = {{6.0f, (float)i, 6.0f}, {0.01f, 0.1f * (float)i, 0.02f, 1.0f}};
        answer(&block, &deep, 0.0f, list[0], COUNT, raw, corrected[0]);
        correct_with_memory(&block, &deep, list[0], COUNT, raw, words, corrected[0]);
    }
}

/* Plateaus and slopes below shapes along the axes, whose ways out are along axes too. */
TEST(many_on_plateaus)
{
    enum { SIDE = 24, COUNT = SIDE * SIDE * 2 };
    static vp_collide_triangle list[COUNT];
    static vp_collide_result raw[COUNT], corrected[COUNT];
    static alignas(uint64_t) uint32_t words[VP_COLLIDE_CONNECT_WORDS(COUNT)];
    const vp_collide_shape shape[] = {vp_collide_box((vp_vec3){5.0f, 4.0f, 5.0f}), vp_collide_cylinder(5.0f, 4.0f), vp_collide_sphere(6.0f),
                                      vp_collide_capsule(5.0f, 2.0f)};
    for (uint32_t i = 0; i < COUNT; i++) {
        vp_vec3 corner[3];
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t x = i / 2 / SIDE + (k == 2 || (k == 1 && i % 2 != 0)), z = i / 2 % SIDE + (k == 1 || (k == 2 && i % 2 == 0));
            corner[k] = (vp_vec3){(float)x, 0.5f * (float)(x / 3 % 2 + z / 5 % 2), (float)z};
        }
        list[i] = vp_collide_triangle_of(corner, i);
    }
    assert_ok(vp_collide_connect(list, COUNT, words, &error));
    for (int i = 0; i < 64; i++) {
        const float at = 8.0f + 0.375f * (float)(i / 4 % 4);
        const vp_pose pose = vp_pose_at((vp_vec3){at, 1.0f + 0.75f * (float)(i / 16), 12.25f});
        answer(&shape[i % 4], &pose, 0.0f, list, COUNT, raw, corrected);
        correct_with_memory(&shape[i % 4], &pose, list, COUNT, raw, words, corrected);
    }
}

static const vp_vec3 ground[3] = {{-4.0f, 0.0f, -4.0f}, {0.0f, 0.0f, 8.0f}, {4.0f, 0.0f, -4.0f}};

static vp_collide_result answer_at(float height, vp_vec3 *normal)
{
    const vp_collide_shape sphere = vp_collide_sphere(0.5f);
    const vp_pose pose = vp_pose_at((vp_vec3){0.0f, height, 0.0f});
    const vp_collide_triangle t = vp_collide_triangle_of(ground, 0);
    vp_collide_result raw, corrected;
    answer(&sphere, &pose, 0.25f, &t, 1, &raw, &corrected);
    *normal = t.normal;
    return corrected;
}

/* A shape below the surface is pushed forwards, until it is wholly out. A shape wholly below has no contact. */
TEST(from_behind)
{
    vp_vec3 n;
    vp_collide_result a = answer_at(0.25f, &n);
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
TEST(grazed)
{
    const vp_collide_shape sphere = vp_collide_sphere(0.5f);
    const vp_vec3 corner[3] = {{0.0f, 0.0f, 0.5f}, {0.0f, -3.0f, 4.0f}, {0.0f, 1.0f, 6.0f}};
    vp_collide_triangle t = vp_collide_triangle_of(corner, 0);
    const vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    vp_collide_result raw, a;
    t.flags = 0; /* continues flat */
    for (int k = 0; k < 3; k++)
        t.neighbour_normal[k] = t.normal;
    answer(&sphere, &pose, MARGIN, &t, 1, &raw, &a);
    assert_true(raw.distance == 0.0f && raw.normal.z == -1.0f);
    assert_true(fabsf(a.normal.x) == 1.0f && a.distance == 0.0f);
    assert_memory_equal(&raw.on_shape, &a.on_shape, sizeof raw.on_shape);
}

/* Connects the triangles, and collides them with a ball of radius 0.4. */
static void touch_ball(vp_vec3 at, float margin, vp_collide_triangle *triangle, uint32_t count, vp_collide_result *out)
{
    vp_collide_result raw[4];
    const vp_collide_shape ball = vp_collide_sphere(0.4f);
    const vp_pose pose = vp_pose_at(at);
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(4)];
    assert_true(count <= 4);
    assert_ok(vp_collide_connect(triangle, count, words, &error));
    answer(&ball, &pose, margin, triangle, count, raw, out);
}

/* A valley and a pit steeper than a right angle have no normal towards a ball below and apart from them. */
TEST(below_steep_valleys)
{
    static const vp_vec3 side[4] = {{1.0f, 3.0f, 1.0f}, {1.0f, 3.0f, -1.0f}, {-1.0f, 3.0f, -1.0f}, {-1.0f, 3.0f, 1.0f}};
    const vp_vec3 end[2] = {{0.0f, 0.0f, -2.0f}, {0.0f, 0.0f, 2.0f}}, tip = {0.0f, 0.0f, 0.0f};
    vp_collide_triangle valley[2] = {{.corner = {end[0], end[1], {1.0f, 3.0f, 0.0f}}}, {.corner = {end[1], end[0], {-1.0f, 3.0f, 0.0f}}}};
    vp_collide_triangle pit[4];
    vp_collide_result a[4];
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
TEST(at_a_sheet)
{
    const vp_vec3 end[2] = {{0.0f, 0.0f, -2.0f}, {0.0f, 0.0f, 2.0f}}, far = {-3.0f, 0.0f, 0.0f}, at = {0.25f, 0.0f, 0.0f};
    vp_collide_triangle sheet[2] = {{.corner = {end[0], end[1], far}}, {.corner = {end[1], end[0], far}}};
    vp_collide_result a[2];
    touch_ball(at, 0.0f, sheet, 2, a);
    for (int i = 0; i < 2; i++) {
        assert_float_equal(a[i].normal.x, 1.0f, 1e-6f);
        assert_float_equal(a[i].distance, -0.15f, 1e-6f);
    }
}

/* At a corner where a surface ends, nothing is pushed to the surface's back. */
TEST(behind_an_open_corner)
{
    vp_collide_triangle alone = {.corner = {{0.0f, 0.0f, 0.0f}, {-2.0f, 0.0f, -2.0f}, {-2.0f, 0.0f, 2.0f}}};
    vp_collide_result a;
    for (int k = -2; k <= 2; k++) {
        touch_ball((vp_vec3){0.1f, -0.2f, 0.05f * (float)k}, 0.0f, &alone, 1, &a);
        assert_float_equal(fabsf(alone.normal.y), 1.0f, 1e-6f);
        touch_ball((vp_vec3){0.1f, -0.2f * alone.normal.y, 0.05f * (float)k}, 0.0f, &alone, 1, &a);
        assert_true(a.triangle_feature != VP_COLLIDE_NONE && a.normal.y * alone.normal.y >= 0.0f);
    }
}

/* The answer of a triangle without area stays as it is. */
TEST(no_area)
{
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const vp_pose pose = vp_pose_at((vp_vec3){0.1f, 0.4f, 0.2f});
    const vp_vec3 line[3] = {ground[0], ground[1], ground[1]};
    const vp_collide_triangle t = vp_collide_triangle_of(line, 0);
    vp_collide_result raw, same;
    answer(&box, &pose, INFINITY, &t, 1, &raw, &same);
    assert_memory_equal(&raw, &same, sizeof raw);
}

/* A box's corner above a nearly flat ridge or tip. Along each triangle's normal it is farther from that triangle than the margin, but its
   distance is smaller. */
TEST(above_the_middle)
{
    enum { SIDES = 4 };
    static const float around[SIDES][2] = {{2.0f, 0.0f}, {0.0f, 2.0f}, {-2.0f, 0.0f}, {0.0f, -2.0f}};
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    pose.rotation[0] = -(float)sqrt(0.5 - 0.5 / sqrt(3.0)) * sqrtf(0.5f); /* turns (1, 1, 1) downwards or upwards */
    pose.rotation[3] = (float)sqrt(0.5 + 0.5 / sqrt(3.0));
    pose.rotation[2] = -pose.rotation[0];
    for (int tip = 0; tip < 2; tip++) {
        vp_collide_triangle t[SIDES];
        uint32_t words[VP_COLLIDE_CONNECT_WORDS(SIDES)];
        vp_collide_result raw[SIDES], a[SIDES];
        int kept = 0;
        for (uint32_t k = 0; k < SIDES; k++) {
            const float *p = around[k], *q = around[(k + 1) % SIDES];
            const float low = tip == 1 || q[0] != 0.0f ? -0.08f : 0.0f, last = tip == 1 || p[0] != 0.0f ? -0.08f : 0.0f;
            const vp_vec3 corner[3] = {{0.0f, 0.0f, 0.0f}, {q[0], low, q[1]}, {p[0], last, p[1]}};
            t[k] = vp_collide_triangle_of(corner, k);
        }
        assert_ok(vp_collide_connect(t, SIDES, words, &error));
        pose.position = (vp_vec3){0.0f, (float)(0.5 * sqrt(3.0)) + 0.0198f, tip == 1 ? 0.0f : 0.3f};
        answer(&box, &pose, MARGIN, t, SIDES, raw, a);
        for (int k = 0; k < SIDES; k++) {
            if (raw[k].triangle_feature == VP_COLLIDE_NONE || raw[k].distance > 0.0199f)
                continue;
            assert_true(raw[k].normal.y > 0.9999f);
            kept += a[k].triangle_feature != VP_COLLIDE_NONE && fabsf(a[k].distance - 0.0198f) <= 1e-5f;
        }
        assert_true(kept > 0);
    }
}

TEST(refusals)
{
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f}), nothing = vp_collide_sphere(0.0f);
    const vp_pose pose = vp_pose_at((vp_vec3){0.1f, 0.4f, 0.2f});
    const vp_collide_triangle good = vp_collide_triangle_of(ground, 0);
    vp_collide_triangle t[2] = {good, good};
    vp_collide_result raw[2], got[2];
    assert_ok(vp_collide_triangles(NULL, &box, &pose, 0.0f, t, 2, raw, &error));
    memcpy(got, raw, sizeof raw);
    assert_refused(vp_collide_correct(NULL, &nothing, &pose, 0.0f, t, 2, got, &error), VP_E_ARGUMENT, "radius");
    assert_refused(vp_collide_correct(NULL, &box, &pose, -1.0f, t, 2, got, &error), VP_E_ARGUMENT, "-1");
    t[1].corner[2].y = NAN;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, got, &error), VP_E_ARGUMENT, "triangle 1");
    t[1] = good;
    t[1].normal.y = 2.0f;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, got, &error), VP_E_ARGUMENT, "triangle 1: normal is (0, 2, 0)");
    t[1] = good;
    t[0].neighbour_normal[1].z = 0.5f;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, got, &error), VP_E_ARGUMENT,
                   "triangle 0: neighbour_normal[1] is (0, 0, 0.5)");
    t[0] = good;
    assert_memory_equal(got, raw, sizeof raw);
    got[1].distance = NAN;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, got, &error), VP_E_ARGUMENT, "result 1: distance is");
    got[1] = raw[1];
    got[1].normal.x = INFINITY;
    assert_refused(vp_collide_correct(NULL, &box, &pose, 0.0f, t, 2, got, &error), VP_E_ARGUMENT, "result 1: normal is (inf");
    assert_ok(vp_collide_correct(NULL, &box, &pose, 0.0f, NULL, 0, NULL, &error));
}

/* docs/CONTRACT.md: COR-2, COR-3. Thin bodies with their top a little below the rim of a block, and sticking out of its side. The way out
 * is up. The block's top, which is above them, has no contact. */
TEST(plates_below_a_rim)
{
    enum { PLACES = 200 };
    static const vp_aabb block = {{-8.0f, -8.0f, -8.0f}, {8.0f, 1.0f, 1.0f}};
    vp_collide_triangle side[VP_COLLIDE_BOX_TRIANGLES];
    const uint32_t count = vp_collide_box_triangles(&block, VP_SIDES_ALL, 0, side);
    vp_random r = {32};
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
        vp_collide_result raw[VP_COLLIDE_BOX_TRIANGLES], a[VP_COLLIDE_BOX_TRIANGLES];
        float deepest = 0.0f;
        answer(&shape, &pose, 0.0f, side, count, raw, a);
        for (uint32_t t = 0; t < count; t++)
            deepest = is_kept(&a[t]) && a[t].distance < deepest ? a[t].distance : deepest;
        const float way = below + 2.0f * half; /* a capsule's end is round at the side */
        assert_true(-deepest < way + 1e-4f && -deepest > (i % 3 == 2 ? below + half : way) - 1e-4f);
    }
}
