/* SPDX-License-Identifier: MIT */
/* A convex hull against triangles (voxel terrain article, "Narrowphase"): separating axes, then closest features, as
 * for a box.
 *
 * The axis of a pair of edges counts only if the two make a face of the surface of all positions where the hull just
 * touches the triangle. That is so if it lies on the arc of directions for which the hull's edge is its furthest part
 * (the Gauss map: D. Gregorius, "The separating axis test between convex polyhedra", 2013). The triangle's edge belongs
 * to a sheet, so its own arc is half a circle, and every direction perpendicular to it is valid, or the opposite one.
 * The axis on the arc is interpolated between the arc's ends, by the components of the triangle's edge along each. So
 * it is right even if the two edges are nearly parallel, and the hull's reach along it is that of its edge, unless the
 * edge is very short. */
#include "src/narrowphase/points.h"

/* The hull's reach along m. */
static float reach_of(const vp_collide_hull *h, vp_vec3 m)
{
    float max = -INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++)
        max = vp_max(max, vp_vec3_dot(m, h->vertex[i]));
    return max;
}

/* The distance of the hull from the triangle along u. */
static float distance_along(const vp_local *t, const vp_collide_hull *h, vp_vec3 u)
{
    return -reach_of(h, vp_vec3_scale(u, -1.0f)) - vp_local_reach(t, u);
}

/* Tries a direction m out of the hull, along which the hull's reach is `reach`. */
static void try_axis(vp_axis *best, const vp_local *t, vp_vec3 m, float reach)
{
    const vp_vec3 u = vp_vec3_scale(m, -1.0f);
    vp_axis_take(best, -reach - vp_local_reach(t, u), u);
}

/* The same for an edge that reaches `reach`. Where faces are small or nearly in one plane, arcs are inaccurate and
   other vertices reach further. So a better axis is measured again. */
static void try_edge(vp_axis *best, const vp_local *t, const vp_collide_hull *h, vp_vec3 m, float reach)
{
    if (-reach - vp_local_reach(t, vp_vec3_scale(m, -1.0f)) > best->s)
        try_axis(best, t, m, reach_of(h, m));
}

static vp_axis find_best_axis(const vp_local *t, const vp_vec3 *normal, const vp_collide_hull *h)
{
    vp_axis best = {-INFINITY, {0.0f, 1.0f, 0.0f}};
    if (normal != NULL) {
        const vp_vec3 back = vp_vec3_scale(*normal, -1.0f);
        try_axis(&best, t, back, reach_of(h, back));
        try_axis(&best, t, *normal, reach_of(h, *normal));
    }
    for (uint32_t f = 0; f < h->face_count; f++)
        try_axis(&best, t, h->plane[f].normal, h->plane[f].offset);
    for (uint32_t i = 0; i < h->arc_count; i++) {
        const vp_collide_arc *arc = &h->arc[i];
        const vp_vec3 a = h->vertex[h->edge[arc->edge].vertex[0]], b = h->vertex[h->edge[arc->edge].vertex[1]];
        for (int k = 0; k < 3; k++) {
            const float c = vp_vec3_dot(t->along[k], arc->from), d = vp_vec3_dot(t->along[k], arc->to);
            if (c == d || (c > 0.0f && d > 0.0f) || (c < 0.0f && d < 0.0f))
                continue;
            const float w = c / (c - d);
            vp_vec3 m = vp_vec3_add(vp_vec3_scale(arc->from, 1.0f - w), vp_vec3_scale(arc->to, w));
            if (vp_make_unit(&m, 0.0f))
                try_edge(&best, t, h, m, vp_max(vp_vec3_dot(m, a), vp_vec3_dot(m, b)));
        }
    }
    return best;
}

/* Tries a way from the triangle to the hull between features. The shortest is the right one, so ways that are longer by
   more than rounding errors are skipped. */
static void try_way(vp_axis *best, float *shortest, const vp_local *t, const vp_collide_hull *h, vp_vec3 way, vp_vec3 edge)
{
    const float distance = vp_length(way), nothing = h->radius * VP_LOCAL_NOTHING;
    if (distance > *shortest + t->size * VP_LOCAL_ROUNDING)
        return;
    *shortest = vp_min(distance, *shortest);
    if (vp_make_unit_square(&way, edge, nothing)) {
        const vp_vec3 m = vp_vec3_scale(way, -1.0f);
        try_axis(best, t, m, reach_of(h, m));
    }
}

/* Tests vertices of the hull and edges of the triangle, then corners of the triangle and edges of the hull. Other pairs
 * of features have axes above. */
static void try_closest_features(vp_axis *best, const vp_local *t, const vp_collide_hull *h)
{
    const vp_vec3 none = {0.0f, 0.0f, 0.0f};
    float shortest = INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            const float part = vp_along_edge(t, k, h->vertex[i]);
            float w[3];
            vp_weights_on_edge(k, part, w);
            try_way(best, &shortest, t, h, vp_vec3_sub(h->vertex[i], vp_weighted(t->corner, w)),
                    part > 0.0f && part < 1.0f ? t->along[k] : none);
        }
    for (uint32_t i = 0; i < h->edge_count; i++) {
        const vp_vec3 a = h->vertex[h->edge[i].vertex[0]];
        vp_vec3 along = vp_vec3_sub(h->vertex[h->edge[i].vertex[1]], a);
        const float length = vp_length(along);
        if (!vp_make_unit(&along, 0.0f))
            continue;
        for (int k = 0; k < 3; k++) {
            const float far = vp_vec3_dot(vp_vec3_sub(t->corner[k], a), along), on = vp_min(vp_max(far, 0.0f), length);
            try_way(best, &shortest, t, h, vp_vec3_sub(vp_vec3_add(a, vp_vec3_scale(along, on)), t->corner[k]),
                    on > 0.0f && on < length ? along : none);
        }
    }
}

/* ---- points ---- */

/* The part of the hull that lies furthest towards the triangle, which is the set of vertices that reach as far. */
typedef struct hull_part {
    vp_vec3 direction;
    float least;
} hull_part;

static bool has_vertex(const hull_part *part, const vp_collide_hull *h, uint32_t vertex)
{
    return vp_vec3_dot(part->direction, h->vertex[vertex]) >= part->least;
}

/* Corners of the triangle on a face of the part. They must be inside all its sides. Sides as short as rounding errors
 * have a slack, because their direction may be wrong. */
static void touch_face(vp_touch *touch, const vp_local *t, const vp_collide_hull *h, uint32_t face, vp_vec3 by)
{
    const vp_vec3 n = h->plane[face].normal;
    const uint32_t *corner = h->corner + h->first_corner[face], corners = h->first_corner[face + 1] - h->first_corner[face];
    for (int k = 0; k < 3; k++) {
        const vp_vec3 c = vp_vec3_sub(t->corner[k], by);
        const float above = vp_vec3_dot(n, vp_vec3_sub(c, h->vertex[corner[0]]));
        bool inside = true;
        for (uint32_t i = 0; i < corners; i++) {
            const vp_vec3 a = h->vertex[corner[i]], side = vp_vec3_sub(h->vertex[corner[(i + 1) % corners]], a), from = vp_vec3_sub(c, a);
            const float slack = vp_length(side) < h->radius * 0x1p-16f ? vp_length(from) * (h->radius * 0x1p-22f) : 0.0f;
            inside &= vp_vec3_dot(vp_vec3_cross(n, side), from) >= -slack;
        }
        float w[3] = {0.0f, 0.0f, 0.0f};
        w[k] = 1.0f;
        if (inside)
            vp_touch_take(touch, fabsf(above), vp_vec3_sub(c, vp_vec3_scale(n, above)), w, (vp_shape_part){VP_SHAPE_FACE + face, 2, n});
    }
}

static vp_touch points_of(const vp_local *t, const vp_vec3 *normal, const vp_collide_hull *h, vp_vec3 u, vp_move move)
{
    const vp_vec3 m = vp_vec3_scale(u, -1.0f);
    const hull_part part = {m, reach_of(h, m) - vp_points_near(t, h->radius)};
    const vp_vec3 by = move.by;
    vp_touch touch = vp_touch_begin(&move);
    for (uint32_t i = 0; i < h->vertex_count; i++)
        if (has_vertex(&part, h, i))
            vp_touch_point(&touch, t, normal, by, h->vertex[i], VP_SHAPE_CORNER + i);
    for (uint32_t f = 0; f < h->face_count; f++) {
        bool all = true;
        for (uint32_t i = h->first_corner[f]; i < h->first_corner[f + 1]; i++)
            all &= has_vertex(&part, h, h->corner[i]);
        if (all)
            touch_face(&touch, t, h, f, by);
    }
    for (uint32_t i = 0; i < h->edge_count; i++) {
        const uint32_t a = h->edge[i].vertex[0], b = h->edge[i].vertex[1];
        const uint32_t feature[3] = {VP_SHAPE_EDGE + i, VP_SHAPE_CORNER + a, VP_SHAPE_CORNER + b};
        vp_vec3 along = vp_vec3_sub(h->vertex[b], h->vertex[a]);
        const float length = vp_length(along);
        if (has_vertex(&part, h, a) && has_vertex(&part, h, b) && vp_make_unit(&along, 0.0f))
            for (int k = 0; k < 3; k++)
                vp_touch_edges(&touch, t, k, by, h->vertex[a], along, length, feature);
    }
    return touch;
}

void vp_collide_hull_scalar(const vp_collide_job *job)
{
    const vp_move still = {{0.0f, 0.0f, 0.0f}, 0.0f};
    const vp_collide_hull *h = job->shape->hull;
    for (uint32_t i = 0; i < job->count; i++) {
        const vp_vec3 *corner = job->triangle[i].corner;
        vp_collide_result *answer = &job->result[i];
        vp_local t;
        vp_local_of(&job->frame, corner, h->radius, true, &t);
        vp_vec3 n;
        const vp_vec3 *normal = vp_local_normal(&t, &n) ? &n : NULL;
        vp_axis axis = find_best_axis(&t, normal, h);
        if (axis.s > -(t.size * VP_LOCAL_ROUNDING) && axis.s <= job->margin)
            try_closest_features(&axis, &t, h);
        if (axis.s > job->margin) {
            vp_answer_none(&job->frame, true, &axis, axis.s, answer);
            continue;
        }
        vp_touch touch = points_of(&t, normal, h, axis.u, vp_move_to_touch(&t, &axis));
        for (int straight = 0; straight < 2 && vp_touch_fails(&touch, &t); straight++) {
            const vp_touch nearest = axis.s > 0.0f ? points_of(&t, normal, h, axis.u, still) : touch;
            vp_vec3 u;
            if (vp_touch_way(&nearest, &t, normal, axis.s, straight == 1, &u) && vp_axis_is_as_good(&axis, &t, distance_along(&t, h, u))) {
                axis.u = u;
                touch = points_of(&t, normal, h, axis.u, vp_move_to_touch(&t, &axis));
            }
        }
        vp_answer_touch(&job->frame, corner, true, &axis, axis.s, &touch, answer);
    }
}
