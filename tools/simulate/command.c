/* SPDX-License-Identifier: MIT */
/* `voxphys simulate` simulates the bodies of a scene step by step. */
#include <stdlib.h>

#include "datasets/hash.h"
#include "host/program.h"
#include "host/thread_executor.h"
#include "host/system.h"
#include "tools/choices.h"
#include "tools/commands.h"
#include "tools/dataset/dataset.h"
#include "tools/simulate/simulate.h"

static const char command[] = "simulate";

typedef struct simulating {
    uint32_t steps, threads;
    const char *record;
    vp_executor executor;
    vp_sim_scene scene;
    vp_sim_ground ground;
    vp_sim *sim;
    double *state;
    size_t state_room; /* bodies */
    vp_sim_recording recording;
    vp_sim_results results;
} simulating;

/* ---- bodies ---- */

static vp_status add_group(simulating *s, const vp_sim_group *group, vp_error *error)
{
    vp_status status = VP_OK;
    uint32_t number;
    for (uint32_t y = 0; y < group->repeat[1]; y++)
        for (uint32_t z = 0; z < group->repeat[2]; z++)
            for (uint32_t x = 0; x < group->repeat[0] && status == VP_OK; x++) {
                vp_sim_body_def def = group->body;
                double top = 0;
                def.position[0] += group->apart[0] * x;
                def.position[1] += group->apart[1] * y;
                def.position[2] += group->apart[2] * z;
                if (group->above_ground)
                    status = vp_sim_ground_top(&s->ground, def.position[0], def.position[2], &top, error);
                def.position[1] += top;
                if (status == VP_OK)
                    status = vp_sim_add(s->sim, &def, &number, error);
            }
    return status;
}

/* Refuses an output file that is also read. */
static vp_status check_record(const simulating *s, const char *path, vp_error *error)
{
    const char *const read[] = {path, s->scene.world, s->scene.blocks};
    const vp_manifest *manifest = s->ground.manifest != NULL ? s->ground.manifest : s->ground.source.manifest;
    const char *const named = s->scene.world != NULL ? s->scene.world : s->scene.blocks;
    if (manifest != NULL && named != NULL && vp_dataset_check_out(manifest, named, s->record, error) != VP_OK)
        return error->status;
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        if (read[i] != NULL && vp_same_file(read[i], s->record))
            return vp_fail(error, VP_E_ARGUMENT, "--record %s is a file that is read", vp_show_path(s->record).text);
    return vp_can_write(s->record, error);
}

static vp_status begin(simulating *s, const char *path, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_sim_scene_read(path, &s->scene, error));
    s->executor = vp_thread_executor(s->threads);
    VP_RETURN_IF_FAILED(vp_sim_ground_open(&s->scene, &s->executor, &s->ground, error));
    s->scene.def.terrain = s->ground.terrain;
    s->scene.def.blocks = s->ground.is_blocks ? &s->ground.held.view : NULL;
    s->scene.def.executor = &s->executor;
    vp_status status = vp_sim_create(&s->scene.def, &s->sim, error);
    for (size_t i = 0; i < s->scene.group_count && status == VP_OK; i++) {
        status = add_group(s, &s->scene.group[i], error);
        if (status != VP_OK) {
            char before[32];
            snprintf(before, sizeof before, "body %zu: ", i + 1);
            vp_name_file(error, before, path);
        }
    }
    if (status == VP_OK && s->record != NULL)
        status = check_record(s, path, error);
    return status == VP_OK && s->record != NULL
               ? vp_sim_record_begin(&s->recording, s->record, path, s->scene.def.step, &s->ground, s->sim, error)
               : status;
}

/* ---- steps ---- */

static vp_status edit(simulating *s, uint32_t step, vp_error *error)
{
    for (size_t i = 0; i < s->scene.edit_count; i++)
        if (s->scene.edit[i].step == step) {
            vp_sim_edit_result *out = &s->results.edit[s->results.edits++];
            out->step = step;
            VP_RETURN_IF_FAILED(vp_sim_edit_terrain(s->sim, &s->scene.edit[i].edit, &out->edited, error));
            VP_RETURN_IF_FAILED(vp_sim_record_edit(&s->recording, &s->ground, s->sim, error));
        }
    return VP_OK;
}

static vp_status hash_state(simulating *s, uint64_t *out, vp_error *error)
{
    const size_t bodies = vp_sim_body_count(s->sim);
    if (bodies > s->state_room || s->state == NULL) {
        free(s->state);
        s->state = malloc((bodies + 1) * VP_SIM_STATE_DOUBLES * sizeof *s->state);
        s->state_room = bodies;
    }
    if (s->state == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the states of %zu bodies", bodies);
    vp_hasher hasher;
    vp_sim_state(s->sim, s->state);
    vp_hash_begin(&hasher);
    vp_hash_longs(&hasher, s->state, bodies * VP_SIM_STATE_DOUBLES);
    *out = vp_hash_end(&hasher);
    return VP_OK;
}

static vp_status run(simulating *s, vp_error *error)
{
    vp_sim_results *r = &s->results;
    const uint32_t steps = s->steps != 0 ? s->steps : s->scene.steps;
    vp_hasher hasher;
    vp_status status = VP_OK;
    r->step = calloc(steps, sizeof *r->step);
    r->edit = calloc(s->scene.edit_count + 1, sizeof *r->edit);
    if (r->step == NULL || r->edit == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u steps", steps);
    vp_hash_begin(&hasher);
    while (r->steps < steps && status == VP_OK) {
        vp_sim_step_result *out = &r->step[r->steps];
        const double began = vp_seconds();
        status = edit(s, r->steps + 1, error);
        if (status == VP_OK)
            status = vp_sim_step(s->sim, error);
        r->seconds += vp_seconds() - began;
        if (status == VP_OK)
            status = hash_state(s, &out->digest, error);
        if (status == VP_OK)
            status = vp_sim_record_step(&s->recording, s->sim, error);
        if (status != VP_OK)
            break;
        out->stats = *vp_sim_stats_of(s->sim);
        vp_hash_longs(&hasher, &out->digest, 1);
        vp_progress("steps", ++r->steps, steps);
    }
    vp_progress("", 1, 1);
    r->digest = vp_hash_end(&hasher);
    return status == VP_OK ? vp_sim_record_end(&s->recording, error) : status;
}

static void drop(simulating *s)
{
    vp_sim_record_drop(&s->recording);
    vp_sim_destroy(s->sim);
    vp_sim_ground_close(&s->ground);
    vp_sim_scene_drop(&s->scene);
    free(s->state);
    free(s->results.step);
    free(s->results.edit);
}

int vp_command_simulate(int argc, char **argv)
{
    static simulating run_of;
    simulating *const s = &run_of;
    bool json, each;
    const vp_argument arguments[] = {
        {"--steps", "N", "number of steps, 1 to 1000000 (default: that of the scene)", VP_U32(&s->steps, 1, VP_SIM_STEPS)},
        {"--each", NULL, "print each step", VP_FLAG(&each)},
        {"--record", "FILE", "record each step to FILE.vpr, for 'voxphys view'", VP_TEXT(&s->record)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&s->threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE(command, "SCENE.json [OPTION...]", 1, 1, arguments,
                        "Move the rigid bodies of a scene on terrain, on blocks and in water.\n"
                        "docs/FORMATS.md describes scenes. Prints the time of each part of a step, bodies awake, contacts,\n"
                        "energy, the lowest point, and a digest of all states. The digest is the same on every machine and\n"
                        "for any number of threads.\n\n"
                        "Example: voxphys simulate datasets/scenes/stack.json --steps 60");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (s->record != NULL && !vp_ends(s->record, ".vpr"))
        return vp_command_usage(command, "--record '%s' does not end with .vpr", vp_show_path(s->record).text);
    vp_status status = begin(s, argv[1], &error);
    if (status == VP_OK)
        status = run(s, &error);
    s->results.source = argv[1];
    s->results.scene = &s->scene;
    s->results.ground = &s->ground;
    s->results.sim = s->sim;
    s->results.threads = s->executor.thread_count;
    s->results.record = s->record;
    s->results.written = s->recording.written;
    const int code = status != VP_OK ? vp_command_fail(command, &error)
                     : json          ? vp_sim_print_json(&s->results)
                                     : vp_sim_print_text(&s->results, each);
    drop(s);
    return code;
}
