/* SPDX-License-Identifier: MIT */
/* Rounded boxes: all points within a radius of a box, whose half axes can be 0. All tests are in double, and this is their only definition.
 *
 * Why a tree loses nothing. A point is compared with the box in the frame of its axes, which rounds by less than 2^-48 of the point's
 * distance from the centre. Tests of bounds add 2^-40 of it, and of the shape's and the bound's size. A half-space is tested with 2^-40 of
 * the sum of the absolute terms. Moving shapes are rays with bounds that are grown by the shape's reach and by 2^-18 of the coordinates. */
#include "src/spheretree/shape.h"

#include <inttypes.h>
#include <math.h>

#include "src/core/error.h"
#include "src/spheretree/touch.h"
#include "src/spheretree/walk.h"

#define PAD 0x1p-40

static double component(vp_real3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/* A vector in the frame of a shape. */
static vp_real3 to_frame(const vp_scene_shape *s, vp_real3 v)
{
    return (vp_real3){vp_real3_dot(v, s->axis[0]), vp_real3_dot(v, s->axis[1]), vp_real3_dot(v, s->axis[2])};
}

/* A point in the frame, from the shape's centre. */
static vp_real3 from_centre(const vp_scene_shape *s, vp_vec3 p)
{
    return to_frame(s, vp_real3_sub(vp_real3_of(p), s->centre));
}

/* From the nearest point of the box to a point. */
static vp_real3 from_box(const vp_scene_shape *s, vp_real3 p)
{
    double v[3];
    for (int k = 0; k < 3; k++) {
        const double c = component(p, k), h = s->half[k];
        v[k] = c > h ? c - h : c < -h ? c + h : 0;
    }
    return (vp_real3){v[0], v[1], v[2]};
}

/* ---- triangles ---- */

/* The smaller of the distances of the points on two segments p + s d and q + t e, as a vector from the first. */
static void shorten(vp_real3 candidate, double *best, vp_real3 *out)
{
    const double square = vp_real3_dot(candidate, candidate);
    if (square < *best) {
        *best = square;
        *out = candidate;
    }
}

static vp_real3 between_segments(vp_real3 p, vp_real3 d, vp_real3 q, vp_real3 e)
{
    const vp_real3 r = vp_real3_sub(p, q);
    const double a = vp_real3_dot(d, d), b = vp_real3_dot(d, e), c = vp_real3_dot(d, r), f = vp_real3_dot(e, r), g = vp_real3_dot(e, e),
                 det = a * g - b * b;
    double s = det > 0 ? vp_double_clamp((b * f - c * g) / det) : 0, t = g > 0 ? (b * s + f) / g : 0;
    if (t < 0 || t > 1) {
        t = vp_double_clamp(t);
        s = a > 0 ? vp_double_clamp((b * t - c) / a) : 0;
    }
    return vp_real3_sub(vp_real3_plus(q, e, t), vp_real3_plus(p, d, s));
}

/* Whether a box and a triangle in its frame overlap, by separating axes. */
static bool is_overlapping(const double half[3], const vp_real3 p[3])
{
    const vp_real3 edge[3] = {vp_real3_sub(p[1], p[0]), vp_real3_sub(p[2], p[1]), vp_real3_sub(p[0], p[2])};
    for (int k = 0; k < 3; k++) {
        const double a = component(p[0], k), b = component(p[1], k), c = component(p[2], k);
        if (fmin(fmin(a, b), c) > half[k] || fmax(fmax(a, b), c) < -half[k])
            return false;
    }
    for (int i = -1; i < 9; i++) { /* the triangle's normal, then products of its edges with the axes */
        const vp_real3 unit = {i / 3 == 0, i / 3 == 1, i / 3 == 2}, n = vp_real3_cross(i < 0 ? edge[0] : unit, edge[i < 0 ? 1 : i % 3]);
        const double a = vp_real3_dot(n, p[0]), b = vp_real3_dot(n, p[1]), c = vp_real3_dot(n, p[2]),
                     reach = fabs(n.x) * half[0] + fabs(n.y) * half[1] + fabs(n.z) * half[2];
        if (fmin(fmin(a, b), c) > reach || fmax(fmax(a, b), c) < -reach)
            return false;
    }
    return true;
}

/* From the box to a triangle in its frame, between the nearest points. 0 if they overlap. */
static vp_real3 from_box_to_triangle(const vp_scene_shape *s, const vp_real3 p[3])
{
    vp_real3 out = {0, 0, 0};
    double best = INFINITY;
    if (is_overlapping(s->half, p))
        return out;
    for (int i = 0; i < 3; i++)
        shorten(from_box(s, p[i]), &best, &out);
    for (int i = 0; i < 8; i++) {
        const vp_real3 corner = {(i & 1) != 0 ? s->half[0] : -s->half[0], (i & 2) != 0 ? s->half[1] : -s->half[1],
                                 (i & 4) != 0 ? s->half[2] : -s->half[2]};
        if (((i & 1) != 0 && s->half[0] == 0) || ((i & 2) != 0 && s->half[1] == 0) || ((i & 4) != 0 && s->half[2] == 0))
            continue;
        const vp_real3 seen[3] = {vp_real3_sub(p[0], corner), vp_real3_sub(p[1], corner), vp_real3_sub(p[2], corner)};
        vp_contact_point unused;
        shorten(vp_nearest_point(seen, &unused), &best, &out);
        for (int k = 0; k < 3; k++) { /* the edges that begin at a corner with the lower coordinate */
            if ((i >> k & 1) != 0 || s->half[k] == 0)
                continue;
            const double along = 2 * s->half[k];
            const vp_real3 d = {k == 0 ? along : 0, k == 1 ? along : 0, k == 2 ? along : 0};
            for (int e = 0; e < 3; e++)
                shorten(between_segments(corner, d, p[e], vp_real3_sub(p[(e + 1) % 3], p[e])), &best, &out);
        }
    }
    return out;
}

/* ---- queries ---- */

static const vp_scene_shape *shape_of(const vp_touch_query *by)
{
    return (const vp_scene_shape *)(const void *)by;
}

static bool is_box_near(const vp_touch_query *by, const vp_sphere *bound)
{
    const vp_scene_shape *s = shape_of(by);
    const vp_real3 p = from_centre(s, bound->centre), v = from_box(s, p);
    const double size = s->radius + (double)bound->radius,
                 reach = size + (fabs(p.x) + fabs(p.y) + fabs(p.z) + s->half[0] + s->half[1] + s->half[2] + size) * PAD;
    return vp_real3_dot(v, v) <= reach * reach;
}

static bool is_box_touching(const vp_touch_query *by, const vp_sphere *sphere)
{
    const vp_scene_shape *s = shape_of(by);
    const vp_real3 v = from_box(s, from_centre(s, sphere->centre));
    const double reach = s->radius + (double)sphere->radius;
    return vp_real3_dot(v, v) <= reach * reach;
}

static bool is_box_touching_triangle(const vp_touch_query *by, const vp_vec3 corner[3])
{
    const vp_scene_shape *s = shape_of(by);
    const vp_real3 p[3] = {from_centre(s, corner[0]), from_centre(s, corner[1]), from_centre(s, corner[2])}, v = from_box_to_triangle(s, p);
    return vp_real3_dot(v, v) <= s->radius * s->radius;
}

static double height_above(const vp_spheretree_plane *plane, vp_vec3 p, double *terms)
{
    const double x = (double)plane->normal.x * (double)p.x, y = (double)plane->normal.y * (double)p.y,
                 z = (double)plane->normal.z * (double)p.z, d = (double)plane->offset;
    *terms = fabs(x) + fabs(y) + fabs(z) + fabs(d);
    return ((x + y) + z) + d;
}

static bool is_within(const vp_touch_query *by, const vp_sphere *sphere, double pad)
{
    const vp_scene_shape *s = shape_of(by);
    for (uint32_t i = 0; i < s->planes; i++) {
        const vp_real3 n = vp_real3_of(s->plane[i].normal);
        const double reach = sqrt(vp_real3_dot(n, n)) * (double)sphere->radius;
        double terms;
        if (height_above(&s->plane[i], sphere->centre, &terms) < -(reach + (reach + terms) * pad))
            return false;
    }
    return true;
}

static bool is_within_near(const vp_touch_query *by, const vp_sphere *bound)
{
    return is_within(by, bound, PAD);
}

static bool is_sphere_within(const vp_touch_query *by, const vp_sphere *sphere)
{
    return is_within(by, sphere, 0);
}

static bool is_triangle_within(const vp_touch_query *by, const vp_vec3 corner[3])
{
    const vp_scene_shape *s = shape_of(by);
    for (uint32_t i = 0; i < s->planes; i++) {
        double terms;
        if (height_above(&s->plane[i], corner[0], &terms) < 0 && height_above(&s->plane[i], corner[1], &terms) < 0 &&
            height_above(&s->plane[i], corner[2], &terms) < 0)
            return false;
    }
    return true;
}

/* ---- sweeps ---- */

static bool keep_meeting(const vp_ray_frame *ray, double s, vp_meeting *out)
{
    *out = (vp_meeting){.s = (float)s};
    out->t = (float)(out->s * ray->unscale);
    return out->s <= ray->s_max && out->t <= ray->t_max && out->t <= FLT_MAX;
}

/* A sphere passes the still box along -d. Between the planes of the box's faces, its squared distance is a quadratic function. */
bool vp_shape_meets_sphere(const vp_scene_shape *shape, const vp_ray_frame *ray, const vp_sphere *sphere, vp_meeting *out)
{
    const vp_real3 d = to_frame(shape, (vp_real3){ray->direction[0], ray->direction[1], ray->direction[2]}),
                   p = from_centre(shape, sphere->centre), start = from_box(shape, p);
    const double size = shape->radius + (double)sphere->radius;
    double cut[8] = {0};
    int cuts = 1;
    if (vp_real3_dot(start, start) <= size * size)
        return keep_meeting(ray, 0, out);
    for (int i = 0; i < 6; i++) {
        const double along = component(d, i / 2), half = i % 2 == 0 ? shape->half[i / 2] : -shape->half[i / 2],
                     at = (component(p, i / 2) - half) / along;
        if (along == 0 || !(at > 0))
            continue;
        int k = cuts++;
        for (; k > 1 && cut[k - 1] > at; k--)
            cut[k] = cut[k - 1];
        cut[k] = at;
    }
    cut[cuts] = INFINITY;
    for (int i = 0; i < cuts; i++) {
        const double middle = i + 1 < cuts ? (cut[i] + cut[i + 1]) / 2 : cut[i] * 2 + 1;
        double a = 0, b = 0, w[3] = {0, 0, 0}, e[3] = {0, 0, 0}, square = 0;
        for (int k = 0; k < 3; k++) {
            const double at = component(p, k) - middle * component(d, k), half = shape->half[k];
            if (fabs(at) <= half)
                continue;
            w[k] = component(p, k) - (at > 0 ? half : -half);
            e[k] = component(d, k);
            a += e[k] * e[k];
            b += w[k] * e[k];
        }
        const double nearest = a > 0 ? b / a : 0; /* the distance is least there */
        for (int k = 0; k < 3; k++)
            square += (w[k] - nearest * e[k]) * (w[k] - nearest * e[k]);
        const double inside = size * size - square;
        if (!(inside >= 0))
            continue;
        const double first = a > 0 ? nearest - sqrt(inside / a) : cut[i], last = a > 0 ? nearest + sqrt(inside / a) : INFINITY;
        if (first <= cut[i + 1] && last >= cut[i])
            return keep_meeting(ray, first > cut[i] ? first : cut[i], out);
    }
    return false;
}

/* The distance is a convex function of the way, so Newton's method approaches the first contact from before it. */
bool vp_shape_meets_triangle(const vp_scene_shape *shape, const vp_ray_frame *ray, const vp_vec3 corner[3], vp_meeting *out)
{
    enum { STEPS = 48 };
    const vp_real3 d = to_frame(shape, (vp_real3){ray->direction[0], ray->direction[1], ray->direction[2]});
    const vp_real3 p[3] = {from_centre(shape, corner[0]), from_centre(shape, corner[1]), from_centre(shape, corner[2])};
    double size = shape->reach, s = 0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, fabs(p[i].x) + fabs(p[i].y) + fabs(p[i].z));
    for (int step = 0; step < STEPS; step++) {
        const vp_real3 at[3] = {vp_real3_plus(p[0], d, -s), vp_real3_plus(p[1], d, -s), vp_real3_plus(p[2], d, -s)};
        const vp_real3 v = from_box_to_triangle(shape, at);
        const double distance = sqrt(vp_real3_dot(v, v)), gap = distance - shape->radius;
        if (gap <= size * 0x1p-44)
            return keep_meeting(ray, s, out);
        const double speed = vp_real3_dot(v, d) / distance;
        if (!(speed > 0))
            return false;
        s += gap / speed;
        if (!(s <= 2 * (double)ray->s_max))
            return false;
    }
    return false;
}

/* ---- shapes from outside ---- */

vp_status vp_scene_shape_make(const vp_spheretree_shape *shape, vp_scene_shape *out, vp_error *error)
{
    bool has[3] = {false, false, false};
    const vp_vec3 *const vector[4] = {&shape->centre, &shape->axis[0], &shape->axis[1], &shape->axis[2]};
    static const char *const name[4] = {"centre", "axis[0]", "axis[1]", "axis[2]"};
    *out = (vp_scene_shape){.touch = {is_box_near, is_box_touching, is_box_touching_triangle, .sphere = NULL},
                            .centre = vp_real3_of(shape->centre),
                            .radius = (double)shape->radius};
    for (int i = 0; i < 4; i++) {
        const float c[3] = {vector[i]->x, vector[i]->y, vector[i]->z};
        for (int k = 0; k < 3; k++)
            if (!(fabsf(c[k]) <= VP_SPHERETREE_MAX))
                return vp_fail(error, VP_E_ARGUMENT, "vp_spheretree_shape.%s.%c is %g; the absolute value must be at most 2^60", name[i],
                               "xyz"[k], (double)c[k]);
    }
    if (!(shape->radius >= 0 && shape->radius <= VP_SPHERETREE_MAX))
        return vp_fail(error, VP_E_ARGUMENT, "vp_spheretree_shape.radius is %g; must be 0 to 2^60", (double)shape->radius);
    for (int i = 0; i < 3; i++) {
        vp_real3 v = vp_real3_of(shape->axis[i]);
        out->half[i] = sqrt(vp_real3_dot(v, v));
        has[i] = out->half[i] > 0;
        for (int k = 0; k < i && has[i]; k++)
            if (has[k]) {
                const double along = vp_real3_dot(v, out->axis[k]);
                if (fabs(along) > out->half[i] * 0x1p-10)
                    return vp_fail(error, VP_E_ARGUMENT,
                                   "vp_spheretree_shape.axis[%d] and axis[%d] have the cosine %g; its absolute value must be <= 2^-10", k,
                                   i, along / out->half[i]);
                v = vp_real3_plus(v, out->axis[k], -along);
            }
        const double length = sqrt(vp_real3_dot(v, v));
        if (has[i])
            out->axis[i] = (vp_real3){v.x / length, v.y / length, v.z / length};
    }
    for (int i = 0; i < 3; i++) { /* an axis that is perpendicular to the others */
        double longest = -1;
        for (int k = 0; k < 3 && !has[i]; k++) {
            vp_real3 v = {k == 0, k == 1, k == 2};
            for (int j = 0; j < 3; j++)
                if (j < i || has[j])
                    v = vp_real3_plus(v, out->axis[j], -vp_real3_dot(v, out->axis[j]));
            const double length = sqrt(vp_real3_dot(v, v));
            if (length > longest) {
                longest = length;
                out->axis[i] = (vp_real3){v.x / length, v.y / length, v.z / length};
            }
        }
    }
    out->reach = sqrt(out->half[0] * out->half[0] + out->half[1] * out->half[1] + out->half[2] * out->half[2]) + out->radius;
    return VP_OK;
}

vp_aabb vp_scene_shape_box(const vp_scene_shape *s)
{
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double c = component(s->centre, k),
                     size = fabs(component(s->axis[0], k)) * s->half[0] + fabs(component(s->axis[1], k)) * s->half[1] +
                            fabs(component(s->axis[2], k)) * s->half[2] + s->radius,
                     pad = (size + fabs(c)) * 0x1p-20 + 0x1p-100;
        low[k] = (float)(c - size - pad);
        high[k] = (float)(c + size + pad);
    }
    return (vp_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

vp_status vp_scene_shape_make_frustum(const vp_spheretree_plane *plane, uint32_t planes, vp_scene_shape *out, vp_error *error)
{
    *out =
        (vp_scene_shape){.touch = {is_within_near, is_sphere_within, is_triangle_within, .sphere = NULL}, .plane = plane, .planes = planes};
    for (uint32_t i = 0; i < planes; i++) {
        const float c[4] = {plane[i].normal.x, plane[i].normal.y, plane[i].normal.z, plane[i].offset};
        for (int k = 0; k < 4; k++)
            if (!isfinite(c[k]))
                return vp_fail(error, VP_E_ARGUMENT, "plane %" PRIu32 " has a %s of %g; must be finite", i, k < 3 ? "normal" : "offset",
                               (double)c[k]);
    }
    return VP_OK;
}
