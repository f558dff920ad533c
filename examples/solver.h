/* SPDX-License-Identifier: MIT */
/* A solver for rigid bodies on voxphys, to be copied into a game. docs/SOLVER.md explains it step by step. Its method is "Soft Step" of
 * E. Catto, "Solver2D", 2024. It applies sequential impulses in short steps, each with a soft pass and a rigid pass. */
#ifndef SOLVER_H
#define SOLVER_H

#include <math.h>

#include <voxphys/voxphys.h>

enum { SOLVER_STEPS = 4, SOLVER_CALM = 30, SOLVER_POINTS = VP_MANIFOLD_DIRECTIONS * VP_MANIFOLD_POINTS, SOLVER_GROUND = -1 };
static const float solver_frame = 1.0f / 60.0f, solver_gravity = -10.0f, solver_friction = 0.6f; /* seconds, voxels */
static const float solver_slop = 0.005f;                                                         /* depth of a resting contact */
static const float solver_push_speed = 4.0f;  /* maximum speed at which an overlap is resolved */
static const float solver_rolling = 4.0f;     /* part of the spin that is lost in a second */
static const float solver_calm_speed = 0.05f; /* slower bodies fall asleep */

typedef struct solver_body {
    vp_manifold_body at;        /* shape and pose */
    vp_collide_frame axes;      /* axes of the pose */
    vp_vec3 velocity, spin;     /* velocity of the centre of mass, world axes */
    vp_vec3 centre;             /* centre of mass, shape's frame */
    vp_vec3 inverse_inertia[3]; /* rows, shape's frame */
    float inverse_mass;
    uint32_t calm; /* frames without motion; asleep from SOLVER_CALM on */
} solver_body;

typedef struct solver_point {
    uint64_t feature;
    float distance;
    vp_vec3 direction[3]; /* normal and two tangents */
    vp_vec3 arm[2];       /* from each body's centre of mass, world axes */
    float mass[3], impulse[3];
} solver_point;

/* Two bodies, or a body and the ground. */
typedef struct solver_pair {
    int body[2]; /* the normal points to the first; the second may be SOLVER_GROUND */
    uint32_t count;
    solver_point point[SOLVER_POINTS];
} solver_pair;

static inline vp_vec3 solver_add(vp_vec3 a, vp_vec3 b, float t)
{
    return vp_vec3_add(a, vp_vec3_scale(b, t));
}

static inline vp_vec3 solver_to_world(const solver_body *b, vp_vec3 p)
{
    return solver_add(solver_add(vp_vec3_scale(b->axes.row[0], p.x), b->axes.row[1], p.y), b->axes.row[2], p.z);
}

static inline vp_vec3 solver_multiply(const vp_vec3 row[3], vp_vec3 p)
{
    return (vp_vec3){vp_vec3_dot(row[0], p), vp_vec3_dot(row[1], p), vp_vec3_dot(row[2], p)};
}

/* Creates a resting body of density 1. */
static inline vp_status solver_create_body(const vp_collide_shape *shape, vp_pose pose, solver_body *out, vp_error *error)
{
    vp_mass m;
    *out = (solver_body){.at = {shape, pose}};
    vp_status status = vp_mass_of_shape(shape, 1.0, &m, error);
    if (status == VP_OK)
        status = vp_collide_frame_of(&pose, &out->axes, error);
    if (status == VP_OK && !(m.mass > 0.0)) {
        *error = (vp_error){VP_E_ARGUMENT, "a body's shape has no volume"};
        status = VP_E_ARGUMENT;
    }
    if (status != VP_OK)
        return status;
    float t[6];
    const double trace = m.inertia[0] + m.inertia[1] + m.inertia[2];
    for (int k = 0; k < 6; k++)
        t[k] = (float)(m.inertia[k] / trace);
    const vp_vec3 row[3] = {{t[0], t[3], t[5]}, {t[3], t[1], t[4]}, {t[5], t[4], t[2]}};
    const float determinant = vp_vec3_dot(row[0], vp_vec3_cross(row[1], row[2])) * (float)trace;
    for (int k = 0; k < 3; k++)
        out->inverse_inertia[k] = vp_vec3_scale(vp_vec3_cross(row[(k + 1) % 3], row[(k + 2) % 3]), 1.0f / determinant);
    out->inverse_mass = (float)(1.0 / m.mass);
    out->centre = (vp_vec3){(float)m.centre[0], (float)m.centre[1], (float)m.centre[2]};
    return VP_OK;
}

/* Returns the spin that an impulse of torque adds. */
static inline vp_vec3 solver_spin_of(const solver_body *b, vp_vec3 torque)
{
    return solver_to_world(b, solver_multiply(b->inverse_inertia, solver_multiply(b->axes.row, torque)));
}

static inline void solver_push(solver_body *body, const solver_pair *p, const solver_point *q, int d, float impulse)
{
    for (int k = 0; k < 2 && p->body[k] != SOLVER_GROUND; k++) {
        solver_body *b = &body[p->body[k]];
        const vp_vec3 push = vp_vec3_scale(q->direction[d], k == 0 ? impulse : -impulse);
        b->velocity = solver_add(b->velocity, push, b->inverse_mass);
        b->spin = vp_vec3_add(b->spin, solver_spin_of(b, vp_vec3_cross(q->arm[k], push)));
    }
}

/* Returns the speed at which a pair parts along a direction. */
static inline float solver_speed(const solver_body *body, const solver_pair *p, const solver_point *q, int d)
{
    float speed = 0.0f;
    for (int k = 0; k < 2 && p->body[k] != SOLVER_GROUND; k++) {
        const solver_body *b = &body[p->body[k]];
        const float own = vp_vec3_dot(vp_vec3_add(b->velocity, vp_vec3_cross(b->spin, q->arm[k])), q->direction[d]);
        speed += k == 0 ? own : -own;
    }
    return speed;
}

/* Adds a point to a pair, with the impulses that it had in the frame before. */
static inline void solver_add_point(const solver_body *body, solver_pair *p, const solver_pair *before, const vp_manifold_point *from)
{
    solver_point *q = &p->point[p->count++];
    const vp_vec3 n = from->normal, side = fabsf(n.x) < 0.6f ? (vp_vec3){1.0f, 0.0f, 0.0f} : (vp_vec3){0.0f, 1.0f, 0.0f};
    const vp_vec3 across = vp_vec3_cross(n, side), t = vp_vec3_scale(across, 1.0f / sqrtf(vp_vec3_dot(across, across)));
    float inverse[3] = {0.0f, 0.0f, 0.0f};
    *q = (solver_point){.feature = from->feature, .distance = from->distance, .direction = {n, t, vp_vec3_cross(n, t)}};
    for (int k = 0; k < 2 && p->body[k] != SOLVER_GROUND; k++) {
        const solver_body *b = &body[p->body[k]];
        const vp_vec3 apart = vp_vec3_sub(body[p->body[0]].at.pose.position, b->at.pose.position);
        const vp_vec3 place = vp_vec3_add(k == 0 ? from->on_shape : from->on_triangle, apart); /* both are relative to the first body */
        q->arm[k] = vp_vec3_sub(place, solver_to_world(b, b->centre));
        for (int d = 0; d < 3; d++) {
            const vp_vec3 torque = vp_vec3_cross(q->arm[k], q->direction[d]);
            inverse[d] += b->inverse_mass + vp_vec3_dot(torque, solver_spin_of(b, torque));
        }
    }
    for (int d = 0; d < 3; d++)
        q->mass[d] = 1.0f / inverse[d];
    for (uint32_t k = 0; k < before->count; k++)
        for (int d = 0; d < 3 && before->point[k].feature == q->feature; d++)
            q->impulse[d] = before->point[k].impulse[d];
}

/* Renews a pair's points. The pair must be zero or hold the same two bodies. */
static inline void solver_renew_pair(const solver_body *body, int first, int second, const vp_manifold *m, uint32_t count, solver_pair *p)
{
    const solver_pair before = *p;
    *p = (solver_pair){.body = {first, second}};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < m[i].count; k++)
            solver_add_point(body, p, &before, &m[i].point[k]);
}

static inline vp_status solver_touch_terrain(const solver_body *body, int i, float margin, const vp_terrain_reader *reader,
                                             vp_manifold_scratch *scratch, solver_pair *p, vp_error *error)
{
    vp_manifold m[VP_MANIFOLD_DIRECTIONS];
    uint32_t count;
    const vp_manifold_def def = {.margin = margin};
    const vp_status status = vp_manifold_terrain(&def, &body[i].at, reader, scratch, m, VP_MANIFOLD_DIRECTIONS, &count, error);
    if (status != VP_OK && status != VP_E_LIMIT) /* the deepest contacts suffice */
        return status;
    solver_renew_pair(body, i, SOLVER_GROUND, m, count, p);
    return VP_OK;
}

static inline vp_status solver_touch_bodies(const solver_body *body, int first, int second, float margin, solver_pair *p, vp_error *error)
{
    vp_manifold m;
    const vp_status status = vp_manifold_shapes(&body[first].at, &body[second].at, margin, &m, error);
    if (status == VP_OK)
        solver_renew_pair(body, first, second, &m, 1, p);
    return status;
}

static inline bool solver_sleeps(const solver_body *b)
{
    return b->calm >= SOLVER_CALM;
}

/* Makes bodies that touch as calm as the least calm of them, so that a whole pile wakes and sleeps together. */
static inline void solver_join_islands(solver_body *body, const solver_pair *pair, uint32_t pairs)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < pairs; i++) {
            if (pair[i].count == 0 || pair[i].body[1] == SOLVER_GROUND)
                continue;
            solver_body *a = &body[pair[i].body[0]], *b = &body[pair[i].body[1]];
            changed = changed || a->calm != b->calm;
            a->calm = b->calm = a->calm < b->calm ? a->calm : b->calm;
        }
    }
}

/* Solves a point. A soft pass also pushes an overlap out, by a spring of 30 Hz with 10 times the critical damping. */
static inline void solver_solve_point(solver_body *body, const solver_pair *p, solver_point *q, float h, bool soft)
{
    const float omega = 2.0f * 3.14159265f * 30.0f, a1 = 2.0f * 10.0f + h * omega, a2 = h * omega * a1;
    for (int d = 2; d >= 0; d--) { /* friction, then the normal */
        const float old = q->impulse[d], most = d == 0 ? INFINITY : solver_friction * q->impulse[0], least = d == 0 ? 0.0f : -most;
        float speed = solver_speed(body, p, q, d), part = 1.0f;
        if (d == 0 && q->distance > 0.0f)
            speed += q->distance / h; /* a point that is apart may close its distance in this step */
        if (d == 0 && q->distance < 0.0f && soft) {
            speed += fmaxf(omega / a1 * fminf(q->distance + solver_slop, 0.0f), -solver_push_speed);
            part = a2 / (1.0f + a2);
        }
        q->impulse[d] = fminf(fmaxf(part * (old - q->mass[d] * speed), least), most);
        solver_push(body, p, q, d, q->impulse[d] - old);
    }
}

typedef enum solver_pass { SOLVER_WARM, SOLVER_SOFT, SOLVER_MOVE, SOLVER_RIGID } solver_pass;

/* Visits the points of all bodies that are awake. */
static inline void solver_visit_points(solver_body *body, solver_pair *pair, uint32_t pairs, float h, solver_pass pass)
{
    for (uint32_t i = 0; i < pairs; i++)
        for (uint32_t k = 0; k < pair[i].count && !solver_sleeps(&body[pair[i].body[0]]); k++) {
            solver_point *q = &pair[i].point[k];
            for (int d = 0; d < 3 && pass == SOLVER_WARM; d++)
                solver_push(body, &pair[i], q, d, q->impulse[d]);
            if (pass == SOLVER_MOVE)
                q->distance += h * solver_speed(body, &pair[i], q, 0);
            if (pass == SOLVER_SOFT || pass == SOLVER_RIGID)
                solver_solve_point(body, &pair[i], q, h, pass == SOLVER_SOFT);
        }
}

static inline vp_status solver_move_body(solver_body *b, float h, vp_error *error)
{
    const vp_vec3 centre = vp_vec3_add(b->at.pose.position, solver_to_world(b, b->centre)), s = vp_vec3_scale(b->spin, h / 2.0f);
    float *const q = b->at.pose.rotation;
    const float next[4] = {q[0] + s.x * q[3] + s.y * q[2] - s.z * q[1], q[1] + s.y * q[3] + s.z * q[0] - s.x * q[2],
                           q[2] + s.z * q[3] + s.x * q[1] - s.y * q[0], q[3] - s.x * q[0] - s.y * q[1] - s.z * q[2]};
    const float length = sqrtf(next[0] * next[0] + next[1] * next[1] + next[2] * next[2] + next[3] * next[3]);
    for (int k = 0; k < 4; k++)
        q[k] = next[k] / length;
    const vp_status status = vp_collide_frame_of(&b->at.pose, &b->axes, error);
    b->at.pose.position = vp_vec3_sub(solver_add(centre, b->velocity, h), solver_to_world(b, b->centre));
    return status;
}

/* Counts the frames in which a body is slow, and stops a body that falls asleep. */
static inline void solver_calm_down(solver_body *b)
{
    const float spin = vp_collide_radius(b->at.shape) * sqrtf(vp_vec3_dot(b->spin, b->spin));
    b->calm = sqrtf(vp_vec3_dot(b->velocity, b->velocity)) + spin < solver_calm_speed ? b->calm + 1 : 0;
    if (solver_sleeps(b))
        b->velocity = b->spin = (vp_vec3){0.0f, 0.0f, 0.0f};
}

/* Moves all bodies that are awake by one frame. */
static inline vp_status solver_solve(solver_body *body, uint32_t count, solver_pair *pair, uint32_t pairs, vp_error *error)
{
    const float h = solver_frame / SOLVER_STEPS;
    vp_status status = VP_OK;
    solver_join_islands(body, pair, pairs);
    for (int step = 0; step < SOLVER_STEPS; step++) {
        for (uint32_t i = 0; i < count; i++)
            body[i].velocity.y += solver_sleeps(&body[i]) ? 0.0f : h * solver_gravity;
        for (solver_pass pass = SOLVER_WARM; pass <= SOLVER_MOVE; pass++)
            solver_visit_points(body, pair, pairs, h, pass);
        for (uint32_t i = 0; i < count && status == VP_OK; i++)
            status = solver_sleeps(&body[i]) ? VP_OK : solver_move_body(&body[i], h, error);
        solver_visit_points(body, pair, pairs, h, SOLVER_RIGID);
        for (uint32_t i = 0; i < count; i++)
            body[i].spin = vp_vec3_scale(body[i].spin, 1.0f / (1.0f + h * solver_rolling));
    }
    for (uint32_t i = 0; i < count; i++)
        if (!solver_sleeps(&body[i]))
            solver_calm_down(&body[i]);
    return status;
}

#endif
