/* SPDX-License-Identifier: MIT */
/* Builds a hull: convex decomposition article, "Quickhull" and "Consistent floating point".
 *
 * Kernels find the dimension of the points and build a closed surface of triangles. That surface depends on the order
 * in which points were added: corners may lie in the middle of an edge, and faces may be triangulated in different
 * ways. This file makes it independent of the order. It forms the polygons of the exact hull's faces, with real corners
 * only, sorts them, and cuts each into a fan from its first corner. Then it joins faces by the tolerance and measures
 * the result. */
#include <voxphys/hull.h>

#include <math.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/exact.h"
#include "src/core/memory.h"
#include "src/hull/arena.h"
#include "src/hull/check.h"
#include "src/hull/faces.h"
#include "src/hull/grow.h"
#include "src/hull/limit.h"
#include "src/hull/mass.h"
#include "src/hull/outline.h"
#include "src/hull/simplex.h"
#include "src/hull/wrap.h"

/* ---- state of a build ---- */

typedef struct making {
    const vp_hull_def *def;
    const vp_vec3 *point;         /* points of the build: the def's, or those that may be vertices */
    const uint32_t *source_index; /* index in the def of each point, NULL = the same */
    uint32_t count;
    const vp_kernels *kernels;
    vp_hull_bounds bounds;
    double longest; /* longest side of the points' box */
    double tolerance;
    vp_hull_arena memory;
    vp_hull hull;               /* result so far */
    vp_hull_surface surface;    /* triangles of the exact hull */
    vp_facets facets;           /* faces of the exact hull */
    vp_outline faces;           /* faces by the tolerance, if any are joined */
    uint32_t *joined;           /* face of each facet, NULL = each is its own */
    const vp_hull_grown *grown; /* existing triangles, NULL = the kernels build them */
    const vp_vec3 *contained;   /* points to contain: the set's, or those of its exact hull */
    uint32_t contained_count;
} making;

static vp_status report_no_memory(const making *m, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for the hull of %u points", m->def->count);
}

/* Allocates an outline for a number of faces and half-edges. */
static bool allocate_outline(making *m, uint32_t faces, uint32_t edges, vp_outline *o)
{
    uint32_t *words = vp_arena_take(&m->memory, vp_outline_words(faces, edges) * sizeof *words);
    if (words != NULL)
        vp_outline_lay(o, faces, edges, words);
    return words != NULL;
}

static bool allocate_surface(making *m, uint32_t vertices, uint32_t triangles, vp_hull_surface *s)
{
    void *memory = vp_arena_take(&m->memory, vp_surface_bytes(vertices, triangles));
    if (memory != NULL)
        vp_surface_lay(s, vertices, triangles, memory);
    return memory != NULL;
}

/* Builds the outline of the facets if it does not exist yet. */
static bool ensure_outline(making *m)
{
    vp_facets *f = &m->facets;
    if (f->outline.faces != 0)
        return true;
    if (!allocate_outline(m, f->count, 3 * f->count, &f->outline))
        return false;
    vp_outline_of_triangles(&m->surface, &f->outline);
    return true;
}

/* Joins connected triangles that are exactly in one plane to facets, and replaces them by the facets' fans. */
static bool join_coplanar(making *m)
{
    const vp_hull_surface all = m->surface;
    const uint8_t *fold = m->facets.fold;
    vp_outline triangles;
    const uint32_t edges = 3 * all.triangles;
    const size_t scratch_words = vp_outline_scratch_words(all.triangles, edges, all.vertices);
    uint32_t *label = vp_arena_take(&m->memory, all.triangles * sizeof *label);
    uint32_t *face_of = vp_arena_take(&m->memory, all.triangles * sizeof *face_of);
    uint32_t *scratch = vp_arena_take(&m->memory, scratch_words * sizeof *scratch);
    if (label == NULL || face_of == NULL || scratch == NULL || !allocate_outline(m, all.triangles, edges, &triangles))
        return false;
    vp_outline_of_triangles(&all, &triangles);
    const uint32_t labels = vp_hull_label_coplanar(&all, fold, label, scratch);
    uint8_t *near = vp_arena_take(&m->memory, labels);
    if (near == NULL || !allocate_outline(m, labels, edges, &m->facets.outline))
        return false;
    vp_outline_count_meeting(&triangles, label, all.vertices, scratch);
    vp_outline_merge(&triangles, label, labels, all.vertices, scratch, scratch + all.vertices, face_of, &m->facets.outline);
    memset(near, 0, labels);
    for (uint32_t t = 0; t < all.triangles; t++)
        near[face_of[label[t]]] |= fold[t] & VP_FOLD_NEAR;
    m->facets.count = labels;
    m->facets.triangles = false;
    m->facets.fold = near;
    if (!allocate_surface(m, all.vertices, m->facets.outline.edges - 2 * labels, &m->surface))
        return false;
    vp_outline_keep_vertices(&m->facets.outline, &all, scratch, &m->surface);
    vp_outline_cut(&m->facets.outline, &m->surface);
    vp_surface_find_normals(&m->surface);
    return true;
}

static bool find_planes(making *m)
{
    m->facets.plane = vp_arena_take(&m->memory, m->facets.count * sizeof *m->facets.plane);
    m->facets.size = vp_arena_take(&m->memory, m->facets.count * sizeof *m->facets.size);
    if (m->facets.plane == NULL || m->facets.size == NULL)
        return false;
    vp_hull_find_planes(&m->facets);
    return true;
}

/* The exact hull, its triangles and its facets, from a kernel's triangles. */
static bool find_facets(making *m, const vp_hull_triangle *triangle, uint32_t triangles)
{
    vp_hull_surface *s = &m->surface;
    const size_t scratch_bytes = vp_surface_scratch_bytes(m->count, triangles);
    m->facets = (vp_facets){.surface = s, .count = triangles, .triangles = true, .fold = vp_arena_take(&m->memory, triangles)};
    if (m->facets.fold == NULL || !allocate_surface(m, triangles / 2 + 2, triangles, s))
        return false;
    void *scratch = vp_arena_take(&m->memory, scratch_bytes);
    if (scratch == NULL)
        return false;
    vp_surface_sort(triangle, m->point, m->count, scratch, s);
    vp_arena_give_back(&m->memory, scratch, scratch_bytes);
    vp_surface_find_normals(s);
    /* A point near one triangle's plane must also be near its facet's plane. The margin covers the rounding of both. */
    const double near = m->tolerance * 1.001 + m->longest * 0x1p-36;
    const uint8_t folds = vp_surface_find_folds(s, near, m->longest, m->facets.fold);
    return ((folds & VP_FOLD_NONE) == 0 || join_coplanar(m)) && find_planes(m);
}

/* The same without a kernel, from wrapped faces. */
static bool find_wrapped_facets(making *m, const vp_wrapped *w)
{
    const uint32_t triangles = w->edges - 2 * w->faces;
    vp_hull_surface *s = &m->surface;
    m->facets =
        (vp_facets){.surface = s, .count = w->faces, .triangles = triangles == w->faces, .fold = vp_arena_take(&m->memory, w->faces)};
    if (m->facets.fold == NULL || !allocate_outline(m, w->faces, w->edges, &m->facets.outline) ||
        !allocate_surface(m, triangles / 2 + 2, triangles, s))
        return false;
    vp_wrapped_write(w, m->point, &m->facets.outline, s);
    vp_surface_find_normals(s);
    if (!find_planes(m))
        return false;
    const bool near = vp_hull_has_near(&m->facets, m->tolerance * 1.001 + m->longest * 0x1p-36);
    memset(m->facets.fold, near ? VP_FOLD_NEAR : 0, w->faces);
    return true;
}

static vp_status report_too_much_work(const making *m, vp_error *error)
{
    return vp_fail(error, VP_E_LIMIT, "the hull of %u points needs more than %llu comparisons, the limit", m->def->count,
                   (unsigned long long)m->def->max_work);
}

static bool is_too_much(const making *m)
{
    return m->def->max_work != 0 && m->hull.work > m->def->max_work;
}

/* Work left of the limit. */
static uint64_t remaining_work_of(const making *m)
{
    return m->def->max_work != 0 ? m->def->max_work - m->hull.work : UINT64_MAX;
}

/* Limits of a def. @return whether some of the vertices may be left out */
static bool find_limits(const making *m, uint32_t vertices, vp_hull_limits *out)
{
    const vp_hull_def *def = m->def;
    *out = (vp_hull_limits){def->max_vertices != 0 ? def->max_vertices : UINT32_MAX, (double)def->max_error, remaining_work_of(m)};
    return vertices > out->max_vertices || out->error > 0.0;
}

/* Replaces the exact hull by the exact hull of some of its vertices, if there are limits. */
static bool keep_few(making *m)
{
    const vp_hull_surface all = m->surface;
    vp_hull_limits limits;
    uint64_t work;
    m->contained = all.place;
    m->contained_count = all.vertices;
    if (!find_limits(m, all.vertices, &limits))
        return true;
    void *scratch = vp_arena_take(&m->memory, vp_hull_limit_bytes(all.vertices));
    vp_hull_triangle *triangle = vp_arena_take(&m->memory, vp_hull3_max_triangles(all.vertices) * sizeof *triangle);
    if (scratch == NULL || triangle == NULL)
        return false;
    const uint32_t triangles = vp_hull_limit(all.place, all.vertices, &limits, scratch, triangle, &m->hull.error, &work);
    m->hull.work += work;
    if (m->hull.error == 0.0 || is_too_much(m)) /* no vertex is left out, or the work limit is exceeded */
        return true;
    const vp_vec3 *point = m->point;
    const uint32_t count = m->count;
    m->point = all.place;
    m->count = all.vertices;
    const bool found = find_facets(m, triangle, triangles);
    m->point = point;
    m->count = count;
    for (uint32_t v = 0; found && v < m->surface.vertices; v++)
        m->surface.vertex[v] = all.vertex[m->surface.vertex[v]];
    return found;
}

/* The same for a polygon's corners. @return number of corners left, 0 without memory */
static uint32_t keep_few_corners(making *m, uint32_t *corner, uint32_t corners)
{
    vp_hull_limits limits;
    uint64_t work;
    m->contained = m->point;
    m->contained_count = m->count;
    if (!find_limits(m, corners, &limits))
        return corners;
    void *scratch = vp_arena_take(&m->memory, vp_hull_limit_polygon_bytes(corners));
    if (scratch == NULL)
        return 0;
    const uint32_t left = vp_hull_limit_polygon(m->point, corner, corners, &limits, scratch, &m->hull.error, &work);
    m->hull.work += work;
    return left;
}

/* The facets of a polygon: two faces back to back. */
static bool find_sides(making *m, const uint32_t *corner, uint32_t corners)
{
    vp_hull_surface *s = &m->surface;
    vp_outline *o = &m->facets.outline;
    uint32_t *ring = vp_arena_take(&m->memory, corners * sizeof *ring), *order = vp_arena_take(&m->memory, corners * sizeof *order);
    m->facets = (vp_facets){.surface = s, .count = 2, .fold = vp_arena_take(&m->memory, 2)};
    if (ring == NULL || order == NULL || m->facets.fold == NULL || !allocate_outline(m, 2, 2 * corners, o) ||
        !allocate_surface(m, corners, 2 * corners - 4, s))
        return false;
    memset(m->facets.fold, 0, 2);
    vp_sort_corners(corner, corners, order, ring, s->vertex);
    for (uint32_t v = 0; v < corners; v++)
        s->place[v] = m->point[s->vertex[v]];

    /* The face whose second vertex from vertex 0 on is lower comes first. The other face starts with the vertex after 0
     * on the ring, so that the two fans have no inner edge in common. */
    const bool turned = ring[1] > ring[corners - 1];
    const uint32_t seen = turned ? corners : 0, away = corners - seen;
    const uint32_t seen_by = turned ? corners - 1 : 0, away_by = turned ? 0 : 1;
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t back = (corners - i) % corners;
        const uint32_t there = seen + (i + seen_by) % corners, here = away + (corners - 1 - i + away_by) % corners; /* same edge */
        o->from[there] = ring[i];
        o->face[there] = seen / corners;
        o->twin[there] = here;
        o->from[away + (i + away_by) % corners] = ring[back];
        o->face[here] = away / corners;
        o->twin[here] = there;
    }
    for (uint32_t f = 0; f <= 2; f++)
        o->first[f] = f * corners;
    vp_outline_cut(o, s);
    vp_surface_find_normals(s);
    return find_planes(m);
}

/* Joins facets that lie within the tolerance of a plane. */
static bool join_near(making *m)
{
    const vp_facets *f = &m->facets;
    bool any = false;
    for (uint32_t i = 0; i < f->count && !any; i++)
        any = (f->fold[i] & VP_FOLD_NEAR) != 0;
    if (!any || m->def->separate)
        return true;
    if (!ensure_outline(m))
        return false;
    const uint32_t vertices = m->surface.vertices, edges = f->outline.edges;
    uint32_t *label = vp_arena_take(&m->memory, f->count * sizeof *label);
    uint32_t *meet = vp_arena_take(&m->memory, vp_outline_scratch_words(f->count, edges, vertices) * sizeof *meet);
    if (label == NULL || meet == NULL)
        return false;
    const size_t near_bytes = vp_hull_label_near_bytes(f->count, vertices);
    void *near = vp_arena_take(&m->memory, near_bytes);
    if (near == NULL)
        return false;
    const uint32_t labels = vp_hull_label_near(f, m->tolerance, label, meet, near);
    vp_arena_give_back(&m->memory, near, near_bytes);
    if (labels == f->count)
        return true;
    uint32_t *face_of = vp_arena_take(&m->memory, labels * sizeof *face_of);
    if (face_of == NULL || !allocate_outline(m, labels, edges, &m->faces))
        return false;
    vp_outline_merge(&f->outline, label, labels, vertices, meet, meet + vertices, face_of, &m->faces);
    for (uint32_t i = 0; i < f->count; i++)
        label[i] = face_of[label[i]];
    m->joined = label;
    return true;
}

/* ---- writing the hull ---- */

/* A hull's arrays while they are written. */
typedef struct arrays {
    double (*plane)[4];
    uint32_t *vertex, (*triangle)[3], (*beside)[3], *face_of, *first_corner, *corner, *across;
} arrays;

static void *place_array(char *block, size_t *used, size_t bytes)
{
    void *piece_of_block = block != NULL ? block + *used : NULL;
    *used += (bytes + 15) / 16 * 16;
    return piece_of_block;
}

/* Places arrays in a block by the counts of a hull. The block may be NULL. @return bytes needed */
static size_t place_arrays(const vp_hull *h, char *block, arrays *a)
{
    size_t used = 0;
    a->plane = place_array(block, &used, h->face_count * sizeof *a->plane);
    a->vertex = place_array(block, &used, h->vertex_count * sizeof *a->vertex);
    a->triangle = place_array(block, &used, h->triangle_count * sizeof *a->triangle);
    a->beside = place_array(block, &used, h->triangle_count * sizeof *a->beside);
    a->face_of = place_array(block, &used, h->triangle_count * sizeof *a->face_of);
    a->first_corner = place_array(block, &used, ((size_t)h->face_count + 1) * sizeof *a->first_corner);
    a->corner = place_array(block, &used, h->corner_count * sizeof *a->corner);
    a->across = place_array(block, &used, h->corner_count * sizeof *a->across);
    return used;
}

/* Writes the faces' polygons and the face of each triangle. */
static void write_polygons(const making *m, const arrays *a)
{
    const vp_facets *f = &m->facets;
    if (m->joined == NULL && f->triangles) { /* polygons and triangles are the same */
        const size_t bytes = m->surface.triangles * sizeof *a->triangle;
        memcpy(a->corner, m->surface.corner, bytes);
        memcpy(a->across, m->surface.beside, bytes);
        for (uint32_t t = 0; t < f->count; t++) {
            a->face_of[t] = t;
            a->first_corner[t] = 3 * t;
        }
        a->first_corner[f->count] = 3 * f->count;
        return;
    }
    const vp_outline *o = m->joined != NULL ? &m->faces : &f->outline;
    if (f->triangles)
        memcpy(a->face_of, m->joined, f->count * sizeof *a->face_of);
    for (uint32_t i = 0; i < f->count && !f->triangles; i++) {
        const uint32_t end = i + 1 < f->count ? vp_facet_triangle(f, i + 1) : m->surface.triangles;
        for (uint32_t t = vp_facet_triangle(f, i); t < end; t++)
            a->face_of[t] = m->joined != NULL ? m->joined[i] : i;
    }
    memcpy(a->first_corner, o->first, ((size_t)o->faces + 1) * sizeof *a->first_corner);
    memcpy(a->corner, o->from, o->edges * sizeof *a->corner);
    for (uint32_t e = 0; e < o->edges; e++)
        a->across[e] = o->face[o->twin[e]];
}

/* Writes planes, with all vertices of a face's facets below. `part` has two words per face. */
static void write_planes(const making *m, const arrays *a, uint32_t *part)
{
    const vp_facets *f = &m->facets;
    const vp_hull_surface *s = &m->surface;
    if (m->joined == NULL) {
        memcpy(a->plane, f->plane, f->count * sizeof *a->plane);
        return;
    }
    const uint32_t several = UINT32_MAX;
    uint32_t *last = part + m->faces.faces;
    memset(part, 0xFF, m->faces.faces * sizeof *part);
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t face = m->joined[i];
        part[face] = i < part[face] ? i : part[face];
        last[face] = i;
    }
    for (uint32_t i = 0; i < m->faces.faces; i++) {
        const uint32_t corners = m->faces.first[i + 1] - m->faces.first[i], facet = part[i];
        if (facet == last[i] && f->outline.first[facet + 1] - f->outline.first[facet] == corners) {
            memcpy(a->plane[i], f->plane[facet], sizeof a->plane[i]); /* an unchanged facet */
        } else {
            part[i] = several;
            vp_hull_plane(&m->faces, i, s, vp_facet_triangle(f, facet), vp_facet_triangle(f, last[i]), a->plane[i]);
        }
    }
    if (s->triangles == m->faces.edges - 2 * m->faces.faces) /* as many as the polygons' fans have, so all vertices are corners */
        return;
    for (uint32_t t = 0; t < s->triangles; t++) {
        double *plane = a->plane[a->face_of[t]];
        for (int k = 0; k < 3 && part[a->face_of[t]] == several; k++) {
            const double reach = vp_hull_along(plane, s->place[s->corner[t][k]]);
            plane[3] = reach > plane[3] ? reach : plane[3];
        }
    }
}

/* Writes the hull into a block of its own, and measures it. */
static vp_status write_hull(making *m, vp_error *error)
{
    vp_hull *h = &m->hull;
    const vp_hull_surface *s = &m->surface;
    arrays a;
    uint32_t *part = vp_arena_take(&m->memory, (m->joined != NULL ? 2 * m->faces.faces : 0) * sizeof *part);
    void *contain = vp_arena_take(&m->memory, m->def->contain && s->triangles > 0 ? vp_hull_contain_bytes(m->contained_count) : 0);
    void *mass = vp_arena_take(&m->memory, vp_hull_measure_bytes(s->vertices));
    if (part == NULL || contain == NULL || mass == NULL)
        return report_no_memory(m, error);
    h->vertex_count = s->vertices;
    h->triangle_count = s->triangles;
    h->face_count = m->joined != NULL ? m->faces.faces : m->facets.count;
    h->corner_count = m->joined != NULL ? m->faces.edges : m->facets.triangles ? 3 * s->triangles : m->facets.outline.edges;
    h->block_bytes = place_arrays(h, NULL, &a);
    h->block = vp_allocate(m->memory.allocator, h->block_bytes, 1);
    if (h->block == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull of %u vertices", h->vertex_count);
    place_arrays(h, h->block, &a);
    for (uint32_t v = 0; v < s->vertices; v++)
        a.vertex[v] = m->source_index != NULL ? m->source_index[s->vertex[v]] : s->vertex[v];
    if (s->triangles > 0) {
        memcpy(a.triangle, s->corner, s->triangles * sizeof *a.triangle);
        memcpy(a.beside, s->beside, s->triangles * sizeof *a.beside);
        write_polygons(m, &a);
        write_planes(m, &a, part);
        uint64_t work = 0;
        if (m->def->contain)
            h->moved = vp_hull_contain(a.plane, h->face_count, m->contained, m->contained_count, contain, remaining_work_of(m), &work);
        h->work += work;
        if (is_too_much(m)) {
            vp_release(&h->allocator, h->block, h->block_bytes, 1);
            return report_too_much_work(m, error);
        }
    } else {
        a.first_corner[0] = 0;
    }
    h->plane = (const double(*)[4])a.plane;
    h->vertex = a.vertex;
    h->triangle = (const uint32_t(*)[3])a.triangle;
    h->neighbour = (const uint32_t(*)[3])a.beside;
    h->face_of = a.face_of;
    h->first_corner = a.first_corner;
    h->corner = a.corner;
    h->across = a.across;
    vp_hull_measure(h, s, mass);
    return VP_OK;
}

static vp_status finish_hull(making *m, vp_error *error)
{
    if (is_too_much(m))
        return report_too_much_work(m, error);
    return join_near(m) ? write_hull(m, error) : report_no_memory(m, error);
}

/* ---- dimensions ---- */

/* A point, or the ends of a line. */
static vp_status make_line(making *m, const uint32_t *corner, vp_error *error)
{
    const uint32_t count = m->hull.dimension + 1, turned = count == 2 && corner[0] > corner[1] ? 1 : 0;
    if (!allocate_surface(m, count, 0, &m->surface))
        return report_no_memory(m, error);
    for (uint32_t v = 0; v < count; v++) {
        m->surface.vertex[v] = corner[v ^ turned];
        m->surface.place[v] = m->point[corner[v ^ turned]];
    }
    m->facets = (vp_facets){.surface = &m->surface, .triangles = true};
    return finish_hull(m, error);
}

/* The axis along which a plane through three points is projected: its normal's largest component. */
static uint32_t axis_of(const vp_vec3 *p, const uint32_t corner[3])
{
    double normal[3];
    vp_normal3(p[corner[0]], p[corner[1]], p[corner[2]], normal);
    const double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static vp_status make_polygon(making *m, const uint32_t corner[3], uint64_t max_work, vp_error *error)
{
    const uint32_t count = m->count, axis = axis_of(m->point, corner);
    const vp_hull2_job build = {.point = m->point,
                                .count = count,
                                .axis = {(axis + 1) % 3, (axis + 2) % 3},
                                .max_work = max_work,
                                .scratch = vp_arena_take(&m->memory, vp_hull2_scratch_bytes(count)),
                                .corner = vp_arena_take(&m->memory, count * sizeof(uint32_t))};
    if (build.scratch == NULL || build.corner == NULL)
        return report_no_memory(m, error);
    const vp_hull2_result built = m->kernels->hull2(&build);
    m->hull.work += built.work;
    if (built.work > max_work)
        return report_too_much_work(m, error);
    const uint32_t corners = keep_few_corners(m, build.corner, built.corners);
    if (is_too_much(m)) /* then perhaps only two corners were chosen, which are no polygon */
        return report_too_much_work(m, error);
    return corners > 0 && find_sides(m, build.corner, corners) ? finish_hull(m, error) : report_no_memory(m, error);
}

/* @param thickness  of the set along the normal of its first three corners */
static vp_status make_solid(making *m, double thickness, uint64_t max_work, vp_error *error)
{
    enum { NEARLY = 16 }; /* times the tolerance: a set that is thicker than this by three of its points is not flat by any others */
    if (thickness > (double)NEARLY * m->tolerance)
        return keep_few(m) ? finish_hull(m, error) : report_no_memory(m, error);
    /* A plane through three points that are nearly on a line may be bad for the rest. If the set lies within the
     * tolerance of one of its own faces, three corners of that face define the plane instead. */
    const vp_hull_surface *s = &m->surface;
    void *scratch = vp_arena_take(&m->memory, vp_hull_label_near_bytes(m->facets.count, s->vertices));
    if (scratch == NULL)
        return report_no_memory(m, error);
    const uint32_t f = vp_hull_find_flat(&m->facets, m->tolerance, scratch);
    if (f == UINT32_MAX)
        return keep_few(m) ? finish_hull(m, error) : report_no_memory(m, error);
    const uint32_t *at = s->corner[vp_facet_triangle(&m->facets, f)], corner[3] = {s->vertex[at[0]], s->vertex[at[1]], s->vertex[at[2]]};
    m->hull.dimension = 2;
    return make_polygon(m, corner, max_work, error);
}

/* ---- the public functions ---- */

size_t vp_hull_scratch_bytes(uint32_t count)
{
    const size_t triangles = vp_hull3_max_triangles(count), edges = 3 * triangles, vertices = triangles / 2 + 2;
    const size_t aligned = 32 * 128; /* alignment of some thirty pieces */
    return vp_hull_filter_scratch_bytes(count) + count * (sizeof(vp_vec3) + sizeof(uint32_t)) + vp_hull3_scratch_bytes(count) +
           triangles * sizeof(vp_hull_triangle) + 2 * vp_surface_bytes(vertices, triangles) + vp_surface_scratch_bytes(count, triangles) +
           vp_hull_measure_bytes((uint32_t)vertices) + 3 * vp_outline_words(triangles, edges) * sizeof(uint32_t) +
           2 * vp_outline_scratch_words(triangles, edges, vertices) * sizeof(uint32_t) + 2 * vp_hull_label_near_bytes(triangles, vertices) +
           triangles * (4 * sizeof(uint32_t) + 2 + sizeof(double[5])) + vp_hull2_scratch_bytes(count) + count * sizeof(uint32_t) + aligned;
}

/* Leaves out points that lie inside, if there are many points. */
static bool filter_points(making *m)
{
    enum { MANY = 32768 };
    if (m->count < MANY)
        return true;
    const size_t scratch_bytes = vp_hull_filter_scratch_bytes(m->count);
    vp_vec3 *kept = vp_arena_take(&m->memory, m->count * sizeof *kept);
    uint32_t *from = vp_arena_take(&m->memory, m->count * sizeof *from);
    void *scratch = vp_arena_take(&m->memory, scratch_bytes);
    if (kept == NULL || from == NULL || scratch == NULL)
        return false;
    /* An average sample is allowed whatever the limit is, so that filtering does not make a sufficient limit insufficient. */
    const uint64_t max = m->def->max_work, easy = 256 * (uint64_t)vp_hull_filter_sample(m->count);
    const vp_hull_filtering filtering = {.point = m->point,
                                         .count = m->count,
                                         .bounds = &m->bounds,
                                         .flat = m->tolerance,
                                         .max_work = max > 0 && max < UINT64_MAX - easy ? max + easy : 0,
                                         .scratch = scratch,
                                         .kept = kept,
                                         .from = from};
    const uint32_t count = m->kernels->hull_filter(&filtering);
    if (count > 0) {
        m->point = kept;
        m->source_index = from;
        m->count = count;
        m->kernels->hull_bounds(kept, count, &m->bounds);
    }
    m->memory.next = scratch; /* free again */
    m->memory.bytes_left = scratch_bytes;
    return true;
}

static vp_status build_from_points(making *m, vp_error *error)
{
    const vp_hull_grown *grown = m->grown;
    if (grown == NULL && !filter_points(m))
        return report_no_memory(m, error);
    const uint32_t count = m->count;
    const size_t kernel_bytes = vp_arena_rounded(vp_hull3_scratch_bytes(count));
    const size_t triangle_bytes = vp_hull3_max_triangles(count) * sizeof(vp_hull_triangle);
    char *block = vp_arena_take(&m->memory, kernel_bytes + triangle_bytes);
    if (block == NULL)
        return report_no_memory(m, error);
    const uint64_t max_work = m->def->max_work != 0 ? m->def->max_work : UINT64_MAX;
    const vp_hull3_job build = {.point = m->point,
                                .count = count,
                                .bounds = &m->bounds,
                                .flat = m->tolerance,
                                .max_work = grown != NULL ? 0 : max_work, /* computes only the dimension */
                                .scratch = block,
                                .triangle = (vp_hull_triangle *)(void *)(block + kernel_bytes)};
    vp_hull3_result built = m->kernels->hull3(&build);
    if (grown != NULL) {
        built.triangles = grown->triangles;
        built.work = grown->work;
        built.cost = grown->cost;
    }
    m->memory.next = block; /* free again, up to the triangles */
    m->memory.bytes_left = kernel_bytes;
    m->hull.dimension = built.dimension;
    m->hull.work = built.work;
    m->hull.cost = built.cost;
    if (built.work > max_work)
        return report_too_much_work(m, error);
    if (built.dimension == 2)
        return make_polygon(m, built.corner, max_work - built.work, error);
    if (built.dimension < 2)
        return make_line(m, built.corner, error);
    if (!find_facets(m, grown != NULL ? grown->triangle : build.triangle, built.triangles))
        return report_no_memory(m, error);
    m->memory.bytes_left += triangle_bytes; /* the triangles, which lay after the free part */
    return make_solid(m, built.thickness, max_work - built.work, error);
}

/* Likewise for up to VP_WRAP_POINTS points without a limit of work, mostly without memory from the allocator. */
static vp_status build_small(making *m, vp_error *error)
{
    alignas(64) char memory[16 * 1024];
    const vp_hull3_job job = {.point = m->point, .count = m->count, .bounds = &m->bounds, .flat = m->tolerance};
    uint32_t corner[4];
    double thickness;
    vp_wrapped wrapped;
    m->memory.next = memory;
    m->memory.bytes_left = sizeof memory;
    m->hull.cost.looked = 2 * (uint64_t)m->count;
    m->hull.dimension = vp_hull_find_simplex(&job, corner, &thickness);
    if (m->hull.dimension == 2)
        return make_polygon(m, corner, UINT64_MAX, error);
    if (m->hull.dimension < 2)
        return make_line(m, corner, error);
    vp_hull_wrap(m->point, m->count, &m->bounds, &wrapped);
    m->hull.work = wrapped.work;
    m->hull.cost.looked += wrapped.work;
    m->hull.cost.faces = wrapped.faces;
    return find_wrapped_facets(m, &wrapped) ? make_solid(m, thickness, UINT64_MAX, error) : report_no_memory(m, error);
}

/* Builds a hull from the points' bounds, and from existing triangles if any. */
static vp_status build_hull(making *m, vp_hull *out, vp_error *error)
{
    const vp_hull_def *def = m->def;
    const double side[3] = {(double)m->bounds.max.x - (double)m->bounds.min.x, (double)m->bounds.max.y - (double)m->bounds.min.y,
                            (double)m->bounds.max.z - (double)m->bounds.min.z};
    m->hull.tolerance = def->tolerance > 0.0f ? def->tolerance : vp_hull_tolerance(&m->bounds);
    m->longest = fmax(fmax(side[0], side[1]), side[2]);
    m->tolerance = fmax((double)m->hull.tolerance, m->longest * 0x1p-40);
    m->hull.tolerance = (float)m->tolerance;
    m->hull.allocator = vp_allocator_or_default(def->allocator);
    m->memory.allocator = &m->hull.allocator;
    const vp_status status =
        m->count <= VP_WRAP_POINTS && m->grown == NULL && m->def->max_work == 0 ? build_small(m, error) : build_from_points(m, error);
    vp_arena_release(&m->memory);
    if (status != VP_OK)
        return status;
    *out = m->hull;
    return vp_succeed(error);
}

vp_status vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    making m = {.def = def, .point = def->point, .count = def->count, .kernels = def->kernels};
    vp_kernels best;
    VP_RETURN_IF_FAILED(vp_hull_check_count(def->point, def->count, error));
    VP_RETURN_IF_FAILED(vp_hull_check_wishes(def, error));
    if (def->kernels == NULL)
        VP_RETURN_IF_FAILED(vp_kernels_default(&best, error));
    if (def->kernels == NULL)
        m.kernels = &best;
    m.kernels->hull_bounds(def->point, def->count, &m.bounds);
    return m.bounds.bad != VP_HULL_NONE ? vp_hull_name_bad(def->point, m.bounds.bad, error) : build_hull(&m, out, error);
}

vp_status vp_hull_create_grown(const vp_hull_def *def, const vp_hull_bounds *bounds, const vp_hull_grown *grown, vp_hull *out,
                               vp_error *error)
{
    making m = {.def = def, .point = def->point, .count = def->count, .kernels = def->kernels, .bounds = *bounds, .grown = grown};
    return build_hull(&m, out, error);
}

void vp_hull_destroy(vp_hull *hull)
{
    if (hull == NULL)
        return;
    vp_release(&hull->allocator, hull->block, hull->block_bytes, 1);
    memset(hull, 0, sizeof *hull);
}
