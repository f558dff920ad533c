/* SPDX-License-Identifier: MIT */
/* Another library on a row's data. A file a component and library holds its peers, and list.c lists the
 * files. Answers are compared with the reference's before a peer is timed and after (judge.h). */
#ifndef VP_BENCH_PEER_H
#define VP_BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernels.h>

#include "datasets/kinds/kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a ray meets. Barycentrics are not compared: not every library tells them. */
typedef struct vp_peer_hit {
    float t;          /* along the ray; of kd_ray_any of no matter */
    int32_t triangle; /* VP_NO_HIT: none; of kd_ray_any any number that is not negative: there is one */
} vp_peer_hit;

/* What the last run of a step has answered; of other rows 0. The library's own, until it is used again. */
typedef struct vp_peer_answers {
    const vp_chunk_masks *masks; /* dilate_world: of each chunk; x fastest, then z, then y */

    const vp_peer_hit *hit; /* of each ray; kd_build: of rays that its trees are asked */
    uint64_t bytes, given;  /* kd_build: of what was built, and of the meshes that must stay as long as that */
    uint32_t wrong;         /* kd_build: meshes whose tree is not over all their triangles */

    const uint32_t *list, *found; /* of each box `capacity` triangles, in no order; how many it has: may be more */
    uint32_t capacity;

    const vp_vec3 *place;          /* hull3: as triangles of places, for those who make new points too */
    const uint32_t (*triangle)[3]; /* counterclockwise seen from outside */
    uint32_t places, triangles;
    const uint32_t (*first)[2]; /* decompose: of each hull its first place and its first triangle, whose corners count from there; one more
                                   for the end */
    uint32_t hulls;
    const uint32_t *owner;     /* of each of the solid's triangles, the hull that it went into, or UINT32_MAX; NULL: nobody says */
    uint64_t predictions;      /* hulls that were tried on the way; 0: nobody says */
    const double (*corner)[2]; /* hull2: counterclockwise */
    uint32_t corners;
    const struct vp_collide_samples *collided; /* collide_*: with the answers */
    bool overlaps_alone;                       /* collide_*: of what is apart it tells nothing */
    const struct vp_touch *touch;              /* manifold_*: points, body by body */
    uint32_t touches;
    const struct vp_shape_contact *contact; /* collide_shapes: of each pair; points are not read */
    const struct vp_cast_hit *cast;         /* cast_*: of each cast; hit, t and normal are read */
    const struct vp_simulated *simulated;   /* simulate_step */
} vp_peer_answers;

/* None of the functions throws. */
typedef struct vp_peer {
    const char *name; /* "embree-low"; "bullet/64": with the parameter of its rows */
    const char *version;
    const char *note; /* settings, and whom the comparison favours; NULL: it is for the corpus, and not timed */
    vp_row_id row;    /* terrain_ray: makes the trees, then asks; edit_to_ray: see run */
    bool exact;       /* it claims that nothing is wrong: what differs is an error, and no result */
    bool consumes;    /* a run uses up what rewind makes */
    /* The data in its form, and all memory that a run needs. What of points is a set: the first. NULL without memory. */
    void *(*make)(const struct vp_peer *peer, const vp_data *data);
    /* Leaves no answer of the last run; before a run that is compared, and of those who consume before every
       run. Not timed. NULL: nothing to do. False without memory. */
    bool (*rewind)(void *work);
    /* Timed. hull2: step k is the shadow along axis k. decompose: step k is solid k. edit_to_ray: step k makes the tree over mesh k, asks
     * it ray k, and frees it or gives it the next mesh. Others have step 0 alone. False: it refuses, or lacks memory. */
    bool (*run)(void *work, uint32_t step);
    bool (*answers)(void *work, uint32_t step, vp_peer_answers *out); /* false without memory */
    void (*drop)(void *work);                                         /* accepts NULL */
} vp_peer;

/* Behind the last of a file. */
#define VP_PEERS_END                                                                                                                       \
    {                                                                                                                                      \
        NULL, NULL, NULL, VP_ROW_COUNT, false, false, NULL, NULL, NULL, NULL, NULL                                                         \
    }

/* A macro's number as text. */
#define VP_DIGITS(number)    VP_DIGITS_OF(number)
#define VP_DIGITS_OF(number) #number

/* The axes of a shadow's plane. */
static inline void vp_shadow_plane(uint32_t along, uint32_t axis[2])
{
    axis[0] = (along + 1) % 3;
    axis[1] = (along + 2) % 3;
}

/* The i-th of this build; NULL: there are no more. */
const vp_peer *vp_peer_at(size_t i);
/* NULL: there is none. */
const vp_peer *vp_peer_named(const char *name, vp_row_id row);

bool vp_peer_rewind(const vp_peer *peer, void *work);
bool vp_peer_run(const vp_peer *peer, void *work, uint32_t step);
bool vp_peer_answers_of(const vp_peer *peer, void *work, uint32_t step, vp_peer_answers *out);

#ifdef __cplusplus
}
#endif

#endif
