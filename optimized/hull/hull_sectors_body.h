/* SPDX-License-Identifier: MIT */
/* Assigns points to the many new faces of one apex, for hull_body.h.
 *
 * Comparing every point with every face costs points times faces. At a tip with thousands of faces and thousands of
 * points to reassign, that is quadratic. But the new faces are a convex cone. A line from the apex into the hull is
 * inside the cone. Each half-plane on one side of that line meets the cone in one ray. A point on that half-plane is
 * outside the cone if and only if it is beyond the ray, so above the face that contains the ray. So only the face whose
 * sector around the line contains the point has to be tested. Bisection finds the sector with one determinant a step.
 *
 * The sector may be wrong where a determinant is not certain. Then all faces are tested (decide). A result that a point
 * is certainly above a face is right in any sector.
 *
 * Cost: at most log2(faces) + 1 determinants of 3 x 3 for each point, one point at a time. Nothing depends on the
 * instruction set. hand_over in hull_body.h states the number of faces from which this is faster than comparing a
 * vector of points with each face. */
#ifndef VP_OPTIMIZED_HULL_HULL_SECTORS_BODY_H
#define VP_OPTIMIZED_HULL_HULL_SECTORS_BODY_H

#include "optimized/hull/hull_faces_body.h"

typedef struct hull_sectors {
    vp_vec3 apex, inside;
    const uint32_t *face;
    uint32_t faces;
    uint32_t half; /* the first face that begins more than half a turn after the first one does */
    double turn;   /* 1 or -1, the sign of the determinant of a point that is further around than a face's beginning */
} hull_sectors;

/* The place where a face begins, its first corner. These corners are around the apex in the order of the faces. */
static vp_vec3 begin_of(const hull_builder *b, uint32_t face)
{
    return b->to->point[b->face[face].vertex[0]];
}

static void find_sectors(const hull_builder *b, const uint32_t *face, uint32_t faces, hull_sectors *s)
{
    *s = (hull_sectors){b->to->point[b->face[face[0]].vertex[2]], b->inside, face, faces, 1, 1.0};
    const vp_vec3 first = begin_of(b, face[0]);
    s->turn = (double)vp_orient3d(s->apex, s->inside, first, begin_of(b, face[1]));
    while (s->half < faces && s->turn * (double)vp_orient3d(s->apex, s->inside, first, begin_of(b, face[s->half])) >= 0.0)
        s->half++;
}

/* Whether a point is further around than a face's beginning, by less than half a turn. @return 1 or 0; -1
 * if not certain */
static int is_beyond_begin(const hull_builder *b, const hull_sectors *s, uint32_t face, vp_vec3 p)
{
    const vp_det det = vp_det3(s->apex, s->inside, begin_of(b, s->face[face]), p);
    return det.value > det.bound ? s->turn > 0.0 : det.value < -det.bound ? s->turn < 0.0 : -1;
}

/* Finds the face, by its place, whose sector contains a point. @return VP_HULL_NONE if not certain */
static uint32_t find_sector(hull_builder *b, const hull_sectors *s, vp_vec3 p)
{
    const int side = is_beyond_begin(b, s, 0, p);
    uint32_t low = side == 1 ? 0 : s->half - 1, high = side == 1 ? s->half : s->faces; /* it is low or above, and below high */
    b->work++;
    if (side < 0)
        return VP_HULL_NONE;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        const int beyond = is_beyond_begin(b, s, middle, p);
        b->work++;
        if (beyond < 0)
            return VP_HULL_NONE;
        if (beyond == 1)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The label of a point: the face of its sector if the point is above it, `inside` if not, `unsure` if the sector
 * is not certain. */
static uint32_t label_by_sector(hull_builder *b, const hull_sectors *s, size_t at, uint32_t inside, uint32_t unsure)
{
    const vp_vec3 p = {b->p.x[at], b->p.y[at], b->p.z[at]};
    if (p.x == s->inside.x && p.y == s->inside.y && p.z == s->inside.z)
        return inside;
    const uint32_t sector = find_sector(b, s, p);
    if (sector == VP_HULL_NONE)
        return unsure;
    const double where[3] = {(double)p.x, (double)p.y, (double)p.z};
    b->work++;
    return side_of(b, &b->face[s->face[sector]], b->p.id[at], where) > 0 ? sector : inside;
}

#endif
