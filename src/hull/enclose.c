/* SPDX-License-Identifier: MIT */
/* The polytope that a hull's moved planes enclose, by its vertices.
 *
 * Planes around a point c inside are points of the dual space: n.(p - c) <= d is n / d. Their hull has a triangle for
 * each three planes that meet at a vertex, however many pass close by (F. P. Preparata and D. E. Muller, "Finding the
 * intersection of n half-spaces in time O(n log n)", 1979). So vp_hull_create finds the vertices exactly. Only two
 * steps round: planes to points of binary32, and vertices to binary32.
 *
 * Let B be the largest coordinate of the box that contains everything. Let R be the distance of its farthest corner
 * from c, so |p - c| <= R. First the planes are moved outwards by 2^-23 (R + 2 B):
 *   - 2^-23 R covers two errors. Rounding a plane, n / d to 2^-24, moves it by 2^-24 |p - c| at p. Computing a vertex
 *     is off by 2^-27 R.
 *   - 2^-23 B covers rounding a vertex, by sqrt(3) 2^-24 B.
 *   - 2^-23 B covers leaving out vertices that are no farther than that from the hull of the others.
 *
 * Suppose a polytope holds the set and a ball of radius r around each of its points. Then it still holds the set after
 * its vertices move by r, because its reach along any direction shrinks by at most r. The result does not rely on this
 * argument. The last hull is built from these vertices and the set together, and is exact. */
#include <voxphys/hull.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/core/error.h"
#include "src/hull/check.h"
#include "src/core/exact.h"
#include "src/core/memory.h"
#include "src/hull/arena.h"
#include "src/hull/limit.h"
#include "src/hull/vector.h"

#define MIN_SIZE 0x1p-147 /* minimum margin, for coordinates that are 0 or denormal */

enum { BOX_PLANES = 6 };

typedef struct enclosing {
    const vp_hull_def *def;
    const vp_hull *hull;
    vp_hull_arena memory;
    uint32_t planes;
    double (*plane)[4];
    double moved;            /* upper bound of how far the planes have been moved */
    double low[3], high[3];  /* box of the set, then moved outwards */
    double centre[3], reach; /* c and R */
    float rounding;          /* 2^-23 B */
    bool ends;               /* B is more than half of the largest float */
} enclosing;

static vp_status report_no_memory(const enclosing *e, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for the enclosing hull of %u points", e->def->count);
}

static double coordinate(vp_vec3 p, int axis)
{
    return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

static vp_vec3 vertex_of(const enclosing *e, uint32_t v)
{
    return e->def->point[e->hull->vertex[v]];
}

/* ---- planes ---- */

/* The plane through a point, with a direction that is not 0 as its normal. */
static void make_plane_through(vp_vec3 p, const double across[3], double plane[4])
{
    const double at[3] = {(double)p.x, (double)p.y, (double)p.z}, length = sqrt(vp_dot(across, across));
    for (int k = 0; k < 3; k++)
        plane[k] = across[k] / length;
    plane[3] = vp_dot(plane, at);
}

/* Planes at the rim of a polygon: one per edge, perpendicular to the polygon's own plane. */
static void find_rim(const enclosing *e, double (*plane)[4])
{
    const vp_hull *h = e->hull;
    const uint32_t corners = h->first_corner[1];
    for (uint32_t i = 0; i < corners; i++) {
        const vp_vec3 from = vertex_of(e, h->corner[i]), to = vertex_of(e, h->corner[(i + 1) % corners]);
        double along[3], across[3];
        vp_from_to(from, to, along);
        vp_cross(along, h->plane[0], across);
        const bool upright = !(vp_dot(across, across) > 0.0); /* the edge is within the tolerance and gives no direction */
        make_plane_through(from, upright ? h->plane[0] : across, plane[i]);
    }
}

/* Planes around a segment: both ends and four sides. */
static void find_bar(const enclosing *e, double plane[6][4])
{
    double u[3], side[2][3], axis[3] = {0.0, 0.0, 0.0};
    vp_from_to(vertex_of(e, 0), vertex_of(e, 1), u);
    const double x = fabs(u[0]), y = fabs(u[1]), z = fabs(u[2]);
    axis[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1.0;
    vp_cross(u, axis, side[0]);
    vp_cross(u, side[0], side[1]);
    for (int i = 0; i < 6; i++) {
        const double *along = i < 2 ? u : side[i / 2 - 1], sign = i % 2 == 0 ? 1.0 : -1.0;
        const double across[3] = {along[0] * sign, along[1] * sign, along[2] * sign};
        make_plane_through(vertex_of(e, i == 0 ? 1 : 0), across, plane[i]);
    }
}

/* All planes except the box's, with all points below them: the hull's own and, for a flat hull, planes at its rim. */
static vp_status find_planes(enclosing *e, vp_error *error)
{
    const vp_hull *h = e->hull;
    const uint32_t own = h->dimension >= 2 ? h->face_count : 0;
    const uint32_t more = h->dimension == 2 ? h->first_corner[1] : h->dimension == 1 ? 6 : 0;
    e->planes = own + more;
    e->plane = vp_arena_take(&e->memory, ((size_t)e->planes + BOX_PLANES) * sizeof *e->plane);
    if (e->plane == NULL)
        return report_no_memory(e, error);
    if (own > 0)
        memcpy(e->plane, h->plane, own * sizeof *e->plane);
    e->moved = h->moved;
    if (more == 0)
        return VP_OK;
    void *scratch = vp_arena_take(&e->memory, vp_hull_contain_bytes(e->def->count));
    if (scratch == NULL)
        return report_no_memory(e, error);
    (h->dimension == 2 ? find_rim : find_bar)(e, e->plane + own);
    const uint64_t max = e->def->max_work != 0 ? e->def->max_work : UINT64_MAX;
    uint64_t work;
    const double moved = vp_hull_contain(e->plane + own, more, e->def->point, e->def->count, scratch, max, &work);
    e->moved = moved > e->moved ? moved : e->moved;
    return work <= max ? VP_OK
                       : vp_fail(error, VP_E_LIMIT, "the enclosing hull of %u points needs more than %llu comparisons, the limit",
                                 e->def->count, (unsigned long long)max);
}

/* Adds the box's sides as planes, so far out that they cut off only spikes. Moves the other planes outwards. */
static void find_size(enclosing *e)
{
    double max = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++)
        max = fmax(max, fmax(fabs(e->low[k]), fabs(e->high[k])));
    const double out = 4.0 * e->moved + (max + 4.0 * e->moved) * 0x1p-17 + 4.0 * MIN_SIZE; /* at least 4 (moved + margin) */
    for (int k = 0; k < 3; k++) {
        e->low[k] -= out;
        e->high[k] += out;
        const double far = fmax(e->high[k] - e->centre[k], e->centre[k] - e->low[k]);
        square += far * far;
        for (int i = 0; i < 2; i++) {
            double *plane = e->plane[e->planes++];
            memset(plane, 0, 3 * sizeof *plane);
            plane[k] = i == 0 ? -1.0 : 1.0;
            plane[3] = i == 0 ? -e->low[k] : e->high[k];
        }
    }
    e->reach = sqrt(square);
    e->ends = max + out > (double)FLT_MAX * 0.5;
    e->rounding = (float)fmax((max + out) * 0x1p-23, (double)FLT_TRUE_MIN);
    const double margin = (e->reach + 2.0 * (max + out)) * 0x1p-23 + MIN_SIZE;
    for (uint32_t f = 0; f + BOX_PLANES < e->planes; f++)
        e->plane[f][3] += margin;
}

/* ---- vertices ---- */

/* Error for a hull whose planes do not contain the middle of its vertices, or that belongs to other points. */
static vp_status is_not_theirs(const enclosing *e, vp_error *error)
{
    return vp_fail(error, VP_E_ARGUMENT, "the hull's planes are not around these %u points", e->def->count);
}

/* An exact hull of points that stand for the set. */
static vp_status make_hull(const enclosing *e, const vp_vec3 *point, uint32_t count, float max_error, vp_hull *out, vp_error *error)
{
    const vp_hull_def def = {.point = point,
                             .count = count,
                             .tolerance = FLT_TRUE_MIN,
                             .separate = true,
                             .max_work = e->def->max_work,
                             .max_error = max_error,
                             .kernels = e->def->kernels,
                             .allocator = e->def->allocator};
    VP_RETURN_IF_FAILED(vp_hull_create(&def, out, error));
    if (out->dimension != 3) {
        vp_hull_destroy(out);
        return is_not_theirs(e, error);
    }
    return VP_OK;
}

/* Corners of the box, limited to finite floats. The box contains all points, and it does not matter where planes meet
 * beyond it. */
static vp_status find_corners(enclosing *e, vp_vec3 **out, uint32_t *count, vp_error *error)
{
    float side[2][3];
    for (int k = 0; k < 3; k++) {
        side[0][k] = (float)fmax(e->low[k], -(double)FLT_MAX);
        side[1][k] = (float)fmin(e->high[k], (double)FLT_MAX);
    }
    *count = 8;
    *out = vp_arena_take(&e->memory, *count * sizeof **out);
    if (*out == NULL)
        return report_no_memory(e, error);
    for (int i = 0; i < 8; i++)
        (*out)[i] = (vp_vec3){side[i & 1][0], side[i >> 1 & 1][1], side[i >> 2][2]};
    return VP_OK;
}

/* The points at which planes meet, one per triangle of their dual's hull. */
static vp_status find_meetings(enclosing *e, vp_vec3 **out, uint32_t *count, vp_error *error)
{
    vp_hull dual;
    vp_vec3 *q = vp_arena_take(&e->memory, e->planes * sizeof *q);
    if (q == NULL)
        return report_no_memory(e, error);
    for (uint32_t f = 0; f < e->planes; f++) {
        const double *n = e->plane[f], part = e->reach / (n[3] - vp_dot(n, e->centre));
        if (!(part > 0.0 && part <= 0x1p30)) /* 2^24 normally */
            return is_not_theirs(e, error);
        q[f] = (vp_vec3){(float)(n[0] * part), (float)(n[1] * part), (float)(n[2] * part)};
    }
    const vp_status status = make_hull(e, q, e->planes, 0.0f, &dual, error);
    if (status != VP_OK)
        return status;
    *count = dual.triangle_count;
    *out = vp_arena_take(&e->memory, *count * sizeof **out);
    bool inside = true;
    for (uint32_t t = 0; *out != NULL && t < *count; t++) {
        const vp_vec3 a = q[dual.vertex[dual.triangle[t][0]]], b = q[dual.vertex[dual.triangle[t][1]]],
                      c = q[dual.vertex[dual.triangle[t][2]]];
        const double at[3] = {(double)a.x, (double)a.y, (double)a.z};
        double n[3], p[3];
        vp_normal3_exact(a, b, c, n);
        const double off = vp_dot(n, at);
        inside = inside && off > 0.0;
        for (int k = 0; k < 3; k++)
            p[k] = e->centre[k] + n[k] / (off > 0.0 ? off : 1.0) * e->reach;
        (*out)[t] = (vp_vec3){(float)p[0], (float)p[1], (float)p[2]};
    }
    vp_hull_destroy(&dual);
    return *out == NULL ? report_no_memory(e, error) : inside ? VP_OK : is_not_theirs(e, error);
}

/* Moves the vertices of a hull to the front of its points. This works in place because they are ascending. */
static void keep_vertices(vp_hull *h, vp_vec3 *point, uint32_t *count)
{
    *count = h->vertex_count;
    for (uint32_t v = 0; v < h->vertex_count; v++)
        point[v] = point[h->vertex[v]];
    vp_hull_destroy(h);
}

/* The vertices of an exact hull that contains every point of the set. */
static vp_status find_vertices(enclosing *e, vp_vec3 **out, uint32_t *count, vp_error *error)
{
    vp_hull h;
    vp_vec3 *meeting = NULL;
    VP_RETURN_IF_FAILED((e->ends ? find_corners : find_meetings)(e, &meeting, count, error));
    VP_RETURN_IF_FAILED(make_hull(e, meeting, *count, e->rounding, &h, error));
    keep_vertices(&h, meeting, count);
    *out = vp_arena_take(&e->memory, ((size_t)*count + e->def->count) * sizeof **out);
    if (*out == NULL)
        return report_no_memory(e, error);
    memcpy(*out, meeting, *count * sizeof **out);
    memcpy(*out + *count, e->def->point, e->def->count * sizeof **out);
    VP_RETURN_IF_FAILED(make_hull(e, *out, *count + e->def->count, 0.0f, &h, error));
    keep_vertices(&h, *out, count);
    return VP_OK;
}

/* ---- the public functions ---- */

static vp_status check_def(enclosing *e, vp_error *error)
{
    const vp_hull *h = e->hull;
    VP_RETURN_IF_FAILED(vp_hull_check_count(e->def->point, e->def->count, error));
    if (h->vertex_count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "the hull is empty: it has no vertices");
    if (h->dimension >= 2 && !(h->moved > 0.0))
        return vp_fail(error, VP_E_ARGUMENT, "the hull was made without contain: its planes are not around its points");
    if (h->vertex[h->vertex_count - 1] >= e->def->count) /* they are ascending */
        return vp_fail(error, VP_E_ARGUMENT, "the hull has vertex %u, def has %u points; must be the hull of these points",
                       h->vertex[h->vertex_count - 1], e->def->count);
    for (uint32_t i = 0; i < e->def->count; i++)
        for (int k = 0; k < 3; k++) {
            const double at = coordinate(e->def->point[i], k);
            if (!isfinite(at))
                return vp_fail(error, VP_E_ARGUMENT, "point[%u].%c is %g; must be finite", i, "xyz"[k], at);
            e->low[k] = i == 0 || at < e->low[k] ? at : e->low[k];
            e->high[k] = i == 0 || at > e->high[k] ? at : e->high[k];
        }
    /* the mean of the vertices is inside even a thin hull, where the rounded centroid may not be */
    for (uint32_t v = 0; v < h->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            e->centre[k] += coordinate(vertex_of(e, v), k);
    for (int k = 0; k < 3; k++)
        e->centre[k] /= (double)h->vertex_count;
    return VP_OK;
}

static vp_status write_enclosure(const enclosing *e, const vp_vec3 *vertices, uint32_t count, vp_hull_enclosure *out, vp_error *error)
{
    vp_hull_enclosure made = {0};
    const vp_allocator allocator = *e->memory.allocator;
    vp_vec3 *point = vp_allocate(&allocator, count, sizeof *point);
    if (point == NULL)
        return report_no_memory(e, error);
    memcpy(point, vertices, count * sizeof *point);
    vp_hull_def def = {.point = point,
                       .count = count,
                       .tolerance = e->hull->tolerance,
                       .separate = e->def->separate,
                       .max_work = e->def->max_work,
                       .contain = true,
                       .kernels = e->def->kernels,
                       .allocator = e->def->allocator};
    vp_status status = vp_hull_create(&def, &made.hull, error);
    if (status == VP_OK && made.hull.dimension != 3) { /* a solid that is thinner than the tolerance */
        vp_hull_destroy(&made.hull);
        def.tolerance = FLT_TRUE_MIN;
        status = vp_hull_create(&def, &made.hull, error);
    }
    if (status == VP_OK && made.hull.vertex_count != count) {
        vp_hull_destroy(&made.hull);
        status = is_not_theirs(e, error);
    }
    if (status != VP_OK) {
        vp_release(&allocator, point, count, sizeof *point);
        return status;
    }
    made.point = point;
    *out = made;
    return vp_succeed(error);
}

vp_status vp_hull_enclose(const vp_hull_def *def, const vp_hull *hull, vp_hull_enclosure *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, hull, out);
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    enclosing e = {.def = def, .hull = hull, .memory = {.allocator = &allocator}};
    vp_vec3 *vertices = NULL;
    uint32_t count = 0;
    vp_status status = check_def(&e, error);
    if (status == VP_OK)
        status = find_planes(&e, error);
    if (status == VP_OK) {
        find_size(&e);
        status = find_vertices(&e, &vertices, &count, error);
    }
    if (status == VP_OK)
        status = write_enclosure(&e, vertices, count, out, error);
    vp_arena_release(&e.memory);
    return status;
}

void vp_hull_enclosure_destroy(vp_hull_enclosure *enclosure)
{
    if (enclosure == NULL)
        return;
    vp_release(&enclosure->hull.allocator, enclosure->point, enclosure->hull.vertex_count, sizeof *enclosure->point);
    vp_hull_destroy(&enclosure->hull);
    enclosure->point = NULL;
}
