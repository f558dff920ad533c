/* SPDX-License-Identifier: MIT */
/* Reach of hulls: the largest distance of a hull's points from the solid, which is the inside of closed shells and all triangles.
 *
 * A hull of dimension 3 is the union of tetrahedra from one of its points to its triangles. A flat hull is the union of its triangles,
 * and one of dimension 1 is a segment. Each of these pieces is cut in two at its longest edge until an upper bound of its reach is small
 * enough. A piece with all corners in one hull that was tested before has at most that hull's bound. For any other piece, let c be its
 * middle, d the distance of c from a triangle near it, and r the distance of the farthest corner from c. The least of these bounds holds:
 * 1. d + r, because the distance changes by no more than a point moves.
 * 2. The largest distance of a corner from that triangle, because the distance from a triangle is convex.
 * 3. If c is inside the solid, r.
 * 4. If c is inside the solid, the largest distance of a corner from the part of the piece that is on c's side of the plane of every
 *    triangle that crosses the piece. That part is convex and holds c, and no triangle crosses it, so it is inside too.
 *    Distances are measured along segments to c and to corners in that part. */
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/piece.h"

enum { MOST_TESTED = 1 << 16, MOST_EXITS = 3 };           /* pieces of a hull that are cut, and cuts at exits in a row */
enum { FEW_CERTIFIED = 3 << 6, MOST_CERTIFIED = 3 << 8 }; /* pieces that are cut. More than few only if that lowers the bound */
enum { MOST_LISTED = 1 << 8, TESTED_LIST = 1 << 12, CERTIFIED_LIST = 1 << 16 }; /* triangles */

/* ---- the search ---- */

/* The middle of a piece. */
typedef struct piece_middle {
    double at[3];
    double away;       /* from `near` */
    uint32_t near;     /* a triangle that is near, or VP_DECOMPOSE_NONE */
    double apart[4];   /* of the corners from it. NAN = not known. Above `known` it may be too large */
    uint32_t triangle; /* whose plane is tried first, or VP_DECOMPOSE_NONE */
    bool is_known;     /* the winding number around some point of a piece that holds this one */
    double known[3];   /* this point */
    int32_t winds;
    uint32_t list, listed; /* triangles of closed shells in a box of the piece and `known`. `listed` is VP_DECOMPOSE_NONE if not known */
    uint32_t exits;        /* pieces that it was cut from in a row at the exit from a tested hull */
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
    uint32_t near; /* of the last piece, or VP_DECOMPOSE_NONE */
    vp_decompose_tested tested[2];
    uint32_t last[2];
    uint32_t *list; /* of pieces. [list_room] */
    uint32_t listed, list_room;
} bound_search;

/* @param last  plane that the last corner outside was above. Tested first */
static bool is_in(const vp_decompose_tested *hull, const double p[3], double slack, uint32_t *last)
{
    if (vp_dot(hull->plane[*last], p) - hull->plane[*last][3] > slack)
        return false;
    for (uint32_t i = 0; i < hull->planes; i++)
        if (vp_dot(hull->plane[i], p) - hull->plane[i][3] > slack) {
            *last = i;
            return false;
        }
    return true;
}

/* @param owners  a bit for each tested hull that has it as a vertex. The others are tested */
static void set_tested(bound_search *s, piece_corner *corner, uint32_t owners)
{
    corner->tested = 0;
    for (uint32_t h = 0; h < 2; h++)
        if (s->tested[h].planes != 0 && ((owners >> h & 1) != 0 || is_in(&s->tested[h], corner->at, s->slack, &s->last[h]))) {
            corner->tested |= 1u << h;
            corner->reach[h] = s->tested[h].reach + fabs(vp_dot(s->tested[h].level, corner->at) - s->tested[h].level[3]);
        }
}

static void set_box(const piece_corner *corner, int corners, double low[3], double high[3])
{
    memcpy(low, corner[0].at, sizeof corner[0].at);
    memcpy(high, corner[0].at, sizeof corner[0].at);
    for (int i = 1; i < corners; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = vp_double_min(low[k], corner[i].at[k]);
            high[k] = vp_double_max(high[k], corner[i].at[k]);
        }
}

/* Bound 4, for a tetrahedron whose middle is inside. Stops when it is too large. Begins with the middle's triangle, which becomes the one
 * with the largest bound, because that often bounds the next piece too. */
static double bound_by_planes(bound_search *s, const piece_corner *corner, const double side[4][4], piece_middle *m)
{
    vp_decompose_walk walk = {0};
    part_inside part;
    part.corner = corner;
    part.middle = m->at;
    part.is_measured = false;
    memset(part.holds, true, sizeof part.holds);
    const uint32_t first = m->triangle;
    uint32_t kept = 0, i = 0;
    double most = 0.0;
    if (first != VP_DECOMPOSE_NONE)
        vp_decompose_cut_part(s->d, &part, side, first, &most);
    if (m->listed == VP_DECOMPOSE_NONE)
        set_box(corner, 4, walk.low, walk.high);
    for (; most <= s->known; i++) {
        const uint32_t t = m->listed == VP_DECOMPOSE_NONE ? vp_decompose_next_triangle(s->d, &walk)
                           : i < m->listed                ? s->list[m->list + i]
                                                          : VP_DECOMPOSE_NONE;
        double bound = most;
        if (t == VP_DECOMPOSE_NONE)
            break;
        const bool may_cross = t == first || vp_decompose_cut_part(s->d, &part, side, t, &bound);
        if (m->listed != VP_DECOMPOSE_NONE) { /* others do not cross parts of the piece either */
            s->list[m->list + kept] = t;
            kept += may_cross;
        }
        if (bound > most) {
            most = bound;
            m->triangle = t;
        }
    }
    if (m->listed != VP_DECOMPOSE_NONE) {
        memmove(s->list + m->list + kept, s->list + m->list + i, (m->listed - i) * sizeof *s->list);
        m->listed -= i - kept;
        s->listed = m->list + m->listed; /* the list is the last one */
    }
    return most;
}

/* Bound 2. */
static double bound_by_near(const bound_search *s, const piece_corner *corner, int corners, piece_middle *m)
{
    double farthest = m->near != VP_DECOMPOSE_NONE ? 0.0 : INFINITY;
    for (int i = 0; i < corners; i++)
        farthest = m->apart[i] > farthest ? m->apart[i] : farthest;
    for (int i = 0; i < corners && farthest <= s->known; i++) {
        if (isnan(m->apart[i]))
            m->apart[i] = vp_decompose_distance_to_triangle(s->d, m->near, corner[i].at, s->known);
        farthest = vp_double_max(farthest, m->apart[i]);
    }
    return farthest;
}

static void set_near(piece_middle *m, uint32_t triangle)
{
    m->near = triangle;
    for (int i = 0; i < 4; i++)
        m->apart[i] = NAN;
}

/* Finds a triangle near a point, and the nearest one if no other is closer than a limit. Neighbours of a near one are tried first, because
 * the whole tree takes longer. @param near  a triangle that may be near. Receives the one found  @return its distance */
static double find_near(bound_search *s, const double p[3], double limit, uint32_t *near)
{
    if (*near == VP_DECOMPOSE_NONE)
        *near = s->near;
    double away = *near != VP_DECOMPOSE_NONE ? vp_decompose_walk_nearer(s->d, p, near) : INFINITY;
    if (away > limit)
        vp_decompose_find_nearest(s->d, p, limit, &away, near);
    s->near = *near;
    return away;
}

/* Lists the triangles of closed shells in a box. @param m  its list, if any, becomes this one */
static void list_crossing(bound_search *s, const double low[3], const double high[3], piece_middle *m)
{
    vp_decompose_walk walk = {.low = {low[0], low[1], low[2]}, .high = {high[0], high[1], high[2]}};
    const vp_decompose_span box = vp_decompose_set_span(low, high);
    const uint32_t from = m->list, listed = m->listed;
    m->list = s->listed;
    for (uint32_t i = 0; s->listed < s->list_room; i++) {
        const uint32_t t = listed == VP_DECOMPOSE_NONE ? vp_decompose_next_triangle(s->d, &walk)
                           : i < listed                ? s->list[from + i]
                                                       : VP_DECOMPOSE_NONE;
        if (t == VP_DECOMPOSE_NONE) {
            m->listed = s->listed - m->list;
            return;
        }
        s->list[s->listed] = t;
        s->listed += vp_decompose_meets(&s->d->face[t], &box);
    }
    s->listed = m->list; /* no room */
    m->listed = VP_DECOMPOSE_NONE;
}

/* The winding number around the middle of a piece. */
static int32_t find_winds(bound_search *s, const piece_corner *corner, int corners, piece_middle *m)
{
    const uint32_t *list = m->listed != VP_DECOMPOSE_NONE ? s->list + m->list : NULL;
    double low[3], high[3];
    m->winds = m->is_known ? vp_decompose_wind_from(s->d, m->known, m->winds, m->at, list, m->listed) : vp_decompose_wind(s->d, m->at);
    set_box(corner, corners, low, high);
    list_crossing(s, low, high, m);
    m->is_known = true;
    memcpy(m->known, m->at, sizeof m->at);
    return m->winds;
}

/* Bounds the reach of a piece, without cutting it. A bound above `known` may be too low. @param radius  r  @param m  its triangles may be
 * near. Receives nearer ones */
static double bound_piece(bound_search *s, const piece_corner *corner, int corners, double radius, piece_middle *m)
{
    double bound = bound_by_near(s, corner, corners, m), side[4][4];
    if (bound <= s->enough)
        return bound;
    const bool is_outside = s->d->solid.boxes == 0 || (m->is_known && m->listed == 0 && m->winds <= 0);
    /* a point on the surface is neither inside nor outside, and bound 4 is infinite if a triangle crosses the middle */
    const bool is_thick = !is_outside && corners == 4 && vp_decompose_set_sides(corner, side) > 64 * s->slack;
    if (is_thick && find_winds(s, corner, corners, m) > 0) {
        bound = vp_double_min(bound, radius);
        return bound <= s->enough ? bound : vp_double_min(bound, bound_by_planes(s, corner, (const double(*)[4])side, m));
    }
    /* nearly the least pieces end the search, so they need the nearest triangle */
    uint32_t near = m->near;
    m->away = find_near(s, m->at, radius < 4 * s->least ? s->enough - radius : s->heap != NULL ? s->found : s->enough, &near);
    m->triangle = near;
    bound = vp_double_min(bound, m->away + radius);
    if (bound <= s->enough)
        return bound;
    if (m->near != near) {
        set_near(m, near);
        bound = vp_double_min(bound, bound_by_near(s, corner, corners, m));
    }
    if (bound <= s->enough || m->away <= 16 * s->slack)
        return bound;
    if (!is_thick && !is_outside) {
        m->listed = VP_DECOMPOSE_NONE; /* lists are for points that are not near a side of a piece */
        if (find_winds(s, corner, corners, m) > 0)
            return vp_double_min(bound, radius);
    }
    s->found = vp_double_max(s->found, m->away);
    return bound;
}

static void search_piece(bound_search *s, const piece_corner *corner, int corners, const piece_middle *whole);

/* Which part of a segment from a point in a tested hull is in it. */
static double find_exit(const vp_decompose_tested *hull, const double in[3], const double out[3])
{
    double part = 1.0;
    for (uint32_t i = 0; i < hull->planes; i++) {
        const double above = vp_dot(hull->plane[i], out) - hull->plane[i][3], below = hull->plane[i][3] - vp_dot(hull->plane[i], in);
        if (above > 0.0)
            part = vp_double_min(part, vp_double_max(below, 0.0) / (vp_double_max(below, 0.0) + above));
    }
    return part;
}

/* The diagonal of a triangle's box. */
static double size_of(const vp_decompose_face *f)
{
    const double side[3] = {(double)f->high[0] - (double)f->low[0], (double)f->high[1] - (double)f->low[1],
                            (double)f->high[2] - (double)f->low[2]};
    return sqrt(vp_dot(side, side));
}

static void cut_piece(bound_search *s, const piece_corner *corner, int corners, const piece_middle *middle)
{
    double longest = -1.0;
    int end[2] = {0, 1};
    for (int i = 0; i < corners; i++)
        for (int k = i + 1; k < corners; k++) {
            const double side = vp_decompose_square_apart(corner[i].at, corner[k].at);
            if (side > longest) {
                longest = side;
                end[0] = i;
                end[1] = k;
            }
        }
    /* the part in a tested hull needs no bound, so the longest edge that leaves one is cut there */
    double part = 0.5;
    const double whole_longest = longest;
    longest = -1.0;
    for (int i = 0; i < corners && corners < 4 && middle->exits < MOST_EXITS; i++)
        for (int k = 0; k < corners; k++)
            for (uint32_t h = 0; h < 2; h++) {
                if ((corner[i].tested & ~corner[k].tested & 1u << h) == 0)
                    continue;
                const double side = vp_decompose_square_apart(corner[i].at, corner[k].at);
                const double in = side > longest ? find_exit(&s->tested[h], corner[i].at, corner[k].at) : 0.0;
                if (in < 1.0 / 16 || in > 15.0 / 16)
                    continue;
                longest = side;
                part = in;
                end[0] = i;
                end[1] = k;
            }
    const vp_decompose_face *face = s->heap != NULL && middle->is_known && middle->winds > 0 && middle->triangle != VP_DECOMPOSE_NONE
                                        ? &s->d->face[middle->triangle]
                                        : NULL;
    if (face != NULL && middle->exits < MOST_EXITS && size_of(face) >= 2 * sqrt(whole_longest)) {
        double above[4]; /* of a large triangle's plane. The distance beyond it is often convex */
        for (int i = 0; i < corners; i++)
            above[i] = vp_dot(face->plane, corner[i].at) - face->plane[3];
        for (int i = 0; i < corners; i++)
            for (int k = 0; k < corners; k++) {
                const double in = above[i] > 0.0 && above[k] < 0.0 ? above[i] / (above[i] - above[k]) : 0.0;
                const double side = in >= 0.2 && in <= 0.8 ? vp_decompose_square_apart(corner[i].at, corner[k].at) : -1.0;
                if (side <= longest)
                    continue;
                longest = side;
                part = in;
                end[0] = i;
                end[1] = k;
            }
    }
    piece_middle whole = *middle;
    whole.exits = longest >= 0.0 ? whole.exits + 1 : 0;
    piece_corner half[4], cut;
    for (int k = 0; k < 3; k++)
        cut.at[k] = corner[end[0]].at[k] + part * (corner[end[1]].at[k] - corner[end[0]].at[k]);
    set_tested(s, &cut, 0);
    for (int side = 0; side < 2; side++) {
        memcpy(half, corner, (size_t)corners * sizeof *half);
        half[end[side]] = cut;
        memcpy(whole.apart, middle->apart, sizeof whole.apart);
        whole.apart[end[side]] = NAN;
        search_piece(s, half, corners, &whole);
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

/* Whether a piece is in a tested hull whose bound is small enough. */
static bool is_tested(bound_search *s, const piece_corner *corner, int corners)
{
    double reach[2] = {0.0, 0.0};
    uint32_t tested = 3;
    for (int i = 0; i < corners && tested != 0; i++) {
        tested &= corner[i].tested;
        for (int h = 0; h < 2; h++)
            reach[h] = tested >> h & 1 ? vp_double_max(reach[h], corner[i].reach[h]) : INFINITY;
    }
    const double bound = tested != 0 ? vp_double_min(reach[0], reach[1]) : INFINITY;
    if (bound <= s->enough)
        s->bound = vp_double_max(s->bound, bound);
    return bound <= s->enough;
}

/* Bounds the reach of a piece, and cuts it if the bound is too large. @param whole  the middle of the piece that this one
 * was cut from */
static void search_piece(bound_search *s, const piece_corner *corner, int corners, const piece_middle *whole)
{
    if (s->bound == INFINITY || is_tested(s, corner, corners))
        return;
    piece_middle m = *whole;
    double radius = 0.0;
    const uint32_t listed = s->listed;
    m.at[0] = m.at[1] = m.at[2] = 0.0;
    for (int i = 0; i < corners; i++)
        for (int k = 0; k < 3; k++)
            m.at[k] += corner[i].at[k] / corners;
    for (int i = 0; i < corners; i++)
        radius = vp_double_max(radius, vp_decompose_apart(corner[i].at, m.at));
    const double bound = vp_double_min(bound_piece(s, corner, corners, radius, &m), s->heap != NULL ? s->known : INFINITY);
    if (s->heap != NULL && bound > s->enough && radius > s->least) {
        push_piece(s, corner, corners, bound, &m);
        return;
    }
    if (bound <= s->enough || s->heap != NULL)
        s->bound = vp_double_max(s->bound, bound);
    else if (s->found > s->enough || radius <= s->least || ++s->pieces > s->most)
        s->bound = INFINITY;
    else
        cut_piece(s, corner, corners, &m);
    s->listed = listed;
}

/* Sets the corners of a hull, and a point in both tested hulls, the mean of the vertices that they share.
 * @param vertex  of the points in the mesh. NULL = not known  @return false if they share none */
static bool set_corners(bound_search *s, const vp_vec3 *point, const uint32_t *vertex, uint32_t points, const vp_hull *hull,
                        piece_corner *room, piece_corner *shared)
{
    uint32_t count = 0, v = 0, at[2] = {0, 0};
    *shared = (piece_corner){.tested = 0};
    for (uint32_t i = 0; i < points; i++) {
        uint32_t owners = 0;
        double p[3];
        for (uint32_t h = 0; h < 2 && vertex != NULL; h++) {
            const vp_decompose_tested *tested = &s->tested[h];
            while (at[h] < tested->vertices && tested->vertex[at[h]] < vertex[i])
                at[h]++;
            owners |= (uint32_t)(at[h] < tested->vertices && tested->vertex[at[h]] == vertex[i]) << h;
        }
        vp_decompose_set_point(p, &point[i]);
        for (int k = 0; k < 3 && owners == 3; k++)
            shared->at[k] += p[k];
        count += owners == 3;
        if (v < hull->vertex_count && hull->vertex[v] == i) {
            memcpy(room[v].at, p, sizeof p);
            set_tested(s, &room[v++], owners);
        }
    }
    for (int k = 0; k < 3 && count != 0; k++)
        shared->at[k] /= count;
    set_tested(s, shared, 3);
    return count != 0;
}

/* Sets the middle of a hull, from which the winding numbers of its pieces follow. */
static void set_middle(bound_search *s, const vp_hull *hull, const piece_corner *corner, piece_middle *out)
{
    double low[3], high[3];
    set_box(corner, (int)hull->vertex_count, low, high);
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            out->known[k] += corner[v].at[k] / hull->vertex_count;
    list_crossing(s, low, high, out);
    out->is_known = out->listed < MOST_LISTED;
    out->winds = out->is_known ? vp_decompose_wind(s->d, out->known) : 0;
}

/* Whether the middle of an edge is too far outside the solid. It is often the farthest point, and takes less time than pieces. */
static bool is_edge_too_far(bound_search *s, const vp_hull *hull, const piece_corner *corner)
{
    uint32_t near = VP_DECOMPOSE_NONE;
    for (uint32_t i = 0; i < 3 * hull->triangle_count; i++) {
        const uint32_t *v = hull->triangle[i / 3];
        const piece_corner end[2] = {corner[v[i % 3]], corner[v[(i + 1) % 3]]};
        if (v[i % 3] > v[(i + 1) % 3] || is_tested(s, end, 2))
            continue;
        const double middle[3] = {(end[0].at[0] + end[1].at[0]) / 2, (end[0].at[1] + end[1].at[1]) / 2, (end[0].at[2] + end[1].at[2]) / 2};
        if (find_near(s, middle, s->enough, &near) > s->enough && vp_decompose_wind(s->d, middle) <= 0)
            return true;
    }
    return false;
}

/* Bounds the reach of a hull of dimension 3, as the union of tetrahedra from a point to its triangles. A point in both tested hulls or a
 * vertex may need far fewer pieces than the other. @param shared  such a point, or NULL */
static void search_solid(bound_search *s, const vp_hull *hull, const piece_corner *corner, const piece_corner *shared)
{
    const uint32_t all = s->most, most[4] = {4, 64 * hull->triangle_count, 512, all};
    piece_middle whole = {.near = VP_DECOMPOSE_NONE, .triangle = VP_DECOMPOSE_NONE, .listed = VP_DECOMPOSE_NONE};
    bool is_set = false;
    for (int i = shared != NULL ? 0 : 3; i < 4; i = s->pieces <= s->most ? 4 : i + 1) {
        const piece_corner *apex = shared != NULL && i % 2 == 1 ? shared : &corner[0];
        s->bound = i == 1 && is_edge_too_far(s, hull, corner) ? INFINITY : 0.0;
        s->pieces = 0;
        s->most = most[i];
        for (uint32_t t = 0; t < hull->triangle_count && s->bound < INFINITY; t++) {
            const uint32_t *v = hull->triangle[t];
            const piece_corner piece[4] = {corner[v[0]], corner[v[1]], corner[v[2]], *apex};
            if (apex == &corner[v[0]] || apex == &corner[v[1]] || apex == &corner[v[2]] || is_tested(s, piece, 4))
                continue;
            if (!is_set)
                set_middle(s, hull, corner, &whole);
            is_set = true;
            search_piece(s, piece, 4, &whole);
        }
    }
    s->most = all;
}

/* Bounds the reach of a hull. @param vertex  as in set_corners  @param room [hull->vertex_count]  @return at most `enough`, or INFINITY */
static double search_hull(bound_search *s, const vp_vec3 *point, const uint32_t *vertex, uint32_t points, const vp_hull *hull,
                          piece_corner *room)
{
    const piece_middle none = {.near = VP_DECOMPOSE_NONE, .triangle = VP_DECOMPOSE_NONE, .listed = VP_DECOMPOSE_NONE};
    piece_corner shared;
    const bool is_shared = set_corners(s, point, vertex, points, hull, room, &shared);
    if (hull->dimension == 3)
        search_solid(s, hull, room, is_shared ? &shared : NULL);
    if (hull->dimension == 1)
        search_piece(s, room, 2, &none);
    for (uint32_t t = 0; t < hull->triangle_count && hull->dimension == 2 && s->bound < INFINITY; t++) {
        const uint32_t *v = hull->triangle[t];
        if (hull->face_of[t] == 0)
            search_piece(s, (const piece_corner[3]){room[v[0]], room[v[1]], room[v[2]]}, 3, &none);
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

/* Bound of how far the hull of all points reaches beyond the pieces, by its error and its thickness. */
static double find_left_out(const vp_decomposing *d, const vp_vec3 *point, uint32_t count, const vp_hull *hull)
{
    return vp_double_min(hull->error, d->lengths.quantization) + (hull->dimension < 3 ? find_thickness(point, count, hull) : 0.0);
}

/* Bound of how far the hull of the original points reaches beyond that of the joined ones. */
static double find_moved(const vp_decomposing *d)
{
    return d->mesh.input.joined != 0 ? d->lengths.quantization : 0.0;
}

static bound_search begin_search(const vp_decomposing *d, double enough, double least, uint32_t most)
{
    const double slack = d->slack;
    return (bound_search){.d = d,
                          .enough = enough,
                          .known = enough,
                          .least = vp_double_max(least, 64 * slack),
                          .slack = slack,
                          .near = VP_DECOMPOSE_NONE,
                          .most = most};
}

vp_status vp_decompose_is_close(const vp_decomposing *d, vp_decompose_union *of, const vp_decompose_tested *former, uint32_t formers,
                                bool *out)
{
    const double limit = d->lengths.concavity, left_out = find_left_out(d, of->point, of->vertices, &of->hull);
    bound_search s = begin_search(d, limit * (63.0 / 64) - (left_out + find_moved(d)), limit / 64, MOST_TESTED);
    uint32_t list[TESTED_LIST];
    piece_corner *room = vp_allocate(&d->allocator, of->hull.vertex_count, sizeof *room);
    s.list = list;
    s.list_room = TESTED_LIST;
    memcpy(s.tested, former, formers * sizeof *former);
    of->reach = room != NULL && s.enough >= 0.0
                    ? search_hull(&s, of->point, former[0].vertex != NULL ? of->vertex : NULL, of->vertices, &of->hull, room) + 2 * left_out
                    : INFINITY;
    *out = of->reach < INFINITY;
    vp_release(&d->allocator, room, of->hull.vertex_count, sizeof *room);
    return room != NULL ? VP_OK : VP_E_MEMORY;
}

vp_status vp_decompose_link_is_close(const vp_decomposing *d, const vp_decompose_link *link, vp_decompose_union *both, bool *out,
                                     vp_error *error)
{
    double plane[2][3][4];
    vp_decompose_tested former[2];
    for (int h = 0; h < 2; h++) {
        former[h] = d->node[link->node[h]].tested;
        if (former[h].plane == NULL)
            vp_decompose_set_tested_triangle(d, link->node[h], plane[h], &former[h]);
        former[h].vertex = d->node[link->node[h]].vertex;
        former[h].vertices = d->node[link->node[h]].vertices;
    }
    return vp_decompose_is_close(d, both, former, 2, out) == VP_OK ? VP_OK
                                                                   : vp_fail(error, VP_E_MEMORY, "no memory for the reach of a hull");
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
    const double limit = c->d->lengths.concavity,
                 moved = find_left_out(c->d, hull->point, hull->point_count, &hull->hull) + find_moved(c->d);
    const size_t room = (size_t)hull->hull.triangle_count + MOST_CERTIFIED + 1;
    bound_search s = begin_search(c->d, limit / 16, limit / 1024, FEW_CERTIFIED);
    s.known = limit;
    s.heap = vp_allocate(&c->d->allocator, room, sizeof *s.heap);
    s.list = vp_allocate(&c->d->allocator, CERTIFIED_LIST, sizeof *s.list);
    s.list_room = CERTIFIED_LIST;
    const bool has_room = s.heap != NULL && s.list != NULL;
    if (has_room)
        search_hull(&s, hull->point, NULL, hull->point_count, &hull->hull, c->room + (hull->point - c->out->point));
    double before = limit;
    for (; s.waiting != 0; s.pieces++) {
        s.enough = s.found + limit / 16;
        s.known = s.heap[0].bound;
        if (s.pieces == s.most && before - s.known >= limit / 32 && s.pieces < MOST_CERTIFIED) {
            before = s.known;
            s.most += FEW_CERTIFIED;
        }
        if (s.pieces == s.most || s.known <= s.enough) {
            s.bound = vp_double_max(s.bound, s.known);
            break;
        }
        const waiting_piece p = pop_piece(&s);
        cut_piece(&s, p.corner, corners, &p.middle);
    }
    hull->reach = has_room ? vp_double_min(s.bound + moved, limit) : -1.0;
    vp_release(&c->d->allocator, s.list, s.list_room, sizeof *s.list);
    vp_release(&c->d->allocator, s.heap, room, sizeof *s.heap);
}

vp_status vp_decompose_certify(vp_decomposing *d, vp_decomposition *out, vp_error *error)
{
    certified_hulls c = {d, out, vp_allocate(&d->allocator, out->point_capacity, sizeof *c.room)};
    if (c.room == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the reach of %u hulls", out->hull_count);
    vp_decompose_for(d, out->hull_count, certify_hull, &c, NULL);
    vp_release(&d->allocator, c.room, out->point_capacity, sizeof *c.room);
    for (uint32_t i = 0; i < out->hull_count; i++)
        if (out->hull[i].reach < 0.0)
            return vp_fail(error, VP_E_MEMORY, "no memory for the reach of a hull");
    return VP_OK;
}
