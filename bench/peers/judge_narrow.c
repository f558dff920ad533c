/* SPDX-License-Identifier: MIT */
/* Shapes against triangles. The oracle of the cases judges every answer. Wrong answers are counted as a result. The judge ignores points
 * and features, because libraries report fewer or different ones. */
#include "bench/peers/judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/peers/narrow.h"
#include "cases/narrowphase/collide.h"
#include "src/core/error.h"

enum { SECONDS = 60 };

/* ---- how many pairs there are ---- */

static void drop_asked(void *derived)
{
    if (derived != NULL)
        vp_collide_samples_destroy(derived);
    free(derived);
}

static vp_status make_asked(const vp_data *data, uint32_t body, void **out, vp_error *error)
{
    *out = calloc(1, sizeof(vp_collide_samples));
    return *out == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for pairs")
                        : vp_collide_samples_create((vp_body_kind)body, data->set, *out, error);
}

static const vp_derivation asked_derivation = {"asked", make_asked, drop_asked};

static vp_status open_places(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    vp_status status = vp_suite_data(suite, &vp_kind_poses, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &asked_derivation, vp_narrow_body(out->peer), &out->right, error);
    out->items = status == VP_OK ? ((const vp_collide_samples *)out->right)->pairs : 0;
    return status;
}

/* ---- errors ---- */

static const struct {
    vp_collide_fault fault;
    const char *name;
} reported[] = {{VP_FAULT_MISSED, "missed"}, {VP_FAULT_INVENTED, "invented"},   {VP_FAULT_SIGN, "wrong_sign"},
                {VP_FAULT_DEPTH, "off"},     {VP_FAULT_NORMAL, "wrong_normal"}, {VP_FAULT_NUMBER, "no_number"}};
enum { TOLD = sizeof reported / sizeof reported[0] };

static vp_collide_tally count_faults(const vp_peer_answers *got)
{
    vp_collide_tally t = {0};
    for (uint32_t i = 0; i < got->collided->places; i++) {
        uint32_t unused;
        vp_collide_samples_judge(got->collided, i, VP_NARROW_BAND, got->overlaps_alone, &t, &unused);
    }
    return t;
}

void vp_narrow_verdict(const vp_collide_tally *t, const char *unit, bool overlaps_alone, vp_verdict *out)
{
    uint64_t wrong = 0;
    vp_verdict_count(out, "within_margin", t->pairs > 0 ? (double)t->near / (double)t->pairs : 0.0);
    for (int i = 0; i < TOLD; i++) {
        wrong += t->fault[reported[i].fault];
        vp_verdict_count(out, reported[i].name, (double)t->fault[reported[i].fault]);
    }
    vp_verdict_count(out, "worst_error", t->worst);
    out->outcome = wrong == 0 ? VP_PEER_RIGHT : VP_PEER_FAULTY;
    snprintf(out->text, sizeof out->text, "%s wrong=%llu of %llu%s", unit, (unsigned long long)wrong, (unsigned long long)t->pairs,
             overlaps_alone ? ", overlapping ones alone" : "");
}

void vp_narrow_counters(const vp_collide_tally *t, vp_counters *out)
{
    for (int i = 0; i < TOLD; i++)
        vp_count(out, reported[i].name, (double)t->fault[reported[i].fault]);
    vp_count(out, "wrong_points", (double)(t->fault[VP_FAULT_POINTS] + t->fault[VP_FAULT_FEATURE]));
    vp_count(out, "worst_error", t->worst);
}

static void look(const vp_contest *c, vp_verdict *out)
{
    vp_peer_answers got;
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got))
        return;
    const vp_collide_tally t = count_faults(&got);
    vp_narrow_verdict(&t, "pairs", got.overlaps_alone, out);
}

/* Counters of our kernels, with the tolerance of the row's case. */
static void count(const void *work, vp_counters *out)
{
    const vp_collide_tally t = vp_collide_case_tally(work);
    vp_narrow_counters(&t, out);
}

static const vp_contested measured[] = {
    {.row = VP_KERNEL_collide_sphere, .last = VP_KERNEL_collide_hull, .set = {"poses-terrain", "poses-hard"}},
    {.row = VP_KERNEL_collide_gjk}};
const vp_judge vp_judge_pairs = {VP_CONTESTED(measured), .apart = true, .seconds = SECONDS, .version = true,
                                 .open = open_places,    .look = look,  .count = count};

const vp_judge *const vp_judges_narrow[] = {&vp_judge_pairs, NULL};
