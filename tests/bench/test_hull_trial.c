/* SPDX-License-Identifier: MIT */
/* What is said of a library's hull, and of libraries that refuse, crash or do not come to an end: by ones that do what they are told,
 * with the cube and the square, whose triangles are typed by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/hulls/hull_trial.h"

/* Corner i has x, y and z by its bits 0, 1 and 2; and a point inside. */
static const vp_vec3 cube[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5f, 0.5f, 0.5f}};
static const uint32_t around_cube[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                            {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
static const vp_vec3 square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5f, 0.25f, 0}};
static const uint32_t around_square[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}};
static const vp_vec3 segment[] = {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}};

/* ---- a library that does what it is told ---- */

static enum { MAKES, REFUSES, CRASHES, ENDS, LOOPS, MAKES_NOTHING } does;
static const vp_vec3 *answer_place;
static const uint32_t (*answer)[3];
static uint32_t answer_places, answer_triangles;

static void *make(const vp_vec3 *point, uint32_t count)
{
    (void)count;
    return (void *)(uintptr_t)point;
}

static bool run(void *work)
{
    volatile double sum = 0;
    (void)work;
    if (does == CRASHES)
        abort();
    if (does == ENDS)
        exit(0);
    while (does == LOOPS)
        sum = sum + 1;
    return does != REFUSES;
}

static bool mesh(const void *work, vp_hull_peer_mesh *out)
{
    (void)work;
    const uint32_t triangles = does == MAKES_NOTHING ? 0 : answer_triangles;
    *out = (vp_hull_peer_mesh){malloc((answer_places + 1) * sizeof *out->place), malloc((triangles + 1) * sizeof *out->triangle),
                               answer_places, triangles};
    memcpy(out->place, answer_place, answer_places * sizeof *out->place);
    if (triangles != 0)
        memcpy(out->triangle, answer, triangles * sizeof *out->triangle);
    return true;
}

static void drop(void *work)
{
    (void)work;
}

static const vp_hull_peer obedient = {"obedient", "1", "does what it is told", make, run, mesh, drop};

static void answers(const vp_vec3 *place, uint32_t places, const uint32_t (*triangle)[3], uint32_t triangles)
{
    does = MAKES;
    answer_place = place;
    answer_places = places;
    answer = triangle;
    answer_triangles = triangles;
}

static vp_hull_trial try_it(const vp_vec3 *point, uint32_t count)
{
    vp_hull_trial t;
    vp_error error;
    vp_hull hull = {0};
    const vp_hull_def def = {.point = point, .count = count};
    assert_int_equal(vp_hull_create(&def, &hull, &error), VP_OK);
    assert_int_equal(vp_hull_try(&obedient, point, count, hull.dimension < 3 ? &hull : NULL, 1, &t, &error), VP_OK);
    vp_hull_destroy(&hull);
    return t;
}

static void expect(vp_hull_trial t, vp_hull_outcome outcome, uint32_t faults)
{
    assert_int_equal(t.outcome, outcome);
    assert_int_equal(t.found.faults, faults);
}

/* ---- tests ---- */

static void test_right_hulls(void **state)
{
    (void)state;
    answers(cube, 9, around_cube, 12);
    const vp_hull_trial t = try_it(cube, 9);
    expect(t, VP_HULL_VALID, 0);
    assert_int_equal(t.found.vertices, 8);
    assert_int_equal(t.found.triangles, 12);
    assert_true(t.found.outside < 1e-12);
}

static void test_faults_of_solids(void **state)
{
    (void)state;
    answers(cube, 9, around_cube, 11);
    expect(try_it(cube, 9), VP_HULL_FAULTY, VP_HULL_OPEN | VP_HULL_EULER);
    vp_vec3 moved[9];
    memcpy(moved, cube, sizeof cube);
    moved[7] = (vp_vec3){0.9f, 0.9f, 0.9f}; /* its place is inside of the cube that was asked for */
    answers(moved, 9, around_cube, 12);
    const vp_hull_trial t = try_it(cube, 9);
    assert_int_equal(t.outcome, VP_HULL_FAULTY);
    assert_true((t.found.faults & VP_HULL_OUTSIDE) != 0);
    assert_true(t.found.outside > 0.05 && t.found.outside < 0.2);
    moved[7] = (vp_vec3){0.9999995f, 0.9999995f, 0.9999995f}; /* less than is allowed */
    expect(try_it(cube, 9), VP_HULL_VALID, 0);
}

static void test_flat_sets(void **state)
{
    (void)state;
    static const uint32_t half[2][3] = {{0, 1, 2}, {0, 2, 1}};
    answers(square, 5, around_square, 4);
    expect(try_it(square, 5), VP_HULL_VALID, 0);
    answers(square, 5, around_square, 2); /* one side */
    assert_int_equal(try_it(square, 5).outcome, VP_HULL_FAULTY);
    assert_true((try_it(square, 5).found.faults & VP_HULL_OPEN) != 0);
    answers(square, 5, half, 2); /* a corner lacks */
    const vp_hull_trial t = try_it(square, 5);
    expect(t, VP_HULL_FAULTY, VP_HULL_OUTSIDE);
    assert_true(t.found.outside > 0.7 && t.found.outside < 0.71);
    answers(segment, 2, NULL, 0);
    expect(try_it(segment, 3), VP_HULL_VALID, 0);
    answers(segment + 1, 2, NULL, 0); /* half of it */
    expect(try_it(segment, 3), VP_HULL_FAULTY, VP_HULL_OUTSIDE);
    answers(segment, 1, NULL, 0); /* a place */
    expect(try_it(segment, 1), VP_HULL_VALID, 0);
    answers(segment, 2, NULL, 0); /* of a solid that is no answer */
    assert_int_equal(try_it(cube, 9).outcome, VP_HULL_REFUSED);
}

static void test_no_hull(void **state)
{
    (void)state;
    answers(cube, 9, around_cube, 12);
    does = REFUSES;
    assert_int_equal(try_it(cube, 9).outcome, VP_HULL_REFUSED);
    does = MAKES_NOTHING;
    assert_int_equal(try_it(cube, 9).outcome, VP_HULL_REFUSED);
    does = CRASHES;
    assert_int_equal(try_it(cube, 9).outcome, VP_HULL_CRASHED);
    does = ENDS;
    assert_int_equal(try_it(cube, 9).outcome, VP_HULL_CRASHED);
    does = LOOPS;
    const time_t before = time(NULL);
    assert_int_equal(try_it(cube, 9).outcome, VP_HULL_LATE);
    assert_true(difftime(time(NULL), before) < 30);
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
