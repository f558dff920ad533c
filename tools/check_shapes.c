/* SPDX-License-Identifier: MIT */
/* Checkers of properties: of what has many right answers, what all of them have in common. They compute in double, from the question
 * and the answer alone. */
#include "tools/check_judge.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

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
