/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hulls/hull_sets.h"
#include "src/core/error.h"
#include "src/core/real3.h"

double vp_hull_extent(const vp_vec3 *point, uint32_t count)
{
    vp_hull_bounds b;
    vp_hull_bounds_scalar(point, count, &b);
    const vp_real3 side = vp_real3_sub(vp_real3_of(b.max), vp_real3_of(b.min));
    return fmax(fmax(side.x, side.y), side.z);
}

/* ---- a library's output ---- */

/* Returns the distance of a point from a segment, or from a point if both ends are equal. */
static double distance(vp_vec3 from, vp_vec3 to, vp_vec3 point)
{
    const vp_real3 d = vp_real3_sub(vp_real3_of(to), vp_real3_of(from)), p = vp_real3_sub(vp_real3_of(point), vp_real3_of(from));
    const double square = vp_real3_dot(d, d), along = square > 0.0 ? vp_real3_dot(p, d) / square : 0.0;
    return vp_real3_length(vp_real3_plus(p, d, -fmin(fmax(along, 0.0), 1.0)));
}

/* Distance of the farthest vertex of a flat hull from all edges of triangles, or from the segment or place if there are
 * none. A corner in the plane and inside the outline lies on an edge. */
static double outside_of_flat(const vp_hull *flat, const vp_vec3 *point, const vp_peer_answers *mesh)
{
    double most = 0.0;
    for (uint32_t v = 0; v < flat->vertex_count; v++) {
        const vp_vec3 corner = point[flat->vertex[v]];
        double least = mesh->triangles == 0 ? distance(mesh->place[0], mesh->place[mesh->places - 1], corner) : INFINITY;
        for (uint32_t t = 0; t < mesh->triangles; t++)
            for (int k = 0; k < 3; k++)
                least = fmin(least, distance(mesh->place[mesh->triangle[t][k]], mesh->place[mesh->triangle[t][(k + 1) % 3]], corner));
        most = fmax(most, least);
    }
    return most;
}

typedef struct directed_edge {
    uint32_t low, high;
    int way; /* 1: from low to high; -1: down */
} directed_edge;

static int compare_edges(const void *left, const void *right)
{
    const directed_edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high != b->high ? (a->high < b->high ? -1 : 1) : 0;
}

/* Returns whether every edge is used equally often in both directions. */
static bool is_balanced(const vp_peer_answers *mesh)
{
    const size_t count = 3 * (size_t)mesh->triangles;
    directed_edge *e = malloc(count * sizeof *e);
    bool good = e != NULL;
    for (size_t i = 0; good && i < count; i++) {
        const uint32_t a = mesh->triangle[i / 3][i % 3], b = mesh->triangle[i / 3][(i + 1) % 3];
        e[i] = (directed_edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
    }
    if (good)
        qsort(e, count, sizeof *e, compare_edges);
    for (size_t i = 0; good && i < count;) {
        int sum = 0;
        const directed_edge first = e[i];
        for (; i < count && compare_edges(&e[i], &first) == 0; i++)
            sum += e[i].way;
        good = sum == 0;
    }
    free(e);
    return good;
}

vp_status vp_hull_look(const vp_vec3 *point, uint32_t count, const vp_hull *flat, const vp_peer_answers *mesh, vp_hull_found *out,
                       vp_error *error)
{
    const double extent = vp_hull_extent(point, count), allowed = VP_HULL_ALLOWED * extent;
    *out = (vp_hull_found){.vertices = mesh->places};
    if (mesh->triangles == 0 && (flat == NULL || mesh->places == 0 || mesh->places > 2))
        return vp_fail(error, VP_E_UNSUPPORTED, "no triangle was made of %u points", count);
    double outside = flat != NULL ? outside_of_flat(flat, point, mesh) : 0.0;
    if (mesh->triangles != 0) {
        /* the library's places follow the points */
        vp_vec3 *all = malloc(((size_t)count + mesh->places) * sizeof *all);
        uint32_t(*triangle)[3] = malloc((size_t)mesh->triangles * sizeof *triangle);
        if (all == NULL || triangle == NULL) {
            free(all);
            free(triangle);
            return vp_fail(error, VP_E_MEMORY, "no memory to look at a hull of %u points", count);
        }
        memcpy(all, point, (size_t)count * sizeof *point);
        memcpy(all + count, mesh->place, (size_t)mesh->places * sizeof *all);
        for (uint32_t t = 0; t < mesh->triangles; t++)
            for (int k = 0; k < 3; k++)
                triangle[t][k] = mesh->triangle[t][k] + count;
        const vp_hull_validate_def subject = {.point = all,
                                              .count = count + mesh->places,
                                              .triangle = (const uint32_t(*)[3])triangle,
                                              .triangle_count = mesh->triangles,
                                              .allowed = allowed,
                                              .sliver = VP_HULL_SLIVER};
        vp_hull_report v;
        const vp_status status = vp_hull_validate(&subject, &v, error);
        free(all);
        free(triangle);
        if (status != VP_OK)
            return status;
        out->vertices = v.vertices;
        out->faults = v.faults;
        if (flat == NULL)
            outside = v.outside;
        else if (is_balanced(mesh))
            out->faults &= ~(uint32_t)VP_HULL_OPEN;
    }
    if (flat != NULL)
        out->faults &= ~(uint32_t)(VP_HULL_OUTSIDE | VP_HULL_CONCAVE);
    if (flat != NULL && outside > allowed)
        out->faults |= VP_HULL_OUTSIDE;
    out->outside = outside > 0.0 && extent > 0.0 ? outside / extent : 0.0;
    return VP_OK;
}

vp_vec3 *vp_hull_places(const vp_hull *hull, const vp_vec3 *point)
{
    vp_vec3 *place = malloc(((size_t)hull->vertex_count + 1) * sizeof *place);
    for (uint32_t v = 0; place != NULL && v < hull->vertex_count; v++)
        place[v] = point[hull->vertex[v]];
    return place;
}

/* ---- the judge ---- */

static vp_status open_points(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    char name[64] = "";
    const vp_hull_set *of = NULL;
    for (size_t i = 0; strcmp(name, set) != 0; i++) {
        of = vp_hull_set_at(i); /* `set` is one of them */
        snprintf(name, sizeof name, "%s/%s", of->family, of->count);
    }
    const vp_status status = vp_hull_set_open(suite, of, &out->set, error);
    snprintf(out->name, sizeof out->name, "%s", set);
    if (status == VP_OK)
        snprintf(out->hash, sizeof out->hash, "%s", vp_hull_set_hash(of, &out->set).text);
    out->own = (vp_data){.kind = &vp_kind_points, .set = &out->set.points};
    out->data = &out->own;
    out->items = 1;
    return status;
}

static void look_at_hull(const vp_contest *c, vp_verdict *out)
{
    const vp_point_sets *points = c->data->set;
    vp_peer_answers got;
    vp_hull_found found;
    snprintf(out->text, sizeof out->text, "these points");
    const vp_status status = c->refused != 0 ? VP_E_UNSUPPORTED
                             : !vp_peer_answers_of(c->peer, c->work, 0, &got)
                                 ? VP_E_MEMORY
                                 : vp_hull_look(points->point, points->first[1], c->right, &got, &found, NULL);
    if (status != VP_OK) { /* or the library made no output */
        out->outcome = status == VP_E_UNSUPPORTED ? VP_PEER_REFUSES : VP_PEER_NO_MEMORY;
        return;
    }
    const uint32_t faults = found.faults;
    out->outcome = faults != 0 ? VP_PEER_FAULTY : VP_PEER_RIGHT;
    snprintf(out->text, sizeof out->text, "hulls faults=%s%s%s%s%s", (faults & VP_HULL_OPEN) != 0 ? "open " : "",
             (faults & VP_HULL_EULER) != 0 ? "euler " : "", (faults & VP_HULL_CONCAVE) != 0 ? "concave " : "",
             (faults & VP_HULL_OUTSIDE) != 0 ? "outside " : "",
             (faults & (VP_HULL_OPEN | VP_HULL_EULER | VP_HULL_CONCAVE | VP_HULL_OUTSIDE)) == 0 ? "none " : "");
    vp_verdict_count(out, "faults", (double)faults);
    vp_verdict_count(out, "vertices", (double)found.vertices);
    vp_verdict_count(out, "outside_of_extent", found.outside);
}

static const vp_contested measured[] = {{.row = VP_KERNEL_hull3}};
const vp_judge vp_judge_hulls = {VP_CONTESTED(measured), .apart = true, .version = true, .open = open_points, .look = look_at_hull};

const vp_judge *const vp_judges_hulls[] = {&vp_judge_hulls, NULL};
