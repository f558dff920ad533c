/* SPDX-License-Identifier: MIT */
/* State of the simulation, shared by its files. Bodies and steps are in bodies.c, loose regions in edit.c, contacts in
 * touch.c, islands and impulses in solve.c. */
#ifndef VP_HOST_SIMULATE_STATE_H
#define VP_HOST_SIMULATE_STATE_H

#include <math.h>

#include "src/core/real3.h"
#include "host/bytes.h"
#include "host/simulate/simulate.h"

/* ---- vectors, symmetric matrices and rotations in binary64, with operations in the order in which they are written ---- */

/* xx, yy, zz, xy, yz, zx */
typedef struct sym3 {
    double m[6];
} sym3;

/* Rows are the axes of a body, in the world. */
typedef struct axes3 {
    vp_real3 row[3];
} axes3;

/* The vector, shortened to `length` if it is longer. */
static inline vp_real3 limit_length(vp_real3 a, double length)
{
    const double square = vp_real3_dot(a, a);
    return square > length * length ? vp_real3_scale(a, length / sqrt(square)) : a;
}

/* A unit vector perpendicular to a unit vector. */
static inline vp_real3 perpendicular_to(vp_real3 n)
{
    const vp_real3 c = fabs(n.x) < 0.6 ? (vp_real3){0, n.z, -n.y} : (vp_real3){-n.z, 0, n.x};
    return vp_real3_scale(c, 1.0 / vp_real3_length(c));
}

static inline vp_real3 sym3_times(const sym3 *s, vp_real3 a)
{
    const double *m = s->m;
    return (vp_real3){(m[0] * a.x + m[3] * a.y) + m[5] * a.z, (m[3] * a.x + m[1] * a.y) + m[4] * a.z,
                      (m[5] * a.x + m[4] * a.y) + m[2] * a.z};
}

/* The inverse of a positive definite matrix. */
static inline sym3 sym3_inverse(const sym3 *s)
{
    const double *m = s->m;
    const double xx = m[1] * m[2] - m[4] * m[4], xy = m[4] * m[5] - m[3] * m[2], zx = m[3] * m[4] - m[1] * m[5];
    const double d = 1.0 / ((m[0] * xx + m[3] * xy) + m[5] * zx);
    return (sym3){
        {xx * d, (m[0] * m[2] - m[5] * m[5]) * d, (m[0] * m[1] - m[3] * m[3]) * d, xy * d, (m[3] * m[5] - m[0] * m[4]) * d, zx * d}};
}

static inline vp_real3 to_world(const axes3 *a, vp_real3 p)
{
    return vp_real3_add(vp_real3_add(vp_real3_scale(a->row[0], p.x), vp_real3_scale(a->row[1], p.y)), vp_real3_scale(a->row[2], p.z));
}

static inline vp_real3 to_body(const axes3 *a, vp_real3 p)
{
    return (vp_real3){vp_real3_dot(a->row[0], p), vp_real3_dot(a->row[1], p), vp_real3_dot(a->row[2], p)};
}

/* A body's matrix along the world's axes. */
static inline sym3 sym3_to_world(const axes3 *a, const sym3 *s)
{
    vp_real3 c[3]; /* columns of the product, by the body's axes */
    const vp_real3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++)
        c[i] = to_world(a, sym3_times(s, to_body(a, unit[i])));
    return (sym3){{c[0].x, c[1].y, c[2].z, c[0].y, c[1].z, c[2].x}};
}

/* Axes of a unit quaternion x, y, z, w. */
static inline axes3 axes_of(const double q[4])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return (axes3){{{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                    {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                    {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}}};
}

static inline void normalize(double q[4])
{
    const double part = 1 / sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] *= part;
}

/* Rotates a unit quaternion by a small rotation vector. */
static inline void turn(double q[4], vp_real3 by)
{
    const double x = by.x / 2, y = by.y / 2, z = by.z / 2, a = q[0], b = q[1], c = q[2], w = q[3];
    q[0] = a + ((x * w + y * c) - z * b);
    q[1] = b + ((y * w + z * a) - x * c);
    q[2] = c + ((z * w + x * b) - y * a);
    q[3] = w - ((x * a + y * b) + z * c);
    normalize(q);
}

/* ---- bodies ---- */

enum {
    VP_SIM_TRIANGLES = 4096, /* capacity of a task's scratch */
    VP_SIM_TASKS = 64,       /* maximum tasks of a parallel part */
    VP_SIM_MANIFOLDS = VP_MANIFOLD_DIRECTIONS
};

typedef struct sim_body {
    vp_real3 position, velocity, spin;
    double rotation[4];
    double mass, inverse_mass;
    sym3 inertia, inverse_inertia; /* along the body's axes */
    sym3 inverse_inertia_world;    /* along the world's axes, at the start of the step */
    vp_real3 moved, turned;        /* since the start of the step */
    vp_real3 force, torque;        /* applied by water */
    double drag;                   /* water drag, 1/s */
    double submerged, low;
    double friction, restitution, rolling;
    double radius; /* about the centre of mass */
    double inner;  /* radius of a ball about it within the body, 0 = unknown */
    double clear;  /* the surface was farther than this from the centre at the last step, 0 = unknown */
    vp_vec3 clear_at;
    double quiet; /* seconds for which it has been slow */
    vp_pose pose; /* rounded to binary32, at the start of the step */
    vp_aabb box;  /* bounds of its shapes with their margin */
    float margin;
    float still_margin; /* without the body's motion in a straight line */
    vp_vec3 motion;     /* that motion */
    uint32_t first_shape, shapes;
    uint32_t object;         /* object of vp_contacts */
    uint32_t asleep;         /* number of the island in which it sleeps. 0 = awake */
    uint32_t parent, island; /* during a step: a body of the same island, and the island's number */
    bool is_round;           /* whether its inertia is the same about all axes */
    bool is_in_front;        /* whether its centre was in front of the surface when last looked at */
    bool lost, was_asleep, touches_solid, touches_water, truncated, pushed_out;
} sim_body;

typedef struct sim_shape {
    vp_collide_shape shape;
    vp_collide_owned_hull solid; /* hull of a loose region, otherwise zero */
    uint32_t body;
    uint32_t leaf; /* object of the sphere tree */
    vp_aabb box;
} sim_shape;

/* A contact point. The normal is from b to a. */
typedef struct sim_point {
    uint64_t feature;
    vp_real3 normal;
    vp_real3 arm[2];          /* from the centre of each body */
    double separation, speed; /* along the normal, at the start of the step */
    double impulse, most;     /* along the normal: the last one, and the largest of the step */
    vp_real3 friction;        /* impulse, in the world */
} sim_point;

/* A direction of a contact point, with numbers of each body that stay the same during a step. */
typedef struct sim_row {
    vp_real3 along;
    vp_real3 arm[2];  /* arm x along */
    vp_real3 turn[2]; /* spin by an impulse of 1 */
    double mass;      /* effective */
} sim_row;

/* A contact point while it is solved. */
typedef struct sim_joint {
    sim_row row[3]; /* normal, and two directions across it */
    double gap;
    double friction[2]; /* impulse along row[1] and row[2] */
} sim_joint;

/* Two shapes that touch or nearly do. b = VP_SIM_GROUND for the ground. */
typedef struct sim_contact {
    uint32_t a, b;
    uint32_t body[2];
    uint32_t first, count; /* points */
    double friction, restitution, rolling;
    vp_real3 roll; /* impulse of rolling resistance */
} sim_contact;

typedef struct sim_contacts {
    sim_contact *contact; /* ascending by a, then b */
    sim_point *point;
    uint32_t count, points;
    size_t room, point_room;
} sim_contacts;

/* Two shapes to compare, and the range of their manifolds. */
typedef struct sim_candidate {
    uint32_t a, b;
    uint32_t made;
    uint32_t before; /* the pair's number in kept_before, or UINT32_MAX */
    vp_status status;
} sim_candidate;

/* The last exact manifold of two shapes, and where they were. Only if def.reuse > 0. */
typedef struct sim_kept {
    uint32_t a, b;
    float margin;
    vp_pose pose[2];
    vp_manifold manifold;
} sim_kept;

/* A list of contacts or bodies of an island. */
typedef struct sim_island {
    uint32_t first_body, bodies, first_contact, contacts;
} sim_island;

typedef struct sim_task {
    vp_manifold_scratch scratch;
    vp_status status;
    vp_error error;
} sim_task;

struct vp_sim {
    vp_sim_def def;
    vp_kernels kernels;
    vp_executor executor;
    sim_body *body;
    uint32_t bodies;
    size_t body_room;
    sim_shape *shape;
    uint32_t shapes;
    size_t shape_room;
    vp_spheretree *tree;
    uint32_t *shape_of_leaf;
    size_t leaf_room;
    vp_contacts *contacts; /* NULL without a terrain */
    vp_chunk_set stale;
    sim_contacts now, before;
    sim_candidate *pair, *ground; /* ascending by shape */
    uint32_t pair_count, ground_count;
    size_t pair_room, ground_room;
    vp_spheretree_pair *found;
    size_t found_room;
    vp_manifold *pair_manifold, *ground_manifold; /* one per pair, VP_SIM_MANIFOLDS per shape */
    size_t pair_manifold_room, ground_manifold_room;
    sim_kept *kept, *kept_before; /* of the pairs of this step and of the last one */
    uint32_t kept_count, kept_count_before;
    size_t kept_room, kept_room_before;
    vp_manifold_cache *cache; /* one per shape, if def.reuse > 0 */
    size_t cache_room, caches;
    sim_joint *joint; /* one per point of `now` */
    size_t joint_room;
    sim_island *island;
    uint32_t islands;
    size_t island_room;
    uint32_t *island_body, *island_contact; /* numbers, grouped by island */
    size_t island_body_room, island_contact_room;
    sim_task task[VP_SIM_TASKS];
    uint32_t tasks;
    uint32_t sleepers; /* number of the last island that fell asleep */
    vp_terrain_reader reader;
    double edit_seconds;
    double until;             /* time after which vp_sim_advance returns */
    uint32_t part, at;        /* of the step that has begun, and the next item of the part. 0 = none */
    vp_sim_stats stats, last; /* of the step that has begun, and of the last whole one */
};

/* Adds a body of one or several shapes. The simulation takes over their solids. Mass and inertia are about the shapes' origin. */
vp_status vp_sim_add_shapes(vp_sim *sim, const vp_sim_body_def *def, const vp_mass *mass, const vp_collide_shape *shape,
                            vp_collide_owned_hull *solid, uint32_t count, uint32_t *number, vp_error *error);

/* Wakes a body, with the island that it sleeps in. */
void vp_sim_wake(vp_sim *sim, uint32_t body);

/* The parts of a step, in this order. A part that has no time left returns VP_OK with sim->at > 0, and continues there. The last part of
 * the first line fills sim->now, with the impulses of sim->before. Then all awake bodies move. */
typedef vp_status sim_part_fn(vp_sim *sim, vp_error *error);
sim_part_fn vp_sim_find_bounds, vp_sim_touch_pairs, vp_sim_begin_ground, vp_sim_meet_terrain, vp_sim_touch_ground;
sim_part_fn vp_sim_make_islands, vp_sim_solve;
/* Puts islands to sleep that have been slow long enough. */
void vp_sim_sleep(vp_sim *sim);

/* Calls `each` for [sim->at, count) in sim->tasks pieces, until sim->until. Sets sim->at to 0 at the end.
 * @return the failure of the first failed piece */
typedef vp_status sim_each_fn(vp_sim *sim, sim_task *task, uint32_t i, vp_error *error);
vp_status vp_sim_for(vp_sim *sim, uint32_t count, sim_each_fn *each, vp_error *error);

#endif
