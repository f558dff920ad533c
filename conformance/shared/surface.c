/* SPDX-License-Identifier: MIT */
/* Checks surfaces around cells in double, from the question and the answer alone.
 *
 * The cells are those of the grid and a layer of air around it. The first check is which centres are inside. The second looks between
 * centres. Along each line of centres the surface must be crossed outward and inward in turn, and never between two neighbours on the same
 * side. Surface nets, marching cubes and cubes all satisfy this. */
#include "conformance/shared/shared.h"

#include <math.h>
#include <stdlib.h>

#include "src/core/error.h"
#include "src/core/real3.h"

/* ---- cells ---- */

static bool is_inside(const vp_query_grid *q, int64_t x, int64_t y, int64_t z)
{
    const size_t cell = vp_grid_number(q, x, y, z);
    return cell != SIZE_MAX && q->full[cell] >= 128;
}

static bool is_near(const vp_query_grid *q, int64_t x, int64_t y, int64_t z)
{
    for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dz = -1; dz <= 1; dz++)
            for (int64_t dx = -1; dx <= 1; dx++)
                if (is_inside(q, x + dx, y + dy, z + dz))
                    return true;
    return false;
}

/* Whether a vertex lies in or on a cell that is inside, or on one of its 26 neighbours. */
static bool stays_near(const vp_query_grid *q, vp_vec3 v)
{
    const double at[3] = {(double)v.x, (double)v.y, (double)v.z};
    int64_t cell[3];
    for (int k = 0; k < 3; k++) {
        if (!(fabs(at[k]) < 1e6))
            return false;
        cell[k] = (int64_t)floor(at[k]);
    }
    for (int side = 0; side < 8; side++) {
        int64_t of[3];
        bool touches = true;
        for (int k = 0; k < 3; k++) {
            const bool lower = (side >> k & 1) != 0;
            touches = touches && (!lower || at[k] == (double)cell[k]);
            of[k] = cell[k] - (lower ? 1 : 0);
        }
        if (touches && is_near(q, of[0], of[1], of[2]))
            return true;
    }
    return false;
}

/* ---- solid angles ---- */

/* The solid angle of a triangle seen from a point, as a part of the whole sphere, positive from its back. After Van Oosterom and Strackee,
 * "The Solid Angle of a Plane Triangle" (1983). */
static double solid_angle(vp_real3 a, vp_real3 b, vp_real3 c)
{
    const double la = vp_real3_length(a), lb = vp_real3_length(b), lc = vp_real3_length(c);
    const double ab = vp_real3_dot(a, b), bc = vp_real3_dot(b, c), ca = vp_real3_dot(c, a);
    return atan2(vp_real3_dot(a, vp_real3_cross(b, c)), la * lb * lc + ab * lc + bc * la + ca * lb) / (2.0 * 3.14159265358979323846);
}

/* The winding number of a closed surface around a point: 1 inside, 0 outside. */
static double windings(const vp_answer *answer, vp_real3 place)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < answer->count; t++) {
        vp_real3 corner[3];
        for (int c = 0; c < 3; c++)
            corner[c] = vp_real3_sub(vp_real3_of(answer->vertex[answer->number[(size_t)t * 3 + (size_t)c]]), place);
        sum += solid_angle(corner[0], corner[1], corner[2]);
    }
    return sum;
}

/* ---- lines of centres ---- */

/* Offsets of the lines from the centres. They are no multiple of usual coordinates, because triangles have edges through
 * the centres themselves. */
static const double beside[2] = {0x1.3c6ef37p-16, 0x1.879b1c5p-17};

/* Within this distance of a centre the solid angle decides, and no surface counts as between centres. Vertices of cells that are about half
 * full lie there. */
#define NEAR 0x1p-6
/* Sheets within this distance are in one place. */
#define ONE_PLACE 1e-9

/* Where a line of centres crosses a triangle. */
typedef struct line_crossing {
    double at;
    int way; /* 1 = from outside to inside */
    uint32_t part;
} line_crossing;

/* A line along an axis, at cell (u, v) across it. */
typedef struct line {
    const vp_query_grid *q;
    const vp_answer *answer;
    int axis, u, v; /* axes */
    int64_t cell_u, cell_v;
    line_crossing *crossing;
    size_t crossings;
} line;

static int32_t extent_of(const vp_query_grid *q, int axis)
{
    return (int32_t)(axis == 0 ? q->extents.x : axis == 1 ? q->extents.y : q->extents.z);
}

static double coordinate(vp_vec3 p, int axis)
{
    return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

static bool line_inside(const line *l, int64_t i)
{
    int64_t cell[3];
    cell[l->axis] = i;
    cell[l->u] = l->cell_u;
    cell[l->v] = l->cell_v;
    return is_inside(l->q, cell[0], cell[1], cell[2]);
}

/* A point on the line at a coordinate. */
static vp_real3 place_on(const line *l, double at)
{
    double place[3];
    place[l->axis] = at;
    place[l->u] = (double)l->cell_u + 0.5;
    place[l->v] = (double)l->cell_v + 0.5;
    return (vp_real3){place[0], place[1], place[2]};
}

static int by_crossing(const void *a, const void *b)
{
    const line_crossing *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The side of an edge on which the line lies, seen along the axis. Both triangles of an edge get the same result. */
static int side_of(const vp_shell *s, const line *l, uint32_t from, uint32_t to, const double at[2])
{
    const vp_vec3 a = s->place[from < to ? from : to], b = s->place[from < to ? to : from];
    const double au = coordinate(a, l->u), av = coordinate(a, l->v);
    const double turn = (coordinate(b, l->u) - au) * (at[1] - av) - (coordinate(b, l->v) - av) * (at[0] - au);
    return (turn >= 0.0) == (from < to) ? 1 : -1;
}

static void cross_triangle(const vp_shell *s, line *l, uint32_t t, const double at[2])
{
    const uint32_t *c = s->corner[t];
    const vp_vec3 a = s->place[c[0]], b = s->place[c[1]], d = s->place[c[2]];
    const double pu[3] = {coordinate(a, l->u), coordinate(b, l->u), coordinate(d, l->u)},
                 pv[3] = {coordinate(a, l->v), coordinate(b, l->v), coordinate(d, l->v)};
    if (fmin(pu[0], fmin(pu[1], pu[2])) > at[0] || fmax(pu[0], fmax(pu[1], pu[2])) < at[0] || fmin(pv[0], fmin(pv[1], pv[2])) > at[1] ||
        fmax(pv[0], fmax(pv[1], pv[2])) < at[1])
        return;
    const int side = side_of(s, l, c[0], c[1], at);
    if (side_of(s, l, c[1], c[2], at) != side || side_of(s, l, c[2], c[0], at) != side)
        return;
    /* interpolate the coordinate along the line from the projected areas */
    const double whole = (pu[1] - pu[0]) * (pv[2] - pv[0]) - (pv[1] - pv[0]) * (pu[2] - pu[0]);
    const double of_b = ((at[0] - pu[0]) * (pv[2] - pv[0]) - (at[1] - pv[0]) * (pu[2] - pu[0])) / whole;
    const double of_d = ((pu[1] - pu[0]) * (at[1] - pv[0]) - (pv[1] - pv[0]) * (at[0] - pu[0])) / whole;
    const double place = coordinate(a, l->axis) + of_b * (coordinate(b, l->axis) - coordinate(a, l->axis)) +
                         of_d * (coordinate(d, l->axis) - coordinate(a, l->axis));
    l->crossing[l->crossings++] = (line_crossing){place, -side, s->part[t]};
}

static void cross_all(const vp_shell *s, line *l)
{
    const double at[2] = {(double)l->cell_u + 0.5 + beside[0], (double)l->cell_v + 0.5 + beside[1]};
    l->crossings = 0;
    for (uint32_t t = 0; t < s->triangles; t++)
        cross_triangle(s, l, t, at);
    if (l->crossings > 1)
        qsort(l->crossing, l->crossings, sizeof *l->crossing, by_crossing);
}

static void say_line(const line *l, double at, const char *what, char reason[VP_REASON_BYTES])
{
    const vp_real3 place = place_on(l, at);
    vp_reason_say(reason, "near %.6g %.6g %.6g %s", place.x, place.y, place.z, what);
}

/* Checks that crossings are outward and inward in turn. Sheets in one place may come in any order. */
static void check_turns(const line *l, char reason[VP_REASON_BYTES])
{
    int around = 0;
    for (size_t i = 0; i < l->crossings && reason[0] == '\0'; i++) {
        around += l->crossing[i].way;
        if (around < 0 || around > 1)
            say_line(l, l->crossing[i].at, "the surface crosses itself, or a part of it is in another", reason);
        else if (i > 0 && l->crossing[i].at - l->crossing[i - 1].at <= ONE_PLACE)
            say_line(l, l->crossing[i].at, "there are two sheets of the surface in one place", reason);
    }
}

/* Checks that a centre is on its side of the surface. */
static void check_centre(const line *l, int64_t i, int around, bool is_near_surface, char reason[VP_REASON_BYTES])
{
    const int wanted = line_inside(l, i) ? 1 : 0;
    const vp_real3 centre = place_on(l, (double)i + 0.5);
    if (around == wanted && !is_near_surface)
        return;
    const double found = windings(l->answer, centre);
    if (!(fabs(found - wanted) < 0.25))
        vp_reason_say(reason, "the surface goes around the centre of cell %g %g %g %.2f times, and not %d", centre.x - 0.5, centre.y - 0.5,
                      centre.z - 0.5, found, wanted);
}

/* Walks along a line from centre to centre. Checks that each is on its side, and that no surface is between two on the same side. Sets
 * `holds` for parts that surround one of their centres, an inner one for outward parts and an outer one for inward parts. */
static void check_line(const line *l, int64_t *around_part, bool *holds, char reason[VP_REASON_BYTES])
{
    int around = 0;
    size_t next = 0;
    for (int64_t i = -1; i <= extent_of(l->q, l->axis) && reason[0] == '\0'; i++) {
        const double centre = (double)i + 0.5;
        const bool inside = line_inside(l, i);
        const bool alike = i >= 0 && line_inside(l, i - 1) == inside;
        int middle = around; /* halfway from the previous centre */
        for (; next < l->crossings && l->crossing[next].at < centre; next++) {
            const line_crossing *c = &l->crossing[next];
            around += c->way;
            around_part[c->part] += c->way;
            middle = c->at < centre - 0.5 ? around : middle;
            if (alike && c->at > centre - 1.0 + NEAR && c->at < centre - NEAR) {
                say_line(l, c->at,
                         inside ? "the surface is between two cells that are inside" : "the surface is between two cells that are outside",
                         reason);
                return;
            }
        }
        if (alike && middle != (inside ? 1 : 0)) {
            say_line(l, centre - 0.5,
                     inside ? "it is outside, between two cells that are inside" : "it is inside, between two cells that are outside",
                     reason);
            return;
        }
        const bool is_near_surface =
            (next > 0 && l->crossing[next - 1].at > centre - NEAR) || (next < l->crossings && l->crossing[next].at < centre + NEAR);
        check_centre(l, i, around, is_near_surface, reason);
        for (size_t c = 0; c < l->crossings; c++)
            holds[l->crossing[c].part] = holds[l->crossing[c].part] || around_part[l->crossing[c].part] == (inside ? 1 : -1);
    }
    for (size_t c = 0; c < l->crossings; c++)
        around_part[l->crossing[c].part] = 0;
}

static void check_lines(const vp_query_grid *q, const vp_answer *answer, const vp_shell *s, line_crossing *crossings, int64_t *around_part,
                        bool *holds, char reason[VP_REASON_BYTES])
{
    for (int axis = 0; axis < 3; axis++) {
        line l = {.q = q, .answer = answer, .axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3, .crossing = crossings};
        for (l.cell_u = -1; l.cell_u <= extent_of(q, l.u); l.cell_u++)
            for (l.cell_v = -1; l.cell_v <= extent_of(q, l.v); l.cell_v++) {
                cross_all(s, &l);
                check_line(&l, around_part, holds, reason);
                if (reason[0] == '\0')
                    check_turns(&l, reason);
                if (reason[0] != '\0')
                    return;
            }
    }
    for (uint32_t t = 0; t < s->triangles; t++)
        if (!holds[s->part[t]]) {
            const vp_vec3 v = s->place[s->corner[t][0]];
            vp_reason_say(reason,
                          "a part of the surface, at %.6g %.6g %.6g, goes around the centre of no cell that "
                          "is to be on that side of it",
                          (double)v.x, (double)v.y, (double)v.z);
            return;
        }
}

/* ---- the checker ---- */

enum { TRIANGLES_A_CELL = 64 };

static vp_status check_shell(const vp_query_grid *q, const vp_answer *answer, const vp_shell *s, char reason[VP_REASON_BYTES],
                             vp_error *error)
{
    line_crossing *crossings = malloc(((size_t)s->triangles + 1) * sizeof *crossings);
    int64_t *around_part = calloc((size_t)s->parts + 1, sizeof *around_part);
    bool *holds = calloc((size_t)s->parts + 1, sizeof *holds);
    vp_status status = VP_OK;
    if (crossings == NULL || around_part == NULL || holds == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", s->triangles);
    else
        check_lines(q, answer, s, crossings, around_part, holds, reason);
    free(crossings);
    free(around_part);
    free(holds);
    return status;
}

vp_status vp_check_surface(const vp_query_grid *q, const vp_answer *answer, char reason[VP_REASON_BYTES], vp_error *error)
{
    const size_t cells = vp_grid_cells(q);
    if (answer->count > cells * TRIANGLES_A_CELL) {
        vp_reason_say(reason, "%u triangles are more than a surface around %zu cells can need", answer->count, cells);
        return VP_OK;
    }
    for (size_t i = 0; i < (size_t)answer->count * 3; i++) {
        const vp_vec3 v = answer->vertex[answer->number[i]];
        if (!stays_near(q, v)) {
            vp_reason_say(reason, "vertex %u at %.9g %.9g %.9g is in no cell that is next to one that is inside", answer->number[i],
                          (double)v.x, (double)v.y, (double)v.z);
            return VP_OK;
        }
    }
    vp_shell s;
    vp_status status = vp_shell_make(answer->vertex, answer->vertices, answer->number, answer->count, true, &s, error);
    if (status == VP_OK)
        status = vp_shell_close(&s, reason, error);
    if (status == VP_OK && reason[0] == '\0')
        status = check_shell(q, answer, &s, reason, error);
    vp_shell_drop(&s);
    return status;
}
