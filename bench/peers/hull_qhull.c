/* SPDX-License-Identifier: MIT */
/* Qhull's qh_new_qhull of the reentrant library, in its default mode, which merges facets, in three dimensions and in two. Its facets are
 * polygons where faces are coplanar. An untimed step cuts them into triangles for the validator. */
#include "bench/peers/peer.h"

#include <libqhull_r/qhull_ra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/point_sets.h"

typedef struct qhull_hull {
    coordT *point;
    qhT qh;
    bool made;
} qhull_hull;

/* One hull in space, or three in the plane. */
typedef struct qhull_work {
    const vp_point_sets *given;
    int dimension;
    qhull_hull of[3];
    FILE *nowhere;
    uint32_t (*triangle)[3];
    double (*corner)[2];
} qhull_work;

static void drop_hull(qhull_hull *h)
{
    int left, bytes;
    if (!h->made)
        return;
    qh_freeqhull(&h->qh, !qh_ALL);
    qh_memfreeshort(&h->qh, &left, &bytes);
    h->made = false;
}

static void drop(void *argument)
{
    qhull_work *w = argument;
    for (int k = 0; w != NULL && k < 3; k++) {
        drop_hull(&w->of[k]);
        free(w->of[k].point);
    }
    if (w == NULL)
        return;
    if (w->nowhere != NULL)
        fclose(w->nowhere);
    free(w->triangle);
    free(w->corner);
    free(w);
}

static void *make(const vp_peer *peer, const vp_data *data)
{
    const bool flat = peer->row == VP_KERNEL_hull2;
    qhull_work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->given = data->set;
    w->dimension = flat ? 2 : 3;
    w->nowhere = fopen("/dev/null", "w");
    bool all = w->nowhere != NULL;
    for (uint32_t k = 0; all && k < (flat ? 3 : 1); k++) {
        uint32_t axis[3] = {0, 1, 2};
        coordT *to = w->of[k].point = malloc((size_t)w->given->first[1] * (size_t)w->dimension * sizeof *to);
        all = to != NULL;
        if (flat)
            vp_shadow_plane(k, axis);
        for (uint32_t i = 0; all && i < w->given->first[1]; i++) {
            const vp_vec3 p = w->given->point[i];
            const float of[3] = {p.x, p.y, p.z};
            for (int d = 0; d < w->dimension; d++)
                *to++ = (coordT)of[axis[d]];
        }
    }
    if (all)
        return w;
    drop(w);
    return NULL;
}

static bool run(void *argument, uint32_t step)
{
    qhull_work *w = argument;
    qhull_hull *h = &w->of[step];
    char command[] = "qhull Pp";
    drop_hull(h);
    qh_zero(&h->qh, w->nowhere);
    h->made = true;
    return qh_new_qhull(&h->qh, w->dimension, (int)w->given->first[1], h->point, False, command, NULL, w->nowhere) == 0;
}

/* Cuts facets into fans, in the order of qhull's traversal. */
static bool answers(void *argument, uint32_t step, vp_peer_answers *out)
{
    qhull_work *w = argument;
    qhT *qh = &w->of[step].qh;
    facetT *facet;
    vertexT *vertex, **vertexp;
    size_t room = 0;
    FORALLfacets room += (size_t)qh_setsize(qh, facet->vertices);
    free(w->triangle);
    w->triangle = malloc((room + 1) * sizeof *w->triangle);
    if (w->triangle == NULL)
        return false;
    out->place = w->given->point;
    out->places = w->given->first[1];
    FORALLfacets
    {
        setT *ring = qh_facet3vertex(qh, facet);
        uint32_t corner[2] = {0, 0};
        int k = 0;
        FOREACHvertex_(ring)
        {
            const uint32_t id = (uint32_t)qh_pointid(qh, vertex->point);
            if (k >= 2) {
                const uint32_t triangle[3] = {corner[0], id, corner[1]}; /* it walks clockwise */
                memcpy(w->triangle[out->triangles++], triangle, sizeof triangle);
                corner[1] = id;
            } else {
                corner[k] = id;
            }
            k++;
        }
        qh_settempfree(qh, &ring);
    }
    out->triangle = (const uint32_t(*)[3])w->triangle;
    return true;
}

/* ---- in the plane ---- */

/* Walks from facet to facet. In two dimensions each facet is an edge. */
static bool corners(void *argument, uint32_t step, vp_peer_answers *out)
{
    qhull_work *w = argument;
    qhT *qh = &w->of[step].qh;
    facetT *facet = qh->facet_list;
    free(w->corner);
    w->corner = malloc((size_t)qh->num_facets * sizeof *w->corner);
    if (w->corner == NULL)
        return false;
    do {
        vertexT *vertex;
        facet = qh_nextfacet2d(facet, &vertex);
        memcpy(w->corner[out->corners++], vertex->point, sizeof *w->corner);
    } while (facet != qh->facet_list && out->corners < (uint32_t)qh->num_facets);
    out->corner = (const double(*)[2])w->corner;
    return true;
}

#define NOTE "reentrant, double, facets merged; against it: built for any processor"

extern const vp_peer vp_peers_hull_qhull[];
const vp_peer vp_peers_hull_qhull[] = {{"qhull", qh_version, NOTE, VP_KERNEL_hull3, false, false, make, NULL, run, answers, drop},
                                       {"qhull", qh_version, NOTE, VP_KERNEL_hull2, false, false, make, NULL, run, corners, drop},
                                       VP_PEERS_END};
