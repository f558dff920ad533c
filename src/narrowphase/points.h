/* SPDX-License-Identifier: MIT */
/* The points of an answer, for a known direction u and distance S along it. The shape is moved by -S u, so that both
 * just touch, whether they were apart or overlapped. The points are where they touch. They are searched among the parts
 * that reach farthest towards each other. If several places touch, the first in a fixed order is used, so that a small
 * motion does not change it.
 *
 * Among directions whose S differs only by roundings, the best one may not be the direction between the points. It may
 * be off by the square root of a rounding, and then the moved shape misses the triangle. In that case the vector
 * between two points becomes the direction. If the two are apart, these are their nearest points. Otherwise they are
 * the points that are nearest after the move. */
#ifndef VP_NARROWPHASE_POINTS_H
#define VP_NARROWPHASE_POINTS_H

#include "src/narrowphase/local.h"

/* Parts that reach less far than the farthest by at most this may also touch: a part of the shape's radius, plus roundings. */
static inline float vp_points_near(const vp_local *t, float radius)
{
    return radius * 0x1p-12f + t->size * VP_LOCAL_ROUNDING;
}

/* A part of a shape: a point, a piece of a line along a direction, or a piece of a plane with a normal. */
typedef struct vp_shape_part {
    uint32_t feature;
    uint32_t dimension;
    vp_vec3 along;
} vp_shape_part;

/* Best contact place so far. */
typedef struct vp_touch {
    float apart;      /* distance of the two points after the shape is moved */
    float slack;      /* a later place must be nearer by more than this */
    vp_vec3 on_shape; /* in the shape's frame, not moved */
    float weight[3];
    vp_shape_part part; /* part of the shape */
} vp_touch;

static inline float vp_unit_clamp(float a)
{
    return vp_min(vp_max(a, 0.0f), 1.0f);
}

/* Weighted sum of corners. */
static inline vp_vec3 vp_weighted(const vp_vec3 corner[3], const float w[3])
{
    return vp_vec3_add(vp_vec3_add(vp_vec3_scale(corner[0], w[0]), vp_vec3_scale(corner[1], w[1])), vp_vec3_scale(corner[2], w[2]));
}

/* Weight of the second end of edge k at the place nearest to p. */
static inline float vp_along_edge(const vp_local *t, int k, vp_vec3 p)
{
    const float far = vp_vec3_dot(vp_vec3_sub(p, t->corner[k]), t->along[k]);
    return t->length[k] > 0.0f ? vp_unit_clamp(far / t->length[k]) : 0.0f;
}

static inline void vp_weights_on_edge(int k, float part, float w[3])
{
    w[k] = 1.0f - part;
    w[(k + 1) % 3] = part;
    w[(k + 2) % 3] = 0.0f;
}

/* Weights of p's projection on the plane: first from its height over the longest edge, then from its place along that
 * edge. So a needle's point is accurate even though its weights are not.
 * @return whether it is inside the triangle */
static inline bool vp_weights_on_face(const vp_local *t, vp_vec3 normal, vp_vec3 p, float w[3])
{
    const int a = vp_longest_edge(t), b = (a + 1) % 3, c = (a + 2) % 3;
    const vp_vec3 up = vp_vec3_cross(normal, t->along[a]), from = vp_vec3_sub(p, t->corner[a]),
                  third = vp_vec3_scale(t->along[c], t->length[c]);
    const float height = vp_vec3_dot(third, up); /* height of the third corner, with the opposite sign */
    if (height == 0.0f)
        return false;
    w[c] = -vp_vec3_dot(from, up) / height;
    w[b] = (vp_vec3_dot(from, t->along[a]) + w[c] * vp_vec3_dot(third, t->along[a])) / t->length[a];
    w[a] = (1.0f - w[b]) - w[c];
    return w[0] >= 0.0f && w[1] >= 0.0f && w[2] >= 0.0f;
}

/* The point of the triangle nearest to p. @param normal  NULL if the triangle has no area */
static inline float vp_nearest_on_triangle(const vp_local *t, const vp_vec3 *normal, vp_vec3 p, float w[3])
{
    if (normal != NULL && vp_weights_on_face(t, *normal, p, w))
        return vp_length(vp_vec3_sub(p, vp_weighted(t->corner, w)));
    float best = INFINITY;
    for (int k = 0; k < 3; k++) {
        float on[3];
        vp_weights_on_edge(k, vp_along_edge(t, k, p), on);
        const float apart = vp_length(vp_vec3_sub(p, vp_weighted(t->corner, on)));
        if (apart < best) {
            best = apart;
            w[0] = on[0], w[1] = on[1], w[2] = on[2];
        }
    }
    return best;
}

static inline void vp_touch_take(vp_touch *best, float apart, vp_vec3 on_shape, const float w[3], vp_shape_part part)
{
    if (best->apart == INFINITY || apart < best->apart - best->slack) {
        best->apart = apart;
        best->on_shape = on_shape;
        best->weight[0] = w[0], best->weight[1] = w[1], best->weight[2] = w[2];
        best->part = part;
    }
}

/* A point of the shape, moved by `by`, against the triangle. */
static inline void vp_touch_point(vp_touch *best, const vp_local *t, const vp_vec3 *normal, vp_vec3 by, vp_vec3 p, uint32_t feature)
{
    float w[3];
    const float apart = vp_nearest_on_triangle(t, normal, vp_vec3_add(p, by), w);
    vp_touch_take(best, apart, p, w, (vp_shape_part){.feature = feature});
}

/* A moved segment of the shape against edge k of the triangle: where they cross, seen along the direction perpendicular
 * to both, and where corner k is nearest to the segment. Scaled by the sine of their angle, not by its square, so
 * nearly parallel edges cross accurately.
 * @param feature  the segment's, its start's and its end's */
static inline void vp_touch_edges(vp_touch *best, const vp_local *t, int k, vp_vec3 by, vp_vec3 from, vp_vec3 along, float length,
                                  const uint32_t feature[3])
{
    const vp_vec3 begin = vp_vec3_add(from, by), e = t->along[k], g = vp_vec3_cross(along, e);
    const float square = vp_vec3_dot(g, g), near = t->size * (VP_LOCAL_ROUNDING * 0.5f);
    for (int i = square > 0.0f ? 0 : 1; i < 2; i++) {
        float w[3], far;
        if (i == 0) {
            far = vp_vec3_dot(vp_vec3_cross(vp_vec3_sub(t->corner[k], begin), e), g) / square;
            far = vp_min(vp_max(far, 0.0f), length);
            vp_weights_on_edge(k, vp_along_edge(t, k, vp_vec3_add(begin, vp_vec3_scale(along, far))), w);
        } else
            vp_weights_on_edge(k, 0.0f, w);
        const vp_vec3 q = vp_weighted(t->corner, w);
        far = vp_vec3_dot(vp_vec3_sub(q, begin), along);
        far = vp_min(vp_max(far, 0.0f), length);
        const vp_vec3 to = vp_vec3_scale(along, far);
        const vp_shape_part inside = {feature[0], 1, along}, end = {.feature = feature[far <= near ? 1 : 2]};
        vp_touch_take(best, vp_length(vp_vec3_sub(vp_vec3_add(begin, to), q)), vp_vec3_add(from, to), w,
                      far > near && far < length - near ? inside : end);
    }
}

/* How the shape is moved before points are searched. */
typedef struct vp_move {
    vp_vec3 by;
    float slack; /* places nearer by at most this are no better */
} vp_move;

/* The move after which both touch. */
static inline vp_move vp_move_to_touch(const vp_local *t, const vp_axis *axis)
{
    return (vp_move){vp_vec3_scale(axis->u, -axis->s), t->size * 0x1p-22f};
}

static inline vp_touch vp_touch_begin(const vp_move *move)
{
    return (vp_touch){.apart = INFINITY, .slack = move->slack};
}

/* Whether the two do not touch after the move. */
static inline bool vp_touch_fails(const vp_touch *touch, const vp_local *t)
{
    return touch->apart > t->size * VP_LOCAL_ROUNDING;
}

static inline uint32_t vp_feature_of_weights(const float w[3])
{
    uint32_t none = 0, some = 0;
    for (uint32_t k = 0; k < 3; k++) {
        none += w[k] == 0.0f;
        some = w[k] != 0.0f ? k : some;
    }
    if (none == 0)
        return VP_TRIANGLE_FACE;
    if (none == 2)
        return VP_TRIANGLE_CORNER + some;
    return VP_TRIANGLE_EDGE + (w[2] == 0.0f ? 0u : w[0] == 0.0f ? 1u : 2u);
}

/* The direction between two parts that touch: the normal of a face, the direction perpendicular to both edges or to the
 * only edge, or the vector between two points. `way` is an approximation of it.
 * @return false if there is none */
static inline bool vp_touch_direction(const vp_touch *touch, const vp_local *t, const vp_vec3 *normal, vp_vec3 way, vp_vec3 *u)
{
    const uint32_t on = vp_feature_of_weights(touch->weight);
    const bool edge = on >= VP_TRIANGLE_EDGE && on < VP_TRIANGLE_CORNER, line = touch->part.dimension == 1;
    const vp_vec3 e = edge ? t->along[on - VP_TRIANGLE_EDGE] : (vp_vec3){0.0f, 0.0f, 0.0f};
    vp_vec3 across = vp_vec3_cross(e, touch->part.along);
    bool straight = edge && line && vp_make_unit_square(&across, e, VP_LOCAL_NOTHING);
    if (on == VP_TRIANGLE_FACE && normal != NULL) {
        across = *normal;
        straight = true;
    } else if (touch->part.dimension == 2) {
        across = touch->part.along;
        straight = true;
    }
    if (straight) {
        *u = vp_vec3_dot(across, way) < 0.0f ? vp_vec3_scale(across, -1.0f) : across;
        return true;
    }
    *u = way;
    return vp_make_unit_square(u, edge || !line ? e : touch->part.along, t->size * VP_LOCAL_NOTHING);
}

/* The direction between points, for two that are apart or overlap: between their parts, or straight from point
 * to point.
 * @return false if there is none */
static inline bool vp_touch_way(const vp_touch *touch, const vp_local *t, const vp_vec3 *normal, float s, bool straight, vp_vec3 *u)
{
    vp_vec3 way = vp_vec3_sub(touch->on_shape, vp_weighted(t->corner, touch->weight));
    way = s < 0.0f ? vp_vec3_scale(way, -1.0f) : way;
    if (!straight)
        return vp_touch_direction(touch, t, normal, way, u);
    *u = way;
    return vp_make_unit(u, t->size * VP_LOCAL_NOTHING);
}

/* Whether a direction with this S is as good as the best one, apart from roundings. */
static inline bool vp_axis_is_as_good(const vp_axis *best, const vp_local *t, float s)
{
    return s >= best->s - t->size * VP_LOCAL_ROUNDING;
}

/* Moves places that are inside an edge or a corner only by roundings onto it. So the name of a corner's contact does
 * not change by chance. */
static inline void vp_snap_weights(float w[3])
{
    const float least = VP_LOCAL_ROUNDING * 0.5f;
    const int most = w[1] > w[0] ? (w[2] > w[1] ? 2 : 1) : w[2] > w[0] ? 2 : 0;
    for (int k = 0; k < 3; k++)
        w[k] = w[k] > least ? w[k] : 0.0f;
    w[most] = (1.0f - w[(most + 1) % 3]) - w[(most + 2) % 3];
}

/* ---- answers ---- */

/* Farther apart than the margin. */
static inline void vp_answer_none(const vp_collide_frame *frame, bool turned, const vp_axis *axis, float distance, vp_collide_result *out)
{
    *out = (vp_collide_result){.distance = distance,
                               .normal = turned ? vp_to_world(frame, axis->u) : axis->u,
                               .triangle_feature = VP_COLLIDE_NONE,
                               .shape_feature = VP_COLLIDE_NONE};
}

/* @param on_shape  in the shape's frame, or in the world's if nothing is rotated */
static inline void vp_answer_touch(const vp_collide_frame *frame, const vp_vec3 corner[3], bool turned, const vp_axis *axis, float distance,
                                   const vp_touch *touch, vp_collide_result *out)
{
    vp_vec3 from[3];
    float w[3] = {touch->weight[0], touch->weight[1], touch->weight[2]};
    vp_snap_weights(w);
    for (int k = 0; k < 3; k++)
        from[k] = vp_vec3_sub(corner[k], frame->position);
    *out = (vp_collide_result){.distance = distance,
                               .normal = turned ? vp_to_world(frame, axis->u) : axis->u,
                               .on_shape = turned ? vp_to_world(frame, touch->on_shape) : touch->on_shape,
                               .on_triangle = vp_weighted(from, w),
                               .weight = {w[0], w[1], w[2]},
                               .triangle_feature = vp_feature_of_weights(w),
                               .shape_feature = touch->part.feature};
}

#endif
