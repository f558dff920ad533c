/* SPDX-License-Identifier: MIT */
#include "host/program.h"
#include "tools/hull/check.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/exact.h"

#define MAX_ABOVE (UINT64_C(1) << 32) /* maximum of points times planes, a few seconds */

static double coordinate(vp_vec3 p, uint32_t axis)
{
    return axis == 0 ? (double)p.x : axis == 1 ? (double)p.y : (double)p.z;
}

/* ---- a polygon, as a prism ---- */

/* A prism over the polygon. Its corners are points of the set, renumbered, and `of` has their old numbers. Its height
   is about the size of the coordinates. */
typedef struct prism {
    vp_vec3 *point; /* the set in the plane, followed by a copy of the corners at the top */
    uint32_t (*triangle)[3];
} prism;

static vp_status make_prism(const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner, uint32_t corners,
                            float height, prism *out, vp_error *error)
{
    if (count > VP_HULL_MAX_POINTS - corners)
        return vp_fail(error, VP_E_ARGUMENT, "%u points and %u corners are too many to be looked at: more than %u", count, corners,
                       VP_HULL_MAX_POINTS);
    *out = (prism){malloc(((size_t)count + corners) * sizeof *out->point), malloc((size_t)corners * 4 * sizeof *out->triangle)};
    if (out->point == NULL || out->triangle == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to look at a polygon of %u points", count);
    for (uint32_t i = 0; i < count; i++)
        out->point[i] = (vp_vec3){(float)coordinate(point[i], axis[0]), (float)coordinate(point[i], axis[1]), 0.0f};
    for (uint32_t i = 0; i < corners; i++) {
        out->point[count + i] = out->point[corner[i]];
        out->point[count + i].z = height;
    }
    uint32_t(*to)[3] = out->triangle;
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t next = (i + 1) % corners, a = corner[i], b = corner[next], top_a = count + i, top_b = count + next;
        const uint32_t side[2][3] = {{a, b, top_b}, {a, top_b, top_a}};
        for (int k = 0; k < 6; k++)
            to[k / 3][k % 3] = side[k / 3][k % 3];
        to += 2;
    }
    for (uint32_t i = 1; i + 1 < corners; i++, to += 2) {
        const uint32_t ends[2][3] = {{corner[0], corner[i + 1], corner[i]}, {count, count + i, count + i + 1}};
        for (int k = 0; k < 6; k++)
            to[k / 3][k % 3] = ends[k / 3][k % 3];
    }
    return VP_OK;
}

static vp_status look_at_prism(const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner, uint32_t corners,
                               float height, vp_hull_findings *f, vp_error *error)
{
    prism p = {0};
    vp_status status = make_prism(point, count, axis, corner, corners, height, &p, error);
    if (status == VP_OK) {
        const vp_hull_validate_def subject = {.point = p.point,
                                              .count = count + corners,
                                              .triangle = (const uint32_t(*)[3])p.triangle,
                                              .triangle_count = 4 * corners - 4,
                                              .allowed = f->allowed};
        status = vp_hull_validate(&subject, &f->verdict, error);
    }
    if (status == VP_OK && f->verdict.outside_point >= count && f->verdict.outside_point != VP_HULL_NONE)
        f->verdict.outside_point = corner[f->verdict.outside_point - count];
    free(p.point);
    free(p.triangle);
    return status;
}

/* Whether a polygon turns left at each corner, in the plane perpendicular to an axis. */
static bool is_convex(const vp_vec3 *point, uint32_t axis, const uint32_t *corner, uint32_t corners)
{
    vp_vec2 at[3];
    for (uint32_t i = 0; i < corners; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const vp_vec3 p = point[corner[(i + k) % corners]];
            at[k] = (vp_vec2){(float)coordinate(p, (axis + 1) % 3), (float)coordinate(p, (axis + 2) % 3)};
        }
        if (vp_orient2d(at[0], at[1], at[2]) <= 0)
            return false;
    }
    return true;
}

/* ---- checks by dimension ---- */

static vp_status look_at_solid(const vp_vec3 *point, uint32_t count, const uint32_t (*triangle)[3], uint32_t triangles, vp_hull_findings *f,
                               vp_error *error)
{
    const vp_hull_validate_def subject = {
        .point = point, .count = count, .triangle = triangle, .triangle_count = triangles, .allowed = f->allowed};
    return vp_hull_validate(&subject, &f->verdict, error);
}

/* Finds the largest distance of a point from a plane, which is a normal and the offset along it. */
static void look_aside_of_plane(const vp_vec3 *point, uint32_t count, const double plane[4], vp_hull_findings *f)
{
    for (uint32_t i = 0; i < count; i++) {
        const double away =
            fabs((plane[0] * (double)point[i].x + plane[1] * (double)point[i].y + plane[2] * (double)point[i].z) - plane[3]);
        if (away > f->aside) {
            f->aside = away;
            f->aside_point = i;
        }
    }
}

/* Finds the largest distance of a point above the planes of a hull with `contain`. In binary64, so the last bits are inexact. */
static void look_above_planes(const vp_vec3 *point, uint32_t count, const vp_hull *h, vp_hull_findings *f)
{
    for (uint32_t face = 0; face < h->face_count; face++)
        for (uint32_t i = 0; i < count; i++) {
            const double *plane = h->plane[face];
            const double above = (plane[0] * (double)point[i].x + plane[1] * (double)point[i].y + plane[2] * (double)point[i].z) - plane[3];
            if (above > f->above) {
                f->above = above;
                f->above_point = i;
            }
        }
}

/* Finds the largest distance of a point from the line through two points, which may coincide, and past its ends. */
static void look_at_segment(const vp_vec3 *point, uint32_t count, vp_vec3 a, vp_vec3 b, vp_hull_findings *f)
{
    const double u[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    const double length = sqrt((u[0] * u[0] + u[1] * u[1]) + u[2] * u[2]);
    f->verdict.outside = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const double w[3] = {(double)point[i].x - (double)a.x, (double)point[i].y - (double)a.y, (double)point[i].z - (double)a.z};
        double aside = sqrt((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
        if (length > 0.0) {
            const double c[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
            const double along = ((u[0] * w[0] + u[1] * w[1]) + u[2] * w[2]) / length;
            const double beyond = fmax(-along, along - length) + 0.0; /* avoids -0 */
            aside = sqrt((c[0] * c[0] + c[1] * c[1]) + c[2] * c[2]) / length;
            if (beyond > f->verdict.outside) {
                f->verdict.outside = beyond;
                f->verdict.outside_point = i;
            }
        }
        if (aside > f->aside) {
            f->aside = aside;
            f->aside_point = i;
        }
    }
    f->verdict.faults |= f->verdict.outside > f->allowed ? VP_HULL_OUTSIDE : 0;
}

/* Adds the error of a hull with fewer vertices, which vp_hull_validate does not know. */
static void allow_left_out(vp_hull_findings *f)
{
    if (f->verdict.outside <= f->allowed + f->left_out)
        f->verdict.faults &= ~(uint32_t)VP_HULL_OUTSIDE;
}

/* Whether the triangles of a polygon's two sides are closed, by their neighbours. Both sides may have the same
   diagonals, so edges alone are ambiguous. */
static void look_at_sides(const vp_hull *h, vp_hull_findings *f)
{
    for (uint32_t t = 0; t < h->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t from = h->triangle[t][k], to = h->triangle[t][(k + 1) % 3], other = h->neighbour[t][k];
            bool found = false;
            for (uint32_t j = 0; j < 3 && other < h->triangle_count; j++)
                found = found || (h->triangle[other][j] == to && h->triangle[other][(j + 1) % 3] == from && h->neighbour[other][j] == t);
            f->verdict.open_edges += found ? 0 : 1;
        }
    if (f->verdict.open_edges != 0 || h->triangle_count != 2 * h->vertex_count - 4)
        f->verdict.faults |= VP_HULL_OPEN;
}

/* Checks a polygon. It was built along the axis of the largest component of its normal at that time. If components are
   nearly equal, this axis is found by trying them, because only along it the polygon is convex to the last bit. */
static vp_status look_at_polygon(const vp_vec3 *point, uint32_t count, const vp_hull *h, float height, vp_hull_findings *f, vp_error *error)
{
    const uint32_t corners = h->first_corner[1];
    uint32_t *corner = malloc(corners * sizeof *corner), chosen = 3;
    if (corner == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a polygon of %u corners", corners);
    for (uint32_t tries = 0, tried = 0; tries < 3 && chosen == 3; tries++) {
        uint32_t axis = 3;
        for (uint32_t a = 0; a < 3; a++)
            if ((tried >> a & 1) == 0 && (axis == 3 || fabs(h->plane[0][a]) > fabs(h->plane[0][axis])))
                axis = a;
        tried |= 1u << axis;
        for (uint32_t i = 0; i < corners; i++) /* the side seen from the axis' positive end */
            corner[i] = h->vertex[h->corner[h->plane[0][axis] > 0.0 ? i : corners - 1 - i]];
        chosen = is_convex(point, axis, corner, corners) ? axis : 3;
    }
    f->verdict.faults = VP_HULL_CONCAVE;
    const uint32_t axes[2] = {(chosen + 1) % 3, (chosen + 2) % 3};
    vp_status status = chosen == 3 ? VP_OK : look_at_prism(point, count, axes, corner, corners, height, f, error);
    free(corner);
    look_aside_of_plane(point, count, h->plane[0], f);
    return status;
}

/* ---- reasons ---- */

static void find_reason(vp_hull_findings *f)
{
    const vp_hull_report *v = &f->verdict;
    char *const to = f->reason;
    if (v->faults & VP_HULL_INDEX)
        snprintf(to, sizeof f->reason, "a corner is not a point of the set");
    else if (v->faults & VP_HULL_OPEN)
        snprintf(to, sizeof f->reason, "it is not closed: %u edges lack one other triangle", v->open_edges);
    else if (v->faults & VP_HULL_EULER)
        snprintf(to, sizeof f->reason, "vertices - edges + triangles is %lld, not 2", (long long)v->euler);
    else if (v->faults & VP_HULL_OUTSIDE)
        snprintf(to, sizeof f->reason, "point %u is %.3g outside, more than %.3g", v->outside_point, v->outside, f->allowed + f->left_out);
    else if (v->faults & VP_HULL_CONCAVE)
        snprintf(to, sizeof f->reason, "a valley is %.3g deep, more than %.3g", v->concave, f->allowed);
    else if (v->slivers != 0)
        snprintf(to, sizeof f->reason, "%u triangle%s no area", v->slivers, v->slivers == 1 ? " has" : "s have");
    else if (f->aside > f->allowed)
        snprintf(to, sizeof f->reason, "point %u is %.3g from the %s, more than %.3g", f->aside_point, f->aside,
                 f->dimension == 2   ? "plane"
                 : f->dimension == 1 ? "line"
                                     : "point",
                 f->allowed);
    else if (f->above > f->allowed)
        snprintf(to, sizeof f->reason, "point %u is %.3g above a plane that is to contain it", f->above_point, f->above);
    f->valid = f->reason[0] == '\0';
}

/* Sets the limits. Distances are computed in binary64 and may be wrong by 2^-44 of the coordinates. Points of a flat
   set lie within the tolerance of the reported plane, line or point. @return the largest magnitude of a coordinate */
static float begin(const vp_vec3 *point, uint32_t count, uint32_t dimension, double tolerance, vp_hull_findings *f)
{
    vp_hull_bounds b;
    vp_hull_bounds_scalar(point, count, &b);
    const float low[3] = {b.min.x, b.min.y, b.min.z}, high[3] = {b.max.x, b.max.y, b.max.z};
    float reach = 0.0f;
    *f = (vp_hull_findings){.dimension = dimension, .aside_point = VP_HULL_NONE, .above = -INFINITY};
    f->verdict.outside_point = f->verdict.outside_triangle = f->verdict.concave_triangle = VP_HULL_NONE;
    for (int k = 0; k < 3; k++) {
        f->extent = fmax(f->extent, (double)high[k] - (double)low[k]);
        reach = fmaxf(reach, fmaxf(fabsf(low[k]), fabsf(high[k])));
    }
    f->allowed = (double)reach * 0x1p-44;
    if (dimension < 3)
        f->allowed += 2.0 * fmax(tolerance, f->extent * 0x1p-40);
    return reach;
}

vp_status vp_hull_check(const vp_vec3 *point, uint32_t count, const vp_hull *h, bool contain, vp_hull_findings *out, vp_error *error)
{
    const float reach = begin(point, count, h->dimension, (double)h->tolerance, out);
    vp_status status = VP_OK;
    out->left_out = h->error;
    out->contain = contain && h->face_count != 0;
    if (h->dimension == 3) {
        uint32_t(*triangle)[3] = malloc((size_t)h->triangle_count * sizeof *triangle);
        if (triangle == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", h->triangle_count);
        for (uint32_t t = 0; t < h->triangle_count; t++)
            for (int k = 0; k < 3; k++)
                triangle[t][k] = h->vertex[h->triangle[t][k]];
        status = look_at_solid(point, count, (const uint32_t(*)[3])triangle, h->triangle_count, out, error);
        free(triangle);
    } else if (h->dimension == 2) {
        status = look_at_polygon(point, count, h, reach, out, error);
        look_at_sides(h, out);
    } else {
        look_at_segment(point, count, point[h->vertex[0]], point[h->vertex[h->dimension]], out);
    }
    allow_left_out(out);
    if (contain && (uint64_t)h->face_count * count <= MAX_ABOVE)
        look_above_planes(point, count, h, out);
    find_reason(out);
    return status;
}

vp_status vp_polygon_check(const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner, uint32_t corners,
                           vp_hull_findings *out, vp_error *error)
{
    const uint32_t dimension = corners < 3 ? corners - 1 : 2;
    const float reach = begin(point, count, dimension, 0.0, out);
    vp_status status = VP_OK;
    out->allowed = (double)reach * 0x1p-44;
    if (dimension == 2) {
        status = look_at_prism(point, count, axis, corner, corners, reach, out, error);
    } else {
        vp_vec3 *flat = malloc((size_t)count * sizeof *flat);
        if (flat == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory to look at %u points", count);
        for (uint32_t i = 0; i < count; i++)
            flat[i] = (vp_vec3){(float)coordinate(point[i], axis[0]), (float)coordinate(point[i], axis[1]), 0.0f};
        look_at_segment(flat, count, flat[corner[0]], flat[corner[dimension]], out);
        free(flat);
    }
    find_reason(out);
    return status;
}

static double parts(const vp_hull_findings *f, double distance)
{
    return f->extent > 0.0 ? distance / f->extent : 0.0;
}

void vp_hull_findings_print(const vp_hull_findings *f)
{
    const vp_hull_report *v = &f->verdict;
    printf("valid     %s%s\n", f->valid ? "yes" : "no: ", f->reason);
    if (f->dimension >= 2)
        printf("          %s, vertices - edges + triangles = %lld%s\n", v->open_edges == 0 ? "closed" : "not closed", (long long)v->euler,
               f->dimension == 2 ? " of a prism over it" : "");
    if (v->outside_point != VP_HULL_NONE)
        printf("          the worst excess of a point is %.3g, %.3g of the extent: point %u\n", v->outside, parts(f, v->outside),
               v->outside_point);
    if (f->dimension >= 2)
        printf(v->concave < 0.0 ? "          no valley: neighbours' far corners are %.3g or more below, %.3g of the extent\n"
                                : "          the deepest valley is %.3g, %.3g of the extent\n",
               fabs(v->concave), fabs(parts(f, v->concave)));
    if (f->contain && !isfinite(f->above))
        printf("          planes of faces were not tested against the points, which are too many\n");
    else if (f->contain)
        printf(f->above <= 0.0 ? "          no point is above a plane of a face; the highest is %.3g below, %.3g of the extent: point %u\n"
                               : "          the furthest above the planes of faces is %.3g, %.3g of the extent: point %u\n",
               fabs(f->above), fabs(parts(f, f->above)), f->above_point);
    if (f->dimension < 3)
        printf("          the furthest from the %s is %.3g, %.3g of the extent\n",
               f->dimension == 2   ? "plane"
               : f->dimension == 1 ? "line"
                                   : "point",
               f->aside, parts(f, f->aside));
}

static json_t *number(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

json_t *vp_hull_findings_json(const vp_hull_findings *f)
{
    const vp_hull_report *v = &f->verdict;
    const bool surface = f->dimension >= 2, outside = v->outside_point != VP_HULL_NONE;
    return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f}", "valid", f->valid, "reason",
                     f->valid ? json_null() : vp_json_name(f->reason), "closed", surface ? json_boolean(v->open_edges == 0) : json_null(),
                     "euler", surface ? json_integer(v->euler) : json_null(), "outside", number(outside, v->outside), "outside_of_extent",
                     number(outside, parts(f, v->outside)), "outside_point", outside ? json_integer(v->outside_point) : json_null(),
                     "valley", number(surface, v->concave), "valley_of_extent", number(surface, parts(f, v->concave)), "aside",
                     number(f->dimension < 3, f->aside), "aside_of_extent", number(f->dimension < 3, parts(f, f->aside)), "above_planes",
                     number(true, f->above), "allowed", f->allowed + f->left_out);
}
