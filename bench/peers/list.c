/* SPDX-License-Identifier: MIT */
#include "bench/peers/peer.h"

#include <string.h>

#include "bench_lists.h"

/* The peers of each file in CMake's list. Each array ends with a NULL name. */
#define DECLARE(file) extern const vp_peer vp_peers_##file[];
VP_PEER_FILES(DECLARE)
#define ENTRY(file) vp_peers_##file,
static const vp_peer *const files[] = {VP_PEER_FILES(ENTRY) NULL};

const vp_peer *vp_peer_at(size_t i)
{
    for (const vp_peer *const *file = files; *file != NULL; file++)
        for (const vp_peer *peer = *file; peer->name != NULL; peer++)
            if (i-- == 0)
                return peer;
    return NULL;
}

const vp_peer *vp_peer_named(const char *name, vp_row_id row)
{
    const vp_peer *peer;
    for (size_t i = 0; (peer = vp_peer_at(i)) != NULL; i++)
        if (peer->row == row && strcmp(peer->name, name) == 0)
            return peer;
    return NULL;
}

bool vp_peer_rewind(const vp_peer *peer, void *work)
{
    return peer->rewind == NULL || peer->rewind(work);
}

bool vp_peer_run(const vp_peer *peer, void *work, uint32_t step)
{
    return peer->run(work, step);
}

bool vp_peer_answers_of(const vp_peer *peer, void *work, uint32_t step, vp_peer_answers *out)
{
    *out = (vp_peer_answers){0};
    return peer->answers(work, step, out);
}
