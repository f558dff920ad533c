/* SPDX-License-Identifier: MIT */
/* Bodies of every shape that fall in a row onto a step of ground, each to its own rest height, and sleep there. A formula gives the motion,
 * and contacts are computed. One body has two parts, one is fixed, one disappears, one appears late. */
#ifndef TEST_VIEW_MOVING_H
#define TEST_VIEW_MOVING_H

#include <math.h>
#include <string.h>

#include <voxphys/shapes.h>

#include "host/record/bodies.h"

enum { MOVING_BODIES = 8, MOVING_PARTS = 2, MOVING_STEPS = 120, MOVING_CONTACTS = 64, MOVING_GONE = 7, MOVING_LATE = 5 };

typedef struct moving {
    vp_collide_owned_hull wedge;
    vp_collide_shape shape[6];
    struct {
        vp_manifold_body part[MOVING_PARTS];
        uint32_t parts, shape;
        double x, rest;
    } body[MOVING_BODIES];
    vp_recorded_body now[MOVING_BODIES];
    vp_recorded_contact contact[MOVING_CONTACTS];
    uint32_t count, contacts;
} moving;

static inline vp_status moving_create(moving *m, vp_error *error)
{
    static const vp_vec3 corner[] = {{-1, -0.5f, -0.7f}, {1, -0.5f, -0.7f}, {1, -0.5f, 0.7f},
                                     {-1, -0.5f, 0.7f},  {-0.4f, 0.8f, 0},  {0.4f, 0.8f, 0}};
    memset(m, 0, sizeof *m);
    const vp_status status = vp_collide_hull_create(&(vp_collide_hull_def){.point = corner, .count = 6}, &m->wedge, error);
    if (status != VP_OK)
        return status;
    m->shape[0] = vp_collide_sphere(0.6f);
    m->shape[1] = vp_collide_capsule(0.4f, 0.5f);
    m->shape[2] = vp_collide_box((vp_vec3){0.7f, 0.5f, 0.6f});
    m->shape[3] = vp_collide_cylinder(0.5f, 0.6f);
    m->shape[4] = vp_collide_hull_shape(&m->wedge.hull);
    m->shape[5] = vp_collide_box((vp_vec3){2.0f, 0.25f, 1.2f}); /* fixed */
    static const float rest[MOVING_BODIES] = {0.6f, 0.9f, 0.5f, 0.6f, 0.5f, 0.5f, 0.25f, 0.6f};
    for (uint32_t i = 0; i < MOVING_BODIES; i++) {
        const vp_collide_shape *shape = &m->shape[i < 5 ? i : i == 6 ? 5 : i == 5 ? 2 : 0];
        m->body[i].part[0] = m->body[i].part[1] = (vp_manifold_body){shape, vp_pose_at((vp_vec3){0, 0, 0})};
        m->body[i].parts = 1;
        m->body[i].x = 2.5 * i - 9;
        m->body[i].rest = (double)rest[i];
    }
    m->body[6].x += 1.5;
    m->body[7].x = m->body[6].x; /* on the fixed body */
    m->body[7].rest += 0.5;
    m->body[5].parts = 2; /* a box with a sphere next to it */
    m->body[5].part[1] = (vp_manifold_body){&m->shape[0], {{0.9f, 0.1f, 0}, {0, 0, 0.3826834f, 0.9238795f}}};
    return VP_OK;
}

static inline void moving_destroy(moving *m)
{
    vp_collide_hull_destroy(&m->wedge);
}

/* The recording's shapes and ground: a floor with a step down. */
static inline void moving_begin(moving *m, vp_bodies_recording *r)
{
    static const float corner[] = {-12, 0, -4, 14, 0, -4, 14, 0, 3, -12, 0, 3, -12, -2, 3, 14, -2, 3, 14, -2, 6, -12, -2, 6};
    static const uint32_t triangle[] = {0, 2, 1, 0, 3, 2, 3, 5, 2, 3, 4, 5, 4, 6, 5, 4, 7, 6};
    for (uint32_t i = 0; i < MOVING_BODIES; i++)
        m->body[i].shape = vp_bodies_record_shape(r, m->body[i].part, m->body[i].parts);
    vp_bodies_record_ground(r, 0, &(vp_record_shape){.corner = corner, .corner_count = 8, .triangle = triangle, .triangle_count = 6});
}

static inline vp_pose moving_pose(const vp_recorded_body *b, const vp_pose *part)
{
    const double half = atan2(b->rotation[1], b->rotation[3]); /* rotated about y alone */
    const double c = cos(2 * half), s = sin(2 * half), x = (double)part->position.x, z = (double)part->position.z;
    const float *q = part->rotation;
    const float y = (float)b->rotation[1], w = (float)b->rotation[3];
    return (vp_pose){
        {(float)(b->position[0] + c * x + s * z), (float)b->position[1] + part->position.y, (float)(b->position[2] + c * z - s * x)},
        {w * q[0] + y * q[2], w * q[1] + y * q[3], w * q[2] - y * q[0], w * q[3] - y * q[1]}};
}

static inline void moving_touch(moving *m, uint32_t i, uint32_t k, const vp_manifold_body *a, const vp_manifold_body *b)
{
    vp_manifold found;
    if (vp_manifold_shapes(a, b, 0.03f, &found, NULL) != VP_OK)
        return;
    for (uint32_t p = 0; p < found.count && m->contacts < MOVING_CONTACTS; p++) {
        const vp_vec3 at = vp_vec3_add(a->pose.position, found.point[p].on_triangle), n = found.normal;
        m->contact[m->contacts++] = (vp_recorded_contact){.body = i,
                                                          .other = k,
                                                          .point = {(double)at.x, (double)at.y, (double)at.z},
                                                          .normal = {(double)n.x, (double)n.y, (double)n.z},
                                                          .depth = -(double)found.point[p].distance};
    }
}

/* Poses and contacts of a step. */
static inline void moving_step(moving *m, uint32_t step)
{
    const vp_collide_shape floor = vp_collide_box((vp_vec3){40, 1, 40});
    m->count = m->contacts = 0;
    for (uint32_t i = 0; i < MOVING_BODIES; i++) {
        if ((i == MOVING_GONE && step >= 90) || (i == MOVING_LATE && step < 20))
            continue;
        const double t = step / 30.0, fallen = 6 + i * 0.7 - 4.9 * t * t, turned = i == 6 ? 0 : fmin(t, 1.5) * (0.4 + 0.1 * i);
        const bool rests = i == 6 || fallen <= 0;
        vp_recorded_body *b = &m->now[m->count++];
        *b = (vp_recorded_body){.id = i,
                                .shape = m->body[i].shape,
                                .position = {m->body[i].x, m->body[i].rest - (i == 6 ? 0 : 0.01) + (rests ? 0 : fallen), 0.3 * (i % 3)},
                                .rotation = {0, 2 * sin(turned / 2), 0, 2 * cos(turned / 2)},
                                .state = i == 6           ? VP_BODY_FIXED
                                         : rests && t > 2 ? VP_BODY_ASLEEP
                                                          : VP_BODY_AWAKE};
        for (uint32_t p = 0; p < m->body[i].parts; p++) {
            const vp_manifold_body part = {m->body[i].part[p].shape, moving_pose(b, &m->body[i].part[p].pose)};
            moving_touch(m, i, VP_BODIES_RECORD_GROUND, &part, &(vp_manifold_body){&floor, vp_pose_at((vp_vec3){0, -1, 0})});
            for (uint32_t k = 0; k + 1 < m->count; k++) {
                const uint32_t other = m->now[k].id;
                for (uint32_t o = 0; o < m->body[other].parts; o++)
                    moving_touch(m, i, other, &part,
                                 &(vp_manifold_body){m->body[other].part[o].shape, moving_pose(&m->now[k], &m->body[other].part[o].pose)});
            }
        }
    }
}

static inline vp_bodies_record_now moving_now(const moving *m, const double *figure)
{
    return (vp_bodies_record_now){m->now, m->count, m->contact, m->contacts, figure};
}

#endif
