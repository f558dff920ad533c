/* SPDX-License-Identifier: MIT */
/* The judge of a library's hulls, and of a library that refuses. An obedient library answers with hulls of a cube and a square,
 * typed by hand. */
#include "bench/peers/judge.h"
#include "tests/support/check.h"

/* Bits 0, 1 and 2 of a corner's number are its x, y and z. The last point is inside. */
static const vp_vec3 cube[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5f, 0.5f, 0.5f}};
static const uint32_t around_cube[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                            {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
static const vp_vec3 square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5f, 0.25f, 0}};
static const uint32_t around_square[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}};
static const vp_vec3 segment[] = {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}};

/* ---- an obedient library ---- */

static enum { MAKES, REFUSES, MAKES_NOTHING } does;
static const vp_vec3 *answer_place;
static const uint32_t (*answer)[3];
static uint32_t answer_places, answer_triangles;

static bool mesh(void *work, uint32_t step, vp_peer_answers *out)
{
    (void)work;
    (void)step;
    out->place = answer_place;
    out->places = answer_places;
    out->triangle = answer;
    out->triangles = does == MAKES_NOTHING ? 0 : answer_triangles;
    return true;
}

static const vp_peer obedient = {.name = "obedient", .answers = mesh};

static void answers(const vp_vec3 *place, uint32_t places, const uint32_t (*triangle)[3], uint32_t triangles)
{
    does = MAKES;
    answer_place = place;
    answer_places = places;
    answer = triangle;
    answer_triangles = triangles;
}

static vp_verdict try_it(const vp_vec3 *point, uint32_t count)
{
    vp_verdict v = {.counters = 0};
    vp_hull hull = {0};
    uint32_t first[2] = {0, count};
    const vp_point_sets points = {1, first, (vp_vec3 *)(uintptr_t)point};
    const vp_data data = {.kind = &vp_kind_points, .set = &points};
    const vp_hull_def def = {.point = point, .count = count};
    assert_ok(vp_hull_create(&def, &hull, &error));
    const vp_contest contest = {.peer = &obedient, .data = &data, .right = hull.dimension < 3 ? &hull : NULL, .refused = does == REFUSES};
    vp_judge_hulls.look(&contest, &v);
    vp_hull_destroy(&hull);
    return v;
}

static uint32_t faults_of(vp_verdict v)
{
    return (uint32_t)vp_verdict_counter(&v, "faults");
}

static void expect(vp_verdict v, vp_outcome outcome, uint32_t faults)
{
    assert_int_equal(v.outcome, outcome);
    assert_int_equal(faults_of(v), faults);
}

/* ---- tests ---- */

static void test_right_hulls(void **state)
{
    (void)state;
    answers(cube, 9, around_cube, 12);
    const vp_verdict t = try_it(cube, 9);
    expect(t, VP_PEER_RIGHT, 0);
    assert_true(vp_verdict_counter(&t, "vertices") == 8);
    assert_string_equal(t.text, "hulls faults=none ");
    assert_true(vp_verdict_counter(&t, "outside_of_extent") < 1e-12);
}

static void test_faults_of_solids(void **state)
{
    (void)state;
    answers(cube, 9, around_cube, 11);
    expect(try_it(cube, 9), VP_PEER_FAULTY, VP_HULL_OPEN | VP_HULL_EULER);
    vp_vec3 moved[9];
    memcpy(moved, cube, sizeof cube);
    moved[7] = (vp_vec3){0.9f, 0.9f, 0.9f}; /* its point stays inside the cube */
    answers(moved, 9, around_cube, 12);
    const vp_verdict t = try_it(cube, 9);
    assert_int_equal(t.outcome, VP_PEER_FAULTY);
    assert_true((faults_of(t) & VP_HULL_OUTSIDE) != 0);
    assert_true(vp_verdict_counter(&t, "outside_of_extent") > 0.05 && vp_verdict_counter(&t, "outside_of_extent") < 0.2);
    moved[7] = (vp_vec3){0.9999995f, 0.9999995f, 0.9999995f}; /* within the tolerance */
    expect(try_it(cube, 9), VP_PEER_RIGHT, 0);
}

static void test_flat_sets(void **state)
{
    (void)state;
    static const uint32_t half[2][3] = {{0, 1, 2}, {0, 2, 1}};
    answers(square, 5, around_square, 4);
    expect(try_it(square, 5), VP_PEER_RIGHT, 0);
    answers(square, 5, around_square, 2); /* one side only */
    assert_int_equal(try_it(square, 5).outcome, VP_PEER_FAULTY);
    assert_true((faults_of(try_it(square, 5)) & VP_HULL_OPEN) != 0);
    answers(square, 5, half, 2); /* without a corner */
    const vp_verdict t = try_it(square, 5);
    expect(t, VP_PEER_FAULTY, VP_HULL_OUTSIDE);
    assert_true(vp_verdict_counter(&t, "outside_of_extent") > 0.7 && vp_verdict_counter(&t, "outside_of_extent") < 0.71);
    answers(segment, 2, NULL, 0);
    expect(try_it(segment, 3), VP_PEER_RIGHT, 0);
    answers(segment + 1, 2, NULL, 0); /* half of it */
    expect(try_it(segment, 3), VP_PEER_FAULTY, VP_HULL_OUTSIDE);
    answers(segment, 1, NULL, 0); /* a single point */
    expect(try_it(segment, 1), VP_PEER_RIGHT, 0);
    answers(segment, 2, NULL, 0); /* a segment is no answer for a solid */
    assert_int_equal(try_it(cube, 9).outcome, VP_PEER_REFUSES);
}

static void test_no_hull(void **state)
{
    (void)state;
    answers(cube, 9, around_cube, 12);
    does = REFUSES;
    assert_int_equal(try_it(cube, 9).outcome, VP_PEER_REFUSES);
    does = MAKES_NOTHING;
    assert_int_equal(try_it(cube, 9).outcome, VP_PEER_REFUSES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_hulls),
        cmocka_unit_test(test_faults_of_solids),
        cmocka_unit_test(test_flat_sets),
        cmocka_unit_test(test_no_hull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
