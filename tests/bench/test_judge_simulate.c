/* SPDX-License-Identifier: MIT */
/* The judge of simulations: a state that is spoilt in one way is counted as that, and the states of voxphys and of Bullet are right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/judge.h"
#include "bench/simulate/scene.h"
#include "tests/support/check.h"

static vp_suite *suite;
static vp_contest contest;
static vp_peer ours;

static int begin(void **state)
{
    (void)state;
    suite = vp_suite_create();
    assert_non_null(suite);
    ours = vp_simulate_ours("best");
    contest = (vp_contest){.judge = vp_judge_of(VP_SIMULATE_ROW), .peer = &ours, .steps = 1};
    assert_ptr_equal(contest.judge, &vp_judge_simulations);
    assert_ok(contest.judge->open(suite, "terrain-l2/100", &contest, &error));
    vp_contest_make(&contest);
    assert_non_null(contest.work);
    return !(vp_peer_rewind(&ours, contest.work) && vp_contest_run(&contest));
}

static int end(void **state)
{
    (void)state;
    vp_contest_drop(&contest);
    vp_suite_destroy(suite);
    return 0;
}

static void test_right(void **state)
{
    (void)state;
    const vp_peer *bullet = vp_peer_named("bullet", VP_SIMULATE_ROW), *peers[] = {&ours, bullet};
    for (int i = 0; i < 2 && peers[i] != NULL; i++) {
        vp_verdict v = {0};
        vp_contest c = contest;
        c.peer = peers[i];
        c.work = NULL;
        vp_contest_make(&c);
        assert_non_null(c.work);
        assert_true(vp_peer_rewind(c.peer, c.work) && vp_contest_run(&c));
        c.judge->look(&c, &v);
        assert_int_equal(v.outcome, VP_PEER_RIGHT);
        vp_contest_drop(&c);
    }
}

/* Every kernel table gives the reference's states. */
static void test_digest(void **state)
{
    (void)state;
    vp_peer_answers got;
    uint64_t digest;
    assert_ok(vp_body_scene_digest(contest.data, &digest, &error));
    assert_true(vp_peer_answers_of(&ours, contest.work, 0, &got));
    assert_true(got.simulated->digest == digest);
}

static vp_scene_tally judge_spoilt(void (*spoil)(vp_sim_body *body))
{
    const vp_body_scene *scene = contest.right;
    vp_peer_answers got;
    vp_scene_tally t;
    assert_true(vp_peer_answers_of(&ours, contest.work, 0, &got));
    vp_sim_body *end_states = malloc(scene->bodies * sizeof *end_states);
    assert_non_null(end_states);
    memcpy(end_states, got.simulated->end, scene->bodies * sizeof *end_states);
    spoil(&end_states[7]);
    const vp_simulated spoilt = {.landed = got.simulated->landed, .end = end_states};
    assert_ok(vp_scene_judge(scene, &spoilt, &t, &error));
    free(end_states);
    return t;
}

static void lose_number(vp_sim_body *b)
{
    b->velocity[1] = (double)NAN;
}

static void sink(vp_sim_body *b)
{
    b->position[1] -= 3;
}

static void fall(vp_sim_body *b)
{
    b->position[1] = -10;
}

static void leave(vp_sim_body *b)
{
    b->position[0] = -3;
}

static void speed_up(vp_sim_body *b)
{
    b->spin[2] += 1000;
}

static void test_wrong(void **state)
{
    (void)state;
    assert_int_equal(judge_spoilt(lose_number).no_number, 1);
    assert_int_equal(judge_spoilt(sink).below_ground, 1);
    assert_int_equal(judge_spoilt(fall).below_ground, 1);
    const vp_scene_tally left = judge_spoilt(leave), fast = judge_spoilt(speed_up);
    assert_int_equal(left.left, 1);
    assert_int_equal(left.below_ground + left.no_number + left.gained_energy, 0);
    assert_int_equal(fast.gained_energy, 1);
    assert_int_equal(fast.below_ground + fast.no_number, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
