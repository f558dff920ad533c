/* SPDX-License-Identifier: MIT */
#include "tests/support/hull_oracle.h"

#include "src/core/exact.h"
#include "src/core/real3.h"
#include "tests/support/check.h"
#include "tests/support/hull_distance.h"
#include "tests/support/hull_same.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool same_place(vp_vec3 a, vp_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_vertices(const char *what, const vp_vec3 *point, uint32_t count, const vp_hull *h)
{
    for (uint32_t v = 0; v < h->vertex_count; v++) {
        if (h->vertex[v] >= count || (v > 0 && h->vertex[v] <= h->vertex[v - 1]))
            fail_msg("%s: vertex %u is point %u", what, v, h->vertex[v]);
        for (uint32_t i = 0; i < h->vertex[v]; i++)
            if (same_place(point[i], point[h->vertex[v]]))
                fail_msg("%s: vertex %u is point %u, not %u in the same place", what, v, h->vertex[v], i);
    }
}

/* The number of the shared edge in the neighbouring triangle. */
static uint32_t back(const char *what, const vp_hull *h, uint32_t t, uint32_t k)
{
    const uint32_t beside = h->neighbour[t][k];
    if (beside >= h->triangle_count)
        fail_msg("%s: triangle %u has neighbour %u", what, t, beside);
    for (uint32_t i = 0; i < 3; i++)
        if (h->triangle[beside][i] == h->triangle[t][(k + 1) % 3] && h->triangle[beside][(i + 1) % 3] == h->triangle[t][k]) {
            if (h->neighbour[beside][i] != t)
                fail_msg("%s: triangle %u is not its neighbour %u's", what, t, beside);
            return i;
        }
    fail_msg("%s: triangle %u shares no edge with its neighbour %u", what, t, beside);
    return 0;
}

/* One closed surface with the topology of a sphere, which uses all vertices. */
static void check_surface(const char *what, const vp_hull *h)
{
    bool *seen = calloc((size_t)h->triangle_count + h->vertex_count, sizeof *seen), *used = seen + h->triangle_count;
    uint32_t *stack = malloc(h->triangle_count * sizeof *stack), depth = 0, reached = 0;
    assert_true(seen != NULL && stack != NULL);
    if (h->triangle_count != 2 * h->vertex_count - 4)
        fail_msg("%s: %u triangles of %u vertices", what, h->triangle_count, h->vertex_count);
    seen[0] = true;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t t = stack[--depth];
        reached++;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t beside = h->neighbour[t][k];
            assert_true(h->triangle[t][k] < h->vertex_count);
            used[h->triangle[t][k]] = true;
            back(what, h, t, k);
            if (!seen[beside]) {
                seen[beside] = true;
                stack[depth++] = beside;
            }
        }
    }
    const uint32_t looked = h->triangle_count < 200 ? h->triangle_count : 0; /* checks every pair of edges */
    for (uint32_t i = 0; i < 3 * looked; i++)
        for (uint32_t j = 0; j < i; j++)
            if (h->triangle[i / 3][i % 3] == h->triangle[j / 3][j % 3] &&
                h->triangle[i / 3][(i + 1) % 3] == h->triangle[j / 3][(j + 1) % 3])
                fail_msg("%s: triangles %u and %u have the same edge, the same way round", what, j / 3, i / 3);
    if (reached != h->triangle_count)
        fail_msg("%s: %u of %u triangles are connected", what, reached, h->triangle_count);
    for (uint32_t v = 0; v < h->vertex_count; v++)
        if (!used[v])
            fail_msg("%s: vertex %u has no triangle", what, v);
    free(stack);
    free(seen);
}

/* Polygons are closed among each other. Each has the corners at which at least three faces meet, as in its triangles. */
static void check_faces(const char *what, const vp_hull *h)
{
    uint32_t *meet = calloc(h->vertex_count, sizeof *meet), borders = 0;
    assert_non_null(meet);
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        assert_true(h->face_of[t] < h->face_count);
        for (uint32_t k = 0; k < 3; k++)
            meet[h->triangle[t][k]] += h->face_of[t] != h->face_of[h->neighbour[t][k]];
    }
    for (uint32_t t = 0; t < h->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            borders += h->face_of[t] != h->face_of[h->neighbour[t][k]] && (meet[h->triangle[t][k]] >= 3 || h->dimension == 2);
    if (borders != h->corner_count || h->first_corner[0] != 0 || h->first_corner[h->face_count] != h->corner_count)
        fail_msg("%s: %u corners of faces, expected %u", what, h->corner_count, borders);
    for (uint32_t f = 0; f < h->face_count; f++) {
        const uint32_t first = h->first_corner[f], end = h->first_corner[f + 1];
        if (end < first + 3)
            fail_msg("%s: face %u has %u corners", what, f, end - first);
        for (uint32_t c = first; c < end; c++) {
            const uint32_t next = c + 1 < end ? c + 1 : first, other = h->across[c];
            bool found = false;
            if ((h->corner[c] < h->corner[first] && (h->dimension == 3 || f == 0)) || (meet[h->corner[c]] < 3 && h->dimension == 3))
                fail_msg("%s: face %u has corner %u", what, f, h->corner[c]);
            assert_true(other < h->face_count && other != f);
            for (uint32_t d = h->first_corner[other]; d < h->first_corner[other + 1]; d++) {
                const uint32_t after = d + 1 < h->first_corner[other + 1] ? d + 1 : h->first_corner[other];
                found |= h->corner[d] == h->corner[next] && h->corner[after] == h->corner[c] && h->across[d] == f;
            }
            if (!found)
                fail_msg("%s: face %u is across from face %u, but not the other way", what, other, f);
        }
        if (f > 0 &&
            (h->corner[h->first_corner[f - 1]] > h->corner[first] ||
             (h->corner[h->first_corner[f - 1]] == h->corner[first] && h->corner[h->first_corner[f - 1] + 1] >= h->corner[first + 1])))
            fail_msg("%s: face %u is not in order", what, f);
    }
    free(meet);
}

/* A stride over the pairs of many points and faces, to save time. */
static uint32_t stride_of(uint32_t count, uint32_t faces)
{
    return 1 + (uint32_t)((uint64_t)count * faces / 4000000);
}

/* No point is above a face's plane, except by the tolerance where faces were joined. */
static void check_planes(const char *what, const vp_vec3 *point, uint32_t count, const vp_hull *h, double slack)
{
    const uint32_t stride = stride_of(count, h->face_count);
    for (uint32_t f = 0; f < h->face_count; f++) {
        const double *n = h->plane[f];
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(fabs(length - 1.0) < 1e-12))
            fail_msg("%s: face %u has a normal of length %g", what, f, length);
        for (uint32_t i = f % stride; i < count; i += stride) {
            const double reach = (n[0] * (double)point[i].x + n[1] * (double)point[i].y) + n[2] * (double)point[i].z;
            if (!(reach - n[3] <= slack))
                fail_msg("%s: point %u is %g outside of face %u (%g allowed)", what, i, reach - n[3], f, slack);
        }
    }
}

void oracle_check_hull(const char *what, const vp_vec3 *point, uint32_t count, const vp_hull *h)
{
    assert_int_equal(h->dimension, 3);
    check_vertices(what, point, count, h);
    check_surface(what, h);
    bool joined = false;
    const uint32_t stride = stride_of(count, h->triangle_count);
    uint8_t *planes = calloc(h->vertex_count, 1); /* at least three different planes meet at a vertex */
    assert_non_null(planes);
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        const vp_vec3 a = point[h->vertex[h->triangle[t][0]]], b = point[h->vertex[h->triangle[t][1]]],
                      c = point[h->vertex[h->triangle[t][2]]];
        bool inside = false;
        for (uint32_t i = t % stride; i < count; i += stride) {
            const int side = vp_orient3d(a, b, c, point[i]);
            inside |= side < 0;
            if (side > 0)
                fail_msg("%s: point %u is outside of triangle %u", what, i, t);
        }
        for (uint32_t i = 0; stride > 1 && !inside && i < count; i++)
            inside = vp_orient3d(a, b, c, point[i]) < 0;
        if (!inside)
            fail_msg("%s: no point is inside of triangle %u", what, t);
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t beside = h->neighbour[t][k], far = h->triangle[beside][(back(what, h, t, k) + 2) % 3];
            const int side = vp_orient3d(a, b, c, point[h->vertex[far]]);
            const bool same = side == 0;
            if (side > 0)
                fail_msg("%s: triangle %u has its neighbour %u above it", what, t, beside);
            if (!same && planes[h->triangle[t][k]] < 3)
                planes[h->triangle[t][k]]++;
            if (same && h->face_of[t] != h->face_of[beside])
                fail_msg("%s: triangles %u and %u are in one plane, and not one face", what, t, beside);
            joined |= !same && h->face_of[t] == h->face_of[beside];
        }
    }
    for (uint32_t v = 0; v < h->vertex_count; v++)
        if (planes[v] < 3)
            fail_msg("%s: vertex %u is none: %u faces meet there", what, v, planes[v]);
    free(planes);
    check_faces(what, h);
    const double side = vp_double_max(fabs(h->plane[0][3]), 1e-300); /* scale of the coordinates, for the rounding */
    double size = side;
    for (uint32_t i = 0; i < count; i++)
        size =
            vp_double_max(size, vp_double_max(fabs((double)point[i].x), vp_double_max(fabs((double)point[i].y), fabs((double)point[i].z))));
    check_planes(what, point, count, h, joined ? 4.0 * (double)h->tolerance : size * 0x1p-38);
}

double oracle_check_corners(const char *what, const vp_vec3 *point, const vp_hull *h)
{
    double furthest = 0.0;
    for (uint32_t v = 0; v < h->vertex_count; v++) {
        real least = INFINITY, above;
        for (uint32_t f = 0; f < h->face_count && least > 0.0L; f++) {
            const uint32_t *corner = h->corner + h->first_corner[f];
            for (uint32_t c = 2; c < h->first_corner[f + 1] - h->first_corner[f]; c++) {
                const real d = distance_to_triangle(point[h->vertex[corner[0]]], point[h->vertex[corner[c - 1]]],
                                                    point[h->vertex[corner[c]]], point[h->vertex[v]], least, &above);
                least = d < least ? d : least;
            }
        }
        if (h->tolerance > 0.0f) /* it is 0 for the smallest denormals */
            furthest = vp_double_max(furthest, (double)(least / (real)h->tolerance));
        if (!(least <= 3.0L * (real)h->tolerance))
            fail_msg("%s: vertex %u is %Lg from every face, the tolerance is %g", what, v, least, (double)h->tolerance);
    }
    return furthest;
}

void expect_same_hull(const char *what, const vp_hull *got, const vp_hull *want)
{
    const char *part = hull_difference(got, want);
    if (part != NULL)
        fail_msg("%s: other %s: dimension %u, %u vertices, %u faces, %u corners; expected %u, %u, %u, %u", what, part, got->dimension,
                 got->vertex_count, got->face_count, got->corner_count, want->dimension, want->vertex_count, want->face_count,
                 want->corner_count);
}

vp_hull hull_by_all(const char *what, vp_hull_def def)
{
    static test_table table[TEST_TABLES_MAX];
    static size_t tables;
    vp_hull want = {0};
    tables = tables != 0 ? tables : test_tables(table);
    assert_ok(vp_hull_create(&def, &want, &error)); /* few points need no kernel without a limit */
    def.max_work = def.max_work != 0 ? def.max_work : UINT64_MAX;
    for (size_t t = 0; t < tables; t++) {
        vp_hull got = {0};
        char by[160];
        snprintf(by, sizeof by, "%s, by %s", what, table[t].name);
        def.kernels = &table[t].kernels;
        assert_ok(vp_hull_create(&def, &got, &error));
        expect_same_hull(by, &got, &want);
        vp_hull_destroy(&got);
    }
    return want;
}
