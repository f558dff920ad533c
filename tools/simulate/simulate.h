/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys simulate`. Scenes are read in scene.c, their ground is made in ground.c, results are printed in print.c.
 */
#ifndef VP_TOOLS_SIMULATE_SIMULATE_H
#define VP_TOOLS_SIMULATE_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/record/bodies.h"
#include "host/record/write.h"
#include "host/simulate/simulate.h"
#include "tools/sources/block_source.h"
#include "tools/sources/world_source.h"

enum { VP_SIM_STEPS = 1000000, VP_SIM_FILLS = 4096, VP_SIM_EDITS = 4096 };

/* ---- scenes (scene.c) ---- */

/* Equal bodies on a grid. */
typedef struct vp_sim_group {
    vp_sim_body_def body;
    uint32_t repeat[3];
    double apart[3];
    bool above_ground; /* y is above the highest solid voxel of the column */
} vp_sim_group;

typedef struct vp_sim_scene_edit {
    uint32_t step; /* the edit precedes this step, counted from 1 */
    vp_sim_edit edit;
} vp_sim_scene_edit;

/* A scene file (docs/FORMATS.md). */
typedef struct vp_sim_scene {
    vp_sim_def def; /* all members except the ground */
    uint32_t steps;
    char *world, *blocks; /* names of the ground. NULL = it is filled from the scene */
    vp_dims size;
    bool as_blocks;
    vp_sim_edit *fill;
    size_t fill_count;
    vp_sim_group *group;
    size_t group_count;
    vp_sim_scene_edit *edit;
    size_t edit_count;
} vp_sim_scene;

/* Reads a file. Drop the scene, also after a failure. @return VP_E_FORMAT with the file's name and the value */
vp_status vp_sim_scene_read(const char *path, vp_sim_scene *out, vp_error *error);
void vp_sim_scene_drop(vp_sim_scene *scene);

/* ---- the ground (ground.c) ---- */

typedef struct vp_sim_ground {
    vp_manifest *manifest;
    vp_content content;
    vp_world *world;
    vp_terrain *terrain;
    vp_block_source_world source;
    vp_blocks *blocks; /* blocks filled from the scene */
    vp_block_held held;
    vp_blob note; /* note of the world's file */
    bool is_blocks;
} vp_sim_ground;

/* Makes a scene's ground. Close it, also after a failure. */
vp_status vp_sim_ground_open(const vp_sim_scene *scene, const vp_executor *executor, vp_sim_ground *out, vp_error *error);
void vp_sim_ground_close(vp_sim_ground *ground);

/* y of the top of the highest solid voxel or block of a column. @return VP_E_ARGUMENT if there is none */
vp_status vp_sim_ground_top(const vp_sim_ground *ground, double x, double z, double *y, vp_error *error);

/* ---- step records (recording.c) ---- */

/* All zero bytes = no recording. */
typedef struct vp_sim_recording {
    vp_record_writer *writer;
    vp_bodies_recording to;
    uint32_t *shape; /* [bodies], number of the recorded shape */
    vp_recorded_body *body;
    vp_recorded_contact *contact;
    uint32_t known;                  /* bodies whose shapes are stored */
    size_t shapes, bodies, contacts; /* capacities */
    vp_record_written written;
} vp_sim_recording;

/* Begins a recording with the scene's initial state. */
vp_status vp_sim_record_begin(vp_sim_recording *r, const char *path, const char *source, double step, const vp_sim_ground *ground,
                              const vp_sim *sim, vp_error *error);
/* Record an edit, and a step. Without a writer they do nothing. */
vp_status vp_sim_record_edit(vp_sim_recording *r, const vp_sim_ground *ground, const vp_sim *sim, vp_error *error);
vp_status vp_sim_record_step(vp_sim_recording *r, const vp_sim *sim, vp_error *error);
/* Ends the file. Drop the recording, also after a failure. */
vp_status vp_sim_record_end(vp_sim_recording *r, vp_error *error);
void vp_sim_record_drop(vp_sim_recording *r);

/* ---- results (print.c) ---- */

typedef struct vp_sim_step_result {
    uint64_t digest; /* digest of all bodies' states */
    vp_sim_stats stats;
} vp_sim_step_result;

typedef struct vp_sim_edit_result {
    uint32_t step;
    vp_sim_edited edited;
} vp_sim_edit_result;

typedef struct vp_sim_results {
    const char *source;
    const vp_sim_scene *scene;
    const vp_sim_ground *ground;
    const vp_sim *sim;
    uint32_t steps, threads;
    vp_sim_step_result *step;
    vp_sim_edit_result *edit; /* in the order of execution */
    size_t edits;
    double seconds;
    uint64_t digest;    /* digest of all steps' digests */
    const char *record; /* recording, or NULL */
    vp_record_written written;
} vp_sim_results;

int vp_sim_print_json(const vp_sim_results *r);
int vp_sim_print_text(const vp_sim_results *r, bool each);

#endif
