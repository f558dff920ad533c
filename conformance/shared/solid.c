/* SPDX-License-Identifier: MIT */
/* Checks 3D hulls. The triangles must form a closed convex surface up to the tolerance. Each vertex of the hull must be near that surface.
 * If the answer has its own vertices, none may be far from the hull. For that the hull is rebuilt from its expected vertices. */
#include "conformance/shared/convex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/hull.h>

#include "src/core/error.h"
#include "src/core/exact.h"
#include "src/core/real3.h"

/* ---- places ---- */

/* Distances and areas are in units of the extent and its square, relative to the first point, so nothing overflows. */
typedef struct frame {
    vp_vec3 origin;
    double extent; /* longest side of the points' box */
} frame;

static vp_real3 place_of(const frame *f, vp_vec3 p)
{
    const vp_real3 at = vp_real3_sub(vp_real3_of(p), vp_real3_of(f->origin));
    return (vp_real3){at.x / f->extent, at.y / f->extent, at.z / f->extent};
}

/* ---- the hull itself ---- */

/* Triangles over the faces. Each face is a fan from its lowest vertex to the edges that do not contain it. */
typedef struct hull {
    const vp_query_mesh *q;
    frame f;
    uint32_t (*triangle)[3];
    uint32_t triangles;
    double area; /* of the surface */
} hull;

static int side_of(const vp_query_mesh *q, const uint32_t c[3], vp_vec3 p)
{
    return vp_orient3d(q->point[c[0]], q->point[c[1]], q->point[c[2]], p);
}

/* Whether three vertices, with the lowest of their plane first, are a triangle of the hull. All others must be on one side of the
 * plane or in it. Those in the plane must be on one side of the edge from the second to the third. Turns the triangle counterclockwise
 * seen from outside. */
static bool is_face(const vp_query_mesh *q, const vp_hull_wanted *wanted, uint32_t c[3])
{
    int under = 0, inner = 0;
    uint32_t off = 0; /* a vertex outside the plane */
    for (uint32_t k = 0; k < wanted->vertices; k++) {
        const int side = side_of(q, c, q->point[wanted->vertex[k]]);
        if (side * under < 0)
            return false;
        under = side != 0 ? side : under;
        off = side != 0 ? wanted->vertex[k] : off;
    }
    if (under == 0)
        return false;
    for (uint32_t k = 0; k < wanted->vertices; k++) {
        const uint32_t other = wanted->vertex[k];
        if (other == c[0] || other == c[1] || other == c[2] || side_of(q, c, q->point[other]) != 0)
            continue;
        if (other < c[0])
            return false;
        if (inner == 0)
            inner = vp_orient3d(q->point[c[1]], q->point[c[2]], q->point[off], q->point[c[0]]);
        if (vp_orient3d(q->point[c[1]], q->point[c[2]], q->point[off], q->point[other]) != inner)
            return false;
    }
    if (under > 0) {
        const uint32_t b = c[1];
        c[1] = c[2];
        c[2] = b;
    }
    return true;
}

static vp_status make_hull(const vp_query_mesh *q, const vp_hull_wanted *wanted, hull *out, vp_error *error)
{
    const uint32_t n = wanted->vertices, most = n < 4 ? 0 : 2 * n - 4;
    *out = (hull){.q = q, .f = (frame){q->point[0], vp_mesh_extent(q)}, .triangle = malloc(((size_t)most + 1) * sizeof *out->triangle)};
    if (out->triangle == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull of %u vertices", n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            for (uint32_t k = j + 1; k < n && out->triangles < most; k++) {
                uint32_t *c = out->triangle[out->triangles];
                memcpy(c, (uint32_t[3]){wanted->vertex[i], wanted->vertex[j], wanted->vertex[k]}, sizeof *out->triangle);
                if (!is_face(q, wanted, c))
                    continue;
                const vp_real3 a = place_of(&out->f, q->point[c[0]]);
                const vp_real3 normal =
                    vp_real3_cross(vp_real3_sub(place_of(&out->f, q->point[c[1]]), a), vp_real3_sub(place_of(&out->f, q->point[c[2]]), a));
                out->area += sqrt(vp_real3_dot(normal, normal)) / 2.0;
                out->triangles++;
            }
    return VP_OK;
}

/* The distance of a vp_real3 from the hull, 0 inside. */
static double from_hull(const hull *h, vp_vec3 p)
{
    double least = INFINITY;
    bool within = true;
    const vp_real3 at = place_of(&h->f, p);
    for (uint32_t t = 0; t < h->triangles; t++) {
        const uint32_t *c = h->triangle[t];
        within = within && side_of(h->q, c, p) <= 0;
        least = fmin(least, vp_to_triangle(at, (vp_real3[3]){place_of(&h->f, h->q->point[c[0]]), place_of(&h->f, h->q->point[c[1]]),
                                                            place_of(&h->f, h->q->point[c[2]])}));
    }
    return within ? 0.0 : least;
}

/* ---- the answer ---- */

static vp_real3 corner_of(const hull *h, const vp_shell *s, uint32_t t, uint32_t k)
{
    return place_of(&h->f, s->place[s->corner[t][k]]);
}

/* The enclosed volume, as tetrahedra from the first point. */
static double volume_of(const hull *h, const vp_shell *s)
{
    double six = 0.0;
    for (uint32_t t = 0; t < s->triangles; t++)
        six += vp_real3_dot(corner_of(h, s, t, 0), vp_real3_cross(corner_of(h, s, t, 1), corner_of(h, s, t, 2)));
    return six / 6.0;
}

/* Checks that vertices of the answer are near the hull, and vertices of the hull are near the answer's surface. Then the volumes of two
 * convex bodies differ by at most surface times distance, and a little for edges and corners. Valleys allow the same again. */
static void compare(const hull *h, const vp_shell *s, const vp_hull_wanted *wanted, bool own, char reason[VP_REASON_BYTES])
{
    const double allowed = wanted->tolerance, cube = h->f.extent * h->f.extent * h->f.extent;
    for (uint32_t i = 0; i < s->places && own; i++) {
        const double away = from_hull(h, s->place[i]);
        if (!(away <= allowed)) {
            vp_reason_say(reason, "vertex %u is outside of the hull by %.3g of the extent", s->number[i], away);
            return;
        }
    }
    for (uint32_t v = 0; v < wanted->vertices; v++) {
        const vp_real3 at = place_of(&h->f, h->q->point[wanted->vertex[v]]);
        double least = INFINITY;
        for (uint32_t t = 0; t < s->triangles && least > 0.0; t++)
            least = fmin(least, vp_to_triangle(at, (vp_real3[3]){corner_of(h, s, t, 0), corner_of(h, s, t, 1), corner_of(h, s, t, 2)}));
        if (!(least <= allowed)) {
            vp_reason_say(reason, "point %u is a vertex, and %.3g of the extent from the surface", wanted->vertex[v], least);
            return;
        }
    }
    const double volume = volume_of(h, s), rightly = wanted->volume / cube;
    if (!(fabs(volume - rightly) <= 2.0 * allowed * (h->area + 12.0 * allowed)))
        vp_reason_say(reason, "it encloses %.6g, and the hull %.6g", volume * cube, wanted->volume);
}

static void say_faults(const vp_query_mesh *q, const vp_shell *s, const vp_hull_report *found, double extent, char reason[VP_REASON_BYTES])
{
    const bool own = found->outside_point >= q->points && found->outside_point != VP_HULL_NONE;
    if ((found->faults & VP_HULL_OPEN) != 0)
        vp_reason_say(reason, "the surface is open: %u edges have no other side", found->open_edges);
    else if ((found->faults & VP_HULL_EULER) != 0)
        vp_reason_say(reason, "no one surface without handles: vertices - edges + triangles is %lld", (long long)found->euler);
    else if ((found->faults & VP_HULL_OUTSIDE) != 0)
        vp_reason_say(reason, "%s %u is outside of triangle %u by %.3g of the extent", own ? "vertex" : "point",
                      own ? s->number[found->outside_point - q->points] : found->outside_point, found->outside_triangle,
                      found->outside / extent);
    else if ((found->faults & VP_HULL_CONCAVE) != 0)
        vp_reason_say(reason, "there is a valley at triangle %u, %.3g of the extent deep", found->concave_triangle,
                      found->concave / extent);
    else
        vp_reason_say(reason, "a corner is not a point");
}

/* A triangle that is lower than this part of its length has no meaningful plane if its corners are rounded. */
#define SLIVER 1e-5

/* Checks that the surface is closed and convex. */
static vp_status look_at(const vp_query_mesh *q, const vp_shell *s, double allowed, vp_hull_report *out, vp_error *error)
{
    vp_vec3 *point = malloc(((size_t)q->points + s->places) * sizeof *point); /* points of the question, then of the answer */
    uint32_t(*corner)[3] = malloc(((size_t)s->triangles + 1) * sizeof *corner);
    vp_status status = VP_OK;
    if (point == NULL || corner == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u points", q->points + s->places);
    } else {
        memcpy(point, q->point, q->points * sizeof *point);
        memcpy(point + q->points, s->place, s->places * sizeof *point);
        for (size_t i = 0; i < (size_t)s->triangles * 3; i++)
            corner[i / 3][i % 3] = s->corner[i / 3][i % 3] + q->points;
        const vp_hull_validate_def subject = {.point = point,
                                              .count = q->points + s->places,
                                              .triangle = (const uint32_t(*)[3])corner,
                                              .triangle_count = s->triangles,
                                              .allowed = allowed,
                                              .sliver = SLIVER};
        status = vp_hull_validate(&subject, out, error);
    }
    free(point);
    free(corner);
    return status;
}

/* A triangle must not use an index twice. */
static void check_numbers(const vp_answer *answer, char reason[VP_REASON_BYTES])
{
    for (uint32_t t = 0; t < answer->count && reason[0] == '\0'; t++) {
        const uint32_t *c = answer->number + (size_t)t * 3;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            vp_reason_say(reason, "triangle %u has a corner twice: %u %u %u", t, c[0], c[1], c[2]);
    }
}

/* Checks the answer as one surface, with its own vertex indices or with vertices in one place joined. */
static vp_status check_triangles(const vp_query_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, const hull *h,
                                 char reason[VP_REASON_BYTES], vp_error *error)
{
    const bool own = answer->kind == VP_ANSWER_MESH;
    vp_shell s = {0};
    vp_hull_report found = {.faults = VP_HULL_OPEN};
    vp_status status = VP_OK;
    for (int weld = 0; weld < 2 && status == VP_OK && (found.faults & (VP_HULL_OPEN | VP_HULL_EULER)) != 0; weld++) {
        vp_shell_drop(&s);
        status = vp_shell_make(own ? answer->vertex : q->point, own ? answer->vertices : q->points, answer->number, answer->count,
                               weld == 1, &s, error);
        if (status == VP_OK && s.triangles == 0)
            vp_reason_say(reason, "no triangle has three corners");
        else if (status == VP_OK)
            status = look_at(q, &s, wanted->tolerance * h->f.extent, &found, error);
    }
    if (status == VP_OK && reason[0] == '\0' && found.faults != 0)
        say_faults(q, &s, &found, h->f.extent, reason);
    if (status == VP_OK && reason[0] == '\0')
        status = vp_shell_close(&s, reason, error);
    if (status == VP_OK && reason[0] == '\0' && s.parts != 1)
        vp_reason_say(reason, "the surface is in %u parts", s.parts);
    if (status == VP_OK && reason[0] == '\0')
        compare(h, &s, wanted, own, reason);
    vp_shell_drop(&s);
    return status;
}

vp_status vp_check_hull(const vp_query_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES],
                        vp_error *error)
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
        return vp_check_flat(q, answer, wanted, reason, error);
    if (answer->kind == VP_ANSWER_MESH)
        vp_check_finite(answer->vertex, answer->number, answer->count, reason);
    if (reason[0] == '\0')
        check_numbers(answer, reason);
    if (reason[0] != '\0')
        return VP_OK;
    hull h;
    vp_status status = make_hull(q, wanted, &h, error);
    if (status == VP_OK)
        status = check_triangles(q, answer, wanted, &h, reason, error);
    free(h.triangle);
    return status;
}
