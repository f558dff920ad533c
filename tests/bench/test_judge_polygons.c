/* SPDX-License-Identifier: MIT */
/* The judge of a library's polygons, and of libraries that refuse, crash or do not end. An obedient library answers with the shadows of a
 * box, whose corners are typed by hand. The libraries built in get the same box. */
#include <stdlib.h>

#include "bench/peers/judge.h"
#include "tests/support/check.h"

enum { BOX = 14, FLAT = 6 };

/* A box of 1 x 2 x 3, then a copy of its corners, points on edges and one inside. */
static const vp_vec3 box[BOX] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 0}, {0, 0, 3}, {1, 0, 3}, {0, 2, 3},
                                 {1, 2, 3}, {0, 0, 0}, {1, 2, 3}, {0, 1, 0}, {0, 0, 1}, {1, 2, 2}, {0.5f, 1, 1}};
static const double around_box[3][4][2] = {
    {{0, 0}, {2, 0}, {2, 3}, {0, 3}}, {{0, 0}, {3, 0}, {3, 1}, {0, 1}}, {{0, 0}, {1, 0}, {1, 2}, {0, 2}}};

/* In the plane z = 1. Two of its shadows are segments. */
static const vp_vec3 flat[FLAT] = {{0, 0, 1}, {4, 0, 1}, {4, 2, 1}, {2, 0, 1}, {4, 1, 1}, {3, 1, 1}};

/* ---- an obedient library ---- */

/* ENDS_LATER exits when it is asked for corners. */
static enum { MAKES, REFUSES_ONE, REFUSES, CRASHES, ENDS, ENDS_LATER, LOOPS, LACKS_MEMORY } does;
static double answer[3][8][2];
static uint32_t answer_corners[3];

static void *make(const vp_peer *peer, const vp_data *data)
{
    (void)peer;
    const vp_point_sets *points = data->set;
    assert_ptr_equal(points->point, box);
    assert_int_equal(points->first[1], BOX);
    return does == LACKS_MEMORY ? NULL : answer;
}

static bool run(void *work, uint32_t along)
{
    volatile double sum = 0;
    (void)work;
    if (does == CRASHES)
        abort();
    if (does == ENDS)
        exit(0);
    while (does == LOOPS)
        sum = sum + 1;
    return does == MAKES || does == ENDS_LATER || (does == REFUSES_ONE && along != 1);
}

static bool corners(void *work, uint32_t along, vp_peer_answers *out)
{
    (void)work;
    if (does == ENDS_LATER)
        exit(0);
    out->corner = (const double(*)[2])answer[along];
    out->corners = answer_corners[along];
    return true;
}

static void drop(void *work)
{
    (void)work;
}

static vp_peer obedient = {"obedient", "1", "does what it is told", VP_KERNEL_hull2, false, false, make, NULL, run, corners, drop};

static void answers_box(void)
{
    does = MAKES;
    for (int k = 0; k < 3; k++) {
        memcpy(answer[k], around_box[k], sizeof around_box[k]);
        answer_corners[k] = 4;
    }
}

static vp_verdict try_it(const vp_peer *peer, const vp_vec3 *point, uint32_t count)
{
    vp_verdict v;
    uint32_t first[2] = {0, count};
    void *right = NULL;
    const vp_point_sets points = {1, first, (vp_vec3 *)(uintptr_t)point};
    const vp_data data = {.kind = &vp_kind_points, .set = &points};
    assert_ok(vp_shadows_derivation.make(&data, 0, &right, &error));
    const vp_contest contest = {.judge = &vp_judge_polygons, .peer = peer, .data = &data, .right = right, .steps = 3, .name = "box"};
    assert_ok(vp_contest_try(&contest, 1, &v, &error));
    vp_shadows_derivation.drop(right);
    return v;
}

typedef struct found {
    int refused, corners, missing, extra, turned;
} found;

static void expect(vp_outcome outcome, found wanted)
{
    const vp_verdict v = try_it(&obedient, box, BOX);
    assert_int_equal(v.outcome, outcome);
    assert_true(vp_verdict_counter(&v, "refused") == wanted.refused);
    assert_true(vp_verdict_counter(&v, "corners") == wanted.corners);
    assert_true(vp_verdict_counter(&v, "missing") == wanted.missing);
    assert_true(vp_verdict_counter(&v, "extra") == wanted.extra);
    assert_true(vp_verdict_counter(&v, "turned") == wanted.turned);
}

/* ---- tests ---- */

static void test_polygons_that_are_right(void **state)
{
    (void)state;
    answers_box();
    expect(VP_PEER_RIGHT, (found){.corners = 12});
    for (uint32_t begin = 1; begin < 4; begin++) {
        for (uint32_t c = 0; c < 4; c++)
            memcpy(answer[1][c], around_box[1][(begin + c) % 4], sizeof around_box[1][c]);
        expect(VP_PEER_RIGHT, (found){.corners = 12});
    }
}

static void test_polygons_that_differ(void **state)
{
    (void)state;
    static const double between[2] = {1, 0}, away[2] = {2, 3.0000001};
    answers_box();
    answer_corners[0] = 3;
    expect(VP_PEER_FAULTY, (found){.corners = 11, .missing = 1});
    answer_corners[0] = 0;
    expect(VP_PEER_FAULTY, (found){.corners = 8, .missing = 4});
    answers_box();
    memcpy(answer[0][4], between, sizeof between); /* a point of the box, but no corner */
    answer_corners[0] = 5;
    expect(VP_PEER_FAULTY, (found){.corners = 13, .extra = 1});
    memcpy(answer[0][4], around_box[0][0], sizeof between); /* the same corner twice */
    expect(VP_PEER_FAULTY, (found){.corners = 13, .extra = 1});
    answers_box();
    memcpy(answer[0][2], away, sizeof away); /* close to the corner */
    expect(VP_PEER_FAULTY, (found){.corners = 12, .missing = 1, .extra = 1});
    answers_box();
    for (uint32_t c = 0; c < 4; c++) /* clockwise, then crossed */
        memcpy(answer[2][c], around_box[2][3 - c], sizeof around_box[2][c]);
    expect(VP_PEER_FAULTY, (found){.corners = 12, .turned = 1});
    memcpy(answer[1][0], around_box[1][1], sizeof around_box[1][0]);
    memcpy(answer[1][1], around_box[1][0], sizeof around_box[1][0]);
    expect(VP_PEER_FAULTY, (found){.corners = 12, .turned = 2});
}

static void test_no_polygon(void **state)
{
    (void)state;
    answers_box();
    does = REFUSES_ONE;
    expect(VP_PEER_FAULTY, (found){.refused = 1, .corners = 8});
    does = REFUSES;
    expect(VP_PEER_REFUSES, (found){.refused = 3});
    for (does = CRASHES; does <= LACKS_MEMORY; does++)
        assert_int_equal(try_it(&obedient, box, BOX).outcome, does == LOOPS          ? VP_PEER_LATE
                                                              : does == LACKS_MEMORY ? VP_PEER_NO_MEMORY
                                                                                     : VP_PEER_CRASHES);
}

static void test_who_claims_to_be_exact(void **state)
{
    (void)state;
    answers_box();
    obedient.exact = true;
    assert_int_equal(try_it(&obedient, box, BOX).outcome, VP_PEER_RIGHT);
    answer_corners[0] = 3;
    const vp_verdict v = try_it(&obedient, box, BOX);
    assert_int_equal(v.outcome, VP_PEER_WRONG);
    assert_string_equal(v.text, "the corners by obedient of the shadows of box differ: 1 of 12 missing");
    does = REFUSES;
    assert_int_equal(try_it(&obedient, box, BOX).outcome, VP_PEER_WRONG);
    obedient.exact = false;
}

static void test_libraries(void **state)
{
    (void)state;
    const vp_peer *peer;
    for (size_t i = 0; (peer = vp_peer_at(i)) != NULL; i++) {
        if (peer->row != VP_KERNEL_hull2)
            continue;
        vp_verdict v = try_it(peer, box, BOX);
        assert_int_equal(v.outcome, VP_PEER_RIGHT);
        assert_true(vp_verdict_counter(&v, "corners") == 12);
        v = try_it(peer, flat, FLAT);
        if (peer->exact) {
            assert_int_equal(v.outcome, VP_PEER_RIGHT);
            assert_true(vp_verdict_counter(&v, "corners") == 7); /* a triangle and two segments */
        } else {
            assert_true(vp_verdict_counter(&v, "missing") == 0); /* a library may refuse segments */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polygons_that_are_right),
        cmocka_unit_test(test_polygons_that_differ),
        cmocka_unit_test(test_no_polygon),
        cmocka_unit_test(test_who_claims_to_be_exact),
        cmocka_unit_test(test_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
