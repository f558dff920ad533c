/* SPDX-License-Identifier: MIT */
/* Qhull: qh_new_qhull of the reentrant library, in its merging mode, which is its default. Its facets are polygons where faces are
 * coplanar; they are cut into triangles for the validator, which is not timed. */
#include "bench/peers/hull_peer.h"

#include <libqhull_r/qhull_ra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    uint32_t count;
    coordT *point;
    vp_vec3 *given;
    qhT qh;
    bool made;
    FILE *nowhere;
} work;

static void drop_hull(work *w)
{
    int left, bytes;
    if (!w->made)
        return;
    qh_freeqhull(&w->qh, !qh_ALL);
    qh_memfreeshort(&w->qh, &left, &bytes);
    w->made = false;
}

static void drop(void *argument)
{
    work *w = argument;
    if (w == NULL)
        return;
    drop_hull(w);
    if (w->nowhere != NULL)
        fclose(w->nowhere);
    free(w->point);
    free(w->given);
    free(w);
}

static void *make(const vp_vec3 *point, uint32_t count)
{
    work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->count = count;
    w->point = malloc((size_t)count * 3 * sizeof *w->point);
    w->given = malloc((size_t)count * sizeof *w->given);
    w->nowhere = fopen("/dev/null", "w");
    if (w->point == NULL || w->given == NULL || w->nowhere == NULL) {
        drop(w);
        return NULL;
    }
    memcpy(w->given, point, (size_t)count * sizeof *point);
    for (uint32_t i = 0; i < count; i++) {
        w->point[3 * i] = (coordT)point[i].x;
        w->point[3 * i + 1] = (coordT)point[i].y;
        w->point[3 * i + 2] = (coordT)point[i].z;
    }
    return w;
}

static bool run(void *argument)
{
    work *w = argument;
    char command[] = "qhull Pp";
    drop_hull(w);
    qh_zero(&w->qh, w->nowhere);
    w->made = true;
    return qh_new_qhull(&w->qh, 3, (int)w->count, w->point, False, command, NULL, w->nowhere) == 0;
}

/* Facets as fans, in the order in which qhull walks around them. */
static bool mesh(const void *argument, vp_hull_peer_mesh *out)
{
    qhT *qh = (qhT *)(uintptr_t)&((const work *)argument)->qh;
    const work *w = argument;
    facetT *facet;
    vertexT *vertex, **vertexp;
    size_t room = 0;
    FORALLfacets room += (size_t)qh_setsize(qh, facet->vertices);
    *out = (vp_hull_peer_mesh){malloc((size_t)w->count * sizeof *out->place), malloc((room + 1) * sizeof *out->triangle), w->count, 0};
    if (out->place == NULL || out->triangle == NULL)
        return false;
    memcpy(out->place, w->given, (size_t)w->count * sizeof *out->place);
    FORALLfacets {
        setT *ring = qh_facet3vertex(qh, facet);
        uint32_t corner[2] = {0, 0};
        int k = 0;
        FOREACHvertex_(ring) {
            const uint32_t id = (uint32_t)qh_pointid(qh, vertex->point);
            if (k >= 2) {
                const uint32_t triangle[3] = {corner[0], id, corner[1]}; /* it walks clockwise */
                memcpy(out->triangle[out->triangles++], triangle, sizeof triangle);
                corner[1] = id;
            } else {
                corner[k] = id;
            }
            k++;
        }
        qh_settempfree(qh, &ring);
    }
    return true;
}

const vp_hull_peer vp_hull_peer_qhull = {
    "qhull", qh_version, "reentrant, double, facets merged; against it: built for any processor", make, run, mesh, drop};
