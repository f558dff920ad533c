/* SPDX-License-Identifier: MIT */
/* voxphys-simulate-experiments measures each part of a step, in voxphys and in Bullet, in the scenes of simulate_step. Prints JSON, and a
 * line of text per run on stderr. bench/simulate-experiments stores the JSON.
 *
 *   voxphys-simulate-experiments                 all scenes
 *   voxphys-simulate-experiments --resting       1,000 bodies at rest on the world luanti, also with reused manifolds
 *   voxphys-simulate-experiments --counts SCENE  one scene (terrain-l2/100), voxphys only, without times */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/experiment.h"
#include "bench/peers/judge.h"
#include "bench/simulate/scene.h"
#include "host/system.h"
#include "host/program.h"

enum { RUNS = 25, LARGE = 10000, RUNS_OF_LARGE = 5 };
static const char *const part_name[VP_SCENE_PARTS] = {"broadphase", "pairs", "ground", "solve", "rest"};

static double sum_of(const double seconds[VP_SCENE_PARTS])
{
    double sum = 0;
    for (int p = 0; p < VP_SCENE_PARTS; p++)
        sum += seconds[p];
    return sum;
}

/* Runs a scene several times. @param best seconds of each part in the fastest run. They are the elapsed shares applied to the processor
 * time, because other programs may be using the machine */
static void run_contest(const vp_contest *c, uint32_t runs, double best[VP_SCENE_PARTS], vp_peer_answers *out)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < runs; i++) {
        bool done = vp_peer_rewind(c->peer, c->work);
        const double begin = processor_seconds();
        done = done && vp_peer_run(c->peer, c->work, 0);
        const double spent = processor_seconds() - begin;
        done = done && vp_peer_answers_of(c->peer, c->work, 0, out);
        must(done ? VP_OK : VP_E_MEMORY, &(vp_error){VP_E_MEMORY, "a simulation failed"});
        const double sum = sum_of(out->simulated->seconds);
        for (int p = 0; p < VP_SCENE_PARTS && sum < least; p++)
            best[p] = out->simulated->seconds[p] * spent / sum;
        least = fmin(least, sum);
    }
}

/* A row: one scene by one library. */
static void ask(vp_suite *suite, const char *set, const vp_peer *peer, const char *who, bool times, json_t *rows)
{
    vp_contest c = {.judge = &vp_judge_simulations, .peer = peer, .steps = 1};
    vp_peer_answers got;
    vp_verdict v = {0};
    vp_error error;
    double best[VP_SCENE_PARTS] = {0};
    char digest[17];
    must(c.judge->open(suite, set, &c, &error), &error);
    vp_contest_make(&c);
    must(c.work != NULL ? VP_OK : VP_E_MEMORY, &(vp_error){VP_E_MEMORY, "no memory for a simulation"});
    const vp_body_scene *scene = c.right;
    run_contest(&c, !times ? 1 : scene->bodies < LARGE ? RUNS : RUNS_OF_LARGE, best, &got);
    c.judge->look(&c, &v);
    snprintf(digest, sizeof digest, "%016" PRIx64, got.simulated->digest);
    json_t *row =
        json_pack("{s:s, s:s, s:i, s:i}", "scene", set, "who", who, "bodies", (int)scene->bodies, "triangles", (int)scene->triangles);
    if (got.simulated->digest != 0)
        json_object_set_new(row, "digest", json_string(digest));
    fprintf(stderr, "%-25s %-8s %8.3f ms a step", set, who, sum_of(best) * 1e3 / VP_SCENE_TIMED);
    for (int p = 0; p < VP_SCENE_PARTS && times; p++) {
        fprintf(stderr, ", %s %.3f", part_name[p], best[p] * 1e3 / VP_SCENE_TIMED);
        json_object_set_new(row, part_name[p], json_real(best[p] * 1e3 / VP_SCENE_TIMED));
    }
    for (uint32_t i = 0; i < v.counters; i++)
        json_object_set_new(row, v.counter[i].name, json_integer((json_int_t)v.counter[i].value));
    fprintf(stderr, "; %s\n", v.text);
    json_array_append_new(rows, row);
    vp_contest_drop(&c);
}

int main(int argc, char **argv)
{
    const char *only = argc == 3 && strcmp(argv[1], "--counts") == 0 ? argv[2] : NULL;
    const vp_peer ours = vp_simulate_ours("best"), *bullet = vp_peer_named("bullet", VP_SIMULATE_ROW);
    const bool rests = argc == 2 && strcmp(argv[1], "--resting") == 0;
    if (argc != 1 && only == NULL && !rests) {
        fputs("usage: voxphys-simulate-experiments [--resting | --counts SCENE]\n", stderr);
        return VP_EXIT_USAGE;
    }
    vp_json_memory("voxphys-simulate-experiments");
    vp_suite *suite = vp_suite_create();
    must(suite != NULL ? VP_OK : VP_E_MEMORY, &(vp_error){VP_E_MEMORY, "no memory"});
    json_t *out = json_object(), *rows = new_list(out, "steps");
    json_object_set_new(out, "bullet", bullet != NULL ? json_string(bullet->version) : json_null());
    static const char *const resting[] = {"luanti/1000/resting", "luanti/1000/resting/reuse", NULL};
    for (const char *const *set = rests ? resting : vp_judge_simulations.measured->set; *set != NULL; set++) {
        if (only != NULL && strcmp(*set, only) != 0)
            continue;
        ask(suite, *set, &ours, "voxphys", only == NULL, rows);
        if (only == NULL && bullet != NULL)
            ask(suite, *set, bullet, "bullet", true, rows);
    }
    vp_suite_destroy(suite);
    return vp_print_json(out);
}
