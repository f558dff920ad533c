/* SPDX-License-Identifier: MIT */
/* voxphys-scene-experiments tests the second article's claims about sphere trees. A sphere test is worth six tests of another bound. The
 * looseness of melded bounds has no effect. Choosing the child with the smaller resulting bound performs well. Compares the forms of trees.
 * Prints JSON, which bench/scene-experiments stores. Counts are the same on every machine. (The benchmark measures brute force and
 * sweep-and-prune.)
 *
 *   voxphys-scene-experiments              all, some minutes
 *   voxphys-scene-experiments --counts N   scenes of up to N objects, without times */
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/experiment.h"
#include "cases/scene/work.h"
#include "datasets/datasets.h"
#include "datasets/random.h"
#include "host/system.h"
#include "host/program.h"
#include "src/spheretree/touch.h"
#include "src/spheretree/walk.h"

enum { ASKED = 1000, ROUNDS = 50, TESTED = 1024, PASSES = 2000 };

static const char *const rules[] = {"smaller", "least", "offline"};
static const vp_scene_way ways[] = {VP_WAY_SMALLER, VP_WAY_LEAST, VP_WAY_BUILT};
enum { RULES = 3 };

typedef struct scene_lab {
    vp_store *store;
    vp_kernels kernels;
    uint32_t most; /* objects of a scene */
    bool times;
    json_t *out;
} scene_lab;

static const void *open_set(const scene_lab *l, const vp_kind *kind, const char *name, uint32_t count)
{
    char full[VP_DATA_NAME_BYTES];
    const vp_data *data;
    vp_error error;
    snprintf(full, sizeof full, "%s/%u", name, count);
    must(vp_store_open(l->store, kind, full, &data, &error), &error);
    return data->set;
}

static vp_spheretree *grow(const scene_lab *l, const vp_scene_set *scene, int rule)
{
    vp_spheretree *tree;
    vp_error error;
    must(vp_scene_fill(scene, ways[rule], &l->kernels, NULL, &tree, &error), &error);
    return tree;
}

/* ---- questions: spheres and rays near the spheres of a scene ---- */

typedef struct questions {
    vp_sphere sphere[ASKED];
    vp_ray ray[ASKED];
} questions;

static vp_vec3 near(vp_random *r, const vp_sphere *s)
{
    vp_vec3 p; /* one draw per statement, to fix their order */
    p.x = s->centre.x + vp_random_between(r, -2, 2) * s->radius;
    p.y = s->centre.y + vp_random_between(r, -2, 2) * s->radius;
    p.z = s->centre.z + vp_random_between(r, -2, 2) * s->radius;
    return p;
}

static questions *ask_near(const vp_scene_set *scene)
{
    questions *q = room(1, sizeof *q);
    vp_random r = {1};
    for (uint32_t i = 0; i < ASKED; i++) {
        const vp_sphere *a = &scene->sphere[vp_random_below(&r, scene->count)], *b = &scene->sphere[vp_random_below(&r, scene->count)];
        q->sphere[i] = (vp_sphere){near(&r, a), a->radius};
        const vp_vec3 from = near(&r, a), along = vp_vec3_sub(near(&r, b), from);
        q->ray[i] = (vp_ray){from, along, INFINITY};
    }
    return q;
}

/* Returns the mean number of nodes that a query visits. */
static double nodes_of(const scene_lab *l, const vp_spheretree_view *tree, const questions *q, bool rays)
{
    vp_spheretree_cost cost = {0, 0};
    const vp_spheretree_query query = {.mask = UINT32_MAX, .cost = &cost};
    for (uint32_t i = 0; i < ASKED; i++)
        if (rays)
            l->kernels.scene_ray(tree, &q->ray[i], &query);
        else
            l->kernels.scene_sphere(tree, &q->sphere[i], &query, NULL, 0);
    return (double)cost.nodes / ASKED;
}

/* ---- other bounds for the same tree ---- */

/* Leaves in traversal order. The leaves below node n begin at leaf[first[n]]. */
typedef struct below {
    uint32_t *first, *count, *leaf;
} below;

static below leaves_below(const vp_spheretree_view *tree, uint32_t nodes)
{
    below b = {room(nodes, 4), room(nodes, 4), room(nodes, 4)};
    uint32_t leaves = 0;
    for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE;) {
        b.first[at] = leaves;
        if (!vp_spheretree_is_leaf(&tree->node[at])) {
            at = vp_scene_into(tree, at, NULL);
            continue;
        }
        b.leaf[leaves++] = at;
        for (uint32_t up = at; up != VP_SPHERETREE_NONE; up = tree->node[up].parent)
            b.count[up]++;
        at = vp_scene_past(tree, at, NULL);
    }
    return b;
}

static void drop_below(below *b)
{
    free(b->first);
    free(b->count);
    free(b->leaf);
}

/* Returns the distance from a place to a sphere's farthest point. */
static double reach(const double c[3], const vp_sphere *s, double to[3])
{
    const double d[3] = {(double)s->centre.x - c[0], (double)s->centre.y - c[1], (double)s->centre.z - c[2]},
                 length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), radius = (double)s->radius;
    for (int k = 0; k < 3; k++)
        to[k] = c[k] + (length > 0 ? d[k] * (1 + radius / length) : k == 0 ? radius : 0);
    return length + radius;
}

/* Approximates the smallest sphere around leaves by steps of 1/2, 1/3, ... towards the farthest point, starting from the current centre
 * (Badoiu and Clarkson, "Smaller core-sets for balls", 2003). */
static vp_sphere least_around(const vp_spheretree_view *tree, const uint32_t *leaf, uint32_t count, vp_vec3 centre)
{
    double c[3] = {(double)centre.x, (double)centre.y, (double)centre.z}, best[3] = {0, 0, 0}, radius = INFINITY;
    for (int round = 1; round <= ROUNDS; round++) {
        double furthest = -1, at[3] = {0, 0, 0}, to[3];
        for (uint32_t i = 0; i < count; i++) {
            const double far = reach(c, &tree->node[leaf[i]].bound, to);
            if (far > furthest) {
                furthest = far;
                memcpy(at, to, sizeof at);
            }
        }
        if (furthest < radius) {
            radius = furthest;
            memcpy(best, c, sizeof best);
        }
        for (int k = 0; k < 3; k++)
            c[k] += (at[k] - c[k]) / (round + 1);
    }
    return (vp_sphere){{(float)best[0], (float)best[1], (float)best[2]}, (float)(radius * (1 + 0x1p-20))};
}

/* Builds the tree with nearly minimal bounds. @return the mean ratio of the old volumes to the new ones */
static double tighten(const vp_spheretree_view *tree, uint32_t nodes, vp_spheretree_view *out)
{
    below b = leaves_below(tree, nodes);
    double excess = 0;
    uint32_t inner = 0;
    *out = *tree;
    out->node = room(nodes, sizeof *out->node);
    memcpy(out->node, tree->node, nodes * sizeof *out->node);
    for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE;
         at = vp_spheretree_is_leaf(&tree->node[at]) ? vp_scene_past(tree, at, NULL) : vp_scene_into(tree, at, NULL)) {
        if (vp_spheretree_is_leaf(&tree->node[at]))
            continue;
        const vp_sphere was = tree->node[at].bound, now = least_around(tree, b.leaf + b.first[at], b.count[at], was.centre);
        if (now.radius < was.radius)
            out->node[at].bound = now;
        const double ratio = (double)was.radius / (double)out->node[at].bound.radius;
        excess += ratio * ratio * ratio - 1;
        inner++;
    }
    drop_below(&b);
    return inner > 0 ? excess / inner : 0;
}

/* Counts the nodes that sphere queries visit if bounds are boxes. */
static double box_nodes(const vp_spheretree_view *tree, uint32_t nodes, const questions *q)
{
    vp_aabb *box = room(nodes, sizeof *box);
    uint64_t visited = 0;
    below b = leaves_below(tree, nodes);
    for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE;
         at = vp_spheretree_is_leaf(&tree->node[at]) ? vp_scene_past(tree, at, NULL) : vp_scene_into(tree, at, NULL))
        for (uint32_t i = 0; i < b.count[at]; i++) {
            const vp_sphere *s = &tree->node[b.leaf[b.first[at] + i]].bound;
            const vp_vec3 r = {s->radius, s->radius, s->radius}, low = vp_vec3_sub(s->centre, r), high = vp_vec3_add(s->centre, r);
            box[at] = i == 0 ? (vp_aabb){low, high} : (vp_aabb){vp_vec3_min(box[at].min, low), vp_vec3_max(box[at].max, high)};
        }
    for (uint32_t i = 0; i < ASKED; i++)
        for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE;) {
            visited++;
            at = !vp_spheretree_is_leaf(&tree->node[at]) && vp_box_touches_sphere(&box[at], &q->sphere[i]) ? vp_scene_into(tree, at, NULL)
                                                                                                           : vp_scene_past(tree, at, NULL);
        }
    drop_below(&b);
    free(box);
    return (double)visited / ASKED;
}

static uint32_t node_room(const vp_spheretree *tree)
{
    uint32_t most = 0;
    const vp_spheretree_view *view = vp_spheretree_view_of(tree);
    for (uint32_t at = view->root; at != VP_SPHERETREE_NONE;
         at = vp_spheretree_is_leaf(&view->node[at]) ? vp_scene_past(view, at, NULL) : vp_scene_into(view, at, NULL))
        most = at > most ? at : most;
    return most + 1;
}

/* ---- a test of spheres against a test of boxes ---- */

typedef struct bounds {
    vp_sphere sphere[TESTED];
    vp_aabb box[TESTED];
    vp_ray ray;
    vp_vec3 inverse;
    bool hit[TESTED];
} bounds;

static void test_spheres(bounds *b)
{
    const vp_sphere q = b->sphere[0];
    for (uint32_t i = 0; i < TESTED; i++) {
        const vp_sphere *s = &b->sphere[i];
        const float x = s->centre.x - q.centre.x, y = s->centre.y - q.centre.y, z = s->centre.z - q.centre.z, r = s->radius + q.radius;
        b->hit[i] = x * x + y * y + z * z <= r * r;
    }
}

static void test_boxes(bounds *b)
{
    const vp_aabb q = b->box[0];
    for (uint32_t i = 0; i < TESTED; i++) {
        const vp_aabb *s = &b->box[i];
        b->hit[i] = s->min.x <= q.max.x && s->max.x >= q.min.x && s->min.y <= q.max.y && s->max.y >= q.min.y && s->min.z <= q.max.z &&
                    s->max.z >= q.min.z;
    }
}

static void test_boxes_whole(bounds *b)
{
    const vp_aabb q = b->box[0];
    for (uint32_t i = 0; i < TESTED; i++) {
        const vp_aabb *s = &b->box[i];
        b->hit[i] = (s->min.x <= q.max.x) & (s->max.x >= q.min.x) & (s->min.y <= q.max.y) & (s->max.y >= q.min.y) & (s->min.z <= q.max.z) &
                    (s->max.z >= q.min.z);
    }
}

static void test_ray_spheres(bounds *b)
{
    const vp_ray q = b->ray;
    const float a = vp_vec3_dot(q.direction, q.direction);
    for (uint32_t i = 0; i < TESTED; i++) {
        const vp_vec3 m = vp_vec3_sub(q.origin, b->sphere[i].centre);
        const float along = vp_vec3_dot(m, q.direction), c = vp_vec3_dot(m, m) - b->sphere[i].radius * b->sphere[i].radius;
        b->hit[i] = (c <= 0) | ((along < 0) & (along * along >= a * c));
    }
}

static void test_ray_boxes(bounds *b)
{
    const vp_vec3 o = b->ray.origin, d = b->inverse;
    for (uint32_t i = 0; i < TESTED; i++) {
        const vp_aabb *s = &b->box[i];
        const float x0 = (s->min.x - o.x) * d.x, x1 = (s->max.x - o.x) * d.x, y0 = (s->min.y - o.y) * d.y, y1 = (s->max.y - o.y) * d.y,
                    z0 = (s->min.z - o.z) * d.z, z1 = (s->max.z - o.z) * d.z;
        const float xn = x0 < x1 ? x0 : x1, xf = x0 < x1 ? x1 : x0, yn = y0 < y1 ? y0 : y1, yf = y0 < y1 ? y1 : y0, zn = z0 < z1 ? z0 : z1,
                    zf = z0 < z1 ? z1 : z0;
        float n = xn > yn ? xn : yn, f = xf < yf ? xf : yf;
        n = n > zn ? n : zn;
        f = f < zf ? f : zf;
        b->hit[i] = (n <= f) & (f >= 0);
    }
}

/* Measures nanoseconds per test, the best of several rounds. The tests take turns within each round, so that all run at the same clock
 * rate. */
typedef void bounds_test(bounds *b);
enum { TESTS = 5, TEST_ROUNDS = 50 };
static bounds_test *const tests[TESTS] = {test_spheres, test_boxes, test_boxes_whole, test_ray_spheres, test_ray_boxes};

static void time_tests(bounds *b, double best[TESTS])
{
    for (int run = 0; run < TEST_ROUNDS; run++)
        for (int t = 0; t < TESTS; t++) {
            const double begin = processor_seconds();
            for (int k = 0; k < PASSES; k++)
                tests[t](b);
            const double took = (processor_seconds() - begin) / PASSES / TESTED * 1e9;
            best[t] = run == 0 ? took : fmin(best[t], took);
        }
}

static void try_tests(const scene_lab *l)
{
    bounds *b = room(1, sizeof *b);
    const vp_scene_set *scene = open_set(l, &vp_kind_scenes, "uniform", TESTED);
    for (uint32_t i = 0; i < TESTED; i++) {
        const vp_sphere s = scene->sphere[i];
        b->sphere[i] = (vp_sphere){s.centre, s.radius * 8};
        const vp_vec3 r = {b->sphere[i].radius, b->sphere[i].radius, b->sphere[i].radius};
        b->box[i] = (vp_aabb){vp_vec3_sub(s.centre, r), vp_vec3_add(s.centre, r)};
    }
    b->ray = (vp_ray){{0, 0, 0}, {1, 1.25f, 0.75f}, INFINITY};
    b->inverse = (vp_vec3){1, 0.8f, 1 / 0.75f};
    double best[TESTS];
    time_tests(b, best);
    json_object_set_new(l->out, "tests",
                        json_pack("{s:f, s:f, s:f, s:f, s:f}", "sphere_sphere_ns", best[0], "box_box_ns", best[1], "box_box_no_branch_ns",
                                  best[2], "ray_sphere_ns", best[3], "ray_box_ns", best[4]));
    free(b);
}

/* ---- rules, and boxes around the same ---- */

static void try_rules(const scene_lab *l)
{
    static const char *const scenes[] = {"uniform", "clustered", "hills", "mixed-radii", "sorted", "line"};
    static const uint32_t counts[] = {1000, 10000};
    json_t *rows = new_list(l->out, "rules");
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0] && counts[c] <= l->most; c++) {
            const vp_scene_set *scene = open_set(l, &vp_kind_scenes, scenes[s], counts[c]);
            questions *q = ask_near(scene);
            for (int rule = 0; rule < RULES; rule++) {
                const double begin = processor_seconds();
                vp_spheretree *tree = grow(l, scene, rule);
                const double took = processor_seconds() - begin;
                const vp_spheretree_view *view = vp_spheretree_view_of(tree);
                json_t *row =
                    json_pack("{s:s, s:I, s:s, s:I, s:f, s:f, s:f}", "scene", scenes[s], "objects", (json_int_t)counts[c], "rule",
                              rules[rule], "depth", (json_int_t)vp_spheretree_stats_of(tree).depth, "nodes", nodes_of(l, view, q, false),
                              "ray_nodes", nodes_of(l, view, q, true), "box_nodes", box_nodes(view, node_room(tree), q));
                if (l->times)
                    json_object_set_new(row, "build_ms", json_real(took * 1e3));
                json_array_append_new(rows, row);
                vp_spheretree_destroy(tree);
            }
            free(q);
        }
}

/* ---- forms ---- */

/* Nanoseconds of a sphere query, by a tree or, without one, by testing every object. */
static double time_queries(const scene_lab *l, const vp_spheretree_view *tree, const vp_scene_set *scene, const questions *q)
{
    double best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        volatile uint32_t touched = 0;
        const double begin = processor_seconds();
        for (uint32_t i = 0; i < ASKED; i++) {
            uint32_t count = 0;
            if (tree != NULL)
                count = l->kernels.scene_sphere(tree, &q->sphere[i], NULL, NULL, 0);
            for (uint32_t k = 0; tree == NULL && k < scene->count; k++)
                count += vp_sphere_touches_sphere(&q->sphere[i], &scene->sphere[k]);
            touched += count;
        }
        best = fmin(best, processor_seconds() - begin);
    }
    return best * 1e9 / ASKED;
}

/* From how many objects on a tree beats testing all, and the wide form the published one. */
static void try_forms(const scene_lab *l)
{
    static const uint32_t counts[] = {8, 16, 32, 64, 128, 256, 1000, 10000};
    json_t *rows = new_list(l->out, "forms");
    for (size_t c = 0; c < sizeof counts / sizeof counts[0] && counts[c] <= l->most; c++) {
        const vp_scene_set *scene = open_set(l, &vp_kind_scenes, "uniform", counts[c]);
        questions *q = ask_near(scene);
        vp_spheretree *tree[2];
        vp_error error;
        must(vp_scene_fill(scene, VP_WAY_SMALLER, &l->kernels, NULL, &tree[0], &error), &error);
        must(vp_scene_fill(scene, VP_WAY_WIDE, &l->kernels, NULL, &tree[1], &error), &error);
        const vp_spheretree_view *view[2] = {vp_spheretree_view_of(tree[0]), vp_spheretree_view_of(tree[1])};
        json_t *row = json_pack("{s:I, s:f, s:f}", "objects", (json_int_t)counts[c], "published_nodes", nodes_of(l, view[0], q, false),
                                "wide_nodes", nodes_of(l, view[1], q, false));
        if (l->times) {
            json_object_set_new(row, "all_ns", json_real(time_queries(l, NULL, scene, q)));
            json_object_set_new(row, "published_ns", json_real(time_queries(l, view[0], scene, q)));
            json_object_set_new(row, "wide_ns", json_real(time_queries(l, view[1], scene, q)));
        }
        json_array_append_new(rows, row);
        vp_spheretree_destroy(tree[0]);
        vp_spheretree_destroy(tree[1]);
        free(q);
    }
}

/* ---- looseness ---- */

static void play(const vp_motion_set *motions, vp_spheretree *tree, vp_scene_set *now)
{
    vp_error error;
    for (uint32_t m = 0; m < motions->first[motions->steps]; m++) {
        const vp_motion *motion = &motions->motion[m];
        must(vp_spheretree_move(tree, motion->object, &motion->sphere, &error), &error);
        now->sphere[motion->object] = motion->sphere;
    }
}

static void try_looseness(const scene_lab *l)
{
    static const char *const states[] = {"fresh", "moves-100", "teleports"};
    static const uint32_t counts[] = {1000, 10000};
    json_t *rows = new_list(l->out, "looseness");
    for (size_t state = 0; state < 3; state++)
        for (size_t c = 0; c < 2 && counts[c] <= l->most; c++)
            for (int rule = 0; rule < RULES; rule++) {
                const vp_motion_set *motions = open_set(l, &vp_kind_motions, state == 0 ? "moves-100" : states[state], counts[c]);
                vp_scene_set now = motions->scene;
                now.sphere = room(now.count, sizeof *now.sphere);
                memcpy(now.sphere, motions->scene.sphere, now.count * sizeof *now.sphere);
                vp_spheretree *tree = grow(l, &motions->scene, rule);
                if (state > 0)
                    play(motions, tree, &now);
                vp_spheretree *fresh = grow(l, &now, rule);
                questions *q = ask_near(&now);
                vp_spheretree_view tight;
                const double excess = tighten(vp_spheretree_view_of(tree), node_room(tree), &tight);
                json_array_append_new(rows, json_pack("{s:s, s:I, s:s, s:f, s:f, s:f, s:f}", "state", states[state], "objects",
                                                      (json_int_t)counts[c], "rule", rules[rule], "excess", excess, "nodes",
                                                      nodes_of(l, vp_spheretree_view_of(tree), q, false), "tight_nodes",
                                                      nodes_of(l, &tight, q, false), "fresh_nodes",
                                                      nodes_of(l, vp_spheretree_view_of(fresh), q, false)));
                free(tight.node);
                free(q);
                free(now.sphere);
                vp_spheretree_destroy(fresh);
                vp_spheretree_destroy(tree);
            }
}

int main(int argc, char **argv)
{
    vp_manifest *manifest;
    vp_error error;
    scene_lab l = {.most = UINT32_MAX, .times = true};
    vp_json_memory("voxphys-scene-experiments");
    if (argc == 3 && strcmp(argv[1], "--counts") == 0 && strtoul(argv[2], NULL, 10) >= 1000) {
        l.most = (uint32_t)strtoul(argv[2], NULL, 10);
        l.times = false;
    } else if (argc != 1) {
        fputs("usage: voxphys-scene-experiments [--counts N]: N is 1000 or more\n", stderr);
        return VP_EXIT_USAGE;
    }
    must(vp_manifest_open(NULL, &manifest, &error), &error);
    must(vp_store_create(manifest, 0, &l.store, &error), &error);
    must(vp_kernels_default(&l.kernels, &error), &error);
    l.out = json_object();
    if (l.times)
        try_tests(&l);
    try_rules(&l);
    try_looseness(&l);
    try_forms(&l);
    vp_store_destroy(l.store);
    vp_manifest_close(manifest);
    return vp_print_json(l.out);
}
