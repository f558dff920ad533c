/* SPDX-License-Identifier: MIT */
/* Shapes against triangles in the families that narrowphases fail at, each shape by its own kernel and by GJK. Brute force in binary64
 * judges every answer. */
#include <math.h>
#include <stdlib.h>

#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "src/narrowphase/run.h"
#include "tests/support/check.h"
#include "tests/support/samples.h"

static const uint32_t poses = 10000 / THIN_BY;
static vp_kernels scalar;

enum { SCALES = 3, SEED = 2 };
static const float scales[SCALES] = {1.0f, 1e-3f, 1e3f};

typedef struct sized {
    vp_body_shape shape;
    vp_oracle_shape oracle;
} sized;

typedef struct pair_tally {
    uint32_t pairs, near, points; /* points = off, by GJK */
} pair_tally;

/* ---- features of GJK ---- */

static double size_of(const vp_collide_job *job)
{
    double size = (double)vp_collide_radius(job->shape);
    for (int k = 0; k < 3; k++) {
        const vp_vec3 c = vp_vec3_sub(job->triangle->corner[k], job->frame.position);
        size = fmax(size, (double)fmaxf(fmaxf(fabsf(c.x), fabsf(c.y)), fabsf(c.z)));
    }
    return size;
}

/* The distance of a point of a box or a hull from the reported feature. */
static float off_part(const vp_collide_job *job, const vp_collide_result *a)
{
    const vp_collide_shape *s = job->shape;
    const vp_vec3 *row = job->frame.row, w = a->on_shape;
    const vp_vec3 p = {vp_vec3_dot(row[0], w), vp_vec3_dot(row[1], w), vp_vec3_dot(row[2], w)};
    const float at[3] = {p.x, p.y, p.z}, half[3] = {s->half.x, s->half.y, s->half.z};
    const uint32_t part = a->shape_feature & 0xc0000000u, n = a->shape_feature & 0x3fffffffu;
    if (s->kind == VP_COLLIDE_BOX) {
        float most = 0.0f;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t axis = n / 4;
            bool held = part == VP_SHAPE_CORNER || (part == VP_SHAPE_FACE && k == n / 2), positive = (n & 1) != 0;
            if (part == VP_SHAPE_CORNER)
                positive = (n >> k & 1) != 0;
            else if (part == VP_SHAPE_EDGE) {
                held = k != axis;
                positive = k == (axis + 1) % 3 ? (n & 1) != 0 : (n & 2) != 0;
            }
            most = held ? fmaxf(most, fabsf(at[k] - (positive ? half[k] : -half[k]))) : most;
        }
        return most;
    }
    if (s->kind != VP_COLLIDE_HULL)
        return 0.0f;
    const vp_collide_hull *h = s->hull;
    if (part == VP_SHAPE_FACE)
        return fabsf(vp_vec3_dot(h->plane[n].normal, p) - h->plane[n].offset);
    const vp_vec3 b = h->vertex[part == VP_SHAPE_CORNER ? n : h->edge[n].vertex[0]], from = vp_vec3_sub(p, b);
    if (part == VP_SHAPE_CORNER)
        return sqrtf(vp_vec3_dot(from, from));
    const vp_vec3 e = vp_vec3_sub(h->vertex[h->edge[n].vertex[1]], b), c = vp_vec3_cross(from, e);
    return sqrtf(vp_vec3_dot(c, c) / vp_vec3_dot(e, e));
}

/* ---- families ---- */

/* By the shape's own kernel, or by that of all shapes. */
static void judge_place(const sized *of, bool by_gjk, const vp_pose_set *set, uint32_t i, float margin, pair_tally *t)
{
    const vp_pose_place *p = &set->place[i];
    int scale = 0;
    while (scales[scale] != p->scale)
        scale++;
    const sized *s = &of[scale];
    const vp_pose pose = vp_pose_of(&s->shape.shape, p);
    const vp_collide_triangle triangle = vp_collide_triangle_of(set->corner[i], i);
    vp_collide_result answer;
    double off;
    vp_collide_job job = {.shape = &s->shape.shape, .margin = margin, .triangle = &triangle, .count = 1, .result = &answer};
    assert_ok(vp_collide_frame_of(&pose, &job.frame, &error));
    memset(&answer, 0xff, sizeof answer);
    if (by_gjk)
        vp_collide_gjk_scalar(&job);
    else
        assert_ok(vp_collide_triangles(&scalar, &s->shape.shape, &pose, margin, &triangle, 1, &answer, &error));
    const vp_collide_fault fault = vp_oracle_judge(&s->oracle, &s->shape.shape, &pose, set->corner[i], margin, 1e-6, &answer, &off);
    if (by_gjk && answer.shape_feature != VP_COLLIDE_NONE && fault != VP_FAULT_POINTS)
        assert_true((double)off_part(&job, &answer) <= 1e-5 * size_of(&job));
    t->pairs++;
    t->near += answer.triangle_feature != VP_COLLIDE_NONE;
    t->points += fault == VP_FAULT_POINTS;
    if (fault != VP_FAULT_NONE && !(by_gjk && fault == VP_FAULT_POINTS))
        fail_msg("%s, place %u, margin %g: %s; distance %.9g, off by %.3g of the size", vp_pose_family_name(p->family), i, (double)margin,
                 vp_collide_fault_name(fault), (double)answer.distance, off);
}

/* Every other pose has a small margin, the rest INFINITY. GJK's points may be off where only roundings separate directions. In an overlap
   it misses the part of a cylinder's round side that 64 steps do not reach. Destroys the shapes. */
static void judge_sized(sized of[SCALES], bool by_gjk, uint32_t count)
{
    for (int s = 0; s < SCALES; s++) {
        assert_ok(vp_oracle_shape_create(&of[s].shape.shape, &of[s].oracle, &error));
        of[s].oracle.coarse = by_gjk && of[s].shape.shape.kind == VP_COLLIDE_CYLINDER ? 1e-3 : 0.0;
    }
    for (int f = 0; f < VP_POSES_FAMILIES; f++) {
        vp_pose_set set;
        pair_tally t = {0};
        assert_ok(vp_pose_set_hard((vp_pose_family)f, count / VP_POSES_FAMILIES + 1, SEED + (uint64_t)f, &set, &error));
        for (uint32_t i = 0; i < set.count; i++)
            judge_place(of, by_gjk, &set, i, i % 2 == 0 ? 0.02f * set.place[i].scale : INFINITY, &t);
        vp_pose_set_destroy(&set);
        assert_true(t.near > 0);
        assert_true(t.points <= 2 + t.pairs / 1000);
    }
    for (int s = 0; s < SCALES; s++) {
        vp_body_shape_destroy(&of[s].shape);
        vp_oracle_shape_destroy(&of[s].oracle);
    }
}

/* docs/CONTRACT.md: NAR-6. GJK, whose features are those of the points. The cases judge the shapes' own kernels. */
TEST(gjk)
{
    for (int body = 0; body < VP_BODIES; body++) {
        sized of[SCALES];
        for (int s = 0; s < SCALES; s++)
            assert_ok(vp_body_shape_create((vp_body_kind)body, scales[s], NULL, &of[s].shape, &error));
        judge_sized(of, true, poses * 2 / 5);
    }
}

/* Rods and discs, down to a segment and to a disc without height. */
TEST(odd_cylinders)
{
    static const float radius[6] = {0.0625f, 0.5f, 1e-5f, 0.5f, 0.0f, 0.5f}, half[6] = {0.5f, 0.0625f, 0.5f, 1e-5f, 0.5f, 0.0f};
    for (int i = 0; i < 6; i++) {
        sized of[SCALES];
        for (int s = 0; s < SCALES; s++)
            of[s].shape = (vp_body_shape){.shape = vp_collide_cylinder(radius[i] * scales[s], half[i] * scales[s])};
        judge_sized(of, false, poses / 5);
    }
}

/* From 0 to 1, as often near an end as elsewhere. */
static double part_of(vp_random *random)
{
    const double far = (double)vp_random_unit(random), near = exp(-12.0 * (double)vp_random_unit(random));
    const uint32_t which = vp_random_below(random, 4);
    return which == 0 ? near : which == 1 ? 1.0 - near : far;
}

/* A triangle at a place of the top's rim, turned by `angle` about the axis. m leans from the side to the cap. The edge f from the rim is
   perpendicular to m. The edge passes inside, at a distance from the rim, and its triangle is outside, both random. */
static void place_at_rim(vp_random *random, double r, double h, vp_vec3 corner[3])
{
    static const double right = 1.5707963267948966;
    const double lean = right * part_of(random), turn = right * part_of(random) * (vp_random_below(random, 2) == 0 ? 1.0 : -1.0);
    const double angle = 4.0 * right * (double)vp_random_unit(random), c = cos(angle), s = sin(angle);
    const double depth = 1.2 * part_of(random) * (r < h ? r : h), away = 4.0 * part_of(random), length = 0.01 + 4.0 * part_of(random);
    const double m[3] = {cos(lean) * c, sin(lean), cos(lean) * s}, across[3] = {-sin(lean) * c, cos(lean), -sin(lean) * s};
    const double rim[3] = {r * c, h, r * s}, along[3] = {-s, 0.0, c};
    const double first = (double)vp_random_unit(random), third = (double)vp_random_unit(random);
    for (int k = 0; k < 3; k++) {
        const double far = length * (k == 0 ? -first : k == 1 ? 1.0 - first : third - 0.5), out = k == 2 ? away : 0.0;
        double at[3];
        for (int i = 0; i < 3; i++)
            at[i] = rim[i] + (out - depth) * m[i] + far * (cos(turn) * along[i] + sin(turn) * across[i]);
        corner[k] = (vp_vec3){(float)at[0], (float)at[1], (float)at[2]};
    }
}

/* Edges that a rim overlaps. The answer is a root of a quartic polynomial, close to others. */
TEST(rims)
{
    vp_random random = {SEED};
    uint32_t rim = 0;
    for (uint32_t i = 0; i < 2 * poses; i++) {
        const double r = 0.01 + 0.99 * part_of(&random), h = 0.01 + 0.99 * part_of(&random);
        const vp_collide_shape shape = vp_collide_cylinder((float)r, (float)h);
        const vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
        vp_oracle_shape oracle;
        vp_collide_result a;
        vp_vec3 corner[3];
        double off;
        place_at_rim(&random, r, h, corner);
        const vp_collide_triangle triangle = vp_collide_triangle_of(corner, 0);
        assert_ok(vp_oracle_shape_create(&shape, &oracle, &error));
        assert_ok(vp_collide_triangles(NULL, &shape, &pose, INFINITY, &triangle, 1, &a, &error));
        assert_int_equal(vp_oracle_judge(&oracle, &shape, &pose, corner, INFINITY, 1e-6, &a, &off), VP_FAULT_NONE);
        rim += a.shape_feature == VP_SHAPE_EDGE + 1 && a.triangle_feature >= VP_TRIANGLE_EDGE && a.triangle_feature < VP_TRIANGLE_CORNER;
        vp_oracle_shape_destroy(&oracle);
    }
    assert_true(rim > poses / 2);
}

/* ---- hulls with edges that roundings misplace ---- */

/* Cubes with sides that are not quite flat have several faces nearly in one plane. The arcs of the edges between these are short. */
static uint32_t dented_cube(vp_random *r, vp_vec3 *point)
{
    for (int i = 0; i < 60; i++)
        for (int k = 0; k < 3; k++)
            (&point[i].x)[k] = (vp_random_below(r, 2) == 0 ? -1.0f : 1.0f) + 1e-5f * vp_random_between(r, -1.0f, 1.0f);
    return 60;
}

/* Edges as short as the vertices' roundings have wrong directions. */
static uint32_t short_edges(vp_random *r, vp_vec3 *point)
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            (&point[i].x)[k] = (float)vp_random_below(r, 9);
    for (int i = 1; i < 6; i += 2) { /* next to the point before */
        point[i] = point[i - 1];
        point[i].x = nextafterf(point[i].x, i == 3 ? 9.0f : -9.0f);
    }
    return 8;
}

/* docs/CONTRACT.md: NAR-2 */
TEST(odd_hulls)
{
    enum { CUBES = 4, HULLS = 300, MOST = 60 };
    vp_random r = {5};
    uint32_t judged = 0;
    for (int i = 0; i < CUBES + HULLS; i++) {
        const bool is_cube = i < CUBES;
        vp_vec3 point[MOST];
        vp_collide_hull_def def = {.point = point, .count = is_cube ? dented_cube(&r, point) : short_edges(&r, point)};
        vp_collide_owned_hull solid;
        vp_oracle_shape oracle;
        vp_error why;
        for (int k = 0; k < 3 && !is_cube; k++)
            (&def.origin.x)[k] = vp_random_between(&r, 3, 5);
        if (vp_collide_hull_create(&def, &solid, &why) != VP_OK)
            continue; /* a segment */
        const vp_collide_shape shape = vp_collide_hull_shape(&solid.hull);
        assert_ok(vp_oracle_shape_create(&shape, &oracle, &error));
        for (uint32_t n = 0; n < (is_cube ? poses / 20 : 8); n++) {
            vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
            vp_collide_result a;
            vp_vec3 corner[3];
            double off;
            for (int k = 0; k < 9; k++)
                (&corner[k / 3].x)[k % 3] = (is_cube ? 2.0f : 6.0f) * vp_random_between(&r, -1.0f, 1.0f);
            if (!is_cube)
                vp_random_rotation(&r, pose.rotation);
            if (!is_cube && n % 2 == 0)
                corner[2] = vp_vec3_add(corner[1], (vp_vec3){0.0f, 0.125f, 0.0f});
            const vp_collide_triangle triangle = vp_collide_triangle_of(corner, 0);
            assert_ok(vp_collide_triangles(NULL, &shape, &pose, INFINITY, &triangle, 1, &a, &error));
            const vp_collide_fault fault = vp_oracle_judge(&oracle, &shape, &pose, corner, INFINITY, 1e-6, &a, &off);
            if (fault != VP_FAULT_NONE)
                fail_msg("hull %d: %s; distance %.9g, off by %.3g of the size", i, vp_collide_fault_name(fault), (double)a.distance, off);
            judged++;
        }
        vp_oracle_shape_destroy(&oracle);
        vp_collide_hull_destroy(&solid);
    }
    assert_true(judged > 8 * HULLS / 2);
}

/* ---- any input ---- */

/* Corners and shapes of any finite size have an answer, with finite numbers. */
TEST(anything)
{
    vp_random random = {5};
    for (uint32_t i = 0; i < poses * 2 / 5; i++) {
        float v[20];
        for (int k = 0; k < 20; k++) {
            const float by = powf(10.0f, floorf(vp_random_between(&random, -6.0f, 6.9f)));
            v[k] = vp_random_between(&random, -1.0f, 1.0f) < -0.5f ? 0.0f : by * vp_random_between(&random, -1.0f, 1.0f);
        }
        const float r = fabsf(v[0]) + VP_COLLIDE_MIN_LENGTH, h = fabsf(v[1]);
        const vp_collide_shape shape[] = {vp_collide_sphere(r), vp_collide_capsule(r, h), vp_collide_box((vp_vec3){r, h, fabsf(v[2])}),
                                          vp_collide_cylinder(r, h)};
        const vp_vec3 corner[3] = {{v[3], v[4], v[5]}, {v[6], v[7], v[8]}, {v[9], v[10], v[11]}};
        const vp_pose pose = {{v[12], v[13], v[14]}, {v[15], v[16], v[17], v[18] + 1e-3f}};
        const vp_collide_triangle triangle = vp_collide_triangle_of(corner, 0);
        for (int s = 0; s < 4; s++) {
            vp_collide_result a;
            vp_collide_job job = {.shape = &shape[s], .margin = INFINITY, .triangle = &triangle, .count = 1, .result = &a};
            assert_ok(vp_collide_frame_of(&pose, &job.frame, &error));
            memset(&a, 0xff, sizeof a);
            vp_collide_gjk_scalar(&job);
            assert_true(isfinite(a.distance) && fabsf(vp_vec3_dot(a.normal, a.normal) - 1.0f) < 1e-5f);
            assert_true(isfinite(vp_vec3_dot(a.on_shape, a.on_triangle)));
            assert_true(a.weight[0] >= 0.0f && a.weight[1] >= 0.0f && a.weight[2] >= 0.0f);
            assert_true(fabsf((a.weight[0] + a.weight[1] + a.weight[2]) - 1.0f) < 1e-5f && a.triangle_feature < 7);
        }
    }
}

int main(void)
{
    vp_kernels_best(&scalar, 0);
    return test_run_all(NULL, NULL);
}
