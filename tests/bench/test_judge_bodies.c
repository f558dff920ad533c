/* SPDX-License-Identifier: MIT */
/* The judges of shape pairs and of casts. Each way to spoil one answer is counted as that fault, and the libraries built in answer most
 * simple questions rightly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/judge.h"
#include "bench/peers/manifold.h"
#include "bench/peers/narrow.h"
#include "cases/bodies/casts.h"
#include "cases/bodies/pairs.h"
#include "tests/support/check.h"

static vp_suite *suite;

/* The change made to one answer. */
typedef enum deed { RIGHT, MISSES, INVENTS, TURNS_SIGN, IS_OFF, IS_EARLY, TURNS_NORMAL, HAS_NAN, DEEDS } deed;
static const char *const counter_of[DEEDS] = {NULL, "missed", "invented", "wrong_sign", "off", "off", "wrong_normal", "no_number"};
static deed does;
static bool overlaps_alone;

static void expect_counters(const vp_verdict *v)
{
    static const char *const counter[] = {"missed", "invented", "wrong_sign", "off", "wrong_normal", "no_number"};
    assert_int_equal(v->outcome, does == RIGHT ? VP_PEER_RIGHT : VP_PEER_FAULTY);
    for (size_t c = 0; c < sizeof counter / sizeof counter[0]; c++)
        assert_true(vp_verdict_counter(v, counter[c]) == (does != RIGHT && strcmp(counter[c], counter_of[does]) == 0 ? 1.0 : 0.0));
}

static vp_verdict try_it(const vp_peer *peer, const char *set)
{
    vp_verdict v;
    vp_contest contest = {.judge = vp_judge_of(peer->row), .peer = peer, .steps = 1};
    assert_non_null(contest.judge);
    assert_ok(contest.judge->open(suite, set, &contest, &error));
    assert_ok(vp_contest_try(&contest, 30, &v, &error));
    return v;
}

/* ---- pairs ---- */

typedef struct pairs_work {
    vp_pairs pairs;
    vp_shape_contact *answer;
} pairs_work;

static void *make_pairs(const vp_peer *peer, const vp_data *of)
{
    pairs_work *w = calloc(1, sizeof *w);
    vp_error unused;
    if (w == NULL || vp_pairs_create(vp_pair_of(peer->name), of->set, &w->pairs, &unused) != VP_OK)
        return NULL;
    w->answer = calloc(w->pairs.count, sizeof *w->answer);
    return w;
}

static void spoil_pair(vp_shape_contact *a)
{
    const float d = a->distance;
    a->distance = does == TURNS_SIGN ? -d : does == IS_OFF ? d - 0.01f : does == IS_EARLY ? d + 0.01f : does == HAS_NAN ? NAN : d;
    if (does == TURNS_NORMAL)
        a->normal = vp_vec3_scale(a->normal, -1.0f);
    if (does == MISSES)
        a->feature_a = VP_COLLIDE_NONE;
    if (does == INVENTS) {
        a->distance = -0.1f;
        a->feature_a = 0;
    }
}

static bool run_pairs(void *work, uint32_t step)
{
    pairs_work *w = work;
    (void)step;
    for (uint32_t i = 0; i < w->pairs.count; i++) {
        const vp_manifold_body *b = w->pairs.body[i];
        if (vp_shapes_collide(&b[0], &b[1], w->pairs.margin[i], &w->answer[i], NULL) != VP_OK)
            return false;
    }
    for (uint32_t i = 0; i < w->pairs.count && does != RIGHT; i++) {
        vp_shape_contact *a = &w->answer[i];
        const bool is_small = vp_collide_radius(w->pairs.body[i][0].shape) < 1.0f && fabsf(w->pairs.body[i][0].pose.position.x) < 100.0f;
        if (is_small && (does == INVENTS ? a->feature_a == VP_COLLIDE_NONE : a->feature_a != VP_COLLIDE_NONE && a->distance < -0.05f)) {
            spoil_pair(a);
            return true;
        }
    }
    return does == RIGHT;
}

static bool answers_of_pairs(void *work, uint32_t step, vp_peer_answers *out)
{
    (void)step;
    out->contact = ((pairs_work *)work)->answer;
    out->overlaps_alone = overlaps_alone;
    return true;
}

static void drop_pairs(void *work)
{
    pairs_work *w = work;
    vp_pairs_destroy(&w->pairs);
    free(w->answer);
    free(w);
}

static const vp_peer of_pairs = {
    "obedient/hull16-hull16", "1",       "does as it is bid", VP_OPERATION_collide_shapes, false, false, make_pairs, NULL, run_pairs,
    answers_of_pairs,         drop_pairs};

static void spoilt_pairs(void **state)
{
    (void)state;
    for (int d = RIGHT; d < DEEDS; d++) {
        does = (deed)d;
        const vp_verdict v = try_it(&of_pairs, "poses-hard");
        expect_counters(&v);
        assert_string_equal(v.text, d == RIGHT ? "pairs wrong=0 of 960" : "pairs wrong=1 of 960");
    }
}

/* A library that only answers overlaps. A missed overlap counts, a missed pair within the margin does not. */
static void of_overlaps_alone(void **state)
{
    (void)state;
    overlaps_alone = true;
    does = MISSES;
    const vp_verdict v = try_it(&of_pairs, "poses-hard");
    overlaps_alone = false;
    expect_counters(&v);
}

/* ---- casts ---- */

typedef struct casts_work {
    const vp_cast_samples *asked;
    vp_cast_hit *hit;
} casts_work;

static void *make_casts(const vp_peer *peer, const vp_data *of)
{
    casts_work *w = calloc(1, sizeof *w);
    (void)peer;
    if (w == NULL)
        return NULL;
    w->asked = of->set;
    w->hit = calloc(w->asked->casts, sizeof *w->hit);
    return w;
}

static void spoil_cast(vp_cast_hit *h)
{
    if (does == INVENTS)
        *h = (vp_cast_hit){.found = true, .t = 0.5f, .normal = {0.0f, 1.0f, 0.0f}};
    h->t = does == IS_OFF ? h->t + 0.1f : does == IS_EARLY ? h->t - 0.1f : does == HAS_NAN ? NAN : h->t;
    h->found = does != MISSES;
    if (does == TURNS_NORMAL)
        h->normal = vp_vec3_scale(h->normal, -1.0f);
}

static vp_cast_hit right_hit[VP_CASTS];

/* Whether the bounding sphere of a shape, grown by 0.2, touches nothing on its way. */
static bool is_free(const vp_cast_samples *q, uint32_t number)
{
    const vp_cast_def *d = &q->def[number];
    for (int i = 0; i <= 20; i++) {
        vp_closest near;
        const vp_vec3 at = vp_vec3_add(d->pose.position, vp_vec3_scale(d->translation, (float)i / 20.0f));
        if (vp_closest_mesh(q->triangle, q->triangles, at, vp_collide_radius(d->shape) + 0.2f, &near, NULL) != VP_OK || near.found)
            return false;
    }
    return true;
}

static bool run_casts(void *work, uint32_t step)
{
    casts_work *w = work;
    const vp_cast_samples *q = w->asked;
    bool spoilt = does == RIGHT;
    (void)step;
    for (uint32_t i = 0; i < q->casts; i++) {
        vp_cast_hit *h = &w->hit[i];
        *h = right_hit[i];
        const bool falls = q->def[i].translation.x == 0.0f && q->def[i].translation.y < -8.0f; /* from far above */
        if (!spoilt && (does == INVENTS ? !h->found && is_free(q, i) : falls && h->found && h->t > 0.3f && h->t < 0.9f)) {
            spoil_cast(h);
            spoilt = true;
        }
    }
    return spoilt;
}

static bool answers_of_casts(void *work, uint32_t step, vp_peer_answers *out)
{
    (void)step;
    out->cast = ((casts_work *)work)->hit;
    return true;
}

static void drop_casts(void *work)
{
    free(((casts_work *)work)->hit);
    free(work);
}

static const vp_peer of_casts = {"obedient", "1",  "does as it is bid", VP_OPERATION_cast_box, false,     false,
                                 make_casts, NULL, run_casts,           answers_of_casts,      drop_casts};

static void spoilt_casts(void **state)
{
    (void)state;
    vp_contest contest = {.judge = vp_judge_of(of_casts.row), .peer = &of_casts, .steps = 1};
    assert_ok(contest.judge->open(suite, "terrain-l2", &contest, &error));
    const vp_cast_samples *q = contest.data->set;
    for (uint32_t i = 0; i < q->casts; i++)
        assert_ok(vp_cast_mesh(q->triangle, q->triangles, &q->def[i], &right_hit[i], &error));
    for (int d = RIGHT; d < DEEDS; d++) {
        does = (deed)d;
        if (d == TURNS_SIGN)
            continue;
        const vp_verdict v = try_it(&of_casts, "terrain-l2");
        expect_counters(&v);
    }
}

/* ---- libraries ---- */

static void libraries(void **state)
{
    const vp_peer *peer;
    (void)state;
    for (size_t i = 0; (peer = vp_peer_at(i)) != NULL; i++) {
        const bool casts = peer->row >= VP_OPERATION_cast_sphere && peer->row <= VP_OPERATION_cast_hull;
        if ((!casts && peer->row != VP_OPERATION_collide_shapes) || strstr(peer->name, "margin") != NULL)
            continue;
        const vp_verdict v = try_it(peer, casts ? "terrain-l2" : "poses-terrain");
        assert_true(v.outcome == VP_PEER_RIGHT || v.outcome == VP_PEER_FAULTY);
        assert_true(vp_verdict_counter(&v, "within_margin") > 0.4);
        assert_true(vp_verdict_counter(&v, "missed") + vp_verdict_counter(&v, "invented") <= 20.0);
        assert_true(vp_verdict_counter(&v, "worst_error") < 0.5);
    }
}

static int begin(void **state)
{
    (void)state;
    suite = vp_suite_create();
    return suite == NULL;
}

static int end(void **state)
{
    (void)state;
    vp_suite_destroy(suite);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoilt_pairs), cmocka_unit_test(of_overlaps_alone), cmocka_unit_test(spoilt_casts),
                                       cmocka_unit_test(libraries)};
    return cmocka_run_group_tests(tests, begin, end);
}
