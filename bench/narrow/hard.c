/* SPDX-License-Identifier: MIT */
/* The part "hard". It tries the inputs on which narrowphases fail, with our kernel of each shape, with our GJK, and with libraries. */
#include <math.h>
#include <string.h>

#include "bench/experiment.h"
#include "bench/narrow/parts.h"
#include "bench/peers/judge.h"
#include "bench/peers/narrow.h"
#include "datasets/kinds/kind.h"

enum { POSES = 1000, SEED = 11, RUNS = 5 };

/* Places of a family. */
typedef struct hard_question {
    vp_pose_family family;
    vp_body_kind body;
    vp_pose_set set;
    bool times;
    json_t *rows;
} hard_question;

static void put(const hard_question *q, const char *who, const vp_peer_answers *got, double best)
{
    const vp_collide_tally t = vp_narrow_tally(got);
    json_t *row = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "family", vp_pose_family_name(q->family),
                            "shape", vp_body_name(q->body), "who", who, "poses", (json_int_t)t.pairs, "near", (json_int_t)t.near, "missed",
                            (json_int_t)t.fault[VP_FAULT_MISSED], "invented", (json_int_t)t.fault[VP_FAULT_INVENTED], "wrong_sign",
                            (json_int_t)t.fault[VP_FAULT_SIGN], "off", (json_int_t)t.fault[VP_FAULT_DEPTH], "wrong_normal",
                            (json_int_t)t.fault[VP_FAULT_NORMAL], "no_number", (json_int_t)t.fault[VP_FAULT_NUMBER], "worst", t.worst);
    if (q->times)
        json_object_set_new(row, "ns", json_real(best * 1e9 / (double)t.pairs));
    json_array_append_new(q->rows, row);
}

typedef void collide_fn(const vp_collide_job *job);

static void try_kernel(const hard_question *q, const char *who, collide_fn *run)
{
    vp_collide_samples asked;
    vp_error error;
    double best = INFINITY;
    must(vp_collide_samples_create(q->body, &q->set, &asked, &error), &error);
    vp_collide_samples_spoil(&asked);
    for (int i = 0; i < (q->times ? RUNS : 1); i++) {
        const double begin = processor_seconds();
        for (uint32_t p = 0; p < asked.places; p++)
            run(&asked.job[p]);
        best = fmin(best, processor_seconds() - begin);
    }
    put(q, who, &(vp_peer_answers){.collided = &asked}, best);
    vp_collide_samples_destroy(&asked);
}

/* Returns the name of a row's peers, without the number of the hull. */
static void try_peer(const hard_question *q, const vp_peer *peer)
{
    const vp_data data = {.set = &q->set};
    vp_peer_answers got;
    char who[32];
    double best = INFINITY;
    void *work = peer->make(peer, &data);
    bool good = work != NULL && vp_peer_rewind(peer, work);
    for (int i = 0; good && i < RUNS && (i == 0 || best < 1.0); i++) { /* a slow contender runs once */
        const double begin = processor_seconds();
        good = vp_peer_run(peer, work, 0);
        best = fmin(best, processor_seconds() - begin);
    }
    good = good && vp_peer_answers_of(peer, work, 0, &got);
    if (!good)
        must(VP_E_MEMORY, &(vp_error){VP_E_MEMORY, "a library gave up"});
    snprintf(who, sizeof who, "%.*s", (int)strcspn(peer->name, "/"), peer->name);
    put(q, who, &got, best);
    peer->drop(work);
}

static void try_all(const hard_question *q)
{
    static collide_fn *const ours[VP_BODIES] = {vp_collide_sphere_scalar,   vp_collide_capsule_scalar, vp_collide_box_scalar,
                                                vp_collide_cylinder_scalar, vp_collide_hull_scalar,    vp_collide_hull_scalar};
    try_kernel(q, "voxphys", ours[q->body]);
    try_kernel(q, "voxphys-gjk", vp_collide_gjk_scalar);
    const vp_peer *peer;
    for (size_t i = 0; q->times && (peer = vp_peer_at(i)) != NULL; i++)
        if (vp_judge_of(peer->row) == &vp_judge_pairs && vp_narrow_body(peer) == q->body)
            try_peer(q, peer);
}

void vp_narrow_hard(const vp_narrow_how *how, json_t *out)
{
    hard_question q = {.times = how->times, .rows = new_list(out, "hard")};
    vp_error error;
    for (int f = 0; f < VP_POSES_FAMILIES; f++) {
        q.family = (vp_pose_family)f;
        if (how->only != NULL && strcmp(how->only, vp_pose_family_name(q.family)) != 0)
            continue;
        must(vp_pose_set_hard(q.family, POSES, SEED + (uint64_t)f, &q.set, &error), &error);
        for (q.body = 0; q.body < VP_BODIES; q.body++)
            try_all(&q);
        vp_pose_set_destroy(&q.set);
    }
}
