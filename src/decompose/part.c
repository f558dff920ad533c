/* SPDX-License-Identifier: MIT */
/* The part of a tetrahedron that the planes of triangles leave. */
#include "src/decompose/piece.h"

#include <math.h>

#include "src/core/real3.h"

/* Whether all corners of a triangle are outside one side of a tetrahedron. */
static bool is_beyond(const double side[4][4], const double corner[3][3], double slack)
{
    for (int i = 0; i < 4; i++) {
        int above = 0;
        while (above < 3 && vp_dot(side[i], corner[above]) - side[i][3] >= -slack)
            above++;
        if (above == 3)
            return true;
    }
    return false;
}

static void measure_part(part_inside *p)
{
    p->is_measured = true;
    for (int i = 0; i < 4; i++) {
        p->length[i][4] = vp_decompose_apart(p->corner[i].at, p->middle);
        for (int k = 0; k < 4; k++) {
            p->outside[i][k] = 0.0;
            p->length[i][k] = vp_decompose_apart(p->corner[i].at, p->corner[k].at);
        }
        p->outside[i][4] = 0.0;
    }
}

/* Bound of the largest distance of a corner from the part. */
static double bound_part(const part_inside *p)
{
    double most = 0.0;
    for (int i = 0; i < 4; i++) {
        double least = p->outside[i][4];
        for (int k = 0; k < 4; k++)
            if (p->holds[k] && p->outside[i][k] < least)
                least = p->outside[i][k];
        most = vp_double_max(most, least);
    }
    return most;
}

double vp_decompose_set_sides(const piece_corner *corner, double side[4][4])
{
    static const int of[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        vp_decompose_set_plane(corner[of[i][0]].at, corner[of[i][1]].at, corner[of[i][2]].at, side[i]);
        const double above = vp_dot(side[i], corner[i].at) - side[i][3];
        for (int k = 0; k < 4 && above > 0.0; k++)
            side[i][k] = -side[i][k];
        least = vp_double_min(least, fabs(above));
    }
    return least;
}

bool vp_decompose_cut_part(const vp_decomposing *d, part_inside *p, const double side[4][4], uint32_t t, double *bound)
{
    const vp_decompose_face *face = &d->face[t];
    const double height = vp_dot(face->plane, p->middle) - face->plane[3], turn = height > 0.0 ? -1.0 : 1.0;
    double above[5] = {0.0, 0.0, 0.0, 0.0, turn * height}, of[3][3], most = 0.0; /* the middle is below */
    for (int i = 0; i < 4; i++) {
        above[i] = turn * (vp_dot(face->plane, p->corner[i].at) - face->plane[3]);
        most = vp_double_max(most, above[i]);
    }
    const bool is_certain = above[4] < -face->slack;
    if (face->slack == 0.0 || (most <= 0.0 && is_certain))
        return face->slack == 0.0 || face->slack > 2 * d->slack; /* a thin triangle's plane is less exact */
    vp_decompose_set_corners(&d->mesh, t, of);
    if (is_beyond(side, (const double(*)[3])of, d->slack))
        return false;
    if (!is_certain) {
        *bound = INFINITY;
        return true;
    }
    if (!p->is_measured)
        measure_part(p);
    for (int i = 0; i < 4; i++) {
        if (above[i] <= 0.0)
            continue;
        p->holds[i] = false;
        for (int k = 0; k < 5; k++)
            if (above[k] <= 0.0)
                p->outside[i][k] = vp_double_max(p->outside[i][k], p->length[i][k] * (above[i] / (above[i] - above[k])));
    }
    *bound = bound_part(p);
    return true;
}
