/* SPDX-License-Identifier: MIT */
/* Reach of hulls: the largest distance of a hull's points from the solid, which is the inside of closed shells and all triangles.
 *
 * A hull of dimension 3 is the union of tetrahedra from one of its vertices to its triangles. A flat hull is the union of its triangles,
 * and one of dimension 1 is a segment. Each of these pieces is cut in two at its longest edge until an upper bound of its reach is small
 * enough. A piece with all corners in one hull that was tested before needs no bound. For any other piece, let c be its middle, d the
 * distance of c from the nearest triangle, and r the distance of the farthest corner from c. The least of these bounds holds:
 * 1. d + r, because the distance changes by no more than a point moves.
 * 2. The largest distance of a corner from the triangle nearest to c, because the distance from a triangle is convex.
 * 3. If c is inside the solid, r.
 * 4. If c is inside the solid, the largest distance of a corner from the part of the piece that is on c's side of the plane of every
 *    triangle that crosses the piece. That part is convex and holds c, and no triangle crosses it, so it is inside too. */
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

enum { MOST_TESTED = 1 << 16, MOST_CERTIFIED = 3 << 8 }; /* pieces of a hull that are cut */

/* Sets the plane of three points: a normal, of length 1 or 0, and its offset. @return twice the triangle's area */
static double set_plane(const double a[3], const double b[3], const double c[3], double out[4])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    vp_cross(u, v, out);
    const double size = sqrt(vp_dot(out, out));
    for (int k = 0; k < 3 && size > 0.0; k++)
        out[k] /= size;
    out[3] = vp_dot(out, a);
    return size;
}

/* ---- the search ---- */

/* The planes of a hull that was tested before. */
typedef struct tested_hull {
    const double (*plane)[4];
    uint32_t planes;
    uint32_t last; /* plane that the last corner outside was above. Tested first */
} tested_hull;

/* Corner of a piece. */
typedef struct piece_corner {
    double at[3];
    uint32_t tested; /* a bit for each tested hull that holds it */
} piece_corner;

/* The middle of a piece. */
typedef struct piece_middle {
    double at[3];
    double away;       /* from the nearest triangle */
    uint32_t triangle; /* that is near, or VP_DECOMPOSE_NONE */
    bool is_known;     /* the winding number around some point of a piece that holds this one */
    double known[3];   /* this point */
    int32_t winds;
} piece_middle;

/* A piece that waits to be cut. */
typedef struct waiting_piece {
    piece_corner corner[4];
    double bound;
    piece_middle middle;
} waiting_piece;

typedef struct bound_search {
    const vp_decomposing *d;
    double enough; /* pieces with at most this bound are not cut */
    double known;  /* a bound of the piece. The search for another one ends when it is larger. At least `enough` */
    double least;  /* pieces with at most this radius are not cut either, and end the search. More than rounding */
    double slack;  /* tolerance of comparisons */
    double bound;  /* maximum of the pieces so far. INFINITY = too large, and the search is over */
    double found;  /* distance of the farthest point found */
    uint32_t pieces, most;
    waiting_piece *heap; /* the largest bound first. NULL = pieces are cut at once, and one that is too large ends the search */
    uint32_t waiting;
    tested_hull tested[2];
} bound_search;

static bool is_in(tested_hull *hull, const double p[3], double slack)
{
    if (vp_dot(hull->plane[hull->last], p) - hull->plane[hull->last][3] > slack)
        return false;
    for (uint32_t i = 0; i < hull->planes; i++)
        if (vp_dot(hull->plane[i], p) - hull->plane[i][3] > slack) {
            hull->last = i;
            return false;
        }
    return true;
}

static void set_tested(bound_search *s, piece_corner *corner)
{
    corner->tested = 0;
    for (uint32_t h = 0; h < 2; h++)
        if (s->tested[h].planes != 0 && is_in(&s->tested[h], corner->at, s->slack))
            corner->tested |= 1u << h;
}

static double square_to_box(const vp_surface_box *box, const double p[3])
{
    double out[3];
    for (int k = 0; k < 3; k++)
        out[k] = vp_double_max(vp_double_max(box->low[k] - p[k], p[k] - box->high[k]), 0.0);
    return vp_dot(out, out);
}

/* Finds the triangle of a leaf that is nearest to a point, if it is nearer than `p->triangle`. */
static void search_leaf(const vp_decomposing *d, uint32_t leaf, piece_middle *p)
{
    const vp_decompose_solid *tree = &d->every;
    for (uint32_t i = leaf * VP_DECOMPOSE_PER_LEAF; i < (leaf + 1) * VP_DECOMPOSE_PER_LEAF && i < tree->triangles; i++) {
        const double away = vp_decompose_distance_to_triangle(d, tree->triangle[i], p->at, p->away);
        if (away < p->away) {
            p->away = away;
            p->triangle = tree->triangle[i];
        }
    }
}

/* Finds the triangle nearest to a point, or one that is no farther than `enough`. Begins with the triangle and distance in `p`. */
static void find_nearest(const vp_decomposing *d, double enough, piece_middle *p)
{
    const vp_surface_box *box = d->every.box;
    struct {
        uint32_t box;
        double square;
    } stack[64] = {{0, 0.0}};
    for (int held = 1; held > 0 && p->away > enough;) {
        const uint32_t at = stack[--held].box;
        if (stack[held].square >= p->away * p->away)
            continue;
        if (box[at].block != VP_DECOMPOSE_NONE) {
            search_leaf(d, box[at].block, p);
            continue;
        }
        const uint32_t half[2] = {at + 1, box[at + 1].next};
        const double square[2] = {square_to_box(&box[half[0]], p->at), square_to_box(&box[half[1]], p->at)};
        const int far = square[1] >= square[0];
        stack[held].box = half[far];
        stack[held++].square = square[far];
        stack[held].box = half[1 - far];
        stack[held++].square = square[1 - far];
    }
}

/* Whether all corners of a triangle are outside one side of a tetrahedron. */
static bool is_beyond(const double side[4][4], const double corner[3][3], double slack)
{
    for (int i = 0; i < 4; i++) {
        int above = 0;
        while (above < 3 && vp_dot(side[i], corner[above]) - side[i][3] >= -slack)
            above++;
        if (above == 3)
            return true;
    }
    return false;
}

/* Largest distance of a tetrahedron's corners from its part on c's side of a triangle's plane. INFINITY if that side is uncertain. */
static double bound_by_plane(const bound_search *s, const piece_corner *corner, const double c[3], const double of[3][3])
{
    double plane[4], most = 0.0;
    const double area = set_plane(of[0], of[1], of[2], plane),
                 long_side = vp_double_max(vp_decompose_apart(of[0], of[1]), vp_decompose_apart(of[0], of[2]));
    if (area == 0.0)
        return 0.0;
    const double middle = vp_dot(plane, c) - plane[3];
    if (fabs(middle) <= s->slack || area <= long_side * long_side * 0x1p-30)
        return INFINITY;
    for (int i = 0; i < 4; i++) {
        const double above = vp_dot(plane, corner[i].at) - plane[3];
        if ((above < 0.0 && middle > 0.0) || (above > 0.0 && middle < 0.0))
            most = vp_double_max(most, vp_decompose_apart(corner[i].at, c) * (above / (above - middle)));
    }
    return most;
}

/* Sets the outward planes of a tetrahedron's sides. @return the least height of a corner over the opposite side */
static double set_sides(const piece_corner *corner, double side[4][4])
{
    static const int of[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        set_plane(corner[of[i][0]].at, corner[of[i][1]].at, corner[of[i][2]].at, side[i]);
        const double above = vp_dot(side[i], corner[i].at) - side[i][3];
        for (int k = 0; k < 4 && above > 0.0; k++)
            side[i][k] = -side[i][k];
        least = vp_double_min(least, fabs(above));
    }
    return least;
}

/* Bound 4 by a single triangle. */
static double bound_by_side(const bound_search *s, const piece_corner *corner, const double side[4][4], const double c[3], uint32_t t)
{
    double of[3][3];
    vp_decompose_set_corners(&s->d->mesh, t, of);
    return is_beyond(side, (const double(*)[3])of, s->slack) ? 0.0 : bound_by_plane(s, corner, c, (const double(*)[3])of);
}

/* Bound 4, for a tetrahedron whose middle is inside. Stops when it is too large. Begins with the middle's triangle, which becomes the one
 * with the largest bound, because that often bounds the next piece too. */
static double bound_by_planes(const bound_search *s, const piece_corner *corner, const double side[4][4], piece_middle *m)
{
    vp_decompose_walk walk = {0};
    double most = m->triangle != VP_DECOMPOSE_NONE ? bound_by_side(s, corner, side, m->at, m->triangle) : 0.0;
    for (int k = 0; k < 3; k++) {
        walk.low[k] = vp_double_min(vp_double_min(corner[0].at[k], corner[1].at[k]), vp_double_min(corner[2].at[k], corner[3].at[k]));
        walk.high[k] = vp_double_max(vp_double_max(corner[0].at[k], corner[1].at[k]), vp_double_max(corner[2].at[k], corner[3].at[k]));
    }
    for (uint32_t t; most <= s->known && (t = vp_decompose_next_triangle(s->d, &walk)) != VP_DECOMPOSE_NONE;) {
        const double bound = vp_decompose_is_apart(&s->d->mesh, t, &walk) ? 0.0 : bound_by_side(s, corner, side, m->at, t);
        if (bound > most) {
            most = bound;
            m->triangle = t;
        }
    }
    return most;
}

static double bound_by_triangle(const bound_search *s, uint32_t triangle, const piece_corner *corner, int corners)
{
    double farthest = triangle != VP_DECOMPOSE_NONE ? 0.0 : INFINITY;
    for (int i = 0; i < corners && farthest <= s->known; i++)
        farthest = vp_double_max(farthest, vp_decompose_distance_to_triangle(s->d, triangle, corner[i].at, INFINITY));
    return farthest;
}

/* The winding number around the middle of a piece. */
static int32_t find_winds(const bound_search *s, piece_middle *m)
{
    m->winds = m->is_known ? vp_decompose_wind_from(s->d, m->known, m->winds, m->at) : vp_decompose_wind(s->d, m->at);
    m->is_known = true;
    memcpy(m->known, m->at, sizeof m->at);
    return m->winds;
}

/* Bounds the reach of a piece, without cutting it. A bound above `known` may be too low. @param radius  r  @param m  its triangle may be
 * near. Receives the nearest one */
static double bound_piece(bound_search *s, const piece_corner *corner, int corners, double radius, piece_middle *m)
{
    double bound = bound_by_triangle(s, m->triangle, corner, corners), side[4][4];
    if (bound <= s->enough)
        return bound;
    /* a point on the surface is neither inside nor outside, and bound 4 is infinite if a triangle crosses the middle */
    const bool is_thick = corners == 4 && set_sides(corner, side) > 64 * s->slack;
    if (is_thick && find_winds(s, m) > 0) {
        bound = vp_double_min(bound, radius);
        return bound <= s->enough ? bound : vp_double_min(bound, bound_by_planes(s, corner, (const double(*)[4])side, m));
    }
    const uint32_t hint = m->triangle;
    m->away = hint != VP_DECOMPOSE_NONE ? vp_decompose_distance_to_triangle(s->d, hint, m->at, INFINITY) : INFINITY;
    find_nearest(s->d, s->enough - radius, m);
    bound = vp_double_min(bound, m->away + radius);
    if (bound <= s->enough)
        return bound;
    if (m->triangle != hint)
        bound = vp_double_min(bound, bound_by_triangle(s, m->triangle, corner, corners));
    if (bound <= s->enough || m->away <= 16 * s->slack)
        return bound;
    if (!is_thick && find_winds(s, m) > 0)
        return vp_double_min(bound, radius);
    s->found = vp_double_max(s->found, m->away);
    return bound;
}

static void search_piece(bound_search *s, const piece_corner *corner, int corners, const piece_middle *whole);

static void cut_piece(bound_search *s, const piece_corner *corner, int corners, const piece_middle *middle)
{
    double longest = -1.0;
    int end[2] = {0, 1};
    for (int i = 0; i < corners; i++)
        for (int k = i + 1; k < corners; k++) {
            const double side = vp_decompose_apart(corner[i].at, corner[k].at);
            if (side > longest) {
                longest = side;
                end[0] = i;
                end[1] = k;
            }
        }
    piece_corner half[4], cut;
    for (int k = 0; k < 3; k++)
        cut.at[k] = (corner[end[0]].at[k] + corner[end[1]].at[k]) / 2;
    set_tested(s, &cut);
    for (int side = 0; side < 2; side++) {
        memcpy(half, corner, (size_t)corners * sizeof *half);
        half[end[side]] = cut;
        search_piece(s, half, corners, middle);
    }
}

static void push_piece(bound_search *s, const piece_corner *corner, int corners, double bound, const piece_middle *m)
{
    uint32_t at = s->waiting++;
    for (; at > 0 && s->heap[(at - 1) / 2].bound < bound; at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    memcpy(s->heap[at].corner, corner, (size_t)corners * sizeof *corner);
    s->heap[at].bound = bound;
    s->heap[at].middle = *m;
}

static waiting_piece pop_piece(bound_search *s)
{
    const waiting_piece first = s->heap[0], last = s->heap[--s->waiting];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < s->waiting; at = child) {
        child += child + 1 < s->waiting && s->heap[child + 1].bound > s->heap[child].bound;
        if (s->heap[child].bound <= last.bound)
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = last;
    return first;
}

/* Bounds the reach of a piece, and cuts it if the bound is too large. @param whole  the middle of the piece that this one
 * was cut from */
static void search_piece(bound_search *s, const piece_corner *corner, int corners, const piece_middle *whole)
{
    piece_middle m = *whole;
    double radius = 0.0;
    uint32_t tested = 3;
    m.at[0] = m.at[1] = m.at[2] = 0.0;
    for (int i = 0; i < corners; i++) {
        tested &= corner[i].tested;
        for (int k = 0; k < 3; k++)
            m.at[k] += corner[i].at[k] / corners;
    }
    if (s->bound == INFINITY || tested != 0)
        return;
    for (int i = 0; i < corners; i++)
        radius = vp_double_max(radius, vp_decompose_apart(corner[i].at, m.at));
    const double bound = vp_double_min(bound_piece(s, corner, corners, radius, &m), s->heap != NULL ? s->known : INFINITY);
    if (bound <= s->enough || (s->heap != NULL && radius <= s->least))
        s->bound = vp_double_max(s->bound, bound);
    else if (s->heap != NULL)
        push_piece(s, corner, corners, bound, &m);
    else if (s->found > s->enough || radius <= s->least || ++s->pieces > s->most)
        s->bound = INFINITY;
    else
        cut_piece(s, corner, corners, &m);
}

/* Bounds the reach of a hull. @param room [hull->vertex_count]  @return at most `enough`, or INFINITY */
static double search_hull(bound_search *s, const vp_vec3 *point, const vp_hull *hull, piece_corner *room)
{
    const piece_middle none = {.triangle = VP_DECOMPOSE_NONE};
    s->bound = 0.0;
    s->pieces = 0;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        vp_decompose_set_point(room[v].at, &point[hull->vertex[v]]);
        set_tested(s, &room[v]);
    }
    if (hull->dimension == 1)
        search_piece(s, room, 2, &none);
    for (uint32_t t = 0; t < hull->triangle_count && s->bound < INFINITY; t++) {
        const uint32_t *v = hull->triangle[t];
        const piece_corner corner[4] = {room[v[0]], room[v[1]], room[v[2]], room[0]};
        if (hull->dimension == 3 && v[0] != 0 && v[1] != 0 && v[2] != 0)
            search_piece(s, corner, 4, &none);
        if (hull->dimension == 2 && hull->face_of[t] == 0)
            search_piece(s, corner, 3, &none);
    }
    return s->bound;
}

/* ---- decisions ---- */

/* Thickness of the points of a hull below dimension 3. The tolerance allows it. */
static double find_thickness(const vp_vec3 *point, uint32_t count, const vp_hull *hull)
{
    double low = INFINITY, high = -INFINITY, end[2][3];
    for (int k = 0; k < 2; k++)
        vp_decompose_set_point(end[k], &point[hull->vertex[k <= (int)hull->dimension ? k : 0]]);
    for (uint32_t i = 0; i < count; i++) {
        double at[3], above;
        vp_decompose_set_point(at, &point[i]);
        if (hull->dimension == 2) {
            above = vp_dot(hull->plane[0], at);
        } else {
            const double from[3] = {at[0] - end[0][0], at[1] - end[0][1], at[2] - end[0][2]};
            above = sqrt(vp_decompose_square_to_segment(end[0], end[1], from));
        }
        low = vp_double_min(low, above);
        high = vp_double_max(high, above);
    }
    return high - low; /* below dimension 2 an end is at 0 */
}

/* Bound of how far the hull of the original points reaches beyond the pieces, by its error, its thickness and joined points. */
static double find_moved(const vp_decomposing *d, const vp_vec3 *point, uint32_t count, const vp_hull *hull)
{
    const double s = d->lengths.quantization, thickness = hull->dimension < 3 ? find_thickness(point, count, hull) : 0.0;
    return vp_double_min(hull->error, s) + thickness + (d->mesh.input.joined != 0 ? s : 0.0);
}

static bound_search begin_search(const vp_decomposing *d, double enough, double least, uint32_t most)
{
    const vp_surface_box *all = &d->every.box[0];
    double largest = 0.0;
    for (int k = 0; k < 3; k++)
        largest = vp_double_max(largest, vp_double_max(fabs(all->low[k]), fabs(all->high[k])));
    const double slack = largest * 0x1p-44;
    return (bound_search){.d = d, .enough = enough, .known = enough, .least = vp_double_max(least, 64 * slack), .slack = slack, .most = most};
}

vp_status vp_decompose_is_close(const vp_decomposing *d, const vp_decompose_union *of, const vp_decompose_union *former, uint32_t formers,
                                bool *out)
{
    const double limit = d->lengths.concavity;
    bound_search s = begin_search(d, limit * (63.0 / 64) - find_moved(d, of->point, of->vertices, &of->hull), limit / 64, MOST_TESTED);
    uint32_t planes = 0, count = 0;
    for (uint32_t h = 0; h < formers; h++)
        planes += former[h].hull.dimension == 3 ? former[h].hull.triangle_count : 0;
    double(*plane)[4] = vp_allocate(&d->allocator, planes + 1, sizeof *plane);
    piece_corner *room = vp_allocate(&d->allocator, of->hull.vertex_count, sizeof *room);
    const vp_status status = plane != NULL && room != NULL ? VP_OK : VP_E_MEMORY;
    for (uint32_t h = 0; h < formers && status == VP_OK; h++) { /* not of joined faces, which may contain more than was tested */
        const vp_hull *hull = &former[h].hull;
        s.tested[h].plane = (const double(*)[4])(plane + count);
        for (uint32_t t = 0; t < hull->triangle_count && hull->dimension == 3; t++) {
            double corner[3][3];
            for (int k = 0; k < 3; k++)
                vp_decompose_set_point(corner[k], &former[h].point[hull->vertex[hull->triangle[t][k]]]);
            set_plane(corner[0], corner[1], corner[2], plane[count++]);
            s.tested[h].planes++;
        }
    }
    *out = status == VP_OK && s.enough >= 0.0 && search_hull(&s, of->point, &of->hull, room) < INFINITY;
    vp_release(&d->allocator, room, of->hull.vertex_count, sizeof *room);
    vp_release(&d->allocator, plane, planes + 1, sizeof *plane);
    return status;
}

vp_status vp_decompose_link_is_close(const vp_decomposing *d, const vp_decompose_link *link, const vp_decompose_union *both, bool *out,
                                     vp_error *error)
{
    vp_decompose_union former[2] = {{0}, {0}};
    vp_status status = vp_decompose_unite(d, link->node[0], VP_DECOMPOSE_NONE, &former[0], error);
    if (status == VP_OK)
        status = vp_decompose_unite(d, link->node[1], VP_DECOMPOSE_NONE, &former[1], error);
    if (status == VP_OK && vp_decompose_is_close(d, both, former, 2, out) != VP_OK)
        status = vp_fail(error, VP_E_MEMORY, "no memory for the reach of a hull");
    vp_decompose_drop_union(d, &former[0]);
    vp_decompose_drop_union(d, &former[1]);
    return status;
}

/* ---- certificates ---- */

typedef struct certified_hulls {
    const vp_decomposing *d;
    vp_decomposition *out;
    piece_corner *room; /* [out->point_capacity] */
} certified_hulls;

/* Lowers the upper bound of a hull from the limit, which was proven when the hull was made. Cuts the piece with the largest bound. Sets -1
 * without memory. */
static void certify_hull(void *argument, uint32_t i)
{
    const certified_hulls *c = argument;
    vp_decomposition_hull *hull = &c->out->hull[i];
    const int corners = (int)hull->hull.dimension + 1;
    const double limit = c->d->lengths.concavity, moved = find_moved(c->d, hull->point, hull->point_count, &hull->hull);
    const size_t room = (size_t)hull->hull.triangle_count + MOST_CERTIFIED + 1;
    bound_search s = begin_search(c->d, limit / 16, limit / 1024, MOST_CERTIFIED);
    s.known = limit;
    s.heap = vp_allocate(&c->d->allocator, room, sizeof *s.heap);
    hull->reach = -1.0;
    if (s.heap == NULL)
        return;
    search_hull(&s, hull->point, &hull->hull, c->room + (hull->point - c->out->point));
    for (; s.waiting != 0; s.pieces++) {
        s.enough = s.found + limit / 16;
        s.known = s.heap[0].bound;
        if (s.pieces == s.most || s.known <= s.enough) {
            s.bound = vp_double_max(s.bound, s.known);
            break;
        }
        const waiting_piece p = pop_piece(&s);
        cut_piece(&s, p.corner, corners, &p.middle);
    }
    hull->reach = vp_double_min(s.bound + moved, limit);
    vp_release(&c->d->allocator, s.heap, room, sizeof *s.heap);
}

vp_status vp_decompose_certify(const vp_decomposing *d, vp_decomposition *out, vp_error *error)
{
    const vp_executor executor = vp_executor_or_serial(d->def->executor);
    certified_hulls c = {d, out, vp_allocate(&d->allocator, out->point_capacity, sizeof *c.room)};
    if (c.room == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the reach of %u hulls", out->hull_count);
    executor.parallel_for(executor.user, out->hull_count, certify_hull, &c);
    vp_release(&d->allocator, c.room, out->point_capacity, sizeof *c.room);
    for (uint32_t i = 0; i < out->hull_count; i++)
        if (out->hull[i].reach < 0.0)
            return vp_fail(error, VP_E_MEMORY, "no memory for the reach of a hull");
    return VP_OK;
}
