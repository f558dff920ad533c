/* SPDX-License-Identifier: MIT */
/* Checks of a hull that was extended by a point inside the solid. Samples miss narrow parts of the surface, and most of an extended hull's
 * faces are near the surface. So rays start from all points of the surface here, and all points of new faces are near the solid.
 * Also the planes of hulls whose reach is known, for reach.c. */
#include <math.h>
#include <string.h>

#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

enum { MOST_PIECES = 20000 };

/* ---- rays from all points of the surface ---- */

uint32_t vp_decompose_clip_polygon(const double (*corner)[3], uint32_t corners, const double normal[4], double limit, double (*out)[3],
                                   uint32_t room)
{
    uint32_t count = 0;
    double above = vp_dot(normal, corner[0]) - limit, next;
    for (uint32_t i = 0; i < corners; i++, above = next) {
        const double *a = corner[i], *b = corner[i + 1 < corners ? i + 1 : 0];
        next = vp_dot(normal, b) - limit;
        if (above <= 0.0 && count < room)
            memcpy(out[count++], a, sizeof *out);
        if (((above < 0.0 && next > 0.0) || (above > 0.0 && next < 0.0)) && count < room) {
            for (int k = 0; k < 3; k++)
                out[count][k] = a[k] + (b[k] - a[k]) * (above / (above - next));
            count++;
        }
    }
    return count;
}

/* Finds the points of a triangle whose rays into a hull are longer than allowed. In the middle such a ray is deeper than half the
   quantization, so that none runs along a face. `first` is the first plane to clip by, and becomes the last, because the plane that leaves
   nothing often does so for the next triangle. @return the number of corners of the part, in turn[0] */
static uint32_t find_long_rays(const vp_decomposing *d, uint32_t triangle, const vp_hull *hull, uint32_t *first, double (*turn[2])[3])
{
    const double *n = d->mesh.normal[triangle], s = d->lengths.quantization, length = d->allowed;
    const uint32_t room = 3 + hull->face_count;
    uint32_t count = hull->face_count != 0 ? 3 : 0;
    vp_decompose_set_corners(&d->mesh, triangle, turn[0]);
    for (uint32_t i = 0, f = *first; i < hull->face_count && count != 0; i++, f = f + 1 < hull->face_count ? f + 1 : 0) {
        const double *plane = hull->plane[f], rise = vp_dot(plane, n);
        const double limit = plane[3] - vp_double_max(vp_double_max(rise * s, rise * length), rise * (s + length) / 2 + s / 2);
        double(*clipped)[3] = turn[1];
        *first = f;
        count = vp_decompose_clip_polygon((const double(*)[3])turn[0], count, plane, limit, clipped, room);
        turn[1] = turn[0];
        turn[0] = clipped;
        if (count == room) /* as many corners as the last plane can leave; earlier only by rounding, where the rays count as long */
            break;
    }
    return count;
}

/* Whether a corner of a part of a triangle is not inside another part of the solid. */
static bool is_free(const vp_decomposing *d, uint32_t triangle, const double (*corner)[3], uint32_t corners)
{
    for (uint32_t i = 0; i < corners; i++)
        if (vp_decompose_wind_before(d, triangle, corner[i]) <= 0)
            return true;
    return false;
}

/* @param turn two polygons, each with room for three corners more than either hull has faces */
static bool has_longer_ray(const vp_decomposing *d, const vp_hull *hull, const vp_aabb *box, const vp_hull *former, double (*turn[2])[3])
{
    vp_decompose_walk walk = {0};
    vp_decompose_set_point(walk.low, &box->min);
    vp_decompose_set_point(walk.high, &box->max);
    uint32_t first = 0, of_former = 0;
    for (uint32_t t; (t = vp_decompose_next_triangle(d, &walk)) != VP_DECOMPOSE_NONE;) {
        const double *n = d->mesh.normal[t];
        if (n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0)
            continue;
        const uint32_t count = find_long_rays(d, t, hull, &first, turn);
        if (count != 0 && is_free(d, t, (const double(*)[3])turn[0], count) && find_long_rays(d, t, former, &of_former, turn) == 0)
            return true;
    }
    return false;
}

/* ---- reach ---- */

/* A point of a piece of a face. */
typedef struct piece_point {
    double at[3];
    double away;       /* from the surface. INFINITY = beyond the search, 0 = `inside` is not known */
    uint32_t triangle; /* the nearest, or VP_DECOMPOSE_NONE */
    bool inside;       /* the solid */
} piece_point;

/* Finds the distance of a point from the surface, if it is not above a limit. `hint` is a triangle that may be near. Any distance up to
   `enough` ends the search. */
static void find_distance(const vp_decomposing *d, double enough, double limit, uint32_t hint, piece_point *p)
{
    vp_decompose_walk walk;
    p->away = INFINITY;
    p->triangle = VP_DECOMPOSE_NONE;
    memset(&walk, 0, sizeof walk);
    for (uint32_t t = hint; p->away > enough && (t != VP_DECOMPOSE_NONE || walk.box == 0); t = vp_decompose_next_triangle(d, &walk)) {
        const double away = t != VP_DECOMPOSE_NONE ? vp_decompose_distance_to_triangle(d, t, p->at, limit) : INFINITY;
        if (away <= limit) {
            p->triangle = t;
            p->away = limit = away;
        }
        for (int k = 0; k < 3; k++) {
            walk.low[k] = p->at[k] - limit;
            walk.high[k] = p->at[k] + limit;
        }
    }
}

/* Whether some point of a triangle is farther outside the solid than allowed. Pieces smaller than a quarter of that are not cut.
   @param whole the middle of the piece that this one was cut from */
static bool reaches_too_far(const vp_decomposing *d, const double corner[3][3], const piece_point *whole, uint32_t *pieces)
{
    piece_point middle = {.inside = false};
    double radius = 0.0, longest = -1.0;
    int cut = 0;
    for (int k = 0; k < 3; k++)
        middle.at[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3;
    for (int k = 0; k < 3; k++) {
        const double side = vp_decompose_apart(corner[k], corner[(k + 1) % 3]);
        radius = vp_double_max(radius, vp_decompose_apart(corner[k], middle.at));
        cut = side > longest ? k : cut;
        longest = vp_double_max(longest, side);
    }
    if (whole->inside && vp_decompose_apart(middle.at, whole->at) + radius <= whole->away + d->allowed)
        return false;
    find_distance(d, d->allowed - radius, radius + d->allowed, whole->triangle, &middle);
    if (middle.away + radius <= d->allowed)
        return false;
    double farthest = middle.triangle != VP_DECOMPOSE_NONE ? 0.0 : INFINITY; /* a triangle is farthest from a corner */
    for (int k = 0; k < 3 && farthest <= d->allowed; k++)
        farthest = vp_double_max(farthest, vp_decompose_distance_to_triangle(d, middle.triangle, corner[k], d->allowed));
    if (farthest <= d->allowed)
        return false;
    if (middle.away > vp_double_min(d->allowed, radius - d->allowed)) { /* the side decides */
        middle.inside = vp_decompose_apart(middle.at, whole->at) < whole->away ? whole->inside : vp_decompose_wind(d, middle.at) > 0;
        if (middle.inside ? radius <= middle.away + d->allowed : middle.away > d->allowed)
            return !middle.inside;
    } else {
        middle.away = 0.0; /* its side is not known */
    }
    if (radius < d->allowed / 4)
        return false;
    if (++*pieces > MOST_PIECES)
        return true;
    for (int side = 0; side < 2; side++) {
        double half[3][3];
        memcpy(half, corner, sizeof half);
        for (int k = 0; k < 3; k++)
            half[(cut + side) % 3][k] = (corner[cut][k] + corner[(cut + 1) % 3][k]) / 2;
        if (reaches_too_far(d, (const double(*)[3])half, &middle, pieces))
            return true;
    }
    return false;
}

/* Whether a point is a vertex of a node, whose vertices are in the order of their places. */
static bool is_of_node(const vp_decomposing *d, const vp_decompose_node *n, const vp_vec3 *p)
{
    uint32_t from = 0, to = n->vertices;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        const vp_vec3 *v = &d->mesh.vertex[n->vertex[middle]];
        if (v->x != p->x ? v->x < p->x : v->y != p->y ? v->y < p->y : v->z < p->z)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == n->vertices)
        return false;
    const vp_vec3 *v = &d->mesh.vertex[n->vertex[from]];
    return v->x == p->x && v->y == p->y && v->z == p->z;
}

bool vp_decompose_reaches_too_far(const vp_decomposing *d, const vp_decompose_union *extended, uint32_t node)
{
    const piece_point nowhere = {.away = 0.0, .triangle = VP_DECOMPOSE_NONE};
    uint32_t pieces = 0;
    for (uint32_t t = 0; t < extended->hull.triangle_count; t++) {
        double corner[3][3];
        bool is_new = false;
        for (int k = 0; k < 3; k++) {
            const vp_vec3 *p = &extended->point[extended->hull.vertex[extended->hull.triangle[t][k]]];
            is_new |= !is_of_node(d, &d->node[node], p);
            vp_decompose_set_point(corner[k], p);
        }
        if (is_new && reaches_too_far(d, (const double(*)[3])corner, &nowhere, &pieces))
            return true;
    }
    return false;
}

vp_status vp_decompose_has_longer_ray(const vp_decomposing *d, const vp_hull *hull, const vp_aabb *box, const vp_hull *former,
                                      bool *has_longer)
{
    const uint32_t room = 3 + (hull->face_count > former->face_count ? hull->face_count : former->face_count);
    double(*corner)[3] = vp_allocate(&d->allocator, 2 * (size_t)room, sizeof *corner);
    if (corner == NULL)
        return VP_E_MEMORY;
    double(*turn[2])[3] = {corner, corner + room};
    *has_longer = has_longer_ray(d, hull, box, former, turn);
    vp_release(&d->allocator, corner, 2 * (size_t)room, sizeof *corner);
    return VP_OK;
}

/* ---- tested hulls ---- */

/* Sets the plane of a triangle, or of a polygon's side from its first corner to the second, perpendicular to the polygon's plane. */
static void set_tested_plane(double corner[3][3], const double level[4], double out[4])
{
    const double side = vp_decompose_apart(corner[0], corner[1]);
    const bool is_side = level[0] != 0.0 || level[1] != 0.0 || level[2] != 0.0;
    for (int k = 0; k < 3 && is_side; k++)
        corner[2][k] = corner[1][k] + side * level[k];
    vp_decompose_set_plane(corner[0], corner[1], corner[2], out);
}

/* Not the planes of joined faces, which may contain more than was tested. */
bool vp_decompose_set_tested(const vp_decomposing *d, const vp_decompose_union *u, vp_decompose_tested *out)
{
    const vp_hull *hull = &u->hull;
    const uint32_t planes = hull->dimension == 3 ? hull->triangle_count : hull->dimension == 2 ? hull->first_corner[1] : 0;
    double corner[3][3];
    *out = (vp_decompose_tested){.planes = planes, .reach = u->reach};
    out->plane = vp_allocate(&d->allocator, planes + 1, sizeof *out->plane);
    if (out->plane == NULL)
        return false;
    if (hull->dimension == 2)
        memcpy(out->level, hull->plane[0], sizeof out->level);
    for (uint32_t i = 0; i < planes; i++) {
        const uint32_t side[3] = {hull->corner[i], hull->corner[i + 1 < planes ? i + 1 : 0], hull->corner[i]};
        const uint32_t *v = hull->dimension == 3 ? hull->triangle[i] : side;
        for (int k = 0; k < 3; k++)
            vp_decompose_set_point(corner[k], &u->point[hull->vertex[v[k]]]);
        set_tested_plane(corner, out->level, out->plane[i]);
    }
    return true;
}

void vp_decompose_drop_tested(const vp_decomposing *d, vp_decompose_tested *tested)
{
    if (tested->plane != NULL)
        vp_release(&d->allocator, tested->plane, tested->planes + 1, sizeof *tested->plane);
    *tested = (vp_decompose_tested){0};
}

void vp_decompose_set_tested_triangle(const vp_decomposing *d, uint32_t triangle, double (*plane)[4], vp_decompose_tested *out)
{
    double corner[3][3], side[3][3];
    const double *n = d->mesh.normal[triangle];
    vp_decompose_set_corners(&d->mesh, triangle, corner);
    *out = (vp_decompose_tested){.plane = plane, .level = {n[0], n[1], n[2], vp_dot(n, corner[0])}};
    out->planes = n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0 ? 3 : 0;
    for (uint32_t i = 0; i < out->planes; i++) {
        memcpy(side[0], corner[i], sizeof side[0]);
        memcpy(side[1], corner[(i + 1) % 3], sizeof side[1]);
        set_tested_plane(side, out->level, plane[i]);
    }
}
