/* SPDX-License-Identifier: MIT */
/* Incremental hulls: adds points to a hull that exists (convex decomposition article, "Quickhull"). Decomposition needs
 * this to join two hulls.
 *
 * This is quickhull's step (reference/hull/hull3.c) without waiting points. The new point is the apex.
 *
 *   1. Find one triangle that the point sees, that is, whose plane it lies above. If there is none, the point is inside
 *      and is ignored.
 *   2. From there find all triangles that it sees. They are connected, and the edges around them, the horizon, are
 *      one ring.
 *   3. Remove them, and add a new triangle between each edge of the horizon and the point.
 *
 * Step 2 tests the triangles that the point sees and their neighbours, each once, and no others.
 *
 * Step 1 is a walk (O. Devillers, S. Pion and M. Teillaud, "Walking in a Triangulation", 2002). The pivot is a point of
 * the hull below the plane of the triangle where the walk starts. The pivot and the three edges of a triangle span
 * three planes. If the new point q is beyond one of them, the walk goes on to the neighbour there. If it is beyond
 * none, q lies in the cone from the pivot over the triangle. Then it is either above the triangle and sees it, or in
 * the tetrahedron of both and inside.
 *
 * The walk never finds q inside at a triangle whose plane contains the pivot. If a step leads there from a triangle
 * whose plane is above the pivot, it crosses the new plane, so q sees the new triangle. Among triangles in one plane a
 * walk may go in circles. A walk longer than the number of triangles is abandoned, and all triangles are tested.
 *
 * All tests are exact signs of determinants (src/core/exact.h). So a point on a plane is on it for every triangle
 * there, and sees none of them. */
#include "src/hull/grow.h"

#include "src/core/exact.h"

/* Side of a face's plane on which a point lies: 1 above, 0 on it, -1 below. */
static int side_of_face(vp_hull_growing *g, const vp_hull_growing_face *f, uint32_t point)
{
    g->work++;
    return vp_orient3d(g->point[f->vertex[0]], g->point[f->vertex[1]], g->point[f->vertex[2]], g->point[point]);
}

/* ---- faces ---- */

static uint32_t add_face(vp_hull_growing *g, uint32_t v0, uint32_t v1, uint32_t v2)
{
    uint32_t f = g->free;
    if (f != VP_HULL_NONE)
        g->free = g->face[f].link;
    else
        f = g->used++;
    g->live++;
    g->made++;
    g->face[f] = (vp_hull_growing_face){{v0, v1, v2}, {VP_HULL_NONE, VP_HULL_NONE, VP_HULL_NONE}, VP_HULL_NONE, 0};
    return f;
}

static void free_faces(vp_hull_growing *g, uint32_t seen)
{
    for (uint32_t f = seen, next; f != VP_HULL_NONE; f = next) {
        next = g->face[f].link;
        g->face[f].vertex[0] = VP_HULL_NONE;
        g->face[f].link = g->free;
        g->free = f;
        g->live--;
    }
}

/* Index of a face's edge between two points. */
static uint32_t edge_of(const vp_hull_growing_face *f, uint32_t from, uint32_t to)
{
    uint32_t i = 0;
    while (f->vertex[i] != from || f->vertex[(i + 1) % 3] != to)
        i++;
    return i;
}

/* ---- steps 1 to 3 ---- */

/* Tests all faces. @return the first that a point sees, or VP_HULL_NONE */
static uint32_t search_all_faces(vp_hull_growing *g, uint32_t q)
{
    for (uint32_t f = 0; f < g->used; f++) {
        if (g->face[f].vertex[0] == VP_HULL_NONE)
            continue;
        g->walked++;
        if (side_of_face(g, &g->face[f], q) > 0)
            return f;
    }
    return VP_HULL_NONE;
}

/* A point of the hull below a face's plane: one of four that are not in one plane. */
static uint32_t pivot_of(vp_hull_growing *g, const vp_hull_growing_face *f)
{
    uint32_t i = 0;
    while (side_of_face(g, f, g->corner[i]) == 0)
        i++;
    return g->corner[i];
}

/* Step 1. @return a face that a point sees, or VP_HULL_NONE if it is inside or on the surface */
static uint32_t find_visible_face(vp_hull_growing *g, uint32_t q)
{
    uint32_t f = g->last;
    const uint32_t pivot = pivot_of(g, &g->face[f]);
    for (uint32_t step = 0; step < g->live; step++) {
        const vp_hull_growing_face *at = &g->face[f];
        uint32_t tried = 0, i = step % 3; /* starts with a different edge each step, to avoid circles */
        g->walked++;
        if (side_of_face(g, at, q) > 0)
            return f;
        for (; tried < 3; tried++, i = (i + 1) % 3) {
            g->work++;
            if (vp_orient3d(g->point[pivot], g->point[at->vertex[i]], g->point[at->vertex[(i + 1) % 3]], g->point[q]) < 0)
                break;
        }
        if (tried == 3)
            return VP_HULL_NONE;
        f = at->neighbour[i];
    }
    return search_all_faces(g, q);
}

/* Step 2, from a face that the point sees: links all visible faces and records the horizon. @return a point of the horizon */
static uint32_t find_horizon(vp_hull_growing *g, uint32_t from, uint32_t q)
{
    const uint32_t not_seen = 2 * ++g->turn, seen = not_seen + 1;
    uint32_t last = from, on_horizon = VP_HULL_NONE;
    g->face[from].look = seen;
    g->face[from].link = VP_HULL_NONE;
    for (uint32_t f = from; f != VP_HULL_NONE; f = g->face[f].link) {
        g->seen++;
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t b = g->face[f].neighbour[i];
            vp_hull_growing_face *neighbour = &g->face[b];
            if (neighbour->look != seen && neighbour->look != not_seen) {
                neighbour->look = side_of_face(g, neighbour, q) > 0 ? seen : not_seen;
                if (neighbour->look == seen) {
                    neighbour->link = VP_HULL_NONE;
                    g->face[last].link = b;
                    last = b;
                } else {
                    g->beside++;
                }
            }
            if (neighbour->look == not_seen) {
                const uint32_t v = g->face[f].vertex[i], to = g->face[f].vertex[(i + 1) % 3];
                g->horizon[v] = 4 * b + edge_of(neighbour, to, v);
                on_horizon = v;
            }
        }
    }
    return on_horizon;
}

/* Step 3: adds faces between the horizon and a point. */
static void make_cone(vp_hull_growing *g, uint32_t on_horizon, uint32_t q)
{
    uint32_t first = VP_HULL_NONE, last = VP_HULL_NONE, v = on_horizon;
    do {
        const uint32_t b = g->horizon[v] / 4, edge = g->horizon[v] % 4, to = g->face[b].vertex[edge];
        const uint32_t f = add_face(g, v, to, q);
        g->face[f].neighbour[0] = b;
        g->face[b].neighbour[edge] = f;
        if (last == VP_HULL_NONE) {
            first = f;
        } else {
            g->face[f].neighbour[2] = last;
            g->face[last].neighbour[1] = f;
        }
        last = f;
        v = to;
    } while (v != on_horizon);
    g->face[first].neighbour[2] = last;
    g->face[last].neighbour[1] = first;
    g->last = last;
}

static void insert_point(vp_hull_growing *g, uint32_t q)
{
    const uint32_t from = find_visible_face(g, q);
    if (from == VP_HULL_NONE)
        return;
    const uint32_t on_horizon = find_horizon(g, from, q);
    free_faces(g, from);
    make_cone(g, on_horizon, q);
}

/* ---- the first tetrahedron ---- */

/* Whether a point is outside the place, line or plane spanned by the corners so far. */
static bool is_outside(const vp_hull_growing *g, uint32_t q)
{
    const vp_vec3 *p = g->point, a = p[g->corner[0]], to = p[q];
    double normal[3];
    switch (g->corners) {
    case 0:
        return true;
    case 1:
        return a.x != to.x || a.y != to.y || a.z != to.z;
    case 2:
        vp_normal3(a, p[g->corner[1]], to, normal);
        return normal[0] != 0.0 || normal[1] != 0.0 || normal[2] != 0.0;
    default:
        return vp_orient3d(a, p[g->corner[1]], p[g->corner[2]], to) != 0;
    }
}

/* Makes the tetrahedron of the corners. */
static void make_simplex(vp_hull_growing *g)
{
    const vp_vec3 *p = g->point;
    const uint32_t *c = g->corner, down = vp_orient3d(p[c[0]], p[c[1]], p[c[2]], p[c[3]]) < 0;
    const uint32_t v0 = c[0], v1 = c[down ? 1 : 2], v2 = c[down ? 2 : 1];
    const uint32_t base = add_face(g, v0, v1, v2); /* the fourth corner is below it, with the horizon the other way round */
    g->horizon[v1] = 4 * base + 0;
    g->horizon[v2] = 4 * base + 1;
    g->horizon[v0] = 4 * base + 2;
    make_cone(g, v0, c[3]);
}

void vp_hull_grow_anew(vp_hull_growing *g)
{
    *g = (vp_hull_growing){.point = g->point, .face = g->face, .horizon = g->horizon, .free = VP_HULL_NONE};
}

void vp_hull_grow(vp_hull_growing *g, uint32_t q)
{
    if (g->corners == 4) {
        insert_point(g, q);
        return;
    }
    if (!is_outside(g, q))
        return;
    g->corner[g->corners++] = q;
    if (g->corners < 4)
        return;
    make_simplex(g);
    for (uint32_t i = 0; i < q; i++)
        if (i != g->corner[0] && i != g->corner[1] && i != g->corner[2])
            insert_point(g, i);
}

bool vp_hull_grow_on(vp_hull_growing *g, uint32_t points, const uint32_t (*triangle)[3], const uint32_t (*beside)[3], uint32_t triangles)
{
    for (uint32_t t = 0; t < triangles; t++)
        for (uint32_t i = 0; i < 3; i++) {
            g->face[t].vertex[i] = triangle[t][i];
            g->face[t].neighbour[i] = beside[t][i];
            g->face[t].look = 0;
        }
    g->used = g->live = triangles;
    for (g->corners = 0; g->corners < 3; g->corners++)
        g->corner[g->corners] = triangle[0][g->corners];
    for (uint32_t i = 0; i < points && g->corners < 4; i++)
        if (is_outside(g, i))
            g->corner[g->corners++] = i;
    return g->corners == 4;
}

uint32_t vp_hull_grow_write(const vp_hull_growing *g, uint32_t *number, vp_hull_triangle *out)
{
    uint32_t triangles = 0;
    for (uint32_t f = 0; f < g->used; f++)
        if (g->face[f].vertex[0] != VP_HULL_NONE)
            number[f] = triangles++;
    for (uint32_t f = 0; f < g->used; f++) {
        const vp_hull_growing_face *from = &g->face[f];
        for (uint32_t i = 0; i < 3 && from->vertex[0] != VP_HULL_NONE; i++) {
            out[number[f]].vertex[i] = from->vertex[i];
            out[number[f]].neighbour[i] = number[from->neighbour[i]];
        }
    }
    return triangles;
}
