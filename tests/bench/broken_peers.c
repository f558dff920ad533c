/* SPDX-License-Identifier: MIT */
/* Other libraries, broken on purpose, for refusal.sh. Variables in the environment:
 * BROKEN_TREE: one in 25 ray hits is lost.
 * BROKEN_LABELS=one, merged, swapped: the first cell of component 1 has label 2; so have all of them; and the other way round.
 * BROKEN_RUNS=n: steps run n times, then do nothing.
 * BROKEN_COUNTS=FILE: the number of rewinds, runs and requests for answers is written to FILE. */
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

/* Only one peer is tested at a time. */
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

bool __wrap_vp_peer_answers_of(const vp_peer *peer, void *work, uint32_t step, vp_peer_answers *out)
{
    enum { ASKED = 4096, CELLS = 64 * 64 * 64 }; /* rays in a set of small.bash, cells of blocks-random */
    answered++;
    if (!__real_vp_peer_answers_of(peer, work, step, out))
        return false;
    vp_peer_hit *hit = (vp_peer_hit *)(uintptr_t)out->hit; /* the peer owns its answers, and they are writable */
    for (uint32_t i = 0; getenv("BROKEN_TREE") != NULL && hit != NULL && i < ASKED; i += 25)
        hit[i].triangle = VP_NO_HIT;
    const char *labels = getenv("BROKEN_LABELS");
    uint32_t *label = (uint32_t *)(uintptr_t)out->label;
    bool done = labels == NULL || label == NULL;
    for (uint32_t i = 0; !done && i < CELLS; i++) {
        const uint32_t was = label[i];
        label[i] = was == 1 ? 2 : was == 2 && strcmp(labels, "swapped") == 0 ? 1 : was;
        done = was == 1 && strcmp(labels, "one") == 0;
    }
    return true;
}
