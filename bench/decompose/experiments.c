/* SPDX-License-Identifier: MIT */
/* voxphys-decompose-experiments decomposes all solids with the reference, HACD and ACD, and compares them with one judge. It repeats this
 * at other positions and sizes. It also measures the value of the surface samples and of the error bound of flat hulls. Prints JSON,
 * which bench/decompose-experiments stores. Every decomposition runs alone, in its own process.
 *
 *   voxphys-decompose-experiments [--seconds N] [FOLDER]   all, with the real meshes of FOLDER (bench/meshes)
 *   voxphys-decompose-experiments --only SET               ours of one set, without times
 *
 * N is the limit of processor time, 60 by default. The limit of elapsed time is five times that. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/decompose/ours.h"
#include "bench/experiment.h"
#include "bench/peers/judge.h"
#include "datasets/datasets.h"
#include "datasets/generate/shapes.h"
#include "datasets/solid_sets.h"
#include "host/system.h"
#include "host/mesh_load.h"
#include "host/program.h"

/* Random solids and meshes that are no surface of a solid come last. */
static const char *const sets[] = {
    "solid-box",    "solid-l",          "solid-t",          "solid-u",           "solid-cross",      "solid-frame",   "solid-open-box",
    "solid-steps",  "solid-stairs",     "solid-comb",       "solid-wall-window", "solid-hollow",     "solid-holes",   "solid-slot",
    "solid-crack",  "solid-plate-l",    "solid-plate-t",    "solid-plate-u",     "solid-ring",       "solid-gear",    "solid-torus",
    "solid-arch",   "solid-bowl",       "solid-cup",        "solid-curved-wall", "solid-rotor",      "solid-anchor",  "solid-beast",
    "solid-blob",   "solid-voronoi",    "solid-csg",        "solid-edge-cubes",  "solid-three",      "solid-crossed", "solid-glued",
    "solid-nested", "solid-inner-wall", "solid-fin",        "solid-twice",       "solid-degenerate", "solid-flipped", "solid-inside-out",
    "solid-torn",   "solid-shaken",     "solid-bowl-sheet", "solid-lidless",     "solid-moebius",    "solid-surface", "solid-voxels"};
static const char *const placed[] = {"solid-l", "solid-gear", "solid-torus"};
/* Solids on which samples matter, with small and with large triangles. */
static const char *const tried[] = {"solid-l",     "solid-cross",   "solid-frame",   "solid-open-box", "solid-stairs",
                                    "solid-comb",  "solid-plate-l", "solid-gear",    "solid-torus",    "solid-arch",
                                    "solid-rotor", "solid-anchor",  "solid-voronoi", "solid-csg",      "solid-surface"};
static const char *const coarse[] = {"solid-l", "solid-stairs", "solid-comb", "solid-holes"};
/* The meshes to compare. The folder's other meshes are too large. */
static const char *const files[] = {"anchor.off",   "boeing.off",  "bunny.obj", "cow.off",   "dragon-res4.ply",
                                    "elephant.off", "fandisk.off", "homer.off", "rotor.off", "teapot.obj"};
static const char *const peers[] = {"hacd", "acd"};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

typedef struct decompose_lab {
    vp_store *store;
    unsigned seconds;
    bool times;
    json_t *out;
} decompose_lab;

static const char *outcome_of(const vp_verdict *v)
{
    static const char *const name[] = {"no memory", "right", "faulty", "wrong", "refuses", "crashes", "late"};
    return name[v->outcome];
}

/* A row: the decomposition of one set by one library. */
static void ask(const decompose_lab *l, const vp_data *data, const vp_peer *peer, json_t *rows)
{
    const vp_solid_set *set = data->set;
    const vp_contest contest = {.judge = &vp_judge_decompositions, .peer = peer, .data = data, .steps = set->count};
    vp_verdict v;
    vp_error error;
    uint32_t triangles = 0, optimum = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        triangles += set->solid[i].mesh.triangle_count;
        optimum += set->solid[i].optimum;
    }
    must(vp_contest_try(&contest, l->seconds, &v, &error), &error);
    json_t *row = json_pack("{s:s, s:s, s:i, s:i, s:s}", "mesh", data->name, "who", peer->name, "triangles", (int)triangles, "optimum",
                            (int)optimum, "outcome", outcome_of(&v));
    const bool found = v.outcome == VP_PEER_RIGHT || v.outcome == VP_PEER_FAULTY;
    if (found && l->times)
        json_object_set_new(row, "seconds", json_real(v.seconds));
    for (uint32_t i = 0; found && i < v.counters; i++)
        json_object_set_new(row, v.counter[i].name, json_real(v.counter[i].value));
    json_array_append_new(rows, row);
    fprintf(stderr, "%-24s %-16s %s%s %.2f s\n", data->name, peer->name, found ? "" : outcome_of(&v), found ? v.text : "", v.seconds);
}

static void ask_all(const decompose_lab *l, const vp_data *data, json_t *rows)
{
    ask(l, data, vp_decompose_ours_at(0), rows);
    for (size_t i = 0; i < COUNT(peers); i++) {
        const vp_peer *peer = vp_peer_named(peers[i], VP_OPERATION_decompose);
        if (peer != NULL)
            ask(l, data, peer, rows);
    }
}

static const vp_data *open_set(const decompose_lab *l, const char *name)
{
    const vp_data *data;
    vp_error error;
    must(vp_store_open(l->store, &vp_kind_solids, name, &data, &error), &error);
    return data;
}

static void ask_sets(const decompose_lab *l)
{
    json_t *rows = new_list(l->out, "meshes");
    for (size_t i = 0; i < COUNT(sets); i++)
        ask_all(l, open_set(l, sets[i]), rows);
}

/* Skips files that the folder lacks. */
static void ask_files(const decompose_lab *l, const char *folder)
{
    json_t *rows = new_list(l->out, "real");
    for (size_t i = 0; i < COUNT(files) && folder != NULL; i++) {
        char path[1024];
        vp_loaded_mesh mesh = {0};
        vp_looks looks = {0};
        vp_error error;
        snprintf(path, sizeof path, "%.900s/%s", folder, files[i]);
        if (vp_mesh_load(path, NULL, &mesh, &looks, &error) != VP_OK) {
            fprintf(stderr, "%s\n", error.message);
            continue;
        }
        vp_solid solid = {.mesh = mesh.triangles, .shells = 1};
        vp_solid_set set = {1, &solid};
        vp_data data = {.kind = &vp_kind_solids, .set = &set};
        snprintf(data.name, sizeof data.name, "%.*s", (int)strcspn(files[i], "."), files[i]);
        ask_all(l, &data, rows);
        vp_loaded_mesh_destroy(&mesh);
    }
}

static void ask_places(const decompose_lab *l)
{
    json_t *rows = new_list(l->out, "places");
    for (size_t i = 0; i < COUNT(placed); i++)
        for (int p = VP_SOLID_AS_MADE + 1; p < VP_SOLID_PLACES; p++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%s", placed[i], vp_solid_place_name((vp_solid_place)p));
            ask_all(l, open_set(l, name), rows);
        }
}

static void ask_ours(const decompose_lab *l, const vp_data *data, json_t *rows)
{
    const vp_peer *peer;
    for (size_t k = 0; (peer = vp_decompose_ours_at(k)) != NULL; k++)
        ask(l, data, peer, rows);
}

static void ask_mesh(const decompose_lab *l, const char *name, const vp_triangles *mesh, json_t *rows)
{
    vp_solid solid = {.mesh = *mesh};
    const vp_solid_set set = {1, &solid};
    vp_data data = {.kind = &vp_kind_solids, .set = &set};
    snprintf(data.name, sizeof data.name, "%.60s", name);
    ask_ours(l, &data, rows);
}

/* A shape with the minimum number of triangles. */
static void ask_coarse(const decompose_lab *l, const char *shape, json_t *rows)
{
    vp_model model = {0};
    vp_random random = {1};
    char name[64];
    vp_shape_find(shape)->make(&model, 1e6, &random);
    vp_vec3 *vertex = room(model.points, sizeof *vertex);
    for (uint32_t i = 0; i < model.points; i++)
        vertex[i] = (vp_vec3){(float)model.point[i][0], (float)model.point[i][1], (float)model.point[i][2]};
    snprintf(name, sizeof name, "%.40s, coarse", shape);
    ask_mesh(l, name, &(vp_triangles){vertex, model.triangle[0], model.points, model.triangles, false}, rows);
    free(vertex);
    vp_model_drop(&model);
}

/* A plate with a pit of depth 18 that consists of four triangles. With one sample per triangle, the pit appears half as deep. */
static void ask_pit(const decompose_lab *l, json_t *rows)
{
    static const vp_vec3 point[] = {{0, 0, 0},      {1000, 0, 0},      {1000, 1000, 0}, {0, 1000, 0},   {0, 0, 200},
                                    {1000, 0, 200}, {1000, 1000, 200}, {0, 1000, 200},  {500, 500, 182}};
    static const uint32_t triangle[][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7},
                                           {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 8}, {5, 6, 8}, {6, 7, 8}, {7, 4, 8}};
    ask_mesh(l, "pit, coarse", &(vp_triangles){point, triangle[0], COUNT(point), COUNT(triangle), false}, rows);
}

static void ask_settings(const decompose_lab *l)
{
    json_t *rows = new_list(l->out, "settings");
    ask_pit(l, rows);
    for (size_t i = 0; i < COUNT(coarse); i++)
        ask_coarse(l, coarse[i], rows);
    for (size_t i = 0; i < COUNT(tried); i++)
        ask_ours(l, open_set(l, tried[i]), rows);
}

static int usage(void)
{
    fputs("usage: voxphys-decompose-experiments [--seconds N] [FOLDER] | --only SET\n", stderr);
    return VP_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    const char *folder = NULL, *only = NULL;
    decompose_lab l = {.seconds = 60, .times = true};
    vp_manifest *manifest;
    vp_error error;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            l.seconds = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (folder == NULL && argv[i][0] != '-')
            folder = argv[i];
        else
            return usage();
    }
    if (l.seconds == 0 || l.seconds > 3600)
        return usage();
    vp_json_memory("voxphys-decompose-experiments");
    l.out = json_object();
    must(vp_manifest_open(NULL, &manifest, &error), &error);
    must(vp_store_create(manifest, 0, &l.store, &error), &error);
    l.times = only == NULL;
    if (only != NULL) {
        ask(&l, open_set(&l, only), vp_decompose_ours_at(0), new_list(l.out, "meshes"));
    } else {
        const vp_peer *hacd = vp_peer_named(peers[0], VP_OPERATION_decompose);
        json_object_set_new(l.out, "seconds", json_integer((json_int_t)l.seconds));
        json_object_set_new(l.out, "bullet", hacd != NULL ? json_string(hacd->version) : json_null());
        ask_settings(&l);
        ask_sets(&l);
        ask_places(&l);
        ask_files(&l, folder);
    }
    vp_store_destroy(l.store);
    vp_manifest_close(manifest);
    return vp_print_json(l.out);
}
