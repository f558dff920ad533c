/* SPDX-License-Identifier: MIT */
/* Rigid bodies on terrain or blocks, built on public functions of the library alone. It tests and measures them together. It
 * is not an engine.
 * A step does this:
 * 1. broadphase: vp_collide_bounds of each body, vp_contacts between bodies and terrain, vp_spheretree_pairs between bodies.
 * 2. pairs: vp_manifold_shapes. A body that touches a sleeping one wakes it.
 * 3. ground: vp_manifold_terrain or vp_manifold_blocks, vp_push_out_of_world, vp_buoyancy_in_world.
 * 4. solve: islands of touching bodies, each by small steps (M. Macklin et al., "Small Steps in Physics Simulation", 2019)
 *    with soft constraints (E. Catto, "Solver2D", 2024: soft step), Coulomb friction, restitution, and warm starting by
 *    vp_manifold_point.feature.
 * 5. sleep: an island that has been slow for half a second sleeps.
 * Numbers are binary64 and every sum has a fixed order. So states are bit-identical for any number of threads and any
 * kernels. */
#ifndef VP_HOST_SIMULATE_SIMULATE_H
#define VP_HOST_SIMULATE_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/voxphys.h>

enum {
    VP_SIM_BODIES = 65536,                    /* maximum of bodies */
    VP_SIM_SUBSTEPS = 64,                     /* maximum of small steps per step */
    VP_SIM_STATE_DOUBLES = 3 + 4 + 3 + 3 + 1, /* numbers of a body's state: position, rotation, velocity, spin, awake */
};

#define VP_SIM_MOST_REUSE 0.04

/* A body below this y is lost. It stays there and no longer collides. */
#define VP_SIM_LOWEST (-64.0)

typedef struct vp_sim vp_sim;

typedef struct vp_sim_def {
    vp_terrain *terrain;         /* Ground, of a whole world. NULL = none. Must outlive the simulation, its only editor. */
    const vp_block_view *blocks; /* Ground instead of a terrain. NULL = none. */
    double gravity;              /* Acceleration along -y, voxels/s^2. */
    double step;                 /* Duration of a step, seconds. */
    double water;                /* Mass of a voxel of water. */
    double friction;             /* Friction coefficient of the ground. */
    double restitution;          /* Restitution coefficient of the ground, 0 to 1. */
    uint32_t substeps;           /* Small steps of each step, 1 to VP_SIM_SUBSTEPS. */
    bool restless;               /* Whether bodies never sleep. */
    double reuse; /* Motion up to which shapes keep their manifolds (on a terrain: MAN-11), 0 to VP_SIM_MOST_REUSE voxels. 0 = exact. */
    const vp_kernels *kernels;   /* Kernel table, copied. NULL = vp_kernels_default(). */
    const vp_executor *executor; /* Copied. NULL = calling thread. */
} vp_sim_def;

typedef struct vp_sim_body_def {
    vp_collide_shape shape; /* Copied. A sphere, capsule, box or cylinder. */
    double position[3];
    double rotation[4]; /* Quaternion x, y, z, w of any length but 0. */
    double velocity[3]; /* Voxels/s. */
    double spin[3];     /* Radians/s. */
    double density;     /* Mass of a voxel, > 0. */
    double friction;
    double restitution; /* 0 to 1. */
    double rolling;     /* Rolling resistance, voxels. The ground's reaction acts at most this far from the contact point. */
} vp_sim_body_def;

/* State of a body. */
typedef struct vp_sim_body {
    double position[3]; /* Centre of mass. */
    double rotation[4];
    double velocity[3];
    double spin[3];
    double mass;
    double submerged; /* Volume in water at the last step, voxels. */
    double low;       /* Lowest y of its shapes at the last step. */
    uint32_t shapes;  /* Number of convex shapes. Always 1, except for loose regions. */
    bool awake;
    bool lost; /* Fell below VP_SIM_LOWEST. */
} vp_sim_body;

/* A contact point at the start of a step. */
typedef struct vp_sim_contact {
    uint32_t body, other; /* `other` may be VP_SIM_GROUND */
    double point[3];      /* on the body */
    double normal[3];     /* from other to body */
    double depth;         /* negative = gap */
} vp_sim_contact;

#define VP_SIM_GROUND UINT32_MAX

/* Seconds of each part of a step. */
typedef struct vp_sim_times {
    double edits, broadphase, pairs, ground, solve, sleep;
} vp_sim_times;

typedef struct vp_sim_stats {
    uint32_t bodies, awake, lost, islands; /* islands: number of solved ones */
    uint32_t pairs;                        /* pairs of bodies with overlapping bounds, at least one awake */
    uint32_t ground;                       /* bodies compared with the ground */
    uint32_t contacts;                     /* points in all manifolds of the step */
    uint32_t touching;                     /* points that touch or overlap */
    uint32_t truncated;                    /* bodies with too many triangles nearby, whose deepest contacts were kept */
    uint32_t pushed_out;                   /* bodies whose centre was behind the surface */
    uint32_t woken, slept;
    double deepest; /* largest penetration of the step's manifolds, voxels */
    double energy;  /* kinetic and potential energy about y = 0 of bodies that are not lost */
    double lowest;  /* lowest y of a body that is not lost. 0 without bodies */
    vp_sim_times seconds;
} vp_sim_stats;

/* An edit of the terrain. Without `count` a sphere or a box. */
typedef struct vp_sim_edit {
    const vp_ivec3 *at;   /* Voxels of growth, which cut nothing off. [count] */
    const vp_voxel *each; /* Same size. */
    size_t count;
    bool is_box;
    vp_vec3 centre; /* sphere */
    float radius;
    vp_ivec3 low, high; /* box: low <= voxel < high */
    vp_voxel voxel;
} vp_sim_edit;

/* Result of an edit. */
typedef struct vp_sim_edited {
    uint32_t chunks;   /* chunks updated */
    uint32_t regions;  /* loose regions that became bodies */
    uint32_t voxels;   /* their voxels */
    uint32_t crumbled; /* voxels of loose regions without a solid shape, which vanish */
    uint32_t woken;    /* bodies */
} vp_sim_edited;

/* @return VP_E_ARGUMENT for numbers out of range or two grounds, VP_E_MEMORY, errors of vp_kernels_default */
vp_status vp_sim_create(const vp_sim_def *def, vp_sim **out, vp_error *error);
void vp_sim_destroy(vp_sim *sim);

/* @param body  out: its number. Numbers ascend from 0
   @return VP_E_ARGUMENT for a shape without volume or numbers out of range, VP_E_LIMIT. After VP_E_MEMORY the
           simulation must be destroyed */
vp_status vp_sim_add(vp_sim *sim, const vp_sim_body_def *def, uint32_t *body, vp_error *error);

/* Adds a body of hulls, such as those of a decomposition. Flat hulls are left out.
   @param mass    mass and inertia about `origin`. def->shape and def->density are ignored
   @param origin  point in the hulls' frame that def->position places
   @param solids  out: number of hulls. 0 = no body was added
   @return errors of vp_sim_add and vp_collide_hull_create */
vp_status vp_sim_add_hulls(vp_sim *sim, const vp_sim_body_def *def, const vp_mass *mass, const vp_decomposition_hull *part, uint32_t parts,
                           vp_vec3 origin, uint32_t *solids, vp_error *error);

/* Edits the terrain before the next step. Parts that the edit cuts off become bodies. Bodies near the edit wake.
   @return VP_E_ARGUMENT without a terrain, errors of vp_regions_edit, vp_region_body_create, vp_sim_add. After any
           error other than the first the simulation must be destroyed */
vp_status vp_sim_edit_terrain(vp_sim *sim, const vp_sim_edit *edit, vp_sim_edited *out, vp_error *error);

/* @return VP_E_MEMORY, VP_E_ARGUMENT for a body too far away. The simulation must be destroyed then */
vp_status vp_sim_step(vp_sim *sim, vp_error *error);
/* Begins a step or continues it, for about `seconds`. Until it has ended only this function, vp_sim_step, which ends it, and queries may
   be called. Cuts do not change states.
   @return errors of vp_sim_step */
vp_status vp_sim_advance(vp_sim *sim, double seconds, bool *ended, vp_error *error);
bool vp_sim_is_in_step(const vp_sim *sim);

uint32_t vp_sim_body_count(const vp_sim *sim);
/* A body's state. number < vp_sim_body_count */
vp_sim_body vp_sim_body_of(const vp_sim *sim, uint32_t number);
/* The last step's figures. The edits since then are in its seconds.edits only after the next step. */
const vp_sim_stats *vp_sim_stats_of(const vp_sim *sim);
/* A convex shape of a body, in the frame of its centre. i < vp_sim_body.shapes. Valid until a body is added. */
const vp_collide_shape *vp_sim_shape_of(const vp_sim *sim, uint32_t number, uint32_t i);
/* Sphere tree over all shapes. */
const vp_spheretree *vp_sim_tree(const vp_sim *sim);
/* Number of contact points of the last step, and the points. */
uint32_t vp_sim_contact_count(const vp_sim *sim);
void vp_sim_contacts(const vp_sim *sim, vp_sim_contact *out);
/* Chunks of the terrain that the last edit changed. */
const vp_chunk_set *vp_sim_changed(const vp_sim *sim);
/* Copies all bodies' states, for a hash.
 * @param out  VP_SIM_STATE_DOUBLES of each body, in the order of their numbers */
void vp_sim_state(const vp_sim *sim, double *out);

#endif
