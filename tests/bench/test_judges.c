/* SPDX-License-Identifier: MIT */
/* Each judge counts each fault that it knows. The libraries that are built in answer, and the test spoils their answers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/judge.h"
#include "bench/peers/manifold.h"
#include "bench/peers/narrow.h"
#include "bench/simulate/scene.h"
#include "cases/bodies/casts.h"
#include "tests/support/check.h"

static vp_suite *suite;

/* ---- ways to spoil answers, whose arrays belong to the library and are writable ---- */

#define WRITABLE(type, pointer) ((type *)(uintptr_t)(pointer))

/* Spoils a distance and a normal as a counter's name says. */
static const char *counted;
static bool spoils(const char *counter)
{
    return strcmp(counted, counter) == 0;
}

static void spoil_contact(float *distance, vp_vec3 *normal)
{
    if (spoils("wrong_normal"))
        *normal = vp_vec3_scale(*normal, -1.0f);
    *distance = spoils("wrong_sign") ? -*distance : spoils("off") ? 1.5f * *distance : spoils("no_number") ? NAN : *distance;
}

static void spoil_triangles(vp_peer_answers *a)
{
    for (uint32_t i = 0; i < a->collided->places; i++) {
        vp_collide_result *answer = a->collided->job[i].result;
        const bool none = answer->triangle_feature == VP_COLLIDE_NONE;
        if (spoils("missed"))
            *answer = vp_narrow_none(&a->collided->job[i]);
        else if (spoils("invented") && none)
            *answer = vp_narrow_touch(-0.1, (const double[]){0, 1, 0}, (const double[]){0, 0, 0});
        else if (!none)
            spoil_contact(&answer->distance, &answer->normal);
    }
}

static vp_pairs pairs;

static void spoil_pairs(vp_peer_answers *a)
{
    for (uint32_t i = 0; i < pairs.count; i++) {
        vp_shape_contact *contact = &WRITABLE(vp_shape_contact, a->contact)[i];
        if (spoils("invented") && contact->feature_a == VP_COLLIDE_NONE)
            *contact = (vp_shape_contact){.distance = -0.1f, .normal = {0, 1, 0}};
        else if (spoils("missed"))
            contact->feature_a = VP_COLLIDE_NONE;
        else
            spoil_contact(&contact->distance, &contact->normal);
    }
}

static void spoil_casts(vp_peer_answers *a)
{
    for (uint32_t i = 0; i < VP_CASTS; i++) {
        vp_cast_hit *hit = &WRITABLE(vp_cast_hit, a->cast)[i];
        if (spoils("invented") && !hit->found)
            *hit = (vp_cast_hit){.found = true, .t = 0.5f, .normal = {0, 1, 0}};
        else if (hit->found)
            spoil_contact(&hit->t, &hit->normal);
        hit->found &= !spoils("missed");
    }
}

static void spoil_touches(vp_peer_answers *a)
{
    for (uint32_t i = 0; i < a->touches; i++)
        WRITABLE(vp_peer_touch, a->touch)[i].normal = (vp_vec3){1, 0, 0};
    if (spoils("missed"))
        a->touches = 0;
}

static void repeat_corner(vp_peer_answers *a)
{
    uint32_t *corner = WRITABLE(uint32_t, a->triangle);
    corner[0] = corner[1];
}

static void lose_triangle(vp_peer_answers *a)
{
    a->triangles--;
}

static void move_places_inside(vp_peer_answers *a)
{
    for (uint32_t i = 0; i < a->places; i++)
        WRITABLE(vp_vec3, a->place)[i] = vp_vec3_scale(a->place[i], 0.5f);
}

static void lose_corner(vp_peer_answers *a)
{
    a->corners--;
}

static void move_corner(vp_peer_answers *a)
{
    WRITABLE(double, a->corner)[0] *= 1.0000001;
}

static void swap_corners(vp_peer_answers *a)
{
    double *at = WRITABLE(double, a->corner);
    for (int k = 0; k < 2; k++) {
        const double first = at[k];
        at[k] = at[2 + k];
        at[2 + k] = first;
    }
}

static void spoil_bodies(vp_peer_answers *a)
{
    vp_sim_body *body = WRITABLE(vp_sim_body, &a->simulated->end[7]);
    if (spoils("no_number"))
        body->velocity[1] = (double)NAN;
    if (spoils("below_ground"))
        body->position[1] -= 3;
    if (spoils("gained_energy"))
        body->spin[2] += 1000;
}

static void lose_triangles_of_lists(vp_peer_answers *a)
{
    WRITABLE(uint32_t, a->found)[0]--;
}

/* Lists the first triangle again, which is a fault even where further triangles are not. */
static void repeat_triangle(vp_peer_answers *a)
{
    uint32_t *list = WRITABLE(uint32_t, a->list), *found = WRITABLE(uint32_t, a->found), i = 0;
    while (found[i] < 1 || found[i] >= a->capacity)
        i++;
    list[(size_t)i * a->capacity + found[i]++] = list[(size_t)i * a->capacity];
}

/* ---- a library whose answers are spoilt ---- */

static const vp_peer *library;
static void (*spoil)(vp_peer_answers *answers);

static bool spoilt_answers(void *work, uint32_t step, vp_peer_answers *out)
{
    if (!library->answers(work, step, out))
        return false;
    if (spoil != NULL)
        spoil(out);
    return true;
}

static vp_verdict judge(const char *set)
{
    vp_verdict v;
    vp_peer peer = *library;
    vp_contest contest = {.judge = vp_judge_of(peer.row), .peer = &peer, .steps = 1};
    peer.answers = spoilt_answers;
    assert_ok(contest.judge->open(suite, set, &contest, &error));
    assert_ok(vp_contest_try(&contest, 60, &v, &error));
    return v;
}

static const struct spoilt_answer {
    const char *peer;
    vp_row_id row;
    const char *set;
    void (*spoil)(vp_peer_answers *answers);
    const char *counted[7]; /* counters that rise, one at a time. None: the verdict is VP_PEER_WRONG */
} faults[] = {
    {"bullet", VP_KERNEL_kd_gather, "world-230k/box-1.5", lose_triangles_of_lists, {NULL}},
    {"bullet", VP_KERNEL_kd_gather_leaves, "world-230k/box-1.5", repeat_triangle, {NULL}},
    {"bullet",
     VP_KERNEL_collide_box,
     "poses-hard",
     spoil_triangles,
     {"missed", "invented", "wrong_sign", "off", "wrong_normal", "no_number"}},
    {"ccd-gjk", VP_KERNEL_collide_box, "poses-hard", spoil_triangles, {"missed"}}, /* it only answers overlaps */
    {"bullet/box-box",
     VP_OPERATION_collide_shapes,
     "poses-hard",
     spoil_pairs,
     {"missed", "invented", "wrong_sign", "off", "wrong_normal", "no_number"}},
    {"bullet", VP_OPERATION_cast_sphere, "terrain-l2", spoil_casts, {"missed", "invented", "off", "wrong_normal", "no_number"}},
    {"bullet", VP_OPERATION_manifold_box, "terrain-l2", spoil_touches, {"missed", "ghosts"}},
    {"qhull", VP_KERNEL_hull3, "ball/16", repeat_corner, {"faults"}},
    {"qhull", VP_KERNEL_hull3, "ball/16", lose_triangle, {"faults"}},
    {"bullet", VP_KERNEL_hull3, "ball/16", move_places_inside, {"outside_of_extent"}},
    {"qhull", VP_KERNEL_hull2, "ball/16", lose_corner, {"missing"}},
    {"qhull", VP_KERNEL_hull2, "ball/16", move_corner, {"missing", "extra"}},
    {"qhull", VP_KERNEL_hull2, "ball/16", swap_corners, {"turned"}},
    {"cgal", VP_KERNEL_hull2, "ball/16", lose_corner, {NULL}}, /* it claims to be exact */
    {"acd", VP_OPERATION_decompose, "solid-l", repeat_corner, {"invalid_hulls"}},
    {"bullet", VP_SIMULATE_ROW, "terrain-l2/100", spoil_bodies, {"no_number", "below_ground", "gained_energy"}},
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct spoilt_answer *f = &faults[i];
        library = vp_peer_named(f->peer, f->row);
        if (library == NULL)
            continue;
        spoil = NULL;
        const vp_verdict right = judge(f->set);
        assert_true(right.outcome == VP_PEER_RIGHT || right.outcome == VP_PEER_FAULTY);
        spoil = f->spoil;
        if (f->counted[0] == NULL)
            assert_int_equal(judge(f->set).outcome, VP_PEER_WRONG);
        for (int c = 0; f->counted[c] != NULL; c++) {
            counted = f->counted[c];
            const vp_verdict v = judge(f->set);
            if (v.outcome != VP_PEER_FAULTY || !(vp_verdict_counter(&v, counted) > vp_verdict_counter(&right, counted)))
                fail_msg("%s of %s: %s is not counted in row %zu", f->peer, f->set, counted, i);
        }
    }
}

/* ---- libraries that crash or do not end ---- */

static enum { REFUSES, CRASHES, ENDS, LOOPS, LACKS_MEMORY } does;

static void *make(const vp_peer *peer, const vp_data *data)
{
    (void)peer, (void)data;
    return does == LACKS_MEMORY ? NULL : &does;
}

static bool run(void *work, uint32_t step)
{
    volatile double sum = 0;
    (void)work, (void)step;
    if (does == CRASHES)
        abort();
    if (does == ENDS)
        exit(0);
    while (does == LOOPS)
        sum = sum + 1;
    return false;
}

static void drop(void *work)
{
    (void)work;
}

static void test_ends(void **state)
{
    static const vp_peer_outcome wanted[] = {VP_PEER_REFUSES, VP_PEER_CRASHES, VP_PEER_CRASHES, VP_PEER_LATE, VP_PEER_NO_MEMORY};
    const vp_peer peer = {.name = "obedient", .row = VP_KERNEL_hull2, .make = make, .run = run, .drop = drop};
    vp_contest contest = {.judge = &vp_judge_polygons, .peer = &peer};
    (void)state;
    assert_ok(contest.judge->open(suite, "ball/16", &contest, &error));
    for (does = REFUSES; does <= LACKS_MEMORY; does++) {
        vp_verdict v;
        assert_ok(vp_contest_try(&contest, 1, &v, &error));
        assert_int_equal(v.outcome, wanted[does]);
    }
}

static void test_each_peer_is_judged(void **state)
{
    const vp_peer *peer;
    (void)state;
    for (size_t i = 0; (peer = vp_peer_at(i)) != NULL; i++) {
        assert_non_null(vp_judge_of(peer->row));
        assert_ptr_equal(vp_peer_named(peer->name, peer->row), peer); /* no two have the same name */
        assert_true(peer->make != NULL && peer->run != NULL && peer->answers != NULL && peer->drop != NULL);
        assert_true(peer->rewind != NULL || !peer->consumes);
    }
}

static int begin(void **state)
{
    const vp_data *poses;
    vp_error why;
    (void)state;
    suite = vp_suite_create();
    return suite == NULL || vp_suite_data(suite, &vp_kind_poses, "poses-hard", NULL, &poses, &why) != VP_OK ||
           vp_pairs_create(vp_pair_of("bullet/box-box"), poses->set, &pairs, &why) != VP_OK;
}

static int end(void **state)
{
    (void)state;
    vp_pairs_destroy(&pairs);
    vp_suite_destroy(suite);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults), cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_each_peer_is_judged)};
    return cmocka_run_group_tests(tests, begin, end);
}
