/* SPDX-License-Identifier: MIT */
#include "bench/hulls/hull_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/subprocess.h"
#include "src/core/error.h"
#include <voxphys/kernels.h>

const vp_hull_peer *const vp_hull_peers[] = {
#ifdef VP_BENCH_QHULL
    &vp_hull_peer_qhull,
#endif
#ifdef VP_BENCH_CGAL
    &vp_hull_peer_cgal,
#endif
#ifdef VP_BENCH_BULLET
    &vp_hull_peer_bullet,
#endif
    NULL};

double vp_hull_extent(const vp_vec3 *point, uint32_t count)
{
    vp_hull_bounds b;
    vp_hull_bounds_scalar(point, count, &b);
    const double side[3] = {(double)b.max.x - (double)b.min.x, (double)b.max.y - (double)b.min.y, (double)b.max.z - (double)b.min.z};
    return fmax(fmax(side[0], side[1]), side[2]);
}

/* ---- what a library made ---- */

/* How far a point is from a segment, or from a place if both ends are one. */
static double distance(vp_vec3 from, vp_vec3 to, vp_vec3 point)
{
    const double a[3] = {(double)from.x, (double)from.y, (double)from.z};
    const double d[3] = {(double)to.x - a[0], (double)to.y - a[1], (double)to.z - a[2]};
    const double p[3] = {(double)point.x - a[0], (double)point.y - a[1], (double)point.z - a[2]};
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double along = square > 0.0 ? (p[0] * d[0] + p[1] * d[1] + p[2] * d[2]) / square : 0.0;
    const double t = fmin(fmax(along, 0.0), 1.0);
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (p[k] - t * d[k]) * (p[k] - t * d[k]);
    return sqrt(sum);
}

/* How far the furthest vertex of a flat hull is from all edges of triangles, or from the segment or place where there are none: a
   corner that is in the plane and not outside of them is on one. */
static double outside_of_flat(const vp_hull *flat, const vp_vec3 *point, const vp_hull_peer_mesh *mesh)
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

typedef struct edge {
    uint32_t low, high;
    int way; /* 1: from low to high; -1 */
} edge;

static int compare_edges(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high != b->high ? (a->high < b->high ? -1 : 1) : 0;
}

/* Whether every edge is gone along as often one way as the other. */
static bool is_balanced(const vp_hull_peer_mesh *mesh)
{
    const size_t count = 3 * (size_t)mesh->triangles;
    edge *e = malloc(count * sizeof *e);
    bool good = e != NULL;
    for (size_t i = 0; good && i < count; i++) {
        const uint32_t a = mesh->triangle[i / 3][i % 3], b = mesh->triangle[i / 3][(i + 1) % 3];
        e[i] = (edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
    }
    if (good)
        qsort(e, count, sizeof *e, compare_edges);
    for (size_t i = 0; good && i < count;) {
        int sum = 0;
        const edge first = e[i];
        for (; i < count && compare_edges(&e[i], &first) == 0; i++)
            sum += e[i].way;
        good = sum == 0;
    }
    free(e);
    return good;
}

vp_status vp_hull_look(const vp_vec3 *point, uint32_t count, const vp_hull *flat, vp_hull_peer_mesh *mesh, vp_hull_found *out, vp_error *error)
{
    const double extent = vp_hull_extent(point, count), allowed = VP_HULL_ALLOWED * extent;
    *out = (vp_hull_found){.vertices = mesh->places, .triangles = mesh->triangles};
    if (mesh->triangles == 0 && (flat == NULL || mesh->places == 0 || mesh->places > 2))
        return vp_fail(error, VP_E_UNSUPPORTED, "no triangle was made of %u points", count);
    double outside = flat != NULL ? outside_of_flat(flat, point, mesh) : 0.0;
    if (mesh->triangles != 0) {
        /* the library's places are put behind the points */
        vp_vec3 *all = malloc(((size_t)count + mesh->places) * sizeof *all);
        if (all == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory to look at a hull of %u points", count);
        memcpy(all, point, (size_t)count * sizeof *point);
        memcpy(all + count, mesh->place, (size_t)mesh->places * sizeof *all);
        for (uint32_t t = 0; t < mesh->triangles; t++)
            for (int k = 0; k < 3; k++)
                mesh->triangle[t][k] += count;
        const vp_hull_validate_def subject = {.point = all, .count = count + mesh->places, .triangle = (const uint32_t(*)[3])mesh->triangle,
                                         .triangle_count = mesh->triangles, .allowed = allowed, .sliver = VP_HULL_SLIVER};
        vp_hull_report v;
        const vp_status status = vp_hull_validate(&subject, &v, error);
        free(all);
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

bool vp_hull_mesh_of(const vp_hull *hull, const vp_vec3 *point, vp_hull_peer_mesh *out)
{
    *out = (vp_hull_peer_mesh){malloc(hull->vertex_count * sizeof *out->place),
                               malloc(((size_t)hull->triangle_count + 1) * sizeof *out->triangle), hull->vertex_count, hull->triangle_count};
    if (out->place == NULL || out->triangle == NULL)
        return false;
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        out->place[v] = point[hull->vertex[v]];
    for (uint32_t t = 0; t < hull->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            out->triangle[t][k] = hull->triangle[t][k];
    return true;
}

/* ---- in a process of its own ---- */

/* A library at work. */
typedef struct trial {
    const vp_hull_peer *peer;
    const vp_vec3 *point;
    uint32_t count;
    const vp_hull *flat;
    void *work;
    bool made;
} trial;

/* What is told of it. */
typedef struct news {
    vp_status status;
    vp_hull_outcome outcome;
    vp_hull_found found;
} news;

static void make_hull(void *context)
{
    trial *t = context;
    t->work = t->peer->make(t->point, t->count);
    t->made = t->work != NULL && t->peer->run(t->work);
}

static void look(void *context, void *answer)
{
    const trial *t = context;
    vp_hull_peer_mesh mesh = {0};
    vp_error error;
    news n = {.status = VP_OK, .outcome = VP_HULL_REFUSED};
    if (t->made && t->peer->mesh(t->work, &mesh)) {
        n.status = vp_hull_look(t->point, t->count, t->flat, &mesh, &n.found, &error);
        n.outcome = n.status != VP_OK ? VP_HULL_REFUSED : n.found.faults != 0 ? VP_HULL_FAULTY : VP_HULL_VALID;
    } else if (t->made) {
        n.status = VP_E_MEMORY;
    }
    if (n.status == VP_E_UNSUPPORTED)
        n.status = VP_OK; /* nothing was made */
    memcpy(answer, &n, sizeof n);
}

vp_status vp_hull_try(const vp_hull_peer *peer, const vp_vec3 *point, uint32_t count, const vp_hull *flat, unsigned seconds, vp_hull_trial *out,
                      vp_error *error)
{
    trial t = {.peer = peer, .point = point, .count = count, .flat = flat};
    const vp_apart apart = {.name = peer->name, .context = &t, .work = make_hull, .look = look, .answer_bytes = sizeof(news)};
    news n = {.status = VP_OK};
    vp_apart_end end;
    *out = (vp_hull_trial){.outcome = VP_HULL_REFUSED};
    const vp_status status = vp_apart_run(&apart, seconds, &n, &end, &out->signal, error);
    if (status != VP_OK)
        return status;
    if (end != VP_APART_ENDED) {
        out->outcome = end == VP_APART_LATE ? VP_HULL_LATE : VP_HULL_CRASHED;
    } else if (n.status != VP_OK) {
        return vp_fail(error, n.status, "no memory to look at what %s made of %u points", peer->name, count);
    } else {
        out->outcome = n.outcome;
        out->found = n.found;
    }
    return VP_OK;
}
