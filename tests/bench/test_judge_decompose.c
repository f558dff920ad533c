/* SPDX-License-Identifier: MIT */
/* The judge of a library's decompositions, on an L and a bar whose hulls are typed by hand. */
#include "bench/decompose/ours.h"
#include "bench/peers/judge.h"
#include "datasets/solid_sets.h"
#include "tests/support/check.h"

/* Each point at height 0, and then each at height 300. */
enum { CORNERS = 6, L_TRIANGLES = 20, BAR_TRIANGLES = 12 };
static const float l_corner[CORNERS][2] = {{0, 0}, {1000, 0}, {1000, 300}, {300, 300}, {300, 1000}, {0, 1000}};
static const uint32_t l_triangle[L_TRIANGLES][3] = {{2, 1, 0},   {3, 2, 0},  {4, 3, 0},  {5, 4, 0},   {6, 7, 8}, {6, 8, 9}, {6, 9, 10},
                                                    {6, 10, 11}, {0, 1, 7},  {0, 7, 6},  {1, 2, 8},   {1, 8, 7}, {2, 3, 9}, {2, 9, 8},
                                                    {3, 4, 10},  {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}};
/* A box with corners 0 to 3 below and 4 to 7 above. */
static const uint32_t box_triangle[BAR_TRIANGLES][3] = {{2, 1, 0}, {3, 2, 0}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                                        {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static vp_vec3 l_point[2 * CORNERS];
static vp_solid solid;
static vp_solid_set set = {1, &solid};
static vp_data data = {.kind = &vp_kind_solids, .name = "l", .set = &set};

/* ---- an obedient library ---- */

static vp_vec3 place[64];
static uint32_t triangle[64][3], first[8][2], owner[L_TRIANGLES];
static vp_peer_answers answer;
static bool refuses;

static bool answers(void *work, uint32_t step, vp_peer_answers *out)
{
    (void)work, (void)step;
    *out = answer;
    return true;
}

static const vp_peer obedient = {.name = "obedient", .answers = answers};

static void begin_hulls(void)
{
    refuses = false;
    memset(owner, 0xff, sizeof owner);
    answer = (vp_peer_answers){.place = place,
                               .triangle = (const uint32_t(*)[3])triangle,
                               .first = (const uint32_t(*)[2])first,
                               .owner = owner,
                               .predictions = 40};
}

/* A box from height 0 to 300. */
static void add_box(float x0, float y0, float x1, float y1)
{
    const float at[4][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    for (uint32_t i = 0; i < 8; i++)
        place[answer.places++] = (vp_vec3){at[i % 4][0], at[i % 4][1], i < 4 ? 0 : 300};
    memcpy(triangle[answer.triangles], box_triangle, sizeof box_triangle);
    answer.triangles += BAR_TRIANGLES;
    answer.hulls++;
    first[answer.hulls][0] = answer.places;
    first[answer.hulls][1] = answer.triangles;
}

static vp_verdict try_it(void)
{
    vp_verdict v = {.counters = 0};
    const vp_contest contest = {.peer = &obedient, .data = &data, .refused = refuses};
    assert_ptr_equal(vp_judge_of(VP_OPERATION_decompose), &vp_judge_decompositions);
    vp_judge_decompositions.look(&contest, &v);
    return v;
}

static double of(const vp_verdict *v, const char *counter)
{
    const double value = vp_verdict_counter(v, counter);
    if (value < 0)
        fail_msg("there is no %s", counter);
    return value;
}

static int begin_l(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * CORNERS; i++)
        l_point[i] = (vp_vec3){l_corner[i % CORNERS][0], l_corner[i % CORNERS][1], i < CORNERS ? 0 : 300};
    solid = (vp_solid){.mesh = {l_point, l_triangle[0], 2 * CORNERS, L_TRIANGLES, false}};
    begin_hulls();
    return 0;
}

/* ---- tests ---- */

static void test_right(void **state)
{
    (void)state;
    add_box(0, 0, 1000, 300);
    add_box(0, 0, 300, 1000); /* they share a cuboid */
    const vp_verdict v = try_it();
    assert_int_equal(v.outcome, VP_PEER_RIGHT);
    assert_true(of(&v, "hulls") == 2 && of(&v, "vertices") == 16 && of(&v, "flat_hulls") == 0 && of(&v, "invalid_hulls") == 0);
    assert_true(of(&v, "reach_high") < 1e-6 && of(&v, "ray_error") < 1e-6);
    assert_true(of(&v, "covered_surface") > 1 - 1e-9 && of(&v, "covered_volume") > 1 - 1e-9);
    assert_true(of(&v, "overlap") > 9.0 / 51 - 1e-9 && of(&v, "overlap") < 9.0 / 51 + 1e-9);
    assert_true(of(&v, "predictions_per_triangle") == 2);
    assert_true(vp_verdict_counter(&v, "lost_triangles") < 0); /* no triangle has an owner */
    assert_string_equal(v.text, "triangles hulls=2 invalid=0 lost=0 reach=0 surface=100%");
}

static void test_reach_and_rays(void **state)
{
    (void)state;
    add_box(0, 0, 1000, 1000); /* the notch is filled */
    const vp_verdict v = try_it();
    assert_int_equal(v.outcome, VP_PEER_RIGHT); /* it is a hull, and covers everything */
    assert_true(of(&v, "reach_low") > 698 && of(&v, "reach_high") < 702 && of(&v, "reach_low") <= of(&v, "reach_high"));
    assert_true(of(&v, "ray_error") > 699.9 && of(&v, "ray_error") < 700.1);
    assert_true(of(&v, "overlap") < 1e-9);
}

static void test_lost_surface(void **state)
{
    (void)state;
    add_box(0, 0, 1000, 300);
    for (uint32_t t = 0; t < L_TRIANGLES; t++)
        owner[t] = 0;
    const vp_verdict v = try_it();
    assert_int_equal(v.outcome, VP_PEER_FAULTY);
    /* The floor and the ceiling each lose the 2 of 5 triangles that fan out of corner 0 past the box. Three sides are lost too. */
    assert_true(of(&v, "lost_triangles") == 2 * 2 + 3 * 2);
    const double all = 2 * 510000.0 + 300 * 4000.0, lacks = 2 * 210000.0 + 300 * (700 + 300 + 700.0);
    assert_true(of(&v, "covered_surface") > 1 - lacks / all - 1e-3 && of(&v, "covered_surface") < 1 - lacks / all + 1e-3);
    assert_true(of(&v, "covered_volume") > 30.0 / 51 - 1e-6 && of(&v, "covered_volume") < 30.0 / 51 + 1e-6);
}

static void test_no_hull(void **state)
{
    (void)state;
    add_box(0, 0, 1000, 300);
    add_box(0, 0, 300, 1000);
    const uint32_t turned[3] = {triangle[13][0], triangle[13][2], triangle[13][1]};
    memcpy(triangle[13], turned, sizeof turned);
    vp_verdict v = try_it();
    assert_int_equal(v.outcome, VP_PEER_FAULTY);
    assert_true(of(&v, "invalid_hulls") == 1);
    assert_non_null(strstr(v.text, "invalid=1"));
    refuses = true;
    assert_int_equal(try_it().outcome, VP_PEER_REFUSES);
    begin_hulls(); /* no hulls */
    assert_int_equal(try_it().outcome, VP_PEER_REFUSES);
}

static void test_open(void **state)
{
    (void)state;
    add_box(0, 0, 1000, 300);
    add_box(0, 0, 300, 1000);
    solid.mesh.triangle_count = L_TRIANGLES - 1;
    const vp_verdict v = try_it();
    assert_int_equal(v.outcome, VP_PEER_RIGHT);
    assert_true(vp_verdict_counter(&v, "covered_volume") < 0 && vp_verdict_counter(&v, "overlap") < 0); /* an open solid has no inside */
    assert_true(of(&v, "covered_surface") > 1 - 1e-9);
}

/* The library's own decompositions. All hulls are right. Without the area's error, flat hulls merge that should not. */
static void test_ours(void **state)
{
    const vp_peer *peer;
    (void)state;
    for (size_t i = 0; (peer = vp_decompose_ours_at(i)) != NULL; i++) {
        const vp_contest contest = {.judge = &vp_judge_decompositions, .peer = peer, .data = &data, .steps = 1};
        vp_verdict v;
        assert_ok(vp_contest_try(&contest, 5, &v, &error));
        assert_int_equal(v.outcome, VP_PEER_RIGHT);
        assert_true(of(&v, "lost_triangles") == 0 && of(&v, "covered_surface") > 1 - 1e-9 && of(&v, "predictions_per_triangle") > 1);
        if (i == 0)
            assert_true(of(&v, "hulls") == 2 && of(&v, "reach_high") < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_right, begin_l),        cmocka_unit_test_setup(test_reach_and_rays, begin_l),
        cmocka_unit_test_setup(test_lost_surface, begin_l), cmocka_unit_test_setup(test_no_hull, begin_l),
        cmocka_unit_test_setup(test_open, begin_l),         cmocka_unit_test_setup(test_ours, begin_l),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
