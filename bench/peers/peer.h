/* SPDX-License-Identifier: MIT */
/* Another library on a row's data. Each component and library has a file with its peers, and list.c lists the files. Answers are compared
 * with the reference's before and after the measurement (judge.h). */
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

/* A ray's hit. Barycentrics are not compared, because not every library reports them. */
typedef struct vp_peer_hit {
    float t;          /* along the ray; ignored for kd_ray_any */
    int32_t triangle; /* VP_NO_HIT: none; kd_ray_any: any number >= 0 for a hit */
} vp_peer_hit;

/* Answers of a step's last run. Members of other rows are 0. The library owns the arrays, which stay valid until its next use. */
typedef struct vp_peer_answers {
    const vp_chunk_masks *masks; /* dilate_world: one per chunk; x fastest, then z, then y */

    const vp_peer_hit *hit; /* one per ray; kd_build: rays cast on the new trees */
    uint64_t bytes, given;  /* kd_build: size of the result, and of the meshes that it refers to */
    uint32_t wrong;         /* kd_build: meshes whose tree lacks triangles */

    const uint32_t *list, *found; /* `capacity` triangles per box in any order; their number, which may exceed `capacity` */
    uint32_t capacity;

    const vp_vec3 *place;          /* hull3: vertices of the triangles, for libraries that make new points */
    const uint32_t (*triangle)[3]; /* counterclockwise seen from outside */
    uint32_t places, triangles;
    const uint32_t (*first)[2]; /* decompose: first place and triangle of each hull, and the end; corners count from the first place */
    uint32_t hulls;
    const uint32_t *owner;     /* hull of each of the solid's triangles, or UINT32_MAX; NULL: unknown */
    uint64_t predictions;      /* number of candidate hulls; 0: unknown */
    const double (*corner)[2]; /* hull2: counterclockwise */
    uint32_t corners;
    const struct vp_collide_samples *collided; /* collide_*: includes the answers */
    bool overlaps_alone;                       /* collide_*: separated shapes are not reported */
    const struct vp_peer_touch *touch;         /* manifold_*: points, body by body */
    uint32_t touches;
    const struct vp_shape_contact *contact; /* collide_shapes: one per pair; points are ignored */
    const struct vp_cast_hit *cast;         /* cast_*: one per cast; only hit, t and normal are read */
    const float *time;                      /* t of each hit of block_*, 2 without a hit */
    const struct vp_simulated *simulated;   /* simulate_step */
    const uint32_t *label;                  /* components: one per cell, 0 = unset, otherwise 1 to `labels` in any order */
    uint32_t labels;
} vp_peer_answers;

/* These functions must not throw. */
typedef struct vp_peer {
    const char *name; /* "embree-low"; "bullet/64": includes the parameter of its rows */
    const char *version;
    const char *note; /* settings and who benefits from them; NULL: only for the corpus, not timed */
    vp_row_id row;    /* terrain_ray: makes the trees, then casts; edit_to_ray: see run */
    bool exact;       /* claims exact results: a difference is an error */
    bool consumes;    /* a run consumes the result of rewind */
    /* Makes the data in the library's form and allocates all memory that a run needs. A peer of point rows gets a set's first points.
     * Returns NULL without memory. */
    void *(*make)(const struct vp_peer *peer, const vp_data *data);
    /* Clears the last run's answers. Called before each compared run and, if a run consumes its data, before every run. Not timed. NULL:
     * nothing to do. Returns false without memory. */
    bool (*rewind)(void *work);
    /* Timed. hull2: step k is the shadow along axis k. decompose: step k is solid k. edit_to_ray: step k makes the tree over mesh k,
     * casts ray k, and frees the tree or reuses it for the next mesh. Other rows have only step 0. Returns false if the library refuses
     * or lacks memory. */
    bool (*run)(void *work, uint32_t step);
    bool (*answers)(void *work, uint32_t step, vp_peer_answers *out); /* returns false without memory */
    void (*drop)(void *work);                                         /* accepts NULL */
} vp_peer;

/* The end of a file's array. */
#define VP_PEERS_END                                                                                                                       \
    {                                                                                                                                      \
        NULL, NULL, NULL, VP_ROW_COUNT, false, false, NULL, NULL, NULL, NULL, NULL                                                         \
    }

/* The text of a macro's number. */
#define VP_DIGITS(number)    VP_DIGITS_OF(number)
#define VP_DIGITS_OF(number) #number

/* The axes of a shadow's plane. */
static inline void vp_shadow_plane(uint32_t along, uint32_t axis[2])
{
    axis[0] = (along + 1) % 3;
    axis[1] = (along + 2) % 3;
}

/* Returns this build's i-th peer, or NULL after the last one. */
const vp_peer *vp_peer_at(size_t i);
/* Returns the peer, or NULL. */
const vp_peer *vp_peer_named(const char *name, vp_row_id row);

bool vp_peer_rewind(const vp_peer *peer, void *work);
bool vp_peer_run(const vp_peer *peer, void *work, uint32_t step);
bool vp_peer_answers_of(const vp_peer *peer, void *work, uint32_t step, vp_peer_answers *out);

#ifdef __cplusplus
}
#endif

#endif
