/* SPDX-License-Identifier: MIT */
/* Sorts a hull's triangles, and finds triangles in one plane: see hull/surface.h. */
#include "src/hull/surface.h"

#include <math.h>
#include <string.h>

#include "src/core/exact.h"

static size_t round_bytes(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

size_t vp_surface_bytes(size_t vertices, size_t triangles)
{
    return round_bytes(triangles * sizeof(double[4])) + 2 * round_bytes(triangles * sizeof(uint32_t[3])) +
           round_bytes(vertices * sizeof(uint32_t)) + round_bytes(vertices * sizeof(vp_vec3));
}

void vp_surface_lay(vp_hull_surface *s, uint32_t vertices, uint32_t triangles, void *memory)
{
    char *at = memory;
    *s = (vp_hull_surface){.vertices = vertices, .triangles = triangles};
    s->normal = (double(*)[4])(void *)at;
    at += round_bytes(triangles * sizeof *s->normal);
    s->corner = (uint32_t(*)[3])(void *)at;
    at += round_bytes(triangles * sizeof *s->corner);
    s->beside = (uint32_t(*)[3])(void *)at;
    at += round_bytes(triangles * sizeof *s->beside);
    s->vertex = (uint32_t *)(void *)at;
    at += round_bytes(vertices * sizeof *s->vertex);
    s->place = (vp_vec3 *)(void *)at;
}

/* ---- the order ---- */

/* Numbers the points that are corners of triangles, in ascending order. `rank` of such a point is its number. The rest
 * of `rank` is undefined.
 * @return number of vertices */
static uint32_t number_vertices(const vp_hull_triangle *triangle, uint32_t triangles, uint32_t points, uint8_t *used, uint32_t *rank,
                                uint32_t *vertex)
{
    const uint32_t end = (points + 7) / 8 * 8;
    uint32_t vertices = 0;
    memset(used, 0, end);
    for (uint32_t t = 0; t < triangles; t++)
        for (int i = 0; i < 3; i++)
            used[triangle[t].vertex[i]] = 1;
    for (uint32_t p = 0; p < end; p += 8) {
        uint64_t eight;
        memcpy(&eight, used + p, sizeof eight);
        if (eight == 0)
            continue;
        for (uint32_t q = p; q < p + 8; q++)
            if (used[q] != 0) {
                rank[q] = vertices;
                vertex[vertices++] = q;
            }
    }
    return vertices;
}

/* A triangle with its corners rotated. */
typedef struct turned {
    uint32_t corner[3];
    uint32_t shift; /* the kernel's corner that is first now */
} turned;

size_t vp_surface_scratch_bytes(size_t points, size_t triangles)
{
    const size_t vertices = triangles / 2 + 2;
    return round_bytes(triangles * sizeof(turned)) + 2 * round_bytes(triangles * sizeof(uint32_t)) +
           2 * round_bytes((vertices + 2) * sizeof(uint32_t)) + round_bytes(points * sizeof(uint32_t)) + round_bytes(points + 8);
}

void vp_surface_sort(const vp_hull_triangle *triangle, const vp_vec3 *point, uint32_t points, void *scratch, vp_hull_surface *out)
{
    static const uint8_t next[5] = {0, 1, 2, 0, 1};
    const uint32_t triangles = out->triangles;
    char *memory = scratch;
    turned *from = scratch;
    memory += round_bytes(triangles * sizeof *from);
    uint32_t *order = (uint32_t *)(void *)memory;
    memory += round_bytes(triangles * sizeof *order);
    uint32_t *number = (uint32_t *)(void *)memory; /* new index of each triangle */
    memory += round_bytes(triangles * sizeof *number);
    uint32_t *start = (uint32_t *)(void *)memory; /* for each vertex, the start of the triangles that have it as first corner */
    uint32_t *second = start + triangles / 2 + 4;
    memory += round_bytes(2 * (triangles / 2 + 4) * sizeof *start);
    uint32_t *rank = (uint32_t *)(void *)memory;
    memory += round_bytes(points * sizeof *rank);

    out->vertices = number_vertices(triangle, triangles, points, (uint8_t *)memory, rank, out->vertex);
    for (uint32_t v = 0; v < out->vertices; v++)
        out->place[v] = point[out->vertex[v]];
    memset(start, 0, 2 * (triangles / 2 + 4) * sizeof *start);
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t r[3] = {rank[triangle[t].vertex[0]], rank[triangle[t].vertex[1]], rank[triangle[t].vertex[2]]};
        const uint32_t two = r[1] < r[0], by = r[2] < r[two] ? 2 : two;
        from[t] = (turned){{r[by], r[next[by + 1]], r[next[by + 2]]}, by};
        start[from[t].corner[0] + 1]++;
        second[from[t].corner[1] + 1]++;
    }
    for (uint32_t v = 1; v < out->vertices; v++) {
        start[v] += start[v - 1];
        second[v] += second[v - 1];
    }
    for (uint32_t t = 0; t < triangles; t++)
        number[second[from[t].corner[1]]++] = t;
    for (uint32_t i = 0; i < triangles; i++)
        order[start[from[number[i]].corner[0]]++] = number[i];
    for (uint32_t i = 0; i < triangles; i++)
        number[order[i]] = i;
    for (uint32_t i = 0; i < triangles; i++) {
        const turned *t = &from[order[i]];
        const uint32_t *beside = triangle[order[i]].neighbour, by = t->shift;
        memcpy(out->corner[i], t->corner, sizeof t->corner);
        out->beside[i][0] = number[beside[by]];
        out->beside[i][1] = number[beside[next[by + 1]]];
        out->beside[i][2] = number[beside[next[by + 2]]];
    }
}

/* ---- planes ---- */

void vp_surface_find_normals(vp_hull_surface *s)
{
    for (uint32_t t = 0; t < s->triangles; t++) {
        double *n = s->normal[t];
        vp_normal3(s->place[s->corner[t][0]], s->place[s->corner[t][1]], s->place[s->corner[t][2]], n);
        n[3] = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    }
}

/* The corner of a triangle that is not an end of an edge. */
static uint32_t find_far_corner(const uint32_t corner[3], uint32_t a, uint32_t b)
{
    return corner[0] + corner[1] + corner[2] - a - b;
}

/* The edge that a neighbour shares with a triangle. */
static uint32_t find_shared_edge(const vp_hull_surface *s, uint32_t neighbour, uint32_t t)
{
    uint32_t k = 0;
    while (s->beside[neighbour][k] != t)
        k++;
    return k;
}

/* Classifies edge i of a triangle. The corner beyond it is `off` the plane, times the normal's length. Up to `rounding`
 * the exact test decides whether it is in the plane. The test runs only for the first of two triangles.
 * @return the fold bits found */
static uint8_t classify_edge(const vp_hull_surface *s, uint32_t t, uint32_t i, uint32_t far, double off, double rounding, double near,
                             uint8_t *fold)
{
    const uint32_t u = s->beside[t][i], *corner = s->corner[t];
    if (t < u && off <= rounding && vp_orient3d(s->place[corner[0]], s->place[corner[1]], s->place[corner[2]], s->place[far]) == 0) {
        fold[t] |= (uint8_t)(1u << i);
        fold[u] |= (uint8_t)(1u << find_shared_edge(s, u, t));
        return VP_FOLD_NONE;
    }
    if (off > near)
        return 0;
    fold[t] |= VP_FOLD_NEAR;
    fold[u] |= VP_FOLD_NEAR;
    return VP_FOLD_NEAR;
}

uint8_t vp_surface_find_folds(const vp_hull_surface *s, double near, double longest, uint8_t *fold)
{
    /* Normals are accurate to 40 bits, so a point farther off a plane than 2^-36 of its distance is off exactly. No two
     * vertices are farther apart than twice the longest side of their box. */
    const double rounding = longest * 0x1p-35, either = near > rounding ? near : rounding;
    uint8_t all = 0;
    memset(fold, 0, s->triangles);
    for (uint32_t t = 0; t < s->triangles; t++) {
        const uint32_t a = s->corner[t][0], b = s->corner[t][1], c = s->corner[t][2];
        const uint32_t from[3] = {a, b, c}, to[3] = {b, c, a};
        const double n[3] = {s->normal[t][0], s->normal[t][1], s->normal[t][2]}, length = s->normal[t][3];
        const double at[3] = {(double)s->place[a].x, (double)s->place[a].y, (double)s->place[a].z};
        for (uint32_t i = 0; i < 3; i++) {
            if ((fold[t] >> i & 1) != 0) /* found by the neighbour already */
                continue;
            const uint32_t far = find_far_corner(s->corner[s->beside[t][i]], from[i], to[i]);
            const vp_vec3 p = s->place[far];
            const double off = fabs((n[0] * ((double)p.x - at[0]) + n[1] * ((double)p.y - at[1])) + n[2] * ((double)p.z - at[2]));
            if (off <= length * either)
                all |= classify_edge(s, t, i, far, off, length * rounding, length * near, fold);
        }
    }
    return all;
}
