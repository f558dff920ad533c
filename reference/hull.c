/* SPDX-License-Identifier: MIT */
/* A hull from the points to the answer: convex decomposition article, "Quickhull" and "Consistent floating point".
 *
 * Kernels find out how many dimensions the points have and make a closed surface of triangles. What is in that is an accident of the
 * order in which the points were taken: corners that lie in the middle of an edge, one or another triangulation of a face.
 * Here it becomes what does not depend on that: the polygons of the exact hull's faces, with real corners only, in an order of their
 * own, each cut into a fan of triangles from its first corner. Then faces are joined by the tolerance, and what they enclose is
 * measured. */
#include <voxphys/hull.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/exact.h"
#include "core/memory.h"
#include "reference/hull_faces.h"
#include "reference/hull_limit.h"
#include "reference/hull_mass.h"
#include "reference/hull_outline.h"

/* ---- which points are in use ---- */

static uint32_t count_bits(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

/* 64-bit words that numbering needs: a bit a number, and half a word for what is below. */
static size_t numbering_words(size_t below)
{
    const size_t words = (below + 63) / 64;
    return words + (words + 1) / 2;
}

/* Replaces numbers below a limit by their ranks among those that occur, and lists these. @return how many */
static uint32_t number_anew(uint32_t *value, size_t count, uint32_t below, uint64_t *scratch, uint32_t *list)
{
    const size_t words = ((size_t)below + 63) / 64;
    uint64_t *bits = scratch;
    uint32_t *rank = (uint32_t *)(void *)(bits + words), used = 0;
    memset(bits, 0, words * sizeof *bits);
    for (size_t i = 0; i < count; i++)
        bits[value[i] / 64] |= UINT64_C(1) << value[i] % 64;
    for (size_t w = 0; w < words; w++) {
        rank[w] = used;
        used += count_bits(bits[w]);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t v = value[i];
        value[i] = rank[v / 64] + count_bits(bits[v / 64] & ((UINT64_C(1) << v % 64) - 1));
        list[value[i]] = v;
    }
    return used;
}

/* ---- making ---- */

typedef struct making {
    const vp_hull_def *def;
    vp_kernels kernels;
    vp_hull_bounds bounds;
    double tolerance;
    vp_hull hull;       /* so far */
    vp_outline facets;  /* faces of the exact hull, by vertices of the hull */
    vp_outline faces;   /* by the tolerance */
    uint32_t *vertex;   /* points that are vertices */
    vp_vec3 *place;     /* of each vertex */
    uint32_t *joined;   /* of each facet, its face */
    const vp_vec3 *all; /* points that are to be contained: the set's, or those of its hull */
    uint32_t all_count;
} making;

/* Memory that is given away in pieces, aligned for anything; without a block the pieces are only counted. */
typedef struct room {
    char *block;
    size_t used;
} room;

static void *take(room *r, size_t bytes)
{
    void *piece = r->block != NULL ? r->block + r->used : NULL;
    r->used += (bytes + 15) / 16 * 16;
    return piece;
}

/* The exact hull's faces, and the vertices, from a closed surface of triangles. Pieces of `memory` are used. */
static void find_facets(making *m, const vp_hull_triangle *triangle, uint32_t triangles, room *memory)
{
    const size_t edges = 3 * (size_t)triangles;
    vp_outline all;
    vp_outline_lay(&all, triangles, (uint32_t)edges, take(memory, vp_outline_words(triangles, edges) * sizeof(uint32_t)));
    for (uint32_t t = 0; t < triangles; t++) {
        all.first[t] = 3 * t;
        for (uint32_t i = 0; i < 3; i++) {
            const vp_hull_triangle *beside = &triangle[triangle[t].beside[i]];
            uint32_t k = 0;
            while (beside->vertex[k] != triangle[t].vertex[(i + 1) % 3] || beside->vertex[(k + 1) % 3] != triangle[t].vertex[i])
                k++;
            all.from[3 * t + i] = triangle[t].vertex[i];
            all.twin[3 * t + i] = 3 * triangle[t].beside[i] + k;
            all.face[3 * t + i] = t;
        }
    }
    all.first[triangles] = (uint32_t)edges;

    const uint32_t most = triangles / 2 + 2; /* vertices */
    uint64_t *numbering = take(memory, numbering_words(m->def->count) * sizeof *numbering);
    uint32_t *vertex = take(memory, most * sizeof *vertex);
    vp_vec3 *place = take(memory, most * sizeof *place);
    const uint32_t vertices = number_anew(all.from, edges, m->def->count, numbering, vertex);
    for (uint32_t v = 0; v < vertices; v++)
        place[v] = m->def->point[vertex[v]];

    uint32_t *label = take(memory, triangles * sizeof *label), *face_of = take(memory, triangles * sizeof *face_of);
    uint32_t *scratch = take(memory, vp_outline_scratch_words(triangles, edges, vertices) * sizeof *scratch);
    const uint32_t labels = vp_hull_label_coplanar(&all, place, label, scratch);
    vp_outline_lay(&m->facets, labels, (uint32_t)edges, take(memory, vp_outline_words(labels, edges) * sizeof(uint32_t)));
    vp_outline_merge(&all, label, labels, vertices, scratch, face_of, &m->facets);

    m->vertex = take(memory, vertices * sizeof *m->vertex);
    m->place = take(memory, vertices * sizeof *m->place);
    m->hull.vertex_count = number_anew(m->facets.from, m->facets.edges, vertices, numbering, m->vertex);
    for (uint32_t v = 0; v < m->hull.vertex_count; v++) {
        m->place[v] = place[m->vertex[v]];
        m->vertex[v] = vertex[m->vertex[v]];
    }
}

static size_t facets_bytes(size_t count, size_t triangles)
{
    const size_t edges = 3 * triangles, vertices = triangles / 2 + 2;
    return 4 * (2 * vp_outline_words(triangles, edges) + 2 * triangles + vp_outline_scratch_words(triangles, edges, vertices) +
                2 * (vertices + 3 * vertices)) +
           8 * numbering_words(count > vertices ? count : vertices) + 16 * 16;
}

/* The same for a polygon: two faces back to back. `axis` is the one that the plane was looked at along, from its positive end. */
static void find_sides(making *m, const uint32_t *corner, uint32_t corners, room *memory)
{
    vp_outline *o = &m->facets;
    vp_outline_lay(o, 2, 2 * corners, take(memory, vp_outline_words(2, 2 * (size_t)corners) * sizeof(uint32_t)));
    m->vertex = take(memory, corners * sizeof *m->vertex);
    m->place = take(memory, corners * sizeof *m->place);
    uint64_t *numbering = take(memory, numbering_words(m->def->count) * sizeof *numbering);
    uint32_t *ring = take(memory, corners * sizeof *ring);
    memcpy(ring, corner, corners * sizeof *ring);
    m->hull.vertex_count = number_anew(ring, corners, m->def->count, numbering, m->vertex);
    for (uint32_t v = 0; v < corners; v++)
        m->place[v] = m->def->point[m->vertex[v]];

    /* Both begin with vertex 0; the one with the lower second vertex is first. */
    const uint32_t seen = ring[1] < ring[corners - 1] ? 0 : corners, away = corners - seen;
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t back = (corners - i) % corners;
        o->from[seen + i] = ring[i];
        o->face[seen + i] = seen / corners;
        o->twin[seen + i] = away + (corners - 1 - i);
        o->from[away + i] = ring[back];
        o->face[away + i] = away / corners;
        o->twin[away + i] = seen + (corners - 1 - i);
    }
    for (uint32_t f = 0; f <= 2; f++)
        o->first[f] = f * corners;
}

static size_t sides_bytes(size_t count, size_t corners)
{
    return 4 * (vp_outline_words(2, 2 * corners) + 5 * corners) + 8 * numbering_words(count) + 16 * 8;
}

/* ---- the answer ---- */

/* A hull's arrays while they are written. */
typedef struct arrays {
    double (*plane)[4];
    uint32_t *vertex, (*triangle)[3], (*beside)[3], *face_of, *first_corner, *corner, *across;
} arrays;

/* Lays arrays into a block, or none, by the counts of a hull. @return how many bytes they take */
static size_t lay_out(const vp_hull *h, char *block, arrays *a)
{
    room at = {block, 0};
    a->plane = take(&at, h->face_count * sizeof *a->plane);
    a->vertex = take(&at, h->vertex_count * sizeof *a->vertex);
    a->triangle = take(&at, h->triangle_count * sizeof *a->triangle);
    a->beside = take(&at, h->triangle_count * sizeof *a->beside);
    a->face_of = take(&at, h->triangle_count * sizeof *a->face_of);
    a->first_corner = take(&at, ((size_t)h->face_count + 1) * sizeof *a->first_corner);
    a->corner = take(&at, h->corner_count * sizeof *a->corner);
    a->across = take(&at, h->corner_count * sizeof *a->across);
    return at.used;
}

/* Fans of the exact faces' polygons: corners 0, i + 1 and i + 2 are triangle i of a face, which begins at triangle
   (half-edges before it) - 2*(faces before it). */
static void write_triangles(const making *m, const arrays *a)
{
    const vp_outline *o = &m->facets;
    for (uint32_t f = 0; f < o->faces; f++) {
        const uint32_t first = o->first[f], corners = o->first[f + 1] - first, base = first - 2 * f;
        for (uint32_t i = 0; i + 2 < corners; i++) {
            const uint32_t edge[3] = {first, first + i + 1, first + corners - 1};
            uint32_t *beside = a->beside[base + i];
            for (int k = 0; k < 3; k++) {
                const uint32_t twin = o->twin[edge[k]], other = o->face[twin], at = twin - o->first[other],
                               last = o->first[other + 1] - o->first[other] - 3;
                beside[k] = o->first[other] - 2 * other + (at == 0 ? 0 : at - 1 < last ? at - 1 : last);
            }
            if (i > 0)
                beside[0] = base + i - 1;
            if (i + 3 < corners)
                beside[2] = base + i + 1;
            a->triangle[base + i][0] = o->from[first];
            a->triangle[base + i][1] = o->from[first + i + 1];
            a->triangle[base + i][2] = o->from[first + i + 2];
            a->face_of[base + i] = m->joined[f];
        }
    }
}

/* Polygons, and planes that all vertices of a face's parts are below. */
static void write_faces(const making *m, const arrays *a)
{
    const vp_outline *o = &m->faces;
    for (uint32_t f = 0; f < o->faces; f++) {
        a->first_corner[f] = o->first[f];
        vp_hull_plane(o, f, m->place, a->plane[f]);
    }
    a->first_corner[o->faces] = o->edges;
    for (uint32_t e = 0; e < o->edges; e++) {
        a->corner[e] = o->from[e];
        a->across[e] = o->face[o->twin[e]];
    }
    for (uint32_t e = 0; e < m->facets.edges; e++) {
        double *plane = a->plane[m->joined[m->facets.face[e]]];
        const vp_vec3 p = m->place[m->facets.from[e]];
        plane[3] = fmax(plane[3], (plane[0] * (double)p.x + plane[1] * (double)p.y) + plane[2] * (double)p.z);
    }
}

/* Joins faces, writes the answer into a block of its own, measures it. `m` has the exact faces, or no faces and vertices only. */
static vp_status finish(making *m, const vp_allocator *allocator, vp_error *error)
{
    vp_hull *h = &m->hull;
    arrays a;
    const vp_outline *exact = &m->facets;
    const size_t near_bytes = vp_hull_label_near_bytes(exact->faces, h->vertex_count);
    const size_t words = vp_outline_words(exact->faces, exact->edges) + 3 * (size_t)exact->faces +
                         vp_outline_scratch_words(exact->faces, exact->edges, h->vertex_count);
    const size_t bytes = near_bytes + words * sizeof(uint32_t) + 16 * 8 + (m->def->contain ? vp_hull_contain_bytes(m->all_count) : 0);
    room at = {vp_allocate(allocator, bytes, 1), 0};
    if (at.block == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu bytes of a hull's faces", bytes);

    m->joined = take(&at, exact->faces * sizeof(uint32_t));
    m->faces = *exact;
    for (uint32_t f = 0; f < exact->faces; f++)
        m->joined[f] = f;
    if (h->dimension == 3 && !m->def->separate) {
        uint32_t *label = take(&at, exact->faces * sizeof *label), *face_of = take(&at, exact->faces * sizeof *face_of);
        const uint32_t labels = vp_hull_label_near(exact, m->place, h->vertex_count, m->tolerance, label, take(&at, near_bytes));
        if (labels < exact->faces) {
            vp_outline_lay(&m->faces, labels, exact->edges, take(&at, vp_outline_words(labels, exact->edges) * sizeof(uint32_t)));
            vp_outline_merge(exact, label, labels, h->vertex_count,
                             take(&at, vp_outline_scratch_words(exact->faces, exact->edges, h->vertex_count) * sizeof(uint32_t)),
                             face_of, &m->faces);
            for (uint32_t f = 0; f < exact->faces; f++)
                m->joined[f] = face_of[label[f]];
        }
    }

    h->triangle_count = exact->edges - 2 * exact->faces;
    h->face_count = m->faces.faces;
    h->corner_count = m->faces.edges;
    h->block_bytes = lay_out(h, NULL, &a);
    h->block = vp_allocate(allocator, h->block_bytes, 1);
    if (h->block == NULL) {
        vp_release(allocator, at.block, bytes, 1);
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull of %u vertices", h->vertex_count);
    }
    lay_out(h, h->block, &a);
    memcpy(a.vertex, m->vertex, h->vertex_count * sizeof *a.vertex);
    write_triangles(m, &a);
    write_faces(m, &a);
    if (m->def->contain)
        h->moved = vp_hull_contain(a.plane, h->face_count, m->all, m->all_count, take(&at, vp_hull_contain_bytes(m->all_count)));
    h->plane = (const double(*)[4])a.plane;
    h->vertex = a.vertex;
    h->triangle = (const uint32_t(*)[3])a.triangle;
    h->beside = (const uint32_t(*)[3])a.beside;
    h->face_of = a.face_of;
    h->first_corner = a.first_corner;
    h->corner = a.corner;
    h->across = a.across;
    vp_hull_measure(h, m->place);
    vp_release(allocator, at.block, bytes, 1);
    return VP_OK;
}

/* ---- fewer vertices ---- */

/* Whether some of so many vertices may be left out, and when to stop. */
static bool is_limited(const vp_hull_def *def, uint32_t vertices, vp_hull_limits *limits)
{
    limits->most = def->max_vertices != 0 ? def->max_vertices : UINT32_MAX;
    limits->error = (double)def->max_error;
    return vertices > limits->most || (vertices > 3 && def->max_error > 0.0f);
}

/* The exact hull of some vertices of the exact hull. */
static vp_status finish_limited(making *m, const vp_hull_limits *limits, const vp_allocator *allocator, vp_error *error)
{
    const uint32_t vertices = m->hull.vertex_count;
    const size_t most = vp_hull3_most_triangles(vertices), limit_bytes = (vp_hull_limit_bytes(vertices) + 15) / 16 * 16;
    const size_t bytes = limit_bytes + most * sizeof(vp_hull_triangle) + facets_bytes(vertices, most);
    room at = {vp_allocate(allocator, bytes, 1), 0};
    if (at.block == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to choose among %u vertices", vertices);
    void *scratch = take(&at, limit_bytes);
    vp_hull_triangle *triangle = take(&at, most * sizeof *triangle);
    const uint32_t triangles = vp_hull_limit(m->place, vertices, limits, scratch, triangle, &m->hull.error);
    if (m->hull.error > 0.0) {
        const uint32_t *vertex = m->vertex;
        const vp_hull_def of_vertices = {.point = m->place, .count = vertices, .separate = m->def->separate, .contain = m->def->contain};
        const vp_hull_def *def = m->def;
        m->def = &of_vertices;
        find_facets(m, triangle, triangles, &at);
        for (uint32_t v = 0; v < m->hull.vertex_count; v++)
            m->vertex[v] = vertex[m->vertex[v]];
        m->def = def;
    }
    const vp_status status = finish(m, allocator, error);
    vp_release(allocator, at.block, bytes, 1);
    return status;
}

/* Leaves corners of a polygon out. @return how many there are then; 0: no memory */
static uint32_t limit_corners(making *m, uint32_t *corner, uint32_t corners, const vp_allocator *allocator)
{
    vp_hull_limits limits;
    if (!is_limited(m->def, corners, &limits))
        return corners;
    const size_t bytes = vp_hull_limit_polygon_bytes(corners);
    void *scratch = vp_allocate(allocator, bytes, 1);
    if (scratch == NULL)
        return 0;
    const uint32_t left = vp_hull_limit_polygon(m->def->point, corner, corners, &limits, scratch, &m->hull.error);
    vp_release(allocator, scratch, bytes, 1);
    return left;
}

/* ---- dimensions ---- */

static vp_status too_much_work(const making *m, vp_error *error)
{
    return vp_fail(error, VP_E_ARGUMENT, "the hull of %u points takes more than %llu comparisons, the most that were allowed",
                   m->def->count, (unsigned long long)m->def->most_work);
}

/* A point, or the ends of a line. */
static vp_status make_line(making *m, const uint32_t *corner, const vp_allocator *allocator, vp_error *error)
{
    uint32_t vertex[2] = {corner[0], corner[1]}, none[1] = {0};
    vp_vec3 place[2];
    const uint32_t count = m->hull.dimension + 1;
    if (count == 2 && vertex[0] > vertex[1]) {
        vertex[0] = corner[1];
        vertex[1] = corner[0];
    }
    for (uint32_t v = 0; v < count; v++)
        place[v] = m->def->point[vertex[v]];
    m->hull.vertex_count = count;
    m->vertex = vertex;
    m->place = place;
    vp_outline_lay(&m->facets, 0, 0, none);
    return finish(m, allocator, error);
}

/* The axis along which a plane through three points is looked at: that of its normal's largest component. */
static uint32_t axis_of(const vp_vec3 *p, const uint32_t corner[3])
{
    double normal[3];
    vp_normal3(p[corner[0]], p[corner[1]], p[corner[2]], normal);
    const double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static vp_status make_polygon(making *m, const uint32_t corner[3], uint64_t most_work, const vp_allocator *allocator, vp_error *error)
{
    const uint32_t count = m->def->count, axis = axis_of(m->def->point, corner);
    const size_t kernel_bytes = (vp_hull2_scratch_bytes(count) + 63) / 64 * 64, bytes = kernel_bytes + count * sizeof(uint32_t);
    char *block = vp_allocate(allocator, bytes, 1);
    if (block == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the hull of %u points", count);
    const vp_hull2_build build = {.point = m->def->point,
                                  .count = count,
                                  .axis = {(axis + 1) % 3, (axis + 2) % 3},
                                  .most_work = most_work,
                                  .scratch = block,
                                  .corner = (uint32_t *)(void *)(block + kernel_bytes)};
    const vp_hull2_built built = m->kernels.hull2(&build);
    m->hull.work += built.work;
    vp_status status = built.work > most_work ? too_much_work(m, error) : VP_OK;
    if (status == VP_OK) {
        const uint32_t corners = limit_corners(m, build.corner, built.corners, allocator);
        const size_t room_bytes = sides_bytes(count, built.corners);
        room at = {corners != 0 ? vp_allocate(allocator, room_bytes, 1) : NULL, 0};
        if (at.block == NULL) {
            status = vp_fail(error, VP_E_MEMORY, "no memory for a polygon of %u corners", built.corners);
        } else {
            m->all = m->def->point;
            m->all_count = count;
            find_sides(m, build.corner, corners, &at);
            status = finish(m, allocator, error);
        }
        vp_release(allocator, at.block, room_bytes, 1);
    }
    vp_release(allocator, block, bytes, 1);
    return status;
}

/* The plane through three points that are nearly in one may be a bad one for the rest. If the set lies within the tolerance of one of
   its own faces, three corners of that are told instead. */
static bool is_flat_after_all(const making *m, uint32_t corner[3], void *scratch)
{
    const vp_outline *o = &m->facets;
    const uint32_t f = vp_hull_find_flat(o, m->place, m->hull.vertex_count, m->tolerance, scratch);
    if (f == UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < 3; i++)
        corner[i] = m->vertex[o->from[o->first[f] + i]];
    return true;
}

static vp_status make_solid(making *m, const vp_hull_built *built, const vp_hull_triangle *triangle, uint64_t most_work,
                            const vp_allocator *allocator, vp_error *error)
{
    enum { NEARLY = 16 }; /* times the tolerance: what is thicker by three of its points is not flat by others */
    const uint32_t triangles = built->triangles;
    const size_t bytes = facets_bytes(m->def->count, triangles) + vp_hull_label_near_bytes(triangles, triangles);
    room at = {vp_allocate(allocator, bytes, 1), 0};
    if (at.block == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull of %u triangles", triangles);
    find_facets(m, triangle, triangles, &at);
    uint32_t corner[3];
    vp_status status;
    if (built->thickness <= NEARLY * m->tolerance && is_flat_after_all(m, corner, take(&at, vp_hull_label_near_bytes(triangles, triangles)))) {
        m->hull.dimension = 2;
        status = make_polygon(m, corner, most_work, allocator, error);
    } else {
        vp_hull_limits limits;
        m->all = m->place;
        m->all_count = m->hull.vertex_count;
        status = is_limited(m->def, m->hull.vertex_count, &limits) ? finish_limited(m, &limits, allocator, error) : finish(m, allocator, error);
    }
    vp_release(allocator, at.block, bytes, 1);
    return status;
}

/* ---- the public face ---- */

float vp_hull_tolerance(const vp_hull_bounds *b)
{
    const float side[3] = {b->max.x - b->min.x, b->max.y - b->min.y, b->max.z - b->min.z};
    const float end[6] = {b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z};
    float most = 0.0f;
    for (int i = 0; i < 3; i++)
        most = vp_max(side[i] < INFINITY ? side[i] : FLT_MAX, most);
    for (int i = 0; i < 6; i++)
        most = vp_max(fabsf(end[i]), most);
    return most * 0x1p-22f;
}

static vp_status check(const vp_hull_def *def, vp_error *error)
{
    if (def->count == 0 || def->point == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "there are no points");
    if (def->count > VP_HULL_MOST_POINTS)
        return vp_fail(error, VP_E_ARGUMENT, "%u points are more than %u", def->count, VP_HULL_MOST_POINTS);
    if (!(def->tolerance >= 0.0f) || !(def->tolerance <= FLT_MAX))
        return vp_fail(error, VP_E_ARGUMENT, "tolerance %g is not a finite number from 0 up", (double)def->tolerance);
    if (def->max_vertices > 0 && def->max_vertices < 4)
        return vp_fail(error, VP_E_ARGUMENT, "max_vertices %u is neither 0 nor 4 or more", def->max_vertices);
    if (!(def->max_error >= 0.0f) || !(def->max_error <= FLT_MAX))
        return vp_fail(error, VP_E_ARGUMENT, "max_error %g is not a finite number from 0 up", (double)def->max_error);
    return VP_OK;
}

static vp_status name_bad_point(const vp_hull_def *def, uint32_t bad, vp_error *error)
{
    const float value[3] = {def->point[bad].x, def->point[bad].y, def->point[bad].z};
    const int axis = !isfinite(value[0]) ? 0 : !isfinite(value[1]) ? 1 : 2;
    return vp_fail(error, VP_E_ARGUMENT, "point %u: %c is %g", bad, "xyz"[axis], (double)value[axis]);
}

size_t vp_hull_scratch_bytes(uint32_t count)
{
    const size_t triangles = vp_hull3_most_triangles(count), edges = 3 * triangles, vertices = triangles / 2 + 2;
    return vp_hull3_scratch_bytes(count) + triangles * sizeof(vp_hull_triangle) + 64 + facets_bytes(count, triangles) +
           vp_hull_label_near_bytes(triangles, vertices) +
           4 * (vp_outline_words(triangles, edges) + 3 * triangles + vp_outline_scratch_words(triangles, edges, vertices)) + 16 * 8;
}

static vp_status make(making *m, const vp_allocator *allocator, vp_error *error)
{
    const uint32_t count = m->def->count;
    const size_t kernel_bytes = (vp_hull3_scratch_bytes(count) + 63) / 64 * 64;
    const size_t bytes = kernel_bytes + vp_hull3_most_triangles(count) * sizeof(vp_hull_triangle);
    char *block = vp_allocate(allocator, bytes, 1);
    if (block == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the hull of %u points", count);
    const vp_hull_build build = {.point = m->def->point,
                                 .count = count,
                                 .bounds = &m->bounds,
                                 .flat = m->tolerance,
                                 .most_work = m->def->most_work != 0 ? m->def->most_work : UINT64_MAX,
                                 .scratch = block,
                                 .triangle = (vp_hull_triangle *)(void *)(block + kernel_bytes)};
    const vp_hull_built built = m->kernels.hull3(&build);
    vp_status status;
    m->hull.dimension = built.dimension;
    m->hull.work = built.work;
    if (built.work > build.most_work)
        status = too_much_work(m, error);
    else if (built.dimension == 3)
        status = make_solid(m, &built, build.triangle, build.most_work - built.work, allocator, error);
    else if (built.dimension == 2)
        status = make_polygon(m, built.corner, build.most_work - built.work, allocator, error);
    else
        status = make_line(m, built.corner, allocator, error);
    vp_release(allocator, block, bytes, 1);
    return status;
}

vp_status vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error)
{
    making m = {.def = def};
    vp_status status = check(def, error);
    if (status == VP_OK && def->kernels == NULL)
        status = vp_kernels_default(&m.kernels, error);
    if (status != VP_OK)
        return status;
    if (def->kernels != NULL)
        m.kernels = *def->kernels;
    m.kernels.hull_bounds(def->point, def->count, &m.bounds);
    if (m.bounds.bad != VP_HULL_NONE)
        return name_bad_point(def, m.bounds.bad, error);

    const double side[3] = {(double)m.bounds.max.x - (double)m.bounds.min.x, (double)m.bounds.max.y - (double)m.bounds.min.y,
                            (double)m.bounds.max.z - (double)m.bounds.min.z};
    m.hull.tolerance = def->tolerance > 0.0f ? def->tolerance : vp_hull_tolerance(&m.bounds);
    m.tolerance = fmax((double)m.hull.tolerance, fmax(fmax(side[0], side[1]), side[2]) * 0x1p-40);
    m.hull.allocator = vp_allocator_or_default(def->allocator);
    status = make(&m, &m.hull.allocator, error);
    if (status != VP_OK)
        return status;
    *out = m.hull;
    return vp_succeed(error);
}

void vp_hull_destroy(vp_hull *hull)
{
    vp_release(&hull->allocator, hull->block, hull->block_bytes, 1);
    memset(hull, 0, sizeof *hull);
}
