/* SPDX-License-Identifier: MIT */
/* The judge of shapes against triangles. Each way to spoil one answer is counted as that fault, and the libraries built in answer most
 * simple pairs rightly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/judge.h"
#include "bench/peers/narrow.h"
#include "tests/support/check.h"

enum { PLACES = 60 };

static vp_pose_set set;
static vp_data data;

/* The change made to the first answer of an overlapping pair. */
typedef enum deed { RIGHT, MISSES, INVENTS, TURNS_SIGN, IS_DEEPER, TURNS_NORMAL, HAS_NAN } deed;
static deed does;
static bool overlaps_alone;

static void *make(const vp_peer *peer, const vp_data *of)
{
    (void)peer;
    vp_collide_samples *asked = malloc(sizeof *asked);
    vp_error error;
    return asked != NULL && vp_collide_samples_create(VP_BODY_BOX, of->set, asked, &error) == VP_OK ? asked : NULL;
}

static void spoil(const vp_collide_job *job, vp_collide_answer *a)
{
    const float d = a->distance;
    a->distance = does == TURNS_SIGN ? -d : does == IS_DEEPER ? d - 0.01f : does == HAS_NAN ? NAN : d;
    if (does == TURNS_NORMAL)
        a->normal = vp_vec3_scale(a->normal, -1.0f);
    if (does == MISSES)
        *a = vp_narrow_none(job);
}

static bool run(void *work, uint32_t step)
{
    vp_collide_samples *asked = work;
    (void)step;
    for (uint32_t i = 0; i < asked->places; i++)
        vp_collide_box_scalar(&asked->job[i]);
    for (uint32_t i = 0; i < asked->places; i++) {
        vp_collide_answer *a = asked->job[i].answer;
        if (does == INVENTS && a->triangle_feature == VP_COLLIDE_NONE) {
            const double n[3] = {0.0, 1.0, 0.0}, p[3] = {0.0, 0.0, 0.0};
            *a = vp_narrow_touch(-0.1, n, p);
            return true;
        }
        if (does != INVENTS && a->triangle_feature != VP_COLLIDE_NONE && a->distance < -0.05f) {
            spoil(&asked->job[i], a);
            return true;
        }
    }
    return false;
}

static bool answers(void *work, uint32_t step, vp_peer_answers *out)
{
    (void)step;
    out->collided = work;
    out->overlaps_alone = overlaps_alone;
    return true;
}

static void drop(void *work)
{
    vp_collide_samples_destroy(work);
    free(work);
}

static const vp_peer obedient = {"obedient", "1", "does what it is told", VP_KERNEL_collide_box, false, false, make, NULL, run,
                                 answers,    drop};

static vp_verdict try_it(const vp_peer *peer)
{
    vp_verdict v;
    const vp_contest contest = {.judge = vp_judge_of(peer->row), .peer = peer, .data = &data, .steps = 1};
    assert_ptr_equal(contest.judge, &vp_judge_pairs);
    assert_ok(vp_contest_try(&contest, 10, &v, &error));
    return v;
}

static void spoilt(void **state)
{
    static const char *const counter[] = {NULL, "missed", "invented", "wrong_sign", "off", "wrong_normal", "no_number"};
    (void)state;
    for (int d = RIGHT; d <= HAS_NAN; d++) {
        does = (deed)d;
        const vp_verdict v = try_it(&obedient);
        assert_int_equal(v.outcome, d == RIGHT ? VP_PEER_RIGHT : VP_PEER_FAULTY);
        for (int c = MISSES; c <= HAS_NAN; c++)
            assert_true(vp_verdict_counter(&v, counter[c]) == (c == d ? 1.0 : 0.0));
        assert_string_equal(v.text, d == RIGHT ? "pairs wrong=0 of 60" : "pairs wrong=1 of 60");
    }
}

/* A library that only answers overlaps. A missed overlap still counts. */
static void of_overlaps_alone(void **state)
{
    (void)state;
    overlaps_alone = true;
    does = MISSES;
    const vp_verdict v = try_it(&obedient);
    assert_true(vp_verdict_counter(&v, "missed") == 1.0);
    overlaps_alone = false;
}

static void libraries(void **state)
{
    const vp_peer *peer;
    (void)state;
    for (size_t i = 0; (peer = vp_peer_at(i)) != NULL; i++) {
        if (vp_judge_of(peer->row) != &vp_judge_pairs || strstr(peer->name, "margin") != NULL || strstr(peer->name, "mpr") != NULL)
            continue;
        const vp_verdict v = try_it(peer);
        assert_true(v.outcome == VP_PEER_RIGHT || v.outcome == VP_PEER_FAULTY);
        assert_true(vp_verdict_counter(&v, "within_margin") > 0.2);
        assert_true(vp_verdict_counter(&v, "missed") + vp_verdict_counter(&v, "invented") + vp_verdict_counter(&v, "wrong_sign") <= 6.0);
    }
}

static int begin(void **state)
{
    vp_error error;
    (void)state;
    data.set = &set;
    return vp_pose_set_hard(VP_POSES_RANDOM, PLACES, 5, &set, &error) == VP_OK ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    vp_pose_set_destroy(&set);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoilt), cmocka_unit_test(of_overlaps_alone), cmocka_unit_test(libraries)};
    return cmocka_run_group_tests(tests, begin, end);
}
