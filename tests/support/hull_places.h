/* SPDX-License-Identifier: MIT */
/* Whether a hull's vertices are in the places that somebody else says. */
#ifndef VP_TESTS_SUPPORT_HULL_PLACES_H
#define VP_TESTS_SUPPORT_HULL_PLACES_H

#include <stdlib.h>

#include <voxphys/hull.h>

#include "tests/support/check.h"

static inline int compare_places(const void *a, const void *b)
{
    const vp_vec3 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

/* Fails the test if they are not. `places` is put into order. */
static inline void expect_places(const char *what, const vp_vec3 *point, const vp_hull *h, vp_vec3 *places, uint32_t count)
{
    vp_vec3 *own = malloc((h->vertex_count + 1) * sizeof *own);
    assert_non_null(own);
    for (uint32_t v = 0; v < h->vertex_count; v++)
        own[v] = point[h->vertex[v]];
    qsort(own, h->vertex_count, sizeof *own, compare_places);
    qsort(places, count, sizeof *places, compare_places);
    for (uint32_t v = 0; v < h->vertex_count && v < count; v++)
        if (compare_places(&own[v], &places[v]) != 0)
            fail_msg("%s: %s (%.9g, %.9g, %.9g)", what,
                     compare_places(&own[v], &places[v]) < 0 ? "a vertex is not expected at" : "no vertex at",
                     (double)(compare_places(&own[v], &places[v]) < 0 ? own : places)[v].x,
                     (double)(compare_places(&own[v], &places[v]) < 0 ? own : places)[v].y,
                     (double)(compare_places(&own[v], &places[v]) < 0 ? own : places)[v].z);
    if (h->vertex_count != count)
        fail_msg("%s: %u vertices, expected %u", what, h->vertex_count, count);
    free(own);
}

#endif
