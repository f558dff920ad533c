/* SPDX-License-Identifier: MIT */
/* A sphere against triangles (voxel terrain article, "Narrowphase"): the distance of its centre from the triangle,
 * less its radius.
 *
 * The triangle's nearest point is on its face, on an edge or at a corner. The way from there to the centre is its
 * plane's normal, perpendicular to the edge, or a line through the corner. These directions are tried. If the centre
 * lies on the triangle itself, the normal is the way out, and both sides are equally near. The result is the front. For
 * a segment with the centre on it, any perpendicular is a way out. */
#include "src/narrowphase/points.h"

/* The distance of the centre from the triangle, and its direction. */
static vp_axis distance_of(const vp_local *t, const vp_vec3 *normal, float nothing)
{
    const vp_vec3 e = t->along[vp_longest_edge(t)];
    vp_vec3 out = vp_vec3_cross(e, fabsf(e.y) < 0.75f ? (vp_vec3){0.0f, 1.0f, 0.0f} : (vp_vec3){1.0f, 0.0f, 0.0f});
    if (!vp_make_unit_square(&out, e, 0.0f)) /* a point */
        out = (vp_vec3){0.0f, 1.0f, 0.0f};
    vp_axis best = {-vp_local_reach(t, out), out};
    if (normal != NULL) {
        best = (vp_axis){-vp_local_reach(t, *normal), *normal};
        const vp_vec3 back = vp_vec3_scale(*normal, -1.0f);
        vp_axis_take(&best, -vp_local_reach(t, back), back);
    }
    for (int k = 0; k < 3; k++) {
        vp_vec3 u = vp_vec3_scale(t->corner[k], -1.0f);
        if (vp_make_unit_square(&u, t->along[k], nothing))
            vp_axis_take(&best, -vp_local_reach(t, u), u);
    }
    for (int k = 0; k < 3; k++) {
        vp_vec3 u = vp_vec3_scale(t->corner[k], -1.0f);
        if (vp_make_unit(&u, nothing))
            vp_axis_take(&best, -vp_local_reach(t, u), u);
    }
    return best;
}

static const vp_vec3 centre = {0.0f, 0.0f, 0.0f};

/* The triangle's point that is nearest to the centre, moved. */
static vp_touch point_of(const vp_local *t, const vp_vec3 *normal, vp_move move)
{
    vp_touch touch = vp_touch_begin(&move);
    vp_touch_point(&touch, t, normal, move.by, centre, VP_SHAPE_FACE);
    return touch;
}

void vp_collide_sphere_scalar(const vp_collide_job *job)
{
    const float radius = job->shape->radius;
    const vp_move still = {{0.0f, 0.0f, 0.0f}, 0.0f};
    for (uint32_t i = 0; i < job->count; i++) {
        const vp_vec3 *corner = job->triangle[i].corner;
        vp_collide_result *answer = &job->result[i];
        vp_local t;
        vp_local_of(&job->frame, corner, radius, false, &t);
        vp_vec3 n;
        const vp_vec3 *normal = vp_local_normal(&t, &n) ? &n : NULL;
        vp_axis axis = distance_of(&t, normal, radius * VP_LOCAL_NOTHING);
        const float distance = axis.s - radius;
        if (distance > job->margin) {
            vp_answer_none(&job->frame, false, &axis, distance, answer);
            continue;
        }
        vp_touch touch = point_of(&t, normal, vp_move_to_touch(&t, &axis));
        for (int straight = 0; straight < 2 && vp_touch_fails(&touch, &t); straight++) {
            const vp_touch nearest = axis.s > 0.0f ? point_of(&t, normal, still) : touch;
            vp_vec3 u;
            if (vp_touch_way(&nearest, &t, normal, axis.s, straight == 1, &u) && vp_axis_is_as_good(&axis, &t, -vp_local_reach(&t, u))) {
                axis.u = u;
                touch = point_of(&t, normal, vp_move_to_touch(&t, &axis));
            }
        }
        touch.on_shape = vp_vec3_scale(axis.u, -radius);
        vp_answer_touch(&job->frame, corner, false, &axis, distance, &touch, answer);
    }
}
