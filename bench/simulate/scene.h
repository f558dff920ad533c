/* SPDX-License-Identifier: MIT */
/* Scenes of falling bodies, for simulations by voxphys and by other libraries. Each library lets the bodies land, takes some steps so that
 * its caches are warm, and is timed for the steps after them. */
#ifndef VP_BENCH_SIMULATE_SCENE_H
#define VP_BENCH_SIMULATE_SCENE_H

#include "host/simulate/simulate.h"

#include "bench/peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Steps of each part of a run. */
enum { VP_SCENE_LAND = 60, VP_SCENE_WARM = 4, VP_SCENE_TIMED = 8 };

typedef struct vp_body_scene {
    vp_world *world; /* without water */
    vp_terrain *terrain;
    vp_collide_triangle *triangle; /* the terrain's */
    uint32_t triangles, bodies, land; /* land: steps until the run */
    vp_sim_body_def *body;
    vp_mass *mass;
    vp_sim_def def;      /* without ground, kernels and executor. No body sleeps */
    vp_sim_body *landed; /* by voxphys. NULL = not yet */
    uint64_t digest;     /* digest of the reference's states at the end. 0 = not yet */
} vp_body_scene;

/* Scene on a world. The variant is the number of bodies, with flags: bodies land for ten times as long, so that most rest, and voxphys
 * reuses manifolds of bodies that moved by at most 0.01. */
enum { VP_SCENE_RESTS = 1 << 30, VP_SCENE_REUSES = 1 << 29 };
extern const vp_derivation vp_body_scene_derivation;

/* The row number of these peers. No kernel or operation of the library has it. */
#define VP_SIMULATE_ROW VP_ROW_COUNT

/* Parts of a step. */
typedef enum vp_scene_part {
    VP_SCENE_BROADPHASE,
    VP_SCENE_PAIRS, /* contact points of two bodies */
    VP_SCENE_GROUND,
    VP_SCENE_SOLVE,
    VP_SCENE_REST,
    VP_SCENE_PARTS
} vp_scene_part;

/* A run's result. Only position, rotation, velocity and spin of the bodies are read. */
typedef struct vp_simulated {
    const vp_sim_body *landed, *end; /* [bodies], before and after the warm and the timed steps */
    double seconds[VP_SCENE_PARTS];  /* sum over the timed steps */
    uint32_t contacts;               /* points of the last step */
    uint64_t digest;                 /* digest of all states. 0 = not voxphys */
} vp_simulated;

/* Voxphys as a library, by a kernel table of that name. */
vp_peer vp_simulate_ours(const char *kernels);
/* Computes the digest by the reference, once. @param data  as a peer's, whose set is the scene */
vp_status vp_body_scene_digest(const vp_data *data, uint64_t *out, vp_error *error);

/* The judge's counts of a run. */
typedef struct vp_scene_tally {
    uint32_t no_number, below_ground; /* bodies at no place, and bodies in or below the ground */
    uint32_t gained_energy;           /* whether all bodies together have more energy than after they landed */
    uint32_t left, resting;           /* bodies beyond the world's sides, and slow ones. Both are right */
} vp_scene_tally;
vp_status vp_scene_judge(const vp_body_scene *scene, const vp_simulated *run, vp_scene_tally *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
