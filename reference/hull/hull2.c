/* SPDX-License-Identifier: MIT */
/* Quickhull in the plane. The convex decomposition article requires it in addition to the one in space,
 * for flat points.
 *
 * Begin with the line from the lowest point to the highest, there and back, which is a polygon of two edges. One
 * edge remembers each point outside, an edge that the point lies beyond. While an edge remembers points, take the
 * furthest of them. The edges beyond which it lies are neighbours of each other, and are replaced by two that meet
 * in it. The points that they remembered go to the first of the two that they are beyond. If there is none, they are
 * inside and forgotten.
 *
 * The side of a line on which a point lies is decided exactly (src/core/exact.h). So the polygon is always convex, and
 * no point outside is lost. The distance beyond a line is rounded. So a point that is not quite the furthest may be
 * taken, and replaced with its edges later. If several points were furthest together, one of them may lie on a line
 * between its neighbours. Such corners are removed at the end. */
#include <voxphys/kernel/hull.h>

#include "src/core/exact.h"

/* An edge of the polygon, from its corner to that of the edge after it. */
typedef struct polygon_edge {
    uint32_t corner; /* VP_HULL_NONE if it has been replaced */
    uint32_t before;
    uint32_t after;
    uint32_t outside; /* the first point that it remembers, or VP_HULL_NONE */
    uint32_t below;   /* the next edge in the stack of edges that may remember points */
    uint32_t waiting; /* 1 if it is in the stack */
} polygon_edge;

typedef struct hull2_builder {
    const vp_hull2_job *job;
    struct polygon_edge *edge;
    uint32_t *next; /* for each remembered point, the next one of the same edge */
    uint32_t edges;
    uint32_t top; /* of the stack */
    uint64_t work;
} hull2_builder;

static float coordinate(vp_vec3 p, uint32_t axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static vp_vec2 point_of(const vp_hull2_job *to, uint32_t i)
{
    return (vp_vec2){coordinate(to->point[i], to->axis[0]), coordinate(to->point[i], to->axis[1])};
}

/* Whether a lies left of b, or below it at the same x. */
static bool is_before(vp_vec2 a, vp_vec2 b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* How far a point is beyond an edge, times the edge's length. Beyond is on its right, because the polygon is
 * on its left. */
static vp_det distance_beyond(const hull2_builder *b, const polygon_edge *e, uint32_t q)
{
    return vp_det2(point_of(b->job, b->edge[e->after].corner), point_of(b->job, e->corner), point_of(b->job, q));
}

static bool is_beyond(hull2_builder *b, const polygon_edge *e, uint32_t q)
{
    b->work++;
    return vp_orient2d(point_of(b->job, b->edge[e->after].corner), point_of(b->job, e->corner), point_of(b->job, q)) > 0;
}

/* Adds each point of a list to the first of two edges that it lies beyond, or forgets it. */
static void assign_points(hull2_builder *b, uint32_t list, uint32_t first, uint32_t second)
{
    const uint32_t of[2] = {first, second};
    while (list != VP_HULL_NONE) {
        const uint32_t q = list;
        list = b->next[q];
        for (int i = 0; i < 2; i++) {
            polygon_edge *e = &b->edge[of[i]];
            if (is_beyond(b, e, q)) {
                b->next[q] = e->outside;
                e->outside = q;
                break;
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        polygon_edge *e = &b->edge[of[i]];
        if (e->outside != VP_HULL_NONE && !e->waiting) {
            e->waiting = 1;
            e->below = b->top;
            b->top = of[i];
        }
    }
}

/* The point that an edge remembers and that is furthest beyond it, the first of the set among equally far ones. */
static uint32_t furthest_of(const hull2_builder *b, const polygon_edge *e)
{
    uint32_t furthest = e->outside;
    double max = distance_beyond(b, e, furthest).value;
    for (uint32_t q = b->next[furthest]; q != VP_HULL_NONE; q = b->next[q]) {
        const double distance = distance_beyond(b, e, q).value;
        if (distance > max || (distance == max && q < furthest)) {
            max = distance;
            furthest = q;
        }
    }
    return furthest;
}

/* Removes an edge from the polygon, and prepends the points that it remembers to a list. @return the list */
static uint32_t remove_edge(hull2_builder *b, uint32_t e, uint32_t list)
{
    for (uint32_t q = b->edge[e].outside, next; q != VP_HULL_NONE; q = next) {
        next = b->next[q];
        b->next[q] = list;
        list = q;
    }
    b->edge[e].outside = b->edge[e].corner = VP_HULL_NONE;
    return list;
}

/* Turns the furthest point that an edge remembers into a corner. */
static void add_corner(hull2_builder *b, uint32_t e)
{
    const uint32_t corner = furthest_of(b, &b->edge[e]);
    uint32_t first = e, last = e, list = VP_HULL_NONE;
    while (is_beyond(b, &b->edge[b->edge[first].before], corner))
        first = b->edge[first].before;
    while (is_beyond(b, &b->edge[b->edge[last].after], corner))
        last = b->edge[last].after;

    const uint32_t from = b->edge[first].corner, before = b->edge[first].before, after = b->edge[last].after, made = b->edges++;
    for (uint32_t gone = first; gone != after; gone = b->edge[gone].after)
        list = remove_edge(b, gone, list);
    b->edge[first].corner = from; /* the place is reused */
    b->edge[first].after = made;
    b->edge[made] = (polygon_edge){corner, first, after, VP_HULL_NONE, VP_HULL_NONE, 0};
    b->edge[before].after = first;
    b->edge[after].before = made;
    assign_points(b, list, first, made);
}

/* Returns the polygon's corners, except those on the line of their neighbours, beginning at the first of the set. */
static uint32_t write_polygon(const hull2_builder *b)
{
    uint32_t *ring = b->next; /* free, because no point is remembered any more */
    uint32_t corners = 0, first = 0, begin = 0;
    while (b->edge[begin].corner == VP_HULL_NONE)
        begin++;
    uint32_t e = begin;
    do {
        const polygon_edge *at = &b->edge[e];
        if (vp_orient2d(point_of(b->job, b->edge[at->before].corner), point_of(b->job, at->corner),
                        point_of(b->job, b->edge[at->after].corner)) != 0 ||
            at->before == at->after)
            ring[corners++] = at->corner;
        e = at->after;
    } while (e != begin);
    for (uint32_t i = 1; i < corners; i++)
        if (ring[i] < ring[first])
            first = i;
    for (uint32_t i = 0; i < corners; i++)
        b->job->corner[i] = ring[(first + i) % corners];
    return corners;
}

vp_hull2_result vp_hull2_scalar(const vp_hull2_job *to)
{
    hull2_builder b = {.job = to, .edge = to->scratch, .edges = 2, .top = VP_HULL_NONE};
    b.next = (uint32_t *)(void *)(b.edge + to->count + 2);

    uint32_t lowest = 0, highest = 0, all = VP_HULL_NONE;
    for (uint32_t i = 1; i < to->count; i++) {
        if (is_before(point_of(to, i), point_of(to, lowest)))
            lowest = i;
        if (is_before(point_of(to, highest), point_of(to, i)))
            highest = i;
    }
    if (!is_before(point_of(to, lowest), point_of(to, highest))) {
        to->corner[0] = lowest;
        return (vp_hull2_result){1, 0};
    }
    b.edge[0] = (polygon_edge){lowest, 1, 1, VP_HULL_NONE, VP_HULL_NONE, 0};
    b.edge[1] = (polygon_edge){highest, 0, 0, VP_HULL_NONE, VP_HULL_NONE, 0};
    for (uint32_t i = to->count; i-- > 0;) {
        b.next[i] = all;
        all = i;
    }
    assign_points(&b, all, 0, 1);
    while (b.top != VP_HULL_NONE && b.work <= to->max_work) {
        const uint32_t e = b.top;
        b.top = b.edge[e].below;
        b.edge[e].waiting = 0;
        if (b.edge[e].corner != VP_HULL_NONE)
            add_corner(&b, e);
    }
    return (vp_hull2_result){b.work <= to->max_work ? write_polygon(&b) : 0, b.work};
}
