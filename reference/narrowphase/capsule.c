/* SPDX-License-Identifier: MIT */
/* A capsule along y against triangles (voxel terrain article, "Narrowphase"): its segment against the triangle,
 * less its radius.
 *
 * If apart, segment and triangle are nearest at an end and the face, at a corner and the segment, at an end and an
 * edge, or where the segment and an edge pass each other. If the segment goes through the triangle, there are two kinds
 * of ways out. One is along the normal, until the end on the back side has come through. The other is perpendicular to
 * an edge and to the segment, until they pass each other. The shortest is the result. */
#include "src/narrowphase/points.h"

/* The distance of the segment from the triangle along u. */
static float distance_along(const vp_local *t, float half, vp_vec3 u)
{
    return -(half * fabsf(u.y)) - vp_local_reach(t, u);
}

static void try_axis(vp_axis *best, const vp_local *t, float half, vp_vec3 u)
{
    vp_axis_take(best, distance_along(t, half, u), u);
}

static vp_axis distance_of(const vp_local *t, const vp_vec3 *normal, float half, float nothing)
{
    const vp_vec3 side = {1.0f, 0.0f, 0.0f};
    vp_axis best = {distance_along(t, half, side), side};
    if (normal != NULL) {
        best = (vp_axis){distance_along(t, half, *normal), *normal};
        try_axis(&best, t, half, vp_vec3_scale(*normal, -1.0f));
    }
    for (int k = 0; k < 3; k++) { /* the segment and an edge pass */
        vp_vec3 u = {-t->along[k].z, 0.0f, t->along[k].x};
        if (vp_make_unit(&u, VP_LOCAL_NOTHING)) {
            try_axis(&best, t, half, u);
            try_axis(&best, t, half, vp_vec3_scale(u, -1.0f));
        }
    }
    for (int k = 0; k < 3; k++) /* the ends and an edge */
        for (int end = 0; end < 2; end++) {
            vp_vec3 u = vp_vec3_sub((vp_vec3){0.0f, end == 0 ? -half : half, 0.0f}, t->corner[k]);
            if (vp_make_unit_square(&u, t->along[k], nothing))
                try_axis(&best, t, half, u);
        }
    for (int k = 0; k < 3; k++) { /* a corner, and the segment or its nearer end */
        const vp_vec3 c = t->corner[k];
        vp_vec3 u = vp_vec3_sub((vp_vec3){0.0f, vp_min(vp_max(c.y, -half), half), 0.0f}, c);
        if (vp_make_unit(&u, nothing))
            try_axis(&best, t, half, u);
    }
    return best;
}

/* Contact points of the segment: its ends and the triangle, then the segment and the edges. */
static vp_touch points_of(const vp_local *t, const vp_vec3 *normal, float half, vp_move move)
{
    const uint32_t feature[3] = {VP_SHAPE_FACE, VP_SHAPE_CORNER, VP_SHAPE_CORNER + 1};
    const vp_vec3 low = {0.0f, -half, 0.0f}, high = {0.0f, half, 0.0f}, along = {0.0f, 1.0f, 0.0f};
    const vp_vec3 by = move.by;
    vp_touch touch = vp_touch_begin(&move);
    vp_touch_point(&touch, t, normal, by, low, feature[1]);
    vp_touch_point(&touch, t, normal, by, high, feature[2]);
    for (int k = 0; k < 3; k++)
        vp_touch_edges(&touch, t, k, by, low, along, half + half, feature);
    return touch;
}

void vp_collide_capsule_scalar(const vp_collide_job *job)
{
    const vp_move still = {{0.0f, 0.0f, 0.0f}, 0.0f};
    const float radius = job->shape->radius, half = job->shape->half_height, reach = half + radius;
    for (uint32_t i = 0; i < job->count; i++) {
        const vp_vec3 *corner = job->triangle[i].corner;
        vp_collide_result *answer = &job->result[i];
        vp_local t;
        vp_local_of(&job->frame, corner, reach, true, &t);
        vp_vec3 n;
        const vp_vec3 *normal = vp_local_normal(&t, &n) ? &n : NULL;
        vp_axis axis = distance_of(&t, normal, half, reach * VP_LOCAL_NOTHING);
        const float distance = axis.s - radius;
        if (distance > job->margin) {
            vp_answer_none(&job->frame, true, &axis, distance, answer);
            continue;
        }
        vp_touch touch = points_of(&t, normal, half, vp_move_to_touch(&t, &axis));
        for (int straight = 0; straight < 2 && vp_touch_fails(&touch, &t); straight++) {
            const vp_touch nearest = axis.s > 0.0f ? points_of(&t, normal, half, still) : touch;
            vp_vec3 u;
            if (vp_touch_way(&nearest, &t, normal, axis.s, straight == 1, &u) &&
                vp_axis_is_as_good(&axis, &t, distance_along(&t, half, u))) {
                axis.u = u;
                touch = points_of(&t, normal, half, vp_move_to_touch(&t, &axis));
            }
        }
        touch.on_shape = vp_vec3_sub(touch.on_shape, vp_vec3_scale(axis.u, radius));
        vp_answer_touch(&job->frame, corner, true, &axis, distance, &touch, answer);
    }
}
