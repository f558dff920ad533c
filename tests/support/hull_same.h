/* SPDX-License-Identifier: MIT */
/* Compares two hulls, bit for bit. */
#ifndef VP_TESTS_SUPPORT_HULL_SAME_H
#define VP_TESTS_SUPPORT_HULL_SAME_H

#include <string.h>

#include <voxphys/hull.h>

/* @return the name of the first difference, NULL if none */
static inline const char *hull_difference(const vp_hull *a, const vp_hull *b)
{
    if (a->dimension != b->dimension || a->vertex_count != b->vertex_count || a->triangle_count != b->triangle_count ||
        a->face_count != b->face_count || a->corner_count != b->corner_count)
        return "counts";
    const size_t triangles = a->triangle_count, faces = a->face_count, corners = a->corner_count;
    const struct {
        const char *name;
        const void *a, *b;
        size_t bytes;
    } part[] = {{"vertex", a->vertex, b->vertex, a->vertex_count * sizeof *a->vertex},
                {"triangle", a->triangle, b->triangle, triangles * sizeof *a->triangle},
                {"beside", a->neighbour, b->neighbour, triangles * sizeof *a->neighbour},
                {"face_of", a->face_of, b->face_of, triangles * sizeof *a->face_of},
                {"first_corner", a->first_corner, b->first_corner, (faces + 1) * sizeof *a->first_corner},
                {"corner", a->corner, b->corner, corners * sizeof *a->corner},
                {"across", a->across, b->across, corners * sizeof *a->across},
                {"plane", a->plane, b->plane, faces * sizeof *a->plane},
                {"tolerance", &a->tolerance, &b->tolerance, sizeof a->tolerance},
                {"volume", &a->volume, &b->volume, sizeof a->volume},
                {"area", &a->area, &b->area, sizeof a->area},
                {"centroid", a->centroid, b->centroid, sizeof a->centroid},
                {"mass", &a->mass, &b->mass, sizeof a->mass},
                {"error", &a->error, &b->error, sizeof a->error},
                {"moved", &a->moved, &b->moved, sizeof a->moved}};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        if (part[i].bytes != 0 && memcmp(part[i].a, part[i].b, part[i].bytes) != 0)
            return part[i].name;
    return NULL;
}

#endif
