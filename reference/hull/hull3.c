/* SPDX-License-Identifier: MIT */
/* Quickhull in space: the convex hull of points, as a closed surface of triangles.
 *
 * The convex decomposition article, "Quickhull", and C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The Quickhull
 * Algorithm for Convex Hulls", ACM TOMS 1996. Begin with a tetrahedron of four of the points. One triangle remembers
 * each point outside, a triangle that the point lies above. While a triangle remembers points:
 * 1. Take the one of its points which is furthest above it, the apex.
 * 2. Find the triangles that the apex lies above. They are connected, and the edges around them, the horizon, are one
 *    ring.
 * 3. Put a new triangle between each edge of the horizon and the apex, and remove the old ones.
 * 4. Give the points that they remembered to new triangles. Those above none of them are inside, and forgotten for
 *    good.
 *
 * Step 4 is correct because a point q outside the new hull that saw an old visible triangle sees a new one. The way
 * from q to the inside of the old triangle enters the new hull through no other triangle of the old one, for there it
 * would have entered the old hull.
 *
 * The article warns of step 2. A point that nearly lies on the plane of two triangles, and is called above one and
 * below the other, makes a horizon that is not a ring, flipped triangles, lost points. As a remedy, coplanar triangles
 * which touch share one plane, which decides for all of them. The same is done here. A new triangle whose plane is that
 * of its neighbour takes the neighbour's, and a point is above all of them or none. A plane also decides correctly for
 * triangles of any shape: the sign of a determinant is computed exactly where rounding could change it
 * (src/core/exact.h). With correct decisions all of the above is a theorem, and no triangle ever is without area. A
 * point on the line of an edge lies on the planes of both triangles there, and neither is visible from it. */
#include <voxphys/kernel/hull.h>

#include "src/core/exact.h"
#include "src/hull/simplex.h"

typedef struct hull3_face {
    uint32_t vertex[3];    /* counterclockwise from outside */
    uint32_t neighbour[3]; /* the face beyond the edge from vertex[i] to vertex[(i + 1) % 3] */
    uint32_t plane[3];     /* points that define its plane: its own vertices, or those of a face whose plane it shares */
    uint32_t outside;      /* the first of the points that it remembers, and lies below, or VP_HULL_NONE */
    uint32_t link;         /* the next one among visible faces, among new ones, or among free places */
    uint32_t before;       /* the neighbours in the queue of faces that remember points */
    uint32_t after;
    uint32_t visible; /* 1 while it is known to be visible */
} hull3_face;

typedef struct hull3_builder {
    const vp_vec3 *point;
    uint32_t count;
    hull3_face *face;
    uint32_t *next;    /* for each remembered point, the next one of the same face */
    uint32_t *horizon; /* for each edge of the horizon, by its first point, 4*face + edge of the face that is not visible */
    uint32_t free;     /* the first free place for a face */
    uint32_t used;     /* number of used places */
    uint32_t first;    /* the queue of faces that remember points */
    uint32_t last;
    uint64_t work;
    uint64_t max_work;
    vp_hull_cost cost;
} hull3_builder;

/* ---- planes ---- */

/* Whether a point lies above a face's plane (1), on it (0), or below (-1). */
static int side_of_face(hull3_builder *b, const hull3_face *f, uint32_t point)
{
    b->work++;
    return vp_orient3d(b->point[f->plane[0]], b->point[f->plane[1]], b->point[f->plane[2]], b->point[point]);
}

/* How far a point is above a face's triangle, times twice the triangle's area. */
static double height_above(const hull3_builder *b, const hull3_face *f, uint32_t point)
{
    return vp_det3(b->point[f->vertex[0]], b->point[f->vertex[1]], b->point[f->vertex[2]], b->point[point]).value;
}

/* ---- faces ---- */

static uint32_t add_face(hull3_builder *b, uint32_t v0, uint32_t v1, uint32_t v2)
{
    uint32_t f = b->free;
    if (f != VP_HULL_NONE)
        b->free = b->face[f].link;
    else
        f = b->used++;
    b->cost.faces++;
    b->face[f] = (hull3_face){
        {v0, v1, v2}, {VP_HULL_NONE, VP_HULL_NONE, VP_HULL_NONE}, {v0, v1, v2}, VP_HULL_NONE, VP_HULL_NONE, VP_HULL_NONE, VP_HULL_NONE, 0};
    return f;
}

static void free_face(hull3_builder *b, uint32_t f)
{
    b->face[f].vertex[0] = VP_HULL_NONE; /* marks a free place */
    b->face[f].link = b->free;
    b->free = f;
}

/* Faces that remember points wait in a queue, so no step looks through all faces. */
static void enter_queue(hull3_builder *b, uint32_t f)
{
    b->face[f].before = b->last;
    b->face[f].after = VP_HULL_NONE;
    if (b->last != VP_HULL_NONE)
        b->face[b->last].after = f;
    else
        b->first = f;
    b->last = f;
}

static void leave_queue(hull3_builder *b, uint32_t f)
{
    const hull3_face *left = &b->face[f];
    if (left->before != VP_HULL_NONE)
        b->face[left->before].after = left->after;
    else
        b->first = left->after;
    if (left->after != VP_HULL_NONE)
        b->face[left->after].before = left->before;
    else
        b->last = left->before;
}

/* ---- points outside ---- */

/* Adds each point of a list to the first of some linked faces that it lies above, or forgets it. */
static void assign_points(hull3_builder *b, uint32_t list, uint32_t faces)
{
    while (list != VP_HULL_NONE && b->work <= b->max_work) {
        const uint32_t q = list;
        uint32_t f = faces;
        list = b->next[q];
        b->cost.looked++;
        while (f != VP_HULL_NONE && side_of_face(b, &b->face[f], q) <= 0)
            f = b->face[f].link;
        if (f == VP_HULL_NONE)
            continue;
        b->next[q] = b->face[f].outside;
        b->face[f].outside = q;
        b->cost.moved++;
        if (b->next[q] == VP_HULL_NONE)
            enter_queue(b, f);
    }
}

/* Removes the point that is furthest above a face from the face's list, and returns it. Among equally far points it is
   the first of the set. Points in one place are always remembered by the same face, so only the first of them ever
   becomes a vertex. */
static uint32_t remove_furthest(hull3_builder *b, uint32_t f)
{
    uint32_t furthest = b->face[f].outside;
    double max = height_above(b, &b->face[f], furthest);
    b->cost.looked++;
    for (uint32_t q = b->next[furthest]; q != VP_HULL_NONE; q = b->next[q]) {
        b->cost.looked++;
        const double h = height_above(b, &b->face[f], q);
        if (h > max || (h == max && q < furthest)) {
            max = h;
            furthest = q;
        }
    }
    uint32_t *link = &b->face[f].outside;
    while (*link != furthest)
        link = &b->next[*link];
    *link = b->next[furthest];
    return furthest;
}

/* ---- the four steps ---- */

/* Step 2. Starting from a visible face, links all of them, and records the horizon. @return a point of the horizon */
static uint32_t find_horizon(hull3_builder *b, uint32_t from, uint32_t apex)
{
    uint32_t last = from, on_horizon = VP_HULL_NONE;
    b->face[from].visible = 1;
    b->face[from].link = VP_HULL_NONE;
    for (uint32_t f = from; f != VP_HULL_NONE; f = b->face[f].link)
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t g = b->face[f].neighbour[i];
            hull3_face *neighbour = &b->face[g];
            if (neighbour->visible)
                continue;
            if (side_of_face(b, neighbour, apex) > 0) {
                neighbour->visible = 1;
                neighbour->link = VP_HULL_NONE;
                b->face[last].link = g;
                last = g;
            } else {
                uint32_t edge = 0;
                const uint32_t v = b->face[f].vertex[i], to = b->face[f].vertex[(i + 1) % 3];
                while (neighbour->vertex[edge] != to || neighbour->vertex[(edge + 1) % 3] != v)
                    edge++;
                b->horizon[v] = 4 * g + edge;
                on_horizon = v;
            }
        }
    return on_horizon;
}

/* The points that visible faces remember, as one list. The faces' places are free afterwards. */
static uint32_t release_faces(hull3_builder *b, uint32_t visible)
{
    uint32_t list = VP_HULL_NONE;
    while (visible != VP_HULL_NONE) {
        const uint32_t f = visible;
        visible = b->face[f].link;
        for (uint32_t q = b->face[f].outside, next; q != VP_HULL_NONE; q = next) {
            next = b->next[q];
            b->next[q] = list;
            list = q;
        }
        free_face(b, f);
    }
    return list;
}

/* Step 3. Makes faces between the horizon and the apex, linked. @return the first */
static uint32_t make_cone(hull3_builder *b, uint32_t on_horizon, uint32_t apex)
{
    uint32_t first = VP_HULL_NONE, last = VP_HULL_NONE, v = on_horizon;
    do {
        const uint32_t g = b->horizon[v] / 4, edge = b->horizon[v] % 4, to = b->face[g].vertex[edge];
        const uint32_t f = add_face(b, v, to, apex);
        hull3_face *made = &b->face[f];
        made->neighbour[0] = g;
        b->face[g].neighbour[edge] = f;
        if (side_of_face(b, &b->face[g], apex) == 0)
            for (int i = 0; i < 3; i++)
                made->plane[i] = b->face[g].plane[i];
        if (last == VP_HULL_NONE) {
            first = f;
        } else {
            made->neighbour[2] = last;
            b->face[last].neighbour[1] = f;
            b->face[last].link = f;
        }
        last = f;
        v = to;
    } while (v != on_horizon);
    b->face[first].neighbour[2] = last;
    b->face[last].neighbour[1] = first;
    return first;
}

/* ---- the beginning ---- */

/* The tetrahedron's faces, linked, all facing outwards. */
static uint32_t make_simplex(hull3_builder *b, const uint32_t corner[4])
{
    const vp_vec3 *p = b->point;
    const uint32_t down = vp_orient3d(p[corner[0]], p[corner[1]], p[corner[2]], p[corner[3]]) < 0;
    const uint32_t v0 = corner[0], v1 = corner[down ? 1 : 2], v2 = corner[down ? 2 : 1], top = corner[3];
    const uint32_t base = add_face(b, v0, v1, v2); /* the top lies below it */
    b->horizon[v1] = 4 * base + 0;                 /* the horizon runs around it, in the opposite direction */
    b->horizon[v2] = 4 * base + 1;
    b->horizon[v0] = 4 * base + 2;
    b->face[base].link = make_cone(b, v0, top);
    return base;
}

/* ---- all of it ---- */

vp_hull3_result vp_hull3_scalar(const vp_hull3_job *to)
{
    vp_hull3_result built = {0};
    uint32_t corner[4];
    built.dimension = vp_hull_find_simplex(to, corner, &built.thickness);
    for (int i = 0; i < 3; i++)
        built.corner[i] = corner[i];
    if (built.dimension < 3)
        return built;

    hull3_builder b = {.point = to->point, .count = to->count, .max_work = to->max_work};
    b.cost.looked = 2 * (uint64_t)to->count; /* comparisons of vp_hull_find_simplex */
    b.face = to->scratch;
    b.next = (uint32_t *)(void *)(b.face + vp_hull3_max_triangles(to->count));
    b.horizon = b.next + to->count;
    b.free = b.first = b.last = VP_HULL_NONE;

    uint32_t all = VP_HULL_NONE;
    for (uint32_t i = to->count; i-- > 0;) {
        b.next[i] = all;
        all = i;
    }
    assign_points(&b, all, make_simplex(&b, corner));
    while (b.first != VP_HULL_NONE && b.work <= b.max_work) {
        const uint32_t f = b.first, apex = remove_furthest(&b, f), on_horizon = find_horizon(&b, f, apex);
        for (uint32_t g = f; g != VP_HULL_NONE; g = b.face[g].link)
            if (b.face[g].outside != VP_HULL_NONE || g == f)
                leave_queue(&b, g);
        const uint32_t list = release_faces(&b, f);
        assign_points(&b, list, make_cone(&b, on_horizon, apex));
    }
    built.work = b.work;
    built.cost = b.cost;
    if (b.work > b.max_work)
        return built;

    for (uint32_t f = 0; f < b.used; f++) /* `link` receives the number of a face that has one */
        if (b.face[f].vertex[0] != VP_HULL_NONE)
            b.face[f].link = built.triangles++;
    for (uint32_t f = 0; f < b.used; f++) {
        const hull3_face *from = &b.face[f];
        if (from->vertex[0] == VP_HULL_NONE)
            continue;
        vp_hull_triangle *t = &to->triangle[from->link];
        for (int i = 0; i < 3; i++) {
            t->vertex[i] = from->vertex[i];
            t->neighbour[i] = b.face[from->neighbour[i]].link;
        }
    }
    return built;
}
