/* SPDX-License-Identifier: MIT */
/* The faces of a hull under construction, for hull_body.h: their planes with bounds of rounding, the horizon of a
 * point, and the cone of new faces between them. */
#ifndef VP_OPTIMIZED_HULL_HULL_FACES_BODY_H
#define VP_OPTIMIZED_HULL_HULL_FACES_BODY_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "src/core/exact.h"
#include "optimized/simd/native.h"
#include "src/core/inline.h"

enum { TOGETHER = 128, SLACK = 64 }; /* points that are moved together; extra elements of arrays of points that may be read or written */

typedef struct hull_plane {
    double n[3];   /* of length 1, to 4 % */
    double lo, hi; /* p is above if n.p is above lo; below or on the plane if it is at most hi */
} hull_plane;

typedef struct hull_face {
    hull_plane plane;
    uint32_t through[3]; /* points that define the plane exactly */
    uint32_t vertex[3];
    uint32_t beside[3];    /* neighbour across the edge from vertex[i] to the next: 4*face + its number of that edge */
    uint32_t begin, count; /* its piece of the points */
    uint32_t link;         /* the next visible, new or free face */
    uint32_t before, after;
    uint32_t state; /* one of those below, or the edge over which a visible face was reached */
} hull_face;

enum { FACE_STANDS = 3, FACE_FREE = 4 };

/* Planes one after the other, by components, with room for a vector more. */
typedef struct hull_planes {
    double *n[3], *lo, *hi;
} hull_planes;

typedef struct hull_points {
    float *x, *y, *z;
    uint32_t *id;
} hull_points;

typedef struct hull_piece {
    uint32_t begin, count;
} hull_piece;

typedef struct hull_builder {
    const vp_hull3_job *to;
    double reach[3], side[3]; /* box: largest absolute value of a coordinate, extent */
    hull_points p;
    vp_vec3 inside;    /* a point inside the hull */
    bool has_inside;   /* false if `inside` is not set yet */
    size_t used, room; /* elements in use, and allocated, of the arrays of points */
    hull_face *face;
    hull_planes cone;  /* of the new faces, in order */
    double *special;   /* for new faces, while their planes are made */
    float *ring[3];    /* positions of the horizon's vertices, with the first one again at the end */
    uint32_t *label;   /* for each point of visible faces, in sequence */
    uint32_t *horizon; /* edges in order: 8*face + 2*edge of the face that remains, + 1 if the apex is in its plane */
    uint32_t *order;   /* faces that own points, while they are moved together; new faces */
    uint32_t *vertex;  /* for each edge of the horizon, the vertex where its new face begins; in the memory of `label` */
    hull_piece *piece; /* pieces of visible faces */
    uint32_t free, faces, first, last;
    uint64_t work;
    vp_hull_cost cost;
} hull_builder;

static const uint32_t LABEL_INSIDE = (uint32_t)-1, LABEL_UNSURE = (uint32_t)-2;

/* ---- planes ---- */

static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void from_to3(vp_vec3 a, vp_vec3 b, double out[3])
{
    out[0] = (double)b.x - (double)a.x;
    out[1] = (double)b.y - (double)a.y;
    out[2] = (double)b.z - (double)a.z;
}

/* p is above the plane if n.p is above lo, and below or on it if n.p is at most hi. */
static void set_plane(const hull_planes *to, uint32_t i, const hull_plane *plane)
{
    for (int k = 0; k < 3; k++)
        to->n[k][i] = plane->n[k];
    to->lo[i] = plane->lo;
    to->hi[i] = plane->hi;
}

/* Makes the plane through three points, and the bound of a sum's error anywhere in the box. The bound has two terms.
   The normal is rounded to 2^-51 of the sizes of its subtracted terms, times the distance from the first point. The sum
   is rounded to 2^-51 of its terms. */
static void make_plane(const hull_builder *b, hull_face *f)
{
    const vp_vec3 *p = b->to->point, a = p[f->through[0]];
    const double at[3] = {(double)a.x, (double)a.y, (double)a.z};
    double u[3], v[3], n[3], wrong = 0.0, size = 0.0;
    from_to3(a, p[f->through[1]], u);
    from_to3(a, p[f->through[2]], v);
    cross3(u, v, n);
    const double length = sqrt(dot3(n, n));
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double sizes = fabs(u[i] * v[j]) + fabs(u[j] * v[i]);
        if (u[k] == 0.0 && v[k] == 0.0 && fabs(n[k]) > sizes * 0x1p-50) {
            f->plane = (hull_plane){{0.0, 0.0, 0.0}, 0.0, 0.0}; /* all three have this coordinate, so the other terms are 0 */
            f->plane.n[k] = n[k] > 0.0 ? 1.0 : -1.0;
            f->plane.lo = f->plane.hi = f->plane.n[k] * at[k];
            return;
        }
        wrong += sizes * b->side[k];
    }
    if (!(length > 0.0)) { /* only rounding errors remain, so every point must be decided exactly */
        f->plane = (hull_plane){{0.0, 0.0, 0.0}, INFINITY, -INFINITY};
        return;
    }
    for (int k = 0; k < 3; k++) {
        f->plane.n[k] = n[k] / length;
        size += fabs(f->plane.n[k]) * b->reach[k];
    }
    const double d = dot3(f->plane.n, at), bound = (wrong / length + size) * 0x1p-49;
    f->plane.lo = d + bound;
    f->plane.hi = d - bound;
}

/* The same for the faces between a ring of points and an apex, F64N at a time. Normals get a length of nearly 1
   without a root. That is enough to compare distances above two faces, and the bound is that of the actual normal.
   Faces whose plane is perpendicular to an axis, and those that consist of rounding errors, are left to make_plane.
   @param special marks these; it has room for a vector more @return whether any exist */
static bool make_planes(const hull_builder *b, vp_vec3 apex, uint32_t count, double *special)
{
    const double top[3] = {(double)apex.x, (double)apex.y, (double)apex.z};
    m64n any = m64n_zero();
    for (uint32_t i = 0; i < count; i += F64N) {
        f64n at[3], u[3], v[3], n[3], wrong = f64n_set1(0.0), size = f64n_set1(0.0), flat = f64n_set1(INFINITY);
        for (int k = 0; k < 3; k++) {
            at[k] = f64n_load_f32(b->ring[k] + i);
            u[k] = f64n_sub(f64n_load_f32(b->ring[k] + i + 1), at[k]);
            v[k] = f64n_sub(f64n_set1(top[k]), at[k]);
            const f64n across = f64n_add(f64n_abs(u[k]), f64n_abs(v[k]));
            flat = f64n_select(f64n_cmp_gt(flat, across), across, flat);
        }
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            const f64n up = f64n_mul(u[p], v[q]), down = f64n_mul(u[q], v[p]);
            n[k] = f64n_sub(up, down);
            wrong = f64n_add(wrong, f64n_mul(f64n_add(f64n_abs(up), f64n_abs(down)), f64n_set1(b->side[k])));
        }
        const f64n square = f64n_add(f64n_add(f64n_mul(n[0], n[0]), f64n_mul(n[1], n[1])), f64n_mul(n[2], n[2]));
        const f64n per_length = f64n_rsqrt_estimate(square);
        f64n d = f64n_set1(0.0);
        for (int k = 0; k < 3; k++) {
            n[k] = f64n_mul(n[k], per_length);
            size = f64n_add(size, f64n_mul(f64n_abs(n[k]), f64n_set1(b->reach[k])));
            d = f64n_add(d, f64n_mul(n[k], at[k]));
            f64n_store(b->cone.n[k] + i, n[k]);
        }
        const f64n bound = f64n_mul(f64n_add(f64n_mul(wrong, per_length), size), f64n_set1(0x1p-49));
        f64n_store(b->cone.lo + i, f64n_add(d, bound));
        f64n_store(b->cone.hi + i, f64n_sub(d, bound));
        const m64n plain = m64n_and(f64n_cmp_gt(flat, f64n_set1(0.0)), f64n_cmp_gt(square, f64n_set1(0x1p-900)));
        const f64n is_special = f64n_select(plain, f64n_set1(0.0), f64n_set1(1.0));
        any = m64n_or(any, f64n_cmp_gt(is_special, f64n_set1(0.0)));
        f64n_store(special + i, is_special);
    }
    return m64n_any(any);
}

/* Whether a point lies above a face's plane (1), on it (0), or below (-1). `at` is its position. */
VP_INLINE int side_of(const hull_builder *b, const hull_face *f, uint32_t point, const double at[3])
{
    const double h = dot3(f->plane.n, at);
    if (h > f->plane.lo)
        return 1;
    if (h < f->plane.hi)
        return -1;
    if (f->plane.lo == f->plane.hi)
        return 0;
    const vp_vec3 *p = b->to->point;
    return vp_orient3d(p[f->through[0]], p[f->through[1]], p[f->through[2]], p[point]);
}

/* ---- faces ---- */

static uint32_t new_face(hull_builder *b, uint32_t v0, uint32_t v1, uint32_t v2)
{
    uint32_t f = b->free;
    if (f != VP_HULL_NONE)
        b->free = b->face[f].link;
    else
        f = b->faces++;
    b->cost.faces++;
    hull_face *made = &b->face[f];
    made->vertex[0] = made->through[0] = v0;
    made->vertex[1] = made->through[1] = v1;
    made->vertex[2] = made->through[2] = v2;
    made->count = 0;
    made->state = FACE_STANDS;
    made->link = VP_HULL_NONE;
    return f;
}

static void enter_list(hull_builder *b, uint32_t f)
{
    b->face[f].after = VP_HULL_NONE;
    b->face[f].before = b->last;
    if (b->last != VP_HULL_NONE)
        b->face[b->last].after = f;
    else
        b->first = f;
    b->last = f;
}

static void leave_list(hull_builder *b, uint32_t f)
{
    const hull_face *left = &b->face[f];
    if (left->before != VP_HULL_NONE)
        b->face[left->before].after = left->after;
    else
        b->first = left->after;
    if (left->after != VP_HULL_NONE)
        b->face[left->after].before = left->before;
    else
        b->last = left->before;
}

/* ---- steps 2 and 3 of the reference ---- */

static uint32_t next_edge(uint32_t edge)
{
    return edge == 2 ? 0 : edge + 1;
}

/* Appends an edge to the horizon. `from` is 8*face + 2*edge of the face that remains, + 1 if the apex is in its plane.
   The new face on the edge begins at vertex `v`. */
VP_INLINE void add_to_horizon(const hull_builder *b, uint32_t place, uint32_t from, uint32_t v)
{
    const vp_vec3 p = b->to->point[v];
    b->horizon[place] = from;
    b->vertex[place] = v;
    b->ring[0][place] = p.x;
    b->ring[1][place] = p.y;
    b->ring[2][place] = p.z;
}

/* Finds the horizon of an apex, and links the visible faces. The visible faces are a disc. The walk goes from one to
   the next over edges that lead to an unvisited one, keeping to the right, and back over the same edge when a face's
   others are done. So it passes the edges of the horizon in order. @return the number of edges of the horizon */
static uint32_t find_horizon(hull_builder *b, uint32_t from, uint32_t apex)
{
    const vp_vec3 p = b->to->point[apex];
    const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
    uint32_t last = from, edges = 0, asked = 0, f = from, edge = 0;
    hull_face *face = b->face;
    face[from].state = 0;
    face[from].link = VP_HULL_NONE;
    for (;;) {
        const uint32_t beyond = face[f].beside[edge], g = beyond / 4;
        if (face[g].state >= FACE_STANDS) {
            const int side = side_of(b, &face[g], apex, at);
            asked++;
            if (side > 0) {
                face[g].state = beyond % 4;
                face[g].link = VP_HULL_NONE;
                face[last].link = g;
                last = g;
                f = g;
                edge = next_edge(beyond % 4);
                continue;
            }
            add_to_horizon(b, edges++, 2 * beyond + (side == 0), face[f].vertex[edge]);
        }
        edge = next_edge(edge);
        while (edge == face[f].state && f != from) {
            const uint32_t back = face[f].beside[edge];
            f = back / 4;
            edge = next_edge(back % 4);
        }
        if (f == from && edge == 0)
            break;
    }
    b->work += asked;
    return edges;
}

/* Makes new faces between the horizon and the apex. Their numbers go to `order`. */
static void make_cone(hull_builder *b, uint32_t edges, uint32_t apex)
{
    uint32_t *order = b->order;
    const uint32_t *vertex = b->vertex;
    const vp_vec3 *p = b->to->point;
    double *special = b->special;
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i <= F64N; i++)
            b->ring[k][edges + i] = b->ring[k][0];
    const bool any = make_planes(b, p[apex], edges, special);

    uint32_t before = VP_HULL_NONE;
    for (uint32_t i = 0; i < edges; i++) {
        const uint32_t from = b->horizon[i], v = vertex[i], to = vertex[i + 1 < edges ? i + 1 : 0], f = new_face(b, v, to, apex);
        hull_face *made = &b->face[f], *stands = &b->face[from / 8];
        made->beside[0] = from / 2;
        stands->beside[from / 2 % 4] = 4 * f;
        if (from % 2 != 0) { /* in its neighbour's plane */
            made->plane = stands->plane;
            memcpy(made->through, stands->through, sizeof made->through);
            set_plane(&b->cone, i, &made->plane);
        } else if (any && special[i] > 0.0) {
            make_plane(b, made);
            set_plane(&b->cone, i, &made->plane);
        } else {
            made->plane = (hull_plane){{b->cone.n[0][i], b->cone.n[1][i], b->cone.n[2][i]}, b->cone.lo[i], b->cone.hi[i]};
        }
        if (i > 0) {
            made->beside[2] = 4 * before + 1;
            b->face[before].beside[1] = 4 * f + 2;
        }
        order[i] = f;
        before = f;
    }
    b->face[order[0]].beside[2] = 4 * before + 1;
    b->face[before].beside[1] = 4 * order[0] + 2;
}

#endif
