/* SPDX-License-Identifier: MIT */
/* The closest point of triangles, in double precision. */
#include "src/bodies/cast.h"

#include "src/core/error.h"
#include "src/narrowphase/run.h"

static vp_real3 find_closest_on_edge(vp_real3 p, vp_real3 a, vp_real3 b)
{
    const vp_real3 edge = vp_real3_sub(b, a);
    const double square = vp_real3_dot(edge, edge), part = square > 0.0 ? vp_real3_dot(vp_real3_sub(p, a), edge) / square : 0.0;
    return vp_real3_plus(a, edge, part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part);
}

vp_real3 vp_cast_closest_on_triangle(vp_real3 p, const vp_real3 corner[3])
{
    const vp_real3 n = vp_real3_cross(vp_real3_sub(corner[1], corner[0]), vp_real3_sub(corner[2], corner[0]));
    const double square = vp_real3_dot(n, n);
    bool inside = square > 0.0;
    for (int k = 0; k < 3 && inside; k++)
        inside = vp_real3_dot(vp_real3_cross(vp_real3_sub(corner[(k + 1) % 3], corner[k]), vp_real3_sub(p, corner[k])), n) >= 0.0;
    if (inside)
        return vp_real3_plus(p, n, -vp_real3_dot(vp_real3_sub(p, corner[0]), n) / square);
    vp_real3 best = corner[0];
    double min = INFINITY;
    for (int k = 0; k < 3; k++) {
        const vp_real3 at = find_closest_on_edge(p, corner[k], corner[(k + 1) % 3]), from = vp_real3_sub(p, at);
        if (vp_real3_dot(from, from) < min) {
            min = vp_real3_dot(from, from);
            best = at;
        }
    }
    return best;
}

/* ---- triangles ---- */

typedef struct closest_search {
    vp_vec3 point;
    double max_distance; /* distance of the best point, or the largest allowed */
    bool found;
    vp_real3 closest;
    vp_collide_triangle triangle;
} closest_search;

static void add_triangle(closest_search *s, const vp_collide_triangle *t)
{
    const vp_real3 corner[3] = {vp_real3_of(t->corner[0]), vp_real3_of(t->corner[1]), vp_real3_of(t->corner[2])};
    const vp_real3 at = vp_cast_closest_on_triangle(vp_real3_of(s->point), corner);
    const double distance = vp_real3_length(vp_real3_sub(vp_real3_of(s->point), at));
    if (distance > s->max_distance || (s->found && distance == s->max_distance && !vp_cast_is_before(t->id, s->triangle.id)))
        return;
    s->found = true;
    s->max_distance = distance;
    s->closest = at;
    s->triangle = *t;
}

static vp_closest closest_of(const closest_search *s)
{
    vp_closest out = {.at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE}};
    if (s->found)
        out = (vp_closest){true,          s->triangle.material, (float)s->max_distance, vp_real3_rounded(s->closest), s->triangle.normal,
                           s->triangle.id};
    return out;
}

static vp_status begin_search(vp_vec3 point, float max_distance, closest_search *s, vp_error *error)
{
    if (!(max_distance >= 0.0f))
        return vp_fail(error, VP_E_ARGUMENT, "max_distance is %g; must be >= 0", (double)max_distance);
    *s = (closest_search){.point = point, .max_distance = (double)max_distance};
    return vp_cast_check_point("point", point, error);
}

vp_status vp_closest_mesh(const vp_collide_triangle *triangle, uint32_t count, vp_vec3 point, float max_distance, vp_closest *out,
                          vp_error *error)
{
    VP_RETURN_IF_NULL(error, out);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    closest_search s = {0};
    VP_RETURN_IF_FAILED(begin_search(point, max_distance, &s, error));
    VP_RETURN_IF_FAILED(vp_collide_check_corners(triangle, count, error));
    for (uint32_t i = 0; i < count; i++)
        add_triangle(&s, &triangle[i]);
    *out = closest_of(&s);
    return vp_succeed(error);
}

/* ---- terrain and blocks ---- */

static double distance_on_axis(float at, float low, float high)
{
    return at < low ? (double)low - (double)at : at > high ? (double)at - (double)high : 0.0;
}

static bool is_near_enough(void *user, const vp_aabb *box)
{
    const closest_search *s = user;
    const vp_real3 from = {distance_on_axis(s->point.x, box->min.x, box->max.x), distance_on_axis(s->point.y, box->min.y, box->max.y),
                           distance_on_axis(s->point.z, box->min.z, box->max.z)};
    return vp_real3_length(from) <= s->max_distance;
}

static bool add_triangles(void *user, const vp_collide_triangle *triangle, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_triangle(user, &triangle[i]);
    return true;
}

/* Searches boxes of doubling size about the point. Every triangle within the half size meets the box. */
static vp_status find_closest(const vp_cast_space *space, vp_vec3 point, float max_distance, vp_closest *out, vp_error *error)
{
    closest_search s = {0};
    const vp_cast_visitor visitor = {&s, is_near_enough, add_triangles, point};
    VP_RETURN_IF_FAILED(begin_search(point, max_distance, &s, error));
    VP_RETURN_IF_FAILED(vp_cast_space_check(space, error));
    const vp_aabb all = vp_cast_space_bounds(space);
    for (float half = 1.0f;; half *= 2.0f) {
        half = half < max_distance ? half : max_distance;
        const float wide = half * 1.0001f; /* plus roundings */
        const vp_vec3 reach = {wide, wide, wide};
        vp_aabb box = {vp_vec3_sub(point, reach), vp_vec3_add(point, reach)};
        const bool last = half == max_distance || (box.min.x <= all.min.x && box.min.y <= all.min.y && box.min.z <= all.min.z &&
                                                   box.max.x >= all.max.x && box.max.y >= all.max.y && box.max.z >= all.max.z);
        box.min = vp_vec3_max(box.min, all.min);
        box.max = vp_vec3_min(box.max, all.max);
        if (vp_aabb_valid(&box))
            VP_RETURN_IF_FAILED(vp_cast_space_visit(space, &box, &visitor, error));
        if (last || (s.found && s.max_distance <= (double)half))
            break;
    }
    if (s.found)
        VP_RETURN_IF_FAILED(vp_cast_space_describe(space, &s.triangle, error));
    *out = closest_of(&s);
    return vp_succeed(error);
}

vp_status vp_closest_terrain(const vp_terrain_reader *reader, vp_surface surface, vp_vec3 point, float max_distance, vp_closest *out,
                             vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader, out);
    const vp_cast_space space = {.reader = reader, .surface = surface};
    return find_closest(&space, point, max_distance, out, error);
}

vp_status vp_closest_blocks(const vp_block_view *view, vp_vec3 point, float max_distance, vp_closest *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, out);
    const vp_cast_space space = {.view = view};
    return find_closest(&space, point, max_distance, out, error);
}
