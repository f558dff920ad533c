/* SPDX-License-Identifier: MIT */
/* The distance that a body must move to leave a solid, which is a union of boxes along the world's axes. Brute force over separating axes
 * and supports finds it. It shares no code with the library. Any axis may be tried, so that no list of features has to be right. */
#ifndef VP_TESTS_NARROWPHASE_WAY_OUT_H
#define VP_TESTS_NARROWPHASE_WAY_OUT_H

#include "cases/narrowphase/slides.h"

enum { WAY_AXES = 2048, WAY_BOXES = 256, WAY_ROUND = 128 };

typedef struct way_solid {
    double low[WAY_BOXES][3], high[WAY_BOXES][3];
    uint32_t count;
} way_solid;

/* A body with any pose, the directions that can separate it from a box, and its extent along each. */
typedef struct way_body {
    const vp_collide_shape *shape;
    vp_collide_frame frame;
    real3 axis[WAY_AXES];
    double low[WAY_AXES], high[WAY_AXES];
    uint32_t count;
    double radius;
} way_body;

static inline double real_of_axis(real3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static inline real3 real_plus(real3 a, real3 b, double by)
{
    return (real3){a.x + by * b.x, a.y + by * b.y, a.z + by * b.z};
}

static inline void way_add_axis(way_body *b, real3 u)
{
    const double length = sqrt(real_dot(u, u));
    if (!(length > 1e-6) || b->count == WAY_AXES)
        return;
    u = real_unit(u);
    b->axis[b->count] = u;
    b->high[b->count] = real_dot(u, slide_support(b->shape, &b->frame, u));
    b->low[b->count++] = real_dot(u, slide_support(b->shape, &b->frame, real_minus(u)));
}

static inline void way_add_edge(way_body *b, real3 along)
{
    way_add_axis(b, (real3){0.0, -along.z, along.y});
    way_add_axis(b, (real3){along.z, 0.0, -along.x});
    way_add_axis(b, (real3){-along.y, along.x, 0.0});
}

static inline real3 way_turned(const way_body *b, double x, double y, double z)
{
    const vp_vec3 *row = b->frame.row;
    return real_plus(real_plus(real_plus((real3){0.0, 0.0, 0.0}, real_of(row[0]), x), real_of(row[1]), y), real_of(row[2]), z);
}

static inline void way_body_turn(way_body *b, const vp_collide_shape *shape, const vp_pose *pose)
{
    const vp_collide_hull *hull = shape->hull;
    b->shape = shape;
    b->count = 0;
    b->radius = (double)vp_collide_radius(shape);
    if (vp_collide_frame_of(pose, &b->frame, NULL) != VP_OK)
        abort();
    for (int k = 0; k < 3; k++)
        way_add_axis(b, (real3){k == 0, k == 1, k == 2});
    for (int k = 0; k < 3 && (shape->kind == VP_COLLIDE_BOX || shape->kind == VP_COLLIDE_CYLINDER); k++) {
        way_add_axis(b, real_of(b->frame.row[k]));
        way_add_edge(b, real_of(b->frame.row[k]));
    }
    for (int i = 0; i < WAY_ROUND && shape->kind == VP_COLLIDE_CYLINDER; i++) {
        const double angle = 3.14159265358979323846 * i / WAY_ROUND;
        way_add_axis(b, way_turned(b, cos(angle), 0.0, sin(angle)));
        way_add_edge(b, way_turned(b, cos(angle), 0.0, sin(angle)));
    }
    if (shape->kind != VP_COLLIDE_HULL)
        return;
    for (uint32_t i = 0; i < hull->face_count; i++) {
        const vp_vec3 n = hull->plane[i].normal;
        way_add_axis(b, way_turned(b, (double)n.x, (double)n.y, (double)n.z));
    }
    for (uint32_t i = 0; i < hull->edge_count; i++) {
        const vp_vec3 e = vp_vec3_sub(hull->vertex[hull->edge[i].vertex[1]], hull->vertex[hull->edge[i].vertex[0]]);
        way_add_edge(b, way_turned(b, (double)e.x, (double)e.y, (double)e.z));
    }
}

/* The vector from p to the nearest point of a box. */
static inline real3 way_to_box(const way_solid *s, uint32_t i, real3 p)
{
    const double *a = s->low[i], *b = s->high[i];
    return (real3){fmin(fmax(p.x, a[0]), b[0]) - p.x, fmin(fmax(p.y, a[1]), b[1]) - p.y, fmin(fmax(p.z, a[2]), b[2]) - p.z};
}

/* The distance of the segment of a sphere or a capsule from a box, a convex function along the segment. */
static inline double way_from_segment(const way_body *b, const way_solid *s, uint32_t i, real3 p)
{
    const real3 up = real_of(b->frame.row[1]);
    const double h = b->shape->kind == VP_COLLIDE_CAPSULE ? (double)b->shape->half_height : 0.0;
    double from = -h, to = h;
    for (int k = 0; k < 60 && to > from; k++) {
        const double one = from + (to - from) / 3.0, two = to - (to - from) / 3.0;
        const real3 c = way_to_box(s, i, real_plus(p, up, one)), d = way_to_box(s, i, real_plus(p, up, two));
        if (real_dot(c, c) < real_dot(d, d))
            to = two;
        else
            from = one;
    }
    const real3 c = way_to_box(s, i, real_plus(p, up, (from + to) / 2.0));
    return sqrt(real_dot(c, c));
}

/* Whether the body at p overlaps box i by more than roundings. */
static inline bool way_overlaps(const way_body *b, const way_solid *s, uint32_t i, real3 p)
{
    const double nothing = 1e-9;
    const real3 to = way_to_box(s, i, p);
    if (real_dot(to, to) >= b->radius * b->radius)
        return false;
    if (b->shape->kind == VP_COLLIDE_SPHERE || b->shape->kind == VP_COLLIDE_CAPSULE)
        return way_from_segment(b, s, i, p) < (double)b->shape->radius - nothing;
    for (uint32_t k = 0; k < b->count; k++) {
        double low = 0.0, high = 0.0;
        for (int a = 0; a < 3; a++) {
            const double u = real_of_axis(b->axis[k], a);
            low += u * (u > 0.0 ? s->low[i][a] : s->high[i][a]);
            high += u * (u > 0.0 ? s->high[i][a] : s->low[i][a]);
        }
        const double at = real_dot(b->axis[k], p);
        if (at + b->high[k] <= low + nothing || at + b->low[k] >= high - nothing)
            return false;
    }
    return true;
}

static inline bool way_overlaps_any(const way_body *b, const way_solid *s, real3 p)
{
    bool overlaps = false;
    for (uint32_t i = 0; i < s->count && !overlaps; i++)
        overlaps = way_overlaps(b, s, i, p);
    return overlaps;
}

/* A way along w after which a plane perpendicular to w separates the body from box i. */
static inline double way_of_box(const way_body *b, const way_solid *s, uint32_t i, real3 p, real3 w)
{
    double most = -real_dot(w, p) - real_dot(w, slide_support(b->shape, &b->frame, real_minus(w)));
    for (int a = 0; a < 3; a++)
        most += real_of_axis(w, a) * (real_of_axis(w, a) > 0.0 ? s->high[i][a] : s->low[i][a]);
    return most;
}

/* A way along w after which the body is out of the solid. It is at least the shortest such way, and equal to it if a side of a
 * box faces w. */
static inline double way_along(const way_body *b, const way_solid *s, real3 p, real3 w)
{
    double t = 0.0, before;
    do {
        before = t;
        for (uint32_t i = 0; i < s->count; i++)
            if (way_overlaps(b, s, i, real_plus(p, w, before)))
                t = fmax(t, way_of_box(b, s, i, p, w));
    } while (t > before + 1e-9);
    return t;
}

#endif
