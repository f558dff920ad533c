/* SPDX-License-Identifier: MIT */
/* Checkers of properties: of what has many right answers, what all of them have in common. They compute in double, from the question
 * and the answer alone. */
#include "tools/check_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/hull.h>

#include "core/error.h"

/* The longest side of the points' box. */
static double extent_of(const vp_question *q)
{
    double extent = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < q->points; i++) {
            const double v = k == 0 ? (double)q->point[i].x : k == 1 ? (double)q->point[i].y : (double)q->point[i].z;
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        extent = high - low > extent ? high - low : extent;
    }
    return extent;
}

/* ---- closed surfaces ---- */

/* An edge of a triangle: from the lower of its ends or from the higher. */
typedef struct half_edge {
    uint32_t low, high;
    int32_t way;
} half_edge;

static int by_ends(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

/* Whether each edge is gone along as often one way as the other, or so often more one way. */
static vp_status check_closed(const uint32_t *corner, uint32_t triangles, int64_t more, char reason[VP_REASON_BYTES], vp_error *error)
{
    const size_t count = (size_t)triangles * 3;
    half_edge *edge = malloc((count + 1) * sizeof *edge);
    if (edge == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu edges", count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t from = corner[i], to = corner[i % 3 == 2 ? i - 2 : i + 1];
        edge[i] = from < to ? (half_edge){from, to, 1} : (half_edge){to, from, -1};
        if (from == to)
            edge[i].way = 0;
    }
    qsort(edge, count, sizeof *edge, by_ends);
    for (size_t i = 0; i < count && reason[0] == '\0';) {
        int64_t sum = 0;
        const half_edge first = edge[i];
        for (; i < count && edge[i].low == first.low && edge[i].high == first.high; i++)
            sum += edge[i].way;
        if (sum > more || sum < -more)
            vp_reason_say(reason, "the surface is open: the edge between vertices %u and %u is gone along %lld time%s more one way than the other", first.low,
                first.high, llabs((long long)sum), llabs((long long)sum) == 1 ? "" : "s");
    }
    free(edge);
    return VP_OK;
}

/* ---- hulls ---- */

/* Of points without a volume: a polygon with one side or with two, that has all corners. */
static vp_status check_flat(const vp_question *q, const vp_answer *answer, uint32_t dimension, const uint32_t *vertex, uint32_t vertices,
                            char reason[VP_REASON_BYTES], vp_error *error)
{
    if (dimension < 2) {
        vp_reason_say(reason, "triangles, of points that are on a line or in one place");
        return VP_OK;
    }
    const vp_status status = check_closed(answer->number, answer->count, 1, reason, error);
    for (uint32_t v = 0; status == VP_OK && v < vertices && reason[0] == '\0'; v++) {
        const vp_vec3 want = q->point[vertex[v]];
        bool found = false;
        for (size_t i = 0; i < (size_t)answer->count * 3 && !found; i++) {
            const vp_vec3 has = q->point[answer->number[i]];
            found = has.x == want.x && has.y == want.y && has.z == want.z;
        }
        if (!found)
            vp_reason_say(reason, "point %u is a corner of the polygon, and of no triangle", vertex[v]);
    }
    return status;
}

static void say_faults(const vp_hull_verdict *found, double extent, char reason[VP_REASON_BYTES])
{
    if ((found->faults & VP_HULL_OPEN) != 0)
        vp_reason_say(reason, "the surface is open: %u edges have no other side", found->open_edges);
    else if ((found->faults & VP_HULL_EULER) != 0)
        vp_reason_say(reason, "no one surface without handles: vertices - edges + triangles is %lld", (long long)found->euler);
    else if ((found->faults & VP_HULL_OUTSIDE) != 0)
        vp_reason_say(reason, "point %u is outside of triangle %u by %.3g of the extent", found->outside_point, found->outside_triangle, found->outside / extent);
    else if ((found->faults & VP_HULL_CONCAVE) != 0)
        vp_reason_say(reason, "there is a valley at triangle %u, %.3g of the extent deep", found->concave_triangle, found->concave / extent);
    else
        vp_reason_say(reason, "a corner is no point");
}

/* Triangles whose height is no more than this part of their length have no plane to speak of where corners are rounded. */
#define SLIVER 1e-5

/* What triangles enclose: tetrahedra from the first point. */
static double volume_of(const vp_vec3 *point, const uint32_t (*corner)[3], uint32_t triangles)
{
    double six = 0.0;
    for (uint32_t t = 0; t < triangles; t++) {
        double v[3][3];
        for (int c = 0; c < 3; c++) {
            const vp_vec3 p = point[corner[t][c]];
            v[c][0] = (double)p.x - (double)point[0].x;
            v[c][1] = (double)p.y - (double)point[0].y;
            v[c][2] = (double)p.z - (double)point[0].z;
        }
        six += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
               v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
    return six / 6.0;
}

/* How far planes may be moved changes the volume by that times the surface, which is at most six squares of the extent. */
#define SURFACE 6.0

vp_status vp_check_hull(const vp_question *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES], vp_error *error)
{
    if (answer->kind == VP_ANSWER_FLAT) {
        if (wanted->dimension == 3)
            vp_reason_say(reason, "called flat, and has a volume");
        return VP_OK;
    }
    if (answer->count == 0) {
        vp_reason_say(reason, "a hull of no triangles, that is not called flat");
        return VP_OK;
    }
    if (wanted->dimension < 3 && answer->kind == VP_ANSWER_MESH) {
        vp_reason_say(reason, "triangles with vertices of their own, of points that are flat");
        return VP_OK;
    }
    if (wanted->dimension < 3)
        return check_flat(q, answer, wanted->dimension, wanted->vertex, wanted->vertices, reason, error);
    const double extent = extent_of(q);
    const uint32_t own = answer->kind == VP_ANSWER_MESH ? answer->vertices : 0;
    vp_vec3 *point = malloc(((size_t)q->points + own) * sizeof *point); /* those of the question, and behind them the answer's */
    uint32_t (*corner)[3] = malloc((size_t)answer->count * sizeof *corner);
    vp_status status = VP_OK;
    if (point == NULL || corner == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u points", q->points + own);
    } else {
        memcpy(point, q->point, q->points * sizeof *point);
        for (uint32_t i = 0; i < own; i++)
            point[q->points + i] = answer->vertex[i];
        for (size_t i = 0; i < (size_t)answer->count * 3; i++)
            corner[i / 3][i % 3] = answer->number[i] + (own > 0 ? q->points : 0);
        const vp_hull_subject subject = {.point = point,
                                         .count = q->points + own,
                                         .triangle = (const uint32_t(*)[3])corner,
                                         .triangle_count = answer->count,
                                         .allowed = wanted->tolerance * extent,
                                         .sliver = SLIVER};
        vp_hull_verdict found;
        vp_error reason_why;
        status = vp_hull_validate(&subject, &found, &reason_why);
        if (status == VP_OK && found.faults != 0)
            say_faults(&found, extent, reason);
        const double volume = volume_of(point, (const uint32_t(*)[3])corner, answer->count);
        if (status == VP_OK && reason[0] == '\0' && !(fabs(volume - wanted->volume) <= wanted->tolerance * SURFACE * extent * extent * extent))
            vp_reason_say(reason, "it encloses %.6g, and the hull %.6g", volume, wanted->volume);
        if (status == VP_E_ARGUMENT) /* a vertex that is not finite */
            vp_reason_say(reason, "%.200s", reason_why.message);
        else if (status != VP_OK)
            vp_fail(error, status, "%.200s", reason_why.message);
        status = status == VP_E_ARGUMENT ? VP_OK : status;
    }
    free(point);
    free(corner);
    return status;
}

/* ---- surfaces around cells ---- */

static bool is_inside(const vp_question *q, int64_t x, int64_t y, int64_t z)
{
    if (x < 0 || y < 0 || z < 0 || x >= q->extents.x || y >= q->extents.y || z >= q->extents.z)
        return false;
    return q->full[((size_t)y * q->extents.z + (size_t)z) * q->extents.x + (size_t)x] >= 128;
}

static bool is_near(const vp_question *q, int64_t x, int64_t y, int64_t z)
{
    for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dz = -1; dz <= 1; dz++)
            for (int64_t dx = -1; dx <= 1; dx++)
                if (is_inside(q, x + dx, y + dy, z + dz))
                    return true;
    return false;
}

/* Whether a vertex lies in, or at a face of, a cell that is inside or has one that is among the 26 around it. */
static bool stays_near(const vp_question *q, vp_vec3 v)
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

/* The solid angle of a triangle as seen from a place, in parts of the whole sphere: positive from behind. After Van Oosterom and Strackee,
   "The Solid Angle of a Plane Triangle" (1983). */
static double solid_angle(const double a[3], const double b[3], const double c[3])
{
    const double la = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), lb = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    const double lc = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    const double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    const double ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2], bc = b[0] * c[0] + b[1] * c[1] + b[2] * c[2];
    const double ca = c[0] * a[0] + c[1] * a[1] + c[2] * a[2];
    return atan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb) / (2.0 * 3.14159265358979323846);
}

/* How often a closed surface goes around a place: 1 inside, 0 outside. */
static double windings(const vp_answer *answer, const double place[3])
{
    double sum = 0.0;
    for (uint32_t t = 0; t < answer->count; t++) {
        double corner[3][3];
        for (int c = 0; c < 3; c++) {
            const vp_vec3 v = answer->vertex[answer->number[(size_t)t * 3 + (size_t)c]];
            corner[c][0] = (double)v.x - place[0];
            corner[c][1] = (double)v.y - place[1];
            corner[c][2] = (double)v.z - place[2];
        }
        sum += solid_angle(corner[0], corner[1], corner[2]);
    }
    return sum;
}

/* A vertex and its number. */
typedef struct placed {
    vp_vec3 place;
    uint32_t number;
} placed;

static int by_place(const void *a, const void *b)
{
    const vp_vec3 x = ((const placed *)a)->place, y = ((const placed *)b)->place;
    if (x.x != y.x)
        return x.x < y.x ? -1 : 1;
    if (x.y != y.y)
        return x.y < y.y ? -1 : 1;
    return x.z < y.z ? -1 : x.z > y.z;
}

/* The corners of all triangles, where vertices in one place are one: who makes each face by itself closes a surface too. Free it. */
static uint32_t *weld(const vp_answer *answer)
{
    const size_t corners = (size_t)answer->count * 3;
    placed *sorted = malloc(((size_t)answer->vertices + 1) * sizeof *sorted);
    uint32_t *first = malloc(((size_t)answer->vertices + 1) * sizeof *first), *out = malloc((corners + 1) * sizeof *out);
    if (sorted == NULL || first == NULL || out == NULL) {
        free(out);
        out = NULL;
    } else {
        for (uint32_t i = 0; i < answer->vertices; i++)
            sorted[i] = (placed){answer->vertex[i], i};
        qsort(sorted, answer->vertices, sizeof *sorted, by_place);
        for (uint32_t i = 0; i < answer->vertices; i++)
            first[sorted[i].number] = i > 0 && by_place(&sorted[i - 1], &sorted[i]) == 0 ? first[sorted[i - 1].number] : sorted[i].number;
        for (size_t i = 0; i < corners; i++)
            out[i] = first[answer->number[i]];
    }
    free(sorted);
    free(first);
    return out;
}

enum { TRIANGLES_A_CELL = 64 };

vp_status vp_check_surface(const vp_question *q, const vp_answer *answer, char reason[VP_REASON_BYTES], vp_error *error)
{
    const size_t cells = vp_question_cells(q);
    if (answer->count > cells * TRIANGLES_A_CELL) {
        vp_reason_say(reason, "%u triangles are more than a surface around %zu cells can need", answer->count, cells);
        return VP_OK;
    }
    for (size_t i = 0; i < (size_t)answer->count * 3; i++) {
        const vp_vec3 v = answer->vertex[answer->number[i]];
        if (!stays_near(q, v)) {
            vp_reason_say(reason, "vertex %u at %.9g %.9g %.9g is in no cell that is next to one that is inside", answer->number[i], (double)v.x, (double)v.y,
                (double)v.z);
            return VP_OK;
        }
    }
    uint32_t *corner = weld(answer);
    const vp_status status = corner == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", answer->count)
                                            : check_closed(corner, answer->count, 0, reason, error);
    free(corner);
    if (status != VP_OK || reason[0] != '\0')
        return status;
    for (uint32_t y = 0; y < q->extents.y; y++)
        for (uint32_t z = 0; z < q->extents.z; z++)
            for (uint32_t x = 0; x < q->extents.x; x++) {
                const double centre[3] = {x + 0.5, y + 0.5, z + 0.5}, wanted = is_inside(q, x, y, z) ? 1.0 : 0.0;
                const double found = windings(answer, centre);
                if (!(fabs(found - wanted) < 0.25)) {
                    vp_reason_say(reason, "the surface goes around the centre of cell %u %u %u %.2f times, and not %g", x, y, z, found, wanted);
                    return VP_OK;
                }
            }
    return VP_OK;
}
