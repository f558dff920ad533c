/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <string.h>
#include <time.h>

#include "host/subprocess.h"
#include "src/core/error.h"

const vp_judge *vp_judge_of(vp_row_id row)
{
    static const struct {
        const char *begin; /* of a row's name */
        const vp_judge *judge;
    } of[] = {{"dilate_world", &vp_judge_masks},      {"kd_gather", &vp_judge_boxes},  {"kd_", &vp_judge_rays},
              {"terrain_ray", &vp_judge_rays},        {"edit_to_ray", &vp_judge_rays}, {"hull3", &vp_judge_hulls},
              {"hull2", &vp_judge_polygons},          {"collide_", &vp_judge_pairs},   {"manifold_", &vp_judge_manifolds},
              {"decompose", &vp_judge_decompositions}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (strncmp(vp_rows[row].name, of[i].begin, strlen(of[i].begin)) == 0)
            return of[i].judge;
    return NULL;
}

void vp_contest_make(vp_contest *contest)
{
    contest->work = contest->peer->make(contest->peer, contest->data);
}

bool vp_contest_run(vp_contest *contest)
{
    contest->refused = 0;
    for (uint32_t step = 0; step < contest->steps; step++)
        if (!vp_peer_run(contest->peer, contest->work, step))
            contest->refused |= 1u << (step < 31 ? step : 31);
    return contest->refused == 0;
}

void vp_contest_drop(vp_contest *contest)
{
    if (contest->work != NULL)
        contest->peer->drop(contest->work);
    contest->work = NULL;
}

/* ---- verdicts ---- */

double vp_verdict_counter(const vp_verdict *verdict, const char *name)
{
    for (uint32_t i = 0; i < verdict->counters; i++)
        if (strcmp(verdict->counter[i].name, name) == 0)
            return verdict->counter[i].value;
    return -1;
}

/* ---- in a process of its own ---- */

static void make_and_run(void *context)
{
    vp_contest *contest = context;
    vp_contest_make(contest);
    if (contest->work != NULL) {
        const clock_t begin = clock();
        vp_contest_run(contest);
        contest->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    }
}

static void look(void *context, void *answer)
{
    const vp_contest *contest = context;
    vp_verdict verdict = {.seconds = contest->seconds};
    if (contest->work != NULL)
        contest->judge->look(contest, &verdict);
    memcpy(answer, &verdict, sizeof verdict);
}

vp_status vp_contest_try(const vp_contest *contest, unsigned seconds, vp_verdict *out, vp_error *error)
{
    vp_contest own = *contest;
    const vp_apart apart = {.name = own.peer->name, .context = &own, .work = make_and_run, .look = look, .answer_bytes = sizeof *out};
    vp_apart_end end;
    int signal;
    *out = (vp_verdict){.outcome = VP_PEER_NO_MEMORY};
    const vp_status status = vp_apart_run(&apart, seconds, out, &end, &signal, error);
    if (status == VP_OK && end != VP_APART_ENDED)
        *out = (vp_verdict){.outcome = end == VP_APART_LATE ? VP_PEER_LATE : VP_PEER_CRASHES, .signal = signal};
    return status;
}
