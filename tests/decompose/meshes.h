/* SPDX-License-Identifier: MIT */
/* Meshes to decompose, and checks of decompositions. */
#ifndef VP_TESTS_DECOMPOSE_MESHES_H
#define VP_TESTS_DECOMPOSE_MESHES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "datasets/random.h"
#include "tests/support/check.h"

enum { MESH_POINTS = 1200, MESH_TRIANGLES = 2400 };

typedef struct small_mesh {
    vp_vec3 point[MESH_POINTS];
    uint32_t triangle[MESH_TRIANGLES][3];
    uint32_t points, triangles;
} small_mesh;

static inline uint32_t add_point(small_mesh *m, float x, float y, float z)
{
    assert_true(m->points < MESH_POINTS);
    m->point[m->points] = (vp_vec3){x, y, z};
    return m->points++;
}

static inline void add_triangle(small_mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(m->triangles < MESH_TRIANGLES);
    memcpy(m->triangle[m->triangles++], (uint32_t[3]){a, b, c}, sizeof *m->triangle);
}

/* The twelve triangles of a box, facing inwards if `turned`. */
static inline void add_box(small_mesh *m, vp_vec3 low, vp_vec3 high, bool turned)
{
    static const uint32_t face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const uint32_t first = m->points;
    for (uint32_t i = 0; i < 8; i++)
        add_point(m, (i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z);
    for (int f = 0; f < 6; f++)
        for (uint32_t k = 1; k < 3; k++)
            add_triangle(m, first + face[f][0], first + face[f][turned ? k + 1 : k], first + face[f][turned ? k : k + 1]);
}

/* A bar of 14 corners, 1000 long, 100 high and 300 deep. Its groove has walls of slope 1/5 and is 20 deep. The first GROOVE_END triangles
 * are its flat end at z = 300. */
enum { GROOVE_END = 5 };
static inline void make_groove(small_mesh *m)
{
    static const float profile[7][2] = {{0, 0}, {1000, 0}, {1000, 100}, {600, 100}, {500, 80}, {400, 100}, {0, 100}};
    static const uint32_t cap[GROOVE_END][3] = {{0, 5, 6}, {0, 4, 5}, {0, 1, 4}, {1, 3, 4}, {1, 2, 3}};
    m->points = m->triangles = 0;
    for (int i = 0; i < 14; i++)
        add_point(m, profile[i % 7][0], profile[i % 7][1], i < 7 ? 300.0f : 0.0f);
    for (int i = 0; i < GROOVE_END; i++)
        add_triangle(m, cap[i][0], cap[i][1], cap[i][2]);
    for (int i = 0; i < GROOVE_END; i++)
        add_triangle(m, cap[i][2] + 7, cap[i][1] + 7, cap[i][0] + 7);
    for (uint32_t i = 0; i < 7; i++) {
        add_triangle(m, i, (i + 1) % 7 + 7, (i + 1) % 7);
        add_triangle(m, i, i + 7, (i + 1) % 7 + 7);
    }
}

/* The same mesh with its triangles and points in another order, and with each triangle starting at another corner. */
static inline void shuffle(const small_mesh *from, vp_random *random, small_mesh *to)
{
    uint32_t order[MESH_TRIANGLES], place[MESH_POINTS];
    for (uint32_t i = 0; i < from->points; i++) {
        const uint32_t k = vp_random_below(random, i + 1);
        place[i] = place[k];
        place[k] = i;
    }
    to->points = from->points;
    to->triangles = from->triangles;
    for (uint32_t i = 0; i < from->points; i++)
        to->point[place[i]] = from->point[i];
    for (uint32_t i = 0; i < from->triangles; i++) {
        const uint32_t k = vp_random_below(random, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (uint32_t i = 0; i < from->triangles; i++) {
        const uint32_t turn = vp_random_below(random, 3);
        for (uint32_t k = 0; k < 3; k++)
            to->triangle[order[i]][k] = place[from->triangle[i][(k + turn) % 3]];
    }
}

static inline vp_decomposition_def def_of(const small_mesh *m)
{
    return (vp_decomposition_def){.point = m->point,
                                  .point_count = m->points,
                                  .triangle = (const uint32_t(*)[3])(uintptr_t)m->triangle,
                                  .triangle_count = m->triangles};
}

static inline double dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Height of a point above the plane of a hull's face, as the maximum over the faces. */
static inline double above(const vp_hull *hull, vp_vec3 p)
{
    const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
    double most = -INFINITY;
    for (uint32_t f = 0; f < hull->face_count; f++)
        most = fmax(most, dot3(hull->plane[f], at) - hull->plane[f][3]);
    return most;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Hash of all outputs that depend on the shape alone, with the hulls in order and without the numbers of the input's triangles. */
static inline uint64_t digest_of(const vp_decomposition *d)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < d->hull_count; i++) {
        const vp_decomposition_hull *hull = &d->hull[i];
        const uint32_t word[] = {
            hull->point_count,    hull->hull.dimension, hull->hull.vertex_count, hull->hull.triangle_count, hull->hull.face_count,
            hull->triangle_count, hull->node,           (uint32_t)hull->by,      (uint32_t)hull->step};
        h = hash_bytes(h, word, sizeof word);
        h = hash_bytes(h, hull->point, hull->point_count * sizeof *hull->point);
        h = hash_bytes(h, hull->hull.vertex, hull->hull.vertex_count * sizeof *hull->hull.vertex);
        h = hash_bytes(h, hull->hull.triangle, hull->hull.triangle_count * sizeof *hull->hull.triangle);
        h = hash_bytes(h, hull->hull.plane, hull->hull.face_count * sizeof *hull->hull.plane);
        h = hash_bytes(h, &hull->error, sizeof hull->error);
    }
    const uint64_t count[] = {d->counts.predictions, d->counts.flat_predictions, d->counts.collapses, d->counts.drops};
    const uint32_t input[] = {d->input.vertices,      d->input.joined,     d->input.triangles,      d->input.duplicates,
                              d->input.degenerate,    d->input.open_edges, d->input.manifold_edges, d->input.twisted_edges,
                              d->input.crowded_edges, d->input.shells};
    return hash_bytes(hash_bytes(h, count, sizeof count), input, sizeof input);
}

/* Invariants of any decomposition: every triangle is in one hull and near it, the hulls are convex, and no error exceeds the limit. */
static inline void expect_sound(const char *what, const vp_decomposition_def *def, const vp_decomposition *d)
{
    uint32_t *in = calloc(def->triangle_count, sizeof *in);
    assert_non_null(in);
    for (uint32_t i = 0; i < d->hull_count; i++) {
        const vp_decomposition_hull *hull = &d->hull[i];
        if (hull->error > d->lengths.concavity && def->reach == 0.0f && def->max_hulls == 0 && def->min_volume == 0.0f)
            fail_msg("%s: hull %u has an error of %g", what, i, hull->error);
        for (uint32_t k = 0; k < hull->triangle_count; k++) {
            const uint32_t t = hull->triangle[k];
            assert_true(k == 0 || t > hull->triangle[k - 1]);
            in[t]++;
            for (int c = 0; c < 3; c++) {
                const double out = above(&hull->hull, def->point[def->triangle[t][c]]);
                if (out > 3 * d->lengths.quantization)
                    fail_msg("%s: triangle %u is %g outside of hull %u", what, t, out, i);
            }
        }
        if (hull->hull.dimension < 3)
            continue;
        float reach = 0.0f;
        for (uint32_t k = 0; k < hull->point_count; k++)
            reach = vp_max(reach, vp_max(vp_max(fabsf(hull->point[k].x), fabsf(hull->point[k].y)), fabsf(hull->point[k].z)));
        assert_int_equal(hull->hull.vertex_count, hull->point_count); /* only vertices of the hull are kept */
        const vp_hull_validate_def validate = {.point = hull->point,
                                               .count = hull->point_count,
                                               .triangle = hull->hull.triangle,
                                               .triangle_count = hull->hull.triangle_count,
                                               .allowed = (double)reach * 0x1p-44};
        vp_hull_report report;
        assert_ok(vp_hull_validate(&validate, &report, &error));
        if (report.faults != 0)
            fail_msg("%s: hull %u has faults %u", what, i, report.faults);
    }
    for (uint32_t t = 0; t < def->triangle_count; t++)
        if (in[t] != 1)
            fail_msg("%s: triangle %u is in %u hulls", what, t, in[t]);
    free(in);
}

#endif
