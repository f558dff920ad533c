/* SPDX-License-Identifier: MIT */
/* A moving sphere against one triangle. This is the only definition of the first contact, in double from end to end.
 *
 * The sphere touches the triangle from the start, or first its face, one of its edges, or one of its corners.
 * The least parameter of these seven is the contact. A face is touched where the centre is a radius above its
 * plane and the point below it is inside. The centre's path meets cylinders around edges and spheres around
 * corners, by quadratic equations.
 *
 * Triangles are ordered by s, then by the distance of the centre at the contact, then by number. A sphere that touches
 * a triangle later is a radius away from it. A sphere that overlaps several triangles at its start touches all of them
 * at s = 0, so the order picks the nearest. The distance is rounded to a float first, because two triangles that share
 * an edge may differ in its last bits.
 *
 * Coefficients cancel if a triangle is a needle, or millions of times as far away as it is large, and the rest may
 * yield a false contact. So a contact counts only if the centre is within the triangle's box, grown by the radius and
 * half of the pad of trees (vp_ray_pad). So no tree can cut it, for any triangle. */
#ifndef VP_KD_SPHERE_TRIANGLE_H
#define VP_KD_SPHERE_TRIANGLE_H

#include "src/core/inline.h"
#include "src/core/real3.h"
#include "src/kd/ray_triangle.h"

static inline double vp_double_clamp(double v)
{
    return v > 0 ? (v < 1 ? v : 1) : 0;
}

/* A contact: s, the weights of the second and third corner in the touched point, and its distance from the centre. */
typedef struct vp_contact_point {
    double s, u, v, distance;
} vp_contact_point;

/* The part of its path in which the centre is within a triangle's box. */
typedef struct vp_stay {
    double from, to;
} vp_stay;

static inline void vp_contact_take(vp_contact_point *best, const vp_stay *stay, double s, double u, double v)
{
    if (s >= stay->from && s <= stay->to && s < best->s)
        *best = (vp_contact_point){.s = s, .u = u, .v = v};
}

/* For the triangle p from the ray's origin. `from` is at least 0. */
static inline vp_stay vp_stay_in_box(const vp_ray_frame *r, double radius, const vp_real3 p[3])
{
    const double of[3][3] = {{p[0].x, p[0].y, p[0].z}, {p[1].x, p[1].y, p[1].z}, {p[2].x, p[2].y, p[2].z}};
    double most = radius;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs((double)r->origin[k]));
        for (int i = 0; i < 3; i++)
            most = fmax(most, fabs(of[i][k] + r->origin[k]));
    }
    vp_stay stay = {0, INFINITY};
    for (int k = 0; k < 3; k++) {
        const double pad = radius + most * 0x1p-20, d = r->direction[k];
        const double low = fmin(fmin(of[0][k], of[1][k]), of[2][k]) - pad, high = fmax(fmax(of[0][k], of[1][k]), of[2][k]) + pad;
        if (d == 0) {
            if (low > 0 || high < 0)
                stay.to = -1;
            continue;
        }
        stay.from = fmax(stay.from, (d > 0 ? low : high) / d);
        stay.to = fmin(stay.to, (d > 0 ? high : low) / d);
    }
    return stay;
}

/* The least root of a s^2 + 2 b s + c for a path that enters. -1 if none exists. */
static inline double vp_first_root(double a, double b, double c)
{
    double inside = b * b - a * c;
    return a > 0 && inside >= 0 ? (-b - sqrt(inside)) / a : -1;
}

/* Weights of the point of a triangle that is nearest to a plane point p, given by its products with the edges from its
   first corner. @return false if it is outside */
static inline bool vp_weights_inside(vp_real3 ab, vp_real3 ac, vp_real3 ap, double *u, double *v)
{
    const double d00 = vp_real3_dot(ab, ab), d01 = vp_real3_dot(ab, ac), d11 = vp_real3_dot(ac, ac);
    const double d20 = vp_real3_dot(ap, ab), d21 = vp_real3_dot(ap, ac), area = d00 * d11 - d01 * d01;
    *u = (d11 * d20 - d01 * d21) / area;
    *v = (d00 * d21 - d01 * d20) / area;
    return *u >= 0 && *v >= 0 && *u + *v <= 1; /* NaN, from a triangle without area, is not inside */
}

/* The path of the centre, s*d, against the edge from p to p + e, for the cylinder and, at p, the sphere. @return f, the
   position along the edge, in *at */
static inline double vp_sweep_edge(vp_real3 d, double radius, vp_real3 p, vp_real3 e, double *at)
{
    const vp_real3 m = {-p.x, -p.y, -p.z};
    const double ee = vp_real3_dot(e, e), ed = vp_real3_dot(e, d), em = vp_real3_dot(e, m);
    const double a = vp_real3_dot(d, d) * ee - ed * ed, b = ee * vp_real3_dot(m, d) - em * ed;
    const double c = ee * (vp_real3_dot(m, m) - radius * radius) - em * em;
    const double s = vp_first_root(a, b, c);
    *at = (em + s * ed) / ee;
    return s >= 0 && *at >= 0 && *at <= 1 ? s : -1;
}

static inline double vp_sweep_corner(vp_real3 d, double radius, vp_real3 p)
{
    return vp_first_root(vp_real3_dot(d, d), -vp_real3_dot(p, d), vp_real3_dot(p, p) - radius * radius);
}

/* vp_sphere_meets is one function, which is called. Split into pieces, gcc would put some of them into the loops of
   rays, which slows those down. */

/* The point of a triangle that is nearest to zero, which is inside it or on one of its edges, and its weights. */
VP_INLINE vp_real3 vp_nearest_point(const vp_real3 p[3], vp_contact_point *out)
{
    const vp_real3 ab = vp_real3_sub(p[1], p[0]), ac = vp_real3_sub(p[2], p[0]);
    const vp_real3 to_zero = {-p[0].x, -p[0].y, -p[0].z};
    vp_real3 point = p[0];
    double u, v, nearest = INFINITY;
    if (vp_weights_inside(ab, ac, to_zero, &u, &v)) {
        point = vp_real3_plus(vp_real3_plus(p[0], ab, u), ac, v);
        nearest = vp_real3_dot(point, point);
        *out = (vp_contact_point){.u = u, .v = v};
    }
    for (int i = 0; i < 3; i++) {
        const vp_real3 e = vp_real3_sub(p[(i + 1) % 3], p[i]);
        const double ee = vp_real3_dot(e, e);
        const double f = ee > 0 ? vp_double_clamp(-vp_real3_dot(p[i], e) / ee) : 0;
        const vp_real3 at = vp_real3_plus(p[i], e, f);
        const double distance = vp_real3_dot(at, at);
        if (distance < nearest) {
            nearest = distance;
            point = at;
            *out = (vp_contact_point){.u = i == 0 ? f : i == 1 ? 1 - f : 0, .v = i == 1 ? f : i == 2 ? 1 - f : 0};
        }
    }
    return point;
}

/* Whether the sphere touches at its start. */
static inline bool vp_sphere_touches(double radius, const vp_real3 p[3], vp_contact_point *out)
{
    const vp_real3 nearest = vp_nearest_point(p, out);
    const double square = vp_real3_dot(nearest, nearest);
    out->distance = sqrt(square);
    return square <= radius * radius;
}

/* The corners of a triangle from a ray's origin. */
VP_INLINE void vp_from_origin(const vp_ray_frame *r, const float a[3], const float b[3], const float c[3], vp_real3 p[3])
{
    const float *const corner[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        p[i] = (vp_real3){(double)corner[i][0] - r->origin[0], (double)corner[i][1] - r->origin[1], (double)corner[i][2] - r->origin[2]};
}

/* The first contact of the sphere, with a ray's frame and a radius of at least 0, with the triangle p from the ray's
   origin. The ray's end is ignored. */
VP_INLINE bool vp_sphere_first(const vp_ray_frame *r, double size, const vp_real3 p[3], vp_contact_point *out)
{
    const vp_real3 d = {r->direction[0], r->direction[1], r->direction[2]};
    vp_contact_point best = {.s = INFINITY};
    const vp_stay stay = vp_stay_in_box(r, size, p);
    if (stay.from > stay.to)
        return false;
    if (stay.from > 0 || !vp_sphere_touches(size, p, &best)) {
        const vp_real3 ab = vp_real3_sub(p[1], p[0]), ac = vp_real3_sub(p[2], p[0]);
        const vp_real3 n = vp_real3_cross(ab, ac);
        const double length = sqrt(vp_real3_dot(n, n));
        const double above = -vp_real3_dot(n, p[0]) / length, rise = vp_real3_dot(n, d) / length;
        const double side = above < 0 ? -1 : 1;
        double u, v;
        best.s = INFINITY;
        if (side * above > size && side * rise < 0) {
            const double s = (side * above - size) / (-side * rise);
            const vp_real3 touched = vp_real3_plus((vp_real3){s * d.x, s * d.y, s * d.z}, n, -side * size / length);
            if (vp_weights_inside(ab, ac, vp_real3_sub(touched, p[0]), &u, &v))
                vp_contact_take(&best, &stay, s, u, v);
        }
        for (int i = 0; i < 3; i++) {
            double f;
            const double s = vp_sweep_edge(d, size, p[i], vp_real3_sub(p[(i + 1) % 3], p[i]), &f);
            vp_contact_take(&best, &stay, s, i == 0 ? f : i == 1 ? 1 - f : 0, i == 1 ? f : i == 2 ? 1 - f : 0);
            vp_contact_take(&best, &stay, vp_sweep_corner(d, size, p[i]), i == 1, i == 2);
        }
        best.distance = size;
    }
    *out = best;
    return best.s <= FLT_MAX;
}

/* The same for a triangle's corners, up to the ray's end. */
static inline bool vp_sphere_meets(const vp_ray_frame *r, float radius, const float a[3], const float b[3], const float c[3],
                                   vp_meeting *out)
{
    vp_real3 p[3];
    vp_contact_point best;
    vp_from_origin(r, a, b, c, p);
    if (!vp_sphere_first(r, radius, p, &best))
        return false;
    *out = (vp_meeting){.s = (float)best.s, .u = (float)best.u, .v = (float)best.v, .distance = (float)best.distance};
    out->t = (float)(out->s * r->unscale);
    return out->s <= r->s_max && out->t <= r->t_max && out->t <= FLT_MAX;
}

#endif
