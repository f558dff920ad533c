/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <string.h>
#include <time.h>

#include "host/subprocess.h"
#include "src/core/error.h"

const vp_judge *vp_judge_of(vp_row_id row)
{
    static const struct {
        vp_row_id row;
        const vp_judge *judge;
    } of[] = {{VP_KERNEL_dilate_world, &vp_judge_masks},
              {VP_KERNEL_kd_build, &vp_judge_rays},
              {VP_KERNEL_kd_ray, &vp_judge_rays},
              {VP_KERNEL_kd_ray_any, &vp_judge_rays},
              {VP_KERNEL_kd_ray8, &vp_judge_rays},
              {VP_KERNEL_kd_ray16, &vp_judge_rays},
              {VP_KERNEL_terrain_ray, &vp_judge_rays},
              {VP_OPERATION_edit_to_ray, &vp_judge_rays},
              {VP_KERNEL_kd_gather, &vp_judge_boxes},
              {VP_KERNEL_kd_gather_leaves, &vp_judge_boxes},
              {VP_KERNEL_hull3, &vp_judge_hulls},
              {VP_KERNEL_hull2, &vp_judge_polygons},
              {VP_KERNEL_collide_sphere, &vp_judge_pairs},
              {VP_KERNEL_collide_capsule, &vp_judge_pairs},
              {VP_KERNEL_collide_box, &vp_judge_pairs},
              {VP_KERNEL_collide_cylinder, &vp_judge_pairs},
              {VP_KERNEL_collide_hull, &vp_judge_pairs},
              {VP_KERNEL_collide_gjk, &vp_judge_pairs},
              {VP_OPERATION_manifold_sphere, &vp_judge_manifolds},
              {VP_OPERATION_manifold_capsule, &vp_judge_manifolds},
              {VP_OPERATION_manifold_box, &vp_judge_manifolds},
              {VP_OPERATION_manifold_cylinder, &vp_judge_manifolds},
              {VP_OPERATION_manifold_hull16, &vp_judge_manifolds},
              {VP_OPERATION_manifold_hull64, &vp_judge_manifolds},
              {VP_OPERATION_decompose, &vp_judge_decompositions}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (of[i].row == row)
            return of[i].judge;
    return NULL;
}

void vp_contest_make(vp_contest *contest, vp_verdict *out)
{
    contest->work = contest->peer->make(contest->peer, contest->data);
    if (contest->work == NULL)
        out->outcome = VP_PEER_NO_MEMORY;
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
    vp_verdict unused;
    vp_contest *contest = context;
    vp_contest_make(contest, &unused);
    if (contest->work != NULL) {
        const clock_t begin = clock();
        vp_contest_run(contest);
        contest->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    }
}

static void look(void *context, void *answer)
{
    const vp_contest *contest = context;
    vp_verdict verdict = {.outcome = contest->work != NULL ? VP_PEER_RIGHT : VP_PEER_NO_MEMORY};
    if (contest->work != NULL)
        contest->judge->look(contest, &verdict);
    verdict.seconds = contest->seconds;
    memcpy(answer, &verdict, sizeof verdict);
}

vp_status vp_contest_try(const vp_contest *contest, unsigned seconds, vp_verdict *out, vp_error *error)
{
    vp_contest own = *contest;
    const vp_apart apart = {.name = own.peer->name, .context = &own, .work = make_and_run, .look = look, .answer_bytes = sizeof *out};
    vp_apart_end end;
    int signal;
    *out = (vp_verdict){.outcome = VP_PEER_RIGHT};
    const vp_status status = vp_apart_run(&apart, seconds, out, &end, &signal, error);
    if (status == VP_OK && end != VP_APART_ENDED)
        *out = (vp_verdict){.outcome = end == VP_APART_LATE ? VP_PEER_LATE : VP_PEER_CRASHES, .signal = signal};
    return status;
}
