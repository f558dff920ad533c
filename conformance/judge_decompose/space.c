/* SPDX-License-Identifier: MIT */
#include "conformance/judge_decompose/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/vector.h"
#include "conformance/shared/shared.h"

enum { LEAF = 4, DEPTH = 64 };

/* ---- closed or open ---- */

/* A triangle by its corners' places, rotated so that the lowest comes first. */
typedef struct placed {
    vp_vec3 corner[3];
    uint32_t triangle;
} placed;

static int by_corners(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    for (int c = 0; c < 3; c++)
        if (vp_place_compare(x->corner[c], y->corner[c]) != 0)
            return vp_place_compare(x->corner[c], y->corner[c]);
    return 0;
}

static int by_corners_and_number(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    const int order = by_corners(a, b);
    return order != 0 ? order : x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

/* Marks triangles that repeat an earlier one with the same orientation. */
static vp_status mark_again(const vp_triangles *mesh, const uint32_t *number, bool *again, vp_error *error)
{
    const uint32_t count = mesh->triangle_count;
    placed *all = malloc(count * sizeof *all);
    if (all == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", count);
    for (uint32_t t = 0; t < count; t++) {
        vp_vec3 c[3];
        for (int k = 0; k < 3; k++)
            c[k] = mesh->vertex[number[(size_t)t * 3 + (size_t)k]];
        int first = vp_place_compare(c[1], c[0]) < 0 ? 1 : 0;
        first = vp_place_compare(c[2], c[first]) < 0 ? 2 : first;
        all[t] = (placed){{c[first], c[(first + 1) % 3], c[(first + 2) % 3]}, t};
    }
    qsort(all, count, sizeof *all, by_corners_and_number);
    for (uint32_t i = 0; i < count; i++)
        again[all[i].triangle] = i > 0 && by_corners(&all[i - 1], &all[i]) == 0;
    free(all);
    return VP_OK;
}

/* Counts open edges, and finds the one of the first triangle that has any. */
static vp_status find_open(const vp_shell *shell, vp_space *s, vp_error *error)
{
    vp_half_edge *edge = vp_shell_edges(shell);
    const size_t count = (size_t)shell->triangles * 3;
    uint32_t first = UINT32_MAX;
    if (edge == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu edges", count);
    s->open_edges = 0;
    s->open_edge[0] = s->open_edge[1] = UINT32_MAX;
    for (size_t i = 0; i < count;) {
        const vp_half_edge e = edge[i];
        uint32_t triangle = e.triangle;
        int64_t sum = 0;
        for (; i < count && edge[i].low == e.low && edge[i].high == e.high; i++) {
            sum += edge[i].way;
            triangle = edge[i].triangle < triangle ? edge[i].triangle : triangle;
        }
        if (sum == 0)
            continue;
        s->open_edges++;
        if (triangle < first) {
            first = triangle;
            s->open_edge[0] = shell->number[e.low];
            s->open_edge[1] = shell->number[e.high];
        }
    }
    s->closed = s->open_edges == 0;
    free(edge);
    return VP_OK;
}

/* Whether the mesh is closed, with or without its duplicate triangles. In the latter case marks them. Overwrites the numbers. */
static vp_status close_space(const vp_triangles *mesh, uint32_t *number, bool *again, vp_space *s, vp_error *error)
{
    vp_status status = mark_again(mesh, number, again, error);
    for (int without = 0; without < 2 && status == VP_OK && !s->closed; without++) {
        uint32_t kept = 0;
        vp_shell shell = {0};
        vp_space found = *s;
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            if (without == 0 || !again[t])
                memmove(number + (size_t)kept++ * 3, number + (size_t)t * 3, 3 * sizeof *number);
        status = vp_shell_make(mesh->vertex, mesh->vertex_count, number, kept, true, &shell, error);
        if (status == VP_OK)
            status = find_open(&shell, &found, error);
        if (without == 0 || found.closed)
            *s = found;
        if (without == 0 && found.closed)
            memset(again, 0, mesh->triangle_count * sizeof *again);
        vp_shell_drop(&shell);
    }
    return status;
}

/* ---- the tree ---- */

/* A triangle to sort. */
typedef struct sorted {
    double at; /* the middle of its box */
    uint32_t triangle;
} sorted;

static int by_place(const void *a, const void *b)
{
    const sorted *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static double middle_of(double corner[3][3], int k)
{
    return 0.5 * (vp_less(vp_less(corner[0][k], corner[1][k]), corner[2][k]) + vp_more(vp_more(corner[0][k], corner[1][k]), corner[2][k]));
}

/* Makes the node of some triangles and its descendants, by halving along the longest side. */
static void make_node(vp_space *s, double (*given)[3][3], sorted *order, uint32_t first, uint32_t count)
{
    vp_space_node *node = &s->node[s->nodes++];
    vp_box_clear(node->low, node->high);
    for (uint32_t i = first; i < first + count; i++)
        for (int c = 0; c < 3; c++)
            vp_box_add(node->low, node->high, given[order[i].triangle][c]);
    node->first = first;
    node->count = count;
    if (count <= LEAF)
        return;
    const int axis = vp_longest(node->low, node->high);
    for (uint32_t i = first; i < first + count; i++)
        order[i].at = middle_of(given[order[i].triangle], axis);
    qsort(order + first, count, sizeof *order, by_place);
    node->count = 0;
    make_node(s, given, order, first, count / 2);
    node->first = s->nodes;
    make_node(s, given, order, first + count / 2, count - count / 2);
}

static vp_status look_at_corners(const vp_triangles *mesh, uint32_t *number, vp_space *s, vp_error *error)
{
    double low[3], high[3];
    vp_box_clear(low, high);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t *corner = number + (size_t)t * 3;
        vp_triangle_corners(mesh, t, corner);
        for (int c = 0; c < 3; c++) {
            if (corner[c] >= mesh->vertex_count)
                return vp_fail(error, VP_E_ARGUMENT, "triangle %u of the mesh has vertex %u of %u", t, corner[c], mesh->vertex_count);
            const vp_vec3 v = mesh->vertex[corner[c]];
            const double at[3] = {(double)v.x, (double)v.y, (double)v.z};
            if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
                return vp_fail(error, VP_E_ARGUMENT, "vertex %u of the mesh at %g %g %g is not finite", corner[c], at[0], at[1], at[2]);
            vp_box_add(low, high, at);
        }
    }
    for (int k = 0; k < 3; k++) {
        s->middle[k] = 0.5 * low[k] + 0.5 * high[k];
        s->extent = vp_more(s->extent, high[k] - low[k]);
    }
    return VP_OK;
}

vp_status vp_space_make(const vp_triangles *mesh, vp_space *s, vp_error *error)
{
    const size_t count = mesh->triangle_count;
    *s = (vp_space){.triangles = mesh->triangle_count};
    if (count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "the mesh has 0 triangles");
    uint32_t *number = malloc(count * 3 * sizeof *number);
    double(*given)[3][3] = malloc(count * sizeof *given);
    sorted *order = malloc(count * sizeof *order);
    s->corner = malloc(count * sizeof *s->corner);
    s->number = malloc(count * sizeof *s->number);
    s->again = malloc(count * sizeof *s->again);
    bool *again = malloc(count * sizeof *again);
    s->node = malloc(2 * count * sizeof *s->node);
    vp_status status = VP_OK;
    if (number == NULL || given == NULL || order == NULL || s->corner == NULL || s->number == NULL || s->node == NULL || s->again == NULL ||
        again == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %zu triangles", count);
    if (status == VP_OK)
        status = look_at_corners(mesh, number, s, error);
    for (uint32_t t = 0; status == VP_OK && t < count; t++) {
        order[t].triangle = t;
        for (int c = 0; c < 3; c++)
            vp_place_of(mesh->vertex[number[(size_t)t * 3 + (size_t)c]], s->middle, given[t][c]);
    }
    if (status == VP_OK)
        status = close_space(mesh, number, again, s, error);
    if (status == VP_OK) {
        make_node(s, given, order, 0, s->triangles);
        for (uint32_t i = 0; i < count; i++) {
            s->number[i] = order[i].triangle;
            s->again[i] = again[order[i].triangle];
            memcpy(s->corner[i], given[order[i].triangle], sizeof s->corner[i]);
        }
    }
    free(number);
    free(given);
    free(order);
    free(again);
    return status;
}

void vp_space_drop(vp_space *s)
{
    free(s->corner);
    free(s->number);
    free(s->again);
    free(s->node);
    *s = (vp_space){0};
}

/* ---- distance ---- */

static double to_segment2(const double a[3], const double b[3], const double p[3])
{
    double ab[3], ap[3];
    vp_minus3(b, a, ab);
    vp_minus3(p, a, ap);
    const double length2 = vp_dot3(ab, ab), along = vp_dot3(ab, ap);
    const double t = along <= 0.0 || length2 <= 0.0 ? 0.0 : along >= length2 ? 1.0 : along / length2;
    for (int k = 0; k < 3; k++)
        ap[k] -= t * ab[k];
    return vp_dot3(ap, ap);
}

/* The distance to the plane if the foot is within the triangle, otherwise to the nearest edge. */
double vp_triangle_distance2(const double corner[3][3], const double p[3])
{
    double ab[3], ac[3], ap[3], n[3], c[3];
    vp_minus3(corner[1], corner[0], ab);
    vp_minus3(corner[2], corner[0], ac);
    vp_minus3(p, corner[0], ap);
    vp_cross3(ab, ac, n);
    const double n2 = vp_dot3(n, n);
    vp_cross3(ab, ap, c);
    const double w = vp_dot3(n, c); /* n2 times the weights of the third corner and of the second */
    vp_cross3(ap, ac, c);
    const double v = vp_dot3(n, c);
    if (n2 > 0.0 && v >= 0.0 && w >= 0.0 && v + w <= n2) {
        const double above = vp_dot3(n, ap);
        return above * above / n2;
    }
    double least = to_segment2(corner[0], corner[1], p);
    least = vp_less(least, to_segment2(corner[1], corner[2], p));
    return vp_less(least, to_segment2(corner[2], corner[0], p));
}

double vp_space_distance(const vp_space *s, const double p[3], uint32_t near, uint32_t *triangle)
{
    struct {
        uint32_t node;
        double away2;
    } stack[DEPTH];
    int top = 0;
    double least = vp_triangle_distance2((const double(*)[3])s->corner[near], p);
    *triangle = near;
    stack[top].node = 0;
    stack[top++].away2 = vp_box_distance2(s->node[0].low, s->node[0].high, p);
    while (top > 0) {
        top--;
        if (stack[top].away2 >= least)
            continue;
        const uint32_t at = stack[top].node;
        const vp_space_node *node = &s->node[at];
        for (uint32_t i = 0; i < node->count; i++) {
            const double away2 = vp_triangle_distance2((const double(*)[3])s->corner[node->first + i], p);
            if (away2 < least) {
                least = away2;
                *triangle = node->first + i;
            }
        }
        if (node->count != 0)
            continue;
        const uint32_t child[2] = {at + 1, node->first};
        const double away2[2] = {vp_box_distance2(s->node[child[0]].low, s->node[child[0]].high, p),
                                 vp_box_distance2(s->node[child[1]].low, s->node[child[1]].high, p)};
        const int first = away2[1] < away2[0];
        for (int k = 1; k >= 0; k--) { /* the nearer one is on top */
            stack[top].node = child[k ^ first];
            stack[top++].away2 = away2[k ^ first];
        }
    }
    return sqrt(least);
}

/* ---- winding number ---- */

/* The side of the line from a to b on which a point lies, seen along an axis. 0 if rounding hides it. */
static int side_of_line(const double a[3], const double b[3], const double p[3], int u, int v)
{
    const double left = (b[u] - a[u]) * (p[v] - a[v]), right = (b[v] - a[v]) * (p[u] - a[u]), d = left - right;
    return fabs(d) <= 0x1p-50 * (fabs(left) + fabs(right)) ? 0 : d > 0.0 ? 1 : -1;
}

/* Counts crossings of a triangle with the line from p along an axis, upwards minus downwards. @return false if rounding hides it */
static bool cross_triangle(const double corner[3][3], const double p[3], int axis, int32_t *sum)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int around = 0; /* winding of its projection around that of p */
    for (int i = 0; i < 3; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 3];
        const bool below_a = a[v] <= p[v], below_b = b[v] <= p[v];
        if (below_a == below_b || (a[u] < p[u] && b[u] < p[u]))
            continue;
        const int side = a[u] > p[u] && b[u] > p[u] ? (below_a ? 1 : -1) : side_of_line(a, b, p, u, v);
        if (side == 0)
            return false;
        around += below_a && side > 0 ? 1 : below_b && side < 0 ? -1 : 0;
    }
    if (around == 0)
        return true;
    const double high = vp_more(vp_more(corner[0][axis], corner[1][axis]), corner[2][axis]);
    const double low = vp_less(vp_less(corner[0][axis], corner[1][axis]), corner[2][axis]);
    if (low <= p[axis] && high >= p[axis]) {
        double ab[3], ac[3], ap[3], sums = 0.0, size = 0.0;
        vp_minus3(corner[1], corner[0], ab);
        vp_minus3(corner[2], corner[0], ac);
        vp_minus3(p, corner[0], ap);
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            sums += (ab[i] * ac[j] - ab[j] * ac[i]) * ap[k];
            size += (fabs(ab[i] * ac[j]) + fabs(ab[j] * ac[i])) * fabs(ap[k]);
        }
        if (fabs(sums) <= 0x1p-48 * size)
            return false;
        if ((sums > 0.0) == (around > 0)) /* p is beyond it */
            return true;
    } else if (high < p[axis]) {
        return true;
    }
    *sum += around;
    return true;
}

static bool cross_all(const vp_space *s, const double p[3], int axis, int32_t *sum)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t stack[DEPTH];
    int top = 0;
    stack[top++] = 0;
    *sum = 0;
    while (top > 0) {
        const uint32_t at = stack[--top];
        const vp_space_node *node = &s->node[at];
        if (node->high[axis] < p[axis] || p[u] < node->low[u] || p[u] > node->high[u] || p[v] < node->low[v] || p[v] > node->high[v])
            continue;
        for (uint32_t i = 0; i < node->count; i++)
            if (!s->again[node->first + i] && !cross_triangle((const double(*)[3])s->corner[node->first + i], p, axis, sum))
                return false;
        if (node->count == 0) {
            stack[top++] = node->first;
            stack[top++] = at + 1;
        }
    }
    return true;
}

bool vp_space_winding(const vp_space *s, const double p[3], double distance, int32_t *winding)
{
    /* No surface lies within the distance, so nearby points have the same winding number. Lines from some of them meet no edge. */
    static const double aside[6][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0.19, -0.31, 0.13}, {-0.23, 0.11, 0.37}, {0.07, 0.29, -0.17}};
    for (int i = 0; i < 6; i++) {
        const double q[3] = {p[0] + distance * aside[i][0], p[1] + distance * aside[i][1], p[2] + distance * aside[i][2]};
        if (cross_all(s, q, i % 3, winding))
            return true;
    }
    return false;
}

/* ---- boxes ---- */

uint32_t vp_space_gather(const vp_space *s, const double low[3], const double high[3], uint32_t *out, uint32_t room)
{
    uint32_t stack[DEPTH], found = 0;
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const uint32_t at = stack[--top];
        const vp_space_node *node = &s->node[at];
        if (!vp_boxes_meet(node->low, node->high, low, high))
            continue;
        for (uint32_t i = 0; i < node->count; i++) {
            double l[3], h[3];
            vp_box_of((const double(*)[3])s->corner[node->first + i], 3, l, h);
            if (!vp_boxes_meet(l, h, low, high))
                continue;
            if (found < room)
                out[found] = node->first + i;
            found++;
        }
        if (node->count == 0) {
            stack[top++] = node->first;
            stack[top++] = at + 1;
        }
    }
    return found;
}
