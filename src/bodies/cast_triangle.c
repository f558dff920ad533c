/* SPDX-License-Identifier: MIT */
/* A moving shape against one triangle, in closed form.
 *
 * As in narrowphase/ray.c, the shape moved by v touches the triangle if v is in M, the sum of the triangle and the
 * reflected shape. A cast asks where a line enters M. It misses M if a direction u perpendicular to the line has S(u) >
 * 0 (local.h). Such a u separates the shadows of shape and triangle along the way. The candidates are the normals of
 * the shadow's sides and, for its round corners, the normals of the places that face the line. Otherwise the opposite
 * ray leaves M at the entry. vp_ray_exit finds that place and its normal. */
#include "src/bodies/cast.h"

#include "src/core/error.h"
#include "src/core/inline.h"
#include "src/narrowphase/run.h"

/* Directions whose cross product is shorter are parallel. */
#define PARALLEL 1e-9

static const vp_real3 up = {0.0, 1.0, 0.0};

/* ---- the shadow along the way ---- */

typedef struct shape_shadow {
    const vp_collide_shape *shape;
    const vp_real3 *corner;
    vp_real3 w;
    double gap; /* greatest S(u) so far */
} shape_shadow;

static double reach_of_triangle(const vp_real3 corner[3], vp_real3 u)
{
    const double a = vp_real3_dot(u, corner[0]), b = vp_real3_dot(u, corner[1]), c = vp_real3_dot(u, corner[2]), ab = b > a ? b : a;
    return c > ab ? c : ab;
}

/* Makes u perpendicular to w, with length 1. Does it twice, because after the first time roundings may be most of u. */
VP_INLINE bool make_square(const shape_shadow *s, vp_real3 *u)
{
    for (int i = 0; i < 2; i++) {
        *u = vp_real3_plus(*u, s->w, -vp_real3_dot(*u, s->w));
        const double length = vp_real3_length(*u);
        if (!(length > 0.0))
            return false;
        *u = vp_real3_scale(*u, 1.0 / length);
    }
    return true;
}

VP_INLINE void try_one(shape_shadow *s, vp_real3 u)
{
    const double gap = -vp_ray_reach(s->shape, vp_real3_scale(u, -1.0)) - reach_of_triangle(s->corner, u);
    s->gap = gap > s->gap ? gap : s->gap;
}

/* Tries u and -u from the same products. All shapes but hulls reach equally far along both. */
VP_INLINE void try_both(shape_shadow *s, vp_real3 u)
{
    if (!make_square(s, &u))
        return;
    const vp_real3 back = vp_real3_scale(u, -1.0);
    const double a = vp_real3_dot(u, s->corner[0]), b = vp_real3_dot(u, s->corner[1]), c = vp_real3_dot(u, s->corner[2]);
    const double reach = vp_ray_reach(s->shape, u), reach_back = s->shape->kind == VP_COLLIDE_HULL ? vp_ray_reach(s->shape, back) : reach;
    const double gap = -reach_back - vp_double_max(vp_double_max(a, b), c), gap_back = vp_double_min(vp_double_min(a, b), c) - reach;
    s->gap = vp_double_max(gap_back, vp_double_max(gap, s->gap));
}

/* The direction perpendicular to the way and to an edge. */
static void try_edge(shape_shadow *s, vp_real3 edge)
{
    const vp_real3 u = vp_real3_cross(s->w, edge);
    if (vp_real3_dot(u, u) > PARALLEL * PARALLEL * vp_real3_dot(edge, edge))
        try_both(s, u);
}

/* A ball about a shifted corner of the triangle. The direction is from its centre to the line. */
static void try_ball(shape_shadow *s, vp_real3 centre)
{
    vp_real3 u = vp_real3_scale(centre, -1.0);
    if (make_square(s, &u))
        try_one(s, u);
}

/* A disc across y about a shifted corner. Seen along w its outline on the disc's plane is a circle, so the direction is
 * found there and then made perpendicular to w. */
static void try_disc(shape_shadow *s, vp_real3 centre)
{
    const vp_real3 w = s->w;
    const double x = w.y * centre.x - centre.y * w.x, z = w.y * centre.z - centre.y * w.z;
    try_both(s, (vp_real3){w.y * x, -(x * w.x + z * w.z), w.y * z});
}

/* A hull's shadow is bounded by the edges between a face that looks forwards and one that looks backwards. */
static void try_arcs(shape_shadow *s)
{
    const vp_collide_hull *h = s->shape->hull;
    for (uint32_t i = 0; i < h->arc_count; i++) {
        const vp_collide_arc *arc = &h->arc[i];
        const double c = vp_real3_dot(s->w, vp_real3_of(arc->from)), d = vp_real3_dot(s->w, vp_real3_of(arc->to));
        if (c == d || (c > 0.0 && d > 0.0) || (c < 0.0 && d < 0.0))
            continue;
        vp_real3 u = vp_real3_plus(vp_real3_scale(vp_real3_of(arc->from), -d / (d - c)), vp_real3_of(arc->to), -c / (c - d));
        if (!make_square(s, &u))
            continue;
        const vp_collide_edge *edge = &h->edge[arc->edge];
        const double a = vp_real3_dot(u, vp_real3_of(h->vertex[edge->vertex[0]])),
                     b = vp_real3_dot(u, vp_real3_of(h->vertex[edge->vertex[1]]));
        if ((a < b ? a : b) - reach_of_triangle(s->corner, u) > s->gap)
            try_one(s, u); /* another vertex may reach farther by a rounding, so a better direction is measured again */
    }
}

/* The greatest S(u) of all u perpendicular to w, or a positive one. If it is positive, the line misses. Otherwise it is minus the depth
 * of the pass.
 * @param corner  moved along w to be near the shape's origin, for accuracy */
static double gap_of(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w)
{
    shape_shadow s = {.shape = shape, .corner = corner, .w = w, .gap = -INFINITY};
    const bool is_round = shape->kind == VP_COLLIDE_SPHERE || shape->kind == VP_COLLIDE_CAPSULE;
    const bool has_axis = shape->kind == VP_COLLIDE_CAPSULE || shape->kind == VP_COLLIDE_CYLINDER;
    const double half = has_axis ? (double)shape->half_height : 0.0;
    for (int k = 0; k < 3 && !(s.gap > 0.0); k++) {
        try_edge(&s, vp_real3_sub(corner[(k + 1) % 3], corner[k]));
        for (int end = -1; end <= (has_axis ? 1 : -1); end += 2) {
            const vp_real3 centre = vp_real3_plus(corner[k], up, end * half);
            if (is_round)
                try_ball(&s, centre);
            else if (has_axis)
                try_disc(&s, centre);
        }
    }
    if (s.gap > 0.0)
        return s.gap;
    if (has_axis) {
        try_edge(&s, up);
        try_both(&s, up);
    } else if (shape->kind == VP_COLLIDE_BOX) {
        try_edge(&s, (vp_real3){1.0, 0.0, 0.0});
        try_edge(&s, up);
        try_edge(&s, (vp_real3){0.0, 0.0, 1.0});
    } else if (shape->kind == VP_COLLIDE_HULL)
        try_arcs(&s);
    return s.gap;
}

/* ---- one triangle ---- */

static bool is_in_box(const vp_collide_triangle *t, const vp_aabb *box)
{
    const vp_aabb own = {vp_vec3_min(vp_vec3_min(t->corner[0], t->corner[1]), t->corner[2]),
                         vp_vec3_max(vp_vec3_max(t->corner[0], t->corner[1]), t->corner[2])};
    return vp_aabb_overlaps(&own, box);
}

/* Whether a contact is with the front of a triangle. */
static bool is_front(const vp_shape_cast *c, const vp_collide_triangle *t, vp_real3 normal)
{
    const vp_real3 a = vp_real3_of(t->corner[0]),
                   face = vp_real3_cross(vp_real3_sub(vp_real3_of(t->corner[1]), a), vp_real3_sub(vp_real3_of(t->corner[2]), a));
    return vp_real3_dot(face, vp_cast_to_world(&c->frame, normal)) >= 0.0;
}

/* Whether a hit wins against the best one at the same place. */
static bool is_tie_won(const vp_shape_cast *c, const vp_collide_triangle *t, vp_real3 normal)
{
    const bool front = is_front(c, t, normal), best = is_front(c, &c->triangle, c->normal);
    return front != best ? front : vp_cast_is_before(t->id, c->triangle.id);
}

static void keep_hit(vp_shape_cast *c, const vp_collide_triangle *t, bool inside, double at, vp_real3 normal)
{
    if (c->hit) {
        const bool worse = c->inside != inside ? c->inside : at > c->distance;
        const bool equal = c->inside == inside && at == c->distance;
        if (worse || (equal && !is_tie_won(c, t, normal)))
            return;
    }
    c->hit = true;
    c->inside = inside;
    c->distance = at;
    c->normal = normal;
    c->triangle = *t;
}

/* Distance and contact of a triangle and the shape moved by `at`. */
static vp_collide_result find_answer_at(const vp_shape_cast *c, const vp_collide_triangle *t, double at, float margin)
{
    const vp_real3 moved = vp_real3_plus(vp_real3_of(c->frame.position), vp_cast_to_world(&c->frame, c->along), at);
    vp_collide_triangle near = *t;
    vp_collide_result answer;
    vp_collide_job job = {.shape = c->shape, .frame = c->frame, .margin = margin, .triangle = &near, .count = 1, .result = &answer};
    job.frame.position = (vp_vec3){0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; k++)
        near.corner[k] = vp_real3_rounded(vp_real3_sub(vp_real3_of(t->corner[k]), moved));
    vp_collide_run(c->kernels, &job);
    return answer;
}

/* Whether the rest of the way would press the shape in by more than the tolerance. */
static bool is_pressed(const vp_shape_cast *c, vp_real3 normal, double rest)
{
    return -vp_real3_dot(normal, c->along) * rest > c->tolerance * vp_real3_length(normal);
}

/* The normal of a contact after `at` of the way. If the shape is in front of the triangle's plane within the
 * tolerance, it is the plane's normal. So a shape that has sunk into a floor by a rounding does not hit the edge of
 * the next triangle. */
static vp_real3 find_contact_normal(const vp_shape_cast *c, const vp_real3 corner[3], double at, vp_real3 normal)
{
    vp_real3 face = vp_real3_cross(vp_real3_sub(corner[1], corner[0]), vp_real3_sub(corner[2], corner[0]));
    const double length = vp_real3_length(face);
    if (!(length > 0.0))
        return normal;
    face = vp_real3_scale(face,
                          vp_real3_dot(face, c->along) > 0.0 ? -1.0 / length : 1.0 / length); /* first the side that the shape comes from */
    for (int side = 0; side < 2; side++) {
        const double gap =
            -vp_ray_reach(c->shape, vp_real3_scale(face, -1.0)) - reach_of_triangle(corner, face) + at * vp_real3_dot(face, c->along);
        if (gap >= -c->graze)
            return face;
        face = vp_real3_scale(face, -1.0);
    }
    return normal;
}

/* Tests a triangle that the line enters at the start or before. @param passes  the pass is deep enough for a hit */
static void add_touching(vp_shape_cast *c, const vp_collide_triangle *t, const vp_real3 corner[3], bool passes)
{
    double size = (double)vp_collide_radius(c->shape);
    for (int k = 0; k < 3; k++) {
        const double far = vp_real3_length(corner[k]);
        size = far > size ? far : size;
    }
    const float margin = (float)(c->tolerance + size * 0x1p-20); /* plus roundings of the kernel */
    const vp_collide_result answer = find_answer_at(c, t, 0.0, margin);
    if (answer.distance > margin)
        return;
    vp_real3 normal = vp_ray_turned(&c->frame, vp_real3_of(answer.normal));
    normal = vp_real3_scale(normal, 1.0 / vp_real3_length(normal));
    const double depth = vp_ray_depth(c->shape, corner, normal); /* more accurate than the kernel's for a large triangle */
    if (depth > 4.0 * c->tolerance) {
        keep_hit(c, t, true, -depth, normal);
        return;
    }
    normal = find_contact_normal(c, corner, 0.0, normal);
    if (passes && is_pressed(c, normal, c->length))
        keep_hit(c, t, false, answer.distance < 0.0f ? (double)answer.distance : 0.0, normal); /* the deepest comes first */
}

/* Far above the roundings of a height and above PARALLEL, as a part of the size. */
#define HEIGHT_ERROR 0x1p-28
/* Above the roundings of a direction across the way, which can point along the way, as a part of the size. They are all of a direction
 * whose line meets the triangle's middle. */
#define BESIDE_ERROR 0x1p-48

static double size_of(vp_real3 a)
{
    return (fabs(a.x) + fabs(a.y)) + fabs(a.z);
}

/* Whether the way surely misses a triangle, or reaches it after the best hit or after its end. One direction shows each: S of a
 * direction across the way is at most what gap_of finds, and vp_ray_exit tries the direction back along the way, too.
 * @param shifted  the corners, moved back along the way by `shift` */
static bool is_out_of_reach(const vp_shape_cast *c, const vp_real3 shifted[3], double shift)
{
    const vp_real3 w = c->along, back = vp_real3_scale(w, -1.0);
    const vp_real3 middle = vp_real3_add(vp_real3_add(shifted[0], shifted[1]), shifted[2]);
    const vp_real3 beside = vp_real3_plus(vp_real3_scale(middle, -1.0), w, vp_real3_dot(middle, w)); /* towards the line */
    const double size = (c->radius + fabs(shift)) + ((size_of(shifted[0]) + size_of(shifted[1])) + size_of(shifted[2]));
    const double latest = !c->hit ? c->length : c->inside || c->distance < 0.0 ? 0.0 : c->distance;
    if (shift - (c->reach + reach_of_triangle(shifted, back)) > latest + size * HEIGHT_ERROR)
        return true;
    const double gap = -vp_ray_reach(c->shape, vp_real3_scale(beside, -1.0)) - reach_of_triangle(shifted, beside);
    return gap > size * (HEIGHT_ERROR * size_of(beside) + BESIDE_ERROR * size);
}

static void add_triangle(vp_shape_cast *c, const vp_collide_triangle *t)
{
    vp_real3 corner[3], shifted[3], normal;
    for (int k = 0; k < 3; k++)
        corner[k] = vp_ray_turned(&c->frame, vp_real3_sub(vp_real3_of(t->corner[k]), vp_real3_of(c->frame.position)));
    const double shift = vp_real3_dot(corner[0], c->along);
    for (int k = 0; k < 3; k++)
        shifted[k] = vp_real3_plus(corner[k], c->along, -shift);
    if (is_out_of_reach(c, shifted, shift))
        return;
    const double gap = gap_of(c->shape, shifted, c->along);
    if (gap > 0.0)
        return;
    const double at = shift - vp_ray_exit(c->shape, shifted, vp_real3_scale(c->along, -1.0), &normal);
    const bool passes = gap <= -c->graze;
    if (at <= 0.0) {
        if (is_in_box(t, &c->start))
            add_touching(c, t, corner, passes);
    } else if (at <= c->length && passes) {
        normal = find_contact_normal(c, corner, at, normal);
        if (is_pressed(c, normal, c->length - at))
            keep_hit(c, t, false, at, normal);
    }
}

void vp_cast_add_triangles(vp_shape_cast *cast, const vp_collide_triangle *triangle, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_triangle(cast, &triangle[i]);
}

/* ---- starting and finishing ---- */

/* Radius of a ball that fits into the shape. */
static double inner_radius_of(const vp_collide_shape *s)
{
    const double r = (double)s->radius, half = (double)s->half_height, x = (double)s->half.x, y = (double)s->half.y, z = (double)s->half.z;
    const double xy = x < y ? x : y;
    double min = INFINITY;
    vp_real3 middle = {0.0, 0.0, 0.0};
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
    case VP_COLLIDE_CAPSULE:
        return r;
    case VP_COLLIDE_BOX:
        return z < xy ? z : xy;
    case VP_COLLIDE_CYLINDER:
        return r < half ? r : half;
    default:
        for (uint32_t i = 0; i < s->hull->vertex_count; i++)
            middle = vp_real3_plus(middle, vp_real3_of(s->hull->vertex[i]), 1.0 / s->hull->vertex_count);
        for (uint32_t f = 0; f < s->hull->face_count; f++) {
            const double depth = (double)s->hull->plane[f].offset - vp_real3_dot(vp_real3_of(s->hull->plane[f].normal), middle);
            min = depth < min ? depth : min;
        }
        return min > 0.0 ? min : 0.0;
    }
}

vp_status vp_cast_check_point(const char *name, vp_vec3 point, vp_error *error)
{
    const float value[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(value[k]) <= VP_COLLIDE_REACH))
            return vp_fail(error, VP_E_ARGUMENT, "%s.%c is %g; must be finite and -2^40 to 2^40", name, "xyz"[k], (double)value[k]);
    return VP_OK;
}

vp_status vp_cast_begin(const vp_cast_def *def, vp_kernels *default_kernels, vp_shape_cast *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "vp_cast_def.shape", def->shape);
    vp_shape_cast c = {.shape = def->shape, .kernels = def->kernels, .along = up};
    vp_status status = vp_collide_check(def->shape, &def->pose, 0.0f, &c.frame, error);
    if (status == VP_OK)
        status = vp_collide_bounds(def->shape, &def->pose, 0.0f, &c.start, error);
    if (status == VP_OK)
        status = vp_cast_check_point("translation", def->translation, error);
    if (status == VP_OK)
        status = vp_cast_check_point("pose.position + translation", vp_vec3_add(c.frame.position, def->translation), error);
    if (status == VP_OK && c.kernels == NULL) {
        status = vp_kernels_default(default_kernels, error);
        c.kernels = default_kernels;
    }
    if (status != VP_OK)
        return status;
    const vp_real3 way = vp_real3_of(def->translation);
    const vp_vec3 p = c.frame.position;
    const double far = (double)vp_max(vp_max(fabsf(p.x), fabsf(p.y)), fabsf(p.z)), inner = inner_radius_of(c.shape) * 0.5;
    c.length = vp_real3_length(way);
    if (c.length > 0.0) {
        const vp_real3 along = vp_ray_turned(&c.frame, vp_real3_scale(way, 1.0 / c.length));
        c.along = vp_real3_scale(along, 1.0 / vp_real3_length(along));
    }
    c.tolerance = (far + (double)vp_collide_radius(c.shape)) * 0x1p-21;
    c.radius = (double)vp_collide_radius(c.shape);
    c.reach = vp_ray_reach(c.shape, c.along);
    c.graze = c.tolerance * 2.0 < inner ? c.tolerance * 2.0 : inner;
    *out = c;
    return VP_OK;
}

float vp_cast_part(const vp_shape_cast *c, double at)
{
    const double t = at > 0.0 ? at / c->length : 0.0;
    const float rounded = (float)t;
    return (double)rounded > t ? nextafterf(rounded, 0.0f) : rounded;
}

vp_cast_hit vp_cast_end(const vp_shape_cast *c)
{
    vp_cast_hit hit = vp_cast_miss();
    if (!c->hit)
        return hit;
    const double at = c->distance > 0.0 ? c->distance : 0.0;
    const vp_collide_result answer = find_answer_at(c, &c->triangle, at, INFINITY);
    const vp_real3 moved = vp_real3_plus(vp_real3_of(c->frame.position), vp_cast_to_world(&c->frame, c->along), at);
    const vp_real3 normal = vp_cast_to_world(&c->frame, c->normal);
    hit.found = true;
    hit.started_inside = c->inside;
    hit.material = c->triangle.material;
    hit.t = vp_cast_part(c, at);
    hit.depth = c->inside ? (float)-c->distance : 0.0f;
    hit.point = vp_real3_rounded(vp_real3_plus(moved, vp_real3_of(answer.on_triangle), 1.0));
    hit.normal = vp_real3_rounded(vp_real3_scale(normal, 1.0 / vp_real3_length(normal)));
    hit.at = c->triangle.id;
    return hit;
}

/* ---- a mesh ---- */

vp_status vp_cast_mesh(const vp_collide_triangle *triangle, uint32_t count, const vp_cast_def *def, vp_cast_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    vp_shape_cast cast;
    vp_kernels default_kernels;
    VP_RETURN_IF_FAILED(vp_cast_begin(def, &default_kernels, &cast, error));
    VP_RETURN_IF_FAILED(vp_collide_check_corners(triangle, count, error));
    vp_cast_add_triangles(&cast, triangle, count);
    *out = vp_cast_end(&cast);
    return vp_succeed(error);
}
