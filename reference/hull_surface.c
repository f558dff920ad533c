/* SPDX-License-Identifier: MIT */
/* The order of a hull's triangles, and which of them lie in one plane: see hull_surface.h. */
#include "reference/hull_surface.h"

#include <math.h>
#include <string.h>

#include "core/exact.h"

static size_t rounded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

size_t vp_surface_bytes(size_t vertices, size_t triangles)
{
    return rounded(triangles * sizeof(double[4])) + 2 * rounded(triangles * sizeof(uint32_t[3])) +
           rounded(vertices * sizeof(uint32_t)) + rounded(vertices * sizeof(vp_vec3));
}

void vp_surface_lay(vp_hull_surface *s, uint32_t vertices, uint32_t triangles, void *memory)
{
    char *at = memory;
    *s = (vp_hull_surface){.vertices = vertices, .triangles = triangles};
    s->normal = (double(*)[4])(void *)at;
    at += rounded(triangles * sizeof *s->normal);
    s->corner = (uint32_t(*)[3])(void *)at;
    at += rounded(triangles * sizeof *s->corner);
    s->beside = (uint32_t(*)[3])(void *)at;
    at += rounded(triangles * sizeof *s->beside);
    s->vertex = (uint32_t *)(void *)at;
    at += rounded(vertices * sizeof *s->vertex);
    s->place = (vp_vec3 *)(void *)at;
}

/* ---- the order ---- */

/* Finds the points that triangles have, in their order. @return how many. `rank` of each of these is its number; of others it means
   nothing. */
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

/* A triangle on its way to its place. */
typedef struct turned {
    uint32_t corner[3];
    uint32_t by; /* which of the kernel's corners is the first now */
} turned;

/* Sorts triangles by their second corner, by Shell's method: mostly they are few. */
static void sort_by_second(const turned *from, uint32_t *order, uint32_t count)
{
    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            const uint32_t t = order[i], second = from[t].corner[1];
            uint32_t at = i;
            for (; at >= gap && from[order[at - gap]].corner[1] > second; at -= gap)
                order[at] = order[at - gap];
            order[at] = t;
        }
}

size_t vp_surface_scratch_bytes(size_t points, size_t triangles)
{
    const size_t vertices = triangles / 2 + 2;
    return rounded(triangles * sizeof(turned)) + 2 * rounded(triangles * sizeof(uint32_t)) + rounded((vertices + 2) * sizeof(uint32_t)) +
           rounded(points * sizeof(uint32_t)) + rounded(points + 8);
}

void vp_surface_sort(const vp_hull_triangle *triangle, const vp_vec3 *point, uint32_t points, void *scratch, vp_hull_surface *out)
{
    const uint32_t triangles = out->triangles;
    char *memory = scratch;
    turned *from = scratch;
    memory += rounded(triangles * sizeof *from);
    uint32_t *order = (uint32_t *)(void *)memory;
    memory += rounded(triangles * sizeof *order);
    uint32_t *number = (uint32_t *)(void *)memory; /* of each triangle, its new place */
    memory += rounded(triangles * sizeof *number);
    uint32_t *start = (uint32_t *)(void *)memory; /* of each vertex, where the triangles begin of which it is the lowest */
    memory += rounded((triangles / 2 + 4) * sizeof *start);
    uint32_t *rank = (uint32_t *)(void *)memory;
    memory += rounded(points * sizeof *rank);

    out->vertices = number_vertices(triangle, triangles, points, (uint8_t *)memory, rank, out->vertex);
    for (uint32_t v = 0; v < out->vertices; v++)
        out->place[v] = point[out->vertex[v]];
    memset(start, 0, (out->vertices + 2) * sizeof *start);
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t *p = triangle[t].vertex, by = p[0] < p[1] ? (p[0] < p[2] ? 0 : 2) : p[1] < p[2] ? 1 : 2;
        for (uint32_t i = 0; i < 3; i++)
            from[t].corner[i] = rank[p[by + i < 3 ? by + i : by + i - 3]];
        from[t].by = by;
        start[from[t].corner[0] + 2]++;
    }
    for (uint32_t v = 2; v < out->vertices + 2; v++)
        start[v] += start[v - 1];
    for (uint32_t t = 0; t < triangles; t++)
        order[start[from[t].corner[0] + 1]++] = t;
    for (uint32_t v = 0; v < out->vertices; v++)
        sort_by_second(from, order + start[v], start[v + 1] - start[v]);
    for (uint32_t i = 0; i < triangles; i++)
        number[order[i]] = i;
    for (uint32_t i = 0; i < triangles; i++) {
        const turned *t = &from[order[i]];
        const uint32_t *beside = triangle[order[i]].beside;
        for (uint32_t k = 0; k < 3; k++) {
            out->corner[i][k] = t->corner[k];
            out->beside[i][k] = number[beside[t->by + k < 3 ? t->by + k : t->by + k - 3]];
        }
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

/* How far a vertex is from a triangle's plane, times the length of its normal; and how far it is from its first corner, or more. */
static double off_plane(const vp_hull_surface *s, uint32_t t, uint32_t vertex, double *away)
{
    const double *n = s->normal[t];
    const vp_vec3 a = s->place[s->corner[t][0]], p = s->place[vertex];
    const double x = (double)p.x - (double)a.x, y = (double)p.y - (double)a.y, z = (double)p.z - (double)a.z;
    *away = fabs(x) + fabs(y) + fabs(z);
    return fabs((n[0] * x + n[1] * y) + n[2] * z);
}

/* The corner that a triangle does not share with a neighbour: that of both which is none of an edge's. */
static uint32_t far_corner(const uint32_t corner[3], uint32_t a, uint32_t b)
{
    return corner[0] + corner[1] + corner[2] - a - b;
}

uint8_t vp_surface_find_folds(const vp_hull_surface *s, double near, uint8_t *fold)
{
    uint8_t all = 0;
    memset(fold, 0, s->triangles);
    for (uint32_t t = 0; t < s->triangles; t++)
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t u = s->beside[t][i];
            if (u < t)
                continue;
            const uint32_t *corner = s->corner[t], a = corner[i], b = corner[i < 2 ? i + 1 : 0], opposite = corner[i > 0 ? i - 1 : 2];
            const uint32_t far = far_corner(s->corner[u], a, b);
            const double most = s->normal[t][3] * near;
            double away, back;
            const double off = off_plane(s, t, far, &away);
            /* Normals are right to 40 bits: a distance of more than this is none of rounding. */
            if (off <= s->normal[t][3] * away * 0x1p-36 &&
                vp_orient3d(s->place[corner[0]], s->place[corner[1]], s->place[corner[2]], s->place[far]) == 0) {
                uint32_t k = 0;
                while (s->beside[u][k] != t)
                    k++;
                fold[t] |= (uint8_t)(1u << i);
                fold[u] |= (uint8_t)(1u << k);
                all |= VP_FOLD_NONE;
            } else if (off <= most || off_plane(s, u, opposite, &back) <= s->normal[u][3] * near) {
                fold[t] |= VP_FOLD_NEAR;
                fold[u] |= VP_FOLD_NEAR;
                all |= VP_FOLD_NEAR;
            }
        }
    return all;
}
