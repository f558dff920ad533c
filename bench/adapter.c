/* SPDX-License-Identifier: MIT */
/* voxphys-peer NAME: a library as an adapter of the conformance corpus (docs/CONFORMANCE.md), asked as the benchmark asks it. What a
 * question says is given to the library as it is: what it makes of a NaN is its answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/hull2_peer.h"
#include "bench/peers/hull_peer.h"
#include "bench/peers/tree_peer.h"
#include "src/core/error.h"
#include "conformance/serve.h"

typedef struct library {
    const char *name;
    const vp_tree_peer *tree;
    const vp_hull_peer *hull;
    const vp_hull2_peer *hull2;
} library;

static const library libraries[] = {
#ifdef VP_BENCH_BULLET
    {"bullet", &vp_peer_bullet, &vp_hull_peer_bullet, NULL},
    {"bullet-quantized", &vp_peer_bullet_quantized, NULL, NULL},
#endif
#ifdef VP_BENCH_CGAL
    {"cgal", NULL, &vp_hull_peer_cgal, &vp_hull2_peer_cgal},
#endif
#ifdef VP_BENCH_EMBREE
    {"embree", &vp_peer_embree_medium, NULL, NULL},
    {"embree-robust", &vp_peer_embree_robust, NULL, NULL},
#endif
#ifdef VP_BENCH_QHULL
    {"qhull", NULL, &vp_hull_peer_qhull, &vp_hull2_peer_qhull},
#endif
    {NULL, NULL, NULL, NULL},
};

/* ---- triangles ---- */

static float highest(float a, float b)
{
    return a > b ? a : b;
}

/* A parameter behind everything that there is, for libraries whose rays have an end. */
static float end_of(const vp_question *q)
{
    const vp_ray *r = &q->ray;
    const float longest = highest(fabsf(r->direction.x), highest(fabsf(r->direction.y), fabsf(r->direction.z)));
    float size = highest(fabsf(r->origin.x), highest(fabsf(r->origin.y), fabsf(r->origin.z)));
    for (uint32_t i = 0; i < q->points; i++)
        size = highest(size, highest(fabsf(q->point[i].x), highest(fabsf(q->point[i].y), fabsf(q->point[i].z))));
    return 4.0f * size / longest;
}

/* The question's triangles as the library takes them. */
typedef struct shape {
    vp_tree_mesh mesh;
    vp_tree_meshes meshes;
} shape;

static bool make_shape(const vp_question *q, shape *out)
{
    static const uint32_t alone[3] = {0, 1, 2};
    const uint32_t triangles = q->family == VP_ASKED_RAY_TRIANGLE ? 1 : q->triangles;
    float *vertex = calloc((size_t)q->points * 3 + 8, sizeof *vertex);
    uint32_t *index = malloc(((size_t)triangles * 3 + 1) * sizeof *index);
    vp_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; vertex != NULL && i < q->points; i++) {
        const vp_vec3 p = q->point[i];
        memcpy(vertex + (size_t)i * 3, (const float[3]){p.x, p.y, p.z}, 3 * sizeof *vertex);
        box.min = (vp_vec3){fminf(box.min.x, p.x), fminf(box.min.y, p.y), fminf(box.min.z, p.z)};
        box.max = (vp_vec3){fmaxf(box.max.x, p.x), fmaxf(box.max.y, p.y), fmaxf(box.max.z, p.z)};
    }
    if (index != NULL)
        memcpy(index, q->family == VP_ASKED_RAY_TRIANGLE ? alone : &q->triangle[0][0], (size_t)triangles * 3 * sizeof *index);
    out->mesh = (vp_tree_mesh){vertex, index, q->points, triangles, false, box};
    out->meshes = (vp_tree_meshes){1, &out->mesh, vertex, index};
    return vertex != NULL && index != NULL;
}

static void drop_shape(shape *s)
{
    free(s->meshes.vertex);
    free(s->meshes.index);
}

static bool answer_ray(const vp_tree_peer *peer, const vp_question *q, const shape *s, FILE *to)
{
    vp_tree_hit hit = {0.0f, -1};
    vp_ray ray = q->ray;
    if (isinf(ray.t_max) && strncmp(peer->name, "bullet", 6) == 0)
        ray.t_max = end_of(q);
    void *trees = peer->make(&s->meshes);
    const bool good = trees != NULL && peer->once(trees, 0, &ray, &hit);
    peer->drop(trees);
    if (good && hit.triangle < 0)
        fputs("none", to);
    else if (good && q->family == VP_ASKED_RAY_TRIANGLE)
        fprintf(to, "hit %s", vp_bits_of(hit.t).text);
    else if (good)
        fprintf(to, "hit %d %s", hit.triangle, vp_bits_of(hit.t).text);
    return good;
}

static bool answer_box(const vp_tree_peer *peer, const vp_question *q, const shape *s, FILE *to)
{
    uint32_t mesh = 0, found = 0;
    uint32_t *list = malloc(((size_t)q->triangles + 1) * sizeof *list);
    vp_aabb box = q->box;
    const vp_mesh_box_set boxes = {1, &box, &mesh};
    const vp_tree_asked asked = {.question = VP_TREE_BOX, .boxes = &boxes, .list = list, .found = &found, .capacity = q->triangles};
    void *trees = list != NULL ? peer->make(&s->meshes) : NULL;
    bool good = trees != NULL && peer->build(trees);
    void *question = good ? peer->ask(trees, &asked) : NULL;
    good = question != NULL;
    if (good) {
        peer->run(question);
        peer->take(question);
        fprintf(to, "set %u", found);
        for (uint32_t i = 0; i < found && i < q->triangles; i++)
            fprintf(to, " %u", list[i]);
    }
    peer->forget(question);
    peer->drop(trees);
    free(list);
    return good;
}

static bool answer_triangles(const vp_tree_peer *peer, const vp_question *q, FILE *to)
{
    shape s;
    bool good = make_shape(q, &s);
    if (good && s.mesh.triangle_count == 0) /* there is nothing to make a tree of */
        fputs(q->family == VP_ASKED_AABB_GATHER ? "set 0" : "none", to);
    else if (good)
        good = q->family == VP_ASKED_AABB_GATHER ? answer_box(peer, q, &s, to) : answer_ray(peer, q, &s, to);
    drop_shape(&s);
    return good;
}

/* ---- hulls ---- */

/* Which point is at a place; `points` if none is. */
static uint32_t point_at(const vp_question *q, vp_vec3 place)
{
    uint32_t i = 0;
    while (i < q->points && !(q->point[i].x == place.x && q->point[i].y == place.y && q->point[i].z == place.z))
        i++;
    return i;
}

/* Corners that are points have their numbers; a library that moves points tells its own places. */
static bool write_hull(const vp_question *q, const vp_hull_peer_mesh *m, FILE *to)
{
    uint32_t *number = malloc(((size_t)m->places + 1) * sizeof *number);
    bool own = false;
    for (uint32_t i = 0; number != NULL && i < m->places; i++) {
        number[i] = point_at(q, m->place[i]);
        own = own || number[i] == q->points;
    }
    if (number == NULL)
        return false;
    if (m->triangles == 0) {
        fputs("flat", to);
    } else {
        if (own)
            fprintf(to, "mesh %u %u", m->places, m->triangles);
        else
            fprintf(to, "hull %u", m->triangles);
        for (uint32_t i = 0; own && i < m->places; i++) {
            fprintf(to, " %s", vp_bits_of(m->place[i].x).text);
            fprintf(to, " %s", vp_bits_of(m->place[i].y).text);
            fprintf(to, " %s", vp_bits_of(m->place[i].z).text);
        }
        for (uint32_t t = 0; t < m->triangles; t++)
            for (int k = 0; k < 3; k++)
                fprintf(to, " %u", own ? m->triangle[t][k] : number[m->triangle[t][k]]);
    }
    free(number);
    return true;
}

static bool answer_hull(const vp_hull_peer *peer, const vp_question *q, FILE *to)
{
    vp_hull_peer_mesh mesh = {NULL, NULL, 0, 0};
    void *work = peer->make(q->point, q->points);
    bool good = work != NULL;
    if (good && !peer->run(work))
        fputs("refused", to);
    else if (good)
        good = peer->mesh(work, &mesh) && write_hull(q, &mesh, to);
    free(mesh.place);
    free(mesh.triangle);
    peer->drop(work);
    return good;
}

static bool answer_polygon(const vp_hull2_peer *peer, const vp_question *q, FILE *to)
{
    static const uint32_t axis[2] = {0, 1};
    vp_hull2_polygon polygon = {NULL, 0};
    void *work = peer->make(q->point, q->points, axis);
    bool good = work != NULL;
    if (good && !peer->run(work)) {
        fputs("refused", to);
    } else if (good) {
        good = peer->corners(work, &polygon);
        if (good)
            fprintf(to, "hull %u", polygon.corners);
        for (uint32_t i = 0; good && i < polygon.corners; i++)
            fprintf(to, " %u", point_at(q, (vp_vec3){(float)polygon.corner[i][0], (float)polygon.corner[i][1], 0.0f}));
    }
    free(polygon.corner);
    peer->drop(work);
    return good;
}

/* ---- the protocol ---- */

static bool can(const void *user, vp_asked_family family)
{
    const library *l = user;
    switch (family) {
    case VP_ASKED_RAY_TRIANGLE:
    case VP_ASKED_RAY_MESH:
        return l->tree != NULL;
    case VP_ASKED_AABB_GATHER:
        return l->tree != NULL && (l->tree->questions & 1u << VP_TREE_BOX) != 0;
    case VP_ASKED_HULL2:
        return l->hull2 != NULL;
    case VP_ASKED_HULL3:
        return l->hull != NULL;
    default:
        return false;
    }
}

static vp_status answer(const void *user, const vp_question *q, FILE *to, vp_error *error)
{
    const library *l = user;
    bool good;
    if ((q->family == VP_ASKED_HULL3 || q->family == VP_ASKED_HULL2) && q->points == 0) /* none of them takes no points */
        return vp_fail(error, VP_E_ARGUMENT, "there are no points");
    if (q->family == VP_ASKED_HULL3)
        good = answer_hull(l->hull, q, to);
    else if (q->family == VP_ASKED_HULL2)
        good = answer_polygon(l->hull2, q, to);
    else
        good = answer_triangles(l->tree, q, to);
    return good ? VP_OK : vp_fail(error, VP_E_MEMORY, "%s has no memory, or no answer", l->name);
}

int main(int argc, char **argv)
{
    const library *l = libraries;
    while (l->name != NULL && (argc != 2 || strcmp(argv[1], l->name) != 0))
        l++;
    if (l->name == NULL) {
        fputs("usage: voxphys-peer NAME, of", stderr);
        for (l = libraries; l->name != NULL; l++)
            fprintf(stderr, " %s", l->name);
        fputs("\n", stderr);
        return 2;
    }
    /* the first word of a hull library's version; of the others the second word of the note, "Bullet 324, ..." */
    const char *told = l->hull != NULL ? l->hull->version : strchr(l->tree->note, ' ') + 1;
    char version[64];
    snprintf(version, sizeof version, "%.*s", (int)strcspn(told, " ,"), told);
    const vp_server server = {l->name, version, l, can, answer};
    return vp_serve(&server) ? 0 : 1;
}
