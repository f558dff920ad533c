/* SPDX-License-Identifier: MIT */
/* voxphys-peer NAME: a library as an adapter of the conformance corpus (docs/CONFORMANCE.md), asked as the
 * benchmark asks it. What a question says is given to the library as it is: what it makes of a NaN is its
 * answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/hull2_peer.h"
#include "bench/peers/hull_peer.h"
#include "bench/peers/tree_peer.h"
#include "conformance/serve.h"
#include "conformance/shapes/shapes.h"

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
static float end_of(const vp_asked_mesh *q, const vp_ray *r)
{
    const float longest =
        highest(fabsf(r->direction.x), highest(fabsf(r->direction.y), fabsf(r->direction.z)));
    float size = highest(fabsf(r->origin.x), highest(fabsf(r->origin.y), fabsf(r->origin.z)));
    for (uint32_t i = 0; i < q->points; i++)
        size =
            highest(size, highest(fabsf(q->point[i].x), highest(fabsf(q->point[i].y), fabsf(q->point[i].z))));
    return 4.0f * size / longest;
}

/* The question's triangles as the library takes them. */
typedef struct shape {
    vp_tree_mesh mesh;
    vp_tree_meshes meshes;
} shape;

static bool make_shape(const vp_asked_mesh *q, shape *out)
{
    const uint32_t triangles = q->triangles;
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
        memcpy(index, q->triangle, (size_t)triangles * 3 * sizeof *index);
    out->mesh = (vp_tree_mesh){vertex, index, q->points, triangles, false, box};
    out->meshes = (vp_tree_meshes){1, &out->mesh, vertex, index};
    return vertex != NULL && index != NULL;
}

static void drop_shape(shape *s)
{
    free(s->meshes.vertex);
    free(s->meshes.index);
}

static bool answer_ray(const library *l, const vp_question *q, FILE *to)
{
    const vp_asked_mesh *mesh = q->part[0];
    vp_tree_hit hit = {0.0f, -1};
    vp_ray ray = *(const vp_ray *)q->part[1];
    shape s;
    bool good = make_shape(mesh, &s);
    if (isinf(ray.t_max) && strncmp(l->tree->name, "bullet", 6) == 0)
        ray.t_max = end_of(mesh, &ray);
    if (good && mesh->triangles > 0) { /* else there is nothing to make a tree of */
        void *trees = l->tree->make(&s.meshes);
        good = trees != NULL && l->tree->once(trees, 0, &ray, &hit);
        l->tree->drop(trees);
    }
    drop_shape(&s);
    if (good && hit.triangle < 0)
        fputs("none", to);
    else if (good && q->family->part[0] == &vp_part_triangle)
        fprintf(to, "hit %s", vp_bits_of(hit.t).text);
    else if (good)
        fprintf(to, "hit %d %s", hit.triangle, vp_bits_of(hit.t).text);
    return good;
}

/* @param s  with triangles in it */
static bool gather(const vp_tree_peer *peer, const shape *s, vp_aabb box, uint32_t *list, FILE *to)
{
    const uint32_t most = s->mesh.triangle_count;
    uint32_t mesh = 0, found = 0;
    const vp_mesh_box_set boxes = {1, &box, &mesh};
    const vp_tree_asked asked = {
        .question = VP_TREE_BOX, .boxes = &boxes, .list = list, .found = &found, .capacity = most};
    void *trees = peer->make(&s->meshes);
    void *question = trees != NULL && peer->build(trees) ? peer->ask(trees, &asked) : NULL;
    const bool good = question != NULL;
    if (good) {
        peer->run(question);
        peer->take(question);
        fprintf(to, "set %u", found);
        for (uint32_t i = 0; i < found && i < most; i++)
            fprintf(to, " %u", list[i]);
    }
    peer->forget(question);
    peer->drop(trees);
    return good;
}

static bool answer_box(const library *l, const vp_question *q, FILE *to)
{
    const vp_asked_mesh *mesh = q->part[0];
    shape s;
    uint32_t *list = malloc(((size_t)mesh->triangles + 1) * sizeof *list);
    bool good = make_shape(mesh, &s) && list != NULL;
    if (good && mesh->triangles == 0)
        fputs("set 0", to);
    else if (good)
        good = gather(l->tree, &s, *(const vp_aabb *)q->part[1], list, to);
    drop_shape(&s);
    free(list);
    return good;
}

/* ---- hulls ---- */

/* Which point is at a place; `points` if none is. */
static uint32_t point_at(const vp_asked_mesh *q, vp_vec3 place)
{
    uint32_t i = 0;
    while (i < q->points &&
           !(q->point[i].x == place.x && q->point[i].y == place.y && q->point[i].z == place.z))
        i++;
    return i;
}

/* Corners that are points have their numbers; a library that moves points tells its own places. */
static bool write_hull(const vp_asked_mesh *q, const vp_hull_peer_mesh *m, FILE *to)
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

static bool answer_hull(const library *l, const vp_question *question, FILE *to)
{
    const vp_hull_peer *peer = l->hull;
    const vp_asked_mesh *q = question->part[0];
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

static bool answer_polygon(const library *l, const vp_question *question, FILE *to)
{
    const vp_hull2_peer *peer = l->hull2;
    const vp_asked_mesh *q = question->part[0];
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
            fprintf(to, " %u",
                    point_at(q, (vp_vec3){(float)polygon.corner[i][0], (float)polygon.corner[i][1], 0.0f}));
    }
    free(polygon.corner);
    peer->drop(work);
    return good;
}

/* ---- the protocol ---- */

typedef bool answer_fn(const library *l, const vp_question *q, FILE *to);

/* By what a library answers a family; NULL: not at all. */
static answer_fn *answer_of(const library *l, const vp_family *family)
{
    const bool tree = l->tree != NULL, boxes = tree && (l->tree->questions & 1u << VP_TREE_BOX) != 0;
    const struct {
        const char *family;
        answer_fn *answer;
    } all[] = {
        {"ray-triangle", tree ? answer_ray : NULL},      {"ray-mesh", tree ? answer_ray : NULL},
        {"aabb-gather", boxes ? answer_box : NULL},      {"hull2", l->hull2 != NULL ? answer_polygon : NULL},
        {"hull3", l->hull != NULL ? answer_hull : NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].family, family->name) == 0)
            return all[i].answer;
    return NULL;
}

static bool can(const void *user, const vp_family *family)
{
    return answer_of(user, family) != NULL;
}

static vp_status answer(const void *user, const vp_question *q, FILE *to, vp_error *error)
{
    const library *l = user;
    const vp_asked_mesh *mesh = q->part[0];
    if (q->family->part[1] == NULL && mesh->points == 0) /* none of them takes no points */
        return vp_fail(error, VP_E_ARGUMENT, "there are no points");
    return answer_of(l, q->family)(l, q, to)
               ? VP_OK
               : vp_fail(error, VP_E_MEMORY, "%s has no memory, or no answer", l->name);
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
    /* the first word of a hull library's version; of the others the second word of the note, "Bullet 324,
     * ..." */
    const char *told = l->hull != NULL ? l->hull->version : strchr(l->tree->note, ' ') + 1;
    char version[64];
    snprintf(version, sizeof version, "%.*s", (int)strcspn(told, " ,"), told);
    const vp_server server = {l->name, version, l, can, answer};
    return vp_serve(&server) ? 0 : 1;
}
