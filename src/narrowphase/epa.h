/* SPDX-License-Identifier: MIT */
/* EPA (G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001). A polytope
 * inside the set of all differences of a shape's points and a triangle's points grows where it is nearest to 0.
 *
 * 0 need not be inside. A face's distance has a sign, and the polytope grows at its smallest distance. Every direction
 * that was tried is an upper bound of the depth, and the smallest bound is returned. So roundings only affect how near
 * the bound comes to the depth. */
#ifndef VP_NARROWPHASE_EPA_H
#define VP_NARROWPHASE_EPA_H

#include "src/narrowphase/gjk.h"

/* Maximum number of points of a polytope. */
enum { VP_EPA_POINTS = 256, VP_EPA_FACES = 2 * VP_EPA_POINTS };

typedef struct vp_epa_face {
    uint32_t point[3]; /* counterclockwise from outside */
    vp_real3 normal;   /* unit length, or 0 for a face without area, which is never nearest and never visible */
    double offset;     /* distance from 0, or INFINITY for a face without area */
} vp_epa_face;

typedef struct vp_epa {
    vp_gjk_point point[VP_EPA_POINTS];
    vp_epa_face face[VP_EPA_FACES];
    uint32_t points, faces;
} vp_epa;

/* The depth and its place. */
typedef struct vp_epa_found {
    double depth;           /* at least the true depth */
    double least;           /* distance of the polytope's nearest face. If positive, at most the true depth */
    vp_real3 out;           /* unit length, direction in which the triangle leaves */
    vp_gjk_simplex simplex; /* where 0 is nearest to its face, empty if no better than GJK's */
} vp_epa_found;

static inline void vp_epa_put(vp_epa *e, uint32_t a, uint32_t b, uint32_t c)
{
    const vp_real3 p = e->point[a].at, q = e->point[b].at, r = e->point[c].at;
    const vp_real3 pq = vp_real3_sub(q, p), pr = vp_real3_sub(r, p), n = vp_real3_cross(pq, pr);
    const double square = vp_real3_dot(n, n), least = 0x1p-88 * (vp_real3_dot(pq, pq) * vp_real3_dot(pr, pr));
    vp_epa_face *f = &e->face[e->faces++];
    *f = (vp_epa_face){.point = {a, b, c}, .offset = INFINITY};
    if (square > least) {
        f->normal = vp_real3_scale(n, 1.0 / sqrt(square));
        f->offset = vp_real3_dot(f->normal, p);
    }
}

/* Tries a direction of length 1. */
static inline vp_gjk_point vp_epa_try(const vp_gjk_pair *p, vp_real3 n, vp_epa_found *best)
{
    const vp_gjk_point w = vp_gjk_support(p, n);
    const double depth = vp_real3_dot(n, w.at);
    if (depth < best->depth) {
        best->depth = depth;
        best->out = n;
    }
    return w;
}

/* The point farthest along d or against it, whichever is farther from the plane through a perpendicular to d.
 * @return that distance */
static inline double vp_epa_furthest(const vp_gjk_pair *p, vp_real3 a, vp_real3 d, vp_gjk_point *out)
{
    const vp_gjk_point one = vp_gjk_support(p, d), other = vp_gjk_support(p, vp_real3_scale(d, -1.0));
    const double far = fabs(vp_real3_dot(d, vp_real3_sub(one.at, a))), back = fabs(vp_real3_dot(d, vp_real3_sub(other.at, a)));
    *out = far >= back ? one : other;
    return far >= back ? far : back;
}

/* A unit vector perpendicular to the unit vector a. */
static inline vp_real3 vp_epa_across(vp_real3 a)
{
    const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    const vp_real3 least = x <= y && x <= z ? (vp_real3){1.0, 0.0, 0.0} : y <= z ? (vp_real3){0.0, 1.0, 0.0} : (vp_real3){0.0, 0.0, 1.0};
    const vp_real3 c = vp_real3_cross(a, least);
    return vp_real3_scale(c, 1.0 / vp_real3_length(c));
}

/* Finds four points with a volume.
 * @return false if all are in one plane, and *flat is then a unit vector perpendicular to all */
static inline bool vp_epa_begin(const vp_gjk_pair *p, vp_gjk_point t[4], vp_real3 *flat)
{
    const vp_real3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double nothing = VP_GJK_NOTHING * p->size;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        const vp_gjk_point one = vp_gjk_support(p, axis[k]), other = vp_gjk_support(p, vp_real3_scale(axis[k], -1.0));
        const double far = vp_real3_length(vp_real3_sub(one.at, other.at));
        if (far > most) {
            most = far;
            t[0] = one;
            t[1] = other;
        }
    }
    *flat = axis[1];
    if (most <= nothing)
        return false;
    const vp_real3 along = vp_real3_scale(vp_real3_sub(t[1].at, t[0].at), 1.0 / most);
    const vp_real3 across[2] = {vp_epa_across(along), vp_real3_cross(along, vp_epa_across(along))};
    most = 0.0;
    for (int k = 0; k < 2; k++) {
        vp_gjk_point far;
        const double by = vp_epa_furthest(p, t[0].at, across[k], &far);
        if (by > most) {
            most = by;
            t[2] = far;
        }
    }
    *flat = across[0];
    if (most <= nothing)
        return false;
    const vp_real3 n = vp_real3_cross(along, vp_real3_sub(t[2].at, t[0].at));
    *flat = vp_real3_scale(n, 1.0 / vp_real3_length(n));
    return vp_epa_furthest(p, t[0].at, *flat, &t[3]) > nothing;
}

static inline double vp_epa_volume(const vp_gjk_point t[4])
{
    const vp_real3 a = t[0].at;
    return vp_real3_dot(vp_real3_cross(vp_real3_sub(t[1].at, a), vp_real3_sub(t[2].at, a)), vp_real3_sub(t[3].at, a));
}

/* Adds a point. Removes the faces that it sees, and connects their border to it. @return false without room, or if there
 * are `most` points already */
static inline bool vp_epa_grow(vp_epa *e, uint32_t most, vp_gjk_point w, double nothing)
{
    uint32_t border[VP_EPA_FACES][2], edges = 0;
    if (e->points == most)
        return false;
    for (uint32_t i = 0; i < e->faces;) {
        if (!(vp_real3_dot(e->face[i].normal, w.at) - e->face[i].offset > nothing)) {
            i++;
            continue;
        }
        const vp_epa_face f = e->face[i];
        e->face[i] = e->face[--e->faces];
        for (int k = 0; k < 3; k++) { /* an edge that appears in both directions is inside, and is removed */
            const uint32_t from = f.point[k], to = f.point[(k + 1) % 3];
            uint32_t at = 0;
            while (at < edges && !(border[at][0] == to && border[at][1] == from))
                at++;
            if (at < edges) {
                edges--;
                border[at][0] = border[edges][0];
                border[at][1] = border[edges][1];
            } else if (edges == VP_EPA_FACES)
                return false;
            else {
                border[edges][0] = from;
                border[edges++][1] = to;
            }
        }
    }
    if (e->faces + edges > VP_EPA_FACES)
        return false;
    e->point[e->points++] = w;
    for (uint32_t i = 0; i < edges; i++)
        vp_epa_put(e, border[i][0], border[i][1], e->points - 1);
    return true;
}

/* The part of a face that is nearest to 0. @return its distance */
static inline double vp_epa_nearest(const vp_epa *e, const vp_epa_face *f, vp_gjk_simplex *out)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < 3; k++) { /* each point as the last one */
        vp_gjk_simplex s, part;
        vp_real3 unused;
        s.count = 3;
        for (uint32_t i = 0; i < 3; i++)
            s.point[i] = e->point[f->point[(k + 1 + i) % 3]];
        const double far = vp_gjk_nearest(&s, &part, &unused);
        if (far < least) {
            least = far;
            *out = part;
        }
    }
    return least;
}

/* Finds the place of the depth: among all faces perpendicular to the way out and at its distance, the one that 0 is
 * nearest to. A flat side may consist of several faces. A round shape may have no face near enough. Then the face whose
 * normal is nearest to the way out is used. */
static inline void vp_epa_place(const vp_epa *e, const vp_gjk_pair *p, vp_epa_found *found)
{
    double least = INFINITY, most = -INFINITY;
    const vp_epa_face *across = NULL;
    for (uint32_t i = 0; i < e->faces; i++) {
        vp_gjk_simplex s;
        const vp_epa_face *f = &e->face[i];
        const double along = vp_real3_dot(f->normal, found->out);
        if (f->offset < INFINITY && along > most) {
            most = along;
            across = f;
        }
        if (f->offset - found->depth > VP_EPA_ENOUGH * p->size || along < 1.0 - 0x1p-20)
            continue;
        const double far = vp_epa_nearest(e, f, &s);
        if (far < least) {
            least = far;
            found->simplex = s;
        }
    }
    if (least == INFINITY && across != NULL)
        vp_epa_nearest(e, across, &found->simplex);
}

/* @param around  result of GJK. If it has a volume, the polytope starts with it.
 * @param placed   whether to find the place */
static inline vp_epa_found vp_epa_depth(const vp_gjk_pair *p, const vp_gjk_simplex *around, bool placed)
{
    vp_epa_found best = {.depth = INFINITY, .least = -INFINITY, .out = {0.0, 1.0, 0.0}};
    vp_gjk_point t[4];
    vp_real3 flat;
    vp_epa e;
    for (uint32_t i = 0; i < 4 && around->count == 4; i++)
        t[i] = around->point[i];
    if (around->count < 4 && !vp_epa_begin(p, t, &flat)) {
        vp_epa_try(p, flat, &best);
        vp_epa_try(p, vp_real3_scale(flat, -1.0), &best);
        return best;
    }
    const bool turned = vp_epa_volume(t) > 0.0; /* the fourth point is in front of the first three */
    e.points = 4;
    e.faces = 0;
    e.point[0] = t[0], e.point[1] = t[turned ? 2 : 1], e.point[2] = t[turned ? 1 : 2], e.point[3] = t[3];
    vp_epa_put(&e, 0, 1, 2);
    vp_epa_put(&e, 0, 3, 1);
    vp_epa_put(&e, 1, 3, 2);
    vp_epa_put(&e, 2, 3, 0);
    for (uint32_t step = 0; step < p->points; step++) {
        uint32_t nearest = 0;
        for (uint32_t i = 1; i < e.faces; i++)
            nearest = e.face[i].offset < e.face[nearest].offset ? i : nearest;
        const vp_epa_face f = e.face[nearest];
        if (e.faces == 0 || f.offset == INFINITY)
            break;
        const vp_gjk_point w = vp_epa_try(p, f.normal, &best);
        best.least = f.offset;
        if (best.depth - f.offset <= vp_double_max(VP_EPA_ENOUGH * p->size, p->rough) ||
            !vp_epa_grow(&e, p->points, w, VP_GJK_NOTHING * p->size))
            break;
    }
    if (best.depth == INFINITY) /* no face has an area */
        vp_epa_try(p, best.out, &best);
    if (placed && (best.depth > VP_GJK_TOUCHES * p->size || around->count == 4)) /* otherwise 0 is inside GJK's simplex */
        vp_epa_place(&e, p, &best);
    return best;
}

#endif
