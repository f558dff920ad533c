/* SPDX-License-Identifier: MIT */
#include "cases/narrowphase/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases/narrowphase/oracle_cylinder.h"
#include "src/core/error.h"
#include "src/core/real3.h"

static vp_real3 load_real3(const double a[3])
{
    return (vp_real3){a[0], a[1], a[2]};
}

/* ---- shapes ---- */

static bool make_room(vp_oracle_shape *s, uint32_t vertices, uint32_t edges, uint32_t triangles)
{
    s->vertex = calloc((size_t)vertices + 1, sizeof *s->vertex);
    s->edge = calloc((size_t)edges + 1, sizeof *s->edge);
    s->triangle = calloc((size_t)triangles + 1, sizeof *s->triangle);
    return s->vertex != NULL && s->edge != NULL && s->triangle != NULL;
}

static void put_vertex(vp_oracle_shape *s, double x, double y, double z)
{
    double *v = s->vertex[s->vertices++];
    v[0] = x, v[1] = y, v[2] = z;
}

static void put_triangle(vp_oracle_shape *s, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = s->triangle[s->triangles++];
    t[0] = a, t[1] = b, t[2] = c;
}

/* Adds each edge of the triangles once. */
static void put_edges(vp_oracle_shape *s)
{
    for (uint32_t t = 0; t < s->triangles; t++)
        for (int k = 0; k < 3; k++)
            if (s->triangle[t][k] < s->triangle[t][(k + 1) % 3]) {
                s->edge[s->edges][0] = s->triangle[t][k];
                s->edge[s->edges++][1] = s->triangle[t][(k + 1) % 3];
            }
}

static void fill_box(vp_oracle_shape *s, vp_real3 half)
{
    static const uint32_t side[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (uint32_t i = 0; i < 8; i++)
        put_vertex(s, (i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z);
    for (int i = 0; i < 6; i++) {
        put_triangle(s, side[i][0], side[i][1], side[i][2]);
        put_triangle(s, side[i][0], side[i][2], side[i][3]);
    }
    put_edges(s);
}

static vp_status fill_hull(vp_oracle_shape *s, const vp_collide_hull *from, vp_error *error)
{
    vp_hull hull;
    const vp_hull_def def = {.point = from->vertex, .count = from->vertex_count};
    const vp_status status = vp_hull_create(&def, &hull, error);
    if (status != VP_OK)
        return status;
    for (uint32_t i = 0; i < from->vertex_count; i++)
        put_vertex(s, (double)from->vertex[i].x, (double)from->vertex[i].y, (double)from->vertex[i].z);
    for (uint32_t t = 0; t < hull.triangle_count; t++)
        put_triangle(s, hull.vertex[hull.triangle[t][0]], hull.vertex[hull.triangle[t][1]], hull.vertex[hull.triangle[t][2]]);
    put_edges(s);
    vp_hull_destroy(&hull);
    return VP_OK;
}

vp_status vp_oracle_shape_create(const vp_collide_shape *shape, vp_oracle_shape *out, vp_error *error)
{
    const uint32_t most = shape->kind == VP_COLLIDE_HULL ? shape->hull->vertex_count : 8;
    vp_status status = VP_OK;
    *out = (vp_oracle_shape){0};
    if (!make_room(out, most, 3 * most, 2 * most)) {
        vp_oracle_shape_destroy(out);
        return vp_fail(error, VP_E_MEMORY, "no memory for a shape");
    }
    if (shape->kind == VP_COLLIDE_SPHERE) {
        put_vertex(out, 0.0, 0.0, 0.0);
        out->radius = (double)shape->radius;
    } else if (shape->kind == VP_COLLIDE_CAPSULE) {
        put_vertex(out, 0.0, (double)-shape->half_height, 0.0);
        put_vertex(out, 0.0, (double)shape->half_height, 0.0);
        out->edge[out->edges][0] = 0;
        out->edge[out->edges++][1] = 1;
        out->radius = (double)shape->radius;
    } else if (shape->kind == VP_COLLIDE_BOX)
        fill_box(out, vp_real3_of(shape->half));
    else if (shape->kind == VP_COLLIDE_CYLINDER) {
        put_vertex(out, 0.0, (double)-shape->half_height, 0.0);
        put_vertex(out, 0.0, (double)shape->half_height, 0.0);
        out->disc = (double)shape->radius;
        out->is_cylinder = true;
    } else if (shape->kind == VP_COLLIDE_HULL)
        status = fill_hull(out, shape->hull, error);
    else
        status = vp_fail(error, VP_E_ARGUMENT, "there is no shape of kind %d", (int)shape->kind);
    if (status != VP_OK)
        vp_oracle_shape_destroy(out);
    for (uint32_t i = 0; i < out->vertices; i++)
        out->reach = fmax(out->reach, hypot(vp_real3_length(load_real3(out->vertex[i])), out->disc) + out->radius);
    return status;
}

void vp_oracle_shape_destroy(vp_oracle_shape *shape)
{
    free(shape->vertex);
    free(shape->edge);
    free(shape->triangle);
    *shape = (vp_oracle_shape){0};
}

/* ---- nearest points ---- */

/* The shortest vector from a feature of the triangle to one of the shape. */
typedef struct feature_gap {
    double length;
    vp_real3 by;
} feature_gap;

static void shorter(feature_gap *best, vp_real3 by)
{
    const double l = vp_real3_length(by);
    if (l < best->length)
        *best = (feature_gap){l, by};
}

static double clamp(double a)
{
    return a > 0.0 ? (a < 1.0 ? a : 1.0) : 0.0;
}

/* The point of a segment that is nearest to p. */
static vp_real3 on_segment(vp_real3 a, vp_real3 b, vp_real3 p)
{
    const vp_real3 d = vp_real3_sub(b, a);
    const double square = vp_real3_dot(d, d);
    return vp_real3_plus(a, d, square > 0.0 ? clamp(vp_real3_dot(vp_real3_sub(p, a), d) / square) : 0.0);
}

/* @return false if there is no foot, or the triangle has no area */
static bool foot_on_triangle(const vp_real3 c[3], vp_real3 p, vp_real3 *foot)
{
    const vp_real3 e = vp_real3_sub(c[1], c[0]), f = vp_real3_sub(c[2], c[0]), n = vp_real3_cross(e, f);
    const double square = vp_real3_dot(n, n);
    if (square <= 1e-24 * vp_real3_dot(e, e) * vp_real3_dot(f, f))
        return false;
    for (int k = 0; k < 3; k++)
        if (vp_real3_dot(vp_real3_cross(vp_real3_sub(c[(k + 1) % 3], c[k]), vp_real3_sub(p, c[k])), n) < 0.0)
            return false;
    *foot = vp_real3_plus(p, n, -vp_real3_dot(vp_real3_sub(p, c[0]), n) / square);
    return true;
}

vp_real3 vp_oracle_on_triangle(const vp_real3 c[3], vp_real3 p)
{
    vp_real3 q;
    if (foot_on_triangle(c, p, &q))
        return q;
    feature_gap best = {INFINITY, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++)
        shorter(&best, vp_real3_sub(p, on_segment(c[k], c[(k + 1) % 3], p)));
    return vp_real3_plus(p, best.by, -1.0);
}

/* From a segment p to a segment q where their lines are nearest, clamped to both. Other features cover the ends. */
static vp_real3 between_segments(vp_real3 p, vp_real3 p1, vp_real3 q, vp_real3 q1)
{
    const vp_real3 d = vp_real3_sub(p1, p), e = vp_real3_sub(q1, q), n = vp_real3_cross(d, e);
    const double square = vp_real3_dot(n, n);
    const double s = square > 0.0 ? clamp(vp_real3_dot(vp_real3_cross(vp_real3_sub(q, p), e), n) / square) : 0.0;
    const vp_real3 on_q = on_segment(q, q1, vp_real3_plus(p, d, s));
    return vp_real3_sub(on_q, on_segment(p, p1, on_q));
}

static feature_gap nearest(const vp_oracle_shape *s, const vp_real3 c[3])
{
    feature_gap best = {INFINITY, {0.0, 0.0, 0.0}};
    for (uint32_t i = 0; i < s->vertices; i++)
        shorter(&best, vp_real3_sub(load_real3(s->vertex[i]), vp_oracle_on_triangle(c, load_real3(s->vertex[i]))));
    for (uint32_t i = 0; i < s->triangles; i++) {
        const vp_real3 t[3] = {load_real3(s->vertex[s->triangle[i][0]]), load_real3(s->vertex[s->triangle[i][1]]),
                               load_real3(s->vertex[s->triangle[i][2]])};
        for (int k = 0; k < 3; k++)
            shorter(&best, vp_real3_sub(vp_oracle_on_triangle(t, c[k]), c[k]));
    }
    for (uint32_t i = 0; i < s->edges; i++) {
        const vp_real3 a = load_real3(s->vertex[s->edge[i][0]]), b = load_real3(s->vertex[s->edge[i][1]]);
        for (int k = 0; k < 3; k++) {
            shorter(&best, vp_real3_sub(on_segment(a, b, c[k]), c[k]));
            shorter(&best, between_segments(c[k], c[(k + 1) % 3], a, b));
        }
    }
    return best;
}

/* ---- axes ---- */

/* The separation of the core from the triangle along u. */
static double separation(const vp_oracle_shape *s, const vp_real3 c[3], vp_real3 u)
{
    double low = INFINITY;
    for (uint32_t i = 0; i < s->vertices; i++)
        low = fmin(low, vp_real3_dot(u, load_real3(s->vertex[i])));
    low -= s->disc * sqrt(u.x * u.x + u.z * u.z);
    return low - fmax(fmax(vp_real3_dot(u, c[0]), vp_real3_dot(u, c[1])), vp_real3_dot(u, c[2]));
}

static void try_axis(feature_gap *best, const vp_oracle_shape *s, const vp_real3 c[3], vp_real3 a, double floor)
{
    const double l = vp_real3_length(a);
    if (l <= floor)
        return;
    const vp_real3 u = {a.x / l, a.y / l, a.z / l};
    const double p = vp_real3_dot(u, c[0]), q = vp_real3_dot(u, c[1]), r = vp_real3_dot(u, c[2]);
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < s->vertices; i++) {
        const double at = vp_real3_dot(u, load_real3(s->vertex[i]));
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    const double above = low - fmax(fmax(p, q), r), below = fmin(fmin(p, q), r) - high;
    if (above > best->length)
        *best = (feature_gap){above, u};
    if (below > best->length)
        *best = (feature_gap){below, {-u.x, -u.y, -u.z}};
}

/* The largest separation over all axes, minus infinity without axes. `by` is the axis. */
static feature_gap separated(const vp_oracle_shape *s, const vp_real3 c[3])
{
    feature_gap best = {-INFINITY, {0.0, 1.0, 0.0}};
    const vp_real3 edge[3] = {vp_real3_sub(c[1], c[0]), vp_real3_sub(c[2], c[1]), vp_real3_sub(c[0], c[2])};
    try_axis(&best, s, c, vp_real3_cross(edge[0], edge[1]), 1e-12 * vp_real3_length(edge[0]) * vp_real3_length(edge[1]));
    for (uint32_t i = 0; i < s->triangles; i++) {
        const vp_real3 a = load_real3(s->vertex[s->triangle[i][0]]);
        const vp_real3 d = vp_real3_sub(load_real3(s->vertex[s->triangle[i][1]]), a),
                       e = vp_real3_sub(load_real3(s->vertex[s->triangle[i][2]]), a);
        try_axis(&best, s, c, vp_real3_cross(d, e), 1e-12 * vp_real3_length(d) * vp_real3_length(e));
    }
    for (uint32_t i = 0; i < s->edges; i++)
        for (int k = 0; k < 3; k++) {
            const vp_real3 d = vp_real3_sub(load_real3(s->vertex[s->edge[i][1]]), load_real3(s->vertex[s->edge[i][0]]));
            try_axis(&best, s, c, vp_real3_cross(d, edge[k]), 1e-12 * vp_real3_length(d) * vp_real3_length(edge[k]));
        }
    return best;
}

/* ---- the truth ---- */

/* The shape's axes in the world. */
static void axes_of(const vp_pose *pose, vp_real3 axis[3])
{
    const double x = (double)pose->rotation[0], y = (double)pose->rotation[1], z = (double)pose->rotation[2], w = (double)pose->rotation[3];
    const double l = x * x + y * y + z * z + w * w;
    axis[0] = (vp_real3){(w * w + x * x - y * y - z * z) / l, 2.0 * (x * y + w * z) / l, 2.0 * (x * z - w * y) / l};
    axis[1] = (vp_real3){2.0 * (x * y - w * z) / l, (w * w - x * x + y * y - z * z) / l, 2.0 * (y * z + w * x) / l};
    axis[2] = (vp_real3){2.0 * (x * z + w * y) / l, 2.0 * (y * z - w * x) / l, (w * w - x * x - y * y + z * z) / l};
}

static vp_real3 into(const vp_real3 axis[3], vp_real3 p)
{
    return (vp_real3){vp_real3_dot(axis[0], p), vp_real3_dot(axis[1], p), vp_real3_dot(axis[2], p)};
}

static vp_real3 out_of(const vp_real3 axis[3], vp_real3 p)
{
    return vp_real3_plus(vp_real3_plus(vp_real3_plus((vp_real3){0.0, 0.0, 0.0}, axis[0], p.x), axis[1], p.y), axis[2], p.z);
}

static double size_of(const vp_oracle_shape *s, const vp_pose *pose, const vp_vec3 corner[3])
{
    double size = s->reach;
    for (int k = 0; k < 3; k++) {
        const vp_real3 c = vp_real3_sub(vp_real3_of(corner[k]), vp_real3_of(pose->position));
        size = fmax(size, fmax(fmax(fabs(c.x), fabs(c.y)), fabs(c.z)));
    }
    return size;
}

static feature_gap truth_of_cylinder(const vp_oracle_shape *s, const vp_real3 c[3])
{
    double corner[3][3] = {{c[0].x, c[0].y, c[0].z}, {c[1].x, c[1].y, c[1].z}, {c[2].x, c[2].y, c[2].z}};
    double u[3];
    const double distance = vp_oracle_cylinder(s->disc, s->vertex[1][1], corner, u);
    return (feature_gap){distance, load_real3(u)};
}

static feature_gap truth_of_core(const vp_oracle_shape *s, const vp_real3 c[3], double size)
{
    feature_gap best = separated(s, c);
    /* A core with a volume overlaps if no axis separates. A point or a segment goes through the triangle if there are axes and all are
     * below 0 by more than rounding. Otherwise its nearest points decide. */
    const bool through = s->triangles > 0 ? best.length <= 0.0 : best.length < -1e-13 * size && best.length > -INFINITY;
    if (!through) {
        const feature_gap shortest = nearest(s, c);
        if (shortest.length > 1e-13 * size || best.length == -INFINITY)
            best = shortest;
    }
    return best;
}

void vp_oracle_truth_of(const vp_oracle_shape *shape, const vp_pose *pose, const vp_vec3 corner[3], vp_oracle_truth *out)
{
    vp_real3 axis[3], c[3];
    axes_of(pose, axis);
    for (int k = 0; k < 3; k++)
        c[k] = into(axis, vp_real3_sub(vp_real3_of(corner[k]), vp_real3_of(pose->position)));
    out->size = size_of(shape, pose, corner);
    const feature_gap best = shape->is_cylinder ? truth_of_cylinder(shape, c) : truth_of_core(shape, c, out->size);
    const double l = vp_real3_length(best.by);
    const vp_real3 n = out_of(axis, best.by);
    out->distance = best.length - shape->radius;
    out->normal[0] = l > 0.0 ? n.x / l : 0.0;
    out->normal[1] = l > 0.0 ? n.y / l : 1.0;
    out->normal[2] = l > 0.0 ? n.z / l : 0.0;
}

/* ---- judging ---- */

static const char *const faults[VP_FAULTS] = {"none", "number", "missed", "invented", "sign", "depth", "normal", "points", "feature"};

const char *vp_collide_fault_name(vp_collide_fault fault)
{
    return (unsigned)fault < VP_FAULTS ? faults[fault] : "unknown";
}

static bool has_numbers(const vp_collide_result *a)
{
    const float value[16] = {a->distance,      a->normal.x,   a->normal.y,  a->normal.z,      a->on_shape.x,
                             a->on_shape.y,    a->on_shape.z, a->weight[0], a->on_triangle.x, a->on_triangle.y,
                             a->on_triangle.z, a->weight[1],  a->weight[2]};
    for (int i = 0; i < 16; i++)
        if (!isfinite(value[i]))
            return false;
    return fabs(vp_real3_length(vp_real3_of(a->normal)) - 1.0) <= 1e-6;
}

/* Whether a point is on the shape, in its frame. It must not be outside, nor farther along u, the direction to the triangle,
 * than the shape. */
static bool is_on_shape(const vp_oracle_shape *s, const vp_collide_shape *shape, vp_real3 p, double allowed)
{
    if (shape->kind == VP_COLLIDE_SPHERE || shape->kind == VP_COLLIDE_CAPSULE)
        return vp_real3_length(vp_real3_sub(p, on_segment(load_real3(s->vertex[0]), load_real3(s->vertex[s->vertices - 1]), p))) <=
               s->radius + allowed;
    if (shape->kind == VP_COLLIDE_CYLINDER)
        return sqrt(p.x * p.x + p.z * p.z) <= s->disc + allowed && fabs(p.y) <= s->vertex[1][1] + allowed;
    for (uint32_t i = 0; i < s->triangles; i++) {
        const vp_real3 a = load_real3(s->vertex[s->triangle[i][0]]);
        const vp_real3 n = vp_real3_cross(vp_real3_sub(load_real3(s->vertex[s->triangle[i][1]]), a),
                                          vp_real3_sub(load_real3(s->vertex[s->triangle[i][2]]), a));
        if (vp_real3_dot(n, vp_real3_sub(p, a)) > allowed * vp_real3_length(n))
            return false;
    }
    return true;
}

/* Where S is nearly constant over many directions, points are less accurate than the distance. */
#define POINTS 1e-5

static bool are_points(const vp_oracle_shape *s, const vp_collide_shape *shape, const vp_pose *pose, const vp_vec3 corner[3],
                       const vp_collide_result *a, double allowed, double size)
{
    vp_real3 axis[3], on = {0.0, 0.0, 0.0};
    double sum = 0.0;
    axes_of(pose, axis);
    for (int k = 0; k < 3; k++) {
        if (a->weight[k] < 0.0f)
            return false;
        sum += (double)a->weight[k];
        on = vp_real3_plus(on, vp_real3_sub(vp_real3_of(corner[k]), vp_real3_of(pose->position)), (double)a->weight[k]);
    }
    const vp_real3 gap =
        vp_real3_plus(vp_real3_sub(vp_real3_of(a->on_shape), vp_real3_of(a->on_triangle)), vp_real3_of(a->normal), -(double)a->distance);
    return fabs(sum - 1.0) <= 1e-6 && vp_real3_length(vp_real3_sub(on, vp_real3_of(a->on_triangle))) <= allowed &&
           vp_real3_length(gap) <= fmax(POINTS * size, allowed) && is_on_shape(s, shape, into(axis, vp_real3_of(a->on_shape)), allowed);
}

bool vp_oracle_is_feature(const vp_collide_shape *shape, uint32_t feature)
{
    const uint32_t part = feature >> 30, number = feature & 0x3fffffffu;
    uint32_t most[4] = {1, 0, 0, 0}; /* faces, edges, corners of a sphere */
    if (shape->kind == VP_COLLIDE_CAPSULE)
        most[2] = 2;
    else if (shape->kind == VP_COLLIDE_BOX)
        most[0] = 6, most[1] = 12, most[2] = 8;
    else if (shape->kind == VP_COLLIDE_CYLINDER)
        most[0] = 3, most[1] = 2;
    else if (shape->kind == VP_COLLIDE_HULL)
        most[0] = shape->hull->face_count, most[1] = shape->hull->edge_count, most[2] = shape->hull->vertex_count;
    return number < most[part];
}

/* Whether the triangle's feature matches the weights, and the shape has the other feature. */
static bool are_features(const vp_collide_shape *shape, const vp_collide_result *a)
{
    static const uint32_t by_weights[8] = {99, 4, 5, 1, 6, 3, 2, 0}; /* bit k: weight k is not 0 */
    const uint32_t bits = (a->weight[0] != 0.0f) | (uint32_t)(a->weight[1] != 0.0f) << 1 | (uint32_t)(a->weight[2] != 0.0f) << 2;
    return a->triangle_feature == by_weights[bits] && vp_oracle_is_feature(shape, a->shape_feature);
}

vp_collide_fault vp_oracle_judge(const vp_oracle_shape *shape, const vp_collide_shape *kind, const vp_pose *pose, const vp_vec3 corner[3],
                                 float margin, double band, const vp_collide_result *answer, double *error)
{
    vp_oracle_truth truth;
    vp_real3 axis[3], c[3];
    vp_oracle_truth_of(shape, pose, corner, &truth);
    const bool coarse = truth.distance < 0.0 && shape->coarse > band;
    band = coarse ? shape->coarse : band;
    const double allowed = band * truth.size, off = fabs((double)answer->distance - truth.distance);
    *error = 0.0;
    if (!has_numbers(answer))
        return VP_FAULT_NUMBER;
    if (answer->triangle_feature == VP_COLLIDE_NONE || answer->shape_feature == VP_COLLIDE_NONE) {
        if (truth.distance < (double)margin - allowed)
            return VP_FAULT_MISSED;
        return answer->distance > margin && (double)answer->distance <= truth.distance + allowed ? VP_FAULT_NONE : VP_FAULT_DEPTH;
    }
    *error = off / truth.size;
    if (truth.distance > (double)margin + allowed)
        return VP_FAULT_INVENTED;
    if (fabs(truth.distance) > allowed && (truth.distance > 0.0) != ((double)answer->distance > 0.0))
        return VP_FAULT_SIGN;
    if (off > allowed)
        return VP_FAULT_DEPTH;
    axes_of(pose, axis);
    for (int k = 0; k < 3; k++)
        c[k] = into(axis, vp_real3_sub(vp_real3_of(corner[k]), vp_real3_of(pose->position)));
    const vp_real3 n = vp_real3_of(answer->normal);
    if (separation(shape, c, into(axis, n)) - shape->radius < truth.distance - 2.0 * allowed)
        return VP_FAULT_NORMAL;
    if (truth.distance > 1e-4 * truth.size && vp_real3_dot(n, load_real3(truth.normal)) < 0.99619)
        return VP_FAULT_NORMAL;
    /* For a round side the error of directions, and so of points, is the square root of the depth's. */
    if (!are_points(shape, kind, pose, corner, answer, coarse ? sqrt(band) * truth.size : 4.0 * allowed, truth.size))
        return VP_FAULT_POINTS;
    return are_features(kind, answer) ? VP_FAULT_NONE : VP_FAULT_FEATURE;
}
