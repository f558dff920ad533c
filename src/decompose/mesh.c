/* SPDX-License-Identifier: MIT */
/* The mesh of a decomposition. Vertices are in the order of their coordinates, and joined. Triangles are in the order
   of their vertices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

static const vp_vec3 *corner_of(const vp_decomposition_def *def, uint32_t triangle, int k)
{
    return &def->point[def->triangle[triangle][k]];
}

double vp_decompose_extent(const vp_decomposition_def *def)
{
    vp_vec3 low = *corner_of(def, 0, 0), high = low;
    for (uint32_t t = 0; t < def->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            low = vp_vec3_min(low, *corner_of(def, t, k));
            high = vp_vec3_max(high, *corner_of(def, t, k));
        }
    const double side[3] = {(double)high.x - (double)low.x, (double)high.y - (double)low.y, (double)high.z - (double)low.z};
    return fmax(fmax(side[0], side[1]), side[2]);
}

/* ---- vertices ---- */

typedef struct placed_vertex {
    vp_vec3 position;
    uint32_t point;
} placed_vertex;

static int compare_at(vp_vec3 a, vp_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    return 0;
}

static int compare_places(const void *a, const void *b)
{
    const placed_vertex *p = a, *q = b;
    const int at = compare_at(p->position, q->position);
    return at != 0 ? at : p->point < q->point ? -1 : p->point > q->point;
}

/* Lists the points that triangles have, sorted. @return their number */
static uint32_t list_places(const vp_decomposition_def *def, uint32_t *number, placed_vertex *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < def->point_count; i++)
        number[i] = VP_DECOMPOSE_NONE;
    for (uint32_t t = 0; t < def->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t i = def->triangle[t][k];
            if (number[i] != VP_DECOMPOSE_NONE)
                continue;
            const vp_vec3 p = def->point[i];
            number[i] = 0;
            out[count++] = (placed_vertex){{p.x + 0.0f, p.y + 0.0f, p.z + 0.0f}, i}; /* no -0 */
        }
    qsort(out, count, sizeof *out, compare_places);
    return count;
}

/* Joins places. `number` maps each input point that triangles have to its vertex, before and after. `place` is sorted,
   and all differ. scratch and joins have room. */
static void join_places(vp_decomposing *d, uint32_t places, void *scratch, uint32_t *joins)
{
    vp_decompose_mesh *m = &d->mesh;
    const vp_weld_job job = {.point = m->vertex, .count = places, .distance = d->lengths.quantization, .scratch = scratch, .joins = joins};
    m->input.vertices = d->kernels.weld(&job);
    m->input.joined = places - m->input.vertices;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < places; i++) { /* the place that another joins comes before it, and has its number already */
        if (joins[i] != i) {
            joins[i] = joins[joins[i]];
            continue;
        }
        m->vertex[kept] = m->vertex[i];
        m->input_point[kept] = m->input_point[i];
        joins[i] = kept++;
    }
}

static vp_status report_no_memory(const vp_decomposing *d, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to decompose a mesh of %u triangles", d->def->triangle_count);
}

/* Reads vertices. `number` receives the vertex of each input point that triangles have. */
static bool read_vertices(vp_decomposing *d, uint32_t *number)
{
    vp_decompose_mesh *m = &d->mesh;
    const vp_decomposition_def *def = d->def;
    const uint32_t corners = def->triangle_count * 3, max = def->point_count < corners ? def->point_count : corners;
    placed_vertex *sorted = vp_decompose_borrow(d, max, sizeof *sorted);
    bool done = false;
    if (sorted != NULL) {
        const uint32_t count = list_places(def, number, sorted);
        m->vertex = vp_arena_take(&d->memory, count * sizeof *m->vertex);
        m->input_point = vp_arena_take(&d->memory, count * sizeof *m->input_point);
        uint32_t places = 0;
        for (uint32_t i = 0; i < count && m->vertex != NULL && m->input_point != NULL; i++) {
            if (i == 0 || compare_at(sorted[i].position, sorted[i - 1].position) != 0) {
                m->vertex[places] = sorted[i].position;
                m->input_point[places++] = sorted[i].point;
            }
            number[sorted[i].point] = places - 1;
        }
        const size_t scratch_bytes = vp_weld_scratch_bytes(places);
        uint32_t *joins = vp_decompose_borrow(d, places, sizeof *joins); /* also NULL if there are no places */
        void *scratch = vp_decompose_borrow(d, scratch_bytes, 1);
        if (joins != NULL && scratch != NULL) {
            join_places(d, places, scratch, joins);
            for (uint32_t i = 0; i < count; i++)
                number[sorted[i].point] = joins[number[sorted[i].point]];
            done = true;
        }
        vp_decompose_give_back(d, scratch, scratch_bytes, 1);
        vp_decompose_give_back(d, joins, places, sizeof *joins);
    }
    vp_decompose_give_back(d, sorted, max, sizeof *sorted);
    return done;
}

/* ---- triangles ---- */

typedef struct corners {
    uint32_t vertex[3];
    uint32_t input;
} corners;

static int compare_corners(const void *a, const void *b)
{
    const corners *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->vertex[k] != q->vertex[k])
            return p->vertex[k] < q->vertex[k] ? -1 : 1;
    return p->input < q->input ? -1 : p->input > q->input;
}

/* A triangle rotated to its lowest vertex. One of two vertices becomes (a, b, b) with a < b. */
static corners rotate_corners(uint32_t a, uint32_t b, uint32_t c, uint32_t input)
{
    if (a == b || b == c || c == a) {
        const uint32_t low = a < b ? (a < c ? a : c) : b < c ? b : c, high = a > b ? (a > c ? a : c) : b > c ? b : c;
        return (corners){{low, high, high}, input};
    }
    if (a < b && a < c)
        return (corners){{a, b, c}, input};
    return b < c ? (corners){{b, c, a}, input} : (corners){{c, a, b}, input};
}

static bool read_triangles(vp_decomposing *d, const uint32_t *number)
{
    vp_decompose_mesh *m = &d->mesh;
    const uint32_t count = d->def->triangle_count;
    corners *sorted = vp_decompose_borrow(d, count, sizeof *sorted);
    m->triangle = vp_arena_take(&d->memory, count * sizeof *m->triangle);
    m->input_triangle = vp_arena_take(&d->memory, count * sizeof *m->input_triangle);
    m->node_of = vp_arena_take(&d->memory, count * sizeof *m->node_of);
    m->copies = vp_arena_take(&d->memory, count * sizeof *m->copies);
    const bool there = sorted != NULL && m->triangle != NULL && m->input_triangle != NULL && m->node_of != NULL && m->copies != NULL;
    for (uint32_t t = 0; t < count && there; t++) {
        const uint32_t *corner = d->def->triangle[t];
        sorted[t] = rotate_corners(number[corner[0]], number[corner[1]], number[corner[2]], t);
    }
    if (there)
        qsort(sorted, count, sizeof *sorted, compare_corners);
    uint32_t unique = 0;
    for (uint32_t i = 0; i < count && there; i++) {
        if (i == 0 || memcmp(sorted[i].vertex, sorted[i - 1].vertex, sizeof sorted[i].vertex) != 0) {
            memcpy(m->triangle[unique], sorted[i].vertex, sizeof sorted[i].vertex);
            m->copies[unique] = 1;
            m->input_triangle[unique++] = sorted[i].input;
        } else {
            m->copies[unique - 1]++;
            if (m->input.duplicates++ == 0)
                m->input.first_duplicate = sorted[i].input;
        }
        m->node_of[sorted[i].input] = unique - 1;
    }
    m->input.triangles = unique;
    vp_decompose_give_back(d, sorted, count, sizeof *sorted);
    return there;
}

/* ---- normals ---- */

static void subtract_points(vp_vec3 a, vp_vec3 b, double out[3])
{
    out[0] = (double)b.x - (double)a.x;
    out[1] = (double)b.y - (double)a.y;
    out[2] = (double)b.z - (double)a.z;
}

static double length(const double v[3])
{
    return sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

/* Sets areas, and the normals of triangles that are higher than the quantization. */
static void find_normals(vp_decomposing *d)
{
    vp_decompose_mesh *m = &d->mesh;
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        const vp_vec3 a = m->vertex[m->triangle[t][0]], b = m->vertex[m->triangle[t][1]], c = m->vertex[m->triangle[t][2]];
        double u[3], v[3], w[3];
        subtract_points(a, b, u);
        subtract_points(a, c, v);
        subtract_points(b, c, w);
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        const double twice = length(n), longest = fmax(fmax(length(u), length(v)), length(w));
        const bool flat = twice <= longest * d->lengths.quantization;
        m->area[t] = twice / 2;
        for (int k = 0; k < 3; k++)
            m->normal[t][k] = flat ? 0.0 : n[k] / twice;
        if (flat && m->input.degenerate++ == 0)
            m->input.first_degenerate = m->input_triangle[t];
    }
}

vp_status vp_decompose_read(vp_decomposing *d, vp_error *error)
{
    vp_decompose_mesh *m = &d->mesh;
    uint32_t *number = vp_decompose_borrow(d, d->def->point_count, sizeof *number);
    bool done = number != NULL && read_vertices(d, number) && read_triangles(d, number);
    vp_decompose_give_back(d, number, d->def->point_count, sizeof *number);
    if (done) {
        m->normal = vp_arena_take(&d->memory, m->input.triangles * sizeof *m->normal);
        m->area = vp_arena_take(&d->memory, m->input.triangles * sizeof *m->area);
        done = m->normal != NULL && m->area != NULL;
    }
    if (!done)
        return report_no_memory(d, error);
    find_normals(d);
    return vp_decompose_connect(d, error);
}
