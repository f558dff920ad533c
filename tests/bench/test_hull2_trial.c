/* SPDX-License-Identifier: MIT */
/* What is said of a library's polygons, and of libraries that refuse, crash or do not come to an end: by one that does what it is told,
 * with the shadows of a box, whose corners are typed by hand; and what the libraries that are here make of that box. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bench/hulls/hull2_trial.h"

enum { BOX = 14, FLAT = 6 };

/* Sides 1, 2 and 3; then its corners' copy, points on edges and one inside. */
static const vp_vec3 box[BOX] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 0}, {0, 0, 3}, {1, 0, 3}, {0, 2, 3},
                                 {1, 2, 3}, {0, 0, 0}, {1, 2, 3}, {0, 1, 0}, {0, 0, 1}, {1, 2, 2}, {0.5f, 1, 1}};
static const double around_box[3][4][2] = {
    {{0, 0}, {2, 0}, {2, 3}, {0, 3}}, {{0, 0}, {3, 0}, {3, 1}, {0, 1}}, {{0, 0}, {1, 0}, {1, 2}, {0, 2}}};

/* In the plane z = 1: along x and y it is a segment. */
static const vp_vec3 flat[FLAT] = {{0, 0, 1}, {4, 0, 1}, {4, 2, 1}, {2, 0, 1}, {4, 1, 1}, {3, 1, 1}};

/* ---- a library that does what it is told ---- */

static enum { MAKES, LACKS_MEMORY, REFUSES_ONE, REFUSES, CRASHES, ENDS, ENDS_LATER, LOOPS } does;
static double answer[3][8][2];
static uint32_t answer_corners[3];

static void *make(const vp_vec3 *point, uint32_t count, const uint32_t axis[2])
{
    uint32_t *along = malloc(sizeof *along);
    assert_non_null(along);
    assert_ptr_equal(point, box);
    assert_int_equal(count, BOX);
    *along = 3 - axis[0] - axis[1];
    assert_int_equal(axis[0], (*along + 1) % 3);
    if (does == LACKS_MEMORY && *along == 2) {
        free(along);
        return NULL;
    }
    return along;
}

static bool run(void *work)
{
    volatile double sum = 0;
    if (does == CRASHES)
        abort();
    if (does == ENDS)
        exit(0);
    while (does == LOOPS)
        sum = sum + 1;
    return does == MAKES || does == ENDS_LATER || (does == REFUSES_ONE && *(uint32_t *)work != 1);
}

static bool corners(const void *work, vp_hull2_polygon *out)
{
    const uint32_t along = *(const uint32_t *)work;
    if (does == ENDS_LATER)
        exit(0);
    *out = (vp_hull2_polygon){malloc(sizeof answer[along]), answer_corners[along]};
    assert_non_null(out->corner);
    memcpy(out->corner, answer[along], sizeof answer[along]);
    return true;
}

static const vp_hull2_peer obedient = {"obedient", "1", "does what it is told", false, make, run, corners, free};

static void answers_box(void)
{
    does = MAKES;
    for (int k = 0; k < 3; k++) {
        memcpy(answer[k], around_box[k], sizeof around_box[k]);
        answer_corners[k] = 4;
    }
}

static vp_hull2_trial try_it(const vp_hull2_peer *peer, const vp_vec3 *point, uint32_t count)
{
    vp_hull2_shadows reference;
    vp_hull2_trial t;
    vp_error error;
    assert_int_equal(vp_hull2_shadows_make(point, count, &reference, &error), VP_OK);
    assert_int_equal(vp_hull2_try(peer, point, count, &reference, 1, &t, &error), VP_OK);
    vp_hull2_shadows_destroy(&reference);
    return t;
}

static void expect(vp_hull_outcome outcome, vp_hull2_found wanted)
{
    const vp_hull2_trial t = try_it(&obedient, box, BOX);
    assert_int_equal(t.outcome, outcome);
    assert_int_equal(t.found.refused, wanted.refused);
    assert_int_equal(t.found.wanted, wanted.wanted);
    assert_int_equal(t.found.corners, wanted.corners);
    assert_int_equal(t.found.missing, wanted.missing);
    assert_int_equal(t.found.extra, wanted.extra);
    assert_int_equal(t.found.turned, wanted.turned);
}

/* ---- tests ---- */

static void test_shadows(void **state)
{
    (void)state;
    vp_hull2_shadows s;
    vp_error error;
    assert_int_equal(vp_hull2_shadows_make(box, BOX, &s, &error), VP_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(s.of[k].corners, 4);
        uint32_t begin = 0;
        while (begin < 4 && memcmp(s.of[k].corner[begin], around_box[k][0], sizeof around_box[k][0]) != 0)
            begin++;
        assert_true(begin < 4);
        for (uint32_t c = 0; c < 4; c++)
            assert_memory_equal(s.of[k].corner[(begin + c) % 4], around_box[k][c], sizeof around_box[k][c]);
    }
    vp_hull2_shadows_destroy(&s);
}

static void test_polygons_that_are_right(void **state)
{
    (void)state;
    answers_box();
    expect(VP_HULL_VALID, (vp_hull2_found){.wanted = 12, .corners = 12});
    for (uint32_t begin = 1; begin < 4; begin++) {
        for (uint32_t c = 0; c < 4; c++)
            memcpy(answer[1][c], around_box[1][(begin + c) % 4], sizeof around_box[1][c]);
        expect(VP_HULL_VALID, (vp_hull2_found){.wanted = 12, .corners = 12});
    }
}

static void test_polygons_that_differ(void **state)
{
    (void)state;
    static const double between[2] = {1, 0}, away[2] = {2, 3.0000001};
    answers_box();
    answer_corners[0] = 3;
    expect(VP_HULL_FAULTY, (vp_hull2_found){.wanted = 12, .corners = 11, .missing = 1});
    answer_corners[0] = 0;
    expect(VP_HULL_FAULTY, (vp_hull2_found){.wanted = 12, .corners = 8, .missing = 4});
    answers_box();
    memcpy(answer[0][4], between, sizeof between); /* a point of the box, but no corner */
    answer_corners[0] = 5;
    expect(VP_HULL_FAULTY, (vp_hull2_found){.wanted = 12, .corners = 13, .extra = 1});
    memcpy(answer[0][4], around_box[0][0], sizeof between); /* a corner twice */
    expect(VP_HULL_FAULTY, (vp_hull2_found){.wanted = 12, .corners = 13, .extra = 1});
    answers_box();
    memcpy(answer[0][2], away, sizeof away); /* not quite the corner */
    expect(VP_HULL_FAULTY, (vp_hull2_found){.wanted = 12, .corners = 12, .missing = 1, .extra = 1});
    answers_box();
    for (uint32_t c = 0; c < 4; c++) /* clockwise, and across */
        memcpy(answer[2][c], around_box[2][3 - c], sizeof around_box[2][c]);
    expect(VP_HULL_FAULTY, (vp_hull2_found){.wanted = 12, .corners = 12, .turned = 1});
    memcpy(answer[1][0], around_box[1][1], sizeof around_box[1][0]);
    memcpy(answer[1][1], around_box[1][0], sizeof around_box[1][0]);
    expect(VP_HULL_FAULTY, (vp_hull2_found){.wanted = 12, .corners = 12, .turned = 2});
}

static void test_no_polygon(void **state)
{
    (void)state;
    answers_box();
    does = REFUSES_ONE;
    expect(VP_HULL_FAULTY, (vp_hull2_found){.refused = 1, .wanted = 8, .corners = 8});
    does = REFUSES;
    expect(VP_HULL_REFUSED, (vp_hull2_found){.refused = 3});
    does = CRASHES;
    expect(VP_HULL_CRASHED, (vp_hull2_found){0});
    does = ENDS;
    expect(VP_HULL_CRASHED, (vp_hull2_found){0});
    does = ENDS_LATER; /* while its corners are asked for */
    expect(VP_HULL_CRASHED, (vp_hull2_found){0});
    does = LOOPS;
    expect(VP_HULL_LATE, (vp_hull2_found){0});
    does = LACKS_MEMORY;
    vp_hull2_shadows reference;
    vp_hull2_trial t;
    vp_error error;
    assert_int_equal(vp_hull2_shadows_make(box, BOX, &reference, &error), VP_OK);
    assert_int_equal(vp_hull2_try(&obedient, box, BOX, &reference, 1, &t, &error), VP_E_MEMORY);
    assert_non_null(strstr(error.message, "what obedient makes of 14 points"));
    vp_hull2_shadows_destroy(&reference);
}

static void test_libraries(void **state)
{
    (void)state;
    for (const vp_hull2_peer *const *peer = vp_hull2_peers; *peer != NULL; peer++) {
        vp_hull2_trial t = try_it(*peer, box, BOX);
        assert_int_equal(t.outcome, VP_HULL_VALID);
        assert_int_equal(t.found.corners, 12);
        t = try_it(*peer, flat, FLAT);
        if ((*peer)->exact) {
            assert_int_equal(t.outcome, VP_HULL_VALID);
            assert_int_equal(t.found.corners, 7); /* a triangle and two segments */
        } else {
            assert_int_equal(t.found.missing, 0);
            assert_int_equal(t.found.wanted, 3 + 2 * (2 - t.found.refused)); /* it may refuse segments */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shadows),
        cmocka_unit_test(test_polygons_that_are_right),
        cmocka_unit_test(test_polygons_that_differ),
        cmocka_unit_test(test_no_polygon),
        cmocka_unit_test(test_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
