/* SPDX-License-Identifier: MIT */
#include "cases/bodies/cast_judge.h"

#include <math.h>
#include <string.h>

#include "src/narrowphase/gjk.h"

enum { STEPS = 64 };

/* Corners of a triangle relative to the shape after a part of its way. */
static void corners_at(const vp_cast_def *def, const vp_vec3 corner[3], double t, vp_vec3 out[3])
{
    const vp_real3 at = vp_real3_plus(vp_real3_of(def->pose.position), vp_real3_of(def->translation), t);
    for (int k = 0; k < 3; k++)
        out[k] = vp_real3_rounded(vp_real3_sub(vp_real3_of(corner[k]), at));
}

static void truth_at(const vp_oracle_shape *oracle, const vp_cast_def *def, const vp_vec3 corner[3], double t, vp_oracle_truth *out)
{
    vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    vp_vec3 c[3];
    memcpy(pose.rotation, def->pose.rotation, sizeof pose.rotation);
    corners_at(def, corner, t, c);
    vp_oracle_truth_of(oracle, &pose, c, out);
}

/* Finds the first part of the way, from `from` on, at which the distance is at most `level`. @return INFINITY if there is none
 * up to `most` */
static double first_at(const vp_oracle_shape *oracle, const vp_cast_def *def, const vp_vec3 corner[3], double level, double from,
                       double most)
{
    double t = from;
    for (int i = 0; i < STEPS; i++) {
        vp_oracle_truth truth;
        truth_at(oracle, def, corner, t, &truth);
        const double above = truth.distance - level;
        const vp_real3 n = {truth.normal[0], truth.normal[1], truth.normal[2]};
        const double slope = vp_real3_dot(n, vp_real3_of(def->translation));
        if (above <= 1e-9 * truth.size)
            return t;
        if (!(slope < 0.0))
            return INFINITY;
        t -= above / slope;
        if (t > most)
            return INFINITY;
    }
    return t;
}

/* Like first_at. Tests the bounding ball first, because that is cheap. */
static double first_of(const vp_cast_question *q, const vp_vec3 corner[3], double level, double most)
{
    double origin[1][3] = {{0.0, 0.0, 0.0}};
    const vp_oracle_shape ball = {.vertex = origin, .vertices = 1, .radius = q->oracle->reach, .reach = q->oracle->reach};
    const double from = first_at(&ball, q->def, corner, level, 0.0, most);
    return from <= most ? first_at(q->oracle, q->def, corner, level, from, most) : INFINITY;
}

/* The box of a part of the way, enlarged by the shape and the slack. */
static vp_aabb box_of(const vp_cast_question *q, double from, double to)
{
    const vp_cast_def *d = q->def;
    const float reach = (float)(1.01 * (q->oracle->reach + q->slack));
    const vp_vec3 a = vp_vec3_add(d->pose.position, vp_vec3_scale(d->translation, (float)from)), by = {reach, reach, reach};
    const vp_vec3 b = vp_vec3_add(d->pose.position, vp_vec3_scale(d->translation, (float)to));
    return (vp_aabb){vp_vec3_sub(vp_vec3_min(a, b), by), vp_vec3_add(vp_vec3_max(a, b), by)};
}

static bool is_in(const vp_aabb *box, const vp_vec3 c[3])
{
    const vp_aabb around = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
    return vp_aabb_overlaps(box, &around);
}

uint32_t vp_cast_near(const vp_cast_question *q, vp_collide_triangle *out)
{
    const vp_aabb box = box_of(q, 0.0, 1.0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->count; i++)
        if (is_in(&box, q->triangle[i].corner))
            out[count++] = q->triangle[i];
    return count;
}

/* The extent of a shape at the origin against a direction. */
static double reach_against(const vp_cast_def *def, vp_real3 n)
{
    vp_collide_frame f;
    if (vp_collide_frame_of(&def->pose, &f, NULL) != VP_OK)
        return INFINITY;
    const vp_real3 d = {-vp_real3_dot(vp_real3_of(f.row[0]), n), -vp_real3_dot(vp_real3_of(f.row[1]), n),
                        -vp_real3_dot(vp_real3_of(f.row[2]), n)};
    return vp_real3_dot(d, vp_gjk_core(def->shape, d)) + vp_gjk_radius(def->shape);
}

/* Whether the normal is against the way, and that of a plane between the shape and a triangle that it touches. */
static bool is_right_normal(const vp_cast_question *q, const vp_cast_hit *hit)
{
    const vp_real3 n = vp_real3_of(hit->normal), way = vp_real3_of(q->def->translation);
    const vp_aabb box = box_of(q, (double)hit->t, (double)hit->t);
    const double reach = reach_against(q->def, n);
    if (!(vp_real3_dot(n, way) <= q->slack * vp_real3_length(way)))
        return false;
    for (uint32_t i = 0; i < q->count; i++) {
        vp_vec3 c[3];
        if (!is_in(&box, q->triangle[i].corner))
            continue;
        corners_at(q->def, q->triangle[i].corner, (double)hit->t, c);
        const double most =
            fmax(fmax(vp_real3_dot(vp_real3_of(c[0]), n), vp_real3_dot(vp_real3_of(c[1]), n)), vp_real3_dot(vp_real3_of(c[2]), n));
        if (-reach - most >= -2.0 * q->slack) {
            vp_oracle_truth truth;
            truth_at(q->oracle, q->def, q->triangle[i].corner, (double)hit->t, &truth);
            if (truth.distance <= q->slack)
                return true;
        }
    }
    return false;
}

static bool has_numbers(const vp_cast_hit *hit)
{
    const vp_real3 n = vp_real3_of(hit->normal);
    return !hit->found || (hit->t >= 0.0f && hit->t <= 1.0f && fabs(vp_real3_length(n) - 1.0) <= 1e-5);
}

/* Distances at the start and at the hit, and the first parts of the way at which the shape touches a triangle and is through one. Each is
 * the minimum over all triangles. */
typedef struct way_found {
    double at_start, at_end, touch, through;
} way_found;

static way_found look_along(const vp_cast_question *q, double until)
{
    const vp_aabb box = box_of(q, 0.0, until);
    way_found found = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (uint32_t i = 0; i < q->count; i++) {
        const vp_vec3 *c = q->triangle[i].corner;
        const double first = is_in(&box, c) ? first_of(q, c, q->slack, until) : INFINITY;
        vp_oracle_truth truth;
        if (first > until)
            continue;
        found.touch = fmin(found.touch, first);
        if (first == 0.0) {
            truth_at(q->oracle, q->def, c, 0.0, &truth);
            found.at_start = fmin(found.at_start, truth.distance);
        }
        truth_at(q->oracle, q->def, c, until, &truth);
        found.at_end = fmin(found.at_end, truth.distance);
        found.through = fmin(found.through, first_at(q->oracle, q->def, c, -q->slack, first, until));
    }
    return found;
}

vp_collide_fault vp_cast_judge(const vp_cast_question *q, const vp_cast_hit *hit, double *off)
{
    const double length = vp_real3_length(vp_real3_of(q->def->translation)), until = hit->found ? (double)hit->t : 1.0;
    *off = 0.0;
    if (!has_numbers(hit))
        return VP_FAULT_NUMBER;
    const way_found found = look_along(q, until);
    if (found.at_start < -q->slack)
        return !hit->found ? VP_FAULT_MISSED : until * length > q->slack ? VP_FAULT_DEPTH : VP_FAULT_NONE;
    if (!hit->found)
        return found.through <= 1.0 ? VP_FAULT_MISSED : VP_FAULT_NONE;
    if (!(found.at_end <= q->slack)) {
        const double touch = found.touch <= until ? found.touch : look_along(q, 1.0).touch;
        *off = touch <= 1.0 ? fabs(touch - until) * length : 0.0;
        return touch <= 1.0 ? VP_FAULT_DEPTH : VP_FAULT_INVENTED;
    }
    *off = fabs(found.at_end);
    if (found.through < until - 1e-6)
        return VP_FAULT_DEPTH;
    return is_right_normal(q, hit) ? VP_FAULT_NONE : VP_FAULT_NORMAL;
}
