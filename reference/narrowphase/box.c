/* SPDX-License-Identifier: MIT */
/* A box against triangles (voxel terrain article, "Narrowphase"): separating axes, then closest features.
 *
 * The axes are the triangle's normal, the box's axes, and the perpendiculars to an edge of each (S. Gottschalk, M. C.
 * Lin and D. Manocha, "OBBTree", 1996; T. Akenine-Moeller, "Fast 3D triangle-box overlap testing", 2001). If the two
 * overlap, the best of these axes is the result. The positions of the box where it just touches the triangle form a
 * surface, and its planes have exactly these axes as normals. If the two are apart, the nearest points may be at a
 * corner of either, and the way between them is not such an axis. Then the closest features are searched. */
#include "src/narrowphase/points.h"

/* The distance of the box from the triangle along u. */
static float distance_along(const vp_local *t, vp_vec3 half, vp_vec3 u)
{
    return -((half.x * fabsf(u.x) + half.y * fabsf(u.y)) + half.z * fabsf(u.z)) - vp_local_reach(t, u);
}

static void try_axis(vp_axis *best, const vp_local *t, vp_vec3 half, vp_vec3 u)
{
    vp_axis_take(best, distance_along(t, half, u), u);
}

static void try_both_signs(vp_axis *best, const vp_local *t, vp_vec3 half, vp_vec3 u)
{
    try_axis(best, t, half, u);
    try_axis(best, t, half, vp_vec3_scale(u, -1.0f));
}

static vp_axis find_best_axis(const vp_local *t, const vp_vec3 *normal, vp_vec3 half)
{
    vp_axis best = {-INFINITY, {0.0f, 1.0f, 0.0f}};
    if (normal != NULL)
        try_both_signs(&best, t, half, *normal);
    try_both_signs(&best, t, half, (vp_vec3){1.0f, 0.0f, 0.0f});
    try_both_signs(&best, t, half, (vp_vec3){0.0f, 1.0f, 0.0f});
    try_both_signs(&best, t, half, (vp_vec3){0.0f, 0.0f, 1.0f});
    for (int k = 0; k < 3; k++) {
        const vp_vec3 e = t->along[k];
        vp_vec3 u[3] = {{0.0f, -e.z, e.y}, {e.z, 0.0f, -e.x}, {-e.y, e.x, 0.0f}};
        for (int j = 0; j < 3; j++)
            if (vp_make_unit(&u[j], VP_LOCAL_NOTHING))
                try_both_signs(&best, t, half, u[j]);
    }
    return best;
}

/* Corner i of the box. */
static vp_vec3 box_corner(vp_vec3 half, uint32_t i)
{
    return (vp_vec3){(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z};
}

/* Tests corners of the triangle against the box, and corners of the box against edges of the triangle. Other pairs of
 * features have axes above. */
static void try_closest_features(vp_axis *best, const vp_local *t, vp_vec3 half, float nothing)
{
    for (int k = 0; k < 3; k++) {
        const vp_vec3 c = t->corner[k], on = vp_vec3_max(vp_vec3_min(c, half), vp_vec3_scale(half, -1.0f));
        vp_vec3 u = vp_vec3_sub(on, c);
        if (vp_make_unit(&u, nothing))
            try_axis(best, t, half, u);
    }
    for (uint32_t i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            vp_vec3 u = vp_vec3_sub(box_corner(half, i), t->corner[k]);
            if (vp_make_unit_square(&u, t->along[k], nothing))
                try_axis(best, t, half, u);
        }
}

/* ---- points ---- */

/* The feature of a box's point, a face, an edge or a corner. `on` has a bit for each axis on whose side it lies,
   `positive` for each positive coordinate. */
static uint32_t feature_of(uint32_t on, uint32_t positive)
{
    const uint32_t x = positive & 1, y = positive >> 1 & 1, z = positive >> 2 & 1;
    switch (on) {
    case 1:
        return VP_SHAPE_FACE + 0 + x;
    case 2:
        return VP_SHAPE_FACE + 2 + y;
    case 4:
        return VP_SHAPE_FACE + 4 + z;
    case 6:
        return VP_SHAPE_EDGE + 0 + y + 2 * z; /* along x */
    case 5:
        return VP_SHAPE_EDGE + 4 + z + 2 * x; /* along y */
    case 3:
        return VP_SHAPE_EDGE + 8 + x + 2 * y; /* along z */
    default:
        return VP_SHAPE_CORNER + (positive & 7);
    }
}

static vp_shape_part part_of(uint32_t on, uint32_t positive)
{
    const uint32_t sides = (on & 1) + (on >> 1 & 1) + (on >> 2 & 1), axes = sides == 1 ? on : 7u ^ on;
    return (vp_shape_part){
        feature_of(on, positive), 3 - sides, {(axes & 1) != 0 ? 1.0f : 0.0f, (axes & 2) != 0 ? 1.0f : 0.0f, (axes & 4) != 0 ? 1.0f : 0.0f}};
}

/* The part of the box that lies furthest towards the triangle, a corner, an edge or a face. `free` has a bit for each
   axis along which it is as long as the box. The other axes, at least one, have the side of `corner`. */
typedef struct box_part {
    uint32_t corner, free;
} box_part;

static box_part part_of_box_towards(const vp_local *t, vp_vec3 half, vp_vec3 u)
{
    const float along[3] = {u.x, u.y, u.z}, side[3] = {half.x, half.y, half.z}, max = vp_greatest_coordinate(u);
    const float near = vp_points_near(t, vp_length(half));
    box_part part = {0, 0};
    for (uint32_t a = 0; a < 3; a++) {
        const bool is_free = fabsf(along[a]) < max && 2.0f * side[a] * fabsf(along[a]) <= near;
        part.corner |= (along[a] < 0.0f ? 1u : 0u) << a;
        part.free |= (is_free ? 1u : 0u) << a;
    }
    return part;
}

static vp_touch points_of(const vp_local *t, const vp_vec3 *normal, vp_vec3 half, vp_vec3 u, vp_move move)
{
    const vp_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    const float side[3] = {half.x, half.y, half.z}, near = t->size * (VP_LOCAL_ROUNDING * 0.5f);
    const box_part part = part_of_box_towards(t, half, u);
    const vp_vec3 by = move.by;
    vp_touch touch = vp_touch_begin(&move);
    for (uint32_t i = 0; i < 8; i++) /* the box's corners */
        if (((i ^ part.corner) & ~part.free) == 0)
            vp_touch_point(&touch, t, normal, by, box_corner(half, i), VP_SHAPE_CORNER + i);
    for (int k = 0; k < 3; k++) { /* corners of the triangle on its face */
        const vp_vec3 c = vp_vec3_sub(t->corner[k], by);
        const float from[3] = {c.x, c.y, c.z};
        float on[3], w[3] = {0.0f, 0.0f, 0.0f};
        uint32_t at = 0, positive = 0;
        for (uint32_t a = 0; a < 3; a++) {
            const float fixed = (part.corner >> a & 1) != 0 ? side[a] : -side[a];
            on[a] = (part.free >> a & 1) != 0 ? vp_min(vp_max(from[a], -side[a]), side[a]) : fixed;
            at |= (fabsf(on[a]) >= side[a] - near ? 1u : 0u) << a;
            positive |= (on[a] > 0.0f ? 1u : 0u) << a;
        }
        const vp_vec3 p = {on[0], on[1], on[2]};
        w[k] = 1.0f;
        vp_touch_take(&touch, vp_length(vp_vec3_sub(p, c)), p, w, part_of(at, positive));
    }
    for (uint32_t a = 0; a < 3; a++) /* the box's edges */
        for (uint32_t i = 0; i < 8 && (part.free >> a & 1) != 0; i++)
            if ((i >> a & 1) == 0 && ((i ^ part.corner) & ~part.free & 7) == 0) {
                const uint32_t end = i | 1u << a;
                const uint32_t feature[3] = {feature_of(7u ^ 1u << a, i), VP_SHAPE_CORNER + i, VP_SHAPE_CORNER + end};
                for (int k = 0; k < 3; k++)
                    vp_touch_edges(&touch, t, k, by, box_corner(half, i), axes[a], 2.0f * side[a], feature);
            }
    return touch;
}

void vp_collide_box_scalar(const vp_collide_job *job)
{
    const vp_move still = {{0.0f, 0.0f, 0.0f}, 0.0f};
    const vp_vec3 half = job->shape->half;
    const float reach = vp_length(half);
    for (uint32_t i = 0; i < job->count; i++) {
        const vp_vec3 *corner = job->triangle[i].corner;
        vp_collide_result *answer = &job->result[i];
        vp_local t;
        vp_local_of(&job->frame, corner, reach, true, &t);
        vp_vec3 n;
        const vp_vec3 *normal = vp_local_normal(&t, &n) ? &n : NULL;
        vp_axis axis = find_best_axis(&t, normal, half);
        if (axis.s > -(t.size * VP_LOCAL_ROUNDING) && axis.s <= job->margin)
            try_closest_features(&axis, &t, half, reach * VP_LOCAL_NOTHING);
        if (axis.s > job->margin) {
            vp_answer_none(&job->frame, true, &axis, axis.s, answer);
            continue;
        }
        vp_touch touch = points_of(&t, normal, half, axis.u, vp_move_to_touch(&t, &axis));
        for (int straight = 0; straight < 2 && vp_touch_fails(&touch, &t); straight++) {
            const vp_touch nearest = axis.s > 0.0f ? points_of(&t, normal, half, axis.u, still) : touch;
            vp_vec3 u;
            if (vp_touch_way(&nearest, &t, normal, axis.s, straight == 1, &u) &&
                vp_axis_is_as_good(&axis, &t, distance_along(&t, half, u))) {
                axis.u = u;
                touch = points_of(&t, normal, half, axis.u, vp_move_to_touch(&t, &axis));
            }
        }
        vp_answer_touch(&job->frame, corner, true, &axis, axis.s, &touch, answer);
    }
}
