/* SPDX-License-Identifier: MIT */
/* Triangles near points, and their planes, boxes and neighbours, which the bounds of reach need. */
#include <math.h>
#include <string.h>

#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

/* ---- distances ---- */

double vp_decompose_square_to_segment(const double a[3], const double b[3], const double from[3])
{
    const double along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, square = vp_dot(along, along), by = vp_dot(along, from);
    const double part = by <= 0.0 ? 0.0 : by >= square ? 1.0 : by / square;
    const double rest[3] = {from[0] - part * along[0], from[1] - part * along[1], from[2] - part * along[2]};
    return vp_dot(rest, rest);
}

/* @param side_of  receives the side of the triangle that is nearest, or 3 if the point is over the triangle */
static double find_side(const vp_decomposing *d, uint32_t triangle, const double p[3], double limit, int *side_of)
{
    const double *n = d->mesh.normal[triangle];
    double corner[3][3], from[3][3], least = INFINITY;
    vp_decompose_set_corners(&d->mesh, triangle, corner);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            from[k][axis] = p[axis] - corner[k][axis];
    const double height = fabs(vp_dot(n, from[0]));
    *side_of = 3;
    if (height > limit)
        return INFINITY;
    const bool over = n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0;
    for (int k = 0; k < 3; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % 3];
        const double side[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const double across[3] = {n[1] * side[2] - n[2] * side[1], n[2] * side[0] - n[0] * side[2], n[0] * side[1] - n[1] * side[0]};
        if (over && vp_dot(across, from[k]) >= 0.0)
            continue;
        const double square = vp_decompose_square_to_segment(a, b, from[k]);
        if (square < least) {
            least = square;
            *side_of = k;
        }
    }
    return least < INFINITY ? sqrt(least) : height;
}

double vp_decompose_distance_to_triangle(const vp_decomposing *d, uint32_t triangle, const double p[3], double limit)
{
    int side;
    return find_side(d, triangle, p, limit, &side);
}

double vp_decompose_walk_nearer(const vp_decomposing *d, const double p[3], uint32_t *triangle)
{
    int side;
    double away = find_side(d, *triangle, p, INFINITY, &side);
    while (side < 3 && d->beside[*triangle][side] != VP_DECOMPOSE_NONE) {
        const uint32_t next = d->beside[*triangle][side];
        const double its = find_side(d, next, p, away, &side);
        if (its >= away)
            break;
        away = its;
        *triangle = next;
    }
    return away;
}

static double square_to_box(const double low[3], const double high[3], const double p[3])
{
    double out[3];
    for (int k = 0; k < 3; k++)
        out[k] = vp_double_max(vp_double_max(low[k] - p[k], p[k] - high[k]), 0.0);
    return vp_dot(out, out);
}

/* Finds the triangle of a leaf that is nearest to a point, if it is nearer than `away`. */
static void search_leaf(const vp_decomposing *d, uint32_t leaf, const double p[3], double *away, uint32_t *triangle)
{
    const vp_decompose_solid *tree = &d->every;
    for (uint32_t i = leaf * VP_DECOMPOSE_PER_LEAF; i < (leaf + 1) * VP_DECOMPOSE_PER_LEAF && i < tree->triangles; i++) {
        const vp_decompose_face *face = &d->face[tree->triangle[i]];
        if (fabs(vp_dot(face->plane, p) - face->plane[3]) - face->slack >= *away)
            continue;
        const double its = vp_decompose_distance_to_triangle(d, tree->triangle[i], p, *away);
        if (its < *away) {
            *away = its;
            *triangle = tree->triangle[i];
        }
    }
}

void vp_decompose_find_nearest(const vp_decomposing *d, const double p[3], double enough, double *away, uint32_t *triangle)
{
    const vp_surface_box *box = d->every.box;
    struct {
        uint32_t box;
        double square;
    } stack[64] = {{0, 0.0}};
    for (int held = 1; held > 0 && *away > enough;) {
        const uint32_t at = stack[--held].box;
        if (stack[held].square >= *away * *away)
            continue;
        if (box[at].block != VP_DECOMPOSE_NONE) {
            search_leaf(d, box[at].block, p, away, triangle);
            continue;
        }
        const uint32_t half[2] = {at + 1, box[at + 1].next};
        const double square[2] = {square_to_box(box[half[0]].low, box[half[0]].high, p),
                                  square_to_box(box[half[1]].low, box[half[1]].high, p)};
        const int far = square[1] >= square[0];
        stack[held].box = half[far];
        stack[held++].square = square[far];
        stack[held].box = half[1 - far];
        stack[held++].square = square[1 - far];
    }
}

/* ---- planes, boxes and neighbours ---- */

/* Sets the triangle at each side of a triangle that shares it with the other one. */
static void set_sides_between(vp_decomposing *d, uint32_t triangle, uint32_t other)
{
    const uint32_t *v = d->mesh.triangle[triangle], *of = d->mesh.triangle[other];
    for (int k = 0; k < 3; k++) {
        const uint32_t a = v[k], b = v[(k + 1) % 3];
        if ((a == of[0] || a == of[1] || a == of[2]) && (b == of[0] || b == of[1] || b == of[2]))
            d->beside[triangle][k] = other;
    }
}

static bool set_beside(vp_decomposing *d)
{
    const uint32_t triangles = d->mesh.input.triangles;
    d->beside = vp_arena_take(&d->memory, triangles * sizeof *d->beside);
    if (d->beside == NULL)
        return false;
    memset(d->beside, 0xff, triangles * sizeof *d->beside); /* VP_DECOMPOSE_NONE */
    for (uint32_t e = 0; e < d->mesh.edges; e++)
        for (int k = 0; k < 2; k++)
            set_sides_between(d, d->mesh.edge[e][k], d->mesh.edge[e][1 - k]);
    return true;
}

bool vp_decompose_set_faces(vp_decomposing *d)
{
    const uint32_t triangles = d->mesh.input.triangles;
    const vp_surface_box *all = &d->every.box[0];
    double largest = 0.0;
    for (int k = 0; k < 3; k++)
        largest = vp_double_max(largest, vp_double_max(fabs(all->low[k]), fabs(all->high[k])));
    d->slack = largest * 0x1p-44;
    d->face = vp_arena_take(&d->memory, triangles * sizeof *d->face);
    for (uint32_t t = 0; t < triangles && d->face != NULL; t++) {
        vp_decompose_face *f = &d->face[t];
        double of[3][3];
        vp_decompose_set_corners(&d->mesh, t, of);
        const double area = vp_decompose_set_plane(of[0], of[1], of[2], f->plane),
                     side = vp_double_max(vp_decompose_apart(of[0], of[1]), vp_decompose_apart(of[0], of[2])), thin = side * side / area;
        f->slack = area == 0.0 ? 0.0 : thin >= 0x1p30 ? INFINITY : d->slack * (1.0 + thin / 32); /* a thin triangle's plane is less exact */
        for (int k = 0; k < 3; k++) {
            f->low[k] = (float)vp_double_min(vp_double_min(of[0][k], of[1][k]), of[2][k]);
            f->high[k] = (float)vp_double_max(vp_double_max(of[0][k], of[1][k]), of[2][k]);
        }
    }
    return d->face != NULL && set_beside(d);
}
