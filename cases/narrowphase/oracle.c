/* SPDX-License-Identifier: MIT */
/* The distance between a cylinder along y and a triangle, in binary64. It evaluates S for every direction that a patch of their Minkowski
 * sum may have.
 *
 * An edge and a rim: R(a) is the point of the rim at angle a, and T(a) its tangent. f is the direction of the edge, and p its point
 * nearest to the origin. Seen along f, the vector from R to p is perpendicular to the rim where (R - p).(T - (T.f) f) = 0. In the
 * tangent of a/2 this is a polynomial of degree four. All its roots are found, between those of its derivative. No case is merged or
 * skipped as impossible. */
#include "cases/narrowphase/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/real3.h"

enum { DEGREE = 4 };

typedef struct cylinder_best {
    double r, h;
    double (*corner)[3];
    double s, *u;
} cylinder_best;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The separation along a unit vector u. */
static double apart_along(double r, double h, double corner[3][3], const double u[3])
{
    const double reach = fmax(fmax(dot(u, corner[0]), dot(u, corner[1])), dot(u, corner[2]));
    return -(h * fabs(u[1]) + r * sqrt(u[0] * u[0] + u[2] * u[2])) - reach;
}

/* A direction and its opposite, of any length except 0. */
static void try_both(cylinder_best *b, const double way[3])
{
    const double length = sqrt(dot(way, way));
    if (!(length > 1e-13 * (b->r + b->h)))
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double u[3] = {sign * way[0] / length, sign * way[1] / length, sign * way[2] / length};
        const double s = apart_along(b->r, b->h, b->corner, u);
        if (s > b->s) {
            b->s = s;
            b->u[0] = u[0], b->u[1] = u[1], b->u[2] = u[2];
        }
    }
}

static double value_of(const double *coefficient, int degree, double x)
{
    double y = 0.0;
    for (int i = degree; i >= 0; i--)
        y = y * x + coefficient[i];
    return y;
}

/* The root between two places, by the secant method with bisection as fallback. */
static double root_between(const double *coefficient, int degree, double low, double high)
{
    double at_low = value_of(coefficient, degree, low), at_high = value_of(coefficient, degree, high);
    for (int i = 0; i < 120 && high - low > 1e-15; i++) {
        const double secant = low + (high - low) * (at_low / (at_low - at_high));
        const double x = i % 3 == 2 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
        const double y = value_of(coefficient, degree, x);
        if (y == 0.0)
            return x;
        if ((y < 0.0) == (at_low < 0.0))
            low = x, at_low = y;
        else
            high = x, at_high = y;
    }
    return 0.5 * (low + high);
}

/* The search goes a little beyond half of the rim, so that no root is lost where the halves meet. */
static const double end = 1.001;

/* All roots between the ends, ascending. */
static int roots_of(const double *coefficient, int degree, double root[DEGREE])
{
    double derivative[DEGREE], turn[DEGREE + 1];
    int count = 0, turns = 0;
    if (degree <= 0)
        return 0;
    for (int i = 0; i < degree; i++)
        derivative[i] = (i + 1) * coefficient[i + 1];
    turns = roots_of(derivative, degree - 1, turn);
    turn[turns] = end;
    double low = -end, at_low = value_of(coefficient, degree, low);
    for (int i = 0; i <= turns; i++) {
        const double high = turn[i], at_high = value_of(coefficient, degree, high);
        if (at_low == 0.0 || (at_low < 0.0) != (at_high < 0.0))
            if (count < degree)
                root[count++] = at_low == 0.0 ? low : root_between(coefficient, degree, low, high);
        low = high, at_low = at_high;
    }
    return count;
}

/* An edge from `corner` along f, and the rim at height h. */
static void try_rim(cylinder_best *b, const double f[3], const double corner[3], double h)
{
    const double along = dot(corner, f), r = b->r;
    const double p[3] = {corner[0] - along * f[0], corner[1] - along * f[1], corner[2] - along * f[2]};
    for (int half = -1; half <= 1; half += 2) { /* of the rim: a from -90 to 90 degrees, and opposite */
        const double cosine = -half * (p[2] + h * f[1] * f[2]), sine = half * (p[0] + h * f[1] * f[0]);
        const double twice = -r * f[0] * f[2], product = r * (f[0] * f[0] - f[2] * f[2]);
        const double coefficient[DEGREE + 1] = {cosine + twice, 2.0 * (sine + product), -6.0 * twice, 2.0 * (sine - product),
                                                twice - cosine};
        double root[DEGREE];
        const int count = roots_of(coefficient, DEGREE, root);
        for (int i = 0; i < count; i++) {
            const double x = root[i], c = half * (1.0 - x * x) / (1.0 + x * x), s = half * 2.0 * x / (1.0 + x * x);
            const double tangent[3] = {-s, 0.0, c}, on[3] = {r * c, h, r * s};
            const double far = dot(on, f);
            const double straight[3] = {on[0] - p[0] - far * f[0], on[1] - p[1] - far * f[1], on[2] - p[2] - far * f[2]};
            double across[3];
            cross(f, tangent, across);
            for (int k = 0; k < 3; k++)
                across[k] *= r + b->h;
            try_both(b, across);
            try_both(b, straight);
        }
    }
}

static void try_corner(cylinder_best *b, const double c[3])
{
    const double from_axis = sqrt(c[0] * c[0] + c[2] * c[2]), held = from_axis > b->r ? b->r / from_axis : 1.0;
    const double radial[3] = {c[0], 0.0, c[2]};
    const double nearest[3] = {held * c[0] - c[0], fmax(fmin(c[1], b->h), -b->h) - c[1], held * c[2] - c[2]};
    try_both(b, radial);
    try_both(b, nearest);
}

/* The signed distance of a cylinder from a triangle. @param u  out, the direction */
static double distance_of_cylinder(double r, double h, double corner[3][3], double u[3])
{
    const double axis[3] = {0.0, r + h, 0.0}, side[3] = {r + h, 0.0, 0.0};
    cylinder_best b = {r, h, corner, -INFINITY, u};
    double f[3][3], length[3], n[3];
    try_both(&b, axis);
    try_both(&b, side); /* for a corner on the axis */
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            f[k][i] = corner[(k + 1) % 3][i] - corner[k][i];
        length[k] = sqrt(dot(f[k], f[k]));
        for (int i = 0; i < 3; i++)
            f[k][i] /= length[k] > 0.0 ? length[k] : 1.0;
        try_corner(&b, corner[k]);
    }
    for (int k = 0; k < 3; k++) {
        double across[3] = {-f[k][2] * (r + h), 0.0, f[k][0] * (r + h)};
        if (length[k] == 0.0)
            continue;
        try_both(&b, across);
        try_rim(&b, f[k], corner[k], h);
        try_rim(&b, f[k], corner[k], -h);
        cross(f[k], f[(k + 1) % 3], n);
        if (dot(n, n) > 1e-24)
            for (int i = 0; i < 3; i++)
                across[i] = n[i] * ((r + h) / sqrt(dot(n, n)));
        try_both(&b, across);
    }
    return b.s;
}

/* ---- shapes ---- */

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

static vp_real3 on_triangle(const vp_real3 c[3], vp_real3 p)
{
    vp_real3 q;
    if (foot_on_triangle(c, p, &q))
        return q;
    feature_gap best = {INFINITY, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++)
        shorter(&best, vp_real3_sub(p, on_segment(c[k], c[(k + 1) % 3], p)));
    return vp_real3_plus(p, best.by, -1.0);
}

void vp_oracle_on_triangle(const vp_real3 *corner, const vp_real3 *p, vp_real3 *out)
{
    *out = on_triangle(corner, *p);
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
        shorter(&best, vp_real3_sub(load_real3(s->vertex[i]), on_triangle(c, load_real3(s->vertex[i]))));
    for (uint32_t i = 0; i < s->triangles; i++) {
        const vp_real3 t[3] = {load_real3(s->vertex[s->triangle[i][0]]), load_real3(s->vertex[s->triangle[i][1]]),
                               load_real3(s->vertex[s->triangle[i][2]])};
        for (int k = 0; k < 3; k++)
            shorter(&best, vp_real3_sub(on_triangle(t, c[k]), c[k]));
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
    const double distance = distance_of_cylinder(s->disc, s->vertex[1][1], corner, u);
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
