/* SPDX-License-Identifier: MIT */
#include "bench/peers/peer.h"

#include <string.h>

/* The peers of each file; a NULL name behind the last. */
extern const vp_peer vp_peers_broadphase_openvdb[], vp_peers_broadphase_leptonica[], vp_peers_kd_embree[], vp_peers_kd_bullet[],
    vp_peers_hull_qhull[], vp_peers_hull_cgal[], vp_peers_hull_bullet[], vp_peers_decompose_bullet[], vp_peers_narrow_bullet[],
    vp_peers_manifold_bullet[], vp_peers_narrow_ccd[];
static const vp_peer *const files[] = {
#ifdef VP_BENCH_OPENVDB
    vp_peers_broadphase_openvdb,
#endif
#ifdef VP_BENCH_LEPTONICA
    vp_peers_broadphase_leptonica,
#endif
#ifdef VP_BENCH_EMBREE
    vp_peers_kd_embree,
#endif
#ifdef VP_BENCH_BULLET
    vp_peers_kd_bullet,
#endif
#ifdef VP_BENCH_QHULL
    vp_peers_hull_qhull,
#endif
#ifdef VP_BENCH_CGAL
    vp_peers_hull_cgal,
#endif
#ifdef VP_BENCH_BULLET
    vp_peers_hull_bullet,
#endif
#ifdef VP_BENCH_BULLET_EXTRAS
    vp_peers_decompose_bullet,
#endif
#ifdef VP_BENCH_BULLET
    vp_peers_narrow_bullet,
    vp_peers_manifold_bullet,
#endif
#ifdef VP_BENCH_CCD
    vp_peers_narrow_ccd,
#endif
    NULL};

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
