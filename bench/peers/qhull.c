/* SPDX-License-Identifier: MIT */
/* Qhull: qh_new_qhull of the reentrant library, in its merging mode, which is its default, in three dimensions and in two. Its facets are
 * polygons where faces are coplanar; they are cut into triangles for the validator, which is not timed. */
#include "bench/peers/hull2_peer.h"
#include "bench/peers/hull_peer.h"

#include <libqhull_r/qhull_ra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    uint32_t count;
    int dimension;
    coordT *point;
    vp_vec3 *given; /* NULL in two dimensions */
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

/* Room for so many points. */
static work *make_room(uint32_t count, int dimension)
{
    work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->count = count;
    w->dimension = dimension;
    w->point = malloc((size_t)count * (size_t)dimension * sizeof *w->point);
    w->nowhere = fopen("/dev/null", "w");
    if (w->point == NULL || w->nowhere == NULL) {
        drop(w);
        return NULL;
    }
    return w;
}

static void *make(const vp_vec3 *point, uint32_t count)
{
    work *w = make_room(count, 3);
    if (w == NULL)
        return NULL;
    w->given = malloc((size_t)count * sizeof *w->given);
    if (w->given == NULL) {
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
    return qh_new_qhull(&w->qh, w->dimension, (int)w->count, w->point, False, command, NULL, w->nowhere) == 0;
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

/* ---- in the plane ---- */

static void *make_shadow(const vp_vec3 *point, uint32_t count, const uint32_t axis[2])
{
    work *w = make_room(count, 2);
    for (uint32_t i = 0; w != NULL && i < count; i++) {
        const float of[3] = {point[i].x, point[i].y, point[i].z};
        w->point[2 * i] = (coordT)of[axis[0]];
        w->point[2 * i + 1] = (coordT)of[axis[1]];
    }
    return w;
}

/* From facet to facet, each of which is an edge. */
static bool corners(const void *argument, vp_hull2_polygon *out)
{
    qhT *qh = (qhT *)(uintptr_t)&((const work *)argument)->qh;
    facetT *facet = qh->facet_list;
    *out = (vp_hull2_polygon){malloc((size_t)qh->num_facets * sizeof *out->corner), 0};
    if (out->corner == NULL)
        return false;
    do {
        vertexT *vertex;
        facet = qh_nextfacet2d(facet, &vertex);
        memcpy(out->corner[out->corners++], vertex->point, sizeof *out->corner);
    } while (facet != qh->facet_list && out->corners < (uint32_t)qh->num_facets);
    return true;
}

const vp_hull2_peer vp_hull2_peer_qhull = {
    "qhull", qh_version, "reentrant, double, facets merged; against it: built for any processor", false, make_shadow, run, corners, drop};
