/* SPDX-License-Identifier: MIT */
/* Shapes that slide over grounds at a given depth, computed from the grounds' formulas alone. */
#ifndef VP_COLLIDE_SLIDES_H
#define VP_COLLIDE_SLIDES_H

#include "cases/narrowphase/grounds.h"

/* The farthest point of a shape along a direction, relative to its position. */
static inline vp_real3 slide_support(const vp_collide_shape *s, const vp_collide_frame *f, vp_real3 d)
{
    const vp_real3 row[3] = {vp_real3_of(f->row[0]), vp_real3_of(f->row[1]), vp_real3_of(f->row[2])};
    const double u[3] = {vp_real3_dot(row[0], d), vp_real3_dot(row[1], d), vp_real3_dot(row[2], d)};
    const double r = (double)s->radius, h = (double)s->half_height, flat = sqrt(u[0] * u[0] + u[2] * u[2]);
    const double half[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    double p[3] = {0.0, 0.0, 0.0}, best = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
    case VP_COLLIDE_CAPSULE:
        for (int k = 0; k < 3; k++)
            p[k] = r * u[k];
        p[1] += u[1] > 0.0 ? h : -h;
        break;
    case VP_COLLIDE_BOX:
        for (int k = 0; k < 3; k++)
            p[k] = u[k] > 0.0 ? half[k] : -half[k];
        break;
    case VP_COLLIDE_CYLINDER:
        p[0] = flat > 0.0 ? r * u[0] / flat : 0.0;
        p[1] = u[1] > 0.0 ? h : -h;
        p[2] = flat > 0.0 ? r * u[2] / flat : 0.0;
        break;
    default:
        for (uint32_t i = 0; i < s->hull->vertex_count; i++) {
            const vp_real3 v = vp_real3_of(s->hull->vertex[i]);
            const double reach = v.x * u[0] + v.y * u[1] + v.z * u[2];
            if (reach <= best)
                continue;
            best = reach;
            p[0] = v.x;
            p[1] = v.y;
            p[2] = v.z;
        }
    }
    return (vp_real3){row[0].x * p[0] + row[1].x * p[1] + row[2].x * p[2], row[0].y * p[0] + row[1].y * p[1] + row[2].y * p[2],
                      row[0].z * p[0] + row[1].z * p[1] + row[2].z * p[2]};
}

static inline vp_real3 real_minus(vp_real3 a)
{
    return (vp_real3){-a.x, -a.y, -a.z};
}

/* A shape at a place of a ground. */
typedef struct ground_place {
    const vp_collide_shape *shape;
    vp_collide_frame frame;
    vp_pose pose;
    vp_real3 at;  /* the position */
    vp_real3 way; /* for callers that move it along a line */
    ground_shape g;
} ground_place;

/* The depth of the shape below the plane. */
static inline double slide_depth(const void *context, const ground_solid *solid, vp_real3 n)
{
    const ground_place *p = context;
    const vp_real3 s = slide_support(p->shape, &p->frame, real_minus(n));
    return -vp_real3_dot(n, (vp_real3){p->at.x + s.x - solid->tip.x, p->at.y + s.y - solid->tip.y, p->at.z + s.z - solid->tip.z});
}

/* The height by which it must be lifted to only touch the plane. */
static inline double slide_lift(const void *context, const ground_solid *solid, vp_real3 n)
{
    return slide_depth(context, solid, n) / n.y;
}

/* Its depth when its middle is on the plane. */
static inline double slide_half(const void *context, const ground_solid *solid, vp_real3 n)
{
    const ground_place *p = context;
    (void)solid;
    return -vp_real3_dot(n, slide_support(p->shape, &p->frame, real_minus(n)));
}

/* Moves above or below a place of the ground. @return the maximum depth, at which its middle is on a plane of the ground */
static inline double slide_to(ground_place *p, float x, float z)
{
    ground_solid solid[4];
    double half = INFINITY;
    p->pose.position = (vp_vec3){x, 0.0f, z};
    p->at = vp_real3_of(p->pose.position);
    const int solids = ground_solids(p->g, p->at.x, p->at.z, solid);
    for (int k = 0; k < solids; k++)
        half = fmin(half, least_of(&solid[k], slide_half, p, NULL));
    return half;
}

/* Moves it up or down until its largest overlap with a solid is `overlap`. */
static inline void slide_into(ground_place *p, double overlap)
{
    ground_solid solid[4];
    double lift = -INFINITY;
    p->at.y = 0.0;
    const int solids = ground_solids(p->g, p->at.x, p->at.z, solid);
    for (int k = 0; k < solids; k++) {
        vp_real3 n;
        const double to = least_of(&solid[k], slide_lift, p, &n);
        lift = fmax(lift, to - overlap / n.y);
    }
    p->pose.position.y = (float)lift;
    p->at = vp_real3_of(p->pose.position);
}

#endif
