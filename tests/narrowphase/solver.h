/* SPDX-License-Identifier: MIT */
/* A small rigid body solver for tests of manifolds: sequential impulses in four steps a frame, soft in the first pass of each and rigid in
 * the second (E. Catto, "Solver2D", 2024), Coulomb friction, and impulses that are kept from frame to frame by the ids of points. */
#ifndef VP_TESTS_SOLVER_H
#define VP_TESTS_SOLVER_H

#include <math.h>

#include <voxphys/voxphys.h>

enum { STEPS = 4, PAIR_POINTS = VP_MANIFOLD_DIRECTIONS * VP_MANIFOLD_POINTS, STATIC = -1 };

static const float frame_time = 1.0f / 60.0f, gravity = -10.0f, friction = 0.6f, slop = 0.005f;
static const float rolling = 4.0f; /* resistance: part of the spin that is lost in a second */

typedef struct rigid {
    const vp_collide_shape *shape;
    vp_pose pose;
    vp_vec3 velocity, spin;
    float inverse_mass;
    vp_vec3 inverse_inertia; /* along the shape's axes */
    vp_collide_frame frame;
    vp_vec3 moved, turned; /* since the frame began */
} rigid;

typedef struct point {
    uint64_t feature;
    vp_vec3 direction[3]; /* the normal, and two tangents */
    vp_vec3 arm[2];       /* from the position of each body */
    float separation, mass[3], impulse[3];
} point;

/* Two bodies, or one and the ground. */
typedef struct pair {
    int body[2]; /* the first is pushed along the normal; the second may be STATIC */
    uint32_t count;
    point point[PAIR_POINTS];
} pair;

static inline vp_vec3 scaled_add(vp_vec3 a, vp_vec3 b, float t)
{
    return vp_vec3_add(a, vp_vec3_scale(b, t));
}

static inline vp_vec3 to_world(const vp_collide_frame *f, vp_vec3 p)
{
    return vp_vec3_add(vp_vec3_add(vp_vec3_scale(f->row[0], p.x), vp_vec3_scale(f->row[1], p.y)), vp_vec3_scale(f->row[2], p.z));
}

static inline vp_vec3 to_shape(const vp_collide_frame *f, vp_vec3 p)
{
    return (vp_vec3){vp_vec3_dot(f->row[0], p), vp_vec3_dot(f->row[1], p), vp_vec3_dot(f->row[2], p)};
}

/* A body of density 1 whose mass lies as in its box or its ball. */
static inline rigid make_rigid(const vp_collide_shape *shape, vp_pose pose)
{
    rigid r = {.shape = shape, .pose = pose};
    const float radius = shape->kind == VP_COLLIDE_CYLINDER ? shape->radius : 0.6f * vp_collide_radius(shape);
    const vp_vec3 round = {radius, shape->kind == VP_COLLIDE_CYLINDER ? shape->half_height : radius, radius};
    const vp_vec3 half = shape->kind == VP_COLLIDE_BOX ? shape->half : round;
    const float mass = 8.0f * half.x * half.y * half.z, x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    r.inverse_mass = 1.0f / mass;
    r.inverse_inertia = (vp_vec3){3.0f / (mass * (y + z)), 3.0f / (mass * (x + z)), 3.0f / (mass * (x + y))};
    return r;
}

static inline void push(rigid *r, vp_vec3 arm, vp_vec3 impulse)
{
    const vp_vec3 torque = to_shape(&r->frame, vp_vec3_cross(arm, impulse)), i = r->inverse_inertia;
    r->velocity = scaled_add(r->velocity, impulse, r->inverse_mass);
    r->spin = vp_vec3_add(r->spin, to_world(&r->frame, (vp_vec3){torque.x * i.x, torque.y * i.y, torque.z * i.z}));
}

static inline float inverse_mass_along(const rigid *r, vp_vec3 arm, vp_vec3 d)
{
    const vp_vec3 t = to_shape(&r->frame, vp_vec3_cross(arm, d)), i = r->inverse_inertia;
    return r->inverse_mass + t.x * t.x * i.x + t.y * t.y * i.y + t.z * t.z * i.z;
}

/* Adds the points of a manifold to a pair, with the impulses of the frame before.  @param f  frame of the manifold's vectors
   @param from  position of the first body, from that of the second */
static inline void add_points(pair *p, const pair *before, const vp_manifold *m, const vp_collide_frame *f, vp_vec3 from)
{
    for (uint32_t i = 0; i < m->count && p->count < PAIR_POINTS; i++) {
        const vp_manifold_point *q = &m->point[i];
        point *out = &p->point[p->count++];
        const vp_vec3 n = to_world(f, q->normal), side = fabsf(n.x) < 0.6f ? (vp_vec3){1.0f, 0.0f, 0.0f} : (vp_vec3){0.0f, 1.0f, 0.0f};
        const vp_vec3 across = vp_vec3_cross(n, side), t = vp_vec3_scale(across, 1.0f / sqrtf(vp_vec3_dot(across, across)));
        *out = (point){.feature = q->feature, .direction = {n, t, vp_vec3_cross(n, t)}, .separation = q->distance};
        out->arm[0] = to_world(f, q->on_shape);
        out->arm[1] = vp_vec3_add(to_world(f, q->on_triangle), from);
        for (uint32_t k = 0; k < before->count; k++)
            for (int d = 0; d < 3 && before->point[k].feature == q->feature; d++)
                out->impulse[d] = before->point[k].impulse[d];
    }
}

static inline void push_pair(rigid *body, const pair *p, const point *q, int d, float impulse)
{
    push(&body[p->body[0]], q->arm[0], vp_vec3_scale(q->direction[d], impulse));
    if (p->body[1] != STATIC)
        push(&body[p->body[1]], q->arm[1], vp_vec3_scale(q->direction[d], -impulse));
}

/* What a body's point moves, along a direction, by these parts of a motion. */
static inline float along(vp_vec3 moved, vp_vec3 turned, vp_vec3 arm, vp_vec3 d)
{
    return vp_vec3_dot(vp_vec3_add(moved, vp_vec3_cross(turned, arm)), d);
}

static inline void solve_point(rigid *body, const pair *p, point *q, float h, bool soft)
{
    const rigid still = {0}, *a = &body[p->body[0]], *b = p->body[1] == STATIC ? &still : &body[p->body[1]];
    const float omega = 2.0f * 3.14159265f * 30.0f, a1 = 20.0f + h * omega, a2 = h * omega * a1, stiff = soft ? a2 / (1.0f + a2) : 1.0f;
    const float s =
        q->separation + along(a->moved, a->turned, q->arm[0], q->direction[0]) - along(b->moved, b->turned, q->arm[1], q->direction[0]);
    for (int d = 2; d >= 0; d--) { /* friction, then the normal */
        const float speed =
            along(a->velocity, a->spin, q->arm[0], q->direction[d]) - along(b->velocity, b->spin, q->arm[1], q->direction[d]);
        const bool is_apart = s > 0.0f, pushes = soft && d == 0 && s < 0.0f;
        const float wanted = d != 0 ? 0.0f : is_apart ? s / h : pushes ? fmaxf(omega / a1 * fminf(s + slop, 0.0f), -4.0f) : 0.0f;
        const float old = q->impulse[d], most = d == 0 ? INFINITY : friction * q->impulse[0], least = d == 0 ? 0.0f : -most;
        const float more = -q->mass[d] * (speed + wanted) * (pushes ? stiff : 1.0f) - (pushes ? old * (1.0f - stiff) : 0.0f);
        q->impulse[d] = fminf(fmaxf(old + more, least), most);
        push_pair(body, p, q, d, q->impulse[d] - old);
    }
}

static inline void turn(rigid *r, float h)
{
    const float *const q = r->pose.rotation, x = r->spin.x * h / 2.0f, y = r->spin.y * h / 2.0f, z = r->spin.z * h / 2.0f;
    const float next[4] = {q[0] + x * q[3] + y * q[2] - z * q[1], q[1] + y * q[3] + z * q[0] - x * q[2],
                           q[2] + z * q[3] + x * q[1] - y * q[0], q[3] - x * q[0] - y * q[1] - z * q[2]};
    const float length = sqrtf(next[0] * next[0] + next[1] * next[1] + next[2] * next[2] + next[3] * next[3]);
    for (int k = 0; k < 4; k++)
        r->pose.rotation[k] = next[k] / length;
}

static inline void begin_points(rigid *body, pair *list, uint32_t pairs)
{
    for (uint32_t i = 0; i < pairs; i++)
        for (uint32_t k = 0; k < list[i].count; k++)
            for (int d = 0; d < 3; d++) {
                point *q = &list[i].point[k];
                const int other = list[i].body[1];
                float inverse = inverse_mass_along(&body[list[i].body[0]], q->arm[0], q->direction[d]);
                if (other != STATIC)
                    inverse += inverse_mass_along(&body[other], q->arm[1], q->direction[d]);
                q->mass[d] = 1.0f / inverse;
            }
}

/* Moves all bodies by one frame. Bodies without mass stay. */
static inline void solve_frame(rigid *body, uint32_t count, pair *list, uint32_t pairs)
{
    const float h = frame_time / STEPS;
    begin_points(body, list, pairs);
    for (uint32_t i = 0; i < count; i++)
        body[i].moved = body[i].turned = (vp_vec3){0.0f, 0.0f, 0.0f};
    for (int step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < count; i++)
            body[i].velocity.y += body[i].inverse_mass > 0.0f ? h * gravity : 0.0f;
        for (uint32_t i = 0; i < pairs; i++)
            for (uint32_t k = 0; k < list[i].count; k++)
                for (int d = 0; d < 3; d++)
                    push_pair(body, &list[i], &list[i].point[k], d, list[i].point[k].impulse[d]);
        for (int pass = 0; pass < 2; pass++) {
            for (uint32_t i = 0; i < pairs; i++)
                for (uint32_t k = 0; k < list[i].count; k++)
                    solve_point(body, &list[i], &list[i].point[k], h, pass == 0);
            for (uint32_t i = 0; i < count && pass == 0; i++) {
                rigid *r = &body[i];
                r->moved = scaled_add(r->moved, r->velocity, h);
                r->turned = scaled_add(r->turned, r->spin, h);
                r->pose.position = scaled_add(r->pose.position, r->velocity, h);
                turn(r, h);
            }
        }
        for (uint32_t i = 0; i < count; i++)
            body[i].spin = vp_vec3_scale(body[i].spin, 1.0f / (1.0f + h * rolling));
    }
}

#endif
