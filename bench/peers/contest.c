/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <string.h>
#include <time.h>

#include "bench_lists.h"
#include "host/subprocess.h"
#include "src/core/error.h"

/* The judges of each file in CMake's list. Each array ends with NULL. */
#define DECLARE(file) extern const vp_judge *const vp_judges_##file[];
VP_JUDGE_FILES(DECLARE)
#define ENTRY(file) vp_judges_##file,
static const vp_judge *const *const files[] = {VP_JUDGE_FILES(ENTRY) NULL};

const vp_judge *vp_judge_at(size_t i)
{
    for (const vp_judge *const *const *file = files; *file != NULL; file++)
        for (const vp_judge *const *judge = *file; *judge != NULL; judge++)
            if (i-- == 0)
                return *judge;
    return NULL;
}

bool vp_contested_is_of(const vp_contested *m, vp_row_id row)
{
    return row == m->row || (row > m->row && row <= m->last);
}

const vp_judge *vp_judge_of(vp_row_id row)
{
    const vp_judge *judge;
    for (size_t i = 0; (judge = vp_judge_at(i)) != NULL; i++)
        for (size_t m = 0; m < judge->rows; m++)
            if (vp_contested_is_of(&judge->measured[m], row))
                return judge;
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
