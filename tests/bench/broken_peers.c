/* SPDX-License-Identifier: MIT */
/* Other libraries, broken on purpose, for refusal.sh, tree_refusal.sh and terrain_refusal.sh. They do their
 * work, and answers about triangles are spoilt as BROKEN_TREE says: "few" loses one hit in 400, "lost" one in
 * 25; "moved" has every hit a hundredth too far; "next" tells one triangle in 25 by another number; "number"
 * tells numbers that no triangle has; "other" puts another triangle into one box's list, "twice" one that is
 * in it already, "short" leaves one out.
 *
 * With BROKEN_RUNS=n steps are run n times, and no more. How often peers were rewound, run and asked for
 * their answers is written to the file that BROKEN_COUNTS names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/peer.h"

bool __real_vp_peer_rewind(const vp_peer *peer, void *work);
bool __wrap_vp_peer_rewind(const vp_peer *peer, void *work);
bool __real_vp_peer_run(const vp_peer *peer, void *work, uint32_t step);
bool __wrap_vp_peer_run(const vp_peer *peer, void *work, uint32_t step);
bool __real_vp_peer_answers_of(const vp_peer *peer, void *work, uint32_t step, vp_peer_answers *out);
bool __wrap_vp_peer_answers_of(const vp_peer *peer, void *work, uint32_t step, vp_peer_answers *out);

/* One peer is tested at a time. */
static unsigned long rewound, ran, answered;

static void tell_counts(void)
{
    FILE *file = fopen(getenv("BROKEN_COUNTS"), "w");
    if (file != NULL) {
        fprintf(file, "%lu %lu %lu\n", rewound, ran, answered);
        fclose(file);
    }
}

bool __wrap_vp_peer_rewind(const vp_peer *peer, void *work)
{
    if (rewound++ == 0 && getenv("BROKEN_COUNTS") != NULL)
        atexit(tell_counts);
    return __real_vp_peer_rewind(peer, work);
}

bool __wrap_vp_peer_run(const vp_peer *peer, void *work, uint32_t step)
{
    const char *most = getenv("BROKEN_RUNS");
    ran++;
    return (most != NULL && ran > strtoul(most, NULL, 10)) || __real_vp_peer_run(peer, work, step);
}

static bool broken(const char *how)
{
    const char *wanted = getenv("BROKEN_TREE");
    return wanted != NULL && strcmp(wanted, how) == 0;
}

/* Answers are the peer's own, and may be written to. */
static void spoil_hits(vp_peer_hit *hit, uint32_t count)
{
    const uint32_t lost = broken("few") ? 400 : broken("lost") ? 25 : UINT32_MAX;
    for (uint32_t i = 0, hits = 0; i < count; i++, hit++) {
        if (hit->triangle < 0)
            continue;
        hits++;
        if (hits % lost == 0)
            hit->triangle = VP_NO_HIT;
        if (broken("moved"))
            hit->t *= 1.01f;
        if (broken("next") && hits % 25 == 0)
            hit->triangle = hit->triangle != 0 ? hit->triangle - 1 : 1;
        if (broken("number"))
            hit->triangle = INT32_MAX;
    }
}

static void spoil_lists(uint32_t *list, uint32_t *found, uint32_t count, uint32_t capacity)
{
    for (uint32_t i = 0; i < count; i++, list += capacity, found++) {
        if (*found < 2 || *found > capacity)
            continue;
        if (broken("short"))
            --*found;
        if (broken("twice"))
            list[1] = list[0];
        if (broken("other"))
            list[0] = UINT32_MAX;
        return;
    }
}

bool __wrap_vp_peer_answers_of(const vp_peer *peer, void *work, uint32_t step, vp_peer_answers *out)
{
    enum { ASKED = 4096, COLD = 256 }; /* rays and boxes of small.bash's sets */
    answered++;
    if (!__real_vp_peer_answers_of(peer, work, step, out))
        return false;
    if (peer->row == VP_KERNEL_kd_gather || peer->row == VP_KERNEL_kd_gather_leaves)
        spoil_lists((uint32_t *)(uintptr_t)out->list, (uint32_t *)(uintptr_t)out->found, ASKED, out->capacity);
    else if (out->hit != NULL)
        spoil_hits((vp_peer_hit *)(uintptr_t)out->hit, peer->row == VP_KERNEL_terrain_ray ? COLD : ASKED);
    return true;
}
