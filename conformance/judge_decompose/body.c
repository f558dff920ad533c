/* SPDX-License-Identifier: MIT */
#include "conformance/judge_decompose/body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/space.h"
#include "conformance/judge_decompose/vector.h"

enum { DIRECTIONS = 26 };

/* ---- validity of the hull ---- */

static vp_status look_at_points(const vp_judged_hull *h, uint32_t number, vp_error *error)
{
    if (h->points == 0)
        return vp_fail(error, VP_E_ARGUMENT, "hull %u has 0 points", number);
    for (uint32_t i = 0; i < h->points; i++) {
        const vp_vec3 p = h->point[i];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return vp_fail(error, VP_E_ARGUMENT, "point %u of hull %u at %g %g %g is not finite", i, number, (double)p.x, (double)p.y,
                           (double)p.z);
    }
    return VP_OK;
}

static double largest(const vp_judged_hull *h)
{
    double most = 0.0;
    for (uint32_t i = 0; i < h->points; i++)
        most = vp_more(most, vp_more(vp_more(fabs((double)h->point[i].x), fabs((double)h->point[i].y)), fabs((double)h->point[i].z)));
    return most;
}

static void say_why(const vp_hull_judged *j, double allowed, char reason[160])
{
    const vp_hull_report *r = &j->report;
    char above[80] = "";
    if (j->faults & VP_HULL_OUTSIDE)
        snprintf(above, sizeof above, "; point %u is %.3g above triangle %u", r->outside_point, r->outside, r->outside_triangle);
    if (j->faults & VP_HULL_INDEX)
        snprintf(reason, 160, "a corner of a triangle is not a point");
    else if (j->faults & VP_HULL_OPEN)
        snprintf(reason, 160, "it is open: %u edges lack one other triangle%s", r->open_edges, above);
    else if (j->faults & VP_HULL_OUTSIDE)
        snprintf(reason, 160, "%s, more than %.3g", above + 2, allowed);
    else if (j->faults & VP_HULL_CONCAVE)
        snprintf(reason, 160, "a valley beside triangle %u is %.3g deep, more than %.3g", r->concave_triangle, r->concave, allowed);
    else if (j->faults & VP_HULL_EULER)
        snprintf(reason, 160, "vertices - edges + triangles is %lld, not 2", (long long)r->euler);
}

/* Validates the triangles as they are. A flat hull passes. */
static vp_status look_at_triangles(const vp_judged_hull *h, double allowed, vp_hull_judged *j, vp_error *error)
{
    const vp_hull_validate_def def = {.point = h->point,
                                      .count = h->points,
                                      .triangle = h->triangle,
                                      .triangle_count = h->triangles,
                                      .allowed = allowed > 0.0 ? allowed : largest(h) * 0x1p-20};
    vp_status status = VP_OK;
    if (h->triangle != NULL && h->triangles != 0 && j->dimension == 3)
        status = vp_hull_validate(&def, &j->report, error);
    j->faults = j->report.faults;
    j->valid = j->faults == 0;
    say_why(j, def.allowed, j->reason);
    return status;
}

/* Whether the hull lies between two planes s apart. As a polygon its triangles are tilted, so only edges are checked. */
static vp_status look_how_flat(const vp_vec3 *point, uint32_t count, float s, vp_hull_judged *j, vp_error *error)
{
    vp_hull hull = {0};
    const vp_status status = vp_hull_create(&(vp_hull_def){.point = point, .count = count, .tolerance = s}, &hull, error);
    j->flat = status == VP_OK && hull.dimension < 3;
    vp_hull_destroy(&hull);
    return status;
}

/* Makes the hull of points. Far from the origin the default tolerance may exceed s and make a solid flat, so it is limited to
 * less than s. */
static vp_status make_hull(const vp_vec3 *point, uint32_t count, double s, vp_hull *out, vp_error *error)
{
    vp_hull_def def = {.point = point, .count = count, .separate = true};
    const vp_status status = vp_hull_create(&def, out, error);
    def.tolerance = (float)(s / 16.0);
    if (status != VP_OK || out->dimension == 3 || !(def.tolerance > 0.0f) || out->tolerance <= def.tolerance)
        return status;
    vp_hull_destroy(out);
    *out = (vp_hull){0};
    return vp_hull_create(&def, out, error);
}

/* The points that triangles use, or all without triangles. @return their number */
static uint32_t find_used(const vp_judged_hull *h, vp_vec3 *out, bool *used)
{
    uint32_t count = 0;
    memset(used, 0, h->points * sizeof *used);
    for (uint32_t t = 0; h->triangle != NULL && t < h->triangles; t++)
        for (int c = 0; c < 3; c++)
            if (h->triangle[t][c] < h->points)
                used[h->triangle[t][c]] = true;
    for (uint32_t i = 0; i < h->points; i++)
        if (used[i])
            out[count++] = h->point[i];
    if (count == 0) {
        memcpy(out, h->point, h->points * sizeof *out);
        count = h->points;
    }
    return count;
}

/* ---- planes ---- */

static double support(const vp_body *b, const double normal[3])
{
    double most = -(double)INFINITY;
    for (uint32_t i = 0; i < b->first[b->faces]; i++)
        most = vp_more(most, vp_dot3(normal, b->corner[i]));
    return most;
}

static void add_grown(vp_body *b, const double normal[3], double by)
{
    const double length = sqrt(vp_dot3(normal, normal));
    double *plane = b->grown[b->planes];
    if (!(length > 0.0))
        return;
    for (int k = 0; k < 3; k++)
        plane[k] = normal[k] / length;
    plane[3] = support(b, plane) + by;
    b->planes++;
}

/* Adds the planes that limit the grown body. These are the planes of faces and, at sharp edges, planes in between. A polygon has both sides
 * and its rim. Planes in 26 directions cut off spikes. */
static void grow(vp_body *b, const vp_hull *h, double by)
{
    for (uint32_t f = 0; f < h->face_count; f++) {
        add_grown(b, h->plane[f], by);
        for (uint32_t c = h->first_corner[f]; b->dimension == 3 && c < h->first_corner[f + 1]; c++) {
            double between[3];
            const double *other = h->plane[h->across[c]];
            for (int k = 0; k < 3; k++)
                between[k] = h->plane[f][k] + other[k];
            if (h->across[c] > f && vp_dot3(h->plane[f], other) < 0.7)
                add_grown(b, between, by);
        }
    }
    for (uint32_t c = 0; b->dimension == 2 && c < b->first[1]; c++) {
        double edge[3], out[3];
        vp_minus3(b->corner[(c + 1) % b->first[1]], b->corner[c], edge);
        vp_cross3(edge, h->plane[0], out);
        add_grown(b, out, by);
    }
    for (int i = 0; i < 27; i++) {
        const double normal[3] = {(double)(i % 3 - 1), (double)(i / 3 % 3 - 1), (double)(i / 9 - 1)};
        add_grown(b, normal, by);
    }
    for (int k = 0; k < 3; k++) {
        b->grown_low[k] = b->low[k] - by;
        b->grown_high[k] = b->high[k] + by;
    }
}

static vp_status lay(vp_body *b, uint32_t faces, uint32_t corners, vp_error *error)
{
    b->faces = faces;
    b->first = malloc(((size_t)faces + 1) * sizeof *b->first);
    b->corner = malloc((size_t)corners * sizeof *b->corner);
    b->box = malloc((size_t)faces * sizeof *b->box);
    b->plane = malloc((size_t)faces * sizeof *b->plane);
    b->grown = malloc(((size_t)faces + 2 + corners + DIRECTIONS) * sizeof *b->grown);
    if (b->first == NULL || b->corner == NULL || b->box == NULL || b->plane == NULL || b->grown == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull of %u faces", faces);
    return VP_OK;
}

static void fill(vp_body *b, const vp_hull *h, const vp_vec3 *point, const double middle[3])
{
    vp_box_clear(b->low, b->high);
    for (uint32_t f = 0; f < b->faces; f++) {
        b->first[f] = h->face_count != 0 ? h->first_corner[f] : 0;
        b->first[f + 1] = h->face_count != 0 ? h->first_corner[f + 1] : h->vertex_count;
        vp_box_clear(b->box[f][0], b->box[f][1]);
        for (uint32_t c = b->first[f]; c < b->first[f + 1]; c++) {
            vp_place_of(point[h->vertex[h->face_count != 0 ? h->corner[c] : c]], middle, b->corner[c]);
            vp_box_add(b->box[f][0], b->box[f][1], b->corner[c]);
            vp_box_add(b->low, b->high, b->corner[c]);
        }
    }
    for (uint32_t f = 0; b->dimension == 3 && f < b->faces; f++) {
        memcpy(b->plane[f], h->plane[f], 3 * sizeof(double));
        b->plane[f][3] = support(b, b->plane[f]);
    }
}

vp_status vp_body_make(const vp_decomposition_question *asked, uint32_t number, const double middle[3], double extent, vp_body *b,
                       vp_hull_judged *j, vp_error *error)
{
    const vp_judged_hull *given = &asked->hull[number];
    vp_hull hull = {0};
    uint32_t count = 0;
    *b = (vp_body){0};
    vp_status status = look_at_points(given, number, error);
    if (status != VP_OK)
        return status;
    vp_vec3 *point = malloc(given->points * sizeof *point);
    bool *used = malloc(given->points * sizeof *used);
    if (point == NULL || used == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u points of a hull", given->points);
    } else {
        count = find_used(given, point, used);
        status = make_hull(point, count, asked->s, &hull, error);
    }
    if (status == VP_OK) {
        b->dimension = j->dimension = hull.dimension;
        b->volume = j->volume = hull.volume;
        j->vertices = hull.vertex_count;
        j->triangles = hull.triangle_count;
        j->flat = hull.dimension < 3;
        if (!j->flat && asked->s > 0.0)
            status = look_how_flat(point, count, (float)vp_less(asked->s, extent / 16), j, error);
    }
    if (status == VP_OK)
        status = look_at_triangles(given, j->flat ? (double)INFINITY : asked->allowed, j, error);
    if (status == VP_OK)
        status = lay(b, hull.dimension == 3 ? hull.face_count : 1, hull.face_count != 0 ? hull.corner_count : hull.vertex_count, error);
    if (status == VP_OK) {
        fill(b, &hull, point, middle);
        for (int k = 0; k < 3; k++)
            j->extent = vp_more(j->extent, b->high[k] - b->low[k]);
        grow(b, &hull, vp_more(asked->s, largest(given) * 0x1p-36));
    }
    vp_hull_destroy(&hull);
    free(point);
    free(used);
    return status;
}

void vp_body_drop(vp_body *b)
{
    free(b->first);
    free(b->corner);
    free(b->box);
    free(b->plane);
    free(b->grown);
    *b = (vp_body){0};
}

/* ---- queries ---- */

bool vp_body_holds(const vp_body *b, const double p[3])
{
    for (uint32_t f = 0; f < b->faces; f++)
        if (vp_above(b->plane[f], p) > 0.0)
            return false;
    return true;
}

bool vp_body_holds_grown(const vp_body *b, const double p[3])
{
    for (uint32_t f = 0; f < b->planes; f++)
        if (vp_above(b->grown[f], p) > 0.0)
            return false;
    return true;
}

/* The nearest point is on a face that the point is above. */
double vp_body_distance(const vp_body *b, const double p[3], double least)
{
    double least2 = least * least;
    bool outside = b->dimension < 3;
    if (vp_box_distance2(b->low, b->high, p) >= least2)
        return least;
    for (uint32_t f = 0; f < b->faces; f++) {
        const double above = b->dimension == 3 ? vp_above(b->plane[f], p) : 0.0;
        if (b->dimension == 3 && above <= 0.0)
            continue;
        outside = true;
        if (above >= least)
            return least;
        if (vp_box_distance2(b->box[f][0], b->box[f][1], p) >= least2)
            continue;
        const uint32_t first = b->first[f], corners = b->first[f + 1] - first;
        for (uint32_t c = 1; c + 1 < corners || c == 1; c++) { /* a segment or a point is one triangle without area */
            double t[3][3];
            memcpy(t[0], b->corner[first], sizeof t[0]);
            memcpy(t[1], b->corner[first + (c < corners ? c : 0)], sizeof t[1]);
            memcpy(t[2], b->corner[first + (c + 1 < corners ? c + 1 : 0)], sizeof t[2]);
            least2 = vp_less(least2, vp_triangle_distance2((const double(*)[3])t, p));
        }
    }
    return outside ? vp_less(least, sqrt(least2)) : 0.0;
}
