/* SPDX-License-Identifier: MIT */
/* The way along w out of a triangle, for each shape.
 *
 * The shape moved by t w touches the triangle as long as t w is in M, the sum of the triangle and the reflected shape.
 * M is convex, and the result is the t at which the ray along w leaves it. With S(u) as in local.h, a direction u
 * defines a half space that contains M. If u.w > 0, the ray leaves this half space at -S(u)/(u.w). So each such u gives
 * an upper bound, whatever its length. The smallest bound is the answer if the normal of M where the ray leaves is
 * among the directions. The candidates are the normals of M's faces. Where M is round, the candidate is the normal
 * where the ray leaves that piece, extended to infinity. A piece that the ray misses gives a direction too, which does
 * no harm. */
#include "src/narrowphase/ray.h"

#include <math.h>

#include <voxphys/narrowphase.h>

#include "src/core/inline.h"

/* Directions perpendicular to w, up to roundings, give no bound. */
#define NOTHING 1e-9

typedef struct ray {
    const vp_collide_shape *shape;
    const vp_real3 *corner;
    vp_real3 along[3]; /* direction of edge k, unit length or 0 */
    vp_real3 w;
    double enough;   /* a bound up to this ends the search */
    double t;        /* smallest bound so far */
    vp_real3 normal; /* its direction */
} ray;

static const vp_real3 up = {0.0, 1.0, 0.0};

/* Far above the rounding error of a product, and of the root of a difference of squares. */
#define PRODUCT_ERROR 0x1p-50
#define ROOT_ERROR    0x1p-20

/* The bound of a direction u of any length, given d = u.w and the shape's reach along -u. Infinity if a product shows, without a
 * division, that the direction does not lower the smallest bound. */
VP_INLINE double bound_of(const ray *r, vp_real3 u, double d, double reach)
{
    const double beaten = r->t * d, limit = beaten + fabs(beaten) * PRODUCT_ERROR;
    const double a = vp_real3_dot(u, r->corner[0]);
    if (!(d > 0.0) || reach + a > limit)
        return INFINITY;
    const double b = vp_real3_dot(u, r->corner[1]), c = vp_real3_dot(u, r->corner[2]);
    const double ab = b > a ? b : a, max = c > ab ? c : ab;
    return reach + max > limit || !(d > NOTHING * sqrt(vp_real3_dot(u, u))) ? INFINITY : (reach + max) / d;
}

VP_INLINE void enter_along(ray *r, vp_real3 u, double d, double reach)
{
    const double t = bound_of(r, u, d, reach);
    if (t < r->t) {
        r->t = t;
        r->normal = u;
    }
}

VP_INLINE void enter_halfspace(ray *r, vp_real3 u, double reach)
{
    enter_along(r, u, vp_real3_dot(u, r->w), reach);
}

static double reach_of_hull(const vp_collide_hull *h, vp_real3 m)
{
    double max = -INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const double at = vp_real3_dot(m, vp_real3_of(h->vertex[i]));
        max = at > max ? at : max;
    }
    return max;
}

double vp_ray_reach(const vp_collide_shape *s, vp_real3 m)
{
    const double radius = (double)s->radius, half = (double)s->half_height;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return radius * sqrt(vp_real3_dot(m, m));
    case VP_COLLIDE_CAPSULE:
        return radius * sqrt(vp_real3_dot(m, m)) + half * fabs(m.y);
    case VP_COLLIDE_BOX:
        return ((double)s->half.x * fabs(m.x) + (double)s->half.y * fabs(m.y)) + (double)s->half.z * fabs(m.z);
    case VP_COLLIDE_CYLINDER:
        return radius * sqrt(m.x * m.x + m.z * m.z) + half * fabs(m.y);
    default:
        return reach_of_hull(s->hull, m);
    }
}

/* Tries u or -u, whichever points along w. */
static void try_either(ray *r, vp_real3 u)
{
    u = vp_real3_dot(u, r->w) < 0.0 ? vp_real3_scale(u, -1.0) : u;
    enter_halfspace(r, u, vp_ray_reach(r->shape, vp_real3_scale(u, -1.0)));
}

/* Tries the normal where the ray leaves a ball about `at`, or the part of a cylinder about a line through `at` that is perpendicular
 * to w.
 * @param w     the ray's direction, for a cylinder its part perpendicular to the axis
 * @param half  half the height of the shape, 0 for a sphere */
VP_INLINE void try_circle(ray *r, vp_real3 at, vp_real3 w, double half)
{
    const double radius = (double)r->shape->radius, square = vp_real3_dot(w, w);
    if (!(square > NOTHING * NOTHING))
        return;
    const double middle = vp_real3_dot(at, w) / square;
    const vp_real3 from_axis = vp_real3_plus(at, w, -middle);
    const double rest = (radius * radius - vp_real3_dot(from_axis, from_axis)) / square, t = middle + sqrt(rest > 0.0 ? rest : 0.0);
    if (t > r->t + radius * ROOT_ERROR) /* the bound is t up to roundings, or more if another corner reaches farther */
        return;
    const vp_real3 u = vp_real3_sub(vp_real3_scale(w, t), at);
    const double flat = r->shape->kind == VP_COLLIDE_CYLINDER ? u.x * u.x + u.z * u.z : vp_real3_dot(u, u);
    enter_along(r, u, vp_real3_dot(u, r->w), radius * sqrt(flat) + half * fabs(u.y));
}

/* Tries a cylinder about the line through v along a unit vector. */
VP_INLINE void try_round(ray *r, vp_real3 v, vp_real3 axis, double half)
{
    try_circle(r, vp_real3_plus(v, axis, -vp_real3_dot(v, axis)), vp_real3_plus(r->w, axis, -vp_real3_dot(r->w, axis)), half);
}

/* ---- shapes ---- */

/* The faces of the triangle's sum with a segment along y, and the radius around it. A sphere's segment has no length. */
static void try_capsule(ray *r)
{
    const double half = r->shape->kind == VP_COLLIDE_CAPSULE ? (double)r->shape->half_height : 0.0;
    for (int k = 0; k < 3 && r->t > r->enough; k++) {
        for (int end = 0; end < (half > 0.0 ? 2 : 1); end++) {
            const vp_real3 v = vp_real3_plus(r->corner[k], up, end == 0 ? -half : half);
            try_circle(r, v, r->w, half);
            try_round(r, v, r->along[k], half);
        }
        if (half > 0.0) {
            const vp_real3 u = {-r->along[k].z, 0.0, r->along[k].x}; /* along x up, or back */
            const double d = vp_real3_dot(u, r->w);
            enter_along(r, d < 0.0 ? vp_real3_scale(u, -1.0) : u, fabs(d), (double)r->shape->radius * sqrt(vp_real3_dot(u, u)));
            try_round(r, r->corner[k], up, half);
        }
    }
}

VP_INLINE double coordinate(vp_real3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* Tries u or -u of a box, which reaches equally far along both. u is perpendicular to an axis and has components p and q along the
 * other two. Products with the third are omitted, as they are 0. */
VP_INLINE void try_across(ray *r, vp_real3 half, int axis, double p, double q)
{
    const int i = axis == 0 ? 1 : 0, k = axis == 2 ? 1 : 2;
    const vp_real3 *corner = r->corner;
    const double along = p * coordinate(r->w, i) + q * coordinate(r->w, k), d = fabs(along);
    const double reach = coordinate(half, i) * fabs(p) + coordinate(half, k) * fabs(q), beaten = r->t * d,
                 limit = beaten + fabs(beaten) * PRODUCT_ERROR;
    p = along < 0.0 ? -p : p;
    q = along < 0.0 ? -q : q;
    const double a = p * coordinate(corner[0], i) + q * coordinate(corner[0], k);
    if (!(d > 0.0) || reach + a > limit)
        return;
    const double b = p * coordinate(corner[1], i) + q * coordinate(corner[1], k),
                 c = p * coordinate(corner[2], i) + q * coordinate(corner[2], k);
    const double ab = b > a ? b : a, max = c > ab ? c : ab;
    if (reach + max > limit || !(d > NOTHING * sqrt(p * p + q * q)) || !((reach + max) / d < r->t))
        return;
    r->t = (reach + max) / d;
    r->normal = axis == 0 ? (vp_real3){0.0, p, q} : axis == 1 ? (vp_real3){p, 0.0, q} : (vp_real3){p, q, 0.0};
}

/* Tries an axis of the box, and its products with the edges. */
VP_INLINE void try_axis(ray *r, vp_real3 half, int axis)
{
    const vp_real3 *along = r->along;
    if (axis == 2)
        try_across(r, half, 0, 0.0, 1.0);
    else
        try_across(r, half, 2, axis == 0 ? 1.0 : 0.0, axis == 0 ? 0.0 : 1.0);
    for (int k = 0; k < 3; k++)
        try_across(r, half, axis,
                   axis == 0   ? -along[k].z
                   : axis == 1 ? along[k].z
                               : -along[k].y,
                   axis == 0   ? along[k].y
                   : axis == 1 ? -along[k].x
                               : along[k].x);
}

static void try_box(ray *r)
{
    const vp_real3 half = vp_real3_of(r->shape->half);
    try_axis(r, half, 0);
    if (r->t > r->enough)
        try_axis(r, half, 1);
    if (r->t > r->enough)
        try_axis(r, half, 2);
}

/* Tries edge k and a rim. In the plane of the edge and w, whose points are corner + s edge - t w, the rim is at two
 * places or none. Places at the rim's height lie on a line of (s, t) along (w.y, edge.y). The normal there is
 * perpendicular to the edge and to the rim. */
static void try_rim(ray *r, int k, double height)
{
    const vp_real3 a = r->corner[k], e = r->along[k], w = r->w;
    const double square = e.y * e.y + w.y * w.y, radius = (double)r->shape->radius;
    if (!(square > NOTHING * NOTHING))
        return;
    const double far = (height - a.y) / square;
    const vp_real3 start = vp_real3_plus(vp_real3_plus(a, e, far * e.y), w, far * w.y),
                   line = vp_real3_plus(vp_real3_scale(e, w.y), w, -e.y);
    const double length = line.x * line.x + line.z * line.z;
    if (!(length > NOTHING * NOTHING * square))
        return;
    const double middle = -(start.x * line.x + start.z * line.z) / length;
    const vp_real3 nearest = vp_real3_plus(start, line, middle);
    const double rest = (radius * radius - (nearest.x * nearest.x + nearest.z * nearest.z)) / length, root = sqrt(rest > 0.0 ? rest : 0.0);
    for (int i = 0; i < 2; i++) {
        const vp_real3 p = vp_real3_plus(nearest, line, i == 0 ? -root : root), along_rim = {-p.z, 0.0, p.x};
        try_either(r, vp_real3_cross(e, along_rim));
    }
}

static void try_cylinder(ray *r)
{
    const double half = (double)r->shape->half_height;
    try_either(r, up);
    for (int k = 0; k < 3 && r->t > r->enough; k++) {
        try_either(r, vp_real3_cross(r->along[k], up));
        try_round(r, r->corner[k], up, half);
        try_rim(r, k, -half);
        try_rim(r, k, half);
    }
}

/* Tries the direction out of an edge of a hull along m, where the edge reaches `reach`. As in
 * reference/narrowphase/hull.c, a better direction is measured again. */
static void try_edge(ray *r, vp_real3 m, double reach)
{
    const vp_real3 u = vp_real3_scale(m, -1.0);
    if (bound_of(r, u, vp_real3_dot(u, r->w), reach) < r->t)
        enter_halfspace(r, u, reach_of_hull(r->shape->hull, m));
}

/* More than the rounding error, in binary32, of a dot product of unit vectors. */
#define DOT_ERROR 1e-5f

/* Whether both ends of an arc are surely on the same side of a plane. */
static bool is_beside(const vp_collide_arc *arc, vp_vec3 normal)
{
    const float c = vp_vec3_dot(normal, arc->from), d = vp_vec3_dot(normal, arc->to);
    return (c > DOT_ERROR && d > DOT_ERROR) || (c < -DOT_ERROR && d < -DOT_ERROR);
}

/* The triangle in binary32, moved back by the smallest bound so far. */
typedef struct returned_triangle {
    vp_vec3 corner[3];
    vp_vec3 w;
    double t;      /* the bound */
    float slack;   /* far above the rounding error of a height */
    uint32_t last; /* the corner that was below the last plane */
} returned_triangle;

static void move_back(const ray *r, returned_triangle *m)
{
    float size = r->shape->hull->radius + fabsf((float)r->t);
    for (int k = 0; k < 3; k++) {
        const vp_vec3 c = vp_real3_rounded(r->corner[k]);
        m->corner[k] = vp_real3_rounded(vp_real3_plus(r->corner[k], r->w, -r->t));
        size += fabsf(c.x) + fabsf(c.y) + fabsf(c.z);
    }
    m->t = r->t;
    m->slack = size * 0x1p-18f;
}

/* The next face from f on that can lower the bound: it must not point along w, and no corner may surely be below it. */
static uint32_t find_face(returned_triangle *m, const vp_collide_hull *h, uint32_t f)
{
    for (; f < h->face_count; f++) {
        const vp_vec3 n = h->plane[f].normal;
        const float height = h->plane[f].offset - m->slack;
        uint32_t tried = 0;
        for (; tried < 3 && !(vp_vec3_dot(n, m->corner[m->last]) < height); tried++)
            m->last = m->last < 2 ? m->last + 1 : 0;
        if (tried == 3 && !(vp_vec3_dot(n, m->w) > DOT_ERROR))
            break;
    }
    return f;
}

/* The next arc from i on that may have a direction that lowers the bound. The others have only directions along w, or the last corner is
 * surely below the planes across both ends of the arc through its edge. Then it is below those of all directions between. The smaller of
 * the edge's heights along both ends mostly shows it. */
static uint32_t find_arc(const returned_triangle *m, const vp_collide_hull *h, uint32_t i)
{
    const vp_vec3 corner = m->corner[m->last], w = m->w;
    const float slack = m->slack;
    for (; i < h->arc_count; i++) {
        const vp_collide_arc *arc = &h->arc[i];
        const float lowest = arc->lowest - slack;
        if (!(vp_vec3_dot(arc->from, corner) < lowest && vp_vec3_dot(arc->to, corner) < lowest) &&
            !(vp_vec3_dot(arc->from, w) > DOT_ERROR && vp_vec3_dot(arc->to, w) > DOT_ERROR))
            break;
    }
    return i;
}

/* The same for one arc, by all corners and both heights. */
static bool is_beaten(returned_triangle *m, const vp_collide_arc *arc, vp_vec3 on_edge)
{
    const float from = vp_vec3_dot(arc->from, on_edge) - m->slack, to = vp_vec3_dot(arc->to, on_edge) - m->slack;
    for (uint32_t k = 0; k < 3; k++)
        if (vp_vec3_dot(arc->from, m->corner[k]) < from && vp_vec3_dot(arc->to, m->corner[k]) < to) {
            m->last = k;
            return true;
        }
    return false;
}

/* Edges of the hull and of the triangle, as in reference/narrowphase/hull.c. The bound is finite already, because w was tried. */
static void try_hull(ray *r)
{
    const vp_collide_hull *h = r->shape->hull;
    returned_triangle moved = {.w = vp_real3_rounded(r->w), .last = 0};
    const vp_vec3 along[3] = {vp_real3_rounded(r->along[0]), vp_real3_rounded(r->along[1]), vp_real3_rounded(r->along[2])};
    move_back(r, &moved);
    for (uint32_t f = find_face(&moved, h, 0); f < h->face_count; f = find_face(&moved, h, f + 1)) {
        enter_halfspace(r, vp_real3_scale(vp_real3_of(h->plane[f].normal), -1.0), (double)h->plane[f].offset);
        if (r->t < moved.t)
            move_back(r, &moved);
    }
    for (uint32_t i = find_arc(&moved, h, 0); i < h->arc_count && r->t > r->enough; i = find_arc(&moved, h, i + 1)) {
        const vp_collide_arc *arc = &h->arc[i];
        const vp_vec3 vertex = h->vertex[h->edge[arc->edge].vertex[0]];
        const bool skips[3] = {is_beside(arc, along[0]), is_beside(arc, along[1]), is_beside(arc, along[2])};
        if (is_beaten(&moved, arc, vertex) || (skips[0] && skips[1] && skips[2]))
            continue;
        const vp_real3 from = vp_real3_of(arc->from), to = vp_real3_of(arc->to), a = vp_real3_of(vertex);
        const vp_real3 b = vp_real3_of(h->vertex[h->edge[arc->edge].vertex[1]]);
        for (int k = 0; k < 3; k++) {
            if (skips[k])
                continue;
            const double c = vp_real3_dot(r->along[k], from), d = vp_real3_dot(r->along[k], to);
            if (c == d || (c > 0.0 && d > 0.0) || (c < 0.0 && d < 0.0))
                continue;
            const vp_real3 m = vp_real3_plus(vp_real3_scale(from, d / (d - c)), to, c / (c - d));
            const double at_a = vp_real3_dot(m, a), at_b = vp_real3_dot(m, b);
            try_edge(r, m, at_b > at_a ? at_b : at_a);
        }
        if (r->t < moved.t)
            move_back(r, &moved);
    }
}

static void find_exit(ray *r)
{
    const vp_real3 *corner = r->corner;
    for (int k = 0; k < 3; k++) {
        const vp_real3 e = vp_real3_sub(corner[(k + 1) % 3], corner[k]);
        const double length = sqrt(vp_real3_dot(e, e));
        r->along[k] = vp_real3_scale(e, length > 0.0 ? 1.0 / length : 0.0);
    }
    try_either(r, r->w);
    try_either(r, vp_real3_cross(vp_real3_sub(corner[1], corner[0]), vp_real3_sub(corner[2], corner[0])));
    if (r->t <= r->enough)
        return;
    switch (r->shape->kind) {
    case VP_COLLIDE_SPHERE:
    case VP_COLLIDE_CAPSULE:
        try_capsule(r);
        break;
    case VP_COLLIDE_BOX:
        try_box(r);
        break;
    case VP_COLLIDE_CYLINDER:
        try_cylinder(r);
        break;
    default:
        try_hull(r);
        break;
    }
}

double vp_ray_exit(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, vp_real3 *normal)
{
    ray r = {.shape = shape, .corner = corner, .w = w, .enough = -INFINITY, .t = INFINITY};
    find_exit(&r);
    *normal = r.normal;
    return r.t;
}

double vp_ray_depth(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w)
{
    vp_real3 unused;
    return vp_ray_exit(shape, corner, w, &unused);
}

VP_INLINE bool is_below(const vp_collide_plane *plane, vp_real3 p)
{
    return vp_real3_dot(vp_real3_of(plane->normal), p) < (double)plane->offset;
}

/* Whether a point is strictly inside the shape.
 * @param face  of a hull, the one that the last point was not below, tried first */
VP_INLINE bool is_inside(const vp_collide_shape *s, vp_real3 p, uint32_t *face)
{
    if (s->kind == VP_COLLIDE_BOX)
        return fabs(p.x) < (double)s->half.x && fabs(p.y) < (double)s->half.y && fabs(p.z) < (double)s->half.z;
    const double radius = (double)s->radius, beyond = fabs(p.y) - (double)s->half_height, y = beyond > 0.0 ? beyond : 0.0;
    uint32_t i = 0;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return vp_real3_dot(p, p) < radius * radius;
    case VP_COLLIDE_CAPSULE:
        return p.x * p.x + y * y + p.z * p.z < radius * radius;
    case VP_COLLIDE_CYLINDER:
        return beyond < 0.0 && p.x * p.x + p.z * p.z < radius * radius;
    default:
        if (!is_below(&s->hull->plane[*face], p))
            return false;
        while (i < s->hull->face_count && is_below(&s->hull->plane[i], p))
            i++;
        *face = i < s->hull->face_count ? i : 0;
        return i == s->hull->face_count;
    }
}

bool vp_ray_overlaps(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double t)
{
    const vp_real3 by = vp_real3_scale(w, -t);
    vp_real3 middle = {0.0, 0.0, 0.0};
    uint32_t face = 0;
    for (int k = 0; k < 3; k++)
        if (is_inside(shape, vp_real3_add(corner[k], by), &face))
            return true;
    for (int k = 0; k < 3; k++)
        middle = vp_real3_plus(middle, corner[k], 1.0 / 3.0);
    return is_inside(shape, vp_real3_add(middle, by), &face);
}

/* Whether a triangle moved by -t w is beyond a side of a box. */
VP_INLINE bool is_beyond_side(double half, double a, double b, double c, double w, double t)
{
    const double ab = (w < 0.0) == (b < a) ? b : a, far = (w < 0.0) == (c < ab) ? c : ab;
    return fabs(w) > NOTHING && half + (w < 0.0 ? -far : far) <= t * fabs(w);
}

/* Corners and centre reject most cases, and sides decide most of the others. */
bool vp_ray_is_out(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double t)
{
    const vp_real3 a = corner[0], b = corner[1], c = corner[2], half = vp_real3_of(shape->half);
    if (vp_ray_overlaps(shape, corner, w, t))
        return false;
    if (shape->kind == VP_COLLIDE_BOX && (is_beyond_side(half.x, a.x, b.x, c.x, w.x, t) || is_beyond_side(half.y, a.y, b.y, c.y, w.y, t) ||
                                          is_beyond_side(half.z, a.z, b.z, c.z, w.z, t)))
        return true;
    ray r = {.shape = shape, .corner = corner, .w = w, .enough = t, .t = INFINITY};
    find_exit(&r);
    return r.t <= t;
}

/* The times at which a point p - t w is inside. Empty if first > last. */
typedef struct inside_times {
    double first, last;
} inside_times;

VP_INLINE void cut_interval(inside_times *i, double first, double last)
{
    i->first = first > i->first ? first : i->first;
    i->last = last < i->last ? last : i->last;
}

/* Speeds, and their squares, below which a point stands still for all times that matter. */
#define STILL        1e-30
#define STILL_SQUARE 1e-60

/* Cuts by a slab about 0. @param scale  1 / w */
VP_INLINE void cut_slab(inside_times *i, double p, double scale, double half)
{
    const double at = p * scale, reach = fabs(half * scale);
    cut_interval(i, at - reach, at + reach);
}

/* Cuts by a ball about 0, or by a cylinder if p and w are in a plane. @param scale  1 / (w.w) */
VP_INLINE void cut_ball(inside_times *i, vp_real3 p, vp_real3 w, double scale, double radius)
{
    const double at = vp_real3_dot(p, w) * scale;
    const vp_real3 nearest = vp_real3_plus(p, w, -at);
    const double rest = (radius * radius - vp_real3_dot(nearest, nearest)) * scale, reach = sqrt(rest > 0.0 ? rest : 0.0);
    cut_interval(i, at - reach, rest >= 0.0 ? at + reach : -INFINITY);
}

VP_INLINE double still(double speed)
{
    return 1.0 / (fabs(speed) > STILL ? speed : STILL);
}

/* The last time at which a point is inside the shape, -INFINITY if there is none. */
VP_INLINE double leave_ball(vp_real3 p, vp_real3 w, double scale, double radius)
{
    inside_times i = {-INFINITY, INFINITY};
    cut_ball(&i, p, w, scale, radius);
    return i.last;
}

VP_INLINE double leave_box(vp_real3 p, vp_real3 scale, vp_real3 half)
{
    inside_times i = {-INFINITY, INFINITY};
    cut_slab(&i, p.x, scale.x, half.x);
    cut_slab(&i, p.y, scale.y, half.y);
    cut_slab(&i, p.z, scale.z, half.z);
    return i.first <= i.last ? i.last : -INFINITY;
}

VP_INLINE double leave_cylinder(const vp_collide_shape *s, vp_real3 p, double scale_y, vp_real3 flat_w, double scale)
{
    inside_times i = {-INFINITY, INFINITY};
    cut_slab(&i, p.y, scale_y, (double)s->half_height);
    cut_ball(&i, (vp_real3){p.x, 0.0, p.z}, flat_w, scale, (double)s->radius);
    return i.first <= i.last ? i.last : -INFINITY;
}

double vp_ray_inside(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w)
{
    const double radius = (double)shape->radius, half = (double)shape->half_height;
    double max = -INFINITY;
    if (shape->kind == VP_COLLIDE_BOX) {
        const vp_real3 scale = {still(w.x), still(w.y), still(w.z)}, sides = vp_real3_of(shape->half);
        for (int k = 0; k < 3; k++)
            max = vp_double_max(leave_box(corner[k], scale, sides), max);
    } else if (shape->kind != VP_COLLIDE_HULL) {
        const vp_real3 flat_w = {w.x, 0.0, w.z};
        const double scale = 1.0 / vp_real3_dot(w, w), flat_scale = 1.0 / vp_double_max(vp_real3_dot(flat_w, flat_w), STILL_SQUARE);
        const double end = shape->kind == VP_COLLIDE_CAPSULE ? copysign(half, w.y) : 0.0; /* the ball that the way leaves last */
        for (int k = 0; k < 3; k++) {
            if (shape->kind != VP_COLLIDE_CYLINDER)
                max = vp_double_max(leave_ball((vp_real3){corner[k].x, corner[k].y + end, corner[k].z}, w, scale, radius), max);
            if (shape->kind != VP_COLLIDE_SPHERE)
                max = vp_double_max(leave_cylinder(shape, corner[k], still(w.y), flat_w, flat_scale), max);
        }
    }
    return max;
}

vp_real_frame vp_real_frame_of(const vp_collide_shape *shape, const vp_collide_frame *frame)
{
    return (vp_real_frame){{vp_real3_of(frame->row[0]), vp_real3_of(frame->row[1]), vp_real3_of(frame->row[2])},
                           vp_real3_of(frame->position),
                           (double)vp_collide_radius(shape)};
}

double vp_ray_corners(const vp_real_frame *frame, const vp_collide_triangle *triangle, vp_real3 relative[3], vp_real3 corner[3])
{
    double size = frame->radius;
    for (int k = 0; k < 3; k++) {
        const vp_real3 c = vp_real3_sub(vp_real3_of(triangle->corner[k]), frame->position);
        const double x = fabs(c.x), y = fabs(c.y), z = fabs(c.z), xy = x > y ? x : y, max = z > xy ? z : xy;
        relative[k] = c;
        size = max > size ? max : size;
        corner[k] = vp_ray_turned_by(frame, c);
    }
    return size;
}
