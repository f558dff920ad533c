/* SPDX-License-Identifier: MIT */
/* voxphys-peer NAME: runs a library as an adapter of the conformance corpus (docs/CONFORMANCE.md), with the settings of
 * the benchmark. Questions are passed to the library unchanged. Its answer to a NaN is therefore its own.
 * voxphys-peer NAME MESH -o FILE: writes the library's hulls of a mesh, like `voxphys decompose`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/decompose/hulls_out.h"
#include "bench/peers/peer.h"
#include "conformance/serve.h"
#include "conformance/shared/shared.h"
#include "datasets/mesh_sets.h"
#include "datasets/point_sets.h"
#include "datasets/solid_sets.h"
#include "host/program.h"
#include "src/core/real3.h"

/* Names of libraries, and of the peers that provide their settings. */
static const struct library {
    const char *name, *peer;
} libraries[] = {{"bullet", "bullet"},        {"bullet-quantized", "bullet-quantized"}, {"cgal", "cgal"},
                 {"embree", "embree-medium"}, {"embree-robust", "embree-robust"},       {"hacd", "hacd"},
                 {"qhull", "qhull"}};
enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

/* ---- triangles ---- */

/* A ray parameter past all geometry, for libraries that need rays of finite length. */
static float end_of(const vp_query_mesh *q, const vp_ray *r)
{
    const float longest = vp_max(fabsf(r->direction.x), vp_max(fabsf(r->direction.y), fabsf(r->direction.z)));
    float size = vp_max(fabsf(r->origin.x), vp_max(fabsf(r->origin.y), fabsf(r->origin.z)));
    for (uint32_t i = 0; i < q->points; i++)
        size = vp_max(size, vp_max(fabsf(q->point[i].x), vp_max(fabsf(q->point[i].y), fabsf(q->point[i].z))));
    return 4.0f * size / longest;
}

/* Asks a peer for a ray or a box on the question's triangles. There must be at least one triangle.
 * @return false on out of memory. The caller then has nothing to drop */
static bool ask(const vp_peer *peer, const vp_query_mesh *q, const vp_kind *kind, const void *asked, void **work, vp_peer_answers *out)
{
    vp_triangles triangles = vp_mesh_triangles(q);
    vp_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < q->points; i++) {
        const vp_vec3 p = q->point[i];
        box.min = (vp_vec3){fminf(box.min.x, p.x), fminf(box.min.y, p.y), fminf(box.min.z, p.z)};
        box.max = (vp_vec3){fmaxf(box.max.x, p.x), fmaxf(box.max.y, p.y), fmaxf(box.max.z, p.z)};
    }
    const vp_mesh_set meshes = {.count = 1, .mesh = &triangles, .box = &box, .triangle_count = q->triangles};
    const vp_data owner = {.kind = &vp_kind_meshes, .name = "question", .set = &meshes};
    const vp_data data = {.kind = kind, .name = "question", .set = asked, .owner = &owner};
    *work = peer->make(peer, &data);
    const bool good = *work != NULL && vp_peer_run(peer, *work, 0) && vp_peer_answers_of(peer, *work, 0, out);
    if (!good)
        peer->drop(*work);
    return good;
}

static bool answer_ray(const vp_peer *peer, const vp_question *q, FILE *to)
{
    const vp_query_mesh *mesh = q->part[0];
    vp_peer_hit hit = {0.0f, VP_NO_HIT};
    vp_ray ray = *(const vp_ray *)q->part[1];
    uint32_t of = 0;
    if (isinf(ray.t_max) && strncmp(peer->name, "bullet", 6) == 0)
        ray.t_max = end_of(mesh, &ray);
    if (mesh->triangles > 0) { /* otherwise there is no triangle for a tree */
        const vp_ray_set rays = {1, &ray, &of};
        vp_peer_answers got;
        void *work;
        if (!ask(peer, mesh, &vp_kind_rays, &rays, &work, &got))
            return false;
        hit = got.hit[0];
        peer->drop(work);
    }
    if (hit.triangle < 0)
        fputs("none", to);
    else if (q->family->part[0] == &vp_part_triangle)
        fprintf(to, "hit %s", vp_bits_of(hit.t).text);
    else
        fprintf(to, "hit %d %s", hit.triangle, vp_bits_of(hit.t).text);
    return true;
}

static bool answer_box(const vp_peer *peer, const vp_question *q, FILE *to)
{
    const vp_query_mesh *mesh = q->part[0];
    vp_aabb box = *(const vp_aabb *)q->part[1];
    uint32_t of = 0;
    const vp_mesh_box_set boxes = {1, &box, &of};
    vp_peer_answers got;
    void *work;
    if (mesh->triangles == 0)
        return fputs("set 0", to) >= 0;
    if (!ask(peer, mesh, &vp_kind_mesh_boxes, &boxes, &work, &got))
        return false;
    fprintf(to, "set %u", got.found[0]);
    for (uint32_t i = 0; i < got.found[0] && i < got.capacity; i++)
        fprintf(to, " %u", got.list[i]);
    peer->drop(work);
    return true;
}

/* ---- hulls ---- */

/* Returns the point at a place, or `points` if none is there. */
static uint32_t point_at(const vp_query_mesh *q, vp_vec3 place)
{
    uint32_t i = 0;
    while (i < q->points && !(q->point[i].x == place.x && q->point[i].y == place.y && q->point[i].z == place.z))
        i++;
    return i;
}

/* Corners at an input point are written as the point's number. A library that moves points writes coordinates. */
static bool write_hull(const vp_query_mesh *q, const vp_peer_answers *m, FILE *to)
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

/* Flat points are answered with a polygon, the hull of their shadow along z. */
static bool answer_hull(const vp_peer *peer, const vp_question *question, FILE *to)
{
    const vp_query_mesh *q = question->part[0];
    const uint32_t step = peer->row == VP_KERNEL_hull2 ? 2 : 0;
    uint32_t first[2] = {0, q->points};
    const vp_point_sets points = {1, first, q->point};
    const vp_data data = {.kind = &vp_kind_points, .name = "question", .set = &points};
    vp_peer_answers got;
    void *work = peer->make(peer, &data);
    bool good = work != NULL;
    if (good && !vp_peer_run(peer, work, step)) {
        fputs("refused", to);
    } else if (good) {
        good = vp_peer_answers_of(peer, work, step, &got);
        if (good && step == 0)
            good = write_hull(q, &got, to);
        else if (good)
            fprintf(to, "hull %u", got.corners);
        for (uint32_t i = 0; good && i < got.corners; i++)
            fprintf(to, " %u", point_at(q, (vp_vec3){(float)got.corner[i][0], (float)got.corner[i][1], 0.0f}));
    }
    peer->drop(work);
    return good;
}

/* ---- decompositions ---- */

/* Returns the nearest point. Libraries scale points and scale them back, so coordinates differ slightly. */
static uint32_t nearest(const vp_query_mesh *q, vp_vec3 place)
{
    double least = INFINITY;
    uint32_t best = 0;
    for (uint32_t i = 0; i < q->points; i++) {
        const vp_real3 d = vp_real3_sub(vp_real3_of(q->point[i]), vp_real3_of(place));
        const double square = vp_real3_dot(d, d);
        if (square < least) {
            least = square;
            best = i;
        }
    }
    return best;
}

/* Uses the benchmark's limits and ignores those of the question. Hulls are written as point numbers of the mesh. */
static bool answer_decompose(const vp_peer *peer, const vp_question *question, FILE *to)
{
    const vp_query_mesh *q = question->part[0];
    vp_solid solid = {.mesh = vp_mesh_triangles(q)};
    const vp_solid_set set = {1, &solid};
    const vp_data data = {.kind = &vp_kind_solids, .name = "question", .set = &set};
    vp_peer_answers got;
    void *work = peer->make(peer, &data);
    bool good = work != NULL;
    if (good && !vp_peer_run(peer, work, 0)) {
        fputs("refused", to);
    } else if (good) {
        good = vp_peer_answers_of(peer, work, 0, &got);
        if (good)
            fprintf(to, "hulls %u", got.hulls);
        for (uint32_t h = 0; good && h < got.hulls; h++) {
            fprintf(to, " %u", got.first[h + 1][0] - got.first[h][0]);
            for (uint32_t p = got.first[h][0]; p < got.first[h + 1][0]; p++)
                fprintf(to, " %u", nearest(q, got.place[p]));
        }
    }
    peer->drop(work);
    return good;
}

/* ---- the protocol ---- */

/* The peer and the function with which a library answers a family. NULL: the library cannot answer it. */
typedef struct answerer {
    const vp_peer *peer;
    bool (*answer)(const vp_peer *peer, const vp_question *q, FILE *to);
} answerer;

static answerer answerer_of(const struct library *l, const char *family)
{
    static const struct {
        const char *family;
        vp_row_id row;
        bool (*answer)(const vp_peer *peer, const vp_question *q, FILE *to);
    } all[] = {{"ray-triangle", VP_OPERATION_edit_to_ray, answer_ray},
               {"ray-mesh", VP_OPERATION_edit_to_ray, answer_ray},
               {"aabb-gather", VP_KERNEL_kd_gather, answer_box},
               {"hull2", VP_KERNEL_hull2, answer_hull},
               {"hull3", VP_KERNEL_hull3, answer_hull},
               {"decompose", VP_OPERATION_decompose, answer_decompose}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (family == NULL || strcmp(all[i].family, family) == 0) {
            const vp_peer *peer = vp_peer_named(l->peer, all[i].row);
            if (peer != NULL || family != NULL)
                return (answerer){peer, all[i].answer};
        }
    return (answerer){NULL, NULL};
}

static bool can(const void *user, const vp_family *family)
{
    return answerer_of(user, family->name).peer != NULL;
}

static vp_status answer(const void *user, const vp_question *q, FILE *to, vp_error *error)
{
    const struct library *l = user;
    const answerer a = answerer_of(l, q->family->name);
    const vp_query_mesh *mesh = q->part[0];
    if (q->family->part[1] == NULL && mesh->points == 0) /* no library accepts zero points */
        return vp_fail(error, VP_E_ARGUMENT, "there are no points");
    return a.answer(a.peer, q, to) ? VP_OK : vp_fail(error, VP_E_MEMORY, "%s has no memory, or no answer", l->name);
}

static const vp_peer *decomposer_at(size_t i)
{
    const vp_peer *peer = vp_peer_at(i);
    return peer != NULL && peer->row == VP_OPERATION_decompose ? peer : NULL;
}

static int usage(void)
{
    fputs("usage: voxphys-peer NAME, of", stderr);
    for (size_t i = 0; i < LIBRARIES; i++)
        if (answerer_of(&libraries[i], NULL).peer != NULL)
            fprintf(stderr, " %s", libraries[i].name);
    fputs("\n", stderr);
    for (size_t i = 0, any = 0; vp_peer_at(i) != NULL; i++)
        if (decomposer_at(i) != NULL)
            fprintf(stderr, "%s%s", any++ == 0 ? "       voxphys-peer NAME MESH -o FILE, of " : " ", decomposer_at(i)->name);
    fputs("\n", stderr);
    return VP_EXIT_USAGE;
}

/* Parses NAME MESH -o FILE, with the last two in any order. */
static int write_hulls(int argc, char **argv)
{
    const vp_peer *peer = vp_peer_named(argv[1], VP_OPERATION_decompose);
    const int at = argc == 5 && strcmp(argv[2], "-o") == 0 ? 4 : 2;
    if (argc != 5 || peer == NULL || strcmp(argv[at == 4 ? 2 : 3], "-o") != 0)
        return usage();
    return vp_peer_write_hulls(peer, argv[at], argv[at == 4 ? 3 : 4]);
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return write_hulls(argc, argv);
    const struct library *l = NULL;
    for (size_t i = 0; i < LIBRARIES; i++)
        if (argc == 2 && strcmp(argv[1], libraries[i].name) == 0)
            l = &libraries[i];
    const vp_peer *peer = l != NULL ? answerer_of(l, NULL).peer : NULL; /* any of the library's peers */
    if (peer == NULL)
        return usage();
    char version[64];
    snprintf(version, sizeof version, "%.*s", (int)strcspn(peer->version, " ,"), peer->version);
    const vp_server server = {l->name, version, l, can, answer};
    return vp_serve(&server) ? 0 : 1;
}
