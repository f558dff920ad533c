/* SPDX-License-Identifier: MIT */
/* Hull builders: their points, memory and argument checks. See src/hull/grow.c for the algorithm. */
#include <voxphys/hull.h>

#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/exact.h"
#include "src/core/memory.h"
#include "src/hull/check.h"
#include "src/hull/grow.h"

struct vp_hull_builder {
    vp_hull_def def; /* without points */
    vp_kernels kernels;
    vp_allocator allocator;
    vp_hull_bounds bounds; /* bounds of the points, if any */
    vp_hull_growing growing;
    uint32_t count; /* number of points */
    uint32_t room;  /* capacity in points */
};

/* ---- memory ---- */

static size_t faces_of(uint32_t points)
{
    return 2 * (size_t)points; /* a closed surface needs four fewer */
}

static void release_room(const vp_allocator *allocator, const vp_hull_growing *g, uint32_t room)
{
    vp_release(allocator, g->point, room, sizeof *g->point);
    vp_release(allocator, g->face, faces_of(room), sizeof *g->face);
    vp_release(allocator, g->horizon, room, sizeof *g->horizon);
}

/* Ensures capacity for a number of points. Nothing changes on failure. */
static bool make_room(vp_hull_builder *b, uint64_t points)
{
    enum { LEAST = 32 };
    vp_hull_growing *g = &b->growing, more = *g;
    if (points <= b->room)
        return true;
    uint64_t room = 2 * (uint64_t)b->room > points ? 2 * (uint64_t)b->room : points > LEAST ? points : LEAST;
    room = room < VP_HULL_MAX_POINTS ? room : VP_HULL_MAX_POINTS;
    more.point = vp_allocate(&b->allocator, (size_t)room, sizeof *more.point);
    more.face = vp_allocate(&b->allocator, faces_of((uint32_t)room), sizeof *more.face);
    more.horizon = vp_allocate(&b->allocator, (size_t)room, sizeof *more.horizon);
    if (more.point == NULL || more.face == NULL || more.horizon == NULL) {
        release_room(&b->allocator, &more, (uint32_t)room);
        return false;
    }
    if (b->count > 0) /* the horizon holds nothing between two points */
        memcpy(more.point, g->point, b->count * sizeof *g->point);
    if (g->used > 0)
        memcpy(more.face, g->face, g->used * sizeof *g->face);
    release_room(&b->allocator, g, b->room);
    *g = more;
    b->room = (uint32_t)room;
    return true;
}

/* ---- points ---- */

static float coordinate(vp_vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static void set_coordinate(vp_vec3 *p, int axis, float value)
{
    *(axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z) = value;
}

/* Joins the bounds of the points so far with those of the points after them. For equal coordinates the first point counts. */
static void join_bounds(vp_hull_bounds *all, uint32_t count, const vp_hull_bounds *more)
{
    for (int k = 0; k < 3; k++) {
        if (count == 0 || coordinate(more->min, k) < coordinate(all->min, k)) {
            set_coordinate(&all->min, k, coordinate(more->min, k));
            all->lowest[k] = count + more->lowest[k];
        }
        if (count == 0 || coordinate(more->max, k) > coordinate(all->max, k)) {
            set_coordinate(&all->max, k, coordinate(more->max, k));
            all->highest[k] = count + more->highest[k];
        }
    }
    all->bad = VP_HULL_NONE;
}

vp_status vp_hull_builder_add(vp_hull_builder *b, const vp_vec3 *point, uint32_t count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "builder", b);
    VP_RETURN_IF_ARRAY_NULL(error, point, count);
    vp_hull_bounds bounds;
    if (count == 0)
        return vp_succeed(error);
    VP_RETURN_IF_FAILED(vp_hull_check_count(point, (uint64_t)b->count + count, error));
    b->kernels.hull_bounds(point, count, &bounds);
    if (bounds.bad != VP_HULL_NONE)
        return vp_hull_name_bad(point, bounds.bad, error);
    if (!make_room(b, (uint64_t)b->count + count))
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull that grows to %u points", b->count + count);
    join_bounds(&b->bounds, b->count, &bounds);
    memcpy(b->growing.point + b->count, point, count * sizeof *point);
    for (uint32_t end = b->count + count; b->count < end; b->count++)
        vp_hull_grow(&b->growing, b->count);
    return vp_succeed(error);
}

/* ---- starting surfaces ---- */

/* Rejects vertices that are not finite points of the set. */
static vp_status check_vertices(const vp_hull *hull, const vp_vec3 *point, uint32_t count, vp_error *error)
{
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        const uint32_t i = hull->vertex[v];
        if (point == NULL || i >= count)
            return vp_fail(error, VP_E_ARGUMENT, "vertex %u of the hull is point %u of %u", v, i, point == NULL ? 0 : count);
        if (!isfinite(point[i].x) || !isfinite(point[i].y) || !isfinite(point[i].z))
            return vp_hull_name_bad(point, i, error);
    }
    return VP_OK;
}

/* Rejects triangles that are not a closed surface, or are not convex at an edge. */
static vp_status check_triangles(const vp_hull *hull, const vp_vec3 *point, vp_error *error)
{
    const uint32_t triangles = hull->triangle_count, vertices = hull->vertex_count;
    if (vertices < 4 || triangles != 2 * vertices - 4)
        return vp_fail(error, VP_E_ARGUMENT, "a hull of %u vertices does not have %u triangles", vertices, triangles);
    for (uint32_t t = 0; t < triangles; t++)
        for (uint32_t i = 0; i < 3; i++)
            if (hull->triangle[t][i] >= vertices || hull->neighbour[t][i] >= triangles)
                return vp_fail(error, VP_E_ARGUMENT, "triangle %u of the hull has corner %u and neighbour %u, of %u and %u", t,
                               hull->triangle[t][i], hull->neighbour[t][i], vertices, triangles);
    for (uint32_t t = 0; t < triangles; t++)
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t *corner = hull->triangle[t], from = corner[i], to = corner[(i + 1) % 3], u = hull->neighbour[t][i];
            const uint32_t *other = hull->triangle[u];
            uint32_t k = 0;
            while (k < 3 && (other[k] != to || other[(k + 1) % 3] != from || hull->neighbour[u][k] != t))
                k++;
            if (k == 3)
                return vp_fail(error, VP_E_ARGUMENT, "triangle %u of the hull shares no edge with its neighbour %u", t, u);
            if (t < u && vp_orient3d(point[hull->vertex[corner[0]]], point[hull->vertex[corner[1]]], point[hull->vertex[corner[2]]],
                                     point[hull->vertex[other[(k + 2) % 3]]]) > 0)
                return vp_fail(error, VP_E_ARGUMENT, "triangle %u of the hull has its neighbour %u above it", t, u);
        }
    return VP_OK;
}

vp_status vp_hull_builder_begin(vp_hull_builder *b, const vp_hull *hull, const vp_vec3 *point, uint32_t count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "builder", b);
    VP_RETURN_IF_ARRAY_NULL(error, point, count);
    const uint32_t vertices = hull != NULL ? hull->vertex_count : 0;
    VP_RETURN_IF_FAILED(vertices > 0 ? check_vertices(hull, point, count, error) : VP_OK);
    if (vertices > VP_HULL_MAX_POINTS)
        VP_RETURN_IF_FAILED(vp_hull_check_count(point, vertices, error));
    if (vertices > 0 && hull->dimension == 3)
        VP_RETURN_IF_FAILED(check_triangles(hull, point, error));
    if (!make_room(b, vertices))
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull that grows from %u vertices", vertices);
    vp_hull_grow_anew(&b->growing);
    b->count = vertices;
    if (vertices == 0)
        return vp_succeed(error);
    for (uint32_t v = 0; v < vertices; v++)
        b->growing.point[v] = point[hull->vertex[v]];
    b->kernels.hull_bounds(b->growing.point, vertices, &b->bounds);
    const bool solid =
        hull->dimension == 3 && vp_hull_grow_on(&b->growing, vertices, hull->triangle, hull->neighbour, hull->triangle_count);
    if (!solid) {
        /* there are no triangles, or all are in one plane */
        vp_hull_grow_anew(&b->growing);
        for (uint32_t v = 0; v < vertices; v++)
            vp_hull_grow(&b->growing, v);
    }
    return vp_succeed(error);
}

vp_status vp_hull_builder_create(const vp_hull_def *def, vp_hull_builder **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_kernels kernels;
    VP_RETURN_IF_FAILED(vp_hull_check_wishes(def, error));
    if (def->kernels == NULL)
        VP_RETURN_IF_FAILED(vp_kernels_default(&kernels, error));
    vp_hull_builder *b = vp_allocate_zero(&allocator, 1, sizeof *b);
    if (b == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull that grows");
    b->def = *def;
    b->kernels = def->kernels != NULL ? *def->kernels : kernels;
    b->allocator = allocator;
    vp_hull_grow_anew(&b->growing);
    vp_status status = vp_hull_builder_add(b, def->point, def->count, error);
    if (status != VP_OK) {
        vp_hull_builder_destroy(b);
        return status;
    }
    *out = b;
    return VP_OK;
}

void vp_hull_builder_destroy(vp_hull_builder *b)
{
    if (b == NULL)
        return;
    const vp_allocator allocator = b->allocator;
    release_room(&allocator, &b->growing, b->room);
    vp_release(&allocator, b, 1, sizeof *b);
}

/* ---- the result ---- */

vp_status vp_hull_builder_build(const vp_hull_builder *b, vp_hull *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "builder, out", b, out);
    const vp_hull_growing *g = &b->growing;
    const size_t triangles = g->live;
    vp_hull_triangle *triangle = NULL;
    uint32_t *number = NULL;
    VP_RETURN_IF_FAILED(vp_hull_check_count(g->point, b->count, error));
    if (triangles > 0) {
        triangle = vp_allocate(&b->allocator, triangles, sizeof *triangle);
        number = vp_allocate(&b->allocator, g->used, sizeof *number);
    }
    vp_status status = VP_OK;
    if (triangles > 0 && (triangle == NULL || number == NULL)) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for the hull of %u points", b->count);
    } else {
        vp_hull_def def = b->def;
        def.point = g->point;
        def.count = b->count;
        def.kernels = &b->kernels;
        def.allocator = &b->allocator;
        const vp_hull_grown grown = {.triangle = triangle,
                                     .triangles = triangles > 0 ? vp_hull_grow_write(g, number, triangle) : 0,
                                     .work = g->work,
                                     .cost = {.looked = b->count, .faces = g->made}};
        status = vp_hull_create_grown(&def, &b->bounds, &grown, out, error);
    }
    vp_release(&b->allocator, number, g->used, sizeof *number);
    vp_release(&b->allocator, triangle, triangles, sizeof *triangle);
    return status;
}

vp_hull_builder_cost vp_hull_builder_cost_of(const vp_hull_builder *b)
{
    const vp_hull_growing *g = &b->growing;
    return (vp_hull_builder_cost){.points = b->count,
                                  .vertices = g->live > 0 ? g->live / 2 + 2 : 0,
                                  .triangles = g->live,
                                  .walked = g->walked,
                                  .removed = g->seen,
                                  .neighbours = g->beside,
                                  .created = g->made,
                                  .work = g->work};
}

const vp_vec3 *vp_hull_builder_points(const vp_hull_builder *b)
{
    return b->growing.point;
}
