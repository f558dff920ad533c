/* SPDX-License-Identifier: MIT */
/* A convex hull against eight triangles in lanes (lanes.h). Directions, features and points as in reference/narrowphase/hull.c. The hull's
 * vertices, faces, arcs and edges are read one after the other, in all lanes.
 *
 * Work that no lane needs is skipped, and the results stay the same:
 * - Arcs are skipped if a bound of S along all their directions is below the best S of every lane.
 * - A direction between edges is measured with all vertices if it beats the best one of a lane with the edge's vertices alone.
 * - Features whose lower bound along the best axis is longer than the shortest way so far cannot be tried. A bound takes two dot products,
 *   a way thirty operations.
 * - A bit for each vertex and lane says whether it touches, so faces and edges need no dot products. If no lane touches three vertices,
 *   no face is tried, and if none touches two, no edge.
 * - A direction is dropped after some vertices if these show that it beats no lane's best one.
 *
 * Tried without gain: only the features within the margin, which is not the same for pairs that are apart by more. */
#include "optimized/narrowphase/lanes.h"

VP_STEP f32x8 hull_reach8(const vp_collide_hull *h, vec3x8 m)
{
    f32x8 max = f32x8_set1(-INFINITY);
    for (uint32_t i = 0; i < h->vertex_count; i++)
        max = f32x8_max(max, vec3x8_dot(m, vec3x8_set1(h->vertex[i])));
    return max;
}

/* Tries u where set. Every few vertices it stops if no lane can still beat the best direction. */
VP_STEP void try_hull_axis(axis8 *best, m32x8 where, const local8 *t, const vp_collide_hull *h, vec3x8 u)
{
    enum { BETWEEN_TESTS = 8 };
    const vec3x8 m = vec3x8_neg(u);
    const f32x8 triangle = local_reach8(t, u);
    f32x8 max = f32x8_set1(-INFINITY), s = max;
    for (uint32_t i = 0; i < h->vertex_count;) {
        const uint32_t end = h->vertex_count - i < BETWEEN_TESTS ? h->vertex_count : i + BETWEEN_TESTS;
        for (; i < end; i++)
            max = f32x8_max(max, vec3x8_dot(m, vec3x8_set1(h->vertex[i])));
        s = f32x8_sub(f32x8_neg(max), triangle);
        if (m32x8_movemask(m32x8_and(where, f32x8_cmp_gt(s, best->s))) == 0)
            return;
    }
    axis_take_where(best, where, s, u);
}

/* Tries u and -u. */
VP_STEP void try_hull_both(axis8 *best, const local8 *t, const vp_collide_hull *h, vec3x8 u)
{
    f32x8 max = f32x8_set1(-INFINITY), min = f32x8_set1(INFINITY), along, back;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const f32x8 at = vec3x8_dot(u, vec3x8_set1(h->vertex[i]));
        max = f32x8_max(max, at);
        min = f32x8_min(min, at);
    }
    minus_reach_both(t, u, &along, &back);
    axis_take8(best, f32x8_add(min, along), u);
    axis_take8(best, f32x8_sub(back, max), vec3x8_neg(u));
}

/* Direction on an arc that is perpendicular to edge k. */
VP_STEP void try_hull_arc(axis8 *best, const local8 *t, const vp_collide_hull *h, const vp_collide_arc *arc, int k)
{
    const f32x8 zero = f32x8_set1(0.0f), one = f32x8_set1(1.0f);
    const vec3x8 from = vec3x8_set1(arc->from), to = vec3x8_set1(arc->to);
    const f32x8 c = vec3x8_dot(t->along[k], from), d = vec3x8_dot(t->along[k], to);
    const m32x8 same_side = m32x8_or(f32x8_cmp_lt(zero, f32x8_min(c, d)), f32x8_cmp_lt(f32x8_max(c, d), zero));
    m32x8 crosses = m32x8_andnot(all_lanes(), m32x8_or(same_side, f32x8_cmp_eq(c, d)));
    if (m32x8_movemask(crosses) == 0)
        return;
    const f32x8 w = f32x8_div(c, f32x8_sub(c, d));
    vec3x8 m = vec3x8_add(vec3x8_scale(from, f32x8_sub(one, w)), vec3x8_scale(to, w));
    crosses = m32x8_and(crosses, vec3x8_make_unit(&m, zero));
    const uint32_t *vertex = h->edge[arc->edge].vertex;
    const f32x8 reach = f32x8_max(vec3x8_dot(m, vec3x8_set1(h->vertex[vertex[0]])), vec3x8_dot(m, vec3x8_set1(h->vertex[vertex[1]])));
    const vec3x8 u = vec3x8_neg(m);
    const f32x8 triangle = local_reach8(t, u);
    const m32x8 better = m32x8_and(crosses, f32x8_cmp_gt(f32x8_sub(f32x8_neg(reach), triangle), best->s));
    if (m32x8_movemask(better) != 0)
        try_hull_axis(best, better, t, h, u);
}

/* Whether a direction on an arc may beat the best one of a lane. S along any of them is at most the smallest of a corner's height over the
 * arc's edge along `from` and `to`, whichever is greater, divided by the length of their mean. The slack is far above rounding errors. One
 * corner alone shows it for most arcs. */
VP_STEP bool may_beat(const axis8 *best, const local8 *t, f32x8 slack, const vp_collide_arc *arc)
{
    const vec3x8 from = vec3x8_set1(arc->from), to = vec3x8_set1(arc->to);
    const f32x8 edge = f32x8_set1(arc->lowest), stretch = f32x8_set1(arc->stretch), least = f32x8_sub(best->s, slack);
    f32x8 min = f32x8_set1(INFINITY);
    for (int k = 0; k < 3; k++) {
        min = f32x8_min_fast(min, f32x8_max_fast(vec3x8_dot(from, t->corner[k]), vec3x8_dot(to, t->corner[k])));
        const f32x8 most = f32x8_sub(min, edge);
        if (m32x8_movemask(f32x8_cmp_gt(f32x8_max_fast(most, f32x8_mul(most, stretch)), least)) == 0)
            return false;
    }
    return true;
}

VP_STEP void find_hull_axis(const shape8 *shape, pair8 *p)
{
    const local8 *t = &p->t;
    const vp_collide_hull *h = shape->shape->hull;
    axis8 best = {f32x8_set1(-INFINITY), vec3x8_set1((vp_vec3){0.0f, 1.0f, 0.0f})};
    try_hull_both(&best, t, h, p->normal);
    for (uint32_t f = 0; f < h->face_count; f++) {
        const vec3x8 u = vec3x8_set1(vp_vec3_scale(h->plane[f].normal, -1.0f));
        axis_take8(&best, f32x8_sub(f32x8_set1(-h->plane[f].offset), local_reach8(t, u)), u);
    }
    const f32x8 slack = f32x8_mul(t->size, f32x8_set1(0x1p-16f));
    for (uint32_t i = 0; i < h->arc_count; i++)
        if (may_beat(&best, t, slack, &h->arc[i]))
            for (int k = 0; k < 3; k++)
                try_hull_arc(&best, t, h, &h->arc[i], k);
    p->axis = best;
}

/* ---- features ---- */

typedef struct hull_search {
    axis8 best;
    f32x8 shortest;
    m32x8 where;    /* pairs that may be apart */
    vec3x8 along;   /* the axis before features are tried */
    f32x8 farthest; /* the triangle's reach along it, with a slack for rounding errors */
    f32x8 rounding;
} hull_search;

/* Whether points of the hull, which reach at least `bound` along the axis, have a way that may be tried. */
VP_STEP bool may_be_tried(const hull_search *s, f32x8 bound)
{
    const f32x8 distance = f32x8_sub(bound, s->farthest);
    return m32x8_movemask(m32x8_and(s->where, f32x8_cmp_le(distance, s->shortest))) != 0;
}

VP_STEP void try_way8(hull_search *s, const local8 *t, const vp_collide_hull *h, vec3x8 way, vec3x8 edge)
{
    const f32x8 distance = vec3x8_length(way);
    m32x8 tried = m32x8_and(s->where, f32x8_cmp_le(distance, f32x8_add(s->shortest, s->rounding)));
    if (m32x8_movemask(tried) == 0)
        return;
    s->shortest = f32x8_select(tried, f32x8_min(distance, s->shortest), s->shortest);
    tried = m32x8_and(tried, vec3x8_make_unit_square(&way, edge, f32x8_set1(h->radius * VP_LOCAL_NOTHING)));
    try_hull_axis(&s->best, tried, t, h, way);
}

VP_STEP vec3x8 vec3x8_maskz(m32x8 m, vec3x8 a)
{
    return (vec3x8){f32x8_maskz(m, a.x), f32x8_maskz(m, a.y), f32x8_maskz(m, a.z)};
}

VP_STEP void try_hull_features(axis8 *best, m32x8 where, const local8 *t, const vp_collide_hull *h)
{
    const f32x8 zero = f32x8_set1(0.0f), one = f32x8_set1(1.0f);
    hull_search s = {.best = *best, .shortest = f32x8_set1(INFINITY), .where = where, .along = best->u};
    s.rounding = f32x8_mul(t->size, f32x8_set1(VP_LOCAL_ROUNDING));
    s.farthest = f32x8_add(local_reach8(t, best->u), f32x8_mul(t->size, f32x8_set1(8.0f * VP_LOCAL_ROUNDING)));
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const vec3x8 v = vec3x8_set1(h->vertex[i]);
        if (!may_be_tried(&s, vec3x8_dot(s.along, v)))
            continue;
        for (int k = 0; k < 3; k++) {
            const f32x8 part = along_edge8(t, k, v);
            f32x8 w[3];
            weights_on_edge8(k, part, w);
            const m32x8 between = m32x8_and(f32x8_cmp_gt(part, zero), f32x8_cmp_lt(part, one));
            try_way8(&s, t, h, vec3x8_sub(v, weighted8(t->corner, w)), vec3x8_maskz(between, t->along[k]));
        }
    }
    for (uint32_t i = 0; i < h->edge_count; i++) {
        const vp_vec3 a = h->vertex[h->edge[i].vertex[0]], b = h->vertex[h->edge[i].vertex[1]];
        const vec3x8 start = vec3x8_set1(a);
        if (!may_be_tried(&s, f32x8_min(vec3x8_dot(s.along, start), vec3x8_dot(s.along, vec3x8_set1(b)))))
            continue;
        vp_vec3 along = vp_vec3_sub(b, a);
        const float length = vp_length(along);
        if (!vp_make_unit(&along, 0.0f))
            continue;
        const vec3x8 e = vec3x8_set1(along);
        for (int k = 0; k < 3; k++) {
            const f32x8 far = vec3x8_dot(vec3x8_sub(t->corner[k], start), e), on = clamp8(far, zero, f32x8_set1(length));
            const m32x8 between = m32x8_and(f32x8_cmp_gt(on, zero), f32x8_cmp_lt(on, f32x8_set1(length)));
            try_way8(&s, t, h, vec3x8_sub(vec3x8_add(start, vec3x8_scale(e, on)), t->corner[k]), vec3x8_maskz(between, e));
        }
    }
    *best = s.best;
}

/* ---- points ---- */

enum { HULL_BITS = 256 }; /* vertices whose bits are stored */

/* Vertices that reach farthest towards the triangle. */
typedef struct hull_part8 {
    const vp_collide_hull *h;
    vec3x8 direction;
    f32x8 least;
    uint32_t where;
    uint8_t bits[HULL_BITS];
} hull_part8;

VP_STEP uint32_t find_vertex_lanes(const hull_part8 *part, uint32_t vertex)
{
    const f32x8 reach = vec3x8_dot(part->direction, vec3x8_set1(part->h->vertex[vertex]));
    return m32x8_movemask(f32x8_cmp_le(part->least, reach)) & part->where;
}

VP_STEP uint32_t vertex_lanes(const hull_part8 *part, uint32_t vertex)
{
    return vertex < HULL_BITS ? part->bits[vertex] : find_vertex_lanes(part, vertex);
}

VP_STEP void touch_face8(touch8 *touch, m32x8 where, const local8 *t, const vp_collide_hull *h, uint32_t face, vec3x8 by)
{
    const f32x8 zero = f32x8_set1(0.0f);
    const vp_vec3 n = h->plane[face].normal;
    const uint32_t *corner = h->corner + h->first_corner[face], corners = h->first_corner[face + 1] - h->first_corner[face];
    for (int k = 0; k < 3; k++) {
        const vec3x8 c = vec3x8_sub(t->corner[k], by);
        const f32x8 above = vec3x8_dot(vec3x8_set1(n), vec3x8_sub(c, vec3x8_set1(h->vertex[corner[0]])));
        m32x8 inside = where;
        for (uint32_t i = 0; i < corners; i++) {
            const vp_vec3 a = h->vertex[corner[i]], side = vp_vec3_sub(h->vertex[corner[i + 1 < corners ? i + 1 : 0]], a);
            const vec3x8 from = vec3x8_sub(c, vec3x8_set1(a));
            const f32x8 slack =
                vp_length(side) < h->radius * 0x1p-16f ? f32x8_mul(vec3x8_length(from), f32x8_set1(h->radius * 0x1p-22f)) : zero;
            inside = m32x8_and(inside, f32x8_cmp_le(f32x8_neg(slack), vec3x8_dot(vec3x8_set1(vp_vec3_cross(n, side)), from)));
        }
        f32x8 w[3] = {zero, zero, zero};
        w[k] = f32x8_set1(1.0f);
        touch_take8(touch, inside, t, f32x8_abs(above), vec3x8_sub(c, vec3x8_scale(vec3x8_set1(n), above)), w,
                    i32x8_set1((int32_t)(VP_SHAPE_FACE + face)));
    }
}

VP_STEP touch8 find_hull_points(const pair8 *p, const vp_collide_hull *h, uint32_t set)
{
    const local8 *t = &p->t;
    const face8 face = face_of8(p);
    const vec3x8 by = vec3x8_scale(p->axis.u, f32x8_neg(p->axis.s));
    const f32x8 near = f32x8_add(f32x8_set1(h->radius * 0x1p-12f), f32x8_mul(t->size, f32x8_set1(VP_LOCAL_ROUNDING)));
    hull_part8 part = {.h = h, .direction = vec3x8_neg(p->axis.u), .where = set};
    part.least = f32x8_sub(hull_reach8(h, part.direction), near);
    touch8 touch = touch_begin8();
    uint32_t one = 0, two = 0, three = 0; /* lanes that so many vertices touch */
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const uint32_t lanes = find_vertex_lanes(&part, i);
        three |= two & lanes;
        two |= one & lanes;
        one |= lanes;
        if (i < HULL_BITS)
            part.bits[i] = (uint8_t)lanes;
        if (lanes != 0)
            touch_point8(&touch, m32x8_of_bits(lanes), t, &face, by, vec3x8_set1(h->vertex[i]), i32x8_set1((int32_t)(VP_SHAPE_CORNER + i)));
    }
    for (uint32_t f = 0; f < h->face_count && three != 0; f++) {
        uint32_t lanes = three & m32x8_movemask(can_be_nearer(t, &touch));
        for (uint32_t i = h->first_corner[f]; i < h->first_corner[f + 1] && lanes != 0; i++)
            lanes &= vertex_lanes(&part, h->corner[i]);
        if (lanes != 0)
            touch_face8(&touch, m32x8_of_bits(lanes), t, h, f, by);
    }
    const uint32_t open = two & m32x8_movemask(can_be_nearer(t, &touch));
    for (uint32_t i = 0; i < h->edge_count && open != 0; i++) {
        const uint32_t a = h->edge[i].vertex[0], b = h->edge[i].vertex[1], lanes = vertex_lanes(&part, a) & vertex_lanes(&part, b) & open;
        if (lanes == 0)
            continue;
        const i32x8 feature[3] = {i32x8_set1((int32_t)(VP_SHAPE_EDGE + i)), i32x8_set1((int32_t)(VP_SHAPE_CORNER + a)),
                                  i32x8_set1((int32_t)(VP_SHAPE_CORNER + b))};
        vp_vec3 along = vp_vec3_sub(h->vertex[b], h->vertex[a]);
        const float length = vp_length(along);
        if (vp_make_unit(&along, 0.0f))
            for (int k = 0; k < 3; k++)
                touch_edges8(&touch, m32x8_of_bits(lanes), t, k, by, vec3x8_set1(h->vertex[a]), vec3x8_set1(along), f32x8_set1(length),
                             feature);
    }
    return touch;
}

VP_STEP touch8 find_hull_touch(const shape8 *shape, pair8 *p, uint32_t set)
{
    const vp_collide_hull *h = shape->shape->hull;
    const m32x8 apart =
        m32x8_and(m32x8_of_bits(set), f32x8_cmp_gt(p->axis.s, f32x8_neg(f32x8_mul(p->t.size, f32x8_set1(VP_LOCAL_ROUNDING)))));
    if (m32x8_movemask(apart) != 0)
        try_hull_features(&p->axis, apart, &p->t, h);
    return find_hull_points(p, h, set);
}

static void collide_hull(const vp_collide_job *job)
{
    const vp_collide_hull *h = job->shape->hull;
    const shape8 shape = {.shape = job->shape, .reach = h->radius, .margin = job->margin, .is_turned = true, .may_be_thin = true};
    collide_in_lanes(job, &shape, find_hull_axis, find_hull_touch, vp_collide_hull_scalar);
}
