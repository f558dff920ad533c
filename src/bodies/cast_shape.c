/* SPDX-License-Identifier: MIT */
/* Rays and points against one shape: closed forms in the shape's frame, in double precision. */
#include "src/bodies/cast.h"

#include "src/core/error.h"
#include "src/kd/answers.h"
#include "src/kd/ray_triangle.h"

static double clamp_absolute(double v, double max)
{
    return v < -max ? -max : v > max ? max : v;
}

/* ---- points ---- */

/* Signed distance, closest point and normal, in the shape's frame. */
typedef struct surface_point {
    double distance;
    vp_real3 point, normal;
} surface_point;

/* @param side  normal for a point at the centre */
static surface_point surface_of_ball(vp_real3 p, vp_real3 centre, double radius, vp_real3 side)
{
    const vp_real3 from = vp_real3_sub(p, centre);
    const double length = vp_real3_length(from);
    const vp_real3 normal = length > 0.0 ? vp_real3_scale(from, 1.0 / length) : side;
    return (surface_point){length - radius, vp_real3_plus(centre, normal, radius), normal};
}

/* A point outside, whose closest point is known. */
static surface_point surface_from_outside(vp_real3 p, vp_real3 closest)
{
    const vp_real3 from = vp_real3_sub(p, closest);
    const double length = vp_real3_length(from);
    return (surface_point){length, closest, vp_real3_scale(from, 1.0 / length)};
}

static surface_point surface_of_box(const double half[3], vp_real3 p)
{
    const double at[3] = {p.x, p.y, p.z};
    const vp_real3 inner = {clamp_absolute(p.x, half[0]), clamp_absolute(p.y, half[1]), clamp_absolute(p.z, half[2])};
    if (!vp_real3_equal(inner, p))
        return surface_from_outside(p, inner);
    int axis = 0;
    for (int k = 1; k < 3; k++)
        axis = half[k] - fabs(at[k]) < half[axis] - fabs(at[axis]) ? k : axis;
    const double side = at[axis] < 0.0 ? -1.0 : 1.0, depth = half[axis] - fabs(at[axis]);
    const vp_real3 normal = {axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0};
    return (surface_point){-depth, vp_real3_plus(p, normal, depth), normal};
}

static surface_point surface_of_cylinder(double radius, double half, vp_real3 p)
{
    const double around = sqrt(p.x * p.x + p.z * p.z), y = clamp_absolute(p.y, half);
    const vp_real3 out = around > 0.0 ? (vp_real3){p.x / around, 0.0, p.z / around} : (vp_real3){1.0, 0.0, 0.0};
    if (around > radius || y != p.y) {
        const double r = around > radius ? radius : around;
        return surface_from_outside(p, (vp_real3){out.x * r, y, out.z * r});
    }
    const double to_side = radius - around, to_cap = half - fabs(p.y);
    const vp_real3 cap = {0.0, p.y < 0.0 ? -1.0 : 1.0, 0.0};
    return to_cap < to_side ? (surface_point){-to_cap, vp_real3_plus(p, cap, to_cap), cap}
                            : (surface_point){-to_side, vp_real3_plus(p, out, to_side), out};
}

/* Outside: the closest point of all faces. Inside: the nearest plane. */
static surface_point surface_of_hull(const vp_collide_hull *h, vp_real3 p)
{
    surface_point best = {-INFINITY, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (uint32_t f = 0; f < h->face_count; f++) {
        const vp_real3 n = vp_real3_of(h->plane[f].normal);
        const double above = vp_real3_dot(n, p) - (double)h->plane[f].offset;
        if (above > best.distance)
            best = (surface_point){above, vp_real3_plus(p, n, -above), n};
    }
    if (best.distance <= 0.0 && h->face_count > 2)
        return best;
    const vp_real3 face = best.normal;
    double nearest = INFINITY;
    for (uint32_t f = 0; f < h->face_count; f++)
        for (uint32_t i = h->first_corner[f] + 1; i + 1 < h->first_corner[f + 1]; i++) {
            const vp_real3 corner[3] = {vp_real3_of(h->vertex[h->corner[h->first_corner[f]]]), vp_real3_of(h->vertex[h->corner[i]]),
                                        vp_real3_of(h->vertex[h->corner[i + 1]])};
            const vp_real3 on = vp_cast_closest_on_triangle(p, corner), from = vp_real3_sub(p, on);
            if (vp_real3_dot(from, from) < nearest) {
                nearest = vp_real3_dot(from, from);
                best.point = on;
            }
        }
    return nearest > 0.0 ? surface_from_outside(p, best.point) : (surface_point){0.0, p, face};
}

static surface_point point_of(const vp_collide_shape *s, vp_real3 p)
{
    const double r = (double)s->radius, half = (double)s->half_height;
    const double box[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return surface_of_ball(p, (vp_real3){0.0, 0.0, 0.0}, r, (vp_real3){0.0, 1.0, 0.0});
    case VP_COLLIDE_CAPSULE:
        return surface_of_ball(p, (vp_real3){0.0, clamp_absolute(p.y, half), 0.0}, r, (vp_real3){1.0, 0.0, 0.0});
    case VP_COLLIDE_BOX:
        return surface_of_box(box, p);
    case VP_COLLIDE_CYLINDER:
        return surface_of_cylinder(r, half, p);
    default:
        return surface_of_hull(s->hull, p);
    }
}

static vp_status begin_query(const vp_collide_shape *shape, const vp_pose *pose, vp_collide_frame *frame, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_collide_shape_check(shape, error));
    return vp_collide_frame_of(pose, frame, error);
}

vp_status vp_shape_closest_point(const vp_collide_shape *shape, const vp_pose *pose, vp_vec3 point, vp_shape_point *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, pose, out);
    vp_collide_frame f;
    VP_RETURN_IF_FAILED(begin_query(shape, pose, &f, error));
    VP_RETURN_IF_FAILED(vp_cast_check_point("point", point, error));
    const vp_real3 position = vp_real3_of(f.position);
    const surface_point p = point_of(shape, vp_ray_turned(&f, vp_real3_sub(vp_real3_of(point), position)));
    *out = (vp_shape_point){(float)p.distance, vp_real3_rounded(vp_real3_plus(position, vp_cast_to_world(&f, p.point), 1.0)),
                            vp_real3_rounded(vp_cast_to_world(&f, p.normal))};
    return vp_succeed(error);
}

/* ---- rays ---- */

/* Interval of a line inside a convex body. It starts at `from`, where the outward normal is `normal`, and ends at `to`. */
typedef struct stay {
    double from, to;
    vp_real3 normal;
} stay;

static const stay nowhere = {INFINITY, -INFINITY, {0.0, 0.0, 0.0}};

/* Clips by the half space normal . x <= offset. */
static void clip_by_plane(stay *s, vp_real3 o, vp_real3 d, vp_real3 normal, double offset)
{
    const double above = vp_real3_dot(normal, o) - offset, rise = vp_real3_dot(normal, d);
    if (rise == 0.0) {
        if (above > 0.0)
            *s = nowhere;
    } else if (rise < 0.0 && above / -rise > s->from) {
        s->from = above / -rise;
        s->normal = normal;
    } else if (rise > 0.0 && -above / rise < s->to)
        s->to = -above / rise;
}

/* A ball about `centre`, or the infinite cylinder through it along y. */
static stay clip_to_round(vp_real3 o, vp_real3 d, vp_real3 centre, double radius, bool is_cylinder)
{
    vp_real3 from = vp_real3_sub(o, centre), across = d;
    if (is_cylinder)
        from.y = across.y = 0.0;
    const double square = vp_real3_dot(across, across);
    if (square == 0.0)
        return vp_real3_dot(from, from) <= radius * radius ? (stay){-INFINITY, INFINITY, {0.0, 0.0, 0.0}} : nowhere;
    const double middle = -vp_real3_dot(from, across) / square;
    const vp_real3 nearest = vp_real3_plus(from, across, middle);
    const double rest = (radius * radius - vp_real3_dot(nearest, nearest)) / square;
    if (rest < 0.0)
        return nowhere;
    const double half = sqrt(rest);
    return (stay){middle - half, middle + half, vp_real3_plus(nearest, across, -half)};
}

/* Adds the interval of a part to that of the convex union. */
static void join_part(stay *s, stay part)
{
    if (!(part.from <= part.to))
        return;
    if (part.from < s->from) {
        s->from = part.from;
        s->normal = part.normal;
    }
    s->to = vp_double_max(s->to, part.to);
}

static stay clip_to_cylinder(vp_real3 o, vp_real3 d, double radius, double half)
{
    stay s = clip_to_round(o, d, (vp_real3){0.0, 0.0, 0.0}, radius, true);
    clip_by_plane(&s, o, d, (vp_real3){0.0, 1.0, 0.0}, half);
    clip_by_plane(&s, o, d, (vp_real3){0.0, -1.0, 0.0}, half);
    return s;
}

static stay clip_to_capsule(vp_real3 o, vp_real3 d, double radius, double half)
{
    stay s = nowhere;
    join_part(&s, clip_to_cylinder(o, d, radius, half));
    join_part(&s, clip_to_round(o, d, (vp_real3){0.0, half, 0.0}, radius, false));
    join_part(&s, clip_to_round(o, d, (vp_real3){0.0, -half, 0.0}, radius, false));
    return s;
}

static stay clip_to_box(vp_real3 o, vp_real3 d, vp_vec3 half)
{
    const double side[3] = {(double)half.x, (double)half.y, (double)half.z};
    stay s = {-INFINITY, INFINITY, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 6; k++) {
        const double to = (k & 1) != 0 ? 1.0 : -1.0;
        clip_by_plane(&s, o, d, (vp_real3){k / 2 == 0 ? to : 0.0, k / 2 == 1 ? to : 0.0, k / 2 == 2 ? to : 0.0}, side[k / 2]);
    }
    return s;
}

static stay clip_to_hull(vp_real3 o, vp_real3 d, const vp_collide_hull *h)
{
    stay s = {-INFINITY, INFINITY, {0.0, 0.0, 0.0}};
    for (uint32_t f = 0; f < h->face_count; f++)
        clip_by_plane(&s, o, d, vp_real3_of(h->plane[f].normal), (double)h->plane[f].offset);
    for (uint32_t i = 0; h->face_count == 2 && i < h->first_corner[1]; i++) { /* sides of a polygon */
        const vp_real3 a = vp_real3_of(h->vertex[h->corner[i]]),
                       b = vp_real3_of(h->vertex[h->corner[i + 1 < h->first_corner[1] ? i + 1 : 0]]);
        const vp_real3 side = vp_real3_cross(vp_real3_sub(b, a), vp_real3_of(h->plane[0].normal));
        clip_by_plane(&s, o, d, side, vp_real3_dot(side, a));
    }
    return s;
}

static stay clip_to_shape(const vp_collide_shape *s, vp_real3 o, vp_real3 d)
{
    const double r = (double)s->radius, half = (double)s->half_height;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return clip_to_round(o, d, (vp_real3){0.0, 0.0, 0.0}, r, false);
    case VP_COLLIDE_CAPSULE:
        return clip_to_capsule(o, d, r, half);
    case VP_COLLIDE_BOX:
        return clip_to_box(o, d, s->half);
    case VP_COLLIDE_CYLINDER:
        return clip_to_cylinder(o, d, r, half);
    default:
        return clip_to_hull(o, d, s->hull);
    }
}

/* Whether the line meets the shape. Inside a flat polygon the interval may be shorter than a rounding. */
static bool is_hit(const vp_collide_shape *shape, const stay *s)
{
    const double off = shape->kind == VP_COLLIDE_HULL ? 0x1p-22 * (double)shape->hull->radius : 0.0;
    return s->from <= s->to + off;
}

vp_status vp_shape_raycast(const vp_collide_shape *shape, const vp_pose *pose, const vp_ray *ray, vp_cast_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, pose, ray, out);
    vp_collide_frame f;
    vp_ray_frame unused;
    VP_RETURN_IF_FAILED(begin_query(shape, pose, &f, error));
    if (!vp_ray_frame_of(ray, &unused))
        return vp_refuse_ray("the ray", ray, error);
    const vp_real3 position = vp_real3_of(f.position), o = vp_ray_turned(&f, vp_real3_sub(vp_real3_of(ray->origin), position)),
                   way = vp_real3_of(ray->direction);
    const double length = vp_real3_length(way);
    const vp_real3 d = vp_ray_turned(&f, vp_real3_scale(way, 1.0 / length));
    const double shift = -vp_real3_dot(o, d); /* starts where the line is nearest to the shape's origin, where little cancels */
    stay s = clip_to_shape(shape, vp_real3_plus(o, d, shift), d);
    vp_cast_hit hit = vp_cast_miss();
    if (is_hit(shape, &s) && s.to + shift >= 0.0 && s.from + shift <= (double)ray->t_max * length) {
        const surface_point p = point_of(shape, o);
        hit.found = true;
        hit.started_inside = s.from + shift < 0.0 || p.distance <= 0.0;
        const double at = hit.started_inside ? 0.0 : s.from + shift;
        const vp_real3 normal = vp_cast_to_world(&f, hit.started_inside ? p.normal : s.normal);
        hit.t = (float)(at / length);
        hit.t = hit.t > ray->t_max ? ray->t_max : hit.t;
        hit.depth = hit.started_inside && p.distance < 0.0 ? (float)-p.distance : 0.0f;
        hit.point = vp_real3_rounded(hit.started_inside ? vp_real3_plus(position, vp_cast_to_world(&f, p.point), 1.0)
                                                        : vp_real3_plus(vp_real3_of(ray->origin), way, at / length));
        hit.normal = vp_real3_rounded(vp_real3_scale(normal, 1.0 / vp_real3_length(normal)));
    }
    *out = hit;
    return vp_succeed(error);
}
